"""The page and its data, without a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
from collections import Counter
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.compiler import compile, parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.faces import cross, place
from puzzlec.geometry.lattice import Lattice
from puzzlec.geometry.solids import solid, volume
from puzzlec.language.lattice_file import open_lattice
from puzzlec.make.outputs import subject, view
from puzzlec.show.page.data import packed, page_data
from puzzlec.show.page.forms import THICKNESS, can_be_built, forms
from puzzlec.show.page.writing import MODULES, page, viewer_source, viewer_style
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.marks import PIPS, Marks
from puzzlec.solving.grids import grid_board
from puzzlec.solving.subject import Subject

FOLDER = Path(puzzlec.__file__).parent / "show" / "page"
RHOMBILLE = Path(puzzlec.__file__).parents[1] / "puzzles" / "lattices" / "rhombille.yaml"

_CODES = {"u8": "B", "i16": "h", "u16": "H", "i32": "i"}


def unpacked(numbers: Any) -> list[int]:
    """Packed numbers, read in another way than on the page."""
    if isinstance(numbers, list):
        return numbers
    ((way, text),) = numbers.items()
    content = base64.b64decode(text)
    size = struct.calcsize(_CODES[way])
    return list(struct.unpack(f"<{len(content) // size}{_CODES[way]}", content))


def solutions_of(data: dict[str, Any]) -> list[set[tuple[int, tuple[int, ...]]]]:
    """The solutions in the data of a page: pieces, and the locations that they cover."""
    covered, placements = iter(unpacked(data["covered"])), []
    for piece, size in zip(unpacked(data["placed"]), unpacked(data["sizes"]), strict=True):
        placements.append((piece, tuple(next(covered) for _ in range(size))))
    solutions = data["solutions"]
    chosen = iter(unpacked(solutions["placements"]))
    lengths = unpacked(solutions["lengths"]) if "lengths" in solutions else [solutions["length"]] * solutions["number"]
    found = [{placements[next(chosen)] for _ in range(length)} for length in lengths]
    assert next(chosen, None) is None
    assert next(covered, None) is None
    return found


def expected(shown: Subject) -> list[set[tuple[int, tuple[int, ...]]]]:
    return [
        {(placement.number, placement.locations) for placement in solution.placements} for solution in shown.solutions
    ]


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=100) | st.lists(st.integers(0, 300), max_size=300))
def test_packed_numbers_are_unchanged(numbers: list[int]) -> None:
    assert unpacked(json.loads(json.dumps(packed(numbers)))) == numbers


def test_numbers_that_are_too_large_are_refused() -> None:
    with pytest.raises(OverflowError):
        packed([2**40] * 100)


@pytest.mark.parametrize(
    "name", ["soma", "pentominoes/3x20", "hypercubes/dominoes-2x2x2x2", "tiles/macmahon-squares", "cover/items"]
)
def test_the_data_contain_the_solutions(name: str) -> None:
    shown = subject(name, 20)
    data = json.loads(json.dumps(page_data(shown)))
    assert solutions_of(data) == expected(shown)
    assert [piece["name"] for piece in data["pieces"]] == [
        shown.fitting.piece_name(number) for number in range(len(shown.fitting.pieces))
    ]
    if data["shown"] != "chart":
        assert shown.puzzle is not None
        flat = [value for point in shown.puzzle.points for value in point]
        assert unpacked(data["points"]) == flat


def test_placements_show_their_colours_if_locations_do_not_determine_them() -> None:
    text = "colours r b\nlocations { xxx/xxr }\nallow b on r\npiece D x2 { rb }\npiece R { r }\npiece P { x }\n"
    shown = subject(parse(text), None)
    data = json.loads(json.dumps(page_data(shown)))
    assert data["colours"] == ["r", "b"]
    assert data["piecesColoured"] == [1, 1, 0]
    placed = list(
        dict.fromkeys(
            (placement.number, placement.index) for found in shown.solutions for placement in found.placements
        )
    )
    wanted = [[" rb".index(one or " ") for one in shown.fitting.shown_colours(*key)] for key in placed]
    assert unpacked(data["painted"]) == [colour for colours in wanted for colour in colours]
    assert {(1, 2), (2, 1)} <= set(map(tuple, wanted))
    plain = page_data(subject("dominoes/double-six", 1))
    assert "painted" not in plain


def test_solutions_with_different_numbers_of_pieces_are_distinguished() -> None:
    shown = subject(
        parse('puzzle "bars"\nlattice line\nlocations box 5\npiece I x0..5 { x }\npiece II x0..2 { xx }'), None
    )
    assert len({len(solution.placements) for solution in shown.solutions}) > 1
    assert solutions_of(json.loads(json.dumps(page_data(shown)))) == expected(shown)


def test_a_limit_leaves_the_first_solutions() -> None:
    shown = subject("soma", 20)
    assert solutions_of(page_data(shown, 3)) == expected(shown)[:3]


def test_solutions_that_do_not_fit_are_left_out_and_this_is_reported() -> None:
    shown = subject("soma", 240)
    whole = len(json.dumps(page_data(shown), separators=(",", ":")))
    remarks: list[str] = []
    most = whole - 2000
    data = page_data(shown, None, most, remarks)
    assert len(json.dumps(data, separators=(",", ":"))) <= most
    number = cast(Any, data["solutions"])["number"]
    assert 50 < number < 240
    assert solutions_of(data) == expected(shown)[:number]
    assert remarks == [f"of 240 solutions, the first {number} fit on a page"]
    assert str(data["remark"]).endswith(remarks[0])


def test_a_puzzle_that_is_too_large_is_refused() -> None:
    shown = subject("soma", 1)
    with pytest.raises(PuzzleError) as caught:
        page_data(shown, None, 1500)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["PZ507"]


def test_a_puzzle_without_a_solution_has_a_page_with_its_board() -> None:
    data = page_data(subject("pentominoes/impossible-cross", 5))
    assert cast(Any, data["solutions"])["number"] == 0
    assert data["remark"] == "no solution"
    assert len(unpacked(data["kinds"])) == 60


@pytest.mark.parametrize(
    "title", ["</script><script>alert(1)</script>", "<!-- \"'&amp; -->", "Solomon 🧩 \u2028 é", "$title"]
)
def test_text_of_users_ends_no_script_and_makes_no_element(title: str) -> None:
    fitting = compile(parse('puzzle "x"\nlocations box 2x1\npiece I { xx }'), stage="fitting")
    shown = subject(fitting, 1)
    object.__setattr__(shown.fitting, "title", title)
    text = page(shown)
    plain = page(subject(parse('puzzle "x"\nlocations box 2x1\npiece I { xx }'), 1))
    assert text.count("<") == plain.count("<")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    assert json.loads(found[1])["title"] == title


def test_a_page_is_the_same_every_time_and_requests_nothing() -> None:
    text = view("soma", limit=5)
    assert text == view("soma", limit=5)
    assert len(text) < 300_000
    assert set(re.findall(r"""https?://[^\s"'`<)]+""", text)) <= {"http://www.w3.org/2000/svg"}
    assert str(Path.cwd()) not in text
    assert not re.search(r"""<(?:link|img|iframe|object|embed)\b(?! rel="icon" href="data:,")""", text)
    assert "<svg" in text.split("<noscript>")[-1]


