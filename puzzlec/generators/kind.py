"""A kind of generated puzzle: its record in the table of kinds, its option values, and the effort for one puzzle."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, TypeVar

from puzzlec.compiler import Compiled, parse
from puzzlec.diagnostics import PuzzleError, counted, none_of
from puzzlec.diagnostics.error import fail
from puzzlec.disassembling import ComesApart
from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.geometry.lattice import Cell, Lattice
from puzzlec.geometry.shapes import find_library, library_names
from puzzlec.ir import Solution
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.solutions import SearchSettings, Solutions

#: If a count needs more nodes than this, the attempt fails. A limit of time would depend on the machine.
MAX_NODES_OF_COUNT = 2_000_000

#: Nodes of random searches for one solution.
MAX_NODES_OF_FILLING = 20_000

#: Solutions of an attempt are counted up to this number.
MAX_SOLUTIONS_OF_ATTEMPT = 200

#: After this many changes that do not reduce the solutions, the search starts over.
MAX_VAIN_CHANGES = 40

_State = TypeVar("_State")


class GenerationEffort:
    """The random numbers, attempts and limits of one generated puzzle.

    ``attempts`` is the number of attempts, ``best`` describes the best one. With ``comes_apart``, only solutions that
    come apart count.
    """

    def __init__(self, seed: int, limits: Limits, most: int, comes_apart: bool = False) -> None:
        self.random = Random(seed)
        self.begun, self.limits, self.most = time.monotonic(), limits, most
        self.attempts, self.best, self.comes_apart = 0, "", comes_apart
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
        return UnfinishedError(Stop.SECONDS, f"{counted(self.attempts, 'attempt')}; {self.best or 'no result'}")

    def solutions(self, text: str, symmetry: SymmetryKind, most: int = MAX_SOLUTIONS_OF_ATTEMPT) -> int:
        """Return the number of solutions of an attempt, ``most`` if there are more or the count takes too long.

        Raises UnfinishedError at the limit of time.
        """
        search = ComesApart if self.comes_apart else Solutions
        counting = search(parse(text), limits=Limits(most, self.seconds_left, MAX_NODES_OF_COUNT), symmetry=symmetry)
        number = counting.count()
        if counting.stopped is Stop.SECONDS:
            raise self.unfinished()
        if counting.stopped is not None:
            return most
        if number and (self._fewest is None or number < self._fewest):
            words = (" that comes apart" if number == 1 else " that come apart") * self.comes_apart
            self._fewest, self.best = number, f"the best has {counted(number, 'solution')}{words}"
        return number

    def first(self, what: Compiled) -> Solution | None:
        """Return a solution found by random searches; None if they find none in :data:`MAX_NODES_OF_FILLING` nodes.

        Raises UnfinishedError at the limit of time.
        """
        settings = SearchSettings(seed=self.random.randrange(1 << 30))
        solutions = Solutions(
            what, symmetry="none", limits=Limits(1, self.seconds_left, MAX_NODES_OF_FILLING), settings=settings
        )
        solution = next(iter(solutions), None)
        if solution is None and solutions.stopped is Stop.SECONDS:
            raise self.unfinished()
        return solution

    def unique(
        self,
        begin: Callable[[], _State],
        change: Callable[[_State], _State],
        text: Callable[[_State], str],
        symmetry: SymmetryKind,
    ) -> _State:
        """Return a state with one solution: start at random, and keep changes that do not add solutions.

        After :data:`MAX_VAIN_CHANGES` changes that do not reduce the solutions, the search starts over.
        """
        while True:
            self.take()
            state = begin()
            number, idle = self.solutions(text(state), symmetry), 0
            while number != 1 and idle < MAX_VAIN_CHANGES:
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
class GeneratorKind:
    """A kind of puzzle: its ``name``, the ``promise`` that each of its puzzles keeps, and its options with defaults.

    ``make`` returns the text of a puzzle, and its number of solutions. It makes at most ``attempts`` attempts.
    """

    name: str
    promise: str
    options: Mapping[str, Value]
    make: Callable[[Mapping[str, Value], GenerationEffort], tuple[str, int]]
    attempts: int = 20_000


def wrong(message: str, help: str = "") -> PuzzleError:
    """Return the error for an option of a kind (PZ226)."""
    return fail("PZ226", message, help=help or ())


def number_in(value: Value, high: int, name: str, low: int = 1) -> int:
    """Return the number of an option; raise PuzzleError if it is not an integer in this range."""
    if not re.fullmatch(r"[0-9]{1,6}", str(value)) or not low <= int(value) <= high:
        raise wrong(
            f"`--{name}` must be an integer from {low} to {high}: found `{value}`",
            f"write `--{name} {min(max(low, value), high)}`" if isinstance(value, int) else "",
        )
    return int(value)


def sizes_in(value: Value, dimensions: tuple[int, ...], high: int) -> tuple[int, ...]:
    """Return the sizes of a box; raise PuzzleError for another text, or a size above ``high``."""
    sizes = tuple(map(int, str(value).split("x"))) if re.fullmatch(r"[0-9]{1,6}(x[0-9]{1,6})*", str(value)) else ()
    if len(sizes) not in dimensions or not all(1 <= size <= high for size in sizes):
        form = " or ".join("x".join(["4"] * number) for number in dimensions)
        raise wrong(f"`--size` must be like {form}, each number from 1 to {high}: found `{value}`")
    return sizes


class Stock(NamedTuple):
    """Pieces of the library ``library``: ``copies`` of the shape ``shape``."""

    library: str
    shape: str
    copies: int = 1

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the shape."""
        return find_library(self.library).shape(self.shape).cells

    @property
    def lattice(self) -> Lattice:
        """The lattice of the library."""
        return find_library(self.library).lattice


