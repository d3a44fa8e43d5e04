"""The making of a diagram of all covers: two orders of branching search in turn, and the first to finish wins."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from puzzlec.engine.problem import ExactCover

if TYPE_CHECKING:
    from puzzlec.engine.kernels.memo import MemoKernel

#: How long a kernel runs before it looks up, in seconds: Ctrl-C and time limits answer within this.
SLICE = 0.05

#: How many nodes an order searches before it is the other's turn; each turn is half as long again.
TURN = 20_000

#: The order that has done more of its tree has turns so many times as long.
LEAD = 3


class UnfinishedError(Exception):
    """A set of solutions could not be made within its limits; ``reason`` is ``memory`` or ``time``."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class VariableOrderRace:
    """One kernel or two that search in turn until one is done; the one that is ahead has longer turns.

    They share ``memory`` (bytes); where that ends, the one that is ahead gets all of it. The sets of options come
    on top (options squared over 8 bytes, for each kernel).
    """

    def __init__(
        self,
        cover: ExactCover,
        order: str,
        memory: int,
        seconds: float | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        from puzzlec.engine.kernels.memo import MemoKernel

        if len(cover) ** 2 // 8 > memory:  # its sets of options alone
            raise UnfinishedError("memory", f"a problem of {len(cover)} options needs more than {memory >> 20} MB")
        self.memory, self.seconds, self.progress = memory, seconds, progress
        self.begun = time.monotonic()
        orders = ("mrv", "sweep") if order == "auto" else (order,)
        self.kernels = [
            MemoKernel(cover.arrays, order=each, memory=memory // len(orders), diagram=True) for each in orders
        ]

    def winner(self) -> MemoKernel:
        """Return the kernel that is done first; the nodes decide, not the time, so it is always the same one."""
        turn = TURN
        while True:
            shares = [_share(kernel) for kernel in self.kernels]
            for kernel, share in zip(list(self.kernels), shares, strict=True):
                self._search(kernel, kernel.nodes_visited + (LEAD if share > min(shares) else 1) * turn)
                if kernel.finished:
                    return kernel
            if any(kernel.too_large for kernel in self.kernels):
                self._drop()
            turn += turn // 2

    def _drop(self) -> None:
        """Give all memory to the kernel that has come farthest; where it has it already, that is the end."""
        best = max(self.kernels, key=_share)
        if best.memory == self.memory:
            raise UnfinishedError("memory", f"the diagram of all solutions needs more than {self.memory >> 20} MB")
        self.kernels = [best]
        best.memory, best.too_large = self.memory, False

    def _search(self, kernel: MemoKernel, goal: int) -> None:
        """Search until so many nodes were visited, looking up about every 50 ms."""
        size = 1024
        while not (kernel.finished or kernel.too_large or kernel.nodes_visited >= goal):
            before = time.monotonic()
            kernel.advance(min(size, goal - kernel.nodes_visited))
            now = time.monotonic()
            size = size * 2 if now - before < SLICE / 2 else max(size // 2, 256) if now - before > SLICE else size
            if self.progress:
                self.progress(sum(each.nodes_visited for each in self.kernels), kernel.nodes)
            if self.seconds is not None and now - self.begun >= self.seconds and not kernel.finished:
                raise UnfinishedError("time", f"the diagram of all solutions was not done after {self.seconds:g} s")


def _share(kernel: MemoKernel) -> float:
    """Return how much of its tree a kernel has done, by Knuth's measure: equal parts for the branches of a node."""
    done, part = 0.0, 1.0
    for tried, degree in kernel.position():
        part /= degree
        done += tried * part
    return done
