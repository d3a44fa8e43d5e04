"""Meshes of triangles: arrays of points in mm and of triangles, counterclockwise as seen from outside.

The library manifold3d joins, cuts and hulls solids; its solids are called manifolds here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlec.diagnostics.error import needs

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.int64]
Manifold: TypeAlias = Any

#: The grid of coordinates in mm: finer than any printer, and all that 32 bits hold at 1 m.
GRID_MM = 1e-4
#: A manifold that is flatter or shorter than this (mm) is an error of rounding.
TOLERANCE_MM = 1e-6
#: A manifold of less volume than this, in cubic mm, is empty.
MIN_VOLUME_MM3 = 1e-6


@dataclass(frozen=True, eq=False)
class Mesh:
    """Points (an array of n x 3, in mm) and triangles (m x 3 numbers of points), both in ascending order."""

    points: Floats
    triangles: Numbers

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """The smallest and largest coordinates."""
        return self.points.min(axis=0), self.points.max(axis=0)

    @property
    def volume(self) -> float:
        """Volume in cubic mm: the sum of the tetrahedra between the triangles and a point, with their signs."""
        corners = self.points[self.triangles] - self.points[0]
        return float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6)

    @property
    def seams(self) -> int:
        """Number of edges that do not have exactly two triangles, one in each direction."""
        ends = np.concatenate([self.triangles[:, [0, 1]], self.triangles[:, [1, 2]], self.triangles[:, [2, 0]]])
        low, high = ends.min(axis=1), ends.max(axis=1)
        key = low * len(self.points) + high
        _, where, number = np.unique(key, return_inverse=True, return_counts=True)
        balance = np.zeros(len(number), dtype=np.int64)
        np.add.at(balance, where.reshape(-1), np.where(ends[:, 0] == low, 1, -1))
        return int(((number != 2) | (balance != 0)).sum())

    def moved(self, matrix: Floats | None, step: Floats) -> Mesh:
        """Return the mesh rotated by a matrix (None: not at all) and then moved, sorted by its new positions."""
        points = self.points if matrix is None else self.points @ matrix.T
        return ordered(points + step, self.triangles)


def ordered(points: Floats, triangles: Numbers) -> Mesh:
    """Return a mesh with points on the grid, each once, both sorted.

    It has no triangles that became lines, and no pairs that lie back to back.
    """
    numbers = np.rint(points / GRID_MM).astype(np.int64)
    places, where = np.unique(numbers, axis=0, return_inverse=True)
    faces = where.reshape(-1)[triangles]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    first = faces.argmin(axis=1)
    rows = np.arange(len(faces))[:, None]
    faces = faces[rows, (first[:, None] + np.arange(3)) % 3]
    faces = _without_fins(faces)
    faces = faces[np.lexsort(faces.T[::-1])]
    return Mesh(places / round(1 / GRID_MM) + 0.0, faces)


def _without_fins(triangles: Numbers) -> Numbers:
    """Return triangles without pairs that lie back to back: they enclose nothing."""
    ends = np.sort(triangles, axis=1)
    _, where, number = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    if (number < 2).all():
        return triangles
    where = where.reshape(-1)
    turned = np.where(triangles[:, 1] < triangles[:, 2], 1, -1)  # each starts at its least number
    kept = np.ones(len(triangles), dtype=bool)
    for group in np.flatnonzero(number > 1):
        those = np.flatnonzero(where == group)
        one, other = those[turned[those] > 0], those[turned[those] < 0]
        pairs = min(len(one), len(other))
        kept[one[:pairs]] = kept[other[:pairs]] = False
    return triangles[kept]


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Return meshes as one; points at the same position become one."""
    begin = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, begin, strict=False)]
    return ordered(np.concatenate([mesh.points for mesh in meshes]), np.concatenate(triangles))


def library() -> Any:
    """Return manifold3d; raise PuzzleError (PZ505) if it is missing."""
    return needs("manifold3d", "print", "a model")


def arrays(manifold: Manifold) -> tuple[Floats, Numbers]:
    """Return the points and triangles of a manifold as they are."""
    mesh = manifold.to_mesh64()
    return np.asarray(mesh.vert_properties[:, :3]), mesh.tri_verts.astype(np.int64)


def mesh_of(manifold: Manifold) -> Mesh:
    """Return the mesh of a manifold, on the grid."""
    plain = ordered(*arrays(manifold))
    if not plain.seams:
        return plain
    # Slivers that became flat on the grid are removed.
    coarser = (ordered(*arrays(manifold.simplify(tolerance))) for tolerance in (GRID_MM, 2 * GRID_MM, 5 * GRID_MM))
    least = 10 * GRID_MM * manifold.surface_area()
    return next((mesh for mesh in coarser if not mesh.seams and abs(mesh.volume - plain.volume) < least), plain)


def manifold_of(points: Floats, triangles: Numbers) -> Manifold:
    """Return the manifold of a closed surface; edges with four triangles are separated."""
    m3 = library()
    mesh = m3.Mesh64(vert_properties=np.ascontiguousarray(points), tri_verts=triangles.astype(np.uint64))
    solid = m3.Manifold(mesh)
    # It is unknown which two of four triangles at an edge belong together, so nothing may be joined across it.
    return solid if Mesh(points, triangles).seams else cleaned(solid)


def cleaned(manifold: Manifold) -> Manifold:
    """Return a manifold without unneeded corners within flat sides and straight edges.

    If many sides meet, the library sometimes removes a corner that is needed. Then the volume differs, and a second try
    is more careful.
    """
    plain = manifold.as_original()
    volume, least = plain.volume(), 10 * TOLERANCE_MM * plain.surface_area()
    for tolerance in (TOLERANCE_MM, TOLERANCE_MM / 100, 10 * TOLERANCE_MM):
        simple = plain.simplify(tolerance)
        if abs(simple.volume() - volume) <= least:
            return simple
    return plain


def united(manifolds: Iterable[Manifold]) -> Manifold:
    """Return the union of manifolds."""
    m3 = library()
    return cleaned(m3.Manifold.batch_boolean(list(manifolds), m3.OpType.Add))


def is_nothing(manifold: Manifold) -> bool:
    """Whether a manifold is empty."""
    return bool(manifold.is_empty() or manifold.volume() < MIN_VOLUME_MM3)
