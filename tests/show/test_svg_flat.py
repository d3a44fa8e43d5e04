"""Pictures of flat puzzles: every piece is there, with its area, its name and its colour, within the picture."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from puzzlec import load, parse
from puzzlec.geometry import Lattice, find_lattice
from puzzlec.geometry.faces import area, breadth
from puzzlec.geometry.lattice import connected_parts
from puzzlec.ir import Puzzle, Solution
from puzzlec.make.outputs import subject
from puzzlec.show.palette import COLOURS
from puzzlec.show.scene import Scene, puzzle_scene, solution_scene
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.flat import Flat, flat_figure, folded, lettered
from puzzlec.show.svg.ground import Ground
from puzzlec.show.svg.marks import Dyes, Marks, depth, farthest

AREAS = [
    "pentominoes/6x10",
    "pentominoes/8x8-hole",
    "polyhexes/tetrahexes-4x7",
    "polyhexes/tetrahexes-two-holes",
    "polyiamonds/hexiamonds-4x9",
    "polyiamonds/hexiamonds-snowflake",
    "polyaboloes/tangram-square",
    "polydrafters/trinity",
    "line/langford-7",
    "lattices/nine-cubes",
    "dominoes/double-six",
    "tiles/macmahon-squares",
    "tori/tetrominoes-4x5",
    "tori/dihexes-torus",
    "tori/dominoes-moebius-4x4",
]
EDGES = [
    "polysticks/tetrasticks-5x5",
    "polysticks/tetrasticks-4x4-crossing",
    "polytrigs/tritrigs-trapezoid",
    "polytwigs/pentatwigs-triangle",
]
SVG = "{http://www.w3.org/2000/svg}"


def first(name: str) -> Solution:
    """Return the first solution of a puzzle of the catalogue."""
    return subject(name, 1).solutions[0]


def scene_of(name: str) -> Scene:
    """Return the first solution of a puzzle as a scene."""
    scene = solution_scene(first(name))
    assert scene is not None
    return scene


def rings_of(path: ElementTree.Element) -> list[list[tuple[float, float]]]:
    """Return the polygons of a path of lines."""
    found = []
    for ring in re.findall(r"M([^MZ]*)", path.get("d", "")):
        numbers = [float(value) for value in re.findall(r"-?[\d.]+", ring)]
        found.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return found


def signed(ring: list[tuple[float, float]]) -> float:
    """Return the area of a ring, negative if it runs the other way round."""
    pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs) / 2


def groups(scene: Scene, choices: Choices) -> list[ElementTree.Element]:
    """Return the groups of a picture that have a title."""
    root = ElementTree.fromstring(flat_figure(scene, choices).svg().encode())
    return [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]


@pytest.mark.parametrize("name", [*AREAS, *EDGES])
def test_every_piece_is_named_and_everything_lies_in_the_picture(name: str) -> None:
    scene = scene_of(name)
    figure = flat_figure(scene, Choices())
    root = ElementTree.fromstring(figure.svg(scene.title).encode())
    left, top, wide, high = map(float, root.get("viewBox", "").split())
    titles = [title.text for title in root.iter(f"{SVG}title")]
    for body in scene.bodies:
        assert any(title and title.startswith(body.name) for title in titles)
    for path in root.iter(f"{SVG}path"):
        half = float(path.get("stroke-width", 0)) / 2
        numbers = [
            float(value) for value in re.findall(r"(?<=[ML ])-?[\d.]+", re.sub(r"[QC][^MLQC]*", "", path.get("d", "")))
        ]
        assert all(left <= x - half and x + half <= left + wide for x in numbers[::2])
        assert all(top <= y - half and y + half <= top + high for y in numbers[1::2])


@pytest.mark.parametrize("name", AREAS)
def test_the_joined_outlines_have_the_areas_of_the_cells(name: str) -> None:
    scene = folded(scene_of(name))
    ground = Ground(scene.lattice, 20)
    for body, group in zip(
        scene.bodies, groups(scene, Choices(cell=20, labels="none"))[-len(scene.bodies) :], strict=True
    ):
        whole = abs(sum(signed(ring) for ring in rings_of(group.findall(f"{SVG}path")[0])))
        assert whole == pytest.approx(sum(area(ground.corners(cell)) for cell in body.cells), rel=2e-3)


@pytest.mark.parametrize("name", EDGES)
def test_edges_are_strokes_in_the_colour_of_their_piece(name: str) -> None:
    scene = scene_of(name)
    for body, group in zip(scene.bodies, groups(scene, Choices(labels="none"))[-len(scene.bodies) :], strict=True):
        rim, stroke = group.findall(f"{SVG}path")
        assert stroke.get("stroke") == COLOURS[body.hue]
        assert rim.get("d") == stroke.get("d")
        assert len(rings_of(stroke)) >= len(body.cells)


def test_cells_have_the_requested_size_on_every_flat_lattice() -> None:
    for name in ("line", "square", "hex", "triangle", "tetrakis", "drafter"):
        lattice = find_lattice(name)
        ground = Ground(lattice, 30)
        sizes = [area(ground.corners((0,) * lattice.dimension + tail)) for tail in kinds(lattice)]
        assert sum(sizes) / len(sizes) == pytest.approx(900)
    assert breadth(find_lattice("twigs")) > 0


def kinds(lattice: Lattice) -> list[tuple[int, ...]]:
    """Return the fractional parts of a cell's coordinates for each kind."""
    return [(number,) for number in range(len(lattice.kinds))] if len(lattice.kinds) > 1 else [()]


