"""Counts by cost, compared with the costs of all solutions one by one."""

from __future__ import annotations

from collections import Counter

import pytest

import puzzlec
from puzzlec import Limits, PuzzleError, UnfinishedError
from puzzlec.solving import tally
from puzzlec.solving.best import BestSolutions
from puzzlec.solving.by_cost import CountByCost
from tests.solving.test_best import random_puzzle

RANGES = ((None, None), (0, None), (None, 4), (-2, 5), (3, 3), (99, None))


def counted(puzzle: puzzlec.Puzzle, raw: bool) -> Counter[int | None]:
    """The costs of all solutions."""
    return Counter(solution.cost for solution in puzzlec.solve(puzzle, raw=raw))


@pytest.mark.parametrize("way", ["list", "diagram", "auto"])
def test_each_cost_has_the_solutions_that_a_search_finds(way: str) -> None:
    for seed in range(12):
        puzzle = puzzlec.parse(random_puzzle(seed)[0])
        raw, distinct = counted(puzzle, True), counted(puzzle, False)
        for low, high in RANGES:
            within = [
                cost
                for cost in raw
                if cost is not None and (low is None or cost >= low) and (high is None or cost <= high)
            ]
            found = CountByCost(puzzle, low, high, way=way).find()
            assert found == [(cost, raw[cost], distinct[cost]) for cost in sorted(within)], (seed, low, high)


#: Costs that the symmetries of the board keep: solutions are distinct up to eight symmetries.
SYMMETRIC = (
    "locations box 5x5\npieces pentominoes x0..1\ncost on cells (2,2) = 3\ncost I = 7\ncost X off box 1x1 at (2,2) = 5"
)


@pytest.mark.parametrize("way", ["list", "diagram"])
def test_distinct_solutions_are_counted_up_to_the_symmetries_that_keep_costs(way: str) -> None:
    puzzle = puzzlec.parse(SYMMETRIC)
    found = CountByCost(puzzle, way=way).find()
    assert {row.cost: row.distinct for row in found} == counted(puzzle, False)
    assert sum(row.distinct or 0 for row in found) == 107  # Faase: the sets of pentominoes in 5x5
    assert CountByCost(puzzle, 5, 9, way=way).find() == [row for row in found if 5 <= row.cost <= 9]
    alone = CountByCost(puzzle, symmetry="none", way=way).find()
    assert alone == [(row.cost, row.raw, row.raw) for row in found]


def test_too_many_covers_are_counted_in_a_diagram_and_a_full_diagram_by_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    puzzle = puzzlec.parse(SYMMETRIC)
    wanted = CountByCost(puzzle, 4, 12, way="list").find()
    monkeypatch.setattr(tally, "MANY", 3)
    assert CountByCost(puzzle, 4, 12).find() == wanted
    assert CountByCost(puzzle, 4, 12, memory=1).find() == wanted
    monkeypatch.setattr(tally, "NODES", 3)
    assert CountByCost(puzzle, 4, 12).find() == wanted


def test_a_stopped_count_and_a_puzzle_without_costs_are_errors() -> None:
    with pytest.raises(UnfinishedError, match="stopped"):
        puzzlec.count_by_cost(puzzlec.parse(SYMMETRIC), limits=Limits(seconds=0))
    with pytest.raises(PuzzleError, match="PZ719"):
        puzzlec.count_by_cost("soma")


def test_costs_of_pieces_that_fit_nowhere_give_no_solution() -> None:
    puzzle = puzzlec.parse("locations box 2x1\npiece P x0..2 { xxx }\ncost P = 1")
    assert puzzlec.count_by_cost(puzzle) == puzzlec.count_by_cost(puzzle, 0, 3) == []
    assert list(BestSolutions(puzzle)) == []


def test_a_cover_without_pieces_has_no_costs() -> None:
    with pytest.raises(PuzzleError, match="PZ719"):
        puzzlec.count_by_cost(puzzlec.parse("a b\n", "dlx"))
