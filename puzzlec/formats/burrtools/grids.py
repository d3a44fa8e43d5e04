"""The grids of BurrTools, their lattices, and the rotations of its numbers.

The positions of voxels in each grid, and the numbers of its 24, 12 and 120 rotations, are facts of the format. They
come from the sources and the files of BurrTools (https://github.com/burr-tools/burr-tools).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from operator import add, itemgetter, sub
from typing import NamedTuple

from puzzlec.diagnostics import Report
from puzzlec.geometry import Cell, Matrix, find_lattice
from puzzlec.geometry.congruence import congruent
from puzzlec.geometry.lattice import Lattice, Point, identity, multiply, turned
from puzzlec.ir import Location, Piece

Voxel = tuple[int, int, int]


class VoxelGrid(NamedTuple):
    """A grid of BurrTools: its number, its name, and the lattice whose cells are its voxels."""

    number: int
    name: str
    lattice: str


GRIDS = (
    VoxelGrid(0, "bricks", "cubic"),
    VoxelGrid(1, "triangular prisms", "prism"),
    VoxelGrid(2, "balls", "fcc"),
    VoxelGrid(3, "rhombic tetrahedra", "rhombic"),
    VoxelGrid(4, "tetrahedra and octahedra", "octants"),
)


def cell_at(grid: int, voxel: Voxel) -> Cell | None:
    """Return the cell of the grid's lattice for a voxel, or None if there is none.

    >>> cell_at(1, (2, 0, 5)), cell_at(2, (1, 0, 0))
    ((1, 0, 5, 1), None)
    """
    x, y, z = voxel
    if grid == 0:
        return voxel
    if grid == 1:
        return ((x + y + 1) // 2, y, z, 1 - (x + y) % 2)
    point = {2: (x, y, z), 3: (x - 2, y - 2, z - 2), 4: (2 * x + 1, 2 * y + 1, 2 * z + 1)}[grid]
    return find_lattice(GRIDS[grid].lattice).cell(point)


def voxel_of(grid: int, cell: Cell) -> Voxel:
    """Return the voxel for a cell of the grid's lattice.

    >>> voxel_of(1, (1, 0, 5, 1))
    (2, 0, 5)
    """
    if grid == 0:
        x, y, z = cell
        return x, y, z
    if grid == 1:
        a, b, z, kind = cell
        return 2 * a - b - 1 + kind, b, z
    x, y, z = find_lattice(GRIDS[grid].lattice).point(cell)
    return ((x, y, z), (x + 2, y + 2, z + 2), ((x - 1) // 2, (y - 1) // 2, (z - 1) // 2))[grid - 2]


def whole(voxel: Voxel) -> Point:
    """Return the point of the tetrahedron or octahedron that contains a voxel of grid 4.

    >>> whole((1, 1, 1)), whole((2, 2, 2)), whole((3, 3, 3))
    ((1, 1, 1), (2, 2, 2), (2, 2, 2))
    """
    if all(value % 3 == 1 for value in voxel):
        return tuple(2 * (value // 3) + 1 for value in voxel)
    return tuple(2 * ((value + 1) // 3) for value in voxel)


def eighths(point: Point) -> tuple[Voxel, ...]:
    """Return the voxels of grid 4 in the tetrahedron or octahedron at a point of the lattice `tetoct`.

    >>> eighths((1, 1, 1)), len(eighths((2, 2, 2)))
    (((1, 1, 1),), 8)
    """
    x, y, z = point
    if x % 2:
        return ((3 * (x // 2) + 1, 3 * (y // 2) + 1, 3 * (z // 2) + 1),)
    x, y, z = 3 * x // 2, 3 * y // 2, 3 * z // 2
    return tuple((x - i, y - j, z - k) for i in (1, 0) for j in (1, 0) for k in (1, 0))


def origin(grid: int, voxels: Iterable[Voxel]) -> Voxel:
    """Return the translation of voxels towards (0,0,0) that keeps the kind of each voxel."""
    x, y, z = (min(axis) for axis in zip(*voxels, strict=True))
    if grid == 1:
        return x - (x + y) % 2, y, z
    if grid == 2:
        return x - (x + y + z) % 2, y, z
    if grid == 3:
        return x - x % 5, y - y % 5, z - z % 5
    if grid == 4:
        odd = (x // 3 + y // 3 + z // 3) % 2
        return x - x % 3 - 3 * odd, y - y % 3, z - z % 3
    return x, y, z


#: The 120 rotations of balls as quaternions of four digits each; 3 must be subtracted from each digit.
_OF_BALLS = (
    "4333 3434 4334 4222 3334 4323 4332 4424 4444 4233 3344 4224 4422 3342 4433 4242 4343 3433 4244 3443 "
    "3432 3343 4442 3423 4232 5434 4434 5232 4344 5322 4322 5344 4234 5432 4432 5234 4342 5324 4324 5342 "
    "5443 4223 5223 4443 5243 4423 5423 4243 4345 4420 3441 6444 4231 4264 6222 3522 4642 4426 4453 3414 "
    "3444 4042 4312 4123 4204 4534 4220 3421 6424 4435 6242 3454 4402 4226 4523 4341 4644 4462 4132 4253 "
    "4044 4314 3542 3424 4446 4321 3425 6422 6244 3544 4235 4202 4440 4413 4624 4143 4024 4354 3452 3422 "
    "4262 4532 3445 6224 4325 4240 4022 4246 4213 4431 4404 6442 3524 4543 4464 4134 3412 3442 4622 4352 "
)


@cache
def matrices(grid: int) -> tuple[tuple[Matrix, int], ...]:
    """Return the rotations of a grid by number: integer matrices for points, each with a divisor of the images.

    >>> [len(matrices(number)) for number in range(5)]
    [24, 12, 120, 24, 24]
    """
    unit = identity(3)
    if grid == 1:
        sixth, over = ((1, -1, 0), (1, 0, 0), (0, 0, 1)), ((-1, 1, 0), (0, 1, 0), (0, 0, -1))
        turns = [power(sixth, times) for times in range(6)]
        return tuple((turn, 1) for turn in (*turns, *(multiply(turn, over) for turn in turns)))
    if grid == 2:
        return tuple((_by_quaternion([int(digit) - 3 for digit in word]), 3) for word in _OF_BALLS.split())
    x = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
    y = ((0, 0, -1), (0, 1, 0), (1, 0, 0))
    z = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    faces = (unit, y, power(y, 2), power(y, 3), z, power(z, 3))
    return tuple((multiply(face, power(x, times)), 1) for face in faces for times in range(4))


def power(matrix: Matrix, times: int) -> Matrix:
    """Return a power of a matrix."""
    product = identity(len(matrix))
    for _ in range(times):
        product = multiply(product, matrix)
    return product


def _by_quaternion(parts: list[int]) -> Matrix:
    """Return three times the matrix of the rotation of a quaternion of any length."""
    w, x, y, z = parts
    rows = (
        (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )
    length = w * w + x * x + y * y + z * z
    return tuple(tuple(3 * value // length for value in row) for row in rows)


#: A rotated piece: its points relative to the least of them, each with its colour, in ascending order.
Form = tuple[tuple[Point, str | None], ...]


class LostColoursError(ValueError):
    """The placements of a piece cannot be listed, because they show colours that its locations do not decide."""

    def report(self, piece: Piece, report: Report, file: str = "") -> None:
        """Report the piece (PZ354)."""
        report.add(
            "PZ354",
            f"piece `{piece.name}` has separate balls in several colours",
            piece.span,
            note="its placements have to be listed, and listed placements have no colours",
            help="give its balls one colour, or give the result the same colours",
            file=file,
        )


def as_turned(
    piece: Piece, lattice: Lattice, locations: Sequence[Location], allowed: frozenset[tuple[str, str]]
) -> Piece:
    """Return a one-sided piece of balls as BurrTools rotates it: unchanged, or with its placements listed.

    BurrTools tries 120 rotations: the 24 of the packing, and their products with sixths of a turn about its four
    diagonals. These are all rigid motions of balls that touch (docs/decisions/027). A piece that is not connected may
    have more, so its placements are listed. Raises LostColoursError if the placements show colours that their locations
    do not have: listed placements have no colours.
    """
    points = [lattice.point(cell) for cell in piece.cells]
    forms = forms_by_turns(points, piece.colours)
    motions = {_form(image, piece.colours) for image in congruent(lattice, points, proper=True)}
    if motions == set(forms):
        return piece
    board = {lattice.point(location.at): location for location in locations if isinstance(location.at, tuple)}
    covers: dict[frozenset[Point], tuple[Location, ...]] = {}
    for form in forms:
        for start in board:
            there = [(board.get(tuple(map(add, start, step))), colour) for step, colour in form]
            if all(at is not None and _suits(colour, at.colour, allowed) for at, colour in there):
                reached = tuple(at for at, _ in there if at is not None)
                if len(set(piece.colours)) > 1 and any(at.colour != colour for at, colour in there if at is not None):
                    raise LostColoursError(piece.name)
                covers.setdefault(frozenset(tuple(map(add, start, step)) for step, _ in form), reached)
    listed = tuple(tuple(at.at for at in reached) for reached in covers.values())
    return replace(piece, cells=(), colours=(), turns=(), covers=listed)


def forms_by_turns(points: Sequence[Point], colours: Sequence[str | None]) -> tuple[Form, ...]:
    """Return the images of balls under the rotations that keep them at positions of balls, each once.

    >>> len(forms_by_turns([(0, 0, 0), (1, 1, 0)], [None, None]))
    6
    """
    steps = [tuple(map(sub, point, points[0])) for point in points]
    forms: dict[Form, None] = {}
    for matrix, divisor in matrices(2):
        images = [turned(matrix, step) for step in steps]
        if any(value % divisor for image in images for value in image) or any(
            sum(image) // divisor % 2 for image in images
        ):
            continue
        forms[_form([tuple(value // divisor for value in image) for image in images], colours)] = None
    return tuple(forms)


def _form(points: Sequence[Point], colours: Sequence[str | None]) -> Form:
    least = min(points)
    pairs = [(tuple(map(sub, point, least)), colour) for point, colour in zip(points, colours, strict=True)]
    return tuple(sorted(pairs, key=itemgetter(0)))


def _suits(colour: str | None, there: str | None, allowed: frozenset[tuple[str, str]]) -> bool:
    return colour is None or there is None or colour == there or (colour, there) in allowed
