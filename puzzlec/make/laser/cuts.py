"""From a flat shape to the lines that a beam follows.

The beam removes a kerf, half of it on each side of its line. So lines lie half a kerf outside of the piece: outlines
further out, holes further in. Corners are mitred, up to a limit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, dist, pi
from typing import Any, NamedTuple

from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.geometry.faces import Place
from puzzlec.make.laser.flat import GRID_MM, library

#: The mitre limit: the largest distance of a mitred corner, as a multiple of the distance of its sides. Corners of 30
#: degrees need 3.9.
MITRE_LIMIT = 4.0
#: The smallest movement of a machine, in mm: less counts as nothing.
MIN_MOVEMENT_MM = 1e-3
#: The number of lines in a quarter of a rounded corner.
LINES_IN_QUARTER_CIRCLE = 8


class CutLine(NamedTuple):
    """A line through positions, in mm; a closed one does not repeat its first position."""

    places: tuple[Place, ...]
    closed: bool = False


class SheetPart(NamedTuple):
    """A part of a sheet: its name, the lines to cut in their order, and those to engrave."""

    name: str
    cut: tuple[CutLine, ...]
    engraved: tuple[CutLine, ...] = ()

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The smallest and largest x and y of its cuts: left, top, right, bottom."""
        xs, ys = zip(*(place for line in self.cut for place in line.places), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def moved(self, dx: float, dy: float) -> SheetPart:
        """Return the part at another position."""
        return self._with(lambda x, y: (x + dx, y + dy))

    def turned(self) -> SheetPart:
        """Return the part rotated by a quarter turn, clockwise as it is seen: a line to the right then runs down."""
        return self._with(lambda x, y: (-y, x))

    def _with(self, new: Callable[[float, float], tuple[float, float]]) -> SheetPart:
        return SheetPart(
            self.name,
            *(
                tuple(CutLine(tuple(new(x, y) for x, y, *_ in line.places), line.closed) for line in lines)
                for lines in (self.cut, self.engraved)
            ),
        )


def grown(shape: Any, by: float) -> Any:
    """Return a shape whose sides are moved outwards by a distance (below 0: inwards). Its corners stay sharp."""
    return shape.buffer(by, join_style="mitre", mitre_limit=MITRE_LIMIT) if abs(by) >= MIN_MOVEMENT_MM / 2 else shape


def remaining(shape: Any, gap: float, radius: float, name: str) -> Any:
    """Return a shape made smaller by half a gap all around, with rounded outer corners.

    Raises PuzzleError (PZ506) if a part of it, or the joint of two parts, would be gone.
    """
    smaller = grown(shape, -gap / 2)
    # Parts that touch only in a corner are separate.
    form = _form(grown(shape, -MIN_MOVEMENT_MM))
    if smaller is not shape and _form(smaller) != form:
        raise eaten(f"a gap of {gap:g} mm leaves too little of {name}", "choose a smaller gap, or larger cells")
    rounded = (
        smaller.buffer(-radius).buffer(radius, quad_segs=LINES_IN_QUARTER_CIRCLE)
        if radius >= MIN_MOVEMENT_MM
        else smaller
    )
    if rounded is not shape and _form(rounded) != form:
        raise eaten(f"corners with a radius of {radius:g} mm leave too little of {name}", "take a smaller radius")
    return rounded


def path_around(material: Any, kerf: float, name: str) -> Any:
    """Return a shape whose outline is the middle of the beam when it cuts a material shape out.

    Raises PuzzleError (PZ506) if the beam is too wide for a hole or a slit.
    """
    path = grown(material, kerf / 2)
    if grown(path, -kerf / 2).area > material.area * (1 + 1e-6) + MIN_MOVEMENT_MM**2:
        raise eaten(f"a beam of {kerf:g} mm does not fit into a hole or a slit of {name}", "take larger cells")
    return path


def eaten(message: str, help: str) -> PuzzleError:
    """Return the error for sizes that do not fit together."""
    return fail("PZ506", message, help=help)


def rings(shape: Any) -> tuple[CutLine, ...]:
    """Return the outlines of a shape as closed lines: inner ones first, while the piece is still held."""
    inner, outer = [], []
    for polygon in polygons(shape):
        inner += [_closed(ring) for ring in polygon.interiors]
        outer.append(_closed(polygon.exterior))
    return (*_in_order(inner), *_in_order(outer))


def polygons(shape: Any) -> list[Any]:
    """Return the parts of a shape that are areas."""
    return [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon" and not part.is_empty]


def lines_within(lines: Iterable[Any], shape: Any) -> list[Any]:
    """Return the parts of lines that are within a shape, without lines that only touch it."""
    parts = []
    for line in lines:
        inside = line.intersection(shape)
        parts += [line for line in getattr(inside, "geoms", [inside]) if line.geom_type == "LineString"]
    return [line for line in parts if line.length > 1e-3]


def _form(shape: Any) -> tuple[int, int]:
    return len(polygons(shape)), sum(len(polygon.interiors) for polygon in polygons(shape))


def _closed(ring: Any) -> CutLine:
    """Return a ring that begins at its first corner from above and the left."""
    places = [(x, y) for x, y, *_ in ring.coords[:-1]]
    if library().LinearRing(places).is_ccw:
        places.reverse()
    first = min(range(len(places)), key=lambda k: _reading(places[k]))
    return CutLine(tuple(places[first:] + places[:first]), closed=True)


def _in_order(lines: Sequence[CutLine]) -> list[CutLine]:
    return sorted(lines, key=lambda line: [_reading(place) for place in line.places])


def _reading(place: Place) -> tuple[float, float]:
    return round(place[1], 3) + 0.0, round(place[0], 3) + 0.0


_Node = tuple[float, float]


def cut_once(shapes: Sequence[Any], kerf: float) -> tuple[CutLine, ...]:
    """Return the lines that cut neighbouring shapes apart, none of them twice, in mm.

    Lines within come first, as long as they are straight; then holes, then the outline. The beam takes half of its
    width from both sides of a line within, which is the play of the pieces. The outline lies half a kerf outside, and
    lines that end there are prolonged to it.
    """
    shapely = library()
    board = shapely.unary_union(list(shapes), grid_size=GRID_MM).simplify(GRID_MM / 2)
    everything = shapely.unary_union([shape.boundary for shape in shapes], grid_size=GRID_MM)
    within = shapely.difference(everything, board.boundary, grid_size=GRID_MM)
    lines = strokes(_segments(within))
    outline = grown(board, kerf / 2)
    if kerf:
        reach = [shapely.LineString(_prolonged(line, board.boundary, kerf)) for line in lines]
        lines = [CutLine(tuple(line.coords)) for line in lines_within(reach, outline)]
    return (*sorted(lines, key=lambda line: [(y, x) for x, y in line.places]), *rings(outline))


def strokes(segments: Iterable[tuple[_Node, _Node]]) -> list[CutLine]:
    """Return lines made of segments, continued straight if possible, or along the only other segment.

    >>> [line.places for line in strokes([((0, 0), (1, 0)), ((1, 0), (2, 0)), ((1, 0), (1, 1))])]
    [((0, 0), (2, 0)), ((1, 0), (1, 1))]
    """
    beside: dict[_Node, list[_Node]] = defaultdict(list)
    for a, b in sorted({(min(pair), max(pair)) for pair in segments}):
        beside[a].append(b)
        beside[b].append(a)
    onward = {node: _pairs(node, others) for node, others in beside.items()}
    used: set[tuple[_Node, _Node]] = set()
    # Lines with ends first, from their ends; the rest are closed.
    ends = [(node, other) for node in sorted(beside) for other in beside[node] if other not in onward[node]]
    lines = []
    for start, then in [*ends, *((a, b) for a in sorted(beside) for b in beside[a])]:
        if (start, then) not in used:
            places = list(_followed(start, then, onward, used))
            closed = places[0] == places[-1] and len(places) > 3
            lines.append(CutLine(tuple(_corners(places[:-1] if closed else places, closed)), closed))
    return lines


def _followed(
    start: _Node, then: _Node, onward: dict[_Node, dict[_Node, _Node]], used: set[tuple[_Node, _Node]]
) -> Iterator[_Node]:
    before, here = start, then
    yield start
    while (before, here) not in used:
        used |= {(before, here), (here, before)}
        yield here
        if before not in onward[here]:
            return
        before, here = here, onward[here][before]


def _pairs(node: _Node, others: Sequence[_Node]) -> dict[_Node, _Node]:
    """Return which segments at a node are one line: two that are straight, or the only two."""
    if len(others) == 2:
        return {others[0]: others[1], others[1]: others[0]}
    partner: dict[_Node, _Node] = {}
    angles = {other: atan2(other[1] - node[1], other[0] - node[0]) for other in others}
    for one in others:
        for other in others:
            if one not in partner and other not in partner and abs(abs(angles[one] - angles[other]) - pi) < 1e-3:
                partner |= {one: other, other: one}
    return partner


def _corners(places: Sequence[_Node], closed: bool) -> list[_Node]:
    """Return positions without those in the middle of a straight line."""
    kept = []
    for number, here in enumerate(places):
        at_end = not closed and number in (0, len(places) - 1)
        before, after = places[number - 1], places[(number + 1) % len(places)]
        bend = abs((here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0]))
        if at_end or bend > 1e-3 * dist(before, after):
            kept.append(here)
    return kept


def _segments(lines: Any) -> Iterator[tuple[_Node, _Node]]:
    for line in getattr(lines, "geoms", [lines]):
        places = [(x, y) for x, y, *_ in line.coords]
        yield from pairwise(places)


def _prolonged(line: CutLine, rim: Any, by: float) -> list[Place]:
    """Return the positions of a line, its ends on the outline prolonged; a closed line repeats its start."""
    places: list[Place] = list(line.places)
    if line.closed:
        return [*places, places[0]]
    point = library().Point
    for end, next_ in ((0, 1), (-1, -2)):
        if rim.distance(point(places[end])) < 10 * GRID_MM:
            (x, y), (u, v) = places[end][:2], places[next_][:2]
            long = dist((x, y), (u, v))
            further = (x + by * (x - u) / long, y + by * (y - v) / long)
            # If the outline continues in the same direction, its own line opens the end.
            if rim.distance(point(further)) > 10 * GRID_MM:
                places[end] = further
    return places
