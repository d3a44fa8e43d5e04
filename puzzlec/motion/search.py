"""The search for the first separation of a part: breadth first over the relative positions of its pieces.

A *move* takes a set of pieces one or more steps along an axis. The set must be closed: if one of its pieces would meet
another piece within this distance, that piece also belongs to the set. Even a piece that would be met late in the move
is pushed from the start. If the complement of the set moves the other way, the state is the same, so one direction of
each axis is enough. A set that meets nothing at any distance is a *separation*; it is a move as well.

The gaps need no closure. If i meets k before s steps and k meets j before s steps, a set with i needs k, and so needs
j. So the sets that are closed under direct needs are all sets that can move.

Sets of pieces are integers, a bit for each piece. States are tuples of packed positions, the first of which is zero.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from puzzlec.engine.limits import Stop
from puzzlec.motion.gaps import ENDLESS_GAP, Gaps

#: If a state has more closed sets than this, the search stops: the pieces are too loose.
MAX_CLOSED_SETS = 4096

#: Bytes of a state in the memory of the search, and of each piece in it.
STATE_BYTES, PIECE_BYTES = 260, 36

#: Default limit of the memory of a search: 1 GiB.
DEFAULT_SEARCH_BYTES = 1 << 30

_STATES_PER_CHECK = 256


class Shift(NamedTuple):
    """A move: a set of pieces, the number of an axis, and the steps along it. Zero steps are a separation."""

    pieces: int
    axis: int
    distance: int


class Goal(NamedTuple):
    """A state in which a separation is possible: the position of each piece, and the moves that lead there.

    ``blocked`` has for each axis and piece the set of pieces that it ever meets. ``shapes`` are the shapes of the
    pieces there; None if they are those at the start.
    """

    places: tuple[int, ...]
    path: tuple[Any, ...]
    blocked: list[list[int]]
    shapes: tuple[int, ...] | None = None


class First(NamedTuple):
    """All states in which the first separation is possible after the minimum number of moves; none if there are none.

    ``moves`` counts the separation as well.
    """

    moves: int
    goals: tuple[Goal, ...]


class Reach(NamedTuple):
    """The reach of a search for all separations: all states after ``moves`` moves.

    With ``singles`` it follows no moves from a state in which a single piece can leave.
    """

    moves: int
    singles: bool


class SearchStoppedError(Exception):
    """The search ended at a limit, after all plans of ``moves`` moves."""

    def __init__(self, limit: Stop, moves: int) -> None:
        super().__init__(f"stopped at the limit ({limit}) after {moves} moves")
        self.limit, self.moves = limit, moves


class ImpatientError(Exception):
    """The search needs more states than it may expand."""


@dataclass
class Tried:
    """The number of states that a search may still expand before another search takes over."""

    left: int


@dataclass
class Bounds:
    """Limits of a search: the moment of the monotonic clock at which it stops, and its memory in bytes."""

    deadline: float | None = None
    memory: int = DEFAULT_SEARCH_BYTES
    #: How far the current search is, for a progress bar: its states, and the moves that are searched in full.
    reached: tuple[int, int] = (0, 0)
    #: Whether a warning says that there are too many pieces for the compiled search.
    slower: bool = False

    def states(self, pieces: int) -> int:
        """Return how many states of some pieces fit into the memory."""
        return max(1, self.memory // (STATE_BYTES + PIECE_BYTES * pieces))

    def check_time(self, moves: int) -> None:
        """Raise SearchStoppedError if the time is over."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise SearchStoppedError(Stop.SECONDS, moves)


def first_separations(
    gaps: Gaps,
    shapes: Sequence[int],
    places: Sequence[int],
    bounds: Bounds,
    tried: Tried | None = None,
    reach: Reach | None = None,
) -> First:
    """Return where the minimum number of moves leads to the first separation of a part.

    Args:
        gaps: The gaps between the shapes.
        shapes: The number of the shape of each piece.
        places: The packed position of each piece.
        bounds: Limits of time and memory.
        tried: How many states may be expanded; they are counted down.
        reach: Do not end at the first separation: find all states with one up to here, those after fewer moves first.

    Raises:
        SearchStoppedError: If a limit is reached before.
        ImpatientError: If more states are to be expanded than ``tried`` allows.

    """
    start = tuple([place - places[0] for place in places])
    came: dict[tuple[int, ...], tuple[tuple[int, ...], Shift] | None] = {start: None}
    most, front, moves, looked = bounds.states(len(shapes)), [start], 0, 0
    goals: list[tuple[tuple[int, ...], list[list[int]]]] = []
    while front:
        bounds.reached = len(came), moves
        bounds.check_time(moves)
        fresh: list[tuple[int, ...]] = []
        for state in front:
            looked += 1
            if tried is not None:
                if tried.left == 0:
                    raise ImpatientError
                tried.left -= 1
            if looked % _STATES_PER_CHECK == 0:
                bounds.reached = len(came), moves
                bounds.check_time(moves)
            table = gap_table(gaps, shapes, state)
            blocked = [needs(rows, ENDLESS_GAP) for rows in table]
            if any(is_separable(others) for others in blocked):
                goals.append((state, blocked))
            if not goals if reach is None else continues(blocked, moves, reach):
                for shift in moves_of(table, moves):
                    after = after_move(state, shift, gaps.steps[shift.axis])
                    if after not in came:
                        came[after] = state, shift
                        fresh.append(after)
                if len(came) > most:
                    raise SearchStoppedError(Stop.MEMORY, moves)
        if goals and reach is None:
            break
        front, moves = fresh, moves + 1
    separations = tuple([Goal(goal, _path(came, goal), blocked) for goal, blocked in goals])
    return First(len(separations[0].path) + 1 if separations else 0, separations)


