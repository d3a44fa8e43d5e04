"""``puzzlec check``: the errors and warnings of puzzles, solutions and certificates."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import (
    BoardShared,
    Force,
    FromShared,
    Json,
    Named,
    ParametersSwept,
    ProblemShared,
    Time,
    parameter_values,
)
from puzzlec.cli.candidates import any_files, check_word, puzzles_and_files, words
from puzzlec.cli.command import OUTPUT
from puzzlec.cli.output import new_file
from puzzlec.cli.promises import Promises
from puzzlec.cli.sweeps import swept
from puzzlec.cli.terminal import MODE, ExitStatus, out, out_json, out_row, report_all, say, status_of
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, as_dict, concise, counted
from puzzlec.diagnostics.files import shown_name
from puzzlec.ir import Fitting
from puzzlec.lower import encode
from puzzlec.solving.faults import wrong_ones

if TYPE_CHECKING:
    from puzzlec.solving.judging import Tally, Verdict


def _notations() -> tuple[str, ...]:
    from puzzlec.formats.solutions.claims import NOTATIONS  # a check of a puzzle does not wait for it

    return NOTATIONS


def judge(fitting: Fitting, name: str, notation: str | None, format: str, keep: str | None, force: bool) -> None:
    """Check the solutions in a file, print the errors, and keep the right ones; exit with 1 if some are wrong."""
    from puzzlec.solving.judging import Tally, check_solutions

    verdicts = check_solutions(fitting, name, format=notation)
    tally = Tally(encode(fitting))
    if keep is None:
        _print(verdicts, tally, format)
    else:
        with new_file(keep, force) as path:
            right = _print(verdicts, tally, format)
            between = "\n\n" if any("\n" in text for text in right) else "\n"
            path.write_text(between.join(right) + "\n" if right else "", encoding="utf-8", newline="\n")
    if format != "concise":
        _sum_up(tally)
    if tally.wrong:
        raise typer.Exit(ExitStatus.FAULTY)


def _print(verdicts: Iterable[Verdict], tally: Tally, format: str) -> list[str]:
    """Print the verdict on each claim; return the texts of the right ones."""
    right = []
    for number, verdict in enumerate(verdicts, 1):
        before = tally.add(verdict)
        span = verdict.claim.span
        line, column = span.source.position(span.start)
        if verdict.solution is not None:
            right.append(span.text)
        if format == "json":
            data = {"solution": number, "file": span.source.name, "line": line, "right": verdict.solution is not None}
            data |= {"reason": verdict.reason or None, "repeated": before}
            if verdict.claim.faults:
                data["faults"] = [as_dict(fault) for fault in verdict.claim.faults]
            out_json(data)
        elif format == "text":
            fine = "right, but repeated" if before else "right"
            unread = f"cannot be read ({', '.join(dict.fromkeys(fault.code for fault in verdict.claim.faults))})"
            out(f"solution {number}, line {line}: {unread if verdict.claim.faults else verdict.reason or fine}")
            if verdict.claim.faults:
                sys.stdout.flush()
                report_all(verdict.claim.faults)
        elif verdict.claim.faults:
            for fault in verdict.claim.faults:
                out(concise(fault))
        elif verdict.solution is None:
            out(f"{span.source.name}:{line}:{column}: {verdict.reason}")
    return right


def _sum_up(tally: Tally) -> None:
    """Print how many claims are right and wrong, and how many of the right ones are distinct."""
    distinct = tally.distinct()
    first, *others = _summary(tally, distinct)
    say(
        first,
        solutions=tally.right + tally.wrong.total(),
        right=tally.right,
        wrong=dict(tally.wrong),
        distinct=distinct,
        repeated=tally.twice,
        unclear=tally.unclear,
    )
    for line in others:
        say(line)


def _summary(tally: Tally, distinct: int | None) -> list[str]:
    """Return the summary of the claims in lines."""
    from puzzlec.cli.showing import NOT_TOLD_APART

    number = tally.right + tally.wrong.total()
    lines = [f"{counted(number, 'solution')}: {tally.right} right{wrong_ones(tally.wrong)}"]
    unclear = [f"{tally.unclear} not known: {NOT_TOLD_APART}"] * (tally.unclear > 0)
    if tally.right == tally.unclear > 0:
        lines.append(f"of the right ones: {unclear[0]}")
    elif tally.right:
        told = [f"{distinct} distinct"] * (distinct is not None) + [f"{tally.twice} repeated"] * (tally.twice > 0)
        told += unclear
        lines.append(f"of the right ones: {', '.join(told)}" if told else "too many symmetries to list")
    return lines


@swept
def check(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PUZZLE", help="Files, `-`, or names in the catalogue.", autocompletion=puzzles_and_files
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
            autocompletion=words(_notations),
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
    count: Annotated[bool, typer.Option("--count", help="Count the solutions and compare with `expect`.")] = False,
    time: Time = None,
    as_json: Json = False,
    brief: Annotated[
        bool, typer.Option("--concise", help="Print one line for each error.", rich_help_panel=OUTPUT)
    ] = False,
    force: Force = False,
    given: ParametersSwept = None,
    source: FromShared = None,
    board: BoardShared = None,
    problem: ProblemShared = None,
) -> None:
    """Check puzzles, solutions or a certificate.

    Shows every error, and every reason that excludes a solution. It searches only with --count, which compares the
    number of solutions with `expect`. Solutions of another program are compared with the puzzle.

    Examples:
        puzzlec check mine.puzzle
        puzzlec check soma --solutions found.txt
        puzzlec check mine.puzzle --count

    """
    if brief and as_json:
        raise typer.BadParameter("give --concise or --json, not both", param_hint="--concise")
    format = "json" if as_json else "concise" if brief else "text"
    puzzles = puzzles or []
    if certificate is not None or (solutions is not None and _is_certificate(solutions)):
        from puzzlec.cli.certificate import check_certificate

        if len(puzzles) > 1 or certificate in puzzles or None not in (certificate, solutions):
            raise typer.BadParameter("give one certificate, and at most one puzzle", param_hint="--certificate")
        if keep is not None or notation is not None or force:
            raise typer.BadParameter("use this with solutions, not with a certificate", param_hint="--save-valid")
        if not puzzles and (source or board or given or problem):
            raise typer.BadParameter("use this with a puzzle: the puzzle in the certificate is fixed")
        with _told(format):
            of = Named(puzzles[0], source, board, given, problem).encoding() if puzzles else None
            check_certificate(str(solutions if certificate is None else certificate), of, format)
        return
    if not puzzles:
        raise typer.BadParameter("give a puzzle, or a certificate with --certificate FILE", param_hint="PUZZLE...")
    if solutions is not None:
        if len(puzzles) > 1:
            raise typer.BadParameter("give one puzzle", param_hint="--solutions")
        check_word(notation, _notations(), "--solutions-from")
        with _told(format):
            judge(Named(puzzles[0], source, board, given, problem).fitting(), solutions, notation, format, keep, force)
        return
    if keep is not None or notation is not None:
        raise typer.BadParameter("use this with --solutions", param_hint="--save-valid" if keep else "--solutions-from")
    found, stopped = list[Diagnostic](), False
    for name in puzzles:
        promises = Promises(time) if count else None
        found += _check_puzzle(Named(name, source, board, given, problem), format, promises, len(puzzles))
        stopped = stopped or (promises is not None and promises.stopped)
    if (status := status_of(found)) != ExitStatus.DONE or stopped:
        raise typer.Exit(status or ExitStatus.LIMIT)


def _check_puzzle(named: Named, format: str, promises: Promises | None, puzzles: int) -> list[Diagnostic]:
    """Print the diagnostics of one of the puzzles, and what was counted; return the diagnostics."""
    diagnostics = _diagnostics(named, promises)
    _tell(diagnostics, format)
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    if not errors and format == "json":
        out_json({"puzzle": named.name, "errors": 0, "warnings": warnings})
    if format == "text":
        _say_result(named.name, errors, warnings, puzzles)
    if promises is not None and format != "concise":
        promises.say(named.name, format == "json")
    return diagnostics


def _say_result(name: str, errors: int, warnings: int, puzzles: int) -> None:
    """Print the numbers of errors and warnings of one of the puzzles: as a remark without errors, or as a row."""
    result = counted(errors, "error") if errors else "no errors"
    if warnings:
        result += f", {counted(warnings, 'warning')}"
    if MODE.sweep:
        out_row(**({"puzzle": name} if puzzles > 1 else {}), result=result)
    elif not errors:
        say(f"{name}: {result}")


def _is_certificate(name: str) -> bool:
    from puzzlec.certificates.reading import is_certificate

    return is_certificate(name)


def _tell(diagnostics: Iterable[Diagnostic], format: str) -> None:
    """Print diagnostics for people, or for other programs."""
    if format == "text":
        report_all(diagnostics)
        return
    for diagnostic in diagnostics:
        out_json(as_dict(diagnostic)) if format == "json" else out(concise(diagnostic))


@contextmanager
def _told(format: str) -> Iterator[None]:
    """Print the errors that end the block, in a format for programs; errors for people are raised."""
    try:
        yield
    except PuzzleError as error:
        if format == "text":
            raise
        _tell(error.diagnostics, format)
        raise typer.Exit(status_of(error.diagnostics)) from None


def _diagnostics(named: Named, promises: Promises | None) -> list[Diagnostic]:
    """Return the diagnostics of a puzzle; with ``promises``, also those of a count."""
    report = Report()
    name, source, board, given, problem = named
    try:
        values = parameter_values(given)
        what = pipeline.load(name, format=source, board=board, report=report, parameters=values, problem=problem)
        fitting = pipeline.check(what, report=report)
        if promises is not None and not report.errors:
            promises.check(fitting, report)
    except PuzzleError as error:
        seen = list(report.diagnostics)
        return seen + [diagnostic for diagnostic in error.diagnostics if diagnostic not in seen]
    # An exact cover has no file name, but other programs need a name on each line.
    return [
        diagnostic if diagnostic.span or diagnostic.file else replace(diagnostic, file=shown_name(name))
        for diagnostic in report.diagnostics
    ]
