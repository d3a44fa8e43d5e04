"""The data of a game, read again without the code that wrote it, and compared with the solver."""

from __future__ import annotations

import json
import struct
from base64 import b64decode
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, cast

import pytest

from puzzlec.compiler import compile, load, parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import Limits
from puzzlec.geometry import find_lattice
from puzzlec.ir import Puzzle
from puzzlec.make.outputs import play, subject
from puzzlec.questions import solve
from puzzlec.show.game.data import game_data
from puzzlec.show.page.forms import is_convex
from puzzlec.show.palette import PALETTES

#: A puzzle for each form of display, with its number of distinct solutions.
GAMES = {
    "pentominoes/6x10": 2339,
    "soma": 240,
    "polyhexes/tetrahexes-4x7": 9,
    "polysticks/tetrasticks-5x5": 72,
    "balls/kanoodle-pyramid": None,
}

Placed = tuple[int, frozenset[int]]


@cache
def data_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(game_data(subject(name, 100_000, None))))
    return found


def numbers(packed: Any) -> list[int]:
    """Integers of a page: listed, or as base64."""
    if isinstance(packed, list):
        return packed
    ((way, text),) = packed.items()
    letter, width = {"u8": ("B", 1), "i16": ("h", 2), "u16": ("H", 2), "i32": ("i", 4)}[way]
    bytes_ = b64decode(text)
    return list(struct.unpack(f"<{len(bytes_) // width}{letter}", bytes_))


def points_of(flat: list[int], dimension: int) -> list[tuple[int, ...]]:
    return [tuple(flat[k : k + dimension]) for k in range(0, len(flat), dimension)]


def placements_of(data: dict[str, Any]) -> list[Placed]:
    """The placements of a game in the order of their numbers."""
    dimension = len(data["board"]["steps"])
    points = points_of(numbers(data["board"]["points"]), dimension)
    at = {point: number for number, point in enumerate(points)}
    return [
        (piece, frozenset(at[tuple(a + b for a, b in zip(points[start], step, strict=True))] for step in steps))
        for piece, described in enumerate(data["pieces"])
        for form in described["forms"]
        for steps in [points_of(form["points"], dimension)]
        for start in numbers(form["at"])
    ]


def solutions_of(data: dict[str, Any]) -> list[list[int]]:
    shared, more, rest = (numbers(data["solutions"][key]) for key in ("shared", "more", "numbers"))
    found: list[list[int]] = []
    for same, (start, end) in zip(shared, pairwise([0, *accumulate(more)]), strict=True):
        found.append([*(found[-1][:same] if found else []), *rest[start:end]])
    return found


def test_a_game_has_exactly_the_placements_of_the_puzzle() -> None:
    for name in GAMES:
        fitting = compile(name, stage="fitting")
        listed = [(number, frozenset(row)) for number, piece in enumerate(fitting.pieces) for row in piece.placements]
        there = placements_of(data_of(name))
        assert len(there) == len(listed), name
        assert set(there) == set(listed), name


def test_fixed_pieces_are_given() -> None:
    for name, number in (("latin/sudoku-17", 17), ("soma", 0)):
        data, fixed = data_of(name), Counter[Placed]()
        puzzle = load(name)
        assert isinstance(puzzle, Puzzle)
        at = {location.at: index for index, location in enumerate(puzzle.locations)}
        names = [piece.name for piece in puzzle.pieces]
        for rule in puzzle.rules.pieces:
            fixed[names.index(rule.piece), frozenset(at[cell] for cell in rule.region)] += 1
        placed = placements_of(data)
        assert Counter(placed[index] for index in data.get("given", [])) == fixed
        assert fixed.total() == number


def test_a_game_has_exactly_the_solutions_of_the_solver() -> None:
    for name, number in GAMES.items():
        data = data_of(name)
        placed = placements_of(data)
        stored = {frozenset(placed[index] for index in row) for row in solutions_of(data)}
        found = {
            frozenset((placement.number, frozenset(placement.locations)) for placement in solution.placements)
            for solution in solve(name, limits=Limits(None, None))
        }
        assert stored == found, name
        assert number in (None, len(stored)), name
        assert data["complete"], name


def test_the_symmetries_make_all_raw_solutions_from_the_stored_ones() -> None:
    data = data_of("pentominoes/6x10")
    placed = placements_of(data)
    raw = set()
    for symmetry in data["symmetries"]:
        to, of = numbers(symmetry["locations"]), numbers(symmetry["pieces"])
        raw |= {
            frozenset((of[piece], frozenset(to[at] for at in cells)) for piece, cells in (placed[k] for k in row))
            for row in solutions_of(data)
        }
    assert len(raw) == 9356
    assert all(frozenset().union(*(cells for _, cells in solution)) == frozenset(range(60)) for solution in raw)


