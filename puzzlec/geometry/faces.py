"""Cells in space, and cells on a sheet of paper.

On a sheet, x runs to the right and y downwards. In space, a solid is on a table: x runs to the right, rows come towards
the viewer, and layers are stacked upwards. So the point (x, y, z) of a picture is at (x, -y, z) in coordinates to the
right, away and upwards. These are right-handed, so a solid made from them is not a mirror image.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import atan2, cos, hypot, lcm, sin, sqrt, tau
from typing import TYPE_CHECKING, NamedTuple

from puzzlec.geometry.lattice import Cell, Lattice, Point, cells_at
from puzzlec.geometry.solids import Facet, half_hull, plus, solid

if TYPE_CHECKING:
    from fractions import Fraction

Place = tuple[float, ...]

#: Number of corners of a disc that stands for a ball.
DISC_CORNERS = 32


class Face(NamedTuple):
    """A side of a solid cell in space, relative to the position of the cell's point.

    The corners run counterclockwise, seen from outside. ``normal`` has length 1 and points outwards. ``beyond`` is the
    step (between points of the lattice) to the neighbour with the same side; None if there is none.
    """

    corners: tuple[Place, ...]
    normal: Place
    beyond: Point | None


def exactly(value: float) -> Fraction:
    """Return the fraction that a decimal means: one with a small denominator if it is close enough.

    >>> exactly(0.3333333333333333), exactly(-1.5), exactly(0.2501)
    (Fraction(1, 3), Fraction(-3, 2), Fraction(2501, 10000))
    """
    from fractions import Fraction  # a command that draws cubes needs none

    decimal = Fraction(str(value))
    small = decimal.limit_denominator(1000)
    return small if abs(small - decimal) < Fraction(1, 10**12) else decimal


@cache
def scale_of(lattice: Lattice) -> int:
    """Return a factor for points that makes the corners of all cells integers.

    >>> from puzzlec.geometry import find_lattice
    >>> scale_of(find_lattice("cubic")), scale_of(find_lattice("hex"))
    (2, 1)
    """
    return lcm(*[exactly(value).denominator for kind in lattice.kinds for corner in kind.outline for value in corner])


@cache
def exact_outline(lattice: Lattice, kind: int) -> tuple[Point, ...]:
    """Return the corners of a kind of cell relative to its point, multiplied by :func:`scale_of`.

    Intervals of a line get a height: the length of the shortest kind, which becomes a square.
    """
    scale = scale_of(lattice)
    corners = [tuple([int(exactly(value) * scale) for value in corner]) for corner in lattice.kinds[kind].outline]
    if lattice.dimension > 1:
        return tuple(corners)
    (left,), (right,) = corners
    half = min(int(abs(exactly(b) - exactly(a)) * scale) // 2 for ((a,), (b,)) in (k.outline for k in lattice.kinds))
    return ((left, -half), (right, -half), (right, half), (left, half))


def exact_corners(lattice: Lattice, cell: Cell) -> tuple[Point, ...]:
    """Return the corners of a cell, multiplied by :func:`scale_of`."""
    point = lattice.point(cell)
    at = _exactly_at(lattice, point)
    return tuple([plus(at, corner) for corner in exact_outline(lattice, lattice.class_of(point))])


def _exactly_at(lattice: Lattice, point: Point) -> list[int]:
    """Return a point multiplied by :func:`scale_of`; one of a line is at height 0."""
    return [scale_of(lattice) * value for value in point] + [0] * (lattice.dimension == 1)


def sheet_place(lattice: Lattice, point: Sequence[float]) -> Place:
    """Return the position of a point of a flat lattice on a sheet; a line runs to the right, at height 0."""
    if lattice.dimension > 1:
        return lattice.on_paper(point)
    return (*lattice.on_paper(point[:1]), *(point[1:] or (0,)))


def on_sheet(lattice: Lattice, cell: Cell) -> list[Place]:
    """Return the corners of a flat cell on a sheet: x to the right, y downwards, in lengths of the lattice.

    A cell of a line is a square; an edge has two ends.

    >>> from puzzlec.geometry import find_lattice
    >>> on_sheet(find_lattice("square"), (2, 0))
    [(1.5, -0.5), (2.5, -0.5), (2.5, 0.5), (1.5, 0.5)]
    """
    scale = scale_of(lattice)
    return [sheet_place(lattice, [value / scale for value in corner]) for corner in exact_corners(lattice, cell)]


@cache
def breadth(lattice: Lattice) -> float:
    """Return the size of a cell of a lattice on paper: the side of a square with its area, or the length of an edge.

    It is the mean of all kinds of cell.

    >>> from puzzlec.geometry import find_lattice
    >>> breadth(find_lattice("square")), breadth(find_lattice("sticks"))
    (1.0, 2.0)
    """
    sizes = []
    for cell in cells_at(lattice, [(0,) * lattice.dimension]):
        corners = on_sheet(lattice, cell)
        if lattice.of_edges:
            (x, y), (to_x, to_y) = (corner[:2] for corner in corners)
            sizes.append(hypot(to_x - x, to_y - y))
        else:
            sizes.append(area(corners))
    mean = sum(sizes) / len(sizes)
    return mean if lattice.of_edges else sqrt(mean)


def area(corners: Sequence[Sequence[float]]) -> float:
    """Return the area of a polygon (the shoelace formula)."""
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)) / 2


def place(lattice: Lattice, point: Sequence[float]) -> Place:
    """Return the position of a point in space: to the right, away and upwards; flat lattices lie on the table.

    Raises ValueError if the point has more than three dimensions.

    >>> from puzzlec.geometry import find_lattice
    >>> place(find_lattice("cubic"), (1, 2, 3))
    (1, -2, 3)
    """
    if lattice.dimension > 3:
        raise ValueError("points of more than three dimensions cannot be placed in space")
    x, y, z = (*(sheet_place(lattice, point) if lattice.dimension < 3 else lattice.on_paper(point)), 0, 0)[:3]
    return x, -y, z


def spot(lattice: Lattice, point: Sequence[float]) -> list[float]:
    """Return the position of a point on a screen: to the right, downwards, and upwards from the table.

    >>> from puzzlec.geometry import find_lattice
    >>> spot(find_lattice("cubic"), (1, 2, 3))
    [1.0, 2.0, 3.0]
    """
    x, y, z = place(lattice, point)
    return [round(x, 4) + 0.0, round(-y, 4) + 0.0, round(z, 4) + 0.0]


def least_step(lattice: Lattice) -> float:
    """Return the least distance between neighbours, such as the diameter of balls."""
    return float(min(hypot(*place(lattice, step)) for kind in lattice.kinds for step in kind.neighbours))


def outline_above(lattice: Lattice, kind: int) -> list[list[float]]:
    """Return the outline of a kind of cell on a screen, relative to its point.

    For a solid, this is its hull from above. A ball is a disc with many corners.
    """
    if lattice.of_balls:
        radius, angles = least_step(lattice) / 2, [tau * number / DISC_CORNERS for number in range(DISC_CORNERS)]
        # Processors differ in the last digits of a sine.
        return [[round(radius * value, 4) + 0.0 for value in (cos(angle), sin(angle))] for angle in angles]
    scale = scale_of(lattice)
    corners = [spot(lattice, [value / scale for value in corner])[:2] for corner in exact_outline(lattice, kind)]
    return [list(corner) for corner in flat_hull(corners)] if lattice.dimension > 2 else corners


def flat_hull(places: Iterable[Sequence[float]], nothing: float = 1e-9) -> list[tuple[float, float]]:
    """Return the convex hull of positions in a plane, in order (A. M. Andrew's monotone chain, 1979).

    A corner that lies within ``nothing`` of a side is left out.
    """
    points = sorted({(x, y) for x, y in places})
    return half_hull(points, nothing)[:-1] + half_hull(points[::-1], nothing)[:-1]


@cache
def faces(lattice: Lattice, kind: int) -> tuple[Face, ...]:
    """Return the sides of a solid kind of cell, relative to the position of its point.

    Raises ValueError if the lattice is not one of solids in three dimensions.

    >>> from puzzlec.geometry import find_lattice
    >>> [face.beyond for face in faces(find_lattice("cubic"), 0)]
    [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    if lattice.dimension != 3 or lattice.of_edges:
        raise ValueError("these cells are not solids")
    scale = scale_of(lattice)
    sides = []
    for facet in solid(exact_outline(lattice, kind)).facets:
        corners = [place(lattice, [value / scale for value in corner]) for corner in facet.corners]
        ordered, normal = _around(corners, middle(_all_corners(lattice, kind)))
        sides.append(Face(tuple(ordered), normal, beyond(lattice, kind, facet.corners)))
    return tuple(sides)


def ordered_facet(lattice: Lattice, kind: int, facet: Facet) -> tuple[Point, ...]:
    """Return the exact corners of a side of a cell in space, counterclockwise if seen from outside."""
    scale = scale_of(lattice)
    where = {place(lattice, [value / scale for value in corner]): corner for corner in facet.corners}
    ordered, _ = _around(list(where), middle(_all_corners(lattice, kind)))
    return tuple([where[corner] for corner in ordered])


def _all_corners(lattice: Lattice, kind: int) -> list[Place]:
    scale = scale_of(lattice)
    return [place(lattice, [value / scale for value in corner]) for corner in exact_outline(lattice, kind)]


def beyond(lattice: Lattice, kind: int, corners: Iterable[Point]) -> Point | None:
    """Return the step to the neighbour that has the same exact corners on one of its sides; None if there is none."""
    at, side = lattice.kinds[kind].at, set(corners)
    for step in lattice.kinds[kind].neighbours:
        other = lattice.class_of(plus(at, step))
        if other >= 0 and side <= {
            plus(_exactly_at(lattice, step), corner) for corner in exact_outline(lattice, other)
        }:
            return step
    return None


def middle(places: Iterable[Place]) -> Place:
    """Return the mean of some positions."""
    columns = list(zip(*places, strict=True))
    return tuple([sum(column) / len(column) for column in columns])


def _around(corners: list[Place], inner: Place) -> tuple[list[Place], Place]:
    """Return the corners of a flat convex face in order, counterclockwise if seen from outside, and its normal."""
    centre = middle(corners)
    spokes = [tuple([a - b for a, b in zip(corner, centre, strict=True)]) for corner in corners]
    first = spokes[0]
    normal = max((cross(first, spoke) for spoke in spokes[1:]), key=lambda normal: hypot(*normal))
    outwards = sum(n * (m - i) for n, m, i in zip(normal, centre, inner, strict=True))
    size = hypot(*normal) * (1 if outwards > 0 else -1)
    unit = tuple([value / size + 0.0 for value in normal])
    beside = cross(unit, first)

    def angle(spoke: Place) -> float:
        right, up = (sum(a * b for a, b in zip(spoke, axis, strict=True)) for axis in (first, beside))
        return round(atan2(up, right), 9)

    order = sorted(range(len(corners)), key=lambda number: angle(spokes[number]))
    return [corners[number] for number in order], unit


def cross(a: Place, b: Place) -> Place:
    """Return the vector product of two vectors of space."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
