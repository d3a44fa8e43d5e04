"""The solutions of a job that are settled: told in the order of the search, while it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from puzzlec.engine.check import WrongCoverError
from puzzlec.engine.cover_rows import RowsChecker, tuples
from puzzlec.ir import Fitting, Solution
from puzzlec.jobs.faults import damaged
from puzzlec.jobs.store import Block, Store
from puzzlec.jobs.streams import unpacked
from puzzlec.lower import Encoding
from puzzlec.solving.checker import Checker


class Kept(Protocol):
    """The parts of a job that its settled solutions are read from."""

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
    """Those solutions of a job whose place in the order of the search is known: all before them are known, too.

    :meth:`more` gives those that have come since it was asked before, at most ``limit`` in all; ``number`` is how many
    were given. Each is checked by code that did not find it.
    """

    def __init__(self, job: Kept) -> None:
        self.job, self.number = job, 0
        self._checker, self._rows = Checker(job.fitting), RowsChecker(job.encoding.cover)
        self._after: tuple[bytes, int] | None = None

    def more(self) -> Iterator[Solution]:
        """Give the solutions that are settled now and were not given yet.

        Raises PuzzleError (PZ622) where one that is kept is none.
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
            raise damaged(self.job.store.folder, f"a solution in it is none: {error}") from None
        return tuples(rows, nothing)

    def _lifted(self, options: tuple[int, ...]) -> Solution:
        solution = self.job.encoding.lift(options)
        if self.job.encoding.faithful:
            self._checker.check(solution)
        return solution
