"""Gaps between pairs of pieces: how many steps one can make along an axis before it meets the other.

A *shape* is a set of cells up to translation: a piece in one orientation. A gap depends on two shapes and on the offset
between them only, so one table serves all states of all assemblies of a puzzle.

Offsets are *packed* into one integer: coordinate number k times 2**(16 k), added. Sums and differences of packed
offsets are the packed sums and differences, whatever the signs. Coordinates are below 2**15.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.motion.directions import axes, contacts, pivot

#: The gap of pieces that do not meet.
NEVER = 32767

#: Bits of a coordinate in a packed offset.
BITS = 16

#: Limits of the length of an assembly in each coordinate, so that offsets fit: in general, and in four dimensions.
LARGEST_EXTENT, LARGEST_IN_FOUR = 1024, 256

_Lines = dict[tuple[int, int], list[int]]


def pack(vector: Sequence[int]) -> int:
    """Return a vector as one integer.

    >>> pack((1, 2)), unpack(pack((-3, 5)), 2)
    (131073, (-3, 5))
    """
    return sum(value << (BITS * number) for number, value in enumerate(vector))


def unpack(packed: int, dimension: int) -> Point:
    """Return the vector that was packed."""
    found, half = [], 1 << (BITS - 1)
    for _ in range(dimension):
        low = ((packed + half) & ((1 << BITS) - 1)) - half
        found.append(low)
        packed = (packed - low) >> BITS
    return tuple(found)


class Gaps:
    """The gaps between all shapes that occur, computed when they are first needed."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.axes = axes(lattice)
        self.steps = tuple([pack(axis) for axis in self.axes])
        #: The cells of each shape: packed coordinates and the kind of each.
        self.shapes: list[tuple[tuple[int, int], ...]] = []
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {}
        self._fronts: list[list[_Lines]] = []
        self._sweeps: list[list[_Lines]] = []
        self._known: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self._pivots = tuple([(pivot(axis), axis[pivot(axis)]) for axis in self.axes])

    def shape_of(self, cells: Iterable[Cell]) -> tuple[int, int]:
        """Return the number of the shape of some cells, and the packed position of its first cell."""
        dimension, several = self.lattice.dimension, len(self.lattice.kinds) > 1
        ordered = sorted(cells)
        if dimension == 3:  # written out, since most pieces are solids
            packed = [cell[0] + (cell[1] << BITS) + (cell[2] << 2 * BITS) for cell in ordered]
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
        found = self._known.get((one, other, offset))
        if found is None:
            there = unpack(offset, self.lattice.dimension)
            gaps = []
            for number in range(len(self.axes)):
                gaps.append(self._gap(one, other, number, there))
                gaps.append(self._gap(other, one, number, tuple([-value for value in there])))
            found = self._known[one, other, offset] = tuple(gaps)
        return found

    def _gap(self, mover: int, other: int, number: int, offset: Point) -> int:
        coordinate, sign = self._pivots[number]
        along = offset[coordinate] * sign
        line_of_offset = pack(offset) - along * self.steps[number]
        fronts, best = self._lines_of(other, number), NEVER
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
        found: _Lines = defaultdict(list)
        for packed, kind in self.shapes[shape]:
            line, along = self._on_line(number, packed)
            found[line, kind].append(along)
        return dict(found)

    def _sweep_of(self, shape: int, number: int) -> _Lines:
        """Return the contacts of a shape: for each line and kind, the numbers at which a gap to a cell there begins."""
        if not self._sweeps[shape]:
            self._sweeps[shape] = [self._sweep(shape, axis) for axis in range(len(self.axes))]
        return self._sweeps[shape][number]

    def _sweep(self, shape: int, number: int) -> _Lines:
        found: dict[tuple[int, int], set[int]] = defaultdict(set)
        for packed, kind in self.shapes[shape]:
            line, along = self._on_line(number, packed)
            for other in range(len(self.lattice.kinds)):
                for step, free in contacts(self.lattice, self.axes[number], kind, other):
                    found[line + pack(step), other].add(along - free)
        return {key: sorted(begins) for key, begins in found.items()}
