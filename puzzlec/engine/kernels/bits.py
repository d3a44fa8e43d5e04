"""Sets of options as words of 64 bits, in numba: dense, branch-poor, and nothing to undo.

A level of the search holds the set of options that are still possible, a row of ``alive`` (uint64,
shape (levels, words)). Taking option ``o`` is ``alive & keep[o]``, where ``keep[o]`` (uint64, shape
(options, words)) is the set of options that agree with it: those that share no primary item of bound 1
with it, and no secondary item except in the same colour. The branching degree of an item is the
population count of ``alive & having[item]``. Colours and secondary items live in ``keep`` and cost
nothing; items with other bounds have their counters, one row a level.

The tree is that of ``links``, node for node. Memory is options squared over 8 bytes, so this is for
problems of some ten thousand options at most.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.buffered import FILLED, FINISHED, FOUND, LEVEL, NODES, PHASE, BufferedKernel, Ints
from puzzlec.engine.kernels.jit import jit
from puzzlec.engine.kernels.words import lowest, population

# Where the search goes on: at a fresh node, or at the next branch of a level
ENTER, TRY = 0, 1

Words = npt.NDArray[np.uint64]


@jit
def left_of(alive: Words, having: Words) -> int:
    """Return how many options of an item are left."""
    number = 0
    for w in range(alive.shape[0]):
        number += int(population(alive[w] & having[w]))
    return number


@jit
def advance(
    having: Words,
    keep: Words,
    row_starts: Ints,
    row_items: Ints,
    counter: Ints,
    alive: Words,
    active: Ints,
    sizes: Ints,
    lows: Ints,
    highs: Ints,
    branched: Ints,
    taken: Ints,
    closed: Ints,
    state: npt.NDArray[np.int64],
    budget: int,
    buffer: Ints,
) -> None:
    """Go on with a search for at most ``budget`` nodes.

    ``active`` (int32, a row a level, ``sizes`` of them) lists the primary items that are not done,
    ascending. ``counter`` gives the column of ``lows`` and ``highs`` (a row a level) for an item with
    bounds other than 1..1, else -1. ``branched``, ``taken`` and ``closed`` are the item that a level
    branches on, the option taken (-1: no more of them), and whether that last branch was begun. Covers
    go into ``buffer``, each as its length and its options; a buffer of length 0 means: count only.
    """
    level, phase = state[LEVEL], state[PHASE]
    words = alive.shape[1]
    counters = lows.shape[1]
    room = len(buffer)
    filled, found, visited = 0, 0, 0
    while True:
        if phase == ENTER:
            size = sizes[level]
            phase = TRY
            if size == 0:
                if room:
                    if filled + level + 1 > room:
                        phase = ENTER  # no room for this cover: the next call meets it again
                        break
                    length = 0
                    for k in range(level):
                        if taken[k] >= 0:
                            length += 1
                            buffer[filled + length] = taken[k]
                    buffer[filled] = length
                    filled += length + 1
                found += 1
                level -= 1
                continue
            best, least = 0, 2147483647
            here = alive[level]
            for k in range(size):
                item = active[level, k]
                degree = left_of(here, having[item])
                c = counter[item]
                if c >= 0:
                    degree = max(0, degree + 1 - lows[level, c])
                if degree < least:
                    best, least = item, degree
                    if degree == 0:
                        break
            if least == 0:
                level -= 1
                continue
            branched[level] = best
            closed[level] = 0
        if level < 0:
            state[FINISHED] = 1
            level = 0
            break
        # TRY: the next option of the item, in ascending order
        item = branched[level]
        c = counter[item]
        option = -1
        for w in range(words):
            word = alive[level, w] & having[item, w]
            if word != 0:
                option = 64 * w + int(lowest(word))
                break
        if c >= 0 and option >= 0 and left_of(alive[level], having[item]) < lows[level, c]:
            option = -1
        if option < 0 and (c < 0 or lows[level, c] > 0 or closed[level] != 0):
            level -= 1
            continue
        if visited >= budget:
            break
        visited += 1
        taken[level] = option
        for j in range(counters):
            lows[level + 1, j] = lows[level, j]
            highs[level + 1, j] = highs[level, j]
        size = 0
        if option < 0:  # no more of this item
            closed[level] = 1
            for w in range(words):
                alive[level + 1, w] = alive[level, w]
            for k in range(sizes[level]):
                if active[level, k] != item:
                    active[level + 1, size] = active[level, k]
                    size += 1
        else:
            alive[level, option >> 6] &= ~(np.uint64(1) << np.uint64(option & 63))
            for w in range(words):
                alive[level + 1, w] = alive[level, w] & keep[option, w]
            first, last = row_starts[option], row_starts[option + 1]
            for j in range(first, last):
                c = counter[row_items[j]]
                if c >= 0:
                    lows[level + 1, c] = max(0, lows[level + 1, c] - 1)
                    highs[level + 1, c] -= 1
                    if highs[level + 1, c] == 0:
                        for w in range(words):
                            alive[level + 1, w] &= ~having[row_items[j], w]
            # Both lists ascend: leave out the items that are done by walking along both.
            j = first
            for k in range(sizes[level]):
                each = active[level, k]
                while j < last and row_items[j] < each:
                    j += 1
                if j < last and row_items[j] == each:
                    c = counter[each]
                    if c < 0 or highs[level + 1, c] == 0:
                        continue
                active[level + 1, size] = each
                size += 1
        level += 1
        sizes[level] = size
        phase = ENTER
    state[LEVEL] = level
    state[PHASE] = phase
    state[NODES] += visited
    state[FOUND] += found
    state[FILLED] = filled


class BitsKernel(BufferedKernel):
    """See the package for what a kernel does. All arguments are sequences of integers."""

    def __init__(
        self,
        primary: int,
        low: Sequence[int],
        high: Sequence[int],
        secondary: int,
        starts: Sequence[int],
        items: Sequence[int],
        colours: Sequence[int],
    ) -> None:
        count = primary + secondary
        first = np.asarray(starts, dtype=np.int64)
        entries = np.asarray(items, dtype=np.int64)
        paint = np.asarray(colours, dtype=np.int64)
        options = len(first) - 1
        owner = np.repeat(np.arange(options), np.diff(first))
        words = max(1, -(-options // 64))
        lengths = np.bincount(entries, minlength=count)[:primary]
        lows = np.asarray(low, dtype=np.int64)
        # More than the item's options plus what is needed cannot be taken.
        highs = np.minimum(np.asarray(high, dtype=np.int64), np.maximum(lengths, lows))
        many = np.flatnonzero((lows != 1) | (highs != 1))
        self.counter = np.full(max(count, 1), -1, dtype=np.int32)
        self.counter[many] = np.arange(len(many))
        self.having = np.zeros((max(count, 1), words), dtype=np.uint64)
        bit = np.uint64(1) << (owner % 64).astype(np.uint64)
        np.bitwise_or.at(self.having, (entries, owner // 64), bit)
        self.keep = self._keep(primary, options, words, entries, paint, owner, bit)
        # The primary items of each option, ascending
        of_primary = np.flatnonzero(entries < primary)
        order = of_primary[np.lexsort((entries[of_primary], owner[of_primary]))]
        self.row_items = entries[order].astype(np.int32)
        sizes = np.bincount(owner[order], minlength=options)[:options]
        self.row_starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
        depth = int(min(options, int(highs.sum())) + primary + 2)
        self.alive = np.zeros((depth, words), dtype=np.uint64)
        self.alive[0] = _all(options, words)
        self.active = np.zeros((depth, max(primary, 1)), dtype=np.int32)
        self.sizes = np.zeros(depth, dtype=np.int32)
        self.lows, self.highs = (np.zeros((depth, len(many)), dtype=np.int32) for _ in range(2))
        self.lows[0], self.highs[0] = lows[many], highs[many]
        wanted = np.flatnonzero(highs > 0)
        self.active[0, : len(wanted)] = wanted
        self.sizes[0] = len(wanted)
        for item in np.flatnonzero(highs == 0):  # nothing may be taken: gone before the search begins
            self.alive[0] &= ~self.having[item]
        self.branched, self.taken, self.closed = (np.zeros(depth, dtype=np.int32) for _ in range(3))
        super().__init__(depth)

    def _keep(
        self,
        primary: int,
        options: int,
        words: int,
        entries: npt.NDArray[np.int64],
        paint: npt.NDArray[np.int64],
        owner: npt.NDArray[np.int64],
        bit: Words,
    ) -> Words:
        """Return for each option the set of those that agree with it."""
        keep = np.full((max(options, 1), words), ~np.uint64(0), dtype=np.uint64)
        # By item, and for secondary items by colour: the same set of options goes for all of a group.
        groups = np.unique(np.stack((entries, paint)), axis=1, return_inverse=True)
        members = np.argsort(groups[1].ravel(), kind="stable")
        ends = np.cumsum(np.bincount(groups[1].ravel(), minlength=groups[0].shape[1]))
        for group, (item, colour) in enumerate(groups[0].T):
            inside = members[(ends[group - 1] if group else 0) : ends[group]]
            if item < primary and self.counter[item] >= 0:
                continue
            clash = self.having[item]
            if colour:
                same = np.zeros(words, dtype=np.uint64)
                np.bitwise_or.at(same, owner[inside] // 64, bit[inside])
                clash = clash & ~same
            keep[owner[inside]] &= ~clash
        return keep

    def _advance(self, budget: int, buffer: Ints) -> None:
        advance(
                self.having, self.keep, self.row_starts, self.row_items, self.counter, self.alive, self.active,
                self.sizes, self.lows, self.highs, self.branched, self.taken, self.closed, self.state, budget, buffer,
            )  # fmt: skip


def _all(options: int, words: int) -> Words:
    """Return the set of all options."""
    alive = np.zeros(words, dtype=np.uint64)
    full, rest = divmod(options, 64)
    alive[:full] = ~np.uint64(0)
    if rest:
        alive[full] = np.uint64((1 << rest) - 1)
    return alive
