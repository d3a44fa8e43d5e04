"""What can be seen without a search: options that are in every solution, and options that are in none.

Two rules, until nothing changes. An item that needs every option it has left forces them. An option is
impossible when a chosen one conflicts with it, or when an item would be left with too few options if it
were chosen (a look one step ahead, as constraint solvers do under the name of singleton consistency, here
with the direct consequences only). Both are exact: what they say holds for every solution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.option_sets import agreeing_options, members, options_of_items

#: Nothing is looked for where options times items are more: the sets of options would take too much memory.
LARGEST = 50_000_000

#: So often an option is held against an item, in all looks ahead together; then what is known is all there is.
LOOKS = 4_000_000

#: Another way to look ahead: from the open options (a set, as an integer), the bounds that are left of each primary
#: item and the looks that are left, to the options that stay open and the looks left then (below 0: not to the end).
Ahead: TypeAlias = Callable[[int, list[int], list[int], int], tuple[int, int]]


@dataclass(frozen=True)
class Forced:
    """What was found. Where there is no solution, both are true of any option, and say what was found until then.

    ``chosen`` are options that every solution has, in the order in which they were found; ``because`` is,
    for each, the item that has no other possibility. ``impossible`` are options that no solution has,
    ascending. ``lost`` is an item that cannot get as many options as it needs (None: there is none such);
    then there is no solution. ``complete`` says whether looking went on until nothing changed, ``looks`` how
    often an option was held against an item.
    """

    chosen: tuple[int, ...] = ()
    because: tuple[int, ...] = ()
    impossible: tuple[int, ...] = ()
    lost: int | None = None
    complete: bool = True
    looks: int = field(default=0, compare=False)


def forced(
    cover: ExactCover,
    largest: int = LARGEST,
    looks: int = LOOKS,
    having: Sequence[int] | None = None,
    ahead: Ahead | None = None,
) -> Forced:
    """Return the options that are in every exact cover and those that are in none, as far as two rules tell.

    ``having``, the sets of the options of each item, and ``ahead``, a way to look ahead that says the same as the
    one here, are for callers that have faster ones.

    >>> cover = ExactCover.from_rows([[0, 1], [0], [1, 2], [1]], primary=3)
    >>> found = forced(cover)
    >>> found.chosen, found.because, found.impossible
    ((2, 1), (2, 0), (0, 3))
    """
    if len(cover) * (cover.primary + cover.secondary) > largest:
        return Forced(complete=False)
    state = _State(cover, looks, having if having is not None else options_of_items(cover), ahead)
    state.settle()
    while state.lost is None and state.look_ahead():
        state.settle()
    gone = set(members(state.open)).union(state.chosen)
    return Forced(
        tuple(state.chosen),
        tuple(state.chosen.values()),
        tuple(option for option in range(len(cover)) if option not in gone),
        state.lost,
        state.looks >= 0,
        looks - state.looks,
    )


class _State:
    """What is known at a moment. Sets of options are integers: option ``o`` is bit ``o``."""

    def __init__(self, cover: ExactCover, looks: int, having: Sequence[int], ahead: Ahead | None) -> None:
        self.cover = cover
        self.looks = looks
        self.having = having
        self.ahead = ahead
        self.agreeing = agreeing_options(cover)
        self.need = list(cover.low)  # so many options each primary item needs still, and may get still
        self.room = list(cover.high)
        self.open = (1 << len(cover)) - 1
        for item, room in enumerate(self.room):
            if room == 0:
                self.open &= ~self.having[item]
        self.chosen: dict[int, int] = {}
        self.lost: int | None = None

    def settle(self) -> None:
        """Choose what is forced, until nothing is or an item is lost."""
        changed = True
        while changed:
            changed = False
            for item, need in enumerate(self.need):
                left = self.having[item] & self.open
                number = left.bit_count()
                if number < need:
                    self.lost = item
                    return
                if 0 < number == need:
                    self.choose_all(left, item)
                    changed = True

    def choose_all(self, options: int, item: int) -> None:
        """Choose options that an item needs; two that conflict leave it wanting, which is found afterwards."""
        for option in members(options):
            if self.open >> option & 1:
                self.open &= ~(1 << option | self.conflicts(option))
                self.chosen[option] = item
                for each in self.cover.row(option):
                    if each < self.cover.primary:
                        self.need[each] -= 1
                        self.room[each] -= 1

    def conflicts(self, option: int) -> int:
        """Return the options that cannot be chosen any more when an open one is."""
        found = 0
        for entry in self.cover.entries(option):
            item, colour = entry
            if item >= self.cover.primary:
                found |= self.having[item] & ~(self.agreeing[entry] if colour else 0)
            elif self.room[item] == 1:
                found |= self.having[item]
        return found

    def look_ahead(self) -> bool:
        """Close every open option that would leave an item with too few; return whether there was one."""
        if self.ahead is not None:
            before = self.open
            self.open, self.looks = self.ahead(self.open, self.need, self.room, self.looks)
            return self.looks >= 0 and self.open != before
        found = False
        needy = [item for item, need in enumerate(self.need) if need > 0]
        for option in members(self.open):
            self.looks -= len(needy)
            if self.looks < 0:
                return False
            if self.fails(option, needy):
                self.open &= ~(1 << option)
                found = True
        return found

    def fails(self, option: int, needy: list[int]) -> bool:
        """Whether choosing an open option leaves an item with fewer options than it needs."""
        left = self.open & ~(1 << option | self.conflicts(option))
        own = self.cover.row(option)
        for item in needy:
            need = self.need[item] - (item in own)
            rest = self.having[item] & left
            if (not rest and need > 0) or (need > 1 and rest.bit_count() < need):
                return True
        return False
