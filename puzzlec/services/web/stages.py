"""The stages of a puzzle for the page: its texts, the exact cover, and the nodes of the search."""

from __future__ import annotations

from itertools import islice
from typing import Any

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.steps import Choice, steps
from puzzlec.formats.reading import Level
from puzzlec.formats.stages import write_fitting
from puzzlec.ir import Puzzle
from puzzlec.lower import Encoding
from puzzlec.lower.labels import Labelled
from puzzlec.pipeline import compile, convert
from puzzlec.show.palette import PALETTES, pools

#: Maximum number of lines of a text that is shown, and of characters in a line.
LINES, WIDTH = 400, 2000

#: Maximum numbers of options and entries of a cover that is shown. For larger covers only the texts are shown.
OPTIONS, ENTRIES = 4000, 60_000

#: Maximum number of nodes of the search, and of numbers in all nodes together.
NODES, NUMBERS = 600, 200_000


def stages(what: Level, choice: Choice, palette: str) -> dict[str, Any]:
    """Return the stages of a puzzle as data.

    ``texts`` are the first lines of the puzzle and the fitting, each with its number of ``lines``. ``cover`` has the
    items and options of the exact cover. If the cover is too large, ``large`` is present instead. ``nodes`` are the
    first nodes of the search. ``whole`` is true if these are all nodes.
    """
    encoding = compile(what, "cover")
    assert isinstance(encoding, Encoding)
    texts = {}
    if isinstance(what, Puzzle):
        texts["puzzle"] = _shortened(convert(what, "puzzle"))
    if not encoding.raised:
        texts["fitting"] = _shortened(write_fitting(encoding.fitting))
    cover, size = encoding.cover, {"items": encoding.cover.primary, "options": len(encoding.cover)}
    found: dict[str, Any] = {"texts": texts, "size": {**size, "secondary": cover.secondary}}
    if len(cover) > OPTIONS or len(cover.items) > ENTRIES:
        return {**found, "large": f"The exact cover has {len(cover):,} options: only small ones are shown."}
    return {**found, "cover": _cover(encoding, palette), **_search(cover, choice)}


def _shortened(text: str) -> dict[str, Any]:
    lines = text.splitlines()
    return {"text": "\n".join(line[:WIDTH] for line in lines[:LINES]), "lines": len(lines), "shown": LINES}


def _cover(encoding: Encoding, palette: str) -> dict[str, Any]:
    """Return the items and options of a cover: names, entries, and the piece and the locations of each option."""
    cover, fitting, labelled = encoding.cover, encoding.fitting, Labelled.of(encoding)
    colours, hues = PALETTES[palette], pools([piece.high for piece in fitting.pieces])
    return {
        "items": list(labelled.items),
        "primary": cover.primary,
        "bounds": {
            item: [cover.low[item], cover.high[item]]
            for item in range(cover.primary)
            if (cover.low[item], cover.high[item]) != (1, 1)
        },
        "options": [[item for item, _ in cover.entries(option)] for option in range(len(cover))],
        "colours": [
            {item: cover.colour_name(colour) for item, colour in cover.entries(option) if colour}
            for option in range(len(cover))
        ]
        if any(cover.colours)
        else [],
        "labels": list(labelled.labels()),
        "piece": list(encoding.piece),
        "places": [_places(encoding, option) for option in range(len(cover))],
        "pieces": [fitting.piece_name(piece) for piece in range(len(fitting.pieces))],
        "fills": [[colours[hue] for hue in own] for own in hues],
        "locations": fitting.locations,
    }


def _places(encoding: Encoding, option: int) -> list[int]:
    """Return the locations that an option covers; none if it places no piece."""
    piece = encoding.piece[option]
    if piece < 0:
        return []
    return list(encoding.fitting.pieces[piece].placements.row(encoding.index[option]))


def _search(cover: ExactCover, choice: Choice) -> dict[str, Any]:
    """Return the first nodes of the search, up to the limit of the page."""
    nodes: list[list[object]] = []
    numbers = 0
    for step in islice(steps(cover, choice), NODES + 1):
        numbers += len(step.gone)
        if len(nodes) == NODES or (nodes and numbers > NUMBERS):
            return {"nodes": nodes, "whole": False}
        nodes.append(list(step))
    return {"nodes": nodes, "whole": True}
