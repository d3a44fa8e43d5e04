"""The sets of pieces that solve a puzzle with ranges of copies, each with its numbers of solutions.

The covers are listed and counted by their pieces. If they are too many, a diagram of all covers is made instead. From
the last node up, each node gets the number of its covers for each set of pieces. A set is one integer, with some bits
for the copies of each piece, so joining two sets is one addition.

Distinct solutions of a set are its orbits under the symmetries that keep the set. By Burnside's lemma, their number is
the mean of the numbers of solutions with this set that each of these symmetries fixes.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from puzzlec.diagnostics.error import fail
from puzzlec.engine import ExactCover, Limits, Search, Stop, UnfinishedError
from puzzlec.engine.search import selection
from puzzlec.lower import Encoding
from puzzlec.pipeline import Compiled, compile
from puzzlec.solving.burnside import fixed, unweighted
from puzzlec.solving.solutions import Solutions

#: Covers that are listed at most before a diagram is made.
MANY = 200_000

#: Covers, or nodes of a diagram, between two looks at the clock.
SOME = 4096


@dataclass(frozen=True)
class PieceSet:
    """A set of pieces that has solutions: the number of copies of each used piece by its name, and how many there are.

    ``distinct`` is None if it is not known, because the search was stopped; ``raw`` is then a lower bound.
    """

    pieces: dict[str, int]
    raw: int
    distinct: int | None

    def __str__(self) -> str:
        """Return the pieces in one line: `A B x2`."""
        return " ".join(name if copies == 1 else f"{name} x{copies}" for name, copies in self.pieces.items())


class PieceSets:
    """The search for the sets of pieces of a puzzle; ``find`` makes it.

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
        assert isinstance(encoding, Encoding)
        self.encoding, self.limits, self.threads, self.way = encoding, limits or Limits(), threads, way
        self.memory = memory or 1 << 30
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
        """Whether symmetries make solutions one."""
        return self.solutions.convention == "distinct"

    def find(self) -> list[PieceSet]:
        """Return the sets, those with the fewest distinct solutions first.

        If a limit ends the search, ``stopped`` names it. If this is interrupted, ``known`` has the sets found so far.
        """
        begun = time.monotonic()
        try:
            labels = [0 if piece < 0 else 1 << piece * self._bits for piece in self.encoding.piece]
            self._tally(self.encoding.cover, labels, begun, self._found)
            orbits = self._orbits(labels, begun)
        except UnfinishedError as error:
            self.stopped = error.reason
            self.sets = self.known()
            return self.sets
        self.sets = [PieceSet(self._pieces(each), raw, orbits[each]) for each, raw in self._found.items()]
        self.sets.sort(key=lambda each: (each.distinct or 0, each.raw, self._rank(each)))
        return self.sets

    def known(self) -> list[PieceSet]:
        """Return the sets that an unfinished search has found, with the solutions found of each."""
        found = [PieceSet(self._pieces(each), raw, None) for each, raw in self._found.items()]
        return sorted(found, key=lambda each: (each.raw, self._rank(each)))

    def _rank(self, each: PieceSet) -> list[int]:
        return [-each.pieces.get(name, 0) for name in self._names]

    @property
    def _names(self) -> list[str]:
        fitting = self.encoding.fitting
        return [fitting.piece_name(number) for number in range(len(fitting.pieces))]

    def _pieces(self, label: int) -> dict[str, int]:
        """Return the copies of the pieces of a set."""
        mask = (1 << self._bits) - 1
        copies = {name: label >> number * self._bits & mask for number, name in enumerate(self._names)}
        return {name: number for name, number in copies.items() if number}

    def _tally(self, cover: ExactCover, labels: Sequence[int], begun: float, found: Counter[int]) -> None:
        """Count the covers by their sets of pieces; ``labels`` has a number for each option.

        Raises UnfinishedError at a limit; ``found`` then has lower bounds.
        """
        if self.way == "diagram" or not self._list(cover, labels, begun, found):
            counted = self._by_diagram(cover, labels, begun)
            found.clear()
            found.update(counted)

    def _list(self, cover: ExactCover, labels: Sequence[int], begun: float, found: Counter[int]) -> bool:
        """List the covers; return false if they are too many."""
        search = Search(cover, self._left(begun), threads=self.threads)
        most = MANY if self.way == "auto" and selection.has_numba() else None
        for number, options in enumerate(search, 1):
            found[sum([labels[option] for option in options])] += 1
            if number == most:
                return False
        if search.stopped is not None:
            raise UnfinishedError(search.stopped.value, "the search for sets of pieces was stopped")
        return True

    def _by_diagram(self, cover: ExactCover, labels: Sequence[int], begun: float) -> dict[int, int]:
        from puzzlec.engine.diagram import SolutionSet

        found = SolutionSet.of(cover, memory=self.memory, seconds=self._left(begun).seconds)
        starts, options, children = (
            found.starts.tolist(), found.branch_options.tolist(), found.branch_children.tolist()
        )  # fmt: skip
        last = dict(zip(children, _parents(starts), strict=True))  # of each node, the last node with a branch to it
        counts: dict[int, dict[int, int]] = {0: {}, 1: {0: 1}}
        for node in range(2, found.root + 1):
            here: dict[int, int] = {}
            for branch in range(starts[node], starts[node + 1]):
                option, child = options[branch], children[branch]
                label = labels[option] if option >= 0 else 0
                for key, number in counts[child].items():
                    here[key + label] = here.get(key + label, 0) + number
            counts[node] = here
            for branch in range(starts[node], starts[node + 1]):
                if children[branch] > 1 and last[children[branch]] == node:
                    counts.pop(children[branch], None)
            if node % SOME == 0 and self._left(begun).seconds == 0:
                raise UnfinishedError(Stop.SECONDS.value, "the search for sets of pieces was stopped")
        return counts[found.root]

    def _orbits(self, labels: Sequence[int], begun: float) -> dict[int, int]:
        """Return the number of distinct solutions of each set."""
        if not self.distinct:
            return dict(self._found)
        group = self.solutions.group
        total, keeping = Counter(self._found), Counter(dict.fromkeys(self._found, 1))
        for element in range(1, len(group)):
            to = self._piece_permutation(group.options[element])
            keeping.update(each for each in self._found if self._moved(each, to) == each)
            same = fixed(self.encoding.cover, group, element)
            own = [sum([labels[option] for option in orbit]) for orbit in same.orbits]
            cover = unweighted(same)
            here = Counter[int]()
            self._tally(cover, own + [0] * (len(cover) - len(own)), begun, here)
            total.update(here)
        uneven = [each for each in self._found if total[each] % keeping[each]]
        if uneven:
            raise ValueError("the permutations are not a group of symmetries of this problem")
        return {each: total[each] // keeping[each] for each in self._found}

    def _piece_permutation(self, options: array[int]) -> dict[int, int]:
        """Return the pieces to which a symmetry takes the pieces."""
        piece = self.encoding.piece
        return {own: piece[options[option]] for option, own in enumerate(piece) if own >= 0}

    def _moved(self, label: int, to: dict[int, int]) -> int:
        """Return the image of a set."""
        mask = (1 << self._bits) - 1
        return sum([(label >> own * self._bits & mask) << image * self._bits for own, image in to.items()])

    def _left(self, begun: float) -> Limits:
        seconds = self.limits.seconds
        left = None if seconds is None else max(0.0, seconds - (time.monotonic() - begun))
        return replace(Limits(), seconds=left)


def _parents(starts: list[int]) -> list[int]:
    """Return for each branch of a diagram its node."""
    return [node for node in range(len(starts) - 1) for _ in range(starts[node], starts[node + 1])]


def piece_sets(
    what: Compiled | str, symmetry: str = "all", limits: Limits | None = None, threads: int = 1
) -> list[PieceSet]:
    """Return the sets of pieces that solve a puzzle with ranges of copies, each with its numbers of solutions.

    >>> import puzzlec
    >>> sets = puzzlec.piece_sets(puzzlec.parse("locations box 5x3; pieces pentominoes x0..1".replace(";", chr(10))))
    >>> len(sets), str(sets[0]), sets[0].distinct, sets[0].raw
    (7, 'F P U', 1, 4)

    Args:
        what: A puzzle, or the name of one.
        symmetry: Count distinct solutions up to this, as in :func:`solve`. Only symmetries that keep a set of pieces
            make its solutions one.
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
