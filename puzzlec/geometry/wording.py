"""Isometries in words: a name for a matrix, and its formula.

Names describe the picture. In the plane, and on lattices that define their axes, rotations run clockwise or
counterclockwise. A line that is neither level, upright nor diagonal is named by the hours of a clock face that it
joins.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

from puzzlec.geometry.lattice import Lattice, Matrix, Point, identity, multiply, turned

#: Names of rotations, by the number that make a full one.
_PARTS = {2: "half turn", 3: "third turn", 4: "quarter turn", 5: "fifth turn", 6: "sixth turn", 8: "eighth turn"}

#: Names of reflections in the plane, by the angle of the axis in degrees, counterclockwise from level.
_MIRRORS = {
    0: "mirrored top to bottom",
    45: "mirrored in the diagonal /",
    90: "mirrored left to right",
    135: "mirrored in the diagonal \\",
}

#: An isometry of space that rotates by this many degrees, and the same isometry with all signs changed.
_SOLID: dict[int, tuple[str, str]] = {
    0: ("identity", "mirrored through the centre"),
    60: ("sixth turn about {}", "third turn about {}, mirrored along it"),
    90: ("quarter turn about {}", "quarter turn about {}, mirrored along it"),
    120: ("third turn about {}", "sixth turn about {}, mirrored along it"),
    180: ("half turn about {}", "mirrored along {}"),
}

_Real: TypeAlias = tuple[tuple[float, ...], ...]


class IsometryWords(NamedTuple):
    """An isometry in words: its kind, with ``{}`` for its axis in space, if it has one."""

    kind: str
    axis: str = ""

    @property
    def diagonal(self) -> str:
        """The axis without signs and with ascending numbers, if it is a diagonal: the kind of the axis."""
        if self.axis.startswith("the "):
            return self.axis.split(" ")[1]
        return "".join(sorted(self.axis.strip("()").replace("-", "").split(","))) if len(self.axis) > 1 else ""

    def __str__(self) -> str:
        return self.kind.format(self.axis)


def words(matrix: Matrix, lattice: Lattice) -> IsometryWords:
    """Return the name of an isometry of a lattice.

    >>> from puzzlec.geometry import find_lattice
    >>> str(words(((0, -1), (1, 0)), find_lattice("square")))
    'quarter turn clockwise'
    >>> str(words(((0, -1), (1, 1)), find_lattice("hex")))
    'sixth turn clockwise'
    >>> str(words(((0, 0, 1), (1, 0, 0), (0, 1, 0)), find_lattice("cubic")))
    'third turn about (1,1,1)'
    """
    if matrix == identity(len(matrix)):
        return IsometryWords("identity")
    if len(matrix) == 1:
        return IsometryWords("mirrored left to right")
    if _is_seen(lattice.axes, (*lattice.rotation_generators, *lattice.reflection_generators)):
        seen = seen_on_paper(matrix, lattice.axes)
        if len(matrix) == 2:
            return IsometryWords(_flat(seen))
        if len(matrix) == 3:
            return _solid(matrix, seen, lattice)
        if all(sum(map(abs, row)) == 1 for row in matrix):
            return IsometryWords(_signed(matrix))
    return _other(matrix, matrix in lattice.rotations)


@lru_cache(maxsize=64)
def _is_seen(axes: tuple[tuple[float, ...], ...], generators: tuple[Matrix, ...]) -> bool:
    """Return whether these isometries keep lengths in a picture; otherwise its coordinates have no known directions."""
    return all(_is_orthogonal(seen_on_paper(matrix, axes)) for matrix in generators)


def seen_on_paper(matrix: Matrix, axes: tuple[tuple[float, ...], ...]) -> _Real:
    """Return the effect of a matrix on points in a picture, with the axes of the lattice."""
    if not axes:
        return matrix
    size = range(len(matrix))
    across = real_inverse(axes)
    # A point p is drawn at p times the axes (as rows): so a place q belongs to the point q times their inverse.
    half = [[sum(matrix[j][k] * axes[j][i] for j in size) for k in size] for i in size]
    return tuple(tuple(sum(half[i][k] * across[j][k] for k in size) for j in size) for i in size)


def real_inverse(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a square matrix, by Gauss-Jordan elimination with the largest pivots."""
    size = len(rows)
    table = [[*map(float, row), *(float(i == j) for j in range(size))] for i, row in enumerate(rows)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(table[row][column]))
        table[column], table[pivot] = table[pivot], table[column]
        scale = table[column][column]
        table[column] = [value / scale for value in table[column]]
        for row in range(size):
            if row != column:
                factor = table[row][column]
                table[row] = [a - factor * b for a, b in zip(table[row], table[column], strict=True)]
    return [row[size:] for row in table]


def _is_orthogonal(matrix: _Real) -> bool:
    """Return whether a matrix keeps lengths."""
    return all(
        math.isclose(sum(a * b for a, b in zip(one, two, strict=True)), one is two, abs_tol=1e-6)
        for one in matrix
        for two in matrix
    )


