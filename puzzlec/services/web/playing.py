"""Play on the page: the data of the game, hints, and the moves of pieces from a state.

The game has all placements of the puzzle without its `fix` statements, whose pieces are on the board from the start.
So a player may write pieces as `fix` statements, and the game is the same. A hint is a search with the pieces on the
board.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Any

from puzzlec.compiler import compile
from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.diagnostics.error import fail
from puzzlec.disassembling import has_best_assembly
from puzzlec.engine import Limits, Stop
from puzzlec.formats.reading import AnyPuzzle
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.ir.rules import Rule, RuleKind
from puzzlec.lower import place
from puzzlec.motion.graph import State, moves_from
from puzzlec.services.sandbox.worker import Tell
from puzzlec.services.web.exporting import solutions_of
from puzzlec.services.web.solving import compared_until
from puzzlec.show.game.data import game_data
from puzzlec.show.page.data import colour_numbers
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import Subject

#: Seconds that a hint spends on reducing the number of wrong pieces.
MAX_HINT_SECONDS = 2.0

#: Maximum number of moves from a state that the page lists.
MOVES = 200

#: A placement for the page: the number of its piece, its locations, and the numbers of the colours on them, if any.
_Placed = tuple[int, tuple[int, ...], tuple[int, ...] | None]

#: The last puzzle without fixed pieces, its palette and its game. After each move, the page asks for the same one.
_LAST: list[tuple[Puzzle, str, dict[str, object]]] = []


#: The last text that was explored, and its fitting.
_EXPLORED: list[tuple[dict[str, Any], Fitting]] = []


class OverError(Exception):
    """The time of a search is over."""


def game_of(puzzle: Puzzle, palette: str) -> dict[str, Any]:
    """Return the data of the game, the cell of each location, and the pieces on the board.

    Raises PuzzleError for a puzzle that cannot be played.
    """
    left = tuple([rule for rule in puzzle.rules.pieces if rule.kind is not RuleKind.FIX])
    free = replace(puzzle, rules=replace(puzzle.rules, pieces=left))
    data = next((game for last, colours, game in _LAST if (last, colours) == (free, palette)), None)
    if data is None:
        data = game_data(Subject(place(free)), palette=palette)
        _LAST[:] = [(free, palette, data)]
    cells = [location.at for location in puzzle.locations]
    return {"game": data, "cells": cells, "placed": _places(puzzle, _fixed(puzzle))}


def _fixed(puzzle: Puzzle) -> list[Rule]:
    return [rule for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX]


def _places(puzzle: Puzzle, rules: Sequence[Rule]) -> list[tuple[int, list[int]]]:
    """Return where rules fix pieces: the number of each piece, and its locations."""
    number = {location.at: index for index, location in enumerate(puzzle.locations)}
    names = [piece.name for piece in puzzle.pieces]
    return [(names.index(rule.piece), [number[at] for at in rule.region if at in number]) for rule in rules]


def hint(puzzle: Puzzle, task: Mapping[str, Any], end: float, tell: Tell) -> None:
    """Send a solution with the pieces on the board, or the pieces to take back so that there is one.

    The solution comes apart if it should and if one does.

    Args:
        puzzle: The puzzle; its fixed pieces stay.
        task: ``placed`` are the pieces of the player: for each, its number and its locations. ``memory`` is the limit
            of the search in bytes.
        end: The moment of the monotonic clock at which the search ends.
        tell: Gets ``hint`` with ``solution`` (None: there is none at all) and ``wrong``, then an ``end``. Its reason is
            ``limit`` if the time is over before that.

    """
    placed = _placed_rules(puzzle, task["placed"])

    def find(rules: Sequence[Rule]) -> Solution | None:
        try:
            more = replace(puzzle.rules, pieces=(*puzzle.rules.pieces, *rules))
            encoding = compile(replace(puzzle, rules=more), report=Report())
        except PuzzleError as error:
            # The piece has no such placement.
            if any(diagnostic.code == "PZ316" for diagnostic in error.diagnostics):
                return None
            raise
        limits = Limits(1, max(0.05, end - time.monotonic()), memory=task["memory"] // 2)
        solutions = Solutions(encoding, symmetry="none", limits=limits)
        solution = next(iter(solutions), None)
        if solution is None and solutions.stopped in (Stop.SECONDS, Stop.NODES):
            raise OverError
        return solution

    try:
        solution, wrong = _agreeing(placed, find)
    except OverError:
        tell("end", why="limit")
        return
    if solution is not None and not wrong and has_best_assembly(puzzle):
        compared = compared_until(end, compile(puzzle, report=Report()))
        solution = solution if compared is None or compared.best is None else compared.best.solution
    whole = solution and [_placed(solution, number) for number in range(len(solution.placements))]
    tell("hint", solution=whole, wrong=_places(puzzle, wrong))
    tell("end", why="complete")


def _placed_rules(puzzle: Puzzle, placed: Sequence[Sequence[int]]) -> list[Rule]:
    """Return rules that fix pieces; raise PuzzleError if the puzzle has no such piece or location."""
    numbers = {number for _, *locations in placed for number in locations}
    if not numbers <= set(range(len(puzzle.locations))) or any(
        not 0 <= number < len(puzzle.pieces) for number, *_ in placed
    ):
        raise fail("PZ608", "the pieces on the board belong to another puzzle")
    return [
        Rule(RuleKind.FIX, puzzle.pieces[number].name, tuple([puzzle.locations[at].at for at in locations]))
        for number, *locations in placed
    ]


def _placed(solution: Solution, number: int) -> _Placed:
    placement, fitting = solution.placements[number], solution.fitting
    colours = fitting.shown_colours(placement.number, placement.index)
    if not any(colours):
        return placement.number, placement.locations, None
    colour_index = colour_numbers(fitting.origin)
    return (
        placement.number,
        placement.locations,
        tuple([colour_index[colour] + 1 if colour else 0 for colour in colours]),
    )


def _agreeing(
    fixed: Sequence[Rule], find: Callable[[Sequence[Rule]], Solution | None]
) -> tuple[Solution | None, list[Rule]]:
    """Return a solution, and the rules that it breaks: none if possible, otherwise few, preferably later rules."""
    solution = find(fixed)
    if solution is not None or not fixed:
        return solution, []
    solution = find(())
    if solution is None:
        return None, []
    kept: list[Rule] = []
    for rule in fixed:
        # The first solution may agree by chance. Otherwise, a search decides.
        other = solution if _obeys(solution, [*kept, rule]) else find([*kept, rule])
        if other is not None:
            kept, solution = [*kept, rule], other
    wrong = [rule for rule in fixed if rule not in kept]
    ends = time.monotonic() + MAX_HINT_SECONDS
    with suppress(OverError):
        for size in range(1, len(wrong)):
            for fewer in combinations(reversed(fixed), size):
                if time.monotonic() > ends:
                    raise OverError
                other = find([rule for rule in fixed if rule not in fewer])
                if other is not None:
                    return other, [rule for rule in fixed if rule in fewer]
    return solution, wrong


def _obeys(solution: Solution, rules: Sequence[Rule]) -> bool:
    """Whether the pieces of a solution are where the rules fix them."""
    puzzle = solution.fitting.origin
    there = {
        (
            solution.fitting.piece_name(placement.number),
            frozenset(puzzle.locations[at].at for at in placement.locations),
        )
        for placement in solution.placements
    }
    return all((rule.piece, frozenset(rule.region)) in there for rule in rules)


def moves(what: Callable[[], AnyPuzzle], task: Mapping[str, Any]) -> dict[str, Any]:
    """Return the moves from a state of a solution as :class:`~puzzlec.motion.graph.MoveChoice`; ``whole``: all slides.

    ``turns`` says whether pieces also turn; such moves are not listed.

    Args:
        what: Returns the puzzle. It is not called if the last request had the same text.
        task: ``solution`` has the numbers of placements of each piece; ``there``, ``shifts`` and ``walled`` are those
            of :class:`puzzlec.motion.graph.State`, as plain data.

    """
    text_of_task = {
        key: task[key] for key in ("text", "name", "format", "board", "problem", "parameters") if key in task
    }
    fitting = next((fitting for text_of_fitting, fitting in _EXPLORED if text_of_fitting == text_of_task), None)
    if fitting is None:
        compiled = compile(what(), stage="fitting", report=Report())
        fitting = compiled
        _EXPLORED[:] = [(text_of_task, fitting)]
    (solution,) = solutions_of(fitting, [task["solution"]])
    shifts = {number: tuple(shift) for number, shift in zip(task["there"], task["shifts"], strict=True)}
    choices, whole = moves_from(solution, State(tuple(task["there"]), shifts, task["walled"]), MOVES)
    return {"moves": choices, "whole": whole, "turns": fitting.origin.movement.turns_allowed}
