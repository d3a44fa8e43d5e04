"""The levels of the kernel ``memo``: its arrays, the item to branch on, its options, the next level, and its key."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.jit import inlined, inner
from puzzlec.engine.kernels.spec import branching_degree
from puzzlec.engine.kernels.words import lowest, population

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

degree_of = inlined(branching_degree)


class MemoProblem(NamedTuple):
    """The constant data: sets of options, and the items of each option.

    - ``options_of`` (primary, words), ``pair_options_of`` (pairs, words), ``compatible`` (options, words): sets of
      options
    - ``closing`` (options, item words): the items of bounds 1..1 of an option
    - ``counter``: the column of an item with other bounds, else -1
    - ``many``: the item of a column
    - ``many_starts``, ``many_columns``: the columns of each option
    - ``field_word``, ``low_shift``, ``high_shift``: the position of a column in the key
    """

    options_of: Words
    pair_options_of: Words
    compatible: Words
    closing: Words
    counter: Ints
    many: Ints
    many_starts: Ints
    many_columns: Ints
    field_word: Ints
    low_shift: Ints
    high_shift: Ints


class MemoLevels(NamedTuple):
    """The levels of the search, one row per level.

    - ``alive``: the possible options
    - ``fits``: those and the excluded ones (only if items have other bounds)
    - ``open_items``, ``pairs``, ``key``: as in the key
    - ``lows``, ``highs``: how many options the columns need and may get
    - ``branched``: the item
    - ``closed``: whether its last branch was begun
    - ``keyed``: whether the key is complete
    - ``begun``: the number of nodes visited before this level
    - ``base``: the position of its first branch among the pending branches
    - ``taken``: the option
    - ``tried``, ``degrees``: the number of begun branches, and the branching degree
    """

    alive: Words
    fits: Words
    open_items: Words
    pairs: Words
    key: Words
    lows: Ints
    highs: Ints
    branched: Ints
    closed: Ints
    keyed: Ints
    begun: Longs
    base: Longs
    taken: Ints
    tried: Ints
    degrees: Ints


@inner
def left_of(alive: Words, level: int, options_of: Words, item: int) -> int:
    """Return the number of options of an item that are left on a level."""
    number = 0
    for w in range(alive.shape[1]):
        number += int(np.int64(population(alive[level, w] & options_of[item, w])))
    return number


@inner
def any_of(alive: Words, level: int, options_of: Words, item: int) -> bool:
    """Return whether an option of an item or pair is left on a level."""
    for w in range(alive.shape[1]):  # noqa: SIM110 - numba
        if alive[level, w] & options_of[item, w] != 0:
            return True
    return False


@inner
def close_column(problem: MemoProblem, levels: MemoLevels, level: int, column: int) -> None:
    """Close an item with bounds: it gets no more options."""
    item = problem.many[column]
    levels.highs[level, column] = 0
    levels.lows[level, column] = 0
    levels.open_items[level, item >> 6] &= ~(np.uint64(1) << np.uint64(item & 63))
    for w in range(levels.alive.shape[1]):
        levels.alive[level, w] &= ~problem.options_of[item, w]
        levels.fits[level, w] &= ~problem.options_of[item, w]


@inner
def choose(problem: MemoProblem, levels: MemoLevels, level: int, sweep: bool) -> int:
    """Return the item to branch on, or -1 if some item can no longer be covered.

    MRV: the least branching degree, the lowest item if several have it. Sweep: the lowest open item, items with bounds
    other than 1..1 last.
    """
    best, least, last = -1, 2147483647, -1
    for k in range(levels.open_items.shape[1]):
        bits = levels.open_items[level, k]
        while bits != 0:
            item = 64 * k + int(np.int64(lowest(bits)))
            bits &= bits - np.uint64(1)
            column = problem.counter[item]
            if column >= 0:
                degree = degree_of(left_of(levels.alive, level, problem.options_of, item), levels.lows[level, column])
                if degree == 0:
                    return -1
                if last < 0:
                    last = item
            elif sweep:
                if not any_of(levels.alive, level, problem.options_of, item):
                    return -1
                if best < 0:
                    best = item
                continue
            else:
                degree = left_of(levels.alive, level, problem.options_of, item)
                if degree == 0:
                    return -1
            if not sweep and degree < least:
                best, least = item, degree
    return best if best >= 0 else last


@inner
def make_key(problem: MemoProblem, levels: MemoLevels, level: int, number: int) -> None:
    """Write the key of a level. ``number`` is the number of its set of excluded options."""
    at = 0
    for w in range(levels.open_items.shape[1]):
        levels.key[level, at] = levels.open_items[level, w]
        at += 1
    for w in range(levels.pairs.shape[1]):
        levels.key[level, at] = levels.pairs[level, w]
        at += 1
    for w in range(at, levels.key.shape[1]):
        levels.key[level, w] = 0
    for column in range(problem.many.shape[0]):
        high = levels.highs[level, column]
        if high > 0:
            high = min(high, left_of(levels.alive, level, problem.options_of, problem.many[column]))
        word = problem.field_word[column]
        levels.key[level, word] |= np.uint64(levels.lows[level, column]) << np.uint64(problem.low_shift[column])
        levels.key[level, word] |= np.uint64(high) << np.uint64(problem.high_shift[column])
    if problem.many.shape[0] > 0:
        levels.key[level, levels.key.shape[1] - 1] = np.uint64(number)


@inner
def find_pairs(problem: MemoProblem, levels: MemoLevels, level: int) -> None:
    """Find the pairs of a level that occur in an option that fits, among the pairs of the level before."""
    fits = levels.fits if problem.many.shape[0] > 0 else levels.alive
    for k in range(levels.pairs.shape[1]):
        before = levels.pairs[max(level - 1, 0), k]
        bits = before
        while bits != 0:
            bit = bits & (~bits + np.uint64(1))
            bits ^= bit
            if not any_of(fits, level, problem.pair_options_of, 64 * k + int(np.int64(lowest(bit)))):
                before ^= bit
        levels.pairs[level, k] = before


@inner
def descend(problem: MemoProblem, levels: MemoLevels, level: int, option: int) -> None:
    """Make the level below: with an option taken, or (-1) with no more options of the item."""
    many = problem.many.shape[0]
    for w in range(levels.open_items.shape[1]):
        levels.open_items[level + 1, w] = levels.open_items[level, w]
    for j in range(many):
        levels.lows[level + 1, j] = levels.lows[level, j]
        levels.highs[level + 1, j] = levels.highs[level, j]
    if option < 0:
        for w in range(levels.alive.shape[1]):
            levels.alive[level + 1, w] = levels.alive[level, w]
            levels.fits[level + 1, w] = levels.fits[level, w]
        close_column(problem, levels, level + 1, int(np.int64(problem.counter[levels.branched[level]])))
        return
    levels.alive[level, option >> 6] &= ~(np.uint64(1) << np.uint64(option & 63))
    for w in range(levels.alive.shape[1]):
        levels.alive[level + 1, w] = levels.alive[level, w] & problem.compatible[option, w]
    for w in range(levels.open_items.shape[1]):
        levels.open_items[level + 1, w] &= ~problem.closing[option, w]
    if many > 0:
        for w in range(levels.alive.shape[1]):
            levels.fits[level + 1, w] = levels.fits[level, w] & problem.compatible[option, w]
        for j in range(problem.many_starts[option], problem.many_starts[option + 1]):
            column = int(np.int64(problem.many_columns[j]))
            levels.lows[level + 1, column] = max(0, levels.lows[level + 1, column] - 1)
            levels.highs[level + 1, column] -= 1
            if levels.highs[level + 1, column] == 0:
                close_column(problem, levels, level + 1, column)


@inner
def next_option(problem: MemoProblem, levels: MemoLevels, level: int) -> int:
    """Return the next option of the item branched on; -1 to close the item, -2 if all branches are done."""
    item = levels.branched[level]
    column = problem.counter[item]
    for w in range(levels.alive.shape[1]):
        word = levels.alive[level, w] & problem.options_of[item, w]
        if word != 0:
            if column >= 0 and left_of(levels.alive, level, problem.options_of, item) < levels.lows[level, column]:
                break
            return 64 * w + int(np.int64(lowest(word)))
    if column < 0 or levels.lows[level, column] > 0 or levels.closed[level] != 0:
        return -2
    levels.closed[level] = 1
    return -1


def make_arrays(arrays: Arrays) -> tuple[MemoProblem, MemoLevels]:
    """Return the constant data of a problem, and the levels with the first one filled in.

    Raise ValueError for an option without a primary item, which no branch would ever take.
    """
    primary, low, high, secondary, starts, items, colours = arrays
    first = np.asarray(starts, dtype=np.int64)
    entries = np.asarray(items, dtype=np.int64)
    paint = np.asarray(colours, dtype=np.int64)
    options = len(first) - 1
    owner = np.repeat(np.arange(options), np.diff(first))
    words, item_words = max(1, -(-options // 64)), max(1, -(-primary // 64))
    lows = np.asarray(low, dtype=np.int64)
    # A cover cannot take more options than the item has.
    lengths = np.bincount(entries, minlength=primary + secondary)[:primary]
    highs = np.minimum(np.asarray(high, dtype=np.int64), np.maximum(lengths, lows))
    many = np.flatnonzero((lows != 1) | (highs != 1))
    counter = np.full(max(primary, 1), -1, dtype=np.int32)
    counter[many] = np.arange(len(many))
    in_primary = entries < primary
    if not np.bincount(owner[in_primary], minlength=options)[:options].all():
        raise ValueError("an option has no primary item")
    options_of = _sets_of(entries[in_primary], owner[in_primary], primary, words)
    once = in_primary.copy()
    once[in_primary] = counter[entries[in_primary]] < 0
    closing = _sets_of(owner[once], entries[once], options, item_words)
    several = np.flatnonzero(in_primary & ~once)
    many_starts = np.concatenate(([0], np.cumsum(np.bincount(owner[several], minlength=options)[:options])))
    pair_options_of, compatible = _pairs(entries, paint, owner, options, words, once, options_of)
    pair_words = -(-len(pair_options_of) // 64)
    at, low_shift, high_shift, key_words = _fields(item_words + pair_words, lows[many], highs[many])
    problem = MemoProblem(
        options_of, pair_options_of, compatible, closing, counter, many.astype(np.int32), many_starts.astype(np.int32),
        counter[entries[several]], at, low_shift, high_shift,
    )  # fmt: skip
    depth = int(min(options, int(highs.sum()))) + primary + 3
    levels = MemoLevels(
        alive=np.zeros((depth, words), dtype=np.uint64),
        fits=np.zeros((depth, words), dtype=np.uint64),
        open_items=np.zeros((depth, item_words), dtype=np.uint64),
        pairs=np.zeros((depth, pair_words), dtype=np.uint64),
        key=np.zeros((depth, key_words), dtype=np.uint64),
        lows=np.zeros((depth, len(many)), dtype=np.int32),
        highs=np.zeros((depth, len(many)), dtype=np.int32),
        branched=np.zeros(depth, dtype=np.int32),
        closed=np.zeros(depth, dtype=np.int32),
        keyed=np.zeros(depth, dtype=np.int32),
        begun=np.zeros(depth, dtype=np.int64),
        base=np.zeros(depth, dtype=np.int64),
        taken=np.zeros(depth, dtype=np.int32),
        tried=np.zeros(depth, dtype=np.int32),
        degrees=np.zeros(depth, dtype=np.int32),
    )
    levels.alive[0] = _full(options, words)
    levels.open_items[0] = _full(primary, item_words)
    levels.pairs[0] = _full(len(pair_options_of), pair_words)
    levels.lows[0], levels.highs[0] = lows[many], highs[many]
    for item in np.flatnonzero(highs == 0):  # no option may cover it: remove them before the search
        levels.alive[0] &= ~options_of[item]
        levels.open_items[0, item // 64] &= ~(np.uint64(1) << np.uint64(item % 64))
    levels.fits[0] = levels.alive[0]
    return problem, levels


def _pairs(
    entries: Longs, paint: Longs, owner: Longs, options: int, words: int, once: npt.NDArray[np.bool_], options_of: Words
) -> tuple[Words, Words]:
    """Return the options of each pair in the key, and for each option those that agree with it.

    ``once`` says which entries belong to items with bounds 1..1.
    """
    compatible = np.full((max(options, 1), words), ~np.uint64(0), dtype=np.uint64)
    for item in np.unique(entries[once]):
        compatible[owner[once & (entries == item)]] &= ~options_of[item]
    is_settled = np.bincount(owner[once], minlength=options)[:options] > 0
    rows = []
    for item in np.unique(entries[entries >= len(options_of)]):
        inside = np.flatnonzero(entries == item)
        whole = _sets_of(np.zeros_like(inside), owner[inside], 1, words)[0]
        for colour in np.unique(paint[inside]):
            members = owner[inside[paint[inside] == colour]]
            same = _sets_of(np.zeros_like(members), members, 1, words)[0]
            compatible[members] &= ~(whole & ~same if colour else whole)
            if len(inside) > 1 or not is_settled[members[0]]:
                rows.append(same)
    return np.array(rows, dtype=np.uint64).reshape(-1, words), compatible


def _sets_of(rows: Longs, members: Longs, count: int, words: int) -> Words:
    """Return ``count`` sets as words. ``members[k]`` is in set ``rows[k]``."""
    sets = np.zeros((count, words), dtype=np.uint64)
    np.bitwise_or.at(sets, (rows, members // 64), np.uint64(1) << (members % 64).astype(np.uint64))
    return sets


def _fields(word: int, lows: Longs, highs: Longs) -> tuple[Ints, Ints, Ints, int]:
    """Return the position of each column in the key (word, two shifts), from this word on, and the key's length."""
    places, shift = [], 0
    for low, high in zip(lows.tolist(), highs.tolist(), strict=True):
        sizes = low.bit_length(), high.bit_length()
        if shift + sum(sizes) > 64:
            word, shift = word + 1, 0
        # A field of no bits holds only 0, so its shift has no effect, but it must be below 64.
        places.append((word, min(shift, 63), min(shift + sizes[0], 63)))
        shift += sum(sizes)
    table = np.array(places, dtype=np.int32).reshape(-1, 3)
    # One more word follows the fields: the number of the set of excluded options
    at, low_shift, high_shift = (np.ascontiguousarray(column) for column in table.T)
    return at, low_shift, high_shift, word + 2 if places else word


def _full(number: int, words: int) -> Words:
    """Return the set of the first ``number`` numbers."""
    whole = np.zeros(words, dtype=np.uint64)
    full, rest = divmod(number, 64)
    whole[:full] = ~np.uint64(0)
    if rest:
        whole[full] = np.uint64((1 << rest) - 1)
    return whole
