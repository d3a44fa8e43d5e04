"""Help for errors in the puzzle language: what an unreadable statement means, and descriptions of expected parts.

Malformed examples decide which part is expected: the parser has the same state after each. As in Lark's
`match_examples` the state decides, but each example is parsed once, not once for each error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.diagnostics import near
from puzzlec.geometry.families import family_names
from puzzlec.geometry.shapes import library_names
from puzzlec.language.elaborate.statements import KEYWORDS, STATEMENTS
from puzzlec.language.mistakes import BEGINNINGS, ELSEWHERE, Slip, pattern_of, rows_of
from puzzlec.language.parsing import GluedError, NestingError, parser

#: Maximum number of characters of a statement for which readable statements are sought, and of texts to try.
MAX_CHARACTERS, MAX_TRIALS = 1_200, 60

#: Mistakes of one statement that are put right one after another.
MAX_MISTAKES = 4

#: Maximum number of pieces that a suggestion lists.
MAX_PIECES = 8

#: A longer statement is not repeated in a suggestion: only the part that changes is.
MAX_CHARACTERS_SHOWN = 90


#: The statement of a text whose locations have names.
NAMES_ONLY = re.compile(r"^[ \t]*lattice[ \t]+none\b", re.MULTILINE)


class Rewriting(NamedTuple):
    """A statement that can be read in place of one that cannot.

    Attributes:
        start: Where the difference begins in the unreadable statement.
        end: Where it ends.
        expected: What is expected in its place, if the table of mistakes has it.
        help: The suggestion.

    """

    start: int
    end: int
    expected: str
    help: str


def readable(text: str, geometry: bool = True) -> bool:
    """Return whether a text is a list of statements, or empty. With geometry, locations have no names."""
    try:
        tree = parser("puzzle").parse(f"{text}\n", start="start")
    except (UnexpectedInput, GluedError, NestingError):
        return False
    geometry = geometry and not NAMES_ONLY.search(text)
    strange = ("names", "word") if geometry else ("box", "spot", "drawing")
    boards = (part for kind in ("locations", "optional") for part in tree.find_data(kind))
    return not any(list(board.find_pred(lambda part: part.data in strange)) for board in boards)


def meant_by(statement: str, good: Callable[[str], bool] = readable, pieces: Sequence[str] = ()) -> Rewriting | None:
    """Return what a faulty statement means, by the table of mistakes; None if nothing there helps.

    ``good`` decides whether a text can be suggested. ``pieces`` are names of pieces of the puzzle.

    >>> meant_by("piece A x 3 { xx }").help
    'write `piece A x3 { xx }`'
    >>> meant_by("match a=b")
    Rewriting(start=7, end=8, expected='', help='write `match a b`')
    """
    if len(statement) > MAX_CHARACTERS:
        return None
    names = {"<PIECE>": pieces[0] if pieces else "A", "<PIECES>": " ".join(pieces[:MAX_PIECES] or ["A"])}
    tried = {statement}
    todo: list[tuple[str, tuple[Slip, ...]]] = [(statement, ())]
    for _ in range(MAX_MISTAKES):
        following: list[tuple[str, tuple[Slip, ...]]] = []
        for text, used in todo:
            for row in (*beginnings(text), *rows_of(text)):
                new = pattern_of(row).sub(row.new, text)
                new = _spaced(re.sub("<PIECES?>", lambda match: names[match.group()], new))
                if new in tried or len(tried) > MAX_TRIALS:
                    continue
                tried.add(new)
                if good(new):
                    return suggested(statement, new, (*used, row))
                following.append((new, (*used, row)))
        todo = following
    return None


def elsewhere(statement: str) -> str | None:
    """Return what to do instead of a statement that no other statement replaces; None for any other one."""
    for row in ELSEWHERE:
        if match := pattern_of(row).match(statement):
            return match.expand(row.new) if isinstance(row.new, str) else row.new(match)
    return None


def beginnings(statement: str) -> tuple[Slip, ...]:
    """Return the rows that replace the first word of a statement by a keyword that it may mean."""
    match = re.match(r"[^\W\d][\w-]*", statement)
    word = match.group() if match else ""
    if not word or word in KEYWORDS:
        return ()
    collections = (*library_names(), *family_names())
    libraries = [word] if word in collections else near(word, collections)[:1]
    words = BEGINNINGS[word.lower()].split("|") if word.lower() in BEGINNINGS else near(word, KEYWORDS)
    return tuple(Slip(rf"^{word}\b", new) for new in (*words, *(f"pieces {name}" for name in libraries)))


def _spaced(text: str) -> str:
    """Return a statement with spaces before a drawing and around a minus, and none at its end."""
    return re.sub(r"(?<=[\w*)\]])(?=\{\s|-\s)", " ", text).rstrip()


def suggested(old: str, new: str, used: tuple[Slip, ...]) -> Rewriting:
    """Return a suggestion: the whole statement if it is short, or the part that changes."""
    before, after = (re.findall(r"\w[\w-]*|\"[^\"\n]*\"|\s+|.", text, re.DOTALL) for text in (old, new))
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    start = sum(map(len, before[:first]))
    end = len(old) - sum(map(len, before[len(before) - last :]))
    expected = next((row.expected for row in used if row.expected), "")
    lead = next((row.before for row in used if row.before), "write")
    if not new:
        return Rewriting(start, end, expected, f"remove `{old}`")
    statements = new.split("\n") if "\n" not in old else [new]
    if len(new) <= MAX_CHARACTERS_SHOWN * len(statements) and "\n" not in statements[0]:
        help = f"{lead} {' and '.join(f'`{each}`' for each in statements)}"
        return Rewriting(start, end, expected, help)
    if last and not "".join(before[first : len(before) - last]).strip() and before[-last].strip():
        last -= 1  # nothing is left out: show a neighbour
    while first and not "".join(before[first : len(before) - last]).strip():
        first -= 1
    while first and not "".join(after[first : len(after) - last]).strip():
        first -= 1
    gone, come = "".join(before[first : len(before) - last]).strip(), "".join(after[first : len(after) - last]).strip()
    return Rewriting(start, end, expected, f"write `{come}` instead of `{gone}`".replace("\n", " "))


#: Descriptions of parts that several statements have, with malformed examples that end where the part is missing.
_PARTS: dict[str, tuple[str, ...]] = {
    "a region such as `box 2x2 at (0,0)` or a drawing": ("locations box 1x1 + }", "locations box 1x1 - }"),
    "sizes such as `10x6`": ("locations box }",),
    "cells such as `(0,0)`": ("locations cells }",),
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
