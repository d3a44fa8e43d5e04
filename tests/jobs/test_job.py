"""A job finds the solutions of a plain search in its order, with any workers and interruptions."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from puzzlec.compiler import parse
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine import Stop
from puzzlec.jobs import job as job_module
from puzzlec.jobs.job import Job
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.store import Store
from puzzlec.jobs.streams import Settled
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import UnitState, Work, WorkUnit
from puzzlec.jobs.workers import Returned
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.solutions import Solutions

Orientations = tuple[tuple[int, ...], ...]


@dataclass
class Slow:
    """Workers that run time slices of one step when their results are collected, the last one first.

    Late ones have no results until they are asked to stop.
    """

    problem: JobProblem
    side_by_side: int = 3
    lose: Callable[[int], bool] = lambda _: False
    after: Callable[[int], None] = lambda _: None
    is_late: bool = False
    works: list[Work] = field(default_factory=list)
    taken: int = 0
    name: str = "slow ones"

    def __post_init__(self) -> None:
        self.time_slices = TimeSlices(self.problem)

    def capacity(self) -> int:
        return self.side_by_side

    def wanted(self) -> int:
        return self.side_by_side

    def slice_seconds(self) -> float:
        return 0.0

    def submit(self, work: Work) -> None:
        assert work.key not in [other.key for other in self.works]
        self.works.append(work)

    def collect(self, wait: float) -> list[Returned]:
        if self.is_late:
            time.sleep(wait)
        if self.is_late or not self.works:
            return []
        work = self.works.pop()
        self.taken += 1
        outcome = None if self.lose(self.taken) else self.time_slices.take(work, lambda: True)
        self.after(self.taken)
        return [Returned(work.key, outcome)]

    def stop(self) -> None:
        self.is_late = False

    def close(self) -> None:
        assert not self.works or self.taken


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Give jobs slow workers with these settings."""

    def use(**settings: object) -> None:
        monkeypatch.setattr(job_module, "start", lambda problem, *_: Slow(problem, **settings))  # type: ignore[arg-type]

    return use


@cache
def plain(name: str, symmetry: SymmetryKind = "all") -> list[Orientations]:
    return [solution.orientations for solution in Solutions(name, symmetry=symmetry)]


def kept(job: Job) -> list[Orientations]:
    return [solution.orientations for solution in Settled(job).more()]


@pytest.mark.parametrize(
    "name", ["pentominoes/3x20", "pentominoes/4x15", "soma", "dominoes/with-monominoes", "queens/8"]
)
def test_a_job_finds_what_a_plain_search_finds(name: str, tmp_path: Path) -> None:
    with Job.begin(tmp_path / "job", name) as job:
        job.run(threads=2)
        assert job.complete
        assert kept(job) == plain(name)
        assert job.number == len(plain(name))
        assert job.raw == Solutions(name, symmetry="none").count()
        assert job.stopped is None
    with Job.open(tmp_path / "job") as job:
        assert job.complete
        job.run()
        assert kept(job) == plain(name)


@pytest.mark.parametrize("symmetry", ["all", "rotations", "none"])
@pytest.mark.parametrize("task", ["solutions", "count"])
def test_a_job_counts_up_to_every_kind_of_symmetry(symmetry: SymmetryKind, task: str) -> None:
    with Job.begin(None, "pentominoes/4x15", task=task, symmetry=symmetry) as job:  # type: ignore[arg-type]
        job.run()
        assert job.number == Solutions("pentominoes/4x15", symmetry=symmetry).count()
        assert job.kept == (job.number if task == "solutions" else 0)


def test_time_slices_of_one_step_with_lost_workers_find_the_same(slow: Callable[..., None], tmp_path: Path) -> None:
    slow(lose=lambda number: number % 3 == 1)
    with Job.begin(tmp_path / "job", "pentominoes/4x15") as job:
        job.run()
        assert kept(job) == plain("pentominoes/4x15")


def test_one_worker_and_many_find_the_same(slow: Callable[..., None]) -> None:
    for side_by_side in (1, 40):
        slow(side_by_side=side_by_side)
        with Job.begin(None, "soma") as job:
            job.run()
            assert kept(job) == plain("soma")


class Killed(BaseException):
    """The process has died, as after kill -9."""


