"""Ctrl-C, and the end of a terminal, go to each process of its group; only the main one decides what that means."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_interrupts() -> Iterator[None]:
    """Keep SIGINT and SIGHUP away from the threads and processes that are started in the block, as long as they live.

    Signals that are blocked in a thread stay so in what it starts, so not even the first moments are open. Other
    threads of this process still get the signals. There is nothing to do where signals cannot be blocked (Windows).
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The tracker of multiprocessing, where it would be started in the block, lifts it.
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
