"""Pictures of a puzzle: which solutions they show, and the remarks about them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import Limits
from puzzlec.make.outputs import solutions_in, subject

DOMINOES = 'puzzle "Three"\nlocations box 2x3\npiece D x3 { xx }'


@pytest.mark.parametrize(
    ("limit", "shown", "remark", "number"),
    [
        (0, 0, "", None),
        (1, 1, "", None),
        (2, 2, "", None),
        (3, 3, "", 3),
        (4, 3, "", 3),
        (None, 3, "", 3),
    ],
)
def test_a_remark_says_whether_all_solutions_are_shown(limit: int | None, shown: int, remark: str, number: int) -> None:
    found = subject(puzzlec.parse(DOMINOES), limit, symmetry="none")
    assert (len(found.solutions), found.remark, found.number) == (shown, remark, number)


def test_a_remark_has_the_reason_why_there_is_no_solution() -> None:
    found = subject("dominoes/mutilated-board")
    assert not found.solutions
    assert found.remark.startswith("no solution: ")
    assert found.reasons[0].message in found.remark
    assert subject("soma/w-wall").remark.startswith("no solution")


def test_a_remark_names_the_limit_that_ended_the_search() -> None:
    solutions = puzzlec.Solutions("polysticks/tetrasticks-aztec-diamond", limits=Limits(1, None, 1000))
    assert subject(solutions).remark == f"none found in {solutions.nodes} nodes, there may be more"


def test_everything_that_is_a_puzzle_or_a_solution_can_be_shown() -> None:
    puzzle = puzzlec.parse(DOMINOES)
    solutions = list(puzzlec.solve(puzzle, symmetry="none"))
    assert subject(solutions[1]).solutions == (solutions[1],)
    assert subject(solutions, None).solutions == tuple(solutions)
    assert subject(iter(solutions), 2).remark == "the first 2; there are more"
    for level in ("puzzle", "fitting", "cover"):
        assert len(subject(puzzlec.compile(puzzle, stage=level), None, symmetry="none").solutions) == 3
    assert subject(found := subject(puzzle)) is found


def test_an_invalid_solution_is_refused() -> None:
    puzzle = puzzlec.parse(DOMINOES)
    one, other = next(iter(puzzlec.solve(puzzle))), next(iter(puzzlec.solve("soma")))
    with pytest.raises(ValueError, match="not all of one puzzle"):
        subject([one, other])
    with pytest.raises(ValueError, match="the list of solutions is empty"):
        subject([])
    with pytest.raises(TypeError, match="expected a solution"):
        subject([1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="expected a puzzle or a solution"):
        subject(3)  # type: ignore[arg-type]


def test_solutions_in_a_file_are_checked(tmp_path: Path) -> None:
    puzzle = puzzlec.parse(DOMINOES)
    right = tmp_path / "right.txt"
    right.write_text("D: 0,0 1,0\nD: 0,1 1,1\nD: 0,2 1,2\n")
    assert len(solutions_in(puzzle, str(right)).solutions) == 1
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("D: 0,0 1,1\nD: 0,1 1,0\nD: 0,2 1,2\n")
    with pytest.raises(PuzzleError, match="PZ608"):
        solutions_in(puzzle, str(wrong))
    both = tmp_path / "both.jsonl"
    both.write_text("\n".join(json.dumps(solution.as_dict()) for solution in puzzlec.solve(puzzle, symmetry="none")))
    assert solutions_in(puzzle, str(both)).number == 3
    assert solutions_in(puzzle, str(both), limit=2).remark == "the first 2; there are more"
