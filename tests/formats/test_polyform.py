"""Polyform Puzzler's texts: tables of pieces, solutions and pictures, with the counts that its project publishes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlec
from puzzlec.cli.app import main
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.polyform.families import FAMILIES, family_of
from puzzlec.formats.polyform.solutions import records
from puzzlec.formats.reading import guess_format, read
from puzzlec.geometry import find_library
from puzzlec.geometry.lattice import Freedom
from puzzlec.ir import Piece, Puzzle
from puzzlec.lower import orientations, place

#: The first solution in the project's FAQ, section 3.4.
SOLUTION = """solving Pentominoes6x10:

solution 1:
1,1 2,0 2,1 2,2 3,1 X
0,0 0,1 0,2 0,3 1,0 L
3,0 4,0 4,1 4,2 5,1 F
5,0 6,0 6,1 6,2 7,0 T
1,2 1,3 2,3 3,2 3,3 U
0,4 0,5 1,4 1,5 2,4 P
2,5 3,5 4,5 5,5 6,5 I
5,2 5,3 6,3 7,3 7,4 Z
3,4 4,3 4,4 5,4 6,4 Y
7,5 8,5 9,3 9,4 9,5 V
7,1 7,2 8,0 8,1 9,0 W
8,2 8,3 8,4 9,1 9,2 N

P P I I I I I V V V
P P P Y Y Y Y Z N V
L U U U Y Z Z Z N V
L U X U F Z T W N N
L X X X F F T W W N
L L X F F T T T W W

