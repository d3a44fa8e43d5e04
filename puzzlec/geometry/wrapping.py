"""Wrap-around boards: tori, cylinders, Moebius strips and Klein bottles, as quotients of a lattice.

A *wrap* identifies each point with its image under a translation by a vector; with a *twist*, with the mirror image
there. The wraps of a board generate a discrete group G of isometries, and points in the same orbit are one point. The
translations in G form a lattice of vectors, with a basis in Hermite normal form (H. Cohen, A Course in Computational
Algebraic Number Theory, section 2.4). The rest of G consists of finitely many cosets, found by Schreier's lemma. So
integer arithmetic decides whether two points are one, and whether an isometry of the lattice is an isometry of the
board (it normalises G).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from puzzlec.geometry.lattice import Cell, Lattice, Matrix, Point, identity, multiply, turned


class Wrap(NamedTuple):
    """A wrap of a board: a vector in translations of the lattice, and whether it has a twist."""

    vector: Cell
    twisted: bool = False


class Isometry(NamedTuple):
    """A rotation or reflection of points about the origin, followed by a shift."""

    turn: Matrix
    shift: Point

    def image(self, point: Point) -> Point:
        """Return the image of a point."""
        return tuple([a + b for a, b in zip(turned(self.turn, point), self.shift, strict=True)])

    def after(self, other: Isometry) -> Isometry:
        """Return the isometry that applies ``other`` first, and then this one."""
        return Isometry(multiply(self.turn, other.turn), self.image(other.shift))

    def inverse(self) -> Isometry:
        """Return the inverse isometry; its matrix must have finite order."""
        back = _turned_back(self.turn)
        return Isometry(back, tuple([-value for value in turned(back, self.shift)]))


@lru_cache(1024)  # the most isometries about a point that a lattice has are 384
def _turned_back(turn: Matrix) -> Matrix:
    """Return the inverse of a matrix of finite order."""
    back = turn
    while (further := multiply(back, turn)) != identity(len(back)):
        back = further
    return back


class WrapError(ValueError):
    """Wraps that do not make a board, and the reason; ``number`` is that of the first wrong wrap.

    ``mirrored``: a twist is wrong because the board differs from its mirror image.
    """

    def __init__(self, number: int, why: str, mirrored: bool = False) -> None:
        super().__init__(why)
        self.number, self.why, self.mirrored = number, why, mirrored


class Wrapping:
    """The group of a wrap-around board, and the locations of its points.

    ``points`` are those of the locations, in their order. Raises :class:`WrapError` for dependent vectors, for a twist
    that is not a symmetry of the lattice, and for two locations that would be one.
    """

    def __init__(self, lattice: Lattice, wraps: Sequence[Wrap], points: Sequence[Point]) -> None:
        self.lattice, self.wraps = lattice, tuple(wraps)
        self.generators = tuple(_generator(lattice, number, wrap, points) for number, wrap in enumerate(wraps))
        #: One element of G for each of its matrices, the identity first.
        self.cosets: tuple[Isometry, ...] = ()
        #: The translations in G: rows of a matrix in Hermite normal form.
        self.basis: tuple[Point, ...] = ()
        self._spread_out()
        if len(self.basis) < len(wraps):
            raise WrapError(len(wraps) - 1, "vectors depend on each other")
        self._known: dict[Point, int] = {}
        self._representatives: dict[Point, int] = {}
        for number, point in enumerate(points):
            other = self._representatives.setdefault(self.representative(point), number)
            if other != number:
                raise self._one_location(points, other, number)

    def _one_location(self, points: Sequence[Point], one: int, two: int) -> WrapError:
        """Return the error for two locations that would be one, with a twist as the reason if a twist causes it."""
        lattice = self.lattice
        why = f"{_written(lattice, points[one])} and {_written(lattice, points[two])} would be one location"
        there = set(points)
        for number, (wrap, generator) in enumerate(zip(self.wraps, self.generators, strict=True)):
            if wrap.twisted:
                back = tuple([-value for value in _step(lattice, wrap)])
                if any(
                    Isometry(identity(len(back)), back).image(generator.image(point)) not in there for point in points
                ):
                    mirror = "a twist reflects the board, but its mirror image does not lie on it"
                    return WrapError(number, f"{mirror}: {why}", mirrored=True)
        return WrapError(0, why)

    def _spread_out(self) -> None:
        """Find the matrices in G, an element for each, and the translations, by Schreier's generators."""
        size = self.lattice.dimension
        start = Isometry(identity(size), (0,) * size)
        cosets = {start.turn: start}
        fresh = [start]
        rows: list[Point] = []
        by = [*self.generators, *(generator.inverse() for generator in self.generators)]
        while fresh:
            element = fresh.pop(0)
            for generator in by:
                product = generator.after(element)
                coset = cosets.get(product.turn)
                if coset is None:
                    cosets[product.turn] = product
                    fresh.append(product)
                else:
                    # Schreier's generator; it is a translation, since the matrices agree.
                    rows.append(coset.inverse().after(product).shift)
        self.cosets, self.basis = tuple(cosets.values()), _hermite(rows)

    def reduced(self, point: Point) -> Point:
        """Return the least image of a point under the translations in G, in the coordinates of the basis."""
        value = list(point)
        for row in self.basis:
            column = next(axis for axis, step in enumerate(row) if step)
            times = value[column] // row[column]
            if times:
                value = [a - times * b for a, b in zip(value, row, strict=True)]
        return tuple(value)

    def representative(self, point: Point) -> Point:
        """Return the same point for all points of an orbit."""
        if len(self.cosets) == 1:
            return self.reduced(point)
        return min(self.reduced(coset.image(point)) for coset in self.cosets)

    def location(self, point: Point) -> int:
        """Return the number of the location of a point, or -1."""
        number = self._known.get(point)
        if number is None:
            number = self._known[point] = self._representatives.get(self.representative(point), -1)
        return number

    def against_tiles(self, points: Sequence[Point]) -> str:
        """Return the reason why tiles cannot lie on these locations; "" if they can.

        Colours on a common side are compared once for two locations, so these may share only one side.
        """
        if len(self.cosets) > 1:
            return "a twist turns tiles over"
        for number, point in enumerate(points):
            steps = self.lattice.kinds[self.lattice.class_of(point)].neighbours
            beyond = [self.location(tuple([a + b for a, b in zip(point, step, strict=True)])) for step in steps]
            met = [cell for cell in beyond if cell >= 0]
            if number in met or len(set(met)) < len(met):
                return "two locations would share more than one side"
        return ""

    def turns(self, turns: Iterable[Matrix]) -> tuple[Matrix, ...]:
        """Return the matrices of a piece, and their products with the matrices of G."""
        return tuple(dict.fromkeys(multiply(coset.turn, turn) for coset in self.cosets for turn in turns))

    def contains(self, isometry: Isometry) -> bool:
        """Return whether an isometry belongs to G, so that it moves nothing on the board."""
        for coset in self.cosets:
            if coset.turn == isometry.turn:
                return not any(self.reduced(tuple([a - b for a, b in zip(isometry.shift, coset.shift, strict=True)])))
        return False

    def suits(self, isometry: Isometry) -> bool:
        """Return whether an isometry of the lattice is one of the board: it maps orbits to orbits."""
        if len(self.cosets) == 1:  # G has translations alone, and the shift of the isometry changes none of them
            return not any(any(self.reduced(turned(isometry.turn, row))) for row in self.basis)
        back = isometry.inverse()
        return all(self.contains(isometry.after(generator).after(back)) for generator in self.generators)


