"""Boards that go around: tori, cylinders, Moebius strips and Klein bottles, as quotients of a lattice.

A *wrap* identifies every point with the one that a vector leads to; with a *twist*, with its mirror image there. The
wraps of a board generate a discrete group G of isometries, and points that G takes to each other are one. The
translations in G are a lattice of vectors, here by a basis in Hermite normal form (H. Cohen, A Course in
Computational Algebraic Number Theory, section 2.4); the rest of G are finitely many cosets of them, found by Schreier's
lemma. So whether two points are one, and whether an isometry of the lattice makes sense on the board (it normalises G),
are questions of integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from puzzlec.geometry.lattice import Cell, Lattice, Matrix, Point, identity, multiply, turned


class Wrap(NamedTuple):
    """A way in which a board goes around: a vector in translations of the lattice, and whether with a twist."""

    vector: Cell
    twisted: bool = False


class Isometry(NamedTuple):
    """A turn (or mirroring) of points about the origin, and a shift after it."""

    turn: Matrix
    shift: Point

    def image(self, point: Point) -> Point:
        """Return where a point goes."""
        return tuple([a + b for a, b in zip(turned(self.turn, point), self.shift, strict=True)])

    def after(self, other: Isometry) -> Isometry:
        """Return the isometry that is ``other`` first, and then this one."""
        return Isometry(multiply(self.turn, other.turn), self.image(other.shift))

    def inverse(self) -> Isometry:
        """Return the isometry that undoes this one; its turn must be of finite order."""
        back = self.turn
        while (further := multiply(back, self.turn)) != identity(len(back)):
            back = further
        return Isometry(back, tuple([-value for value in turned(back, self.shift)]))


class WrapError(ValueError):
    """Wraps that make no board, and why; ``number`` is that of the first wrap at fault.

    ``mirrored`` says that a twist is at fault: the board is not its own mirror image.
    """

    def __init__(self, number: int, why: str, mirrored: bool = False) -> None:
        super().__init__(why)
        self.number, self.why, self.mirrored = number, why, mirrored


class Wrapping:
    """The group of a board that goes around, and the locations that its points are.

    ``points`` are those of the locations, in their order. Raises :class:`WrapError` for vectors that depend on each
    other, a twist that the lattice does not have, and locations that would be one.
    """

    def __init__(self, lattice: Lattice, wraps: Sequence[Wrap], points: Sequence[Point]) -> None:
        self.lattice, self.wraps = lattice, tuple(wraps)
        self.generators = tuple(_generator(lattice, number, wrap, points) for number, wrap in enumerate(wraps))
        #: One element of G for each turn that occurs in it, the identity first.
        self.cosets: tuple[Isometry, ...] = ()
        #: The translations in G: rows of a matrix in Hermite normal form.
        self.basis: tuple[Point, ...] = ()
        self._spread_out()
        if len(self.basis) < len(wraps):
            raise WrapError(len(wraps) - 1, "its vectors depend on each other")
        self._known: dict[Point, int] = {}
        self._representatives: dict[Point, int] = {}
        for number, point in enumerate(points):
            other = self._representatives.setdefault(self.representative(point), number)
            if other != number:
                raise self._one_location(points, other, number)

    def _one_location(self, points: Sequence[Point], one: int, two: int) -> WrapError:
        """Return the error for two locations that would be one; where a twist is the reason, it is told."""
        lattice = self.lattice
        why = f"{_written(lattice, points[one])} and {_written(lattice, points[two])} would be one location"
        there = set(points)
        for number, (wrap, generator) in enumerate(zip(self.wraps, self.generators, strict=True)):
            if wrap.twisted:
                back = tuple([-value for value in _step(lattice, wrap)])
                if any(
                    Isometry(identity(len(back)), back).image(generator.image(each)) not in there for each in points
                ):
                    mirror = "a twist mirrors the board, and the mirror image does not lie on it"
                    return WrapError(number, f"{mirror}: {why}", mirrored=True)
        return WrapError(0, why)

    def _spread_out(self) -> None:
        """Find the turns in G, an element with each, and the translations: Schreier's generators of their subgroup."""
        size = self.lattice.dimension
        start = Isometry(identity(size), (0,) * size)
        found = {start.turn: start}
        fresh = [start]
        rows: list[Point] = []
        by = [*self.generators, *(each.inverse() for each in self.generators)]
        while fresh:
            element = fresh.pop(0)
            for generator in by:
                product = generator.after(element)
                known = found.get(product.turn)
                if known is None:
                    found[product.turn] = product
                    fresh.append(product)
                else:
                    # Schreier's generator; it is a translation, since the turns agree.
                    rows.append(known.inverse().after(product).shift)
        self.cosets, self.basis = tuple(found.values()), _hermite(rows)

    def reduced(self, point: Point) -> Point:
        """Return the least of what the translations in G make of a point, in the coordinates of the basis."""
        value = list(point)
        for row in self.basis:
            column = next(axis for axis, each in enumerate(row) if each)
            times = value[column] // row[column]
            if times:
                value = [a - times * b for a, b in zip(value, row, strict=True)]
        return tuple(value)

    def representative(self, point: Point) -> Point:
        """Return the same point for all points that are one with it."""
        if len(self.cosets) == 1:
            return self.reduced(point)
        return min(self.reduced(each.image(point)) for each in self.cosets)

    def location(self, point: Point) -> int:
        """Return the number of the location that a point is, or -1."""
        found = self._known.get(point)
        if found is None:
            found = self._known[point] = self._representatives.get(self.representative(point), -1)
        return found

    def against_tiles(self, points: Sequence[Point]) -> str:
        """Return why pieces with colours on their sides cannot lie on these locations, "" where they can.

        What shows on a side is compared once for two locations, so these may meet in one side only.
        """
        if len(self.cosets) > 1:
            return "a twist turns tiles over"
        for number, point in enumerate(points):
            steps = self.lattice.kinds[self.lattice.class_of(point)].neighbours
            beyond = [self.location(tuple([a + b for a, b in zip(point, step, strict=True)])) for step in steps]
            met = [each for each in beyond if each >= 0]
            if number in met or len(set(met)) < len(met):
                return "two locations would meet in more than one side"
        return ""

    def turns(self, turns: Iterable[Matrix]) -> tuple[Matrix, ...]:
        """Return turns of a piece with those that it has made when it has gone around the board."""
        return tuple(dict.fromkeys(multiply(each.turn, turn) for each in self.cosets for turn in turns))

    def contains(self, isometry: Isometry) -> bool:
        """Whether an isometry belongs to G, so that it moves nothing on the board."""
        for each in self.cosets:
            if each.turn == isometry.turn:
                return not any(self.reduced(tuple([a - b for a, b in zip(isometry.shift, each.shift, strict=True)])))
        return False

    def suits(self, isometry: Isometry) -> bool:
        """Whether an isometry of the lattice is one of the board: points that are one are one after it."""
        back = isometry.inverse()
        return all(self.contains(isometry.after(each).after(back)) for each in self.generators)


