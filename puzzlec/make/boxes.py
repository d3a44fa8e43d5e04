"""Cells that are boxes side by side, set back and chamfered: cubes, and squares as slabs.

The result is that of :func:`puzzlec.make.hulls.finished`, in a time that grows with the number of cells. The form at a
corner of a cell depends only on the seven other cells that meet there. There are few such forms, and each is made once.
The piece is put together from them. Only numbers of positions on a grid are compared, so the surface is closed without
any tolerance.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from puzzlec.make.hulls import hull
from puzzlec.make.mesh import Floats, Manifold, Numbers, arrays, library, manifold_of, united

#: The cells beside a cell at a corner, as steps along the axes: first with a common side, then an edge, then a corner.
_BESIDE = sorted(product((0, 1), repeat=3), key=sum)[1:]
#: Positions along an axis are the same if they are closer than this fraction of a cell.
_SAME = 1e-7
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
    found = []
    for sign, patch in patches.items():
        numbers = np.stack([_nearest(levels[axis], patch[..., axis]) for axis in range(3)], axis=-1)
        for number, corner in enumerate(corners):
            those = at[signs[:, number] == sign]
            if len(those) and len(numbers):
                found.append(_put(numbers, those, corner, [len(level) for level in levels]))
    keys, triangles = np.unique(np.concatenate(found).reshape(-1, 3), axis=0, return_inverse=True)
    low = (np.array(cells).min(axis=0) - 0.5) * size
    points = np.stack([low[axis] + _places(keys[:, axis], levels[axis]) for axis in range(3)], axis=1)
    return manifold_of(points, triangles.reshape(-1, 3).astype(np.int64))


def _signs(cells: Numbers, corners: Numbers) -> Numbers:
    """Return for each cell and each of its corners which cells beside it exist there, a bit for each."""
    # Wide gaps between cells become narrow, so that each position of a grid around all cells has a number.
    narrow = np.stack([_narrowed(column) for column in cells.T], axis=1)
    extent = narrow.max(axis=0) + 3
    keys = np.sort(np.ravel_multi_index(tuple((narrow + 1).T), tuple(extent)))
    found = np.zeros((len(cells), len(corners)), dtype=np.int64)
    for number, corner in enumerate(corners):
        for bit, step in enumerate(_BESIDE):
            key = np.ravel_multi_index(tuple((narrow + 1 + corner * step).T), tuple(extent))
            where = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            found[:, number] |= (keys[where] == key).astype(np.int64) << bit
    return found


def _narrowed(column: Numbers) -> Numbers:
    values, where = np.unique(column, return_inverse=True)
    steps = np.concatenate([[0], np.minimum(np.diff(values), 2)])
    found: Numbers = np.cumsum(steps)[where.reshape(-1)]
    return found


def _put(numbers: Numbers, cells: Numbers, corner: Numbers, levels: Sequence[int]) -> Numbers:
    """Return the triangles of a patch at one corner of cells, as numbers of positions: m x 3 x 3.

    Along an axis each half of a cell has a position for each level. Its last position is the first one of the next
    half.
    """
    own = np.empty((len(cells), *numbers.shape), dtype=np.int64)
    for axis, side in enumerate(corner):
        steps = levels[axis] - 1
        first = 2 * cells[:, axis] + (1 if side > 0 else 0)
        within = steps - numbers[..., axis] if side > 0 else numbers[..., axis]
        own[..., axis] = (first * steps)[:, None, None] + within[None]
    # At the corner with the least coordinates a patch is unchanged; each reversed axis reflects it.
    return (own[:, :, ::-1] if (corner > 0).sum() % 2 else own).reshape(-1, 3, 3)


def _levels(values: Floats, half: float) -> Floats:
    """Return the different values from 0 to half a cell, both included, in ascending order."""
    ordered = np.unique(np.concatenate([[0.0, half], values]))
    kept: Floats = ordered[np.concatenate([[True], np.diff(ordered) > _SAME * half])]
    kept[-1] = half
    return kept


def _nearest(levels: Floats, values: Floats) -> Numbers:
    found: Numbers = np.abs(values[..., None] - levels).argmin(axis=-1)
    return found


def _places(keys: Numbers, levels: Floats) -> Floats:
    """Return the distances of positions with these numbers from the first one along an axis."""
    steps, half = len(levels) - 1, levels[-1]
    turned = half - levels[::-1]
    which, within = np.divmod(keys, steps)
    found: Floats = np.asarray(which * half + np.where(which % 2 == 0, levels[within], turned[within]))
    return found


def _patch(sign: int, size: Floats, back: Floats, bevel: float) -> _Patch:
    """Return the surface around a corner of a cell: triangles by the distances of their corners from its planes.

    ``sign`` has a bit for each cell in the order of ``_BESIDE``. The form is a union of boxes: the cell itself, and one
    more for each neighbour, which reaches across the plane, the line or the corner.
    """
    deep, half = back + bevel, size / 2
    beside = {step for bit, step in enumerate(_BESIDE) if sign >> bit & 1}
    # It continues across an edge only if both cells between exist. The same holds at a corner.
    goes_on = [step for step in product((0, 1), repeat=3) if step in beside | {(0, 0, 0)} and _whole(step, beside)]
    boxes = [_chamfered(np.where(step, -deep, deep), size - deep, bevel) for step in map(np.array, goes_on)]
    m3 = library()
    room = m3.Manifold.cube(tuple(half))
    points, triangles = arrays(united(boxes) ^ room)
    corners = points[triangles]
    near = _SAME * half
    kept = np.ones(len(corners), dtype=bool)
    for axis in range(3):
        kept &= ~(np.abs(corners[:, :, axis] - half[axis]) < near[axis]).all(axis=1)
        if tuple(np.eye(3, dtype=int)[axis].tolist()) in beside:
            kept &= ~(np.abs(corners[:, :, axis]) < near[axis]).all(axis=1)
    found: _Patch = corners[kept]
    return found


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
