"""Writers of boards and pieces: written texts are read again as the same puzzle; other puzzles are refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import read
from puzzlec.formats.writing import write
from puzzlec.geometry import Cell, find_lattice, find_library
from puzzlec.geometry.lattice import Freedom
from puzzlec.geometry.regions import box
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.lower import orientations

PIECES_ONLY = ("piezas", "offsets", "polyform", "cells")


def puzzle_of(text: str) -> Puzzle:
    what = read(Source("a.puzzle", text), "puzzle", Report())
    assert isinstance(what, Puzzle)
    return what


def again(text: str, format: str) -> Puzzle:
    """Return the meaning of a text on its own board."""
    told = re.search(r"The board is (\S+)\.", text)
    what = read(Source(f"a.{format}", text), format, Report(), told and told.group(1))
    assert isinstance(what, Puzzle)
    return what


def refusals(text: str, format: str) -> list[str]:
    """Return the parts of a puzzle that a format cannot store, without the code PZ501."""
    with pytest.raises(PuzzleError) as raised:
        write(puzzle_of(text), format)
    assert {diagnostic.code for diagnostic in raised.value.diagnostics} == {"PZ501"}
    assert all(diagnostic.span or diagnostic.file for diagnostic in raised.value.diagnostics)
    return [diagnostic.message for diagnostic in raised.value.diagnostics]


PENTOMINOES = "locations box 20x3\npieces pentominoes\n"
SOMA = "lattice cubic\nlocations box 3x3x3\npieces soma\n"


@pytest.mark.parametrize("format", ["board", *PIECES_ONLY])
def test_the_pentominoes_keep_their_solutions_in_each_format(format: str) -> None:
    text = write(puzzle_of(PENTOMINOES), format)
    puzzle = again(text, format)
    assert puzzlec.count(puzzle) == 2
    assert puzzlec.count(puzzle, symmetry="none") == 8
    assert write(puzzle, format) == text
    names = {"N": "S"} if format == "board" else {}
    assert {piece.name for piece in puzzle.pieces} == {names.get(name, name) for name in "FILNPTUVWXYZ"}


@pytest.mark.parametrize("format", ["polyform", "cells"])
def test_the_soma_cube_keeps_its_solutions_in_formats_of_solid_pieces(format: str) -> None:
    text = write(puzzle_of(SOMA), format)
    puzzle = again(text, format)
    assert puzzlec.count(puzzle) == 240
    assert puzzlec.count(puzzle, symmetry="none") == 11520
    assert write(puzzle, format) == text


def test_a_board_is_written_from_its_first_row_and_column_on() -> None:
    whole = puzzle_of("locations box 8x8 - box 2x2 at (3,3)\npieces pentominoes\n")
    moved = puzzle_of("locations (box 8x8 - box 2x2 at (3,3)) at (5,-7)\npieces pentominoes\n")
    text = write(whole, "board")
    assert text.splitlines()[3] == "xxx..xxx"
    assert write(moved, "board") == text
    assert {location.at for location in again(text, "board").locations} == {location.at for location in whole.locations}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SOMA, "the lattice `cubic`"),
        ("locations box 20x3\npieces pentominoes\npiece I2 { xx }\n", "found piece `I2`"),
        ("locations box 5x1\npiece I = pentominoes.I\n", "missing `F`, `L`, `S`, `P`"),
        ("locations box 20x3\npieces pentominoes fixed\n", "free pentominoes, found piece `5-1`"),
        ("locations box 20x3\noptional locations box 1x1 at (20,0)\npieces pentominoes\n", "optional"),
        ("locations box 20x3\npieces pentominoes\nforbid I at box 5x1\n", "rules"),
        ("locations box 10x3\npieces pentominoes x0..1\n", "copies"),
    ],
)
def test_a_board_text_refuses_features_that_it_lacks(text: str, words: str) -> None:
    said = refusals(text, "board")
    assert any(words in refusal for refusal in said), said


@pytest.mark.parametrize("format", PIECES_ONLY)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lattice line\nlocations box 3\npiece A { xxx }\n", "the lattice `line`"),
        ("locations box 3x3 - box 1x1 at (1,1)\npiece A { xxx/x.x/xxx }\n", "not a full box"),
        ("locations box 2x2\npiece A x2 { xx }\n", "copies"),
        ("locations box 2x2\noptional locations box 1x1 at (2,0)\npiece A { xx/xx }\n", "optional"),
        ("colours a\nlocations { aa }\npiece A { aa }\n", "colours"),
    ],
)
def test_formats_of_pieces_refuse_features_that_they_lack(format: str, text: str, words: str) -> None:
    assert any(words in refusal for refusal in refusals(text, format))


@pytest.mark.parametrize("format", ["piezas", "cells"])
def test_pieces_with_unusual_freedom_are_refused(format: str) -> None:
    assert "orientations" in refusals("locations box 4x2\npiece L fixed { xxx/x.. }\npiece J { xxx/x.. }\n", format)[0]


@pytest.mark.parametrize("format", ["offsets", "polyform"])
@pytest.mark.parametrize("freedom", ["fixed", "one-sided", "free"])
def test_formats_with_the_freedom_of_pieces_keep_it(format: str, freedom: str) -> None:
    puzzle = puzzle_of(f"locations box 4x2\npiece L {freedom} {{ xxx/x.. }}\npiece J {freedom} {{ xxx/x.. }}\n")
    text = write(puzzle, format)
    assert puzzlec.count(again(text, format), symmetry="none") == puzzlec.count(puzzle, symmetry="none")
    assert write(again(text, format), format) == text


def test_names_that_a_format_cannot_store_are_mapped_or_refused() -> None:
    strange = 'locations box 2x2\npiece "0" { xx }\npiece "a <b>&\'" { xx }\n'
    assert [piece.name for piece in again(write(puzzle_of(strange), "offsets"), "offsets").pieces] == ["_0", "a__b___"]
    for format in ("piezas", "cells", "polyform"):
        assert [piece.name for piece in again(write(puzzle_of(strange), format), format).pieces] == ["0", "a <b>&'"]
    assert "name" in refusals('locations box 2x1\npiece " a" { xx }\n', "piezas")[0]


def test_large_pieces_are_written_with_brackets() -> None:
    text = write(puzzle_of("locations box 12x1\npiece I { xxxxxxxxxxxx }\n"), "cells")
    assert "(11,0)" in text
    assert puzzlec.count(again(text, "cells"), symmetry="none") == 1


@pytest.mark.parametrize(("lattice", "board"), [("triangle", "6x6"), ("sticks", "5x5"), ("hex", "4x4")])
def test_boards_of_other_lattices_are_stated_in_columns_and_rows(lattice: str, board: str) -> None:
    names = {"triangle": "hexiamonds", "sticks": "tetrasticks", "hex": "pentahexes"}
    shapes, grid = find_library(names[lattice]), find_lattice(lattice)
    pieces = tuple(
        Piece(name, shape.cells, (None,) * len(shape.cells), grid.turns(Freedom.FREE))
        for name, shape in shapes.shapes.items()
    )
    text = (
        write(Puzzle("a", grid, (Location((0,) * grid.coordinates),), pieces[:1]), "polyform")
        if lattice == "hex"
        else ""
    )
    first = read(Source("a.polyform", text or _table(lattice, pieces)), "polyform", Report(), board)
    assert isinstance(first, Puzzle)
    again_text = write(first, "polyform")
    assert f"The board is {board}." in again_text
    assert again(again_text, "polyform") == first


def _table(lattice: str, pieces: tuple[Piece, ...]) -> str:
    base = {"triangle": "Polyiamonds", "sticks": "Polysticks"}[lattice]
    rows = (f"'{piece.name}': (({', '.join(map(str, piece.cells))},), {{}})," for piece in pieces)
    return f"class Pieces({base}):\n    implied_0 = False\n    piece_data = {{{' '.join(rows)}}}\n"


@st.composite
def polyominoes(draw: st.DrawFn, dimension: int) -> tuple[Cell, ...]:
    """Some connected cells, anywhere."""
    cells = [tuple(draw(st.integers(-20, 20)) for _ in range(dimension))]
    for _ in range(draw(st.integers(0, 5))):
        cell = list(draw(st.sampled_from(cells)))
        cell[draw(st.integers(0, dimension - 1))] += draw(st.sampled_from([-1, 1]))
        if tuple(cell) not in cells:
            cells.append(tuple(cell))
    return tuple(cells)


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=5)


@pytest.mark.long
@pytest.mark.parametrize(
    ("format", "dimension"),
    [("piezas", 2), ("offsets", 2), ("polyform", 2), ("cells", 2), ("polyform", 3), ("cells", 3)],
)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_any_pieces_return_unchanged(format: str, dimension: int, data: st.DataObject) -> None:
    lattice = find_lattice({2: "square", 3: "cubic"}[dimension])
    shapes = data.draw(st.dictionaries(NAMES, polyominoes(dimension), min_size=1, max_size=4))
    turns = lattice.turns(lattice.freedom)
    puzzle = Puzzle(
        "a",
        lattice,
        tuple(Location(cell) for cell in box([3, 2, 2][:dimension])),
        tuple(Piece(name, cells, (None,) * len(cells), turns) for name, cells in shapes.items()),
    )
    try:
        text = write(puzzle, format)
    except PuzzleError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} == {"PZ501"}
        assert all("name" in diagnostic.message for diagnostic in error.diagnostics)
        return
    found = again(text, format)
    assert len(found.pieces) == len(puzzle.pieces)
    for before, after in zip(puzzle.pieces, found.pieces, strict=True):
        assert format == "offsets" or before.name == after.name
        assert _forms(before, puzzle) == _forms(after, found)
    assert {location.at for location in found.locations} == {location.at for location in puzzle.locations}
    assert write(found, format) == text


def _forms(piece: Piece, puzzle: Puzzle) -> set[frozenset[Cell]]:
    assert puzzle.lattice is not None
    found = set()
    for orientation in orientations(piece, puzzle.lattice):
        points = [point for point, _ in orientation]
        low = [min(axis) for axis in zip(*points, strict=True)]
        found.add(frozenset(tuple(a - b for a, b in zip(point, low, strict=True)) for point in points))
    return found
