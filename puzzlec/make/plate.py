"""Pieces on the plates of a printer, so that none is on another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from puzzlec.diagnostics.error import fail
from puzzlec.make.choices import Plate
from puzzlec.make.mesh import Floats
from puzzlec.make.packing import fits, packed
from puzzlec.make.things import Thing

#: So much room is left between pieces on a plate, in mm.
ROOM = 4.0


@dataclass(frozen=True, eq=False)
class Item:
    """A thing in a model, and where it is moved to, in mm; copies of a piece are the same thing in several places.

    Before that it may be ``turned`` by a quarter turn about the upright axis, from x to y.
    """

    thing: Thing
    name: str
    at: tuple[float, float, float]
    turned: bool = False

    @property
    def points(self) -> Floats:
        """The points of its mesh where they lie."""
        points = self.thing.mesh.points
        turned = np.stack([-points[:, 1], points[:, 0], points[:, 2]], axis=1) if self.turned else points
        found: Floats = turned + np.array(self.at)
        return found


def extent(items: Sequence[Item]) -> tuple[float, float, float]:
    """Return how wide, deep and high things are together, in mm."""
    low = np.min([item.points.min(axis=0) for item in items], axis=0)
    high = np.max([item.points.max(axis=0) for item in items], axis=0)
    wide, deep, tall = (high - low).tolist()
    return wide, deep, tall


def rows(items: Sequence[Item], plate: Plate | None) -> list[list[Item]]:
    """Return things in rows, plate by plate; without a plate all are in rows of about as much breadth as depth.

    All must lie at the origin. They are turned by quarter turns where they fit so, or more of them fit on a plate, as
    :func:`puzzlec.make.packing.packed` tells. Raises PuzzleError (PZ506) for one that fits in no way.
    """
    sizes = [_size(item) for item in items]
    if plate is None:
        area = sum((wide + ROOM) * (deep + ROOM) for wide, deep in sizes)
        plate = Plate(max([sqrt(1.1 * area), *(wide for wide, _ in sizes)]), inf)
    for item, size in zip(items, sizes, strict=True):
        if not (fits(size, plate.width, plate.depth) or fits(size[::-1], plate.width, plate.depth)):
            raise _too_large(item, *size, plate)
    positions = packed(sizes, plate.width, plate.depth, ROOM)
    plates: list[list[Item]] = [[] for _ in range(max(each.plate for each in positions) + 1)]
    for number in sorted(range(len(items)), key=lambda number: (positions[number].y, positions[number].x)):
        on, x, y, turned = positions[number]
        at = (round(x + turned * sizes[number][1], 4), round(y, 4), 0.0)
        plates[on].append(Item(items[number].thing, items[number].name, at, turned))
    return plates


def _size(item: Item) -> tuple[float, float]:
    wide, deep = np.round(item.thing.mesh.bounds[1][:2], 4).tolist()
    return wide, deep


def _too_large(item: Item, wide: float, deep: float, plate: Plate) -> Exception:
    return fail(
        "PZ506",
        f"`{item.thing.name}` is larger than the plate: {wide:.1f} x {deep:.1f} mm",
        note=f"the plate is {plate.width:g} x {plate.depth:g} mm; a quarter turn does not help",
        help="choose a smaller cell or a larger plate",
    )
