"""Runs of a randomised depth-first search, in numba: for a first cover, not for all.

The tree is not that of the other kernels. If an item has too few options left, the branch ends at once, in the middle
of a removal, and the item gains weight. A run branches on the item of least degree, or of least degree divided by its
weight. The latter is "dom/wdeg" (Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting
constraints", ECAI 2004). Ties go to the least ``rank``. A sweep branches on the item of least rank, unless an item has
only one branch. The caller gives the ranks and the order of the options.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.incidence import Incidence, Ints, Remaining, mixed, moved, transpose
from puzzlec.engine.kernels.jit import inlined, inner, jit

#: Rules for the item to branch on: least degree, least degree by weight, least rank.
LEAST, WEIGHTED, SWEEP = 0, 1, 2

# The fields of ``state`` (int64)
LEVEL, PHASE, NODES, SIZE, STATUS, STEPS = 0, 1, 2, 3, 4, 5

#: The status of a run: unfinished, a cover is found, or the tree is exhausted without a cover.
UNFINISHED, FOUND, EXHAUSTED = 0, 1, 2

# Where the search continues: at a fresh node, or at the next branch of a level
ENTER, TRY = 0, 1

# States of a level: no branch has begun, or the branch without further options of the item
FRESH, CLOSED = -2, -1

# The columns of ``levels`` (int32, a row a level). CURSOR: the next position in the item's list of options. TAKEN: the
# option. BEFORE and WITHOUT: the length of the trail before the level, and without the branch. ACTIVE: the number of
# active items. HELD: the number of options that the item may still take.
ITEM, CURSOR, TAKEN, BEFORE, WITHOUT, ACTIVE, HELD = 0, 1, 2, 3, 4, 5, 6


class Heuristic(NamedTuple):
    """The choice of an item: a rule, and the ``rank`` (int64) and ``weight`` (float64) of each item."""

    rule: int
    rank: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float64]


class RandomizedPath(NamedTuple):
    """The path of a run (int32): the position of each item among the active ones, the removed options, the levels."""

    places: Ints
    trail: Ints
    levels: Ints


@inner
def remove(option: int, alive: Ints, left: Ints, need: Ints, row_starts: Ints, row_items: Ints) -> int:
    """Remove an option that is alive. Return an item that then has too few options, or -1."""
    alive[option] = 0
    starved = -1
    for j in range(row_starts[option], row_starts[option + 1]):
        item = row_items[j]
        left[item] -= 1
        if left[item] < need[item]:
            starved = item
    return starved


@inner
def restore(option: int, alive: Ints, left: Ints, row_starts: Ints, row_items: Ints) -> None:
    """Undo the removal of an option."""
    alive[option] = 1
    for j in range(row_starts[option], row_starts[option + 1]):
        left[row_items[j]] += 1


@inner
def drop(item: int, active: Ints, places: Ints, size: int) -> int:
    """Deactivate an item. Return the number of active items. To undo this, restore the old number."""
    place, last = places[item], active[size - 1]
    active[place], active[size - 1] = last, item
    places[last], places[item] = place, size - 1
    return size - 1


@inlined
def choose(heuristic: Heuristic, left: Ints, need: Ints, active: Ints, size: int) -> tuple[int, bool]:
    """Return the item to branch on, and whether an item has no branch."""
    rule, rank, weight = heuristic
    best, score, first, dead = -1, 1e300, 0, False
    for k in range(size):
        item = active[k]
        degree = left[item] + 1 - need[item]
        if degree <= 0:
            dead = True  # only at the root: below it, removals notice this
        value = float(degree)
        if degree == 1:
            value = 0.0  # forced, under every rule
        elif rule == WEIGHTED:
            value /= weight[item]
        elif rule == SWEEP:
            value = 2.0
        if value < score or (value == score and rank[item] < first):
            best, score, first = item, value, rank[item]
    return best, dead


@inlined
def next_option(levels: Ints, level: int, item_starts: Ints, item_options: Ints, alive: Ints, need: Ints) -> int:
    """Return the option of a level's next branch, CLOSED for no option, FRESH if there is no such branch."""
    if levels[level, TAKEN] == CLOSED:
        return FRESH
    item = levels[level, ITEM]
    for k in range(levels[level, CURSOR], item_starts[item + 1]):
        option = item_options[k]
        if alive[option]:
            levels[level, CURSOR] = k + 1
            return int(option)
    return CLOSED if need[item] == 0 else FRESH


