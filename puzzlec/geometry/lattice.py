"""Lattices as data: cells that translations repeat, and the turns and mirrorings that keep them.

A lattice lives in a space of integer points. Every cell has a *point* there: the place of its kind
plus an integer combination of the translation vectors. A turn is an integer matrix that acts on
points. What a person writes are *cells*: the coefficients of the translation vectors and, where the
lattice has several kinds of cell, the number of the kind behind them. On line, square and cubic a
cell and its point are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlec import resources

if TYPE_CHECKING:
    from fractions import Fraction

Cell = tuple[int, ...]
Point = tuple[int, ...]
Matrix = tuple[tuple[int, ...], ...]

#: A point group larger than this is taken for an infinite one (the hyperoctahedral group in 4D has 384).
LARGEST_GROUP = 4000


class Freedom(Enum):
    """How a piece may be turned, in the words of the polyform literature."""

    FREE = "free"
    ONE_SIDED = "one-sided"
    FIXED = "fixed"


class Kind(NamedTuple):
    """One kind of cell: where it lies in the fundamental domain, and its outline and neighbours."""

    name: str
    at: Point
    outline: tuple[tuple[float, ...], ...]
    neighbours: tuple[Point, ...]


@dataclass(frozen=True)
class Lattice:
    """A lattice; see the module for what its cells, points and turns are."""

    name: str
    summary: str
    dimension: int
    translations: tuple[Point, ...]
    kinds: tuple[Kind, ...]
    rotation_generators: tuple[Matrix, ...]
    reflection_generators: tuple[Matrix, ...]
    freedom: Freedom
    drawing: str
    #: For points where pieces may cross, the ways through them: each a pair of cells' points, as seen from there.
    crossings: tuple[tuple[tuple[Point, Point], ...], ...] = ()

    def __str__(self) -> str:
        return f"lattice {self.name}: {self.summary}"

    @cached_property
    def rotations(self) -> tuple[Matrix, ...]:
        """All turns that a solid object can make, the identity first."""
        return closure(self.rotation_generators, len(self.translations[0]))

    @cached_property
    def isometries(self) -> tuple[Matrix, ...]:
        """All turns and mirrorings: the rotations first, in their order, then the rest."""
        everything = closure((*self.rotation_generators, *self.reflection_generators), len(self.translations[0]))
        proper = set(self.rotations)
        return self.rotations + tuple(each for each in everything if each not in proper)

    def turns(self, freedom: Freedom) -> tuple[Matrix, ...]:
        """Return the matrices that a piece of this freedom may be turned by."""
        if freedom is Freedom.FREE:
            return self.isometries
        return self.rotations if freedom is Freedom.ONE_SIDED else self.rotations[:1]

    def freedom_of(self, turns: Iterable[Matrix]) -> Freedom | None:
        """Return the freedom that allows just these turns, or None: then they must be listed.

        The least freedom is named where two allow the same (on a line one-sided is fixed).
        """
        wanted = set(turns)
        for freedom in (Freedom.FIXED, Freedom.ONE_SIDED, Freedom.FREE):
            if wanted == set(self.turns(freedom)):
                return freedom
        return None

    @property
    def coordinates(self) -> int:
        """How many numbers a person writes for a cell."""
        return self.dimension + (len(self.kinds) > 1)

    def point(self, cell: Cell) -> Point:
        """Return the point of a cell."""
        if self._is_its_own:
            return cell
        kind = self.kinds[cell[-1] if len(self.kinds) > 1 else 0]
        return tuple(
            at + sum(c * vector[axis] for c, vector in zip(cell, self.translations, strict=False))
            for axis, at in enumerate(kind.at)
        )

    def cell(self, point: Point) -> Cell | None:
        """Return the cell at a point, or None where no cell lies."""
        if self._is_its_own:
            return point
        for number, kind in enumerate(self.kinds):
            shift = [p - a for p, a in zip(point, kind.at, strict=True)]
            found = [sum(r * s for r, s in zip(row, shift, strict=True)) for row in self._inverse]
            if all(value.denominator == 1 for value in found):
                cell = tuple(int(value) for value in found) + ((number,) if len(self.kinds) > 1 else ())
                if self.point(cell) == point:
                    return cell
        return None

    @cached_property
    def _inverse(self) -> tuple[tuple[Fraction, ...], ...]:
        """The left inverse of the matrix whose columns are the translation vectors: (B^T B)^-1 B^T."""
        from fractions import Fraction  # it brings `decimal` along, and most lattices do without

        basis = self.translations
        gram = [[Fraction(sum(a * b for a, b in zip(u, v, strict=True))) for v in basis] for u in basis]
        rows = [gram[i] + [Fraction(x) for x in basis[i]] for i in range(len(basis))]
        for column in range(len(basis)):
            pivot = next((i for i in range(column, len(rows)) if rows[i][column]), None)
            if pivot is None:
                raise ValueError(f"the translations of lattice {self.name} are not independent")
            rows[column], rows[pivot] = rows[pivot], rows[column]
            rows[column] = [x / rows[column][column] for x in rows[column]]
            for i, row in enumerate(rows):
                if i != column and row[column]:
                    rows[i] = [x - row[column] * y for x, y in zip(row, rows[column], strict=True)]
        return tuple(tuple(row[len(basis) :]) for row in rows)

    def class_of(self, point: Point) -> int:
        """Return the number of the kind of the cell at a point, or -1: translations keep it."""
        if self._is_its_own:
            return 0
        cell = self.cell(point)
        return -1 if cell is None else cell[-1] if len(self.kinds) > 1 else 0

    @cached_property
    def _is_its_own(self) -> bool:
        """Whether every integer point is a cell, and its own coordinates."""
        unit = tuple(tuple(int(i == j) for j in range(self.dimension)) for i in range(self.dimension))
        return self.translations == unit and len(self.kinds) == 1 and not any(self.kinds[0].at)

    def has_cells(self, points: Iterable[Point]) -> bool:
        """Whether a cell lies at every one of some points."""
        return self._is_its_own or all(self.cell(point) is not None for point in points)


def closure(generators: Iterable[Matrix], size: int) -> tuple[Matrix, ...]:
    """Return the finite group that the matrices generate, the identity first, in a fixed order.

    >>> len(closure([((0, -1), (1, 0)), ((-1, 0), (0, 1))], 2))
    8

    Raises ValueError when the group is not finite (or larger than any point group in use).
    """
    identity: Matrix = tuple(tuple(int(i == j) for j in range(size)) for i in range(size))
    generators = tuple(generators)
    group = {identity: None}
    fresh = [identity]
    while fresh:
        found = []
        for matrix in fresh:
            for generator in generators:
                product = multiply(generator, matrix)
                if product not in group:
                    group[product] = None
                    found.append(product)
        fresh = found
        if len(group) > LARGEST_GROUP:
            raise ValueError("the generators make no finite group")
    return tuple(group)


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """Return the product of two square matrices: first ``right``, then ``left``."""
    columns = tuple(zip(*right, strict=True))
    return tuple(tuple(sum(a * b for a, b in zip(row, column, strict=True)) for column in columns) for row in left)


def turned(matrix: Matrix, point: Point) -> Point:
    """Return the point that a matrix takes a point to.

    >>> turned(((0, -1), (1, 0)), (2, 5))
    (-5, 2)
    """
    if len(point) == 3:  # written out, since most points are turned in three and two dimensions
        x, y, z = point
        return tuple([a * x + b * y + c * z for a, b, c in matrix])
    if len(point) == 2:
        x, y = point
        return tuple([a * x + b * y for a, b in matrix])
    return tuple([sum([a * b for a, b in zip(row, point, strict=True)]) for row in matrix])


def lattice_names() -> tuple[str, ...]:
    """Return the names of the lattices that puzzlec ships; ``none`` is not among them."""
    return tuple(sorted(path.stem for path in resources.folder("lattices").glob("*.yaml")))


@cache
def find_lattice(name: str) -> Lattice:
    """Return a lattice that puzzlec ships, by its name.

    Raises KeyError for a name that is not in :func:`lattice_names`.
    """
    if name not in lattice_names():
        raise KeyError(name)
    return _lattice(name, resources.yaml_document(resources.folder("lattices") / f"{name}.yaml"))


def _lattice(name: str, document: dict[str, Any]) -> Lattice:
    def matrices(key: str) -> tuple[Matrix, ...]:
        return tuple(tuple(tuple(row) for row in matrix) for matrix in document[key])

    return Lattice(
        name=name,
        summary=document["summary"],
        dimension=document["dimension"],
        translations=tuple(tuple(vector) for vector in document["translations"]),
        kinds=tuple(
            Kind(
                each["name"],
                tuple(each["at"]),
                tuple(tuple(corner) for corner in each["outline"]),
                tuple(tuple(step) for step in each["neighbours"]),
            )
            for each in document["kinds"]
        ),
        rotation_generators=matrices("rotations"),
        reflection_generators=matrices("reflections"),
        freedom=Freedom(document["freedom"]),
        drawing=document["drawing"],
        crossings=tuple(tuple((tuple(one), tuple(two)) for one, two in ways) for ways in document.get("crossings", ())),
    )
