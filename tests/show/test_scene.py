"""The content of pictures: every cell of every piece, with different colours for neighbours."""

from __future__ import annotations

from itertools import combinations

import pytest

from puzzlec import load, parse, solve
from puzzlec.ir import Puzzle, Solution
from puzzlec.show.palette import COLOURS, EMPTY, INK, hues, mixed, rgb
from puzzlec.show.scene import near, piece_scene, puzzle_scene, sections, solution_scene


def first(name: str) -> Solution:
    return next(iter(solve(name)))


@pytest.mark.parametrize("name", ["pentominoes/8x8-hole", "soma/soma", "polyhexes/tetrahexes-4x7", "dominoes/6x6"])
def test_a_scene_has_every_cell_once_and_the_name_of_its_piece(name: str) -> None:
    solution = first(name)
    scene = solution_scene(solution)
    assert scene is not None
    assert {cell for body in scene.bodies for cell in body.cells} | set(scene.empty) == set(scene.board)
    names = {at: name for at, name in zip(scene.board, solution.names_on, strict=True) if name is not None}
    assert names == {cell: body.name for body in scene.bodies for cell in body.cells}


@pytest.mark.parametrize("name", ["dominoes/6x6", "polysticks/tetrasticks-4x4", "tori/dominoes-klein-4x4"])
def test_neighbours_differ_in_colour(name: str) -> None:
    scene = solution_scene(first(name))
    assert scene is not None
    beside = near(scene)
    assert any(beside.values())
    assert all(scene.bodies[one].hue != scene.bodies[two].hue for one, others in beside.items() for two in others)


def test_a_piece_has_the_same_colour_in_all_solutions() -> None:
    colours = [
        {body.name: body.hue for body in scene.bodies}
        for solution, _ in zip(solve("soma"), range(3), strict=False)
        if (scene := solution_scene(solution))
    ]
    assert len(colours) == 3
    assert colours[0] == colours[1] == colours[2]
    assert len(set(colours[0].values())) == 7


def test_a_board_wraps_around_in_its_scene() -> None:
    puzzle = parse('puzzle "t"\nlocations box 4x2\nwrap x\npiece D x4 { xx }')
    solution = next(iter(solve(puzzle)))
    scene = solution_scene(solution)
    assert scene is not None
    owner = scene.owner
    assert scene.body_on((-1, 0)) == owner[3, 0]
    assert scene.body_on((4, 0)) == owner[0, 0]


def test_a_piece_alone_has_its_label_and_no_board() -> None:
    puzzle = load("soma")
    assert isinstance(puzzle, Puzzle)
    scene = piece_scene(puzzle, 1)
    assert scene is not None
    assert not scene.board
    assert len(scene.bodies) == 1
    assert scene.bodies[0].cells == puzzle.pieces[1].cells


def test_without_geometry_there_is_no_scene() -> None:
    puzzle = load("queens/8")
    assert not isinstance(puzzle, Puzzle) or puzzle_scene(puzzle) is None
    assert solution_scene(first("queens/8")) is None


def test_four_dimensions_are_sections_with_all_cells() -> None:
    scene = solution_scene(first("hypercubes/dominoes-2x2x2x2"))
    assert scene is not None
    parts = sections(scene)
    assert [caption for caption, _ in parts] == ["w=0", "w=1"]
    assert {(*cell, w) for w, (_, part) in enumerate(parts) for cell in part.cells} == set(scene.cells)
    assert all(part.lattice.name == "cubic" for _, part in parts)


def test_hues_are_few_if_few_are_enough() -> None:
    ring = {number: [(number - 1) % 8, (number + 1) % 8] for number in range(8)}
    assert len(set(hues(ring).values())) == 2
    everyone = {number: [other for other in range(12) if other != number] for number in range(12)}
    assert len(set(hues(everyone).values())) == 12
    crowd = {number: [other for other in range(30) if other != number] for number in range(30)}
    assert set(hues(crowd)) == set(range(30))


def luminance(colour: str) -> float:
    """The relative luminance of the Web Content Accessibility Guidelines 2.2."""
    parts = [value / 255 for value in rgb(colour)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colour", [*COLOURS, EMPTY])
def test_letters_can_be_read_on_every_colour(colour: str) -> None:
    assert (luminance(colour) + 0.05) / (luminance(INK) + 0.05) > 6


def lab(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """The CIELAB coordinates of linear red, green and blue (sRGB primaries, white point D65)."""
    r, g, b = colour
    x, y, z = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    f = [value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


#: Linear red, green and blue, as seen by dichromats: F. Vienot, H. Brettel and J. D. Mollon, Digital video
#: colourmaps for checking the legibility of displays by dichromats, 1999.
SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopes": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "deuteranopes": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


@pytest.mark.parametrize("people", SEEN)
@pytest.mark.parametrize(("number", "distance"), [(8, 18), (12, 9.5)])
def test_colours_differ_for_everyone(people: str, number: int, distance: float) -> None:
    seen = []
    for colour in COLOURS[:number]:
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in rgb(colour))]
        mixture = [max(0.0, sum(a * b for a, b in zip(row, linear, strict=True))) for row in SEEN[people]]
        seen.append(lab((mixture[0], mixture[1], mixture[2])))
    distances = {
        (COLOURS[i], COLOURS[j]): sum((a - b) ** 2 for a, b in zip(seen[i], seen[j], strict=True)) ** 0.5
        for i, j in combinations(range(number), 2)
    }
    assert min(distances.values()) > distance, min(distances.items(), key=lambda entry: entry[1])


def test_colours_mix() -> None:
    assert mixed("#102030", "#304050", 0.0) == "#102030"
    assert mixed("#102030", "#304050", 1.0) == "#304050"
