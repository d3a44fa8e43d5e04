"""Sudokus: grids in a line, in rows, as lists and drawn; contradictions and broken grids have a place."""

from __future__ import annotations

import random

import pytest

import puzzlec
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.formats.reading import read, recognised
from puzzlec.formats.writing import write
from puzzlec.ir import Puzzle
from puzzlec.lower import place
from puzzlec.solving.grids import task_board
from tests.commands import run

ROWS = (
    "53..7....",
    "6..195...",
    ".98....6.",
    "8...6...3",
    "4..8.3..1",
    "7...2...6",
    ".6....28.",
    "...419..5",
    "....8..79",
)
LINE = "".join(ROWS)
ANSWER = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def puzzle_of(text: str, format: str | None = None, problem: str | None = None) -> Puzzle:
    puzzle = read(Source("a.txt", text), format, Report(), problem=problem)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def fault(text: str, format: str | None = "sudoku") -> Diagnostic:
    with pytest.raises(PuzzleError) as caught:
        read(Source("a.txt", text), format, Report())
    return caught.value.diagnostics[0]


def place_of(found: Diagnostic) -> tuple[int, int]:
    assert found.span is not None
    return found.span.source.position(found.span.start)


def drawn(empty: str = ".", rule: str = "------+-------+------", space: str = " ") -> str:
    bar = " | " if space else "|"
    rows = [bar.join(space.join(row[x : x + 3]) for x in (0, 3, 6)).replace(".", empty) for row in ROWS]
    return "\n".join([*rows[:3], rule, *rows[3:6], rule, *rows[6:]]) + "\n"


#: Six rows with drawn boxes of two rows and three columns.
SIX = "1..|...\n...|.2.\n-------\n..3|...\n.4.|..1\n-------\n...|5..\n..6|...\n"

FORMS = {
    "a line": LINE + "\n",
    "a line of zeros": LINE.replace(".", "0"),
    "spaced numbers in a line": " ".join(LINE.replace(".", "0")),
    "rows": "\n".join(ROWS),
    "rows of numbers": "\n".join(" ".join(row.replace(".", "0")) for row in ROWS),
    "rows of three groups": "\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in ROWS),
    "rows with commas": "\n".join(",".join(row.replace(".", "0")) for row in ROWS),
    "rows of a table with empty fields": "\n".join(",".join(row).replace(".", "") for row in ROWS),
    "a list of Python": str([[int(sign) for sign in row.replace(".", "0")] for row in ROWS]).replace("], ", "],\n"),
    "bars": drawn(),
    "tight bars": drawn(space="", rule="---+---+---"),
    "dashes as free cells": drawn(empty="-", space="", rule="---+---+---"),
    "a frame": "\n".join(["+---+---+---+", *(f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in ROWS), "+---+---+---+"]),
    "a name": "Grid 01\n" + "\n".join(ROWS),
    "sizes first": "3\n1\n" + "\n".join(" ".join(row.replace(".", "0")) for row in ROWS),
    "a name and a grade": f"0000183b305c {LINE}  1.2\n",
    "a table with solutions": f"quizzes,solutions\n{LINE.replace('.', '0')},{ANSWER}\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_usual_form_of_a_sudoku_is_recognised_and_is_the_same_puzzle(form: str) -> None:
    text = FORMS[form]
    assert recognised(Source("a.txt", text)) == "sudoku"
    puzzle, expected = puzzle_of(text), puzzle_of(LINE)
    assert (puzzle.locations, puzzle.pieces) == (expected.locations, expected.pieces)
    assert puzzle.rules.pieces == expected.rules.pieces


def test_a_sudoku_has_the_cover_and_the_drawing_of_the_starting_file() -> None:
    typed = puzzlec.load("new/sudoku")
    assert isinstance(typed, Puzzle)
    puzzle = puzzle_of(LINE)
    assert set(puzzle.locations) == set(typed.locations)
    assert puzzle.pieces == typed.pieces
    assert set(puzzle.rules.pieces) == set(typed.rules.pieces)
    assert set(puzzle.rules.regions) == set(typed.rules.regions)
    board = task_board(place(puzzle))
    assert board is not None
    assert board.signs[0, 0] == "5"
    assert board.signs[2, 0] == ""
    assert len(set(board.areas.values())) == 9


def test_the_solution_is_printed_as_rows_of_text() -> None:
    result = run("solve", "-", "--to", "board", stdin=LINE)
    assert result.stdout.split() == [ANSWER[at : at + 9] for at in range(0, 81, 9)]
    assert puzzlec.Solutions(puzzle_of(result.stdout)).count() == 1
    assert run("solve", "soma/soma", "--to", "board", "--limit", "1").returncode == 4
    assert run("solve", "langford/pairs", "--to", "board").returncode == 2


def test_a_text_may_have_several_sudokus() -> None:
    other = "8" + "." * 80
    for text in (
        f"{LINE}\n{other}\n",
        "\n".join(ROWS) + "\n\n" + other,
        "One\n" + "\n".join(ROWS) + f"\nTwo\n{other}\n",
    ):
        report = Report()
        read(Source("a.txt", text), None, report)
        assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ298"]
        assert len(puzzle_of(text, problem="1").rules.pieces) == 30
        assert len(puzzle_of(text, problem="2").rules.pieces) == 1
    assert len(puzzle_of(text, problem="two").rules.pieces) == 1
    assert puzzle_of(text, problem="two").title == "Two"


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ("1.3..2..2.......", 3),
        (SIX, 49),
    ],
)
def test_other_sizes_are_read(text: str, solutions: int) -> None:
    assert recognised(Source("a.txt", text)) == "sudoku"
    assert puzzlec.Solutions(puzzle_of(text)).count() == solutions


