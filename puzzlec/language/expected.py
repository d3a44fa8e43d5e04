"""Descriptions of the expected part of a statement, found by malformed examples with the same state of the parser.

The table of statements has the examples of each statement; this module has those of shared parts. As in Lark's
`match_examples` the state of the parser decides, but each example is parsed once, not once for each error.
"""

from __future__ import annotations

from functools import cache

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.language.elaborate import STATEMENTS
from puzzlec.language.parsing import parser

#: Descriptions of parts that several statements have, with malformed examples that end where the part is missing.
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


#: Descriptions of expected parts, with malformed examples that end where the part is missing.
EXAMPLES = _examples()


def by_example(error: Exception) -> str | None:
    """Return a description of the expected part at a parse error; None if no example matches."""
    here = _position(error)
    if here is None:
        return None
    for words, examples in EXAMPLES.items():
        for example in examples:
            if _state(example, parser("puzzle")) == here:
                return words
    return None


def _position(error: Exception) -> object:
    """Return the number of the parser's state at an error."""
    state = getattr(error, "state", None)
    return getattr(state, "position", state)


@cache
def _state(example: str, machine: lark.Lark) -> object:
    """Return the parser's state at the end of an example. Another parser may number its states differently."""
    try:
        machine.parse(example + "\n", start="start")
    except UnexpectedInput as error:
        return _position(error)
    raise AssertionError(f"the example {example!r} is not malformed")
