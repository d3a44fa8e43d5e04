"""An exact cover in rows that have only primary items, each covered once: everything else is expressed with those.

An optional item gets a separate row that covers only that item. Either that row is chosen or an option with the item,
so solutions correspond one to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from puzzlec.diagnostics import Report
from puzzlec.engine.problem import ExactCover
from puzzlec.ir.puzzle import copies_text
from puzzlec.lower.labels import Labelled

#: Rows in a chunk, and minimum number of characters in a chunk of long rows.
CHUNK = 2000


@dataclass(frozen=True)
class Plain:
    """Rows over columns: those of the options, then ``more``, each with its label.

    ``column[item]`` is the column of an item, or -1 for an item without any demand.
    """

    what: Labelled
    columns: int
    column: Sequence[int]
    more: Sequence[tuple[tuple[int, ...], str]]

    def rows(self) -> Iterator[tuple[list[int], str]]:
        """Yield the columns of each row in ascending order, with its name as one word."""
        cover, column = self.what.cover, self.column
        starts, items, label = cover.starts, cover.items, self.what.option
        dropped = -1 in column
        for option in range(len(cover)):
            row = sorted([column[item] for item in items[starts[option] : starts[option + 1]]])
            if dropped:
                row = [column for column in row if column >= 0]
            yield row, word(label(option)) or str(option)
        for columns, name in self.more:
            yield list(columns), word(name)


def word(label: str) -> str:
    """Return a label as one word without ``|``, which separates names in answers.

    >>> word("F 0,0 1,0")
    'F_0,0_1,0'
    """
    return "_".join(label.replace("|", "/").split())


def plain(what: Labelled, format: str) -> Plain:
    """Return the rows of an exact cover; raise PuzzleError with everything that rows do not support.

    An item that may be covered any number of times has no column. Secondary items, and items covered at most once, get
    a separate row. An item that is never covered has a row with a further column, which forces that row.
    """
    report = Report()
    cover = what.cover
    _refuse_colours(what, format, report)
    column: list[int] = []
    more: list[tuple[tuple[int, ...], str]] = []
    never: list[tuple[int, str]] = []
    columns = 0
    times = _times(cover)
    for item, name in enumerate(what.items):
        low, high = (cover.low[item], cover.high[item]) if item < cover.primary else (0, 1)
        if low == 0 and high >= max(1, times[item]) and item < cover.primary and high > 1:
            column.append(-1)
            continue
        column.append(columns)
        if (low, high) == (0, 1):
            more.append(((columns,), f"not {name}"))
        elif (low, high) == (0, 0):
            never.append((columns, f"no {name}"))
        elif (low, high) != (1, 1):
            report.add(
                "PZ501",
                f"the format `{format}` does not support covering `{name}` {copies_text(low, high)} times",
                file=what.title,
                note="it covers each column exactly once",
                help="convert to `dlx`, or to a format with numbers such as `opb`",
            )
        columns += 1
    report.stop_on_errors()
    for own, name in never:
        more.append(((own, columns), name))
        columns += 1
    if -1 in column:
        _refuse_empty(what, format, column, report)
    report.stop_on_errors()
    return Plain(what, columns, column, more)


def _times(cover: ExactCover) -> list[int]:
    """Return the number of options with each item."""
    times = [0] * (cover.primary + cover.secondary)
    for item in cover.items:
        times[item] += 1
    return times


def _refuse_colours(what: Labelled, format: str, report: Report) -> None:
    """Report the first colour, if there is one, and the number of items with colours."""
    cover = what.cover
    painted = dict.fromkeys(item for item, colour in zip(cover.items, cover.colours, strict=True) if colour)
    if painted:
        others = f", and {len(painted) - 1} more" if len(painted) > 1 else ""
        report.add(
            "PZ501",
            f"the format `{format}` does not support colours: item `{what.items[next(iter(painted))]}`{others}",
            file=what.title,
            note="options with the same colour on an item are compatible, but rows with the same column are not",
            help="convert to `dlx`",
        )


def _refuse_empty(what: Labelled, format: str, column: Sequence[int], report: Report) -> None:
    """Report an option whose items may all be covered any number of times."""
    cover = what.cover
    for option in range(len(cover)):
        if all(column[item] < 0 for item in cover.row(option)):
            report.add(
                "PZ501",
                f"the format `{format}` does not support the free option `{what.option(option)}`",
                file=what.title,
                note="it would be a row without a column",
                help="convert to `dlx`",
            )
            return