def extent(cells: Iterable[Cell], axis: int) -> int:
    """Return the number of positions that cells reach along an axis.

    >>> extent([(0, 0), (7, 2)], 0)
    8
    """
    values = [cell[axis] for cell in cells]
    return max(values) - min(values) + 1 if values else 0


def _generator(lattice: Lattice, number: int, wrap: Wrap, points: Sequence[Point]) -> Isometry:
    """Return the isometry of a wrap."""
    step = _step(lattice, wrap)
    if not any(step):
        raise WrapError(number, "vector is zero")
    if not wrap.twisted:
        return Isometry(identity(lattice.dimension), step)
    if lattice.dimension != 2:
        raise WrapError(number, "only a flat board can be twisted")
    mirror = next(
        (turn for turn in lattice.isometries if turn not in lattice.rotations and turned(turn, step) == step), None
    )
    if mirror is None:
        raise WrapError(number, "lattice has no reflection along this vector")
    return Isometry(mirror, _shift_of_twist(lattice, number, mirror, step, points))


def _step(lattice: Lattice, wrap: Wrap) -> Point:
    """Return the vector of a wrap in the coordinates of points."""
    return tuple(
        sum(c * vector[axis] for c, vector in zip(wrap.vector, lattice.translations, strict=True))
        for axis in range(lattice.dimension)
    )


