"""Cells of any outline on a terminal: their sides as strokes where neighbours belong to different pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import ceil, floor

from puzzlec.geometry import Cell, Lattice
from puzzlec.render.canvas import Canvas
from puzzlec.render.lengths import units
from puzzlec.render.style import Board, Style

#: A cell has at least so many characters for each of its corners.
_FEW = 2

#: At most so many lines go into the unit of length that places are multiples of.
_MOST_LINES = 64

_NOTHING = 1e-9

_Point = tuple[float, ...]


def draw(board: Board, style: Style) -> list[str]:
    """Return cells of any outline with the signs of their pieces; nothing where they do not fit the width.

    A side is a border where the two beside it do not belong to one piece.
    """
    columns, lines = _scale(board.lattice)
    outlines = {cell: [(x * columns, y * lines) for x, y in _outline(cell, board.lattice)] for cell in board.owners}
    places = [x for corners in outlines.values() for x, _ in corners]
    if max(places) - min(places) > style.width:
        return []
    canvas = Canvas()
    beside: dict[tuple[int, int], list[int]] = {}
    for cell, owner in board.owners.items():
        for line, column in _inside(outlines[cell]):
            canvas.put(line, column, " ", owner)
        for one, two in _sides(outlines[cell]):
            beside.setdefault(_middle(one, two), []).append(owner)
    borders = [
        side
        for corners in outlines.values()
        for side in _sides(corners)
        if len(beside[_middle(*side)]) != 2 or len(set(beside[_middle(*side)])) != 1
    ]
    for one, two in sorted(borders, key=lambda side: abs(side[0][1] - side[1][1])):
        _stroke(canvas, one, two, style)
    for cell, corners in outlines.items():
        x, y = (sum(axis) / len(corners) for axis in zip(*corners, strict=True))
        free = [at for at in _inside(corners) if canvas.drawn[at][0] == " "] or [(floor(y), floor(x))]
        # As near to the middle as there is room; a line is twice as high as a column is wide.
        line, column = min(free, key=lambda at: (abs(at[1] + 0.5 - x) + 2 * abs(at[0] + 0.5 - y), at))
        canvas.put(line, column, board.signs[cell], board.owners[cell])
    return canvas.lines(board.hues(), style) if canvas.width <= style.width else []


def _sides(corners: Sequence[_Point]) -> Iterator[tuple[_Point, _Point]]:
    """Give the sides of a polygon."""
    return zip(corners, [*corners[1:], corners[0]], strict=True)


def _middle(one: _Point, two: _Point) -> tuple[int, int]:
    """Return where the middle of a side is, so that it is known again from the cell on its other side."""
    return round((one[0] + two[0]) * 1000), round((one[1] + two[1]) * 1000)


def _stroke(canvas: Canvas, one: _Point, two: _Point, style: Style) -> None:
    """Draw a side: a character in each line that it goes through, or a row of them where it is level."""
    (left, top), (right, bottom) = sorted((one, two))
    if abs(bottom - top) < 0.5:
        for column in range(floor(left + 0.5 + _NOTHING), floor(right + 0.5 + _NOTHING)):
            line = floor(top + 0.5 + _NOTHING) - 1
            canvas.put(line, column, "_", canvas.drawn.get((line, column), ("", None))[1])
        return
    stroke = "|" if abs(right - left) < 0.5 else "\\" if bottom > top else "/"
    fine = stroke if style.ascii else {"\\": "╲", "/": "╱", "|": "│"}[stroke]
    upper, lower = sorted((top, bottom))
    for line in range(floor(upper + 0.5), ceil(lower - 0.5)):
        x = left + (line + 0.5 - top) * (right - left) / (bottom - top)
        canvas.put(line, floor(x + _NOTHING), fine)


def is_drawable(lattice: Lattice) -> bool:
    """Whether the cells of a lattice are areas on paper."""
    return lattice.dimension == 2 and all(len(kind.outline) > 2 for kind in lattice.kinds)


def _outline(cell: Cell, lattice: Lattice) -> list[_Point]:
    """Return the corners of a cell on paper."""
    point = lattice.point(cell)
    corners = lattice.kinds[lattice.class_of(point)].outline
    return [lattice.on_paper([a + b for a, b in zip(point, corner, strict=True)]) for corner in corners]


def _inside(corners: Sequence[_Point]) -> Iterator[tuple[int, int]]:
    """Give the lines and columns of the characters whose middles lie in a polygon."""
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    sides = list(_sides(corners))
    for line in range(floor(top), ceil(bottom)):
        # Where a side runs through the middle of a character, that belongs to one of its two cells.
        y = line + 0.5 + _NOTHING
        for column in range(floor(left), ceil(right)):
            x = column + 0.5 + 2 * _NOTHING
            crossed = [
                x < x1 + (y - y1) * (x2 - x1) / (y2 - y1) for (x1, y1), (x2, y2) in sides if (y1 > y) != (y2 > y)
            ]
            if sum(crossed) % 2:
                yield line, column


@cache
def _scale(lattice: Lattice) -> tuple[float, float]:
    """Return how many columns and lines a unit of length on paper has.

    A translation goes over whole characters, so that all cells of a kind look alike.
    """
    wide, high = units(lattice, lattice.translations)
    outlines = [_outline(lattice.cell(kind.at) or (), lattice) for kind in lattice.kinds]
    for lines in range(1, _MOST_LINES + 1):
        # A line is about twice as high as a column is wide.
        columns = round(2 * lines * wide / high)
        scale = (columns / wide if columns else 2 * lines / high), lines / high
        scaled = [[(x * scale[0], y * scale[1]) for x, y in corners] for corners in outlines]
        if all(sum(1 for _ in _inside(corners)) >= _FEW * len(corners) for corners in scaled):
            break
    return scale
