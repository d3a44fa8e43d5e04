"""Runs of a randomised search in a fixed order, in numba: it always branches on the first uncovered item.

Items are covered in their order. Options are sorted by their first item, so the options of the current item are a short
range. To take an option, the search computes ``alive & compatible`` from that range on. Nothing is counted or undone.
This search looks ahead far less than a search by least degree, and visits more nodes. But a node is some hundred
times cheaper if options are long (squares in a square). Boards that are filled row by row need few additional nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.incidence import Incidence, Ints, Remaining, mixed
from puzzlec.engine.kernels.jit import inlined, jit
from puzzlec.engine.kernels.randomized_dfs import (
    ENTER,
    EXHAUSTED,
    FOUND,
    LEVEL,
    NODES,
    PHASE,
    STATUS,
    TRY,
    UNFINISHED,
    Run,
)  # fmt: skip
from puzzlec.engine.kernels.words import lowest

Words = npt.NDArray[np.uint64]

ONE, LAST = np.uint64(1), np.uint64(63)


class Tables(NamedTuple):
    """The constant data of a problem. Only ``order`` changes, from run to run.

    - ``compatible`` (one row per option), ``options_of`` (one row per item with bounds): sets of options
    - ``covering`` (one row per option): sets of items of bounds 1..1
    - ``groups``: ranges in ``order`` of the options with the same first item
    - ``bounded_starts``, ``bounded``: the items of each option with other bounds
    """

    compatible: Words
    options_of: Words
    covering: Words
    groups: Ints
    order: Ints
    bounded_starts: Ints
    bounded: Ints


class Levels(NamedTuple):
    """The levels of a run. Each has a row of ``alive`` (options) and of ``open_items`` (items of bounds 1..1).

    ``cursor`` is the next position in the order, ``branched`` the item, ``taken`` the option of a level. ``need`` and
    ``room`` are the numbers of options of an item with other bounds that must and may still be taken.
    """

    alive: Words
    open_items: Words
    cursor: Ints
    branched: Ints
    taken: Ints
    need: Ints
    room: Ints


@jit
def fill_compatible(incidence: Incidence, counter: Ints, place: Ints, compatible: Words) -> None:
    """Clear in ``compatible[position of o]`` the positions of all options that option ``o`` excludes."""
    _, row_starts, row_items, row_colours, item_starts, item_options, item_colours = incidence
    for option in range(len(row_starts) - 1):
        row = compatible[place[option]]
        for j in range(row_starts[option], row_starts[option + 1]):
            item, colour = row_items[j], row_colours[j]
            if counter[item] >= 0:
                continue
            for k in range(item_starts[item], item_starts[item + 1]):
                if colour == 0 or item_colours[k] != colour:
                    other = place[item_options[k]]
                    row[other >> 6] &= ~(ONE << (np.uint64(other) & LAST))
        here = place[option]
        row[here >> 6] &= ~(ONE << (np.uint64(here) & LAST))


@inlined
def first_open(open_items: Words, level: int) -> int:
    """Return the first open item of a level, or -1."""
    for w in range(open_items.shape[1]):
        if open_items[level, w]:
            return 64 * w + int(lowest(open_items[level, w]))
    return -1


@inlined
def give_back(option: int, bounded_starts: Ints, bounded: Ints, need: Ints, room: Ints) -> None:
    """Undo the effect of an option on the items with bounds other than 1..1."""
    for j in range(bounded_starts[option], bounded_starts[option + 1]):
        need[bounded[j]] += 1
        room[bounded[j]] += 1


@jit
def advance(tables: Tables, levels: Levels, state: npt.NDArray[np.int64], budget: int) -> None:
    """Continue a run for at most ``budget`` nodes, or until a cover is found or the tree is exhausted."""
    compatible, options_of, covering, groups, order, bounded_starts, bounded = tables
    alive, open_items, cursor, branched, taken, need, room = levels
    level, phase = state[LEVEL], state[PHASE]
    words, item_words = alive.shape[1], open_items.shape[1]
    visited, status = 0, UNFINISHED
    while True:
        if phase == ENTER:
            item = first_open(open_items, level)
            phase = TRY
            if item >= 0:
                branched[level], cursor[level] = item, groups[item]
            elif np.all(need <= 0):
                status, phase = FOUND, ENTER
                break
            else:
                level -= 1
                if level >= 0:
                    give_back(taken[level], bounded_starts, bounded, need, room)
        if level < 0:
            status, level = EXHAUSTED, 0
            break
        end = groups[branched[level] + 1]
        option, at = -1, cursor[level]
        while at < end:
            candidate = order[at]
            if (alive[level, candidate >> 6] >> (np.uint64(candidate) & LAST)) & ONE:
                option = candidate
                break
            at += 1
        if option < 0:
            level -= 1
            if level >= 0:
                give_back(taken[level], bounded_starts, bounded, need, room)
            continue
        if visited >= budget:
            cursor[level] = at
            break
        visited += 1
        cursor[level] = at + 1
        taken[level] = option
        # Options before this group are out of play: their first items are covered.
        for w in range(groups[branched[level]] >> 6, words):
            alive[level + 1, w] = alive[level, w] & compatible[option, w]
        for w in range(item_words):
            open_items[level + 1, w] = open_items[level, w] & ~covering[option, w]
        for j in range(bounded_starts[option], bounded_starts[option + 1]):
            column = bounded[j]
            need[column] -= 1
            room[column] -= 1
            if room[column] == 0:
                for w in range(words):
                    alive[level + 1, w] &= ~options_of[column, w]
        level += 1
        phase = ENTER
    state[LEVEL], state[PHASE], state[STATUS] = level, phase, status
    state[NODES] += visited


class FixedOrderDfs(Run):
    """Consecutive runs on a problem, from its incidence. Every option needs an item of bounds 1..1."""

    def __init__(self, incidence: Incidence, root: Remaining) -> None:
        primary, options = incidence.primary, incidence.options
        once = (root.need[:primary] == 1) & (root.room[:primary] == 1)
        counter = np.full(max(incidence.total, 1), -1, dtype=np.int32)
        many = np.flatnonzero(~once)
        counter[many] = np.arange(len(many))
        # The items of bounds 1..1 by number, and the first one of each option
        column = np.full(max(incidence.total, 1), np.iinfo(np.int32).max, dtype=np.int64)
        column[:primary][once] = np.arange(int(once.sum()))
        columns = int(once.sum())
        first = np.minimum.reduceat(column[incidence.row_items], incidence.row_starts[:-1])
        lengths = np.diff(incidence.row_starts)
        self.by_place = np.argsort(first, kind="stable").astype(np.int32)
        self.lengths = lengths[self.by_place]
        place = np.empty(options, dtype=np.int32)
        place[self.by_place] = np.arange(options, dtype=np.int32)
        groups = np.searchsorted(first[self.by_place], np.arange(columns + 1)).astype(np.int32)
        words, item_words = -(-options // 64), max(1, -(-columns // 64))
        compatible = np.full((options, words), ~np.uint64(0), dtype=np.uint64)
        fill_compatible(incidence, counter, place, compatible)
        owner = np.repeat(place.astype(np.int64), lengths)
        inside = np.flatnonzero(column[incidence.row_items] < columns)
        covering = _sets(options, item_words, owner[inside], column[incidence.row_items[inside]])
        outside = np.flatnonzero(counter[incidence.row_items] >= 0)
        rows, at = counter[incidence.row_items[outside]], owner[outside]
        options_of = _sets(max(len(many), 1), words, rows, at)
        by_owner = np.argsort(at, kind="stable")
        bounded_starts = np.searchsorted(at[by_owner], np.arange(options + 1)).astype(np.int32)
        self.tables = Tables(
            compatible, options_of, covering, groups, self.by_place, bounded_starts, rows[by_owner].astype(np.int32)
        )
        self.low, self.high = root.need[many], root.room[many]
        depth = columns + 2
        cursor, branched, taken = (np.zeros(depth, dtype=np.int32) for _ in range(3))
        alive, open_items = np.zeros((depth, words), np.uint64), np.zeros((depth, item_words), np.uint64)
        alive[:1] = _sets(1, words, 0, np.flatnonzero(root.alive[self.by_place]))
        open_items[:1] = _sets(1, item_words, 0, np.arange(columns))
        self.levels = Levels(alive, open_items, cursor, branched, taken, self.low.copy(), self.high.copy())
        self.state = np.zeros(5, dtype=np.int64)

    @staticmethod
    def suits(incidence: Incidence, root: Remaining) -> bool:
        """Return whether runs suit a problem: each option has an item of bounds 1..1, and the sets fit in memory."""
        once = np.zeros(max(incidence.total, 1), dtype=bool)
        primary = incidence.primary
        once[:primary] = (root.need[:primary] == 1) & (root.room[:primary] == 1)
        if not 0 < incidence.options <= 24_000:
            return False
        return bool(np.logical_or.reduceat(once[incidence.row_items], incidence.row_starts[:-1]).all())

    def begin(self, seed: int, long_first: bool) -> None:
        """Begin a run: shuffle the options of each item, with ``long_first`` the longer ones first."""
        groups, options = self.tables.groups, len(self.by_place)
        with np.errstate(over="ignore"):
            key = mixed(np.arange(options, dtype=np.uint64) + mixed(np.uint64(seed & 0xFFFFFFFFFFFFFFFF)))
        group = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
        columns = [key, -self.lengths] if long_first else [key]
        self.tables = self.tables._replace(order=np.lexsort((*columns, group)).astype(np.int32))
        self.levels.need[:], self.levels.room[:] = self.low, self.high
        self.state[:] = 0, ENTER, 0, 0, UNFINISHED

    def _search(self, budget: int) -> None:
        advance(self.tables, self.levels, self.state, budget)

    @property
    def work(self) -> int:
        """A nanosecond for each word of a level, and eight more for each node."""
        words: int = self.levels.alive.shape[1] + self.levels.open_items.shape[1]
        return self.nodes * (8 + words)

    @property
    def taken(self) -> list[int]:
        """The options of the current path."""
        return [int(self.by_place[place]) for place in self.levels.taken[: int(self.state[LEVEL])]]


def _sets(count: int, words: int, rows: npt.ArrayLike, members: npt.NDArray[np.int64]) -> Words:
    """Return ``count`` sets as words. ``members[k]`` is in set ``rows[k]``."""
    sets = np.zeros((count, words), dtype=np.uint64)
    np.bitwise_or.at(sets, (np.asarray(rows), members // 64), np.uint64(1) << (members % 64).astype(np.uint64))
    return sets
