from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlec import compiler
from puzzlec.engine import ExactCover, Search
from puzzlec.engine.kernels.python import PythonKernel
from puzzlec.engine.search import selection
from puzzlec.engine.search.estimating import MAX_NODES, SubtreeSizes, estimate
from puzzlec.engine.search.splitting import SearchTree, split
from puzzlec.lower import symmetry
from puzzlec.solving import representatives
from puzzlec.solving.distinct import Shares
from tests.engine.test_kernels import problems


def test_a_short_search_with_slow_nodes_is_counted_by_a_compiled_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = queens(6)
    expected = [estimate(cover), estimate(cover, weigh=lambda _: 0.5)]
    assert (expected[0].exact, expected[0].solutions, expected[1].solutions) == (True, 4, 2)
    monkeypatch.setattr(selection, "experience", selection.Experience())
    monkeypatch.setattr(selection, "MAX_AUTO_SET_BYTES", 0)
    assert [estimate(cover), estimate(cover, weigh=lambda _: 0.5)] == expected
    assert selection.experience.kernels == {"bits"}


def queens(n: int) -> ExactCover:
    rows = [[r, n + c, 2 * n + r + c, 4 * n - 1 + r - c + n - 1] for r in range(n) for c in range(n)]
    return ExactCover.from_rows(rows, 2 * n, 4 * n - 2)


def searched(cover: ExactCover) -> PythonKernel:
    return PythonKernel(cover.arrays)


@settings(max_examples=60)
@given(problems(), st.integers(0, 9))
def test_probes_in_numba_are_those_in_python_and_their_mean_is_the_size_of_the_tree(
    cover: ExactCover, seed: int
) -> None:
    from puzzlec.engine.kernels.python import SimpleProbes
    from puzzlec.engine.kernels.random_probes import RandomProbes

    arrays = cover.arrays
    compiled, simple = RandomProbes(arrays, seed), SimpleProbes(arrays, seed)
    assert compiled.make(20) == simple.make(20)
    assert compiled.levels == simple.levels
    kernel = searched(cover)
    number = kernel.count(10**6)
    nodes, solutions = compiled.make(4000)
    for sample, truth in ((nodes, kernel.nodes_visited), (solutions, number)):
        mean = math.fsum(sample) / len(sample)
        deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in sample) / len(sample) ** 2)
        assert abs(mean - truth) <= 6 * deviation + 0.1 * truth
    assert len(compiled.levels) <= len(kernel.profile)


@given(problems(), st.integers(0, 9))
def test_covers_count_by_their_weights(cover: ExactCover, seed: int) -> None:
    from puzzlec.engine.kernels.python import SimpleProbes
    from puzzlec.engine.kernels.random_probes import RandomProbes

    met: list[tuple[int, ...]] = []

    def weigh(options: Sequence[int]) -> float:
        met.append(tuple(options))
        return 1 / (1 + sum(options))

    arrays = cover.arrays
    compiled = RandomProbes(arrays, seed, weigh).make(20)[1]
    assert set(met) <= {tuple(sorted(options)) for options in Search(cover)}
    assert compiled == SimpleProbes(arrays, seed, weigh).make(20)[1]
    plain = RandomProbes(arrays, seed).make(20)[1]
    weights = iter(met)
    assert compiled == [value and value * (1 / (1 + sum(next(weights)))) for value in plain]


def test_distinct_solutions_are_estimated_not_the_covers_that_represent_them() -> None:
    # 8x8 has 1,629,189 distinct tilings with dominoes.
    encoding = compiler.compile(compiler.parse("locations box 8x8\npiece D x32 { xx }"))
    chosen = representatives(encoding.cover, symmetry(encoding))
    found = estimate(chosen.searched, probes=2000, weigh=Shares(chosen))
    assert found.solutions_between[0] < 1_629_189 < found.solutions_between[1] < 2_000_000
    assert found.covers > 3 * found.solutions
    assert not found.solutions_heavy_tailed
    small = compiler.compile("dominoes/4x4")
    chosen = representatives(small.cover, symmetry(small))
    counted = estimate(chosen.searched, weigh=Shares(chosen))
    assert (counted.exact, counted.solutions) == (True, 9)


def test_covers_without_weight_count_as_covers_only() -> None:
    cover, weights = queens(10), {True: 0.0, False: 0.25}
    plain = estimate(cover, seed=1, probes=2000)
    found = estimate(cover, seed=1, probes=2000, weigh=lambda options: weights[options[0] % 2 == 0])
    assert not plain.exact
    assert found.covers == plain.solutions
    assert 0 < found.solutions < plain.solutions / 4
    assert 0 < found.hits < plain.hits
    none = estimate(cover, seed=1, probes=2000, weigh=lambda _: 0.0)
    assert (none.covers, none.solutions, none.hits) == (plain.solutions, 0, 0)


