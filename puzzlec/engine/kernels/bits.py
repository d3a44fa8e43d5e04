"""Sets of options as words of 64 bits, in numba: dense, with few branches, and nothing to undo.

A level of the search holds the set of possible options, a row of ``alive``. Taking option ``o`` is ``alive &
compatible[o]``, where ``compatible[o]`` is the set of options that agree with it. Options agree if they share no
primary item of bound 1, and no secondary item except in the same colour. So ``compatible`` handles colours and
secondary items at no cost. Items with other bounds have counters, a row a level.

The branching degree of an item is the number of options in ``alive`` that have it. There are two ways to know it:

- *planes*: for eight items at a time the words of their options lie side by side. One population count of a vector for
  each word of options gives eight counts. Counting stops at the first block with an item without options.
- *tallies*: a number of 16 bits for each item, a row a level. The options that have just gone are subtracted. This is
  less work if there are many items and an option conflicts with few others (sudoku).

A search works on a *stage*: the options and items of some node, numbered again without the others. The first stage is
the whole problem. Building a new stage for a subtree makes its nodes cheaper. The search does so if the subtree is
expected to be large enough to repay the work, by the mean of those with as many options. It does not if most moves of
the subtree are forced. The tree does not depend on the stages.

The tree is that of ``lists``, node for node. Memory is options squared over 8 bytes, so problems of more than some
twenty thousand options begin in ``lists`` and continue here when few enough are left.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import finalize

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.buffered import (
    FILLED,
    FINISHED,
    FOUND,
    LEVEL,
    NODES,
    PHASE,
    BufferedKernel,
    Ints,
)  # fmt: skip
from puzzlec.engine.kernels.jit import inner, jit
from puzzlec.engine.kernels.words import (
    common,
    copy_shorts,
    find_short,
    get,
    intersect,
    intersect_and_meet,
    least_degree,
    least_short,
    lowest,
    meets,
    population,
    put,
    remove,
)  # fmt: skip

Words = npt.NDArray[np.uint64]
Shorts = npt.NDArray[np.uint16]
Longs = npt.NDArray[np.int64]

# Where the search continues: at a fresh node, or at the next branch of a level
ENTER, TRY = 0, 1

# The additional field of ``state`` of this kernel: the stage at work
STAGE = 6

# The columns of ``stages`` (int64). BEGUN: the level it began on. OPTIONS, LENGTH, BLOCKS: numbers of options, of their
# words, and of blocks of eight words. ITEMS, ITEM_BLOCKS, ITEM_WORDS: the same of items. ROWS: rows in ``options_of``.
# ENTRIES: entries of the options. TALLIED: whether it works with tallies. DENSITY: density of conflicts. COST: expected
# cycles of a node; see `node_cost` for both. AT_...: where its parts begin in the arrays that all stages share.
BEGUN, OPTIONS, LENGTH, BLOCKS, ITEMS, ITEM_BLOCKS, ITEM_WORDS, ROWS, ENTRIES, TALLIED, DENSITY, COST = range(12)
AT_OPTIONS_OF, AT_PLANES, AT_COMPATIBLE, AT_ITEMS_OF, AT_IDS, AT_ENTRIES = range(12, 18)
COLUMNS = 18

#: Stages below the first one.
MAX_STAGE = 2

#: Maximum number of counters of items with bounds, on all levels together.
MOST_COUNTERS = 1 << 24

#: Tallies from here on belong to finished items.
DONE = 1 << 13
MARK = np.uint16(1 << 14)

#: In a subtree with at most this many times as many nodes as levels, most moves are forced. They get cheaper from level
#: to level, so a separate stage does not pay.
MAX_NODES_A_LEVEL_OF_CHAIN = 8

#: A node tests the items of last time if it counts the options of its items in more vectors than this.
MIN_VECTORS_TO_GUESS = 32

#: Bytes of a cache line.
CACHE_LINE_BYTES = 64

#: Pairs of an item and a colour are marked, not sorted, if there are at most this many of them for each entry.
MAX_MARKS_OF_ENTRY = 8

#: Tables are used again if the sets of options in them have at most this many bits. Tables of few shapes wait.
MAX_BITS_USED_AGAIN, MAX_SHAPES_WAITING = 1 << 23, 8

WORD, SHORT, LONG = np.dtype(np.uint64), np.dtype(np.uint16), np.dtype(np.int64)

ONE, NONE = np.uint64(1), np.uint64(0)
ALL = ~NONE
KEY = np.uint64(1 << 32)

int64: Any = np.int64  # in jitted code it makes integers, which the type checker need not distinguish from Python's


class BitsProblem(NamedTuple):
    """The exact cover that is searched. Nothing in it changes.

    ``starts`` (int32) is where the entries of each option begin, ``rows`` the row of each entry: an item, or an item in
    a colour. ``all_of`` has for the row of a colour that of its item, else -1. ``counter`` has for an item with bounds
    the number of its counter, else -1.
    """

    starts: Ints
    rows: Ints
    all_of: Ints
    primary: int
    counter: Ints


class StageTables(NamedTuple):
    """The tables of all stages. Each stage's tables follow those of the stage above it.

    - ``stages`` (int64): a row of numbers for each stage
    - ``ids``, ``globals_``: the options and the items of a stage
    - ``local``: the numbers of the items within the stage
    - ``options_of``, ``planes`` (uint64): the options of each item, by item and by planes of eight items
    - ``compatible`` (uint64): for each option the options that agree with it
    - ``items_of`` (uint64): for each option its items
    - ``entry_starts``, ``entries``: for each option its entries
    - ``victims``: for each option an item that had no option left when this one was last taken
    """

    stages: Longs
    ids: Ints
    local: Ints
    globals_: Ints
    options_of: Words
    planes: Words
    compatible: Words
    items_of: Words
    entry_starts: Ints
    entries: Ints
    victims: Ints


class BitsLevels(NamedTuple):
    """The state of each level of the search.

    A row a level:

    - ``alive`` (uint64, ``stride`` words): the options left
    - ``open_items`` (``item_stride`` words): the items that need an option as bits (without tallies)
    - ``units`` (``item_stride`` words): the items with one option left as bits (with tallies)
    - ``lows``, ``highs`` (int32): bounds of the items that have a counter

    ``tallies`` (uint16) has ``width`` numbers a row. A level has the row ``row_of[level]``. A level with one branch
    hands its row down, since it no longer needs it. ``spare`` (uint64) has for each open item the difference of its
    branching degree and its number of options: 64 * ``item_stride`` numbers a level if items need several, else one
    row of zeros.

    An int64 a level:

    - ``branched``: item that the level branches on
    - ``word_at``: word of options at work
    - ``taken``: option taken (-1: no more of them)
    - ``closed``: whether this last branch was begun (with tallies: whether the next branches are dead)
    - ``degrees``, ``tried``: number of branches, and of begun branches
    - ``profile``: number of nodes
    - ``left_on``, ``nodes_on``: options left and nodes seen when the level was entered

    ``seen`` (int64, shape (2, n)) sums subtrees and their nodes by the number of options at their beginning.
    """

    tallies: Shorts
    width: int
    row_of: Longs
    units: Words
    alive: Words
    stride: int
    open_items: Words
    item_stride: int
    spare: Words
    lows: Ints
    highs: Ints
    branched: Longs
    word_at: Longs
    taken: Longs
    closed: Longs
    degrees: Longs
    tried: Longs
    profile: Longs
    left_on: Longs
    nodes_on: Longs
    seen: Longs


@inner
def fill(sets: Words, at: int, size: int, words: int) -> None:
    """Make a row of words the set of the first ``size`` numbers."""
    for w in range(words):
        sets[at + w] = NONE
    for w in range(size >> 6):
        sets[at + w] = ALL
    if size & 63:
        sets[at + (size >> 6)] = (ONE << np.uint64(size & 63)) - ONE


@inner
def node_cost(options: int, items: int, entries: int, density: int, sparse: bool) -> int:
    """Return the expected cycles of a node of a stage, with tallies or with planes.

    ``density`` compares the conflicts of an option, in hundredths, with those of an option whose items all have equally
    many options.
    """
    words = (options + 63) >> 6
    if sparse:
        per_option = entries / max(1, options)
        gone = per_option * entries / max(1, items) * density / 100
        return int(gone * (2 + 2 * per_option) + (items >> 4) + 3 * words + 100)
    return ((items + 7) >> 3) * words * 5 // 4 + 60


@inner
def build(
    stage: int, level: int, row: int, bounded: bool, problem: BitsProblem, tables: StageTables, levels: BitsLevels
) -> None:
    """Make the tables of a stage from its options (``ids``) and items (``globals_``), both ascending.

    ``row`` is the first row of its tallies, if it works with them.
    """
    info = tables.stages[stage]
    length = max(1, (info[OPTIONS] + 63) >> 6)
    info[BEGUN], info[LENGTH], info[BLOCKS] = level, length, (length + 7) >> 3
    info[ITEM_BLOCKS], info[ITEM_WORDS] = (info[ITEMS] + 7) >> 3, max(1, (info[ITEMS] + 63) >> 6)
    make_option_sets(stage, problem, tables)
    kept = make_compatible_sets(stage, problem, tables)
    choose_counting(stage, level, row, bounded, kept, tables, levels)
    fill(levels.open_items, level * levels.item_stride, info[ITEMS], levels.item_stride)
    for r in range(info[ITEMS] if bounded else 0):
        c = problem.counter[tables.globals_[stage, r]]
        if c >= 0 and levels.lows[level, c] == 0:
            close(r, level, levels)
        if needs_several(levels):
            levels.spare[64 * level * levels.item_stride + r] = np.uint64(0 if c < 0 else 1 - levels.lows[level, c])


@inner
def close(item: int, level: int, levels: BitsLevels) -> None:
    """Note that an item needs no more options."""
    levels.open_items[level * levels.item_stride + (item >> 6)] &= ~(ONE << np.uint64(item & 63))


@inner
def needs_several(levels: BitsLevels) -> bool:
    """Return whether an item needs more than one option at the root."""
    return len(levels.spare) > 64 * levels.item_stride


@inner
def make_option_sets(stage: int, problem: BitsProblem, tables: StageTables) -> None:
    """Make the set of options of each item, and for secondary items of each colour, and the items of each option."""
    starts, rows, all_of, primary, counter = problem
    stages, ids, local, globals_, options_of, _, _, items_of, entry_starts, entries, victims = tables
    info, here, row_of = stages[stage], local[stage], globals_[stage]
    options, items, words, item_words = info[OPTIONS], info[ITEMS], 8 * info[BLOCKS], info[ITEM_WORDS]
    at_options_of, at_items_of, at_ids, at_entries = (
        info[AT_OPTIONS_OF], info[AT_ITEMS_OF], info[AT_IDS], info[AT_ENTRIES],
    )  # fmt: skip
    for r in range(items):
        here[row_of[r]] = r
    for k in range(at_options_of, at_options_of + items * words):
        options_of[k] = NONE
    for k in range(at_items_of, at_items_of + options * item_words):
        items_of[k] = NONE
    size, number = items, 0
    for j in range(options):
        option = int64(get(ids, at_ids + j))
        w, bit = j >> 6, ONE << np.uint64(j & 63)
        put(entry_starts, at_ids + stage + j, np.int32(number))
        put(victims, at_ids + j, np.int32(0))
        for e in range(get(starts, option), get(starts, option + 1)):
            g = int64(get(rows, e))
            r = int64(get(here, g))
            if g < primary:
                if r < 0:
                    continue
                put(entries, at_entries + number, np.int32(r))
                number += 1
                if get(counter, g) < 0:
                    at = at_items_of + j * item_words + (r >> 6)
                    put(items_of, at, get(items_of, at) | ONE << np.uint64(r & 63))
            else:
                size = with_row(g, size, stage, tables)
                r, h = int64(here[g]), int64(all_of[g])
                if h >= 0:  # a colour: its option is also one of the item
                    size = with_row(h, size, stage, tables)
                    options_of[at_options_of + here[h] * words + w] |= bit
            at = at_options_of + r * words + w
            put(options_of, at, get(options_of, at) | bit)
    entry_starts[at_ids + stage + options] = number
    info[ROWS], info[ENTRIES] = size, number
    for r in range(items, size):
        h = all_of[row_of[r]]
        if h >= 0:  # a colour conflicts with all options of the item that have another colour
            a, b = at_options_of + here[h] * words, at_options_of + r * words
            for k in range(words):
                options_of[b + k] = options_of[a + k] & ~options_of[b + k]


@inner
def with_row(item: int, size: int, stage: int, tables: StageTables) -> int:
    """Give a secondary item or a colour the row ``size``, unless it has one. Return the number of rows."""
    here, info, options_of = tables.local[stage], tables.stages[stage], tables.options_of
    if here[item] >= 0:
        return size
    here[item], tables.globals_[stage, size] = size, item
    at = info[AT_OPTIONS_OF] + size * 8 * info[BLOCKS]
    for k in range(at, at + 8 * info[BLOCKS]):
        options_of[k] = NONE
    return size + 1


@inner
def make_compatible_sets(stage: int, problem: BitsProblem, tables: StageTables) -> int:
    """Make for each option the set of those that a cover may have beside it. Return their number in all."""
    starts, rows, _, primary, counter = problem
    ids, options_of, compatible = tables.ids, tables.options_of, tables.compatible
    info, here = tables.stages[stage], tables.local[stage]
    options, blocks, words = info[OPTIONS], info[BLOCKS], 8 * info[BLOCKS]
    at_options_of, at_compatible, at_ids = info[AT_OPTIONS_OF], info[AT_COMPATIBLE], info[AT_IDS]
    kept = 0
    for j in range(options):
        option = int64(get(ids, at_ids + j))
        at = at_compatible + j * words
        for k in range(at, at + words):
            put(compatible, k, ALL)
        for e in range(get(starts, option), get(starts, option + 1)):
            g = int64(get(rows, e))
            r = int64(get(here, g))
            if r >= 0 and (g >= primary or get(counter, g) < 0):
                remove(compatible, at, options_of, at_options_of + r * words, blocks)
        # Bits beyond the last option stay set.
        kept += common(compatible, at, compatible, at, blocks) - 64 * words + options
    return kept


@inner
def choose_counting(
    stage: int, level: int, row: int, bounded: bool, kept: int, tables: StageTables, levels: BitsLevels
) -> None:
    """Choose how to count the options of an item, with tallies or with planes, and make these.

    ``kept`` is the number of pairs of options that agree.
    """
    options_of, planes = tables.options_of, tables.planes
    tallies, width, units, item_stride = levels.tallies, levels.width, levels.units, levels.item_stride
    info = tables.stages[stage]
    options, items, number, at_options_of = info[OPTIONS], info[ITEMS], info[ENTRIES], info[AT_OPTIONS_OF]
    length, blocks, words = info[LENGTH], info[BLOCKS], 8 * info[BLOCKS]
    most, fewest = 0, options
    at = row * width
    for r in range(items):
        n = common(options_of, at_options_of + r * words, options_of, at_options_of + r * words, blocks)
        most, fewest = max(most, n), min(fewest, n)
        if r < width:
            tallies[at + r] = min(n, DONE - 1)
    usual = number * number / max(1, items)  # options that go, if all items had equally many
    density = max(1, min(10000, int(100 * (options * options - kept) / max(1.0, usual))))
    sparse = node_cost(options, items, number, density, True) < node_cost(options, items, number, density, False)
    sparse = sparse and not bounded and most < DONE and fewest > 0
    if sparse:
        for k in range(info[ITEM_WORDS]):
            units[level * item_stride + k] = NONE
        for r in range(items):
            if tallies[at + r] == 1:
                units[level * item_stride + (r >> 6)] |= ONE << np.uint64(r & 63)
        for r in range(items, ((items + 31) >> 5) << 5):
            tallies[at + r] = MARK
    else:
        at = info[AT_PLANES]
        for k in range(at, at + info[ITEM_BLOCKS] * length * 8):
            planes[k] = NONE
        for r in range(items):
            to = at + (r >> 3) * length * 8 + (r & 7)
            for w in range(length):
                put(planes, to + 8 * w, get(options_of, at_options_of + r * words + w))
    info[TALLIED], info[DENSITY] = int(sparse), density
    info[COST] = node_cost(options, items, number, density, sparse)


@inner
def clear(stage: int, tables: StageTables) -> None:
    """Forget which items and colours a stage has."""
    stages, local, globals_ = tables.stages, tables.local, tables.globals_
    for r in range(stages[stage, ROWS]):
        local[stage, globals_[stage, r]] = -1


@inner
def narrow(level: int, stage: int, counter: Ints, tables: StageTables, levels: BitsLevels) -> None:
    """Begin a stage below another one with the options and items left on a level."""
    stages, ids, globals_ = tables.stages, tables.ids, tables.globals_
    alive, stride, open_items, item_stride = levels.alive, levels.stride, levels.open_items, levels.item_stride
    tallies, place = levels.tallies, levels.row_of[level] * levels.width
    new = stage + 1
    old, info = stages[stage], stages[new]
    clear(new, tables)
    words = 8 * old[BLOCKS]
    info[AT_OPTIONS_OF] = old[AT_OPTIONS_OF] + old[ITEMS] * words
    info[AT_PLANES] = old[AT_PLANES] + old[ITEM_BLOCKS] * old[LENGTH] * 8
    info[AT_COMPATIBLE] = old[AT_COMPATIBLE] + old[OPTIONS] * words
    info[AT_ITEMS_OF] = old[AT_ITEMS_OF] + old[OPTIONS] * old[ITEM_WORDS]
    info[AT_IDS] = old[AT_IDS] + old[OPTIONS]
    info[AT_ENTRIES] = old[AT_ENTRIES] + old[ENTRIES]
    options, items = 0, 0
    for w in range(old[LENGTH]):
        word = alive[level * stride + w]
        while word != NONE:
            ids[info[AT_IDS] + options] = ids[old[AT_IDS] + 64 * w + int64(lowest(word))]
            word &= word - ONE
            options += 1
    for r in range(old[ITEMS]):
        if old[TALLIED]:
            left = tallies[place + r] < DONE
        else:
            left = (open_items[level * item_stride + (r >> 6)] >> np.uint64(r & 63)) & ONE != NONE
            c = counter[globals_[stage, r]]
            left = left or (c >= 0 and levels.highs[level, c] > 0)
        if left:
            globals_[new, items] = globals_[stage, r]
            items += 1
    info[OPTIONS], info[ITEMS] = options, items


@inner
def is_open_below(item: int, open_items: Words, at: int, items_of: Words, its: int) -> bool:
    """Return whether an open item of a level is still open after an option, whose items begin at ``its``."""
    word = get(open_items, at + (item >> 6)) & ~get(items_of, its + (item >> 6))
    return bool(word >> np.uint64(item & 63) & ONE)


@inner
def is_single(item: int, stage: int, counters: int, counter: Ints, globals_: Ints) -> bool:
    """Return whether an item of a stage has the bounds 1..1."""
    return counters == 0 or counter[globals_[stage, item]] < 0


@inner
def hand_down(level: int, levels: BitsLevels) -> None:
    """Copy the bounds of items to the next level."""
    lows, highs, spare, stride = levels.lows, levels.highs, levels.spare, 64 * levels.item_stride
    for j in range(lows.shape[1]):
        lows[level + 1, j], highs[level + 1, j] = lows[level, j], highs[level, j]
    if needs_several(levels):
        for k in range(level * stride, (level + 1) * stride):
            spare[stride + k] = spare[k]


@inner
def least_spare(stage: int, level: int, counter: Ints, tables: StageTables, levels: BitsLevels) -> tuple[int, int]:
    """Return the item of least branching degree among those that need nothing and have options left, and its degree.

    The degree is 0 if there is no such item.
    """
    info, alive, row = tables.stages[stage], levels.alive, level * levels.stride
    best, least = 0, 0
    for r in range(info[ITEMS]):
        c = counter[tables.globals_[stage, r]]
        if c >= 0 and levels.highs[level, c] > 0:
            n = common(alive, row, tables.options_of, info[AT_OPTIONS_OF] + r * 8 * info[BLOCKS], info[BLOCKS])
            if n > 0 and (least == 0 or n < least - 1):
                best, least = r, n + 1
    return best, least


@inner
def forget(entries: Ints, first: int, last: int, tallies: Shorts, at: int, units: Words, place: int) -> bool:
    """Subtract an option from the tallies of its items. Return whether an item has none left.

    Items with one option left are noted in ``units``.
    """
    lost = False
    for e in range(first, last):
        r = int64(get(entries, e))
        left = np.uint16(get(tallies, at + r) - 1)
        put(tallies, at + r, left)
        if left == 1:
            put(units, place + (r >> 6), get(units, place + (r >> 6)) | ONE << np.uint64(r & 63))
        elif left == 0:
            lost = True
    return lost


@jit
def advance(
    state: Longs,
    budget: int,
    buffer: Ints,
    prefix: Longs,
    before: int,
    problem: BitsProblem,
    tables: StageTables,
    levels: BitsLevels,
) -> None:
    """Continue a search for at most ``budget`` nodes.

    Covers go into ``buffer``, each as its length and its options, those of ``prefix[:before]`` first. If the length of
    the buffer is 0, covers are only counted.
    """
    starts, rows, _, primary, counter = problem
    stages, ids, local, globals_, options_of, planes, compatible, items_of, entry_starts, entries, victims = tables
    (
        tallies, width, row_of, units, alive, stride, open_items, item_stride, spare, lows, highs,
        branched, word_at, taken_options, closed, degrees, tried, profile, left_on, nodes_on, seen,
    ) = levels  # fmt: skip
    level, phase, stage = state[LEVEL], state[PHASE], state[STAGE]
    room = len(buffer)
    counters = lows.shape[1]
    several = needs_several(levels)
    filled, count, visited = 0, 0, 0
    nodes = state[NODES]
    moved = True
    at_options_of = at_planes = at_compatible = at_items_of = at_ids = at_entries = length = blocks = 0
    item_blocks = item_words = begun = last_taken = 0
    sparse = guesses = False
    items = 0
    while True:
        if moved:  # the numbers of the stage at work
            moved = False
            info = stages[stage]
            begun, length, blocks, sparse = info[BEGUN], info[LENGTH], info[BLOCKS], info[TALLIED] != 0
            item_blocks, item_words = info[ITEM_BLOCKS], info[ITEM_WORDS]
            at_options_of, at_planes, at_compatible = info[AT_OPTIONS_OF], info[AT_PLANES], info[AT_COMPATIBLE]
            at_items_of, at_ids, at_entries = info[AT_ITEMS_OF], info[AT_IDS], info[AT_ENTRIES]
            items, last_taken = info[ITEMS], at_ids
            guesses = not sparse and item_blocks * length > MIN_VECTORS_TO_GUESS
        row = level * stride
        if phase == ENTER:
            phase = TRY
            complete, dead = True, False
            item, degree = 0, 0
            if sparse:
                at = level * item_stride
                for k in range(item_words):
                    word = get(units, at + k)
                    if word != NONE:
                        item, degree, complete = 64 * k + int64(lowest(word)), 1, False
                        break
                if complete:
                    at = row_of[level] * width
                    degree = least_short(tallies, at, (stages[stage, ITEMS] + 31) >> 5)
                    complete = degree >= DONE
                    dead = degree == 0
                    if not complete and not dead:
                        item = find_short(tallies, at, degree)
            else:
                at = level * item_stride
                for k in range(item_words):
                    if get(open_items, at + k) != NONE:
                        complete = False
                        break
                if complete and counters:
                    item, degree = least_spare(stage, level, counter, tables, levels)
                    complete = degree == 0
                elif not complete:
                    least = least_degree(
                        planes,
                        alive,
                        open_items,
                        spare,
                        (at_planes, row, at, 64 * at if several else 0),
                        (length, item_blocks),
                    )
                    dead = least < KEY
                    item, degree = int64(least & (KEY - ONE)), int64(least >> np.uint64(32))
            if complete:
                if room:
                    if filled + before + level + 1 > room:
                        phase = ENTER  # no room for this cover: the next call meets it again
                        break
                    size = before
                    for k in range(before):
                        buffer[filled + 1 + k] = prefix[k]
                    for k in range(level):
                        if taken_options[k] >= 0:
                            size += 1
                            buffer[filled + size] = taken_options[k]
                    buffer[filled] = size
                    filled += size + 1
                count += 1
            if complete or dead:
                if dead and guesses and is_single(item, stage, counters, counter, globals_):
                    put(branched, level, item)
                    put(victims, last_taken, np.int32(item))
                level -= 1
                continue
            if length > 2 and stage < MAX_STAGE:
                # Would a separate stage pay?
                n = common(alive, row, alive, row, blocks)
                left_on[level], nodes_on[level] = n, nodes + visited
                kind = n >> 5
                number = seen[0, kind]
                if number >= 4 and 3 * n < 128 * length:
                    info = stages[stage]
                    m = 0
                    if sparse:
                        m = max(1, info[ITEMS] - (info[ENTRIES] * (level - begun)) // max(1, info[OPTIONS]))
                    else:
                        for k in range(item_words):
                            m += int64(population(open_items[level * item_stride + k]))
                    per_option = info[ENTRIES] / max(1, info[OPTIONS])
                    inside = int(n * per_option)
                    dense = info[DENSITY]
                    cost = min(node_cost(n, m, inside, dense, True), node_cost(n, m, inside, dense, False))
                    price = 20 * inside + 3 * inside * ((n + 511) >> 9) + 20 * n + 12 * m * ((n + 511) >> 9) + 1000
                    usual = seen[1, kind] / number
                    if (info[COST] - cost) * usual > price and usual * per_option > MAX_NODES_A_LEVEL_OF_CHAIN * m:
                        g = globals_[stage, item]
                        narrow(level, stage, counter, tables, levels)
                        stage += 1
                        build(stage, level, row_of[level], counters > 0, problem, tables, levels)
                        fill(alive, row, stages[stage, OPTIONS], 8 * stages[stage, BLOCKS])
                        item = local[stage, g]
                        branched[level], word_at[level], closed[level] = item, 0, 0
                        degrees[level], tried[level] = degree, 0
                        moved = True
                        continue
            branched[level], word_at[level], closed[level] = item, 0, 0
            degrees[level], tried[level] = degree, 0
        if level < 0:
            state[FINISHED] = 1
            level = 0
            break
        if begun > level:
            stage -= 1
            moved = True
            continue
        # TRY: the next option of the item, in ascending order
        item = get(branched, level)
        w = get(word_at, level)
        at = at_options_of + item * 8 * blocks
        word = NONE
        while w < length:
            word = get(alive, row + w) & get(options_of, at + w)
            if word != NONE:
                break
            w += 1
        put(word_at, level, w)
        c = -1
        if counters:
            c = counter[globals_[stage, item]]
            # A need of one option is met by any.
            if several and c >= 0 and word != NONE and common(alive, row, options_of, at, blocks) < lows[level, c]:
                word = NONE
        if word == NONE and (c < 0 or lows[level, c] > 0 or closed[level] != 0):
            if length > 2 and stage < MAX_STAGE:
                kind = left_on[level] >> 5
                seen[0, kind] += 1
                seen[1, kind] += nodes + visited - nodes_on[level]
            level -= 1
            continue
        if visited >= budget:
            break
        visited += 1
        put(tried, level, get(tried, level) + 1)
        put(profile, level, get(profile, level) + 1)
        next_row = row + stride
        if word == NONE:  # this item gets no more options
            closed[level] = 1
            taken_options[level] = -1
            hand_down(level, levels)
            for k in range(8 * blocks):
                alive[next_row + k] = alive[row + k]
            highs[level + 1, c] = 0
            for k in range(item_words):
                open_items[(level + 1) * item_stride + k] = open_items[level * item_stride + k]
            level += 1
            phase = ENTER
            continue
        bit = int64(lowest(word))
        j = 64 * w + bit
        put(taken_options, level, int64(get(ids, at_ids + j)))
        # The whole row is read before a word of it is written: the other order makes a processor wait.
        if not guesses:
            intersect(alive, next_row, alive, row, compatible, at_compatible + j * 8 * blocks, blocks)
            put(alive, row + w, get(alive, row + w) & ~(ONE << np.uint64(bit)))
        else:
            # Is an item without options where there was one last time: after this option, or on the next level?
            last_taken = at_ids + j
            r = int64(get(victims, last_taken))
            places = next_row, row, at_compatible + j * 8 * blocks, at_options_of + r * 8 * blocks
            some = intersect_and_meet(alive, alive, compatible, options_of, places, blocks)
            put(alive, row + w, get(alive, row + w) & ~(ONE << np.uint64(bit)))
            here, its = level * item_stride, at_items_of + j * item_words
            if (
                not some
                and is_open_below(r, open_items, here, items_of, its)
                and is_single(r, stage, counters, counter, globals_)
            ):
                put(branched, level + 1, r)
                continue
            r = get(branched, level + 1)
            place = at_options_of + r * 8 * blocks
            if (
                r < items
                and is_open_below(r, open_items, here, items_of, its)
                and not meets(alive, next_row, options_of, place, blocks)
                and is_single(r, stage, counters, counter, globals_)
            ):
                put(victims, last_taken, np.int32(r))
                continue
        if counters:  # an option without other items agrees with itself
            put(alive, next_row + w, get(alive, next_row + w) & ~(ONE << np.uint64(bit)))
        if sparse:
            at = row_of[level] * width
            to = at
            begin = at_ids + stage
            here = level * item_stride
            below = here + item_stride
            first = at_entries + get(entry_starts, begin + j)
            last = at_entries + get(entry_starts, begin + j + 1)
            dead = closed[level] != 0
            row_of[level + 1] = row_of[level]
            if degrees[level] > 1:
                # This level is finished with the branch. If an item loses its last option, later branches are dead.
                if forget(entries, first, last, tallies, at, units, here):
                    closed[level] = 1
                row_of[level + 1] += 1
                to = at + width
                copy_shorts(tallies, to, at, (stages[stage, ITEMS] + 31) >> 5)
            for k in range(item_words):
                put(units, below + k, get(units, here + k) & ~get(items_of, at_items_of + j * item_words + k))
            for e in range(first, last):
                put(tallies, to + get(entries, e), MARK)
            for k in range(length):
                if dead:
                    break
                gone = get(alive, row + k) & ~get(alive, next_row + k)
                while gone != NONE:
                    i = 64 * k + int64(lowest(gone))
                    gone &= gone - ONE
                    first = at_entries + get(entry_starts, begin + i)
                    last = at_entries + get(entry_starts, begin + i + 1)
                    if forget(entries, first, last, tallies, to, units, below):
                        dead = True
                        break
            if dead:
                continue
        else:
            row_of[level + 1] = row_of[level]  # stages at other levels may use tallies
            at = level * item_stride
            for k in range(item_words):
                put(
                    open_items,
                    at + item_stride + k,
                    get(open_items, at + k) & ~get(items_of, at_items_of + j * item_words + k),
                )
            if counters:
                hand_down(level, levels)
                option = taken_options[level]
                for e in range(starts[option], starts[option + 1]):
                    g = rows[e]
                    c = counter[g] if g < primary else -1
                    if c >= 0:
                        r = local[stage, g]
                        if lows[level + 1, c] > 0:
                            lows[level + 1, c] -= 1
                            if lows[level + 1, c] == 0:
                                close(r, level + 1, levels)
                            elif several:
                                spare[64 * (at + item_stride) + r] += ONE
                        highs[level + 1, c] -= 1
                        if highs[level + 1, c] == 0:
                            remove(alive, next_row, options_of, at_options_of + r * 8 * blocks, blocks)
        level += 1
        phase = ENTER
    state[LEVEL] = level
    state[PHASE] = phase
    state[STAGE] = stage
    state[NODES] += visited
    state[FOUND] += count
    state[FILLED] = filled


@jit
def begin(problem: BitsProblem, tables: StageTables, levels: BitsLevels, bounded: bool) -> None:
    """Make the first stage from its options and items, and start at the root."""
    clear(0, tables)
    build(0, 0, 0, bounded, problem, tables, levels)
    levels.row_of[0] = 0
    tables.stages[0, BEGUN] = -1
    fill(levels.alive, 0, tables.stages[0, OPTIONS], levels.stride)


def coloured_rows(count: int, items: Ints, colours: Ints) -> tuple[Ints, Ints]:
    """Return the row of each entry of the options, and for the row of a colour that of its item (else -1).

    The row of an item is its number. An item with a colour has a separate row after those.
    """
    painted = np.flatnonzero(colours)
    if not len(painted):
        return items, np.full(max(count, 1), -1, dtype=np.int32)
    width = int(colours.max()) + 1
    keys = items[painted].astype(np.int64) * width + colours[painted]
    if count * width <= MAX_MARKS_OF_ENTRY * len(keys):  # marking them is faster than sorting them
        marks = np.zeros(count * width, dtype=np.bool_)
        marks[keys] = True
        pairs, numbers = np.flatnonzero(marks), (np.cumsum(marks) - 1)[keys]
    else:
        pairs, numbers = np.unique(keys, return_inverse=True)
    rows = items.copy()
    rows[painted] = count + numbers
    return rows, np.concatenate((np.full(count, -1), pairs // width)).astype(np.int32)


def zeros(*parts: tuple[int, Any]) -> list[Any]:
    """Return arrays of zeros in one block of memory: for each part, a number of elements and their dtype.

    Each array begins a cache line of 64 bytes. Otherwise half of all vectors would lie in two lines, and a search take
    up to a fifth longer.
    """
    places, end = [], 0
    for length, kind in parts:
        size = length * kind.itemsize
        places.append((end, end + size, kind))
        end += size + -size % CACHE_LINE_BYTES
    block = np.zeros(end + CACHE_LINE_BYTES, dtype=np.uint8)
    first = -block.ctypes.data % CACHE_LINE_BYTES
    return [block[first + start : first + stop].view(kind) for start, stop, kind in places]


def make_tables(options: int, items: int, rows: int, entries: int, at_once: int = 0) -> StageTables:
    """Return empty tables for the stages of a search with at most this many options, items, rows and entries.

    ``at_once`` is the maximum number of rows in a stage, if it is known. A stage has at most two thirds of the options
    of the one above it and 43 more, and only stages with more than 128 options have one below. So all stages together
    have at most three times as many options as the first.
    """
    words, item_words = 8 * max(1, -(-options // 512)), max(1, -(-items // 64))
    small = 8 * (MAX_STAGE + 1)
    options_of, planes, compatible, items_of = zeros(
        ((at_once or rows) * (3 * words + small), WORD),
        (8 * -(-items // 8) * (3 * words + small), WORD),
        (options * (3 * words) + 1, WORD),
        (3 * options * item_words + 1, WORD),
    )
    return StageTables(
        np.zeros((MAX_STAGE + 1, COLUMNS), dtype=np.int64),
        np.zeros(3 * options + 1, dtype=np.int32),
        np.full((MAX_STAGE + 1, rows), -1, dtype=np.int32),
        np.zeros((MAX_STAGE + 1, rows), dtype=np.int32),
        options_of,
        planes,
        compatible,
        items_of,
        np.zeros(3 * options + MAX_STAGE + 2, dtype=np.int32),
        np.zeros(3 * entries + 1, dtype=np.int32),
        np.zeros(3 * options + 1, dtype=np.int32),
    )


def make_levels(depth: int, options: int, items: int, counters: int, several: bool) -> BitsLevels:
    """Return the levels of a search that has at most ``depth`` of them.

    ``several`` says whether an item needs more than one option.
    """
    stride, width = 8 * max(1, -(-options // 512)), 32 * max(1, -(-items // 32))
    if counters:
        width = 32  # there are no tallies
    item_stride = max(1, -(-items // 64))
    rows = depth + 1
    alive, units, open_items, spare, tallies, *longs = zeros(
        (rows * stride, WORD),
        (rows * item_stride, WORD),
        (rows * item_stride + 1, WORD),
        (64 * item_stride * (rows if several else 1), WORD),
        (rows * width, SHORT),
        *[(rows, LONG)] * 10,
    )
    row_of, branched, word_at, taken_options, closed, degrees, tried, profile, left_on, nodes_on = longs
    return BitsLevels(
        tallies=tallies,
        width=width,
        row_of=row_of,
        units=units,
        alive=alive,
        stride=stride,
        open_items=open_items,
        item_stride=item_stride,
        spare=spare,
        lows=np.zeros((rows, counters), dtype=np.int32),
        highs=np.zeros((rows, counters), dtype=np.int32),
        branched=branched,
        word_at=word_at,
        taken=taken_options,
        closed=closed,
        degrees=degrees,
        tried=tried,
        profile=profile,
        left_on=left_on,
        nodes_on=nodes_on,
        seen=np.zeros((2, options // 32 + 1), dtype=np.int64),
    )


class TableSizes(NamedTuple):
    """The sizes of the tables and levels of a search; see :func:`make_tables` and :func:`make_levels`."""

    depth: int
    options: int
    items: int
    rows: int
    entries: int
    counters: int
    several: bool

    @property
    def is_small(self) -> bool:
        """Whether tables of this shape are kept for the next search. Counters would have to be cleared."""
        return not self.counters and self.options * (self.options + 2 * self.rows) <= MAX_BITS_USED_AGAIN

    def rounded(self) -> TableSizes:
        """Return sizes that many problems share. A row of options and a row of items are as long as before.

        >>> TableSizes(82, 593, 324, 324, 2372, 0, False).rounded()
        TableSizes(depth=128, options=1024, items=384, rows=512, entries=4096, counters=0, several=False)
        """
        options, items = 512 * max(1, -(-self.options // 512)), 64 * max(1, -(-self.items // 64))
        depth, rows, entries = (1 << max(6, (n - 1).bit_length()) for n in (self.depth, self.rows, self.entries))
        return TableSizes(depth, options, items, rows, entries, self.counters, self.several)


#: The tables and levels of searches that have ended, by shape, for the next search of that shape. Their memory has its
#: pages already, and making new ones takes about as long as a search of a hundred nodes.
waiting: dict[TableSizes, tuple[StageTables, BitsLevels]] = {}


def tables_and_levels(shape: TableSizes) -> tuple[StageTables, BitsLevels]:
    """Return the tables and levels for a search: those of an earlier one if possible."""
    tables, levels = waiting.pop(shape, (None, None))  # in one step, because other threads also search
    if tables is None or levels is None:
        sizes = shape.depth, shape.options, shape.items, shape.counters, shape.several
        return make_tables(*shape[1:5]), make_levels(*sizes)
    tables.local.fill(-1)
    tables.stages.fill(0)
    levels.profile.fill(0)
    levels.seen.fill(0)
    return tables, levels


def keep(shape: TableSizes, tables: StageTables, levels: BitsLevels) -> None:
    """Let the next search have the tables and levels of one that has ended."""
    if len(waiting) >= MAX_SHAPES_WAITING:
        waiting.clear()
    waiting[shape] = tables, levels


def path_of(tried: Longs, degrees: Longs, level: int, at_branch: bool) -> Longs:
    """Return for each level the numbers of finished and of all branches; ``at_branch``: also for this level."""
    path = np.stack((tried[: level + at_branch], degrees[: level + at_branch]), axis=1)
    path[:level, 0] -= 1  # a begun branch is not finished
    return path


class BitsKernel(BufferedKernel):
    """A search kernel; see :mod:`puzzlec.engine.kernels` for its members."""

    def __init__(self, arrays: Arrays) -> None:
        primary, low, high, secondary, starts, items, colours = arrays
        count = primary + secondary
        entries = np.asarray(items, dtype=np.int32)
        first = np.asarray(starts, dtype=np.int32)
        rows, all_of = coloured_rows(count, entries, np.asarray(colours, dtype=np.int32))
        options = len(first) - 1
        lows = highs = many = np.zeros(0, dtype=np.int64)
        open_items, possible = np.arange(primary), np.arange(options)
        # A level takes an option, or closes an item that needs no more.
        depth = min(options, primary) + 2
        if not low.count(1) == high.count(1) == primary:
            lows = np.asarray(low, dtype=np.int64)
            # An item cannot be covered more often than it has options. The upper bound is never below the lower bound.
            lengths = np.bincount(entries, minlength=count)[:primary]
            highs = np.minimum(np.asarray(high, dtype=np.int64), np.maximum(lengths, lows))
            many, open_items = np.flatnonzero((lows != 1) | (highs != 1)), np.flatnonzero(highs > 0)
            if len(open_items) < primary:  # some items may not be covered: remove their options before the search
                none = np.append(highs == 0, np.zeros(secondary, dtype=np.bool_))
                hits = np.concatenate(([0], np.cumsum(none[entries])))
                possible = np.flatnonzero(hits[first[1:]] == hits[first[:-1]])
            depth = int(min(options, int(highs.sum())) + np.count_nonzero(highs > lows) + 2)
        counter = np.full(max(count, 1), -1, dtype=np.int32)
        counter[many] = np.arange(len(many))
        super().__init__(depth)
        self.problem = BitsProblem(first, rows, all_of, primary, counter)
        several = bool(lows.max(initial=0) > 1)
        shape = TableSizes(depth, options, len(open_items), len(all_of), len(entries), len(many), several)
        if shape.is_small:
            shape = shape.rounded()
        self.tables, self.levels = tables_and_levels(shape)
        if shape.is_small:
            finalize(self, keep, shape, self.tables, self.levels).atexit = False
        if len(many):
            self.levels.lows[0], self.levels.highs[0] = lows[many], highs[many]
        tables = self.tables
        tables.stages[0, OPTIONS], tables.stages[0, ITEMS] = len(possible), len(open_items)
        tables.ids[: len(possible)], tables.globals_[0, : len(open_items)] = possible, open_items
        self.prefix = np.zeros(1, dtype=np.int64)
        begin(self.problem, self.tables, self.levels, len(many) > 0)

    def _advance(self, budget: int, buffer: Ints) -> None:
        advance(self.state, budget, buffer, self.prefix, 0, self.problem, self.tables, self.levels)

    def branches(self) -> Longs:
        """Return for each depth of the current path the numbers of finished and of all branches."""
        at_branch = not self.finished and int(self.state[PHASE]) == TRY
        return path_of(self.levels.tried, self.levels.degrees, int(self.state[LEVEL]), at_branch)

    @property
    def profile(self) -> list[int]:
        """Number of nodes visited at each depth, from the root on."""
        profile: list[int] = np.trim_zeros(self.levels.profile, "b").tolist()
        return profile
