"""The listed crossings of lattices of edges are the ways that cross on paper."""

from __future__ import annotations

from itertools import combinations
from math import atan2

import pytest

import puzzlec
from puzzlec.geometry import Cell, Lattice, Point, find_lattice


def edges_at(lattice: Lattice, here: Point) -> list[Point]:
    """The points of the edges that end at a point of the grid, relative to it, in their order around it."""
    found = {}
    for kind in lattice.kinds:
        for corner in kind.outline:
            step = tuple(-round(c) for c in corner)
            if lattice.class_of(tuple(a + b for a, b in zip(here, step, strict=True))) >= 0:
                x, y = lattice.on_paper(step)
                found[step] = atan2(y, x)
    return sorted(found, key=found.__getitem__)


def cross(around: list[Point], one: tuple[Point, ...], two: tuple[Point, ...]) -> bool:
    """Whether exactly one end of the second way lies between the ends of the first, around the point."""
    low, high = sorted(map(around.index, one))
    return sum(low < around.index(point) < high for point in two) == 1


@pytest.mark.parametrize(("name", "edges"), [("sticks", 4), ("trigs", 6)])
def test_two_ways_through_a_point_are_listed_together_if_they_cross(name: str, edges: int) -> None:
    lattice = find_lattice(name)
    around = edges_at(lattice, (0, 0))
    assert len(around) == edges
    together = {frozenset(map(frozenset, pair)) for ways in lattice.crossings for pair in combinations(ways, 2)}
    for one, two in combinations(list(combinations(around, 2)), 2):
        if not set(one) & set(two):  # otherwise no two pieces could use them
            assert (frozenset(map(frozenset, (one, two))) in together) == cross(around, one, two), (one, two)


TRIANGLE = """
lattice trigs
locations cells (0,0,1) (0,0,2) (0,1,0)   (0,1,1) (0,1,2) (0,2,0)   (1,1,1) (1,1,2) (1,2,0)
pieces ditrigs x0..4
piece trig cells (0,0,0)
"""


def partitions(edges: list[Cell], ends: dict[Cell, frozenset[Point]], single: int) -> list[list[tuple[Cell, ...]]]:
    """Every way to divide edges into pairs with a common end and single edges."""
    if not edges:
        return [[]] if single == 0 else []
    first, *rest = edges
    found = [[(first,), *more] for more in partitions(rest, ends, single - 1)] if single else []
    for other in rest:
        if ends[first] & ends[other]:
            left = [edge for edge in rest if edge != other]
            found += [[(first, other), *more] for more in partitions(left, ends, single)]
    return found


def test_a_triangle_of_edges_has_the_same_number_of_divisions_as_on_paper() -> None:
    puzzle = puzzlec.parse(TRIANGLE)
    assert isinstance(puzzle, puzzlec.Puzzle)
    lattice = find_lattice("trigs")
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    ends = {}
    for cell in cells:
        at = lattice.point(cell)
        outline = lattice.kinds[cell[-1]].outline
        ends[cell] = frozenset(tuple(a + round(c) for a, c in zip(at, corner, strict=True)) for corner in outline)
    count = 0
    for pairs in partitions(cells, ends, 1):
        ways: dict[Point, list[tuple[Point, ...]]] = {}
        for pair in pairs:
            for here in ends[pair[0]] & ends[pair[-1]] if len(pair) == 2 else ():
                way = tuple(tuple(a - b for a, b in zip(lattice.point(edge), here, strict=True)) for edge in pair)
                ways.setdefault(here, []).append(way)
        around = edges_at(lattice, (0, 0))
        count += not any(cross(around, *two) for there in ways.values() for two in combinations(there, 2))
    assert count == puzzlec.count(puzzle, symmetry="none") == 93


def test_with_crossing_allowed_every_division_counts() -> None:
    assert puzzlec.count(puzzlec.parse(TRIANGLE + "crossing\n"), symmetry="none") > 93
