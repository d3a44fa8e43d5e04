"""Exact geometry of outlines in integers: areas, volumes, overlaps, common sides and extreme points.

A solid is a polygon in the plane, or the convex hull of its corners in any other number of dimensions. The double
description method finds hulls (T. S. Motzkin, H. Raiffa, G. L. Thompson and R. M. Thrall, The double description
method, Contributions to the Theory of Games II, 1953): it adds corners one by one to a simplex.

A point of a set is extreme unless it is a weighted mean of other points with weights that are not negative. Whether
such weights exist is a question of linear programming. The first phase of the simplex method answers it, with the rule
of R. G. Bland (New finite pivoting rules for the simplex method, Mathematics of Operations Research 2, 1977). It uses
only integers, since each pivot divides by the one before (J. Edmonds, Systems of distinct representatives and linear
algebra, Journal of Research of the National Bureau of Standards 71B, 1967).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from math import gcd
from typing import Any, NamedTuple, TypeVar

from puzzlec.geometry.lattice import Point, determinant

Number = TypeVar("Number", int, float)
_Placed = TypeVar("_Placed", bound=tuple[Any, ...])

#: Maximum number of comparisons of sides for one hull, about two seconds: far more than cells of tilings need.
MAX_SIDE_COMPARISONS = 3_000_000


class Facet(NamedTuple):
    """A side of a solid: ``normal . x = reach`` on it, less inside the solid; and the corners on it."""

    normal: Point
    reach: int
    corners: tuple[Point, ...]


class Solid(NamedTuple):
    """A polygon or a convex solid: its corners, its sides, and its convex parts (itself if convex)."""

    corners: tuple[Point, ...]
    facets: tuple[Facet, ...]
    parts: tuple[tuple[tuple[Point, ...], tuple[Facet, ...]], ...]


def dot(a: Point, b: Point) -> int:
    """Return the scalar product of two vectors."""
    return sum([x * y for x, y in zip(a, b, strict=True)])


def plus(a: Sequence[Number], b: Sequence[Number]) -> tuple[Number, ...]:
    """Return the sum of two vectors."""
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def minus(a: Sequence[Number], b: Sequence[Number]) -> tuple[Number, ...]:
    """Return the vector from the second point to the first."""
    return tuple([x - y for x, y in zip(a, b, strict=True)])


def solid(corners: Sequence[Point]) -> Solid:
    """Return the solid with these corners; those of a polygon are in order around it.

    Raises ValueError for a solid without inside, a polygon that crosses itself, and a corner inside the others.
    """
    if len(corners[0]) == 2:
        return _polygon(tuple(corners))
    facets = hull(corners)
    if not facets:
        raise ValueError("its corners are all in one plane")
    for number, corner in enumerate(corners):
        if corner in corners[:number] or not any(corner in facet.corners for facet in facets):
            raise ValueError(f"corner {number + 1} is inside the solid")
    return Solid(tuple(corners), facets, ((tuple(corners), facets),))


def moved(body: Solid, step: Point) -> Solid:
    """Return a solid moved by a vector."""

    def corners(those: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple([tuple([a + b for a, b in zip(corner, step, strict=True)]) for corner in those])

    def facets(those: tuple[Facet, ...]) -> tuple[Facet, ...]:
        return tuple(
            [Facet(facet.normal, facet.reach + dot(facet.normal, step), corners(facet.corners)) for facet in those]
        )

    parts = tuple([(corners(part), facets(sides)) for part, sides in body.parts])
    return Solid(corners(body.corners), facets(body.facets), parts)


def volume(body: Solid) -> int:
    """Return d! times the volume in d dimensions: twice an area in the plane, six times a volume in space."""
    return sum(
        abs(determinant(tuple([minus(corner, simplex[0]) for corner in simplex[1:]])))
        for _, facets in body.parts
        for simplex in _simplices(frozenset(c for f in facets for c in f.corners), facets, len(body.corners[0]))
    )


def apart(one: Solid, two: Solid) -> bool:
    """Return whether two solids have no inner point in common."""
    return all(_apart(*a, *b) for a, b in product(one.parts, two.parts))


def share_side(one: Solid, two: Solid) -> bool:
    """Return whether two solids that are apart touch along a side, or a part of one."""
    return any(touch(side, other) for side in one.facets for other in two.facets)


def touch(side: Facet, other: Facet) -> bool:
    """Return whether sides of two solids that are apart overlap in more than their borders."""
    if side.reach != -other.reach or side.normal != tuple([-n for n in other.normal]):
        return False
    if set(side.corners) == set(other.corners):
        return True
    flat = next(axis for axis, value in enumerate(side.normal) if value)
    one, two = ([corner[:flat] + corner[flat + 1 :] for corner in facet.corners] for facet in (side, other))
    return not _apart(tuple(one), hull(one), tuple(two), hull(two))


def segments_meet(one: Sequence[Point], two: Sequence[Point]) -> str:
    """Return how two segments meet: ``apart``, at the ``ends`` of both, or ``inside`` one of them (or overlapping)."""
    (a, b), (c, d) = one, two
    along, across, between = minus(b, a), minus(d, c), minus(c, a)
    for i, j in combinations(range(len(a)), 2):
        area = along[i] * across[j] - along[j] * across[i]
        if area:  # not parallel: the lines meet at the part s of the first and t of the second
            s = (between[i] * across[j] - between[j] * across[i]) * (1 if area > 0 else -1)
            t = (between[i] * along[j] - between[j] * along[i]) * (1 if area > 0 else -1)
            area = abs(area)
            if not (0 <= s <= area and 0 <= t <= area) or any(
                area * v + t * w != s * u for u, v, w in zip(along, between, across, strict=True)
            ):
                return "apart"
            return "ends" if s in (0, area) and t in (0, area) else "inside"
        if along[i] * between[j] != along[j] * between[i]:
            return "apart"  # parallel, on different lines
    low, high = sorted((dot(along, c), dot(along, d)))
    start, end = dot(along, a), dot(along, b)
    if low > end or high < start:
        return "apart"
    return "ends" if low == end or high == start else "inside"


def hull(corners: Iterable[Point]) -> tuple[Facet, ...]:
    """Return the sides of the convex hull of points; [] if the points are all in one plane.

    Raises ValueError if that takes too long, for hundreds of corners in many dimensions.

    >>> [facet.reach for facet in hull([(0, 0), (2, 0), (0, 2), (2, 2), (1, 1)])]
    [0, 0, 2, 2]
    """
    points = list(dict.fromkeys(corners))
    simplex = _independent(points)
    if len(simplex) <= len(points[0]):
        return ()
    work = 0
    sides = [_plane([vertex for vertex in simplex if vertex != corner], corner) for corner in simplex]
    for point in points:
        if point in simplex:
            continue
        heights = [dot(normal, point) - reach for normal, reach, _ in sides]
        kept = [
            (normal, reach, on | {point} if height == 0 else on)
            for (normal, reach, on), height in zip(sides, heights, strict=True)
            if height <= 0
        ]
        hidden = [(side, height) for side, height in zip(sides, heights, strict=True) if height < 0]
        visible = [(side, height) for side, height in zip(sides, heights, strict=True) if height > 0]
        for (seen, above), (unseen, below) in product(visible, hidden):
            ridge = seen[2] & unseen[2]
            lies_between = len(ridge) >= len(point) - 1
            work += len(sides) if lies_between else 1
            if work > MAX_SIDE_COMPARISONS:
                raise ValueError("it has too many sides")
            if not lies_between or any(ridge <= side[2] for side in sides if side is not seen and side is not unseen):
                continue
            normal = [above * u - below * s for u, s in zip(unseen[0], seen[0], strict=True)]
            kept.append(_reduced(normal, point, ridge | {point}))
        sides = kept
    return tuple(sorted(Facet(normal, reach, tuple(sorted(on))) for normal, reach, on in sides))


_Side = tuple[Point, int, frozenset[Point]]


def _independent(points: list[Point]) -> list[Point]:
    """Return the corners of a simplex: a largest set of points of which none lies in the plane of the others."""
    corners, rows = points[:1], list[list[int]]()
    for point in points[1:]:
        rest = list(minus(point, points[0]))
        for row in rows:  # elimination without fractions
            lead = next(axis for axis, value in enumerate(row) if value)
            rest = [row[lead] * r - rest[lead] * v for r, v in zip(rest, row, strict=True)]
        if any(rest):
            rows.append(rest)
            corners.append(point)
    return corners


def _plane(corners: list[Point], inner: Point) -> _Side:
    """Return the plane through as many independent corners as there are dimensions; ``inside`` is on its inner side."""
    rows = [minus(corner, corners[0]) for corner in corners[1:]]
    normal = [
        (1 - axis % 2 * 2) * determinant(tuple([row[:axis] + row[axis + 1 :] for row in rows]))
        for axis in range(len(inner))
    ]
    if dot(tuple(normal), minus(inner, corners[0])) > 0:
        normal = [-value for value in normal]
    return _reduced(normal, corners[0], frozenset(corners))


def _reduced(normal: list[int], point: Point, on: frozenset[Point]) -> _Side:
    """Return a side in its simplest numbers."""
    common = gcd(*normal)
    least = tuple([value // common for value in normal])
    return least, dot(least, point), on


def _apart(one: tuple[Point, ...], sides: tuple[Facet, ...], two: tuple[Point, ...], others: tuple[Facet, ...]) -> bool:
    """Return whether convex solids have no inner point in common.

    A side of either solid is usually a plane between them. If not, the differences of their points decide: these fill
    a convex solid, which has zero as an inner point exactly if the two solids share an inner point.
    """
    boxes = (
        (min(a) >= max(b) or min(b) >= max(a))
        for a, b in zip(zip(*one, strict=True), zip(*two, strict=True), strict=True)
    )
    if any(boxes) or any(all(dot(side.normal, corner) >= side.reach for corner in two) for side in sides):
        return True
    if any(all(dot(side.normal, corner) >= side.reach for corner in one) for side in others):
        return True
    return any(side.reach <= 0 for side in hull(minus(a, b) for a in one for b in two))


def _simplices(face: frozenset[Point], facets: tuple[Facet, ...], dimension: int) -> Iterator[tuple[Point, ...]]:
    """Cut a face of a convex solid into simplices that share one of its corners."""
    top = min(face)
    if dimension == 0:
        yield (top,)
        return
    for below in _faces_of(face, facets):
        if top not in below:
            for simplex in _simplices(below, facets, dimension - 1):
                yield (top, *simplex)


@cache
def _faces_of(face: frozenset[Point], facets: tuple[Facet, ...]) -> tuple[frozenset[Point], ...]:
    """Return the sides of a face of a solid: its largest intersections with the solid's sides."""
    intersections = {face & frozenset(facet.corners) for facet in facets} - {face, frozenset()}
    return tuple(
        sorted([facet for facet in intersections if not any(facet < other for other in intersections)], key=sorted)
    )


