"""Pieces as flat shapes in mm: areas, bars for edges, and solids of one layer seen from above.

Shapes are polygons of shapely, x to the right and y downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, degrees, dist, hypot
from typing import Any, NamedTuple, Protocol

from puzzlec.diagnostics import PuzzleError
from puzzlec.diagnostics.error import fail, needs
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.bars import EdgeBars
from puzzlec.geometry.faces import Place, cross, faces, middle, on_sheet, place
from puzzlec.geometry.outlines import outline
from puzzlec.geometry.solids import plus

#: Coordinates closer than this, in mm, are equal.
GRID_MM = 1e-4


class LetterSpot(NamedTuple):
    """Room for a few letters: a position, its free radius (mm), and the angle of the text in degrees."""

    x: float
    y: float
    radius: float
    angle: float = 0.0


class FlatForm(Protocol):
    """A way to turn cells into flat shapes."""

    @property
    def thickness(self) -> float | None:
        """Thickness of the material in mm; None if any will do."""

    def shape(self, cells: Sequence[Cell]) -> Any:
        """Return the shape of the cells of one piece."""

    def room(self, cells: Sequence[Cell]) -> Any:
        """Return the shape of cells of a board."""

    def borders(self, cells: Sequence[Cell]) -> list[list[Place]]:
        """Return the borders of the cells, each as a closed line; none where cells have no sides."""

    def spot(self, cell: Cell) -> LetterSpot:
        """Return the room on a cell."""


def library() -> Any:
    """Return the library shapely; raise PuzzleError if it is missing."""
    return needs("shapely", "print", "an outline for cutting")


def form_of(lattice: Lattice, cells: Sequence[Cell], mm: float, bar: float | None, what: str) -> FlatForm:
    """Return the way cells of a lattice become flat; ``mm`` is the scale, ``bar`` the width of edges in mm.

    The cells of a solid must be one layer, which is seen from above. Raises PuzzleError if they are not, and calls them
    ``what``.
    """
    if lattice.dimension < 3 and not lattice.of_edges:
        return Areas(lattice, mm)
    if lattice.dimension == 2:
        return Sticks(lattice, mm, bar)
    slab = Slab.of(lattice, cells, mm) if lattice.dimension == 3 and not lattice.of_edges else None
    if slab is None:
        raise no_flat_piece(f"{what} is not flat: it cannot be cut out of a sheet")
    return slab


def no_flat_piece(message: str) -> PuzzleError:
    """Return the error for a thing that cannot be cut."""
    return fail(
        "PZ504",
        message,
        note="only flat pieces and solids one layer thick have outlines",
        help="write a model with `-o pieces.stl` or `-o pieces.3mf`",
    )


def _free(corners: Sequence[Place], at: Place) -> float:
    """Return the distance of a position within a convex polygon from its sides."""
    distances = []
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        distances.append(abs((b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])) / dist(a, b))
    return min(distances)


def _inner(corners: Sequence[Place]) -> LetterSpot:
    """Return the room within a convex polygon, about the mean of its corners weighted by the sides around each."""
    sides = [dist(a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    # For a triangle with the opposite sides as weights this is the centre of the inscribed circle.
    if len(corners) == 3:
        weights = [sides[1], sides[2], sides[0]]
        at = tuple([sum(w * c[k] for w, c in zip(weights, corners, strict=True)) / sum(weights) for k in range(2)])
    else:
        at = middle(corners)
    return LetterSpot(at[0], at[1], _free(corners, at))


class Areas:
    """Cells of a flat lattice."""

    thickness: float | None = None

    def __init__(self, lattice: Lattice, mm: float) -> None:
        self.lattice, self.mm = lattice, mm

    def shape(self, cells: Sequence[Cell]) -> Any:
        """Return the area of cells; outlines are exact, so they fit without slivers."""
        shapely = library()
        rings = [[self._scaled(corner) for corner in ring] for ring in outline(self.lattice, cells)]
        # Larger rings first: a ring in a hole comes after the hole.
        rings.sort(key=lambda ring: -abs(_area(ring)))
        area = shapely.Polygon()
        for ring in rings:
            inner = shapely.Polygon(ring)
            area = area.union(inner) if _area(ring) > 0 else area.difference(inner)
        return area

    room = shape

    def borders(self, cells: Sequence[Cell]) -> list[list[Place]]:
        """Return the outlines of the cells."""
        return [self._corners(cell) for cell in cells]

    def spot(self, cell: Cell) -> LetterSpot:
        """Return the room on a cell."""
        return _inner(self._corners(cell))

    def sides(self, cell: Cell) -> list[LetterSpot]:
        """Return the room beside each side of a cell, in the order of the neighbours of its kind."""
        at = self.lattice.point(cell)
        here, spots = self.spot(cell), []
        for step in self.lattice.kinds[self.lattice.class_of(at)].neighbours:
            beside = self.lattice.cell_at(tuple([a + b for a, b in zip(at, step, strict=True)]))
            there = self.spot(beside)
            far = dist(here[:2], there[:2])
            part = 0.62 * here.radius / far
            spots.append(
                LetterSpot(here.x + part * (there.x - here.x), here.y + part * (there.y - here.y), 0.3 * here.radius)
            )
        return spots

    def _corners(self, cell: Cell) -> list[Place]:
        return [self._scaled(corner) for corner in on_sheet(self.lattice, cell)]

    def _scaled(self, at: Place) -> Place:
        return at[0] * self.mm, at[1] * self.mm


class Sticks(EdgeBars):
    """Cells that are edges, as bars."""

    thickness: float | None = None

    def borders(self, cells: Sequence[Cell]) -> list[list[Place]]:  # noqa: ARG002
        """Return nothing: edges have no sides."""
        return []

    def spot(self, cell: Cell) -> LetterSpot:
        """Return the room in the middle of a bar, rotated like the bar."""
        (a, b), (c, d) = self.ends(cell)
        angle = degrees(atan2(d - b, c - a))
        upright = (angle + 90 - 1e-6) % 180 - 90 + 1e-6
        return LetterSpot((a + c) / 2, (b + d) / 2, self.half, upright)


def _area(ring: Sequence[Place]) -> float:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


class Slab:
    """Cells of a solid lattice that are prisms upon one plane, all of one height: seen from above."""

    def __init__(self, lattice: Lattice, mm: float, up: Place, right: Place, low: float, high: float) -> None:
        self.lattice, self.mm, self.up, self.right = lattice, mm, up, right
        self.down = tuple([-value for value in cross(up, right)])
        self.low, self.high = low, high

    @classmethod
    def of(cls, lattice: Lattice, cells: Sequence[Cell], mm: float) -> Slab | None:
        """Return the plane that cells lie on; None if there is none.

        If there are several (a bar of cubes), the result is a level one, or the one closest to upright.
        """
        kind = lattice.class_of(lattice.point(cells[0]))
        # Seen from above, from the front, or from the right.
        tops = [face for face in faces(lattice, kind) if _ahead(face.normal)]
        tops.sort(key=lambda face: [-round(abs(value), 6) for value in (face.normal[2], face.normal[1])])
        for top in tops:
            first = place(lattice, lattice.point(cells[0]))
            heights = [_along(plus(first, corner), top.normal) for corner in _all_corners(lattice, kind)]
            slab = cls(lattice, mm, top.normal, _level(top.corners), min(heights), max(heights))
            if all(slab.holds(cell) for cell in cells):
                return slab
        return None

    @property
    def thickness(self) -> float:
        """Thickness of the material in mm."""
        return (self.high - self.low) * self.mm

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is a prism between the two planes."""
        flat = self._flat(cell, self.high)
        return len(flat) > 2 and sorted(flat) == sorted(self._flat(cell, self.low)) and self._between(cell)

    def shape(self, cells: Sequence[Cell]) -> Any:
        """Return the area of cells."""
        shapely = library()
        whole = shapely.unary_union([shapely.Polygon(self._corners(cell)) for cell in cells], grid_size=GRID_MM)
        return whole.simplify(GRID_MM / 2)

    room = shape

    def borders(self, cells: Sequence[Cell]) -> list[list[Place]]:
        """Return the outlines of the cells, from above."""
        return [self._corners(cell) for cell in cells]

    def spot(self, cell: Cell) -> LetterSpot:
        """Return the room on a cell."""
        return _inner(self._corners(cell))

    def _corners(self, cell: Cell) -> list[Place]:
        """Return the corners of the side above, in order."""
        flat = self._flat(cell, self.high)
        at = middle(flat)
        return sorted(flat, key=lambda corner: atan2(corner[1] - at[1], corner[0] - at[0]))

    def _flat(self, cell: Cell, height: float) -> list[Place]:
        """Return the corners of a cell at a height, as positions on the sheet."""
        at = place(self.lattice, self.lattice.point(cell))
        kind = self.lattice.class_of(self.lattice.point(cell))
        corners = [plus(at, corner) for corner in _all_corners(self.lattice, kind)]
        level = [corner for corner in corners if abs(_along(corner, self.up) - height) < 1e-6]
        return [
            tuple([round(self.mm * _along(corner, axis), 6) for axis in (self.right, self.down)]) for corner in level
        ]

    def _between(self, cell: Cell) -> bool:
        at = place(self.lattice, self.lattice.point(cell))
        heights = [
            _along(plus(at, corner), self.up)
            for corner in _all_corners(self.lattice, self.lattice.class_of(self.lattice.point(cell)))
        ]
        return all(min(abs(height - self.low), abs(height - self.high)) < 1e-6 for height in heights)


def _ahead(normal: Place) -> bool:
    """Whether a side faces up, or is upright and faces the front or the right."""
    x, y, z = (round(value, 6) for value in normal)
    return z > 0 or (z == 0 and (y < 0 or (y == 0 and x > 0)))


def _level(corners: Sequence[Place]) -> Place:
    """Return the direction of a side of a face that runs to the right and is closest to level."""
    directions = []
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        way = [q - p for p, q in zip(a, b, strict=True)]
        long = hypot(*way)
        directions.append(tuple([value / long + 0.0 for value in way]))
    return max(directions, key=lambda way: [round(value, 6) for value in (-abs(way[2]), way[0], way[1])])


def _all_corners(lattice: Lattice, kind: int) -> list[Place]:
    return list(dict.fromkeys(corner for face in faces(lattice, kind) for corner in face.corners))


def _along(a: Iterable[float], b: Iterable[float]) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))