def _flat(seen: _Real) -> str:
    """Return the name of an isometry of the plane other than the identity; y runs downwards in a picture."""
    (a, b), (c, d) = seen
    degrees = round(math.degrees(math.atan2(c, a)), 3)
    if a * d - b * c < 0:
        axis = -degrees / 2 % 180
        return _MIRRORS.get(round(axis), f"mirrored in the line {_hours(axis)}")
    if abs(degrees) == 180:
        return "half turn"
    return f"{_part(abs(degrees))} {'clockwise' if degrees > 0 else 'counterclockwise'}"


def _part(degrees: float) -> str:
    """Return the name of a rotation by its part of a full one."""
    part = round(360 / degrees)
    return _PARTS[part] if part in _PARTS and math.isclose(part * degrees, 360) else f"turn by {degrees:g} degrees"


def _hours(axis: float) -> str:
    """Return the hours of a clock face that a line joins, by its angle counterclockwise from level.

    >>> _hours(30), _hours(150), _hours(20)
    ("from 2 to 8 o'clock", "from 10 to 4 o'clock", 'that rises by 20 degrees')
    """
    if abs(axis / 30 - round(axis / 30)) > 1e-3:
        return f"that rises by {axis:g} degrees"
    hour = (3 - round(axis / 30)) % 12 or 12
    return f"from {hour} to {(hour + 5) % 12 + 1} o'clock"


def _solid(matrix: Matrix, seen: _Real, lattice: Lattice) -> IsometryWords:
    """Return the name of an isometry of space other than the identity: a rotation, perhaps with all signs changed."""
    sign = 1 if _determinant(seen) > 0 else -1
    rotation = tuple(tuple(sign * value for value in row) for row in matrix)
    trace = sum(rotation[axis][axis] for axis in range(3))
    degrees = round(math.degrees(math.acos((trace - 1) / 2)))
    kind = _SOLID[degrees][sign < 0]
    return IsometryWords(kind, _axis(rotation, lattice) if degrees else "")


def _determinant(m: _Real) -> float:
    """Return the determinant of three rows."""
    minors = ((m[1][(k + 1) % 3] * m[2][(k + 2) % 3] - m[1][(k + 2) % 3] * m[2][(k + 1) % 3]) for k in range(3))
    return sum(value * minor for value, minor in zip(m[0], minors, strict=True))


def _axis(rotation: Matrix, lattice: Lattice) -> str:
    """Return the name of a rotation axis: a letter, hours if it lies in the plane of a picture, else numbers."""
    axis = _along(rotation, lattice)
    x, y, z = lattice.on_paper(axis)
    along = [abs(value) > 1e-6 for value in (x, y, z)]
    if sum(along) == 1:
        return "xyz"[along.index(True)]
    if not lattice.axes:
        return "(" + ",".join(map(str, axis)) + ")"
    if not along[2]:
        return _level(-math.degrees(math.atan2(y, x)) % 180)
    up = 1 if z > 0 else -1
    return f"the slope up to {_side(-math.degrees(math.atan2(up * y, up * x)) % 360)}"


def _along(rotation: Matrix, lattice: Lattice) -> Point:
    """Return a short vector along the axis of a rotation."""
    reach = 1 if not lattice.axes else 3
    ahead = sorted((v for v in product(range(-reach, reach + 1), repeat=3) if v > (0, 0, 0)), reverse=True)
    ahead.sort(key=lambda vector: sum(map(abs, vector)) if lattice.axes else 0)
    return next(vector for vector in ahead if turned(rotation, vector) == vector)


def told_apart(matrices: Iterable[Matrix], lattice: Lattice) -> list[IsometryWords]:
    """Return the names of isometries of a lattice; a rotation and its inverse in the list get directions.

    Directions are those of a clock, seen along the axis: along growing x, y and z, or else upwards, or else (for an
    axis in the plane of a picture) from left to right.

    >>> from puzzlec.geometry import find_lattice
    >>> quarter = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    >>> [str(words) for words in told_apart([quarter, ((0, 1, 0), (-1, 0, 0), (0, 0, 1))], find_lattice("cubic"))]
    ['quarter turn clockwise about z', 'quarter turn counterclockwise about z']
    >>> [str(words) for words in told_apart([quarter], find_lattice("cubic"))]
    ['quarter turn about z']
    """
    matrices = list(matrices)
    named = [words(matrix, lattice) for matrix in matrices]
    often = Counter(named)
    return [
        words if often[words] == 1 or not words.axis else _directed(words, matrix, lattice)
        for words, matrix in zip(named, matrices, strict=True)
    ]


