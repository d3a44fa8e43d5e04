"""Progress while numba compiles: the activity, no rate, no time left; and this time does not count for the search."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from puzzlec.engine.kernels import compiling
from puzzlec.engine.progress import Progress

SOME = Progress(0.25, 1000, 3, 10.0, 100.0, 30.0, (20.0, 40.0))


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A clock that a test advances. Nothing is compiled before and after."""
    assert not compiling.is_going_on()
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    yield now
    assert not compiling.is_going_on()


def test_the_clock_stops_while_a_function_and_its_callees_are_compiled(seconds: list[float]) -> None:
    begun = compiling.clock()
    compiling.began()
    seconds[0] += 5
    compiling.began()
    seconds[0] += 5
    compiling.ended()
    assert compiling.is_going_on()
    seconds[0] += 5
    assert compiling.clock() == begun
    compiling.ended()
    seconds[0] += 2
    assert compiling.clock() == begun + 2


def test_progress_has_no_rate_time_left_or_fraction_meanwhile() -> None:
    assert compiling.told(SOME) == SOME
    compiling.began()
    try:
        told = compiling.told(SOME)
    finally:
        compiling.ended()
    assert told == Progress(0.0, 1000, 3, 10.0, 0.0, None, None, "compiling (once on this machine)")
    assert compiling.told(SOME) == SOME


def test_compiling_aside_is_reported_and_takes_no_time_from_the_search(seconds: list[float]) -> None:
    begun, goes_on = compiling.clock(), threading.Event()
    thread = compiling.aside(lambda: goes_on.wait(60))
    assert compiling.is_going_on()
    seconds[0] += 7
    assert compiling.clock() == begun + 7
    goes_on.set()
    thread.join(60)


def test_a_compiler_that_fails_has_ended(seconds: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    compiling.aside(lambda: [][0]).join(60)
    assert not compiling.is_going_on()
    assert seconds == [1000.0]


def test_numba_reports_when_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    numba: Any = pytest.importorskip("numba")
    from puzzlec.engine.kernels import jit

    jit._numba()  # it registers with numba
    seen: list[str] = []
    monkeypatch.setattr(compiling, "began", lambda: seen.append("began"))
    monkeypatch.setattr(compiling, "ended", lambda: seen.append("ended"))
    tripled = numba.jit(nopython=True)(lambda number: 3 * number)  # not cached, so it is compiled each time
    assert not seen
    assert tripled(3) == 9
    assert (seen[0], seen[-1], len(seen)) == ("began", "ended", 2 * seen.count("began"))
