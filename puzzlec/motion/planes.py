"""The planes of a lattice in which pieces turn, without numpy, so that pages have them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import atan2, pi
from typing import NamedTuple

from puzzlec.geometry import Lattice, Point
from puzzlec.geometry.lattice import TURN_ORDERS, Matrix, identity, inverse, multiply, turned


class Map(NamedTuple):
    """What a rotation about the origin does to cells: its matrix, and for each kind the new kind and what is added."""

    matrix: Matrix
    kinds: tuple[tuple[int, Point], ...]


class TurnPlane(NamedTuple):
    """The turns of a lattice about one direction.

    ``forth`` rotates by ``angle`` (in radians) from the first to the second of the coordinates ``across``, of cells and
    on paper, and ``back`` the other way. ``along`` is the coordinate that does not change, if there is one. The matrix
    ``to_pivot`` makes a pivot of a translation. Pivots are counted in units of a cell divided by ``scale``.
    """

    forth: Map
    back: Map
    angle: float
    across: tuple[int, int]
    along: int | None
    scale: int
    to_pivot: Matrix
    #: The matrices that act on points.
    turn: Matrix
    turn_back: Matrix

    @property
    def parts(self) -> int:
        """The number of such turns in a whole one."""
        return round(2 * pi / self.angle)

    def rotation(self, sense: int) -> Matrix:
        """Return the matrix that acts on points, for the sense 1 or -1."""
        return self.turn if sense > 0 else self.turn_back

    def translation(self, pivot: Sequence[int], dimension: int) -> Point | None:
        """Return what a turn about a pivot adds after a rotation about the origin; None if it keeps no lattice."""
        matrix = self.forth.matrix
        translation = [0] * dimension
        for row in self.across:
            value = pivot[self.across.index(row)]
            value -= sum(matrix[row][column] * p for column, p in zip(self.across, pivot, strict=True))
            if value % self.scale:
                return None
            translation[row] = value // self.scale
        return tuple(translation)


@cache
def planes(lattice: Lattice) -> tuple[TurnPlane, ...]:
    """Return the turns of a lattice, one plane for each direction of the axis; none if it has no turns.

    >>> from puzzlec.geometry import find_lattice
    >>> [(plane.across, plane.parts, plane.scale) for plane in planes(find_lattice("cubic"))]
    [((1, 2), 4, 2), ((0, 2), 4, 2), ((0, 1), 4, 2)]
    """
    by_axis = {}
    for matrix in lattice.rotations:
        if _order(matrix) == TURN_ORDERS.get(lattice.name):
            turn_back = _power(matrix, _order(matrix) - 1)
            forth, back = _map(lattice, matrix), _map(lattice, turn_back)
            size = len(forth.matrix)
            still = [n for n in range(size) if all((forth.matrix[n][k], forth.matrix[k][n]) == (n == k,) * 2
                                                   for k in range(size))]  # fmt: skip
            one, other = (n for n in range(size) if n not in still)
            angle = _angle(lattice, matrix, (one, other))
            if angle > 0:
                lack = tuple([
                    tuple([int(row == column) - forth.matrix[row][column] for column in (one, other)])
                    for row in (one, other)
                ])  # fmt: skip
                to_pivot, scale = inverse(lack)
                along = still[0] if still else None
                by_axis[along] = TurnPlane(
                    forth,
                    back,
                    angle,
                    (one, other),
                    along,
                    scale,
                    to_pivot,
                    matrix,
                    turn_back,
                )
    return tuple(by_axis[along] for along in sorted(by_axis, key=lambda along: -1 if along is None else along))


def _order(matrix: Matrix) -> int:
    power, number = matrix, 1
    while power != identity(len(matrix)):
        power, number = multiply(matrix, power), number + 1
    return number


def _power(matrix: Matrix, exponent: int) -> Matrix:
    power = identity(len(matrix))
    for _ in range(exponent):
        power = multiply(matrix, power)
    return power


def _map(lattice: Lattice, matrix: Matrix) -> Map:
    """Return what a matrix that acts on points does to cells."""
    across, scale = inverse(tuple(zip(*lattice.translations, strict=True)))
    columns = [[value // scale for value in turned(across, turned(matrix, step))] for step in lattice.translations]
    kinds = []
    for kind in lattice.kinds:
        cell = lattice.cell_at(turned(matrix, kind.at))
        kinds.append((cell[-1] if len(lattice.kinds) > 1 else 0, cell[: lattice.dimension]))
    return Map(tuple(zip(*columns, strict=True)), tuple(kinds))


def _angle(lattice: Lattice, matrix: Matrix, paper: tuple[int, int]) -> float:
    step = lattice.translations[paper[0]]
    before, after = lattice.on_paper(step), lattice.on_paper(turned(matrix, step))
    (ax, ay), (bx, by) = [before[n] for n in paper], [after[n] for n in paper]
    return atan2(ax * by - ay * bx, ax * bx + ay * by)
