"""The raw forms of pieces in space, in mm: solids of cells, slabs, bars, and balls with necks.

A solid has the sides of its cells that no two of them share. Corners are points of integers until the end, so the solid
is closed without any tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from math import cos, hypot, pi, sin
from typing import Any

import numpy as np

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.bars import EdgeBars
from puzzlec.geometry.faces import Place, cross, exact_corners, exact_outline, faces, ordered_facet, place, scale_of
from puzzlec.geometry.lattice import Point
from puzzlec.geometry.outlines import outline
from puzzlec.geometry.solids import solid
from puzzlec.make.choices import Sizes, side_length
from puzzlec.make.hulls import convex
from puzzlec.make.mesh import Floats, Manifold, Mesh, cleaned, library, manifold_of, united

#: The number of corners around the equator of a ball; a neck has half as many.
CORNERS_OF_EQUATOR = 48
#: Directions and lengths (in cells) closer than this are equal.
MAX_ROUNDING_CELLS = 1e-7
#: The mitre limit of flat pieces: at sharper angles the inset is cut off.
MITRE_LIMIT = 4.0


def unit(lattice: Lattice, sizes: Sizes) -> float:
    """Return the mm of a length of 1 on paper."""
    return sizes.cell / side_length(lattice)


def corners_of(lattice: Lattice, cell: Cell, sizes: Sizes) -> Floats:
    """Return the corners of a cell in space, n x 3 in mm."""
    return _placed(lattice, exact_corners(lattice, cell), sizes)


def middle_of(lattice: Lattice, cell: Cell, sizes: Sizes) -> Floats:
    """Return the position of a cell's point in space, in mm."""
    return np.array(place(lattice, lattice.point(cell)), dtype=np.float64) * unit(lattice, sizes)


def _placed(lattice: Lattice, corners: Iterable[Point], sizes: Sizes) -> Floats:
    """Return exact corners in space, n x 3 in mm."""
    scale = scale_of(lattice)
    places = [place(lattice, [value / scale for value in corner]) for corner in corners]
    return np.array(places, dtype=np.float64) * unit(lattice, sizes)


