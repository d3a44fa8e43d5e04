"""Proofs about the points where pieces of edges could cross: the ways through them that exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cmp_to_key
from itertools import combinations

from puzzlec.geometry.lattice import Lattice, Point, turned
from puzzlec.geometry.proving_algebra import Fault, Generator, generators, negative, plus, written


class Crossings:
    """The crossings of a lattice of edges, with its outlines in integers: corners times ``scale``."""

    def __init__(self, lattice: Lattice, outlines: Sequence[Sequence[Point]], scale: int) -> None:
        self.lattice, self.outlines, self.scale = lattice, outlines, scale

    def faults(self) -> Iterator[Fault]:
        """Prove that crossings list exactly the ways that cross at a point where edges end.

        Two pieces cross at a point if they alternate around it. Ways that share an edge may also be listed together,
        since no two pieces take both. Generators must take the ways of a crossing to those of a crossing.
        """
        known = [frozenset(map(frozenset, ways)) for ways in self.lattice.crossings]
        for number, ways in enumerate(self.lattice.crossings):
            fault = self.unlike(number, ways)
            if fault:
                yield fault
                continue
            for name, image in self.images(ways, generators(self.lattice)):
                if image not in known:
                    ways_there = " and ".join(sorted(f"{written(min(way))} to {written(max(way))}" for way in image))
                    yield Fault(("crossings", number), f"{name} takes it to {ways_there}, which is not listed")
                    break
            else:
                missing = self.missing(ways[0][0], known) if self.lattice.dimension == 2 else None
                if missing:
                    one, two = (f"from {written(way[0])} to {written(way[1])}" for way in missing)
                    yield Fault(("crossings", number), f"ways {one} and {two} cross there, but no crossing lists both")

    def images(
        self, ways: tuple[tuple[Point, Point], ...], given: list[Generator]
    ) -> Iterator[tuple[str, frozenset[frozenset[Point]]]]:
        """Yield the images of the ways of a crossing under generators."""
        for _, name, matrix in given:
            yield name, frozenset(frozenset(turned(matrix, point) for point in way) for way in ways)

    def unlike(self, number: int, ways: tuple[tuple[Point, Point], ...]) -> Fault | None:
        """Return the fault of a single crossing: a way that leads nowhere, or two ways that do not cross."""
        place = self.meeting(ways)
        if place is not None:
            way = ways[place]
            why = f"from {written(way[0])} to {written(way[1])} is not a way through a point where edges end"
            return Fault(("crossings", number, place), why)
        around = self.rays(ways[0][0]) if self.lattice.dimension == 2 else []
        for second, two in enumerate(ways):
            for one in ways[:second]:
                if around and not set(one) & set(two) and not alternate(around, one, two):
                    texts = [f"from {written(way[0])} to {written(way[1])}" for way in (one, two)]
                    return Fault(("crossings", number, second), f"ways {texts[0]} and {texts[1]} do not cross")
        return None

    def missing(
        self, first: Point, known: list[frozenset[frozenset[Point]]]
    ) -> tuple[tuple[Point, Point], tuple[Point, Point]] | None:
        """Return two ways that cross at a point although no crossing lists both, or None."""
        around = self.rays(first)
        for one in combinations(around, 2):
            for two in combinations(around, 2):
                if one < two and alternate(around, one, two):
                    both = {frozenset(one), frozenset(two)}
                    if not any(both <= each for each in known):
                        return one, two
        return None

    def meeting(self, ways: tuple[tuple[Point, Point], ...]) -> int | None:
        """Return the first way whose edges do not both end at the common point; None if all do."""
        best = 0
        for kind in self.lattice.kinds:
            here = plus(kind.at, negative(ways[0][0]))
            meet = [way[0] != way[1] and all(self.far_end(here, step) for step in way) for way in ways]
            if all(meet):
                return None
            best = max(best, meet.index(False))
        return best

    def far_end(self, here: Point, step: Point) -> Point | None:
        """Return the other end of the edge at a step from a point, or None if it does not end there."""
        number = self.lattice.class_of(plus(here, step))
        if number < 0:
            return None
        far = [end for corner in self.outlines[number] if any(end := plus(corner, self.scaled(step)))]
        return far[0] if len(far) == 1 else None

    def rays(self, first: Point) -> list[Point]:
        """Return the steps from a point to all edges that end there, in their order around it.

        An edge at the step ``first`` from the point ends there.
        """
        ends: dict[Point, Point] = {}
        kind = next(each for each in self.lattice.kinds if self.far_end(plus(each.at, negative(first)), first))
        here = plus(kind.at, negative(first))
        for number, corners in enumerate(self.outlines):
            for corner in corners:
                # The cell of this kind with this corner at the point, if there is one.
                step = tuple([-value // self.scale for value in corner])
                end = self.far_end(here, step)
                if end and self.lattice.class_of(plus(here, step)) == number:
                    ends[step] = end
        upper = {step: end[1] > 0 or (end[1] == 0 and end[0] > 0) for step, end in ends.items()}

        def turned_from(one: Point, two: Point) -> int:
            if upper[one] != upper[two]:
                return -1 if upper[one] else 1
            across = ends[one][0] * ends[two][1] - ends[one][1] * ends[two][0]
            return -1 if across > 0 else int(across < 0)

        return sorted(ends, key=cmp_to_key(turned_from))

    def scaled(self, step: Point) -> Point:
        """Return a step in the numbers of the scaled outlines."""
        return tuple([self.scale * value for value in step])


def alternate(around: list[Point], one: tuple[Point, Point], two: tuple[Point, Point]) -> bool:
    """Return whether two ways cross at a point: their edges, given in order around it, alternate."""
    at = sorted((around.index(step), way) for way, steps in enumerate((one, two)) for step in steps)
    return not set(one) & set(two) and [way for _, way in at] in ([0, 1, 0, 1], [1, 0, 1, 0])
