"""What comes from outside while a command writes a file: signals that end it, and readers who have enough of it."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any, TextIO, cast

from puzzlec.cli.terminal import forget_output

#: What ends a process from outside, besides Ctrl-C: `kill` and `timeout`, a terminal that is closed, Ctrl-Break.
ENDING = tuple(getattr(signal, name, signal.SIGTERM) for name in ("SIGTERM", "SIGHUP", "SIGBREAK"))

#: So many seconds after a signal that ends the command another one is taken for the same.
SAME = 1.0


class PrintingError(OSError):
    """What is printed cannot be written: a fault of standard output or standard error, and of no other file."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let a command that writes a file within the block come to an orderly end, whatever becomes of those around it.

    A signal that would end the process at once raises SystemExit with 128 and its number, as shells have it, so that
    nothing half-written is left; signals that are ignored stay so, as `nohup` wants it. Where nobody reads standard
    output or standard error any more, the command goes on: the file is wanted, too. Another fault of these two, no
    room for what is printed, raises PrintingError.
    """
    ended = -SAME

    def end(number: int, _: FrameType | None) -> None:
        nonlocal ended
        # `timeout` sends its signal twice: the second one must not disturb the clearing up. A later one counts again,
        # since Python may have lost the exception: where it comes up in `__del__`, nobody can catch it.
        if (now := monotonic()) - ended >= SAME:
            ended = now
            raise SystemExit(128 + number)

    # Outside the main thread Python gives no signals; what is caught already, by a block around this one, stays so.
    main = threading.current_thread() is threading.main_thread()
    taken = {number for number in ENDING if main and signal.getsignal(number) is signal.SIG_DFL}
    output, remarks = sys.stdout, sys.stderr
    try:
        for number in taken:
            signal.signal(number, end)
        sys.stdout, sys.stderr = cast(TextIO, _Unread(output)), cast(TextIO, _Unread(remarks))
        yield
    finally:
        sys.stdout, sys.stderr = output, remarks
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


class _Unread:
    """A stream that may be closed at its other end: what is printed then is gone, and that is no fault."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Print a text, if somebody reads it; raise PrintingError where there is no room for it."""
        with self._told():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Let the other end have what was printed, if somebody reads it; raise PrintingError without room for it."""
        with self._told():
            self._stream.flush()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Forget the stream where nobody reads it; let its other faults be told from those of files."""
        try:
            yield
        except PrintingError:  # of a stream within this one, in a block within a block
            raise
        except OSError as error:
            # Windows has no word of its own for a pipe that is closed at its other end.
            if not isinstance(error, BrokenPipeError) and not (os.name == "nt" and error.errno == errno.EINVAL):
                raise PrintingError(error.errno, error.strerror) from error
            forget_output(self._stream)
