"""From a flat shape to the lines that a beam follows.

The beam takes a kerf of its own width away, half of it on each side of its line. So lines lie half a kerf outside of
what is to remain: outlines further out, holes further in. Corners are mitred, up to a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail
from puzzlec.geometry.faces import Place
from puzzlec.make.laser.flat import library

#: A mitred corner goes at most so many times as far out as its sides do; corners of 30 degrees go 3.9 times.
MITRE = 4.0
#: No machine moves by less than this, in mm: it counts as nothing.
LEAST = 1e-3
#: Arcs of a rounded corner are lines, so many for a quarter.
ROUND = 8


class Line(NamedTuple):
    """A line through places, in mm; a closed one does not repeat its first place."""

    places: tuple[Place, ...]
    closed: bool = False


class Part(NamedTuple):
    """What belongs together on a sheet: its name, the lines to cut in their order, and those to engrave."""

    name: str
    cut: tuple[Line, ...]
    engraved: tuple[Line, ...] = ()

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The least and the greatest x and y of its cuts: left, top, right, bottom."""
        xs, ys = zip(*(place for line in self.cut for place in line.places), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def moved(self, dx: float, dy: float) -> Part:
        """Return the part at another place."""
        return self._with(lambda x, y: (x + dx, y + dy))

    def turned(self) -> Part:
        """Return the part turned by a quarter turn, clockwise as it is seen: what ran to the right runs down."""
        return self._with(lambda x, y: (-y, x))

    def _with(self, new: Callable[[float, float], tuple[float, float]]) -> Part:
        return Part(
            self.name,
            *(
                tuple(Line(tuple(new(x, y) for x, y, *_ in line.places), line.closed) for line in lines)
                for lines in (self.cut, self.engraved)
            ),
        )


def grown(shape: Any, by: float) -> Any:
    """Return a shape with its sides moved outwards (or inwards, below 0), its corners mitred."""
    return shape.buffer(by, join_style="mitre", mitre_limit=MITRE) if abs(by) >= LEAST / 2 else shape


def remaining(shape: Any, gap: float, radius: float, name: str) -> Any:
    """Return what is to remain of a shape: smaller by half a gap all around, with rounded outer corners.

    Raises PuzzleError (PZ506) where a part of it, or what joins its parts, would be gone.
    """
    smaller = grown(shape, -gap / 2)
    # Parts that hang together in a corner only do not hang together.
    form = _form(grown(shape, -LEAST))
    if smaller is not shape and _form(smaller) != form:
        raise eaten(f"a gap of {gap:g} mm leaves too little of {name}", "take a smaller gap, or larger cells")
    rounded = smaller.buffer(-radius).buffer(radius, quad_segs=ROUND) if radius >= LEAST else smaller
    if rounded is not shape and _form(rounded) != form:
        raise eaten(f"corners with a radius of {radius:g} mm leave too little of {name}", "take a smaller radius")
    return rounded


def path_around(material: Any, kerf: float, name: str) -> Any:
    """Return a shape whose outline is the middle of the beam when it cuts a material shape out.

    Raises PuzzleError (PZ506) where the beam is too wide for a hole, or for a slit.
    """
    path = grown(material, kerf / 2)
    if grown(path, -kerf / 2).area > material.area * (1 + 1e-6) + LEAST**2:
        raise eaten(f"a beam of {kerf:g} mm does not fit into a hole or a slit of {name}", "take larger cells")
    return path


def eaten(message: str, help: str) -> PuzzleError:
    """Return the error for measures that do not go together."""
    return fail("PZ506", message, help=help)


def rings(shape: Any) -> tuple[Line, ...]:
    """Return the outlines of a shape as closed lines: inner ones first, so that what falls out is still held."""
    inner, outer = [], []
    for polygon in polygons(shape):
        inner += [_closed(ring) for ring in polygon.interiors]
        outer.append(_closed(polygon.exterior))
    return (*_in_order(inner), *_in_order(outer))


def polygons(shape: Any) -> list[Any]:
    """Return the parts of a shape that are areas."""
    return [each for each in getattr(shape, "geoms", [shape]) if each.geom_type == "Polygon" and not each.is_empty]


def lines_within(lines: Iterable[Any], shape: Any) -> list[Any]:
    """Return the parts of lines that are within a shape, lines that touch it left out."""
    found = []
    for line in lines:
        inside = line.intersection(shape)
        found += [each for each in getattr(inside, "geoms", [inside]) if each.geom_type == "LineString"]
    return [each for each in found if each.length > 1e-3]


def _form(shape: Any) -> tuple[int, int]:
    return len(polygons(shape)), len(_holes(shape))


def _holes(shape: Any) -> list[Any]:
    return [ring for polygon in polygons(shape) for ring in polygon.interiors]


def _closed(ring: Any) -> Line:
    """Return a ring that begins at its first corner from above and the left."""
    places = [(x, y) for x, y, *_ in ring.coords[:-1]]
    if library().LinearRing(places).is_ccw:
        places.reverse()
    first = min(range(len(places)), key=lambda k: _reading(places[k]))
    return Line(tuple(places[first:] + places[:first]), closed=True)


def _in_order(lines: Sequence[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: [_reading(place) for place in line.places])


def _reading(place: Place) -> tuple[float, float]:
    return round(place[1], 3) + 0.0, round(place[0], 3) + 0.0
