"""Moments to kill: at any time, soon, while a checkpoint is made, during saving, towards the end."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection
from pathlib import Path

from tests.faults.processes import HANGING, Child
from tests.faults.tried import seen

#: Waits for a moment; returns whether it came before the child ended.
Moment = Callable[[Child, Path], bool]


def after(seconds: float) -> Moment:
    """Some seconds after the child began."""

    def wait(child: Child, folder: Path) -> bool:
        return _sleep(child, child.begun + seconds)

    return wait


def later(seconds: float) -> Moment:
    """Some seconds from now on."""

    def wait(child: Child, folder: Path) -> bool:
        return _sleep(child, time.monotonic() + seconds)

    return wait


def made(seconds: float) -> Moment:
    """Some seconds after the first trace of a new checkpoint, in the folder or beside it."""

    def wait(child: Child, folder: Path) -> bool:
        before = set(folder.parent.iterdir())
        seen = _until(child, lambda: set(folder.parent.iterdir()) != before)
        return seen and _sleep(child, time.monotonic() + seconds)

    return wait


def saving(times: int, seconds: float) -> Moment:
    """Some seconds after the files of the checkpoint have changed ``times`` times from now on."""

    def wait(child: Child, folder: Path) -> bool:
        for _ in range(times):
            before = _files(folder)
            if not _until(child, lambda before=before: _files(folder) != before):  # type: ignore[misc]
                return False
        return _sleep(child, time.monotonic() + seconds)

    return wait


def found(number: int) -> Moment:
    """As soon as the checkpoint contains this many solutions."""

    def wait(child: Child, folder: Path) -> bool:
        def is_there() -> bool:
            now = seen(folder)
            return now is not None and now.number >= number

        return _until(child, is_there, 0.01)

    return wait


def at_work(seconds: float, known: Collection[int] = ()) -> Moment:
    """Some seconds after the child has new worker processes, except those in ``known``."""

    def wait(child: Child, folder: Path) -> bool:
        def are_there() -> bool:
            return any("spawn_main" in words and pid not in known for pid, words in child.others().items())

        return _until(child, are_there, 0.005) and _sleep(child, time.monotonic() + seconds)

    return wait


def at_any_time(choose: random.Random, whole: float) -> tuple[str, Moment]:
    """Return one of these moments, and its name; an undisturbed run takes ``whole`` seconds."""
    kind = choose.choices(
        ["uniform", "log", "saving", "late"],
        [4, 3, 3, 1],
    )[0]
    if kind == "uniform":
        return kind, after(choose.uniform(0.0, whole))
    if kind == "log":
        return kind, after(logarithmic(choose, 0.001, whole))
    if kind == "saving":
        return kind, saving(choose.randint(1, 4), choose.choice([0.0, logarithmic(choose, 1e-4, 0.02)]))
    return kind, after(whole * choose.uniform(0.9, 1.02))


def logarithmic(choose: random.Random, least: float, most: float) -> float:
    """Draw a number whose logarithm is evenly distributed."""
    return float(least * (most / least) ** choose.random())


def _files(folder: Path) -> list[tuple[str, int, int]]:
    try:
        return sorted((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in folder.iterdir())
    except OSError:
        return []


def _until(child: Child, condition: Callable[[], bool], step: float = 0.0005) -> bool:
    end = time.monotonic() + HANGING
    while child.status is None:
        if condition():
            return True
        if time.monotonic() > end:
            child.wait(0)  # shows where it hangs
        time.sleep(step)
    return False


def _sleep(child: Child, end: float) -> bool:
    """Sleep until a time of the monotonic clock, or the end of the child; return whether it still runs."""
    while child.status is None and (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 0.01))
    return child.status is None
