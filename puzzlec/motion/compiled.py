"""The search for first separations by the compiled kernel: the arrays that it works on, and room for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from puzzlec.motion import kernel
from puzzlec.motion.directions import contacts, pivot
from puzzlec.motion.gaps import NEVER, Gaps
from puzzlec.motion.search import MOST_SETS, Bounds, First, Goal, Reach, Shift, StoppedError

#: States that one call expands. The time is checked between calls.
BUDGET = 1 << 14

#: Room for states at the start.
_FIRST = 256

#: Bits of a place on a line with the kind of the cell above it, and of each coordinate of a line.
_KIND, _LINE = 17, 22


class CompiledSearch:
    """Searches for first separations of parts made of the shapes of one table of gaps."""

    def __init__(self, gaps: Gaps) -> None:
        self.gaps = gaps
        axes, dimension = len(gaps.axes), gaps.lattice.dimension
        bits = 13 if dimension > 3 else 20
        self._weights = np.zeros((axes, dimension), np.int64)
        for number, axis in enumerate(gaps.axes):
            level, others = pivot(axis), 0
            for coordinate in range(dimension):
                if coordinate != level:
                    self._weights[number, coordinate] = 1 << (_LINE + bits * others)
                    others += 1
            rest = sum(int(w) * a for w, a in zip(self._weights[number], axis, strict=True))
            self._weights[number, level] = axis[level] * (1 - rest)
        self._steps = np.array(gaps.steps, np.int64)
        self._sweeps, self._fronts = np.zeros(1 << 10, np.int64), np.zeros(1 << 10, np.int64)
        self._sweep_starts, self._front_starts = np.zeros(axes + 1, np.int64), np.zeros(axes + 1, np.int64)
        self._contacts: dict[tuple[int, int], np.ndarray] = {}
        self._shapes = self._known = 0
        self._rooms: dict[int, tuple[np.ndarray, ...]] = {}
        self._table = _gap_table(1 << 12, axes)
        self._hash = np.random.default_rng(1).integers(1, 1 << 62, kernel.MOST_PIECES + 1, np.int64) | 1

    def first_separations(
        self, shapes: Sequence[int], places: Sequence[int], bounds: Bounds, reach: Reach | None = None
    ) -> First:
        """Return where the least number of moves leads to the first separation, as ``search.first_separations``."""
        self._add_shapes()
        size, most = len(shapes), bounds.states(len(shapes))
        states, hashes, came, goals, table, control, weights = self._room(size)
        states[0] = [place - places[0] for place in places]
        last, singles = (-1, 0) if reach is None else reach
        control[:] = 1, 0, 1, 0, 0, self._known, MOST_SETS, last, singles  # at the places that the kernel names
        numbers = np.array(shapes, np.int64)
        lines = self._lines
        answer = kernel.BUDGET
        while answer != kernel.DONE:
            search = states, hashes, table, came, weights
            answer = kernel.advance(numbers, lines, self._table, search, goals, self._steps, control, BUDGET)
            self._known, moves = int(control[kernel.GAPS]), int(control[kernel.MOVES])
            bounds.reached = int(control[kernel.COUNT]), moves
            if answer == kernel.MORE_GAPS:
                self._widen(size)
            elif answer == kernel.LOOSE:
                raise StoppedError("loose", moves)
            elif answer == kernel.MORE_STATES:
                room = min(4 * len(states), most)
                if room <= len(states):
                    raise StoppedError("memory", moves)
                states, hashes, came, goals = (_longer(each, room) for each in (states, hashes, came, goals))
                table = np.full(1 << (2 * room - 1).bit_length(), -1, np.int32)
                kernel.rehash_states(hashes, int(control[kernel.COUNT]), table)
            bounds.check_time(moves)
        if not control[kernel.GOALS]:
            return First(0, ())
        found = np.flatnonzero(goals[: int(control[kernel.HEAD])])
        ends = [Goal(tuple(states[goal].tolist()), _path(came, int(goal))) for goal in found]
        return First(len(ends[0].path) + 1, tuple(ends))

    def _room(self, size: int) -> tuple[np.ndarray, ...]:
        """Return arrays for the states of some pieces, which small searches use again and again."""
        room = self._rooms.get(size)
        if room is None:
            states, hashes, came = (
                np.empty((_FIRST, size), np.int64),
                np.empty(_FIRST, np.int64),
                np.empty((_FIRST, 4), np.int64),
            )
            goals, table, control = np.empty(_FIRST, np.int64), np.empty(2 * _FIRST, np.int32), np.empty(9, np.int64)
            room = self._rooms[size] = states, hashes, came, goals, table, control, self._hash[:size]
        _, hashes, _, goals, table, _, _ = room
        goals.fill(0)
        table.fill(-1)
        hashes[0] = table[0] = 0
        return room

    def gap_table(self, shapes: Sequence[int], places: Sequence[int]) -> np.ndarray:
        """Return the gaps between all pieces, as ``search.gap_table``."""
        self._add_shapes()
        found: np.ndarray = kernel.gap_rows(np.array(shapes, np.int64), np.array(places, np.int64), self._lines)
        return found

    def blocked(self, shapes: Sequence[int], places: Sequence[int]) -> list[list[int]]:
        """Return for each axis and piece the set of pieces that it ever meets."""
        met = self.gap_table(shapes, places) < NEVER
        found: list[list[int]] = (met @ (np.int64(1) << np.arange(len(shapes)))).tolist()
        return found

    @property
    def _lines(self) -> tuple[np.ndarray, ...]:
        return self._sweeps, self._fronts, self._sweep_starts, self._front_starts, self._weights

    def _add_shapes(self) -> None:
        """Add the numbers of shapes that are new."""
        while self._shapes < len(self.gaps.shapes):
            cells = self.gaps.shapes[self._shapes]
            self._sweeps, self._sweep_starts = self._added(self._sweeps, self._sweep_starts, cells, True)
            self._fronts, self._front_starts = self._added(self._fronts, self._front_starts, cells, False)
            self._shapes += 1

    def _added(
        self, numbers: np.ndarray, starts: np.ndarray, cells: Sequence[tuple[int, int]], sweeps: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        axes = len(self.gaps.axes)
        if (self._shapes + 1) * axes + 1 > len(starts):
            starts = _longer(starts, 2 * len(starts) + axes)
        end = int(starts[self._shapes * axes])
        for axis in range(axes):
            fresh = self._numbers(cells, axis, sweeps)
            while end + len(fresh) > len(numbers):
                numbers = _longer(numbers, 2 * len(numbers))
            numbers[end : end + len(fresh)] = fresh
            end += len(fresh)
            starts[self._shapes * axes + axis + 1] = end
        return numbers, starts

    def _numbers(self, cells: Sequence[tuple[int, int]], axis: int, sweeps: bool) -> np.ndarray:
        """Return the numbers of the cells of a shape, or those of what they run into, as the kernel has them."""
        packed, kinds = np.array(cells, np.int64).T
        at = np.zeros(len(cells), np.int64)
        for weight in self._weights[axis]:
            low = ((packed + 32768) & 65535) - 32768
            at += weight * low
            packed = (packed - low) >> 16
        if not sweeps:
            return np.unique(at + (kinds << _KIND))
        return np.unique(
            np.concatenate([np.add.outer(at[kinds == k], self._ahead(k, axis)).ravel() for k in set(kinds)])
        )

    def _ahead(self, kind: int, axis: int) -> np.ndarray:
        """Return what is added to the number of a cell of a kind for each contact."""
        found = self._contacts.get((kind, axis))
        if found is None:
            weights, lattice = [int(weight) for weight in self._weights[axis]], self.gaps.lattice
            found = self._contacts[kind, axis] = np.array([
                sum(w * s for w, s in zip(weights, step, strict=True)) + (other << _KIND) - free
                for other in range(len(lattice.kinds))
                for step, free in contacts(lattice, self.gaps.axes[axis], int(kind), other)
            ], np.int64)  # fmt: skip
        return found

    def _widen(self, size: int) -> None:
        """Make the table of gaps larger."""
        keys, pairs, values = self._table
        room = 4 * len(keys)
        while 2 * (self._known + size * size) > room:
            room *= 2
        self._table = _gap_table(room, values.shape[1] // 2)
        kernel.rehash(keys, pairs, values, *self._table)


def _gap_table(room: int, axes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros(room, np.int64), np.full(room, -1, np.int64), np.zeros((room, 2 * axes), np.int16)


def _longer(array: np.ndarray, room: int) -> np.ndarray:
    found = np.zeros((room, *array.shape[1:]), array.dtype)
    found[: len(array)] = array
    return found


def _path(came: np.ndarray, state: int) -> tuple[Shift, ...]:
    found = []
    while state:
        before, pieces, axis, distance = came[state].tolist()
        found.append(Shift(pieces, axis, distance))
        state = before
    return tuple(found[::-1])
