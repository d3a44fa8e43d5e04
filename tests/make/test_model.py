"""Meshes of pieces: closed, with the right volume, separate from each other, and not reflected."""

from __future__ import annotations

import random
from itertools import combinations
from math import factorial, sqrt
from typing import Any

import pytest

from puzzlec import load, parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.formats import catalogue
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.faces import exact_outline, scale_of
from puzzlec.geometry.solids import solid, volume
from puzzlec.ir import Puzzle
from puzzlec.make.choices import Plate, Sizes, side_length
from puzzlec.make.outputs import model, models, subject
from puzzlec.show.scene import SceneBody, piece_scene

m3: Any = pytest.importorskip("manifold3d")
np: Any = pytest.importorskip("numpy")

from puzzlec.make.hulls import convex, swept  # noqa: E402
from puzzlec.make.layout import (  # noqa: E402
    in_solution,
    laid,
    plates,
)
from puzzlec.make.mesh import Mesh, manifold_of  # noqa: E402
from puzzlec.make.packing import GAP_MM, PlacedThing  # noqa: E402
from puzzlec.make.things import ModelThing, thing  # noqa: E402

BARS = parse("lattice cubic\nlocations box 3x2x1\npiece I x2 { xxx }\n")
RAW = Sizes(gap=0, bevel=0)
SOLID = ("cubic", "prism", "tetoct", "octants", "rhombic")
FLAT = ("line", "square", "hex", "triangle", "tetrakis", "drafter")
ONE_OF_EACH = (
    "soma", "ball-room-pyramid", "pairs-hexagon-2", "pairs-octahedron", "diagonal-cube", "fibonacci-20",
    "pentominoes/5x12", "hexiamonds-ring", "tetrahexes-six-holes", "tangram-square", "trinity", "tetrasticks-5x5",
)  # fmt: skip


def piece_of(lattice: Lattice, cells: tuple[Cell, ...]) -> SceneBody:
    return SceneBody(0, "P", "P", 0, cells, (None,) * len(cells))


def grown(name: str, size: int, seed: int) -> tuple[Lattice, tuple[Cell, ...]]:
    """Return a piece of a lattice, grown cell by cell at random."""
    lattice, chance = find_lattice(name), random.Random(seed)
    cells: list[Cell] = [(0,) * lattice.coordinates]
    while len(cells) < size:
        point = lattice.point(chance.choice(cells))
        step = chance.choice(lattice.kinds[lattice.class_of(point)].neighbours)
        beside = lattice.cell(tuple(a + b for a, b in zip(point, step, strict=True)))
        assert beside is not None
        if beside not in cells:
            cells.append(beside)
    return lattice, tuple(cells)


def exact_volume(lattice: Lattice, cells: tuple[Cell, ...], sizes: Sizes) -> float:
    """Return the volume of cells by their exact simplices; flat ones are a quarter of a cell high."""
    dimension = max(lattice.dimension, 2)
    axes = np.array(lattice.axes)[:, :dimension] if lattice.axes else np.eye(dimension)
    mm = sizes.cell / side_length(lattice)
    unit = abs(np.linalg.det(axes)) * (mm / scale_of(lattice)) ** dimension / factorial(dimension)
    height = sizes.cell / 4 if lattice.dimension < 3 else 1.0
    kinds = (lattice.class_of(lattice.point(cell)) for cell in cells)
    return float(sum(volume(solid(exact_outline(lattice, kind))) * unit * height for kind in kinds))


def crossings(mesh: Mesh) -> int:
    """Count the edges that pass through the inside of other triangles: there must be none."""
    a, b, c = mesh.points[mesh.triangles].transpose(1, 0, 2)
    ends = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]])
    ends = np.unique(np.sort(ends, axis=1), axis=0)
    start, way = mesh.points[ends[:, 0]], mesh.points[ends[:, 1]] - mesh.points[ends[:, 0]]
    across = np.cross(b - a, c - a)
    steep = way @ across.T
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.einsum("etk,tk->et", a[None] - start[:, None], across) / steep
        hit = start[:, None] + t[..., None] * way[:, None]
        inside = (t > 1e-4) & (t < 1 - 1e-4) & (np.abs(steep) > 1e-6)
        for one, two in ((a, b), (b, c), (c, a)):
            side = np.einsum("etk,tk->et", np.cross((two - one)[None], hit - one[None]), across)
            inside &= side > 1e-4 * np.einsum("tk,tk->t", across, across)
    return int(inside.sum())


