"""A fitting and an exact cover as text, whole and with names: for people who look at a stage, and for golden tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from puzzlec.ir import ANY, ExactCover, Fitting
from puzzlec.ir.puzzle import copies_text
from puzzlec.lower import Encoding


def write_fitting(fitting: Fitting) -> str:
    """Return a fitting as text: its locations, then each piece with a line for each of its placements.

    Names with blanks stand in double quotes. Of tiles, the locations beyond the sides of each location are
    listed, and the colours that the sides show. The same fitting gives the same text.
    """
    return "\n".join(_fitting_lines(fitting)) + "\n"


def _fitting_lines(fitting: Fitting) -> Iterator[str]:
    names = [_word(fitting.location_name(number)) for number in range(fitting.locations)]
    needed = [name for number, name in enumerate(names) if number not in fitting.optional]
    yield f"fitting {_quoted(fitting.title)}"
    yield " ".join(["locations", *needed])
    if fitting.optional:
        yield " ".join(["optional", *(names[number] for number in sorted(fitting.optional))])
    if fitting.empty is not None:
        yield "empty {}..{}".format(*fitting.empty)
    if fitting.mates:
        yield " ".join(["mates", *(f"{colour}-{mate}" for colour, mate in fitting.mates)])
    for name, others in zip(names, fitting.beyond, strict=False):
        yield f"beyond {name}: {' '.join('-' if other < 0 else names[other] for other in others)}"
    for number, piece in enumerate(fitting.pieces):
        yield f"piece {_word(fitting.piece_name(number))} x{copies_text(piece.low, piece.high)}"
        for placement, sides in zip_longest(piece.placements, piece.sides, fillvalue=()):
            shown = " ".join(["", "edges", *sides]) if sides else ""
            yield "  " + (" ".join([names[location] for location in placement]) or "-") + shown


def write_cover(encoding: Encoding) -> str:
    """Return an exact cover as text, in the manner of Knuth's DLX programs.

    The first line lists the items, primary ones first, secondary ones behind a ``|``; ``low:high|`` stands
    before an item whose bounds are not 1 and 1 (``*``: no upper one). Every other line is an option: its
    items, with ``:colour`` where it colours one. Blanks, ``|`` and ``:`` in names are written ``_``; a piece
    called like a location gets ``piece-`` before its name. The same cover gives the same text.
    """
    return "\n".join(_cover_lines(encoding.cover, _item_names(encoding))) + "\n"


def _cover_lines(cover: ExactCover, names: list[str]) -> Iterator[str]:
    heads = [
        name if (low, high) == (1, 1) else f"{low}:{'*' if high >= ANY else high}|{name}"
        for name, low, high in zip(names, cover.low, cover.high, strict=False)
    ]
    yield " ".join([*heads, *(["|", *names[cover.primary :]] if cover.secondary else [])])
    for option in range(len(cover)):
        yield " ".join(names[item] + (f":{colour}" if colour else "") for item, colour in cover.entries(option))


def _item_names(encoding: Encoding) -> list[str]:
    """Return a name for each item, all different and without characters that mean something in the text."""
    plain = [re.sub(r'[\s|:"]', "_", name) or "_" for name in encoding.cover.item_names]
    pieces = {item for item in encoding.item_of_piece if item >= 0}
    others = {name for item, name in enumerate(plain) if item not in pieces}
    # All pieces or none: which of the numbers are pieces should be seen at once.
    clash = any(plain[item] in others for item in pieces)
    return list(_different(f"piece-{name}" if clash and item in pieces else name for item, name in enumerate(plain)))


def _different(names: Iterable[str]) -> Iterator[str]:
    """Give the names, each that was there before with signs behind it."""
    seen: set[str] = set()
    for name in names:
        while name in seen:
            name += "'"
        seen.add(name)
        yield name


def _word(name: str) -> str:
    return _quoted(name) if re.search(r'[\s"]', name) or not name else name


def _quoted(name: str) -> str:
    return '"' + re.sub(r'["\n]', "'", name) + '"'
