"""Partly filled boards: letters are placed pieces, recognised by their shapes; boards for two games are refused."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.formats.reading import read
from puzzlec.ir import Puzzle

#: A partly filled board of Kanoodle: five pieces are placed.
PLACED = "FFKKJJJJ...\nFLKK.......\nLLL........\nAL.........\nAAA........\n"


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


def test_letters_of_a_partly_filled_board_are_fixed_pieces_and_the_others_are_free() -> None:
    puzzle = puzzle_of(PLACED)
    assert sorted(piece.name for piece in puzzle.pieces) == list("ABCDEFGHIJKL")
    assert sorted(rule.piece for rule in puzzle.rules.pieces) == list("AFJKL")
    zeros = PLACED.replace(".", "0")
    spaced = "\n".join(" ".join(line) for line in zeros.splitlines())
    for text in (zeros, spaced, spaced + " \n"):
        assert puzzle_of(text).rules.pieces == puzzle.rules.pieces
    solution = next(iter(puzzlec.Solutions(puzzle)))
    placed = zip(PLACED.replace("\n", ""), solution.names_on, strict=True)
    assert all(sign in (".", name) for sign, name in placed)


def test_pieces_are_recognised_by_their_shapes_under_any_name() -> None:
    numbers = PLACED.translate(str.maketrans("FKJLA", "12345"))
    found = fault(numbers, "kanoodle", problem="kano")
    assert found.code == "PZ299"
    puzzle = puzzle_of(numbers, "kanoodle")
    assert [rule.piece for rule in puzzle.rules.pieces] == ["5", "1", "3", "2", "4"]
    assert "C" not in {piece.name for piece in puzzle.pieces}
    assert {"L5", "Y5"} < {piece.name for piece in puzzle.pieces}


def test_a_board_that_suits_two_games_is_not_guessed() -> None:
    both = "QQ.........\nQ..........\n" + "...........\n" * 3
    found = fault(both, "kanoodle")
    assert found.code == "PZ223"
    assert found.helps == ("choose with `--problem kanoodle`", "choose with `--problem iq-puzzler-pro`")
    names = {piece.name for piece in puzzle_of(both, "kanoodle", problem="iq-puzzler-pro").pieces}
    assert {"S4", "T4", "Q"} < names
    assert "V3" not in names
    assert len(puzzle_of("IIIII.....\n" + "..........\n" * 5, "kanoodle").pieces) == 12


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PLACED[:-2] + "\n", "row 5 has 10 cells, the first row has 11"),
        (PLACED.replace("JJJJ.", "JJJJ0"), "free cells are `0` and `.`"),
        (PLACED.replace("JJJJ.", "JJJJ!"), "unexpected `!` in a board"),
        (PLACED.replace("JJJJ.", "JJ.J."), "the 3 cells of `J` match no piece of `kanoodle`"),
        (PLACED.replace("JJJJ...\nFLKK.......", "JJJJ...\nFLKK...MMMM"), "`M` has the same shape as `J`"),
        (PLACED.replace("\nAAA........", ""), "no known set of pieces fills a board of 44 cells"),
    ],
)
def test_a_partly_filled_board_that_cannot_be_read_is_pointed_at(text: str, words: str) -> None:
    found = fault(text, "kanoodle")
    assert found.code == "PZ224"
    assert words in found.message
