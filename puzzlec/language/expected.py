"""What a person would say is expected, by malformed examples: the parser is in the same state after each.

The examples of a statement are in the table of statements, those of its parts here. The state of the parser decides,
as in Lark's own `match_examples`; here each example is read once, not once for each error.
"""

from __future__ import annotations

from functools import cache

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.language.elaborate import STATEMENTS
from puzzlec.language.parsing import parser

#: What is expected in parts that several statements have, and malformed examples that end where it is missing.
_PARTS: dict[str, tuple[str, ...]] = {
    "a region such as `box 2x2 at (0,0)` or a drawing": ("locations box 1x1 + }", "locations box 1x1 - }"),
    "sizes such as `10x6`": ("locations box }",),
    "cells such as `(0,0)`, or names": ("locations cells }",),
    "coordinates such as `(3,3)`": ("locations box 1x1 at }",),
    "a variable": ("piece A covers {a} for }",),
    "`in` and a range such as `1..8`": ("piece A covers {a} for i }",),
    "a range such as `1..8`, or a list such as `(1, 3, 7)`": ("piece A covers {a} for i in }",),
    "a condition": ("piece A covers {a} for i in 1..2 where }",),
    "an index such as `1` or `i+1`": ("piece A[ ]", "locations a[ ]", "fix A[ ]"),
    "a coordinate": ("locations cells ( )",),
}


def _examples() -> dict[str, tuple[str, ...]]:
    examples: dict[str, tuple[str, ...]] = {}
    for part in (*(statement.expects for statement in STATEMENTS), _PARTS):
        for words, texts in part.items():
            examples[words] = (*examples.get(words, ()), *texts)
    return examples


#: What is expected, and malformed examples that end where it is missing.
EXAMPLES = _examples()


def by_example(error: Exception) -> str | None:
    """Return what is expected where a parse error is, in a person's words; None if no example is like it."""
    here = _position(error)
    if here is None:
        return None
    for words, examples in EXAMPLES.items():
        for example in examples:
            if _state(example, parser("puzzle")) == here:
                return words
    return None


def _position(error: Exception) -> object:
    """Return the number of the parser's state where an error arose."""
    state = getattr(error, "state", None)
    return getattr(state, "position", state)


@cache
def _state(example: str, machine: lark.Lark) -> object:
    """Return the state of the parser where an example breaks off. Another parser may number its states otherwise."""
    try:
        machine.parse(example + "\n", start="start")
    except UnexpectedInput as error:
        return _position(error)
    raise AssertionError(f"the example {example!r} is not malformed")