@pytest.mark.long
def test_grids_of_sixteen_rows_have_numbers_or_letters() -> None:
    rows = [[(4 * (y % 4) + y // 4 + x) % 16 + 1 for x in range(16)] for y in range(16)]
    numbers = "\n".join(" ".join(map(str, row)) for row in rows)
    letters = "\n".join("".join(chr(ord("A") + value - 1) for value in row) for row in rows)
    digits = "\n".join("".join("123456789ABCDEFG"[value - 1] for value in row) for row in rows)
    zeros = "\n".join("".join("0123456789ABCDEF"[value - 1] if value != 7 else "." for value in row) for row in rows)
    expected = puzzle_of(numbers)
    assert len(expected.rules.pieces) == 256
    for text in (letters, digits, letters.replace("\n", ""), digits.replace("\n", "")):
        assert puzzle_of(text).rules.pieces == expected.rules.pieces
        assert puzzlec.Solutions(puzzle_of(text)).count() == 1
    assert len(puzzle_of(zeros).rules.pieces) == 240
    assert "0" in {rule.piece for rule in puzzle_of(zeros).rules.pieces}


def test_boxes_that_are_not_drawn_are_assumed_with_a_warning() -> None:
    report = Report()
    text = "1.....\n....2.\n..3...\n.4...1\n...5..\n..6...\n"
    assert recognised(Source("a.txt", text)) != "sudoku"
    read(Source("a.txt", text), "sudoku", report)
    assert [diagnostic.message for diagnostic in report.diagnostics] == [
        "boxes are not drawn: assuming 2 rows and 3 columns"
    ]


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("55" + LINE[2:], "duplicate `5` in row 1", (1, 2)),
        ("\n".join(("53..7...5", *ROWS[1:])), "duplicate `5` in row 1", (1, 9)),
        ("\n".join((*ROWS[:8], "5...8..79")), "duplicate `5` in column 1", (9, 1)),
        ("\n".join((ROWS[0], "6..195...", ".95....6.", *ROWS[3:])), "duplicate `5` in box 1", (3, 3)),
        ("\n".join((*ROWS[:4], "4..8.3.1", *ROWS[5:])), "expected 9 cells in this row of a sudoku, found 8", (5, 1)),
        ("\n".join(ROWS[:8]), "expected 9 rows of 9 cells, found 8", (8, 1)),
        ("\n".join((*ROWS[:4], "4..8.3..!", *ROWS[5:])), "expected a row of a sudoku, found `4..8.3..!`", (5, 1)),
        (LINE[:80], "expected 81 cells in this line of a sudoku, found 80", (1, 1)),
        (LINE + ".", "expected 81 cells in this line of a sudoku, found 82", (1, 1)),
        (LINE + "\n" + LINE[:77], "expected 81 cells in this line of a sudoku, found 77", (2, 1)),
        ("Grid 1\nGrid 2\n" + LINE, "expected a row of a sudoku, found `Grid 1`", (1, 1)),
        (LINE + "\nthe end\n", "expected a row of a sudoku, found `the end`", (2, 1)),
        ("12345\n23451\n34512\n45123\n51234\n", "a grid of 5 rows has no boxes", (1, 1)),
        ("1.8.\n....\n....\n....\n", "expected a value up to 4 or a free cell, found `8`", (1, 3)),
        ("7\n" + "\n".join(ROWS), "expected a size or the number of grids, found `7`", (1, 1)),
        ("# a remark\n", "missing grid of a sudoku", (1, 11)),
        (
            " ".join("1" * 100) + "\n" + "\n".join([" ".join(["50"] * 100)] * 99),
            "the grid is too large (limit 36 rows)",
            (2, 1),
        ),
    ],
)
def test_what_is_wrong_with_a_grid_has_a_place(text: str, message: str, place: tuple[int, int]) -> None:
    found = fault(text)
    assert (found.code, found.message) == ("PZ236", message)
    assert place_of(found) == place


@pytest.mark.parametrize(
    "text",
    [
        "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n",
        "\n".join(" ".join("1" if x == (y * 3 + y // 3) % 9 else "0" for x in range(9)) for y in range(9)),
        "2 2\n0 0 1 2\n0 0 2 1\n0 0 1 2\n0 0 2 1\n",
        "1 47 35 52 14 29 8 59 4 61 25 40 37 16 22 51",
        "6 3\n 2\n  2 0 1\n  2 2 3\n 3\n  2 0 2\n  2 2 4\n  2 4 5\n 2\n  2 1 3\n  2 3 5\n",
        "deadbeefdeadbeef\n1234567812345678\n",
        "\n".join("314159265" for _ in range(9)),
        "x" * 81 + "\n",
    ],
)
def test_a_text_of_another_kind_is_not_taken_for_a_sudoku(text: str) -> None:
    assert recognised(Source("a.txt", text)) != "sudoku"


def test_numbers_at_random_are_read_or_refused_without_an_exception_of_another_kind() -> None:
    dice = random.Random(5)
    for _ in range(3000):
        signs = dice.choice(("0123456789 \n", "0123456789.|-+ \n", "ABC123.,[]\n ", "..0012 \n\n"))
        text = "".join(dice.choice(signs) for _ in range(dice.randrange(1, 200)))
        try:
            read(Source("a.txt", text), "sudoku", Report())
        except PuzzleError as error:
            assert all(found.span or found.file for found in error.diagnostics)


@pytest.mark.parametrize("text", [LINE, FORMS["a name"], SIX])
def test_what_is_written_is_read_again_as_the_same_sudoku(text: str) -> None:
    puzzle = puzzle_of(text)
    once = write(puzzle, "sudoku")
    again = puzzle_of(once)
    assert again.rules.pieces == puzzle.rules.pieces
    assert write(again, "sudoku") == once


def test_large_grids_are_written_as_numbers() -> None:
    rows = [[(4 * (y % 4) + y // 4 + x) % 16 + 1 if x != y else 0 for x in range(16)] for y in range(16)]
    puzzle = puzzle_of("\n".join(" ".join(map(str, row)) for row in rows))
    assert puzzle_of(write(puzzle, "sudoku")).rules.pieces == puzzle.rules.pieces


def test_other_puzzles_are_refused() -> None:
    for name in ("soma/soma", "queens/8", "langford/pairs"):
        result = run("convert", name, "--to", "sudoku")
        assert result.returncode == 1
        assert "PZ501" in result.stderr


@pytest.mark.parametrize("board", ["lattice line\nlocations box 4", "lattice cubic\nlocations box 2x2x2"])
def test_boards_with_one_or_three_coordinates_are_refused(board: str) -> None:
    puzzle = puzzlec.parse(f"{board}\npiece A x* {{ x }}\n")
    with pytest.raises(PuzzleError) as error:
        write(place(puzzle), "sudoku")
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["PZ501"]


@pytest.mark.parametrize("head", ["3\n1\n", "9 1\n"])
def test_an_empty_grid_is_a_sudoku_if_sizes_precede_it(head: str) -> None:
    zeros = "0 0 0 0 0 0 0 0 0\n" * 9
    assert recognised(Source("a.txt", head + zeros)) == "sudoku"
    assert recognised(Source("a.txt", zeros)) != "sudoku"


@pytest.mark.parametrize("columns", [49, 10])
def test_a_grid_that_is_too_large_is_recognised_by_its_sizes(columns: int) -> None:
    words = [str(number % 50) for number in range(49 * 49)]
    rows = [" ".join(words[at : at + columns]) for at in range(0, len(words), columns)]
    with pytest.raises(PuzzleError) as caught:
        read(Source("a.txt", "\n".join(["7", "1", *rows])), None, Report())
    assert caught.value.diagnostics[0].message == "the grid is too large (limit 36 rows)"
    with pytest.raises(PuzzleError) as caught:
        read(Source("a.txt", "\n".join(["7", "2", *rows])), None, Report())
    assert caught.value.diagnostics[0].code == "PZ004"
