from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.reduction.forcing import Ahead, agreeing_options, forced, members, options_of_items
from puzzlec.ir import Puzzle
from puzzlec.lower import encode, place
from tests import brute
from tests.engine import test_kernels as kernels
from tests.strategies import puzzles


@st.composite
def problems(draw: st.DrawFn) -> ExactCover:
    """A random problem with bounds, secondary items and colours, small enough to try every set of options."""
    primary, secondary = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    bounds = [(low, low + draw(st.integers(0, 2))) for low in draw(st.lists(st.integers(0, 2), min_size=primary))]
    rows: list[list[int | tuple[int, int]]] = []
    for _ in range(draw(st.integers(1, 9))):
        first = draw(st.sets(st.integers(0, primary - 1), min_size=1))
        second = draw(st.sets(st.sampled_from(range(primary, primary + secondary)))) if secondary else set()
        rows.append([*sorted(first), *[(item, draw(st.integers(0, 2))) for item in sorted(second)]])
    plain = draw(st.booleans())
    return ExactCover.from_rows(rows, primary, secondary, [(1, 1)] * primary if plain else bounds[:primary])


@given(problems())
def test_forced_options_are_in_every_cover_and_impossible_ones_in_none(cover: ExactCover) -> None:
    found = forced(cover)
    solutions = brute.covers(cover)
    if found.lost is not None:
        assert not solutions
    for solution in solutions:
        assert set(found.chosen) <= set(solution)
        assert not set(found.impossible) & set(solution)
    if found.lost is None and len(found.chosen) + len(found.impossible) == len(cover):
        assert solutions == [tuple(sorted(found.chosen))]


@given(puzzles())
def test_forced_placements_of_a_puzzle_are_in_every_solution(puzzle: Puzzle) -> None:
    fitting = place(puzzle)
    encoding = encode(fitting)
    found = forced(encoding.cover)
    solutions = brute.solutions(puzzle)
    assert found.lost is None or not solutions
    for option, wanted in [(o, True) for o in found.chosen] + [(o, False) for o in found.impossible]:
        number, index = encoding.piece[option], encoding.index[option]
        if number < 0:
            at = puzzle.locations[index].at
            in_all = [all(at not in cells for taken in solution for cells in taken) for solution in solutions]
        else:
            lying = brute.lying(fitting, puzzle, number, index)
            in_all = [lying in solution[number] for solution in solutions]
        assert all(there is wanted for there in in_all)


@given(problems())
def test_no_item_is_left_that_needs_all_its_options(cover: ExactCover) -> None:
    found = forced(cover)
    assume(found.lost is None)
    left = set(range(len(cover))) - set(found.impossible) - set(found.chosen)
    for item in range(cover.primary):
        taken = sum(item in cover.row(option) for option in found.chosen)
        may = sum(item in cover.row(option) for option in left)
        assert taken <= cover.high[item]
        assert may == 0 or taken >= cover.low[item] or taken + may > cover.low[item]


def test_each_forced_option_names_the_item_that_has_nothing_else() -> None:
    cover = ExactCover.from_rows([[0, 1], [0], [1, 2], [1]], primary=3)
    found = forced(cover)
    assert list(zip(found.chosen, found.because, strict=True)) == [(2, 2), (1, 0)]
    assert found.impossible == (0, 3)
    assert (found.lost, found.complete) == (None, True)


def test_an_option_that_would_leave_an_item_without_any_is_impossible() -> None:
    # Nothing is forced at first, but option 0 would exclude both options of item 2.
    cover = ExactCover.from_rows([[0, 1], [0], [1, 2], [0, 2], [1]], primary=3)
    found = forced(cover)
    assert found.impossible[0] == 0
    assert found.chosen == ()


def test_options_that_colour_an_item_alike_go_together() -> None:
    cover = ExactCover.from_rows([[0, (3, 1)], [1, (3, 1)], [1, (3, 2)], [2, 0 + 3]], primary=3, secondary=1)
    found = forced(cover)
    assert found.lost is not None  # items 0 and 2 need options that do not agree on item 3
    agreeing = ExactCover.from_rows([[0, (2, 1)], [1, (2, 1)], [1, (2, 2)]], primary=2, secondary=1)
    assert forced(agreeing).chosen == (0, 1)
    assert forced(agreeing).impossible == (2,)


