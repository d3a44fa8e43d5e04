"""From a fitting to an exact cover, and from its covers back to the pieces."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from operator import lt

from puzzlec.engine.problem import ExactCover
from puzzlec.ir import Fitting, Placement, Solution
from puzzlec.lower.region_rules import RuleItems, rule_items

#: If placements cover more locations in all, their options are made in numpy.
MANY = 500_000


#: The piece of an option of a region rule, which places nothing.
RULE = -2

#: Ways through a point, each as its two locations, the lesser first: they identify a crossing.
Ways = frozenset[tuple[int, int]]


def ways_of(pairs: Iterable[tuple[int, int]]) -> Ways:
    """Return the ways of a crossing, whatever the order of them and of their locations."""
    return frozenset((min(pair), max(pair)) for pair in pairs)


@dataclass(frozen=True)
class Encoding:
    """An exact cover with the meaning of its options, which is enough for the way back.

    Option ``o`` is placement ``index[o]`` of piece ``piece[o]`` (arrays of int32). A piece of -1 means that the
    optional location ``index[o]`` stays empty. A piece of -2 means that this is option ``index[o]`` of the ``rules`` on
    regions, which places nothing. ``item_of_piece`` and ``item_of_location`` give their items (-1: none is needed).
    ``item_of_joint`` has the item between two locations, the lesser first, where sides of tiles meet.
    ``item_of_crossing`` has the item of ways through a point that exclude each other. ``first_of_rules`` are the first
    primary and the first secondary item of the region rules.

    ``raised``: the input was an exact cover, so messages name its items and options, not pieces. If pieces and
    locations cannot express it, the fitting is not ``faithful``: it has the options' names and items, but cannot judge
    solutions.
    """

    fitting: Fitting
    cover: ExactCover
    piece: array[int]
    index: array[int]
    item_of_piece: tuple[int, ...]
    item_of_location: tuple[int, ...]
    item_of_joint: dict[tuple[int, int], int] = field(default_factory=dict)
    item_of_crossing: dict[Ways, int] = field(default_factory=dict)
    rules: RuleItems | None = None
    first_of_rules: tuple[int, int] = (0, 0)
    faithful: bool = True
    raised: bool = field(default=False, compare=False)

    def rule_options(self, placements: Iterable[Placement]) -> Iterator[tuple[int, int]]:
        """Yield the options of region rules that placements determine: each as :data:`RULE` and its number."""
        if self.rules is None:
            return
        shown: list[str | None] = [None] * self.fitting.locations
        for each in placements:
            colours = self.fitting.pieces[each.piece].colours
            for location, colour in zip(each.locations, colours[each.index] if colours else (), strict=False):
                shown[location] = colour
        for option in self.rules.chosen(shown):
            yield RULE, self.rules.number.get(option, -1)

    def lift(self, options: Iterable[int]) -> Solution:
        """Return the solution of a cover, its placements in the order of the pieces."""
        chosen = sorted((self.piece[option], self.index[option]) for option in options)
        return Solution(
            self.fitting,
            tuple(
                Placement(piece, index, self.fitting.pieces[piece].placements.row(index))
                for piece, index in chosen
                if piece >= 0
            ),
        )


def encode(fitting: Fitting) -> Encoding:
    """Return the exact cover of a fitting.

    There is an item for each piece, with its copies as bounds, and one for each location. An optional location is a
    secondary item. If the number of empty locations is limited, it is a primary item instead, with an additional option
    that leaves it empty and counts under the item ``empty``. A piece with any number of copies needs no item. Numbered
    pieces come first, then locations.

    Where sides of tiles meet, the place between two locations is a secondary item. An option colours it with the colour
    of its side, seen from the lesser location; from the other location, with the mate of that colour. A crossing is a
    secondary item of each option that takes one of its ways through a point. :mod:`puzzlec.lower.region_rules` has the
    items of region rules.
    """
    rules = rule_items(fitting)
    observed = rules.shown if rules else {}
    low, high = array("i"), array("i")
    names: list[str] = []
    piece_items: list[int] = []
    counted = fitting.empty is not None and (bool(fitting.optional) or fitting.empty[0] > 0)
    for number, piece in enumerate(fitting.pieces):
        # An item is unnecessary if it demands nothing and each option keeps another primary item.
        unbounded = (
            piece.low == 0
            and piece.high >= len(piece.placements)
            and (counted or not fitting.optional or not any(map(fitting.optional.issuperset, piece.placements)))
            and all(map(lt, piece.placements.starts, islice(piece.placements.starts, 1, None)))
        )
        piece_items.append(-1 if unbounded else len(names))
        if not unbounded:
            names.append(fitting.piece_name(number))
            low.append(piece.low)
            high.append(piece.high)
    location_items = [-1] * fitting.locations
    secondary: list[int] = []
    for location in range(fitting.locations):
        if location in fitting.optional and not counted and location not in observed:
            secondary.append(location)
            continue
        location_items[location] = len(names)
        names.append(fitting.location_name(location))
        low.append(1)
        high.append(1)
    empty_item = len(names)
    if counted and fitting.empty is not None:
        names.append("empty")
        low.append(fitting.empty[0])
        high.append(fitting.empty[1])
    first_rule = len(names)
    if rules:
        names.extend(rules.primary)
        for bounds in (low, high):
            bounds.extend([1] * len(rules.primary))
    primary = len(names)
    for location in secondary:
        location_items[location] = len(names)
        names.append(fitting.location_name(location))
    joints: dict[tuple[int, int], int] = {}
    for location, others in enumerate(fitting.beyond):
        for other in others:
            if other > location and (location, other) not in joints:
                joints[location, other] = len(names)
                names.append(f"{fitting.location_name(location)}|{fitting.location_name(other)}")
    crossings: dict[Ways, int] = {}
    through: dict[int, list[tuple[int, int]]] = {}  # for a location: the other ends of its ways, with the item between
    met: dict[str, int] = {}
    for pairs in fitting.crossings:
        item = crossings[ways_of(pairs)] = len(names)
        around = dict.fromkeys(sorted(location for pair in pairs for location in pair))
        name = "+".join(map(fitting.location_name, around))
        met[name] = met.get(name, 0) + 1
        names.append(name if met[name] == 1 else f"{name}~{met[name]}")
        for one, two in pairs:
            through.setdefault(one, []).append((two, item))
    first_shown = len(names)
    names.extend(rules.secondary if rules else ())
    paint = _Paint(fitting, joints, rules)
    pieces, indices = array("i"), array("i")
    starts, items, colours = array("i", [0]), array("i"), array("i")
    simple = not through and not fitting.beyond and not rules
    many = simple and sum(len(piece.placements.locations) for piece in fitting.pieces) > MANY
    if many:
        from puzzlec.lower.placing_numpy import options

        placements = [piece.placements for piece in fitting.pieces]
        starts, items, pieces, indices = options(placements, piece_items, location_items)
    for number, piece in enumerate(fitting.pieces if not many else ()):
        own = [piece_items[number]] if piece_items[number] >= 0 else []
        for index, placement in enumerate(piece.placements):
            items.extend(own)
            items.extend([location_items[location] for location in placement])
            if through:
                items.extend(
                    dict.fromkeys(i for one in placement for two, i in through.get(one, ()) if two in placement)
                )
            if piece.sides:
                colours.extend([0] * (len(items) - len(colours)))
                for item, colour in paint.joints(placement[0], piece.sides[index]):
                    items.append(item)
                    colours.append(colour)
            if rules:
                paint.add(items, colours, first_shown, rules.entries(placement, piece.colours[index]))
            starts.append(len(items))
            pieces.append(number)
            indices.append(index)
    for location in sorted(fitting.optional if counted else fitting.optional & observed.keys()):
        items.extend([empty_item] if counted else [])
        items.append(location_items[location])
        if rules and location in observed:
            paint.add(items, colours, first_shown, rules.entries((location,), (None,)))
        starts.append(len(items))
        pieces.append(-1)
        indices.append(location)
    for index, option in enumerate(rules.options if rules else ()):
        assert rules is not None
        items.append(first_rule + rules.primary_item(option))
        paint.add(items, colours, first_shown, rules.rule_entries(option))
        starts.append(len(items))
        pieces.append(RULE)
        indices.append(index)
    colours.frombytes(bytes(4 * (len(items) - len(colours))))
    cover = ExactCover(
        primary, low, high, len(names) - primary, starts, items, colours, tuple(names), colour_names=paint.names
    )
    return Encoding(
        fitting,
        cover,
        pieces,
        indices,
        tuple(piece_items),
        tuple(location_items),
        joints,
        crossings,
        rules,
        (first_rule, first_shown),
    )


class _Paint:
    """Colours of sides and of region rules, as the numbers in the exact cover."""

    def __init__(self, fitting: Fitting, items: dict[tuple[int, int], int], rules: RuleItems | None) -> None:
        self.beyond, self.items, self.mate = fitting.beyond, items, dict(fitting.mates)
        shown = {colour for piece in fitting.pieces for sides in piece.sides for colour in sides}
        ruled = rules.colours() if rules else set()
        self.names = tuple(sorted(shown | self.mate.keys() | ruled))
        self.number = {colour: index for index, colour in enumerate(self.names, 1)}

    def joints(self, location: int, sides: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """Yield the items between a tile and the locations across its sides, each with its colour."""
        for other, colour in zip(self.beyond[location], sides, strict=True):
            if other > location:
                yield self.items[location, other], self.number[colour]
            elif other >= 0:
                yield self.items[other, location], self.number[self.mate.get(colour, colour)]

    def add(self, items: array[int], colours: array[int], first: int, entries: Iterable[tuple[int, str]]) -> None:
        """Add items of region rules to an option; ``first`` is the first item, and "" means no colour."""
        colours.extend([0] * (len(items) - len(colours)))
        for item, name in entries:
            items.append(first + item)
            colours.append(self.number[name] if name else 0)
