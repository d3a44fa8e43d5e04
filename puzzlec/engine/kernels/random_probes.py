"""Random dives from the root of the search tree to a leaf, in numba.

At each node one branch is chosen at random, all with the same probability. The product of the degrees
above a level is then an unbiased estimate of the number of nodes on it (D. E. Knuth, "Estimating the
efficiency of backtrack programs", Mathematics of Computation 29, 1975). The tree is that of the search
kernels, node for node, so what is estimated is how long they take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from puzzlec.engine.kernels.incidence import Incidence, Ints, mix
from puzzlec.engine.kernels.jit import jit

Floats = npt.NDArray[np.float64]


@jit
def remove(option: int, alive: Ints, left: Ints, row_starts: Ints, row_items: Ints) -> None:
    """Remove an option that is alive, and count it down in its items."""
    alive[option] = 0
    for j in range(row_starts[option], row_starts[option + 1]):
        left[row_items[j]] -= 1


@jit
def dive(
    row_starts: Ints,
    row_items: Ints,
    row_colours: Ints,
    item_starts: Ints,
    item_options: Ints,
    item_colours: Ints,
    primary: int,
    root_alive: Ints,
    root_left: Ints,
    root_need: Ints,
    root_room: Ints,
    root_active: Ints,
    alive: Ints,
    left: Ints,
    need: Ints,
    room: Ints,
    active: Ints,
    seed: np.uint64,
    first: int,
    nodes: Floats,
    solutions: Floats,
    profile: Floats,
    trails: Ints,
) -> None:
    """Make the dives ``first`` .. ``first + len(nodes) - 1`` of a seed.

    ``nodes`` and ``solutions`` (float64, an entry a dive) receive each dive's estimates; those of the
    nodes on each level are added to ``profile``. ``root_*`` are the numbers at the root, see
    ``Incidence``; the arrays of the same names without ``root_`` are room to work in. ``trails`` (int32, a row a dive,
    -1 at first) receives the options that each dive takes; without rows, they are not recorded.
    """
    golden = np.uint64(0x9E3779B97F4A7C15)
    for number in range(len(nodes)):
        alive[:], left[:], need[:], room[:] = root_alive, root_left, root_need, root_room
        size = len(root_active)
        active[:size] = root_active
        # Every dive has its own stream of random numbers, so the first of them do not depend on how many there are.
        random = mix(seed + golden * np.uint64(first + number + 1))
        weight, total, level, length = 1.0, 0.0, 0, 0
        while True:
            # The item of least degree, the lowest of several; those that are done are left out on the way.
            best, least, kept = -1, 2147483647, 0
            for k in range(size):
                item = active[k]
                if room[item] == 0:
                    continue
                active[kept] = item
                kept += 1
                degree = left[item] + 1 - need[item]
                if degree < least:
                    best, least = item, degree
            size = kept
            if best < 0:
                solutions[number] = weight
                break
            if least <= 0:
                break
            weight *= least
            total += weight
            profile[level] += weight
            level += 1
            random += golden
            branch = int(((mix(random) >> np.uint64(33)) * np.uint64(least)) >> np.uint64(31))
            # Options before the chosen one are excluded below it.
            taken = -1
            for k in range(item_starts[best], item_starts[best + 1]):
                option = item_options[k]
                if alive[option]:
                    remove(option, alive, left, row_starts, row_items)
                    if branch == 0:
                        taken = option
                        break
                    branch -= 1
            if taken < 0:  # no more of this item
                room[best] = 0
                continue
            if len(trails):
                trails[number, length] = taken
                length += 1
            for j in range(row_starts[taken], row_starts[taken + 1]):
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


#: Trails of dives are recorded in arrays of at most this many options.
RECORDED = 1 << 18


class Dives:
    """Dives into the tree of a problem; the arguments are those of a kernel, and the seed of all random choices.

    A solution counts as ``weigh`` of its options, ascending; default: as 1.
    """

    def __init__(
        self,
        primary: int,
        low: Sequence[int],
        high: Sequence[int],
        secondary: int,
        starts: Sequence[int],
        items: Sequence[int],
        colours: Sequence[int],
        seed: int = 0,
        weigh: Callable[[Sequence[int]], float] | None = None,
    ) -> None:
        self.incidence = Incidence(primary, low, high, secondary, starts, items, colours)
        self.made = 0
        self._seed = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
        root = self.incidence
        self._root = (root.alive, root.left, root.need, root.room, root.active)
        alive, left, need, room, active = (np.empty_like(each) for each in self._root)
        self._work = (alive, left, need, room, active)
        depth = int(min(root.options, int(root.room[:primary].sum(dtype=np.int64)))) + primary + 1
        self._profile = np.zeros(depth, dtype=np.float64)
        self._weigh = weigh

    def make(self, number: int) -> tuple[list[float], list[float]]:
        """Make this many more dives; return the estimates of each: nodes, and solutions."""
        if self._weigh is None:
            return self._some(number, np.empty((0, 0), dtype=np.int32))
        nodes: list[float] = []
        solutions: list[float] = []
        while len(nodes) < number:
            rows = min(number - len(nodes), max(1, RECORDED // len(self._profile)))
            trails = np.full((rows, len(self._profile)), -1, dtype=np.int32)
            some = self._some(len(trails), trails)
            nodes += some[0]
            for trail, weight in zip(trails, some[1], strict=True):
                solutions.append(weight * self._weigh(np.sort(trail[trail >= 0]).tolist()) if weight else 0.0)
        return nodes, solutions

    def _some(self, number: int, trails: Ints) -> tuple[list[float], list[float]]:
        nodes, solutions = np.zeros(number), np.zeros(number)
        dive(
            *self.incidence.arrays, self.incidence.primary, *self._root, *self._work,
            self._seed, self.made, nodes, solutions, self._profile, trails,
        )  # fmt: skip
        self.made += number
        return nodes.tolist(), solutions.tolist()

    @property
    def levels(self) -> list[float]:
        """The mean number of nodes on each level, the first level first."""
        levels = np.trim_zeros(self._profile, "b") / max(self.made, 1)
        return [float(each) for each in levels]
