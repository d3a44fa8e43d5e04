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

from puzzlec.make.layout import in_solution, tray  # noqa: E402
from puzzlec.make.mesh import manifold_of  # noqa: E402
from puzzlec.make.things import Thing  # noqa: E402


def tray_of(name: str, sizes: Sizes | None = None) -> Thing:
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
    found = models(puzzle, "3mf", plate=Plate(60, 60), tray=True, remarks=remarks)
    assert list(found) == ["1", "tray"]
    assert remarks[0].startswith("2 pieces and a tray on 2 plates of 60 x 60 mm, ")
    with zipfile.ZipFile(BytesIO(found["tray"])) as packed:
        assert 'name="tray"' in packed.read("3D/3dmodel.model").decode()
    with pytest.raises(PuzzleError, match="`tray` is larger than the plate"):
        models(puzzle, plate=Plate(42, 42), tray=True)
    assert b'"name":"tray"' in model(puzzle, "glb", tray=True)
