"""Every kernel walks the tree that ``kernels/spec.py`` specifies, node for node."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.engine import ExactCover
from puzzlec.engine.kernels.spec import NONE, Node, Tree, branching_degree
from puzzlec.engine.search import selection, splitting
from puzzlec.engine.search.threads import ThreadedKernel
from tests.covers import lists_alone
from tests.engine.test_kernels import problems

Path = tuple[tuple[int, int], ...]


def walked(tree: Tree, node: Node, path: Path = ()) -> Iterator[tuple[Path, int | None]]:
    """All nodes below a node, in the order of a search: the path, and its degree (None: the path is a cover)."""
    item, degree = tree.choose(node)
    if item < 0:
        yield path, None
        return
    yield path, degree
    if not degree:
        return
    for _ in range(degree):
        option = tree.next_option(node, item)
        assert option is not None, "the degree is the number of branches"
        if option == NONE:
            below = tree.close(node, item)
        else:
            tree.exclude(node, option)
            below = tree.take(node, option)
        yield from walked(tree, below, (*path, (item, option)))
        if option == NONE:
            return
    assert tree.next_option(node, item) is None


def specified(cover: ExactCover) -> list[tuple[Path, int | None]]:
    tree = Tree(cover.arrays)
    return list(walked(tree, tree.root()))


def options(path: Path) -> tuple[int, ...]:
    return tuple(sorted(option for _, option in path if option != NONE))


def profile(nodes: list[tuple[Path, int | None]]) -> list[int]:
    depth = max(len(path) for path, _ in nodes)
    return [sum(len(path) == level for path, _ in nodes) for level in range(1, depth + 1)]


@pytest.mark.parametrize(("left", "low", "degree"), [(3, 1, 3), (3, 0, 4), (3, 2, 2), (1, 3, 0), (0, 0, 1)])
def test_the_branching_degree_is_the_number_of_spare_options_and_one(left: int, low: int, degree: int) -> None:
    assert branching_degree(left, low) == degree


@given(problems())
def test_every_kernel_visits_the_specified_nodes(cover: ExactCover) -> None:
    nodes = specified(cover)
    covers = [options(path) for path, degree in nodes if degree is None]
    made = [selection.make(cover, name) for name in ("python", "lists", "bits")]
    for kernel in (*made, lists_alone(cover)):
        found = []
        while not kernel.finished:
            found += kernel.covers(5)
        assert found == covers
        assert (kernel.nodes_visited, kernel.profile) == (len(nodes) - 1, profile(nodes))


@given(problems())
def test_plain_python_leaves_out_copies_of_items_and_visits_the_same_nodes(cover: ExactCover) -> None:
    primary, total = cover.primary, cover.primary + cover.secondary
    new = [*range(0, 2 * primary, 2), *range(2 * primary, 2 * total, 2)]  # an item and its copy beside each other
    rows = [[(new[item] + copy, colour) for item, colour in row for copy in (0, 1)] for row in Tree(cover.arrays).rows]
    bounds = [bound for bound in zip(cover.low, cover.high, strict=True) for _ in (0, 1)]
    twice = ExactCover.from_rows(
        [[item if item < 2 * primary else (item, colour) for item, colour in row] for row in rows],
        2 * primary, 2 * cover.secondary, bounds,
    )  # fmt: skip
    nodes, tree = specified(twice), Tree(twice.arrays)
    tree.leave_out_copies()
    assert list(walked(tree, tree.root())) == nodes
    once = sum(bound == (1, 1) for bound in zip(cover.low, cover.high, strict=True))
    assert len(tree.root().active) <= len(Tree(twice.arrays).root().active) - once
    kernel, found = selection.make(twice, "python"), []
    while not kernel.finished:
        found += kernel.covers(5)
    assert found == [options(path) for path, degree in nodes if degree is None]
    assert (kernel.nodes_visited, kernel.profile) == (len(nodes) - 1, profile(nodes))


@settings(max_examples=30)
@given(problems())
def test_subproblems_are_split_along_the_specified_branches(cover: ExactCover) -> None:
    tree = splitting.SearchTree(cover)
    below: dict[Path, list[tuple[int, int]]] = {}
    for path, _ in specified(cover):
        below.setdefault(path, [])
        if path:
            below[path[:-1]].append(path[-1])
    for path, branches in below.items():
        assert tree.branches(tree.at(path)) == branches


@settings(max_examples=10, deadline=None)
@given(problems())
def test_threads_together_visit_the_specified_nodes(cover: ExactCover) -> None:
    nodes = specified(cover)
    kernel = ThreadedKernel(cover, "python", 2)
    try:
        found = []
        while not kernel.finished:
            found += kernel.covers(1 << 20)
    finally:
        kernel.close()
    assert found == [options(path) for path, degree in nodes if degree is None]
    assert (kernel.nodes_visited, kernel.profile) == (len(nodes) - 1, profile(nodes))


@settings(max_examples=60)
@given(problems(), st.integers(0, 9))
def test_every_probe_follows_the_specified_degrees(cover: ExactCover, seed: int) -> None:
    from puzzlec.engine.kernels.python import SimpleProbes
    from puzzlec.engine.kernels.random_probes import RandomProbes

    weights: dict[Path, float] = {}
    sums: dict[Path, float] = {}
    leaves: set[tuple[float, float]] = set()
    for path, degree in specified(cover):
        weight, total = (weights[path[:-1]], sums[path[:-1]]) if path else (1.0, 0.0)
        if degree:
            weights[path] = weight * degree
            sums[path] = total + weights[path]
        else:
            leaves.add((total, weight if degree is None else 0.0))
    for kind in (RandomProbes, SimpleProbes):
        nodes, solutions = kind(cover.arrays, seed).make(20)
        assert set(zip(nodes, solutions, strict=True)) <= leaves
