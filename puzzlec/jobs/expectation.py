"""How many nodes a job will have in all, and when it ends, from the portions that are done.

The portions are a sample of themselves: :mod:`puzzlec.jobs.survey` says what those that are done tell of the others.
Portions that were split were the large ones. So what was split off is a class of its own, and stands for the portion
that it comes from, too. Where a few portions carry most of the error there is a heavy tail, and no interval is given.

``docs/decisions/038-progress-by-estimates.md`` has the table of how often the intervals hold the truth.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from puzzlec.engine.search.progress import Progress
from puzzlec.engine.search.sizes import MOST
from puzzlec.jobs.portion import Portion, State
from puzzlec.jobs.survey import Rest, Survey

#: Quantile of the standard normal distribution for 9 cases of 10, and what skewness adds above, both for the logarithm.
NORMAL, SKEW = 1.645, 1.0

#: An expectation whose standard error is more than this part of what is open has a heavy tail.
WIDE = 0.6

#: So has one where few portions make up the error, unless it is below this part of all.
NARROW = 0.1

#: An estimate of so many nodes or more says no more than that.
BEYOND = MOST

#: The rate is that of so many seconds, and told after so many.
WINDOW, SETTLED = 60.0, 3.0

#: Where there were earlier runs, theirs is told until there are turns of so many seconds.
TRUSTED = 10.0

#: The fraction of a job that is expected to be over but is not.
ALMOST = 0.9999


class Expected(NamedTuple):
    """Nodes: how many are done, how many there will be in all, and an interval for that; None where none is honest."""

    done: int
    total: float
    low: float | None
    high: float | None


class Tally:
    """The sizes and nodes of all portions of a job; :meth:`put` tells of a new portion, or what became of one.

    ``in_order`` says that they are searched in the order of the search tree, not in one that looks random. It may be
    asked and told from several threads.

    >>> tally = Tally([Portion(bytes([0, 0, 0, k]), 0, (), size=100.0, spread=1.0) for k in range(3)])
    >>> tally.put(Portion(bytes(4), 0, (), state=State.DONE, size=100.0, spread=1.0, nodes=99))
    >>> tally.expected_nodes().done, round(tally.expected_nodes().total)
    (99, 300)
    """

    def __init__(self, portions: Iterable[Portion] = (), in_order: bool = False) -> None:
        self.in_order = in_order
        self.nodes = self.number = 0
        self._lock = threading.Lock()
        self._at: dict[bytes, int] = {}
        self._portions: list[tuple[int, int, int]] = []  # nodes, number, and the place of the one it was split off from
        # size, spread, nodes, and value: what it is known or expected to have with all that was split off from it
        self._sums = np.zeros((4, 64))
        self._states = np.zeros(64, dtype=np.int8)
        self._later = np.zeros(64, dtype=np.bool_)  # whether it was split off from another one
        self._begun = np.zeros(64, dtype=np.bool_)  # whether it had a turn
        for portion in portions:
            self.put(portion)

    def __len__(self) -> int:
        return len(self._portions)

    def put(self, portion: Portion) -> None:
        """Take note of a portion as it is now, in the place of what was known of it; O(1)."""
        with self._lock:
            at = self._place(portion)
            nodes, number, above = self._portions[at]
            self.nodes += portion.nodes - nodes
            self.number += portion.number - number
            self._portions[at] = portion.nodes, portion.number, above
            before = self._value(at)
            self._sums[:3, at] = min(portion.size, BEYOND), min(portion.spread, BEYOND), portion.nodes
            self._states[at], self._begun[at] = portion.state, portion.seconds > 0 or bool(portion.position)
            change = self._value(at) - before
            while at >= 0:
                self._sums[3, at] += change
                at = self._portions[at][2]

    def _place(self, portion: Portion) -> int:
        at = self._at.get(portion.key)
        if at is not None:
            return at
        at = self._at[portion.key] = len(self._portions)
        above = self._at.get(portion.key[:-4], -1)
        self._portions.append((0, 0, above))
        if at == len(self._states):
            self._sums = np.concatenate((self._sums, np.zeros((4, at))), axis=1)
            self._states = np.concatenate((self._states, np.zeros(at, dtype=np.int8)))
            self._later, self._begun = (np.concatenate((each, each & False)) for each in (self._later, self._begun))
        self._later[at] = above >= 0
        return at

    def _value(self, at: int) -> float:
        """Return the nodes that a portion itself has, done ones and expected ones."""
        size, _, nodes, _ = self._sums[:, at]
        return float(max(size, nodes) if self._states[at] == State.OPEN else nodes)

    @property
    def complete(self) -> bool:
        """Whether no portion is open."""
        return not (self._states[: len(self)] == State.OPEN).any()

    def expected_nodes(self) -> Expected:
        """Return the nodes done and to be expected; takes a moment in proportion to the number of portions."""
        with self._lock:
            nodes = self.nodes
            if self.complete:
                return Expected(nodes, float(nodes), float(nodes), float(nodes))
            if not (self._sums[:2, : len(self)] < BEYOND).all():
                return Expected(nodes, math.inf, None, None)
            found = [self._of_class(later) for later in (False, True)]
        left, error = sum(each.nodes for each in found), math.sqrt(sum(each.variance for each in found))
        part = error / max(left, 1.0)
        if not part < WIDE or (any(each.heavy for each in found) and error > NARROW * (nodes + left)):
            return Expected(nodes, nodes + left, None, None)
        low, high = math.exp(-NORMAL * part), math.exp(NORMAL * part + SKEW * part**2)
        return Expected(nodes, nodes + left, nodes + low * left, nodes + high * left)

    def _of_class(self, later: bool) -> Rest:
        """Return what is left of the portions that were planned, or of those that were split off from others."""
        number = len(self)
        mine = self._later[:number] == later
        size, spread, nodes, value = self._sums[:, :number][:, mine]
        settled = self._states[:number][mine] != State.OPEN
        begun = self._begun[:number][mine] & ~settled
        return Survey(size, spread, np.where(settled, value, nodes), settled, begun, self.in_order).rest()


class Expectation:
    """The progress of a job as people are told it, from its :class:`Tally`; may be asked from any thread.

    ``before`` are the seconds that earlier runs took for the nodes that are in the tally already: theirs is the rate
    until some turns have come. ``solutions`` says how many were found (the number in the tally, if nobody says it).
    ``clock`` is monotonic, in seconds. The fraction never runs back; it is 1 when all is done.
    """

    def __init__(
        self,
        tally: Tally,
        before: float = 0.0,
        solutions: Callable[[], int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tally, self._before, self._solutions, self._clock = tally, before, solutions, clock
        self._begun, self._first = clock(), tally.nodes
        self._begun_turns = self._begun
        self._earlier = tally.nodes / before if before > 0 else 0.0  # nodes a second, 0.0 where nobody knows
        self._arrived: float | None = None  # when the first turns of this run came
        self._seen = deque([(self._begun, tally.nodes)])
        self._fraction = 0.0
        self._lock = threading.Lock()

    def progress(self) -> Progress:
        """Return how far the job has come; the rate is that of the last minute, of all workers together."""
        with self._lock:
            now, expected = self._clock(), self.tally.expected_nodes()
            rate, slow, fast = self._rates(now, expected.done)
            over = self.tally.complete
            if over:
                self._fraction = 1.0
            elif math.isfinite(expected.total):
                self._fraction = max(self._fraction, min(expected.done / max(expected.total, 1.0), ALMOST))
            left = between = None
            if over:
                left, between = 0.0, (0.0, 0.0)
            elif rate > 0 and math.isfinite(expected.total):
                left = max(0.0, expected.total - expected.done) / rate
                if expected.low is not None and expected.high is not None:
                    between = (expected.low - expected.done) / fast, (expected.high - expected.done) / slow
            found = self.tally.number if self._solutions is None else self._solutions()
            seconds = self._before + now - self._begun
            return Progress(self._fraction, expected.done, found, seconds, rate, left, between)

    def _rates(self, now: float, nodes: int) -> tuple[float, float, float]:
        """Return the rate in nodes a second, and the lowest and highest that it may be taken for.

        Turns bring their nodes at their end, so a rate is told when they have come for some seconds. It differs between
        parts of a tree: that of the whole run says how much. Where there were earlier runs, what workers need before
        their first turn ends is no part of it.
        """
        if nodes != self._seen[-1][1]:
            self._seen.append((now, nodes))
            if self._arrived is None:
                self._arrived = now
                if self._earlier > 0:
                    self._begun_turns, self._first = now, nodes
                    self._seen = deque([(now, nodes)])
        if self._earlier > 0 and (self._arrived is None or now - self._arrived < TRUSTED):
            return self._earlier, self._earlier, self._earlier
        while len(self._seen) > 2 and self._seen[1][0] < now - WINDOW:
            self._seen.popleft()
        (since, earlier), (_, last) = self._seen[0], self._seen[-1]
        rate = (last - earlier) / max(now - since, 1e-3)
        overall = (nodes - self._first) / max(now - self._begun_turns, 1e-3)
        if self._arrived is None or now - self._begun < SETTLED:
            return 0.0, 0.0, 0.0
        return rate, min(rate, overall or rate), max(rate, overall)
