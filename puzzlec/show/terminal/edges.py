"""Edges of flat grids on a terminal: strokes with the sign of their piece, between points of the grid.

The positions of edges on paper come from their outlines and the axes of the lattice. The middles of all edges of a
plane lattice have coordinates that are multiples of two lengths, which become a column and a line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import product
from math import ceil, floor

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import on_sheet
from puzzlec.geometry.lattice import cells_at
from puzzlec.show.terminal.canvas import NOTHING, Canvas, common_lengths
from puzzlec.show.terminal.style import BoardOfSigns, Style, TooWideError

#: Joints of strokes by their arms: up 1, right 2, down 4, left 8.
_JOINTS = "+╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
_JOINTS_IN_ASCII = "+||+||++-+-+++++"

_FINE = {"-": "━", "|": "┃", "/": "╱", "\\": "╲"}


def draw(board: BoardOfSigns, style: Style) -> list[str]:
    """Return edges as strokes with the signs of their pieces, twice as large if there is room.

    Strokes of one piece are joined at a point. If two pieces pass through a point, their strokes cross. Raises
    TooWideError if they do not fit the width.
    """
    hues = board.hues(style.colours)
    try:
        return _drawn(board, 2, style).lines(hues, style)
    except TooWideError:
        return _drawn(board, 1, style).lines(hues, style)


def _drawn(board: BoardOfSigns, size: int, style: Style) -> Canvas:
    """Return edges as strokes, ``size`` times as large as in the smallest picture."""
    canvas = Canvas()
    arms: dict[tuple[int, int], dict[int, list[tuple[int, int]]]] = {}
    for cell, owner in board.owners.items():
        line, column = _middle(cell, board.lattice, size)
        for to_line, to_column in _ends(cell, board.lattice, size):
            if _is_whole(to_line) and _is_whole(to_column):
                arm = _sign(line - to_line), _sign(column - to_column)
                arms.setdefault((round(to_line), round(to_column)), {}).setdefault(owner, []).append(arm)
    going_on: dict[tuple[int, int], list[int]] = {}
    for at, owners in arms.items():
        going_on[at] = [owner for owner, ways in owners.items() if owner >= 0 and len(ways) > 1]
        ways = [way for owner in going_on[at] for way in owners[owner]]
        owner = going_on[at][0] if len(going_on[at]) == 1 else -1
        canvas.put(*at, _joint(ways, style), owner)
    for cell, owner in board.owners.items():
        line, column = _middle(cell, board.lattice, size)
        for at, stroke in _strokes(cell, board.lattice, size) if owner >= 0 else ():
            # A level stroke stops before a point where its piece ends.
            ends = [going_on.get((at[0], at[1] + step), [owner]) for step in (-1, 1)]
            if stroke != "-" or all(owner in end for end in ends):
                canvas.put(*at, stroke if style.ascii else _FINE[stroke], owner)
        canvas.put(line, column, board.signs[cell].replace(" ", "."), owner)
    return canvas


def _strokes(cell: Cell, lattice: Lattice, size: int) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the strokes of an edge, each with its line and column: those between its ends, without its middle."""
    (top, left), (bottom, right) = sorted(_ends(cell, lattice, size))
    stroke, middle = _stroke(cell, lattice), _middle(cell, lattice, size)
    wide, high = abs(right - left), bottom - top
    along = wide if wide > 1.5 * high else high  # a stroke in each column, or in each line
    first, last = (min(left, right), max(left, right)) if along is wide else (top, bottom)
    for number in range(floor(first + NOTHING) + 1, ceil(last - NOTHING)):
        part = (number - first) / along
        if along is high:
            at = number, round(left + (right - left) * part)
        else:
            at = round(top + high * (part if left < right else 1 - part)), number
        if at != middle:
            yield at, stroke


def _joint(ways: Collection[tuple[int, int]], style: Style) -> str:
    """Return the joint of strokes in some directions, given as lines and columns; ``+`` if there are none."""
    if all(0 in way for way in ways):
        arms = sum({(-1, 0): 1, (0, 1): 2, (1, 0): 4, (0, -1): 8}[way] for way in set(ways))
        return (_JOINTS_IN_ASCII if style.ascii else _JOINTS)[arms]
    if len(ways) == 2 and not any(sum(axis) for axis in zip(*ways, strict=True)):
        down, right = next(iter(ways))
        stroke = "\\" if down == right else "/"
        return stroke if style.ascii else _FINE[stroke]
    return "+"


def draw_strokes(signs: Mapping[Cell, str], lattice: Lattice, style: Style) -> list[str]:
    """Return edges as strokes in their direction; an edge with a sign other than ``x`` shows the sign.

    Raises TooWideError if they do not fit the width.
    """
    canvas = Canvas()
    for line, column in (end for cell in signs for end in _ends(cell, lattice)):
        if _is_whole(line) and _is_whole(column):  # a point of the grid has a separate character
            canvas.put(round(line), round(column), "+")
    for cell, sign in signs.items():
        line, column = _middle(cell, lattice)
        if sign != "x":
            canvas.put(line, column, sign)
            continue
        stroke = _stroke(cell, lattice)
        long = stroke == "-"  # up to the points of the grid, which are two columns away
        canvas.put(line, column - long, stroke * (3 if long else 1))
    return canvas.lines({}, style)


def is_drawable(lattice: Lattice) -> bool:
    """Whether the edges of a lattice can be drawn: flat, and no two in one position."""
    if not lattice.of_edges or lattice.dimension != 2:
        return False
    around = cells_at(lattice, product(range(2), repeat=2))
    return len({_middle(cell, lattice) for cell in around}) == len(around)


def _ends(cell: Cell, lattice: Lattice, size: int = 1) -> list[tuple[float, float]]:
    """Return the lines and columns of the ends of an edge, which may be between characters."""
    wide, high = _units(lattice)
    return [(y / high * size, x / wide * size) for x, y in on_sheet(lattice, cell)]


def _middle(cell: Cell, lattice: Lattice, size: int = 1) -> tuple[int, int]:
    """Return the line and the column of an edge."""
    (wide, high), (x, y) = _units(lattice), lattice.on_paper(lattice.point(cell))
    return round(y / high * size), round(x / wide * size)


def _is_whole(value: float) -> bool:
    return abs(value - round(value)) < NOTHING


def _sign(value: float) -> int:
    return (value > NOTHING) - (value < -NOTHING)


def _stroke(cell: Cell, lattice: Lattice) -> str:
    """Return the character with the direction of an edge."""
    (x, y), (to_x, to_y) = on_sheet(lattice, cell)
    if abs(to_y - y) < NOTHING:
        return "-"
    if abs(to_x - x) < NOTHING:
        return "|"
    return "\\" if (to_x - x) * (to_y - y) > 0 else "/"


@cache
def _units(lattice: Lattice) -> tuple[float, float]:
    """Return the lengths on paper of a column and a line."""
    wide, high = common_lengths(map(lattice.on_paper, (*lattice.translations, *(kind.at for kind in lattice.kinds))))
    # A line is about twice as high as a column is wide.
    return (wide if high > 1.5 * wide else wide / 2), high
