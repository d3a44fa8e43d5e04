"""Pieces: drawn, from a library or family, listed by cells or placements, or with coloured sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import lark

from puzzlec.diagnostics import Span, counted, suggestion
from puzzlec.geometry import Cell, Freedom, Lattice, ShapeSet
from puzzlec.geometry.families import ShapesError, family_names, find_shapes, lattice_of
from puzzlec.ir import ANY, Piece
from puzzlec.ir.location import Address, address_text
from puzzlec.language.elaborate.alike import likeness, reflected
from puzzlec.language.elaborate.context import MAX_NAMES_LISTED, MAYBE, PLAIN, Context, bounds_of, others_text
from puzzlec.language.elaborate.declarations import colour_of, is_declared
from puzzlec.language.elaborate.drawings import marks_of, warn_of_corners
from puzzlec.language.elaborate.regions import addresses_of, cell_of
from puzzlec.language.expressions import Node, Tree, UnreadableValueError, variable
from puzzlec.language.spelling import quoted, taken_shape


class _Modifiers(NamedTuple):
    freedom: Freedom | None
    low: int
    high: int


def _modifiers(context: Context, tree: Tree) -> _Modifiers:
    """Return the freedom and the number of copies from the modifiers of a piece."""
    freedom, copies = None, (1, 1)
    given: dict[str, Span] = {}
    for token in tree.children:
        assert isinstance(token, lark.Token)
        if token.type in given:
            what = "freedom" if token.type == "FREEDOM" else "number of copies"
            context.report.add(
                "PZ307",
                f"duplicate {what} of a piece",
                context.span(token),
                "second time",
                others=[(given[token.type], "first time")],
            )
        given[token.type] = context.span(token)
        if token.type == "FREEDOM":
            freedom = Freedom(str(token))
        else:
            copies = copies_of(context, token)
    return _Modifiers(freedom, *copies)


def copies_of(context: Context, token: Node) -> tuple[int, int]:
    """Return the bounds of a word such as ``x2``, ``x0..n``, ``x2..``, ``x..5`` or ``x*``."""
    if str(token) == "x*":
        return 0, ANY
    low, dots, high = str(token)[1:].partition("..")
    start = context.span(token).start + 1
    least = context.number_of(low, start) if low else 0
    most = least
    if dots:
        most = context.number_of(high, start + len(low) + len(dots)) if high else ANY
    return bounds_of(context, least, most, context.span(token))


def add_piece(context: Context, piece: Piece) -> None:
    """Add a piece, or report that its name is already in use."""
    old = context.pieces.defined.get(piece.name)
    if old is not None:
        context.report.add(
            "PZ301",
            f"duplicate piece `{piece.name}`",
            piece.span,
            "second definition",
            others=[(old.span, "first defined here")] if old.span != piece.span else (),
            note=f"first defined in the iteration with {context.pieces.rounds[piece.name]}"
            if piece.name in context.pieces.rounds
            else (),
            help=f"rename one of them, or write `piece {piece.name} x2` for two copies"
            if not context.report.round
            else "write an index for each variable of the `for`, such as `A[i,j]`",
        )
        return
    context.pieces.defined[piece.name] = piece
    if context.report.round:
        context.pieces.rounds[piece.name] = context.report.round


def piece(context: Context, statement: Tree) -> None:
    """Add a piece."""
    name, span, (modifiers, body) = context.headed(statement.children)
    assert isinstance(modifiers, lark.Tree)
    assert isinstance(body, lark.Tree)
    means = _modifiers(context, modifiers)
    turns = context.lattice.turns(means.freedom or context.lattice.freedom) if context.lattice else ()
    piece = Piece(name, (), (), turns, None, means.low, means.high, lattice=context.lattice, span=span)
    before = context.report.errors
    builders: dict[str, Callable[[Context, Piece, Tree, _Modifiers], Piece]] = {
        "drawn": _drawn,
        "listed": _listed_cells,
        "taken": _taken,
        "reflected": _taken,
        "alike": _alike,
        "mirrored": _alike,
        "covers": _placements,
        "tile": _tile,
    }
    piece = builders[str(body.data)](context, piece, body, means)
    if context.report.errors == before or piece.cells or piece.covers:
        add_piece(context, piece)
    else:
        context.pieces.defined.setdefault(piece.name, piece)


def _drawn(context: Context, piece: Piece, body: Tree, _: _Modifiers) -> Piece:
    """Return a piece with the cells of its drawing."""
    token = body.children[0]
    base = context.span(token).start + 1
    cells, colours = [], []
    for mark in marks_of(context, token):
        if mark.sign == MAYBE:
            context.report.add(
                "PZ315",
                "unexpected optional cell in a piece",
                context.source.span(base + mark.offset),
                note="`?` is only for locations",
                help="write `x`",
            )
        elif mark.sign == PLAIN or is_declared(context, mark.sign, context.source.span(base + mark.offset)):
            cells.append(mark.cell)
            colours.append(None if mark.sign == PLAIN else mark.sign)
    assert isinstance(token, lark.Token)
    warn_of_corners(context, token, cells)
    return replace(piece, cells=tuple(cells), colours=tuple(colours))


def _listed_cells(context: Context, piece: Piece, body: Tree, _: _Modifiers) -> Piece:
    """Return a piece with cells listed by their coordinates."""
    if context.lattice is None:
        context.report.add(
            "PZ320",
            "missing lattice for a piece of cells",
            context.span(body),
            help=("remove `lattice none`", "or list its placements, such as `covers {0 1}`"),
        )
        return piece
    cells: dict[Cell, None] = {}
    before = context.report.errors
    for child in body.children:
        assert isinstance(child, lark.Tree)
        for at in addresses_of(context, child):
            if at in cells:
                context.report.add("PZ310", f"duplicate cell {address_text(at)}", context.span(child))
            cells[at] = None
    if not cells and context.report.errors == before:
        context.report.add(
            "PZ314",
            f"piece `{piece.name}` has no cells",
            context.span(body),
            note="the loop that lists its cells has no iterations",
        )
    return replace(piece, cells=tuple(cells), colours=(None,) * len(cells))


def _tile(context: Context, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
    """Return a tile: one cell whose sides have colours, in the order of the lattice's neighbours."""
    if context.lattice is None:
        context.report.add("PZ320", "missing lattice for a piece with coloured sides", context.span(body))
        return piece
    if context.lattice.of_edges:
        context.report.add("PZ320", "a stick cannot have coloured sides", context.span(body))
        return piece
    sides = len(context.lattice.kinds[0].neighbours)
    if len(body.children) != sides:
        run = str(body.children[0])
        context.report.add(
            "PZ336",
            f"piece has {counted(len(body.children), 'coloured side')}; "
            f"a {context.lattice.kinds[0].name} has {sides} sides",
            context.span(body),
            help=f"write spaces between the colours: `sides {' '.join(run)}`"
            if len(body.children) == 1 and len(run) == sides and run.isalnum()
            else (),
        )
        return piece
    colours = [colour_of(context, token) for token in body.children]
    if None in colours:
        raise UnreadableValueError
    if means.freedom is None:
        # A printed tile is blank on its other face.
        piece = replace(piece, turns=context.lattice.turns(Freedom.ONE_SIDED))
    cell = (0,) * context.lattice.coordinates
    return replace(piece, cells=(cell,), colours=(None,), sides=tuple(colour for colour in colours if colour))


