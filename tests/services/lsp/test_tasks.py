"""The tasks of the server in this process: what hovering shows, and what is drawn."""

from __future__ import annotations

from typing import Any

import pytest

from puzzlec.diagnostics import Source
from puzzlec.language.editing.renaming import members
from puzzlec.language.editing.syntax import syntax_of
from puzzlec.services.lsp.answers import outline, symbol
from puzzlec.services.lsp.tasks import do
from puzzlec.services.lsp.text import EditorText
from tests.services.lsp.editing import position
from tests.services.lsp.test_protocol import HOUSE, HOVERS


def hovered(text: str, before: str) -> str:
    """Return what is shown after some words of a text."""
    answers: list[dict[str, Any]] = []
    at = position(text, text.index(before) + len(before))
    task = {"do": "hover", "text": text, "name": "a.puzzle", "encoding": "utf-16", "language": "puzzle"}
    do(task | {"place": (at["line"], at["character"])}, lambda event, **more: answers.append({"event": event, **more}))
    return str(answers[-1]["markdown"])


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


def test_an_entry_of_the_outline_has_its_title_or_its_kind() -> None:
    text = 'puzzle "Two"\nlocations box 2x1\npiece A { xx }\n'
    entries = outline(syntax_of(Source("a.puzzle", text)))
    assert [symbol(entry, EditorText(text)).name for entry in entries][-1] == "A"


@pytest.mark.parametrize(
    ("name", "size", "number"), [("tetrominoes", None, 5), ("polyominoes", 4, 5), ("polyominoes", 0, 0)]
)
def test_a_library_or_a_family_in_a_size_has_its_members(name: str, size: int | None, number: int) -> None:
    assert len(members(name, size)) == number
