"""Region rules, such as a sum of the numbers that pieces show there, as items and options of an exact cover.

A placement shows a colour on each of its locations, which may be a number. *All equal* is a secondary item of
the region whose colour is the shown colour. *All different* is a secondary item for each colour. A *sum* over several
locations needs additional options, which place nothing:

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
from puzzlec.lower.movements import GroupTooLargeError

#: The colour that a location shows, or "" if it stays empty.
Shown: TypeAlias = str | None

#: More combinations are not listed: the sum is added up along the region instead.
MOST_COMBINATIONS = 10_000

#: The name of the colour of an empty location.
EMPTY = "empty"


class Step(NamedTuple):
    """An option of a rule that is added up: the number of locations so far, their sum, and the next colour."""

    rule: int
    place: int
    before: int
    shown: Shown


class Combination(NamedTuple):
    """An option of a rule with listed combinations: the colour of each location of the region."""

    rule: int
    shown: tuple[Shown, ...]


#: The meaning of an option of a rule.
RuleOption: TypeAlias = Step | Combination


def joined(rules: Iterable[RegionRule[int]]) -> tuple[RegionRule[int], ...]:
    """Return rules without repetitions; bounds of the sum of one region become one rule, unless they contradict."""
    found: dict[tuple[Condition, tuple[int, ...]], RegionRule[int]] = {}
    apart = []
    for rule in rules:
        old = found.setdefault((rule.kind, rule.region), rule)
        low, high = max(old.low, rule.low), min(old.high, rule.high)
        if low <= high:
            written = next((one.written for one in (old, rule) if (one.low, one.high) == (low, high)), "")
            found[rule.kind, rule.region] = replace(old, low=low, high=high, written=written)
        else:
            apart.append(rule)
    return (*found.values(), *apart)


def obeying(fitting: Fitting, report: Report) -> Fitting:
    """Return a fitting without the placements that break a region rule.

    A placement also breaks a rule if no others can complete it. Placements without the numbers or colours that a rule
    needs are errors in the report.
    """
    _refuse_unnumbered(fitting, report)
    domains = Domains(fitting)
    if not report.errors:
        _refuse_broken(fitting, domains, report)
    while not report.errors:
        pieces = tuple([_kept(piece, domains) for piece in fitting.pieces])
        if all(len(new.placements) == len(old.placements) for new, old in zip(pieces, fitting.pieces, strict=True)):
            break
        fitting = replace(fitting, pieces=pieces)
        domains = Domains(fitting)
    return fitting


def _refuse_broken(fitting: Fitting, domains: Domains, report: Report) -> None:
    """Report rules that no placements can satisfy, even without other conditions."""
    for index, rule in enumerate(fitting.region_rules):
        sets = [domains.shown[at] for at in rule.region]
        needed = [group for group in sets if None not in group]
        if not all(sets):
            continue  # a location without placements is reported separately
        low, high = domains.sums(rule)
        colours = set().union(*sets) - {None}
        why = ""
        if rule.kind is Condition.SUM and (high < rule.low or low > rule.high):
            why = f"the pieces that reach it can show a sum of {low} to {high}"
        elif rule.kind is Condition.EQUAL and needed and not domains.common[index]:
            why = "its locations have no common colour"
        elif rule.kind is Condition.DIFFERENT and len(needed) > len(colours):
            why = f"its {counted(len(needed), 'location')} can show only {counted(len(colours), 'colour')}"
        if why:
            name = f"region `{rule.name}`" if rule.name else f"a region of {counted(len(rule.region), 'location')}"
            message = f"{name} cannot satisfy `{rule.words}`"
            report.add("PZ366", message, rule.span, note=why, file=fitting.title)


def _refuse_unnumbered(fitting: Fitting, report: Report) -> None:
    """Report pieces that can show a cell without a number on a region, or without a colour if any colour is allowed."""
    wanted: dict[int, RegionRule[int]] = {}
    for rule in fitting.region_rules:
        for location in rule.region:
            if rule.kind is Condition.SUM or location not in wanted:
                wanted[location] = rule
    for number, piece in enumerate(fitting.pieces):
        for placement, shown in zip(piece.placements, piece.shown, strict=True):
            wrong = [
                (location, wanted[location])
                for location, colour in zip(placement, shown, strict=True)
                if location in wanted
                and (colour is None or (wanted[location].kind is Condition.SUM and number_of(colour) is None))
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
        ruled = {location for rule in fitting.region_rules for location in rule.region}
        self.shown: dict[int, set[Shown]] = {
            location: {None} if location in fitting.optional else set() for location in ruled
        }
        for piece in fitting.pieces:
            for placement, colours in zip(piece.placements, piece.shown, strict=True):
                for location, colour in zip(placement, colours, strict=True):
                    if location in ruled:
                        self.shown[location].add(colour)
        self.rules_at: dict[int, list[int]] = {}
        for index, rule in enumerate(fitting.region_rules):
            for location in rule.region:
                self.rules_at.setdefault(location, []).append(index)
        self.common = [self._common(rule) for rule in fitting.region_rules]
        self.least = {at: min(map(amount, shown), default=0) for at, shown in self.shown.items()}
        self.most = {at: max(map(amount, shown), default=0) for at, shown in self.shown.items()}

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

    def allows(self, shown: Mapping[int, Shown]) -> bool:
        """Return whether each rule alone allows the colours of a placement."""
        for index in {index for at in shown for index in self.rules_at.get(at, ())}:
            rule = self.fitting.region_rules[index]
            here = [shown[at] for at in rule.region if at in shown]
            if rule.kind is Condition.SUM:
                low, high = self.sums(rule, shown)
                if high < rule.low or low > rule.high:
                    return False
            elif rule.kind is Condition.DIFFERENT:
                if len(set(here)) < len(here):
                    return False
            elif len(set(here)) > 1 or here[0] not in self.common[index]:
                return False
        return True


def amount(shown: Shown) -> int:
    """Return the number that a location adds to a sum: 0 if it stays empty."""
    return number_of(shown) or 0


def _kept(piece: FittingPiece, domains: Domains) -> FittingPiece:
    """Return a piece with the placements that all rules allow."""
    kept = [
        index
        for index, (placement, colours) in enumerate(zip(piece.placements, piece.shown, strict=True))
        if domains.allows(dict(zip(placement, colours, strict=True)))
    ]
    return piece if len(kept) == len(piece.placements) else with_placements(piece, kept)


@dataclass(frozen=True)
class RuleItems:
    """The items and options of region rules.

    ``primary`` and ``secondary`` are the names of items. ``shown``, ``equal``, ``different`` and ``sums`` are their
    numbers in these lists. Their keys are a location, a rule of equal colours, a rule and a colour, and a rule with a
    position between the locations of its region. ``tables`` are the rules with listed combinations, with
    their primary item; ``chains`` are the rules that are added up, with the primary item of the first location.
    ``rules_at`` are the rules of a location.
    """

    fitting: Fitting
    primary: tuple[str, ...]
    secondary: tuple[str, ...]
    shown: dict[int, int]
    equal: dict[int, int]
    different: dict[tuple[int, Shown], int]
    sums: dict[tuple[int, int], int]
    tables: dict[int, int]
    chains: dict[int, int]
    options: tuple[RuleOption, ...]
    rules_at: dict[int, list[int]]

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

    def rule_entries(self, option: RuleOption) -> Iterator[tuple[int, str]]:
        """Yield the secondary items of an option of a rule."""
        region = self.fitting.region_rules[option.rule].region
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
        own = {name for option in self.options for _, name in self.rule_entries(option)}
        for piece in self.fitting.pieces:
            own.update(_named(colour) for shown in piece.shown for colour in shown)
        return own | {EMPTY} if self.shown else own

    def primary_item(self, option: RuleOption) -> int:
        """Return the primary item of an option of a rule."""
        return self.tables[option.rule] if isinstance(option, Combination) else self.chains[option.rule] + option.place

    def after(self, step: Step) -> int:
        """Return the sum after a step."""
        return _sum(self.fitting.region_rules[step.rule], step.before, step.shown)

    def chosen(self, shown: Sequence[Shown]) -> Iterator[RuleOption]:
        """Yield the options that belong to the colours of all locations."""
        for index, rule in enumerate(self.fitting.region_rules):
            if index in self.tables:
                yield Combination(index, tuple([shown[at] for at in rule.region]))
            elif index in self.chains:
                total = 0
                for place, at in enumerate(rule.region):
                    step = Step(index, place, total, shown[at])
                    total = self.after(step)
                    yield step


def rule_items(fitting: Fitting) -> RuleItems:
    """Return the items and options of the region rules."""
    return _Maker(fitting).made()


class _Maker:
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

    def made(self) -> RuleItems:
        rules = self.fitting.region_rules
        for index, rule in enumerate(rules):
            name = f"rule {rule_name(self.fitting, index)}"
            if rule.kind is Condition.SUM:
                low, high = self.domains.sums(rule)
                if low < rule.low or high > rule.high:
                    self._sum(index, rule, name)
            elif rule.kind is Condition.EQUAL and len(rule.region) > 1:
                self.equal[index] = len(self.secondary)
                self.secondary.append(name)
            elif rule.kind is Condition.DIFFERENT:
                often = Counter(colour for at in rule.region for colour in self.domains.shown[at] if colour)
                for colour in sorted(colour for colour, times in often.items() if times > 1):
                    self.different[index, colour] = len(self.secondary)
                    self.secondary.append(f"{name} {colour}")
        shown: dict[int, int] = {}
        for location in sorted({at for index in (*self.tables, *self.chains) for at in rules[index].region}):
            shown[location] = len(self.secondary)
            self.secondary.append(f"shown {self.fitting.location_name(location)}")
        return RuleItems(
            fitting=self.fitting,
            primary=tuple(self.primary),
            secondary=tuple(self.secondary),
            shown=shown,
            equal=self.equal,
            different=self.different,
            sums=self.sums,
            tables=self.tables,
            chains=self.chains,
            options=tuple(self.options),
            rules_at=self.domains.rules_at,
        )

    def _sum(self, index: int, rule: RegionRule[int], name: str) -> None:
        choices = [sorted(self.domains.shown[at], key=lambda colour: colour or "") for at in rule.region]
        ahead = _ahead(rule, choices)
        if ahead[0].get(0, 0) <= MOST_COMBINATIONS:
            self.tables[index] = len(self.primary)
            self.primary.append(name)
            self.options += [Combination(index, combination) for combination in _combinations(rule, choices, ahead)]
            return
        self.chains[index] = len(self.primary)
        before = {0}
        for place, here in enumerate(choices):
            where = self.fitting.location_name(rule.region[place])
            self.primary.append(f"{name} at {where}")
            if place:
                self.sums[index, place] = len(self.secondary)
                self.secondary.append(f"{name} before {where}")
            after = set()
            for total in sorted(before):
                for shown in here:
                    reached = _sum(rule, total, shown)
                    if reached in ahead[place + 1]:
                        self.options.append(Step(index, place, total, shown))
                        after.add(reached)
            before = after


def _ahead(rule: RegionRule[int], choices: Sequence[Sequence[Shown]]) -> list[dict[int, int]]:
    """Return for each position of a region the sums from which an allowed sum is reachable, and their combinations."""
    reached: list[set[int]] = [{0}]
    for here in choices:
        reached.append({_sum(rule, total, shown) for total in reached[-1] for shown in here})
    ahead: list[dict[int, int]] = [{total: 1 for total in reached[-1] if rule.low <= total <= rule.high}]
    for place in reversed(range(len(choices))):
        found = {}
        for total in reached[place]:
            ways = sum(ahead[0].get(_sum(rule, total, shown), 0) for shown in choices[place])
            if ways:
                found[total] = ways
        ahead.insert(0, found)
    return ahead


def _combinations(
    rule: RegionRule[int], choices: Sequence[Sequence[Shown]], ahead: Sequence[Mapping[int, int]]
) -> Iterator[tuple[Shown, ...]]:
    """Yield all colourings of the locations with an allowed sum."""
    found: list[tuple[tuple[Shown, ...], int]] = [((), 0)] if ahead[0] else []
    for place, here in enumerate(choices):
        found = [
            ((*shown, colour), total)
            for shown, before in found
            for colour in here
            if (total := _sum(rule, before, colour)) in ahead[place + 1]
        ]
    return (shown for shown, _ in found)


def _sum(rule: RegionRule[int], before: int, shown: Shown) -> int:
    """Return a sum plus the number of another location; without an upper bound, at most the lower one."""
    total = before + amount(shown)
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


def carried(rules: RuleItems, to: Sequence[int]) -> Carried | None:
    """Return the effect of a movement of the locations on region rules; None if the movement does not keep the rules.

    ``to`` are the images of the locations. Raises ChainedSumError if a sum that is added up would need another order.
    """
    targets = rule_images(rules.fitting.region_rules, to)
    if targets is None:
        return None
    primary, secondary = list(range(len(rules.primary))), list(range(len(rules.secondary)))
    options = []
    for option in rules.options:
        rule, target = rules.fitting.region_rules[option.rule], targets[option.rule]
        moved = [to[at] for at in rule.region]
        region = rules.fitting.region_rules[target].region
        if isinstance(option, Step):
            if tuple(moved) != region:
                raise ChainedSumError(len(region))
            image: RuleOption = option._replace(rule=target)
        else:
            there = dict(zip(moved, option.shown, strict=True))
            image = Combination(target, tuple([there[at] for at in region]))
        options.append(rules.number[image])
        primary[rules.primary_item(option)] = rules.primary_item(image)
    for location, item in rules.shown.items():
        secondary[item] = rules.shown[to[location]]
    for index, item in rules.equal.items():
        secondary[item] = rules.equal[targets[index]]
    for (index, colour), item in rules.different.items():
        secondary[item] = rules.different[targets[index], colour]
    for (index, place), item in rules.sums.items():
        secondary[item] = rules.sums[targets[index], place]
    return Carried(options, primary, secondary)


def rule_images(rules: Sequence[RegionRule[int]], to: Sequence[int]) -> list[int] | None:
    """Return for each rule the number of its image under a movement of the locations; None if one has no image."""
    known = {_demand(rule, rule.region): index for index, rule in enumerate(rules)}
    images = [known.get(_demand(rule, [to[at] for at in rule.region]), -1) for rule in rules]
    return None if -1 in images else images


def _demand(rule: RegionRule[int], region: Sequence[int]) -> tuple[object, ...]:
    return rule.kind, frozenset(region), rule.low, rule.high


def option_text(rules: RuleItems, option: RuleOption) -> str:
    """Return the meaning of an option of a rule: the rule, and the colour of each location of its region."""
    rule = rules.fitting.region_rules[option.rule]
    name = f"rule {rule_name(rules.fitting, option.rule)}"
    if isinstance(option, Combination):
        return f"{name} shows {' '.join(map(_named, option.shown))}"
    where = rules.fitting.location_name(rule.region[option.place])
    return f"{name} shows {_named(option.shown)} on {where} after {option.before}"
