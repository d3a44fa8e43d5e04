"""Rules on regions by their definition: what a solution shows there, and which placements cannot obey them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from puzzlec.ir import Condition, Puzzle, RuleKind
from puzzlec.ir.location import Address
from tests.differential import by_hand_meetings
from tests.differential.lying import Lying

#: The rules of a puzzle: the bounds of each, by its condition and its region. Bounds of one sum are joined.
Demands: TypeAlias = dict[tuple[Condition, frozenset[Address]], tuple[int, int]]


#: The bounds of the number of pieces on a region, by the name of the piece ("": any piece) and the region.
Counts: TypeAlias = dict[tuple[str, frozenset[Address]], tuple[int, int]]


def counts(puzzle: Puzzle) -> Counts:
    """Return the rules of a puzzle about the number of pieces."""
    found: Counts = {}
    for rule in puzzle.rules.regions:
        if rule.kind is Condition.COUNT:
            key = rule.piece, frozenset(rule.region)
            low, high = found.get(key, (rule.low, rule.high))
            found[key] = max(low, rule.low), min(high, rule.high)
    return found


def counted_right(puzzle: Puzzle, laid: Sequence[Iterable[Lying]]) -> bool:
    """Whether a solution has an allowed number of pieces on each region."""
    for (name, region), (low, high) in counts(puzzle).items():
        on = [
            lying
            for piece, own in zip(puzzle.pieces, laid, strict=True)
            for lying in own
            if name in ("", piece.name) and lying.cells & region
        ]
        if not low <= len(on) <= high:
            return False
    return True


def demands(puzzle: Puzzle) -> Demands:
    """Return the rules of a puzzle about colours."""
    found: Demands = {}
    for rule in puzzle.rules.regions:
        if rule.kind is Condition.COUNT:
            continue
        key = rule.kind, frozenset(rule.region)
        low, high = found.get(key, (rule.low, rule.high))
        found[key] = max(low, rule.low), min(high, rule.high)
    return found


def obeys(rules: Demands, paint: Iterable[tuple[Address, str | None]]) -> bool:
    """Whether the colours that a solution shows satisfy all rules."""
    shown = dict(paint)
    for (kind, region), (low, high) in rules.items():
        values = [colour for at in region if (colour := shown.get(at)) is not None]
        if kind is Condition.SUM and not low <= sum(map(number_of, values)) <= high:
            return False
        if kind is Condition.EQUAL and len(set(values)) > 1:
            return False
        if kind is Condition.DIFFERENT and len(set(values)) < len(values):
            return False
    return True


def number_of(colour: str | None) -> int:
    """Return the number of a colour; 0 for other colours and empty locations."""
    return int(colour) if colour is not None and colour.isdigit() else 0


def obeying(puzzle: Puzzle, found: list[set[Lying]]) -> list[set[Lying]]:
    """Return the placements that no rule excludes alone, until none is left that the others cannot complete.

    A symmetry maps only these placements. A location may show the colours of all placements there.
    """
    held = {at for rule in puzzle.rules.pieces if rule.kind is RuleKind.FIX and puzzle.piece_named[rule.piece].high > 1
            for at in rule.region}  # fmt: skip
    for (name, region), (_, high) in counts(puzzle).items():
        if high == 0:
            found = [
                {lying for lying in ways if name not in ("", piece.name) or not lying.cells & region}
                for piece, ways in zip(puzzle.pieces, found, strict=True)
            ]
    rules = demands(puzzle)
    while True:
        before, found = found, by_hand_meetings.lopsided(puzzle, found)
        looks: dict[Address, set[str | None]] = {
            location.at: {None} if location.optional and location.at not in held else set()
            for location in puzzle.locations
        }
        for ways in found:
            for lying in ways:
                for at in lying.cells:
                    looks[at].add(dict(lying.paint).get(at))
        kept = [{lying for lying in ways if _fits(rules, looks, dict(lying.paint))} for ways in found]
        if kept == before:
            return kept
        found = kept


def _fits(rules: Demands, looks: dict[Address, set[str | None]], paint: dict[Address, str | None]) -> bool:
    """Whether each rule alone allows a placement, if other locations show one of their colours."""
    for (kind, region), (low, high) in rules.items():
        here = [paint[at] for at in region if at in paint]
        if not here:
            continue
        ways = [[number_of(colour) for colour in ({paint[at]} if at in paint else looks[at])] or [0] for at in region]
        if kind is Condition.SUM and not (sum(map(min, ways)) <= high and low <= sum(map(max, ways))):
            return False
        if kind is Condition.EQUAL and not all(
            {*here} == {here[0]} and (None in looks[at] or here[0] in looks[at]) for at in region
        ):
            return False
        if kind is Condition.DIFFERENT and len(set(here)) < len(here):
            return False
    return True
