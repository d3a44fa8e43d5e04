"""Exact geometry of outlines, compared with volumes from the literature and with other arithmetic."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.geometry.lattice import Point
from puzzlec.geometry.solids import apart, hull, moved, segments_meet, share_side, solid, volume

TETRAHEDRON = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
OCTAHEDRON = sorted({p for s in (2, -2) for p in permutations((s, 0, 0))})
DODECAHEDRON = [*product((-1, 1), repeat=3), *OCTAHEDRON]  # the rhombic one
ICOSITETRACHORON = [p for p in product((-1, 0, 1), repeat=4) if sum(map(abs, p)) == 2]  # the 24-cell


@pytest.mark.parametrize(
    ("corners", "sides", "size"),
    [
        ([(-2,), (3,)], 2, 5),
        (TETRAHEDRON, 4, 8 / 3),
        (OCTAHEDRON, 8, 32 / 3),
        (DODECAHEDRON, 12, 16),
        (ICOSITETRACHORON, 24, 8),
        *((list(product((0, 1), repeat=d)), 2 * d, 1) for d in (3, 4, 5)),
    ],
)
def test_regular_solids_have_the_sides_and_volumes_of_the_literature(
    corners: list[Point], sides: int, size: float
) -> None:
    # Coxeter, Regular Polytopes, table I
    thing = solid(corners)
    assert len(thing.facets) == sides
    assert volume(thing) / factorial(len(corners[0])) == pytest.approx(size)


@st.composite
def stars(draw: st.DrawFn) -> list[Point]:
    """Return a polygon around the origin, convex or not, with one corner along each of eight directions."""
    rays = [(1, 0), (2, 1), (1, 2), (0, 1), (-1, 1), (-1, 0), (-1, -2), (1, -1)]
    lengths = draw(st.lists(st.integers(1, 5), min_size=8, max_size=8))
    corners: list[Point] = [(x * length, y * length) for (x, y), length in zip(rays, lengths, strict=True)]
    return corners[::-1] if draw(st.booleans()) else corners


@given(stars())
def test_the_area_of_a_polygon_is_that_of_the_shoelace_formula(corners: list[Point]) -> None:
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    assert volume(solid(corners)) == abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs))


@settings(max_examples=50, deadline=None)
@given(stars(), st.tuples(st.integers(-12, 12), st.integers(-12, 12)))
def test_polygons_are_separate_if_they_share_no_point_of_a_fine_grid(corners: list[Point], step: Point) -> None:
    one = solid([(6 * x, 6 * y) for x, y in corners])
    two = moved(one, step)
    inner = [p for p in product(range(-60, 61, 2), repeat=2) if inside(one.corners, p) and inside(two.corners, p)]
    if inner:
        assert not apart(one, two)
    assert apart(one, two) == apart(two, one)
    assert not apart(one, one)


def inside(corners: tuple[Point, ...], p: Point) -> bool:
    """Whether a point is inside a polygon: by a ray to the right, from slightly below the point."""
    crossed, y = False, p[1] + 0.001
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (a[1] > y) != (b[1] > y):
            at = a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
            if abs(at - p[0]) < 0.01:
                return False
            crossed ^= at > p[0]
    return crossed


@given(*[st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3)), min_size=3, max_size=3) for _ in range(2)])
def test_boxes_are_separate_or_share_a_side_according_to_their_intervals(one: list[Point], two: list[Point]) -> None:
    boxes = [solid(list(product(*[(low, low + size) for low, size in box]))) for box in (one, two)]
    common = sorted(min(a + m, b + n) - max(a, b) for (a, m), (b, n) in zip(one, two, strict=True))
    assert apart(*boxes) == (common[0] <= 0)
    if apart(*boxes):
        assert share_side(*boxes) == (common[0] == 0 < common[1])


def test_solids_whose_edges_face_each_other_are_separate_without_a_side_between_them() -> None:
    one = solid([(-3, 0, 0), (3, 0, 0), (0, -1, -9), (0, 1, -9)])
    two = solid([(0, -3, 0), (0, 3, 0), (-1, 0, 9), (1, 0, 9)])
    assert apart(one, two)
    assert not apart(one, moved(two, (0, 0, -1)))


@pytest.mark.parametrize(
    ("two", "how"),
    [
        ([(2, 0), (2, 5)], "ends"),
        ([(2, 0), (4, 0)], "ends"),
        ([(1, 0), (4, 0)], "inside"),
        ([(3, 0), (4, 0)], "apart"),
        ([(1, 0), (1, 4)], "inside"),
        ([(1, -1), (1, 1)], "inside"),
        ([(1, 1), (2, 1)], "apart"),
        ([(3, -1), (3, 1)], "apart"),
        ([(0, 0), (2, 0)], "inside"),
    ],
)
def test_segments_meet_apart_at_ends_or_inside(two: list[Point], how: str) -> None:
    one = [(0, 0), (2, 0)]
    assert segments_meet(one, two) == segments_meet(two, one) == segments_meet(one[::-1], two) == how
    assert segments_meet([(*p, 7) for p in one], [(*p, 7) for p in two]) == how
    assert segments_meet([(*p, 7) for p in one], [(*p, 6) for p in two]) == "apart"


@given(st.sets(st.tuples(*[st.integers(-3, 3)] * 3), min_size=4, max_size=9))
def test_a_hull_has_all_points_on_its_inner_side_and_every_side_has_three(points: set[Point]) -> None:
    sides = hull(points)
    for side in sides:
        heights = {p: sum(n * c for n, c in zip(side.normal, p, strict=True)) - side.reach for p in points}
        assert max(heights.values()) == 0
        assert set(side.corners) == {p for p, height in heights.items() if height == 0}
        assert len(side.corners) >= 3
    if sides:
        # Euler: corners - edges + sides = 2, counted by planes through the corners that are seen on two sides
        corners = {p for p in points if sum(p in side.corners for side in sides) >= 3}
        ridges = {
            frozenset(a.corners) & frozenset(b.corners)
            for a in sides
            for b in sides
            if a != b and len(set(a.corners) & set(b.corners)) >= 2
        }
        assert len(corners) - len(ridges) + len(sides) == 2


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (2, 2), (2, 0), (0, 2)],
        [(0, 0), (4, 0), (2, 0), (2, 2)],
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)],
        [(0, 0, 0), (9, 0, 0), (0, 9, 0), (0, 0, 9), (1, 1, 1)],
    ],
)
def test_points_that_form_no_solid_are_refused(corners: list[Point]) -> None:
    with pytest.raises(ValueError, match=r"inside|cross or touch|all on one line|all in one plane"):
        solid(corners)


@pytest.mark.long
def test_a_hull_that_would_take_too_long_is_refused() -> None:
    # corners on the moment curve: their hull has as many sides as any (P. McMullen, 1970)
    with pytest.raises(ValueError, match="too many sides"):
        hull([tuple(t**power for power in range(1, 7)) for t in range(-30, 30)])
