"""The rules of a puzzle as pictures and pages show them: outlines of regions, and sentences.

A rule that holds in each row or column is a sentence. So is a rule that no outline shows well: on cells that no flat
layer has, or on a region that overlaps many others. The other regions get an outline. Regions that share a cell get
outlines within each other, and neighbours get different tones.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import hypot
from typing import Any, NamedTuple

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import breadth, on_sheet, spot
from puzzlec.geometry.lattice import neighbours
from puzzlec.geometry.layers import layer_of
from puzzlec.geometry.outlines import outline
from puzzlec.ir import ANY, Condition, Meeting, Puzzle, RegionRule
from puzzlec.ir.location import Address, address_name
from puzzlec.ir.puzzle import cells_of
from puzzlec.ir.rules import MAX_WITHOUT_CROSSROADS
from puzzlec.show.palette import mixed
from puzzlec.show.words.languages import languages

#: The tones of outlines: dark enough on any piece.
TONES = ("#8a1c5c", "#0b5d4b", "#6b4400", "#1f3f8f", "#7a1f1f", "#3d3d3d")
#: The width of an outline, and the distance between two outlines within each other, in cells.
BAND, APART = 0.085, 0.125
#: Outlines within each other in one cell; a region that needs more is a sentence.
MAX_DEPTH = 3
#: Regions with more cells are described by the number of their cells.
MAX_CELLS_NAMED = 8
#: The distance of the middle of a label from the upper side of its cell, and the height of its letters, in cells.
LABEL, LETTERS = 0.1, 0.27

#: The names of lines that a rule gives with `each`: the word, and the direction after `line`.
_NAMED = re.compile(r"(row|column|diagonal|line)(?: (\S+))? \d+")

_Rule = RegionRule[Address]
_Ring = list[tuple[float, ...]]


class Ruled(NamedTuple):
    """A region with an outline: its cells, its conditions as signs and in words, and the numbers of its rules.

    ``depth`` is the number of outlines around this one in some cell, and ``tone`` is a number in :data:`TONES`. The
    cell ``top`` has the label; None: no cell has it, as in the upper layers of a solid.
    """

    cells: tuple[Cell, ...]
    label: str
    words: str
    rules: tuple[int, ...] = ()
    depth: int = 0
    tone: int = 0
    top: Cell | None = None


class Note(NamedTuple):
    """Rules in words: one condition, where it applies, and the numbers of the rules.

    ``where`` has the lines (``row``, ``column``, ``pillar`` or ``layer``) with their numbers from 1 on (none: each
    one), ``board``, or ``cells`` with a name for the region. Points are ``inside`` it, ``on`` it or ``off`` it. A rule
    about how pieces meet on the whole board has no ``where``. ``drawn`` says that an outline shows the same.
    """

    kind: str
    bounds: str
    where: tuple[tuple[str, tuple[int, ...]], ...]
    rules: tuple[int, ...]
    cells: str = ""
    drawn: bool = False


class Ruling(NamedTuple):
    """The rules of a puzzle: regions with outlines, and notes. Each rule is in one of them; a solid has all notes."""

    regions: tuple[Ruled, ...] = ()
    notes: tuple[Note, ...] = ()

    def sentences(self) -> list[str]:
        """Return the notes in words."""
        return [sentence(note) for note in self.notes]


#: The places of a note that need a name for a region.
_OF_CELLS = ("cells", "inside", "on", "off")
#: The names of lines by the coordinates that all of their cells share.
_LINES: dict[int, dict[str, tuple[int, ...]]] = {
    2: {"row": (1,), "column": (0,)},
    3: {"row": (1, 2), "column": (0, 2), "pillar": (0, 1), "layer": (2,)},
}


def ruling(puzzle: Puzzle) -> Ruling:
    """Return the rules of a puzzle as outlines and notes; without a lattice there are only notes.

    Numbers of rules about how pieces meet follow those of rules on regions.
    """
    rules, first = _on_regions(puzzle), len(puzzle.rules.regions)
    notes = [_meeting_note(meeting, number) for number, meeting in enumerate(puzzle.rules.meetings, first)]
    return rules._replace(notes=(*rules.notes, *notes))


def _meeting_note(meeting: Meeting, number: int) -> Note:
    """Return a rule about how pieces meet in words."""
    is_other = meeting.high != MAX_WITHOUT_CROSSROADS
    kind = meeting.kind.value + "Corners" * meeting.corners + "Across" * (meeting.words.count(" across ") == 1)
    kind += "At" * is_other
    where = ((meeting.where, (len(meeting.region),)),) if meeting.where else ()
    bounds = str(meeting.high) if is_other else meeting.motion or ", ".join(meeting.pieces)
    return Note(kind, bounds, where, (number,), _cells_named(meeting.region))


def _on_regions(puzzle: Puzzle) -> Ruling:
    lattice, rules = puzzle.lattice, puzzle.rules.regions
    if not rules:
        return Ruling()
    if lattice is None or any(isinstance(location.at, str) for location in puzzle.locations):
        return Ruling(notes=tuple([_cells_note(rule, number) for number, rule in enumerate(rules)]))
    lines = _lines(puzzle, lattice)
    notes, rest = _line_notes(rules, lines)
    notes += _named_notes(rules, rest)
    can_outline = not lattice.of_edges and (lattice.dimension < 3 or layer_of(lattice) is not None)
    groups: dict[frozenset[Address], list[int]] = defaultdict(list)
    for number in rest:
        groups[frozenset(rules[number].region)].append(number)
    regions, left = _outlined(rules, list(groups.values()), lattice) if can_outline else ([], list(groups.values()))
    for numbers in left:
        notes += [_cells_note(rules[number], number) for number in numbers]
    if lattice.dimension > 2:
        notes += [_cells_note(rules[number], number, drawn=True) for region in regions for number in region.rules]
    return Ruling(tuple(regions), tuple(notes))


def _lines(puzzle: Puzzle, lattice: Lattice) -> dict[str, list[frozenset[Cell]]]:
    """Return the rows and columns of a board of squares or cubes, by their names, and the whole board."""
    cells = cells_of(puzzle)
    lines_of = {"board": [frozenset(cells)]}
    if lattice.name not in ("square", "cubic"):
        return lines_of
    for name, axes in _LINES[lattice.dimension].items():
        lines: dict[tuple[int, ...], list[Cell]] = defaultdict(list)
        for cell in cells:
            lines[tuple([cell[axis] for axis in reversed(axes)])].append(cell)
        lines_of[name] = [frozenset(lines[key]) for key in sorted(lines)]
    return lines_of


def _line_notes(rules: Sequence[_Rule], lines: Mapping[str, Sequence[frozenset[Cell]]]) -> tuple[list[Note], list[int]]:
    """Return notes for rules on lines, and the numbers of all other rules.

    A sum that does not hold in each line of a direction is one of the others: its outline says more.
    """
    conditions: dict[tuple[Condition, str], dict[frozenset[Address], list[int]]] = {}
    for number, rule in enumerate(rules):
        numbers_of = conditions.setdefault((rule.kind, bounds_of(rule)), {})
        numbers_of.setdefault(frozenset(rule.region), []).append(number)
    notes: list[Note] = []
    noted: set[int] = set()
    for (kind, bounds), regions in conditions.items():
        where: list[tuple[str, tuple[int, ...]]] = []
        used: set[int] = set()
        for name, several in lines.items():
            there = [number for number, line in enumerate(several, 1) if line in regions]
            whole = all(line in regions for line in several if len(line) > 1)
            if not there or used >= {number for at in there for number in regions[several[at - 1]]}:
                continue
            if not whole and (kind is Condition.SUM or name in ("pillar", "layer")):
                continue
            where.append((name, () if whole else tuple(there)))
            used.update(number for at in there for number in regions[several[at - 1]])
        if where:
            notes.append(Note(kind.value, bounds, tuple(where), tuple(sorted(used))))
            noted |= used
    return notes, [number for number in range(len(rules)) if number not in noted]


def _named_notes(rules: Sequence[_Rule], rest: list[int]) -> list[Note]:
    """Return notes for rules on each line in a direction, and remove their numbers from the ``rest``."""
    numbers_of: dict[tuple[Condition, str, str, str], list[int]] = {}
    for number in rest:
        if match := _NAMED.fullmatch(rules[number].name):
            key = rules[number].kind, bounds_of(rules[number]), match[1], match[2] or ""
            numbers_of.setdefault(key, []).append(number)
    noted = {number for numbers in numbers_of.values() for number in numbers}
    rest[:] = [number for number in rest if number not in noted]
    return [
        Note(kind.value, bounds, ((word, ()),), tuple(numbers), cells=way)
        for (kind, bounds, word, way), numbers in numbers_of.items()
    ]


def _cells_note(rule: _Rule, number: int, *, drawn: bool = False) -> Note:
    """Return a rule on any region in words."""
    where = rule.name or _cells_named(rule.region)
    return Note(rule.kind.value, bounds_of(rule), (("cells", (len(rule.region),)),), (number,), where, drawn)


def _cells_named(region: Sequence[Address]) -> str:
    """Return the names of the locations of a region; empty if there are many."""
    named = " ".join(at if isinstance(at, str) else f"({address_name(at)})" for at in region)
    return named if len(region) <= MAX_CELLS_NAMED else ""


def _outlined(
    rules: Sequence[_Rule], groups: Sequence[Sequence[int]], lattice: Lattice
) -> tuple[list[Ruled], list[Sequence[int]]]:
    """Return regions with outlines, and the rules of those that overlap too many others."""
    on: dict[Cell, list[int]] = defaultdict(list)
    regions: list[Ruled] = []
    left: list[Sequence[int]] = []
    tops: set[Cell] = set()
    for numbers in groups:
        first = rules[numbers[0]]
        cells = tuple([at for at in first.region if not isinstance(at, str)])
        below = {other for cell in cells for other in on[cell]}
        depth = _free({regions[other].depth for other in below})
        if depth >= MAX_DEPTH:
            left.append(numbers)
            continue
        beside = {other for cell in cells for at in neighbours(cell, lattice) for other in on.get(at, ())}
        tone = _free({regions[other].tone for other in below | beside}) % len(TONES)
        in_order = sorted(cells, key=lambda cell: _reading_order(lattice, cell))
        top = next((cell for cell in in_order if cell not in tops), in_order[0])
        tops.add(top)
        label = " ".join(_sign(rules[number]) for number in numbers)
        words = " and ".join(rules[number].words for number in numbers)
        for cell in cells:
            on[cell].append(len(regions))
        regions.append(Ruled(cells, label, words, tuple(numbers), depth, tone, top))
    return regions, left


def _free(used: set[int]) -> int:
    return next(number for number in range(len(used) + 1) if number not in used)


def _reading_order(lattice: Lattice, cell: Cell) -> tuple[float, ...]:
    x, y, z = spot(lattice, lattice.point(cell))
    return z, y, x


def bounds_of(rule: _Rule) -> str:
    """Return the bounds of a sum or number, such as ``= 7``; nothing for another condition."""
    if rule.kind is Condition.COUNT:
        named = f" ({rule.piece})" if rule.piece else ""
        if rule.low == rule.high:
            return f"= {rule.low}{named}"
        ends = [f">= {rule.low}"] * bool(rule.low) + [f"<= {rule.high}"] * (rule.high < ANY)
        return " and ".join(ends) + named
    return rule.words.removeprefix("sum ") if rule.kind is Condition.SUM else ""


def _sign(rule: _Rule) -> str:
    """Return the condition of a rule in a few characters.

    >>> [_sign(RegionRule(Condition.SUM, (), *bounds)) for bounds in ((7, 7), (0, 4))]
    ['7', '≤4']
    """
    if not rule.kind.is_bounded:
        return "=" if rule.kind is Condition.EQUAL else "\u2260"
    text = bounds_of(rule)
    for words, sign in ((">= ", "\u2265"), ("<= ", "\u2264"), ("> ", ">"), ("< ", "<"), ("= ", ""), (" and ", " ")):
        text = text.replace(words, sign)
    return text


@cache
def _words() -> dict[str, Any]:
    words: dict[str, Any] = languages()["en"]["words"]
    return words


def _phrase(key: str, number: int = 0, **values: object) -> str:
    words = _words()[f"rules.{key}"]
    text = words if isinstance(words, str) else words["one" if number == 1 else "other"]
    return str(text).format(**values, n=number)


def sentence(note: Note) -> str:
    """Return a note in words, as `phrase.js` does on pages in other languages.

    >>> sentence(Note("different", "", (("row", ()), ("column", (1, 3))), ()))
    'Each row and columns 1, 3: all different'
    """
    places = []
    for name, numbers in note.where:
        if name in _OF_CELLS:
            text = _phrase("cells" if note.cells else "somewhere", numbers[0], cells=note.cells)
            text = text if name == "cells" else _phrase(f"points.{name}", region=text)
        elif name == "board" or not numbers:
            text = _phrase(f"each.{name}", cells=note.cells)
        else:
            text = _phrase(f"some.{name}", len(numbers), numbers=", ".join(map(str, numbers)))
        places.append(text)
    where = "".join(places) if len(places) < 2 else _phrase("and", first=", ".join(places[:-1]), last=places[-1])
    text = f"{where}: " * bool(places) + _phrase(note.kind, bounds=note.bounds)
    return f"{text[0].upper()}{text[1:]}"


def layers_of(lattice: Lattice, cells: Iterable[Cell]) -> Iterator[tuple[float, Lattice, list[Cell]]]:
    """Yield the layers of cells: the height above the table, the flat lattice of the layer, and its cells."""
    flat = layer_of(lattice) or lattice
    heights: dict[float, list[Cell]] = defaultdict(list)
    for cell in cells:
        heights[_height(lattice, cell)].append(_flat_cell(lattice, cell))
    for height, those in sorted(heights.items()):
        yield height, flat, those


def border(lattice: Lattice, cells: Iterable[Cell], depth: int, size: float) -> list[_Ring]:
    """Return the middle of the outline of a region on a sheet, in lengths of the lattice.

    ``size`` is that of a cell in these lengths.
    """
    return within(outline(lattice, cells), (BAND / 2 + APART * depth) * size)


def within(rings: Iterable[Sequence[Sequence[float]]], far: float) -> list[_Ring]:
    """Return rings moved inwards; outer rings run clockwise on the page, rings around holes counterclockwise.

    >>> within([[(0, 0), (4, 0), (4, 2), (0, 2)]], 0.5)
    [[(0.5, 0.5), (3.5, 0.5), (3.5, 1.5), (0.5, 1.5)]]
    """
    return [[_moved(ring, index, far) for index in range(len(ring))] for ring in rings]


def _moved(ring: Sequence[Sequence[float]], index: int, far: float) -> tuple[float, float]:
    """Return a corner of a ring, moved so that both of its sides move inwards by the same distance."""
    before, here, after = ring[index - 1], ring[index], ring[(index + 1) % len(ring)]
    (a, b), (c, d) = _inwards(before, here), _inwards(here, after)
    share = far / max(0.2, 1 + a * c + b * d)
    return here[0] + share * (a + c), here[1] + share * (b + d)


def _inwards(start: Sequence[float], end: Sequence[float]) -> tuple[float, float]:
    x, y = end[0] - start[0], end[1] - start[1]
    long = hypot(x, y)
    return -y / long, x / long


def label_place(corners: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the place of a label in a cell on a page: near the middle of its upper side."""
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    (a, b), (c, d) = (place[:2] for place in min(sides, key=lambda side: round(side[0][1] + side[1][1], 9)))
    x, y = (sum(place[axis] for place in corners) / len(corners) for axis in (0, 1))
    part = 2 * LABEL
    return (a + c) / 2 * (1 - part) + x * part, (b + d) / 2 * (1 - part) + y * part


