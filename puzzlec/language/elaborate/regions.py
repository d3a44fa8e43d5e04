"""Regions: boxes, drawings and lists of cells, joined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import lark

from puzzlec.diagnostics import counted
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
    """Return the lattices whose cells are sides of others, by the lattice of those."""
    every = ((name, find_lattice(name).faces) for name in lattice_names())
    return {faces[0]: name for name, faces in every if faces}


class _Region(NamedTuple):
    """The cells of a region in order, and for cells that were drawn their character with its place."""

    cells: dict[Address, None]
    marks: dict[Address, Mark]


#: All regions of a text together, each counted whenever a loop makes it, have at most so many cells.
MOST_CELLS = 2_000_000


def cell_of(context: Context, tree: Tree) -> Cell | None:
    """Return a cell by its coordinates; report a number of coordinates that the lattice does not have."""
    cell = tuple(context.number(child) for child in tree.children)
    if context.lattice is None:
        context.report.add(
            "PZ320",
            "a location without a lattice is named, it has no coordinates",
            context.span(tree),
            help="name the location, or leave `lattice none` out",
        )
        return None
    if len(cell) != context.lattice.coordinates:
        context.report.add(
            "PZ312",
            f"this cell has {counted(len(cell), 'coordinate')}, "
            f"the lattice `{context.lattice.name}` has {context.lattice.coordinates}",
            context.span(tree),
            help=_lattice_help(context, len(cell)),
        )
        return None
    if is_too_large(context, cell, tree):
        return None
    kinds = len(context.lattice.kinds)
    if kinds > 1 and not 0 <= cell[-1] < kinds:
        context.report.add(
            "PZ312",
            f"the lattice `{context.lattice.name}` has no kind of cell with the number {cell[-1]}",
            context.span(tree),
            note=f"the last coordinate is the kind's: 0 to {kinds - 1}",
            help=cell_text(context.lattice) if kinds <= MOST_NAMED else (),
        )
        return None
    return cell


def vector_of(context: Context, tree: Tree) -> Cell | None:
    """Return how far something is moved: as a cell, but the number of a kind is left out, or 0."""
    if context.lattice is None or len(tree.children) != context.lattice.dimension:
        cell = cell_of(context, tree)
        if cell is not None and context.lattice is not None and any(cell[context.lattice.dimension :]):
            context.report.add(
                "PZ312",
                "what is moved keeps the kinds of its cells",
                context.span(tree),
                help=f"write `({','.join(map(str, cell[: context.lattice.dimension]))})`",
            )
            return None
        return cell
    vector = tuple(context.number(child) for child in tree.children)
    return None if is_too_large(context, vector, tree) else vector


def is_too_large(context: Context, coordinates: Cell, tree: Tree) -> bool:
    """Report coordinates that no board reaches; say whether there are such."""
    far = any(abs(value) > 2**30 for value in coordinates)
    if far:
        context.report.add("PZ321", "this coordinate is too large", context.span(tree))
    return far


def _lattice_help(context: Context, dimension: int, box: bool = False) -> str:
    """Return the help that names the lattice somebody may have forgotten to choose, or says what a cell is here."""
    assert context.lattice is not None
    other = None if "lattice" in context.seen else lattice_of_boxes(dimension)
    if other is not None and is_of_boxes(context.lattice):
        return f"write `lattice {other}`"
    if box:
        return f"write {counted(context.lattice.dimension, 'size')}: `box {'x'.join('3' * context.lattice.dimension)}`"
    return cell_text(context.lattice)


def region_of(context: Context, tree: Tree) -> _Region:
    """Return the region that a tree means; what cannot be read counts as empty, and is reported."""
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
    """Return what one term of a region means."""
    region = _shape_of(context, tree)
    context.regions.made += len(region.cells)
    if context.regions.made > MOST_CELLS:
        context.report.add(
            "PZ321",
            "the regions of this text have more than two million cells together",
            context.span(tree),
            "stopped at this one",
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
    if kind == "sides":
        assert isinstance(first, lark.Tree)
        return _Region(dict.fromkeys(_sides(context, first)), {})
    if kind == "drawing":
        drawn = marks_of(context, first)
        base = context.span(first).start + 1
        placed: dict[Address, Mark] = {mark.cell: mark._replace(offset=mark.offset + base) for mark in drawn}
        return _Region(dict.fromkeys(placed), placed)
    if kind == "cells":
        return _Region(dict.fromkeys(_listed(context, tree)), {})
    return _Region(dict.fromkeys(_grid(context, first) if kind == "grid" else _box(context, first)), {})


def _moved(context: Context, tree: Tree) -> _Region:
    """Return a term that is moved."""
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
    """Give the addresses of a list of cells or names."""
    for child in tree.children:
        assert isinstance(child, lark.Tree)
        yield from addresses_of(context, child)


def addresses_of(context: Context, thing: Tree) -> Iterator[Address]:
    """Give the addresses that a thing of a list means: a cell or a name, once for each round of its clause."""
    for parts in context.each(thing):
        if isinstance(parts[0], lark.Tree):
            cell = cell_of(context, parts[0])
            if cell is not None:
                yield cell
        elif context.lattice is not None:
            context.report.add(
                "PZ320",
                f"the lattice `{context.lattice.name}` has cells with coordinates, no names",
                context.span(thing),
                help="write a cell such as `(0,0)`, or `lattice none`",
            )
        else:
            yield context.headed(parts)[0]


def _grid(context: Context, token: Node) -> dict[Cell, None]:
    """Return all edges of a board of squares."""
    if context.lattice is None or context.lattice.drawing != "sticks":
        context.report.add(
            "PZ320",
            f"a grid is made of sticks, this puzzle has {context.here}",
            context.span(token),
            help=f"write `lattice sticks`, or `box {token}`",
        )
        return {}
    sizes = context.numbers_in(token)
    if len(sizes) != 2 or min(sizes) < 0:
        context.report.add(
            "PZ312", "a grid has two sizes, columns and rows", context.span(token), help="write `grid 5x5`"
        )
        return {}
    try:
        return grid(*sizes)
    except RegionTooLargeError:
        context.report.add("PZ321", "this grid has more than a million edges", context.span(token))
        return {}


def _sides(context: Context, tree: Tree) -> dict[Cell, None]:
    """Return the edges that are sides of the cells of a region, which is one of the lattice of the faces."""
    edges = context.lattice
    faces = faces_of(edges) if edges else None
    if edges is None or faces is None:
        known = _lattices_of_sides()
        here = f"the cells of the lattice `{edges.name}` are" if edges else "named locations are"
        context.report.add(
            "PZ320",
            f"{here} no sides of others",
            context.span(tree),
            note=f"lattices of sides are {', '.join(f'`{name}`' for name in known.values())}",
            help=f"write `lattice {known[edges.name]}`" if edges and edges.name in known else (),
        )
        return {}
    context.lattice = faces
    try:
        region = term_of(context, tree)
    finally:
        context.lattice = edges
    for mark in region.marks.values():
        if mark.sign != PLAIN:
            span = context.source.span(mark.offset)
            context.report.add("PZ315", "cells whose sides are meant are drawn with `x` and `.` only", span)
    from puzzlec.geometry.sides import sides_of  # exact arithmetic, which most puzzles do without

    try:
        return sides_of(region.cells, edges)  # type: ignore[arg-type]
    except RegionTooLargeError:
        context.report.add("PZ321", "these cells have more than a million sides", context.span(tree))
        return {}


def _box(context: Context, token: Node) -> dict[Cell, None]:
    """Return the cells of a box."""
    if context.lattice is None:
        context.report.add(
            "PZ320",
            "a box needs a lattice",
            context.span(token),
            help="name the locations, or leave `lattice none` out",
        )
        return {}
    sizes = context.numbers_in(token)
    if min(sizes) < 0:
        context.report.add("PZ319", f"a size of {min(sizes)} makes no sense", context.span(token))
        return {}
    if len(sizes) != context.lattice.dimension:
        context.report.add(
            "PZ312",
            f"this box has {counted(len(sizes), 'size')}, "
            f"the lattice `{context.lattice.name}` has {counted(context.lattice.dimension, 'dimension')}",
            context.span(token),
            help=_lattice_help(context, len(sizes), box=True),
        )
        return {}
    try:
        cells = box(sizes)
        return kinds_of(cells, len(context.lattice.kinds)) if len(context.lattice.kinds) > 1 else cells
    except RegionTooLargeError:
        context.report.add("PZ321", "this box has more than a million cells", context.span(token))
        return {}
