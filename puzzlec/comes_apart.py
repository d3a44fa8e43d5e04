"""Searches for which only solutions that come apart count: sets of pieces, clues, costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from puzzlec.disassembling import ComesApart, LevelFilter, check_symmetry, is_apart
from puzzlec.engine import Stop, UnfinishedError
from puzzlec.ir import Puzzle, Solution
from puzzlec.lower import Encoding
from puzzlec.motion.bodies import Bodies, movable
from puzzlec.motion.disassembly import Disassembler
from puzzlec.motion.search import Bounds
from puzzlec.solving.costs import BestSolutions, CostCount, CountByCost
from puzzlec.solving.own_symmetry import OwnSymmetries
from puzzlec.solving.piece_sets import PieceSet, PieceSets
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.tally import Tally
from puzzlec.solving.unique import Unique


class UniqueComesApart(Unique):
    """The search for the fewest clues that leave ``target`` solutions that come apart; others may also remain.

    A symmetry of the puzzle maps solutions that come apart to such solutions, so one of each orbit is taken apart.
    """

    nothing = ComesApart.nothing

    @property
    def words(self) -> str:
        """The words after a number of solutions that count."""
        return " that comes apart" if self.target == 1 else " that come apart"

    def _accepted(self, encoding: Encoding, solutions: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        check_symmetry(self.symmetry)
        puzzle, group = movable(encoding.fitting), Solutions(encoding).group
        bounds, bodies = Bounds(self._deadline), Bodies(puzzle)
        disassembler = Disassembler.of(puzzle)
        decided: dict[tuple[int, ...], bool] = {}
        for number, options in enumerate(solutions, 1):
            if options in decided:
                continue
            disassembly = disassembler.take_apart(bodies.of(encoding.lift(options)), bounds)
            if disassembly.stopped is Stop.SECONDS:
                self.stopped = Stop.SECONDS
                return []
            apart = is_apart(disassembly, number)
            decided |= {tuple(sorted([image[option] for option in options])): apart for image in group.options}
        return [options for options in solutions if decided[options]]

    def _count(self, puzzle: Puzzle) -> int:
        return ComesApart(puzzle, symmetry=self.symmetry).count()


class PieceSetsComeApart(PieceSets):
    """The search for the sets of pieces of a puzzle that have solutions that come apart, with the numbers of these.

    Each number is that of :class:`ComesApart` for the puzzle with exactly these pieces.
    """

    def find(self) -> list[PieceSet]:
        """Return the sets, those with the fewest distinct solutions that come apart first."""
        check_symmetry(self.solutions.symmetry)
        movable(self.encoding.fitting)
        self._known = Counter[int]()
        return super().find()

    def _numbers(self, tally: Tally) -> dict[int, tuple[int, int]]:
        numbers: dict[int, tuple[int, int]] = {}
        for label in list(tally.raw):
            search = ComesApart(self._set_alone(label), limits=tally.left(), symmetry=self.solutions.symmetry)
            numbers[label] = 0, 0
            for _, raw in _with_images(search):
                numbers[label] = numbers[label][0] + raw, numbers[label][1] + 1
                self._known[label] = numbers[label][0]
        return numbers

    def known(self) -> list[PieceSet]:
        """Return the sets that an unfinished search has found, with the solutions that are known to come apart."""
        sets = [PieceSet(self._pieces(label), raw, None) for label, raw in self._known.items()]
        return sorted(sets, key=lambda piece_set: (piece_set.raw, self._rank(piece_set)))


class BestSolutionsApart(BestSolutions):
    """The solutions of lowest cost among those that come apart."""

    nothing = ComesApart.nothing

    def _condition(self) -> Callable[[tuple[int, ...]], bool]:
        check_symmetry(self.symmetry)
        comes_apart = LevelFilter(self.fitting, (), self._left().seconds)
        return lambda options: comes_apart(self.encoding.lift(options))


class CountByCostApart(CountByCost):
    """The count by their cost of the solutions that come apart."""

    def find(self) -> list[CostCount]:
        """Return the counts in ascending order of costs. If a limit ends the search, ``stopped`` names it."""
        tally, all_of_them = self._tally, self.solutions
        solutions = ComesApart(
            all_of_them.encoding, limits=tally.left(), threads=tally.threads, symmetry=all_of_them.symmetry
        )
        distinct = Counter[int]()
        try:
            for solution, raw in _with_images(solutions):
                cost = solution.cost or 0
                if tally.is_within(cost):
                    tally.raw[cost] += raw
                    distinct[cost] += 1
        except UnfinishedError as error:
            self.stopped = error.reason
            return self.known()
        return [CostCount(cost, raw, distinct[cost]) for cost, raw in sorted(tally.raw.items())]


def _with_images(solutions: Solutions) -> Iterator[tuple[Solution, int]]:
    """Yield solutions, each with the number of raw solutions that count as the same.

    Raises:
        UnfinishedError: If a limit ends the search.

    """
    symmetries = OwnSymmetries(solutions.encoding, solutions.group)
    for solution in solutions:
        yield solution, 1 if solutions.convention == "raw" else len(solutions.group) // symmetries.of(solution).order
    if solutions.stopped is not None:
        raise UnfinishedError(solutions.stopped, "the search was stopped")


#: The class of each search that counts only solutions that come apart.
KINDS: dict[type, Any] = {
    Solutions: ComesApart,
    BestSolutions: BestSolutionsApart,
    CountByCost: CountByCostApart,
    PieceSets: PieceSetsComeApart,
    Unique: UniqueComesApart,
}
