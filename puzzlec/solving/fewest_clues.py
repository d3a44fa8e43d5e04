"""The fewest clues that leave a number of solutions: an exact search over the set of all solutions.

A clue keeps some solutions and excludes the others; both are bits of an integer. For each solution that may be kept, up
to symmetry, the search chooses clues that keep it until only the wanted solutions are left. It picks a solution that
must not be left, and branches over the clues that exclude it: a least hitting set. Numbers of clues are tried from 0
upwards, so the first success is the least, and the earlier numbers are proved too small.

Two bounds end a branch. A clue excludes only a limited number of solutions. Solutions that no common clue excludes need
one clue each.

A group acts on the solutions and on the clues. Two solutions that are left count as one if an element of the group
maps the set of clues to itself and one solution to the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from puzzlec.engine import Stop

#: Number of solutions for which some good clues are chosen one by one, before the exact search.
SOLUTIONS_TRIED_FIRST = 24

#: If at most this many clues are still to be chosen, the solutions that they can exclude are counted.
LAST_CLUES = 3

#: Chosen clues, by their numbers.
Chosen = tuple[int, ...]


class ClueSearchStoppedError(Exception):
    """The limit of time has ended the search."""


@dataclass(frozen=True)
class Clues:
    """Solutions 0 to ``solutions`` - 1, and the clues about them, with a group that acts on both.

    Bit ``t`` of ``keeps[c]`` is 1 if clue ``c`` keeps solution ``t``; so is bit ``c`` of ``kept_by[t]``. Bit ``c`` of
    ``clashes[d]`` is 1 if the clues ``c`` and ``d`` may not be used together. Element ``g`` of the group takes solution
    ``t`` to ``moved[g][t]`` and clue ``c`` to ``clue_moved[g][c]`` (-1: to none); element 0 is the identity. A symmetry
    must map a clue of ``rigid`` to itself, and other chosen clues to chosen clues. With ``raw``, each solution counts
    as one, and the group only saves work. ``accepted`` is a last test of chosen clues.
    """

    solutions: int
    keeps: Sequence[int]
    kept_by: Sequence[int]
    clashes: Sequence[int]
    moved: Sequence[Sequence[int]]
    clue_moved: Sequence[Sequence[int]]
    rigid: Sequence[bool]
    raw: bool = False
    accepted: Callable[[Chosen], bool] = field(default=lambda _: True)

    def orbit(self, solution: int) -> set[int]:
        """Return the images of a solution."""
        return {image[solution] for image in self.moved}

    def least_image(self, clues: Chosen) -> Chosen:
        """Return the least image of chosen clues. Sets of clues that are symmetric to each other have the same one."""
        images = [tuple(sorted([image[clue] for clue in clues])) for image in self.clue_moved]
        return min(image for image in images if -1 not in image)

    def left(self, clues: Sequence[int]) -> int:
        """Return the solutions that clues leave, as bits."""
        alive = (1 << self.solutions) - 1
        for clue in clues:
            alive &= self.keeps[clue]
        return alive

    def number_left(self, choice: Sequence[int], alive: int) -> int:
        """Return how many solutions are left, up to the symmetries that keep the clues."""
        if self.raw or len(self.moved) == 1:
            return alive.bit_count()
        keeping = [
            image for image, clues in zip(self.moved, self.clue_moved, strict=True) if self._stays(choice, clues)
        ]
        there, orbits = set(bits(alive)), 0
        while there:
            orbits += 1
            first = next(iter(there))
            there -= {image[first] for image in keeping}
        return orbits

    def _stays(self, clues: Sequence[int], image: Sequence[int]) -> bool:
        return all(image[clue] == clue if self.rigid[clue] else image[clue] in clues for clue in clues)


class FewestClues:
    """The search for the fewest clues that leave ``target`` solutions; ``find`` runs it.

    ``best`` are the clues found so far, empty if there are none. ``proved`` is the minimum number of clues that is not
    yet known to be too few. ``stopped`` names the limit that ended the search. With ``every``, all least sets are
    found, up to symmetry.
    """

    def __init__(self, clues: Clues, target: int = 1, every: bool = False, deadline: float | None = None) -> None:
        self.clues, self.target, self.every, self.deadline = clues, target, every, deadline
        self.best: list[Chosen] = []
        self.proved = 0
        self.stopped: Stop | None = None
        self._known: set[Chosen] = set()
        self._found: list[Chosen] = []
        self._all = (1 << clues.solutions) - 1
        self._most = target * (1 if clues.raw else len(clues.moved))

    def find(self) -> list[Chosen]:
        """Return the least sets of clues: one, or with ``every`` all of them up to symmetry; empty if there is none."""
        try:
            self.proved = int(not self._is_good((), self._all))
            self._try(islice(self._starts(), SOLUTIONS_TRIED_FIRST))
            starts = list(self._starts())
            most = max((free.bit_count() for _, free in starts), default=-1)
            for number in range(most + 1):
                self.proved = max(self.proved, number)
                if self.best and len(self.best[0]) == number and not self.every:
                    break
                for solution, free in starts:
                    self._extend(solution, (), self._all, free, number)
                    if self._found and not self.every:
                        break
                if self._found:
                    break
        except ClueSearchStoppedError:
            self.stopped = Stop.SECONDS
        return self.known()

    def known(self) -> list[Chosen]:
        """Return the best sets of clues that an unfinished search has found."""
        self.best = sorted(self._found) or self.best
        return self.best

    def _starts(self) -> Iterator[tuple[int, int]]:
        """Yield a solution of each orbit that clues can leave, with the clues that keep it."""
        seen: set[int] = set()
        clues = self.clues
        for solution in range(clues.solutions):
            if solution in seen:
                continue
            orbit = clues.orbit(solution)
            seen |= orbit
            self._tick()
            free = clues.kept_by[solution]
            if not self._others(clues.left(list(bits(free))), solution):
                yield solution, free

    def _others(self, alive: int, solution: int) -> list[int]:
        """Return solutions of different orbits, one more than may be left. At least one of them must be excluded."""
        others: list[int] = []
        rest = alive & ~self._class(solution)
        while rest and len(others) < self.target:
            others.append(low(rest))
            rest &= ~self._class(others[-1])
        return others if len(others) == self.target else []

    def _class(self, solution: int) -> int:
        """Return the solutions that may count as one with this one, as bits."""
        return 1 << solution if self.clues.raw else sum(1 << member for member in self.clues.orbit(solution))

    def _hits(self, solution: int) -> int:
        """Return the clues that exclude a solution, as bits. All bits above the number of clues are also 1."""
        return ~self.clues.kept_by[solution]

    def _try(self, starts: Iterable[tuple[int, int]]) -> None:
        """Choose clues one by one, each the one that leaves the fewest solutions: a first answer."""
        clues = self.clues
        for _, free in starts:
            choice: list[int] = []
            alive = self._all
            while not self._is_good(tuple(choice), alive):
                self._tick()
                left = [((alive & clues.keeps[clue]).bit_count(), clue) for clue in bits(free)]
                number, clue = min([candidate for candidate in left if candidate[0] >= self.target], default=(0, -1))
                if clue < 0 or number == alive.bit_count():
                    break
                choice.append(clue)
                alive &= clues.keeps[clue]
                free &= ~(1 << clue | clues.clashes[clue])
            else:
                if not self.best or len(choice) < len(self.best[0]):
                    self.best = [tuple(sorted(choice))]

    def _is_good(self, choice: Chosen, alive: int) -> bool:
        return (
            self.target <= alive.bit_count() <= self._most
            and self.clues.number_left(choice, alive) == self.target
            and self.clues.accepted(choice)
        )

    def _extend(self, solution: int, choice: Chosen, alive: int, free: int, rest: int) -> None:
        """Add ``rest`` of the clues ``free``, and keep good choices. Fewer clues are known to be too few."""
        self._tick()
        if alive.bit_count() < self.target:
            return
        if rest == 0:
            if self._is_good(choice, alive) and (least := self.clues.least_image(choice)) not in self._known:
                self._known.add(least)
                self._found.append(least)
            return
        if not self._can_reach(alive, free, rest):
            return
        branch = self._branch(solution, choice, alive, free, rest)
        for clue in bits(branch):
            free &= ~(1 << clue)
            left = free & ~self.clues.clashes[clue]
            self._extend(solution, (*choice, clue), alive & self.clues.keeps[clue], left, rest - 1)
            if self._found and not self.every:
                return

    def _can_reach(self, alive: int, free: int, rest: int) -> bool:
        """Whether the best clues together can exclude enough."""
        too_many = alive.bit_count() - self._most
        if too_many <= 0 or rest > LAST_CLUES:
            return True
        gains = sorted(((alive & ~self.clues.keeps[clue]).bit_count() for clue in bits(free)), reverse=True)
        return sum(gains[:rest]) >= too_many

    def _branch(self, solution: int, choice: Chosen, alive: int, free: int, rest: int) -> int:
        """Return clues of which one must be added, as bits; 0 if more than ``rest`` would be necessary."""
        if self.target == 1 and (outside := alive & ~self._class(solution)):
            return self._fewest_hits(outside, free, rest)
        if others := self._others(alive, solution):
            together = 0
            for other in others:
                together |= self._hits(other)
            return together & free
        if self.target > 1:
            return free
        # Only images of the solution are left. A clue must exclude one, or make the clues more symmetric.
        useful = sum({1 << image[clue] for image in self.clues.clue_moved for clue in choice if image[clue] >= 0})
        for other in bits(alive):
            useful |= self._hits(other)
        return useful & free

    def _fewest_hits(self, outside: int, free: int, rest: int) -> int:
        """Return the clues that exclude some solution outside, as few as possible.

        Return 0 if more than ``rest`` solutions have no clues in common.
        """
        best, apart = free, 0
        while outside:
            hits = self._hits(low(outside)) & free
            apart += 1
            if not hits or apart > rest:
                return 0
            if apart == 1 or hits.bit_count() < best.bit_count():
                best = hits
            for clue in bits(hits):
                outside &= self.clues.keeps[clue]
        return best

    def _tick(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise ClueSearchStoppedError


def low(number: int) -> int:
    """Return the lowest 1 of a number.

    >>> low(12)
    2
    """
    return (number & -number).bit_length() - 1


def bits(number: int) -> Iterator[int]:
    """Yield the positions of the 1s of a number, ascending.

    >>> list(bits(13))
    [0, 2, 3]
    """
    digit, digits = -1, bin(number)[:1:-1]
    while (digit := digits.find("1", digit + 1)) >= 0:
        yield digit
