from __future__ import annotations

import pytest
from hypothesis import given

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction import dominance
from puzzlec.engine.reduction.dominance import redundant, thin
from tests import brute
from tests.engine.test_kernels import problems
from tests.engine.test_reductions import tight_problems


@given(tight_problems())
def test_every_finding_holds_for_all_covers(cover: ExactCover) -> None:
    found = thin(cover)
    covers = brute.covers(cover)
    assert found.lost is None or not covers
    for chosen in covers:
        assert not set(found.dominated) & set(chosen)
        for item in range(cover.primary):
            taken = sum(item in cover.row(option) for option in chosen)
            assert found.low[item] <= taken <= found.high[item]
    for item, other in found.equal.items():
        assert all((item in row) == (other in row) for row in map(cover.row, range(len(cover))))


def test_an_item_that_another_one_relies_on_stays() -> None:
    # Each of two equal secondary items makes the other needless, but not both go.
    found = thin(ExactCover.from_rows([[0, 2, 3], [1, 2, 3], [0], [1]], primary=2, secondary=2))
    assert found.needless == [2]


def test_an_item_whose_bounds_follow_from_a_smaller_and_a_larger_item_is_removed() -> None:
    # Item 1 is between 0 (at least once) and 2 (at most twice) and has the bounds 1..2.
    rows = [[0, 1, 2], [0, 1, 2], [1, 2], [2], [2]]
    assert thin(ExactCover.from_rows(rows, 3, bounds=[(1, 2), (1, 2), (0, 2)])).implied == [1]
    assert thin(ExactCover.from_rows(rows, 3, bounds=[(1, 2), (2, 2), (0, 3)])).implied == []


def test_every_option_keeps_at_least_one_primary_item() -> None:
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


def test_equal_items_of_which_one_needs_more_than_the_other_may_have_are_lost() -> None:
    assert thin(ExactCover.from_rows([[0, 1], [0, 1]], 2, bounds=[(0, 1), (2, 2)])).lost == 0


def test_an_item_that_needs_all_of_another_one_excludes_the_other_options() -> None:
    # All options of item 0 have item 2, which is secondary: it may be in one.
    rows = [[0, 2], [0, 2], [1, 2], [1]]
    assert thin(ExactCover.from_rows(rows, 2, 1)).dominated == {2: 0}
    assert thin(ExactCover.from_rows(rows, 2, 1, bounds=[(0, 1), (1, 1)])).dominated == {}
    assert thin(ExactCover.from_rows(rows, 2, 1, bounds=[(2, 2), (1, 1)])).lost == 0
    # For a primary item it depends on its bounds. For an item with colours there is no such rule.
    primary = [[0, 2], [0, 2], [1, 2], [1]]
    assert thin(ExactCover.from_rows(primary, 3, bounds=[(2, 2), (1, 1), (1, 2)])).dominated == {2: 0}
    assert thin(ExactCover.from_rows(primary, 3, bounds=[(2, 2), (1, 1), (1, 3)])).dominated == {}
    assert thin(ExactCover.from_rows([[0, (2, 1)], [0, (2, 1)], [1, (2, 1)], [1]], 2, 1)).dominated == {}


def test_enough_items_without_demands_stay_for_each_option_to_have_one() -> None:
    assert thin(ExactCover.from_rows([[0, 1], [0, 2]], 3, bounds=[(0, 5)] * 3)).implied == [0]


def test_an_item_that_only_forbids_a_second_option_becomes_secondary() -> None:
    found = thin(ExactCover.from_rows([[0, 1], [0, 1], [0, 2]], 3, bounds=[(1, 3), (0, 1), (0, 2)]))
    assert found.optional == [1]


def test_a_secondary_item_stays_if_the_item_beside_it_may_be_taken_twice() -> None:
    rows = [[0, 1], [0, 1]]
    assert thin(ExactCover.from_rows(rows, 1, 1)).needless == [1]
    assert thin(ExactCover.from_rows(rows, 1, 1, bounds=[(1, 2)])).needless == []


def test_options_that_give_an_item_no_colour_do_not_agree_on_it() -> None:
    # Only item 2 separates options 0 and 1. Other options that colour item 3 do not matter.
    rows: list[list[int | tuple[int, int]]] = [[0, 2], [1, 2], [0, (3, 1)], [1, (3, 2)]]
    assert thin(ExactCover.from_rows(rows, 2, 2)).needless == []
    rows[3] = [1, (3, 1)]
    assert thin(ExactCover.from_rows(rows, 2, 2)).needless == [3], "one colour is no reason to keep options apart"


