"""Solutions come back: what another program answered, as solutions of the puzzle, each judged before it counts.

The answer tells options; the encoding says which placements they are. Whether these are a solution is asked of
:mod:`puzzlec.solving.judging`, and where an exact cover has more than pieces and locations can say, of
:mod:`puzzlec.engine.check`: neither knows anything of a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from puzzlec.diagnostics import Diagnostic, Report, Span
from puzzlec.engine.check import WrongCoverError, check_cover
from puzzlec.formats.solutions.claims import Claim, Laid
from puzzlec.formats.solvers.answers import Ending, Known, Lines, Model, Said, lines_of, read_answer
from puzzlec.formats.solvers.answers.model import SAME
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.lower.labels import Labelled, words
from puzzlec.pipeline import Compiled, compile
from puzzlec.solving.judging import Judge, Tally, Verdict

#: Which solutions are the same is told among so many: they are kept for it.
REMEMBERED = 200_000


class Lifted(NamedTuple):
    """What came back of one model: the solution that it is, or what is wrong with it.

    ``span`` is where the model begins. ``faults`` are empty where it is right; ``kind`` is what is wrong in few words.
    ``verdict`` may say that pieces with one name can be told apart in several ways.
    """

    span: Span
    solution: Solution | None = None
    faults: tuple[Diagnostic, ...] = ()
    kind: str = ""
    verdict: Verdict | None = None


class Ended(NamedTuple):
    """What the other program said at its end, and where: that there is no other solution, or that it does not know."""

    ending: Ending
    span: Span


#: What comes back from another program: a solution or what is wrong with it, or what was said at the end.
Back: TypeAlias = Lifted | Ended


def known_names(encoding: Encoding, problem: str | None = None) -> Known:
    """Return what names and numbers in an answer can mean: all the ways in which files of this puzzle spell them.

    ``problem`` is the one that was chosen where the puzzle's file holds several.
    """
    plain = Labelled(encoding.cover)
    labelled = Labelled.of(encoding)
    lift = _Lift(encoding)
    spellings: list[Sequence[str]] = [list(words(labelled.items, r"[\s|:]")), labelled.items, plain.items]
    return Known(
        encoding.cover,
        labelled.option,
        tuple(spellings),
        encoding.fitting if encoding.faithful else None,
        problem,
        lambda model: lift(model).solution is not None,
    )


def lifted(encoding: Encoding, lines: Lines, kind: str | None = None, problem: str | None = None) -> Iterator[Back]:
    """Give what each model of an answer is, one after the other, and what the other program said at its end.

    ``kind`` of :data:`puzzlec.formats.solvers.answers.KINDS` is found out where it is None; ``problem`` is the one that
    was chosen where the puzzle's file holds several. Nothing grows with the number of models, unless the notation must
    be read as a whole. Raises PuzzleError where the kind is unknown or the answer cannot be read at all.
    """
    events = read_answer(lines, known_names(encoding, problem), kind)
    lift = _Lift(encoding)
    closed: Span | None = None
    for event in events:
        if isinstance(event, Said):
            closed = event.span if event.ending is Ending.COMPLETE else None
            yield Ended(event.ending, event.span)
            continue
        found = _explained(lift(event), event, encoding)
        if closed is not None and found.solution is not None:
            said = f"it was said on line {closed.source.position(closed.start)[0]}"
            message = "here is a solution after it was said that there is none, or no more"
            found = _wrong(event.span, message, "contradict what was said", "PZ615", said)
        closed = None
        yield found


def _explained(found: Lifted, model: Model, encoding: Encoding) -> Lifted:
    """Return what became of a model; what is no solution may belong to a puzzle of another size."""
    number = len(encoding.cover)
    if found.solution is not None or model.faults:
        return found
    if model.reasons:
        return found._replace(faults=model.reasons)
    if not model.note and model.told in (0, number):
        return found
    first = found.faults[0]
    if 0 < model.told < number:
        message = f"this answer tells the values of {model.told} variables, the puzzle has {number} options"
        return _wrong(
            model.span,
            message,
            "belong to another puzzle",
            "PZ619",
            first.message.removeprefix("this is no solution: "),
            help=SAME,
        )
    helps = (*first.helps, SAME) * (model.told > number)
    more = f"it tells the values of {model.told} variables, of which the first {number} are options" if helps else ""
    notes = (*first.notes, *filter(None, (model.note, more)))
    return found._replace(faults=(replace(first, notes=notes, helps=helps), *found.faults[1:]))


def _wrong(span: Span, reason: str, kind: str, code: str = "PZ617", note: str = "", help: str = "") -> Lifted:
    report = Report()
    message = f"this is no solution: {reason}" if code == "PZ617" else reason
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
            return Lifted(model.span, faults=model.faults, kind="cannot be read")
        verdict: Verdict | None = None
        if self.encoding.faithful:
            verdict = self._judge.verdict(model.claim or self._claim(model))
            if verdict.solution is None:
                return _wrong(model.span, verdict.reason, verdict.kind)
        if model.claim is None and (self._empties or not self.encoding.faithful):
            # What is said to stay empty must do so; and items with colours or bounds are no locations.
            try:
                check_cover(self.encoding.cover, model.options)
            except WrongCoverError as error:
                return _wrong(model.span, str(error), "are no exact cover")
        solution = verdict.solution if verdict is not None else self.encoding.lift(model.options)
        return Lifted(model.span, solution, verdict=verdict)

    def _claim(self, model: Model) -> Claim:
        """Return what some options say lies where."""
        encoding = self.encoding
        placed = [(encoding.piece[option], encoding.index[option]) for option in model.options]
        laid = [Laid(encoding.fitting.piece_name(piece), (piece,), index) for piece, index in placed if piece >= 0]
        return Claim(model.span, tuple(laid))


class Count:
    """How many models came back, right and wrong; which are the same is told among the first :data:`REMEMBERED`."""

    def __init__(self, encoding: Encoding) -> None:
        self._tally = Tally(encoding) if encoding.faithful else None
        self._seen: set[tuple[tuple[int, ...], ...]] = set()
        self.right = self._twice = 0
        self.wrong: dict[str, int] = {}

    @property
    def models(self) -> int:
        """The number of models."""
        return self.right + sum(self.wrong.values())

    @property
    def twice(self) -> int:
        """The number of right ones that were there before."""
        return self._twice

    @property
    def unclear(self) -> int:
        """The number of right ones that may be one of several solutions."""
        return self._tally.unclear if self._tally is not None else 0

    @property
    def forgot(self) -> bool:
        """Whether there were too many to tell which are the same."""
        return self.right > REMEMBERED

    def add(self, found: Lifted) -> bool:
        """Count a model; return whether it is a solution that, as far as is known, was not there before."""
        if found.solution is None:
            self.wrong[found.kind] = self.wrong.get(found.kind, 0) + 1
            return False
        self.right += 1
        if self.right > REMEMBERED:
            return True
        if self._tally is not None and found.verdict is not None:
            before = bool(self._tally.add(found.verdict))
        else:
            before = found.solution.orientations in self._seen
            self._seen.add(found.solution.orientations)
        self._twice += before
        return not before

    def distinct(self) -> int | None:
        """Return how many solutions are distinct up to the symmetries of the puzzle; None where that is not known."""
        if self.forgot or self.unclear:
            return None
        return len(self._seen) if self._tally is None else self._tally.distinct()


def lift(what: Compiled | str, name: str, kind: str | None = None, problem: str | None = None) -> Iterator[Back]:
    """Give what each model in the answer of another program is (``-``: standard input): a solution, or what is wrong.

    The answer is one to a file that :func:`convert` wrote of the same puzzle. ``kind`` is a word of
    `puzzlec lift --solutions-from`, or found out (None); ``problem`` is the one that was chosen where the puzzle's file
    holds several. Raises PuzzleError where the puzzle or the answer cannot be read.
    """
    encoding = compile(what, "cover")
    assert isinstance(encoding, Encoding)
    return lifted(encoding, lines_of(name), kind, problem)
