"""The dives of ``dives.py`` in plain Python, for small numbers of them and where there is no numba.

The random numbers and the tree are the same, so the estimates are, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from puzzlec.engine.kernels.python import PythonKernel, _Level

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(number: int) -> int:
    """Return 64 bits that look random, by the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


class SimpleDives(PythonKernel):
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
        super().__init__(primary, low, high, secondary, starts, items, colours)
        assert self._fresh is not None
        self.root = self._fresh
        self.seed, self.weigh = seed & MASK, weigh
        self.made = 0
        self.weights: list[float] = []

    def make(self, number: int) -> tuple[list[float], list[float]]:
        """Make so many more dives; return the estimates of each: nodes, and solutions."""
        nodes, solutions = [], []
        for _ in range(number):
            self.made += 1
            total, weight = self._dive(mix((self.seed + GOLDEN * self.made) & MASK))
            nodes.append(total)
            solutions.append(weight)
        return nodes, solutions

    @property
    def levels(self) -> list[float]:
        """The mean number of nodes on each level, the first level first."""
        return [each / max(self.made, 1) for each in self.weights]

    def _dive(self, random: int) -> tuple[float, float]:
        """Make one dive; return its estimates of the nodes and of the solutions."""
        alive, active, bounds = self.root
        weight, total, level = 1.0, 0.0, 0
        trail = []
        while active:
            item, degree = self._choose(alive, active, bounds)
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
            for _ in range(branch):  # options before the chosen one are excluded below it
                left = alive & self.having[item]
                alive &= ~(left & -left)
            left = alive & self.having[item]
            if left:
                option = (left & -left).bit_length() - 1
                trail.append(option)
                node = _Level(item, degree, alive & ~(1 << option), active, bounds)
                alive, active, bounds = self._take(option, node)
            else:  # no more of this item
                active = tuple(each for each in active if each != item)
        return total, weight if self.weigh is None else weight * self.weigh(sorted(trail))
