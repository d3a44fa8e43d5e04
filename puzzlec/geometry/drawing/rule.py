"""Drawing rules: how cells are typed in a drawing, and how they are laid out as characters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from math import prod
from typing import NamedTuple

from puzzlec.geometry.lattice import Cell, Lattice

#: The character for "no cell".
BLANK = "."

#: Characters from here on stand for colours of several digits while a drawing is read or laid out. Unicode gives them
#: no meaning.
STAND_INS = 0xF0000

#: Characters that people write between rows or layers, and what to write instead.
SEPARATORS, SEPARATORS_HELP = ",;|()[]", "write `/` between rows, and a space between layers of a solid"


class DrawingError(ValueError):
    """An unreadable drawing: the message, and the wrong characters as offsets into the text."""

    def __init__(
        self, code: str, message: str, start: int, end: int, note: str = "", help: str | tuple[str, ...] = ""
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.start, self.end, self.note, self.help = code, message, start, end, note, help


class DrawingMark(NamedTuple):
    """A character of a drawing that is a cell, with its offset in the text."""

    cell: Cell
    sign: str
    offset: int


class DrawingSpot(NamedTuple):
    """The position of a cell in a drawing: layer, row and column, relative to the cell (0,0,...)."""

    layer: int
    row: int
    column: int


class DrawingRule(NamedTuple):
    """A drawing rule; each lattice names its rule."""

    #: Dimensions of the lattices that it can draw, and their number of kinds of cell.
    dimensions: tuple[int, ...]
    kinds: int
    #: Whether white space determines positions; otherwise it separates layers.
    spaced: bool
    #: Whether the character of a cell can have a meaning.
    signs: bool
    #: Number of columns from a cell of a row to the next.
    apart: int
    #: Return the cells of a text in the order of their spots. Raises DrawingError.
    marks: Callable[[str, Lattice], list[DrawingMark]]
    #: Return the spot of a cell; two cells never share a spot.
    spot: Callable[[Cell], DrawingSpot]
    #: Return cells as lines that `marks` reads, moved to the origin: each cell has its character if the rule has
    #: `signs`.
    lines: Callable[[Mapping[Cell, str]], list[str]]
    #: Return cells as lines for people: each cell has its character under any rule.
    picture: Callable[[Mapping[Cell, str]], list[str]]

    def suits(self, lattice: Lattice) -> bool:
        """Return whether the rule can draw the cells of a lattice."""
        return lattice.dimension in self.dimensions and len(lattice.kinds) == self.kinds

    def is_scattered(self, cells: Collection[Cell]) -> bool:
        """Return whether cells lie so far apart that a drawing would be mostly dots."""
        return is_scattered([self.spot(cell) for cell in cells])


def spread(texts: Mapping[Cell, str], rule: DrawingRule, blank: str = "") -> list[list[str]]:
    """Return texts of any width in the positions of their cells: rows of text, each a list of its layers.

    ``blank`` fills the positions of missing cells.

    >>> from puzzlec.geometry.drawing import RULES
    >>> spread({(0, 0): " 10", (2, 0): " 30", (0, 1): " 9"}, RULES["hex"], ".")
    [[' 10   .  30'], ['    9   .']]
    """
    drawn = {rule.spot(cell): text for cell, text in texts.items()}
    low, high = bounds(drawn)
    width = max(map(len, texts.values()))
    unit = -(-width // rule.apart)
    phase = sum(min(drawn)[1:]) % rule.apart

    def line(layer: int, row: int) -> str:
        characters = ""
        for column in range(low.column, high.column + 1):
            if (row + column) % rule.apart == phase:
                text = drawn.get(DrawingSpot(layer, row, column), blank)
                characters = characters.ljust((column - low.column) * unit) + text.rjust(width)
        return characters

    return [[line(layer, row) for layer in range(low.layer, high.layer + 1)] for row in range(low.row, high.row + 1)]


def is_scattered(cells: Collection[Cell]) -> bool:
    """Return whether cells lie so far apart that a drawing would be mostly dots.

    >>> is_scattered([(0, 0), (1, 0)]), is_scattered([(0, 0), (10**6, 10**6)])
    (False, True)
    """
    room: int = prod(max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
    return room > max(10_000, 100 * len(cells))


class PositionedRow(NamedTuple):
    """A row of a drawing in which white space determines positions: its characters, and the offset of the first."""

    text: str
    start: int


def positioned(text: str) -> list[PositionedRow]:
    r"""Return the rows of a drawing in which white space determines positions, without their common indentation.

    A ``/`` ends a row like a newline, ``#`` starts a comment.

    >>> positioned("  x\n   x  # a comment")
    [PositionedRow(text='x', start=2), PositionedRow(text=' x  ', start=6)]
    """
    rows: list[PositionedRow] = []
    offset = 0
    for line in text.split("\n"):
        start = offset
        for row in line.split("#", 1)[0].rstrip("\r").split("/"):
            rows.append(PositionedRow(row, start))
            start += len(row) + 1
        offset += len(line) + 1
    while rows and not rows[0].text.strip():
        rows = rows[1:]
    while rows and not rows[-1].text.strip():
        rows = rows[:-1]
    if rows and "\n" not in text:
        # If all rows are on one line, only the first row may begin with the space after the brace.
        first, start = rows[0]
        rows[0] = PositionedRow(first.lstrip(" "), start + len(first) - len(first.lstrip(" ")))
        return rows
    indent = min((len(row) - len(row.lstrip(" ")) for row, _ in rows if row.strip()), default=0)
    return [PositionedRow(row[indent:], start + indent) for row, start in rows]


def spoken(sign: str) -> str:
    """Return the name of a character in messages."""
    return "a tab" if sign == "\t" else f"`{sign}`"


def refuse_tab(sign: str, offset: int) -> None:
    """Refuse a tab and other wide white space if white space determines positions: their width is unknown."""
    if sign.isspace() and sign != " ":
        name = "a tab" if sign == "\t" else "white space other than spaces"
        raise DrawingError(
            "PZ315",
            f"unexpected {name.removeprefix('a ')} in a drawing",
            offset,
            offset + 1,
            note="on this lattice, white space determines the positions",
            help="write spaces, or `.` for an empty position",
        )


def bounds(spots: Iterable[DrawingSpot]) -> tuple[DrawingSpot, DrawingSpot]:
    """Return the smallest and largest layer, row and column of some spots."""
    axes = list(zip(*spots, strict=True))
    return DrawingSpot(*map(min, axes)), DrawingSpot(*map(max, axes))
