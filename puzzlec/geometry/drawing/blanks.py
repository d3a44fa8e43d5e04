"""Spaces in a drawing that may be meant as empty positions, and suggestions with dots for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puzzlec.geometry.drawing.rule import BLANK

#: Messages show drawings up to this length.
LONGEST = 60


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
    found = indents(lines)
    if len(set(found.values())) < 2:
        return None
    least = min(found.values())
    first = next(number for number, indent in found.items() if indent > least)
    start = sum(len(line) + 1 for line in text.split("\n")[:first])
    row = lines[first]
    begin = start + len(row) - len(row.lstrip())
    return Uneven(begin, begin + len(row.strip()), _fixed(lines, found, least))


def _fixed(lines: Sequence[str], found: dict[int, int], least: int) -> str:
    """Return a drawing with dots for the spaces before its rows, and all rows equally long."""
    if any(line.strip() and number not in found for number, line in enumerate(lines)):
        return ""
    if max(found.values()) - least > LONGEST:
        return ""
    rows = [(BLANK * (indent - least) + lines[number].strip()).split() for number, indent in found.items()]
    width = max(len(row[0]) for row in rows)
    drawing = "/".join(" ".join([row[0].ljust(width, BLANK), *row[1:]]) for row in rows)
    return drawing if len(drawing) <= LONGEST else ""


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
    if len(row) < 2 or end - start > LONGEST:
        return ()
    if not any(len(other) == 1 and len(other[0][1]) == end - start for other in others):
        return ()
    whole = [BLANK] * (end - start)
    for at, group in row:
        whole[at - start : at - start + len(group)] = group
    return (f"write `.` if the space is an empty place: `{''.join(whole)}`",)


def _lines(text: str) -> list[str]:
    """Return the lines of a drawing without their comments."""
    return [re.sub("#.*", "", line) for line in text.split("\n")]


def _width(blanks: str) -> int:
    return len(blanks.replace("\r", "").replace("\t", "    "))
