"""DPF, compact, board text, PIEZAS XML and shape arrays: the figures of their documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.compact import TABLE, TURNS, turns_number, turns_of
from puzzlec.formats.reading import guess_format, read
from puzzlec.geometry import find_lattice, find_library
from puzzlec.ir import Fitting, Location, Puzzle

DOMINOES = "6 3 2 2 0 1 2 2 3 3 2 0 2 2 2 4 2 4 5 2 2 1 3 2 3 5"
STICKS = "5 3 2 1 3 2 0 2 3 1 4 2 0 3 2 1 2 3 2 0 4 2 1 3 3 0 1 2"

PIEZAS = """<?xml version="1.0"?>
<PIEZAS>
  <PIEZA Nombre="P" Ancho="4" Alto="2" Contenido="11110010"/>
  <PIEZA Nombre="Q" Ancho="1" Alto="3" Contenido="111"/>
</PIEZAS>
"""


@pytest.mark.parametrize(("text", "number"), [(DOMINOES, 1), (STICKS, 3), ("0 0", 1), ("1 1 1 0", 0), ("1 0", 0)])
def test_the_examples_of_dpf_have_their_published_numbers_of_solutions(text: str, number: int) -> None:
    assert puzzlec.count(puzzlec.parse(text, format="dpf")) == number


def test_dpf_may_be_laid_out_and_commented_at_will() -> None:
    laid_out = "6 // locations\n3\n# pieces\n" + DOMINOES[4:].replace(" ", "\n    ")
    assert puzzlec.parse(laid_out, format="dpf") == puzzlec.parse(DOMINOES, format="dpf")


def test_doubtful_but_valid_dpf_gets_warnings() -> None:
    report = Report()
    fitting = read(Source("t.dpf", "2 2  0  3 0 2 0 1 2 1 0"), None, report)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ206", "PZ208", "PZ207"]
    assert isinstance(fitting, Fitting)
    assert [len(piece.placements) for piece in fitting.pieces] == [0, 2]


def test_the_table_of_24_rotations_is_the_rotation_group_with_the_published_rows() -> None:
    assert set(TURNS) == set(find_lattice("cubic").rotations)

    def turned(row: int) -> tuple[int, ...]:
        return tuple(sum(m * a for m, a in zip(line, (10, 20, 30), strict=True)) for line in TURNS[row])

    # Row r takes a to b with b[j] = sign(k) a[|k| - 1]: rows 1, 7, 8, 17 and 23 of the table
    assert [turned(row) for row in (1, 7, 8, 17, 23)] == [
        (20, -10, 30), (-20, -10, -30), (20, 30, 10), (-10, 30, 20), (10, 30, -20),
    ]  # fmt: skip


def test_4_turns_stay_in_the_plane_and_8_turn_over() -> None:
    square, line = find_lattice("square"), find_lattice("line")
    assert set(turns_of(square, 4)) == set(square.rotations)
    assert set(turns_of(square, 8)) == set(turns_of(square, 24)) == set(square.isometries)
    assert [turns_number(square, turns_of(square, v)) for v in range(1, 9)] == list(range(1, 9))
    assert turns_of(line, 1) == turns_of(line, 2) == line.rotations
    assert set(turns_of(line, 24)) == set(line.isometries)


def test_pentominoes_with_f_in_two_orientations_give_each_tiling_once() -> None:
    library = find_library("pentominoes")
    lines = ["2 0", "60", *(f"{x} {y}" for y in range(4) for x in range(15)), "12"]
    for name, shape in library.shapes.items():
        lines.append(f"5 {2 if name == 'F' else 8}")
        lines += [f"{x} {y}" for x, y in shape.cells]
    puzzle = puzzlec.parse("\n".join(lines), format="compact")
    fitting = puzzlec.compile(puzzle, stage="fitting")
    assert sum(len(piece.placements) for piece in fitting.pieces) == 1540
    assert puzzlec.count(puzzle) == 368


def test_coordinates_may_be_negative_and_the_board_no_box() -> None:
    puzzle = puzzlec.parse("2 0  3  -1 -1  0 -1  0 0   1  3 4  5 5  5 6  6 6", format="compact")
    assert puzzlec.count(puzzle) == 1


def test_a_board_of_text_is_filled_with_pentominoes_and_printed_with_their_letters() -> None:
    board = "xxxx....xxxx\n" * 3 + "xxxxxxxxxxxx\n" * 3
    found = puzzlec.solve(puzzlec.parse(board, format="board"), limit=3)
    seen = [str(solution).rstrip("\n") + "\n" for solution in found]
    assert len(set(seen)) == 3
    for placed in seen:
        assert [sign == "." for sign in placed] == [sign == "." for sign in board]
        assert {sign: placed.count(sign) for sign in "FILPSTUVWXYZ"} == dict.fromkeys("FILPSTUVWXYZ", 5)


def test_piezas_are_read_row_by_row_and_need_a_board() -> None:
    report = Report()
    with pytest.raises(PuzzleError) as caught:
        read(Source("t.xml", PIEZAS), None, report)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["PZ251"]
    puzzle = read(Source("t.xml", PIEZAS), None, report, "4x2")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.pieces[0].cells == ((0, 0), (1, 0), (2, 0), (3, 0), (2, 1))
    assert puzzle.locations[:5] == tuple(map(Location, [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1)]))


def test_a_board_of_one_number_has_as_many_rows_as_the_pieces_fill() -> None:
    puzzle = read(Source("t.xml", PIEZAS), None, Report(), "2")
    assert isinstance(puzzle, Puzzle)
    assert {location.at for location in puzzle.locations} == {(x, y) for x in range(2) for y in range(4)}
    with pytest.raises(PuzzleError, match="whole rows of 3"):
        read(Source("t.xml", PIEZAS), None, Report(), "3")


def test_shape_arrays_allow_only_their_listed_orientations() -> None:
    one = "int[][] F = { {1,-1,2,-1,1,0,1,1} };"
    puzzle = read(Source("t.offsets", one), None, Report(), "5x1")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.pieces[0].turns == find_lattice("square").rotations[:1]
    python = "D = [[1, 0], [0, 1]]"
    both = read(Source("t", python), None, Report(), "2x1")
    assert isinstance(both, Puzzle)
    assert both.pieces[0].turns == find_lattice("square").isometries


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("a.puzzle", "6 3", "puzzle"),
        ("x", 'puzzle "T"', "puzzle"),
        ("<stdin>", 'Puzzle "T"\nLocations box 2x2\nPiece A { xx }\n', "puzzle"),
        ("<stdin>", "LOCATIONS box 2x2", "puzzle"),
        ("x", "Pieces = [[1, 0], [0, 1]]", "offsets"),
        ("x", "# a comment\nlocations box 2x2", "puzzle"),
        ("x", "xx.\nxxx\n", "board"),
        ("x", DOMINOES, "dpf"),
        ("x", "2 0 2 0 0 1 0 1 2 8 0 0 1 0", "compact"),
        ("x", "<PIEZAS/>", "piezas"),
        ("x", "static final int[][] F = {{1,0}};", "offsets"),
    ],
)
def test_a_format_is_recognised_by_the_name_or_by_the_text(name: str, text: str, format: str) -> None:
    assert guess_format(Source(name, text)) == format


def test_a_text_of_an_unknown_form_needs_its_format() -> None:
    with pytest.raises(PuzzleError) as caught:
        guess_format(Source("x", "hello, world"))
    assert caught.value.diagnostics[0].code == "PZ004"
    assert "--from" in caught.value.diagnostics[0].helps[0]


def test_words_with_capitals_are_corrected_by_the_reader_of_puzzles() -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(
            'Puzzle "T"\nLocations box 2x2\nPiece A { xx }\n', format=guess_format(Source("<stdin>", 'Puzzle "T"'))
        )
    helps = [diagnostic.helps for diagnostic in caught.value.diagnostics]
    assert helps == [('write `puzzle "T"`',), ("write `locations box 2x2`",), ("write `piece A { xx }`",)]


def test_a_lattice_file_is_shown_by_another_command() -> None:
    with pytest.raises(PuzzleError) as caught:
        guess_format(Source("my.yaml", "vectors:\n- [1, 0]\n"))
    assert caught.value.diagnostics[0].helps == ("show the lattice with `puzzlec list lattices my.yaml`",)


def test_the_turns_of_the_compact_format_are_printed_in_the_reference() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats" / "faase.md").read_text(encoding="utf-8")
    block = page.split("<!-- the turns of the compact format -->\n```text\n")[1].split("```")[0]
    rows = re.sub(r"(?m)^ *\d+ to +\d+", "", block)
    assert rows.split() == TABLE.split()


def test_pieces_of_dpf_keep_the_numbers_of_the_file() -> None:
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse("3 2\n1 1 0\n", format="dpf")
    assert "orientations of piece 1 (numbered from 0)" in caught.value.diagnostics[0].message