def pieces_in(text: Value, random: Random) -> list[Stock]:
    """Return the pieces of a text such as ``pentominoes F I, tetrominoes L x2`` or ``pentominoes 5``.

    A library alone means all its pieces; ``tricubes x2`` means two copies of each. A number after a library
    means that many of its pieces at random. Raises PuzzleError (PZ226) for another text, or an unknown name.
    """
    pieces: list[Stock] = []
    for part in str(text).split(","):
        library, *words = re.sub(r"\s+x(?=[0-9]+\b)", "*", part).split() or [""]
        library, _, copies = library.partition("*")
        if library not in library_names():
            raise wrong(none_of(library, _likely(library)), "`puzzlec list shapes` lists the libraries")
        pieces += [
            piece._replace(copies=piece.copies * int(copies[:4] or 1)) for piece in _members(library, words, random)
        ]
    if len({piece.lattice.name for piece in pieces}) > 1:
        raise wrong("the pieces belong to different lattices")
    if not 1 <= sum(piece.copies for piece in pieces) <= 100:
        raise wrong("the number of pieces must be from 1 to 100")
    return merged(pieces)


def _likely(library: str) -> list[str]:
    names = [name for name in library_names() if name[:2] == library[:2]]
    return names or ["pentominoes", "tetrominoes", "tetracubes"]


def _members(library: str, words: Sequence[str], random: Random) -> list[Stock]:
    names = list(find_library(library).shapes)
    if not words:
        return [Stock(library, name) for name in names]
    if len(words) == 1 and words[0].isdecimal() and words[0] not in names:
        number = int(words[0])
        if not 1 <= number <= len(names):
            raise wrong(f"`{library}` has {len(names)} pieces: found `{number}`")
        random.shuffle(names)
        return [Stock(library, name) for name in sorted(names[:number])]
    stocks = []
    for word in words:
        name, _, copies = word.partition("*")
        if name not in names:
            raise wrong(none_of(name, names[:40]), f"`puzzlec list shapes {library}` draws the pieces")
        stocks.append(Stock(library, name, int(copies[:4] or 1)))
    return stocks


def merged(pieces: Sequence[Stock]) -> list[Stock]:
    """Return the pieces with the copies of equal ones added up."""
    copies: dict[tuple[str, str], int] = {}
    for piece in pieces:
        copies[piece.library, piece.shape] = copies.get((piece.library, piece.shape), 0) + piece.copies
    return [Stock(library, shape, number) for (library, shape), number in copies.items() if number]


def statements(pieces: Sequence[Stock], choose: bool = False) -> list[str]:
    """Return a statement for each piece; with ``choose``, each copy may be left out."""
    shapes = [piece.shape for piece in pieces]
    lines = []
    for piece in pieces:
        name = piece.shape if shapes.count(piece.shape) == 1 else f"{piece.library}-{piece.shape}"
        copies = f" x0..{piece.copies}" if choose else f" x{piece.copies}" if piece.copies > 1 else ""
        lines.append(f"piece {name}{copies} = {piece.library}.{piece.shape}")
    return lines
