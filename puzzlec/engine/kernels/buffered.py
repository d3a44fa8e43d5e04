"""The common part of the search kernels in numba: a state of integers, and a buffer that returns covers."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

# The fields of ``state`` (int64) that all kernels have. A kernel may add others.
LEVEL, PHASE, NODES, FOUND, FINISHED, FILLED = 0, 1, 2, 3, 4, 5

#: The buffer has room for at least this many integers.
MIN_BUFFERED_INTEGERS = 1 << 16

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


class BufferedKernel(ABC):
    """A kernel whose search fills a buffer with covers, each as its length and its options.

    ``depth`` is the maximum number of levels.
    """

    def __init__(self, depth: int) -> None:
        self.state = np.zeros(8, dtype=np.int64)
        self.buffer: Ints = np.zeros(max(MIN_BUFFERED_INTEGERS, 2 * depth), dtype=np.int32)

    @abstractmethod
    def _advance(self, budget: int, buffer: Ints) -> None:
        """Search at most ``budget`` nodes. If the length of the buffer is 0, only count covers."""

    @abstractmethod
    def branches(self) -> Longs:
        """Return for each depth of the current path the numbers of finished and of all branches (a row of int64)."""

    def position(self) -> list[tuple[int, int]]:
        """Return for each depth of the current path the number of finished branches and the greatest number."""
        return [(done, degree) for done, degree in self.branches().tolist()]

    @property
    def fraction(self) -> float:
        """The part of the tree before the position; see :func:`puzzlec.engine.progress.fraction_done`."""
        if self.finished:
            return 1.0
        done, degrees = self.branches().T
        parts = np.divide.accumulate(np.append(1.0, np.maximum(degrees, 1)))[1:]
        return float(np.add.accumulate(np.append(0.0, done * parts))[-1])

    @property
    def finished(self) -> bool:
        """Whether the tree is exhausted."""
        return bool(self.state[FINISHED])

    @property
    def nodes_visited(self) -> int:
        """Number of branches taken."""
        return int(self.state[NODES])

    def covers(self, budget: int) -> list[tuple[int, ...]]:
        """Search at most ``budget`` nodes and return the covers found, their options ascending."""
        if self.finished:
            return []
        self._advance(budget, self.buffer)
        numbers = self.buffer[: int(self.state[FILLED])].tolist()
        options_of_covers, at = [], 0
        while at < len(numbers):
            size = numbers[at]
            options_of_covers.append(tuple(sorted(numbers[at + 1 : at + 1 + size])))
            at += size + 1
        return options_of_covers

    def count(self, budget: int) -> int:
        """Search at most ``budget`` nodes and return the number of covers found."""
        if self.finished:
            return 0
        before = int(self.state[FOUND])
        self._advance(budget, self.buffer[:0])
        return int(self.state[FOUND]) - before
