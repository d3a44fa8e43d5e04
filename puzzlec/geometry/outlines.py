"""The common outline of flat cells and the common surface of solid ones: sides of faces joined to closed rings.

A side that two faces share is not part of their common border.

All positions are integer points, so that overlaps of sides, also partial ones, are known exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from math import gcd
from typing import NamedTuple

from puzzlec.geometry.faces import (
    Place,
    exact_corners,
    exact_outline,
    faces,
    ordered_facet,
    place,
    scale_of,
    sheet_place,
)
from puzzlec.geometry.lattice import Cell, Lattice, Point
from puzzlec.geometry.solids import solid

Side = tuple[Point, Point]
Flat = Callable[[Point], tuple[int, int]]


def joined_rings(sides: Iterable[Side], flat: Flat) -> list[list[Point]]:
    """Return the rings around faces of one plane; each face is given by its sides, all in the same direction.

    ``flat`` returns the position of a point in that plane. Outer rings run as the faces do, rings around holes in the
    other direction. Faces that touch only in a corner have separate rings. No corner is within a straight side.

    >>> square = [((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 0))]
    >>> beside = [((a + 1, b), (c + 1, d)) for (a, b), (c, d) in square]
    >>> joined_rings(square + beside, lambda point: point)
    [[(0, 0), (2, 0), (2, 1), (0, 1)]]
    """
    onwards: dict[Point, list[Point]] = defaultdict(list)
    for start, end in net_sides(sides):
        onwards[start].append(end)
    for ends in onwards.values():
        ends.sort(reverse=True)
    way = 1 if _doubled_area(((start, end) for start, ends in onwards.items() for end in ends), flat) >= 0 else -1
    rings = []
    for first in sorted(onwards):
        while onwards[first]:
            rings.append(_ring(first, onwards, flat, way))
    return rings


def net_sides(sides: Iterable[Side]) -> list[Side]:
    """Return the sides that remain if sides in opposite directions cancel, also in part.

    Sides that continue in the same direction are joined. The order is the order of lines, then of positions on them.
    """
    left: dict[Side, int] = defaultdict(int)
    for start, end in sides:
        if left.get((end, start)):
            left[end, start] -= 1
        else:
            left[start, end] += 1
    lines: dict[tuple[Point, tuple[int, ...]], list[tuple[int, int, Point]]] = defaultdict(list)
    for (start, end), number in left.items():
        if not number:
            continue
        along = _direction(start, end)
        axis = next(index for index, value in enumerate(along) if value)
        events = lines[along, _moment(start, along)]
        events += [(start[axis], number, start), (end[axis], -number, end)]
    return [side for _, events in sorted(lines.items()) for side in _stretches(events)]


def straight_pieces(sides: Iterable[Side]) -> list[Side]:
    """Return sides without directions; overlapping ones and straight continuations are joined.

    >>> straight_pieces([((0, 0), (1, 0)), ((2, 0), (1, 0)), ((1, 0), (0, 0))])
    [((0, 0), (2, 0))]
    """
    lines: dict[tuple[Point, tuple[int, ...]], list[Side]] = defaultdict(list)
    for start, end in sides:
        along = _direction(start, end)
        lines[along, _moment(start, along)].append((min(start, end), max(start, end)))
    straight = []
    for _, pieces in sorted(lines.items()):
        pieces.sort()
        first, last = pieces[0]
        for start, end in pieces[1:]:
            if start > last:
                straight.append((first, last))
                first = start
            last = max(last, end)
        straight.append((first, last))
    return straight


def _stretches(events: list[tuple[int, int, Point]]) -> Iterator[Side]:
    """Yield the parts of a line with more sides in one direction than in the other."""
    events.sort()
    running, since = 0, events[0][2]
    for number, (at, change, point) in enumerate(events):
        before, running = running, running + change
        more = number + 1 < len(events) and events[number + 1][0] == at
        if more:
            events[number + 1] = (at, events[number + 1][1] + change, point)
            running = before
        elif before != running:
            for _ in range(abs(before)):
                yield (since, point) if before > 0 else (point, since)
            since = point


def _direction(start: Point, end: Point) -> Point:
    """Return the shortest step along a side or against it, with a positive first nonzero number."""
    step = [b - a for a, b in zip(start, end, strict=True)]
    common = gcd(*step) * (1 if next(value for value in step if value) > 0 else -1)
    return tuple([value // common for value in step])


def _moment(point: Point, along: Point) -> tuple[int, ...]:
    """Return numbers that are equal for two points exactly if a line of this direction contains both."""
    size = len(point)
    return tuple([point[i] * along[j] - point[j] * along[i] for i in range(size) for j in range(i + 1, size)])


def _doubled_area(sides: Iterable[Side], flat: Flat) -> int:
    total = 0
    for start, end in sides:
        (a, b), (c, d) = flat(start), flat(end)
        total += a * d - b * c
    return total


def _ring(first: Point, onwards: dict[Point, list[Point]], flat: Flat, way: int) -> list[Point]:
    """Take a ring out of the sides; at a corner with several next sides, choose the one closest to the inside."""
    ring = [first]
    before, here = first, onwards[first].pop()
    while here != first:
        ring.append(here)
        ends = onwards[here]
        if len(ends) == 1:
            before, here = here, ends.pop()
            continue
        following = min(ends, key=lambda end: _turning(before, here, end, flat, way))
        ends.remove(following)
        before, here = here, following
    return ring


def _turning(before: Point, here: Point, end: Point, flat: Flat, way: int) -> tuple[int, float]:
    """Return a key that is smaller the further a way bends to the inside of its face at a corner."""
    (a, b), (c, d), (e, f) = flat(before), flat(here), flat(end)
    x, y, u, v = c - a, d - b, e - c, f - d
    cross, along = way * (x * v - y * u), x * u + y * v
    # The angle is positive to the inside; the tangent of half the angle grows with it.
    if cross > 0:
        return 0, along / (abs(along) + abs(cross))
    return (1, 0) if cross == 0 else (2, -along / (abs(along) + abs(cross)))


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


class SurfacePlane(NamedTuple):
    """A flat part of a surface in space: its normal (outwards, of length 1), its rings, and its cells.

    The first ring is the outer one, counterclockwise if seen from outside; rings of holes run clockwise.
    """

    normal: Place
    rings: tuple[tuple[Place, ...], ...]
    cells: tuple[Cell, ...]


class Surface(NamedTuple):
    """The common surface of solid cells: flat parts, and the segments where such parts meet at an angle.

    ``exact`` are the same segments between points of the lattice, times its :func:`puzzlec.geometry.faces.scale_of`.
    """

    faces: tuple[SurfacePlane, ...]
    edges: tuple[tuple[Place, Place], ...]
    exact: tuple[tuple[Point, Point], ...]


class SolidSide(NamedTuple):
    """A side of a kind of cell: exact corners in order, its normal, also in space, and the step to the cell beyond."""

    corners: tuple[Point, ...]
    normal: Point
    unit: Place
    beyond: Point | None


@cache
def solid_sides(lattice: Lattice, kind: int) -> tuple[SolidSide, ...]:
    """Return the sides of a solid kind of cell, relative to its point."""
    body = solid(exact_outline(lattice, kind))
    return tuple([
        SolidSide(ordered_facet(lattice, kind, facet), facet.normal, face.normal, face.beyond)
        for facet, face in zip(body.facets, faces(lattice, kind), strict=True)
    ])  # fmt: skip


def surface(lattice: Lattice, cells: Iterable[Cell]) -> Surface:
    """Return the common surface of solid cells, without the sides that two cells share.

    Sides that two cells share only in part remain; they are hidden inside the solid. Raises ValueError if cells are
    not solids of three dimensions.

    >>> from puzzlec.geometry import find_lattice
    >>> found = surface(find_lattice("cubic"), [(0, 0, 0), (1, 0, 0)])
    >>> len(found.faces), len(found.edges)
    (6, 12)
    """
    scale = scale_of(lattice)
    outside: dict[frozenset[Point], tuple[Cell, SolidSide, tuple[Point, ...]]] = {}
    for cell in cells:
        point = lattice.point(cell)
        at = [scale * value for value in point]
        for side in solid_sides(lattice, lattice.class_of(point)):
            corners = tuple([tuple([a + b for a, b in zip(at, corner, strict=True)]) for corner in side.corners])
            key = frozenset(corners)
            if outside.pop(key, None) is None:
                outside[key] = cell, side, corners
    planes: dict[tuple[Point, int], list[tuple[Cell, SolidSide, tuple[Point, ...]]]] = defaultdict(list)
    for cell, side, corners in outside.values():
        reach = sum(n * c for n, c in zip(side.normal, corners[0], strict=True))
        planes[side.normal, reach].append((cell, side, corners))
    facets, borders = list[SurfacePlane](), list[Side]()
    for (normal, _), those in sorted(planes.items(), key=lambda pair: pair[0]):
        for component in _components(those):
            rings = _rings(component, normal)
            borders += [side for ring in rings for side in _around(ring)]
            placed = tuple([tuple([_place(lattice, corner, scale) for corner in ring]) for ring in rings])
            facets.append(SurfacePlane(component[0][1].unit, placed, tuple(sorted({cell for cell, _, _ in component}))))
    edges = straight_pieces(borders)
    placed_edges = tuple([(_place(lattice, a, scale), _place(lattice, b, scale)) for a, b in edges])
    return Surface(tuple(facets), placed_edges, tuple([(tuple(a), tuple(b)) for a, b in edges]))


def _place(lattice: Lattice, corner: Point, scale: int) -> Place:
    return place(lattice, [value / scale for value in corner])


def _around(ring: list[Point]) -> list[Side]:
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def _components(
    those: list[tuple[Cell, SolidSide, tuple[Point, ...]]],
) -> list[list[tuple[Cell, SolidSide, tuple[Point, ...]]]]:
    """Return the connected groups of the sides of one plane; sides of a group share sides."""
    at: dict[frozenset[Point], list[int]] = defaultdict(list)
    for number, (_, _, corners) in enumerate(those):
        for one, two in _around(list(corners)):
            at[frozenset((one, two))].append(number)
    seen = [False] * len(those)
    groups = []
    for first in range(len(those)):
        if seen[first]:
            continue
        seen[first], group = True, [first]
        for number in group:
            for one, two in _around(list(those[number][2])):
                for other in at[frozenset((one, two))]:
                    if not seen[other]:
                        seen[other] = True
                        group.append(other)
        groups.append([those[number] for number in sorted(group)])
    return groups


def _rings(component: list[tuple[Cell, SolidSide, tuple[Point, ...]]], normal: Point) -> list[list[Point]]:
    """Return the rings around sides of one plane, the outer one first."""
    dropped = max(range(3), key=lambda axis: abs(normal[axis]))
    i, j = (axis for axis in range(3) if axis != dropped)

    def flat(point: Point) -> tuple[int, int]:
        return point[i], point[j]

    rings = joined_rings((side for _, _, corners in component for side in _around(list(corners))), flat)

    def width(ring: list[Point]) -> int:
        places = [flat(corner) for corner in ring]
        return max(x for x, _ in places) - min(x for x, _ in places)

    return sorted(rings, key=width, reverse=True)
