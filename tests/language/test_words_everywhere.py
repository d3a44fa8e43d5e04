"""Each word of the grammar is known to everything that follows from the grammar and the table of statements."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from puzzlec.diagnostics import Source
from puzzlec.language.editing.completion import offers
from puzzlec.language.editing.reference import line_of
from puzzlec.language.editing.roles import word_at
from puzzlec.language.editing.syntax import syntax_of
from puzzlec.language.elaborate.statements import WORDS
from puzzlec.language.grammar_words import literals
from puzzlec.language.highlight.contexts import contexts
from puzzlec.language.highlight.highlighter import PuzzleLexer
from puzzlec.language.parsing import parser
from puzzlec.services.web.answers import start
from tests.docs_blocks import DOCS, blocks

ROOT = Path(__file__).parents[2]
GRAMMAR = re.sub(r"//.*|/(?:[^/\\\n]|\\.)+/", "", (ROOT / "grammars" / "puzzle.lark").read_text(encoding="utf-8"))

#: The words of the grammar: those in quotes, and the functions, which are a pattern.
QUOTED = sorted({*re.findall(r'"([a-z][a-z-]*)"', GRAMMAR), *literals({"FUNCTION"})})


@cache
def examples() -> dict[str, list[tuple[str, int]]]:
    """Return the places of each word in the puzzles of the reference: the text and the position."""
    found: dict[str, list[tuple[str, int]]] = {word: [] for word in QUOTED}
    kinds = {terminal.name for terminal in parser("puzzle").terminals if literals({terminal.name})}
    for page in sorted((DOCS / "language").glob("*.md")):
        for block in blocks(page):
            if block.language == "puzzle" and not block.said("fails"):
                machine: Any = parser("puzzle").parse_interactive(block.text, start="start")
                for token in machine.iter_parse():
                    apart = f"\n{block.text[: token.start_pos]}".endswith((" ", "\n", "(", "{"))
                    if token.type in kinds and str(token) in found and apart:
                        found[str(token)].append((block.text, token.start_pos))
    return found


def reference(page: str) -> str:
    return (DOCS / "language" / f"{page}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", QUOTED)
def test_a_word_of_the_grammar_is_known_everywhere(word: str) -> None:
    whole = rf"(?<![\w-]){word}(?![\w-])"
    form, _, _ = reference("grammar").partition("<!-- end of what is generated -->")
    described = form if word not in literals({"FUNCTION"}) else reference("grammar")
    assert re.search(whole, described), "the grammar of the reference"
    assert re.search(whole, (DOCS / "editors" / "puzzle.tmLanguage.json").read_text(encoding="utf-8")), "TextMate"
    assert re.search(whole, repr(PuzzleLexer.tokens)), "Pygments"
    assert re.search(whole, json.dumps(start(None, 1.0, 1)["syntax"])), "the page"
    assert word in WORDS, "the table of statements"
    assert (line := line_of(word)) is not None, "hover"
    assert line.meaning == WORDS[word].meaning
    assert re.search(whole, reference(line.page)), "its page of the reference"


@pytest.mark.parametrize("word", QUOTED)
def test_a_word_of_the_grammar_is_in_an_example_and_is_completed_coloured_and_explained_there(word: str) -> None:
    places = examples()[word]
    assert places, "no puzzle of the reference has this word"
    for text, at in places[:6]:
        offered = {offer.text for offer in offers(syntax_of(Source("x", text[:at])), at).offers}
        assert word in offered, text[:at]
        assert word_at(text, at) == word, text[:at]


def test_the_highlighters_share_one_description() -> None:
    assert set(contexts()) == set(PuzzleLexer.tokens)
    assert set(contexts()) == set(start(None, 1.0, 1)["syntax"])
