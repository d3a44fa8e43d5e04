"""The nodes of a whole job and its end, estimated from the work units that are done.

Large work units are split. The units that are split off from them are a separate class, and also represent the unit
that was split. If a few work units carry most of the error, there is a heavy tail and no interval is given.

:mod:`puzzlec.engine.search.survey` estimates what is left. ``docs/decisions/038-progress-by-estimates.md`` has the
coverage of the intervals.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from puzzlec.engine.progress import MAX_UNFINISHED_FRACTION, Progress
from puzzlec.engine.search.estimating import MAX_NODES
from puzzlec.engine.search.survey import Rest, Survey
from puzzlec.jobs.work_unit import UnitState, WorkUnit

#: Quantile of the standard normal distribution for 9 cases of 10, and what skewness adds above, both for the logarithm.
NORMAL_QUANTILE, SKEW_FACTOR = 1.645, 1.0

#: An expectation whose standard error is more than this fraction of the open nodes has a heavy tail.
HEAVY_OPEN_FRACTION = 0.6

#: It also has a heavy tail if few work units make up the error, unless the error is below this fraction of all nodes.
HEAVY_TOTAL_FRACTION = 0.1

#: Largest meaningful estimate, in nodes.
MAX_SIZE_NODES = MAX_NODES

#: Seconds that the rate is averaged over, and seconds before it is shown.
RATE_SECONDS, RATE_DELAY_SECONDS = 60.0, 3.0

#: The rate of earlier runs is shown until time slices of this many seconds have ended.
EARLIER_RATE_SECONDS = 10.0


class Expected(NamedTuple):
    """Nodes: done, expected in all, and an interval; None if no interval is reliable."""

    done: int
    total: float
    low: float | None
    high: float | None

    @property
    def fraction(self) -> float:
        """The part of the nodes that is done, below 1: whether all is done, only the work units show."""
        return min(self.done / self.total, MAX_UNFINISHED_FRACTION) if self.total > 0 else 0.0


class UnitTally:
    """The sizes and nodes of all work units of a job; :meth:`put` records a new or a changed work unit.

    ``in_order`` means that they are searched in the order of the search tree, not in a random one. Any thread may call
    the methods.

    >>> tally = UnitTally([WorkUnit(bytes([0, 0, 0, k]), 0, (), size=100.0, spread=1.0) for k in range(3)])
    >>> tally.put(WorkUnit(bytes(4), 0, (), state=UnitState.DONE, size=100.0, spread=1.0, nodes=99))
    >>> tally.expected_nodes().done, round(tally.expected_nodes().total)
    (99, 300)
    """

    def __init__(self, units: Iterable[WorkUnit] = (), in_order: bool = False) -> None:
        self.in_order = in_order
        self.nodes = self.number = 0
        self._lock = threading.Lock()
        self._units: dict[bytes, tuple[int, int, int]] = {}  # their columns in the table, nodes and numbers
        # Rows: size, spread, nodes, value (known or expected nodes, with all that was split off), state, whether it had
        # a time slice, and whether it was split off.
        self._table = np.zeros((7, 64))
        for unit in units:
            self.put(unit)

    def __len__(self) -> int:
        return len(self._units)

    def put(self, unit: WorkUnit) -> None:
        """Record a work unit instead of its earlier record, in constant time."""
        with self._lock:
            at, nodes, number = self._units.get(unit.key, (len(self), 0, 0))
            if at == self._table.shape[1]:
                self._table = np.concatenate((self._table, np.zeros_like(self._table)), axis=1)
            self._units[unit.key] = at, unit.nodes, unit.number
            self.nodes += unit.nodes - nodes
            self.number += unit.number - number
            before, key = self._value(at), unit.key
            self._table[:3, at] = min(unit.size, MAX_SIZE_NODES), min(unit.spread, MAX_SIZE_NODES), unit.nodes
            self._table[4:, at] = unit.state, unit.seconds > 0 or bool(unit.position), key[:-4] in self._units
            change = self._value(at) - before
            while key in self._units:
                self._table[3, self._units[key][0]] += change
                key = key[:-4]

    def _value(self, at: int) -> float:
        """Return the nodes of a work unit alone, done and expected."""
        size, _, nodes, _, state, *_ = self._table[:, at]
        return float(max(size, nodes) if state == UnitState.OPEN else nodes)

    @property
    def complete(self) -> bool:
        """Whether no work unit is open."""
        return not (self._table[4, : len(self)] == UnitState.OPEN).any()

    def expected_nodes(self) -> Expected:
        """Return the nodes done and expected; takes time in proportion to the number of work units."""
        with self._lock:
            nodes = self.nodes
            if self.complete:
                return Expected(nodes, float(nodes), float(nodes), float(nodes))
            if not (self._table[:2, : len(self)] < MAX_SIZE_NODES).all():
                return Expected(nodes, math.inf, None, None)
            estimates = [self._of_class(later) for later in (False, True)]
        left = sum(estimate.nodes for estimate in estimates)
        error = math.sqrt(sum(estimate.variance for estimate in estimates))
        part = error / max(left, 1.0)
        if not part < HEAVY_OPEN_FRACTION or (
            any(estimate.heavy for estimate in estimates) and error > HEAVY_TOTAL_FRACTION * (nodes + left)
        ):
            return Expected(nodes, nodes + left, None, None)
        low, high = math.exp(-NORMAL_QUANTILE * part), math.exp(NORMAL_QUANTILE * part + SKEW_FACTOR * part**2)
        return Expected(nodes, nodes + left, nodes + low * left, nodes + high * left)

    def _of_class(self, later: bool) -> Rest:
        """Return what is left of the planned work units, or of those that were split off."""
        table = self._table[:, : len(self)]
        size, spread, nodes, value, state, begun, _ = table[:, table[6] == later]
        settled = state != UnitState.OPEN
        begun = (begun > 0) & ~settled
        return Survey(size, spread, np.where(settled, value, nodes), settled, begun, self.in_order).rest()


class JobExpectation:
    """The progress of a job for people, from its :class:`UnitTally`. Any thread may use it.

    ``before`` are the seconds of earlier runs: their rate is shown until some time slices have come. ``solutions``
    returns the number of solutions, by default the number in the tally. ``clock`` is monotonic, in seconds. The
    fraction never decreases, and is 1 when all is done.
    """

    def __init__(
        self,
        tally: UnitTally,
        before: float = 0.0,
        solutions: Callable[[], int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.tally, self._before, self._solutions, self._clock = tally, before, solutions, clock
        self._begun, self._first = clock(), tally.nodes
        self._begun_slices = self._begun
        self._earlier = tally.nodes / before if before > 0 else 0.0  # nodes a second, 0.0 if unknown
        self._arrived: float | None = None  # when the first time slices of this run came
        self._seen = deque([(self._begun, tally.nodes)])
        self._fraction = 0.0
        self._lock = threading.Lock()

    def progress(self) -> Progress:
        """Return the progress of the job. The rate is that of the last minute, of all workers together."""
        with self._lock:
            now, expected = self._clock(), self.tally.expected_nodes()
            rate, slow, fast = self._rates(now, expected.done)
            over = self.tally.complete
            self._fraction = 1.0 if over else max(self._fraction, expected.fraction)
            left = between = None
            if over:
                left, between = 0.0, (0.0, 0.0)
            elif rate > 0 and math.isfinite(expected.total):
                left = max(0.0, expected.total - expected.done) / rate
                if expected.low is not None and expected.high is not None:
                    between = (expected.low - expected.done) / fast, (expected.high - expected.done) / slow
            number = self.tally.number if self._solutions is None else self._solutions()
            seconds = self._before + now - self._begun
            return Progress(self._fraction, expected.done, number, seconds, rate, left, between)

    def _rates(self, now: float, nodes: int) -> tuple[float, float, float]:
        """Return the rate in nodes a second, with a lowest and a highest value.

        The nodes of a time slice are known at its end, so a rate is shown after a few seconds of time slices. The rate
        differs between parts of a tree. The rate of the whole run shows how much. After earlier runs, the time before
        the first time slice does not count.
        """
        if nodes != self._seen[-1][1]:
            self._seen.append((now, nodes))
            if self._arrived is None:
                self._arrived = now
                if self._earlier > 0:
                    self._begun_slices, self._first = now, nodes
                    self._seen = deque([(now, nodes)])
        if self._earlier > 0 and (self._arrived is None or now - self._arrived < EARLIER_RATE_SECONDS):
            return self._earlier, self._earlier, self._earlier
        while len(self._seen) > 2 and self._seen[1][0] < now - RATE_SECONDS:
            self._seen.popleft()
        (since, earlier), (_, last) = self._seen[0], self._seen[-1]
        rate = (last - earlier) / max(now - since, 1e-3)
        overall = (nodes - self._first) / max(now - self._begun_slices, 1e-3)
        if self._arrived is None or now - self._begun < RATE_DELAY_SECONDS:
            return 0.0, 0.0, 0.0
        return rate, min(rate, overall or rate), max(rate, overall)
