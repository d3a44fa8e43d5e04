"""Rectangles on plates and on sheets: in shelves, the highest first, each on the first shelf with room for it.

This method is first fit by decreasing height (E. G. Coffman, M. R. Garey, D. S. Johnson, R. E. Tarjan, "Performance
bounds for level-oriented two-dimensional packing algorithms", SIAM J. Comput. 9, 1980). Rectangles may be rotated by a
quarter turn (J. Jylänki, "A thousand ways to pack the bin", 2010). On a shelf that is high enough they are upright. The
first one on a new shelf lies on its long side or on its short one. All ways are tried, with shelves along either side
of the plate. The first way with the fewest plates is taken; ways without rotations are first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from puzzlec.diagnostics.error import fail
from puzzlec.make.choices import Plate
from puzzlec.make.mesh import Floats
from puzzlec.make.things import ModelThing

#: Lengths that differ by less than this, in mm, are equal.
_MAX_ROUNDING_MM = 1e-6

Size = tuple[float, float]


class Position(NamedTuple):
    """The position of a rectangle: the number of the plate, its least x and y there, and whether it is rotated."""

    plate: int
    x: float
    y: float
    turned: bool


class _Shelf:
    """A strip of a plate, and how far it is filled."""

    def __init__(self, plate: int, begin: float, height: float) -> None:
        self.plate, self.begin, self.height, self.filled = plate, begin, height, 0.0


def fits(size: Size, width: float, depth: float) -> bool:
    """Whether a rectangle fits on a plate without rotation.

    >>> fits((60, 40), 60, 50), fits((60, 40), 50, 60)
    (True, False)
    """
    return size[0] <= width + _MAX_ROUNDING_MM and size[1] <= depth + _MAX_ROUNDING_MM


def packed(sizes: Sequence[Size], width: float, depth: float, room: float) -> list[Position]:
    """Return the positions of rectangles on plates of a size, with ``room`` between any two.

    The same rectangles always have the same positions. Raises ValueError for one that fits in no way.

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
        for candidate in (along, other):
            if not best or _plates(candidate) < _plates(best):
                best = candidate
        if _plates(best) < 2:
            break
    return best


def _plates(positions: Sequence[Position]) -> int:
    return max((position.plate for position in positions), default=-1) + 1


def _shelved(sizes: Sequence[Size], width: float, depth: float, room: float, lengthwise: bool | None) -> list[Position]:
    """Return rectangles on shelves along the width.

    ``lengthwise`` sets whether the first rectangle of a shelf lies on its long side. None: each is rotated only if it
    does not fit otherwise.
    """
    ways = [_ways(size, width, depth, lengthwise) for size in sizes]
    order = sorted(range(len(sizes)), key=lambda k: (-_as(sizes[k], ways[k][0])[1], -_as(sizes[k], ways[k][0])[0], k))
    shelves, ends = list[_Shelf](), list[float]()
    # Shelves and plates never get emptier: if one had no room for a size, it has none for the next of that size.
    shelf_from, plate_from = dict[Size, int](), dict[Size, int]()
    position_of: dict[int, Position] = {}

    def first_shelf(long: float, high: float) -> int:
        number = shelf_from.get((long, high), 0)
        while number < len(shelves):
            shelf = shelves[number]
            if high <= shelf.height + _MAX_ROUNDING_MM and shelf.filled + long <= width + _MAX_ROUNDING_MM:
                break
            number += 1
        shelf_from[long, high] = number
        return number

    def first_plate(long: float, high: float) -> int:
        number = plate_from.get((long, high), 0)
        while number < len(ends) and ends[number] + high > depth + _MAX_ROUNDING_MM:
            number += 1
        plate_from[long, high] = number
        return number

    for rectangle in order:
        footprints = [(_as(sizes[rectangle], turned), turned) for turned in ways[rectangle]]
        # Upright first, because this takes the least width of a shelf.
        on_shelf = [(first_shelf(*size), size[0], turned, size) for size, turned in footprints]
        number, _, turned, size = min(on_shelf)
        if number == len(shelves):
            plate, _, turned, size = min(
                (first_plate(*size), rank, turned, size) for rank, (size, turned) in enumerate(footprints)
            )
            if plate == len(ends):
                ends.append(0.0)
            shelves.append(_Shelf(plate, ends[plate], size[1]))
            ends[plate] += size[1] + room
        shelf = shelves[number]
        position_of[rectangle] = Position(shelf.plate, shelf.filled, shelf.begin, turned)
        shelf.filled += size[0] + room
    return [position_of[number] for number in range(len(sizes))]


