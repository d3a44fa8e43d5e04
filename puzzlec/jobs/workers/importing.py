"""Worker processes at their start: they import the program that began them, and ignore interrupts."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import process
from pathlib import Path


@contextmanager
def no_interrupts() -> Iterator[None]:
    """Block SIGINT and SIGHUP in the threads and processes that are started in the block, for their lifetime.

    A thread passes its blocked signals on to what it starts, so there is no unprotected moment. Other threads of this
    process still get the signals. On systems without blocked signals (Windows) nothing happens.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The tracker of multiprocessing would unblock SIGINT if it started in the block, so it starts first.
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


#: First words of the names of our processes, and of Dask's on this machine.
WORKER_PREFIXES = ("puzzlec ", "Dask Worker process")

#: The guard that a program lacks if it begins the job again. Messages show the guard, because the exception is not
#: shown.
MAIN_GUARD = 'your program must run the job within `if __name__ == "__main__":`'


def is_importing() -> bool:
    """Return whether this process has only begun, and imports the program that began it."""
    return bool(getattr(multiprocessing.current_process(), "_inheriting", False))


def end_if_importing() -> None:
    """End this process (SystemExit) if it is a worker, and a program without the guard has reached a job here.

    Nothing is printed: the parent process reports the error, once.
    """
    if is_importing() and multiprocessing.current_process().name.startswith(WORKER_PREFIXES):
        raise SystemExit(1)


def lost_program() -> str | None:
    """Return the file that a new process would import as the program if it does not exist, such as `<stdin>`; or None.

    :func:`multiprocessing.spawn.get_preparation_data` describes how Python finds it.
    """
    main = sys.modules["__main__"]
    name = getattr(main, "__file__", None)
    if name is None or getattr(getattr(main, "__spec__", None), "name", None) is not None:
        return None
    place = Path(getattr(process, "ORIGINAL_DIR", None) or ".") / name
    return None if place.exists() else str(name)
