"""How large the parts of a search tree are, by a few random dives into each."""

from __future__ import annotations

import math
from collections.abc import Callable

from puzzlec.engine.search.estimating import dives_into
from puzzlec.engine.search.splitting import Node, Path, Tree

#: So many dives are made into each part: their mean is off by half on most trees, which sums of parts make good.
PROBES = 128

#: What an estimate costs in steps, beside its dives and one for each entry of what is left; 20 million take a second.
COST = 20_000

#: A level of a dive costs so many steps, and one more for so many items among which the next one is chosen.
STEP, CHOSEN = 4, 50

#: A tree of more nodes than this is taken to have so many: none will be searched, and squares of sums stay finite.
MOST = 1e60

#: With so many entries each takes twice as long: they are far apart in memory.
SLOW = 1_000_000

#: The steps that estimates may take if nothing else is said.
EFFORT = 20_000_000


class Sizes:
    """Estimates of the nodes below paths of a tree (Knuth 1975, see :mod:`puzzlec.engine.search.estimating`).

    They depend on the tree, on what is asked for and in which order, and on nothing else. ``known`` has the mean and
    its standard error of each path asked for. When ``effort`` steps are used up, a part is taken to be as large as the
    others below the same node; ``whole`` is what all together have where no part above was estimated.
    """

    def __init__(self, tree: Tree, effort: float = EFFORT, whole: float = 0.0, probes: int = PROBES) -> None:
        self.tree, self.effort, self.whole, self.probes = tree, effort, whole, probes
        self.known: dict[Path, tuple[float, float]] = {}

    def __call__(self, path: Path, node: Callable[[], Node], among: int) -> float:
        """Return the estimated nodes below a path; ``node`` gives its end, ``among`` is how many parts its node has."""
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
        dives = dives_into(cover)
        nodes = [min(each, MOST) for each in dives.make(self.probes)[0]]
        self.effort -= self.probes * len(dives.levels) * (STEP + cover.primary / CHOSEN)
        mean = math.fsum(nodes) / len(nodes)
        if not 0 < mean < math.inf:
            return mean, mean
        # In proportion, since squares might be beyond a float.
        variance = math.fsum((each / mean - 1) ** 2 for each in nodes) / max(1, len(nodes) - 1)
        return mean, mean * math.sqrt(variance / len(nodes))