def test_the_limit_of_pairs_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two secondary items of two options each: four pairs.
    cover = ExactCover.from_rows([[0, 1, 2], [0, 1, 2]], 1, 2)
    for pairs, needless in [(1, []), (2, [1]), (3, [1]), (4, [1, 2])]:
        monkeypatch.setattr(dominance, "MAX_PAIRS", pairs)
        assert thin(cover).needless == needless


def test_only_items_with_bounds_0_to_1_become_secondary() -> None:
    rows = [[0, 1], [1, 2], [2, 0]]
    assert thin(ExactCover.from_rows(rows, 3)).optional == []
    assert thin(ExactCover.from_rows(rows, 3, bounds=[(1, 1), (0, 1), (1, 1)])).optional == [1]


def test_a_secondary_item_of_one_option_forbids_nothing_whatever_is_beside_it() -> None:
    assert thin(ExactCover.from_rows([[0, 1], [0]], 1, 1, bounds=[(1, 2)])).needless == [1]


def test_other_rules_wait_until_impossible_options_are_gone() -> None:
    rows = [[0, 1, 2], [0, 1, 2], [1]]
    found = thin(ExactCover.from_rows(rows, 2, 1))
    assert (found.dominated, found.implied, found.needless, found.optional) == ({2: 0}, [], [], [])
    again = thin(ExactCover.from_rows(rows[:2], 2, 1))
    assert (again.equal, again.needless) == ({1: 0}, [2])


def test_the_ends_of_a_chain_of_items_imply_those_between() -> None:
    # Each item has the options of the items before it. The first demands most, and the last allows least.
    rows = [[0, 1, 2, 3], [0, 1, 2, 3], [1, 2, 3], [2, 3], [3]]
    found = thin(ExactCover.from_rows(rows, 4, bounds=[(1, 4), (1, 4), (1, 4), (0, 3)]))
    assert found.implied == [1, 2]


def test_colours_of_one_item_do_not_matter_for_the_others() -> None:
    rows: list[list[int | tuple[int, int]]] = [[0, 2], [0, 2], [1, 2], [1, (3, 1)]]
    assert thin(ExactCover.from_rows(rows, 2, 2)).dominated == {2: 0}


def test_items_without_options_are_not_merged() -> None:
    found = thin(ExactCover.from_rows([[0]], 3, bounds=[(1, 1), (0, 1), (1, 1)]))
    assert (found.equal, found.low, found.high) == ({}, [1, 0, 1], [1, 1, 1])


def test_items_with_the_same_options_and_bounds_are_a_group() -> None:
    cover = ExactCover.from_rows([[0, 1, 2], [3], [0, 1, 2]], primary=4, bounds=[(1, 1), (1, 1), (1, 2), (1, 1)])
    assert redundant(cover).items == ((0, 1),)
    assert redundant(cover).options == ((0, 2),)


def test_options_that_colour_differently_are_not_equal() -> None:
    cover = ExactCover.from_rows([[0, (1, 1)], [0, (1, 2)]], primary=1, secondary=1)
    assert redundant(cover).options == ()


def test_an_item_is_idle_when_nothing_can_break_its_bounds() -> None:
    rows = [[0, 1, 2], [0, 2]]
    assert redundant(ExactCover.from_rows(rows, primary=1, secondary=2)).idle == (1,)
    assert redundant(ExactCover.from_rows(rows, primary=3, bounds=[(1, 1), (0, 1), (0, 2)])).idle == (1, 2)


def test_an_item_with_a_demand_is_not_idle_even_if_all_its_options_may_be_taken() -> None:
    assert redundant(ExactCover.from_rows([[0], [0]], primary=1, bounds=[(1, 2)])).idle == ()


@given(problems())
def test_the_same_is_redundant_and_every_item_has_the_same_options(problem: ExactCover) -> None:
    plain = redundant(problem)
    having = list(map(list, problem.options_of_items()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlec.engine.problem.MIN_ENTRIES_OF_NUMPY", 1)
        if len(problem.items):
            assert redundant(problem) == plain
            assert [list(map(int, options)) for options in problem.options_of_items()] == having
