"""All moves from a state of an assembly, for a page on which it is taken apart by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from puzzlec.geometry import Lattice, Point
from puzzlec.ir import Solution
from puzzlec.motion.bodies import Bodies, check_size, movable
from puzzlec.motion.disassembly import Body, Step
from puzzlec.motion.gaps import NEVER, Gaps
from puzzlec.motion.search import StoppedError, closed, closed_sets, gap_table, members, moves_of, needs
from puzzlec.motion.shown import shifted, vector_of

#: The number of the body that never moves, where numbers are those of placements.
_STILL = -1


@dataclass(frozen=True)
class State:
    """A state of a solution: the placements on the stage, and how far each is from its position.

    A distance is a vector between points.

    ``walled``: whether the walls and immovable pieces are among the things that are still together.
    """

    there: tuple[int, ...]
    shifts: Mapping[int, Point]
    walled: bool = True


class Choice(NamedTuple):
    """A move from a state: the placements that move, the vector between points, its number of steps.

    If they ``leave``, nothing is in their way at any distance, and the vector takes them past all others. If several
    pieces leave the walls together, they stay on the stage instead, and ``walled`` is false after the move.
    """

    pieces: tuple[int, ...]
    way: Point
    distance: int
    leave: bool
    walled: bool


def moves_from(solution: Solution, state: State, most: int) -> tuple[list[Choice], bool]:
    """Return the moves from a state, those of few pieces first, and whether these are all.

    Moving a set of pieces gives the same state as moving all others in the opposite direction. A move names the smaller
    set, and never pieces that cannot move. If both parts of a separation have several pieces, each is named once, since
    the other part is then taken further apart.

    Args:
        solution: A solution of a puzzle with a lattice.
        state: Where its pieces are.
        most: The most moves to return.

    Raises:
        PuzzleError: If the pieces of the puzzle cannot be moved (PZ701, PZ703).

    """
    puzzle = movable(solution.fitting)
    check_size(puzzle)
    assert puzzle.lattice is not None
    lattice, bodies = puzzle.lattice, dict[int, Body]()
    all_bodies = Bodies(puzzle).of(solution)
    still = set(puzzle.immovable)
    single = [
        number
        for number, placement in enumerate(solution.placements)
        if solution.fitting.piece_name(placement.piece) not in still
    ]
    walls = len(all_bodies) - len(single)
    if walls and state.walled:
        bodies[_STILL] = all_bodies[0]
    for number, body in zip(single, all_bodies[walls:], strict=True):
        if number in state.there:
            shift = state.shifts.get(number)
            bodies[number] = body._replace(cells=shifted(lattice, body.cells, shift)) if shift else body
    if len(bodies) < 2:
        return [], True
    gaps, numbers = _gaps(lattice), tuple(bodies)
    shapes, places = zip(*[gaps.shape_of(body.cells) for body in bodies.values()], strict=True)
    table = gap_table(gaps, shapes, tuple([place - places[0] for place in places]))
    found, whole = list[Choice](), True
    full = (1 << len(numbers)) - 1
    for axis, rows in enumerate(table):
        needed = needs(rows, NEVER)
        closures = [closed(piece, needed) for piece in range(len(numbers))]
        sets = closed_sets(closures, full)
        whole = whole and sets is not None
        far = _far(gaps, axis, [body.cells for body in bodies.values()])
        for pieces in sets if sets is not None else sorted({one for one in closures if one != full}):
            for movers, sign in _movers(pieces, full, numbers, separates=True):
                step = Step((), tuple([sign * value for value in gaps.axes[axis]]), far, True)
                are_all = len(movers) > 1 and numbers[0] == _STILL and len(movers) + 1 == len(numbers)
                found.append(Choice(movers, vector_of(lattice, step), far, not are_all, state.walled and not are_all))
    try:
        for shift in moves_of(table, 0):
            for movers, sign in _movers(shift.pieces, full, numbers, separates=False):
                step = Step((), tuple([sign * value for value in gaps.axes[shift.axis]]), shift.distance, False)
                found.append(Choice(movers, vector_of(lattice, step), shift.distance, False, state.walled))
    except StoppedError:
        whole = False
    found.sort(key=lambda choice: (len(choice.pieces), not choice.leave, choice.distance, choice.pieces))
    return found[:most], whole and len(found) <= most


#: The gaps between the pieces of the last puzzle; the next state has the same pieces.
@lru_cache(1)
def _gaps(lattice: Lattice) -> Gaps:
    return Gaps(lattice)


def _movers(pieces: int, full: int, numbers: tuple[int, ...], separates: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the placements that move for a set of bodies or for all others, with the sign of their direction."""
    parts = ((pieces, 1), (full ^ pieces, -1))
    sides = [(tuple([numbers[body] for body in members(part)]), sign) for part, sign in parts]
    sides = [side for side in sides if _STILL not in side[0]]
    if len(sides) == 2 and not (separates and min(len(side) for side, _ in sides) > 1):
        sides = [min(sides, key=lambda side: len(side[0]))]
    yield from sides


def _far(gaps: Gaps, axis: int, groups: list[tuple[tuple[int, ...], ...]]) -> int:
    """Return the number of steps along an axis after which any piece is past all others."""
    way = gaps.axes[axis]
    pivot = next(number for number, value in enumerate(way) if value)
    along = [cell[pivot] * (1 if way[pivot] > 0 else -1) for cells in groups for cell in cells]
    return (max(along) - min(along)) // abs(way[pivot]) + 2


__all__ = ["Choice", "State", "moves_from"]
