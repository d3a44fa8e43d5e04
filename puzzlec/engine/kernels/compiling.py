"""The times when numba compiles, so that a running search can report them and leave them out of its rates.

Each function is compiled once on a machine. Then its code is on disk. ``kernels.jit`` reports its begin and end here.
This module does not import numba, since a small search does not need it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from puzzlec.engine.progress import Progress

#: The activity while numba compiles.
DOING = "compiling (once on this machine)"

_lock = threading.Lock()
_depth: dict[int, int] = {}  # the functions that each thread compiles, one inside another
_aside: set[int] = set()  # threads whose compiler no search waits for
_spent = 0.0  # seconds in which a search waited for the compiler, without those since _since
_since: float | None = None


def began() -> None:
    """Note that this thread begins to compile a function."""
    with _lock:
        me = threading.get_ident()
        _depth[me] = _depth.get(me, 0) + 1
        _note()


def ended() -> None:
    """Note that this thread has compiled a function."""
    with _lock:
        me = threading.get_ident()
        _depth[me] = _depth.get(me, 1) - 1
        if _depth[me] <= 0:
            del _depth[me]
        _note()


def _note() -> None:
    """Stop or restart the clock of the work. The lock is held."""
    global _spent, _since
    now, waits = time.monotonic(), bool(_depth.keys() - _aside)
    if waits and _since is None:
        _since = now
    elif not waits and _since is not None:
        _spent, _since = _spent + now - _since, None


def is_going_on() -> bool:
    """Return whether some thread compiles now."""
    return bool(_depth)


def clock() -> float:
    """Return the seconds of a clock that stops while a search waits for the compiler."""
    with _lock:
        now = time.monotonic()
        return (now if _since is None else _since) - _spent


class Stopwatch:
    """The seconds that a task works, without its pauses and the time of the compiler."""

    def __init__(self) -> None:
        self._begun, self._paused = clock(), 0.0

    @property
    def seconds(self) -> float:
        """The seconds until now, or until the current pause."""
        return (self._paused or clock()) - self._begun

    def pause(self) -> None:
        """Stop until :meth:`resume`."""
        self._paused = clock()

    def resume(self) -> None:
        """Run again."""
        self._begun, self._paused = self._begun + clock() - self._paused, 0.0


def aside(compile: Callable[[], object]) -> threading.Thread:
    """Compile in a separate thread while no search waits for it, so that the progress display continues."""
    begins = threading.Event()

    def run() -> None:
        me = threading.get_ident()
        _aside.add(me)
        began()
        begins.set()
        try:
            compile()
        finally:
            ended()
            _aside.discard(me)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    begins.wait()  # from now on the compiler is reported
    return thread


def told(now: Progress) -> Progress:
    """Return a progress as it is reported: without rate and time left while the compiler works.

    The fraction is also left out, since the code that is being compiled may be the code that estimates the fraction.
    """
    if not is_going_on():
        return now
    return now._replace(fraction=0.0, rate=0.0, left=None, left_between=None, doing=DOING)
