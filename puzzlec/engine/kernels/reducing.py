"""A look ahead for every option of an exact cover: whether it would leave an item with too few options.

Sets of options are rows of 64-bit words. Items have long rows with many bits set, so the first word that is looked at
mostly tells that something is left; it is the word where something was left the last time.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.jit import jit
from puzzlec.engine.kernels.words import lowest, population


@jit
def close_impossible(
    starts: npt.NDArray[np.int32],
    items: npt.NDArray[np.int32],
    agreement: npt.NDArray[np.int32],
    having: npt.NDArray[np.uint64],
    agreeing: npt.NDArray[np.uint64],
    alive: npt.NDArray[np.uint64],
    need: npt.NDArray[np.int32],
    room: npt.NDArray[np.int32],
    word: int,
    looks: int,
    budget: int,
) -> tuple[int, int]:
    """Take from ``alive`` the options that would leave an item with too few, from those of a word on.

    Returns the word to go on with, when about ``budget`` words were read or all options are looked at, and the looks
    left, -1 where they did not suffice.

    ``starts``, ``items``: the options, as in an exact cover; ``agreement``: for each entry the row of ``agreeing``
    with the options that give the item the same colour, -1 for an entry without a colour. ``having``: the options
    of each item, one row of words each; ``alive``: the open options, one such row. ``need``, ``room``: how many
    options each primary item needs still, and may get still; the items after them are secondary. Options are looked
    at in ascending order, and one that is closed is gone for those after it. Each open option costs a look for each
    item in need.
    """
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
                        left[k] &= ~having[item, k]
                else:
                    for k in range(words):
                        left[k] &= ~having[item, k] | agreeing[same, k]
            for item in needy:
                wanted = need[item] - (seen[item] == option + 1)
                if wanted <= 0 or (wanted == 1 and having[item, hint[item]] & left[hint[item]]):
                    continue
                number = np.int64(0)
                for k in range(words):
                    common = having[item, k] & left[k]
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
