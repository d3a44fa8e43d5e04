"""The outermost points of a set: no other points enclose them."""

from __future__ import annotations

from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from puzzlec.geometry.lattice import Point
from puzzlec.geometry.solids import hull, outermost

small = st.integers(-3, 3)


def crossed(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def within(point: Point, corners: tuple[Point, ...]) -> bool:
    """Whether a point of the plane lies in a triangle, which may have no inside."""
    turns = [crossed(corners[k - 1], corners[k], point) for k in range(3)]
    if min(turns) < 0 < max(turns):
        return False
    # For a triangle without inside, the point must also lie between the ends of the line.
    return all(min(axis) <= at <= max(axis) for at, axis in zip(point, zip(*corners, strict=True), strict=True))


@given(st.sets(st.tuples(small, small), max_size=9))
def test_in_the_plane_a_point_is_outermost_unless_it_lies_in_a_triangle_of_others(points: set[Point]) -> None:
    enclosed = {
        point
        for point in points
        for three in product(points - {point}, repeat=3)
        if within(point, three) and (crossed(*three) or min(three) <= point <= max(three))
    }
    assert outermost(points) == points - enclosed


@given(st.sets(st.tuples(small, small, small), min_size=4, max_size=12))
def test_in_space_they_are_the_corners_of_the_sides_of_a_hull(points: set[Point]) -> None:
    facets = hull(sorted(points))
    if not facets:  # all in one plane
        return
    # A corner lies on three sides or more whose normals span space: no other point of the hull is on all of them.
    corners = set()
    for point in points:
        own = [facet for facet in facets if sum(a * b for a, b in zip(facet.normal, point, strict=True)) == facet.reach]
        if any(
            sum(n[0][i] * (n[1][j] * n[2][k] - n[1][k] * n[2][j]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
            for n in combinations([facet.normal for facet in own], 3)
        ):
            corners.add(point)
    assert outermost(points) == corners


def test_a_box_has_its_corners_in_any_number_of_dimensions() -> None:
    assert outermost([]) == set()
    assert outermost([(3,), (1,), (2,)]) == {(1,), (3,)}
    for dimension in (2, 3, 4):
        box = list(product(range(3), repeat=dimension))
        assert outermost(box) == set(product((0, 2), repeat=dimension))
    flat = [(x, y, 0, 0) for x, y in product(range(4), repeat=2)]
    assert outermost(flat) == {(0, 0, 0, 0), (3, 0, 0, 0), (0, 3, 0, 0), (3, 3, 0, 0)}
