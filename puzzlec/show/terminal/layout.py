"""Drawings side by side, and words in lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from puzzlec.show.breaking import rows_of

#: Escape sequences of colours.
_CODES = re.compile(r"\033\[[0-9;]*m")


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
