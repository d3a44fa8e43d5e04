"""Raising: turn an exact cover that was read into a fitting, if pieces and locations can express it.

Raising is exact: options and placements correspond one to one, and so do covers and solutions. Which items are pieces
and which are locations is a choice, since an exact cover has no such distinction. If each option has exactly one of
the first few items, these are the pieces. This holds for covers from :func:`puzzlec.lower.encode`, for Langford's
problem and for many sudokus. Otherwise each option is a separate piece that is used or not, with the option's name.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import pairwise

from puzzlec.diagnostics import Report
from puzzlec.engine.arrays import has_numpy
from puzzlec.engine.problem import MIN_ENTRIES_OF_NUMPY, ExactCover
from puzzlec.ir import ANY, Fitting, Placements
from puzzlec.ir.fitting import FittingPiece
from puzzlec.lower.covering import Encoding
from puzzlec.lower.labels import Labelled, different

#: More options than this become separate pieces only if they have names. Otherwise they are placements of one piece,
#: and repeated options are placements of a second piece, and so on.
MAX_UNNAMED_PIECES = 20_000


def encoded_cover(cover: ExactCover) -> Encoding:
    """Return an exact cover with a fitting, and the meaning of each option there; the cover does not change.

    If pieces and locations cannot express the cover, the fitting is not ``faithful``: each option is a separate piece
    that covers its items. An item with colours becomes a location for each of its colours.
    """
    if not _unsayable(cover):
        return raised_cover(cover)
    names = list(Labelled(cover).items)
    pairs, rows = _pairs(cover)
    named = [names[item] + (f":{cover.colour_name(colour)}" if colour else "") for item, colour in pairs]
    pieces_of, index, placements_of, called = _apart(cover, rows)
    return Encoding(
        Fitting(
            len(pairs),
            tuple(
                FittingPiece(placements, 0, 1, name=name)
                for placements, name in zip(placements_of, called, strict=True)
            ),
            frozenset(range(len(pairs))),
            names=tuple(different(named)),
            title=cover.title,
        ),
        cover,
        pieces_of,
        index,
        (-1,) * len(placements_of),
        (-1,) * len(pairs),
        faithful=False,
        raised=True,
    )


def raised_cover(cover: ExactCover) -> Encoding:
    """Return an exact cover with the equivalent fitting, and the meaning of each option there.

    The cover does not change, nor does the order of its options. Raises PuzzleError for properties that a fitting
    cannot express: colours of items, and bounds of items that are not pieces.
    """
    if unsayable := _unsayable(cover):
        report = Report()
        for message, note in unsayable:
            report.add("PZ502", message, note=note, file=cover.title or None)
        raise report.error()
    pieces = _pieces(cover)
    names = Labelled(cover).items
    locations = cover.primary + cover.secondary - pieces
    if pieces:
        pieces_of, index, placements_of = _split(cover, pieces)
        bounds = [(cover.low[item], cover.high[item]) for item in range(pieces)]
        called = list(names[:pieces])
    else:
        pieces_of, index, placements_of, called = _apart(cover, _rows(cover))
        bounds = [(0, 1) if len(placements_of) == len(cover) else (0, ANY)] * len(placements_of)
    fitting = Fitting(
        locations,
        tuple(
            FittingPiece(placements, low, high, name=name)
            for placements, (low, high), name in zip(placements_of, bounds, called, strict=True)
        ),
        frozenset(range(cover.primary - pieces, locations)),
        names=tuple(names[pieces:]),
        title=cover.title,
    )
    items = tuple(range(pieces)) if pieces else (-1,) * len(placements_of)
    return Encoding(fitting, cover, pieces_of, index, items, tuple(range(pieces, pieces + locations)), raised=True)


def _unsayable(cover: ExactCover) -> list[tuple[str, str]]:
    """Return the properties of an exact cover that pieces and locations cannot express: messages, each with a note."""
    properties = []
    if any(cover.colours):
        entry = next(entry for entry, colour in enumerate(cover.colours) if colour)
        option = bisect_right(cover.starts, entry)
        name = cover.item_name(cover.items[entry])
        note = f"item `{name}` has one in option {option}"
        properties.append(("pieces and locations cannot express colours of items", note))
    odd = [item for item in range(cover.primary) if (cover.low[item], cover.high[item]) != (1, 1)]
    if odd and odd[-1] >= (pieces := _pieces(cover)):
        item = next(item for item in odd if item >= pieces)
        message = f"a location is covered once, but item `{cover.item_name(item)}` {_often(cover, item)}"
        note = "only first items can be pieces with copies, and only if each option has exactly one of them"
        properties.append((message, note))
    return properties


def _often(cover: ExactCover, item: int) -> str:
    low, high = cover.low[item], cover.high[item]
    return f"{low} times or more" if high >= ANY else f"{low} times" if low == high else f"{low} to {high} times"


def _pieces(cover: ExactCover) -> int:
    """Return the number of first items that can be pieces, one of them in each option; 0 if there is no such number.

    Two options with the same items cannot be two placements of a piece, and an option without other items cannot cover
    a location. In both cases the options become separate pieces.
    """
    every = cover.primary + cover.secondary  # with this many pieces no location would be left
    if _is_large(cover):
        from puzzlec.lower import placing_numpy as vectors

        needed = vectors.in_front(cover)
        return 0 if needed in (0, every) or vectors.repeats(cover).any() else needed
    rows = [tuple(sorted(cover.row(option))) for option in range(len(cover))]
    needed = max([row[0] for row in rows], default=-1) + 1
    just_one = all(second >= needed for row in rows for second in row[1:2])
    return needed if just_one and needed < every and len(set(rows)) == len(rows) else 0


def _is_large(cover: ExactCover) -> bool:
    """Whether numpy is worth its import: 300,000 options take 0.3 s with numpy, and 1.7 s in plain Python."""
    return len(cover.items) >= MIN_ENTRIES_OF_NUMPY and has_numpy()


def _rows(cover: ExactCover) -> array[int]:
    """Return the items of all options, ascending in each option, one option after another."""
    if _is_large(cover):
        from puzzlec.lower import placing_numpy as vectors

        return vectors.sorted_rows(cover)
    return array("i", [item for option in range(len(cover)) for item in sorted(cover.row(option))])


def _pairs(cover: ExactCover) -> tuple[list[tuple[int, int]], array[int]]:
    """Return the existing pairs of item and colour, and the pairs of the options in the form of :func:`_rows`."""
    if _is_large(cover):
        from puzzlec.lower import placing_numpy as vectors

        return vectors.entries_in_order(cover)
    plain = {(item, 0) for item in range(cover.primary + cover.secondary)}
    pairs = sorted(plain.union(zip(cover.items, cover.colours, strict=True)))
    number = {pair: location for location, pair in enumerate(pairs)}
    options = (sorted(map(number.__getitem__, cover.entries(option))) for option in range(len(cover)))
    return pairs, array("i", [entry for row in options for entry in row])


def _split(cover: ExactCover, pieces: int) -> tuple[array[int], array[int], list[Placements]]:
    """Return piece and placement of each option, and the placements, if the first items are the pieces."""
    if _is_large(cover):
        from puzzlec.lower import placing_numpy as vectors

        return vectors.split(cover, pieces)
    rows: list[list[tuple[int, ...]]] = [[] for _ in range(pieces)]
    pieces_of, index = array("i"), array("i")
    for option in range(len(cover)):
        row = sorted(cover.row(option))
        piece = row[0]
        pieces_of.append(piece)
        index.append(len(rows[piece]))
        rows[piece].append(tuple(item - pieces for item in row[1:]))
    return pieces_of, index, [Placements(row) for row in rows]


def _apart(cover: ExactCover, rows: array[int]) -> tuple[array[int], array[int], list[Placements], list[str]]:
    """Return piece and placement of each option, the placements of each piece, and names of the pieces.

    Each option is a separate piece. Many options without names are the placements of one piece instead; repeated
    options belong to further pieces, since placements of a piece are all different.
    """
    if len(cover) > MAX_UNNAMED_PIECES and not cover.option_names:
        from puzzlec.lower import placing_numpy as vectors

        pieces_of, index, placements_of = vectors.apart(cover, rows)
        return pieces_of, index, placements_of, list(different(["option"] * len(placements_of)))
    names = list(
        different(map(Labelled(cover).option, range(len(cover)))) if cover.option_names else map(str, range(len(cover)))
    )
    placements_of = [
        Placements.from_arrays(array("i", (0, last - first)), rows[first:last], (rows[first], rows[last - 1]))
        for first, last in pairwise(cover.starts)
    ]
    return array("i", range(len(cover))), array("i", bytes(4 * len(cover))), placements_of, names
