"""What a drawing rule is: how cells are typed as they lie on paper, and laid out as characters again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from puzzlec.geometry.lattice import Cell, Lattice

#: The character for "no cell".
BLANK = "."


class DrawingError(ValueError):
    """A drawing that cannot be read: why, and the characters (offsets into the text) at fault."""

    def __init__(
        self, code: str, message: str, start: int, end: int, note: str = "", help: str | tuple[str, ...] = ""
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.start, self.end, self.note, self.help = code, message, start, end, note, help


class Mark(NamedTuple):
    """A character of a drawing that stands for a cell, with its offset in the text."""

    cell: Cell
    sign: str
    offset: int


class Spot(NamedTuple):
    """Where a rule draws a cell: characters of a text, counted from the one that belongs to cell (0,0,...)."""

    layer: int
    row: int
    column: int


@dataclass(frozen=True)
class Rule:
    """A drawing rule; a lattice names the one that it has."""

    #: The dimensions of the lattices that it can draw, and the number of kinds of cell that they have.
    dimensions: tuple[int, ...]
    kinds: int
    #: Whether white space is position; else it divides layers.
    spaced: bool
    #: Whether the sign of a cell can say more than that the cell is there.
    signs: bool
    #: The number of columns from a cell of a row to the next.
    apart: int
    #: Returns the cells of a text in the order of their spots. Raises DrawingError.
    marks: Callable[[str, Lattice], list[Mark]]
    #: Returns where a cell is drawn; two cells are never drawn on one spot.
    spot: Callable[[Cell], Spot]
    #: Returns cells as lines that `marks` reads again, moved: each cell its sign, where the rule has `signs`.
    lines: Callable[[Mapping[Cell, str]], list[str]]
    #: Returns cells as lines for people: each cell its sign, whatever the rule.
    picture: Callable[[Mapping[Cell, str]], list[str]]

    def suits(self, lattice: Lattice) -> bool:
        """Whether the rule can draw the cells of a lattice."""
        return lattice.dimension in self.dimensions and len(lattice.kinds) == self.kinds

    def is_scattered(self, cells: Collection[Cell]) -> bool:
        """Whether cells lie so far apart that a drawing of them would be nothing but dots."""
        return is_scattered([self.spot(cell) for cell in cells])


def spread(texts: Mapping[Cell, str], rule: Rule, blank: str = "") -> list[list[str]]:
    """Return texts of any width where a rule draws their cells: rows of text, each a list of its layers.

    ``blank`` stands where the rule would draw a cell that is not among these.

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
        shown = ""
        for column in range(low.column, high.column + 1):
            if (row + column) % rule.apart == phase:
                text = drawn.get(Spot(layer, row, column), blank)
                shown = shown.ljust((column - low.column) * unit) + text.rjust(width)
        return shown

    return [[line(layer, row) for layer in range(low.layer, high.layer + 1)] for row in range(low.row, high.row + 1)]


def is_scattered(cells: Collection[Cell]) -> bool:
    """Whether cells lie so far apart that a drawing of them would be nothing but dots.

    >>> is_scattered([(0, 0), (1, 0)]), is_scattered([(0, 0), (10**6, 10**6)])
    (False, True)
    """
    room: int = prod(max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
    return room > max(10_000, 100 * len(cells))


class Row(NamedTuple):
    """A row of a drawing in which white space is position: its characters, and where the first stands in the text."""

    text: str
    start: int


def positioned(text: str) -> list[Row]:
    r"""Return the rows of a drawing in which white space is position; their common indentation is dropped.

    A ``/`` ends a row as a newline does, ``#`` starts a comment.

    >>> positioned("  x\n   x  # a comment")
    [Row(text='x', start=2), Row(text=' x  ', start=6)]
    """
    rows: list[Row] = []
    offset = 0
    for line in text.split("\n"):
        start = offset
        for row in line.split("#", 1)[0].rstrip("\r").split("/"):
            rows.append(Row(row, start))
            start += len(row) + 1
        offset += len(line) + 1
    while rows and not rows[0].text.strip():
        rows = rows[1:]
    while rows and not rows[-1].text.strip():
        rows = rows[:-1]
    if rows and "\n" not in text:
        # On one line only the first row stands behind the brace's blank.
        first, start = rows[0]
        rows[0] = Row(first.lstrip(" "), start + len(first) - len(first.lstrip(" ")))
        return rows
    indent = min((len(row) - len(row.lstrip(" ")) for row, _ in rows if row.strip()), default=0)
    return [Row(row[indent:], start + indent) for row, start in rows]


def spoken(sign: str) -> str:
    """Return how a message names a character."""
    return "a tab" if sign == "\t" else f"`{sign}`"


def refuse_tab(sign: str, offset: int) -> None:
    """Refuse a tab, and other white space that is no blank, where white space is position: who knows how wide it is."""
    if sign.isspace() and sign != " ":
        name = "a tab" if sign == "\t" else "white space that is no blank"
        raise DrawingError(
            "PZ315",
            f"{name} does not belong in this drawing",
            offset,
            offset + 1,
            note="on this lattice white space is position",
            help="write blanks, or `.` where there is no cell",
        )


def bounds(spots: Iterable[Spot]) -> tuple[Spot, Spot]:
    """Return the least and the greatest layer, row and column of some spots."""
    axes = list(zip(*spots, strict=True))
    return Spot(*map(min, axes)), Spot(*map(max, axes))
