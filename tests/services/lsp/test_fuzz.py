"""Random edits while the server answers: its answers are those for a freshly opened text."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.services.lsp.editing import Document, Editor, RefusedError, position

ROOT = Path(__file__).parents[3]

#: Typed texts: words of the language, brackets, half statements, characters of every width, line ends.
TYPED = (
    "piece ", "pieces pentominoes", "locations ", "box 3x3", "{", "}", "(", ")", "[", "]", '"', "#", " ", "\n", "\r\n",
    "\r", "\f", "\u2028", "\x85", "x", ".", "/", "for i in 1..3 {\n", "param n = 3\n", "n", "{n}", "lattice hex\n",
    "lattice ", "colours r b\n", "where ", "covers {a b}", "\u00e9", "\U0001f600", "\0", "\ufeff", "9" * 12,
    "place A inside ", "\t", "except ", "..",
)  # fmt: skip

ASKED = ("documentSymbol", "foldingRange", "semanticTokens/full", "completion", "hover", "definition", "references",
         "documentHighlight", "prepareRename", "formatting", "codeAction", "rename")  # fmt: skip


def ask(document: Document, what: str, at: int) -> Any:
    """Send a request about a character. It may be refused, but not fail."""
    where = position(document.text, at)
    more: dict[str, Any] = {"position": where}
    if what == "formatting":
        more = {"options": {"tabSize": 2, "insertSpaces": True}}
    elif what == "codeAction":
        more = {"range": {"start": where, "end": where}, "context": {"diagnostics": []}}
    elif what == "references":
        more |= {"context": {"includeDeclaration": True}}
    elif what == "rename":
        more |= {"newName": "other"}
    try:
        return document.ask(what, **more)
    except RefusedError as error:
        assert "Traceback" not in str(error)
        assert what == "rename", f"{what}: {error}"
        return None


def edit(document: Document, chance: random.Random) -> None:
    """Type or delete some text, or both, at a random place."""
    text = document.text
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((0, 0, 0, 1, 1, 4, 20)))
    if "\r\n" in (text[start - 1 : start + 1], text[end - 1 : end + 1]):
        return  # a cursor cannot be there
    document.change(start, end, chance.choice(TYPED) if chance.random() < 0.8 else "")


def compare(editor: Editor, document: Document, number: int) -> None:
    """Compare the answers for an edited text with those for the same text, opened."""
    fresh = editor.open(document.text, f"fresh-{number}.puzzle")
    assert [without_uri(diagnostic) for diagnostic in document.diagnostics()] == [
        without_uri(diagnostic) for diagnostic in fresh.diagnostics()
    ]
    for what in ("documentSymbol", "foldingRange", "semanticTokens/full", "formatting"):
        mine, other = ask(document, what, 0), ask(fresh, what, 0)
        assert {**mine, "resultId": 0} == {**other, "resultId": 0} if isinstance(mine, dict) else mine == other, what
    fresh.close()


def without_uri(found: dict[str, Any]) -> dict[str, Any]:
    """Return a diagnostic without the names of the document."""
    places = [(related["message"], related["location"]["range"]) for related in found.get("relatedInformation") or ()]
    return {**found, "relatedInformation": places}


def fuzz(editor: Editor, seed: int, edits: int, every: int) -> None:
    chance = random.Random(seed)
    path = chance.choice(sorted((ROOT / "puzzles").rglob("*.puzzle")))
    text = path.read_text(encoding="utf-8")[:1500]
    document = editor.open(text.replace("\n", chance.choice(("\n", "\r\n", "\r"))), f"fuzz-{seed}.puzzle")
    for number in range(1, edits + 1):
        edit(document, chance)
        if chance.random() < 0.5:
            ask(document, chance.choice(ASKED), chance.randrange(len(document.text) + 1))
        if number % every == 0:
            compare(editor, document, number)
    document.close()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.long
def test_random_edits_leave_the_server_with_the_text_that_the_editor_has(editor: Editor, seed: int) -> None:
    fuzz(editor, seed, edits=16, every=8)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("seed", range(100, 120))
def test_thousands_of_random_edits_leave_the_server_with_the_text_that_the_editor_has(
    editor: Editor, seed: int
) -> None:
    fuzz(editor, seed, edits=200, every=20)
