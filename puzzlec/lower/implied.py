"""Items that follow from region rules: tighter bounds of counted pieces, and items that are not needed.

A piece may have each of its placements in exactly one of several items, as in the rows of a board. The number of its
copies is then the sum over these items. If eight queens have at most one copy in each of eight rows, each row has
exactly one. If each row of a sudoku has exactly one 5, there are nine of them, so the piece needs no item for its
copies. An optional location needs no item if a rule allows at most one piece on a region around it.

Everything found here follows from all such sets of items at once. So a symmetry of the puzzle keeps it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from puzzlec.ir import Condition, Fitting

#: Steps of the search for sets of items: if they do not suffice, nothing is implied.
MAX_STEPS = 100_000

_Bounds = tuple[int, int]


class Implied(NamedTuple):
    """The bounds of rules that count pieces, as far as they forbid something, and what needs no item.

    ``anchored`` are the pieces of which each placement has a primary item of a rule.
    """

    bounds: dict[int, _Bounds]
    pieces: frozenset[int] = frozenset()
    locations: frozenset[int] = frozenset()
    anchored: frozenset[int] = frozenset()


class _PieceItem(NamedTuple):
    """An item with placements of one piece: these, its bounds, and the rule that counts them (-1: all different)."""

    places: tuple[int, ...]
    bounds: _Bounds
    rule: int


class _TooManyStepsError(Exception):
    """The search for sets of items takes too long."""


def implied(fitting: Fitting, members: Mapping[int, Mapping[int, Sequence[int]]], exact: Collection[int]) -> Implied:
    """Return what follows from the region rules of a fitting.

    ``members`` are the placements of each rule that counts pieces, by the number of the piece. ``exact`` are the rules
    of different colours in which each colour occurs exactly once.
    """
    bounds = {}
    for index, on in members.items():
        rule = fitting.region_rules[index]
        most = sum(min(fitting.pieces[number].high, len(places)) for number, places in on.items())
        if rule.low > 0 or rule.high < most:
            bounds[index] = rule.low, min(rule.high, max(most, rule.low))
    parts: dict[int, list[_PieceItem]] = {}
    for index, on in members.items():
        if len(on) == 1 and index in bounds:
            ((number, places),) = on.items()
            parts.setdefault(number, []).append(_PieceItem(tuple(places), bounds[index], index))
    for number, part in _single_colours(fitting, exact):
        parts.setdefault(number, []).append(part)
    try:
        every = {number: list(_partitions(fitting, number, items)) for number, items in parts.items()}
    except _TooManyStepsError:
        every = {}
    tight = {}
    for number, sets in every.items():
        low, high = fitting.pieces[number].low, fitting.pieces[number].high
        for one in sets:
            if sum(part.bounds[1] for part in one) == low:
                tight.update({part.rule: (part.bounds[1],) * 2 for part in one})
            elif sum(part.bounds[0] for part in one) == high:
                tight.update({part.rule: (part.bounds[0],) * 2 for part in one})
    tight.pop(-1, None)
    bounds |= {index: (low, high) for index, (low, high) in tight.items()}
    primary = {index for index, limits in bounds.items() if limits != (0, 1)}
    needless = {
        number
        for number, sets in every.items()
        if any(_says_copies(fitting, number, one, bounds, primary) for one in sets)
    }
    anchored = _anchored(fitting, members, exact, primary)
    return Implied(bounds, frozenset(needless), _exclusive(fitting, members, bounds), anchored)


def _single_colours(fitting: Fitting, exact: Collection[int]) -> Iterator[tuple[int, _PieceItem]]:
    """Yield the items of colours that occur exactly once on a region and that only one piece shows, with this piece."""
    if not exact:
        return
    at: dict[int, list[int]] = {}
    for index in exact:
        for location in fitting.region_rules[index].region:
            at.setdefault(location, []).append(index)
    by_colour: dict[tuple[int, str | None], dict[int, list[int]]] = {}
    for number, piece in enumerate(fitting.pieces):
        places_of: dict[tuple[int, str | None], list[int]] = {}
        for place, (placement, colours) in enumerate(zip(piece.placements, piece.shown, strict=True)):
            for location, colour in zip(placement, colours, strict=True):
                for index in at.get(location, ()):
                    places_of.setdefault((index, colour), []).append(place)
        for key, places in places_of.items():
            by_colour.setdefault(key, {})[number] = places
    for on in by_colour.values():
        if len(on) == 1:
            ((number, places),) = on.items()
            yield number, _PieceItem(tuple(places), (1, 1), -1)


def _partitions(fitting: Fitting, number: int, parts: Sequence[_PieceItem]) -> Iterator[list[_PieceItem]]:
    """Yield the sets of items of which each placement of a piece has exactly one.

    If all bounds are equal ones, further sets cannot say more, so only one is yielded.
    """
    size = len(fitting.pieces[number].placements)
    with_place: list[list[_PieceItem]] = [[] for _ in range(size)]
    for part in parts:
        for place in part.places:
            with_place[place].append(part)
    one_only = all(part.bounds[0] == part.bounds[1] for part in parts)
    is_covered = bytearray(size)
    stack: list[tuple[_PieceItem, Iterator[_PieceItem]]] = []
    candidates, first = (iter(with_place[0]) if size else iter(())), 0
    steps = 0
    while True:
        steps += 1
        if steps > MAX_STEPS:
            raise _TooManyStepsError
        fitting_part = next((one for one in candidates if not any(map(is_covered.__getitem__, one.places))), None)
        if fitting_part is None:
            if not stack:
                return
            last, candidates = stack.pop()
            for place in last.places:
                is_covered[place] = 0
            first = 0
            continue
        for place in fitting_part.places:
            is_covered[place] = 1
        stack.append((fitting_part, candidates))
        first = is_covered.find(0, first)
        if first >= 0:
            candidates = iter(with_place[first])
            continue
        yield [part for part, _ in stack]
        if one_only:
            return
        candidates, first = iter(()), 0


def _says_copies(
    fitting: Fitting, number: int, parts: Sequence[_PieceItem], bounds: Mapping[int, _Bounds], primary: Collection[int]
) -> bool:
    """Return whether a set of items implies the copies of a piece, and each of its options has a primary item."""
    piece = fitting.pieces[number]
    limits = [bounds[part.rule] if part.rule >= 0 else part.bounds for part in parts]
    low, high = sum(low for low, _ in limits), sum(high for _, high in limits)
    if low < piece.low or high > piece.high:
        return False
    return all(part.rule < 0 or part.rule in primary for part in parts) or not any(
        map(fitting.optional.issuperset, piece.placements)
    )


def _anchored(
    fitting: Fitting,
    members: Mapping[int, Mapping[int, Sequence[int]]],
    exact: Collection[int],
    primary: Collection[int],
) -> frozenset[int]:
    """Return the pieces of which each placement has a primary item of a rule."""
    regions = [frozenset(fitting.region_rules[index].region) for index in exact]
    required = frozenset().union(*regions)
    anchored = []
    for number, piece in enumerate(fitting.pieces):
        counted = {place for index in primary for place in members[index].get(number, ())}
        if all(
            place in counted or not required.isdisjoint(placement) for place, placement in enumerate(piece.placements)
        ):
            anchored.append(number)
    return frozenset(anchored)


def _exclusive(
    fitting: Fitting, members: Mapping[int, Mapping[int, Sequence[int]]], bounds: Mapping[int, _Bounds]
) -> frozenset[int]:
    """Return the optional locations that two pieces cannot cover, because a rule allows one of them at most."""
    rules = [
        index
        for index, (_, high) in bounds.items()
        if high == 1 and fitting.region_rules[index].kind is Condition.COUNT
    ]
    if not rules or not fitting.optional:
        return frozenset()
    reaching: dict[int, set[int]] = {}
    for number, piece in enumerate(fitting.pieces):
        for location in set(piece.placements.locations):
            reaching.setdefault(location, set()).add(number)
    return frozenset(
        location
        for index in rules
        for location in fitting.region_rules[index].region
        if location in fitting.optional and reaching.get(location, set()) <= members[index].keys()
    )
