"""Solutions as lines of text, made from the words of their placements, which many solutions share.

The text equals that of :meth:`puzzlec.ir.Solution.as_dict` and :meth:`puzzlec.ir.Solution.listing`, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlec.engine.cover_rows import Rows, Table, tuples
from puzzlec.ir import Placement, Solution
from puzzlec.ir.solution import NOTHING
from puzzlec.lower import Encoding

#: Maximum number of entries in a table of options and locations.
MOST_ENTRIES = 1 << 25

#: Numbers of pieces from 1; 0 for none.
Owned = npt.NDArray[np.unsignedinteger[Any]]


class Owners:
    """Looks up the piece on each location in covers of one puzzle.

    A solution lists its placements by the numbers of pieces and placements. If options have another order,
    :meth:`ordered` sorts them. ``placing`` has a flag for each option, and a last one for no option: whether it places
    a piece.
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
        # 32 bits only if 16 are not enough.
        self.kind: Any = np.uint16 if len(self.fitting.pieces) < 2**16 else np.uint32
        self._dense = self._table = None
        # In a problem that is not a puzzle, a location may have several pieces. Then the last one counts, as in a
        # Solution.
        if encoding.faithful and (len(encoding.cover) + 1) * self.fitting.locations <= MOST_ENTRIES:
            self._dense = np.zeros((len(encoding.cover) + 1, self.fitting.locations), dtype=self.kind)
            for option in np.flatnonzero(self.placing).tolist():
                self._dense[option, list(self._row(option))] = self.piece[option] + 1
        else:
            rows = [self._row(option) if self.placing[option] else () for option in range(self.nothing)]
            starts = np.append(0, np.cumsum([len(row) for row in rows], dtype=np.int64))
            self._table = Table(starts, np.array([option for row in rows for option in row], dtype=np.int32))

    def _row(self, option: int) -> tuple[int, ...]:
        piece, index = int(self.piece[option]), int(self.index[option])
        return self.fitting.pieces[piece].placements.row(index)

    def ordered(self, rows: Rows) -> Rows:
        """Return rows whose options have the order of a solution's placements."""
        if self.sorted:
            return rows
        return np.take_along_axis(rows, np.argsort(self.rank[rows], axis=1, kind="stable"), axis=1)

    def of(self, rows: Rows) -> Owned:
        """Return for each (ordered) row and each location the number of the piece on it, from 1, or 0."""
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


#: Formats a solution and its number if there are no words.
Drawn: TypeAlias = Callable[[Solution, int], str]


class Lines:
    """Writes covers of one puzzle in a format: "jsonl", "list", "orientations", "locations".

    Words for a placement are made at its first use. ``drawn`` writes a solution in any other format.
    """

    def __init__(self, encoding: Encoding, format: str, drawn: Drawn | None = None) -> None:
        self.encoding, self.fitting, self.format = encoding, encoding.fitting, format
        self.drawn = drawn
        self._write = {
            "jsonl": self._json,
            "list": self._list,
            "orientations": self._orientations,
            "locations": self._locations,
        }.get(format)
        if self._write is None and drawn is None:
            raise ValueError(f"unknown format {format!r}")
        self._owners = Owners(encoding)
        self._known = ~self._owners.placing
        self._words = [""] * (len(encoding.cover) + 1)
        names = [self.fitting.piece_name(number) for number in range(len(self.fitting.pieces))]
        told = ["null", *map(json.dumps, names)] if format == "jsonl" else ["-", *names]
        self._between = "," if format == "jsonl" else " "
        self._names = np.array(told, dtype=object)
        coded = [(name + self._between).encode() for name in told]
        self._width = len(coded[1]) if len({len(word) for word in coded[1:]}) == 1 else 0
        self._even = len(coded[0]) == self._width
        if self._width:
            text = b"".join(word[: self._width].ljust(self._width) for word in coded)
            self._bytes = np.frombuffer(text, dtype=np.uint8).reshape(len(coded), self._width)

    def texts(self, rows: Rows, first: int = 1) -> Iterator[str]:
        """Yield each cover's text without the end of its last line; ``first`` is the number of the first one."""
        if self._write is not None:
            return self._write(self._owners.ordered(rows), first)
        return self._lifted(rows, first)

    def _lifted(self, rows: Rows, first: int) -> Iterator[str]:
        assert self.drawn is not None
        for number, options in enumerate(tuples(rows, len(self.encoding.cover)), first):
            yield self.drawn(self.encoding.lift(options), number)

    def _json(self, rows: Rows, first: int) -> Iterator[str]:
        told = zip(self._told(rows, ","), self._names_on(rows), strict=True)
        for number, (words, names) in enumerate(told, first):
            yield f'{{"solution":{number},"placements":[{words}],"locations":[{names}]}}'

    def _list(self, rows: Rows, first: int) -> Iterator[str]:  # noqa: ARG002  # all have the same arguments
        for words in self._told(rows, "\n"):
            yield (words or NOTHING) + "\n"

    def _locations(self, rows: Rows, first: int) -> Iterator[str]:  # noqa: ARG002
        return self._names_on(rows)

    def _orientations(self, rows: Rows, first: int) -> Iterator[str]:  # noqa: ARG002
        piece, index = self._owners.piece.tolist(), self._owners.index.tolist()
        nobody = ["-"] * len(self.fitting.pieces)
        for row in rows.tolist():
            told = nobody.copy()
            for option in row:
                own = piece[option]
                if own >= 0:
                    told[own] = str(index[option]) if told[own] == "-" else f"{told[own]},{index[option]}"
            yield " ".join(told)

    def _told(self, rows: Rows, between: str) -> Iterator[str]:
        """Yield the words for the placements of each row."""
        if not self._known[rows].all():
            for option in np.unique(rows[~self._known[rows]]).tolist():
                self._words[option] = self._word(option)
                self._known[option] = True
        words = self._words
        if self._owners.placing[rows].all():
            return (between.join([words[option] for option in row]) for row in rows.tolist())
        return (between.join(filter(None, [words[option] for option in row])) for row in rows.tolist())

    def _word(self, option: int) -> str:
        """Return the words for a placement, which are those of a solution with nothing else."""
        piece, index = self.encoding.piece[option], self.encoding.index[option]
        alone = Solution(self.fitting, (Placement(piece, index, self.fitting.pieces[piece].placements.row(index)),))
        if self.format == "list":
            return alone.listing()
        return json.dumps(alone.as_dict()["placements"], separators=(",", ":"))[1:-1]

    def _names_on(self, rows: Rows) -> Iterator[str]:
        """Yield the names of the pieces on the locations of each row."""
        owned = self._owners.of(rows)
        if self._width and owned.size and (self._even or owned.all()):
            # All names have the same number of bytes, and so have all lines. The end of a line is cut off with the last
            # separator.
            data = self._bytes[owned].tobytes()
            length = self._width * owned.shape[1]
            return (data[at : at + length - 1].decode() for at in range(0, len(data), length))
        return map(self._between.join, self._names[owned].tolist())
