"""An exact cover as rows of 0 and 1 with names; see :mod:`puzzlec.formats.rows`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics.error import fail
from puzzlec.formats.plain import Plain, plain
from puzzlec.formats.write_options import Choices
from puzzlec.lower.labels import Labelled

#: About so many characters make a chunk.
CHUNK = 1 << 16


def write_rows(what: Labelled, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Give the rows of an exact cover in chunks: 0 and 1 for each column, a space, and what the option means.

    Names that consist of 0 and 1 get an ``r`` before them, since they could be columns.

    Raises PuzzleError for colours, for bounds that rows cannot say, and where there is no row.
    """
    found = plain(what, "rows")
    if not len(what.cover) and not found.more:
        raise fail("PZ501", "the format `rows` cannot say that there is no option at all", file=what.title)
    return _chunks(found)


def _chunks(found: Plain) -> Iterator[str]:
    blank = b"0" * found.columns
    lines: list[str] = []
    mark = "r" if _are_digits(found) else ""
    most = max(1, CHUNK // (found.columns + 16))
    for columns, name in found.rows():
        row = bytearray(blank)
        for column in columns:
            row[column] = 49  # the character 1
        lines.append(f"{row.decode()} {mark}{name}\n")
        if len(lines) >= most:
            yield "".join(lines)
            lines.clear()
    if lines:
        yield "".join(lines)


def _are_digits(found: Plain) -> bool:
    """Whether the names of the rows consist of 0 and 1, so that they could be columns."""
    if found.columns == 1 and any(re.fullmatch(r"[01](?:[.,;].*)?", name) for _, name in found.rows()):
        return True
    return all(re.fullmatch("[01]+", name) for _, name in found.rows())
