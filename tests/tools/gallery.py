"""Write docs/gallery.md and its pictures, and the moves of burrs: every puzzle with a solution and its count.

``python -m tests.tools.gallery`` writes everything. ``python -m tests.tools.gallery soma/soma`` writes the page and the
named pictures, and ``python -m tests.tools.gallery --page`` only the page. The numbers of pieces, which the page of
``puzzlec serve`` also shows, are always written.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from puzzlec.diagnostics import Report
from puzzlec.diagnostics.files import source_of
from puzzlec.engine import Limits
from puzzlec.formats.catalogue import Entry, entries
from puzzlec.formats.reading import AnyPuzzle, guess_format, read
from puzzlec.ir import ANY, Fitting, Puzzle
from puzzlec.make.outputs import draw, subject
from puzzlec.show.page.data import page_data
from puzzlec.show.svg.choices import Choices
from puzzlec.solving.solutions import Solutions

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "gallery.md"
PICTURES = DOCS / "gallery"
NUMBERS = PICTURES / "pieces.json"

#: The search for a first solution stops after this many nodes. A limit of time would depend on the machine.
NODES = 200_000_000

#: Puzzles without a solution within that limit. Their pictures show the board.
UNSOLVED = ("eternity/eternity",)

#: Maximum number of pieces that are drawn below a board.
MAX_PIECES_DRAWN = 30

#: The largest size of a chart, in px.
MAX_CHART_WIDTH, MAX_CHART_HEIGHT = 480, 360

_SMALL = Choices(labels="none", legend=False, view="isometric")

#: An address in a sentence, without the punctuation after it.
_ADDRESS = re.compile(r"(https?://[^\s<>]*[^\s<>.,;:)])")

#: Number of pictures in a row.
COLUMNS = 3

_HEAD = """# Gallery

