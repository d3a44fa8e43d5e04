"""The drawing rule ``rows`` for line, square, cubic and other lattices with one kind of cell.

Rows run downwards (y), characters to the right (x). Groups of characters in a row, separated by white space, are
successive layers (z). Spaces may be meant as empty positions: suggestions show such drawings with dots.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from puzzlec.geometry.drawing.rule import (
    BLANK,
    SEPARATORS,
    SEPARATORS_HELP,
    DrawingError,
    DrawingMark,
    DrawingRule,
    DrawingSpot,
)
from puzzlec.geometry.lattice import Cell, Lattice

#: Messages show drawings up to this length.
MAX_DRAWING_CHARACTERS = 60


class Uneven(NamedTuple):
    """A row that begins further to the right than others: its characters (offsets into the text), and a fixed drawing.

    ``fixed`` is the drawing with dots for the spaces; empty if the spaces cannot be counted, or if it is long.
    """

    start: int
    end: int
    fixed: str


def indents(lines: Sequence[str]) -> dict[int, int]:
    r"""Return the number of spaces before each row on its own line, by the number of the line.

    The lines are those of a drawing, without comments. The first line, after the brace, and lines of several rows are
    left out. A tab counts as four spaces, as messages show it.

    >>> indents([" xx", "  xx", "", "\txx", "xx / xx"])
    {1: 2, 3: 4}
    """
    return {
        number: _width(line[: len(line) - len(line.lstrip())])
        for number, line in enumerate(lines)
        if number and line.strip() and "/" not in line
    }


def uneven(text: str) -> Uneven | None:
    r"""Return the first row on its own line that begins further to the right than others, or None.

    >>> uneven("\n   xx\n  xx\n")
    Uneven(start=4, end=6, fixed='.xx/xx.')
    """
    lines = _lines(text)
    indent_of = indents(lines)
    if len(set(indent_of.values())) < 2:
        return None
    least = min(indent_of.values())
    first = next(number for number, indent in indent_of.items() if indent > least)
    start = sum(len(line) + 1 for line in text.split("\n")[:first])
    row = lines[first]
    begin = start + len(row) - len(row.lstrip())
    return Uneven(begin, begin + len(row.strip()), _fixed(lines, indent_of, least))


def _fixed(lines: Sequence[str], indent_of: dict[int, int], least: int) -> str:
    """Return a drawing with dots for the spaces before its rows, and all rows equally long."""
    if any(line.strip() and number not in indent_of for number, line in enumerate(lines)):
        return ""
    if max(indent_of.values()) - least > MAX_DRAWING_CHARACTERS:
        return ""
    rows = [(BLANK * (indent - least) + lines[number].strip()).split() for number, indent in indent_of.items()]
    width = max(len(row[0]) for row in rows)
    drawing = "/".join(" ".join([row[0].ljust(width, BLANK), *row[1:]]) for row in rows)
    return drawing if len(drawing) <= MAX_DRAWING_CHARACTERS else ""


def before(text: str, start: int) -> int:
    r"""Return the number of spaces before the row at a character that may be meant as empty positions.

    A space after a ``/`` does not count if there is also one before it, nor does the indentation of other rows.

    >>> before("xxx/ x", 5), before("xxx / x", 6), before("\n  xxx\n   x", 10), before(" x/xxx", 1)
    (1, 0, 1, 0)
    """
    ahead = text[:start].rstrip(" \t")
    width = _width(text[len(ahead) : start])
    if ahead.endswith("/"):
        return max(0, width - (ahead[-2:-1] in (" ", "\t")))
    if ahead.endswith("\n"):
        return width - min(indents(_lines(text)).values(), default=width)
    return 0


def dotted(group: str, blanks: int, width: int) -> str:
    """Return a row with dots for the spaces before it, filled to a width; without them if it has no room.

    >>> dotted("x", 1, 3), dotted("xx", 2, 3)
    ('.x.', 'xx.')
    """
    return (BLANK * blanks * (blanks + len(group) <= width) + group).ljust(width, BLANK)


def gap_help(row: Sequence[tuple[int, str]], others: Iterable[Sequence[tuple[int, str]]]) -> tuple[str, ...]:
    """Return the suggestion for a row of several groups that is as long as another row of a single group.

    A row is a list of its groups, each with its offset in the text.
    """
    start, end = row[0][0], row[-1][0] + len(row[-1][1])
    if len(row) < 2 or end - start > MAX_DRAWING_CHARACTERS or BLANK in "".join(group for _, group in row):
        return ()
    if not any(len(other) == 1 and len(other[0][1]) == end - start for other in others):
        return ()
    whole = [BLANK] * (end - start)
    for at, group in row:
        whole[at - start : at - start + len(group)] = group
    new = "".join(whole)
    return (f"write `{new}` instead of `{new.replace(BLANK, ' ')}`",)


def _lines(text: str) -> list[str]:
    """Return the lines of a drawing without their comments."""
    return [re.sub("#.*", "", line) for line in text.split("\n")]


def _width(blanks: str) -> int:
    return len(blanks.replace("\r", "").replace("\t", "    "))


def marks(text: str, lattice: Lattice) -> list[DrawingMark]:
    """Return the cells of a drawing in reading order: layer by layer, row by row.

    A ``/`` ends a row like a newline, ``#`` starts a comment. Characters other than ``.`` are cells; the caller knows
    their meaning. Raises DrawingError for layers that do not match, and for a drawing with more axes than the lattice.
    """
    rows = [row for row in _rows(text) if row]
    if not rows:
        raise DrawingError("PZ314", "drawing has no cells", 0, len(text), help="write `x` for each cell")
    if lattice.dimension > 2:
        _no_gap(re.sub(r"#[^\n]*", lambda comment: "#" * len(comment.group()), text), rows)
    layers = len(rows[0])
    _suits(rows, lattice)
    for row in rows:
        if len(row) != layers:
            start, end = row[0][0], row[-1][0] + len(row[-1][1])
            raise DrawingError(
                "PZ313",
                f"row has {_layers(len(row))}, but the first row has {_layers(layers)}",
                start,
                end,
                note="groups of characters in a row are successive layers",
                help=_plain(rows)
                or _layer_by_layer(text)
                or (*(gap_help(row, rows) or gap_help(rows[0], rows)), _filled(row, rows[0])),
            )
    for row in rows:
        for layer, (start, group) in enumerate(row):
            width = len(rows[0][layer][1])
            if len(group) != width:
                whose = "the first row of its layer" if layers > 1 else "the first row"
                raise DrawingError(
                    "PZ313",
                    f"row has {len(group)} character{'s' * (len(group) != 1)}, but {whose} has {width}",
                    start,
                    start + len(group),
                    help=_plain(rows)
                    or "write `.` for each empty position" + _such_as(text, row[layer], rows[0][layer], layer),
                )
    cells = [
        DrawingMark((x, y, z)[: lattice.dimension], sign, start + x)
        for z in range(layers)
        for y, row in enumerate(rows)
        for start, group in (row[z],)
        for x, sign in enumerate(group)
        if sign != BLANK
    ]
    if not cells:
        raise DrawingError("PZ314", "drawing has no cells", 0, len(text), help="write `x` for each cell")
    return cells


def _no_gap(text: str, rows: list[list[tuple[int, str]]]) -> None:
    """Refuse an empty row between rows of a solid, which looks like a new layer."""
    layers: list[list[str]] = [[]]
    gap = None
    for above, below in pairwise([[(0, "")], *rows]):
        start, end = above[-1][0] + len(above[-1][1]), below[0][0]
        empty = re.search(r"/\s*/|/[^\S\n]*\n\s*\n|\n[^\S\n]*\n", text[start:end]) if layers[0] else None
        if empty:
            gap = gap if gap is not None else start + empty.end() - 1
            layers.append([])
        layers[-1].append(" ".join(group for _, group in below))
    if gap is not None:
        raise DrawingError(
            "PZ313",
            "unexpected empty row in a solid",
            gap,
            gap + 1,
            note="layers of a solid are side by side in a row, with spaces between them",
            help=_side_by_side(layers),
        )


def _plain(rows: list[list[tuple[int, str]]]) -> str:
    """Return the suggestion for rows or layers with other signs between them, or an empty text."""
    return SEPARATORS_HELP if any(sign in SEPARATORS for row in rows for _, group in row for sign in group) else ""


def _side_by_side(layers: list[list[str]]) -> str:
    """Return the suggestion for layers that are written one after another: a drawing with the layers side by side."""
    width = max(len(row) for layer in layers for row in layer)
    height = max(map(len, layers))
    filled = [[row.ljust(width, BLANK) for row in layer] + [BLANK * width] * (height - len(layer)) for layer in layers]
    drawing = " / ".join(" ".join(row) for row in zip(*filled, strict=True))
    if any(" " in row for layer in layers for row in layer) or len(drawing) > MAX_DRAWING_CHARACTERS:
        return "remove the empty row, and write the layers side by side, such as `xx x.`"
    return f"write the layers side by side: `{drawing}`"


def _layer_by_layer(text: str) -> str:
    """Return the suggestion for whole layers with spaces between them, or an empty text.

    >>> _layer_by_layer("xx/x. x./..")
    'write the layers side by side: `xx x. / x. ..`'
    """
    layers = [layer.split("/") for layer in text.split()]
    height = len(layers[0])
    whole = height > 1 and len(layers) > 1 and all(len(layer) == height and all(layer) for layer in layers)
    return _side_by_side(layers) if whole and "\n" not in text.strip() else ""


def _such_as(text: str, group: tuple[int, str], first: tuple[int, str], layer: int) -> str:
    """Return the shorter of two groups with dots at its end, for a suggestion."""
    (short, size), longer = (group, len(first[1])), first
    if len(group[1]) > size:
        short, size, longer = first, len(group[1]), group
    blanks = before(text, short[0]) if layer == 0 else 0
    where = " in the first row" * (longer is group)
    return f", such as `{dotted(short[1], blanks, size)}`{where}" if size < 40 else where


def _layers(number: int) -> str:
    return f"{number} layer" + "s" * (number != 1)


def _filled(row: list[tuple[int, str]], first: list[tuple[int, str]]) -> str:
    """Return the suggestion for a row with fewer or more layers than the first: the row with dots."""
    if len(row) > len(first):
        return "write `.` in the first row for each empty layer"
    widths = [len(group) for _, group in first]
    groups = [group for _, group in row] + [""] * (len(first) - len(row))
    filled = " ".join(group.ljust(width, BLANK) for group, width in zip(groups, widths, strict=True))
    return "fill each layer with `.`" + (f": `{filled}`" if len(filled) < 60 else "")


def _suits(rows: list[list[tuple[int, str]]], lattice: Lattice) -> None:
    """Refuse several rows on a line, and several layers on a flat lattice."""
    deep = next((row for row in rows if len(row) > 1), None) if lattice.dimension < 3 else None
    if deep is not None:
        start, group = deep[1]
        single = all(len(group) == 1 for row in rows for _, group in row)
        raise DrawingError(
            "PZ313",
            f"too many layers for the flat lattice `{lattice.name}`",
            start,
            start + len(group),
            note="white space in a row separates layers",
            help=(
                *gap_help(deep, rows),
                "write `lattice cubic` for a solid, or remove the gap"
                + (", or `lattice hex` for hexagons" if single and lattice.dimension == 2 else ""),
            ),
        )
    if lattice.dimension < 2 and len(rows) > 1:
        start, group = rows[1][0]
        message = f"too many rows for the lattice `{lattice.name}`"
        raise DrawingError("PZ313", message, start, start + len(group), help="write `lattice square`, or one row")


def _rows(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the rows of a drawing, each a list of its groups with their offsets."""
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


