"""Cells in nested lists: what is a cell, a piece, and a list of pieces, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from puzzlec.diagnostics import Report, Source
from puzzlec.formats.cells.nested import Item, Tuple, Word
from puzzlec.geometry import Cell

#: Coordinates beyond this lie on no board.
FARTHEST = 2**20

CELL, PIECE, PIECES = 1, 2, 3


class CellLists:
    """Reads cells out of nested lists; faults go into the report (PZ291, PZ292, PZ293)."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        #: The first cell that was read: all others must have as many coordinates.
        self.first: tuple[Cell, Item] | None = None

    def depth(self, item: Item) -> int:
        """Return how deep lists are nested in an item: CELL, PIECE, PIECES, more, or 0 for what is none."""
        if isinstance(item, Tuple):
            return CELL
        if isinstance(item, Word):
            return CELL if is_digits(item) else 0
        if not item.items:
            return 0
        numbers = [each.text for each in item.items if isinstance(each, Word) and each.is_number]
        if len(numbers) == len(item.items):
            # `[000, 100]` lists cells of digits, `[10, 0]` is a cell.
            return PIECE if any(re.match("0[0-9]", number) for number in numbers) else CELL
        inner = {self.depth(each) for each in item.items}
        return 0 if len(inner) > 1 or 0 in inner else inner.pop() + 1

    def cell(self, item: Item) -> Cell | None:
        """Return the cell that an item of depth CELL is, None where it is none or differs from the others in size."""
        if isinstance(item, Word) and not item.text.isdecimal():  # `-1` beside `01`, which is a cell of two digits
            self.report.add("PZ291", f"`{item.text[:40]}` is no cell", self.source.span(item.start, item.end))
            return None
        if isinstance(item, Word):
            numbers: Sequence[Word] = [Word(digit, item.start, item.end) for digit in item.text[:9]]
        else:
            numbers = [
                each for each in (item.words if isinstance(item, Tuple) else item.items) if isinstance(each, Word)
            ]
        span = self.source.span(item.start, item.end)
        if len(numbers) not in (2, 3):
            self.report.add(
                "PZ292",
                f"a cell has two or three coordinates, this one has {len(numbers) if len(numbers) < 9 else 'many'}",
                span,
                help=("write `(10,0,0)` where a coordinate has two digits",) if isinstance(item, Word) else (),
            )
            return None
        # No more digits than a refusal needs: Python itself refuses to read very many.
        cell = tuple(int(each.text[:15]) for each in numbers)
        if any(abs(coordinate) > FARTHEST for coordinate in cell):
            self.report.add("PZ321", "this coordinate is too large", span)
            return None
        if self.first is None:
            self.first = (cell, item)
        elif len(cell) != len(self.first[0]):
            self.report.add(
                "PZ292",
                f"this cell has {len(cell)} coordinates, the first one has {len(self.first[0])}",
                span,
                others=[(self.source.span(self.first[1].start, self.first[1].end), "the first cell")],
            )
            return None
        return cell

    def cells(self, items: Sequence[Item]) -> tuple[Cell, ...] | None:
        """Return the cells of a piece, None where one of them is wrong; a cell that is listed twice is reported."""
        found: dict[Cell, Item] = {}
        faults = self.report.errors
        for item in items:
            cell = self.cell(item)
            if cell is not None and cell in found:
                self.report.add(
                    "PZ293",
                    f"the cell {','.join(map(str, cell))} is listed twice in one piece",
                    self.source.span(item.start, item.end),
                    others=[(self.source.span(found[cell].start, found[cell].end), "listed here")],
                )
            elif cell is not None:
                found[cell] = item
        return tuple(found) if self.report.errors == faults else None


def is_digits(word: Word) -> bool:
    """Whether a word is a cell of digits without separators, such as ``010``."""
    return word.text.isdecimal() and word.text.isascii() and len(word.text) > 1
