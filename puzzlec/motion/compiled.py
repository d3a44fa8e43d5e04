"""The search for first separations by the compiled kernel.

Its arrays grow: tables of states and of gaps. Several threads can expand a front of the breadth-first search. Each
thread expands the next states in turn, and keeps those that it finds and that are not known yet. Afterwards they are
added to the known ones, thread by thread. So their numbers, the moves that lead to them, and what a limit cuts off are
those of one thread. Threads share the known states, which do not change meanwhile. Each has its own gaps.

Arrays are views of memory, not arrays of numpy, whose import would take longer than most searches.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain, product
from math import prod
from operator import is_, mul
from random import Random
from struct import calcsize
from typing import Literal, TypeAlias, cast

from puzzlec.engine.kernels.jit import Compiled
from puzzlec.engine.limits import Stop
from puzzlec.geometry import Point
from puzzlec.motion import kernel
from puzzlec.motion.gaps import Gaps, pivot, unpack
from puzzlec.motion.search import MAX_CLOSED_SETS, Bounds, First, Goal, Reach, SearchStoppedError, Shift, is_separable
from puzzlec.motion.team import Team

#: Room for states at the start.
FIRST_ROOM_STATES = 256

#: The formats of integers of 64 and of 32 bits.
Format: TypeAlias = Literal["q", "i"]
LONG_FORMAT: Format = "q"
INT_FORMAT: Format = "i"


def zeros(integers: Format, *shape: int) -> memoryview:
    """Return an array of zeros."""
    return memoryview(bytearray(calcsize(integers) * prod(shape))).cast(integers, shape)


def longs(values: Iterable[int]) -> memoryview:
    """Return an array of integers of 64 bits."""
    return memoryview(array(LONG_FORMAT, values))


def fill(numbers: memoryview, byte: bytes) -> memoryview:
    """Fill an array with a byte, and return it: zeros of 0, and -1 of 255."""
    numbers.cast("B")[:] = byte * numbers.nbytes
    return numbers


def longer(numbers: memoryview, room: int) -> memoryview:
    """Return an array with more rows."""
    wider = zeros(cast(Format, numbers.format), room, *(numbers.shape or ())[1:])
    wider.cast("B")[: numbers.nbytes] = numbers.cast("B")
    return wider


def row(numbers: memoryview, number: int) -> list[int]:
    """Return a row of an array of two dimensions."""
    return cast("list[int]", numbers[number : number + 1].tolist()[0])


class StateArrays:
    """States of some pieces, with room for more.

    ``arrays`` are for the kernel: the states, their hashes, the table of states, how each was reached, and the weights
    of the hash. ``goals`` says whether a separation is possible in each state.
    """

    def __init__(self, weights: memoryview) -> None:
        states, came = zeros(LONG_FORMAT, FIRST_ROOM_STATES, len(weights)), zeros(LONG_FORMAT, FIRST_ROOM_STATES, 4)
        hashes, table = zeros(LONG_FORMAT, FIRST_ROOM_STATES), zeros(INT_FORMAT, 2 * FIRST_ROOM_STATES)
        self._all, self._goals = (states, hashes, table, came, weights), zeros(LONG_FORMAT, FIRST_ROOM_STATES)

    def clear(self, most: int | None = None) -> None:
        """Forget all states. From now on, there is room for at most a number of them."""
        states, hashes, table, came, weights = self._all
        fill(table, b"\xff")
        fill(self._goals, b"\0")
        self.arrays, self.goals = self._all, self._goals
        if most is not None and most < len(states):
            self.arrays = states[:most], hashes[:most], table, came[:most], weights

    def begin(self, state: Sequence[int]) -> None:
        """Add the first state."""
        states, hashes, table, _, _ = self.arrays
        for piece, place in enumerate(state):
            states[0, piece] = place
        hashes[0] = table[0] = 0

    def widen(self, count: int, most: int) -> bool:
        """Make room for more states; return whether there is more room. The larger arrays are not kept."""
        states, hashes, table, came, weights = self.arrays
        room = min(4 * len(states), most)
        if room <= len(states):
            return False
        table = fill(zeros(INT_FORMAT, 1 << (2 * room - 1).bit_length()), b"\xff")
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
        self.arrays = (
            zeros(LONG_FORMAT, room),
            fill(zeros(LONG_FORMAT, room), b"\xff"),
            zeros(INT_FORMAT, room, 2 * axes + 2),
        )

    def copy(self) -> GapTable:
        """Return a table with the same gaps."""
        copy = GapTable(1, self._axes)
        keys, pairs, values = [longer(numbers, len(numbers)) for numbers in self.arrays]
        copy.known, copy.arrays = self.known, (keys, pairs, values)
        return copy

    def widen(self, size: int) -> None:
        """Make the table larger: enough for one more state of some pieces."""
        room = 4 * len(self.arrays[0])
        while 2 * (self.known + size * size) > room:
            room *= 2
        wide = GapTable(room, self._axes).arrays
        kernel.rehash(*self.arrays, *wide)
        self.arrays = wide


#: Fronts with fewer states are not divided.
MIN_FRONT_STATES = 512

#: A thread expands at most this many states before states are added.
MAX_SHARE_STATES = 1 << 13

#: The data of a whole search: the shape of each piece, the lines of all shapes, and the step along each axis.
Fixed = tuple[memoryview, tuple[memoryview, ...], memoryview]


class DividedFront:
    """Expands fronts in the threads of a team.

    Args:
        team: The threads.
        gaps: The gaps that the search knows without help.

    """

    def __init__(self, team: Team, gaps: GapTable) -> None:
        self._team, self._gaps = team, [gaps]
        self._controls = [zeros(LONG_FORMAT, kernel.CONTROLS)]
        self._found: dict[tuple[int, int], StateArrays] = {}

    def expand(self, fixed: Fixed, states: StateArrays, most: int, control: memoryview) -> int:
        """Expand some states of the front; return an answer of the kernel.

        Args:
            fixed: The pieces and directions.
            states: The known states.
            most: At most this many states may be known.
            control: The counters of the search.

        """
        head, end, goals = (control[place] for place in (kernel.HEAD, kernel.END, kernel.GOALS))
        with self._team.helpers() as free:
            number = free + 1
            share = min(MAX_SHARE_STATES, -(-(end - head) // number))
            while len(self._gaps) < number:
                self._gaps.append(self._gaps[0].copy())
                self._controls.append(zeros(LONG_FORMAT, kernel.CONTROLS))

            def part(thread: int) -> Callable[[], int]:
                begin = min(end, head + thread * share)
                return lambda: self._expand_part(thread, fixed, states, control, (begin, min(end, begin + share)))

            answers = self._team.results([part(thread) for thread in range(number)])
        control[kernel.GAPS] = self._gaps[0].known
        for thread, answer in enumerate(answers):
            merged = self._merge(thread, len(fixed[0]), states, most, control)
            if merged != kernel.DONE:
                return merged
            control[kernel.HEAD] = self._controls[thread][kernel.HEAD]
            control[kernel.GOALS] += self._controls[thread][kernel.GOALS] - goals
            if answer == kernel.LOOSE:  # after a goal, a single thread would not search for moves of this state
                ended = control[kernel.LAST] < 0 and control[kernel.GOALS]
                return kernel.BUDGET if ended else kernel.LOOSE
        return kernel.BUDGET

    def _expand_part(
        self, thread: int, fixed: Fixed, states: StateArrays, control: memoryview, part: tuple[int, int]
    ) -> int:
        shapes, lines, steps = fixed
        size, gaps, counters = len(shapes), self._gaps[thread], self._controls[thread]
        additions = self._found.get((thread, size))
        if additions is None:
            additions = self._found[thread, size] = StateArrays(states.arrays[-1])
        additions.clear()
        counters[:] = control
        counters[kernel.COUNT], counters[kernel.HEAD], counters[kernel.END] = 0, *part
        counters[kernel.GAPS], counters[kernel.SETS] = gaps.known, MAX_CLOSED_SETS
        counters[kernel.DIVIDED], counters[kernel.LEFT] = 1, -1
        while True:
            answer = kernel.advance(
                shapes, lines, gaps.arrays, states.arrays, additions.arrays, states.goals, steps, counters
            )
            gaps.known = counters[kernel.GAPS]
            if answer == kernel.MORE_GAPS:
                gaps.widen(size)
            elif answer == kernel.MORE_STATES:
                additions.widen(counters[kernel.COUNT], 4 * len(additions.goals))
                additions.keep()
            else:
                return answer

    def _merge(self, thread: int, size: int, states: StateArrays, most: int, control: memoryview) -> int:
        """Add what a thread has found to the known states; return whether there was room for it."""
        counters, begin = self._controls[thread], 0
        count = counters[kernel.COUNT]
        if control[kernel.LAST] >= 0 or not control[kernel.GOALS]:
            additions = self._found[thread, size].arrays
            while (begin := kernel.merge(states.arrays, additions, control, begin, count)) < count:
                if not states.widen(control[kernel.COUNT], most):
                    return kernel.MORE_STATES
        return kernel.DONE


#: States that one call expands. The time is checked between calls.
CALL_STATES = 1 << 14

#: Bits of a position on a line with the kind of the cell above it, and of each coordinate of a line.
_KIND_BITS, _LINE_BITS = 17, 22


#: The answer of a search without separations.
_NO_SEPARATION = First(0, ())


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


class _SearchData:
    """The data of a search for parts of one size: their shapes and positions, what blocks them, and states."""

    def __init__(self, weights: memoryview, axes: int) -> None:
        size = len(weights)
        self.shapes, self.places = zeros(LONG_FORMAT, size), zeros(LONG_FORMAT, size)
        self.sets, self.states = zeros(LONG_FORMAT, axes * size), StateArrays(weights)
        self.advance, self.blocked = _Ready(kernel.advance), _Ready(kernel.blocked)


class CompiledSearch:
    """Searches for first separations of parts made of the shapes of one table of gaps; a team helps with large ones."""

    def __init__(self, gaps: Gaps, team: Team | None = None) -> None:
        self.gaps = gaps
        axes, dimension = len(gaps.axes), gaps.lattice.dimension
        bits = 13 if dimension > 3 else 20
        self._weights = list[list[int]]()
        for axis in gaps.axes:
            level = pivot(axis)
            weights = [
                1 << (_LINE_BITS + bits * (coordinate - (coordinate > level))) for coordinate in range(dimension)
            ]
            rest = sum([weight * a for k, (weight, a) in enumerate(zip(weights, axis, strict=True)) if k != level])
            weights[level] = axis[level] * (1 - rest)
            self._weights.append(weights)
        self._all_weights = zeros(LONG_FORMAT, axes, dimension)
        for place, weight in zip(product(range(axes), range(dimension)), chain(*self._weights), strict=True):
            self._all_weights[place] = weight
        self._steps = longs(gaps.steps)
        #: The cells of the sweeps and of the fronts of all shapes, each with the starts of shapes and axes.
        self._sweeps = zeros(LONG_FORMAT, 1 << 10), zeros(LONG_FORMAT, axes + 1)
        self._fronts = zeros(LONG_FORMAT, 1 << 10), zeros(LONG_FORMAT, axes + 1)
        self._shapes = 0
        self._rooms: dict[int, _SearchData] = {}
        self._lines = self._all_lines()
        self._table, self._control = GapTable(1 << 12, axes), zeros(LONG_FORMAT, kernel.CONTROLS)
        random = Random(1)
        self._hash = longs([random.getrandbits(62) | 1 for _ in range(kernel.MOST_PIECES + 1)])
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
        states = room.states
        states.clear(most)
        first = places[0]
        states.begin([place - first for place in places])
        last, singles = (-1, 0) if reach is None else reach
        control, lines, front, answer = self._control, self._lines, 1, kernel.BUDGET
        # At the positions that the kernel names.
        control[:] = longs((1, 0, 1, 0, 0, table.known, MAX_CLOSED_SETS, last, singles, 0, CALL_STATES))
        while answer != kernel.DONE:
            if self._divided is not None and front >= MIN_FRONT_STATES:
                answer = self._divided.expand((room.shapes, lines, self._steps), states, most, control)
            else:
                control[kernel.LEFT] = CALL_STATES if self._divided is None else max(front, MIN_FRONT_STATES)
                arrays = states.arrays, states.arrays, states.goals
                answer = room.advance(room.shapes, lines, table.arrays, *arrays, self._steps, control)
            count, head, end, moves, goals, table.known = control.tolist()[: kernel.GAPS + 1]
            bounds.reached, front = (count, moves), end - head
            if answer == kernel.MORE_GAPS:
                table.widen(size)
            elif answer == kernel.LOOSE:
                raise SearchStoppedError(Stop.LOOSE, moves)
            elif answer == kernel.MORE_STATES and not states.widen(bounds.reached[0], most):
                raise SearchStoppedError(Stop.MEMORY, moves)
            bounds.check_time(moves)
        if not goals:
            return _NO_SEPARATION
        ends = []
        for state in [state for state, goal in enumerate(states.goals[:head].tolist()) if goal]:
            there = tuple(row(states.arrays[0], state))
            ends.append(Goal(there, _path(states.arrays[3], state), self.blocked(shapes, there)))
        return First(len(ends[0].path) + 1, tuple(ends))

    def blocked(self, shapes: Sequence[int], places: Sequence[int]) -> list[list[int]]:
        """Return for each axis and piece the set of pieces that it ever meets."""
        size, table, control, room = len(shapes), self._table, self._control, self._room(shapes)
        room.places[:] = longs(places)
        control[kernel.GAPS] = table.known
        while not room.blocked(room.shapes, room.places, self._lines, table.arrays, control, room.sets):
            table.widen(size)
        table.known = control[kernel.GAPS]
        sets: list[int] = room.sets.tolist()
        return [sets[start : start + size] for start in range(0, len(sets), size)]

    def _room(self, shapes: Sequence[int]) -> _SearchData:
        """Return the room for a part, with the numbers of its shapes."""
        self._add_shapes()
        room = self._rooms.get(len(shapes))
        if room is None:
            room = self._rooms[len(shapes)] = _SearchData(self._hash[: len(shapes)], len(self.gaps.axes))
        room.shapes[:] = longs(shapes)
        return room

    def _all_lines(self) -> tuple[memoryview, ...]:
        (sweeps, sweep_starts), (fronts, front_starts) = self._sweeps, self._fronts
        return sweeps, fronts, sweep_starts, front_starts, self._all_weights

    def _add_shapes(self) -> None:
        """Add the numbers of shapes that are new."""
        if self._shapes == len(self.gaps.shapes):
            return
        for cells in self.gaps.shapes[self._shapes :]:
            points, kinds = self._unpacked([packed for packed, _ in cells]), [kind for _, kind in cells]
            fronts, sweeps = list[set[int]](), list[set[int]]()
            for axis, ahead in enumerate(self._ahead):
                at = list(zip(self._on_lines(axis, points), kinds, strict=True))
                fronts.append({number + (kind << _KIND_BITS) for number, kind in at})
                sweeps.append({number + more for number, kind in at for more in ahead[kind]})
            self._sweeps = self._added(*self._sweeps, sweeps)
            self._fronts = self._added(*self._fronts, fronts)
            self._shapes += 1
        self._lines = self._all_lines()

    def _added(
        self, numbers: memoryview, starts: memoryview, fresh: Iterable[set[int]]
    ) -> tuple[memoryview, memoryview]:
        """Return the numbers of all shapes, and where they begin, with those of one more shape for each axis."""
        first = self._shapes * len(self.gaps.axes)
        if first + len(self.gaps.axes) + 1 > len(starts):
            starts = longer(starts, 2 * len(starts) + len(self.gaps.axes))
        end = starts[first]
        for place, some in enumerate(fresh, first + 1):
            while end + len(some) > len(numbers):
                numbers = longer(numbers, 2 * len(numbers))
            numbers[end : end + len(some)] = longs(sorted(some))
            end += len(some)
            starts[place] = end
        return numbers, starts

    def _unpacked(self, packed: Iterable[int]) -> list[Point]:
        return [unpack(vector, self.gaps.lattice.dimension) for vector in packed]

    def _on_lines(self, axis: int, points: Iterable[Point]) -> list[int]:
        """Return the numbers of vectors: their lines along an axis, and where on these they are."""
        weights = self._weights[axis]
        if len(weights) == 3:  # written out, since most pieces are solids
            a, b, c = weights
            return [a * x + b * y + c * z for x, y, z in points]
        return [sum(map(mul, weights, point)) for point in points]

    @cached_property
    def _ahead(self) -> list[list[list[int]]]:
        """For each axis and kind of cell: what is added to the number of a cell for each cell that it runs into."""
        return [
            [self._met(axis, self.gaps.contacts.of(axis, kind)) for kind in range(len(self.gaps.lattice.kinds))]
            for axis in range(len(self.gaps.axes))
        ]

    def _met(self, axis: int, contacts: Sequence[tuple[int, int, int]]) -> list[int]:
        at = self._on_lines(axis, self._unpacked([step for step, _, _ in contacts]))
        return [number + (other << _KIND_BITS) - free for number, (_, other, free) in zip(at, contacts, strict=True)]


def _path(came: memoryview, state: int) -> tuple[Shift, ...]:
    shifts = []
    while state:
        before, pieces, axis, distance = row(came, state)
        shifts.append(Shift(pieces, axis, distance))
        state = before
    return tuple(shifts[::-1])
