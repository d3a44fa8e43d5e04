"""Designs for puzzlecad: their pieces, copies, boards and modules, their errors, and their writing."""

from __future__ import annotations

from contextlib import suppress

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.writing import write
from puzzlec.ir import Puzzle
from tests.broken import refused

#: Stewart Coffin's Half Hour, whose six pieces fill a cube in one way.
HALF_HOUR = """\
/* Half Hour, "in a comment": burr_plate([1]); */
include <puzzlecad.scad>

$burr_scale = 17; // burr_piece("x");

burr_plate([
    ["xxx|.x.", "...|.x."],
    [".xx|xx.", "...|.x{label_text=Coffin's, at y+,label_orient=z+x+}."],
    [".x.|xxx", "...|x"], // a short layer
    [".x.|xxx"],
    "x..|xxx",
    ["x.|xx", "..|.x"],
], $burr_bevel = [for (x = [1:3]) x]);
"""

#: Cutler's Burr 305, which has one assembly.
BURR = "*burr_plate([52, 615, 792, 960, 975, 992]);\n"

DESIGNS = """\
include <puzzlecad.scad>
*first();
*second();
module box() { cube([1, 2, 3]); }
module first() { translate([0, 0, 1]) { burr_plate([["xx|x"], ["xx|.x"]], num_copies = 3); } }
module second() burr_piece("xx.|.xx");
burr_piece("x");
"""


def design(text: str, board: str | None = None, problem: str | None = None, report: Report | None = None) -> Puzzle:
    found = read(Source("a.scad", text), None, report or Report(), board, problem=problem, pieces_alone=board is None)
    assert isinstance(found, Puzzle)
    return found


def codes(text: str, problem: str | None = None) -> list[str]:
    """Return the codes of the warnings about a design, or of its errors."""
    report = Report()
    try:
        design(text, problem=problem, report=report)
    except PuzzleError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return [diagnostic.code for diagnostic in report.diagnostics]


def error(text: str) -> str:
    """Return the first error about a design, with the text at its position."""
    with pytest.raises(PuzzleError) as caught:
        design(text)
    first = caught.value.diagnostics[0]
    assert first.span is not None
    return f"{first.code} {first.message} @ {text[first.span.start : first.span.end]}"


def test_half_hour_fills_its_cube_in_one_way() -> None:
    puzzle = design(HALF_HOUR, "3x3x3")
    assert [(piece.name, len(piece.cells), piece.high) for piece in puzzle.pieces] == [
        ("1", 5, 1), ("2", 5, 1), ("3", 5, 1), ("4", 4, 1), ("5", 4, 1), ("6", 4, 1)
    ]  # fmt: skip
    assert puzzlec.count(puzzle) == 1


def test_options_of_cells_are_ignored_with_one_warning() -> None:
    report = Report()
    design(HALF_HOUR, report=report)
    (warning,) = report.diagnostics
    assert (warning.code, warning.message) == ("PZ230", "ignoring the options `label_text`, `label_orient` of cells")


def test_options_with_a_joint_warn_that_a_part_is_a_piece() -> None:
    report = Report()
    design('burr_piece(["{connect=mz+y+}", "x#"]);', report=report)
    (warning,) = report.diagnostics
    assert warning.message == "ignoring the options `connect` of cells"
    assert warning.notes == ("`connect` joins printed parts, but each part is a piece here",)


def test_a_cell_that_is_a_part_of_a_cube_is_refused() -> None:
    text = 'burr_piece("xx{components={z-,x-}}");'
    what = "PZ234 unsupported option `components`: this cell is a part of a cube @ components"
    assert error(text) == what
    assert error(text.replace("components", "label_text=A,components")) == what
    assert codes(text.replace("{components={z-,x-}}", "{label_text=components}")) == ["PZ230"]


def test_six_sticks_by_number_are_a_burr_on_the_usual_board() -> None:
    puzzle = read(Source("a.scad", BURR), None, Report())
    burr = read(Source("a.burr", "52 615 792 960 975 992"), None, Report())
    assert isinstance(puzzle, Puzzle)
    assert puzzle == burr
    assert puzzlec.count(puzzle, symmetry="rotations") == puzzlec.count(burr, symmetry="rotations") == 1


