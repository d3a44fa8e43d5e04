"""Isometries in words: what a person calls a matrix, and the formula for where it doesn't go without one."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from puzzlec.geometry.lattice import Lattice, Matrix, multiply, turned

#: The isometries of the square lattice; y runs downwards, so (x, y) -> (-y, x) turns with the clock.
_FLAT: dict[Matrix, str] = {
    ((1, 0), (0, 1)): "identity",
    ((0, -1), (1, 0)): "quarter turn clockwise",
    ((-1, 0), (0, -1)): "half turn",
    ((0, 1), (-1, 0)): "quarter turn counterclockwise",
    ((-1, 0), (0, 1)): "mirrored left to right",
    ((1, 0), (0, -1)): "mirrored top to bottom",
    ((0, 1), (1, 0)): "mirrored in the diagonal \\",
    ((0, -1), (-1, 0)): "mirrored in the diagonal /",
}

#: A signed permutation of three coordinates by its trace: what it is, and what it is with all signs changed.
_SOLID: dict[int, tuple[str, str]] = {
    3: ("identity", "mirrored through the centre"),
    1: ("quarter turn about {}", "quarter turn about {}, mirrored along it"),
    0: ("third turn about {}", "third turn about {}, mirrored along it"),
    -1: ("half turn about {}", "mirrored along {}"),
}

_PARTS = {2: "half turn", 3: "third turn", 4: "quarter turn", 6: "sixth turn"}


class Words(NamedTuple):
    """An isometry in words: its kind, with ``{}`` for the axis that it has in space (else empty)."""

    kind: str
    axis: str = ""

    @property
    def diagonal(self) -> str:
        """The axis without its signs where it is a diagonal, its numbers in order: the kind of the axis."""
        return "".join(sorted(self.axis.strip("()").replace("-", "").split(","))) if len(self.axis) > 1 else ""

    def __str__(self) -> str:
        return self.kind.format(self.axis)


def words(matrix: Matrix, lattice: Lattice) -> Words:
    """Return what an isometry of a lattice is called.

    >>> from puzzlec.geometry import find_lattice
    >>> str(words(((0, -1), (1, 0)), find_lattice("square")))
    'quarter turn clockwise'
    >>> str(words(((0, 0, 1), (1, 0, 0), (0, 1, 0)), find_lattice("cubic")))
    'third turn about (1,1,1)'
    """
    upright = all(sum(map(abs, row)) == 1 for each in lattice.isometries for row in each)
    size = len(matrix) if len(matrix) == lattice.dimension and upright else 0
    if size == 1:
        return Words("identity" if matrix == ((1,),) else "mirrored left to right")
    if size == 2:
        return Words(_FLAT[matrix])
    return (_solid if size == 3 else _other)(matrix, matrix in lattice.rotations)


def _solid(matrix: Matrix, proper: bool) -> Words:
    rotation = matrix if proper else tuple(tuple(-value for value in row) for row in matrix)
    trace = sum(rotation[axis][axis] for axis in range(3))
    kind = _SOLID[trace][not proper]
    if trace == 3:
        return Words(kind)
    ahead = sorted((v for v in product((1, 0, -1), repeat=3) if v > (0, 0, 0)), reverse=True)
    axis = next(vector for vector in ahead if turned(rotation, vector) == vector)
    return Words(kind, "xyz"[axis.index(1)] if sum(map(abs, axis)) == 1 else "(" + ",".join(map(str, axis)) + ")")


def _other(matrix: Matrix, proper: bool) -> Words:
    """Name an isometry by its order: the least power of it that moves nothing."""
    order, power = 1, matrix
    while not all(value == (i == j) for i, row in enumerate(power) for j, value in enumerate(row)):
        order, power = order + 1, multiply(power, matrix)
    if proper:
        return Words("identity" if order == 1 else _PARTS.get(order, f"turn of order {order}"))
    return Words("mirrored" if order == 2 else f"turned and mirrored, of order {order}")


def formula(matrix: Matrix) -> str:
    """Return where a matrix takes a point.

    >>> formula(((0, -1), (1, 0)))
    'x,y -> -y,x'
    >>> formula(((1, 1), (0, -1)))
    'x,y -> x+y,-y'
    """
    names = "xyzw" if len(matrix) <= 4 else tuple(f"x{axis + 1}" for axis in range(len(matrix)))
    images = ["".join(_term(value, name) for value, name in zip(row, names, strict=False)) for row in matrix]
    return f"{','.join(names[: len(matrix)])} -> {','.join(image.removeprefix('+') or '0' for image in images)}"


def _term(value: int, name: str) -> str:
    if value == 0:
        return ""
    return f"{value:+d}"[: 1 if abs(value) == 1 else None] + name
