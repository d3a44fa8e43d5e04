"""Time slices on a Dask cluster: its workers find the same solutions, come and go, and may be killed."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("distributed")

from dask.utils import key_split
from distributed import Future
from distributed.comm.core import CommClosedError

from puzzlec.diagnostics.error import PuzzleError
from puzzlec.engine.search.walking import NoSuchPlaceError
from puzzlec.jobs.plan import plan
from puzzlec.jobs.workers import cluster, plugin, start
from puzzlec.jobs.workers.cluster import PLUGIN_PREFIX, Cluster, label
from puzzlec.jobs.workers.protocol import slice_seconds
from tests.jobs.at_work import alone, endless, named, next_of, over, problem_of, soon, together, work_of


def code_of(fault: BaseException | None) -> str:
    assert isinstance(fault, PuzzleError)
    return fault.diagnostics[0].code


def cluster_of(problem: object, where: str, processes: int = 0) -> Cluster:
    workers = start(problem, cluster=where, processes=processes)  # type: ignore[arg-type]
    assert isinstance(workers, Cluster)
    return workers


@pytest.fixture(scope="module")
def local() -> Iterator[Cluster]:
    """Two workers on this machine that search the soma cube."""
    levels = {name: logging.getLogger(name).level for name in ("distributed", "distributed.worker", "tornado")}
    workers = cluster_of(problem_of("soma"), "local", 2)
    yield workers
    workers.close()
    assert levels == {name: logging.getLogger(name).level for name in levels}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_workers_of_a_cluster_find_the_same_also_if_one_is_killed(local: Cluster) -> None:
    problem = problem_of("soma")
    units = plan(problem, 8)

    def kill(time_slices: int) -> None:
        if time_slices == 3:
            pid = next(iter(local._client.run(os.getpid).values()))
            os.kill(pid, signal.SIGKILL)

    assert local.name == "Dask local, 2 workers"
    assert local.capacity() == 2 < local.wanted()
    assert together(local, units, 0.05, kill) == alone(problem, units)


def test_tasks_are_named_for_the_puzzle_the_work_unit_and_the_time_slice(local: Cluster) -> None:
    problem, work = endless()  # a time slice that ends is forgotten, perhaps before the test sees it
    unit = (17).to_bytes(4, "big") + (3).to_bytes(4, "big")
    told = f"{label(problem.name)}-17.3-slice 1-"
    other = cluster_of(problem, local.address)
    try:
        other.submit(named(work, unit))
        assert [future.key[:-8] for future in other._futures] == [told]
        soon(lambda: label(problem.name) in local._client.run_on_scheduler(prefixes))
        other.stop()
        assert next_of(other).fault is None
    finally:
        other.close()
    names = [name for name in local._client.run_on_scheduler(prefixes) if name != "Other"]
    assert label(problem.name) in names
    assert key_split(told + "1a2b3c4d") == label(problem.name)
    local.submit(work_of(plan(problem_of("soma"), 2)[1]))
    outcome = next_of(local).outcome
    assert outcome is not None
    assert outcome.worker.startswith("tcp://127.0.0.1:")


def prefixes(dask_scheduler: object) -> list[str]:
    return list(dask_scheduler.task_prefixes)  # type: ignore[attr-defined]


def test_an_error_in_a_time_slice_comes_back_from_a_cluster(local: Cluster) -> None:
    local.submit(work_of(replace(plan(problem_of("soma"), 2)[0], stage=99)))
    assert isinstance(next_of(local).fault, NoSuchPlaceError)


def test_a_scheduler_that_ends_while_it_gives_a_result_is_lost(local: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    async def result(future: object) -> None:
        raise CommClosedError("Comm is closed")

    other = cluster_of(problem_of("soma"), local.address)
    try:
        monkeypatch.setattr(Future, "result", result)
        other.submit(work_of(plan(problem_of("soma"), 2)[1]))
        assert code_of(next_of(other).fault) == "PZ624"
        other.submit(work_of(plan(problem_of("soma"), 2)[0]))
        assert code_of(next_of(other).fault) == "PZ624"
    finally:
        monkeypatch.undo()
        other.close()


def test_a_result_ends_the_losses_in_a_row_of_its_work_unit(local: Cluster) -> None:
    work = work_of(plan(problem_of("soma"), 2)[1])
    assert [local._losses.lost(work.key, "").fault for _ in range(2)] == [None, None]
    local.submit(work)
    assert next_of(local).outcome is not None
    assert local._losses.lost(work.key, "").fault is None


def test_several_jobs_share_a_cluster_and_stop_ends_the_time_slices_of_one(local: Cluster) -> None:
    problem, work = endless()
    units = plan(problem_of("soma"), 4)
    other = cluster_of(problem, local.address)
    try:
        works = [named(work, bytes([0, 0, 0, number])) for number in range(5)]
        for task in works:
            other.submit(task)
        soon(lambda: executing(other) == 2)
        other.stop()
        returned = over(other, len(works))
        assert {back.key for back in returned} == {task.key for task in works}
        assert not any(back.fault for back in returned)
        assert all(back.outcome.unit.paths for back in returned if back.outcome is not None)
        other.submit(works[0])
        assert next_of(other).outcome is None
    finally:
        other.close()
    assert together(local, units, 0.05) == alone(problem_of("soma"), units)


def executing(workers: Cluster) -> int:
    """Return how many tasks the workers execute now."""

    def number(dask_worker: Any) -> int:
        return int(dask_worker.state.executing_count)

    return sum(workers._client.run(number).values())


def test_a_worker_with_another_puzzlec_is_refused(local: Cluster) -> None:
    before = plugins(local)
    for wrong in (replace(problem_of("soma"), version="0.0.1"), replace(problem_of("soma"), tree=0)):
        with pytest.raises(PuzzleError) as caught:
            start(wrong, cluster=local.address)
        assert code_of(caught.value) == "PZ625"
    assert plugins(local) == before


def plugins(workers: Cluster) -> list[str]:
    def names(dask_scheduler: object) -> list[str]:
        return list(dask_scheduler.worker_plugins)  # type: ignore[attr-defined]

    return list(workers._client.run_on_scheduler(names))


def test_a_stopped_plugin_begins_no_task() -> None:
    mine: Any = plugin.plugin(b"", "0", 0)
    mine.setup(SimpleNamespace(address="tcp://127.0.0.1:1"))
    assert "it has puzzlec" in mine.take(b"")  # only its version is in the way
    mine.teardown(None)
    assert mine.take(b"") is None


def test_the_tasks_of_a_killed_job_are_removed_from_the_cluster(local: Cluster) -> None:
    problem = problem_of("soma")
    local._client.register_plugin(local._crew._plugin.plugin(b"", "0", 0), name=PLUGIN_PREFIX + "an unknown worker")
    cluster_of(problem, local.address).close()
    assert [name for name in plugins(local) if name.startswith(PLUGIN_PREFIX)] == [local._crew.name]


def test_unfinished_tasks_of_dask_are_not_reported_but_others_are(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("asyncio")
    with cluster._quiet():
        log.error("Task exception was never retrieved\nfuture: <Task coro=<wait() at distributed/client.py:1>>")
        log.error("mine")
    log.error("distributed, but not of a job")
    assert [record.getMessage() for record in caplog.records] == ["mine", "distributed, but not of a job"]


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:1", "nowhere", "ftp://127.0.0.1:1", "tls://127.0.0.1:1"])
def test_a_cluster_that_does_not_answer_is_reported(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SCHEDULER_WAIT_SECONDS", 0.2)
    with pytest.raises(PuzzleError) as caught:
        start(problem_of("soma"), cluster=where)
    assert code_of(caught.value) == "PZ624"


@pytest.mark.long
@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"address": "tcp://127.0.0.1:1"}'])
def test_a_scheduler_file_with_a_dead_address_is_reported(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "SCHEDULER_WAIT_SECONDS", 0.2)
    file = tmp_path / "scheduler.json"
    if content:
        file.write_text(content)
    with pytest.raises(PuzzleError) as caught:
        start(problem_of("soma"), cluster=str(file))
    assert code_of(caught.value) == "PZ624"


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("Y-pentominoes 15x15", "Y pentominoes 15x15"),
        ("6x10, all", "6x10 all"),
        ("(tiny)", "tiny"),
        ("---", "puzzle"),
        ("abcdefab", "abcdefab"),
    ],
)
def test_names_of_puzzles_become_one_word(name: str, prefix: str) -> None:
    assert label(name) == prefix
    assert key_split(f"{label(name)}-17.3-slice 1-1a2b3c4d") == prefix


def test_time_slices_get_longer_with_many_workers_so_that_a_scheduler_keeps_up() -> None:
    assert slice_seconds(1) == slice_seconds(50) == 2.0
    assert all(number / slice_seconds(number) <= 50 for number in (1, 10, 100, 1000, 10000))


class Farm:
    """A scheduler and workers in separate processes, as users start them."""

    def __init__(self, folder: Path, ends: ExitStack) -> None:
        self.file, self._ends, self._folder = folder / "scheduler.json", ends, folder
        self.scheduler = self._begin("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        soon(self.file.is_file)
        self.workers: list[subprocess.Popen[bytes]] = []

    def join(self, first: Path | None = None) -> None:
        """Start one more worker; ``first`` is the first folder of its search path of modules."""
        more = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--memory-limit", "0")
        self.workers.append(self._begin("worker", *more, first=first))

    def _begin(self, what: str, *more: str, first: Path | None = None) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", what, "--scheduler-file", str(self.file), *more],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": str(first or Path(__file__).parents[2])},
        )
        self._ends.callback(process.wait)
        self._ends.callback(process.kill)
        return process


@pytest.fixture
def farm(tmp_path: Path) -> Iterator[Farm]:
    with ExitStack() as ends:
        yield Farm(tmp_path, ends)


@pytest.mark.slow
def test_a_worker_may_join_late_and_another_may_be_killed(farm: Farm) -> None:
    problem = problem_of("pentominoes/3x20")
    units = plan(problem, 40)
    workers = cluster_of(problem, str(farm.file))
    try:
        assert workers.capacity() == 1
        assert workers.name.endswith(", 0 workers")
        farm.join()

        def meanwhile(time_slices: int) -> None:
            if time_slices == 3:
                farm.join()
                soon(lambda: workers.capacity() == 2)
            if time_slices == 20:
                farm.workers[0].kill()

        assert together(workers, units, meanwhile=meanwhile) == alone(problem, units)
        soon(lambda: workers.name.endswith(", 1 worker"))
    finally:
        workers.close()


@pytest.mark.slow
def test_a_lost_scheduler_is_reported_at_once(farm: Farm) -> None:
    problem, work = endless()
    farm.join()
    workers = cluster_of(problem, json.loads(farm.file.read_text())["address"])
    try:
        works = [named(work, bytes([0, 0, 0, number])) for number in range(3)]
        for task in works:
            workers.submit(task)
        soon(lambda: workers.name.endswith(", 1 worker"))
        farm.scheduler.kill()
        returned = over(workers, len(works))
        assert [code_of(back.fault) for back in returned] == ["PZ624"] * 3
        assert "puzzlec job resume" in returned[0].fault.diagnostics[0].helps[0]  # type: ignore[union-attr]
        workers.submit(works[0])
        assert code_of(next_of(workers).fault) == "PZ624"
        workers.stop()
    finally:
        begun = time.monotonic()
        workers.close()
    assert time.monotonic() - begun < 30  # it does not wait for a missing worker


@pytest.mark.slow
@pytest.mark.parametrize("version", ["__version__ = '0.0.1'", "raise ImportError('it is broken')"])
def test_a_late_worker_with_another_puzzlec_is_refused(farm: Farm, tmp_path: Path, version: str) -> None:
    problem = problem_of("soma")
    (tmp_path / "puzzlec").mkdir()
    (tmp_path / "puzzlec" / "__init__.py").write_text(version)
    workers = cluster_of(problem, str(farm.file))
    try:
        farm.join(first=tmp_path)
        workers.submit(work_of(plan(problem, 2)[0]))
        returned = next_of(workers)
        assert code_of(returned.fault) == "PZ625"
    finally:
        workers.close()


@pytest.mark.slow
def test_time_slices_that_have_not_begun_are_cancelled(farm: Farm) -> None:
    problem = problem_of("soma")
    workers = cluster_of(problem, str(farm.file))
    try:
        for unit in plan(problem, 4):
            workers.submit(work_of(unit))
        workers.stop()
        assert all((back.outcome, back.fault) == (None, None) for back in over(workers, len(plan(problem, 4))))
    finally:
        workers.close()


@pytest.mark.slow
def test_an_adaptive_cluster_grows_with_the_time_slices_that_wait() -> None:
    import distributed

    begin: Any = distributed.LocalCluster
    problem = problem_of("polycubes/bedlam-cube", "count")
    units = sorted(plan(problem, 30), key=lambda unit: -unit.size)
    with begin(n_workers=0, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL) as adaptive:
        adaptive.adapt(minimum=0, maximum=2, interval="200ms")
        workers = cluster_of(problem, adaptive.scheduler_address)
        try:
            assert workers.name.endswith(", 0 workers")
            for unit in units[:12]:
                workers.submit(work_of(unit, workers.slice_seconds()))
            soon(lambda: workers.name.endswith(", 2 workers"))
            assert workers.capacity() == 2
            returned = over(workers, 12)
            assert all(back.outcome is not None for back in returned)
            soon(lambda: workers.name.endswith(", 0 workers"))
        finally:
            workers.close()
