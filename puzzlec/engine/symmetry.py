"""The automorphism group of a graph: its generators, and its order without a list of its members.

An ordered partition of the vertices is *equitable* if any two vertices of a cell have equally many neighbours in every
cell. Every partition has one coarsest equitable refinement. The order in which cells are split does not depend on the
numbers of vertices. So an automorphism that maps one partition to another also maps each step of its refinement to that
of the other. Of two parts of a cell, the larger need not be examined (J. E. Hopcroft, "An n log n algorithm for
minimizing states in a finite automaton", 1971).

Vertices are singled out one by one, and the partition is refined each time, until every vertex is a cell. The vertices
that were singled out are the *base*. From the last base point to the first, a search looks for an automorphism that
fixes the earlier base points and moves this one to another vertex of its cell. Vertices that known automorphisms reach
are skipped. By the theorem of orbits and stabilisers the order is the product of the lengths of the orbits of the base
points. B. D. McKay, "Practical graph isomorphism", Congressus Numerantium 30 (1981); B. D. McKay and A. Piperno,
"Practical graph isomorphism, II", Journal of Symbolic Computation 60 (2014). An automorphism is guessed as soon as a
partition allows it, with most vertices fixed: P. T. Darga, K. A. Sakallah and I. L. Markov, "Faster symmetry discovery
using sparsity of symmetries", DAC 2008.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

#: A record of a refinement that contains no vertex numbers. If an automorphism maps one partition to another, their
#: records are equal.
Trace: TypeAlias = list[tuple[int, ...]]


class VisitBudget:
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

    ``order`` has the vertices cell by cell. The number of a cell is the ``position`` of its first vertex. ``cell[v]``
    is the cell of a vertex, ``size[c]`` the size of a cell, ``position[v]`` the position of a vertex in the order.
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
        starts, start = [], 0
        while start < len(self.order):
            starts.append(start)
            start += self.size[start]
        return starts

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
        self, beside: Sequence[Sequence[int]], by: Iterable[int], effort: VisitBudget, expected: Trace | None = None
    ) -> Trace | None:
        """Make the partition equitable, beginning with the neighbours of the cells ``by``.

        Return the trace, or None as soon as it differs from the trace ``expected``. Raise TooMuchWorkError.
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
                if expected is not None and (len(trace) >= len(expected) or expected[len(trace)] != step):
                    return None
                trace.append(step)
                self._queue(cell, step, queue, waiting)
        return None if expected is not None and len(trace) != len(expected) else trace

    def _split(self, cell: int, touched: list[int], number: dict[int, int]) -> tuple[int, ...]:
        """Split a cell by the numbers of neighbours. Vertices without neighbours come first.

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
        """Queue the parts of a cell as splitters: all except the largest, or all if the cell itself is in the queue."""
        sizes, start = step[2::2], cell
        # If the cell is already in the queue, its first part keeps that place and is not added again.
        skipped = 0 if cell in waiting else sizes.index(max(sizes))
        for index, size in enumerate(sizes):
            if index != skipped:
                waiting.add(start)
                queue.append(start)
            start += size


class BasePoint(NamedTuple):
    """A base point: the vertex, its cell before, the trace of the refinement, and the partition after it."""

    vertex: int
    cell: list[int]
    start: int
    trace: Trace
    after: Partition


@dataclass
class GraphGroup:
    """The automorphisms of a graph: ``generators``, and the orbit of each base point while the earlier ones are fixed.

    If the search was given up, ``complete`` is False and the true group may be larger.
    """

    vertices: int
    generators: list[list[int]] = field(default_factory=list)
    base: list[int] = field(default_factory=list)
    #: For each base point: the number of generators of the group that fixes the earlier points.
    known: list[int] = field(default_factory=list)
    orbits: list[list[int]] = field(default_factory=list)
    complete: bool = True

    @property
    def order(self) -> int:
        """Number of automorphisms."""
        return math.prod(map(len, self.orbits))

    def transversals(self) -> Iterator[dict[int, list[int]]]:
        """Yield for each base point, the last one first, an automorphism to each point of its orbit.

        Every automorphism is a unique product with one factor per base point. The factor of the first base point is
        last.
        """
        for vertex, number in zip(reversed(self.base), reversed(self.known), strict=True):
            transversal = {vertex: list(range(self.vertices))}
            fresh = [vertex]
            while fresh:
                new = []
                for point in fresh:
                    for generator in self.generators[:number]:
                        image = generator[point]
                        if image not in transversal:
                            transversal[image] = [generator[vertex] for vertex in transversal[point]]
                            new.append(image)
                fresh = new
            yield transversal


def graph_group(beside: Sequence[Sequence[int]], colours: Sequence[int], work: int) -> GraphGroup:
    """Return the automorphisms of a graph that keep the colours of vertices.

    ``beside`` has the neighbours of each vertex. After ``work`` visits of edges the search is given up.
    """
    return _GroupSearch(beside, colours, VisitBudget(work)).run()


class _GroupSearch:
    """The search for the automorphisms of one graph."""

    def __init__(self, beside: Sequence[Sequence[int]], colours: Sequence[int], effort: VisitBudget) -> None:
        self.beside, self.effort = beside, effort
        self.sets = [frozenset(row) for row in beside]
        self.root = list(range(len(beside)))  # a forest of the orbits
        self.group = GraphGroup(len(beside))
        self.start = Partition(colours)

    def run(self) -> GraphGroup:
        """Return the group."""
        path: list[BasePoint] = []
        try:
            path = self._first_path()
            for level in reversed(range(len(path))):
                self._extend(path, level)
        except TooMuchWorkError:
            self.group.complete = False
        for column in (self.group.base, self.group.known, self.group.orbits):
            column.reverse()
        return self.group

    def _first_path(self) -> list[BasePoint]:
        """Single out vertices, one after the other, until every vertex is a separate cell."""
        partition = self.start
        partition.refine(self.beside, partition.cells(), self.effort)
        path: list[BasePoint] = []
        while True:
            open_cells = [cell for cell in partition.cells() if partition.size[cell] > 1]
            if not open_cells:
                return path
            cell = min(open_cells, key=lambda cell: (partition.size[cell], cell))
            members = sorted(partition.members(cell))
            partition = partition.copy()
            self.effort.spend(len(self.beside) // 4)
            trace = partition.refine(self.beside, [partition.single_out(members[0])], self.effort)
            assert trace is not None
            path.append(BasePoint(members[0], members, cell, trace, partition))

    def _extend(self, path: list[BasePoint], level: int) -> None:
        """Find automorphisms that move a base point while the earlier ones stay fixed."""
        step = path[level]
        before = path[level - 1].after if level else self.start
        hopeless: set[int] = set()  # roots of orbits with a vertex outside the orbit of the base point
        for vertex in step.cell:
            root = self._find(vertex)
            if root == self._find(step.vertex) or root in hopeless:
                continue
            automorphism = self._automorphism(path, level, before, vertex)
            if automorphism is None:
                hopeless.add(root)
                continue
            self.group.generators.append(automorphism)
            for vertex_from, vertex_to in enumerate(automorphism):
                self._join(vertex_from, vertex_to)
            hopeless = {self._find(root) for root in hopeless}
        orbit = self._find(step.vertex)
        self.group.base.append(step.vertex)
        self.group.known.append(len(self.group.generators))
        self.group.orbits.append([vertex for vertex in step.cell if self._find(vertex) == orbit])

    def _automorphism(self, path: list[BasePoint], level: int, before: Partition, vertex: int) -> list[int] | None:
        """Return an automorphism that fixes the earlier base points and maps that of a level to a vertex."""
        stack = [(before, iter([vertex]))]
        while stack:
            partition, choices = stack[-1]
            choice = next(choices, None)
            if choice is None:
                stack.pop()
                continue
            now = level + len(stack) - 1
            step, image = path[now], partition.copy()
            self.effort.spend(len(self.beside) // 4)
            if image.refine(self.beside, [image.single_out(choice)], self.effort, step.trace) is None:
                continue
            automorphism = self._guess(step.after, image)
            if automorphism is not None:
                return automorphism
            if now + 1 < len(path):
                after = path[now + 1]
                members = sorted(image.members(after.start), key=lambda vertex: (vertex != after.vertex, vertex))
                stack.append((image, iter(members)))
        return None

    def _guess(self, one: Partition, two: Partition) -> list[int] | None:
        """Return an automorphism between two partitions that moves few vertices, or None if the guess is wrong."""
        image = [-1] * len(self.beside)
        for cell in one.cells():
            members, others = one.members(cell), two.members(cell)
            if len(members) > 1:
                common = set(members) & set(others)
                for vertex in common:
                    image[vertex] = vertex
                members = sorted(vertex for vertex in members if vertex not in common)
                others = sorted(vertex for vertex in others if vertex not in common)
            for vertex, other in zip(members, others, strict=True):
                image[vertex] = other
        self.effort.spend(len(image))
        for vertex, other in enumerate(image):
            if vertex != other:
                row = self.beside[vertex]
                self.effort.spend(len(row))
                if len(row) != len(self.beside[other]) or not self.sets[other].issuperset([image[e] for e in row]):
                    return None
        return image

    def _find(self, vertex: int) -> int:
        while self.root[vertex] != vertex:
            self.root[vertex] = vertex = self.root[self.root[vertex]]
        return vertex

    def _join(self, one: int, two: int) -> None:
        a, b = self._find(one), self._find(two)
        self.root[max(a, b)] = min(a, b)
