from __future__ import annotations

import pytest

from puzzlec.engine import ExactCover, Limits, Search, Stop
from puzzlec.engine import selection


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


def test_a_limit_of_solutions_stops_at_once_and_says_so() -> None:
    search = Search(squares(5), Limits(solutions=7))
    assert len(list(search)) == search.solutions == 7
    assert search.stopped is Stop.SOLUTIONS


def test_a_limit_of_nodes_is_kept_to_the_node() -> None:
    for kernel in ("python", "links", "bits", "auto"):
        search = Search(squares(5), Limits(nodes=1000), kernel)
        search.count()
        assert search.nodes == 1000
        assert search.stopped is Stop.NODES


def test_a_limit_of_time_stops_a_search_that_would_take_long() -> None:
    for kernel in ("python", "links", "bits"):
        search = Search(squares(8), Limits(seconds=0.2), kernel)
        search.count()
        assert search.stopped is Stop.SECONDS


def test_a_finished_search_is_not_stopped() -> None:
    search = Search(squares(3), Limits(solutions=1000, nodes=10**6, seconds=100))
    assert search.count() == 12
    assert search.stopped is None


def test_changing_the_kernel_on_the_way_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = list(Search(squares(4), kernel="python"))
    for patience in (0, 10, 300):
        monkeypatch.setattr(selection, "PATIENCE", patience)
        assert list(Search(squares(4))) == alone
        assert Search(squares(4)).count() == 576


def test_a_search_can_be_left_and_another_one_begun() -> None:
    search = iter(Search(squares(5)))
    first = [next(search) for _ in range(3)]
    assert [cover for cover, _ in zip(Search(squares(5)), range(3), strict=False)] == first


def test_without_numba_the_python_kernel_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "PATIENCE", 10)
    monkeypatch.setattr(selection, "has_numba", lambda: False)
    assert Search(squares(4)).count() == 576


def test_an_unknown_kernel_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="kernel"):
        Search(squares(3), kernel="quantum")


@pytest.mark.parametrize(
    ("rows", "primary", "secondary", "reason"),
    [
        ([[0, 0]], 1, 0, "twice"),
        ([[1]], 1, 1, "no primary item"),
        ([[2]], 1, 1, "out of range"),
        ([[(0, 1)]], 1, 0, "primary item has a colour"),
    ],
)
def test_what_is_no_exact_cover_is_refused(rows: list[list[int]], primary: int, secondary: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ExactCover.from_rows(rows, primary, secondary)
