"""What every statement needs: what is known of the puzzle so far, and what names and numbers mean in this round."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath

import lark

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.wrapping import Wrapping
from puzzlec.ir import Location, Piece, RegionRule, Rule
from puzzlec.ir.puzzle import Address
from puzzlec.language.expressions import Expressions, Node, Scope, Tree
from puzzlec.language.repetition import Repetition, values_text

#: Characters with a meaning of their own in drawings; they cannot be colours.
RESERVED = "#.x?{}/"
PLAIN, MAYBE = "x", "?"

#: A number of a word such as `10x{n}`: digits, or an expression in braces.
_NUMBER = re.compile(r"[0-9]+|\{[^{}]*\}")


@dataclass
class Parameters:
    """Values given for `param` statements, and those of the puzzle by the names of variables."""

    given: Mapping[str, int]
    values: dict[str, int] = field(default_factory=dict)


@dataclass
class Colours:
    """Colours by where each is declared, those reported as unknown, and the rules about them."""

    declared: dict[str, Span] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    allowed: set[tuple[str, str]] = field(default_factory=set)
    mates: dict[str, tuple[str, Span]] = field(default_factory=dict)
    border: tuple[str, ...] | None = None


@dataclass
class Regions:
    """Letters of regions by where each is declared, with their cells; ``made``: the cells of all regions so far."""

    places: dict[str, Span] = field(default_factory=dict)
    cells: dict[str, list[Address]] = field(default_factory=dict)
    made: int = 0


@dataclass
class Board:
    """The locations, and what holds for all of them."""

    locations: dict[Address, Location] = field(default_factory=dict)
    empty: tuple[int, int] | None = None
    crossing: bool = False
    wrapping: Wrapping | None = None

    @cached_property
    def rank(self) -> dict[Address, int]:
        """The number of each location; ask only when all locations are known."""
        return {at: number for number, at in enumerate(self.locations)}

    @cached_property
    def names(self) -> list[str]:
        """The names of the locations, without a lattice; ask only when all locations are known."""
        return [name for name in self.locations if isinstance(name, str)]


@dataclass
class Pieces:
    """Pieces by name, the round in which each was defined, and the placement that a piece is fixed to."""

    defined: dict[str, Piece] = field(default_factory=dict)
    rounds: dict[str, str] = field(default_factory=dict)
    fixed: dict[str, tuple[Span, set[Address]]] = field(default_factory=dict)


@dataclass
class Rules:
    """Rules about the placements of pieces, about what pieces show on a region, and about taking the puzzle apart."""

    pieces: list[Rule] = field(default_factory=list)
    regions: list[RegionRule[Address]] = field(default_factory=list)
    together: list[tuple[tuple[str, int], ...]] = field(default_factory=list)
    walls: dict[Cell, None] = field(default_factory=dict)
    immovable: dict[str, None] = field(default_factory=dict)


class Context:
    """The puzzle as far as it is known, and what the words of a statement mean in the round of the loops around it.

    ``lost`` are kinds of statements that may be missing: what depends on them is not reported.
    """

    def __init__(self, source: Source, report: Report, parameters: Mapping[str, int], lost: Collection[str]) -> None:
        self.source, self.report = source, report
        self.lost = set(lost)
        self.expressions = Expressions(source, report, forgiving="param" in lost)
        self.repetition = Repetition(self.expressions)
        self.parameters = Parameters(parameters)
        self.scope: Scope = self.parameters.values
        self.seen: dict[str, Span] = {}
        self.title = PurePath(source.name).stem
        self.lattice: Lattice | None = None
        self.colours, self.regions, self.board = Colours(), Regions(), Board()
        self.pieces, self.rules = Pieces(), Rules()

    @property
    def here(self) -> str:
        """The lattice of this puzzle, in words."""
        return f"the lattice `{self.lattice.name}`" if self.lattice else "`lattice none`"

    @property
    def broken(self) -> bool:
        """Whether locations may be missing: what depends on them is not reported."""
        return bool(self.lost & {"locations", "optional", "lattice"})

    def enter(self, scope: Scope) -> None:
        """Continue in a round of a loop, or outside of all."""
        self.scope = scope
        outside = self.parameters.values
        self.report.round = "" if scope is outside else values_text(scope, outside)

    def each(self, node: Tree) -> Iterator[list[Node]]:
        """Yield the parts of a thing of a list, once for each round of the clause after it."""
        last = node.children[-1] if node.children else None
        if not (isinstance(last, lark.Tree) and last.data == "clause"):
            yield list(node.children)
            return
        parts = list(node.children[:-1])
        outer = self.scope
        try:
            for scope in self.repetition.each(last.children, outer, self.span(last)):
                self.enter(scope)
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

    def span(self, node: Node) -> Span:
        """Return where a node of the tree is."""
        return self.expressions.span(node)

    @staticmethod
    def name(token: Node) -> str:
        """Return a name without its quotes, in one line: a tab in it is a space."""
        return re.sub(r"\s", " ", str(token).strip('"'))


def bounds_of(context: Context, low: int, high: int, span: Span) -> tuple[int, int]:
    """Return the bounds of a range; report one that makes no sense."""
    if min(low, high) < 0:
        context.report.add("PZ319", f"a number of {min(low, high)} makes no sense here", span)
        return 0, 0
    if low > high:
        sign = "x" if span.text.startswith("x") else ""
        help = f"write `{sign}{high}..{low}`" if "{" not in span.text else ()
        context.report.add("PZ319", f"the range {low}..{high} runs backwards", span, help=help)
        return high, low
    return low, high


def others_text(others: Sequence[object]) -> str:
    """Return how many others there are besides the one named, nothing if there are none."""
    return f" and {counted(len(others), 'other')}" if others else ""