def _polygon(corners: tuple[Point, ...]) -> Solid:
    """Return the polygon with these corners in order."""
    if not hull(corners):
        raise ValueError("its corners are all on one line")
    sides = [(corner, corners[(i + 1) % len(corners)]) for i, corner in enumerate(corners)]
    for (i, side), (j, other) in combinations(enumerate(sides), 2):
        beside = j - i == 1 or j - i == len(sides) - 1
        if segments_meet(side, other) not in (("ends",) if beside else ("apart",)):
            raise ValueError(f"sides {i + 1} and {j + 1} cross or touch")
    sign = 1 if sum(a[0] * b[1] - a[1] * b[0] for a, b in sides) > 0 else -1
    facets = []
    for a, b in sides:
        normal, reach, _ = _reduced([sign * (b[1] - a[1]), sign * (a[0] - b[0])], a, frozenset())
        facets.append(Facet(normal, reach, (a, b)))
    parts = _triangles(list(corners[::sign])) if _bends_in(corners[::sign]) else [corners]
    return Solid(corners, tuple(facets), tuple([(part, hull(part)) for part in parts]))


def _bends_in(corners: Sequence[Point]) -> bool:
    return any(_turn(corners[i - 2], corners[i - 1], corner) < 0 for i, corner in enumerate(corners))


