"""Runs of a randomised sweep, in numba: always the first item that is not covered, with bit sets of options.

The items are covered in their order. The options are sorted by their first item, so those for the item
at hand are a short range, and taking one is ``alive & keep``, from there on: nothing is counted, nothing
has to be undone. This sees far less than a search by least degree, and takes more nodes; but a node is
some hundred times cheaper where options are long (squares in a square), and boards that are filled row
by row need little more.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.incidence import Incidence, Ints, mixed
from puzzlec.engine.kernels.jit import jit
from puzzlec.engine.kernels.randomized_dfs import ENTER, EXHAUSTED, FOUND, GOING_ON, LEVEL, NODES, PHASE, STANDING, TRY
from puzzlec.engine.kernels.words import lowest

Words = npt.NDArray[np.uint64]


@jit
def fill_keep(
    row_starts: Ints,
    row_items: Ints,
    row_colours: Ints,
    item_starts: Ints,
    item_options: Ints,
    item_colours: Ints,
    counter: Ints,
    place: Ints,
    keep: Words,
) -> None:
    """Clear in ``keep[place of o]`` the places of all options that cannot stand beside option ``o``."""
    one, last = np.uint64(1), np.uint64(63)
    for option in range(len(row_starts) - 1):
        row = keep[place[option]]
        for j in range(row_starts[option], row_starts[option + 1]):
            item, colour = row_items[j], row_colours[j]
            if counter[item] >= 0:
                continue
            for k in range(item_starts[item], item_starts[item + 1]):
                if colour == 0 or item_colours[k] != colour:
                    other = place[item_options[k]]
                    row[other >> 6] &= ~(one << (np.uint64(other) & last))
        own = place[option]
        row[own >> 6] &= ~(one << (np.uint64(own) & last))


@jit
def sweep(
    keep: Words,
    having: Words,
    covering: Words,
    groups: Ints,
    order: Ints,
    bounded_starts: Ints,
    bounded: Ints,
    alive: Words,
    open_items: Words,
    cursor: Ints,
    item_at: Ints,
    taken: Ints,
    need: Ints,
    room: Ints,
    state: npt.NDArray[np.int64],
    budget: int,
) -> None:
    """Go on with a run for at most ``budget`` nodes, or until a cover is found or the tree exhausted.

    ``keep`` (a row an option), ``having`` (a row an item with bounds) and ``alive`` (a row a level) are sets
    of options; ``covering`` (a row an option) and ``open_items`` (a row a level) sets of items of bounds
    1..1. ``groups`` gives the range in ``order`` of the options by their first item. ``bounded`` lists
    the items of an option with other bounds, of which ``need`` and ``room`` options must and may be taken.
    """
    level, phase = state[LEVEL], state[PHASE]
    words, item_words = alive.shape[1], open_items.shape[1]
    visited, standing = 0, GOING_ON
    one, last = np.uint64(1), np.uint64(63)
    while True:
        if phase == ENTER:
            item = -1
            for w in range(item_words):
                if open_items[level, w]:
                    item = 64 * w + int(lowest(open_items[level, w]))
                    break
            phase = TRY
            if item >= 0:
                item_at[level], cursor[level] = item, groups[item]
            else:
                satisfied = True
                for j in range(len(need)):
                    satisfied &= need[j] <= 0
                if satisfied:
                    standing, phase = FOUND, ENTER
                    break
                level -= 1
                if level >= 0:
                    for j in range(bounded_starts[taken[level]], bounded_starts[taken[level] + 1]):
                        need[bounded[j]] += 1
                        room[bounded[j]] += 1
        if level < 0:
            standing, level = EXHAUSTED, 0
            break
        end = groups[item_at[level] + 1]
        option, at = -1, cursor[level]
        while at < end:
            each = order[at]
            if (alive[level, each >> 6] >> (np.uint64(each) & last)) & one:
                option = each
                break
            at += 1
        if option < 0:
            level -= 1
            if level >= 0:
                for j in range(bounded_starts[taken[level]], bounded_starts[taken[level] + 1]):
                    need[bounded[j]] += 1
                    room[bounded[j]] += 1
            continue
        if visited >= budget:
            cursor[level] = at
            break
        visited += 1
        cursor[level] = at + 1
        taken[level] = option
        # Options before this group are out of play: their first items are covered.
        for w in range(groups[item_at[level]] >> 6, words):
            alive[level + 1, w] = alive[level, w] & keep[option, w]
        for w in range(item_words):
            open_items[level + 1, w] = open_items[level, w] & ~covering[option, w]
        for j in range(bounded_starts[option], bounded_starts[option + 1]):
            each = bounded[j]
            need[each] -= 1
            room[each] -= 1
            if room[each] == 0:
                for w in range(words):
                    alive[level + 1, w] &= ~having[each, w]
        level += 1
        phase = ENTER
    state[LEVEL], state[PHASE], state[STANDING] = level, phase, standing
    state[NODES] += visited


class Sweeps:
    """Runs on a problem, one after the other, by the incidence of the problem; every option needs an item of 1..1."""

    def __init__(self, root: Incidence) -> None:
        self.root = root
        primary, options = root.primary, root.options
        once = (root.need[:primary] == 1) & (root.room[:primary] == 1)
        counter = np.full(max(root.count, 1), -1, dtype=np.int32)
        many = np.flatnonzero(~once)
        counter[many] = np.arange(len(many))
        # Items of bounds 1..1 by number; the first one of each option
        column = np.full(max(root.count, 1), np.iinfo(np.int32).max, dtype=np.int64)
        column[:primary][once] = np.arange(int(once.sum()))
        columns = int(once.sum())
        first = np.minimum.reduceat(column[root.row_items], root.row_starts[:-1])
        self.lengths = np.diff(root.row_starts)
        self.by_place = np.argsort(first, kind="stable").astype(np.int32)
        place = np.empty(options, dtype=np.int32)
        place[self.by_place] = np.arange(options, dtype=np.int32)
        self.groups = np.searchsorted(first[self.by_place], np.arange(columns + 1)).astype(np.int32)
        words, item_words = -(-options // 64), max(1, -(-columns // 64))
        self.keep = np.full((options, words), ~np.uint64(0), dtype=np.uint64)
        fill_keep(*root.arrays, counter, place, self.keep)
        owner = np.repeat(place.astype(np.int64), self.lengths)
        self.covering = np.zeros((options, item_words), dtype=np.uint64)
        inside = np.flatnonzero(column[root.row_items] < columns)
        marked = column[root.row_items[inside]]
        np.bitwise_or.at(self.covering, (owner[inside], marked // 64), np.uint64(1) << (marked % 64).astype(np.uint64))
        self.having = np.zeros((max(len(many), 1), words), dtype=np.uint64)
        outside = np.flatnonzero(counter[root.row_items] >= 0)
        rows, at = counter[root.row_items[outside]], owner[outside]
        np.bitwise_or.at(self.having, (rows, at // 64), np.uint64(1) << (at % 64).astype(np.uint64))
        by_owner = np.argsort(at, kind="stable")
        self.bounded = rows[by_owner].astype(np.int32)
        self.bounded_starts = np.searchsorted(at[by_owner], np.arange(options + 1)).astype(np.int32)
        self.low, self.high = root.need[many], root.room[many]
        depth = columns + 2
        self.alive = np.zeros((depth, words), dtype=np.uint64)
        self.open_items = np.zeros((depth, item_words), dtype=np.uint64)
        self.open_items[0] = np.bitwise_or.reduce(
            np.uint64(1) << (np.arange(64 * item_words).reshape(-1, 64) % 64).astype(np.uint64), axis=1
        )
        if columns % 64 or not columns:
            self.open_items[0, -1] = (1 << columns % 64) - 1
        living = root.alive[self.by_place] > 0
        padded = np.zeros(64 * words, dtype=np.uint64)
        padded[:options] = living
        self.alive[0] = np.bitwise_or.reduce(padded.reshape(-1, 64) << np.arange(64, dtype=np.uint64), axis=1)
        self.cursor, self.item_at, self.taken_at = (np.zeros(depth, dtype=np.int32) for _ in range(3))
        self.state = np.zeros(5, dtype=np.int64)

    @staticmethod
    def suit(root: Incidence) -> bool:
        """Whether sweeps can search a problem: every option has an item of bounds 1..1, and the sets fit in memory."""
        once = np.zeros(max(root.count, 1), dtype=bool)
        once[: root.primary] = (root.need[: root.primary] == 1) & (root.room[: root.primary] == 1)
        if not 0 < root.options <= 24_000:
            return False
        return bool(np.logical_or.reduceat(once[root.row_items], root.row_starts[:-1]).all())

    def begin(self, seed: int, long_first: bool) -> None:
        """Begin a run: the options of an item are shuffled, perhaps longer ones first."""
        with np.errstate(over="ignore"):
            key = mixed(np.arange(self.root.options, dtype=np.uint64) + mixed(np.uint64(seed & 0xFFFFFFFFFFFFFFFF)))
        group = np.repeat(np.arange(len(self.groups) - 1), np.diff(self.groups))
        columns = [key, -self.lengths[self.by_place]] if long_first else [key]
        self.order = np.lexsort((*columns, group)).astype(np.int32)
        self.need, self.room = self.low.copy(), self.high.copy()
        self.state[:] = 0, ENTER, 0, 0, GOING_ON

    def go_on(self, budget: int) -> int:
        """Search at most ``budget`` nodes; return how the run stands."""
        sweep(
            self.keep, self.having, self.covering, self.groups, self.order, self.bounded_starts, self.bounded,
            self.alive, self.open_items, self.cursor, self.item_at, self.taken_at, self.need, self.room,
            self.state, budget,
        )  # fmt: skip
        return int(self.state[STANDING])

    @property
    def nodes(self) -> int:
        """How many branches were taken in this run."""
        return int(self.state[NODES])

    @property
    def work(self) -> int:
        """A measure of the time taken in this run that is the same on every machine: some nanoseconds."""
        return self.nodes * (8 + self.alive.shape[1] + self.open_items.shape[1])

    @property
    def taken(self) -> list[int]:
        """The options of the present path."""
        return [int(self.by_place[each]) for each in self.taken_at[: int(self.state[LEVEL])]]
