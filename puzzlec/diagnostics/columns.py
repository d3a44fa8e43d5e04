"""Words in lines and numbers in columns."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Sequence

#: The narrowest last column of a table on a narrow terminal.
_LEAST_TEXT = 20

#: The widest first column; the text after a longer one starts on the next line.
FIRST_COLUMN = 28


def entry(head: str, text: str, width: int, indent: int = 13) -> Iterator[str]:
    """Yield the lines of a head and a text beside it, which continues below its start.

    >>> list(entry("rules", "one two three four five", 34))
    ['  rules      one two three four', '             five']
    """
    lines = textwrap.wrap(text, max(20, width - indent), break_long_words=False, break_on_hyphens=False) or [""]
    start = f"  {head}".ljust(indent - 1) + " " if head else " " * indent
    for line in lines:
        yield (start + line).rstrip()
        start = " " * indent


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of a table: the first column and the ``texts`` aligned left, numbers aligned right.

    >>> list(table(["piece", "cells"], [["V", "3"], ["L", "12"]]))
    ['  piece  cells', '  V          3', '  L         12']
    """
    lines = [list(heads)]
    for row in rows:
        first, *more = textwrap.wrap(row[0], FIRST_COLUMN, break_long_words=False, break_on_hyphens=False)
        lines += [[first, *row[1:]], *([line, *[""] * (len(row) - 1)] for line in more)]
    left = [0, *(column for column, head in enumerate(heads) if head in texts)]
    yield from (f"  {line}" for line in aligned(lines, left))


def aligned(rows: Sequence[Sequence[str]], left: Collection[int] = (), width: int | None = None) -> Iterator[str]:
    """Yield rows as lines, two spaces between columns: those in ``left`` aligned left, the others right.

    A text in the last column continues below its start if the line would be longer than ``width``.

    >>> list(aligned([["cost", "raw", "piece"], ["7", "12", "V"]], left=[2]))
    ['cost  raw  piece', '   7   12  V']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    before = sum(widths[:-1]) + 2 * (len(widths) - 1)
    for row in rows:
        *cells, last = (
            text.ljust(size) if at in left else text.rjust(size)
            for at, (text, size) in enumerate(zip(row, widths, strict=True))
        )
        room = len(last) if width is None else max(_LEAST_TEXT, width - before)
        first, *more = textwrap.wrap(last, room, break_long_words=False) if len(last.rstrip()) > room else [last]
        yield "  ".join([*cells, first]).rstrip()
        yield from (" " * before + line for line in more)


def blocks_text(blocks: Sequence[Sequence[str]]) -> str:
    r"""Return blocks of lines as a text, with an empty line between; empty blocks are left out.

    >>> blocks_text([["pieces", "  I"], [], ["forced"]])
    'pieces\n  I\n\nforced'
    """
    return "\n\n".join("\n".join(block) for block in blocks if block)
