"""The tree of a text that is being typed, and every name in it with its meaning.

A statement that cannot be read is left out, and the others keep their positions. Names come from the tree, not from a
search for their letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TypeAlias

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.diagnostics import Diagnostic, Source
from puzzlec.language.elaborate.context import RESERVED
from puzzlec.language.elaborate.statements import STATEMENTS
from puzzlec.language.elaborate.values import is_drawn
from puzzlec.language.expressions import LOOP_VARIABLES, Node, Tree, variable
from puzzlec.language.fixing import Fix, fixes
from puzzlec.language.parsing import GluedError, NestingError, parser
from puzzlec.language.puzzle_text import readable_tree
from puzzlec.language.recovery import statement_range

#: Maximum number of characters of a text whose names are looked up, because that must not take seconds. Longer texts
#: are only checked for errors.
MAX_SYNTAX_CHARACTERS = 200_000

_EXPRESSION = re.compile(r"#[^\n]*|\{[^{}\n]*\}")

#: A comment or an expression of a drawing, or a character.
_SIGN = re.compile(rf"{_EXPRESSION.pattern}|\S")


class NameKind(Enum):
    """Kind of the thing that has a name."""

    PIECE = "piece"
    LOCATION = "location"
    REGION = "region"
    PARAMETER = "parameter"
    VARIABLE = "variable"
    COLOUR = "colour"
    LATTICE = "lattice"
    LIBRARY = "library"
    SHAPE = "shape"


#: Two names mean the same thing if their keys are equal.
Key: TypeAlias = tuple[object, ...]

#: The keys of the variables that can be used at a position.
_Scope: TypeAlias = dict[str, Key]


@dataclass(frozen=True, order=True)
class Name:
    """A name in a text, from ``start`` to ``end`` (exclusive), with its quotes, without its index.

    ``word`` is the name without quotes and index. ``defines`` is true for a definition. For shapes and libraries,
    ``size`` is the size of the family. ``library`` is the library of a shape. A ``drawn`` name is a character of a
    drawing.
    """

    start: int
    end: int
    kind: NameKind = field(compare=False)
    word: str = field(compare=False)
    key: Key = field(compare=False)
    defines: bool = field(default=False, compare=False)
    library: str = field(default="", compare=False)
    size: int | None = field(default=None, compare=False)
    drawn: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Syntax:
    """A text; ``known`` if it is in the puzzle language and not too long."""

    source: Source
    known: bool = True

    @cached_property
    def tree(self) -> Tree | None:
        """The tree of the readable part, None if there is none; computed on first use."""
        return readable_tree(self.source) if self.known else None

    @cached_property
    def names(self) -> list[Name]:
        """All names, in the order of the text."""
        return sorted(set(_names(self.tree))) if self.tree is not None else []

    def name_at(self, at: int) -> Name | None:
        """Return the name at a character, or the name that ends there."""
        names = [name for name in self.names if name.start <= at <= name.end]
        return next((name for name in names if at < name.end), names[0] if names else None)

    def of_key(self, key: Key) -> list[Name]:
        """Return all names of one thing."""
        return [name for name in self.names if name.key == key]

    def statements(self) -> list[Tree]:
        """Return the statements. Statements of a block are parts of it."""
        return [child for child in self.tree.children if isinstance(child, lark.Tree)] if self.tree is not None else []

    def path(self, at: int) -> list[Tree]:
        """Return the trees around a character, the innermost one last."""
        around: list[Tree] = []
        todo = list(self.statements())
        while todo:
            tree = todo.pop()
            if not tree.meta.empty and tree.meta.start_pos <= at < tree.meta.end_pos:
                around.append(tree)
                todo = [child for child in tree.children if isinstance(child, lark.Tree)]
        return around

    def fixes(self, diagnostic: Diagnostic) -> list[Fix]:
        """Return the fixes that the suggestions of a diagnostic describe; none if they need a decision."""
        return fixes(diagnostic, None if self.tree is None else self.statements(), statement_range)


def syntax_of(source: Source) -> Syntax:
    """Return the syntax of a text; an empty one for a very long text."""
    return Syntax(source, len(source.text) <= MAX_SYNTAX_CHARACTERS)


def _names(tree: Tree) -> Iterator[Name]:
    """Yield all names of a text."""
    parameters: _Scope = {}
    for child in tree.children:
        if isinstance(child, lark.Tree) and child.data == "param":
            parameters.setdefault(
                variable(str(child.children[0])), (NameKind.PARAMETER, variable(str(child.children[0])))
            )
    stack: list[tuple[Node, _Scope, str]] = [(tree, parameters, "")]
    while stack:
        node, scope, within = stack.pop()
        if isinstance(node, lark.Token):
            names, trees = _in_token(node)
            yield from names
            stack += [(tree, scope, within) for tree in trees]
            continue
        data = str(node.data)
        scope = _scope(node, scope)
        yield from _FINDERS[data](node, scope, within) if data in _FINDERS else ()
        within = data if data in ("locations", "optional") else within
        stack += [(child, scope, within) for child in node.children]


def _scope(node: Tree, scope: _Scope) -> _Scope:
    """Return the variables of a node: those around it, and those of the `for` in it."""
    last = node.children[-1] if node.children else None
    if node.data == "repeat":
        loop = node.children[:-1]
    elif isinstance(last, lark.Tree) and last.data == "clause":
        loop = last.children
    else:
        return scope
    variables = {}
    for child in loop:
        if isinstance(child, lark.Tree) and child.data in ("round", "traced"):
            for token in child.children:
                if isinstance(token, lark.Token) and token.type in LOOP_VARIABLES:
                    variables[variable(token)] = (NameKind.VARIABLE, variable(token), token.start_pos)
    return {**scope, **variables}


def _in_token(token: lark.Token) -> tuple[list[Name], list[Tree]]:
    """Return the colours in a token, and the expressions in braces."""
    text, start = str(token), token.start_pos or 0
    if token.type == "COLOUR":
        return [Name(start, start + len(text), NameKind.COLOUR, text, (NameKind.COLOUR, text), True)], []
    if token.type == "SIGN" and not text.startswith("{"):
        return [Name(start, start + len(text), NameKind.COLOUR, text, (NameKind.COLOUR, text))], []
    if "{" not in text or token.type not in ("DRAWING", "SIZE", "COPIES", "SIGN"):
        return [], []
    inner = 1 if token.type == "DRAWING" else 0
    trees = []
    for match in _EXPRESSION.finditer(text, inner):
        if match.group()[0] == "{":
            trees += _expression(match.group()[1:-1], start + match.start() + 1)
    return [], trees


def _expression(text: str, at: int) -> list[Tree]:
    """Return the tree of an expression at ``at`` in the source; empty if it cannot be read."""
    try:
        tree: Tree = parser("puzzle").parse(text, start="expression")
    except (UnexpectedInput, GluedError, NestingError):
        return []
    for subtree in tree.iter_subtrees():
        for child in subtree.children:
            if isinstance(child, lark.Token):
                child.start_pos = (child.start_pos or 0) + at
                child.end_pos = (child.end_pos or 0) + at
    return [tree]


def _is_name(node: object) -> bool:
    return isinstance(node, lark.Token) and node.type in ("NAME", "STRING")


def _name(token: Node, kind: NameKind, key: Key, **more: object) -> Name:
    assert isinstance(token, lark.Token)
    start = token.start_pos or 0
    return Name(start, start + len(token), kind, str(token).strip('"'), key, **more)  # type: ignore[arg-type]


def _headed(nodes: list[Node], kind: NameKind, defines: bool) -> Iterator[Name]:
    """Yield the name at the start of some nodes; ``a[1]`` and ``"a[1]"`` are one family, ``a`` is another name."""
    first = nodes[0] if nodes else None
    if first is None or not _is_name(first):
        return
    word = str(first).strip('"')
    second = nodes[1] if len(nodes) > 1 else None
    indexed = isinstance(second, lark.Tree) and second.data == "subscript"
    base = word if indexed else word.partition("[")[0] if word.endswith("]") else word
    yield _name(first, kind, (kind, base, indexed or base != word), defines=defines)


def _parameter(node: Tree, scope: _Scope, _: str) -> Iterator[Name]:
    yield _name(node.children[0], NameKind.PARAMETER, scope[variable(str(node.children[0]))], defines=True)


def _loop(node: Tree, scope: _Scope, _: str) -> Iterator[Name]:
    for token in node.children:
        if isinstance(token, lark.Token) and token.type in LOOP_VARIABLES and variable(token) in scope:
            yield _name(token, NameKind.VARIABLE, scope[variable(token)], defines=True)


def _variable(node: Tree, scope: _Scope, _: str) -> Iterator[Name]:
    token = node.children[0]
    key = scope.get(variable(str(token)))
    if key is not None:
        assert isinstance(key[0], NameKind)
        yield _name(token, key[0], key)


def _library(nodes: list[Node]) -> tuple[str, int | None, list[Node]]:
    """Return the library at the start of some nodes, its size if that is a plain number, and the other nodes."""
    second = nodes[1] if len(nodes) > 1 else None
    if not (isinstance(second, lark.Tree) and second.data == "sized"):
        return str(nodes[0]).strip('"'), None, nodes[1:]
    number = second.children[0]
    plain = isinstance(number, lark.Tree) and number.data == "number"
    return str(nodes[0]).strip('"'), int(str(number.children[0])[:9]) if plain else None, nodes[2:]  # type: ignore[union-attr]


def _shapes(node: Tree, _: _Scope, __: str) -> Iterator[Name]:
    word, size, rest = _library(node.children)
    yield _name(node.children[0], NameKind.LIBRARY, (NameKind.LIBRARY, word, size), size=size)
    lists = [child for child in rest if isinstance(child, lark.Tree) and child.data in ("except", "only")]
    named = [token for row in lists for token in row.children]
    for token in named if node.data == "pieces" else rest[:1]:
        key = (NameKind.SHAPE, word, size, str(token).strip('"'))
        yield _name(token, NameKind.SHAPE, key, library=word, size=size)


def _locations(node: Tree, _: _Scope, within: str) -> Iterator[Name]:
    return _headed(node.children, NameKind.LOCATION, bool(within) and node.data == "word")


def _pieces(node: Tree, _: _Scope, __: str) -> Iterator[Name]:
    return _headed(node.children, NameKind.PIECE, node.data == "piece")


def _fixed(node: Tree, scope: _Scope, within: str) -> Iterator[Name]:
    drawing = node.children[0]
    if not is_drawn(drawing):
        yield from _pieces(node, scope, within)
        return
    assert isinstance(drawing, lark.Token)
    for start, sign in signs_of(drawing):
        yield Name(start, start + 1, NameKind.PIECE, sign, (NameKind.PIECE, sign, False), drawn=True)


def signs_of(drawing: lark.Token) -> list[tuple[int, str]]:
    """Return the characters of a drawing that are names, with their positions in the text."""
    start = drawing.start_pos or 0
    signs = [(match.start(), match.group()) for match in _SIGN.finditer(drawing, 1, len(drawing) - 1)]
    return [(start + at, sign) for at, sign in signs if len(sign) == 1 and sign not in RESERVED]


def _counted(node: Tree, _: _Scope, __: str) -> Iterator[Name]:
    return _headed(node.children[2:], NameKind.PIECE, False)  # after the word and the number


def _named_regions(node: Tree, _: _Scope, __: str) -> Iterator[Name]:
    return _headed(node.children, NameKind.REGION, node.data == "named_region")


def _letters(node: Tree, _: _Scope, __: str) -> Iterator[Name]:
    for token in node.children:
        yield _name(token, NameKind.REGION, (NameKind.REGION, str(token), False), defines=True)


def _lattice(node: Tree, _: _Scope, __: str) -> Iterator[Name]:
    yield _name(node.children[0], NameKind.LATTICE, (NameKind.LATTICE,))


#: Functions that find names. For a statement, the kind of name after its first word decides. For a part of a statement,
#: the name of its tree decides.
_BY_NAMES = {
    "piece": _pieces,
    "region": _named_regions,
    "parameter": _parameter,
    "lattice": _lattice,
    "library": _shapes,
}
_FINDERS = {statement.kind: _BY_NAMES[statement.names] for statement in STATEMENTS if statement.names} | {
    "round": _loop,
    "traced": _loop,
    "variable": _variable,
    "element": _locations,
    "word": _locations,
    "mate": _pieces,
    "still": _pieces,
    "fix": _fixed,
    "counted": _counted,
    "taken": _shapes,
    "reflected": _shapes,
    "alike": _pieces,
    "mirrored": _pieces,
    "reference": _named_regions,
    "chosen": _named_regions,
    "regions": _letters,
}
