r"""Triangles on a terminal: three lines a row, and borders where neighbours belong to different pieces.

A triangle is six characters wide and three lines high, three columns further than the one before it::

      /\
     /A \
    /____\
"""

from __future__ import annotations

import re

from puzzlec.geometry.drawing import RULES
from puzzlec.render.canvas import Canvas
from puzzlec.render.style import Board, Style

_FINE = {"\\": "╲", "/": "╱"}

#: The corner of a triangle between two level borders, or between one and another border.
_GAP = re.compile(r"(?<=_) {1,2}(?=_)|(?<=_) (?=\S)|(?<=\S) (?=_)")


def draw(board: Board, style: Style) -> list[str]:
    """Return triangles with the signs of their pieces; nothing where they do not fit the width.

    A side is a border where the two beside it do not belong to one piece.
    """
    spot = RULES["triangle"].spot
    owners = {spot(cell)[1:]: owner for cell, owner in board.owners.items()}
    canvas = Canvas()
    for cell, sign in board.signs.items():
        _, row, column = spot(cell)
        _triangle(canvas, owners, row, column, sign, style)
    _join_bases(canvas)
    return canvas.lines(board.hues(), style) if canvas.width <= style.width else []


def _triangle(
    canvas: Canvas, owners: dict[tuple[int, int], int], row: int, column: int, sign: str, style: Style
) -> None:
    """Draw one triangle with its three sides."""
    owner = owners[row, column]
    line, left = 3 * row, 3 * column
    down = (row + column) % 2
    canvas.put(line + 1, left + 2, sign + " ", owner)
    strokes = "\\/" if down else "/\\"
    for beside, stroke, sign_of_side in ((-1, 0, strokes[0]), (1, 1, strokes[1])):
        same = owners.get((row, column + beside)) == owner
        shown = " " if same else sign_of_side if style.ascii else _FINE[sign_of_side]
        for number in range(3):
            inset = number if down else 2 - number
            canvas.put(line + number, left + (5 - inset if stroke else inset), shown, owner if same else None)
    if down:
        canvas.put(line, left + 1, " " * 4, owner)
        if (row - 1, column) not in owners:
            canvas.put(line - 1, left + 1, "____")
    else:
        same = owners.get((row + 1, column)) == owner
        canvas.put(line + 2, left + 1, (" " if same else "_") * 4, owner)


def _join_bases(canvas: Canvas) -> None:
    """Let level borders go on over the corners of triangles beside them, where no other border is."""
    lines = sorted({line for line, _ in canvas.drawn if line % 3 == 2})
    for line in lines:
        columns = [column for at, column in canvas.drawn if at == line]
        row = "".join(canvas.drawn.get((line, c), (" ",))[0] for c in range(min(columns), max(columns) + 1))
        for gap in _GAP.finditer(row):
            for column in range(min(columns) + gap.start(), min(columns) + gap.end()):
                canvas.put(line, column, "_", canvas.drawn.get((line, column), ("", None))[1])