def solid_cells(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Manifold:
    """Return the union of solid cells."""
    if not _side_to_side(lattice):
        return _united_cells(lattice, cells, sizes)
    outside: dict[frozenset[Point], tuple[Point, ...]] = {}
    scale, sides = scale_of(lattice), [_sides(lattice, kind) for kind in range(len(lattice.kinds))]
    for cell in cells:
        point = lattice.point(cell)
        at = [scale * value for value in point]
        for side in sides[lattice.class_of(point)]:
            corners = tuple([tuple([a + b for a, b in zip(at, corner, strict=True)]) for corner in side])
            key = frozenset(corners)
            if outside.pop(key, None) is None:
                outside[key] = corners
    numbers: dict[Point, int] = {}
    triangles = []
    for corners in outside.values():
        first, *rest = (numbers.setdefault(corner, len(numbers)) for corner in corners)
        triangles += [(first, a, b) for a, b in pairwise(rest)]
    raw = Mesh(_placed(lattice, numbers, sizes), np.array(triangles, dtype=np.int64))
    solid = manifold_of(raw.points, raw.triangles)
    # If cells touch along many edges, the matching triangles there may not be found.
    right = abs(solid.volume() - raw.volume) < MAX_ROUNDING_CELLS * raw.volume
    return solid if right else _united_cells(lattice, cells, sizes)


@cache
def _sides(lattice: Lattice, kind: int) -> tuple[tuple[Point, ...], ...]:
    return tuple([ordered_facet(lattice, kind, facet) for facet in solid(exact_outline(lattice, kind)).facets])


def _side_to_side(lattice: Lattice) -> bool:
    """Whether cells always share whole sides, not parts of them."""
    return all(face.beyond is not None for kind in range(len(lattice.kinds)) for face in faces(lattice, kind))


def _united_cells(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Manifold:
    """Return the union of cells that may share parts of sides.

    A boolean does not always join solids that only touch. So a flat double pyramid across the common part of two sides
    is added: it is within both together, and overlaps them.
    """
    parts = [convex(corners_of(lattice, cell, sizes)).manifold() for cell in cells]
    sides = {lattice.point(cell): _placed_sides(lattice, cell, sizes) for cell in cells}
    for point, one in sides.items():
        steps = lattice.kinds[lattice.class_of(point)].neighbours
        beside = [tuple([a + b for a, b in zip(point, step, strict=True)]) for step in steps]
        two = [side for other in beside if other in sides and point < other for side in sides[other]]
        for (polygon, normal), (other, opposite) in product(one, two):
            if (
                np.abs(normal + opposite).max() < MAX_ROUNDING_CELLS
                and abs((other[0] - polygon[0]) @ normal) < MAX_ROUNDING_CELLS * sizes.cell
            ):
                shared = _clipped(polygon, other, opposite)
                if len(shared) > 2:
                    tip = normal * (0.01 * sizes.cell)
                    middle = np.mean(shared, axis=0)
                    parts.append(convex(np.array([*shared, middle + tip, middle - tip])).manifold())
    return united(parts)


def _placed_sides(lattice: Lattice, cell: Cell, sizes: Sizes) -> list[tuple[Floats, Floats]]:
    """Return the corners of the sides of a cell, in mm, and their normals."""
    mm, point = unit(lattice, sizes), lattice.point(cell)
    at = np.array(place(lattice, point))
    return [
        (mm * (np.array(side.corners) + at), np.array(side.normal)) for side in faces(lattice, lattice.class_of(point))
    ]


def _clipped(polygon: Floats, other: Floats, normal: Floats) -> list[Floats]:
    """Return the intersection of two convex polygons in a plane, the second counterclockwise about the normal.

    It is cut along each side of the other (I. E. Sutherland and G. W. Hodgman, Reentrant polygon clipping, 1974).
    """
    left = list(polygon)
    for start, end in zip(other, np.roll(other, -1, axis=0), strict=True):
        inwards = np.cross(normal, end - start)
        heights = [float(inwards @ (corner - start)) for corner in left]
        kept: list[Floats] = []
        for number, (corner, height) in enumerate(zip(left, heights, strict=True)):
            before, below = left[number - 1], heights[number - 1]
            if (height > 0) != (below > 0) and height != below:
                kept.append(before + (corner - before) * (below / (below - height)))
            if height > 0:
                kept.append(corner)
        left = kept
    area = sum((np.cross(b - left[0], c - left[0]) for b, c in pairwise(left[1:])), np.zeros(3))
    return left if hypot(*area) > MAX_ROUNDING_CELLS * hypot(*np.ptp(polygon, axis=0)) ** 2 else []


def slab(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes, height: float) -> Manifold:
    """Return flat cells as a slab on the table, its sides set back by half of the gap."""
    mm = unit(lattice, sizes)
    rings = [[(x * mm, -y * mm) for x, y in reversed(ring)] for ring in outline(lattice, cells)]
    return extruded(rings, sizes.gap / 2, height)


def bars(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Manifold:
    """Return edges as bars that meet at points, set back by half of the gap."""
    form = EdgeBars(lattice, unit(lattice, sizes), sizes.width)
    shape = form.shape(cells)
    rings = [
        [(x, -y) for x, y in ring.coords[:-1]]
        for part in getattr(shape, "geoms", [shape])
        for ring in (part.exterior, *part.interiors)
    ]
    return extruded(rings, sizes.gap / 2, sizes.height or 2 * form.half)


def extruded(rings: Sequence[Sequence[Place]], back: float, height: float) -> Manifold:
    """Return the inside of rings as a slab from the table up, each side set back."""
    m3 = library()
    section = m3.CrossSection([np.array(ring) for ring in rings], m3.FillRule.EvenOdd)
    parts = len(section.decompose())
    if back > 0:
        section = section.offset(-back, m3.JoinType.Miter, MITRE_LIMIT)
    # If one of several parts is gone, the piece is gone.
    return m3.Manifold() if section.is_empty() or len(section.decompose()) < parts else cleaned(section.extrude(height))


def balls(lattice: Lattice, cells: Sequence[Cell], sizes: Sizes) -> Manifold:
    """Return balls, smaller by the gap, with necks between those that touch."""
    m3 = library()
    radius = (sizes.cell - sizes.gap) / 2
    if radius <= 0:
        return m3.Manifold()
    ball = m3.Manifold.sphere(radius, CORNERS_OF_EQUATOR)
    at = [middle_of(lattice, cell, sizes) for cell in cells]
    touching = [(a, b) for a, b in combinations(at, 2) if hypot(*(b - a)) < 1.001 * sizes.cell]
    neck = min(sizes.neck or sizes.cell / 4, radius)
    return united([*(ball.translate(tuple(centre)) for centre in at), *(_neck(a, b, neck) for a, b in touching)])


def _neck(start: Floats, end: Floats, radius: float) -> Any:
    """Return a bar with a round section from one position to another."""
    axis = (end - start) / hypot(*(end - start))
    spare = min(range(3), key=lambda number: (round(float(abs(axis[number])), 6), number))
    beside = np.array(cross(tuple(axis), tuple(np.eye(3)[spare])))
    beside /= hypot(*beside)
    steps = [2 * pi * number / (CORNERS_OF_EQUATOR // 2) for number in range(CORNERS_OF_EQUATOR // 2)]
    m3 = library()
    section = m3.CrossSection([np.array([[radius * cos(angle), radius * sin(angle)] for angle in steps])])
    turn = np.stack([beside, np.cross(axis, beside), axis, start], axis=1)
    return section.extrude(hypot(*(end - start))).transform(turn)