@given(problems())
def test_a_small_search_is_run_instead_of_estimated(cover: ExactCover) -> None:
    found, kernel = estimate(cover), searched(cover)
    number = kernel.count(10**6)
    assert found.exact
    assert (found.nodes, found.solutions) == (kernel.nodes_visited, number)
    assert found.nodes_between == (found.nodes, found.nodes)
    assert not found.heavy_tailed


def test_queens_on_a_board_of_ten_are_estimated_well() -> None:
    found, kernel = estimate(queens(10), seed=1), searched(queens(10))
    number = kernel.count(10**9)
    assert not found.exact
    assert found.nodes == pytest.approx(kernel.nodes_visited, rel=0.05)
    assert found.nodes_between[0] < kernel.nodes_visited < found.nodes_between[1]
    assert found.solutions_known
    assert found.solutions == pytest.approx(number, rel=0.3)
    assert not found.heavy_tailed
    assert sum(found.profile) == pytest.approx(found.nodes)
    assert found.seconds is not None
    assert found == estimate(queens(10), seed=1)
    assert found != estimate(queens(10), seed=2)


def bush(teeth: int, twigs: int) -> ExactCover:
    """A chain of choices, each of which ends at once or continues. At its end is a large tree."""
    # Secondary item i is in both options of tooth i + 1, and in that option of tooth i that ends the chain.
    rows = []
    for tooth in range(teeth):
        before = [teeth + twigs + tooth - 1] if tooth else []
        rows += [[tooth, *before], [tooth, *before, teeth + twigs + tooth]]
    rows += [[teeth + twig, *([2 * teeth + twigs - 1] if not twig else [])] for twig in range(twigs) for _ in range(3)]
    return ExactCover.from_rows(rows, teeth + twigs, teeth)


def test_a_tree_in_which_all_probes_are_alike_is_estimated_without_doubt() -> None:
    items = 40
    found = estimate(ExactCover.from_rows([[k // 2] for k in range(2 * items)], items), probes=500)
    assert (found.exact, found.solutions, found.error) == (False, 2**items, 0)
    assert found.solutions_between == (2**items, 2**items)
    assert found.nodes_between == (found.nodes, found.nodes)


def test_a_tail_that_few_probes_reach_is_reported() -> None:
    kernel = searched(bush(9, 9))
    kernel.count(10**9)
    assert kernel.nodes_visited == 2 * 9 + sum(3**k for k in range(1, 10))
    few = estimate(bush(9, 9), probes=2000)
    assert few.heavy_tailed
    assert 0 < few.hits < 20
    assert not estimate(bush(1, 9), probes=2000).heavy_tailed
    assert estimate(bush(9, 9), probes=10).nodes_between[1] == math.inf


def test_solutions_that_no_dive_reaches_are_unknown() -> None:
    found = estimate(queens(12), probes=30)
    assert found.solutions_known == (found.hits >= 10)
    assert found.hits < 10


def test_without_numba_the_estimate_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = estimate(queens(9), probes=300)
    monkeypatch.setattr(selection, "has_numba", lambda: False)
    assert estimate(queens(9), probes=300) == compiled
    assert estimate(queens(10), probes=5000).probes == 1000


def test_an_estimate_without_probes_is_refused() -> None:
    with pytest.raises(ValueError, match="`probes` must be an integer of at least 1"):
        estimate(queens(8), probes=0)


def test_trees_beyond_any_float_have_infinite_estimates() -> None:
    # Three options for each of 1,100 items: 3 to the 1,100 solutions.
    rows = [[item, 1100 + item] for item in range(1100) for _ in range(3)]
    found = estimate(ExactCover.from_rows(rows, 1100, 1100), probes=30)
    assert found.nodes > 1e300
    assert found.heavy_tailed or found.nodes_between[0] <= found.nodes <= found.nodes_between[1]


def test_a_tree_larger_than_any_number_has_a_size_that_can_be_divided() -> None:
    side = 40  # its tilings by dominoes have more than 190 digits
    cells = {(x, y): side * x + y for x in range(side) for y in range(side)}
    rows = [
        [at, cells[x + a, y + b]]
        for (x, y), at in cells.items()
        for a, b in ((0, 1), (1, 0))
        if (x + a, y + b) in cells
    ]
    tree = SearchTree(ExactCover.from_rows(rows, side * side))
    size = SubtreeSizes(tree, probes=8)
    assert size((), tree.root, 1) == MAX_NODES
    assert size.known[()][1] < MAX_NODES
    assert len(split(tree, 4, size)) == 4
