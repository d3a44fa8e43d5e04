"""The puzzle as known so far, and the meaning of names and numbers in the current iteration."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

import lark

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.engine.integers import integer
from puzzlec.geometry import Cell, Freedom, Lattice
from puzzlec.geometry.drawing import DrawingMark
from puzzlec.geometry.wrapping import Wrapping
from puzzlec.ir import ANY, Cost, Location, Meeting, Piece, Puzzle, RegionRule, Rule
from puzzlec.ir.location import Address
from puzzlec.ir.puzzle import Expectation
from puzzlec.language.expressions import Expressions, Node, Scope, Tree
from puzzlec.language.repetition import Repetition, values_text

#: Reserved characters of drawings; they cannot be colours.
RESERVED = "#.x?{}/,"
PLAIN, MAYBE = "x", "?"

#: Longest list of piece names in a note.
MAX_NAMES_LISTED = 40

#: A number in a word such as `10x{n}`: digits, or an expression in braces. A variable may be the whole word.
_NUMBER = re.compile(r"[0-9]+|\{[^{}]*\}|^[^\W\d]\w*$")


@dataclass
class Parameters:
    """Values given for `param` statements, and values in the puzzle, by the names of variables.

    ``changed`` says whether a given value differs from the value in the text.
    """

    given: Mapping[str, int]
    values: dict[str, int] = field(default_factory=dict)
    changed: bool = False


@dataclass
class Colours:
    """Colours with the positions of their declarations, colours reported as unknown, and rules about colours."""

    declared: dict[str, Span] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    allowed: set[tuple[str, str]] = field(default_factory=set)
    mates: dict[str, tuple[str, Span]] = field(default_factory=dict)
    frame: tuple[str, ...] | None = None


@dataclass
class Definition:
    """The definition of a region: its name and its tree in an iteration, its cells once they are known.

    ``state`` is "new", "open" while the cells are looked for, "known", or "broken" after an error in it.
    """

    span: Span
    tree: Tree
    scope: Scope
    round: str
    cells: dict[Address, None] = field(default_factory=dict)
    marks: dict[Address, DrawingMark] = field(default_factory=dict)
    state: str = "new"


@dataclass
class Regions:
    """Letters of regions with the positions of their declarations, and their cells; regions that are defined.

    ``made`` is the number of cells of all regions so far, and ``depth`` that of the regions inside each other.
    ``of_faces``: the region at hand is one of other cells, whose sides are the cells of the lattice.
    """

    places: dict[str, Span] = field(default_factory=dict)
    cells: dict[str, list[Address]] = field(default_factory=dict)
    defined: dict[str, Definition] = field(default_factory=dict)
    made: int = 0
    depth: int = 0
    of_faces: bool = False

    def span_of(self, name: str) -> Span | None:
        """Return the position of the letter or the definition with a name; None if there is none."""
        definition = self.defined.get(name)
        return definition.span if definition else self.places.get(name)

    @property
    def names(self) -> list[str]:
        """Names of all regions."""
        return [*self.places, *self.defined]


_SPACE = re.compile(r"\s")


@dataclass
class BoardDeclarations:
    """The locations, whether all of them are known, places such as the border, and options of the whole board.

    ``decided`` is what decides the lattice of a text without a `lattice` statement, in words; None for the default one.
    """

    decided: tuple[Span, str] | None = None
    locations: dict[Address, Location] = field(default_factory=dict)
    complete: bool = False
    places: dict[str, dict[Address, None]] = field(default_factory=dict)
    empty: tuple[int, int] | None = None
    crossing: bool = False
    wrapping: Wrapping | None = None

    @cached_property
    def addresses(self) -> tuple[Address, ...]:
        """The locations in order; valid once all are known."""
        return tuple(self.locations)

    def location_of(self, at: Address, lattice: Lattice | None) -> Address:
        """Return the location that a cell is on a board that wraps around; on other boards, the cell itself."""
        if self.wrapping is None or lattice is None or isinstance(at, str) or at in self.locations:
            return at
        number = self.wrapping.location(lattice.point(at))
        return self.addresses[number] if number >= 0 else at

    @cached_property
    def rank(self) -> dict[Address, int]:
        """Number of each location; valid once all locations are known."""
        return {at: number for number, at in enumerate(self.locations)}

    @cached_property
    def names(self) -> list[str]:
        """Names of the locations, without a lattice; valid once all locations are known."""
        return [name for name in self.locations if isinstance(name, str)]


class Likeness(NamedTuple):
    """The piece that has the shape of another: the other's name and its place, and whether it is reflected."""

    of: str
    span: Span
    freedom: Freedom | None
    mirrored: bool


