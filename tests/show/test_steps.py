"""Pictures of the moves of a plan, against the plan."""

from __future__ import annotations

from itertools import combinations

import pytest

from puzzlec import disassemble, draw, parse
from puzzlec.ir import Puzzle, Solution
from puzzlec.make.outputs import subject
from puzzlec.motion.shown import OPEN, STUCK, Planner, shifted
from puzzlec.show.page import page_data
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.steps import step_figures

#: A ring around the middle of a dumbbell: they never come apart.
RINGS = """
lattice cubic
locations box 3x3x3
piece ring x1 fixed cells (0,0,1) (1,0,1) (2,0,1) (0,1,1) (2,1,1) (0,2,1) (1,2,1) (2,2,1)
piece dumbbell x1 fixed cells BELOW (1,1,1) ABOVE
"""
for word, z in (("BELOW", 0), ("ABOVE", 2)):
    RINGS = RINGS.replace(word, " ".join(f"({x},{y},{z})" for x in range(3) for y in range(3)))
CASES = (
    "interlocking/cube-4-four-level-4",
    "boxes/lid-3x3x3-level-6",
    "boxes/tray-4x4-level-5",
    "burrs/six-boards-level-5",
)


def first(name: str) -> tuple[Puzzle, Solution]:
    """Return a puzzle and its first solution that comes apart."""
    for taken in disassemble(name):
        if taken.disassembly.apart:
            assert taken.solution.fitting.puzzle is not None
            return taken.solution.fitting.puzzle, taken.solution
    raise AssertionError(name)


@pytest.mark.parametrize("name", CASES)
def test_each_move_of_the_plan_is_a_picture(name: str) -> None:
    puzzle, solution = first(name)
    (taken,) = disassemble([solution])
    figures = step_figures(solution, Choices(), None, Planner(puzzle, sliding=True).plan(solution))
    assert len(figures) == taken.disassembly.moves
    last, caption = taken.disassembly.steps[0], figures[-1][0]
    names = [taken.labels[each] for each in last.pieces]
    others = [each for each in taken.labels if each not in names]
    number, _, text = caption.partition(". ")
    assert int(number) == len(figures)
    assert text in (", ".join(names), f"{len(names)} pieces", ", ".join(others))


@pytest.mark.parametrize("name", CASES)
def test_pieces_never_overlap_on_the_stage(name: str) -> None:
    puzzle, solution = first(name)
    assert puzzle.lattice is not None
    at = [location.at for location in puzzle.locations]
    cells = [[cell for each in p.locations if not isinstance(cell := at[each], str)] for p in solution.placements]
    moves = Planner(puzzle, sliding=True).plan(solution).moves
    assert moves[0].there == tuple(range(len(cells)))
    for move in moves:
        assert set(move.pieces) < set(move.there) or move.wall
        shown = [set(shifted(puzzle.lattice, cells[each], move.shifts[each])) for each in move.there]
        shown += [set(puzzle.walls)] if move.wall else []
        assert not any(one & two for one, two in combinations(shown, 2))


def test_an_assembly_that_does_not_come_apart_keeps_its_steps_and_a_remark() -> None:
    remarks: list[str] = []
    drawn = draw(parse(RINGS), steps=True, remarks=remarks)
    assert remarks == [STUCK]
    assert drawn == draw(parse(RINGS), steps=True)


def test_a_limit_that_is_reached_is_a_remark() -> None:
    puzzle, solution = first("interlocking/cube-4-four-level-4")
    planner = Planner(puzzle, seconds=60)
    planner._bounds.memory = 1
    plan = planner.plan(solution)
    assert plan.remark == OPEN
    assert not plan.moves


def test_pieces_that_come_out_one_by_one_need_no_plan() -> None:
    found = subject("soma", 1)
    assert found.puzzle is not None
    planner = Planner(found.puzzle)
    assert planner.plan(found.solutions[0]).moves == ()
    assert planner.moves(found.solutions[0]) == ((), "")
    assert "plans" not in page_data(found)


def test_flat_pieces_are_laid_down_unless_they_are_to_slide() -> None:
    found = subject("pentominoes/6x10", 1)
    assert found.puzzle is not None
    assert Planner(found.puzzle).plan(found.solutions[0]).moves == ()
    assert "plans" not in page_data(found)
    puzzle = parse("locations box 2x2\npiece D x2 { xx }\n")
    solution = subject(puzzle, 1).solutions[0]
    assert len(Planner(puzzle, sliding=True).plan(solution).moves) == 1


def test_the_page_gets_the_moves_and_the_walls() -> None:
    found = subject("boxes/lid-3x3x3-level-6", 1)
    assert found.puzzle is not None
    data = page_data(found)
    plans, walls = data["plans"], data["walls"]
    assert isinstance(plans, list)
    assert isinstance(walls, dict)
    assert len(plans[0]) == 12
    assert page_data(subject(parse(RINGS), 1))["plans"] == ["stuck"]


def test_a_picture_of_steps_names_no_walls_if_the_puzzle_has_them() -> None:
    assert "no walls" not in draw("boxes/lid-3x3x3-level-6", steps=True)
    assert "no walls" in draw("interlocking/cube-4-four-level-4", steps=True)