@pytest.mark.parametrize("number", [1, 52, 188, 359, 615, 760, 792, 871, 956, 975, 992, 1024])
def test_the_number_of_a_stick_is_that_of_the_library(number: int) -> None:
    """The bits of a number are the cells that the stick lacks, in the order of the definition."""
    missing = [at for at in range(12) if (number - 1) >> at & 1]
    places = [(x, y, 1) for y in (0, 1) for x in (1, 2, 3, 4)] + [(x, y, 0) for y in (0, 1) for x in (2, 3)]
    lacks = {places[at] for at in missing}
    layers = ["|".join("".join(".x"[(x, y, z) not in lacks] for x in range(6)) for y in (0, 1)) for z in (0, 1)]
    drawn = f'["{layers[0]}", "{layers[1]}"]'
    (piece,) = design(f"burr_plate([{drawn}, {number}, burr_stick({number}), burr_stick({number}, 6)]);").pieces
    assert piece.high == 4


def test_a_longer_stick_has_longer_ends() -> None:
    (piece,) = design(
        'burr_plate([burr_stick(1024, stick_length = 8), ["xxx..xxx|xxxxxxxx", "xx....xx|xx....xx"]]);'
    ).pieces
    assert (len(piece.cells), piece.high) == (22, 2)


def test_another_board_than_the_usual_one_may_be_given_for_sticks() -> None:
    six = "burr_plate([1], num_copies = 6);"
    assert len(design(six).locations) == 0
    assert len(design(six, "6x6x4").locations) == 144
    assert len(design("// The board is 6x4x6.\n" + six, "4x6x6").locations) == 144
    commented = read(Source("a.scad", "// The board is 6x4x6.\n" + six), None, Report())
    assert isinstance(commented, Puzzle)
    assert len(commented.locations) == 144


def test_pieces_that_are_not_six_sticks_need_a_board() -> None:
    for text in (HALF_HOUR, BURR.replace("52, ", ""), BURR.replace("52,", "burr_stick(52, 8),")):
        with pytest.raises(PuzzleError) as caught:
            read(Source("a.scad", text), None, Report())
        assert "PZ251" in [diagnostic.code for diagnostic in caught.value.diagnostics]


def test_rotations_are_copies_and_reflections_are_other_pieces() -> None:
    screw, rotated, reflected = '["xx|x.", "..|x."]', '["x.|x.", "..|xx"]', '["xx|.x", "..|.x"]'
    pieces = design(f"burr_plate([{screw}, {reflected}, {rotated}, {screw}]);").pieces
    assert sorted((piece.name, piece.high) for piece in pieces) in ([("1", 2), ("2", 2)], [("1", 3), ("2", 1)])
    assert len(design(f"burr_plate([{screw}, {reflected}]);").pieces) == 2


@pytest.mark.parametrize(
    ("call", "copies"),
    [
        ('burr_plate(["xx"], num_copies = 4);', 4),
        ('burr_plate(["xx"], 4);', 4),
        ('burr_plate(num_copies = 4, burr_specs = ["xx"]);', 4),
        ('burr_plate(["xx", "x|x", ["x", "x"]]); burr_piece("xx");', 4),
        ('burr_piece(burr_spec = "ab", $burr_scale = 3);', 1),
        ('burr_plate([["+x"], ["x{circle=1}+",],],);', 2),
    ],
)
def test_each_call_gives_copies(call: str, copies: int) -> None:
    (piece,) = design(call).pieces
    assert (len(piece.cells), piece.high) == (2, copies)


def test_modules_are_the_problems_of_a_text() -> None:
    report = Report()
    first = design(DESIGNS, report=report)
    assert [piece.high for piece in first.pieces] == [6]
    assert report.diagnostics[0].notes == ("they are 1 `first`, 2 `second`, 3",)
    assert len(design(DESIGNS, problem="second").pieces[0].cells) == 4
    assert len(design(DESIGNS, problem="3").pieces[0].cells) == 1
    assert codes(DESIGNS, "third") == ["PZ299"]


def test_only_the_errors_of_the_chosen_design_count() -> None:
    text = 'module a() { burr_plate([x]); }\nmodule b() { burr_plate(["xx"]); }\n'
    assert codes(text, "a") == ["PZ234"]
    assert codes(text, "b") == []


