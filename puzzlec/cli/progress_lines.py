"""Progress as lines of JSON on standard error, for other programs.

Each line is complete and flushed. There is one after each :data:`INTERVAL`, and one at the end, however it comes. The
members are those of docs/jobs.md: ``elapsed`` (seconds), ``fraction`` (0 to 1, never less than before), ``nodes``,
``solutions``, ``rate`` (nodes a second), ``left`` (seconds, or null), ``left_between`` (two numbers of seconds, or
null), ``doing`` (only where it is not the search itself), ``done`` (all is searched). Jobs have more of them.
"""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TextIO

from puzzlec.engine.search.progress import Progress

#: Seconds from line to line.
INTERVAL = 2.0


class Lines:
    """Prints lines while a block runs, by a thread of its own. ``foresee`` is called before each but the last one."""

    def __init__(
        self,
        progress: Callable[[], Progress],
        foresee: Callable[[], None] | None = None,
        more: Callable[[], Mapping[str, object]] | None = None,
        stream: TextIO | None = None,
    ) -> None:
        self.stream = sys.stderr if stream is None else stream
        self._progress, self._foresee, self._more = progress, foresee, more
        self._lock, self._over = threading.Lock(), threading.Event()
        self._begun = time.monotonic()

    def __enter__(self) -> Lines:
        threading.Thread(target=self._run, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with self._lock:
            self._print()

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Let a block print to standard output: what is there does not stand between lines of progress."""
        yield

    def _run(self) -> None:
        while not self._over.wait(INTERVAL):
            if self._foresee is not None:
                self._foresee()
            with self._lock:
                if not self._over.is_set():
                    self._print()

    def _print(self) -> None:
        more = {} if self._more is None else self._more()
        data = as_data(self._progress(), time.monotonic() - self._begun) | dict(more)
        text = json.dumps(data, separators=(",", ":"))  # as all JSON of the commands
        with suppress(OSError, ValueError):  # whoever reads it may go away; the search need not mind
            self.stream.write(text + "\n")
            self.stream.flush()


def as_data(now: Progress, elapsed: float) -> dict[str, object]:
    """Return what a line says: numbers rounded to what they can mean, and nothing that JSON has not.

    >>> as_data(Progress(0.25, 1234, 3, 9.0, 1e5, 36.21, (30.123, 44.0)), 12.1)["left_between"]
    [30.12, 44.0]
    """
    between = None if now.left_between is None else [_number(each) for each in now.left_between]
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
