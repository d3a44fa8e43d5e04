"""The costs of a fitting as those of the options of its exact cover."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from puzzlec.diagnostics.error import fail
from puzzlec.engine.problem import MOST_COST
from puzzlec.ir import Cost, Fitting, Payer


class Prices:
    """The costs of placements and of empty locations, indexed; ``empty`` has the cost of each location that pays."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting = fitting
        self.empty: dict[int, int] = {}
        self._each: dict[str, int] = {}
        self._on: dict[str, dict[int, int]] = {}
        self._others: dict[str, list[tuple[Cost[int], frozenset[int]]]] = {}
        self._colours: dict[str, int] = {}
        self._coloured: dict[tuple[str, int], int] = {}
        for cost in fitting.costs:
            self._add(cost)

    def _add(self, cost: Cost[int]) -> None:
        """Add a cost to the index that it belongs to."""
        value, name = cost.value, cost.name
        if cost.payer is Payer.EMPTY:
            for location in cost.region if cost.where else sorted(self.fitting.optional):
                if location in self.fitting.optional:
                    self.empty[location] = self.empty.get(location, 0) + value
        elif cost.payer is Payer.COLOUR and not cost.where:
            self._colours[name] = self._colours.get(name, 0) + value
        elif cost.payer is Payer.COLOUR:
            for location in cost.region:
                self._coloured[name, location] = self._coloured.get((name, location), 0) + value
        elif not cost.where:
            self._each[name] = self._each.get(name, 0) + value
        elif cost.where == "on":
            own = self._on.setdefault(name, {})
            for location in cost.region:
                own[location] = own.get(location, 0) + value
        else:
            self._others.setdefault(name, []).append((cost, frozenset(cost.region)))

    def of_placement(self, piece: int, index: int) -> int:
        """Return the cost of a placement."""
        fitting = self.fitting
        row, total = fitting.pieces[piece].placements.row(index), 0
        for name in {"", fitting.piece_name(piece)}:
            total += self._each.get(name, 0)
            own = self._on.get(name)
            if own:
                total += sum([own.get(location, 0) for location in row])
            for cost, region in self._others.get(name, ()):
                within = region.issuperset(row) if cost.where == "in" else region.isdisjoint(row)
                total += cost.value * within
        if self._colours or self._coloured:
            for location, colour in zip(row, fitting.shown_colours(piece, index), strict=True):
                if colour is not None:
                    total += self._colours.get(colour, 0) + self._coloured.get((colour, location), 0)
        return total


def costs_of(prices: Prices, options: Iterable[tuple[int, int]]) -> array[int]:
    """Return the cost of each option, given as its piece and index in an encoding; raise PuzzleError if too large."""
    costs = list(_each(prices, options))
    if sum(map(abs, costs)) > MOST_COST:
        first = next((cost.span for cost in prices.fitting.costs if cost.span), None)
        raise fail(
            "PZ717",
            "costs do not fit into 64 bits",
            first,
            note=f"the absolute costs of all options may have the sum {MOST_COST} at most",
            file=prices.fitting.title,
        )
    return array("q", costs)


def _each(prices: Prices, options: Iterable[tuple[int, int]]) -> Iterator[int]:
    for piece, index in options:
        yield prices.of_placement(piece, index) if piece >= 0 else prices.empty.get(index, 0) if piece == -1 else 0
