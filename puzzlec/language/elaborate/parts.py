"""Parts of the board that a rule names with `each`: its lines in a direction, its boxes, and its regions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

import lark

from puzzlec.diagnostics import suggestion
from puzzlec.geometry import Cell
from puzzlec.ir.location import Address
from puzzlec.language.elaborate.context import Context
from puzzlec.language.elaborate.locations import AXES
from puzzlec.language.elaborate.regions import region_named, sizes_of_box, vector_of
from puzzlec.language.expressions import Node, Tree

#: The words for lines along an axis.
_LINE_AXES = {"row": "x", "column": "y"}

#: The directions of `diagonal`, on the lattice `square`.
_DIAGONALS = ((1, 1), (1, -1))


class BoardPart(NamedTuple):
    """A part of the board: its name in messages, such as `row 1`, and its locations in their order."""

    name: str
    cells: Sequence[Address]


def parts_of(context: Context, tree: Tree) -> Iterator[BoardPart]:
    """Yield the parts of the board after `each`; report those that this board does not have."""
    for part in tree.children:
        assert isinstance(part, lark.Tree)
        if context.lattice is None and part.data != "chosen":
            context.report.add(
                "PZ320",
                "missing lattice for rows, lines and boxes",
                context.span(tree),
                help="remove `lattice none`, and draw the board or write `locations box 9x9`",
            )
            return
        yield from _MAKERS[str(part.data)](context, part)


def _named(context: Context, part: Tree) -> Iterator[BoardPart]:
    word = str(part.children[0])
    lattice = context.needed_lattice
    if word == "region":
        yield from _regions(context, part)
    elif word == "diagonal" and lattice.name != "square":
        context.report.add(
            "PZ320",
            f"lattice `{lattice.name}` has no diagonals",
            context.span(part),
            note="`diagonal` belongs to lattice `square`",
            help=f"write `line ({','.join('1' * lattice.dimension)})`",
        )
    elif word == "diagonal":
        numbers = count(1)
        for vector in _DIAGONALS:
            yield from (BoardPart(f"diagonal {next(numbers)}", cells) for cells in _lines(context, vector))
    else:
        axis = AXES.index(_LINE_AXES[word])
        if axis >= lattice.dimension:
            context.report.add(
                "PZ320", f"lattice `{lattice.name}` has no columns", context.span(part), help="write `row`"
            )
            return
        yield from _along(context, word, tuple([int(axis == other) for other in range(lattice.dimension)]))


def _regions(context: Context, part: Tree) -> Iterator[BoardPart]:
    """Yield the regions with letters."""
    if not context.regions.places and "regions" not in context.unread:
        context.report.add(
            "PZ362",
            "missing regions with letters",
            context.span(part),
            help=f"write `each {context.regions.names[0].partition('[')[0]}`"
            if context.regions.defined
            else "declare them, such as `regions A B`, and draw them in `locations`",
        )
    for letter in context.regions.places:
        cells = [at for at in context.regions.cells[letter] if not isinstance(at, str)]
        if cells:
            yield BoardPart(letter, cells)


def _line(context: Context, part: Tree) -> Iterator[BoardPart]:
    (direction,) = part.children
    dimension = context.needed_lattice.dimension
    if isinstance(direction, lark.Tree):
        vector = vector_of(context, direction)
        if vector is None:
            return
        vector = vector[:dimension]
        if not any(vector):
            context.report.add("PZ319", "line has no direction", context.span(direction), help="write `line (1,1)`")
            return
        yield from _along(context, f"line ({','.join(map(str, vector))})", vector)
        return
    name, axes = context.name(direction), AXES[:dimension]
    if name not in axes:
        context.report.add(
            "PZ338",
            f"unknown axis `{name}`",
            context.span(direction),
            note=f"lattice `{context.needed_lattice.name}` has {', '.join(axes)}",
            help=f"write `line {axes[0]}`, or a direction such as `line ({','.join('1' * dimension)})`",
        )
        return
    yield from _along(context, f"line {name}", tuple([int(name == other) for other in axes]))


def _along(context: Context, name: str, vector: Cell) -> Iterator[BoardPart]:
    """Yield the lines in a direction, numbered from 1."""
    for number, cells in enumerate(_lines(context, vector), 1):
        yield BoardPart(f"{name} {number}", cells)


def _cells(context: Context) -> list[Cell]:
    """Return the locations row by row."""
    dimension = context.lattice.dimension if context.lattice else 0
    cells = [at for at in context.board.locations if not isinstance(at, str)]
    return sorted(cells, key=lambda cell: (*reversed(cell[:dimension]), *cell[dimension:]))


def _lines(context: Context, vector: Cell) -> list[list[Cell]]:
    """Return the locations that a multiple of a vector moves to each other, in groups.

    A hole does not interrupt a line. On a board that wraps around, a line continues on the other side.
    """
    lattice = context.needed_lattice
    axis = next(axis for axis, value in enumerate(vector) if value)
    groups: dict[Cell, list[Cell]] = {}
    for cell in _cells(context):
        steps = cell[axis] // vector[axis]
        start = [value - steps * step for value, step in zip(cell, vector, strict=False)]
        groups.setdefault((*start, *cell[lattice.dimension :]), []).append(cell)
    lines = list(groups.values())
    return lines if context.board.wrapping is None else _joined(context, lines, vector)


def _joined(context: Context, lines: list[list[Cell]], vector: Cell) -> list[list[Cell]]:
    """Return lines of a board that wraps around, joined where one continues in another."""
    line_of = {cell: number for number, line in enumerate(lines) for cell in line}
    first = list(range(len(lines)))

    def root(number: int) -> int:
        while first[number] != number:
            number = first[number]
        return number

    most = 1 + sum(max(values) - min(values) for values in zip(*line_of, strict=True))
    for number, line in enumerate(lines):
        for cell in line:
            beyond = _next(context, cell, vector, most)
            if isinstance(beyond, tuple):
                one, two = sorted((root(number), root(line_of[beyond])))
                first[two] = one
    by_root: dict[int, list[Cell]] = {}
    for number, line in enumerate(lines):
        by_root.setdefault(root(number), []).extend(line)
    return list(by_root.values())


def _next(context: Context, cell: Cell, vector: Cell, most: int) -> Address | None:
    """Return the next location on a line, at most this many steps away; None if there is none."""
    for steps in range(1, most + 1):
        moved = [value + steps * step for value, step in zip(cell, vector, strict=False)]
        at = context.board.location_of((*moved, *cell[len(vector) :]), context.lattice)
        if at in context.board.locations:
            return at
    return None


def _boxes(context: Context, part: Tree) -> Iterator[BoardPart]:
    """Yield the boxes of a size that tile the board from its first row and column."""
    sizes = sizes_of_box(context, part.children[0])
    if sizes is None or min(sizes) < 1:
        if sizes is not None:
            context.report.add("PZ319", "size must be at least 1, found 0", context.span(part.children[0]))
        return
    cells = _cells(context)
    corner = [min(values) for values in zip(*cells, strict=True)][: len(sizes)]
    groups: dict[Cell, list[Cell]] = {}
    for cell in cells:
        box = [(value - low) // size for value, low, size in zip(cell, corner, sizes, strict=False)]
        groups.setdefault(tuple(reversed(box)), []).append(cell)
    for number, corner_of_box in enumerate(sorted(groups), 1):
        yield BoardPart(f"box {number}", groups[corner_of_box])


def _chosen(context: Context, part: Tree) -> Iterator[BoardPart]:
    """Yield the region with a name, or all regions that have this name and an index."""
    name, span, _ = context.headed(part.children)
    regions = context.regions.names
    indexed = [] if name in regions else [other for other in regions if other.startswith(f"{name}[")]
    families = dict.fromkeys(other.partition("[")[0] for other in regions if "[" in other)
    if name not in regions and not indexed and (help := suggestion(name, families)):
        context.report.add("PZ362", f"unknown region `{name}`", span, help=help)
        return
    for one in indexed or [name]:
        yield BoardPart(one, list(region_named(context, one, span).cells))


_MAKERS: dict[str, Callable[[Context, Tree], Iterator[BoardPart]]] = {
    "part": _named, "line": _line, "boxes": _boxes, "chosen": _chosen,
}  # fmt: skip


def is_each(node: Node) -> bool:
    """Return whether a node of a rule is `each` with the parts after it."""
    return isinstance(node, lark.Tree) and node.data == "each"
