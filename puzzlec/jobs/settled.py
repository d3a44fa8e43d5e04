"""The solutions of a job that are settled: told in the order of the search, while it goes on."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.ir import Solution
from puzzlec.jobs.blocks import unpack
from puzzlec.jobs.job import Job
from puzzlec.solution.checker import Checker
from puzzlec.solution.cover_checker import check_cover


class Settled:
    """Those solutions of a job whose place in the order of the search is known: all before them are known, too.

    :meth:`more` gives those that have come since it was asked before, at most ``limit`` in all; ``number`` is how many
    were given. Each is checked by code that did not find it.
    """

    def __init__(self, job: Job) -> None:
        self.job, self.number = job, 0
        self._checker = Checker(job.fitting)
        self._after: tuple[bytes, int] | None = None

    def more(self) -> Iterator[Solution]:
        """Give the solutions that are settled now and were not given yet."""
        for block in self.job.store.blocks(after=self._after, before=self.job.front):
            for options in unpack(block.data):
                if self.number == self.job.limit:
                    return
                self.number += 1
                yield self._lifted(options)
            self._after = (block.key, block.number)

    def _lifted(self, options: tuple[int, ...]) -> Solution:
        solution = self.job.encoding.lift(options)
        if self.job.encoding.faithful:
            self._checker.check(solution)
        else:
            check_cover(self.job.encoding.cover, options)
        return solution
