"""Rows of 0 and 1, a line for each option, as Frans Faase's solver of exact cover problems reads them.

<https://www.iwriteiam.nl/> tells of it. A row may have a name behind white space.
"""

from __future__ import annotations

import re
from array import array

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.ir import ExactCover
from puzzlec.readers.given import Given
from puzzlec.readers.lines import lines


def read_rows(source: Source, report: Report, given: Given) -> ExactCover:  # noqa: ARG001
    """Return the exact cover of rows of 0 and 1: each column is a primary item, each row an option.

    Empty lines, and lines that begin with ``#`` or ``//``, are left out. Raises PuzzleError, naming all of them, for
    rows of different lengths, other characters, and rows without a 1.
    """
    starts, items = array("i", [0]), array("i")
    names: list[str] = []
    length = first = -1
    for start, line in lines(source.text):
        parted = line.split(None, 1)
        if not parted or parted[0].startswith(("#", "//")):
            continue
        row = parted[0]
        if length < 0:
            length, first = len(row), start
        before = len(items)
        at = row.find("1")
        while at >= 0:
            items.append(at)
            at = row.find("1", at + 1)
        if len(row) != length or row.count("0") + len(items) - before != length or len(items) == before:
            _report(source, report, line, start, length, first)
        starts.append(len(items))
        names.append(parted[1].rstrip() if len(parted) > 1 else "")
    if length < 0:
        raise fail("PZ287", "there is no row of 0 and 1", source.end)
    report.stop_on_errors()
    return plain_cover(length, starts, items, names)


def plain_cover(columns: int, starts: array[int], items: array[int], names: list[str]) -> ExactCover:
    """Return the exact cover of rows; where only some have names, the others are called by their numbers."""
    low, high = array("i", [1]) * columns, array("i", [1]) * columns
    found = tuple([name or str(row) for row, name in enumerate(names)]) if any(names) else ()
    return ExactCover(columns, low, high, 0, starts, items, array("i", bytes(4 * len(items))), (), found)


def _report(source: Source, report: Report, line: str, start: int, length: int, first: int) -> None:
    """Report what is wrong with a row: a character, its length, or that it covers nothing."""
    row = line.split(None, 1)[0]
    at = start + line.index(row)
    span = source.span(at, at + len(row))
    strange = re.search(r"[^01]", row)
    if strange:
        where = source.span(at + strange.start())
        report.add("PZ287", f"a row has `{strange.group()}`, neither 0 nor 1", where)
    elif len(row) != length:
        report.add(
            "PZ287",
            f"this row has {len(row)} digits, the first one has {length}",
            span,
            others=[(source.span(first, first + 1), "the first row")],
        )
    else:
        report.add("PZ285", "this row covers no column", span, note="nothing would ever choose it")
