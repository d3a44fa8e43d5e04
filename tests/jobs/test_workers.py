"""Time slices on threads and processes: all find the same, and failures lose nothing."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from puzzlec.diagnostics.error import PuzzleError
from puzzlec.engine.search.tree_search import cores
from puzzlec.engine.search.walking import NoSuchPlaceError
from puzzlec.jobs.job import Job
from puzzlec.jobs.plan import plan
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import SliceOutcome, Work, WorkUnit
from puzzlec.jobs.workers import Losses, Workers, start
from puzzlec.jobs.workers import processes as processes_module
from puzzlec.jobs.workers.importing import lost_program
from puzzlec.jobs.workers.processes import Processes, _LostError, _Slot, _UnfitError
from puzzlec.jobs.workers.threads import Works
from tests.jobs.at_work import alone, endless, named, next_of, over, problem_of, soon, together, work_of


@pytest.fixture(scope="module")
def processes() -> Iterator[Workers]:
    """Two processes with an endless search."""
    workers = start(endless()[0], processes=2)
    yield workers
    workers.close()
    assert not multiprocessing.active_children()


def pids() -> list[int]:
    return [process.pid for process in multiprocessing.active_children() if process.pid]


def test_a_program_is_looked_for_where_it_began(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new process imports the program. Its name may be relative to the folder at the beginning."""
    program = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", program)
    monkeypatch.setattr(multiprocessing.process, "ORIGINAL_DIR", str(tmp_path))
    assert lost_program() is None  # no program: an interactive session
    program.__file__ = "job.py"
    assert lost_program() == "job.py"
    (tmp_path / "job.py").touch()
    assert lost_program() is None


@pytest.mark.parametrize("name", ["pentominoes/3x20", "soma", "dominoes/mutilated-board", "dpf/dominoes"])
@pytest.mark.parametrize("count", [1, 3])
def test_threads_find_the_same_as_a_plain_search(name: str, count: int) -> None:
    problem = problem_of(name)
    units = plan(problem, 12)
    workers = start(problem, threads=count)
    try:
        assert together(workers, units) == alone(problem, units)
        assert workers.capacity() == count < workers.wanted()
    finally:
        workers.close()
    assert workers.name == ("1 thread" if count == 1 else "3 threads")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
@pytest.mark.long
def test_processes_find_the_same_even_if_some_are_killed() -> None:
    problem = problem_of("soma")
    units = plan(problem, 12)

    def kill(time_slices: int) -> None:
        if time_slices == 5:
            for pid in pids()[:1]:
                os.kill(pid, signal.SIGKILL)

    workers = start(problem, processes=2)
    try:
        assert together(workers, units, meanwhile=kill) == alone(problem, units)
    finally:
        workers.close()
    assert not pids()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_a_killed_process_loses_only_its_time_slice(processes: Workers) -> None:
    work = endless()[1]
    for times in range(1, 4):
        processes.submit(work)
        while not (some := processes.collect(0.2)):
            for pid in pids():  # also the idle one: its end is no error of a time slice
                os.kill(pid, signal.SIGKILL)
        (returned,) = some
        assert (returned.key, returned.outcome) == (work.key, None)
        assert (returned.fault is not None) == (times == 3)
    assert isinstance(returned.fault, PuzzleError)
    assert returned.fault.diagnostics[0].code == "PZ626"
    assert "SIGKILL" in str(returned.fault)


def test_an_error_in_a_time_slice_comes_back_from_a_process(processes: Workers) -> None:
    processes.submit(Work(WorkUnit(b"none", 99, ((),)), 1.0, 1 << 10))
    returned = next_of(processes)
    assert isinstance(returned.fault, NoSuchPlaceError)
    assert "time_slices.py" in returned.fault.__notes__[0]


def test_an_error_in_a_time_slice_comes_back_from_a_thread() -> None:
    workers = start(problem_of("soma"))
    try:
        workers.submit(Work(WorkUnit(b"none", 99, ((),)), 1.0, 1 << 10))
        assert isinstance(next_of(workers).fault, NoSuchPlaceError)
    finally:
        workers.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
