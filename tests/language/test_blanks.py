"""Spaces in drawings in which they are not cells: the warnings, the suggestions, and the drawings that `fmt` keeps."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec import compiler
from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.formats.reading import read
from puzzlec.lower.impossibility import impossible

UNEVEN = "write `.` for an empty position"


def diagnostics(text: str) -> list[Diagnostic]:
    report = Report()
    try:
        read(Source("<text>", text), "puzzle", report)
    except PuzzleError as error:
        return list(error.diagnostics)
    return report.diagnostics


def drawn(drawing: str, lattice: str = "square") -> list[Diagnostic]:
    return diagnostics(
        f"lattice {lattice}\nlocations box {'4x4x4' if lattice == 'cubic' else '4x4'}\npiece S {drawing}\n"
    )


@pytest.mark.parametrize(
    ("drawing", "row", "lattice", "help"),
    [
        ("{\n   xx\n  xx\n}", "xx", "square", f"{UNEVEN}: `.xx/xx.`"),
        ("{\n  xx\n   xx\n}", "xx", "square", f"{UNEVEN}: `xx./.xx`"),
        ("{ # a comment\n    x # one\n  x # two\n\n\tx\n}", "x", "square", f"{UNEVEN}: `..x/x../..x`"),
        ("{\n   x. xx\n  xx .x\n}", "x. xx", "cubic", f"{UNEVEN}: `.x. xx/xx. .x`"),
        ("{ xx\n   xx\n  xx }", "xx", "square", UNEVEN),
        ("{\n" + " " * 70 + "xx\nxx\n}", "xx", "square", UNEVEN),
    ],
)
def test_rows_that_begin_in_different_columns_are_doubted(drawing: str, row: str, lattice: str, help: str) -> None:
    (found,) = drawn(drawing, lattice)
    assert (found.code, found.helps, found.notes) == ("PZ348", (help,), ("spaces before a row are not cells",))
    assert found.label is not None
    assert found.label.span.text == row
    if ": `" in help:
        mended = help.split("`")[-2]
        assert drawn(f"{{ {mended} }}", lattice) == []


@pytest.mark.parametrize(
    ("drawing", "lattice"),
    [
        ("{\n  xx\n  xx\n}", "square"),
        ("{ xx\n  xx }", "square"),
        ("{\n\txx\n    xx\n}", "square"),
        ("{ xx / xx }", "square"),
        ("{\n  xx / xx\n   xx\n}", "square"),
        ("{\n  xx  xx\n  xx   xx\n}", "cubic"),
        ("{\n  x x\n   x\n}", "hex"),
        ("{\n  x\n xxx\n}", "triangle"),
        ("{\n   -\n  | |\n}", "sticks"),
    ],
)
def test_rows_in_one_column_and_spaces_that_are_places_are_not_doubted(drawing: str, lattice: str) -> None:
    assert "PZ348" not in [diagnostic.code for diagnostic in drawn(drawing, lattice)]


def test_the_row_is_pointed_at_if_a_drawing_has_values() -> None:
    text = "colours 1 2\nlocations box 4x4\nfor i in 1..2 {\n  piece S[i] {\n     {i}x\n    x{i}\n  }\n}\n"
    (found,) = diagnostics(text)
    assert found.label is not None
    assert (found.code, found.label.span.text, found.label.span.start) == ("PZ348", "{i}x", text.index("{i}x"))


def test_a_drawing_in_a_loop_is_doubted_once() -> None:
    text = "locations box 4x4\nfor d at (x,y) in {\n   12\n  34\n} { piece S[d] { x } }\n"
    assert [diagnostic.code for diagnostic in diagnostics(text)] == ["PZ348"]


@pytest.mark.parametrize(
    ("drawing", "lattice", "help"),
    [
        ("{ xxx/ x }", "square", "write `piece S { xxx/.x. }`"),
        ("{ xxx/ x }", "cubic", "write `piece S { xxx/.x. }`"),
        ("{ xxx / x }", "square", "write `piece S { xxx/x.. }`"),
        ("{ xxx/   x }", "square", "write `piece S { xxx/x.. }`"),
        ("{\n xxx\n  x\n}", "square", "write `.x.` instead of `x`"),
        ("{\n  x\n xxx\n}", "square", "write `.x.` instead of `x`"),
        ("{ xx/xxx/xx }", "square", "write `piece S { xx./xxx/xx. }`"),
        ("{ xx xx/xxx xx }", "cubic", "write `piece S { xx. xx./xxx xx. }`"),
        ("{ x x/xxx }", "cubic", "write `x.x` instead of `x x`"),
        ("{ xxx/x x }", "cubic", "write `x.x` instead of `x x`"),
        ("{ x x/xxx }", "square", "write `x.x` instead of `x x`"),
    ],
)
def test_a_short_row_is_filled_at_its_space(drawing: str, lattice: str, help: str) -> None:
    (found,) = drawn(drawing, lattice)
    assert (found.code, found.helps[0]) == ("PZ313", help)


@pytest.mark.parametrize(
    ("drawing", "column", "help"),
    [
        ("{ xx/xx // xx/x. }", (3, 18), "write the layers side by side: `xx xx / xx x.`"),
        ("{\n xx\n x\n\n xxx\n}", (6, 1), "write the layers side by side: `xx. xxx / x.. ...`"),
        ("{\n xx x.\n  \n xx\n}", (5, 3), "remove the empty row, and write the layers side by side, such as `xx x.`"),
    ],
)
def test_layers_one_after_another_are_drawn_side_by_side(drawing: str, column: tuple[int, int], help: str) -> None:
    (found,) = drawn(drawing, "cubic")
    assert found.span is not None
    assert (found.code, found.span.source.position(found.span.start), found.helps[-1]) == ("PZ313", column, help)
    repaired = f"{{ {help.split('`')[1]} }}"
    assert drawn(repaired, "cubic") == []


def test_the_formatter_leaves_rows_that_begin_in_different_columns() -> None:
    text = "locations box 4x4\n\npiece S {\n   xx\n  xx\n}\n"
    assert compiler.fmt(text) == text
    layers = "lattice cubic\nlocations box 4x4x4\n\npiece S { # c\n\t x. xx\n    {1}x .x # d\n}\n"
    found = compiler.fmt(layers)
    assert found == "lattice cubic\nlocations box 4x4x4\n\npiece S {  # c\n   x.   xx\n  {1}x  .x  # d\n}\n"
    assert compiler.fmt(found) == found
    even = "locations box 4x4\npiece S {\n   xx\n   xx\n}\n"
    assert "piece S {\n  xx\n  xx\n}\n" in compiler.fmt(even)


def helps(text: str) -> tuple[str, ...]:
    found = Report()
    try:
        fitting = puzzlec.compile(puzzlec.parse(text), stage="fitting")
    except PuzzleError as error:
        return error.diagnostics[0].helps
    impossible(fitting, found)
    return found.diagnostics[0].helps


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (
            "locations box 2x2\noptional locations box 2x2\n",
            "keep only the line `optional locations ...`",
        ),
        (
            "locations box 2x2\noptional locations box 2x1\n",
            "list each location in only one of the two lines, for example with `locations ... - ...`",
        ),
        (
            "lattice none\nlocations names 0..3\noptional locations names a 2\n",
            "list each location in only one of the two lines",
        ),
    ],
)
def test_locations_listed_as_optional_and_needed_must_be_listed_once(text: str, help: str) -> None:
    assert helps(f"{text}\n") == (help,)


def test_locations_listed_twice_in_the_same_way_have_no_such_suggestion() -> None:
    assert helps("locations box 2x2\nlocations box 2x2\n") == ()


def test_a_choice_of_pieces_is_suggested_if_the_pieces_are_too_large() -> None:
    choose = "write `piece A x0..1` for pieces that need not be used"
    assert helps("locations box 3x1\npiece A { xx }\npiece B { xx }\n") == (
        "remove pieces, or add locations",
        choose,
    )
    assert helps("locations box 3x1\npiece A x2 { xx }\n") == ("remove pieces, or add locations",)
    assert choose in helps("lattice none\nlocations names 0\npiece A x2 covers { 0 }\n")
    assert choose not in helps("locations box 3x1\npiece A { xx }\n")
