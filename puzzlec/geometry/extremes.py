"""Extreme points of a set: the corners of its convex hull, computed exactly in any number of dimensions.

A point is extreme unless it is a weighted mean of other points with weights that are not negative. Whether such
weights exist is a question of linear programming. The first phase of the simplex method answers it, with the rule of
R. G. Bland (New finite pivoting rules for the simplex method, Mathematics of Operations Research 2, 1977). It uses
only integers, since each pivot divides by the one before (J. Edmonds, Systems of distinct representatives and linear
algebra, Journal of Research of the National Bureau of Standards 71B, 1967).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations

from puzzlec.geometry.faces import half_hull
from puzzlec.geometry.lattice import Point


def outermost(points: Collection[Point]) -> set[Point]:
    """Return the corners of the convex hull of some points; [] if there are none.

    >>> sorted(outermost([(x, y) for x in range(4) for y in range(3)]))
    [(0, 0), (0, 2), (3, 0), (3, 2)]
    >>> sorted(outermost([(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (1, 0, 0)]))
    [(0, 0, 0), (0, 0, 2), (0, 2, 0), (2, 0, 0)]
    """
    left = set(points)
    if not left:
        return left
    dimension = len(next(iter(left)))
    for axis in range(dimension):
        left = _of_slices(left, (axis,))
    for axes in combinations(range(dimension), 2):
        left = _of_slices(left, axes)
    if dimension <= 2:
        return left
    return {point for point in left if not _is_enclosed(point, left - {point})}


def _of_slices(points: Iterable[Point], axes: tuple[int, ...]) -> set[Point]:
    """Return the extreme points of all slices along one or two axes: an extreme point is extreme in its slice."""
    slices: dict[tuple[int | None, ...], list[Point]] = {}
    for point in points:
        slices.setdefault(tuple([None if k in axes else at for k, at in enumerate(point)]), []).append(point)
    found: set[Point] = set()
    for within in slices.values():
        ordered = sorted(within)
        if len(axes) == 1 or len(within) < 3:
            found.update((ordered[0], ordered[-1]))
        else:
            placed = [(point[axes[0]], point[axes[1]], point) for point in ordered]
            found.update(point for *_, point in half_hull(placed) + half_hull(placed[::-1]))
    return found


def _is_enclosed(point: Point, others: Collection[Point]) -> bool:
    """Return whether a point is a weighted mean of others."""
    if not others:
        return False
    # A row for each coordinate: the weighted differences add up to 0. In the last row the weights add up to 1.
    # The variables after the weights, one for each row, are the errors of the rows; their sum is minimised.
    ordered = sorted(others)
    size, rows = len(ordered), len(point) + 1
    table = [[other[k] - point[k] for other in ordered] for k in range(rows - 1)] + [[1] * size]
    for number, row in enumerate(table):
        row += [int(number == k) for k in range(rows)] + [int(number == rows - 1)]
    cost = [-sum(column) for column in zip(*table, strict=True)]
    cost[size : size + rows] = [0] * rows
    basis, scale = list(range(size, size + rows)), 1
    while (entering := next((k for k in range(size) if cost[k] < 0), -1)) >= 0:
        able = [number for number in range(rows) if table[number][entering] > 0]
        leaving = able[0]
        for number in able[1:]:
            one = table[number][-1] * table[leaving][entering]
            two = table[leaving][-1] * table[number][entering]
            if one < two or (one == two and basis[number] < basis[leaving]):
                leaving = number
        pivot = table[leaving]
        by = pivot[entering]
        for number, row in enumerate((*table, cost)):
            if number != leaving:
                factor = row[entering]
                row[:] = [(a * by - factor * b) // scale for a, b in zip(row, pivot, strict=True)]
        basis[leaving], scale = entering, by
    return bool(cost[-1] == 0)