def extent(cells: Iterable[Cell], axis: int) -> int:
    """Return how many places cells reach along an axis.

    >>> extent([(0, 0), (7, 2)], 0)
    8
    """
    values = [cell[axis] for cell in cells]
    return max(values) - min(values) + 1 if values else 0


def _generator(lattice: Lattice, number: int, wrap: Wrap, points: Sequence[Point]) -> Isometry:
    """Return the isometry that a wrap identifies points by."""
    step = _step(lattice, wrap)
    if not any(step):
        raise WrapError(number, "its vector is zero")
    if not wrap.twisted:
        return Isometry(identity(lattice.dimension), step)
    if lattice.dimension != 2:
        raise WrapError(number, "only a flat board can be twisted")
    mirror = next(
        (turn for turn in lattice.isometries if turn not in lattice.rotations and turned(turn, step) == step), None
    )
    if mirror is None:
        raise WrapError(number, "the lattice has no mirror along this vector")
    return Isometry(mirror, _shift_of_twist(lattice, number, mirror, step, points))


def _step(lattice: Lattice, wrap: Wrap) -> Point:
    """Return the vector of a wrap in the coordinates of points."""
    return tuple(
        sum(c * vector[axis] for c, vector in zip(wrap.vector, lattice.translations, strict=True))
        for axis in range(lattice.dimension)
    )


def _shift_of_twist(lattice: Lattice, number: int, mirror: Matrix, step: Point, points: Sequence[Point]) -> Point:
    """Return the shift after which a mirrored strip lies on the strip again, one step further."""
    # What a point has across the mirror is a multiple of one vector; doubled, so that all is integer.
    across = [tuple([a - b for a, b in zip(point, turned(mirror, point), strict=True)]) for point in points]
    axis = next((k for k, values in enumerate(zip(*across, strict=True)) if any(values)), None)
    both: Point = (0,) * lattice.dimension
    if axis is not None:
        low, high = (choose(across, key=lambda each: each[axis]) for choose in (min, max))
        both = tuple([a + b for a, b in zip(low, high, strict=True)])
    if any(value % 2 for value in both):
        raise WrapError(number, "the mirrored board does not lie on the lattice")
    shift = tuple([a + b // 2 for a, b in zip(step, both, strict=True)])
    if not lattice.is_translation(shift):
        raise WrapError(number, "the mirrored board does not lie on the lattice")
    return shift


def is_symmetry(lattice: Lattice, isometry: Isometry) -> bool:
    """Whether an isometry whose turn is one of the lattice's takes every cell to a cell, outline to outline.

    The turn does that by itself, so it is the shift that counts: the middles of level edges may come to lie on
    those of upright ones.
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
    """Give the isometries of a board that goes around which take locations onto as many others, the identity first.

    With each come the numbers of the locations reached, in the order of ``points``. Isometries that do the same
    to the locations are given more than once.
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
