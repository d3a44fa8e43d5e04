"""All moves from a state, compared with the graph of states and with plans that a search finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from unittest.mock import Mock, call

import pytest

import puzzlec
from puzzlec.compiler import load, parse
from puzzlec.engine import Stop
from puzzlec.engine.search.selection import has_numba
from puzzlec.geometry import Cell, Point
from puzzlec.ir import Solution
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.graph import MoveChoice, State, graph_of_states, moves_from
from puzzlec.motion.shown import MAX_PLANS, PictureMove, Planner, Plans, shifted
from tests.motion.test_walls import TRAY

BURR, LID = "interlocking/cube-3-level-4", "boxes/lid-3x3x3-level-7"


def first_that_comes_apart(name: str) -> Solution:
    return next(iter(puzzlec.disassemble(load(name)))).solution


def whole(solution: Solution) -> State:
    return State(tuple(range(len(solution.placements))), {})


def cells_after(solution: Solution, choice: MoveChoice) -> list[set[Cell]]:
    """Return the cells of all pieces after each step of a move."""
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    assert puzzle.lattice is not None
    found = []
    for step in range(1, choice.distance + 1):
        taken = set[Cell]()
        for number, placement in enumerate(solution.placements):
            at = [puzzle.locations[location].at for location in placement.locations]
            cells = [cell for cell in at if not isinstance(cell, str)]
            way = tuple([step * value // choice.distance for value in choice.way])
            taken |= set(shifted(puzzle.lattice, cells, way) if number in choice.pieces else cells)
        found.append(taken)
    return found


@pytest.mark.parametrize("name", ["soma/soma", BURR])
def test_no_cells_overlap_on_the_way_of_a_move(name: str) -> None:
    solution = next(iter(puzzlec.solve(load(name))))
    moves, complete = moves_from(solution, whole(solution), 10_000)
    assert complete
    assert moves
    number = sum(len(placement.locations) for placement in solution.placements)
    for move in moves:
        assert all(len(taken) == number for taken in cells_after(solution, move))


def test_the_moves_of_an_assembly_are_those_of_its_graph() -> None:
    taken = next(iter(puzzlec.disassemble(load(BURR))))
    found, _ = moves_from(taken.solution, whole(taken.solution), 1000)
    graph = graph_of_states(taken.disassembly.lattice, taken.disassembly.bodies)
    several = range(len(taken.disassembly.bodies))

    def smaller(pieces: tuple[int, ...], way: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        others = tuple([piece for piece in several if piece not in pieces])
        if len(others) < len(pieces):
            return others, tuple([-value for value in way])
        return pieces, way

    wanted = {
        smaller(move.pieces, tuple([move.distance * value for value in move.direction]))
        for move in graph.moves
        if move.start == 0
    }
    assert {(move.pieces, move.way) for move in found} == wanted


@pytest.mark.parametrize("name", [BURR, LID])
def test_each_move_of_a_plan_is_among_the_moves_from_its_state(name: str) -> None:
    solution = first_that_comes_apart(name)
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    plan, why = Planner(puzzle).moves(solution)
    assert (len(plan) > 3, why) == (True, "")
    for move in plan:
        found, complete = moves_from(solution, State(move.there, move.shifts, move.wall), 1000)
        assert complete
        others = tuple([piece for piece in move.there if piece not in move.pieces])
        back = tuple([-value for value in move.way])
        ways = [(move.pieces, move.way), *([] if move.wall else [(others, back)])]
        assert any(
            # A separation may be longer than in the plan.
            choice.pieces == pieces and (choice.way == way or (is_last(choice, move) and same_way(choice.way, way)))
            for choice in found
            for pieces, way in ways
        ), (move, found)


def test_a_puzzle_without_geometry_has_no_moves_and_nothing_that_is_stuck() -> None:
    puzzle = parse("lattice none\nlocations names a b\npiece p covers {a b}\n")
    assert Planner(puzzle).moves(next(iter(puzzlec.solve(puzzle)))) == ((), "")


def is_last(choice: MoveChoice, move: PictureMove) -> bool:
    return choice.leave or choice.walled != move.wall


def same_way(one: Point, other: Point) -> bool:
    return all(a * b >= 0 and (a == 0) == (b == 0) for a, b in zip(one, other, strict=True))


def test_walls_never_move_and_few_moves_are_returned() -> None:
    solution = next(iter(puzzlec.solve(parse(TRAY))))
    found, complete = moves_from(solution, whole(solution), 1000)
    free, _ = moves_from(solution, State(whole(solution).there, {}, walled=False), 1000)
    assert complete
    assert len(found) < len(free)
    some, complete = moves_from(solution, State(whole(solution).there, {}, walled=False), 2)
    assert (some, complete) == (free[:2], False)


def test_a_piece_alone_has_no_moves() -> None:
    solution = next(iter(puzzlec.solve(parse("locations box 2x1\npiece D { xx }"))))
    assert moves_from(solution, whole(solution), 10) == ([], True)


def test_both_sides_of_a_separation_into_groups_are_named() -> None:
    solution = next(iter(puzzlec.solve(parse("locations box 2x2\n" + "".join(f"piece {n} {{ x }}\n" for n in "ABCD")))))
    found, _ = moves_from(solution, whole(solution), 1000)
    groups = [move.pieces for move in found if move.leave and len(move.pieces) == 2]
    assert Counter(groups) == dict.fromkeys([(0, 1), (0, 2), (1, 3), (2, 3)], 3)  # away from the others, and sideways


def test_plans_have_one_place_for_each_solution_that_is_shown() -> None:
    solution = next(iter(puzzlec.solve(parse("locations box 2x1\npiece A { x }\npiece B { x }\n"))))
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    assert Plans(puzzle).of([]) == Plans(puzzle).of([], 3) == []
    (plan,) = Plans(puzzle).of([solution])
    many = Plans(puzzle).of([solution] * (MAX_PLANS + 5), MAX_PLANS + 2)
    assert many == [plan] * MAX_PLANS + [None, None, plan]


def test_the_plan_that_is_shown_first_is_searched_first_and_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = list(puzzlec.solve(parse("locations box 3x1\npiece A { x }\npiece B { xx }\n"), symmetry="none"))
    puzzle = solutions[0].fitting.puzzle
    assert puzzle is not None
    search = Mock(side_effect=Planner(puzzle).moves)
    monkeypatch.setattr(Planner, "moves", search)
    Plans(puzzle).of(solutions, 1)
    assert search.mock_calls == [call(solutions[1]), call(solutions[0])]


def test_only_a_search_that_time_ended_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = next(iter(puzzlec.solve(parse("locations box 2x1\npiece A { x }\npiece B { x }\n"))))
    puzzle = solution.fitting.puzzle
    assert puzzle is not None
    take_apart = Disassembler.take_apart
    for seconds, number in ((60.0, 1), (0.0, 1 + has_numba())):
        search = Mock(side_effect=partial(take_apart, Disassembler.of(puzzle)))
        monkeypatch.setattr(Disassembler, "take_apart", search)
        Planner(puzzle, seconds=seconds).taken(solution)
        assert search.call_count == number


def test_only_a_search_that_was_stopped_says_so_in_its_data() -> None:
    (taken,) = puzzlec.disassemble(parse("locations box 2x1\npiece A { x }\npiece B { x }\n"))
    assert taken.as_dict().keys().isdisjoint({"stopped", "searched", "turns", "step"})
    data = taken._replace(disassembly=replace(taken.disassembly, stopped=Stop.SECONDS, searched=7)).as_dict()
    assert (data["stopped"], data["searched"]) == (Stop.SECONDS, 7)
