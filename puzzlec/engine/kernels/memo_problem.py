"""The arrays of the kernel ``memo``, made from those of an exact cover."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.memo_levels import Levels, Problem

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


def make_arrays(arrays: Arrays) -> tuple[Problem, Levels]:
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
    # A cover cannot take more than the item's options plus what is needed.
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
    problem = Problem(
        options_of, pair_options_of, compatible, closing, counter, many.astype(np.int32), many_starts.astype(np.int32),
        counter[entries[several]], at, low_shift, high_shift,
    )  # fmt: skip
    depth = int(min(options, int(highs.sum()))) + primary + 3
    levels = Levels(
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
    for item in np.flatnonzero(highs == 0):  # nothing may be taken: removed before the search begins
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
    """Return where the columns are in the key, from this word on (word, two shifts), and the length of the key."""
    places, shift = [], 0
    for low, high in zip(lows.tolist(), highs.tolist(), strict=True):
        sizes = low.bit_length(), high.bit_length()
        if shift + sum(sizes) > 64:
            word, shift = word + 1, 0
        # A field of no bits holds only 0, so its shift has no effect, but it must be below 64.
        places.append((word, min(shift, 63), min(shift + sizes[0], 63)))
        shift += sum(sizes)
    table = np.array(places, dtype=np.int32).reshape(-1, 3)
    # After the fields, a word for the number of the set of excluded options
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
