"""The figures of a search as a person can watch them: they do not run back, and none is shown that means nothing.

A count may begin anew in another way: the part that is done starts from nothing again. It may try another way beside
the search, for seconds in which no node is visited. And an estimate of the time left is far off at first.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from puzzlec.engine.search.progress import Progress

#: A search whose nodes have not changed for so long is in a longer step (seconds).
QUIET = 1.0

#: The time left is told when so much was done, in so many seconds ...
ENOUGH, SETTLED = 0.002, 3.0

#: ... and when the estimates of the last seconds differ by this factor at most.
STEADY = 2.0

#: A fall below this part of what was done is a search that began anew.
ANEW = 0.6

#: Beyond this (seconds, a thousand years) it does not matter how far off an estimate is.
FOREVER = 3e10


class Figures(NamedTuple):
    """What is shown: ``fraction`` (0 to 1), ``nodes`` and ``solutions`` never fall while a search goes on.

    ``rate`` is nodes a second, without the longer steps; ``left`` the seconds that are left, None while that is not
    known; ``quiet`` for how many seconds there has been nothing new, 0 while there is.
    """

    fraction: float
    nodes: int
    solutions: int
    seconds: float
    rate: float
    left: float | None
    quiet: float


class Gauge:
    """Reads the progress of one search again and again."""

    def __init__(self) -> None:
        self._fraction, self._nodes, self._solutions = 0.0, 0, 0
        self._last = Progress()
        self._base, self._begun = 0.0, 0.0  # of the way that is tried now: what was done before it, and when it began
        self._when = self._moved = self._still = 0.0  # the last reading, the last news, seconds in longer steps
        self._estimates: deque[tuple[float, float]] = deque()
        self._left: float | None = None

    def read(self, now: Progress, seconds: float) -> Figures:
        """Return the figures after so many seconds."""
        passed, self._when = max(0.0, seconds - self._when), seconds
        if now.nodes != self._last.nodes or now.fraction != self._last.fraction:
            self._moved = seconds
        if seconds - self._moved >= QUIET:
            self._still += passed
        if now.fraction < ANEW * self._last.fraction:
            self._base, self._begun = self._fraction, seconds
            self._estimates.clear()
        self._last = now
        done = self._base + (1 - self._base) * min(1.0, max(0.0, now.fraction))
        self._fraction = max(self._fraction, done)
        self._nodes, self._solutions = max(self._nodes, now.nodes), max(self._solutions, now.solutions)
        quiet = seconds - self._moved if seconds - self._moved >= QUIET else 0.0
        busy = seconds - self._still
        rate = self._nodes / busy if busy > 0 else 0.0
        left = self._time_left(seconds, passed)
        return Figures(self._fraction, self._nodes, self._solutions, seconds, rate, None if quiet else left, quiet)

    def _time_left(self, seconds: float, passed: float) -> float | None:
        """Return about how long it will take, smoothed; None while it cannot be told."""
        done, took = self._fraction - self._base, seconds - self._begun
        if done <= 0 or took <= 0:
            return None
        estimate = took * (1 - self._fraction) / done
        self._estimates.append((seconds, estimate))
        while self._estimates[0][0] < seconds - SETTLED:
            self._estimates.popleft()
        before = estimate if self._left is None else max(0.0, self._left - passed)
        self._left = before + (estimate - before) * min(1.0, passed / 2)
        if took < SETTLED:
            return None
        lately = [each for _, each in self._estimates]
        if min(lately) > FOREVER:
            return self._left
        return self._left if done >= ENOUGH and max(lately) <= STEADY * min(lately) else None
