"""The words of a ``.puzzle`` text, each with what its place says: whether a blank stands beside it, what it opens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.diagnostics import Source
from puzzlec.readers.parsing import GluedError, NestingError, parser
from puzzlec.readers.puzzle_text import syntax_tree

#: Lattices whose drawings are rows of groups; in all others white space may be position.
_GRIDS = {"line", "square", "cubic", "none"}

#: Names without quotes: nothing that a number, a number of copies or a range could begin with.
_PLAIN = re.compile(r"[^\W\d][\w-]*")

_EXPRESSION = re.compile(r"\{[^{}\n]*\}")


@dataclass(slots=True)
class Word:
    """A word in its place. ``before`` and ``after``: whether a blank may stand there; ``block``: what kind of brace."""

    type: str
    text: str
    start: int
    end: int
    first: bool = False  # of a statement
    before: bool = True
    after: bool = True
    block: bool = False

    @property
    def opens(self) -> bool:
        """Whether this is an opening bracket; a colour may look like one."""
        return self.type in ("LPAR", "LSQB", "LBRACE")

    @property
    def closes(self) -> bool:
        """Whether this is a closing bracket."""
        return self.type in ("RPAR", "RSQB", "RBRACE")


@dataclass(frozen=True)
class Words:
    """A text as its words. ``grid``: drawings are rows of groups, so that the width of blanks in them means nothing."""

    text: str
    words: list[Word]
    grid: bool


@dataclass
class _Places:
    """Where the tree says what a token alone does not: by their first characters."""

    blocks: set[int]  # the braces of blocks
    joins: set[int]  # + and - between regions
    signs: set[int]  # - before a number
    lists: set[int]  # brackets of lists of values behind `in`


def words_of(source: Source) -> Words:
    """Return the words of a text; raise PuzzleError with all faults of form."""
    try:
        tokens, tree = _lexed(source.text + "\n", "start")
    except (UnexpectedInput, NestingError, GluedError):
        syntax_tree(source)  # tells all faults, not only the first
        raise
    words = list(_placed(tokens, _places(tree)))
    _order_modifiers(words)
    return Words(source.text, words, _lattice(words) in _GRIDS)


def tight(text: str) -> str:
    """Return a word with each ``{expression}`` in it written without blanks that mean nothing.

    >>> tight("{ n + 1 }x{2 * n}")
    '{n+1}x{2*n}'
    """
    return _EXPRESSION.sub(lambda match: _tight_expression(match.group()), text) if "{" in text else text


@lru_cache(4096)
def _tight_expression(text: str) -> str:
    if "#" in text:  # what looks like a comment is kept
        return text
    try:
        tokens, tree = _lexed(text[1:-1], "expression")
    except (UnexpectedInput, NestingError, GluedError):  # the reader will say what is wrong with it
        return text
    shorter = joined(_placed(tokens, _places(tree)))
    return "{" + shorter + "}" if _lexed(shorter, "expression")[0] == tokens else text


def joined(words: Iterator[Word]) -> str:
    """Return words as one line."""
    line = ""
    before: Word | None = None
    for word in words:
        line += " " * (before is not None and before.after and word.before) + word.text
        before = word
    return line


def _lexed(text: str, start: str) -> tuple[list[lark.Token], lark.Tree[lark.Token]]:
    """Return the tokens of a text with the types that they have in their places, and the tree."""
    machine = parser("puzzle").parse_interactive(text, start=start)
    tokens = list(machine.iter_parse())
    tree: lark.Tree[lark.Token] = machine.feed_eof()
    return tokens, tree


def _places(tree: lark.Tree[lark.Token]) -> _Places:
    places = _Places(set(), set(), set(), set())
    stack = [tree]
    while stack:
        node = stack.pop()
        children = node.children
        if node.data == "block":
            places.blocks.add(node.meta.start_pos)
        elif node.data == "region":
            places.joins.update(each.start_pos or 0 for each in children if isinstance(each, lark.Token))
        elif node.data == "negative":
            places.signs.update(each.start_pos or 0 for each in children if isinstance(each, lark.Token))
        elif node.data == "range" and len(children) == 1:
            places.lists.update(each.meta.start_pos for each in children if isinstance(each, lark.Tree))
        stack.extend(each for each in children if isinstance(each, lark.Tree))
    return places


def _placed(tokens: list[lark.Token], places: _Places) -> Iterator[Word]:
    """Give the words of all tokens but newlines."""
    opened: list[str] = []  # the open brackets by type; LIST for that of a list of values, BLOCK for a block's brace
    first = True
    before = ""
    for number, token in enumerate(tokens):
        if token.type == "_NL":
            first = True
            continue
        start = token.start_pos or 0
        word = Word(token.type, str(token), start, token.end_pos or start + len(token), first)
        first = False
        if word.opens:
            opened.append("BLOCK" if start in places.blocks else "LIST" if start in places.lists else word.type)
            word.block = word.after = first = opened[-1] == "BLOCK"
            word.before = not (word.type == "LSQB" or before == "FUNCTION")
        elif word.closes and opened:
            word.block = opened.pop() == "BLOCK"
            word.before, word.first = word.block and before != "LBRACE", False
        elif word.type == "COMMA":
            word.before = False
            word.after = opened[-1:] not in (["LPAR"], ["LSQB"]) or _begins_round(tokens, number + 1)
        else:
            _place_sign(word, places)
            _simplify(word, before)
        before = word.type
        yield word


def _simplify(word: Word, before: str) -> None:
    """Leave out quotes that a name does not need, and blanks in expressions within a word."""
    if word.type == "STRING" and before != "PUZZLE":
        word.text = _plain(word)
    elif word.type in ("SIZE", "COPIES", "RANGE", "SIGN"):
        word.text = tight(word.text)


def _place_sign(word: Word, places: _Places) -> None:
    """Say where blanks stand beside the signs of expressions: a dot, or an operator."""
    if word.type in ("PLUS", "MINUS"):
        word.after = word.start in places.joins
        word.before = word.after or word.start in places.signs
    elif word.type in ("TIMES", "DOT") or (word.text == ".." and word.type not in ("COLOUR", "SIGN")):
        word.before = word.after = False


def _begins_round(tokens: list[lark.Token], at: int) -> bool:
    """Whether a round of a loop begins behind a comma: a variable with `in` or `at`."""
    types = [token.type for token in tokens[at : at + 8] if token.type != "_NL"][:2]
    return types in (["VARIABLE", "IN"], ["VARIABLE", "AT"])


@cache
def _reserved() -> frozenset[str]:
    """Return the words of the language, which may need their quotes."""
    found = {each.pattern.value for each in parser("puzzle").terminals}
    return frozenset(found) | {"fixed", "free", "one-sided", "min", "max", "abs", "none", "x"}


def _plain(word: Word) -> str:
    """Return a quoted name without its quotes, where no place of the language would read that in another way."""
    name = word.text[1:-1]
    if not _PLAIN.fullmatch(name) or name in _reserved() or re.match(r"x\d", name):
        return word.text
    word.type = "NAME"
    return name


def _order_modifiers(words: list[Word]) -> None:
    """Put the number of copies before the freedom, wherever the two stand together."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end].type in ("COPIES", "FREEDOM"):
            end += 1
        ordered = sorted(((word.type, word.text) for word in words[at:end]), key=lambda each: each[0])
        for word, (type, text) in zip(words[at:end], ordered, strict=True):
            word.type, word.text = type, text
        at = end + 1


def _lattice(words: list[Word]) -> str:
    """Return the lattice whose drawings the text has: one that is no grid, where there is such a one."""
    named = [words[at + 1].text for at, word in enumerate(words[:-1]) if word.first and word.type == "LATTICE"]
    return next((name for name in named if name not in _GRIDS), "square")
