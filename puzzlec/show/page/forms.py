"""The forms of cells on a page: solids by their sides, flat cells as slabs, edges as rods, balls."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product
from math import hypot, sqrt

from puzzlec.geometry import Lattice, find_lattice
from puzzlec.geometry.faces import cross, exact_outline, exactly, faces, least_step, place, scale_of
from puzzlec.geometry.lattice import Matrix, Point, identity, turned
from puzzlec.geometry.outlines import sides_of
from puzzlec.geometry.solids import minus, solid

#: The data of a page: plain JSON.
Form = dict[str, object]
_Ring = list[tuple[float, ...]]

#: The thickness of a slab, as a part of the side of a square with the same area.
THICKNESS = 0.26

#: The radius of a rod, as a part of its length.
ROD = 0.13

#: The room between sections of four dimensions, in cell lengths.
BETWEEN = 1.5


def can_be_built(lattice: Lattice) -> bool:
    """Whether a page can show cells of a lattice: up to three dimensions, and cubes in four, as sections.

    >>> can_be_built(find_lattice("hypercubic")), can_be_built(find_lattice("tetoct"))
    (True, True)
    """
    if lattice.dimension == 4:
        halves = {tuple([exactly(value) * 2 for value in corner]) for corner in lattice.kinds[0].outline}
        return lattice.translations == identity(4) and halves == set(product((-1, 1), repeat=4))
    return lattice.dimension < 4 and not (lattice.of_edges and lattice.dimension > 2)


def is_flat(lattice: Lattice) -> bool:
    """Whether a puzzle on a lattice lies on the table, and is seen from above."""
    return lattice.dimension < 3


def axes(lattice: Lattice, points: Iterable[Point]) -> list[list[float]]:
    """Return the direction in space of a step along each coordinate of a point: right, away, up.

    The sections of four dimensions are side by side; ``points`` set their distance.
    """
    if lattice.dimension < 4:
        return steps_in_space(lattice)
    unit = identity(len(lattice.translations[0]))
    along = [point[0] for point in points]
    wide = max(along) - min(along) + 1 + BETWEEN
    return [*(_rounded(place(find_lattice("cubic"), step[:3])) for step in unit[:3]), [wide, 0.0, 0.0]]


def is_convex(lattice: Lattice) -> bool:
    """Whether all cells of a flat lattice are convex, so that a page knows when they meet."""
    return all(len(solid(exact_outline(lattice, kind)).parts) == 1 for kind in range(len(lattice.kinds)))


def steps_in_space(lattice: Lattice) -> list[list[float]]:
    """Return the direction in space of a step along each coordinate of a point, for up to three dimensions."""
    return [_rounded(place(lattice, step)) for step in identity(len(lattice.translations[0]))]


def rotation_in_space(lattice: Lattice, matrix: Matrix) -> list[list[float]]:
    """Return a rotation of a solid or flat lattice as the images of the three unit vectors of space.

    >>> rotation_in_space(find_lattice("cubic"), ((0, -1, 0), (1, 0, 0), (0, 0, 1)))
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    >>> rotation_in_space(find_lattice("square"), ((0, -1), (1, 0)))
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    upright = [(0.0, 0.0, 1.0)] if is_flat(lattice) else []
    steps = [place(lattice, step) for step in identity(lattice.dimension)] + upright
    images = [place(lattice, turned(matrix, step)) for step in identity(lattice.dimension)] + upright
    across = [cross(steps[k - 2], steps[k - 1]) for k in range(3)]
    volume = sum(a * b for a, b in zip(steps[0], across[0], strict=True))
    vectors = []
    for axis in range(3):
        parts = list(zip(images, across, strict=True))
        vectors.append(_rounded([sum(image[c] * way[axis] for image, way in parts) / volume for c in range(3)]))
    return vectors


def forms(lattice: Lattice, tiles: bool) -> list[Form]:
    """Return the form of each kind of cell, about its point. ``tiles``: sides have separate colours."""
    bare = _bare(lattice, tiles)
    for form, kind in zip(bare, lattice.kinds, strict=True):
        form["neighbours"] = kind.neighbours
    return bare


def _bare(lattice: Lattice, tiles: bool) -> list[Form]:
    if lattice.of_balls:
        return [{"ball": round(least_step(lattice) / 2, 6)} for _ in lattice.kinds]
    if lattice.of_edges:
        return [_rod(lattice, number) for number in range(len(lattice.kinds))]
    if is_flat(lattice):
        return [_slab(lattice, number, tiles) for number in range(len(lattice.kinds))]
    solids = lattice if lattice.dimension == 3 else find_lattice("cubic")
    return [_solid(lattice, solids, number, tiles) for number in range(len(lattice.kinds))]


def _rounded(place: Iterable[float]) -> list[float]:
    return [round(value, 6) + 0.0 for value in place]


def _rod(lattice: Lattice, kind: int) -> Form:
    ends = [place(lattice, [value / scale_of(lattice) for value in end]) for end in exact_outline(lattice, kind)]
    length = hypot(*[a - b for a, b in zip(*ends, strict=True)])
    return {"rod": [_rounded(end) for end in ends], "thick": round(ROD * length, 6)}


