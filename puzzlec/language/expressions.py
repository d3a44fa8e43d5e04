"""Compute the integer expressions of the puzzle language, and report each error at its position."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NamedTuple

import lark
from lark.exceptions import UnexpectedInput

from puzzlec.diagnostics import Report, Source, Span, suggestion
from puzzlec.language.parsing import GluedError, NestingError, parser, unexpected_in_expression
from puzzlec.language.spelling import REGION_WORDS

Tree = lark.Tree[lark.Token]
Node = Tree | lark.Token

#: Values of the variables that an expression may use: from `param`, and from the `for` around it.
Scope = Mapping[str, int]

#: Terminals for a variable of a loop.
LOOP_VARIABLES = ("VARIABLE", "LOOPED")

#: Larger values are refused: they are mistakes, and would only fill the memory.
MAX_INTEGER = 2**31 - 1

#: Maximum number of words of an expression.
_MAX_EXPRESSION_WORDS = 1000

_TRUTHS = {"compared", "both", "either", "negated"}
#: Words that an expression can use beside its variables.
_NAMES: dict[str, Any] = {"__builtins__": {}, "min": min, "max": max, "abs": abs}


class UnreadableValueError(Exception):
    """A value that is needed is unknown; the reason was reported."""


class _CompiledExpression(NamedTuple):
    """An expression ready to be computed. ``needed`` has its variables, each with a token for its position."""

    code: CodeType
    tree: Tree
    needed: dict[str, lark.Token]


@dataclass
class Expressions:
    """Compiler of the expressions of one text. Each is compiled once, even if a `for` repeats it."""

    source: Source
    report: Report
    compiled: dict[int, _CompiledExpression] = field(default_factory=dict)
    embedded: dict[int, Tree] = field(default_factory=dict)
    #: Whether an unreadable statement may have defined a variable.
    forgiving: bool = False
    #: Parameters that the text defines, each with the position of its statement.
    parameters: dict[str, Span] = field(default_factory=dict)
    #: The spans of nodes, which loops ask for again and again, with the nodes: so their identities stay unique.
    spans: dict[int, tuple[Node, Span]] = field(default_factory=dict)

    def span(self, node: Node) -> Span:
        """Return the span of a node of the tree."""
        cached = self.spans.get(id(node))
        if cached is not None:
            return cached[1]
        if isinstance(node, lark.Token):
            span = self.source.span(node.start_pos or 0, node.end_pos)
        else:
            span = self.source.span(node.meta.start_pos, node.meta.end_pos)
        self.spans[id(node)] = node, span
        return span

    def number(self, tree: Tree, scope: Scope) -> int:
        """Return the value of an expression that is a number; raise UnreadableValueError if it has none."""
        if id(tree) not in self.compiled and tree.data == "number":
            return self._bounded(int(str(tree.children[0])[:15]), tree)
        return self._bounded(self._value(tree, scope, truth=False), tree)

    def truth(self, tree: Tree, scope: Scope) -> bool:
        """Return whether a condition holds; raise UnreadableValueError if that is unknown."""
        return bool(self._value(tree, scope, truth=True))

    def number_in(self, text: str, at: int, scope: Scope) -> int:
        """Return the value of ``{expression}`` at a character of the source, or the value of plain digits."""
        if not text.startswith("{"):
            return self._bounded(int(text[:15]), None, self.source.span(at, at + len(text)))
        return self.number(self._embedded(text, at), scope)

    def truth_in(self, text: str, at: int, scope: Scope) -> bool:
        """Return whether the condition that begins at a character of the source is true."""
        return self.truth(self._embedded(f"{{{text}}}", at - 1), scope)

    def _embedded(self, text: str, at: int) -> Tree:
        if at not in self.embedded:
            self.embedded[at] = self._parsed(text, at)
        return self.embedded[at]

    def _parsed(self, text: str, at: int) -> Tree:
        try:
            tree = parser("puzzle").parse(text[1:-1], start="expression")
        except (UnexpectedInput, GluedError, NestingError) as error:
            unexpected_in_expression(error, self.source, self.report, at + 1, text[1:-1])
            raise UnreadableValueError from None
        for subtree in tree.iter_subtrees():
            if not subtree.meta.empty:
                subtree.meta.start_pos += at + 1
                subtree.meta.end_pos += at + 1
            for child in subtree.children:
                if isinstance(child, lark.Token):
                    child.start_pos = (child.start_pos or 0) + at + 1
                    child.end_pos = (child.end_pos or 0) + at + 1
        return tree

    def _bounded(self, value: int, tree: Tree | None, span: Span | None = None) -> int:
        if abs(value) > MAX_INTEGER:
            # Longer numbers may have lost digits: see above.
            note = (
                f"{value} is beyond the limit of {MAX_INTEGER}"
                if abs(value) < 10**14
                else f"the limit is {MAX_INTEGER}"
            )
            self._refuse("PZ321", "number is too large", span or (self.span(tree) if tree else None), note)
        return value

    def _refuse(
        self, code: str, message: str, span: Span | None, note: str | tuple[str, ...] = (), help: str = ""
    ) -> None:
        self.report.add(code, message, span, note=note, help=help or ())
        raise UnreadableValueError

    def _value(self, tree: Tree, scope: Scope, truth: bool) -> int:
        compiled = self.compiled.get(id(tree))
        if compiled is None:
            compiled = self.compiled[id(tree)] = self._compile(tree, truth)
        try:
            return int(eval(compiled.code, _NAMES, scope))
        except ZeroDivisionError:
            self._blame_divisor(tree, scope)
        except NameError:
            if not self.forgiving:
                self._blame_variable(compiled, scope)
        raise UnreadableValueError

    def _blame_variable(self, compiled: _CompiledExpression, scope: Scope) -> None:
        """Report the first variable of an expression that has no value here."""
        name, token = next(needed for needed in compiled.needed.items() if needed[0] not in scope)
        below = self.parameters.get(name)
        if below is not None:
            self.report.add(
                "PZ326",
                f"parameter `{token}` has no value yet",
                self.span(token),
                others=[(below, "defined here")],
                help="move its `param` before this line",
            )
            return
        behind = self._loop_behind(token)
        if behind:
            self.report.add("PZ326", f"unknown variable `{token}`", self.span(token), help=behind)
            return
        if sizes := self._sizes_in(token, scope):
            self.report.add("PZ326", f"unknown variable `{token}`", self.span(token), help=f"write `{sizes}`")
            return
        if str(token) in REGION_WORDS:
            self.report.add(
                "PZ326",
                f"unknown variable `{token}`",
                self.span(token),
                note="after `where`, an operator belongs to the condition",
                help=f"write brackets around the first region: `(cells ... where ...) - {token} ...`",
            )
            return
        variables = [spoken(variable) for variable in scope]
        listed = ", ".join(f"`{variable}`" for variable in variables)
        self.report.add(
            "PZ326",
            f"unknown variable `{token}`",
            self.span(token),
            note=f"variables here are {listed}" if listed else "`param` and `for` define variables",
            help=suggestion(spoken(name), variables),
        )

    def _sizes_in(self, token: lark.Token, scope: Scope) -> str:
        """Return sizes such as ``{n}x3`` that a word after `box` means without its braces; "" for another word."""
        start = token.start_pos or 0
        parts = str(token).split("x")
        are_numbers = all(part.isdecimal() or variable(part) in scope for part in parts)
        if (
            len(parts) < 2
            or not are_numbers
            or not re.search(r"\b(?:box|grid)\s+$", self.source.text[max(0, start - 20) : start])
        ):
            return ""
        return "x".join(part if part.isdecimal() else f"{{{part}}}" for part in parts)

    def _loop_behind(self, token: lark.Token) -> str:
        """Return the suggestion for a variable whose `for` follows it but does not reach it."""
        rest = self.source.text[token.end_pos or 0 :][:2000]
        line, _, following = rest.partition("\n")
        loop = rf"\bfor\b[^\n]*\b{re.escape(token)}\s+(?:in|at)\b"
        if re.search(loop, line):
            return "repeat the `for` after this entry, or write a block: a `for` applies only to the entry before it"
        if re.match(rf"[ \t]*{loop}[^\n{{]*(?:\n|$)", following):
            return "write the `for` on the same line, or put the list in `( )`"
        return ""

    def _blame_divisor(self, tree: Tree, scope: Scope) -> None:
        for division in tree.iter_subtrees():
            if division.data == "multiplied" and str(division.children[1]) != "*":
                divisor = division.children[2]
                assert isinstance(divisor, lark.Tree)
                if not self._value(divisor, scope, truth=False):
                    span = self.span(divisor)
                    name = next(
                        (key for key, token in self.compiled[id(divisor)].needed.items() if token == span.text), ""
                    )
                    of_loop = name and name not in self.parameters
                    help = f"add `where {span.text} != 0` to the loop" if of_loop else ""
                    self._refuse("PZ327", "division by zero", span, help=help)

    def _compile(self, tree: Tree, truth: bool) -> _CompiledExpression:
        """Translate an expression to Python's bytecode: the operators are Python's, with the same priorities."""
        self._kind(tree, truth)
        needed: dict[str, lark.Token] = {}
        words = list(self._words(tree, needed))
        try:
            if len(words) <= _MAX_EXPRESSION_WORDS:
                return _CompiledExpression(compile(" ".join(words), "<expression>", "eval"), tree, needed)
        except (RecursionError, MemoryError, SyntaxError):  # Python's limits on nesting
            pass
        self.report.add("PZ106", "expression is too long", self.span(tree))
        raise UnreadableValueError

    def _words(self, tree: Tree, needed: dict[str, lark.Token]) -> Iterator[str]:
        stack: list[Node | str] = [tree]
        while stack:
            node = stack.pop()
            if isinstance(node, str) and not isinstance(node, lark.Token):
                yield node
            elif isinstance(node, lark.Token):
                if node.type == "VARIABLE":
                    needed.setdefault(variable(node), node)
                yield _word(node)
            else:
                stack.extend(reversed(self._parts(node)))

    @staticmethod
    def _parts(tree: Tree) -> list[Node | str]:
        """Return the parts of an expression in order, with the words that the tree leaves out."""
        children = list(tree.children)
        if tree.data in ("both", "either"):
            return [children[0], "and" if tree.data == "both" else "or", children[1]]
        if tree.data == "negated":
            return ["not", children[0]]
        if tree.data == "call":
            listed = [part for child in children[1:] for part in (child, ",")]
            # Python's min and max need several values; a single value is its own minimum and maximum.
            single = len(children) == 2 and str(children[0]) != "abs"
            return ["(", children[1], ")"] if single else [str(children[0]), "(", *listed[:-1], ")"]
        if tree.data == "bracketed":
            return ["(", *children, ")"]
        return [*children]

    def _kind(self, whole: Tree, truth: bool) -> None:
        """Report a condition instead of a number, a number instead of a condition, and a list instead of either."""
        stack = [(whole, truth)]
        while stack:
            tree, wants_truth = stack.pop()
            children = [child for child in tree.children if isinstance(child, lark.Tree)]
            if tree.data == "bracketed":
                if len(children) > 1:
                    self._refuse("PZ328", "unexpected list: a list is allowed only after `in`", self.span(tree))
                stack.append((children[0], wants_truth))
                continue
            if (tree.data in _TRUTHS) != wants_truth:
                what = ("a condition", "a number") if wants_truth else ("a number", "a condition")
                self._refuse("PZ328", f"expected {what[0]}, found {what[1]}", self.span(tree))
            if tree.data == "call" and str(tree.children[0]) == "abs" and len(children) != 1:
                self._refuse("PZ328", "`abs` takes one number", self.span(tree))
            stack.extend((child, tree.data in ("both", "either", "negated")) for child in children)


def _word(token: lark.Token) -> str:
    """Return a token in Python."""
    if token.type == "VARIABLE":
        return variable(token)
    return "==" if token.type == "EQUAL" else str(token).lstrip("0") or "0"


def variable(token: str) -> str:
    """Return the name under which the value of a variable is kept; it is never a keyword of Python."""
    return "v_" + unicodedata.normalize("NFKC", str(token))


def spoken(name: str) -> str:
    """Return a variable as written in the text, from the name under which its value is kept."""
    return name.removeprefix("v_")
