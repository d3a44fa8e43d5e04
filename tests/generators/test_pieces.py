"""Boards and boxes, counted by brute force that shares no code with puzzlec's search."""

from __future__ import annotations

from random import Random

import pytest

import puzzlec
from puzzlec.generators.kind import pieces_in
from puzzlec.geometry.lattice import connected_parts
from tests import brute


@pytest.mark.parametrize(
    ("seed", "pieces"),
    [(1, "pentominoes F I L P"), (2, "tetrominoes L x2, trominoes I V"), (3, "pentominoes 3"), (4, "trihexes"),
     (5, "tetracubes 3")],
)  # fmt: skip
def test_a_board_is_connected_and_has_one_solution(seed: int, pieces: str) -> None:
    puzzle = puzzlec.generate("board", seed=seed, pieces=pieces).puzzle
    assert puzzle.lattice is not None
    assert (
        len(
            connected_parts(
                [location.at for location in puzzle.locations if isinstance(location.at, tuple)], puzzle.lattice
            )
        )
        == 1
    )
    assert brute.orbits(puzzle) == 1


@pytest.mark.parametrize(
    ("seed", "size", "pieces"),
    [(1, "5x5", "pentominoes"), (2, "4x5", "pentominoes"), (3, "2x3x3", "tricubes x3, tetracubes"),
     (4, "4x5", "tetrominoes x2, trominoes x2"), (3, "2x2x5", "pentacubes")],
)  # fmt: skip
@pytest.mark.long
def test_a_box_has_one_solution_with_pieces_of_the_stock(seed: int, size: str, pieces: str) -> None:
    found = puzzlec.generate("packing", seed=seed, size=size, pieces=pieces)
    assert brute.orbits(found.puzzle) == 1
    stock = {(piece.library, piece.shape): piece.copies for piece in pieces_in(pieces, Random(0))}
    for line in found.text.splitlines():
        if line.startswith("piece "):
            head, shape = line.split(" = ")
            library, name = shape.split(".")
            assert int(head.partition(" x")[2] or 1) <= stock[library, name]


def test_pieces_are_named_chosen_and_merged() -> None:
    named = pieces_in("pentominoes F I x2, tetrominoes", Random(0))
    assert [(piece.shape, piece.copies) for piece in named][:3] == [("F", 1), ("I", 2), ("I", 1)]
    assert pieces_in("pentominoes F F", Random(0))[0].copies == 2
    chosen = pieces_in("pentominoes 5", Random(3))
    assert len({piece.shape for piece in chosen}) == 5
    assert {piece.copies for piece in pieces_in("tricubes x2", Random(0))} == {2}


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("board", {"pieces": "pentominos F"}, "pentominoes"),
        ("board", {"pieces": "pentominoes Q"}, "found `Q`"),
        ("board", {"pieces": "pentominoes 13"}, "has 12 pieces"),
        ("board", {"pieces": "hexiamonds"}, "lattice `triangle`"),
        ("board", {"pieces": "soma, pentominoes"}, "different lattices"),
        ("board", {"pieces": "pentominoes F x0"}, "from 1 to 100"),
        ("packing", {"size": "3x"}, "found `3x`"),
        ("packing", {"size": "9x9"}, "smaller than the box"),
        ("packing", {"size": "4x4"}, "no choice of the pieces has the 16 cells of the box"),
        ("packing", {"pieces": "soma"}, "like 4x4x4"),
        ("tiles", {"size": "3"}, "found `3`"),
        ("tiles", {"colours": 0}, "from 1 to 99"),
    ],
)
def test_a_wrong_option_is_an_error(kind: str, options: dict[str, int | str], words: str) -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ226") as caught:
        puzzlec.generate(kind, seed=0, limits=None, attempts=None, **options)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_a_box_that_no_pieces_fill_ends_in_an_error() -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ012"):
        puzzlec.generate("packing", size="2x5", pieces="pentominoes V X")
