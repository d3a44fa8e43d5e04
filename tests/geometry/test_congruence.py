"""Rigid motions of balls: exactly those that distances allow, for any rotations of the lattice."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.geometry import Lattice, Point, find_lattice
from puzzlec.geometry.congruence import congruent
from puzzlec.geometry.lattice import turned
from tests.brute import rigid, squared

BALLS = find_lattice("fcc")
SQUARES, LINE, CUBES = (replace(find_lattice(name), of_balls=True) for name in ("square", "line", "cubic"))


def placed(lattice: Lattice, points: list[Point], proper: bool) -> list[tuple[Point, ...]]:
    """All congruent lists of points, by their distances, from the place of each kind."""
    reach = range(-3 * len(points), 3 * len(points) + 1)
    found = []
    for kind in lattice.kinds:
        distances = {squared(point, points[0]) for point in points}
        cells = [
            tuple(a + b for a, b in zip(kind.at, step, strict=True)) for step in product(reach, repeat=len(kind.at))
        ]
        there = [cell for cell in cells if squared(cell, kind.at) in distances and lattice.class_of(cell) >= 0]
        found += [tuple(image) for image in rigid(lattice, points, proper, kind.at, there)]
    return sorted(found)


@st.composite
def bodies(draw: st.DrawFn) -> tuple[Lattice, list[Point]]:
    """Some balls, which need not touch."""
    lattice = draw(st.sampled_from([BALLS, SQUARES, LINE, CUBES]))
    steps = st.tuples(*[st.integers(-1, 2)] * lattice.dimension)
    cells = draw(st.lists(steps, min_size=1, max_size=4, unique=True))
    points = [lattice.point(cell) for cell in cells]
    return lattice, points


@given(bodies(), st.booleans())
def test_the_images_are_those_with_the_same_distances(body: tuple[Lattice, list[Point]], proper: bool) -> None:
    lattice, points = body
    reach = max(abs(a - b) for point in points for a, b in zip(point, points[0], strict=True))
    longest = max(squared(point, points[0]) for point in points)
    if longest > (3 * len(points)) ** 2 or reach > 3 * len(points):
        return
    assert list(congruent(lattice, points, proper)) == placed(lattice, points, proper)


@pytest.mark.parametrize(
    ("points", "turns", "motions"),
    [
        ([(0, 0, 0)], 1, 1),
        ([(0, 0, 0), (1, 1, 0)], 12, 12),  # one of the twelve balls that touch it
        ([(0, 0, 0), (1, 1, 0), (1, 0, 1)], 24, 48),  # a triangle of distinguishable balls: 4 planes with 12 each
        ([(0, 0, 0), (1, 1, 0), (1, -1, 0)], 24, 24),  # a corner of a square
        ([(0, 0, 0), (3, 3, 0)], 12, 36),  # the same distance as for (4,1,1)
        ([(0, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)], 24, 24),  # a tetrahedron
    ],
)
def test_motions_beyond_the_rotations_of_the_lattice(points: list[Point], turns: int, motions: int) -> None:
    assert len({tuple(turned(turn, point) for point in points) for turn in BALLS.rotations}) == turns
    assert len(congruent(BALLS, points, proper=True)) == motions


def test_a_chiral_body_is_reflected_by_improper_motions_only() -> None:
    twisted = [(0, 0, 0), (1, 1, 0), (2, 1, 1), (2, 2, 2)]
    proper, all_of_them = congruent(BALLS, twisted, True), congruent(BALLS, twisted, False)
    assert set(proper) < set(all_of_them)
    assert 2 * len(proper) == len(all_of_them)
    mirrored = [(x, y, -z) for x, y, z in twisted]
    assert set(congruent(BALLS, mirrored, True)) == set(all_of_them) - set(proper)


def test_balls_far_apart_are_rotated_by_the_lattice_only() -> None:
    far = 10**6
    assert len(congruent(BALLS, [(0, 0, 0), (3 * far, 3 * far, 0)], True)) == 12
    assert len(congruent(BALLS, [(0, 0, 0), (far, far, 0), (0, 2, 4 * far)], True)) == 48
    assert len(congruent(BALLS, [(0, 0, 0), (far, far, 0), (0, 2, 4 * far), (far, 0, far)], True)) == 24


def test_the_images_do_not_depend_on_which_image_is_asked_for() -> None:
    trapezium: list[Point] = [(0, 0, 0), (1, -1, 0), (2, -2, 0), (1, 0, -1), (2, -1, -1)]
    images = congruent(BALLS, trapezium, True)
    assert all(congruent(BALLS, image, True) == images for image in images)