def as_data(puzzle: Puzzle) -> dict[str, object]:
    """Return the rules for a page, as plain data: outlines with their labels, and notes.

    Lengths are those of the lattice: x to the right, y downwards, and the height above the table.
    """
    rules, lattice = ruling(puzzle), puzzle.lattice
    if not puzzle.rules.regions and not puzzle.rules.meetings:
        return {}
    regions = [
        _region_data(puzzle.rules.regions, lattice, region, region.top)
        for region in rules.regions
        if lattice is not None and region.top is not None
    ]
    size = breadth(layer_of(lattice) or lattice) if lattice and regions else 0.0
    return {
        "band": round(BAND * size, 4),
        "letters": round(LETTERS * size, 4),
        "regions": regions,
        "notes": [
            {"kind": note.kind, "bounds": note.bounds, "where": note.where, "rules": note.rules}
            | ({"cells": note.cells} if note.cells else {})
            | ({"drawn": True} if note.drawn else {})
            for note in rules.notes
        ],
    }


def _region_data(rules: Sequence[_Rule], lattice: Lattice, region: Ruled, top: Cell) -> dict[str, object]:
    flat = layer_of(lattice) or lattice
    x, y = label_place(on_sheet(flat, _flat_cell(lattice, top)))
    return {
        "label": region.label,
        "conditions": [{"kind": rules[rule].kind.value, "bounds": bounds_of(rules[rule])} for rule in region.rules],
        "rules": region.rules,
        "colour": TONES[region.tone],
        "tint": "" if region.depth else tint(region.tone),
        "at": [round(x, 4), round(y, 4), _height(lattice, top)],
        "parts": [
            {
                "height": height,
                "rings": [
                    [round(value, 4) for place in ring for value in place]
                    for ring in border(flat, cells, region.depth, breadth(flat))
                ],
            }
            for height, flat, cells in layers_of(lattice, region.cells)
        ],
    }


def _flat_cell(lattice: Lattice, cell: Cell) -> Cell:
    return cell if lattice.dimension < 3 else (*cell[:2], *cell[3:])


def _height(lattice: Lattice, cell: Cell) -> float:
    """Return the height of a cell above the table; 0 on a flat lattice."""
    return spot(lattice, lattice.point(cell))[2]


def tint(tone: int) -> str:
    """Return the colour of an empty location in a region."""
    return mixed(TONES[tone], "#ffffff", 0.87)
