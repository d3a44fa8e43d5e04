"""Turns as a reader of a plan needs them: the axis in the puzzle's own coordinates, the angle, and the path."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import cos, degrees, dist, hypot, radians, sin
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Matrix, inverse, turned
from puzzlec.geometry.wording import real_inverse
from puzzlec.motion.planes import TurnPlane, planes

#: The angle in degrees, and the shift on paper, at a corner of a path.
Corner = tuple[float, tuple[float, ...]]


def integral(value: int | Fraction) -> int | Fraction:
    """Return a number as an integer if it is one."""
    return int(value) if value.denominator == 1 else value


def plain_number(value: int | Fraction) -> int | float:
    """Return a number as JSON has it: an integer if it is one, otherwise a decimal."""
    return int(value) if value.denominator == 1 else float(value)


class Rotation(NamedTuple):
    """A turn of some pieces.

    The motion takes a point x to ``matrix`` x + ``translation``. ``pivot`` is a point of the axis. ``degrees`` is 90 or
    60. It is negative for a turn from the second to the first of the two coordinates on paper that change. ``axis`` is
    the other coordinate on paper, 2 for flat pieces. ``path`` has the corners of the path: between two of them either
    the angle grows or the shift changes.
    """

    matrix: Matrix
    translation: tuple[int | Fraction, ...]
    pivot: tuple[Fraction, ...]
    axis: int
    degrees: int
    path: tuple[Corner, ...]

    @property
    def is_shifted(self) -> bool:
        """Whether the pieces are shifted on the way."""
        return any(any(shift) for _, shift in self.path)

    def as_dict(self) -> dict[str, object]:
        """Return the turn as plain data; docs/json.md has the members."""
        return {
            "degrees": self.degrees,
            "axis": "xyz"[self.axis],
            "pivot": [float(value) for value in self.pivot],
            "matrix": [list(row) for row in self.matrix],
            "translation": list(map(plain_number, self.translation)),
            "path": [[round(degrees(angle), 6), *[round(value, 6) for value in shift]] for angle, shift in self.path],
        }

    def image(self, lattice: Lattice, cell: Cell) -> Cell:
        """Return the cell to which a cell is moved, if the turn makes whole steps."""
        point = turned(self.matrix, lattice.point(cell))
        return lattice.cell_at(tuple([a + int(b) for a, b in zip(point, self.translation, strict=True)]))


#: For each coordinate on paper that an axis may have: the axis, and from where a turn with a positive angle is seen
#: clockwise. The first layer is the lowest one, and rows come towards the reader.
_AXES = (("the axis from left to right", "the right"), ("the axis from front to back", "behind"),
         ("the vertical axis", "above"))  # fmt: skip


def turn_words(lattice: Lattice, turn: Rotation) -> str:
    """Return a turn in words.

    >>> from puzzlec.geometry import find_lattice
    >>> turn = Rotation(((0, -1), (1, 0)), (4, 0), (Fraction(2), Fraction(2)), 2, 90, ())
    >>> turn_words(find_lattice("square"), turn)
    'a quarter turn about (2,2), clockwise'
    """
    across, scale = inverse(tuple(zip(*lattice.translations, strict=True)))
    at = [sum((a * p for a, p in zip(row, turn.pivot, strict=True)), Fraction(0)) / scale for row in across]
    size = {90: "quarter", 60: "sixth"}[abs(turn.degrees)]
    sense = "clockwise" if turn.degrees > 0 else "counterclockwise"
    shift = ", with a shift" if turn.is_shifted else ""
    if lattice.dimension < 3:
        return f"a {size} turn about ({','.join(_decimal(value) for value in at)}), {sense}{shift}"
    axis, side = _AXES[turn.axis]
    place = ", ".join(f"{name} = {_decimal(value)}" for n, (name, value) in enumerate(zip("xyz", at, strict=True))
                      if n != turn.axis)  # fmt: skip
    return f"a {size} turn about {axis} at {place}, {sense} seen from {side}{shift}"


def pivot_on_paper(lattice: Lattice, turn: Rotation) -> tuple[float, ...]:
    """Return the pivot of a turn on paper."""
    return lattice.on_paper([float(value) for value in turn.pivot])


def off_paper(lattice: Lattice, vector: Sequence[float]) -> list[float]:
    """Return a vector on paper as a vector between points."""
    if not lattice.axes:
        return list(vector)
    columns = zip(*real_inverse(lattice.axes), strict=True)
    return [sum(value * part for value, part in zip(vector, column, strict=True)) for column in columns]


def on_page(lattice: Lattice, turn: Rotation) -> dict[str, object]:
    """Return a turn as pages have it, in space: the rotation takes the first of its ways towards the second one."""

    def in_space(vector: Sequence[float]) -> list[float]:
        x, y, z = (*vector, 0.0)[:3]
        return [round(value, 5) + 0.0 for value in (x, -y, z)]

    one, other = (n for n in range(3) if n != turn.axis)
    units = [tuple(1.0 if n == k else 0.0 for k in range(3)) for n in (one, other)]
    return {
        "axis": turn.axis,
        "angle": round(radians(turn.degrees), 9),
        "ways": [in_space(unit) for unit in units],
        "pivot": in_space(pivot_on_paper(lattice, turn)),
        "path": [[round(angle, 6), *in_space(shift)] for angle, shift in turn.path],
    }


def pose_at(turn: Rotation, part: float) -> tuple[float, tuple[float, ...]]:
    """Return the angle in radians, with its sign, and the shift on paper after a part of the path of a turn.

    Angles and shifts count alike for the length of the path: a radian is as long as a cell.
    """
    lengths = [abs(b[0] - a[0]) + dist(a[1], b[1]) for a, b in pairwise(turn.path)]
    left, sign = part * sum(lengths), 1 if turn.degrees > 0 else -1
    for (one, other), length in zip(pairwise(turn.path), lengths, strict=True):
        if left <= length and length > 0:
            share = left / length
            shift = tuple([a + share * (b - a) for a, b in zip(one[1], other[1], strict=True)])
            return sign * (one[0] + share * (other[0] - one[0])), shift
        left -= length
    return sign * turn.path[-1][0], turn.path[-1][1]


def _decimal(value: Fraction) -> str:
    return f"{float(value):g}"


def rotation_about(plane: TurnPlane, sense: int, pivot: tuple[Fraction, ...], path: tuple[Corner, ...]) -> Rotation:
    """Return the turn of a plane about a point."""
    matrix = plane.rotation(sense)
    image = [sum(value * p for value, p in zip(row, pivot, strict=True)) for row in matrix]
    translation = tuple([int(p - i) for p, i in zip(pivot, image, strict=True)])
    axis = 2 if plane.along is None else plane.along
    return Rotation(matrix, translation, pivot, axis, sense * round(degrees(plane.angle)), path)


def plane_of(lattice: Lattice, matrix: Matrix) -> tuple[TurnPlane, int]:
    """Return the plane and the sense of a rotation that is a turn."""
    for plane in planes(lattice):
        if matrix in (plane.turn, plane.turn_back):
            return plane, 1 if matrix == plane.turn else -1
    raise ValueError("this rotation is not a turn")


def reversed_path(path: list[Corner], turn: float, across: tuple[int, int]) -> list[Corner]:
    """Return the path of the other pieces, if they move the other way and the first ones rest.

    Args:
        path: Angles, which grow from 0, and shifts on paper.
        turn: The whole angle of the first turn in radians, with its sign.
        across: The coordinates on paper that change.

    """
    reversed_corners = []
    for angle, shift in path:
        c, s = cos(angle), sin(angle) if turn > 0 else -sin(angle)
        x, y = (shift[n] for n in across)
        vector = list(shift)
        # The inverse of "rotate, then shift" shifts by minus the shift, rotated back.
        vector[across[0]], vector[across[1]] = -(c * x + s * y), -(c * y - s * x)
        reversed_corners.append((angle, tuple(vector)))
    return reversed_corners


def corners_only(path: list[Corner]) -> tuple[Corner, ...]:
    """Return a path without the points in the middle of straight parts."""
    kept = path[:1]
    for before, here, after in zip(path, path[1:], path[2:], strict=False):
        same_angle = before[0] == here[0] == after[0]
        same_shift = before[1] == here[1] == after[1]
        if not (same_shift or (same_angle and _is_straight(before[1], here[1], after[1]))):
            kept.append(here)
    return (*kept, path[-1])


def _is_straight(one: tuple[float, ...], two: tuple[float, ...], three: tuple[float, ...]) -> bool:
    first, second = [b - a for a, b in zip(one, two, strict=True)], [b - a for a, b in zip(two, three, strict=True)]
    return hypot(*[a - b for a, b in zip(first, second, strict=True)]) < 1e-12
