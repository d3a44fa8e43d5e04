"""Reports of a running search: forecasts by probes, and progress that never runs back."""

from __future__ import annotations

import math
import threading
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.compiler import compile, parse
from puzzlec.engine import Limits, Search
from puzzlec.engine.progress import Progress, Steady
from puzzlec.engine.search import forecast as forecasting
from puzzlec.engine.search.counting import Counting
from puzzlec.engine.search.forecast import Forecast, further
from puzzlec.engine.search.run import Run
from puzzlec.lower import Encoding
from puzzlec.solving.solutions import Solutions


def encoding(name: str) -> Encoding:
    return compile(name)


@given(st.floats(1, 1e15), st.floats(0, 1), st.integers(0, 10**15))
def test_the_rest_is_in_its_interval_and_never_negative(nodes: float, error: float, done: int) -> None:
    rest = Forecast(nodes, error).rest(done)
    if rest is not None:
        left, low, high = rest
        assert 0 <= low <= high
        assert left >= 0
        assert low <= left <= high or error > 0.5 or left < 1
    else:
        assert done > nodes / 2


@pytest.mark.parametrize(
    ("size", "error", "nodes"), [(100.0, 10.0, 170.0), (100.0, 10.0, 1e4), (100.0, 100.0, 1e5), (1e6, 5e4, 2e6)]
)
def test_far_beyond_its_estimate_a_tree_has_the_mean_of_the_tail_left(size: float, error: float, nodes: float) -> None:
    # Each quantile above that of the nodes is as probable as any other; their mean is integrated numerically.
    width = math.log1p((error / size) ** 2)
    deviation = math.sqrt(width)
    least = (math.log(nodes / size) + width / 2) / deviation
    steps = [least + number / 1000 / least for number in range(20_000)]
    weights = [math.exp((least**2 - at**2) / 2) for at in steps]
    above = sum(weight * math.expm1(deviation * (at - least)) for weight, at in zip(weights, steps, strict=True))
    assert further(size, error, nodes) == pytest.approx(nodes * above / sum(weights), rel=0.1)


def test_a_forecast_that_was_wrong_is_given_up() -> None:
    assert Forecast(1000.0, 0.1).rest(5000) is None


def test_a_forecast_is_near_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(forecasting, "MAX_PROBE_SECONDS", 30.0)  # so that the probes are the same on any machine
    monkeypatch.setattr(forecasting, "MAX_PROBES", 4000)
    cover = encoding("soma").cover
    search = Search(cover)
    search.count()
    found = Forecast.of(cover)
    assert found is not None
    assert found.nodes == pytest.approx(search.nodes, rel=0.2)


@given(st.lists(st.builds(Progress, st.floats(-0.5, 1.5), st.integers(0, 100), st.integers(0, 9), st.floats(0, 9))))
def test_steady_progress_never_runs_back(given: list[Progress]) -> None:
    steady, before = Steady(), Progress()
    for progress in given:
        told = steady.next(progress)
        assert 0 <= told.fraction <= 1
        assert all(now >= then for now, then in zip(told[:4], before[:4], strict=True))
        before = told


def watched(count: Counting | Solutions) -> list[Progress]:
    """Count in this thread, and ask for the progress in another one."""
    over, seen = threading.Event(), [count.progress()]

    def watch() -> None:
        while not over.wait(0.002):
            seen.append(count.progress())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        count.count()
    finally:
        over.set()
        watcher.join()
    return [*seen, count.progress()]


@pytest.mark.parametrize("what", ["apart", "narrow", "search", "frontier"])
def test_counting_never_runs_back_and_ends_at_the_whole(what: str) -> None:
    pytest.importorskip("numba")
    if what == "apart":
        halves = "locations box 5x4 + box 5x4 at (7,0)\npiece L x8 { xxx/x.x }\n"
        cover = compile(parse(halves))
        count = Counting(cover.cover)
    elif what == "narrow":
        dominoes = compile(parse("locations box 8x8\npiece D x32 { xx }\n"))
        count = Counting(dominoes.cover)
    else:
        count = Counting(encoding("pentominoes/3x20").cover, kernel="frontier" if what == "frontier" else "auto")
    seen = watched(count)
    for before, after in pairwise(seen):
        assert after.fraction >= before.fraction
        assert after.nodes >= before.nodes
        assert after.solutions >= before.solutions
    assert seen[-1].fraction == 1.0
    assert seen[-1].solutions == count.solutions


def test_solutions_are_reported_while_they_are_counted_with_and_without_a_forecast(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(forecasting, "MAX_PROBE_SECONDS", 0.2)
    plain = Solutions("pentominoes/6x10", kernel="bits")
    assert plain.count() == 2339
    solutions = Solutions("pentominoes/6x10", kernel="bits")
    over = threading.Event()

    def foresee() -> None:
        while not over.wait(0.01):
            solutions.foresee()

    watcher = threading.Thread(target=foresee)
    watcher.start()
    seen = watched(solutions)
    over.set()
    watcher.join()
    assert (solutions.number, solutions.nodes) == (2339, plain.nodes)
    told = [progress.solutions for progress in seen]
    assert told == sorted(told)
    assert seen[-1][:3] == (1.0, solutions.nodes, 2339)
    assert all(progress.fraction < 1 for progress in seen[:-1] if progress.solutions < 2339)


def test_a_forecast_of_the_only_search_needs_no_other_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "foresee", lambda _: True)
    solutions = Solutions("pentominoes/3x20")
    search = iter(solutions)
    next(search)
    solutions.foresee()
    assert 0 <= solutions.progress().fraction < 1


def test_a_search_with_a_forecast_gives_an_interval_for_its_end() -> None:
    search = Search(encoding("soma").cover, limits=Limits())
    covers = iter(search)
    while not search.progress().nodes:
        next(covers)
    foresight = search._tree.foresight
    assert foresight is not None
    foresight.forecast = Forecast(5000.0, 0.1)
    time.sleep(0.01)
    told = search.progress()
    assert told.left is not None
    assert told.left_between is not None
    assert told.left_between[0] <= told.left <= told.left_between[1]
    assert told.fraction == pytest.approx(told.nodes / 5000, rel=0.05)
    for _ in covers:
        pass
    assert (search.progress().fraction, search.progress().left_between) == (1.0, None)


def test_a_search_for_a_first_solution_has_no_forecast() -> None:
    solutions = Solutions("soma", limits=Limits(solutions=3))
    for _ in solutions:
        solutions.foresee()
        assert solutions.progress().left_between is None
