"""Items and options that an exact cover can do without, since others demand and forbid the same.

:func:`thin` replaces one condition of a problem at a time by another that the same sets of options satisfy. So the
covers stay the same, option for option. A rule looks only at an item's set of options and at its bounds: a cover has at
least ``low`` and at most ``high`` of them. :func:`redundant` only lists duplicates and items that have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from puzzlec.engine.problem import ExactCover, operations
from puzzlec.engine.reduction.forcing import agreeing_options, members, options_of_items

#: Maximum number of pairs of an option and an item in the search for secondary items that forbid nothing.
MAX_PAIRS = 200_000


@dataclass
class Thinned:
    """The result: items to leave out, new bounds, and options in no cover, by rule.

    - ``equal``: for an item, another one that has the same options and now has the bounds of both
    - ``implied``: primary items whose bounds follow from those of others
    - ``needless``: secondary items that forbid only pairs of options that other items forbid
    - ``optional``: primary items with bounds 0..1 that become secondary. They forbid the same pairs, and the search
        does not branch on them
    - ``dominated``: options in no cover, each with the item that needs other options
    - ``lost``: an item whose bounds contradict those of another one. Then there is no cover.
    """

    low: list[int]
    high: list[int]
    equal: dict[int, int] = field(default_factory=dict)
    implied: list[int] = field(default_factory=list)
    needless: list[int] = field(default_factory=list)
    optional: list[int] = field(default_factory=list)
    dominated: dict[int, int] = field(default_factory=dict)
    lost: int | None = None


def thin(cover: ExactCover, options_of: Sequence[int] | None = None) -> Thinned:
    """Return the items that the problem can do without. ``options_of`` are the sets of options of each item.

    >>> found = thin(ExactCover.from_rows([[0, 1, 2], [0, 1, 3], [2, 4], [3]], primary=4, secondary=1))
    >>> found.equal, found.needless
    ({1: 0}, [4])
    """
    state = _ItemTable(cover, list(options_of) if options_of is not None else options_of_items(cover))
    state.join_equal()
    state.compare()
    if state.found.lost is None and not state.found.dominated:
        state.leave_implied()
        state.leave_needless()
        state.make_secondary()
    return state.found


class _ItemTable:
    """The items that are left, with their options (as sets) and bounds."""

    def __init__(self, cover: ExactCover, options_of: list[int]) -> None:
        self.cover = cover
        self.options_of = options_of
        self.found = Thinned(list(cover.low), list(cover.high))
        self.primary = dict.fromkeys(range(cover.primary))  # an ordered set
        self.secondary = dict.fromkeys(range(cover.primary, cover.primary + cover.secondary))
        self.painted = (
            {item for item, colour in zip(cover.items, cover.colours, strict=True) if colour}
            if any(cover.colours)
            else set()
        )
        #: For each primary item the items that have all its options.
        self.above: dict[int, list[int]] = {}
        #: Number of primary items of each option, once they are counted.
        self.counts: list[int] | None = None

    def join_equal(self) -> None:
        """Merge primary items with equal sets of options.

        The lower bounds a and b on the same options mean a lower bound of max(a, b). For upper bounds it is min(a, b).
        """
        first: dict[int, int] = {}
        low, high = self.found.low, self.found.high
        for item in list(self.primary):
            kept = first.setdefault(self.options_of[item], item)
            if kept != item and self.options_of[item]:
                low[kept], high[kept] = max(low[kept], low[item]), min(high[kept], high[item])
                self.found.equal[item] = kept
                del self.primary[item]
                if low[kept] > high[kept]:
                    self.found.lost = kept

    def compare(self) -> None:
        """Find items that have all options of another item, and options that this makes impossible.

        Let item i need ``low`` of its options. Let item j have all options of i, and let its upper bound equal ``low``.
        Then a cover takes no other option of j. The upper bound of a secondary item without colours is 1.
        """
        for item in self.primary:
            options = self.options_of[item]
            if not options:
                continue
            some = options.bit_length() - 1
            others = [
                other for other in self.cover.row(some) if other != item and not options & ~self.options_of[other]
            ]
            self.above[item] = [other for other in others if other in self.primary]
            for other in others:
                self._dominate(item, other)

    def _dominate(self, item: int, other: int) -> None:
        """Find options of ``other`` that no cover has, since ``item`` needs all that ``other`` may have."""
        if other in self.primary:
            most = self.found.high[other]
        elif other in self.secondary and other not in self.painted:
            most = 1
        else:
            return
        need = self.found.low[item]
        if need > most:
            self.found.lost = item
        elif need and need == most:
            for option in members(self.options_of[other] & ~self.options_of[item]):
                self.found.dominated.setdefault(option, item)

    def leave_implied(self) -> None:
        """Leave out primary items whose bounds always hold or follow from those of other items.

        The lower bound always holds if it is 0. It follows if the item has all options of another item with at least
        the same lower bound. The upper bound always holds if the item has no more options than that. It follows if
        another item has all options of this one and at most the same upper bound. The other item may itself be left
        out. Then a third item implies the bounds of both.
        """
        below: dict[int, list[int]] = {}
        for item, others in self.above.items():
            for other in others:
                below.setdefault(other, []).append(item)
        low, high = self.found.low, self.found.high
        for item in list(self.primary):
            options = self.options_of[item]
            if (
                (low[item] == 0 or any(low[i] >= low[item] for i in below.get(item, ())))
                and (high[item] >= options.bit_count() or any(high[i] <= high[item] for i in self.above.get(item, ())))
                and self._spare(item)
            ):
                self.found.implied.append(item)

    def _spare(self, item: int) -> bool:
        """Leave out a primary item if each of its options has another primary item. Return whether it was left out."""
        if self.counts is None:
            self.counts = [
                sum(covered in self.primary for covered in row) for row in map(self.cover.row, range(len(self.cover)))
            ]
        options = list(members(self.options_of[item]))
        if any(self.counts[option] < 2 for option in options):
            return False
        for option in options:
            self.counts[option] -= 1
        del self.primary[item]
        return True

    def leave_needless(self) -> None:
        """Leave out each secondary item if other items forbid all the pairs of options that it forbids."""
        agreeing = agreeing_options(self.cover) if self.painted else {}
        left = MAX_PAIRS
        for item in list(self.secondary):
            options, needless = self.options_of[item], True
            for option in members(options):
                left -= 1
                if left < 0:
                    return
                apart = options & ~(1 << option)
                for entry in self.cover.entries(option):
                    other, colour = entry
                    if other == item:
                        apart &= ~agreeing.get(entry, 0)
                    elif other in self.secondary:
                        apart &= ~(self.options_of[other] & ~(agreeing[entry] if colour else 0))
                    elif other in self.primary and self.found.high[other] == 1:
                        apart &= ~self.options_of[other]
                if apart:
                    needless = False
                    break
            if needless:
                del self.secondary[item]
                self.found.needless.append(item)

    def make_secondary(self) -> None:
        """Make primary items with bounds 0..1 secondary. The meaning stays the same."""
        for item in list(self.primary):
            if (self.found.low[item], self.found.high[item]) == (0, 1) and self._spare(item):
                self.found.optional.append(item)


_Key = TypeVar("_Key")


@dataclass(frozen=True)
class Redundancy:
    """Parts of an exact cover that could be left out. One member of each group must stay.

    ``idle`` are items that forbid and demand nothing. ``items`` are groups of primary items with the same options and
    bounds. ``options`` are groups of options with the same entries.
    """

    idle: tuple[int, ...]
    items: tuple[tuple[int, ...], ...]
    options: tuple[tuple[int, ...], ...]


def redundant(cover: ExactCover) -> Redundancy:
    """Return what is redundant in an exact cover.

    >>> redundant(ExactCover.from_rows([[0, 1], [2], [2], [0, 1, 3]], primary=3, secondary=1))
    Redundancy(idle=(3,), items=((0, 1),), options=((1, 2),))
    """
    options_of = cover.options_of_items()
    idle = tuple(
        item
        for item, options in enumerate(options_of)
        if (len(options) <= 1 if item >= cover.primary else cover.low[item] == 0 and cover.high[item] >= len(options))
    )
    primary = (item for item in range(cover.primary) if len(options_of[item]))
    # Equal sequences have equal bytes, since all arrays have the same type.
    keyed = ((item, (memoryview(options_of[item]).tobytes(), cover.low[item], cover.high[item])) for item in primary)  # type: ignore[arg-type]
    return Redundancy(
        idle,
        _groups(keyed),
        _groups(
            (option, tuple(sorted(cover.entries(option)))) for option in operations(cover.arrays).alike(cover.arrays)
        ),
    )


def _groups(keyed: Iterable[tuple[int, _Key]]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of two or more numbers with equal keys."""
    groups: dict[_Key, list[int]] = {}
    for number, key in keyed:
        groups.setdefault(key, []).append(number)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
