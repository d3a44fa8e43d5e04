"""The answer of another program in ``puzzlec check``: which solutions it has, and whether they are right."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import typer

from puzzlec.cli.arguments import Named
from puzzlec.cli.output import new_file
from puzzlec.cli.terminal import ExitStatus, end, out, out_json, report_all, say, status_after, style
from puzzlec.cli.texts.answers import answer_lines, verdict_words
from puzzlec.cli.texts.solutions import formatted, what_is_lost
from puzzlec.diagnostics import Diagnostic, PuzzleError, Source, as_dict, concise
from puzzlec.diagnostics.files import is_file, open_source
from puzzlec.formats.reading import SHARED_ENDINGS, guess_format
from puzzlec.formats.record import plain_ending
from puzzlec.formats.registry import FORMATS as PUZZLES
from puzzlec.formats.solutions.claims import NOTATIONS, notation_of
from puzzlec.formats.solvers.answers import Ending, SourceLines, guess_kind, kinds_called, lines_of
from puzzlec.formats.solvers.answers.lists import MAX_LAYOUT_LINES
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.show.terminal.style import Style
from puzzlec.solving.judging import check_solutions
from puzzlec.solving.lifting import Count, Lifted, SolverEnd, known_names
from puzzlec.solving.lifting import lift as lifted

#: Bytes of standard input that decide its format.
PEEKED_BYTES = 1 << 16

#: Errors that are shown; others are counted.
MAX_ERRORS_SHOWN = 50


def is_answer(puzzle: str, name: str) -> bool:
    """Return whether the second of two names is an answer to the first one, and not another puzzle."""
    if name == "-" or not is_file(name):
        return name == "-" or (os.path.exists(name) and Path(name).is_fifo())  # noqa: PTH110  # a pipe can be read once
    if name == puzzle:
        return stores_solutions(name)
    ending = plain_ending(name)
    if ending not in SHARED_ENDINGS and any(ending in record.endings for record in PUZZLES.values()):
        return False
    try:
        guess_format(open_source(name))
        names = known_names(Named(puzzle=puzzle).encoding_with_warnings()[0])
    except PuzzleError:
        return True
    return guess_kind(lines_of(name), names) is not None


def stores_solutions(name: str) -> bool:
    """Return whether the file of a puzzle may also store solutions."""
    return is_file(name) and guess_format(open_source(name)) in _STORING


class AnswerFile:
    """An answer to a puzzle. ``kind`` is its format, None: detected."""

    def __init__(self, puzzle: Named, name: str, kind: str | None) -> None:
        if puzzle.puzzle == name == "-":
            raise typer.BadParameter("one of them can be standard input: the puzzle or the answer", param_hint="ANSWER")
        self.puzzle, self.name, self.kind = puzzle, name, kind

    @cached_property
    def encoding(self) -> Encoding:
        """The exact cover of the puzzle; its warnings are printed."""
        return lifted_puzzle(self.puzzle, self.name, self.kind)

    @cached_property
    def notation(self) -> str | None:
        """The notation of puzzlec in which the solutions are, None if it is another format, or unknown."""
        kind = self.kind
        if kind is None:
            head = _peeked() if self.name == "-" else lines_of(self.name)
            kind = guess_kind(head, known_names(self.encoding))
            if kind in (None, "vector"):  # 0 and 1 may also be numbers of placements
                text = "\n".join(line.source.text.rstrip("\n") for line in head.peek(MAX_LAYOUT_LINES))
                with suppress(PuzzleError):
                    kind = notation_of(Source(self.name, text), self.encoding.fitting)
        return kind if kind in NOTATIONS else None

    def results(self, judged: bool) -> Iterator[Lifted | SolverEnd]:
        """Yield the solutions, with the end of the other program; ``judged``: they are in a notation of puzzlec."""
        if not judged:
            yield from lifted(self.encoding, self.name, format=self.kind, problem=self.puzzle.problem)
            return
        for verdict in check_solutions(self.encoding.fitting, self.name, format=self.notation):
            claim = verdict.claim
            yield Lifted(claim.span, verdict.solution, claim.faults, verdict.kind, verdict)


class Shows(NamedTuple):
    """What is printed: verdicts in a ``format``, or right solutions in the format ``to``; ``keep``: their file."""

    format: str
    ascii: bool
    to: str | None
    limit: int | None
    unique: bool
    keep: str | None
    force: bool


def _peeked() -> SourceLines:
    """Return the first lines of standard input, which stay there to be read."""
    stream: Any = sys.stdin.buffer if sys.stdin is not None else BytesIO()
    head = stream.peek(PEEKED_BYTES) if hasattr(stream, "peek") else stream.getvalue()
    return SourceLines("-", head.decode(errors="replace").splitlines(keepends=True))


def check_answer(answer: AnswerFile, shows: Shows) -> None:
    """Check an answer; print a verdict on each solution, or the right ones, or write those to a file.

    Raises typer.Exit if the exit status is not 0.
    """
    encoding, to, format = answer.encoding, shows.to, shows.format
    judged = to is None and (shows.keep is not None or answer.notation is not None)
    if to is not None and (lost := what_is_lost(encoding.fitting, to)):
        say(lost)
    look, count, faults, printed = style(shows.ascii), Count(encoding, not judged), _Faults(), 0
    ending: Ending | None = None
    right: list[str] = []
    with new_file(shows.keep, shows.force) if shows.keep is not None else nullcontext() as path:
        for result in answer.results(judged):
            if not isinstance(result, Lifted):
                ending = result.ending
                continue
            new = count.add(result)
            if to is None:
                _print_verdict(result, count.models, new, format)
            if result.solution is None:
                ending = None
                faults.show(result.faults if to is not None or not (judged or format == "json") else ())
                continue
            if path is not None:
                right.append(result.span.text)
            elif to is not None and (new or not shows.unique):
                printed += 1
                _print_right(result.solution, printed, to, look)
                if printed == shows.limit:
                    break
        if path is not None:
            between = "\n\n" if any("\n" in text for text in right) else "\n"
            path.write_text(between.join(right) + "\n" if right else "", encoding="utf-8", newline="\n")
    sys.stdout.flush()
    faults.summarise()
    if not judged or format != "concise":
        distinct = count.distinct()
        first, *others = answer_lines(count, distinct, ending, printed == shows.limit, judged)
        say(first, **count.as_data(distinct) if judged else {})
        for line in others:
            say(line)
    if count.wrong:
        end(ExitStatus.FAULTY)
    claims_all = count.right or ending is Ending.COMPLETE  # a claim, not a proof
    if not judged:
        end(status_after(printed == shows.limit or ending is Ending.UNKNOWN or not claims_all, count.right))


def _print_right(solution: Solution, number: int, to: str, look: Style) -> None:
    if to == "text" and number > 1:
        out()
    out(formatted(solution, number, to, look))
    if to == "text" and solution.cost is not None:
        out(f"cost {solution.cost}")


def _print_verdict(result: Lifted, number: int, new: bool, format: str) -> None:
    """Print whether a solution is right. The errors of a wrong one in another format than of puzzlec follow."""
    source, judged = result.span.source, result.verdict if result.solution is None else None
    line, column = source.position(result.span.start)
    right = result.solution is not None
    reason = None if right else judged.reason if judged is not None else result.faults[0].message
    repeated = None if result.verdict is not None and result.verdict.several else right and not new
    if format == "json":
        data = {"solution": number, "file": source.name, "line": line, "right": right, "reason": reason}
        data |= {"repeated": repeated}
        out_json(data | {"faults": [as_dict(fault) for fault in result.faults]} if result.faults else data)
    elif format == "text":
        out(f"solution {number}, line {line}: {verdict_words(result, bool(repeated))}")
        if judged is not None and result.faults:
            sys.stdout.flush()
            report_all(result.faults)
    elif judged is not None:
        for text in map(concise, result.faults) if result.faults else [f"{source.name}:{line}:{column}: {reason}"]:
            out(text)


class _Faults:
    """Collects errors, and shows the first :data:`MAX_ERRORS_SHOWN`."""

    def __init__(self) -> None:
        self.number = 0

    def show(self, faults: Sequence[Diagnostic]) -> None:
        """Show some more."""
        left = max(0, MAX_ERRORS_SHOWN - self.number)
        self.number += len(faults)
        sys.stdout.flush()
        for fault in faults[:left]:
            report_all([fault])

    def summarise(self) -> None:
        """Print how many errors were not shown."""
        if self.number > MAX_ERRORS_SHOWN:
            say(f"{self.number - MAX_ERRORS_SHOWN} more errors")


#: Formats of puzzles whose files also store solutions.
_STORING = ("xmpuzzle", "soma", "polyform")

#: Kinds of answers in whose files there are several problems.
_SEVERAL = {"burrtools", "soma"}


def lifted_puzzle(puzzle: Named, answer: str, kind: str | None) -> Encoding:
    """Return the exact cover of a puzzle given on the command line, with its meaning; print its warnings.

    The warning of answers in a puzzle (PZ261) is left out if the same file is read for answers. If the format of the
    puzzle contains only one puzzle, its ``problem`` may be for the answer. Raises PuzzleError for a file that cannot be
    read.
    """
    unsaid = ("PZ261",) if puzzle.puzzle == answer else ()
    try:
        return puzzle.encoding(unsaid)
    except PuzzleError as error:
        if puzzle.problem is None or [diagnostic.code for diagnostic in error.diagnostics] != ["PZ331"]:
            raise
        if kind is not None and not _SEVERAL & set(kinds_called(kind)):
            raise
        encoding = replace(puzzle, problem=None).encoding(unsaid)
        # Standard input can be read once only.
        if kind is None and answer != "-" and guess_kind(lines_of(answer), known_names(encoding)) not in _SEVERAL:
            raise
        return encoding
