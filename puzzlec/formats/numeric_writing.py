"""An exact cover as lists of columns with names; see :mod:`puzzlec.formats.numeric`."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.diagnostics.error import fail
from puzzlec.formats.plain import CHUNK, Plain, plain
from puzzlec.formats.write_options import Choices
from puzzlec.lower.labels import Labelled


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
