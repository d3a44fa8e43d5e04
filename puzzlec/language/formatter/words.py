"""The words of a ``.puzzle`` text with their spacing and their role."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.diagnostics import Source
from puzzlec.geometry import find_lattice, lattice_names
from puzzlec.geometry.drawing import rule_of
from puzzlec.geometry.lattice import faces_of
from puzzlec.language.grammar_words import literals
from puzzlec.language.parsing import GluedError, NestingError, parser
from puzzlec.language.puzzle_text import syntax_tree

#: Names that need no quotes. They cannot begin a number, a number of copies or a range.
_PLAIN = re.compile(r"[^\W\d][\w-]*")

_EXPRESSION = re.compile(r"\{[^{}\n]*\}")


@dataclass(slots=True)
class TextWord:
    """A word in its position.

    ``before`` and ``after``: a space is allowed there. ``apart``: several spaces are allowed before it. ``block``: it
    is a brace of a block.
    """

    type: str
    text: str
    start: int
    end: int
    first: bool = False  # it begins a statement
    before: bool = True
    after: bool = True
    apart: bool = False
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
class TextWords:
    """A text as its words. ``grid``: drawings are rows of groups, so the width of spaces in them has no meaning."""

    text: str
    words: list[TextWord]
    grid: bool


@dataclass
class _Places:
    """Positions of tokens whose role only the tree knows."""

    blocks: set[int]  # the braces of blocks
    joins: set[int]  # + and - between regions
    signs: set[int]  # - before a number
    sums: set[int]  # + and - with spaces: one of the numbers is a product
    lists: set[int]  # brackets of lists of values after `in`
    apart: set[int]  # list entries that follow a clause
    reckoned: set[int]  # brackets around expressions, which need their commas, and what follows such a bracket
    shapes: set[int]  # names of shapes after a size
    changed: dict[int, str]  # tokens with another text in the canonical form; "" for a token that is left out


def words_of(source: Source) -> TextWords:
    """Return the words of a text; raise PuzzleError with all errors of form."""
    try:
        tokens, tree = _lexed(source.text + "\n", "start")
    except (UnexpectedInput, NestingError, GluedError):
        syntax_tree(source)  # reports all errors, not only the first
        raise
    words = _placed(tokens, _places(tree))
    _order_modifiers(words)
    return TextWords(source.text, words, _is_grid(words))


def tight(text: str) -> str:
    """Return a word without meaningless spaces in its ``{expression}`` parts.

    >>> tight("{ n + 1 }x{2 * n}")
    '{n+1}x{2*n}'
    """
    return _EXPRESSION.sub(lambda match: _tight_expression(match.group()), text) if "{" in text else text


@lru_cache(4096)
def _tight_expression(text: str) -> str:
    if "#" in text:  # a possible comment is kept
        return text
    try:
        tokens, tree = _lexed(text[1:-1], "expression")
    except (UnexpectedInput, NestingError, GluedError):  # the reader reports the error
        return text
    places = _places(tree)
    places.sums.clear()
    shorter = joined(_placed(tokens, places))
    return "{" + shorter + "}" if _lexed(shorter, "expression")[0] == tokens else text


def joined(words: list[TextWord]) -> str:
    """Return words as one line."""
    pairs = zip([None, *words], words, strict=False)
    return "".join(blanks(before, word) + word.text for before, word in pairs)


def blanks(before: TextWord | None, word: TextWord) -> str:
    """Return the spaces between two words of a line."""
    if before is None or not (before.after and word.before):
        return ""
    return "   " if word.apart else " "


def _lexed(text: str, start: str) -> tuple[list[lark.Token], lark.Tree[lark.Token]]:
    """Return the tokens of a text, with the types that they have in their positions, and the tree."""
    machine: Any = parser("puzzle").parse_interactive(text, start=start)
    tokens = list(machine.iter_parse())
    tree: lark.Tree[lark.Token] = machine.feed_eof()
    return tokens, tree


def _places(tree: lark.Tree[lark.Token]) -> _Places:
    places = _Places(set(), set(), set(), set(), set(), set(), set(), set(), {})
    stack = [(tree, False, False)]
    while stack:
        node, ranged, counted = stack.pop()
        trees = [child for child in node.children if isinstance(child, lark.Tree)]
        signs = [child.start_pos or 0 for child in node.children if isinstance(child, lark.Token)]
        if node.data in _NOTED:
            _note(node, places)
        if node.data == "block":
            places.blocks.add(node.meta.start_pos)
        elif node.data == "region":
            places.joins.update(signs)
        elif node.data == "negative":
            places.signs.update(signs)
        elif node.data == "added" and not ranged and not counted:
            places.sums.update(_sum_of_products(node))
        elif node.data == "range" and len(trees) == 1:
            places.lists.add(trees[0].meta.start_pos)
        ranged = ranged or (node.data == "range" and len(trees) > 1)
        stack.extend((tree, ranged, node.data == "added" and tree is trees[0]) for tree in trees)
        for one, two in pairwise(trees):
            last = one.children[-1] if one.children else None
            if isinstance(last, lark.Tree) and last.data == "clause" and two.data != "clause":
                places.apart.add(two.meta.start_pos)
    return places


#: Nodes that :func:`_note` looks at.
_NOTED = frozenset(("cell", "bracketed", "traced", "taken", "reflected", "summed"))


def _note(node: lark.Tree[lark.Token], places: _Places) -> None:
    """Record the tokens of a node whose form or spacing depends on their role."""
    if node.data in ("cell", "bracketed"):
        places.reckoned.add(node.meta.start_pos)
    elif node.data == "traced":
        places.reckoned.add(getattr(node.children[1], "start_pos", 0))
    elif node.data in ("taken", "reflected"):
        *_, size, shape = (None, *node.children)
        if isinstance(size, lark.Tree) and isinstance(shape, lark.Token):
            places.shapes.add(shape.start_pos or 0)
    else:
        relation, bounds = node.children
        dots = [child for child in getattr(bounds, "children", ()) if isinstance(child, lark.Token)]
        if dots and len(bounds.children) == 2 and isinstance(relation, lark.Token):  # type: ignore[union-attr]
            at_least = bounds.children[1] is dots[0]  # type: ignore[union-attr]
            places.changed |= {relation.start_pos or 0: ">=" if at_least else "<=", dots[0].start_pos or 0: ""}


def _sum_of_products(tree: lark.Tree[lark.Token]) -> list[int]:
    """Return the positions of the signs of a sum; nothing if none of its numbers is a product."""
    signs = []
    has_product = False
    node: lark.Tree[lark.Token] | lark.Token = tree
    while isinstance(node, lark.Tree) and node.data == "added":
        node, sign, right = node.children
        assert isinstance(sign, lark.Token)
        signs.append(sign.start_pos or 0)
        has_product = has_product or (isinstance(right, lark.Tree) and right.data == "multiplied")
    has_product = has_product or (isinstance(node, lark.Tree) and node.data == "multiplied")
    return signs if has_product else []


@dataclass(slots=True)
class _BracketLayout:
    """An open bracket. ``wide``: there are spaces within, so its commas and the braces of a set get spaces."""

    kind: str  # its type; LIST for a list of values, BLOCK for the brace of a block, THINGS for a list of other things
    word: TextWord
    commas: list[TextWord]
    wide: bool = False


def _placed(tokens: list[lark.Token], places: _Places) -> list[TextWord]:
    """Return the words of all tokens except newlines."""
    words: list[TextWord] = []
    opened: list[_BracketLayout] = []
    first = True
    before = ""
    for number, token in enumerate(tokens):
        if token.type == "_NL":
            first = True
            continue
        start = token.start_pos or 0
        text = places.changed.get(start, str(token))
        if not text or (token.type == "COMMA" and not _is_needed(opened, tokens, number)):
            continue
        if token.type == "LOOPED" and before != "COMMA" and words[-1].type != "FOR":
            words.append(TextWord("COMMA", ",", words[-1].end, words[-1].end, before=False))
        word = TextWord(
            _CANONICAL_TYPES.get(token.type, token.type), text, start, token.end_pos or start + len(token), first
        )
        first = False
        word.apart = start in places.apart
        if word.opens:
            kind = _kind(word, before, tokens[number + 1].start_pos, places)
            word.block = word.after = first = kind == "BLOCK"
            word.before = not (word.type == "LSQB" or before == "FUNCTION")
            _widen(opened, word)
            opened.append(_BracketLayout(kind, word, []))
        elif word.closes and opened:
            _close(opened.pop(), word, before)
        elif word.type == "COMMA":
            word.before = False
            word.after = not opened or opened[-1].kind not in ("LPAR", "LSQB") or _begins_round(tokens, number)
            if opened:
                opened[-1].commas.append(word)
        else:
            _place_sign(word, places)
            _simplify(word, before, places)
            _widen(opened, word)
        before = word.type
        words.append(word)
    return words


#: Types of tokens that have another type in the canonical form.
_CANONICAL_TYPES = {"_FURTHER": "COMMA", "LOOPED": "VARIABLE"}


def _kind(word: TextWord, before: str, following: int | None, places: _Places) -> str:
    """Return the kind of an opening bracket."""
    if word.start in places.blocks:
        return "BLOCK"
    if word.start in places.lists:
        return "LIST"
    if word.type != "LPAR" or before == "FUNCTION" or places.reckoned & {word.start, following}:
        return word.type
    return "THINGS"


def _is_needed(opened: list[_BracketLayout], tokens: list[lark.Token], at: int) -> bool:
    """Return whether a comma separates expressions or loops; those between the things of a list are left out."""
    return bool(opened and opened[-1].kind in ("LPAR", "LSQB", "LIST")) or _begins_round(tokens, at)


def _widen(opened: list[_BracketLayout], word: TextWord) -> None:
    """Record that a bracket is wide: an index or a clause in a set, or a sum with spaces in another bracket."""
    if not opened:
        return
    if word.type in ("LSQB", "FOR") and opened[-1].kind == "LBRACE":
        opened[-1].wide = True
    elif word.type in ("PLUS", "MINUS") and word.after:
        for bracket in opened:
            bracket.wide = bracket.wide or bracket.kind in ("LPAR", "LSQB")


def _close(bracket: _BracketLayout, word: TextWord, before: str) -> None:
    """Place a closing bracket, and the spaces that depend on its contents."""
    word.block, word.first = bracket.kind == "BLOCK", False
    word.before = word.block and before != "LBRACE"
    if bracket.wide and bracket.kind == "LBRACE":
        bracket.word.after = word.before = True
    elif bracket.wide:
        for comma in bracket.commas:
            comma.after = True


def _simplify(word: TextWord, before: str, places: _Places) -> None:
    """Remove unnecessary quotes of names, and spaces and braces in expressions within a word."""
    if word.start in places.shapes and word.type == "NAME" and not _PLAIN.fullmatch(word.text):
        word.type, word.text = "STRING", f'"{word.text}"'
    elif word.type == "STRING" and before not in _before_texts():
        word.text = _plain(word)
    elif word.type in ("QUANTITY", "_POINT"):
        word.text = " ".join(word.text.split())
    elif word.type in ("SIZE", "SIGN", "VALUE"):
        word.text = tight(word.text)
        if word.type == "SIZE" and _VARIABLE_IN_BRACES.fullmatch(word.text):
            word.text = word.text[1:-1]
    elif word.type == "COPIES":
        word.text = _copies(tight(word.text))
    elif word.text in ("==", ">=", "<=", "="):
        word.text = "=" if word.text == "==" else word.text
        word.type = "EQUAL" if word.text == "=" else "COMPARISON"


#: A variable that needs no braces.
_VARIABLE_IN_BRACES = re.compile(r"\{[^\W\d]\w*\}")


def _copies(text: str) -> str:
    """Return a number of copies in its shortest form.

    >>> _copies("x0.."), _copies("x..5"), _copies("x0..{n}"), _copies("x{n}..{n+1}")
    ('x*', 'x0..5', 'x0..n', 'x{n}..{n+1}')
    """
    low, dots, high = text[1:].partition("..")
    if not dots:
        return text
    low = low or "0"
    high = high[1:-1] if _VARIABLE_IN_BRACES.fullmatch(high) else high
    return "x*" if (low, high) == ("0", "") else f"x{low}..{high}"


def _place_sign(word: TextWord, places: _Places) -> None:
    """Decide the spaces beside the signs of expressions: a dot, or an operator."""
    if word.type in ("PLUS", "MINUS"):
        word.after = word.start in places.joins or word.start in places.sums
        word.before = word.after or word.start in places.signs
    elif word.type in ("TIMES", "DOT") or (word.text == ".." and word.type not in ("COLOUR", "SIGN")):
        word.before = word.after = False


def _begins_round(tokens: list[lark.Token], at: int) -> bool:
    """Return whether a comma precedes an iteration: a variable with `in` or `at`."""
    if tokens[at].type == "_FURTHER":
        return True
    types = [token.type for token in tokens[at + 1 : at + 9] if token.type != "_NL"][:2]
    return types in (["VARIABLE", "IN"], ["VARIABLE", "AT"], ["LOOPED", "IN"], ["LOOPED", "AT"])


@cache
def _before_texts() -> frozenset[str]:
    """Return the terminals that precede a text in quotes and never a name without quotes."""
    before: dict[str, set[str]] = {"NAME": set(), "STRING": set()}
    for rule in parser("puzzle").rules:
        for first, second in pairwise(rule.expansion):
            if second.name in before:
                before[second.name].add(first.name)
    return frozenset(before["STRING"] - before["NAME"])


@cache
def _reserved() -> frozenset[str]:
    """Return the words of the language; names equal to them may need their quotes."""
    return frozenset(literals({terminal.name for terminal in parser("puzzle").terminals})) | {"x"}


def _plain(word: TextWord) -> str:
    """Return a quoted name without its quotes, unless another reading would be possible."""
    name = word.text[1:-1]
    if not _PLAIN.fullmatch(name) or name in _reserved() or re.match(r"x\d", name):
        return word.text
    word.type = "NAME"
    return name


def _order_modifiers(words: list[TextWord]) -> None:
    """Put the number of copies before the freedom if they are together."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end].type in ("COPIES", "FREEDOM"):
            end += 1
        ordered = sorted(((word.type, word.text) for word in words[at:end]), key=lambda word: word[0])
        for word, (type, text) in zip(words[at:end], ordered, strict=True):
            word.type, word.text = type, text
        at = end + 1


def _is_grid(words: list[TextWord]) -> bool:
    """Return whether all drawings of a text are rows of groups; on some lattices white space determines positions."""
    named = [
        words[at + 1].text.strip('"') for at, word in enumerate(words[:-1]) if word.first and word.type == "LATTICE"
    ]
    return all(name == "none" or (name in lattice_names() and _divides(name)) for name in named)


def _divides(name: str) -> bool:
    """Return whether white space separates groups in drawings of a lattice, and in drawings of digits.

    On a lattice of edges, drawings can also show cells with sides.
    """
    lattice = find_lattice(name)
    rules = [rule_of(drawn_on) for drawn_on in (lattice, faces_of(lattice)) if drawn_on]
    return not any(rule and rule.spaced for rule in rules)
