"""Values: pieces of one cell that show a number or a letter, and drawings of pieces that are fixed together."""

from __future__ import annotations

import re
from collections.abc import Iterator

import lark

from puzzlec.diagnostics import Span, counted
from puzzlec.geometry import Cell, Freedom
from puzzlec.geometry.drawing import DrawingMark
from puzzlec.geometry.lattice import connected_parts
from puzzlec.ir import ANY, Piece
from puzzlec.language.elaborate.context import PLAIN, RESERVED, Context
from puzzlec.language.elaborate.drawings import marks_of
from puzzlec.language.elaborate.pieces import add_piece, copies_of
from puzzlec.language.elaborate.regions import vector_of
from puzzlec.language.expressions import Node, Tree, spoken, variable

#: The greatest number that a cell can show.
MAX_VALUE = 999


def values(context: Context, statement: Tree) -> None:
    """Add a piece of one cell for each value."""
    tokens = [token for token in statement.children if isinstance(token, lark.Token)]
    low, high = 0, ANY
    if tokens[-1].type == "COPIES":
        low, high = copies_of(context, tokens.pop())
    lattice = context.lattice
    if lattice is None:
        context.report.add(
            "PZ320",
            "missing lattice for values",
            context.span(statement),
            note="a value is a piece of one cell",
            help="remove `lattice none`",
        )
        return
    turns = lattice.turns(Freedom.FIXED if len(lattice.kinds) == 1 else Freedom.FREE)
    cell = (0,) * lattice.coordinates
    for token in tokens:
        span = context.span(token)
        for value in _values_in(context, token):
            context.colours.declared.setdefault(value, span)
            add_piece(context, Piece(value, (cell,), (value,), turns, None, low, high, span=span))


def _values_in(context: Context, token: lark.Token) -> Iterator[str]:
    """Yield the values of a word such as `1..9`, `A..F` or `7`; report an impossible one."""
    first, dots, last = str(token).partition("..")
    span = context.span(token)
    if not dots:
        value = context.sign(token)
        if _is_value(value):
            yield value
        else:
            _refuse(context, value, span)
        return
    if re.fullmatch(r"[^\W\d_]", first) and re.fullmatch(r"[^\W\d_]", last) and variable(last) not in context.scope:
        letters = [chr(code) for code in range(ord(first), ord(last) + 1)]
        if not letters:
            _refuse_backwards(context, first, last, span)
        for letter in letters:
            if _is_value(letter):
                yield letter
            else:
                _refuse(context, letter, span)
        return
    bounds = [_number(context, end, span.start + at) for end, at in ((first, 0), (last, len(first) + 2))]
    low, high = bounds
    if low is None or high is None:
        _refuse(context, first if low is None else last, span)
    elif low > high:
        _refuse_backwards(context, low, high, span)
    elif low < 0 or high > MAX_VALUE:
        _refuse(context, str(low if low < 0 else high), span)
    else:
        yield from map(str, range(low, high + 1))


def _refuse_backwards(context: Context, low: object, high: object, span: Span) -> None:
    context.report.add("PZ319", f"range {low}..{high} runs backwards", span, help=f"write `{high}..{low}`")


def _number(context: Context, text: str, at: int) -> int | None:
    """Return the number at one end of a range: digits, an expression in braces, or a variable; None for other text."""
    if text.isdecimal():
        return int(text) if len(text) < 5 else MAX_VALUE + 1
    if text[0] == "{":
        return context.expressions.number_in(text, at, context.scope)
    return context.scope.get(variable(text))


def _is_value(value: str) -> bool:
    """Return whether a cell can show a value."""
    return (len(value) == 1 and value not in RESERVED) or re.fullmatch("[1-9][0-9]{1,2}", value) is not None


def _refuse(context: Context, value: str, span: Span) -> None:
    parameters = [spoken(name) for name in context.scope]
    context.report.add(
        "PZ322",
        f"invalid value `{value[:40]}`",
        span,
        note=f"a value is one character except {' '.join(RESERVED)}, or a number up to {MAX_VALUE}",
        help="write a range such as `values 1..9`, or single values such as `values A B C`"
        + (f"; parameters are {', '.join(parameters)}" if parameters and value.isidentifier() else ""),
    )


def givens_of(context: Context, statement: Tree) -> Iterator[tuple[str, Span, dict[Cell, Span]]]:
    """Yield the pieces that a drawing fixes: the name of each, its position, and the cells of the copy.

    The characters of the drawing are the names of pieces. Equal characters are one copy, copies of one cell, or
    copies that do not touch; other numbers of cells are reported.
    """
    drawing, *place = statement.children
    moved: Cell = ()
    if place:
        assert isinstance(place[0], lark.Tree)
        moved = vector_of(context, place[0]) or ()
    base = context.span(drawing).start + 1
    groups: dict[str, dict[Cell, Span]] = {}
    for mark in marks_of(context, drawing):
        cell = tuple([value + (moved[axis] if axis < len(moved) else 0) for axis, value in enumerate(mark.cell)])
        span = _span(context, mark, base)
        if mark.sign in (PLAIN, "?"):
            context.report.add(
                "PZ315",
                "unexpected character in fixed pieces: expected the name of a piece or `.`",
                span,
                help="write `.` for a free cell",
            )
            return
        groups.setdefault(mark.sign, {})[cell] = span
    for name, cells in groups.items():
        span = next(iter(cells.values()))
        piece = context.pieces.defined.get(name)
        if piece is None:
            yield name, span, cells
            continue
        copies = _copies(context, cells, len(piece.cells) or piece.size or 0)
        if copies is None:
            context.report.add(
                "PZ316",
                f"piece `{name}` cannot be fixed here: it has {counted(len(piece.cells), 'cell')}",
                span,
                note=f"the drawing has {counted(len(cells), 'cell')} with `{name}`",
                help="draw each copy completely, and no two copies of a piece side by side",
            )
            continue
        for copy in copies:
            yield name, cells[copy[0]], {cell: cells[cell] for cell in copy}


def _span(context: Context, mark: DrawingMark, base: int) -> Span:
    return context.source.span(mark.offset + base)


def _copies(context: Context, cells: dict[Cell, Span], size: int) -> list[list[Cell]] | None:
    """Return the cells of each copy of a piece with this size; None if the cells are no copies."""
    if size == 1:
        return [[cell] for cell in cells]
    if len(cells) == size:
        return [list(cells)]
    parts = connected_parts(cells, context.needed_lattice)
    return parts if all(len(part) == size for part in parts) else None


def is_drawn(node: Node) -> bool:
    """Return whether a node of `fix` is a drawing of several pieces."""
    return isinstance(node, lark.Token) and node.type == "DRAWING"
