"""The sets of pieces that solve a puzzle with ranges of copies, each with its numbers of solutions.

A set is one integer, with some bits for the copies of each piece, so joining two sets is one addition.
:mod:`puzzlec.solving.tally` counts the solutions by these labels.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from puzzlec.diagnostics.error import fail
from puzzlec.engine import Limits, UnfinishedError
from puzzlec.engine.search.grading import Grade
from puzzlec.ir.fitting import Placements
from puzzlec.pipeline import Compiled, compile
from puzzlec.solving.grading import grade
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.tally import Tally


@dataclass(frozen=True)
class PieceSet:
    """A set of pieces that has solutions: the number of copies of each used piece, and the numbers of solutions.

    ``distinct`` is None if it is not known, because the search was stopped; ``raw`` is then a lower bound.
    """

    pieces: dict[str, int]
    raw: int
    distinct: int | None

    def __str__(self) -> str:
        """Return the pieces in one line: `A B x2`."""
        return " ".join(name if copies == 1 else f"{name} x{copies}" for name, copies in self.pieces.items())


class PieceSets:
    """The search for the sets of pieces of a puzzle; ``find`` runs it.

    Args:
        what: A puzzle, or the name of one.
        symmetry: Count distinct solutions up to this, as in :func:`solve`.
        limits: Limit of seconds.
        threads: The number of threads that list covers.
        memory: Bytes that a diagram may take. Default: 1 GiB.
        way: ``list``, ``diagram``, or ``auto``: list, and make a diagram if there are too many covers.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no range of copies (PZ360).

    """

    def __init__(
        self,
        what: Compiled | str,
        symmetry: str = "all",
        limits: Limits | None = None,
        threads: int = 1,
        memory: int | None = None,
        way: str = "auto",
    ) -> None:
        encoding = compile(what, "cover")
        self.encoding, self.limits, self.threads, self.way = encoding, limits or Limits(), threads, way
        self.memory = memory
        self.solutions = Solutions(encoding, symmetry=symmetry)
        self.sets: list[PieceSet] = []
        self.stopped = ""
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
        tally = Tally(self.encoding.cover, labels, self.limits, self.threads, self.memory, self.way)
        self._found = tally.raw
        try:
            tally.count()
            orbits = tally.orbits(self.solutions.group, self._images) if self.distinct else dict(tally.raw)
        except UnfinishedError as error:
            self.stopped = error.reason
            self.sets = self.known()
            return self.sets
        self.sets = [PieceSet(self._pieces(chosen), raw, orbits[chosen]) for chosen, raw in self._found.items()]
        self.sets.sort(key=lambda piece_set: (piece_set.distinct or 0, piece_set.raw, self._rank(piece_set)))
        return self.sets

    def grade(self, chosen: PieceSet) -> Grade | None:
        """Return how hard the puzzle with exactly these pieces is for a person; None if it is too large."""
        fitting = self.encoding.fitting
        copies = [chosen.pieces.get(name, 0) for name in self._names]
        pieces = [
            replace(piece, low=number, high=number)
            if number
            else replace(piece, low=0, high=0, placements=Placements(), sides=(), colours=())
            for piece, number in zip(fitting.pieces, copies, strict=True)
        ]
        return grade(replace(fitting, pieces=tuple(pieces), puzzle=None))

    def known(self) -> list[PieceSet]:
        """Return the sets that an unfinished search has found, with the solutions found of each."""
        found = [PieceSet(self._pieces(chosen), raw, None) for chosen, raw in self._found.items()]
        return sorted(found, key=lambda piece_set: (piece_set.raw, self._rank(piece_set)))

    def _rank(self, piece_set: PieceSet) -> list[int]:
        return [-piece_set.pieces.get(name, 0) for name in self._names]

    @property
    def _names(self) -> list[str]:
        fitting = self.encoding.fitting
        return [fitting.piece_name(number) for number in range(len(fitting.pieces))]

    def _pieces(self, label: int) -> dict[str, int]:
        """Return the copies of the pieces of a set."""
        mask = (1 << self._bits) - 1
        copies = {name: label >> number * self._bits & mask for number, name in enumerate(self._names)}
        return {name: number for name, number in copies.items() if number}

    def _images(self, options: array[int]) -> Callable[[int], int] | None:
        """Return the function that maps sets to their images under a symmetry, given by its permutation of options.

        Return None for an automorphism that takes placements of a piece to placements of several, or to an empty
        location. Under such an automorphism, a set has no image.
        """
        piece, mask = self.encoding.piece, (1 << self._bits) - 1
        to = {own: piece[options[option]] for option, own in enumerate(piece)}
        if to.pop(-1, -1) >= 0 or any(to.get(own, -1) != piece[options[option]] for option, own in enumerate(piece)):
            return None
        return lambda label: sum(
            [(label >> own * self._bits & mask) << image * self._bits for own, image in to.items()]
        )


def piece_sets(
    what: Compiled | str, symmetry: str = "all", limits: Limits | None = None, threads: int = 1
) -> list[PieceSet]:
    """Return the sets of pieces that solve a puzzle with ranges of copies, each with its numbers of solutions.

    >>> import puzzlec
    >>> text = '''
    ... locations box 5x3
    ... pieces pentominoes x0..1
    ... '''
    >>> sets = puzzlec.piece_sets(puzzlec.parse(text))
    >>> len(sets), str(sets[0]), sets[0].distinct, sets[0].raw
    (7, 'F P U', 1, 4)

    Args:
        what: A puzzle, or the name of one.
        symmetry: Count distinct solutions up to this, as in :func:`solve`. Only symmetries that keep a set of pieces
        join its solutions.
        limits: Limit of seconds.
        threads: The number of threads that search.

    Returns:
        The sets, those with the fewest distinct solutions first.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no range of copies (PZ360).
        UnfinishedError: If a limit ends the search.

    """
    search = PieceSets(what, symmetry, limits, threads)
    found = search.find()
    if search.stopped:
        raise UnfinishedError(search.stopped, f"the search stopped after {len(found)} sets of pieces")
    return found
