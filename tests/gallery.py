"""Makes docs/gallery.md and its pictures anew: every puzzle of the catalogue with a solution and its count.

``python -m tests.gallery`` makes all, ``python -m tests.gallery soma/soma`` the page and the pictures that are named.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from pathlib import Path

from puzzlec.engine import Limits
from puzzlec.pictures import draw, subject
from puzzlec.pipeline import load
from puzzlec.readers.catalogue import Entry, entries
from puzzlec.render.svg.choices import Choices
from puzzlec.solutions import Solutions

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "gallery.md"
PICTURES = DOCS / "gallery"

#: A first solution is looked for through so many nodes: a number of them, not a time, so that all machines agree.
NODES = 200_000_000

#: Puzzles whose first solution nobody has found within those: their boards and pieces are shown.
UNSOLVED = ("eternity/eternity",)

_SMALL = Choices(labels="none", legend=False, view="isometric")

#: So many pictures stand beside each other.
COLUMNS = 3

_HEAD = """# Gallery

Every puzzle of the catalogue with its first solution; or with its board, where it has none or none was found. A count
is one of solutions that differ by more than turning and mirroring, unless it is called raw. `puzzlec solve NAME` draws
a solution on the terminal, `puzzlec draw NAME -o FILE` one to print, `puzzlec view NAME -o FILE` one to turn.
"""


def file_of(entry: Entry) -> Path:
    """Return where the picture of a puzzle is."""
    return PICTURES / f"{entry.name.replace('/', '-')}.svg"


def picture(entry: Entry) -> str:
    """Return the picture of a puzzle, small enough for a page with all of them."""
    what = load(str(entry.path))
    solutions = Solutions(what, limits=Limits(1, None, NODES))
    shown = subject(what, 0) if entry.name in UNSOLVED else subject(solutions)
    return draw(shown, "svg", _SMALL if shown.solutions else replace(_SMALL, show="board"))


def page() -> str:
    """Return the page."""
    parts = [_HEAD]
    for family, those in groupby(sorted(entries(), key=_family), key=_family):
        parts.append(f"## {family}\n")
        parts.append("\n".join(_table(list(those))))
    return "\n".join(parts)


def _family(entry: Entry) -> str:
    words = entry.name.split("/")[0].replace("-", " ")
    return words[0].upper() + words[1:]


def _table(those: Sequence[Entry]) -> Iterator[str]:
    yield "<table>"
    for start in range(0, len(those), COLUMNS):
        yield "<tr>"
        for entry in those[start : start + COLUMNS]:
            image = f'<img src="{file_of(entry).relative_to(DOCS).as_posix()}" alt="{escape(entry.title)}" width="240">'
            words = f"{escape(entry.title)}<br><code>{entry.name}</code><br>{count_of(entry)}"
            yield f'<td align="center">{image}<br>{words}</td>'
        yield "</tr>"
    yield "</table>\n"


def count_of(entry: Entry) -> str:
    """Return in words how many solutions a puzzle has."""
    if entry.distinct == 0 or entry.raw == 0:
        return "no solution"
    if entry.distinct is not None:
        return f"{entry.distinct:,} solution{'s' * (entry.distinct != 1)}".replace(",", "\u202f")
    if entry.raw is not None:
        return f"{entry.raw:,} raw solution{'s' * (entry.raw != 1)}".replace(",", "\u202f")
    return "not counted"


def main(names: Sequence[str]) -> None:
    """Write the page and pictures, and take away those of puzzles that are gone."""
    PICTURES.mkdir(exist_ok=True)
    for entry in entries():
        if not names or entry.name in names:
            file_of(entry).write_text(picture(entry), encoding="utf-8", newline="\n")
    for left in set(PICTURES.glob("*.svg")) - {file_of(entry) for entry in entries()}:
        left.unlink()
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
