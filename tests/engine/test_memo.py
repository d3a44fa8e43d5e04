from __future__ import annotations

import random
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.engine import ExactCover, Search
from puzzlec.engine.arrays import Arrays
from puzzlec.engine.kernels.memo import MemoKernel
from puzzlec.engine.kernels.spec import NONE, ONCE, Node, Tree, branching_degree
from tests import brute
from tests.engine.test_kernels import problems


def memo(cover: ExactCover, **choices: Any) -> MemoKernel:
    return MemoKernel(cover.arrays, **choices)


def searched(cover: ExactCover, budget: int = 1 << 20, **choices: Any) -> MemoKernel:
    kernel = memo(cover, **choices)
    while not (kernel.finished or kernel.too_large):
        kernel.advance(budget)
    return kernel


def dominoes(rows: int, columns: int) -> ExactCover:
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    pairs = [[(i, j), (i + di, j + dj)] for i, j in cells for di, dj in ((0, 1), (1, 0))]
    return ExactCover.from_rows([[i * columns + j for i, j in pair] for pair in pairs if pair[1] in cells], len(cells))


def ways_down(kernel: MemoKernel) -> list[tuple[int, ...]]:
    """Every way through a diagram, by recursion."""
    starts, options, children, root = kernel.branches()

    def below(node: int) -> list[list[int]]:
        if node < 2:
            return [[]] * node
        branches = range(int(starts[node]), int(starts[node + 1]))
        return [[int(options[j]), *rest] for j in branches for rest in below(int(children[j]))]

    return [tuple(sorted(option for option in way if option >= 0)) for way in below(root)]


def busy_problem(seed: int) -> ExactCover:
    """A problem larger than brute force allows, with many repeated subproblems."""
    draw = random.Random(seed)
    primary, secondary = draw.randint(4, 8), draw.randint(0, 4)
    rows = []
    for _ in range(draw.randint(12, 24)):
        own: list[int | tuple[int, int]] = list(draw.sample(range(primary), draw.randint(1, 3)))
        own += [(item, draw.randint(0, 2)) for item in range(primary, primary + secondary) if draw.random() < 0.3]
        rows.append(own)
    lows = [draw.choice([0, 1, 1, 1, 2, 3]) for _ in range(primary)]
    return ExactCover.from_rows(rows, primary, secondary, [(low, low + draw.choice([0, 0, 0, 1, 4])) for low in lows])


@given(problems(), st.sampled_from(["mrv", "sweep"]), st.integers(1, 4))
def test_count_and_diagram_agree_with_brute_force_for_any_slices_of_the_search(
    cover: ExactCover, order: str, budget: int
) -> None:
    expected = brute.covers(cover)
    assert searched(cover, budget, order=order).total() == len(expected)
    kernel = searched(cover, budget, order=order, diagram=True)
    assert sorted(ways_down(kernel)) == expected
    assert kernel.total() == len(expected)


def plain_memo(cover: ExactCover, sweep: bool) -> tuple[int, int]:
    """Count covers by the specification of the tree, each subproblem once. Return their number and that of the nodes.

    The key of a subproblem has four parts: the options that are still possible, the options that fit (including the
    excluded ones), the open items, and their bounds. The upper bound of an item is at most its number of possible
    options, from the start. Options that fit are excluded only if items have bounds other than 1..1.
    """
    tree, nodes = Tree(cover.arrays), 0
    root = tree.root()
    bounds = {
        item: (low, min(high, max(tree.options_of[item].bit_count(), low))) for item, (low, high) in root.bounds.items()
    }
    active = tuple(item for item in root.active if bounds.get(item, ONCE)[1])
    root = Node(root.alive, active, {item: bound for item, bound in bounds.items() if bound not in (ONCE, (0, 0))})
    counted = frozenset(root.bounds)
    known: dict[object, int] = {}

    def left(node: Node, item: int) -> int:
        return (node.alive & tree.options_of[item]).bit_count()

    def low(node: Node, item: int) -> int:
        return node.bounds.get(item, ONCE)[0]

    def degree(node: Node, item: int) -> int:
        return branching_degree(left(node, item), low(node, item))

    def number(node: Node, fits: int) -> int:
        nonlocal nodes
        for item in counted.intersection(node.active):
            if low(node, item) == 0 and not left(node, item):
                node, fits = tree.close(node, item), fits & ~tree.options_of[item]
        if not node.active:
            return 1
        if not all(degree(node, item) for item in node.active):
            return 0
        # In this tree, unlike in a search, an item that needs nothing does not wait.
        item = min(node.active, key=lambda item: (item in counted if sweep else degree(node, item), item))
        bounds = [
            (low(node, item), min(node.bounds[item][1], left(node, item))) for item in node.active if item in counted
        ]
        key = node.alive, node.active, (fits, *bounds) if counted else ()
        if key not in known:
            known[key] = 0
            option = tree.next_option(node, item)
            while option is not None:
                nodes += 1
                if option == NONE:
                    known[key] += number(tree.close(node, item), fits & ~tree.options_of[item])
                    break
                tree.exclude(node, option)
                fitting = tree.take(Node(fits, node.active, node.bounds), option).alive
                known[key] += number(tree.take(node, option), fitting)
                option = tree.next_option(node, item)
        return known[key]

    return number(root, root.alive), nodes


@given(problems(), st.sampled_from(["mrv", "sweep"]))
def test_every_node_is_that_of_the_specification(cover: ExactCover, order: str) -> None:
    kernel = searched(cover, order=order)
    assert (kernel.total(), kernel.nodes_visited) == plain_memo(cover, order == "sweep")


