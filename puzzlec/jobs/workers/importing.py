"""Processes that only import the program which began them, as each process of :mod:`multiprocessing` does at first."""

from __future__ import annotations

import multiprocessing
import sys
from multiprocessing import process
from pathlib import Path

#: How the names of our processes begin, and those of Dask's on this machine.
OURS = ("puzzlec ", "Dask Worker process")

#: What is missing where they begin the job anew. It stands in messages: of an exception people see no more.
GUARD = 'a program of your own must run the job within `if __name__ == "__main__":`'


def is_importing() -> bool:
    """Whether this process has only begun, and imports the program that began it."""
    return bool(getattr(multiprocessing.current_process(), "_inheriting", False))


def end_if_importing() -> None:
    """End this process (SystemExit) where it is a worker, and a program without its guard has come to a job here.

    Nothing is printed: whoever began the process says what is wrong, once.
    """
    if is_importing() and multiprocessing.current_process().name.startswith(OURS):
        raise SystemExit(1)


def lost_program() -> str | None:
    """Return the file that a new process would import as the program, where it is none, such as `<stdin>`; or None.

    Python looks for it as :func:`multiprocessing.spawn.get_preparation_data` says.
    """
    main = sys.modules["__main__"]
    name = getattr(main, "__file__", None)
    if name is None or getattr(getattr(main, "__spec__", None), "name", None) is not None:
        return None
    place = Path(getattr(process, "ORIGINAL_DIR", None) or ".") / name
    return None if place.exists() else str(name)
