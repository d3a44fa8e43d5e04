"""What comes from outside while a command writes a file: signals that end it, and readers who have enough of it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TextIO, cast

from puzzlec.cli.terminal import forget_output

#: What ends a process from outside, besides Ctrl-C: `kill` and `timeout`, and a terminal that is closed.
ENDING = (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let a command that writes a file within the block come to an orderly end, whatever becomes of those around it.

    A signal that would end the process at once raises SystemExit with 128 and its number, as shells have it, so that
    nothing half-written is left; signals that are ignored stay so, as `nohup` wants it. Where nobody reads standard
    output any more, the command goes on: the file is wanted, too.
    """
    ended = False

    def end(number: int, _: FrameType | None) -> None:
        nonlocal ended
        if not ended:  # `timeout` sends its signal twice: the second one must not disturb the clearing up
            ended = True
            raise SystemExit(128 + number)

    # Outside the main thread Python gives no signals; what is caught already, by a block around this one, stays so.
    main = threading.current_thread() is threading.main_thread()
    taken = {number for number in ENDING if main and signal.getsignal(number) is signal.SIG_DFL}
    output = sys.stdout
    try:
        for number in taken:
            signal.signal(number, end)
        sys.stdout = cast(TextIO, _Unread(output))
        yield
    finally:
        sys.stdout = output
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


class _Unread:
    """Standard output that may be closed at its other end: what is printed then is gone, and that is no fault."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Print a text, if somebody reads it."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            forget_output()
            return len(text)

    def flush(self) -> None:
        """Let the other end have what was printed, if somebody reads it."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            forget_output()
