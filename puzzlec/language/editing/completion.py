"""Completion: the words that the grammar allows at a position, and the names that are defined there.

The parser reads the statement up to the cursor and lists the terminals that may follow.
``puzzlec.language.hints`` gives the kind of name for each of them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import lark
from lark.exceptions import UnexpectedInput, UnexpectedToken

from puzzlec.diagnostics import Source
from puzzlec.geometry import find_lattice, lattice_names, library_names
from puzzlec.geometry.board_shapes import BOARD_SHAPES
from puzzlec.geometry.families import ShapesError, family_names, lattice_of, sized_names
from puzzlec.geometry.places import PLACE_WORDS
from puzzlec.ir.paints import PAINTS
from puzzlec.language.editing.reference import line_of
from puzzlec.language.editing.renaming import members
from puzzlec.language.editing.roles import stretches
from puzzlec.language.editing.syntax import NameKind, Syntax, syntax_of
from puzzlec.language.elaborate.deciding import DECIDING_STATEMENTS, DEFAULT_LATTICE, decision_of
from puzzlec.language.elaborate.pieces import lies_in
from puzzlec.language.elaborate.regions import lattices_of_sides
from puzzlec.language.elaborate.statements import STATEMENTS
from puzzlec.language.expressions import LOOP_VARIABLES, Tree
from puzzlec.language.grammar_words import literals
from puzzlec.language.hints import by_example
from puzzlec.language.parsing import GluedError, NestingError, parser
from puzzlec.language.recovery import statement_at

#: The tokens that the parser expects if the name of a shape of a library may follow.
_MEMBERS = (
    "the name of a shape",
    "the names of pieces to leave out",
    "the names of pieces to take",
    "the name of another piece",
)

#: The tokens that the parser expects if the name of a piece of the puzzle may follow.
_PIECES = (
    "the name of the piece",
    "the name of a piece, or of a shape library",
    "the names of pieces that may stay together",
    "the names of pieces that never move",
    "names of pieces, `copies` or `colours`",
    "the name of a piece, or `all`",
    "a piece or `border`",
)

#: Statements that name several pieces, or a piece after a number.
_LISTS = ("RULE", "TOGETHER", "IMMOVABLE", "APART", "TOUCHING")


@dataclass(frozen=True)
class Offer:
    """A completion: the text, its kind (``word``, ``piece``, ...), and a remark."""

    text: str
    what: str
    remark: str = ""


@dataclass(frozen=True)
class Offers:
    """The completions at a position. They replace the characters from ``start`` up to this position.

    ``library`` is the library of offered shapes, with its size.
    """

    start: int
    offers: list[Offer]
    library: tuple[str, int | None] = ("", None)


def offers(syntax: Syntax, at: int, pieces: Iterable[str] = ()) -> Offers:
    """Return the completions at a character; ``pieces`` are names of pieces from the last check."""
    text = syntax.source.text
    start = _start(text, at)
    if any(stretch.role == "comment" and stretch.start < at <= stretch.end for stretch in stretches(text)):
        return Offers(at, [])
    here = _Here(syntax, start, list(pieces))
    candidates = list(_offers(here))
    if text[start:at].startswith('"'):
        named = [offer for offer in candidates if offer.what != "word"]
        candidates = [Offer(f'"{offer.text.strip(chr(34))}"', offer.what, offer.remark) for offer in named]
    unique = {offer.text: offer for offer in reversed(candidates)}
    return Offers(start, list(reversed(unique.values())), here.library)


def _start(text: str, at: int) -> int:
    """Return where the part of a name before a character begins: at its quote, or at its first letter."""
    line = text.rfind("\n", 0, at) + 1
    if text.count('"', line, at) % 2:
        return text.rfind('"', line, at)
    while at > line and re.match(r"[\w-]", text[at - 1]):
        at -= 1
    return at


class _Here:
    """A position in a text, with the state of the parser."""

    def __init__(self, syntax: Syntax, at: int, pieces: list[str]) -> None:
        self.syntax, self.at, self.pieces = syntax, at, pieces
        text = syntax.source.text
        self.start, self.blocks = statement_at(text, at)
        self.tokens, self.machine = _read(text[self.start : at])
        self.headers = [_read(text[begin:brace])[0] for begin, brace in self.blocks]

    @property
    def accepts(self) -> set[str]:
        """The terminals that may follow; none if the statement cannot be read up to here."""
        return set(self.machine.accepts()) if self.machine is not None else set()

    @property
    def expected(self) -> str:
        """The expected thing in words; empty if no example resembles this position."""
        if self.machine is None:
            return ""
        error: Exception = UnexpectedToken(lark.Token("", ""), set(), state=self.machine.parser_state)  # type: ignore[no-untyped-call]
        return by_example(error) or ""

    @cached_property
    def lattice(self) -> str | None:
        """The lattice of the text; None if nothing decides it yet, or a file has it."""
        statements = self.syntax.statements()
        given = next((tree for tree in statements if tree.data == "lattice"), None)
        if given is not None:
            name = str(given.children[0]).strip('"')
            return name if name in (*lattice_names(), "none") else None
        if not any(tree.data in DECIDING_STATEMENTS for tree in statements):
            return None
        decision = decision_of(statements)
        return decision.lattice if decision is not None else DEFAULT_LATTICE

    @property
    def library(self) -> tuple[str, int | None]:
        """The last library in the statement, and its size."""
        names = [token for token in self.tokens if token.type in ("NAME", "STRING", "NUMBER")]
        first = next((n for n, token in enumerate(self.tokens) if token.type in ("PIECES", "EQUAL")), None)
        behind = [name for name in names if first is not None and name in self.tokens[first:]]
        if not behind:
            return "", None
        sized = len(behind) > 1 and behind[1].type == "NUMBER"
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
    if {"NAME", "BOX"} <= accepts:
        regions = [name.word for name in here.syntax.names if name.kind is NameKind.REGION and name.defines]
        yield from (Offer(_quoted(region), "region") for region in regions)
    if "SIGN" in accepts:
        colours = [name.word for name in here.syntax.names if name.kind is NameKind.COLOUR and name.defines]
        yield from (Offer(colour, "colour") for colour in colours)
    if "VARIABLE" in accepts and not expected.startswith(("a variable", "the name of a parameter")):
        yield from _variables(here)
    begins = not here.tokens or here.tokens[-1].type == "_NL"
    refused = _refused(here) if begins else _unsuitable(here)
    # A new statement is more likely than a word that continues the one before it.
    order = [statement.word for statement in STATEMENTS] if begins else ["each"]
    words = literals(accepts)
    for word in [*(word for word in order if word in words), *(word for word in words if word not in order)]:
        line = line_of(word)
        if word not in refused:
            yield Offer(word, "word", line.meaning if line else "")
    if {"NAME", "BOX"} <= accepts and here.tokens[0].type not in ("LOCATIONS", "OPTIONAL"):
        yield from (Offer(place, "region", "a place of every board") for place in PLACE_WORDS)


def _unsuitable(here: _Here) -> set[str]:
    """Return words that have no meaning here: shapes of boards of other lattices, and functions after a shape."""
    words: set[str] = set()
    if here.lattice is not None and "BOX" in here.accepts and not any(token.type == "EDGES" for token in here.tokens):
        words = {word for word, on in BOARD_SHAPES.items() if here.lattice not in on}
        sides = set(lattices_of_sides().values())
        words |= {"names"} if here.lattice != "none" else {"box", "cells"}
        words |= {word for word, on in (("grid", {"sticks"}), ("edges", sides)) if here.lattice not in on}
    if here.library[0] not in family_names() and here.tokens[0].type in ("PIECE", "PIECES"):
        words |= set(literals({"FUNCTION"}))
    return words


def _refused(here: _Here) -> set[str]:
    """Return the words of statements that cannot begin here: inside a block, or a second time."""
    statements = here.syntax.statements()
    given = {str(tree.data) for tree in statements}
    is_first = not any(tree.meta.start_pos < here.start for tree in statements if not tree.meta.empty)
    return (set() if is_first else {"puzzle"}) | {
        statement.word
        for statement in STATEMENTS
        if (here.blocks and not statement.in_blocks) or (statement.once and statement.kind in given)
    }


def _names(here: _Here, expected: str) -> Iterator[Offer]:
    """Yield the known names of the expected kind."""
    names = here.syntax.names
    if expected == "the name of a lattice":
        yield from (Offer(name, "lattice", find_lattice(name).summary) for name in lattice_names())
        yield Offer("none", "lattice", "no geometry: locations have names")
    elif expected == "the name of a shape library":
        yield from _libraries(here)
    elif expected in _MEMBERS:
        library, size = here.library
        yield from (Offer(member, "shape", f"of {library}") for member in members(library, size))
    elif expected in _PIECES or (not expected and here.tokens and here.tokens[0].type in _LISTS):
        yield from _pieces(here)
        if "library" in expected:
            yield from _libraries(here)
    elif expected.startswith("a colour such as `red`"):
        yield from (Offer(paint, "colour", colour) for paint, colour in PAINTS.items() if paint != "gray")
    elif expected.startswith("an axis"):
        yield from (Offer(axis, "axis") for axis in "xyz")
    elif expected.startswith("cells such as") or (here.machine is not None and _in_set(here)):
        yield from (
            Offer(_quoted(name.word), "location") for name in names if name.kind is NameKind.LOCATION and name.defines
        )


def _libraries(here: _Here) -> Iterator[Offer]:
    """Yield the libraries and families of shapes that can lie on the lattice, those of the lattice itself first."""
    libraries = [Offer(name, "library", "a library of shapes") for name in library_names()]
    libraries += [Offer(name, "library", "a family of shapes, before a size") for name in family_names()]
    libraries += [Offer(name, "library", f"{family} {size}") for name, (family, size) in sized_names().items()]
    homes = {offer.text: _home(offer.text) for offer in libraries}
    if here.lattice is not None:
        libraries = [offer for offer in libraries if lies_in(homes[offer.text], here.lattice)]
    yield from sorted(libraries, key=lambda offer: homes[offer.text] != here.lattice)


def _home(library: str) -> str:
    """Return the lattice of a library or family."""
    try:
        return lattice_of(library).name
    except ShapesError:
        return ""


def _pieces(here: _Here) -> Iterator[Offer]:
    """Yield the pieces of the puzzle."""
    for defined in here.syntax.names:
        if defined.kind is NameKind.PIECE and defined.defines:
            yield Offer(_quoted(defined.word), "piece")
        elif defined.kind is NameKind.LIBRARY and here.syntax.path(defined.start)[-1].data == "pieces":
            yield from (Offer(member, "piece", f"of {defined.word}") for member in members(defined.word, defined.size))
    yield from (Offer(_quoted(piece), "piece") for piece in here.pieces)


def _in_set(here: _Here) -> bool:
    """Whether this is in a list of locations: in a set, or after `names`."""
    return any(token.type in ("COVERS", "NAMES") for token in here.tokens)


def _quoted(name: str) -> str:
    """Return a name in the spelling of the language."""
    return name if re.fullmatch(r"\w[\w-]*(?:\[[^\]\s]*\])?", name) else f'"{name}"'


def _variables(here: _Here) -> Iterator[Offer]:
    """Yield the parameters, and the variables of the loops around a position."""
    for name in here.syntax.names:
        if name.kind is NameKind.PARAMETER and name.defines:
            yield Offer(name.word, "parameter")
    whole = _with_a_number(here)
    path = whole.path(here.at)
    for name in whole.names:
        if name.kind is NameKind.VARIABLE and name.defines and any(_binds(tree, name.start) for tree in path):
            yield Offer(name.word, "variable")
    for tokens in (*here.headers, here.tokens):
        for token, following in itertools.pairwise(tokens):
            if (
                token.type in LOOP_VARIABLES
                and following.type in ("IN", "AT", "COMMA", "RPAR")
                and any(token.type == "FOR" for token in tokens[: tokens.index(token)])
            ):
                yield Offer(str(token), "variable")


def _with_a_number(here: _Here) -> Syntax:
    """Return the text with a number in an empty index: otherwise the parser rejects the index and its surroundings."""
    source = here.syntax.source
    rest = source.text[here.at :]
    typed = re.match(r"\w*", rest)
    return syntax_of(Source(source.name, f"{source.text[: here.at]}0{rest[typed.end() if typed else 0 :]}"))


def _binds(tree: Tree, at: int) -> bool:
    """Whether a position is within a variable, or its values, of the `for` that belongs to a tree itself."""
    last = tree.children[-1] if tree.children else None
    has_clause = isinstance(last, lark.Tree) and last.data == "clause"
    loop = (
        tree.children if tree.data == "repeat" else last.children if has_clause and isinstance(last, lark.Tree) else []
    )
    rounds = [child for child in loop if isinstance(child, lark.Tree) and child.data in ("round", "traced")]
    return any(loop_round.meta.start_pos <= at < loop_round.meta.end_pos for loop_round in rounds)
