"""Locations: statements that add them, as regions or by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import lark

from puzzlec.diagnostics import Span
from puzzlec.geometry import Cell
from puzzlec.geometry.regions import LARGEST_REGION
from puzzlec.ir import Location
from puzzlec.ir.puzzle import Address, address_text
from puzzlec.language.elaborate.colours import is_declared
from puzzlec.language.elaborate.context import MAYBE, PLAIN, Context, others_text
from puzzlec.language.elaborate.drawings import only_drawing, warn_of_corners
from puzzlec.language.elaborate.regions import addresses_of, region_of
from puzzlec.language.expressions import Tree


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
        context.lost.add("locations")
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
    """Yield the locations of a statement: the address, its character in a drawing, and its place."""
    if where.data == "names":
        yield from named_locations(context, where)
        return
    region = region_of(context, where)
    for at in region.cells:
        mark = region.marks.get(at)
        yield at, mark.sign if mark else PLAIN, context.source.span(mark.offset) if mark else context.span(where)


def named_locations(context: Context, names: Tree) -> Iterator[tuple[Address, str, Span]]:
    """Yield locations without a lattice, as `places` does."""
    first = names.children[0]
    assert isinstance(first, lark.Tree)
    alone = str(first.children[0]) if len(names.children) == len(first.children) == 1 else ""
    if context.lattice is not None:
        context.report.add(
            "PZ320",
            f"locations on lattice `{context.lattice.name}` are cells, not names",
            context.span(first),
            help=f"write `box {alone}`"
            if re.fullmatch(r"\d+(x\d+)*", alone)
            else "draw them, write a region such as `box 6x10`, or add `lattice none` for named locations",
        )
    elif re.fullmatch(r"[0-9]+", alone):
        if _integer(alone) > LARGEST_REGION:
            context.report.add("PZ321", "too many locations (limit 1000000)", context.span(first))
            return
        yield from ((str(number), PLAIN, context.span(first)) for number in range(_integer(alone)))
    else:
        for thing in names.children:
            assert isinstance(thing, lark.Tree)
            span = context.span(thing)
            yield from ((at, PLAIN, span) for at in addresses_of(context, thing))


def _integer(digits: str) -> int:
    """Return the value of digits; a number too large for any puzzle may become smaller."""
    return int(digits[:15])
