"""Drawings: cells typed as they lie on paper, and cells laid out as characters again.

The drawing rule ``rows`` serves line, square and cubic: rows run downwards (y), characters to the
right (x), and groups of characters separated by white space in a row are successive layers (z).

The drawing rule ``sticks`` serves the edges of the square grid: ``-`` and ``|`` are edges, ``+`` a point of the grid,
``.`` and blanks nothing. Points are in every second row and column, edges between two points; the signs say which.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from math import prod
from typing import NamedTuple

from puzzlec.geometry.lattice import Cell, Lattice

#: The character for "no cell".
BLANK = "."


class DrawingError(ValueError):
    """A drawing that cannot be read: why, and the characters (offsets into the text) at fault."""

    def __init__(self, code: str, message: str, start: int, end: int, note: str = "", help: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.start, self.end, self.note, self.help = code, message, start, end, note, help


class Mark(NamedTuple):
    """A character of a drawing that stands for a cell, with its offset in the text."""

    cell: Cell
    sign: str
    offset: int


def marks(text: str, lattice: Lattice) -> list[Mark]:
    """Return the cells of a drawing in reading order: layer by layer, row by row.

    A ``/`` ends a row as a newline does, ``#`` starts a comment. Characters other than ``.`` are cells;
    what they mean is the caller's business. Raises DrawingError for layers that do not match, and for
    a drawing with more axes than the lattice has.

    >>> from puzzlec.geometry import find_lattice
    >>> [mark.cell for mark in marks("xx/x.", find_lattice("square"))]
    [(0, 0), (1, 0), (0, 1)]
    """
    if lattice.drawing == "sticks":
        return _sticks(text)
    rows = [row for row in _rows(text) if row]
    if not rows:
        raise DrawingError("PZ314", "this drawing has no cell", 0, len(text))
    if lattice.dimension > 2:
        _no_gap(re.sub(r"#[^\n]*", lambda comment: "#" * len(comment.group()), text), rows)
    layers = len(rows[0])
    for row in rows:
        if len(row) != layers:
            start, end = row[0][0], row[-1][0] + len(row[-1][1])
            raise DrawingError(
                "PZ313",
                f"this row has {_layers(len(row))}, the first row has {_layers(layers)}",
                start,
                end,
                note="groups of characters in a row are successive layers",
            )
    _suits(rows, lattice)
    for row in rows:
        for layer, (start, group) in enumerate(row):
            width = len(rows[0][layer][1])
            if len(group) != width:
                whose = "the first row of its layer" if layers > 1 else "the first row"
                raise DrawingError(
                    "PZ313",
                    f"this row has {len(group)} character{'s' * (len(group) != 1)}, {whose} has {width}",
                    start,
                    start + len(group),
                    help="write `.` where there is no cell"
                    + (f", such as `{group + BLANK * (width - len(group))}`" if len(group) < width < 40 else ""),
                )
    found = [
        Mark((x, y, z)[: lattice.dimension], sign, start + x)
        for z in range(layers)
        for y, row in enumerate(rows)
        for start, group in (row[z],)
        for x, sign in enumerate(group)
        if sign != BLANK
    ]
    if not found:
        raise DrawingError("PZ314", "this drawing has no cell", 0, len(text))
    return found


def _sticks(text: str) -> list[Mark]:
    """Return the edges of a drawing in reading order; ``-`` stands between points in a row, ``|`` in a column."""
    found: list[tuple[int, int, str, int]] = []
    for row, (line, start) in enumerate(_lines_of_sticks(text)):
        for column, sign in enumerate(line):
            if sign in "+-|":
                found.append((row, column, sign, start + column))
            elif sign not in ". ":
                name = "a tab" if sign == "\t" else f"`{sign}`"
                raise DrawingError(
                    "PZ315",
                    f"{name} does not belong in a drawing of sticks",
                    start + column,
                    start + column + 1,
                    help="draw edges with `-` and `|`, points with `+`, nothing with `.` or a blank",
                )
    if not any(sign != "+" for _, _, sign, _ in found):
        raise DrawingError("PZ314", "this drawing has no edge", 0, len(text))
    # Points are at even rows and columns, counted from where the first sign says.
    odd = {"+": (0, 0), "-": (0, 1), "|": (1, 0)}
    first_row, first_column, sign, _ = found[0]
    up, left = (first_row + odd[sign][0]) % 2, (first_column + odd[sign][1]) % 2
    edges: list[Mark] = []
    for row, column, sign, offset in found:
        y, x = row + up, column + left
        if (y % 2, x % 2) != odd[sign]:
            raise DrawingError(
                "PZ315",
                f"`{sign}` is out of line with the signs before it",
                offset,
                offset + 1,
                note="points are in every second row and column, `-` and `|` between two of them",
            )
        if sign != "+":
            edges.append(Mark((x // 2, y // 2, int(sign == "|")), "x", offset))
    return edges


def _lines_of_sticks(text: str) -> list[tuple[str, int]]:
    """Return the rows of a drawing in which white space is position, each with its offset; their common indentation
    is dropped.
    """  # noqa: D205
    rows: list[tuple[str, int]] = []
    offset = 0
    for line in text.split("\n"):
        start = offset
        for row in line.split("#", 1)[0].rstrip("\r").split("/"):
            rows.append((row, start))
            start += len(row) + 1
        offset += len(line) + 1
    while rows and not rows[0][0].strip():
        rows = rows[1:]
    while rows and not rows[-1][0].strip():
        rows = rows[:-1]
    if len(rows) and "\n" not in text:
        # On one line only the first row stands behind the brace's blank.
        first, start = rows[0]
        rows[0] = first.lstrip(" "), start + len(first) - len(first.lstrip(" "))
        return rows
    indent = min((len(row) - len(row.lstrip(" ")) for row, _ in rows if row.strip()), default=0)
    return [(row[indent:], start + indent) for row, start in rows]


def layout_sticks(signs: Mapping[Cell, str], blank: str = " ", point: str = "+") -> list[str]:
    """Return edges as rows of text: each edge its sign, between the points of the grid that belong to some edge.

    >>> layout_sticks({(0, 0, 0): "-", (0, 0, 1): "|"})
    ['+-+', '|', '+']
    """
    low = min(cell[0] for cell in signs), min(cell[1] for cell in signs)
    drawn: dict[tuple[int, int], str] = {}
    for (x, y, kind), sign in signs.items():
        row, column = 2 * (y - low[1]), 2 * (x - low[0])
        for step in (0, 2):
            drawn.setdefault((row + step * kind, column + step * (1 - kind)), point)
        drawn[row + kind, column + 1 - kind] = sign
    height, width = max(row for row, _ in drawn), max(column for _, column in drawn)
    return [
        "".join(drawn.get((row, column), blank) for column in range(width + 1)).rstrip() for row in range(height + 1)
    ]


def _no_gap(text: str, rows: list[list[tuple[int, str]]]) -> None:
    """Refuse a blank row between rows of a solid: whoever leaves one means a new layer, which it does not make."""
    for above, below in pairwise(rows):
        start, end = above[-1][0] + len(above[-1][1]), below[0][0]
        if re.search(r"/\s*/|/[^\S\n]*\n\s*\n|\n[^\S\n]*\n", text[start:end]):
            raise DrawingError(
                "PZ313",
                "a blank row does not begin a new layer",
                below[0][0],
                below[0][0] + len(below[0][1]),
                note="the layers of a solid stand side by side in a row, with blanks between",
                help="write the first rows of all layers in one row, such as `xx x.`",
            )


def _layers(number: int) -> str:
    return f"{number} layer" + "s" * (number != 1)


def _suits(rows: list[list[tuple[int, str]]], lattice: Lattice) -> None:
    """Refuse rows on a line, and layers on a flat lattice."""
    if lattice.dimension < 3 and len(rows[0]) > 1:
        start, group = rows[0][1]
        raise DrawingError(
            "PZ313",
            f"a drawing on the flat lattice `{lattice.name}` has one layer",
            start,
            start + len(group),
            note="white space in a row divides layers",
            help="write `lattice cubic` for a solid, or close the gap",
        )
    if lattice.dimension < 2 and len(rows) > 1:
        start, group = rows[1][0]
        raise DrawingError("PZ313", f"a drawing on the lattice `{lattice.name}` has one row", start, start + len(group))


def _rows(text: str) -> Iterator[list[tuple[int, str]]]:
    """Give the rows of a drawing, each a list of its groups with their offsets."""
    offset = 0
    for line in text.split("\n"):
        code = line.split("#", 1)[0]
        start = offset
        for row in code.split("/"):
            yield _groups(row, start)
            start += len(row) + 1
        offset += len(line) + 1


def _groups(row: str, start: int) -> list[tuple[int, str]]:
    groups = []
    at = 0
    for group in row.split():
        at = row.index(group, at)
        groups.append((start + at, group))
        at += len(group)
    return groups


def is_scattered(cells: Collection[Cell]) -> bool:
    """Whether cells lie so far apart that a drawing of them would be nothing but dots.

    >>> is_scattered([(0, 0), (1, 0)]), is_scattered([(0, 0), (10**6, 10**6)])
    (False, True)
    """
    room: int = prod(max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
    return room > max(10_000, 100 * len(cells))


def layout(signs: Mapping[Cell, str], blank: str = BLANK) -> list[list[str]]:
    """Return cells as rows of text, each a list of its layers; the bounding box is filled up with ``blank``.

    >>> layout({(0, 0): "x", (1, 0): "x", (0, 1): "x"})
    [['xx'], ['x.']]
    """
    whole = [(*cell, 0, 0, 0)[:3] for cell in signs]
    low = [min(cell[axis] for cell in whole) for axis in range(3)]
    high = [max(cell[axis] for cell in whole) for axis in range(3)]
    filled = dict(zip(whole, signs.values(), strict=True))
    return [
        ["".join(filled.get((x, y, z), blank) for x in range(low[0], high[0] + 1)) for z in range(low[2], high[2] + 1)]
        for y in range(low[1], high[1] + 1)
    ]
