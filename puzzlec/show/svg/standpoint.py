"""The view of solids: the direction to the viewer, and the projection of positions of space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from math import cos, gcd, hypot, inf, radians, sin

from puzzlec.geometry import Lattice
from puzzlec.geometry.faces import Face, Place, cross, faces, least_step, place
from puzzlec.geometry.lattice import Point

#: The usual view: from the front, with angles to the right and above, in degrees.
AZIMUTH, ELEVATION = 31.0, 30.0
#: Maximum coordinate of the direction to the viewer, in lattice points: numbers stay small.
_MAX_COORDINATE = 12
#: The largest part of a picture for a single side, if possible.
_TELLING = 0.74
#: The light comes from the left, from the front and from above.
_LIGHT = (-0.36, -0.48, 0.8)


@cache
def eye(lattice: Lattice) -> Point:
    """Return the direction from which solids of a lattice are seen, as a vector between points.

    It is near the usual view, and no kind of side is seen nearly edge-on, if possible.
    """
    normals = [face.normal for kind in range(len(lattice.kinds)) for face in _faces(lattice, kind)]

    def score(right: int, above: int, got: Place) -> float:
        edge_on = min((abs(_inner(got, normal)) for normal in normals), default=1.0)
        off = ((right - AZIMUTH) / 10) ** 2 + ((above - ELEVATION) / 8) ** 2
        return 3 * min(edge_on, 0.25) / 0.25 - 0.5 * off

    return _best(lattice, range(18, 43), range(22, 41), score)


def _best(lattice: Lattice, rights: range, aboves: range, score: Callable[[int, int, Place], float]) -> Point:
    """Return a direction from above with the best score of its angles and its unit vector, in small integers."""
    scores: dict[Point, float] = {}
    for right, above in product(rights, aboves):
        across, up = radians(right), radians(above)
        vector = _small(lattice, (sin(across) * cos(up), -cos(across) * cos(up), sin(up)))
        if (got := unit(place(lattice, vector)))[2] > 0:
            scores[vector] = max(scores.get(vector, -inf), round(score(right, above, got), 8))
    return max(scores, key=scores.__getitem__)


def _faces(lattice: Lattice, kind: int) -> Sequence[Face]:
    return () if lattice.of_balls or lattice.of_edges else faces(lattice, kind)


def as_points(lattice: Lattice, position: Place) -> Place:
    """Return the vector between points that leads to a position of space."""
    return tuple(_solved([place(lattice, [float(i == j) for j in range(3)]) for i in range(3)], position))


def _small(lattice: Lattice, direction: Place) -> Point:
    """Return a vector between points, of small integers, close to a direction of space."""
    solved = as_points(lattice, direction)
    most = max(map(abs, solved))
    rounded = tuple([round(value * _MAX_COORDINATE / most) for value in solved])
    common = gcd(*rounded) or 1
    return tuple([value // common for value in rounded])


def _solved(columns: Sequence[Place], target: Place) -> list[float]:
    """Return the coefficients of three vectors whose sum is a vector (Cramer's rule)."""
    whole = _volume(*columns)
    return [_volume(*[target if i == j else columns[j] for j in range(3)]) / whole for i in range(3)]


def _volume(a: Place, b: Place, c: Place) -> float:
    return sum(x * y for x, y in zip(cross(a, b), c, strict=True))


def unit(vector: Place) -> Place:
    """Return a vector of length 1 in the same direction."""
    size = hypot(*vector) or 1.0
    return tuple([value / size for value in vector])


def telling_eye(lattice: Lattice, sides: Mapping[Place, float]) -> Point:
    """Return the direction from which more than one side of a solid is visible.

    ``sides`` are the areas of its surface by their normals. It is the usual direction, unless a single side would fill
    nearly the whole picture, as in a tetrahedron seen from a corner of its cube.
    """
    usual = eye(lattice)
    if not sides or _largest_share(unit(place(lattice, usual)), sides) <= _TELLING:
        return usual

    def score(right: int, above: int, got: Place) -> float:
        share = max(_TELLING * 0.8, _largest_share(got, sides))
        return -share - abs(right - AZIMUTH) / 1000 - abs(above - ELEVATION) / 1000

    return _best(lattice, range(-20, 61, 5), range(16, 49, 4), score)


def _largest_share(towards: Place, sides: Mapping[Place, float]) -> float:
    """Return the share of a picture that its largest side covers."""
    seen = [area * max(0.0, _inner(towards, normal)) for normal, area in sorted(sides.items())]
    return max(seen) / (sum(seen) or 1.0)


class Screen:
    """A projection of space, with a number of px to the unit of length: x to the right, y downwards."""

    def __init__(self, lattice: Lattice, scale: float, towards: Point | None = None) -> None:
        self.scale = scale
        self.eye = eye(lattice) if towards is None else towards
        self.towards = unit(place(lattice, self.eye))
        self.right = unit(cross((0.0, 0.0, 1.0), self.towards))
        self.up = cross(self.towards, self.right)

    def spot(self, where: Place) -> tuple[float, float]:
        """Return a position of space in px."""
        return self.scale * _inner(where, self.right), -self.scale * _inner(where, self.up)

    def depth(self, where: Place) -> float:
        """Return the nearness of a position to the viewer: more is nearer."""
        return _inner(where, self.towards)


def brightness(normal: Place) -> float:
    """Return the light on a side, from 0 in the shade to 1."""
    return max(0.0, min(1.0, 0.5 + 0.5 * _inner(normal, unit(_LIGHT))))


@cache
def size_of(lattice: Lattice) -> float:
    """Return the size of a cell: the side of a cube with the mean volume, or the diameter of a ball.

    For edges of a lattice in space it is their length.
    """
    if lattice.of_balls or lattice.of_edges:
        return least_step(lattice)
    columns = [place(lattice, vector) for vector in lattice.translations]
    return float((abs(_volume(*columns)) / len(lattice.kinds)) ** (1 / 3))


def _inner(one: Place, two: Place) -> float:
    return float(sum([a * b for a, b in zip(one, two, strict=True)]))
