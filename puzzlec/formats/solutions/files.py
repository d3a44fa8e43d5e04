"""Solutions to a file, one by one or thousands at a time.

Lines are made from the words of placements, which many solutions share. Their text equals that of
:meth:`puzzlec.ir.Solution.as_dict` and :meth:`puzzlec.ir.Solution.listing`, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlec.diagnostics.error import needs
from puzzlec.engine.cover_rows import OptionTable, Rows, rows_of, tuples
from puzzlec.engine.problem_numpy import distinct
from puzzlec.formats.solutions.streams import StreamForm, stream
from puzzlec.ir import Placement, Solution
from puzzlec.ir.solution import EMPTY_SIGN
from puzzlec.lower import Encoding
from puzzlec.lower.covering import option_numbers

#: Maximum number of entries in a table of options and locations.
MAX_TABLE_ENTRIES = 1 << 25

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
        if encoding.faithful and (len(encoding.cover) + 1) * self.fitting.locations <= MAX_TABLE_ENTRIES:
            self._dense = np.zeros((len(encoding.cover) + 1, self.fitting.locations), dtype=self.kind)
            for option in np.flatnonzero(self.placing).tolist():
                self._dense[option, list(self._row(option))] = self.piece[option] + 1
        else:
            rows = [self._row(option) if self.placing[option] else () for option in range(self.nothing)]
            starts = np.append(0, np.cumsum([len(row) for row in rows], dtype=np.int64))
            self._table = OptionTable(starts, np.array([option for row in rows for option in row], dtype=np.int32))

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
        numbers: Owned = np.zeros((len(rows), self.fitting.locations), dtype=self.kind)
        if self._dense is not None:
            for column in rows.T:
                numbers |= self._dense[column]
            return numbers
        assert self._table is not None
        owners, locations, _ = self._table.of(rows)
        pieces = np.repeat(self.piece[rows.ravel()] + 1, self._table.lengths[rows.ravel()])
        numbers[owners, locations] = pieces
        return numbers


#: Formats a solution and its number if there are no words.
Drawn: TypeAlias = Callable[[Solution, int], str]


class SolutionLines:
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
        self._has_word = ~self._owners.placing
        self._words = [""] * (len(encoding.cover) + 1)
        names = [self.fitting.piece_name(number) for number in range(len(self.fitting.pieces))]
        labels = ["null", *map(json.dumps, names)] if format == "jsonl" else ["-", *names]
        self._between = "," if format == "jsonl" else " "
        self._names = np.array(labels, dtype=object)
        coded = [(name + self._between).encode() for name in labels]
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
        pairs = zip(self._placements(rows, ","), self._names_on(rows), strict=True)
        for number, (words, names) in enumerate(pairs, first):
            yield f'{{"solution":{number},"placements":[{words}],"locations":[{names}]}}'

    def _list(self, rows: Rows, first: int) -> Iterator[str]:  # noqa: ARG002  # all have the same arguments
        for words in self._placements(rows, "\n"):
            yield (words or EMPTY_SIGN) + "\n"

    def _locations(self, rows: Rows, first: int) -> Iterator[str]:  # noqa: ARG002
        return self._names_on(rows)

    def _orientations(self, rows: Rows, first: int) -> Iterator[str]:  # noqa: ARG002
        piece, index = self._owners.piece.tolist(), self._owners.index.tolist()
        missing = ["-"] * len(self.fitting.pieces)
        for row in rows.tolist():
            words = missing.copy()
            for option in row:
                number = piece[option]
                if number >= 0:
                    words[number] = str(index[option]) if words[number] == "-" else f"{words[number]},{index[option]}"
            yield " ".join(words)

    def _placements(self, rows: Rows, between: str) -> Iterator[str]:
        """Yield the words for the placements of each row."""
        if not self._has_word[rows].all():
            for option in distinct(rows[~self._has_word[rows]]).tolist():
                self._words[option] = self._word(option)
                self._has_word[option] = True
        words = self._words
        if self._owners.placing[rows].all():
            return (between.join([words[option] for option in row]) for row in rows.tolist())
        return (between.join(filter(None, [words[option] for option in row])) for row in rows.tolist())

    def _word(self, option: int) -> str:
        """Return the words for a placement, which are those of a solution with nothing else."""
        piece, index = self.encoding.piece[option], self.encoding.index[option]
        alone = Solution(
            self.fitting, (Placement(piece, index, self.fitting.pieces[piece].placements.row(index), self.fitting),)
        )
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


#: Solutions in a row group, and the maximum number of entries of its lists.
GROUP, MOST_ENTRIES = 1 << 16, 1 << 23


class ParquetFile:
    """Writes covers of one puzzle to a Parquet file (https://parquet.apache.org); ``about`` becomes metadata.

    Each solution has a row. ``solution`` is its number from 1. ``pieces`` and ``placements`` are lists of the same
    length: the name of a piece and the number of its placement, as in DPF's first notation. ``locations`` lists the
    name of the piece on each location, or null if it stays empty. The writer needs pyarrow, the extra `parquet`.
    """

    def __init__(self, path: Path, encoding: Encoding, about: Mapping[str, str]) -> None:
        arrow: Any = needs("pyarrow", "parquet", "a Parquet file")
        files: Any = needs("pyarrow.parquet", "parquet", "a Parquet file")
        self._arrow = arrow
        self._owners, self._locations = Owners(encoding), encoding.fitting.locations
        names = [encoding.fitting.piece_name(number) for number in range(len(encoding.fitting.pieces))]
        # Pieces with the same name share an entry, because the values of an Arrow dictionary must be unique.
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self._number = np.array([numbers[name] for name in names], dtype=np.int32)
        self._names = arrow.array(list(numbers), arrow.string())
        name = arrow.dictionary(arrow.int32(), arrow.string())
        schema = arrow.schema(
            [
                arrow.field("solution", arrow.int64(), nullable=False),
                arrow.field("pieces", arrow.list_(name), nullable=False),
                arrow.field("placements", arrow.list_(arrow.int32()), nullable=False),
                arrow.field("locations", arrow.list_(name), nullable=False),
            ],
            metadata=dict(about),
        )
        self._schema = schema
        self._file = files.ParquetWriter(str(path), schema, compression="zstd", write_statistics=["solution"])
        self._waiting: list[Any] = []
        self._held = 0
        self._most = max(1, min(GROUP, MOST_ENTRIES // max(1, self._locations)))

    def write(self, rows: Rows, first: int) -> None:
        """Write some solutions; ``first`` is the number of the first one."""
        for at in range(0, len(rows), self._most):
            part = rows[at : at + self._most]
            self._waiting.append(self._batch(self._owners.ordered(part), first + at))
            self._held += len(part)
            if self._held >= self._most:
                self._flush()

    def close(self) -> None:
        """Write the remaining solutions and the end of the file."""
        self._flush()
        self._file.close()

    def _flush(self) -> None:
        if self._waiting:
            table = self._arrow.Table.from_batches(self._waiting, self._schema)
            self._file.write_table(table, row_group_size=max(1, table.num_rows))
        self._waiting, self._held = [], 0

    def _batch(self, rows: Rows, first: int) -> Any:
        placing = self._owners.placing[rows]
        options = rows[placing]
        ends = np.append(0, np.cumsum(placing.sum(axis=1))).astype(np.int32)
        owned = self._owners.of(rows).ravel()
        every = np.arange(len(rows) + 1, dtype=np.int32) * self._locations
        there = np.append(np.int32(0), self._number)[owned]
        columns = [
            np.arange(first, first + len(rows), dtype=np.int64),
            self._lists(ends, self._named(self._number[self._owners.piece[options]])),
            self._lists(ends, self._arrow.array(self._owners.index[options])),
            self._lists(every, self._named(there, None if owned.all() else owned == 0)),
        ]
        return self._arrow.RecordBatch.from_arrays([self._arrow.array(columns[0]), *columns[1:]], schema=self._schema)

    def _lists(self, ends: Any, values: Any) -> Any:
        return self._arrow.ListArray.from_arrays(self._arrow.array(ends), values)

    def _named(self, numbers: Any, missing: Any = None) -> Any:
        return self._arrow.DictionaryArray.from_arrays(self._arrow.array(numbers, mask=missing), self._names)


#: Solutions that are collected before they are written.
SOLUTIONS_IN_BATCH = 1024


class SolutionFile:
    """A file of solutions of one puzzle; ``number`` counts the written ones."""

    def __init__(self, encoding: Encoding, write: Callable[[Rows, int], None]) -> None:
        self.encoding, self.number = encoding, 0
        self._write, self._waiting = write, list[tuple[int, ...]]()

    def write(self, solution: Solution) -> None:
        """Write a solution."""
        options = [self._option[placement.number, placement.index] for placement in solution.placements]
        bare = [self._option.get((-1, at), -1) for at, on in enumerate(solution.pieces_on) if on is None]
        bare += [self._option[option] for option in self.encoding.rule_options(solution.placements)]
        self._waiting.append(tuple(sorted([*options, *(option for option in bare if option >= 0)])))
        if len(self._waiting) >= SOLUTIONS_IN_BATCH:
            self.flush()

    def write_options(self, rows: Rows) -> None:
        """Write covers as rows of :mod:`puzzlec.engine.cover_rows`."""
        self.flush()
        self._write(rows, self.number + 1)
        self.number += len(rows)

    def flush(self) -> None:
        """Write the collected solutions."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self.write_options(rows_of(waiting, len(self.encoding.cover)))

    @cached_property
    def _option(self) -> dict[tuple[int, int], int]:
        return option_numbers(self.encoding)


@contextmanager
def writer(
    path: Path,
    form: StreamForm,
    encoding: Encoding,
    drawn: Drawn | None = None,
    about: Mapping[str, str] | None = None,
) -> Iterator[SolutionFile]:
    """Yield a writer of solutions of a puzzle to a file, which it overwrites.

    ``drawn`` formats a solution and its number for a format without lines (such as "text"). ``about`` is metadata for
    formats that support it. Raises PuzzleError (PZ505) for a missing package.
    """
    if form.format == "parquet":
        table = ParquetFile(path, encoding, about or {})
        try:
            file = SolutionFile(encoding, table.write)
            yield file
            file.flush()
        finally:
            table.close()
        return
    lines = SolutionLines(encoding, form.format, drawn)
    between = "\n" if form.format == "text" else ""
    with stream(path, form.compressed) as sink:

        def write(rows: Rows, first: int) -> None:
            for at, text in enumerate(lines.texts(rows, first), first):
                texts.append(text if at == 1 else between + text)
            texts.append("")
            sink.write("\n".join(texts).encode())
            texts.clear()

        texts: list[str] = []
        file = SolutionFile(encoding, write)
        yield file
        file.flush()
