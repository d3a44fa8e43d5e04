"""Edges of flat grids on a terminal: each the sign of its piece, between points of the grid.

A lattice says where its edges lie on paper (their outlines and its axes); the middles of all edges of a plane lattice
have coordinates that are multiples of two lengths, which make a column and a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from puzzlec.geometry import Cell, Lattice
from puzzlec.render.canvas import Canvas
from puzzlec.render.lengths import NOTHING, units
from puzzlec.render.style import Board, Style


def draw(board: Board, style: Style) -> list[str]:
    """Return edges with the signs of their pieces. Raises TooWideError where they do not fit the width."""
    canvas = Canvas()
    for cell in board.owners:
        _points(canvas, cell, board.lattice)
    for cell, owner in board.owners.items():
        canvas.put(*_middle(cell, board.lattice), board.signs[cell].replace(" ", "."), owner)
    return canvas.lines(board.hues(), style)


def draw_strokes(signs: Mapping[Cell, str], lattice: Lattice, style: Style) -> list[str]:
    """Return edges as strokes in their direction; one whose sign is not ``x`` shows that instead.

    Raises TooWideError where they do not fit the width.
    """
    canvas = Canvas()
    for cell in signs:
        _points(canvas, cell, lattice)
    for cell, sign in signs.items():
        line, column = _middle(cell, lattice)
        if sign != "x":
            canvas.put(line, column, sign)
            continue
        stroke = _stroke(cell, lattice)
        long = stroke == "-"  # as far as the points of the grid, which are two columns away
        canvas.put(line, column - long, stroke * (3 if long else 1))
    return canvas.lines({}, style)


def is_drawable(lattice: Lattice) -> bool:
    """Whether the edges of a lattice can be drawn: flat, and no two in one place."""
    if not lattice.of_edges or lattice.dimension != 2:
        return False
    around = [
        (x, y, *([kind] if len(lattice.kinds) > 1 else []))
        for x in range(2)
        for y in range(2)
        for kind in range(len(lattice.kinds))
    ]
    return len({_middle(cell, lattice) for cell in around}) == len(around)


def _points(canvas: Canvas, cell: Cell, lattice: Lattice) -> None:
    """Draw the ends of an edge, where they are on a character of their own."""
    point = lattice.point(cell)
    for corner in lattice.kinds[lattice.class_of(point)].outline:
        column, line = _scaled([a + b for a, b in zip(point, corner, strict=True)], lattice)
        if max(abs(column - round(column)), abs(line - round(line))) < NOTHING:
            canvas.put(round(line), round(column), "+")


def _middle(cell: Cell, lattice: Lattice) -> tuple[int, int]:
    """Return the line and the column of an edge."""
    column, line = _scaled(lattice.point(cell), lattice)
    return round(line), round(column)


def _stroke(cell: Cell, lattice: Lattice) -> str:
    """Return the character that runs as an edge does."""
    outline = lattice.kinds[lattice.class_of(lattice.point(cell))].outline
    (x, y), (to_x, to_y) = (lattice.on_paper(corner) for corner in outline)
    if abs(to_y - y) < NOTHING:
        return "-"
    if abs(to_x - x) < NOTHING:
        return "|"
    return "\\" if (to_x - x) * (to_y - y) > 0 else "/"


def _scaled(point: list[float] | tuple[int, ...], lattice: Lattice) -> tuple[float, float]:
    """Return the column and the line of a point, which is between characters where they are no whole numbers."""
    x, y = lattice.on_paper(point)
    wide, high = _units(lattice)
    return x / wide, y / high


@cache
def _units(lattice: Lattice) -> tuple[float, float]:
    """Return the lengths on paper that make a column and a line."""
    wide, high = units(lattice, (*lattice.translations, *(kind.at for kind in lattice.kinds)))
    # A line is about twice as high as a column is wide.
    return (wide if high > 1.5 * wide else wide / 2), high
