"""``puzzlec convert``: a puzzle in another format."""

from __future__ import annotations

import gzip
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import IO, Annotated, Any, cast

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import Board, From, Json, Parameters, Problem
from puzzlec.cli.candidates import any_files, puzzles_and_files, words
from puzzlec.cli.input import read_only
from puzzlec.cli.output import new_file, refuse_two_results, tell_written, written_to
from puzzlec.cli.terminal import report_all, say
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, none_of
from puzzlec.formats.reading import Level
from puzzlec.formats.record import AT_MOST_ONE, Choices, Format
from puzzlec.formats.registry import WRITERS
from puzzlec.formats.writing import left_out, write_chunks, writer_for, writer_named
from puzzlec.ir import Puzzle
from puzzlec.language.lattice_file import is_lattice_file

#: The levels that a puzzle can be lowered to before it is written.
LEVELS = ("puzzle", "fitting", "cover")


def convert(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A file, `-`, or the name of a puzzle of the catalogue.",
            autocompletion=puzzles_and_files,
        ),
    ],
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write, `-` for standard output.", autocompletion=any_files)
    ] = "-",
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="The format to write, where the name of OUT does not tell.",
            autocompletion=words(WRITERS),
        ),
    ] = None,
    source: From = None,
    board: Board = None,
    given: Parameters = None,
    problem: Problem = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="Lower it first: puzzle, fitting or cover, for json and npz.",
            autocompletion=words(LEVELS),
        ),
    ] = None,
    at_most_one: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="How clauses say `at most one`: auto, pairwise or sequential.",
            autocompletion=words(AT_MOST_ONE),
        ),
    ] = "auto",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
    as_json: Json = False,
) -> None:
    """Convert a puzzle into another format.

    `puzzlec formats` lists them. The name of OUT says the format, and packs it with `.gz` behind.
    Example: puzzlec convert soma soma.cnf
    """
    if at_most_one not in AT_MOST_ONE:
        raise typer.BadParameter(none_of(at_most_one, AT_MOST_ONE), param_hint="--at-most-one")
    if level is not None and level not in LEVELS:
        raise typer.BadParameter(none_of(level, LEVELS), param_hint="--level")
    refuse_two_results(as_json, target)
    writer = _writer(to, target)
    if level is not None and writer.level != "any":
        speaks = f"the format `{writer.name}` always speaks of the level `{writer.level}`"
        raise typer.BadParameter(f"{speaks}; this is for `json` and `npz`", param_hint="--level")
    what = read_only(puzzle, source, board, given, problem)
    moved = with_lattice_from(what, puzzle, target) if target != "-" and writer.name == "puzzle" else what
    lowered = moved if level is None else _lowered(moved, level)
    with _refused(puzzle, lowered):
        chunks = write_chunks(lowered, writer.name, Choices(at_most_one))
    if (warning := left_out(lowered, writer.name)) is not None:
        report_all([warning])
    if target == "-":
        with written_to("standard output", ""):
            _write(chunks, sys.stdout.buffer if writer.binary else sys.stdout)
            sys.stdout.flush()
        return
    with new_file(target, force) as path, path.open("wb") as raw:
        if target.lower().endswith(".gz"):  # without name and time, so that the same puzzle gives the same bytes
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                _write(map(_encoded, chunks), cast(IO[Any], packed))
        else:
            _write(map(_encoded, chunks), raw)
    if as_json:
        tell_written(target, writer.name)
    if isinstance(moved, Puzzle) and moved is not what and moved.lattice is not None:
        say(f'its lattice is named as `lattice "{moved.lattice.name}"`, the way to the file from there')


@contextmanager
def _refused(puzzle: str, what: pipeline.Compiled) -> Iterator[None]:
    """Add to the refusals of a format, after the errors of the puzzle itself, how to list the formats that can say it.

    A refusal without a place names the input, not the title of the puzzle.
    """
    try:
        yield
    except PuzzleError as error:
        if error.diagnostics[-1].code not in ("PZ501", "PZ502"):
            raise
        found = [each if each.span else replace(each, file=puzzle) for each in error.diagnostics]
        if puzzle != "-":
            help = f"`puzzlec formats {shlex.quote(puzzle)}` lists the formats that can say it"
            found[-1] = replace(found[-1], helps=(*found[-1].helps, help))
        raise PuzzleError([*_errors_of(what), *found]) from None


def _errors_of(what: pipeline.Compiled) -> list[Diagnostic]:
    """Return the errors of a puzzle itself, because of which it has no solution in any format."""
    report = Report()
    try:
        pipeline.check(what, report)
    except PuzzleError as error:
        return [each for each in error.diagnostics if each.severity is Severity.ERROR]
    return [each for each in report.diagnostics if each.severity is Severity.ERROR]


def _write(chunks: Iterator[str] | Iterator[bytes], stream: IO[Any]) -> None:
    for chunk in chunks:
        stream.write(chunk)


def _encoded(chunk: str | bytes) -> bytes:
    return chunk if isinstance(chunk, bytes) else chunk.encode()


def _lowered(what: Level, level: str) -> pipeline.Compiled:
    """Return a puzzle at a level; raise typer.BadParameter where it is below that already."""
    try:
        return pipeline.compile(what, level)
    except ValueError:
        raise typer.BadParameter(f"this is below the level `{level}` already", param_hint="--level") from None


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


def _writer(to: str | None, target: str) -> Format:
    """Return the writer that ``--to`` names, else that of the ending of a file's name."""
    if to is not None:
        return writer_named(to)
    if target == "-":
        raise typer.BadParameter(
            "say the format to write, such as `--to dlx`; `puzzlec formats` lists them", param_hint="--to"
        )
    return writer_for(target)
