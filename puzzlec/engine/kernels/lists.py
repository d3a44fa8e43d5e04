"""Lists of options in numba: a flag for each option, a key for each item, and no links.

The *lists* have the options of each item, ascending. Removing an option clears its flag, writes it on the ``trail``,
and counts down the keys of its items. Undoing that reads the trail backwards, so an option that goes costs one line of
memory and some counters, which are close together. Dancing links (TAOCP 7.2.2.1) change three lines for each of its
items, far apart in memory.

Options that are gone remain in the lists, and are passed over. A level that has passed over more options than shorter
lists have entries makes these for itself and the levels below it, if they have at most half of the entries.

The *key* of an item is its branching degree, or less than 0 where that is 0. Items that need nothing have LATER more,
those that are not active FAR more. The least key of all is found by blocks of 64 items: ``least`` has the least key of
each block. Only blocks that are ``stale`` are read again.

The state of a search is only in arrays. A call returns after a budget of nodes, or when its buffer is full. The next
call continues from there.

When few enough options are left, the search is handed over to ``bits``, which is then several times faster, and taken
back when the subtree is done. The limit is learnt: subtrees too small to repay the tables of ``bits`` lower it, large
ones raise it again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels import bits
from puzzlec.engine.kernels.bits import Longs, Words
from puzzlec.engine.kernels.buffered import FILLED, FINISHED, FOUND, LEVEL, NODES, PHASE, BufferedKernel, Ints
from puzzlec.engine.kernels.incidence import Incidence, incidence_of
from puzzlec.engine.kernels.jit import inlined, inner, jit
from puzzlec.engine.kernels.words import lowest

# Where the search continues. ENTER: at a fresh node. TRY: at the next branch of a level. BACK: after a finished branch.
# INSIDE: in a subtree that was handed over to ``bits``.
ENTER, TRY, BACK, INSIDE = 0, 1, 2, 3

# The additional fields of ``state`` of this kernel: the number of removed options, and the maximum number of options
# of a subtree for ``bits``
GONE, FEW = 6, 7

#: Instead of an option: the branch that takes no more options of its item. Instead of an item: none.
NONE = -1

#: Maximum numbers of options, of entries and of items of a subtree that is handed over.
MOST_OPTIONS, MOST_ENTRIES, MOST_ITEMS = 4096, 1 << 16, 1 << 14

#: Subtrees of this many options are always handed over: only a few microseconds are at stake.
MIN_OPTIONS_OF_LISTS = 64

# The additional fields of ``inner``, the state of ``bits`` in a subtree. BEGUN: whether the search there has begun.
# BEFORE: the number of options that were taken before. BALANCE: the nodes gained or lost since FEW has changed.
BEGUN, BEFORE, BALANCE = 8, 9, 10

#: FEW changes when the balance is this many times the cost of a subtree. Most subtrees are tiny, and a few of them have
#: most of the nodes.
BALANCE_TO_CHANGE = 16

#: Items of a block.
ITEMS_OF_BLOCK = 64

#: Added to the key of an item that is not active, and a key that no active item has.
FAR, INACTIVE = 1 << 30, 1 << 29

#: Added to the key of an item that needs nothing, and a key that no item has that needs an option.
LATER, NEEDLESS = 1 << 28, 1 << 27

#: Maximum number of sets of lists: each has at most half the entries of the one before it.
MOST_SETS = 33

#: More options than can be passed over.
MORE_THAN_ALL_OPTIONS = 1 << 62

# The columns of ``progress`` of the lists: the set at work, and the number of options that were passed over
SET, PASSED = 0, 1

Bytes = npt.NDArray[np.uint8]


class EntryRows(NamedTuple):
    """The entries of each option, and the number of primary items; see :class:`.incidence.Incidence`."""

    starts: Ints
    items: Ints
    colours: Ints
    primary: int


class ItemLists(NamedTuple):
    """The options of each item: all of them in the first set, those left at some level in a later one.

    ``begins`` and ``ends`` (int32, a row a set) are the positions of the items' lists in ``options`` and ``colours``
    (int32). ``tops`` (int64) is the position after a set, ``levels`` (int64) the first level that uses it.
    """

    begins: Ints
    ends: Ints
    options: Ints
    colours: Ints
    tops: Longs
    levels: Longs
    progress: Longs


class ItemKeys(NamedTuple):
    """The items at a node.

    ``keys`` (int32) are those of the primary items, and FAR more than the number of options left of the secondary ones.
    ``blocks`` are the same, BLOCK in a row. ``least`` (int32) and ``stale`` (uint8) have an element a block. ``room``
    (int32) is the number of options that a primary item may still get, ``slack`` the part of it that it does not need.
    For a secondary item, ``room`` is the number of options that have given it its colour.
    """

    blocks: Ints
    keys: Ints
    least: Ints
    stale: Bytes
    room: Ints
    slack: Ints


class ListsPath(NamedTuple):
    """The levels of the search.

    An int32 a level: ``branched`` is the item branched on, and ``settled`` the same if it can get only one option, else
    :data:`NONE`. ``taken`` is the option taken or :data:`NONE`, ``cursors`` the position of the next one on the trail
    or in the item's list. ``before`` and ``without`` are the numbers of removed options before the level and without
    the branch. An int64 a level: ``degrees`` and ``tried`` are the numbers of branches and of begun branches,
    ``profile`` is the number of nodes. ``entered`` is the number of options passed over before the level, ``patience``
    the one at which it looks if shorter lists are worth their time.
    """

    branched: Ints
    settled: Ints
    taken: Ints
    cursors: Ints
    before: Ints
    without: Ints
    degrees: Longs
    tried: Longs
    profile: Longs
    entered: Longs
    patience: Longs


class ListsProblem(NamedTuple):
    """A problem, and what is left of it. ``alive`` (uint8) has 1 for each option left, ``trail`` (int32) the others."""

    rows: EntryRows
    lists: ItemLists
    items: ItemKeys
    alive: Bytes
    trail: Ints


class Inside(NamedTuple):
    """What ``bits`` needs for a subtree: the problem, tables and levels in its form, and its state ``inner`` (int64).

    ``marks`` (uint64) has a bit for each option. ``prefix`` (int64) are the options that were taken before.
    """

    problem: bits.BitsProblem
    marks: Words
    tables: bits.StageTables
    levels: bits.BitsLevels
    inner: Longs
    prefix: Longs


@inlined
def add_to_key(item: int, number: int, keys: Ints, stale: Bytes) -> None:
    """Change the key of an item."""
    keys[item] += number
    stale[item >> 6] = 1


@inner
def remove(option: int, gone: int, problem: ListsProblem) -> int:
    """Remove an option that is alive. Return the number of removed options."""
    rows, _, items, alive, trail = problem
    alive[option] = 0
    trail[gone] = option
    for j in range(rows.starts[option], rows.starts[option + 1]):
        add_to_key(rows.items[j], -1, items.keys, items.stale)
    return gone + 1


@inner
def remove_all(item: int, colour: int, gone: int, problem: ListsProblem) -> int:
    """Remove the options of an item except those that give it a colour. Return the number of removed options."""
    rows, lists, items, alive, trail = problem
    used, before, kept = lists.progress[SET], gone, 0
    begin, end = lists.begins[used, item], lists.ends[used, item]
    for k in range(begin, end):
        option = lists.options[k]
        if alive[option]:
            if colour != 0 and lists.colours[k] == colour:
                kept += 1
                continue
            alive[option] = 0
            trail[gone] = option
            gone += 1
            for j in range(rows.starts[option], rows.starts[option + 1]):
                add_to_key(rows.items[j], -1, items.keys, items.stale)
    lists.progress[PASSED] += end - begin - (gone - before) - kept
    return gone


@inner
def restore(gone: int, until: int, problem: ListsProblem) -> None:
    """Undo the last removals, so that ``until`` are left."""
    rows, _, items, alive, trail = problem
    for k in range(gone - until):
        option = trail[gone - 1 - k]
        alive[option] = 1
        for j in range(rows.starts[option], rows.starts[option + 1]):
            add_to_key(rows.items[j], 1, items.keys, items.stale)


@inner
def take(option: int, settled: int, gone: int, problem: ListsProblem) -> int:
    """Take an option: settle its items, except one that is settled already. Return the number of removed options."""
    rows, _, items, _, _ = problem
    room, slack = items.room, items.slack
    for j in range(rows.starts[option], rows.starts[option + 1]):
        item = rows.items[j]
        if item >= rows.primary:
            if rows.colours[j] == 0 or room[item] == 0:
                gone = remove_all(item, rows.colours[j], gone, problem)
            room[item] += 1
        elif item != settled:
            room[item] -= 1
            if room[item] == 0:
                add_to_key(item, FAR, items.keys, items.stale)
                gone = remove_all(item, 0, gone, problem)
            elif room[item] >= slack[item]:  # it needs one less
                add_to_key(item, 1 if room[item] > slack[item] else 1 + LATER, items.keys, items.stale)
    return gone


@inner
def untake(option: int, settled: int, rows: EntryRows, items: ItemKeys) -> None:
    """Undo :func:`take`, except the removals."""
    room, slack = items.room, items.slack
    for j in range(rows.starts[option], rows.starts[option + 1]):
        item = rows.items[j]
        if item >= rows.primary:
            room[item] -= 1
        elif item != settled:
            if room[item] == 0:
                add_to_key(item, -FAR, items.keys, items.stale)
            elif room[item] >= slack[item]:
                add_to_key(item, -1 if room[item] > slack[item] else -1 - LATER, items.keys, items.stale)
            room[item] += 1


@inner
def choose(items: ItemKeys, number: int) -> tuple[int, int]:
    """Return the active item of least branching degree (MRV; ties: the lowest) and its key; ``number`` of blocks."""
    blocks, least, stale = items.blocks, items.least, items.stale
    best, key = 0, 2147483647
    for b in range(number):
        if stale[b]:
            stale[b] = 0
            block = blocks[b]
            lowest_key = block[0]
            for k in range(ITEMS_OF_BLOCK):
                lowest_key = min(lowest_key, block[k])
            least[b] = lowest_key
        if least[b] < key:
            best, key = b, least[b]
    for k in range(ITEMS_OF_BLOCK):
        if blocks[best, k] == key:
            return best * ITEMS_OF_BLOCK + k, key
    return 0, key


@inner
def choose_later(items: ItemKeys, primary: int) -> tuple[int, int]:
    """Return the item of least branching degree among those that need nothing and have options left, and its degree.

    The degree is 0 if there is no such item.
    """
    best, least = 0, NEEDLESS
    for item in range(primary):
        degree = items.keys[item] - LATER
        if 1 < degree < least:
            best, least = item, degree
    return best, least if least < NEEDLESS else 0


@inner
def gain(lists: ItemLists, items: ItemKeys, primary: int) -> tuple[int, int]:
    """Return how many entries the lists of active items have, and how many of them are left."""
    used = lists.progress[SET]
    entries, left = 0, 0
    for item in range(lists.begins.shape[1]):
        key = items.keys[item]
        if item >= primary:
            key -= FAR
        if key < INACTIVE:
            entries += lists.ends[used, item] - lists.begins[used, item]
            left += key if key < NEEDLESS else key - LATER
            if item < primary:
                left += max(0, items.room[item] - items.slack[item]) - 1
    return entries, left


@inner
def shorten(level: int, lists: ItemLists, items: ItemKeys, alive: Bytes, primary: int) -> None:
    """Begin a set of lists with the options left, for this level and those below it."""
    used = lists.progress[SET]
    begins, ends, options, colours = lists.begins, lists.ends, lists.options, lists.colours
    top = lists.tops[used]
    for item in range(begins.shape[1]):
        begins[used + 1, item] = top
        if item >= primary or items.keys[item] < INACTIVE:
            for k in range(begins[used, item], ends[used, item]):
                if alive[options[k]]:
                    options[top] = options[k]
                    if len(colours):
                        colours[top] = colours[k]
                    top += 1
        ends[used + 1, item] = top
    lists.tops[used + 1], lists.levels[used + 1], lists.progress[SET] = top, level, used + 1


@inner
def hand_over(problem: ListsProblem, inside: Inside) -> bool:
    """Give the options and items left to ``bits``. Return False if there are too many."""
    rows, lists, items, alive, _ = problem
    counter, marks, tables, levels = inside.problem.counter, inside.marks, inside.tables, inside.levels
    stages, ids, local, globals_ = tables.stages, tables.ids, tables.local, tables.globals_
    lows, highs = levels.lows, levels.highs
    for r in range(stages[0, bits.ROWS]):  # clear the rows of the last subtree
        local[0, globals_[0, r]] = -1
    stages[0, bits.ROWS] = 0
    used, number, entries = lists.progress[SET], 0, 0
    for b in range((rows.primary + ITEMS_OF_BLOCK - 1) // ITEMS_OF_BLOCK):
        if items.least[b] >= INACTIVE:
            continue
        for item in range(b * ITEMS_OF_BLOCK, min((b + 1) * ITEMS_OF_BLOCK, rows.primary)):
            if items.keys[item] < INACTIVE:
                if number == len(globals_[0]) or number == MOST_ITEMS or entries > MOST_ENTRIES:
                    return False
                globals_[0, number] = item
                number += 1
                key = items.keys[item]
                entries += (key if key < NEEDLESS else key - LATER) - 1 + max(0, items.room[item] - items.slack[item])
    if entries > MOST_ENTRIES:
        return False
    for place in range(number):
        item = globals_[0, place]
        c = counter[item]
        if c >= 0:
            lows[0, c], highs[0, c] = max(0, items.room[item] - items.slack[item]), items.room[item]
        for k in range(lists.begins[used, item], lists.ends[used, item]):
            option = lists.options[k]
            if alive[option]:
                marks[option >> 6] |= np.uint64(1) << np.uint64(option & 63)
    stages[0, bits.ITEMS] = number
    number = 0
    for w in range(len(marks)):  # ascending; this also clears the marks
        word = marks[w]
        marks[w] = 0
        while word != 0:
            ids[number] = 64 * w + np.int64(lowest(word))
            number += 1
            word &= word - np.uint64(1)
    stages[0, bits.OPTIONS] = number
    return True


@inner
def search_inside(state: Longs, budget: int, buffer: Ints, path: ListsPath, inside: Inside) -> bool:
    """Let ``bits`` search its subtree, for at most ``budget`` nodes. Return whether the subtree is done."""
    problem, _, tables, levels, inner, prefix = inside
    level = state[LEVEL]
    below = bits.BitsLevels(
        levels.tallies, levels.width, levels.row_of, levels.units, levels.alive, levels.stride, levels.open_items,
        levels.item_stride, levels.spare, levels.lows, levels.highs, levels.branched, levels.word_at, levels.taken,
        levels.closed, levels.degrees, levels.tried, path.profile[level:], levels.left_on, levels.nodes_on, levels.seen,
    )  # fmt: skip
    if not inner[BEGUN]:
        inner[:BALANCE] = 0
        inner[BEGUN] = 1
        for k in range(level):
            if path.taken[k] != NONE:
                prefix[inner[BEFORE]] = path.taken[k]
                inner[BEFORE] += 1
        bits.begin(problem, tables, below, levels.lows.shape[1] > 0)
    bits.advance(inner, budget, buffer, prefix, inner[BEFORE], problem, tables, below)
    if not inner[FINISHED]:
        return False
    inner[BEGUN] = 0
    size = tables.stages[0, bits.OPTIONS]
    cost = 5 + (size * size >> 17)  # of the tables, in nodes
    inner[BALANCE] += inner[NODES] - cost
    if inner[BALANCE] < -BALANCE_TO_CHANGE * cost:
        state[FEW], inner[BALANCE] = max(MIN_OPTIONS_OF_LISTS, state[FEW] * 3 // 4), 0
    elif inner[BALANCE] > BALANCE_TO_CHANGE * cost:
        state[FEW], inner[BALANCE] = min(MOST_OPTIONS, state[FEW] * 5 // 4 + 8), 0
    return True


@jit
def close_items(problem: ListsProblem) -> int:
    """Remove the options of items that may get none, before the search. Return the number of removed options."""
    items, gone = problem.items, 0
    for item in range(problem.rows.primary):
        if items.room[item] == 0:
            add_to_key(item, FAR, items.keys, items.stale)
            gone = remove_all(item, 0, gone, problem)
    return gone


@jit
def advance(state: Longs, budget: int, buffer: Ints, problem: ListsProblem, path: ListsPath, inside: Inside) -> None:
    """Continue a search for at most ``budget`` nodes.

    Covers go into ``buffer`` (int32), each as its length and its options. If its length is 0, covers are only counted.
    """
    rows, lists, items, alive, trail = problem
    branched, settled, taken_options, cursors, before, without, degrees, tried, profile, entered, patience = path
    keys, stale, room, slack, primary = items.keys, items.stale, items.room, items.slack, rows.primary
    number = (primary + ITEMS_OF_BLOCK - 1) // ITEMS_OF_BLOCK
    level, phase, gone = state[LEVEL], state[PHASE], state[GONE]
    filled, count, visited = 0, 0, 0
    while True:
        if phase == ENTER:
            item, degree = choose(items, number)
            is_cover = degree >= NEEDLESS
            if is_cover:
                item, degree = choose_later(items, primary)
                is_cover = degree == 0
            if is_cover:
                if len(buffer):
                    if filled + level + 1 > len(buffer):
                        break  # no room for this cover: the next call finds it again
                    size = 0
                    for k in range(level):
                        if taken_options[k] != NONE:
                            size += 1
                            buffer[filled + size] = taken_options[k]
                    buffer[filled] = size
                    filled += size + 1
                count += 1
            elif degree > 0 and len(alive) - gone <= state[FEW]:
                if hand_over(problem, inside):
                    phase = INSIDE
                    continue
                state[FEW] = max(
                    MIN_OPTIONS_OF_LISTS, (len(alive) - gone) * 3 // 4
                )  # wait until the subtree is smaller
            if degree > 0:
                branched[level], degrees[level], tried[level], before[level] = item, degree, 0, gone
                entered[level] = lists.progress[PASSED]
                patience[level] = entered[level] + lists.begins.shape[1] + len(alive) - gone
                if room[item] == 1:
                    settled[level], cursors[level] = item, gone
                    add_to_key(item, FAR, keys, stale)
                    gone = remove_all(item, 0, gone, problem)
                else:
                    settled[level], cursors[level] = NONE, lists.begins[lists.progress[SET], item]
                phase = TRY
            else:
                level -= 1
                phase = BACK
        elif phase == TRY:  # the next branch, if there is one
            item = branched[level]
            if tried[level] == degrees[level]:
                restore(gone, before[level], problem)
                gone = before[level]
                if settled[level] == item:
                    add_to_key(item, -FAR, keys, stale)
                level -= 1
                phase = BACK
                continue
            if visited >= budget:
                break
            if lists.progress[PASSED] > patience[level]:
                used = lists.progress[SET]
                size = lists.tops[used] - (lists.tops[used - 1] if used else 0)
                entries, left = gain(lists, items, primary)
                patience[level] = entered[level] + entries
                if 2 * left > size or size == 0:
                    patience[level] = MORE_THAN_ALL_OPTIONS
                elif lists.progress[PASSED] > patience[level]:
                    patience[level] = MORE_THAN_ALL_OPTIONS
                    shorten(level, lists, items, alive, primary)
                    if settled[level] == NONE:
                        cursors[level] = lists.begins[used + 1, item]
            tried[level] += 1
            profile[level] += 1
            visited += 1
            taken_options[level] = NONE
            if slack[item] < room[item] or tried[level] < degrees[level]:  # else no more options of the item
                k = cursors[level]
                if settled[level] == item:  # all its options are on the trail
                    taken_options[level] = trail[k]
                else:
                    while alive[lists.options[k]] == 0:
                        k += 1
                    taken_options[level] = lists.options[k]
                    gone = remove(taken_options[level], gone, problem)
                cursors[level] = k + 1
            without[level] = gone
            if taken_options[level] != NONE:
                gone = take(taken_options[level], settled[level], gone, problem)
            elif settled[level] != item:
                add_to_key(item, FAR, keys, stale)
            level += 1
            phase = ENTER
        elif phase == INSIDE:
            if len(buffer) and len(buffer) - filled < len(taken_options):
                break
            inner, rest = inside.inner, buffer[filled:]
            nodes, covers = inner[NODES] * inner[BEGUN], inner[FOUND] * inner[BEGUN]
            state[LEVEL] = level
            done = search_inside(state, budget - visited, rest, path, inside)
            visited += inner[NODES] - nodes
            count += inner[FOUND] - covers
            filled += inner[FILLED]
            if not done:
                break
            level -= 1
            phase = BACK
        else:  # the subtree of a branch is done
            while lists.levels[lists.progress[SET]] > level:
                lists.progress[SET] -= 1
            if level < 0:
                state[FINISHED] = 1
                break
            restore(gone, without[level], problem)
            gone = without[level]
            if taken_options[level] != NONE:
                untake(taken_options[level], settled[level], rows, items)
            elif settled[level] != branched[level]:
                add_to_key(branched[level], -FAR, keys, stale)
            phase = TRY
    state[LEVEL] = level
    state[PHASE] = phase
    state[GONE] = gone
    state[NODES] += visited
    state[FOUND] += count
    state[FILLED] = filled


class ListsKernel(BufferedKernel):
    """A search kernel; see :mod:`puzzlec.engine.kernels` for its members."""

    def __init__(self, arrays: Arrays) -> None:
        primary, low, high, secondary, *_ = arrays
        entries = len(arrays.items)
        incidence = incidence_of(arrays, spare=entries)  # all sets of lists but the first together have less
        count, options = primary + secondary, incidence.options
        colours = incidence.item_colours if incidence.row_colours.any() else np.zeros(0, dtype=np.int32)
        lengths = np.diff(incidence.item_starts)
        lows, highs = np.asarray(low, dtype=np.int64), np.asarray(high, dtype=np.int64)
        # An item cannot be covered more often than it has options. The upper bound is never below the lower bound.
        highs = np.minimum(highs, np.maximum(lengths[:primary], lows))
        blocks = np.full((count // ITEMS_OF_BLOCK + 1, ITEMS_OF_BLOCK), FAR, dtype=np.int32)
        keys = blocks.reshape(-1)
        keys[:count] += lengths
        keys[:primary] += (1 - FAR - lows).astype(np.int32)
        keys[:primary][lows == 0] += LATER
        least, stale = np.zeros(len(blocks), dtype=np.int32), np.ones(len(blocks), dtype=np.uint8)
        room, slack = np.zeros(count + 1, dtype=np.int32), np.zeros(count + 1, dtype=np.int32)
        room[:primary], slack[:primary] = highs, highs - lows
        begins, ends = (np.zeros((MOST_SETS, count), dtype=np.int32) for _ in range(2))
        begins[0], ends[0] = incidence.item_starts[:-1], incidence.item_starts[1:]
        tops, levels = np.full(MOST_SETS, entries, dtype=np.int64), np.full(MOST_SETS, -1, dtype=np.int64)
        lists = ItemLists(
            begins, ends, incidence.item_options.view(np.uint32), colours, tops, levels, np.zeros(2, dtype=np.int64)
        )
        rows = EntryRows(
            incidence.row_starts.view(np.uint32), incidence.row_items.view(np.uint32), incidence.row_colours, primary
        )
        alive, trail = np.ones(options, dtype=np.uint8), np.zeros(options + 1, dtype=np.int32)
        self.searched = ListsProblem(rows, lists, ItemKeys(blocks, keys, least, stale, room, slack), alive, trail)
        depth = int(min(options, int(highs.sum())) + primary + 2)
        ints, longs = np.zeros((6, depth), dtype=np.int32), np.zeros((5, 2 * depth + 1), dtype=np.int64)
        self.path = ListsPath(*ints, *longs)
        super().__init__(depth)
        self.state[FEW] = MOST_OPTIONS
        self.inside = self._prepare_bits(incidence, lows, highs)
        if not highs.all():  # no option may cover some item
            self.state[GONE] = close_items(self.searched)

    def _prepare_bits(self, incidence: Incidence, lows: Longs, highs: Longs) -> Inside:
        """Return the problem in the form of ``bits``, and room for subtrees."""
        primary, options = incidence.primary, incidence.options
        rows, all_of = bits.coloured_rows(incidence.total, incidence.row_items, incidence.row_colours)
        many = np.flatnonzero((lows != 1) | (highs != 1))
        counter = np.full(max(incidence.total, 1), -1, dtype=np.int32)
        counter[many] = np.arange(len(many))
        problem = bits.BitsProblem(incidence.row_starts, rows, all_of, primary, counter)
        marks = np.zeros(options // 64 + 1, dtype=np.uint64)
        options = min(options, MOST_OPTIONS)
        longest = int(np.diff(incidence.row_starts).max(initial=0))  # entries of an option, secondary items included
        items = min(primary, MOST_ITEMS)
        at_once = min(len(all_of), items + 2 * options * longest)
        # A level takes an option, or closes an item that needs no more.
        depth = min(options, int(highs.sum())) + min(items, int(np.count_nonzero(highs > lows))) + 2
        if depth * len(many) > bits.MOST_COUNTERS:  # a row of counters for each level takes too much memory
            self.state[FEW], options, items, at_once, depth = -1, 1, 1, 1, 1
            many = many[:0]
        tables = bits.make_tables(options, items, len(all_of), options * longest, at_once)
        levels = bits.make_levels(depth, options, items, len(many), bool(lows.max(initial=0) > 1))
        inner, prefix = np.zeros(BALANCE + 1, dtype=np.int64), np.zeros(len(self.path.taken), dtype=np.int64)
        return Inside(problem, marks, tables, levels, inner, prefix)

    def _advance(self, budget: int, buffer: Ints) -> None:
        advance(self.state, budget, buffer, self.searched, self.path, self.inside)

    def branches(self) -> Longs:
        """Return for each depth of the current path the numbers of finished and of all branches."""
        level, phase, inner = int(self.state[LEVEL]), int(self.state[PHASE]), self.inside.inner
        path = bits.path_of(self.path.tried, self.path.degrees, level, not self.finished and phase == TRY)
        if not self.finished and phase == INSIDE and inner[BEGUN]:
            levels, at_branch = self.inside.levels, int(inner[PHASE]) == bits.TRY
            return np.concatenate((path, bits.path_of(levels.tried, levels.degrees, int(inner[LEVEL]), at_branch)))
        return path

    @property
    def profile(self) -> list[int]:
        """Number of nodes visited at each depth, from the root on."""
        profile: list[int] = np.trim_zeros(self.path.profile, "b").tolist()
        return profile
