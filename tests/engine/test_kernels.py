from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Search
from puzzlec.engine.search.selection import Kernel
from tests import brute
from tests.covers import lists_alone


@st.composite
def problems(draw: st.DrawFn) -> ExactCover:
    """A small problem with every feature: bounds from 0 up, secondary items, colours."""
    primary, secondary = draw(st.integers(1, 5)), draw(st.integers(0, 3))
    rows = draw(
        st.lists(
            st.tuples(
                st.sets(st.integers(0, primary - 1), min_size=1, max_size=3),
                st.dictionaries(st.integers(primary, primary + secondary - 1), st.integers(0, 2), max_size=2)
                if secondary
                else st.just({}),
            ),
            max_size=9,
        )
    )
    bounds = [
        (low, low + extra)
        for low, extra in draw(
            st.lists(
                st.tuples(st.sampled_from([0, 1, 1, 1, 2]), st.sampled_from([0, 0, 0, 1, 3])),
                min_size=primary,
                max_size=primary,
            )
        )
    ]
    return ExactCover.from_rows([[*own, *others.items()] for own, others in rows], primary, secondary, bounds)


@given(problems())
def test_all_kernels_agree_with_brute_force_in_the_same_order_and_tree(cover: ExactCover) -> None:
    python = Search(cover, kernel="python")
    found = list(python)
    assert sorted(found) == brute.covers(cover)
    assert Search(cover, kernel="python").count() == len(found)
    for name in ("lists", "bits"):
        search = Search(cover, kernel=name)
        assert list(search) == found
        assert search.nodes == python.nodes
        assert Search(cover, kernel=name).count() == len(found)


@given(problems())
def test_lists_finds_the_same_without_handing_subtrees_to_bits(cover: ExactCover) -> None:
    python = Search(cover, kernel="python")
    found = list(python)
    kernel = lists_alone(cover)
    listed = []
    while not kernel.finished:
        listed += kernel.covers(1000)
    assert listed == found
    assert kernel.nodes_visited == python.nodes
    assert lists_alone(cover).count(10**6) == len(found)


@given(problems(), st.integers(1, 3))
def test_a_kernel_continues_after_a_stop_as_if_there_had_been_none(cover: ExactCover, budget: int) -> None:
    from puzzlec.engine.kernels.bits import BitsKernel
    from puzzlec.engine.kernels.lists import ListsKernel
    from puzzlec.engine.kernels.python import PythonKernel

    whole = list(Search(cover, kernel="python"))
    kernels: list[Kernel] = [kind(cover.arrays) for kind in (PythonKernel, ListsKernel, BitsKernel)]
    for kernel in (*kernels, lists_alone(cover)):
        found = []
        while not kernel.finished:
            found += kernel.covers(budget)
        assert found == whole


@pytest.mark.parametrize("name", ["lists", "bits"])
def test_covers_that_do_not_fit_the_buffer_are_not_lost(name: str) -> None:
    from puzzlec.engine.kernels.bits import BitsKernel
    from puzzlec.engine.kernels.lists import ListsKernel

    rows = [[item] for item in range(12) for _ in range(2)]  # 2 to the 12 covers of 12 options
    cover = ExactCover.from_rows(rows, 12)
    kind = ListsKernel if name == "lists" else BitsKernel
    kernel = kind(cover.arrays)
    kernel.buffer = kernel.buffer[:40]
    found = []
    while not kernel.finished:
        found += kernel.covers(10**9)
    assert len(found) == len(set(found)) == 2**12
    assert found == sorted(found)


def test_the_example_of_taocp_has_its_two_covers() -> None:
    # Items A B C D; options Q=A, R=AB, P=BD, S=C, T=CD; covers {P,Q,S} and {R,T}.
    cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], 4, option_names="QRPST")
    assert [{cover.option_name(o) for o in found} for found in Search(cover)] == [{"P", "Q", "S"}, {"R", "T"}]


def test_a_problem_without_items_has_one_cover_and_an_impossible_one_none() -> None:
    for kernel in ("python", "lists", "bits"):
        assert list(Search(ExactCover.from_rows([], 0), kernel=kernel)) == [()]
        assert list(Search(ExactCover.from_rows([[0]], 2), kernel=kernel)) == []


@pytest.mark.parametrize(("n", "number"), [(4, 2), (6, 4), (8, 92)])
def test_queens_are_counted_with_secondary_diagonals(n: int, number: int) -> None:
    rows = [[r, n + c, 2 * n + r + c, 4 * n - 1 + r - c + n - 1] for r in range(n) for c in range(n)]
    cover = ExactCover.from_rows(rows, 2 * n, 4 * n - 2)
    assert [Search(cover, kernel=name).count() for name in ("python", "lists", "bits")] == [number] * 3
