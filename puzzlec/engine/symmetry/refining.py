"""Equitable partitions of a graph: vertices are distinguished by their numbers of neighbours of each kind.

An ordered partition is *equitable* if any two vertices of a cell have equally many neighbours in every cell. Every
partition has one coarsest equitable refinement. The order in which cells are split does not depend on the numbers of
vertices. So an automorphism takes the refinement of one partition to that of its image, step by step. B. D. McKay,
"Practical graph isomorphism", Congressus Numerantium 30 (1981). Of two parts of a cell the larger need not be examined
(J. E. Hopcroft, "An n log n algorithm for minimizing states in a finite automaton", 1971).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TypeAlias

#: A record of a refinement without numbers of vertices: equal for partitions that an automorphism maps to each other.
Trace: TypeAlias = list[tuple[int, ...]]


class Effort:
    """The work that may still be done, in visits of edges. Work beyond it raises :class:`TooMuchWorkError`."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, amount: int) -> None:
        """Note an amount of work. Raise TooMuchWorkError if it is too much."""
        self.left -= amount
        if self.left < 0:
            raise TooMuchWorkError


class TooMuchWorkError(Exception):
    """A search needs more work than it may do."""


class Partition:
    """An ordered partition of the vertices 0 .. n - 1.

    ``order`` has the vertices cell by cell. The number of a cell is the ``place`` of its first vertex. ``cell[v]`` is
    the cell of a vertex, ``size[c]`` the size of a cell, ``place[v]`` the place of a vertex in the order.
    """

    __slots__ = ("cell", "order", "place", "size")

    def __init__(self, colours: Sequence[int]) -> None:
        self.order = sorted(range(len(colours)), key=lambda vertex: (colours[vertex], vertex))
        self.place = [0] * len(colours)
        self.cell = [0] * len(colours)
        self.size = [0] * len(colours)
        start = 0
        for index, vertex in enumerate(self.order):
            if colours[vertex] != colours[self.order[index - 1]]:
                start = index
            self.place[vertex], self.cell[vertex] = index, start
            self.size[start] += 1

    def copy(self) -> Partition:
        """Return a separate partition with the same cells."""
        other = Partition(())
        other.order, other.place = self.order[:], self.place[:]
        other.cell, other.size = self.cell[:], self.size[:]
        return other

    def members(self, cell: int) -> list[int]:
        """Return the vertices of a cell."""
        return self.order[cell : cell + self.size[cell]]

    def cells(self) -> list[int]:
        """Return all cells in their order."""
        found, start = [], 0
        while start < len(self.order):
            found.append(start)
            start += self.size[start]
        return found

    def single_out(self, vertex: int) -> int:
        """Make a vertex a separate cell before the rest of its cell. Return the cell."""
        cell, size = self.cell[vertex], self.size[self.cell[vertex]]
        self._swap(self.place[vertex], cell)
        self.size[cell] = 1
        if size > 1:
            self.size[cell + 1] = size - 1
            for other in self.order[cell + 1 : cell + size]:
                self.cell[other] = cell + 1
        return cell

    def _swap(self, one: int, two: int) -> None:
        a, b = self.order[one], self.order[two]
        self.order[one], self.order[two] = b, a
        self.place[a], self.place[b] = two, one

    def refine(
        self, beside: Sequence[Sequence[int]], by: Iterable[int], effort: Effort, wanted: Trace | None = None
    ) -> Trace | None:
        """Make the partition equitable, beginning with the neighbours of the cells ``by``.

        Return the trace, or None as soon as it differs from the trace ``wanted``. Raise TooMuchWorkError.
        """
        trace: Trace = []
        queue = deque(by)
        waiting = set(queue)
        while queue:
            splitter = queue.popleft()
            waiting.discard(splitter)
            number: dict[int, int] = {}
            members = self.members(splitter)
            for vertex in members:
                for other in beside[vertex]:
                    number[other] = number.get(other, 0) + 1
            effort.spend(len(members) + len(number))
            touched: dict[int, list[int]] = {}
            for other in number:
                touched.setdefault(self.cell[other], []).append(other)
            for cell in sorted(touched):
                step = self._split(cell, touched[cell], number)
                if wanted is not None and (len(trace) >= len(wanted) or wanted[len(trace)] != step):
                    return None
                trace.append(step)
                self._queue(cell, step, queue, waiting)
        return None if wanted is not None and len(trace) != len(wanted) else trace

    def _split(self, cell: int, touched: list[int], number: dict[int, int]) -> tuple[int, ...]:
        """Split a cell by numbers of neighbours, vertices without any first.

        Return the cell, and for each part its number of neighbours and its size.
        """
        groups: dict[int, list[int]] = {}
        for vertex in touched:
            groups.setdefault(number[vertex], []).append(vertex)
        bare = self.size[cell] - len(touched)
        step = [cell, 0, bare] if bare else [cell]
        if len(groups) == 1 and not bare:
            return (cell, *groups, len(touched))
        end = cell + self.size[cell]
        # From the end backwards, so that vertices without neighbours need not be touched.
        for count in sorted(groups, reverse=True):
            start = end - len(groups[count])
            for place, vertex in enumerate(groups[count], start):
                self._swap(self.place[vertex], place)
                self.cell[vertex] = start
            self.size[start] = end - start
            end = start
        if bare:
            self.size[cell] = bare
        for count in sorted(groups):
            step += (count, len(groups[count]))
        return tuple(step)

    @staticmethod
    def _queue(cell: int, step: tuple[int, ...], queue: deque[int], waiting: set[int]) -> None:
        """Queue the parts of a cell as splitters: all except the largest, unless the cell itself still waits."""
        sizes, start = step[2::2], cell
        # A waiting cell waits from now on as its first part.
        skipped = 0 if cell in waiting else sizes.index(max(sizes))
        for index, size in enumerate(sizes):
            if index != skipped:
                waiting.add(start)
                queue.append(start)
            start += size
