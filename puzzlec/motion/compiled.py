"""The search for first separations by the compiled kernel.

Its arrays grow: tables of states and of gaps. Several threads can expand a front of the breadth-first search. Each
thread expands the next states in turn, and keeps those that it finds and that are not known yet. Afterwards they are
added to the known ones, thread by thread. So their numbers, the moves that lead to them, and what a limit cuts off are
those of one thread. Threads share the known states, which do not change meanwhile. Each has its own gaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import is_
from random import Random
from typing import cast

import numpy as np

from puzzlec.engine.kernels.jit import Compiled
from puzzlec.engine.limits import Stop
from puzzlec.engine.problem_numpy import distinct
from puzzlec.motion import kernel
from puzzlec.motion.gaps import Gaps, pivot
from puzzlec.motion.search import MOST_SETS, Bounds, First, Goal, Reach, Shift, StoppedError, is_separable
from puzzlec.motion.team import Team

#: Room for states at the start.
FIRST = 256


class States:
    """States of some pieces, with room for more.

    ``arrays`` are for the kernel: the states, their hashes, the table of states, how each was reached, and the weights
    of the hash. ``goals`` says whether a separation is possible in each state.
    """

    def __init__(self, weights: np.ndarray) -> None:
        states, came = np.empty((FIRST, len(weights)), np.int64), np.empty((FIRST, 4), np.int64)
        hashes, table = np.empty(FIRST, np.int64), np.empty(2 * FIRST, np.int32)
        self._all, self._goals = (states, hashes, table, came, weights), np.empty(FIRST, np.int64)

    def clear(self, most: int | None = None) -> None:
        """Forget all states. From now on, there is room for at most a number of them."""
        states, hashes, table, came, weights = self._all
        table.fill(-1)
        self._goals.fill(0)
        self.arrays, self.goals = self._all, self._goals
        if most is not None and most < len(states):
            self.arrays = states[:most], hashes[:most], table, came[:most], weights
            self.goals = self._goals[:most]

    def begin(self, state: Sequence[int]) -> None:
        """Add the first state."""
        states, hashes, table, _, _ = self.arrays
        states[0] = state
        hashes[0] = table[0] = 0

    def widen(self, count: int, most: int) -> bool:
        """Make room for more states; return whether there is more room. The larger arrays are not kept."""
        states, hashes, table, came, weights = self.arrays
        room = min(4 * len(states), most)
        if room <= len(states):
            return False
        table = np.full(1 << (2 * room - 1).bit_length(), -1, np.int32)
        kernel.rehash_states(hashes, count, table)
        self.arrays = longer(states, room), longer(hashes, room), table, longer(came, room), weights
        self.goals = longer(self.goals, room)
        return True

    def keep(self) -> None:
        """Use the arrays that are there now for the next search also."""
        self._all, self._goals = self.arrays, self.goals


class GapTable:
    """The gaps that a thread knows, in a hash table for the kernel.

    ``arrays`` are offsets, pairs of shapes, and the gaps; ``known`` is the number of entries.
    """

    def __init__(self, room: int, axes: int) -> None:
        self._axes, self.known = axes, 0
        self.arrays = np.zeros(room, np.int64), np.full(room, -1, np.int64), np.zeros((room, 2 * axes + 2), np.int32)

    def copy(self) -> GapTable:
        """Return a table with the same gaps."""
        found = GapTable(0, self._axes)
        keys, pairs, values = self.arrays
        found.known, found.arrays = self.known, (keys.copy(), pairs.copy(), values.copy())
        return found

    def widen(self, size: int) -> None:
        """Make the table larger: enough for one more state of some pieces."""
        room = 4 * len(self.arrays[0])
        while 2 * (self.known + size * size) > room:
            room *= 2
        wide = GapTable(room, self._axes).arrays
        kernel.rehash(*self.arrays, *wide)
        self.arrays = wide


def longer(array: np.ndarray, room: int) -> np.ndarray:
    """Return an array with more rows."""
    found = np.zeros((room, *array.shape[1:]), array.dtype)
    found[: len(array)] = array
    return found


#: Fronts with fewer states are not divided.
LEAST_FRONT = 512

#: A thread expands at most this many states before states are added.
MOST_STATES = 1 << 13

#: The data of a whole search: the shape of each piece, the lines of all shapes, and the step along each axis.
Fixed = tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray]


class DividedFront:
    """Expands fronts in the threads of a team.

    Args:
        team: The threads.
        gaps: The gaps that the search knows without help.

    """

    def __init__(self, team: Team, gaps: GapTable) -> None:
        self._team, self._gaps = team, [gaps]
        self._controls = [np.zeros(kernel.CONTROLS, np.int64)]
        self._found: dict[tuple[int, int], States] = {}

    def expand(self, fixed: Fixed, known: States, most: int, control: np.ndarray) -> int:
        """Expand some states of the front; return an answer of the kernel.

        Args:
            fixed: The pieces and directions.
            known: The known states.
            most: At most this many states may be known.
            control: The counters of the search.

        """
        head, end, goals = (int(control[place]) for place in (kernel.HEAD, kernel.END, kernel.GOALS))
        with self._team.helpers() as free:
            number = free + 1
            share = min(MOST_STATES, -(-(end - head) // number))
            while len(self._gaps) < number:
                self._gaps.append(self._gaps[0].copy())
                self._controls.append(np.zeros(kernel.CONTROLS, np.int64))

            def part(thread: int) -> Callable[[], int]:
                begin = min(end, head + thread * share)
                return lambda: self._expand_part(thread, fixed, known, control, (begin, min(end, begin + share)))

            answers = self._team.results([part(thread) for thread in range(number)])
        control[kernel.GAPS] = self._gaps[0].known
        for thread, answer in enumerate(answers):
            merged = self._merge(thread, len(fixed[0]), known, most, control)
            if merged != kernel.DONE:
                return merged
            control[kernel.HEAD] = self._controls[thread][kernel.HEAD]
            control[kernel.GOALS] += self._controls[thread][kernel.GOALS] - goals
            if answer == kernel.LOOSE:  # after a goal, a single thread would not search for moves of this state
                ended = control[kernel.LAST] < 0 and control[kernel.GOALS]
                return kernel.BUDGET if ended else kernel.LOOSE
        return kernel.BUDGET

    def _expand_part(self, thread: int, fixed: Fixed, known: States, control: np.ndarray, part: tuple[int, int]) -> int:
        shapes, lines, steps = fixed
        size, gaps, own = len(shapes), self._gaps[thread], self._controls[thread]
        found = self._found.get((thread, size))
        if found is None:
            found = self._found[thread, size] = States(known.arrays[-1])
        found.clear()
        own[:] = control
        own[kernel.COUNT], own[kernel.HEAD], own[kernel.END] = 0, *part
        own[kernel.GAPS], own[kernel.SETS] = gaps.known, MOST_SETS
        own[kernel.DIVIDED], own[kernel.LEFT] = 1, -1
        while True:
            answer = kernel.advance(shapes, lines, gaps.arrays, known.arrays, found.arrays, known.goals, steps, own)
            gaps.known = int(own[kernel.GAPS])
            if answer == kernel.MORE_GAPS:
                gaps.widen(size)
            elif answer == kernel.MORE_STATES:
                found.widen(int(own[kernel.COUNT]), 4 * len(found.goals))
                found.keep()
            else:
                return answer

    def _merge(self, thread: int, size: int, known: States, most: int, control: np.ndarray) -> int:
        """Add what a thread has found to the known states; return whether there was room for it."""
        own, begin = self._controls[thread], 0
        count = int(own[kernel.COUNT])
        if control[kernel.LAST] >= 0 or not control[kernel.GOALS]:
            found = self._found[thread, size].arrays
            while (begin := kernel.merge(known.arrays, found, control, begin, count)) < count:
                if not known.widen(int(control[kernel.COUNT]), most):
                    return kernel.MORE_STATES
        return kernel.DONE


#: States that one call expands. The time is checked between calls.
BUDGET = 1 << 14

#: Bits of a position on a line with the kind of the cell above it, and of each coordinate of a line.
_KIND, _LINE = 17, 22


#: The answer of a search without separations.
_NONE = First(0, ())


class _Ready:
    """A kernel whose call is ready as long as its arguments are the same, since most calls are short."""

    def __init__(self, function: Callable[..., int]) -> None:
        self._function, self._made = cast(Compiled, function), tuple[object, ...]()
        self._call: Callable[[], int]

    def __call__(self, *arguments: object) -> int:
        """Call the kernel. The content of arrays may have changed."""
        if len(self._made) != len(arguments) or not all(map(is_, self._made, arguments)):
            self._call, self._made = self._function.prepared(*arguments), arguments
        return self._call()


class _Room:
    """The data of a search for parts of one size: their shapes and positions, what blocks them, and states."""

    def __init__(self, weights: np.ndarray, axes: int) -> None:
        size = len(weights)
        self.shapes, self.places = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.sets, self.states = np.zeros(axes * size, np.int64), States(weights)
        self.advance, self.blocked = _Ready(kernel.advance), _Ready(kernel.blocked)


class CompiledSearch:
    """Searches for first separations of parts made of the shapes of one table of gaps; a team helps with large ones."""

    def __init__(self, gaps: Gaps, team: Team | None = None) -> None:
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
        #: The cells of the sweeps and of the fronts of all shapes, each with the starts of shapes and axes.
        self._sweeps = np.zeros(1 << 10, np.int64), np.zeros(axes + 1, np.int64)
        self._fronts = np.zeros(1 << 10, np.int64), np.zeros(axes + 1, np.int64)
        self._shapes = 0
        self._rooms: dict[int, _Room] = {}
        self._lines = self._all_lines()
        self._table, self._control = GapTable(1 << 12, axes), np.zeros(kernel.CONTROLS, np.int64)
        random = Random(1)  # that of numpy would take longer to load
        self._hash = np.array([random.getrandbits(62) | 1 for _ in range(kernel.MOST_PIECES + 1)], np.int64)
        self._divided = None if team is None else DividedFront(team, self._table)

    def first_separations(
        self, shapes: Sequence[int], places: Sequence[int], bounds: Bounds, reach: Reach | None = None
    ) -> First:
        """Return where the minimum number of moves leads to the first separation, as ``search.first_separations``."""
        if reach is None and any(map(is_separable, blocked := self.blocked(shapes, places))):
            bounds.reached = 1, 0
            bounds.check_time(0)
            return First(1, (Goal(tuple([place - places[0] for place in places]), (), blocked),))
        size, most, table, room = len(shapes), bounds.states(len(shapes)), self._table, self._room(shapes)
        known = room.states
        known.clear(most)
        first = places[0]
        known.begin([place - first for place in places])
        last, singles = (-1, 0) if reach is None else reach
        control, lines, front, answer = self._control, self._lines, 1, kernel.BUDGET
        # At the positions that the kernel names.
        control[:] = 1, 0, 1, 0, 0, table.known, MOST_SETS, last, singles, 0, BUDGET
        while answer != kernel.DONE:
            if self._divided is not None and front >= LEAST_FRONT:
                answer = self._divided.expand((room.shapes, lines, self._steps), known, most, control)
            else:
                control[kernel.LEFT] = BUDGET if self._divided is None else max(front, LEAST_FRONT)
                arrays = known.arrays, known.arrays, known.goals
                answer = room.advance(room.shapes, lines, table.arrays, *arrays, self._steps, control)
            count, head, end, moves, goals, table.known = control.tolist()[: kernel.GAPS + 1]
            bounds.reached, front = (count, moves), end - head
            if answer == kernel.MORE_GAPS:
                table.widen(size)
            elif answer == kernel.LOOSE:
                raise StoppedError(Stop.LOOSE, moves)
            elif answer == kernel.MORE_STATES and not known.widen(bounds.reached[0], most):
                raise StoppedError(Stop.MEMORY, moves)
            bounds.check_time(moves)
        if not goals:
            return _NONE
        found = np.flatnonzero(known.goals[:head])
        ends = []
        for goal in found:
            there = tuple(known.arrays[0][goal].tolist())
            ends.append(Goal(there, _path(known.arrays[3], int(goal)), self.blocked(shapes, there)))
        return First(len(ends[0].path) + 1, tuple(ends))

    def blocked(self, shapes: Sequence[int], places: Sequence[int]) -> list[list[int]]:
        """Return for each axis and piece the set of pieces that it ever meets."""
        size, table, control, room = len(shapes), self._table, self._control, self._room(shapes)
        room.places[:] = places
        control[kernel.GAPS] = table.known
        while not room.blocked(room.shapes, room.places, self._lines, table.arrays, control, room.sets):
            table.widen(size)
        table.known = int(control[kernel.GAPS])
        sets: list[int] = room.sets.tolist()
        return [sets[start : start + size] for start in range(0, len(sets), size)]

    def _room(self, shapes: Sequence[int]) -> _Room:
        """Return the room for a part, with the numbers of its shapes."""
        self._add_shapes()
        room = self._rooms.get(len(shapes))
        if room is None:
            room = self._rooms[len(shapes)] = _Room(self._hash[: len(shapes)], len(self.gaps.axes))
        room.shapes[:] = shapes
        return room

    def _all_lines(self) -> tuple[np.ndarray, ...]:
        (sweeps, sweep_starts), (fronts, front_starts) = self._sweeps, self._fronts
        return sweeps, fronts, sweep_starts, front_starts, self._weights

    def _add_shapes(self) -> None:
        """Add the numbers of shapes that are new."""
        if self._shapes == len(self.gaps.shapes):
            return
        for cells in self.gaps.shapes[self._shapes :]:
            packed, kinds = np.array(cells, np.int64).T
            at = self._on_lines(packed)
            fronts, sweeps = at + (kinds << _KIND), [self._met(axis, row, kinds) for axis, row in enumerate(at)]
            self._sweeps = self._added(*self._sweeps, sweeps)
            self._fronts = self._added(*self._fronts, fronts)
            self._shapes += 1
        self._lines = self._all_lines()

    def _added(
        self, numbers: np.ndarray, starts: np.ndarray, fresh: Iterable[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of all shapes, and where they begin, with those of one more shape for each axis."""
        first = self._shapes * len(self.gaps.axes)
        if first + len(self.gaps.axes) + 1 > len(starts):
            starts = longer(starts, 2 * len(starts) + len(self.gaps.axes))
        end = int(starts[first])
        for place, some in enumerate(map(distinct, fresh), first + 1):
            while end + len(some) > len(numbers):
                numbers = longer(numbers, 2 * len(numbers))
            numbers[end : end + len(some)] = some
            end += len(some)
            starts[place] = end
        return numbers, starts

    def _on_lines(self, packed: np.ndarray) -> np.ndarray:
        """Return for each axis the numbers of packed vectors: their lines along it, and where on these they are."""
        at = np.zeros((len(self.gaps.axes), len(packed)), np.int64)
        for weights in self._weights.T:
            low = ((packed + 32768) & 65535) - 32768
            at += np.multiply.outer(weights, low)
            packed = (packed - low) >> 16
        return at

    def _met(self, axis: int, at: np.ndarray, kinds: np.ndarray) -> np.ndarray:
        """Return the numbers of what cells of some kinds run into, from their own numbers."""
        ahead, starts = self._ahead[axis]
        counts = (starts[1:] - starts[:-1])[kinds]
        ends = np.cumsum(counts)
        places = np.arange(ends[-1]) + np.repeat(starts[kinds] - ends + counts, counts)
        numbers: np.ndarray = np.repeat(at, counts) + ahead[places]
        return numbers

    @cached_property
    def _ahead(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each axis what is added to the number of a cell for each contact, by its kind, and where kinds begin."""
        by_axis = []
        for axis in range(len(self.gaps.axes)):
            of_kinds = [self.gaps.contacts.of(axis, kind) for kind in range(len(self.gaps.lattice.kinds))]
            steps, others, free = np.array([met for those in of_kinds for met in those], np.int64).reshape(-1, 3).T
            starts = np.cumsum([0, *map(len, of_kinds)])
            by_axis.append((self._on_lines(steps)[axis] + (others << _KIND) - free, starts))
        return by_axis


def _path(came: np.ndarray, state: int) -> tuple[Shift, ...]:
    found = []
    while state:
        before, pieces, axis, distance = came[state].tolist()
        found.append(Shift(pieces, axis, distance))
        state = before
    return tuple(found[::-1])
