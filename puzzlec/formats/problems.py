"""A text that holds several puzzles: which of them is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from puzzlec.diagnostics import Report, Span, suggestion
from puzzlec.diagnostics.error import fail

#: How many names a message tells.
MOST = 12


def chosen_problem(
    wanted: str | None,
    names: Sequence[str],
    spans: Sequence[Span],
    report: Report,
    what: str,
    remarks: Sequence[str] = (),
    also: Sequence[str] = (),
) -> int:
    """Return the index of the puzzle that is meant: by its number from 1, else by its name, else the first.

    ``names`` are the names of all puzzles (empty where one has none), ``spans`` where they stand, ``what`` is what the
    format calls them, in the plural. ``remarks`` tell them apart where names do not; ``also`` are second names. Capital
    letters are as good as small ones, and a number at the end of a name is a name, too. Where nobody says which, a
    warning (PZ298) names the others. Raises PuzzleError (PZ299) for one that is not there.
    """
    some = _listed(names, remarks)
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
    found = _found(wanted.strip(), names, also)
    if found is None:
        raise fail(
            "PZ299",
            f"`{wanted}` is none of the {what} of this text",
            note=f"they are {some}",
            help=suggestion(wanted, [name for name in names if name]),
            file=spans[0].source.name if spans else None,
        )
    return found


def _found(wanted: str, names: Sequence[str], also: Sequence[str]) -> int | None:
    """Return the index of the puzzle of a number or name, None where there is none."""
    decimal = wanted.isascii() and wanted.isdecimal()
    if decimal and wanted[0] != "0" and int(wanted[:9]) <= len(names):
        return int(wanted[:9]) - 1
    every = [*enumerate(names), *enumerate(also)]
    ways: list[Callable[[str], bool]] = [lambda name: name == wanted, lambda name: name.casefold() == wanted.casefold()]
    if decimal:
        ends = {name: re.search(r"[0-9]*$", name, re.ASCII) for _, name in every}
        digits = {name: end.group() for name, end in ends.items() if end}
        ways.append(lambda name: digits[name] == wanted)
        ways.append(lambda name: digits[name] != "" and digits[name].lstrip("0") == wanted.lstrip("0"))
    for suits in ways:
        for index, name in every:
            if name and suits(name):
                return index
    return int(wanted[:9]) - 1 if decimal and 1 <= int(wanted[:9]) <= len(names) else None


def _listed(names: Sequence[str], remarks: Sequence[str]) -> str:
    """Return the numbers and names of the puzzles; with remarks where not all have names of their own."""
    told = remarks and ("" in names or len(set(names)) < len(names))
    shown = [f"{number} `{name}`" if name else str(number) for number, name in enumerate(names[:MOST], 1)]
    if told:
        shown = [f"{each} ({remark})" if remark else each for each, remark in zip(shown, remarks, strict=False)]
    return ", ".join(shown) + (f", ... {len(names)}" if len(names) > MOST else "")
