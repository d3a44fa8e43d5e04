"""The solutions of a calendar on every date, counted in one sweep over its cells.

The sweep takes the first cell that is not covered, in reading order. A piece covers it, or it stays open as a mark of
the date. Partial fillings with the same pieces, the same kinds of marks and the same covered cells ahead are one state.
A pass back from the full board counts the ways to finish each state, for each choice of the marks that are still to
come. All dates share the states, so their number hardly changes the time.

A state is one integer. Its low bits are the cells from the current one on, the bits above are the pieces in use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlec.geometry import Cell
from puzzlec.ir import Fitting

#: The bits of a state, and the maximum number of steps between states, of 8 bytes each.
STATE_BITS, MAX_STEPS = 63, 150_000_000

_Numbers: TypeAlias = npt.NDArray[np.int32]
_Counts: TypeAlias = npt.NDArray[np.int64]

_ONE = np.uint64(1)


class TooLargeError(Exception):
    """There are too many pieces, or too many states."""


class _CoverWay(NamedTuple):
    """A way to cover the current cell: the bits that it tests, the values they must have, and the bits that it adds."""

    looked_at: int
    wanted: int
    added: int
    mark: bool


class _StateSteps(NamedTuple):
    """Steps by the numbers of their states at a cell and at the next one; with a ``mark`` the cell stays open."""

    before: _Numbers
    after: _Numbers
    mark: bool


class _StateLayer(NamedTuple):
    """The states at a cell: the set of marks in each, as bits, and the steps to the next cell.

    The steps of one entry begin in different states.
    """

    marks: npt.NDArray[np.uint8]
    steps: list[_StateSteps]


def solutions_of_marks(fitting: Fitting, marks: Sequence[Sequence[Cell]], check: Callable[[], None]) -> _Counts:
    """Return the number of solutions for each choice of open cells: an array with an axis for each kind of mark.

    Args:
        fitting: The whole board. Its first pieces are the kinds of marks, each of one cell.
        marks: The cells of each kind of mark, in reading order. Together they are the board.
        check: Called at each cell. It may raise an error at a limit of time.

    Raises:
        TooLargeError: If there are too many pieces or states.

    """
    sweep = _DaySweep(fitting, marks)
    return sweep.back(sweep.forward(check), check)


class _DaySweep:
    """The cells in reading order, the ways in which each can be the first of a piece, and the two passes."""

    def __init__(self, fitting: Fitting, marks: Sequence[Sequence[Cell]]) -> None:
        order = sorted((cell for cells in marks for cell in cells), key=lambda cell: cell[::-1])
        #: The kind of mark of each cell.
        self.kinds = [next(kind for kind, cells in enumerate(marks) if cell in cells) for cell in order]
        self.marks = len(marks)
        place = {cell: number for number, cell in enumerate(order)}
        number = [place[location.at] for location in fitting.origin.locations if not isinstance(location.at, str)]
        placed = [
            (piece, sorted(number[location] for location in locations))
            for piece, fitted in enumerate(fitting.pieces)
            for locations in fitted.placements
        ]
        self.window = 1 + max(cells[-1] - cells[0] for _, cells in placed)
        bases = [self.window]
        for fitted in fitting.pieces:
            bases.append(bases[-1] + fitted.high)
        if bases[-1] > STATE_BITS:
            raise TooLargeError(f"a calendar of {bases[-1] - self.window - self.marks} pieces is too large")
        self.ways: list[list[_CoverWay]] = [[] for _ in order]
        for piece, cells in placed:
            base, copies = bases[piece], fitting.pieces[piece].high
            covered = sum(1 << cell - cells[0] for cell in cells)
            for copy in range(copies):  # copies are used in order, so solutions with exchanged copies count once
                way = _CoverWay(
                    covered | ((1 << copies) - 1) << base,
                    ((1 << copy) - 1) << base,
                    covered | 1 << base + copy,
                    piece < self.marks,
                )
                self.ways[cells[0]].append(way)

    def forward(self, check: Callable[[], None]) -> list[_StateLayer]:
        """Return the states at each cell, and after the last one."""
        states, layers, kept = np.zeros(1, dtype=np.uint64), list[_StateLayer](), 0
        window, all_marks = np.uint64((1 << self.window) - 1), np.uint64((1 << self.marks) - 1)
        for ways in self.ways:
            check()
            marks = (states >> np.uint64(self.window) & all_marks).astype(np.uint8)
            covered = states & _ONE != 0
            numbers = np.flatnonzero(~covered).astype(np.int32)
            free = states[numbers]
            before, reached = [np.flatnonzero(covered).astype(np.int32)], [states[covered]]
            for way in ways:
                able = free & np.uint64(way.looked_at) == np.uint64(way.wanted)
                before.append(numbers[able])
                reached.append(free[able] | np.uint64(way.added))
            ends = np.cumsum([len(some) for some in reached])
            kept += int(ends[-1])
            if kept > MAX_STEPS:
                raise TooLargeError("there are too many ways to place the pieces")
            joined = np.concatenate(reached)
            states, places = np.unique((joined & window) >> _ONE | joined & ~window, return_inverse=True)
            after = np.split(places.astype(np.int32), ends[:-1])
            is_mark = [False, *[way.mark for way in ways]]
            layers.append(_StateLayer(marks, [_StateSteps(*step) for step in zip(before, after, is_mark, strict=True)]))
        return [*layers, _StateLayer(np.full(len(states), all_marks, dtype=np.uint8), [])]

    def back(self, layers: Sequence[_StateLayer], check: Callable[[], None]) -> _Counts:
        """Return the numbers of ways to finish the empty board, from the states of each layer."""
        every = (1 << self.marks) - 1
        ahead = [0] * self.marks  # the cells of each kind that are still to come
        # If there is a state after the last cell, it has every piece and every mark, because the sizes match.
        rows = np.arange(len(layers[-1].marks), dtype=np.int32)
        ways = {marks: np.zeros((0, *self._shape(marks, ahead)), dtype=np.int64) for marks in range(every)}
        ways[every] = np.ones((len(rows), *self._shape(every, ahead)), dtype=np.int64)
        for cell in reversed(range(len(self.ways))):
            check()
            ahead[self.kinds[cell]] += 1
            rows, ways = self._layer_back(layers[cell], self.kinds[cell], ahead, rows, ways)
        totals: _Counts = ways[0].sum(axis=0)
        return totals

    def _layer_back(
        self, layer: _StateLayer, kind: int, ahead: Sequence[int], rows_after: _Numbers, after: dict[int, _Counts]
    ) -> tuple[_Numbers, dict[int, _Counts]]:
        """Return for each state its row (-1: it cannot be finished), and for each set of marks the numbers of ways."""
        alive = np.zeros(len(layer.marks), dtype=np.bool_)
        steps = []
        for step in layer.steps:
            rows = rows_after[step.after]
            steps.append(_StateSteps(step.before[rows >= 0], rows[rows >= 0], step.mark))
            alive[steps[-1].before] = True
        row_of, counts = np.full(len(alive), -1, dtype=np.int32), dict[int, _Counts]()
        for marks in after:
            those = np.flatnonzero(alive & (layer.marks == marks))
            row_of[those] = np.arange(len(those), dtype=np.int32)
            counts[marks] = np.zeros((len(those), *self._shape(marks, ahead)), dtype=np.int64)
            axis: tuple[slice, ...] = (slice(None),) * (kind + 1)
            for step in steps:
                some = layer.marks[step.before] == marks
                if not some.any():
                    continue
                here = counts[marks]
                if not marks >> kind & 1:  # the first of the cells ahead is this one
                    here = here[(*axis, slice(1) if step.mark else slice(1, None))]
                here[row_of[step.before[some]]] += after[marks | step.mark << kind][step.after[some]]
        return row_of, counts

    @staticmethod
    def _shape(marks: int, ahead: Sequence[int]) -> tuple[int, ...]:
        return tuple(1 if marks >> kind & 1 else number for kind, number in enumerate(ahead))