def test_each_motion_of_a_free_piece_permutes_its_orientations_and_reaches_all() -> None:
    for name in ("pentominoes/6x10", "polyhexes/tetrahexes-4x7", "soma"):
        for piece in data_of(name)["pieces"]:
            forms = range(len(piece["forms"]))
            rotations = piece["turns"] if name != "soma" else piece["turns"][:-1]
            assert all(sorted(turn) == list(forms) for turn in rotations), piece["name"]
            reached, before = {0}, set[int]()
            while reached != before:
                before = set(reached)
                reached |= {turn[form] for turn in rotations for form in before}
            assert reached == set(forms), (name, piece["name"])


def test_a_game_with_less_room_keeps_the_first_solutions_with_a_remark() -> None:
    remarks: list[str] = []
    found = subject("soma", 1000, None)
    data = game_data(found, 1000, remarks)
    kept = len(solutions_of(json.loads(json.dumps(data))))
    assert 0 < kept < 240
    assert not data["complete"]
    assert remarks == [f"of 240 solutions, the first {kept} fit into the game"]


def test_a_search_that_stopped_makes_no_complete_game() -> None:
    assert not game_data(subject("soma", 10))["complete"]


def test_the_game_of_pentominoes_is_small_and_the_same_twice() -> None:
    found = subject("pentominoes/6x10", 100_000, None)
    page = play(found)
    assert len(page.encode()) < 400_000
    assert page == play(found)
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lattice none\nlocations names a b\npiece P covers { a b }", "this puzzle has no geometry"),
        ("locations box 3x2\nwrap x\npiece P x3 { x/x }", "its board wraps around"),
    ],
)
def test_a_puzzle_without_a_game_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PuzzleError, match=reason) as caught:
        play(parse(text))
    assert caught.value.diagnostics[0].code == "PZ504"


@pytest.mark.parametrize(
    ("text", "more", "staged"),
    [
        ("locations box 3x1\npiece A x3 { x }\n", ("wall { x } at (3,0)", "immovable A", "turns"), True),
        ("lattice tetrakis\nlocations cells (0,0,0)\npiece A cells (0,0,0)\n", ("wall cells (3,0,1)",), True),
        ("lattice sticks\nlocations grid 1x1\npiece I x4 { +-+ }\n", ("immovable I",), False),
    ],
)
def test_a_flat_puzzle_is_on_a_stage_if_something_says_how_its_pieces_move(
    text: str, more: tuple[str, ...], staged: bool
) -> None:
    def data(with_line: str) -> dict[str, Any]:
        return game_data(subject(parse(f"{text}{with_line}\n"), 1))

    assert not data("")["board"]["stage"]
    for line in more:
        found = data(line)
        assert (found["board"]["stage"], "ways" in found) == (staged, staged)
        assert ("turning" in found) == (line == "turns")


def test_only_lattices_of_convex_cells_are_on_a_stage() -> None:
    names = ("square", "hex", "triangle", "tetrakis", "drafter")
    assert all(is_convex(find_lattice(name)) for name in names)
    square = find_lattice("square")
    (kind,) = square.kinds
    bent = (*kind.outline[:2], (0.0, 0.0), *kind.outline[2:])
    assert not is_convex(replace(square, kinds=(kind._replace(outline=bent),)))


def test_tiles_and_large_boards_are_refused() -> None:
    with pytest.raises(PuzzleError, match="tiles with coloured sides"):
        play("tiles/macmahon-squares", limit=0)
    with pytest.raises(PuzzleError, match="its board has four dimensions"):
        play("hypercubes/dominoes-2x2x2x2", limit=0)
    with pytest.raises(PuzzleError, match="too large for a game") as caught:
        play(parse("optional locations box 60x60\npiece P { xx }"), limit=0)
    assert caught.value.diagnostics[0].code == "PZ507"


def test_a_palette_gives_the_colours_of_pieces() -> None:
    for name, colours in PALETTES.items():
        found = cast("Any", game_data(subject("soma", 1), palette=name))
        assert [piece["fill"] for piece in found["pieces"]] == list(colours[:7])
    with pytest.raises(ValueError, match="unknown palette"):
        play("soma", limit=1, palette="neon")
