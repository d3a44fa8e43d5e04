"""Bugs that fuzzing found: the smallest text for each bug, and the diagnostic that it must get."""

from __future__ import annotations

import tracemalloc

import pytest

from puzzlec.diagnostics import Diagnostic, PuzzleError, Report, Source
from puzzlec.language import parsing
from puzzlec.language.elaborate import regions
from puzzlec.language.puzzle_text import read_puzzle
from tests.tools.fuzz.target import try_text

BOX = "locations box 2x2\n"
WHOLE = BOX + "piece A { xx/xx }\n"


def refused(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(PuzzleError) as raised:
        read_puzzle(Source("f.puzzle", text), Report())
    return raised.value.diagnostics


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("\x1f\n+(", "PZ101"),  # an error in a text whose first line is empty: IndexError
        ('puzzle "Words\npuzzle r{2', "PZ105"),  # braces in a title without quotes went into str.format: ValueError
        ("puzzle r{2", "PZ101"),
        ("puzzle o{_}d", "PZ101"),  # KeyError
        ("puzzle {0.__class__}d", "PZ101"),
        ("locations box 1x1\n\x1c}", "PZ101"),
        (BOX + "piece A cells (i,0) for i in 1..0\n", "PZ314"),  # no cells at all: ValueError
        (BOX + "for n in 1..2 {\n  piece A[n] x0..1 cells (i,0) for i in 1..n-1\n}\n", "PZ314"),
    ],
)
def test_a_text_that_made_the_reader_crash_is_refused(text: str, code: str) -> None:
    assert try_text(text).wrong == ""
    assert refused(text)[0].code == code


def test_braces_in_a_title_without_quotes_are_shown_as_they_are() -> None:
    assert refused("puzzle the{0}end\n" + WHOLE)[0].helps == ('write `puzzle "the{0}end"`',)


def test_a_line_separator_is_named_and_not_shown_as_an_empty_text() -> None:
    (found,) = refused(WHOLE.rstrip() + "\u2028piece B { x }\n")
    assert "``" not in found.message
    assert found.notes == ("the character is LINE SEPARATOR (U+2028)",)


def test_a_loop_over_an_empty_drawing_points_at_the_drawing() -> None:
    found = refused("for n at (i) in {} { }\n")[0]
    assert found.code == "PZ314"
    assert found.span is not None
    assert found.span.text == "{}"


def test_a_loop_with_very_many_ranges_is_refused() -> None:
    """A thousand ranges raised a RecursionError."""
    text = BOX + "for " + ", ".join(f"i{number} in 1..1" for number in range(1000)) + " { piece A { xx/xx } }\n"
    assert [diagnostic.code for diagnostic in refused(text)][:1] == ["PZ329"]
    few = BOX + "for " + ", ".join(f"i{number} in 1..1" for number in range(50)) + " { piece A { xx/xx } }\n"
    assert list(read_puzzle(Source("f.puzzle", few)).pieces)


@pytest.mark.parametrize(
    "text",
    [
        BOX + "for i in 1..1000000000 where i < 0 { piece A[i] { x } }\n",
        BOX + "for i in 1..1000000000 { piece A[i] { x } }\n",
        "piece A { x }\nlocations cells (i,0) for i in -2147483647..2147483647\n",
    ],
)
def test_a_range_of_a_billion_is_refused_at_once(text: str) -> None:
    assert [diagnostic.code for diagnostic in refused(text)] == ["PZ329"]


@pytest.mark.parametrize(
    "text",
    [
        # The iterations of the outer loops were not counted, so this took hours.
        BOX + "for a in 1..100000, b in 1..100000, c in 1..0 { piece A { x } }\n",
        "lattice none\nlocations names a[i] for i in 1..100000, b in 1..100000, c in 1..0\n",
    ],
)
def test_iterations_of_outer_loops_count_if_the_inner_loop_has_none(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlec.language.repetition.MAX_ITERATIONS", 110_000)
    assert [diagnostic.code for diagnostic in refused(text)] == ["PZ329"]


def test_a_text_of_very_many_words_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "MAX_TOKENS", 1000)
    (found,) = refused(BOX + "piece A { x }\n" * 1000)
    assert found.code == "PZ007"
    assert found.span is not None
    # Also within an expression in braces.
    assert try_text("locations box {" + "1+" * 1000 + "1}x2\n").wrong == ""


@pytest.mark.parametrize("sign", "({[")
def test_ten_thousand_brackets_are_refused_at_once(sign: str) -> None:
    for start in ("locations names ", "piece A", "param n = ", "locations box {", "piece A covers ", "for i in "):
        assert refused(start + sign * 10_000 + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "for i in 1..2 {" * 10_000,  # the rest is a line of spaces, which took time in the square of its length
        "peice A\n" + " " * 200_000 + "\nword" + " " * 200_000 + "\n",
        "\f" * 100_000 + "peice A {" + "\t" * 100_000,
    ],
)
def test_very_long_lines_of_spaces_take_no_time(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize("text", ["locations box 900000x0\n", "locations box 0x900000\n"])
def test_a_box_of_no_cells_takes_no_memory(text: str) -> None:
    """With the size 2147483647, the reader used all the memory of the machine."""
    tracemalloc.start()
    try:
        assert refused(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize(
    "text",
    [
        "locations box 9x9\nfor i in 0..10000 { place A inside box 200x200 }\npiece A { x }\n",
        "for i in 0..100 { locations box 200x200 at (200*i,0) }\npiece A { x }\n",
        "locations " + " + ".join(["box 200x200"] * 100) + "\npiece A { x }\n",
    ],
)
def test_regions_that_loops_make_repeatedly_are_bounded(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regions, "MOST_CELLS", 60_000)
    (found,) = refused(text)
    assert found.code == "PZ321"


@pytest.mark.long
def test_an_error_in_very_many_iterations_is_reported_once() -> None:
    (found,) = refused("lattice none\nlocations names 0..19999\npiece A covers {a[i]} for i in 0..20000\n")
    assert found.code == "PZ311"
    (found,) = refused("locations box 1x1\nfor i in 0..20000 { pieces hexominoes }\n")
    assert found.code == "PZ301"
