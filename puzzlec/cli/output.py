"""Files that a command writes: complete or not at all, and over an existing file only with `--force`."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from time import monotonic
from types import FrameType
from typing import Any, TextIO, cast

from puzzlec.cli.options import refusing
from puzzlec.cli.terminal import forget_output, out_json
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.files import replaced
from puzzlec.diagnostics.suggest import listed

#: Signals that end a process, besides Ctrl-C. They come from `kill`, `timeout`, a closed terminal, and Ctrl-Break.
ENDING_SIGNALS = tuple(getattr(signal, name, signal.SIGTERM) for name in ("SIGTERM", "SIGHUP", "SIGBREAK"))

#: Seconds in which a second signal counts as the same.
SAME_SIGNAL_SECONDS = 1.0


class PrintingError(OSError):
    """An error of standard output or standard error, not of another file."""


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Raise SystemExit in the block at a signal that would end the process, with 128 plus its number, as in shells.

    Ignored signals stay ignored, as with `nohup`.
    """
    ended = -SAME_SIGNAL_SECONDS

    def end(number: int, _: FrameType | None) -> None:
        nonlocal ended
        # `timeout` sends its signal twice: the second one must not disturb the cleanup. A later one counts again:
        # Python loses an exception that is raised in `__del__`.
        if (now := monotonic()) - ended >= SAME_SIGNAL_SECONDS:
            ended = now
            raise SystemExit(128 + number)

    # Python handles signals in the main thread only. An outer block of this kind keeps its handlers.
    main = threading.current_thread() is threading.main_thread()
    signals = {number for number in ENDING_SIGNALS if main and signal.getsignal(number) is signal.SIG_DFL}
    try:
        for number in signals:
            signal.signal(number, end)
        yield
    finally:
        for number in signals:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let a command that writes a file in the block end in order, in spite of signals and closed pipes.

    A signal that would end the process raises SystemExit (:func:`ending_in_order`): no partial file is left. If the
    reader of standard output or standard error goes away, the command continues and writes the file. Another error of
    these two raises PrintingError.
    """
    output, remarks = sys.stdout, sys.stderr
    try:
        with ending_in_order():
            sys.stdout, sys.stderr = cast(TextIO, _Unread(output)), cast(TextIO, _Unread(remarks))
            yield
    finally:
        sys.stdout, sys.stderr = output, remarks


class _Unread:
    """A stream whose reader may go away: the rest of the output is then dropped without an error."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Print a text, if the stream has a reader; raise PrintingError if it cannot be written."""
        with self._told():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush the stream, if it has a reader; raise PrintingError if it cannot be written."""
        with self._told():
            self._stream.flush()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Drop the stream if it has no reader; raise PrintingError for other errors."""
        try:
            yield
        except PrintingError:  # of a stream within this one, in a block within a block
            raise
        except OSError as error:
            # Windows reports EINVAL for a pipe without a reader.
            if not isinstance(error, BrokenPipeError) and not (os.name == "nt" and error.errno == errno.EINVAL):
                raise PrintingError(error.errno, error.strerror) from error
            forget_output(self._stream)


def write_file(
    target: str, make: Callable[[], str | bytes], force: bool = False, help: str = "use `--force` to overwrite it"
) -> None:
    """Write what ``make`` returns to a file, as :func:`new_file`, or to standard output (``-``)."""
    if target != "-":
        with new_file(target, force, help) as path:
            made = make()
            path.write_bytes(made.encode() if isinstance(made, str) else made)
        return
    made = make()
    sys.stdout.write(made) if isinstance(made, str) else sys.stdout.buffer.write(made)
    sys.stdout.flush()


def refuse_existing(target: str, force: bool) -> None:
    """Raise PuzzleError for an existing file that must not be overwritten, before a long search."""
    if target != "-" and not force and os.path.lexists(target):
        with new_file(target):
            pass


def tell_written(target: str, format: str, **more: object) -> None:
    """Print the name and the size of a written file, and ``more``, for other programs."""
    out_json({"file": target, "format": format, "bytes": Path(target).stat().st_size, **more})


def ending_in(*endings: str) -> Callable[[str], str]:
    """Return a function that returns the name of a file; it raises ValueError for another extension."""

    def named(name: str) -> str:
        from puzzlec.make.table import command_of

        if not name.lower().endswith(endings):
            command = command_of(Path(name).suffix[1:])
            instead = f". `puzzlec {command}` writes {name}" if command else ""
            raise ValueError(f"expected a name that ends in {listed(endings, 'or')}, found `{name}`{instead}")
        return name

    return named


def format_of(to: str | None, output: str | None, formats: Collection[str], command: str) -> str:
    """Return the format that a command writes: that of ``--to``, else of the extension of a file.

    A file without one of the ``formats`` is an error of the command line, with the command that writes it.
    """
    from puzzlec.make.table import command_of

    if to is not None:
        return to
    name = output or "-"
    ending = PurePath(name).suffix.lower().removeprefix(".")
    with refusing("-o"):
        if ending not in formats:
            other = command_of(ending)
            endings = listed((f".{format}" for format in formats), "or")
            instead = f"Use `puzzlec {other}`" if other else f"Give `--to {next(iter(formats))}`"
            fault = (
                f"`{command}` writes no .{ending}"
                if other
                else f"expected a name that ends in {endings}, found `{name}`"
            )
            raise ValueError(f"{fault}. {instead}")
    return ending


@contextmanager
def new_file(target: str, force: bool = False, help: str = "use `--force` to overwrite it") -> Iterator[Path]:
    """Yield a path to write to; at the end of the block, this file becomes ``target``.

    The target is checked first, so that an error comes before a long search. After an error or a signal, an existing
    file is unchanged (with ``force``), or there is no file. If the reader of standard output goes away, the command
    continues. Raises PuzzleError if the file exists (unless ``force``), also if it appears during the block, or cannot
    be written; ``help`` is the suggestion for an existing one.
    """
    with undisturbed(), written_to(target, help), replaced(target, force) as part:
        yield part


@contextmanager
def written_to(target: str, help: str) -> Iterator[None]:
    """Turn errors of the system about a file into diagnostics; ``help`` is the suggestion for an existing file.

    Errors of standard output and standard error pass through.
    """
    try:
        yield
    except (BrokenPipeError, PrintingError):
        raise
    except OSError as error:
        if os.path.isdir(target):  # noqa: PTH112  # pathlib raises an error for a name that is too long
            raise fail("PZ005", f"`{target}` is a folder", file=target, help="name a file in it") from None
        if isinstance(error, FileExistsError):
            raise fail("PZ005", f"the file `{target}` already exists", file=target, help=help) from None
        raise fail("PZ005", f"cannot write `{target}`: {(error.strerror or 'error').lower()}", file=target) from None
