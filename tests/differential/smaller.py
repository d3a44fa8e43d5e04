"""A failing problem, made smaller as long as the same check fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.writing import write
from puzzlec.ir import Fitting, Location, Piece, Placements, Puzzle
from puzzlec.ir.rules import PuzzleRules
from tests.differential.by_hand import TooLargeError
from tests.differential.comparing import Outcome, compare
from tests.differential.problem import Problem, What

#: At most this many problems are tried.
TRIES = 600

#: A function that makes a smaller problem. It raises ValueError if the result is not a problem.
Maker = Callable[[], What]
Row = list[tuple[int, int]]


def smallest(outcome: Outcome, tries: int = TRIES) -> Outcome:
    """Return the outcome of the smallest problem found in which the same check fails."""
    best, left = outcome, tries
    sayable = can_be_said(outcome.problem.what)
    going = True
    while going:
        going = False
        for what in steps(best.problem.what):
            left -= 1
            if left < 0:
                return best
            if sayable and not can_be_said(what):
                continue
            try:
                found = compare(Problem(outcome.problem.seed, outcome.problem.family, what), only=outcome.check)
            except TooLargeError:
                continue
            if found.check == outcome.check:
                best, going = found, True
                break
    return best


def text(what: What) -> str:
    """Return a problem as a text: in the puzzle language or as DLX, or as Python if neither can store it."""
    try:
        return write(what, "dlx" if isinstance(what, ExactCover) else "puzzle")
    except (PuzzleError, ValueError, TypeError, KeyError):  # the bug may be that the problem cannot be written
        return repr(what)


def can_be_said(what: What) -> bool:
    """Whether there is a text for a problem."""
    return text(what) != repr(what)


def steps(what: What) -> Iterator[What]:
    """Yield problems that are one step smaller."""
    if isinstance(what, ExactCover):
        makers = of_cover(what)
    else:
        makers = of_fitting(what) if isinstance(what, Fitting) else of_puzzle(what)
    for make in makers:
        try:
            found = make()
        except ValueError:
            continue
        if found != what:
            yield found


def of_puzzle(puzzle: Puzzle) -> Iterator[Maker]:
    """Yield steps that make a puzzle smaller: without a piece, a location or a rule, or simpler in one respect."""
    pieces = puzzle.pieces
    for number in range(len(pieces)):
        yield partial(puzzle.with_pieces, without(pieces, number))
    for number in range(len(puzzle.locations)):
        yield partial(_without_location, puzzle, number)
    for number in range(len(puzzle.wraps)):
        yield partial(replace, puzzle, wraps=without(puzzle.wraps, number))
    for number in range(len(puzzle.costs)):
        yield partial(replace, puzzle, costs=without(puzzle.costs, number))
    for rules in _fewer_rules(puzzle.rules):
        yield partial(replace, puzzle, rules=rules)
    for number in range(len(walls := puzzle.movement.walls)):
        yield partial(replace, puzzle, movement=replace(puzzle.movement, walls=without(walls, number)))
    for colours in (
        replace(puzzle.colours, allowed=frozenset()),
        replace(puzzle.colours, frame=None),
        replace(puzzle.colours, mates=()),
    ):
        yield partial(replace, puzzle, colours=colours)
    for number, piece in enumerate(pieces):
        for simple in simpler(piece):
            yield partial(replace, puzzle, pieces=without(pieces, number, simple))
    for number, location in enumerate(puzzle.locations):
        yield partial(replace, puzzle, locations=without(puzzle.locations, number, Location(location.at)))
    yield partial(replace, puzzle, colours=replace(puzzle.colours, names=()))


def _fewer_rules(rules: PuzzleRules) -> Iterator[PuzzleRules]:
    """Yield the rules of a puzzle with one fewer, and without bounds and crossings."""
    for number in range(len(rules.pieces)):
        yield replace(rules, pieces=without(rules.pieces, number))
    for number in range(len(rules.regions)):
        yield replace(rules, regions=without(rules.regions, number))
    yield replace(rules, empty=None)
    yield replace(rules, crossing=False)


def _without_location(puzzle: Puzzle, number: int) -> Puzzle:
    """Return a puzzle without a location, and without the rules that name it."""
    at = puzzle.locations[number].at
    rules = [
        replace(rule, region=tuple([other for other in rule.region if other != at])) for rule in puzzle.rules.pieces
    ]
    pieces = [
        replace(piece, covers=tuple([cover for cover in piece.covers if at not in cover])) if piece.covers else piece
        for piece in puzzle.pieces
    ]
    kept = tuple([rule for rule in rules if rule.region])
    demands = [rule.on([other for other in rule.region if other != at]) for rule in puzzle.rules.regions]
    return replace(
        puzzle,
        locations=without(puzzle.locations, number),
        pieces=tuple(pieces),
        rules=replace(puzzle.rules, pieces=kept, regions=tuple([rule for rule in demands if rule.region])),
        costs=tuple([cost.on([other for other in cost.region if other != at]) for cost in puzzle.costs]),
    )


def simpler(piece: Piece) -> Iterator[Piece]:
    """Yield simpler pieces."""
    if (piece.low, piece.high) != (1, 1):
        yield replace(piece, low=1, high=1)
        yield replace(piece, low=max(0, piece.low - 1), high=max(1, piece.high - 1))
    for number in range(len(piece.cells)):
        yield replace(piece, cells=without(piece.cells, number), colours=without(piece.colours, number))
    if any(piece.colours):
        yield replace(piece, colours=(None,) * len(piece.colours))
    if len(piece.turns) > 1:
        yield replace(piece, turns=piece.turns[:1])
    if piece.covers is not None:
        for number in range(len(piece.covers)):
            yield replace(piece, covers=without(piece.covers, number))


def of_fitting(fitting: Fitting) -> Iterator[Maker]:
    """Yield steps that make a fitting smaller: without a piece or a placement, or simpler in one respect."""
    for number, piece in enumerate(fitting.pieces):
        yield partial(replace, fitting, pieces=without(fitting.pieces, number))
        rows = tuple(piece.placements)
        for row in range(len(rows)):
            fewer = replace(piece, placements=Placements(without(rows, row)))
            yield partial(replace, fitting, pieces=without(fitting.pieces, number, fewer))
        yield partial(replace, fitting, pieces=without(fitting.pieces, number, replace(piece, low=1, high=1)))
    yield partial(replace, fitting, empty=None)
    yield partial(replace, fitting, optional=frozenset(), empty=None)
    yield partial(replace, fitting, locations=fitting.locations - 1)


def of_cover(cover: ExactCover) -> Iterator[Maker]:
    """Yield steps that make an exact cover smaller: without an option or an entry, or simpler in one respect."""
    rows = tuple(list(cover.entries(option)) for option in range(len(cover)))
    bounds = tuple(zip(cover.low, cover.high, strict=True))

    def made(rows: tuple[Row, ...], bounds: tuple[tuple[int, int], ...]) -> ExactCover:
        plain = [[entry if entry[1] else entry[0] for entry in row] for row in rows]
        found = ExactCover.from_rows(plain, cover.primary, cover.secondary, bounds)
        return replace(found, costs=cover.costs) if len(rows) == len(cover) else found

    for option, row in enumerate(rows):
        yield partial(made, without(rows, option), bounds)
        for place, (item, colour) in enumerate(row):
            yield partial(made, without(rows, option, [*row[:place], *row[place + 1 :]]), bounds)
            if colour:
                yield partial(made, without(rows, option, [*row[:place], (item, 0), *row[place + 1 :]]), bounds)
    for number, (_, high) in enumerate(bounds):
        yield partial(made, rows, without(bounds, number, (1, 1)))
        yield partial(made, rows, without(bounds, number, (0, high)))


def without(things: tuple, number: int, *instead: object) -> tuple:  # type: ignore[type-arg]
    """Return a tuple without one element, or with others in its place."""
    return (*things[:number], *instead, *things[number + 1 :])
