"""Pieces: drawn, taken from a library, listed by placement, or with edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import lark

from puzzlec.diagnostics import Span, counted, suggestion
from puzzlec.geometry import Freedom, Matrix, ShapeSet
from puzzlec.geometry.families import apart_by_mirror
from puzzlec.ir import ANY, Piece
from puzzlec.ir.puzzle import Address, address_text
from puzzlec.language.elaborate.context import MAYBE, PLAIN, others_text
from puzzlec.language.elaborate.libraries import Libraries, parted
from puzzlec.language.expressions import Node, Tree, UnreadableError


class _Modifiers(NamedTuple):
    freedom: Freedom | None
    low: int
    high: int


class Pieces(Libraries):
    """The statements that make pieces."""

    def modifiers(self, tree: Tree) -> _Modifiers:
        """Return what the modifiers of a piece say: how it may be turned, and how many copies there are."""
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
        """Add a piece, or report that its name is taken."""
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
        """Return the matrices that a piece of this freedom (None: as the lattice has it) may be turned by."""
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
            "listed": self.piece_listed,
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
        """Return a piece with the cells of its drawing."""
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
        assert isinstance(token, lark.Token)
        self.warn_of_corners(token, cells)
        return replace(piece, cells=tuple(cells), colours=tuple(colours))

    def piece_listed(self, piece: Piece, body: Tree, _: _Modifiers) -> Piece:
        """Return a piece with cells as they are listed by their coordinates."""
        if self.lattice is None:
            self.report.add(
                "PZ320",
                "a piece of cells needs a lattice",
                self.span(body),
                help="list its placements, such as `covers {0 1}`, or leave `lattice none` out",
            )
            return piece
        cells: dict[Address, None] = {}
        before = self.report.errors
        for child in body.children:
            assert isinstance(child, lark.Tree)
            for at in self.addresses(child):
                if at in cells:
                    self.report.add("PZ310", f"the cell {address_text(at)} is listed twice", self.span(child))
                cells[at] = None
        if not cells and self.report.errors == before:
            self.report.add(
                "PZ314",
                f"piece `{piece.name}` has no cell",
                self.span(body),
                note="what its cells are listed for is empty",
            )
        found = tuple(at for at in cells if not isinstance(at, str))
        return replace(piece, cells=found, colours=(None,) * len(found))

    def piece_edges(self, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
        """Return a tile: one cell whose sides carry colours, in the order of the lattice's neighbours."""
        if self.lattice is None:
            self.report.add("PZ320", "a piece with edges needs a lattice", self.span(body))
            return piece
        if self.lattice.of_edges:
            self.report.add("PZ320", "a stick has no sides that could have colours", self.span(body))
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

    def piece_taken(self, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
        """Return a piece with a shape of a library."""
        library, rest = parted(body.children)
        shapes = self.shapes(library, means.freedom)
        name = self.member(shapes, rest[0]) if shapes else None
        return self.shaped(piece, shapes, name, means.freedom) if shapes and name else piece

    def piece_covers(self, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
        """Return a piece with its placements as they are listed."""
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
        """The names of the locations, without a lattice; asked for when all are known."""
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
        """Report a location that a placement names and that does not exist."""
        if self.broken or self.report.repeats("PZ311", self.span(thing)):
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

    def _members(self, shapes: ShapeSet, tree: Tree) -> set[str]:
        """Return the names behind `only` or `except`; report those that are unknown, and those that come twice."""
        named: set[str] = set()
        for child in tree.children:
            name = self.member(shapes, child)
            if name in named:
                what = f"`{name}` is listed twice after `{tree.data}`"
                self.report.add("PZ356", what, self.span(child), "second time", help="leave it out")
            elif name is not None:
                named.add(name)
        return named

    def as_drawn(self, token: Node, library: list[Node]) -> None:
        """Warn that a library of free pieces has no mirror images of its pieces, which a one-sided set has."""
        name = self.name(token)
        apart = apart_by_mirror(name) if len(library) == 1 else None
        if apart is not None:
            self.report.add(
                "PZ358",
                f"`one-sided` takes the {apart.free} {name} as drawn, not the {apart.one_sided} one-sided ones",
                self.span(token),
                note=f"`{name}` has one of each two mirror images",
                help=f"write `pieces {apart.name}`",
            )

    def _pieces(self, statement: Tree) -> None:
        library, (modifiers, *rest) = parted(statement.children)
        token = library[0]
        assert isinstance(modifiers, lark.Tree)
        means = self.modifiers(modifiers)
        shapes = self.shapes(library, means.freedom)
        if shapes is None:
            return
        chosen = list(shapes.shapes)
        only = False
        if rest and isinstance(rest[0], lark.Tree):
            only = rest[0].data == "only"
            named = self._members(shapes, rest[0])
            chosen = [name for name in chosen if (name in named) == only]
        if means.freedom is Freedom.ONE_SIDED and shapes.lattice == self.lattice and not only:
            self.as_drawn(token, library)
        twice = [name for name in chosen if name in self.pieces]
        if twice:
            first, *more = twice
            self.report.add(
                "PZ301",
                f"piece `{first}`{others_text(more)} {'are' if more else 'is'} defined twice",
                self.span(token),
                "second definition",
                others=[(self.pieces[first].span, "first defined here")],
                help=(
                    f"leave {'them' if more else 'it'} out: `except {', '.join(twice)}`",
                    f"or add {'each' if more else 'it'} under a name of its own, such as "
                    f"`piece {self.name(token)}-{first} = {' '.join(map(str, library))}.{first}`",
                ),
            )
        for name in chosen:
            if name not in self.pieces:
                piece = Piece(name, low=means.low, high=means.high, span=self.span(token))
                self.pieces[name] = self.shaped(piece, shapes, name, means.freedom)
