"""What the exit status of a command says."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

import typer


class ExitStatus(IntEnum):
    """The exit statuses; docs/cli.md explains them."""

    DONE = 0
    FAULTY = 1  # the puzzle has errors
    USAGE = 2  # the command was called in a wrong way
    NO_SOLUTION = 3
    LIMIT = 4  # stopped at a limit
    INTERNAL = 70  # a fault of puzzlec
    INTERRUPTED = 130  # Ctrl-C
    TERMINATED = 143  # SIGTERM, as 128 and the number of the signal


#: What each says, as docs/cli.md and the manual page have it.
MEANINGS = {
    ExitStatus.DONE: "done",
    ExitStatus.FAULTY: "the puzzle has errors, or a reason was found why it can have no solution",
    ExitStatus.USAGE: "the command was called in a wrong way",
    ExitStatus.NO_SOLUTION: "no solution: the search is complete",
    ExitStatus.LIMIT: "stopped at a limit before the end",
    ExitStatus.INTERNAL: "a fault of puzzlec; `PUZZLEC_DEBUG=1` shows where",
    ExitStatus.INTERRUPTED: "Ctrl-C",
    ExitStatus.TERMINATED: "SIGTERM; a search in a folder has saved what was under way",
}


def exit_after(conclude: Callable[[], None]) -> typer.Exit | None:
    """Tell how a search ended, and return the exit that ends the command then, None for the usual one.

    That comes before its certificate, so that no result is lost where none can be made.
    """
    try:
        conclude()
    except typer.Exit as ended:
        return ended
    return None
