"""Drawings with the board among them: the largest drawing is the board if it has as many cells as all the others."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.drawn.drawings import is_coloured
from puzzlec.formats.reading import read
from puzzlec.ir import Puzzle
from tests import brute

BOARD = "###\n###\n###\n\n###\n#\n#\n\n##\n\n##\n"

#: The twelve pentominoes, some of them side by side, and the board of 3 rows and 20 columns.
PENTOMINOES = """
       #  #        #
   ##  #  #   ##   #  ##
  ##   #  #   ##  ##   #
   #   #  ##  #   #    ##
       #
                            #
  ###        #    #     #   #
   #   # #   #    ##   ###  ##
   #   ###   ###   ##   #   #

  ####################
  ####################
  ####################
"""


def puzzle_of(text: str, board: str | None = None) -> Puzzle:
    report = Report()
    puzzle = read(Source("a.drawn", text), None, report, board)
    assert isinstance(puzzle, Puzzle)
    assert not report.diagnostics
    return puzzle


@pytest.mark.parametrize(
    ("text", "distinct", "raw"),
    [(BOARD, 1, 8), (PENTOMINOES, 2, 8), ("#    #      ##\n   #   #    ##", 1, 1), ("####\n\n##  ##\n", 1, 1)],
)
def test_the_largest_drawing_is_the_board_and_drawings_side_by_side_are_pieces(
    text: str, distinct: int, raw: int
) -> None:
    puzzle = puzzle_of(text)
    assert puzzlec.Solutions(puzzle).count() == distinct
    assert puzzlec.Solutions(puzzle, symmetry="none").count() == raw


def test_a_board_with_holes_is_drawn_and_its_cells_have_positions_in_the_text() -> None:
    puzzle = puzzle_of("  ###\n  # #\n  ###\n\n#### ####\n")
    assert len(puzzle.locations) == 8
    assert {location.at for location in puzzle.locations} >= {(0, 0), (2, 2)}
    spans = [location.span for location in puzzle.locations]
    assert spans[3] is not None
    assert spans[3].source.position(spans[3].start) == (2, 3)


def test_names_of_drawings_are_names_of_pieces() -> None:
    puzzle = puzzle_of("XXX\nXXX\n\nL:\nXX\nX\n\nJ:\nXX\nX\n")
    assert [piece.name for piece in puzzle.pieces] == ["L", "J"]


def test_a_board_of_the_options_is_refused_if_the_text_has_one() -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzle_of(BOARD, "3x3")
    found = caught.value.diagnostics[0]
    assert (found.code, found.message) == ("PZ252", "unexpected `--board`: the largest drawing is the board")
    assert found.span is not None
    assert found.span.source.position(found.span.start) == (1, 1)
    assert len(puzzle_of(BOARD, "6x3").pieces) == 3  # on a board for all drawings, each of them is a piece


def test_drawings_without_a_board_are_pieces_as_before() -> None:
    text = "XXX\nX\n\n  X\nXXX\n\nXX\nXX\n"
    with pytest.raises(PuzzleError) as caught:
        puzzle_of(text)
    found = caught.value.diagnostics[0]
    assert found.code == "PZ251"
    assert found.notes == ("several of 3 drawings have 4 cells, and no drawing has more",)
    report = Report()
    read(Source("a.txt", "X X\n\nXX\n"), None, report, "4x1")
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ269"]
    assert "empty line" in report.diagnostics[0].helps[0]


def test_drawings_side_by_side_may_touch_at_corners_and_a_drawing_alone_is_one_piece() -> None:
    assert len(puzzle_of("####  ##\n####    ##\n\n##\n##\n").pieces) == 2  # two dominoes that are copies, and a square
    assert len(puzzle_of("####\n####\n\n##\n  ##\n\n#\n#\n##\n").pieces) == 2  # the cells of a piece touch at a corner


#: The largest drawing has two cells more than the pieces, which are side by side.
LARGER = "####\n####\n\n##  #\n##  #\n"


def test_a_largest_drawing_of_another_size_is_the_board_only_if_the_user_says_so() -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzle_of(LARGER)
    found = caught.value.diagnostics[-1]
    assert found.code == "PZ251"
    assert found.notes == ("the largest of 3 drawings has 8 cells, the others have 6 together",)
    assert found.helps[-1] == "or add `--board largest` if the largest drawing is the board"
    puzzle = puzzle_of(LARGER, "largest")
    assert (len(puzzle.locations), [len(piece.cells) for piece in puzzle.pieces]) == (8, [4, 2])
    assert puzzle_of(BOARD, "largest") == puzzle_of(BOARD)


def test_two_largest_drawings_are_no_board() -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzle_of("##\n##\n\n##\n##\n\n#\n", "largest")
    found = caught.value.diagnostics[0]
    assert (found.code, found.message) == ("PZ252", "unknown largest drawing: several have 4 cells")


#: A board beside four pieces, which the page shows: two that differ only in colours, and two copies.
COLOURED = """
 aabab  aa  ba  ba  b
 bbaba  b    b      a
"""


@pytest.mark.parametrize("letters", ["ab", "12", "Ox"])
def test_drawings_of_several_letters_are_in_colours_if_the_board_has_as_many_of_each(letters: str) -> None:
    puzzle = puzzle_of(COLOURED.translate(str.maketrans("ab", letters)))
    assert {location.at: location.colour for location in puzzle.locations}[2, 0] == letters[1]
    assert [(piece.low, len(piece.cells)) for piece in puzzle.pieces] == [(1, 3), (1, 3), (2, 2)]
    raw = puzzlec.Solutions(puzzle, symmetry="none").count()
    written = puzzlec.parse(puzzlec.convert(puzzle, "puzzle"))
    assert raw == puzzlec.Solutions(written, symmetry="none").count() == len(brute.solutions(puzzle)) == 4


@pytest.mark.parametrize("text", ["AB\nBB\n", "abba  ab  ab\nbaab  ab  bb\n", "a#a  ##  #a\n"])
def test_drawings_of_several_characters_are_not_in_colours_otherwise(text: str) -> None:
    assert not is_coloured(Source("a", text))
