"""Region rules, such as a sum of the numbers that pieces show there, as items and options of an exact cover.

A placement shows a colour on each of its locations, which may be a number. *All equal* is a secondary item of
the region whose colour is the shown colour. *All different* is a secondary item for each colour. If the region has
as many locations as colours, each colour occurs once, so its item is primary. A *count* of pieces is an item of all
placements that cover a location of the region, with the bounds of the rule: a secondary one for *at most 1*.
:mod:`puzzlec.lower.implied` finds the items that follow from these. A *sum* over several locations needs additional
options, which place nothing:

- Each location of such a region has a secondary item whose colour is the colour shown there.
- If few combinations have an allowed sum, the region has a primary item with an option for each combination.
- Otherwise the sum is added up along the region. Each location has a primary item. Between two locations a
  secondary item has the sum so far as its colour. All sums beyond an open bound are one colour.

The placements of a solution determine these options, so covers and solutions correspond one to one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

from puzzlec.diagnostics import Report, counted
from puzzlec.ir import ANY, Condition, Fitting, RegionRule
from puzzlec.ir.fitting import FittingPiece, with_placements
from puzzlec.ir.puzzle import number_of
from puzzlec.lower.implied import Implied, implied
from puzzlec.lower.meeting_costs import Encounter, MeetingCosts, meeting_costs
from puzzlec.lower.movements import GroupTooLargeError

#: The colour that a location shows, or "" if it stays empty.
Shown: TypeAlias = str | None

#: More combinations are not listed: the sum is added up along the region instead.
MOST_COMBINATIONS = 10_000

#: The name of the colour of an empty location.
EMPTY = "empty"


class SumStep(NamedTuple):
    """An option of a rule that is added up: the number of locations so far, their sum, and the next colour."""

    rule: int
    place: int
    before: int
    shown: Shown


class Combination(NamedTuple):
    """An option of a rule with listed combinations: the colour of each location of the region."""

    rule: int
    shown: tuple[Shown, ...]


class PieceContact(NamedTuple):
    """An option of a rule that two pieces touch: the numbers of their placements."""

    rule: int
    one: int
    two: int


#: The meaning of an option of a rule.
RuleOption: TypeAlias = SumStep | Combination | PieceContact | Encounter


def joined(rules: Iterable[RegionRule[int]]) -> tuple[RegionRule[int], ...]:
    """Return rules without repetitions; bounds of one sum or number become one rule, unless they contradict."""
    rule_of: dict[tuple[object, ...], RegionRule[int]] = {}
    apart = []
    for rule in rules:
        # The pieces of a group have no order; those of a symmetry are a map.
        group: object = rule.pieces if rule.kind is Condition.SYMMETRIC else frozenset(rule.pieces)
        key = rule.kind, rule.region, rule.piece, group, rule.pairs
        old = rule_of.setdefault(key, rule)
        low, high = max(old.low, rule.low), min(old.high, rule.high)
        if low <= high:
            written = next((one.written for one in (old, rule) if (one.low, one.high) == (low, high)), "")
            rule_of[key] = replace(old, low=low, high=high, written=written)
        else:
            apart.append(rule)
    return (*rule_of.values(), *apart)


def obeying(fitting: Fitting, report: Report) -> Fitting:
    """Return a fitting without the placements that break a region rule.

    A placement also breaks a rule if no others can complete it. Placements without the numbers or colours that a rule
    needs are errors in the report.
    """
    _refuse_unnumbered(fitting, report)
    fitting = _without_forbidden(fitting)
    domains = Domains(fitting)
    if not report.errors:
        _refuse_broken(fitting, domains, report)
    while not report.errors:
        pieces = tuple([_kept(piece, domains) for piece in _without_lopsided(fitting).pieces])
        if all(len(new.placements) == len(old.placements) for new, old in zip(pieces, fitting.pieces, strict=True)):
            break
        fitting = replace(fitting, pieces=pieces)
        domains = Domains(fitting)
    return fitting


def _without_forbidden(fitting: Fitting) -> Fitting:
    """Return a fitting without the placements on a region that must have none of these pieces."""
    rules = [rule for rule in fitting.region_rules if rule.kind is Condition.COUNT and rule.high == 0]
    if not rules:
        return fitting
    pieces = []
    for number, piece in enumerate(fitting.pieces):
        off = {at for rule in rules if rule.piece in ("", fitting.piece_name(number)) for at in rule.region}
        kept = [index for index, placement in enumerate(piece.placements) if off.isdisjoint(placement)]
        pieces.append(piece if len(kept) == len(piece.placements) else with_placements(piece, kept))
    return replace(fitting, pieces=tuple(pieces))


def counted_placements(fitting: Fitting) -> dict[int, dict[int, list[int]]]:
    """Return for each rule that counts pieces their placements on its region, as lists by the number of the piece."""
    counts = [index for index, rule in enumerate(fitting.region_rules) if rule.kind.counts_pieces]
    places_of: dict[int, dict[int, list[int]]] = {index: {} for index in counts}
    regions = {index: frozenset(fitting.region_rules[index].region) for index in counts}
    on_region = {index for index in counts if fitting.region_rules[index].kind is Condition.COUNT}
    for number, piece in enumerate(fitting.pieces if counts else ()):
        at: dict[int, list[int]] = {}
        for index in counts:
            if fitting.region_rules[index].is_about(fitting.piece_name(number)):
                for location in fitting.region_rules[index].region:
                    at.setdefault(location, []).append(index)
        for place, placement in enumerate(piece.placements):
            for index in set().union(*[at[location] for location in placement if location in at]):
                if index in on_region or fitting.region_rules[index].kind.counts(placement, regions[index]):
                    places_of[index].setdefault(number, []).append(place)
    return places_of


def _without_lopsided(fitting: Fitting) -> Fitting:
    """Return a fitting without the placements that overlap their image under a symmetry, or lack a possible one."""
    for rule in fitting.region_rules:
        if rule.kind is Condition.SYMMETRIC:
            orbits = _orbits(fitting, rule)
            pieces = []
            for number, piece in enumerate(fitting.pieces):
                kept = [index for index in range(len(piece.placements)) if (number, index) in orbits]
                pieces.append(piece if len(kept) == len(piece.placements) else with_placements(piece, kept))
            fitting = replace(fitting, pieces=tuple(pieces))
    return fitting


def _orbits(fitting: Fitting, rule: RegionRule[int]) -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
    """Return the images of each placement under a symmetry, as numbers of pieces and of placements.

    A placement is left out if one of its images is no placement, or overlaps it, or if they are too many copies.
    """
    image = PlacementImages(fitting, dict(rule.pairs), dict(zip(rule.pieces[::2], rule.pieces[1::2], strict=True)))
    orbits: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
    for number, piece in enumerate(fitting.pieces):
        for index in range(len(piece.placements)):
            orbit = [(number, index)]
            while (after := image(*orbit[-1])) != orbit[0]:
                if after is None or after in orbit:
                    break
                orbit.append(after)
            else:
                covered = [at for other, place in orbit for at in fitting.pieces[other].placements.row(place)]
                copies = Counter(other for other, _ in orbit)
                if len(set(covered)) == len(covered) and all(
                    times <= fitting.pieces[other].high for other, times in copies.items()
                ):
                    orbits[number, index] = tuple(sorted(orbit))
    return orbits


class PlacementImages:
    """The images of placements under a movement of the locations, which takes some pieces to other ones by name."""

    def __init__(self, fitting: Fitting, to: Mapping[int, int] | Sequence[int], pieces: Mapping[str, str]) -> None:
        self.fitting, self.to = fitting, to
        names = [fitting.piece_name(number) for number in range(len(fitting.pieces))]
        number = {name: index for index, name in enumerate(names)}
        self.pieces = [number[pieces.get(name, name)] for name in names]
        self.index = [
            {frozenset(zip(row, colours, strict=True)): index for index, (row, colours) in enumerate(_rows(piece))}
            for piece in fitting.pieces
        ]

    def __call__(self, piece: int, index: int) -> tuple[int, int] | None:
        """Return the piece and the placement at the image; None if there is none."""
        fitted, target = self.fitting.pieces[piece], self.pieces[piece]
        row = fitted.placements.row(index)
        colours = fitted.colours[index] if fitted.colours else (None,) * len(row)
        there = self.index[target].get(
            frozenset((self.to[at], colour) for at, colour in zip(row, colours, strict=True))
        )
        return None if there is None else (target, there)


def _rows(piece: FittingPiece) -> Iterator[tuple[tuple[int, ...], Sequence[Shown]]]:
    return zip(piece.placements, piece.shown, strict=True)


def _refuse_miscounted(fitting: Fitting, report: Report) -> None:
    """Report rules whose number of pieces is impossible, even without other conditions."""
    for index, on in counted_placements(fitting).items():
        rule = fitting.region_rules[index]
        most = sum(min(fitting.pieces[number].high, len(places)) for number, places in on.items())
        least = sum(
            fitting.pieces[number].low
            for number, places in on.items()
            if len(places) == len(fitting.pieces[number].placements)
        )
        if most < rule.low:
            _refuse(fitting, rule, f"at most {counted(most, 'piece')} can reach it", report)
        elif least > rule.high:
            _refuse(fitting, rule, f"at least {counted(least, 'piece')} must lie on it", report)


def _refuse(fitting: Fitting, rule: RegionRule[int], why: str, report: Report) -> None:
    size = counted(len(rule.region), "location")
    name = rule.name if " " in rule.name else f"region `{rule.name}`" if rule.name else f"a region of {size}"
    report.add("PZ366", f"{name} cannot satisfy `{rule.words}`", rule.span, note=why, file=fitting.title)


def _refuse_broken(fitting: Fitting, domains: Domains, report: Report) -> None:
    """Report rules that no placements can satisfy, even without other conditions."""
    _refuse_miscounted(fitting, report)
    for index, rule in enumerate(fitting.region_rules):
        if not rule.kind.needs_colours:
            continue
        sets = [domains.shown[at] for at in rule.region]
        needed = [group for group in sets if None not in group]
        if not all(sets):
            continue  # a location without placements is reported separately
        low, high = domains.sums(rule) if rule.kind is Condition.SUM else (0, 0)
        colours = set().union(*sets) - {None}
        why = ""
        if rule.kind is Condition.SUM and (high < rule.low or low > rule.high):
            why = f"the pieces that reach it can show a sum of {low} to {high}"
        elif rule.kind is Condition.EQUAL and needed and not domains.common[index]:
            why = "its locations have no common colour"
        elif rule.kind is Condition.DIFFERENT and len(needed) > len(colours):
            why = f"its {counted(len(needed), 'location')} can show only {counted(len(colours), 'colour')}"
        if why:
            _refuse(fitting, rule, why, report)


def _refuse_unnumbered(fitting: Fitting, report: Report) -> None:
    """Report pieces that can show a cell without a number on a region, or without a colour if any colour is allowed."""
    rule_at: dict[int, RegionRule[int]] = {}
    for rule in fitting.region_rules:
        for location in rule.region if rule.kind.needs_colours else ():
            if rule.kind is Condition.SUM or location not in rule_at:
                rule_at[location] = rule
    for number, piece in enumerate(fitting.pieces):
        for placement, colours in zip(piece.placements, piece.shown, strict=True):
            wrong = [
                (location, rule_at[location])
                for location, colour in zip(placement, colours, strict=True)
                if location in rule_at
                and (colour is None or (rule_at[location].kind is Condition.SUM and number_of(colour) is None))
            ]
            if wrong:
                location, rule = wrong[0]
                what = "number" if rule.kind is Condition.SUM else "colour"
                report.add(
                    "PZ365",
                    f"piece `{fitting.piece_name(number)}` has a cell without a {what}",
                    piece.span,
                    others=[(rule.span, f"the cell can cover {fitting.location_name(location)} of this rule")]
                    if rule.span
                    else (),
                    note="if the colour of a cell is a number, it is the number of the cell",
                    help="draw the piece with numbers, such as `{ 36 }`, or keep it away with `place ... off`",
                    file=fitting.title,
                )
                break


class Domains:
    """The possible colours of each location under all placements, as far as rules need them."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting = fitting
        rules = [(index, rule) for index, rule in enumerate(fitting.region_rules) if rule.kind.needs_colours]
        ruled = {location for _, rule in rules for location in rule.region}
        self.shown: dict[int, set[Shown]] = {
            location: {None} if location in fitting.optional else set() for location in ruled
        }
        for piece in fitting.pieces:
            for placement, colours in zip(piece.placements, piece.shown, strict=True):
                for location, colour in zip(placement, colours, strict=True):
                    if location in ruled:
                        self.shown[location].add(colour)
        self.rules_at: dict[int, list[int]] = {}
        for index, rule in rules:
            for location in rule.region:
                self.rules_at.setdefault(location, []).append(index)
        self.common = {index: self._common(rule) for index, rule in rules}
        summed = {location for _, rule in rules if rule.kind is Condition.SUM for location in rule.region}
        self.least = {at: min(map(amount, self.shown[at]), default=0) for at in summed}
        self.most = {at: max(map(amount, self.shown[at]), default=0) for at in summed}
        #: Whether a rule can forbid a placement of one cell: different colours need several.
        self.restrict_cells = any(rule.kind is not Condition.DIFFERENT for _, rule in rules)

    def _common(self, rule: RegionRule[int]) -> set[Shown]:
        """Return the possible common colours of the required locations of a region."""
        sets = [self.shown[location] for location in rule.region]
        needed = [group for group in sets if None not in group]
        return set.intersection(*needed) if needed else set().union(*sets)

    def sums(self, rule: RegionRule[int], but: Mapping[int, Shown] | None = None) -> tuple[int, int]:
        """Return the smallest and largest sum, if some locations show the given colours."""
        fixed = but or {}
        low = sum(amount(fixed[at]) if at in fixed else self.least[at] for at in rule.region)
        return low, sum(amount(fixed[at]) if at in fixed else self.most[at] for at in rule.region)

    def allows(self, colour_at: Mapping[int, Shown]) -> bool:
        """Return whether each rule alone allows the colours of a placement."""
        for index in {index for at in colour_at for index in self.rules_at.get(at, ())}:
            rule = self.fitting.region_rules[index]
            here = [colour_at[at] for at in rule.region if at in colour_at]
            if rule.kind is Condition.SUM:
                low, high = self.sums(rule, colour_at)
                if high < rule.low or low > rule.high:
                    return False
            elif rule.kind is Condition.DIFFERENT:
                if len(set(here)) < len(here):
                    return False
            elif len(set(here)) > 1 or here[0] not in self.common[index]:
                return False
        return True


