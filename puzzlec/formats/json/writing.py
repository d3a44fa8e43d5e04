"""Write a puzzle, a fitting or an exact cover as readable JSON, in chunks, by the documented schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import Choices, gathered
from puzzlec.geometry import Freedom, Lattice, find_lattice, lattice_names
from puzzlec.ir import ANY, Cost, Expectation, Fitting, Location, Measure, Meeting, Payer, Piece, Puzzle, RegionRule
from puzzlec.ir.fitting import Colours
from puzzlec.ir.puzzle import MAX_WITHOUT_CROSSROADS, Address
from puzzlec.lower.labels import Labelled

#: Longest line of a list of short values.
WIDTH = 100


#: A key of an object with its value: a text on one line, or the lines of a list.
Field: TypeAlias = tuple[str, str | Iterator[str]]


def write_json(what: Puzzle | Fitting | Labelled, choices: Choices) -> Iterator[str]:  # noqa: ARG001
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


def _filled(entries: Iterable[str]) -> Iterator[str]:
    """Yield lines, each with all entries that fit on it."""

    def lines() -> Iterator[str]:
        line, size = ["    "], 4
        for entry in entries:
            if size > 4 and size + len(entry) > WIDTH:
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
    found: dict[str, Any] = {} if low == 1 else {"low": low}
    return found if high == 1 else found | {"high": "any" if high >= ANY else high}


# Puzzle


def puzzle_fields(puzzle: Puzzle) -> Iterator[Field]:
    """Yield the keys of a puzzle, except those with their default."""
    if puzzle.title:
        yield "title", text(puzzle.title)
    yield "lattice", text(None if puzzle.lattice is None else _lattice(puzzle.lattice))
    if puzzle.wraps:
        wraps = ({"vector": wrap.vector} | ({"twisted": True} if wrap.twisted else {}) for wrap in puzzle.wraps)
        yield "wraps", _listed(map(text, wraps))
    if puzzle.colours:
        yield "colours", text(puzzle.colours)
    if puzzle.allowed:
        yield "allowed", _filled(map(text, sorted(puzzle.allowed)))
    if puzzle.mates:
        yield "mates", _filled(map(text, puzzle.mates))
    if puzzle.frame is not None:
        yield "frame", text(puzzle.frame)
    if puzzle.crossing:
        yield "crossing", "true"
    yield "locations", _filled(map(text, map(_location, puzzle.locations)))
    if puzzle.empty is not None:
        yield "empty", text(puzzle.empty)
    yield "pieces", _listed(text(_piece(piece, puzzle.lattice)) for piece in puzzle.pieces)
    if puzzle.regions:
        yield "regions", _listed(text({"name": region.name, "cells": region.cells}) for region in puzzle.regions)
    if puzzle.rules:
        rules = (
            {"kind": rule.kind.value, "piece": rule.piece, "region": rule.region}
            | ({"sides": rule.sides} if rule.sides else {})
            for rule in puzzle.rules
        )
        yield "rules", _listed(map(text, rules))
    yield from _roles(puzzle)
    yield from _rules_and_costs(puzzle)
    if puzzle.expected:
        yield "expected", _listed(map(text, map(_expectation, puzzle.expected)))


def _roles(puzzle: Puzzle) -> Iterator[tuple[str, str | Iterator[str]]]:
    """Yield what matters for taking the puzzle apart."""
    if puzzle.together:
        yield (
            "together",
            _listed(text([{"piece": name} | _most(most) for name, most in group]) for group in puzzle.together),
        )
    if puzzle.walls:
        yield "walls", _filled(map(text, puzzle.walls))
    if puzzle.immovable:
        yield "immovable", text(puzzle.immovable)
    if puzzle.turns_allowed:
        yield "turns_allowed", "true"


def _expectation(expectation: Expectation) -> dict[str, Any]:
    found: dict[str, Any] = {"value": expectation.value}
    if expectation.measure is not Measure.DISTINCT:
        found["measure"] = expectation.measure.value
    return found | ({"at_least": True} if expectation.at_least else {})


def _rules_and_costs(what: Puzzle | Fitting) -> Iterator[tuple[str, str | Iterator[str]]]:
    if what.region_rules:
        yield "region_rules", _listed(map(text, map(_region_rule, what.region_rules)))
    if isinstance(what, Puzzle) and what.meetings:
        yield "meetings", _listed(map(text, map(_meeting, what.meetings)))
    if what.costs:
        yield "costs", _listed(map(text, map(_cost, what.costs)))


def _most(copies: int) -> dict[str, int]:
    """Return the limit on copies that may stay together as a key, unless there is none."""
    return {"copies": copies} if copies < ANY else {}


def _meeting(meeting: Meeting) -> dict[str, Any]:
    members: dict[str, Any] = {"kind": meeting.kind.value}
    if meeting.pieces:
        members["pieces"] = meeting.pieces
    if meeting.motion:
        members["motion"] = meeting.motion
    if meeting.corners:
        members["corners"] = True
    if meeting.high != MAX_WITHOUT_CROSSROADS:
        members["high"] = meeting.high
    return members | ({"where": meeting.where, "region": meeting.region} if meeting.where else {})


def _region_rule(rule: RegionRule[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": rule.kind.value, "region": rule.region}
    if rule.low:
        found["low"] = rule.low
    if rule.high < ANY:
        found["high"] = rule.high
    if rule.piece:
        found["piece"] = rule.piece
    if rule.pieces:
        found["pieces"] = rule.pieces
    if rule.pairs:
        found["pairs"] = rule.pairs
    return found | ({"name": rule.name} if rule.name else {})


def _cost(cost: Cost[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"cost": cost.value}
    if cost.payer is not Payer.PIECE:
        found["of"] = cost.payer.value
    if cost.name:
        found["name"] = cost.name
    return found | ({"where": cost.where, "region": cost.region} if cost.where else {})


def _location(location: Location) -> Address | dict[str, Any]:
    found: dict[str, Any] = {"at": location.at}
    if location.colour is not None:
        found["colour"] = location.colour
    if location.optional:
        found["optional"] = True
    return found if len(found) > 1 else location.at


def _piece(piece: Piece, lattice: Lattice | None) -> dict[str, Any]:
    found: dict[str, Any] = {"name": piece.name, **_often(piece.low, piece.high)}
    if piece.cells:
        found["cells"] = piece.cells
    if any(colour is not None for colour in piece.colours):
        found["colours"] = piece.colours
    if piece.sides:
        found["sides"] = piece.sides
    if piece.paint:
        found["paint"] = piece.paint
    if piece.turns:
        words = (Freedom.FIXED, Freedom.ONE_SIDED, Freedom.FREE) if lattice else ()
        word = next((word.value for word in words if lattice and lattice.turns(word) == piece.turns), None)
        found["turns"] = word or piece.turns
    if piece.covers is not None:
        found["covers"] = piece.covers
    return found


def _lattice(lattice: Lattice) -> str | dict[str, Any]:
    """Return the name of a lattice of puzzlec, or a custom lattice as an object with the keys of its file."""
    if lattice.name in lattice_names() and find_lattice(lattice.name) == lattice:
        return lattice.name
    found: dict[str, Any] = {
        "name": lattice.name,
        "summary": lattice.summary,
        "dimension": lattice.dimension,
        "translations": lattice.translations,
        "kinds": [kind._asdict() for kind in lattice.kinds],
        "rotations": lattice.rotation_generators,
        "reflections": lattice.reflection_generators,
        "freedom": lattice.freedom.value,
        "drawing": lattice.drawing,
    }
    if lattice.axes:
        found["axes"] = lattice.axes
    if lattice.crossings:
        found["crossings"] = lattice.crossings
    if lattice.faces:
        found["faces"] = {"lattice": lattice.faces[0], "at": lattice.faces[1]}
    if lattice.of_balls:
        found["balls"] = True
    return found


# Fitting


def fitting_fields(fitting: Fitting, placed: bool = True) -> Iterator[Field]:
    """Yield the keys of a fitting, except those with their default; placements only if ``placed``."""
    if fitting.title:
        yield "title", text(fitting.title)
    yield "locations", _filled(map(text, fitting.names)) if fitting.names else str(fitting.locations)
    if fitting.optional:
        yield "optional", text(sorted(fitting.optional))
    if fitting.empty is not None:
        yield "empty", text(fitting.empty)
    if fitting.neighbours:
        yield "neighbours", _filled(map(text, fitting.neighbours))
    if fitting.mates:
        yield "mates", _filled(map(text, fitting.mates))
    if fitting.crossings:
        yield "crossings", _listed(map(text, fitting.crossings))
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
    shown = [fitting.shown_colours(number, index) for index in range(len(piece.placements))]
    return shown if any(map(any, shown)) else ()


# Cover


def _cover_fields(labelled: Labelled) -> Iterator[Field]:
    """Yield the keys of an exact cover."""
    cover = labelled.cover
    if labelled.title:
        yield "title", text(labelled.title)
    items = _items(cover)
    yield "items", str(cover.primary) if items is None else _filled(items)
    if cover.secondary and cover.item_names:
        yield "secondary", _filled(map(text, cover.item_names[cover.primary :]))
    elif cover.secondary:
        yield "secondary", str(cover.secondary)
    if cover.colour_names:
        yield "colours", _filled(map(text, cover.colour_names))
    if cover.costs:
        yield "costs", _filled(map(str, cover.costs))
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
