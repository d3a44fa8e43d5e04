"""Locations as statements of the puzzle language: a box, a drawing by the lattice's rule, or a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from math import prod

from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.drawing import Rule, Spot, layout, marks, rule_of
from puzzlec.geometry.regions import LARGEST_REGION, RegionTooLargeError, box, grid, kinds_of
from puzzlec.ir import Location, Puzzle
from puzzlec.ir.puzzle import Address
from puzzlec.language.formatter.spelling import addresses, quoted

#: A drawing of at most so many characters stands on one line.
_SHORT = 24

#: Above so many stretches, locations are listed.
_MOST_RUNS = 3


def board(puzzle: Puzzle, signs: Mapping[str, str], letters: Mapping[Address, str] | None = None) -> Iterator[str]:
    """Give the statements that make the locations of a puzzle, in their order.

    ``signs`` are those of the colours, ``letters`` those of plain locations in a region that is drawn.
    """
    letters = letters or {}
    lattice = puzzle.lattice
    if lattice is None:
        yield from _names(puzzle)
        return
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    plain = not any(location.colour or location.optional for location in puzzle.locations)
    region = _region(cells, lattice) if plain and cells and not letters else ""
    if region:
        yield f"locations {region}"
        return
    rule = rule_of(lattice)
    coloured = any(location.colour for location in puzzle.locations)
    if coloured and (rule is None or not rule.signs):
        raise fail("PZ501", "the puzzle language has colours in drawings only, not on this lattice", puzzle.span)
    runs = list(_runs(puzzle.locations, rule)) if rule else []
    if rule is None or (len(runs) > _MOST_RUNS and plain and not letters):
        for may, group in groupby(puzzle.locations, key=lambda location: location.optional):
            yield f"{'optional ' * may}locations cells {addresses(location.at for location in group)}"
        return
    for run in runs:
        drawn = {
            location.at: "?"
            if location.optional and location.colour is None
            else letters.get(location.at) or sign_of(location.colour, signs)
            for location in run
            if isinstance(location.at, tuple)
        }
        head = "optional locations" if all(location.optional for location in run) else "locations"
        yield from drawing(head, drawn, lattice, rule, place=True)


def sign_of(colour: str | None, signs: Mapping[str, str]) -> str:
    """Return the character of a cell's colour in a drawing."""
    return "x" if colour is None else signs[colour]


def drawing(head: str, signs: Mapping[Cell, str], lattice: Lattice, rule: Rule, place: bool = False) -> Iterator[str]:
    """Give a statement with a drawing, on one line where it is small; ``at`` its place, where asked for."""
    rows = rule.lines(signs) if rule.spaced else ["  ".join(row) for row in layout(signs)]
    at = _place(signs, rows, lattice) if place else ""
    short = "/".join(rows)
    # White space divides layers, or is position: then the blanks behind the brace are no part of the first row.
    on_one = len(rows) < 3 and not rows[0].startswith(" ") if rule.spaced else len(rows) == 1 or " " not in short
    if len(short) <= _SHORT and on_one and (rule.signs or len(rows) == 1):
        yield f"{head} {{ {short} }}{at}"
        return
    yield f"{head} {{"
    yield from (f"  {row}" for row in rows)
    yield f"}}{at}"


def _place(signs: Mapping[Cell, str], rows: list[str], lattice: Lattice) -> str:
    """Return how far a drawing must be moved so that its cells are where they were."""
    read = min(mark.cell for mark in marks("\n".join(rows), lattice))
    vector = [a - b for a, b in zip(min(signs), read, strict=True)][: lattice.dimension]
    return f" at ({','.join(map(str, vector))})" if any(vector) else ""


def _region(cells: list[Cell], lattice: Lattice) -> str:
    """Return the box or the grid that has some cells, in just their order; nothing where there is none."""
    sizes = [max(axis) + 1 for axis in zip(*cells, strict=True)][: lattice.dimension]
    kinds = len(lattice.kinds)
    if min(sizes) > 0 and len(cells) == prod(sizes) * kinds:
        found = box(sizes)
        if cells == list(kinds_of(found, kinds) if kinds > 1 else found):
            return "box " + "x".join(map(str, sizes))
    if lattice.drawing == "sticks":
        columns, rows = (max(cell[axis] + (cell[2] == axis) for cell in cells) for axis in (0, 1))
        if min(columns, rows) >= 0 and _is_grid(cells, columns, rows):
            return f"grid {columns}x{rows}"
    return ""


def _is_grid(cells: list[Cell], columns: int, rows: int) -> bool:
    try:
        return cells == list(grid(columns, rows))
    except RegionTooLargeError:
        return False


def _names(puzzle: Puzzle) -> Iterator[str]:
    """Give the statements that make locations without geometry."""
    names = [str(location.at) for location in puzzle.locations]
    if names == [str(number) for number in range(len(names))] and not any(
        location.optional for location in puzzle.locations
    ):
        yield f"locations {len(names)}"
        return
    start = 0
    for end in range(1, len(names) + 1):
        here = puzzle.locations[start]
        if end == len(names) or puzzle.locations[end].optional != here.optional:
            # A lone number would be read as a number of locations.
            chunk = " ".join(quoted(name) for name in names[start:end])
            lone = end - start == 1 and names[start].isdecimal()
            yield ("optional " if here.optional else "") + f"locations {f'cells {chunk}' if lone else chunk}"
            start = end


def _runs(locations: Iterable[Location], rule: Rule) -> Iterator[list[Location]]:
    """Give the locations in stretches that a drawing lists in just this order."""
    run: list[Location] = []
    mixed = shaded = False  # may just some of the run stay empty; has one of these a colour
    before = low = high = Spot(0, 0, 0)
    for location in locations:
        assert isinstance(location.at, tuple)
        spot = rule.spot(location.at)
        least, most = (Spot(*map(min, low, spot)), Spot(*map(max, high, spot))) if run else (spot, spot)
        # Cells far apart would make a drawing that is nothing but dots.
        wide = prod(b - a + 1 for a, b in zip(least, most, strict=True)) > LARGEST_REGION
        mixed = mixed or bool(run and run[-1].optional != location.optional)
        shaded = shaded or bool(location.colour and location.optional)
        # A coloured location that may stay empty has no sign of its own: all of its drawing must be optional.
        alike = not mixed or (rule.signs and not shaded)
        if run and (before >= spot or wide or not alike):
            yield run
            run, least, most = [], spot, spot
            mixed, shaded = False, bool(location.colour and location.optional)
        run.append(location)
        before, low, high = spot, least, most
    if run:
        yield run
