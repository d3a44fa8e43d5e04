"""A look ahead for every option of an exact cover: whether it leaves an item with too few options.

Sets of options are rows of 64-bit words. Items have long rows with many bits set, so one word is mostly enough to show
that something is left. The first word to be read is the one that was enough the last time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import jit
from puzzlec.engine.kernels.words import lowest, population

Ints = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]


class Problem(NamedTuple):
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


@jit
def close_impossible(
    problem: Problem, alive: Words, need: Ints, room: Ints, word: int, looks: int, budget: int
) -> tuple[int, int]:
    """Remove from ``alive`` the options from a word on that leave an item with too few options.

    Return the word to continue with, after about ``budget`` words or all options, and the looks left; -1 means that
    they did not suffice.

    ``alive`` are the open options, a row of words. ``need`` and ``room`` say how many options each primary item still
    needs and may still get; the other items are secondary. Options are examined in ascending order, and a closed option
    is missing for those after it. Each open option costs a look for each item in need.
    """
    starts, items, agreement, options_of, agreeing = problem
    primary, words = len(need), len(alive)
    needy = np.flatnonzero(need > 0)
    left = np.empty_like(alive)
    seen = np.zeros(primary, np.int32)  # the option, plus one, that had this item last
    hint = np.zeros(primary, np.int32)
    one = np.uint64(1)
    while word < words and budget > 0:
        rest = alive[word]
        while rest:
            bit = rest & (~rest + one)
            rest ^= bit
            option = 64 * word + np.int64(lowest(bit))
            looks -= len(needy)
            if looks < 0:
                return word, -1
            budget -= len(needy) + words * (1 + starts[option + 1] - starts[option])
            for k in range(words):
                left[k] = alive[k]
            left[word] &= ~bit
            for entry in range(starts[option], starts[option + 1]):
                item = items[entry]
                if item < primary:
                    seen[item] = option + 1
                    if room[item] > 1:
                        continue
                same = agreement[entry]
                if same < 0:
                    for k in range(words):
                        left[k] &= ~options_of[item, k]
                else:
                    for k in range(words):
                        left[k] &= ~options_of[item, k] | agreeing[same, k]
            for item in needy:
                wanted = need[item] - (seen[item] == option + 1)
                if wanted <= 0 or (wanted == 1 and options_of[item, hint[item]] & left[hint[item]]):
                    continue
                number = np.int64(0)
                for k in range(words):
                    common = options_of[item, k] & left[k]
                    if common:
                        number += np.int64(population(common))
                        hint[item] = k
                        if number >= wanted:
                            break
                if number < wanted:
                    alive[word] &= ~bit
                    break
        word += 1
    return word, looks
