"""Derive the exact cover of a puzzle again, from points, rotations and the board, without code of lower.

The first cell of every orientation of a piece is put on every location. If the piece fits on the board with the right
colours, this is a placement: a set of locations, and the colours on them if they differ within the piece. The exact
cover of a certificate must have exactly these options, and the bounds of pieces and locations.

Some puzzles are not derived, and the result reports that: boards that wrap around, sides that match, crossings, balls
that move as rigid bodies, fixed copies, and rules on regions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from puzzlec.diagnostics import counted
from puzzlec.engine.problem import ExactCover
from puzzlec.ir.location import Address
from puzzlec.ir.puzzle import Piece, Puzzle
from puzzlec.ir.rules import Rule, RuleKind

#: Maximum number of cells to try: more would take minutes.
MAX_CELLS_TRIED = 30_000_000


#: A placement: its locations, and each of these with the colour that the piece shows there.
_Lying = tuple[frozenset[int], frozenset[tuple[int, str | None]]]


class Derived(NamedTuple):
    """The result: the number of placements, the reason why they were not derived, or a difference."""

    number: int = 0
    unknown: str = ""
    fault: str = ""


class PuzzleItems(NamedTuple):
    """The item of an exact cover for each piece and for each location, -1 for none."""

    of_piece: Sequence[int]
    of_location: Sequence[int]


def derived(puzzle: Puzzle, cover: ExactCover, items: PuzzleItems) -> Derived:
    """Return whether an exact cover is that of a puzzle, as far as it can be derived."""
    if unknown := _unknown(puzzle):
        return Derived(unknown=unknown)
    named = [item for item in (*items.of_piece, *items.of_location) if item >= 0]
    if len(set(named)) < len(named) or -1 in items.of_location:
        # If two things shared an item, a smaller exact cover would pass.
        return Derived(fault="two pieces or locations have one item, or a location has none")
    rows: Counter[frozenset[int]] = Counter()
    number = {location.at: index for index, location in enumerate(puzzle.locations)}
    bounds: dict[int, tuple[int, int]] = {}
    total = 0
    for index, piece in enumerate(puzzle.pieces):
        rules = [rule for rule in puzzle.rules.pieces if rule.piece == piece.name]
        placements = {
            placement for placement in _placements(puzzle, piece, number) if _is_kept(rules, placement, number)
        }
        total += len(placements)
        low = max(piece.low, int(any(rule.kind is RuleKind.FIX for rule in rules)))
        piece_item = items.of_piece[index]
        if piece_item >= 0:
            bounds[piece_item] = low, max(low, piece.high)
        elif low > 0 or piece.high < len(placements):
            return Derived(fault=f"piece {piece.name} has no item that counts it")
        for locations, _ in placements:
            rows[frozenset({items.of_location[location] for location in locations} | {piece_item} - {-1})] += 1
    secondary = set()
    counted = puzzle.rules.empty is not None and (
        puzzle.rules.empty[0] > 0 or any(location.optional for location in puzzle.locations)
    )
    empty = max((*items.of_piece, *items.of_location), default=-1) + 1
    for index, location in enumerate(puzzle.locations):
        item = items.of_location[index]
        if location.optional and not counted:
            secondary.add(item)
            continue
        bounds[item] = 1, 1
        if location.optional:
            rows[frozenset((item, empty))] += 1
    if counted and puzzle.rules.empty is not None:
        bounds[empty] = puzzle.rules.empty
    return Derived(total, fault=_difference(cover, bounds, secondary, rows))


def _difference(
    cover: ExactCover, bounds: dict[int, tuple[int, int]], secondary: set[int], rows: Counter[frozenset[int]]
) -> str:
    """Return the first difference of an exact cover from the derived one, "" for none."""
    if any(cover.colours):
        return "some options have colours, but no piece needs them"
    if bounds != dict(enumerate(zip(cover.low, cover.high, strict=True))):
        return "the bounds of pieces or locations differ"
    if secondary != set(range(cover.primary, cover.primary + cover.secondary)):
        return "the locations that may stay empty differ"
    there = Counter(frozenset(cover.row(option)) for option in range(len(cover)))
    missing, more = rows - there, there - rows
    if missing:
        return f"missing {counted(missing.total(), 'placement')}, such as items {sorted(min(missing, key=sorted))}"
    if more:
        return f"{counted(more.total(), 'extra option')}, such as items {sorted(min(more, key=sorted))}"
    return ""


def _unknown(puzzle: Puzzle) -> str:
    """Return the reason why a puzzle cannot be derived, "" for none."""
    if puzzle.wraps:
        return "its board wraps around"
    if any(piece.sides for piece in puzzle.pieces):
        return "its pieces have matching sides"
    lattice = puzzle.lattice
    if lattice is not None and lattice.of_balls and any(len(piece.turns) > 1 for piece in puzzle.pieces):
        return "its balls move as rigid bodies"
    if lattice is not None and lattice.crossings and not puzzle.rules.crossing:
        return "its pieces may not cross"
    if any(rule.kind is RuleKind.FIX and puzzle.piece_named[rule.piece].high > 1 for rule in puzzle.rules.pieces):
        return "one of several copies is fixed"
    if puzzle.rules.regions or puzzle.rules.meetings:
        return "its rules on regions need further options"
    if any(cost.payer.is_meeting for cost in puzzle.costs):
        return "its costs of crossroads and faults need further options"
    cells = sum(len(piece.turns) * len(piece.cells) for piece in puzzle.pieces) * len(puzzle.locations)
    return "it has too many placements" if cells > MAX_CELLS_TRIED else ""


def _placements(puzzle: Puzzle, piece: Piece, number: dict[Address, int]) -> Iterator[_Lying]:
    """Yield the placements of a piece, some several times."""
    if piece.covers is not None:
        yield from ((frozenset(number[at] for at in cover), frozenset()) for cover in piece.covers)
        return
    lattice = puzzle.geometry.lattice
    place = {point: index for index, point in enumerate(puzzle.points)}
    for turn in piece.turns:
        turned = [
            tuple([sum(a * b for a, b in zip(row, lattice.point(cell), strict=True)) for row in turn])
            for cell in piece.cells
        ]
        for target in place:
            move = tuple([there - here for there, here in zip(target, turned[0], strict=True)])
            if not lattice.is_translation(move):
                continue
            there = [place.get(tuple([a + b for a, b in zip(point, move, strict=True)]), -1) for point in turned]
            if -1 not in there and _agree(puzzle, piece, there):
                yield frozenset(there), frozenset(zip(there, piece.colours, strict=True))


def _agree(puzzle: Puzzle, piece: Piece, there: list[int]) -> bool:
    """Return whether the colours let each cell of a piece lie on its location."""
    allowed = puzzle.colours.allowed
    for colour, index in zip(piece.colours, there, strict=True):
        under = puzzle.locations[index].colour
        if colour is not None and under is not None and colour != under and (colour, under) not in allowed:
            return False
    return True


def _is_kept(rules: list[Rule], lying: _Lying, number: dict[Address, int]) -> bool:
    """Return whether all rules allow a placement."""
    locations, _ = lying
    for rule in rules:
        region = frozenset(number[at] for at in rule.region if at in number)
        kept = {
            RuleKind.INSIDE: locations <= region,
            RuleKind.ON: bool(locations & region),
            RuleKind.OFF: not locations & region,
            RuleKind.FIX: locations == region,
            RuleKind.FORBID: locations != region,
        }
        if not kept[rule.kind]:
            return False
    return True
