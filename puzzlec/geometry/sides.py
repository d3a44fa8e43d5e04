"""Boards of edges: the sides of the cells of another lattice. The sides of squares are sticks.

A lattice of edges names the lattice of its *faces* and the position of its origin. Both have the same translations: a
face moved by a step has its sides moved by the same step. So the sides need to be found only once for each kind of
face.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from puzzlec.geometry.faces import exactly
from puzzlec.geometry.lattice import Cell, Lattice, Point, faces_of, find_lattice, inverse, written
from puzzlec.geometry.regions import MAX_REGION_CELLS, Region, RegionTooLargeError

#: A corner or the middle of a side, in points of the lattice of edges.
Place = tuple[Fraction, ...]


def sides_of(faces: Iterable[Cell], edges: Lattice) -> Region:
    """Return the edges that are sides of cells of the faces' lattice, each once, in the order of the faces.

    >>> from puzzlec.geometry import find_lattice
    >>> list(sides_of([(0, 0)], find_lattice("sticks")))
    [(0, 0, 0), (1, 0, 1), (0, 1, 0), (0, 0, 1)]

    Raises ValueError if a side is not an edge, or the lattice names no faces; RegionTooLargeError for too many edges.
    """
    lattice = faces_of(edges)
    if lattice is None:
        raise ValueError(f"lattice {edges.name} names no lattice of faces")
    kinds = len(lattice.kinds)
    around = [_sides_of_kind(edges, number) for number in range(kinds)]
    region: Region = {}
    for face in faces:
        for side in around[face[-1] if kinds > 1 else 0]:
            place = tuple([c + s for c, s in zip(face[: edges.dimension], side[: edges.dimension], strict=True)])
            region[(*place, *side[edges.dimension :])] = None
        if len(region) > MAX_REGION_CELLS:
            raise RegionTooLargeError
    return region


@cache
def _sides_of_kind(edges: Lattice, number: int) -> tuple[Cell, ...]:
    """Return the edges around the face of a kind at the origin; raise ValueError if a side is not an edge."""
    sides = []
    for side in outline_sides(edges, number):
        edge = edge_between(edges, *side)
        if edge is None:
            ends = " to ".join(written(end) for end in side)
            raise ValueError(f"side from {ends} is not an edge")
        sides.append(edge)
    return tuple(sides)


def outline_sides(edges: Lattice, number: int) -> list[tuple[Place, Place]]:
    """Return the sides of the face of a kind at the origin, each as its two ends in points of the edges' lattice."""
    assert edges.faces is not None
    faces, origin = find_lattice(edges.faces[0]), edges.faces[1]
    kind = faces.kinds[number]
    corners = [
        _mapped(edges, faces, origin, [at + exactly(step) for at, step in zip(kind.at, corner, strict=True)])
        for corner in kind.outline
    ]
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def edge_between(edges: Lattice, one: Place, other: Place) -> Cell | None:
    """Return the edge with these two ends, or None."""
    middle = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
    if any(value.denominator != 1 for value in middle):
        return None
    point: Point = tuple([int(value) for value in middle])
    cell = edges.cell(point)
    if cell is None:
        return None
    outline = edges.kinds[edges.class_of(point)].outline
    ends = {tuple([p + exactly(step) for p, step in zip(point, corner, strict=True)]) for corner in outline}
    return cell if ends == {one, other} else None


def _mapped(edges: Lattice, faces: Lattice, origin: Point, point: list[Fraction]) -> Place:
    """Return the position of a point of the faces' lattice among the points of the edges' lattice."""
    across, scale = inverse(tuple(zip(*faces.translations, strict=True)))
    steps = [sum((a * p for a, p in zip(row, point, strict=True)), Fraction()) / scale for row in across]
    return tuple(
        at + sum((s * vector[axis] for s, vector in zip(steps, edges.translations, strict=True)), Fraction())
        for axis, at in enumerate(origin)
    )
