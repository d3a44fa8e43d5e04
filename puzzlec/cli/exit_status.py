"""What the exit status of a command says."""

from enum import IntEnum


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
