from __future__ import annotations

import pytest

from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.engine.progress import expected, fraction_done
from puzzlec.engine.search import selection
from puzzlec.engine.search.selection import KernelName


def squares(n: int) -> ExactCover:
    """Latin squares of order n: 161280 of them for n = 5."""
    rows = [
        [i * n + j, n * n + i * n + v, 2 * n * n + j * n + v]
        for i in range(n) for j in range(n) for v in range(n)
    ]  # fmt: skip
    return ExactCover.from_rows(rows, 3 * n * n)


def test_latin_squares_of_order_4_and_5_are_counted() -> None:
    assert Search(squares(4)).count() == 576
    assert Search(squares(5)).count() == 161280


def test_a_limit_of_solutions_stops_at_once_and_is_reported() -> None:
    search = Search(squares(5), limits=Limits(solutions=7))
    assert len(list(search)) == search.solutions == 7
    assert search.stopped is Stop.SOLUTIONS


def test_a_limit_of_nodes_is_kept_to_the_node() -> None:
    for kernel in ("python", "lists", "bits", "auto"):
        search = Search(squares(5), limits=Limits(nodes=1000), kernel=kernel)
        search.count()
        assert search.nodes == 1000
        assert search.stopped is Stop.NODES
        now = search.progress()
        assert 0 < now.fraction < 1
        assert now.left is None  # it does not continue


def test_a_limit_of_time_stops_a_search_that_would_take_long() -> None:
    for kernel in ("python", "lists", "bits"):
        search = Search(squares(8), limits=Limits(seconds=0.2), kernel=kernel)
        search.count()
        assert search.stopped is Stop.SECONDS


def test_a_finished_search_is_not_stopped() -> None:
    search = Search(squares(3), limits=Limits(solutions=1000, nodes=10**6, seconds=100))
    assert search.count() == 12
    assert search.stopped is None


def test_changing_the_kernel_during_a_search_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = list(Search(squares(4), kernel="python"))
    for patience in (0, 10, 300):
        monkeypatch.setattr(selection, "NODES_BEFORE_NUMBA", patience)
        assert list(Search(squares(4))) == alone
        assert Search(squares(4)).count() == 576


def test_a_search_can_be_left_and_another_one_begun() -> None:
    search = iter(Search(squares(5)))
    first = [next(search) for _ in range(3)]
    assert [cover for cover, _ in zip(Search(squares(5)), range(3), strict=False)] == first


def test_without_numba_the_python_kernel_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "NODES_BEFORE_NUMBA", 10)
    monkeypatch.setattr(selection, "has_numba", lambda: False)
    assert Search(squares(4)).count() == 576


def test_an_unknown_kernel_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="unknown kernel 'quantum': expected one of auto, python, lists, bits"):
        Search(squares(3), kernel="quantum")  # type: ignore[arg-type]


def test_mistaken_limits_and_threads_are_refused_with_a_reason() -> None:
    with pytest.raises(TypeError, match="`limits` must be of type Limits, not int"):
        Search(squares(3), limits=5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`threads` must be an integer, 0 for one per processor, not '2'"):
        Search(squares(3), threads="2")  # type: ignore[arg-type]
    for limits, reason in (
        ({"nodes": 1e6}, "`nodes` must be an integer of at least 0, not 1000000.0"),
        ({"solutions": "3"}, "`solutions` must be an integer of at least 0, not '3'"),
        ({"seconds": "3"}, "`seconds` must be a number, not '3'"),
        ({"seconds": float("nan")}, "`seconds` must be a number, not nan"),
    ):
        with pytest.raises(ValueError, match=reason):
            Limits(**limits)


def test_integers_of_numpy_are_integers() -> None:
    np = pytest.importorskip("numpy")
    assert Limits(solutions=np.int64(3)) == Limits(solutions=3)
    assert Search(squares(3), threads=np.int32(2)).threads == 2


def test_a_search_prints_its_numbers_and_its_end() -> None:
    search = Search(squares(3))
    assert repr(search) == "<Search: 0 covers in 0 nodes, not complete>"
    search.count()
    assert repr(search) == f"<Search: 12 covers in {search.nodes} nodes, complete>"
    limited = Search(squares(3), limits=Limits(solutions=2))
    limited.count()
    assert repr(limited).endswith(", stopped at the limit of solutions>")


def test_a_search_with_slow_nodes_begins_in_a_compiled_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "experience", selection.Experience())
    for items, kernel in ((100, "python"), (6000, "bits")):  # 3,000 options: 6,000 sets of 375 bytes
        search = Search(ExactCover.from_rows([[item, item + 1] for item in range(0, items, 2)], items))
        assert (search.count(), search.choice.kernel) == (1, kernel)