@pytest.mark.long
def test_an_interrupt_does_not_reach_processes_and_stop_ends_their_time_slices(processes: Workers) -> None:
    # The last test with these processes: stopped ones do not start again.
    works = [named(endless()[1], bytes([0, 0, 0, number])) for number in range(4)]
    for work in works:
        processes.submit(work)
    soon(lambda: len(pids()) == 2)
    for _ in range(6):
        for pid in pids():
            os.kill(pid, signal.SIGINT)
        time.sleep(0.05)
    assert processes.collect(0.0) == []
    processes.stop()
    returned = over(processes, len(works))
    assert {back.key for back in returned} == {work.key for work in works}
    assert all(back.fault is None for back in returned)
    met = [back.outcome for back in returned if back.outcome is not None]
    assert len(met) <= 2
    assert all(outcome.unit.paths for outcome in met)
    processes.submit(works[0])
    assert next_of(processes).outcome is None


def test_stop_ends_the_time_slices_of_threads_and_begins_no_waiting_ones() -> None:
    problem, work = endless()
    workers = start(problem)
    try:
        works = [named(work, bytes([0, 0, 0, number])) for number in range(3)]
        for task in works:
            workers.submit(task)
        time.sleep(0.2)
        workers.stop()
        first, *others = over(workers, len(works))
        assert first.outcome is not None
        assert first.outcome.unit.paths
        assert first.outcome.unit.nodes > 0
        assert [(other.outcome, other.fault) for other in others] == [(None, None)] * 2
    finally:
        workers.close()


class _Stuck(_Slot):
    """The place of a process that begins only when it is killed."""

    def begin(self) -> Connection[Any, Any]:
        self.killed = threading.Event()
        assert self.killed.wait(20)
        raise _LostError("killed")

    def kill(self) -> None:
        self.killed.set()


def test_processes_that_do_not_end_in_time_are_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes_module, "_Slot", _Stuck)
    monkeypatch.setattr(processes_module, "EXIT_SECONDS", 0.05)
    workers = Processes(problem_of("soma"), 2)
    soon(lambda: all(hasattr(slot, "killed") for slot in workers._slots))
    workers.close()
    assert all(slot.killed.is_set() for slot in workers._slots if isinstance(slot, _Stuck))


#: Starts two processes on an endless search, prints their ids, and waits for its end.
BEREFT = """
import multiprocessing, time
from puzzlec.jobs.workers import start
from tests.jobs.at_work import endless
if __name__ == "__main__":
    problem, work = endless()
    workers = start(problem, processes=2)
    workers.submit(work)
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.01)
    time.sleep(0.5)
    print(*(each.pid for each in multiprocessing.active_children()), flush=True)
    time.sleep(100)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.long
def test_no_process_outlives_the_main_one(tmp_path: Path) -> None:
    program = tmp_path / "bereft.py"
    program.write_text(BEREFT)
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
    ) as main:
        assert main.stdout is not None
        orphans = [int(pid) for pid in main.stdout.readline().split()]
        assert len(orphans) == 2
        main.kill()
    soon(lambda: not any(is_alive(pid) for pid in orphans))


def is_alive(pid: int) -> bool:
    """Return whether a process runs, and is not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_process_that_imports_the_main_program_starts_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of("soma")
    monkeypatch.setattr(multiprocessing.current_process(), "_inheriting", True, raising=False)
    for asked in ({"processes": 1}, {"cluster": "local"}):
        with pytest.raises(RuntimeError, match="__main__"):
            start(problem, **asked)


@pytest.mark.slow
def test_a_program_that_starts_processes_on_import_gets_an_error(tmp_path: Path) -> None:
    program = tmp_path / "unguarded.py"
    program.write_text(
        "import puzzlec\nwith puzzlec.Job.begin('job', 'soma', task='count') as job:\n"
        "    job.run(processes=2, seconds=0.2)\nprint(job.number)\n"
    )
    root = str(Path(__file__).parents[2])
    ended = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.count("Traceback") == 1  # that of the program itself
    told = ended.stderr.splitlines()[-1]
    assert "error[PZ626]: cannot start a process" in told
    assert 'within `if __name__ == "__main__":`' in told


