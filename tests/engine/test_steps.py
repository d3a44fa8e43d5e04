"""The steps of a search that a page shows: they are the nodes that the kernels visit."""

from __future__ import annotations

from hypothesis import given, settings

from puzzlec.engine import ExactCover, Limits, Search, count
from puzzlec.engine.kernels.spec import NONE
from puzzlec.engine.search.steps import CHOICES, steps
from tests.engine.test_kernels import problems


@settings(max_examples=60)
@given(problems())
def test_both_choices_find_all_covers_and_the_usual_one_visits_the_nodes_of_the_kernels(cover: ExactCover) -> None:
    for choice in CHOICES:
        found = list(steps(cover, choice))
        assert sum(step.kind == "solution" for step in found) == count(cover)
        assert sum(step.branches for step in found) == len(found) - 1
    search = Search(cover, limits=Limits(), kernel="python")
    list(search)
    assert search.nodes == sum(step.above >= 0 for step in steps(cover))


@settings(max_examples=60)
@given(problems())
def test_options_and_items_leave_a_path_once(cover: ExactCover) -> None:
    left: list[set[int]] = []
    for step in steps(cover):
        own = set(left[step.above]) if step.above >= 0 else set(range(len(cover)))
        assert own >= set(step.gone)
        own -= {*step.gone, step.option}
        left.append(own)
        if step.option != NONE:
            assert step.option in left[step.above]
        if step.kind == "solution":
            assert step.item == -1