def assert_closed(mesh: Mesh) -> None:
    assert mesh.seams == 0
    assert mesh.volume > 0
    found = manifold_of(mesh.points, mesh.triangles)
    assert found.status() == m3.Error.NoError
    assert found.volume() == pytest.approx(mesh.volume, rel=1e-5)


def assert_apart(items: list[PlacedThing], gap: float) -> None:
    """Assert that things do not overlap, and have at least this much air between them."""
    manifolds = [manifold_of(item.thing.mesh.points, item.thing.mesh.triangles) for item in items]
    for one, two in combinations(range(len(items)), 2):
        (low, high), (other_low, other_high) = items[one].thing.mesh.bounds, items[two].thing.mesh.bounds
        if (low < other_high + 1).all() and (other_low < high + 1).all():
            both = manifolds[one] ^ manifolds[two]
            assert both.volume() < 1e-5 * manifolds[one].volume()
            if gap:
                assert manifolds[one].min_gap(manifolds[two], 1) > gap - 1e-3


@pytest.mark.parametrize("name", SOLID + FLAT)
def test_a_mesh_is_closed_and_has_the_volume_of_its_cells(name: str) -> None:
    for seed in range(2):
        lattice, cells = grown(name, 5, seed)
        made = thing(piece_of(lattice, cells), lattice, RAW, {})
        if made.mesh.seams == 0:  # a piece may touch itself along an edge
            assert_closed(made.mesh)
            assert crossings(made.mesh) == 0
        assert made.mesh.volume == pytest.approx(exact_volume(lattice, cells, RAW), rel=2e-5)


@pytest.mark.parametrize("name", SOLID + FLAT)
def test_a_finished_mesh_is_closed_and_lies_in_the_raw_one(name: str) -> None:
    lattice, cells = grown(name, 4, 1)
    raw = thing(piece_of(lattice, cells), lattice, RAW, {}).mesh
    made = thing(piece_of(lattice, cells), lattice, Sizes(gap=0.2, bevel=0.6), {}).mesh
    assert_closed(made)
    assert crossings(made) == 0
    outside = manifold_of(made.points, made.triangles) - manifold_of(raw.points, raw.triangles)
    assert outside.volume() < 1e-6


def test_a_piece_on_which_many_planes_meet_keeps_its_volume() -> None:
    # Here the library changes the shape when it simplifies joined parts, unless the code prevents it.
    puzzle = load("rhombic/broken-sticks")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.lattice is not None
    number = next(number for number, piece in enumerate(puzzle.pieces) if piece.name == "F")
    scene = piece_scene(puzzle, number)
    assert scene is not None
    made = thing(scene.bodies[0], puzzle.lattice, Sizes(gap=0.3, bevel=1.0), {}).mesh
    assert_closed(made)
    assert made.volume == pytest.approx(23261.375, rel=1e-5)


def test_a_cube_has_its_stated_size_without_its_gap_and_edges() -> None:
    cubic = find_lattice("cubic")
    cube = piece_of(cubic, ((0, 0, 0),))
    assert thing(cube, cubic, RAW, {}).mesh.volume == pytest.approx(8000)
    assert thing(cube, cubic, Sizes(gap=0.4, bevel=0), {}).mesh.volume == pytest.approx(19.6**3)
    # Twelve edges lose a prism each; the common part of three prisms at a corner is lost once, with a tip.
    bevel = 2.0
    along = 12 * bevel**2 / 2 * (20 - 2 * bevel)
    corner = bevel**3 - bevel**3 / 6
    assert thing(cube, cubic, Sizes(gap=0, bevel=bevel), {}).mesh.volume == pytest.approx(8000 - along - 8 * corner)


def test_inner_corners_of_cubes_are_set_back_sharply() -> None:
    cubic = find_lattice("cubic")
    corner = piece_of(cubic, ((0, 0, 0), (1, 0, 0), (0, 1, 0)))
    made = thing(corner, cubic, Sizes(gap=0.4, bevel=0), {}).mesh
    assert made.volume == pytest.approx((39.6**2 - 20**2) * 19.6)


@pytest.mark.parametrize(
    ("name", "value"),
    [("cubic", 8000), ("prism", 8000 * sqrt(3) / 4), ("tetoct", 8000 / (6 * sqrt(2))), ("hex", 600 * sqrt(3) * 5)],
)
def test_the_length_of_a_side_is_that_of_the_cell(name: str, value: float) -> None:
    lattice = find_lattice(name)
    cell = lattice.cell(lattice.kinds[0].at)
    assert cell is not None
    assert thing(piece_of(lattice, (cell,)), lattice, RAW, {}).mesh.volume == pytest.approx(value, rel=2e-5)


