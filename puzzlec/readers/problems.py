"""A text that holds several puzzles: which of them is meant."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.diagnostics import Report, Span, suggestion
from puzzlec.diagnostics.diagnostic import fail

#: How many names a message tells.
MOST = 12


def chosen_problem(wanted: str | None, names: Sequence[str], spans: Sequence[Span], report: Report, what: str) -> int:
    """Return the index of the puzzle that is meant: by its number from 1, else by its name, else the first.

    ``names`` are the names of all puzzles (empty where one has none), ``spans`` where they stand, ``what`` is what the
    format calls them, in the plural. Where nobody says which, a warning (PZ298) names the others. Raises PuzzleError
    (PZ299) for one that is not there.
    """
    shown = [f"{number} `{name}`" if name else str(number) for number, name in enumerate(names, 1)]
    some = ", ".join(shown[:MOST]) + (", ..." if len(shown) > MOST else "")
    if wanted is None:
        if len(names) > 1:
            report.add(
                "PZ298",
                f"this text holds {len(names)} {what}; the first one is read",
                spans[0],
                note=f"they are {some}",
                help="say which one with `--problem`, by number or name",
            )
        return 0
    if wanted.isascii() and wanted.isdecimal() and 1 <= int(wanted[:9]) <= len(names):
        return int(wanted[:9]) - 1
    if wanted in names:
        return names.index(wanted)
    raise fail(
        "PZ299",
        f"`{wanted}` is none of the {what} of this text",
        spans[0] if spans else None,
        note=f"they are {some}",
        help=suggestion(wanted, [name for name in names if name]),
    )