class FileUses(NamedTuple):
    """Files of the puzzle: those ``around`` this text, which use each other, and all ``files`` so far.

    ``read`` returns the puzzle in a text, which may have no board.
    """

    around: tuple[str, ...]
    files: list[str]
    read: Callable[[Source, FileUses], Puzzle]


@dataclass
class PieceDeclarations:
    """Pieces by name, the iteration that defined each, their fixed placements, and the fixed piece of a location.

    ``alike`` are the pieces with the shape of another one; those of them that have it already are ``shaped``. Those
    with a colour in pictures are ``painted``.
    """

    defined: dict[str, Piece] = field(default_factory=dict)
    rounds: dict[str, str] = field(default_factory=dict)
    fixed: dict[str, tuple[Span, set[Address]]] = field(default_factory=dict)
    taken: dict[Address, tuple[str, Span, set[Address]]] = field(default_factory=dict)
    alike: dict[str, Likeness] = field(default_factory=dict)
    shaped: set[str] = field(default_factory=set)
    painted: dict[str, Span] = field(default_factory=dict)
    uses: FileUses | None = None


@dataclass
class Rules:
    """Rules about placements, about regions, and about taking the puzzle apart, costs, and promised numbers."""

    pieces: list[Rule] = field(default_factory=list)
    regions: list[RegionRule[Address]] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    together: list[tuple[tuple[str, int], ...]] = field(default_factory=list)
    walls: dict[Cell, None] = field(default_factory=dict)
    immovable: dict[str, None] = field(default_factory=dict)
    turns_allowed: bool = False
    costs: list[Cost[Address]] = field(default_factory=list)
    expected: list[Expectation] = field(default_factory=list)


