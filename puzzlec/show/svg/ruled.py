"""Regions with rules: their borders, a little within, and what the rules ask for."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.geometry import Cell
from puzzlec.show.palette import INK
from puzzlec.show.scene import Ruled
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.ground import CellSide, Ground, Spot

#: How far the border of a region lies within its cells, in parts of the way to their middles.
_WITHIN = 0.18
#: The height of the letters, in parts of a cell; smaller ones than these px are left out.
_LETTERS, _SMALLEST = 0.27, 7.0
#: The colours of regions, by turns: dark enough for any piece below.
_COLOURS = ("#8a1c5c", "#0b5d4b", "#5b3a00", "#1f3f8f", "#7a1f1f", "#3d3d3d")


def draw_regions(figure: Figure, ground: Ground, regions: Iterable[Ruled], *, plain: bool) -> None:
    """Draw the border of each region as a dashed line within it, with the conditions at its first cell."""
    for number, region in enumerate(regions):
        own = set(region.cells)
        stroke = INK if plain else _COLOURS[number % len(_COLOURS)]
        width = max(1.0, ground.cell * 0.035)
        with figure.group(f"region: {region.words}"):
            for cell in region.cells:
                middle = ground.middle(cell)
                for side in ground.sides(cell):
                    if side.beyond not in own:
                        ends = [_towards(end, middle, _WITHIN) for end in (side.start, side.end)]
                        figure.polyline(ends, stroke, width, dash=(2.2 * width, 1.6 * width))
            size = ground.cell * _LETTERS
            if size >= _SMALLEST:
                at = _towards(*_top(ground, region.cells), _WITHIN)
                figure.text(at, region.label, size, colour="#ffffff", weight=4)
                figure.text(at, region.label, size, colour=stroke, weight=1.4)


def _top(ground: Ground, cells: Iterable[Cell]) -> tuple[Spot, Spot]:
    """Return the middle of the upper side of the first cell in reading order, and the middle of this cell."""

    def height(side: CellSide) -> float:
        return side.start[1] + side.end[1]

    cell = min(cells, key=lambda each: ground.middle(each)[::-1])
    side = min(ground.sides(cell), key=height)
    (a, b), (c, d) = side.start, side.end
    return ((a + c) / 2, (b + d) / 2), ground.middle(cell)


def _towards(start: Spot, end: Spot, part: float) -> Spot:
    """Return the spot that lies this part of the way from one spot to another."""
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
