"""The order in which triangles are painted, so that no triangle hides one in front of it.

Triangles are seen from above: the third coordinate points to the viewer. They belong to closed surfaces that do not
meet, so of two triangles that overlap in the picture, one is in front wherever they overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from puzzlec.make.mesh import Floats, Numbers

#: More triangles than this are painted by their mean distance. They are small, so errors hardly show.
MOST = 4000

#: Pairs of triangles compared at once.
_CHUNK = 20_000

#: Triangles shrink by this factor before they are compared, so that triangles that only touch do not overlap.
_SHRUNK = 0.999


def painting_order(corners: Floats) -> list[int]:
    """Return the indices of triangles in the order of painting, the farthest first.

    Args:
        corners: Three corners of each triangle, with the coordinates to the right, upwards and towards the viewer. All
            triangles face the viewer.

    """
    middles = corners[:, :, 2].mean(axis=1)
    if len(corners) > MOST:
        farthest_first: list[int] = np.argsort(middles, kind="stable").tolist()
        return farthest_first
    nearer: list[list[int]] = [[] for _ in corners]
    waiting = [0] * len(corners)
    for behind, front in _pairs(corners):
        nearer[behind].append(front)
        waiting[front] += 1
    keys: list[float] = middles.tolist()
    free = [(keys[index], index) for index, number in enumerate(waiting) if not number]
    blocked = sorted(range(len(corners)), key=keys.__getitem__, reverse=True)
    heapify(free)
    order: list[int] = []
    painted = [False] * len(corners)
    while len(order) < len(corners):
        while not free:  # triangles hide each other in a ring: begin with the farthest
            farthest = blocked.pop()
            if not painted[farthest]:
                free.append((keys[farthest], farthest))
        index = heappop(free)[1]
        if painted[index]:
            continue
        painted[index] = True
        order.append(index)
        for front in nearer[index]:
            waiting[front] -= 1
            if not waiting[front]:
                heappush(free, (keys[front], front))
    return order


def _pairs(corners: Floats) -> Iterator[tuple[int, int]]:
    """Yield each pair of triangles that overlap in the picture, the one behind first."""
    flat = corners[:, :, :2]
    middle = flat.mean(axis=1, keepdims=True)
    flat = middle + _SHRUNK * (flat - middle)
    # The distance of a point p in the plane of a triangle is slope @ p + height.
    edges = corners[:, 1:] - corners[:, :1]
    normals = np.cross(edges[:, 0], edges[:, 1])
    slope = -normals[:, :2] / normals[:, 2:]
    height = corners[:, 0, 2] - (slope * corners[:, 0, :2]).sum(axis=1)
    near = _near(flat)
    for start in range(0, len(near), _CHUNK):
        one, two = near[start : start + _CHUNK].T
        points, valid = _common_points(flat[one], flat[two])
        ahead = ((slope[one] - slope[two])[:, None] * points).sum(axis=2) + (height[one] - height[two])[:, None]
        ahead = np.where(valid, ahead, 0.0)
        largest = np.take_along_axis(ahead, np.abs(ahead).argmax(axis=1)[:, None], 1)[:, 0]
        for first, second, distance in zip(one.tolist(), two.tolist(), largest.tolist(), strict=True):
            if distance:
                yield (second, first) if distance > 0 else (first, second)


def _near(flat: Floats) -> Numbers:
    """Return the pairs of triangles whose bounding boxes overlap."""
    low, high = flat.min(axis=1), flat.max(axis=1)
    found = [np.empty((0, 2), np.int64)]
    for index in range(len(flat) - 1):
        rest = slice(index + 1, None)
        others = np.nonzero(((low[index] < high[rest]) & (low[rest] < high[index])).all(axis=1))[0] + index + 1
        found.append(np.stack([np.full_like(others, index), others], 1))
    return np.concatenate(found)


def _common_points(one: Floats, two: Floats) -> tuple[Floats, np.ndarray]:
    """Return points for each pair of triangles, and which of them are corners of the area that both cover."""
    points, valid = [one, two], [_inside(one, two), _inside(two, one)]
    for first in range(3):
        a, b = one[:, first], one[:, (first + 1) % 3]
        for second in range(3):
            c, d = two[:, second], two[:, (second + 1) % 3]
            across = _cross(b - a, d - c)
            safe = np.where(across == 0, 1.0, across)
            along, other = _cross(c - a, d - c) / safe, _cross(c - a, b - a) / safe
            points.append((a + along[:, None] * (b - a))[:, None])
            crossing = (across != 0) & (along >= 0) & (along <= 1) & (other >= 0) & (other <= 1)
            valid.append(crossing[:, None])
    return np.concatenate(points, 1), np.concatenate(valid, 1)


def _inside(corners: Floats, triangles: Floats) -> np.ndarray:
    """Return which corners of triangles are inside other triangles."""
    inside = np.ones(corners.shape[:2], bool)
    for side in range(3):
        a, b = triangles[:, side, None], triangles[:, (side + 1) % 3, None]
        inside &= _cross(b - a, corners - a) >= 0
    return inside


def _cross(one: Floats, two: Floats) -> Floats:
    return one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0]
