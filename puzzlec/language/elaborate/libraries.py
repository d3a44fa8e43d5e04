"""Shapes by name: from libraries, and from families of polyforms of some size."""

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

#: Lattices that contain others as a layer: flat shapes of a layer can be used in space.
_LAYERS = (("line", "square", "cubic", "hypercubic"), ("line", "square", "fcc"), ("triangle", "prism"))

#: Longest list of piece names in a note; a longer one shows only the first and the last.
_LISTED = 40


def shapes_of(context: Context, nodes: list[Node], freedom: Freedom | None) -> ShapeSet | None:
    """Return the shape set of a name and a size; report an unknown one and return None.

    The freedom chooses among the sets of a family. Shapes of a flat family can be turned over in space, so the free
    set is complete there.
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
    """Return whether shapes of a lattice suit the lattice of this puzzle; report them if not."""
    if context.lattice is not None and _lies_in(own, context.lattice):
        return True
    name = context.name(token)
    what = "family" if name in family_names() else "library"
    context.report.add(
        "PZ318",
        f"{what} `{name}` belongs to lattice `{own.name}`, but the puzzle has {context.here}",
        context.span(token),
        help=f"write `lattice {own.name}`",
    )
    return False


def shaped(context: Context, piece: Piece, shapes: ShapeSet, name: str, freedom: Freedom | None) -> Piece:
    """Return the piece with a shape of a library; a flat shape can also be used in space."""
    assert context.lattice is not None
    flat = shapes.lattice.dimension
    extra = (0,) * (context.lattice.dimension - flat)
    shape = shapes.shape(name)
    cells = tuple((*cell[:flat], *extra, *cell[flat:]) for cell in shape.cells)
    own = shapes.freedom if not extra else context.lattice.freedom
    turns = context.lattice.turns(freedom or own)
    for colour in shape.colours:  # colours of a library need no declaration
        context.colours.declared.setdefault(colour, piece.span or context.source.end)
    return replace(piece, cells=cells, colours=shape.colours or (None,) * len(cells), turns=turns)


def member(context: Context, shapes: ShapeSet, token: Node) -> str | None:
    """Return the name of a shape of a library; report an unknown one."""
    name, names = context.name(token), list(shapes.shapes)
    if name in shapes.shapes or name in shapes.others:
        return name
    listed = ", ".join(names) if len(names) <= _LISTED else f"{names[0]} to {names[-1]}"
    context.report.add(
        "PZ305",
        f"unknown piece `{name}` in library `{shapes.name}`",
        context.span(token),
        note=f"pieces are {listed}",
        help=suggestion(name, names) if len(names) <= _LISTED else (),
    )
    return None


def _drawn(name: str, sizes: list[Node]) -> str:
    """Return the suggestion for a drawing in place of a size: one piece is meant, or copies of it."""
    drawing = str(sizes[0]) if sizes else ""
    if not re.fullmatch(r"\{[x./\s]+\}", drawing):
        return ""
    meant = f"A x{name}" if name.isdecimal() else name
    return f"write `piece {meant} {drawing}` for one piece with its drawing"


def parted(nodes: list[Node]) -> tuple[list[Node], list[Node]]:
    """Return the name of a library with its size, if any, and the nodes after it."""
    sized = len(nodes) > 1 and isinstance(nodes[1], lark.Token) and nodes[1].type == "ORDER"
    return nodes[: 1 + sized], nodes[1 + sized :]


def _lies_in(small: Lattice, large: Lattice) -> bool:
    """Return whether shapes of one lattice can be used on another: the same one, or one that has it as a layer."""
    both = small.name, large.name
    return small.name == large.name or any(
        set(both) <= set(names) and names.index(both[0]) < names.index(both[1]) for names in _LAYERS
    )
