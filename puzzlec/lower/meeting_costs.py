"""Costs of crossroads and of faults, as items and options of an exact cover.

Each line and each point with such a cost has a primary item, and options that place nothing. One of them pays. The
placements of a solution determine which options it has.

- A *line*: its item has the placements that cross it, and one option, the fault. A secondary item keeps them apart.
- A *point*: each placement covers a group of the locations around it. If a group leaves at most two other locations,
  there is no crossroads, so its placement covers the item. Any other way to cover the locations by groups is an option.
  Each location has a secondary item whose colour is its group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from puzzlec.diagnostics.error import fail
from puzzlec.ir import ANY, Cost, Fitting, Payer
from puzzlec.ir.rules import MAX_WITHOUT_CROSSROADS

#: Maximum number of options for one point.
MAX_WAYS_AT_A_POINT = 10_000

#: The locations at a point that one placement covers, in ascending order.
Group: TypeAlias = tuple[int, ...]

#: The location of the secondary item of a line.
_LINE = -1


class Encounter(NamedTuple):
    """An option of a cost of crossroads or faults: its place, and the groups of locations at a point."""

    place: int
    groups: tuple[Group, ...]

    def moved(self, places: Sequence[int], to: Sequence[int]) -> Encounter:
        """Return the image under a movement of the places and of the locations."""
        return Encounter(
            places[self.place], tuple(sorted(tuple(sorted([to[at] for at in group])) for group in self.groups))
        )


class MeetingCosts(NamedTuple):
    """The items and options of costs of crossroads and faults.

    ``costs`` has those of all points and lines by what they are about, and ``places`` those that may be paid.
    ``primary`` has the item of each place, ``secondary`` the items by the place and the location, and ``at`` those of a
    location. ``groups`` has the places of a placement, by the numbers of the piece and the placement, with its group
    there. The ``optional`` locations may stay empty.
    """

    costs: dict[object, Cost[int]]
    places: tuple[Cost[int], ...]
    primary: tuple[int, ...]
    secondary: dict[tuple[int, int], int]
    at: dict[int, list[int]]
    options: tuple[Encounter, ...]
    groups: dict[tuple[int, int], list[tuple[int, Group]]]
    optional: frozenset[int]

    def proofs(self, piece: int, index: int) -> Iterator[int]:
        """Yield the primary items of the places where a placement proves that nothing is paid."""
        for place, group in self.groups.get((piece, index), ()):
            if _is_proof(self.places[place], group):
                yield self.primary[place]

    def entries(self, piece: int, index: int) -> Iterator[tuple[int, str]]:
        """Yield the secondary items of a placement, each with the name of its colour.

        A location alone needs no colour if each other group at the point is a proof, and the location is never empty.
        """
        for place, group in self.groups.get((piece, index), ()):
            cost = self.places[place]
            if (
                cost.payer is Payer.FAULTS
                or group[0] in self.optional
                or not (_is_proof(cost, (0, 0)) and len(group) < 2)
            ):
                for location in group:
                    yield self.secondary[place, location], group_name(group)

    def empty_entries(self, location: int) -> Iterator[tuple[int, str]]:
        """Yield the secondary items of a location that stays empty."""
        for item in self.at.get(location, ()):
            yield item, group_name(())

    def option_entries(self, option: Encounter) -> Iterator[tuple[int, str]]:
        """Yield the secondary items of an option."""
        place, groups = option
        if self.places[place].payer is Payer.FAULTS:
            yield self.secondary[place, _LINE], group_name(())
            return
        empty = tuple(set(self.places[place].region).difference(*groups))
        for colour, group in [*((group_name(group), group) for group in groups), (group_name(()), empty)]:
            for location in group:
                yield self.secondary[place, location], colour

    def colours(self) -> set[str]:
        """Return the names of the colours of all secondary items."""
        groups = {group for at_places in self.groups.values() for _, group in at_places}
        return set(map(group_name, groups)) | {group_name(())} if self.places else set()

    def value(self, option: Encounter) -> int:
        """Return the cost of an option."""
        cost = self.places[option.place]
        is_broken = cost.payer is Payer.FAULTS or len(option.groups) > MAX_WITHOUT_CROSSROADS
        return cost.value if is_broken else 0

    def chosen(self, owners: Sequence[int]) -> Iterator[Encounter]:
        """Yield the options that belong to a solution; ``owners`` are the numbers of the pieces that lie somewhere.

        They begin with 0, and an empty location has -1.
        """
        for place, cost in enumerate(self.places):
            groups: dict[int, Group] = {}
            for location in cost.region:
                if owners[location] >= 0:
                    groups[owners[location]] = (*groups.get(owners[location], ()), location)
            if cost.payer is Payer.FAULTS:
                region = set(cost.region)
                if groups.keys().isdisjoint(owner for at, owner in enumerate(owners) if at not in region):
                    yield Encounter(place, ())
            elif not any(_is_proof(cost, group) for group in groups.values()):
                yield Encounter(place, tuple(sorted(groups.values())))

    def moved(self, to: Sequence[int]) -> list[int] | None:
        """Return the image of each place under a movement of the locations; None if it does not keep the costs."""
        if {_key(cost, to): cost.value for cost in self.costs.values()} != {
            key: cost.value for key, cost in self.costs.items()
        }:
            return None
        number = {_key(cost, range(len(to))): place for place, cost in enumerate(self.places)}
        return [number[_key(cost, to)] for cost in self.places]

    def carry(self, places: Sequence[int], to: Sequence[int], primary: list[int], secondary: list[int]) -> None:
        """Enter the images of the items; ``places`` are those of the places."""
        for place, target in enumerate(places):
            primary[self.primary[place]] = self.primary[target]
        for (place, location), item in self.secondary.items():
            secondary[item] = self.secondary[places[place], location if location == _LINE else to[location]]

    def text(self, option: Encounter, name: Callable[[int], str]) -> str:
        """Return the meaning of an option."""
        cost = self.places[option.place]
        if cost.payer is Payer.FAULTS:
            return f"fault at line {option.place + 1}"
        groups = " ".join("+".join(map(name, group)) for group in option.groups)
        return f"{'crossroads' if self.value(option) else 'no crossroads'} of {groups or 'nothing'}"


def meeting_costs(
    fitting: Fitting, add: Callable[[str, tuple[int, int]], int], add_secondary: Callable[[str], int]
) -> MeetingCosts:
    """Return the items and options of costs of crossroads and faults; ``add`` numbers an item."""
    costs = _sums(fitting)
    places: list[Cost[int]] = []
    primary: list[int] = []
    secondary: dict[tuple[int, int], int] = {}
    options: list[Encounter] = []
    at: dict[int, list[int]] = {}
    groups: dict[tuple[int, int], list[tuple[int, Group]]] = {}
    for cost, meetings in _meetings(fitting, list(costs.values())):
        ways = _ways_to_meet(fitting, cost, {group for _, group in meetings})
        if cost.payer is Payer.CROSSROADS and all(len(way) <= MAX_WITHOUT_CROSSROADS for way in ways):
            continue
        place, name = len(places), f"{cost.payer.value} {len(places) + 1}"
        places.append(cost)
        primary.append(add(name, (1, ANY)))
        for location in cost.region if cost.payer is Payer.CROSSROADS else (_LINE,):
            where = "crossed" if location == _LINE else fitting.location_name(location)
            secondary[place, location] = add_secondary(f"{name} {where}")
            at.setdefault(location, []).append(secondary[place, location])
        options += [Encounter(place, way) for way in ways]
        for placement, group in meetings:
            groups.setdefault(placement, []).append((place, group))
    return MeetingCosts(costs, tuple(places), tuple(primary), secondary, at, tuple(options), groups, fitting.optional)


def group_name(group: Group) -> str:
    """Return the name of the colour of a group; of an empty one for empty locations, and for a fault."""
    return f"group {'+'.join(map(str, group))}" if group else "no group"


def _is_proof(cost: Cost[int], group: Group) -> bool:
    """Return whether a placement that covers these locations proves that a cost is not paid."""
    return cost.payer is Payer.FAULTS or len(group) >= len(cost.region) - MAX_WITHOUT_CROSSROADS + 1


def _key(cost: Cost[int], to: Sequence[int]) -> object:
    """Return what a cost is about, after a movement of the locations: a line has two sides."""
    region = frozenset([to[at] for at in cost.region])
    return cost.payer, frozenset((region, frozenset(to) - region)) if cost.payer is Payer.FAULTS else region


def _sums(fitting: Fitting) -> dict[object, Cost[int]]:
    """Return the sum of the costs of each point and line, unless it is 0."""
    sums: dict[object, Cost[int]] = {}
    for cost in fitting.costs:
        if cost.payer.is_meeting:
            key = _key(cost, range(fitting.locations))
            value = cost.value + (sums[key].value if key in sums else 0)
            sums[key] = Cost(value, cost.payer, "", "at", tuple(sorted(cost.region)), cost.span)
    return {key: cost for key, cost in sums.items() if cost.value}


def _meetings(
    fitting: Fitting, costs: Sequence[Cost[int]]
) -> Iterator[tuple[Cost[int], list[tuple[tuple[int, int], Group]]]]:
    """Yield each point and line with its cost, and the placements that meet it: with their group, or across a line."""
    at: dict[int, list[int]] = {}
    for number, cost in enumerate(costs):
        for location in cost.region:
            at.setdefault(location, []).append(number)
    meetings: list[list[tuple[tuple[int, int], Group]]] = [[] for _ in costs]
    for number, piece in enumerate(fitting.pieces):
        for index, placement in enumerate(piece.placements):
            groups: dict[int, Group] = {}
            for location in sorted(placement):
                for place in at.get(location, ()):
                    groups[place] = (*groups.get(place, ()), location)
            for place, group in groups.items():
                if costs[place].payer is Payer.CROSSROADS:
                    meetings[place].append(((number, index), group))
                elif len(group) < len(placement):
                    meetings[place].append(((number, index), (_LINE,)))
    return zip(costs, meetings, strict=True)


def _ways_to_meet(fitting: Fitting, cost: Cost[int], groups: set[Group]) -> list[tuple[Group, ...]]:
    """Return the ways to cover the locations at a point by groups that prove nothing; of a line, only the fault."""
    if cost.payer is Payer.FAULTS:
        return [()]
    first: dict[int, list[Group]] = {}
    for group in sorted(groups):
        if not _is_proof(cost, group):
            first.setdefault(group[0], []).append(group)
    ways = list(islice(_ways(cost.region, first, fitting.optional), MAX_WAYS_AT_A_POINT + 1))
    if len(ways) > MAX_WAYS_AT_A_POINT:
        raise fail(
            "PZ373",
            "too many ways in which pieces can meet at a point",
            cost.span,
            note=f"at most {MAX_WAYS_AT_A_POINT:,} ways are allowed",
            file=fitting.title,
        )
    return ways


def _ways(left: Group, first: Mapping[int, Sequence[Group]], optional: frozenset[int]) -> Iterator[tuple[Group, ...]]:
    """Yield the ways to cover locations by groups, each given with its first location; optional ones may stay empty."""
    if not left:
        yield ()
        return
    for group in first.get(left[0], ()):
        rest = tuple([location for location in left if location not in group])
        if len(rest) + len(group) == len(left):
            for way in _ways(rest, first, optional):
                yield group, *way
    if left[0] in optional:
        yield from _ways(left[1:], first, optional)