def continues(blocked: Sequence[Sequence[int]], moves: int, reach: Reach) -> bool:
    """Whether a search for all separations follows the moves from a state."""
    return moves < reach.moves and not (reach.singles and any(frees_single(others) for others in blocked))


def frees_single(blocked: Sequence[int]) -> bool:
    """Whether some piece meets no other along an axis, or no other meets it."""
    return any(
        pieces in (0, 1 << piece)
        or not any(other >> piece & 1 for number, other in enumerate(blocked) if number != piece)
        for piece, pieces in enumerate(blocked)
    )


def gap_table(gaps: Gaps, shapes: Sequence[int], places: Sequence[int]) -> list[list[list[int]]]:
    """Return for each axis and piece the steps that it can make before it meets each other piece."""
    size = len(shapes)
    table = [[[ENDLESS_GAP] * size for _ in range(size)] for _ in gaps.axes]
    for i in range(size):
        for j in range(i + 1, size):
            steps = gaps.between(shapes[i], shapes[j], places[j] - places[i])
            for axis, rows in enumerate(table):
                rows[i][j], rows[j][i] = steps[2 * axis], steps[2 * axis + 1]
    return table


def needs(rows: Sequence[Sequence[int]], distance: int) -> list[int]:
    """Return for each piece the set of pieces that it meets before it has made some steps."""
    return [sum(1 << j for j, gap in enumerate(row) if gap < distance) for row in rows]


def closed(piece: int, needed: Sequence[int]) -> int:
    """Return the least closed set with a piece."""
    pieces, fresh = 1 << piece, needed[piece] & ~(1 << piece)
    while fresh:
        lowest = fresh & -fresh
        pieces |= lowest
        fresh = (fresh | needed[lowest.bit_length() - 1]) & ~pieces
    return pieces


def is_separable(needed: Sequence[int]) -> bool:
    """Whether some set of pieces, neither none nor all, is closed.

    None is, if the first piece needs all others, and all others need the first one.
    """
    if closed(0, needed) != (1 << len(needed)) - 1:
        return True
    reaching, others, count = 1, list(range(1, len(needed))), 0
    while count != len(others):
        count = len(others)
        reaching |= sum([1 << piece for piece in others if needed[piece] & reaching])
        others = [piece for piece in others if not reaching >> piece & 1]
    return bool(others)


def closed_sets(closures: Sequence[int], full: int, most: int = MAX_CLOSED_SETS) -> list[int] | None:
    """Return all unions of closed sets but the full one, in ascending order; None if there are more than ``most``."""
    unions: set[int] = set()
    for closure in dict.fromkeys(closures):
        if closure != full:
            unions |= {union for other in unions if (union := closure | other) != full} | {closure}
            if len(unions) > most:
                return None
    return sorted(unions)


@lru_cache(maxsize=1 << 12)
def members(pieces: int) -> tuple[int, ...]:
    """Return the numbers in a set of pieces, in ascending order."""
    return tuple([number for number in range(pieces.bit_length()) if pieces >> number & 1])


def moves_of(table: Sequence[Sequence[Sequence[int]]], moves: int) -> Iterator[Shift]:
    """Yield all moves from a state with a table of gaps, except separations; ``moves`` lead to the state.

    Raises:
        SearchStoppedError: If there are too many sets of pieces that can move.

    """
    size = len(table[0])
    full = (1 << size) - 1
    for axis, rows in enumerate(table):
        needed = needs(rows, 1)
        sets = closed_sets([closed(piece, needed) for piece in range(size)], full)
        if sets is None:
            raise SearchStoppedError(Stop.LOOSE, moves)
        for pieces in sets:
            inside, outside = members(pieces), members(full ^ pieces)
            most = min(rows[i][j] for i in inside for j in outside)
            for distance in range(1, most + 1 if most < ENDLESS_GAP else 1):
                yield Shift(pieces, axis, distance)


def after_move(state: tuple[int, ...], shift: Shift, step: int) -> tuple[int, ...]:
    """Return the state after a move, the first piece at zero again."""
    way, pieces = step * shift.distance, shift.pieces
    if pieces & 1:
        way, pieces = -way, ~pieces
    return tuple([place + way if pieces >> number & 1 else place for number, place in enumerate(state)])


def _path(
    came: dict[tuple[int, ...], tuple[tuple[int, ...], Shift] | None], goal: tuple[int, ...]
) -> tuple[Shift, ...]:
    shifts = []
    before = came[goal]
    while before is not None:
        goal, shift = before
        shifts.append(shift)
        before = came[goal]
    return tuple(shifts[::-1])
