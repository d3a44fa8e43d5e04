"""The pages of the puzzles: one for each puzzle of the catalogue, made when the site is built.

A page has the picture, the counts, the source, the notes, the tags, the text of the puzzle, and files to download.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import yaml

from puzzlec.compiler import convert, load
from puzzlec.diagnostics import PuzzleError, counted
from puzzlec.formats.catalogue import Entry, entries
from puzzlec.geometry import lattice_names
from puzzlec.ir import Fitting, Puzzle
from tests.tools.gallery import apart_of, count_of, file_of, grade_of, linked, piece_bounds
from tests.tools.site import links, live

#: Texts of more lines are cut: the file has the rest.
LONGEST = 120

#: Formats to download, with the words of the links.
FORMATS = {"json": "JSON", "xmpuzzle": "BurrTools"}

#: The meaning of the counts. The words are those of the glossary.
CONVENTIONS = {
    "distinct": "distinct: rotations and reflections count as one",
    "rotations": "if only rotations count as one",
    "parts": "if each part of the board rotates and reflects separately",
    "raw": "raw: every rotation and reflection counts",
}


class Facts(NamedTuple):
    """The facts about a puzzle that its page and the filters of the gallery use.

    ``least`` and ``most`` are the bounds of the number of pieces; ``most`` is None if there is no bound.
    """

    lattice: str
    least: int
    most: int | None

    @property
    def words(self) -> str:
        """Number of pieces, in words."""
        if self.least == self.most:
            return counted(self.least, "piece")
        if self.most is not None:
            return f"{self.least:,} to {counted(self.most, 'piece')}"
        return f"at least {counted(self.least, 'piece')}" if self.least else "any number of pieces"


def loaded(entry: Entry) -> Puzzle | Fitting:
    """Return a puzzle of the catalogue."""
    what = load(str(entry.path))
    assert isinstance(what, Puzzle | Fitting)
    return what


@cache
def facts(entry: Entry) -> Facts:
    """Return the facts about a puzzle."""
    what = loaded(entry)
    puzzle = what if isinstance(what, Puzzle) else what.puzzle
    lattice = puzzle.lattice.name if puzzle is not None and puzzle.lattice is not None else "none"
    return Facts(lattice, *piece_bounds(what))


def name_of(entry: Entry) -> str:
    """Return the path of the page of a puzzle on the site."""
    return f"puzzles/{entry.name}.md"


def pages() -> dict[Path, str]:
    """Return for each file of the catalogue the path of its page on the site."""
    return {entry.path.resolve(): name_of(entry) for entry in entries()}


def staged(
    entry: Entry, has_card: bool = True, has_workbench: bool = False, extras: Set[str] = frozenset()
) -> dict[str, str]:
    """Return the page of a puzzle and the files to download, by their paths on the site.

    Without ``has_card``, a link to the page shows the picture of the site. ``has_workbench``: the page links it.
    ``extras`` are the extensions of the files of :func:`live.made`.
    """
    what = loaded(entry)
    text = entry.path.read_text(encoding="utf-8")
    files = {f"{entry.name}{entry.path.suffix}": text}
    for name in FORMATS:
        try:
            files[f"{entry.name}.{name}"] = convert(what, name)
        except PuzzleError:  # the format cannot express the puzzle
            continue
    page = "\n".join(_page(entry, text, files, has_card, _acts(entry, has_workbench, extras), extras))
    return {name_of(entry): page} | {f"puzzles/{name}": content for name, content in files.items()}


def _acts(entry: Entry, has_workbench: bool, extras: Set[str]) -> str:
    """Return the buttons below the picture, as HTML: what a reader can do with the puzzle."""
    stem = entry.name.rpartition("/")[2]
    there = f"{'../' * (entry.name.count('/') + 1)}{links.PAGE}#{entry.name}"
    found = []
    if has_workbench:
        found.append(f'<a class="md-button md-button--primary" href="{there}&amp;part=play">Play</a>')
    if ".view.json" in extras:
        found.append('<button type="button" class="md-button" data-act="apart" hidden>Take apart</button>')
    if has_workbench:
        found.append(f'<a class="md-button" href="{there}">Edit</a>')
    if ".pdf" in extras:
        found.append(f'<a class="md-button" href="{stem}.pdf">Print</a>')
    return f'<div class="puzzle-acts">{"".join(found)}</div>\n' if found else ""


def _page(entry: Entry, text: str, files: dict[str, str], has_card: bool, acts: str, extras: Set[str]) -> Iterator[str]:
    known = facts(entry)
    up = "../" * (entry.name.count("/") + 1)
    family = entry.heading
    picture = up + file_of(entry).relative_to(file_of(entry).parents[1]).as_posix()
    about = f"{count_of(entry)}{apart_of(entry)}{grade_of(entry)}; {known.words}; lattice {known.lattice}."
    head: dict[str, Any] = {
        "title": escape(entry.title),  # the theme does not escape it
        "description": escape(f"{entry.title}: {about} Picture, source, text and files of the puzzle."),
        "hide": ["navigation", "toc"],
        "style": "site/puzzle.css",
    }
    if has_card:
        head["image"] = f"puzzles/{entry.name}.png"
    view = ""
    if ".view.json" in extras:
        view = f' data-view="{entry.name.rpartition("/")[2]}.view.json"'
        head["scripts"] = ["site/puzzle.js"]
    yield f"---\n{yaml.safe_dump(head, allow_unicode=True, width=1000)}---"
    yield f"# {_plain(entry.title)}\n"
    before, after = live.beside(entry)
    yield (
        f'<p class="puzzle-beside"><a href="{up}puzzles/{before.name}.html" rel="prev">← {escape(before.title)}</a>'
        f'<span><a href="{up}gallery.html">Gallery</a> / '
        f'<a href="{up}gallery.html#{family.lower().replace(" ", "-")}">{family}</a></span>'
        f'<a href="{up}puzzles/{after.name}.html" rel="next">{escape(after.title)} →</a></p>\n'
    )
    yield f'<p class="puzzle-picture"{view}><img src="{picture}" alt="{escape(entry.title)}"></p>\n'
    yield acts
    yield '<dl class="facts">'
    for term, meaning in _facts(entry, known, up):
        yield f"<dt>{term}</dt><dd>{meaning}</dd>"
    yield "</dl>\n"
    if entry.notes:
        yield f"## Notes\n\n<p>{linked(entry.notes)}</p>\n"
    yield "## The puzzle\n"
    lines = text.splitlines()
    yield f"```{'puzzle' if entry.path.suffix == '.puzzle' else 'text'}"
    yield from lines[:LONGEST]
    yield "```\n"
    if len(lines) > LONGEST:
        yield f"These are the first {LONGEST} of {len(lines):,} lines. The file has all.\n"
    yield f"Solve it:\n\n```console\n$ puzzlec solve {entry.name}\n$ puzzlec view {entry.name} -o puzzle.html\n```\n"
    yield "## Downloads\n"
    for file, content in files.items():
        words = FORMATS.get(file.rpartition(".")[2], "puzzle")
        yield f'- <a href="{file.rpartition("/")[2]}" download>{words}</a> ({len(content.encode()):,} bytes)'
    yield f'- <a href="{picture}" download>SVG picture</a>\n'
    yield f"## Similar puzzles\n\n{live.cards(live.similar(entry), up)}"


def _plain(title: str) -> str:
    """Return a title with the marks of Markdown escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", title)