def amount(colour: Shown) -> int:
    """Return the number that a location adds to a sum: 0 if it stays empty."""
    return number_of(colour) or 0


def _kept(piece: FittingPiece, domains: Domains) -> FittingPiece:
    """Return a piece with the placements that all rules allow."""
    if not domains.restrict_cells and len(piece.placements.locations) == len(piece.placements):
        return piece
    kept = [
        index
        for index, (placement, colours) in enumerate(zip(piece.placements, piece.shown, strict=True))
        if domains.allows(dict(zip(placement, colours, strict=True)))
    ]
    return piece if len(kept) == len(piece.placements) else with_placements(piece, kept)


class Paired(NamedTuple):
    """The items of rules on pairs of locations.

    ``alike`` has for a rule that the solution is symmetric, and for a location, the secondary item of the location and
    its images. ``ties`` has for each placement the colour of these items: the first of its images. ``contacts`` has for
    a rule that two pieces touch its primary item, and the secondary items of the two pieces.
    """

    alike: dict[tuple[int, int], int]
    ties: dict[int, dict[tuple[int, int], str]]
    contacts: dict[int, tuple[int, int, int]]


class CountedItems(NamedTuple):
    """The items of rules on the number of pieces, on pairs of locations, and of costs of crossroads and faults.

    ``items`` has for each rule whether its item is primary, and its number. ``on`` has for each piece the rules that
    count its placements. ``implied`` are the pieces and the optional locations that need no item.
    """

    items: dict[int, tuple[bool, int]]
    on: dict[int, dict[int, list[int]]]
    implied: Implied
    paired: Paired
    meeting_costs: MeetingCosts


