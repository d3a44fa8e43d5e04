"""Random puzzles, many ways to count their solutions, one number."""

from __future__ import annotations

import pytest

from tests.differential.tally import RUN, tally

#: Numbers of problems in every run and in the nightly run, and the problems of one test.
FEW, FEW_AT_ONCE = 1_200, 100
MANY, MANY_AT_ONCE = 100_000, 1_000


def agree(first: int, number: int, light: bool) -> None:
    found, faults = tally(range(first, first + number), light)
    assert not faults, "\n\n".join(faults)
    compared, refused = sum(found["families"].values()), sum(found["refused"].values())
    assert compared + refused == number
    assert refused <= number // 10, "a generator of puzzles that are refused compares nothing"
    assert min(found["solutions"]["some"], found["solutions"]["none"]) >= number // 5, (
        "both solvable and impossible puzzles are needed"
    )
    assert found["comparisons"]["kernel bits"] == compared


@pytest.mark.parametrize("first", range(0, FEW, FEW_AT_ONCE))
@pytest.mark.long
def test_all_ways_to_count_agree_with_brute_force(first: int) -> None:
    agree(first, FEW_AT_ONCE, light=True)


@pytest.mark.nightly
@pytest.mark.timeout(0)
@pytest.mark.parametrize("first", range(RUN, RUN + MANY, MANY_AT_ONCE))
def test_all_ways_to_count_agree_on_a_hundred_thousand_puzzles(first: int) -> None:
    agree(first, MANY_AT_ONCE, light=False)