class Context:
    """The puzzle as known so far, and the meaning of words in the current iteration of the loops.

    ``unread`` are the kinds of unreadable statements; unknown names that they may define are not reported.
    """

    def __init__(self, source: Source, report: Report, parameters: Mapping[str, int], unread: Collection[str]) -> None:
        self.source, self.report = source, report
        self.unread = set(unread)
        self.expressions = Expressions(source, report, forgiving="param" in unread)
        self.repetition = Repetition(self.expressions)
        self.parameters = Parameters({name: integer(value, name) for name, value in parameters.items()})
        self.scope: Scope = self.parameters.values
        self.seen: dict[str, Span] = {}
        self.title = PurePath(source.name).stem
        self.lattice: Lattice | None = None
        self.colours, self.regions, self.board = Colours(), Regions(), BoardDeclarations()
        self.pieces, self.rules = PieceDeclarations(), Rules()

    @property
    def needed_lattice(self) -> Lattice:
        """The lattice of a puzzle that has one; raise ValueError for `lattice none`."""
        if self.lattice is None:
            raise ValueError("puzzle has no lattice")
        return self.lattice

    @property
    def here(self) -> str:
        """Lattice of this puzzle, in words."""
        return f"the lattice `{self.lattice.name}`" if self.lattice else "`lattice none`"

    @property
    def deciding(self) -> list[tuple[Span, str]]:
        """The place that decides the lattice, for an error about a thing that another lattice has."""
        return [self.board.decided] if self.board.decided else []

    def other_lattice(self, name: str) -> str:
        """Return the suggestion of another lattice."""
        if "lattice" not in self.seen:
            return f"add `lattice {name}`"
        written = self.source.text[self.seen["lattice"].start :].split("\n", 1)[0].split("#")[0].strip()
        return f"write `lattice {name}` instead of `{written}`"

    @property
    def broken(self) -> bool:
        """Whether locations may be missing: then unknown locations are not reported."""
        return bool(self.unread & {"locations", "optional", "lattice"})

    def enter(self, scope: Scope) -> None:
        """Continue in an iteration of a loop, or outside of all loops."""
        self.scope = scope
        outside = self.parameters.values
        self.report.round = "" if scope is outside else values_text(scope, outside)

    def each(self, node: Tree) -> Iterator[list[Node]]:
        """Yield the parts of a list entry, once for each iteration of the clause after it."""
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
        """Return the value of an expression in this iteration."""
        assert isinstance(tree, lark.Tree)
        if tree.data == "number" and len(digits := str(tree.children[0])) < 10:  # nearly all numbers
            return int(digits)
        return self.expressions.number(tree, self.scope)

    def numbers_in(self, token: Node) -> list[int]:
        """Return the numbers of a word such as `10x{n}` or `n`."""
        start = self.span(token).start
        return [self.number_of(match.group(), start + match.start()) for match in _NUMBER.finditer(str(token))]

    def number_of(self, text: str, at: int) -> int:
        """Return the value of digits, of a variable or of ``{expression}``, at a character of the text."""
        if text[0] != "{" and not text[0].isdecimal():
            return self.expressions.number_in(f"{{{text}}}", at - 1, self.scope)
        return self.expressions.number_in(text, at, self.scope)

    def range_in(self, tree: Tree) -> tuple[int, int]:
        """Return the least and the greatest number of a range such as ``2``, ``0..n``, ``2..`` or ``..5``."""
        first, *others = tree.children
        if isinstance(first, lark.Token):
            return 0, self.number(others[0])
        low = self.number(first)
        return low, self.number(others[1]) if others[1:] else ANY if others else low

    def headed(self, nodes: Sequence[Node]) -> tuple[str, Span, list[Node]]:
        """Return the name at the start of a list of nodes, with its indices; also its position, and the other nodes."""
        first, *rest = nodes
        span = self.span(first)
        if rest and isinstance(rest[0], lark.Tree) and rest[0].data == "subscript":
            indices = [self.number(child) for child in rest[0].children]
            name = f"{self.name(first)}[{','.join(map(str, indices))}]"
            return name, self.source.span(span.start, self.span(rest[0]).end + 1), rest[1:]
        return self.name(first), span, rest

    def sign(self, token: Node) -> str:
        """Return the colour that a token means: itself, or the value of its expression."""
        text = str(token)
        return str(self.expressions.number_in(text, self.span(token).start, self.scope)) if text[0] == "{" else text

    def span(self, node: Node) -> Span:
        """Return the span of a node of the tree."""
        return self.expressions.span(node)

    @staticmethod
    def name(token: Node) -> str:
        """Return a name without its quotes, in one line, with spaces for tabs."""
        text = str(token)
        return text if text.isalnum() else _SPACE.sub(" ", text.strip('"'))


def bounds_of(context: Context, low: int, high: int, span: Span) -> tuple[int, int]:
    """Return the bounds of a range; report an impossible one."""
    if min(low, high) < 0:
        ends = re.fullmatch(r"(\d+)\s*-\s*(\d+)", span.text)
        help = f"write `{ends[1]}..{ends[2]}`" if ends else ()
        context.report.add("PZ319", f"number must be at least 0, found {min(low, high)}", span, help=help)
        return 0, 0
    if low > high:
        sign = "x" if span.text.startswith("x") else ""
        help = f"write `{sign}{high}..{low}`" if "{" not in span.text else ()
        context.report.add("PZ319", f"range {low}..{high} runs backwards", span, help=help)
        return high, low
    return low, high


def others_text(others: Sequence[object]) -> str:
    """Return the number of others besides the named one, in words; "" if there are none."""
    return f" and {counted(len(others), 'other')}" if others else ""