@jit
def advance(
    incidence: Incidence,
    root: Remaining,
    heuristic: Heuristic,
    remaining: Remaining,
    path: RandomizedPath,
    state: npt.NDArray[np.int64],
    budget: int,
) -> None:
    """Continue a run for at most ``budget`` nodes, or until a cover is found or the tree is exhausted.

    ``state[SIZE]`` is the number of active items left.
    """
    primary, row_starts, row_items, row_colours, item_starts, item_options, item_colours = incidence
    low, high = root.need, root.room
    alive, left, need, room, active = remaining
    places, trail, levels = path
    level, phase, size = state[LEVEL], state[PHASE], state[SIZE]
    visited, status, steps = 0, UNFINISHED, 0
    while True:
        if phase == ENTER:
            steps += size
            if size == 0:
                status = FOUND
                break
            item, dead = choose(heuristic, left, need, active, size)
            if dead:
                status = EXHAUSTED
                break
            levels[level, ITEM], levels[level, CURSOR] = item, item_starts[item]
            levels[level, TAKEN], levels[level, WITHOUT] = FRESH, levels[level, BEFORE]
            levels[level, ACTIVE], levels[level, HELD] = size, room[item]
            phase = TRY
        if level < 0:
            status, level = EXHAUSTED, 0
            break
        option = next_option(levels, level, item_starts, item_options, alive, need)
        length = levels[level, WITHOUT]
        if option == FRESH:  # leave the level: undo its exclusions, and the branch above it
            for k in range(length - 1, levels[level, BEFORE] - 1, -1):
                restore(trail[k], alive, left, row_starts, row_items)
            level -= 1
        else:
            if visited >= budget:
                if option >= 0:
                    levels[level, CURSOR] -= 1
                break
            visited += 1
            levels[level, TAKEN] = option
            starved = -1
            if option == CLOSED:
                item = levels[level, ITEM]
                room[item] = 0
                size = drop(item, active, places, size)
            else:
                for j in range(row_starts[option], row_starts[option + 1]):
                    covered = row_items[j]
                    if covered < primary:
                        room[covered] -= 1
                        need[covered] = max(0, need[covered] - 1)
                        if room[covered] == 0:
                            size = drop(covered, active, places, size)
                starved = remove(option, alive, left, need, row_starts, row_items)
                trail[length] = option
                length += 1
                j, last = row_starts[option], row_starts[option + 1]
                while j < last and starved < 0:
                    covered, colour = row_items[j], row_colours[j]
                    j += 1
                    if covered < primary and room[covered] > 0:
                        continue
                    for k in range(item_starts[covered], item_starts[covered + 1]):
                        other = item_options[k]
                        if alive[other] and (colour == 0 or item_colours[k] != colour):
                            trail[length] = other
                            length += 1
                            starved = remove(other, alive, left, need, row_starts, row_items)
                            if starved >= 0:
                                break
            levels[level + 1, BEFORE] = length
            if starved < 0:
                level += 1
                phase = ENTER
                continue
            heuristic.weight[starved] += 1.0
        # Undo the branch of this level. Exclude its option, which may also starve an item and end the level.
        while level >= 0:
            item, option = levels[level, ITEM], levels[level, TAKEN]
            length = levels[level, WITHOUT]
            for k in range(levels[level + 1, BEFORE] - 1, length - 1, -1):
                restore(trail[k], alive, left, row_starts, row_items)
                steps += row_starts[trail[k] + 1] - row_starts[trail[k]]
            size = levels[level, ACTIVE]
            if option == CLOSED:
                room[item] = levels[level, HELD]
                break
            for j in range(row_starts[option], row_starts[option + 1]):
                covered = row_items[j]
                if covered < primary:
                    room[covered] += 1
                    need[covered] = max(0, low[covered] - high[covered] + room[covered])
            if need[item] == 1 and room[item] == 1:
                break
            trail[length] = option
            levels[level, WITHOUT] = length + 1
            if remove(option, alive, left, need, row_starts, row_items) < 0:
                break
            for k in range(length, levels[level, BEFORE] - 1, -1):
                restore(trail[k], alive, left, row_starts, row_items)
            level -= 1
    state[LEVEL], state[PHASE], state[SIZE], state[STATUS] = level, phase, size, status
    state[NODES] += visited
    state[STEPS] += steps