def _directed(name: IsometryWords, matrix: Matrix, lattice: Lattice) -> IsometryWords:
    """Return a name with the direction of the rotation about its axis."""
    seen = seen_on_paper(matrix, lattice.axes)
    sign = 1 if _determinant(seen) > 0 else -1
    axis = lattice.on_paper(_along(tuple(tuple(sign * value for value in row) for row in matrix), lattice))
    if lattice.axes:
        x, y, z = (0.0 if abs(value) < 1e-6 else value for value in axis)
        # In a picture: upwards before to the right before downwards.
        if (z, x, y) < (0, 0, 0):
            axis = tuple(-value for value in axis)
    unit = min(range(3), key=lambda k: abs(axis[k]))
    beside = _across(axis, tuple(float(axis == unit) for axis in range(3)))
    image = tuple(sum(a * b for a, b in zip(row, beside, strict=True)) for row in seen)
    way = "clockwise" if _determinant((axis, beside, image)) > 0 else "counterclockwise"
    return name._replace(kind=name.kind.replace("turn ", f"turn {way} ", 1))


def _across(one: Sequence[float], two: Sequence[float]) -> tuple[float, ...]:
    """Return the vector product of two vectors of space."""
    return tuple(one[k - 2] * two[k - 1] - one[k - 1] * two[k - 2] for k in range(3))


def _level(angle: float) -> str:
    """Return the name of a line in the plane of a picture, by its angle counterclockwise from level."""
    if abs(angle - 45) < 1e-3 or abs(angle - 135) < 1e-3:
        return "the diagonal " + ("/" if angle < 90 else "\\")
    return f"the line {_hours(angle)}"


def _side(angle: float) -> str:
    """Return the name of a direction in a picture, by its angle counterclockwise from the right.

    >>> _side(90), _side(315), _side(10)
    ("12 o'clock", 'the lower right', '10 degrees')
    """
    if abs(angle / 30 - round(angle / 30)) < 1e-3:
        return f"{(3 - round(angle / 30)) % 12 or 12} o'clock"
    corners = {45: "upper right", 135: "upper left", 225: "lower left", 315: "lower right"}
    near = round(angle)
    return f"the {corners[near]}" if near in corners and abs(angle - near) < 1e-3 else f"{angle:g} degrees"


def _signed(matrix: Matrix) -> str:
    """Return the name of a matrix that exchanges axes and changes signs.

    >>> _signed(((0, -1, 0, 0), (1, 0, 0, 0), (0, 0, -1, 0), (0, 0, 0, 1)))
    'quarter turn in the plane xy, mirrored along z'
    """
    names = "xyzw" if len(matrix) <= 4 else [f"x{axis + 1} " for axis in range(len(matrix))]
    image = [
        next((row, matrix[row][axis]) for row in range(len(matrix)) if matrix[row][axis]) for axis in range(len(matrix))
    ]
    left, about, parts = set(range(len(matrix))), [], []
    while left:
        start = at = min(left)
        cycle, sign = [], 1
        while at in left:
            left.remove(at)
            cycle.append(at)
            at, step = image[at]
            sign *= step
        if len(cycle) > 1:
            parts.append(_cycle(cycle, sign, [image[location][1] for location in cycle], names))
        elif sign < 0:
            about.append(names[start])
    if len(about) == len(matrix):
        return "mirrored through the centre"
    pairs = ["".join(about[k : k + 2]).strip() for k in range(0, len(about) - 1, 2)]
    parts += [f"half turn in the plane {pair}" for pair in pairs]
    if len(about) % 2:
        parts.append(f"mirrored along {about[-1].strip()}")
    return ", ".join(parts)


def _cycle(cycle: list[int], sign: int, signs: list[int], names: Sequence[str]) -> str:
    """Return the name of a cycle of several axes."""
    letters = [names[location].strip() for location in cycle]
    if len(cycle) == 2 and sign > 0:
        return f"{letters[0]} and {'-' * (signs[0] < 0)}{letters[1]} swapped"
    if len(cycle) == 2:
        return f"quarter turn in the plane {''.join(names[location] for location in cycle).strip()}"
    # With signs that multiply to -1, one cycle reverses all axes.
    images = [letters[0]]
    at = 1
    for letter, step in zip(letters[1:], signs, strict=False):
        at *= step
        images.append(f"{'-' * (at < 0)}{letter}")
    last = f"{'-' * (sign < 0)}{letters[0]}"
    return " to ".join([*images, last])


def _other(matrix: Matrix, proper: bool) -> IsometryWords:
    """Return the name of an isometry by its order: the least power of it that is the identity."""
    order, power = 1, matrix
    while power != identity(len(matrix)):
        order, power = order + 1, multiply(power, matrix)
    if proper:
        return IsometryWords(_PARTS.get(order, f"turn of order {order}"))
    return IsometryWords("mirrored" if order == 2 else f"turned and mirrored, of order {order}")


def formula(matrix: Matrix) -> str:
    """Return the image of a point under a matrix, as a formula.

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
