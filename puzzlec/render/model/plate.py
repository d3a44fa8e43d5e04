"""Pieces on plates: in rows, so that none is on another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from puzzlec.diagnostics.diagnostic import fail
from puzzlec.render.model.choices import Plate
from puzzlec.render.model.things import Thing

#: So much room is left between pieces on a plate, in mm.
ROOM = 4.0


@dataclass(frozen=True, eq=False)
class Item:
    """A thing in a model, and where it is moved to, in mm; copies of a piece are the same thing in several places."""

    thing: Thing
    name: str
    at: tuple[float, float, float]


def rows(items: Sequence[Item], plate: Plate | None) -> list[list[Item]]:
    """Return things in rows, plate by plate; without a plate all are in rows of about as much breadth as depth.

    All must lie at the origin. The deepest come first, each row from left to right, rows from the front to the back:
    what Coffman, Garey, Johnson and Tarjan call next fit by decreasing height (1980). Raises PuzzleError (PZ506) for
    one that is larger than the plate.
    """
    sizes = [tuple(np.round(item.thing.mesh.bounds[1][:2], 4).tolist()) for item in items]
    if plate is None:
        area = sum((wide + ROOM) * (deep + ROOM) for wide, deep in sizes)
        breadth = max([sqrt(1.1 * area), *(wide for wide, _ in sizes)])
        plate = Plate(breadth, float("inf"))
    order = sorted(range(len(items)), key=lambda number: (-sizes[number][1], -sizes[number][0], number))
    plates: list[list[Item]] = [[]]
    x = y = row = 0.0
    for number in order:
        wide, deep = sizes[number]
        if wide > plate.width or deep > plate.depth:
            raise _too_large(items[number], wide, deep, plate)
        if x > 0 and x + wide > plate.width:
            x, y, row = 0.0, y + row + ROOM, 0.0
        if y > 0 and y + deep > plate.depth:
            plates.append([])
            x = y = row = 0.0
        plates[-1].append(Item(items[number].thing, items[number].name, (round(x, 4), round(y, 4), 0.0)))
        x, row = x + wide + ROOM, max(row, deep)
    return plates


def _too_large(item: Item, wide: float, deep: float, plate: Plate) -> Exception:
    return fail(
        "PZ506",
        f"`{item.thing.name}` is larger than the plate: {wide:.1f} x {deep:.1f} mm",
        note=f"the plate is {plate.width:g} x {plate.depth:g} mm",
        help="choose a smaller cell or a larger plate",
    )
