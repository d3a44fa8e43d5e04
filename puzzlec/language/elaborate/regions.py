"""Regions: boxes, drawings and lists of cells, and combinations of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import lark

from puzzlec.diagnostics import Span, counted
from puzzlec.geometry import Cell, find_lattice, lattice_names
from puzzlec.geometry.drawing import Mark
from puzzlec.geometry.lattice import faces_of
from puzzlec.geometry.lattice_words import MOST_NAMED, cell_text, is_of_boxes, lattice_of_boxes
from puzzlec.geometry.regions import RegionTooLargeError, box, grid, joined, kinds_of, shifted
from puzzlec.ir.puzzle import Address
from puzzlec.language.elaborate.context import PLAIN, Context
from puzzlec.language.elaborate.drawings import marks_of
from puzzlec.language.expressions import Node, Tree


def _lattices_of_sides() -> dict[str, str]:
    """Return the lattices whose cells are sides of other cells, by the lattice of those cells."""
    every = ((name, find_lattice(name).faces) for name in lattice_names())
    return {faces[0]: name for name, faces in every if faces}


class _Region(NamedTuple):
    """The cells of a region in order. A cell from a drawing has its character and its position."""

    cells: dict[Address, None]
    marks: dict[Address, Mark]

    def span_of(self, at: Address, context: Context, whole: Node) -> Span:
        """Return the span of a cell: of its character, or of the ``whole`` region."""
        mark = self.marks.get(at)
        return context.source.span(mark.offset) if mark else context.span(whole)


#: Maximum number of cells of all regions of a text together. A region counts in every iteration of a loop.
MOST_CELLS = 2_000_000


def cell_of(context: Context, tree: Tree) -> Cell | None:
    """Return a cell by its coordinates; report a wrong number of coordinates."""
    cell = tuple(context.number(child) for child in tree.children)
    if context.lattice is None:
        context.report.add(
            "PZ320",
            "unexpected coordinates: locations without a lattice have names",
            context.span(tree),
            help="name the location, or remove `lattice none`",
        )
        return None
    if len(cell) != context.lattice.coordinates:
        context.report.add(
            "PZ312",
            f"cell has {counted(len(cell), 'coordinate')}, but "
            f"lattice `{context.lattice.name}` has {context.lattice.coordinates}",
            context.span(tree),
            help=_lattice_help(context, cell),
        )
        return None
    if is_too_large(context, cell, tree):
        return None
    kinds = len(context.lattice.kinds)
    if kinds > 1 and not 0 <= cell[-1] < kinds:
        context.report.add(
            "PZ312",
            f"unknown kind of cell {cell[-1]} on lattice `{context.lattice.name}`",
            context.span(tree),
            note=f"the last coordinate is the kind: 0 to {kinds - 1}",
            help=cell_text(context.lattice) if kinds <= MOST_NAMED else (),
        )
        return None
    return cell


def vector_of(context: Context, tree: Tree) -> Cell | None:
    """Return the vector of a move, written as a cell. The number of the kind is 0 or omitted."""
    if context.lattice is None or len(tree.children) != context.lattice.dimension:
        cell = cell_of(context, tree)
        if cell is not None and context.lattice is not None and any(cell[context.lattice.dimension :]):
            context.report.add(
                "PZ312",
                "a move cannot change the kinds of cells",
                context.span(tree),
                help=f"write `({','.join(map(str, cell[: context.lattice.dimension]))})`",
            )
            return None
        return cell
    vector = tuple(context.number(child) for child in tree.children)
    return None if is_too_large(context, vector, tree) else vector


def is_too_large(context: Context, coordinates: Cell, tree: Tree) -> bool:
    """Return whether coordinates are beyond any board; report them."""
    far = any(abs(value) > 2**30 for value in coordinates)
    if far:
        context.report.add("PZ321", "coordinate is too large", context.span(tree))
    return far


def _lattice_help(context: Context, numbers: Sequence[int], box: bool = False) -> str:
    """Return the suggestion of a lattice that suits the coordinates or sizes, or their form on this lattice."""
    assert context.lattice is not None
    other = None if "lattice" in context.seen else lattice_of_boxes(len(numbers))
    if other is not None and is_of_boxes(context.lattice):
        return f"add `lattice {other}`"
    if box:
        dimension = context.lattice.dimension
        sizes = [*numbers, *(1,) * dimension][:dimension]
        return f"write {counted(dimension, 'size')}: `{'x'.join(map(str, sizes))}`"
    return cell_text(context.lattice)


def plain(context: Context, region: _Region, what: str = "a region") -> _Region:
    """Return a region; report its characters other than `x`."""
    for at in region.cells:
        if at in region.marks and region.marks[at].sign != PLAIN:
            span = context.source.span(region.marks[at].offset)
            context.report.add("PZ315", f"unexpected character in {what}: expected `x` or `.`", span)
    return region


def region_of(context: Context, tree: Tree) -> _Region:
    """Return the region that a tree means; report unreadable parts, which count as empty."""
    whole: _Region | None = None
    sign = "+"
    for child in tree.children:
        if isinstance(child, lark.Token):
            sign = str(child)
            continue
        part = term_of(context, child)
        if whole is None:
            whole = part
        else:
            cells = joined(whole.cells, sign, part.cells)  # type: ignore[arg-type]
            whole = _Region(cells, part.marks | whole.marks)  # type: ignore[arg-type]
    assert whole is not None
    return whole


def term_of(context: Context, tree: Tree) -> _Region:
    """Return the region of one term."""
    region = _shape_of(context, tree)
    context.regions.made += len(region.cells)
    if context.regions.made > MOST_CELLS:
        context.report.add(
            "PZ321",
            "regions of the text are too large (limit 2,000,000 cells)",
            context.span(tree),
            "stopped here",
        )
        context.report.stop_on_errors()
    return region


def _shape_of(context: Context, tree: Tree) -> _Region:
    kind, first = tree.data, tree.children[0]
    if kind == "shifted":
        return _moved(context, tree)
    if kind == "group":
        assert isinstance(first, lark.Tree)
        return region_of(context, first)
    if kind == "edges":
        assert isinstance(first, lark.Tree)
        return _Region(dict.fromkeys(_edges(context, first)), {})
    if kind == "drawing":
        drawn = marks_of(context, first)
        base = context.span(first).start + 1
        placed: dict[Address, Mark] = {mark.cell: mark._replace(offset=mark.offset + base) for mark in drawn}
        return _Region(dict.fromkeys(placed), placed)
    if kind == "cells":
        return _Region(dict.fromkeys(_listed(context, tree)), {})
    return _Region(dict.fromkeys(_grid(context, first) if kind == "grid" else _box(context, first)), {})


def _moved(context: Context, tree: Tree) -> _Region:
    """Return a term with its move."""
    shape, place = tree.children
    assert isinstance(shape, lark.Tree)
    assert isinstance(place, lark.Tree)
    part, vector = term_of(context, shape), vector_of(context, place)
    if vector is None:
        return part
    cells = shifted(part.cells, vector)  # type: ignore[arg-type]
    pairs = zip(part.cells, cells, strict=True)
    return _Region(dict.fromkeys(cells), {new: part.marks[old] for old, new in pairs if old in part.marks})


def _listed(context: Context, tree: Tree) -> Iterator[Address]:
    """Yield the addresses of a list of cells or names."""
    for child in tree.children:
        assert isinstance(child, lark.Tree)
        yield from addresses_of(context, child)


def addresses_of(context: Context, address: Tree) -> Iterator[Address]:
    """Yield the addresses of a list entry: a cell or a name, once for each iteration of its clause."""
    for parts in context.each(address):
        if isinstance(parts[0], lark.Tree):
            cell = cell_of(context, parts[0])
            if cell is not None:
                yield cell
        elif context.lattice is not None:
            context.report.add(
                "PZ320",
                f"cells of lattice `{context.lattice.name}` have coordinates, not names",
                context.span(address),
                help="write a cell such as `(0,0)`, or add `lattice none`",
            )
        else:
            yield context.headed(parts)[0]


def _grid(context: Context, token: Node) -> dict[Cell, None]:
    """Return all edges of a board of squares."""
    if context.lattice is None or context.lattice.drawing != "sticks":
        context.report.add(
            "PZ320",
            f"`grid` needs a lattice of sticks, but the puzzle has {context.here}",
            context.span(token),
            help=(context.other_lattice("sticks"), f"or write `locations box {token}`"),
        )
        return {}
    sizes = context.numbers_in(token)
    if len(sizes) != 2 or min(sizes) < 0:
        context.report.add(
            "PZ312", "`grid` takes two sizes, columns and rows", context.span(token), help="write `grid 5x5`"
        )
        return {}
    try:
        return grid(*sizes)
    except RegionTooLargeError:
        context.report.add("PZ321", "grid is too large (limit 1,000,000 edges)", context.span(token))
        return {}


def _edges(context: Context, tree: Tree) -> dict[Cell, None]:
    """Return the edges that are sides of the cells of a region on the lattice of the faces."""
    edges = context.lattice
    faces = faces_of(edges) if edges else None
    if edges is None or faces is None:
        known = _lattices_of_sides()
        here = f"cells of lattice `{edges.name}` are" if edges else "named locations are"
        context.report.add(
            "PZ320",
            f"{here} not sides of other cells",
            context.span(tree),
            note=f"lattices of sides are {', '.join(f'`{name}`' for name in known.values())}",
            help=context.other_lattice(known[edges.name]) if edges and edges.name in known else (),
        )
        return {}
    context.lattice = faces
    try:
        region = plain(context, term_of(context, tree), "a drawing of cells with sides")
    finally:
        context.lattice = edges
    from puzzlec.geometry.sides import sides_of  # exact arithmetic, which most puzzles do not need

    try:
        return sides_of(region.cells, edges)  # type: ignore[arg-type]
    except RegionTooLargeError:
        context.report.add("PZ321", "cells have too many sides (limit 1,000,000)", context.span(tree))
        return {}


def sizes_of_box(context: Context, token: Node) -> list[int] | None:
    """Return the sizes of a box; report a wrong number of them, and negative ones."""
    if context.lattice is None:
        context.report.add(
            "PZ320",
            "missing lattice for a box",
            context.span(token),
            help="name the locations, or remove `lattice none`",
        )
        return None
    sizes = context.numbers_in(token)
    if min(sizes) < 0:
        context.report.add("PZ319", f"size must be at least 1, found {min(sizes)}", context.span(token))
        return None
    if len(sizes) != context.lattice.dimension:
        context.report.add(
            "PZ312",
            f"box has {counted(len(sizes), 'size')}, but "
            f"lattice `{context.lattice.name}` has {counted(context.lattice.dimension, 'dimension')}",
            context.span(token),
            help=_lattice_help(context, sizes, box=True),
        )
        return None
    return sizes


def _box(context: Context, token: Node) -> dict[Cell, None]:
    """Return the cells of a box."""
    sizes = sizes_of_box(context, token)
    if sizes is None or context.lattice is None:
        return {}
    try:
        cells = box(sizes)
        return kinds_of(cells, len(context.lattice.kinds)) if len(context.lattice.kinds) > 1 else cells
    except RegionTooLargeError:
        context.report.add("PZ321", "box is too large (limit 1,000,000 cells)", context.span(token))
        return {}