def test_the_sweep_of_a_triangle_has_exactly_its_corners() -> None:
    cube = convex(np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]))
    assert sorted(len(ring) for ring in cube.rings) == [4] * 6
    found = swept(np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0]]), cube)
    assert found.manifold().volume() == pytest.approx((6 * 6 - 8) * 2)
    assert len(found.points) == 10


@pytest.mark.parametrize("name", ["soma"])
def test_pieces_in_a_solution_have_the_gap_between_them(name: str) -> None:
    assert_apart(in_solution(subject(name), Sizes(gap=0.3, bevel=0.0), []), 0.3)


def test_an_l_is_not_reflected() -> None:
    puzzle = parse("lattice cubic\nlocations box 3x2x1\npiece L { xxx/x.. }\npiece I { xx }\n")
    scene = piece_scene(puzzle, 0)
    assert scene is not None
    mesh = thing(scene.bodies[0], scene.lattice, RAW, {}).mesh
    low, high = mesh.bounds
    # Rows come towards the reader: the second row, with the foot at its left end, is in front, at the lower y.
    assert (high - low).tolist() == pytest.approx([60, 40, 20])
    front = mesh.points[np.isclose(mesh.points[:, 1], low[1])]
    assert front[:, 0].max() == pytest.approx(low[0] + 20)
    lying = laid(thing(scene.bodies[0], scene.lattice, RAW, {})).mesh
    assert lying.points[np.isclose(lying.points[:, 1], 0)][:, 0].max() == pytest.approx(20)


def test_a_piece_is_rotated_to_fit_the_plate() -> None:
    stair = parse("locations box 6x6\npiece A { xx..../.xx.../..xx../...xx./....xx }\n")
    scene = piece_scene(stair, 0)
    assert scene is not None
    made = thing(scene.bodies[0], scene.lattice, RAW, {})
    diagonal, upright = laid(made).mesh.bounds[1], laid(made, Plate(121, 101)).mesh.bounds[1]
    assert diagonal[0] > 150
    assert sorted(upright[:2].tolist()) == pytest.approx([100, 120])
    assert laid(made, Plate(90, 90)).mesh.bounds[1][0] == diagonal[0]


def test_a_rotated_piece_is_the_same_piece() -> None:
    lattice, cells = grown("tetoct", 4, 3)
    made = thing(piece_of(lattice, cells), lattice, RAW, {})
    lying = laid(made).mesh
    assert lying.volume == pytest.approx(made.mesh.volume, rel=1e-4)
    assert lying.bounds[0].tolist() == [0, 0, 0]
    on_the_plate = (lying.points[lying.triangles][:, :, 2] < 1e-6).all(axis=1)
    assert on_the_plate.any()


def rectangles(items: list[PlacedThing]) -> list[tuple[float, float, float, float]]:
    found = []
    for item in items:
        low, high = item.points.min(axis=0), item.points.max(axis=0)
        assert low[2] == 0
        found.append((low[0], low[1], high[0], high[1]))
    return found


@pytest.mark.parametrize("name", ["pairs-octahedron", "macmahon-squares"])
def test_no_pieces_overlap_on_a_plate_and_none_is_missing(name: str) -> None:
    shown = subject(name, 0)
    beds = plates(shown, Sizes(), Plate(130, 120), [])
    assert shown.puzzle is not None
    assert sum(map(len, beds)) == sum(piece.high for piece in shown.puzzle.pieces)
    for bed in beds:
        found = rectangles(bed)
        assert all(x > -1e-3 and y > -1e-3 and right < 130.001 and back < 120.001 for x, y, right, back in found)
        for (x, y, right, back), (u, v, other, behind) in combinations(found, 2):
            assert max(u - right, x - other, v - back, y - behind) > GAP_MM - 1e-3


def test_a_tile_has_a_closed_part_for_each_colour_of_its_sides() -> None:
    puzzle = load("macmahon-squares")
    assert isinstance(puzzle, Puzzle)
    made = next(tile for tile in tiles(puzzle) if len({colour for colour, _ in tile.parts}) == 3)
    assert sum(part.volume for _, part in made.parts) == pytest.approx(made.mesh.volume, rel=1e-4)
    for _, part in made.parts:
        assert_closed(part)


def tiles(puzzle: Puzzle) -> list[ModelThing]:
    from puzzlec.make.bodies import colours_of

    assert puzzle.lattice is not None
    scenes = [piece_scene(puzzle, number) for number in range(8)]
    return [
        thing(scene.bodies[0], puzzle.lattice, Sizes(), colours_of(puzzle)) for scene in scenes if scene is not None
    ]


