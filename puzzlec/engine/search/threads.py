"""One search shared among threads: the same covers in the same order, counts and nodes as in one thread.

The top of the tree is split into subproblems (:mod:`puzzlec.engine.search.splitting`), which the threads take in their
order. A thread without work makes the others split their own. Kernels in numba release the interpreter's lock, so the
threads run side by side. Results are returned in the order of the search: covers of a later subproblem wait. If too
many covers wait, their threads also wait.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import SLICE_SECONDS, NodeBudget
from puzzlec.engine.search import selection
from puzzlec.engine.search.race import UNLIMITED_NODES
from puzzlec.engine.search.selection import Kernel
from puzzlec.engine.search.splitting import Residual, SearchTree, Subproblem, remaining, split

#: Subproblems for each thread. If a few of them are large, they can still be shared out.
SUBPROBLEMS_PER_THREAD = 16

#: Limit for the covers that wait for earlier ones: their total number of options. Each thread may exceed it by the
#: covers of one call.
MAX_WAITING_OPTIONS = 1 << 18

Cover = tuple[int, ...]


@dataclass
class _Chunk:
    """The result of some nodes: covers, or only their number. ``begun``: found by a kernel, not on the path."""

    nodes: int
    number: int
    covers: list[Cover]
    begun: bool = True


class _SearchPart:
    """A subproblem: its results that were not yet returned, and the part that follows in the order."""

    __slots__ = ("chunks", "done", "finished", "following", "given", "nodes", "options", "subproblem")

    def __init__(self, subproblem: Subproblem) -> None:
        self.subproblem = subproblem
        self.chunks: deque[_Chunk] = deque()
        self.finished = subproblem.covers is not None
        self.following: _SearchPart | None = None
        self.done = 0.0  # the fraction of the part that is searched
        self.nodes = self.given = 0  # already returned: nodes of the kernel, and covers in them
        if subproblem.visited:
            self.chunks.append(_Chunk(subproblem.visited, 0, [], begun=False))
        if subproblem.covers:
            path = tuple(sorted(option for _, option in subproblem.path if option >= 0))
            self.chunks.append(_Chunk(0, 1, [path], begun=False))
        self.options = sum(len(cover) for chunk in self.chunks for cover in chunk.covers)  # that were not yet returned


@dataclass
class _ThreadTotals:
    """The results of all threads together: covers, nodes, and nodes at each depth.

    ``counted`` are the covers that :meth:`ThreadedKernel.count` has returned, ``fraction`` is the part of the tree.
    """

    found: int = 0
    searched: int = 0
    counted: int = 0
    fraction: float = 0.0
    profile: list[int] = field(default_factory=list)


class ThreadedKernel:
    """A kernel that divides its work among kernels in threads. ``name`` is the name of these kernels, or auto.

    A call returns the available results, after waiting for at most :data:`SLICE_SECONDS`. Budgets of nodes are exact,
    in the order of one thread: nodes that were searched ahead count when their turn comes. Only a count with the budget
    :data:`UNLIMITED_NODES` takes all results in any order. If a thread raises an exception, the next call raises it.
    :meth:`close` ends the threads and must be called.
    """

    def __init__(self, cover: ExactCover, name: str, threads: int) -> None:
        self.name = name
        self.tree = SearchTree(cover)
        self.nodes_visited = 0
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        self._changed = threading.Condition()
        self._counting = self._closed = False
        self._error: BaseException | None = None
        self._hungry = self._waiting = 0  # threads without work; options in waiting covers
        self._totals = _ThreadTotals()
        parts = [_SearchPart(subproblem) for subproblem in split(self.tree, SUBPROBLEMS_PER_THREAD * threads)]
        for part, following in pairwise(parts):
            part.following = following
        for part in parts:
            self._note(part)
        self._current: _SearchPart | None = parts[0]
        self._pending = deque(part for part in parts if not part.finished)
        self._open = len(self._pending)

    @property
    def finished(self) -> bool:
        """Whether all results were returned."""
        with self._changed:
            return self._error is None and self._current is None

    @property
    def fraction(self) -> float:
        """The part of the tree that is done, by all threads together."""
        return 1.0 if self._open == 0 else min(self._totals.fraction, 1.0)

    @property
    def profile(self) -> list[int]:
        """Number of nodes at each depth, of all threads, in the parts that have ended."""
        with self._changed:
            return list(self._totals.profile)

    @property
    def has_begun(self) -> bool:
        """Whether the threads search. Before that, their kernel is compiled."""
        return self._threads[0].ident is not None

    @property
    def known(self) -> tuple[int, int]:
        """The numbers of covers and nodes found so far, including those whose turn has not come."""
        return self._totals.found, self._totals.searched

    def position(self) -> list[tuple[int, int]]:
        """Return nothing: a search in several places has no position. See :attr:`fraction`."""
        return []

    def covers(self, budget: int) -> list[Cover]:
        """Return available covers of at most ``budget`` nodes."""
        self._begin(counting=False)
        cover_list: list[Cover] = []
        for chunk in self._taken(budget):
            cover_list += chunk.covers
        return cover_list

    def count(self, budget: int) -> int:
        """Return the number of additional covers found in at most ``budget`` nodes."""
        self._begin(counting=True)
        if budget < UNLIMITED_NODES:
            return sum(chunk.number for chunk in self._taken(budget))
        with self._changed:
            if self._open and self._error is None:
                self._changed.wait(SLICE_SECONDS)
            self._raise()
            if self._open == 0:
                self._current = None
            number, self._totals.counted = self._totals.found - self._totals.counted, self._totals.found
            self.nodes_visited = self._totals.searched
            return number

    def close(self) -> None:
        """End the threads, and wait for them: at most a slice of time."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            if thread.ident is not None and thread is not threading.current_thread():
                thread.join()

    # In the caller's thread

    def _begin(self, counting: bool) -> None:
        if self._closed or self._threads[0].ident is not None:
            return
        self._counting = counting
        if self._pending:
            # If the kernel must be compiled, compile it in this thread, which handles Ctrl-C.
            self._kernel(self.tree.residual(self._pending[0].subproblem.path)).count(0)
            for thread in self._threads:
                thread.start()

    def _taken(self, budget: int) -> list[_Chunk]:
        """Take the available results from the current part on. Wait once if there are none."""
        chunks = self._ready(budget)
        if not chunks and budget > 0:
            with self._changed:
                part = self._current
                if part is not None and not part.finished and (not part.chunks or self._may_be_a_cover(part, budget)):
                    self._changed.wait(SLICE_SECONDS)
                self._raise()
            chunks = self._ready(budget)
        return chunks

    def _ready(self, budget: int) -> list[_Chunk]:
        chunks = []
        options = 0
        while options < MAX_WAITING_OPTIONS:  # this also bounds the result of one call
            with self._changed:
                self._raise()
                part = self._current
                if part is None:
                    break
                if not part.chunks:
                    if not part.finished or (budget == 0 and part.following is None):
                        break  # as in one thread, the end of the tree is not found without a node to search
                    self._current = part.following
                    self._changed.notify_all()
                    continue
                if self._may_be_a_cover(part, budget):
                    break
                chunk = part.chunks.popleft()
                size = sum(map(len, chunk.covers))
            if chunk.nodes > budget:
                chunk, rest = self._cut(part, chunk, budget)
                with self._changed:
                    part.chunks.appendleft(rest)
                    size = sum(map(len, chunk.covers))
                if not chunk.nodes:
                    break
            with self._changed:
                part.options -= size
                self._waiting -= size
                self._changed.notify_all()
            if chunk.begun:
                part.nodes += chunk.nodes
                part.given += chunk.number
            self.nodes_visited += chunk.nodes
            budget -= chunk.nodes
            options += size
            chunks.append(chunk)
        return chunks

    def _may_be_a_cover(self, part: _SearchPart, budget: int) -> bool:
        """Return whether the path to a part exhausts the budget before its root is found to be a cover."""
        return (
            part.chunks[0].nodes == budget and not part.chunks[0].begun and len(part.chunks) == 1 and not part.finished
        )

    def _cut(self, part: _SearchPart, chunk: _Chunk, nodes: int) -> tuple[_Chunk, _Chunk]:
        """Cut a chunk after a number of nodes. Search the part again up to that node, to find its covers."""
        number = 0
        if chunk.begun and nodes:
            kernel = self._kernel(self.tree.residual(part.subproblem.path))
            while not kernel.finished and kernel.nodes_visited < part.nodes + nodes:
                number += kernel.count(part.nodes + nodes - kernel.nodes_visited)
            number -= part.given
        return (
            _Chunk(nodes, number, chunk.covers[:number], chunk.begun),
            _Chunk(chunk.nodes - nodes, chunk.number - number, chunk.covers[number:], chunk.begun),
        )

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    # In the threads

    def _work(self) -> None:
        try:
            while (part := self._next()) is not None:
                self._search(part)
        except BaseException as error:  # the caller's thread raises it
            with self._changed:
                self._error, self._closed = error, True
                self._changed.notify_all()

    def _next(self) -> _SearchPart | None:
        """Return a part to search, or None if there will be no more."""
        with self._changed:
            self._hungry += 1
            while not self._closed and not self._pending and self._open:
                self._changed.wait()
            self._hungry -= 1
            return self._pending.popleft() if self._pending and not self._closed else None

    def _search(self, part: _SearchPart) -> None:
        residual = self.tree.residual(part.subproblem.path)
        kernel = self._kernel(residual)
        pace, begun = NodeBudget(2048, len(residual.cover.items)), time.monotonic()
        while not kernel.finished and not self._closed:
            self._advance(part, residual, kernel, pace.next())
            if self._hungry and time.monotonic() - begun > SLICE_SECONDS:
                # If a cover found no room in the kernel's buffer, it comes first. Then the kernel is before a branch.
                self._advance(part, residual, kernel, 0)
                if not kernel.finished:
                    self._share_out(part, kernel)
                    break
            if self._must_wait(part):
                with self._changed:
                    while self._must_wait(part):
                        self._changed.wait()
                pace.rest()
        with self._changed:
            depth = len(part.subproblem.path)
            for level, nodes in enumerate(kernel.profile):
                self._visit(depth + level, nodes)
            if not self._closed or kernel.finished:
                part.finished = True
                self._open -= 1
            self._changed.notify_all()

    def _advance(self, part: _SearchPart, residual: Residual, kernel: Kernel, budget: int) -> None:
        """Search a part for a number of nodes, and add the results to the others."""
        before = kernel.nodes_visited
        if self._counting:
            chunk = _Chunk(0, kernel.count(budget), [])
        else:
            covers = residual.lift(kernel.covers(budget))
            chunk = _Chunk(0, len(covers), covers)
        chunk.nodes = kernel.nodes_visited - before
        done = kernel.fraction
        self._hand_over(part, chunk, (done - part.done) * part.subproblem.share)
        part.done = done

    def _hand_over(self, part: _SearchPart, chunk: _Chunk, share: float) -> None:
        size = sum(map(len, chunk.covers))
        with self._changed:
            self._totals.fraction += share
            self._totals.found += chunk.number
            self._totals.searched += chunk.nodes
            last = part.chunks[-1] if part.chunks else None
            if self._counting and last is not None and last.begun:
                last.nodes += chunk.nodes
                last.number += chunk.number
            else:
                part.chunks.append(chunk)
            part.options += size
            self._waiting += size
            if part is self._current:
                self._changed.notify_all()

    def _must_wait(self, part: _SearchPart) -> bool:
        """Return whether enough results wait, but not all of them for this part."""
        mine = part is self._current and not part.options
        return self._waiting > MAX_WAITING_OPTIONS and not mine and not self._closed

    def _share_out(self, part: _SearchPart, kernel: Kernel) -> None:
        """End a part at the current place, and make new parts of the rest."""
        rest = [_SearchPart(subproblem) for subproblem in remaining(self.tree, part.subproblem, kernel.position())]
        with self._changed:
            end = part.following
            for new in reversed(rest):
                self._note(new)
                new.following, end = end, new
            part.following = end
            # Keep the order of the search. Several threads may divide their parts at the same time, a later part first.
            waiting = {id(open_part) for open_part in (*self._pending, *rest)}
            self._pending.clear()
            following = self._current
            while following is not None:
                if id(following) in waiting:
                    self._pending.append(following)
                following = following.following
            self._open += len(rest)

    def _note(self, part: _SearchPart) -> None:
        """Note the facts of a new part: the nodes on the way to it, and whether it is a leaf."""
        subproblem = part.subproblem
        self._totals.searched += subproblem.visited
        self._totals.found += subproblem.covers or 0
        self._waiting += part.options
        if part.finished:
            self._totals.fraction += subproblem.share
        depth = len(subproblem.path)
        for level in range(depth - subproblem.visited, depth):
            self._visit(level, 1)

    def _visit(self, level: int, nodes: int) -> None:
        """Note nodes on a level."""
        self._totals.profile.extend([0] * (level + 1 - len(self._totals.profile)))
        self._totals.profile[level] += nodes

    def _kernel(self, residual: Residual) -> Kernel:
        name = selection.choose(residual.cover).kernel if self.name == "auto" else self.name
        return selection.make(residual.cover, name)
