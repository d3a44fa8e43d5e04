"""The entry point: the commands, and what becomes of errors."""

from __future__ import annotations

import errno
import gc
import logging
import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from io import TextIOWrapper

from puzzlec.cli import manner
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.program import program
from puzzlec.cli.terminal import Remarks, complain, forget_output, report_all, say
from puzzlec.diagnostics import Diagnostic, PuzzleError
from puzzlec.diagnostics.error import fail

#: What the system says if what is printed cannot be written: there is no room, or the stream is closed.
_UNWRITTEN = (errno.ENOSPC, errno.EFBIG, errno.EBADF)

#: What the system says of a mapping of a library for which there is no memory.
_NO_MEMORY = ("cannot allocate memory", "failed to map segment")

#: This much of a name that is too long is shown.
SHOWN = 40


def _open_streams() -> None:
    """Replace streams that the caller has closed, for which Python has None.

    What is printed to standard error is lost. Printing a result to standard output is an error, as on a full disk:
    that stream cannot be written.
    """
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: PTH123, SIM115 - it stays open until the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115


def _heed_interrupts() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, if the entry point has made it end the process without a word."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _ignore_interrupts() -> None:
    """Let Ctrl-C end the process without a word while Python leaves: all is done."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is threading.main_thread() and handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _is_lack_of_memory(error: Exception) -> bool:
    """Whether an error means that the process has no more memory."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    return isinstance(error, ImportError) and any(each in str(error).lower() for each in _NO_MEMORY)


def _of_missing_numba(error: Exception) -> tuple[Diagnostic, ...] | None:
    """Return the diagnostic for an error of the engine that means that numba is missing; None for any other error."""
    if not isinstance(error, RuntimeError):
        return None
    from puzzlec.engine.search.selection import NumbaMissingError

    if not isinstance(error, NumbaMissingError):
        return None
    note, help = f"{error.without} does not need it", "`pip install numba` installs it"
    return fail("PZ637", str(error), note=note, help=help).diagnostics


def main() -> None:
    """Run a command; turn every way that it can end into an exit status, none into a traceback."""
    _open_streams()
    if (shell := os.environ.get("_PUZZLEC_COMPLETION")) is not None:
        from puzzlec.cli.completing import complete

        with suppress(BrokenPipeError, PuzzleError):  # what goes wrong is no matter for somebody who presses Tab
            complete(shell, sys.argv[1:])
            sys.stdout.flush()
            return
        forget_output()
        return
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name that the terminal cannot show must not end the command
    logging.basicConfig(level=logging.WARNING, handlers=[Remarks()])
    # Remarks on the way are for somebody who waits at a terminal; what a pipe gets depends on nothing but the input.
    manner.begin()
    try:
        _heed_interrupts()
        try:
            program()
        finally:
            sys.stdout.flush()  # what cannot be written is found here, not when Python has left
    except PuzzleError as error:
        report_all(error.diagnostics)
        sys.exit(ExitStatus.FAULTY)
    except OutOfTime as late:
        say(str(late), always=True)
        sys.exit(ExitStatus.LIMIT)
    except KeyboardInterrupt:
        complain("interrupted")
        sys.exit(ExitStatus.INTERRUPTED)
    except BrokenPipeError:
        forget_output()
        sys.exit(ExitStatus.DONE)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _UNWRITTEN:
            forget_output()
            complain(f"cannot write: {os.strerror(error.errno).lower()}")
            sys.exit(ExitStatus.FAULTY)
        if _is_lack_of_memory(error):
            complain("out of memory: the puzzle, or what is asked of it, is too large for the memory of this process")
            sys.exit(ExitStatus.FAULTY)
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            complain(f"{os.strerror(error.errno).lower()}: `{str(error.filename)[:SHOWN]}...`")
            sys.exit(ExitStatus.FAULTY)
        if (diagnostics := _of_missing_numba(error)) is not None:
            report_all(diagnostics)
            sys.exit(ExitStatus.FAULTY)
        complain(f"internal error: {type(error).__name__}: {error}")
        if os.environ.get("PUZZLEC_DEBUG"):
            traceback.print_exc()
        else:
            complain("this is a fault of puzzlec; PUZZLEC_DEBUG=1 shows where it arose")
        sys.exit(ExitStatus.INTERNAL)
    finally:
        _ignore_interrupts()
        gc.freeze()  # Python would look for garbage once more before it leaves, a tenth of a small solve


if __name__ == "__main__":
    main()
