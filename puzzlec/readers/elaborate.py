"""From the tree of a ``.puzzle`` text to the Puzzle that it means, with every fault of meaning reported."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from puzzlec.readers.parsing import strange_signs

Tree = lark.Tree[lark.Token]
Node = Tree | lark.Token

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


def elaborate(tree: Tree, source: Source, report: Report) -> Puzzle:
    """Return the puzzle that a tree means; raise PuzzleError when the report holds an error then."""
    return _Elaborator(source, report).puzzle(tree)


class _Elaborator:
    """One walk over the statements: declarations first, whatever their order, then what uses them."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
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
        self.broken = False  # a locations or lattice statement failed: do not blame what depends on it

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
        for names in (
            ("title", "lattice", "colours"),
            ("allow", "empty"),
            ("locations", "optional"),
            ("piece", "pieces"),
            ("place", "fix", "forbid"),
        ):
            for statement in statements:
                if statement.data in names:
                    getattr(self, f"_{statement.data}")(statement)
        if not self.locations and not self.broken:
            empty = next((self.span(each) for each in statements if each.data in ("locations", "optional")), None)
            self.report.add(
                "PZ308",
                "this puzzle has no locations",
                empty or self.source.end,
                "nothing is left of this region" if empty else "",
                help=() if empty else "say where the pieces go, such as `locations box 6x10`",
            )
        if not self.pieces and not self.report.errors:
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
            span=where,
        )

    # Places and words of the tree

    def span(self, node: Node) -> Span:
        if isinstance(node, lark.Token):
            return self.source.span(node.start_pos or 0, node.end_pos)
        return self.source.span(node.meta.start_pos, node.meta.end_pos)

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
            self.broken = True
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
        if sign not in self.colours and sign not in self.undeclared:
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

    def _allow(self, statement: Tree) -> None:
        cell, *places = [str(token) for token in statement.children]
        known = [self.colour(str(token), self.span(token)) for token in statement.children]
        if all(known):
            self.allowed.update((cell, place) for place in places)

    def _empty(self, statement: Tree) -> None:
        if self.once(statement):
            low, _, high = str(statement.children[0]).partition("..")
            self.empty = self.range(low, high or low, self.span(statement.children[0]))

    def range(self, low: str, high: str, span: Span) -> tuple[int, int]:
        bounds = min(_integer(low), ANY), ANY if high == "*" else min(_integer(high), ANY)
        if bounds[0] > bounds[1]:
            sign = "x" if span.text.startswith("x") else ""
            self.report.add(
                "PZ319", f"the range {low}..{high} runs backwards", span, help=f"write `{sign}{high}..{low}`"
            )
            return bounds[1], bounds[0]
        return bounds

    # Regions

    def cell(self, tree: Tree) -> Cell | None:
        """Return a cell by its coordinates; report a number of coordinates that the lattice does not have."""
        cell = tuple(_integer(str(token)) for token in tree.children)
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
        if len(token) > LARGEST_REGION and len(re.sub(r"[\s./]", "", str(token))) > LARGEST_REGION:
            self.report.add("PZ321", "this drawing has more than a million cells", self.source.span(base - 1))
            return []
        try:
            return marks(str(token)[1:-1], self.lattice)
        except DrawingError as error:
            span = self.source.span(base + error.start, base + error.end)
            if error.code == "PZ314":
                span = self.span(token)
            self.report.add(error.code, error.message, span, note=error.note or (), help=error.help or ())
            return []

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
            if isinstance(child, lark.Tree):
                cell = self.cell(child)
                if cell is not None:
                    yield cell
            elif self.lattice is not None:
                self.report.add(
                    "PZ320",
                    f"the lattice `{self.lattice.name}` has cells with coordinates, no names",
                    self.span(child),
                    help="write a cell such as `(0,0)`, or `lattice none`",
                )
            else:
                yield self.name(child)

    def boxed(self, token: Node) -> dict[Cell, None]:
        if self.lattice is None:
            self.report.add(
                "PZ320",
                "a box needs a lattice",
                self.span(token),
                help="name the locations, or leave `lattice none` out",
            )
            return {}
        sizes = [_integer(each) for each in str(token).split("x")]
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
        self.broken |= self.report.errors > before

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
        if self.lattice is not None:
            self.report.add(
                "PZ320",
                f"locations on the lattice `{self.lattice.name}` are cells, not names",
                self.span(first),
                help=f"write `box {first}`"
                if re.fullmatch(r"\d+(x\d+)*", str(first))
                else "draw them, or write a region such as `box 6x10`; `lattice none` is for named locations",
            )
        elif len(names.children) == 1 and isinstance(first, lark.Token) and first.isdecimal():
            if _integer(first) > LARGEST_REGION:
                self.report.add("PZ321", "these are more than a million locations", self.span(first))
                return
            yield from ((str(number), PLAIN, self.span(first)) for number in range(_integer(first)))
        else:
            yield from ((self.name(token), PLAIN, self.span(token)) for token in names.children)

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
                low, _, high = str(token)[1:].partition("..")
                copies = self.range(low, high or low, self.span(token))
        return _Modifiers(freedom, *copies)

    def add_piece(self, piece: Piece) -> None:
        old = self.pieces.get(piece.name)
        if old is not None:
            self.report.add(
                "PZ301",
                f"piece `{piece.name}` is defined twice",
                piece.span,
                "second definition",
                others=[(old.span, "first defined here")],
                help=f"rename one of them, or write `piece {piece.name} x2` for two copies",
            )
            return
        self.pieces[piece.name] = piece

    def turns(self, freedom: Freedom | None) -> tuple[Matrix, ...]:
        return self.lattice.turns(freedom or self.lattice.freedom) if self.lattice else ()

    def _piece(self, statement: Tree) -> None:
        name, modifiers, body = statement.children
        assert isinstance(modifiers, lark.Tree)
        assert isinstance(body, lark.Tree)
        span, means = self.span(name), self.modifiers(modifiers)
        piece = Piece(self.name(name), (), (), self.turns(means.freedom), None, means.low, means.high, span)
        before = self.report.errors
        builders: dict[str, Callable[[Piece, Tree, _Modifiers], Piece]] = {
            "drawn": self.piece_drawn,
            "taken": self.piece_taken,
            "covers": self.piece_covers,
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
        rank = {at: number for number, at in enumerate(self.locations)}
        for each in body.children:
            assert isinstance(each, lark.Tree)
            before = self.report.errors
            addresses: dict[Address, None] = {}
            for child in each.children:
                at = self.cell(child) if isinstance(child, lark.Tree) else self.name(child)
                if at is None:
                    continue
                if at not in self.locations and not self.broken:
                    known = [name for name in self.locations if isinstance(name, str)]
                    self.report.add(
                        "PZ311",
                        f"there is no location {address_text(at)}",
                        self.span(child),
                        note=f"locations are 0 to {len(known) - 1}" if str(at) == at and at.isdecimal() else (),
                        help=suggestion(at, known) if isinstance(at, str) and not at.isdecimal() else (),
                    )
                elif at in addresses:
                    self.report.add(
                        "PZ205", f"the location {address_text(at)} stands twice in one placement", self.span(child)
                    )
                addresses[at] = None
            if self.broken or self.report.errors > before:
                found[()] = None
                continue
            placement = tuple(sorted(addresses, key=rank.__getitem__))
            if not placement:
                self.report.add("PZ207", f"this placement of piece `{piece.name}` covers no location", self.span(each))
            if placement in found:
                self.report.add(
                    "PZ208", f"two placements of piece `{piece.name}` are equal; they are one", self.span(each)
                )
            found[placement] = None
        return replace(piece, covers=tuple(found), turns=())

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

    def _rule(self, kind: RuleKind, name: Node, where: Node) -> None:
        assert isinstance(where, lark.Tree)
        piece = self.name(name)
        if piece not in self.pieces:
            self.report.add(
                "PZ306", f"there is no piece `{piece}`", self.span(name), help=suggestion(piece, self.pieces)
            )
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
        self.rules.append(Rule(kind, piece, tuple(region.cells), self.span(where)))

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
        name, side, region = statement.children
        self._rule(RuleKind.IN if str(side) == "in" else RuleKind.OFF, name, region)

    def _fix(self, statement: Tree) -> None:
        self._rule(RuleKind.FIX, *statement.children)

    def _forbid(self, statement: Tree) -> None:
        self._rule(RuleKind.FORBID, *statement.children)


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
