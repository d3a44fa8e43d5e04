"""Pieces with the shape of another piece, or its mirror image. They may precede that piece in the text."""

from __future__ import annotations

from dataclasses import replace

from puzzlec.diagnostics import Span, near, suggestion
from puzzlec.geometry import Cell, Freedom, Lattice, Matrix
from puzzlec.geometry.families import family_names
from puzzlec.geometry.lattice import turned
from puzzlec.geometry.shapes import find_library, library_names
from puzzlec.ir import Piece
from puzzlec.language.elaborate.context import MAX_NAMES_LISTED, Context, Likeness
from puzzlec.language.expressions import Tree


def likeness(context: Context, piece: Piece, body: Tree, freedom: Freedom | None) -> None:
    """Note that a piece has the shape of another one, which may be defined later."""
    of, span, _ = context.headed(body.children)
    context.pieces.alike.setdefault(piece.name, Likeness(of, span, freedom, body.data == "mirrored"))


def take_shapes(context: Context) -> None:
    """Give each piece with the shape of another one its cells; all pieces are known now."""
    for name in context.pieces.alike:
        _take(context, name)


def _take(context: Context, name: str) -> None:
    """Give a piece its shape, and before it each piece on the way to the shape."""
    way: list[str] = []
    while name in context.pieces.alike and name not in context.pieces.shaped and name not in way:
        way.append(name)
        name = context.pieces.alike[name].of
    if name in way:
        _refuse_circle(context, way[way.index(name) :])
        context.pieces.shaped.update(way)
    for name in reversed(way):
        if name not in context.pieces.shaped:
            context.pieces.shaped.add(name)
            _shape(context, name, context.pieces.alike[name])


def _refuse_circle(context: Context, names: list[str]) -> None:
    first = context.pieces.alike[names[0]]
    what = f"piece `{names[0]}` has its own shape"
    if names[1:]:
        what += ", by " + ", ".join(f"`{name}`" for name in names[1:])
    context.report.add(
        "PZ380", what, first.span, others=[(context.pieces.alike[name].span, "") for name in names[1:]],
        help="draw one of them, such as `{ xx/x. }`" if names[1:] else "draw it, such as `{ xx/x. }`",
    )  # fmt: skip


def _shape(context: Context, name: str, like: Likeness) -> None:
    """Give a piece the shape of the other, if that has one."""
    piece, other = context.pieces.defined[name], context.pieces.defined.get(like.of)
    if other is None:
        _refuse_unknown(context, name, like)
        return
    if other.covers is not None and like.freedom is not None:
        context.report.add(
            "PZ320",
            "a piece with listed placements cannot be rotated",
            piece.span,
            help=f"remove `{like.freedom.value}`",
        )
    lattice = context.lattice
    turns = lattice.turns(like.freedom) if like.freedom and lattice else other.turns
    shaped = replace(
        piece, cells=other.cells, colours=other.colours, turns=turns, covers=other.covers, sides=other.sides
    )
    if like.mirrored and not context.report.errors:
        shaped = reflected(context, shaped, like.span)
    context.pieces.defined[name] = shaped


def _refuse_unknown(context: Context, name: str, like: Likeness) -> None:
    """Report an unknown piece; it may be a library whose shape is missing."""
    if context.unread & {"piece", "pieces", "for"}:
        return
    names = [piece for piece in context.pieces.defined if piece != name]
    help: str | tuple[str, ...] = suggestion(like.of, names)
    libraries = [like.of] if like.of in library_names() else [] if help else near(like.of, library_names())
    if libraries:
        shapes = find_library(libraries[0]).shapes
        help = f"write a shape of the library: `{libraries[0]}.{name if name in shapes else next(iter(shapes))}`"
    elif like.of in family_names():
        help = f"write a size and a shape, as `puzzlec list shapes {like.of} 4` lists them"
    context.report.add(
        "PZ306",
        f"unknown piece `{like.of}`",
        like.span,
        note=f"pieces are {', '.join(names)}" if names and len(names) <= MAX_NAMES_LISTED else (),
        help=help,
    )


def reflected(context: Context, piece: Piece, of: Span) -> Piece:
    """Return the mirror image of a piece; report a piece that has none. ``of`` is the place of the other shape."""
    lattice = context.lattice
    if lattice is None or piece.covers is not None:
        context.report.add(
            "PZ320", "a piece with listed placements has no mirror image", of, help="list its placements"
        )
        return piece
    matrix = reflection_of(lattice)
    if matrix is None:
        what = f"the lattice `{lattice.name}` has no reflections"
        context.report.add("PZ320", what, of, help="draw the piece")
        return piece
    made = mirror_image(piece, lattice, matrix)
    if set(piece.turns) == set(lattice.isometries):
        context.report.add(
            "PZ381",
            f"`mirror` has no effect: piece `{piece.name}` is free",
            of,
            note="a free piece may be reflected, so its mirror image is the same piece",
            help=f"write `piece {piece.name} one-sided = mirror {of.text}`",
        )
    return made


def reflection_of(lattice: Lattice) -> Matrix | None:
    """Return the reflection of `mirror`: the first coordinate is reversed, if the lattice can be reflected so."""
    others = [matrix for matrix in lattice.isometries if matrix not in set(lattice.rotations)]
    return next(iter((*lattice.reflection_generators, *others)), None) if others else None


def mirror_image(piece: Piece, lattice: Lattice, matrix: Matrix) -> Piece:
    """Return a piece reflected by a matrix; a tile stays on the first kind of cell."""
    if piece.sides:
        return _reflected_tile(piece, lattice, matrix)
    points = [turned(matrix, lattice.point(cell)) for cell in piece.cells]
    for kind in lattice.kinds:
        step = [a - b for a, b in zip(kind.at, points[0], strict=True)]
        moved = [lattice.cell(tuple(a + b for a, b in zip(point, step, strict=True))) for point in points]
        cells = [cell for cell in moved if cell is not None]
        if len(cells) == len(points):
            return replace(piece, cells=_at_origin(cells, lattice))
    raise AssertionError(f"a reflection of {lattice.name} does not map cells to cells")


def _at_origin(cells: list[Cell], lattice: Lattice) -> tuple[Cell, ...]:
    """Return cells moved so that their least coordinates are 0, in the same order."""
    least = [min(cell[axis] for cell in cells) for axis in range(lattice.dimension)]
    return tuple((*(a - b for a, b in zip(cell, least, strict=False)), *cell[lattice.dimension :]) for cell in cells)


def _reflected_tile(piece: Piece, lattice: Lattice, first: Matrix) -> Piece:
    home = lattice.kinds[0]
    rotations = set(lattice.rotations)
    for matrix in (first, *(matrix for matrix in lattice.isometries if matrix not in rotations)):
        if lattice.class_of(turned(matrix, home.at)) == 0:
            side_of = {turned(matrix, step): side for step, side in zip(home.neighbours, piece.sides, strict=True)}
            return replace(piece, sides=tuple(side_of[step] for step in home.neighbours))
    return piece  # never: a lattice whose reflections exchange its kinds of cells has rotations that do