@pytest.mark.parametrize("seed", range(60))
def test_busy_problems_have_the_nodes_of_the_specification(seed: int) -> None:
    for order in ("mrv", "sweep"):
        kernel = searched(busy_problem(seed), order=order)
        assert (kernel.total(), kernel.nodes_visited) == plain_memo(busy_problem(seed), order == "sweep")


@pytest.mark.long
@pytest.mark.parametrize("order", ["mrv", "sweep"])
def test_larger_problems_with_bounds_and_colours_have_the_covers_that_a_search_finds(order: str) -> None:
    met = 0
    for seed in range(150):
        cover = busy_problem(seed)
        expected = sorted(Search(cover, kernel="python"))
        met += len(expected)
        assert searched(cover, order=order).total() == len(expected)
        assert sorted(ways_down(searched(cover, order=order, diagram=True))) == expected
    assert met > 1000


def test_a_repeated_option_with_bounds_of_its_item_is_not_taken_for_another_subproblem() -> None:
    # Any two of six equal options: what was passed over or taken must be in the key.
    for low, high, number in ((2, 2, 15), (0, 6, 64), (1, 2, 21), (3, 9, 42)):
        cover = ExactCover.from_rows([[0]] * 6, 1, 0, [(low, high)])
        for order in ("mrv", "sweep"):
            assert searched(cover, order=order).total() == number
            assert len(set(ways_down(searched(cover, order=order, diagram=True)))) == number


@pytest.mark.parametrize("order", ["mrv", "sweep"])
def test_dominoes_are_counted_exactly_beyond_a_word(order: str) -> None:
    # OEIS A004003: domino tilings of the square of side 2n
    assert searched(dominoes(8, 8), order=order).total() == 12988816
    assert searched(dominoes(12, 12), order=order).total() == 53060477521960000


def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@pytest.mark.parametrize("order", ["mrv", "sweep"])
def test_counts_of_two_three_and_more_words_are_exact(order: str) -> None:
    # A strip of 2 x n has as many domino tilings as Fibonacci's number n + 1; 4 x n: OEIS A005178.
    for n in (92, 93, 200, 450):
        number = fibonacci(n + 1)
        assert searched(dominoes(n, 2), order=order).total() == number
        assert searched(dominoes(n, 2), order=order, diagram=True).total() == number
    assert fibonacci(451) > 1 << 256


def test_a_count_widens_if_the_sum_just_overflows() -> None:
    # k independent items of two options each: 2 to the k
    for k in (63, 64, 65, 127, 128, 129):
        cover = ExactCover.from_rows([[item] for item in range(k) for _ in range(2)], k)
        assert searched(cover).total() == 2**k


@pytest.mark.parametrize("order", ["mrv", "sweep"])
def test_a_full_table_forgets_states_but_counts_correctly(order: str) -> None:
    whole = searched(dominoes(10, 10), order=order)
    small = searched(dominoes(10, 10), order=order, memory=1)
    assert whole.total() == small.total() == 258584046368
    assert small.entries < whole.entries
    assert small.nodes_visited > whole.nodes_visited
    bounded = busy_problem(11)
    assert searched(bounded, order=order, memory=1).total() == searched(bounded, order=order).total()


def test_a_full_table_of_wide_counts_is_emptied() -> None:
    cover = dominoes(30, 8)
    whole = searched(cover)
    small = searched(cover, memory=whole.bytes // 3)
    assert small.total() == whole.total() > 1 << 64
    assert small.bytes < whole.bytes


def test_a_diagram_that_does_not_fit_reports_it_and_continues_with_more_memory() -> None:
    kernel = searched(dominoes(10, 10), diagram=True, memory=100_000)
    assert kernel.too_large
    assert not kernel.finished
    assert kernel.bytes <= 100_000
    kernel.memory, kernel.too_large = 1 << 30, False
    kernel.advance(1 << 30)
    assert kernel.total() == 258584046368


def test_the_position_runs_from_nothing_to_all() -> None:
    kernel = memo(dominoes(6, 6))
    shares = []
    while not kernel.finished:
        kernel.advance(7)
        share, part = 0.0, 1.0
        for tried, degree in kernel.position():
            assert 0 <= tried <= degree
            part /= degree
            share += tried * part
        shares.append(share)
    assert shares[:-1] == sorted(shares[:-1])
    assert shares[-2] > 0.5


def test_partial_totals_are_the_covers_found_so_far() -> None:
    cover = dominoes(6, 6)
    kernel, before = memo(cover), 0
    while not kernel.finished:
        kernel.advance(5)
        assert before <= kernel.total() <= 6728
        before = kernel.total()
    assert before == 6728


def test_a_problem_without_items_has_one_cover_and_an_impossible_one_none() -> None:
    for making in (False, True):
        assert searched(ExactCover.from_rows([], 0), diagram=making).total() == 1
        assert searched(ExactCover.from_rows([], 2, 0, [(0, 1), (0, 0)]), diagram=making).total() == 1
        assert searched(ExactCover.from_rows([[0]], 2), diagram=making).total() == 0


def test_options_without_primary_items_and_unknown_orders_are_refused() -> None:
    once = array("i", [1])
    with pytest.raises(ValueError, match="no primary item"):
        MemoKernel(Arrays(1, once, once, 1, array("i", [0, 1, 2]), array("i", [0, 1]), array("i", [0, 0])))
    with pytest.raises(ValueError, match="unknown order 'best'"):
        memo(dominoes(2, 2), order="best")
    with pytest.raises(ValueError, match="no finished diagram"):
        memo(dominoes(2, 2), diagram=True).branches()
