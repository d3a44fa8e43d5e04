"""A solve in a worker, which sends progress and solutions while it runs."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlec.diagnostics import Diagnostic, PuzzleError, as_dict
from puzzlec.disassembling import Compared, compared, has_best_assembly
from puzzlec.engine import Limits, Stop
from puzzlec.engine.progress import Progress
from puzzlec.engine.search import race
from puzzlec.ir import Fitting, Solution
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.recount import difference
from puzzlec.services.sandbox.worker import Tell
from puzzlec.services.web.exporting import solutions_of
from puzzlec.show.words.languages import in_languages
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import Subject

if TYPE_CHECKING:
    from puzzlec.motion.shown import Plans

#: If there is no new node for this many seconds, the search is in a longer step.
QUIET = 1.0

#: The remaining time is shown after this fraction of the work and this many seconds, ...
ENOUGH, SETTLED = 0.002, 3.0

#: ... if the estimates of the last seconds differ by at most this factor.
STEADY = 2.0

#: If the fraction falls below this fraction of its last value, a new search has begun.
RESTARTED = 0.6

#: Seconds (a thousand years) beyond which the accuracy of an estimate does not matter.
FOREVER = 3e10


class Figures(NamedTuple):
    """The figures of the page. ``fraction`` (0 to 1), ``nodes`` and ``solutions`` never fall during a search.

    ``rate`` is nodes a second, without the longer steps. ``left`` are the remaining seconds, None if unknown. ``quiet``
    are the seconds since the last change, 0 for a recent one.
    """

    fraction: float
    nodes: int
    solutions: int
    seconds: float
    rate: float
    left: float | None
    quiet: float


class Gauge:
    """Turns readings of the progress of a search into figures."""

    def __init__(self) -> None:
        self._fraction, self._nodes, self._solutions = 0.0, 0, 0
        self._last = Progress()
        self._base, self._begun = 0.0, 0.0  # of the current search: the fraction done before it, and its start
        self._when = self._moved = self._still = 0.0  # times of the last reading and change; all longer pauses
        self._estimates: deque[tuple[float, float]] = deque()
        self._left: float | None = None

    def read(self, now: Progress, seconds: float) -> Figures:
        """Return the figures at a time in seconds."""
        passed, self._when = max(0.0, seconds - self._when), seconds
        if now.nodes != self._last.nodes or now.fraction != self._last.fraction:
            self._moved = seconds
        if seconds - self._moved >= QUIET:
            self._still += passed
        if now.fraction < RESTARTED * self._last.fraction:
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
        """Return an estimate of the remaining seconds, smoothed; None if there is none yet."""
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
        lately = [seconds for _, seconds in self._estimates]
        if min(lately) > FOREVER:
            return self._left
        return self._left if done >= ENOUGH and max(lately) <= STEADY * min(lately) else None


#: Seconds for the movement of solutions before they are sent.
MOVES = 2.0

#: Seconds for the comparison of assemblies after the first solutions are sent.
BEST = 10.0

#: Seconds between two reports of progress.
STEP = 0.2

#: Maximum number of solutions that are shown.
MAX_SHOWN = 1000

#: New solutions are sent when their number has doubled, but not in shorter intervals (seconds).
PAUSE = 0.7


class KnownCounts:
    """The known number of solutions: exact, or a lower bound.

    A count that starts again in another way forgets its solutions. This object remembers the largest number.
    """

    def __init__(self, solutions: Solutions) -> None:
        self.solutions, self._most = solutions, 0

    @property
    def number(self) -> int:
        """A lower bound of the number of solutions, with those of a search that still runs."""
        self._most = max(self._most, self.solutions.number, self.solutions.progress().solutions)
        return self._most

    def as_data(self, complete: bool = False) -> dict[str, Any]:
        """Return it as data for the page. Numbers are texts, since they may be too large for JavaScript."""
        number = self.solutions.number if complete else self.number
        words = self.solutions.counted(number)
        return {"found": str(number), "counted": words if complete else f"at least {words}"}


def solve(encoding: Encoding, task: dict[str, Any], seconds: float, tell: Tell) -> None:
    """Do a solve for at most this many seconds; send ``progress``, ``view`` and an ``end``.

    In the task, ``goal`` is ``first``, ``some`` (at most ``limit``) or ``count``. ``raw`` counts rotations and
    reflections separately. The end has the results, even after KeyboardInterrupt or MemoryError.
    """
    goal = task.get("goal", "first")
    limit = {"first": 1, "some": min(MAX_SHOWN, task.get("limit") or MAX_SHOWN), "count": None}[goal]
    symmetry: SymmetryKind = "none" if task.get("raw") else "all"
    # Tables for counting may take half of the memory.
    limits = Limits(limit, seconds, memory=task["memory"] // 2)
    solutions = Solutions(encoding, limits=limits, symmetry=symmetry)
    begun, counts, stopped = time.monotonic(), KnownCounts(solutions), ""
    compared: Compared | None = None
    try:
        with _progress(counts, tell):
            if goal == "count":
                solutions.count()
            else:
                compared = _find(solutions, limit or 1, begun + seconds, tell)
    except KeyboardInterrupt:
        stopped = "cancelled"
    except MemoryError:
        stopped = "memory"
    why = stopped or ("limit" if solutions.stopped in (Stop.SECONDS, Stop.NODES) else "complete")
    if not stopped and solutions.stopped is Stop.SOLUTIONS:
        why = "some"
    reasons = list(solutions.reasons)
    if why == "complete":
        reasons += filter(None, [difference(encoding.fitting, solutions.number, bool(task.get("raw")))])
    tell(
        "end",
        why=why,
        **counts.as_data(complete=why in ("complete", "some")),
        seconds=time.monotonic() - begun,
        nodes=solutions.nodes,
        shown=None if compared is None or compared.number < 2 else compared.as_dict(),
        diagnostics=[{**as_dict(reason), "said": in_languages(reason)} for reason in reasons],
        **_proof_of(encoding.fitting, reasons),
    )


def _proof_of(fitting: Fitting | None, reasons: Sequence[Diagnostic]) -> dict[str, Any]:
    """Return the ``proof`` for the page that no solution exists, with the stage of its board; nothing without one."""
    if fitting is None or fitting.puzzle is None or not any(reason.code == "PZ405" for reason in reasons):
        return {}
    from puzzlec.services.web.stage import proof, stage

    coloured = proof(fitting)
    return {"proof": {**coloured, "stage": stage(fitting.puzzle)}} if coloured else {}


def _find(solutions: Solutions, limit: int, end: float, tell: Tell) -> Compared | None:
    """Find solutions. Send the first one at once, further ones from time to time, and all at the end.

    Then the best assembly follows, if the puzzle is one to take apart; the result says which one that is. Plans of
    movement that need more time follow, until a time of the monotonic clock.
    """
    from puzzlec.motion.shown import Plans

    puzzle = solutions.fitting.puzzle
    plans = None if puzzle is None else Plans(puzzle, seconds=MOVES)
    listed: list[Solution] = []
    told_of, when = 0, 0.0
    try:
        for solution in solutions:
            listed.append(solution)
            if len(listed) >= max(1, 2 * told_of) and time.monotonic() - when > PAUSE:
                view(solutions.fitting, listed, tell, plans)
                told_of, when = len(listed), time.monotonic()
    finally:  # also after a cancel
        if len(listed) > told_of:
            view(solutions.fitting, listed, tell, plans)
    compares = bool(listed) and has_best_assembly(puzzle)
    if compares or (plans is not None and plans.is_late):
        tell("planning")
    compared = compared_until(end, solutions.encoding, limit, solutions.symmetry) if compares else None
    start = 0
    if compared is not None and compared.best is not None and compared.best.solution != listed[0]:
        if compared.best.solution not in listed:
            listed[-1:] = [compared.best.solution]
        start = listed.index(compared.best.solution)
        view(solutions.fitting, listed, tell, plans, start)
    if plans is not None and plans.is_late and plans.finish(end):
        view(solutions.fitting, listed, tell, plans, start)
    return compared


def compared_until(end: float, encoding: Encoding, limit: int = 1, symmetry: SymmetryKind = "all") -> Compared | None:
    """Compare assemblies until a time of the monotonic clock; None if their pieces cannot be moved."""
    with suppress(PuzzleError):
        return compared(encoding, limit, max(0.05, min(BEST, end - time.monotonic())), symmetry)
    return None


def given(fitting: Fitting, placements: Sequence[Sequence[int]], end: float, tell: Tell) -> None:
    """Send the solution with these numbers of placements, then its moves; raise PuzzleError if it is not a solution."""
    from puzzlec.motion.shown import Plans

    begun, listed = time.monotonic(), list(solutions_of(fitting, [placements]))
    plans = None if fitting.puzzle is None else Plans(fitting.puzzle, seconds=MOVES)
    view(fitting, listed, tell, plans)
    if plans is not None and plans.is_late:
        tell("planning")
        if plans.finish(end):
            view(fitting, listed, tell, plans)
    tell("end", why="some", found="1", counted="", seconds=time.monotonic() - begun, nodes=0, diagnostics=[])


def view(fitting: Fitting, listed: list[Solution], tell: Tell, plans: Plans | None, start: int = 0) -> None:
    """Send the solutions found so far: the data of the viewer, and the numbers of their placements.

    ``start`` is the index of the solution to show first.
    """
    from puzzlec.show.page.data import page_data

    subject = Subject(fitting, tuple(listed), start=start)
    tell("view", data=page_data(subject, plans=plans), solutions=[solution.orientations for solution in listed])


@contextmanager
def _progress(counts: KnownCounts, tell: Tell) -> Iterator[None]:
    """Send the progress of a search while a block runs: from a separate thread, or between slices in a browser."""
    over, gauge, begun = threading.Event(), Gauge(), time.monotonic()

    def look() -> None:
        figures = gauge.read(counts.solutions.progress(), time.monotonic() - begun)
        if not over.is_set():
            tell("progress", **as_data(figures), **counts.as_data())

    if sys.platform == "emscripten":
        with _between_slices(look):
            yield
        return

    def run() -> None:
        while not over.wait(STEP):
            look()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _between_slices(look: Callable[[], None]) -> Iterator[None]:
    """Look at a search between its slices while a block runs, for a platform without threads."""
    when = time.monotonic()

    def after() -> None:
        nonlocal when
        if time.monotonic() - when >= STEP:
            when = time.monotonic()
            look()

    race.after_slice = after
    try:
        yield
    finally:
        race.after_slice = None


def as_data(now: Figures) -> dict[str, Any]:
    """Return figures as plain data. Numbers of solutions are texts, since they may be too large for JavaScript."""
    return {**now._asdict(), "solutions": str(now.solutions)}
