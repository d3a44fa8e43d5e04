"""The drawing rule ``sticks`` for the edges of the square grid.

``-`` and ``|`` are edges, ``+`` a point of the grid, ``.`` and spaces nothing. Points are in every second row and
column, and edges between two points; the characters show the direction.
"""

from __future__ import annotations

from collections.abc import Mapping

from puzzlec.geometry.drawing.rule import DrawingError, DrawingMark, DrawingRule, DrawingSpot, positioned, spoken
from puzzlec.geometry.lattice import Cell, Lattice


def marks(text: str, _: Lattice) -> list[DrawingMark]:
    """Return the edges of a drawing in reading order: ``-`` between points in a row, ``|`` between points in a column.

    Raises DrawingError for other characters, for a character out of line, and for a drawing without edges.
    """
    characters: list[tuple[int, int, str, int]] = []
    for row, (line, start) in enumerate(positioned(text)):
        for column, sign in enumerate(line):
            if sign in "+-|":
                characters.append((row, column, sign, start + column))
            elif sign not in ". ":
                raise DrawingError(
                    "PZ315",
                    f"unexpected {spoken(sign).removeprefix('a ')} in a drawing of sticks",
                    start + column,
                    start + column + 1,
                    help="write `-` and `|` for edges, `+` for points, `.` or a space for nothing",
                )
    if all(mark[2] == "+" for mark in characters):
        raise DrawingError("PZ314", "drawing has no edges", 0, len(text), help="write `-` or `|` for each edge")
    # Points are at even rows and columns, relative to the position that the first character implies.
    odd = {"+": (0, 0), "-": (0, 1), "|": (1, 0)}
    first_row, first_column, sign = characters[0][:3]
    up, left = (first_row + odd[sign][0]) % 2, (first_column + odd[sign][1]) % 2
    edges: list[DrawingMark] = []
    for row, column, sign, offset in characters:
        y, x = row + up, column + left
        if (y % 2, x % 2) != odd[sign]:
            raise DrawingError(
                "PZ315",
                f"`{sign}` is out of line with the characters before it",
                offset,
                offset + 1,
                note="points are in every second row and column, with `-` and `|` between two of them",
            )
        if sign != "+":
            edges.append(DrawingMark((x // 2, y // 2, int(sign == "|")), "x", offset))
    return edges


def spot(cell: Cell) -> DrawingSpot:
    """Return the spot of an edge: between the points at its ends."""
    x, y, kind = cell
    return DrawingSpot(0, 2 * y + kind, 2 * x + 1 - kind)


def layout_sticks(signs: Mapping[Cell, str]) -> list[str]:
    """Return edges as rows of text: the character of each edge between the grid points of all edges.

    >>> layout_sticks({(0, 0, 0): "-", (0, 0, 1): "|"})
    ['+-+', '|', '+']
    """
    low = min(cell[0] for cell in signs), min(cell[1] for cell in signs)
    drawn: dict[tuple[int, int], str] = {}
    for (x, y, kind), sign in signs.items():
        row, column = 2 * (y - low[1]), 2 * (x - low[0])
        for step in (0, 2):
            drawn.setdefault((row + step * kind, column + step * (1 - kind)), "+")
        drawn[row + kind, column + 1 - kind] = sign
    height, width = max(row for row, _ in drawn), max(column for _, column in drawn)
    return ["".join(drawn.get((row, column), " ") for column in range(width + 1)).rstrip() for row in range(height + 1)]


def lines(signs: Mapping[Cell, str]) -> list[str]:
    """Return edges as lines that `marks` reads; each edge has the character of its direction.

    >>> lines({(0, 0, 0): "x", (0, 0, 1): "x"})
    ['+-+', '|', '+']
    """
    return layout_sticks({cell: "-|"[cell[2]] for cell in signs}) if signs else []


def picture(signs: Mapping[Cell, str]) -> list[str]:
    """Return edges as lines with a space between characters, so that squares look square.

    >>> picture({(0, 0, 0): "I"})
    ['+ I +']
    """
    return [" ".join(row) for row in layout_sticks(signs)] if signs else []


RULE = DrawingRule(
    dimensions=(2,), kinds=2, spaced=True, signs=False, apart=2, marks=marks, spot=spot, lines=lines, picture=picture
)
