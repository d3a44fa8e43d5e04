"""Subproblems, searched one after the other, are the whole search: the same covers, order and nodes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Search
from puzzlec.engine.search import selection
from puzzlec.engine.search.selection import KernelName
from puzzlec.engine.search.splitting import NO_OPTION, SearchTree, Subproblem, remaining, split
from tests.engine.test_kernels import problems

KERNELS = ("python", "lists", "bits")


def searched(tree: SearchTree, parts: list[Subproblem], kernel: KernelName) -> tuple[list[tuple[int, ...]], int]:
    """The covers and the number of nodes of subproblems, one after the other."""
    covers: list[tuple[int, ...]] = []
    nodes = 0
    for part in parts:
        rest = tree.residual(part.path)
        rest.cover.verify()
        search = Search(rest.cover, kernel=kernel)
        found = rest.lift(list(search))
        assert part.covers in (None, len(found))
        covers += found
        nodes += part.visited + search.nodes
    return covers, nodes


@settings(max_examples=50)
@given(problems(), st.integers(1, 40), st.sampled_from(KERNELS))
def test_every_split_is_the_whole_search_node_for_node(cover: ExactCover, wanted: int, kernel: KernelName) -> None:
    whole = Search(cover, kernel="python")
    covers = list(whole)
    tree = SearchTree(cover)
    parts = split(tree, wanted)
    assert searched(tree, parts, kernel) == (covers, whole.nodes)
    assert sum(part.share for part in parts) == pytest.approx(1)


@settings(max_examples=60)
@given(problems(), st.integers(0, 30), st.sampled_from(KERNELS))
def test_the_rest_of_a_stopped_kernel_can_be_split_again(cover: ExactCover, budget: int, name: str) -> None:
    whole = Search(cover, kernel="python")
    covers = list(whole)
    kernel = selection.make(cover, name)
    found = kernel.covers(budget)
    if kernel.finished:
        assert found == covers
        return
    tree = SearchTree(cover)
    parts = remaining(tree, Subproblem((), 1.0, 0), kernel.position())
    rest, nodes = searched(tree, parts, "python")
    assert (found + rest, kernel.nodes_visited + nodes) == (covers, whole.nodes)


@given(problems())
def test_split_down_to_the_leaves_nothing_is_left_to_search(cover: ExactCover) -> None:
    parts = split(SearchTree(cover), 10**6)
    assert sum(part.covers or 0 for part in parts) == Search(cover).count()
    assert all(part.covers is not None for part in parts)


def test_a_path_has_the_options_taken_and_the_branches_without_any() -> None:
    # Item 0 is covered up to three times, by options 0 to 2. Item 1 is covered once, by option 2 or 3.
    cover = ExactCover.from_rows([[0], [0], [0, 1], [1]], 2, bounds=[(0, 3), (1, 1)])
    rest = SearchTree(cover).residual(((1, 3), (0, 1)))
    assert rest.taken == (3, 1)
    # Option 0 precedes 1 and is excluded. Option 2 has item 1, which is covered. Item 0 needs nothing and has no option
    # left, so this is a cover.
    assert len(rest.options) == 0
    search = Search(rest.cover, kernel="python")
    assert rest.lift(list(search)) == [(1, 3)]
    assert search.nodes == 0
    assert SearchTree(cover).residual(((1, 3), (0, NO_OPTION))).cover.primary == 0


def test_a_problem_without_items_is_a_leaf_with_its_cover() -> None:
    assert split(SearchTree(ExactCover.from_rows([], 0)), 8) == [Subproblem((), 1.0, 0, 1)]
    assert split(SearchTree(ExactCover.from_rows([[0]], 2)), 8) == [Subproblem((), 1.0, 0, 0)]
