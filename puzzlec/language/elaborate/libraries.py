"""Shapes that are not drawn but named: those of libraries, and of families of polyforms in some size."""

from __future__ import annotations

import re
from dataclasses import replace

import lark

from puzzlec.diagnostics import suggestion
from puzzlec.geometry import Freedom, Lattice, ShapeSet
from puzzlec.geometry.families import ShapesError, family_names, find_shapes, lattice_of
from puzzlec.ir import Piece
from puzzlec.language.elaborate.context import Context
from puzzlec.language.expressions import Node

#: Lattices in which those before them lie as a layer: what is flat there can be used in space.
_LAYERS = (("line", "square", "cubic", "hypercubic"), ("line", "square", "fcc"), ("triangle", "prism"))

#: So many names of pieces are listed; of more, the first and the last.
_LISTED = 40


def shapes_of(context: Context, nodes: list[Node], freedom: Freedom | None) -> ShapeSet | None:
    """Return the shape set that a name means, and a size behind it; None, with a report, where there is none.

    The freedom chooses among the sets of a family. Shapes of a flat family can be turned over in space, so that
    the free ones are all that there are.
    """
    token, *sizes = nodes
    name = context.name(token)
    try:
        own = lattice_of(name)
        size = context.numbers_in(sizes[0])[0] if sizes else None
        if not _suits(context, own, token):
            return None
        if own != context.lattice and freedom is not Freedom.FIXED:
            freedom = Freedom.FREE
        return find_shapes(name, size, freedom)
    except ShapesError as error:
        fault = sizes[0] if error.code == "PZ351" else token
        help = _drawn(name, sizes) or error.help or ()
        context.report.add(error.code, error.message, context.span(fault), note=error.note or (), help=help)
        return None


def _suits(context: Context, own: Lattice, token: Node) -> bool:
    """Whether shapes of a lattice can be used on the lattice of this puzzle; report it where not."""
    if context.lattice is not None and _lies_in(own, context.lattice):
        return True
    name = context.name(token)
    what = "family" if name in family_names() else "library"
    context.report.add(
        "PZ318",
        f"the {what} `{name}` belongs to the lattice `{own.name}`, this puzzle has {context.here}",
        context.span(token),
        help=f"write `lattice {own.name}`",
    )
    return False


def shaped(context: Context, piece: Piece, shapes: ShapeSet, name: str, freedom: Freedom | None) -> Piece:
    """Return the piece with a shape of a library; a flat one can be used in space, too."""
    assert context.lattice is not None
    flat = shapes.lattice.dimension
    extra = (0,) * (context.lattice.dimension - flat)
    shape = shapes.shape(name)
    cells = tuple((*cell[:flat], *extra, *cell[flat:]) for cell in shape.cells)
    own = shapes.freedom if not extra else context.lattice.freedom
    turns = context.lattice.turns(freedom or own)
    for colour in shape.colours:  # numbers of a library need no declaration
        context.colours.declared.setdefault(colour, piece.span or context.source.end)
    return replace(piece, cells=cells, colours=shape.colours or (None,) * len(cells), turns=turns)


def member(context: Context, shapes: ShapeSet, token: Node) -> str | None:
    """Return the name of a shape of a library, or report that there is none."""
    name, names = context.name(token), list(shapes.shapes)
    if name in shapes.shapes or name in shapes.others:
        return name
    listed = ", ".join(names) if len(names) <= _LISTED else f"{names[0]} to {names[-1]}"
    context.report.add(
        "PZ305",
        f"the library `{shapes.name}` has no piece `{name}`",
        context.span(token),
        note=f"its pieces are {listed}",
        help=suggestion(name, names) if len(names) <= _LISTED else (),
    )
    return None


def _drawn(name: str, sizes: list[Node]) -> str:
    """Return the help where the size behind an unknown library is a drawing: one piece was meant, or copies of it."""
    drawing = str(sizes[0]) if sizes else ""
    if not re.fullmatch(r"\{[x./\s]+\}", drawing):
        return ""
    meant = f"A x{name}" if name.isdecimal() else name
    return f"write `piece` for one piece with its drawing: `piece {meant} {drawing}`"


def parted(nodes: list[Node]) -> tuple[list[Node], list[Node]]:
    """Return the name of a library, with the size where one is said, and the nodes behind."""
    sized = len(nodes) > 1 and isinstance(nodes[1], lark.Token) and nodes[1].type == "ORDER"
    return nodes[: 1 + sized], nodes[1 + sized :]


def _lies_in(small: Lattice, large: Lattice) -> bool:
    """Whether shapes of one lattice can be used on the other: it is the same, or layers of it are."""
    both = small.name, large.name
    return small.name == large.name or any(
        set(both) <= set(names) and names.index(both[0]) < names.index(both[1]) for names in _LAYERS
    )
