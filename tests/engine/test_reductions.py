from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.engine import ExactCover, Search
from puzzlec.engine.reduction.reductions import Reduction, ReductionRule, reduce
from tests import brute
from tests.engine.test_kernels import problems


@st.composite
def tight_problems(draw: st.DrawFn) -> ExactCover:
    """A problem whose items partly repeat each other, so that the rules find much: options of few blocks."""
    primary, secondary = draw(st.integers(2, 6)), draw(st.integers(0, 4))
    items = st.integers(0, primary + secondary - 1)
    blocks = draw(st.lists(st.sets(items, min_size=1, max_size=4), min_size=2, max_size=4))
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(draw(st.integers(2, 10))):
        row = {item for block in draw(st.sets(st.sampled_from(range(len(blocks))))) for item in blocks[block]}
        row |= {draw(st.integers(0, primary - 1))}
        rows.append([item if item < primary else (item, draw(st.sampled_from([0, 1, 1, 2]))) for item in sorted(row)])
    bound = st.sampled_from([(1, 1), (1, 1), (1, 1), (0, 1), (0, 2), (1, 2), (2, 2), (0, 9)])
    bounds = draw(st.lists(bound, min_size=primary, max_size=primary))
    return ExactCover.from_rows(rows, primary, secondary, bounds)


@settings(max_examples=200)
@given(st.one_of(problems(), tight_problems()))
@pytest.mark.long
def test_lifted_covers_correspond_one_to_one(cover: ExactCover) -> None:
    found = reduce(cover, compiled=False)
    found.cover.verify()
    assert found.complete
    lifted = list(found.lift(Search(found.cover, kernel="python")))
    assert sorted(lifted) == brute.covers(cover)
    assert found.refuted is None or not lifted


@settings(max_examples=150)
@given(st.one_of(problems(), tight_problems()))
def test_machine_code_finds_the_same_as_plain_python(cover: ExactCover) -> None:
    assert reduce(cover, compiled=True) == reduce(cover, compiled=False)


@given(tight_problems())
def test_a_reduced_problem_cannot_be_reduced_further(cover: ExactCover) -> None:
    found = reduce(cover)
    again = reduce(found.cover)
    assert found.refuted is not None or (again.cover, again.steps) == (found.cover, ())


@given(tight_problems(), st.integers(0, 30))
def test_an_incomplete_reduction_is_reported_and_correct(cover: ExactCover, looks: int) -> None:
    found = [reduce(cover, looks=looks, compiled=compiled) for compiled in (False, True)]
    assert found[0] == found[1]
    assert sorted(found[0].lift(Search(found[0].cover, kernel="python"))) == brute.covers(cover)
    if not found[0].complete:
        assert reduce(cover).complete


@given(tight_problems())
def test_each_step_lists_what_it_removed(cover: ExactCover) -> None:
    found = reduce(cover)
    if found.refuted is None:
        gone = [*found.options_by(ReductionRule.IMPOSSIBLE), *found.options_by(ReductionRule.DOMINATED), *found.chosen]
        assert sorted([*gone, *found.options]) == list(range(len(cover)))
        assert found.options_by(ReductionRule.FORCED) == list(found.chosen)
        left = [
            item
            for rule in (ReductionRule.EQUAL, ReductionRule.IMPLIED, ReductionRule.NEEDLESS)
            for item in found.items_by(rule)
        ]
        assert sorted([*left, *found.items]) == list(range(cover.primary + cover.secondary))


def test_an_option_that_starves_an_item_is_removed_and_the_rest_is_chosen() -> None:
    found = reduce(ExactCover.from_rows([[0, 1], [0], [1, 2], [1]], primary=3))
    assert [(step.rule, step.options, step.others) for step in found.steps] == [
        (ReductionRule.FORCED, (2, 1), (2, 0)),
        (ReductionRule.IMPOSSIBLE, (0, 3), ()),
        (ReductionRule.IMPLIED, (), ()),
    ]
    assert found.chosen == (2, 1)
    assert list(found.lift([()])) == [(1, 2)]
    assert str(found) == "4 options become 0, with 2 chosen; 3 + 0 items become 0 + 0"


