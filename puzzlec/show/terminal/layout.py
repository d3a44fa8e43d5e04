"""Words in lines and numbers in columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence

from puzzlec.show.breaking import rows_of

#: Escape sequences of colours.
_CODES = re.compile(r"\033\[[0-9;]*m")

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


def columns_of(line: str) -> int:
    """Return the columns that a line takes on a terminal: its colours take none."""
    return len(_CODES.sub("", line))


def width_of(block: Iterable[str]) -> int:
    """Return the columns of the widest line of a block."""
    return max(map(columns_of, block), default=0)


def beside(blocks: Sequence[Sequence[str]], gap: int = 2) -> list[str]:
    """Return blocks of lines side by side.

    >>> beside([["ab", "c"], ["d"]])
    ['ab  d', 'c']
    """
    widths, height = [*map(width_of, blocks)], max(map(len, blocks))
    padded = [
        [line + " " * (width - columns_of(line)) for line in [*lines, *[""] * (height - len(lines))]]
        for lines, width in zip(blocks, widths, strict=True)
    ]
    return [(" " * gap).join(row).rstrip() for row in zip(*padded, strict=True)]


def in_rows(blocks: Iterable[Sequence[str]], width: int, gap: int = 2) -> Iterator[list[Sequence[str]]]:
    """Yield blocks of lines in rows, as many in each as the width has room for.

    >>> list(in_rows([["abc"], ["de"], ["f"]], 7))
    [[['abc'], ['de']], [['f']]]
    """
    every = list(blocks)
    for row in rows_of(map(width_of, every), width, gap):
        yield every[row.start : row.stop]


def rows_of_blocks(blocks: Iterable[Sequence[str]], width: int, gap: int = 2) -> list[str]:
    """Return blocks of lines side by side as far as the width permits, an empty line between two rows.

    >>> rows_of_blocks([["abc"], ["de"], ["f"]], 7)
    ['abc  de', '', 'f']
    """
    rows = [beside(row, gap) for row in in_rows(blocks, width, gap)]
    return [line for number, row in enumerate(rows) for line in [*[""] * bool(number), *row]]


def wrapped(words: list[str], width: int, indent: str = "") -> list[str]:
    """Return words in lines of a width, with three spaces between."""
    rows = rows_of(map(len, words), width - len(indent), 3)
    return [indent + "   ".join(words[row.start : row.stop]) for row in rows]


def hanging(line: str, width: int) -> list[str]:
    """Return a line of words; if it is longer than the width, further lines are indented.

    >>> hanging("A: 10,0 20,0 30,0 40,0", 20)
    ['A: 10,0 20,0 30,0', '    40,0']
    """
    if len(line) <= width:
        return [line]
    return textwrap.wrap(line, max(20, width), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def blocks_text(blocks: Sequence[Sequence[str]]) -> str:
    r"""Return blocks of lines as a text, with an empty line between; empty blocks are left out.

    >>> blocks_text([["pieces", "  I"], [], ["forced"]])
    'pieces\n  I\n\nforced'
    """
    return "\n\n".join("\n".join(block) for block in blocks if block)
