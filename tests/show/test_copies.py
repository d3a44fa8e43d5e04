"""Pictures without borders: copies of a piece that touch have different signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlec
from puzzlec.geometry.lattice import neighbours
from puzzlec.show.terminal.style import BoardOfSigns, Style
from puzzlec.show.terminal.text import _board, draw_solution, signs_of_copies


def test_copies_that_touch_have_different_signs_and_a_legend() -> None:
    text = "lattice sticks\nlocations { +-+-+-+-+ }\npiece D x2 { +-+-+ }"
    solution = next(iter(puzzlec.solve(puzzlec.parse(text))))
    assert draw_solution(solution).split("\n") == ["+ ━━D━━━━━━━D━━ + ━━d━━━━━━━d━━ +", "D d: copies of D"]


def test_copies_that_do_not_touch_keep_the_sign_of_their_piece() -> None:
    text = "lattice sticks\nlocations { +-+.+-+ }\npiece D x2 { +-+ }"
    assert draw_solution(next(iter(puzzlec.solve(puzzlec.parse(text))))) == "+ ━━D━━ +       + ━━D━━ +"


def test_a_sign_that_another_piece_has_is_not_given_to_a_copy() -> None:
    assert signs_of_copies({0: [1], 1: [0]}, [0, 0, 1], ["D", "D", "d"]) == ["D", "A", "d"]
    assert signs_of_copies({0: [1, 2], 1: [0, 2], 2: [0, 1]}, [0, 0, 0], ["1"] * 3) == ["1", "A", "B"]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=9), st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8))))
def test_no_two_copies_that_touch_and_no_two_pieces_have_one_sign(
    pieces: list[int], pairs: set[tuple[int, int]]
) -> None:
    near: dict[int, set[int]] = {number: set() for number in range(-1, len(pieces))}
    for one, two in pairs:
        if one != two and max(one, two) < len(pieces):
            near[one].add(two)
            near[two].add(one)
    signs = signs_of_copies(near, pieces, ["Aab"[piece] for piece in pieces])
    for one, touching in near.items():
        assert all(signs[one] != signs[two] for two in touching)
    for piece in set(pieces):
        own = {sign for sign, owner in zip(signs, pieces, strict=True) if owner == piece}
        assert own.isdisjoint(sign for sign, owner in zip(signs, pieces, strict=True) if owner != piece)
        assert signs[pieces.index(piece)] == "Aab"[piece]


@pytest.mark.parametrize("lattice", ["sticks", "trigs", "twigs"])
def test_edges_with_one_sign_that_meet_belong_to_one_placement(lattice: str) -> None:
    text = f"lattice {lattice}\nlocations box 3x3\npiece D x* cells (0,0,0) (0,0,1)\npiece S x* cells (0,0,0)"
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, puzzlec.Puzzle)
    solution = next(iter(puzzlec.solve(puzzle, symmetry="none")))
    assert puzzle.lattice is not None
    board, _ = _board(solution, puzzle, puzzle.lattice)
    assert isinstance(board, BoardOfSigns)
    met = [
        (cell, other) for cell in board.owners for other in neighbours(cell, puzzle.lattice) if other in board.owners
    ]
    assert len(met) > 40
    assert all((board.owners[a] == board.owners[b]) or board.signs[a] != board.signs[b] for a, b in met)
    assert "\033" in draw_solution(solution, Style(colour=True))
