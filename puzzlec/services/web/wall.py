"""The wall of puzzles: a small picture of each puzzle of the catalogue, and facts for its filters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from puzzlec.diagnostics import Report
from puzzlec.diagnostics.files import source_of
from puzzlec.engine import Limits
from puzzlec.formats.catalogue import Entry, entries
from puzzlec.formats.reading import Level, guess_format, read
from puzzlec.ir import ANY, Fitting, Puzzle
from puzzlec.make.outputs import draw, subject
from puzzlec.services.web.kept import kept
from puzzlec.show.svg.choices import Choices
from puzzlec.solving.solutions import Solutions

#: Seconds of the search for the first solution. If none is found, the picture shows the board.
SECONDS = 2.0

#: Maximum number of pieces below a board.
PIECES = 30

#: The largest size of a chart, in px.
WIDEST, HIGHEST = 480, 360

_SMALL = Choices(labels="none", legend=False, view="isometric")


def picture(entry: Entry, limits: Limits | None, background: str = "#ffffff") -> str:
    """Return a picture of the first solution as SVG, or of the board if none is found or there are no limits.

    A board has its pieces below it if they are few. Of a wide chart, the picture shows a corner that can be read.
    """
    what = _loaded(entry)
    shown = subject(what, 0) if limits is None else subject(Solutions(what, limits=limits))
    small = replace(_SMALL, background=background)
    if not shown.solutions:
        few = shown.puzzle is not None and shown.puzzle.lattice is not None and len(shown.puzzle.pieces) <= PIECES
        return draw(shown, format="svg", choices=replace(small, show="all" if few else "board", title=""))
    drawn = draw(shown, format="svg", choices=small)
    is_chart = shown.puzzle is None or shown.puzzle.lattice is None
    return corner(drawn) if is_chart else drawn


def corner(svg: str) -> str:
    """Return the upper left corner of a wide picture.

    >>> corner('<svg viewBox="-8 -8 900 200" width="900" height="200"/>')
    '<svg viewBox="-8 -8 480 200" width="480" height="200"/>'
    """
    head, box, rest = re.split(r'(viewBox="\S+ \S+ \d+ \d+" width="\d+" height="\d+")', svg, maxsplit=1)
    left, top, wide, high = re.findall(r"-?\d+", box)[:4]
    size = f'"{min(WIDEST, int(wide))}" height="{min(HIGHEST, int(high))}"'
    shown = f'viewBox="{left} {top} {min(WIDEST, int(wide))} {min(HIGHEST, int(high))}" width={size}'
    return f"{head}{shown}{rest}"


def _loaded(entry: Entry) -> Level:
    """Return a puzzle of the catalogue; its file is read with little memory, as a worker needs."""
    source = source_of(entry.path.read_bytes(), str(entry.path))
    return read(source, guess_format(source), Report())


def kept_picture(entry: Entry) -> str:
    """Return the picture of a puzzle for the wall."""
    return kept("svg", [entry], lambda: picture(entry, Limits(1, SECONDS), "none"))


def piece_bounds(what: Puzzle | Fitting) -> tuple[int, int | None]:
    """Return the minimum and maximum number of pieces in a solution; None if there is no bound.

    Each copy counts as a piece. If all pieces have the same size and fill the board, the board gives their number.
    """
    least, most = sum(piece.low for piece in what.pieces), sum(piece.high for piece in what.pieces)
    if isinstance(what, Puzzle) and least < most:
        sizes = {len(piece.cells) for piece in what.pieces if piece.high}
        is_filled = what.empty is None and not any(location.optional for location in what.locations)
        if len(sizes) == 1 and is_filled and (size := sizes.pop()):
            least = most = len(what.locations) // size
    return least, most if most < ANY else None


def numbers_of_pieces() -> dict[str, int | None]:
    """Return the number of pieces of each puzzle of the catalogue; None if it varies."""
    found: dict[str, int | None] = json.loads(kept("json", entries(), lambda: json.dumps(dict(_numbers_of_pieces()))))
    return found


def _numbers_of_pieces() -> Iterator[tuple[str, int | None]]:
    for entry in entries():
        what = _loaded(entry)
        least, most = piece_bounds(what) if isinstance(what, Puzzle | Fitting) else (0, None)
        yield entry.name, least if least == most else None
