"""The text of a document: lines, places and edits, compared with the bytes of the encodings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlec.services.lsp.features import line_edits
from puzzlec.services.lsp.server import OpenDocument
from puzzlec.services.lsp.text import EditorText, units
from tests.services.lsp.editing import offset, position

#: Line ends, similar characters, characters of every width, a byte-order mark, and surrogates.
SIGNS = st.sampled_from("ab {\r\n\t\f\v\x85\u2028\x1c\u00e9\u20ac\U0001f600\ufeff")
TEXTS = st.text(SIGNS, max_size=30)
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])
WIDTH = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@given(st.text(max_size=30), ENCODINGS)
def test_units_are_those_of_the_encoding(text: str, encoding: str) -> None:
    name, width = WIDTH[encoding]
    assert units(text, encoding) == len(text.encode(name, "surrogatepass")) // width


@given(TEXTS, ENCODINGS)
def test_every_character_has_a_place_and_the_place_has_the_character(raw: str, encoding: str) -> None:
    text = EditorText(raw, encoding)
    places = [text.place(at) for at in range(len(text.plain) + 1)]
    assert [text.offset(*place) for place in places] == list(range(len(text.plain) + 1))
    assert places == sorted(places)


@given(TEXTS, st.data())
def test_an_edit_does_what_the_editor_did(raw: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(raw)))
    last = data.draw(st.integers(first, len(raw)))
    if raw[first - 1 : first + 1] == "\r\n" or raw[last - 1 : last + 1] == "\r\n":
        return  # a cursor cannot be there
    new = data.draw(TEXTS)
    start, end = [(place["line"], place["character"]) for place in (position(raw, first), position(raw, last))]
    edited = EditorText(raw).edited(start, end, new)
    assert edited.raw == raw[:first] + new + raw[last:]


@given(TEXTS, st.integers(-1, 9), st.integers(-1, 40), ENCODINGS)
def test_a_place_outside_the_text_is_an_end(raw: str, line: int, column: int, encoding: str) -> None:
    text = EditorText(raw, encoding)
    assert 0 <= text.offset(line, column) <= len(text.plain)
    assert text.edited((line, column), (line - 1, 0), "").lines >= 1
    if 0 <= line < text.lines:
        end = text.offset(line, 40)
        assert text.plain[end : end + 1] in ("", "\n")
        assert "\n" not in text.plain[text.offset(line, 0) : end]


@pytest.mark.parametrize(
    ("name", "language", "is_puzzle"),
    [
        ("a.txt", "puzzle", True),
        ("a.txt", "puzzlec", True),
        ("a.puzzle", "plaintext", True),
        ("a.txt", "plaintext", False),
        ("a.puzzle", "dlx", False),
    ],
)
def test_the_language_of_the_editor_counts_before_the_name(name: str, language: str, is_puzzle: bool) -> None:
    document = OpenDocument("untitled:a", name, language, 1, EditorText("locations box 2x2\n"))
    assert document.is_puzzle == is_puzzle


@given(TEXTS)
def test_the_editor_of_the_tests_counts_the_same_way(raw: str) -> None:
    text = EditorText(raw)
    for at in range(len(raw) + 1):
        if raw[at - 1 : at + 1] != "\r\n":
            assert offset(raw, position(raw, at)) == at
            before = EditorText(raw[:at]).plain
            assert text.offset(*position(raw, at).values()) == len(before) or raw.startswith("\ufeff")


def test_two_halves_of_a_character_become_one() -> None:
    half = EditorText("a\ud83d").edited((0, 2), (0, 2), "\ude00")
    assert half.raw == "a\U0001f600"
    assert EditorText("a\ud83d").plain == "a\ufffd"


@pytest.mark.parametrize(("raw", "end"), [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a\rb", "\r"), ("a", "\n")])
def test_the_first_line_decides_the_line_ends(raw: str, end: str) -> None:
    assert EditorText(raw).line_end == end


def test_a_byte_order_mark_is_not_part_of_the_puzzle() -> None:
    text = EditorText("\ufeffpuzzle")
    assert text.plain == "puzzle"
    assert text.place(0) == (0, 1)
    assert text.offset(0, 1) == 0


LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n"]), max_size=12)


@given(LINES, LINES, st.sampled_from([1000, 2]))
def test_edits_of_lines_make_one_text_of_another(before: list[str], after: list[str], compared: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlec.services.lsp.features._MAX_COMPARED_LINES", compared)
        document = OpenDocument("untitled:a", "a.puzzle", "puzzle", 1, EditorText("".join(before)))
        edits = line_edits(document, "".join(after))
    text = document.text
    for edit in reversed(edits):
        start, end = edit.range.start, edit.range.end
        text = text.edited((start.line, start.character), (end.line, end.character), edit.new_text)
    assert text.plain == "".join(after)
    assert (before == after) == (edits == [])


def test_many_equal_lines_are_not_compared() -> None:
    document = OpenDocument("untitled:a", "a.puzzle", "puzzle", 1, EditorText("first\n" + "a\n b\n" * 2000 + "last\n"))
    (edit,) = line_edits(document, "first\n" + "a\nb\n" * 2000 + "last\n")
    assert (edit.range.start.line, edit.range.end.line) == (2, 4001)
