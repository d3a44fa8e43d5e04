"""Makes docs/gallery.md and its pictures anew: every puzzle of the catalogue with a solution and its count.

``python -m tests.gallery`` makes all, ``python -m tests.gallery soma/soma`` the page and the pictures that are named,
``python -m tests.gallery --page`` the page alone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from pathlib import Path

from puzzlec.engine import Limits
from puzzlec.formats.catalogue import Entry, entries
from puzzlec.make.outputs import draw, subject
from puzzlec.pipeline import load
from puzzlec.show.svg.choices import Choices
from puzzlec.solving.solutions import Solutions

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "gallery.md"
PICTURES = DOCS / "gallery"

#: A first solution is looked for through so many nodes: a number of them, not a time, so that all machines agree.
NODES = 200_000_000

#: Puzzles whose first solution nobody has found within those: their boards and pieces are shown.
UNSOLVED = ("eternity/eternity",)

_SMALL = Choices(labels="none", legend=False, view="isometric")

#: An address in a sentence, without the signs that end the sentence or a bracket.
_ADDRESS = re.compile(r"(https?://[^\s<>]*[^\s<>.,;:)])")

#: So many pictures stand beside each other.
COLUMNS = 3

_HEAD = """# Gallery

Each puzzle of the catalogue with its first solution. If there is none, or none was found, you see the board. Counts are
distinct solutions, up to rotations and reflections, unless they are marked as raw.

`puzzlec solve NAME` draws a solution on the terminal, `puzzlec draw NAME -o FILE` writes a picture, and
`puzzlec view NAME -o FILE` a page in which you rotate it. Notes and the sources of the counts follow the pictures.
`puzzlec show NAME` prints them also.
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
        some = list(those)
        parts.append("\n".join(_table(some)))
        parts += [_notes(some)] * any(entry.notes for entry in some)
        parts.append(_sources(some))
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
            words = f"{escape(entry.title)}<br><code>{entry.name}</code><br>{count_of(entry)}{apart_of(entry)}"
            yield f'<td align="center">{image}<br>{words}</td>'
        yield "</tr>"
    yield "</table>\n"


def _notes(those: Sequence[Entry]) -> str:
    """Return a list of what else is to know of puzzles, in Markdown; those with the same note stand together."""
    noted = _alike({entry.name: entry.notes for entry in those if entry.notes})
    lines = (", ".join(f"`{name}`" for name in names) + ": " + _ADDRESS.sub(r"<\1>", text) for names, text in noted)
    return "".join(f"- {line}\n" for line in lines)


def _sources(those: Sequence[Entry]) -> str:
    """Return a list of where counts come from, in HTML, which a reader opens: it is long."""
    lines = ["<details>", "<summary>Sources</summary>", "<ul>"]
    for names, text in _alike({entry.name: entry.source for entry in those}):
        linked = _ADDRESS.sub(r'<a href="\1">\1</a>', escape(text, quote=False))
        linked = re.sub(r"`([^`]+)`", r"<code>\1</code>", linked)
        lines.append(f"<li>{', '.join(f'<code>{name}</code>' for name in names)}: {linked}</li>")
    return "\n".join([*lines, "</ul>", "</details>\n"])


def _alike(texts: Mapping[str, str]) -> list[tuple[list[str], str]]:
    """Return the names that have the same text with it, in the order of the first ones.

    >>> _alike({"a": "x", "b": "y", "c": "x"})
    [(['a', 'c'], 'x'), (['b'], 'y')]
    """
    return [([name for name in texts if texts[name] == text], text) for text in dict.fromkeys(texts.values())]


def count_of(entry: Entry) -> str:
    """Return in words how many solutions a puzzle has."""
    if entry.distinct == 0 or entry.raw == 0:
        return "no solution"
    if entry.distinct is not None:
        return f"{entry.distinct:,} solution{'s' * (entry.distinct != 1)}".replace(",", "\u202f")
    if entry.raw is not None:
        return f"{entry.raw:,} raw solution{'s' * (entry.raw != 1)}".replace(",", "\u202f")
    return "not counted"


def apart_of(entry: Entry) -> str:
    """Return in words how a puzzle comes apart; nothing if the catalogue does not state it."""
    if not entry.apart or entry.level is None:
        return ""
    return f", {entry.apart:,} come{'s' * (entry.apart == 1)} apart, level {entry.level}"


def main(names: Sequence[str]) -> None:
    """Write the page and pictures, and take away those of puzzles that are gone."""
    PICTURES.mkdir(exist_ok=True)
    for entry in entries():
        if not names or entry.name in names:  # `--page` is the name of none
            file_of(entry).write_text(picture(entry), encoding="utf-8", newline="\n")
    for left in set(PICTURES.glob("*.svg")) - {file_of(entry) for entry in entries()}:
        left.unlink()
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
