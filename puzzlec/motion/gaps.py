"""Gaps between pairs of pieces: how many steps one can make along an axis before it meets the other.

A *direction* is a shortest translation vector of the lattice: it takes every cell to a cell of its kind. On some
lattices longer translations are directions as well. A vector and its opposite are one *axis*. All vectors here are
coordinates as in the puzzle language, without the kind of a cell: the coefficients of the translations.

A cell that slides along an axis overlaps another cell during at most one interval of time for each two convex parts
(see ``straight``). Only the last full step before the interval counts, so each two kinds of cells have a short list of
*contacts*, exact and without rounding.

A *shape* is a set of cells up to translation: a piece in one orientation. A gap depends on two shapes and on the offset
between them only, so one table serves all states of all assemblies of a puzzle.

Offsets are *packed* into one integer: coordinate number k times 2**(16 k), added. Sums and differences of packed
offsets are the packed sums and differences, whatever the signs. Coordinates are below 2**15.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import hypot, isqrt
from pathlib import Path
from typing import NamedTuple

from puzzlec import resources
from puzzlec.geometry import Cell, Lattice, Point, solids
from puzzlec.geometry.lattice import Matrix, inverse, turned
from puzzlec.geometry.solids import Facet, dot
from puzzlec.motion import straight
from puzzlec.motion.straight import diameter_squared, differences, scale_of_parts

#: Vectors that are longer than the shortest one by less than this share are as long as it.
_LENGTH_TOLERANCE = 1e-9


#: Lattices on which all translations of a cube to one that it touches are directions. They lead along its sides, and
#: along the diagonals of its faces and through its middle, as edges of cells do.
CUT_CUBE_LATTICES = ("rhombic",)


class CellContact(NamedTuple):
    """Cells of one kind in the way of a sliding cell: a line of them, ``step`` + m * axis away for every integer m.

    The sliding cell makes ``free`` + m full steps before it overlaps the cell number m of the line. If that is below
    zero, the cell is behind it.
    """

    step: Point
    free: int


@cache
def axes(lattice: Lattice) -> tuple[Point, ...]:
    """Return one of each two opposite directions of a lattice.

    >>> from puzzlec.geometry import find_lattice
    >>> axes(find_lattice("cubic")), len(axes(find_lattice("fcc")))
    (((1, 0, 0), (0, 1, 0), (0, 0, 1)), 6)
    """
    reach = 2 if lattice.dimension > 3 else 3  # a lattice of the user may have translations of very different lengths
    vectors = [way for way in product(range(-reach, reach + 1), repeat=lattice.dimension) if any(way)]
    if lattice.name in CUT_CUBE_LATTICES:
        return tuple(sorted([way for way in vectors if max(map(abs, way)) == 1 and way > (0, 0, 0)], reverse=True))
    length = {way: _length(lattice, way) for way in vectors}
    shortest = min(length.values()) * (1 + _LENGTH_TOLERANCE)
    ways = [way for way in vectors if length[way] <= shortest and next(filter(None, way)) > 0 and pivot(way) >= 0]
    return tuple(sorted(ways, reverse=True))


def pivot(axis: Point) -> int:
    """Return the number of a coordinate in which a step along an axis is 1 or -1; -1 if there is none."""
    return next((number for number, value in enumerate(axis) if abs(value) == 1), -1)


def shift(lattice: Lattice, axis: Point) -> Point:
    """Return the vector between points for one step along an axis."""
    return tuple([
        sum(c * vector[k] for c, vector in zip(axis, lattice.translations, strict=True))
        for k in range(len(lattice.translations[0]))
    ])  # fmt: skip


def _length(lattice: Lattice, vector: Point) -> float:
    step = shift(lattice, vector)
    return hypot(*lattice.on_paper(step))


@cache
def contacts(lattice: Lattice, axis: Point, kind: int, other: int) -> tuple[CellContact, ...]:
    """Return which cells of the kind ``other`` a cell of a kind runs into as it slides along an axis.

    >>> from puzzlec.geometry import find_lattice
    >>> contacts(find_lattice("cubic"), (1, 0, 0), 0, 0)
    (CellContact(step=(0, 0, 0), free=-1),)
    """
    first, matrix, is_opposite = _alike(lattice)[axis, kind, other]
    originals = _contacts(lattice, *first)
    if matrix is None:
        return originals
    # An opposite way is that of the other cell.
    kinds, sign = (first[1:][::-1], -1) if is_opposite else (first[1:], 1)
    level = pivot(axis)
    images = []
    for step, free in originals:
        apart = turned(matrix, _apart(lattice, *kinds, tuple([sign * value for value in step])))
        between = [a - b for a, b in zip(apart, _apart(lattice, kind, other, (0,) * len(step)), strict=True)]
        image = _coordinates(lattice, between)
        by = -image[level] * axis[level]
        images.append(CellContact(tuple([i + by * a for i, a in zip(image, axis, strict=True)]), free + by))
    return tuple(sorted(images))


@cache
def _alike(lattice: Lattice) -> dict[tuple[Point, int, int], tuple[tuple[Point, int, int], Matrix | None, bool]]:
    """Return for each axis and two kinds of cells a symmetry that takes alike ones to them, None for the first of them.

    If it takes the axis to the opposite of this one, the two kinds are exchanged.
    """
    alike: dict[tuple[Point, int, int], tuple[tuple[Point, int, int], Matrix | None, bool]] = {}
    symmetries = list[tuple[Matrix, list[int]]]()
    for matrix in lattice.isometries if len(lattice.kinds) > 1 else ():
        points = [turned(matrix, kind.at) for kind in lattice.kinds]
        if all(lattice.cell(point) is not None for point in points):
            symmetries.append((matrix, [lattice.class_of(point) for point in points]))
    for key in product(axes(lattice), range(len(lattice.kinds)), range(len(lattice.kinds))):
        if key in alike:
            continue
        alike[key] = key, None, False
        for matrix, kinds in symmetries:
            way = _coordinates(lattice, turned(matrix, shift(lattice, key[0])))
            one, other = kinds[key[1]], kinds[key[2]]
            back = tuple([-value for value in way])
            if way in axes(lattice):
                alike.setdefault((way, one, other), (key, matrix, False))
            elif back in axes(lattice):
                alike.setdefault((back, other, one), (key, matrix, True))
    return alike


@cache
def _across(lattice: Lattice) -> tuple[Matrix, int]:
    return inverse(tuple(zip(*lattice.translations, strict=True)))


def _coordinates(lattice: Lattice, vector: Sequence[int]) -> Point:
    """Return a vector between points as a combination of the translations."""
    across, scale = _across(lattice)
    return tuple([value // scale for value in turned(across, tuple(vector))])


@cache
def _contacts(lattice: Lattice, axis: Point, kind: int, other: int) -> tuple[CellContact, ...]:
    reach = _reach(lattice, axis, kind, other)
    level = pivot(axis)
    ways = [range(-far, far + 1) if number != level else range(1) for number, far in enumerate(reach)]
    steps = product(*ways)
    if lattice.of_balls:
        way, size = shift(lattice, axis), diameter_squared(lattice)
        ends = ((step, _free_of_ball(_apart(lattice, kind, other, step), way, size)) for step in steps)
        contacts = [CellContact(step, free) for step, free in ends if free is not None]
    else:
        parts = [_approached(lattice, axis, kind, other, facets) for facets in differences(lattice, kind, other)]
        begins = ((step, _begin(part, step)) for step in steps for part in parts)
        contacts = [
            CellContact(step, begin.numerator // begin.denominator) for step, begin in begins if begin is not None
        ]
    return tuple(sorted(set(contacts)))


def _apart(lattice: Lattice, kind: int, other: int, step: Point) -> Point:
    """Return the vector from the point of a cell to that of another one, a step of translations away."""
    one, two = lattice.kinds[kind].at, lattice.kinds[other].at
    return tuple([b - a + s for a, b, s in zip(one, two, shift(lattice, step), strict=True)])


class _Approached(NamedTuple):
    """A facet of the difference of two cells: how far it is, by what each step of translations, and the speed."""

    reach: int
    by_step: Point
    speed: int


def _approached(
    lattice: Lattice, axis: Point, kind: int, other: int, facets: Sequence[Facet]
) -> tuple[_Approached, ...]:
    """Return the facets of a part of the difference of two cells, for a cell that slides along an axis."""
    scale, flat = scale_of_parts(lattice), (0,) * (lattice.dimension == 1)  # cells of a line are drawn as squares
    start, way, *steps = [
        tuple([scale * value for value in (*vector, *flat)])
        for vector in (
            _apart(lattice, kind, other, (0,) * lattice.dimension),
            shift(lattice, axis),
            *lattice.translations,
        )
    ]
    return tuple([
        _Approached(
            facet.reach + dot(facet.normal, start),
            tuple([dot(facet.normal, step) for step in steps]),
            dot(facet.normal, way),
        )
        for facet in facets
    ])  # fmt: skip


def _begin(facets: tuple[_Approached, ...], step: Point) -> Fraction | None:
    """Return when a cell enters another one, a step of translations away; None if never."""
    low = high = (0, 0)  # numerators and positive denominators, 0 for no bound
    for reach, by_step, speed in facets:
        left = reach + sum([a * b for a, b in zip(by_step, step, strict=True)])
        if speed == 0:
            if left <= 0:
                return None
        elif speed > 0:
            if not high[1] or left * high[1] < high[0] * speed:
                high = left, speed
        elif not low[1] or left * low[1] < low[0] * speed:  # both sides times the negative speed
            low = -left, -speed
        if low[1] and high[1] and low[0] * high[1] >= high[0] * low[1]:
            return None
    return Fraction(*low) if low[1] and high[1] else None


def _free_of_ball(offset: Point, way: Point, diameter: int) -> int | None:
    """Return the full steps that a ball makes before it overlaps another one; None if it never does."""
    along, far, length = dot(offset, way), dot(offset, offset), dot(way, way)
    under = along * along - length * (far - diameter)
    if under <= 0:
        return None
    root = isqrt(under) + (isqrt(under) ** 2 < under)  # rounded up: the last full step is before the overlap
    return (along - root) // length


@cache
def _reach(lattice: Lattice, axis: Point, kind: int, other: int) -> tuple[int, ...]:
    """Return how far away cells that overlap on the way can be, in each coordinate, if they are level with the cell."""
    across, scale = inverse(tuple(zip(*lattice.translations, strict=True)))
    between = _apart(lattice, kind, other, (0,) * lattice.dimension)
    spans: list[float] = []
    if lattice.of_balls:
        radius = diameter_squared(lattice) ** 0.5
        spans = [radius * sum(value * value for value in row) ** 0.5 / abs(scale) for row in across]
    else:
        size = scale_of_parts(lattice)
        corners = [
            c[: lattice.dimension] for facets in differences(lattice, kind, other) for f in facets for c in f.corners
        ]
        images = [turned(across, corner) for corner in corners]
        spans = [max(abs(image[k]) for image in images) / abs(scale) / size for k in range(lattice.dimension)]
    spans = [span + abs(value / scale) for span, value in zip(spans, turned(across, between), strict=True)]
    first = spans[pivot(axis)]
    return tuple([int(span + abs(a) * first + 1 + _LENGTH_TOLERANCE) for span, a in zip(spans, axis, strict=True)])


class ContactTable:
    """The contacts of a lattice with packed steps. Those of many kinds of cells are kept in the cache of puzzlec."""

    def __init__(self, lattice: Lattice) -> None:
        self._lattice, self._axes = lattice, axes(lattice)
        self._contacts: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        if len(lattice.kinds) > MAX_UNCACHED_KINDS:
            self._load()

    def of(self, number: int, kind: int) -> list[tuple[int, int, int]]:
        """Return the contacts of a kind of cell along an axis: for each the packed step, other kind, and free steps."""
        steps = self._contacts.get((number, kind))
        if steps is None:
            steps = self._contacts[number, kind] = [
                (pack(step), other, free)
                for other in range(len(self._lattice.kinds))
                for step, free in contacts(self._lattice, self._axes[number], kind, other)
            ]
        return steps

    def _load(self) -> None:
        """Take all contacts from the cache, or compute and keep them: their numbers, and then three numbers of each."""
        name = f"contacts.{self._lattice.name}.cache"
        source = b"\0".join([repr(self._lattice.kinds).encode(), *map(Path.read_bytes, _sources())])
        keys = list(product(range(len(self._axes)), range(len(self._lattice.kinds))))
        numbers = array("q", resources.cached(name, source) or b"")
        if not numbers:
            numbers.extend([len(self.of(*key)) for key in keys])
            numbers.extend([value for key in keys for contact in self.of(*key) for value in contact])
            resources.keep(name, source, numbers.tobytes())
            return
        at = len(keys)
        for key, count in zip(keys, numbers[: len(keys)], strict=True):
            end = at + 3 * count
            self._contacts[key] = list(
                zip(numbers[at:end:3], numbers[at + 1 : end : 3], numbers[at + 2 : end : 3], strict=True)
            )
            at = end


_contact_table = cache(ContactTable)


@cache
def _sources() -> tuple[Path, ...]:
    """Return the files on which contacts depend."""
    return Path(__file__), Path(straight.__file__), Path(solids.__file__)


#: The contacts of a lattice with more kinds of cells are kept in the cache.
MAX_UNCACHED_KINDS = 4

#: The gap of pieces that do not meet.
ENDLESS_GAP = 32767

#: Bits of a coordinate in a packed offset.
COORDINATE_BITS = 16

#: Limits of the length of an assembly in each coordinate, so that offsets fit: in general, and in four dimensions.
MAX_EXTENT, MAX_EXTENT_IN_FOUR = 1024, 256

_Lines = dict[tuple[int, int], list[int]]


def pack(vector: Sequence[int]) -> int:
    """Return a vector as one integer.

    >>> pack((1, 2)), unpack(pack((-3, 5)), 2)
    (131073, (-3, 5))
    """
    return sum(value << (COORDINATE_BITS * number) for number, value in enumerate(vector))


def unpack(packed: int, dimension: int) -> Point:
    """Return the vector that was packed."""
    coordinates, half = [], 1 << (COORDINATE_BITS - 1)
    for _ in range(dimension):
        low = ((packed + half) & ((1 << COORDINATE_BITS) - 1)) - half
        coordinates.append(low)
        packed = (packed - low) >> COORDINATE_BITS
    return tuple(coordinates)


class Gaps:
    """The gaps between all shapes that occur, computed when they are first needed."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.axes = axes(lattice)
        #: The opposite directions.
        self.backs = tuple([tuple([-value for value in axis]) for axis in self.axes])
        self.steps = tuple([pack(axis) for axis in self.axes])
        #: The cells of each shape: packed coordinates and the kind of each.
        self.shapes: list[tuple[tuple[int, int], ...]] = []
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}
        self._fronts: list[list[_Lines]] = []
        self._sweeps: list[list[_Lines]] = []
        self._between: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self.contacts = _contact_table(lattice)
        self._pivots = tuple([(pivot(axis), axis[pivot(axis)]) for axis in self.axes])

    def shape_of(self, cells: Iterable[Cell]) -> tuple[int, int]:
        """Return the number of the shape of some cells, and the packed position of its first cell."""
        dimension, several = self.lattice.dimension, len(self.lattice.kinds) > 1
        ordered = sorted(cells)
        if dimension == 3:  # written out, since most pieces are solids
            packed = [cell[0] + (cell[1] << COORDINATE_BITS) + (cell[2] << 2 * COORDINATE_BITS) for cell in ordered]
        else:
            packed = [pack(cell[:dimension]) for cell in ordered]
        place = packed[0]
        key = tuple([(at - place, cell[-1] if several else 0) for at, cell in zip(packed, ordered, strict=True)])
        number = self._numbers.setdefault(key, len(self.shapes))
        if number == len(self.shapes):
            self.shapes.append(key)
            self._fronts.append([])
            self._sweeps.append([])
        return number, place

    def between(self, one: int, other: int, offset: int) -> tuple[int, ...]:
        """Return the gaps between two shapes, the second of which is a packed offset away from the first.

        Each axis has two gaps. One is the number of steps that the first shape can make along the axis before it meets
        the second. The other is that of the second before it meets the first, or of the first in the other direction.
        """
        gaps = self._between.get((one, other, offset))
        if gaps is None:
            there = unpack(offset, self.lattice.dimension)
            ways = (one, other, there), (other, one, tuple([-value for value in there]))
            gaps = self._between[one, other, offset] = tuple(
                [
                    self._gap(mover, still, number, step)
                    for number in range(len(self.axes))
                    for mover, still, step in ways
                ]
            )
        return gaps

    def _gap(self, mover: int, other: int, number: int, offset: Point) -> int:
        coordinate, sign = self._pivots[number]
        along = offset[coordinate] * sign
        line_of_offset = pack(offset) - along * self.steps[number]
        fronts, best = self._lines_of(other, number), ENDLESS_GAP
        for (line, kind), begins in self._sweep_of(mover, number).items():
            met = fronts.get((line - line_of_offset, kind))
            if met is not None:
                for begin in begins:
                    for at in met:
                        if begin <= at + along < begin + best:
                            best = at + along - begin
        return best

    def _on_line(self, number: int, packed: int) -> tuple[int, int]:
        """Return the line along an axis on which a position is, and where on the line it is."""
        coordinate, sign = self._pivots[number]
        along = unpack(packed, self.lattice.dimension)[coordinate] * sign
        return packed - along * self.steps[number], along

    def _lines_of(self, shape: int, number: int) -> _Lines:
        """Return the cells of a shape line by line: for each line and kind, where on it they are."""
        if not self._fronts[shape]:
            self._fronts[shape] = [self._lines(shape, axis) for axis in range(len(self.axes))]
        return self._fronts[shape][number]

    def _lines(self, shape: int, number: int) -> _Lines:
        lines: _Lines = defaultdict(list)
        for packed, kind in self.shapes[shape]:
            line, along = self._on_line(number, packed)
            lines[line, kind].append(along)
        return dict(lines)

    def _sweep_of(self, shape: int, number: int) -> _Lines:
        """Return the contacts of a shape: for each line and kind, the numbers at which a gap to a cell there begins."""
        if not self._sweeps[shape]:
            self._sweeps[shape] = [self._sweep(shape, axis) for axis in range(len(self.axes))]
        return self._sweeps[shape][number]

    def _sweep(self, shape: int, number: int) -> _Lines:
        lines: dict[tuple[int, int], set[int]] = defaultdict(set)
        for packed, kind in self.shapes[shape]:
            line, along = self._on_line(number, packed)
            for step, other, free in self.contacts.of(number, kind):
                lines[line + step, other].add(along - free)
        return {key: sorted(begins) for key, begins in lines.items()}
