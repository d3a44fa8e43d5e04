"""Polyforms by the simplest methods, for comparison: sets of cells and all their images, without caches."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import isqrt

from puzzlec.geometry import Cell, Freedom, Lattice, Point
from puzzlec.geometry.lattice import turned
from tests.brute import rigid, squared

Form = tuple[Cell, ...]


def normal(cells: Iterable[Cell], lattice: Lattice) -> Form:
    """Return cells in order, moved so that the first of them has coefficients of 0."""
    ordered = sorted(cells)
    first, flat = ordered[0], lattice.dimension
    return tuple((*(a - b for a, b in zip(cell[:flat], first, strict=False)), *cell[flat:]) for cell in ordered)


def images(cells: Iterable[Cell], lattice: Lattice, freedom: Freedom) -> frozenset[Form]:
    """Return all images of a polyform that count as the same polyform."""
    points = [lattice.point(cell) for cell in cells]
    if lattice.of_balls and freedom is not Freedom.FIXED:
        moved = rigid(lattice, points, freedom is Freedom.ONE_SIDED, points[0], near(points, lattice))
        bodies = [[lattice.cell(point) for point in body] for body in moved]
        return frozenset(normal([cell for cell in body if cell is not None], lattice) for body in bodies)
    found = set()
    for turn in lattice.turns(freedom):
        image = [lattice.cell(turned(turn, point)) for point in points]
        found.add(normal([cell for cell in image if cell is not None], lattice))
    return frozenset(found)


def near(points: list[Point], lattice: Lattice) -> list[Point]:
    """Return the points of all cells that are at most as far from the first point as one of the other points."""
    distances = {squared(point, points[0]) for point in points}
    reach = range(-isqrt(max(distances)), isqrt(max(distances)) + 1)
    around = (
        tuple(a + b for a, b in zip(points[0], step, strict=True)) for step in product(reach, repeat=len(points[0]))
    )
    return [point for point in around if squared(point, points[0]) in distances and lattice.class_of(point) >= 0]


def neighbours(cell: Cell, lattice: Lattice) -> list[Cell]:
    """Return the neighbours of a cell."""
    point = lattice.point(cell)
    steps = lattice.kinds[lattice.class_of(point)].neighbours
    found = [lattice.cell(tuple(a + b for a, b in zip(point, step, strict=True))) for step in steps]
    return [neighbour for neighbour in found if neighbour is not None]


def fixed_forms(lattice: Lattice, size: int) -> set[Form]:
    """Return all fixed polyforms of single cells, grown from all smaller ones."""
    origin = (0,) * lattice.dimension
    kinds = range(len(lattice.kinds))
    found: set[Form] = {((*origin, kind) if len(kinds) > 1 else origin,) for kind in kinds}
    for _ in range(size - 1):
        found = {
            normal([*form, new], lattice)
            for form in found
            for cell in form
            for new in neighbours(cell, lattice)
            if new not in form
        }
    return found


def classes(forms: Iterable[Form], lattice: Lattice, freedom: Freedom) -> set[frozenset[Form]]:
    """Return forms with all equal images."""
    return {images(form, lattice, freedom) for form in forms}
