"""``puzzlec compile``: a puzzle lowered to a level and written, down to the set of all its solutions."""

from __future__ import annotations

import sys
import time as clock
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import (
    Board,
    From,
    Json,
    Memory,
    Parameters,
    Problem,
    PuzzleName,
    Time,
    parameter_values,
    time_left,
)  # fmt: skip
from puzzlec.cli.candidates import any_files, words
from puzzlec.cli.deadline import bounded
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.input import Named, encoded
from puzzlec.cli.output import new_file, refuse_two_results, tell_written, write_file
from puzzlec.cli.stats import time_taken
from puzzlec.cli.terminal import report_all, say
from puzzlec.diagnostics import Report, counted, none_of

if TYPE_CHECKING:
    from puzzlec.solving.every import EverySolution

#: The levels, from the highest to the lowest.
LEVELS = ("puzzle", "fitting", "cover", "zdd")


def compile_puzzle(
    puzzle: PuzzleName,
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write, `-` for standard output.", autocompletion=any_files)
    ] = "-",
    to: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="puzzle: all abbreviations resolved. fitting: every placement. cover: the exact cover. zdd: all "
            "solutions in a decision diagram, for `puzzlec solutions --saved`. "
            "Where it is left out, the ending of OUT says it, else it is cover.",
            autocompletion=words(LEVELS),
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
    as_json: Json = False,
    memory: Memory = None,
    time: Time = None,
    given: Parameters = None,
    source: From = None,
    board: Board = None,
    problem: Problem = None,
) -> None:
    """Compile a puzzle to one of its levels.

    The puzzle in its language, its placements, its exact cover, or the diagram of all its solutions.

    Example: puzzlec compile soma soma.zdd
    """
    level = to or _level_of(target)
    if level not in LEVELS:
        raise typer.BadParameter(none_of(level, LEVELS), param_hint="--to")
    refuse_two_results(as_json, target)
    if level == "zdd":
        if target == "-":
            raise typer.BadParameter("name a file for the diagram: it is no text", param_hint="OUT")
        every = _write_diagram(Named(puzzle, source, board, given, problem), target, force, memory, time)
        if as_json:
            tell_written(target, level, solutions=every.count, nodes=every.nodes)
        return
    report = Report()
    text = pipeline.emit(puzzle, level, report, source, board, parameter_values(given), problem)
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()  # in a pipe, too, the complaints come last
    report_all(report.diagnostics)
    if report.errors:
        raise typer.Exit(ExitStatus.FAULTY)
    if target != "-":
        write_file(target, text, force)
    if as_json:
        tell_written(target, level)


def _level_of(target: str) -> str:
    """Return the level that the ending of a file name says, cover where it says none."""
    ending = PurePath(target).suffix.lower()[1:]
    return ending if ending in LEVELS else "cover"


def _write_diagram(puzzle: Named, target: str, force: bool, memory: str | None, time: float | None) -> EverySolution:
    """Write the diagram of all solutions, and return it."""
    from puzzlec.cli.building import built

    begun = clock.monotonic()
    with bounded(time, begun):
        encoding = encoded(*puzzle)
    with new_file(target, force) as path:
        with bounded(time, begun, grace=True):
            every = built(encoding, memory, time_left(time, begun))
        every.save(path)
    taken = time_taken(clock.monotonic() - begun)
    say(f"{counted(every.count, 'raw solution')}, {counted(every.nodes, 'node')} of the diagram {taken}")
    return every
