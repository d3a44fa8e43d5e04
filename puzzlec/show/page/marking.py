"""Colours of cells and of the sides of tiles, as a page shows them."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.ir import Puzzle
from puzzlec.show.page.packing import packed
from puzzlec.show.palette import COLOURS, INK, mixed
from puzzlec.show.svg.marks import KNOWN, Dyes, Marks

#: Where the pips of a number are: in nine places, row by row. They are where `puzzlec draw` has them.
PIPS = {
    "0": "", "1": "4", "2": "08", "3": "048", "4": "0268", "5": "02468", "6": "023568", "7": "0234568",
    "8": "01235678", "9": "012345678",
}  # fmt: skip


def colour_numbers(puzzle: Puzzle) -> dict[str, int]:
    """Return the colours of a puzzle's locations and of the cells of its pieces, numbered as they come."""
    colours = dict.fromkeys([each.colour for each in puzzle.locations if each.colour])
    colours |= dict.fromkeys([colour for piece in puzzle.pieces for colour in piece.colours if colour])
    return {colour: number for number, colour in enumerate(colours)}


def marked(puzzle: Puzzle) -> dict[str, object]:
    """Return the colours of locations and cells, what marks them, and which pieces have coloured cells.

    A mark is a string of pips (where they are, of nine places), a colour as `#rrggbb`, or null: no mark.
    """
    known = colour_numbers(puzzle)
    bare = any(None in piece.colours and len(set(piece.colours)) > 1 for piece in puzzle.pieces)
    marks = Marks(known, bare=bare)
    fills = [KNOWN.get(colour.lower()) for colour in known]
    if marks.way == "pips":
        shown: list[str | None] = [PIPS[colour] for colour in known]
    elif marks.way == "shade":
        shown = [INK if marks.shades(colour) else None for colour in known]
    elif None not in fills and len(set(fills)) == len(fills):
        shown = list(fills)
    else:
        shown = [mixed(COLOURS[number % len(COLOURS)], INK, 0.45) for number in range(len(known))]
    return {
        "colours": list(known),
        "marks": shown,
        "coloured": packed([known[each.colour] + 1 if each.colour else 0 for each in puzzle.locations]),
        "piecesColoured": [int(any(piece.colours)) for piece in puzzle.pieces],
    }


def signs_of(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the colours of the sides of tiles, in their order."""
    return tuple(sorted({sign for piece in puzzle.pieces for sign in piece.sides}))


def dyes_of(signs: Sequence[str]) -> list[str]:
    """Return a colour for each sign: the palette's as far as it goes, then shades of it."""
    fills = Dyes(signs).fills
    found = []
    for number, sign in enumerate(signs):
        again = number // len(COLOURS)
        found.append(mixed(fills[sign], INK if again % 2 else "#ffffff", min(0.9, 0.32 * again)))
    return found
