"""A job: the search for all solutions of a puzzle, or their number, that may take days and be stopped at any moment."""

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

from puzzlec.diagnostics import Diagnostic
from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.engine import Stop
from puzzlec.engine.search import selection
from puzzlec.engine.search.progress import Progress
from puzzlec.engine.search.splitting import TREE
from puzzlec.engine.search.walking import NoSuchPlaceError
from puzzlec.ir import Fitting, Solution
from puzzlec.jobs import beginning
from puzzlec.jobs.expectation import Expectation, Tally
from puzzlec.jobs.faults import FILE, damaged
from puzzlec.jobs.header import VERSION, Header
from puzzlec.jobs.plan import digest, plan, shard_of
from puzzlec.jobs.portion import Portion, State, Work
from puzzlec.jobs.problem import Problem
from puzzlec.jobs.schedule import Schedule
from puzzlec.jobs.settled import Settled
from puzzlec.jobs.store import Store
from puzzlec.jobs.workers import Returned, Workers, start
from puzzlec.jobs.workers.importing import end_if_importing
from puzzlec.lower import Encoding
from puzzlec.lower import symmetry as symmetry_group
from puzzlec.pipeline import Compiled, compile, convert, parse
from puzzlec.solving.solutions import Solutions

#: What was met is saved about so often, in seconds, and when so many bytes of solutions wait.
SAVED_EACH, SAVED_AT = 1.0, 1 << 24

#: A turn of so many seconds is enough where somebody waits for the solutions in their order.
SOON = 0.5

#: How long the runs took is noted about so often, in seconds: it is told by `status`, and nothing depends on it.
NOTED_EACH = 2.0

#: Who is waited for when a job is interrupted, in seconds.
FAREWELL = 10.0


