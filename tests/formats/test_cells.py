"""Lists of cells: all usual forms of a piece have the same meaning, and known puzzles have their known counts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import guess_format, read
from puzzlec.geometry import find_library
from puzzlec.ir import Puzzle
from puzzlec.lower import place

SOMA = {piece: shape.cells for piece, shape in find_library("soma").shapes.items()}

#: The Bedlam cube's thirteen pieces, as digits xyz.
BEDLAM = """010 100 110 120 210
000 010 011 020 110; 000 010 020 120 121; 000 100 010 020 021
000 010 110 120 220; 000 010 110 120 210; 000 010 020 110 111
000 010 020 100 001; 000 010 011 021 100; 000 010 020 021 110
000 010 011 021 110; 000 010 011 111 121; 000 010 100 101"""


def puzzle_of(text: str, board: str = "3x3x3") -> Puzzle:
    what = read(Source("pieces.cells", text), "cells", Report(), board)
    assert isinstance(what, Puzzle)
    return what


def brackets(cells: tuple[tuple[int, ...], ...], signs: str, between: str = ",") -> str:
    opened, closed = signs[0], signs[1]
    inner = (opened + ",".join(map(str, cell)) + closed for cell in cells)
    return opened + between.join(inner) + closed


def digits(cells: tuple[tuple[int, ...], ...]) -> str:
    return " ".join("".join(map(str, cell)) for cell in cells)


FORMS = {
    "digits": "\n".join(f"{name}: {digits(cells)}" for name, cells in SOMA.items()),
    "digits of one line": ";".join(f"{name}={digits(cells)}" for name, cells in SOMA.items()),
    "commas": "\n".join(f"{name}: {brackets(cells, '  ').strip()}" for name, cells in SOMA.items()).replace(" , ", " "),
    "tuples": "\n".join(f"{name} = {brackets(cells, '()', ' ')[1:-1]}" for name, cells in SOMA.items()),
    "JSON": "{" + ", ".join(f'"{name}": {brackets(cells, "[]")}' for name, cells in SOMA.items()) + "}",
    "Python": "\n".join(f"{name} = {brackets(cells, '()')}  # {name}" for name, cells in SOMA.items()),
    "Mathematica": "\n".join(f"{name} = {brackets(cells, '{}')};" for name, cells in SOMA.items()),
    "C": "\n".join(
        f"static const int {name}[4][3] = {brackets(cells, '{}')}; // {name}" for name, cells in SOMA.items()
    ),
    "MATLAB": "\n".join(
        f"{name} = [{'; '.join(' '.join(map(str, cell)) for cell in cells)}];" for name, cells in SOMA.items()
    ),
    "tables": "\n".join(f"{name}\t" + digits(cells).replace(" ", "\t") for name, cells in SOMA.items()),
    "a numbered list": "\n".join(f"{k}. {name}: {digits(cells)}" for k, (name, cells) in enumerate(SOMA.items(), 1)),
    "a heading": "Here are the seven pieces:\n\n"
    + "\n".join(f"{name}: {digits(cells)}" for name, cells in SOMA.items()),
    "a short heading": "Soma pieces:\n" + "\n".join(f"{name} {digits(cells)}" for name, cells in SOMA.items()),
    "C++": "\n".join(
        f"const std::vector<std::array<int, 3>> {name} = {brackets(cells, '{}')};" for name, cells in SOMA.items()
    ),
    "numpy": "\n".join(f"{name} = np.array({brackets(cells, '[]')})" for name, cells in SOMA.items()),
    "semicolons": "\n".join(
        f"{name}: {' '.join('({};{};{})'.format(*cell) for cell in cells)}" for name, cells in SOMA.items()
    ),
    "columns of MATLAB": "\n".join(
        f"{name} = {{{', '.join('[{};{};{}]'.format(*cell) for cell in cells)}}};" for name, cells in SOMA.items()
    ),
    "names above": "\n".join(f"{name}:\n{digits(cells)}" for name, cells in SOMA.items()),
    "digits in quotes": "\n".join(
        f"{name}: [{', '.join(repr(digits((cell,))) for cell in cells)}]" for name, cells in SOMA.items()
    ),
    "digits in brackets": "\n".join(f"{name}: [{digits(cells).replace(' ', ', ')}]" for name, cells in SOMA.items()),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_soma_cube_is_read_from_each_form(form: str) -> None:
    puzzle = puzzle_of(FORMS[form])
    assert {piece.name: piece.cells for piece in puzzle.pieces} == SOMA


def test_the_soma_cube_has_its_solutions() -> None:
    puzzle = puzzle_of(FORMS["C"])
    assert puzzlec.count(puzzle) == 240
    assert puzzlec.count(puzzle, symmetry="none") == 11520


def test_pieces_without_names_are_numbered_in_one_list_too() -> None:
    lists = "[" + ",".join(brackets(cells, "[]") for cells in SOMA.values()) + "]"
    lines = "\n".join(digits(cells) for cells in SOMA.values())
    for text in (lists, f"pieces = {lists}", lines):
        assert [piece.name for piece in puzzle_of(text).pieces] == list("0123456")


def test_the_bedlam_cube_is_read_from_its_digits() -> None:
    puzzle = puzzle_of(BEDLAM, "4x4x4")
    assert [len(piece.cells) for piece in puzzle.pieces] == [5] * 12 + [4]
    ours = read(Source("a.puzzle", "lattice cubic\nlocations box 4x4x4\npieces bedlam\n"), "puzzle", Report())
    assert isinstance(ours, Puzzle)
    found, known = (
        [set(map(frozenset, piece.placements)) for piece in place(version).pieces] for version in (puzzle, ours)
    )
    assert len(found) == len(known) == 13
    assert all(placements in known for placements in found)
    assert all(found.count(placements) == 1 for placements in found)


def test_flat_pieces_lie_on_squares_or_in_space() -> None:
    pentominoes = find_library("pentominoes").shapes
    text = "\n".join(f"{name}: {digits(shape.cells)}" for name, shape in pentominoes.items())
    flat, solid = puzzle_of(text, "20x3"), puzzle_of(text, "3x4x5")
    assert (flat.lattice and flat.lattice.name, solid.lattice and solid.lattice.name) == ("square", "cubic")
    assert puzzlec.count(flat) == 2
    assert puzzlec.count(puzzle_of(text, "3")) == 2
    assert sum(len(piece.placements) for piece in place(solid).pieces) == 2440


@pytest.mark.parametrize("text", ["1. {}\n2. {}\n", "1) {}\n2) {}\n", "  1.  {}\n\t2. {}\n"])
def test_the_pieces_of_a_numbered_list_have_its_numbers(text: str) -> None:
    for cells in ("000 100 010", "(0,0,0), (1,0,0), (0,1,0)", "0,0,0 1,0,0 0,1,0"):
        pieces = puzzle_of(text.format(cells, cells)).pieces
        assert [(piece.name, len(piece.cells)) for piece in pieces] == [("1", 3), ("2", 3)]


def test_a_vector_of_pieces_in_cpp_is_a_list_of_pieces() -> None:
    puzzle = puzzle_of("std::vector<Piece> p = {{{0,0,0},{1,0,0}},{{0,0,0}}};")
    assert [len(piece.cells) for piece in puzzle.pieces] == [2, 1]


def test_a_word_and_a_name_above_cells_are_not_a_heading() -> None:
    assert [piece.name for piece in puzzle_of("piece V:\n000 100\npiece I:\n000 010\n").pieces] == ["V", "I"]
    assert [piece.name for piece in puzzle_of("piece one:\n000 100\n").pieces] == ["one"]


@pytest.mark.parametrize("board", ["3X3x3", "3*3*3", "3 x 3 x 3", "3×3×3", " 3x3x3 "])
def test_the_sizes_of_a_board_may_have_other_signs_between(board: str) -> None:
    assert puzzle_of(FORMS["digits"], board).locations == puzzle_of(FORMS["digits"]).locations


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("3x3", "3 dimensions"),
        ("3", "3 dimensions"),
        ("0x3x3", "expected a size or a file"),
        ("3x3x3x3", "expected a size or a file"),
        ("9999x9999x9999", "too large"),
    ],
)
def test_a_board_that_does_not_suit_is_refused(board: str, words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        puzzle_of(FORMS["digits"], board)


@pytest.mark.parametrize("form", FORMS)
def test_most_forms_are_recognised_by_their_content(form: str) -> None:
    told = {"JSON": "json", "commas": None, "C": None, "MATLAB": None, "names above": None, "digits in quotes": None,
            "digits in brackets": None, "tables": None, "a heading": None, "a short heading": None, "C++": None,
            "numpy": None, "semicolons": None, "columns of MATLAB": None}  # fmt: skip
    if form not in told:
        assert guess_format(Source("pasted", FORMS[form])) == "cells"


@given(st.text("01 23,;:=[](){}\n-V\"'#/*x", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        puzzle = read(Source("any.cells", text), "cells", Report(), "2x2x2")
    except PuzzleError as error:
        assert all(diagnostic.span or diagnostic.file or diagnostic.code == "PZ252" for diagnostic in error.diagnostics)
    else:
        assert isinstance(puzzle, Puzzle)
        assert puzzle.pieces


def test_unconnected_pieces_are_reported_once() -> None:
    report = Report()
    text = "a: 000 200 010\nb: 000 110 220\nc: (0,0,0) (1,1,1)\nd: 000 300\n"
    puzzle = read(Source("x.cells", text), "cells", report, "4x4x4")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.pieces[0].cells == ((0, 0, 0), (2, 0, 0), (0, 1, 0))
    told = [(diagnostic.code, diagnostic.message, diagnostic.notes) for diagnostic in report.diagnostics]
    notes = ("its cell 2,0,0 and its first cell are in different parts", "these pieces are not connected either: `d`")
    assert told == [("PZ269", "piece `a` is not connected", notes)]
