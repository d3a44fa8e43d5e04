"""How far a search has come: a bar on a terminal, or lines of JSON."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Annotated, TextIO

import typer

from puzzlec.cli.candidates import words
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.progress_line import columns, is_unicode, line
from puzzlec.cli.progress_lines import Lines
from puzzlec.cli.terminal import MODE
from puzzlec.diagnostics import none_of
from puzzlec.engine.search.progress import Progress

#: The bar comes after so many seconds, and is drawn again at this interval.
DELAY, INTERVAL = 1.0, 0.2

#: What may show how far a search has come.
KINDS = ("bar", "json", "none")

ProgressKind = Annotated[
    str,
    typer.Option(
        "--progress",
        metavar="HOW",
        help="Progress on stderr: bar (default), json or none.",
        autocompletion=words(KINDS),
        rich_help_panel=OUTPUT,
    ),
]

ProgressHidden = Annotated[
    str,
    typer.Option("--progress", metavar="HOW", help="Progress.", autocompletion=words(KINDS), hidden=True),
]

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
        foresee: Callable[[], None] | None = None,
    ) -> None:
        self.stream = sys.stderr if stream is None else stream
        self._progress, self._what, self._delay = progress, what, delay
        self._foresee = foresee  # makes the progress better where it can; called now and then
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._text = ""  # what stands on the terminal
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Bar:
        if not MODE.quiet and self.stream.isatty() and os.environ.get("TERM") != "dumb":
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
            if self._foresee is not None:
                self._foresee()
            text = line(self._progress(), self._what, columns(self.stream) - 1, is_unicode(self.stream))
            with self._lock:
                if not self._over.is_set():
                    self._draw(text)


def shown(
    kind: str,
    progress: Callable[[], Progress],
    what: str = "solution",
    foresee: Callable[[], None] | None = None,
    more: Callable[[], Mapping[str, object]] | None = None,
) -> Bar | Lines:
    """Return what shows a progress while a block runs, as ``--progress`` says: "bar", "json", or "none".

    ``what`` is counted. ``foresee`` makes the progress better where it can. ``more`` are further members for JSON.
    Raises typer.BadParameter for another kind.
    """
    if kind not in KINDS:
        raise typer.BadParameter(none_of(kind, KINDS), param_hint="--progress")
    if kind == "json":
        return Lines(progress, foresee, more)
    return Bar(progress, what, foresee=foresee, stream=None if kind == "bar" else io.StringIO())
