"""A job: a search for all solutions or their number that may take days and can be stopped at any moment."""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import FrameType
from typing import Any

from puzzlec.compiler import PuzzleOrName, convert
from puzzlec.diagnostics import Diagnostic
from puzzlec.diagnostics.error import PuzzleError
from puzzlec.engine import Stop
from puzzlec.engine.progress import Progress
from puzzlec.engine.search import selection
from puzzlec.engine.search.splitting import TREE_VERSION
from puzzlec.engine.search.walking import NoSuchPlaceError
from puzzlec.ir import Fitting, Solution
from puzzlec.jobs import beginning
from puzzlec.jobs.expectation import JobExpectation, UnitTally
from puzzlec.jobs.faults import CHECKPOINT_FILE, damaged
from puzzlec.jobs.plan import UnitSchedule, digest, plan, shard_of
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.records import VERSION, Header, TaskName
from puzzlec.jobs.store import Store
from puzzlec.jobs.streams import Settled
from puzzlec.jobs.work_unit import SliceOutcome, UnitState, Work, WorkUnit
from puzzlec.jobs.workers import Returned, Workers, start
from puzzlec.jobs.workers.importing import end_if_importing
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.solutions import Solutions

#: Results are saved after this many seconds, or when this many bytes of solutions wait.
SAVE_SECONDS, SAVE_BYTES = 1.0, 1 << 24

#: Seconds of a time slice if a caller waits for solutions in their order.
ORDERED_SLICE_SECONDS = 0.5

#: The time of a run is recorded after this many seconds. `status` shows it, and nothing depends on it.
NOTE_SECONDS = 2.0

#: Seconds to wait for workers after an interruption.
STOP_WAIT_SECONDS = 10.0