class Job:
    """The search for the solutions of a puzzle, cut into portions, with a checkpoint in a folder.

    Make one by :meth:`begin`, or go on with one by :meth:`open`; :meth:`run` it as often as it takes, with any workers.
    Afterwards ``complete`` says whether the tree was exhausted, ``stopped`` which limit ended the run, ``number`` how
    many solutions there are up to the symmetry of the search, ``raw`` how many raw ones they stand for. The result
    is the same for any number and kind of workers, and however often the job was interrupted.
    """

    def __init__(
        self, store: Store, encoding: Encoding, temporary: tempfile.TemporaryDirectory[str] | None = None
    ) -> None:
        self.store, self.encoding = store, encoding
        self.header = store.header
        self.stopped: Stop | None = None
        self.workers = ""
        self._hands: Workers | None = None  # while it runs
        self._is_run = threading.Lock()  # held by the run
        self._temporary = temporary
        self._tally = Tally(store.portions())
        self._sum_up()
        self._expectation = Expectation(self._tally, store.elapsed, lambda: self.number)
        self._schedule = Schedule(store.portions(State.OPEN), in_order=False)
        self._waiting: list[tuple[Portion, bytes, tuple[Portion, ...]]] = []
        self._waiting_bytes = 0
        self._asked: dict[bytes, Work] = {}
        self._noted = 0.0
        self._kept_of: dict[bytes, int] | None = None  # how many solutions each portion has kept, once it was asked

    @classmethod
    def begin(
        cls,
        folder: str | Path | None,
        what: Compiled | str,
        task: str = "solutions",
        symmetry: str = "all",
        limit: int | None = None,
        shard: tuple[int, int] | None = None,
        wanted: int | None = None,
    ) -> Job:
        """Return a new job with its checkpoint in a folder, which is made; None: in one that is removed at the end.

        ``task`` is "solutions" (found and kept) or "count"; ``symmetry`` and ``limit`` are those of
        :func:`puzzlec.solve`. ``shard`` (3, 100) is the third of a hundred parts, which may be searched anywhere.
        ``wanted`` is the number of portions, where the one that suits is not.

        Raises PuzzleError where the puzzle cannot be compiled or the folder holds something already, ValueError for a
        limit below 1.
        """
        end_if_importing()
        if limit is not None and limit < 1:
            raise ValueError("a limit of solutions is at least 1")
        solutions = Solutions(what, symmetry=symmetry)
        problem = problem_of(solutions, task)
        portions = [] if solutions.impossible else plan(problem, wanted, shard[1] if shard else 1)
        encoding = solutions.encoding
        header = Header(
            convert(beginning.written_level(encoding), "json"), encoding.fitting.title, problem.fingerprint, task,
            solutions.symmetry, limit, shard, digest(portions), len(portions), TREE, VERSION,
        )  # fmt: skip
        mine = shard_of(portions, *shard) if shard else portions
        temporary = tempfile.TemporaryDirectory(prefix="puzzlec-") if folder is None else None
        place = Path(temporary.name) / "job" if temporary is not None else Path(str(folder))
        job = cls(Store.create(place, header, mine), encoding, temporary)
        job.__dict__["problem"] = problem
        return job

    @classmethod
    def open(cls, folder: str | Path) -> Job:
        """Return the job of a checkpoint, to go on with it.

        Raises PuzzleError where another process works on it, or where it is damaged or was made by another version.
        """
        end_if_importing()
        store = Store.open(Path(folder))
        try:
            return cls(store, encoding_of(store.header, str(folder)))
        except BaseException:
            store.close()
            raise

    @classmethod
    def begin_or_open(
        cls,
        folder: str | Path | None,
        what: Compiled | str,
        task: str = "solutions",
        symmetry: str = "all",
        limit: int | None = None,
        shard: tuple[int, int] | None = None,
        keep_limit: bool = False,
    ) -> Job:
        """Return a new job as :meth:`begin` does, or go on with the one in the folder if it is the same.

        So a program may just be run again. The ``limit`` may be another one than before;
        with ``keep_limit`` it stays. Raises PuzzleError where
        the folder holds the job of another puzzle, or one with other settings (PZ627), or anything else (PZ620).
        """
        end_if_importing()
        encoding = Solutions(what, symmetry=symmetry).encoding
        if folder is None or not beginning.is_taken(Path(folder)):
            try:
                return cls.begin(folder, encoding, task, symmetry, limit, shard)
            except PuzzleError:
                if folder is None or not (Path(folder) / FILE).exists():
                    raise
                # Another process has begun a job there since the folder was looked at.
        job = cls.open(folder)
        try:
            beginning.compare(job.header, job.encoding, Path(folder), encoding, beginning.Asked(task, symmetry, shard))
        except BaseException:
            job.close()
            raise
        if not keep_limit:
            job.limit = limit
        return job

    def __repr__(self) -> str:
        part = "all of it" if self.complete else f"{min(100 * self._expectation.progress().fraction, 99.9):.3g} %"
        return f"<puzzlec.Job {self.fitting.title!r}: {part} searched, {self.counted(self.number)}>"

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the checkpoint; raises RuntimeError while the job is being run, by another thread."""
        if self._is_run.locked():
            raise RuntimeError("this job is being run: it can be closed when the run has ended")
        self.store.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    @property
    def fitting(self) -> Fitting:
        """The puzzle's fitting."""
        return self.encoding.fitting

    @property
    def limit(self) -> int | None:
        """How many solutions are wanted, None for all; it may be set, and is kept in the checkpoint."""
        return self.store.limit

    @limit.setter
    def limit(self, limit: int | None) -> None:
        if limit != self.store.limit:
            self.store.want(limit)

    @property
    def complete(self) -> bool:
        """Whether all of the search (of the shard) is done, and saved."""
        return not self._schedule and not self._waiting

    @property
    def done(self) -> bool:
        """Whether nothing is left to be done: the search is complete, or what is wanted was found."""
        return self.complete or self._is_enough()

    @cached_property
    def problem(self) -> Problem:
        """What workers need."""
        return problem_of(self._solutions, self.header.task)

    @cached_property
    def _solutions(self) -> Solutions:
        return Solutions(self.encoding, symmetry=self.header.symmetry)

    @property
    def reasons(self) -> tuple[Diagnostic, ...]:
        """Why there can be no solution, where a reason is known."""
        return () if self.number else self._solutions.impossible

    def counted(self, number: int) -> str:
        """Return a number of solutions in words, with what they are counted up to."""
        return self._solutions.counted(number)

    def progress(self) -> Progress:
        """Return how far it has come; may be asked from any thread."""
        now = self._expectation.progress()
        if self.at_hand == 0 and not self.complete:
            return now._replace(left=None, left_between=None, doing="waiting for workers", workers=0)
        begins = self._hands is not None and not now.nodes and not self.complete
        return now._replace(workers=self.at_hand, doing="beginning" if begins else "")

    @property
    def at_hand(self) -> int | None:
        """How many workers there are now; a cluster may have none yet. None where it does not run."""
        hands = self._hands
        return None if hands is None else hands.at_hand()

    def solutions(self) -> Iterator[Solution]:
        """Give the solutions that are kept, in the order of the search, up to the first that may be missing before one.

        Those are all where the job is done. Each is checked by code that did not find it. Raises ValueError where the
        job only counts, PuzzleError (PZ622) where something that is kept is no solution.
        """
        if self.header.task == "count":
            raise ValueError("this job counts the solutions, and keeps none")
        return Settled(self).more()

    @property
    def portions(self) -> tuple[int, int, int]:
        """How many portions there are, how many are open, and how many are searched now."""
        return len(self._tally), len(self._schedule), self._schedule.running

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
        """Search until all is done, ``limit`` solutions are found, or so many seconds are over.

        ``told`` is called whenever something was saved. ``in_order``: portions are taken in the order of the search,
        as they are where there is a limit. When it is interrupted (KeyboardInterrupt, or SIGTERM or SIGHUP, which raise
        SystemExit), what the turns under way have met is saved before that is raised; at a second time it is not.

        With ``processes`` a program of your own calls this within ``if __name__ == "__main__":``, as each process
        imports it. Raises PuzzleError (PZ626) where it does not, and RuntimeError where another thread runs the job.
        """
        selection.need_kernel(kernel)
        if not self._is_run.acquire(blocking=False):
            raise RuntimeError("this job is being run already")
        try:
            self._run(threads, processes, cluster, seconds, in_order, kernel, told)
        finally:
            self._is_run.release()

    def _run(
        self,
        threads: int,
        processes: int,
        cluster: str | None,
        seconds: float | None,
        in_order: bool,
        kernel: str,
        told: Callable[[], None] | None,
    ) -> None:
        self.stopped = None
        if self._waiting:
            self._recall()
        if self.done:
            self._settle_limit()
            return
        self._noted = time.monotonic()
        end = None if seconds is None else self._noted + seconds
        self._tally.in_order = in_order = in_order or self.limit is not None
        self._schedule = Schedule(self.store.portions(State.OPEN), in_order, self.store.totals().nodes)
        with _Signals() as signals:
            workers = start(replace(self.problem, kernel=kernel), threads, processes, cluster)
            self.workers, self._hands = workers.name, workers
            self._note(0.0)  # who works is told by `status` from now on
            try:
                self._work(workers, end, in_order, signals, told)
                self._settle_limit()
            finally:
                self._hands = None
                workers.close()
            self._note(0.0)
        signals.raise_again()

    def _work(
        self, workers: Workers, end: float | None, in_order: bool, signals: _Signals, told: Callable[[], None] | None
    ) -> None:
        saved = time.monotonic()
        while self._schedule and not self._is_enough():
            if end is not None and time.monotonic() >= end:
                self.stopped = Stop.SECONDS
            if self.stopped or signals.caught:
                break
            self._hand_out(workers, in_order)
            wait = SAVED_EACH / 4 if end is None else max(0.0, min(SAVED_EACH / 4, end - time.monotonic()))
            self._take(workers, wait)
            self._keep_up_with(workers)
            if self._waiting and (
                time.monotonic() - saved >= SAVED_EACH or self._waiting_bytes >= SAVED_AT or in_order
            ):
                self._save()
                saved = time.monotonic()
                self._note(NOTED_EACH)
                if told is not None:
                    told()
        workers.stop()
        farewell = time.monotonic() + FAREWELL
        while self._schedule.running and time.monotonic() < farewell and not signals.twice:
            self._take(workers, SAVED_EACH / 4)
        self._save()
        if told is not None:
            told()

    def _hand_out(self, workers: Workers, in_order: bool) -> None:
        seconds = min(SOON, workers.turn_seconds()) if in_order else workers.turn_seconds()
        wanted = workers.wanted()
        while self._schedule.running < wanted and (work := self._schedule.next(seconds, wanted)) is not None:
            self._asked[work.key] = work
            workers.submit(work)

    def _take(self, workers: Workers, wait: float) -> None:
        """Take what turns have brought; a fault of one is raised when the others are saved."""
        fault: BaseException | None = None
        for returned in workers.collect(wait):
            asked = self._asked.pop(returned.key)
            outcome = returned.outcome
            if outcome is None:
                self._schedule.lost(returned.key)
                fault = fault or self._told(returned)
                continue
            portion = self._schedule.met(outcome, asked)
            self._waiting.append((portion, outcome.block, outcome.parts))
            self._waiting_bytes += len(outcome.block)
        if fault is not None:
            self._save()
            raise fault

    def _told(self, returned: Returned) -> BaseException | None:
        """Return why a turn has brought nothing; what its portion says of its place came from the checkpoint."""
        if isinstance(returned.fault, NoSuchPlaceError):
            name = Portion(returned.key, 0, ()).name
            return damaged(self.store.folder, f"the portion {name} is none of this search: {returned.fault}")
        return returned.fault

    def _note(self, each: float) -> None:
        """Note how long it took, if that was not done for so many seconds."""
        now = time.monotonic()
        if now - self._noted >= each:
            self.store.note_run(now - self._noted, self.workers)
            self._noted = now

    def _keep_up_with(self, workers: Workers) -> None:
        """Note who works, where workers have come or gone: `status` tells it."""
        if workers.name != self.workers:
            self._note(0.0)
            self.workers = workers.name
            self._note(0.0)

    def _save(self) -> None:
        """Save what waits for it, all or nothing."""
        if not self._waiting:
            return
        self.store.save(self._waiting)
        for portion, _, parts in self._waiting:
            self._tally.put(portion)
            for part in parts:
                self._tally.put(part)
            if self._kept_of is not None:
                self._kept_of[portion.key] = portion.kept
        self._sum_up()
        self._waiting, self._waiting_bytes = [], 0

    def _sum_up(self) -> None:
        """Note how many solutions are saved."""
        totals = self.store.totals()
        self.number, self.raw, self.kept = totals.number, totals.raw, totals.kept

    def _recall(self) -> None:
        """Begin again with what is saved: an error ended a run in the midst of it."""
        self._waiting, self._waiting_bytes, self._asked, self._kept_of = [], 0, {}, None
        for portion in self.store.portions():
            self._tally.put(portion)
        self._sum_up()
        self._schedule = Schedule(self.store.portions(State.OPEN), in_order=False)

    @property
    def front(self) -> bytes | None:
        """The key of the first portion that is open: what is kept up to there is settled. None where all are done."""
        return self._schedule.front

    def settled(self) -> int:
        """Return how many of the solutions kept have their place in the order of the search."""
        front = self.front
        if front is None:
            return self.kept
        if self._kept_of is None:
            self._kept_of = {portion.key: portion.kept for portion in self.store.portions() if portion.kept}
        return sum(kept for key, kept in self._kept_of.items() if key <= front)

    def _is_enough(self) -> bool:
        if self.limit is None:
            return False
        if self.header.task == "count":
            return self.number >= self.limit
        return self.kept >= self.limit and self.settled() >= self.limit

    def _settle_limit(self) -> None:
        if self._is_enough():
            self.stopped = Stop.SOLUTIONS
        elif self.complete:  # by the turns that were under way when the time was over
            self.stopped = None


