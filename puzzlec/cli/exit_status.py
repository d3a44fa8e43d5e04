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
