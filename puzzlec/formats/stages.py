"""A fitting and an exact cover as complete text with names, for looking at a stage and for golden tests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.formats.dlx import write_dlx
from puzzlec.ir import Fitting
from puzzlec.ir.puzzle import copies_text
from puzzlec.lower import Encoding
from puzzlec.lower.labels import Labelled


def write_fitting(fitting: Fitting) -> str:
    """Return a fitting as text: its locations, then each piece with a line for each of its placements.

    Names with spaces are in double quotes. For tiles, the text lists the neighbours of each location,
    and the colours of the sides. Pieces with several colours list those of their cells. Rules on regions follow. The
    same fitting gives the same text.
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
    for name, others in zip(names, fitting.neighbours, strict=False):
        yield f"neighbours {name}: {' '.join('-' if other < 0 else names[other] for other in others)}"
    for rule in fitting.region_rules:
        yield f"rule {rule.words} on {' '.join(names[location] for location in rule.region)}"
    for number, piece in enumerate(fitting.pieces):
        yield f"piece {_word(fitting.piece_name(number))} x{copies_text(piece.low, piece.high)}"
        for index, placement in enumerate(piece.placements):
            row = " ".join([names[location] for location in placement]) or "-"
            yield " ".join(["", "", row, *piece.shown_words(index)])


def write_cover(encoding: Encoding) -> str:
    """Return an exact cover as text for Knuth's DLX programs; see :func:`puzzlec.formats.dlx.write_dlx`."""
    return "".join(write_dlx(Labelled.of(encoding)))


def _word(name: str) -> str:
    return _quoted(name) if re.search(r'[\s"]', name) or not name else name


def _quoted(name: str) -> str:
    return '"' + re.sub(r'["\n]', "'", name) + '"'