def in_order(incidence: Incidence, order: Ints) -> Incidence:
    """Return an incidence whose items have their options in this order of all options."""
    starts, places = moved(order, incidence.row_starts)
    items, colours = incidence.row_items[places], incidence.row_colours[places]
    item_starts, item_options = np.zeros_like(incidence.item_starts), np.empty_like(incidence.item_options)
    item_colours = np.zeros_like(incidence.item_colours)
    transpose(starts, items, colours, item_starts, item_options, item_colours, bool(colours.any()))
    return incidence._replace(item_options=order[item_options], item_colours=item_colours)


class RandomizedRun(ABC):
    """A run of a randomised search, in slices. ``state`` has the fields above."""

    state: npt.NDArray[np.int64]

    @abstractmethod
    def _search(self, budget: int) -> None:
        """Search at most ``budget`` nodes."""

    def advance(self, budget: int) -> int:
        """Search at most ``budget`` nodes. Return the status of the run."""
        self._search(budget)
        return int(self.state[STATUS])

    @property
    def nodes(self) -> int:
        """Number of branches taken in this run."""
        return int(self.state[NODES])

    @property
    @abstractmethod
    def work(self) -> int:
        """The work of this run, roughly in nanoseconds. It is the same on every machine."""

    @property
    @abstractmethod
    def taken(self) -> list[int]:
        """The options of the current path."""


class RandomizedDfs(RandomizedRun):
    """Consecutive runs on a problem, from its incidence. Weights last from run to run."""

    def __init__(self, incidence: Incidence, root: Remaining) -> None:
        self.incidence, self.root = incidence, root
        self.weight = np.ones(max(incidence.total, 1), dtype=np.float64)
        primary = incidence.primary
        depth = int(min(incidence.options, int(root.room[:primary].sum(dtype=np.int64)))) + primary + 2
        self.path = RandomizedPath(
            places=np.zeros(max(incidence.total, 1), dtype=np.int32),
            trail=np.zeros(incidence.options + 1, dtype=np.int32),
            levels=np.zeros((depth + 1, 7), dtype=np.int32),
        )
        self.state = np.zeros(6, dtype=np.int64)
        self._lengths = np.diff(incidence.row_starts)

    def begin(self, seed: int, rule: int, shuffled: bool, long_first: bool) -> None:
        """Begin a run with shuffled options, longer ones first if wanted. ``shuffled`` also shuffles the ranks."""
        incidence, count = self.incidence, self.incidence.total
        salt = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
        with np.errstate(over="ignore"):
            key = mixed(np.arange(incidence.options, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + mixed(salt))
            ranks = mixed(np.arange(count, dtype=np.uint64) * np.uint64(0xD1B54A32D192ED03) + mixed(~salt))
        order = np.lexsort((key, -self._lengths)) if long_first else np.argsort(key, kind="stable")
        self.shuffled = in_order(incidence, order.astype(np.int32))
        rank = (ranks >> np.uint64(1)).astype(np.int64) if shuffled else np.arange(count, dtype=np.int64)
        self.heuristic = Heuristic(rule, rank, self.weight)
        self.remaining = self.root.copy()
        size = len(self.root.active)
        self.path.places[self.root.active] = np.arange(size)
        self.state[:] = 0, ENTER, 0, size, UNFINISHED, 0
        self.path.levels[0, BEFORE] = 0

    def _search(self, budget: int) -> None:
        advance(self.shuffled, self.root, self.heuristic, self.remaining, self.path, self.state, budget)

    @property
    def work(self) -> int:
        """15 nanoseconds for each step."""
        return 15 * int(self.state[STEPS])

    @property
    def taken(self) -> list[int]:
        """The options of the current path."""
        return [int(option) for option in self.path.levels[: int(self.state[LEVEL]), TAKEN] if option >= 0]
