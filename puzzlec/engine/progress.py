"""How far a search is, how long it may still take, and how many nodes it searches before it pauses."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple


class Progress(NamedTuple):
    """The state of a search at some moment.

    - ``fraction``: the part of the tree that is done, from 0 to 1, by the branches on the way to the current node
    - ``nodes``, ``solutions``: those found so far, in ``seconds``
    - ``rate``: nodes per second
    - ``left``: expected seconds until the end, or None if it cannot be estimated
    - ``left_between``: seconds that contain the true end in about 9 of 10 cases, or None if there is no such estimate
    - ``doing``: the activity if it is not the search itself, such as "by layers"; then ``nodes`` may not grow
    - ``workers``: the number of workers at present, or None if the search has no workers

    >>> import puzzlec
    >>> solutions = puzzlec.solve("soma/castle")
    >>> solutions.count()
    5
    >>> solutions.progress().fraction
    1.0
    """

    def __repr__(self) -> str:
        return f"<Progress: {100 * self.fraction:.3g} %, {self.nodes} nodes, {self.solutions} solutions>"

    fraction: float = 0.0
    nodes: int = 0
    solutions: int = 0
    seconds: float = 0.0
    rate: float = 0.0
    left: float | None = None
    left_between: tuple[float, float] | None = None
    doing: str = ""
    workers: int | None = None


#: Greatest fraction of a search that is not finished.
MAX_UNFINISHED_FRACTION = 0.9999


class Steady:
    """Keeps the reported progress of one search from going back, even if the search starts again in another way."""

    def __init__(self) -> None:
        self._fraction, self._nodes, self._solutions, self._seconds = 0.0, 0, 0, 0.0
        self._foreseen = False

    def next(self, now: Progress) -> Progress:
        """Return a progress whose fraction, nodes, solutions and seconds are not less than in earlier ones.

        >>> steady = Steady()
        >>> [steady.next(progress)[:2] for progress in (Progress(0.5, 10), Progress(0.25, 20))]
        [(0.5, 10), (0.5, 20)]
        """
        self._fraction, self._nodes = max(self._fraction, min(now.fraction, 1.0)), max(self._nodes, now.nodes)
        self._solutions, self._seconds = max(self._solutions, now.solutions), max(self._seconds, now.seconds)
        return now._replace(
            fraction=self._fraction, nodes=self._nodes, solutions=self._solutions, seconds=self._seconds
        )

    def forget_fraction(self) -> None:
        """Reset the fraction, once: a better estimate was found before any fraction was shown."""
        if not self._foreseen:
            self._foreseen, self._fraction = True, 0.0


def expected(fraction: float, seconds: float) -> float | None:
    """Return how many seconds are left if the rest is as fast as the ``fraction`` that took ``seconds``."""
    if fraction <= 0 or seconds <= 0:
        return None
    return max(0.0, seconds * (1 - fraction) / fraction)


def fraction_done(position: Iterable[tuple[int, int]]) -> float:
    """Return the part of a tree before a position, given as (finished branches, degree) for each depth.

    All branches of a node count as equal parts of its subtree, as in the progress report of TAOCP 7.2.2.1: the digits
    of a number in a mixed radix.

    >>> fraction_done([(1, 2), (3, 4)])
    0.875
    """
    fraction, part = 0.0, 1.0
    for done, degree in position:
        part /= max(degree, 1)
        fraction += done * part
    return fraction


#: How long a kernel runs between two pauses, in seconds. Ctrl-C and time limits take effect within this time.
SLICE_SECONDS = 0.05


#: Entries of a problem times nodes of its first slice: a node may look at each entry.
FIRST_SLICE_ENTRIES = 1 << 26


class NodeBudget:
    """The number of nodes that fills a slice of time, found by doubling and halving, beginning with ``first``.

    If the problem has many ``entries``, a node may take long, so the search begins with fewer nodes.
    """

    def __init__(self, first: int, entries: int = 0) -> None:
        self.nodes = max(1, min(first, FIRST_SLICE_ENTRIES // max(1, entries)))
        self._looked = time.monotonic()

    def next(self, spent: int | None = None) -> int:
        """Return how many nodes to search now. The nodes of the last call took the time since then.

        ``spent`` is the number of searched nodes, if that may be smaller. An early end does not show that more
        nodes fit.
        """
        now = time.monotonic()
        seconds, self._looked = now - self._looked, now
        if seconds < SLICE_SECONDS / 2 and (spent is None or 2 * spent >= self.nodes):
            self.nodes = min(self.nodes * 2, 1 << 24)
        elif seconds > 2 * SLICE_SECONDS:
            self.nodes = max(self.nodes // 2, 1)
        return self.nodes

    def rest(self) -> None:
        """Ignore the time until now: it was not spent on searching."""
        self._looked = time.monotonic()
