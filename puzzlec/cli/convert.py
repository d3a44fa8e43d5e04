"""``puzzlec convert``: a puzzle in another format."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from puzzlec import compiler, pipeline
from puzzlec.cli.arguments import Clock, Memory, Named, ReadingOptions, TargetOptions
from puzzlec.cli.candidates import any_files, puzzles_and_files, words
from puzzlec.cli.command import OUTPUT, UsageError
from puzzlec.cli.options import Argument, Option, refusing
from puzzlec.cli.output import new_file, tell_written, written_to
from puzzlec.cli.terminal import MODE, end, report_all, say, status_of
from puzzlec.cli.verbose import time_taken
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity
from puzzlec.diagnostics.error import fail
from puzzlec.formats.record import AT_MOST_ONE, Format, WriterChoices
from puzzlec.formats.registry import WRITERS
from puzzlec.formats.solutions.streams import stream
from puzzlec.formats.writing import left_out, with_lattice_from, write_chunks, writer_for, writer_named
from puzzlec.ir import Puzzle
from puzzlec.make.table import command_of

if TYPE_CHECKING:
    from puzzlec.formats.record import AtMostOne
    from puzzlec.solving.every import EverySolution

#: The stages of a puzzle that have a text, and the diagram of all its solutions.
STAGES = ("puzzle", "fitting", "cover", "zdd")


def convert(
    puzzle: Annotated[
        str, Argument("File, `-`, or name of a puzzle in the catalogue.", "IN", offered=puzzles_and_files)
    ],
    target: Annotated[str | None, Argument("File to write. [default: -]", "OUT", offered=any_files)] = None,
    written: TargetOptions = TargetOptions(),
    to: Annotated[
        str | None,
        Option(
            "Format to write. [default: from the name of OUT]", "FORMAT", offered=words((*WRITERS, "zdd")), panel=OUTPUT
        ),
    ] = None,
    stage: Annotated[
        str | None,
        Option("Convert to this stage first: puzzle, fitting, cover, or zdd (all solutions).", "STAGE", words=STAGES),
    ] = None,
    reading: ReadingOptions = ReadingOptions(),
    at_most_one: Annotated[
        str, Option("Clauses for `at most one`: auto, pairwise or sequential.", "HOW", words=AT_MOST_ONE, hidden=True)
    ] = "auto",
    memory: Memory = None,
    clock: Clock = Clock(),
) -> None:
    """Convert a puzzle to another format or stage.

    `puzzlec list formats` lists the formats. The extension of OUT selects the format; add `.gz` to compress the file.
    With a stage but no
    format, OUT gets the text of `puzzlec explain --stage`. The stage zdd is a diagram of all solutions.

    Examples:
        puzzlec convert soma soma.cnf
        puzzlec convert soma --to dlx

    """
    target, force = target or written.output or "-", written.force
    named = reading.of(puzzle)
    if "zdd" in (to, stage) or (to is None and target.lower().endswith(".zdd")):
        every = _write_diagram(named, target, force, memory, clock)
        if MODE.json:
            tell_written(target, "zdd", solutions=every.count, nodes=every.nodes)
        return
    _refuse_outputs(puzzle, to, target)
    writer = _writer(to, target, stage)
    if writer is not None and stage is not None and writer.stage not in ("any", stage):
        speaks = f"the format `{writer.name}` always has the stage `{writer.stage}`"
        raise typer.BadParameter(f"{speaks}; choose a stage for `json`", param_hint="--stage")
    report = Report()
    with clock.bounded(before="all was written"):
        what = named.read()
        is_text = writer is not None and writer.name == "puzzle"
        moved = with_lattice_from(what, puzzle, target) if target != "-" and is_text else what
        if writer is None:
            chunks: Iterator[str] = iter(
                [pipeline.emit(what, cast("pipeline.EmittedStage", stage or "cover"), report=report)]
            )
        else:
            with refusing("--stage"):  # it may already be below this stage
                lowered = moved if stage is None else compiler.compile(moved, stage=cast("compiler.StageName", stage))
            with _refused(puzzle, lowered):
                chunks = write_chunks(lowered, writer.name, WriterChoices(cast("AtMostOne", at_most_one)))
            if (warning := left_out(lowered, writer.name)) is not None:
                report_all([warning])
        _write_file(chunks, target, force)
    if MODE.json:
        tell_written(target, writer.name if writer else stage or "cover")
    if isinstance(moved, Puzzle) and moved is not what and moved.lattice is not None:
        say(f'the file refers to its lattice by a relative path: `lattice "{moved.lattice.name}"`')
    report_all(report.diagnostics)
    end(status_of(report.diagnostics))


def _write_file(chunks: Iterator[str], target: str, force: bool) -> None:
    """Write chunks to a file, compressed if its name ends in `.gz`, or to standard output."""
    if target == "-":
        with written_to("standard output", ""):
            sys.stdout.writelines(chunks)
            sys.stdout.flush()
        return
    packed = "gzip" if target.lower().endswith(".gz") else ""
    with new_file(target, force) as path, stream(path, packed) as file:
        for chunk in chunks:
            file.write(chunk.encode())


def _write_diagram(puzzle: Named, target: str, force: bool, memory: int | None, clock: Clock) -> EverySolution:
    """Write the diagram of all solutions, and return it."""
    from puzzlec.cli.solutions import built
    from puzzlec.solving.subject import counted_solutions

    with clock.bounded():
        encoding = puzzle.encoding()
    with new_file(target, force) as path:
        with clock.bounded(grace=True):
            every = built(encoding, memory, clock)
        every.save(path)
    how_long = time_taken(clock.taken)
    say(f"{counted_solutions(every.count, 'none')}, {every.nodes:,} nodes of the diagram {how_long}")
    return every


@contextmanager
def _refused(puzzle: str, what: compiler.Compiled) -> Iterator[None]:
    """Add the errors of the puzzle to the refusals of a format, and how to list formats that can store the puzzle.

    A refusal without a position names the input, not the title of the puzzle.
    """
    try:
        yield
    except PuzzleError as error:
        if error.diagnostics[-1].code not in ("PZ501", "PZ502"):
            raise
        diagnostics = [
            diagnostic if diagnostic.span else replace(diagnostic, file=puzzle) for diagnostic in error.diagnostics
        ]
        if puzzle != "-":
            help = f"`puzzlec list formats {shlex.quote(puzzle)}` lists the formats that can store it"
            diagnostics[-1] = replace(diagnostics[-1], helps=(*diagnostics[-1].helps, help))
        raise PuzzleError([*_errors_of(what), *diagnostics]) from None


def _errors_of(what: compiler.Compiled) -> list[Diagnostic]:
    """Return the errors of a puzzle, which apply to every format."""
    report = Report()
    try:
        compiler.check(what, report=report)
    except PuzzleError as error:
        report.diagnostics = list(error.diagnostics)
    return [diagnostic for diagnostic in report.diagnostics if diagnostic.severity is Severity.ERROR]


def _refuse_outputs(puzzle: str, to: str | None, target: str) -> None:
    """Raise PuzzleError (PZ004) for the format of a picture, a page or a model, with the command that writes it."""
    word = (to or Path(target).suffix.removeprefix(".")).lower()
    command = command_of(word)
    if command is None or (to is None and target == "-"):
        return
    stem = Path(puzzle).stem.strip("-") or "picture"
    file = f"{stem}.{word}" if target == "-" else target
    raise fail(
        "PZ004",
        f"unknown format `{word}` for `convert`: expected a format of puzzles",
        help=f"`puzzlec {command} {shlex.quote(puzzle)} -o {shlex.quote(file)}`",
    )


def _writer(to: str | None, target: str, stage: str | None) -> Format | None:
    """Return the writer of ``--to``, else of the extension of a file; None for a stage without a format."""
    if to is not None:
        return writer_named(to)
    if stage is None and target == "-":
        raise UsageError("missing format. Add `--to dlx`, or another format of `puzzlec list formats`")
    if stage is None:
        return writer_for(target)
    if stage == "puzzle":
        return WRITERS["puzzle"]
    try:
        return None if target == "-" else writer_for(target)
    except PuzzleError:
        return None
