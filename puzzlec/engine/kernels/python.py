"""Kernels in plain Python: sets of options as long integers. They start at once and need no numba.

The search kernel and the probes walk the tree of :mod:`puzzlec.engine.kernels.spec` by the functions there. Each level
keeps its node, so nothing needs to be undone. The probes are those of ``random_probes``: equal random numbers and equal
trees give equal estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.spec import NONE, Node, Tree
from puzzlec.engine.progress import fraction_done


class PythonKernel:
    """A search kernel; see :mod:`puzzlec.engine.kernels` for its members."""

    def __init__(self, arrays: Arrays) -> None:
        self.tree = Tree(arrays)
        if len(self.tree.options_of) > len(self.tree.rows):  # then items are often alike
            self.tree.leave_out_copies()
        self.nodes_visited = 0
        self.finished = False
        self.profile: list[int] = []
        self.path: list[int] = []
        self.stack: list[_Level] = []
        self._fresh: Node | None = self.tree.root()

    def covers(self, budget: int) -> list[tuple[int, ...]]:
        """Search at most ``budget`` nodes and return the covers found, their options ascending."""
        listed: list[tuple[int, ...]] = []
        self._search(budget, listed)
        return listed

    def count(self, budget: int) -> int:
        """Search at most ``budget`` nodes and return the number of covers found."""
        return self._search(budget, None)

    def position(self) -> list[tuple[int, int]]:
        """Return for each depth of the current path the number of finished branches and the greatest number."""
        # A begun branch is not finished. All levels have one, except the last if the search is at a fresh node.
        begun = len(self.stack) - (self._fresh is None)
        return [(level.tried - (k < begun), level.degree) for k, level in enumerate(self.stack)]

    @property
    def fraction(self) -> float:
        """The part of the tree before the position."""
        return 1.0 if self.finished else fraction_done(self.position())

    def _search(self, budget: int, covers: list[tuple[int, ...]] | None) -> int:
        number = 0
        while not self.finished:
            if self._fresh is not None:
                node, self._fresh = self._fresh, None
                item, degree = self.tree.choose(node)
                if item < 0:
                    number += 1
                    if covers is not None:
                        covers.append(tuple(sorted(option for option in self.path if option != NONE)))
                elif degree:
                    self.stack.append(_Level(item, degree, node))
                    if len(self.profile) < len(self.stack):
                        self.profile.append(0)
            if not self.stack:
                self.finished = True
            elif budget <= 0:
                break
            else:
                budget -= self._advance(self.stack[-1])
        return number

    def _advance(self, level: _Level) -> int:
        """Take the next branch of a level, or leave the level. Return the number of nodes visited."""
        del self.path[len(self.stack) - 1 :]
        option = None if level.closed else self.tree.next_option(level.node, level.item)
        if option is None:
            self.stack.pop()
            return 0
        level.tried += 1
        self.nodes_visited += 1
        self.profile[len(self.stack) - 1] += 1
        self.path.append(option)
        if option == NONE:
            level.closed = True
            self._fresh = self.tree.close(level.node, level.item)
        else:
            self.tree.exclude(level.node, option)
            self._fresh = self.tree.take(level.node, option)
        return 1


class _Level:
    """A level of the search: the item branched on, and the node without the options of earlier branches."""

    __slots__ = ("closed", "degree", "item", "node", "tried")

    def __init__(self, item: int, degree: int, node: Node) -> None:
        self.item, self.degree, self.node = item, degree, node
        self.closed, self.tried = False, 0


MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(number: int) -> int:
    """Return 64 bits that look random, by the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


class SimpleProbes:
    """Probes of the tree of a problem, from the arrays of a kernel and a seed.

    ``weigh`` returns the weight of a solution from its options, ascending. [default: 1]
    """

    def __init__(self, arrays: Arrays, seed: int = 0, weigh: Callable[[Sequence[int]], float] | None = None) -> None:
        self.tree = Tree(arrays)
        self.seed, self.weigh = seed & MASK, weigh
        self.made = 0
        self.weights: list[float] = []

    def make(self, number: int) -> tuple[list[float], list[float]]:
        """Make this many more probes. Return their estimates of the nodes, and of the solutions."""
        nodes, solutions = [], []
        for _ in range(number):
            self.made += 1
            total, weight = self._probe(mix((self.seed + GOLDEN * self.made) & MASK))
            nodes.append(total)
            solutions.append(weight)
        return nodes, solutions

    @property
    def levels(self) -> list[float]:
        """The mean number of nodes at each depth, from the root on."""
        return [weight / max(self.made, 1) for weight in self.weights]

    def _probe(self, random: int) -> tuple[float, float]:
        """Make one probe. Return its estimates of the nodes and of the solutions."""
        tree, node = self.tree, self.tree.root()
        weight, total, level = 1.0, 0.0, 0
        path: list[int] = []
        while True:
            item, degree = tree.choose(node)
            if item < 0:
                return total, weight if self.weigh is None else weight * self.weigh(sorted(path))
            if not degree:
                return total, 0.0
            weight *= degree
            total += weight
            if level == len(self.weights):
                self.weights.append(0.0)
            self.weights[level] += weight
            level += 1
            random = (random + GOLDEN) & MASK
            branch = ((mix(random) >> 33) * degree) >> 31
            option = tree.next_option(node, item)
            for _ in range(branch):  # exclude the options of earlier branches
                assert option is not None
                tree.exclude(node, option)
                option = tree.next_option(node, item)
            assert option is not None  # the degree is the number of branches
            if option == NONE:
                node = tree.close(node, item)
            else:
                tree.exclude(node, option)
                node = tree.take(node, option)
                path.append(option)
