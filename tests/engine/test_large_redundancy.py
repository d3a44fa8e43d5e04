"""What numpy finds redundant in large problems is what plain Python finds."""

from __future__ import annotations

import pytest
from hypothesis import given

from puzzlec.engine import problem as cover
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.dominance import redundant
from tests.engine.test_kernels import problems


@given(problems())
def test_the_same_is_redundant_and_every_item_has_the_same_options(problem: ExactCover) -> None:
    plain = redundant(problem)
    having = [list(each) for each in problem.options_of_items()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cover, "LARGE", 1)
        if len(problem.items):
            assert redundant(problem) == plain
            assert [[int(option) for option in each] for each in problem.options_of_items()] == having
