"""Messages for a first puzzle on another lattice."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec import resources
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.formats.reading import read
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.lattice_words import cell_text, lattice_meant


def fault(text: str) -> Diagnostic:
    """Return the only error of a text."""
    with pytest.raises(PuzzleError) as caught:
        puzzlec.parse(text)
    (only,) = caught.value.diagnostics
    return only


@pytest.mark.parametrize(
    ("lattice", "region", "help"),
    [
        ("triangle", "cells (0,0)", "a cell here is (x,y,k): k = 0 triangle pointing up, k = 1 triangle pointing down"),
        ("drafter", "cells (0,0)", "a cell here is (x,y,k): k from 0 to 11"),
        ("prism", "cells (0,0)", "a cell here is (x,y,z,k): k = 0 prism pointing up, k = 1 prism pointing down"),
        ("hex", "cells (0,0,0)", "a cell here is (x,y)"),
        ("fcc", "cells (0,0)", "a cell here is (x,y,z)"),
        ("hypercubic", "cells (0,0)", "a cell here is (x,y,z,w)"),
        ("cubic", "box 2x2x2x2", "write 3 sizes: `2x2x2`"),
        ("cubic", "box 6x5", "write 3 sizes: `6x5x1`"),
        ("square", "box 4x3x2", "write 2 sizes: `4x3`"),
        ("triangle", "box 2x2x2", "write 2 sizes: `2x2`"),
        (
            "triangle",
            "cells (0,0,2)",
            "a cell here is (x,y,k): k = 0 triangle pointing up, k = 1 triangle pointing down",
        ),
    ],
)
def test_a_wrong_number_of_coordinates_gets_the_form_of_a_cell(lattice: str, region: str, help: str) -> None:
    found = fault(f"lattice {lattice}\nlocations {region}\n")
    assert (found.code, found.helps) == ("PZ312", (help,))


def test_no_shipped_lattice_is_without_words() -> None:
    for name in lattice_names():
        lattice = find_lattice(name)
        assert cell_text(lattice).count(",") >= lattice.coordinates - 1
        assert lattice_meant(name) == name


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("hexagon", "hex"), ("hexagons", "hex"), ("honeycomb", "hex"), ("triangular", "triangle"), ("tri", "triangle"),
        ("iamond", "triangle"), ("4d", "hypercubic"), ("tesseract", "hypercubic"), ("balls", "fcc"),
        ("spheres", "fcc"), ("pyramid", "fcc"), ("edges", "sticks"), ("polysticks", "sticks"),
        ("halfsquares", "tetrakis"), ("tan", "tetrakis"), ("cube", "cubic"), ("3D", "cubic"),
        ("hypercub", "hypercubic"),
    ],
)  # fmt: skip
def test_other_words_for_a_lattice_are_understood(word: str, name: str) -> None:
    found = fault(f"lattice {word}\n" if word[0].isalpha() else f'lattice "{word}"\n')
    assert (found.code, found.helps) == ("PZ302", (f"did you mean `{name}`?",))


def test_words_that_mean_nothing_are_not_guessed() -> None:
    assert fault("lattice qwertz\n").helps == ()
    assert lattice_meant("po") is lattice_meant("poly") is lattice_meant("") is None


def test_hexagons_on_squares_get_the_suggestion_of_their_lattice() -> None:
    for drawing in ("x x x / x x x", "x x x\n  x x"):
        found = fault(f"locations {{ {drawing} }}\n")
        assert found.code == "PZ313"
        assert found.helps == ("write `lattice cubic` for a solid, or remove the gap, or `lattice hex` for hexagons",)
    assert fault("locations { xx xx }\n").helps == ("write `lattice cubic` for a solid, or remove the gap",)


def test_layers_of_balls_must_be_complete() -> None:
    found = fault("lattice fcc\nlocations {\n xxx xx x\n xxx xx\n xxx\n}\n")
    assert (found.code, found.helps) == ("PZ313", ("fill each layer with `.`: `xxx xx .`",))


@pytest.mark.parametrize(
    ("wrap", "code", "help"),
    [
        ("twisted x", "PZ338", "write `wrap x twisted`"),
        ("x mobius", "PZ338", "write `wrap x twisted`"),
        ("x y flipped", "PZ338", "write `wrap y twisted`"),
        ("torus", "PZ338", "write `wrap x y`"),
        ("mobius", "PZ338", "write `wrap x twisted`"),
        ("q", "PZ338", "write `wrap x y`"),
    ],
)
def test_wrap_around_boards_are_understood_by_their_names(wrap: str, code: str, help: str) -> None:
    found = fault(f"locations box 4x4\nwrap {wrap}\npiece D x8 {{ xx }}\n")
    assert (found.code, found.helps) == (code, (help,))


def test_a_twist_on_a_board_that_is_not_its_mirror_image_is_explained() -> None:
    found = fault("lattice hex\nlocations box 4x5\nwrap x twisted\npiece A x20 { x }\n")
    assert found.code == "PZ337"
    assert "a twist reflects the board, but its mirror image does not lie on it: (" in found.message
    assert found.helps == ("draw rows that are shifted back and forth, since a box of hexagons is a rhombus",)
    # a vector that is too short is not an error of the twist
    assert "mirror" not in fault("locations box 6x4\nwrap (3,0) twisted\npiece A x24 { x }\n").message


def warnings_of(text: str) -> list[Diagnostic]:
    report = Report()
    read(Source("<text>", text), "puzzle", report)
    return report.diagnostics


@pytest.mark.parametrize(
    ("shifted", "right"),
    [
        # a triangle of side 3, and pieces, a column too far
        (
            "locations {\n ...x\n ..xxx\n .xxxxx\n}\npiece A x9 { x }",
            "locations {\n ..x\n .xxx\n xxxxx\n}\npiece A x9 { x }",
        ),
        ("locations { .x/xxx } at (3,3)\npiece A x4 { x }", "locations { ..x/.xxx } at (3,3)\npiece A x4 { x }"),
        (
            "locations box 3x3\npiece A { .x/.x }\npiece M x16 { x }",
            "locations box 3x3\npiece A { x/x }\npiece M x16 { x }",
        ),
    ],
)
def test_a_drawing_of_triangles_shifted_by_a_column_is_doubted(shifted: str, right: str) -> None:
    (found,) = warnings_of(f"lattice triangle\n{shifted}\n")
    assert (found.code, found.helps) == (
        "PZ353",
        ("write `.` at the beginning of each row if the drawing is shifted by one column",),
    )
    assert warnings_of(f"lattice triangle\n{right}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        # in two parts either way; on squares; a part of a region only; in a rule
        "lattice triangle\nlocations { x...x }\npiece A x2 { x }",
        "locations { .x/x. }\npiece A x2 { x }",
        "lattice triangle\nlocations { .x/.x } + box 1x1\npiece A x* { x }",
        "lattice triangle\nlocations box 3x3\npiece A x18 { x }\nplace A on { .x/.x } + box 3x3",
    ],
)
def test_intended_drawings_are_not_doubted(text: str) -> None:
    assert [diagnostic.code for diagnostic in warnings_of(f"{text}\n")] == []


def test_no_puzzle_of_the_catalogue_is_doubted() -> None:
    texts = [path.read_text(encoding="utf-8") for path in resources.folder("puzzles").rglob("*.puzzle")]
    on_triangles = [text for text in texts if "lattice triangle" in text]
    assert len(on_triangles) > 3
    assert all("PZ353" not in [diagnostic.code for diagnostic in warnings_of(text)] for text in on_triangles)


def test_an_edge_without_a_colour_is_not_a_plain_cell() -> None:
    found = fault("locations box 1x1\npiece A sides X X X X\n")
    assert (found.code, found.helps) == ("PZ303", ("declare it: `colours X`",))
    found = fault("locations { XX }\npiece A { xx }\n")
    assert found.helps == ("write `locations { xx }`", "or declare it: `colours X`")


@pytest.mark.parametrize(
    "piece", ["xxx/.x. ; .../.x.", "xxx/.x., .../.x.", "(xxx/.x.) (.../.x.)", "[xxx/.x.][.../.x.]"]
)
def test_other_signs_between_rows_or_layers_get_the_right_ones(piece: str) -> None:
    found = fault(f"lattice cubic\nlocations box 3x3x2\npiece A {{ {piece} }}\n")
    assert found.helps[0] == "write `/` between rows, and a space between layers of a solid"
