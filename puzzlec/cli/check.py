"""``puzzlec check``: diagnostics, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import Board, From, Json, Parameters, Problem, parameter_values
from puzzlec.cli.candidates import any_files, puzzles_and_files, words
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.input import encoded, opened
from puzzlec.cli.terminal import ExitStatus, out, out_json, report_all, say
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, as_dict, concise, none_of
from puzzlec.diagnostics.files import shown_name
from puzzlec.formats.solutions.claims import NOTATIONS


def check(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PUZZLE...", help="Files, `-`, or names in the catalogue.", autocompletion=puzzles_and_files
        ),
    ] = None,
    solutions: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Check the solutions in FILE.",
            autocompletion=any_files,
        ),
    ] = None,
    certificate: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Check the certificate in FILE.",
            autocompletion=any_files,
        ),
    ] = None,
    notation: Annotated[
        str | None,
        typer.Option(
            "--solutions-from",
            metavar="FORMAT",
            help="Format of the solutions. [default: detected]",
            autocompletion=words(NOTATIONS),
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            "--save-valid",
            metavar="OUT",
            help="Write the valid solutions to OUT.",
            autocompletion=any_files,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    as_json: Json = False,
    brief: Annotated[
        bool, typer.Option("--concise", help="Print one line for each error.", rich_help_panel=OUTPUT)
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT.", rich_help_panel=OUTPUT)] = False,
    given: Parameters = None,
    source: From = None,
    board: Board = None,
    problem: Problem = None,
) -> None:
    """Check puzzles, solutions or a certificate.

    A puzzle is not solved: every error is shown, and every reason found why it can have no solution. Solutions of
    another program are compared with the puzzle.

    Examples:
        puzzlec check mine.puzzle
        puzzlec check soma --solutions found.txt

    """
    if brief and as_json:
        raise typer.BadParameter("give --concise or --json, not both", param_hint="--concise")
    format = "json" if as_json else "concise" if brief else "text"
    puzzles = puzzles or []
    if certificate is not None or (solutions is not None and _is_certificate(solutions)):
        from puzzlec.cli.certificate_proof import check_certificate

        if len(puzzles) > 1 or certificate in puzzles or None not in (certificate, solutions):
            raise typer.BadParameter("give one certificate, and one other file at most", param_hint="--certificate")
        if keep is not None or notation is not None or force:
            raise typer.BadParameter("this goes with solutions, not with a certificate", param_hint="--save-valid")
        if not puzzles and (source or board or given or problem):
            raise typer.BadParameter("this goes with a puzzle: the one in the certificate is taken as it is")
        with _told(format):
            of = encoded(puzzles[0], source, board, given, problem) if puzzles else None
            check_certificate(str(solutions if certificate is None else certificate), of, format)
        return
    if not puzzles:
        raise typer.BadParameter("give a puzzle, or a certificate with --certificate FILE", param_hint="PUZZLE...")
    if solutions is not None:
        from puzzlec.cli.judging import judge
        from puzzlec.formats.solutions.claims import NOTATIONS

        if len(puzzles) > 1:
            raise typer.BadParameter("give one puzzle, whose solutions these are", param_hint="--solutions")
        if notation is not None and notation not in NOTATIONS:
            raise typer.BadParameter(none_of(notation, NOTATIONS), param_hint="--solutions-from")
        with _told(format):
            judge(opened(puzzles[0], source, board, given, problem), solutions, notation, format, keep, force)
        return
    if keep is not None or notation is not None:
        raise typer.BadParameter(
            "this goes with --solutions", param_hint="--save-valid" if keep else "--solutions-from"
        )
    values, faulty = parameter_values(given), False
    for name in puzzles:
        diagnostics = _diagnostics(name, source, board, values, problem)
        _tell(diagnostics, format)
        errors = sum(each.severity is Severity.ERROR for each in diagnostics)
        warnings = len(diagnostics) - errors
        faulty = faulty or errors > 0
        if not errors and format == "json":
            out_json({"puzzle": name, "errors": 0, "warnings": warnings})
        if not errors and format == "text":
            say(f"{name}: no errors" + (f", {warnings} warning{'s' * (warnings > 1)}" if warnings else ""))
    if faulty:
        raise typer.Exit(ExitStatus.FAULTY)


def _is_certificate(name: str) -> bool:
    from puzzlec.certificates.reading import is_certificate

    return is_certificate(name)


def _tell(diagnostics: Iterable[Diagnostic], format: str) -> None:
    """Print diagnostics for people, or for other programs."""
    if format == "text":
        report_all(diagnostics)
        return
    for each in diagnostics:
        out_json(as_dict(each)) if format == "json" else out(concise(each))


@contextmanager
def _told(format: str) -> Iterator[None]:
    """Print the faults that end the block in a format; those for people go the usual way."""
    try:
        yield
    except PuzzleError as error:
        if format == "text":
            raise
        _tell(error.diagnostics, format)
        raise typer.Exit(ExitStatus.FAULTY) from None


def _diagnostics(
    name: str, source: str | None, board: str | None, values: dict[str, int], problem: str | None
) -> list[Diagnostic]:
    report = Report()
    try:
        what = pipeline.load(name, source, board, report, values, problem)
        pipeline.check(what, report)
    except PuzzleError as error:
        seen = list(report.diagnostics)
        return seen + [each for each in error.diagnostics if each not in seen]
    # An exact cover does not know where it was read: other programs want a file for each line.
    return [each if each.span or each.file else replace(each, file=shown_name(name)) for each in report.diagnostics]
