"""Convex hulls of a few points, of which many may lie in one plane, and solids set back and chamfered by them.

Hulls of sums of a triangle and a polytope have few possible planes. The sides of either give some, and an edge of one
with an edge of the other gives the rest. Each plane is tested. Methods that add point by point are unreliable if many
points lie in a plane.

Cells that are boxes side by side, cubes or squares as slabs, take a time that grows with the number of cells, with the
same result. The form at a corner of a cell depends only on the seven other cells that meet there. There are few such
forms, and each is made once. The piece is put together from them. Only numbers of positions on a grid are compared, so
the surface is closed without any tolerance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product

import numpy as np
import numpy.typing as npt

from puzzlec.geometry.solids import half_hull
from puzzlec.make.mesh import Floats, Manifold, Numbers, arrays, cleaned, library, manifold_of, united

#: Minimum difference of lengths, as a part of the size of the solid, and of directions.
_MIN_LENGTH_SHARE, _MIN_DIRECTION_DIFFERENCE = 1e-9, 1e-7


@dataclass(frozen=True, eq=False)
class Polytope:
    """A convex solid: its corners, its sides as rings of these (counterclockwise from outside), and their normals."""

    points: Floats
    rings: tuple[tuple[int, ...], ...]
    normals: Floats

    @cached_property
    def edges(self) -> Floats:
        """Directions of the edges, each once."""
        ends = {(min(a, b), max(a, b)) for ring in self.rings for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)}
        return distinct(np.array([self.points[b] - self.points[a] for a, b in sorted(ends)]), opposite=True)

    def manifold(self) -> Manifold:
        """Return the solid as a manifold."""
        m3 = library()
        triangles = [(ring[0], a, b) for ring in self.rings for a, b in pairwise(ring[1:])]
        mesh = m3.Mesh64(
            vert_properties=np.ascontiguousarray(self.points), tri_verts=np.array(triangles, dtype=np.uint64)
        )
        return m3.Manifold(mesh)


def distinct(vectors: Floats, opposite: bool = False) -> Floats:
    """Return vectors at length 1, each direction once; with ``opposite``, opposite directions count as one."""
    long = np.linalg.norm(vectors, axis=1)
    units = vectors[long > _MIN_LENGTH_SHARE * long.max()] / long[long > _MIN_LENGTH_SHARE * long.max(), None]
    kept: list[Floats] = []
    if opposite:
        rounded = np.rint(units / _MIN_DIRECTION_DIFFERENCE) * [
            [1.0, 1e-3, 1e-6]
        ]  # a sign that does not depend on rounding errors
        units = units * np.where(rounded.sum(axis=1) < 0, -1.0, 1.0)[:, None]
    _, first = np.unique(np.rint(units / _MIN_DIRECTION_DIFFERENCE), axis=0, return_index=True)
    for unit in units[np.sort(first)]:
        if not kept or np.abs(np.array(kept) - unit).max(axis=1).min() > 10 * _MIN_DIRECTION_DIFFERENCE:
            kept.append(unit)
    return np.array(kept)


def convex(points: Floats) -> Polytope:
    """Return the hull of a few points, testing the plane through any three of them."""
    places = _merged(points)
    corners = places[np.array(list(combinations(range(len(places)), 3)))]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return hull(places, np.concatenate([across, -across]))


def swept(triangle: Floats, around: Polytope) -> Polytope:
    """Return the solid that a polytope sweeps when it is moved all over a triangle."""
    sides = triangle[[1, 2, 0]] - triangle
    flat = np.cross(sides[0], sides[1])[None]
    across = np.cross(sides[:, None], around.edges[None]).reshape(-1, 3)
    places = _merged((triangle[:, None] + around.points[None]).reshape(-1, 3))
    return hull(places, np.concatenate([around.normals, flat, -flat, across, -across]))


def _merged(points: Floats) -> Floats:
    """Return points, merging those that differ by rounding errors only."""
    size = float(np.ptp(points, axis=0).max())
    _, first = np.unique(np.rint(points / (size * _MIN_DIRECTION_DIFFERENCE)), axis=0, return_index=True)
    distinct: Floats = points[np.sort(first)]
    return distinct


def hull(points: Floats, across: Floats) -> Polytope:
    """Return the hull of points whose sides have normals among ``across``, which have any length."""
    long = np.linalg.norm(across, axis=1)
    size = float(np.ptp(points, axis=0).max())
    units = across[long > _MIN_LENGTH_SHARE * long.max()] / long[long > _MIN_LENGTH_SHARE * long.max(), None]
    heights = units @ points.T
    on = heights > heights.max(axis=1)[:, None] - 10 * _MIN_LENGTH_SHARE * size
    enough = on.sum(axis=1) > 2
    units, on = units[enough], on[enough]
    _, first = np.unique(on, axis=0, return_index=True)
    units, on = units[np.sort(first)], on[np.sort(first)]
    right = np.cross(np.eye(3)[np.argmin(np.abs(units), axis=1)], units)
    across_it, along_it = right @ points.T, np.cross(units, right) @ points.T
    rings: list[tuple[tuple[int, ...], Floats]] = []
    for unit, those, x, y in zip(units, on, across_it, along_it, strict=True):
        numbers = np.flatnonzero(those)
        ring = _around(numbers, x[numbers], y[numbers], size)
        if len(ring) > 2:
            rings.append((ring, unit))
    used = sorted({number for ring, _ in rings for number in ring})
    new = {number: place for place, number in enumerate(used)}
    renamed = tuple([tuple([new[number] for number in ring]) for ring, _ in rings])
    return Polytope(points[used], renamed, np.array([unit for _, unit in rings]))


def _around(numbers: npt.NDArray[np.intp], across: Floats, along: Floats, size: float) -> tuple[int, ...]:
    """Return the corners of the hull of points in a plane, counterclockwise (A. M. Andrew's monotone chain, 1979)."""
    order = np.lexsort(
        (np.rint(along / (size * _MIN_DIRECTION_DIFFERENCE)), np.rint(across / (size * _MIN_DIRECTION_DIFFERENCE)))
    )
    places = list(zip(across[order].tolist(), along[order].tolist(), numbers[order].tolist(), strict=True))
    halves = [half_hull(way, 1e-8 * size * size)[:-1] for way in (places, places[::-1])]
    return tuple([number for half in halves for _, _, number in half])


#: Lengths that differ by less than this, in mm, are equal up to rounding errors.
_MAX_ROUNDING_MM = 1e-9


def finished(solid: Manifold, back: float, bevel: float) -> Manifold:
    """Return a solid with every side set ``back``, and then its outer edges cut off; it may be empty.

    ``bevel`` is what a right-angled edge loses on either side.
    """
    if back + bevel <= 0 or solid.is_empty():
        return solid
    m3 = library()
    directions = normals(solid)
    around = convex(directions)
    reach = convex(_polar(around, back + bevel))
    core = cleaned(m3.Manifold.batch_boolean([solid, *_swept(solid, reach)], m3.OpType.Subtract))
    if bevel <= 0 or core.is_empty():
        return core
    tip = Polytope(around.points * bevel, around.rings, around.normals)
    return united([core, *_swept(core, tip)])


def normals(solid: Manifold) -> Floats:
    """Return the unit normals of the sides of a solid and their opposites, each once."""
    points, triangles = arrays(solid)
    a, b, c = points[triangles].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    reach = np.maximum(np.linalg.norm(b - a, axis=1), np.linalg.norm(c - a, axis=1))
    flat = np.linalg.norm(across, axis=1) > 1e-6 * reach**2  # the normals of slivers are noise
    units = distinct(across[flat])
    return distinct(np.concatenate([units, -units]))


def _swept(solid: Manifold, around: Polytope) -> list[Manifold]:
    """Yield for each triangle of a surface the solid that a polytope sweeps along it; equal ones are made once."""
    m3 = library()
    points, triangles = arrays(solid)
    corners = points[triangles]
    sides = np.roll(corners, -1, axis=1) - corners
    areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    corners = corners[areas > 1e-7 * longest**2]  # neighbours of slivers sweep the same
    # A triangle begins at its least corner, so that equal triangles have equal numbers.
    first = np.lexsort(np.rint(corners / _MAX_ROUNDING_MM).transpose(2, 0, 1)[::-1], axis=-1)[:, 0]
    corners = corners[np.arange(len(corners))[:, None], (first[:, None] + np.arange(3)) % 3]
    alike: dict[bytes, Manifold] = {}
    solids = []
    for triangle in corners:
        shape = triangle - triangle[0]
        key = (np.rint(shape / _MAX_ROUNDING_MM) + 0.0).tobytes()
        if key not in alike:
            made = swept(shape, around).manifold()
            if made.status() != m3.Error.NoError:  # for points nearly in a plane: another way to make a hull
                made = m3.Manifold.hull_points((shape[:, None] + around.points[None]).reshape(-1, 3))
            alike[key] = made
        solids.append(alike[key].translate(tuple(triangle[0])))
    return solids


def _polar(around: Polytope, distance: float) -> Floats:
    """Return the corners of the polytope that has a side in the direction of each corner of another polytope."""
    heights = [normal @ around.points[ring[0]] for normal, ring in zip(around.normals, around.rings, strict=True)]
    corners: Floats = around.normals * (distance / np.array(heights))[:, None]
    return corners


#: The cells beside a cell at a corner, as steps along the axes: first with a common side, then an edge, then a corner.
_STEPS_BESIDE = sorted(product((0, 1), repeat=3), key=sum)[1:]
#: Positions along an axis are the same if they are closer than this fraction of a cell.
_MAX_ROUNDING_CELLS = 1e-7
#: The normals of a box with chamfered edges: of its sides, of its edges, of its corners.
_TURNED = (
    np.array(
        sorted(
            (direction for direction in product((-1, 0, 1), repeat=3) if any(direction)),
            key=lambda way: (sum(map(abs, way)), way),
        )
    )
    * 1.0
)
#: The triangles of the surface in an eighth of a cell, as corners: distances from the planes at that corner of the
#: cell.
_Patch = Floats


def finished_boxes(cells: Sequence[Sequence[int]] | Numbers, size: Floats, back: Floats, bevel: float) -> Manifold:
    """Return boxes of one size in a grid, joined, each side set back and outer edges cut off.

    ``cells`` are n x 3 numbers along the axes of space; the box of (0, 0, 0) has its middle at the origin. ``size`` and
    ``back`` have a length in mm for each axis. ``bevel`` is what an edge loses on either side. Along axes with
    neighbouring cells ``back`` must be above 0. Otherwise the cut at an edge exposes a part of the plane between two
    cells. No box may vanish completely.
    """
    if (2 * (back + bevel) >= size).any():
        return library().Manifold()
    at = np.array(cells, dtype=np.int64)
    at -= at.min(axis=0)
    corners = np.array(list(product((-1, 1), repeat=3)), dtype=np.int64)
    signs = _signs(at, corners)
    patches = {int(sign): _patch(int(sign), size, back, bevel) for sign in np.unique(signs)}
    levels = [_levels(np.concatenate([patch[..., axis].ravel() for patch in patches.values()]), size[axis] / 2)
              for axis in range(3)]  # fmt: skip
    surfaces = []
    for sign, patch in patches.items():
        numbers = np.stack([_nearest(levels[axis], patch[..., axis]) for axis in range(3)], axis=-1)
        for number, corner in enumerate(corners):
            those = at[signs[:, number] == sign]
            if len(those) and len(numbers):
                surfaces.append(_put(numbers, those, corner, [len(level) for level in levels]))
    keys, triangles = np.unique(np.concatenate(surfaces).reshape(-1, 3), axis=0, return_inverse=True)
    low = (np.array(cells).min(axis=0) - 0.5) * size
    points = np.stack([low[axis] + _places(keys[:, axis], levels[axis]) for axis in range(3)], axis=1)
    return manifold_of(points, triangles.reshape(-1, 3).astype(np.int64))


def _signs(cells: Numbers, corners: Numbers) -> Numbers:
    """Return for each cell and each of its corners which cells beside it exist there, a bit for each."""
    # Wide gaps between cells become narrow, so that each position of a grid around all cells has a number.
    narrow = np.stack([_narrowed(column) for column in cells.T], axis=1)
    extent = narrow.max(axis=0) + 3
    keys = np.sort(np.ravel_multi_index(tuple((narrow + 1).T), tuple(extent)))
    signs = np.zeros((len(cells), len(corners)), dtype=np.int64)
    for number, corner in enumerate(corners):
        for bit, step in enumerate(_STEPS_BESIDE):
            key = np.ravel_multi_index(tuple((narrow + 1 + corner * step).T), tuple(extent))
            where = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            signs[:, number] |= (keys[where] == key).astype(np.int64) << bit
    return signs


def _narrowed(column: Numbers) -> Numbers:
    values, where = np.unique(column, return_inverse=True)
    steps = np.concatenate([[0], np.minimum(np.diff(values), 2)])
    numbers: Numbers = np.cumsum(steps)[where.reshape(-1)]
    return numbers


def _put(numbers: Numbers, cells: Numbers, corner: Numbers, levels: Sequence[int]) -> Numbers:
    """Return the triangles of a patch at one corner of cells, as numbers of positions: m x 3 x 3.

    Along an axis each half of a cell has a position for each level. Its last position is the first one of the next
    half.
    """
    positions = np.empty((len(cells), *numbers.shape), dtype=np.int64)
    for axis, side in enumerate(corner):
        steps = levels[axis] - 1
        first = 2 * cells[:, axis] + (1 if side > 0 else 0)
        within = steps - numbers[..., axis] if side > 0 else numbers[..., axis]
        positions[..., axis] = (first * steps)[:, None, None] + within[None]
    # At the corner with the least coordinates a patch is unchanged; each reversed axis reflects it.
    return (positions[:, :, ::-1] if (corner > 0).sum() % 2 else positions).reshape(-1, 3, 3)


def _levels(values: Floats, half: float) -> Floats:
    """Return the different values from 0 to half a cell, both included, in ascending order."""
    ordered = np.unique(np.concatenate([[0.0, half], values]))
    kept: Floats = ordered[np.concatenate([[True], np.diff(ordered) > _MAX_ROUNDING_CELLS * half])]
    kept[-1] = half
    return kept


def _nearest(levels: Floats, values: Floats) -> Numbers:
    nearest: Numbers = np.abs(values[..., None] - levels).argmin(axis=-1)
    return nearest


def _places(keys: Numbers, levels: Floats) -> Floats:
    """Return the distances of positions with these numbers from the first one along an axis."""
    steps, half = len(levels) - 1, levels[-1]
    turned = half - levels[::-1]
    which, within = np.divmod(keys, steps)
    distances: Floats = np.asarray(which * half + np.where(which % 2 == 0, levels[within], turned[within]))
    return distances


def _patch(sign: int, size: Floats, back: Floats, bevel: float) -> _Patch:
    """Return the surface around a corner of a cell: triangles by the distances of their corners from its planes.

    ``sign`` has a bit for each cell in the order of ``_STEPS_BESIDE``. The form is a union of boxes: the cell itself,
    and one more for each neighbour, which reaches across the plane, the line or the corner.
    """
    deep, half = back + bevel, size / 2
    beside = {step for bit, step in enumerate(_STEPS_BESIDE) if sign >> bit & 1}
    # It continues across an edge only if both cells between exist. The same holds at a corner.
    goes_on = [step for step in product((0, 1), repeat=3) if step in beside | {(0, 0, 0)} and _whole(step, beside)]
    boxes = [_chamfered(np.where(step, -deep, deep), size - deep, bevel) for step in map(np.array, goes_on)]
    m3 = library()
    room = m3.Manifold.cube(tuple(half))
    points, triangles = arrays(united(boxes) ^ room)
    corners = points[triangles]
    near = _MAX_ROUNDING_CELLS * half
    kept = np.ones(len(corners), dtype=bool)
    for axis in range(3):
        kept &= ~(np.abs(corners[:, :, axis] - half[axis]) < near[axis]).all(axis=1)
        if tuple(np.eye(3, dtype=int)[axis].tolist()) in beside:
            kept &= ~(np.abs(corners[:, :, axis]) < near[axis]).all(axis=1)
    patch: _Patch = corners[kept]
    return patch


def _whole(step: tuple[int, ...], beside: set[tuple[int, ...]]) -> bool:
    """Whether all cells between a cell and the one that is a step away exist."""
    return all(
        other in beside
        for other in product((0, 1), repeat=3)
        if any(other) and all(a <= b for a, b in zip(other, step, strict=True))
    )


def _chamfered(low: Floats, high: Floats, bevel: float) -> Manifold:
    """Return a box grown by an octahedron whose corners are ``bevel`` away from its middle."""
    corners = np.array(list(product(*zip(low, high, strict=True))))
    if not bevel:
        return hull(corners, _TURNED[:6]).manifold()
    steps = np.concatenate([np.eye(3), -np.eye(3)]) * bevel
    return hull((corners[:, None] + steps[None]).reshape(-1, 3), _TURNED).manifold()
