"""The grain of wood on areas of pieces: lines along it, and rings on a side across it.

A picture has no clip paths, because these need ids. So lines end at the border of an area, below the stroke around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, sin, sqrt
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import Place, cross
from puzzlec.geometry.lattice import neighbours
from puzzlec.show.palette import dark
from puzzlec.show.svg.choices import Choices
from puzzlec.show.svg.figure import Figure
from puzzlec.show.svg.ground import Spot
from puzzlec.show.svg.marks import depth
from puzzlec.show.svg.standpoint import unit

#: The distance of lines, their width, their waves, and the length of their parts, in cells.
_GAP, _WIDTH, _WAVE, _PART = 0.155, 0.028, 0.03, 0.34
#: How much darker the lines are, and a side across the grain. On smaller cells, in px, there are no lines.
_LINE, _END, _SMALLEST = 0.13, 0.07, 9.0
#: The least angle between the grain and a side across it, as a sine.
_ACROSS = 0.7

_Rings = Sequence[Sequence[Spot]]


def is_grained(choices: Choices) -> bool:
    """Whether pieces are of wood with grain."""
    return choices.palette == "wood" and not choices.plain


class GrainFrame(NamedTuple):
    """An area of a piece in a picture: vectors of the length of a cell, and the spot where they begin.

    ``along`` has the direction of the grain, and ``steep`` is the sine of the angle between the grain and the area.
    """

    along: Spot
    across: Spot
    origin: Spot
    steep: float = 0.0

    def within(self, spot: Spot) -> Spot:
        """Return a spot in cells."""
        (a, b), (c, d) = self.along, self.across
        x, y = spot[0] - self.origin[0], spot[1] - self.origin[1]
        area = a * d - b * c
        return (x * d - y * c) / area, (y * a - x * b) / area

    def spot(self, u: float, v: float) -> Spot:
        """Return the spot of a position in cells."""
        return tuple([o + u * a + v * b for o, a, b in zip(self.origin, self.along, self.across, strict=True)])  # type: ignore[return-value]


def grain_way(lattice: Lattice, cells: Sequence[Cell], at: Callable[[Cell], Place]) -> Place:
    """Return the direction of the grain of a piece: the one from cell to cell along which it is longest.

    ``at`` returns the position of a cell. (``grainOf`` in ``page/puzzle.js`` computes the same in the browser.)
    """
    places = {cell: at(cell) for cell in cells}
    ways: dict[tuple[float, ...], Place] = {}
    for cell in cells:
        for other in neighbours(cell, lattice):
            if other in places:
                way = unit(tuple([a - b for a, b in zip(places[other], places[cell], strict=True)]))
                ways.setdefault(tuple([round(value, 3) for value in way]), way)

    def length(way: Place) -> float:
        along = [sum(a * b for a, b in zip(place, way, strict=True)) for place in places.values()]
        mean = sum(along) / len(along)
        return round(sum((value - mean) ** 2 for value in along), 6)

    return max(ways.values(), key=length, default=(1.0, *[0.0] * (len(places[cells[0]]) - 1)))


def flat_frame(way: Place, cell: float, origin: Spot) -> GrainFrame:
    """Return the frame of a flat piece with a grain; ``cell`` is the size of a cell in px."""
    x, y = unit(way)
    return GrainFrame((cell * x, cell * y), (-cell * y, cell * x), origin)


def side_frame(way: Place, normal: Place, on_screen: Callable[[Place], Spot], size: float, origin: Spot) -> GrainFrame:
    """Return the frame of a visible side of a solid piece; ``size`` is that of a cell in space."""
    steep = sum(a * b for a, b in zip(way, normal, strict=True))
    inside = tuple([a - steep * b for a, b in zip(way, normal, strict=True)])
    one = unit(inside) if hypot(*inside) > 1e-6 else unit(cross(normal, (normal[1], normal[2], normal[0])))
    zero = on_screen((0.0, 0.0, 0.0))
    spots = [on_screen(tuple([size * value for value in vector])) for vector in (one, cross(normal, one))]
    along, across = [(x - zero[0], y - zero[1]) for x, y in spots]
    return GrainFrame(along, across, origin, abs(steep))


def draw_grain(figure: Figure, rings: _Rings, fill: str, frame: GrainFrame, number: int) -> None:
    """Draw the grain on an area of the piece with a number; each third line is stronger."""
    draw = _lines
    if frame.steep > _ACROSS:
        draw = _arcs
        figure.region(rings, dark(fill, _END))
    cell = max(hypot(*frame.along), hypot(*frame.across))
    if cell < _SMALLEST:
        return
    lines = list(draw([[frame.within(spot) for spot in ring] for ring in rings], number))
    for weight in (0.85, 1.3):
        several = [[frame.spot(*at) for at in line] for index, line in lines if (index % 3 == 0) is (weight > 1)]
        figure.lines(several, dark(fill, _LINE * weight), max(0.4, cell * _WIDTH * weight))


def _lines(rings: _Rings, number: int) -> Iterator[tuple[int, list[Spot]]]:
    """Yield nearly parallel lines in an area, with their numbers. All numbers are in cells."""
    across = [v for ring in rings for _, v in ring]
    for index in range(ceil(min(across) / _GAP), ceil(max(across) / _GAP)):
        v = (index + 0.5 * _random(index, number) - 0.25) * _GAP
        hits = sorted(
            a[0] + (v - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) for a, b in _edges(rings) if (a[1] > v) != (b[1] > v)
        )
        for start, end in zip(hits[::2], hits[1::2], strict=True):
            parts = max(1, round((end - start) / _PART))
            places = [start + (end - start) * part / parts for part in range(parts + 1)]
            yield index, [(u, v + _WAVE * _wave(u, v, number)) for u in places]


def _arcs(rings: _Rings, number: int) -> Iterator[tuple[int, list[Spot]]]:
    """Yield arcs in an area around a spot beside the piece, with their numbers. All numbers are in cells."""
    x, y = -0.4 - _random(1, number), -0.5 - _random(2, number)
    rings = [[(u - x, v - y) for u, v in ring] for ring in rings]
    edges = list(_edges(rings))
    for index in range(1, ceil(max(hypot(*a) for a, _ in edges) / _GAP)):
        r = (index + 0.5 * _random(index, number) - 0.25) * _GAP
        turns = sorted(turn for a, b in edges for turn in _meetings(a, b, r))
        for start, end in pairwise([*turns, *[turn + 2 * pi for turn in turns[:1]]]):
            middle = (start + end) / 2
            if depth(rings, (r * cos(middle), r * sin(middle))) < 0:
                continue
            parts = max(1, round((end - start) * r / (0.5 * _PART)))
            arc = [start + (end - start) * part / parts for part in range(parts + 1)]
            yield index, [(x + r * cos(turn), y + r * sin(turn)) for turn in arc]


def _edges(rings: _Rings) -> Iterator[tuple[Spot, Spot]]:
    for ring in rings:
        yield from pairwise([*ring, ring[0]])


def _meetings(a: Spot, b: Spot, r: float) -> Iterator[float]:
    """Yield the angles at which a circle around the origin meets a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square, half = dx * dx + dy * dy, a[0] * dx + a[1] * dy
    root = half * half - square * (a[0] * a[0] + a[1] * a[1] - r * r)
    if root <= 0:
        return
    for sign in (-1, 1):
        part = (sign * sqrt(root) - half) / square
        if 0 <= part < 1:
            yield atan2(a[1] + part * dy, a[0] + part * dx)


def _wave(u: float, v: float, number: int) -> float:
    return sin(2.1 * u + 0.9 * v + number) + 0.6 * sin(4.7 * u - 1.3 * v + 2.3 * number)


def _random(index: int, number: int) -> float:
    """Return a number from 0 to 1 that is the same each time."""
    return (sin(12.9898 * index + 78.233 * number) * 43758.5453) % 1
