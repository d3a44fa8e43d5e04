"""Facts that need no search: options that are in every solution, and options that are in none.

Two rules are applied until nothing changes. If an item needs all its remaining options, they are forced. An option is
impossible if it conflicts with a chosen one, or if its choice leaves an item with too few options. The second test is a
look one step ahead; constraint solvers call it singleton consistency. Only the direct consequences of a choice are
examined here. Both rules are exact: their facts hold for every solution.

Sets of options are integers: option ``o`` is bit ``o``. Thousands of options intersect in a microsecond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlec.engine.problem import ExactCover

#: Larger problems (options times items) are not examined: the sets of options would take too much memory.
MAX_FORCING_ENTRIES = 50_000_000

#: Maximum number of looks. A look compares an option with an item. If the looks run out, the facts are incomplete.
MAX_LOOKS = 4_000_000

#: Another way to look ahead. Arguments: the open options (a set, as an integer), the smallest and largest numbers that
#: each primary item may still get, the looks left. Result: the options that stay open, the looks left (negative if they
#: ran out).
Ahead: TypeAlias = Callable[[int, list[int], list[int], int], tuple[int, int]]


@dataclass(frozen=True)
class Forced:
    """The facts that were found. If there is no solution, the search for facts stops as soon as that is certain.

    - ``chosen``: options that every solution has, in the order in which they were found
    - ``because``: for each chosen option the item that has no other possibility
    - ``impossible``: options that no solution has, ascending
    - ``lost``: an item that cannot get enough options, so that no solution exists; None if there is no such item
    - ``complete``: whether the rules were applied until nothing changed
    - ``looks``: number of comparisons of an option with an item
    """

    chosen: tuple[int, ...] = ()
    because: tuple[int, ...] = ()
    impossible: tuple[int, ...] = ()
    lost: int | None = None
    complete: bool = True
    looks: int = field(default=0, compare=False)


def forced(
    cover: ExactCover,
    largest: int = MAX_FORCING_ENTRIES,
    looks: int = MAX_LOOKS,
    options_of: Sequence[int] | None = None,
    ahead: Ahead | None = None,
) -> Forced:
    """Return options that are in every exact cover and options that are in none, as far as two rules find them.

    Callers may pass ``options_of``, the set of options of each item, and ``ahead``, a faster lookahead with the same
    results.

    >>> cover = ExactCover.from_rows([[0, 1], [0], [1, 2], [1]], primary=3)
    >>> found = forced(cover)
    >>> found.chosen, found.because, found.impossible
    ((2, 1), (2, 0), (0, 3))
    """
    if len(cover) * (cover.primary + cover.secondary) > largest:
        return Forced(complete=False)
    state = _ForcingState(cover, looks, options_of if options_of is not None else options_of_items(cover), ahead)
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


class _ForcingState:
    """The facts at a moment. Sets of options are integers: option ``o`` is bit ``o``."""

    def __init__(self, cover: ExactCover, looks: int, options_of: Sequence[int], ahead: Ahead | None) -> None:
        self.cover = cover
        self.looks = looks
        self.options_of = options_of
        self.ahead = ahead
        self.agreeing = agreeing_options(cover)
        self.need = list(cover.low)  # how many more options each primary item needs; `room`: how many it may get
        self.room = list(cover.high)
        self.open = (1 << len(cover)) - 1
        for item, room in enumerate(self.room):
            if room == 0:
                self.open &= ~self.options_of[item]
        self.chosen: dict[int, int] = {}
        self.lost: int | None = None

    def settle(self) -> None:
        """Choose forced options until there are none left or an item is lost."""
        changed = True
        while changed:
            changed = False
            for item, need in enumerate(self.need):
                left = self.options_of[item] & self.open
                number = left.bit_count()
                if number < need:
                    self.lost = item
                    return
                if 0 < number == need:
                    self.choose_all(left, item)
                    changed = True

    def choose_all(self, options: int, item: int) -> None:
        """Choose options that an item needs. Two that conflict leave too few for it, which is found later."""
        for option in members(options):
            if self.open >> option & 1:
                self.open &= ~(1 << option | self.conflicts(option))
                self.chosen[option] = item
                for covered in self.cover.row(option):
                    if covered < self.cover.primary:
                        self.need[covered] -= 1
                        self.room[covered] -= 1

    def conflicts(self, option: int) -> int:
        """Return the options that cannot be chosen after an open one."""
        options = 0
        for entry in self.cover.entries(option):
            item, colour = entry
            if item >= self.cover.primary:
                options |= self.options_of[item] & ~(self.agreeing[entry] if colour else 0)
            elif self.room[item] == 1:
                options |= self.options_of[item]
        return options

    def look_ahead(self) -> bool:
        """Close every open option that leaves an item with too few options. Return whether any option was closed."""
        if self.ahead is not None:
            before = self.open
            self.open, self.looks = self.ahead(self.open, self.need, self.room, self.looks)
            return self.looks >= 0 and self.open != before
        changed = False
        needy = [item for item, need in enumerate(self.need) if need > 0]
        for option in members(self.open):
            self.looks -= len(needy)
            if self.looks < 0:
                return False
            if self.fails(option, needy):
                self.open &= ~(1 << option)
                changed = True
        return changed

    def fails(self, option: int, needy: list[int]) -> bool:
        """Whether choosing an open option leaves an item with fewer options than it needs."""
        left = self.open & ~(1 << option | self.conflicts(option))
        row = self.cover.row(option)
        for item in needy:
            need = self.need[item] - (item in row)
            rest = self.options_of[item] & left
            if (not rest and need > 0) or (need > 1 and rest.bit_count() < need):
                return True
        return False


def options_of_items(cover: ExactCover) -> list[int]:
    """Return the set of the options of each item.

    >>> options_of_items(ExactCover.from_rows([[0, 1], [1], [0]], primary=2))
    [5, 3]
    """
    # Bytes come first, since an integer is copied each time that it grows.
    sets = [bytearray((len(cover) + 7) // 8) for _ in range(cover.primary + cover.secondary)]
    items, first = cover.items, 0
    for option, last in enumerate(cover.starts[1:]):
        byte, bit = option >> 3, 1 << (option & 7)
        for item in items[first:last]:
            sets[item][byte] |= bit
        first = last
    return [int.from_bytes(options, "little") for options in sets]


def agreeing_options(cover: ExactCover) -> dict[tuple[int, int], int]:
    """Return for each pair (secondary item, colour) the set of the options that give the item this colour."""
    giving: dict[tuple[int, int], bytearray] = {}
    if any(cover.colours):
        first, length = 0, (len(cover) + 7) // 8
        for option, last in enumerate(cover.starts[1:]):
            for entry in zip(cover.items[first:last], cover.colours[first:last], strict=True):
                if entry[1]:
                    if entry not in giving:
                        giving[entry] = bytearray(length)
                    giving[entry][option >> 3] |= 1 << (option & 7)
            first = last
    return {entry: int.from_bytes(options, "little") for entry, options in giving.items()}


def members(options: int) -> Iterator[int]:
    """Yield the members of a set, ascending."""
    text = bin(options)[:1:-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)
