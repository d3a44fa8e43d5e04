"""``puzzlec check``: the errors and warnings of puzzles, solutions and certificates, and the numbers of `expect`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlec import compiler
from puzzlec.cli.arguments import Ascii, Clock, CountKernel, Force, Named, ReadingOptions, named
from puzzlec.cli.candidates import puzzles_and_files, tags, words
from puzzlec.cli.command import OUTPUT, UsageError
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import FILE, Argument, Option
from puzzlec.cli.terminal import MODE, end, out, out_json, report_all, say, status_after, status_of
from puzzlec.cli.texts.solutions import FORMATS
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Severity, as_dict, concise, counted, none_of
from puzzlec.diagnostics.files import is_file, shown_name
from puzzlec.engine import Limits
from puzzlec.engine.certificate.beginning import is_certificate
from puzzlec.ir import Fitting
from puzzlec.lower import encode

if TYPE_CHECKING:
    from puzzlec.recount import Verified


@dataclass
class Promises:
    """The promised numbers of a puzzle, with the ``results`` of the counts. ``number`` is counted without any."""

    clock: Clock
    results: list[Verified] = field(default_factory=list)
    number: int | None = None

    @property
    def stopped(self) -> bool:
        """Whether a count reached the time limit."""
        return any(promise.outcome.value == "unfinished" for promise in self.results)

    def check(self, fitting: Fitting, report: Report) -> None:
        """Count the promised numbers and report those that differ; without a promise, count the solutions."""
        from puzzlec.recount import check_expected
        from puzzlec.solving.solutions import Solutions

        with self.clock.bounded(grace=True, before="all was counted"):
            encoding = encode(fitting)
            self.results = check_expected(encoding, report, seconds=self.clock.left)
            if not any(promise.convention for promise in self.results):
                solutions = Solutions(encoding, limits=Limits(seconds=self.clock.left))
                number = solutions.count()
                self.number = number if solutions.stopped is None else None

    def say(self, name: str) -> None:
        """Print what was counted."""
        if MODE.json:
            for promise in self.results:
                row = {"puzzle": name, "measure": promise.convention or None, "expected": promise.stated}
                out_json({**row, "counted": promise.counted, "outcome": promise.outcome.value})
            return
        agree = sum(promise.outcome.value == "agrees" for promise in self.results)
        if agree:
            say(f"{name}: {counted(agree, 'number')} as expected")
        elif self.number is not None:
            say(f"{name}: `expect {self.number}` would be right")


#: Default limit for counting a puzzle of the catalogue again, in seconds.
RECOUNT_SECONDS = 10.0

#: What comes after a check, for the remark of a limit of time.
CHECKED = "all was checked"


def _known_kind(name: str) -> str:
    """Return the name of a format of answers; raise ValueError for an unknown one."""
    from puzzlec.formats.solvers.answers import FORMATS, KINDS, kinds_called

    if not kinds_called(name):
        raise ValueError(none_of(name, [*KINDS, *FORMATS]))
    return name


def _is_answer(puzzle: str, name: str) -> bool:
    from puzzlec.cli.answers import is_answer  # a check of a puzzle does not wait for it

    return is_answer(puzzle, name)


def check(
    puzzles: Annotated[
        list[str] | None,
        Argument("Puzzles; or one puzzle, and the answer of a solver.", "PUZZLE", offered=puzzles_and_files),
    ] = None,
    certificate: Annotated[str | None, FILE.saying("Check the certificate in FILE.")] = None,
    is_catalogue: Annotated[bool, Option("Count the solutions of the catalogue again.", name="--catalogue")] = False,
    kind: Annotated[
        str | None,
        Option(
            "Format of the answer. [default: detected]",
            "FORMAT",
            name="--solutions-from",
            offered=words(named("puzzlec.formats.solvers.answers.KINDS")),
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
        FILE.saying("Write the valid solutions to OUT.", metavar="OUT", name="--save-valid", panel=OUTPUT),
    ] = None,
    count: Annotated[bool, Option("Count the solutions and compare with `expect`.")] = False,
    brief: Annotated[bool, Option("Print one line for each error.", name="--concise", panel=OUTPUT)] = False,
    ascii: Ascii = False,
    force: Force = False,
    tag: Annotated[list[str] | None, Option("With --catalogue: tag.", "TAG", offered=words(tags), hidden=True)] = None,
    threads: Annotated[int, Option("With --catalogue.", "N", least=0, hidden=True)] = 1,
    kernel: CountKernel = "auto",
    clock: Clock = Clock(),
    reading: ReadingOptions = ReadingOptions(),
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

        count_again(names, tag or [], RECOUNT_SECONDS if clock.time is None else clock.time, threads, kernel)
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
            from puzzlec.cli.answers import AnswerFile, Shows, check_answer

            shows = Shows(format, ascii, to, limit, unique, keep, force)
            check_answer(AnswerFile(reading.of(names[0]), names[1], kind), shows)
        return
    for value, option in ((keep, "--save-valid"), (kind, "--solutions-from"), (to, "--to")):
        if value is not None:
            raise typer.BadParameter("also give the answer: `puzzlec check PUZZLE ANSWER`", param_hint=option)
    diagnostics, stopped = list[Diagnostic](), False
    for name in names:
        promises = Promises(clock) if count else None
        diagnostics += _check_puzzle(reading.of(name), format, clock, promises, len(names))
        stopped = stopped or (promises is not None and promises.stopped)
    end(status_of(diagnostics) or status_after(stopped, True))


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
        end(status_of(error.diagnostics))


def _diagnostics(named: Named, clock: Clock, promises: Promises | None, report: Report) -> list[Diagnostic]:
    """Return the diagnostics of a puzzle, which are added to a report; with ``promises``, also those of a count."""
    try:
        with clock.bounded(before=CHECKED):
            fitting = compiler.check(named.load(report), report=report)
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
