"""Numbers of columns, a line for each option: the numeric form of :mod:`puzzlec.formats.rows`."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.record import Format, Sign, WriterChoices, first_words, gathered
from puzzlec.formats.rows import plain, plain_cover
from puzzlec.language.given import Given
from puzzlec.lower.labels import Labelled

#: Largest column: each column up to the largest number takes memory, used or not.
MAX_COLUMN = 2_000_000


def read_numeric(source: Source, report: Report, given: Given) -> ExactCover:  # noqa: ARG001
    """Return the exact cover of rows that list columns, numbered from 0 and separated by commas.

    The greatest number decides how many columns there are. The reader skips empty lines and lines that begin with ``#``
    or ``//``. A name that begins with a number gets a warning (PZ268). Raises PuzzleError with all errors: words that
    are not numbers, and duplicate columns in a row.
    """
    starts, items = array("i", [0]), array("i")
    names: list[str] = []
    numbers: dict[str, int] = {}
    for start, line in lines(source.text):
        parted = line.split(None, 1)
        if not parted or parted[0].startswith(("#", "//")):
            continue
        columns = parted[0].split(",")
        try:
            row = [numbers[column] for column in columns]
        except KeyError:
            row = _learned(source, report, numbers, columns, start + line.index(parted[0]))
        if len(set(row)) < len(row):
            _report_twice(source, report, columns, row, start + line.index(parted[0]))
        items.extend(row)
        starts.append(len(items))
        names.append(parted[1].rstrip() if len(parted) > 1 else "")
    _look_at_names(source, report, names)
    if not names:
        raise fail("PZ287", "missing rows of numbers", source.end)
    report.stop_on_errors()
    return plain_cover(max(items) + 1, starts, items, names)


def _look_at_names(source: Source, report: Report, names: list[str]) -> None:
    """Warn once about names that begin with a number, for example after a space instead of a comma.

    A name that is only a number is allowed if no other row has the same name.
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
            joined = " ".join([f"{parted[0]},{number}", *(line.rstrip() for line in rest)])
            report.add(
                "PZ268",
                f"this row has the name `{parted[1].rstrip()[:40]}`",
                source.span(at, start + len(line.rstrip())),
                note=("only commas separate columns, and the name of the row follows a space",)
                + ((f"{len(numbers)} rows have such names",) if len(numbers) > 1 else ()),
                help=f"did you mean `{joined[:60]}`?",
            )
            return


def _learned(source: Source, report: Report, numbers: dict[str, int], columns: list[str], at: int) -> list[int]:
    """Learn the new numbers of a row and report invalid ones. Return the row without these."""
    row: list[int] = []
    for text in columns:
        span = source.span(at, at + max(1, len(text)))
        at += len(text) + 1
        if text in numbers:
            row.append(numbers[text])
        elif re.fullmatch(r"[0-9]+", text, re.ASCII) is None:
            message = f"expected a column number, found `{text}`" if text else "missing column number"
            report.add("PZ287", message, span, note="columns are numbered from 0, and only commas separate them")
        elif len(text.lstrip("0")) > len(str(MAX_COLUMN)) or int(text) > MAX_COLUMN:
            report.add(
                "PZ287",
                f"column {text} is too large (limit {MAX_COLUMN:,})",
                span,
                note="each column up to the largest number takes memory",
            )
        else:
            numbers[text] = int(text)
            row.append(numbers[text])
    return row


def _report_twice(source: Source, report: Report, columns: list[str], row: list[int], at: int) -> None:
    """Report the first duplicate column of a row."""
    seen: set[int] = set()
    for text in columns:
        column = int(text) if text.isdecimal() and len(text.lstrip("0")) <= len(str(MAX_COLUMN)) else -1
        if column in row:
            if column in seen:
                report.add(
                    "PZ283",
                    f"duplicate column {column} in this row",
                    source.span(at, at + len(text)),
                    help="write each column once",
                )
                return
            seen.add(column)
        at += len(text) + 1


def write_numeric(what: Labelled, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the rows of an exact cover in chunks: the numbers of the columns, a space, and the meaning of the option.

    Raises PuzzleError for colours, for bounds that rows do not support, and if no row has the last column, because
    nothing would show that it exists.
    """
    table = plain(what, "numeric")
    cover = what.cover
    used = set(cover.items)
    columns = {table.column[item] for item in used}.union(*(row for row, _ in table.more))
    if not columns or max(columns) + 1 < table.columns:
        item = next((item for item in reversed(range(len(table.column))) if table.column[item] >= 0), -1)
        missing = f"item `{what.items[item]}` without options" if item >= 0 else "a cover without options"
        raise fail(
            "PZ501",
            f"the format `numeric` does not support {missing}",
            file=what.title,
            note="its columns are those that occur in a row",
        )
    return gathered(f"{','.join(map(str, columns))} {name}\n" for columns, name in table.rows())


def is_numeric(source: Source) -> bool:
    r"""Whether several lines of a text begin with columns between commas, and some line has at least two.

    A number too long for a column, or twice in a row, belongs to something else.

    >>> is_numeric(Source("", "0,3 Q\n1\n")), is_numeric(Source("", "6 3\n2 2 0 1\n"))
    (True, False)
    """
    first = first_words(source, "#", "//")
    rows = [words[0] for words in first]
    if any(re.fullmatch("[0-9]+(,[0-9]+)+", word) for words in first for word in words[1:2]):
        return False  # an item and not a name: probably a location
    column = f"[0-9]{{1,{len(str(MAX_COLUMN))}}}"
    several = len(rows) > 1 and any("," in row for row in rows)
    several = several and all(len(set(row.split(","))) == row.count(",") + 1 for row in rows)
    return several and all(re.fullmatch(rf"{column}(,{column})*", row, re.ASCII) for row in rows)


FORMAT = Format(
    "numeric",
    (".numeric", ".csv"),
    "rows of columns with names",
    stage="cover",
    read=read_numeric,
    write=write_numeric,
    recognise=(Sign(150, is_numeric),),
    aliases=("sparse", "columns"),
    place=100,
    largest=2**29,
)