def _turn(a: Point, b: Point, c: Point) -> int:
    """Return a positive number if the way over three points bends to the polygon's inner side."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _triangles(corners: list[Point]) -> list[tuple[Point, ...]]:
    """Cut a polygon into triangles, ear by ear (G. H. Meisters, Polygons have ears, 1975)."""
    triangles: list[tuple[Point, ...]] = []
    while len(corners) > 2:
        for i, tip in enumerate(corners):
            before, after = corners[i - 1], corners[(i + 1) % len(corners)]
            turn = _turn(before, tip, after)
            if turn == 0 or (
                turn > 0
                and not any(
                    min(_turn(before, tip, corner), _turn(tip, after, corner), _turn(after, before, corner)) >= 0
                    for corner in corners
                    if corner not in (before, tip, after)
                )
            ):
                if turn:
                    triangles.append((before, tip, after))
                del corners[i]
                break
    return triangles


def half_hull(ordered: Iterable[_Placed], nothing: float = 0) -> list[_Placed]:
    """Return the corners on one side of the convex hull of sorted points, whose position in a plane comes first."""
    hull: list[_Placed] = []
    for point in ordered:
        while len(hull) > 1:
            a, b = hull[-2:]
            if (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > nothing:
                break
            hull.pop()
        hull.append(point)
    return hull


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
    extremes: set[Point] = set()
    for within in slices.values():
        ordered = sorted(within)
        if len(axes) == 1 or len(within) < 3:
            extremes.update((ordered[0], ordered[-1]))
        else:
            placed = [(point[axes[0]], point[axes[1]], point) for point in ordered]
            extremes.update(point for *_, point in half_hull(placed) + half_hull(placed[::-1]))
    return extremes


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
