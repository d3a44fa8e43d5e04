"""What a page of a puzzle shows besides its text: the data of its viewer, a worksheet, similar puzzles and stars.

The data and the worksheets need a solution of each puzzle, so they are made again only if puzzlec or the puzzle has
changed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from html import escape
from operator import attrgetter
from pathlib import Path

from puzzlec.compiler import load
from puzzlec.diagnostics import PuzzleError
from puzzlec.formats.catalogue import Entry, entries, find, tags
from puzzlec.make.outputs import draw, subject
from puzzlec.services.web.shorter import short_script, short_style
from puzzlec.show.game.data import GameData, game_data
from puzzlec.show.game.writing import game_page
from puzzlec.show.page.data import page_data
from puzzlec.show.page.writing import viewer_source, viewer_style
from tests.tools.gallery import DOCS, UNSOLVED, file_of

#: The puzzles with a viewer and a worksheet on a site that is not whole.
SOME = ("soma/soma", "burrs/six-piece-2", "pentominoes/6x10")

#: The program of the viewer and its style, as files of the site.
VIEWER = {"site/viewer.js": viewer_source, "site/viewer.css": viewer_style}

#: The page of all scenes on the site, which shows the one of its address.
SCENES_PAGE = "site/scenes.html"

#: The scenes at the top of the first page: the puzzle of each, its words, and the pieces beside the board.
SCENES = {
    "burr": ("burrs/six-piece-1", "Drag the sticks of a burr apart", ""),
    "board": ("pentominoes/8x8-hole", "Drag the last three pieces onto the board", "NUW"),
}

#: The film of the first page, whose place the scenes take.
_FILM = re.compile(r'<p align="center"><picture>.*?</picture></p>\n', re.DOTALL)

#: Similar puzzles on a page.
SIMILAR = 4

#: The least grade of two, three, four and five stars. Each number of stars is for about a fifth of the catalogue.
STARS = (7.0, 8.5, 11.0, 14.0)


def stars_of(entry: Entry) -> int:
    """Return the number of stars of a puzzle by its grade, 0 without a grade or a solution."""
    if entry.grade in (None, "unknown") or 0 in (entry.distinct, entry.raw):
        return 0
    return 1 + sum(float(str(entry.grade).lstrip(">=")) >= least for least in STARS)


@cache
def in_order() -> tuple[Entry, ...]:
    """Return all puzzles in the order of the gallery."""
    return tuple(sorted(entries(), key=attrgetter("heading")))


def beside(entry: Entry) -> tuple[Entry, Entry]:
    """Return the puzzles before and after another one in the gallery; the last one is before the first."""
    every = in_order()
    at = every.index(entry)
    return every[at - 1], every[(at + 1) % len(every)]


def similar(entry: Entry) -> list[Entry]:
    """Return the puzzles that share the rarest tags with another one. The same family decides between equals."""
    number = _numbers()

    def likeness(other: Entry) -> tuple[float, bool]:
        shared = set(entry.tags) & set(other.tags)
        return sum(1 / number[tag] for tag in shared), other.heading == entry.heading

    others = [other for other in in_order() if other != entry and not other.name.startswith("new/")]
    return sorted(others, key=likeness, reverse=True)[:SIMILAR]


@cache
def _numbers() -> Counter[str]:
    return Counter(tags(entries()))


def cards(some: list[Entry], up: str) -> str:
    """Return pictures of puzzles that link their pages, as HTML."""
    cells = [
        f'<a href="{up}puzzles/{entry.name}.html"><img src="{up}gallery/{file_of(entry).name}" alt="" loading="lazy">'
        f"{escape(entry.title)}</a>"
        for entry in some
    ]
    return f'<div class="puzzle-cards">{"".join(cells)}</div>\n'


def made(docs: Path, entry: Entry, is_whole: bool) -> set[str]:
    """Write the data of the viewer and the worksheet of a puzzle, and return the extensions of the existing files.

    A puzzle without geometry has no viewer: its picture is as good. Without the package ``typst``, no puzzle has a
    worksheet.
    """
    if not is_whole and entry.name not in SOME:
        return set()
    page = docs / "puzzles" / f"{entry.name}.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    newest = max(entry.path.stat().st_mtime, _newest())
    for ending, write in _WRITERS.items():
        target = page.with_suffix(ending)
        if target.exists() and target.stat().st_mtime >= newest:
            continue
        with suppress(PuzzleError):  # it has no such file
            content = write(entry)
            if content:
                target.write_bytes(content)
    return {ending for ending in _WRITERS if page.with_suffix(ending).exists()}


def _data(entry: Entry) -> bytes:
    found = subject(load(str(entry.path)), 0 if entry.name in UNSOLVED else 1)
    data = page_data(found, 1)
    return b"" if data["shown"] == "chart" else json.dumps(data, separators=(",", ":")).encode()


def _worksheet(entry: Entry) -> bytes:
    return draw(subject(load(str(entry.path)), 0 if entry.name in UNSOLVED else 1), format="pdf", show="worksheet")


def opening(page: str) -> str:
    """Return the first page with its scenes in the place of the film: games that need neither compiler nor server.

    Readers without scripts see the film.
    """
    frames = [
        f'<iframe src="{SCENES_PAGE}#scene={name}" title="{words}" loading="lazy"></iframe>'
        for name, (_, words, _) in SCENES.items()
    ]
    opened, number = _FILM.subn(
        lambda film: f'<div class="scenes">{"".join(frames)}</div>\n\n<noscript>\n{film.group()}</noscript>\n',
        page,
        count=1,
    )
    assert number == 1
    return opened


def scenes() -> str:
    """Return the page of the scenes, in English: games that begin with some pieces in their places."""

    def short(source: str) -> str:
        return short_script(source).decode()

    games = [_scene(name, puzzle, beside) for name, (puzzle, _, beside) in SCENES.items()]
    return game_page(games, short, lambda source: short_style(source).decode(), ("en",))


def _scene(name: str, puzzle: str, beside: str) -> GameData:
    path = find(puzzle)
    assert path is not None
    shown = subject(load(str(path)), 1)
    data = game_data(shown, free=beside)
    names = [shown.fitting.piece_name(placement.number) for placement in shown.solutions[0].placements]
    placed = zip(names, data["solutions"]["numbers"], strict=True) if beside else ()
    return data | {"scene": name, "begin": [number for name, number in placed if name not in beside]}


_WRITERS: dict[str, Callable[[Entry], bytes]] = {".view.json": _data, ".pdf": _worksheet}


@cache
def _newest() -> float:
    """Return the time of the last change of puzzlec."""
    return max(path.stat().st_mtime for path in (DOCS.parent / "puzzlec").rglob("*.py"))
