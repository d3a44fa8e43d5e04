from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given

import puzzlec.engine
from puzzlec.engine import ExactCover, Limits, count, first, is_unique, solve
from tests import brute
from tests.engine.test_kernels import problems


@given(problems())
def test_one_call_gives_what_brute_force_finds(cover: ExactCover) -> None:
    expected = brute.covers(cover)
    found = list(solve(cover))
    assert sorted(found) == expected
    assert count(cover) == len(expected)
    assert count(cover, limit=2) == min(2, len(expected))
    assert first(cover) == (found[0] if found else None)
    assert is_unique(cover) is (len(expected) == 1)


def test_covers_are_the_names_of_their_options() -> None:
    cover = ExactCover.from_names(["p", "q"], {"a": ["p"], "b": ["q"], "c": ["p", "q"]})
    assert list(solve(cover)) == [("a", "b"), ("c",)]
    assert first(cover.subset([2])) == ("c",)


def test_the_first_of_very_many_covers_come_immediately() -> None:
    cover = ExactCover.from_sets([{item} for item in range(200) for _ in range(2)])  # 2 to the 200 covers
    assert [found[-1] for found in islice(solve(cover), 3)] == [398, 399, 398]
    assert count(cover, limit=5000) == 5000
    assert not is_unique(cover)
    assert len(list(solve(cover, limits=Limits(solutions=7)))) == 7


@pytest.mark.parametrize("options", [{"kernel": "lists"}, {"kernel": "python"}, {"threads": 2}])
def test_kernel_and_threads_change_no_answer(options: Any) -> None:
    cover = ExactCover.from_sets([{r, 8 + c} for r in range(7) for c in range(7) if (r - c) % 3])
    assert list(solve(cover, **options)) == list(solve(cover))
    assert count(cover, **options) == count(cover)


def test_every_name_of_the_engine_is_there_and_no_other() -> None:
    for name in puzzlec.engine.__all__:
        assert getattr(puzzlec.engine, name).__name__ == name
        assert name in dir(puzzlec.engine)
    with pytest.raises(AttributeError, match="nothing_such"):
        puzzlec.engine.nothing_such  # noqa: B018
