"""Lines in space before, on and behind the sides of solids: their visible parts are exact."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product

import pytest

from puzzlec.geometry.lattice import Point
from puzzlec.geometry.solids import dot
from puzzlec.show.svg.visibility import Projection, Side, Spot, seen_lines

EYE = (3, -5, 4)


def cube(at: Point, size: int = 2) -> list[Side]:
    """The six sides of a cube."""
    found = []
    for axis, far in product(range(3), (0, 1)):
        normal = tuple([(1 if far else -1) * (dimension == axis) for dimension in range(3)])
        others = [dimension for dimension in range(3) if dimension != axis]
        corners = []
        for steps in ((0, 0), (1, 0), (1, 1), (0, 1)):
            corner = list(at)
            corner[axis] += size * far
            for other, step in zip(others, steps, strict=True):
                corner[other] += size * step
            corners.append(tuple(corner))
        found.append(Side(0, 0, tuple(corners), normal, dot(normal, corners[0])))
    return found


def hides(side: Side, place: list[Fraction]) -> bool | None:
    """Whether a side hides a place; None if the place appears on its border or lies in its plane."""
    facing = dot(side.normal, EYE)
    if facing <= 0:
        return False
    way = (side.reach - sum(n * p for n, p in zip(side.normal, place, strict=True))) / facing
    if way < 0:
        return False
    there = [p + way * e for p, e in zip(place, EYE, strict=True)]
    spans = list(zip(there, zip(*side.corners, strict=True), strict=True))
    if any(not min(known) <= value <= max(known) for value, known in spans):
        return False
    inside = [min(known) < value < max(known) for value, known in spans if min(known) < max(known)]
    return True if way > 0 and all(inside) else None


def covered(parts: list[tuple[Spot, Spot]], spot: tuple[Fraction, Fraction]) -> bool:
    """Whether one of the given parts of a line contains a spot of that line."""
    for start, end in parts:
        (a, b), (c, d) = ((Fraction(x, w), Fraction(y, w)) for x, y, w in (start, end))
        if min(a, c) <= spot[0] <= max(a, c) and min(b, d) <= spot[1] <= max(b, d):
            return True
    return False


def _place(chance: random.Random) -> Point:
    return tuple(chance.randrange(-3, 12) for _ in range(3))


@pytest.mark.parametrize("seed", range(40))
def test_the_visible_parts_of_random_lines_are_those_that_no_side_hides(seed: int) -> None:
    chance = random.Random(seed)
    sides = [side for _ in range(5) for side in cube(tuple(2 * chance.randrange(4) for _ in range(3)))]
    line = (_place(chance), _place(chance))
    parts = seen_lines(sides, [line], EYE)
    projection = Projection(EYE)
    start, end = (projection.spot(corner) for corner in line)
    for step in range(1, 97):
        along = Fraction(step, 97)
        place = [a + along * (b - a) for a, b in zip(line[0], line[1], strict=True)]
        answers = [hides(side, place) for side in sides]
        if True in answers or None not in answers:
            spot = (start[0] + along * (end[0] - start[0]), start[1] + along * (end[1] - start[1]))
            assert covered(parts, spot) is (True not in answers), (line, step)
    assert all(one[1] != two[0] for one, two in pairwise(parts)), "parts that touch are one"


def test_a_line_on_a_side_is_seen_and_one_behind_a_silhouette_is_not() -> None:
    sides = cube((0, 0, 0))
    edge = ((0, 0, 2), (2, 0, 2))  # between the front and the top
    assert len(seen_lines(sides, [edge], EYE)) == 1
    silhouette = ((0, 2, 2), (2, 2, 2))  # the far edge of the top
    behind, end = (tuple(a - 2 * b for a, b in zip(corner, EYE, strict=True)) for corner in silhouette)
    assert seen_lines(sides, [silhouette], EYE)
    assert not seen_lines(sides, [(behind, end)], EYE)
    assert not seen_lines(sides, [((0, 0, 0), EYE)], EYE), "a line to the viewer is a point"