def test_straight_sides_are_one_line() -> None:
    ground = Ground(find_lattice("square"), 10)
    sides = [side for x in range(7) for side in ground.sides((x, 0))]
    lines = ground.lines({side.ends: side for side in sides}.values())
    assert len(lines) == 2 + 8
    assert sorted(lines)[-1] == [(65.0, -5.0), (65.0, 5.0)]


def test_labels_lie_well_inside_their_pieces() -> None:
    flat = Flat(scene_of("pentominoes/6x10"), Choices(cell=40))
    assert flat.lettered == "name"
    for number, several in flat._labels.items():
        (label,) = several
        assert depth(flat._rings[number], label.at) > 0.6 * label.size


def test_a_piece_across_a_seam_has_its_name_on_all_parts_and_dashed_borders() -> None:
    scene = scene_of("new/torus")
    flat = Flat(scene, Choices())
    divided = [
        number for number, body in enumerate(scene.bodies) if len(connected_parts(body.cells, scene.lattice)) > 1
    ]
    assert divided
    assert all(len(flat._labels[number]) > 1 for number in divided)
    assert "stroke-dasharray" in flat.figure().svg()


def test_the_farthest_place_of_a_ring_is_not_in_its_hole() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    hole = [(3.0, 3.0), (3.0, 9.0), (9.0, 9.0), (9.0, 3.0)]
    (x, y), room = farthest([square, hole])
    assert depth([square, hole], (x, y)) == pytest.approx(room)
    assert x < 3
    assert y < 3


def test_long_names_give_way_to_signs_and_small_cells_to_nothing() -> None:
    scene = scene_of("polyaboloes/tangram-hexagon")
    assert lettered(scene, Choices(cell=200)) == "name"
    assert lettered(scene, Choices(cell=40)) == "label"
    assert lettered(scene, Choices(cell=5)) == "none"


def test_a_long_line_continues_in_the_next_row() -> None:
    puzzle = parse("lattice line\nlocations cells (x) for x in 0..99\npiece a x50 { xx }")
    scene = solution_scene(subject(puzzle, 1).solutions[0])
    assert scene is not None
    rows = folded(scene)
    assert sorted({y for _, y in rows.board}) == [0, 2, 4]
    assert len(rows.board) == 100
    assert sum(len(body.cells) for body in rows.bodies) == 100


def test_places_that_may_stay_empty_are_dashed_and_named() -> None:
    puzzle = parse("locations box 2x1\noptional locations cells (0,1) (1,1)\npiece a { xx }")
    assert isinstance(puzzle, Puzzle)
    scene = puzzle_scene(puzzle)
    assert scene is not None
    svg = flat_figure(scene, Choices()).svg()
    assert "<title>may stay empty</title>" in svg
    assert "stroke-dasharray" in svg


def test_numbers_are_pips_two_colours_shades_and_more_are_signs() -> None:
    assert Marks(()).way == "none"
    assert Marks("0123456").way == "pips"
    assert Marks("bw").way == "shade"
    assert Marks("bw").shades("b")
    assert not Marks("bw").shades("w")
    assert Marks("abc").way == "signs"


def test_dominoes_have_their_pips() -> None:
    scene = scene_of("dominoes/double-six")
    for group, body in zip(groups(scene, Choices())[-28:], scene.bodies, strict=True):
        drawn = "".join(path.get("d", "") for path in group.findall(f"{SVG}path")).count("h")
        assert drawn == sum(int(colour or 0) for colour in body.colours)


def test_tiles_show_the_colours_of_their_sides_at_their_borders() -> None:
    scene = scene_of("tiles/macmahon-squares")
    dyes = Dyes("012")
    seen: dict[tuple[tuple[float, float], ...], set[str]] = {}
    for group in groups(scene, Choices(cell=40, labels="none"))[-24:]:
        triangles = [path for path in group.findall(f"{SVG}path") if path.get("fill") in dyes.fills.values()][-4:]
        assert len(triangles) == 4
        for path in triangles:
            (corners,) = rings_of(path)
            seen.setdefault(tuple(sorted(corners[:2])), set()).add(path.get("fill") or "")
    assert all(len(colours) == 1 for colours in seen.values())


def test_for_print_there_is_no_colour() -> None:
    for name in ("pentominoes/6x10", "tiles/macmahon-squares", "polysticks/tetrasticks-5x5"):
        colours = set(re.findall(r"#[0-9a-f]{6}", flat_figure(scene_of(name), Choices(plain=True)).svg()))
        assert not colours & set(COLOURS)


def test_a_solid_is_not_a_flat_picture() -> None:
    puzzle = load("soma/soma")
    assert isinstance(puzzle, Puzzle)
    scene = puzzle_scene(puzzle)
    assert scene is not None
    with pytest.raises(ValueError, match="not flat"):
        flat_figure(scene, Choices())