1 solution, 906,813 searches, duration 0:19:10.133000
"""

PICTURE = SOLUTION.split("\n\n")[2] + "\n"

#: The picture of section 3.6: the layers of 3x4x5, side by side.
SOLID = """U V V V N    U W T T T    U W Z L Y
U W Z V N    X W Z T Y    U F Z L Y
X W Z V N    X P P T N    X F F L Y
I I I I I    X P P P N    F F L L Y
"""


def table(name: str, base: str, implied: bool = True) -> str:
    """Return a set of puzzlec as a class of Polyform Puzzler, without the cell at the origin if it is implied."""
    shapes = find_library(name)
    family = next(known for known in FAMILIES if known.lattice == shapes.lattice.name)
    lines = [f"class Some{base[4:].capitalize()}({base}):", "" if implied else "    implied_0 = False"]
    lines.append('    """A docstring"""\n    piece_data = {')
    for piece, shape in shapes.shapes.items():
        cells = [family.original(cell) for cell in shape.cells]
        origin = next((cell for cell in cells if not family.moves or cell[2] == 0), None)
        assert origin is not None
        moved = [(cell[0] - origin[0], cell[1] - origin[1], *(a - b for a, b in zip(cell[2:], origin[2:], strict=True)))
                 for cell in cells]  # fmt: skip
        listed = [cell for cell in moved if not implied or any(cell)]
        lines.append(f"        '{piece}': (({''.join(f'{cell}, ' for cell in listed)}), {{}}), # {piece}")
    return "\n".join([*lines, "    }", "", "    piece_colors = {'x': 'gray'}", "class Other(object):", "    pass"])


def puzzle_of(text: str, board: str | None = None, problem: str | None = None, report: Report | None = None) -> Puzzle:
    what = read(Source("a.polyform", text), "polyform", report or Report(), board, problem=problem)
    assert isinstance(what, Puzzle)
    return what


def forms(piece: Piece, puzzle: Puzzle) -> set[frozenset[tuple[int, ...]]]:
    assert puzzle.lattice is not None
    found = set()
    for orientation in orientations(piece, puzzle.lattice):
        points = [point for point, _ in orientation]
        found.add(frozenset(tuple(a - b for a, b in zip(point, min(points), strict=True)) for point in points))
    return found


@pytest.mark.parametrize(
    ("name", "base", "board"),
    [
        ("pentominoes", "Polyominoes", "10x6"), ("soma", "Polycubes", "3x3x3"), ("pentahexes", "Polyhexes", "10x11"),
        ("hexiamonds", "Polyiamonds", "6x6"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("implied", [True, False])
def test_pieces_of_all_families_are_those_of_the_libraries(name: str, base: str, board: str, implied: bool) -> None:
    puzzle, shapes = puzzle_of(table(name, base, implied), board), find_library(name)
    assert puzzle.lattice is shapes.lattice
    for piece in puzzle.pieces:
        ours = Piece("a", shapes.shapes[piece.name].cells, (None,) * len(piece.cells), piece.turns)
        assert forms(piece, puzzle) == forms(ours, puzzle)


def test_counts_of_pieces_on_a_board_are_the_known_ones() -> None:
    assert puzzlec.count(puzzle_of(table("pentominoes", "Polyominoes"), "20x3")) == 2
    assert puzzlec.count(puzzle_of(table("soma", "Polycubes"), "3x3x3")) == 240
    solid = place(puzzle_of(table("pentominoes", "Polyominoes"), "3x4x5"))
    assert sum(len(piece.placements) for piece in solid.pieces) == 2440


@pytest.mark.slow
def test_hexiamonds_fill_the_rhombus_of_side_six_in_156_ways() -> None:
    # Polyform Puzzler's page of hexiamonds has the same number.
    assert puzzlec.count(puzzle_of(table("hexiamonds", "Polyiamonds"), "6x6")) == 156


def test_a_table_without_solutions_is_also_read() -> None:
    bare = "'V': (((0,1), (1,0)), {}),\n'O': ((), {}),"
    for text in (
        bare,
        "{" + bare + "}",
        "piece_data = {" + bare + "}",
        "x.piece_data = {\n# V\n" + bare + "}\nx = 3.5 @",
    ):
        assert [(piece.name, len(piece.cells)) for piece in puzzle_of(text, "2x2").pieces] == [("V", 3), ("O", 1)]


def test_a_class_is_chosen_by_its_name() -> None:
    text = table("pentominoes", "Polyominoes") + "\n\n" + table("soma", "Polycubes")
    report = Report()
    assert len(puzzle_of(text, "10x6", None, report).pieces) == 12
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ298"]
    assert len(puzzle_of(text, "3x3x3", "SomeCubes").pieces) == 7


@pytest.mark.parametrize(
    ("options", "freedom"),
    [("{}", Freedom.FREE), ("{'flips': None}", Freedom.ONE_SIDED),
     ("{'flips': None, 'rotations': None}", Freedom.FIXED)],
)  # fmt: skip
def test_the_options_of_a_piece_give_its_freedom(options: str, freedom: Freedom) -> None:
    puzzle = puzzle_of(f"piece_data = {{'F': (((-1,-1), (0,-1), (1,0), (0,1)), {options})}}", "3x3")
    assert puzzle.lattice is not None
    assert puzzle.pieces[0].turns == puzzle.lattice.turns(freedom)


@pytest.mark.parametrize(
    ("name", "lattice"),
    [("PentacubesDiamondTower", "cubic"), ("SolidPentominoes3x4x5", "cubic"), ("SomaCubes", "cubic"),
     ("HexominoesTriangle", "square"), ("OneSidedPentominoes", "square"), ("HexiamondsHexagon", "triangle"),
     ("Diamond", "triangle"), ("Triamond", "triangle"), ("TetrasticksDiamond", "sticks"), ("Polyhexes1234", "hex"),
     ("HexatwigsHexagon", "twigs"), ("TritrigsHexagon", "trigs"), ("MyPuzzle Polyhexes", "hex")],
)  # fmt: skip
def test_the_name_of_a_class_gives_the_family(name: str, lattice: str) -> None:
    family = family_of(name, 2)
    assert family is not None
    assert family.lattice == lattice


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.lattice)
@given(x=st.integers(-9, 9), y=st.integers(-9, 9), z=st.integers(0, 2))
def test_cells_return_unchanged_from_the_lattices_of_puzzlec(family: object, x: int, y: int, z: int) -> None:
    own = next(known for known in FAMILIES if known is family)
    cell = (x, y, min(z, len(own.moves) - 1))[: own.coordinates] if own.moves else (x, y, z)[: own.coordinates]
    assert own.original(own.place(cell)) == cell


@pytest.mark.slow
def test_a_solution_is_one_of_the_puzzle_that_it_makes() -> None:
    puzzle = puzzle_of(SOLUTION)
    assert puzzle.title == "Pentominoes6x10"
    assert puzzlec.count(puzzle) == 2339
    assert puzzlec.count(puzzle_of(PICTURE)) == 2339
    assert puzzlec.count(puzzle_of(SOLID)) == 3940


@pytest.mark.parametrize("text", [SOLUTION, PICTURE, SOLID], ids=["coordinates", "picture", "layers"])
def test_the_pieces_of_a_solution_fill_its_cells(text: str) -> None:
    puzzle = puzzle_of(text)
    places = {location.at for location in puzzle.locations}
    assert len(places) == 60
    assert set().union(*(piece.cells for piece in puzzle.pieces)) == places
    assert sorted(piece.name for piece in puzzle.pieces) == list("FILNPTUVWXYZ")


def test_a_picture_and_its_coordinates_mean_the_same() -> None:
    both = [{piece.name: set(piece.cells) for piece in puzzle_of(text).pieces} for text in (SOLUTION, PICTURE)]
    assert both[0] == both[1]


def test_solutions_are_chosen_by_number_if_their_cells_differ() -> None:
    text = "solution 7:\n0,0 0,1 I\n\nI\nI\n\nat 2006-09-23, solution 8:\n0,0 1,0 I\n"
    report = Report()
    assert puzzle_of(text, None, None, report).pieces[0].cells == ((0, 0), (0, 1))
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ298"]
    assert puzzle_of(text, None, "8").pieces[0].cells == ((0, 0), (1, 0))
    same = text.replace("0,0 1,0", "0,1 0,0")
    report = Report()
    puzzle_of(same, None, None, report)
    assert not report.diagnostics
    assert [record.number for record in records(Source("a", same))] == ["7", "8"]


def test_a_piece_that_is_left_out_gets_a_warning() -> None:
    report = Report()
    assert len(puzzle_of("solution 1:\n! H\n0,0 0,1 I\n\n(H omitted)\nI\nI\n", None, None, report).pieces) == 1
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["PZ295"]


def test_pieces_of_a_one_sided_puzzle_are_not_turned_over() -> None:
    puzzle = puzzle_of("solving OneSidedTetrominoes:\n\nsolution 1:\n0,0 1,0 1,1 2,1 s\n")
    assert puzzle.lattice is not None
    assert puzzle.pieces[0].turns == puzzle.lattice.rotations


def test_crossings_in_lists_of_early_versions_are_ignored() -> None:
    puzzle = puzzle_of("solving Tetrasticks5x5:\n\nsolution 1:\n0,0,0 1,0,0 1,1i 2,0,0 3,0,0 I\n\n -I-- -I--\n")
    assert puzzle.lattice is not None
    assert puzzle.lattice.name == "sticks"
    assert len(puzzle.locations) == 4


@pytest.mark.parametrize("text", [SOLUTION, table("soma", "Polycubes")], ids=["solution", "pieces"])
def test_texts_are_recognised_by_their_content(text: str) -> None:
    assert guess_format(Source("pasted", text)) == "polyform"


def test_solutions_are_answers_that_lift_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.puzzle").write_text("locations box 10x6\npieces pentominoes\n")
    (tmp_path / "a.txt").write_text(SOLUTION)
    monkeypatch.setattr(
        sys, "argv", ["puzzlec", "check", "--to", "text", str(tmp_path / "a.puzzle"), str(tmp_path / "a.txt")]
    )
    try:
        main()
    except SystemExit as end:
        assert not end.code
    assert "1 solution, and it is right" in capsys.readouterr().err


@given(st.text("01,: \nAB(){}'!i", max_size=50), st.sampled_from(["solution 1:\n", "piece_data = {'A': ", ""]))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str, before: str) -> None:
    try:
        puzzle = read(Source("any.polyform", before + text), "polyform", Report(), None)
    except PuzzleError as error:
        assert all(diagnostic.span or diagnostic.file for diagnostic in error.diagnostics)
    else:
        assert isinstance(puzzle, Puzzle)


def test_text_around_a_table_causes_no_warning_of_python() -> None:
    # `filterwarnings = error` turns a SyntaxWarning into a failure.
    text = "class Ls:\n    piece_data = {'L': (((0,1), (0,2), (1,2)), {})}\n    x = 1if 2else 3\n"
    assert [piece.name for piece in puzzle_of(text, "3x1").pieces] == ["L"]
