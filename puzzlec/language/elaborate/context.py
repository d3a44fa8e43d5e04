"""What every statement needs: its words, numbers, names and colours, in the round of the loops around it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePath

import lark

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.geometry import Lattice
from puzzlec.geometry.wrapping import Wrapping
from puzzlec.ir import Location, Piece, RegionRule, Rule
from puzzlec.ir.puzzle import Address
from puzzlec.language.expressions import Expressions, Node, Scope, Tree
from puzzlec.language.parsing import strange_signs
from puzzlec.language.repetition import Repetition, values_text

#: Characters with a meaning of their own in drawings; they cannot be colours.
RESERVED = "#.x?{}/"
PLAIN, MAYBE = "x", "?"

#: A number of a word such as `10x{n}`: digits, or an expression in braces.
_NUMBER = re.compile(r"[0-9]+|\{[^{}]*\}")


class Words:
    """What is known so far of the puzzle, and what the words of a statement mean."""

    def __init__(self, source: Source, report: Report, parameters: Mapping[str, int], lost: Collection[str]) -> None:
        self.source, self.report, self.parameters = source, report, parameters
        self.expressions = Expressions(source, report, forgiving="param" in lost)
        self.repetition = Repetition(self.expressions)
        self.globals: dict[str, int] = {}  # the parameters, by the names of variables
        self.scope: Scope = self.globals
        self.lost = set(lost)  # kinds of statements that may be missing: do not blame what depends on them
        self.rounds_of: dict[str, str] = {}  # the round in which a piece was defined
        self.title = PurePath(source.name).stem
        self.lattice: Lattice | None = None
        self.colours: dict[str, Span] = {}
        self.regions: dict[str, Span] = {}  # the characters of regions, where each is declared
        self.region_cells: dict[str, list[Address]] = {}
        self.allowed: set[tuple[str, str]] = set()
        self.empty: tuple[int, int] | None = None
        self.locations: dict[Address, Location] = {}
        self.pieces: dict[str, Piece] = {}
        self.rules: list[Rule] = []
        self.region_rules: list[RegionRule[Address]] = []
        self.seen: dict[str, Span] = {}
        self.undeclared: set[str] = set()
        self.fixed: dict[str, tuple[Span, set[Address]]] = {}
        self.rim: tuple[str, ...] | None = None
        self.crossing = False
        self.wrapping: Wrapping | None = None
        self.mates: dict[str, tuple[str, Span]] = {}

    @property
    def here(self) -> str:
        """The lattice of this puzzle, in words."""
        return f"the lattice `{self.lattice.name}`" if self.lattice else "`lattice none`"

    @property
    def broken(self) -> bool:
        """Whether locations may be missing: do not blame what depends on them."""
        return bool(self.lost & {"locations", "optional", "lattice"})

    def enter(self, scope: Scope) -> None:
        """Go on in a round of a loop, or outside of all."""
        self.scope = scope
        self.report.round = "" if scope is self.globals else values_text(scope, self.globals)

    def each(self, node: Tree) -> Iterator[list[Node]]:
        """Give the parts of a thing of a list, once for each round of the clause behind it."""
        last = node.children[-1] if node.children else None
        if not (isinstance(last, lark.Tree) and last.data == "clause"):
            yield list(node.children)
            return
        parts = list(node.children[:-1])
        outer = self.scope
        try:
            for found in self.repetition.each(last.children, outer, self.span(last)):
                self.enter(found)
                yield parts
                self.enter(outer)
        finally:
            self.enter(outer)

    def number(self, tree: Node) -> int:
        """Return the value of an expression in this round."""
        assert isinstance(tree, lark.Tree)
        return self.expressions.number(tree, self.scope)

    def numbers_in(self, token: Node) -> list[int]:
        """Return the numbers of a word such as `10x{n}` or `x0..{n}`."""
        start = self.span(token).start
        return [
            self.expressions.number_in(match.group(), start + match.start(), self.scope)
            for match in _NUMBER.finditer(str(token))
        ]

    def headed(self, nodes: Sequence[Node]) -> tuple[str, Span, list[Node]]:
        """Return the name that a list of nodes begins with, its indices included, its place, and the other nodes."""
        first, *rest = nodes
        span = self.span(first)
        if rest and isinstance(rest[0], lark.Tree) and rest[0].data == "subscript":
            indices = [self.number(child) for child in rest[0].children]
            name = f"{self.name(first)}[{','.join(map(str, indices))}]"
            return name, self.source.span(span.start, self.span(rest[0]).end + 1), rest[1:]
        return self.name(first), span, rest

    def sign(self, token: Node) -> str:
        """Return the colour that a token means: itself, or what the value of its expression names."""
        text = str(token)
        return str(self.expressions.number_in(text, self.span(token).start, self.scope)) if text[0] == "{" else text

    def declared(self, token: Node) -> str | None:
        """Return the colour that a token means, or None: it was never declared, and that is reported."""
        sign, span = self.sign(token), self.span(token)
        if str(token)[0] == "{" and sign not in self.colours and "colours" not in self.lost:
            self.no_colour(sign, span)
            return None
        if sign not in self.colours and len(sign) > 1 and set(sign) <= self.colours.keys():
            self.report.add(
                "PZ322", f"`{sign[:40]}` is no colour", span, note="a colour is one character",
                help=f"write blanks between: `{' '.join(sign[:20])}`",
            )  # fmt: skip
            return None
        return sign if self.colour(sign, span, drawn=False) else None

    def no_colour(self, value: str, span: Span) -> None:
        """Report a value that names no colour."""
        known = ", ".join(f"`{each}`" for each in self.colours)
        self.report.add(
            "PZ333",
            f"the value {value} names no colour",
            span,
            note=(f"declared are {known}" if known else "no colours are declared")
            + ("; a value names a colour that is a digit" if not value.isdecimal() or len(value) > 1 else ""),
        )

    def span(self, node: Node) -> Span:
        """Return where a node of the tree stands."""
        return self.expressions.span(node)

    @staticmethod
    def name(token: Node) -> str:
        """Return a name without its quotes, in one line: a tab in it is a blank."""
        return re.sub(r"\s", " ", str(token).strip('"'))

    def once(self, statement: Tree) -> bool:
        """Report a statement that is given a second time."""
        kind = str(statement.data)
        if kind in self.seen:
            self.report.add(
                "PZ307",
                f"`{'puzzle' if kind == 'title' else kind}` is given twice",
                self.span(statement),
                "second statement",
                others=[(self.seen[kind], "first statement")],
                help="leave one of them out",
            )
            return False
        self.seen[kind] = self.span(statement)
        return True

    def colour(self, sign: str, span: Span, drawn: bool = True) -> bool:
        """Report a colour that was never declared, where it stands first; say whether it was declared.

        ``drawn`` says whether it stands in a drawing, where it may be a plain cell in another hand.
        """
        if sign not in self.colours and sign not in self.undeclared and "colours" not in self.lost:
            self.undeclared.add(sign)
            known = ", ".join(f"`{each}`" for each in self.colours)
            self.report.add(
                "PZ303",
                f"the colour `{sign[:40]}` was never declared",
                span,
                note=strange_signs(sign) or (f"declared are {known}" if known else ()),
                help=self.colour_help(sign, drawn),
            )
        return sign in self.colours

    def colour_help(self, sign: str, drawn: bool = True) -> tuple[str, ...]:
        """Return how to mend an undeclared colour: it may be a plain cell in another hand, or a colour."""
        plain = (
            ("write `x` for a plain cell, `.` for none",)
            if drawn and sign in "X*@o+1|-_,;" and not self.colours
            else ()
        )
        declare = f"declare it: `colours {' '.join((*self.colours, sign))}`"
        if sign in RESERVED:
            return (f"`{sign}` has a meaning of its own in drawings and cannot be a colour",)
        return (*plain, *([("or " if plain else "") + declare] if len(sign) == 1 else []))

    def range(self, low: int, high: int, span: Span) -> tuple[int, int]:
        """Return the bounds of a range; report one that makes no sense."""
        if min(low, high) < 0:
            self.report.add("PZ319", f"a number of {min(low, high)} makes no sense here", span)
            return 0, 0
        if low > high:
            sign = "x" if span.text.startswith("x") else ""
            help = f"write `{sign}{high}..{low}`" if "{" not in span.text else ()
            self.report.add("PZ319", f"the range {low}..{high} runs backwards", span, help=help)
            return high, low
        return low, high


def others_text(others: Sequence[object]) -> str:
    """Return how many others there are besides the one named, nothing where there are none."""
    return f" and {counted(len(others), 'other')}" if others else ""
