"""A bar on a terminal that says how far a search has come."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TextIO

from puzzlec.cli.figures import duration, percentage, short
from puzzlec.diagnostics import counted
from puzzlec.engine.progress import Progress

#: The bar comes after so many seconds, and is drawn again at this interval.
DELAY, INTERVAL = 1.0, 0.2

#: To the begin of the line, and erase it.
ERASE = "\r\033[K"


class Bar:
    """A line at the bottom of a terminal while a block runs; nothing at all where the stream is no terminal.

    It is drawn by a thread of its own, so that a long step on the way does not stop it. Who prints to a
    terminal in the meantime does so within :meth:`hidden`. At the end it is erased.
    """

    def __init__(
        self,
        progress: Callable[[], Progress],
        what: str = "solution",
        stream: TextIO | None = None,
        delay: float = DELAY,
    ) -> None:
        self.stream = sys.stderr if stream is None else stream
        self._progress, self._what, self._delay = progress, what, delay
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._text = ""  # what stands on the terminal
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Bar:
        if self.stream.isatty() and os.environ.get("TERM") != "dumb":
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with self._lock:
            if self._text:
                self._draw("")

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar away while a block prints something to standard output, if that is a terminal."""
        if self._thread is None or not sys.stdout.isatty():
            yield
            return
        with self._lock:
            text = self._text
            if text:
                self._draw("")
            yield
            if text:
                self._draw(text)

    def _draw(self, text: str) -> None:
        self._text = self._text or text  # noted before it stands there: Ctrl-C may come in between
        with suppress(OSError, ValueError):  # the terminal may go away; the search need not mind
            self.stream.write(ERASE + text)
            self.stream.flush()
        self._text = text

    def _run(self) -> None:
        wait = self._delay
        while not self._over.wait(wait):
            wait = INTERVAL
            text = line(self._progress(), self._what, _columns(self.stream) - 1, _is_unicode(self.stream))
            with self._lock:
                if not self._over.is_set():
                    self._draw(text)


def line(now: Progress, what: str, width: int, unicode: bool = True) -> str:
    """Return a progress as a line of at most ``width`` characters: the bar gives way first, then the words.

    >>> line(Progress(0.25, 5_000_000, 1, 10.0, 500_000.0, 30.0), "solution", 70, unicode=False)
    '25 % [####----------] 1 solution, 500 k nodes/s, 0:10, about 0:30 left'
    """
    words = [counted(now.solutions, what), f"{short(now.rate)} nodes/s", duration(now.seconds)]
    if now.left is not None:
        words.append(f"about {duration(now.left)} left")
    text = ", ".join(words)
    if now.fraction <= 0:
        return text[: max(width, 0)]
    percent = percentage(now.fraction)
    room = min(width - len(percent) - len(text) - 4, 40)
    if room < 4:
        return f"{percent}, {text}"[: max(width, 0)]
    full = int(room * min(now.fraction, 1.0) + 0.5)
    done, open_ = ("█", "░") if unicode else ("#", "-")
    return f"{percent} [{done * full}{open_ * (room - full)}] {text}"


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _is_unicode(stream: TextIO) -> bool:
    return (getattr(stream, "encoding", None) or "ascii").lower().startswith("utf")
