"""The kernel in plain Python: sets of options as long integers. It starts at once and needs no numba.

A level holds the set of options that are still possible. Taking an option removes those that share an
exhausted primary item with it, or a secondary item in another colour; nothing has to be undone.
"""

from __future__ import annotations

from collections.abc import Sequence


class PythonKernel:
    """See the package for what a kernel does. All arguments are sequences of integers."""

    def __init__(
        self,
        primary: int,
        low: Sequence[int],
        high: Sequence[int],
        secondary: int,
        starts: Sequence[int],
        items: Sequence[int],
        colours: Sequence[int],
    ) -> None:
        self.primary = primary
        self.rows = [
            [(items[k], colours[k]) for k in range(starts[option], starts[option + 1])]
            for option in range(len(starts) - 1)
        ]
        # The options that have an item, and those that have it with a certain colour.
        pairs = {(item, colour) for row in self.rows for item, colour in row if colour}
        bits = {each: bytearray(len(self.rows) // 8 + 1) for each in [*range(primary + secondary), *pairs]}
        for option, row in enumerate(self.rows):
            for item, colour in row:
                for each in (item, (item, colour)) if colour else (item,):
                    bits[each][option >> 3] |= 1 << (option & 7)
        self.having = [int.from_bytes(bits[item], "little") for item in range(primary + secondary)]
        self.coloured = {pair: int.from_bytes(bits[pair], "little") for pair in pairs}
        # More than the item's options plus what is needed cannot be taken.
        high = [
            min(most, max(mask.bit_count(), least)) for most, least, mask in zip(high, low, self.having, strict=False)
        ]
        self.nodes_visited = 0
        self.finished = False
        self.profile: list[int] = []
        active = tuple(item for item in range(primary) if high[item] > 0)
        alive = (1 << len(self.rows)) - 1
        for item in range(primary):
            if high[item] == 0:
                alive &= ~self.having[item]
        self.path: list[int] = []
        self.stack: list[_Level] = []
        self._fresh: tuple[int, tuple[int, ...], dict[int, tuple[int, int]]] | None = (
            alive,
            active,
            {item: (low[item], high[item]) for item in active if (low[item], high[item]) != (1, 1)},
        )

    def covers(self, budget: int) -> list[tuple[int, ...]]:
        """Search at most ``budget`` nodes and return the covers found, their options ascending."""
        found: list[tuple[int, ...]] = []
        self._search(budget, found)
        return found

    def count(self, budget: int) -> int:
        """Search at most ``budget`` nodes and return how many covers were found."""
        return self._search(budget, None)

    def position(self) -> list[tuple[int, int]]:
        """Return for each level of the current path how many branches are done, and how many it has at most."""
        # A branch that was begun is not done; all levels but the last have one, the last where a node is fresh.
        begun = len(self.stack) - (self._fresh is None)
        return [(level.tried - (k < begun), level.degree) for k, level in enumerate(self.stack)]

    def _search(self, budget: int, found: list[tuple[int, ...]] | None) -> int:
        number = 0
        while not self.finished:
            if self._fresh is not None:
                alive, active, bounds = self._fresh
                self._fresh = None
                if not active:
                    number += 1
                    if found is not None:
                        found.append(tuple(sorted(option for option in self.path if option >= 0)))
                else:
                    item, degree = self._choose(alive, active, bounds)
                    if degree:
                        self.stack.append(_Level(item, degree, alive, active, bounds))
                        if len(self.profile) < len(self.stack):
                            self.profile.append(0)
            if not self.stack:
                self.finished = True
            elif budget <= 0:
                break
            else:
                budget -= self._advance(self.stack[-1])
        return number

    def _choose(self, alive: int, active: tuple[int, ...], bounds: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """Return the item of least branching degree, the lowest of several, and the degree."""
        best, least = -1, 1 << 62
        for item in active:
            degree = (alive & self.having[item]).bit_count()
            if item in bounds:
                degree = max(0, degree + 1 - bounds[item][0])
            if degree < least:
                best, least = item, degree
                if degree == 0:
                    break
        return best, least

    def _advance(self, level: _Level) -> int:
        """Take the next branch of a level, or leave it; return how many nodes that was."""
        del self.path[len(self.stack) - 1 :]
        item, left = level.item, level.alive & self.having[level.item]
        low, high = level.bounds.get(item, (1, 1))
        if left.bit_count() >= max(low, 1):
            option = (left & -left).bit_length() - 1
            self._visit(level)
            self.path.append(option)
            level.alive &= ~(1 << option)
            self._fresh = self._take(option, level)
            return 1
        if low == 0 and high > 0 and not level.closed:
            level.closed = True
            self._visit(level)
            self.path.append(-1)
            self._fresh = (level.alive, tuple(each for each in level.active if each != item), level.bounds)
            return 1
        self.stack.pop()
        return 0

    def _visit(self, level: _Level) -> None:
        level.tried += 1
        self.nodes_visited += 1
        self.profile[len(self.stack) - 1] += 1

    def _take(self, option: int, level: _Level) -> tuple[int, tuple[int, ...], dict[int, tuple[int, int]]]:
        """Return what is left to do when an option is taken; earlier ones of the level stay excluded."""
        alive, bounds, done = level.alive, level.bounds, []
        for item, colour in self.rows[option]:
            if item >= self.primary:
                alive &= ~self.having[item] | self.coloured.get((item, colour), 0)
                continue
            low, high = bounds.get(item, (1, 1))
            if high == 1:
                alive &= ~self.having[item]
                done.append(item)
            else:
                if bounds is level.bounds:
                    bounds = dict(bounds)
                bounds[item] = (max(0, low - 1), high - 1)
        return alive, tuple(each for each in level.active if each not in done), bounds


class _Level:
    """A node of the tree: what is still possible, and the item that is branched on."""

    __slots__ = ("active", "alive", "bounds", "closed", "degree", "item", "tried")

    def __init__(
        self, item: int, degree: int, alive: int, active: tuple[int, ...], bounds: dict[int, tuple[int, int]]
    ) -> None:
        self.item, self.degree, self.alive, self.active, self.bounds = item, degree, alive, active, bounds
        self.closed, self.tried = False, 0
