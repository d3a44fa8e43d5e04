"""A time limit for work of a command that does not check the clock, such as listing placements."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Protocol, TypeVar

from puzzlec.cli.terminal import ExitStatus, status_after

#: A search checks the clock and stops by itself. If it does not, it is interrupted after this many more seconds.
GRACE_SECONDS = 0.25

#: The interruption is repeated after this many seconds, because Python drops exceptions in some code, such as
#: callbacks.
REPEAT_SECONDS = 0.5

#: No timer is set for a limit of more seconds.
MAX_TIMER_SECONDS = 1e8

#: The work of each package or module, as a remark names it. The first of these that contains the interrupted module
#: counts.
STAGES = {
    "puzzlec.language": "reading the puzzle",
    "puzzlec.formats.writing": "writing",
    "puzzlec.formats": "reading the puzzle",
    "puzzlec.lower.symmetries": "looking for symmetries",
    "puzzlec.lower.automorphisms": "looking for symmetries",
    "puzzlec.lower.movements": "looking for symmetries",
    "puzzlec.lower.impossibility": "looking for reasons why there is no solution",
    "puzzlec.lower.parity": "looking for reasons why there is no solution",
    "puzzlec.lower.linear_invariants": "looking for reasons why there is no solution",
    "puzzlec.lower": "listing placements",
    "puzzlec.solving.distinct": "looking for symmetries",
    "puzzlec.engine.reduction": "reducing the problem",
    "puzzlec.engine.search.estimating": "estimating the search",
    "puzzlec.engine": "beginning the search",
    "puzzlec.motion": "taking assemblies apart",
    "puzzlec.show": "drawing",
    "puzzlec.make": "writing",
}

if TYPE_CHECKING:
    from puzzlec.engine.limits import Stop

_T = TypeVar("_T")


class OutOfTime(BaseException):
    """The limit of time has ended the work of a command before there was a result. ``stage`` is this work, if known."""

    def __init__(self, message: str, stage: str = "") -> None:
        super().__init__(message)
        self.stage = stage


def stage_of(frame: FrameType | None) -> str:
    """Return the work that a frame is a part of: the innermost caller with a stage decides; "" if there is none."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        for prefix, stage in STAGES.items():
            if name.startswith(prefix):
                return stage
        frame = frame.f_back
    return ""


@contextmanager
def bounded(
    seconds: float | None, begun: float | None = None, grace: bool = False, before: str = "the search began"
) -> Iterator[None]:
    """Raise OutOfTime in the block when a limit of seconds is over; None: no limit.

    The limit counts from ``begun`` on the monotonic clock; default: now. With ``grace``, the block checks the clock
    itself, and is interrupted only if it is late. ``before`` names the step after the block. Windows, and threads other
    than the main thread, have no signal for this: the block is not interrupted.
    """
    if seconds is None or not can_interrupt():
        yield
        return
    start = time.monotonic()
    left = seconds - (start - (start if begun is None else begun)) + (GRACE_SECONDS if grace else 0.0)
    if not left < MAX_TIMER_SECONDS:  # or not a number
        yield
        return
    running = True

    def end(_number: int, frame: FrameType | None) -> None:
        if running:
            elapsed = time.monotonic() - (begun or start)
            stage = stage_of(frame)
            doing = f" ({stage})" if stage else ""
            raise OutOfTime(f"stopped at the limit of time after {elapsed:.2f} s, before {before}{doing}", stage)

    report = sys.unraisablehook

    def lost(unraisable: sys.UnraisableHookArgs) -> None:
        if not isinstance(unraisable.exc_value, OutOfTime):  # a lost interruption is repeated
            report(unraisable)

    handler, (remaining, interval) = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    try:  # a limit that is over interrupts at once, when the timer is set
        sys.unraisablehook = lost
        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6), REPEAT_SECONDS)
        yield
    finally:
        running = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        sys.unraisablehook = report
        if remaining:  # restores a timer that the caller had set
            signal.setitimer(signal.ITIMER_REAL, max(remaining - (time.monotonic() - start), 1e-6), interval)


def each_bounded(items: Iterable[_T], seconds: float | None, begun: float) -> Iterator[_T]:
    """Yield items; raise OutOfTime if the next one is late. The work of the caller on an item is not interrupted."""
    rest = iter(items)
    while True:
        with bounded(seconds, begun, grace=True):
            try:
                item = next(rest)
            except StopIteration:
                return
        yield item


class _StoppableSearch(Protocol):
    """A search that says in ``stopped`` what ended it early."""

    stopped: Stop | None


def searched(
    search: _StoppableSearch, find: Callable[[], _T], fallback: Callable[[], _T], limit: AbstractContextManager[None]
) -> tuple[_T, ExitStatus]:
    """Search within a limit of time; return what was found, and the exit status.

    A late end and Ctrl-C also set ``stopped``, and the result is that of ``fallback`` then.
    """
    from puzzlec.engine.limits import Stop

    try:
        with limit:
            answer = find()
    except OutOfTime:
        answer, search.stopped = fallback(), Stop.SECONDS
    except KeyboardInterrupt:
        answer, search.stopped = fallback(), Stop.SIGNAL
        return answer, ExitStatus.INTERRUPTED
    return answer, status_after(search.stopped, answer)


def can_interrupt() -> bool:
    """Whether this thread can be interrupted by a timer."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
