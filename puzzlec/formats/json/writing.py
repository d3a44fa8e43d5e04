"""Write a puzzle, a fitting or an exact cover as readable JSON, in chunks, by the documented schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import WriterChoices, gathered
from puzzlec.geometry import Freedom, Lattice, find_lattice, lattice_names
from puzzlec.ir import ANY, Cost, Expectation, Fitting, Location, Measure, Meeting, Payer, Piece, Puzzle, RegionRule
from puzzlec.ir.fitting import Colours
from puzzlec.ir.location import Address
from puzzlec.ir.rules import MAX_WITHOUT_CROSSROADS
from puzzlec.lower.labels import Labelled

#: Longest line of a list of short values.
MAX_LINE_CHARACTERS = 100


#: A key of an object with its value: a text on one line, or the lines of a list.
Field: TypeAlias = tuple[str, str | Iterator[str]]


def write_json(what: Puzzle | Fitting | Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the JSON of a puzzle, a fitting or an exact cover. Reading it gives the same, with all names.

    For a fitting only the fitting is written: pictures and symmetries need the puzzle that it was made from, so write
    the puzzle if you have it. Options of a cover have their names, or their meanings if these are known.
    """
    if isinstance(what, Puzzle):
        fields = puzzle_fields(what)
    elif isinstance(what, Fitting):
        fields = fitting_fields(what)
    else:
        fields = _cover_fields(what)
    stage = "puzzle" if isinstance(what, Puzzle) else "fitting" if isinstance(what, Fitting) else "cover"
    return chunked(written(chain([("puzzlec", "1"), ("stage", text(stage))], fields)))


