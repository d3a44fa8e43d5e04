"""The common surface of solid cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from puzzlec.geometry.faces import Place, exact_outline, ordered_facet, place, scale_of
from puzzlec.geometry.lattice import Cell, Lattice, Point
from puzzlec.geometry.rings import Side, joined_rings, straight_pieces
from puzzlec.geometry.solids import solid


class Plane(NamedTuple):
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

    faces: tuple[Plane, ...]
    edges: tuple[tuple[Place, Place], ...]
    exact: tuple[tuple[Point, Point], ...]


class _Side(NamedTuple):
    """A side of a kind of cell: exact corners in order, its plane as normal and reach, and its normal in space."""

    corners: tuple[Point, ...]
    normal: Point
    reach: int
    unit: Place


@cache
def _sides(lattice: Lattice, kind: int) -> tuple[_Side, ...]:
    from puzzlec.geometry.faces import faces

    body = solid(exact_outline(lattice, kind))
    return tuple([
        _Side(ordered_facet(lattice, kind, facet), facet.normal, facet.reach, face.normal)
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
    outside: dict[frozenset[Point], tuple[Cell, _Side, tuple[Point, ...]]] = {}
    for cell in cells:
        point = lattice.point(cell)
        at = [scale * value for value in point]
        for side in _sides(lattice, lattice.class_of(point)):
            corners = tuple([tuple([a + b for a, b in zip(at, corner, strict=True)]) for corner in side.corners])
            key = frozenset(corners)
            if outside.pop(key, None) is None:
                outside[key] = cell, side, corners
    planes: dict[tuple[Point, int], list[tuple[Cell, _Side, tuple[Point, ...]]]] = defaultdict(list)
    for cell, side, corners in outside.values():
        reach = sum(n * c for n, c in zip(side.normal, corners[0], strict=True))
        planes[side.normal, reach].append((cell, side, corners))
    found, borders = list[Plane](), list[Side]()
    for (normal, _), those in sorted(planes.items(), key=lambda pair: pair[0]):
        for component in _components(those):
            rings = _rings(component, normal)
            borders += [side for ring in rings for side in _around(ring)]
            placed = tuple([tuple([_place(lattice, corner, scale) for corner in ring]) for ring in rings])
            found.append(Plane(component[0][1].unit, placed, tuple(sorted({cell for cell, _, _ in component}))))
    edges = straight_pieces(borders)
    placed_edges = tuple([(_place(lattice, a, scale), _place(lattice, b, scale)) for a, b in edges])
    return Surface(tuple(found), placed_edges, tuple([(tuple(a), tuple(b)) for a, b in edges]))


def _place(lattice: Lattice, corner: Point, scale: int) -> Place:
    return place(lattice, [value / scale for value in corner])


def _around(ring: list[Point]) -> list[Side]:
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def _components(
    those: list[tuple[Cell, _Side, tuple[Point, ...]]],
) -> list[list[tuple[Cell, _Side, tuple[Point, ...]]]]:
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


def _rings(component: list[tuple[Cell, _Side, tuple[Point, ...]]], normal: Point) -> list[list[Point]]:
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
