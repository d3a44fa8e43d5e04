"""The drawing rule ``hex`` for hexagons: one in every second column, with adjacent rows shifted by one.

``x x x`` and below it `` x x x``: cell (q, r) is in row r and column 2q + r. For all cells of a drawing the sum of row
and column has the same parity; if it is odd, an empty column is added before the first one.
"""

from __future__ import annotations

from collections.abc import Mapping

from puzzlec.geometry.drawing.rule import (
    BLANK,
    DrawingError,
    DrawingMark,
    DrawingRule,
    DrawingSpot,
    positioned,
    refuse_tab,
    spread,
)
from puzzlec.geometry.lattice import Cell, Lattice


def marks(text: str, _: Lattice) -> list[DrawingMark]:
    """Return the hexagons of a drawing in reading order: all characters except ``.`` and spaces.

    Raises DrawingError for a character between the positions of hexagons, and for a drawing without hexagons.
    """
    hexagons: list[DrawingMark] = []
    before = -1  # parity of the hexagons so far
    for row, (line, start) in enumerate(positioned(text)):
        for column, sign in enumerate(line):
            offset = start + column
            refuse_tab(sign, offset)
            if sign in (BLANK, " "):
                continue
            parity = (row + column) % 2
            if before not in (parity, -1):
                raise DrawingError(
                    "PZ315",
                    f"`{sign}` is out of line with the hexagons before it",
                    offset,
                    offset + 1,
                    note="hexagons are in every second column, and adjacent rows are shifted by one",
                    help="write `x x x`, and ` x x x` in the next row",
                )
            before = parity
            hexagons.append(DrawingMark(((column + parity - row) // 2, row), sign, offset))
    if not hexagons:
        raise DrawingError("PZ314", "drawing has no cells", 0, len(text), help="write `x` for each cell")
    return hexagons


def spot(cell: Cell) -> DrawingSpot:
    """Return the spot of a hexagon.

    >>> spot((0, 1))
    DrawingSpot(layer=0, row=1, column=1)
    """
    q, r = cell
    return DrawingSpot(0, r, 2 * q + r)


def lines(signs: Mapping[Cell, str]) -> list[str]:
    """Return hexagons as lines of text, with ``.`` in empty positions before the last of a row.

    >>> lines({(0, 0): "x", (2, 0): "x", (0, 1): "x", (-1, 2): "x"})
    ['x . x', ' x', 'x']
    """
    if not signs:
        return []
    rows = [layers[0].rstrip() for layers in spread(signs, RULE, BLANK)]
    return [row.rstrip(" " + BLANK) or BLANK for row in rows]


RULE = DrawingRule(
    dimensions=(2,), kinds=1, spaced=True, signs=True, apart=2, marks=marks, spot=spot, lines=lines, picture=lines
)
