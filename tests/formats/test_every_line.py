"""Every reader uses each line of its text, or reports the lines that it does not use."""

from __future__ import annotations

import pytest

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import read
from puzzlec.formats.registry import FORMATS

JUNK = "junk line here!\n"

#: A valid text for each format, with a board for formats of pieces; several for formats that have several forms.
TEXTS = [
    ("puzzle", "locations box 2x1\npiece D { xx }\n", None),
    ("dpf", "2 1\n1 2 0 1\n", None),
    ("compact", "2 0  2  0 0  1 0   1  2 8  0 0  1 0\n", None),
    ("board", "xxxxx\n", None),
    ("piezas", '<PIEZAS>\n<PIEZA Nombre="D" Ancho="2" Alto="1" Contenido="11"/>\n</PIEZAS>\n', "2x1"),
    ("xmpuzzle", '<?xml version="1.0"?>\n<puzzle version="2"><gridType type="0"/><shapes><voxel x="1" y="1" z="1" '
     'type="0">#</voxel></shapes><problems><problem state="0"><shapes><shape id="0" count="1"/></shapes>'
     '<result id="0"/></problem></problems></puzzle>\n', None),
    ("offsets", "int[][] D = {{1,0},{0,1}};\n", "2x1"),
    ("dlx", "a b\na b\n", None),
    ("miniexact", "< a b >\na b;\n", None),
    ("miniexact", "p xc 2 0\n1 2 0\n", None),
    ("rows", "11 D\n", None),
    ("rows", "[[1, 0], [0, 1]]\n", None),
    ("rows", "2 0\n1 0\n0 1\n", None),
    ("numeric", "0,1 D\n", None),
    ("polycube", "00 01\nD 00 01\n", None),
    ("cells", "D: 00 10\n", "2x1"),
    ("polyform", "solving Dominoes:\n\nsolution 1:\n0,0 1,0 D\n\nD D\n\n1 solution, 2 searches\n", None),
    ("polyform", "class A(Polyominoes):\n    piece_data = {'D': (((0,0), (1,0)), {}),}\n", "2x1"),
    ("polyform", "{'D': (((0,0), (1,0)), {}),}\n", "2x1"),
    ("polyform", "D D D\nE E E\n", None),
    ("soma", "/SOMA000\n;the cube\n/452/755/776\n/412/465/766\n/112/432/333\n", None),
    ("sudoku", "1.3..2..2.......\n", None),
    ("tiles", "0 1 2 0\n0 0 2 1\n2 1 0 0\n2 0 0 1\n", "2x2"),
    ("universe", "00 10\n00 10\n", None),
    ("burr", "xxxxxx/xxxxxx/xx..xx/xx..xx\n" * 6, None),
    ("puzzlecad", 'burr_piece("xx");\n', "2x1x1"),
    ("puzzlecad", 'module a() {\n    burr_plate(["xx"]);\n}\n', "2x1x1"),
    ("drawn", "XX\n", "2x1"),
    ("iqpuzzler", "1 2 1\nDEFAULT\nAA\n", None),
    ("kanoodle", "AAA........\nA..........\n" + "...........\n" * 3, None),
    ("json", '{"puzzlec": 1, "stage": "fitting", "title": "q", "locations": 1, '
     '"pieces": [{"placements": [[0]]}]}\n', None),
    ("pips", '{"dominoes": [[1, 2]], "regions": [{"indices": [[0, 0], [0, 1]], "type": "sum", "target": 3}]}\n', None),
]  # fmt: skip


def diagnostics(format: str, text: str, board: str | None) -> list[str]:
    report = Report()
    try:
        read(Source("a", text), format, report, board)
    except PuzzleError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return [diagnostic.code for diagnostic in report.diagnostics]


def test_each_format_of_text_is_here() -> None:
    assert {format for format, _, _ in TEXTS} == set(FORMATS)


@pytest.mark.parametrize("junk", [JUNK, "\n" + JUNK], ids=["next line", "after an empty line"])
@pytest.mark.parametrize(("format", "text", "board"), TEXTS)
def test_a_line_of_junk_is_reported(format: str, text: str, board: str | None, junk: str) -> None:
    valid = diagnostics(format, text, board)
    if format == "polycube":
        junk = junk.replace("junk", "junk|")  # three words are a piece in this format
    assert diagnostics(format, text + junk, board) != valid


def test_a_file_of_drawn_pieces_is_not_a_picture_of_a_solution() -> None:
    assert diagnostics("polyform", "X X X\n\nXX\nX\n", None) == ["PZ294"]


def test_the_texts_themselves_are_valid() -> None:
    for format, text, board in TEXTS:
        assert diagnostics(format, text, board) == [], text
