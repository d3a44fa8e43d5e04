"""``puzzlec explain``: what the compiler understood, one of its stages whole, or what a code means."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import Board, From, Parameters, Problem, parameter_values
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.terminal import out, report_all, style
from puzzlec.diagnostics import Report, error_page, is_code, none_of

#: Longer lines are hard to read, however wide the terminal is.
WIDEST = 100


def explain(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE|CODE", help="A file, `-`, a name of the catalogue, or a code like PZ301.")
    ],
    emit: Annotated[
        str | None,
        typer.Option(metavar="STAGE", help=f"Print this stage whole, and no words: {', '.join(pipeline.STAGES)}."),
    ] = None,
    given: Parameters = None,
    source: From = None,
    board: Board = None,
    problem: Problem = None,
) -> None:
    """Explain a puzzle, or an error by its code.

    What was understood of the puzzle is told stage by stage, without solving it.

    Example: puzzlec explain soma
    """
    if emit is not None and emit not in pipeline.STAGES:
        raise typer.BadParameter(none_of(emit, pipeline.STAGES), param_hint="--emit")
    if is_code(puzzle):
        if emit is not None:
            raise typer.BadParameter("a code has no stages", param_hint="--emit")
        sys.stdout.write(error_page(puzzle))
        return
    report = Report()
    if emit is not None:
        sys.stdout.write(pipeline.emit(puzzle, emit, report, source, board, parameter_values(given), problem))
    else:
        out(
            pipeline.explain(
                puzzle, report, source, board, min(style().width, WIDEST), parameter_values(given), problem
            )
        )
    sys.stdout.flush()  # in a pipe, too, the complaints come last
    report_all(report.diagnostics)
    if report.errors:
        raise typer.Exit(ExitStatus.FAULTY)