def test_an_item_that_needs_all_of_its_options_forces_them_all() -> None:
    cover = ExactCover.from_rows([[0, 1], [0, 2], [1], [2]], primary=3, bounds=[(2, 3), (1, 1), (1, 1)])
    assert forced(cover).chosen == (0, 1)
    assert forced(cover).impossible == (2, 3)


def test_limits_of_size_and_looks_are_kept() -> None:
    cover = ExactCover.from_rows([[0, 1], [0], [1, 2], [0, 2], [1]], primary=3)
    assert forced(cover, largest=14) == type(forced(cover))(complete=False)
    stopped = forced(cover, looks=2)
    assert not stopped.complete
    assert stopped.impossible == ()


#: Option 0 leaves item 2 without any; without it item 0 has option 2 only, and then item 1 option 3.
CHAIN = ExactCover.from_rows([[0, 1], [1, 2], [0, 2], [1]], primary=3)


def ahead(alive: int, need: list[int], room: list[int], looks: int) -> tuple[int, int]:
    """Look ahead in :data:`CHAIN`, where all bounds are 1..1, by the definition."""
    rows = [set(CHAIN.row(option)) for option in range(len(CHAIN))]
    for option in list(members(alive)):
        needy = {item for item, number in enumerate(need) if number}
        looks -= len(needy)
        if looks < 0:
            break
        left = [rows[other] for other in members(alive) if rows[other].isdisjoint(rows[option])]
        if needy - rows[option] - set().union(*left):
            alive &= ~(1 << option)
    return alive, looks


@pytest.mark.parametrize("way", [None, ahead])
def test_options_excluded_by_a_look_ahead_may_force_others(way: Ahead | None) -> None:
    found = forced(CHAIN, ahead=way)
    assert list(zip(found.chosen, found.because, strict=True)) == [(2, 0), (3, 1)]
    assert found.impossible == (0, 1)
    assert found.complete
    assert found.looks == 4 * 3, "four options, each compared with three items"


@pytest.mark.parametrize("way", [None, ahead])
def test_it_is_complete_with_exactly_enough_looks_and_not_with_one_less(way: Ahead | None) -> None:
    assert forced(CHAIN, looks=12, ahead=way) == forced(CHAIN)
    for looks, impossible in [(2, ()), (3, (0,)), (11, (0, 1))]:
        stopped = forced(CHAIN, looks=looks, ahead=way)
        assert not stopped.complete
        assert stopped.impossible == impossible
        assert stopped.chosen == ()


def test_the_look_ahead_of_the_caller_is_used() -> None:
    found = forced(CHAIN, ahead=lambda alive, need, room, looks: (alive, looks - 7))
    assert (found.chosen, found.impossible, found.looks) == ((), (), 7)


def test_an_option_that_leaves_one_to_an_item_that_needs_two_is_impossible() -> None:
    # Item 0 needs two of the first three options; option 3 takes the places of two of them.
    rows = [[0, 1], [0, 2], [0, 3], [1, 2], [1], [2], [3]]
    for low, impossible in [(2, (3,)), (1, ())]:
        found = forced(ExactCover.from_rows(rows, 4, bounds=[(low, 3), (1, 1), (1, 1), (1, 1)]))
        assert (found.chosen, found.impossible, found.lost) == ((), impossible, None)


@given(kernels.problems())
def test_an_option_is_in_the_sets_of_its_items_and_of_its_colours(cover: ExactCover) -> None:
    options_of, agreeing = options_of_items(cover), agreeing_options(cover)
    rows = [cover.entries(option) for option in range(len(cover))]
    for item, options in enumerate(options_of):
        assert list(members(options)) == [o for o, row in enumerate(rows) if item in dict(row)]
    painted = {entry for row in rows for entry in row if entry[1]}
    assert agreeing.keys() == painted, "options that give an item no colour do not go together there"
    for entry, options in agreeing.items():
        assert list(members(options)) == [o for o, row in enumerate(rows) if entry in row]


def test_the_ninth_option_is_in_the_second_byte() -> None:
    cover = ExactCover.from_rows([[0], *[[1]] * 7, [0, (2, 1)], [1, (2, 1)]], primary=2, secondary=1)
    assert options_of_items(cover) == [0b01_0000_0001, 0b10_1111_1110, 0b11_0000_0000]
    assert agreeing_options(cover) == {(2, 1): 0b11_0000_0000}
    assert list(members(1 << 8 | 1)) == [0, 8]
    assert list(members(0)) == []
