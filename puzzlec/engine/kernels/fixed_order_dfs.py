"""Runs of a randomised search in a fixed order, in numba: it always branches on the first uncovered item.

The order of the items is one that keeps the border between covered and uncovered items short
(:func:`~puzzlec.engine.kernels.layers.arrange`): boards are filled row by row. Options are sorted by their first item.
The state is a set of bits: one for each item, and two for each binary digit of a colour. An option has the few words of
this set in which it has bits, so it is tested, taken and given back in some nanoseconds. Nothing is counted.

This search looks ahead far less than a search by least degree, and visits more nodes. But a node is some hundred
times cheaper if options are long (squares in a square). Boards that are filled row by row need few additional nodes.
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels import layers
from puzzlec.engine.kernels.incidence import Incidence, Ints, Remaining, mixed, moved
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
    RandomizedRun,
)  # fmt: skip
from puzzlec.engine.kernels.words import get, lowest, put

Words = npt.NDArray[np.uint64]
Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

BITS_OF_WORD = 64

#: Further fields of the state of a run: the number of kept words, and the options that did not fit
TOP, TESTS = 5, 6

#: Problems have at most this many entries: a run needs about thirty bytes for each.
MOST_ENTRIES = 1 << 24


class OrderTables(NamedTuple):
    """The constant data of a run, with the options in its order.

    - ``groups``: ranges of the options with the same first item
    - ``starts``, ``words``: for each option the words of the state in which it has bits
    - ``sets``, ``forbids``: the bits that an option sets in a word, and those that nothing may have set before
    - ``bounded_starts``, ``bounded``: the items of each option with bounds other than 1..1
    """

    groups: Ints
    starts: Ints
    words: Ints
    sets: Words
    forbids: Words
    bounded_starts: Ints
    bounded: Ints


class OrderLevels(NamedTuple):
    """The state of a run, and its levels.

    ``used`` is the state: the first bits are those of the items of bounds 1..1, in their order. ``need`` and ``room``
    are the numbers of options of each other item that must and may still be taken.

    ``cursor`` is the next option, ``branched`` the item, ``taken`` the option of a level. ``kept`` has the
    words of the state that the options have changed, as they were before.
    """

    used: Words
    need: Ints
    room: Ints
    cursor: Ints
    branched: Ints
    taken: Ints
    kept: Words


@inlined
def first_open(used: Words, begin: int, columns: int) -> int:
    """Return the first uncovered item, or ``columns`` if there is none. All before ``begin`` are covered."""
    w = begin >> 6
    while w * BITS_OF_WORD < columns:
        if ~used[w]:
            return min(columns, w * BITS_OF_WORD + int(lowest(~used[w])))
        w += 1
    return columns


@jit
def advance(tables: OrderTables, levels: OrderLevels, state: Longs, budget: int) -> None:
    """Continue a run for at most ``budget`` nodes, or until a cover is found or the tree is exhausted."""
    groups, starts, words, sets, forbids, bounded_starts, bounded = tables
    used, need, room, cursor, branched, taken_options, kept = levels
    columns = len(groups) - 1
    level, phase, top = state[LEVEL], state[PHASE], state[TOP]
    visited, tested, status = 0, 0, UNFINISHED
    while True:
        if phase == ENTER:
            item = first_open(used, branched[level - 1] if level else 0, columns)
            if item == columns and np.all(need <= 0):
                status = FOUND
                break
            branched[level] = item
            cursor[level] = groups[item]  # there is no option after the last item
            phase = TRY
        begun, end = get(cursor, level), get(groups, min(get(branched, level) + 1, columns))
        option = begun
        while option < end:
            fits = True
            for k in range(get(starts, option), get(starts, option + 1)):
                if get(used, get(words, k)) & get(forbids, k):
                    fits = False
                    break
            if fits:
                for k in range(get(bounded_starts, option), get(bounded_starts, option + 1)):
                    fits = fits and get(room, get(bounded, k)) > 0
            if fits:
                break
            option += 1
        tested += option - begun
        if option < end:
            if visited >= budget:
                cursor[level] = option
                break
            visited += 1
            put(taken_options, level, np.int32(option))
            put(cursor, level, np.int32(option + 1))
            for k in range(get(starts, option), get(starts, option + 1)):
                word = get(words, k)
                put(kept, top, get(used, word))
                put(used, word, get(used, word) | get(sets, k))
                top += 1
            change = -1
            level += 1
            phase = ENTER
        else:
            level -= 1
            if level < 0:
                status, level = EXHAUSTED, 0
                break
            option = get(taken_options, level)
            for k in range(get(starts, option + 1) - 1, get(starts, option) - 1, -1):
                top -= 1
                put(used, get(words, k), get(kept, top))
            change = 1
        for k in range(bounded_starts[option], bounded_starts[option + 1]):
            need[bounded[k]] += change
            room[bounded[k]] += change
    state[LEVEL], state[PHASE], state[STATUS], state[TOP] = level, phase, status, top
    state[NODES] += visited
    state[TESTS] += tested


@jit
def arranged(problem: layers.LayersProblem) -> Ints:
    """Return the primary items in an order with a short border between covered and uncovered ones."""
    by_item = layers.options_of(problem, layers.usable(problem))
    return layers.arrange(problem, by_item, layers.fields_of(problem, by_item).bits)


class FixedOrderDfs(RandomizedRun):
    """Consecutive runs on a problem, from its incidence. Every option needs an item of bounds 1..1.

    ``has_pieces`` is true if most options have an item of bounds 1..1 whose options reach over half of the board.
    """

    def __init__(self, incidence: Incidence, root: Remaining) -> None:
        primary, total, items = incidence.primary, incidence.total, incidence.row_items
        low, high, once = root.need[:primary], root.room[:primary], _once(incidence, root)
        rows = incidence.row_starts, items, incidence.row_colours
        order = arranged(
            layers.LayersProblem(primary, total, root.need, root.room, *rows, np.ones(len(items), np.int32))
        )
        order = order[once[order]]
        places = np.full(total, total, dtype=np.int64)
        places[order] = np.arange(len(order))
        first = np.minimum.reduceat(places[items], incidence.row_starts[:-1])
        self.columns = len(order)
        group = np.where(root.alive, first, self.columns)
        self.by_group = np.argsort(group, kind="stable").astype(np.int32)
        self.group = group[self.by_group]
        number = np.empty(incidence.options, dtype=np.int64)
        number[self.by_group] = np.arange(incidence.options)
        owner = np.repeat(number, np.diff(incidence.row_starts))
        inside = np.flatnonzero(once[items])
        reach = np.full((2, self.columns), -self.columns, dtype=np.int64)  # the last, and minus the first group
        for row, sign in zip(reach, (1, -1), strict=True):
            np.maximum.at(row, places[items[inside]], sign * self.group[owner[inside]])
        wide = (2 * reach.sum(axis=0) > len(np.unique(self.group)))[places[items[inside]]]
        self.has_pieces = 2 * len(np.unique(owner[inside[wide]])) > incidence.options
        parts = _parts(incidence, owner, places, once)
        many = np.flatnonzero((items < primary) & ~once[items])
        many = many[np.argsort(owner[many], kind="stable")]
        bounded_starts = np.searchsorted(owner[many], np.arange(incidence.options + 1)).astype(np.int32)
        bounded = (np.cumsum(~once) - 1)[items[many]].astype(np.int32)
        self.low, self.high = low[~once[:primary]], high[~once[:primary]]
        groups = np.searchsorted(self.group, np.arange(self.columns + 1)).astype(np.int32)
        self.tables = self.given = OrderTables(groups, *parts, bounded_starts, bounded)
        cursor, branched, taken_options = (np.zeros(self.columns + 1, dtype=np.int32) for _ in range(3))
        # The options of a path have no item of bounds 1..1 in common, so there is one for each level.
        kept = np.zeros(int(np.diff(parts[0]).max(initial=0)) * self.columns, dtype=np.uint64)
        used = np.zeros(int(parts[1].max(initial=0)) + 1, dtype=np.uint64)
        self.levels = OrderLevels(used, self.low.copy(), self.high.copy(), cursor, branched, taken_options, kept)
        self.state = np.zeros(7, dtype=np.int64)

    @staticmethod
    def suits(incidence: Incidence, root: Remaining) -> bool:
        """Return whether runs suit a problem: each option has an item of bounds 1..1, and there are not too many."""
        if not 0 < len(incidence.row_items) <= MOST_ENTRIES:
            return False
        once = _once(incidence, root)
        return bool(np.logical_or.reduceat(once[incidence.row_items], incidence.row_starts[:-1]).all())

    def begin(self, seed: int) -> None:
        """Begin a run: shuffle the options of each item."""
        with np.errstate(over="ignore"):
            key = mixed(np.arange(len(self.group), dtype=np.uint64) + mixed(np.uint64(seed & 0xFFFFFFFFFFFFFFFF)))
        self.order, given = np.lexsort((key, self.group)), self.given
        starts, parts = moved(self.order, given.starts)
        words, sets, forbids = given.words[parts], given.sets[parts], given.forbids[parts]
        bounded_starts, places = moved(self.order, given.bounded_starts)
        bounded = given.bounded[places]
        self.tables = OrderTables(given.groups, starts, words, sets, forbids, bounded_starts, bounded)
        self.levels.used[:] = 0
        self.levels.need[:], self.levels.room[:] = self.low, self.high
        self.state[:] = 0, ENTER, 0, 0, UNFINISHED, 0, 0

    def _search(self, budget: int) -> None:
        advance(self.tables, self.levels, self.state, budget)

    @property
    def work(self) -> int:
        """20 nanoseconds for each node, and 2 for each option that did not fit."""
        return 20 * self.nodes + 2 * int(self.state[TESTS])

    @property
    def taken(self) -> list[int]:
        """The options of the current path."""
        return [int(self.by_group[self.order[option]]) for option in self.levels.taken[: int(self.state[LEVEL])]]


def _once(incidence: Incidence, root: Remaining) -> Flags:
    """Return for each item whether it is primary with bounds 1..1."""
    once: Flags = (root.need == 1) & (root.room == 1)
    once[incidence.primary :] = False
    return once


def _parts(incidence: Incidence, owner: Longs, places: Longs, once: Flags) -> tuple[Ints, Ints, Words, Words]:
    """Return ``starts``, ``words``, ``sets`` and ``forbids`` of the tables.

    ``owner`` is the option of each entry. ``places`` has the bits of the items of bounds 1..1, and gets those of
    secondary items. Without colours, such an item is one bit. With colours, each binary digit of a colour has two: that
    it is 0, and that it is 1. An option sets one of them and forbids the other one, and all of them if it gives no
    colour.
    """
    items, primary = incidence.row_items, incidence.primary
    inside = np.flatnonzero((items >= primary) | once[items])
    entries = items[inside].astype(np.int64) << 32 | incidence.row_colours[inside]
    pairs, pair = np.unique(entries, return_inverse=True)
    sets, forbids, word = (np.zeros(len(pairs), dtype=np.uint64) for _ in range(3))
    end = int(once.sum())
    for item, group in groupby(range(len(pairs)), lambda number: int(pairs[number]) >> 32):
        numbers = list(group)
        coloured = bool(pairs[numbers[-1]] & 0xFFFFFFFF)
        digits = max(1, (len(numbers) - 1).bit_length()) if coloured else 0
        width = max(1, 2 * digits)
        if item >= primary:
            end += -end % BITS_OF_WORD if end % BITS_OF_WORD + width > BITS_OF_WORD else 0
            places[item] = end
            end += width
        word[numbers], shift = divmod(int(places[item]), BITS_OF_WORD)
        every = (1 << width) - 1
        for code, number in enumerate(numbers):
            coloured = bool(pairs[number] & 0xFFFFFFFF)
            given = sum(1 << (2 * digit + (code >> digit & 1)) for digit in range(digits)) if coloured else every
            sets[number] = given << shift
            forbids[number] = (every ^ given if coloured else every) << shift
    # The entries of an option with the same word become one part. Colours are tested first: most options fail there.
    words, first = int(word.max(initial=0)) + 1, int(once.sum()) // BITS_OF_WORD + 1
    keys: Longs = owner[inside] * words + (word[pair].astype(np.int64) - first) % words
    by_key = np.argsort(keys, kind="stable")
    heads = np.flatnonzero(np.diff(keys[by_key], prepend=-1))
    starts = np.searchsorted(keys[by_key][heads], np.arange(incidence.options + 1) * words).astype(np.int32)
    in_words = ((keys[by_key][heads] + first) % words).astype(np.int32)
    joined = [np.bitwise_or.reduceat(of[pair][by_key], heads) for of in (sets, forbids)]
    return starts, in_words, joined[0], joined[1]