def test_coloured_cells_are_parts_of_their_colour() -> None:
    lattice = find_lattice("cubic")
    body = SceneBody(0, "P", "P", 0, ((0, 0, 0), (1, 0, 0), (2, 0, 0)), ("black", "white", "black"))
    made = thing(body, lattice, Sizes(), {"black": "#000000", "white": "#ffffff"})
    assert [colour for colour, _ in made.parts] == ["#000000", "#000000", "#ffffff"]
    assert sum(part.volume for _, part in made.parts) == pytest.approx(made.mesh.volume, rel=1e-5)


def test_cubes_that_touch_along_an_edge_are_reported() -> None:
    text = "lattice cubic\nlocations box 2x2x1\npiece P x2 { x./.x }\n"
    remarks: list[str] = []
    model(parse(text), sizes=RAW, remarks=remarks)
    assert "`P` has 2 parts" in remarks[0]
    assert "more than two sides" in remarks[0]
    remarks = []
    model(parse(text), remarks=remarks)
    assert "`P` has 2 parts" in remarks[0]


@pytest.mark.parametrize(
    ("name", "sizes", "code"),
    [
        ("soma", Sizes(gap=20), "PZ506"),
        ("soma", Sizes(bevel=10), "PZ506"),
        ("soma", Sizes(cell=float("nan")), "PZ506"),
        ("balls/iq-pyramid", Sizes(gap=30), "PZ506"),
        ("dominoes-2x2x2x2", Sizes(), "PZ504"),
        ("dpf/dominoes", Sizes(), "PZ504"),
        ("cover/items", Sizes(), "PZ504"),
    ],
)
def test_impossible_models_are_refused_with_a_reason(name: str, sizes: Sizes, code: str) -> None:
    with pytest.raises(PuzzleError) as raised:
        model(name, sizes=sizes)
    assert raised.value.diagnostics[0].code == code


def test_a_plate_that_is_too_small_is_refused() -> None:
    with pytest.raises(PuzzleError, match="larger than the plate"):
        models(BARS, plate=Plate(30, 50))
    with pytest.raises(PuzzleError, match="need 2 plates"):
        model(BARS, plate=Plate(62, 30))
    assert list(models(BARS, plate=Plate(62, 30))) == ["1", "2"]
    assert list(models(BARS, plate=Plate(30, 62))) == ["1", "2"]
    assert list(models(BARS, separate=True)) == ["I"]


def test_a_puzzle_without_a_solution_has_no_layout_in_a_solution() -> None:
    with pytest.raises(PuzzleError, match="no solution for the layout"):
        model(parse("locations box 3x3\npiece I x* { xx }\n"), layout="solution")


@pytest.mark.slow
@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_one_puzzle_of_each_lattice_fits_together_with_and_without_a_gap(name: str) -> None:
    shown = subject(name)
    for sizes in (RAW, Sizes()):
        items = in_solution(shown, sizes, [])
        for item in items:
            assert_closed(item.thing.mesh)
        assert_apart(items, sizes.gap)


@pytest.mark.slow
def test_every_piece_of_every_solid_of_the_catalogue_is_closed() -> None:
    seen = set()
    for entry in catalogue.entries():
        puzzle = load(entry.name)
        if not isinstance(puzzle, Puzzle) or puzzle.lattice is None or puzzle.lattice.dimension != 3:
            continue
        lattice = puzzle.lattice
        for number in range(len(puzzle.pieces)):
            scene = piece_scene(puzzle, number)
            if scene is None or (lattice.name, scene.bodies[0].cells) in seen:
                continue
            body = scene.bodies[0]
            seen.add((lattice.name, body.cells))
            raw = thing(body, lattice, RAW, {})
            room = manifold_of(raw.mesh.points, raw.mesh.triangles)
            if not lattice.of_balls:
                assert raw.mesh.volume == pytest.approx(exact_volume(lattice, body.cells, RAW), rel=2e-5)
            for sizes in (Sizes(), Sizes(gap=0.3, bevel=1.0)):
                finished = thing(body, lattice, sizes, {})
                outside = manifold_of(finished.mesh.points, finished.mesh.triangles) - room
                assert outside.volume() < 1e-5 * raw.mesh.volume
                made = laid(finished)
                assert_closed(made.mesh)
                assert lattice.of_balls or crossings(made.mesh) == 0
    assert len(seen) > 100
