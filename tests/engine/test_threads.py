"""Threads change nothing but the time: covers, their order, counts, nodes and limits are those of one thread."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Generator, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.engine import progress as pace
from puzzlec.engine.kernels.python import PythonKernel
from puzzlec.engine.search import selection, threads, tree_search
from puzzlec.engine.search.selection import KernelName
from puzzlec.engine.search.threads import ThreadedKernel
from tests.engine.test_kernels import problems
from tests.engine.test_search import squares

FOUND = 161280 // 5  # Latin squares of order 5 that begin with the first value


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    gc.collect()
    assert threading.active_count() == before


def beginning(n: int) -> ExactCover:
    """Latin squares of order n that have the first value in the first cell."""
    every = squares(n)
    rows = [every.row(option) for option in range(len(every))]
    return ExactCover.from_rows([row for row in rows if row[0] or row == rows[0]], every.primary)


def few_subproblems(monkeypatch: pytest.MonkeyPatch, number: int = 1) -> None:
    monkeypatch.setattr(threads, "SUBPROBLEMS_PER_THREAD", number)


@settings(max_examples=40)
@given(problems(), st.integers(2, 4), st.integers(1, 4), st.sampled_from(("python", "lists", "bits")))
def test_threads_find_the_same_covers_in_the_same_order_over_the_same_tree(
    cover: ExactCover, number: int, subproblems: int, kernel: KernelName
) -> None:
    alone = Search(cover, kernel="python")
    found = list(alone)
    with pytest.MonkeyPatch.context() as patch:
        few_subproblems(patch, subproblems)
        shared = Search(cover, kernel=kernel, threads=number)
        assert list(shared) == found
        assert (shared.nodes, shared.stopped, shared.solutions) == (alone.nodes, None, len(found))
        assert shared.profile == alone.profile
        counted = Search(cover, kernel=kernel, threads=number)
        assert counted.count() == len(found)
        assert (counted.nodes, counted.profile) == (alone.nodes, alone.profile)


@settings(max_examples=40)
@given(problems(), st.integers(0, 25), st.sampled_from(("python", "lists", "bits")))
def test_a_limit_of_nodes_gives_the_same_covers_as_one_thread(
    cover: ExactCover, nodes: int, kernel: KernelName
) -> None:
    alone = Search(cover, limits=Limits(nodes=nodes), kernel="python")
    found = list(alone)
    with pytest.MonkeyPatch.context() as patch:
        few_subproblems(patch)
        shared = Search(cover, limits=Limits(nodes=nodes), kernel=kernel, threads=2)
        assert list(shared) == found
        assert (shared.nodes, shared.stopped) == (alone.nodes, alone.stopped)
        counted = Search(cover, limits=Limits(nodes=nodes), kernel=kernel, threads=2)
        assert counted.count() == len(found)
        assert (counted.nodes, counted.stopped) == (alone.nodes, alone.stopped)


@pytest.mark.parametrize("kernel", ["lists", "bits", "auto"])
def test_a_limit_of_nodes_within_a_large_subproblem_is_kept_to_the_node(
    kernel: KernelName, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_subproblems(monkeypatch)
    for nodes in (1000, 54321):
        alone = Search(squares(5), limits=Limits(nodes=nodes), kernel=kernel)
        found = list(alone)
        shared = Search(squares(5), limits=Limits(nodes=nodes), kernel=kernel, threads=2)
        assert list(shared) == found
        assert shared.nodes == alone.nodes == nodes
        assert Search(squares(5), limits=Limits(nodes=nodes), kernel=kernel, threads=2).count() == len(found)


@pytest.mark.parametrize(("kernel", "n", "slices"), [("python", 4, 16), ("lists", 5, 2048), ("bits", 5, 2048)])
@pytest.mark.long
def test_subproblems_are_split_again_when_a_thread_has_nothing_to_do(
    kernel: KernelName, n: int, slices: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    few_subproblems(monkeypatch)
    monkeypatch.setattr(threads, "SLICE_SECONDS", 1e-5)  # share as soon as another thread has nothing to do
    monkeypatch.setattr(threads, "NodeBudget", lambda *_: pace.NodeBudget(slices))
    split: list[ThreadedKernel] = []
    original, search = ThreadedKernel._share_out, ThreadedKernel._search

    def patient(own: ThreadedKernel, part: threads._SearchPart) -> None:
        """Begin when another thread waits for work; on a busy machine, it may not have begun yet."""
        until = time.monotonic() + 0.2
        while not own._hungry and not own._closed and time.monotonic() < until:
            time.sleep(0.001)
        search(own, part)

    def noted(own: ThreadedKernel, part: threads._SearchPart, stopped: selection.Kernel) -> None:
        split.append(own)
        original(own, part, stopped)

    monkeypatch.setattr(ThreadedKernel, "_share_out", noted)
    monkeypatch.setattr(ThreadedKernel, "_search", patient)
    alone = Search(beginning(n), kernel=kernel)
    found = list(alone)
    for attempt in range(40):
        number = 2 + attempt % 2
        shared = Search(beginning(n), kernel=kernel, threads=number)
        assert list(shared) == found
        assert (shared.nodes, shared.profile) == (alone.nodes, alone.profile)
        counted = Search(beginning(n), kernel=kernel, threads=number)
        assert counted.count() == len(found)
        assert (counted.nodes, counted.profile) == (alone.nodes, alone.profile)
        assert counted.progress().fraction == 1.0
        if split and number == 3:
            break
    else:
        pytest.fail("no subproblem was split again")


def test_the_part_that_is_done_ends_as_the_whole() -> None:
    kernel = ThreadedKernel(beginning(5), "bits", 2)
    try:
        assert kernel.fraction < 1
        while not kernel.finished:
            kernel.count(1000)
            assert kernel.fraction <= 1
        assert kernel.fraction == 1
    finally:
        kernel.close()


def test_a_full_buffer_does_no_harm_when_a_subproblem_is_split_again(monkeypatch: pytest.MonkeyPatch) -> None:
    few_subproblems(monkeypatch)
    monkeypatch.setattr(threads, "SLICE_SECONDS", 0.001)
    monkeypatch.setattr(threads, "NodeBudget", lambda *_: pace.NodeBudget(512))
    original = selection.make

    def small(cover: ExactCover, name: str) -> selection.Kernel:
        kernel = original(cover, name)
        kernel.buffer = kernel.buffer[:40]  # type: ignore[attr-defined]
        return kernel

    alone = Search(squares(4), kernel="bits")
    found = list(alone)
    monkeypatch.setattr(selection, "make", small)
    for _ in range(5):
        shared = Search(squares(4), kernel="bits", threads=3)
        assert list(shared) == found
        assert (shared.nodes, shared.profile) == (alone.nodes, alone.profile)


def test_a_limit_of_solutions_gives_the_first_ones() -> None:
    found = list(Search(squares(5), limits=Limits(solutions=30000)))
    search = Search(squares(5), limits=Limits(solutions=30000), threads=2)
    assert list(search) == found
    assert (search.stopped, search.solutions) == (Stop.SOLUTIONS, 30000)
    assert Search(squares(5), limits=Limits(solutions=30000), threads=2).count() == 30000


def test_a_limit_of_time_ends_all_threads() -> None:
    for go in (Search.count, lambda search: sum(1 for _ in search)):
        search = Search(squares(8), limits=Limits(seconds=0.3), threads=2)
        assert go(search) > 0
        assert search.stopped is Stop.SECONDS


def test_covers_that_must_wait_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "MAX_WAITING_OPTIONS", 5000)
    found = list(Search(beginning(5)))
    highest = 0
    search = Search(beginning(5), kernel="bits", threads=3)
    for number, cover in enumerate(search):
        assert cover == found[number]
        if number % 1000 == 0 and search._tree.shared is not None:
            time.sleep(0.002)  # a slow reader: the threads run ahead of it
            highest = max(highest, search._tree.shared._waiting)
    assert number == FOUND - 1
    # One call of a kernel fills a buffer of 65536 numbers at most, and each of the three may be within one.
    assert highest <= 5000 + 3 * 65536


def test_leaving_a_search_ends_its_threads() -> None:
    before = threading.active_count()
    for number, _ in enumerate(Search(squares(6), kernel="bits", threads=2)):
        if number == 100:
            assert threading.active_count() > before
            break
    covers = iter(Search(squares(6), kernel="bits", threads=2))
    next(covers)
    assert isinstance(covers, Generator)
    covers.close()
    covers = iter(Search(squares(6), kernel="bits", threads=2))
    next(covers)
    del covers
    gc.collect()
    assert threading.active_count() == before


def test_an_exception_in_a_thread_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def fails(self: PythonKernel, budget: int) -> int:
        calls.append(budget)
        if len(calls) > 5:
            raise MemoryError("no more")
        return self._search(budget, None)

    monkeypatch.setattr(PythonKernel, "count", fails)
    with pytest.raises(MemoryError, match="no more"):
        Search(squares(5), kernel="python", threads=2).count()


def test_an_interruption_keeps_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Search(squares(8), kernel="bits", threads=2)
    original = search._race.advance

    def interrupted() -> bool:
        if search.solutions > 1000:
            raise KeyboardInterrupt
        return original()

    monkeypatch.setattr(search._race, "advance", interrupted)
    with pytest.raises(KeyboardInterrupt):
        search.count()
    assert search.progress().solutions > 1000
    assert 0 < search.progress().fraction < 1
    assert search.progress().nodes > 1000


@pytest.mark.parametrize(
    ("kernel", "threads", "shared"), [("python", 2, True), ("python", 1, False), ("auto", 2, False)]
)
def test_a_kernel_that_is_asked_for_has_its_threads_from_the_start(kernel: str, threads: int, shared: bool) -> None:
    task = tree_search.TreeSearch(ExactCover.from_rows([[0], [0], [1], [1]], 2), kernel, threads, exact=True)
    task.advance(1)
    assert (task.shared is not None) == shared
    task.close()


def test_zero_threads_mean_one_for_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "cores", lambda: 3)
    most = tree_search.most_workers()
    assert [tree_search.workers(threads) for threads in (0, 1, 2, most, most + 1)] == [3, 1, 2, most, most]
    assert Search(squares(3), threads=0).threads == 3
    with pytest.raises(ValueError, match="threads"):
        Search(squares(3), threads=-1)


def test_the_budget_finds_the_number_of_nodes_of_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    own = pace.NodeBudget(1000)
    for _ in range(60):
        nodes = own.next()
        now += nodes * 1e-5
    assert pace.SLICE_SECONDS / 2 <= nodes * 1e-5 <= 2 * pace.SLICE_SECONDS