def layout(signs: Mapping[Cell, str]) -> list[list[str]]:
    """Return cells as rows of text, each a list of its layers; blanks fill the bounding box.

    >>> layout({(0, 0): "x", (1, 0): "x", (0, 1): "x"})
    [['xx'], ['x.']]
    """
    whole = [(*cell, 0, 0, 0)[:3] for cell in signs]
    low = [min(cell[axis] for cell in whole) for axis in range(3)]
    high = [max(cell[axis] for cell in whole) for axis in range(3)]
    filled = dict(zip(whole, signs.values(), strict=True))
    return [
        ["".join(filled.get((x, y, z), BLANK) for x in range(low[0], high[0] + 1)) for z in range(low[2], high[2] + 1)]
        for y in range(low[1], high[1] + 1)
    ]


def spot(cell: Cell) -> DrawingSpot:
    """Return the spot of a cell.

    >>> spot((4, 1))
    DrawingSpot(layer=0, row=1, column=4)
    """
    x, y, z = (*cell, 0, 0)[:3]
    return DrawingSpot(z, y, x)


def lines(signs: Mapping[Cell, str]) -> list[str]:
    """Return cells as lines of text, with a space between layers.

    >>> lines({(0, 0, 0): "x", (1, 0, 0): "x", (0, 0, 1): "x"})
    ['xx x.']
    """
    return [" ".join(row) for row in layout(signs)] if signs else []


RULE = DrawingRule(
    dimensions=(1, 2, 3), kinds=1, spaced=False, signs=True, apart=1, marks=marks, spot=spot, lines=lines, picture=lines
)
