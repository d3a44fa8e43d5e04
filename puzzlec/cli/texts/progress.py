"""The progress of a search: a bar on a terminal, or lines of JSON.

A line of JSON is complete and flushed. There is one after each :data:`LINE_INTERVAL`, and one at the end. docs/jobs.md
describes the members.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TextIO

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.figures import between, duration, percentage, short
from puzzlec.engine.progress import Progress

#: Fewest and most characters of the bar.
MIN_BAR_CHARACTERS, MAX_BAR_CHARACTERS = 4, 40

#: Seconds between two lines of progress.
LINE_INTERVAL = 2.0

#: Seconds until the bar is drawn, and from then on between two drawings.
DELAY, INTERVAL = 1.0, 0.2

#: To the begin of the line, and erase it.
ERASE = "\r\033[K"


def line(now: Progress, what: str, width: int, unicode: bool = True) -> str:
    """Return a progress as a line of at most ``width`` characters.

    A narrow line leaves out workers and elapsed time first, then the bar, then the interval, then the words.

    >>> line(Progress(0.25, 5_000_000, 1, 10.0, 500_000.0, 30.0), "solution", 77, unicode=False)
    '25% [####-----------] 1 solution, 500 k nodes/s, 0:10 so far, about 0:30 left'
    >>> line(Progress(0.25, 5_000_000, 1, 10.0, 500_000.0, 30.0, (25.0, 41.0)), "solution", 86, unicode=False)
    '25% [###-------] 1 solution, 500 k nodes/s, 0:10 so far, about 0:30 left, 0:25 to 0:41'
    """
    first = [counted(now.solutions, what)]
    if now.rate > 0:  # it is 0 while a kernel is compiled
        first.append(f"{short(now.rate)} nodes/s")
    passed, rest, interval = [f"{duration(now.seconds)} so far"], [], []
    if now.workers is not None:
        passed.insert(0, counted(now.workers, "worker"))
    if now.doing:
        rest = [now.doing]
    elif now.left is not None:
        rest = [f"about {duration(now.left)} left"]
        interval = [] if now.left_between is None else [between(*now.left_between)]
    ways = [first + passed + rest + interval, first + rest + interval] if interval else [first + passed + rest]
    percent = percentage(now.fraction) if now.fraction > 0 else ""
    for text in map(", ".join, ways):
        room = min(width - len(percent) - len(text) - 4, MAX_BAR_CHARACTERS)
        if percent and room >= MIN_BAR_CHARACTERS:
            full = int(room * min(now.fraction, 1.0) + 0.5)
            done, open_ = ("█", "░") if unicode else ("#", "-")
            return f"{percent} [{done * full}{open_ * (room - full)}] {text}"
    for parts in (*ways, first + passed + rest):
        text = ", ".join([percent, *parts] if percent else parts)
        if len(text) <= width:
            return text
    return text[: max(width, 0)]


def columns(stream: TextIO) -> int:
    """Return the number of columns of a terminal."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def is_unicode(stream: TextIO) -> bool:
    """Whether a stream takes more than ASCII."""
    return (getattr(stream, "encoding", None) or "ascii").lower().startswith("utf")


class Display:
    """Displays a progress from a separate thread while a block runs, so that a long step does not stop it.

    ``foresee`` improves the estimate; it is called before each display. ``delay`` and ``interval`` are in seconds.
    """

    def __init__(
        self,
        progress: Callable[[], Progress],
        foresee: Callable[[], None] | None,
        stream: TextIO | None,
        delay: float,
        interval: float,
    ) -> None:
        self.stream = sys.stderr if stream is None else stream
        self._progress, self._foresee, self._delay, self._interval = progress, foresee, delay, interval
        self._lock, self._over = threading.Lock(), threading.Event()
        self._thread: threading.Thread | None = None

    def _begin(self) -> None:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        wait = self._delay
        while not self._over.wait(wait):
            wait = self._interval
            if self._foresee is not None:
                self._foresee()
            text = self._text()
            with self._lock:
                if not self._over.is_set():
                    self._write(text)

    def _text(self) -> str:
        """Return what is displayed now."""
        raise NotImplementedError

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the reader may go away; the search continues
            self.stream.write(text)
            self.stream.flush()


class Lines(Display):
    """Prints lines of JSON while a block runs; ``more`` has further members."""

    def __init__(
        self,
        progress: Callable[[], Progress],
        foresee: Callable[[], None] | None = None,
        more: Callable[[], Mapping[str, object]] | None = None,
        stream: TextIO | None = None,
    ) -> None:
        super().__init__(progress, foresee, stream, LINE_INTERVAL, LINE_INTERVAL)
        self._more, self._begun = more, time.monotonic()

    def __enter__(self) -> Lines:
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with self._lock:
            self._write(self._text())

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Let a block print to standard output, which the lines do not disturb."""
        yield

    def _text(self) -> str:
        more = {} if self._more is None else self._more()
        data = as_data(self._progress(), time.monotonic() - self._begun) | dict(more)
        return json.dumps(data, separators=(",", ":")) + "\n"  # compact, like all JSON of the commands


class Bar(Display):
    """A line at the bottom of a terminal while a block runs, if the stream is a terminal.

    Other output to the terminal belongs in :meth:`hidden`. At the end the line is erased. With ``quiet``, there is no
    line.
    """

    def __init__(
        self,
        progress: Callable[[], Progress],
        what: str = "solution",
        stream: TextIO | None = None,
        delay: float = DELAY,
        foresee: Callable[[], None] | None = None,
        quiet: bool = False,
    ) -> None:
        super().__init__(progress, foresee, stream, delay, INTERVAL)
        self._what, self._quiet = what, quiet
        self._shown = ""  # on the terminal now

    def __enter__(self) -> Bar:
        if not self._quiet and self.stream.isatty() and os.environ.get("TERM") != "dumb":
            self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with self._lock:
            if self._shown:
                self._write("")

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Erase the bar while a block prints to standard output, if that is a terminal."""
        if self._thread is None or not sys.stdout.isatty():
            yield
            return
        with self._lock:
            text = self._shown
            if text:
                self._write("")
            yield
            if text:
                self._write(text)

    def _text(self) -> str:
        return line(self._progress(), self._what, columns(self.stream) - 1, is_unicode(self.stream))

    def _write(self, text: str) -> None:
        self._shown = self._shown or text  # set before it is written: Ctrl-C may come in between
        super()._write(ERASE + text)
        self._shown = text


def as_data(now: Progress, elapsed: float) -> dict[str, object]:
    """Return the members of a line, with rounded numbers and without infinity.

    >>> as_data(Progress(0.25, 1234, 3, 9.0, 1e5, 36.21, (30.123, 44.0)), 12.1)["left_between"]
    [30.12, 44.0]
    """
    between = None if now.left_between is None else [_number(seconds) for seconds in now.left_between]
    data: dict[str, object] = {
        "elapsed": round(max(elapsed, now.seconds), 2),
        "fraction": float(f"{now.fraction:.6g}"),
        "nodes": now.nodes,
        "solutions": now.solutions,
        "rate": _number(now.rate),
        "left": _number(now.left),
        "left_between": None if between is None or None in between else between,
    }
    return data | ({"doing": now.doing} if now.doing else {}) | {"done": now.fraction >= 1}


def _number(number: float | None) -> float | None:
    return None if number is None or not math.isfinite(number) else round(number, 2)
