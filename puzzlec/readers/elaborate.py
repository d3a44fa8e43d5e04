"""From the tree of a ``.puzzle`` text to the Puzzle that it means, with every fault of meaning reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple

import lark

from puzzlec.diagnostics import Report, Source, Span, counted, suggestion
from puzzlec.geometry import (
    Cell,
    Freedom,
    Lattice,
    Matrix,
    ShapeSet,
    find_lattice,
    find_library,
    lattice_names,
    library_names,
)
from puzzlec.geometry.drawing import DrawingError, Mark, marks
from puzzlec.geometry.regions import LARGEST_REGION, RegionTooLargeError, box, joined, shifted
from puzzlec.ir import ANY, Location, Piece, Puzzle, Rule, RuleKind
from puzzlec.ir.puzzle import Address, address_text
from puzzlec.readers.expressions import Expressions, Node, Scope, Tree, UnreadableError, spoken, variable
from puzzlec.readers.parsing import strange_signs
from puzzlec.readers.repetition import Repetition, values_text

#: Characters with a meaning of their own in drawings; they cannot be colours.
RESERVED = "#.x?{}/"
PLAIN, MAYBE = "x", "?"

#: The lattices of boxes by their dimension.
_BOXES = {1: "line", 2: "square", 3: "cubic"}


class _Region(NamedTuple):
    """The cells of a region in order, and for cells that were drawn their character with its place."""

    cells: dict[Address, None]
    marks: dict[Address, Mark]
    base: int


@dataclass(frozen=True)
class _Modifiers:
    freedom: Freedom | None
    low: int
    high: int


@dataclass(frozen=True)
class _Statement:
    """A statement in a round of the loops around it."""

    tree: Tree
    scope: Scope


#: So many statements are read at most, those of a block once for each round.
MOST_STATEMENTS = 200_000

#: A number of a word such as `10x{n}`: digits, or an expression in braces.
_NUMBER = re.compile(r"[0-9]+|\{[^{}]*\}")


def elaborate(
    tree: Tree,
    source: Source,
    report: Report,
    parameters: Mapping[str, int] | None = None,
    lost: Collection[str] = (),
) -> Puzzle:
    """Return the puzzle that a tree means; raise PuzzleError when the report holds an error then.

    ``parameters`` are values for `param` statements, in place of those in the text. ``lost`` are the kinds of
    statements (their first words) of which some could not be read: what they may have said is not missed.
    """
    return _Elaborator(source, report, parameters or {}, lost).puzzle(tree)


class _Elaborator:
    """One walk over the statements: declarations first, whatever their order, then what uses them."""

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
        self.allowed: set[tuple[str, str]] = set()
        self.empty: tuple[int, int] | None = None
        self.locations: dict[Address, Location] = {}
        self.pieces: dict[str, Piece] = {}
        self.rules: list[Rule] = []
        self.seen: dict[str, Span] = {}
        self.undeclared: set[str] = set()
        self.fixed: dict[str, tuple[Span, set[Address]]] = {}
        self.rim: tuple[str, ...] | None = None
        self.mates: dict[str, tuple[str, Span]] = {}

    def puzzle(self, tree: Tree) -> Puzzle:
        statements = [child for child in tree.children if isinstance(child, lark.Tree)]
        if statements and statements[0].data != "title":
            for statement in statements[1:]:
                if statement.data == "title":
                    self.report.add(
                        "PZ323",
                        "the title stands after other statements",
                        self.span(statement),
                        help="make `puzzle` the first statement",
                    )
        if not any(statement.data == "lattice" for statement in statements):
            self.lattice = find_lattice("square")
        self.run([_Statement(each, self.globals) for each in statements], ("title", "lattice", "colours", "param"))
        self.refuse_parameters()
        flat = list(self.flattened(statements, self.globals))
        for names in (
            ("allow", "empty", "rim", "match"),
            ("locations", "optional"),
            ("piece", "pieces"),
            ("place", "fix", "forbid"),
        ):
            self.run(flat, names)
        self.warn_of_idle_loops()
        self.warn_of_idle_sides(flat)
        if not self.locations and not self.lost:
            empty = next((self.span(each) for each in statements if each.data in ("locations", "optional")), None)
            self.report.add(
                "PZ308",
                "this puzzle has no locations",
                empty or self.source.end,
                "nothing is left of this region" if empty else "",
                help=() if empty else "say where the pieces go, such as `locations box 6x10`",
            )
        if not self.pieces and not self.report.errors and not self.lost:
            self.report.add(
                "PZ309",
                "this puzzle has no pieces",
                self.source.end,
                help="say which pieces there are, such as `pieces pentominoes`",
            )
        self.report.stop_on_errors()
        where = next((self.span(each) for each in statements if each.data in ("locations", "optional")), None)
        return Puzzle(
            self.title,
            self.lattice,
            tuple(self.locations.values()),
            tuple(self.pieces.values()),
            tuple(self.colours),
            frozenset(self.allowed),
            self.empty,
            tuple(self.rules),
            self.rim,
            tuple((sign, mate) for sign, (mate, _) in self.mates.items()),
            span=where,
        )

    @property
    def broken(self) -> bool:
        """Whether locations may be missing: do not blame what depends on them."""
        return bool(self.lost & {"locations", "optional", "lattice"})

    def run(self, statements: list[_Statement], kinds: tuple[str, ...]) -> None:
        """Elaborate the statements of some kinds, each in its round; one that cannot be read is lost."""
        for each in statements:
            kind = str(each.tree.data)
            if kind in kinds:
                self.enter(each.scope)
                try:
                    getattr(self, f"_{kind}")(each.tree)
                except UnreadableError:
                    self.lost.add(kind)
        self.enter(self.globals)

    def enter(self, scope: Scope) -> None:
        """Go on in a round of a loop, or outside of all."""
        self.scope = scope
        self.report.round = "" if scope is self.globals else values_text(scope, self.globals)

    def flattened(self, statements: Sequence[Node], scope: Scope) -> Iterator[_Statement]:
        """Give the statements in order, those of blocks once for each round; a block that cannot run is lost."""
        for number, statement in enumerate(self._flattened(statements, scope)):
            if number >= MOST_STATEMENTS:
                self.report.add(
                    "PZ329",
                    f"the blocks of this text make more than {MOST_STATEMENTS} statements",
                    self.span(statement.tree),
                    "stopped at this one",
                )
                self.report.stop_on_errors()
            yield statement

    def _flattened(self, statements: Sequence[Node], scope: Scope) -> Iterator[_Statement]:
        for statement in statements:
            if not isinstance(statement, lark.Tree):
                continue
            if statement.data != "repeat":
                yield _Statement(statement, scope)
                continue
            *loop, block = statement.children
            assert isinstance(block, lark.Tree)
            try:
                for found in self.repetition.each(loop, scope, self.header(statement)):
                    yield from self._flattened(block.children, found)
                    self.enter(scope)
            except UnreadableError:
                self.lost.update(_kinds_in(block))
        self.enter(self.globals)

    def header(self, repeat: Tree) -> Span:
        """Return where a block's `for` stands, up to its brace."""
        last = repeat.children[-2]
        return self.source.span(self.span(repeat).start, self.span(last).end)

    def refuse_parameters(self) -> None:
        """Report values given for parameters that the text does not have."""
        known = [spoken(name) for name in self.globals]
        for name in self.parameters:
            if variable(name) not in self.globals and not self.lost & {"param", "for"}:
                self.report.add(
                    "PZ331",
                    f"this puzzle has no parameter `{name}`",
                    note="its parameters are " + ", ".join(known) if known else "it has no `param` statement",
                    help=suggestion(name, known),
                    file=self.source.name,
                )

    def warn_of_idle_loops(self) -> None:
        """Warn of loops that never made a round: a range such as 1..0 is empty."""
        for (start, end), ran in self.repetition.ran.items():
            if not ran and not self.report.errors:
                given = ", ".join(f"{spoken(name)} = {value}" for name, value in self.globals.items())
                self.report.add(
                    "PZ332",
                    "this `for` makes no round",
                    self.source.span(start, end),
                    note=f"with {given}" if given else "a range whose end is below its start is empty",
                )

    def warn_of_idle_sides(self, statements: list[_Statement]) -> None:
        """Warn of `rim` and `match` where no piece has edges."""
        if any(piece.sides for piece in self.pieces.values()) or self.report.errors or self.lost:
            return
        for each in statements:
            if each.tree.data in ("rim", "match"):
                self.report.add("PZ335", f"`{each.tree.data}` says nothing: no piece has edges", self.span(each.tree))

    # Repetition inside a statement

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
        if len(sign) > 1 and set(sign) <= self.colours.keys():
            self.report.add(
                "PZ322", f"`{sign[:40]}` is no colour", span, note="a colour is one character",
                help=f"write blanks between: `{' '.join(sign[:20])}`",
            )  # fmt: skip
            return None
        return sign if self.colour(sign, span) else None

    def no_colour(self, value: str, span: Span) -> None:
        known = ", ".join(f"`{each}`" for each in self.colours)
        self.report.add(
            "PZ333",
            f"the value {value} names no colour",
            span,
            note=f"declared are {known}" if known else "no colours are declared",
        )

    # Places and words of the tree

    def span(self, node: Node) -> Span:
        return self.expressions.span(node)

    @staticmethod
    def name(token: Node) -> str:
        return str(token).strip('"')

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

    # Declarations

    def _title(self, statement: Tree) -> None:
        if self.once(statement):
            self.title = self.name(statement.children[0])

    def _lattice(self, statement: Tree) -> None:
        if not self.once(statement):
            return
        name = self.name(statement.children[0])
        if name == "none":
            return
        if name not in lattice_names():
            self.lost.add("lattice")
            known = (*lattice_names(), "none")
            self.report.add(
                "PZ302",
                f"the lattice `{name}` is not known",
                self.span(statement.children[0]),
                note="lattices are " + ", ".join(known),
                help=suggestion(name, known),
            )
            self.report.stop_on_errors()
        self.lattice = find_lattice(name)

    def _colours(self, statement: Tree) -> None:
        for token in statement.children:
            sign = str(token)
            if len(sign) != 1 or sign in RESERVED:
                self.report.add(
                    "PZ322",
                    f"`{sign[:40]}` cannot be a colour",
                    self.span(token),
                    note=f"a colour is one character, and none of {' '.join(RESERVED)}",
                    help="write blanks between the colours, no commas" if "," in sign else (),
                )
            elif sign in self.colours:
                self.report.add(
                    "PZ307",
                    f"the colour `{sign}` is declared twice",
                    self.span(token),
                    "second time",
                    others=[(self.colours[sign], "first time")],
                )
            else:
                self.colours[sign] = self.span(token)

    def colour(self, sign: str, span: Span) -> bool:
        """Report a colour that was never declared, where it stands first; say whether it was declared."""
        if sign not in self.colours and sign not in self.undeclared and "colours" not in self.lost:
            self.undeclared.add(sign)
            known = ", ".join(f"`{each}`" for each in self.colours)
            self.report.add(
                "PZ303",
                f"the colour `{sign[:40]}` was never declared",
                span,
                note=strange_signs(sign) or (f"declared are {known}" if known else ()),
                help=self.colour_help(sign),
            )
        return sign in self.colours

    def colour_help(self, sign: str) -> tuple[str, ...]:
        """Return how to mend an undeclared colour: it may be a plain cell in another hand, or a colour."""
        plain = ("write `x` for a plain cell, `.` for none",) if sign in "X*@o+1|-_,;" and not self.colours else ()
        declare = f"declare it: `colours {' '.join((*self.colours, sign))}`"
        if sign in RESERVED:
            return (f"`{sign}` has a meaning of its own in drawings and cannot be a colour",)
        return (*plain, *([("or " if plain else "") + declare] if len(sign) == 1 else []))

    def _param(self, statement: Tree) -> None:
        token, value = statement.children
        name = variable(str(token))
        if name in self.globals:
            self.report.add("PZ330", f"the variable `{token}` has a value already", self.span(token))
            return
        given = self.parameters.get(str(token))
        self.globals[name] = self.number(value) if given is None else given

    def _allow(self, statement: Tree) -> None:
        cell, *places = [self.declared(token) for token in statement.children]
        if cell is not None:
            self.allowed.update((cell, place) for place in places if place is not None)

    def _rim(self, statement: Tree) -> None:
        if self.once(statement):
            self.rim = tuple(sign for token in statement.children if (sign := self.declared(token)) is not None)

    def _match(self, statement: Tree) -> None:
        one, two = [self.declared(token) for token in statement.children]
        if one is None or two is None:
            return
        span = self.span(statement)
        for sign, mate in ((one, two), (two, one)):
            before, other = self.mates.setdefault(sign, (mate, span))
            if before != mate:
                self.report.add(
                    "PZ334", f"the colour `{sign}` is matched with two others", span, f"with `{mate}` here",
                    others=[(other, f"with `{before}` here")],
                )  # fmt: skip

    def _empty(self, statement: Tree) -> None:
        if self.once(statement):
            low, *high = self.numbers_in(statement.children[0])
            self.empty = self.range(low, high[0] if high else low, self.span(statement.children[0]))

    def range(self, low: int, high: int, span: Span) -> tuple[int, int]:
        if min(low, high) < 0:
            self.report.add("PZ319", f"a number of {min(low, high)} makes no sense here", span)
            return 0, 0
        if low > high:
            sign = "x" if span.text.startswith("x") else ""
            help = f"write `{sign}{high}..{low}`" if "{" not in span.text else ()
            self.report.add("PZ319", f"the range {low}..{high} runs backwards", span, help=help)
            return high, low
        return low, high

    # Regions

    def cell(self, tree: Tree) -> Cell | None:
        """Return a cell by its coordinates; report a number of coordinates that the lattice does not have."""
        cell = tuple(self.number(child) for child in tree.children)
        if self.lattice is None:
            self.report.add(
                "PZ320",
                "a location without a lattice is named, it has no coordinates",
                self.span(tree),
                help="name the location, or leave `lattice none` out",
            )
            return None
        if len(cell) != self.lattice.coordinates:
            self.report.add(
                "PZ312",
                f"this cell has {counted(len(cell), 'coordinate')}, "
                f"the lattice `{self.lattice.name}` has {self.lattice.coordinates}",
                self.span(tree),
                help=self.lattice_for(len(cell)),
            )
            return None
        if any(abs(value) > 2**30 for value in cell):
            self.report.add("PZ321", "this coordinate is too large", self.span(tree))
            return None
        return cell

    @staticmethod
    def lattice_for(dimension: int) -> str | tuple[str, ...]:
        """Return the help that names the lattice somebody may have forgotten to choose."""
        return f"write `lattice {_BOXES[dimension]}`" if dimension in _BOXES else ()

    def drawn(self, token: Node) -> list[Mark]:
        """Return the marks of a drawing; report one that cannot be read."""
        assert isinstance(token, lark.Token)
        if self.lattice is None:
            self.report.add(
                "PZ320",
                "a drawing needs a lattice",
                self.span(token),
                help="name the locations, or leave `lattice none` out",
            )
            return []
        base = self.span(token).start + 1
        text, places = self.interpolated(str(token)[1:-1], base)
        if len(token) > LARGEST_REGION and len(re.sub(r"[\s./]", "", str(token))) > LARGEST_REGION:
            self.report.add("PZ321", "this drawing has more than a million cells", self.source.span(base - 1))
            return []
        try:
            found = marks(text, self.lattice)
            return [replace(each, offset=places[each.offset]) for each in found] if places else found
        except DrawingError as error:
            start, end = (places[error.start], places[error.end]) if places else (error.start, error.end)
            span = self.source.span(base + start, base + end)
            if error.code == "PZ314":
                span = self.span(token)
            self.report.add(error.code, error.message, span, note=error.note or (), help=error.help or ())
            return []

    def interpolated(self, text: str, base: int) -> tuple[str, list[int]]:
        """Return a drawing with a character for each `{expression}`, and where each character stood (none: unchanged).

        The character is the colour that the value names.
        """
        if "{" not in text:
            return text, []
        signs: list[str] = []
        places: list[int] = []
        at = 0
        for match in re.finditer(r"#[^\n]*|\{[^{}]*\}", text):
            if match.group()[0] == "#":
                continue
            signs.extend(text[at : match.start()])
            places.extend(range(at, match.start()))
            value = str(self.expressions.number_in(match.group(), base + match.start(), self.scope))
            if value not in self.colours:
                if "colours" not in self.lost:
                    self.no_colour(value, self.source.span(base + match.start(), base + match.end()))
                raise UnreadableError
            signs.append(value)
            places.append(match.start())
            at = match.end()
        signs.extend(text[at:])
        places.extend(range(at, len(text) + 1))
        return "".join(signs), places

    def region(self, tree: Tree) -> _Region:
        """Return the region that a tree means; what cannot be read counts as empty, and is reported."""
        whole: _Region | None = None
        sign = "+"
        for child in tree.children:
            if isinstance(child, lark.Token):
                sign = str(child)
                continue
            part = self.term(child)
            if whole is None:
                whole = part
            else:
                cells = joined(whole.cells, sign, part.cells)  # type: ignore[arg-type]
                whole = _Region(cells, part.marks | whole.marks, whole.base)  # type: ignore[arg-type]
        assert whole is not None
        return whole

    def term(self, tree: Tree) -> _Region:
        kind, first = tree.data, tree.children[0]
        if kind == "shifted":
            return self.moved(tree)
        if kind == "group":
            assert isinstance(first, lark.Tree)
            return self.region(first)
        if kind == "drawing":
            found = self.drawn(first)
            base = self.span(first).start + 1
            placed: dict[Address, Mark] = {mark.cell: replace(mark, offset=mark.offset + base) for mark in found}
            return _Region(dict.fromkeys(placed), placed, base)
        if kind == "cells":
            return _Region(dict.fromkeys(self.listed(tree)), {}, 0)
        return _Region(dict.fromkeys(self.boxed(first)), {}, 0)

    def moved(self, tree: Tree) -> _Region:
        shape, place = tree.children
        assert isinstance(shape, lark.Tree)
        assert isinstance(place, lark.Tree)
        part, vector = self.term(shape), self.cell(place)
        if vector is None:
            return part
        cells = shifted(part.cells, vector)  # type: ignore[arg-type]
        pairs = zip(part.cells, cells, strict=True)
        return _Region(
            dict.fromkeys(cells), {new: part.marks[old] for old, new in pairs if old in part.marks}, part.base
        )

    def listed(self, tree: Tree) -> Iterator[Address]:
        for child in tree.children:
            assert isinstance(child, lark.Tree)
            yield from self.addresses(child)

    def addresses(self, thing: Tree) -> Iterator[Address]:
        """Give the addresses that a thing of a list means: a cell or a name, once for each round of its clause."""
        for parts in self.each(thing):
            if isinstance(parts[0], lark.Tree):
                cell = self.cell(parts[0])
                if cell is not None:
                    yield cell
            elif self.lattice is not None:
                self.report.add(
                    "PZ320",
                    f"the lattice `{self.lattice.name}` has cells with coordinates, no names",
                    self.span(thing),
                    help="write a cell such as `(0,0)`, or `lattice none`",
                )
            else:
                yield self.headed(parts)[0]

    def boxed(self, token: Node) -> dict[Cell, None]:
        if self.lattice is None:
            self.report.add(
                "PZ320",
                "a box needs a lattice",
                self.span(token),
                help="name the locations, or leave `lattice none` out",
            )
            return {}
        sizes = self.numbers_in(token)
        if min(sizes) < 0:
            self.report.add("PZ319", f"a size of {min(sizes)} makes no sense", self.span(token))
            return {}
        if len(sizes) != self.lattice.dimension:
            self.report.add(
                "PZ312",
                f"this box has {counted(len(sizes), 'size')}, "
                f"the lattice `{self.lattice.name}` has {counted(self.lattice.dimension, 'dimension')}",
                self.span(token),
                help=self.lattice_for(len(sizes)),
            )
            return {}
        try:
            return box(sizes)
        except RegionTooLargeError:
            self.report.add("PZ321", "this box has more than a million cells", self.span(token))
            return {}

    # Locations

    def _locations(self, statement: Tree, optional: bool = False) -> None:
        before = self.report.errors
        (where,) = statement.children
        assert isinstance(where, lark.Tree)
        twice: dict[Span, list[Location]] = {}
        for at, sign, span in self.places(where):
            colour = None
            if sign not in (PLAIN, MAYBE):
                if not self.colour(sign, span):
                    continue
                colour = sign
            old = self.locations.get(at)
            if old is not None:
                twice.setdefault(span, []).append(old)
                continue
            self.locations[at] = Location(at, colour, optional or sign == MAYBE, span)
        for span, (first, *more) in twice.items():
            self.report.add(
                "PZ310",
                f"the location {address_text(first.at)}{_more(more)} {'are' if more else 'is'} listed twice",
                span,
                "second time",
                others=[(first.span, "first time")] if first.span != span else (),
            )
        if self.report.errors > before:
            self.lost.add("locations")

    def _optional(self, statement: Tree) -> None:
        self._locations(statement, optional=True)

    def places(self, where: Tree) -> Iterator[tuple[Address, str, Span]]:
        """Give the locations of a statement: the address, the character drawn there, and its place."""
        if where.data == "names":
            yield from self.named(where)
            return
        region = self.region(where)
        for at in region.cells:
            mark = region.marks.get(at)
            yield at, mark.sign if mark else PLAIN, self.source.span(mark.offset) if mark else self.span(where)

    def named(self, names: Tree) -> Iterator[tuple[Address, str, Span]]:
        first = names.children[0]
        assert isinstance(first, lark.Tree)
        alone = str(first.children[0]) if len(names.children) == len(first.children) == 1 else ""
        if self.lattice is not None:
            self.report.add(
                "PZ320",
                f"locations on the lattice `{self.lattice.name}` are cells, not names",
                self.span(first),
                help=f"write `box {alone}`"
                if re.fullmatch(r"\d+(x\d+)*", alone)
                else "draw them, or write a region such as `box 6x10`; `lattice none` is for named locations",
            )
        elif re.fullmatch(r"[0-9]+", alone):
            if _integer(alone) > LARGEST_REGION:
                self.report.add("PZ321", "these are more than a million locations", self.span(first))
                return
            yield from ((str(number), PLAIN, self.span(first)) for number in range(_integer(alone)))
        else:
            for thing in names.children:
                assert isinstance(thing, lark.Tree)
                span = self.span(thing)
                yield from ((at, PLAIN, span) for at in self.addresses(thing))

    # Pieces

    def modifiers(self, tree: Tree) -> _Modifiers:
        freedom, copies = None, (1, 1)
        given: dict[str, Span] = {}
        for token in tree.children:
            assert isinstance(token, lark.Token)
            if token.type in given:
                what = "the freedom" if token.type == "FREEDOM" else "the number of copies"
                self.report.add(
                    "PZ307",
                    f"{what} of a piece is given twice",
                    self.span(token),
                    "second time",
                    others=[(given[token.type], "first time")],
                )
            given[token.type] = self.span(token)
            if token.type == "FREEDOM":
                freedom = Freedom(str(token))
            elif str(token) == "x*":
                copies = (0, ANY)
            else:
                low, *high = self.numbers_in(token)
                most = ANY if str(token).endswith("*") else high[0] if high else low
                copies = self.range(low, most, self.span(token))
        return _Modifiers(freedom, *copies)

    def add_piece(self, piece: Piece) -> None:
        old = self.pieces.get(piece.name)
        if old is not None:
            self.report.add(
                "PZ301",
                f"piece `{piece.name}` is defined twice",
                piece.span,
                "second definition",
                others=[(old.span, "first defined here")] if old.span != piece.span else (),
                note=f"defined first in the round with {self.rounds_of[piece.name]}"
                if piece.name in self.rounds_of
                else (),
                help=f"rename one of them, or write `piece {piece.name} x2` for two copies"
                if not self.report.round
                else "give the name an index for each variable of the `for`, such as `A[i,j]`",
            )
            return
        self.pieces[piece.name] = piece
        if self.report.round:
            self.rounds_of[piece.name] = self.report.round

    def turns(self, freedom: Freedom | None) -> tuple[Matrix, ...]:
        return self.lattice.turns(freedom or self.lattice.freedom) if self.lattice else ()

    def _piece(self, statement: Tree) -> None:
        name, span, (modifiers, body) = self.headed(statement.children)
        assert isinstance(modifiers, lark.Tree)
        assert isinstance(body, lark.Tree)
        means = self.modifiers(modifiers)
        piece = Piece(name, (), (), self.turns(means.freedom), None, means.low, means.high, span=span)
        before = self.report.errors
        builders: dict[str, Callable[[Piece, Tree, _Modifiers], Piece]] = {
            "drawn": self.piece_drawn,
            "taken": self.piece_taken,
            "covers": self.piece_covers,
            "edges": self.piece_edges,
        }
        piece = builders[str(body.data)](piece, body, means)
        if self.report.errors == before or piece.cells or piece.covers:
            self.add_piece(piece)
        else:
            self.pieces.setdefault(piece.name, piece)

    def piece_drawn(self, piece: Piece, body: Tree, _: _Modifiers) -> Piece:
        token = body.children[0]
        base = self.span(token).start + 1
        cells, colours = [], []
        for mark in self.drawn(token):
            span = self.source.span(base + mark.offset)
            if mark.sign == MAYBE:
                self.report.add(
                    "PZ315",
                    "a piece has no cells that may stay empty",
                    span,
                    help="write `x`, or `?` in a drawing of locations only",
                )
            elif mark.sign == PLAIN or self.colour(mark.sign, span):
                cells.append(mark.cell)
                colours.append(None if mark.sign == PLAIN else mark.sign)
        return replace(piece, cells=tuple(cells), colours=tuple(colours))

    def piece_edges(self, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
        """Return a tile: one cell whose sides carry colours, in the order of the lattice's neighbours."""
        if self.lattice is None:
            self.report.add("PZ320", "a piece with edges needs a lattice", self.span(body))
            return piece
        sides = len(self.lattice.kinds[0].neighbours)
        if len(body.children) != sides:
            run = str(body.children[0])
            self.report.add(
                "PZ336",
                f"this piece has {counted(len(body.children), 'edge')}, a {self.lattice.kinds[0].name} has {sides}",
                self.span(body),
                help=f"write blanks between the colours: `edges {' '.join(run)}`"
                if len(body.children) == 1 and len(run) == sides and run.isalnum()
                else (),
            )
            return piece
        colours = [self.declared(token) for token in body.children]
        if None in colours:
            raise UnreadableError
        if means.freedom is None:
            # A printed tile has nothing on its back.
            piece = replace(piece, turns=self.lattice.turns(Freedom.ONE_SIDED))
        cell = (0,) * self.lattice.coordinates
        return replace(piece, cells=(cell,), colours=(None,), sides=tuple(each for each in colours if each))

    def library(self, token: Node) -> ShapeSet | None:
        """Return a shape set by name, when it can be used on the lattice of this puzzle."""
        name = self.name(token)
        if name not in library_names():
            self.report.add(
                "PZ304",
                f"the shape library `{name}` is not known",
                self.span(token),
                note="libraries are " + ", ".join(library_names()),
                help=suggestion(name, library_names()),
            )
            return None
        found = find_library(name)
        if self.lattice is None or not _embeds(found.lattice, self.lattice):
            here = f"the lattice `{self.lattice.name}`" if self.lattice else "`lattice none`"
            self.report.add(
                "PZ318",
                f"the library `{name}` belongs to the lattice `{found.lattice.name}`, this puzzle has {here}",
                self.span(token),
                help=f"write `lattice {found.lattice.name}`",
            )
            return None
        return found

    def shaped(self, piece: Piece, shapes: ShapeSet, name: str, means: _Modifiers) -> Piece:
        """Return the piece with a shape of a library; a flat one can be used in space, too."""
        assert self.lattice is not None
        extra = (0,) * (self.lattice.dimension - shapes.lattice.dimension)
        cells = tuple(cell + extra for cell in shapes.shapes[name].cells)
        own = shapes.freedom if not extra else self.lattice.freedom
        return replace(piece, cells=cells, colours=(None,) * len(cells), turns=self.turns(means.freedom or own))

    def member(self, shapes: ShapeSet, token: Node) -> str | None:
        """Return the name of a shape of a library, or report that there is none."""
        name = self.name(token)
        if name in shapes.shapes:
            return name
        self.report.add(
            "PZ305",
            f"the library `{shapes.name}` has no piece `{name}`",
            self.span(token),
            note="its pieces are " + ", ".join(shapes.shapes),
            help=suggestion(name, shapes.shapes),
        )
        return None

    def piece_taken(self, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
        shapes = self.library(body.children[0])
        name = self.member(shapes, body.children[1]) if shapes else None
        return self.shaped(piece, shapes, name, means) if shapes and name else piece

    def piece_covers(self, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
        if means.freedom is not None:
            self.report.add(
                "PZ320",
                "a piece with listed placements is not turned",
                piece.span,
                help=f"leave `{means.freedom.value}` out",
            )
        found: dict[tuple[Address, ...], None] = {}
        for child in body.children:
            assert isinstance(child, lark.Tree)
            for parts in self.each(child):
                self.cover(piece, parts, child, found)
        return replace(piece, covers=tuple(found), turns=())

    @cached_property
    def rank(self) -> dict[Address, int]:
        """The number of each location; asked for when all are known."""
        return {at: number for number, at in enumerate(self.locations)}

    @cached_property
    def location_names(self) -> list[str]:
        return [name for name in self.locations if isinstance(name, str)]

    def cover(self, piece: Piece, parts: list[Node], tree: Tree, found: dict[tuple[Address, ...], None]) -> None:
        """Add one placement of a piece to those found."""
        before = self.report.errors
        addresses: dict[Address, None] = {}
        for thing in parts:
            assert isinstance(thing, lark.Tree)
            for each in self.each(thing):
                at = self.cell(each[0]) if isinstance(each[0], lark.Tree) else self.headed(each)[0]
                if at is None:
                    continue
                if at not in self.locations:
                    self.unknown_location(at, thing)
                elif at in addresses:
                    self.report.add(
                        "PZ205", f"the location {address_text(at)} stands twice in one placement", self.span(thing)
                    )
                addresses[at] = None
        if self.broken or self.report.errors > before:
            found[()] = None
            return
        placement = tuple(sorted(addresses, key=self.rank.__getitem__))
        if not placement:
            self.report.add("PZ207", f"this placement of piece `{piece.name}` covers no location", self.span(tree))
        if placement in found:
            self.report.add("PZ208", f"two placements of piece `{piece.name}` are equal; they are one", self.span(tree))
        found[placement] = None

    def unknown_location(self, at: Address, thing: Tree) -> None:
        if self.broken:
            return
        known = self.location_names
        number = isinstance(at, str) and at.isdecimal()
        stem = at.partition("[")[0] + "[" if isinstance(at, str) and "[" in at else ""
        alike = [name for name in known if stem and name.startswith(stem)]
        note = f"locations are 0 to {len(known) - 1}" if number else ()
        if alike:
            note = f"there are {len(alike)} named `{stem[:-1]}`, from `{alike[0]}` to `{alike[-1]}`"
        guess = isinstance(at, str) and not number and not alike and len(known) < 10_000
        self.report.add(
            "PZ311",
            f"there is no location {address_text(at)}",
            self.span(thing),
            note=note,
            help=suggestion(at, known) if guess and isinstance(at, str) else (),
        )

    def _pieces(self, statement: Tree) -> None:
        token, modifiers, *rest = statement.children
        assert isinstance(modifiers, lark.Tree)
        means, shapes = self.modifiers(modifiers), self.library(token)
        if shapes is None:
            return
        left_out = set()
        for child in rest[0].children if rest and isinstance(rest[0], lark.Tree) else ():
            left_out.add(self.member(shapes, child))
        chosen = [name for name in shapes.shapes if name not in left_out]
        twice = [name for name in chosen if name in self.pieces]
        if twice:
            first, *more = twice
            self.report.add(
                "PZ301",
                f"piece `{first}`{_more(more)} {'are' if more else 'is'} defined twice",
                self.span(token),
                "second definition",
                others=[(self.pieces[first].span, "first defined here")],
                help=f"leave {'them' if more else 'it'} out: `except {', '.join(twice)}`",
            )
        for name in chosen:
            piece = Piece(name, low=means.low, high=means.high, span=self.span(token))
            self.pieces.setdefault(name, self.shaped(piece, shapes, name, means))

    # Rules

    def _rule(self, kind: RuleKind, piece: str, named: Span, where: Node, sides: tuple[str, ...] = ()) -> None:
        assert isinstance(where, lark.Tree)
        if piece not in self.pieces:
            if not self.lost & {"piece", "pieces"}:
                self.report.add("PZ306", f"there is no piece `{piece}`", named, help=suggestion(piece, self.pieces))
            return
        region = self.region(where)
        unknown: list[tuple[Address, Span]] = []
        for at in region.cells:
            mark = region.marks.get(at)
            span = self.source.span(mark.offset) if mark else self.span(where)
            if mark and mark.sign != PLAIN:
                self.report.add("PZ315", "a region is drawn with `x` and `.` only", span)
            if kind in (RuleKind.FIX, RuleKind.FORBID) and at not in self.locations and not self.broken:
                unknown.append((at, span))
        if unknown:
            at, span = unknown[0]
            self.report.add("PZ311", f"there is no location {address_text(at)}{_more(unknown[1:])}", span)
        if kind is RuleKind.FIX:
            self.once_fixed(piece, set(region.cells), self.span(where))
        self.rules.append(Rule(kind, piece, tuple(region.cells), sides, self.span(where)))

    def once_fixed(self, piece: str, cells: set[Address], span: Span) -> None:
        """Report a piece that is fixed to another placement already."""
        before, other = self.fixed.setdefault(piece, (span, cells))
        if other != cells and self.pieces[piece].high == 1:
            self.report.add(
                "PZ324",
                f"piece `{piece}` is fixed in two ways",
                span,
                "fixed here, too",
                others=[(before, "fixed here")],
                help="leave one of them out, or define a piece of its own for each",
            )

    def _place(self, statement: Tree) -> None:
        name, span, (side, region) = self.headed(statement.children)
        self._rule(RuleKind.IN if str(side) == "in" else RuleKind.OFF, name, span, region)

    def _fix(self, statement: Tree) -> None:
        self._exactly(RuleKind.FIX, statement)

    def _forbid(self, statement: Tree) -> None:
        self._exactly(RuleKind.FORBID, statement)

    def _exactly(self, kind: RuleKind, statement: Tree) -> None:
        name, span, (*turned, region) = self.headed(statement.children)
        sides: tuple[str, ...] = ()
        if turned:
            shown = turned[0]
            assert isinstance(shown, lark.Tree)
            piece = self.pieces.get(name)
            if piece is not None and len(piece.sides) != len(shown.children):
                self.report.add(
                    "PZ336",
                    f"piece `{name}` has {counted(len(piece.sides), 'edge')}, this rule names {len(shown.children)}",
                    self.span(shown),
                )
                return
            sides = tuple(sign for token in shown.children if (sign := self.declared(token)) is not None)
        self._rule(kind, name, span, region, sides)


def _kinds_in(block: Tree) -> set[str]:
    """Return the kinds of the statements in a block, and in the blocks in it."""
    return {str(each.data) for each in block.iter_subtrees()}


def _embeds(small: Lattice, large: Lattice) -> bool:
    """Whether shapes of one lattice can be used on the other: the same, or fewer dimensions of the same kind."""
    chain = ["line", "square", "cubic"]
    if small.name in chain and large.name in chain:
        return chain.index(small.name) <= chain.index(large.name)
    return small.name == large.name


def _integer(digits: str) -> int:
    """Return the number that digits mean; one too large for any puzzle may come out smaller."""
    return int(digits[:15])


def _more(others: Sequence[object]) -> str:
    """Return how many others there are besides the one named, nothing where there are none."""
    return f" and {counted(len(others), 'other')}" if others else ""
