"""Ctrl-C while a kernel is compiled ends the search, even if LLVM calls Python at that moment."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from puzzlec.engine.kernels.jit import _interruptible


def prepare_and_lose_the_interrupt() -> str:
    """Do what ctypes does with an exception in a callback, then fail as numba does."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise RuntimeError("no compiled object yet") from None
    return "compiled"


@pytest.fixture(autouse=True)
def python_handles_the_signal() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_lost_interrupt_is_raised_again() -> None:
    with pytest.raises(KeyboardInterrupt):
        _interruptible(prepare_and_lose_the_interrupt)()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_that_only_takes_note_lets_the_step_finish() -> None:
    caught: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: caught.append(number))
    try:
        assert _interruptible(prepare_and_lose_the_interrupt)() == "compiled"
    finally:
        signal.signal(signal.SIGINT, before)
    assert caught == [signal.SIGINT]


def test_other_errors_pass_unchanged() -> None:
    def fail() -> None:
        raise RuntimeError("another error")

    with pytest.raises(RuntimeError, match="another error"):
        _interruptible(fail)()


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="Windows has no timer")
def test_a_lost_time_limit_is_raised_again() -> None:
    def end(_number: int, _frame: object) -> None:
        raise TimeoutError

    def prepare() -> None:
        with suppress(TimeoutError):
            signal.raise_signal(signal.SIGALRM)
        raise RuntimeError("no compiled object yet")

    before = signal.signal(signal.SIGALRM, end)
    try:
        with pytest.raises(TimeoutError):
            _interruptible(prepare)()
        assert signal.getsignal(signal.SIGALRM) is end
    finally:
        signal.signal(signal.SIGALRM, before)
