"""Writing a file for a command: never over one that exists, unless told to."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from puzzlec.cli.terminal import out_json
from puzzlec.diagnostics.diagnostic import fail


def write_file(target: str, text: str, force: bool = False, help: str = "give `--force` to write over it") -> None:
    """Write a text into a file; raise PuzzleError where it exists (unless ``force``) or cannot be written.

    ``help`` says what to do about a file that exists.
    """
    with written_to(target, help), Path(target).open("w" if force else "x", encoding="utf-8", newline="\n") as stream:
        stream.write(text)


def tell_written(target: str, format: str, **more: object) -> None:
    """Print for other programs that a file was written, how large it is, and what ``more`` is known of it."""
    out_json({"file": target, "format": format, "bytes": Path(target).stat().st_size, **more})


def refuse_two_results(as_json: bool, target: str) -> None:
    """Raise typer.BadParameter for `--json` where what is written goes to standard output itself."""
    if as_json and target == "-":
        raise typer.BadParameter("name a file to write: standard output is for JSON then", param_hint="--json")


@contextmanager
def new_file(target: str, force: bool = False) -> Iterator[Path]:
    """Give a path to write to; what was written there stands in the file ``target`` when all has gone well.

    The place is taken before: so a fault is found at once, not after a long search. When something goes wrong a file
    that existed (with ``force``) is as it was, and otherwise there is none. Raises PuzzleError where it exists (unless
    ``force``) or cannot be written.
    """
    path, existed = Path(target), os.path.lexists(target)
    with written_to(target, "give `--force` to write over it"):
        path.open("ab" if force else "xb").close()
        path = path.resolve()  # a link goes on leading where it led
    if not path.is_file():
        raise fail("PZ005", f"`{target}` is no ordinary file", file=target, help="name a file to write")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    done = False
    try:
        with written_to(target, ""):
            yield part
            shutil.copymode(path, part)
            part.replace(path)
        done = True
    finally:
        part.unlink(missing_ok=True)
        if not done and not existed:
            path.unlink(missing_ok=True)


@contextmanager
def written_to(target: str, help: str) -> Iterator[None]:
    """Turn the faults of the system while a file is written into diagnostics; ``help`` is for one that exists."""
    try:
        yield
    except BrokenPipeError:  # nobody reads any more
        raise
    except OSError as error:
        if os.path.isdir(target):  # noqa: PTH112  # pathlib raises an error for a name that is too long
            raise fail("PZ005", f"`{target}` is a folder", file=target, help="name a file in it") from None
        if isinstance(error, FileExistsError):
            raise fail("PZ005", f"the file `{target}` exists already", file=target, help=help) from None
        raise fail("PZ005", f"cannot write `{target}`: {(error.strerror or 'error').lower()}", file=target) from None
