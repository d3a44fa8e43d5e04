"""Eternity: the pieces agree with published descriptions, and parts of it can be solved."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import puzzlec
from puzzlec.geometry.lattice import Cell
from puzzlec.ir import Piece, Puzzle
from puzzlec.lower import orientations

#: For each balance of a piece, the number of pieces with each value: https://www.mathpuzzle.com/eternity.html
BALANCES = {
    "up and down": {0: 116, 2: 90, 4: 3},
    "left and right": {0: 89, 2: 112, 4: 8},
    "east and west": {0: 51, 2: 121, 4: 32, 6: 5},
}


@cache
def eternity() -> Puzzle:
    puzzle = puzzlec.load("eternity/eternity")
    assert isinstance(puzzle, Puzzle)
    return puzzle


def signs(cell: Cell) -> dict[str, int]:
    """Return the share of a cell in each balance: the direction of its triangle of the grid, its own hand, and both."""
    hour = cell[-1]
    triangle = 1 if (hour - 1) // 2 % 2 == 0 else -1  # cells from one to three o'clock lie in a triangle that points up
    hand = 1 if hour % 2 else -1
    return {"up and down": triangle, "left and right": hand, "east and west": triangle * hand}


def balance(piece: Piece, which: str) -> int:
    """Return a balance of a piece. A half of a triangle is three cells: all of one triangle, two of one hand."""
    total = abs(sum(signs(cell)[which] for cell in piece.cells))
    return total // 3 if which == "up and down" else total


@pytest.mark.long
def test_the_pieces_fill_the_board_by_their_size() -> None:
    puzzle = eternity()
    assert [len(piece.cells) for piece in puzzle.pieces] == [36] * 209
    assert len(puzzle.locations) == 209 * 36


def test_no_piece_has_a_symmetry_and_no_two_are_equal() -> None:
    lattice = eternity().lattice
    assert lattice is not None
    forms = set()
    for piece in eternity().pieces:
        turned = orientations(piece, lattice)
        assert len(turned) == 12
        forms.add(min(_form([point for point, _ in orientation]) for orientation in turned))
    assert len(forms) == 209


def _form(points: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return points after translations by multiples of six units, with least coordinates from 0 to 5."""
    least = [min(values) // 6 * 6 for values in zip(*points, strict=True)]
    return tuple(sorted(tuple(a - b for a, b in zip(point, least, strict=True)) for point in points))


@pytest.mark.long
@pytest.mark.parametrize("which", BALANCES)
def test_the_distribution_of_balances_is_the_published_one(which: str) -> None:
    assert Counter(balance(piece, which) for piece in eternity().pieces) == BALANCES[which]


def test_the_first_piece_has_its_published_balances() -> None:
    first = eternity().pieces[0]
    assert [balance(first, which) for which in ("east and west", "left and right", "up and down")] == [2, 2, 4]


@pytest.mark.parametrize("part", ["whale", "boat", "tortoise"])
def test_the_pieces_of_a_part_are_pieces_of_the_whole(part: str) -> None:
    puzzle = puzzlec.load(f"polydrafters/{part}")
    assert isinstance(puzzle, Puzzle)
    cells = {piece.name: piece.cells for piece in eternity().pieces}
    assert all(cells[piece.name] == piece.cells for piece in puzzle.pieces)


@pytest.mark.parametrize(("part", "pieces"), [("whale", 8), ("boat", 21)])
def test_a_part_is_solved(part: str, pieces: int) -> None:
    solution = next(iter(puzzlec.solve(f"polydrafters/{part}")))
    assert len(solution.placements) == pieces


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_whole_is_compiled() -> None:
    encoding = puzzlec.compile(eternity())
    assert len(encoding.cover) == 1372296
