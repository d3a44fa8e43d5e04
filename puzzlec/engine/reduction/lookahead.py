"""A look ahead in machine code: for every option of an exact cover, whether it leaves an item with too few options.

Sets of options are rows of 64-bit words. Items have long rows with many bits set, so one word is usually enough to show
that options are left. The word that was enough last time is read first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import inner, jit
from puzzlec.engine.kernels.words import lowest, population
from puzzlec.engine.problem import ExactCover

Ints = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]


class LookaheadProblem(NamedTuple):
    """An exact cover, and its options as rows of words.

    ``starts`` and ``items`` are the options, as in an exact cover. ``options_of`` has the options of each item.
    ``agreement`` has for each entry the row of ``agreeing`` with the options that give the item the same colour, or -1
    for an entry without a colour.
    """

    starts: Ints
    items: Ints
    agreement: Ints
    options_of: Words
    agreeing: Words


@inner
def leave(left: Words, problem: LookaheadProblem, option: int, room: Ints, seen: Ints) -> None:
    """Take an option: remove from ``left`` the options that conflict with it, and note its items in ``seen``."""
    starts, items, agreement, options_of, agreeing = problem
    for entry in range(starts[option], starts[option + 1]):
        item = items[entry]
        if item < len(room):
            seen[item] = option + 1
            if room[item] > 1:
                continue
        same = agreement[entry]
        if same < 0:
            for k in range(len(left)):
                left[k] &= ~options_of[item, k]
        else:
            for k in range(len(left)):
                left[k] &= ~options_of[item, k] | agreeing[same, k]


@inner
def has_enough(left: Words, options_of: Words, item: int, needed: int, hint: Ints) -> bool:
    """Return whether at least ``needed`` options of an item are left; ``hint`` is the word to read first."""
    if needed <= 0 or (needed == 1 and options_of[item, hint[item]] & left[hint[item]]):
        return True
    number = np.int64(0)
    for k in range(len(left)):
        common = options_of[item, k] & left[k]
        if common:
            number += np.int64(population(common))
            hint[item] = k
            if number >= needed:
                return True
    return False


@inner
def in_need(need: Ints) -> Ints:
    """Return the items that need an option."""
    items = np.empty(len(need), np.int32)
    number = 0
    for item in range(len(need)):
        if need[item] > 0:
            items[number] = item
            number += 1
    return items[:number]


@jit
def close_impossible(
    problem: LookaheadProblem, alive: Words, need: Ints, room: Ints, word: int, looks: int, budget: int
) -> tuple[int, int]:
    """Remove from ``alive`` the options that leave an item with too few options, beginning with a word.

    Stop after about ``budget`` words. Return the word to continue with, and the number of looks left, or -1 if there
    were too few.

    ``alive`` are the open options, a row of words. ``need`` and ``room`` are the numbers of options that each primary
    item still needs and may still get. The other items are secondary. Options are examined in ascending order, and a
    closed option is no longer available for later ones. Each open option costs one look for each item in need.
    """
    starts, options_of, words = problem.starts, problem.options_of, len(alive)
    needy = in_need(need)
    left = np.empty_like(alive)
    seen = np.zeros(len(need), np.int32)  # for each item: the last option that had it, plus one
    hint = np.zeros(len(need), np.int32)
    one = np.uint64(1)
    while word < words and budget > 0:
        rest = alive[word]
        while rest:
            bit = rest & (~rest + one)
            rest ^= bit
            option = 64 * word + int(np.int64(lowest(bit)))
            looks -= len(needy)
            if looks < 0:
                return word, -1
            budget -= len(needy) + words * (1 + starts[option + 1] - starts[option])
            for k in range(words):
                left[k] = alive[k]
            left[word] &= ~bit
            leave(left, problem, option, room, seen)
            for item in needy:
                if not has_enough(left, options_of, int(item), int(need[item] - (seen[item] == option + 1)), hint):
                    alive[word] &= ~bit
                    break
        word += 1
    return word, looks


#: Number of words that are read in one call, so that Ctrl-C works within a few hundredths of a second.
CALL_WORDS = 1 << 24


def options_as_words(cover: ExactCover) -> npt.NDArray[np.uint64]:
    """Return the options of each item as a row of words. Option ``o`` is bit ``o % 64`` of the word ``o // 64``."""
    starts = np.frombuffer(cover.starts, np.int32)
    options = np.repeat(np.arange(len(cover)), starts[1:] - starts[:-1])
    return _packed(np.frombuffer(cover.items, np.int32), options, cover.primary + cover.secondary, len(cover))


def words_as_sets(words: npt.NDArray[np.uint64]) -> list[int]:
    """Return the rows as integers, whose bit ``o`` is option ``o``.

    >>> words_as_sets(options_as_words(ExactCover.from_rows([[0, 1], [1], [0]], primary=2)))
    [5, 3]
    """
    return [int.from_bytes(row.tobytes(), "little") for row in words.astype("<u8")]


class CompiledLooks:
    """Looks ahead for one problem with at least one option."""

    def __init__(self, cover: ExactCover, options_of: npt.NDArray[np.uint64]) -> None:
        starts = np.frombuffer(cover.starts, np.int32)
        items = np.frombuffer(cover.items, np.int32)
        colours = np.frombuffer(cover.colours, np.int32)
        coloured = np.flatnonzero(colours)
        agreement = np.full(len(items), -1, np.int32)
        # A pair of an item and a colour is one number. Equal pairs get the same row.
        pairs = items[coloured].astype(np.int64) << 32 | colours[coloured]
        kinds, rows = np.unique(pairs, return_inverse=True)
        agreement[coloured] = rows
        options = np.searchsorted(starts, coloured, "right") - 1
        self.problem = LookaheadProblem(
            starts, items, agreement, options_of, _packed(rows, options, len(kinds), len(cover))
        )

    def ahead(self, alive: int, need: list[int], room: list[int], looks: int) -> tuple[int, int]:
        """Return the open options without those that leave an item with too few, and the looks left."""
        words = np.frombuffer(alive.to_bytes(8 * self.problem.options_of.shape[1], "little"), "<u8").astype(np.uint64)
        bounds = np.array(need, np.int32), np.array(room, np.int32)
        word = 0
        while word < len(words) and looks >= 0:
            word, looks = close_impossible(self.problem, words, *bounds, word, looks, CALL_WORDS)
        return int.from_bytes(words.astype("<u8").tobytes(), "little"), looks


def _packed(
    rows: npt.NDArray[np.signedinteger], options: npt.NDArray[np.signedinteger], number: int, length: int
) -> npt.NDArray[np.uint64]:
    """Return ``number`` sets of ``length`` options as words, from pairs of a row and an option that it has."""
    words = np.zeros((number, (length + 63) // 64), np.uint64)
    np.bitwise_or.at(words, (rows, options >> 6), np.uint64(1) << (options & 63).astype(np.uint64))
    return words
