"""All solutions of a puzzle as one object: count, sample, restrict and save them without a new search.

The engine's set of covers (a decision diagram) has numbers of options. This module translates them to pieces and
locations. A condition is split into two cases: a cover has an option of the first set, or it has none. Each case is
split by the next set, until the condition is decided (Boole's expansion). Each case is a restriction of the diagram.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import TypeAlias

from puzzlec.diagnostics import counted
from puzzlec.engine.check import check_cover
from puzzlec.engine.diagram import SolutionSet
from puzzlec.engine.diagram_file import fingerprint
from puzzlec.engine.integers import integer
from puzzlec.engine.limits import Limits
from puzzlec.ir import Solution
from puzzlec.lower import Encoding
from puzzlec.shown import mimebundle
from puzzlec.solving.checker import Checker
from puzzlec.solving.conditions import (
    Any,
    Every,
    Formula,
    Locations,
    Some,
    Without,
    numbers_of_locations,
    numbers_of_piece,
)

#: Maximum number of cases of a condition, including those in which it does not hold.
MOST_CASES = 1024

#: Sets of options, and whether one option of each is chosen.
_Case: TypeAlias = dict[Some, bool]


class TooManyCasesError(ValueError):
    """A condition has more than :data:`MOST_CASES` cases."""


class SolutionsWhere:
    """The solutions of a diagram for which a formula holds. It has the methods of :class:`EverySolution`.

    Raises TooManyCasesError if the formula has too many.
    """

    def __init__(self, every: EverySolution, formula: Formula) -> None:
        self.fitting = every.fitting
        self.parts: list[EverySolution] = []
        for case in _cases(_merged(formula), {}, [0]):
            part = every
            for some, holds in case.items():
                bounds = (1, None) if holds else (0, 0)
                part = EverySolution(every.encoding, part.found.taking(sorted(some.options), *bounds))
            if part:
                self.parts.append(part)

    def where(self, accepts: Callable[[Solution], bool]) -> SolutionsWhere:
        """Return the solutions that a function accepts. It is called for each solution."""
        left = copy(self)
        vars(left).pop("_ends", None)
        left.parts = [part for part in (each.where(accepts) for each in self.parts) if part]
        return left

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(part.count for part in self.parts))

    @property
    def count(self) -> int:
        """The exact number of solutions."""
        return self._ends[-1] if self.parts else 0

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __iter__(self) -> Iterator[Solution]:
        for part in self.parts:
            yield from part

    def sample(self, number: int, seed: int = 0) -> list[Solution]:
        """Return a uniform random sample of this size, with repetitions; ValueError if there is no solution."""
        number = integer(number, "number", 0)
        if not self.parts:
            raise ValueError("there is no solution to draw")
        chance = Random(seed)
        return [self[chance.randrange(self.count)] for _ in range(number)]

    @property
    def occurrences(self) -> tuple[tuple[int, ...], ...]:
        """For each piece: in how many solutions each of its placements is."""
        return _added([part.occurrences for part in self.parts])

    @property
    def coverage(self) -> tuple[tuple[int, ...], ...]:
        """For each piece: in how many solutions it (or a copy of it) covers each location."""
        return _added([part.coverage for part in self.parts])

    @property
    def empty(self) -> tuple[int, ...]:
        """For each location: in how many solutions it stays empty."""
        return tuple(map(sum, zip(*[part.empty for part in self.parts], strict=True)))

    def __getitem__(self, place: int) -> Solution:
        which = bisect_right(self._ends, place)
        return self.parts[which][place - (self._ends[which - 1] if which else 0)]


def _added(tables: list[tuple[tuple[int, ...], ...]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(*tables, strict=True))


def _cases(formula: Formula, case: _Case, made: list[int]) -> Iterator[_Case]:
    """Yield the cases in which a formula holds, starting from the known sets."""
    settled = _settled(formula, case)
    made[0] += 1
    if made[0] > MOST_CASES:
        raise TooManyCasesError("the condition has too many cases")
    if settled is False:
        return
    if settled is True:
        yield case
        return
    for holds in (True, False):
        yield from _cases(formula, {**case, settled: holds}, made)


def _settled(formula: Formula, case: _Case) -> bool | Some:
    """Return whether a formula holds, or the first set of options that it depends on."""
    if isinstance(formula, Some):
        return case.get(formula, formula)
    if isinstance(formula, Without):
        inner = _settled(formula.of, case)
        return not inner if isinstance(inner, bool) else inner
    every = isinstance(formula, Every)
    first: Some | None = None
    for part in formula.parts:
        answer = _settled(part, case)
        if answer is (not every):
            return answer
        if isinstance(answer, Some):
            first = first or answer
    return every if first is None else first


def _merged(formula: Formula, denied: bool = False) -> Formula:
    """Return an equivalent formula (or its negation) with few sets of options.

    A union of sets replaces several sets of which one must have an option.
    """
    if isinstance(formula, Some):
        return Without(formula) if denied else formula
    if isinstance(formula, Without):
        return _merged(formula.of, not denied)
    every = isinstance(formula, Every) != denied
    kind = Without if every else Some
    parts = [_merged(part, denied) for part in formula.parts]
    alike = [part.of if isinstance(part, Without) else part for part in parts if isinstance(part, kind)]
    others = [part for part in parts if not isinstance(part, kind)]
    if alike:
        union = Some(frozenset().union(*[formula.options for formula in alike if isinstance(formula, Some)]))
        others.append(Without(union) if every else union)
    return Every(tuple(others)) if every else Any(tuple(others))


class EverySolution:
    """All raw solutions of a puzzle, or those that restrictions leave. It never changes.

    Solutions are raw: rotations and reflections count separately, since a diagram cannot show how many are distinct.
    Pieces are given by names, which include all copies and all pieces of that name. Locations are one cell, several
    cells, or a text: names separated by spaces, or a region of the puzzle language. Unknown names raise ValueError.
    Every restriction returns a new object, and restrictions combine in any order.

    >>> import puzzlec
    >>> every = puzzlec.every_solution("soma/castle")
    >>> every.count, len(every.sample(2)), every.with_piece("T").count
    (20, 2, 20)
    """

    _repr_mimebundle_ = mimebundle

    def __init__(self, encoding: Encoding, found: SolutionSet) -> None:
        if found.options != len(encoding.cover):
            raise ValueError("these are the solutions of another puzzle")
        self.encoding, self.fitting, self.found = encoding, encoding.fitting, found
        self._checker = Checker(self.fitting)

    @classmethod
    def of(
        cls,
        encoding: Encoding,
        *,
        limits: Limits | None = None,
        seconds: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> EverySolution:
        """Return all solutions; the arguments are those of :meth:`puzzlec.engine.SolutionSet.of`.

        Raises:
            UnfinishedError: If memory or time did not suffice.

        """
        return cls(encoding, SolutionSet.of(encoding.cover, limits=limits, seconds=seconds, progress=progress))

    @classmethod
    def load(cls, path: str | Path, encoding: Encoding) -> EverySolution:
        """Return the solutions in a file from :meth:`save`.

        Raises:
            ValueError: If the file is damaged or belongs to another puzzle.
            OSError: If it cannot be read.

        """
        solutions = SolutionSet.load(path)
        if solutions.fingerprint != fingerprint(encoding.cover):
            raise ValueError(f"{path}: these are the solutions of another puzzle or of an earlier version")
        return cls(encoding, solutions)

    def save(self, path: str | Path) -> None:
        """Write the solutions to a file, and overwrite an existing one."""
        self.found.save(path)

    @property
    def count(self) -> int:
        """The exact number of raw solutions."""
        return self.found.count

    @property
    def nodes(self) -> int:
        """Number of nodes of the diagram."""
        return self.found.nodes

    def __len__(self) -> int:
        """Return the number of solutions; raise OverflowError for 2 to the 63 or more, unlike ``count``."""
        return self.count

    def __bool__(self) -> bool:
        return bool(self.found)

    def __repr__(self) -> str:
        return f"<EverySolution: {counted(self.count, 'raw solution')} in {counted(self.nodes, 'node')}>"

    def __iter__(self) -> Iterator[Solution]:
        """Yield the solutions, always in the same order; each is checked."""
        return map(self._lifted, self.found)

    def __getitem__(self, place: int) -> Solution:
        """Return the solution at an index, without listing those before it."""
        return self._lifted(self.found[place])

    def __contains__(self, solution: object) -> bool:
        if not isinstance(solution, Solution):
            return False
        placed = [self._option.get((placement.number, placement.index)) for placement in solution.placements]
        bare = [self._option.get((-1, place)) for place, on in enumerate(solution.pieces_on) if on is None]
        bare += [self._option.get(option) for option in self.encoding.rule_options(solution.placements)]
        empty = [option for option in bare if option is not None]  # only some puzzles have options for empty locations
        return None not in placed and self.found.contains(
            [option for option in (*placed, *empty) if option is not None]
        )

    def sample(self, number: int, seed: int = 0) -> list[Solution]:
        """Return a uniform random sample of this size; the same seed draws the same solutions.

        Raises:
            ValueError: If there is no solution.

        """
        return list(map(self._lifted, self.found.sample(number, seed)))

    @cached_property
    def occurrences(self) -> tuple[tuple[int, ...], ...]:
        """For each piece: in how many solutions each of its placements is."""
        numbers: list[list[int]] = [[0] * len(piece.placements) for piece in self.fitting.pieces]
        for (piece, index), option in self._option.items():
            if piece >= 0:
                numbers[piece][index] = self._numbers[option]
        return tuple(map(tuple, numbers))

    @cached_property
    def coverage(self) -> tuple[tuple[int, ...], ...]:
        """For each piece: in how many solutions it (or a copy of it) covers each location."""
        # At most one placement of a solution covers a location, so nothing is counted twice.
        numbers: list[list[int]] = [[0] * self.fitting.locations for _ in self.fitting.pieces]
        for row, piece, often in zip(numbers, self.fitting.pieces, self.occurrences, strict=True):
            for index, number in enumerate(often):
                if number:
                    for location in piece.placements.row(index):
                        row[location] += number
        return tuple(map(tuple, numbers))

    @cached_property
    def empty(self) -> tuple[int, ...]:
        """For each location: in how many solutions it stays empty."""
        covered = map(sum, zip(*self.coverage, strict=True)) if self.coverage else [0] * self.fitting.locations
        return tuple(self.count - number for number in covered)

    def with_piece(self, piece: str, locations: Locations | None = None) -> EverySolution:
        """Return the solutions in which a piece covers one of these locations. With None, it must only be used."""
        return self._having(self._options_of(piece, locations))

    def without_piece(self, piece: str, locations: Locations | None = None) -> EverySolution:
        """Return the solutions in which a piece covers none of these locations. With None, the piece must be unused."""
        return self._lacking(self._options_of(piece, locations))

    def inside(self, piece: str, locations: Locations) -> EverySolution:
        """Return the solutions in which every used copy of a piece is wholly inside these locations."""
        region = numbers_of_locations(self.fitting, locations)
        return self._lacking([option for option in self._options_of(piece) if not region.issuperset(self._row(option))])

    def with_placement(self, piece: str, index: int) -> EverySolution:
        """Return the solutions with a placement of a piece, given by its number (DPF's "orientation")."""
        return self._having(self._options_at(piece, index))

    def without_placement(self, piece: str, index: int) -> EverySolution:
        """Return the solutions without a placement of a piece, given by its number."""
        return self._lacking(self._options_at(piece, index))

    def leaving_empty(self, locations: Locations) -> EverySolution:
        """Return the solutions in which all of these locations stay empty."""
        region = numbers_of_locations(self.fitting, locations)
        return self._lacking([option for option in self._placed if not region.isdisjoint(self._row(option))])

    def covering(self, locations: Locations) -> EverySolution:
        """Return the solutions in which all of these locations are covered."""
        left = self
        for location in sorted(numbers_of_locations(self.fitting, locations) & self.fitting.optional):
            left = left._having([option for option in self._placed if location in self._row(option)])
        return left

    def where(self, accepts: Callable[[Solution], bool]) -> EverySolution:
        """Return the solutions that a function accepts. It is called for each solution."""
        return EverySolution(self.encoding, self.found.accepted(lambda options: accepts(self._lifted(options))))

    def _having(self, options: list[int]) -> EverySolution:
        return EverySolution(self.encoding, self.found.taking(options))

    def _lacking(self, options: list[int]) -> EverySolution:
        return EverySolution(self.encoding, self.found.taking(options, 0, 0))

    def _options_of(self, piece: str, locations: Locations | None = None) -> list[int]:
        """Return the options of a piece; with locations, those that cover one of them."""
        numbers = numbers_of_piece(self.fitting, piece)
        options = [option for option in self._placed if self.encoding.piece[option] in numbers]
        if locations is None:
            return options
        region = numbers_of_locations(self.fitting, locations)
        return [option for option in options if not region.isdisjoint(self._row(option))]

    def _options_at(self, piece: str, index: int) -> list[int]:
        """Return the option of a placement."""
        numbers = numbers_of_piece(self.fitting, piece)
        options = [self._option[number, index] for number in sorted(numbers) if (number, index) in self._option]
        if not options:
            raise ValueError(f"piece `{piece}` has no placement {index}")
        return options

    def _row(self, option: int) -> tuple[int, ...]:
        """Return the locations that an option covers."""
        return self.fitting.pieces[self.encoding.piece[option]].placements.row(self.encoding.index[option])

    @property
    def _placed(self) -> list[int]:
        """The options that place a piece; the others leave a location empty."""
        return [option for option, piece in enumerate(self.encoding.piece) if piece >= 0]

    @cached_property
    def _option(self) -> dict[tuple[int, int], int]:
        """The option of each placement by piece and number; (-1, location) for a location left empty."""
        return {pair: k for k, pair in enumerate(zip(self.encoding.piece, self.encoding.index, strict=True))}

    @cached_property
    def _numbers(self) -> list[int]:
        return self.found.occurrences()

    def _lifted(self, options: tuple[int, ...]) -> Solution:
        solution = self.encoding.lift(options)
        if self.encoding.faithful:
            self._checker.check(solution)
        else:
            check_cover(self.encoding.cover, options)
        return solution
