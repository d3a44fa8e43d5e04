"""The geometry of a board: its cells on a lattice, which may wrap around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from puzzlec.geometry.lattice import Cell, Lattice, Point
from puzzlec.geometry.wrapping import Wrap, Wrapping


@dataclass(frozen=True, eq=False)
class Geometry:
    """A board with geometry: the cells of its locations, in order, and the ``wraps`` that join opposite sides.

    >>> from puzzlec.geometry import find_lattice
    >>> strip = Geometry(find_lattice("square"), [(0, 0), (1, 0), (2, 0)])
    >>> strip.points, strip.location_at((2, 0)), strip.location_at((3, 0))
    (((0, 0), (1, 0), (2, 0)), 2, -1)
    """

    lattice: Lattice
    cells: Sequence[Cell]
    wraps: Sequence[Wrap] = ()

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Points of the cells."""
        return tuple(map(self.lattice.point, self.cells))

    @cached_property
    def wrapping(self) -> Wrapping | None:
        """The wrapping of the board; None if it does not wrap around.

        Raises:
            ValueError: If the wraps are impossible.

        """
        return Wrapping(self.lattice, self.wraps, self.points) if self.wraps else None

    @cached_property
    def _numbers(self) -> dict[Point, int]:
        return {point: number for number, point in enumerate(self.points)}

    def location_at(self, point: Point) -> int:
        """Return the number of the location at a point, also if the board wraps around; -1 if there is none."""
        return self._numbers.get(point, -1) if self.wrapping is None else self.wrapping.location(point)