def _shift_of_twist(lattice: Lattice, number: int, mirror: Matrix, step: Point, points: Sequence[Point]) -> Point:
    """Return the shift after which a reflected strip lies on the strip again, one step further."""
    # Twice the vector from the mirror to each point: all are multiples of one vector, and have integer coordinates.
    across = [tuple([a - b for a, b in zip(point, turned(mirror, point), strict=True)]) for point in points]
    axis = next((k for k, values in enumerate(zip(*across, strict=True)) if any(values)), None)
    both: Point = (0,) * lattice.dimension
    if axis is not None:
        low, high = (choose(across, key=lambda point: point[axis]) for choose in (min, max))
        both = tuple([a + b for a, b in zip(low, high, strict=True)])
    if any(value % 2 for value in both):
        raise WrapError(number, "reflected board does not lie on the lattice")
    shift = tuple([a + b // 2 for a, b in zip(step, both, strict=True)])
    if not lattice.is_translation(shift):
        raise WrapError(number, "reflected board does not lie on the lattice")
    return shift


def is_symmetry(lattice: Lattice, isometry: Isometry) -> bool:
    """Return whether an isometry with a matrix of the lattice takes cells to cells, and outlines to outlines.

    The matrix alone does that, so the shift decides: it may take the middles of level edges to those of upright ones.
    """
    return lattice.repeats_by(isometry.shift)


def _hermite(rows: Iterable[Point]) -> tuple[Point, ...]:
    """Return a basis in row echelon form of the integer combinations of some vectors.

    >>> _hermite([(4, 0), (6, 3), (2, 3)])
    ((2, 3), (0, 6))
    """
    left = [list(row) for row in rows if any(row)]
    basis: list[list[int]] = []
    for column in range(len(left[0]) if left else 0):
        while True:
            having = sorted((row for row in left if row[column]), key=lambda row: abs(row[column]))
            if len(having) < 2:
                break
            least = having[0]
            for row in having[1:]:
                times = row[column] // least[column]
                row[:] = [a - times * b for a, b in zip(row, least, strict=True)]
        if having:
            (pivot,) = having
            left = [row for row in left if row is not pivot]
            if pivot[column] < 0:
                pivot = [-value for value in pivot]
            for above in basis:
                times = above[column] // pivot[column]
                above[:] = [a - times * b for a, b in zip(above, pivot, strict=True)]
            basis.append(pivot)
        left = [row for row in left if any(row)]
    return tuple(tuple(row) for row in basis)


def _written(lattice: Lattice, point: Point) -> str:
    return "(" + ",".join(map(str, lattice.cell(point) or point)) + ")"


def carried_around(
    wrapping: Wrapping, points: Sequence[Point], goals: Sequence[Point]
) -> Iterator[tuple[Isometry, tuple[int, ...]]]:
    """Yield the isometries of a wrap-around board that permute the locations or map them to others, the identity first.

    Each isometry comes with the numbers of the locations that it reaches, in the order of ``points``. Isometries with
    the same effect on the locations are yielded repeatedly.
    """
    lattice = wrapping.lattice
    there = {wrapping.location(goal) for goal in goals}
    for turn in lattice.isometries:
        image = turned(turn, points[0])
        for goal in goals:
            isometry = Isometry(turn, tuple([a - b for a, b in zip(goal, image, strict=True)]))
            if not is_symmetry(lattice, isometry) or not wrapping.suits(isometry):
                continue
            reached: list[int] = []
            for point in points:
                location = wrapping.location(isometry.image(point))
                if location not in there:
                    break
                reached.append(location)
            if len(reached) == len(points):
                yield isometry, tuple(reached)
