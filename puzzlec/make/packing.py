"""Rectangles on plates and on sheets: in shelves, the highest first, each on the first shelf that has room for it.

That is first fit by decreasing height (E. G. Coffman, M. R. Garey, D. S. Johnson, R. E. Tarjan, "Performance bounds for
level-oriented two-dimensional packing algorithms", SIAM J. Comput. 9, 1980). Rectangles may be turned by a quarter turn
as J. Jylänki tells it ("A thousand ways to pack the bin", 2010): on a shelf they stand upright where it is high enough;
a new one is begun by their long side or by their short one. All of that is tried, with shelves along either side of the
plate, and the first way with the fewest plates is taken; that in which nothing is turned without need comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: Lengths that differ by less than this, in mm, are the same.
_SAME = 1e-6

Size = tuple[float, float]


class Position(NamedTuple):
    """Where a rectangle lies: the number of the plate, its least x and y there, and whether it is turned."""

    plate: int
    x: float
    y: float
    turned: bool


class _Shelf:
    """A strip of a plate, and how far it is full."""

    def __init__(self, plate: int, begin: float, height: float) -> None:
        self.plate, self.begin, self.height, self.filled = plate, begin, height, 0.0


def fits(size: Size, width: float, depth: float) -> bool:
    """Whether a rectangle lies on a plate as it is.

    >>> fits((60, 40), 60, 50), fits((60, 40), 50, 60)
    (True, False)
    """
    return size[0] <= width + _SAME and size[1] <= depth + _SAME


def packed(sizes: Sequence[Size], width: float, depth: float, room: float) -> list[Position]:
    """Return where rectangles lie on plates of a size, with so much ``room`` between any two.

    The same rectangles always lie in the same way. Raises ValueError for one that fits in no way.

    >>> packed([(60, 40), (60, 40)], 100, 80, 4)
    [Position(plate=0, x=0.0, y=0.0, turned=True), Position(plate=0, x=44.0, y=0.0, turned=True)]
    """
    if not all(fits(size, width, depth) or fits(size[::-1], width, depth) for size in sizes):
        raise ValueError("a rectangle is larger than the plate")
    across = [size[::-1] for size in sizes]
    best: list[Position] = []
    for lengthwise in (None, True, False):
        along = _shelved(sizes, width, depth, room, lengthwise)
        other = [Position(p, y, x, turned) for p, x, y, turned in _shelved(across, depth, width, room, lengthwise)]
        for found in (along, other):
            if not best or _plates(found) < _plates(best):
                best = found
        if _plates(best) < 2:
            break
    return best


def _plates(positions: Sequence[Position]) -> int:
    return max((each.plate for each in positions), default=-1) + 1


def _shelved(sizes: Sequence[Size], width: float, depth: float, room: float, lengthwise: bool | None) -> list[Position]:
    """Return rectangles on shelves that run along the width.

    ``lengthwise`` says whether a shelf is begun by the long side of a rectangle; with None each is turned only if it
    does not fit as it is.
    """
    ways = [_ways(size, width, depth, lengthwise) for size in sizes]
    order = sorted(range(len(sizes)), key=lambda k: (-_as(sizes[k], ways[k][0])[1], -_as(sizes[k], ways[k][0])[0], k))
    shelves, ends = list[_Shelf](), list[float]()
    # Shelves and plates only fill: where there was no room for one of a size there is none for the next.
    shelf_from, plate_from = dict[Size, int](), dict[Size, int]()
    found: dict[int, Position] = {}

    def first_shelf(long: float, high: float) -> int:
        number = shelf_from.get((long, high), 0)
        while number < len(shelves):
            shelf = shelves[number]
            if high <= shelf.height + _SAME and shelf.filled + long <= width + _SAME:
                break
            number += 1
        shelf_from[long, high] = number
        return number

    def first_plate(long: float, high: float) -> int:
        number = plate_from.get((long, high), 0)
        while number < len(ends) and ends[number] + high > depth + _SAME:
            number += 1
        plate_from[long, high] = number
        return number

    for rectangle in order:
        own = [(_as(sizes[rectangle], turned), turned) for turned in ways[rectangle]]
        # Upright, which takes the least of a shelf, before the other way.
        on_shelf = [(first_shelf(*size), size[0], turned, size) for size, turned in own]
        number, _, turned, size = min(on_shelf)
        if number == len(shelves):
            plate, _, turned, size = min(
                (first_plate(*size), rank, turned, size) for rank, (size, turned) in enumerate(own)
            )
            if plate == len(ends):
                ends.append(0.0)
            shelves.append(_Shelf(plate, ends[plate], size[1]))
            ends[plate] += size[1] + room
        shelf = shelves[number]
        found[rectangle] = Position(shelf.plate, shelf.filled, shelf.begin, turned)
        shelf.filled += size[0] + room
    return [found[number] for number in range(len(sizes))]


def _ways(size: Size, width: float, depth: float, lengthwise: bool | None) -> list[bool]:
    """Return whether a rectangle may be turned and may not, the way that a shelf is begun in first."""
    allowed = [turned for turned in (False, True) if fits(_as(size, turned), width, depth)]
    if lengthwise is None or abs(size[0] - size[1]) < _SAME:
        return allowed[:1]
    return sorted(allowed, key=lambda turned: (_as(size, turned)[0] > _as(size, turned)[1]) != lengthwise)


def _as(size: Size, turned: bool) -> Size:
    return (size[1], size[0]) if turned else size
