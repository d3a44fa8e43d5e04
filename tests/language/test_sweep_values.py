from __future__ import annotations

from itertools import product

import pytest

from puzzlec import PuzzleError
from puzzlec.language.sweeps import combinations


def values(*texts: str, where: str = "") -> list[tuple[int, ...]]:
    return [tuple(row.values()) for row in combinations(texts, where)]


def codes(*texts: str) -> list[tuple[str, int]]:
    """The codes of the errors in texts, each with its line."""
    with pytest.raises(PuzzleError) as caught:
        combinations(texts)
    found = caught.value.diagnostics
    return [
        (diagnostic.code, diagnostic.span.source.position(diagnostic.span.start)[0] if diagnostic.span else 0)
        for diagnostic in found
    ]


def test_numbers_and_ranges_are_listed_in_their_order() -> None:
    assert values("n=3..6") == [(3,), (4,), (5,), (6,)]
    assert values("n= 9, 3..4 ,-2..0") == [(9,), (3,), (4,), (-2,), (-1,), (0,)]


def test_several_parameters_give_all_combinations_and_the_last_changes_fastest() -> None:
    assert values("a=1..3", "b=7,5", "c=0..1") == list(product((1, 2, 3), (7, 5), (0, 1)))


def test_a_range_may_use_the_parameters_before_it() -> None:
    assert values("n=1..3", "m=n+1..2*n") == [(n, m) for n in (1, 2, 3) for m in range(n + 1, 2 * n + 1)]
    assert values("n=min(4, 2), max(1, (3))") == [(2,), (3,)]


def test_all_conditions_must_hold() -> None:
    expected = [(a, b) for a, b in product(range(1, 10), repeat=2) if a < b and a % 2 == 0 and a + b > 12]
    assert values("a=1..9 where a < b", "b=1..9 where a % 2 == 0", where="a + b > 12") == expected


def test_errors_name_the_text_that_has_them() -> None:
    assert codes("n=1..2", "m=1..k") == [("PZ326", 2)]
    assert codes("n=1..2", "m=") == [("PZ101", 2)]
    assert codes("3..5") == [("PZ101", 1)]
    assert codes("n=1..2..9") == [("PZ101", 1)]
    assert codes("n=1", "n=2..3") == [("PZ330", 2)]
    assert codes("n=1..3 where n") == [("PZ328", 1)]
    assert codes("n=1..9//0") == [("PZ327", 1)]
    assert codes("n=1..99999999999") == [("PZ321", 1)]


def test_a_sweep_without_values_is_an_error() -> None:
    assert codes("n=6..3") == codes("n=1..3 where n > 3") == [("PZ359", 1)]


def test_a_sweep_of_a_million_values_is_refused_at_once() -> None:
    assert codes("n=1..1000000") == [("PZ355", 1)]
    assert codes("n=1..2000", "m=1..2000 where n == m") == [("PZ355", 2)]
