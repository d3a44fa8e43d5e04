"""A kind of generated puzzle: a record in the table of kinds, and the effort for one puzzle of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from puzzlec.diagnostics import PuzzleError, counted
from puzzlec.diagnostics.error import fail
from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.ir import Solution
from puzzlec.pipeline import Compiled, parse
from puzzlec.solving.solutions import SearchSettings, Solutions

#: If a count needs more nodes than this, the attempt fails. A limit of time would depend on the machine.
NODES = 2_000_000

#: Nodes of random searches for one solution.
FILLING = 20_000

#: Solutions of an attempt are counted up to this number.
MANY = 200

#: After this many changes that do not reduce the solutions, the search starts over.
PATIENCE = 40

_State = TypeVar("_State")


class Effort:
    """The random numbers, attempts and limits of one generated puzzle.

    ``attempts`` is the number of attempts, ``best`` describes the best one.
    """

    def __init__(self, seed: int, limits: Limits, most: int) -> None:
        self.random = Random(seed)
        self.begun, self.limits, self.most = time.monotonic(), limits, most
        self.attempts, self.best = 0, ""
        self._fewest: int | None = None

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the limit of time; None without one."""
        if self.limits.seconds is None:
            return None
        return max(0.0, self.limits.seconds - (time.monotonic() - self.begun))

    def take(self) -> None:
        """Begin an attempt; raise UnfinishedError at the limit of time, PuzzleError (PZ012) after the last attempt."""
        self.check_time()
        if self.attempts == self.most:
            raise self.failed()
        self.attempts += 1

    def check_time(self) -> None:
        """Raise UnfinishedError at the limit of time."""
        if self.seconds_left == 0:
            raise self.unfinished()

    def failed(self) -> PuzzleError:
        """Return the error for attempts without a result (PZ012)."""
        return fail(
            "PZ012",
            f"found no puzzle with the promised property in {counted(self.attempts, 'attempt')}",
            note=self.best or (),
            help="try another seed, another size or other pieces",
        )

    def unfinished(self) -> UnfinishedError:
        """Return the error for the limit of time."""
        return UnfinishedError(Stop.SECONDS.value, f"{counted(self.attempts, 'attempt')}; {self.best or 'no result'}")

    def solutions(self, text: str, symmetry: str, most: int = MANY) -> int:
        """Return the number of solutions of an attempt, ``most`` if there are more or the count takes too long.

        Raises UnfinishedError at the limit of time.
        """
        found = Solutions(parse(text), limits=Limits(most, self.seconds_left, NODES), symmetry=symmetry)
        number = found.count()
        if found.stopped is Stop.SECONDS:
            raise self.unfinished()
        if found.stopped is not None:
            return most
        if number and (self._fewest is None or number < self._fewest):
            self._fewest, self.best = number, f"the best has {counted(number, 'solution')}"
        return number

    def first(self, what: Compiled) -> Solution | None:
        """Return a solution found by random searches; None if they find none in :data:`FILLING` nodes.

        Raises UnfinishedError at the limit of time.
        """
        settings = SearchSettings(seed=self.random.randrange(1 << 30))
        solutions = Solutions(what, True, Limits(1, self.seconds_left, FILLING), settings=settings)
        found = next(iter(solutions), None)
        if found is None and solutions.stopped is Stop.SECONDS:
            raise self.unfinished()
        return found

    def unique(
        self,
        begin: Callable[[], _State],
        change: Callable[[_State], _State],
        text: Callable[[_State], str],
        symmetry: str,
    ) -> _State:
        """Return a state with one solution: start at random, and keep changes that do not add solutions.

        After :data:`PATIENCE` changes that do not reduce the solutions, the search starts over.
        """
        while True:
            self.take()
            state = begin()
            number, idle = self.solutions(text(state), symmetry), 0
            while number != 1 and idle < PATIENCE:
                self.take()
                other = change(state)
                now = self.solutions(text(other), symmetry, max(number + 1, 2))
                idle = 0 if now < number else idle + 1
                if now <= number:
                    state, number = other, now
            if number == 1:
                return state


#: A value of an option.
Value = str | int | bool


@dataclass(frozen=True)
class Kind:
    """A kind of puzzle: its ``name``, the ``promise`` that each of its puzzles keeps, and its options with defaults.

    ``make`` returns the text of a puzzle, and its number of solutions. It makes at most ``attempts`` attempts.
    """

    name: str
    promise: str
    options: Mapping[str, Value]
    make: Callable[[Mapping[str, Value], Effort], tuple[str, int]]
    attempts: int = 20_000


def wrong(message: str, help: str = "") -> PuzzleError:
    """Return the error for an option of a kind (PZ226)."""
    return fail("PZ226", message, help=help or ())


def number_in(value: Value, high: int, name: str) -> int:
    """Return the number of an option; raise PuzzleError if it is not an integer from 1 to this limit."""
    if not re.fullmatch(r"[0-9]{1,6}", str(value)) or not 1 <= int(value) <= high:
        raise wrong(f"`--{name}` must be an integer from 1 to {high}: found `{value}`")
    return int(value)


def sizes_in(value: Value, dimensions: tuple[int, ...], high: int) -> tuple[int, ...]:
    """Return the sizes of a box; raise PuzzleError for another text, or a size above ``high``."""
    sizes = tuple(map(int, str(value).split("x"))) if re.fullmatch(r"[0-9]{1,6}(x[0-9]{1,6})*", str(value)) else ()
    if len(sizes) not in dimensions or not all(1 <= size <= high for size in sizes):
        form = " or ".join("x".join(["4"] * number) for number in dimensions)
        raise wrong(f"`--size` must be like {form}, each number from 1 to {high}: found `{value}`")
    return sizes
