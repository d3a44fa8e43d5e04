"""Drawn pieces, IQ Puzzler texts and partly filled boards: their meaning, and cases that are not guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

import puzzlec
from puzzlec.compiler import load
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.formats.reading import guess_format, read
from puzzlec.geometry import find_library
from puzzlec.ir import Puzzle

#: The twelve pentominoes, drawn in `X` with spaces.
PENTOMINOES = "\n\n".join(
    "\n".join(
        "".join("X" if (x, y) in shape.cells else " " for x in range(1 + max(cell[0] for cell in shape.cells))).rstrip()
        for y in range(1 + max(cell[1] for cell in shape.cells))
    )
    for shape in find_library("pentominoes").shapes.values()
)

#: A partly filled board of Kanoodle: five pieces are placed.
PLACED = "FFKKJJJJ...\nFLKK.......\nLLL........\nAL.........\nAAA........\n"

TROMINOES = "AAA\nB\nBB\n"


def puzzle_of(text: str, format: str | None = None, board: str | Source | None = None, **more: str) -> Puzzle:
    report = Report()
    puzzle = read(Source("a.txt", text), format, report, board, **more)  # type: ignore[arg-type]
    assert isinstance(puzzle, Puzzle)
    assert not report.diagnostics, report.diagnostics
    return puzzle


def fault(text: str, format: str | None = None, board: str | None = None, problem: str | None = None) -> Diagnostic:
    with pytest.raises(PuzzleError) as caught:
        read(Source("a.txt", text), format, Report(), board, problem=problem)
    assert all(diagnostic.span or diagnostic.file for diagnostic in caught.value.diagnostics)
    return caught.value.diagnostics[0]


# Drawn pieces


def test_drawn_pentominoes_fill_a_drawn_board(tmp_path: Path) -> None:
    pieces, board = tmp_path / "five.txt", tmp_path / "frame.txt"
    pieces.write_text(PENTOMINOES)
    board.write_text("\n".join(["#" * 8] * 3 + ["###  ###"] * 2 + ["#" * 8] * 3) + "\n")
    puzzle = load(str(pieces), board=str(board))
    assert isinstance(puzzle, Puzzle)
    assert (len(puzzle.pieces), len(puzzle.locations)) == (12, 60)
    assert puzzlec.count(puzzle) == 65
    assert guess_format(Source("a", PENTOMINOES)) == "drawn"


def test_pieces_are_named_by_lines_letters_or_numbers() -> None:
    assert [piece.name for piece in puzzle_of("big one:\nXX\nX\n\nI:\nXX", board="5x1").pieces] == ["big one", "I"]
    assert [piece.name for piece in puzzle_of("AA\nA\n\n// a bar\nBB\n", board="5x1").pieces] == ["A", "B"]
    assert [piece.name for piece in puzzle_of("XX\nX\n\nXX\n", board="5x1").pieces] == ["1", "2"]


def test_equal_pieces_without_names_are_copies() -> None:
    puzzle = puzzle_of("XX\nX\n\n X\nXX\n\nXX\n", board="4x2")
    assert [(piece.name, piece.low, piece.high) for piece in puzzle.pieces] == [("1", 2, 2), ("3", 1, 1)]
    assert len(puzzle_of("AA\nA\n\n B\nBB\n", board="3x2").pieces) == 2


@pytest.mark.parametrize(
    "text", ["XXX\n X\n", "@@@\n.@.\n", "  XXX\n   X\n", "X X X\n. X .\n", "1 1 1\n0 1 0\n", "111\n010\n"]
)
def test_empty_is_a_space_or_a_dot_and_characters_may_be_spaced(text: str) -> None:
    cells = puzzle_of(text, "drawn", "4x1").pieces[0].cells
    low = min(x for x, _ in cells)
    assert {(x - low, y) for x, y in cells} == {(0, 0), (1, 0), (2, 0), (1, 1)}


def test_drawn_pieces_may_lie_in_space() -> None:
    assert puzzlec.count(puzzle_of("XX\nX\n\nXX\nXX\n\nX", board="2x2x2")) == 1


@pytest.mark.parametrize(
    ("text", "words", "place"),
    [
        ("XX\nXY\n", "unexpected `Y` in a drawing of `X`", "2:2"),
        ("AA\nBB\n", "unexpected `B` in a drawing of `A`", "2:1"),
        ("XX\n\tX\n", "unexpected tab", "2:1"),
        ("XX\n\n...\n", "missing cells", "3:1"),
    ],
)
def test_a_drawing_that_cannot_be_read_is_pointed_at(text: str, words: str, place: str) -> None:
    found = fault(text, "drawn", "2x1")
    assert found.code == "PZ224"
    assert words in found.message
    assert str(found.span).endswith(place)


def test_a_drawn_board_is_one_drawing_and_for_flat_pieces() -> None:
    two = Source("b", "XX\n\nXX\n")
    with pytest.raises(PuzzleError, match="a board is one drawing"):
        read(Source("a", "XX\n"), "drawn", Report(), two)
    with pytest.raises(PuzzleError, match="pieces on the lattice square"):
        read(Source("a", "V: 000 100"), "cells", Report(), Source("b", "XX\n"))
    assert puzzlec.count(puzzle_of("V: 00 10 01\n", "cells", Source("b", " #\n##\n"))) == 1


def test_a_board_that_is_neither_a_size_nor_a_file_is_refused(tmp_path: Path) -> None:
    pieces = tmp_path / "a.poly"
    pieces.write_text("XX\n")
    with pytest.raises(PuzzleError, match="expected a size or a file"):
        load(str(pieces), board=str(tmp_path / "missing.txt"))


# Texts with two meanings


def test_a_text_with_two_meanings_is_refused_and_from_selects_one() -> None:
    both = "xxx\nx..\n\nxxx\n"
    found = fault(both)
    assert found.code == "PZ223"
    assert found.helps == ("choose with `--from drawn`", "choose with `--from board`")
    assert len(puzzle_of(both, "drawn", "7x1").pieces) == 2
    one = "QQ.........\nQ..........\n" + "...........\n" * 3
    assert [fault(one).code, "`kanoodle` or as `drawn`" in fault(one).message] == ["PZ223", True]


@pytest.mark.parametrize(
    "text", ["L..........\n" + "...........\n" * 4, "#    #      ##\n   #   #    ##", "xx\nx.\n\nxxx\n"]
)
def test_a_format_that_cannot_read_a_text_is_not_offered(text: str) -> None:
    assert guess_format(Source("a.txt", text)) == "drawn"


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("xx.\nxxx\n", "board"), ("XX.\nXXX\n", "drawn"), ("###\n\n##\n", "drawn"), (PLACED, "kanoodle"),
        ("===\n =\n", "drawn"),
        ("2 3 2\nDEFAULT\n" + TROMINOES, "iqpuzzler"), ("2 3 2\n" + TROMINOES, "iqpuzzler"), ("# a remark\n", "puzzle"),
        ("locations box 2x1\npiece D { xx }\n", "puzzle"), ("a b\na b\n", "dlx"), ("2 1\n1 2 0 1\n", "dpf"),
        ("111\n101\n", "rows"),
    ],
)  # fmt: skip
def test_the_format_of_a_text_is_known(text: str, format: str) -> None:
    assert guess_format(Source("a.txt", text)) == format


# IQ Puzzler texts


def test_an_iq_puzzler_text_has_rows_columns_pieces_and_a_kind_of_board() -> None:
    puzzle = puzzle_of("2 3 2\nDEFAULT\n" + TROMINOES)
    assert puzzle.locations[-1].at == (2, 1)
    assert fault_codes(puzzle) == []
    assert puzzlec.count(puzzle_of("2 4 2\ndefault\nAAAA\n   A\nBBB\n")) == 1
    custom = puzzle_of("3 4 2\nCUSTOM\n.X..\nXXXX\n.X..\n A\nAA\n A\nBB\n")
    assert (len(custom.locations), puzzlec.count(custom)) == (6, 1)


def fault_codes(puzzle: Puzzle) -> list[str]:
    report = Report()
    puzzlec.check(puzzle, report=report)
    return [diagnostic.code for diagnostic in report.diagnostics if diagnostic.code < "PZ4"]


def test_a_pyramid_is_of_balls_and_flat_pieces_may_be_upright() -> None:
    two = puzzle_of("2 2 2\nPYRAMID\nAA\nBB\nB\n")
    assert two.lattice is not None
    assert (two.lattice.name, len(two.locations)) == ("fcc", 5)
    assert puzzlec.count(two) > 0
    kanoodle = puzzlec.load("balls/kanoodle-pyramid")
    assert isinstance(kanoodle, Puzzle)
    drawn = puzzle_of("5 5 2\nPYRAMID\nAAA\nA\nBBB\nBB\n")  # the first two of the catalogue
    assert {location.at for location in drawn.locations} == {location.at for location in kanoodle.locations}
    assert [piece.cells for piece in drawn.pieces] == [piece.cells for piece in kanoodle.pieces[:2]]
    assert drawn.pieces[0].turns == kanoodle.pieces[0].turns


def test_a_repeated_letter_is_another_piece() -> None:
    puzzle = puzzle_of("1 4 3\nDEFAULT\nAA\nB\nA\n")
    assert [piece.name for piece in puzzle.pieces] == ["A", "B", "A2"]


@pytest.mark.parametrize(
    ("text", "code", "words", "place"),
    [
        ("2 3\nDEFAULT\n" + TROMINOES, "PZ225", "expected three numbers, found `2 3`", "1:1"),
        ("2 3 2\n" + TROMINOES, "PZ225", "expected `DEFAULT`, `CUSTOM` or `PYRAMID`, found `AAA`", "2:1"),
        ("2 3 3\nDEFAULT\n" + TROMINOES, "PZ225", "expected 3 pieces as on the first line, found 2", "1:5"),
        ("2 3 1\nDEFAULT\n" + TROMINOES, "PZ225", "expected 1 piece as on the first line, found 2", "1:5"),
        ("0 0 0\nDEFAULT\n", "PZ225", "at least 1", "1:1"),
        ("2 3 2\nCUSTOM\nXXX\nXX\n" + TROMINOES, "PZ225", "expected row 2 of 2 of the board, found `XX`", "4:1"),
        ("2 3 2\nCUSTOM\nXXX\n", "PZ225", "missing row 2 of 2 of the board", "3:4"),
        ("2 3 2\nPYRAMID\n" + TROMINOES, "PZ225", "expected a square pyramid", "1:5"),
        ("2 3 2\nDEFAULT\nAAA\nBA\n", "PZ224", "unexpected `A` in a row of `B`", "4:2"),
        ("2 3 2\nDEFAULT\nAAA\nB\n\nBB\n", "PZ224", "unexpected empty line in piece `B`", "6:1"),
        ("2 3 2\n", "PZ225", "unexpected end of file", "1:6"),
    ],
)
def test_an_iq_puzzler_text_that_cannot_be_read_is_pointed_at(text: str, code: str, words: str, place: str) -> None:
    found = fault(text, "iqpuzzler")
    assert found.code == code
    assert words in found.message
    assert str(found.span).endswith(place)
