"""What is said of models: how many pieces there are, how large they are, how much material they take."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.diagnostics import counted
from puzzlec.make.choices import Plate
from puzzlec.make.plate import Item, extent


def told(items: Sequence[Item], trays: int = 0) -> str:
    """Return in words how many things there are, how large they are together, and their volume."""
    return f"{things(len(items) - trays, trays)}, {measured(items)}"


def told_of_plates(plates: Sequence[Sequence[Item]], plate: Plate, trays: int = 0) -> str:
    """Return in words how many things are on how many plates, and their volume."""
    items = [item for each in plates for item in each]
    on = f"{counted(len(plates), 'plate')} of {plate.width:g} x {plate.depth:g} mm"
    return f"{things(len(items) - trays, trays)} on {on}, {material(items)}"


def things(pieces: int, trays: int) -> str:
    """Return how many pieces there are, and whether there is a tray.

    >>> things(7, 1), things(1, 0), things(0, 1)
    ('7 pieces and a tray', '1 piece', 'a tray')
    """
    return " and ".join([*([counted(pieces, "piece")] if pieces else []), *(["a tray"] if trays else [])])


def measured(items: Sequence[Item]) -> str:
    """Return the size of things together and their volume."""
    wide, deep, high = (f"{value:.1f}".removesuffix(".0") for value in extent(items))
    return f"{wide} x {deep} x {high} mm, {material(items)}"


def material(items: Sequence[Item]) -> str:
    """Return the volume of things together in cubic cm."""
    volume = sum(item.thing.mesh.volume for item in items) / 1000
    number = f"{volume:.0f}" if volume >= 100 else f"{volume:.1f}" if volume >= 0.1 else "less than 0.1"
    return f"{number} cm3 of material"
