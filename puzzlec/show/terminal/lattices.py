"""What a lattice is, in words; and all of them in a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from puzzlec.diagnostics import counted
from puzzlec.geometry import Freedom, Lattice
from puzzlec.geometry.drawing import rule_of
from puzzlec.show.terminal.layout import entry

_FREEDOMS = {
    Freedom.FREE: "free: turned and mirrored",
    Freedom.ONE_SIDED: "one-sided: turned, not mirrored",
    Freedom.FIXED: "fixed: neither turned nor mirrored",
}

_DRAWINGS = {
    "rows": "rows of characters, one for each cell; layers stand side by side",
    "sticks": "`-` and `|` are edges, `+` the points between them",
    "hex": "a character for each cell with a blank between two, each row shifted by half a cell",
    "triangle": "a character for each triangle, those that point up and down by turns",
}


def lattice_text(lattice: Lattice, width: int = 80) -> str:
    """Return in words what a lattice is: its cells and their neighbours, its symmetries, how pieces are written.

    Raises ValueError where its generators make no finite group: it was never proved.
    """
    return "\n".join([f"{lattice.name}: {lattice.summary}", "", *_lines(lattice, width)])


def proofs_text(lattice: Lattice) -> str:
    """Return what is known of a lattice for which ``geometry.proving`` finds no fault."""
    place = "meet at their ends only" if lattice.of_edges else "fill space once"
    return f"proved: the turns make a finite group and keep cells, outlines and neighbours; the cells {place}"


def lattices_text(lattices: Iterable[Lattice]) -> str:
    """Return a table of lattices: dimension, kinds of cell, rotations, rotations and reflections, what they are."""
    rows = [
        (
            each.name,
            *map(str, (each.dimension, len(each.kinds), len(each.rotations), len(each.isometries))),
            each.summary,
        )
        for each in lattices
    ]
    heads = ("name", "dimension", "kinds", "rotations", "with reflections", "summary")
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            text.rjust(size) if 0 < column < len(heads) - 1 else text.ljust(size)
            for column, (text, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (heads, *rows)
    )


def _lines(lattice: Lattice, width: int) -> Iterator[str]:
    yield from entry("dimension", str(lattice.dimension), width)
    several = len(lattice.kinds) > 1
    yield from entry("kinds", str(len(lattice.kinds)), width)
    for number, (name, neighbours) in enumerate((kind.name, len(kind.neighbours)) for kind in lattice.kinds):
        yield from entry("", f"{f'{number}: ' * several}{name}, {counted(neighbours, 'neighbour')}", width)
    names = ["x", "y", "z", "u", "v", "w"][: lattice.dimension] + ["kind"] * several
    yield from entry("a cell", f"({','.join(names)})", width)
    yield from entry("rotations", f"{len(lattice.rotations)}, {len(lattice.isometries)} with the reflections", width)
    yield from entry("freedom", f"{_FREEDOMS[lattice.freedom]}, where a puzzle says no other", width)
    drawn = rule_of(lattice) is not None
    rule = f"{lattice.drawing}: {_DRAWINGS.get(lattice.drawing, 'drawn by a rule')}"
    yield from entry("drawings", rule if drawn else "none: cells are listed by their coordinates", width)
    if lattice.faces:
        yield from entry("sides of", f"the cells of the lattice {lattice.faces[0]}", width)
    if lattice.of_balls:
        yield from entry(
            "pieces", "rigid bodies of balls: they lie wherever a motion takes their balls to cells", width
        )
    yield from entry("crossings", "; ".join(_crossings(lattice)) or "none", width)


def _crossings(lattice: Lattice) -> Iterator[str]:
    """Give in words the points where pieces may cross, by the ways that lead through them."""
    for ways, number in sorted(Counter(map(len, lattice.crossings)).items()):
        yield f"{counted(number, 'point')} with {ways} ways through: one may be taken, unless a puzzle allows crossing"