def chunked(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines in chunks of a few kilobytes, each line with its end."""
    return gathered(f"{line}\n" for line in lines)


def text(value: Any) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def written(fields: Iterable[Field]) -> Iterator[str]:
    """Yield the lines of an object with these keys and values."""
    before = "{"
    for key, value in fields:
        yield before
        if isinstance(value, str):
            before = f'  "{key}": {value},'
        else:
            first = next(value, None)
            if first is None:
                before = f'  "{key}": [],'
                continue
            yield f'  "{key}": ['
            yield first
            yield from value
            before = "  ],"
    yield before.removesuffix(",")
    yield "}"


def _listed(entries: Iterable[str]) -> Iterator[str]:
    """Yield entries, one on each line."""
    return _separated(f"    {entry}" for entry in entries)


def _lines(values: Iterable[Any]) -> Iterator[str]:
    """Yield values, one on each line."""
    return _listed(map(text, values))


def _rows(values: Iterable[Any]) -> Iterator[str]:
    """Yield lines, each with all values that fit on it."""
    return _filled(map(text, values))


def _filled(entries: Iterable[str]) -> Iterator[str]:
    """Yield lines, each with all entries that fit on it."""

    def lines() -> Iterator[str]:
        line, size = ["    "], 4
        for entry in entries:
            if size > 4 and size + len(entry) > MAX_LINE_CHARACTERS:
                yield "".join(line).removesuffix(", ")
                line, size = ["    "], 4
            line += (entry, ", ")
            size += len(entry) + 2
        if size > 4:
            yield "".join(line).removesuffix(", ")

    return _separated(lines())


def _separated(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with a comma after all but the last."""
    before: str | None = None
    for line in lines:
        if before is not None:
            yield f"{before},"
        before = line
    if before is not None:
        yield before


def _often(low: int, high: int) -> dict[str, Any]:
    """Return the bounds of a number as keys, except those that are 1."""
    bounds: dict[str, Any] = {} if low == 1 else {"low": low}
    return bounds if high == 1 else bounds | {"high": "any" if high >= ANY else high}


# Puzzle


def puzzle_fields(puzzle: Puzzle) -> Iterator[Field]:
    """Yield the keys of a puzzle, except those with their default."""
    yield from _fields(text, title=puzzle.title)
    yield "lattice", text(None if puzzle.lattice is None else _lattice(puzzle.lattice))
    yield from _fields(_lines, wraps=[{"vector": wrap.vector, **_given(twisted=wrap.twisted)} for wrap in puzzle.wraps])
    yield from _fields(text, colours=puzzle.colours.names)
    yield from _fields(_rows, allowed=sorted(puzzle.colours.allowed), mates=puzzle.colours.mates)
    if puzzle.colours.frame is not None:
        yield "frame", text(puzzle.colours.frame)
    yield from _fields(text, crossing=puzzle.rules.crossing)
    yield "locations", _rows(map(_location, puzzle.locations))
    if puzzle.rules.empty is not None:
        yield "empty", text(puzzle.rules.empty)
    yield "pieces", _lines(_piece(piece, puzzle.lattice) for piece in puzzle.pieces)
    regions = [{"name": region.name, "cells": region.cells} for region in puzzle.regions]
    rules = [
        {"kind": rule.kind.value, "piece": rule.piece, "region": rule.region, **_given(sides=rule.sides)}
        for rule in puzzle.rules.pieces
    ]
    together = [[{"piece": name} | _most(most) for name, most in group] for group in puzzle.movement.together]
    yield from _fields(_lines, regions=regions, rules=rules, together=together)
    yield from _fields(_rows, walls=puzzle.movement.walls)
    yield from _fields(text, immovable=puzzle.movement.immovable, turns_allowed=puzzle.movement.turns_allowed)
    yield from _rules_and_costs(puzzle)
    yield from _fields(_lines, expected=list(map(_expectation, puzzle.expected)))


def _fields(form: Callable[[Any], str | Iterator[str]], **members: Any) -> Iterator[Field]:
    """Yield the keys that differ from their default, with their values in a form."""
    for name, value in _given(**members).items():
        yield name, form(value)


def _expectation(expectation: Expectation) -> dict[str, Any]:
    measure = None if expectation.measure is Measure.DISTINCT else expectation.measure.value
    return {"value": expectation.value, **_given(measure=measure, at_least=expectation.at_least)}


def _rules_and_costs(what: Puzzle | Fitting) -> Iterator[tuple[str, str | Iterator[str]]]:
    rules, meetings = (what.rules.regions, what.rules.meetings) if isinstance(what, Puzzle) else (what.region_rules, ())
    yield from _fields(_lines, region_rules=list(map(_region_rule, rules)))
    yield from _fields(_lines, meetings=list(map(_meeting, meetings)), costs=list(map(_cost, what.costs)))


def _most(copies: int) -> dict[str, int]:
    """Return the limit on copies that may stay together as a key, unless there is none."""
    return {"copies": copies} if copies < ANY else {}


def _meeting(meeting: Meeting) -> dict[str, Any]:
    return {
        "kind": meeting.kind.value,
        **_given(pieces=meeting.pieces, motion=meeting.motion, corners=meeting.corners),
        **({} if meeting.high == MAX_WITHOUT_CROSSROADS else {"high": meeting.high}),
        **({"where": meeting.where, "region": meeting.region} if meeting.where else {}),
    }


def _region_rule(rule: RegionRule[Any]) -> dict[str, Any]:
    return {
        "kind": rule.kind.value,
        "region": rule.region,
        **_given(low=rule.low),
        **({"high": rule.high} if rule.high < ANY else {}),
        **_given(piece=rule.piece, pieces=rule.pieces, pairs=rule.pairs, name=rule.name),
    }


def _cost(cost: Cost[Any]) -> dict[str, Any]:
    members = {"cost": cost.value, **_given(of="" if cost.payer is Payer.PIECE else cost.payer.value, name=cost.name)}
    return members | ({"where": cost.where, "region": cost.region} if cost.where else {})


def _location(location: Location) -> Address | dict[str, Any]:
    members = {"at": location.at, **_given(colour=location.colour, optional=location.optional)}
    return members if len(members) > 1 else location.at


def _piece(piece: Piece, lattice: Lattice | None) -> dict[str, Any]:
    words = (Freedom.FIXED, Freedom.ONE_SIDED, Freedom.FREE) if lattice else ()
    turns = next((word.value for word in words if lattice and lattice.turns(word) == piece.turns), piece.turns)
    return {
        "name": piece.name,
        **_often(piece.low, piece.high),
        **_given(cells=piece.cells, colours=piece.colours if any(piece.colours) else ()),
        **_given(sides=piece.sides, paint=piece.paint, turns=turns),
        **({} if piece.covers is None else {"covers": piece.covers}),
    }


def _given(**members: Any) -> dict[str, Any]:
    """Return the members that differ from their default, which is empty, false or 0."""
    return {name: value for name, value in members.items() if value}


def _lattice(lattice: Lattice) -> str | dict[str, Any]:
    """Return the name of a lattice of puzzlec, or a custom lattice as an object with the keys of its file."""
    if lattice.name in lattice_names() and find_lattice(lattice.name) == lattice:
        return lattice.name
    return {
        "name": lattice.name,
        "summary": lattice.summary,
        "dimension": lattice.dimension,
        "translations": lattice.translations,
        "kinds": [kind._asdict() for kind in lattice.kinds],
        "rotations": lattice.rotation_generators,
        "reflections": lattice.reflection_generators,
        "freedom": lattice.freedom.value,
        "drawing": lattice.drawing,
        **_given(axes=lattice.axes, crossings=lattice.crossings),
        **_given(faces=lattice.faces and {"lattice": lattice.faces[0], "at": lattice.faces[1]}, balls=lattice.of_balls),
    }


# Fitting


def fitting_fields(fitting: Fitting, placed: bool = True) -> Iterator[Field]:
    """Yield the keys of a fitting, except those with their default; placements only if ``placed``."""
    yield from _fields(text, title=fitting.title)
    yield "locations", _rows(fitting.names) if fitting.names else str(fitting.locations)
    yield from _fields(text, optional=sorted(fitting.optional))
    if fitting.empty is not None:
        yield "empty", text(fitting.empty)
    yield from _fields(_rows, neighbours=fitting.neighbours, mates=fitting.mates)
    yield from _fields(_lines, crossings=fitting.crossings)
    yield from _rules_and_costs(fitting)
    yield "pieces", _pieces(fitting, placed)


def _pieces(fitting: Fitting, placed: bool) -> Iterator[str]:
    """Yield the lines of pieces, each placement on a separate line."""
    before = ""
    for number, piece in enumerate(fitting.pieces):
        if before:
            yield f"{before},"
        head = text(({"name": piece.name} if piece.name else {}) | _often(piece.low, piece.high)).removesuffix("}")
        lists: list[tuple[str, Sequence[Any]]] = [("placements", piece.placements)] if placed else []
        if piece.sides:
            lists.append(("sides", piece.sides))
        if colours := _colours(fitting, number):
            lists.append(("colours", colours))
        for key, entries in lists:
            head += ("" if head == "{" else ", ") + f'"{key}": ['
            if entries:
                yield f"    {head}"
                yield from _separated(f"      {text(entry)}" for entry in entries)
                head = ""
            head += "]"
        before = f"    {head}}}"
    if before:
        yield before


def _colours(fitting: Fitting, number: int) -> Sequence[Colours]:
    """Return the colours of the placements of a piece, also those that only a cost of a colour needs."""
    piece = fitting.pieces[number]
    if piece.colours or all(cost.payer is not Payer.COLOUR for cost in fitting.costs):
        return piece.colours
    colours = [fitting.shown_colours(number, index) for index in range(len(piece.placements))]
    return colours if any(map(any, colours)) else ()


# Cover


def _cover_fields(labelled: Labelled) -> Iterator[Field]:
    """Yield the keys of an exact cover."""
    cover = labelled.cover
    yield from _fields(text, title=labelled.title)
    items = _items(cover)
    yield "items", str(cover.primary) if items is None else _filled(items)
    if cover.secondary and cover.item_names:
        yield "secondary", _rows(cover.item_names[cover.primary :])
    elif cover.secondary:
        yield "secondary", str(cover.secondary)
    yield from _fields(_rows, colours=cover.colour_names, costs=cover.costs)
    yield "options", _listed(_options(labelled))


def _items(cover: ExactCover) -> Iterator[str] | None:
    """Yield the primary items: names, or objects with bounds; None if only their number is written."""
    bounds = [_often(low, high) for low, high in zip(cover.low, cover.high, strict=True)]
    if cover.item_names:
        return (
            text({"name": name} | often if often else name)
            for name, often in zip(cover.item_names, bounds, strict=False)
        )
    return map(text, bounds) if any(bounds) else None


def _options(labelled: Labelled) -> Iterator[str]:
    """Yield the options: lists of items, or objects if they have names or colours."""
    cover = labelled.cover
    named = bool(cover.option_names) or labelled.encoding is not None
    painted = any(cover.colours)
    starts, items, colours = cover.starts, cover.items, cover.colours
    for option in range(len(cover)):
        first, last = starts[option], starts[option + 1]
        row = f"[{', '.join(map(str, items[first:last]))}]"
        shades = colours[first:last] if painted else ()
        name = cover.option_names[option] if cover.option_names else labelled.option(option) if named else ""
        if not name and not any(shades):
            yield row
            continue
        head = f'"name": {text(name)}, ' if name else ""
        tail = f', "colours": [{", ".join(map(str, shades))}]' if any(shades) else ""
        yield f'{{{head}"items": {row}{tail}}}'