@dataclass(frozen=True)
class RuleItems:
    """The items and options of region rules.

    ``primary`` and ``secondary`` are the names of items, and ``bounds`` those of the primary ones. ``shown``,
    ``equal``, ``different`` and ``sums`` are the numbers of secondary items. Their keys are a location, a rule of equal
    colours, a rule and a colour, and a rule with a position between the locations of its region. ``tables`` are the
    rules with listed combinations, with their primary item. ``chains`` are the rules that are added up, with the
    primary item of the first location. ``each`` has the primary item of a rule and a colour that occurs exactly once.
    ``rules_at`` are the rules of a location on its colours.

    ``counted`` has the items of rules on the number of pieces and on pairs of locations, and of costs of crossroads and
    faults.
    """

    fitting: Fitting
    primary: tuple[str, ...]
    bounds: tuple[tuple[int, int], ...]
    secondary: tuple[str, ...]
    shown: dict[int, int]
    equal: dict[int, int]
    different: dict[tuple[int, Shown], int]
    sums: dict[tuple[int, int], int]
    tables: dict[int, int]
    chains: dict[int, int]
    options: tuple[RuleOption, ...]
    rules_at: dict[int, list[int]]
    each: dict[tuple[int, Shown], int]
    counted: CountedItems

    @property
    def paired(self) -> Paired:
        """The items of rules on pairs of locations."""
        return self.counted.paired

    @property
    def meeting_costs(self) -> MeetingCosts:
        """The items of costs of crossroads and faults."""
        return self.counted.meeting_costs

    @property
    def observed(self) -> set[int]:
        """Locations where the rules need an option if they stay empty."""
        return {*self.shown, *self.meeting_costs.at, *(location for _, location in self.paired.alike)}

    def empty_entries(self, location: int) -> Iterator[tuple[int, str]]:
        """Yield the secondary items of a location that stays empty, each with the name of its colour."""
        if location in self.shown:
            yield from self.entries((location,), (None,))
        for index in self.paired.ties:
            if (index, location) in self.paired.alike:
                yield self.paired.alike[index, location], EMPTY
        yield from self.meeting_costs.empty_entries(location)

    def tied(self, piece: int, index: int, placement: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Yield the secondary items of a placement by which it belongs to its images, or meets others."""
        alike = self.paired.alike
        for rule, ties in self.paired.ties.items():
            colour = ties.get((piece, index), "")
            for item in {alike[rule, at]: None for at in placement if (rule, at) in alike} if colour else ():
                yield item, colour
        for rule, (_, one, two) in self.paired.contacts.items():
            pair = self.fitting.region_rules[rule].pieces
            for name, item in zip(pair, (one, two), strict=True):
                if name == self.fitting.piece_name(piece):
                    yield item, f"placement {index}"
        yield from self.meeting_costs.entries(piece, index)

    @cached_property
    def number(self) -> dict[RuleOption, int]:
        """Number of each option."""
        return {option: index for index, option in enumerate(self.options)}

    def entries(self, placement: Sequence[int], colours: Sequence[Shown]) -> Iterator[tuple[int, str]]:
        """Yield the secondary items of a placement, each with the name of its colour ("": none)."""
        rules: dict[int, None] = {}
        for location, colour in zip(placement, colours, strict=True):
            if location in self.shown:
                yield self.shown[location], _named(colour)
            for index in self.rules_at.get(location, ()):
                if index in self.equal and index not in rules and colour is not None:
                    yield self.equal[index], _named(colour)
                elif (index, colour) in self.different:
                    yield self.different[index, colour], ""
                rules[index] = None

    def each_colour(self, placement: Sequence[int], colours: Sequence[Shown]) -> Iterator[int]:
        """Yield the primary items of the colours of a placement."""
        each, rules_at = self.each, self.rules_at
        for location, colour in zip(placement, colours, strict=True) if each else ():
            for rule in rules_at.get(location, ()):
                if (rule, colour) in each:
                    yield each[rule, colour]

    def counting(self, piece: int, index: int) -> Iterator[tuple[bool, int]]:
        """Yield the items of rules and costs that count a placement, and whether they are primary."""
        items, on, *_ = self.counted
        for rule in on.get(piece, {}).get(index, ()) if items else ():
            if rule in items:
                yield items[rule]
        for item in self.meeting_costs.proofs(piece, index):
            yield True, item

    def rule_entries(self, option: RuleOption) -> Iterator[tuple[int, str]]:
        """Yield the secondary items of an option of a rule."""
        if isinstance(option, Encounter):
            yield from self.meeting_costs.option_entries(option)
            return
        region = self.fitting.region_rules[option.rule].region
        if isinstance(option, PieceContact):
            _, one, two = self.paired.contacts[option.rule]
            yield from ((one, f"placement {option.one}"), (two, f"placement {option.two}"))
            return
        if isinstance(option, Combination):
            yield from ((self.shown[at], _named(colour)) for at, colour in zip(region, option.shown, strict=True))
            return
        yield self.shown[region[option.place]], _named(option.shown)
        if option.place:
            yield self.sums[option.rule, option.place], str(option.before)
        if option.place + 1 < len(region):
            yield self.sums[option.rule, option.place + 1], str(self.after(option))

    def colours(self) -> set[str]:
        """Return the names of the colours that the items of rules can have."""
        names = {name for option in self.options for _, name in self.rule_entries(option)}
        for piece in self.fitting.pieces:
            names.update(_named(colour) for row in piece.shown for colour in row)
        names.update(colour for ties in self.paired.ties.values() for colour in ties.values())
        touching = {name for rule in self.paired.contacts for name in self.fitting.region_rules[rule].pieces}
        for number, piece in enumerate(self.fitting.pieces if touching else ()):
            if self.fitting.piece_name(number) in touching:
                names.update(f"placement {index}" for index in range(len(piece.placements)))
        names |= self.meeting_costs.colours()
        return names | {EMPTY} if self.observed else names

    def primary_item(self, option: RuleOption) -> int:
        """Return the primary item of an option of a rule."""
        if isinstance(option, Encounter):
            return self.meeting_costs.primary[option.place]
        if isinstance(option, PieceContact):
            return self.paired.contacts[option.rule][0]
        return self.tables[option.rule] if isinstance(option, Combination) else self.chains[option.rule] + option.place

    def after(self, step: SumStep) -> int:
        """Return the sum after a step."""
        return _sum(self.fitting.region_rules[step.rule], step.before, step.shown)

    def cost(self, option: RuleOption) -> int:
        """Return the cost of an option of a rule."""
        return self.meeting_costs.value(option) if isinstance(option, Encounter) else 0

    def chosen(
        self, colour_at: Sequence[Shown], placements: Mapping[str, int], owners: Sequence[int]
    ) -> Iterator[RuleOption]:
        """Yield the options that belong to a solution.

        Args:
            colour_at: The colours of all locations.
            placements: The number of the placement of each piece by name.
            owners: A number for each location, the same for locations of one placement, and -1 if it is empty.

        """
        yield from self.meeting_costs.chosen(owners)
        for index, rule in enumerate(self.fitting.region_rules):
            if index in self.paired.contacts:
                one, two = (placements.get(name, -1) for name in rule.pieces)
                yield PieceContact(index, one, two)
            elif index in self.tables:
                yield Combination(index, tuple([colour_at[at] for at in rule.region]))
            elif index in self.chains:
                total = 0
                for place, at in enumerate(rule.region):
                    step = SumStep(index, place, total, colour_at[at])
                    total = self.after(step)
                    yield step


def rule_items(fitting: Fitting) -> RuleItems:
    """Return the items and options of the region rules."""
    return _RuleNumbering(fitting).made()


class _RuleNumbering:
    """Numbers the items of rules, one rule after another."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting, self.domains = fitting, Domains(fitting)
        self.primary: list[str] = []
        self.secondary: list[str] = []
        self.tables: dict[int, int] = {}
        self.chains: dict[int, int] = {}
        self.sums: dict[tuple[int, int], int] = {}
        self.equal: dict[int, int] = {}
        self.different: dict[tuple[int, Shown], int] = {}
        self.options: list[RuleOption] = []
        self.bounds: list[tuple[int, int]] = []
        self.each: dict[tuple[int, Shown], int] = {}
        self.counts: dict[int, tuple[bool, int]] = {}
        self.paired = Paired({}, {}, {})

    def _add(self, name: str, bounds: tuple[int, int] = (1, 1)) -> int:
        """Add a primary item and return its number."""
        self.primary.append(name)
        self.bounds.append(bounds)
        return len(self.primary) - 1

    def _add_secondary(self, name: str) -> int:
        self.secondary.append(name)
        return len(self.secondary) - 1

    def made(self) -> RuleItems:
        rules = self.fitting.region_rules
        members = counted_placements(self.fitting)
        exact = {index for index, rule in enumerate(rules) if self._is_exact(rule)}
        implications = implied(self.fitting, members, exact)
        for index, rule in enumerate(rules):
            name = f"rule {rule_name(self.fitting, index)}"
            if rule.kind is Condition.SUM:
                low, high = self.domains.sums(rule)
                if low < rule.low or high > rule.high:
                    self._sum(index, rule, name)
            elif rule.kind is Condition.EQUAL and len(rule.region) > 1:
                self.equal[index] = self._add_secondary(name)
            elif rule.kind is Condition.DIFFERENT:
                self._different(index, rule, name)
            elif rule.kind is Condition.SYMMETRIC:
                self._symmetric(index, rule, name)
            elif rule.kind is Condition.TOUCHING:
                self._touching(index, rule, name)
            elif index in implications.bounds:
                low, high = implications.bounds[index]
                at_most_once = (low, high) == (0, 1)
                item = self._add_secondary(name) if at_most_once else self._add(name, (low, high))
                self.counts[index] = not at_most_once, item
        costs = meeting_costs(self.fitting, self._add, self._add_secondary)
        self.options += costs.options
        items_shown: dict[int, int] = {}
        for location in sorted({at for index in (*self.tables, *self.chains) for at in rules[index].region}):
            items_shown[location] = self._add_secondary(f"shown {self.fitting.location_name(location)}")
        return RuleItems(
            fitting=self.fitting,
            primary=tuple(self.primary),
            bounds=tuple(self.bounds),
            secondary=tuple(self.secondary),
            shown=items_shown,
            equal=self.equal,
            different=self.different,
            sums=self.sums,
            tables=self.tables,
            chains=self.chains,
            options=tuple(self.options),
            rules_at=self.domains.rules_at,
            each=self.each,
            counted=CountedItems(self.counts, _by_placement(members), implications, self.paired, costs),
        )

    def _symmetric(self, index: int, rule: RegionRule[int], name: str) -> None:
        """Add an item for each location and its images, whose colour is that of a placement and its images."""
        to = dict(rule.pairs)
        for location in sorted(to):
            if to[location] != location and (index, location) not in self.paired.alike:
                item = self._add_secondary(f"{name} {self.fitting.location_name(location)}")
                at = location
                while (index, at) not in self.paired.alike:
                    self.paired.alike[index, at] = item
                    at = to[at]
        self.paired.ties[index] = {
            one: f"image {self.fitting.piece_name(orbit[0][0])} {orbit[0][1]}"
            for one, orbit in _orbits(self.fitting, rule).items()
            if len(orbit) > 1
        }

    def _touching(self, index: int, rule: RegionRule[int], name: str) -> None:
        """Add an option for any two placements of two pieces that touch."""
        beside: dict[int, set[int]] = {}
        for one, two in rule.pairs:
            beside.setdefault(one, set()).add(two)
            beside.setdefault(two, set()).add(one)
        first, second = [
            next(
                piece
                for number, piece in enumerate(self.fitting.pieces)
                if self.fitting.piece_name(number) == piece_name
            )
            for piece_name in rule.pieces
        ]
        at: dict[int, set[int]] = {}
        for place, placement in enumerate(second.placements):
            for location in placement:
                at.setdefault(location, set()).add(place)
        self.paired.contacts[index] = (
            self._add(name),
            *(self._add_secondary(f"{name} {piece_name}") for piece_name in rule.pieces),
        )  # type: ignore[assignment]
        for place, placement in enumerate(first.placements):
            near = set().union(*(beside.get(location, ()) for location in placement))
            reached = set().union(*(at.get(location, ()) for location in near))
            reached.difference_update(*(at.get(location, ()) for location in placement))
            self.options += [PieceContact(index, place, other) for other in sorted(reached)]

    def _is_exact(self, rule: RegionRule[int]) -> bool:
        """Return whether each colour occurs exactly once on the region of a rule of different colours."""
        if rule.kind is not Condition.DIFFERENT or len(rule.region) < 2:
            return False
        colours = set().union(*[self.domains.shown[at] for at in rule.region])
        return None not in colours and len(colours) == len(rule.region)

    def _different(self, index: int, rule: RegionRule[int], name: str) -> None:
        often = Counter(colour for at in rule.region for colour in self.domains.shown[at] if colour)
        if self._is_exact(rule):
            for colour in sorted(often, key=_in_order):
                self.each[index, colour] = self._add(f"{name} {colour}")
            return
        for colour in sorted(colour for colour, times in often.items() if times > 1):
            self.different[index, colour] = self._add_secondary(f"{name} {colour}")

    def _sum(self, index: int, rule: RegionRule[int], name: str) -> None:
        choices = [sorted(self.domains.shown[at], key=lambda colour: colour or "") for at in rule.region]
        ahead = _ahead(rule, choices)
        if ahead[0].get(0, 0) <= MOST_COMBINATIONS:
            self.tables[index] = self._add(name)
            self.options += [Combination(index, combination) for combination in _combinations(rule, choices, ahead)]
            return
        self.chains[index] = len(self.primary)
        before = {0}
        for place, here in enumerate(choices):
            where = self.fitting.location_name(rule.region[place])
            self._add(f"{name} at {where}")
            if place:
                self.sums[index, place] = self._add_secondary(f"{name} before {where}")
            after = set()
            for total in sorted(before):
                for next_colour in here:
                    reached = _sum(rule, total, next_colour)
                    if reached in ahead[place + 1]:
                        self.options.append(SumStep(index, place, total, next_colour))
                        after.add(reached)
            before = after


def _by_placement(members: Mapping[int, Mapping[int, Sequence[int]]]) -> dict[int, dict[int, list[int]]]:
    """Return the rules that count each placement, by the number of the piece and of the placement."""
    rules_of: dict[int, dict[int, list[int]]] = {}
    for rule, on in members.items():
        for number, places in on.items():
            rules_at = rules_of.setdefault(number, {})
            for place in places:
                rules_at.setdefault(place, []).append(rule)
    return rules_of


def _in_order(colour: str) -> tuple[int, str]:
    """Return the key that sorts numbers by their values, before other colours."""
    value = number_of(colour)
    return (-1 if value is None else value), colour


def _ahead(rule: RegionRule[int], choices: Sequence[Sequence[Shown]]) -> list[dict[int, int]]:
    """Return for each position of a region the sums from which an allowed sum is reachable, and their combinations."""
    reached: list[set[int]] = [{0}]
    for here in choices:
        reached.append({_sum(rule, total, colour) for total in reached[-1] for colour in here})
    ahead: list[dict[int, int]] = [{total: 1 for total in reached[-1] if rule.low <= total <= rule.high}]
    for place in reversed(range(len(choices))):
        ways_from = {}
        for total in reached[place]:
            ways = sum(ahead[0].get(_sum(rule, total, colour), 0) for colour in choices[place])
            if ways:
                ways_from[total] = ways
        ahead.insert(0, ways_from)
    return ahead


def _combinations(
    rule: RegionRule[int], choices: Sequence[Sequence[Shown]], ahead: Sequence[Mapping[int, int]]
) -> Iterator[tuple[Shown, ...]]:
    """Yield all colourings of the locations with an allowed sum."""
    partial: list[tuple[tuple[Shown, ...], int]] = [((), 0)] if ahead[0] else []
    for place, here in enumerate(choices):
        partial = [
            ((*colours, colour), total)
            for colours, before in partial
            for colour in here
            if (total := _sum(rule, before, colour)) in ahead[place + 1]
        ]
    return (colours for colours, _ in partial)


def _sum(rule: RegionRule[int], before: int, colour: Shown) -> int:
    """Return a sum plus the number of another location; without an upper bound, at most the lower one."""
    total = before + amount(colour)
    return min(total, rule.low) if rule.high >= ANY else total


def _named(colour: Shown) -> str:
    return EMPTY if colour is None else colour


def rule_name(fitting: Fitting, index: int) -> str:
    """Return the name of a rule: the character of its region if no other rule has it, else its number from 1."""
    name = fitting.region_rules[index].name
    alone = sum(rule.name == name for rule in fitting.region_rules) == 1
    return name if name and alone else str(index + 1)


class ChainedSumError(GroupTooLargeError):
    """A symmetry moves a region whose sum is added up location by location."""

    def __init__(self, size: int) -> None:
        ValueError.__init__(self, f"a symmetry moves a region of {counted(size, 'location')} with a sum")
        self.order = 2


class Carried(NamedTuple):
    """Effect of a movement of the locations on the options of rules, and on their primary and secondary items."""

    options: list[int]
    primary: list[int]
    secondary: list[int]


def carried(rules: RuleItems, to: Sequence[int], pieces: Sequence[int]) -> Carried | None:
    """Return the effect of a movement of the locations on region rules; None if the movement does not keep the rules.

    ``to`` are the images of the locations, and ``pieces`` those of the pieces.
    Raises ChainedSumError if a sum that is added up would need another order.
    """
    names = [rules.fitting.piece_name(number) for number in range(len(pieces))]
    moved_names = {name: names[image] for name, image in zip(names, pieces, strict=True)}
    targets = rule_images(rules.fitting.region_rules, to, moved_names)
    places = rules.meeting_costs.moved(to)
    if targets is None or places is None:
        return None
    primary, secondary = list(range(len(rules.primary))), list(range(len(rules.secondary)))
    options = []
    image_of = PlacementImages(rules.fitting, to, moved_names) if rules.paired.ties or rules.paired.contacts else None
    for option in rules.options:
        if isinstance(option, Encounter):
            options.append(rules.number[option.moved(places, to)])
            continue
        if isinstance(option, PieceContact):
            moved_option = _moved_contact(rules, option, targets[option.rule], image_of)
            if moved_option is None:
                return None
            options.append(rules.number[moved_option])
            continue
        rule, target = rules.fitting.region_rules[option.rule], targets[option.rule]
        moved = [to[at] for at in rule.region]
        region = rules.fitting.region_rules[target].region
        if isinstance(option, SumStep):
            if tuple(moved) != region:
                raise ChainedSumError(len(region))
            image: RuleOption = option._replace(rule=target)
        else:
            there = dict(zip(moved, option.shown, strict=True))
            image = Combination(target, tuple([there[at] for at in region]))
        options.append(rules.number[image])
        primary[rules.primary_item(option)] = rules.primary_item(image)
    _carry_contacts(rules, targets, moved_names, primary, secondary)
    rules.meeting_costs.carry(places, to, primary, secondary)
    for (index, location), item in rules.paired.alike.items():
        secondary[item] = rules.paired.alike[targets[index], to[location]]
    for location, item in rules.shown.items():
        secondary[item] = rules.shown[to[location]]
    for index, item in rules.equal.items():
        secondary[item] = rules.equal[targets[index]]
    for (index, colour), item in rules.different.items():
        secondary[item] = rules.different[targets[index], colour]
    for (index, place), item in rules.sums.items():
        secondary[item] = rules.sums[targets[index], place]
    for (index, colour), item in rules.each.items():
        primary[item] = rules.each[targets[index], colour]
    for index, (is_primary, item) in rules.counted.items.items():
        (primary if is_primary else secondary)[item] = rules.counted.items[targets[index]][1]
    return Carried(options, primary, secondary)


def rule_images(
    rules: Sequence[RegionRule[int]], to: Sequence[int], pieces: Mapping[str, str] | None = None
) -> list[int] | None:
    """Return for each rule the number of its image under a movement of the locations; None if one has no image.

    ``pieces`` are the names of the images of pieces. Default: a rule that counts a piece may go to one about another.
    """

    def demand(rule: RegionRule[int], to: Sequence[int] | range, names: Mapping[str, str]) -> tuple[object, ...]:
        piece: object = names.get(rule.piece, rule.piece) if pieces is not None else bool(rule.piece)
        group: object = (
            frozenset(names.get(name, name) for name in rule.pieces) if pieces is not None else len(rule.pieces)
        )
        pairs = frozenset(frozenset((to[one], to[two])) for one, two in rule.pairs)
        region = frozenset([to[at] for at in rule.region])
        # A line has two sides, and one of them is the region.
        sides = frozenset((region, everywhere - region)) if rule.kind is Condition.CROSSED else region
        return rule.kind, sides, rule.low, rule.high, piece, group, pairs

    everywhere = frozenset(range(len(to)))
    index_of = {demand(rule, range(len(to)), {}): index for index, rule in enumerate(rules)}
    images = [index_of.get(demand(rule, to, pieces or {}), -1) for rule in rules]
    return None if -1 in images else images


def _carry_contacts(
    rules: RuleItems, targets: Sequence[int], names: Mapping[str, str], primary: list[int], secondary: list[int]
) -> None:
    """Enter the images of the items of rules that two pieces touch; ``targets`` are the images of the rules."""
    for index, (item, *items) in rules.paired.contacts.items():
        primary[item], *images = rules.paired.contacts[targets[index]]
        pair = rules.fitting.region_rules[targets[index]].pieces
        for name, number in zip(rules.fitting.region_rules[index].pieces, items, strict=True):
            secondary[number] = images[pair.index(names[name])]


def _moved_contact(
    rules: RuleItems, option: PieceContact, target: int, image_of: PlacementImages | None
) -> PieceContact | None:
    """Return the image of an option of a rule that two pieces touch; None if a placement has no image."""
    assert image_of is not None
    names = [rules.fitting.piece_name(number) for number in range(len(rules.fitting.pieces))]
    moved = {}
    for name, place in zip(rules.fitting.region_rules[option.rule].pieces, option[1:], strict=True):
        there = image_of(names.index(name), place)
        if there is None:
            return None
        moved[names[there[0]]] = there[1]
    one, two = rules.fitting.region_rules[target].pieces
    return PieceContact(target, moved[one], moved[two])


def option_text(rules: RuleItems, option: RuleOption) -> str:
    """Return the meaning of an option of a rule: the rule, and the colour of each location of its region."""
    if isinstance(option, Encounter):
        return rules.meeting_costs.text(option, rules.fitting.location_name)
    rule = rules.fitting.region_rules[option.rule]
    name = f"rule {rule_name(rules.fitting, option.rule)}"
    if isinstance(option, PieceContact):
        return f"{name} {' '.join(f'{one}:{at}' for one, at in zip(rule.pieces, option[1:], strict=True))}"
    if isinstance(option, Combination):
        return f"{name} shows {' '.join(map(_named, option.shown))}"
    where = rules.fitting.location_name(rule.region[option.place])
    return f"{name} shows {_named(option.shown)} on {where} after {option.before}"
