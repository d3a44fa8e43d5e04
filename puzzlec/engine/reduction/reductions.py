"""Reductions before the search: a smaller problem with the same covers, option for option.

A reduction leaves out options that no cover has, options that every cover has, and items whose conditions follow from
those of others. Covers of both problems correspond one to one, so counting, sampling and enumerating stay correct. Only
the tree, and with it the order of the covers, may differ.

The rules are applied until none finds anything. :mod:`puzzlec.engine.reduction.forcing` has the rules for options: an
option that leaves an item without enough others (as in Knuth's DLX-PRE), and an item that needs all its options.
:mod:`puzzlec.engine.reduction.dominance` has the rules for items. Both modules say why each rule is exact.
"""

from __future__ import annotations

import importlib.util
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.dominance import Thinned, thin
from puzzlec.engine.reduction.forcing import MAX_FORCING_ENTRIES, MAX_LOOKS, Ahead, Forced, forced, options_of_items

#: Largest problem (options times items) for plain Python, which then takes a few milliseconds. If numba is already
#: loaded, it is always used.
MAX_PYTHON_ENTRIES = 100_000

#: With machine code, the limits of the number of looks and of the size of the problem are larger by these factors.
COMPILED_LOOK_FACTOR, COMPILED_SIZE_FACTOR = 50, 10


class ReductionRule(Enum):
    """A rule that leaves something out. The value says why it is exact."""

    FORCED = "is in every cover: an item needs every option that it has left"
    IMPOSSIBLE = "is in no cover: it conflicts with a forced one, or leaves an item with too few options"
    DOMINATED = "is in no cover: an item needs as many options as one of this option's items may have, among others"
    EQUAL = "has the same options as another item"
    IMPLIED = "holds wherever the others do"
    NEEDLESS = "forbids nothing that is not forbidden already"
    OPTIONAL = "is covered once at most, so it need not be branched on: it becomes secondary"


@dataclass(frozen=True)
class ReductionStep:
    """The result of one application of a rule: options or items of the original problem.

    The numbers ascend, but forced options are in the order in which they were found. ``others`` has for each equal item
    the item that replaces it, and for each forced option the item that needs this option. It is empty for the other
    rules.
    """

    rule: ReductionRule
    options: tuple[int, ...] = ()
    items: tuple[int, ...] = ()
    others: tuple[int, ...] = ()


@dataclass(frozen=True)
class Reduction:
    """A problem, a smaller one with the same covers, and the way back.

    Option ``k`` of ``cover`` is option ``options[k]`` of ``original``, and item ``k`` is item ``items[k]``. Each cover
    of ``original`` is one of ``cover`` together with the ``chosen`` options. ``refuted`` is an item of ``original``
    that cannot get the number of options that it needs, or None. If there is such an item, both problems have no
    covers. ``complete`` says whether the rules were applied to the end.
    """

    def __repr__(self) -> str:
        return f"<Reduction: {len(self.options)} of {len(self.original)} options, {len(self.chosen)} chosen>"

    original: ExactCover
    cover: ExactCover
    options: Sequence[int]
    items: Sequence[int]
    chosen: tuple[int, ...] = ()
    steps: tuple[ReductionStep, ...] = ()
    refuted: int | None = None
    complete: bool = True

    def lift(self, covers: Iterable[Sequence[int]]) -> Iterator[tuple[int, ...]]:
        """Yield for each cover of the reduced problem the cover of the original one, its options ascending."""
        options, forced = self.options, self.chosen
        for cover in covers:
            yield tuple(sorted([*forced, *[options[option] for option in cover]]))

    def options_by(self, rule: ReductionRule) -> list[int]:
        """Return the options that a rule settled, in the order in which they were found."""
        return [option for step in self.steps if step.rule is rule for option in step.options]

    def items_by(self, rule: ReductionRule) -> list[int]:
        """Return the items that a rule settled, in the order in which they were found."""
        return [item for step in self.steps if step.rule is rule for item in step.items]

    def __str__(self) -> str:
        if self.refuted is not None:
            return f"no cover: item {self.original.item_name(self.refuted)} cannot be satisfied"
        before, after = self.original, self.cover
        return (
            f"{len(before)} options become {len(after)}, with {len(self.chosen)} chosen; "
            f"{before.primary} + {before.secondary} items become {after.primary} + {after.secondary}"
        )


def reduce(cover: ExactCover, looks: int | None = None, compiled: bool | None = None) -> Reduction:
    """Return a smaller problem with the same covers.

    ``looks`` bounds the work: the comparisons of an option with an item. ``compiled`` selects numba for the lookahead
    [default: chosen by size]. This changes the result only if the bound is reached.

    >>> cover = ExactCover.from_rows([[0, 1], [0], [1, 2], [1], [3], [3, 4]], primary=4, secondary=1)
    >>> found = reduce(cover)
    >>> print(found)
    6 options become 2, with 2 chosen; 4 + 1 items become 1 + 0
    >>> list(found.lift([(0,), (1,)]))
    [(1, 2, 4), (1, 2, 5)]
    """
    size = len(cover) * (cover.primary + cover.secondary)
    if compiled is None:
        compiled = _prefers_numba(size)
    state = _Reducing(
        cover, compiled, (MAX_LOOKS * COMPILED_LOOK_FACTOR if compiled else MAX_LOOKS) if looks is None else looks
    )
    if size <= (MAX_FORCING_ENTRIES * COMPILED_SIZE_FACTOR if compiled else MAX_FORCING_ENTRIES):
        while state.run():
            pass
    else:
        state.complete = False
    return state.result()


