"""How hard a puzzle is for a person: a grade that does not depend on the names and the order of its pieces."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from pathlib import Path

from puzzlec.compiler import PuzzleOrName, compile, load
from puzzlec.diagnostics import Report
from puzzlec.engine.arrays import Arrays
from puzzlec.engine.search import grading, selection
from puzzlec.engine.search.grading import Grade
from puzzlec.lower import Encoding


def grade(
    what: PuzzleOrName, *, report: Report | None = None, parameters: Mapping[str, int] | None = None
) -> Grade | None:
    """Return how hard a puzzle is for a person; None for a puzzle that is too large.

    A careful person looks for forced moves, otherwise tries the possibilities of the place or piece that has the
    fewest, and takes back the last choice at a dead end. The grade is the binary logarithm of the expected number of
    looks at a location or a piece until the first solution. It does not depend on the names or the order of the pieces.
    ``docs/decisions/075`` compares it with the difficulties that makers state.

    >>> import puzzlec
    >>> found = puzzlec.grade("soma/soma")
    >>> found and (found.figure, found.forced)
    (12.4, 0)

    Args:
        what: A puzzle, or the name of one.
        report: Collects warnings.
        parameters: Values for the puzzle's `param` statements, if it is given by its name.

    Returns:
        The grade, with its parts.

    Raises:
        PuzzleError: If the puzzle cannot be compiled.

    """
    if isinstance(what, (str, Path)):
        what = load(what, report=report, parameters=parameters)
    encoding = compile(what, report=report)
    return None if selection.is_large(encoding.cover) else grading.grade(ordered(encoding))


def ordered(encoding: Encoding) -> Arrays:
    """Return the exact cover with pieces and options in an order that does not depend on names or on their order.

    Pieces are ordered by the items that their options have besides the piece, and options by their items.
    """
    cover = encoding.cover
    shades = sorted(set(cover.colours), key=lambda colour: (colour > 0, cover.colour_name(colour) if colour else ""))
    shade = {colour: number for number, colour in enumerate(shades, shades[:1] != [0])}
    rows = [sorted((item, shade[colour]) for item, colour in cover.entries(option)) for option in range(len(cover))]
    pieces: dict[int, list[list[tuple[int, int]]]] = {item: [] for item in encoding.item_of_piece if item >= 0}
    for row in rows:
        for item, _ in row:
            if item in pieces:
                pieces[item].append([entry for entry in row if entry[0] not in pieces])
    order = sorted(pieces, key=lambda item: (cover.low[item], cover.high[item], sorted(pieces[item])))
    moved = dict(zip(order, sorted(pieces), strict=True))
    low, high = array("i", cover.low), array("i", cover.high)
    for item, place in moved.items():
        low[place], high[place] = cover.low[item], cover.high[item]
    starts, items, colours = array("i", [0]), array("i"), array("i")
    for row in sorted([sorted((moved.get(item, item), colour) for item, colour in row) for row in rows]):
        items.extend([item for item, _ in row])
        colours.extend([colour for _, colour in row])
        starts.append(len(items))
    return Arrays(cover.primary, low, high, cover.secondary, starts, items, colours)
