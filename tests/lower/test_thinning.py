from __future__ import annotations

import pytest
from hypothesis import given

from puzzlec.ir import ExactCover
from puzzlec.lower.thinning import thin
from tests import brute
from tests.engine.test_reductions import tight_problems


@given(tight_problems())
def test_each_thing_found_is_true_of_all_covers(cover: ExactCover) -> None:
    found = thin(cover)
    covers = brute.covers(cover)
    assert found.lost is None or not covers
    for each in covers:
        assert not set(found.dominated) & set(each)
        for item in range(cover.primary):
            taken = sum(item in cover.row(option) for option in each)
            assert found.low[item] <= taken <= found.high[item]
    for item, other in found.equal.items():
        assert all((item in row) == (other in row) for row in map(cover.row, range(len(cover))))


def test_an_item_that_is_kept_for_another_one_s_sake_stays() -> None:
    # Each of two equal secondary items makes the other needless, but not both go.
    found = thin(ExactCover.from_rows([[0, 2, 3], [1, 2, 3], [0], [1]], primary=2, secondary=2))
    assert found.needless == [2]


def test_a_bound_that_follows_from_a_smaller_and_a_larger_item_goes() -> None:
    # Item 1 lies between 0 (at least once) and 2 (at most twice) and says 1..2 itself.
    rows = [[0, 1, 2], [0, 1, 2], [1, 2], [2], [2]]
    assert thin(ExactCover.from_rows(rows, 3, bounds=[(1, 2), (1, 2), (0, 2)])).implied == [1]
    assert thin(ExactCover.from_rows(rows, 3, bounds=[(1, 2), (2, 2), (0, 3)])).implied == []


def test_an_option_keeps_a_primary_item() -> None:
    # Items 0 and 1 demand nothing, but one of them must stay, since options have nothing else.
    found = thin(ExactCover.from_rows([[0, 1], [0], [1]], 2, bounds=[(0, 5), (0, 5)]))
    assert found.implied == []
    assert thin(ExactCover.from_rows([[0, 1], [1]], 2, bounds=[(0, 5), (0, 5)])).implied == [0]


def test_a_higher_demand_than_that_of_a_smaller_item_stays() -> None:
    rows = [[0, 1], [0, 1], [1, 2]]
    assert thin(ExactCover.from_rows(rows, 3, bounds=[(1, 2), (2, 3), (0, 1)])).implied == [2]


@pytest.mark.parametrize("bounds", [[(0, 1), (1, 2)], [(1, 2), (0, 1)]])
def test_one_of_two_equal_items_has_the_bounds_of_both(bounds: list[tuple[int, int]]) -> None:
    found = thin(ExactCover.from_rows([[0, 1], [0, 1]], 2, bounds=bounds))
    assert found.equal == {1: 0}
    assert (found.low[0], found.high[0]) == (1, 1)
    assert found.lost is None


def test_of_the_items_that_demand_nothing_enough_stay_for_each_option_to_have_one() -> None:
    assert thin(ExactCover.from_rows([[0, 1], [0, 2]], 3, bounds=[(0, 5)] * 3)).implied == [0]


def test_what_demands_nothing_and_forbids_a_second_option_is_as_good_as_secondary() -> None:
    found = thin(ExactCover.from_rows([[0, 1], [0, 1], [0, 2]], 3, bounds=[(1, 3), (0, 1), (0, 2)]))
    assert found.optional == [1]
