"""The number of nodes to search at a time, so that a search pauses about twenty times a second."""

from __future__ import annotations

import time

#: How long a kernel runs between two pauses, in seconds. Ctrl-C and time limits take effect within this time.
SLICE = 0.05


class NodeBudget:
    """The number of nodes that fills a slice of time, found by doubling and halving, beginning with ``first``."""

    def __init__(self, first: int) -> None:
        self.nodes = first
        self._looked = time.monotonic()

    def next(self, spent: int | None = None) -> int:
        """Return how many nodes to search now. The time since the last call is the time that they took then.

        ``spent`` is the number that was searched, if it may be smaller: an early end does not show that more fit.
        """
        now = time.monotonic()
        taken, self._looked = now - self._looked, now
        if taken < SLICE / 2 and (spent is None or 2 * spent >= self.nodes):
            self.nodes = min(self.nodes * 2, 1 << 24)
        elif taken > 2 * SLICE:
            self.nodes = max(self.nodes // 2, 64)
        return self.nodes

    def rest(self) -> None:
        """Ignore the time until now: it was not spent on searching."""
        self._looked = time.monotonic()
