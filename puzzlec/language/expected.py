"""What a person would say is expected, by malformed examples: the parser stands in the same state after each.

A table, so that anyone can add a line: what is expected, and texts that break off just where it should stand.
The state of the parser decides, as in Lark's own `match_examples`; here each example is read once, not once an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark.exceptions import UnexpectedInput

#: What is expected, and malformed examples that end where it should stand.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "the title in double quotes": ("puzzle }",),
    "the name of a lattice": ("lattice }",),
    "a colour of one character": ("colours",),
    "the letters of regions": ("regions",),
    "the name of a parameter": ("param }",),
    "a value": ("param n = }",),
    "how many locations may stay empty, such as `2` or `0..3`": ("empty }",),
    "the colours that the rim may show": ("rim }",),
    "two colours": ("match }",),
    "a second colour": ("match a }",),
    "a region such as `box 6x10`, a drawing in `{ }`, or names": ("locations }", "optional locations }"),
    "a region such as `box 2x2 at (0,0)` or a drawing": (
        "place A in }",
        "place A off }",
        "fix A in }",
        "forbid A in }",
        "locations box 1x1 + }",
        "locations box 1x1 - }",
    ),
    "sizes such as `10x6`": ("locations box }",),
    "cells such as `(0,0)`, or names": ("locations cells }",),
    "cells such as `(0,0)`": ("piece A cells }",),
    "coordinates such as `(3,3)`": ("locations box 1x1 at }",),
    "a piece name": ("piece }",),
    "an axis such as `x`, or a vector such as `(8,0)`": ("wrap }",),
    "a drawing in `{ }`, `=`, `cells`, `covers` or `edges`": ("piece A }", "piece A x2 }", "piece A[1] }"),
    "the name of a shape library": ("pieces }", "piece A = }"),
    "a dot and the name of a shape": ("piece A = pentominoes }",),
    "the name of a shape": ("piece A = pentominoes. }",),
    "the names of pieces to leave out": ("pieces pentominoes except }", "pieces pentominoes except I, }"),
    "the names of pieces to take": ("pieces pentominoes only }", "pieces pentominoes only I, }"),
    "placements such as `{0 1}`": ("piece A covers a",),
    "the colours of the sides": ("piece A edges }",),
    "the name of the piece": ("place }", "fix }", "forbid }"),
    "a region, by its letter or as `box 2x2 at (0,0)` or a drawing": ("rule }",),
    "`sum` or `all`": ("rule A }",),
    "`=`, `<` or `>`": ("rule A sum }",),
    "a number": ("rule A sum = }",),
    "`equal` or `different`": ("rule A all }",),
    "`in` or `off`": ("place A }", "place A[1] }"),
    "`in` and the cells of the placement": ("fix A }", "forbid A }"),
    "a colour": ("allow }",),
    "`on` and the colours of locations": ("allow a }",),
    "a variable": ("for }", "piece A covers {a} for }", "for i in 1..2, }"),
    "`in` and a range such as `1..8`": ("for i }", "piece A covers {a} for i }"),
    "a range such as `1..8`, or a list such as `(1, 3, 7)`": ("for i in }", "piece A covers {a} for i in }"),
    "the end of the range": ("for i in 1.. }",),
    "a condition": ("for i in 1..2 where }", "piece A covers {a} for i in 1..2 where }"),
    "an index such as `1` or `i+1`": ("piece A[ ]", "locations a[ ]", "fix A[ ]"),
    "a coordinate": ("locations cells ( )",),
}


def by_example(error: Exception, parse: Callable[[str], Any]) -> str | None:
    """Return what is expected where a parse error is, in a person's words; None where no example is like it.

    ``parse`` is the parser's own function: the examples are read with it, once for each error.
    """
    here = _position(error)
    if here is None:
        return None
    for words, examples in EXAMPLES.items():
        for example in examples:
            if _state(example, parse) == here:
                return words
    return None


#: The states of the parser that the examples break off in. Another parser may number its states otherwise.
STATES: dict[str, object] = {}


def _position(error: Exception) -> object:
    """Return the number of the parser's state where an error arose."""
    state = getattr(error, "state", None)
    return getattr(state, "position", state)


def _state(example: str, parse: Callable[[str], Any]) -> object:
    """Return the state of the parser where an example breaks off."""
    if example not in STATES:
        try:
            parse(example + "\n")
        except UnexpectedInput as error:
            STATES[example] = _position(error)
        else:
            raise AssertionError(f"the example {example!r} is not malformed")
    return STATES[example]