def _ways(size: Size, width: float, depth: float, lengthwise: bool | None) -> list[bool]:
    """Yield whether a rectangle is rotated, in the order in which the ways are tried."""
    allowed = [turned for turned in (False, True) if fits(_as(size, turned), width, depth)]
    if lengthwise is None or abs(size[0] - size[1]) < _MAX_ROUNDING_MM:
        return allowed[:1]
    return sorted(allowed, key=lambda turned: (_as(size, turned)[0] > _as(size, turned)[1]) != lengthwise)


def _as(size: Size, turned: bool) -> Size:
    return (size[1], size[0]) if turned else size


#: The gap between pieces on a plate, in mm.
GAP_MM = 4.0


@dataclass(frozen=True, eq=False)
class PlacedThing:
    """A thing in a model, and its position in mm; copies of a piece are the same thing in several positions.

    If it is ``turned``, it is first rotated by a quarter turn about the upright axis, from x to y.
    """

    thing: ModelThing
    name: str
    at: tuple[float, float, float]
    turned: bool = False

    @property
    def points(self) -> Floats:
        """Points of its mesh in its position."""
        points = self.thing.mesh.points
        turned = np.stack([-points[:, 1], points[:, 0], points[:, 2]], axis=1) if self.turned else points
        positions: Floats = turned + np.array(self.at)
        return positions


def extent(items: Sequence[PlacedThing]) -> tuple[float, float, float]:
    """Return the width, depth and height of things together, in mm."""
    low = np.min([item.points.min(axis=0) for item in items], axis=0)
    high = np.max([item.points.max(axis=0) for item in items], axis=0)
    wide, deep, tall = (high - low).tolist()
    return wide, deep, tall


def rows(items: Sequence[PlacedThing], plate: Plate | None) -> list[list[PlacedThing]]:
    """Return things in rows, plate by plate; without a plate all are in rows, about as wide as deep.

    All must lie at the origin. :func:`packed` rotates them by quarter turns if more of them fit then. Raises
    PuzzleError (PZ506) for one that fits in no way.
    """
    sizes = [_size(item.thing) for item in items]
    if plate is None:
        area = sum((wide + GAP_MM) * (deep + GAP_MM) for wide, deep in sizes)
        plate = Plate(max([sqrt(1.1 * area), *(wide for wide, _ in sizes)]), inf)
    for item, size in zip(items, sizes, strict=True):
        if not (fits(size, plate.width, plate.depth) or fits(size[::-1], plate.width, plate.depth)):
            raise _too_large(item, *size, plate)
    positions = packed(sizes, plate.width, plate.depth, GAP_MM)
    plates: list[list[PlacedThing]] = [[] for _ in range(max(position.plate for position in positions) + 1)]
    for number in sorted(range(len(items)), key=lambda number: (positions[number].y, positions[number].x)):
        on, x, y, turned = positions[number]
        at = (round(x + turned * sizes[number][1], 4), round(y, 4), 0.0)
        plates[on].append(PlacedThing(items[number].thing, items[number].name, at, turned))
    return plates


def _size(thing: ModelThing) -> Size:
    wide, deep = np.round(thing.mesh.bounds[1][:2], 4).tolist()
    return wide, deep


def is_within(thing: ModelThing, plate: Plate) -> bool:
    """Whether a thing at the origin fits on a plate, as it is or after a quarter turn."""
    size = _size(thing)
    return fits(size, plate.width, plate.depth) or fits(size[::-1], plate.width, plate.depth)


def _too_large(item: PlacedThing, wide: float, deep: float, plate: Plate) -> Exception:
    return fail(
        "PZ506",
        f"`{item.thing.name}` is larger than the plate: {wide:.1f} x {deep:.1f} mm",
        note=f"the plate is {plate.width:g} x {plate.depth:g} mm; a quarter turn does not help",
        help="choose a smaller cell or a larger plate",
    )
