"""How large the parts of a search tree are, by a few random dives into each."""

from __future__ import annotations

import math

from puzzlec.engine.estimating import dives_into
from puzzlec.engine.splitting import Node, Path, Tree

#: So many dives are made into each part: their mean is off by half on most trees, which sums of parts make good.
PROBES = 128


class Sizes:
    """Estimates of the nodes below paths of a tree (Knuth 1975, see :mod:`puzzlec.engine.estimating`).

    They depend on the tree and the path alone. ``known`` has the mean and its standard error of each path asked for.
    """

    def __init__(self, tree: Tree, probes: int = PROBES) -> None:
        self.tree, self.probes = tree, probes
        self.known: dict[Path, tuple[float, float]] = {}

    def __call__(self, path: Path, node: Node) -> float:
        """Return the estimated nodes below a path, whose end is ``node``."""
        if path not in self.known:
            self.known[path] = self._estimate(path, node)
        return self.known[path][0]

    def _estimate(self, path: Path, node: Node) -> tuple[float, float]:
        if not node.active.any():
            return 0.0, 0.0
        nodes, _ = dives_into(self.tree.residual(path, node).cover).make(self.probes)
        mean = math.fsum(nodes) / len(nodes)
        if not math.isfinite(mean):
            return mean, mean
        variance = math.fsum((each - mean) ** 2 for each in nodes) / max(1, len(nodes) - 1)
        return mean, math.sqrt(variance / len(nodes))
