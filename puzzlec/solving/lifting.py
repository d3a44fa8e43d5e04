"""Import the answers of other programs as solutions of the puzzle, each checked before it counts.

The answer has options, and the encoding has their placements. :mod:`puzzlec.solving.judging` checks the solution. An
exact cover with other items than pieces and locations is checked by :mod:`puzzlec.engine.check`. Neither uses a search.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from puzzlec.compiler import PuzzleOrName, compile
from puzzlec.diagnostics import Diagnostic, Report, Span
from puzzlec.engine.check import WrongCoverError, check_cover
from puzzlec.formats.solutions.claims import Claim, Laid
from puzzlec.formats.solvers.answers import (
    AnswerMeaning,
    Ending,
    EndingClaim,
    Model,
    SourceLines,
    lines_of,
    read_answer,
)
from puzzlec.formats.solvers.answers.model import SAME_PUZZLE_HELP
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.lower.covering import option_numbers
from puzzlec.lower.labels import Labelled, words
from puzzlec.shown import brief
from puzzlec.solving.faults import FaultKind
from puzzlec.solving.judging import ClaimTally, Judge, Verdict

#: Maximum number of solutions that are remembered to find repeated ones.
MAX_SOLUTIONS_REMEMBERED = 200_000


class Lifted(NamedTuple):
    r"""A model of an answer: its solution, or its errors.

    ``span`` is the position of the model in the answer. ``faults`` are empty if it is right; ``kind`` is a short form
    of the error. With ``verdict``, it may be one of several solutions, since pieces share a name.

    >>> import puzzlec
    >>> import tempfile
    >>> from pathlib import Path
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "answer.txt")
    ...     written = file.write_text("s SATISFIABLE\nv 1 2 3 -4 -5 -6 -7 0\n")
    ...     [found] = puzzlec.lift(puzzle, file)
    >>> isinstance(found, puzzlec.Lifted) and found.solution and str(found.solution.placements[0].piece.name)
    'D'
    """

    def __repr__(self) -> str:
        return brief(self)

    span: Span
    solution: Solution | None = None
    faults: tuple[Diagnostic, ...] = ()
    kind: str = ""
    verdict: Verdict | None = None


class SolverEnd(NamedTuple):
    r"""The end of an answer, with its position: the program found no further solution, or did not finish.

    >>> import puzzlec
    >>> import tempfile
    >>> from pathlib import Path
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "answer.txt")
    ...     written = file.write_text("s UNSATISFIABLE\n")
    ...     [end] = puzzlec.lift(puzzle, file)
    >>> isinstance(end, puzzlec.SolverEnd) and end.ending.value
    'complete'
    """

    ending: Ending
    span: Span


def known_names(encoding: Encoding, problem: str | None = None) -> AnswerMeaning:
    """Return the meanings of names and numbers in an answer: all spellings in files of this puzzle.

    ``problem`` is the chosen problem if the puzzle's file contains several.
    """
    plain = Labelled(encoding.cover)
    labelled = Labelled.of(encoding)
    lift = _Lift(encoding)
    spellings: list[Sequence[str]] = [list(words(labelled.items, r"[\s|:]")), labelled.items, plain.items]
    return AnswerMeaning(
        encoding.cover,
        labelled.option,
        tuple(spellings),
        encoding.fitting if encoding.faithful else None,
        problem,
        lambda model: lift(model).solution is not None,
    )


def lifted(
    encoding: Encoding, lines: SourceLines, kind: str | None = None, problem: str | None = None
) -> Iterator[Lifted | SolverEnd]:
    """Yield each model of an answer, and the end of the other program.

    ``kind`` is one of :data:`puzzlec.formats.solvers.answers.KINDS`, or detected (None). ``problem`` is the chosen one
    if the puzzle's file contains several. Memory does not grow with the number of models, unless the notation must be
    read as a whole. Raises PuzzleError if the kind is unknown or the answer cannot be read.
    """
    events = read_answer(lines, known_names(encoding, problem), kind)
    lift = _Lift(encoding)
    closed: Span | None = None
    for event in events:
        if isinstance(event, EndingClaim):
            closed = event.span if event.ending is Ending.COMPLETE else None
            yield SolverEnd(event.ending, event.span)
            continue
        answer = _explained(lift(event), event, encoding)
        if closed is not None and answer.solution is not None:
            said = f"the answer ends on line {closed.source.position(closed.start)[0]}"
            message = "solution after the end of the answer"
            answer = _wrong(event.span, message, FaultKind.AFTER_THE_END, "PZ615", said)
        closed = None
        yield answer


def _explained(answer: Lifted, model: Model, encoding: Encoding) -> Lifted:
    """Return the result for a model. A wrong one may belong to a puzzle of another size."""
    number = len(encoding.cover)
    if answer.solution is not None or model.faults:
        return answer
    if model.reasons:
        return answer._replace(faults=model.reasons)
    if not model.note and model.told in (0, number):
        return answer
    first = answer.faults[0]
    if 0 < model.told < number:
        message = f"the answer has values of {model.told} variables, but the puzzle has {number} options"
        return _wrong(
            model.span,
            message,
            FaultKind.OTHER_PUZZLE,
            "PZ619",
            first.message.removeprefix("not a solution: "),
            help=SAME_PUZZLE_HELP,
        )
    helps = (*first.helps, SAME_PUZZLE_HELP) * (model.told > number)
    more = f"the answer has values of {model.told} variables, and the first {number} are options" if helps else ""
    notes = (*first.notes, *filter(None, (model.note, more)))
    return answer._replace(faults=(replace(first, notes=notes, helps=helps), *answer.faults[1:]))


def _wrong(span: Span, reason: str, kind: str, code: str = "PZ617", note: str = "", help: str = "") -> Lifted:
    report = Report()
    message = f"not a solution: {reason}" if code == "PZ617" else reason
    report.add(code, message, span, note=(note,) if note else (), help=(help,) if help else ())
    return Lifted(span, faults=tuple(report.diagnostics), kind=kind)


class _Lift:
    """Judges the models of one puzzle."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._judge = Judge(encoding.fitting)
        self._empties = any(piece < 0 for piece in encoding.piece)

    def __call__(self, model: Model) -> Lifted:
        if model.faults:
            return Lifted(model.span, faults=model.faults, kind=FaultKind.UNREADABLE)
        verdict: Verdict | None = None
        if self.encoding.faithful:
            verdict = self._judge.verdict(model.claim or self._claim(model))
            if verdict.solution is None:
                return _wrong(model.span, verdict.reason, verdict.kind)
        if model.claim is None and (self._empties or not self.encoding.faithful):
            # Locations given as empty must be empty; items with colours or bounds are not locations.
            try:
                check_cover(self.encoding.cover, model.options)
            except WrongCoverError as error:
                return _wrong(model.span, str(error), FaultKind.NO_COVER)
        solution = verdict.solution if verdict is not None else self.encoding.lift(model.options)
        if solution is not None and solution.cost is None and self.encoding.cover.costs:  # of a list of options
            options = [self._option[placement.number, placement.index] for placement in solution.placements]
            solution = replace(solution, cost=self.encoding.cover.cost(options))
        return Lifted(model.span, solution, verdict=verdict)

    @cached_property
    def _option(self) -> dict[tuple[int, int], int]:
        """The option of each placement, by its piece and number."""
        return option_numbers(self.encoding)

    def _claim(self, model: Model) -> Claim:
        """Return the claimed positions of some options."""
        encoding = self.encoding
        placed = [(encoding.piece[option], encoding.index[option]) for option in model.options]
        laid = [Laid(encoding.fitting.piece_name(piece), (piece,), index) for piece, index in placed if piece >= 0]
        return Claim(model.span, tuple(laid))