def test_bounds_of_items_with_the_same_options_are_joined() -> None:
    rows = [[0, 1], [0, 1], [0, 1]]
    found = reduce(ExactCover.from_rows(rows, primary=2, bounds=[(1, 3), (0, 2)]))
    assert (list(found.cover.low), list(found.cover.high)) == ([1], [2])
    assert [(step.rule, step.items, step.others) for step in found.steps] == [(ReductionRule.EQUAL, (1,), (0,))]
    against = reduce(ExactCover.from_rows(rows, primary=2, bounds=[(3, 3), (0, 2)]))
    assert against.refuted is not None
    assert list(Search(against.cover)) == []


def test_an_item_with_all_options_of_another_has_no_others() -> None:
    # Item 0 needs two of its three options. Item 1 also has them and may have two, so its fourth one is excluded.
    rows = [[0, 1], [0, 1], [0, 1], [1, 2], [2]]
    found = reduce(ExactCover.from_rows(rows, primary=3, bounds=[(2, 2), (0, 2), (0, 1)]))
    assert ReductionRule.DOMINATED in [step.rule for step in found.steps]
    assert found.options_by(ReductionRule.DOMINATED) == [3]


def test_secondary_items_whose_options_go_together_or_exclude_each_other_are_left_out() -> None:
    rows: list[list[int | tuple[int, int]]]
    rows = [[0, (3, 1), 4], [1, (3, 1)], [2, (3, 1), 5], [2, 5], [0], [1, 6], [0, 6]]
    found = reduce(ExactCover.from_rows(rows, primary=3, secondary=4))
    # All options of 3 agree, 4 is in one option only, those of 5 share item 2; 6 keeps two options apart.
    assert found.items_by(ReductionRule.NEEDLESS) == [3, 4, 5]
    assert found.cover.secondary == 1


def test_an_item_covered_at_most_once_becomes_secondary_if_its_options_have_other_items() -> None:
    rows = [[0, 2], [1, 2], [0], [1]]
    found = reduce(ExactCover.from_rows(rows, primary=3, bounds=[(1, 1), (1, 1), (0, 1)]))
    assert found.items_by(ReductionRule.OPTIONAL) == [2]
    assert (found.cover.primary, found.cover.secondary) == (2, 1)
    alone = reduce(ExactCover.from_rows([[0], [0]], primary=1, bounds=[(0, 1)]))
    assert alone.cover == alone.original


def test_a_problem_that_is_too_large_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlec.engine.reduction.reductions.MAX_FORCING_ENTRIES", 3)
    cover = ExactCover.from_rows([[0], [1]], primary=2)
    found = reduce(cover, compiled=False)
    assert (found.cover, found.complete, list(found.lift([(0, 1)]))) == (cover, False, [(0, 1)])


def reduced(name: str, compiled: bool) -> Reduction:
    encoding = puzzlec.compile(name)
    return reduce(encoding.cover, compiled=compiled)


def test_pentominoes_lose_the_placements_that_cut_off_a_corner() -> None:
    found = reduced("pentominoes/6x10", compiled=True)
    assert len(found.options_by(ReductionRule.IMPOSSIBLE)) == 144
    assert found == reduced("pentominoes/6x10", compiled=False)


def test_a_look_ahead_in_small_portions_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reduced("pentominoes/yin-yang", compiled=True)
    monkeypatch.setattr("puzzlec.engine.reduction.lookahead.CALL_WORDS", 1)
    assert reduced("pentominoes/yin-yang", compiled=True) == whole
    assert whole.steps


@pytest.mark.parametrize("name", ["cover/items", "new/sudoku", "new/queens", "new/tiles", "polysticks/tetrasticks-4x4"])
def test_puzzles_of_the_catalogue_have_the_same_covers_reduced(name: str) -> None:
    found = reduced(name, compiled=True)
    assert found == reduced(name, compiled=False)
    assert sorted(found.lift(Search(found.cover))) == sorted(Search(found.original))
