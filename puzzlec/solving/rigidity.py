"""Whether cells that are balls are a piece moved as a rigid body, by distances: for the checker alone.

Two lists of points are congruent when all distances in them are the same. They are so by a motion that an object can
make unless they span space and the determinants of their steps differ in sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import isqrt

from puzzlec.geometry.lattice import Lattice, Point, determinant


def bodies(
    own: Sequence[Point], goal: Point, near: Callable[[Point, int], Iterable[Point]], proper: bool
) -> Iterator[list[Point]]:
    """Give all lists of points that are congruent to a piece's, the first of which is the goal, in the piece's order.

    ``near`` gives the points to be thought of at a squared distance from the goal. Where the motion must be
    ``proper``, mirrored lists are given for pieces only that do not span space.
    """
    chosen = [goal]

    def further() -> Iterator[list[Point]]:
        number = len(chosen)
        if number == len(own):
            if not proper or _is_proper(own, chosen):
                yield list(chosen)
            return
        wanted = [_distance(own[number], other) for other in own[:number]]
        for point in near(goal, wanted[0]):
            if all(_distance(point, other) == value for other, value in zip(chosen, wanted, strict=True)):
                chosen.append(point)
                yield from further()
                chosen.pop()

    yield from further()


def around(point: Point, squared: int) -> Iterator[Point]:
    """Give the integer points at a squared distance from a point."""
    root = isqrt(squared)
    for step in product(range(-root, root + 1), repeat=len(point)):
        if sum(value * value for value in step) == squared:
            yield tuple(a + b for a, b in zip(point, step, strict=True))


def is_body(lattice: Lattice, allowed: frozenset[tuple[tuple[int, ...], ...]]) -> bool | None:
    """Whether a piece with these turns is a rigid body that cannot be mirrored; None where it is no rigid body."""
    if not lattice.of_balls or len(allowed) == 1:
        return None
    if allowed == set(lattice.isometries) != set(lattice.rotations):
        return False
    return True if allowed == set(lattice.rotations) else None


def _distance(one: Point, two: Point) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, two, strict=True))


def _is_proper(own: Sequence[Point], image: Sequence[Point]) -> bool:
    """Whether a motion without a mirror takes points to points that are congruent to them."""
    steps, moved = (
        [tuple(a - b for a, b in zip(each, points[0], strict=True)) for each in points] for points in (own, image)
    )
    frame: list[int] = []
    for number, step in enumerate(steps):
        if _volume([*(steps[each] for each in frame), step]):
            frame.append(number)
    if len(frame) < len(own[0]):
        return True
    before, after = (determinant(tuple(points[each] for each in frame)) for points in (steps, moved))
    return (before > 0) == (after > 0)


def _volume(vectors: Sequence[Point]) -> int:
    """Return the squared volume that vectors span, the determinant of their inner products: 0 where they depend."""
    return determinant(tuple(tuple(sum(a * b for a, b in zip(u, v, strict=True)) for v in vectors) for u in vectors))