class _Signals:
    """What ends a job from outside (Ctrl-C, SIGTERM, SIGHUP): noted, so that no transaction is torn; raised at last.

    SIGHUP comes when a terminal is closed. What is ignored (`nohup`, or Ctrl-C in the background) stays so. Outside the
    main thread Python gives no signals, and nothing is done.
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

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _catch(self, number: int, _: FrameType | None) -> None:
        if self.caught is not None:
            self.twice = True
            raise KeyboardInterrupt
        self.caught = number

    def raise_again(self) -> None:
        """Raise what the signal would have raised: KeyboardInterrupt, or SystemExit with 143 or 129, as shells do."""
        if self.caught == signal.SIGINT:
            raise KeyboardInterrupt
        if self.caught is not None:
            raise SystemExit(128 + self.caught)


def encoding_of(header: Header, name: str) -> Encoding:
    """Return the puzzle of a checkpoint, compiled anew; ``name`` is what diagnostics call the checkpoint.

    Raises PuzzleError where this puzzlec makes another exact cover of it.
    """
    encoding = compile(parse(header.puzzle, "json"), "cover")
    assert isinstance(encoding, Encoding)
    from puzzlec.engine.diagram_file import fingerprint

    if fingerprint(encoding.cover) != header.fingerprint:
        raise fail(
            "PZ623",
            f"`{name}` was made by puzzlec {header.version}, which compiled this puzzle to another exact cover",
            note=f"this is puzzlec {VERSION}: places in one search tree mean nothing in another",
            help=f"go on with puzzlec {header.version}, or begin anew in another folder",
            file=name,
        )
    return encoding


def problem_of(solutions: Solutions, task: str) -> Problem:
    """Return the search for solutions: raw ones to be counted are found as orbits, raw ones to be kept one by one."""
    raw = solutions.convention == "raw"
    group = symmetry_group(solutions.encoding, "none") if raw and task == "solutions" else solutions.group
    return Problem.of(solutions.encoding, group, task, raw)
