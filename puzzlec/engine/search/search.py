"""A search: one exact cover, one kernel, limits, and an answer that says whether it is complete."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from puzzlec.engine.kernels.python import PythonKernel
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search import compiling, selection
from puzzlec.engine.search.node_budget import Pace
from puzzlec.engine.search.progress import ALMOST, Progress, expected, fraction_done
from puzzlec.engine.search.selection import KERNELS, Choice, Kernel

if TYPE_CHECKING:  # they import numpy, which a small search does without
    from puzzlec.engine.search.forecast import Forecast
    from puzzlec.engine.search.threads import ThreadedKernel


class Stop(Enum):
    """Why a search ended before the tree was exhausted."""

    SOLUTIONS = "solutions"
    SECONDS = "time"
    NODES = "nodes"


@dataclass(frozen=True)
class Limits:
    """What a search may use; None is no limit. Raises ValueError for a negative one."""

    solutions: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if any(each is not None and not each >= 0 for each in (self.solutions, self.seconds, self.nodes)):
            raise ValueError("a limit cannot be negative")
        if any(each is not None and not isinstance(each, int) for each in (self.solutions, self.nodes)):
            raise ValueError("a limit of solutions or nodes is a whole number")


#: What takes longer before the first nodes (in seconds) is told.
SOON = 1.0

#: Problems with more entries than these are searched by one thread: each subproblem is a copy of what is left.
DIVISIBLE = 300_000

#: At most this many threads or processes search for each processor.
MOST_PER_CORE = 8


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def most_workers() -> int:
    """Return how many threads or processes at most search at a time: more would only cost time."""
    return MOST_PER_CORE * cores()


class Search:
    """A search that can be iterated (covers as tuples of option numbers, ascending) or counted, once.

    The covers come in a fixed order, whichever kernel is used and however many ``threads`` (0: one for each
    processor). Their number is fixed, too, and that of the nodes where no limit of solutions or seconds ends the
    search; a limit of nodes lets the same covers through.
    ``stopped`` says afterwards which limit ended the search, None when none did; ``complete`` whether the tree was
    exhausted; ``solutions`` and ``nodes`` how far it came. :meth:`progress` may be asked at any time, from any
    thread. ``advise`` is asked before a search takes longer than a moment, and again after as many nodes as it says;
    None ends the search.

    >>> cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
    >>> list(Search(cover))
    [(0, 2, 3), (1, 4)]
    """

    def __init__(
        self,
        cover: ExactCover,
        limits: Limits | None = None,
        kernel: str = "auto",
        threads: int = 1,
        advise: Callable[[], int | None] | None = None,
    ) -> None:
        if not isinstance(cover, ExactCover):
            raise TypeError(f"a search needs an ExactCover, not a {type(cover).__name__}")
        if kernel in ("frontier", "memo"):
            raise ValueError(f"the kernel {kernel!r} only counts, without limits: that is for `count_covers`")
        if kernel not in KERNELS:
            raise ValueError(f"there is no kernel {kernel!r}")
        if not isinstance(threads, int) or threads < 0:
            raise ValueError("the number of threads is a whole number, 0 for one each processor")
        selection.need_kernel(kernel)
        self.cover = cover
        self.limits = limits or Limits()
        self.kernel = kernel
        # More threads than these, or any in a problem that takes long to divide, would only cost.
        self.threads = min(threads or cores(), most_workers()) if len(cover.items) <= DIVISIBLE else 1
        self._advise, self._advised = advise, selection.PATIENCE
        self._refused = False
        self.stopped: Stop | None = None
        self.solutions = 0
        self.nodes = 0
        self.seconds = 0.0
        self.complete = self._over = self._listing = False
        self.choice = Choice("python", "no other kernel was needed")
        self._running: Kernel | None = None
        self._shared: ThreadedKernel | None = None  # the running kernel, where it is one of several threads
        self._pace = Pace(256)
        self._begun, self._kernel_begun = time.monotonic(), compiling.clock()
        self._fraction = 0.0
        self.forecast: Forecast | None = None
        self._foreseen = self._prepared = False  # whether a forecast was tried, and what it needs compiled
        self._profile: list[int] = []
        self._seen = 0  # nodes searched, those ahead of their turn included
        self._came = 0  # so many nodes the running kernel had when it had not begun
        self._halted: float | None = None  # since when the only thread waits for advice

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        self._listing = True
        try:
            kernel = self._first_kernel()
            skip = 0  # covers that an earlier kernel has given already
            while not self._reached(kernel):
                found = kernel.covers(self._budget())
                self.nodes = kernel.nodes_visited
                for each in found:
                    if skip:
                        skip -= 1
                        continue
                    self.solutions += 1
                    yield each
                    if self.solutions == self.limits.solutions:
                        self.stopped = Stop.SOLUTIONS
                        return
                if self._should_switch(kernel):
                    kernel, skip = self._compiled(), self.solutions
        finally:
            self._end()

    def count(self) -> int:
        """Return the number of covers, or of those found when a limit was reached."""
        try:
            kernel = self._first_kernel()
            known = 0  # covers that an earlier kernel has found
            number = 0
            while not self._reached(kernel):
                number += kernel.count(self._budget())
                self.solutions = max(number, known)
                self.nodes = kernel.nodes_visited
                if self.limits.solutions is not None and self.solutions >= self.limits.solutions:
                    self.solutions, self.stopped = self.limits.solutions, Stop.SOLUTIONS
                    break
                if self._should_switch(kernel):
                    kernel, known, number = self._compiled(), number, 0
            return self.solutions
        finally:
            self._end()

    def progress(self) -> Progress:
        """Return how far the search has come."""
        return compiling.told(self._now())

    def _now(self) -> Progress:
        # What is decided on the way must not depend on whether somebody asks: nothing is noted here.
        fraction, seen, shared = self._fraction, self._seen, self._shared
        if shared is not None:  # its threads go on while this search waits for advice
            fraction, seen = shared.fraction, shared.known[1]
        seconds = self.seconds if self._running is None else time.monotonic() - self._begun
        busy = (self._halted or compiling.clock()) - self._kernel_begun
        rate = seen / busy if busy > 0 and self._running is not None else 0.0
        rate = rate or (seen / seconds if seconds > 0 else 0.0)
        known = Progress(fraction, seen, self.solutions, seconds, rate, expected(fraction, busy))
        if busy > SOON and (doing := self._beginning()):
            return known._replace(left=None, doing=doing)
        rest = self.forecast.rest(known.nodes) if self.forecast is not None and self._running is not None else None
        if rest is None or rate <= 0 or known.fraction >= 1:
            return known
        left, low, high = rest
        fraction = min(known.nodes / max(known.nodes + left, 1.0), ALMOST)
        return known._replace(fraction=fraction, left=left / rate, left_between=(low / rate, high / rate))

    def _beginning(self) -> str:
        """Return what goes on before the first nodes of a compiled kernel; "" where there are some."""
        kernel, shared = self._running, self._shared
        if kernel is None or isinstance(kernel, PythonKernel):
            return ""
        if (kernel.nodes_visited if shared is None else shared.known[1]) > self._came:
            return ""
        return "beginning"

    @property
    def before(self) -> float:
        """The part of the tree before the node where the search is, all branches of a node counted alike."""
        return self._fraction

    def foresee(self) -> bool:
        """Dive into the tree for about a second to tell the progress better, if that was not tried and is possible.

        For a thread beside the search; returns whether :meth:`progress` is told in another way now.
        """
        if self._foreseen or self._running is None or self._beginning() or compiling.is_going_on():
            return False  # dives would wait for the compiler, and who shows the progress with them
        if self.kernel == "auto" and isinstance(self._running, PythonKernel) and selection.has_numba():
            return False  # it is over in a moment, or something else is tried before a compiled kernel
        from puzzlec.engine.search.forecast import Forecast, prepared

        if not self._prepared:
            self._prepared = True
            if prepared(self.cover) is not None:
                return False
        self._foreseen = True
        self.forecast = Forecast.of(self.cover)
        return self.forecast is not None

    @property
    def profile(self) -> list[int]:
        """How many nodes were visited on each level, by all threads together, when the search has ended."""
        return list(self._profile)

    def _first_kernel(self) -> Kernel:
        self._begun = time.monotonic()
        in_python = selection.begins_in_python(self.cover, self.kernel)
        if not in_python:
            self._advised *= 10  # they take no longer in a compiled kernel
        if in_python and (self.kernel == "auto" or self.threads == 1):
            if self.kernel == "python":
                self.choice = Choice("python", "it was asked for")
            return self._started(selection.make(self.cover, "python"), 256)
        return self._compiled()

    def _compiled(self) -> Kernel:
        chosen = selection.choose(self.cover) if self.kernel == "auto" else Choice(self.kernel, "it was asked for")
        self.choice = chosen
        if self.threads == 1:
            return self._started(selection.make(self.cover, chosen.kernel), 2048)
        from puzzlec.engine.search.threads import ThreadedKernel

        self._shared = ThreadedKernel(self.cover, self.kernel, self.threads)
        return self._started(self._shared, 2048)

    def _started(self, kernel: Kernel, nodes: int) -> Kernel:
        self._came = 0 if self._shared is None else self._shared.known[1]
        self._running, self._pace = kernel, Pace(nodes)
        self._kernel_begun = compiling.clock()
        return kernel

    def _end(self) -> None:
        """Note how it went, and end the threads."""
        self._look()
        if self._shared is not None:
            self._shared.close()
        if self._running is not None:
            self._profile = self._running.profile
            self.complete = self._running.finished and self._over and self.stopped is None
        self._running = self._shared = None

    def _should_switch(self, kernel: Kernel) -> bool:
        """Whether the search has outgrown plain Python."""
        return (
            self.kernel == "auto"
            and not kernel.finished
            and isinstance(kernel, PythonKernel)
            and kernel.nodes_visited >= selection.PATIENCE
            and kernel.nodes_visited != self.limits.nodes
            and selection.has_numba()
            and not self._is_refused(kernel)
        )

    def _is_refused(self, kernel: Kernel) -> bool:
        """Whether the search must end, since somebody knows better."""
        if self._advise is not None and kernel.nodes_visited >= self._advised and not self._refused:
            self._halted = compiling.clock() if self._shared is None else None
            following = self._advise()
            if self._halted is not None:  # the rate is that of searching
                self._kernel_begun += compiling.clock() - self._halted
                self._halted = None
            self._refused = following is None
            self._advised = following or 0
            self._pace.rest()
        return self._refused

    def _budget(self) -> int:
        """Return how many nodes to search before looking up: as many as fill a slice of time.

        Threads have their own pace, and their kernel looks up by itself.
        """
        from_pace = self._pace.next() if self._shared is None else 1 << 62
        if self._advise is not None and (self._shared is None or self._listing):
            from_pace = max(1, min(from_pace, self._advised - self.nodes))
        return from_pace if self.limits.nodes is None else max(0, min(from_pace, self.limits.nodes - self.nodes))

    def _look(self) -> None:
        """Note how far the search has come."""
        self.seconds = time.monotonic() - self._begun
        if self._shared is not None:
            self._fraction, self._seen = self._shared.fraction, self._shared.known[1]
        elif self._running is not None:
            position = self._running.position()
            self._fraction = 1.0 if self._running.finished else fraction_done(position)
            self._seen = self._running.nodes_visited

    def _reached(self, kernel: Kernel) -> bool:
        """Whether the search is over, by a limit other than that of solutions or without one; notes which."""
        self._look()
        if kernel.finished or self._is_refused(kernel):
            self._over = kernel.finished
            return True
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            self.stopped = Stop.SECONDS
        elif self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            self.stopped = Stop.NODES
        elif self.limits.solutions == 0:
            self.stopped = Stop.SOLUTIONS
        return self.stopped is not None
