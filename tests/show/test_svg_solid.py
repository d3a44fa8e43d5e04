"""Pictures of solids: the topmost paint at a spot is the first body on a ray."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import hypot, inf, sqrt
from xml.etree import ElementTree

import pytest

from puzzlec import load, parse, solve
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.faces import Place, faces, place
from puzzlec.ir import Puzzle
from puzzlec.ir.location import Location
from puzzlec.make.outputs import draw, subject
from puzzlec.show.palette import COLOURS, INK
from puzzlec.show.scene import Scene, SceneBody, piece_scene, puzzle_scene, solution_scene
from puzzlec.show.svg import sheet
from puzzlec.show.svg.balls import Balls
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.isometric import Isometric, Parts
from puzzlec.show.svg.layers import layer_figures, layer_scenes, levels
from puzzlec.show.svg.marks import Marks
from puzzlec.show.svg.solid import drawn, piece_figure, solid_figures, well_turned
from puzzlec.show.svg.standpoint import Screen
from puzzlec.show.svg.steps import step_figures

SOLIDS = ["cubic", "prism", "tetoct", "octants", "rhombic"]
PLAIN = Choices(labels="none", cell=30.0)
Spot = tuple[float, float]
#: Rings of a region, or the middle and the radius of a circle.
Shape = list[list[Spot]] | tuple[float, float, float]


def random_scene(lattice: Lattice, chance: random.Random, many: int) -> Scene:
    """Return a scene of random cells, each of a random body; most of them hide others."""
    kinds = [(kind,) for kind in range(len(lattice.kinds))] if len(lattice.kinds) > 1 else [()]
    size = 3 if len(kinds) == 1 else 2
    cells = [(*at, *kind) for at in product(range(size), repeat=3) for kind in kinds]
    chosen = chance.sample(cells, min(many, len(cells)))
    groups: list[list[Cell]] = [[] for _ in range(5)]
    for cell in chosen:
        chance.choice(groups).append(cell)
    bodies = [
        SceneBody(number, f"piece {number}", str(number), number, tuple(group), (None,) * len(group))
        for number, group in enumerate(groups) if group
    ]  # fmt: skip
    return Scene("random", lattice, {}, tuple(bodies))


def first_hit(lattice: Lattice, scene: Scene, screen: Screen, start: Place, parts: Parts) -> tuple[int, float]:
    """Return the body that a ray from the viewer through a place meets first (-1: none), and its lead over the next.

    The ray is tested against every cell, as a solid between planes or as a ball: it uses nothing of the picture.
    """
    hits = []
    for number, body in enumerate(scene.bodies):
        for cell in body.cells:
            point = lattice.point(cell)
            at = place(
                lattice,
                [a + b / 16 for a, b in zip(point, parts.shift(cell) if parts.part else (0, 0, 0), strict=True)],
            )
            from_there = [a - b for a, b in zip(start, at, strict=True)]
            along = screen.towards
            if lattice.of_balls:
                b = sum(x * y for x, y in zip(from_there, along, strict=True))
                c = sum(x * x for x in from_there) - 0.25
                if b * b > c:
                    hits.append((-b + sqrt(b * b - c), number))
                continue
            low, high = float("-inf"), float("inf")
            for face in faces(lattice, lattice.class_of(point)):
                speed = sum(n * d for n, d in zip(face.normal, along, strict=True))
                room = sum(n * (c - p) for n, c, p in zip(face.normal, face.corners[0], from_there, strict=True))
                if abs(speed) < 1e-12:
                    if room < 0:
                        low = float("inf")
                elif speed > 0:
                    high = min(high, room / speed)
                else:
                    low = max(low, room / speed)
            if low < high - 1e-9:
                hits.append((high, number))
    hits.sort(reverse=True)
    if not hits:
        return -1, 1.0
    behind = next((depth for depth, number in hits if number != hits[0][1]), float("-inf"))
    return hits[0][1], hits[0][0] - behind


def shapes(figure: Figure) -> list[tuple[str, Shape]]:
    """Return the filled shapes of a picture in the order of painting, each with its colour: rings, or a circle."""
    found: list[tuple[str, Shape]] = []
    for element in ElementTree.fromstring(figure.svg()).iter():
        fill = element.get("fill", "#000000")
        if fill == "none":
            continue
        if element.tag.endswith("circle"):
            found.append((fill, (number(element, "cx"), number(element, "cy"), number(element, "r"))))
        elif element.tag.endswith("path"):
            rings = [
                [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", ring)]
                for ring in element.get("d", "").split("Z") if ring
            ]  # fmt: skip
            found.append((fill, rings))
    return found


def number(element: ElementTree.Element, key: str) -> float:
    """Return an attribute as a number."""
    return float(element.get(key, "0"))


def inside(shape: Shape, spot: Spot) -> bool:
    """Whether a shape contains a spot."""
    x, y = spot
    if isinstance(shape, tuple):
        return hypot(x - shape[0], y - shape[1]) < shape[2]
    assert isinstance(shape, list)
    odd = False
    for ring in shape:
        for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a:
                odd = not odd
    return odd


def at_rim(shape: Shape, spot: Spot) -> bool:
    """Whether a spot is so near to the border of a shape that rounded coordinates do not determine the side."""
    x, y = spot
    if isinstance(shape, tuple):
        return abs(hypot(x - shape[0], y - shape[1]) - shape[2]) < 1.5
    assert isinstance(shape, list)
    return any(
        abs((c - a) * (y - b) - (d - b) * (x - a)) < 0.05 * (hypot(c - a, d - b) or 1.0)
        and min(a, c) - 0.05 <= x <= max(a, c) + 0.05 and min(b, d) - 0.05 <= y <= max(b, d) + 0.05
        for ring in shape for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True)
    )  # fmt: skip


def check_rays(scene: Scene, parts: Parts, chance: random.Random, rays: int) -> int:
    """Compare spots of a picture with rays; return the number of rays that met a body."""
    lattice = scene.lattice
    picture = Balls(scene, PLAIN, parts) if lattice.of_balls else Isometric(scene, PLAIN, parts)
    figure, screen = picture.figure(), picture.screen
    painted = [(fill, shape) for fill, shape in shapes(figure) if fill != INK]
    groups = owners_of(figure, scene)
    met = 0
    for _ in range(rays):
        spot = chance.uniform(figure.box.left, figure.box.right), chance.uniform(figure.box.top, figure.box.bottom)
        if any(at_rim(shape, spot) for _, shape in painted):
            continue
        right, up = spot[0] / screen.scale, -spot[1] / screen.scale
        start = tuple(right * a + up * b for a, b in zip(screen.right, screen.up, strict=True))
        expected, ahead = first_hit(lattice, scene, screen, start, parts)
        top, shape = next(((fill, shape) for fill, shape in reversed(painted) if inside(shape, spot)), (None, None))
        is_neck = lattice.of_balls and isinstance(shape, list)
        if ahead < 1e-6 or is_neck:
            continue
        found = -1 if top is None else groups[top]
        assert found == expected, (spot, top)
        met += expected >= 0
    return met


def owners_of(figure: Figure, scene: Scene) -> dict[str, int]:
    """Return the body of each colour of the picture."""
    found = {}
    for fill, _ in shapes(figure):
        rgb = [int(fill[k : k + 2], 16) for k in (1, 3, 5)]

        def shade(hue: int, rgb: Sequence[int] = rgb) -> float:
            own = [int(COLOURS[hue][k : k + 2], 16) for k in (1, 3, 5)]
            ways = [([0, 0, 0], own), (own, [255, 255, 255])]
            return min(_away(rgb, a, b) for a, b in ways)

        found[fill] = min(range(len(scene.bodies)), key=lambda number: shade(scene.bodies[number].hue))
    return found


def _away(rgb: Sequence[int], a: Sequence[int], b: Sequence[int]) -> float:
    """Return the distance of a colour from the mixtures of two others."""
    along = [y - x for x, y in zip(a, b, strict=True)]
    part = sum((c - x) * d for c, x, d in zip(rgb, a, along, strict=True)) / sum(d * d for d in along)
    part = min(1.0, max(0.0, part))
    return hypot(*(c - x - part * d for c, x, d in zip(rgb, a, along, strict=True)))


@pytest.mark.parametrize("name", [*SOLIDS, "fcc"])
def test_the_body_painted_on_top_is_the_first_body_on_a_ray(name: str) -> None:
    lattice, chance = find_lattice(name), random.Random(name)
    met = 0
    for many in (4, 9, 14):
        scene = random_scene(lattice, chance, many)
        met += check_rays(scene, Parts(), chance, 400 if lattice.of_balls else 100)
    assert met > 40


@pytest.mark.parametrize("name", ["cubic", "tetoct", "fcc"])
def test_the_topmost_paint_is_right_in_exploded_and_overlapping_pictures(name: str) -> None:
    lattice, chance = find_lattice(name), random.Random(name)
    scene = random_scene(lattice, chance, 12)
    part = {cell: number for number, body in enumerate(scene.bodies) for cell in body.cells}
    shifts = {number: tuple(chance.uniform(-1, 1) for _ in range(3)) for number in range(len(scene.bodies))}
    if lattice.of_balls:  # balls do not go through each other
        shifts = {number: (2.0 * number, 0.0, 0.0) for number in range(len(scene.bodies))}
    assert check_rays(scene, Parts(part, shifts), chance, 400) > 20


def read(name: str) -> Puzzle:
    """Return a puzzle of the catalogue."""
    puzzle = load(name)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def solved(name: str) -> Scene:
    """Return the scene of the first solution of a puzzle."""
    scene = solution_scene(next(iter(solve(read(name)))))
    assert scene is not None
    return scene


def test_nothing_hidden_is_in_the_picture_and_planes_are_joined() -> None:
    cubic = find_lattice("cubic")
    cube = SceneBody(0, "cube", "c", 0, tuple(product(range(3), repeat=3)), (None,) * 27)
    figure = Isometric(Scene("cube", cubic, {}, (cube,)), PLAIN).figure()
    regions = [shape for _, shape in shapes(figure)]
    assert [[str(ring).count("(") for ring in region] for region in regions] == [[4], [4], [4]]
    hidden = SceneBody(1, "middle", "m", 1, ((1, 1, 1),), (None,))
    shell = cube._replace(cells=tuple(cell for cell in cube.cells if cell != (1, 1, 1)), colours=(None,) * 26)
    both = Isometric(Scene("cube", cubic, {}, (shell, hidden)), PLAIN).figure()
    assert [shape for _, shape in shapes(both)] == regions


def test_the_areas_of_a_convex_solid_fill_its_outline_once() -> None:
    # Three areas of a cube of side n: each is n * n times that of a single cube, without a gap or overlap.
    for scene in (solved("soma/soma"),):
        picture = Isometric(scene, PLAIN)
        whole = sum(_area(shape) for _, shape in shapes(picture.figure()))
        body = SceneBody(0, "all", "a", 0, scene.cells, (None,) * len(scene.cells))
        alone = sum(_area(shape) for _, shape in shapes(Isometric(replace(scene, bodies=(body,)), PLAIN).figure()))
        assert whole == pytest.approx(alone, rel=2e-3)


def _area(shape: Shape) -> float:
    assert isinstance(shape, list)
    return abs(sum(
        (a * d - b * c) / 2 for ring in shape for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True)
    ))  # fmt: skip


def figures(name: str, choices: Choices) -> Iterator[tuple[str, Figure]]:
    """Yield the pictures of the solution of a puzzle."""
    yield from solid_figures(solved(name), choices)


@pytest.mark.parametrize(
    ("name", "captions"),
    [
        ("soma/soma", ["", "z=0", "z=1", "z=2"]),
        ("balls/pairs-square-pyramid", ["", "layer 1", "layer 2", "layer 3"]),
        ("hypercubes/dominoes-2x2x2x2", ["w=0", "z=0, w=0", "z=1, w=0", "w=1", "z=0, w=1", "z=1, w=1"]),
        ("tetoct/two-wings-tetrahedron", ["", *(f"slice {number} of 4" for number in range(1, 5))]),
    ],
)
def test_layers_have_captions_from_the_table_upwards(name: str, captions: list[str]) -> None:
    found = list(figures(name, Choices(view="both")))
    assert [caption for caption, _ in found] == captions
    assert all(not figure.is_empty for _, figure in found)


def test_layers_contain_every_cell_once() -> None:
    for name in ("rhombic/pieces-of-eight-6", "prisms/bermuda", "balls/ball-room-cube"):
        scene = solved(name)
        layers = layer_scenes(scene)
        assert sorted(cell for layer in layers for cell in layer.owner) == sorted(scene.owner)
        assert len(layers) == max(levels(scene).values()) + 1


def test_the_lowest_layer_comes_first_and_marks_show_continued_pieces() -> None:
    cubic = find_lattice("cubic")
    bodies = (
        SceneBody(0, "tower", "t", 0, ((0, 0, 0), (0, 0, 1)), (None, None)),
        SceneBody(1, "low", "l", 1, ((1, 0, 0),), (None,)),
        SceneBody(2, "high", "h", 2, ((1, 0, 1),), (None,)),
    )
    board = {cell: Location(cell) for body in bodies for cell in body.cells}
    (first, low), (second, high) = layer_figures(Scene("s", cubic, board, bodies), PLAIN)
    assert (first, second) == ("z=0", "z=1")
    marks = [
        [[ring] for fill, shape in shapes(figure) if fill == INK and isinstance(shape, list) for ring in shape]
        for figure in (low, high)
    ]
    assert list(map(len, marks)) == [1, 1]
    tips = [[y for _, y in mark[0][0]] for mark in marks]
    assert sorted(tips[0]).count(min(tips[0])) == 1  # a triangle that points upwards
    assert sorted(tips[1]).count(max(tips[1])) == 1


def test_a_piece_is_rotated_so_that_its_cells_are_visible() -> None:
    scene = piece_scene(read("soma/soma"), 6)
    assert scene is not None
    turned = well_turned(scene)
    picture = Isometric(turned, PLAIN)
    assert len(turned.bodies[0].cells) == len(scene.bodies[0].cells)
    assert sum(_area(shape) for _, shape in shapes(picture.figure())) > 0
    assert not piece_figure(scene, Choices()).is_empty


def test_an_empty_board_is_a_frame_whose_back_is_dashed() -> None:
    scene = puzzle_scene(read("soma/soma"))
    assert scene is not None
    ((_, figure),) = solid_figures(scene, Choices())
    assert "stroke-dasharray" in figure.svg()


def test_steps_show_one_piece_more_each_time() -> None:
    solution = next(iter(solve(read("soma/soma"))))
    found = step_figures(solution, Choices())
    assert len(found) == 7
    assert [caption.split(".")[0] for caption, _ in found] == [str(number) for number in range(1, 8)]
    boxes = {(round(figure.box.left), round(figure.box.right)) for _, figure in found}
    assert len(boxes) == 1  # all in the same place


def test_interlocked_pieces_are_the_first_picture() -> None:
    solution = next(iter(solve(read("octants/four-piece-tetrahedron"))))
    assert step_figures(solution, Choices())[0][0] == "4 pieces that interlock"


def test_flat_scenes_are_refused_here() -> None:
    scene = puzzle_scene(read("pentominoes/6x10"))
    assert scene is not None
    with pytest.raises(ValueError, match="flat"):
        solid_figures(scene, Choices())


def test_the_same_scene_gives_the_same_bytes() -> None:
    texts = {tuple(figure.svg() for _, figure in figures("prisms/bermuda", Choices(view="both"))) for _ in range(2)}
    assert len(texts) == 1


def test_a_picture_of_steps_has_no_walls_and_captions_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: dict[str, float] = {}

    def note(figure: Figure, at: tuple[float, float], words: str, *more: object, **choices: object) -> None:
        lines[words] = at[1]

    monkeypatch.setattr(Figure, "text", note)
    drawn = draw("soma", steps=True)
    assert "as if the box had no walls" in drawn
    assert len({line for words, line in lines.items() if re.match(r"\d\. ", words)}) == 1
    assert "The steps are for the pieces alone, as if the box had no walls." in lines


def test_layers_shrink_into_one_row_beside_the_solid() -> None:
    scene = solution_scene(subject("balls/kanoodle-pyramid", 1).solutions[0])
    assert scene is not None

    def wide(widest: float) -> float:
        figures = solid_figures(scene, Choices(view="both"), widest=widest)
        return sum(figure.box.width for _, figure in figures) + sheet.GAP * (len(figures) - 1)

    assert wide(860) <= 860 < wide(inf)
    assert wide(300) == wide(inf)  # they would be too small


def test_rows_are_even() -> None:
    figures = []
    for _ in range(7):
        figures.append(Figure())
        figures[-1].region([[(0, 0), (100, 0), (100, 10)]], INK)
    assert sheet.rows(figures, [""] * 7, 700).box.height == sheet.rows(figures, [""] * 7, even(figures, 700)).box.height
    assert sheet.rows(figures, [""] * 7, even(figures, 700)).box.width < 600


def even(figures: list[Figure], widest: float) -> float:
    return sheet.even_width(figures, widest)


@pytest.mark.parametrize("lattice", ["cubic", "fcc"])
def test_a_letter_is_on_no_mark_of_a_colour(lattice: str) -> None:
    board = "box 3x1x1" if lattice == "cubic" else "cells (0,0,0) (1,1,0) (2,2,0)"
    puzzle = parse(f"lattice {lattice}\ncolours 1 2\nlocations {board}\npiece A {{ 1 }}\npiece B x2 {{ 2 }}\n")
    scene = solution_scene(subject(puzzle, 1).solutions[0])
    assert scene is not None
    dots: list[Sequence[float]] = []
    letters: list[tuple[Sequence[float], float]] = []

    class Noted(Figure):
        def circles(self, spots: Iterable[Sequence[float]], radius: float, fill: str = INK) -> None:
            dots.extend(spots)

        def text(self, at: Sequence[float], text: str, size: float = 14, *rest: object, **more: object) -> None:
            letters.append((at, size))

    with pytest.MonkeyPatch.context() as patched:
        for module in ("isometric", "balls"):
            patched.setattr(f"puzzlec.show.svg.{module}.Figure", Noted)
        drawn(scene, Choices(cell=40.0), None, Marks.of(scene, Choices()))
    assert len(dots) == 5
    assert len(letters) == (3 if lattice == "cubic" else 0)  # a ball has one side, so its mark is enough
    for at, size in letters:
        assert all(hypot(at[0] - x, at[1] - y) > size / 2 for x, y, *_ in dots)


#: A box with an opening above the left two of three cubes.
BOX = """lattice cubic
locations box 3x1x1
piece A x3 { x }
wall box 5x3x3 at (-1,-1,-1) - box 3x1x1 - box 2x1x1 at (0,0,1)
"""
SVG = "{http://www.w3.org/2000/svg}"


def veils(figure: Figure) -> list[list[list[Spot]]]:
    """Return the rings of each translucent side."""
    group = next(g for g in ElementTree.fromstring(figure.svg()).iter(f"{SVG}g") if g.get("opacity") is not None)
    paths = [str(path.get("d")) for path in group.iter(f"{SVG}path")]
    rings = [[re.findall(r"(-?[\d.]+) (-?[\d.]+)", ring) for ring in path.split("Z")[:-1]] for path in paths]
    return [[[(float(x), float(y)) for x, y in ring] for ring in path] for path in rings]


def test_the_outer_sides_of_a_box_are_translucent_except_its_opening_and_pieces_in_front_of_it() -> None:
    puzzle = parse(BOX)
    scene = solution_scene(subject(puzzle, 1).solutions[0])
    assert scene is not None
    walled = replace(scene, walls=puzzle.movement.walls)
    shown = Isometric(walled, PLAIN)
    sides = veils(shown.figure())
    assert len(sides) == 3

    def veiled(sides: list[list[list[Spot]]], at: Place) -> int:
        x, y = shown.screen.spot(at)
        return sum(sum(is_in(ring, x, y) for ring in rings) % 2 for rings in sides)

    opening, lid, corner = (0.5, 0.0, 1.5), (2.2, 0.0, 1.5), (3.3, 0.8, 1.5)
    assert [veiled(sides, at) for at in (opening, lid, corner)] == [0, 1, 1]
    # The third cube is lifted above the lid: there it is in front of the box.
    owner = scene.owner[2, 0, 0]
    parts = Parts({**dict.fromkeys(puzzle.movement.walls, 0), (2, 0, 0): 1}, {1: (0.0, 0.0, 3.0)})
    shown = Isometric(walled, PLAIN, parts, None, shown.screen.eye)
    assert veiled(veils(shown.figure()), (2.2, 0.0, 1.5)) == 1
    assert scene.bodies[owner].cells == ((2, 0, 0),)
    middle = shown.screen.spot((2.0, 0.0, 3.0))
    assert not any(sum(is_in(ring, *middle) for ring in rings) % 2 for rings in veils(shown.figure()))


def is_in(ring: list[Spot], x: float, y: float) -> bool:
    """Whether a spot is within a ring."""
    inside = False
    for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (b > y) != (d > y) and x < a + (y - b) / (d - b) * (c - a):
            inside = not inside
    return inside


def test_a_board_with_empty_places_is_no_wall() -> None:
    puzzle = parse("lattice cubic\noptional locations box 3x1x1\npiece A { x }\n")
    scene = solution_scene(subject(puzzle, 1).solutions[0])
    assert scene is not None
    assert 'opacity="' not in Isometric(scene, PLAIN).figure().svg()
