"""Estimates of the sizes of parts of a search tree, by a few random probes into each."""

from __future__ import annotations

import math
from collections.abc import Callable

from puzzlec.engine.search.estimating import sampler_of
from puzzlec.engine.search.splitting import Node, Path, Tree

#: Random probes of each part. Their mean is off by half on most trees, but sums of parts are better.
PROBES = 128

#: Steps of an estimate, in addition to its probes and one step for each entry left. 20 million steps take a second.
COST = 20_000

#: A level of a probe costs STEP steps, and one more step for each CHOSEN items among which it chooses the next one.
STEP, CHOSEN = 4, 50

#: Maximum size of a tree. It will never be searched, and squares of sums stay finite.
MOST = 1e60

#: With this many entries, each takes twice as long, since the entries are far apart in memory.
SLOW = 1_000_000

#: The default number of steps for estimates.
EFFORT = 20_000_000


class Sizes:
    """Estimates of the nodes below paths of a tree (Knuth 1975, see :mod:`puzzlec.engine.search.estimating`).

    They depend only on the tree, and on the paths and their order. ``known`` has the mean of each path and its standard
    error. After ``effort`` steps, a part is assumed to be as large as the other parts below the same node. ``whole`` is
    the size of all together, if no part above was estimated.
    """

    def __init__(self, tree: Tree, effort: float = EFFORT, whole: float = 0.0, probes: int = PROBES) -> None:
        self.tree, self.effort, self.whole, self.probes = tree, effort, whole, probes
        self.known: dict[Path, tuple[float, float]] = {}

    def __call__(self, path: Path, node: Callable[[], Node], among: int) -> float:
        """Return the estimated nodes below a path; ``node`` gives its end, ``among`` the parts of its node."""
        if path not in self.known:
            if self.effort > 0:
                self.known[path] = self._estimate(path, node())
            else:
                guess = self.known.get(path[:-1], (self.whole, 0.0))[0] / among
                self.known[path] = guess, guess
        return self.known[path][0]

    def _estimate(self, path: Path, node: Node) -> tuple[float, float]:
        self.effort -= COST
        if not node.active.any():
            return 0.0, 0.0
        cover = self.tree.residual(path, node).cover
        self.effort -= len(cover.items) * (1 + len(cover.items) / SLOW)
        sampler = sampler_of(cover)
        nodes = [min(count, MOST) for count in sampler.make(self.probes)[0]]
        self.effort -= self.probes * len(sampler.levels) * (STEP + cover.primary / CHOSEN)
        mean = math.fsum(nodes) / len(nodes)
        if not 0 < mean < math.inf:
            return mean, mean
        # The values are scaled, because their squares might be too large for a float.
        variance = math.fsum((count / mean - 1) ** 2 for count in nodes) / max(1, len(nodes) - 1)
        return mean, mean * math.sqrt(variance / len(nodes))
