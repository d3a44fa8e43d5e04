"""Puzzles of the catalogue in words and as data: the facts about one, and a table of several."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.columns import entry as lines_of
from puzzlec.formats.catalogue import Entry
from puzzlec.show.terminal.style import Style

#: The style of names in tables.
CYAN = 36

#: On a narrow terminal, columns give way to titles of this width, in the order of :data:`_LEAST_FIRST`.
NARROWEST_TITLE = 28

_LEAST_FIRST = ("apart", "raw", "level", "distinct")

#: Figures of a long level that a terminal shows.
LEVEL_FIGURES = 3

#: The numbers of solutions that an entry may have, with their names.
_NUMBERS = {
    "distinct": "distinct",
    "rotations": "distinct under rotations",
    "parts": "distinct under symmetries of each part",
    "raw": "raw",
}


def entry_data(entry: Entry) -> dict[str, object]:
    """Return all facts of the catalogue about a puzzle, for JSON; ``notes`` may be None."""
    facts = {name: value for name, value in entry._asdict().items() if name not in ("slow", "turns")}
    return {**facts, "notes": entry.notes or None, "file": str(entry.path)}


def _apart_text(entry: Entry) -> str:
    """Return how a puzzle comes apart, according to the catalogue."""
    number = "1 distinct assembly" if entry.apart == 1 else f"{entry.apart} distinct assemblies"
    return number if entry.level is None else f"{number}, best level {entry.level}"


def entry_lines(entry: Entry, width: int) -> Iterator[str]:
    """Yield the facts of the catalogue about a puzzle, in lines of at most this width."""
    stated = [f"{number} {words}" for key, words in _NUMBERS.items() if (number := getattr(entry, key)) is not None]
    facts = {
        "name": entry.name,
        "solutions": ", ".join(stated) or "unknown",
        "comes apart": "" if entry.apart is None else _apart_text(entry),
        "counted": "" if entry.seconds is None else f"all of these in {entry.seconds:g} s of processor time",
        "effort": ""
        if entry.effort is None
        else f"{counted(entry.effort, 'node')} of a plain search for each raw solution",
        "grade": entry.grade or "",
        "source": entry.source,
        "notes": entry.notes,
        "tags": ", ".join(entry.tags),
    }
    yield "in the catalogue"
    for head, text in facts.items():
        if text:
            yield from lines_of(head, text, width)


def puzzles_lines(entries: Sequence[Entry], terminal: Style | None, styled: Callable[..., str]) -> Iterator[str]:
    """Yield a line for each puzzle. On a terminal the lines fit its width; None: all columns are there in full.

    ``styled`` returns a text in a style of the terminal, by default in bold.
    """
    columns = {"distinct": 9, "raw": 9}
    if any(entry.apart is not None for entry in entries):
        columns |= {"apart": 5, "level": max(5, *(len(entry.level or "") for entry in entries))}
    if terminal is not None:
        yield from _lines_in(entries, [*columns], terminal, styled)
        return
    width = max(len(entry.name) for entry in entries)
    heads = "  ".join(f"{name:>{wide}}" for name, wide in columns.items())
    yield styled(f"{'name':<{width}}  {heads}  title")
    for entry in entries:
        stated = ((getattr(entry, name), wide) for name, wide in columns.items())
        numbers = "  ".join(f"{'-' if value is None else value:>{wide}}" for value, wide in stated)
        yield f"{styled(f'{entry.name:<{width}}', CYAN)}  {numbers}  {entry.title}"


def _lines_in(
    entries: Sequence[Entry], columns: Sequence[str], terminal: Style, styled: Callable[..., str]
) -> Iterator[str]:
    """Yield the lines of a table in the width of a terminal: names and titles, then the columns that have room.

    A long name is on a separate line, and a long title is cut.
    """
    first = min(max(len(entry.name) for entry in entries), max(16, terminal.width * 7 // 20))
    longest = max(len(entry.title) for entry in entries)
    for left_out in range(len(_LEAST_FIRST) + 1):
        names = [name for name in columns if name not in _LEAST_FIRST[:left_out]]
        rows = [[_figure(entry, name, names) for name in names] for entry in entries]
        widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        room = terminal.width - first - 2 - sum(width + 2 for width in widths)
        if room >= min(longest, NARROWEST_TITLE):
            break
    room = min(longest, max(room, 8))
    heads = "  ".join(map(str.rjust, names, widths))
    yield styled(f"{'name':<{first}}  {'title':<{room}}  {heads}".rstrip())
    dots = "..." if terminal.ascii else "\N{HORIZONTAL ELLIPSIS}"
    for entry, row in zip(entries, rows, strict=True):
        title = entry.title if len(entry.title) <= room else entry.title[: room - len(dots)].rstrip() + dots
        figures = "  ".join(map(str.rjust, row, widths))
        head = f"{entry.name:<{first}}"
        if len(entry.name) > first:
            yield styled(entry.name, CYAN)
            head = " " * first
        yield f"{styled(head, CYAN)}  {title:<{room}}  {figures}".rstrip()


def _figure(entry: Entry, name: str, names: Collection[str]) -> str:
    """Return a fact about a puzzle for a terminal that shows some columns: of a long level, its first figures."""
    value = getattr(entry, name)
    figures = value.split(".") if name == "level" and value else []
    if len(figures) > LEVEL_FIGURES + 1:
        return ".".join(figures[:LEVEL_FIGURES]) + "..."
    if value is None and name == "distinct" and "raw" not in names and entry.raw is not None:
        return f"{entry.raw} raw"
    return "-" if value is None else str(value)