def test_the_policy_allows_only_the_program_of_the_page() -> None:
    text = view("soma", limit=1)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert policy is not None
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}';" in policy[1]
    assert "unsafe-eval" not in policy[1]


def test_every_part_of_the_program_is_in_it() -> None:
    assert {path.stem for path in FOLDER.glob("*.js")} == {*MODULES, "start"}
    for name in MODULES:
        assert (FOLDER / f"{name}.js").read_text(encoding="utf-8") in viewer_source()
    assert viewer_source().startswith('const PuzzleView = (() => {\n"use strict";')
    rules = re.sub(r"@media[^{]*\{((?:[^{}]*\{[^}]*\})*)\s*\}", r"\1", viewer_style())
    for selectors in re.findall(r"([^{}]+)\{", rules):
        assert all(".puzzle-view" in selector for selector in selectors.split(",")), selectors


BUILT = [*[find_lattice(name) for name in lattice_names()], open_lattice(str(RHOMBILLE))]


@pytest.mark.parametrize("lattice", BUILT, ids=lambda path: Path(path.name).stem)
@pytest.mark.parametrize("tiles", [False, True])
def test_the_form_of_a_cell_is_closed_and_as_large_as_the_cell(lattice: Lattice, tiles: bool) -> None:
    assert can_be_built(lattice)
    for number, form in enumerate(cast(Any, forms(lattice, tiles))):
        if "ball" in form:
            steps = [place(lattice, step) for step in lattice.kinds[number].neighbours]
            assert form["ball"] == pytest.approx(min(dist(step, (0, 0, 0)) for step in steps) / 2, abs=1e-5)
            continue
        if "rod" in form:
            assert dist(*form["rod"]) > 4 * form["thick"]
            continue
        sides = form["faces"]
        size = sum(_volume(side["corners"]) for side in sides)
        if not (tiles and lattice.dimension < 3):  # tiles have no bottom
            edges = Counter(
                tuple(map(tuple, pair)) for side in sides for pair in pairwise([*side["corners"], side["corners"][0]])
            )
            assert all(edges[end, start] == often == 1 for (start, end), often in edges.items())
            assert size == pytest.approx(_size(lattice, number), rel=1e-4)
        steps = [side["beyond"] for side in sides if side["beyond"] is not None]
        assert {tuple(step) for step in steps} <= set(lattice.kinds[number].neighbours)
        if lattice.dimension > 1:
            wanted = {step for step in lattice.kinds[number].neighbours if not any(step[3:])}
            assert {tuple(step) for step in steps} == wanted
        if tiles:
            assert {side["side"] for side in sides if "side" in side} == {
                index
                for index, step in enumerate(lattice.kinds[number].neighbours)
                if tuple(step) in set(map(tuple, steps))
            }


