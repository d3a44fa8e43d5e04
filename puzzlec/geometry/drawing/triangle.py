"""The drawing rule ``triangle``: each character is a triangle that points up if row + column is even, else down.

Rows and columns count from 0, without the common indentation: ``xxx`` is up, down, up. Cell (x, y, kind) is in row y
and column 2x - y + kind, since y runs down and half a side to the left.
"""

from __future__ import annotations

from collections.abc import Mapping

from puzzlec.geometry.drawing.rule import (
    BLANK,
    DrawingError,
    DrawingMark,
    DrawingRule,
    DrawingSpot,
    bounds,
    positioned,
    refuse_tab,
)
from puzzlec.geometry.lattice import Cell, Lattice


def marks(text: str, _: Lattice) -> list[DrawingMark]:
    """Return the triangles of a drawing in reading order: all characters except ``.`` and spaces.

    Raises DrawingError for a tab, and for a drawing without triangles.
    """
    triangles: list[DrawingMark] = []
    for row, (line, start) in enumerate(positioned(text)):
        for column, sign in enumerate(line):
            refuse_tab(sign, start + column)
            if sign not in (BLANK, " "):
                kind = (row + column) % 2
                triangles.append(DrawingMark(((column + row - kind) // 2, row, kind), sign, start + column))
    if not triangles:
        raise DrawingError("PZ314", "drawing has no cells", 0, len(text), help="write `x` for each cell")
    return triangles


def spot(cell: Cell) -> DrawingSpot:
    """Return the spot of a triangle.

    >>> spot((1, 1, 0))
    DrawingSpot(layer=0, row=1, column=1)
    """
    x, y, kind = cell
    return DrawingSpot(0, y, 2 * x - y + kind)


def one_column_on(cell: Cell) -> Cell:
    """Return the triangle in the next column: after one that points up, one that points down.

    >>> one_column_on((0, 0, 0)), one_column_on((0, 0, 1))
    ((0, 0, 1), (1, 0, 0))
    """
    x, y, kind = cell
    return x + kind, y, 1 - kind


def lines(signs: Mapping[Cell, str]) -> list[str]:
    """Return triangles as lines of text, with ``.`` in empty positions before the last of a row.

    The first column has a triangle that points up in the first row, even if that position is empty.

    >>> lines({(0, 0, 1): "x", (1, 1, 0): "x"})
    ['.x', '.x']
    """
    if not signs:
        return []
    drawn = {spot(cell): sign for cell, sign in signs.items()}
    low, high = bounds(drawn)
    first = low.column - (low.row + low.column) % 2
    rows = []
    for row in range(low.row, high.row + 1):
        there = [sign.column for sign in drawn if sign.row == row]
        rows.append(
            "".join(drawn.get(DrawingSpot(0, row, c), BLANK) for c in range(first, max(there, default=first) + 1))
        )
    return rows


RULE = DrawingRule(
    dimensions=(2,), kinds=2, spaced=True, signs=True, apart=1, marks=marks, spot=spot, lines=lines, picture=lines
)
