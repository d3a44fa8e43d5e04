"""Drawings in texts on lattices of every rule: colours, expressions, loops, moves, and positions of errors."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.diagnostics import PuzzleError
from puzzlec.ir import Puzzle

HEX = "lattice hex\nlocations box 9x9\n"
TRIANGLE = "lattice triangle\nlocations box 9x9\n"


def read(text: str) -> Puzzle:
    puzzle = puzzlec.parse(text)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def faults(text: str) -> list[tuple[str, str]]:
    """Return the codes of the errors of a text, each with the wrong characters."""
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    return [
        (diagnostic.code, diagnostic.span.text if diagnostic.span else "") for diagnostic in caught.value.diagnostics
    ]


def test_drawings_of_hexagons_and_triangles_may_have_colours() -> None:
    hexagons = read("lattice hex\ncolours r b\nlocations {\n  r b?\n   x r\n}\npiece A { r b }\n".replace("b?", "b ?"))
    assert [(location.at, location.colour, location.optional) for location in hexagons.locations] == [
        ((0, 0), "r", False),
        ((1, 0), "b", False),
        ((2, 0), None, True),
        ((0, 1), None, False),
        ((1, 1), "r", False),
    ]
    triangles = read("lattice triangle\ncolours r b\nlocations { rb?/.x }\npiece A { rb }\n")
    assert [(location.at, location.colour) for location in triangles.locations] == [
        ((0, 0, 0), "r"),
        ((0, 0, 1), "b"),
        ((1, 0, 0), None),
        ((1, 1, 0), None),
    ]


def test_a_value_in_a_drawing_is_one_character_if_white_space_is_position() -> None:
    text = (
        "lattice hex\ncolours 0 1 2\nlocations box 3x3\nfor i in 1..2 { piece p[i] {\n  {i} {i-1}\n   x {3 - i}\n } }\n"
    )
    assert read(text).pieces[1].cells == ((0, 0), (1, 0), (0, 1), (1, 1))
    assert read(text).pieces[1].colours == ("2", "1", None, "1")
    triangles = (
        "lattice triangle\ncolours 0 1 2\nlocations box 3x3\nfor i in 1..2 { piece p[i] { {i}x{i - 1}/.{i} } }\n"
    )
    assert read(triangles).pieces[0].cells == ((0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 1, 0))
    assert read(triangles).pieces[0].colours == ("1", None, "0", "1")


@pytest.mark.parametrize("sign", ["{12}", "{n}", "{10+2}"])
def test_a_number_of_two_digits_in_braces_is_one_cell(sign: str) -> None:
    piece = read(f"colours 1 2 12 3\nparam n = 12\nlocations box 2x1\npiece A {{ {sign}3 }}\n").pieces[0]
    assert (piece.cells, piece.colours) == (((0, 0), (1, 0)), ("12", "3"))


@pytest.mark.parametrize(
    "text",
    [
        "colours 12 3\nlocations { {12}xx/x{3}x }\npiece A x2 { {12}xx }\n",
        "lattice hex\ncolours 10 12\nlocations {\n{12} x x\n x {10} x\n}\npiece A x2 { {12} x }\npiece B x2 { x }\n",
        "lattice cubic\ncolours 7 100\nlocations { x{100} xx/xx 7x }\npiece A x* { {100}x }\npiece B x* { 7x/xx }\n",
    ],
)
def test_numbers_of_several_digits_survive_a_round_trip(text: str) -> None:
    puzzle = read(text)
    for form in ("puzzle", "json"):
        again = puzzlec.parse(puzzlec.convert(puzzle, form), format=form)
        assert isinstance(again, Puzzle)
        assert (again.locations, again.colours.names) == (puzzle.locations, puzzle.colours.names)
        assert [(piece.cells, piece.colours) for piece in again.pieces] == [
            (piece.cells, piece.colours) for piece in puzzle.pieces
        ]


def test_a_sum_adds_numbers_of_several_digits() -> None:
    text = "colours 3 10 12\nlocations box 3x2\npiece A { {12}3 }\npiece B { {10}3 }\npiece C { 33 }\n"
    assert puzzlec.count(read(text + "rule box 1x2 sum = 22\n"), symmetry="none") == 2
    assert puzzlec.count(read(text + "rule box 1x2 sum > 22\n"), symmetry="none") == 0


def test_an_error_after_a_value_is_shown_where_it_was_typed() -> None:
    text = "lattice hex\ncolours 1\nlocations box 3x3\nfor i in 1..1 { piece p[i] { {i} {i}y } }\n"
    assert faults(text) == [("PZ315", "y")]


def test_a_loop_visits_digits_as_the_lattice_draws_its_cells() -> None:
    hexagons = HEX + "for d at (x,y) in {\n  1 2\n   3 .\n  . 4\n} { piece p[x,y] x{d} { x } }\n"
    assert [(piece.name, piece.low) for piece in read(hexagons).pieces] == [
        ("p[0,0]", 1),
        ("p[1,0]", 2),
        ("p[0,1]", 3),
        ("p[0,2]", 4),
    ]
    triangles = TRIANGLE + "for d at (x,y,k) in { 12/.3 } { piece p[x,y,k] x{d} { x } }\n"
    assert [piece.name for piece in read(triangles).pieces] == ["p[0,0,0]", "p[0,0,1]", "p[1,1,0]"]


def test_a_loop_with_another_number_of_coordinates_visits_squares_or_cubes() -> None:
    for lattice, axes, drawing in (
        ("triangle", "x,y", "12/3."),
        ("hex", "x", "123"),
        ("sticks", "x,y,k", "12 3./.. .."),
        ("trigs", "x,y,k", "12 3./.. .."),
    ):
        text = f"lattice {lattice}\nlocations box 2x2\nfor d at ({axes}) in {{ {drawing} }} {{ piece p[d] cells "
        cell = "(0,0)" if lattice == "hex" else "(0,0,0)"
        assert [piece.name for piece in read(text + f"{cell} }}\n").pieces] == ["p[1]", "p[2]", "p[3]"]


def test_moved_cells_keep_their_kinds() -> None:
    moved = read("lattice triangle\nlocations { .x/xx } at (3,1)\npiece A { x }\n")
    assert [location.at for location in moved.locations] == [(3, 1, 1), (3, 2, 1), (4, 2, 0)]
    again = read("lattice triangle\nlocations { .x/xx } at (3,1,0)\npiece A { x }\n")
    assert again.locations == moved.locations
    assert faults("lattice triangle\nlocations { .x } at (3,1,1)\npiece A { x }\n") == [("PZ312", "(3,1,1)")]
    assert faults("lattice triangle\nlocations { .x } at (3)\npiece A { x }\n") == [("PZ312", "(3)")]
    assert faults(f"lattice triangle\nlocations {{ .x }} at (3,{2**30 + 1})\npiece A {{ x }}\n") == [
        ("PZ321", f"(3,{2**30 + 1})")
    ]


@pytest.mark.parametrize("kind", [-1, 2, 7])
def test_a_kind_that_the_lattice_does_not_have_is_refused(kind: int) -> None:
    cell = f"(0,0,{kind})"
    assert faults(f"lattice triangle\nlocations cells {cell}\npiece A {{ x }}\n") == [("PZ312", cell)]


def test_a_drawing_on_a_lattice_without_a_rule_is_refused_as_a_whole() -> None:
    assert faults("lattice trigs\nlocations box 3x3\npiece A { +-+ }\n") == [("PZ320", "{ +-+ }")]


@pytest.mark.parametrize(
    ("text", "code", "wrong"),
    [
        (HEX + "piece A {\n  x x\n  x y\n}\n", "PZ315", "x"),
        (HEX + "piece A { x z }\n", "PZ303", "z"),
        (HEX + "piece A { . . }\n", "PZ314", "{ . . }"),
        (HEX + "piece A { x ? }\n", "PZ315", "?"),
        (TRIANGLE + "piece A {\n  x\tx\n}\n", "PZ315", "\t"),
        (TRIANGLE + "piece A {\n\n}\n", "PZ314", "{\n\n}"),
    ],
)
def test_errors_in_a_drawing_are_shown_at_their_characters(text: str, code: str, wrong: str) -> None:
    assert (code, wrong) in faults(text)


@pytest.mark.parametrize("lattice", ["sticks", "trigs", "twigs"])
def test_a_stick_has_no_sides_that_could_have_colours(lattice: str) -> None:
    text = f"lattice {lattice}\ncolours r\nlocations box 2x2\npiece A sides r r r r\n"
    assert faults(text)[0][0] == "PZ320"


def test_a_suggestion_has_the_colours_of_several_digits_in_braces() -> None:
    text = "colours 12 3\nlocations { xx/xx }\npiece A { 3{12}/{12} }\n"
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    assert caught.value.diagnostics[0].helps == ("write `.` for each empty position, such as `{12}.`",)
    puzzlec.parse(text.replace("/{12} }", "/{12}. }"))
