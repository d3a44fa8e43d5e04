"""A solve in a worker: progress and solutions are told while it goes on."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from puzzlec.diagnostics import as_dict
from puzzlec.engine import Limits, Stop
from puzzlec.engine.search.progress import Progress
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.services.sandbox.worker import Tell
from puzzlec.solving.solutions import SearchSettings, Solutions
from puzzlec.solving.subject import Subject

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


#: Progress is told in these steps (seconds).
STEP = 0.2

#: So many solutions are shown at most.
MOST = 1000

#: Solutions that come one by one are shown again when there are twice as many, but not in shorter steps (seconds).
PAUSE = 0.7


class Known:
    """What is known of the number of solutions: all, or that there are so many at least.

    A count that begins anew in another way forgets the solutions that it has found; here they are not forgotten.
    """

    def __init__(self, solutions: Solutions) -> None:
        self.solutions, self._most = solutions, 0

    @property
    def number(self) -> int:
        """How many solutions there are at least."""
        self._most = max(self._most, self.solutions.number)
        return self._most

    def as_data(self, complete: bool = False) -> dict[str, Any]:
        """Return it as the page shows it; numbers may be too large for the page's own, and are texts."""
        number = self.solutions.number if complete else self.number
        words = self.solutions.counted(number)
        return {"found": str(number), "counted": words if complete else f"at least {words}"}


def solve(encoding: Encoding, task: dict[str, Any], seconds: float, tell: Tell) -> None:
    """Look for solutions as a task says, for so many seconds; tell ``progress``, ``view`` and an ``end``.

    ``goal`` is ``first``, ``some`` (``limit`` says how many) or ``count``; ``raw`` whether those that are turned or
    mirrored others are wanted, too. The end says what was found, also where it was stopped: by KeyboardInterrupt, or
    for want of memory.
    """
    goal = task.get("goal", "first")
    limit = {"first": 1, "some": min(MOST, task.get("limit") or MOST), "count": None}[goal]
    symmetry = "none" if task.get("raw") else "all"
    # Tables for counting may take half of what there is.
    settings = SearchSettings(memory=task["memory"] // 2)
    solutions = Solutions(encoding, limits=Limits(limit, seconds), symmetry=symmetry, settings=settings)
    begun, known, stopped = time.monotonic(), Known(solutions), ""
    try:
        with _progress(known, tell):
            if goal == "count":
                solutions.count()
            else:
                _find(solutions, tell)
    except KeyboardInterrupt:
        stopped = "cancelled"
    except MemoryError:
        stopped = "memory"
    why = stopped or ("limit" if solutions.stopped in (Stop.SECONDS, Stop.NODES) else "complete")
    if not stopped and solutions.stopped is Stop.SOLUTIONS:
        why = "some"
    tell(
        "end",
        why=why,
        **known.as_data(complete=why in ("complete", "some")),
        seconds=time.monotonic() - begun,
        nodes=solutions.nodes,
        diagnostics=[as_dict(reason) for reason in solutions.reasons],
    )


def _find(solutions: Solutions, tell: Tell) -> None:
    """Look for solutions; tell of the first one at once, of more now and then, of all in the end."""
    found: list[Solution] = []
    told_of, when = 0, 0.0
    try:
        for solution in solutions:
            found.append(solution)
            if len(found) >= max(1, 2 * told_of) and time.monotonic() - when > PAUSE:
                view(solutions, found, tell)
                told_of, when = len(found), time.monotonic()
    finally:  # one that is cancelled has them to show, too
        if len(found) > told_of:
            view(solutions, found, tell)


def view(solutions: Solutions, found: list[Solution], tell: Tell) -> None:
    """Tell the solutions found so far: what the viewer shows, and the placements by which they are known again."""
    from puzzlec.show.page import page_data

    subject = Subject(solutions.fitting, tuple(found))
    tell("view", data=page_data(subject), solutions=[each.orientations for each in found])


@contextmanager
def _progress(known: Known, tell: Tell) -> Iterator[None]:
    """Tell how far a search has come, from a thread of its own, while a block runs."""
    over, gauge, begun = threading.Event(), Gauge(), time.monotonic()

    def run() -> None:
        while not over.wait(STEP):
            figures = gauge.read(known.solutions.progress(), time.monotonic() - begun)
            if not over.is_set():
                tell("progress", **as_data(figures), **known.as_data())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def as_data(now: Figures) -> dict[str, Any]:
    """Return figures as plain data; numbers of solutions may be too large for the page's own, and are texts."""
    return {**now._asdict(), "solutions": str(now.solutions)}
