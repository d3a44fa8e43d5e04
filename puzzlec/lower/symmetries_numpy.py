"""What a movement of the locations does to hundreds of thousands of placements, in numpy.

Every location has a random mark of 64 bits, and a placement the sum of its locations' marks: sorted by sums, the
placements of a piece and their images stand in the same order if they are the same. That they are is then checked,
location by location.
"""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt

from puzzlec.ir import Placements
from puzzlec.lower.covering import Encoding

_Ints = npt.NDArray[np.int32]


class ManyPieces:
    """The placements of pieces that each cover equally many locations, ready to be compared with their images."""

    def __init__(self, encoding: Encoding) -> None:
        fitting = encoding.fitting
        self.options = len(encoding.cover)
        self.marks = np.random.default_rng(1).integers(0, 1 << 63, fitting.locations, np.uint64)
        self.rows = [_rows(piece.placements) for piece in fitting.pieces]
        counts = [len(rows) for rows in self.rows]
        self.first = np.concatenate(([0], np.cumsum(counts)))  # the option of each piece's first placement
        self.order: list[npt.NDArray[np.intp]] = []
        # Pieces that say the same, in their order: an isometry takes a class to a class, first to first.
        self.kinds = [(each.low, each.high, *fitting.kind_of(number)) for number, each in enumerate(fitting.pieces)]
        self.classes: dict[tuple[bytes, tuple[object, ...]], list[int]] = {}
        self.rank: list[int] = []
        for number, rows in enumerate(self.rows):
            sums = self._sums(rows)
            self.order.append(np.argsort(sums, kind="stable"))
            members = self.classes.setdefault((sums[self.order[-1]].tobytes(), self.kinds[number]), [])
            self.rank.append(len(members))
            members.append(number)

    def _sums(self, rows: _Ints) -> npt.NDArray[np.uint64]:
        """Return the sum of the marks of each row, modulo 2 to the 64."""
        found: npt.NDArray[np.uint64] = self.marks[rows].sum(axis=1, dtype=np.uint64)
        return found

    def carry(self, locations: tuple[int, ...]) -> tuple[tuple[int, ...], array[int]] | None:
        """Return what a movement does to pieces and to options, or None: it takes some placement to no such one."""
        to = np.asarray(locations, np.int32)
        options = np.arange(self.options, dtype=np.int32)
        pieces = []
        for number, rows in enumerate(self.rows):
            images = to[rows]
            sums = self._sums(images)
            order = np.argsort(sums, kind="stable")
            members = self.classes.get((sums[order].tobytes(), self.kinds[number]), [])
            if self.rank[number] >= len(members):
                return None
            target = members[self.rank[number]]
            images.sort(axis=1)
            if not np.array_equal(images[order], self.rows[target][self.order[target]]):
                return None  # two sums agree by chance: one in some million million puzzles loses a symmetry so
            pieces.append(target)
            options[self.first[number] + order] = self.first[target] + self.order[target]
        found = array("i")
        found.frombytes(options.tobytes())
        return tuple(pieces), found


def suits(encoding: Encoding) -> bool:
    """Whether this is a puzzle for numpy: large, without edges, each piece with as many locations wherever it lies.

    Nor do placements show colours: they are compared by their locations.
    """
    fitting = encoding.fitting
    if sum(len(piece.placements.locations) for piece in fitting.pieces) < MANY or fitting.beyond:
        return False
    if fitting.region_rules:
        return False
    if any(piece.colours for piece in fitting.pieces):
        return False
    if len(encoding.cover) != sum(len(piece.placements) for piece in fitting.pieces):
        return False  # options that leave a location empty stand behind the others
    return all(
        not len(piece.placements)
        or (len(piece.placements.locations) % len(piece.placements) == 0 and _is_even(piece.placements))
        for piece in fitting.pieces
    )


#: Fewer locations of all placements are done in plain Python.
MANY = 300_000


def _is_even(placements: Placements) -> bool:
    """Whether all placements have as many locations, one at least."""
    lengths = np.diff(np.frombuffer(placements.starts, np.int32))
    return bool(lengths.min() == lengths.max() > 0)


def _rows(placements: Placements) -> _Ints:
    """Return placements as rows of ascending locations."""
    if not len(placements):
        return np.zeros((0, 1), np.int32)
    return np.frombuffer(placements.locations, np.int32).reshape(len(placements), -1)
