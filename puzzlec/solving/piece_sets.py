"""The sets of pieces that solve a puzzle with ranges of copies, each with its numbers of solutions.

A set is one integer, with some bits for the copies of each piece, so joining two sets is one addition.
:mod:`puzzlec.solving.tally` counts the solutions by these labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import overload

from puzzlec.compiler import Compiled, PuzzleOrName, compile
from puzzlec.diagnostics.error import fail
from puzzlec.engine import ExactCover, Limits, Stop, UnfinishedError
from puzzlec.engine.integers import thread_count
from puzzlec.engine.limits import limits_of
from puzzlec.engine.search.grading import Grade
from puzzlec.ir import Piece, RuleKind
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower import place
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.lower.symmetries import SetSymmetries, SymmetryKind, moves_board
from puzzlec.solving.burnside import fixed
from puzzlec.solving.grading import grade
from puzzlec.solving.solutions import Solutions, too_many_symmetries
from puzzlec.solving.tally import Fixing, Tally


@dataclass(frozen=True)
class PieceSet:
    r"""A set of pieces that has solutions: the number of copies of each used piece, and the numbers of solutions.

    ``distinct`` is None if it is not known, because the search was stopped; ``raw`` is then a lower bound.

    >>> import puzzlec
    >>> found = puzzlec.sets(puzzlec.parse("locations box 5x3\npieces pentominoes x0..1"))
    >>> print(found[0])
    F P U
    >>> found[0].pieces
    {'F': 1, 'P': 1, 'U': 1}
    """

    pieces: dict[str, int]
    raw: int
    distinct: int | None

    def __str__(self) -> str:
        """Return the pieces in one line: `A B x2`."""
        return " ".join(name if copies == 1 else f"{name} x{copies}" for name, copies in self.pieces.items())


class PieceSets:
    r"""The search for the sets of pieces of a puzzle; ``find`` runs it.

    Args:
        what: A puzzle, or the name of one.
        symmetry: Count distinct solutions up to this, as in :func:`piece_sets`.
        limits: Limits of seconds and memory.
        seconds: Short for a limit of seconds.
        threads: The number of threads that list covers.
        memory: Bytes that a diagram may take. Default: 1 GiB.
        way: ``list``, ``diagram``, or ``auto``: list, and make a diagram if there are too many covers.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no range of copies (PZ360).

    >>> import puzzlec
    >>> search = puzzlec.PieceSets(puzzlec.parse("locations box 5x3\npieces pentominoes x0..1"))
    >>> len(search.find()), search.stopped
    (7, None)

    """

    def __init__(
        self,
        what: PuzzleOrName,
        *,
        symmetry: SymmetryKind = "all",
        limits: Limits | None = None,
        seconds: float | None = None,
        threads: int = 1,
        way: str = "auto",
    ) -> None:
        encoding = compile(what)
        self.encoding, self.threads, self.way = encoding, thread_count(threads), way
        self.limits = limits_of(limits, None, seconds, only=("seconds", "memory"))
        self.solutions = Solutions(encoding, symmetry=symmetry)
        self.sets: list[PieceSet] = []
        self.stopped: Stop | None = None
        pieces = encoding.fitting.pieces
        if all(piece.low == piece.high for piece in pieces):
            raise fail(
                "PZ360",
                "puzzle has no ranges of copies: every solution has the same pieces",
                next((piece.span for piece in pieces if piece.span), None),
                help="give pieces a range of copies, such as `pieces pentominoes x0..1`",
                file=encoding.fitting.title,
            )
        self._bits = max(encoding.fitting.locations, 1).bit_length()
        self._found: Counter[int] = Counter()

    @property
    def distinct(self) -> bool:
        """Whether solutions that a symmetry exchanges count once."""
        return self.solutions.convention == "distinct"

    def find(self) -> list[PieceSet]:
        """Return the sets, those with the fewest distinct solutions first.

        If a limit ends the search, ``stopped`` names it. If this is interrupted, ``known`` has the sets found so far.
        """
        labels = [0 if piece < 0 else 1 << piece * self._bits for piece in self.encoding.piece]
        tally = Tally(self.encoding.cover, labels, self.limits, self.threads, self.way)
        self._found = tally.raw
        try:
            tally.count()
            numbers = self._numbers(tally)
        except UnfinishedError as error:
            self.stopped = error.reason
            self.sets = self.known()
            return self.sets
        self.sets = [PieceSet(self._pieces(label), *both) for label, both in numbers.items() if both[0]]
        self.sets.sort(key=lambda piece_set: (piece_set.distinct or 0, piece_set.raw, self._rank(piece_set)))
        return self.sets

    def grade(self, chosen: PieceSet) -> Grade | None:
        """Return how hard the puzzle with exactly these pieces is for a person; None if it is too large."""
        return grade(self._alone([chosen.pieces.get(name, 0) for name in self._names]))

    def _numbers(self, tally: Tally) -> dict[int, tuple[int, int]]:
        """Return the numbers of raw and of distinct solutions of each set, once all covers are counted."""
        orbits = self._orbits(tally)
        return {label: (raw, orbits[label]) for label, raw in tally.raw.items()}

    def _orbits(self, tally: Tally) -> dict[int, int]:
        """Return the number of distinct solutions of each set, once all covers are counted."""
        if not self.distinct:
            return dict(tally.raw)
        which, ruled = self.solutions.symmetry, self.encoding.rules is not None
        try:
            if which != "automorphisms" and not self._fixes_a_copy:
                if not ruled:
                    return tally.orbits(self._fixing(SetSymmetries(self.encoding, which), tally.raw))
                if not moves_board(self.encoding, which):
                    return dict(tally.raw)
        except GroupTooLargeError as error:
            raise too_many_symmetries(error, self.encoding.fitting, which) from None
        # Region rules leave only placements that the other pieces of a set can complete.
        return {label: self._count_alone(label, raw, tally.left()) for label, raw in tally.raw.items()}

    @property
    def _fixes_a_copy(self) -> bool:
        """Whether a copy of several is fixed. It removes placements, but not from a set with this copy alone."""
        puzzle = self.encoding.fitting.puzzle
        return puzzle is not None and any(
            rule.kind is RuleKind.FIX and puzzle.piece_named[rule.piece].high > 1 for rule in puzzle.rules.pieces
        )

    def _fixing(self, symmetries: SetSymmetries, sets: Iterable[int]) -> Iterator[Fixing]:
        """Yield each symmetry with the sets that it keeps.

        If there are equal pieces, a movement of the board may exchange other pieces in one set than in another one. It
        then comes several times.
        """
        copies = {label: dict(self._copies(label)) for label in sets}
        for symmetry in symmetries:
            exchanges: list[tuple[dict[int, int], list[int]]] = []
            for label, pieces in copies.items():
                to = symmetry.pieces(pieces)
                if to is None:
                    continue
                for exchange, members in exchanges:
                    if all(exchange.get(piece, image) == image for piece, image in to.items()):
                        exchange.update(to)
                        members.append(label)
                        break
                else:
                    exchanges.append((to, [label]))
            for to, members in exchanges:
                kept, moved = symmetry.restricted(to)
                same = fixed(self.encoding.cover.subset(kept), moved, 0)
                orbits = tuple([[kept[option] for option in orbit] for orbit in same.orbits])
                yield Fixing(replace(same, orbits=orbits), members)

    def _count_alone(self, label: int, raw: int, limits: Limits) -> int:
        """Return the number of distinct solutions of the puzzle with exactly the pieces of a set."""
        if raw == 1:
            return 1
        alone = Solutions(self._set_alone(label), symmetry=self.solutions.symmetry, limits=limits)
        number = alone.count()
        if alone.stopped is not None:
            raise UnfinishedError(alone.stopped, "the search was stopped")
        return number

    def _set_alone(self, label: int) -> Compiled:
        """Return the puzzle with exactly the pieces of a set."""
        copies = dict(self._copies(label))
        return self._alone([copies.get(piece, 0) for piece in range(len(self.encoding.fitting.pieces))])

    def _alone(self, copies: Sequence[int]) -> Compiled:
        """Return the puzzle with exactly so many copies of each piece."""
        fitting, puzzle = self.encoding.fitting, self.encoding.fitting.puzzle
        if self.encoding.raised:
            return self._cover_alone(copies)
        if puzzle is not None:
            puzzle = puzzle.with_pieces(_exactly(puzzle.pieces, copies))
            if self._is_placed:
                return puzzle
        return replace(fitting, pieces=tuple(_exactly(fitting.pieces, copies)), puzzle=puzzle)

    @cached_property
    def _is_placed(self) -> bool:
        """Whether the fitting is that of its puzzle, so that nothing was changed afterwards."""
        puzzle = self.encoding.fitting.puzzle
        return puzzle is not None and place(puzzle) == self.encoding.fitting

    def _cover_alone(self, copies: Sequence[int]) -> ExactCover:
        """Return an exact cover that was read, with exactly so many options of each piece."""
        encoding, cover = self.encoding, self.encoding.cover
        bounds = list(zip(cover.low, cover.high, strict=True))
        items = list(encoding.item_of_piece)
        for piece, number in enumerate(copies):
            if items[piece] < 0:
                items[piece] = len(bounds)
                bounds.append((0, 0))
            bounds[items[piece]] = (number, number)
        new = len(bounds) - cover.primary
        rows = []
        for option, piece in enumerate(encoding.piece):
            if copies[piece]:
                row = [(item + new * (item >= cover.primary), colour) for item, colour in cover.entries(option)]
                rows.append(row + [(items[piece], 0)] * (items[piece] >= cover.primary))
        return ExactCover.from_rows(rows, len(bounds), cover.secondary, bounds)

    def known(self) -> list[PieceSet]:
        """Return the sets that an unfinished search has found, with the solutions found of each."""
        sets = [PieceSet(self._pieces(label), raw, None) for label, raw in self._found.items()]
        return sorted(sets, key=lambda piece_set: (piece_set.raw, self._rank(piece_set)))

    def _rank(self, piece_set: PieceSet) -> list[int]:
        return [-piece_set.pieces.get(name, 0) for name in self._names]

    @cached_property
    def _names(self) -> list[str]:
        fitting = self.encoding.fitting
        return [fitting.piece_name(number) for number in range(len(fitting.pieces))]

    def _copies(self, label: int) -> Iterator[tuple[int, int]]:
        """Yield the pieces of a set by their numbers, each with its number of copies."""
        mask = (1 << self._bits) - 1
        for piece in range(len(self.encoding.fitting.pieces)):
            if number := label >> piece * self._bits & mask:
                yield piece, number

    def _pieces(self, label: int) -> dict[str, int]:
        """Return the copies of the pieces of a set by their names."""
        names = self._names
        return {names[piece]: number for piece, number in self._copies(label)}


@overload
def _exactly(pieces: Sequence[Piece], copies: Sequence[int]) -> list[Piece]: ...
@overload
def _exactly(pieces: Sequence[FittingPiece], copies: Sequence[int]) -> list[FittingPiece]: ...
def _exactly(pieces: Sequence[Piece | FittingPiece], copies: Sequence[int]) -> Sequence[Piece | FittingPiece]:
    """Return pieces with exactly so many copies, without those that have none."""
    return [replace(piece, low=number, high=number) for piece, number in zip(pieces, copies, strict=True) if number]
