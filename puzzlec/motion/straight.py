"""Find an order in which the pieces of a solution can be put together, one at a time, by straight moves from far away.

The rule takes the solid apart. A piece *can come out* along a direction if its cells, moved along it by any distance,
have no inner point in common with a cell of a remaining piece. While pieces remain, the rule takes the first direction,
in their order of preference, along which a piece can come out. If several pieces can, the one whose cells lie highest
on the average comes out. Of equally high ones the nearest one comes out, then the rightmost, then the one of the later
placement. The order of assembly is the reverse, and pieces move in against the directions in which they come out.

The result does not depend on luck. A piece that can come out of a solid can still do so when others have left. So
every order of taking single pieces out ends with the same rest. No single piece of the rest can move out along any of
the directions: its pieces interlock, as those of burrs do. The rest is one group, and the other pieces are added to it.
Its pieces may still come apart by several moves, by moves of several pieces at once, by rotations, or in other
directions. This module does not decide that. Cells have their full size, and balls of a piece are joined in points
in which they touch.

Flat pieces are laid on the table one at a time, row by row. A solid on a board that wraps around has no position in
space: all of its pieces are one group.

Exact arithmetic on the swept cells finds what is in the way. A convex cell A that moves along a vector d runs into a
convex cell B if A + t d and B have an inner point in common for some t > 0. Then t d is an inner point of the
differences of points of B and A. These differences are a convex solid, with planes n . x = r known from its hull. So
the times t of an overlap lie between two fractions: each plane gives one interval of integers. The arithmetic skips no
cell, however long d is. Cells that only touch are not in the way.

Balls of diameter D at the distance o overlap if |t d - o| < D, which integers decide also. Edges of a lattice of three
dimensions have no inside: they count as thin spindles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import combinations, product
from math import gcd, isqrt
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.faces import exact_outline, faces, place, scale_of, sheet_place
from puzzlec.geometry.lattice import turned
from puzzlec.geometry.solids import Facet, dot, hull, minus, solid
from puzzlec.ir import Solution

#: An edge is a spindle: its length is this many times its thickness.
_EDGE_LENGTH_FACTOR = 20
#: Directions that differ by less are the same.
_DIRECTION_TOLERANCE = 1e-9


@cache
def ways_out(lattice: Lattice) -> tuple[Point, ...]:
    """Return the directions in which a piece may leave a solid, as vectors between points, in order of preference.

    The directions are the steps to neighbours, the edges of cells, straight up, and the images of these under the
    symmetries of the lattice. Straight up comes first, then the directions that lead up more than others. Of two that
    are similar, the first leads more towards us, then more to the right. Down is last.

    >>> from puzzlec.geometry import find_lattice
    >>> ways_out(find_lattice("cubic"))
    ((0, 0, 1), (0, 1, 0), (1, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, -1))
    """
    ways = {_shortest(step) for kind in lattice.kinds for step in kind.neighbours}
    ways.update(_upright(lattice))
    if lattice.dimension == 3 and not lattice.of_edges and not lattice.of_balls:
        for kind in range(len(lattice.kinds)):
            facets = solid(exact_outline(lattice, kind)).facets
            for one, two in combinations(facets, 2):
                for a, b in combinations(sorted(set(one.corners) & set(two.corners)), 2):
                    ways.add(_shortest(minus(a, b)))
    images = {turned(turn, way) for turn in lattice.isometries for way in ways}
    both = images | {tuple([-value for value in way]) for way in images}
    return tuple(sorted(both, key=lambda way: (*_preference(lattice, way), way)))


def in_space(lattice: Lattice, way: Sequence[float]) -> tuple[float, ...]:
    """Return a vector between points as a vector of length 1 in space. The fourth dimension is ignored."""
    if lattice.dimension > 3:
        x, y, z = (*way, 0, 0)[:3]
        vector: tuple[float, ...] = (x, -y, z)
    else:
        vector = place(lattice, way)
    size = sum(value * value for value in vector) ** 0.5 or 1.0
    return tuple([value / size for value in vector])


def obstacles(lattice: Lattice, groups: Sequence[Sequence[Cell]], way: Point) -> Iterator[tuple[int, int]]:
    """Yield pairs of groups of cells: the first runs into the second if it moves along a vector.

    If the second moves against the vector, it runs into the first. A pair may come several times. Cells with cells of
    the same group on all sides are left out: a cell that runs into them runs into one of their neighbours before.
    """
    axis = max(range(len(way)), key=lambda k: abs(way[k]))
    others = [k for k in range(len(way)) if k != axis]
    size = _reach(lattice, way, axis)
    bins: dict[tuple[int, ...], list[tuple[int, int, Point]]] = defaultdict(list)
    for group, cells in enumerate(groups):
        for point in _outer_points(lattice, cells):
            across = [way[axis] * point[k] - way[k] * point[axis] for k in others]
            bins[tuple([value // size for value in across])].append((group, lattice.class_of(point), point))
    ahead = _Ahead(lattice, way)
    around = [step for step in product((-1, 0, 1), repeat=len(others)) if step >= (0,) * len(others)]
    for home, those in bins.items():
        for step in around:
            near = bins.get(tuple([a + b for a, b in zip(home, step, strict=True)]), ())
            for number, (group, kind, point) in enumerate(those):
                for other, kin, there in near if any(step) else those[:number]:
                    if group != other:
                        hindrance = ahead.known(kind, kin, minus(there, point))
                        if hindrance > 0:
                            yield group, other
                        if hindrance in (-1, _BOTH_WAYS):
                            yield other, group


def _outer_points(lattice: Lattice, cells: Sequence[Cell]) -> list[Point]:
    """Return the points of cells with a side without a neighbour of their group; all points of balls and edges."""
    points = [lattice.point(cell) for cell in cells]
    if len(points) < 5 or lattice.of_balls or lattice.of_edges or lattice.dimension != 3:
        return points
    group = set(points)
    return [
        point
        for point in points
        if any(
            face.beyond is None or tuple([a + b for a, b in zip(point, face.beyond, strict=True)]) not in group
            for face in faces(lattice, lattice.class_of(point))
        )
    ]


#: The cells overlap where they are, as crossing edges do: neither way is free.
_BOTH_WAYS = 2


class _Ahead:
    """For cells of a lattice that move along a vector: which others are in the way."""

    def __init__(self, lattice: Lattice, way: Point) -> None:
        self.lattice, self.way, self.scale = lattice, way, scale_of_parts(lattice)
        self.diameter = diameter_squared(lattice) if lattice.of_balls else 0
        self._found: dict[tuple[int, int, Point], int] = {}
        self._sides: dict[tuple[int, int], list[list[tuple[Point, int, int]]]] = {}

    def known(self, kind: int, other: int, offset: Point) -> int:
        """Return 1 if another cell at this offset is in the way of a moving cell, -1 if it is in its way back."""
        hindrance = self._found.get((kind, other, offset))
        if hindrance is None:
            hindrance = self._ball(offset) if self.diameter else self._solid(kind, other, offset)
            self._found[kind, other, offset] = hindrance
        return hindrance

    def _ball(self, offset: Point) -> int:
        along, far, length = dot(offset, self.way), dot(offset, offset), dot(self.way, self.way)
        # The square of the distance of the line from the other ball's middle, times the square of the way.
        meets = far * length - along * along < self.diameter * length
        return (along > 0) - (along < 0) if meets else 0

    def _solid(self, kind: int, other: int, offset: Point) -> int:
        solids = self._sides.get((kind, other))
        if solids is None:
            solids = self._sides[kind, other] = [
                sorted(((facet.normal, facet.reach, dot(facet.normal, self.way)) for facet in facets), key=_level_first)
                for facets in differences(self.lattice, kind, other)
            ]
        hindrance, scaled = 0, tuple([self.scale * value for value in offset])
        for sides in solids:
            hindrance = _sign(sides, scaled) or hindrance
        return hindrance


def _level_first(side: tuple[Point, int, int]) -> tuple[bool, Point]:
    return side[2] != 0, side[0]


def _sign(sides: Sequence[tuple[Point, int, int]], offset: Point) -> int:
    """Return on which side of zero the times are at which a point that moves is inside a solid moved by an offset.

    A side is its normal, its reach, and how fast the point moves along the normal: those of no speed come first.
    """
    low = high = (0, 0)  # fractions: numerator and denominator
    for normal, reach, speed in sides:
        left = reach + dot(normal, offset)
        if speed == 0:
            if left <= 0:
                return 0
        elif speed > 0:
            if not high[1] or left * high[1] < high[0] * speed:
                high = left, speed
        elif not low[1] or left * low[1] < low[0] * speed:  # both speeds are below zero
            low = -left, -speed
    if not low[1] or not high[1] or low[0] * high[1] >= high[0] * low[1]:
        return 0
    if low[0] >= 0:
        return 1
    return -1 if high[0] <= 0 else _BOTH_WAYS


@cache
def differences(lattice: Lattice, kind: int, other: int) -> tuple[tuple[Facet, ...], ...]:
    """Return the solids of differences between points of two kinds of cell, one for each two convex parts."""
    return tuple([
        _hull_of([minus(b, a) for a in one for b in two])
        for one, two in product(_parts(lattice, kind), _parts(lattice, other))
    ])  # fmt: skip


def _hull_of(points: list[Point]) -> tuple[Facet, ...]:
    """Return the sides of the hull of points; those of the box about it, which is on the safe side, if it has many."""
    try:
        return hull(points)
    except ValueError:
        ranges = [(min(values), max(values)) for values in zip(*points, strict=True)]
        return hull(product(*ranges))


@cache
def _parts(lattice: Lattice, kind: int) -> tuple[tuple[Point, ...], ...]:
    """Return the corners of the convex parts of a kind of cell, multiplied by :func:`scale_of_parts`."""
    corners = exact_outline(lattice, kind)
    if not lattice.of_edges:
        return tuple([part for part, _ in solid(corners).parts])
    one, two = (tuple([2 * _EDGE_LENGTH_FACTOR * value for value in corner]) for corner in corners)
    middle = [(a + b) // 2 for a, b in zip(one, two, strict=True)]
    thick = max(abs(a - b) for a, b in zip(one, two, strict=True)) // (2 * _EDGE_LENGTH_FACTOR)
    around = [
        tuple([value + sign * thick * (axis == at) for at, value in enumerate(middle)])
        for axis in range(len(middle))
        for sign in (1, -1)
    ]
    return ((one, two, *around),)


@cache
def scale_of_parts(lattice: Lattice) -> int:
    """Return the factor of points that makes the corners of the convex parts integers."""
    return scale_of(lattice) * (2 * _EDGE_LENGTH_FACTOR if lattice.of_edges else 1)


@cache
def _reach(lattice: Lattice, way: Point, axis: int) -> int:
    """Return how far apart cells can be along a vector and still run into each other: at least 1."""
    others = [k for k in range(len(way)) if k != axis]
    if lattice.of_balls:
        size = isqrt(diameter_squared(lattice)) + 1
        return size * max(abs(way[axis]) + abs(way[k]) for k in others)
    scale, widest = scale_of_parts(lattice), 0
    for kind, other in product(range(len(lattice.kinds)), repeat=2):
        for one, two in product(_parts(lattice, kind), _parts(lattice, other)):
            for k in others:
                first, second = ([way[axis] * p[k] - way[k] * p[axis] for p in part] for part in (one, two))
                widest = max(widest, max(second) - min(first))
    return max(1, -(-widest // scale))


@cache
def diameter_squared(lattice: Lattice) -> int:
    """Return the square of the diameter of balls that touch: that of the shortest step to a neighbour."""
    return min(dot(step, step) for kind in lattice.kinds for step in kind.neighbours)


def _upright(lattice: Lattice) -> list[Point]:
    """Return the coordinate axes of points that are upright in space."""
    size = len(lattice.translations[0])
    units = [tuple([int(i == j) for j in range(size)]) for i in range(size)]
    return [unit for unit in units if abs(in_space(lattice, unit)[2]) > 1 - _DIRECTION_TOLERANCE]


def _preference(lattice: Lattice, way: Point) -> tuple[float, ...]:
    x, y, z = in_space(lattice, way)
    return -round(z, 6), round(y, 6), -round(x, 6)


def _shortest(vector: Point) -> Point:
    common = gcd(*vector) or 1
    return tuple([value // common for value in vector])


class AssemblyStep(NamedTuple):
    """A step of an assembly: the number of a placement, and the vector (between points) along which it moves in.

    The vector is empty for a flat piece, which is laid down from above.
    """

    placement: int
    way: Point


@dataclass(frozen=True)
class AssemblyOrder:
    """An order of assembly: placements that interlock, which are there first, and steps that add one each."""

    together: tuple[int, ...]
    steps: tuple[AssemblyStep, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """All placements: those that interlock, then the others as they are added."""
        return self.together + tuple([step.placement for step in self.steps])


def assembly(solution: Solution) -> AssemblyOrder:
    """Return an order in which the pieces of a solution can be put together.

    Raises ValueError for a puzzle without geometry.
    """
    puzzle = solution.fitting.puzzle
    if puzzle is None or puzzle.lattice is None:
        raise ValueError("a puzzle without a lattice has no steps of assembly")
    at = [location.at for location in puzzle.locations]
    groups = [[at[location] for location in placement.locations] for placement in solution.placements]
    cells = [[cell for cell in group if not isinstance(cell, str)] for group in groups]
    if puzzle.wraps and puzzle.lattice.dimension > 2:
        return AssemblyOrder(tuple(range(len(cells))), ())
    return order_of(puzzle.lattice, cells)


def order_of(lattice: Lattice, groups: Sequence[Sequence[Cell]]) -> AssemblyOrder:
    """Return an order in which groups of cells, no two of which overlap, can be put together.

    >>> from puzzlec.geometry import find_lattice
    >>> order_of(find_lattice("cubic"), [[(0, 0, 1)], [(0, 0, 0)]]).steps
    (AssemblyStep(placement=1, way=(0, 0, -1)), AssemblyStep(placement=0, way=(0, 0, -1)))
    """
    if lattice.dimension < 3:
        return _laid_down(lattice, groups)
    ways = ways_out(lattice)
    hinders, hindered = _obstacles(lattice, groups, ways)
    rank = {number: turn for turn, number in enumerate(_from_the_top(lattice, groups))}
    piece_of = {turn: number for number, turn in rank.items()}
    free = [[rank[number] for number in rank if not hindered[way][number]] for way in range(len(ways))]
    for heap in free:
        heapify(heap)
    there, steps = set(rank), list[AssemblyStep]()
    while there:
        departure = _next(free, piece_of, there)
        if departure is None:
            break
        way, number = departure
        there.remove(number)
        steps.append(AssemblyStep(number, tuple([-value for value in ways[way]])))
        for direction in range(len(ways)):
            for other in hinders[direction][number]:
                hindered[direction][other].discard(number)
                if not hindered[direction][other]:
                    heappush(free[direction], rank[other])
    return AssemblyOrder(tuple(sorted(there)), tuple(steps[::-1]))


def _next(free: list[list[int]], piece_of: dict[int, int], there: set[int]) -> tuple[int, int] | None:
    """Return the direction and the piece that comes out next; None if no piece can."""
    for way, heap in enumerate(free):
        while heap and piece_of[heap[0]] not in there:
            heappop(heap)
        if heap:
            return way, piece_of[heap[0]]
    return None


_Sets = list[dict[int, set[int]]]


def _obstacles(lattice: Lattice, groups: Sequence[Sequence[Cell]], ways: Sequence[Point]) -> tuple[_Sets, _Sets]:
    """Return for each direction and piece which others it hinders, and which hinder it."""
    hinders: _Sets = [defaultdict(set) for _ in ways]
    hindered: _Sets = [defaultdict(set) for _ in ways]
    number = {way: index for index, way in enumerate(ways)}
    for way, index in number.items():
        back = number[tuple([-value for value in way])]
        if index < back:
            for mover, other in obstacles(lattice, groups, way):
                hindered[index][mover].add(other)
                hinders[index][other].add(mover)
                hindered[back][other].add(mover)
                hinders[back][mover].add(other)
    return hinders, hindered


def _from_the_top(lattice: Lattice, groups: Sequence[Sequence[Cell]]) -> list[int]:
    """Return the numbers of groups: the highest on the average first, then the nearest, then the rightmost."""

    def key(number: int) -> tuple[float, ...]:
        x, y, z = _middle(lattice, groups[number])
        return -round(z, 6), round(y, 6), -round(x, 6), -number

    return sorted(range(len(groups)), key=key)


def _middle(lattice: Lattice, cells: Sequence[Cell]) -> tuple[float, float, float]:
    places = [_place(lattice, lattice.point(cell)) for cell in cells]
    x, y, z = (sum(values) / max(1, len(places)) for values in zip(*places, strict=True))
    return x, y, z


def _place(lattice: Lattice, point: Point) -> tuple[float, ...]:
    """Return where a point is in space. The fourth dimension is ignored."""
    return (point[0], -point[1], point[2]) if lattice.dimension > 3 else place(lattice, point)


def _laid_down(lattice: Lattice, groups: Sequence[Sequence[Cell]]) -> AssemblyOrder:
    """Return flat pieces in the order of their first cells, row by row."""

    def first(number: int) -> tuple[float, ...]:
        places = [sheet_place(lattice, lattice.point(cell)) for cell in groups[number]]
        return (*min((round(y, 6), round(x, 6)) for x, y in places), number)

    return AssemblyOrder((), tuple([AssemblyStep(number, ()) for number in sorted(range(len(groups)), key=first)]))


__all__ = ["AssemblyOrder", "AssemblyStep", "assembly", "in_space", "order_of"]
