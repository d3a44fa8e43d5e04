"""The checker's points, lines and neighbours: the same as those of the compiler, and they judge as it does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import Meeting, MeetingKind
from puzzlec.ir.rules import PuzzleRules
from puzzlec.lower import place
from puzzlec.lower.meeting import against, lines_of, motion_words, neighbours_of, points_of
from puzzlec.solving.checker import Checker
from puzzlec.solving.faults import WrongSolutionError
from puzzlec.solving.meeting_places import MeetingPlaces
from tests.differential import geometric


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_the_checker_and_the_compiler_derive_the_same_places(first: int) -> None:
    for seed in range(first, first + 20):
        puzzle = geometric.puzzle(Random(seed))
        places, lattice = MeetingPlaces(puzzle), puzzle.geometry.lattice
        if not against(puzzle, Meeting(MeetingKind.CROSSROADS)):
            own_points = {near for near in places.points if len(near) > 2}
            assert own_points == {frozenset(near) for near in points_of(puzzle) if len(near) > 2}
        if not against(puzzle, Meeting(MeetingKind.FAULTS)):
            everywhere = frozenset(range(len(puzzle.locations)))
            for axis in ["", *"xyz"[: lattice.dimension]]:
                sides = [frozenset((frozenset(one), everywhere - frozenset(one))) for one in lines_of(puzzle, axis)]
                own = [frozenset(pair) for constant, *pair in places.lines if not axis or constant == axis]
                assert Counter(own) == Counter(sides)
        for corners in (False, True):
            if not against(puzzle, Meeting(MeetingKind.APART, (puzzle.pieces[0].name,), corners=corners)):
                assert {tuple(sorted(pair)) for pair in places.neighbours(corners)} == set(
                    neighbours_of(puzzle, corners)
                )


def accepted(puzzle: puzzlec.Puzzle, limit: int) -> int | None:
    """Return how many solutions of a puzzle without its rules about meetings the checker accepts; None if too many."""
    plain = place(replace(puzzle, rules=replace(puzzle.rules, meetings=()), costs=()))
    solutions = list(puzzlec.solve(plain, symmetry="none", limit=limit))
    fitting = replace(plain, puzzle=replace(puzzle, costs=()))
    checker, number = Checker(fitting), 0
    for solution in solutions:
        own = tuple(replace(placement, fitting=fitting) for placement in solution.placements)
        try:
            checker.check(replace(solution, fitting=fitting, placements=own))
        except WrongSolutionError:
            continue
        number += 1
    return number if len(solutions) < limit else None


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_the_checker_accepts_as_many_solutions_as_the_compiler_finds(first: int) -> None:
    compared = 0
    for seed in range(first, first + 10):
        puzzle = geometric.meeting(Random(seed))
        try:
            number = puzzlec.count(puzzle, symmetry="none")
        except PuzzleError as error:
            assert {diagnostic.code for diagnostic in error.diagnostics} == {"PZ366"}, "no solution, with a reason"
            number = 0
        found = accepted(puzzle, 500)
        assert found in (number, None), puzzle
        compared += found is not None
    assert compared >= 4


BOARDS = {
    "square": "locations box 3x3\npiece V x* { xx/x. }\npiece D x* { xx }\npiece h x1..3 { x }",
    "hex": "lattice hex\nlocations hexagon 2\npiece D x* cells (0,0) (1,0)\npiece h x1 { x }",
    "triangle": "lattice triangle\nlocations hexagon 1\npiece D x* { xx }\npiece h x* { x }",
    "cubic": "lattice cubic\nlocations box 2x2x2\npiece D x* { xx }\npiece V x2 { xx/x. }",
}


@pytest.mark.parametrize("lattice", BOARDS)
def test_the_checker_knows_each_motion(lattice: str) -> None:
    plain = puzzlec.parse(BOARDS[lattice])
    for motion in motion_words(plain.geometry.lattice):
        puzzle = replace(plain, rules=PuzzleRules(meetings=(Meeting(MeetingKind.SYMMETRIC, motion=motion),)))
        try:
            number = puzzlec.count(puzzle, symmetry="none")
        except PuzzleError as error:
            assert "PZ373" in {diagnostic.code for diagnostic in error.diagnostics}, "the board has no such image"
            continue
        assert accepted(puzzle, 3000) == number, motion


def test_the_checker_knows_a_piece_and_its_mirror_image() -> None:
    board = (
        "locations box 6x2\npiece J x0..2 one-sided { xxx/..x }\npiece L x0..2 one-sided { xxx/x.. }\npiece h x* { x }"
    )
    plain = puzzlec.parse(board)
    puzzle = replace(plain, rules=PuzzleRules(meetings=(Meeting(MeetingKind.SYMMETRIC, motion="mirror x"),)))
    assert accepted(puzzle, 3000) == puzzlec.count(puzzle, symmetry="none") > 1
