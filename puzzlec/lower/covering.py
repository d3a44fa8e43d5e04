"""From a fitting to an exact cover, and from its covers back to the pieces."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from operator import lt
from typing import TYPE_CHECKING

from puzzlec.diagnostics.error import fail
from puzzlec.engine.arrays import has_numpy
from puzzlec.engine.problem import MAX_TOTAL_COST, ExactCover
from puzzlec.ir import Cost, Fitting, Payer, Placement, Solution
from puzzlec.ir.fitting import FittingPiece
from puzzlec.shown import brief

if TYPE_CHECKING:
    from puzzlec.lower.region_rules import RuleItems

#: If all placements together cover more locations than this, their options are made in numpy.
MAX_LOCATIONS_IN_PYTHON = 500_000

#: The same limit if numpy is already loaded.
MAX_LOCATIONS_IF_LOADED = 20_000


#: The piece of an option of a region rule, which places nothing.
RULE = -2

#: Ways through a point, each as its two locations, the lesser first: they identify a crossing.
Ways = frozenset[tuple[int, int]]


def ways_of(pairs: Iterable[tuple[int, int]]) -> Ways:
    """Return the ways of a crossing as a set, which is the same in any order of the ways and of their locations."""
    return frozenset((min(pair), max(pair)) for pair in pairs)


@dataclass(frozen=True)
class Encoding:
    r"""An exact cover with the meaning of its options, from which covers become solutions again.

    Option ``o`` is placement ``index[o]`` of piece ``piece[o]`` (arrays of int32). A piece of -1 means that the
    optional location ``index[o]`` stays empty. A piece of -2 means that this is option ``index[o]`` of the ``rules`` on
    regions, or of a cost of crossroads or faults, which places nothing. ``item_of_piece`` and ``item_of_location`` give
    their items (-1: none is needed). ``item_of_side`` has the item between two locations, the lesser first, where sides
    of tiles meet. ``item_of_crossing`` has the item of ways through a point that exclude each other.
    ``first_of_rules`` are the first primary and the first secondary item of the region rules.

    ``raised``: the input was an exact cover, so messages name its items and options, not pieces. If pieces and
    locations cannot express that cover, ``faithful`` is False. The fitting then has the names and items of the options,
    but cannot judge solutions.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> encoding = puzzlec.compile(puzzle)
    >>> len(encoding.cover), str(encoding.lift((0, 1, 2)))
    (7, 'DD\nDD\nDD')
    """

    def __repr__(self) -> str:
        return brief(self)

    fitting: Fitting
    cover: ExactCover
    piece: array[int]
    index: array[int]
    item_of_piece: tuple[int, ...]
    item_of_location: tuple[int, ...]
    item_of_side: dict[tuple[int, int], int] = field(default_factory=dict)
    item_of_crossing: dict[Ways, int] = field(default_factory=dict)
    rules: RuleItems | None = None
    first_of_rules: tuple[int, int] = (0, 0)
    faithful: bool = True
    raised: bool = field(default=False, compare=False)

    def rule_options(self, placements: Iterable[Placement]) -> Iterator[tuple[int, int]]:
        """Yield the options of region rules that placements determine: each as :data:`RULE` and its number."""
        if self.rules is None:
            return
        colour_at: list[str | None] = [None] * self.fitting.locations
        owners = [-1] * self.fitting.locations
        placements = tuple(placements)
        lying = {self.fitting.piece_name(placement.number): placement.index for placement in placements}
        for number, placement in enumerate(placements):
            for location in placement.locations:
                owners[location] = number
            colours = self.fitting.pieces[placement.number].colours
            for location, colour in zip(placement.locations, colours[placement.index] if colours else (), strict=False):
                colour_at[location] = colour
        for option in self.rules.chosen(colour_at, lying, owners):
            yield RULE, self.rules.number.get(option, -1)

    def lift(self, options: Iterable[int]) -> Solution:
        """Return the solution of a cover, its placements in the order of the pieces."""
        options, piece, index = tuple(options), self.piece, self.index
        placed = sorted([(piece[option], index[option], option) for option in options if piece[option] >= 0])
        return Solution(
            self.fitting,
            tuple([self._known.get(option) or self._placement(option) for _, _, option in placed]),
            self.cover.cost(options) if self.cover.costs or self.fitting.costs else None,
        )

    @cached_property
    def _known(self) -> dict[int, Placement]:
        """The placements that solutions have had so far, since they have many in common."""
        return {}

    def _placement(self, option: int) -> Placement:
        piece, index = self.piece[option], self.index[option]
        locations = self.fitting.pieces[piece].placements.row(index)
        placement = self._known[option] = Placement(piece, index, locations, self.fitting)
        return placement


def option_numbers(encoding: Encoding) -> dict[tuple[int, int], int]:
    """Return the number of each option by its ``piece`` and ``index``."""
    return {pair: option for option, pair in enumerate(zip(encoding.piece, encoding.index, strict=True))}


def encode(fitting: Fitting, every_location: bool = False) -> Encoding:
    """Return the exact cover of a fitting.

    There is an item for each piece, with its copies as bounds, and one for each location. An optional location is a
    secondary item. If the number of empty locations is limited, it is a primary item instead, with an additional option
    that leaves it empty and counts under the item ``empty``. A piece with any number of copies needs no item, and
    neither do pieces and optional locations whose items follow from region rules (:mod:`puzzlec.lower.implied`).
    ``every_location``: each location has an item anyway.
    Numbered pieces come first, then locations.

    Where sides of tiles meet, the position between two locations is a secondary item. An option colours it with the
    colour of its side, seen from the lesser location; from the other location, with the mate of that colour. A crossing
    is a secondary item of each option that takes one of its ways through a point. :mod:`puzzlec.lower.region_rules` has
    the items of region rules.
    """
    rules: RuleItems | None = None
    if fitting.region_rules or any(cost.payer.is_meeting for cost in fitting.costs):
        from puzzlec.lower.region_rules import rule_items

        rules = rule_items(fitting)
    prices = _Prices(fitting) if fitting.costs else None
    items = _FittingItems(fitting, rules, prices, every_location)
    options = _FittingOptions(fitting, items, rules)
    cover = ExactCover(
        items.primary,
        items.low,
        items.high,
        len(items.names) - items.primary,
        options.starts,
        options.items,
        options.colours,
        tuple(items.names),
        colour_names=options.paint.names,
        costs=_costs_of(prices, rules, zip(options.pieces, options.indices, strict=True)) if prices else array("q"),
    )
    return Encoding(
        fitting=fitting,
        cover=cover,
        piece=options.pieces,
        index=options.indices,
        item_of_piece=tuple(items.of_piece),
        item_of_location=tuple(items.of_location),
        item_of_side=items.sides,
        item_of_crossing=items.crossings,
        rules=rules,
        first_of_rules=(items.first_rule, items.first_shown),
    )


class _FittingItems:
    """The items of a fitting, primary ones first, and the item of each piece, location, side and crossing.

    ``through`` has for a location the other ends of its ways through crossings, each with the item of the crossing.
    ``empty`` is the item that counts empty locations, -1 if their number has no limits. ``observed`` are the locations
    of region rules, and those that cost something if they stay empty. ``first_rule`` and ``first_shown`` are the first
    primary and the first secondary item of the rules.
    """

    def __init__(
        self, fitting: Fitting, rules: RuleItems | None, prices: _Prices | None, every_location: bool = False
    ) -> None:
        self.names: list[str] = []
        self.low, self.high = array("i"), array("i")
        self.observed = frozenset(rules.observed if rules else ()) | frozenset(prices.empty if prices else ())
        self.of_piece: list[int] = []
        self.of_location = [-1] * fitting.locations
        self.sides: dict[tuple[int, int], int] = {}
        self.crossings: dict[Ways, int] = {}
        self.through: dict[int, list[tuple[int, int]]] = {}
        counted = fitting.empty is not None and (bool(fitting.optional) or fitting.empty[0] > 0)
        self._add_pieces(fitting, counted, rules)
        secondary = [] if counted else sorted(fitting.optional - self.observed)
        needless = rules.counted.implied.locations if rules and not every_location else frozenset()
        self._add_locations(fitting, set(secondary))
        self.empty = self._add("empty", *fitting.empty) if counted and fitting.empty else -1
        self.first_rule = len(self.names)
        for name, (low, high) in zip(rules.primary, rules.bounds, strict=True) if rules else ():
            self._add(name, low, high)
        self.primary = len(self.names)
        for location in secondary:
            if location in needless:
                continue
            self.of_location[location] = len(self.names)
            self.names.append(fitting.location_name(location))
        self._add_sides(fitting)
        self._add_crossings(fitting)
        self.first_shown = len(self.names)
        self.names.extend(rules.secondary if rules else ())

    def _add(self, name: str, low: int, high: int) -> int:
        """Add a primary item and return its number."""
        self.names.append(name)
        self.low.append(low)
        self.high.append(high)
        return len(self.names) - 1

    def _add_pieces(self, fitting: Fitting, counted: bool, rules: RuleItems | None) -> None:
        """Add an item for each piece that needs one; ``counted``: the number of empty locations has limits."""
        anchored = rules.counted.implied.anchored if rules else frozenset()
        needless = rules.counted.implied.pieces if rules else frozenset()
        for number, piece in enumerate(fitting.pieces):
            # An item is unnecessary if it demands nothing and each option keeps another primary item.
            unbounded = (
                piece.low == 0
                and piece.high >= len(piece.placements)
                and (
                    counted
                    or not fitting.optional
                    or number in anchored
                    or not any(map(fitting.optional.issuperset, piece.placements))
                )
                and all(map(lt, piece.placements.starts, islice(piece.placements.starts, 1, None)))
            )
            item = (
                -1 if unbounded or number in needless else self._add(fitting.piece_name(number), piece.low, piece.high)
            )
            self.of_piece.append(item)

    def _add_locations(self, fitting: Fitting, secondary: Container[int]) -> None:
        """Add an item for each location whose item is primary."""
        for location in range(fitting.locations):
            if location not in secondary:
                self.of_location[location] = self._add(fitting.location_name(location), 1, 1)

    def _add_sides(self, fitting: Fitting) -> None:
        """Add an item between each two locations where sides of tiles meet."""
        for location, others in enumerate(fitting.neighbours):
            for other in others:
                if other > location and (location, other) not in self.sides:
                    self.sides[location, other] = len(self.names)
                    self.names.append(f"{fitting.location_name(location)}|{fitting.location_name(other)}")

    def _add_crossings(self, fitting: Fitting) -> None:
        """Add an item for each crossing; crossings of the same locations get numbered names."""
        met: dict[str, int] = {}
        for pairs in fitting.crossings:
            item = self.crossings[ways_of(pairs)] = len(self.names)
            around = dict.fromkeys(sorted(location for pair in pairs for location in pair))
            name = "+".join(map(fitting.location_name, around))
            met[name] = met.get(name, 0) + 1
            self.names.append(name if met[name] == 1 else f"{name}~{met[name]}")
            for one, two in pairs:
                self.through.setdefault(one, []).append((two, item))


class _FittingOptions:
    """The options of a fitting: placements, then locations that stay empty, then options of region rules."""

    def __init__(self, fitting: Fitting, meaning: _FittingItems, rules: RuleItems | None) -> None:
        self.meaning, self.rules = meaning, rules
        self.paint = _Paint(fitting, meaning.sides, rules)
        self.pieces, self.indices = array("i"), array("i")
        self.starts, self.items, self.colours = array("i", [0]), array("i"), array("i")
        simple = not meaning.through and not fitting.neighbours and not rules
        number = sum(len(piece.placements.locations) for piece in fitting.pieces)
        if (
            simple
            and number > (MAX_LOCATIONS_IF_LOADED if "numpy" in sys.modules else MAX_LOCATIONS_IN_PYTHON)
            and has_numpy()
        ):
            from puzzlec.lower.placing_numpy import options

            placements = [piece.placements for piece in fitting.pieces]
            self.starts, self.items, self.pieces, self.indices = options(
                placements, meaning.of_piece, meaning.of_location
            )
        else:
            for number, piece in enumerate(fitting.pieces):
                self._add_placements(number, piece)
        self._add_empty(fitting.optional)
        self._add_rules()
        self.colours.frombytes(bytes(4 * (len(self.items) - len(self.colours))))

    def _end(self, piece: int, index: int) -> None:
        """End an option, which is number ``index`` of a piece."""
        self.starts.append(len(self.items))
        self.pieces.append(piece)
        self.indices.append(index)

    def _add_placements(self, number: int, piece: FittingPiece) -> None:
        """Add an option for each placement of a piece."""
        items, paint, rules, through = self.items, self.paint, self.rules, self.meaning.through
        of_piece, of_location = self.meaning.of_piece[number], self.meaning.of_location
        for index, placement in enumerate(piece.placements):
            if of_piece >= 0:
                items.append(of_piece)
            items.extend([of_location[location] for location in placement if of_location[location] >= 0])
            if through:
                items.extend(
                    dict.fromkeys(item for one in placement for two, item in through.get(one, ()) if two in placement)
                )
            if piece.sides:
                paint.add(items, self.colours, 0, paint.sides(placement[0], piece.sides[index]))
            if rules:
                colours = piece.colours[index] if piece.colours else (None,) * len(placement)
                first, counting = self.meaning.first_rule, list(rules.counting(number, index))
                items.extend([first + item for item in rules.each_colour(placement, colours)])
                items.extend([first + item for is_primary, item in counting if is_primary])
                entries = chain(
                    rules.entries(placement, colours),
                    rules.tied(number, index, placement),
                    ((item, "") for is_primary, item in counting if not is_primary),
                )
                paint.add(items, self.colours, self.meaning.first_shown, entries)
            self._end(number, index)

    def _add_empty(self, optional: Collection[int]) -> None:
        """Add an option for each optional location whose item is primary: it leaves the location empty."""
        meaning = self.meaning
        for location in sorted(optional):
            if meaning.empty >= 0:
                self.items.append(meaning.empty)
            elif location not in meaning.observed:
                continue
            self.items.append(meaning.of_location[location])
            if self.rules:
                entries = self.rules.empty_entries(location)
                self.paint.add(self.items, self.colours, meaning.first_shown, entries)
            self._end(-1, location)

    def _add_rules(self) -> None:
        """Add the options of region rules, which place nothing."""
        if self.rules is None:
            return
        for index, option in enumerate(self.rules.options):
            self.items.append(self.meaning.first_rule + self.rules.primary_item(option))
            self.paint.add(self.items, self.colours, self.meaning.first_shown, self.rules.rule_entries(option))
            self._end(RULE, index)


class _Paint:
    """Colours of sides and of region rules, as the numbers in the exact cover."""

    def __init__(self, fitting: Fitting, items: dict[tuple[int, int], int], rules: RuleItems | None) -> None:
        self.neighbours, self.items, self.mate = fitting.neighbours, items, dict(fitting.mates)
        colours = {colour for piece in fitting.pieces for sides in piece.sides for colour in sides}
        ruled = rules.colours() if rules else set()
        self.names = tuple(sorted(colours | self.mate.keys() | ruled))
        self.number = {colour: index for index, colour in enumerate(self.names, 1)}

    def sides(self, location: int, sides: tuple[str, ...]) -> Iterator[tuple[int, str]]:
        """Yield the items between a tile and the locations across its sides, each with its colour."""
        for other, colour in zip(self.neighbours[location], sides, strict=True):
            if other > location:
                yield self.items[location, other], colour
            elif other >= 0:
                yield self.items[other, location], self.mate.get(colour, colour)

    def add(self, items: array[int], colours: array[int], first: int, entries: Iterable[tuple[int, str]]) -> None:
        """Add coloured items to an option; they count from ``first``, and "" means no colour."""
        colours.extend([0] * (len(items) - len(colours)))
        for item, name in entries:
            items.append(first + item)
            colours.append(self.number[name] if name else 0)


class _Prices:
    """The costs of placements and of empty locations, indexed; ``empty`` has the sums for locations that stay empty."""

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
        self.empty = {location: value for location, value in self.empty.items() if value}

    def _add(self, cost: Cost[int]) -> None:
        """Add a cost to the index that it belongs to."""
        value, name = cost.value, cost.name
        if cost.payer.is_meeting:
            return  # options of rules pay for them
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
        elif cost.where == "per":
            prices = self._on.setdefault(name, {})
            for location in cost.region:
                prices[location] = prices.get(location, 0) + value
        else:
            self._others.setdefault(name, []).append((cost, frozenset(cost.region)))

    def of_placement(self, piece: int, index: int) -> int:
        """Return the cost of a placement."""
        fitting = self.fitting
        row, total = fitting.pieces[piece].placements.row(index), 0
        for name in {"", fitting.piece_name(piece)}:
            total += self._each.get(name, 0)
            prices = self._on.get(name)
            if prices:
                total += sum([prices.get(location, 0) for location in row])
            for cost, region in self._others.get(name, ()):
                total += cost.value * _is_related(row, cost.where, region)
        if self._colours or self._coloured:
            for location, colour in zip(row, fitting.shown_colours(piece, index), strict=True):
                if colour is not None:
                    total += self._colours.get(colour, 0) + self._coloured.get((colour, location), 0)
        return total


def _is_related(locations: Collection[int], relation: str, region: frozenset[int]) -> bool:
    """Return whether the locations of a placement are ``inside``, ``on``, ``off`` or ``at`` a region."""
    if relation == "inside":
        return region.issuperset(locations)
    if relation == "at":
        return region == set(locations)
    return region.isdisjoint(locations) is (relation == "off")


def _costs_of(prices: _Prices, rules: RuleItems | None, options: Iterable[tuple[int, int]]) -> array[int]:
    """Return the cost of each option, given as its piece and index in an encoding; raise PuzzleError if too large."""
    costs = list(_option_costs(prices, rules, options))
    if sum(map(abs, costs)) > MAX_TOTAL_COST:
        first = next((cost.span for cost in prices.fitting.costs if cost.span), None)
        raise fail(
            "PZ717",
            "costs do not fit into 64 bits",
            first,
            note=f"the absolute costs of all options may have the sum {MAX_TOTAL_COST} at most",
            file=prices.fitting.title,
        )
    return array("q", costs)


def _option_costs(prices: _Prices, rules: RuleItems | None, options: Iterable[tuple[int, int]]) -> Iterator[int]:
    for piece, index in options:
        if piece == RULE:
            yield rules.cost(rules.options[index]) if rules else 0
        else:
            yield prices.of_placement(piece, index) if piece >= 0 else prices.empty.get(index, 0)
