"""Shape sets and families as text: all of them in lists, and the pieces of one set with their names."""

from __future__ import annotations

from puzzlec.diagnostics import counted
from puzzlec.geometry import Freedom, ShapeSet, find_library, library_names
from puzzlec.geometry.families import Family, family_names, find_family, sized_names
from puzzlec.ir import Piece
from puzzlec.show.terminal.layout import entry
from puzzlec.show.terminal.style import Style
from puzzlec.show.terminal.text import draw_piece

#: The columns of names in a list, and the blanks between two pieces.
_INDENT, _GAP = 26, 4


def libraries_text(width: int = 80) -> str:
    """Return a list of the families, and of the shape sets by the lattice that they belong to."""
    lines = ["families, of any size:", ""]
    for name in family_names():
        family = find_family(name)
        lines += entry(name, f"{family.summary} (lattice {family.lattice.name})", width, _INDENT)
    by_lattice: dict[str, list[ShapeSet]] = {}
    for name in library_names():
        found = find_library(name)
        by_lattice.setdefault(found.lattice.name, []).append(found)
    for lattice, sets in by_lattice.items():
        lines += ["", f"on lattice {lattice}:", ""]
        for each in sets:
            lines += entry(each.name, each.summary, width, _INDENT)
    lines += ["", "sizes of families with a name:", ""]
    for name, (kind, size) in sized_names().items():
        lines += entry(name, f"{kind} {size}", width, _INDENT)
    return "\n".join(lines)


def family_text(family: Family, width: int = 80) -> str:
    """Return in words what a family is, and how many polyforms of each size and freedom are known."""
    lines = [f"{family.name}: {family.summary} (lattice {family.lattice.name})", ""]
    heads = ["size", *(freedom.value for freedom in Freedom)]
    most = max(len(known.counts) for known in family.published.values())
    rows = [
        [str(size), *(_number(family.published[freedom].counts, size) for freedom in Freedom)]
        for size in range(1, most + 1)
    ]
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(len(heads))]
    lines += ["  " + "  ".join(map(str.rjust, row, widths)) for row in (heads, *rows)]
    lines.append("")
    for freedom in Freedom:
        lines += entry(freedom.value, f"numbers: {family.published[freedom].source}", width)
    return "\n".join(lines)


def shapes_text(shapes: ShapeSet, width: int = 80, ascii: bool = False) -> str:
    """Return the pieces of a set with their names, side by side as far as the width goes."""
    head = f"{shapes.name}: {shapes.summary}"
    facts = f"{counted(len(shapes.shapes), 'piece')}, {shapes.freedom.value}, lattice {shapes.lattice.name}"
    lines = [head, facts, f"source: {shapes.source}"]
    row: list[str] = []
    style = Style(ascii=ascii, width=max(1, width - 2))
    for shape in shapes.shapes.values():
        piece = Piece(shape.name, shape.cells, shape.colours or (None,) * len(shape.cells))
        block = [shape.name, *(f"  {line}" for line in draw_piece(piece, shapes.lattice, style).split("\n"))]
        before = max(map(len, row), default=0)
        if row and before + _GAP + max(map(len, block)) > width:
            lines += ["", *row]
            row = []
        row = _beside(row, block)
    return "\n".join(line.rstrip() for line in [*lines, "", *row])


def _beside(left: list[str], right: list[str]) -> list[str]:
    """Return two blocks of lines side by side."""
    if not left:
        return right
    edge, height = max(map(len, left)) + _GAP, max(len(left), len(right))
    both = zip([*left, *[""] * (height - len(left))], [*right, *[""] * (height - len(right))], strict=True)
    return [one.ljust(edge) + other for one, other in both]


def _number(counts: tuple[int, ...], size: int) -> str:
    return f"{counts[size - 1]:,}" if size <= len(counts) else "-"
