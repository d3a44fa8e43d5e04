"""The number of covers, by whichever way is shorter: search, or layers of a frontier.

Search is best where covers are few, the frontier where they abound. Where few items can be half done at
a time (dominoes, trominoes: the *width* of the problem), the frontier is taken at once. Else it cannot be told
from the outside (pentominoes in 6 x 10 are for search, the same pieces in any number for the frontier): the search
goes on until it has had a fair chance, and then the frontier gets turns beside it, each longer than the one before
and a quarter as long as what the search has had. The first that is done has the number. Turns are counted in nodes
and states, so the outcome is the same on every machine.

Before the first of these turns the problem is taken apart: components are counted by themselves, and where
reductions leave clearly fewer options, they are counted instead.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search import compiling, selection
from puzzlec.engine.search.node_budget import Pace
from puzzlec.engine.search.progress import ALMOST, Progress, Steady, expected
from puzzlec.engine.search.search import Limits, Search, Stop
from puzzlec.engine.search.selection import Choice

if TYPE_CHECKING:  # they import numba, which a small count does without
    from puzzlec.engine.kernels.frontier import FrontierKernel
    from puzzlec.engine.kernels.memo import MemoKernel

_log = logging.getLogger(__name__)

#: The ways to count: by both in turns, by one of the search kernels, by a frontier, by search with a memory.
METHODS = (*selection.KERNELS, "frontier", "memo")

#: The bytes that tables may fill where nothing else is said.
MEMORY = 1 << 30

#: A problem of which at most so many items can be half done at a time is for the frontier.
NARROW = 22

#: The nodes that a search may visit before the frontier gets a turn.
TURN = 1 << 21

#: How much longer each turn is than the one before.
GROWTH = 4

#: A search that has done this part of its tree, by the estimate of Knuth, goes on to the end.
FAR = 1 / 8

#: A reduced problem is counted instead if it has at most this part of the options.
REDUCED = 0.85


class TooWideError(MemoryError):
    """A frontier does not fit into the memory that it was given, and no other way to count was allowed."""


@dataclass(frozen=True)
class Counted:
    """The number of covers and how it was found.

    ``method`` names the kernel that gave the number (of the last component, where
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
    memory: int = MEMORY,
    kernel: str = "auto",
    weights: Sequence[int] | None = None,
    threads: int = 1,
) -> Counted:
    """Return the number of covers of a problem.

    ``weights`` has a number for each entry of an option: how often the option covers the item (None: once);
    only the kernel ``frontier`` can do with it.

    ``memory`` bounds the bytes of the tables. A limit of solutions or nodes is one for the search, so that
    nothing else is tried under ``auto``, and it stops as :class:`Search` does. Raises ValueError for a kernel that
    does not exist or cannot obey such a limit, MemoryError where the kernel ``frontier`` runs out of memory.

    >>> count_covers(ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)).number
    2
    """
    counting = Counting(cover, limits, memory, kernel, threads, weights=weights)
    number = counting.count()
    return Counted(number, counting.choice.kernel, counting.nodes, counting.states, counting.seconds, counting.stopped)


