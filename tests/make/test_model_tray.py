"""Trays and boxes for boards: closed, with a hole for the pieces, or refused with a reason."""

from __future__ import annotations

import zipfile
from io import BytesIO
from itertools import combinations
from math import pi, sin
from typing import Any

import pytest

from puzzlec import load, parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.ir import Puzzle
from puzzlec.make.choices import Plate, Sizes
from puzzlec.make.outputs import model, models, subject

m3: Any = pytest.importorskip("manifold3d")
pytest.importorskip("shapely")

from puzzlec.make.layout import in_solution, tray, trays, trays_alone  # noqa: E402
from puzzlec.make.mesh import manifold_of  # noqa: E402
from puzzlec.make.things import ModelThing  # noqa: E402


def tray_of(name: str, sizes: Sizes | None = None) -> ModelThing:
    puzzle = load(name) if "\n" not in name else parse(name)
    assert isinstance(puzzle, Puzzle)
    made = tray(puzzle, sizes or Sizes())
    assert made.mesh.seams == 0
    assert len(manifold_of(made.mesh.points, made.mesh.triangles).decompose()) == 1
    return made


def test_a_box_around_a_cube_has_walls_a_floor_and_the_gap_as_play() -> None:
    made = tray_of("soma", Sizes(gap=0.4, wall=3))
    low, high = made.mesh.bounds
    # The board is 60 mm; the hole is 0.2 mm wider on every side; pieces are a tenth of a mm above the floor.
    assert (high - low).tolist() == pytest.approx([66.4, 66.4, 63.1])
    corners = (4 - 16 * sin(pi / 16)) * 3**2  # eight lines round each of them
    assert made.mesh.volume == pytest.approx((66.4**2 - corners) * 63.1 - 60.4**2 * 60.1, rel=1e-4)


def test_the_tray_of_a_flat_board_has_a_border_half_as_high_as_the_pieces() -> None:
    low, high = tray_of("pentominoes/6x10", Sizes(height=6)).mesh.bounds
    assert (high - low).tolist() == pytest.approx([124.2, 204.2, 5.1])


def test_a_hole_of_the_board_is_a_pillar() -> None:
    ring = 'puzzle "p"\nlocations {\n  xxx\n  x.x\n  xxx\n}\npiece I x4 { xx }\n'
    made = tray_of(ring, Sizes(gap=0.2))
    whole = tray_of('puzzle "p"\nlocations box 3x3\npiece I x4 { xx }\n', Sizes(gap=0.2))
    pillar = 19.8**2 * (2.5 + 0.1)
    assert made.mesh.volume - whole.mesh.volume == pytest.approx(pillar, rel=1e-3)


@pytest.mark.parametrize("name", ["tetrasticks-5x5", "balls/pairs-tetrahedron"])
def test_the_pieces_of_a_solution_lie_in_the_tray_and_touch_nothing(name: str) -> None:
    *items, last = in_solution(subject(name), Sizes(gap=0.3, bevel=0), [], True)
    assert last.name == "tray"
    walls = manifold_of(last.thing.mesh.points, last.thing.mesh.triangles)
    low, high = last.thing.mesh.bounds
    solids = [manifold_of(item.thing.mesh.points, item.thing.mesh.triangles) for item in items]
    assert min(one.min_gap(other, 1) for one, other in combinations(solids, 2)) > 0.3 - 1e-3
    for item, solid in zip(items, solids, strict=True):
        assert solid.min_gap(walls, 1) > 0.09
        least, most = item.thing.mesh.bounds
        assert (least > low).all()
        assert (most < high)[:2].all()


def test_walls_around_a_pyramid_are_low() -> None:
    steps = "locations {\n  xxx  ...\n  xxx  .x.\n  xxx  ...\n}\npiece P x10 { x }\n"
    low, high = tray_of(f'puzzle "p"\nlattice cubic\n{steps}').mesh.bounds
    # The hull is 60 mm wide up to a height of 20 mm, and 20 mm wide at 40 mm: half of its area is left at 28.8 mm.
    assert high[2] - low[2] == pytest.approx(2.1 + 28.8, abs=40 / 64)


