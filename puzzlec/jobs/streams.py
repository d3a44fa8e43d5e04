"""Streams of covers: the settled solutions of a job, and rows (:mod:`puzzlec.engine.cover_rows`) in chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from puzzlec.engine.check import WrongCoverError
from puzzlec.engine.cover_rows import Rows, RowsChecker, rows_of, tuples
from puzzlec.ir import Fitting, Solution
from puzzlec.jobs.blocks import unpack, unpack_array
from puzzlec.jobs.faults import damaged
from puzzlec.jobs.store import Store
from puzzlec.jobs.tables import Block
from puzzlec.lower import Encoding
from puzzlec.solving.checker import Checker


class Kept(Protocol):
    """The parts of a job that hold its settled solutions."""

    store: Store
    limit: int | None

    @property
    def encoding(self) -> Encoding:
        """The puzzle and its exact cover."""

    @property
    def fitting(self) -> Fitting:
        """The placements of the puzzle."""

    @property
    def front(self) -> bytes | None:
        """Key of the first open work unit; None if all are done."""


class Settled:
    """The solutions of a job with a known position in the order of the search: all solutions before them are known.

    :meth:`more` yields the solutions that were settled since the last call, at most ``limit`` in all. ``number`` counts
    them. Each solution is checked by code that is independent of the search.
    """

    def __init__(self, job: Kept) -> None:
        self.job, self.number = job, 0
        self._checker, self._rows = Checker(job.fitting), RowsChecker(job.encoding.cover)
        self._after: tuple[bytes, int] | None = None

    def more(self) -> Iterator[Solution]:
        """Yield the settled solutions that were not given yet.

        Raises PuzzleError (PZ622) if a kept cover is not a solution.
        """
        for block in self.job.store.blocks(after=self._after, before=self.job.front):
            for options in self._covers(block):
                if self.number == self.job.limit:
                    return
                self.number += 1
                yield self._lifted(options)
            self._after = (block.key, block.number)

    def _covers(self, block: Block) -> Iterator[tuple[int, ...]]:
        nothing = len(self.job.encoding.cover)
        try:
            rows = unpacked(block.data, nothing)
            self._rows.check(rows)
        except (ValueError, WrongCoverError) as error:
            raise damaged(self.job.store.folder, f"a solution in it is wrong: {error}") from None
        return tuples(rows, nothing)

    def _lifted(self, options: tuple[int, ...]) -> Solution:
        solution = self.job.encoding.lift(options)
        if self.job.encoding.faithful:
            self._checker.check(solution)
        return solution


#: Approximate number of covers in a chunk. Smaller chunks would cost time, larger chunks would cost memory.
COVERS_IN_CHUNK = 8192

#: Random numbers of a draw.
Draws = npt.NDArray[np.uint64]


def unpacked(data: bytes, nothing: int) -> Rows:
    """Return the covers of a block as rows; ValueError if the block is damaged."""
    even = unpack_array(data)
    return rows_of(unpack(data), nothing) if even is None else even


def gathered(parts: Iterable[Rows], nothing: int, many: int = COVERS_IN_CHUNK) -> Iterator[Rows]:
    """Yield the same rows in the same order, about ``many`` at a time: small parts joined, large ones cut."""
    waiting: list[Rows] = []
    number = 0
    for part in parts:
        for at in range(0, len(part), many):
            piece = part[at : at + many]
            if number and number + len(piece) > many:
                yield joined(waiting, nothing)
                waiting, number = [], 0
            waiting.append(piece)
            number += len(piece)
    if number:
        yield joined(waiting, nothing)


def joined(parts: list[Rows], nothing: int) -> Rows:
    """Return all rows of several arrays as one array."""
    width = max((part.shape[1] for part in parts), default=0)
    if all(part.shape[1] == width for part in parts):
        return np.concatenate(parts) if len(parts) != 1 else parts[0]
    wide = [np.pad(part, ((0, 0), (0, width - part.shape[1])), constant_values=nothing) for part in parts]
    return np.concatenate(wide)


def limited(parts: Iterable[Rows], number: int | None) -> Iterator[Rows]:
    """Yield the first rows, this many; None: all."""
    left = number
    for rows in parts:
        if left is not None and len(rows) >= left:
            yield rows[:left]
            return
        yield rows
        left = None if left is None else left - len(rows)


def sampled(parts: Iterable[Rows], number: int, seed: int, nothing: int) -> Rows:
    """Return a uniform random choice of this many rows, in their order; all if there are fewer.

    Each row gets a random number of 64 bits, and the rows with the least numbers stay. No other rows are kept in
    memory. The same rows and seed give the same sample.
    """
    draws = np.random.PCG64(seed)
    kept: list[Rows] = []
    keys: list[Draws] = []
    waiting = 0
    for rows in parts:
        kept.append(rows)
        keys.append(np.atleast_1d(draws.random_raw(len(rows))))
        waiting += len(rows)
        if waiting >= 2 * number + COVERS_IN_CHUNK:
            least, drawn = _least(joined(kept, nothing), np.concatenate(keys), number)
            kept, keys, waiting = [least], [drawn], number
    if not kept:
        return np.zeros((0, 0), dtype=np.int32)
    return _least(joined(kept, nothing), np.concatenate(keys), number)[0]


def _least(rows: Rows, keys: Draws, number: int) -> tuple[Rows, Draws]:
    """Return this many rows with the least keys, and their keys, in their order; of equal keys the first ones."""
    chosen = np.sort(np.argsort(keys, kind="stable")[:number])
    return rows[chosen], keys[chosen]
