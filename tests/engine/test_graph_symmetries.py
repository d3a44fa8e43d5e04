"""Automorphism groups of graphs, against all permutations of the vertices tried one by one."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given

from puzzlec.engine.symmetry import GraphGroup, graph_group
from tests.engine.test_refining import Graph, coloured_graphs

WORK = 10**6


def elements_of(group: GraphGroup) -> list[tuple[int, ...]]:
    """All products of one of each transversal."""
    elements = [list(range(group.vertices))]
    for takers in group.transversals():
        elements = [[taker[each] for each in before] for taker in takers.values() for before in elements]
    return [tuple(each) for each in elements]


def rings(*sizes: int) -> Graph:
    """A graph of rings that hang together nowhere."""
    beside: Graph = []
    for size in sizes:
        first = len(beside)
        beside += [[first + (k - 1) % size, first + (k + 1) % size] for k in range(size)]
    return beside


def renamed(beside: Graph, seed: int) -> Graph:
    """The same graph with its vertices numbered otherwise."""
    image = list(range(len(beside)))
    Random(seed).shuffle(image)
    found: Graph = [[] for _ in beside]
    for vertex, other in enumerate(image):
        found[other] = [image[each] for each in beside[vertex]]
    return found


@given(coloured_graphs(most=6))
def test_the_group_is_what_trying_every_permutation_of_vertices_finds(graph: tuple[Graph, list[int]]) -> None:
    beside, colours = graph
    sets = list(map(set, beside))
    every = {
        image
        for image in permutations(range(len(beside)))
        if all(colours[v] == colours[w] and {image[e] for e in sets[v]} == sets[w] for v, w in enumerate(image))
    }
    group = graph_group(beside, colours, WORK)
    assert group.complete
    assert set(elements_of(group)) == every
    assert len(elements_of(group)) == group.order == len(every)  # each in one way only
    assert all(tuple(each) in every for each in group.generators)
    stay = every
    for point, orbit in zip(group.base, group.orbits, strict=True):
        assert {image[point] for image in stay} == set(orbit)
        stay = {image for image in stay if image[point] == point}
    assert len(stay) == 1


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("sizes", "order"),
    [
        ((3, 4), 6 * 8),
        ((3, 3, 4), 2 * 6 * 6 * 8),
        ((3, 3, 6), 2 * 6 * 6 * 12),  # a partition does not tell the vertices of two triangles from those of a hexagon
        ((4, 4, 5, 5), 2 * 2 * 8 * 8 * 10 * 10),
    ],
)
def test_rings_are_turned_and_mirrored_each_and_equal_ones_change_places(
    sizes: tuple[int, ...], order: int, seed: int
) -> None:
    beside = renamed(rings(*sizes), seed)
    group = graph_group(beside, [0] * sum(sizes), WORK)
    assert (group.order, group.complete) == (order, True)
    for image in group.generators:  # what was guessed, and is none, was refused
        assert all({image[each] for each in row} == set(beside[image[vertex]]) for vertex, row in enumerate(beside))


@pytest.mark.parametrize("beside", [[[]] * 7, rings(3, 3, 3), [[k for k in range(6) if k != v] for v in range(6)]])
def test_each_generator_joins_two_orbits(beside: Graph) -> None:
    # So there is less than one for each vertex, however large the group is.
    group = graph_group(beside, [0] * len(beside), WORK)
    assert len(group.generators) < len(beside)
    assert len(set(elements_of(group))) == group.order


def test_the_points_that_an_unfinished_search_has_come_to_are_told_with_their_orbits() -> None:
    whole = graph_group(rings(9), [0] * 9, WORK)
    assert (whole.order, len(whole.base)) == (18, 2)
    works = [graph_group(rings(9), [0] * 9, work) for work in range(0, 300, 20)]
    assert {len(each.base) for each in works} == {0, 1, 2}
    for each in works:
        assert each.complete == (len(each.base) == 2)
        # It ends with the first base point: what is known leaves those before where they are.
        assert each.base == whole.base[2 - len(each.base) :]
        assert each.orbits == whole.orbits[2 - len(each.base) :]
        assert each.order == len(set(elements_of(each)))
