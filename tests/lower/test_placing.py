from __future__ import annotations

import pytest
from hypothesis import given

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report
from puzzlec.geometry import find_library
from puzzlec.ir import Piece, Puzzle
from puzzlec.lower import aspects, encode, place
from tests import brute
from tests.strategies import puzzles

#: Aspects of the pentominoes F I L N P T U V W X Y Z: 63 together.
PENTOMINO_ASPECTS = dict(zip("FILNPTUVWXYZ", (8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4), strict=True))


@given(puzzles())
def test_the_placements_are_those_that_trying_every_turn_and_vector_finds(puzzle: Puzzle) -> None:
    fitting = place(puzzle)
    fitting.verify()
    encode(fitting).cover.verify()
    cells = [location.at for location in puzzle.locations]
    for number, piece in enumerate(fitting.pieces):
        found = [frozenset(cells[location] for location in placement) for placement in piece.placements]
        assert len(set(found)) == len(found)
        assert set(found) == brute.placements(puzzle, number)


def test_the_twelve_pentominoes_have_63_aspects() -> None:
    library = find_library("pentominoes")
    counts = {
        name: len(aspects(Piece(name, shape.cells, (None,) * 5, library.lattice.isometries), library.lattice))
        for name, shape in library.shapes.items()
    }
    assert counts == PENTOMINO_ASPECTS
    assert sum(counts.values()) == 63


@pytest.mark.parametrize(
    ("board", "options"),
    [("3x20", 1236), ("4x15", 1696), ("5x12", 1936), ("6x10", 2056), ("8x8 - box 2x2 at (3,3)", 1568)],
)
def test_pentominoes_have_the_known_numbers_of_placements(board: str, options: int) -> None:
    fitting = puzzlec.compile(puzzlec.parse(f'puzzle "P"\nlocations box {board}\npieces pentominoes'), "fitting")
    assert isinstance(fitting, puzzlec.Fitting)
    assert sum(len(piece.placements) for piece in fitting.pieces) == options


def test_a_piece_does_not_reach_around_the_side_of_the_board() -> None:
    fitting = place(_puzzle("locations box 3x5\npiece I { xxxxx }"))
    assert list(fitting.pieces[0].placements) == [(0, 3, 6, 9, 12), (1, 4, 7, 10, 13), (2, 5, 8, 11, 14)]


def test_a_placement_reached_by_two_aspects_is_one() -> None:
    fitting = place(_puzzle("colours r b\nlocations { xx }\npiece D { rb }"))
    assert list(fitting.pieces[0].placements) == [(0, 1)]


def test_coloured_cells_lie_on_their_colour_on_plain_ones_and_on_allowed_ones() -> None:
    text = "colours r b g\n{}locations {{ rxbg }}\npiece R {{ r }}"
    assert list(place(_puzzle(text.format(""))).pieces[0].placements) == [(0,), (1,)]
    assert list(place(_puzzle(text.format("allow r on g\n"))).pieces[0].placements) == [(0,), (1,), (3,)]


def test_rules_leave_just_the_placements_that_they_allow() -> None:
    board = "locations box 4x1\npiece D { xx }\n"
    assert list(place(_puzzle(board + "place D in box 3x1")).pieces[0].placements) == [(0, 1), (1, 2)]
    assert list(place(_puzzle(board + "place D off { .x.. }")).pieces[0].placements) == [(2, 3)]
    assert list(place(_puzzle(board + "fix D in cells (1,0) (2,0)")).pieces[0].placements) == [(1, 2)]
    assert list(place(_puzzle(board + "forbid D in box 2x1 at (1,0)")).pieces[0].placements) == [(0, 1), (2, 3)]


def test_a_fixed_placement_that_is_none_is_an_error_and_a_forbidden_one_a_warning() -> None:
    with pytest.raises(PuzzleError) as caught:
        place(_puzzle("locations box 4x1\npiece D { xx }\nfix D in cells (0,0) (2,0)"))
    assert [each.code for each in caught.value.diagnostics] == ["PZ316"]
    report = Report()
    place(_puzzle("locations box 4x1\npiece D { xx }\nforbid D in cells (0,0) (2,0)"), report)
    assert [each.code for each in report.diagnostics] == ["PZ317"]


def _puzzle(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle
