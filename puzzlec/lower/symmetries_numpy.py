"""Effect of a movement of the locations on hundreds of thousands of placements, in numpy.

Each location has a random number of 64 bits, and a placement the sum of the numbers of its locations and of its cost.
Sorted by these sums, equal placements of a piece and its image have the same order. Their equality is then checked,
location by location.
"""

from __future__ import annotations

from array import array
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from puzzlec.ir import Placements
from puzzlec.lower.covering import Encoding

_Ints = npt.NDArray[np.int32]


#: The factor of a cost in the sum of a placement: a random odd number of 64 bits.
COST_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class ManyPieces:
    """The placements of pieces, each with a constant number of locations, indexed for comparison with their images."""

    def __init__(self, encoding: Encoding) -> None:
        fitting = encoding.fitting
        self.options = len(encoding.cover)
        self.marks = np.random.default_rng(1).integers(0, 1 << 63, fitting.locations, np.uint64)
        self.rows = [_rows(piece.placements) for piece in fitting.pieces]
        counts = [len(rows) for rows in self.rows]
        self.first = np.concatenate(([0], np.cumsum(counts)))  # option of each piece's first placement
        self.order: list[npt.NDArray[np.intp]] = []
        costs = np.frombuffer(encoding.cover.costs, np.int64).view(np.uint64) if encoding.cover.costs else None
        self.paid = [0 if costs is None else costs[a:b] * COST_FACTOR for a, b in pairwise(self.first)]
        # Equal pieces, in their order: an isometry takes a class to a class, first to first.
        self.kinds = [(piece.low, piece.high, *fitting.kind_of(number)) for number, piece in enumerate(fitting.pieces)]
        self.classes: dict[tuple[bytes, tuple[object, ...]], list[int]] = {}
        self.rank: list[int] = []
        for number, rows in enumerate(self.rows):
            sums = self._sums(rows) + self.paid[number]
            self.order.append(np.argsort(sums, kind="stable"))
            members = self.classes.setdefault((sums[self.order[-1]].tobytes(), self.kinds[number]), [])
            self.rank.append(len(members))
            members.append(number)

    def _sums(self, rows: _Ints) -> npt.NDArray[np.uint64]:
        """Return the sum of the numbers of each row, modulo 2 to the 64."""
        sums: npt.NDArray[np.uint64] = self.marks[rows].sum(axis=1, dtype=np.uint64)
        return sums

    def carry(self, locations: tuple[int, ...]) -> tuple[tuple[int, ...], array[int]] | None:
        """Return the effect of a movement on pieces and options; None if it is not a symmetry."""
        to = np.asarray(locations, np.int32)
        options = np.arange(self.options, dtype=np.int32)
        pieces = []
        for number, rows in enumerate(self.rows):
            images = to[rows]
            sums = self._sums(images) + self.paid[number]
            order = np.argsort(sums, kind="stable")
            members = self.classes.get((sums[order].tobytes(), self.kinds[number]), [])
            if self.rank[number] >= len(members):
                return None
            target = members[self.rank[number]]
            images.sort(axis=1)
            if not np.array_equal(images[order], self.rows[target][self.order[target]]):
                return None  # two sums agree by chance: about one in 10**12 puzzles loses a symmetry this way
            pieces.append(target)
            options[self.first[number] + order] = self.first[target] + self.order[target]
        permutation = array("i")
        permutation.frombytes(options.tobytes())
        return tuple(pieces), permutation


def suits(encoding: Encoding) -> bool:
    """Return whether a puzzle suits numpy: large, no coloured sides, each piece with a constant number of locations.

    Placements must not show colours, since only locations are compared.
    """
    fitting = encoding.fitting
    if sum(len(piece.placements.locations) for piece in fitting.pieces) < MIN_LOCATIONS_IN_NUMPY or fitting.neighbours:
        return False
    if encoding.rules is not None:
        return False
    if any(piece.colours for piece in fitting.pieces):
        return False
    if len(encoding.cover) != sum(len(piece.placements) for piece in fitting.pieces):
        return False  # options that leave a location empty come last
    return all(
        not len(piece.placements)
        or (len(piece.placements.locations) % len(piece.placements) == 0 and _is_even(piece.placements))
        for piece in fitting.pieces
    )


#: If all placements together cover fewer locations, plain Python is used.
MIN_LOCATIONS_IN_NUMPY = 300_000


def _is_even(placements: Placements) -> bool:
    """Return whether all placements have the same number of locations, at least one."""
    lengths = np.diff(np.frombuffer(placements.starts, np.int32))
    return bool(lengths.min() == lengths.max() > 0)


def _rows(placements: Placements) -> _Ints:
    """Return placements as rows of ascending locations."""
    if not len(placements):
        return np.zeros((0, 1), np.int32)
    return np.frombuffer(placements.locations, np.int32).reshape(len(placements), -1)
