"""The tree that every kernel walks: how an item is chosen, how ties are broken, in which order options are taken.

This module is the specification. The kernel in plain Python and the probes without numba call these functions. The
others do the same with their own tables, and tests compare them with this module node for node.

Consider an active primary item with ``left`` options left, of which a cover must still take at least ``low`` and at
most ``high``. Its *branching degree* is ``left + 1 - low``, and never below 0. A node branches on the item of least
degree, the lowest number if several have it (MRV). Degree 0 ends the branch. The options of the item are taken in
ascending order, each with the earlier ones excluded, while at least ``low`` are left.

An item with ``low`` 0 needs nothing, so it waits like a secondary item. A node branches on it only if no item needs an
option, and only if ``left`` is not 0. One more branch then takes none of its options. If no item is left to branch on,
the node is a cover. For exact cover this is Algorithm X of TAOCP 7.2.2.1, with colours Algorithm C.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from puzzlec.engine.arrays import Arrays

#: Instead of an option: the branch that takes no more options of its item.
NONE = -1

#: The default bounds of an item: exactly one option.
ONCE = (1, 1)


class Node:
    """A node of the tree: the options that are left (as bits), the active items, and their bounds unless 1..1."""

    __slots__ = ("active", "alive", "bounds")

    def __init__(self, alive: int, active: tuple[int, ...], bounds: Mapping[int, tuple[int, int]]) -> None:
        self.alive, self.active, self.bounds = alive, active, bounds


def branching_degree(left: int, low: int) -> int:
    """Return the number of branches of an item: ``left`` options are left, and at least ``low`` must be taken."""
    return max(0, left + 1 - low)


class Tree:
    """The search tree of a problem.

    ``options_of`` (as bits) has the options of each item, ``coloured`` those that give an item a colour, ``rows`` the
    items of each option with their colours.
    """

    def __init__(self, arrays: Arrays) -> None:
        primary, low, high, secondary, starts, items, colours = arrays
        self.primary = primary
        ranges = list(pairwise(starts))
        self.rows = [list(zip(items[start:end], colours[start:end], strict=True)) for start, end in ranges]
        size = len(self.rows) // 8 + 1
        bits = [bytearray(size) for _ in range(primary + secondary)]
        options_of: dict[tuple[int, int], bytearray] = defaultdict(lambda: bytearray(size))
        for option, (start, end) in enumerate(ranges):
            byte, bit = option >> 3, 1 << (option & 7)
            for item in items[start:end]:
                bits[item][byte] |= bit
            if any(colours[start:end]):
                for entry in self.rows[option]:
                    if entry[1]:
                        options_of[entry][byte] |= bit
        self.options_of = [int.from_bytes(options, "little") for options in bits]
        self.coloured = {pair: int.from_bytes(options, "little") for pair, options in options_of.items()}
        self._low, self._high, self._items = low, high, [*range(primary)]

    def leave_out_copies(self) -> None:
        """Leave out items with the options of an earlier item. No node branches on them, and no node is another one.

        Both items must be covered once, or once at most, and have no colours.
        """
        coloured, first, copies = {item for item, _ in self.coloured}, dict[int, int](), set[int]()
        for item, options in enumerate(self.options_of):
            once = item not in coloured if item >= self.primary else (self._low[item], self._high[item]) == ONCE
            if once and first.setdefault(options, item) != item:
                copies.add(item)
        self.rows = [[entry for entry in row if entry[0] not in copies] for row in self.rows]
        self._items = [item for item in self._items if item not in copies]

    def root(self) -> Node:
        """Return the node where a search begins."""
        alive = (1 << len(self.rows)) - 1
        for item in self._items:
            if self._high[item] == 0:
                alive &= ~self.options_of[item]
        active = tuple(item for item in self._items if self._high[item] > 0)
        bounds = {item: (self._low[item], self._high[item]) for item in active}
        return Node(alive, active, {item: bound for item, bound in bounds.items() if bound != ONCE})

    def choose(self, node: Node) -> tuple[int, int]:
        """Return the item to branch on and its branching degree; the item is -1 if the node is a cover."""
        alive, bounds, options_of = node.alive, node.bounds, self.options_of
        best, least = -1, 1 << 62
        waiting, fewest = -1, 1 << 62
        for item in node.active:
            degree = (alive & options_of[item]).bit_count()
            if item in bounds:
                low = bounds[item][0]
                if low == 0:
                    if 0 < degree < fewest:
                        waiting, fewest = item, degree
                    continue
                degree = branching_degree(degree, low)
            if degree < least:
                best, least = item, degree
                if degree == 0:
                    break
        if best < 0:
            return waiting, branching_degree(fewest, 0) if waiting >= 0 else 0
        return best, least

    def next_option(self, node: Node, item: int) -> int | None:
        """Return the option of the next branch, :data:`NONE` for no option, None if there is no such branch."""
        left = node.alive & self.options_of[item]
        low = node.bounds.get(item, ONCE)[0]
        if left and left.bit_count() >= low:
            return (left & -left).bit_length() - 1
        return None if low else NONE

    def exclude(self, node: Node, option: int) -> None:
        """Exclude an option from the branch that takes it, and from those after it."""
        node.alive &= ~(1 << option)

    def take(self, node: Node, option: int) -> Node:
        """Return the node below the branch that takes an option, which is already excluded."""
        alive, bounds, options_of = node.alive, node.bounds, self.options_of
        changed, done = None, set()
        for item, colour in self.rows[option]:
            if item >= self.primary:
                alive &= ~options_of[item] | self.coloured.get((item, colour), 0)
                continue
            low, high = bounds.get(item, ONCE)
            if high == 1:
                alive &= ~options_of[item]
                done.add(item)
            else:
                changed = changed or dict(bounds)
                changed[item] = (max(0, low - 1), high - 1)
        return Node(alive, tuple([item for item in node.active if item not in done]), changed or bounds)

    def close(self, node: Node, item: int) -> Node:
        """Return the node below the branch that takes no more options of an item."""
        return Node(node.alive, tuple([other for other in node.active if other != item]), node.bounds)
