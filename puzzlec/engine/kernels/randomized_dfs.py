"""Runs of a randomised depth-first search, in numba: for a first cover, not for all of them.

The tree is not that of the other kernels. Where an item has too few options left the branch ends at
once, in the middle of a removal, and the item gains weight. The item to branch on is that of least
degree divided by its weight ("dom/wdeg": Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic
search by weighting constraints", ECAI 2004), or of least degree alone, ties to the least ``rank``; in
a sweep it is that of least rank, unless an item has one branch only. The caller gives the ranks and
the order of the options.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.incidence import Incidence, Ints, mixed
from puzzlec.engine.kernels.jit import inner, jit

#: Which item is branched on: of least degree, of least degree by weight, of least rank.
LEAST, WEIGHTED, SWEEP = 0, 1, 2

# The fields of ``state`` (int64)
LEVEL, PHASE, NODES, SIZE, STANDING, STEPS = 0, 1, 2, 3, 4, 5

#: How a run stands: it goes on, a cover is found, or the whole tree is searched without one.
GOING_ON, FOUND, EXHAUSTED = 0, 1, 2

# Where the search goes on: at a fresh node, or at the next branch of a level
ENTER, TRY = 0, 1

# What a level does: it has begun no branch yet, or one without any further option of its item
FRESH, CLOSED = -2, -1

# The columns of ``levels`` (int32, a row a level): the item, the next place in its list of options, the
# option taken, how long the trail was before the level and is without the branch, how many items were
# active, and the room of the item
ITEM, CURSOR, TAKEN, BEFORE, WITHOUT, ACTIVE, HELD = 0, 1, 2, 3, 4, 5, 6


@jit
def remove(option: int, alive: Ints, left: Ints, need: Ints, row_starts: Ints, row_items: Ints) -> int:
    """Remove an option that is alive; return an item that has too few options left then, -1 for none."""
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
    """Leave out an active item; return how many are active then. Setting the number back undoes it."""
    place, last = places[item], active[size - 1]
    active[place], active[size - 1] = last, item
    places[last], places[item] = place, size - 1
    return size - 1


@jit
def plunge(
    row_starts: Ints,
    row_items: Ints,
    row_colours: Ints,
    item_starts: Ints,
    item_options: Ints,
    item_colours: Ints,
    primary: int,
    low: Ints,
    high: Ints,
    rule: int,
    rank: npt.NDArray[np.int64],
    weight: npt.NDArray[np.float64],
    alive: Ints,
    left: Ints,
    need: Ints,
    room: Ints,
    active: Ints,
    places: Ints,
    trail: Ints,
    levels: Ints,
    state: npt.NDArray[np.int64],
    budget: int,
) -> None:
    """Go on with a run for at most ``budget`` nodes, or until a cover is found or the tree exhausted.

    ``trail`` (int32) holds the options removed, in order. ``places`` (int32) is where an item stands in
    ``active``, of which ``state[SIZE]`` items are left.
    """
    level, phase, size = state[LEVEL], state[PHASE], state[SIZE]
    visited, standing, steps = 0, GOING_ON, 0
    while True:
        if phase == ENTER:
            steps += size
            if size == 0:
                standing = FOUND
                break
            best, score, first, dead = -1, 1e300, 0, False
            for k in range(size):
                item = active[k]
                degree = left[item] + 1 - need[item]
                if degree <= 0:
                    dead = True  # can be at the root only: below it, removals notice
                value = float(degree)
                if degree == 1:
                    value = 0.0  # forced, under every rule
                elif rule == WEIGHTED:
                    value /= weight[item]
                elif rule == SWEEP:
                    value = 2.0
                if value < score or (value == score and rank[item] < first):
                    best, score, first = item, value, rank[item]
            if dead:
                standing = EXHAUSTED
                break
            before = levels[level, BEFORE]
            levels[level, ITEM], levels[level, CURSOR], levels[level, TAKEN] = best, item_starts[best], FRESH
            levels[level, WITHOUT] = before
            levels[level, ACTIVE], levels[level, HELD] = size, room[best]
            phase = TRY
        if level < 0:
            standing, level = EXHAUSTED, 0
            break
        item, taken, length = levels[level, ITEM], levels[level, TAKEN], levels[level, WITHOUT]
        # The next option; those tried are excluded where the item may be covered several times.
        option, over = FRESH, taken == CLOSED
        if not over:
            for k in range(levels[level, CURSOR], item_starts[item + 1]):
                if alive[item_options[k]]:
                    option = item_options[k]
                    levels[level, CURSOR] = k + 1
                    break
            if option == FRESH and need[item] == 0:
                option = CLOSED
        if over or option == FRESH:
            # Leave the level: undo its exclusions, and the branch above that led to it.
            before = levels[level, BEFORE]
            for k in range(length - 1, before - 1, -1):
                restore(trail[k], alive, left, row_starts, row_items)
            level -= 1
            if level >= 0:
                back = True
            else:
                continue
        else:
            if visited >= budget:
                if option >= 0:
                    levels[level, CURSOR] -= 1
                break
            visited += 1
            levels[level, TAKEN] = option
            starved = -1
            if option == CLOSED:
                room[item] = 0
                size = drop(item, active, places, size)
            else:
                for j in range(row_starts[option], row_starts[option + 1]):
                    each = row_items[j]
                    if each < primary:
                        room[each] -= 1
                        need[each] = max(0, need[each] - 1)
                        if room[each] == 0:
                            size = drop(each, active, places, size)
                starved = remove(option, alive, left, need, row_starts, row_items)
                trail[length] = option
                length += 1
                j, last = row_starts[option], row_starts[option + 1]
                while j < last and starved < 0:
                    each, colour = row_items[j], row_colours[j]
                    j += 1
                    if each < primary and room[each] > 0:
                        continue
                    for k in range(item_starts[each], item_starts[each + 1]):
                        other = item_options[k]
                        if alive[other] and (colour == 0 or item_colours[k] != colour):
                            trail[length] = other
                            length += 1
                            starved = remove(other, alive, left, need, row_starts, row_items)
                            if starved >= 0:
                                break
            back = starved >= 0
            if back:
                weight[starved] += 1.0
                levels[level + 1, BEFORE] = length
            else:
                level += 1
                levels[level, BEFORE] = length
                phase = ENTER
        while back:
            # Undo the branch of this level; exclude its option, which may starve an item and end the level, too.
            back = False
            item, option = levels[level, ITEM], levels[level, TAKEN]
            length = levels[level, WITHOUT]
            for k in range(levels[level + 1, BEFORE] - 1, length - 1, -1):
                restore(trail[k], alive, left, row_starts, row_items)
                steps += row_starts[trail[k] + 1] - row_starts[trail[k]]
            size = levels[level, ACTIVE]
            if option == CLOSED:
                room[item] = levels[level, HELD]
                continue
            for j in range(row_starts[option], row_starts[option + 1]):
                each = row_items[j]
                if each < primary:
                    room[each] += 1
                    need[each] = max(0, low[each] - high[each] + room[each])
            if need[item] != 1 or room[item] != 1:
                trail[length] = option
                levels[level, WITHOUT] = length + 1
                if remove(option, alive, left, need, row_starts, row_items) >= 0:
                    for k in range(length, levels[level, BEFORE] - 1, -1):
                        restore(trail[k], alive, left, row_starts, row_items)
                    level -= 1
                    back = level >= 0
    state[LEVEL], state[PHASE], state[SIZE], state[STANDING] = level, phase, size, standing
    state[NODES] += visited
    state[STEPS] += steps


class Plunges:
    """Runs on a problem, one after the other, by the incidence of the problem. Weights last from run to run."""

    def __init__(self, root: Incidence) -> None:
        self.root, primary = root, root.primary
        self.weight = np.ones(max(root.count, 1), dtype=np.float64)
        depth = int(min(root.options, int(root.room[:primary].sum(dtype=np.int64)))) + primary + 2
        self.levels = np.zeros((depth + 1, 7), dtype=np.int32)
        self.trail = np.zeros(root.options + 1, dtype=np.int32)
        self.state = np.zeros(6, dtype=np.int64)
        self._lengths = np.diff(root.row_starts)
        self._owner = np.repeat(np.arange(root.count), np.diff(root.item_starts))

    def begin(self, seed: int, rule: int, shuffled: bool, long_first: bool) -> None:
        """Begin a run: the options are shuffled, perhaps longer ones first; the ranks of the items, too, if wanted."""
        root = self.root
        salt = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
        with np.errstate(over="ignore"):
            key = mixed(np.arange(root.options, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + mixed(salt))
            ranks = mixed(np.arange(root.count, dtype=np.uint64) * np.uint64(0xD1B54A32D192ED03) + mixed(~salt))
        key = key[root.item_options]
        columns = [key, -self._lengths[root.item_options]] if long_first else [key]
        order = np.lexsort((*columns, self._owner))
        self.item_options, self.item_colours = root.item_options[order], root.item_colours[order]
        self.rank = (ranks >> np.uint64(1)).astype(np.int64) if shuffled else np.arange(root.count, dtype=np.int64)
        self.rule = rule
        self.alive, self.left, self.need, self.room = (
            each.copy() for each in (root.alive, root.left, root.need, root.room)
        )
        self.active = root.active.copy()
        self.places = np.zeros(max(root.count, 1), dtype=np.int32)
        self.places[self.active] = np.arange(len(self.active))
        self.state[:] = 0, ENTER, 0, len(self.active), GOING_ON, 0
        self.levels[0, BEFORE] = 0

    def go_on(self, budget: int) -> int:
        """Search at most ``budget`` nodes; return how the run stands."""
        root = self.root
        plunge(
            root.row_starts, root.row_items, root.row_colours, root.item_starts, self.item_options, self.item_colours,
            root.primary, root.need, root.room, self.rule, self.rank, self.weight, self.alive, self.left, self.need,
            self.room, self.active, self.places, self.trail, self.levels, self.state, budget,
        )  # fmt: skip
        return int(self.state[STANDING])

    @property
    def nodes(self) -> int:
        """How many branches were taken in this run."""
        return int(self.state[NODES])

    @property
    def work(self) -> int:
        """A measure of the time taken in this run that is the same on every machine: some nanoseconds."""
        return 15 * int(self.state[STEPS])

    @property
    def taken(self) -> list[int]:
        """The options of the present path."""
        return [int(each) for each in self.levels[: int(self.state[LEVEL]), TAKEN] if each >= 0]
