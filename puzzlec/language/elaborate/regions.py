"""Regions: boxes, drawings and lists of cells, joined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import lark

from puzzlec.diagnostics import counted
from puzzlec.geometry import Cell, find_lattice, lattice_names
from puzzlec.geometry.drawing import DrawingError, Mark, marks, rule_of
from puzzlec.geometry.lattice import faces_of
from puzzlec.geometry.lattice_words import MOST_NAMED, cell_text, is_of_boxes, lattice_of_boxes
from puzzlec.geometry.regions import LARGEST_REGION, RegionTooLargeError, box, grid, joined, kinds_of, shifted
from puzzlec.ir.puzzle import Address
from puzzlec.language.elaborate.context import PLAIN
from puzzlec.language.elaborate.drawing_checks import Together
from puzzlec.language.expressions import Node, Tree, UnreadableError


def _lattices_of_sides() -> dict[str, str]:
    """Return the lattices whose cells are sides of others, by the lattice of those."""
    every = ((name, find_lattice(name).faces) for name in lattice_names())
    return {faces[0]: name for name, faces in every if faces}


class _Region(NamedTuple):
    """The cells of a region in order, and for cells that were drawn their character with its place."""

    cells: dict[Address, None]
    marks: dict[Address, Mark]


#: All regions of a text together, each counted whenever a loop makes it, have at most so many cells.
MOST_CELLS = 2_000_000


class Regions(Together):
    """What regions mean."""

    made = 0  # cells of all regions so far

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
        if self.too_large(cell, tree):
            return None
        kinds = len(self.lattice.kinds)
        if kinds > 1 and not 0 <= cell[-1] < kinds:
            self.report.add(
                "PZ312",
                f"the lattice `{self.lattice.name}` has no kind of cell with the number {cell[-1]}",
                self.span(tree),
                note=f"the last coordinate is the kind's: 0 to {kinds - 1}",
                help=cell_text(self.lattice) if kinds <= MOST_NAMED else (),
            )
            return None
        return cell

    def vector(self, tree: Tree) -> Cell | None:
        """Return how far something is moved: as a cell, but the number of a kind is left out, or 0."""
        if self.lattice is None or len(tree.children) != self.lattice.dimension:
            cell = self.cell(tree)
            if cell is not None and self.lattice is not None and any(cell[self.lattice.dimension :]):
                self.report.add(
                    "PZ312",
                    "what is moved keeps the kinds of its cells",
                    self.span(tree),
                    help=f"write `({','.join(map(str, cell[: self.lattice.dimension]))})`",
                )
                return None
            return cell
        vector = tuple(self.number(child) for child in tree.children)
        return None if self.too_large(vector, tree) else vector

    def too_large(self, coordinates: Cell, tree: Tree) -> bool:
        """Report coordinates that no board reaches; say whether there are such."""
        far = any(abs(value) > 2**30 for value in coordinates)
        if far:
            self.report.add("PZ321", "this coordinate is too large", self.span(tree))
        return far

    def lattice_for(self, dimension: int, box: bool = False) -> str:
        """Return the help that names the lattice somebody may have forgotten to choose, or says what a cell is here."""
        assert self.lattice is not None
        other = None if "lattice" in self.seen else lattice_of_boxes(dimension)
        if other is not None and is_of_boxes(self.lattice):
            return f"write `lattice {other}`"
        if box:
            return f"write {counted(self.lattice.dimension, 'size')}: `box {'x'.join('3' * self.lattice.dimension)}`"
        return cell_text(self.lattice)

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
            if (rule := rule_of(self.lattice)) and not rule.spaced:
                self.expressions.warn_of_blanks(text, base, places)
            return [each._replace(offset=places[each.offset]) for each in found] if places else found
        except DrawingError as error:
            start, end = (places[error.start], places[error.end]) if places else (error.start, error.end)
            self.expressions.refuse_drawing(error, token, base + start, base + end)
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
                whole = _Region(cells, part.marks | whole.marks)  # type: ignore[arg-type]
        assert whole is not None
        return whole

    def term(self, tree: Tree) -> _Region:
        """Return what one term of a region means."""
        found = self._term(tree)
        self.made += len(found.cells)
        if self.made > MOST_CELLS:
            self.report.add(
                "PZ321",
                "the regions of this text have more than two million cells together",
                self.span(tree),
                "stopped at this one",
            )
            self.report.stop_on_errors()
        return found

    def _term(self, tree: Tree) -> _Region:
        kind, first = tree.data, tree.children[0]
        if kind == "shifted":
            return self.moved(tree)
        if kind == "group":
            assert isinstance(first, lark.Tree)
            return self.region(first)
        if kind == "sides":
            assert isinstance(first, lark.Tree)
            return _Region(dict.fromkeys(self.sided(first)), {})
        if kind == "drawing":
            found = self.drawn(first)
            base = self.span(first).start + 1
            placed: dict[Address, Mark] = {mark.cell: mark._replace(offset=mark.offset + base) for mark in found}
            return _Region(dict.fromkeys(placed), placed)
        if kind == "cells":
            return _Region(dict.fromkeys(self.listed(tree)), {})
        return _Region(dict.fromkeys(self.gridded(first) if kind == "grid" else self.boxed(first)), {})

    def moved(self, tree: Tree) -> _Region:
        """Return a term that is moved."""
        shape, place = tree.children
        assert isinstance(shape, lark.Tree)
        assert isinstance(place, lark.Tree)
        part, vector = self.term(shape), self.vector(place)
        if vector is None:
            return part
        cells = shifted(part.cells, vector)  # type: ignore[arg-type]
        pairs = zip(part.cells, cells, strict=True)
        return _Region(dict.fromkeys(cells), {new: part.marks[old] for old, new in pairs if old in part.marks})

    def listed(self, tree: Tree) -> Iterator[Address]:
        """Give the addresses of a list of cells or names."""
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

    def gridded(self, token: Node) -> dict[Cell, None]:
        """Return all edges of a board of squares."""
        if self.lattice is None or self.lattice.drawing != "sticks":
            self.report.add(
                "PZ320",
                f"a grid is made of sticks, this puzzle has {self.here}",
                self.span(token),
                help=f"write `lattice sticks`, or `box {token}`",
            )
            return {}
        sizes = self.numbers_in(token)
        if len(sizes) != 2 or min(sizes) < 0:
            self.report.add(
                "PZ312", "a grid has two sizes, columns and rows", self.span(token), help="write `grid 5x5`"
            )
            return {}
        try:
            return grid(*sizes)
        except RegionTooLargeError:
            self.report.add("PZ321", "this grid has more than a million edges", self.span(token))
            return {}

    def sided(self, tree: Tree) -> dict[Cell, None]:
        """Return the edges that are sides of the cells of a region, which is one of the lattice of the faces."""
        edges = self.lattice
        faces = faces_of(edges) if edges else None
        if edges is None or faces is None:
            known = _lattices_of_sides()
            here = f"the cells of the lattice `{edges.name}` are" if edges else "named locations are"
            self.report.add(
                "PZ320",
                f"{here} no sides of others",
                self.span(tree),
                note=f"lattices of sides are {', '.join(f'`{name}`' for name in known.values())}",
                help=f"write `lattice {known[edges.name]}`" if edges and edges.name in known else (),
            )
            return {}
        self.lattice = faces
        try:
            region = self.term(tree)
        finally:
            self.lattice = edges
        for mark in region.marks.values():
            if mark.sign != PLAIN:
                span = self.source.span(mark.offset)
                self.report.add("PZ315", "cells whose sides are meant are drawn with `x` and `.` only", span)
        from puzzlec.geometry.sides import sides_of  # exact arithmetic, which most puzzles do without

        try:
            return sides_of(region.cells, edges)  # type: ignore[arg-type]
        except RegionTooLargeError:
            self.report.add("PZ321", "these cells have more than a million sides", self.span(tree))
            return {}

    def boxed(self, token: Node) -> dict[Cell, None]:
        """Return the cells of a box."""
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
                help=self.lattice_for(len(sizes), box=True),
            )
            return {}
        try:
            found = box(sizes)
            return kinds_of(found, len(self.lattice.kinds)) if len(self.lattice.kinds) > 1 else found
        except RegionTooLargeError:
            self.report.add("PZ321", "this box has more than a million cells", self.span(token))
            return {}
