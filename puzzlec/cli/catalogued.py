"""What the catalogue says of a puzzle, for people and for other programs."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.diagnostics import counted
from puzzlec.formats.catalogue import Entry
from puzzlec.show.terminal.layout import entry as lines_of

_KEYS = (
    "name",
    "title",
    "distinct",
    "rotations",
    "parts",
    "raw",
    "options",
    "apart",
    "level",
    "seconds",
    "effort",
    "tags",
    "source",
)

#: Longer lines are hard to read, however wide the terminal is.
WIDEST = 100

#: The numbers of solutions that an entry may state, each with what it is called.
_NUMBERS = {
    "distinct": "distinct",
    "rotations": "distinct under rotations",
    "parts": "distinct with each part turned on its own",
    "raw": "raw",
}


def entry_data(entry: Entry) -> dict[str, object]:
    """Return all that the catalogue says of a puzzle, for JSON; ``notes`` is None where there are none."""
    found = {key: getattr(entry, key) for key in _KEYS}
    return {**found, "notes": entry.notes or None, "file": str(entry.path)}


def apart_text(entry: Entry) -> str:
    """Return what the catalogue states of how a puzzle comes apart."""
    number = "1 distinct assembly" if entry.apart == 1 else f"{entry.apart} distinct assemblies"
    return number if entry.level is None else f"{number}, best level {entry.level}"


def entry_lines(entry: Entry, width: int) -> Iterator[str]:
    """Give the lines that tell what the catalogue says of a puzzle, on a terminal of this width."""
    stated = [f"{number} {words}" for key, words in _NUMBERS.items() if (number := getattr(entry, key)) is not None]
    told = {
        "name": entry.name,
        "solutions": ", ".join(stated) or "nobody knows how many",
        "comes apart": "" if entry.apart is None else apart_text(entry),
        "counted": "" if entry.seconds is None else f"all of these in {entry.seconds:g} s of processor time",
        "effort": ""
        if entry.effort is None
        else f"{counted(entry.effort, 'node')} of a plain search for each raw solution",
        "source": entry.source,
        "notes": entry.notes,
        "tags": ", ".join(entry.tags),
    }
    yield "in the catalogue"
    for head, text in told.items():
        if text:
            yield from lines_of(head, text, min(width, WIDEST))