@pytest.mark.parametrize("name", lattice_names())
def test_every_lattice_has_a_tray_or_is_refused(name: str) -> None:
    lattice = find_lattice(name)
    cell = "(" + ",".join(["0"] * lattice.coordinates) + ")"
    text = f'puzzle "p"\nlattice {name}\nlocations cells {cell}\npiece A cells {cell}\n'
    try:
        tray_of(text)
    except PuzzleError as error:
        assert lattice.dimension > 2
        assert error.diagnostics[0].code == "PZ504"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("wrap x\nlocations box 4x1\npiece D x2 { xx }\n", "wrap-around board"),
        ("pairs-octahedron", "rests on an edge or a tip"),
        ("dominoes-2x2x2x2", "`hypercubic`"),
    ],
)
def test_a_board_without_a_possible_tray_is_refused_with_a_reason(text: str, words: str) -> None:
    puzzle = parse(f'puzzle "p"\n{text}') if "\n" in text else load(text)
    assert isinstance(puzzle, Puzzle)
    with pytest.raises(PuzzleError, match=words) as error:
        tray(puzzle, Sizes())
    assert error.value.diagnostics[0].code == "PZ504"


def test_a_tray_has_a_separate_plate_and_a_name() -> None:
    puzzle = parse('puzzle "p"\nlocations box 2x2\npiece I x2 { xx }\n')
    remarks: list[str] = []
    found = models(puzzle, format="3mf", plate=Plate(60, 60), tray=True, remarks=remarks)
    assert list(found) == ["1", "tray"]
    assert remarks[0].startswith("2 pieces and a tray on 2 plates of 60 x 60 mm, ")
    with zipfile.ZipFile(BytesIO(found["tray"])) as packed:
        assert 'name="tray"' in packed.read("3D/3dmodel.model").decode()
    with pytest.raises(PuzzleError, match="`tray` is larger than the plate"):
        models(puzzle, plate=Plate(42, 42), tray=True)
    assert b'"name":"tray"' in model(puzzle, format="glb", tray=True)


#: A closed box of 4x2x2 cubes, with an opening of 3x2 above its left part.
SLOT = """puzzle "Slot"
lattice cubic
locations box 4x2x2
pieces tetracubes x0..1
wall box 6x4x4 at (-1,-1,-1) - box 4x2x2 - box 3x2x1 at (0,0,2)
"""


def walls_of(text: str, sizes: Sizes) -> tuple[dict[str, ModelThing], list[str]]:
    """Return the parts of the walls by their names, and the remarks."""
    puzzle, remarks = parse(text), list[str]()
    assert isinstance(puzzle, Puzzle)
    made = {thing.name: thing for thing in trays(puzzle, sizes, remarks)}
    for thing in made.values():
        assert thing.mesh.seams == 0
        assert len(manifold_of(thing.mesh.points, thing.mesh.triangles).decompose()) == 1
    return made, remarks


def cut(thing: ModelThing, low: tuple[float, ...], high: tuple[float, ...]) -> float:
    """Return the volume of a thing within a block, whose corners are in mm from the least corner of the board."""
    size = tuple([b - a for a, b in zip(low, high, strict=True)])
    block = m3.Manifold.cube(size).translate((low[0] - 10, low[1] - 30, low[2] - 10))  # y runs away from us
    volume: float = (manifold_of(thing.mesh.points, thing.mesh.triangles) ^ block).volume()
    return volume


def test_walls_are_a_box_and_a_lid_as_thick_as_chosen_with_their_opening() -> None:
    made, remarks = walls_of(SLOT, Sizes(gap=0.2, wall=3))
    assert list(made) == ["box", "lid"]
    assert remarks == ["the walls of the puzzle are the box and lid, 3 mm thick, with their openings"]
    low = tuple([min(thing.mesh.bounds[0][axis] for thing in made.values()) for axis in range(3)])
    high = tuple([max(thing.mesh.bounds[1][axis] for thing in made.values()) for axis in range(3)])
    # The hole is 0.1 mm wider on each side.
    assert [b - a for a, b in zip(low, high, strict=True)] == pytest.approx([86.2, 46.2, 46.2], abs=1e-3)
    shell = 86.2 * 46.2 * 46.2 - 80.2 * 40.2 * 40.2 - 60.2 * 40.2 * 3
    both = sum(thing.mesh.volume for thing in made.values())
    assert 0 < shell - both < 0.02 * shell  # only the play of the rim is missing
    for thing in made.values():
        assert cut(thing, (0, 0, 0), (80, 40, 40)) == pytest.approx(0)  # the pieces
        assert cut(thing, (0, 0, 0), (60, 40, 100)) == pytest.approx(0)  # the way in
    assert cut(made["lid"], (60.2, 0, 40.1), (80, 40, 43.1)) == pytest.approx(19.8 * 40 * 3, rel=1e-3)
    assert cut(made["box"], (0, 0, -3.1), (80, 40, -0.1)) == pytest.approx(80 * 40 * 3, rel=1e-3)


