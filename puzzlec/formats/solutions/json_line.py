"""A solution as a line of JSON: what `puzzlec solve --format jsonl` writes, or part of that.

What may be told twice (the placements, and the names on the locations) is read twice: whether both say the same is
judged later. An object in which a name stands twice is refused, since programs differ in which of them they take.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from puzzlec.diagnostics import Report, Span


class SaidPlacement(NamedTuple):
    """A placement as JSON has it: a piece, and where it lies by number or by locations (numbers or names)."""

    piece: str
    orientation: int | None
    locations: tuple[int | str, ...] | None
    edges: tuple[str, ...] | None
    colours: tuple[str | None, ...] | None


class Said(NamedTuple):
    """A solution as JSON has it: placements, a piece (None: it stays empty) for each location, or both."""

    placements: tuple[SaidPlacement, ...] | None
    names_on: tuple[str | None, ...] | None


def said_in_json(line: Span, report: Report, locations: int) -> Said | None:
    """Return what a line says; faults of its form go into the report."""
    try:
        data = json.loads(line.text, object_pairs_hook=_object)
    except _TwiceError as error:
        told = "a name stands for one thing: leave one of them out"
        report.add("PZ602", f"an object has {json.dumps(error.args[0])[:60]} twice", line, help=told)
        return None
    except json.JSONDecodeError as error:
        at = line.source.span(line.start + error.pos)
        report.add("PZ602", f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]}", at)
        return None
    except (RecursionError, ValueError):  # nested too deeply, or a number of very many digits
        report.add("PZ602", "this JSON cannot be read", line)
        return None
    placements = data.get("placements") if isinstance(data, dict) else None
    names = data.get("locations") if isinstance(data, dict) else None
    if not isinstance(placements, list) and not _are_names(names):
        what = 'this object is no solution: it has neither `"placements"` nor `"locations"`, as lists'
        report.add("PZ602", what, line)
        return None
    if names is not None and not _are_names(names):
        report.add("PZ602", '`"locations"` is no list with the name of a piece, or null, for each location', line)
        return None
    if names is not None and len(names) != locations:
        report.add("PZ605", f"here are {len(names)} entries for {locations} locations", line)
        return None
    if placements is None:
        return Said(None, tuple(names or ()))
    if not isinstance(placements, list):
        report.add("PZ602", '`"placements"` is no list', line)
        return None
    found = [_placement(each) for each in placements]
    if None in found:
        wrong = placements[found.index(None)]
        report.add(
            "PZ602",
            f"this is no placement: {json.dumps(wrong)[:60]}",
            line,
            note='it is an object with a `"piece"`, and `"locations"` (a list) or `"orientation"` (a number)',
        )
        return None
    said = tuple(each for each in found if each is not None)
    return Said(said, None if names is None else tuple(names))


class _TwiceError(ValueError):
    """A name that stands twice in an object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raise _TwiceError where a name stands twice in it."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(name)
        found[name] = value
    return found


def _are_names(value: Any) -> bool:
    """Whether this is a list of names of pieces or of colours, null where there is none."""
    return isinstance(value, list) and all(each is None or isinstance(each, str) for each in value)


def _placement(data: Any) -> SaidPlacement | None:
    """Return a placement, None for what is none."""
    if not isinstance(data, dict) or not isinstance(data.get("piece"), str):
        return None
    number, places, edges = data.get("orientation"), data.get("locations"), data.get("edges")
    colours = data.get("colours")
    if number is not None and not (_is_number(number) and number >= 0):
        return None
    if places is not None and not (
        isinstance(places, list) and all(isinstance(each, str) or _is_number(each) for each in places)
    ):
        return None
    if edges is not None and not (isinstance(edges, list) and all(isinstance(each, str) for each in edges)):
        return None
    if colours is not None and not _are_names(colours):
        return None
    if number is None and places is None:
        return None
    return SaidPlacement(
        data["piece"],
        number,
        None if places is None else tuple(places),
        None if edges is None else tuple(edges),
        None if colours is None else tuple(colours),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
