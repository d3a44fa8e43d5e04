"""The choice among several puzzles in one text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from puzzlec.diagnostics import Report, Span, suggestion
from puzzlec.diagnostics.error import fail

#: Names in a message.
MAX_NAMES_LISTED = 12


def chosen_problem(
    choice: str | None,
    names: Sequence[str],
    spans: Sequence[Span],
    report: Report,
    what: str,
    remarks: Sequence[str] = (),
    also: Sequence[str] = (),
) -> int:
    """Return the index of the chosen puzzle: by number from 1, else by name; the first without a choice.

    Raises PuzzleError (PZ299) for an unknown puzzle. Without a choice a warning (PZ298) lists the puzzles.

    Args:
        choice: A number or a name. Case does not matter, and the number at the end of a name is also a name.
        names: The names of all puzzles; empty for a puzzle without one.
        spans: The position of each puzzle in the text.
        report: Gets the warning.
        what: What the format calls its puzzles, in the plural.
        remarks: Text that tells the puzzles apart if their names do not.
        also: Second names.

    """
    some = _listed(names, remarks)
    if choice is None:
        if len(names) > 1:
            report.add(
                "PZ298",
                f"reading the first of {len(names)} {what} in this text",
                spans[0],
                note=f"they are {some}",
                help="add `--problem` with a number or a name",
            )
        return 0
    index = _index_of(choice.strip(), names, also)
    if index is None:
        raise fail(
            "PZ299",
            f"unknown problem `{choice}`",
            note=f"the {what} of this text are {some}",
            help=suggestion(choice, [name for name in names if name]),
            file=spans[0].source.name if spans else None,
        )
    return index


def _index_of(choice: str, names: Sequence[str], also: Sequence[str]) -> int | None:
    """Return the index of the puzzle with a number or name; None if there is none."""
    decimal = choice.isascii() and choice.isdecimal()
    if decimal and choice[0] != "0" and int(choice[:9]) <= len(names):
        return int(choice[:9]) - 1
    every = [*enumerate(names), *enumerate(also)]
    ways: list[Callable[[str], bool]] = [lambda name: name == choice, lambda name: name.casefold() == choice.casefold()]
    if decimal:
        ends = {name: re.search(r"[0-9]*$", name, re.ASCII) for _, name in every}
        digits = {name: end.group() for name, end in ends.items() if end}
        ways.append(lambda name: digits[name] == choice)
        ways.append(lambda name: digits[name] != "" and digits[name].lstrip("0") == choice.lstrip("0"))
    for suits in ways:
        for index, name in every:
            if name and suits(name):
                return index
    return int(choice[:9]) - 1 if decimal and 1 <= int(choice[:9]) <= len(names) else None


def _listed(names: Sequence[str], remarks: Sequence[str]) -> str:
    """Return the numbers and names of the puzzles, with remarks if names are missing or repeated."""
    has_remarks = remarks and ("" in names or len(set(names)) < len(names))
    entries = [f"{number} `{name}`" if name else str(number) for number, name in enumerate(names[:MAX_NAMES_LISTED], 1)]
    if has_remarks:
        entries = [f"{name} ({remark})" if remark else name for name, remark in zip(entries, remarks, strict=False)]
    return ", ".join(entries) + (f", ... {len(names)}" if len(names) > MAX_NAMES_LISTED else "")
