"""Locations: statements that add them, and wrap-around boards."""

from __future__ import annotations

import re
from collections.abc import Iterator

import lark

from puzzlec.diagnostics import Span, counted, listed
from puzzlec.geometry import Cell
from puzzlec.geometry.wrapping import Wrap, WrapError, Wrapping, extent
from puzzlec.ir import Location
from puzzlec.ir.location import Address, address_text
from puzzlec.language.elaborate.context import MAYBE, PLAIN, Context, others_text
from puzzlec.language.elaborate.declarations import is_declared
from puzzlec.language.elaborate.drawings import only_drawing, warn_of_corners
from puzzlec.language.elaborate.regions import is_too_large, region_of
from puzzlec.language.expressions import Node, Tree


def locations(context: Context, statement: Tree, optional: bool = False) -> None:
    """Add locations that must be covered."""
    before = context.report.errors
    (where,) = statement.children
    assert isinstance(where, lark.Tree)
    twice: dict[Span, list[Location]] = {}
    cells: list[Cell] = []
    before_this = len(context.board.locations)
    listed = 0
    for at, sign, span in _places(context, where):
        if not isinstance(at, str):
            cells.append(at)
        listed += 1
        colour = None
        if sign in context.regions.places:
            context.regions.cells[sign].append(at)
        elif sign not in (PLAIN, MAYBE):
            if not is_declared(context, sign, span):
                continue
            colour = sign
        old = context.board.locations.get(at)
        if old is not None:
            twice.setdefault(span, []).append(old)
            continue
        context.board.locations[at] = Location(at, colour, optional or sign == MAYBE, span)
    whole = listed == before_this == sum(map(len, twice.values()))
    for span, (first, *more) in twice.items():
        context.report.add(
            "PZ310",
            f"duplicate location {address_text(first.at)}{others_text(more)}",
            span,
            "second time",
            others=[(first.span, "first time")] if first.span != span else (),
            help=_once_help(context, whole)
            if any(location.optional != optional for location in (first, *more))
            else (),
        )
    if context.report.errors > before:
        context.unread.add("locations")
    elif (drawing := only_drawing(where)) is not None:
        warn_of_corners(context, drawing, cells)


def _once_help(context: Context, whole: bool) -> str:
    """Return the suggestion for locations in both an optional and a required statement.

    ``whole``: both statements list the same locations.
    """
    if whole:
        return "keep only the line `optional locations ...`"
    how = ", for example with `locations ... - ...`" if context.lattice else ""
    return f"list each location in only one of the two lines{how}"


def optional(context: Context, statement: Tree) -> None:
    """Add locations that may stay empty."""
    locations(context, statement, optional=True)


def _places(context: Context, where: Tree) -> Iterator[tuple[Address, str, Span]]:
    """Yield the locations of a statement: the address, its character in a drawing, and its position."""
    region = region_of(context, where)
    for at in region.cells:
        mark = region.marks.get(at)
        yield at, mark.sign if mark else PLAIN, region.span_of(at, context, where)
    for name, span in region.twice:
        yield name, PLAIN, span


def extent_of(context: Context) -> tuple[str, ...]:
    """Return a note with the least and the greatest coordinates of the board; nothing if locations have names."""
    cells = [at for at in context.board.locations if not isinstance(at, str)]
    if context.lattice is None or not cells:
        return ()
    ranges = [
        f"{AXES[axis]} from {min(cell[axis] for cell in cells)} to {max(cell[axis] for cell in cells)}"
        for axis in range(context.lattice.dimension)
    ]
    return (f"the board has {listed(ranges)}",)


#: Names of the axes of a lattice, one for each dimension.
AXES = "xyzwuv"

#: Words for a twist that users write after an axis, or in its position.
_TWISTS = frozenset(("twisted", "twist", "mobius", "moebius", "möbius", "flipped", "reversed", "mirrored"))

#: Wrap-around boards by name, and the words that describe each.
_BOARDS = {
    "torus": "x y",
    "both": "x y",
    "toroidal": "x y",
    "cylinder": "x",
    "mobius": "x twisted",
    "moebius": "x twisted",
    "möbius": "x twisted",
    "klein": "x twisted y",
    "kleinbottle": "x twisted y",
    "klein-bottle": "x twisted y",
}