These are all {puzzles} puzzles of the catalogue, and {starts} texts to start from (`puzzlec new`), each with a
solution if one is known. Counts are of distinct solutions unless they say raw. A [grade](how-it-works/grades.md) says
how hard a puzzle is for a person.
"""


def file_of(entry: Entry) -> Path:
    """Return the file of the picture of a puzzle."""
    return PICTURES / f"{entry.name.replace('/', '-')}.svg"


def moves_of(entry: Entry) -> Path:
    """Return the file of the moves of a burr."""
    return file_of(entry).with_suffix(".json")


def picture(entry: Entry) -> str:
    """Return the picture of a puzzle as SVG: its first solution, or its board if it has none or none is known.

    A board has its pieces below it if they are few. Of a wide chart, the picture shows a corner that can be read.
    """
    what = _loaded(entry)
    is_solved = entry.name not in UNSOLVED
    shown = subject(Solutions(what, limits=Limits(1, None, NODES))) if is_solved else subject(what, 0)
    if not shown.solutions:
        puzzle = shown.puzzle
        few = puzzle is not None and puzzle.lattice is not None and len(puzzle.pieces) <= MAX_PIECES_DRAWN
        return draw(shown, format="svg", choices=replace(_SMALL, show="all" if few else "board", title=""))
    drawn = draw(shown, format="svg", choices=_SMALL)
    is_chart = shown.puzzle is None or shown.puzzle.lattice is None
    return corner(drawn) if is_chart else drawn


def corner(svg: str) -> str:
    """Return the upper left corner of a wide picture.

    >>> corner('<svg viewBox="-8 -8 900 200" width="900" height="200"/>')
    '<svg viewBox="-8 -8 480 200" width="480" height="200"/>'
    """
    head, box, rest = re.split(r'(viewBox="\S+ \S+ \d+ \d+" width="\d+" height="\d+")', svg, maxsplit=1)
    left, top, *size = re.findall(r"-?\d+", box)[:4]
    wide, high = min(MAX_CHART_WIDTH, int(size[0])), min(MAX_CHART_HEIGHT, int(size[1]))
    return f'{head}viewBox="{left} {top} {wide} {high}" width="{wide}" height="{high}"{rest}'


def is_moving(entry: Entry) -> bool:
    """Whether the wall shows how a puzzle comes apart."""
    return {"burr", "comes apart"} <= set(entry.tags) and not entry.name.startswith("new/")


def moves(entry: Entry) -> str:
    """Return the data of the viewer for the best assembly of a burr, with its moves, as JSON."""
    return json.dumps(page_data(subject(_loaded(entry), seconds=None, moving=True), 1), separators=(",", ":")) + "\n"


def _loaded(entry: Entry) -> AnyPuzzle:
    source = source_of(entry.path.read_bytes(), str(entry.path))
    return read(source, guess_format(source), Report())


def numbers() -> str:
    """Return the number of pieces of each puzzle of the catalogue as JSON, a line each; null if it varies."""
    found = {}
    for entry in entries():
        what = _loaded(entry)
        least, most = piece_bounds(what) if isinstance(what, Puzzle | Fitting) else (0, None)
        found[entry.name] = least if least == most else None
    return json.dumps(found, indent=0) + "\n"


def piece_bounds(what: Puzzle | Fitting) -> tuple[int, int | None]:
    """Return the minimum and maximum number of pieces in a solution; None if there is no bound.

    Each copy counts as a piece. If all pieces have the same size and fill the board, the board gives their number.
    """
    least, most = sum(piece.low for piece in what.pieces), sum(piece.high for piece in what.pieces)
    if isinstance(what, Puzzle) and least < most:
        sizes = {len(piece.cells) for piece in what.pieces if piece.high}
        is_filled = what.rules.empty is None and not any(location.optional for location in what.locations)
        if len(sizes) == 1 and is_filled and (size := sizes.pop()):
            least = most = len(what.locations) // size
    return least, most if most < ANY else None


def page() -> str:
    """Return the page."""
    starts = sum(entry.name.startswith("new/") for entry in entries())
    parts = [_HEAD.format(puzzles=len(entries()) - starts, starts=starts)]
    family = attrgetter("heading")
    for heading, members in groupby(sorted(entries(), key=family), key=family):
        parts.append(f"## {heading}\n")
        some = list(members)
        parts.append("\n".join(_table(some)))
        parts += [_notes(some)] * any(entry.notes for entry in some)
        parts.append(_sources(some))
    return "\n".join(parts)


def _table(some: Sequence[Entry]) -> Iterator[str]:
    yield "<table>"
    for start in range(0, len(some), COLUMNS):
        yield "<tr>"
        for entry in some[start : start + COLUMNS]:
            picture = (
                f'<img src="{file_of(entry).relative_to(DOCS).as_posix()}" alt="{escape(entry.title)}" width="240">'
            )
            image = f'<a href="../{entry.path.relative_to(DOCS.parent).as_posix()}">{picture}</a>'
            facts = f"{count_of(entry)}{apart_of(entry)}{grade_of(entry)}"
            words = f"{escape(entry.title)}<br><code>{entry.name}</code><br>{facts}"
            yield f'<td align="center">{image}<br>{words}</td>'
        yield "</tr>"
    yield "</table>\n"


def _notes(some: Sequence[Entry]) -> str:
    """Return the notes on puzzles as a list in Markdown, one item for each different note."""
    noted = _alike({entry.name: entry.notes for entry in some if entry.notes})
    lines = (", ".join(f"`{name}`" for name in names) + ": " + _ADDRESS.sub(r"<\1>", text) for names, text in noted)
    return "".join(f"- {line}\n" for line in lines)


def _sources(some: Sequence[Entry]) -> str:
    """Return the sources of counts as a list in HTML. It is long, so the reader opens it."""
    lines = ["<details>", "<summary>Sources</summary>", "<ul>"]
    for names, text in _alike({entry.name: entry.source for entry in some}):
        lines.append(f"<li>{', '.join(f'<code>{name}</code>' for name in names)}: {linked(text)}</li>")
    return "\n".join([*lines, "</ul>", "</details>\n"])


def linked(text: str) -> str:
    """Return a note or a source as HTML, with links and code.

    >>> linked("see https://example.org, `x` < 3")
    'see <a href="https://example.org">https://example.org</a>, <code>x</code> &lt; 3'
    """
    text = _ADDRESS.sub(r'<a href="\1">\1</a>', escape(text, quote=False))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def _alike(texts: Mapping[str, str]) -> list[tuple[list[str], str]]:
    """Return each text with the names that have it, in the order of first names.

    >>> _alike({"a": "x", "b": "y", "c": "x"})
    [(['a', 'c'], 'x'), (['b'], 'y')]
    """
    return [([name for name in texts if texts[name] == text], text) for text in dict.fromkeys(texts.values())]


def count_of(entry: Entry) -> str:
    """Return the number of solutions of a puzzle, in words."""
    if entry.distinct == 0 or entry.raw == 0:
        return "no solution"
    if entry.distinct is not None:
        return f"{entry.distinct:,} solution{'s' * (entry.distinct != 1)}"
    if entry.raw is not None:
        return f"{entry.raw:,} raw solution{'s' * (entry.raw != 1)}"
    return "not counted"


def apart_of(entry: Entry) -> str:
    """Return how a puzzle comes apart, in words; an empty text if the catalogue does not state it."""
    if not entry.apart or entry.level is None:
        return ""
    return f", {entry.apart:,} come{'s' * (entry.apart == 1)} apart, level {entry.level}"


def grade_of(entry: Entry) -> str:
    """Return how hard a puzzle is for a person, in words; an empty text if the catalogue does not state it."""
    known = entry.grade is not None and entry.grade != "unknown" and 0 not in (entry.raw, entry.distinct)
    return f", grade {escape(str(entry.grade))}" if known else ""


def main(names: Sequence[str]) -> None:
    """Write the page and the named pictures, and delete the pictures of deleted puzzles."""
    PICTURES.mkdir(exist_ok=True)
    for entry in entries():
        if not names or entry.name in names:  # no puzzle is named `--page`
            file_of(entry).write_text(picture(entry), encoding="utf-8", newline="\n")
            if is_moving(entry):
                moves_of(entry).write_text(moves(entry), encoding="utf-8", newline="\n")
    wanted = {NUMBERS, *map(file_of, entries()), *(moves_of(entry) for entry in entries() if is_moving(entry))}
    for left in set(PICTURES.iterdir()) - wanted:
        left.unlink()
    NUMBERS.write_text(numbers(), encoding="utf-8", newline="\n")
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