def test_the_first_process_that_cannot_import_the_program_ends_the_job_without_a_time_slice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []

    def die(slot: _Slot) -> None:
        begun.append(slot.name)
        raise _UnfitError("ended with status 1")

    monkeypatch.setattr(_Slot, "begin", die)
    workers = start(problem_of("soma"), processes=50)
    try:
        with pytest.raises(PuzzleError, match=r'PZ626.*`if __name__ == "__main__":`'):
            soon(lambda: bool(workers.collect(0.1)))
        workers.stop()
        with pytest.raises(PuzzleError, match="PZ626"):  # also when the time is over
            workers.collect(0.1)
        assert len(begun) <= cores()
    finally:
        workers.close()


def test_a_worker_that_only_imports_the_program_ends_silently(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    me = multiprocessing.current_process()
    monkeypatch.setattr(me, "_inheriting", True, raising=False)
    before = me.name
    try:
        for me.name in ("puzzlec process 1", "Dask Worker process (from Nanny)"):
            for come in (Job.begin, Job.begin_or_open):
                with pytest.raises(SystemExit):
                    come(tmp_path / "job", "soma")
    finally:
        me.name = before
    assert not (tmp_path / "job").exists()


def test_a_program_without_a_file_gets_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    main = types.ModuleType("__main__")
    main.__file__ = "<stdin>"
    monkeypatch.setitem(sys.modules, "__main__", main)
    with pytest.raises(PuzzleError, match="the file `<stdin>` of this program"):
        start(problem_of("soma"), processes=1)


@pytest.mark.parametrize("room", [0, 1])
@pytest.mark.long
def test_fewer_processes_run_if_the_system_has_no_room(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of("soma")
    begun: list[str] = []
    begin = _Slot.begin

    def begin_if_there_is_room(slot: _Slot) -> None:
        if slot.name not in begun and len(begun) == room:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        begun.append(slot.name)
        begin(slot)

    monkeypatch.setattr(_Slot, "begin", begin_if_there_is_room)
    workers = start(problem, processes=4)
    try:
        soon(lambda: workers.capacity() == 1)
        work = work_of(plan(problem, 1)[0])
        for _ in range(3):
            workers.submit(work)
            returned = next_of(workers)
            if room:
                assert returned.outcome is not None
        if not room:
            assert isinstance(returned.fault, PuzzleError)
            assert "cannot start a process" in str(returned.fault)
    finally:
        workers.close()


def test_a_time_slice_goes_to_the_process_that_had_the_work_unit_before() -> None:
    works = Works()
    unit = plan(problem_of("soma"), 1)[0]
    mine, other, unowned = (work_of(unit, before=name) for name in ("mine", "other", ""))
    for work in (other, unowned, mine):
        works.put(work)
    assert works.take("mine") == mine
    # The other one is busy: any free process takes its work units.
    assert works.take("mine") == other
    assert works.take("other") == unowned
    works.end()
    assert works.take("mine") is None


def test_a_work_unit_is_given_up_when_it_has_ended_three_workers_in_a_row() -> None:
    losses = Losses()
    key = (17).to_bytes(4, "big") + (3).to_bytes(4, "big")
    assert [losses.lost(key, "").fault for _ in range(2)] == [None, None]
    losses.met(key)
    assert [losses.lost(key, "").fault for _ in range(2)] == [None, None]
    assert losses.lost(b"else", "").fault is None
    fault = losses.lost(key, "out of memory").fault
    assert isinstance(fault, PuzzleError)
    assert "work unit 17.3 has killed its worker 3 times in a row: out of memory" in str(fault)


def test_time_slices_know_their_workers() -> None:
    problem = problem_of("soma")
    unit = plan(problem, 1)[0]
    outcome = TimeSlices(problem, "worker 1").take(work_of(unit))
    assert isinstance(outcome, SliceOutcome)
    assert outcome.worker == "worker 1"
