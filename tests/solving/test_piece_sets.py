"""Sets of pentominoes: the facts of a separate program, and published totals (5x5: 107, 5x6: 541, 3x10: 145)."""

from __future__ import annotations

from collections import Counter

import pytest

import puzzlec
from puzzlec import Limits, PuzzleError, UnfinishedError
from puzzlec.solving.piece_sets import PieceSets


def box(columns: int, rows: int, pieces: str = "pieces pentominoes x0..1") -> puzzlec.Puzzle:
    return puzzlec.parse(f"locations box {columns}x{rows}\n{pieces}\n")


@pytest.mark.parametrize(
    ("columns", "rows", "sets", "unique", "distinct"),
    [
        (5, 3, 7, 7, 7),
        (10, 3, 75, 53, 145),
        (15, 3, 39, 10, 201),
        (5, 4, 26, 9, 50),
        (5, 5, 45, 19, 107),
        (5, 6, 172, 68, 541),
        (5, 7, 245, 60, 1396),
        (5, 10, 65, 4, 6951),
        (15, 4, 1, 0, 368),
    ],
)
def test_rectangles_have_the_known_sets(columns: int, rows: int, sets: int, unique: int, distinct: int) -> None:
    found = puzzlec.piece_sets(box(columns, rows))
    assert (len(found), sum(piece_set.distinct == 1 for piece_set in found)) == (sets, unique)
    assert sum(piece_set.distinct or 0 for piece_set in found) == distinct


#: Ranges up to two, one-sided pieces whose mirror images are other pieces, holes, and a wall of colours.
PUZZLES = (
    box(5, 4),
    box(5, 4, "pieces pentominoes x0..2"),
    box(4, 4, "pieces tetrominoes x0..3"),
    box(4, 3, "piece L one-sided x0..2 { xxx/x.. }\npiece J one-sided x0..2 { xxx/..x }\npiece I x0..1 { xxxx }"),
    box(
        4,
        5,
        "piece S one-sided x0..4 { .xx/xx. }\npiece Z one-sided x0..4 { xx./.xx }\npieces tetrominoes x* only L, O",
    ),
    puzzlec.parse("lattice cubic\nlocations box 3x2x2\npieces tetracubes x0..1\n"),
    puzzlec.parse("locations box 5x2\noptional locations box 5x1 at (0,2)\npieces pentominoes x0..2\n"),
)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=range(len(PUZZLES)))
def test_a_list_and_a_diagram_agree_with_all_solutions(puzzle: puzzlec.Puzzle) -> None:
    listed, drawn = (PieceSets(puzzle, way=way).find() for way in ("list", "diagram"))
    assert listed == drawn
    raw = Counter(
        tuple(sorted(Counter(placement.piece for placement in solution.placements).items()))
        for solution in puzzlec.solve(puzzle, raw=True)
    )
    names = [piece.name for piece in puzzle.pieces]
    assert raw == {
        tuple(sorted((names.index(name), n) for name, n in piece_set.pieces.items())): piece_set.raw
        for piece_set in drawn
    }


@pytest.mark.parametrize("puzzle", PUZZLES, ids=range(len(PUZZLES)))
def test_each_set_has_the_solutions_of_a_puzzle_with_these_pieces_alone(puzzle: puzzlec.Puzzle) -> None:
    from dataclasses import replace

    for piece_set in puzzlec.piece_sets(puzzle):
        pieces = tuple(
            replace(piece, low=piece_set.pieces[piece.name], high=piece_set.pieces[piece.name])
            for piece in puzzle.pieces
            if piece.name in piece_set.pieces
        )
        alone = replace(puzzle, pieces=pieces)
        assert (puzzlec.count(alone), puzzlec.count(alone, raw=True)) == (piece_set.distinct, piece_set.raw)


def test_mirror_images_are_two_sets() -> None:
    sets = puzzlec.piece_sets(PUZZLES[3])
    found = {str(piece_set): (piece_set.distinct, piece_set.raw) for piece_set in sets}
    assert found["L x2 I"] == found["J x2 I"]


def test_without_symmetry_each_raw_solution_is_distinct() -> None:
    assert all(piece_set.distinct == piece_set.raw for piece_set in puzzlec.piece_sets(box(5, 3), symmetry="none"))


def test_automorphisms_that_mix_the_placements_of_pieces_join_no_sets() -> None:
    pieces = "\n".join(f"piece {name} x0..2 covers {{ a b }} {{ c d }}" for name in "PQR")
    sets = puzzlec.piece_sets(puzzlec.parse(f"lattice none\nlocations a b c d\n{pieces}"), symmetry="automorphisms")
    found = {str(piece_set): (piece_set.distinct, piece_set.raw) for piece_set in sets}
    assert found == dict.fromkeys(("P x2", "Q x2", "R x2"), (1, 1)) | dict.fromkeys(("P Q", "P R", "Q R"), (1, 2))


def test_a_puzzle_without_ranges_is_refused() -> None:
    with pytest.raises(PuzzleError, match="PZ360"):
        puzzlec.piece_sets("pentominoes/6x10")


def test_a_limit_ends_the_search_and_keeps_what_is_known() -> None:
    puzzle = box(10, 6, "pieces pentominoes x0..2")
    with pytest.raises(UnfinishedError):
        puzzlec.piece_sets(puzzle, limits=Limits(seconds=0.5))
    search = PieceSets(puzzle, limits=Limits(seconds=1.0))
    known = search.find()
    assert search.stopped == "time"
    assert all(piece_set.distinct is None and piece_set.raw > 0 for piece_set in known)
