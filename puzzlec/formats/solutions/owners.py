"""Which piece lies where in many solutions at a time, and in what order their placements are told."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlec.engine.cover_rows import Rows, Table
from puzzlec.lower import Encoding

#: A table with an entry for each option and location has at most so many entries.
MOST_ENTRIES = 1 << 25

#: Numbers of pieces from 1 on; 0 for none.
Owned = npt.NDArray[np.unsignedinteger[Any]]


class Owners:
    """Looks up for covers of one puzzle what lies on each location.

    A solution tells its placements by the numbers of pieces and placements; where options have another order,
    :meth:`ordered` puts them into that one. ``placing`` says of each option, and of none, whether it places a piece.
    """

    def __init__(self, encoding: Encoding) -> None:
        self.fitting = encoding.fitting
        self.piece = np.append(np.frombuffer(encoding.piece, dtype=np.int32), np.int32(-1))
        self.index = np.append(np.frombuffer(encoding.index, dtype=np.int32), np.int32(-1))
        self.placing = self.piece >= 0
        self.nothing = len(encoding.cover)
        self.bare = not bool(self.placing[:-1].all())
        rank = np.lexsort((self.index, np.where(self.placing, self.piece, len(self.fitting.pieces))))
        self.rank = np.argsort(rank, kind="stable")
        placed = self.rank[self.placing]
        self.sorted = bool((placed[1:] > placed[:-1]).all())
        # Of 32 bits only where 16 do not suffice.
        self.kind: Any = np.uint16 if len(self.fitting.pieces) < 2**16 else np.uint32
        self._dense = self._table = None
        # In a problem that is no puzzle a place may have several: then the last one counts, as in a Solution.
        if encoding.faithful and (len(encoding.cover) + 1) * self.fitting.locations <= MOST_ENTRIES:
            self._dense = np.zeros((len(encoding.cover) + 1, self.fitting.locations), dtype=self.kind)
            for option in np.flatnonzero(self.placing).tolist():
                self._dense[option, list(self._row(option))] = self.piece[option] + 1
        else:
            rows = [self._row(option) if self.placing[option] else () for option in range(self.nothing)]
            starts = np.append(0, np.cumsum([len(row) for row in rows], dtype=np.int64))
            self._table = Table(starts, np.array([each for row in rows for each in row], dtype=np.int32))

    def _row(self, option: int) -> tuple[int, ...]:
        piece, index = int(self.piece[option]), int(self.index[option])
        return self.fitting.pieces[piece].placements.row(index)

    def ordered(self, rows: Rows) -> Rows:
        """Return rows whose options come in the order of a solution's placements."""
        if self.sorted:
            return rows
        return np.take_along_axis(rows, np.argsort(self.rank[rows], axis=1, kind="stable"), axis=1)

    def of(self, rows: Rows) -> Owned:
        """Return for each (ordered) row and each location the number of the piece that lies there, from 1 on; or 0."""
        found: Owned = np.zeros((len(rows), self.fitting.locations), dtype=self.kind)
        if self._dense is not None:
            for column in rows.T:
                found |= self._dense[column]
            return found
        assert self._table is not None
        owners, locations, _ = self._table.of(rows)
        pieces = np.repeat(self.piece[rows.ravel()] + 1, self._table.lengths[rows.ravel()])
        found[owners, locations] = pieces
        return found
