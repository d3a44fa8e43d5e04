"""Joined outlines and surfaces: they bound exactly the cells."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import dist, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.compiler import load
from puzzlec.geometry import Cell, Lattice, find_lattice, lattice_names
from puzzlec.geometry.faces import Place, cross, faces, on_sheet, place
from puzzlec.geometry.lattice import determinant
from puzzlec.geometry.outlines import SurfacePlane, outline, straight_pieces, surface
from puzzlec.ir import Puzzle

FLAT = [name for name in lattice_names() if find_lattice(name).dimension < 3 and not find_lattice(name).of_edges]
SOLID = [name for name in lattice_names() if find_lattice(name).dimension == 3 and not find_lattice(name).of_edges]


@st.composite
def some_cells(draw: st.DrawFn, names: list[str]) -> tuple[Lattice, list[Cell]]:
    """Some cells of a small patch of a lattice, so that they touch in all ways and leave holes."""
    lattice = find_lattice(draw(st.sampled_from(names)))
    kinds = [st.integers(0, len(lattice.kinds) - 1)] if len(lattice.kinds) > 1 else []
    reach = 4 if lattice.dimension < 3 else 2
    cell = st.tuples(*[st.integers(0, reach)] * lattice.dimension, *kinds)
    return lattice, draw(st.lists(cell, min_size=1, max_size=14, unique=True))


def doubled_area(ring: list[Place]) -> float:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))


def turns(ring: list[Place]) -> list[float]:
    """The sine of the angle at each corner."""
    found = []
    for before, here, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False):
        u, v = [a - b for a, b in zip(here, before, strict=True)], [a - b for a, b in zip(after, here, strict=True)]
        found.append((u[0] * v[1] - u[1] * v[0]) / (hypot(*u) * hypot(*v)))
    return found


@given(some_cells(FLAT))
def test_an_outline_bounds_the_area_of_its_cells(given: tuple[Lattice, list[Cell]]) -> None:
    lattice, cells = given
    rings = outline(lattice, cells)
    expected = sum(abs(doubled_area(on_sheet(lattice, cell))) for cell in cells)
    assert sum(map(doubled_area, rings)) == pytest.approx(expected)
    assert any(doubled_area(ring) > 0 for ring in rings)


@given(some_cells(FLAT))
def test_no_corner_of_an_outline_is_within_a_straight_side(given: tuple[Lattice, list[Cell]]) -> None:
    for ring in outline(*given):
        assert len(ring) > 2
        assert min(map(abs, turns(ring))) > 1e-9


@given(some_cells(FLAT))
def test_a_place_is_inside_an_outline_exactly_if_it_is_in_a_cell(given: tuple[Lattice, list[Cell]]) -> None:
    lattice, cells = given
    rings, near = outline(lattice, cells), set(cells)
    patch = {lattice.cell(tuple(a + b for a, b in zip(lattice.point(cell), step, strict=True))) for cell in cells
             for step in lattice.kinds[lattice.class_of(lattice.point(cell))].neighbours}  # fmt: skip
    for cell in near | {own for own in patch if own is not None}:
        corners = on_sheet(lattice, cell)
        middle = tuple(sum(axis) / len(axis) for axis in zip(*corners, strict=True))
        assert sum(around(middle, ring) for ring in rings) == (1 if cell in near else 0)


def around(at: Place, ring: list[Place]) -> int:
    """The winding number of a ring around a place, by the sides that a ray to the right crosses."""
    number = 0
    for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (b > at[1]) != (d > at[1]) and at[0] < a + (at[1] - b) * (c - a) / (d - b):
            number += 1 if d > b else -1
    return number


def test_two_squares_that_touch_in_a_corner_have_a_ring_each() -> None:
    rings = outline(find_lattice("square"), [(0, 0), (1, 1)])
    assert sorted(map(len, rings)) == [4, 4]


def test_bricks_that_share_half_a_side_are_joined() -> None:
    puzzle = load("new/lattice")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.lattice is not None
    cells = [location.at for location in puzzle.locations if not isinstance(location.at, str)]
    rings = outline(puzzle.lattice, cells)
    assert sum(map(doubled_area, rings)) == pytest.approx(
        sum(abs(doubled_area(on_sheet(puzzle.lattice, cell))) for cell in cells)
    )
    assert len(rings) == 1


@pytest.mark.parametrize("name", SOLID)
def test_the_faces_of_a_cell_are_convex_closed_and_look_outwards(name: str) -> None:
    lattice = find_lattice(name)
    for number, kind in enumerate(lattice.kinds):
        sides: Counter[tuple[Place, Place]] = Counter()
        for face in faces(lattice, number):
            assert hypot(*face.normal) == pytest.approx(1)
            ring = list(face.corners)
            for before, here, after in zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False):
                u, v = minus(here, before), minus(after, here)
                assert dot(cross(u, v), face.normal) > 0
                assert dot(here, face.normal) > 0  # the cell's point is inside
            sides.update(zip(ring, [*ring[1:], ring[0]], strict=True))
        assert all(number == 1 and sides[b, a] == 1 for (a, b), number in sides.items())
        assert len({face.beyond for face in faces(lattice, number)}) == len(faces(lattice, number))
        assert {face.beyond for face in faces(lattice, number)} <= set(kind.neighbours)


@given(some_cells(SOLID))
def test_a_surface_encloses_the_volume_of_its_cells(given: tuple[Lattice, list[Cell]]) -> None:
    lattice, cells = given
    found = surface(lattice, cells)
    assert volume(found.faces) == pytest.approx(sum(volume(surface(lattice, [cell]).faces) for cell in cells))
    assert {cell for plane in found.faces for cell in plane.cells} <= set(cells)


@given(some_cells(SOLID))
def test_a_surface_is_closed_and_its_edges_are_the_borders_of_its_planes(given: tuple[Lattice, list[Cell]]) -> None:
    found = surface(*given)
    length = sum(dist(a, b) for plane in found.faces for ring in plane.rings for a, b in pairwise([*ring, ring[0]]))
    # If two solids touch in an edge, four planes meet there.
    assert 2 * sum(dist(a, b) for a, b in found.edges) <= length + 1e-9
    for axis in range(3):
        assert sum(area_vector(plane)[axis] for plane in found.faces) == pytest.approx(0, abs=1e-9)


def test_a_frame_has_a_plane_with_a_hole() -> None:
    ring = [(x, y, 0) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    planes = surface(find_lattice("cubic"), ring).faces
    assert sorted(len(plane.rings) for plane in planes) == [1] * 8 + [2] * 2


def test_places_in_space_are_right_handed() -> None:
    lattice = find_lattice("cubic")
    right, towards_us, up = (place(lattice, step) for step in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assert determinant(tuple(tuple(int(v) for v in row) for row in (right, towards_us, up))) == -1
    assert towards_us[1] < 0 < up[2]


def test_segments_on_one_line_are_joined() -> None:
    found = straight_pieces([((0, 0), (1, 0)), ((3, 0), (2, 0)), ((1, 0), (2, 0)), ((0, 1), (1, 1))])
    assert sorted(found) == [((0, 0), (3, 0)), ((0, 1), (1, 1))]


def minus(a: Place, b: Place) -> Place:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def dot(a: Place, b: Place) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def area_vector(plane: SurfacePlane) -> Place:
    total = [0.0, 0.0, 0.0]
    for ring in plane.rings:
        for a, b in pairwise([*ring, ring[0]]):
            total = [t + c / 2 for t, c in zip(total, cross(a, b), strict=True)]
    return tuple(total)


def volume(planes: tuple[SurfacePlane, ...]) -> float:
    return sum(dot(plane.rings[0][0], area_vector(plane)) for plane in planes) / 3
