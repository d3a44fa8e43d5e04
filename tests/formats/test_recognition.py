"""Recognising the format of a text: what decides, what is never guessed, and what the refusal says."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.diagnostics.files import source_of
from puzzlec.formats.reading import SHARED_ENDINGS, guess_format, read
from puzzlec.formats.registry import FORMATS
from puzzlec.formats.writing import write

BURRTOOLS = """<?xml version="1.0"?>
<!-- two bars in a square -->
<puzzle version="2"><gridType type="0"/><colors/><shapes>
<voxel x="2" y="2" z="1" type="0">####</voxel><voxel x="2" y="1" z="1" type="0">##</voxel>
</shapes><problems><problem state="0"><shapes><shape id="1" count="2"/></shapes><result id="0"/></problem></problems>
</puzzle>
"""

PIECES = '<PIEZAS><PIEZA Nombre="I" Ancho="2" Alto="1" Contenido="11"/></PIEZAS>'


def refusal(text: str, name: str = "<stdin>") -> str:
    """Return the only diagnostic about a text that is refused without a format."""
    with pytest.raises(PuzzleError) as caught:
        read(Source(name, text), None, Report())
    (diagnostic,) = caught.value.diagnostics
    return f"{diagnostic.code}: {diagnostic.message}"


@pytest.mark.parametrize("name", ["a.xml", "a.txt", "a.XML.gz", "a", "<stdin>"])
def test_the_root_element_decides_and_not_the_extension(name: str) -> None:
    assert guess_format(Source(name, BURRTOOLS)) == "xmpuzzle"
    assert guess_format(Source(name, PIECES)) == "piezas"
    assert puzzlec.count(read(Source(name, BURRTOOLS), None, Report())) == 1


#: Texts in one format each, for files with an extension that other programs use also.
TEXTS = {
    "dlx": "a b | c\na c:1\nb c:1\n",
    "rows": "101 F\n010 G\n110 H\n",
    "puzzle": "locations box 2x1\npiece A { xx }\n",
    "dpf": "6 3 2 2 0 1 2 2 3 3 2 0 2 2 2 4 2 4 5 2 2 1 3 2 3 5",
    "xmpuzzle": BURRTOOLS,
    "piezas": PIECES,
    "cells": "V: 000 100 010\n",
    "board": "xxx\nxx.\n",
    "json": write(puzzlec.load("soma"), "json"),
}


@pytest.mark.parametrize("ending", SHARED_ENDINGS)
@pytest.mark.parametrize("format", TEXTS)
def test_the_content_decides_if_other_programs_use_the_extension(ending: str, format: str) -> None:
    assert guess_format(Source(f"a{ending}", TEXTS[format])) == format


@pytest.mark.parametrize(
    "text",
    [
        "1 47 35 52 14 29 8 59 4 61 25 40 37 16 22 51",
        "1 2 3 4 5 6 7 8 9\n",
        "1\n",
        "1 1 1 1\n",
        "1 2 3 4\n",
        "10, 20, 30, 40\n",
        "0 1\n1 0\n",
        "1 1\n1 0\n",
        "0\n1\n0\n",
        "1 - buy milk\n",
        "1 - buy milk\n1 - call home\n",
        "1 apple\n1 pear\n",
        "0 apples\n1 pear\n",
        "10 apples\n11 pears\n",
        "101 dalmatians\n",
        "1,5 kg of flour\n",
        "0,5 l of milk\n",
        "0 0\n",
        "the\nthe the\n",
        "apple\napple\n",
    ],
)
@pytest.mark.parametrize("name", ["<stdin>", "notes.txt", "notes"])
def test_a_text_of_numbers_or_notes_is_not_an_exact_cover(name: str, text: str) -> None:
    try:
        format = guess_format(Source(name, text))
    except PuzzleError as error:
        assert [diagnostic.code for diagnostic in error.diagnostics] == ["PZ004"]
    else:
        assert FORMATS[format].stage == "puzzle"
        assert FORMATS[format].pieces_only


SEEN = {
    "a list of objects": ('[{"name": "L", "shape": [[1]]}, {"id": 2}]', "with the keys `name`, `shape`, `id`"),
    "a list of numbers": ("[1, 2]", "PZ004: unknown format: JSON of another program"),
    "a JSON object": ('{"levels": 3}', "JSON of another program, with the key `levels`"),
    "many keys": (json.dumps({letter * 30: 1 for letter in "abcdef"}), "with the key `aaaaaaaaaaaaaaaa`"),
    "XML": ('<?xml version="1.0"?>\n<!-- a --><game x="1">\n</game>', "XML with the root element `game`"),
    "XML with the root of BurrTools": ("<puzzle><clue/></puzzle>", "XML with the root element `puzzle`"),
    "a text with a bracket": ("< a b", "text that begins with `< a b`"),
    "Lua": ("problem = {\n\tbox = { 4, 4, 4 },\n\tpieces = {}\n}\n", "text that begins with `problem = {`"),
    "code": ("x = [1, 2, 3]\n", "text that begins with `x = [1, 2, 3]`"),
    "a script": ("#!/bin/sh\necho hello\n", "text of a program"),
    "one line of numbers": ("1 47 35\n", "one line of 3 numbers"),
    "lines of numbers": ("3 4\n\n5 6\n7 8\n", "3 lines of 2 numbers"),
    "other lines of numbers": ("7\n1, 2, 3\n", "2 lines of 1 to 3 numbers"),
}


@pytest.mark.parametrize("kind", SEEN)
def test_the_refusal_says_what_the_text_looks_like(kind: str) -> None:
    text, words = SEEN[kind]
    found = refusal(text)
    assert found.startswith("PZ004: unknown format: ")
    assert words in found
    assert len(found.partition(": ")[2]) <= 90


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.json", '{"a": 1}'), ("a.json", "[1, 2]"), ("a.xml", "<a/>"), ("a.csv", "name,age\nA,7\n"), ("a.xml", "hello")],
)
def test_a_file_of_another_program_is_not_read_by_the_owner_of_its_extension(name: str, text: str) -> None:
    assert refusal(text, name).startswith("PZ004")


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.json", '{"a": 1', "PZ271"),
        ("a.json", '{"items": ["a"], "options": []}', "PZ274"),
        ("a.csv", "1,0,1\n0,x,1\n", "PZ287"),
        ("a.cells", "V: 0,0 1\n", "PZ292"),
    ],
)
def test_a_broken_file_is_refused_by_the_owner_of_its_extension(name: str, text: str, code: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        read(Source(name, text), None, Report())
    assert code in [diagnostic.code for diagnostic in caught.value.diagnostics]


def test_the_suggestion_of_a_refusal_works() -> None:
    with pytest.raises(PuzzleError) as caught:
        guess_format(Source("<stdin>", "7 7\n7\n"))
    assert caught.value.diagnostics[0].helps == ("add `--from` with a format of `puzzlec list formats`",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.cpp", "#include <vector>\nfor (;;) {}\nnamespace a {}\n"),
        ("a", "# include <vector>\n"),
        ("a.js", "// a comment\nconst x = [[1, 0, 0], [0, 1, 0]];\nfunction f() { return x; }\n"),
        ("a.rs", "// x\nlet x: [[i32; 3]; 2] = [[1, 2, 3], [4, 5, 6]];\nfn main() {}\n"),
    ],
)
def test_a_program_is_not_a_puzzle(name: str, text: str) -> None:
    assert refusal(text, name).startswith("PZ004: unknown format: text of a program")


def test_a_list_of_paths_is_not_a_puzzle() -> None:
    text = "/node_modules/cache\n/build/\n*.o\n"
    assert refusal(text, ".gitignore").startswith("PZ004: unknown format: text that begins with `")


def test_an_array_in_the_syntax_of_a_program_is_read_from_its_file() -> None:
    assert guess_format(Source("Shapes.java", "int[][] F = { {1,-1,2,-1,1,0,1,1} };\n")) == "offsets"


def test_an_archive_is_not_a_text() -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("_rels/.rels", "<Relationships/>")
    with pytest.raises(PuzzleError) as caught:
        source_of(archive.getvalue(), "a.nupkg")
    assert caught.value.diagnostics[0].message == "file is not text: it is a ZIP archive"


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("a b R[5:5] | R\na R=4\nb R=1\n", "dlx"),
        ("7\n1, 2, 3\n", "numeric"),
        ("1 0\n0 1\n", "rows"),
        ("7 7\n7\n", "dpf"),
        ("55" + "." * 79, "sudoku"),
        ("53..7" * 16, "sudoku"),
        ("0" * 81, "sudoku"),
        ("1234\n3412\n2143\n4321\n", "sudoku"),
        ("1...\n....\n....\n....\n", "sudoku"),
        ("<a/>", "xmpuzzle"),
        ('{"a": 1}', "json"),
        ("hello, world\n", "puzzle"),
    ],
)
def test_the_refusal_names_the_nearest_format(text: str, nearest: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        guess_format(Source("<stdin>", text))
    assert caught.value.diagnostics[0].notes == (f"the nearest format is `{nearest}`: {FORMATS[nearest].summary}",)