def _prefers_numba(size: int) -> bool:
    return "numba" in sys.modules or (size > MAX_PYTHON_ENTRIES and importlib.util.find_spec("numba") is not None)


class _Reducing:
    """A problem during its reduction."""

    def __init__(self, cover: ExactCover, compiled: bool, looks: int) -> None:
        self.original = self.cover = cover
        self.compiled = compiled
        self.looks = looks
        self.options: Sequence[int] = range(len(cover))
        self.items: Sequence[int] = range(cover.primary + cover.secondary)
        self.chosen: list[int] = []
        self.steps: list[ReductionStep] = []
        self.refuted: int | None = None
        self.complete = True

    def run(self) -> bool:
        """Apply all rules once. Return whether another round may find more."""
        options_of, ahead = _sets(self.cover, self.compiled)
        facts = forced(self.cover, sys.maxsize, self.looks, options_of, ahead)
        self.looks -= facts.looks
        self.complete = facts.complete
        self._note_forced(facts)
        if facts.lost is not None:
            self.refuted = self.items[facts.lost]
            return False
        if facts.chosen or facts.impossible:
            self._leave_options(facts)
            options_of, _ = _sets(self.cover, self.compiled, looks=False)
        thinner = thin(self.cover, options_of)
        self._note_thinned(thinner)
        if thinner.lost is not None:
            self.refuted = self.items[thinner.lost]
            return False
        changed = thinner.low != list(self.cover.low) or thinner.high != list(self.cover.high)
        again = bool(changed or thinner.dominated or thinner.optional)
        self._leave_items(thinner)
        return again and self.complete

    def _leave_options(self, facts: Forced) -> None:
        """Remove the chosen and the impossible options, and lower the bounds of the items of chosen ones."""
        low, high = array("i", self.cover.low), array("i", self.cover.high)
        for option in facts.chosen:
            for item in self.cover.row(option):
                if item < self.cover.primary:
                    low[item], high[item] = max(0, low[item] - 1), high[item] - 1
        self.chosen += [self.options[option] for option in facts.chosen]
        gone = {*facts.chosen, *facts.impossible}
        self._keep([option for option in range(len(self.cover)) if option not in gone])
        self.cover = _bounded(self.cover, low, high)

    def _leave_items(self, thinner: Thinned) -> None:
        """Remove items, and dominated options. Renumber the rest."""
        if thinner.dominated:
            self._keep([option for option in range(len(self.cover)) if option not in thinner.dominated])
        out = {*thinner.equal, *thinner.implied, *thinner.needless}
        if out or thinner.optional:
            optional = set(thinner.optional)
            items = [item for item in range(self.cover.primary) if item not in out and item not in optional]
            primary = len(items)
            items += [item for item in range(self.cover.primary, len(self.items)) if item not in out]
            items += thinner.optional
            low, high = (array("i", [bound[item] for item in items[:primary]]) for bound in (thinner.low, thinner.high))
            self.cover = self.cover.with_items(items, primary, low, high)
            self.items = [self.items[item] for item in items]
        else:
            self.cover = _bounded(self.cover, array("i", thinner.low), array("i", thinner.high))

    def _keep(self, options: list[int]) -> None:
        self.cover = self.cover.subset(options)
        self.options = [self.options[option] for option in options]

    def _note_forced(self, facts: Forced) -> None:
        because = tuple(self.items[item] for item in facts.because)
        self._note(ReductionRule.FORCED, options=facts.chosen, others=because)
        self._note(ReductionRule.IMPOSSIBLE, options=facts.impossible)

    def _note_thinned(self, thinner: Thinned) -> None:
        self._note(ReductionRule.DOMINATED, options=sorted(thinner.dominated))
        stand = tuple(self.items[item] for item in thinner.equal.values())
        self._note(ReductionRule.EQUAL, items=tuple(thinner.equal), others=stand)
        self._note(ReductionRule.IMPLIED, items=thinner.implied)
        self._note(ReductionRule.NEEDLESS, items=thinner.needless)
        self._note(ReductionRule.OPTIONAL, items=thinner.optional)

    def _note(
        self, rule: ReductionRule, options: Sequence[int] = (), items: Sequence[int] = (), others: tuple[int, ...] = ()
    ) -> None:
        if options or items:
            original = tuple(self.options[option] for option in options)
            self.steps.append(ReductionStep(rule, original, tuple(self.items[item] for item in items), others))

    def result(self) -> Reduction:
        """Return the reduction."""
        if self.refuted is not None:
            never = ExactCover.from_rows([], 1, item_names=[self.original.item_name(self.refuted)])
            steps = tuple(self.steps)
            return Reduction(self.original, never, (), (self.refuted,), (), steps, self.refuted, self.complete)
        return Reduction(
            self.original,
            self.cover,
            self.options,
            self.items,
            tuple(self.chosen),
            tuple(self.steps),
            None,
            self.complete,
        )


def _bounded(cover: ExactCover, low: array[int], high: array[int]) -> ExactCover:
    """Return a problem with other bounds."""
    if (low, high) == (cover.low, cover.high):
        return cover
    return cover.with_items(range(cover.primary + cover.secondary), cover.primary, low, high)


def _sets(cover: ExactCover, compiled: bool, looks: bool = True) -> tuple[list[int], Ahead | None]:
    """Return the set of options of each item, and a compiled lookahead if ``compiled`` and ``looks`` are true."""
    if not compiled or not len(cover):
        return options_of_items(cover), None
    from puzzlec.engine.reduction.lookahead import CompiledLooks, options_as_words, words_as_sets

    words = options_as_words(cover)
    return words_as_sets(words), CompiledLooks(cover, words).ahead if looks else None
