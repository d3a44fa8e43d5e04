"""The common outline of flat cells."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.geometry.faces import Place, exact_corners, scale_of, sheet_place
from puzzlec.geometry.lattice import Cell, Lattice, Point
from puzzlec.geometry.rings import Side, joined_rings


def outline(lattice: Lattice, cells: Iterable[Cell]) -> list[list[Place]]:
    """Return the outline of flat cells as closed rings on a sheet: x to the right, y downwards.

    Outer rings run clockwise on the page, rings around holes counterclockwise. Rings may touch in corners, but do not
    cross; no corner is within a straight side. Raises ValueError if cells have no area.

    >>> from puzzlec.geometry import find_lattice
    >>> outline(find_lattice("square"), [(0, 0), (1, 0)])
    [[(-0.5, -0.5), (1.5, -0.5), (1.5, 0.5), (-0.5, 0.5)]]
    """
    if lattice.dimension > 2 or lattice.of_edges:
        raise ValueError("these cells have no area")
    scale = scale_of(lattice)
    rings = joined_rings((side for cell in cells for side in sides_of(lattice, cell)), _as_it_is)
    return [[sheet_place(lattice, [value / scale for value in corner]) for corner in ring] for ring in rings]


def sides_of(lattice: Lattice, cell: Cell) -> list[Side]:
    """Return the sides of a flat cell, clockwise on the page, in points multiplied by ``scale_of``."""
    corners = exact_corners(lattice, cell)
    places = [sheet_place(lattice, corner) for corner in corners]
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(places, [*places[1:], places[0]], strict=True))
    ordered = corners if area > 0 else corners[::-1]
    return list(zip(ordered, [*ordered[1:], ordered[0]], strict=True))


def _as_it_is(point: Point) -> tuple[int, int]:
    return point[0], point[1]
