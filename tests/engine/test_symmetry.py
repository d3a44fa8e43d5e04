"""Equitable partitions, compared with refining by all neighbours at once, and the traces of refinements.

Automorphism groups of graphs, compared with all permutations of the vertices tried one by one.
"""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine.symmetry import GraphGroup, Partition, TooMuchWorkError, VisitBudget, graph_group

Graph = list[list[int]]

#: A path of three vertices: 0 - 1 - 2.
PATH: Graph = [[1], [0, 2], [1]]


@st.composite
def coloured_graphs(draw: st.DrawFn, most: int = 9) -> tuple[Graph, list[int]]:
    """A random graph with a maximum number of vertices, in up to two colours."""
    size = draw(st.integers(1, most))
    pairs = [(one, two) for two in range(size) for one in range(two)]
    edges = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    beside: Graph = [[] for _ in range(size)]
    for one, two in edges:
        beside[one].append(two)
        beside[two].append(one)
    return beside, draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))


def refined(beside: Graph, colours: list[int]) -> Partition:
    partition = Partition(colours)
    assert partition.refine(beside, partition.cells(), VisitBudget(10**6)) is not None
    return partition


def cells_of(partition: Partition) -> list[list[int]]:
    """The cells with their vertices in order. The other fields of the partition must agree with them."""
    found = [sorted(partition.members(cell)) for cell in partition.cells()]
    assert sorted(vertex for cell in found for vertex in cell) == list(range(len(partition.order)))
    for cell, members in zip(partition.cells(), found, strict=True):
        assert partition.size[cell] == len(members)
        assert {partition.cell[vertex] for vertex in members} == {cell}
    assert [partition.place[vertex] for vertex in partition.order] == list(range(len(partition.order)))
    return found


def told_apart(beside: Graph, labels: list[int]) -> set[frozenset[int]]:
    """The coarsest equitable partition: vertices get labels by those of their neighbours until the number stays."""
    while True:
        keys = [
            (label, sorted(labels[neighbour] for neighbour in row)) for label, row in zip(labels, beside, strict=True)
        ]
        ranks = [sorted(keys).index(key) for key in keys]
        if len(set(ranks)) == len(set(labels)):
            return {frozenset(v for v, rank in enumerate(ranks) if rank == label) for label in set(ranks)}
        labels = ranks


@given(coloured_graphs())
def test_a_refinement_is_the_coarsest_equitable_one(graph: tuple[Graph, list[int]]) -> None:
    beside, colours = graph
    partition = refined(beside, colours)
    assert set(map(frozenset, cells_of(partition))) == told_apart(beside, colours)
    for vertex in range(len(beside)):
        single = partition.copy()
        single.refine(beside, [single.single_out(vertex)], VisitBudget(10**6))
        labels = [2 * partition.cell[other] + (other == vertex) for other in range(len(beside))]
        assert set(map(frozenset, cells_of(single))) == told_apart(beside, labels)


@given(coloured_graphs(), st.randoms(use_true_random=False))
def test_a_refinement_does_not_depend_on_numbers_of_vertices(graph: tuple[Graph, list[int]], random: Random) -> None:
    beside, colours = graph
    image = list(range(len(beside)))
    random.shuffle(image)
    renamed: Graph = [[] for _ in beside]
    recoloured = [0] * len(beside)
    for vertex, other in enumerate(image):
        renamed[other], recoloured[other] = [image[neighbour] for neighbour in beside[vertex]], colours[vertex]
    for row in renamed:
        random.shuffle(row)
    one, two = Partition(colours), Partition(recoloured)
    trace = one.refine(beside, one.cells(), VisitBudget(10**6))
    assert trace is not None
    assert two.refine(renamed, two.cells(), VisitBudget(10**6), trace) == trace
    assert cells_of(two) == [sorted(image[vertex] for vertex in cell) for cell in cells_of(one)]


