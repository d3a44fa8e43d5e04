"""Numbers of columns, a line for each option: the numeric form of :mod:`puzzlec.formats.rows`."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.lines import lines
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.plain import CHUNK, Plain, plain
from puzzlec.formats.record import Choices, Format, Sign, first_words
from puzzlec.formats.rows import plain_cover
from puzzlec.language.read_options import Given
from puzzlec.lower.labels import Labelled

#: Columns with greater numbers are refused: each one up to the greatest takes memory, used or not.
MOST = 2_000_000


def read_numeric(source: Source, report: Report, given: Given) -> ExactCover:  # noqa: ARG001
    """Return the exact cover of rows that are lists of columns, counted from 0, with commas between.

    There are as many columns as the greatest number says. Empty lines, and lines that begin with ``#`` or ``//``, are
    left out. A name that begins with a number gets a warning (PZ268). Raises PuzzleError, naming all of them, for what
    is no number, and for columns that stand twice in a row.
    """
    starts, items = array("i", [0]), array("i")
    names: list[str] = []
    known: dict[str, int] = {}
    for start, line in lines(source.text):
        parted = line.split(None, 1)
        if not parted or parted[0].startswith(("#", "//")):
            continue
        columns = parted[0].split(",")
        try:
            row = [known[each] for each in columns]
        except KeyError:
            row = _learned(source, report, known, columns, start + line.index(parted[0]))
        if len(set(row)) < len(row):
            _report_twice(source, report, columns, row, start + line.index(parted[0]))
        items.extend(row)
        starts.append(len(items))
        names.append(parted[1].rstrip() if len(parted) > 1 else "")
    _look_at_names(source, report, names)
    if not names:
        raise fail("PZ287", "there is no row of numbers", source.end)
    report.stop_on_errors()
    return plain_cover(max(items) + 1, starts, items, names)


def _look_at_names(source: Source, report: Report, names: list[str]) -> None:
    """Warn, once, of names that begin with a number, as where a blank stands in place of a comma.

    A name that is a number alone may be just that, as long as no other row is called by the same one.
    """
    numbers = [name for name in names if name[:1].isdecimal() and re.fullmatch(r"[0-9]+(?:\s.*)?", name, re.ASCII)]
    alone = [name for name in numbers if name.isdecimal()]
    if len(numbers) == len(alone) == len(set(alone)):
        return
    for start, line in lines(source.text):
        parted = line.split(None, 1)
        if len(parted) == 2 and not parted[0].startswith(("#", "//")) and parted[1].rstrip() in numbers:
            at = start + len(line) - len(line.lstrip())
            number, *rest = parted[1].split(None, 1)
            meant = " ".join([f"{parted[0]},{number}", *(each.rstrip() for each in rest)])
            report.add(
                "PZ268",
                f"this row has the name `{parted[1].rstrip()[:40]}`",
                source.span(at, start + len(line.rstrip())),
                note=("columns are separated by commas alone, and what follows a blank is the name",)
                + ((f"{len(numbers)} rows have such names",) if len(numbers) > 1 else ()),
                help=f"did you mean `{meant[:60]}`?",
            )
            return


def _learned(source: Source, report: Report, known: dict[str, int], columns: list[str], at: int) -> list[int]:
    """Learn the numbers of a row that are new; report those that are none. Return the row without them."""
    row: list[int] = []
    for text in columns:
        span = source.span(at, at + max(1, len(text)))
        at += len(text) + 1
        if text in known:
            row.append(known[text])
        elif re.fullmatch(r"[0-9]+", text, re.ASCII) is None:
            message = f"`{text}` is no number of a column" if text else "a number of a column is missing here"
            report.add("PZ287", message, span, note="columns are counted from 0, and separated by commas alone")
        elif len(text.lstrip("0")) > len(str(MOST)) or int(text) > MOST:
            report.add("PZ287", f"column {text} is too large", span, note=f"the greatest column is {MOST}")
        else:
            known[text] = int(text)
            row.append(known[text])
    return row


def _report_twice(source: Source, report: Report, columns: list[str], row: list[int], at: int) -> None:
    """Report the first column that stands twice in a row."""
    seen: set[int] = set()
    for text in columns:
        column = int(text) if text.isdecimal() and len(text.lstrip("0")) <= len(str(MOST)) else -1
        if column in row:
            if column in seen:
                report.add("PZ283", f"column {column} stands twice in this row", source.span(at, at + len(text)))
                return
            seen.add(column)
        at += len(text) + 1


def write_numeric(what: Labelled, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Give the rows of an exact cover in chunks: the numbers of the columns, a blank, and what the option means.

    Raises PuzzleError for colours, for bounds that rows cannot say, and where no row has the last column: nothing
    would tell that there is one.
    """
    found = plain(what, "numeric")
    cover = what.cover
    used = set(cover.items)
    columns = {found.column[item] for item in used}.union(*(row for row, _ in found.more))
    if not columns or max(columns) + 1 < found.columns:
        item = next((item for item in reversed(range(len(found.column))) if found.column[item] >= 0), -1)
        missing = f"an item `{what.items[item]}`, which no option has" if item >= 0 else "no option at all"
        raise fail(
            "PZ501",
            f"the format `numeric` cannot say that there is {missing}",
            file=what.title,
            note="its columns are those that some row names",
        )
    return _chunks(found)


def _chunks(found: Plain) -> Iterator[str]:
    lines: list[str] = []
    for columns, name in found.rows():
        lines.append(f"{','.join(map(str, columns))} {name}\n")
        if len(lines) == CHUNK:
            yield "".join(lines)
            lines.clear()
    if lines:
        yield "".join(lines)


def is_numeric(source: Source) -> bool:
    r"""Whether each line of a text begins with whole numbers between commas, of some at least two.

    >>> is_numeric(Source("", "0,3 Q\n1\n")), is_numeric(Source("", "6 3\n2 2 0 1\n"))
    (True, False)
    """
    first = first_words(source, "#", "//")
    rows = [words[0] for words in first]
    if any(re.fullmatch("[0-9]+(,[0-9]+)+", word) for words in first for word in words[1:2]):
        return False  # no name, but an item: that of a location, as like as not
    return any("," in row for row in rows) and all(re.fullmatch(r"[0-9]+(,[0-9]+)*", row, re.ASCII) for row in rows)


FORMAT = Format(
    "numeric",
    (".numeric", ".csv"),
    "rows of columns with names",
    level="cover",
    read=read_numeric,
    write=write_numeric,
    recognise=(Sign(150, is_numeric),),
    aliases=("sparse", "columns"),
    place=100,
    largest=2**29,
)
