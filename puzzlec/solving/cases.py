"""Conditions on all solutions of a diagram, without going through them: cases that exclude each other.

A formula is split by whether one of its sets of options has an option in the cover, then by the next one, until each
case says of some sets that they have one and of some that they have none (Boole's expansion). Such a case is a
restriction of the diagram; numbers of cases are added up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import TypeAlias

from puzzlec.ir import Solution
from puzzlec.solving.conditions import Any, Every, Formula, Some, Without
from puzzlec.solving.every import EverySolution

#: A condition that has more cases than these, those in which it does not hold included, is refused.
MOST_CASES = 1024

#: For sets of options: whether one of them is chosen.
_Case: TypeAlias = dict[Some, bool]


class TooManyCasesError(ValueError):
    """A condition has more than :data:`MOST_CASES` cases."""


class SolutionsWhere:
    """The solutions of a diagram for which a formula holds, as cases: what :class:`EverySolution` answers, it answers.

    Raises TooManyCasesError where the formula has too many.
    """

    def __init__(self, every: EverySolution, formula: Formula) -> None:
        self.fitting = every.fitting
        self.parts: list[EverySolution] = []
        for case in _cases(_merged(formula), {}, [0]):
            part = every
            for some, chosen in case.items():
                bounds = (1, None) if chosen else (0, 0)
                part = EverySolution(every.encoding, part.found.taking(sorted(some.options), *bounds))
            if part:
                self.parts.append(part)

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(part.count for part in self.parts))

    @property
    def count(self) -> int:
        """How many there are, exactly."""
        return self._ends[-1] if self.parts else 0

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __iter__(self) -> Iterator[Solution]:
        for part in self.parts:
            yield from part

    def sample(self, number: int, seed: int = 0) -> list[Solution]:
        """Return so many solutions, each drawn from all with equal chance; ValueError where there is none."""
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


def _cases(formula: Formula, known: _Case, made: list[int]) -> Iterator[_Case]:
    """Give the cases in which a formula holds, beginning with what is known."""
    settled = _settled(formula, known)
    made[0] += 1
    if made[0] > MOST_CASES:
        raise TooManyCasesError("the condition has too many cases")
    if settled is False:
        return
    if settled is True:
        yield known
        return
    for chosen in (True, False):
        yield from _cases(formula, {**known, settled: chosen}, made)


def _settled(formula: Formula, known: _Case) -> bool | Some:
    """Return whether a formula holds, or the first set of options that this hangs on."""
    if isinstance(formula, Some):
        return known.get(formula, formula)
    if isinstance(formula, Without):
        inner = _settled(formula.of, known)
        return not inner if isinstance(inner, bool) else inner
    every = isinstance(formula, Every)
    first: Some | None = None
    for part in formula.parts:
        found = _settled(part, known)
        if found is (not every):
            return found
        if isinstance(found, Some):
            first = first or found
    return every if first is None else first


def _merged(formula: Formula, denied: bool = False) -> Formula:
    """Return a formula that says the same (or the contrary), with as few sets of options as are easily had.

    That one of some sets has an option is said by one set.
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
        union = Some(frozenset().union(*[each.options for each in alike if isinstance(each, Some)]))
        others.append(Without(union) if every else union)
    return Every(tuple(others)) if every else Any(tuple(others))
