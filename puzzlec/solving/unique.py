"""The fewest clues that leave a puzzle with one solution, or with another number of them.

All raw solutions are listed, and :mod:`puzzlec.solving.fewest_clues` finds the clues. If there are too many solutions,
clues that agree with one of them are added first, always the clue that leaves the fewest solutions. The result is then
not proved to be the least.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from puzzlec.compiler import PuzzleOrName, compile
from puzzlec.diagnostics.error import fail
from puzzlec.engine import Limits, Search, Stop
from puzzlec.engine.integers import integer, thread_count
from puzzlec.engine.limits import limits_of
from puzzlec.engine.search.grading import Grade
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.shown import brief, mimebundle
from puzzlec.solving.clues import KINDS, Clue, ClueKind, Possible, described, possible_clues, with_clues
from puzzlec.solving.fewest_clues import Chosen, Clues, FewestClues, bits
from puzzlec.solving.grading import grade
from puzzlec.solving.solutions import Solutions

#: Maximum number of raw solutions that are compared with each other.
MAX_RAW_SOLUTIONS = 100_000

#: If there are more, clues are added until at most this many are left.
MAX_SOLUTIONS_LEFT = 2_000


@dataclass(frozen=True)
class Clued:
    """A puzzle with clues: the clues that were added, and the puzzle that they make. Printing it gives its clues.

    >>> import puzzlec
    >>> [clued] = puzzlec.clues("soma/castle")
    >>> print(clued)
    fix V at cells (1,2,0) (1,3,0) (2,3,0)
    >>> puzzlec.count(clued.puzzle)
    1
    """

    _repr_mimebundle_ = mimebundle

    def __repr__(self) -> str:
        return brief(self)

    clues: tuple[Clue, ...]
    puzzle: Puzzle = field(repr=False)

    def __str__(self) -> str:
        """Return the words of the clues in one line."""
        return "; ".join(map(str, self.clues)) or "no clues"

    @cached_property
    def grade(self) -> Grade | None:
        """How hard the puzzle is for a person; None if it is too large."""
        return grade(self.puzzle)


class Unique:
    """The search for the fewest clues that leave ``target`` solutions; ``find`` runs it.

    Afterwards, ``best`` has the puzzles with the fewest clues: one, or with ``every`` all of them up to symmetry. Fewer
    than ``at_least`` clues are too few. ``before`` is the number of solutions without clues, None if they are too many
    to list. ``stopped`` is the limit that ended the search, None if the result is proved.

    Args:
        what: A puzzle, or the name of one.
        kinds: The kinds of clues: "fix", "hole", "colour" and "forbid".
        target: The number of solutions that are left.
        every: Find all sets with the fewest clues, up to symmetry.
        symmetry: Count solutions up to this, as in :func:`solve`.
        limits: A limit of seconds.
        threads: The number of threads that list solutions.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or cannot have clues of a kind (PZ369).

    >>> import puzzlec
    >>> search = puzzlec.Unique("soma/castle")
    >>> len(search.find()), search.at_least, search.before, search.stopped
    (1, 1, 5, None)

    """

    #: The words for an empty result.
    nothing = "no solution"

    def __init__(
        self,
        what: PuzzleOrName,
        *,
        kinds: Iterable[ClueKind] = ("fix",),
        target: int = 1,
        every: bool = False,
        symmetry: SymmetryKind = "all",
        limits: Limits | None = None,
        threads: int = 1,
    ) -> None:
        fitting = compile(what, stage="fitting") if not isinstance(what, Encoding) else what.fitting
        if isinstance(kinds, str):
            raise TypeError(f"`kinds` must be a list of kinds, not a text: use `kinds=[{kinds!r}]`")
        clue_kinds = tuple(kinds)
        if unknown := [kind for kind in clue_kinds if kind not in KINDS]:
            raise ValueError(f"unknown kind of clues {unknown[0]!r}: expected one of {', '.join(KINDS)}")
        if not clue_kinds:
            raise ValueError(f"missing kind of clues: expected one of {', '.join(KINDS)}")
        self.puzzle = described(fitting)
        self.kinds, self.target, self.every = clue_kinds, integer(target, "target", 1), every
        self.symmetry: SymmetryKind = symmetry
        self.limits, self.threads = limits_of(limits, only=("seconds",)), thread_count(threads)
        self.before: int | None = None
        self.stopped: Stop | None = None
        self._prefix: tuple[Clue, ...] = ()
        self._search: FewestClues | None = None
        self._choices: list[Possible] = []
        self._deadline: float | None = None

    @property
    def best(self) -> list[Clued]:
        """The puzzles with the fewest clues that are known."""
        return [self._clued(choice) for choice in self._search.known()] if self._search else []

    @property
    def at_least(self) -> int:
        """The minimum number of clues that may suffice."""
        if self._prefix:
            return 1
        return self._search.proved if self._search else 0

    @property
    def words(self) -> str:
        """The words after a number of solutions that count, such as " that come apart"; empty if all count."""
        return ""

    @property
    def distinct(self) -> bool:
        """Whether solutions that a symmetry exchanges count once; before there are clues, whether they should."""
        if self._search is None:
            return self.symmetry != "none"
        return self._solutions.convention == "distinct"

    def as_data(self, best: Sequence[Clued]) -> dict[str, object]:
        """Return the result of the search with some puzzles of the fewest clues, for JSON."""
        return {
            "clues": len(best[0].clues) if best else None,
            "at_least": self.at_least,
            "proved": not self.stopped,
            "sets": len(best),
            "target": self.target,
            "before": self.before,
            "convention": "distinct" if self.distinct else "raw",
        }

    @cached_property
    def _solutions(self) -> Solutions:
        return Solutions(self.puzzle, symmetry=self.symmetry)

    def find(self) -> list[Clued]:
        """Return the puzzles with the fewest clues; empty if the puzzle has no solution.

        If a limit ends the search, ``stopped`` names it. If this is interrupted, ``best`` has what is known.

        Raises:
            PuzzleError: If the puzzle has fewer solutions than the target (PZ368), or if no clues of these kinds leave
                this number (PZ367).

        """
        if self.limits.seconds is not None:
            self._deadline = time.monotonic() + self.limits.seconds
        list(possible_clues(self._solutions.encoding, self.kinds))  # a wrong kind is an error before a long search
        encoding, solutions = self._list(self.puzzle)
        while solutions is None and not self.stopped:
            clue = self._dividing(encoding)
            if clue is None:  # perhaps a clue that keeps no solution of the sample helps, so nothing is proved
                self.stopped = Stop.SOLUTIONS
                break
            self._prefix = (*self._prefix, clue)
            encoding, solutions = self._list(with_clues(self.puzzle, self._prefix))
        if not solutions:
            self.before = None if self.stopped else 0
            return []
        self._search = FewestClues(self._clues(encoding, solutions), self.target, self.every, self._deadline)
        self._refuse_too_few(encoding, solutions, self._search.clues)
        self._search.find()
        self.stopped = self._search.stopped or (Stop.SOLUTIONS if self._prefix else None)
        if not self._search.best and not self.stopped:
            raise fail(
                "PZ367",
                f"no clues of the kinds `{' '.join(self.kinds)}` leave {self.target} of {self.before} solutions",
                self.puzzle.span,
                help="also allow `--fix`" if "fix" not in self.kinds else "choose another `--target`",
                file=self.puzzle.title or None,
            )
        return self.best

    def _list(self, puzzle: Puzzle) -> tuple[Encoding, list[tuple[int, ...]] | None]:
        """Return all raw solutions as options, None if there are too many."""
        encoding = compile(puzzle)
        left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        most = min(MAX_RAW_SOLUTIONS, MAX_SOLUTIONS_LEFT) if self._prefix else MAX_RAW_SOLUTIONS
        search = Search(encoding.cover, limits=Limits(solutions=most + 1, seconds=left), threads=self.threads)
        solutions = list(search)
        if search.stopped is Stop.SECONDS:
            self.stopped = Stop.SECONDS
        if len(solutions) > most:
            self._sample = self._accepted(encoding, solutions[: MAX_SOLUTIONS_LEFT + 1])
            if not self._sample:
                self.stopped = Stop.SOLUTIONS
            return encoding, None
        self._sample = solutions[: MAX_SOLUTIONS_LEFT + 1]
        return encoding, None if self.stopped else sorted(self._accepted(encoding, solutions))

    def _accepted(self, encoding: Encoding, solutions: list[tuple[int, ...]]) -> list[tuple[int, ...]]:  # noqa: ARG002
        """Return those of the solutions that count. Sets ``stopped`` at the deadline."""
        return solutions

    def _count(self, puzzle: Puzzle) -> int:
        """Return the number of solutions of a puzzle that count."""
        return Solutions(puzzle, symmetry=self.symmetry).count()

    def _dividing(self, encoding: Encoding) -> Clue | None:
        """Return the clue that keeps the first solution of the sample, and the fewest others; None if all keep all."""
        first, sample = set(self._sample[0]), self._sample
        best: tuple[int, Possible] | None = None
        uses: dict[int, list[int]] = {}
        for number, options in enumerate(sample):
            for option in options:
                uses.setdefault(option, []).append(number)
        for possible in possible_clues(encoding, self.kinds):
            if first.isdisjoint(possible.options) == possible.without and possible.clue not in self._prefix:
                having = len(set().union(*[uses.get(option, ()) for option in possible.options]))
                kept = len(sample) - having if possible.without else having
                if kept < len(sample) and (best is None or kept < best[0]):
                    best = (kept, possible)
        return best[1].clue if best else None

    def _clues(self, encoding: Encoding, solutions: Sequence[tuple[int, ...]]) -> Clues:
        """Return the solutions and the clues about them as bits, with the group."""
        group = self._solutions.group if not self._prefix else Solutions(encoding, symmetry="none").group
        which = {options: number for number, options in enumerate(solutions)}
        moved = [
            [which[tuple(sorted([image[o] for o in options]))] for options in solutions] for image in group.options
        ]
        having = _having(solutions, len(encoding.cover))
        everything = (1 << len(solutions)) - 1
        keeps: list[int] = []
        self._choices = []
        for possible in possible_clues(encoding, self.kinds):
            kept = 0
            for option in possible.options:
                kept |= having.get(option, 0)
            kept = everything & ~kept if possible.without else kept
            if 0 < kept < everything or (kept and self.target > 1):
                keeps.append(kept)
                self._choices.append(possible)
        number = {(choice.options, choice.clue.kind): place for place, choice in enumerate(self._choices)}
        clue_moved = [
            [
                number.get((frozenset([image[o] for o in choice.options]), choice.clue.kind), -1)
                for choice in self._choices
            ]
            for image in group.options
        ]
        raw = self._solutions.convention == "raw"
        rigid = [choice.clue.kind == "colour" for choice in self._choices]
        accepted = (lambda _: True) if self.target == 1 else self._is_counted
        return Clues(
            solutions=len(solutions),
            keeps=keeps,
            kept_by=_turned(keeps, len(solutions)),
            clashes=self._clashes(),
            moved=moved,
            clue_moved=clue_moved,
            rigid=rigid,
            raw=raw,
            accepted=accepted,
        )

    def _clashes(self) -> list[int]:
        """Return for each clue those that cannot be added with it: two colours on one piece or one location."""
        clues = [choice.clue for choice in self._choices]
        painting = [(place, clue) for place, clue in enumerate(clues) if clue.kind == "colour"]
        return [
            sum(1 << place for place, other in painting if candidate.piece == other.piece or candidate.at == other.at)
            if candidate.kind == "colour"
            else 0
            for candidate in clues
        ]

    def _is_counted(self, choice: Chosen) -> bool:
        """Whether the puzzle with clues has the wanted number of solutions. Clues can give it new symmetries."""
        return self._count(self._clued(choice).puzzle) == self.target

    def _clued(self, choice: Iterable[int]) -> Clued:
        clues = (*self._prefix, *(self._choices[place].clue for place in choice))
        return Clued(clues, with_clues(self.puzzle, clues))

    def _refuse_too_few(self, encoding: Encoding, solutions: Sequence[tuple[int, ...]], clues: Clues) -> None:
        """Count the solutions without clues; raise PuzzleError if they are fewer than wanted."""
        if self._prefix:
            return
        self.before = clues.number_left((), (1 << len(solutions)) - 1)
        if self.before < self.target:
            raise fail(
                "PZ368",
                f"the puzzle has {self.before} {self._solutions.convention} solutions, fewer than {self.target}",
                self.puzzle.span,
                help=f"use `--target {self.before}` or less",
                file=encoding.fitting.title or None,
            )


def _having(solutions: Sequence[tuple[int, ...]], options: int) -> dict[int, int]:
    """Return for each option the solutions that have it, as bits."""
    places: list[list[int]] = [[] for _ in range(options)]
    for number, solution in enumerate(solutions):
        for option in solution:
            places[option].append(number)
    return {option: _bits_at(numbers, len(solutions)) for option, numbers in enumerate(places) if numbers}


def _turned(rows: Sequence[int], columns: int) -> list[int]:
    """Return the columns of a matrix of bits that is given by its rows."""
    places: list[list[int]] = [[] for _ in range(columns)]
    dense = 0  # rows of more 1s than 0s: their 0s are listed
    for number, row in enumerate(rows):
        if 2 * row.bit_count() > columns:
            dense |= 1 << number
            row ^= (1 << columns) - 1
        for column in bits(row):
            places[column].append(number)
    return [_bits_at(solutions, len(rows)) ^ dense for solutions in places]


def _bits_at(places: Iterable[int], size: int) -> int:
    """Return an integer with 1s at these positions."""
    packed = bytearray(size // 8 + 1)
    for place in places:
        packed[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(packed, "little")
