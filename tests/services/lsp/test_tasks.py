"""The tasks of the server in this process: what hovering shows, and what is drawn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from puzzlec.diagnostics import Source
from puzzlec.language.editing.renaming import members
from puzzlec.language.editing.syntax import syntax_of
from puzzlec.services.lsp.answers import actions, outline, range_of, symbol
from puzzlec.services.lsp.tasks import do, stretch
from puzzlec.services.lsp.text import EditorText
from tests.services.lsp.editing import position
from tests.services.lsp.test_protocol import HOUSE, HOVERS


def asked(text: str, kind: str, **more: object) -> dict[str, Any]:
    """Return the last answer to a task about a text."""
    answers: list[dict[str, Any]] = []
    task = {"do": kind, "text": text, "name": "a.puzzle", "encoding": "utf-16", "language": "puzzle"}
    do(task | more, lambda event, **more: answers.append({"event": event, **more}))
    return answers[-1]


def hovered(text: str, before: str) -> str:
    """Return what is shown after some words of a text."""
    at = position(text, text.index(before) + len(before))
    return str(asked(text, "hover", place=(at["line"], at["character"]))["markdown"])


@pytest.mark.parametrize(("before", "told"), [row for row in HOVERS if row[0] not in ("locat", "forb")])
def test_hovering_shows_the_same_in_this_process(before: str, told: list[str]) -> None:
    shown = hovered(HOUSE, before)
    for words in told:
        assert words in shown


def test_a_region_has_its_cells_and_a_location_its_name() -> None:
    text = "locations box 3x3\nregion R = box 3x1\npiece A x3 { xxx }\nplace A inside R\n"
    assert hovered(text, "inside R") == hovered(text, "region R") == "region `R`: 3 cells"
    assert hovered("lattice none\nlocations names a b\npiece P covers {a b}\n", "names a") == "location `a`"


def test_a_library_lists_its_first_forty_pieces() -> None:
    assert hovered("pieces heptominoes\n", "hepto").endswith(" and 68 more")
    assert " more" not in hovered("pieces hexominoes\n", "hexo").rpartition("pieces")[2]


def test_a_region_outside_of_locations_has_only_its_number() -> None:
    text = "locations box 3x3\npiece A x3 { xxx }\nplace A inside box 3x1\n"
    assert hovered(text, "inside box 3").startswith("3 cells here")
    assert "this statement makes" not in hovered(text, "inside box 3")


def test_a_text_that_is_wrong_later_still_has_its_inferred_lattice() -> None:
    text = "locations box 2x2x3\npiece A x3 { xx/x. }\npiece B { y\n"
    assert hovered(text, "box 2x2x").startswith("12 cells here")


def test_a_place_without_a_meaning_shows_nothing() -> None:
    assert asked("locations box 2x1\n\n", "hover", place=(1, 0)) == {"event": "end", "why": "complete"}


@pytest.mark.parametrize(
    ("start", "end", "columns"),
    [(2, 5, [0, 2, 1, 1]), (3, 3, [0, 2, 0, 3]), (3, 4, [0, 2, 0, 3]), (0, 0, [0, 0, 0, 0]), (4, 4, [1, 0, 1, 0])],
)
def test_an_empty_span_or_the_end_of_a_line_is_the_character_before_it(
    start: int, end: int, columns: list[int]
) -> None:
    text = EditorText("abc\ndef\n")
    assert stretch(text.source("a.puzzle").span(start, end), text) == columns


def test_a_piece_of_a_loop_has_its_subscript_in_the_outline() -> None:
    (loop,) = outline(syntax_of(Source("a.puzzle", "for i in 1..2 {\n  piece A[i] { x }\n}\n")))
    assert [entry.title for entry in loop.inside] == ["A[i]"]


@pytest.mark.parametrize(("lines", "fixes"), [((0, 0), 0), ((0, 1), 1), ((1, 1), 1), ((1, 2), 1), ((2, 2), 0)])
def test_fixes_are_those_of_the_lines_that_are_asked_for(lines: tuple[int, int], fixes: int) -> None:
    found = asked("locations box 2x1\npieces pentomino\npiece D { xx }\n", "check")["diagnostics"]
    document = SimpleNamespace(found=found, checked=1, version=1, uri="file:///a.puzzle")
    first, last = lines
    extent = range_of((first, 3, last, 9))
    assert len(actions(document, extent)) == fixes
    document.version = 2  # fixes of an older text would be at the wrong places
    assert actions(document, extent) == []


def test_an_entry_of_the_outline_has_its_title_or_its_kind() -> None:
    text = 'puzzle "Two"\nlocations box 2x1\npiece A { xx }\n'
    entries = outline(syntax_of(Source("a.puzzle", text)))
    assert [symbol(entry, EditorText(text)).name for entry in entries][-1] == "A"


@pytest.mark.parametrize(
    ("name", "size", "number"), [("tetrominoes", None, 5), ("polyominoes", 4, 5), ("polyominoes", 0, 0)]
)
def test_a_library_or_a_family_in_a_size_has_its_members(name: str, size: int | None, number: int) -> None:
    assert len(members(name, size)) == number


@pytest.mark.parametrize(
    ("text", "severities"),
    [
        ("locations box 4x1\npiece A x2 { xx }\nexpect 2\n", [1]),
        ("locations box 4x1\npiece A x2 { xx }\nexpect 1\n", []),
        ("locations box 4x1\npiece A x2 { xx }\nforbid A at cells (1,0) (3,0)\n", [2]),
    ],
)
def test_an_error_is_of_the_first_severity_also_a_wrong_count_and_a_warning_of_the_second(
    text: str, severities: list[int]
) -> None:
    assert [finding["severity"] for finding in asked(text, "check")["diagnostics"]] == severities
