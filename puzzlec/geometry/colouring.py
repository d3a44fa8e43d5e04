"""Colours of the vertices of a graph, different from those of their neighbours: few at once, or the fewest of all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from heapq import heapify, heappop, heappush
from itertools import permutations

#: Maximum number of steps of the search for the fewest colours, and of vertices that it colours.
MAX_COLOURING_STEPS, MAX_COLOURED_VERTICES = 200_000, 400

#: Maximum number of vertices that exchanges test for each vertex of the graph, so that the time is nearly linear.
_LOOKS = 40


def few_colours(near: Mapping[int, Collection[int]], most: int, least: int = 1) -> dict[int, int]:
    """Return a colour from 0 on for each vertex, different from its neighbours' as far as ``most`` colours suffice.

    ``near`` are the neighbours of each vertex, both ways. If ``most`` colours are not enough, a vertex has the colour
    that the fewest of its neighbours have. A vertex may have one of the first ``least`` colours even if fewer would do:
    the free one that was used least.

    >>> few_colours({0: [1, 2], 1: [0, 2], 2: [0, 1], 3: []}, 4)
    {0: 0, 1: 1, 2: 2, 3: 0}
    """
    colouring = _VertexHues(near, most, least)
    for vertex in hemmed_in(near, colouring.around):
        colouring.paint(vertex)
    return {vertex: colouring.colour[vertex] for vertex in near}


def hemmed_in(near: Mapping[int, Collection[int]], around: Mapping[int, Sized]) -> Iterator[int]:
    """Yield each vertex of a graph once, always the one whose neighbours have the most different colours.

    ``around`` holds the colours of each vertex's neighbours; the caller updates it after each vertex.

    >>> list(hemmed_in({0: [1], 1: [0, 2], 2: [1]}, {0: [], 1: [], 2: []}))
    [1, 0, 2]
    """
    done = set[int]()
    waiting = [(-len(around[vertex]), -len(near[vertex]), vertex) for vertex in near]
    heapify(waiting)
    while waiting:
        colours, degree, vertex = heappop(waiting)
        if vertex in done:
            continue
        if -colours != len(around[vertex]):  # its neighbours' colours changed, so it is queued again
            heappush(waiting, (-len(around[vertex]), degree, vertex))
            continue
        done.add(vertex)
        yield vertex
        for other in near[vertex]:
            if other not in done:
                heappush(waiting, (-len(around[other]), -len(near[other]), other))


class _VertexHues:
    """The colours of some vertices, and the number of each vertex's neighbours with each colour."""

    def __init__(self, near: Mapping[int, Collection[int]], most: int, least: int) -> None:
        self.near, self.most, self.used = near, most, min(least, most)
        self.colour: dict[int, int] = {}
        self.around: dict[int, dict[int, int]] = {vertex: {} for vertex in near}
        self.often = [0] * most
        self.looks = _LOOKS * len(near)

    def paint(self, vertex: int) -> None:
        """Give a vertex a colour: a free one that is in use, one made free, a new one, or the least bad one."""
        around = self.around[vertex]
        free = [colour for colour in range(self.used) if colour not in around]
        if not free:
            free = self._exchanged(vertex) or [self.used][: self.used < self.most]
        if free:
            best = min(free, key=lambda colour: (self.often[colour], colour))
        else:
            best = min(range(self.most), key=lambda colour: (around[colour], colour))
        self.used = max(self.used, best + 1)
        self._set(vertex, best)

    def _set(self, vertex: int, colour: int) -> None:
        """Give a vertex a colour, or another one."""
        before = self.colour.get(vertex)
        self.colour[vertex] = colour
        self.often[colour] += 1
        if before is not None:
            self.often[before] -= 1
        for other in self.near[vertex]:
            around = self.around[other]
            around[colour] = around.get(colour, 0) + 1
            if before is not None:
                around[before] -= 1
                if not around[before]:
                    del around[before]

    def _exchanged(self, vertex: int) -> list[int]:
        """Free a colour for a vertex by an exchange with another colour in parts of the graph, if possible."""
        around = self.around[vertex]
        for one, two in permutations(sorted(around, key=lambda colour: (around[colour], colour)), 2):
            if self.looks <= 0:
                break
            part = self._chain([other for other in self.near[vertex] if self.colour.get(other) == one], one, two)
            if not any(self.colour.get(other) == two and other in part for other in self.near[vertex]):
                for member in sorted(part):
                    self._set(member, two if self.colour[member] == one else one)
                if one not in around:  # else two neighbours already had the same colour
                    return [one]
        return []

    def _chain(self, start: Iterable[int], one: int, two: int) -> set[int]:
        """Return the vertices of two colours that are connected to given ones."""
        part, fresh = set(start), list(start)
        while fresh:
            vertex = fresh.pop()
            self.looks -= 1
            for other in self.near[vertex]:
                if other not in part and self.colour.get(other) in (one, two):
                    part.add(other)
                    fresh.append(other)
        return part


def fewest_colours(number: int, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...] | None:
    """Return a colour from 0 for each vertex of a graph, the least number of them; None if the search is too long.

    A vertex with fewer neighbours than colours is coloured last. The others are chosen as D. Brelaz does (New methods
    to color the vertices of a graph, 1979), with backtracking.

    >>> fewest_colours(3, [(0, 1), (1, 2)])
    (0, 1, 0)
    """
    near: list[set[int]] = [set() for _ in range(number)]
    for one, two in pairs:
        near[one].add(two)
        near[two].add(one)
    for colours in range(number + 1):
        core, later = set(range(number)), []
        while easy := [vertex for vertex in core if len(near[vertex] & core) < colours]:
            later.append(easy[0])
            core.remove(easy[0])
        search = _VertexColouring(near, colours)
        if len(core) > MAX_COLOURED_VERTICES or (done := search.colour(sorted(core))) is None:
            return None
        if done:
            for vertex in reversed(later):
                search.paint(vertex)
            return tuple([search.painted[vertex] for vertex in range(number)])
    return ()


class _VertexColouring:
    """Colours of some vertices of a graph."""

    def __init__(self, near: Sequence[set[int]], colours: int) -> None:
        self.near, self.colours, self.painted, self.steps = near, colours, dict[int, int](), 0

    def _free(self, vertex: int) -> list[int]:
        used = {self.painted[other] for other in self.near[vertex] if other in self.painted}
        new = max(self.painted.values(), default=-1) + 1
        return [colour for colour in range(min(self.colours, new + 1)) if colour not in used]

    def paint(self, vertex: int) -> None:
        """Give a vertex the first free colour."""
        self.painted[vertex] = self._free(vertex)[0]

    def colour(self, left: list[int]) -> bool | None:
        """Return whether the vertices that are left can be coloured; None if that needs too many steps."""
        if not left:
            return True
        self.steps += 1
        if self.steps > MAX_COLOURING_STEPS:
            return None
        vertex = min(left, key=lambda one: (len(self._free(one)), -len(self.near[one]), one))
        rest = [other for other in left if other != vertex]
        for colour in self._free(vertex):
            self.painted[vertex] = colour
            if (done := self.colour(rest)) is not False:
                return done
            del self.painted[vertex]
        return False
