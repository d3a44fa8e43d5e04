"""Squares and cubes are finished corner by corner: the same solids as by sums and differences, but faster."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import Cell, find_lattice, lattice_names
from puzzlec.make.bodies import MAX_OTHER_CELLS, MOST_BALLS, MOST_CELLS, refuse_slow
from puzzlec.make.choices import Sizes
from puzzlec.show.scene import SceneBody

m3: Any = pytest.importorskip("manifold3d")
np: Any = pytest.importorskip("numpy")

from puzzlec.make.hulls import finished, finished_boxes  # noqa: E402
from puzzlec.make.mesh import cleaned, manifold_of, mesh_of, ordered  # noqa: E402
from puzzlec.make.shells import extruded, slab, solid_cells  # noqa: E402
from puzzlec.make.things import _whole, is_grid, thing  # noqa: E402

CUBES = st.sets(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=14)
SQUARES = st.sets(st.tuples(*[st.integers(0, 3)] * 2), min_size=1, max_size=12)
LENGTHS = st.sampled_from([(20.0, 0.2, 0.5), (20.0, 0.01, 2.0), (7.0, 0.7, 1.0), (20 / 3, 0.3, 0.0)])


def body(cells: tuple[Cell, ...]) -> SceneBody:
    return SceneBody(0, "P", "P", 0, cells, (None,) * len(cells))


def assert_same(one: Any, other: Any) -> None:
    assert one.status() == m3.Error.NoError
    assert (one - other).volume() + (other - one).volume() < 1e-6
    assert mesh_of(one).seams == 0


@given(CUBES, LENGTHS)
@settings(max_examples=5, deadline=None)
@pytest.mark.long
def test_cubes_are_finished_as_other_solids_are(cells: set[Cell], lengths: tuple[float, float, float]) -> None:
    cell, gap, bevel = lengths
    raw = solid_cells(find_lattice("cubic"), sorted(cells), Sizes(cell=cell))
    places = [(x, -y, z) for x, y, z in sorted(cells)]
    made = finished_boxes(places, np.full(3, cell), np.full(3, gap / 2), bevel)
    assert_same(made, finished(raw, gap / 2, bevel))


@given(SQUARES, LENGTHS)
@settings(max_examples=4, deadline=None)
def test_squares_are_finished_as_other_slabs_are(cells: set[Cell], lengths: tuple[float, float, float]) -> None:
    cell, gap, bevel = lengths
    square, sizes = find_lattice("square"), Sizes(cell=cell, gap=gap, bevel=bevel, height=5.0)
    made = thing(body(tuple(sorted(cells))), square, sizes, {}).mesh
    other = finished(slab(square, sorted(cells), sizes, 5.0), 0, bevel)
    own = manifold_of(made.points, made.triangles)
    assert made.seams == 0
    assert (own - other).volume() + (other - own).volume() < 0.05  # corners of the mesh are on a grid of 0.1 µm


def test_only_squares_and_cubes_are_such_boxes() -> None:
    assert [name for name in lattice_names() if is_grid(find_lattice(name))] == ["cubic", "square"]


def test_cells_far_apart_take_no_more_memory_than_others() -> None:
    far = 10**6
    cells = [(0, 0, 0), (far, far, far), (far + 1, far, far)]
    made = finished_boxes(cells, np.full(3, 2.0), np.full(3, 0.1), 0.0)
    assert made.volume() == pytest.approx(1.8**3 + 3.8 * 1.8**2, rel=1e-5)


def test_a_thousand_cubes_are_closed_and_have_every_face() -> None:
    cells = tuple((x, y, z) for x in range(10) for y in range(10) for z in range(10) if (x, y, z) != (5, 5, 5))
    made = thing(body(cells), find_lattice("cubic"), Sizes(cell=10, gap=0.2, bevel=0), {}).mesh
    assert made.seams == 0
    assert made.volume == pytest.approx(99.8**3 - 10.2**3)
    assert len(made.triangles) == 24  # a cube with a cube missing inside


def test_no_model_is_made_if_a_part_of_a_piece_would_be_lost() -> None:
    rings = [[(0, 0), (10, 0), (10, 10), (0, 10)], [(20, 0), (21, 0), (21, 1), (20, 1)]]
    assert extruded(rings, 0.4, 5).volume() == pytest.approx((9.2**2 + 0.2**2) * 5)
    assert extruded(rings, 0.6, 5).is_empty()
    large, small = m3.Manifold.cube((10, 10, 10)), m3.Manifold.cube((1, 1, 1)).translate((20, 0, 0))
    assert _whole(large + small, 0.4, 0.0).volume() == pytest.approx(9.2**3 + 0.2**3)
    assert _whole(large + small, 0.6, 0.0).is_empty()


def test_a_hollow_that_opens_is_not_a_lost_part() -> None:
    hollow = m3.Manifold.cube((10, 10, 10)) - m3.Manifold.cube((2, 2, 2)).translate((0.5, 4, 4))
    assert len(hollow.decompose()) == 2
    assert _whole(hollow, 0.4, 0.0).volume() == pytest.approx(9.2**3 - 2.5 * 2.8**2, rel=1e-3)


def test_triangles_that_lie_back_to_back_are_left_out() -> None:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [3, 3, 3]], dtype=np.float64)
    closed = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    fin = [[1, 2, 4], [4, 2, 1]]
    found = ordered(points, np.array([*closed, *fin], dtype=np.int64))
    assert found.seams == 0
    assert len(found.triangles) == 4
    assert found.volume == pytest.approx(1 / 6)


def test_a_wrong_simplification_is_noticed() -> None:
    class Wrong:
        """A solid that the library changes, unless a careful mode is set."""

        def __init__(self, volume: float) -> None:
            self.size = volume

        def as_original(self) -> Wrong:
            return self

        def volume(self) -> float:
            return self.size

        def surface_area(self) -> float:
            return 6.0

        def simplify(self, tolerance: float) -> Wrong:
            return Wrong(1.0 if tolerance < 1e-7 else 1.5)

    assert cleaned(Wrong(1.0)).volume() == 1.0


@pytest.mark.parametrize(
    ("name", "quick", "most"),
    [("cubic", True, MOST_CELLS), ("hex", False, MAX_OTHER_CELLS), ("fcc", False, MOST_BALLS)],
)
def test_too_many_cells_are_refused(name: str, quick: bool, most: int) -> None:
    refuse_slow(find_lattice(name), most, quick)
    with pytest.raises(PuzzleError, match=r"too many .* for a model") as error:
        refuse_slow(find_lattice(name), most + 1, quick)
    assert error.value.diagnostics[0].code == "PZ506"