class Job:
    r"""The search for the solutions of a puzzle, cut into work units, with a checkpoint in a folder.

    Make one with :meth:`begin`, or resume one with :meth:`open`. Call :meth:`run` as often as necessary, with any
    workers. Afterwards ``complete`` means that the tree is exhausted, and ``stopped`` is the limit that ended the run.
    ``number`` counts solutions up to the symmetry of the search, ``raw`` raw ones. The result does not depend on the
    number and kind of workers or on interruptions.

    >>> import puzzlec
    >>> import tempfile
    >>> from pathlib import Path
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with puzzlec.Job.begin(Path(folder, "dominoes"), puzzle) as job:
    ...         job.run()
    ...         print(job.number, job.raw, job.complete)
    2 3 True
    """

    def __init__(self, store: Store, encoding: Encoding) -> None:
        self.store, self.encoding = store, encoding
        self.header = store.header
        self.stopped: Stop | None = None
        self.workers = ""
        self._pool: Workers | None = None  # while it runs
        self._is_run = threading.Lock()  # held by the run
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._waiting: list[SliceOutcome] = []  # not saved yet
        self._expectation = JobExpectation(UnitTally(store.units()), store.elapsed, lambda: self.number)
        self._schedule = UnitSchedule(store.units(UnitState.OPEN), in_order=False)
        self._asked: dict[bytes, Work] = {}
        self._noted = 0.0

    @classmethod
    def begin(
        cls,
        folder: str | Path | None,
        what: PuzzleOrName,
        *,
        task: TaskName = "solutions",
        symmetry: SymmetryKind = "all",
        limit: int | None = None,
        shard: tuple[int, int] | None = None,
        wanted: int | None = None,
    ) -> Job:
        """Return a new job with its checkpoint in a new folder; None: in a folder that is removed at the end.

        ``task`` is "solutions" (found and kept) or "count". ``symmetry`` and ``limit`` are those of
        :func:`puzzlec.solve`. ``shard`` (3, 100) is the third of a hundred parts, which can be searched anywhere.
        ``wanted`` is the number of work units, by default one that suits the search.

        Raises:
            PuzzleError: If the puzzle cannot be compiled or the folder is not empty.
            ValueError: If a limit is below 1.

        """
        end_if_importing()
        if limit is not None and limit < 1:
            raise ValueError("a limit of solutions must be at least 1")
        solutions = Solutions(what, symmetry=symmetry)
        problem = beginning.problem_of(solutions, task)
        units = [] if solutions.impossible else plan(problem, wanted, shard[1] if shard else 1)
        encoding = solutions.encoding
        header = Header(
            puzzle=convert(beginning.written_stage(encoding), "json"),
            title=encoding.fitting.title,
            fingerprint=problem.fingerprint,
            task=task,
            symmetry=solutions.symmetry,
            limit=limit,
            shard=shard,
            plan=digest(units),
            planned=len(units),
            tree=TREE_VERSION,
            version=VERSION,
        )
        mine = shard_of(units, *shard) if shard else units
        temporary = tempfile.TemporaryDirectory(prefix="puzzlec-") if folder is None else None
        place = Path(temporary.name) / "job" if temporary is not None else Path(str(folder))
        job = cls(Store.create(place, header, mine), encoding)
        job.problem, job._temporary = problem, temporary
        return job

    @classmethod
    def open(cls, folder: str | Path) -> Job:
        """Return the job of a checkpoint, to resume it.

        Raises:
            PuzzleError: If another process works on it, or if it is damaged or of another version.

        """
        end_if_importing()
        store = Store.open(Path(folder))
        try:
            return cls(store, beginning.encoding_of(store.header, str(folder)))
        except BaseException:
            store.close()
            raise

    @classmethod
    def begin_or_open(
        cls,
        folder: str | Path | None,
        what: PuzzleOrName,
        *,
        task: TaskName = "solutions",
        symmetry: SymmetryKind = "all",
        limit: int | None = None,
        shard: tuple[int, int] | None = None,
        keep_limit: bool = False,
    ) -> Job:
        """Return a new job as :meth:`begin` does, or resume the same job in the folder.

        You can therefore run a program again. The ``limit`` may change; with ``keep_limit`` it stays.

        Raises:
            PuzzleError: If the folder contains the job of another puzzle or with other settings (PZ627), or anything
                else (PZ620).

        """
        end_if_importing()
        solutions = Solutions(what, symmetry=symmetry)
        encoding = solutions.encoding
        if folder is None or not beginning.is_taken(Path(folder)):
            try:
                return cls.begin(folder, encoding, task=task, symmetry=symmetry, limit=limit, shard=shard)
            except PuzzleError:
                if folder is None or not (Path(folder) / CHECKPOINT_FILE).exists():
                    raise
                # Another process has begun a job there in the meantime.
        job = cls.open(folder)
        try:
            beginning.compare(job.header, job.encoding, Path(folder), solutions, task, shard)
        except BaseException:
            job.close()
            raise
        if not keep_limit:
            job.limit = limit
        return job

    def __repr__(self) -> str:
        part = "all of it" if self.complete else f"{min(100 * self._expectation.progress().fraction, 99.9):.3g}%"
        return f"<puzzlec.Job {self.fitting.title!r}: {part} searched, {self.counted(self.number)}>"

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the checkpoint; raises RuntimeError while another thread runs the job."""
        if self._is_run.locked():
            raise RuntimeError("this job is running: close it after the run")
        self.store.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    @property
    def number(self) -> int:
        """Number of saved solutions, up to the symmetry of the search."""
        return self.store.totals().number

    @property
    def raw(self) -> int:
        """Number of saved raw solutions."""
        return self.store.totals().raw

    @property
    def kept(self) -> int:
        """Number of solutions in the checkpoint."""
        return self.store.totals().kept

    @property
    def fitting(self) -> Fitting:
        """The puzzle's fitting."""
        return self.encoding.fitting

    @property
    def limit(self) -> int | None:
        """Maximum number of solutions to find, None for all. You can set it; the checkpoint keeps it."""
        return self.store.totals().limit

    @limit.setter
    def limit(self, limit: int | None) -> None:
        if limit != self.limit:
            self.store.want(limit)

    @property
    def complete(self) -> bool:
        """Whether all of the search (of the shard) is done and saved."""
        return not self._schedule and not self._waiting

    @property
    def done(self) -> bool:
        """Whether nothing is left to do: the search is complete, or the limit is reached."""
        return self.complete or self._is_enough()

    @cached_property
    def problem(self) -> JobProblem:
        """The problem for workers."""
        return beginning.problem_of(self._solutions, self.header.task)

    @cached_property
    def _solutions(self) -> Solutions:
        return Solutions(self.encoding, symmetry=self.header.symmetry)

    @property
    def reasons(self) -> tuple[Diagnostic, ...]:
        """Reasons why there can be no solution, if any is known."""
        return () if self.number else self._solutions.impossible

    def counted(self, number: int) -> str:
        """Return a number of solutions in words, with their symmetry."""
        return self._solutions.counted(number)

    def progress(self) -> Progress:
        """Return the progress. Any thread may call this."""
        now = self._expectation.progress()
        if self.at_hand == 0 and not self.complete:
            return now._replace(left=None, left_between=None, doing="waiting for workers", workers=0)
        begins = self._pool is not None and not now.nodes and not self.complete
        return now._replace(workers=self.at_hand, doing="beginning" if begins else "")

    @property
    def at_hand(self) -> int | None:
        """Number of workers now. A cluster may have none yet. None if the job is not running."""
        pool = self._pool
        return None if pool is None else pool.at_hand()

    def solutions(self) -> Iterator[Solution]:
        """Yield the kept solutions, in the order of the search, up to the first gap.

        If the job is done, these are all solutions. Each is checked by code that did not find it.

        Raises:
            ValueError: If the job only counts.
            PuzzleError: If a kept cover is not a solution (PZ622).

        """
        if self.header.task == "count":
            raise ValueError("this job only counts solutions")
        return Settled(self).more()

    @property
    def units(self) -> tuple[int, int, int]:
        """Number of work units, number of open ones, and number of those that are searched now."""
        return len(self._expectation.tally), len(self._schedule), self._schedule.running

    def run(
        self,
        threads: int = 1,
        processes: int = 0,
        cluster: str | None = None,
        seconds: float | None = None,
        in_order: bool = False,
        kernel: str = "auto",
        told: Callable[[], None] | None = None,
    ) -> None:
        """Search until all is done, ``limit`` solutions are found, or this many seconds are over.

        ``told`` is called after each save. ``in_order`` takes work units in the order of the search; a limit implies
        it. An interruption is KeyboardInterrupt, or SIGTERM or SIGHUP, which raise SystemExit. At the first one, the
        results of time slices under way are saved. At a second one they are not.

        With ``processes``, each process imports your program, so call this within ``if __name__ == "__main__":``.

        Raises:
            PuzzleError: If the call is outside of such a block (PZ626).
            RuntimeError: If another thread runs the job.

        """
        selection.need_kernel(kernel)
        if not self._is_run.acquire(blocking=False):
            raise RuntimeError("this job is already running")
        in_order = in_order or self.limit is not None
        tally = self._expectation.tally
        try:
            with _Signals() as signals:  # it raises again what came meanwhile
                self.stopped, self._noted, tally.in_order = None, time.monotonic(), in_order
                end = None if seconds is None else self._noted + seconds
                if self._waiting:  # an error ended the last run: start again from the saved state
                    self._waiting = []
                    for unit in self.store.units():
                        tally.put(unit)
                self._schedule = UnitSchedule(self.store.units(UnitState.OPEN), in_order, self.store.totals().nodes)
                if not self.done:
                    workers = start(replace(self.problem, kernel=kernel), threads, processes, cluster)
                    self.workers, self._pool = workers.name, workers
                    self._note(0.0)  # `status` shows the workers from now on
                    try:
                        self._work(workers, end, in_order, signals, told or (lambda: None))
                    finally:
                        self._pool = None
                        workers.close()
                    self._note(0.0)
                self._settle_limit()
        finally:
            self._is_run.release()

    def _work(
        self, workers: Workers, end: float | None, in_order: bool, signals: _Signals, on_save: Callable[[], None]
    ) -> None:
        saved = time.monotonic()
        while self._schedule and not self._is_enough():
            if end is not None and time.monotonic() >= end:
                self.stopped = Stop.SECONDS
            if self.stopped or signals.caught:
                break
            self._hand_out(workers, in_order)
            wait = SAVE_SECONDS / 4 if end is None else max(0.0, min(SAVE_SECONDS / 4, end - time.monotonic()))
            self._take(workers, wait)
            if workers.name != self.workers:  # `status` shows them
                self._note(0.0)
                self.workers = workers.name
                self._note(0.0)
            waiting_bytes = sum(len(outcome.block) for outcome in self._waiting)
            if self._waiting and (time.monotonic() - saved >= SAVE_SECONDS or waiting_bytes >= SAVE_BYTES or in_order):
                self._save()
                saved = time.monotonic()
                self._note(NOTE_SECONDS)
                on_save()
        workers.stop()
        farewell = time.monotonic() + STOP_WAIT_SECONDS
        while self._schedule.running and time.monotonic() < farewell and not signals.twice:
            self._take(workers, SAVE_SECONDS / 4)
        self._save()
        on_save()

    def _hand_out(self, workers: Workers, in_order: bool) -> None:
        seconds = min(ORDERED_SLICE_SECONDS, workers.slice_seconds()) if in_order else workers.slice_seconds()
        slices = workers.wanted()
        while self._schedule.running < slices and (work := self._schedule.next(seconds, slices)) is not None:
            self._asked[work.key] = work
            workers.submit(work)

    def _take(self, workers: Workers, wait: float) -> None:
        """Take the results of time slices. If one has an error, raise it after the others are saved."""
        fault: BaseException | None = None
        for returned in workers.collect(wait):
            asked = self._asked.pop(returned.key)
            if returned.outcome is None:
                self._schedule.lost(returned.key)
                fault = fault or self._told(returned)
            else:
                self._schedule.met(returned.outcome, asked)
                self._waiting.append(returned.outcome)
        if fault is not None:
            self._save()
            raise fault

    def _told(self, returned: Returned) -> BaseException | None:
        """Return why a time slice has no result. Its position in the tree came from the checkpoint."""
        if isinstance(returned.fault, NoSuchPlaceError):
            name = WorkUnit(returned.key, 0, ()).name
            return damaged(self.store.folder, f"the work unit {name} does not belong to this search: {returned.fault}")
        return returned.fault

    def _note(self, interval: float) -> None:
        """Record the time of the run, if this many seconds have passed since the last record."""
        now = time.monotonic()
        if now - self._noted >= interval:
            self.store.note_run(now - self._noted, self.workers)
            self._noted = now

    def _save(self) -> None:
        """Save all results that wait, or none."""
        if self._waiting:
            self.store.save([(outcome.unit, outcome.block, outcome.parts) for outcome in self._waiting])
            for outcome in self._waiting:
                for unit in (outcome.unit, *outcome.parts):
                    self._expectation.tally.put(unit)
            self._waiting = []

    @property
    def front(self) -> bytes | None:
        """The key of the first open work unit: solutions before it are settled. None if all are done."""
        return self._schedule.front

    def settled(self) -> int:
        """Return how many of the kept solutions have their final position in the order of the search."""
        return self.store.settled(self.front)

    def _is_enough(self) -> bool:
        if self.limit is None:
            return False
        if self.header.task == "count":
            return self.number >= self.limit
        return self.kept >= self.limit and self.settled() >= self.limit

    def _settle_limit(self) -> None:
        if self._is_enough():
            self.stopped = Stop.SOLUTIONS
        elif self.complete:  # the last time slices completed the search
            self.stopped = None


class _Signals:
    """Signals that end a job (Ctrl-C, SIGTERM, SIGHUP): recorded first, and raised between transactions.

    Closing a terminal sends SIGHUP. Ignored signals (`nohup`, or Ctrl-C in the background) stay ignored. Outside the
    main thread Python delivers no signals, and nothing happens.
    """

    def __init__(self) -> None:
        self.caught: int | None = None
        self.twice = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> _Signals:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
                if signal.getsignal(number) is not signal.SIG_IGN and number not in self._before:
                    self._before[number] = signal.signal(number, self._catch)
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        """Raise what the signal would have raised: KeyboardInterrupt, or SystemExit with 143 or 129, as shells do."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if error is None and self.caught is not None:
            raise KeyboardInterrupt if self.caught == signal.SIGINT else SystemExit(128 + self.caught)

    def _catch(self, number: int, _: FrameType | None) -> None:
        if self.caught is not None:
            self.twice = True
            raise KeyboardInterrupt
        self.caught = number