def _taken(context: Context, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
    """Return a piece with a shape of a library."""
    library, rest = parted(body.children)
    shapes = shapes_of(context, library, means.freedom)
    name = member(context, shapes, rest[0]) if shapes else None
    if not shapes or not name:
        return piece
    made = shaped(context, piece, shapes, name, means.freedom)
    of = context.source.span(context.span(library[0]).start, context.span(rest[0]).end)
    return reflected(context, made, of) if body.data == "reflected" else made


def _alike(context: Context, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
    """Return a piece that gets its shape once all pieces are known."""
    if piece.name not in context.pieces.defined:
        likeness(context, piece, body, means.freedom)
    return piece


def _placements(context: Context, piece: Piece, body: Tree, means: _Modifiers) -> Piece:
    """Return a piece with a list of placements."""
    if means.freedom is not None:
        context.report.add(
            "PZ320",
            "a piece with listed placements cannot be rotated",
            piece.span,
            help=f"remove `{means.freedom.value}`",
        )
    placements: dict[tuple[Address, ...], None] = {}
    for child in body.children:
        assert isinstance(child, lark.Tree)
        for parts in context.each(child):
            _cover(context, piece, parts, child, placements)
    return replace(piece, covers=tuple(placements), turns=())


def _cover(
    context: Context, piece: Piece, parts: list[Node], tree: Tree, placements: dict[tuple[Address, ...], None]
) -> None:
    """Add a placement to those of a piece."""
    before = context.report.errors
    addresses: dict[Address, None] = {}
    for part in parts:
        assert isinstance(part, lark.Tree)
        for nodes in context.each(part):
            at = cell_of(context, nodes[0]) if isinstance(nodes[0], lark.Tree) else context.headed(nodes)[0]
            if at is None:
                continue
            if at not in context.board.locations:
                _refuse_location(context, at, part)
            elif at in addresses:
                context.report.add("PZ205", f"duplicate location {address_text(at)} in a placement", context.span(part))
            addresses[at] = None
    if context.broken or context.report.errors > before:
        placements[()] = None
        return
    placement = tuple(sorted(addresses, key=context.board.rank.__getitem__))
    if not placement:
        context.report.add("PZ207", f"placement of piece `{piece.name}` covers no location", context.span(tree))
    if placement in placements:
        context.report.add("PZ208", f"duplicate placement of piece `{piece.name}`", context.span(tree))
    placements[placement] = None


def _refuse_location(context: Context, at: Address, part: Tree) -> None:
    """Report an unknown location in a placement."""
    if context.broken or context.report.repeats("PZ311", context.span(part)):
        return
    locations = context.board.names
    number = isinstance(at, str) and at.isdecimal()
    stem = at.partition("[")[0] + "[" if isinstance(at, str) and "[" in at else ""
    alike = [name for name in locations if stem and name.startswith(stem)]
    note = f"locations are 0 to {len(locations) - 1}" if number else ()
    if alike:
        note = f"{len(alike)} locations are named `{stem[:-1]}`, from `{alike[0]}` to `{alike[-1]}`"
    guess = isinstance(at, str) and not number and not alike and len(locations) < 10_000
    context.report.add(
        "PZ311",
        f"unknown location {address_text(at)}",
        context.span(part),
        note=note,
        help=suggestion(at, locations) if guess and isinstance(at, str) else (),
    )


def _members(context: Context, shapes: ShapeSet, tree: Tree) -> set[str]:
    """Return the names after `only` or `except`; report unknown and duplicate ones."""
    named: set[str] = set()
    for child in tree.children:
        word = str(child)
        if word not in shapes.named and re.fullmatch(r"x[\d*]\S*|one-sided|fixed|free|only|except|and", word):
            both = word in ("only", "except")
            context.report.add(
                "PZ101",
                f"expected the name of another piece, found `{word}`",
                context.span(child),
                help="write `only` or `except`, not both"
                if both
                else "write a space instead of `and`"
                if word == "and"
                else f"write `{word}` before `{tree.data}`",
            )
            return named
        name = member(context, shapes, child)
        if name in named:
            what = f"duplicate name `{name}` after `{tree.data}`"
            context.report.add("PZ356", what, context.span(child), "second time", help="remove it")
        elif name is not None:
            named.add(name)
    return named


def _without(context: Context, statement: Tree, listed: Tree | None, named: set[str], twice: Sequence[str]) -> str:
    """Return the suggestion to leave out pieces of a library whose names other pieces have."""
    text = context.span(statement).text
    head, word, names = text, "except", [*twice]
    if listed is not None:
        head, word = text[: context.span(listed).start - context.span(statement).start].rstrip(), str(listed.data)
        names = sorted(named.difference(twice) if word == "only" else named.union(twice))
    return f"write `{head} {word} {' '.join(map(quoted, names))}`" if names else f"remove `{text}`"


def pieces(context: Context, statement: Tree) -> None:
    """Add the pieces of a library."""
    library, (modifiers, *rest) = parted(statement.children)
    token = library[0]
    assert isinstance(modifiers, lark.Tree)
    means = _modifiers(context, modifiers)
    shapes = shapes_of(context, library, means.freedom)
    if shapes is None:
        return
    names = list(shapes.shapes)
    named: set[str] = set()
    listed = rest[0] if rest and isinstance(rest[0], lark.Tree) else None
    if listed is not None:
        named = _members(context, shapes, listed)
        names = (
            [name for name in shapes.named if name in named]
            if listed.data == "only"
            else [name for name in names if name not in named]
        )
    twice = [name for name in names if name in context.pieces.defined]
    if twice:
        first, *more = twice
        shape = f"{' '.join(map(str, library))}{' ' if library[1:] else '.'}{first}"
        other = f"`piece {context.name(token)}-{first} = {shape}`"
        context.report.add(
            "PZ301",
            f"duplicate piece `{first}`{others_text(more)}",
            context.span(token),
            "second definition",
            others=[(context.pieces.defined[first].span, "first defined here")],
            help=(
                _without(context, statement, listed, named, twice),
                f"or add {'each' if more else 'it'} under another name, such as {other}",
            ),
        )
    for name in names:
        if name not in context.pieces.defined:
            piece = Piece(name, low=means.low, high=means.high, span=context.span(token))
            context.pieces.defined[name] = shaped(context, piece, shapes, name, means.freedom)


#: Lattices that contain others as a layer: flat shapes of a layer can be used in space.
_LAYERS = (("line", "square", "cubic", "hypercubic"), ("line", "square", "fcc"), ("triangle", "prism"))


def shapes_of(context: Context, nodes: list[Node], freedom: Freedom | None) -> ShapeSet | None:
    """Return the shape set of a name and a size; report an unknown one and return None.

    The freedom chooses among the sets of a family. Shapes of a flat family can be turned over in space, so the free
    set is complete there.
    """
    token, *sizes = nodes
    name = context.name(token)
    if sizes and (help := _swapped(name, context.span(sizes[0]).text)):
        message = f"expected a shape library, found `{name}`"
        context.report.add("PZ101", message, context.span(token), help=help)
        return None
    try:
        lattice = lattice_of(name)
        size = _size(context, name, sizes[0]) if sizes else None
        if not _suits(context, lattice, token):
            return None
        if lattice != context.lattice and freedom is not Freedom.FIXED:
            freedom = Freedom.FREE
        return find_shapes(name, size, freedom)
    except ShapesError as error:
        fault = sizes[0] if sizes and error.code == "PZ351" else token
        better = _with_shape(context, token, error.help) or error.help or ()
        context.report.add(error.code, error.message, context.span(fault), note=error.note or (), help=better)
        return None


def _with_shape(context: Context, library: Node, help: str) -> str:
    """Return the suggestion of a family with a size for a shape after a dot; "" for other suggestions."""
    sized = re.fullmatch(r"write `(\w+ \w+)`", help)
    span = context.span(library)
    text = span.source.text
    shape = re.match(r"\s*\.\s*([\w-]+)", text[span.end :])
    if not sized or not shape:
        return ""
    start = text.rfind("\n", 0, span.start) + 1
    return f"write `{text[start : span.start].lstrip()}{taken_shape(sized[1], shape[1])}`"


def _suits(context: Context, lattice: Lattice, token: Node) -> bool:
    """Return whether shapes of a lattice suit the lattice of this puzzle; report them if not."""
    if context.lattice is not None and lies_in(lattice.name, context.lattice.name):
        return True
    name = context.name(token)
    what = "family" if name in family_names() else "library"
    context.report.add(
        "PZ318",
        f"{what} `{name}` belongs to lattice `{lattice.name}`, but the puzzle has {context.here}",
        context.span(token),
        others=context.deciding,
        help=context.other_lattice(lattice.name),
    )
    return False


def shaped(context: Context, piece: Piece, shapes: ShapeSet, name: str, freedom: Freedom | None) -> Piece:
    """Return the piece with a shape of a library; a flat shape can also be used in space."""
    flat = shapes.lattice.dimension
    extra = (0,) * (context.needed_lattice.dimension - flat)
    shape = shapes.shape(name)
    cells = tuple((*cell[:flat], *extra, *cell[flat:]) for cell in shape.cells)
    usual = shapes.freedom if not extra else context.needed_lattice.freedom
    turns = context.needed_lattice.turns(freedom or usual)
    for colour in shape.colours:  # colours of a library need no declaration
        context.colours.declared.setdefault(colour, piece.span or context.source.end)
    return replace(piece, cells=cells, colours=shape.colours or (None,) * len(cells), turns=turns)


def member(context: Context, shapes: ShapeSet, token: Node) -> str | None:
    """Return the name of a shape of a library; report an unknown one."""
    name, names = context.name(token), list(shapes.shapes)
    if name in shapes.shapes or name in shapes.others:
        return name
    listed = ", ".join(names) if len(names) <= MAX_NAMES_LISTED else f"{names[0]} to {names[-1]}"
    context.report.add(
        "PZ305",
        f"unknown piece `{name}` in library `{shapes.name}`",
        context.span(token),
        note=f"pieces are {listed}",
        help=suggestion(_MIRRORED.get(name, name), names) if len(names) <= MAX_NAMES_LISTED else (),
    )
    return None


#: Names of mirror images that libraries without them have under another name.
_MIRRORED = {"S": "Z", "J": "L", "F'": "F", "N'": "N"}


def _swapped(first: str, library: str) -> str:
    """Return the suggestion for another word before the name of a library; "" for a name."""
    if first in (freedom.value for freedom in Freedom):
        return f"write `pieces {library} {first}`"
    if first == "all":
        return f"write `pieces {library}`"
    if first.isdecimal() and library in family_names():
        return f"write `pieces {library} {first}`"
    copies = re.fullmatch(r"x?(\d+)[xX]?", first)
    return f"write `pieces {library} x{copies[1]}`" if copies else ""


#: Words for a freedom: the first group is not to be rotated, others not to be reflected.
_FREEDOMS_MEANT = re.compile(r"no[- _]?(?:(rotat\w*|turn\w*)|\w+)|rotat\w*|chiral")


def _size(context: Context, name: str, tree: Node) -> int:
    """Return the size after the name of a family; report a word that is not a number."""
    assert isinstance(tree, lark.Tree)
    (number,) = tree.children
    assert isinstance(number, lark.Tree)
    tokens = list(number.scan_values(lambda node: isinstance(node, lark.Token)))
    unknown = any(token.type == "VARIABLE" and variable(token) not in context.scope for token in tokens)
    if unknown and "param" not in context.unread:
        family, word = name in family_names(), context.span(number).text
        freedom = _FREEDOMS_MEANT.fullmatch(word)
        context.report.add(
            "PZ101",
            f"expected a size, found `{word[:40]}`" if family else f"unexpected `{word[:40]}` after library `{name}`",
            context.span(number),
            help=f"write `pieces {name} {'fixed' if freedom[1] else 'one-sided'}`"
            if freedom and not family
            else f"write `pieces {name} 5`"
            if family
            else f"write `pieces {name} only {word}`"
            if len(tokens) == 1
            else (),
        )
        raise UnreadableValueError
    return context.number(number)


def parted(nodes: list[Node]) -> tuple[list[Node], list[Node]]:
    """Return the name of a library with its size, if any, and the nodes after it."""
    sized = len(nodes) > 1 and isinstance(nodes[1], lark.Tree) and nodes[1].data == "sized"
    return nodes[: 1 + sized], nodes[1 + sized :]


def lies_in(small: str, large: str) -> bool:
    """Return whether shapes of one lattice can be used on another: the same one, or one that has it as a layer."""
    both = small, large
    return small == large or any(
        set(both) <= set(names) and names.index(both[0]) < names.index(both[1]) for names in _LAYERS
    )
