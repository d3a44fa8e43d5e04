"""Long texts are parsed by the forms of their lines: the trees and the errors are those of the grammar."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lark
import pytest
from lark.exceptions import UnexpectedInput

import puzzlec
from puzzlec.diagnostics import Diagnostic
from puzzlec.language import line_forms
from puzzlec.language.parsing import GluedError, NestingError, parser
from tests.tools.bench.long_texts import KINDS, text_of

PUZZLES = sorted((Path(__file__).parents[2] / "puzzles").rglob("*.puzzle"))


@pytest.fixture(autouse=True)
def no_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_forms, "_forms", {})
    monkeypatch.setattr(line_forms, "_MAX_FORMS", 100_000)


def flat(node: Any) -> Any:
    """Return a tree with the positions of its nodes, except that of the root."""
    if isinstance(node, lark.Token):
        return node.type, str(node), node.start_pos, node.end_pos
    meta = node.meta
    place = None if meta.empty or node.data == "start" else (meta.start_pos, meta.end_pos)
    return str(node.data), place, [flat(child) for child in node.children]


def refused(text: str) -> Diagnostic:
    with pytest.raises(puzzlec.PuzzleError) as error:
        puzzlec.parse(text)
    return error.value.diagnostics[0]


def tree_or_error(parse: Callable[[str], Any], text: str) -> Any:
    try:
        return flat(parse(text))
    except (UnexpectedInput, GluedError, NestingError):
        return "error"


def by_grammar(text: str) -> Any:
    return parser("puzzle").parse(text, start="start")


def forms() -> int:
    return sum(isinstance(form, line_forms._FormPattern) for form in line_forms._forms.values())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.long
def test_long_texts_have_the_trees_of_the_grammar(kind: str) -> None:
    text = text_of(kind, 700)
    assert len(text) > line_forms._MIN_CHARACTERS
    assert flat(line_forms.parse_statements(text)) == flat(by_grammar(text))
    assert 1 <= forms() <= 20
    assert flat(line_forms.parse_statements(text)) == flat(by_grammar(text))


@pytest.mark.parametrize("path", PUZZLES[::30], ids=lambda path: path.stem)
def test_puzzles_that_are_repeated_have_the_trees_of_the_grammar(path: Path) -> None:
    text = (path.read_text(encoding="utf-8") + "\n") * 5
    assert flat(line_forms._tree_by_lines(text)) == flat(by_grammar(text))
    assert forms()


def changed(lines: list[str], words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield a line with another line in which a word is replaced."""
    for line in lines:
        for _ in range(6):
            at = random.choice(list(WORDS.finditer(line)))
            yield line, line[: at.start()] + random.choice(words) + line[at.end() :]


WORDS = re.compile(r"\w+|\{[^{}]*\}|[^\w\s]+|#.*")


@pytest.mark.long
def test_lines_with_other_words_have_the_trees_and_the_errors_of_the_grammar() -> None:
    random.seed(33)
    texts = [path.read_text(encoding="utf-8") for path in PUZZLES]
    texts.append((Path(__file__).parent / "mistakes.txt").read_text(encoding="utf-8"))
    lines = sorted({line for text in texts for line in text.splitlines() if WORDS.search(line)})
    words = sorted({word for line in lines for word in WORDS.findall(line)})
    words += ["x2", "x{n}", "{n}", "1..{n}", "xx", "{x}", "{ }", "{ x. / .x }", "0", "12", "at most", "é"]
    by_form = 0
    for line, other in changed(random.sample(lines, 120), words):
        for _ in range(5):
            tree_or_error(line_forms._tree_by_lines, line + "\n")
        before = forms()
        text = f"{line}\n{other}\n{line}\n"
        assert tree_or_error(line_forms._tree_by_lines, text) == tree_or_error(by_grammar, text), text
        by_form += forms() == before
    assert by_form > 100


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("piece A cells (0,0) (0,1", 21),
        ("piece B { xx } { x }", 16),
        ("piece one two", 11),
        ("forbid V on box 2x2", 10),
    ],
)
def test_an_error_in_a_long_text_has_the_place_that_it_has_in_a_short_one(line: str, column: int) -> None:
    head = "".join(f"piece p{number} {{ xx / .x }}\n" for number in range(1000))
    diagnostic = refused(f"locations box 9x9\n{head}{line}\n")
    assert diagnostic.span is not None
    assert diagnostic.span.source.position(diagnostic.span.start)[:2] == (1002, column)
    short = refused(f"locations box 9x9\npiece p0 {{ x }}\n{line}\n")
    assert (diagnostic.code, diagnostic.message) == (short.code, short.message)


def test_a_word_of_the_grammar_is_part_of_the_form() -> None:
    free = line_forms._free_word()
    assert all(free.fullmatch(word) for word in ("p1", "V", "queen", "_a"))
    assert not any(free.match(word) for word in ("at", "most", "x2", "one-sided", "inner", "for", "min", "where", "3a"))
