r"""Triangles on a terminal: three lines a row, and borders where neighbours belong to different pieces.

A triangle is six characters wide and three lines high, three columns further than the one before it::

      /\
     /A \
    /____\
"""

from __future__ import annotations

import re

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing import RULES
from puzzlec.show.terminal.canvas import Canvas
from puzzlec.show.terminal.style import Board, Style

_FINE = {"\\": "╲", "/": "╱", "|": "│"}

#: The corner of a triangle between two level borders, or between one and another border.
_GAP = re.compile(r"(?<=_) {1,2}(?=_)|(?<=_) (?=\S)|(?<=\S) (?=_)")


def draw_triangles(board: Board, style: Style) -> list[str]:
    """Return triangles with the signs of their pieces.

    A side is a border if the cells beside it belong to different pieces, also across a seam of the board. Raises
    TooWideError if they do not fit the width.
    """
    canvas = Canvas()
    for cell, sign in board.signs.items():
        _triangle(canvas, board, cell, sign, style)
    _join_bases(canvas)
    return canvas.lines(board.hues(style.colours), style)


def _triangle(canvas: Canvas, board: Board, cell: Cell, sign: str, style: Style) -> None:
    """Draw one triangle with its three sides."""
    x, y, down = cell
    owner = board.owners[cell]
    _, row, column = RULES["triangle"].spot(cell)
    line, left = 3 * row, 3 * column
    canvas.put(line + 1, left + 2, sign + " ", owner)
    strokes = "\\/" if down else "/\\"
    for stroke, beside in enumerate([(x + step, y, 1 - down) for step in ((0, 1) if down else (-1, 0))]):
        same = board.owner(beside) == owner
        shown = " " if same else strokes[stroke] if style.ascii else _FINE[strokes[stroke]]
        for number in range(3):
            inset = number if down else 2 - number
            at = left + (5 - inset if stroke else inset)
            canvas.put(line + number, at, shown, owner if same and beside in board.owners else None)
    if down:
        canvas.put(line, left + 1, " " * 4, owner)
        above = (x, y - 1, 0)
        if above not in board.owners and board.owner(above) != owner:
            canvas.put(line - 1, left + 1, "____")
    else:
        below = (x, y + 1, 1)
        same = board.owner(below) == owner
        canvas.put(line + 2, left + 1, (" " if same else "_") * 4, owner)


def _join_bases(canvas: Canvas) -> None:
    """Continue level borders over the corners of triangles beside them, where there is no other border."""
    lines = sorted({line for line, _ in canvas.drawn if line % 3 == 2})
    for line in lines:
        columns = [column for at, column in canvas.drawn if at == line]
        row = "".join(canvas.drawn.get((line, c), (" ",))[0] for c in range(min(columns), max(columns) + 1))
        for gap in _GAP.finditer(row):
            for column in range(min(columns) + gap.start(), min(columns) + gap.end()):
                canvas.put(line, column, "_", canvas.drawn.get((line, column), ("", None))[1])


#: The sides of a hexagon, clockwise from the upper right one. Each has the step to the neighbour in rows and columns of
#: a drawing. Its line and column are counted from the upper left of its square of characters.
_SIDES = (
    (-1, 1, "\\", 0, 3),
    (0, 2, "|", 1, 4),
    (1, 1, "/", 2, 3),
    (1, -1, "\\", 2, 1),
    (0, -2, "|", 1, 0),
    (-1, -1, "/", 0, 1),
)


def draw_hexagons(board: Board, style: Style) -> list[str]:
    """Return hexagons with the signs of their pieces.

    A side is a border if the cells beside it belong to different pieces, also across a seam of the board. Raises
    TooWideError if they do not fit the width.
    """
    spot = RULES["hex"].spot
    canvas = Canvas()
    for cell, sign in board.signs.items():
        _, row, column = spot(cell)
        line, left, owner = 2 * row, 2 * column, board.owners[cell]
        canvas.put(line, left + 2, " ", owner)
        canvas.put(line + 1, left + 1, f" {sign} ", owner)
        canvas.put(line + 2, left + 2, " ", owner)
        for down, right, stroke, at, across in _SIDES:
            beside = cell[0] + (right - down) // 2, cell[1] + down
            if board.owner(beside) != owner:
                canvas.put(line + at, left + across, stroke if style.ascii else _FINE[stroke])
            else:
                canvas.put(line + at, left + across, " ", owner if beside in board.owners else None)
    return canvas.lines(board.hues(style.colours), style)
