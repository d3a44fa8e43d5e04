"""A search: one exact cover, one kernel, limits, and an answer that says whether it is complete."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from puzzlec.engine import selection
from puzzlec.engine.kernels.python import PythonKernel
from puzzlec.engine.selection import KERNELS, Kernel
from puzzlec.ir.cover import ExactCover

#: How long a kernel runs before it looks up, in seconds: Ctrl-C and time limits answer within this.
SLICE = 0.05


class Stop(Enum):
    """Why a search ended before the tree was exhausted."""

    SOLUTIONS = "solutions"
    SECONDS = "time"
    NODES = "nodes"


@dataclass(frozen=True)
class Limits:
    """What a search may use; None is no limit."""

    solutions: int | None = None
    seconds: float | None = None
    nodes: int | None = None


class Search:
    """A search that can be iterated (covers as tuples of option numbers, ascending) or counted, once.

    The covers come in a fixed order, whichever kernel is used. ``stopped`` says afterwards which limit
    ended the search, None when it is complete; ``solutions`` and ``nodes`` how far it came.

    >>> cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
    >>> list(Search(cover))
    [(0, 2, 3), (1, 4)]
    """

    def __init__(self, cover: ExactCover, limits: Limits | None = None, kernel: str = "auto") -> None:
        if kernel not in KERNELS:
            raise ValueError(f"there is no kernel {kernel!r}")
        self.cover = cover
        self.limits = limits or Limits()
        self.kernel = kernel
        self.stopped: Stop | None = None
        self.solutions = 0
        self.nodes = 0
        self.seconds = 0.0
        self._begun = time.monotonic()

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        kernel = self._first_kernel()
        skip = 0  # covers that an earlier kernel has given already
        while True:
            if self._reached(kernel):
                return
            for each in kernel.covers(self._budget()):
                if skip:
                    skip -= 1
                    continue
                self.solutions += 1
                yield each
                if self.solutions == self.limits.solutions:
                    self.stopped = Stop.SOLUTIONS
                    return
            self.nodes = kernel.nodes_visited
            if self._should_switch(kernel):
                kernel, skip = self._compiled(), self.solutions

    def count(self) -> int:
        """Return the number of covers, or of those found when a limit was reached."""
        kernel = self._first_kernel()
        while not self._reached(kernel):
            self.solutions += kernel.count(self._budget())
            self.nodes = kernel.nodes_visited
            if self.limits.solutions is not None and self.solutions >= self.limits.solutions:
                self.solutions, self.stopped = self.limits.solutions, Stop.SOLUTIONS
                break
            if self._should_switch(kernel):
                kernel, self.solutions = self._compiled(), 0
        return self.solutions

    def _first_kernel(self) -> Kernel:
        self._begun = time.monotonic()
        self._slice = 256
        if selection.begins_in_python(self.cover, self.kernel):
            return self._made("python")
        return self._compiled()

    def _compiled(self) -> Kernel:
        self._slice = 2048
        return self._made(selection.choose(self.cover).kernel if self.kernel == "auto" else self.kernel)

    def _made(self, name: str) -> Kernel:
        kernel = selection.make(self.cover, name)
        self._looked = time.monotonic()
        return kernel

    def _should_switch(self, kernel: Kernel) -> bool:
        """Whether the search has outgrown plain Python."""
        return (
            self.kernel == "auto"
            and not kernel.finished
            and isinstance(kernel, PythonKernel)
            and kernel.nodes_visited >= selection.PATIENCE
            and selection.has_numba()
        )

    def _budget(self) -> int:
        """Return how many nodes to search before looking up: as many as fill a slice of time."""
        now = time.monotonic()
        taken, self._looked = now - self._looked, now
        if taken < SLICE / 2:
            self._slice = min(self._slice * 2, 1 << 24)
        elif taken > 2 * SLICE:
            self._slice = max(self._slice // 2, 64)
        if self.limits.nodes is None:
            return self._slice
        return max(0, min(self._slice, self.limits.nodes - self.nodes))

    def _reached(self, kernel: Kernel) -> bool:
        """Whether the search is over, by a limit other than that of solutions or without one; notes which."""
        self.seconds = time.monotonic() - self._begun
        if kernel.finished:
            return True
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            self.stopped = Stop.SECONDS
        elif self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            self.stopped = Stop.NODES
        elif self.limits.solutions == 0:
            self.stopped = Stop.SOLUTIONS
        return self.stopped is not None
