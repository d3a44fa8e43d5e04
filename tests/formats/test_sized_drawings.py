"""IQ Puzzler texts with the size of each drawing before it."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import read, readings, recognised
from puzzlec.ir import Puzzle

TEXT = "3 4\n*.**\n****\n****\n3\n2 2\n A\nAA\n2 3\nB\nBBB\n2 2\nA\nAAA\n".replace("2 2\nA\nAAA", "2 3\nA\nAAA")


def puzzle_of(text: str) -> Puzzle:
    report = Report()
    puzzle = read(Source("a.txt", text), None, report)
    assert isinstance(puzzle, Puzzle)
    assert not report.diagnostics
    return puzzle


def test_drawings_with_their_sizes_are_recognised_and_read() -> None:
    assert recognised(Source("a.txt", TEXT)) is None
    assert readings(Source("a.txt", TEXT)) == ["iqpuzzler"]
    puzzle = puzzle_of(TEXT)
    assert len(puzzle.locations) == 11
    assert [piece.name for piece in puzzle.pieces] == ["A", "B", "A2"]
    assert puzzle.pieces[0].cells == ((1, 0), (0, 1), (1, 1))
    assert (
        puzzlec.Solutions(puzzle, symmetry="none").count()
        == puzzlec.Solutions(puzzle_of(TEXT.replace("*", "X")), symmetry="none").count()
    )


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        (TEXT.replace("****\n3", "*****\n3"), "row 3 of the board has 5 characters, expected 4", (4, 1)),
        (TEXT.replace("2 3\nB", "2\nB"), "expected the rows and columns of piece 2 of 3, found `2`", (9, 1)),
        (TEXT.replace("BBB", "BCB"), "unexpected `C` in piece 2 of 3", (11, 2)),
        (TEXT + "Z\n", "unexpected text after 3 pieces", (15, 1)),
        (
            TEXT.replace("\n3\n", "\n4\n"),
            "unexpected end of file: missing the rows and columns of piece 4 of 4",
            (14, 4),
        ),
        (TEXT.replace("\n3\n", "\n0\n"), "expected the number of pieces, found `0`", (5, 1)),
        ("2 2\n**\n**\n1\n2 2\n..\n..\n", "missing cells of piece 1 of 1", (7, 1)),
        ("2 3\n*\t*\n***\n1\n1 1\nA\n", "unexpected tab", (2, 2)),
        ("5000 5000\n*\n", "the board is too large (limit 1,000,000 cells)", (1, 1)),
    ],
)
def test_what_is_wrong_has_a_place(text: str, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(PuzzleError) as caught:
        read(Source("a.txt", text), "iqpuzzler", Report())
    found = caught.value.diagnostics[0]
    assert found.message == message
    assert found.span is not None
    assert found.span.source.position(found.span.start) == place
