"""The number of covers, by whichever way is shorter: search, or layers of a frontier.

Search is best where covers are few, the frontier where they abound; which it is cannot be told from
the outside (pentominoes in 6 x 10 are for search, in 3 x 20 for either, dominoes for the frontier). So
both are tried in turns, each time with a larger budget, and go on where they stopped: the first that
is done has the number, and the other one has cost about as much. Budgets are in nodes and states, so
the outcome is the same on every machine.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from puzzlec.engine import selection
from puzzlec.engine.pace import Pace
from puzzlec.engine.progress import fraction_done
from puzzlec.engine.search import Limits, Search, Stop
from puzzlec.engine.selection import Kernel
from puzzlec.ir.cover import ExactCover

if TYPE_CHECKING:  # they import numba, which a small count does without
    from puzzlec.engine.kernels.frontier import FrontierKernel
    from puzzlec.engine.kernels.memo import MemoKernel

_log = logging.getLogger(__name__)

#: The ways to count: by both in turns, by one of the search kernels, by a frontier, by search with a memory.
METHODS = (*selection.KERNELS, "frontier", "memo")

#: So many nodes are searched in plain Python before numba is worth its import.
PATIENCE = 2000

#: The nodes that a search may visit in its first turn; the frontier may expand as many states, or as many fewer
#: as one of them costs more than a node.
TURN = 1 << 16

#: How much longer each turn is than the one before.
GROWTH = 4

#: A search that has done this part of its tree, by the estimate of Knuth, goes on to the end.
FAR = 1 / 8


class TooWideError(MemoryError):
    """A frontier does not fit into the memory that it was given, and no other way to count was allowed."""


@dataclass(frozen=True)
class Counted:
    """The number of covers and how it was found.

    ``method`` is one of the :data:`METHODS`, that which gave the number (of the last component, where
    there are several); ``nodes`` of search and ``states`` of frontiers were looked at. ``stopped`` is the
    limit that ended the count, None where it is complete; then ``number`` counts the covers found so far.
    """

    number: int
    method: str
    nodes: int = 0
    states: int = 0
    seconds: float = 0.0
    stopped: Stop | None = None


def count_covers(
    cover: ExactCover,
    limits: Limits | None = None,
    memory: int = 1 << 30,
    kernel: str = "auto",
    weights: Sequence[int] | None = None,
) -> Counted:
    """Return the number of covers of a problem.

    ``weights`` has a number for each entry of an option: how often the option covers the item (None: once);
    only the kernel ``frontier`` can do with it.

    ``memory`` bounds the bytes of the tables. A limit of solutions or nodes is one for the search, so that
    nothing else is tried under ``auto``, and it stops as :class:`Search` does. Raises ValueError for a kernel that
    does not exist or cannot obey such a limit, :class:`TooWideError` where the kernel ``frontier`` runs out of memory.

    >>> count_covers(ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)).number
    2
    """
    limits = limits or Limits()
    begun = time.monotonic()
    if kernel not in METHODS:
        raise ValueError(f"there is no kernel {kernel!r}")
    if weights is not None and kernel != "frontier":
        raise ValueError(f"the kernel {kernel!r} cannot cover an item several times by one option")
    searched = limits.solutions is not None or limits.nodes is not None
    if kernel in ("frontier", "memo"):
        if searched:
            raise ValueError(
                f"the kernel {kernel!r} counts all covers at once: it knows no limit of solutions or nodes"
            )
        count = _Count(limits, memory, begun)
        counted = count.by(kernel, cover) if weights is None else count.weighted(cover, weights)
    elif kernel != "auto" or searched or not selection.has_numba():
        counted = _searched(cover, limits, kernel)
    else:
        counted = _tried(cover, limits)
        if counted.stopped is Stop.NODES:
            before = counted
            counted = _Count(limits, memory, begun, before.nodes).by("auto", cover)
            if counted.stopped:
                counted = replace(counted, number=max(counted.number, before.number))
    return replace(counted, seconds=time.monotonic() - begun)


def _searched(cover: ExactCover, limits: Limits, kernel: str) -> Counted:
    search = Search(cover, limits, kernel)
    number = search.count()
    return Counted(number, search.choice.kernel, search.nodes, stopped=search.stopped)


def _tried(cover: ExactCover, limits: Limits) -> Counted:
    """Return what plain Python finds within its patience; nothing where that would be slow."""
    if selection.is_large(cover):
        return Counted(0, "python", stopped=Stop.NODES)
    return _searched(cover, replace(limits, nodes=PATIENCE), "python")


class _TimeOutError(Exception):
    """The limit of seconds was reached; the number of covers found so far is the argument."""


class _Count:
    """A count under way: what it may use, and what it has used."""

    def __init__(self, limits: Limits, memory: int, begun: float, nodes: int = 0) -> None:
        self.limits, self.memory, self.begun = limits, memory, begun
        self.nodes, self.states, self.method = nodes, 0, "frontier"

    def by(self, method: str, cover: ExactCover) -> Counted:
        """Return the number of covers: the product over the components, equal ones counted once."""
        from puzzlec.engine.components import parts

        apart = parts(cover)
        number = 1 << apart.free if apart.possible else 0
        known: dict[object, int] = {}
        stopped = None
        try:
            # Small ones first: where one of them has no cover, the others need no count.
            for part in sorted(apart.covers, key=len):
                arrays = (part.primary, part.low, part.high, part.secondary, part.starts, part.items, part.colours)
                key = tuple(each if isinstance(each, int) else each.tobytes() for each in arrays)
                if key not in known:
                    known[key] = self._part(method, part)
                number *= known[key]
                if number == 0:
                    break
        except _TimeOutError as reached:
            # Not every component was looked at where there are several: then nothing was found.
            number = number * reached.args[0] if len(apart.covers) == 1 else 0
            stopped = Stop.SECONDS
        return Counted(number, self.method, self.nodes, self.states, stopped=stopped)

    def weighted(self, cover: ExactCover, weights: Sequence[int]) -> Counted:
        """Return the number of covers where options may cover an item several times, by a frontier."""
        try:
            return Counted(self._swept(self._frontier(cover, weights)), "frontier", 0, self.states)
        except _TimeOutError:
            return Counted(0, "frontier", 0, self.states, stopped=Stop.SECONDS)

    def _part(self, method: str, cover: ExactCover) -> int:
        if method == "memo":
            return self._by_memo(cover)
        frontier = self._frontier(cover)
        if method == "frontier":
            return self._swept(frontier)
        return self._by_turns(cover, frontier)

    def _swept(self, frontier: FrontierKernel) -> int:
        """Return what a frontier counts by itself."""
        if not self._sweep(frontier, 1 << 62, 0):
            raise TooWideError(
                f"layer {frontier.progress[0] + 1} of {frontier.progress[1]} has more than {frontier.widest} states: "
                f"they do not fit into {self.memory} bytes"
            )
        return frontier.total()

    def _by_turns(self, cover: ExactCover, frontier: FrontierKernel) -> int:
        """Let the frontier and the search take turns until one of them is done."""
        search: Kernel | None = None
        number, turn, wide = 0, TURN, False
        while True:
            if not wide:
                wide = not self._sweep(frontier, max(1, int(turn / frontier.effort)), number)
                if frontier.finished:
                    return frontier.total()
                if wide:  # its tables are of no use any more
                    frontier.forget()
            if search is None:
                chosen = selection.choose(cover).kernel
                search = selection.make(cover, chosen)
            number = self._look(search, 1 << 62 if wide else turn, number)
            # A search that has come this far is soon done: the frontier need not have another turn before that.
            done = 1.0 if search.finished else fraction_done(search.position())
            if done > FAR:
                number = self._look(search, int(2 * search.nodes_visited * (1 / done - 1)), number)
            if search.finished:
                self.method = chosen
                return number
            turn *= GROWTH

    def _frontier(self, cover: ExactCover, weights: Sequence[int] | None = None) -> FrontierKernel:
        from puzzlec.engine.kernels import frontier
        from puzzlec.engine.kernels.jit import is_compiled

        if not is_compiled(frontier.advance):
            _log.info("compiling the frontier count: once on this machine, some seconds")
        self.method = "frontier"
        return frontier.FrontierKernel(
            cover.primary, cover.low, cover.high, cover.secondary, cover.starts, cover.items, cover.colours,
            memory=self.memory, weights=weights,
        )  # fmt: skip

    def _sweep(self, frontier: FrontierKernel, states: int, found: int) -> bool:
        """Let the frontier expand so many states; return whether its memory sufficed for that."""
        pace, begun = Pace(1 << 15), frontier.nodes_visited
        while not frontier.finished and not frontier.too_wide and frontier.nodes_visited - begun < states:
            self._watch(found)
            before = frontier.nodes_visited
            frontier.advance(min(pace.next(), states - (before - begun)))
            self.states += frontier.nodes_visited - before
        return not frontier.too_wide

    def _look(self, search: Kernel, nodes: int, found: int) -> int:
        """Let the search visit so many nodes; return how many covers it has found by now."""
        pace, begun = Pace(1 << 13), search.nodes_visited
        while not search.finished and search.nodes_visited - begun < nodes:
            self._watch(found)
            before = search.nodes_visited
            found += search.count(min(pace.next(), nodes - (before - begun)))
            self.nodes += search.nodes_visited - before
        return found

    def _by_memo(self, cover: ExactCover) -> int:
        from puzzlec.engine.kernels.memo import MemoKernel

        self.method = "memo"
        kernel: MemoKernel = MemoKernel(
            cover.primary, cover.low, cover.high, cover.secondary, cover.starts, cover.items, cover.colours,
            memory=self.memory,
        )  # fmt: skip
        pace = Pace(1 << 12)
        while not kernel.finished:
            self._watch(kernel.total())
            before = kernel.nodes_visited
            kernel.advance(pace.next())
            self.nodes += kernel.nodes_visited - before
        return kernel.total()

    def _watch(self, found: int) -> None:
        """Raise _TimeOutError when the time is up."""
        if self.limits.seconds is not None and time.monotonic() - self.begun >= self.limits.seconds:
            raise _TimeOutError(found)
