"""What numpy makes of large puzzles is what plain Python makes of them."""

from __future__ import annotations

import pytest
from hypothesis import given

import puzzlec
from puzzlec.geometry import lattice_names
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding, board, covering
from tests.strategies import puzzles


def both(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> tuple[Encoding, Encoding]:
    found = []
    for most in (0, 10**9):
        monkeypatch.setattr(board, "MANY", most)
        monkeypatch.setattr(board, "FEW", most)
        monkeypatch.setattr(covering, "MANY", most)
        compiled = puzzlec.compile(puzzle)
        assert isinstance(compiled, Encoding)
        found.append(compiled)
    return found[0], found[1]


@given(puzzles(lattice_names(), most=12))
def test_placements_and_options_are_the_same_in_the_same_order(puzzle: Puzzle) -> None:
    with pytest.MonkeyPatch.context() as patch:
        fast, slow = both(puzzle, patch)
    assert fast.fitting == slow.fitting
    assert fast.cover == slow.cover
    assert (fast.piece, fast.index) == (slow.piece, slow.index)


def test_an_aspect_that_reaches_further_than_the_whole_board_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    board = "optional locations box 80x1 at (85,0) + box 80x1 at (0,1)\n"
    text = board + "piece S x0..3 { xx./.xx }\npiece T x0..3 { x../.xx }"
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    fast, slow = both(puzzle, monkeypatch)
    assert fast.fitting == slow.fitting


def test_a_board_of_a_hundred_thousand_placements_is_placed_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = puzzlec.parse("locations box 45x45 - box 3x3 at (20,20)\npieces pentominoes x*")
    assert isinstance(puzzle, Puzzle)
    fast, slow = both(puzzle, monkeypatch)
    assert len(fast.cover) > 100_000
    assert fast.cover == slow.cover
    assert fast.fitting == slow.fitting
