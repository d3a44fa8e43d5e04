"""Writing a file for a command: never over one that exists, unless told to."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any, TextIO, cast

import typer

from puzzlec.cli.terminal import forget_output, out_json
from puzzlec.diagnostics.error import fail

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


def write_file(target: str, text: str, force: bool = False, help: str = "give `--force` to write over it") -> None:
    """Write a text into a file; raise PuzzleError where it exists (unless ``force``) or cannot be written.

    ``help`` says what to do about a file that exists.
    """
    with written_to(target, help), Path(target).open("w" if force else "x", encoding="utf-8", newline="\n") as stream:
        stream.write(text)


def tell_written(target: str, format: str, **more: object) -> None:
    """Print for other programs that a file was written, how large it is, and what ``more`` is known of it."""
    out_json({"file": target, "format": format, "bytes": Path(target).stat().st_size, **more})


def output_of(argument: str | None, option: str | None) -> str:
    """Return the file that a command writes, an argument or ``-o FILE``; `-` if there is neither.

    Raises:
        typer.BadParameter: If there are both.

    """
    if argument is not None and option is not None:
        raise typer.BadParameter(f"name one file: `{argument}` or `{option}`", param_hint="-o")
    return argument or option or "-"


def refuse_two_results(as_json: bool, target: str) -> None:
    """Raise typer.BadParameter for `--json` where what is written goes to standard output itself."""
    if as_json and target == "-":
        raise typer.BadParameter("name a file to write: standard output is for JSON then", param_hint="--json")


@contextmanager
def new_file(target: str, force: bool = False) -> Iterator[Path]:
    """Give a path to write to; what was written there stands in the file ``target`` when all has gone well.

    Whether it can be written is tried before: so a fault is found at once, not after a long search. When something
    goes wrong, a signal that ends the command, too, a file that existed (with ``force``) is as it was, and otherwise
    there is none; nothing stands in the way of another attempt. Where nobody reads what is printed any more, the
    command goes on. Raises PuzzleError where it exists (unless ``force``; also where it came to be meanwhile) or cannot
    be written.
    """
    path, help = Path(target), "give `--force` to write over it"
    with written_to(target, help):
        existed = _is_there(target, force)
        path = path.resolve()  # a link goes on leading where it led
    # Short, so that every name that a file can have is one for it; by chance, since processes of several machines or
    # containers, which share a folder, may have the same number.
    part = path.with_name(f".puzzlec-{os.urandom(8).hex()}.part")
    with undisturbed():
        try:
            with written_to(target, help):
                part.open("xb").close()
                part.unlink()
                yield part
                if existed:
                    shutil.copymode(path, part)
                _place(part, path, force)
        finally:
            with suppress(OSError):
                part.unlink()


def _is_there(target: str, over: bool) -> bool:
    """Whether there is a file that can be written over, as it then may be; False, too, for a link to nothing yet.

    Raises FileExistsError where something is there that may not be written over, PuzzleError where it is no ordinary
    file, another OSError where it cannot be written, or has a name that no file can have.
    """
    if os.path.lexists(target) and not over:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    path = Path(target)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):  # asked before it is opened: a pipe would wait for somebody who reads it
        raise fail("PZ005", f"`{target}` is no ordinary file", file=target, help="name a file to write")
    path.open("ab").close()
    return True


def _place(part: Path, path: Path, over: bool) -> None:
    """Give a file its name; raise FileExistsError where another one has it, unless it may be written ``over``."""
    if over:
        part.replace(path)
        return
    try:
        os.link(part, path)  # which asks and does it at once
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        part.rename(path)


@contextmanager
def written_to(target: str, help: str) -> Iterator[None]:
    """Turn the faults of the system while a file is written into diagnostics; ``help`` is for one that exists.

    What is wrong with what is printed meanwhile is no fault of the file, and goes through.
    """
    try:
        yield
    except (BrokenPipeError, PrintingError):
        raise
    except OSError as error:
        if os.path.isdir(target):  # noqa: PTH112  # pathlib raises an error for a name that is too long
            raise fail("PZ005", f"`{target}` is a folder", file=target, help="name a file in it") from None
        if isinstance(error, FileExistsError):
            raise fail("PZ005", f"the file `{target}` exists already", file=target, help=help) from None
        raise fail("PZ005", f"cannot write `{target}`: {(error.strerror or 'error').lower()}", file=target) from None
