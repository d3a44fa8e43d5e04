from __future__ import annotations

from hypothesis import given

import puzzlec
from puzzlec.ir import Puzzle
from puzzlec.solutions import Solutions
from tests import brute
from tests.strategies import puzzles


@given(puzzles())
def test_raw_and_distinct_counts_are_those_of_brute_force(puzzle: Puzzle) -> None:
    raw = brute.solutions(puzzle)
    group = brute.symmetries(puzzle)
    # Solutions as puzzlec lists them, raw ones first
    listed = [cells_of(solution, puzzle) for solution in Solutions(puzzle, raw=True)]
    assert len(set(listed)) == len(listed)
    assert set(listed) == raw
    assert Solutions(puzzle, raw=True).count() == len(raw)
    assert Solutions(puzzle, raw=True, use_symmetry=False).count() == len(raw)
    # Distinct: one of each orbit, and Burnside's lemma agrees
    orbits = brute.orbits(puzzle)
    fixed = sum(brute.image(each, move, pieces) == each for each in raw for move, pieces in group)
    assert fixed == orbits * len(group)
    kept = [cells_of(solution, puzzle) for solution in Solutions(puzzle)]
    assert len(kept) == Solutions(puzzle).count() == orbits
    assert {brute.image(each, move, pieces) for each in kept for move, pieces in group} == raw


def cells_of(solution: puzzlec.Solution, puzzle: Puzzle) -> brute.Solution:
    sets: list[set[frozenset[tuple[int, ...]]]] = [set() for _ in puzzle.pieces]
    for placement in solution.placements:
        cells = [puzzle.locations[location].at for location in placement.locations]
        sets[placement.piece].add(frozenset(cell for cell in cells if isinstance(cell, tuple)))
    return tuple(map(frozenset, sets))


def test_solutions_with_a_symmetry_of_their_own_are_counted_once_and_weighted_rightly() -> None:
    # Dominoes in a 4 x 4 square: 36 raw, 9 distinct (OEIS A004003 and A045694), many of them symmetric.
    puzzle = puzzlec.parse('puzzle "D"\nlocations box 4x4\npiece D x8 { xx }')
    assert (puzzlec.count(puzzle), puzzlec.count(puzzle, raw=True)) == (9, 36)


def test_a_mirror_image_counts_as_the_same_only_when_the_pieces_allow_it() -> None:
    flat = 'puzzle "L"\nlocations box 2x4\npiece L x2{} {{ xxx/x.. }}'
    assert puzzlec.count(puzzlec.parse(flat.format(""))) == 1
    assert puzzlec.count(puzzlec.parse(flat.format("")), raw=True) == 2
    assert puzzlec.count(puzzlec.parse(flat.format(" one-sided"))) == 1
    assert puzzlec.count(puzzlec.parse(flat.format(" one-sided")), raw=True) == 1


def test_limits_of_solutions_hold_for_distinct_ones() -> None:
    soma = puzzlec.solve("soma", limits=puzzlec.Limits(solutions=5))
    assert len(list(soma)) == soma.number == 5
    assert soma.stopped is puzzlec.Stop.SOLUTIONS
    assert puzzlec.count("soma", limits=puzzlec.Limits(solutions=5)) == 5


def test_all_kernels_give_the_same_distinct_solutions_in_the_same_order() -> None:
    first = [solution.placements for solution in puzzlec.solve("soma", kernel="python")]
    for kernel in ("links", "bits", "auto"):
        assert [solution.placements for solution in puzzlec.solve("soma", kernel=kernel)] == first
    assert len(first) == 240