@pytest.mark.parametrize(
    ("rows", "primary", "secondary", "reason"),
    [
        ([[0, 0]], 1, 0, "twice"),
        ([[1]], 1, 1, "no primary item"),
        ([[2]], 1, 1, "out of range"),
        ([[(0, 1)]], 1, 0, "gives the primary item 0 a colour"),
    ],
)
def test_an_invalid_exact_cover_is_refused(rows: list[list[int]], primary: int, secondary: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ExactCover.from_rows(rows, primary, secondary)


def test_progress_grows_up_to_the_whole() -> None:
    search = Search(squares(5))
    seen = [search.progress()]
    for number, _ in enumerate(search):
        if number % 10000 == 0:
            seen.append(search.progress())
            assert seen[-1].solutions == number + 1
            assert seen[-1].rate > 0
    done = search.progress()
    assert (done.fraction, done.solutions, done.nodes, done.left) == (1.0, 161280, search.nodes, 0.0)
    assert [progress.seconds for progress in seen] == sorted(progress.seconds for progress in seen)
    assert all(0 <= progress.fraction <= 1 for progress in seen)
    assert len({progress.fraction for progress in seen}) > 5


def test_the_progress_of_a_listing_counts_the_covers_that_you_have_seen() -> None:
    search = Search(squares(4))
    for number, _ in enumerate(search, 1):
        assert search.progress().solutions == number


def test_a_position_is_a_number_in_a_mixed_radix() -> None:
    assert fraction_done([]) == 0
    assert fraction_done([(2, 4), (1, 2), (3, 5)]) == pytest.approx(2 / 4 + 1 / 8 + 3 / 40)
    assert expected(0.25, 10) == pytest.approx(30)
    assert expected(0, 10) is None


@pytest.mark.parametrize("kernel", ["auto", "python", "lists", "bits"])
def test_the_profile_counts_the_nodes_of_each_level(kernel: KernelName) -> None:
    search = Search(squares(4), kernel=kernel)
    assert search.profile == []
    search.count()
    assert sum(search.profile) == search.nodes
    assert search.profile[:2] == [4, 12]  # the first row is filled, value by value


def test_a_search_is_complete_only_after_the_last_cover() -> None:
    rows = [[0], [0], [0]]
    limited = Search(ExactCover.from_rows(rows, 1), limits=Limits(solutions=1))
    assert (limited.count(), limited.complete) == (1, False)
    left = Search(ExactCover.from_rows(rows, 1))
    next(iter(left))
    assert not left.complete
    whole = Search(ExactCover.from_rows(rows, 1))
    assert (len(list(whole)), whole.complete) == (3, True)


def test_a_limit_of_nodes_within_the_patience_needs_no_other_kernel() -> None:
    search = Search(squares(5), limits=Limits(nodes=selection.NODES_BEFORE_NUMBA))
    search.count()
    assert (search.nodes, search.stopped) == (selection.NODES_BEFORE_NUMBA, Stop.NODES)


@pytest.mark.parametrize("limit", ["solutions", "seconds", "nodes"])
def test_a_negative_limit_is_refused(limit: str) -> None:
    with pytest.raises(ValueError, match=f"`{limit}` must .*-1"):
        Limits(**{limit: -1})
