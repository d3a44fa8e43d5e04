"""A random problem by its seed, and its facts by brute force."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TypeAlias

from puzzlec.engine.problem import ExactCover
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower.symmetries import SymmetryKind
from tests.differential import abstract, by_hand, by_hand_costs, by_hand_covers, geometric, numbered, tiles
from tests.differential.by_hand_orbits import actions, orbits

What: TypeAlias = Puzzle | Fitting | ExactCover

#: The function that makes a problem of each family.
MAKERS: dict[str, Callable[[Random], What]] = {
    "geometry": geometric.puzzle,
    "plain": geometric.plain,
    "meetings": geometric.meeting,
    "numbers": numbered.puzzle,
    "grids": numbered.grid,
    "tiles": tiles.puzzle,
    "names": abstract.named,
    "fitting": abstract.fitting,
    "cover": abstract.cover,
}

#: At most this many problems are made from a seed, until one is small enough.
ATTEMPTS = 1000

#: How often each family of problems is chosen.
FAMILIES = {
    "geometry": 36,
    "meetings": 9,
    "numbers": 11,
    "grids": 8,
    "plain": 8,
    "tiles": 7,
    "names": 6,
    "fitting": 5,
    "cover": 12,
}


@dataclass(frozen=True)
class Problem:
    """A problem and its origin: its seed and its family."""

    seed: int
    family: str
    what: What

    @property
    def kind(self) -> str:
        """Its heading in the table: its family, and its lattice if it has geometry."""
        what = self.what
        lattice = what.lattice.name if isinstance(what, Puzzle) and what.lattice else ""
        return f"{self.family} {lattice}".strip()

    @cached_property
    def expected(self) -> frozenset[object]:
        """All solutions by brute force: placements for each piece, or options of an exact cover."""
        if isinstance(self.what, ExactCover):
            return frozenset(by_hand_covers.covers(self.what))
        if isinstance(self.what, Fitting):
            return frozenset(by_hand.of_fitting(self.what))
        return frozenset(by_hand.solutions(self.what))

    @cached_property
    def prices(self) -> dict[object, int]:
        """The cost of each solution by brute force; empty without costs."""
        what = self.what
        if not what.costs:
            return {}
        if isinstance(what, Puzzle):
            return {laid: by_hand_costs.price(what, laid) for laid in self.expected}  # type: ignore[arg-type]
        return {options: sum(what.costs[option] for option in options) for options in self.expected}  # type: ignore

    def orbits(self, which: SymmetryKind) -> list[set[by_hand.Laid]]:
        """Return the orbits of the solutions of a puzzle with geometry under its symmetries."""
        if which not in self._orbits:
            assert isinstance(self.what, Puzzle)
            self._orbits[which] = orbits(set(self.expected), actions(self.what, which))  # type: ignore[arg-type]
        return self._orbits[which]

    @cached_property
    def _orbits(self) -> dict[str, list[set[by_hand.Laid]]]:
        return {}


def problem(seed: int) -> Problem:
    """Return the problem of a seed, always the same: the first that is not too large."""
    for attempt in range(ATTEMPTS):
        family, what = _made(Random(seed * ATTEMPTS + attempt))
        found = Problem(seed, family, what)
        with suppress(by_hand.TooLargeError):
            assert found.expected is not None
            return found
    raise by_hand.TooLargeError


def _made(chance: Random) -> tuple[str, What]:
    """Return a random problem and its family."""
    family = chance.choices(list(FAMILIES), list(FAMILIES.values()))[0]
    return family, MAKERS[family](chance)
