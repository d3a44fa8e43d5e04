"""From a fitting to an exact cover, and from its covers back to the pieces."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from puzzlec.ir import ExactCover, Fitting, Placement, Solution


@dataclass(frozen=True)
class Encoding:
    """An exact cover with the meaning of its options: all that the way back needs.

    Option ``o`` is placement ``index[o]`` of piece ``piece[o]`` (arrays of int32); a piece of -1 says
    that the optional location ``index[o]`` stays empty. ``item_of_piece`` and ``item_of_location``
    give the item that stands for each (-1: none is needed).
    """

    fitting: Fitting
    cover: ExactCover
    piece: array[int]
    index: array[int]
    item_of_piece: tuple[int, ...]
    item_of_location: tuple[int, ...]

    def lift(self, options: Iterable[int]) -> Solution:
        """Return the solution that a cover means, its placements in the order of the pieces."""
        chosen = sorted((self.piece[option], self.index[option]) for option in options)
        return Solution(
            self.fitting,
            tuple(
                Placement(piece, index, self.fitting.pieces[piece].placements.row(index))
                for piece, index in chosen
                if piece >= 0
            ),
        )


def encode(fitting: Fitting) -> Encoding:
    """Return the exact cover of a fitting.

    An item for each piece, with its copies as bounds, and one for each location. An optional location
    is a secondary item; where the number of empty ones is limited it is a primary one with an option
    of its own that leaves it empty and counts under the item ``empty``. A piece of which any number may
    be used needs no item; the other items are numbered pieces first, then locations.
    """
    low, high = array("i"), array("i")
    names: list[str] = []
    piece_items: list[int] = []
    counted = fitting.empty is not None and bool(fitting.optional)
    for number, piece in enumerate(fitting.pieces):
        # An item can be left out where it demands nothing, and every option keeps another primary item.
        unbounded = (
            piece.low == 0
            and piece.high >= len(piece.placements)
            and all(counted or not fitting.optional.issuperset(each) for each in piece.placements)
            and all(piece.placements)
        )
        piece_items.append(-1 if unbounded else len(names))
        if not unbounded:
            names.append(fitting.piece_name(number))
            low.append(piece.low)
            high.append(piece.high)
    location_items = [-1] * fitting.locations
    secondary: list[int] = []
    for location in range(fitting.locations):
        if location in fitting.optional and not counted:
            secondary.append(location)
            continue
        location_items[location] = len(names)
        names.append(fitting.location_name(location))
        low.append(1)
        high.append(1)
    empty_item = len(names)
    if counted and fitting.empty is not None:
        names.append("empty")
        low.append(fitting.empty[0])
        high.append(fitting.empty[1])
    primary = len(names)
    for location in secondary:
        location_items[location] = len(names)
        names.append(fitting.location_name(location))
    pieces, indices = array("i"), array("i")
    starts, items = array("i", [0]), array("i")
    for number, piece in enumerate(fitting.pieces):
        own = [piece_items[number]] if piece_items[number] >= 0 else []
        for index, placement in enumerate(piece.placements):
            items.extend(own)
            items.extend([location_items[location] for location in placement])
            starts.append(len(items))
            pieces.append(number)
            indices.append(index)
    for location in sorted(fitting.optional) if counted else ():
        items.extend((empty_item, location_items[location]))
        starts.append(len(items))
        pieces.append(-1)
        indices.append(location)
    cover = ExactCover(
        primary, low, high, len(names) - primary, starts, items, array("i", bytes(4 * len(items))), tuple(names)
    )
    return Encoding(fitting, cover, pieces, indices, tuple(piece_items), tuple(location_items))
