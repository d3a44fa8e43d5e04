"""Solutions to a file, one by one or thousands at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from puzzlec.engine.cover_rows import Rows, rows_of
from puzzlec.formats.solutions.forms import Form
from puzzlec.formats.solutions.lines import Drawn, Lines
from puzzlec.formats.solutions.parquet import ParquetFile
from puzzlec.formats.solutions.streams import stream
from puzzlec.ir import Solution
from puzzlec.lower import Encoding

#: Solutions that are written one by one are kept until there are so many.
MANY = 1024


class SolutionFile:
    """A file that solutions of one puzzle are written to; ``number`` is how many were."""

    def __init__(self, encoding: Encoding, write: Callable[[Rows, int], None]) -> None:
        self.encoding, self.number = encoding, 0
        self._write, self._waiting = write, list[tuple[int, ...]]()

    def write(self, solution: Solution) -> None:
        """Write a solution."""
        chosen = [self._option[each.piece, each.index] for each in solution.placements]
        bare = [self._option.get((-1, at), -1) for at, on in enumerate(solution.pieces_on) if on is None]
        bare += [self._option[each] for each in self.encoding.rule_options(solution.placements)]
        self._waiting.append(tuple(sorted([*chosen, *(each for each in bare if each >= 0)])))
        if len(self._waiting) >= MANY:
            self.flush()

    def write_options(self, rows: Rows) -> None:
        """Write covers, given as rows of :mod:`puzzlec.engine.cover_rows`."""
        self.flush()
        self._write(rows, self.number + 1)
        self.number += len(rows)

    def flush(self) -> None:
        """Hand on what was kept."""
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
    """Give what writes solutions of a puzzle to a file, over one that exists.

    ``drawn`` writes a solution, given with its number, in a format that has no lines of its own (such as "text").
    ``about`` is metadata for formats that have a place for it. Raises PuzzleError (PZ505) where a package is missing.
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
