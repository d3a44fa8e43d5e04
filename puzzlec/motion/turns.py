"""Turns: which sets of pieces can rotate by a quarter (on some lattices by a sixth), and about which axes.

A *turn* rotates some pieces rigidly about an axis, from one position in the lattice to another, while the others rest.
The cells of pieces are smaller than those of the lattice by the *clearance*, on each side: edges of real pieces are
broken, and boxes have some play. On its way the moving set may also be shifted in the plane of rotation, by up to one
cell, and its angle only grows. Cells of one layer can meet, cells of different layers cannot.

The *pivot* is the point where the axis crosses the plane. The lattice decides which pivots take cells to cells: on
squares and cubes the middle and the corners of cells, on triangles the corners, on hexagons the middle. Pivots are
counted in the coordinates of cells, times the scale of the plane. They are in the box of all cells, or at most one cell
outside.

Sets of pivots are integers, a bit for each pivot in a square window. Moving pieces moves the bits, so what hinders a
turn is computed once for each two shapes and the offset between them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import atan2, hypot, pi
from typing import Any, NamedTuple

import numpy as np

from puzzlec.engine.search.selection import has_numba
from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.lattice import turned
from puzzlec.motion import turn_kernel
from puzzlec.motion.gaps import Gaps, pack, unpack
from puzzlec.motion.planes import Map, planes
from puzzlec.motion.search import members
from puzzlec.motion.turning import DEFAULT_CLEARANCE, MAX_CLEARANCE, Turn

#: After a stamp as large as this, all stamps are forgotten.
_LAST_STAMP = 1 << 30

#: The shifts at each angle at which they are looked at first, as bits, and those at all these angles.
_SHIFTS_PER_ANGLE = (2 * int(1 / turn_kernel.QUICK_STEP) + 1) ** 2
_SHIFT_BITS_AT = tuple(
    [(1 << _SHIFTS_PER_ANGLE) - 1 << n * _SHIFTS_PER_ANGLE for n in range(len(turn_kernel.QUICK_PARTS))]
)
ALL_SHIFT_BITS = sum(_SHIFT_BITS_AT)


class Polygons(NamedTuple):
    """The cells of a lattice in a plane, made smaller by a clearance.

    ``kinds`` are arrays for the kernel, ``basis`` the steps of the two coordinates of cells on paper, and ``centres``
    the centre of each kind.
    """

    kinds: turn_kernel.Cells
    basis: Any
    centres: Any


def polygons(lattice: Lattice, clearance: float) -> Polygons:
    """Return the cells of a lattice in the plane of its turns. All planes of `cubic` are alike."""
    plane = planes(lattice)[-1]
    normals, corners, radii, centres = [], [], [], []
    for kind in lattice.kinds:
        outline = sorted({tuple([lattice.on_paper(corner)[n] for n in plane.across]) for corner in kind.outline},
                         key=lambda corner: atan2(corner[1], corner[0]))  # fmt: skip
        inner = min(abs(a[0] * b[1] - a[1] * b[0]) / hypot(b[0] - a[0], b[1] - a[1])
                    for a, b in zip(outline, outline[1:] + outline[:1], strict=True))  # fmt: skip
        size = 1 - clearance / inner
        shrunk = [tuple([size * value for value in corner]) for corner in outline]
        sides = list(zip(shrunk, shrunk[1:] + shrunk[:1], strict=True))
        lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in sides]
        normals.append([((b[1] - a[1]) / n, (a[0] - b[0]) / n) for (a, b), n in zip(sides, lengths, strict=True)])
        corners.append(shrunk)
        radii.append([inner - clearance, max(hypot(*corner) for corner in shrunk)])
        centres.append([lattice.on_paper(kind.at)[n] for n in plane.across])
    basis = [[lattice.on_paper(lattice.translations[n])[k] for k in plane.across] for n in plane.across]
    kinds = np.array(normals, float), np.array(corners, float), np.array(radii, float)
    return Polygons(kinds, np.array(basis, float), np.array(centres, float))


#: Pairs of a moving and a resting cell in one layer: for each its coordinates in the plane, and its kind.
Pairs = Sequence[tuple[tuple[int, int], int, tuple[int, int], int]]


#: A function like `map`.
Spread = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


@dataclass
class _Pair:
    """What hinders a shape in its turns beside another one, as sets of pivots relative to its first cell."""

    swept: int
    #: The pivots about which it is known that no shift helps.
    blocked: int
    #: The pivots about which sets with both could not turn, and those about which both alone can, with a shift.
    suspected: int = 0
    passing: int = 0
    #: The cells of both in one layer, as :meth:`Turns.on_paper` describes them.
    near: Any = None
    #: The shifts that may be free, for each pivot that has been looked at.
    shifts: dict[int, int] = field(default_factory=dict)


_NO_PAIR = _Pair(0, 0)


class _Window:
    """A square window of pivots: their bits, and the pivots that are near a box of cells."""

    def __init__(self, extent: int, scale: int, parts: int) -> None:
        self.extent, self.scale = extent, scale
        self.reach = scale * (extent + parts)
        self.half = self.reach + scale * extent
        self.width = 2 * self.half + 1
        self._boxes: dict[tuple[int, int, int, int], int] = {}
        self.all = self.box((-self.reach, -self.reach), (self.reach, self.reach))

    @cached_property
    def arrays(self) -> tuple[Any, Any]:
        """All pivots, and their bits."""
        reach = range(-self.reach, self.reach + 1)
        pivots = [pivot for pivot in product(reach, reach) if self.all >> self.bit(pivot) & 1]
        return np.array(pivots, float), np.array([self.bit(pivot) for pivot in pivots])

    def bit(self, pivot: Sequence[int]) -> int:
        return (pivot[0] + self.half) * self.width + pivot[1] + self.half

    def pivot(self, bit: int) -> tuple[int, int]:
        return bit // self.width - self.half, bit % self.width - self.half

    def moved(self, pivots: int, way: Sequence[int]) -> int:
        """Return pivots moved by a vector between cells."""
        by = self.step(way)
        return pivots << by if by >= 0 else pivots >> -by

    def step(self, way: Sequence[int]) -> int:
        """Return by how many bits a vector between cells moves a pivot."""
        return self.scale * (way[0] * self.width + way[1])

    def box(self, low: Sequence[int], high: Sequence[int]) -> int:
        """Return the pivots in a box that take cells to cells."""
        key = low[0], low[1], high[0], high[1]
        pivots = self._boxes.get(key)
        if pivots is None:
            pivots = self._boxes[key] = sum(
                1 << self.bit(pivot)
                for pivot in product(range(low[0], high[0] + 1), range(low[1], high[1] + 1))
                if self.scale == 1 or (pivot[0] + pivot[1]) % self.scale == 0
            )
        return pivots


class Turns:
    """The turns of shapes beside other ones; results that were found before are remembered.

    Args:
        gaps: The shapes.
        clearance: The part of a cell by which each of its sides is moved inwards.

    Raises:
        ValueError: If pieces cannot turn on the lattice, or for a clearance that is not between 0 and 0.25.

    """

    def __init__(self, gaps: Gaps, clearance: float = DEFAULT_CLEARANCE) -> None:
        self.gaps, self.lattice, self.clearance = gaps, gaps.lattice, clearance
        self.planes = planes(gaps.lattice)
        if not self.planes:
            raise ValueError(f"pieces cannot turn on the lattice `{gaps.lattice.name}`")
        if not 0 <= clearance <= MAX_CLEARANCE:
            raise ValueError(f"a clearance must be between 0 and {MAX_CLEARANCE}, not {clearance}")
        self._cells = polygons(gaps.lattice, clearance)
        self._window = _Window(4, self.planes[-1].scale, self.lattice.parts)
        self._rows: dict[tuple[int, int, int, int], int] = {}
        self._pairs: dict[tuple[int, int, int, int], _Pair] = {}
        #: For a set in a plane, beside others: whether there is a path, by the pivot from its first piece.
        self._sets: dict[object, dict[tuple[int, int], bool]] = {}
        self._images: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._boxes: dict[int, tuple[Point, Point]] = {}
        self._layers: dict[tuple[int, int], dict[int, list[tuple[tuple[int, int], int]]]] = {}
        self._space = _Space()

    def moves(
        self,
        shapes: Sequence[int],
        places: Sequence[int],
        is_new: Callable[[tuple[int, ...]], bool] | None = None,
        spread: Spread = map,
    ) -> Iterator[tuple[Turn, tuple[int, ...]]]:
        """Yield the turns from a state, each with the state after it: the shapes of all pieces, and their places.

        The first piece rests; if it is in a set that can turn, its complement turns the other way.

        Args:
            shapes: The number of the shape of each piece, in its present orientation.
            places: The packed position of each piece, that of the first one 0.
            is_new: Whether a state is of interest. Turns that need a shift are not tested if they lead to another one.
            spread: A function like `map`, which may call functions in several threads. It gives tests of turns to them.

        """
        sets = (_Set(state, *each) for state, valid in self.states(shapes, places) for each in state.sets(valid))

        def candidates() -> Iterator[_Candidates]:
            for those, free, maybe in spread(_Set.tested, sets):
                after = [
                    [(bit, turn, self.after(shapes, places, turn)) for bit, turn in those.about(pivots)]
                    for pivots in (free, maybe)
                ]
                new = [each for each in after[1] if is_new is None or is_new(each[2])]
                yield those, [(turn, there) for _, turn, there in after[0]], new

        for turns in spread(_passing, candidates()):
            yield from turns

    def states(self, shapes: Sequence[int], places: Sequence[int]) -> Iterator[tuple[TurnState, int]]:
        """Yield a state for each plane, with the pivots of its turns; the arguments are those of :meth:`moves`."""
        dimension, size = self.lattice.dimension, len(shapes)
        at = [unpack(place, dimension) for place in places]
        boxes = [self.box_of(shape) for shape in shapes]
        low = [min([p[n] + box[0][n] for p, box in zip(at, boxes, strict=True)]) for n in range(dimension)]
        high = [max([p[n] + box[1][n] for p, box in zip(at, boxes, strict=True)]) for n in range(dimension)]
        self._widen(max(max(-a, b, b - a) for a, b in zip(low, high, strict=True)))
        window = self._window
        for number, plane in enumerate(self.planes):
            one, other = plane.across
            scale, beyond = window.scale, self.lattice.parts
            valid = window.box(
                (scale * (low[one] - beyond), scale * (low[other] - beyond)),
                (scale * (high[one] + beyond), scale * (high[other] + beyond)),
            )
            here = [(p[one], p[other]) for p in at]
            pairs = [
                [
                    _NO_PAIR if i == j else self._pair(number, shapes[i], shapes[j], places[j] - places[i])
                    for j in range(size)
                ]
                for i in range(size)
            ]
            yield TurnState(self, number, shapes, places, here, pairs), valid

    def _widen(self, extent: int) -> None:
        """Make the window large enough for cells that are so far apart."""
        if extent > self._window.extent:
            self._window = _Window(extent + 2, self._window.scale, self.lattice.parts)
            self._rows.clear()
            self._pairs.clear()

    def after(self, shapes: Sequence[int], places: Sequence[int], turn: Turn) -> tuple[int, ...]:
        """Return the state after a turn."""
        size = len(shapes)
        shapes, places = list(shapes), list(places)
        plane, dimension = self.planes[turn.plane], self.lattice.dimension
        anchor = unpack(places[turn.anchor], dimension)
        pivot = [plane.scale * anchor[n] + p for n, p in zip(plane.across, turn.pivot, strict=True)]
        translation = plane.translation(pivot, dimension)
        assert translation is not None
        matrix = plane.forth.matrix if turn.sense > 0 else plane.back.matrix
        if turn.sense < 0:
            translation = tuple([-value for value in turned(matrix, translation)])
        for piece in range(size):
            if turn.pieces >> piece & 1:
                shapes[piece], offset = self.image(turn.plane, turn.sense, shapes[piece])
                place = turned(matrix, unpack(places[piece], dimension))
                places[piece] = offset + pack([a + b for a, b in zip(place, translation, strict=True)])
        return (*shapes, *places)

    def image(self, number: int, sense: int, shape: int) -> tuple[int, int]:
        """Return the shape that a rotation about the origin makes of a shape, and its packed position."""
        key = number, sense, shape
        image = self._images.get(key)
        if image is None:
            plane = self.planes[number]
            rotation = plane.forth if sense > 0 else plane.back
            image = self._images[key] = self.gaps.shape_of([rotated(rotation, *cell) for cell in self.cells(shape)])
        return image

    def cells(self, shape: int) -> list[tuple[Point, int | None]]:
        """Return the coordinates and the kind of each cell of a shape; None for a lattice of one kind."""
        several = len(self.lattice.kinds) > 1
        return [
            (unpack(packed, self.lattice.dimension), kind if several else None)
            for packed, kind in self.gaps.shapes[shape]
        ]

    def box_of(self, shape: int) -> tuple[Point, Point]:
        """Return the least and the largest coordinates of the cells of a shape, from its first cell."""
        box = self._boxes.get(shape)
        if box is None:
            columns = list(zip(*[cell for cell, _ in self.cells(shape)], strict=True))
            box = self._boxes[shape] = tuple(map(min, columns)), tuple(map(max, columns))
        return box

    def _layers_of(self, number: int, shape: int) -> dict[int, list[tuple[tuple[int, int], int]]]:
        """Return the cells of a shape by layers: for each layer their coordinates in the plane, and their kinds."""
        key = number, shape
        layers = self._layers.get(key)
        if layers is None:
            layers, plane = {}, self.planes[number]
            for cell, kind in self.cells(shape):
                layer = 0 if plane.along is None else cell[plane.along]
                across = cell[plane.across[0]], cell[plane.across[1]]
                layers.setdefault(layer, []).append((across, kind or 0))
            self._layers[key] = layers
        return layers

    def near(
        self, number: int, one: int, other: int, offset: Point
    ) -> Iterator[tuple[tuple[int, int], int, tuple[int, int], int]]:
        """Yield the pairs of cells of two shapes in one layer: for each the coordinates in the plane, and the kind."""
        plane = self.planes[number]
        far = offset[plane.across[0]], offset[plane.across[1]]
        level = 0 if plane.along is None else offset[plane.along]
        layers, parts = self._layers_of(number, other), self.lattice.parts
        for layer, cells in self._layers_of(number, one).items():
            for beside in range(1 - parts, parts):
                for cell, kind in layers.get(layer - level + beside, ()):
                    there = cell[0] + far[0], cell[1] + far[1]
                    for mine, my_kind in cells:
                        yield mine, my_kind, there, kind

    def cells_between(
        self, number: int, movers: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, int], int, tuple[int, int], int]]:
        """Yield the pairs of cells in one layer of two sets of pieces, each given by its shape and its packed place."""
        dimension, plane = self.lattice.dimension, self.planes[number]
        for shape, place in movers:
            at = unpack(place, dimension)
            here = at[plane.across[0]], at[plane.across[1]]
            for other, there in others:
                for mine, my_kind, cell, kind in self.near(number, shape, other, unpack(there - place, dimension)):
                    yield (mine[0] + here[0], mine[1] + here[1]), my_kind, (cell[0] + here[0], cell[1] + here[1]), kind

    def _pair(self, number: int, one: int, other: int, offset: int) -> _Pair:
        """Return what hinders a shape in its turns beside another one at a packed offset."""
        key = number, one, other, offset
        pair = self._pairs.get(key)
        if pair is None:
            window, swept, ends = self._window, 0, 0
            plane = self.planes[number]
            near = list(self.near(number, one, other, unpack(offset, self.lattice.dimension)))
            for mine, my_kind, there, kind in near:
                step = there[0] - mine[0], there[1] - mine[1]
                swept |= window.moved(self._row(my_kind, kind, step), mine)
                image, added = plane.forth.kinds[my_kind]
                if image == kind:
                    gap = [s - added[n] for s, n in zip(step, plane.across, strict=True)]
                    pivot = turned(plane.to_pivot, tuple(gap))
                    if max(map(abs, pivot)) <= window.reach:
                        ends |= window.moved(1 << window.bit(pivot), mine)
            ends &= window.all
            pair = self._pairs[key] = _Pair(swept & window.all, ends, near=self.on_paper(near))
        return pair

    def _row(self, kind: int, other: int, step: tuple[int, int]) -> int:
        """Return the pivots about which a cell cannot turn past another one that is a step away, from the cell."""
        key = kind, other, *step
        pivots_hit = self._rows.get(key)
        if pivots_hit is None:
            pivots, bits = self._window.arrays
            flags = np.zeros(self._window.width**2, np.uint8)
            flags[bits] = self.angles([((0, 0), kind, step, other)], pivots)[:, 0] < self.planes[-1].angle
            packed = np.packbits(flags, bitorder="little").tobytes()
            pivots_hit = self._rows[key] = int.from_bytes(packed, "little")
        return pivots_hit

    def angles(self, pairs: Pairs, pivots: Any, precision: float = 2 * pi) -> Any:
        """Return how far cells turn about each of some pivots, without a shift, before each pair of them meets.

        Args:
            pairs: The moving and the resting cells.
            pivots: The pivots, shape (pivots, 2).
            precision: How far before the first collision an angle may be. A pair that never meets has the whole angle.

        Returns:
            The angles in radians, shape (pivots, pairs).

        """
        cells, angles = self._cells, np.empty((len(pairs), len(pivots)))
        away = pivots @ cells.basis / self._window.scale
        places = np.empty((len(pivots), 4))
        for number, (mine, my_kind, there, kind) in enumerate(pairs):
            places[:, :2] = cells.centres[my_kind] + np.array(mine, float) @ cells.basis - away
            places[:, 2:] = cells.centres[kind] + np.array(there, float) @ cells.basis - away
            kinds, turn = np.array([my_kind, kind]), self.planes[-1].angle
            _call(turn_kernel.sweep, cells.kinds, kinds, turn, places, precision, angles[number])
        return angles.T

    def on_paper(self, pairs: Pairs) -> Any:
        """Return pairs of cells as rows: both centres on paper, both kinds, and the sum of the radii of both."""
        rows, cells = np.zeros((len(pairs), 7)), self._cells
        if pairs:
            here, kinds, there, others = (np.array(column) for column in zip(*pairs, strict=True))
            rows[:, :2] = here @ cells.basis + cells.centres[kinds]
            rows[:, 2:4] = there @ cells.basis + cells.centres[others]
            rows[:, 4], rows[:, 5] = kinds, others
            rows[:, 6] = cells.kinds[2][kinds, 1] + cells.kinds[2][others, 1]
        return rows

    def shifts(self, near: Any, pivots: Sequence[Sequence[int]]) -> list[int]:
        """Return the shifts that may be free while some cells turn, at a few angles: a bit for each angle and shift.

        Args:
            near: The pairs of cells, as :meth:`on_paper` describes them.
            pivots: The pivots of turns.

        Returns:
            The shifts for each pivot; 0 if none is free at one of the angles.

        """
        if not len(near):
            return [ALL_SHIFT_BITS] * len(pivots)
        free = np.zeros((len(pivots), ALL_SHIFT_BITS.bit_length()), np.uint8)
        kinds, angle, parts = self._cells.kinds, self.planes[-1].angle, np.array(turn_kernel.QUICK_PARTS)
        _call(turn_kernel.shifts, kinds, near, self._pivots(pivots), angle, parts, turn_kernel.QUICK_STEP, free)
        return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(free, axis=1, bitorder="little")]

    def is_stuck(self, shifts: int) -> bool:
        """Return whether no shift is free at one of the angles."""
        return any(not shifts & mask for mask in _SHIFT_BITS_AT)

    def paths(self, near: Any, pivots: Sequence[Sequence[int]]) -> list[int]:
        """Return for turns of some cells the index of the steps of the shift with which there is a path, or -1.

        The arguments are those of :meth:`shifts`.
        """
        kinds, angle, space = self._cells.kinds, self.planes[-1].angle, self._space
        those, answers = self._pivots(pivots), np.zeros(len(pivots), np.int64)
        size = _call(turn_kernel.room_for, kinds, near, those, angle, turn_kernel.SHIFT_STEPS[-1])
        if size > len(space.room[0]) or space.room[3][0] > _LAST_STAMP:
            space.room = _room(max(size, len(space.room[0])))
        _call(turn_kernel.paths, kinds, near, those, angle, np.array(turn_kernel.SHIFT_STEPS), space.room, answers)
        indices: list[int] = answers.tolist()
        return indices

    def _pivots(self, pivots: Sequence[Sequence[int]]) -> Any:
        """Return pivots on paper."""
        return np.array(pivots, float) / self.planes[-1].scale @ self._cells.basis

    def path(self, pairs: Pairs, pivot: Sequence[int]) -> list[tuple[float, tuple[float, float]]]:
        """Return the path of a turn: angles in radians, which grow, and shifts on paper.

        Raises:
            ValueError: If there is no path.

        """
        cells, plane = self._cells, self.planes[-1]
        ends = [(0.0, (0.0, 0.0)), (plane.angle, (0.0, 0.0))]
        if not pairs or self.angles(pairs, np.array([pivot], float)).min() >= plane.angle:
            return ends
        near = self.on_paper(pairs)
        (index,) = self.paths(near, [pivot])
        if index < 0:
            raise ValueError("this turn has no path")
        room, step = self._space.room, turn_kernel.SHIFT_STEPS[index]
        points = np.zeros((len(room[0]), 3))
        number = _call(turn_kernel.trace, cells.kinds, near, self._pivots([pivot])[0], plane.angle, step, room, points)
        middle = [(float(angle), (float(x), float(y))) for angle, x, y in points[:number][::-1]]
        return [ends[0], *middle, ends[1]]


def rotated(rotation: Map, cell: Point, kind: int | None) -> Cell:
    """Return the image of a cell under a rotation about the origin."""
    image, added = rotation.kinds[kind or 0]
    place = tuple([a + b for a, b in zip(turned(rotation.matrix, cell), added, strict=True)])
    return place if kind is None else (*place, image)


class TurnState:
    """The pieces in a state, and the sets of them that can turn in a plane."""

    def __init__(
        self,
        turns: Turns,
        number: int,
        shapes: Sequence[int],
        places: Sequence[int],
        here: Sequence[tuple[int, int]],
        pairs: Sequence[Sequence[_Pair]],
    ) -> None:
        self.turns, self.number, self.shapes, self.places, self.here = turns, number, shapes, places, here
        self.pairs, self.window = pairs, turns._window
        self.size = len(shapes)

    def sets(self, valid: int) -> Iterator[tuple[int, int, int]]:
        """Yield the sets of pieces that may turn, neither none nor all, each with the others and the pivots."""
        stack = [(0, 0, 0, valid)]
        while stack:
            piece, inside, outside, pivots = stack.pop()
            if piece == self.size:
                if inside and outside:
                    yield inside, outside, pivots
                continue
            alone = pivots
            for other in range(piece):
                if outside >> other & 1:
                    pivots &= ~self._blocked(piece, other)
                else:
                    alone &= ~self._blocked(other, piece)
            if pivots:
                stack.append((piece + 1, inside | 1 << piece, outside, pivots))
            if alone:
                stack.append((piece + 1, inside, outside | 1 << piece, alone))

    def _blocked(self, mover: int, other: int) -> int:
        return self.window.moved(self.pairs[mover][other].blocked, self.here[mover])

    def free(self, inside: int, outside: int, pivots: int) -> tuple[int, list[tuple[int, int]]]:
        """Return the pivots about which a set can turn without a shift, and the pairs of pieces that may touch."""
        swept, touching = 0, list[tuple[int, int]]()
        for mover in range(self.size):
            if inside >> mover & 1:
                for other in range(self.size):
                    pair = self.pairs[mover][other]
                    if outside >> other & 1 and pair.swept:
                        swept |= self.window.moved(pair.swept, self.here[mover])
                        touching.append((mover, other))
        return pivots & ~swept, touching

    def not_stuck(self, pivots: int, touching: Sequence[tuple[int, int]]) -> int:
        """Return those of some pivots about which a set may turn with shifts: at some angles, a shift is free."""
        for mover, other in touching:
            pivots &= ~self._blocked(mover, other)
        left = dict.fromkeys(_bits(pivots), ALL_SHIFT_BITS)
        for mover, other in touching:
            both = {bit: left[bit] & shifts for bit, shifts in self._shifts(mover, other, list(left)).items()}
            left = {bit: shifts for bit, shifts in both.items() if not self.turns.is_stuck(shifts)}
        return sum([1 << bit for bit in left])

    def _shifts(self, mover: int, other: int, bits: Sequence[int]) -> dict[int, int]:
        """Return for the bit of each pivot the shifts that may be free when a piece turns past another one."""
        window, pair = self.window, self.pairs[mover][other]
        away = window.step(self.here[mover])
        unknown = [bit - away for bit in bits if bit - away not in pair.shifts]
        if unknown:
            free = self.turns.shifts(pair.near, [window.pivot(relative) for relative in unknown])
            pair.shifts |= dict(zip(unknown, free, strict=True))
            pair.blocked |= sum([1 << relative for relative, shifts in zip(unknown, free, strict=True) if not shifts])
        return {bit: pair.shifts[bit - away] for bit in bits}

    def paths(self, inside: int, outside: int, bits: Sequence[int]) -> list[bool]:
        """Return for the bit of each pivot whether a set can turn about it with a shift."""
        movers, others = members(inside), members(outside)
        turns, window, origin, at = self.turns, self.window, self.places[movers[0]], self.here[movers[0]]
        sides = [tuple(sorted([(self.shapes[n], self.places[n] - origin) for n in side])) for side in (movers, others)]
        away = window.step(at)
        answers = turns._sets.setdefault((self.number, *sides), {})
        pivots = {bit: window.pivot(bit - away) for bit in bits}
        unknown = [bit for bit in bits if pivots[bit] not in answers]
        if unknown:
            indices = turns.paths(self._near(movers, others), [pivots[bit] for bit in unknown])
            for bit, index in zip(unknown, indices, strict=True):
                answers[pivots[bit]] = index >= 0
                if index < 0:
                    self._learn(movers, others, bit)
        return [answers[pivots[bit]] for bit in bits]

    def _learn(self, movers: Sequence[int], others: Sequence[int], bit: int) -> None:
        """Note whether two pieces alone hinder a turn of a set, so that other sets with both need no test.

        The two with the fewest free shifts most probably do. They are tested when they are met for the second time.
        """
        mover, other = min(
            product(movers, others), key=lambda two: self._shifts(two[0], two[1], [bit])[bit].bit_count()
        )
        pair, relative = self.pairs[mover][other], bit - self.window.step(self.here[mover])
        pivot = 1 << relative
        if not pair.suspected & pivot:
            pair.suspected |= pivot
        elif not pair.passing & pivot:
            if self.turns.paths(pair.near, [self.window.pivot(relative)])[0] >= 0:
                pair.passing |= pivot
            else:
                pair.blocked |= pivot

    def _near(self, movers: Sequence[int], others: Sequence[int]) -> Any:
        """Return the pairs of cells of two sets of pieces, from the first of those that turn."""
        (x, y), blocks = self.here[movers[0]], []
        for mover in movers:
            away = np.tile(np.array([self.here[mover][0] - x, self.here[mover][1] - y]) @ self.turns._cells.basis, 2)
            for other in others:
                near = self.pairs[mover][other].near
                if len(near):
                    blocks.append(near + np.concatenate((away, np.zeros(3))))
        return np.concatenate(blocks)


class _Set(NamedTuple):
    """Some pieces that may turn in a state, and pivots about which they may."""

    state: TurnState
    inside: int
    outside: int
    pivots: int

    def about(self, pivots: int) -> Iterator[tuple[int, Turn]]:
        """Yield the turns of the set about some pivots, each with the bit of its pivot."""
        window, here = self.state.window, self.state.here
        pieces, sense = (self.outside, -1) if self.inside & 1 else (self.inside, 1)
        anchor = (pieces & -pieces).bit_length() - 1
        at, scale = here[anchor], window.scale
        for bit in _bits(pivots):
            pivot = window.pivot(bit)
            relative = pivot[0] - scale * at[0], pivot[1] - scale * at[1]
            yield bit, Turn(pieces, self.state.number, sense, relative, anchor)

    def tested(self) -> tuple[_Set, int, int]:
        """Return the pivots of turns without a shift, and those of turns that may be possible with one."""
        free, touching = self.state.free(self.inside, self.outside, self.pivots)
        return self, free, self.state.not_stuck(self.pivots & ~free, touching)


#: A set, its turns that are possible, each with the state after it, and those that may be with the bit of the pivot.
_Candidates = tuple[_Set, list[tuple[Turn, tuple[int, ...]]], list[tuple[int, Turn, tuple[int, ...]]]]


def _passing(those: _Candidates) -> list[tuple[Turn, tuple[int, ...]]]:
    """Return the turns of a set that are possible, each with the state after it."""
    (state, inside, outside, _), turns, uncertain = those
    answers = state.paths(inside, outside, [bit for bit, _, _ in uncertain]) if uncertain else []
    return turns + [(turn, after) for (_, turn, after), possible in zip(uncertain, answers, strict=True) if possible]


def _bits(number: int) -> Iterator[int]:
    """Yield the places of the bits of a number that are 1, in ascending order."""
    while number:
        lowest = number & -number
        number ^= lowest
        yield lowest.bit_length() - 1


class _Space(threading.local):
    """Room for searches of paths; each thread has its own."""

    def __init__(self) -> None:
        self.room = _room(0)


def _room(states: int) -> turn_kernel.Room:
    """Return room for a search of some states."""
    integers, longs = np.zeros((2, states), np.int32), np.zeros(2 * states, np.int64)
    return integers[0], integers[1], longs, np.zeros(1, np.int64)


def _call(function: Any, *arguments: Any) -> Any:
    """Call a function of the kernel; in plain Python without numba."""
    return (function if has_numba() else function.function)(*arguments)
