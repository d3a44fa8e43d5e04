"""Words in lines and numbers in columns."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Sequence

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
    wrapped = [textwrap.wrap(row[0], FIRST_COLUMN, break_long_words=False, break_on_hyphens=False) for row in rows]
    first = max(len(line) for lines in ([heads[0]], *wrapped) for line in lines)
    widths = [max(len(row[column]) for row in (heads, *rows)) for column in range(1, len(heads))]
    left = [head in texts for head in heads[1:]]
    for lines, row in zip([[heads[0]], *wrapped], [heads, *rows], strict=True):
        cells = [
            text.ljust(width) if aside else text.rjust(width)
            for text, width, aside in zip(row[1:], widths, left, strict=True)
        ]
        yield "  ".join(["", lines[0].ljust(first), *cells]).rstrip()
        yield from (f"  {line}" for line in lines[1:])


def aligned(rows: Sequence[Sequence[str]], left: Collection[int] = ()) -> Iterator[str]:
    """Yield rows as lines with two spaces between columns: those in ``left`` aligned left, the others right.

    >>> list(aligned([["cost", "raw", "piece"], ["7", "12", "V"]], left=[2]))
    ['cost  raw  piece', '   7   12  V']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        yield "  ".join(text.ljust(size) if at in left else text.rjust(size) for at, (text, size) in cells).rstrip()


def listed(words: Sequence[str], joint: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> listed(["x"]), listed(["x", "y", "z"], "or")
    ('x', 'x, y or z')
    """
    return f"{', '.join(words[:-1])} {joint} {words[-1]}" if len(words) > 1 else "".join(words)


def wrapped(words: list[str], width: int, indent: str = "") -> list[str]:
    """Return words in lines of a width, with three spaces between."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 3 + len(word) <= width:
            lines[-1] += "   " + word
        else:
            lines.append(indent + word)
    return lines


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