def test_a_module_in_another_design_is_reported() -> None:
    text = 'module a() { burr_piece("x"); b(); a(); }\nmodule b() { burr_piece("xx"); }\n'
    assert codes(text, "a") == ["PZ230"]
    assert codes(text, "b") == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("burr_plate([for (n = [1:3]) n]);", "PZ234 expected a piece, found `for` @ for"),
        ("burr_plate(pieces);", "PZ234 expected a list of pieces, found `pieces` @ pieces"),
        ('burr_plate(repeat(3, ["x"]));', "PZ234 expected a list of pieces, found `repeat` @ repeat"),
        ('burr_plate(["xx", piece]);', "PZ234 expected a piece, found `piece` @ piece"),
        ('burr_plate(["x", ["xx", str("x")]]);', "PZ234 expected a layer of a piece, found `str` @ str"),
        ('burr_plate("xx");', 'PZ234 expected a list of pieces, found `"xx"` @ "xx"'),
        ('burr_plate(["xx" "x"]);', 'PZ234 expected a piece, found `"xx"` @ "xx"'),
        ('burr_plate(["xx"], num_copies = n);', "PZ234 expected a number of copies, found `n` @ n"),
        ('burr_plate(["xx"], 0);', "PZ234 expected a number of copies from 1 to 9999, found `0` @ 0"),
        ('burr_plate(["xx"], 2.5);', "PZ234 expected a number of copies from 1 to 9999, found `2.5` @ 2.5"),
        ("for (i = [0:3]) burr_piece(i);", "PZ234 cannot read a piece in `for` @ burr_piece"),
        ('mirror([1, 0, 0]) { union() { burr_piece("x"); } }', "PZ234 cannot read a piece in `mirror` @ burr_piece"),
        ('if (a) { cube(1); } else burr_piece("x");', "PZ234 cannot read a piece in `if` @ burr_piece"),
        ("burr_piece(5000);", "PZ228 expected a stick number from 1 to 4096 @ 5000"),
        ("burr_piece(-1);", "PZ234 expected a piece, found `-` @ -"),
        ("burr_piece(burr_stick(52, 7));", "PZ234 a stick length is even and at least 6, found 7 @ 7"),
        ("burr_piece(burr_stick(n));", "PZ234 expected the number of a stick, found `n` @ n"),
        ("burr_piece(burr_stick());", "PZ234 missing number of a stick @ burr_stick"),
        ("burr_piece();", "PZ234 missing pieces of `burr_piece` @ burr_piece"),
        ("burr_plate([]);", "PZ309 missing pieces @ burr_plate"),
        ('burr_plate(["x",, "x"]);', "PZ234 missing a piece @ ,"),
        ('burr_piece("..|.");', 'PZ314 missing cells of this piece @ "..|."'),
        ("burr_piece([]);", "PZ314 missing cells of this piece @ []"),
        ('burr_piece("xX.");', "PZ234 unexpected character `X` in a piece @ X"),
        ('burr_piece("x x");', "PZ234 unexpected character ` ` in a piece @  "),
        ('burr_piece("x#");', "PZ234 unexpected character `#` in a piece @ #"),
        ('burr_piece("x}");', "PZ234 unexpected character `}` in a piece @ }"),
        ('burr_piece("x{connect=mz+");', "PZ234 missing `}` after options @ {"),
        ('burr_piece("xx);', 'PZ234 missing `"` at the end of a string @ "'),
        ('/* burr_piece("x");', "PZ234 missing `*/` at the end of a comment @ /*"),
        ('burr_piece("x";', "PZ234 missing `)` @ ("),
        ('burr_plate(["x");', "PZ234 unexpected `)` @ )"),
        ('module a() { burr_piece("x"); }}', "PZ234 unexpected `}` @ }"),
        ('burr_piece("x")', "PZ234 missing `;` at the end of this statement @ burr_piece"),
        ('junk burr_piece("x");', "PZ234 unexpected `burr_piece` after `junk` @ burr_piece"),
    ],
)  # fmt: skip
def test_an_error_is_at_its_place(text: str, what: str) -> None:
    assert error(text) == what


def test_errors_of_several_pieces_are_reported_together() -> None:
    assert codes('burr_plate(["xX", x, 5000, "xx"]);\nburr_piece(".");') == ["PZ234", "PZ234", "PZ228", "PZ314"]


@pytest.mark.parametrize("text", ["cube([1, 2, 3]);", "", "module burr_piece() { cube(1); }"])
def test_a_program_without_pieces_is_refused(text: str) -> None:
    assert codes(text) == ["PZ309"]


def test_a_piece_in_two_parts_gets_a_warning() -> None:
    assert codes('burr_piece("x.x");') == ["PZ269"]


@pytest.mark.parametrize("name", ["a", "a.txt", "<stdin>"])
def test_contents_are_recognised(name: str) -> None:
    for text in (HALF_HOUR, BURR, DESIGNS, 'x = 3;\n burr_piece([".x|xx"]);\n'):
        assert guess_format(Source(name, text)) == "puzzlecad"


