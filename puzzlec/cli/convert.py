"""``puzzlec convert``: a puzzle in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from puzzlec.formats.record import AtMostOne


import gzip
import os
import shlex
import sys
import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import (
    Force,
    Json,
    Memory,
    Named,
    Output,
    Reading,
    Time,
    time_left,
)  # fmt: skip
from puzzlec.cli.candidates import any_files, check_word, puzzles_and_files, words
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.deadline import bounded
from puzzlec.cli.output import new_file, output_of, refuse_two_results, tell_written, written_to
from puzzlec.cli.terminal import report_all, say, status_of
from puzzlec.cli.verbose import time_taken
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, counted
from puzzlec.diagnostics.error import fail
from puzzlec.formats.reading import Level
from puzzlec.formats.record import AT_MOST_ONE, Choices, Format
from puzzlec.formats.registry import WRITERS
from puzzlec.formats.writing import left_out, write_chunks, writer_for, writer_named
from puzzlec.ir import Puzzle
from puzzlec.language.lattice_file import is_lattice_file
from puzzlec.make.table import MESHES, OUTLINES, PAGES, PICTURES, of_kind

if TYPE_CHECKING:
    from puzzlec.solving.every import EverySolution

#: The levels of a puzzle that have a text, and the diagram of all its solutions.
LEVELS = ("puzzle", "fitting", "cover", "zdd")


def convert(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="File, `-`, or name of a puzzle in the catalogue.",
            autocompletion=puzzles_and_files,
        ),
    ],
    target: Annotated[
        str | None, typer.Argument(metavar="OUT", help="File to write. [default: -]", autocompletion=any_files)
    ] = None,
    output: Output = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="Format to write. [default: from the name of OUT]",
            autocompletion=words((*WRITERS, "zdd")),
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="Convert to this level first: puzzle, fitting, cover, or zdd (all solutions).",
            autocompletion=words(LEVELS),
        ),
    ] = None,
    force: Force = False,
    reading: Reading = Reading(),
    as_json: Json = False,
    at_most_one: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="Clauses for `at most one`: auto, pairwise or sequential.",
            hidden=True,
            autocompletion=words(AT_MOST_ONE),
        ),
    ] = "auto",
    memory: Memory = None,
    time: Time = None,
) -> None:
    """Convert a puzzle to another format or level.

    `puzzlec list formats` lists the formats. The extension of OUT selects the format; add `.gz` to compress the file.
    With a level but no
    format, OUT gets the text of `puzzlec explain --level`. The level zdd is a diagram of all solutions.

    Examples:
        puzzlec convert soma soma.cnf
        puzzlec convert soma --to dlx

    """
    target = output_of(target, output)
    for name, value, known in (("--at-most-one", at_most_one, AT_MOST_ONE), ("--level", level, LEVELS)):
        check_word(value, known, name)
    refuse_two_results(as_json, target)
    named = reading.of(puzzle)
    if "zdd" in (to, level) or (to is None and target.lower().endswith(".zdd")):
        if to not in (None, "zdd") or level not in (None, "zdd"):
            raise typer.BadParameter("a diagram of all solutions has no other format or level", param_hint="--level")
        every = _write_diagram(named, target, force, memory, time)
        if as_json:
            tell_written(target, "zdd", solutions=every.count, nodes=every.nodes)
        return
    if memory is not None:
        raise typer.BadParameter("only `--level zdd` takes it", param_hint="--memory")
    _refuse_outputs(puzzle, to, target)
    writer = _writer(to, target, level)
    if writer is not None and level is not None and writer.level not in ("any", level):
        speaks = f"the format `{writer.name}` always has the level `{writer.level}`"
        raise typer.BadParameter(f"{speaks}; choose a level for `json`", param_hint="--level")
    report = Report()
    with bounded(time, before="all was written"):
        what = named.read()
        is_text = writer is not None and writer.name == "puzzle"
        moved = with_lattice_from(what, puzzle, target) if target != "-" and is_text else what
        if writer is None:
            chunks: Iterator[str] = iter(
                [pipeline.emit(what, cast("pipeline.EmittedLevel", level or "cover"), report=report)]
            )
        else:
            lowered = moved if level is None else _lowered(moved, cast("pipeline.LevelName", level))
            with _refused(puzzle, lowered):
                chunks = write_chunks(lowered, writer.name, Choices(cast("AtMostOne", at_most_one)))
            if (warning := left_out(lowered, writer.name)) is not None:
                report_all([warning])
        _write_file(chunks, target, force)
    if as_json:
        tell_written(target, writer.name if writer else level or "cover")
    if isinstance(moved, Puzzle) and moved is not what and moved.lattice is not None:
        say(f'the file refers to its lattice by a relative path: `lattice "{moved.lattice.name}"`')
    report_all(report.diagnostics)
    if report.errors:
        raise typer.Exit(status_of(report.diagnostics))


def _write_file(chunks: Iterator[str], target: str, force: bool) -> None:
    """Write chunks to a file, compressed if its name ends in `.gz`, or to standard output."""
    if target == "-":
        with written_to("standard output", ""):
            _write(chunks, sys.stdout)
            sys.stdout.flush()
        return
    with new_file(target, force) as path, path.open("wb") as raw:
        if target.lower().endswith(".gz"):  # no name and time: the same puzzle gives the same bytes
            with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                _write(map(str.encode, chunks), cast(IO[Any], packed))
        else:
            _write(map(str.encode, chunks), raw)


def _write_diagram(puzzle: Named, target: str, force: bool, memory: str | None, time: float | None) -> EverySolution:
    """Write the diagram of all solutions, and return it."""
    from puzzlec.cli.solutions_all import built

    if target == "-":
        raise typer.BadParameter("name a file: a diagram is binary", param_hint="OUT")
    begun = clock.monotonic()
    with bounded(time, begun):
        encoding = puzzle.encoding()
    with new_file(target, force) as path:
        with bounded(time, begun, grace=True):
            every = built(encoding, memory, time_left(time, begun))
        every.save(path)
    taken = time_taken(clock.monotonic() - begun)
    say(f"{counted(every.count, 'raw solution')}, {counted(every.nodes, 'node')} of the diagram {taken}")
    return every


@contextmanager
def _refused(puzzle: str, what: pipeline.Compiled) -> Iterator[None]:
    """Add the errors of the puzzle to the refusals of a format, and how to list formats that can store the puzzle.

    A refusal without a position names the input, not the title of the puzzle.
    """
    try:
        yield
    except PuzzleError as error:
        if error.diagnostics[-1].code not in ("PZ501", "PZ502"):
            raise
        found = [
            diagnostic if diagnostic.span else replace(diagnostic, file=puzzle) for diagnostic in error.diagnostics
        ]
        if puzzle != "-":
            help = f"`puzzlec list formats {shlex.quote(puzzle)}` lists the formats that can store it"
            found[-1] = replace(found[-1], helps=(*found[-1].helps, help))
        raise PuzzleError([*_errors_of(what), *found]) from None


def _errors_of(what: pipeline.Compiled) -> list[Diagnostic]:
    """Return the errors of a puzzle, which apply to every format."""
    report = Report()
    try:
        pipeline.check(what, report=report)
    except PuzzleError as error:
        return [diagnostic for diagnostic in error.diagnostics if diagnostic.severity is Severity.ERROR]
    return [diagnostic for diagnostic in report.diagnostics if diagnostic.severity is Severity.ERROR]


def _write(chunks: Iterator[str] | Iterator[bytes], stream: IO[Any]) -> None:
    for chunk in chunks:
        stream.write(chunk)


def _lowered(what: Level, level: pipeline.LevelName) -> pipeline.Compiled:
    """Return a puzzle at a level; raise typer.BadParameter if the puzzle is already below this level."""
    try:
        return pipeline.compile(what, level=level)
    except ValueError:
        raise typer.BadParameter(f"the puzzle is already below the level `{level}`", param_hint="--level") from None


def with_lattice_from(what: Level, name: str, target: str) -> Level:
    """Return a puzzle of the file ``name`` with its own lattice, if it has one, named as from the file ``target``."""
    if not isinstance(what, Puzzle) or what.lattice is None or not is_lattice_file(what.lattice.name):
        return what
    path = (Path(name).parent if Path(name).is_file() else Path()) / what.lattice.name
    if Path(what.lattice.name).is_absolute() or not path.is_file():
        return what
    try:
        found = Path(os.path.relpath(path, Path(target).parent)).as_posix()
    except ValueError:  # there is no path from one drive to another
        found = path.resolve().as_posix()
    known = PurePath(what.lattice.name).as_posix()
    return what if found == known else replace(what, lattice=replace(what.lattice, name=found))


#: The command that writes each kind of output.
_COMMANDS = {PICTURES: "draw", PAGES: "view", MESHES: "model", OUTLINES: "model"}


def _refuse_outputs(puzzle: str, to: str | None, target: str) -> None:
    """Raise PuzzleError (PZ004) for the format of a picture, a page or a model, with the command that writes it."""
    word = (to or Path(target).suffix.removeprefix(".")).lower()
    kind = next((kind for kind in _COMMANDS if word in of_kind(kind)), None)
    if kind is None or (to is None and target == "-"):
        return
    stem = Path(puzzle).stem.strip("-") or "picture"
    file = f"{stem}.{word}" if target == "-" else target
    raise fail(
        "PZ004",
        f"unknown format `{word}` for `convert`: expected a format of puzzles",
        help=f"`puzzlec {_COMMANDS[kind]} {shlex.quote(puzzle)} -o {shlex.quote(file)}`",
    )


def _writer(to: str | None, target: str, level: str | None) -> Format | None:
    """Return the writer of ``--to``, else of the extension of a file; None for a level without a format."""
    if to is not None:
        return writer_named(to)
    if level is None and target == "-":
        raise typer.BadParameter(
            "name a format, such as `--to dlx`; `puzzlec list formats` lists them", param_hint="--to"
        )
    if level is None:
        return writer_for(target)
    if level == "puzzle":
        return WRITERS["puzzle"]
    try:
        return None if target == "-" else writer_for(target)
    except PuzzleError:
        return None
