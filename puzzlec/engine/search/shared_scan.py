"""A scan in several threads. It counts as one thread does, and visits the same nodes."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor, wait

from puzzlec.engine.kernels.scan import ScanBoard, ScanKernel

#: The portions of a slice for each thread, and the least nodes of one: a thread that is slower takes fewer.
PORTIONS_PER_THREAD, MIN_PORTION_NODES = 4, 1 << 12


class SharedScan:
    """A scan whose roots are shared among threads: each takes the next root when it has done one.

    It has the members of :class:`ScanKernel` that a count needs. :meth:`close` ends the threads and must be called.
    """

    def __init__(self, board: ScanBoard, threads: int) -> None:
        self.board = board
        self._waiting = deque(range(len(board.root_steps)))
        self._kernels = [ScanKernel(board) for _ in range(threads)]
        for kernel in self._kernels:
            kernel.finished = True  # it has no root yet
        self._pool = ThreadPoolExecutor(threads - 1)

    def advance(self, budget: int) -> None:
        """Visit at most this many nodes."""
        portion = max(MIN_PORTION_NODES, -(-budget // (PORTIONS_PER_THREAD * len(self._kernels))))
        portions = deque([portion] * (budget // portion) + [budget % portion] * (budget % portion > 0))
        busy = [kernel for kernel in self._kernels if not kernel.finished or self._waiting]
        others = [self._pool.submit(self._work, kernel, portions) for kernel in busy[1 : len(portions)]]
        try:
            self._work(busy[0], portions)
        finally:
            wait(others)
        for other in others:
            other.result()  # raises what its thread has raised

    def _work(self, kernel: ScanKernel, portions: deque[int]) -> None:
        """Visit the nodes of one portion after the other, until none is left, or no root."""
        while (not kernel.finished or self._waiting) and (portion := _next(portions)):
            goal = kernel.nodes_visited + portion
            while kernel.nodes_visited < goal:
                if kernel.finished:
                    root = _next(self._waiting)
                    if root is None:
                        return
                    kernel.begin(root, self.board)
                kernel.advance(goal - kernel.nodes_visited)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    @property
    def finished(self) -> bool:
        """Whether the count is complete."""
        return not self._waiting and all(kernel.finished for kernel in self._kernels)

    @property
    def nodes_visited(self) -> int:
        """Number of branches taken, by all threads."""
        return sum(kernel.nodes_visited for kernel in self._kernels)

    @property
    def work(self) -> int:
        """The time of all threads so far in nodes, including that of the lists."""
        return sum(kernel.work for kernel in self._kernels)

    @property
    def found(self) -> int:
        """Number of covers so far."""
        return sum(kernel.found for kernel in self._kernels)

    @property
    def fraction(self) -> float:
        """The part of the tree that is done, from 0 to 1: each root is the same part."""
        open_parts = sum([1 - kernel.fraction for kernel in self._kernels])
        return 1 - (len(self._waiting) + open_parts) / len(self.board.root_steps)


def _next(numbers: deque[int]) -> int | None:
    """Return the next number, None if another thread has taken the last one."""
    try:
        return numbers.popleft()
    except IndexError:
        return None
