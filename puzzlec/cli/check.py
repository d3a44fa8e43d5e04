"""``puzzlec check``: diagnostics, and nothing else."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import Board, From
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.terminal import report_all, say
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity


def check(
    puzzles: Annotated[list[str], typer.Argument(metavar="PUZZLE...", help="Files, `-`, or names of the catalogue.")],
    source: From = None,
    board: Board = None,
) -> None:
    """Check puzzles without solving them: show every fault, and reasons why there can be no solution.

    Example: puzzlec check mine.puzzle
    """
    faulty = False
    for name in puzzles:
        diagnostics = _diagnostics(name, source, board)
        report_all(diagnostics)
        errors = sum(each.severity is Severity.ERROR for each in diagnostics)
        warnings = len(diagnostics) - errors
        faulty = faulty or errors > 0
        if not errors:
            say(f"{name}: no errors" + (f", {warnings} warning{'s' * (warnings > 1)}" if warnings else ""))
    if faulty:
        raise typer.Exit(ExitStatus.FAULTY)


def _diagnostics(name: str, source: str | None, board: str | None) -> list[Diagnostic]:
    report = Report()
    try:
        what = pipeline.load(name, source, board, report)
        pipeline.check(what, report)
    except PuzzleError as error:
        seen = list(report.diagnostics)
        return seen + [each for each in error.diagnostics if each not in seen]
    return report.diagnostics
