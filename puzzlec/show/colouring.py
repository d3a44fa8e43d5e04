"""Few colours so that neighbours differ: the most hemmed in vertices of a graph first, and exchanges of two colours.

The order is DSATUR's (D. Brelaz, New methods to color the vertices of a graph, 1979): next is the vertex whose
neighbours have the most different colours already. Where a vertex would need one more colour, two colours are
exchanged in a part of the graph (a Kempe chain), so that one gets free. The pieces of a flat board make a plane
graph, which four colours are enough for; this finds them nearly always.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sized
from heapq import heapify, heappop, heappush
from itertools import permutations

#: Exchanges look at so many vertices in all for each vertex of the graph; so the time is nearly linear.
_LOOKS = 40


def few_colours(near: Mapping[int, Collection[int]], most: int, least: int = 1) -> dict[int, int]:
    """Return a colour from 0 on for each vertex, different from its neighbours' as far as ``most`` colours go.

    ``near`` are the neighbours of each vertex, both ways. Where ``most`` colours are not enough, a vertex has the
    colour that the fewest of its neighbours have. A vertex may have one of the first ``least`` colours even where
    fewer would do: of those that are free, the one that was used least.

    >>> few_colours({0: [1, 2], 1: [0, 2], 2: [0, 1], 3: []}, 4)
    {0: 0, 1: 1, 2: 2, 3: 0}
    """
    chosen = _Colouring(near, most, least)
    for vertex in hemmed_in(near, chosen.around):
        chosen.paint(vertex)
    return {vertex: chosen.colour[vertex] for vertex in near}


def hemmed_in(near: Mapping[int, Collection[int]], around: Mapping[int, Sized]) -> Iterator[int]:
    """Give each vertex of a graph once, always the one whose neighbours have the most different colours.

    ``around`` holds for each vertex the colours that its neighbours have; it is kept by whoever colours what is given.

    >>> list(hemmed_in({0: [1], 1: [0, 2], 2: [1]}, {0: [], 1: [], 2: []}))
    [1, 0, 2]
    """
    done = set[int]()
    waiting = [(-len(around[vertex]), -len(near[vertex]), vertex) for vertex in near]
    heapify(waiting)
    while waiting:
        taken, degree, vertex = heappop(waiting)
        if vertex in done:
            continue
        if -taken != len(around[vertex]):  # colours have changed since: it has to wait for its turn anew
            heappush(waiting, (-len(around[vertex]), degree, vertex))
            continue
        done.add(vertex)
        yield vertex
        for other in near[vertex]:
            if other not in done:
                heappush(waiting, (-len(around[other]), -len(near[other]), other))


class _Colouring:
    """The colours of some vertices, and how many neighbours of each vertex have which colour."""

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
        """Free a colour for a vertex by exchanging it with another one in parts of the graph, if that can be."""
        around = self.around[vertex]
        for one, two in permutations(sorted(around, key=lambda colour: (around[colour], colour)), 2):
            if self.looks <= 0:
                break
            part = self._chain([other for other in self.near[vertex] if self.colour.get(other) == one], one, two)
            if not any(self.colour.get(other) == two and other in part for other in self.near[vertex]):
                for each in sorted(part):
                    self._set(each, two if self.colour[each] == one else one)
                if one not in around:  # it was not, where two colours met before for want of more
                    return [one]
        return []

    def _chain(self, start: Iterable[int], one: int, two: int) -> set[int]:
        """Return the vertices of two colours that hang together with some."""
        part, fresh = set(start), list(start)
        while fresh:
            vertex = fresh.pop()
            self.looks -= 1
            for other in self.near[vertex]:
                if other not in part and self.colour.get(other) in (one, two):
                    part.add(other)
                    fresh.append(other)
        return part
