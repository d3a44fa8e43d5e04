"""Engraving: the names of pieces, the signs on the sides of tiles, the lines between cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, radians, sin
from typing import Any

from puzzlec.geometry import Cell
from puzzlec.geometry.faces import Place
from puzzlec.make.laser.cuts import Line, lines_within, strokes
from puzzlec.make.laser.flat import GRID, Areas, Form, Spot, library
from puzzlec.show.svg import lettering

#: Letters lower than this, in mm, are not engraved.
LEAST = 1.2
#: A line with more letters than this is replaced by a sign.
LONGEST = 4
#: Text is written at this size and then scaled, since it has few decimals.
_SIZE = 1000.0
_CURVE = 6


def label(form: Form, cells: Sequence[Cell], name: str, sign: str) -> Iterator[Line]:
    """Yield the strokes of a piece's name (or of its sign) on the cell closest to its middle."""
    spots = [form.spot(cell) for cell in cells]
    at = [sum(spot[axis] for spot in spots) / len(spots) for axis in (0, 1)]
    best = min(spots, key=lambda spot: (round((spot.x - at[0]) ** 2 + (spot.y - at[1]) ** 2, 3), spot.y, spot.x))
    yield from lettered(name if len(name) <= LONGEST else sign, best)


def edge_signs(form: Form, cell: Cell, sides: Sequence[str]) -> Iterator[Line]:
    """Yield the strokes of the colours on the sides of a tile."""
    if isinstance(form, Areas):
        for text, spot in zip(sides, form.sides(cell), strict=True):
            yield from lettered(text[:LONGEST], spot)


def cell_lines(form: Form, cells: Sequence[Cell], shape: Any) -> Iterator[Line]:
    """Yield the lines between the cells of a piece, within its shape."""
    shapely = library()
    rings = [shapely.LinearRing(border) for border in form.borders(cells)]
    if not rings:
        return
    whole = shapely.unary_union(rings, grid_size=GRID)
    everything = getattr(whole, "geoms", [whole])
    joined = strokes(pair for line in everything for pair in _pairs(line))
    # Lines on the outline are not within the shape once it is a little smaller.
    lines = [shapely.LineString([*line.places, *line.places[:1]] if line.closed else line.places) for line in joined]
    for part in lines_within(lines, shape.buffer(-10 * GRID)):
        yield Line(tuple((x, y) for x, y, *_ in part.coords))


def lettered(text: str, spot: Spot) -> Iterator[Line]:
    """Yield the strokes of a short text about a spot, as large as fits; none if it would be too small to read."""
    data, foreign = lettering.written(text, 0, 0, _SIZE)
    if foreign or not data:
        return
    lines = list(_flattened(data))
    xs, ys = zip(*(place for line in lines for place in line), strict=True)
    half = [(max(axis) - min(axis)) / 2 for axis in (xs, ys)]
    # The box of the text is in the circle of the spot, and no letter is higher than its radius.
    scale = min(0.75 * spot.radius / max((half[0] ** 2 + half[1] ** 2) ** 0.5, 1e-9), 0.9 * spot.radius / _SIZE)
    if scale * lettering.CAPITAL * _SIZE < LEAST:
        return
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    u, v = cos(radians(spot.angle)) * scale, sin(radians(spot.angle)) * scale
    for line in lines:
        moved = [(x - middle[0], y - middle[1]) for x, y in line]
        yield Line(tuple((spot.x + u * x - v * y, spot.y + v * x + u * y) for x, y in moved))


def _flattened(data: str) -> Iterator[list[Place]]:
    """Yield the lines of path data, curves as short lines; a dot is a small cross stroke."""
    line: list[Place] = []
    for letter, numbers in re.findall(r"([MLQCh])([^MLQCh]*)", data):
        values = [float(each) for each in numbers.split()]
        points = list(zip(values[::2], values[1::2], strict=False))
        if letter == "M":
            if len(line) > 1:
                yield line
            line = [points[0]]
        elif letter == "h":
            x, y = line[0]
            line = [(x - _SIZE / 40, y), (x + _SIZE / 40, y)]
        else:
            line += _curve([line[-1], *points])
    if len(line) > 1:
        yield line


def _curve(controls: Sequence[Place]) -> list[Place]:
    """Return places on a Bezier curve after its first one (de Casteljau); a straight line has one."""
    steps = 1 if len(controls) == 2 else _CURVE
    found = []
    for step in range(1, steps + 1):
        t, level = step / steps, list(controls)
        while len(level) > 1:
            level = [tuple([(1 - t) * p + t * q for p, q in zip(a, b, strict=True)]) for a, b in pairwise(level)]
        found.append(level[0])
    return found


def _pairs(line: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    places = [(x, y) for x, y, *_ in line.coords]
    yield from pairwise(places)
