"""The search of one tree as a task: in plain Python at first, then by a compiled kernel or several threads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from puzzlec.engine.kernels import compiling
from puzzlec.engine.kernels.compiling import Stopwatch
from puzzlec.engine.kernels.python import PythonKernel
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import NodeBudget, Progress, expected
from puzzlec.engine.search import selection
from puzzlec.engine.search.race import UNLIMITED_NODES, Foresight, RaceOutcome, Task
from puzzlec.engine.search.selection import Kernel, KernelChoice

if TYPE_CHECKING:  # it imports numpy, which a small search does without
    from puzzlec.engine.search.threads import ThreadedKernel

#: After this many seconds before its first nodes, a search reports that it is beginning.
BEGINNING_SECONDS = 1.0

#: Problems with more entries are searched by one thread: each subproblem is a copy of what is left.
MAX_DIVISIBLE_ENTRIES = 300_000

#: A tree of fewer nodes is left to one thread, which needs less time than threads need to begin.
MIN_THREADED_NODES = 1 << 19

#: Maximum number of threads or processes for each processor.
MAX_WORKERS_PER_CORE = 8


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def most_workers() -> int:
    """Return the maximum number of threads or processes that search at a time. More would only cost time."""
    return MAX_WORKERS_PER_CORE * cores()


def workers(threads: int) -> int:
    """Return how many threads search if a user asks for ``threads`` (0: one for each processor)."""
    return 1 if threads == 1 else min(threads or cores(), most_workers())


class TreeSearch(Task):
    """The search of one tree. Its covers come in a fixed order, and ``nodes`` are those of the running kernel.

    After some nodes in plain Python (:mod:`puzzlec.engine.search.selection`) a compiled kernel takes over, and after
    :attr:`moment` nodes of that one, several threads if the tree has :data:`MIN_THREADED_NODES`. They
    begin at the root, since they soon reach the same position. Covers that are known already are not returned twice.
    ``covers`` has the covers found and not yet taken, or None if they are only counted. With ``exact``, no budget is
    exceeded, even if threads count.
    """

    def __init__(self, cover: ExactCover, kernel: str, threads: int, exact: bool) -> None:
        super().__init__()
        self.cover, self.name = cover, kernel
        # More threads than these would only cost time, and so would any threads if a problem takes long to divide.
        alone = threads == 1 or len(cover.items) > MAX_DIVISIBLE_ENTRIES
        self.threads = 1 if alone else workers(threads)
        self.exact = exact
        self.covers: list[tuple[int, ...]] | None = None
        self.choice = KernelChoice("python", "no other kernel was needed")
        self.kernel: Kernel | None = None
        self.probes = Foresight(cover)
        self._met = 0  # covers that the running kernel has found
        self._pace = NodeBudget(256)

    @property
    def moment(self) -> int:
        """The nodes of the first kernel: more of them if it is compiled, since they take no longer."""
        return selection.NODES_BEFORE_NUMBA * (1 if selection.begins_in_python(self.cover, self.name) else 10)

    @property
    def shared(self) -> ThreadedKernel | None:
        """The running kernel if it has several threads, else None."""
        return cast("ThreadedKernel", self.kernel) if hasattr(self.kernel, "close") else None

    def advance(self, budget: int) -> None:
        """Search for a slice of time, at most ``budget`` nodes."""
        kernel = self.kernel
        if kernel is None:
            kernel = self._first_kernel()
        elif self._is_outgrown(kernel):
            kernel = self._compiled()
        if self.shared is None:
            budget = min(budget, self._pace.next())
            if self.name == "auto" and isinstance(kernel, PythonKernel) and selection.has_numba():
                budget = min(budget, max(1, selection.python_nodes() - kernel.nodes_visited))
        elif self.covers is None and not self.exact:
            budget = UNLIMITED_NODES  # each thread sets its own budget, and its kernel returns often enough to stop
        if self.covers is None:
            self._met += kernel.count(budget)
        else:
            covers = kernel.covers(budget)
            self.covers += covers[max(0, self.number - self._met) :]
            self._met += len(covers)
        before = self.nodes
        self.number, self.nodes = max(self.number, self._met), kernel.nodes_visited
        if isinstance(kernel, PythonKernel) and self.name == "auto":
            selection.note_python_nodes(self.nodes - before)
        self.look()
        if kernel.finished:
            self.outcome = RaceOutcome(self.number, choice=self.choice)

    def look(self) -> None:
        """Update the part of the tree that is done."""
        if self.kernel is not None:
            self.before = self.kernel.fraction

    def close(self) -> None:
        """End the threads."""
        self.look()
        if self.shared is not None:
            self.shared.close()

    @property
    def profile(self) -> list[int]:
        """Number of nodes at each depth, of all threads together."""
        return [] if self.kernel is None else self.kernel.profile

    def pause(self) -> None:
        """Note that another task has its turn. Threads continue meanwhile."""
        if self.shared is None:
            super().pause()

    def resume(self) -> None:
        """Note that the turns of other tasks are over."""
        if self.shared is None:
            super().resume()

    def progress(self) -> Progress:
        """Return how far the search is, without the seconds."""
        # This changes no state, since decisions must not depend on whether the progress is watched.
        fraction, seen, shared = self.before, self.nodes, self.shared
        if shared is not None:
            fraction, seen = shared.fraction, shared.known[1]
        busy = self.watch.seconds
        rate = seen / busy if busy > 0 else 0.0
        now = Progress(fraction, seen, self.number, busy, rate, expected(fraction, busy))
        if busy > BEGINNING_SECONDS and self.is_beginning:
            return now._replace(left=None, doing="beginning")
        return self.probes.better(now) if self.outcome is None else now

    @property
    def is_beginning(self) -> bool:
        """Whether a kernel runs that has not visited a node yet."""
        kernel, shared = self.kernel, self.shared
        if kernel is None:
            return False
        return not (kernel.nodes_visited if shared is None else shared.has_begun)

    @property
    def foresight(self) -> Foresight | None:
        """The random probes, if they are possible now."""
        if self.kernel is None or self.outcome is not None or self.is_beginning or compiling.is_going_on():
            return None  # probes, and the display of the progress, would wait for the compiler
        if self.name == "auto" and isinstance(self.kernel, PythonKernel) and selection.has_numba():
            return None  # the search ends soon, or another task runs before a compiled kernel replaces this one
        return self.probes

    def _first_kernel(self) -> Kernel:
        if selection.begins_in_python(self.cover, self.name) and (self.name == "auto" or self.threads == 1):
            if self.name == "python":
                self.choice = KernelChoice("python", "it was asked for")
            return self._started(selection.make(self.cover, "python"), 256)
        return self._compiled()

    def _compiled(self) -> Kernel:
        self.choice = (
            selection.choose(self.cover) if self.name == "auto" else KernelChoice(self.name, "it was asked for")
        )
        alone = isinstance(self.kernel, PythonKernel) or self.kernel is None
        if self.threads == 1 or (self.name == "auto" and alone):
            return self._started(selection.make(self.cover, self.choice.kernel), 2048)
        from puzzlec.engine.search.threads import ThreadedKernel

        return self._started(ThreadedKernel(self.cover, self.name, self.threads), 2048)

    def _started(self, kernel: Kernel, nodes: int) -> Kernel:
        self.watch, self._pace, self._met = Stopwatch(), NodeBudget(nodes, len(self.cover.items)), 0
        self.kernel = kernel
        return kernel

    def _is_outgrown(self, kernel: Kernel) -> bool:
        """Return whether the search takes too long for plain Python, or for one of several threads."""
        if self.name != "auto" or self.shared is not None or not selection.has_numba():
            return False
        if isinstance(kernel, PythonKernel):
            return kernel.nodes_visited >= selection.python_nodes()
        if self.threads == 1 or kernel.nodes_visited < self.moment:
            return False
        return kernel.nodes_visited >= MIN_THREADED_NODES * min(self.before, 1 / 2)
