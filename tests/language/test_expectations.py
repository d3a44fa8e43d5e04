"""`expect`: the numbers that the author of a puzzle promises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import puzzlec
from puzzlec import recount
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.ir import Expectation
from puzzlec.language.formatter.layout import formatted
from puzzlec.language.puzzle_text import read_puzzle
from tests.commands import command

BOARD = "locations box 4x2\npiece D x4 { xx }\n"


def said(text: str, **parameters: int) -> list[str]:
    """Return the errors of a text, and of its promises."""
    report = Report()
    try:
        puzzle = read_puzzle(Source("t", text), report, parameters)
    except PuzzleError as error:
        return [str(diagnostic) for diagnostic in error.diagnostics]
    recount.check_expected(puzzlec.compile(puzzle), report)
    return [str(diagnostic) for diagnostic in report.diagnostics]


@pytest.mark.parametrize("words", ["4", "raw 5", "rotations 4", "at least 3", "raw at least 5", "unknown"])
def test_a_right_promise_says_nothing(words: str) -> None:
    assert said(f"{BOARD}expect {words}\n") == []


@pytest.mark.parametrize(
    ("words", "column", "message"),
    [
        ("5", 8, "expected 5 distinct solutions, counted 4"),
        ("1", 8, "expected 1 distinct solution, counted 4"),
        ("0", 8, "expected 0 distinct solutions, counted 4"),
        ("raw 4", 8, "expected 4 raw solutions, counted 5"),
        ("at least 6", 8, "expected at least 6 distinct solutions, counted 4"),
        ("rotations 7", 8, "expected 7 solutions up to rotations, counted 4"),
    ],
)
def test_a_wrong_promise_is_an_error_with_both_numbers(words: str, column: int, message: str) -> None:
    assert said(f"{BOARD}expect {words}\n") == [f"t:3:{column}: error[PZ382]: {message}"]


def test_costs_assemblies_and_levels_are_promised() -> None:
    costs = "locations box 4x1\npiece A { xx }\npiece B { xx }\ncost A on cells (0,0) = -3\n"
    assert said(f"{costs}expect min-cost -3\nexpect max-cost 0\n") == []
    assert said(f"{costs}expect min-cost -2\n") == ["t:5:8: error[PZ382]: expected lowest cost -2, counted -3"]
    burr = "lattice cubic\nlocations box 2x1x1\npiece A { x }\npiece B { x }\n"
    assert said(f"{burr}expect comes-apart 1\nexpect level 1\n") == []
    assert said(f"{burr}expect comes-apart 2\nexpect level 1.2\n") == [
        "t:5:8: error[PZ382]: expected 2 assemblies that come apart, counted 1",
        "t:6:8: error[PZ382]: expected level 1.2, counted 1",
    ]


def test_a_promise_is_about_the_values_in_the_text_unless_a_condition_says_more() -> None:
    text = "param n = 4\nlocations box {n}x2\npiece D x{n} { xx }\nexpect 4\n"
    text += "expect raw 5 where n == 4\nexpect raw 9 where n == 5\n"
    assert said(text) == []
    assert said(text, n=4) == []
    assert said(text, n=5) == ["t:6:8: error[PZ382]: expected 9 raw solutions, counted 8"]
    assert said(text, n=6) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("expect -1", "t:3:8: error[PZ319]: number must be at least 0, found -1"),
        ("expect 4\nexpect 4", "t:4:8: error[PZ307]: duplicate `expect` for the number of distinct solutions"),
        ("expect " + "9" * 500, "t:3:8: error[PZ319]: number is too large (limit 200 digits)"),
        ("expect 4 where 3", "t:3:16: error[PZ328]: expected a condition, found a number"),
    ],
)
def test_an_impossible_promise_is_reported(words: str, message: str) -> None:
    assert said(BOARD + words) == [message]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("expect 2,339", "expect 2339"),
        ("expect 12 345 678", "expect 12345678"),
        ("expect none", "expect 0"),
        ("expect ?", "expect unknown"),
        ("expect >= 5", "expect at least 5"),
        ("expect distinct 5", "expect 5"),
    ],
)
def test_the_suggestion_for_a_mistake_can_be_typed(wrong: str, right: str) -> None:
    with pytest.raises(PuzzleError) as raised:
        read_puzzle(Source("t", BOARD + wrong))
    (help,) = raised.value.diagnostics[0].helps
    assert right.removeprefix("expect ") in help
    assert read_puzzle(Source("t", BOARD + right)).expected


EVERY = "expect 4\nexpect raw at least 5\nexpect level 5.3\nexpect min-cost -2\nexpect parts 4\nexpect comes-apart 1\n"


@pytest.mark.parametrize("format", ["puzzle", "json"])
def test_the_promises_survive_a_round_trip(format: str) -> None:
    puzzle = puzzlec.parse(BOARD + EVERY)
    again = puzzlec.parse(puzzlec.convert(puzzle, format), format=format)
    assert isinstance(again, puzzlec.Puzzle)
    assert again.expected == puzzle.expected
    assert [promise.words for promise in puzzle.expected] == EVERY.replace("expect ", "").splitlines()
    assert puzzlec.parse(BOARD + "expect unknown").expected == (Expectation(None),)


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        ({"value": -1}, "PZ275"),
        ({"value": "5", "measure": "raw"}, "PZ275"),
        ({"value": 5, "measure": "level"}, "PZ275"),
        ({"value": None, "measure": "raw"}, "PZ275"),
        ({"measure": "raw"}, "PZ274"),
        ({"value": 5, "measure": "most"}, "PZ275"),
    ],
)
def test_a_wrong_promise_in_json_is_reported(expected: object, code: str) -> None:
    document = json.loads(puzzlec.convert(puzzlec.parse(BOARD), "json")) | {"expected": [expected]}
    with pytest.raises(PuzzleError) as raised:
        puzzlec.parse(json.dumps(document), format="json")
    assert code in {diagnostic.code for diagnostic in raised.value.diagnostics}


def test_a_puzzle_with_other_pieces_promises_nothing() -> None:
    puzzle = puzzlec.parse(BOARD + "expect 4")
    assert puzzle.with_pieces(puzzle.pieces).expected == puzzle.alone(puzzle.pieces[0]).expected == ()
    assert puzzle == puzzlec.parse(BOARD)


def test_the_canonical_form_has_single_spaces() -> None:
    assert formatted(Source("t", "expect   raw at   least 5   where  1==1\n")) == "expect raw at least 5 where 1 = 1\n"


def test_check_counts_only_if_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.puzzle"
    path.write_text(BOARD + "expect 5\nexpect raw 5\n")
    assert command(capsys, monkeypatch, "check", str(path))[0] == 0
    code, _, error = command(capsys, monkeypatch, "check", str(path), "--count")
    assert code == 1
    assert "expected 5 distinct solutions, counted 4" in error
    assert f"{path}:3:8" in error
    assert "write `expect 4`" in error
    code, out, _ = command(capsys, monkeypatch, "check", str(path), "--count", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["measure"], row["counted"], row["outcome"]) for row in rows if "measure" in row] == [
        ("distinct", 4, "differs"),
        ("raw", 5, "agrees"),
    ]
    path.write_text(BOARD)
    assert "`expect 4` would be right" in command(capsys, monkeypatch, "check", str(path), "--count")[2]


@pytest.mark.long
def test_a_count_that_is_not_finished_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.puzzle"
    path.write_text("locations box 10x12\npieces pentominoes x2\nexpect 2\n")
    code, _, error = command(capsys, monkeypatch, "check", str(path), "--count", "--time-limit", "3")
    assert code == 4
    assert "warning[PZ383]" in error


def test_no_number_of_a_puzzle_file_is_also_in_the_catalogue() -> None:
    from puzzlec import resources

    fields = {"distinct", "raw", "rotations", "parts", "apart", "level"}
    document = resources.yaml_document(resources.folder("puzzles") / "catalogue.yaml")
    for name, entry in document.items():
        if entry.get("file", f"{name}.puzzle").endswith(".puzzle"):
            assert not fields & set(entry), name


@pytest.mark.parametrize(
    ("board", "pieces"), [("box 3x1", "piece A x2 { xx }"), ("box 2x2", "piece A { xxx }\npiece B { x }")]
)
def test_reasons_for_no_solution_are_no_errors_if_none_is_promised(board: str, pieces: str) -> None:
    for words, errors in (("0", 0), ("raw 0", 0), ("1", 1), ("at least 0", 1), ("unknown", 1)):
        report = Report()
        puzzlec.check(puzzlec.parse(f"locations {board}\n{pieces}\nexpect {words}\n"), report=report)
        assert bool(report.errors) == bool(errors), words


@pytest.mark.long
def test_the_best_cost_of_the_catalogue_is_computed_again() -> None:
    results = list(recount.verify("pentominoes/cheapest-5x6"))
    assert [(found.convention, found.counted) for found in results][-1] == ("min-cost", 22)
    assert {found.outcome for found in results} == {recount.Outcome.AGREES}