#: Suggestions for a board that differs from its mirror image, by the drawing rule of its lattice.
_MIRRORED = {
    "hex": "draw rows that are shifted back and forth, since a box of hexagons is a rhombus",
    "triangle": "draw a symmetric board, since a box of triangles is a parallelogram",
}


def wrap(context: Context, statement: Tree) -> None:
    """Join opposite sides of the board, once all locations are known."""
    if context.lattice is None:
        context.report.add(
            "PZ320", "only a board on a lattice can wrap around", context.span(statement), help="remove `wrap`"
        )
        return
    before = context.report.errors
    directions = []
    for tree in statement.children:
        assert isinstance(tree, lark.Tree)
        vector = _direction(context, tree)
        if vector is not None:
            directions.append((Wrap(vector, len(tree.children) > 1), context.span(tree)))
    if context.broken or not context.board.locations or context.report.errors > before:
        return
    wraps = [wrap for wrap, _ in directions]
    points = [context.lattice.point(at) for at in context.board.locations if not isinstance(at, str)]
    try:
        context.board.wrapping = Wrapping(context.lattice, wraps, points)
    except WrapError as error:
        span = directions[error.number][1] if len(directions) > error.number else context.span(statement)
        help = _MIRRORED.get(context.lattice.drawing, ()) if error.mirrored else ()
        axes = [
            axis for axis, steps in zip(AXES, wraps[min(error.number, len(wraps) - 1)].vector, strict=False) if steps
        ]
        if len(axes) == 1 and span.text[:1] == "(" and not error.mirrored:
            help = f"write `{axes[0]}`"
        context.report.add("PZ337", f"board cannot wrap around this way: {error.why}", span, help=help)


def _direction(context: Context, tree: Tree) -> tuple[int, ...] | None:
    """Return the vector of a wrap: as written, or the extent of the locations along an axis."""
    first = tree.children[0]
    lattice = context.needed_lattice
    dimension = lattice.dimension
    if isinstance(first, lark.Tree):
        vector = tuple(context.number(child) for child in first.children)
        if len(vector) != dimension:
            context.report.add(
                "PZ312",
                f"vector has {counted(len(vector), 'coordinate')}, but "
                f"lattice `{lattice.name}` has {counted(dimension, 'dimension')}",
                context.span(first),
            )
            return None
        return None if is_too_large(context, vector, first) else vector
    name = context.name(first)
    if len(name) != 1 or name not in AXES[:dimension]:
        axes = AXES[:dimension]
        context.report.add(
            "PZ338",
            f"unknown axis `{name}`",
            context.span(first),
            note=f"lattice `{lattice.name}` has {listed(axes)}",
            help=_axis_help(context, name, first),
        )
        return None
    axis = AXES.index(name)
    reach = extent([at for at in context.board.locations if not isinstance(at, str)], axis)
    return tuple(reach * (number == axis) for number in range(dimension))


def _axis_help(context: Context, name: str, token: Node) -> str:
    """Return the suggestion for an unknown axis: it may be a misplaced twist, or the name of a board."""
    word, dimension = name.lower(), context.needed_lattice.dimension
    before = re.search(r"\bwrap\b([^\n#]*)$", context.source.text[: context.span(token).start])
    axis = before.group(1).split()[-1:] if before else []
    if word in _TWISTS and dimension == 2:
        if axis and axis[0] in AXES[:dimension]:
            return f"write `wrap {axis[0]} twisted`"
        if word not in _BOARDS:
            return "write `wrap x twisted`"
    if word in _BOARDS and dimension == 2 and not axis:
        return f"write `wrap {_BOARDS[word]}`"
    vector = ",".join(["8"] + ["0"] * (dimension - 1))
    return f"write an axis, or the vector after which the board repeats, such as `wrap ({vector})`"


def refuse_sides_that_meet_twice(context: Context) -> None:
    """Report tiles on a board where two locations share two sides.

    A board of this kind is narrow, or wraps around.
    """
    tile = next((piece for piece in context.pieces.defined.values() if piece.sides), None)
    wrapping = context.board.wrapping
    if tile is None or wrapping is None or context.lattice is None or context.report.errors:
        return
    span: Span | None = context.seen.get("wrap")
    points = [context.lattice.point(at) for at in context.board.locations if not isinstance(at, str)]
    why = wrapping.against_tiles(points)
    if why:
        context.report.add(
            "PZ339", f"pieces with coloured sides cannot lie on this board: {why}", span,
            note=f"piece `{tile.name}` has coloured sides",
        )  # fmt: skip
