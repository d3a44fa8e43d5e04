"""How many nodes to search at a time, so that a search looks up about twenty times a second."""

from __future__ import annotations

import time

#: How long a kernel runs before it looks up, in seconds: Ctrl-C and time limits answer within this.
SLICE = 0.05


class NodeBudget:
    """The number of nodes that fills a slice of time, found by doubling and halving from ``first`` on."""

    def __init__(self, first: int) -> None:
        self.nodes = first
        self._looked = time.monotonic()

    def next(self, spent: int | None = None) -> int:
        """Return how many nodes to search now; the time since the last call is what they took then.

        ``spent`` is how many were searched, where that may be fewer: what ended early does not show that more fit.
        """
        now = time.monotonic()
        taken, self._looked = now - self._looked, now
        if taken < SLICE / 2 and (spent is None or 2 * spent >= self.nodes):
            self.nodes = min(self.nodes * 2, 1 << 24)
        elif taken > 2 * SLICE:
            self.nodes = max(self.nodes // 2, 64)
        return self.nodes

    def rest(self) -> None:
        """Leave out the time until now: it was spent on something else than searching."""
        self._looked = time.monotonic()