class Counting:
    """A count under way, with the face of a :class:`Search`: what it may use, what it has used, how far it is.

    ``choice`` says which way gave the number, ``complete`` whether it is that of all covers. ``advise`` is
    asked once before it takes longer than a moment; the count ends if the answer is None.
    """

    def __init__(
        self,
        cover: ExactCover,
        limits: Limits | None = None,
        memory: int = MEMORY,
        kernel: str = "auto",
        threads: int = 1,
        advise: Callable[[], int | None] | None = None,
        weights: Sequence[int] | None = None,
    ) -> None:
        self.cover, self.limits, self.memory, self.kernel = cover, limits or Limits(), memory, kernel
        searched = self.limits.solutions is not None or self.limits.nodes is not None
        if kernel not in METHODS:
            raise ValueError(f"there is no kernel {kernel!r}")
        if weights is not None and kernel != "frontier":
            raise ValueError(f"the kernel {kernel!r} cannot cover an item several times by one option")
        if searched and kernel in ("frontier", "memo"):
            raise ValueError(
                f"the kernel {kernel!r} counts all covers at once: it knows no limit of solutions or nodes"
            )
        selection.need_kernel(kernel)
        self.solutions = self.nodes = self.states = 0
        self.complete = False
        self.seconds = 0.0
        self.stopped: Stop | None = None
        self.choice = Choice(kernel, "it was asked for")
        self.profile: list[int] = []
        self._weights = weights
        self._ask, self._threads = advise, threads
        self._in_turns = kernel == "auto" and not searched and selection.has_numba()
        self._begun, self._work_begun = time.monotonic(), compiling.clock()
        self._search: Search | None = None
        self._frontier: FrontierKernel | None = None
        self._parts: Counting | None = None  # a component or a smaller problem that is counted instead
        self._total: int | None = None  # the number, where it was found beside the search
        self._turn, self._fraction = 0, 0.0
        self._running, self._doing, self._steady = False, "", Steady()
        self._foreseen = False  # whether a forecast was made
        self._same = False  # whether the problem that is counted instead has the same number of covers
        self._span = (0.0, 1.0)  # where in the whole the part that is counted now begins, and how much of it that is
        self._way, self._why = "frontier", ""  # how the number was found beside the search, and why so
        self._fits = True  # whether the frontier has had memory enough

    def count(self) -> int:
        """Return the number of covers, or of those found when a limit was reached."""
        self._begun, self._work_begun, self._running = time.monotonic(), compiling.clock(), True
        try:
            if self.kernel == "frontier":
                self._by_frontier()
            elif self.kernel == "memo":
                self._by_memo()
            else:
                self._by_search()
        finally:
            self._running = False
            self.seconds = time.monotonic() - self._begun
        if self.complete:
            self._fraction = 1.0
        return self.solutions

    def progress(self) -> Progress:
        """Return how far the count has come; may be asked at any time, from any thread."""
        return self._steady.next(compiling.told(self._now()))

    def foresee(self) -> bool:
        """Make :meth:`progress` better for the search that goes on, where that is possible; see :class:`Search`."""
        going_on = self._search if self._parts is None else self._parts
        if going_on is None or not going_on.foresee():
            return False
        if not self._foreseen:  # the first time nothing was told yet
            self._foreseen = True
            self._steady.forget_fraction()
        return True

    def _now(self) -> Progress:
        seconds = time.monotonic() - self._begun if self._running else self.seconds
        search, frontier, parts = self._search, self._frontier, self._parts
        first = Progress() if search is None else search.progress()
        # The nodes of parts that are done are in self.nodes already.
        nodes = self.nodes + first.nodes + self.states
        if parts is not None and self._running:
            before, share = self._span
            now = parts.progress()._replace(seconds=seconds)
            last = before + share >= 1
            return now._replace(
                rate=now.rate or nodes / max(seconds, 1e-3),
                fraction=min(before + share * now.fraction, ALMOST),
                nodes=nodes + (now.nodes if parts._running else 0),
                solutions=max(first.solutions, now.solutions) if self._same else first.solutions,
                left=now.left if last else None,
                left_between=now.left_between if last else None,
                doing=now.doing or self._doing,
            )
        if frontier is not None and (search is None or self._turn == 0):
            layer, layers = frontier.progress
            fraction = layer / max(1, layers)
            busy = compiling.clock() - self._work_begun  # the time of the compiler is none of the frontier's
            rate, left = self.states / max(busy, 1e-3), expected(fraction, busy)
            return Progress(min(fraction, ALMOST), nodes, 0, seconds, rate, left, doing="by layers")
        if search is not None:
            return first._replace(nodes=nodes, seconds=seconds, doing=self._doing or first.doing)
        return Progress(self._fraction, nodes, self.solutions, seconds, nodes / max(seconds, 1e-3), doing=self._doing)

    def _by_search(self) -> None:
        """Search, with the other ways as advisers where they may be."""
        self._search = search = Search(self.cover, self.limits, self.kernel, self._threads, self._advice)
        try:
            search.count()
        finally:  # an interruption leaves what is known
            self.solutions = search.solutions
            if self._same and self._parts is not None:
                self.solutions = max(self.solutions, self._parts.solutions)
        self.choice, self.stopped = search.choice, search.stopped
        self.nodes += search.nodes
        self.profile, self.complete, self._fraction = search.profile, search.complete, search.progress().fraction
        if self._total is not None:
            other = self._parts
            self.solutions, self.stopped = self._total, None if other is None else other.stopped
            self.complete = self.stopped is None
            self.choice = Choice(self._way, self._why) if other is None else other.choice
        self._search = self._frontier = self._parts = None

    def _advice(self) -> int | None:
        """Say whether the search is to go on, and until when; None: the number is known, or nobody wants it."""
        assert self._search is not None
        nodes = self._search.nodes
        if self._turn == 0 and self._in_turns and self._at_once():
            return None
        if self._ask is not None:
            if self._ask() is None:
                return None
            self._ask = None
        if not self._in_turns:
            return 1 << 62
        if self._turn == 0:
            return None if self._apart() else self._next(TURN)
        fraction = self._search.before  # whether somebody watches must not decide what is done
        if fraction > FAR:  # soon done: nobody else has a turn before that
            return max(self._turn, int(2 * nodes / fraction))
        if self._turn == TURN and self._reduced():
            return None
        if not self._fits:
            return 1 << 62
        self._doing = "by layers, for a while"
        if self._frontier is None:
            self._frontier = self._made()
        # A quarter of what the search has: where the frontier is the way to go, it is so by far.
        states = max(1, int(self._turn / 4 / self._frontier.effort) - self._frontier.nodes_visited)
        fits = self._sweep(self._frontier, states)
        if self._frontier.finished:
            self._total, self._why = self._frontier.total(), "its layers were done before the search was"
            return None
        if not fits:
            self._frontier.forget()  # its tables are of no use any more
            self._fits = False
        return self._next(self._turn * GROWTH)

    def _next(self, turn: int) -> int:
        self._turn, self._doing = turn, ""
        return turn

    def _at_once(self) -> bool:
        """Let the frontier count a narrow problem; return whether it has done so."""
        wide = width(self.cover)
        if wide > NARROW:
            return False
        self._frontier = frontier = self._made()
        self._sweep(frontier, 1 << 62)
        if frontier.finished:
            self._total, self._why = frontier.total(), f"at most {wide} items are half done at a time"
        else:
            frontier.forget()
            self._frontier, self._fits = None, not frontier.too_wide
        return frontier.finished

    def _apart(self) -> bool:
        """Count the components, if there are several, and multiply; return whether that was so."""
        from puzzlec.engine.reduction.components import parts

        apart = parts(self.cover)
        if len(apart.covers) == 1 and not apart.free:
            return False
        number = 1 << apart.free if apart.possible else 0
        known: dict[object, int] = {}
        # Small ones first: where one of them has no cover, the others need no count.
        for place, part in enumerate(sorted(apart.covers, key=len)):
            self._span = place / len(apart.covers), 1 / len(apart.covers)
            self._doing = f"component {place + 1} of {len(apart.covers)}"
            key = tuple(each if isinstance(each, int) else each.tobytes() for each in part.arrays)
            if key not in known:
                known[key] = self._instead(part)
                if self._parts is not None and self._parts.stopped is not None:
                    number = 0  # not every component was looked at: then nothing was found
                    break
            number *= known[key]
            if number == 0:
                break
        self._total, self._way = number, "components"
        self._why = "the problem has no cover" if not apart.possible else "every option can be taken or left"
        return True

    def _reduced(self) -> bool:
        """Count a smaller problem instead, if reductions find one; return whether that was so."""
        from puzzlec.engine.reduction.reductions import reduce

        self._doing = "looking for a smaller problem"
        reduction = reduce(self.cover)
        self._doing = ""
        if not reduction.refuted and len(reduction.cover) > REDUCED * len(self.cover):
            return False
        self._same = True
        self._total = self._instead(reduction.cover)
        return True

    def _instead(self, cover: ExactCover) -> int:
        self._parts = Counting(cover, self._left(), self.memory, "auto", self._threads)
        number = self._parts.count()
        self.nodes += self._parts.nodes
        self.states += self._parts.states
        return number

    def _left(self) -> Limits:
        seconds = self.limits.seconds
        if seconds is None:
            return self.limits
        return replace(self.limits, seconds=max(0.0, seconds - (time.monotonic() - self._begun)))

    def _by_frontier(self) -> None:
        self._frontier = frontier = self._made()
        if not self._sweep(frontier, 1 << 62):
            raise TooWideError(
                f"layer {frontier.progress[0] + 1} of {frontier.progress[1]} has more than {frontier.widest} states: "
                f"they do not fit into {self.memory} bytes"
            )
        self.solutions = frontier.total() if frontier.finished else 0
        self.stopped, self.complete = None if frontier.finished else Stop.SECONDS, frontier.finished
        self._frontier = None

    def _by_memo(self) -> None:
        from puzzlec.engine.kernels.memo import MemoKernel

        kernel: MemoKernel = MemoKernel(self.cover.arrays, memory=self.memory)
        pace = Pace(1 << 12)
        while not kernel.finished and not self._is_late():
            kernel.advance(pace.next())
            self.nodes = kernel.nodes_visited
        self.solutions = kernel.total()
        self.stopped, self.complete = None if kernel.finished else Stop.SECONDS, kernel.finished

    def _made(self) -> FrontierKernel:
        from puzzlec.engine.kernels import frontier
        from puzzlec.engine.kernels.jit import is_compiled

        if not is_compiled(frontier.advance):
            _log.info("compiling the frontier count: once on this machine, up to half a minute")
        return frontier.FrontierKernel(self.cover.arrays, memory=self.memory, weights=self._weights)

    def _sweep(self, frontier: FrontierKernel, states: int) -> bool:
        """Let the frontier expand so many states, while there is time; return whether its memory sufficed for that."""
        pace, begun = Pace(1 << 15), frontier.nodes_visited
        while not frontier.finished and not frontier.too_wide and frontier.nodes_visited - begun < states:
            if self._is_late():
                break
            before = frontier.nodes_visited
            frontier.advance(min(pace.next(), states - (before - begun)))
            self.states += frontier.nodes_visited - before
        return not frontier.too_wide

    def _is_late(self) -> bool:
        return self.limits.seconds is not None and time.monotonic() - self._begun >= self.limits.seconds


