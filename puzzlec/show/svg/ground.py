"""A flat lattice at a size: the positions of its cells and of their sides in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import Place, breadth, exact_outline, scale_of, sheet_place
from puzzlec.geometry.lattice import Point

Spot = tuple[float, float]

#: The default limits of the size of cells and of pictures, and the smallest cell, in px.
MAX_FLAT_CELL_PX, MAX_FLAT_WIDTH_PX, MIN_FLAT_CELL_PX = 44.0, 860.0, 3.0


class CellSide(NamedTuple):
    """A side of a cell: its ends as points (the same from both of its cells) and in px, and the cell beyond.

    ``beyond`` is the cell on the other side, whether or not it is on a board; None if the lattice has none there.
    """

    key: tuple[Point, Point]
    start: Spot
    end: Spot
    beyond: Cell | None


class Ground:
    """The cells of a flat lattice with a size in px, optionally rotated by 90° clockwise."""

    def __init__(self, lattice: Lattice, cell: float, turn: bool = False) -> None:
        self.lattice, self.cell, self.turn = lattice, cell, turn
        self.unit = cell / breadth(lattice)
        self.scale = scale_of(lattice)
        self._sides: dict[Cell, list[CellSide]] = {}
        numbers = range(len(lattice.kinds))
        self._outlines = [exact_outline(lattice, number) for number in numbers]
        self._steps = [_steps(lattice, number) for number in numbers]
        self._around = [
            [self.spot(sheet_place(lattice, [value / self.scale for value in corner])) for corner in outline]
            for outline in self._outlines
        ]

    def spot(self, place: Place) -> Spot:
        """Return a position on the sheet of the lattice in px."""
        x, y = place[0] * self.unit, place[1] * self.unit
        return (-y, x) if self.turn else (x, y)

    def corners(self, cell: Cell) -> list[Spot]:
        """Return the corners of a cell (an edge has two ends) in px."""
        point = self.lattice.point(cell)
        x, y = self.spot(sheet_place(self.lattice, point))
        return [(x + dx, y + dy) for dx, dy in self._around[self.lattice.class_of(point)]]

    def ends(self, cell: Cell) -> list[Point]:
        """Return the corners of a cell (an edge has two ends) as points of integers: the same from all cells."""
        point = self.lattice.point(cell)
        flat = [*point, *[0] * (self.lattice.dimension == 1)]
        return [
            tuple([self.scale * p + c for p, c in zip(flat, corner, strict=True)])
            for corner in self._outlines[self.lattice.class_of(point)]
        ]

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
            cached = self._sides[cell] = self._found_sides(cell)
        return cached

    def _found_sides(self, cell: Cell) -> list[CellSide]:
        lattice, point = self.lattice, self.lattice.point(cell)
        corners, ends = self.corners(cell), self.ends(cell)
        sides = []
        for number, step in enumerate(self._steps[lattice.class_of(point)]):
            other = (number + 1) % len(ends)
            first, last = (number, other) if ends[number] <= ends[other] else (other, number)
            beyond = None if step is None else lattice.cell(tuple([p + s for p, s in zip(point, step, strict=True)]))
            sides.append(CellSide((ends[first], ends[last]), corners[first], corners[last], beyond))
        return sides

    def parts(self, cells: Iterable[Cell]) -> list[list[Cell]]:
        """Return the parts of cells that are connected by sides."""
        left = dict.fromkeys(cells)
        connected = []
        while left:
            part = [next(iter(left))]
            del left[part[0]]
            for cell in part:
                for side in self.sides(cell):
                    if side.beyond is not None and side.beyond in left:
                        del left[side.beyond]
                        part.append(side.beyond)
            connected.append(part)
        return connected


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
    wide = max(x for x, _ in corners) - min(x for x, _ in corners)
    high = max(y for _, y in corners) - min(y for _, y in corners)
    size = breadth(lattice) * min(widest / wide if wide else largest, (highest or widest) / high if high else largest)
    return max(MIN_FLAT_CELL_PX, min(largest, int(size * 10) / 10))


@cache
def _steps(lattice: Lattice, kind: int) -> tuple[Point | None, ...]:
    """Return for each side of a kind of cell the step to the neighbour with the same side, or None."""
    outline, scale, at = exact_outline(lattice, kind), scale_of(lattice), lattice.kinds[kind].at
    steps: list[Point | None] = []
    for number, corner in enumerate(outline):
        ends = {corner, outline[(number + 1) % len(outline)]}
        steps.append(None)
        for step in lattice.kinds[kind].neighbours:
            other = lattice.class_of(tuple([a + b for a, b in zip(at, step, strict=True)]))
            if other < 0:
                continue
            moved = [scale * value for value in step] + [0] * (lattice.dimension == 1)
            there = exact_outline(lattice, other)
            if ends <= {tuple([a + b for a, b in zip(moved, corner, strict=True)]) for corner in there}:
                steps[-1] = step
    return tuple(steps)