@pytest.mark.long
def test_a_job_that_is_killed_again_and_again_loses_nothing(
    slow: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_module, "SAVE_SECONDS", 0.0)

    def kill(number: int) -> None:
        if number == 20:
            raise Killed

    Job.begin(tmp_path / "job", "pentominoes/4x15", wanted=4).close()
    kills = 0
    while True:
        slow(after=kill)
        with Job.open(tmp_path / "job") as job:
            job.store.note_run = lambda *_: None  # type: ignore[method-assign]  # a dead process cannot record it
            nodes = sum(unit.nodes for unit in job.store.units())
            try:
                job.run(in_order=kills % 2 == 0)
            except Killed:
                kills += 1
                assert sum(unit.nodes for unit in job.store.units()) >= nodes
                continue
            break
    assert kills > 1
    with Job.open(tmp_path / "job") as job:
        assert kept(job) == plain("pentominoes/4x15")


@pytest.mark.long
def test_a_limit_gives_the_first_solutions_in_order(tmp_path: Path) -> None:
    with Job.begin(tmp_path / "job", "pentominoes/6x10", limit=5) as job:
        job.run(threads=2)
        assert job.stopped is Stop.SOLUTIONS
        assert (job.complete, job.done) == (False, True)
        assert kept(job) == plain("pentominoes/6x10")[:5]
    with Job.open(tmp_path / "job") as job:
        job.limit = None
        job.run(threads=2)
        assert kept(job) == plain("pentominoes/6x10")


def test_a_limit_of_seconds_ends_a_run_and_the_next_one_continues(tmp_path: Path) -> None:
    with Job.begin(tmp_path / "job", "solid-pentominoes/3x4x5", task="count") as job:
        job.run(seconds=0.01)
        assert job.stopped is Stop.SECONDS
        assert (job.complete, job.done) == (False, False)


def test_solutions_are_reported_as_soon_as_their_order_is_certain(slow: Callable[..., None]) -> None:
    slow(side_by_side=1)
    told: list[Orientations] = []
    steps = []
    with Job.begin(None, "pentominoes/4x15") as job:
        settled = Settled(job)

        def tell() -> None:
            told.extend(solution.orientations for solution in settled.more())
            steps.append(len(told))

        job.run(in_order=True, told=tell)
    assert told == plain("pentominoes/4x15")
    assert len({step for step in steps if step}) > 3


