"""The nodes of a whole job and its end, estimated from the work units that are done.

Large work units are split. The units that are split off from them are a separate class, and also represent the unit
that was split. If a few work units carry most of the error, there is a heavy tail and no interval is given.

``docs/decisions/038-progress-by-estimates.md`` has the coverage of the intervals. Ratio estimation: W. G. Cochran,
"Sampling Techniques", 3rd edition, 1977, chapter 6. Work units were estimated by random probes before they were
searched, so the error of each searched unit is known. The open ones are corrected by the ratio of actual to estimated
nodes. While few are done, this ratio stays near its prior. Units under way are more often long ones. Their expected
size is the mean of the part of a distribution beyond their nodes so far.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.progress import Progress
from puzzlec.engine.search.estimating import MOST_NODES
from puzzlec.engine.search.forecast import further
from puzzlec.jobs.work_unit import State, WorkUnit

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

#: Weight of the prior expectation, in work units.
PRIOR = 4.0

#: Factor between the squared errors and their estimates while nothing is known. It allows for skewed random probes.
GREATER = 2.0

#: Prior ratio of actual to estimated nodes. Plans divide work units that seem large, and leave those that were
#: estimated too low. LOW is the part of the relative error on average, UNLIKE the spread between trees ...
LOW, UNLIKE = 0.4, 0.4

#: ... except for this fraction.
SURE = 0.02

#: Smallest relative error of an estimate.
MIN_RELATIVE_ERROR = 0.05

#: A work unit with more nodes than estimated is expected to have at least this fraction of the excess left.
EXCESS = 0.25

#: A few work units make up a sum if its square, divided by the sum of the squares, is below this.
MIN_EFFECTIVE_UNITS = 4.0

#: Neighbours in the order of the search are similar, so they count as this fraction of a sample in random order.
NEIGHBOURS = 4.0


class Rest(NamedTuple):
    """The rest of some work units: expected nodes, their variance, and whether few work units make it up."""

    nodes: float = 0.0
    variance: float = 0.0
    heavy: bool = False


@dataclass(frozen=True)
class Survey:
    """Work units, one in each position of the arrays (float64; nodes), and their state.

    ``size`` and ``spread`` are the estimates and their standard errors. ``nodes`` are the nodes visited so far: all
    nodes for the ``settled`` units. ``begun`` work units are being searched. ``in_order`` means that they are taken in
    the order of the search.
    """

    size: Floats
    spread: Floats
    nodes: Floats
    settled: Flags
    begun: Flags
    in_order: bool = False

    def rest(self) -> Rest:
        """Return what is left."""
        if self.settled.all():
            return Rest()
        inexact = self.spread > 0
        known, fresh = self.settled & inexact, ~self.settled & ~self.begun
        rests = self._rests(known)
        ratio, doubt = self._ratio(rests, known | self.begun)
        open_ = float(self.size[fresh & inexact].sum())
        variance = self._scale(ratio, known) * float((self.spread[fresh] ** 2).sum())
        squares = (self.nodes[known] - ratio * self.size[known]) ** 2
        if known.any():  # errors that are proportional to sizes would give this
            alike = float((self.size[fresh & inexact] ** 2).sum()) / max(float((self.size[known] ** 2).sum()), 1e-9)
            variance = max(variance, alike * float(squares.sum()))
        parts = np.concatenate((squares, self.spread[fresh] ** 2))
        few = float(parts.sum()) ** 2 < MIN_EFFECTIVE_UNITS * float((parts**2).sum())
        left = ratio * open_ + float(self.size[fresh & ~inexact].sum()) + float(rests.sum())
        return Rest(left, variance + open_**2 * doubt + float((rests**2).sum()), few)

    def _rests(self, known: Flags) -> Floats:
        """Return what is left of the begun work units, 0 for others."""
        rests = np.zeros(len(self.size))
        scale, (ratio, _) = math.sqrt(self._scale(1.0, known)), self._first
        for at in np.flatnonzero(self.begun).tolist():
            size = ratio * float(self.size[at])
            error = max(scale * float(self.spread[at]), MIN_RELATIVE_ERROR * size)
            nodes = float(self.nodes[at])
            rests[at] = max(further(size, error, nodes), EXCESS * (nodes - size))
        return rests

    def _scale(self, ratio: float, known: Flags) -> float:
        """Return the factor of the squared errors over their estimates, from the known work units."""
        inexact = self.spread[self.spread > 0]
        if not len(inexact):
            return 1.0
        first, errors = PRIOR * float((inexact**2).mean()), self.nodes[known] - ratio * self.size[known]
        return (GREATER * first + float((errors**2).sum())) / (first + float((self.spread[known] ** 2).sum()))

    @property
    def _first(self) -> tuple[float, float]:
        """The expected ratio of actual to estimated nodes before any is known, and its variance."""
        inexact = self.spread > 0
        if not inexact.any():
            return 1.0, SURE**2
        unsure = float(self.spread[inexact].sum()) / max(float(self.size[inexact].sum()), 1e-9)
        return 1 + LOW * unsure, (UNLIKE * unsure) ** 2 + SURE**2

    def _ratio(self, rests: Floats, known: Flags) -> tuple[float, float]:
        """Return the ratio of actual to estimated nodes, and its variance.

        The ``known`` work units that are only begun have ``rests``. The more is left, the less they count.
        """
        first, doubt = self._first
        number = int(np.count_nonzero(known))
        if number < 2:
            return first, doubt
        sizes, actual = self.size[known], self.nodes[known] + rests[known]
        total = max(float(sizes.sum()), 1e-9)
        ratio = float(actual.sum()) / total
        squares = max(float(((actual - ratio * sizes) ** 2).sum()), float((self.spread[known] ** 2).sum()))
        chance = (squares + float((rests[known] ** 2).sum())) / total**2 * number / (number - 1)
        chance *= NEIGHBOURS if self.in_order else 1.0
        doubt = max(doubt, ((ratio - first) ** 2 - chance) / 4)  # farther off than expected
        kept = doubt / (doubt + chance)
        return first + kept * (ratio - first), kept * chance


#: Quantile of the standard normal distribution for 9 cases of 10, and what skewness adds above, both for the logarithm.
NORMAL, SKEW = 1.645, 1.0

#: An expectation whose standard error is more than this fraction of the open nodes has a heavy tail.
WIDE = 0.6

#: It also has a heavy tail if few work units make up the error, unless the error is below this fraction of all nodes.
NARROW = 0.1

#: Largest meaningful estimate, in nodes.
BEYOND = MOST_NODES

#: Seconds that the rate is averaged over, and seconds before it is shown.
WINDOW, SETTLED = 60.0, 3.0

#: The rate of earlier runs is shown until time slices of this many seconds have ended.
TRUSTED = 10.0

#: Fraction shown for a job that is expected to be complete but is not.
ALMOST = 0.9999


class Expected(NamedTuple):
    """Nodes: done, expected in all, and an interval; None if no interval is reliable."""

    done: int
    total: float
    low: float | None
    high: float | None


class Tally:
    """The sizes and nodes of all work units of a job; :meth:`put` records a new or a changed work unit.

    ``in_order`` means that they are searched in the order of the search tree, not in a random one. Any thread may call
    the methods.

    >>> tally = Tally([WorkUnit(bytes([0, 0, 0, k]), 0, (), size=100.0, spread=1.0) for k in range(3)])
    >>> tally.put(WorkUnit(bytes(4), 0, (), state=State.DONE, size=100.0, spread=1.0, nodes=99))
    >>> tally.expected_nodes().done, round(tally.expected_nodes().total)
    (99, 300)
    """

    def __init__(self, units: Iterable[WorkUnit] = (), in_order: bool = False) -> None:
        self.in_order = in_order
        self.nodes = self.number = 0
        self._lock = threading.Lock()
        self._at: dict[bytes, int] = {}
        self._units: list[
            tuple[int, int, int]
        ] = []  # nodes, number, and the position of the unit that it was split off from
        # size, spread, nodes, and value: known or expected nodes, with all that was split off
        self._sums = np.zeros((4, 64))
        self._states = np.zeros(64, dtype=np.int8)
        self._later = np.zeros(64, dtype=np.bool_)  # whether it was split off
        self._begun = np.zeros(64, dtype=np.bool_)  # whether it had a time slice
        for unit in units:
            self.put(unit)

    def __len__(self) -> int:
        return len(self._units)

    def put(self, unit: WorkUnit) -> None:
        """Record a work unit instead of its earlier record, in constant time."""
        with self._lock:
            at = self._place(unit)
            nodes, number, above = self._units[at]
            self.nodes += unit.nodes - nodes
            self.number += unit.number - number
            self._units[at] = unit.nodes, unit.number, above
            before = self._value(at)
            self._sums[:3, at] = min(unit.size, BEYOND), min(unit.spread, BEYOND), unit.nodes
            self._states[at], self._begun[at] = unit.state, unit.seconds > 0 or bool(unit.position)
            change = self._value(at) - before
            while at >= 0:
                self._sums[3, at] += change
                at = self._units[at][2]

    def _place(self, unit: WorkUnit) -> int:
        at = self._at.get(unit.key)
        if at is not None:
            return at
        at = self._at[unit.key] = len(self._units)
        above = self._at.get(unit.key[:-4], -1)
        self._units.append((0, 0, above))
        if at == len(self._states):
            self._sums = np.concatenate((self._sums, np.zeros((4, at))), axis=1)
            self._states = np.concatenate((self._states, np.zeros(at, dtype=np.int8)))
            self._later, self._begun = (np.concatenate((marks, marks & False)) for marks in (self._later, self._begun))
        self._later[at] = above >= 0
        return at

    def _value(self, at: int) -> float:
        """Return the nodes of a work unit alone, done and expected."""
        size, _, nodes, _ = self._sums[:, at]
        return float(max(size, nodes) if self._states[at] == State.OPEN else nodes)

    @property
    def complete(self) -> bool:
        """Whether no work unit is open."""
        return not (self._states[: len(self)] == State.OPEN).any()

    def expected_nodes(self) -> Expected:
        """Return the nodes done and expected; takes time in proportion to the number of work units."""
        with self._lock:
            nodes = self.nodes
            if self.complete:
                return Expected(nodes, float(nodes), float(nodes), float(nodes))
            if not (self._sums[:2, : len(self)] < BEYOND).all():
                return Expected(nodes, math.inf, None, None)
            found = [self._of_class(later) for later in (False, True)]
        left, error = sum(estimate.nodes for estimate in found), math.sqrt(sum(estimate.variance for estimate in found))
        part = error / max(left, 1.0)
        if not part < WIDE or (any(estimate.heavy for estimate in found) and error > NARROW * (nodes + left)):
            return Expected(nodes, nodes + left, None, None)
        low, high = math.exp(-NORMAL * part), math.exp(NORMAL * part + SKEW * part**2)
        return Expected(nodes, nodes + left, nodes + low * left, nodes + high * left)

    def _of_class(self, later: bool) -> Rest:
        """Return what is left of the planned work units, or of those that were split off."""
        number = len(self)
        mine = self._later[:number] == later
        size, spread, nodes, value = self._sums[:, :number][:, mine]
        settled = self._states[:number][mine] != State.OPEN
        begun = self._begun[:number][mine] & ~settled
        return Survey(size, spread, np.where(settled, value, nodes), settled, begun, self.in_order).rest()


class Expectation:
    """The progress of a job for people, from its :class:`Tally`. Any thread may use it.

    ``before`` are the seconds of earlier runs: their rate is shown until some time slices have come. ``solutions``
    returns the number of solutions, by default the number in the tally. ``clock`` is monotonic, in seconds. The
    fraction never decreases, and is 1 when all is done.
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
        if self._earlier > 0 and (self._arrived is None or now - self._arrived < TRUSTED):
            return self._earlier, self._earlier, self._earlier
        while len(self._seen) > 2 and self._seen[1][0] < now - WINDOW:
            self._seen.popleft()
        (since, earlier), (_, last) = self._seen[0], self._seen[-1]
        rate = (last - earlier) / max(now - since, 1e-3)
        overall = (nodes - self._first) / max(now - self._begun_slices, 1e-3)
        if self._arrived is None or now - self._begun < SETTLED:
            return 0.0, 0.0, 0.0
        return rate, min(rate, overall or rate), max(rate, overall)
