"""``puzzlec lift``: the answer of another program, as solutions of the puzzle."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from puzzlec.cli.arguments import (
    AsciiHidden,
    BoardShared,
    FromShared,
    Json,
    MostSolutions,
    Named,
    Parameters,
    ProblemShared,
    PuzzleName,
)  # fmt: skip
from puzzlec.cli.candidates import any_files, words
from puzzlec.cli.showing import SolutionFormat, chosen_format, formatted, refuse_unknown, what_is_lost
from puzzlec.cli.terminal import ExitStatus, out, report_all, say, style
from puzzlec.diagnostics import Diagnostic, PuzzleError, counted, none_of
from puzzlec.diagnostics.files import open_source
from puzzlec.formats.reading import guess_format
from puzzlec.formats.solvers.answers import FORMATS, KINDS, Ending, guess_kind, kinds_called, lines_of
from puzzlec.lower import Encoding
from puzzlec.solving.faults import wrong_ones
from puzzlec.solving.lifting import REMEMBERED, Count, Lifted, known_names
from puzzlec.solving.lifting import lift as lifted

_KINDS = "Format of the answer. [default: detected]"

#: Errors that are shown; others are counted.
SHOWN = 50


def lift(
    puzzle: PuzzleName,
    answer: Annotated[
        str | None, typer.Argument(metavar="ANSWER", help="Output of the solver, or `-`.", autocompletion=any_files)
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--solutions-from", metavar="FORMAT", help=_KINDS, autocompletion=words(KINDS)),
    ] = None,
    limit: MostSolutions = None,
    unique: Annotated[bool, typer.Option("--unique", help="Leave out repeated solutions.", hidden=True)] = False,
    to: SolutionFormat = "text",
    as_json: Json = False,
    ascii: AsciiHidden = False,
    given: Parameters = None,
    source: FromShared = None,
    board: BoardShared = None,
    problem: ProblemShared = None,
) -> None:
    """Draw and check the answer of another solver.

    The solver solved a file that `puzzlec convert` wrote from this puzzle with the same options. Without ANSWER, the
    command reads the solutions stored in the puzzle file, such as assemblies of BurrTools.

    Examples:
        puzzlec lift soma answer.txt
        puzzlec lift soma - --solutions-from cnf

    """
    refuse_unknown(to)
    format = chosen_format(to, as_json)
    if kind is not None and not kinds_called(kind):
        raise typer.BadParameter(none_of(kind, [*KINDS, *FORMATS]), param_hint="--solutions-from")
    if puzzle == "-" and answer == "-":
        raise typer.BadParameter("one of them can be standard input: the puzzle or the answer", param_hint="ANSWER")
    answer = _stored_in(puzzle) if answer is None else answer
    encoding = lifted_puzzle(Named(puzzle, source, board, given, problem), answer, kind)
    if lost := what_is_lost(encoding.fitting, format):
        say(lost)
    look, count, faults, printed = style(ascii), Count(encoding), _Faults(), 0
    ending: Ending | None = None
    for result in lifted(encoding, answer, format=kind, problem=problem):
        if not isinstance(result, Lifted):
            ending = result.ending
            continue
        new = count.add(result)
        if result.solution is None:
            ending = None
            faults.show(result.faults)
        elif new or not unique:
            printed += 1
            if format == "text" and printed > 1:
                out()
            out(formatted(result.solution, printed, format, look))
            if format == "text" and result.solution.cost is not None:
                out(f"cost {result.solution.cost}")
            if printed == limit:
                break
    sys.stdout.flush()
    faults.summarise()
    for line in _summary(count, ending, printed == limit):
        say(line)
    if count.wrong:
        raise typer.Exit(ExitStatus.FAULTY)
    if (
        printed == limit or ending is Ending.UNKNOWN or not (count.right or ending is Ending.COMPLETE)
    ):  # only its claim, not a proof
        raise typer.Exit(ExitStatus.LIMIT)
    if not count.right:
        raise typer.Exit(ExitStatus.NO_SOLUTION)


def _stored_in(puzzle: str) -> str:
    """Return the file of a puzzle that stores solutions; raise typer.BadParameter if it stores none."""
    if Path(puzzle).is_file() and guess_format(open_source(puzzle)) in _STORING:
        return puzzle
    raise typer.BadParameter("name the file with the output of the solver", param_hint="ANSWER")


class _Faults:
    """Collects errors, and shows the first :data:`SHOWN`."""

    def __init__(self) -> None:
        self.number = 0

    def show(self, faults: Sequence[Diagnostic]) -> None:
        """Show some more."""
        left = max(0, SHOWN - self.number)
        self.number += len(faults)
        sys.stdout.flush()
        for fault in faults[:left]:
            report_all([fault])

    def summarise(self) -> None:
        """Print how many errors were not shown."""
        if self.number > SHOWN:
            say(f"{self.number - SHOWN} more errors")


def _summary(count: Count, ending: Ending | None, stopped: bool) -> list[str]:
    """Return how many models there are, right and wrong, and how the answer ends."""
    if not count.models:
        return [
            "the answer claims that there are no solutions"
            if ending is Ending.COMPLETE
            else "the other program found no result"
        ]
    lines = [f"{counted(count.models, 'solution')}: {count.right} right{wrong_ones(count.wrong)}"]
    if count.forgot:
        lines.append(f"more than {REMEMBERED}: repeated ones are not counted")
    elif count.right:
        distinct = count.distinct()
        told = [f"{distinct} distinct"] * (distinct is not None) + [f"{count.twice} repeated"] * (count.twice > 0)
        told += [f"{count.unclear} with copies that are not distinguished"] * (count.unclear > 0)
        lines += [f"of the right ones: {', '.join(told)}"] if told else []
    if count.models == count.right == 1 and not count.unclear:
        lines = ["1 solution, and it is right"]
    if stopped:
        lines.append("the rest of the answer was not read")
    elif ending is Ending.COMPLETE:
        none = "no solution costs less" if count.costs else "there are no more"
        lines.append(f"the answer claims that {none}")
    elif ending is Ending.UNKNOWN:
        lines.append("according to the answer there may be more")
    return lines


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
    unsaid = ("PZ261",) if puzzle.name == answer else ()
    try:
        return puzzle.encoding(unsaid)
    except PuzzleError as error:
        if puzzle.problem is None or [diagnostic.code for diagnostic in error.diagnostics] != ["PZ331"]:
            raise
        if kind is not None and not _SEVERAL & set(kinds_called(kind)):
            raise
        found = puzzle._replace(problem=None).encoding(unsaid)
        # Standard input can be read once only.
        if kind is None and answer != "-" and guess_kind(lines_of(answer), known_names(found)) not in _SEVERAL:
            raise
        return found
