"""numpy gives the same results for large puzzles as plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import puzzlec
from puzzlec.geometry import lattice_names
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding, board, covering
from puzzlec.lower import placing_numpy as vectors
from tests.strategies import puzzles


def both(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> tuple[Encoding, Encoding]:
    found = []
    for most in (0, 10**9):
        monkeypatch.setattr(board, "MAX_PLACEMENTS_IN_PYTHON", most)
        monkeypatch.setattr(board, "MAX_PLACEMENTS_IF_LOADED", most)
        monkeypatch.setattr(covering, "MAX_LOCATIONS_IN_PYTHON", most)
        compiled = puzzlec.compile(puzzle)
        found.append(compiled)
    return found[0], found[1]


@given(puzzles(lattice_names(), most=12))
def test_placements_and_options_are_the_same_in_the_same_order(puzzle: Puzzle) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fast, slow = both(puzzle, patch)
    assert fast.fitting == slow.fitting
    assert fast.cover == slow.cover
    assert (fast.piece, fast.index) == (slow.piece, slow.index)


def test_an_orientation_that_reaches_further_than_the_whole_board_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    board = "optional locations box 80x1 at (85,0) + box 80x1 at (0,1)\n"
    text = board + "piece S x0..3 { xx./.xx }\npiece T x0..3 { x../.xx }"
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    fast, slow = both(puzzle, monkeypatch)
    assert fast.fitting == slow.fitting


def test_a_board_of_a_hundred_thousand_placements_has_the_same_placements(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzlec.parse("locations box 45x45 - box 3x3 at (20,20)\npieces pentominoes x*")
    assert isinstance(puzzle, Puzzle)
    fast, slow = both(puzzle, monkeypatch)
    assert len(fast.cover) > 100_000
    assert fast.cover == slow.cover
    assert fast.fitting == slow.fitting


def test_an_orientation_that_reaches_too_far_does_not_end_the_orientations(monkeypatch: pytest.MonkeyPatch) -> None:
    # As listed, the piece extends beyond the last location; reflected, it fits.
    text = "optional locations box 80x1 at (85,0) + box 80x1 at (0,1)\npiece A x0..3 cells (0,0) (80,1)"
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    fast, slow = both(puzzle, monkeypatch)
    assert fast.fitting == slow.fitting
    assert len(fast.fitting.pieces[0].placements) == 75


@pytest.mark.parametrize(
    "text",
    [
        "lattice sticks\noptional locations box 3x3\npiece I x* cells (0,0,0) (1,0,0)",  # ways cross
        "colours a b\noptional locations box 3x2\npiece T x* sides a b b a",  # sides meet
    ],
)
def test_places_between_locations_are_kept_in_large_problems(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    fast, slow = both(puzzle, monkeypatch)
    assert fast.cover == slow.cover
    cover = fast.cover
    assert len(cover.item_names) > fast.fitting.locations
    assert any(item >= fast.fitting.locations for item in cover.items)


def test_a_large_wrap_around_board_is_placed_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzlec.parse("locations box 4x3\nwrap x\npiece L x* { xx/x. }")
    assert isinstance(puzzle, Puzzle)
    fast, slow = both(puzzle, monkeypatch)
    assert fast.fitting == slow.fitting
    assert fast.cover == slow.cover
    assert len(fast.fitting.pieces[0].placements) == 4 * 2 * 4


def test_a_piece_may_reach_from_the_first_location_to_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzlec.parse("locations box 3x2\npiece A x* cells (0,0) (2,1)")
    assert isinstance(puzzle, Puzzle)
    fast, slow = both(puzzle, monkeypatch)
    assert fast.fitting == slow.fitting
    assert list(fast.fitting.pieces[0].placements) == [(0, 5), (2, 3)]


def test_numbers_beyond_32_bits_are_refused_and_not_cut_off() -> None:
    assert list(vectors._array(np.array([0, 2**31 - 1]))) == [0, 2**31 - 1]
    with pytest.raises(OverflowError, match="more than 2147483647 entries"):
        vectors._array(np.array([0, 2**31]))
