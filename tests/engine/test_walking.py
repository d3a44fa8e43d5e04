"""A walk that is stopped again and again, and continued by others, is the whole search."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Search
from puzzlec.engine.search.estimating import SubtreeSizes
from puzzlec.engine.search.selection import KernelName
from puzzlec.engine.search.splitting import SearchTree, split
from puzzlec.engine.search.walking import Position, TreeWalk
from tests.engine.test_kernels import problems

KERNELS = ("auto", "python", "lists", "bits")


@settings(max_examples=60)
@given(problems(), st.integers(1, 12), st.sampled_from(KERNELS), st.lists(st.integers(0, 9), min_size=1), st.booleans())
def test_a_walk_stopped_at_any_node_and_continued_finds_everything_once(
    cover: ExactCover, wanted: int, kernel: KernelName, budgets: list[int], estimated: bool
) -> None:
    whole = Search(cover, kernel="python")
    covers = list(whole)
    tree = SearchTree(cover)
    parts = split(tree, wanted, SubtreeSizes(tree, probes=4) if estimated else None)
    nodes = sum(part.visited for part in parts)
    paths = tuple(part.path for part in parts)
    position: Position = ()
    found: list[tuple[int, ...]] = []
    while paths:
        walk = TreeWalk(tree, paths, position, kernel)
        for budget in [*budgets, 1]:  # whatever the budgets are, there is an end
            if not walk.finished:
                found += walk.covers(budget)
        found += walk.settle()
        paths, position = walk.left()
        nodes += walk.nodes
    assert (found, nodes) == (covers, whole.nodes)


@settings(max_examples=40)
@given(problems(), st.sampled_from(KERNELS), st.lists(st.integers(1, 9), min_size=1))
def test_a_count_that_is_stopped_at_any_node_adds_up(cover: ExactCover, kernel: KernelName, budgets: list[int]) -> None:
    tree = SearchTree(cover)
    paths: tuple[tuple[tuple[int, int], ...], ...] = ((),)
    position: Position = ()
    number = nodes = 0
    while paths:
        walk = TreeWalk(tree, paths, position, kernel)
        for budget in budgets:
            if not walk.finished:
                number += walk.count(budget)
        paths, position = walk.left()
        nodes += walk.nodes
    whole = Search(cover, kernel="python")
    assert (number, nodes) == (whole.count(), whole.nodes)


@settings(max_examples=40)
@given(problems(), st.integers(1, 8), st.integers(1, 30))
def test_subproblems_that_are_divided_further_are_still_the_whole_search(
    cover: ExactCover, first: int, then: int
) -> None:
    tree = SearchTree(cover)
    begun = split(tree, first)
    parts = split(tree, then, SubtreeSizes(tree, probes=4), begin=begun)
    walk = TreeWalk(tree, [part.path for part in parts])
    found: list[tuple[int, ...]] = []
    while not walk.finished:
        found += walk.covers(1000)
    whole = Search(cover, kernel="python")
    assert found == list(whole)
    assert sum(part.visited for part in parts) + walk.nodes == whole.nodes


def test_a_walk_after_the_last_branch_of_a_subproblem_continues_with_the_next_one() -> None:
    cover = ExactCover.from_rows([[0], [0]], 1)
    after: Position = ((2, 2),)
    last = TreeWalk(SearchTree(cover), [()], after)
    assert (last.finished, last.left()) == (True, ((), ()))
    next_one = TreeWalk(SearchTree(cover), [(), ()], after)
    assert next_one.covers(1000) == list(Search(cover))
    assert next_one.finished
