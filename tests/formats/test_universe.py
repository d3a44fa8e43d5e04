"""Lists of cells whose first line is the board."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import guess_format, read
from puzzlec.ir import Puzzle

BOARD = "(0,0) (0,1) (0,2) (1,0) (1,1) (1,2)\n"


def universe(text: str, report: Report | None = None) -> Puzzle:
    found = read(Source("a.txt", text), "universe", report or Report())
    assert isinstance(found, Puzzle)
    return found


def test_the_first_line_is_the_board_and_pieces_are_used_any_number_of_times() -> None:
    assert (
        puzzlec.count(universe(BOARD + "(0,0) (0,1)\n(0,0) (1,0)\n"), symmetry="none") == 3
    )  # tilings of 2 x 3 by dominoes


def test_pieces_are_moved_but_never_rotated() -> None:
    assert puzzlec.count(universe(BOARD + "(0,0) (1,0)\n"), symmetry="none") == 1
    assert puzzlec.count(universe(BOARD + "(5,5) (5,6) (6,5)\n"), symmetry="none") == 0
    assert puzzlec.count(universe(BOARD + "(5,5) (5,6) (6,5)\n(0,1) (1,0) (1,1)\n"), symmetry="none") == 1


def test_a_piece_that_is_another_one_moved_is_ignored_with_a_warning() -> None:
    report = Report()
    puzzle = universe(BOARD + "(0,0) (0,1)\n(0,1) (0,2)\n(0,0) (1,0)\n", report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ230"]
    assert puzzlec.count(puzzle, symmetry="none") == 3


def test_solids_are_also_read() -> None:
    assert puzzlec.count(universe("(0,0,0) (0,0,1)\n(0,0,0) (0,0,1)\n"), symmetry="none") == 1


def test_without_a_choice_the_lists_are_pieces_and_the_message_names_the_format() -> None:
    text = BOARD + "(0,0) (0,1)\n"
    assert guess_format(Source("a.txt", text)) == "cells"
    with pytest.raises(PuzzleError, match="PZ251") as caught:
        read(Source("a.txt", text), None, Report())
    assert any("--from universe" in line for line in caught.value.diagnostics[0].helps)


@pytest.mark.parametrize(("text", "code"), [(BOARD, "PZ309"), (BOARD + "(0,0) (0\n", "PZ291"), ("# none\n", "PZ309")])
def test_an_invalid_board_with_pieces_is_refused(text: str, code: str) -> None:
    with pytest.raises(PuzzleError, match=code):
        universe(text)