def test_the_lid_lifts_off_its_box_and_lies_on_its_flat_side() -> None:
    made, _ = walls_of(SLOT, Sizes())
    box, lid = (manifold_of(made[name].mesh.points, made[name].mesh.triangles) for name in ("box", "lid"))
    for lift in (0, 0.5, 2, 5, 50):
        assert (box ^ lid.translate((0, 0, lift))).volume() == pytest.approx(0, abs=1e-6)
    assert (box ^ lid.translate((0.4, 0, 0))).volume() > 1  # the rim holds it
    files = models(parse(SLOT), format="stl", tray=True, separate=True)
    assert set(files) == {"A", "B", "I", "L", "O", "P", "T", "Z", "box", "lid"}
    printed = trays_alone(subject(parse(SLOT), 0), Sizes(), [])
    assert [item.thing.name for item in printed] == ["box", "lid"]
    low, high = printed[1].thing.mesh.bounds
    assert low.tolist() == pytest.approx([0, 0, 0])
    on_plate = manifold_of(printed[1].thing.mesh.points, printed[1].thing.mesh.triangles).slice(0.01).area()
    assert on_plate > 0.9 * (84.2 * 44.2 - 60.2 * 40.2)
    assert high[2] == pytest.approx(6, abs=0.2)


def test_a_box_without_a_wall_above_has_no_lid_and_is_open_where_no_wall_is() -> None:
    text = SLOT.replace(
        "wall box 6x4x4 at (-1,-1,-1) - box 4x2x2 - box 3x2x1 at (0,0,2)", "wall box 5x4x3 at (-1,-1,-1) - box 4x2x2"
    )
    made, remarks = walls_of(text, Sizes())
    assert list(made) == ["box"]
    assert remarks == ["the walls of the puzzle are the box, 2 mm thick, with their openings"]
    assert cut(made["box"], (0, 0, 0), (200, 40, 200)) == pytest.approx(0)
    assert cut(made["box"], (-2.1, 0, 0), (-0.1, 40, 40)) == pytest.approx(2 * 40 * 40, rel=5e-3)


def test_a_wall_within_the_board_is_full() -> None:
    board = "box 3x3x1 - box 1x1x1 at (1,1,0)"
    walls = f"wall box 5x5x3 at (-1,-1,-1) - ({board})"
    text = f"lattice cubic\nlocations {board}\npiece I x4 {{ xx }}\n{walls}\n"
    made, _ = walls_of(text, Sizes(gap=0.2))
    pillar = sum(cut(thing, (20, 0, 0), (40, 20, 20)) for thing in made.values())
    assert pillar == pytest.approx(19.8**2 * 20, rel=0.02)


def test_pieces_of_a_solution_lie_in_their_box_and_touch_nothing() -> None:
    items = in_solution(subject(parse(SLOT), 1), Sizes(), [], with_tray=True)
    solids = [manifold_of(item.thing.mesh.points, item.thing.mesh.triangles) for item in items]
    assert [item.thing.name for item in items[-2:]] == ["box", "lid"]
    for one, two in combinations(solids, 2):
        assert (one ^ two).volume() == pytest.approx(0, abs=1e-6)


def test_walls_that_cannot_be_made_get_a_remark() -> None:
    text = "locations box 3x1\npiece D { xx }\npiece o { x }\nwall box 5x2 at (-1,-1) - box 3x1\n"
    made, remarks = walls_of(text, Sizes())
    assert list(made) == ["tray"]
    assert remarks == ["the tray does not have the walls of the puzzle: only walls of cubes are made"]
