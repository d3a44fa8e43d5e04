"""How a piece lies so that it prints well: its largest flat side down, turned so that it takes little room."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin

import numpy as np

from puzzlec.make.mesh import Floats, Mesh, arrays, library
from puzzlec.make.things import Thing

#: Directions that are closer than this are the same; and so are areas, in parts of one another.
NEAR = 1e-4


def laid(thing: Thing) -> Thing:
    """Return a piece as it lies on the plate: the least x, y and z of it are 0.

    The side that it lies on is one that it can lie on, a side of its hull, and has the most of its own surface; of
    several the one that needs the least turning.
    """
    matrix = _levelled(_downwards(thing.rough))
    turned = thing.rough.points @ matrix.T
    matrix = _turned(_least_angle(turned[:, :2])) @ matrix
    matrix = np.where(np.abs(matrix - np.rint(matrix)) < 1e-9, np.rint(matrix), matrix)
    least = (thing.mesh.points @ matrix.T).min(axis=0)
    return thing.moved(matrix, -least)


def _downwards(mesh: Mesh) -> Floats:
    """Return the direction that is to point down: that of a side of the hull."""
    own, extents = _areas(mesh.points, mesh.triangles)
    heights = np.einsum("ij,ij->i", own, mesh.points[mesh.triangles[:, 0]])
    size = float(np.ptp(mesh.points, axis=0).max())
    found: list[tuple[float, Floats]] = []
    for normal in _candidates(mesh):
        reach = float((mesh.points @ normal).max())
        on_it = (np.abs(own - normal).max(axis=1) < 10 * NEAR) & (np.abs(heights - reach) < 10 * NEAR * size)
        found.append((float(extents[on_it].sum()), normal))
    most = max(area for area, _ in found)
    best = [normal for area, normal in found if area >= most * (1 - NEAR)]
    return min(best, key=lambda normal: [round(float(normal[2]), 4), *(round(float(value), 4) for value in normal)])


def _candidates(mesh: Mesh) -> list[Floats]:
    """Return the normals of the sides of the hull, each once.

    Points are moved by less than anybody sees, for hulls of points in one plane are not always right.
    """
    size = float(np.ptp(mesh.points, axis=0).max())
    moved = mesh.points + np.random.RandomState(7).uniform(-1e-7, 1e-7, mesh.points.shape) * size
    points, triangles = arrays(library().Manifold.hull_points(moved))
    normals, areas = _areas(points, triangles)
    order = np.argsort(-areas, kind="stable")  # those of slivers are noise, and come last
    exact = _areas(mesh.points, mesh.triangles)[0]
    found: list[Floats] = []
    for normal in normals[order]:
        if any(np.abs(normal - other).max() < NEAR for other in found):
            continue
        near = np.flatnonzero(np.abs(exact - normal).max(axis=1) < NEAR)
        found.append(exact[near[0]] if len(near) else normal)
    return found


def _areas(points: Floats, triangles: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> tuple[Floats, Floats]:
    """Return the unit normals of triangles and their areas."""
    a, b, c = points[triangles].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    long = np.linalg.norm(across, axis=1)
    return across / np.where(long > 0, long, 1)[:, None], long / 2


def _levelled(down: Floats) -> Floats:
    """Return the rotation that turns a direction down, about an axis that is level (O. Rodrigues, 1840)."""
    wanted = np.array([0.0, 0.0, -1.0])
    axis, along = np.cross(down, wanted), float(down @ wanted)
    if along < -1 + 1e-9:
        return np.diag([1.0, -1.0, -1.0])
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found: Floats = np.eye(3) + skew + skew @ skew / (1 + along)
    return found


def _turned(angle: float) -> Floats:
    """Return the rotation by an angle about the upright axis."""
    return np.array([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1]])


def _least_angle(places: Floats) -> float:
    """Return the angle to turn a flat figure by so that the rectangle around it is smallest, and lies along x.

    A side of the smallest rectangle lies on a side of the hull (H. Freeman and R. Shapira, Determining the
    minimum-area encasing rectangle for an arbitrary closed curve, 1975). Of several the least turn is taken.
    """
    rings = library().CrossSection.hull_points(places).to_polygons()
    steps = [end - start for ring in rings for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True)]
    size = float(np.ptp(places, axis=0).max())
    angles = {0.0} | {round(-atan2(y, x) % (pi / 2), 9) for x, y in steps if hypot(x, y) > NEAR * size}

    def room(angle: float) -> tuple[float, float, float]:
        found = places @ _turned(angle)[:2, :2].T
        wide, deep = np.ptp(found, axis=0)
        turn = angle + (pi / 2 if deep > wide * (1 + NEAR) else 0)
        turn = (turn + pi) % (2 * pi) - pi
        return round(float(wide * deep) / size**2, 4), round(abs(turn), 6), turn

    return min(room(angle) for angle in sorted(angles))[2]
