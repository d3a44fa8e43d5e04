"""Solutions to a file, one by one or thousands at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from puzzlec.diagnostics.error import needs
from puzzlec.engine.cover_rows import Rows, rows_of
from puzzlec.formats.solutions.lines import Drawn, Lines, Owners
from puzzlec.formats.solutions.streams import Form, stream
from puzzlec.ir import Solution
from puzzlec.lower import Encoding

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
        known = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self._number = np.array([known[name] for name in names], dtype=np.int32)
        self._names = arrow.array(list(known), arrow.string())
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
MANY = 1024


class SolutionFile:
    """A file of solutions of one puzzle; ``number`` counts the written ones."""

    def __init__(self, encoding: Encoding, write: Callable[[Rows, int], None]) -> None:
        self.encoding, self.number = encoding, 0
        self._write, self._waiting = write, list[tuple[int, ...]]()

    def write(self, solution: Solution) -> None:
        """Write a solution."""
        chosen = [self._option[placement.piece, placement.index] for placement in solution.placements]
        bare = [self._option.get((-1, at), -1) for at, on in enumerate(solution.pieces_on) if on is None]
        bare += [self._option[option] for option in self.encoding.rule_options(solution.placements)]
        self._waiting.append(tuple(sorted([*chosen, *(option for option in bare if option >= 0)])))
        if len(self._waiting) >= MANY:
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
        pairs = zip(self.encoding.piece, self.encoding.index, strict=True)
        return {pair: option for option, pair in enumerate(pairs)}


@contextmanager
def writer(
    path: Path,
    form: Form,
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
    lines = Lines(encoding, form.format, drawn)
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
