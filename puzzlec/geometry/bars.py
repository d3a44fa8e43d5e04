"""Edges of a flat lattice as bars, cut so that pieces that meet at a grid point do not overlap there.

Around a point, each edge has a sector: up to half the angle to the next edge of the lattice. The end of a bar stops
before it leaves its sector. A piece that bends stays within the sectors of its edges and the space between them. A
piece that goes straight through a point keeps its full width, and a bend of less than a half turn stays beside it.
So any pieces that do not cross fit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import atan2, cos, dist, pi, sin, tan
from typing import Any, NamedTuple

from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail, needs
from puzzlec.geometry.faces import Place, on_sheet
from puzzlec.geometry.lattice import Cell, Lattice, cells_at, neighbours

#: Default width of a bar, in lengths of the shortest edge.
BAR_WIDTH = 0.25
_ANGLE_PRECISION = 1e-6
_Key = tuple[float, float]


class _Sector(NamedTuple):
    """Space of a piece around a point: between two angles, and at least ``away`` along their middle.

    If only one other edge ends there, the piece may take all space except the space of that edge. ``other`` is the
    direction of that edge and the distance at which its bar stops. ``outer`` are the directions of the piece's own
    edges on both sides of it.
    """

    start: float
    end: float
    away: float
    other: tuple[float, float] | None = None
    outer: tuple[float, float] = (0.0, 0.0)


class EdgeBars:
    """Edges of a flat lattice as bars, in shapes of shapely; ``mm`` is the length of a unit on paper.

    ``half`` is half of the width. The default width is a part of the shortest edge (:data:`BAR_WIDTH`).
    """

    def __init__(self, lattice: Lattice, mm: float, width: float | None) -> None:
        self.lattice, self.mm = lattice, mm
        shortest = mm * min(dist(*on_sheet(lattice, cell)) for cell in _kinds(lattice))
        self.half = (width or BAR_WIDTH * shortest) / 2
        self.shapely: Any = needs("shapely", "print", "an outline for cutting")

    def shape(self, cells: Sequence[Cell]) -> Any:
        """Return the bars of one piece; raise PuzzleError if they are so wide that nothing is left of one."""
        angles_at: dict[_Key, list[float]] = defaultdict(list)
        for cell in cells:
            for here, there in self._ways(cell):
                angles_at[_key(here)].append(_angle(here, there))
        at: dict[_Key, list[Cell]] = defaultdict(list)
        for cell in cells:
            for end in self.ends(cell):
                at[_key(end)].append(cell)
        sectors = {
            key: _sector(sorted(angles), self._around(key, at[key]), self.half) for key, angles in angles_at.items()
        }
        parts = [self._bar(cell, angles_at, sectors) for cell in cells]
        parts += [self._bend(key, sector) for key, sector in sectors.items() if sector and sector.other]
        return self.shapely.unary_union(parts, grid_size=1e-4).simplify(5e-5)

    def room(self, cells: Sequence[Cell]) -> Any:
        """Return the channels of a board."""
        lines = [self.shapely.LineString(self.ends(cell)) for cell in cells]
        wide = [line.buffer(self.half, cap_style="square", join_style="mitre") for line in lines]
        return self.shapely.unary_union(wide, grid_size=1e-4).simplify(5e-5)

    def ends(self, cell: Cell) -> tuple[Place, Place]:
        """Return both ends of an edge in mm: x to the right, y downwards."""
        (a, b), (c, d) = on_sheet(self.lattice, cell)
        return (a * self.mm, b * self.mm), (c * self.mm, d * self.mm)

    def _ways(self, cell: Cell) -> list[tuple[Place, Place]]:
        """Return an edge in both directions: from one end to the other, and back."""
        here, there = self.ends(cell)
        return [(here, there), (there, here)]

    def _around(self, key: _Key, cells: Sequence[Cell]) -> list[float]:
        """Return the directions of all edges of the lattice at a point where each of these cells ends."""
        directions: dict[float, float] = {}
        for cell in cells:
            for nearby in (cell, *neighbours(cell, self.lattice)):
                for here, there in self._ways(nearby):
                    if _key(here) == key:
                        angle = _angle(here, there)
                        directions.setdefault(round(angle, 6), angle)
        return sorted(directions.values())

    def _bar(self, cell: Cell, angles_at: dict[_Key, list[float]], sectors: dict[_Key, _Sector | None]) -> Any:
        """Return the bar of an edge, from its possible beginning at each of its ends."""
        (start, end), half = self.ends(cell), self.half
        offsets = []
        for here, there in self._ways(cell):
            key = _key(here)
            single = len(angles_at[key]) == 1
            offsets.append(self._short(_angle(here, there), self._around(key, [cell])) if single else 0.0)
        long = dist(start, end)
        if sum(offsets) > long - 2 * half * 0.1:
            raise too_wide(2 * half, long)
        u, v = (end[0] - start[0]) / long, (end[1] - start[1]) / long
        a, b = offsets[0], long - offsets[1]
        corners = [(a, -half), (b, -half), (b, half), (a, half)]
        bar = self.shapely.Polygon([(start[0] + u * x - v * y, start[1] + v * x + u * y) for x, y in corners])
        for here in (start, end):
            sector = sectors[_key(here)]
            if sector:
                bar = bar.intersection(self._region(here, sector))
        return bar

    def _short(self, angle: float, around: Sequence[float]) -> float:
        """Return the distance from the point at which an end stops, if the edges ``around`` also end there."""
        apart = [abs((other - angle + pi) % (2 * pi) - pi) for other in around if abs(other - angle) > _ANGLE_PRECISION]
        nearest = min(apart, default=pi)
        return 0.0 if nearest > pi - _ANGLE_PRECISION else self.half / tan(nearest / 2)

    def _bend(self, key: _Key, sector: _Sector) -> Any:
        """Return the outside of a bend, as far as the one other edge leaves space for it."""
        far = 2 * self.half
        ends = [(key[0] + far * cos(angle), key[1] + far * sin(angle)) for angle in sector.outer]
        line = self.shapely.LineString([ends[0], key, ends[1]])
        corner = line.buffer(self.half, cap_style="flat", join_style="mitre", mitre_limit=4)
        return corner.intersection(self._region(key, sector))

    def _half_plane(self, at: Place, along: float, start: float, end: float) -> Any:
        """Return the strip between two distances from a point in a direction, as wide as any bar reaches."""
        far, u, v = 100 * self.mm, cos(along), sin(along)
        corners = [(start, -far), (end, -far), (end, far), (start, far)]
        return self.shapely.Polygon([(at[0] + u * x - v * y, at[1] + v * x + u * y) for x, y in corners])

    def _region(self, at: Place, sector: _Sector) -> Any:
        """Return a sector around a point as a polygon, as large as any bar reaches."""
        far, steps = 100 * self.mm, 8
        if sector.other is not None:
            return self._half_plane(at, sector.other[0], -far, sector.other[1])
        angles = [sector.start + (sector.end - sector.start) * k / steps for k in range(steps + 1)]
        rim = [(at[0] + far * cos(angle), at[1] + far * sin(angle)) for angle in angles]
        region = self.shapely.Polygon([at, *rim])
        if not sector.away:
            return region
        return region.intersection(self._half_plane(at, (sector.start + sector.end) / 2, sector.away, far))


def too_wide(width: float, long: float) -> PuzzleError:
    """Return the error for bars so wide that nothing is left of an edge between the points at its ends."""
    return fail(
        "PZ506",
        f"bars of {width:g} mm are too wide for edges of {long:g} mm",
        help="choose narrower bars, or larger cells",
    )


def _sector(directions: Sequence[float], around: Sequence[float], half: float) -> _Sector | None:
    """Return the space of a piece around a point where it has edges in these directions; None for all space.

    ``around`` are the directions of all edges there. Both lists ascend.
    """
    gap, last = max(((directions[k] - directions[k - 1]) % (2 * pi) or 2 * pi, k) for k in range(len(directions)))
    if len(directions) == 1 or gap < pi + _ANGLE_PRECISION:
        return None
    first, end = directions[last], directions[last - 1]
    start = first - min((first - angle) % (2 * pi) for angle in around if abs(angle - first) > _ANGLE_PRECISION) / 2
    stop = end + min((angle - end) % (2 * pi) for angle in around if abs(angle - end) > _ANGLE_PRECISION) / 2
    stop = start + (stop - start) % (2 * pi)
    beyond = [angle for angle in around if _ANGLE_PRECISION < (angle - end) % (2 * pi) < gap - _ANGLE_PRECISION]
    if len(beyond) == 1:
        nearest = min((first - beyond[0]) % (2 * pi), (beyond[0] - end) % (2 * pi))
        return _Sector(start, stop, 0.0, (beyond[0], half / tan(min(nearest, pi - _ANGLE_PRECISION) / 2)), (end, first))
    return _Sector(start, stop, half if stop - start < pi - _ANGLE_PRECISION else 0.0)


def _kinds(lattice: Lattice) -> list[Cell]:
    """Return a cell of each kind."""
    return cells_at(lattice, [(0,) * lattice.dimension])


def _key(place: Place) -> _Key:
    return round(place[0], 5) + 0.0, round(place[1], 5) + 0.0


def _angle(here: Place, there: Place) -> float:
    return atan2(there[1] - here[1], there[0] - here[0])
