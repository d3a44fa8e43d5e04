"""A problem and its compilation, with answers in the form of brute force."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from puzzlec.engine.problem import ExactCover
from puzzlec.ir import Puzzle, Solution
from puzzlec.lower import Encoding
from tests.differential.by_hand import Laid
from tests.differential.lying import Lying
from tests.differential.problem import Problem


@dataclass(frozen=True)
class Case:
    """A problem whose solutions are known, and the exact cover that the lowering makes of it.

    ``chance`` chooses among ways to check it, and gives the same choices for a seed.
    """

    problem: Problem
    encoding: Encoding
    chance: Random

    @property
    def cover(self) -> ExactCover:
        """The exact cover."""
        return self.encoding.cover

    @property
    def expected(self) -> frozenset[object]:
        """All solutions by brute force."""
        return self.problem.expected

    @property
    def has_geometry(self) -> bool:
        """Whether the problem can have symmetries."""
        what = self.problem.what
        return isinstance(what, Puzzle) and what.lattice is not None

    def found(self, options: tuple[int, ...]) -> object:
        """Return a cover in the form of brute force."""
        if isinstance(self.problem.what, ExactCover):
            return tuple(sorted(options))
        return self.laid(self.encoding.lift(options))

    def laid(self, solution: Solution) -> Laid:
        """Return a solution as the placements of each piece."""
        what, fitting = self.problem.what, solution.fitting
        sets: list[set[Lying]] = [set() for _ in fitting.pieces]
        for placement in solution.placements:
            at = [what.locations[k].at if isinstance(what, Puzzle) else (k,) for k in placement.locations]
            sides = fitting.pieces[placement.number].sides
            painted = fitting.kind_of(placement.number)[:1] == (True,) or fitting.pieces[placement.number].colours
            shown = fitting.shown_colours(placement.number, placement.index) if painted else ()
            paint = zip(at, shown, strict=False)
            sets[placement.number].add(Lying(frozenset(at), sides[placement.index] if sides else (), frozenset(paint)))
        return tuple(map(frozenset, sets))
