"""The lattice of a text without a `lattice` statement follows from its parts."""

import pytest

from puzzlec import PuzzleError, Severity, parse
from puzzlec.geometry import lattice_names
from tests.language.test_help import warnings_of as remarks_on


def lattice_of(text: str) -> str:
    lattice = parse(text).lattice
    assert lattice is not None
    return lattice.name


@pytest.mark.parametrize(
    ("text", "lattice"),
    [
        ("locations box 3x3x3\npiece A x27 { x }", "cubic"),
        ("param n = 2\nlocations box {n}x{n}x3\npiece A x12 { x }", "cubic"),
        ("locations box 2x2x2x2\npiece A x16 cells (0,0,0,0)", "hypercubic"),
        ("locations cells (0,0,0) (1,0,0)\npiece A { xx }", "cubic"),
        ("locations { xx xx / xx xx }\npiece A x2 = soma.T", "cubic"),
        ("locations grid 2x2\npiece A x12 { - }", "sticks"),
        ("locations edges of box 2x2\npiece A x12 { - }", "sticks"),
        ("locations hexagon 2\npiece A x7 { x }", "hex"),
        ("locations box 3x3\npieces trihexes", "hex"),
        ("for k in 1..1 { locations box 3x3x3 }\npieces soma", "cubic"),
        ("locations box 3x20\npieces pentominoes", "square"),
        ("locations box 5x6x2\npieces pentominoes", "cubic"),
        ("locations { xxx / xxx }\npiece A x6 { x }", "square"),
    ],
)
def test_the_lattice_follows_from_the_parts(text: str, lattice: str) -> None:
    assert lattice_of(text) == lattice


@pytest.mark.parametrize("text", ["locations box 3x3x3\npieces soma", "pieces soma\nlocations box 3x3x3"])
def test_one_note_names_the_part_that_decides_and_its_statement_is_silent(text: str) -> None:
    (note,) = remarks_on(text)
    assert (note.code, note.severity, note.message) == ("PZ384", Severity.NOTE, "lattice is `cubic`")
    assert note.label is not None
    assert note.label.text.startswith("this ")
    assert note.helps == ("add `lattice cubic`",)
    assert remarks_on(f"lattice cubic\n{text}") == []
    assert remarks_on("locations box 2x2\npiece A x4 { x }") == []


@pytest.mark.parametrize(
    ("text", "code", "first"),
    [
        ("locations box 4x4\npieces soma", "PZ318", "this box decides `lattice square`"),
        ("pieces soma\nlocations box 4x4", "PZ312", "this shape library decides `lattice cubic`"),
        ("locations box 8x8 - box 2x2 at (3,3,0)\npiece A x60 { x }", "PZ312", "this box decides `lattice square`"),
        ("locations hexagon 2\npieces tetrominoes", "PZ318", "this board shape decides `lattice hex`"),
        ("locations grid 5x4\npiece A x* { x }", "PZ315", "this grid decides `lattice sticks`"),
        ("locations box 5x4x3x2\npiece A x* { x }", "PZ320", "this box decides `lattice hypercubic`"),
    ],
)
def test_a_contradiction_marks_the_part_that_decides(text: str, code: str, first: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        parse(text)
    found = caught.value.diagnostics[0]
    assert found.code == code
    assert [label.text for label in found.others] == [first]


@pytest.mark.parametrize(
    "text",
    [
        "locations {\n  xx xx\n  xx xx\n}\npiece A x4 { xx }",  # perhaps squares with a gap
        "locations { xxx xxx }\npiece A x6 { x }",  # perhaps a forgotten line break
        "locations {\n  x x\n  x x\n}\npiece A x4 { x }",  # perhaps squares with space between
        "locations {\n  xxx xxx\n  xxx\n}\npiece A x9 { x }",
        "locations { (0,0) (1,0) }\npiece A x2 { x }",
    ],
)
def test_a_drawing_that_may_be_flat_decides_nothing(text: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        parse(text)
    assert caught.value.diagnostics[0].code == "PZ313"


def test_layers_in_several_rows_suggest_the_lattice() -> None:
    with pytest.raises(PuzzleError) as caught:
        parse("locations {\n  xx xx\n  xx xx\n}\npiece A x4 { xx }")
    assert caught.value.diagnostics[0].helps == ("write `lattice cubic` for a solid, or remove the gap",)


@pytest.mark.parametrize("name", lattice_names())
def test_a_stated_lattice_is_never_another(name: str) -> None:
    try:
        assert lattice_of(f"lattice {name}\nlocations box 2x2x2\npiece A x8 {{ x }}") == name
    except PuzzleError as error:
        assert "PZ384" not in {found.code for found in error.diagnostics}
