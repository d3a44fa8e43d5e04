"""Random probes of the search tree, each a path from the root to a leaf, in numba.

Each node chooses one branch at random, all with the same probability. The product of the degrees above a level is then
an unbiased estimate of the number of nodes on it (D. E. Knuth, "Estimating the efficiency of backtrack programs",
Mathematics of Computation 29, 1975). The tree is that of the search kernels, node for node, so the probes estimate
their time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.incidence import Incidence, Ints, Remaining, incidence_of, mix, root_of
from puzzlec.engine.kernels.jit import inlined, inner, jit
from puzzlec.engine.kernels.spec import branching_degree

Floats = npt.NDArray[np.float64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)

degree_of = inlined(branching_degree)


class Estimates(NamedTuple):
    """Sums of probes: ``nodes`` and ``solutions`` have an entry for each probe, ``profile`` one for each depth.

    ``trails`` (int32, one row per probe, -1 at first) receives the options that each probe takes. If it has no rows,
    nothing is recorded.
    """

    nodes: Floats
    solutions: Floats
    profile: Floats
    trails: Ints


#: Maximum number of options in the arrays of recorded trails.
MAX_RECORDED_OPTIONS = 1 << 18


@inner
def copy(source: Ints, target: Ints) -> None:
    """Copy the numbers of an array. An assignment to a slice would also have code for arrays of unequal lengths."""
    for k in range(len(source)):
        target[k] = source[k]


@inner
def remove(option: int, alive: Ints, left: Ints, row_starts: Ints, row_items: Ints) -> None:
    """Remove an option that is alive, and count it down in its items."""
    alive[option] = 0
    for j in range(row_starts[option], row_starts[option + 1]):
        left[row_items[j]] -= 1


@inlined
def choose(left: Ints, need: Ints, room: Ints, active: Ints, size: int) -> tuple[int, int, int]:
    """Return the item to branch on (-1: none), its degree, and the number of active items.

    Finished items are removed on the way.
    """
    best, least, kept = -1, 2147483647, 0
    waiting, fewest = -1, 2147483647
    for k in range(size):
        item = active[k]
        if room[item] == 0:
            continue
        active[kept] = item
        kept += 1
        degree = degree_of(left[item], need[item])
        if need[item] == 0:
            if 1 < degree < fewest:
                waiting, fewest = item, degree
        elif degree < least:
            best, least = item, degree
    if best < 0:
        best, least = waiting, fewest
    return best, least, kept


@jit
def probe(
    incidence: Incidence, root: Remaining, remaining: Remaining, seed: np.uint64, first: int, estimates: Estimates
) -> None:
    """Make the probes of a seed from number ``first`` on, as many as ``estimates`` has room for.

    ``remaining`` is working memory with the same sizes as ``root``.
    """
    primary, row_starts, row_items, row_colours, item_starts, item_options, item_colours = incidence
    alive, left, need, room, active = remaining
    nodes, solutions, profile, trails = estimates
    for number in range(len(nodes)):
        copy(root.alive, alive)
        copy(root.left, left)
        copy(root.need, need)
        copy(root.room, room)
        copy(root.active, active)
        size = len(root.active)
        # Every probe has its own stream of random numbers, so it does not depend on the number of probes.
        random = mix(seed + GOLDEN * np.uint64(first + number + 1))
        weight, total, level, length = 1.0, 0.0, 0, 0
        while True:
            item, degree, size = choose(left, need, room, active, size)
            if item < 0:
                solutions[number] = weight
                break
            if degree == 0:
                break
            weight *= degree
            total += weight
            profile[level] += weight
            level += 1
            random += GOLDEN
            branch = int(((mix(random) >> np.uint64(33)) * np.uint64(degree)) >> np.uint64(31))
            # The branch excludes the options before the chosen one.
            next_option = -1
            for k in range(item_starts[item], item_starts[item + 1]):
                option = item_options[k]
                if alive[option]:
                    remove(option, alive, left, row_starts, row_items)
                    if branch == 0:
                        next_option = option
                        break
                    branch -= 1
            if next_option < 0:  # the item takes no more options
                room[item] = 0
                continue
            if len(trails):
                trails[number, length] = next_option
                length += 1
            for j in range(row_starts[next_option], row_starts[next_option + 1]):
                item, colour = row_items[j], row_colours[j]
                if item < primary:
                    need[item] = max(0, need[item] - 1)
                    room[item] -= 1
                    if room[item] > 0:
                        continue
                for k in range(item_starts[item], item_starts[item + 1]):
                    option = item_options[k]
                    if alive[option] and (colour == 0 or item_colours[k] != colour):
                        remove(option, alive, left, row_starts, row_items)
        nodes[number] = total


class RandomProbes:
    """Probes of the tree of a problem, from the arrays of a kernel and a seed.

    ``weigh`` returns the weight of a solution from its options, ascending. [default: 1]
    """

    def __init__(self, arrays: Arrays, seed: int = 0, weigh: Callable[[Sequence[int]], float] | None = None) -> None:
        self.incidence = incidence_of(arrays)
        self.root = root_of(self.incidence, arrays)
        self.made, self._weigh = 0, weigh
        self._seed = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
        self._remaining = self.root.copy()
        room = int(self.root.room[: arrays.primary].sum(dtype=np.int64))
        self._profile = np.zeros(min(self.incidence.options, room) + arrays.primary + 1, dtype=np.float64)

    def make(self, number: int) -> tuple[list[float], list[float]]:
        """Make this many more probes. Return their estimates of the nodes, and of the solutions."""
        if self._weigh is None:
            return self._some(number, np.empty((0, 0), dtype=np.int32))
        nodes: list[float] = []
        solutions: list[float] = []
        while len(nodes) < number:
            rows = min(number - len(nodes), max(1, MAX_RECORDED_OPTIONS // len(self._profile)))
            trails = np.full((rows, len(self._profile)), -1, dtype=np.int32)
            some = self._some(rows, trails)
            nodes += some[0]
            for trail, weight in zip(trails, some[1], strict=True):
                solutions.append(weight * self._weigh(np.sort(trail[trail >= 0]).tolist()) if weight else 0.0)
        return nodes, solutions

    def _some(self, number: int, trails: Ints) -> tuple[list[float], list[float]]:
        estimates = Estimates(np.zeros(number), np.zeros(number), self._profile, trails)
        probe(self.incidence, self.root, self._remaining, self._seed, self.made, estimates)
        self.made += number
        return estimates.nodes.tolist(), estimates.solutions.tolist()

    @property
    def levels(self) -> list[float]:
        """The mean number of nodes at each depth, from the root on."""
        levels = np.trim_zeros(self._profile, "b") / max(self.made, 1)
        return [float(mean) for mean in levels]
