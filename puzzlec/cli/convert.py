"""``puzzlec convert``: a puzzle in another format."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePath
from typing import IO, Annotated, Any, cast

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import Board, From, Parameters, Problem
from puzzlec.cli.input import read_only
from puzzlec.cli.output import new_file, written_to
from puzzlec.cli.terminal import say
from puzzlec.diagnostics import none_of
from puzzlec.ir import Puzzle
from puzzlec.readers import Level
from puzzlec.readers.lattice_file import is_lattice_file
from puzzlec.writers import WRITERS, Choices, write_chunks
from puzzlec.writers.choices import AT_MOST_ONE

#: The levels that a puzzle can be lowered to before it is written.
LEVELS = ("puzzle", "fitting", "cover")


def convert(
    puzzle: Annotated[str, typer.Argument(metavar="IN", help="A file, `-`, or the name of a puzzle of the catalogue.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write, `-` for standard output.")] = "-",
    to: Annotated[
        str | None, typer.Option(metavar="FORMAT", help="The format to write, where the name of OUT does not tell.")
    ] = None,
    source: From = None,
    board: Board = None,
    given: Parameters = None,
    problem: Problem = None,
    level: Annotated[
        str | None, typer.Option(metavar="LEVEL", help="Lower it first: puzzle, fitting or cover, for json and npz.")
    ] = None,
    at_most_one: Annotated[
        str, typer.Option(metavar="HOW", help="How clauses say `at most one`: auto, pairwise or sequential.")
    ] = "auto",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Convert a puzzle into another format; `puzzlec formats` lists them.

    The name of OUT says the format, and packs it with `.gz` behind. Example: puzzlec convert soma soma.cnf
    """
    if at_most_one not in AT_MOST_ONE:
        raise typer.BadParameter(none_of(at_most_one, AT_MOST_ONE), param_hint="--at-most-one")
    if level is not None and level not in LEVELS:
        raise typer.BadParameter(none_of(level, LEVELS), param_hint="--level")
    format = to or _format_of(target)
    what = read_only(puzzle, source, board, given, problem)
    moved = with_lattice_from(what, puzzle, target) if target != "-" and format == "puzzle" else what
    lowered = moved if level is None else _lowered(moved, level)
    chunks = write_chunks(lowered, format, Choices(at_most_one))
    if target == "-":
        with written_to("standard output", ""):
            _write(chunks, sys.stdout.buffer if WRITERS[format].binary else sys.stdout)
            sys.stdout.flush()
        return
    with new_file(target, force) as path, path.open("wb") as raw:
        if target.lower().endswith(".gz"):  # without name and time, so that the same puzzle gives the same bytes
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                _write(map(_encoded, chunks), cast(IO[Any], packed))
        else:
            _write(map(_encoded, chunks), raw)
    if isinstance(moved, Puzzle) and moved is not what and moved.lattice is not None:
        say(f'its lattice is named as `lattice "{moved.lattice.name}"`, the way to the file from there')


def _write(chunks: Iterator[str] | Iterator[bytes], stream: IO[Any]) -> None:
    for chunk in chunks:
        stream.write(chunk)


def _encoded(chunk: str | bytes) -> bytes:
    return chunk if isinstance(chunk, bytes) else chunk.encode()


def _lowered(what: Level, level: str) -> pipeline.Compiled:
    """Return a puzzle at a level; raise typer.BadParameter where it is below that already."""
    try:
        return pipeline.compile(what, level)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--level") from None


def with_lattice_from(what: Level, name: str, target: str) -> Level:
    """Return a puzzle of the file ``name`` with its own lattice, if it has one, named as from the file ``target``."""
    if not isinstance(what, Puzzle) or what.lattice is None or not is_lattice_file(what.lattice.name):
        return what
    path = (Path(name).parent if Path(name).is_file() else Path()) / what.lattice.name
    if Path(what.lattice.name).is_absolute() or not path.is_file():
        return what
    try:
        found = Path(os.path.relpath(path, Path(target).parent)).as_posix()
    except ValueError:  # there is no way from one drive to another
        found = path.resolve().as_posix()
    known = PurePath(what.lattice.name).as_posix()
    return what if found == known else replace(what, lattice=replace(what.lattice, name=found))


def _format_of(target: str) -> str:
    """Return the format that the ending of a file name says."""
    path = PurePath(target)
    ending = (PurePath(path.stem) if path.suffix.lower() == ".gz" else path).suffix.lower()
    for each in WRITERS.values():
        if ending in each.endings:
            return each.name
    raise typer.BadParameter(
        f"cannot tell the format to write from `{target}`; say one of {', '.join(WRITERS)}", param_hint="--to"
    )
