"""Regions: boxes, drawings and lists of cells, and combinations of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

import lark

from puzzlec.diagnostics import Span, counted, suggestion
from puzzlec.geometry import Cell, find_lattice, lattice_names
from puzzlec.geometry.board import Geometry
from puzzlec.geometry.board_shapes import BOARD_SHAPES, NoShapeError, board_shape
from puzzlec.geometry.drawing import DrawingMark
from puzzlec.geometry.lattice import faces_of
from puzzlec.geometry.lattice_words import MAX_KINDS_NAMED, cell_text, is_of_boxes, lattice_of_boxes
from puzzlec.geometry.places import PLACES, NoPlaceError, numbers_at
from puzzlec.geometry.regions import MAX_REGION_CELLS, RegionTooLargeError, box, grid, joined, kinds_of, shifted
from puzzlec.ir import NamedRegion
from puzzlec.ir.location import Address
from puzzlec.language.elaborate.context import MAX_NAMES_LISTED, PLAIN, Context, Definition, bounds_of, others_text
from puzzlec.language.elaborate.drawings import marks_of
from puzzlec.language.expressions import Node, Tree, UnreadableValueError
from puzzlec.language.spelling import REGION_WORDS, quoted, region_text


def lattices_of_sides() -> dict[str, str]:
    """Return the lattices whose cells are sides of other cells, by the lattice of those cells."""
    every = ((name, find_lattice(name).faces) for name in lattice_names())
    return {faces[0]: name for name, faces in every if faces}


class _Region(NamedTuple):
    """The cells of a region in order. A cell from a drawing has its character and its position.

    A name has its position; ``twice`` are names that their list repeats.
    """

    cells: dict[Address, None]
    marks: dict[Address, DrawingMark]
    names: Mapping[Address, Span] = MappingProxyType({})
    twice: tuple[tuple[str, Span], ...] = ()

    def span_of(self, at: Address, context: Context, whole: Node) -> Span:
        """Return the span of a cell: of its character or its name, or of the ``whole`` region."""
        mark = self.marks.get(at)
        return context.source.span(mark.offset) if mark else self.names.get(at) or context.span(whole)


#: Maximum number of cells of all regions of a text together. A region counts in every iteration of a loop.
MOST_CELLS = 2_000_000

#: Maximum number of names and brackets of regions inside each other: each costs some levels of recursion.
MAX_REGION_DEPTH = 100


def cell_of(context: Context, tree: Tree) -> Cell | None:
    """Return a cell by its coordinates; report a wrong number of coordinates."""
    cell = tuple([context.number(child) for child in tree.children])
    if context.lattice is None:
        context.report.add(
            "PZ320",
            "unexpected coordinates: locations without a lattice have names",
            context.span(tree),
            help=("remove `lattice none`", "or name the location"),
        )
        return None
    if len(cell) != context.lattice.coordinates:
        context.report.add(
            "PZ312",
            f"cell has {counted(len(cell), 'coordinate')}, but "
            f"lattice `{context.lattice.name}` has {context.lattice.coordinates}",
            context.span(tree),
            others=context.deciding,
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
            help=cell_text(context.lattice) if kinds <= MAX_KINDS_NAMED else (),
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
    far = bool(coordinates) and (max(coordinates) > 2**30 or min(coordinates) < -(2**30))
    if far:
        context.report.add("PZ321", "coordinate is too large", context.span(tree))
    return far


def _lattice_help(context: Context, numbers: Sequence[int], box: bool = False) -> str:
    """Return the suggestion of a lattice that suits the coordinates or sizes, or their form on this lattice."""
    other = None if "lattice" in context.seen or context.board.decided else lattice_of_boxes(len(numbers))
    if other is not None and is_of_boxes(context.needed_lattice):
        return f"add `lattice {other}`"
    if box:
        dimension = context.needed_lattice.dimension
        sizes = [*numbers, *(1,) * dimension][:dimension]
        return f"write {counted(dimension, 'size')}: `{'x'.join(map(str, sizes))}`"
    return cell_text(context.needed_lattice)


def plain(context: Context, region: _Region, what: str = "a region") -> _Region:
    """Return a region; report its characters other than `x`."""
    for at in region.cells:
        if at in region.marks and region.marks[at].sign != PLAIN:
            span = context.source.span(region.marks[at].offset)
            context.report.add("PZ315", f"unexpected character in {what}: expected `x` or `.`", span)
    return region


def region_of(context: Context, tree: Tree) -> _Region:
    """Return the region that a tree means; report unreadable parts, which count as empty."""
    if context.regions.depth == MAX_REGION_DEPTH:
        context.report.add(
            "PZ106",
            "regions are nested too deeply",
            context.span(tree),
            note=f"the limit is {MAX_REGION_DEPTH} names and brackets inside each other",
        )
        context.report.stop_on_errors()
    context.regions.depth += 1
    try:
        return _joined(context, tree)
    finally:
        context.regions.depth -= 1


def _joined(context: Context, tree: Tree) -> _Region:
    """Return the region of terms with operators between them."""
    first, *others = tree.children
    whole, sign = term_of(context, first), "+"  # type: ignore[arg-type]  # a tree, as the grammar says
    for child in others:
        if isinstance(child, lark.Token):
            sign = str(child)
            continue
        part = term_of(context, child)
        cells = joined(whole.cells, sign, part.cells)  # type: ignore[arg-type]
        names = {**part.names, **whole.names}
        whole = _Region(cells, part.marks | whole.marks, names, whole.twice + part.twice)  # type: ignore[arg-type]
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
    if kind == "reference":
        name, span, _ = context.headed(tree.children)
        return region_named(context, name, span)
    if kind == "group":
        assert isinstance(first, lark.Tree)
        return region_of(context, first)
    if kind == "edges":
        assert isinstance(first, lark.Tree)
        return _Region(dict.fromkeys(_edges(context, first)), {})
    if kind == "drawing":
        drawn = marks_of(context, first)
        base = context.span(first).start + 1
        placed: dict[Address, DrawingMark] = {mark.cell: mark._replace(offset=mark.offset + base) for mark in drawn}
        return _Region(dict.fromkeys(placed), placed)
    if kind == "cells":
        return _Region(dict.fromkeys(_listed(context, tree)), {})
    if kind == "names":
        return _listed_names(context, tree)
    return _Region(dict.fromkeys(_MAKERS[kind](context, tree)), {})


def is_name(tree: Node) -> bool:
    """Return whether the tree of a region is a name alone."""
    if not isinstance(tree, lark.Tree) or tree.data != "region" or len(tree.children) != 1:
        return False
    (term,) = tree.children
    return isinstance(term, lark.Tree) and term.data == "reference"


def name_of(context: Context, tree: Tree) -> str:
    """Return the name of a region that is a name alone, with its indices."""
    (term,) = tree.children
    assert isinstance(term, lark.Tree)
    return context.headed(term.children)[0]


def region_named(context: Context, name: str, span: Span) -> _Region:
    """Return the region with a name; report an unknown one, and one whose cells are not known yet."""
    regions = context.regions
    if regions.of_faces:
        context.report.add(
            "PZ320",
            f"region `{name}` has edges, but `edges of` takes cells of lattice `{context.needed_lattice.name}`",
            span,
            help="write these cells after `edges of`",
        )
        raise UnreadableValueError
    definition = regions.defined.get(name)
    if definition is not None:
        _define(context, name, definition, span)
        return _Region(definition.cells, definition.marks)
    if name in regions.places:
        if not context.board.complete and not context.broken:
            context.report.add(
                "PZ372",
                f"region `{name}` is drawn in `locations`, so `locations` cannot use it",
                span,
                others=[(regions.places[name], "declared here")],
                help=f"write `region {name} = ...` to name a region before the locations",
            )
            raise UnreadableValueError
        if not regions.cells[name] and not context.broken:
            context.report.add(
                "PZ363",
                f"region `{name}` has no location",
                span,
                others=[(regions.places[name], "declared here")],
                help=f"write `{name}` in the drawing of `locations`",
            )
        return _Region(dict.fromkeys(regions.cells[name]), {})
    if name in PLACES and name not in context.board.locations:
        return _Region(place_of(context, name, span), {})
    _unknown(context, name, span)
    raise UnreadableValueError


def place_of(context: Context, name: str, span: Span) -> dict[Address, None]:
    """Return a region that every board has, such as its border; report a board without it."""
    board = context.board
    if context.lattice is None or not (board.complete or context.broken):
        context.report.add(
            "PZ320" if context.lattice is None else "PZ372",
            f"named locations have no {name}"
            if context.lattice is None
            else f"the {name} depends on all locations, so `locations` cannot use it",
            span,
            help="name the locations, such as `names a b`" if context.lattice is None else (),
        )
        raise UnreadableValueError
    if context.broken or not board.locations:
        raise UnreadableValueError
    if name not in board.places:
        cells = [at for at in board.locations if not isinstance(at, str)]
        try:
            numbers = numbers_at(name, Geometry(context.lattice, cells, board.wrapping.wraps if board.wrapping else ()))
        except NoPlaceError as error:
            context.report.add("PZ320", str(error), span, help="write the cells, such as `cells (0,0)`")
            raise UnreadableValueError from None
        board.places[name] = dict.fromkeys(cells[number] for number in numbers)
        context.regions.made += len(cells)
    return board.places[name]


#: Other words for the places that every board has.
_PLACE_WORDS = {
    **dict.fromkeys(("edge", "edges", "rim", "side", "sides", "perimeter", "boundary"), "border"),
    **dict.fromkeys(("middle", "mid"), "centre"),
}


def _example(context: Context) -> str:
    """Return a small region of this board, for a suggestion."""
    if context.lattice is not None:
        return f"box {'x'.join('1' * context.lattice.dimension)}"
    return f"names {quoted(str(next(iter(context.board.locations), 'a')))}"


def _unknown(context: Context, name: str, span: Span) -> None:
    """Report an unknown region."""
    if context.unread & {"region", "regions"}:
        return
    names = [*context.regions.names, *(PLACES if context.lattice is not None else ())]
    regions = context.regions.names
    listed = ", ".join(f"`{name}`" for name in regions[:MAX_NAMES_LISTED])
    help = suggestion(name, names)
    if name in context.board.locations or (context.lattice is None and not context.board.complete):
        help = (f"write `names {quoted(name)}` for the location",)
    elif not help and name in context.pieces.defined:
        help = ("write a region, not a piece, such as `box 2x2 at (0,0)`",)
    elif name in _PLACE_WORDS and context.lattice is not None:
        help = (f"write `{_PLACE_WORDS[name]}`",)
    elif not help and re.fullmatch(r"\d+(x\d+)+", name):
        help = (f"write `box {name}`",)
    elif not help and not context.board.complete:
        help = ("draw the region, or write one such as `box 2x2` or `cells (0,0)`",)
    context.report.add(
        "PZ362",
        f"unknown region `{name}`",
        span,
        note=f"regions are {listed}{others_text(regions[MAX_NAMES_LISTED:])}"
        if regions
        else "the puzzle has no `region` statement",
        help=help or f"add `region {region_text(name)} = {_example(context)}`",
    )


def _define(context: Context, name: str, definition: Definition, span: Span | None = None) -> None:
    """Find the cells of a defined region unless they are known; ``span`` is a name of it in another statement."""
    if definition.state == "known":
        return
    if definition.state == "open":
        context.report.add(
            "PZ372",
            f"region `{name}` contains itself",
            span,
            "used here",
            others=[(definition.span, "defined here")],
        )
    if definition.state != "new":
        raise UnreadableValueError
    definition.state = "open"
    scope, before = context.scope, context.report.errors
    try:
        context.enter(definition.scope)
        region = region_of(context, definition.tree)
    except UnreadableValueError:
        definition.state = "broken"
        raise
    finally:
        context.enter(scope)
    definition.cells, definition.marks = region.cells, region.marks
    definition.state = "known"
    if not region.cells and context.report.errors == before:
        context.report.add("PZ363", f"region `{name}` has no cells", context.span(definition.tree))


def define(context: Context, statement: Tree) -> None:
    """Add the definition of a region, whose cells are computed when a statement needs them."""
    name, span, (tree,) = context.headed(statement.children)
    assert isinstance(tree, lark.Tree)
    if name in PLACES:
        context.report.add(
            "PZ371", f"`{name}` is already a region of every board", span, help="choose another name for the region"
        )
        return
    if str(statement.children[0]) in REGION_WORDS:  # a name in double quotes is not that word
        context.report.add("PZ371", f"`{name}` is a word for regions", span, help="choose another name for the region")
    other = context.regions.span_of(name)
    if other is not None:
        in_loop = bool(context.report.round)
        context.report.add(
            "PZ371",
            f"duplicate region `{name}`",
            span,
            "second definition",
            others=[(other, "first defined here")] if other != span else (),
            help="write an index for each variable of the `for`, such as `row[i]`" if in_loop else "rename one of them",
        )
        return
    context.regions.defined[name] = Definition(span, tree, context.scope, context.report.round)


def take_regions(context: Context, regions: Iterable[NamedRegion]) -> None:
    """Add the regions of a puzzle, for a text that may use their names."""
    for region in regions:
        cells = dict.fromkeys(region.cells)
        nowhere = lark.Tree[lark.Token]("region", [])
        context.regions.defined[region.name] = Definition(context.source.span(0), nowhere, {}, "", cells, {}, "known")


def define_all(context: Context) -> None:
    """Find the cells of all regions, also of those that no statement needs."""
    for name, definition in context.regions.defined.items():
        if definition.state == "new":
            with suppress(UnreadableValueError):
                _define(context, name, definition)
    _refuse_shared_names(context)


def _refuse_shared_names(context: Context) -> None:
    """Report a name that is that of a region and of a piece, or of a named location."""
    for name in context.regions.names:
        span = context.regions.span_of(name)
        piece, location = context.pieces.defined.get(name), context.board.locations.get(name)
        other = piece.span if piece else location.span if location else None
        if span is None or not (piece or location):
            continue
        what = "piece" if piece else "location"
        context.report.add(
            "PZ371",
            f"`{name}` is the name of a {what} and of a region",
            span,
            "the region",
            others=[(other, f"the {what}")] if other else (),
            help="rename one of them",
        )


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


def _listed(context: Context, tree: Tree) -> Iterator[Cell]:
    """Yield the cells of a list."""
    for child in tree.children:
        assert isinstance(child, lark.Tree)
        yield from addresses_of(context, child)


def addresses_of(context: Context, spot: Tree) -> Iterator[Cell]:
    """Yield the cells of a list entry: one for each iteration of its clause."""
    for parts in context.each(spot):
        assert isinstance(parts[0], lark.Tree)
        cell = cell_of(context, parts[0])
        if cell is not None:
            yield cell


def _listed_names(context: Context, tree: Tree) -> _Region:
    """Return the named locations of a list."""
    if context.lattice is not None:
        context.report.add(
            "PZ320",
            f"locations on lattice `{context.lattice.name}` are cells, not names",
            context.span(tree),
            help="write cells, such as `cells (0,0) (1,0)`, or add `lattice none` for named locations",
        )
        return _Region({}, {})
    names: dict[Address, Span] = {}
    twice: list[tuple[str, Span]] = []
    for child in tree.children:
        assert isinstance(child, lark.Tree)
        span = context.span(child)
        for name in _numbered(context, child) if child.data == "numbers" else _names_of(context, child):
            if name in names:
                twice.append((name, span))
            names.setdefault(name, span)
    return _Region(dict.fromkeys(names), {}, names, tuple(twice))


def _names_of(context: Context, word: Tree) -> Iterator[str]:
    """Yield the names of a list entry: one for each iteration of its clause."""
    for parts in context.each(word):
        yield context.headed(parts)[0]


def _numbered(context: Context, tree: Tree) -> Iterator[str]:
    """Yield the numbers of a range as names."""
    first, last = tree.children
    assert isinstance(first, lark.Token)
    low, high = context.number_of(str(first), context.span(first).start), context.number(last)
    low, high = bounds_of(context, low, high, context.span(tree))
    if high - low >= MAX_REGION_CELLS:
        context.report.add("PZ321", f"too many locations (limit {MAX_REGION_CELLS})", context.span(tree))
        return
    yield from map(str, range(low, high + 1))


def _grid(context: Context, tree: Tree) -> dict[Cell, None]:
    """Return all edges of a board of squares."""
    (token,) = tree.children
    if context.lattice is None or context.lattice.drawing != "sticks":
        context.report.add(
            "PZ320",
            f"`grid` needs a lattice of sticks, but the puzzle has {context.here}",
            context.span(token),
            others=context.deciding,
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
        by_edges = lattices_of_sides()
        here = f"cells of lattice `{edges.name}` are" if edges else "named locations are"
        context.report.add(
            "PZ320",
            f"{here} not sides of other cells",
            context.span(tree),
            note=f"lattices of sides are {', '.join(f'`{name}`' for name in by_edges.values())}",
            others=context.deciding,
            help=context.other_lattice(by_edges[edges.name]) if edges and edges.name in by_edges else (),
        )
        return {}
    context.lattice, context.regions.of_faces = faces, True
    try:
        region = plain(context, term_of(context, tree), "a drawing of cells with sides")
    finally:
        context.lattice, context.regions.of_faces = edges, False
    from puzzlec.geometry.sides import sides_of  # exact arithmetic, which most puzzles do not need

    try:
        return sides_of(region.cells, edges)  # type: ignore[arg-type]
    except RegionTooLargeError:
        context.report.add("PZ321", "cells have too many sides (limit 1,000,000)", context.span(tree))
        return {}


def _sizes_in(context: Context, token: Node) -> list[int] | None:
    """Return the sizes of a word such as ``6x{n}``; report negative ones."""
    sizes = context.numbers_in(token)
    if min(sizes) < 0:
        context.report.add("PZ319", f"size must be at least 1, found {min(sizes)}", context.span(token))
        return None
    return sizes


def sizes_of_box(context: Context, token: Node) -> list[int] | None:
    """Return the sizes of a box; report a wrong number of them, and negative ones."""
    if context.lattice is None:
        context.report.add(
            "PZ320",
            "missing lattice for a box",
            context.span(token),
            help=("remove `lattice none`", "or name the locations"),
        )
        return None
    sizes = _sizes_in(context, token)
    if sizes is None:
        return None
    if len(sizes) != context.lattice.dimension:
        context.report.add(
            "PZ312",
            f"box has {counted(len(sizes), 'size')}, but "
            f"lattice `{context.lattice.name}` has {counted(context.lattice.dimension, 'dimension')}",
            context.span(token),
            others=context.deciding,
            help=_lattice_help(context, sizes, box=True),
        )
        return None
    return sizes


def _box(context: Context, tree: Tree) -> dict[Cell, None]:
    """Return the cells of a box."""
    (token,) = tree.children
    sizes = sizes_of_box(context, token)
    if sizes is None or context.lattice is None:
        return {}
    try:
        cells = box(sizes)
        return kinds_of(cells, len(context.lattice.kinds)) if len(context.lattice.kinds) > 1 else cells
    except RegionTooLargeError:
        context.report.add("PZ321", "box is too large (limit 1,000,000 cells)", context.span(token))
        return {}


def _board_shape(context: Context, tree: Tree) -> dict[Cell, None]:
    """Return the cells of a board shape such as ``hexagon 3`` or ``ring 8x6 width 2``."""
    word, lattice, (token, *width) = tree.data, context.lattice, tree.children
    on = BOARD_SHAPES[word]
    if lattice is None or lattice.name not in on:
        faces = faces_of(lattice) if lattice else None
        of_edges = faces is not None and faces.name in on
        context.report.add(
            "PZ320",
            f"unknown board shape `{word}` on {context.here}",
            context.span(tree),
            note=f"lattices with it are {', '.join(f'`{name}`' for name in on)}",
            others=context.deciding,
            help=f"write `edges of {word} {token}`" if of_edges else context.other_lattice(next(iter(on))),
        )
        return {}
    names = on[lattice.name].sizes
    sizes = _sizes_in(context, token)
    thick = _sizes_in(context, width[0]) if width else [1]
    if sizes is None or thick is None:
        return {}
    if len(sizes) != len(names) or len(thick) != 1:
        takes = f"{counted(len(names), 'size')}, {' and '.join(names)}" if len(sizes) != len(names) else "one width"
        right = ([*sizes, *sizes[-1:] * len(names)])[: len(names)]
        context.report.add(
            "PZ312",
            f"`{word}` takes {takes}",
            context.span(tree),
            help=f"write `{_shape_text(word, right, thick[0] if width else 0)}`",
        )
        return {}
    try:
        return board_shape(word, lattice.name, sizes, thick[0])
    except RegionTooLargeError:
        context.report.add("PZ321", f"{word} is too large (limit 1,000,000 cells)", context.span(tree))
    except NoShapeError as error:
        help = f"write `{_shape_text(word, error.sizes, error.width)}`"
        context.report.add("PZ312", str(error), context.span(tree), help=help)
    return {}


def _shape_text(word: str, sizes: Sequence[int], width: int) -> str:
    """Return a board shape as it is written; a width of 0 is left out."""
    return f"{word} {'x'.join(map(str, sizes))}{f' width {width}' if width else ''}"


#: The functions for the cells of regions that have a word and sizes, by the kinds of their trees.
_MAKERS = {"box": _box, "grid": _grid, **dict.fromkeys(BOARD_SHAPES, _board_shape)}
