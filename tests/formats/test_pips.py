"""Pips boards in JSON: the numbers of dominoes, the conditions of regions, and the errors of a file."""

from __future__ import annotations

import json
from typing import Any

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import guess_format, read
from puzzlec.ir import Puzzle

EASY: dict[str, Any] = {
    "id": 1,
    "dominoes": [[1, 2], [3, 3]],
    "regions": [
        {"indices": [[0, 0], [0, 1]], "type": "sum", "target": 5},
        {"indices": [[1, 0]], "type": "empty"},
        {"indices": [[1, 1]], "type": "greater", "target": 2},
    ],
    "solution": [[[1, 0], [0, 0]], [[0, 1], [1, 1]]],
}
HARD: dict[str, Any] = {
    "dominoes": [[0, 0], [0, 1], [1, 0]],
    "regions": [
        {"indices": [[0, 0], [0, 1]], "type": "equals"},
        {"indices": [[0, 2], [1, 2]], "type": "unequal"},
        {"indices": [[1, 0], [1, 1]], "type": "less", "target": 2},
    ],
}


def board(what: dict[str, Any], problem: str | None = None, report: Report | None = None) -> Puzzle:
    found = read(Source("day.json", json.dumps(what)), None, report or Report(), problem=problem)
    assert isinstance(found, Puzzle)
    return found


def test_a_file_has_boards_by_name() -> None:
    day = {"printDate": "2030-01-01", "editor": "E", "easy": EASY, "medium": {"dominoes": None}, "hard": HARD}
    report = Report()
    easy = board(day, report=report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ298"]
    assert easy == board(day, "easy") == board(day, "1")
    assert easy.title == "day, easy"
    assert [(piece.name, piece.low, piece.colours) for piece in easy.pieces] == [
        ("1-2", 1, ("1", "2")),
        ("3-3", 1, ("3", "3")),
    ]
    assert [rule.words for rule in easy.rules.regions] == ["sum = 5", "sum >= 3"]
    hard = board(day, "hard")
    assert [rule.words for rule in hard.rules.regions] == ["all equal", "all different", "sum <= 1"]
    # The domino 1-0 is the domino 0-1.
    assert [(piece.name, piece.high) for piece in hard.pieces] == [("0-0", 1), ("0-1", 2)]


def test_the_solutions_of_small_boards() -> None:
    # 2 above 1, beside 3 above 3; or 3-3 above 1-2 would have the sum 6, and 2-1 across the sum 3.
    assert puzzlec.count(board(EASY), symmetry="none") == 1
    solution = next(iter(puzzlec.solve(board(EASY), symmetry="none")))
    assert [(placement.locations, solution.colours(placement)) for placement in solution.placements] == [
        ((0, 2), ("2", "1")),
        ((1, 3), ("3", "3")),
    ]


@pytest.mark.parametrize("what", [EASY, HARD, {"medium": EASY}])
def test_a_board_alone_is_recognised_by_its_keys(what: dict[str, Any]) -> None:
    assert guess_format(Source("a.json", json.dumps(what))) == "pips"
    assert guess_format(Source("-", json.dumps(what))) == "pips"


def test_other_json_is_not_a_board() -> None:
    text = puzzlec.convert(board(EASY), "json")
    assert guess_format(Source("a.json", text)) == "json"


def test_a_board_becomes_a_puzzle_with_letters() -> None:
    text = puzzlec.convert(board(HARD), "puzzle")
    assert "AAB" in text
    assert "CCB" in text
    assert "rule A all equal\nrule B all different\nrule C sum <= 1\n" in text
    again = puzzlec.parse(text)
    assert again.rules.regions == board(HARD).rules.regions
    assert puzzlec.compile(again, stage="fitting") == puzzlec.compile(board(HARD), stage="fitting")


def changed(**changes: Any) -> dict[str, Any]:
    return EASY | changes


def region(**changes: Any) -> dict[str, Any]:
    return changed(regions=[EASY["regions"][0] | changes, *EASY["regions"][1:]])


@pytest.mark.parametrize(
    ("what", "code", "at"),
    [
        (changed(dominoes=[[1, 10]]), "PZ275", "10"),
        (changed(dominoes=[[1]]), "PZ275", "[1]"),
        (changed(dominoes=[]), "PZ309", "[]"),
        (changed(regions=[]), "PZ308", "[]"),
        (changed(colour=1), "PZ273", '"colour"'),
        (region(type="product"), "PZ275", '"product"'),
        (region(target=-1), "PZ275", "-1"),
        (region(type="less", target=0), "PZ364", "0"),
        (region(indices=[]), "PZ363", "[]"),
        (region(indices=[[0, 0], [0, 0]]), "PZ310", "[0, 0]"),
        (region(indices=[[0, "b"]]), "PZ275", '"b"'),
        ({"easy": changed(dominoes=[[True, 1]])}, "PZ275", "true"),
        ({"easy": None, "hard": {"dominoes": None}}, "PZ309", "{"),
        ({"easy": EASY, "noon": 1}, "PZ273", '"noon"'),
    ],
)
def test_errors_are_shown_at_their_values(what: dict[str, Any], code: str, at: str) -> None:
    with pytest.raises(puzzlec.PuzzleError) as caught:
        read(Source("day.json", json.dumps(what)), "pips", Report())
    (fault,) = caught.value.diagnostics
    assert fault.code == code
    assert fault.span is not None
    assert fault.span.text == at


def test_a_sum_needs_a_target() -> None:
    bare = {key: value for key, value in EASY["regions"][0].items() if key != "target"}
    with pytest.raises(puzzlec.PuzzleError, match="missing key `target`"):
        board(changed(regions=[bare]))


@pytest.mark.parametrize(
    ("hard", "why"), [("null", "null"), ('{"dominoes": null, "regions": null}', "null"), ("{}", "without dominoes")]
)
def test_a_board_that_is_empty_is_refused_by_name(hard: str, why: str) -> None:
    region = '{"indices": [[0, 0], [0, 1]], "type": "sum", "target": 3}'
    text = f'{{"printDate": "", "easy": {{"dominoes": [[1, 2]], "regions": [{region}]}}, "hard": {hard}}}'
    for problem in ("hard", "HARD"):
        with pytest.raises(PuzzleError) as caught:
            read(Source("a.json", text), None, Report(), problem=problem)
        (found,) = caught.value.diagnostics
        assert (found.code, found.message) == ("PZ299", f"the board `hard` is empty ({why})")
        assert found.span is not None
        assert found.span.text == '"hard"'
    with pytest.raises(PuzzleError, match="unknown problem `medium`"):
        read(Source("a.json", text), None, Report(), problem="medium")
    assert read(Source("a.json", text), None, Report())