def test_a_trace_has_each_touched_cell_and_the_sizes_of_its_parts() -> None:
    partition = Partition([0, 0, 0])
    # By all vertices: two have one neighbour, one has two. Then by the smaller part: both ends have one in it.
    assert partition.refine(PATH, [0], VisitBudget(100)) == [(0, 1, 2, 2, 1), (0, 1, 2)]
    assert cells_of(partition) == [[0, 2], [1]]
    # By an end that was singled out: the middle, a separate cell, has one neighbour in it.
    assert partition.refine(PATH, [partition.single_out(2)], VisitBudget(100)) == [(2, 1, 1)]
    assert cells_of(partition) == [[2], [0], [1]]


def test_cells_are_split_in_their_order_however_neighbours_are_listed() -> None:
    for row in ([1, 2], [2, 1]):
        assert Partition([0, 1, 2]).refine([row, [0], [0]], [0], VisitBudget(100)) == [(1, 1, 1), (2, 1, 1)]


def test_a_cell_may_be_split_into_more_than_two_parts() -> None:
    # A tree with vertices of degrees one, two and three: the neighbours of its leaves separate them.
    beside: Graph = [[4], [4], [3], [2, 4], [0, 1, 3]]
    partition = Partition([0] * 5)
    assert partition.refine(beside, [0], VisitBudget(100)) == [
        *[(0, 1, 3, 2, 1, 3, 1)],
        *[(0, 0, 2, 1, 1), (4, 1, 1)],  # by the vertex of degree two
        *[(0, 1, 2), (3, 1, 1)],  # by that of degree three
        *[(3, 1, 1)],  # by the leaf beside that of degree two
    ]
    assert cells_of(partition) == [[0, 1], [2], [3], [4]]


def test_vertices_without_neighbours_come_first_in_their_cell() -> None:
    partition = Partition([0, 0, 0, 0, 1])
    assert partition.refine([[4], [], [4], [], [0, 2]], [4], VisitBudget(100)) == [(0, 0, 2, 1, 2), (4, 2, 1)]
    assert cells_of(partition) == [[1, 3], [0, 2], [4]]


def test_a_longer_or_shorter_trace_than_expected_is_different() -> None:
    trace = Partition([0, 0, 0]).refine(PATH, [0], VisitBudget(100))
    assert trace is not None
    for wanted, same in (
        (trace, True),
        (trace[:-1], False),
        ([*trace, (0, 1, 2)], False),
        ([*trace[:-1], (0, 2, 2)], False),
        ([], False),
    ):
        assert Partition([0, 0, 0]).refine(PATH, [0], VisitBudget(100), wanted) == (trace if same else None)


def test_colours_make_cells_in_their_order_and_a_copy_is_refined_separately() -> None:
    partition = Partition([7, 3, 7, 3, 5])
    assert cells_of(partition) == [[1, 3], [4], [0, 2]]
    assert partition.cells() == [0, 2, 3]
    other = partition.copy()
    assert other.single_out(2) == 3
    assert cells_of(other) == [[1, 3], [4], [2], [0]]
    assert other.single_out(4) == 2  # it is alone already
    assert cells_of(partition) == [[1, 3], [4], [0, 2]]


def test_each_vertex_of_a_splitter_and_each_neighbour_is_work() -> None:
    effort = VisitBudget(100)
    Partition([0, 0, 0]).refine(PATH, [0], effort)
    assert 100 - effort.left == (3 + 3) + (1 + 2)
    with pytest.raises(TooMuchWorkError):
        Partition([0, 0, 0]).refine(PATH, [0], VisitBudget(8))


def test_effort_is_spent_to_its_last_unit_and_no_further() -> None:
    effort = VisitBudget(3)
    effort.spend(1)
    effort.spend(2)
    with pytest.raises(TooMuchWorkError):
        effort.spend(1)


