"""Congruence: all positions of balls that rigid motions of space reach on a lattice.

A rotated ball looks the same. So a piece of balls may lie wherever a rigid motion takes its balls to positions of
balls, even if the motion does not keep the lattice. For example, balls in a hexagonal layer of close packing can rotate
by a sixth in their plane, which is not a symmetry of the packing.

The method is exact. Some differences of the points form a basis, and all other differences are rational combinations of
them. Candidates for the images of the basis are integer vectors with the same lengths and inner products. The images of
the basis determine all other images. Motions that keep the lattice take images to images, so the first vector of the
basis is tried in only one direction of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice
from math import isqrt
from operator import add, mul, sub

from puzzlec.geometry.lattice import Lattice, Matrix, Point, determinant, inverse, turned

#: Maximum number of steps for listing the vectors of one length. In three dimensions this allows lengths up to 70.
MOST_STEPS = 20_000

#: A basis is chosen from the short differences among this many points.
MAX_BASIS_POINTS = 60


def congruent(lattice: Lattice, points: Sequence[Point], proper: bool) -> tuple[tuple[Point, ...], ...]:
    """Return all images of points of cells under rigid motions that are points of cells, once up to translation.

    Each image has its points in the order of the given ones. The first of them lies where the kind of its cell lies
    in the fundamental domain. Images ascend. ``proper`` motions are possible for a physical object: then reflected
    images count only if the points lie in a plane (a space of fewer dimensions than the lattice). Otherwise reflected
    images are included.

    Coordinates of points must be lengths, which holds if :attr:`Lattice.of_balls` is set. If points lie so far apart
    that listing the vectors of that length takes more than :data:`MOST_STEPS`, only the images under isometries of
    the lattice are returned.

    >>> from puzzlec.geometry import find_lattice
    >>> trapezium = [(0, 0, 0), (1, -1, 0), (2, -2, 0), (1, 0, -1), (2, -1, -1)]
    >>> len(congruent(find_lattice("fcc"), trapezium, True))
    48
    """
    basis = _basis(points)
    proper = proper and len(basis) == lattice.dimension
    turns = lattice.rotations if proper else lattice.isometries
    if any(_steps(lattice.dimension, _norm(vector)) > MOST_STEPS for vector in basis):
        steps = [tuple(map(sub, point, points[0])) for point in points]
        images = {tuple([turned(turn, step) for step in steps]) for turn in turns}
    else:
        images = set(_images(lattice, points, basis, proper, turns))
    places = (tuple([tuple(map(add, kind.at, step)) for step in steps]) for kind in lattice.kinds for steps in images)
    return tuple(sorted(image for image in places if all(lattice.class_of(point) >= 0 for point in image)))


def _images(
    lattice: Lattice, points: Sequence[Point], basis: Sequence[Point], proper: bool, turns: Sequence[Matrix]
) -> Iterator[tuple[Point, ...]]:
    """Yield the images of the points relative to the image of the first; some images are not on cells."""
    gram = tuple(tuple(_inner(a, b) for b in basis) for a in basis)
    across, scale = inverse(gram)
    steps = [tuple(map(sub, point, points[0])) for point in points]
    parts = [turned(across, tuple(_inner(vector, step) for vector in basis)) for step in steps]
    sign = determinant(tuple(basis)) if proper else 0
    for vectors in _frames(lattice, gram, turns):
        if proper and (determinant(vectors) > 0) != (sign > 0):
            continue
        axes = list(zip(*vectors, strict=True)) or [()] * lattice.dimension
        scaled = [[sum(map(mul, part, axis)) for axis in axes] for part in parts]
        if any(value % scale for point in scaled for value in point):
            continue
        image = [tuple([value // scale for value in point]) for point in scaled]
        for turn in turns:
            yield tuple([turned(turn, step) for step in image])


def _frames(lattice: Lattice, gram: Matrix, turns: Sequence[Matrix]) -> Iterator[tuple[Point, ...]]:
    """Yield lists of vectors with these inner products, up to rotations of the first vector."""
    if not gram:
        yield ()
        return
    seen: set[Point] = set()
    for first in _vectors(lattice.dimension, gram[0][0]):
        if first not in seen:
            seen.update(turned(turn, first) for turn in turns)
            yield from _frames_from(lattice.dimension, gram, (first,))


def _frames_from(dimension: int, gram: Matrix, frame: tuple[Point, ...]) -> Iterator[tuple[Point, ...]]:
    number = len(frame)
    if number == len(gram):
        yield frame
        return
    products = gram[number]
    for vector in _vectors(dimension, products[number]):
        if all(_inner(vector, other) == value for other, value in zip(frame, products, strict=False)):
            yield from _frames_from(dimension, gram, (*frame, vector))


def _basis(points: Sequence[Point]) -> tuple[Point, ...]:
    """Return a basis of the differences of points, over the rationals, of short vectors if possible."""
    pairs = combinations(dict.fromkeys(islice(points, MAX_BASIS_POINTS)), 2)
    near = sorted((tuple(map(sub, b, a)) for a, b in pairs), key=_norm)
    return _independent([*near, *(tuple(map(sub, point, points[0])) for point in points[MAX_BASIS_POINTS:])])


def _independent(vectors: Sequence[Point]) -> tuple[Point, ...]:
    """Return the vectors that are not combinations of the vectors before them."""
    independent: list[Point] = []
    rows: list[tuple[int, Point]] = []  # the same vectors, with 0 in the columns of earlier rows
    for vector in vectors:
        left = vector
        for column, row in rows:
            if left[column]:
                left = tuple([a * row[column] - b * left[column] for a, b in zip(left, row, strict=True)])
        column = next((axis for axis, value in enumerate(left) if value), -1)
        if column >= 0:
            independent.append(vector)
            rows.append((column, left))
            if len(independent) == len(vector):
                break
    return tuple(independent)


def _inner(one: Sequence[int], two: Sequence[int]) -> int:
    return sum(map(mul, one, two))


def _norm(vector: Sequence[int]) -> int:
    return _inner(vector, vector)


def _steps(dimension: int, norm: int) -> int:
    """Return the approximate number of steps for listing the vectors of a squared length."""
    return int((2 * isqrt(norm) + 1) ** (dimension - 1))


@lru_cache(maxsize=1000)
def _vectors(dimension: int, norm: int) -> tuple[Point, ...]:
    """Return the integer vectors of a squared length, in ascending order."""
    if dimension == 1:
        root = isqrt(norm)
        return () if root * root != norm else ((-root,), (root,)) if root else ((0,),)
    root = isqrt(norm)
    return tuple(
        (value, *rest)
        for value in range(-root, root + 1)
        for rest in _vectors(dimension - 1, norm - value * value)
    )  # fmt: skip
