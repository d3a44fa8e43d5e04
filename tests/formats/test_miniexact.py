"""Texts of the solver miniexact: both forms, and what is wrong with them."""

from __future__ import annotations

import pytest
from hypothesis import given

import puzzlec
from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.engine import Search, count, solve
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.reading import guess_format, read
from puzzlec.formats.writing import write
from puzzlec.ir import ANY
from tests.covers import brute_covers, covers

#: Items a, b, c and the secondary item s; the only cover is `a b` with `c s`.
NAMED = "< a b c > [ s ]\na s;\nb;\nc s;\na b;\n"
NUMBERED = "p xc 3 1\n1 4 0\n2 0\n3 4 0\n1 2 0\n"


def cover(text: str, report: Report | None = None) -> ExactCover:
    found = read(Source("x.xcc", text), "miniexact", report or Report())
    assert isinstance(found, ExactCover)
    found.verify()
    return found


@pytest.mark.parametrize("text", [NAMED, NUMBERED, f"c a comment\nc\n{NUMBERED}"])
@pytest.mark.parametrize("name", ["<stdin>", "x.txt", "x.xc", "x.ccxc", "x"])
def test_both_forms_are_recognised_and_mean_the_same(text: str, name: str) -> None:
    assert guess_format(Source(name, text)) == "miniexact"
    found = cover(text)
    assert found == cover(NAMED)
    assert (found.primary, found.secondary, list(solve(found))) == (3, 1, [(2, 3)])


def test_colours_bounds_and_costs_are_read() -> None:
    found = cover("<a:2 b:0;3> [s t]\na s:red t $5;\na s : red\n t : x;b$7")
    assert (list(found.low), list(found.high)) == ([2, 0], [2, 3])
    assert list(found.costs) == [5, 0, 7]
    names = [[(found.item_name(item), colour and found.colour_name(colour)) for item, colour in found.entries(option)]
             for option in range(3)]  # fmt: skip
    assert names == [[("a", 0), ("s", "red"), ("t", 0)], [("a", 0), ("s", "red"), ("t", "x")], [("b", 0)]]
    numbered = cover("p xcc 2 1\n2 3 -1 0\n1 3 -1 $4 0 1\n3 -12 0\n")
    assert [numbered.entries(option) for option in range(3)] == [[(1, 0), (2, 1)], [(0, 0), (2, 1)], [(0, 0), (2, 2)]]
    assert list(numbered.costs) == [0, 4, 0]
    assert count(numbered) == 1


def test_an_option_without_a_primary_item_is_left_out_with_a_warning() -> None:
    report = Report()
    found = cover("< a >\n[ s ]\na s;\n s;\na;\n", report)
    (warning,) = report.diagnostics
    assert (warning.code, str(warning.span)) == ("PZ285", "x.xcc:4:2")
    assert found.option_names == ("0", "2")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("a b;\n", "PZ281", "missing `<` before the primary items"),
        ("< a b\n", "PZ281", "missing `>` after the primary items"),
        ("< a > [ b\na;\n", "PZ281", "missing `]` after the secondary items"),
        ("< a b:3;2 >\na;\n", "PZ281", "invalid bounds of item `b`: 3 to 2"),
        ("< a > [ s:2 ]\na;\n", "PZ281", "secondary item `s` has bounds"),
        ("< a a >\na;\n", "PZ281", "duplicate item `a`"),
        ("< a ? >\na;\n", "PZ281", "unexpected `?` in the items"),
        ("< a >\na | b;\n", "PZ282", "unexpected `|` in an option"),
        ("< a >\nb;\n", "PZ282", "unknown item `b`"),
        ("< a >\n$5 a;\n", "PZ282", "missing items before the cost of this option"),
        ("< a >\na a;\n", "PZ283", "duplicate item `a` in this option"),
        ("< a >\na:1;\n", "PZ284", "primary item `a` has a colour"),
        ("p xc 3\n1 0\n", "PZ281", "expected the numbers of primary and secondary items, found `3`"),
        ("p xc 999999999 0\n1 0\n", "PZ281", "999999999 items are too many (limit 2,000,000)"),
        ("p xc 2 0\n1 0\n2\n", "PZ282", "missing 0 at the end of the last option"),
        ("p xc 2 0\n1 0\n0\n2 0\n", "PZ282", "missing items before this 0"),
        ("p xc 2 0\n3 0\n", "PZ282", "unknown item `3`"),
        ("p xcc 2 0\n1 -1 0\n", "PZ284", "primary item `1` has a colour"),
        ("p xc 2 0\n1 x 0\n", "PZ282", "unknown item `x`"),
    ],
)
def test_a_broken_text_is_refused_with_a_position(text: str, code: str, message: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        cover(text)
    found = caught.value.diagnostics[0]
    assert (found.code, found.message) == (code, message)
    assert found.span is not None


@given(covers())
def test_a_written_text_has_the_same_covers_and_is_stable(what: ExactCover) -> None:
    text = write(what, "miniexact")
    found = cover(text)
    assert write(found, "miniexact") == text
    theirs = {tuple(option for option in chosen if option < len(what)) for chosen in Search(found)}
    assert theirs == brute_covers(what)


def test_names_have_only_characters_of_names() -> None:
    what = ExactCover.from_rows(
        [[0, (2, 1)], [1]], 2, 1, {1: (0, ANY)}, ["a;b", "c d", "\u00e4<"], colour_names=["dark red"]
    )
    assert write(what, "miniexact") == "< a_b c_d:0;1 >\n[ \u00e4_ ]\na_b \u00e4_:dark_red;\nc_d;\n"
    with pytest.raises(PuzzleError, match="PZ501"):
        write(ExactCover.from_rows([[0]], 1).with_costs([-1]), "miniexact")


def test_the_soma_cube_keeps_its_solutions() -> None:
    text = write(puzzlec.compile("soma"), "miniexact")
    assert guess_format(Source("<stdin>", text)) == "miniexact"
    assert count(cover(text)) == 11520


@pytest.mark.parametrize("text", ["<p>\nhello;\n", "< a b\n", "<a/>", "<b >c</b >;", "p edge 3 2\ne 1 2\n", "< 5 > 3"])
def test_other_texts_with_a_bracket_are_not_recognised(text: str) -> None:
    try:
        assert guess_format(Source("<stdin>", text)) != "miniexact"
    except PuzzleError as error:
        assert error.diagnostics[0].code in ("PZ004", "PZ008")
