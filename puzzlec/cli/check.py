"""``puzzlec check``: the errors and warnings of puzzles, solutions and certificates."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlec import pipeline
from puzzlec.cli.arguments import Ascii, Clock, CountKernel, Force, Named, Reading
from puzzlec.cli.candidates import any_files, puzzles_and_files, tags, words
from puzzlec.cli.command import OUTPUT, UsageError
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import Argument, Option
from puzzlec.cli.output import new_file
from puzzlec.cli.promises import Promises
from puzzlec.cli.terminal import MODE, ExitStatus, out, out_json, report_all, say, status_of
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, as_dict, concise, counted, none_of
from puzzlec.diagnostics.files import is_file, shown_name
from puzzlec.engine.certificate.beginning import is_certificate
from puzzlec.show.terminal.solutions import FORMATS, NOT_TOLD_APART

if TYPE_CHECKING:
    from puzzlec.cli.answers import Answer
    from puzzlec.solving.judging import Tally, Verdict


#: Default limit for counting a puzzle of the catalogue again, in seconds.
USUAL_SECONDS = 10.0

#: What comes after a check, for the remark of a limit of time.
CHECKED = "all was checked"


def _kinds() -> Iterable[str]:
    from puzzlec.formats.solvers.answers import KINDS  # a check of a puzzle does not wait for it

    return KINDS


def _known_kind(name: str) -> str:
    """Return the name of a format of answers; raise ValueError for an unknown one."""
    from puzzlec.formats.solvers.answers import FORMATS, KINDS, kinds_called

    if not kinds_called(name):
        raise ValueError(none_of(name, [*KINDS, *FORMATS]))
    return name


def _is_answer(puzzle: str, name: str) -> bool:
    from puzzlec.cli.answers import is_answer  # a check of a puzzle does not wait for it

    return is_answer(puzzle, name)


def judge(answer: Answer, format: str, keep: str | None, force: bool) -> None:
    """Check solutions in a notation of puzzlec, print errors, and keep the right ones; exit with 1 if any is wrong."""
    from puzzlec.solving.judging import Tally, check_solutions

    encoding = answer.encoding
    verdicts = check_solutions(encoding.fitting, answer.name, format=answer.notation)
    tally = Tally(encoding)
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
    from puzzlec.solving.faults import wrong_ones  # a check of a puzzle does not wait for it

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


def check(
    puzzles: Annotated[
        list[str] | None,
        Argument("Puzzles; or one puzzle, and the answer of a solver.", "PUZZLE", offered=puzzles_and_files),
    ] = None,
    certificate: Annotated[str | None, Option("Check the certificate in FILE.", "FILE", offered=any_files)] = None,
    is_catalogue: Annotated[bool, Option("Count the solutions of the catalogue again.", name="--catalogue")] = False,
    kind: Annotated[
        str | None,
        Option(
            "Format of the answer. [default: detected]",
            "FORMAT",
            name="--solutions-from",
            offered=words(_kinds),
            parse=_known_kind,
        ),
    ] = None,
    to: Annotated[
        str | None,
        Option("Also print the valid solutions: text, list, jsonl ...", "FORMAT", words=FORMATS, panel=OUTPUT),
    ] = None,
    limit: Annotated[int | None, Option("With --to: print at most N.", "N", least=1, hidden=True)] = None,
    unique: Annotated[bool, Option("With --to: leave out repeated solutions.", hidden=True)] = False,
    keep: Annotated[
        str | None,
        Option("Write the valid solutions to OUT.", "OUT", name="--save-valid", offered=any_files, panel=OUTPUT),
    ] = None,
    count: Annotated[bool, Option("Count the solutions and compare with `expect`.")] = False,
    brief: Annotated[bool, Option("Print one line for each error.", name="--concise", panel=OUTPUT)] = False,
    ascii: Ascii = False,
    force: Force = False,
    tag: Annotated[list[str] | None, Option("With --catalogue: tag.", "TAG", offered=words(tags), hidden=True)] = None,
    threads: Annotated[int, Option("With --catalogue.", "N", least=0, hidden=True)] = 1,
    kernel: CountKernel = "auto",
    clock: Clock = Clock(),
    reading: Reading = Reading(),
) -> None:
    """Check puzzles, answers or a certificate.

    Shows every error, and every reason that excludes a solution. It searches only with --count, which compares the
    number of solutions with `expect`. With an answer, such as the output of a solver for a file of `puzzlec convert`,
    it compares each solution with the puzzle. The last file is an answer unless it contains a puzzle. With --catalogue,
    counts again what the catalogue states, for at most --time-limit seconds each (default: 10).

    Examples:
        puzzlec check mine.puzzle --count
        puzzlec check soma answer.txt

    """
    format = "json" if MODE.json else "concise" if brief else "text"
    names = puzzles or []
    if is_catalogue:
        from puzzlec.cli.recounting import count_again

        count_again(names, tag or [], USUAL_SECONDS if clock.time is None else clock.time, threads, kernel)
        return
    if certificate is None and len(names) in (1, 2) and is_file(names[-1]) and is_certificate(names[-1]):
        certificate = names.pop()
    if certificate is not None:
        from puzzlec.cli.certificate import check_certificate

        if len(names) > 1 or certificate in names:
            raise typer.BadParameter("give one certificate, and at most one puzzle", param_hint="--certificate")
        with _told(format), clock.bounded(before=CHECKED):
            check_certificate(certificate, reading.of(names[0]).encoding() if names else None, format)
        return
    if not names:
        raise UsageError("missing puzzle. Give a file or the name of a puzzle, or `--certificate FILE`")
    if len(names) == 1 and (kind or to or keep):
        names *= 1 + _is_answer(names[0], names[0])
    if len(names) == 2 and (kind or to or keep or _is_answer(*names)):
        with _told(format), clock.bounded(before=CHECKED):
            from puzzlec.cli.answers import Answer, check_answer

            answer = Answer(reading.of(names[0]), names[1], kind)
            if to is not None or (keep is None and not answer.is_notation):
                check_answer(answer, to, limit, unique, format, ascii)
            else:
                judge(answer, format, keep, force)
        return
    for value, option in ((keep, "--save-valid"), (kind, "--solutions-from"), (to, "--to")):
        if value is not None:
            raise typer.BadParameter("also give the answer: `puzzlec check PUZZLE ANSWER`", param_hint=option)
    found, stopped = list[Diagnostic](), False
    for name in names:
        promises = Promises(clock) if count else None
        found += _check_puzzle(reading.of(name), format, clock, promises, len(names))
        stopped = stopped or (promises is not None and promises.stopped)
    if (status := status_of(found)) != ExitStatus.DONE or stopped:
        raise typer.Exit(status or ExitStatus.LIMIT)


def _check_puzzle(named: Named, format: str, clock: Clock, promises: Promises | None, puzzles: int) -> list[Diagnostic]:
    """Print the diagnostics of one of the puzzles, and what was counted; return the diagnostics."""
    report = Report()
    try:
        diagnostics = _diagnostics(named, clock, promises, report)
    except OutOfTime:
        _tell(report.diagnostics, format)
        raise
    _tell(diagnostics, format)
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    warnings = sum(diagnostic.severity is Severity.WARNING for diagnostic in diagnostics)
    if not errors and format == "json":
        out_json({"puzzle": named.puzzle, "errors": 0, "warnings": warnings})
    if format == "text":
        _say_result(named.puzzle, errors, warnings, puzzles)
    if promises is not None and format != "concise":
        promises.say(named.puzzle)
    return diagnostics


def _say_result(name: str, errors: int, warnings: int, puzzles: int) -> None:
    """Print the numbers of errors and warnings of one of the puzzles: as a remark without errors, or as a row."""
    result = counted(errors, "error") if errors else "no errors"
    if warnings:
        result += f", {counted(warnings, 'warning')}"
    if MODE.sweep:
        MODE.sweep.print_row(**({"puzzle": name} if puzzles > 1 else {}), result=result)
    elif not errors:
        say(f"{name}: {result}")


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


def _diagnostics(named: Named, clock: Clock, promises: Promises | None, report: Report) -> list[Diagnostic]:
    """Return the diagnostics of a puzzle, which are added to a report; with ``promises``, also those of a count."""
    try:
        with clock.bounded(before=CHECKED):
            fitting = pipeline.check(named.load(report), report=report)
        if promises is not None and not report.errors:
            promises.check(fitting, report)
    except PuzzleError as error:
        seen = list(report.diagnostics)
        return seen + [diagnostic for diagnostic in error.diagnostics if diagnostic not in seen]
    # An exact cover has no file name, but other programs need a name on each line.
    return [
        diagnostic if diagnostic.span or diagnostic.file else replace(diagnostic, file=shown_name(named.puzzle))
        for diagnostic in report.diagnostics
    ]
