"""Pieces with several colours: placements on the same locations differ if their colours differ."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import puzzlec
from puzzlec.certificates.placements import PuzzleItems, derived
from puzzlec.explaining.explanation import explain
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import Encoding, place, symmetry
from puzzlec.show.terminal.text import draw_solution
from puzzlec.solving import WrongSolutionError, check
from tests.differential.trips import read_again, written

STRIPED = "colours r b\nlocations { xx/xx }\npiece D x2 one-sided { rb }"


def puzzle_of(text: str) -> Puzzle:
    found = puzzlec.parse(text)
    assert isinstance(found, Puzzle)
    return found


def test_striped_dominoes_fill_a_square_in_eight_visibly_different_ways() -> None:
    puzzle = puzzle_of(STRIPED)
    assert (puzzlec.count(puzzle, symmetry="none"), puzzlec.count(puzzle)) == (8, 2)
    raw = list(puzzlec.solve(puzzle, symmetry="none"))
    lists = {solution.listing() for solution in raw}
    assert len(lists) == 8
    assert "D: 0,0 1,0 colours r b\nD: 0,1 1,1 colours b r" in lists
    assert len({json.dumps(solution.as_dict()) for solution in raw}) == 8
    assert len({draw_solution(solution) for solution in raw}) == 8
    assert len({puzzlec.draw(solution) for solution in raw}) == 8


@pytest.mark.parametrize(
    ("freedom", "raw", "distinct"),
    # Worked out by hand: dominoes are in two rows or two columns, and each shows r on one end or the other. A fixed
    # domino has one orientation, which no half turn keeps.
    [("free ", 8, 2), ("one-sided ", 8, 2), ("fixed ", 1, 1)],
)
def test_symmetries_also_move_the_colours(freedom: str, raw: int, distinct: int) -> None:
    puzzle = puzzle_of(f"colours r b\nlocations {{ xx/xx }}\npiece D x2 {freedom}{{ rb }}")
    assert (puzzlec.count(puzzle, symmetry="none"), puzzlec.count(puzzle)) == (raw, distinct)


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("lattice cubic\ncolours r b\nlocations box 2x2x1\npiece D x2 { rb }", 8),
        ("lattice cubic\ncolours r b\nlocations box 2x2x2\npiece D x4 { rb }", 9 * 2**4),  # 9 ways to lay 4 dominoes
        ("colours r\nlocations { rr }\npiece D { rx }", 2),
        ("colours r b\nlocations { rbxx }\npiece D x2 { rb }", 2),
        ("colours r b\nlocations { xx/xx }\npiece D { rb }\npiece E { rr }", 8),
        ("colours r b\nlocations { xx/xx }\nwrap x y\npiece D x2 { rb }", 8),  # a set of locations counts once
        ("lattice line\ncolours r b\nlocations { xxx }\npiece T { rxb }", 2),
    ],
)
def test_each_way_to_show_colours_counts_separately(text: str, raw: int) -> None:
    assert puzzlec.count(puzzle_of(text), symmetry="none") == raw


def test_a_screw_of_two_colours_is_the_mirror_image_only_of_one_with_the_mirrored_colours() -> None:
    text = "lattice cubic\ncolours r b\nlocations box 2x2x2\npiece L {{ {} }}\npiece R {{ {} }}"
    pairs = [("xx ../x. x.", "xx ../.x .x"), ("rx ../b. b.", "xr ../.b .b"), ("rx ../b. b.", "xr ../.r .b")]
    encodings = [puzzlec.compile(puzzle_of(text.format(*pair))) for pair in pairs]
    orders = [len(symmetry(encoding)) for encoding in encodings if isinstance(encoding, Encoding)]
    assert orders == [48, 48, 24]


@pytest.mark.parametrize("name", ["json", "puzzle", "xmpuzzle"])
def test_formats_that_have_colours_keep_the_count(name: str) -> None:
    puzzle = puzzle_of("lattice cubic\ncolours r b\nlocations box 2x2x1\npiece D { rb }\npiece E { br }")
    again = read_again(written(puzzle, name), name)
    assert puzzlec.count(again, symmetry="none") == puzzlec.count(puzzle, symmetry="none") == 16


def test_a_fitting_keeps_the_colours_of_its_placements() -> None:
    fitting = puzzlec.compile(puzzle_of("colours r b\nlocations { xxx }\npiece T { rxb }"), stage="fitting")
    again = read_again(written(replace(fitting, puzzle=None), "json"), "json")
    assert again == fitting
    assert isinstance(again, Fitting)
    assert again.pieces[0].colours == (("r", None, "b"), ("b", None, "r"))


def test_a_format_of_sets_of_locations_refuses_two_ways_on_the_same() -> None:
    puzzle = puzzle_of("colours r b\nlocations { xx }\npiece D { rb }")
    with pytest.raises(puzzlec.PuzzleError, match="DPF does not support the colours of piece `D`") as error:
        puzzlec.convert(puzzle, "dpf")
    assert {diagnostic.code for diagnostic in error.value.diagnostics} == {"PZ501"}
    fitting = puzzlec.compile(puzzle, stage="fitting")
    with pytest.raises(puzzlec.PuzzleError, match="a list of placements does not support the colours of piece `D`"):
        puzzlec.convert(replace(fitting, puzzle=None), "puzzle")
    one_way = puzzle_of("colours r b\nlocations { xx }\npiece D fixed { rb }")
    assert puzzlec.count(puzzlec.parse(puzzlec.convert(one_way, "dpf"), format="dpf")) == 1


@pytest.mark.parametrize(
    ("colours", "said"),
    [
        ([["r", "b"]], "expected 2 lists of colours, one for each placement, found 1"),
        ([["r", "b"], ["r"]], "expected 2 colours, one for each location, found 1"),
        ([["r", 7], ["b", "r"]], "expected a colour, or null in `pieces[0].colours[0][1]`, found `7`"),
    ],
)
def test_colours_that_do_not_suit_placements_are_refused(colours: list[list[object]], said: str) -> None:
    piece = {"placements": [[0, 1], [1, 0]], "colours": colours}
    text = json.dumps({"puzzlec": 1, "stage": "fitting", "locations": 2, "pieces": [piece]})
    with pytest.raises(puzzlec.PuzzleError) as error:
        puzzlec.parse(text, format="json")
    assert said in str(error.value)


def test_the_colours_of_a_json_placement_follow_its_locations() -> None:
    piece = {"placements": [[0, 1], [1, 0]], "colours": [["r", "b"], ["b", "r"]]}
    found = puzzlec.parse(
        json.dumps({"puzzlec": 1, "stage": "fitting", "locations": 2, "pieces": [piece]}), format="json"
    )
    assert isinstance(found, Fitting)
    assert found.pieces[0].colours == (("r", "b"),), "the second placement repeats the first one"


def test_solutions_are_checked_with_their_colours(tmp_path: Path) -> None:
    puzzle = puzzle_of(STRIPED)
    (right, wrong) = (tmp_path / name for name in ("right.txt", "wrong.txt"))
    right.write_text("D: 1,0 0,0 colours b r\nD: 0,1 1,1 colours r b\n")
    wrong.write_text("D: 1,0 0,0 colours b b\nD: 0,1 1,1 colours r b\n")
    assert [verdict.reason for verdict in puzzlec.check_solutions(puzzle, str(right))] == [""]
    (verdict,) = puzzlec.check_solutions(puzzle, str(wrong))
    assert verdict.reason == "piece D does not fit on 0,0 1,0 with colours b b"


def test_the_checker_tests_the_colours_that_a_fitting_lists() -> None:
    solution = next(iter(puzzlec.solve(puzzle_of(STRIPED))))
    check(solution)
    (piece,) = solution.fitting.pieces
    swapped = tuple(("r", "r") for _ in piece.colours)
    faulty = replace(solution.fitting, pieces=(replace(piece, colours=swapped),))
    with pytest.raises(WrongSolutionError, match="piece D does not fit on "):
        check(replace(solution, fitting=faulty))


def test_a_certificate_derives_all_distinguishable_placements() -> None:
    encoding = puzzlec.compile(puzzle_of(STRIPED))
    puzzle = encoding.fitting.puzzle
    assert puzzle is not None
    items = PuzzleItems(encoding.item_of_piece, encoding.item_of_location)
    assert derived(puzzle, encoding.cover, items) == (8, "", "")
    half = encoding.cover.subset(range(4))
    assert "missing " in derived(puzzle, half, items).fault


def test_explain_does_not_propose_to_merge_pieces_that_differ_in_colour() -> None:
    text = "colours r b\nlocations {{ xxxx }}\npiece A {{ {} }}\npiece B {{ {} }}"
    for one, two in product(("xx", "rr", "rb", "rx"), repeat=2):
        merged = "write one piece" in " ".join(explain(place(puzzle_of(text.format(one, two)))).split())
        assert merged == (one == two), (one, two)
