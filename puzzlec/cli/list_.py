"""``puzzlec list``: the catalogue."""

from __future__ import annotations

from puzzlec.cli.terminal import out
from puzzlec.readers import catalogue


def list_puzzles() -> None:
    """List the puzzles of the catalogue: name, number of distinct and of raw solutions, title.

    Example: puzzlec list
    """
    entries = catalogue.entries()
    width = max(len(entry.name) for entry in entries)
    out(f"{'name':<{width}}  {'distinct':>9}  {'raw':>9}  title")
    for entry in entries:
        numbers = ("-" if number is None else str(number) for number in (entry.distinct, entry.raw))
        out(f"{entry.name:<{width}}  " + "  ".join(f"{number:>9}" for number in numbers) + f"  {entry.title}")
