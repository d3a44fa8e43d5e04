"""The probes of ``random_probes`` in plain Python, for small numbers of them and for machines without numba.

The random numbers and the tree are the same, so the estimates are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.spec import NONE, Tree

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(number: int) -> int:
    """Return 64 bits that look random, by the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


class SimpleProbes:
    """Probes of the tree of a problem, from the arrays of a kernel and a seed.

    A solution counts as ``weigh`` of its options, ascending. [default: 1]
    """

    def __init__(self, arrays: Arrays, seed: int = 0, weigh: Callable[[Sequence[int]], float] | None = None) -> None:
        self.tree = Tree(arrays)
        self.seed, self.weigh = seed & MASK, weigh
        self.made = 0
        self.weights: list[float] = []

    def make(self, number: int) -> tuple[list[float], list[float]]:
        """Make this many more probes. Return the estimates of each: nodes, and solutions."""
        nodes, solutions = [], []
        for _ in range(number):
            self.made += 1
            total, weight = self._probe(mix((self.seed + GOLDEN * self.made) & MASK))
            nodes.append(total)
            solutions.append(weight)
        return nodes, solutions

    @property
    def levels(self) -> list[float]:
        """The mean number of nodes on each level, the first level first."""
        return [weight / max(self.made, 1) for weight in self.weights]

    def _probe(self, random: int) -> tuple[float, float]:
        """Make one probe. Return its estimates of the nodes and of the solutions."""
        tree, node = self.tree, self.tree.root()
        weight, total, level = 1.0, 0.0, 0
        taken = []
        while node.active:
            item, degree = tree.choose(node)
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
                taken.append(option)
        return total, weight if self.weigh is None else weight * self.weigh(sorted(taken))
