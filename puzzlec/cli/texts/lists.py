"""Lattices, shape sets and families as text: descriptions and tables. Also how often pieces cover each location."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.columns import aligned, entry
from puzzlec.geometry import Cell, Freedom, Lattice, ShapeSet, find_library, library_names
from puzzlec.geometry.drawing import DrawingRule, drawn_rule, rule_of, spread
from puzzlec.geometry.families import Family, family_names, find_family, sized_names
from puzzlec.geometry.lattice_words import cells_beside
from puzzlec.ir import Fitting, Piece
from puzzlec.ir.location import address_text
from puzzlec.show.terminal.layout import hanging, rows_of_blocks, wrapped
from puzzlec.show.terminal.style import Style
from puzzlec.show.terminal.text import draw_piece

_FREEDOMS = {
    Freedom.FREE: "free: rotated and reflected",
    Freedom.ONE_SIDED: "one-sided: rotated, not reflected",
    Freedom.FIXED: "fixed: neither rotated nor reflected",
}

_DRAWINGS = {
    "rows": "rows of characters, one for each cell; layers stand side by side",
    "sticks": "`-` and `|` are edges, `+` the points between them",
    "hex": "a character for each cell with a space between two, each row shifted by half a cell",
    "triangle": "a character for each triangle, alternately pointing up and down",
}


def lattice_text(lattice: Lattice, width: int = 80) -> str:
    """Return in words what a lattice is: its cells and their neighbours, its symmetries, how pieces are written.

    Raises ValueError if its generators make no finite group: it was never proved.
    """
    return "\n".join([f"{lattice.name}: {lattice.summary}", "", *_lines(lattice, width)])


def proofs_text(lattice: Lattice, width: int = 80) -> str:
    """Return the proved properties of a lattice in which ``geometry.proving`` finds no error."""
    place = "meet at their ends only" if lattice.of_edges else "fill space once"
    proved = f"the symmetries form a finite group and keep cells, outlines and neighbours; the cells {place}"
    return "\n".join(hanging(f"proved: {proved}", width))


def lattices_text(lattices: Iterable[Lattice], width: int | None = None) -> str:
    """Return a table of lattices: dimension, kinds of cell, rotations, isometries, summary, in lines of a width."""
    rows = [
        (
            lattice.name,
            *map(str, (lattice.dimension, len(lattice.kinds), len(lattice.rotations), len(lattice.isometries))),
            lattice.summary,
        )
        for lattice in lattices
    ]
    heads = ("name", "dimension", "kinds", "rotations", "with reflections", "summary")
    return "\n".join(aligned([heads, *rows], left=(0, len(heads) - 1), width=width))


def _lines(lattice: Lattice, width: int) -> Iterator[str]:
    yield from entry("dimension", str(lattice.dimension), width)
    several = len(lattice.kinds) > 1
    yield from entry("kinds", str(len(lattice.kinds)), width)
    for number, (name, neighbours) in enumerate((kind.name, len(kind.neighbours)) for kind in lattice.kinds):
        yield from entry("", f"{f'{number}: ' * several}{name}, {counted(neighbours, 'neighbour')}", width)
    names = ["x", "y", "z", "u", "v", "w"][: lattice.dimension] + ["kind"] * several
    yield from entry("a cell", f"({','.join(names)})", width)
    yield from entry("rotations", f"{len(lattice.rotations)}, {len(lattice.isometries)} with the reflections", width)
    yield from entry("freedom", f"{_FREEDOMS[lattice.freedom]}, unless a puzzle says otherwise", width)
    drawn = rule_of(lattice) is not None
    rule = f"{lattice.drawing}: {_DRAWINGS.get(lattice.drawing, 'drawn by a rule')}"
    yield from entry("drawings", rule if drawn else "none: cells are listed by their coordinates", width)
    if not lattice.of_edges:
        first = address_text((0,) * lattice.coordinates)
        yield from entry(
            "sides", f"of {first}, in order: towards {' '.join(map(address_text, cells_beside(lattice)))}", width
        )
    if lattice.faces:
        yield from entry("edges of", f"the cells of the lattice {lattice.faces[0]}", width)
    if lattice.of_balls:
        yield from entry(
            "pieces", "rigid bodies of balls: they lie wherever a motion takes their balls to cells", width
        )
    yield from entry("crossings", "; ".join(_crossings(lattice)) or "none", width)


def _crossings(lattice: Lattice) -> Iterator[str]:
    """Yield the points where pieces may cross, in words."""
    for ways, number in sorted(Counter(map(len, lattice.crossings)).items()):
        points = f"{counted(number, 'point')} with {ways} ways through"
        yield f"{points}: only one may be used, unless a puzzle allows crossing"


#: The columns of names in a list, and the spaces between two pieces.
_INDENT, _GAP = 26, 4


def libraries_text(width: int = 80) -> str:
    """Return a list of the families, and of the shape sets of each lattice."""
    lines = ["families, of any size:", ""]
    for name in family_names():
        family = find_family(name)
        lines += entry(name, f"{family.summary} (lattice {family.lattice.name})", width, _INDENT)
    by_lattice: dict[str, list[ShapeSet]] = {}
    for name in library_names():
        library = find_library(name)
        by_lattice.setdefault(library.lattice.name, []).append(library)
    for lattice, sets in by_lattice.items():
        lines += ["", f"on lattice {lattice}:", ""]
        for group in sets:
            lines += entry(group.name, group.summary, width, _INDENT)
    lines += ["", "sizes of families with a name:", ""]
    for name, (kind, size) in sized_names().items():
        lines += entry(name, f"{kind} {size}", width, _INDENT)
    return "\n".join(lines)


def family_text(family: Family, width: int = 80) -> str:
    """Return a family in words, and the known numbers of polyforms of each size and freedom."""
    lines = [f"{family.name}: {family.summary} (lattice {family.lattice.name})", ""]
    heads = ["size", *(freedom.value for freedom in Freedom)]
    most = max(len(published.counts) for published in family.published.values())
    rows = [
        [str(size), *(_number(family.published[freedom].counts, size) for freedom in Freedom)]
        for size in range(1, most + 1)
    ]
    lines += [f"  {line}" for line in aligned([heads, *rows])]
    lines.append("")
    for freedom in Freedom:
        lines += entry(freedom.value, f"numbers: {family.published[freedom].source}", width)
    return "\n".join(lines)


def shapes_text(shapes: ShapeSet, width: int = 80, ascii: bool = False) -> str:
    """Return the pieces of a set with their names, side by side as far as the width permits."""
    head = f"{shapes.name}: {shapes.summary}"
    facts = f"{counted(len(shapes.shapes), 'piece')}, {shapes.freedom.value}, lattice {shapes.lattice.name}"
    lines = [head, facts, *hanging(f"source: {shapes.source}", width)]
    blocks = []
    style = Style(ascii=ascii, width=max(1, width - 2))
    for shape in shapes.shapes.values():
        piece = Piece(shape.name, shape.cells, shape.colours or (None,) * len(shape.cells))
        blocks.append([shape.name, *(f"  {line}" for line in draw_piece(piece, shapes.lattice, style).split("\n"))])
    return "\n".join([*lines, "", *rows_of_blocks(blocks, width, _GAP)])


def _number(counts: tuple[int, ...], size: int) -> str:
    return f"{counts[size - 1]:,}" if size <= len(counts) else "-"


def draw_often(fitting: Fitting, name: str, numbers: Sequence[int], count: int, style: Style | None = None) -> str:
    """Return the percentage of ``count`` solutions for each location, from its number of solutions.

    If the locations are cells of a board, the numbers are in the positions of the cells, layers side by side. ``.``
    means no solution, and a space no location. Otherwise locations with a number are listed.
    """
    style = style or Style()
    percentages = [percent(number, count) for number in numbers]
    puzzle = fitting.puzzle
    if puzzle is not None:
        cells = {
            location.at: text
            for location, text in zip(puzzle.locations, percentages, strict=True)
            if isinstance(location.at, tuple)
        }
        rule = drawn_rule(puzzle.lattice, cells)
        rows = _rows(cells, rule, style.width) if rule is not None else []
        if rows:
            return "\n".join([name, *rows])
    words = [f"{fitting.location_name(k)} {text}" for k, text in enumerate(percentages) if numbers[k]]
    return "\n".join([name, *wrapped(words or ["nowhere"], style.width, indent="  ")])


def percent(number: int, count: int) -> str:
    """Return a part in integer percent, ``.`` for nothing; only the whole is 100.

    >>> [percent(number, 1000) for number in (0, 1, 5, 505, 999, 1000)]
    ['.', '<1', '1', '51', '>99', '100']
    """
    if not number:
        return "."
    if number == count:
        return "100"
    rounded = (200 * number + count) // (2 * count)  # exact for any size of numbers
    return "<1" if rounded < 1 else ">99" if rounded > 99 else str(rounded)


def _rows(cells: dict[Cell, str], rule: DrawingRule, width: int) -> list[str]:
    """Return texts in the positions of their cells by a drawing rule; nothing if a layer is too wide."""
    # A space before each number separates them.
    wide = max(map(len, cells.values()))
    pages = list(zip(*spread({cell: f" {text:>{wide}}" for cell, text in cells.items()}, rule), strict=True))
    if max(map(len, pages[0])) >= width:
        return []
    return [f" {line}".rstrip() for line in rows_of_blocks(pages, width - 1, _GAP)]
