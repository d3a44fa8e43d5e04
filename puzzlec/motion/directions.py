"""Directions in which pieces slide, and which cells a sliding cell runs into.

A *direction* is a shortest translation vector of the lattice: it takes every cell to a cell of its kind. A vector and
its opposite are one *axis*. All vectors here are coordinates as in the puzzle language, without the kind of a cell:
the coefficients of the translations.

A cell that slides along an axis overlaps another cell during at most one interval of time for each two convex parts
(see ``blocking``). Only the last full step before the interval counts. So each two kinds of cells have a short list of
*contacts*, exact and without rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import hypot, isqrt
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.lattice import inverse, turned
from puzzlec.geometry.solids import Facet, dot
from puzzlec.motion.blocking import diameter_squared, differences, scale_of_parts

#: Vectors that are longer than the shortest one by less than this share are as long as it.
_NOTHING = 1e-9


class Contact(NamedTuple):
    """Cells of one kind in the way of a sliding cell: a line of them, ``step`` + m * axis away for every integer m.

    The sliding cell makes ``free`` + m full steps before it overlaps the cell number m of the line. If that is below
    zero, the cell is behind it.
    """

    step: Point
    free: int


@cache
def axes(lattice: Lattice) -> tuple[Point, ...]:
    """Return one of each two opposite directions of a lattice.

    >>> from puzzlec.geometry import find_lattice
    >>> axes(find_lattice("cubic")), len(axes(find_lattice("fcc")))
    (((1, 0, 0), (0, 1, 0), (0, 0, 1)), 6)
    """
    reach = 2 if lattice.dimension > 3 else 3
    vectors = [each for each in product(range(-reach, reach + 1), repeat=lattice.dimension) if any(each)]
    length = {each: _length(lattice, each) for each in vectors}
    shortest = min(length.values()) * (1 + _NOTHING)
    found = [each for each in vectors if length[each] <= shortest and next(filter(None, each)) > 0 and pivot(each) >= 0]
    return tuple(sorted(found, reverse=True))


def pivot(axis: Point) -> int:
    """Return the number of a coordinate in which a step along an axis is 1 or -1; -1 if there is none."""
    return next((number for number, value in enumerate(axis) if abs(value) == 1), -1)


def shift(lattice: Lattice, axis: Point) -> Point:
    """Return the step between points that one step along an axis is."""
    return tuple([
        sum(c * vector[k] for c, vector in zip(axis, lattice.translations, strict=True))
        for k in range(len(lattice.translations[0]))
    ])  # fmt: skip


def moved(cell: Cell, axis: Point, distance: int) -> Cell:
    """Return a cell moved along an axis."""
    size = len(axis)
    return (*[c + distance * a for c, a in zip(cell, axis, strict=False)], *cell[size:])


def _length(lattice: Lattice, vector: Point) -> float:
    step = shift(lattice, vector)
    return hypot(*lattice.on_paper(step))


@cache
def contacts(lattice: Lattice, axis: Point, kind: int, other: int) -> tuple[Contact, ...]:
    """Return which cells of the kind ``other`` a cell of a kind runs into as it slides along an axis.

    >>> from puzzlec.geometry import find_lattice
    >>> contacts(find_lattice("cubic"), (1, 0, 0), 0, 0)
    (Contact(step=(0, 0, 0), free=-1),)
    """
    reach = _reach(lattice, axis, kind, other)
    level = pivot(axis)
    ways = [range(-far, far + 1) if number != level else range(1) for number, far in enumerate(reach)]
    found = [Contact(step, free) for step in product(*ways) for free in _free(lattice, axis, kind, other, step)]
    return tuple(sorted(set(found)))


def _apart(lattice: Lattice, kind: int, other: int, step: Point) -> Point:
    """Return the vector from the point of a cell to that of another one, a step of translations away."""
    one, two = lattice.kinds[kind].at, lattice.kinds[other].at
    return tuple([b - a + s for a, b, s in zip(one, two, shift(lattice, step), strict=True)])


def _free(lattice: Lattice, axis: Point, kind: int, other: int, step: Point) -> Iterator[int]:
    """Give the full steps before each overlap with the other cell, which may be below zero."""
    offset, way = _apart(lattice, kind, other, step), shift(lattice, axis)
    if lattice.of_balls:
        free = _free_of_ball(offset, way, diameter_squared(lattice))
        if free is not None:
            yield free
        return
    scale = scale_of_parts(lattice)
    flat = (0,) * (lattice.dimension == 1)  # cells of a line are drawn as squares
    far, along = (tuple([scale * value for value in (*vector, *flat)]) for vector in (offset, way))
    for facets in differences(lattice, kind, other):
        begin = _begin(facets, far, along)
        if begin is not None:
            yield begin.numerator // begin.denominator


def _begin(facets: tuple[Facet, ...], offset: Point, way: Point) -> Fraction | None:
    """Return when a point that moves along a vector enters a solid that is moved by an offset; None if never."""
    low: Fraction | None = None
    high: Fraction | None = None
    for facet in facets:
        left, speed = facet.reach + dot(facet.normal, offset), dot(facet.normal, way)
        if speed == 0:
            if left <= 0:
                return None
        elif speed > 0:
            high = Fraction(left, speed) if high is None else min(high, Fraction(left, speed))
        else:
            low = Fraction(left, speed) if low is None else max(low, Fraction(left, speed))
    return low if low is not None and high is not None and low < high else None


def _free_of_ball(offset: Point, way: Point, diameter: int) -> int | None:
    """Return the full steps that a ball makes before it overlaps another one; None if it never does."""
    along, far, length = dot(offset, way), dot(offset, offset), dot(way, way)
    under = along * along - length * (far - diameter)
    if under <= 0:
        return None
    root = isqrt(under) + (isqrt(under) ** 2 < under)  # rounded up: the last full step is before the overlap
    return (along - root) // length


@cache
def _reach(lattice: Lattice, axis: Point, kind: int, other: int) -> tuple[int, ...]:
    """Return how far away cells that overlap on the way can be, in each coordinate, if they are level with the cell."""
    across, scale = inverse(tuple(zip(*lattice.translations, strict=True)))
    between = _apart(lattice, kind, other, (0,) * lattice.dimension)
    spans: list[float] = []
    if lattice.of_balls:
        radius = diameter_squared(lattice) ** 0.5
        spans = [radius * sum(value * value for value in row) ** 0.5 / abs(scale) for row in across]
    else:
        size = scale_of_parts(lattice)
        corners = [
            c[: lattice.dimension] for facets in differences(lattice, kind, other) for f in facets for c in f.corners
        ]
        images = [turned(across, corner) for corner in corners]
        spans = [max(abs(image[k]) for image in images) / abs(scale) / size for k in range(lattice.dimension)]
    spans = [span + abs(value / scale) for span, value in zip(spans, turned(across, between), strict=True)]
    first = spans[pivot(axis)]
    return tuple([int(span + abs(a) * first + 1 + _NOTHING) for span, a in zip(spans, axis, strict=True)])
