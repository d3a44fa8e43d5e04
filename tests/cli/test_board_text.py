"""``solve --to board`` and ``show`` of pieces without a board."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import puzzlec
from puzzlec.formats.solutions.board_text import board_text
from puzzlec.ir import Puzzle
from tests.commands import command

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

BOARD = (
    "............\n.xxxxxxxxxx.\n.xxxxxxxxxx.\n.xxxxxxxxxx.\n.xxxxxxxxxx.\n.xxxxxxxxxx.\n.xxxxxxxxxx.\n............\n"
)


def test_a_board_is_printed_in_its_drawn_form_with_letters(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    path = tmp_path / "wide.board"
    path.write_text(BOARD)
    status, out, _ = command(capsys, monkeypatch, "solve", str(path), "--to", "board", "--limit", "2")
    first, second = out.split("\n\n")
    assert status == 4
    for text in (first + "\n", second):
        assert [sign == "." for sign in text] == [sign == "." for sign in BOARD]
        assert {sign: text.count(sign) for sign in "FILPSTUVWXYZ"} == dict.fromkeys("FILPSTUVWXYZ", 5)


def test_layers_are_side_by_side_and_empty_locations_are_shown(capsys: Capture, monkeypatch: Patch) -> None:
    _, out, _ = command(capsys, monkeypatch, "solve", "soma", "--to", "board")
    assert [[len(layer) for layer in row.split(" ")] for row in out.splitlines()] == [[3, 3, 3]] * 3
    puzzle = puzzlec.parse("locations box 2x1\noptional locations box 1x1 at (2,0)\npiece long { xx }\n")
    assert isinstance(puzzle, Puzzle)
    assert {board_text(solution) for solution in puzzlec.Solutions(puzzle, symmetry="none")} == {"ll?"}


def test_longer_names_have_letters_that_are_reported(tmp_path: Path, capsys: Capture, monkeypatch: Patch) -> None:
    path = tmp_path / "two.puzzle"
    path.write_text("locations box 3x1\npiece bar { xx }\npiece box { x }\n")
    _, out, err = command(capsys, monkeypatch, "solve", str(path), "--to", "board")
    assert "letters of pieces: A bar, B box" in err
    assert out in ("AAB\n", "BAA\n")


@pytest.mark.parametrize("name", ["new/cutting", "polysticks/tetrasticks-4x4"])
def test_a_puzzle_without_cells_in_rows_is_refused(name: str, capsys: Capture, monkeypatch: Patch) -> None:
    status, out, err = command(capsys, monkeypatch, "solve", name, "--to", "board")
    assert (status, out) == (2, "")
    assert "no board of text" in err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.poly", "XX\n\nXX\nX\n"),
        ("a.xml", '<PIEZAS><PIEZA Nombre="D" Ancho="2" Alto="1" Contenido="11"/>'
         '<PIEZA Nombre="L" Ancho="2" Alto="2" Contenido="1110"/></PIEZAS>'),
        ("a.offsets", "int[][] D = {{1,0}};\nint[][] L = {{1,0,0,1}};\n"),
        ("a.cells", "D: 00 10\nL: 00 10 01\n"),
        ("a.polyform", "{'D': (((0,0), (1,0)), {}), 'L': (((0,0), (1,0), (0,1)), {}),}\n"),
    ],
)  # fmt: skip
def test_pieces_are_shown_without_a_board(
    name: str, text: str, tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    path = tmp_path / name
    path.write_text(text)
    status, out, _ = command(capsys, monkeypatch, "explain", str(path))
    assert status == 0
    assert out.splitlines()[-1] == "2 pieces, 5 cells, no board"
    assert "  xx\n" in out
    _, out, _ = command(capsys, monkeypatch, "explain", str(path), "--json")
    assert [piece["cells"] for piece in json.loads(out)["pieces"]] == [2, 3]
    assert command(capsys, monkeypatch, "count", str(path))[0] == 1
