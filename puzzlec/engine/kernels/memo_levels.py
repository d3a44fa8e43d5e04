"""The steps of the kernel ``memo``: the item to branch on, its options, the next level, and its key."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import inlined, inner, jit
from puzzlec.engine.kernels.spec import branching_degree
from puzzlec.engine.kernels.words import lowest, population

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

degree_of = inlined(branching_degree)


class Problem(NamedTuple):
    """The constant data: sets of options, and the items of each option.

    - ``options_of`` (primary, words), ``pair_options_of`` (pairs, words), ``compatible`` (options, words): sets of
      options
    - ``closing`` (options, item words): the items of bounds 1..1 of an option
    - ``counter``: the column of an item with other bounds, else -1
    - ``many``: the item of a column
    - ``many_starts``, ``many_columns``: the columns of each option
    - ``field_word``, ``low_shift``, ``high_shift``: the place of a column in the key
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


class Levels(NamedTuple):
    """The levels of the search, a row each.

    - ``alive``: the possible options
    - ``fits``: those and the excluded ones (only if items have other bounds)
    - ``open_items``, ``pairs``, ``key``: as in the key
    - ``lows``, ``highs``: how many options the columns need and may get
    - ``branched``: the item
    - ``closed``: whether its last branch was begun
    - ``keyed``: whether the key is complete
    - ``begun``: the nodes visited before
    - ``base``: where its branches begin in the pending ones
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


@jit
def any_of(alive: Words, level: int, options_of: Words, item: int) -> bool:
    """Return whether an option of an item or pair is left on a level."""
    for w in range(alive.shape[1]):  # noqa: SIM110 - numba
        if alive[level, w] & options_of[item, w] != 0:
            return True
    return False


@inner
def close_column(problem: Problem, levels: Levels, level: int, column: int) -> None:
    """Close an item with bounds: it gets no more options."""
    item = problem.many[column]
    levels.highs[level, column] = 0
    levels.lows[level, column] = 0
    levels.open_items[level, item >> 6] &= ~(np.uint64(1) << np.uint64(item & 63))
    for w in range(levels.alive.shape[1]):
        levels.alive[level, w] &= ~problem.options_of[item, w]
        levels.fits[level, w] &= ~problem.options_of[item, w]


@jit
def choose(problem: Problem, levels: Levels, level: int, sweep: bool) -> int:
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
def make_key(problem: Problem, levels: Levels, level: int, number: int) -> None:
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
def find_pairs(problem: Problem, levels: Levels, level: int) -> None:
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
def descend(problem: Problem, levels: Levels, level: int, option: int) -> None:
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
def next_option(problem: Problem, levels: Levels, level: int) -> int:
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
