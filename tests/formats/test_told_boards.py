"""Formats that hold pieces only: the board in a leading comment, and the board of an option."""

from __future__ import annotations

from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import read
from puzzlec.formats.registry import FORMATS, WRITERS
from puzzlec.formats.writing import write
from puzzlec.ir import Puzzle

PIECES_ONLY = [name for name, record in FORMATS.items() if record.pieces_only and name in WRITERS]
CUBES = "L: 000 100 010 110\nI: 000 001 002 003\n"


def board(text: str, given: str | None = None, format: str = "cells") -> tuple[int, ...]:
    """The greatest coordinates of the board of a text, which must be read without a diagnostic."""
    report = Report()
    found = read(Source("t", text), format, report, given)
    assert isinstance(found, Puzzle)
    assert not report.diagnostics
    return tuple(max(axis) for axis in zip(*(location.at for location in found.locations), strict=True))


@pytest.mark.parametrize(
    ("name", "format"),
    [
        *(("pentominoes/6x10", kind) for kind in PIECES_ONLY if kind != "puzzlecad"),
        *(("soma", kind) for kind in ("cells", "polyform", "puzzlecad")),
    ],
)
def test_a_puzzle_that_was_written_is_read_again_with_its_board(name: str, format: str) -> None:
    puzzle = puzzlec.load(name)
    assert isinstance(puzzle, Puzzle)
    text = write(puzzle, format)
    again = read(Source(f"t{FORMATS[format].endings[0]}", text), None, Report())
    assert isinstance(again, Puzzle)
    assert len(again.locations) == len(puzzle.locations)
    assert write(again, format) == text
    if name == "soma":
        assert puzzlec.count(again) == 240


def test_the_board_of_an_option_overrides_that_of_a_comment() -> None:
    assert board("# The board is 2x2x2.\n" + CUBES) == (1, 1, 1)
    assert board("# The board is 2x2x2.\n" + CUBES, "4x2x1") == (3, 1, 0)


@pytest.mark.parametrize(
    ("text", "format", "greatest"),
    [
        ("# of mine\n\n# The board is 4x1x2.\n" + CUBES, "cells", (3, 0, 1)),
        ("// The board is 4x1x2.\n" + CUBES, "cells", (3, 0, 1)),
        (
            "// ours\n// The board is 5.\nint[][] A = {{1,0}};\nint[][] B = {{0,1,0,2,0,3,0,4,0,5,0,6,0,7}};",
            "offsets",
            (4, 1),
        ),
        (
            '<?xml version="1.0"?>\n<!-- The board is 3x1. -->\n'
            '<PIEZAS><PIEZA Nombre="I" Ancho="3" Alto="1" Contenido="111"/></PIEZAS>',
            "piezas",
            (2, 0),
        ),
    ],
)
def test_the_comment_may_be_among_other_leading_comments(text: str, format: str, greatest: tuple[int, ...]) -> None:
    assert board(text, format=format) == greatest


@pytest.mark.parametrize(
    "text",
    [CUBES, CUBES + "# The board is 2x2x2.\n", "# The board is large.\n" + CUBES, "# A board is 2x2x2.\n" + CUBES],
)
def test_other_comments_mean_no_board(text: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        board(text)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["PZ251"]
    assert "`--board 3x3x3`" in caught.value.diagnostics[0].helps[0], "an example with this number of dimensions"


@pytest.mark.parametrize("told", ["2x2", "0x1x1", "9999x9999x9999", "20000x1x1"])
def test_a_wrong_board_of_a_comment_is_pointed_at(told: str) -> None:
    text = f"# cells\n# The board is {told}.\n{CUBES}"
    with pytest.raises(PuzzleError) as caught:
        board(text)
    (only,) = caught.value.diagnostics
    assert only.code == "PZ252"
    assert only.span is not None
    assert text[only.span.start : only.span.end] == told
    assert "`--board` overrides it" in only.notes[0]


def test_solutions_have_a_board_in_spite_of_a_comment() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats" / "pieces.md").read_text(encoding="utf-8")
    block = page.split("```polyform\n")[1].split("```")[0]
    assert board("# The board is 2x2.\n" + block, format="polyform") == board(block, format="polyform")