def width(cover: ExactCover) -> int:
    """Return how many items at most are half done at a time, when options are taken in the order of their first item.

    An item is half done from the first option that has it until its own turn (a secondary one: until the last
    option that has it). Items that have many more options than others come last, as pieces do: they are half done
    nearly all the time. Items with other bounds than 1..1 are left out: how often they are covered mostly follows
    from what else is, as the number of dominoes does.
    """
    import numpy as np

    total = cover.primary + cover.secondary
    if not len(cover) or not cover.primary:
        return 0
    starts, items = np.frombuffer(cover.starts, dtype=np.int32), np.frombuffer(cover.items, dtype=np.int32)
    sizes = np.bincount(items, minlength=total)
    late = sizes[: cover.primary] > 4 * np.sort(sizes[: cover.primary])[cover.primary // 2]
    turn = np.full(total, total)
    turn[np.argsort(late, kind="stable")] = np.arange(cover.primary)
    first = np.repeat(np.minimum.reduceat(turn[items], starts[:-1]), np.diff(starts))
    begin, end = np.full(total, total), np.full(total, -1)
    np.minimum.at(begin, items, first)
    np.maximum.at(end, items, first)
    end[: cover.primary] = turn[: cover.primary]
    half_done = begin < end
    half_done[: cover.primary] &= (np.frombuffer(cover.low, dtype=np.int32) == 1) & (
        np.frombuffer(cover.high, dtype=np.int32) == 1
    )
    change = np.bincount(begin[half_done] + 1, minlength=total + 2)[: total + 2]
    change -= np.bincount(end[half_done] + 1, minlength=total + 2)[: total + 2]
    return int(np.cumsum(change).max())
