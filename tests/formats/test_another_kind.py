"""Texts of other kinds in files of the puzzle language get one error, at the first line, with a working suggestion."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import puzzlec
from puzzlec.compiler import load
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.formats.reading import read

BURRTOOLS = """<?xml version="1.0"?>
<puzzle version="2">
<gridType type="0"/>
<colors/>
<shapes>
<voxel x="2" y="1" z="1" type="0">##</voxel>
<voxel x="2" y="2" z="1" type="0">####</voxel>
</shapes>
<problems>
<problem state="0"><shapes><shape id="0" count="2"/></shapes><result id="1"/><bitmap/></problem>
</problems>
</puzzle>
"""

SUDOKU = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"

#: Texts that puzzlec can read, by format, with the board of those that are only pieces.
READ: dict[str, tuple[str, str | None]] = {
    "xmpuzzle": (BURRTOOLS, None),
    "piezas": ('<PIEZAS><PIEZA Nombre="L" Ancho="2" Alto="1" Contenido="11"/></PIEZAS>\n', "2x1"),
    "dlx": ("| a comment\na b c d\na b\nc d\n", None),
    "rows": ("1 0 1\n0 1 0\n1 1 1\n", None),
    "dpf": ("6 3\n2  2 0 1  2 2 3\n3  2 0 2  2 2 4  2 4 5\n2  2 1 3  2 3 5\n", None),
    "sudoku": (SUDOKU + "\n", None),
    "board": ("xxxxx\nxxxxx\n", None),
    "cells": ("[[[0, 0], [1, 0]], [[0, 0], [0, 1]]]\n", "2x2"),
    "polyform": ("class Dominoes:\n    piece_data = {'D': (((1,0),), {})}\n", "2x1"),
}

#: Texts that puzzlec cannot read, with the code and the beginning of the message.
UNREAD = {
    "Python": ("# solve it\nimport sys\n\nfor piece in sys.argv:\n    print(piece)\n", "PZ004", "text of a program"),
    "C": ("#include <stdio.h>\nint main(void) {\n  return 0;\n}\n", "PZ004", "text of a program"),
    "JavaScript": ("const n = 3;\nfunction solve() { return n; }\n", "PZ004", "text of a program"),
    "JSON": ('{"name": "L", "shape": [[1]]}\n', "PZ004", "JSON of another program, with the keys `name`, `shape`"),
    "XML": ('<?xml version="1.0"?>\n<game>\npiece A { xx }\n</game>\n', "PZ004", "XML with the root element `game`"),
    "SVG": ('<svg xmlns="http://www.w3.org/2000/svg"/>\n', "PZ008", "this is a picture, not a puzzle"),
    "HTML": ("<!DOCTYPE html>\n<html></html>\n", "PZ008", "this is an HTML page, not a puzzle"),
    "clauses": ("p cnf 2 1\n1 2 0\n", "PZ008", "cannot read the format `cnf`"),
    "MiniZinc": ('include "globals.mzn";\nint: n = 3;\nsolve satisfy;\n', "PZ008", "cannot read the format `mzn`"),
    "numbers": ("1 47\n35 52\n", "PZ004", "2 lines of 2 numbers"),
}


def refusal(text: str, name: str = "my.puzzle", format: str | None = None) -> Diagnostic:
    """Return the only diagnostic of a text."""
    with pytest.raises(PuzzleError) as raised:
        read(Source(name, text), format, Report())
    (found,) = raised.value.diagnostics
    return found


@pytest.mark.parametrize("format", READ)
def test_a_text_of_another_format_is_read_with_the_suggested_name_and_the_suggested_option(
    format: str, tmp_path: Path
) -> None:
    text, board = READ[format]
    path = tmp_path / "my.puzzle"
    path.write_text(text)
    found = refusal(text, str(path))
    assert (found.code, found.message) == ("PZ107", f"expected the puzzle language, found the format `{format}`")
    assert str(found.span) == f"{path}:1:1"
    (help,) = found.helps
    suggested = re.fullmatch(r"rename it to (\S+), or add `--from (\w+)`", help)
    assert suggested
    meant = load(str(path), format=suggested[2], board=board)
    path.rename(suggested[1])
    assert puzzlec.convert(load(suggested[1], board=board), "json") == puzzlec.convert(meant, "json")


@pytest.mark.parametrize("kind", UNREAD)
def test_a_text_that_puzzlec_cannot_read_is_one_error_that_names_its_kind(kind: str) -> None:
    text, code, words = UNREAD[kind]
    found = refusal(text)
    assert (found.code, found.message.removeprefix("unknown format: ")[: len(words)]) == (code, words)
    assert str(found.span) == ("my.puzzle:2:1" if kind == "Python" else "my.puzzle:1:1")
    assert found.helps


def test_a_text_that_suits_several_formats_names_each() -> None:
    found = refusal("int[][] L = {{1,0, 0,1}, {1,0, 1,1}};\n")
    assert (found.code, found.helps) == ("PZ223", ("choose with `--from offsets`", "choose with `--from rows`"))


def test_a_text_without_the_name_of_a_file_gets_the_option_alone() -> None:
    assert refusal(SUDOKU, "<stdin>", "puzzle").helps == ("add `--from sudoku`",)
    with pytest.raises(PuzzleError, match="found the format `sudoku`"):
        puzzlec.parse(SUDOKU)


def test_the_suggested_name_keeps_the_extension_of_a_compressed_file() -> None:
    assert refusal(SUDOKU, "a b.puzzle.gz").helps == ("rename it to 'a b.sudoku.gz', or add `--from sudoku`",)


@pytest.mark.parametrize(
    "text",
    [
        "peice A { xx }\n",
        "locatoins box 2x2\npeice A { xx/xx }\n",
        "import soma\nlocations box 3x3x3\n",
        "include soma\nlocations box 3x3x3\n",
        "title soma\npieces soma\n",
        "Dear reader,\nhere is a file\nwithout any puzzle.\n",
        "pentominoes\n",
        "# A heading\n\nSome words.\n",
    ],
)
def test_a_text_that_may_be_meant_as_the_puzzle_language_gets_its_usual_errors(text: str) -> None:
    with pytest.raises(PuzzleError) as raised:
        read(Source("my.puzzle", text), None, Report())
    assert raised.value.diagnostics[0].code == "PZ102"


def test_other_formats_are_not_tried_on_a_valid_text_or_after_a_first_statement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import puzzlec.formats.foreign as module

    monkeypatch.setattr(module, "foreign", lambda source: pytest.fail(f"tried {source.text}"))
    assert puzzlec.parse("locations box 2x1\npiece A { xx }\n")
    for text in ("locations box 2x1\npiece A { xxx }\nxx\n", "locations box\n"):
        with pytest.raises(PuzzleError):
            puzzlec.parse(text)
