"""Solutions that have no picture, as lists: a line for each piece, laid out for the width of a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.ir import Solution
from puzzlec.show.terminal.layout import hanging

#: So many lines are read at a glance; more of them stand in columns where they have room.
MOST_LINES = 16

#: Blanks between two columns.
_APART = 4


def listed(solution: Solution, width: int) -> list[str]:
    """Return what each piece covers: in columns where there are many short lines; a long line goes on indented.

    ``Solution.listing`` is the same without a layout.
    """
    lines = solution.listing().split("\n") if solution.placements else []
    if len(lines) > MOST_LINES:
        return in_columns(lines, width)
    return [row for line in lines for row in hanging(line, width)]


def in_columns(lines: Sequence[str], width: int) -> list[str]:
    """Return lines in columns, down and then to the right; as they are, or going on indented, where they are long.

    >>> in_columns(["a: 1", "b: 2", "c: 3"], 12)
    ['a: 1    c: 3', 'b: 2']
    """
    wide = max(map(len, lines), default=0)
    columns = min(len(lines), (width + _APART) // (wide + _APART))
    if columns < 2:
        return [row for line in lines for row in hanging(line, width)]
    high = -(-len(lines) // columns)
    apart = " " * _APART
    return [apart.join(line.ljust(wide) for line in lines[row::high]).rstrip() for row in range(high)]
