"""Unusual or large puzzles are drawn correctly or refused with a reason: no internal error, no minutes of waiting."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from puzzlec import compile, load, parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import find_lattice
from puzzlec.ir import Placement, Puzzle, Solution
from puzzlec.make.outputs import draw, subject
from puzzlec.show.scene import puzzle_scene, solution_scene
from puzzlec.show.svg import isometric
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.flat import Flat, folded
from puzzlec.show.svg.ground import Ground
from puzzlec.show.svg.layers import layer_figures
from puzzlec.show.svg.solid import telling_view

#: The edges of the grid of cubes, in two of three directions: enough for edges in space.
STRUTS = """
summary: edges in space
dimension: 3
translations: [[2, 0, 0], [0, 2, 0], [0, 0, 2]]
kinds:
  - name: upright
    at: [0, 0, 1]
    outline: [[0, 0, -1], [0, 0, 1]]
    neighbours: [[0, 0, 2], [0, 0, -2], [1, 0, 1], [-1, 0, 1], [1, 0, -1], [-1, 0, -1]]
  - name: level
    at: [1, 0, 0]
    outline: [[-1, 0, 0], [1, 0, 0]]
    neighbours: [[2, 0, 0], [-2, 0, 0], [1, 0, 1], [-1, 0, 1], [1, 0, -1], [-1, 0, -1]]
rotations: []
reflections: []
freedom: fixed
drawing: cells
"""
#: Intervals of two lengths, side by side.
LONG_AND_SHORT = """
summary: long and short
dimension: 1
translations: [[6]]
kinds:
  - {name: short, at: [0], outline: [[-1], [1]], neighbours: [[-3], [3]]}
  - {name: long, at: [3], outline: [[-2], [2]], neighbours: [[-3], [3]]}
rotations: []
reflections: [[[-1]]]
freedom: fixed
drawing: cells
"""


def of_lattice(folder: Path, lattice: str, text: str) -> Puzzle:
    """Return a puzzle on a custom lattice."""
    (folder / "own.yaml").write_text(lattice)
    (folder / "own.puzzle").write_text('puzzle "Own"\nlattice "own.yaml"\n' + text)
    found = load(str(folder / "own.puzzle"))
    assert isinstance(found, Puzzle)
    return found


def singles(text: str, number: int) -> Solution:
    """Return a solution in which copies of a piece of one cell lie on the first locations."""
    fitting = compile(parse(text), stage="fitting")
    return Solution(fitting, tuple([Placement(0, index, (index,), fitting) for index in range(number)]))


def test_four_dimensions_are_drawn_of_cubes_only() -> None:
    puzzle = load("hypercubes/dominoes-2x2x2x2")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.lattice is not None
    twice = replace(puzzle.lattice, translations=tuple([tuple([2 * x for x in row]) for row in identity(4)]))
    for show in ("board", "pieces", "all"):
        with pytest.raises(PuzzleError, match=r"PZ504.*three dimensions"):
            draw(replace(puzzle, lattice=twice), choices=Choices(show), limit=0)


def identity(size: int) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple([int(i == j) for j in range(size)]) for i in range(size)])


def test_an_assembly_of_too_many_steps_is_refused() -> None:
    many = singles("lattice cubic\nlocations box 401x1x1\npiece A x401 { x }", 401)
    with pytest.raises(PuzzleError, match=r"PZ504.*401 pieces"):
        draw(many, choices=Choices(steps=True))


def test_too_many_sides_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    eight = singles("lattice cubic\nlocations box 2x2x2\npiece A x8 { x }", 8)
    monkeypatch.setattr(isometric, "MOST_SIDES", 12)
    assert "<svg" in draw(eight)
    with pytest.raises(PuzzleError, match=r"PZ504.*too many sides for a drawing: 24"):
        draw(eight, choices=Choices(explode=1))


def test_edges_in_space_have_layers(tmp_path: Path) -> None:
    puzzle = of_lattice(
        tmp_path, STRUTS, "locations box 2x1x3\npiece A x12 cells (0,0,0,0)\npiece B x0..1 cells (0,0,0,1)"
    )
    scene = puzzle_scene(puzzle)
    assert scene is not None
    assert [caption for caption, _ in layer_figures(scene, Choices())] == [f"slice {n} of 3" for n in (1, 2, 3)]
    assert "<svg" in draw(puzzle, choices=Choices("board", view="both"), limit=0)


def test_a_line_of_two_kinds_of_interval_shows_all_of_them_equally_high(tmp_path: Path) -> None:
    puzzle = of_lattice(tmp_path, LONG_AND_SHORT, "locations box 50\npiece A x50 cells (0,0) (0,1)")
    scene = puzzle_scene(puzzle)
    assert scene is not None
    assert len(folded(scene).board) == 100
    ground = Ground(scene.lattice, 10)
    boxes = [ground.corners(cell) for cell in ((0, 0), (0, 1))]
    wide = [max(x for x, _ in box) - min(x for x, _ in box) for box in boxes]
    high = [max(y for _, y in box) - min(y for _, y in box) for box in boxes]
    assert wide[1] == pytest.approx(2 * wide[0])
    assert high == pytest.approx([wide[0], wide[0]])


def test_a_long_line_of_one_kind_still_continues_in_rows() -> None:
    scene = puzzle_scene(parse("lattice line\nlocations box 100\npiece A x100 { x }"))
    assert scene is not None
    assert folded(scene).lattice is find_lattice("square")


def test_only_a_single_solution_has_its_layers() -> None:
    found = subject("soma", 2)
    assert draw(found.solutions[0]) == draw(found.solutions[0], choices=Choices(view="both"))
    assert draw(found) == draw(found, choices=Choices(view="isometric"))
    scene = solution_scene(found.solutions[0])
    assert scene is not None
    assert telling_view(scene) == "both"
    assert telling_view(replace(scene, bodies=scene.bodies[:1])) == "isometric"


def test_signs_on_a_solid_are_in_a_legend() -> None:
    (solution,) = subject("polycubes/conway").solutions
    assert draw(solution, choices=Choices(legend=True)) == draw(solution)
    assert len(draw(solution)) > len(draw(solution, choices=Choices(legend=False)))


def test_signs_can_be_requested_even_if_names_fit() -> None:
    text = "lattice square\nlocations box 6x1\npiece AB { xxx }\npiece CD { xxx }"
    (solution,) = subject(parse(text)).solutions
    scene = solution_scene(solution)
    assert scene is not None
    assert Flat(scene, Choices(cell=40)).lettered == "name"
    assert Flat(scene, Choices(cell=40, labels="signs")).lettered == "label"


def test_the_colours_of_a_solid_have_the_same_marks_on_the_board_and_on_pieces() -> None:
    # A piece with only one of three colours would have a shade if it were drawn alone.
    text = """
lattice cubic
colours r g b
locations { rgb }
piece A { r }
piece B { gb }
"""
    puzzle = parse(text)
    pieces = draw(puzzle, choices=Choices("pieces", legend=False), limit=0)
    plain = draw(
        parse(text.replace("{ r }", "{ x }").replace("{ gb }", "{ xx }")),
        choices=Choices("pieces", legend=False),
        limit=0,
    )
    assert pieces.count("<path") > plain.count("<path")
