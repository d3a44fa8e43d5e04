"""Completion: the words that the grammar allows at a place, and the names that are defined there.

The parser reads the statement up to the cursor and lists the terminals that may follow.
``puzzlec.language.hints`` gives the kind of name for each of them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import lark
from lark.exceptions import UnexpectedInput, UnexpectedToken

from puzzlec.diagnostics import Source
from puzzlec.geometry import find_lattice, lattice_names, library_names
from puzzlec.geometry.families import family_names, sized_names
from puzzlec.language.elaborate import STATEMENTS
from puzzlec.language.expressions import Tree
from puzzlec.language.highlight.words import literals
from puzzlec.language.hints import by_example
from puzzlec.language.parsing import GluedError, NestingError, parser
from puzzlec.language.puzzle_text import standing
from puzzlec.services.lsp.language import line_of
from puzzlec.services.lsp.renaming import members
from puzzlec.services.lsp.roles import stretches
from puzzlec.services.lsp.syntax import Kind, Syntax, syntax_of

#: The part of a name before the cursor.
_PART = re.compile(r'"[^"\n]*\Z|[\w-]*\Z')


#: What the parser expects if the name of a shape of a library may follow.
_MEMBERS = (
    "the name of a shape",
    "the names of pieces to leave out",
    "the names of pieces to take",
    "the name of another piece",
)


@dataclass(frozen=True)
class Offer:
    """A completion: the text, its kind (``word``, ``piece``, ...), and a remark."""

    text: str
    what: str
    remark: str = ""


@dataclass(frozen=True)
class Offers:
    """The completions at a place. They replace the characters from ``start`` up to it."""

    start: int
    offers: list[Offer]


def offers(syntax: Syntax, at: int, pieces: Iterable[str] = ()) -> Offers:
    """Return the completions at a character; ``pieces`` are names of pieces from the last check."""
    text = syntax.source.text
    part = _PART.search(text, text.rfind("\n", 0, at) + 1, at)
    start = part.start() if part else at
    if any(each.role == "comment" and each.start < at <= each.end for each in stretches(text)):
        return Offers(at, [])
    found = list(_offers(_Here(syntax, start, list(pieces))))
    if text[start:at].startswith('"'):
        named = [each for each in found if each.what != "word"]
        found = [Offer(f'"{each.text.strip(chr(34))}"', each.what, each.remark) for each in named]
    unique = {each.text: each for each in reversed(found)}
    return Offers(start, list(reversed(unique.values())))


class _Here:
    """A place in a text, with the state of the parser."""

    def __init__(self, syntax: Syntax, at: int, pieces: list[str]) -> None:
        self.syntax, self.at, self.pieces = syntax, at, pieces
        text = syntax.source.text
        self.start, self.blocks = standing(text, at)
        self.tokens, self.machine = _read(text[self.start : at])
        self.headers = [_read(text[begin:brace])[0] for begin, brace in self.blocks]

    @property
    def accepts(self) -> set[str]:
        """The terminals that may follow; none if the statement cannot be read up to here."""
        return set(self.machine.accepts()) if self.machine is not None else set()

    @property
    def expected(self) -> str:
        """The expected thing in words; empty if no example is like this place."""
        if self.machine is None:
            return ""
        error: Exception = UnexpectedToken(lark.Token("", ""), set(), state=self.machine.parser_state)  # type: ignore[no-untyped-call]
        return by_example(error) or ""

    @property
    def library(self) -> tuple[str, int | None]:
        """The last library in the statement, and its size."""
        names = [each for each in self.tokens if each.type in ("NAME", "STRING", "ORDER")]
        first = next((n for n, each in enumerate(self.tokens) if each.type in ("PIECES", "EQUAL")), None)
        behind = [each for each in names if first is not None and each in self.tokens[first:]]
        if not behind:
            return "", None
        sized = len(behind) > 1 and behind[1].type == "ORDER" and behind[1].isdecimal()
        return str(behind[0]).strip('"'), int(behind[1][:9]) if sized else None


def _read(text: str) -> tuple[list[lark.Token], Any]:
    """Return the tokens of the beginning of a statement, and the parser after them; None after an error."""
    machine: Any = parser("puzzle").parse_interactive(text, start="start")
    tokens: list[lark.Token] = []
    try:
        for token in machine.iter_parse():
            tokens.append(token)  # noqa: PERF402 - the tokens before an error are kept
    except (UnexpectedInput, GluedError, NestingError):
        return tokens, None
    return tokens, machine


def _offers(here: _Here) -> Iterator[Offer]:
    accepts, expected = here.accepts, here.expected
    if "NAME" in accepts or "STRING" in accepts:
        yield from _names(here, expected)
    if "SIGN" in accepts:
        colours = [each.word for each in here.syntax.names if each.kind is Kind.COLOUR and each.defines]
        yield from (Offer(each, "colour") for each in colours)
    if "VARIABLE" in accepts and not expected.startswith(("a variable", "the name of a parameter")):
        yield from _variables(here)
    begins = not here.tokens or here.tokens[-1].type == "_NL"
    refused = _refused(here) if begins else set()
    for word in literals(accepts):
        line = line_of(word)
        if word not in refused:
            yield Offer(word, "word", line.meaning if line else "")


def _refused(here: _Here) -> set[str]:
    """Return the words of statements that cannot begin here: inside a block, or a second time."""
    given = {str(tree.data) for tree in here.syntax.statements()}
    return {
        each.word for each in STATEMENTS if (here.blocks and not each.in_blocks) or (each.once and each.kind in given)
    }


def _names(here: _Here, expected: str) -> Iterator[Offer]:
    """Yield the known names of the expected kind."""
    names = here.syntax.names
    if expected == "the name of a lattice":
        yield from (Offer(each, "lattice", find_lattice(each).summary) for each in lattice_names())
        yield Offer("none", "lattice", "no geometry: locations have names")
    elif expected == "the name of a shape library":
        yield from (Offer(each, "library", "a library of shapes") for each in library_names())
        yield from (Offer(each, "library", "a family of shapes, before a size") for each in family_names())
        yield from (Offer(name, "library", f"{family} {size}") for name, (family, size) in sized_names().items())
    elif expected in _MEMBERS:
        library, size = here.library
        yield from (Offer(each, "shape", f"of {library}") for each in members(library, size))
    elif expected == "the name of the piece":
        for each in names:
            if each.kind is Kind.PIECE and each.defines:
                yield Offer(_quoted(each.word), "piece")
            elif each.kind is Kind.LIBRARY and here.syntax.path(each.start)[-1].data == "pieces":
                yield from (Offer(member, "piece", f"of {each.word}") for member in members(each.word, each.size))
        yield from (Offer(_quoted(each), "piece") for each in here.pieces)
    elif expected.startswith("an axis"):
        yield from (Offer(each, "axis") for each in "xyz")
    elif expected.startswith("cells such as") or (here.machine is not None and _in_set(here)):
        yield from (
            Offer(_quoted(each.word), "location") for each in names if each.kind is Kind.LOCATION and each.defines
        )


def _locations(here: _Here) -> list[str]:
    """Return the names of the locations."""
    return [each.word for each in here.syntax.names if each.kind is Kind.LOCATION and each.defines]


def _in_set(here: _Here) -> bool:
    """Whether this is in a list of locations: in a set, or after `cells`."""
    return any(each.type in ("COVERS", "CELLS") for each in here.tokens)


def _quoted(name: str) -> str:
    """Return a name in the spelling of the language."""
    return name if re.fullmatch(r"\w[\w-]*(?:\[[^\]\s]*\])?", name) else f'"{name}"'


def _variables(here: _Here) -> Iterator[Offer]:
    """Yield the parameters, and the variables of the loops around a place."""
    for each in here.syntax.names:
        if each.kind is Kind.PARAMETER and each.defines:
            yield Offer(each.word, "parameter")
    whole = _with_a_number(here)
    path = whole.path(here.at)
    for each in whole.names:
        if each.kind is Kind.VARIABLE and each.defines and any(_binds(tree, each.start) for tree in path):
            yield Offer(each.word, "variable")
    for tokens in (*here.headers, here.tokens):
        for token, following in itertools.pairwise(tokens):
            if token.type == "VARIABLE" and following.type in ("IN", "AT", "COMMA", "RPAR") and _in_loop(tokens, token):
                yield Offer(str(token), "variable")


def _with_a_number(here: _Here) -> Syntax:
    """Return the text with a number in an empty index: otherwise the parser rejects the index and its surroundings."""
    source = here.syntax.source
    rest = source.text[here.at :]
    typed = re.match(r"\w*", rest)
    return syntax_of(Source(source.name, f"{source.text[: here.at]}0{rest[typed.end() if typed else 0 :]}"))


def _binds(tree: Tree, at: int) -> bool:
    """Whether the `for` of a tree itself has a variable at a place."""
    last = tree.children[-1] if tree.children else None
    own = isinstance(last, lark.Tree) and last.data == "clause"
    loop = tree.children if tree.data == "repeat" else last.children if own and isinstance(last, lark.Tree) else []
    rounds = [each for each in loop if isinstance(each, lark.Tree) and each.data in ("round", "traced")]
    return any(each.meta.start_pos <= at < each.meta.end_pos for each in rounds)


def _in_loop(tokens: list[lark.Token], token: lark.Token) -> bool:
    """Whether a token follows a `for`."""
    return any(each.type == "FOR" for each in tokens[: tokens.index(token)])