@pytest.mark.parametrize(("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
@pytest.mark.long
def test_an_interrupted_job_saves_the_results_of_time_slices(
    number: int, raised: type[BaseException], slow: Callable[..., None], tmp_path: Path
) -> None:
    assert threading.current_thread() is threading.main_thread()
    slow(after=lambda taken: os.kill(os.getpid(), number) if taken == 5 else None)
    before = signal.getsignal(number)
    with Job.begin(tmp_path / "job", "pentominoes/4x15") as job:
        with pytest.raises(raised):
            job.run()
        units = list(job.store.units())
        assert sum(unit.seconds > 0 for unit in units) >= 3
    assert signal.getsignal(number) == before
    with Job.open(tmp_path / "job") as job:
        slow()
        job.run()
        assert kept(job) == plain("pentominoes/4x15")


@pytest.mark.long
def test_an_error_in_a_time_slice_is_raised_and_other_results_are_saved(
    slow: Callable[..., None], tmp_path: Path
) -> None:
    def fail(number: int) -> None:
        if number == 6:
            raise ZeroDivisionError

    slow(after=fail)
    with Job.begin(tmp_path / "job", "pentominoes/4x15") as job, pytest.raises(ZeroDivisionError):
        job.run()
    slow()
    with Job.open(tmp_path / "job") as job:
        job.run()
        assert kept(job) == plain("pentominoes/4x15")


@pytest.mark.long
def test_shards_add_up(tmp_path: Path) -> None:
    number = 0
    for shard in (1, 2, 3):
        with Job.begin(tmp_path / str(shard), "pentominoes/4x15", task="count", shard=(shard, 3)) as job:
            job.run()
            assert job.complete
            number += job.number
    assert number == 368


@pytest.mark.long
def test_a_work_unit_that_turns_out_large_is_divided(slow: Callable[..., None], tmp_path: Path) -> None:
    slow(side_by_side=8)
    with Job.begin(tmp_path / "job", "soma", symmetry="none", wanted=1) as job:
        job.run()
        states = [unit.state for unit in job.store.units()]
        assert UnitState.SPLIT in states
        assert UnitState.OPEN not in states
        assert job.number == 11520


def test_an_impossible_puzzle_has_a_reason_and_no_work_units(tmp_path: Path) -> None:
    with Job.begin(tmp_path / "job", "dominoes/mutilated-board") as job:
        assert [reason.code for reason in job.reasons]
        job.run()
        assert (job.complete, job.number) == (True, 0)


@pytest.mark.parametrize("text", ["| nothing\na b\n", "a | x\n", "a b\na b\n"])
def test_the_smallest_problems_are_jobs(text: str) -> None:
    what = parse(text, format="dlx")
    with Job.begin(None, what) as job:
        job.run()
        assert job.complete
        assert kept(job) == [solution.orientations for solution in Solutions(what)]


def test_a_running_job_is_neither_run_again_nor_closed(slow: Callable[..., None], tmp_path: Path) -> None:
    refused: list[str] = []

    def try_both(_: int) -> None:
        if not refused:
            for attempt in (job.run, job.close):
                with pytest.raises(RuntimeError, match=r"this job is (already )?running") as told:
                    attempt()
                refused.append(str(told.value))

    slow(after=try_both)
    with Job.begin(tmp_path / "job", "soma", task="count") as job:
        job.run()
        assert len(refused) == 2
        assert (job.complete, job.number) == (True, 240)
        job.run()
    with Job.open(tmp_path / "job") as job:
        assert job.number == 240


def test_a_program_that_runs_again_resumes_and_has_its_solutions(tmp_path: Path) -> None:
    for limit, shown in ((5, "<puzzlec.Job 'Soma cube': "), (None, "<puzzlec.Job 'Soma cube': all of it searched, ")):
        with Job.begin_or_open(tmp_path / "job", "soma", limit=limit) as job:
            job.run()
            assert [solution.orientations for solution in job.solutions()] == plain("soma")[:limit]
            assert repr(job).startswith(shown)
    with pytest.raises(PuzzleError, match="PZ627"):
        Job.begin_or_open(tmp_path / "job", "soma", task="count")
    with Job.open(tmp_path / "job"), pytest.raises(PuzzleError, match="this process already has the checkpoint"):
        Job.open(tmp_path / "job")
    with Job.begin(None, "soma", task="count") as job, pytest.raises(ValueError, match="only counts"):
        job.solutions()


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("dear")
    with pytest.raises(PuzzleError):
        Job.begin(tmp_path, "soma")
    assert (tmp_path / "mine").read_text() == "dear"


def test_progress_ends_at_one(tmp_path: Path) -> None:
    with Job.begin(tmp_path / "job", "pentominoes/4x15") as job:
        assert job.progress().fraction < 1
        job.run()
        now = job.progress()
        assert (now.fraction, now.solutions) == (1.0, 368)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has no such signal")
@pytest.mark.long
def test_closing_a_terminal_ends_a_job_cleanly_unless_it_runs_under_nohup(tmp_path: Path) -> None:
    closed: list[int] = []

    def close_the_terminal() -> None:
        if len(closed) < 2:
            closed.append(signal.SIGHUP)
            os.kill(os.getpid(), signal.SIGHUP)

    before = signal.getsignal(signal.SIGHUP)
    try:
        with Job.begin(tmp_path / "job", "soma", wanted=8) as job:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as with nohup
            job.run(told=close_the_terminal)
            assert job.complete
            closed[:] = closed[:1]
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        with Job.begin(tmp_path / "other", "soma", wanted=8) as job:
            with pytest.raises(SystemExit) as ended:
                job.run(in_order=True, told=close_the_terminal)
            assert ended.value.code == 129
            assert job.progress().nodes > 0
            job.run()
            assert job.number == 240
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("task", ["solutions", "count"])
@pytest.mark.long
def test_a_run_after_one_that_could_not_save_finds_the_missing_solutions(
    slow: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    slow()
    save, times = Store.save, [0]

    def full(store: Store, saved: Sequence[tuple[WorkUnit, bytes, Sequence[WorkUnit]]]) -> None:
        times[0] += 1
        if times[0] % 3 == 2:
            raise OSError("the disk is full")
        save(store, saved)

    monkeypatch.setattr(job_module, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(Store, "save", full)
    with Job.begin(tmp_path / "job", "soma", task=task, wanted=4) as job:  # type: ignore[arg-type]
        failed = 0
        while not job.complete:
            with suppress(OSError):
                job.run()
                continue
            assert not job.complete
            failed += 1
        assert failed
        assert (job.number, job.progress().fraction) == (240, 1.0)
        if task == "solutions":
            assert kept(job) == plain("soma")


def test_a_limit_that_passes_at_the_end_of_the_search_has_no_effect(slow: Callable[..., None]) -> None:
    slow(is_late=True)
    with Job.begin(None, "dominoes/4x4", wanted=1) as job:
        while not job.complete:
            job.run(seconds=0.001)
        assert job.stopped is None


def test_a_limit_of_no_solutions_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Job.begin(None, "soma", limit=0)
