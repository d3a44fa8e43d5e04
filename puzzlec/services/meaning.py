"""The meaning of a position in a text: a piece with a drawing, a region with its cells, or a parameter with its value.

Editors show it beside the pointer, and so does the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import lark

from puzzlec.diagnostics import PuzzleError, Report, counted
from puzzlec.geometry import Lattice, find_lattice, lattice_names
from puzzlec.geometry.families import ShapesError, family_names, find_family, find_shapes
from puzzlec.ir import Fitting, Piece, Puzzle
from puzzlec.ir.puzzle import copies_mark
from puzzlec.language.editing.reference import link
from puzzlec.language.editing.syntax import Name, NameKind, Syntax
from puzzlec.language.elaborate.context import Context
from puzzlec.language.elaborate.deciding import DEFAULT_LATTICE, decision_of
from puzzlec.language.elaborate.regions import region_of, take_regions, term_of
from puzzlec.language.expressions import Tree, UnreadableValueError, variable
from puzzlec.language.spelling import REGION_WORDS
from puzzlec.lower import number_of_orientations
from puzzlec.show.terminal.style import Style
from puzzlec.show.terminal.text import draw_piece

#: Maximum number of columns of a drawing: a box beside the text has no room for more.
_WIDTH = 60

#: Maximum number of names that are listed.
_LISTED = 40

#: Maximum number of cells of a piece that is drawn.
_MAX_DRAWN_CELLS = 500


def describe_pieces(puzzle: Puzzle, fitting: Fitting | None, numbers: Sequence[int]) -> str:
    """Return the facts about some pieces of a puzzle, with a drawing if there is only one. Empty if there is none."""
    if not numbers:
        return ""
    if len(numbers) > 1:
        names = [f"`{puzzle.pieces[at].name}`" for at in numbers]
        head = f"{len(names)} pieces, {names[0]} to {names[-1]}"
        return head + (f": {counted(_placements(fitting, numbers), 'placement')}" if fitting is not None else "")
    piece = puzzle.pieces[numbers[0]]
    parts = [] if piece.covers is not None else [counted(len(piece.cells), "cell"), _orientations(puzzle, piece)]
    if fitting is not None:
        placements = counted(_placements(fitting, numbers), "placement")
        parts.append(placements + (", listed" if piece.covers is not None else ""))
    copies = copies_mark(piece.low, piece.high)
    head = f"piece `{piece.name}`{copies}: {', '.join(filter(None, parts))}"
    if piece.covers is not None or puzzle.lattice is None or len(piece.cells) > _MAX_DRAWN_CELLS:
        return head
    return f"{head}\n\n```text\n{draw_piece(piece, puzzle.lattice, Style(width=_WIDTH))}\n```"


def _placements(fitting: Fitting | None, numbers: Sequence[int]) -> int:
    return sum(len(fitting.pieces[at].placements) for at in numbers) if fitting is not None else 0


def _orientations(puzzle: Puzzle, piece: Piece) -> str:
    lattice = puzzle.lattice
    if lattice is None or not piece.cells:
        return ""
    freedom = lattice.freedom_of(piece.turns)
    how = freedom.value if freedom else f"{len(piece.turns)} turns"
    return f"{counted(number_of_orientations(piece, lattice), 'orientation')} ({how})"


def describe_library(name: str, size: int | None) -> str:
    """Return the contents of a library, or of a family in a size; for a family without a size, its description."""
    if size is None and name in family_names():
        family = find_family(name)
        more = link("Families", "language/puzzles", "families-of-any-size")
        return f"family `{name}` on `lattice {family.lattice.name}`: {family.summary}.{more}"
    try:
        shapes = find_shapes(name, size)
    except ShapesError as error:
        return f"{error.message}: {error.note}" if error.note else error.message
    names = list(shapes.shapes)
    listed = ", ".join(f"`{name}`" for name in names[:_LISTED])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    head = f"`{shapes.name}` on `lattice {shapes.lattice.name}`: {shapes.summary}"
    return f"{head}\n\n{counted(len(names), 'piece')}, {shapes.freedom.value}: {listed}{more}"


def describe_shape(name: str, size: int | None, member: str) -> str:
    """Return a shape of a library with its drawing; empty if it is unknown."""
    try:
        shapes = find_shapes(name, size)
    except ShapesError:
        return ""
    if member not in shapes.shapes:
        return ""
    cells = shapes.shapes[member].cells
    piece = Piece(member, cells, (None,) * len(cells), lattice=shapes.lattice)
    drawn = draw_piece(piece, shapes.lattice, Style(width=_WIDTH))
    return f"`{member}` of `{shapes.name}`: {counted(len(cells), 'cell')}\n\n```text\n{drawn}\n```"


def describe_lattice(name: str) -> str:
    """Return a description of a built-in lattice, with a link to its picture; empty for other lattices."""
    if name == "none":
        return f"no geometry: locations have names.{link('The language', 'language/puzzles', 'lattice')}"
    if name not in lattice_names():
        return ""
    return f"`lattice {name}`: {find_lattice(name).summary}.{link('Its picture', 'lattices', name)}"


#: Trees that are regions, or parts of regions.
_REGIONS = (*REGION_WORDS, "drawing", "group", "shifted", "region")


class Explanation(NamedTuple):
    """The meaning of a part of a text, in Markdown, with the characters where the part starts and ends."""

    markdown: str
    start: int
    end: int


@dataclass(frozen=True)
class Meaning:
    """The meaning of a text, with its puzzle and its fitting if it could be compiled that far."""

    syntax: Syntax
    puzzle: Puzzle | None
    fitting: Any

    @cached_property
    def _reckoner(self) -> Reckoner:
        return Reckoner(self.syntax, self.puzzle)

    def explain(self, at: int) -> Explanation | None:
        """Return the meaning of a character of the text, or None."""
        explained = self._explained(at)
        return explained if explained is not None and explained.markdown else None

    def _explained(self, at: int) -> Explanation | None:
        name = self.syntax.name_at(at)
        if name is not None:
            return Explanation(self._name(name), name.start, name.end)
        path = self.syntax.path(at)
        for tree in reversed(path):
            start, end = tree.meta.start_pos, tree.meta.end_pos
            if tree.data in _REGIONS and path[0].data != "piece":
                return Explanation(self._region(tree, path), start, end)
            if tree.data == "piece":
                head = next(name for name in self.syntax.names if name.start >= start)
                return None if at < start + len("piece") else Explanation(self._piece(head), start, end)
            if tree.data in ("locations", "optional"):
                return Explanation(self._statement(tree), start, end)
        return None

    def _name(self, name: Name) -> str:
        """Return the meaning of a name."""
        if name.kind is NameKind.PIECE:
            return self._piece(name)
        if name.kind is NameKind.LIBRARY:
            return describe_library(name.word, name.size)
        if name.kind is NameKind.SHAPE:
            return describe_shape(name.library, name.size, name.word)
        if name.kind is NameKind.LATTICE:
            return describe_lattice(name.word)
        if name.kind is NameKind.PARAMETER:
            value = self._reckoner.parameter(name.word)
            return f"parameter `{name.word}`" + (f" = {value}" if value is not None else "")
        if name.kind is NameKind.VARIABLE:
            return f"variable `{name.word}`: `{self._round(name)}`"
        if name.kind is NameKind.COLOUR:
            return self._colour(name.word)
        if name.kind is NameKind.REGION:
            return self._named_region(name)
        return self._location(name)

    def _named_region(self, name: Name) -> str:
        """Return the size of a region, or of all regions of a name with indices."""
        exact, base = self._reckoner.indexed(name), f"{name.word}["
        every = self.puzzle.regions if self.puzzle is not None else ()
        regions = [region for region in every if region.name == exact]
        regions = regions or [region for region in every if name.defines and region.name.startswith(base)]
        cells = counted(sum(len(region.cells) for region in regions), "cell")
        if len(regions) > 1:
            return f"{len(regions)} regions `{name.word}[...]`: {cells}"
        return f"region `{regions[0].name}`: {cells}" if regions else ""

    def _piece(self, name: Name) -> str:
        if self.puzzle is None:
            return ""
        exact = self._reckoner.indexed(name)
        numbers = [at for at, piece in enumerate(self.puzzle.pieces) if piece.name == exact]
        if not numbers and name.defines:
            numbers = [
                at for at, piece in enumerate(self.puzzle.pieces) if piece.span and piece.span.start == name.start
            ]
        if not numbers:
            numbers = [at for at, piece in enumerate(self.puzzle.pieces) if piece.name.startswith(f"{name.word}[")]
        fitting = self.fitting if isinstance(self.fitting, Fitting) else None
        return describe_pieces(self.puzzle, fitting, numbers)

    def _round(self, name: Name) -> str:
        """Return the part of a `for` that gives a variable its values."""
        tree = next(
            (tree for tree in self.syntax.path(int(str(name.key[2]))) if tree.data in ("round", "traced")), None
        )
        text = self.syntax.source.text[tree.meta.start_pos : tree.meta.end_pos] if tree is not None else name.word
        first, *more = text.split("\n")
        return first + (" ..." if more else "")

    def _colour(self, sign: str) -> str:
        if self.puzzle is None:
            return f"colour `{sign}`"
        places = sum(location.colour == sign for location in self.puzzle.locations)
        cells = sum(piece.colours.count(sign) + piece.sides.count(sign) for piece in self.puzzle.pieces)
        return f"colour `{sign}`: {counted(places, 'location')}, and {cells} cells or sides of pieces"

    def _location(self, name: Name) -> str:
        if self.puzzle is None:
            return ""
        exact, base = self._reckoner.indexed(name), f"{name.word}["
        alike = sum(isinstance(location.at, str) and location.at.startswith(base) for location in self.puzzle.locations)
        single = any(location.at == exact for location in self.puzzle.locations)
        return f"location `{exact}`" if single else f"{counted(alike, 'location')} `{name.word}[...]`" if alike else ""

    def _region(self, tree: Tree, path: list[Tree]) -> str:
        number = self._reckoner.size(tree)
        statement = next((tree for tree in reversed(path) if tree.data in ("locations", "optional")), None)
        whole = self._statement(statement) if statement is not None else ""
        if number is None:
            return whole
        here = counted(number, "location" if "names" in {part.data for part in tree.iter_subtrees()} else "cell")
        return f"{here} here\n\n{whole}" if whole else f"{here} here"

    def _statement(self, tree: Tree) -> str:
        """Return the number of locations that a statement makes, in all iterations of the loops around it."""
        if self.puzzle is None:
            return ""
        start, end = tree.meta.start_pos, tree.meta.end_pos
        spans = [location.span for location in self.puzzle.locations if location.span is not None]
        number = sum(start <= span.start < end for span in spans)
        kind = "optional location" if tree.data == "optional" else "location"
        return f"this statement makes {counted(number, kind)} of {len(self.puzzle.locations)}"


class Reckoner:
    """Computes values that depend only on parameters. With a variable of a `for`, there is no single value."""

    def __init__(self, syntax: Syntax, puzzle: Puzzle | None) -> None:
        self._syntax = syntax
        self._lattice = puzzle.lattice if puzzle is not None else _lattice_named(syntax)
        self._regions = puzzle.regions if puzzle is not None else ()
        self._values: dict[str, int] = {}
        for statement in syntax.statements():
            if statement.data == "param":
                token, value = statement.children
                with suppress(UnreadableValueError, PuzzleError):
                    self._values[variable(str(token))] = self._context().number(value)

    def _context(self) -> Context:
        """Return a context that knows the lattice and the parameters, with an empty report."""
        context = Context(self._syntax.source, Report(), {}, {"colours"})
        context.lattice = context.repetition.lattice = self._lattice
        context.parameters.values.update(self._values)
        context.board.complete = True
        take_regions(context, self._regions)
        return context

    def parameter(self, name: str) -> int | None:
        """Return the value of a parameter, None if unknown."""
        return self._values.get(variable(name))

    def size(self, tree: Tree) -> int | None:
        """Return the number of cells, or names, of a tree that is a region or a part of one; None if it varies."""
        context = self._context()
        try:
            number = len((region_of if tree.data == "region" else term_of)(context, tree).cells)
        except (UnreadableValueError, PuzzleError):
            return None
        return None if context.report.errors else number

    def indexed(self, name: Name) -> str:
        """Return a name with its indices as in the puzzle; without them if they vary."""
        path = self._syntax.path(name.start)
        node = next((tree for tree in reversed(path) if tree.children and _begins(tree, name)), None)
        if node is None:
            return name.word
        context = self._context()
        try:
            return context.headed(node.children)[0]
        except (UnreadableValueError, PuzzleError):
            return name.word


def _begins(tree: Tree, name: Name) -> bool:
    first = tree.children[0]
    return isinstance(first, lark.Token) and first.start_pos == name.start


def _lattice_named(syntax: Syntax) -> Lattice | None:
    """Return the lattice that a text names or decides, if it is built in; None for `none`, or if it is unknown."""
    named = next((name.word for name in syntax.names if name.kind is NameKind.LATTICE), None)
    if named is None:
        decision = decision_of(syntax.statements())
        named = decision.lattice if decision else DEFAULT_LATTICE
    return find_lattice(named) if named in lattice_names() else None