def _facts(entry: Entry, known: Facts, up: str) -> Iterator[tuple[str, str]]:
    """Yield the terms of the list of facts with their values, as HTML."""
    counts = [(getattr(entry, name), words) for name, words in CONVENTIONS.items()]
    stated = [f"<strong>{number:,}</strong> {words}" for number, words in counts if number is not None]
    yield "Solutions", "<br>".join(stated) or "not counted"
    if entry.apart is not None:
        noun = "assembly" if entry.apart == 1 else "assemblies"
        yield "Comes apart", f"{entry.apart:,} distinct {noun}, best level {escape(entry.level or 'unknown')}"
    yield "Source", linked(entry.source)
    if stars := live.stars_of(entry):
        most = len(live.STARS) + 1
        drawn = f'<span role="img" aria-label="{stars} of {most} stars">{"★" * stars}{"☆" * (most - stars)}</span>'
        moves = ", without the moves" if entry.level not in (None, "1") else ""
        yield "Grade", f'{drawn} <a href="{up}how-it-works/grades.html">{escape(str(entry.grade))}</a>{moves}'
    lattice = escape(known.lattice)
    yield "Lattice", f'<a href="{up}lattices.md#{lattice}">{lattice}</a>' if lattice in lattice_names() else lattice
    yield "Pieces", known.words.replace(" pieces", "").replace(" piece", "")
    if entry.options is not None:
        yield "Exact cover", f"{entry.options:,} options"
    yield "Name", f"<code>{entry.name}</code>"
    if entry.tags:
        yield "Tags", ", ".join(f'<a href="{up}gallery.html?{urlencode({"tag": tag})}">{tag}</a>' for tag in entry.tags)


def filtered(gallery: str) -> str:
    """Return the page of the gallery with the facts that its filters read, in attributes of each picture's cell."""
    cells = {name_of(entry): entry for entry in entries()}

    def with_facts(cell: re.Match[str]) -> str:
        entry = cells[cell.group(1)]
        known = facts(entry)
        solutions = entry.raw if entry.distinct is None else entry.distinct
        data = {
            "name": entry.name,
            "title": entry.title,
            "lattice": known.lattice,
            "pieces": str(known.least) if known.least == known.most else "",
            "solutions": "" if solutions is None else str(solutions),
            "tags": "|".join(entry.tags),
        }
        attributes = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
        return f'<td align="center"{attributes}><a href="{cell.group(1)}">'

    gallery = re.sub(r'<td align="center"><a href="([^"]*)">', with_facts, gallery)
    return gallery.replace('<img src="', '<img loading="lazy" src="')