def _volume(corners: list[list[float]]) -> float:
    """The volume of the pyramid from the origin to a side: positive if the origin is behind the side."""
    first = corners[0]
    return sum(
        sum(a * b for a, b in zip(first, cross(tuple(one), tuple(two)), strict=True)) / 6
        for one, two in pairwise(corners[1:])
    )


def _size(lattice: Lattice, kind: int) -> float:
    """The volume of a cell; the volume of its slab if the cell is flat."""
    if lattice.dimension == 1:
        return THICKNESS
    if lattice.dimension == 4:
        return 1
    axes = [place(lattice, [int(i == j) for j in range(lattice.dimension)]) for i in range(lattice.dimension)]
    cell = volume(solid([tuple([int(value * 2) for value in corner]) for corner in lattice.kinds[kind].outline]))
    if lattice.dimension == 2:
        area = cell / 8 * abs(axes[0][0] * axes[1][1] - axes[0][1] * axes[1][0])
        return float(THICKNESS * area**1.5)
    return cell / 48 * abs(sum(a * b for a, b in zip(axes[0], cross(axes[1], axes[2]), strict=True)))


def test_steps_lead_to_the_points() -> None:
    data = cast(Any, page_data(subject("prisms/pairs-hexagon-2", 0)))
    lattice = find_lattice("prism")
    puzzle = subject("prisms/pairs-hexagon-2", 0).puzzle
    assert puzzle is not None
    for point in puzzle.points:
        there = [sum(value * axis[k] for value, axis in zip(point, data["axes"], strict=True)) for k in range(3)]
        assert there == pytest.approx(place(lattice, point), abs=1e-4)


@pytest.mark.parametrize(
    "name", ["soma", "tiles/macmahon-squares", "dominoes/double-six", "octants/four-piece-tetrahedron"]
)
def test_pieces_have_their_shapes_in_the_data_without_a_solution(name: str) -> None:
    shown = subject(name, 0)
    data = json.loads(json.dumps(page_data(shown)))
    assert shown.puzzle is not None
    lattice = shown.puzzle.lattice
    assert lattice is not None
    for shape, piece in zip(data["shapes"], shown.puzzle.pieces, strict=True):
        points = [lattice.point(cell) for cell in piece.cells]
        assert unpacked(shape["points"]) == [value for point in points for value in point]
        assert unpacked(shape["kinds"]) == [lattice.class_of(point) for point in points]
        assert tuple(data["signs"][sign] for sign in shape.get("sides", [])) == piece.sides
        if any(piece.colours):
            assert [data["colours"][colour - 1] for colour in unpacked(shape["coloured"])] == list(piece.colours)
    assert "shapes" not in page_data(subject(name, 1))


@pytest.mark.parametrize("name", ["queens/8", "latin/order-4", "new/sudoku"])
def test_solutions_whose_names_describe_a_grid_are_grids_as_in_pictures(name: str) -> None:
    shown = subject(name, 5)
    grids = cast(Any, page_data(shown))["grids"]
    assert grids["number"] == len(shown.solutions)
    cells = list(zip(*[iter(unpacked(grids["cells"]))] * 2, strict=True))
    signs = unpacked(grids["signs"])
    for number, solution in enumerate(shown.solutions):
        board = grid_board(solution)
        assert board is not None
        told = [grids["words"][sign] for sign in signs[number * len(cells) : (number + 1) * len(cells)]]
        assert dict(zip(cells, told, strict=True)) == board.signs
        assert dict(zip(cells, unpacked(grids["areas"]), strict=True)) == board.areas


def test_pips_are_at_the_same_places_as_in_pictures() -> None:
    marks = Marks("0123456789")
    for number, places in PIPS.items():
        drawn, wanted = Figure(), Figure()
        marks.mark(drawn, number, (0, 0), 10)
        wanted.circles([(5.0 * (int(n) % 3 - 1), 5.0 * (int(n) // 3 - 1)) for n in places], 1.7)
        assert drawn.svg() == wanted.svg(), number