@pytest.mark.parametrize(
    "text",
    [
        "include <puzzlecad.scad>\ncube(3);\n",
        "include <other.scad>\nburr_plate(pieces);\n",
        "A page about burr_piece() and burr_plate(), which are calls.\n",
    ],
)
def test_a_text_with_only_one_sign_is_not_recognised(text: str) -> None:
    with pytest.raises(PuzzleError):
        guess_format(Source("a.txt", text))


@pytest.mark.parametrize(
    "unit",
    [
        "(", "[", "{", '"', "/*", "for () ", "for () {", "module a() ", "module a() {", "burr_piece(", "burr_plate([",
        'burr_piece("x");', "include <puzzlecad.scad>\n", 'burr_piece("{', 'burr_piece("x{a=', "[]", "a(", "x ", "x;",
        'burr_plate(["x"], 9999);', "module a() { burr_piece(1); a(); }", '"\\', "1e", "burr_plate([1],9);\n",
    ],
)  # fmt: skip
def test_a_long_repeated_text_has_pieces_or_is_refused(unit: str) -> None:
    """A reader that takes time in the square of the length runs into the time limit of the tests."""
    for text in (unit * (100_000 // len(unit)), "include <puzzlecad.scad>\n" + unit * (100_000 // len(unit))):
        assert set(codes(text)) <= {"PZ298", "PZ234", "PZ309"}
        with suppress(PuzzleError):
            guess_format(Source("a", text))


def test_a_large_piece_and_a_large_text_are_refused() -> None:
    assert error(f'burr_piece("{"x" * 10_001}");').startswith("PZ234 the piece is too large (limit 10,000 cells) @ ")
    assert codes('burr_plate(["x", "xx"], 9999);') == ["PZ234"]
    assert refused("// " + "x" * 2**20, "puzzlecad", None) == ["PZ007"]


@pytest.mark.parametrize("name", ["soma", "bedlam-cube"])
def test_a_written_puzzle_is_read_with_its_board_and_its_count(name: str) -> None:
    puzzle = puzzlec.load(name)
    assert isinstance(puzzle, Puzzle)
    text = write(puzzle, "puzzlecad")
    assert text.startswith("// The board is ")
    again = read(Source("a.scad", text), None, Report())
    assert isinstance(again, Puzzle)
    assert write(again, "puzzlecad") == text
    assert [len(piece.cells) for piece in again.pieces] == [len(piece.cells) for piece in puzzle.pieces]
    assert again.locations == puzzle.locations
    if name == "soma":
        assert puzzlec.count(again) == puzzlec.count(puzzle) == 240


def test_copies_are_written_as_entries() -> None:
    text = write(puzzlec.parse("lattice cubic\nlocations box 2x2x2\npiece A x4 { xx }\n", format="puzzle"), "puzzlecad")
    assert text == (
        "// The board is 2x2x2.\ninclude <puzzlecad.scad>\n\nburr_plate([\n" + '    ["xx"],\n' * 4 + "]);\n"
    )


def test_a_burr_is_written_without_a_board() -> None:
    burr = read(Source("a.burr", "480 480 670 704 768 992"), None, Report())
    text = write(burr, "puzzlecad")
    assert "The board" not in text
    again = read(Source("a.scad", text), None, Report())
    assert isinstance(again, Puzzle)
    assert isinstance(burr, Puzzle)
    assert again.locations == burr.locations
    assert write(again, "puzzlecad") == text
    assert puzzlec.count(again) == puzzlec.count(burr)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("locations box 2x2\npiece A { xx/xx }", "the lattice `square`"),
        ("lattice cubic\nlocations box 2x1x1\npiece A x0..2 { x }", "the copies of piece `A`"),
        ("lattice cubic\nlocations box 2x1x1\npiece A fixed { xx }", "the orientations of piece `A`"),
        ("lattice cubic\noptional locations box 2x1x1\npiece A { xx }", "optional locations"),
        (
            "lattice cubic\nlocations box 2x1x1\npiece A { x }\npiece B { x }",
            "the pieces `A` and `B` of the same shape",
        ),
        ("lattice cubic\nlocations cells (0,0,0) (1,1,0)\npiece A x2 { x }", "this board is not a full box"),
    ],
)
def test_a_puzzle_that_puzzlecad_cannot_store_is_refused(text: str, what: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        write(puzzlec.parse(text, format="puzzle"), "puzzlecad")
    assert {diagnostic.code for diagnostic in caught.value.diagnostics} == {"PZ501"}
    assert what in caught.value.diagnostics[0].message
