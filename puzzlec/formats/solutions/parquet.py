"""Solutions as a Parquet file (https://parquet.apache.org), by pyarrow: the extra `parquet`.

A row for each solution: ``solution`` (its number from 1 on), ``pieces`` and ``orientations`` (lists of the same
length: the name of the piece and the number of its placement, as in DPF's first notation), ``locations`` (a list with
the name of the piece on each, null where it stays empty). Metadata of the schema say what the solutions are.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from puzzlec.diagnostics.extras import needs
from puzzlec.engine.cover_rows import Rows
from puzzlec.formats.solutions.owners import Owners
from puzzlec.lower import Encoding

#: A row group has about so many solutions, and at most so many entries of a list.
GROUP, MOST_ENTRIES = 1 << 16, 1 << 23


class ParquetFile:
    """Writes covers of one puzzle to a Parquet file; ``about`` becomes metadata of its schema."""

    def __init__(self, path: Path, encoding: Encoding, about: Mapping[str, str]) -> None:
        arrow: Any = needs("pyarrow", "parquet", "a Parquet file")
        files: Any = needs("pyarrow.parquet", "parquet", "a Parquet file")
        self._arrow = arrow
        self._owners, self._locations = Owners(encoding), encoding.fitting.locations
        names = [encoding.fitting.piece_name(number) for number in range(len(encoding.fitting.pieces))]
        # Two pieces of one name are one entry: a dictionary says nothing twice.
        known = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self._number = np.array([known[name] for name in names], dtype=np.int32)
        self._names = arrow.array(list(known), arrow.string())
        name = arrow.dictionary(arrow.int32(), arrow.string())
        schema = arrow.schema(
            [
                arrow.field("solution", arrow.int64(), nullable=False),
                arrow.field("pieces", arrow.list_(name), nullable=False),
                arrow.field("orientations", arrow.list_(arrow.int32()), nullable=False),
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
        """Write what is left, and what a Parquet file ends with."""
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
