"""Starting files: for each kind of puzzle a small complete one whose comments say what to change.

They are data, in ``puzzles/new/``, and entries of the catalogue like all others. The first line of a file
is a comment that says in a few words what kind it is.
"""

from __future__ import annotations

from typing import NamedTuple

from puzzlec.diagnostics import near
from puzzlec.diagnostics.error import fail
from puzzlec.formats.catalogue import Entry, entries

_FOLDER = "new/"


class Kind(NamedTuple):
    """A kind of puzzle that one can start with: its name, and what it is in a few words."""

    name: str
    summary: str


def kinds() -> list[Kind]:
    """Return all kinds that have a starting file, in the order of the catalogue."""
    return [Kind(name, _text(entry).split("\n", 1)[0].lstrip("# ")) for name, entry in _entries().items()]


def starting_file(kind: str) -> str:
    """Return the text of the starting file of a kind; raise PuzzleError where there is none."""
    known = _entries()
    if kind not in known:
        similar = _similar(kind, known)
        raise fail(
            "PZ006",
            f"there is no kind of puzzle called `{kind}`",
            note=f"kinds are {', '.join(known)}",
            help=f"did you mean {' or '.join(f'`{each}`' for each in similar)}?"
            if similar
            else "`puzzlec new` says what each of them is",
        )
    return _text(known[kind])


def files_beside(kind: str) -> dict[str, str]:
    """Return the files that the starting file of a kind names, by their names: lattices that stand beside it."""
    entry = _entries()[kind]
    text = _text(entry)
    near_by = sorted(entry.path.parent.glob("*.yaml"))
    return {path.name: path.read_text(encoding="utf-8") for path in near_by if f'lattice "{path.name}"' in text}


def _entries() -> dict[str, Entry]:
    return {entry.name.removeprefix(_FOLDER): entry for entry in entries() if entry.name.startswith(_FOLDER)}


def _text(entry: Entry) -> str:
    return entry.path.read_text(encoding="utf-8")


def _similar(word: str, known: dict[str, Entry]) -> list[str]:
    """Return the kinds that a word may be a slip or a part of, or else those with such a tag."""
    word = word.lower()
    named = near(word, known) or [name for name in known if len(word) > 1 and word in name]
    return named or [name for name, entry in known.items() if near(word, entry.tags)]
