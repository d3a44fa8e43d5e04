"""The drawing rule ``hex``, for hexagons: one in every second column, the rows shifted by one against each other.

``x x x`` and under it `` x x x``: cell (q, r) stands in row r and column 2q + r. All cells of a drawing have a row and
a column of one sum's parity; where that is odd, a column is taken to stand before the first one.
"""

from __future__ import annotations

from collections.abc import Mapping

from puzzlec.geometry.drawing.rule import BLANK, DrawingError, Mark, Rule, Spot, positioned, refuse_tab, spread
from puzzlec.geometry.lattice import Cell, Lattice


def marks(text: str, _: Lattice) -> list[Mark]:
    """Return the hexagons of a drawing in reading order; every character but ``.`` and blanks is one.

    Raises DrawingError for one that lies between the places of hexagons, and for a drawing without any.
    """
    found: list[Mark] = []
    before = -1  # the parity of the hexagons before
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
                    note="hexagons are in every second column, and each row is shifted by one against the next",
                    help="draw them as `x x x`, and in the row below ` x x x`",
                )
            before = parity
            found.append(Mark(((column + parity - row) // 2, row), sign, offset))
    if not found:
        raise DrawingError("PZ314", "this drawing has no cell", 0, len(text))
    return found


def spot(cell: Cell) -> Spot:
    """Return where a hexagon is drawn.

    >>> spot((0, 1))
    Spot(layer=0, row=1, column=1)
    """
    q, r = cell
    return Spot(0, r, 2 * q + r)


def lines(signs: Mapping[Cell, str]) -> list[str]:
    """Return hexagons as lines of text, ``.`` in the place of those that are missing before the last of a row.

    >>> lines({(0, 0): "x", (2, 0): "x", (0, 1): "x", (-1, 2): "x"})
    ['x . x', ' x', 'x']
    """
    if not signs:
        return []
    rows = [layers[0].rstrip() for layers in spread(signs, RULE, BLANK)]
    return [row.rstrip(" " + BLANK) or BLANK for row in rows]


RULE = Rule((2,), 1, True, True, 2, marks, spot, lines, lines)