class Count:
    """Totals of models: right and wrong; repeated ones are found among the first :data:`MAX_SOLUTIONS_REMEMBERED`.

    ``costs``: whether solutions have costs. ``twice``: the repeated ones. Without ``forgets``, all are remembered.
    """

    def __init__(self, encoding: Encoding, forgets: bool = True) -> None:
        self.most = MAX_SOLUTIONS_REMEMBERED if forgets else math.inf
        self.costs = bool(encoding.cover.costs)
        self._tally = ClaimTally(encoding) if encoding.faithful else None
        self._seen: set[tuple[tuple[int, ...], ...]] = set()
        self.right = self.twice = 0
        self.wrong: Counter[str] = Counter()

    @property
    def models(self) -> int:
        """The number of models."""
        return self.right + self.wrong.total()

    @property
    def unclear(self) -> int:
        """Number of right models that may be one of several solutions."""
        return self._tally.unclear if self._tally is not None else 0

    @property
    def forgot(self) -> bool:
        """Whether there were too many models to find all repeated ones."""
        return self.right > self.most

    def add(self, answer: Lifted) -> bool:
        """Count a model; return whether it is a solution that is new, as far as known."""
        if answer.solution is None:
            self.wrong[answer.kind] += 1
            return False
        self.right += 1
        if self.forgot:
            return True
        if self._tally is not None and answer.verdict is not None:
            before = bool(self._tally.add(answer.verdict))
        else:
            before = answer.solution.orientations in self._seen
            self._seen.add(answer.solution.orientations)
        self.twice += before
        return not before

    def as_data(self, distinct: int | None) -> dict[str, Any]:
        """Return the totals for JSON, with the number of distinct solutions."""
        data: dict[str, Any] = {"solutions": self.models, "right": self.right, "wrong": dict(self.wrong)}
        return data | {"distinct": distinct, "repeated": self.twice, "unclear": self.unclear}

    def distinct(self) -> int | None:
        """Return the number of solutions up to the symmetries of the puzzle; None if unknown."""
        if self.forgot or self.unclear:
            return None
        return len(self._seen) if self._tally is None else self._tally.distinct()


def lift(
    what: PuzzleOrName, name: str | Path, *, format: str | None = None, problem: str | None = None
) -> Iterator[Lifted | SolverEnd]:
    r"""Yield the models in the answer of another program (``-``: standard input): a solution, or an error.

    The answer must belong to a file that :func:`convert` wrote for the same puzzle.

    Args:
        what: The puzzle, or the name of one.
        name: The file with the answer.
        format: A format that ``--solutions-from`` accepts. Default: detected.
        problem: Number or name of the problem, if the puzzle's file has several.

    Raises:
        PuzzleError: If the puzzle or the answer cannot be read.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "answer.txt")
    ...     written = file.write_text("s SATISFIABLE\nv 1 2 3 -4 -5 -6 -7 0\n")
    ...     [found] = puzzlec.lift(puzzle, file)
    >>> isinstance(found, puzzlec.Lifted) and found.solution and found.solution.grid()
    [['D', 'D'], ['D', 'D'], ['D', 'D']]

    """
    encoding = compile(what)
    return lifted(encoding, lines_of(str(name)), format, problem)
