"""The tables that choose the words of messages: every line is reachable and has its intended words."""

from __future__ import annotations

import lark
import pytest

from puzzlec.language.hints import EXAMPLES, by_example
from puzzlec.language.parsing import WORDS, parser


def parsed(text: str) -> object:
    return parser("puzzle").parse(text, start="start")


@pytest.mark.parametrize(("words", "example"), [(words, text) for words, texts in EXAMPLES.items() for text in texts])
def test_every_example_is_malformed_and_gets_its_words(words: str, example: str) -> None:
    with pytest.raises(lark.UnexpectedInput) as caught:
        parsed(example + "\n")
    assert by_example(caught.value) == words


def test_a_parser_with_other_numbers_of_states_has_the_same_words() -> None:
    with pytest.raises(lark.UnexpectedInput) as caught:
        parsed("lattice }\n")
    assert by_example(caught.value) == "the name of a lattice"
    parser.cache_clear()
    with pytest.raises(lark.UnexpectedInput) as caught:
        parsed("lattice }\n")
    assert by_example(caught.value) == "the name of a lattice"


@pytest.mark.parametrize("grammar", ["puzzle", "dpf", "compact", "board", "offsets"])
def test_no_message_shows_a_pattern_of_the_grammar(grammar: str) -> None:
    terminals = [terminal for terminal in parser(grammar).terminals if not terminal.name.startswith("__IGNORE")]
    patterns = [terminal.name for terminal in terminals if isinstance(terminal.pattern, lark.lexer.PatternRE)]
    assert [name for name in patterns if name not in WORDS] == []
