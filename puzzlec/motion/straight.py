"""Find an order in which the pieces of a solution can be put together, one at a time, by straight moves from far away.

The rule takes the solid apart. A piece *can come out* along a direction if its cells, moved along it by any distance,
have no inner point in common with a cell of a remaining piece. The module ``blocking`` decides that, and has the
directions. While pieces remain, the rule takes the first direction, in their order of preference, along which a piece
can come out. If several pieces can, the one whose cells lie highest on the average comes out. Of equally high ones the
nearest one comes out, then the rightmost, then the one of the later placement. The order of assembly is the reverse,
and pieces move in against the directions in which they come out.

The result does not depend on luck. A piece that can come out of a solid can still do so when others have left. So
every order of taking single pieces out ends with the same rest. No single piece of the rest can move out along any of
the directions: its pieces interlock, as those of burrs do. The rest is one group, and the other pieces are added to it.
Its pieces may still come apart by several moves, by moves of several pieces at once, by rotations, or in other
directions. This module does not decide that. Cells have their full size, and balls of a piece are joined in points
in which they touch.

Flat pieces are laid on the table one at a time, row by row. A solid on a board that wraps around has no position in
space: all of its pieces are one group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.faces import place, sheet_place
from puzzlec.ir import Solution
from puzzlec.motion.blocking import in_space, obstacles, ways_out


class Step(NamedTuple):
    """A step of an assembly: the number of a placement, and the vector (between points) along which it moves in.

    The vector is empty for a flat piece, which is laid down from above.
    """

    placement: int
    way: Point


@dataclass(frozen=True)
class Assembly:
    """An order of assembly: placements that interlock, which are there first, and steps that add one each."""

    together: tuple[int, ...]
    steps: tuple[Step, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """All placements: those that interlock, then the others as they are added."""
        return self.together + tuple([step.placement for step in self.steps])


def assembly(solution: Solution) -> Assembly:
    """Return an order in which the pieces of a solution can be put together.

    Raises ValueError for a puzzle without geometry.
    """
    puzzle = solution.fitting.puzzle
    if puzzle is None or puzzle.lattice is None:
        raise ValueError("a puzzle without a lattice has no steps of assembly")
    at = [location.at for location in puzzle.locations]
    groups = [[at[location] for location in placement.locations] for placement in solution.placements]
    cells = [[cell for cell in group if not isinstance(cell, str)] for group in groups]
    if puzzle.wraps and puzzle.lattice.dimension > 2:
        return Assembly(tuple(range(len(cells))), ())
    return order_of(puzzle.lattice, cells)


def order_of(lattice: Lattice, groups: Sequence[Sequence[Cell]]) -> Assembly:
    """Return an order in which groups of cells, no two of which overlap, can be put together.

    >>> from puzzlec.geometry import find_lattice
    >>> order_of(find_lattice("cubic"), [[(0, 0, 1)], [(0, 0, 0)]]).steps
    (Step(placement=1, way=(0, 0, -1)), Step(placement=0, way=(0, 0, -1)))
    """
    if lattice.dimension < 3:
        return _laid_down(lattice, groups)
    ways = ways_out(lattice)
    hinders, hindered = _obstacles(lattice, groups, ways)
    rank = {number: turn for turn, number in enumerate(_from_the_top(lattice, groups))}
    piece_of = {turn: number for number, turn in rank.items()}
    free = [[rank[number] for number in rank if not hindered[way][number]] for way in range(len(ways))]
    for heap in free:
        heapify(heap)
    there, taken = set(rank), list[Step]()
    while there:
        found = _next(free, piece_of, there)
        if found is None:
            break
        way, number = found
        there.remove(number)
        taken.append(Step(number, tuple([-value for value in ways[way]])))
        for direction in range(len(ways)):
            for other in hinders[direction][number]:
                hindered[direction][other].discard(number)
                if not hindered[direction][other]:
                    heappush(free[direction], rank[other])
    return Assembly(tuple(sorted(there)), tuple(taken[::-1]))


def _next(free: list[list[int]], piece_of: dict[int, int], there: set[int]) -> tuple[int, int] | None:
    """Return the direction and the piece that comes out next; None if no piece can."""
    for way, heap in enumerate(free):
        while heap and piece_of[heap[0]] not in there:
            heappop(heap)
        if heap:
            return way, piece_of[heap[0]]
    return None


_Sets = list[dict[int, set[int]]]


def _obstacles(lattice: Lattice, groups: Sequence[Sequence[Cell]], ways: Sequence[Point]) -> tuple[_Sets, _Sets]:
    """Return for each direction and piece which others it hinders, and which hinder it."""
    hinders: _Sets = [defaultdict(set) for _ in ways]
    hindered: _Sets = [defaultdict(set) for _ in ways]
    number = {way: index for index, way in enumerate(ways)}
    for way, index in number.items():
        back = number[tuple([-value for value in way])]
        if index < back:
            for mover, other in obstacles(lattice, groups, way):
                hindered[index][mover].add(other)
                hinders[index][other].add(mover)
                hindered[back][other].add(mover)
                hinders[back][mover].add(other)
    return hinders, hindered


def _from_the_top(lattice: Lattice, groups: Sequence[Sequence[Cell]]) -> list[int]:
    """Return the numbers of groups: the highest on the average first, then the nearest, then the rightmost."""

    def key(number: int) -> tuple[float, ...]:
        x, y, z = _middle(lattice, groups[number])
        return -round(z, 6), round(y, 6), -round(x, 6), -number

    return sorted(range(len(groups)), key=key)


def _middle(lattice: Lattice, cells: Sequence[Cell]) -> tuple[float, float, float]:
    places = [_place(lattice, lattice.point(cell)) for cell in cells]
    x, y, z = (sum(values) / max(1, len(places)) for values in zip(*places, strict=True))
    return x, y, z


def _place(lattice: Lattice, point: Point) -> tuple[float, ...]:
    """Return where a point is in space. The fourth dimension is ignored."""
    return (point[0], -point[1], point[2]) if lattice.dimension > 3 else place(lattice, point)


def _laid_down(lattice: Lattice, groups: Sequence[Sequence[Cell]]) -> Assembly:
    """Return flat pieces in the order of their first cells, row by row."""

    def first(number: int) -> tuple[float, ...]:
        places = [sheet_place(lattice, lattice.point(cell)) for cell in groups[number]]
        return (*min((round(y, 6), round(x, 6)) for x, y in places), number)

    return Assembly((), tuple([Step(number, ()) for number in sorted(range(len(groups)), key=first)]))


__all__ = ["Assembly", "Step", "assembly", "in_space", "order_of"]