def _solid(lattice: Lattice, solids: Lattice, kind: int, tiles: bool) -> Form:
    """Return a solid by its sides; ``solids`` is the lattice, or the lattice of its sections."""
    steps = lattice.kinds[kind].neighbours
    sides: list[Form] = []
    for face in faces(solids, kind):
        beyond = None if face.beyond is None else (*face.beyond, *[0] * (lattice.dimension - 3))
        side: Form = {"corners": [_rounded(corner) for corner in face.corners], "beyond": beyond}
        if tiles and beyond in steps:
            side["side"] = steps.index(beyond)
        sides.append(side)
    return {"faces": sides}


def _slab(lattice: Lattice, kind: int, tiles: bool) -> Form:
    """Return a flat cell as a slab: its top, its bottom, and its sides. The top of a tile has a part for each side."""
    ring, beyond = _ring(lattice, kind)
    size = sqrt(abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))) / 2)
    high = THICKNESS * size
    around = list(zip(ring, [*ring[1:], ring[0]], beyond, strict=True))
    number = {step: index for index, step in enumerate(lattice.kinds[kind].neighbours)}
    sides: list[Form] = []
    if tiles:
        middle = tuple([sum(corner[axis] for corner in ring) / len(ring) for axis in (0, 1)])
        tops = [([middle, start, end], number.get(step) if step else None) for start, end, step in around]
    else:
        tops = [(part, None) for part in _convex(lattice, kind, ring)]
    for corners, side in tops:
        top: Form = {"corners": [_rounded((*corner[:2], high)) for corner in corners], "beyond": None}
        sides.append(top if side is None else {**top, "side": side})
    if not tiles:
        sides.extend(
            {"corners": [_rounded((*corner[:2], 0.0)) for corner in part[::-1]], "beyond": None}
            for part in _convex(lattice, kind, ring)
        )
    for start, end, step in around:
        corners = [(*start[:2], 0.0), (*end[:2], 0.0), (*end[:2], high), (*start[:2], high)]
        sides.append({"corners": [_rounded(corner) for corner in corners], "beyond": step})
    return {"faces": sides}


def _ring(lattice: Lattice, kind: int) -> tuple[list[tuple[float, ...]], list[Point | None]]:
    """Return the corners of a flat cell about its point (counterclockwise), and the step beyond each side."""
    scale, sides = scale_of(lattice), _shared(lattice, kind)
    origin = place(lattice, lattice.kinds[kind].at)
    ring = [minus(place(lattice, [value / scale for value in start]), origin) for start, _, _ in sides][::-1]
    beyond = [step for _, _, step in sides][::-1]
    return ring, [*beyond[1:], beyond[0]]  # the side that begins at each corner, now in reverse order


def _convex(lattice: Lattice, kind: int, ring: _Ring) -> list[_Ring]:
    """Return the ring of a flat cell (counterclockwise) as convex ones: itself, or triangles."""
    parts, scale = solid(exact_outline(lattice, kind)).parts, scale_of(lattice)
    if len(parts) < 2:
        return [ring]
    triangles = [[place(lattice, [value / scale for value in corner]) for corner in part] for part, _ in parts]
    (a, b), (c, d) = (minus(corner, triangles[0][0])[:2] for corner in triangles[0][1:])
    return triangles if a * d > b * c else [triangle[::-1] for triangle in triangles]


Shared = tuple[Point, Point, Point | None]


def _shared(lattice: Lattice, kind: int) -> list[Shared]:
    """Return the sides of a flat cell, clockwise on the sheet, cut at the corners of cells beyond them.

    Each is two points, multiplied by ``scale_of``, and the step to the cell beyond.
    """
    at = lattice.kinds[kind].at
    cell = lattice.cell_at(at)
    others: list[tuple[Point, Point, Point]] = []
    for step in lattice.kinds[kind].neighbours:
        other = lattice.cell(tuple([a + b for a, b in zip(at, step, strict=True)]))
        if other is not None:
            others += [(start, end, step) for start, end in sides_of(lattice, other)]
    sides: list[Shared] = []
    for start, end in sides_of(lattice, cell):
        corners = {start, end}
        for one, two, _ in others:
            corners |= {corner for corner in (one, two) if _between(start, corner, end)}
        cut = sorted(corners, key=lambda corner: sum((a - b) ** 2 for a, b in zip(corner, start, strict=True)))
        for one, two in pairwise(cut):
            beyond = next((step for a, b, step in others if _within(a, one, b) and _within(a, two, b)), None)
            sides.append((one, two, beyond))
    return sides


def _between(start: Point, corner: Point, end: Point) -> bool:
    return corner not in (start, end) and _within(start, corner, end)


def _within(start: Point, corner: Point, end: Point) -> bool:
    """Whether a point is on a segment, its ends included."""
    (a, b), (c, d) = _step(start, end), _step(start, corner)
    along = a * c + b * d
    return a * d == b * c and 0 <= along <= a * a + b * b


def _step(start: Point, end: Point) -> tuple[int, int]:
    return end[0] - start[0], end[1] - start[1]