def test_a_split_lets_all_its_parts_but_the_largest_split_others() -> None:
    # A star of six and a pair: first all by their degrees, then by the middle of the star, the neighbour of its leaves,
    # then by the pair. The seven of degree one and the five leaves are the largest parts, which need not split others.
    beside: Graph = [[1, 2, 3, 4, 5], [0], [0], [0], [0], [0], [7], [6]]
    partition = Partition([0] * 8)
    assert partition.refine(beside, [0], VisitBudget(1000)) == [(0, 1, 7, 5, 1), (0, 0, 2, 1, 5), (0, 1, 2)]
    assert cells_of(partition) == [[6, 7], [1, 2, 3, 4, 5], [0]]
    # If the middle is known to differ, and all others still wait to split, both parts of them split, also the largest.
    partition = Partition([1] + [0] * 7)
    assert partition.refine(beside, [7, 0], VisitBudget(1000)) == [(0, 0, 2, 1, 5), (0, 1, 2), (7, 5, 1)]


def test_a_part_that_waits_and_is_split_again_splits_with_all_of_its_parts() -> None:
    # Vertex 0 separates 6, 7 and 8 from 2 to 5. Then vertex 1 separates 7 and 8 from 6, before these had their turn.
    beside: Graph = [[6, 7, 8], [7, 8], [], [], [], [], [0], [0, 1], [0, 1]]
    partition = Partition([0, 1, 2, 2, 2, 2, 2, 2, 2])
    assert partition.refine(beside, [0, 1], VisitBudget(100)) == [
        *[(2, 0, 4, 1, 3), (6, 0, 1, 1, 2)],
        *[(0, 1, 1)],  # by 6
        *[(0, 2, 1), (1, 2, 1)],  # by 7 and 8
    ]


WORK = 10**6


def elements_of(group: GraphGroup) -> list[tuple[int, ...]]:
    """All products of one of each transversal."""
    elements = [list(range(group.vertices))]
    for takers in group.transversals():
        elements = [[taker[point] for point in before] for taker in takers.values() for before in elements]
    return list(map(tuple, elements))


def rings(*sizes: int) -> Graph:
    """A graph of separate rings."""
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
        found[other] = [image[neighbour] for neighbour in beside[vertex]]
    return found


@given(coloured_graphs(most=6))
def test_the_group_agrees_with_trying_every_permutation_of_vertices(graph: tuple[Graph, list[int]]) -> None:
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
    assert all(tuple(generator) in every for generator in group.generators)
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
        ((3, 3, 6), 2 * 6 * 6 * 12),  # no partition separates the vertices of two triangles and a hexagon
        ((4, 4, 5, 5), 2 * 2 * 8 * 8 * 10 * 10),
    ],
)
def test_each_ring_is_rotated_and_reflected_and_equal_ones_change_places(
    sizes: tuple[int, ...], order: int, seed: int
) -> None:
    beside = renamed(rings(*sizes), seed)
    group = graph_group(beside, [0] * sum(sizes), WORK)
    assert (group.order, group.complete) == (order, True)
    for image in group.generators:  # wrong guesses were refused
        assert all(
            {image[neighbour] for neighbour in row} == set(beside[image[vertex]]) for vertex, row in enumerate(beside)
        )


@pytest.mark.parametrize("beside", [[[]] * 7, rings(3, 3, 3), [[k for k in range(6) if k != v] for v in range(6)]])
def test_each_generator_joins_two_orbits(beside: Graph) -> None:
    # So there are fewer than vertices, however large the group is.
    group = graph_group(beside, [0] * len(beside), WORK)
    assert len(group.generators) < len(beside)
    assert len(set(elements_of(group))) == group.order


def test_an_unfinished_search_has_the_orbits_of_the_points_it_reached() -> None:
    whole = graph_group(rings(9), [0] * 9, WORK)
    assert (whole.order, len(whole.base)) == (18, 2)
    works = [graph_group(rings(9), [0] * 9, work) for work in range(0, 300, 20)]
    assert {len(work.base) for work in works} == {0, 1, 2}
    for work in works:
        assert work.complete == (len(work.base) == 2)
        # It ends with the first base point: the known automorphisms fix the earlier ones.
        assert work.base == whole.base[2 - len(work.base) :]
        assert work.orbits == whole.orbits[2 - len(work.base) :]
        assert work.order == len(set(elements_of(work)))
