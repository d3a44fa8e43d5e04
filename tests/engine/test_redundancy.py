from __future__ import annotations

import pytest
from hypothesis import given

from puzzlec.engine import problem as cover
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.dominance import redundant
from tests.engine.test_kernels import problems


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
        patch.setattr(cover, "LARGE", 1)
        if len(problem.items):
            assert redundant(problem) == plain
            assert [list(map(int, options)) for options in problem.options_of_items()] == having
