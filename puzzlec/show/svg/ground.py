"""A flat lattice at a size: the positions of its cells and of their sides in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import gcd
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import Place, beyond, breadth, exact_corners, exact_outline, scale_of, sheet_place
from puzzlec.geometry.lattice import Point
from puzzlec.geometry.solids import minus, plus
from puzzlec.show.svg.figure import Box

Spot = tuple[float, float]

#: The default limits of the size of cells and of pictures, and the smallest cell, in px.
MAX_FLAT_CELL_PX, MAX_FLAT_WIDTH_PX, MIN_FLAT_CELL_PX = 44.0, 860.0, 3.0


class CellSide(NamedTuple):
    """A side of a cell: its ends as exact points (the same from both of its cells), and the cell beyond.

    ``beyond`` is the cell on the other side, whether or not it is on a board; None if the lattice has none there.
    """

    ends: tuple[Point, Point]
    beyond: Cell | None


class Ground:
    """The cells of a flat lattice with a size in px, optionally rotated by 90° clockwise."""

    def __init__(self, lattice: Lattice, cell: float, turn: bool = False) -> None:
        self.lattice, self.cell, self.turn = lattice, cell, turn
        self.unit = cell / breadth(lattice)
        self._sides: dict[Cell, list[CellSide]] = {}

    def spot(self, place: Place) -> Spot:
        """Return a position on the sheet of the lattice in px."""
        x, y = place[0] * self.unit, place[1] * self.unit
        return (-y, x) if self.turn else (x, y)

    def at(self, point: Sequence[float], scale: int = 1) -> Spot:
        """Return a point of the lattice in px; the corners of cells are multiplied by a scale."""
        return self.spot(sheet_place(self.lattice, [value / scale for value in point]))

    def corners(self, cell: Cell) -> list[Spot]:
        """Return the corners of a cell (an edge has two ends) in px."""
        point = self.lattice.point(cell)
        (x, y), scale = self.at(point), scale_of(self.lattice)
        around = (self.at(corner, scale) for corner in exact_outline(self.lattice, self.lattice.class_of(point)))
        return [(x + dx, y + dy) for dx, dy in around]

    def middle(self, cell: Cell) -> Spot:
        """Return the mean of the corners of a cell."""
        return middle(self.corners(cell))

    def rings(self, outline: Iterable[Sequence[Place]]) -> list[list[Spot]]:
        """Return rings on the sheet of the lattice in px."""
        return [[self.spot(place) for place in ring] for ring in outline]

    def sides(self, cell: Cell) -> list[CellSide]:
        """Return the sides of a cell, in the order of its corners."""
        cached = self._sides.get(cell)
        if cached is None:
            cached = self._sides[cell] = _sides(self.lattice, cell)
        return cached

    def lines(self, sides: Iterable[CellSide]) -> list[list[Spot]]:
        """Return sides as lines, joining those in the same direction."""
        onwards: dict[Point, dict[Point, Point]] = {}
        for (start, end), _ in sides:
            steps = minus(end, start)
            shared = gcd(*steps)
            onwards.setdefault(tuple([step // shared for step in steps]), {})[start] = end
        lines, scale = [], scale_of(self.lattice)
        for chain in onwards.values():
            inner = set(chain.values())
            for start in [point for point in chain if point not in inner]:
                end = chain[start]
                while end in chain:
                    end = chain[end]
                lines.append([self.at(start, scale), self.at(end, scale)])
        return lines


def _sides(lattice: Lattice, cell: Cell) -> list[CellSide]:
    ends, point = exact_corners(lattice, cell), lattice.point(cell)
    steps = _steps(lattice, lattice.class_of(point))
    return [
        CellSide((min(start, end), max(start, end)), lattice.cell(plus(point, step)) if step else None)
        for start, end, step in zip(ends, (*ends[1:], ends[0]), steps, strict=True)
    ]


@lru_cache(maxsize=4)
def ground_of(lattice: Lattice, cell: float, turn: bool = False) -> Ground:
    """Return the ground of a lattice at a size: the same one for the pictures of a sheet."""
    return Ground(lattice, cell, turn)


def middle(spots: Sequence[Spot]) -> Spot:
    """Return the mean of some spots."""
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def natural_cell(
    lattice: Lattice,
    cells: Iterable[Cell],
    widest: float = MAX_FLAT_WIDTH_PX,
    largest: float = MAX_FLAT_CELL_PX,
    highest: float | None = None,
    turn: bool = False,
) -> float:
    """Return a size in px of cells so that a picture fits a width and a height (default: as high as wide).

    With ``turn`` the picture is rotated by 90°.

    >>> from puzzlec.geometry import find_lattice
    >>> natural_cell(find_lattice("square"), [(x, 0) for x in range(100)])
    8.6
    """
    ground = Ground(lattice, breadth(lattice), turn)
    corners = [corner for cell in cells for corner in ground.corners(cell)]
    if not corners:
        return largest
    box = Box.about(corners)
    sides = (widest, box.width), (highest or widest, box.height)
    size = breadth(lattice) * min(most / long if long else largest for most, long in sides)
    return max(MIN_FLAT_CELL_PX, min(largest, int(size * 10) / 10))


@cache
def _steps(lattice: Lattice, kind: int) -> tuple[Point | None, ...]:
    """Return for each side of a kind of cell the step to the neighbour with the same side, or None."""
    outline = exact_outline(lattice, kind)
    return tuple([beyond(lattice, kind, ends) for ends in zip(outline, (*outline[1:], outline[0]), strict=True)])
