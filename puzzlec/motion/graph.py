"""The graph of states of an assembly: all states that its pieces can reach while they are still together.

Two states are joined if one move leads from one to the other, in either direction. A state in which pieces can separate
is an end: no moves from there are followed. A page on which an assembly is taken apart by hand needs no graph, only all
moves from one state.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import NamedTuple

from puzzlec.engine.limits import Stop
from puzzlec.geometry import Lattice, Point
from puzzlec.geometry.lattice import written
from puzzlec.ir import Solution
from puzzlec.motion.bodies import Bodies, check_size, movable, numbered
from puzzlec.motion.gaps import ENDLESS_GAP, Gaps, unpack
from puzzlec.motion.moves import Body, Step
from puzzlec.motion.search import (
    Bounds,
    SearchStoppedError,
    after_move,
    closed,
    closed_sets,
    gap_table,
    is_separable,
    members,
    moves_of,
    needs,
)
from puzzlec.motion.shown import shifted, vector_of
from puzzlec.shown import brief

#: A state in a graph takes this many bytes and more for each piece and each move.
_STATE_BYTES, _PIECE_BYTES, _MOVE_BYTES = 300, 100, 150


class Move(NamedTuple):
    r"""A move between two states: their numbers, the pieces that slide, a direction, and the number of steps.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations { xxxxx/xx..x/xxxxx }\npiece ring { xxxxx/x...x/xxxxx }\npiece dot { x }")
    >>> puzzlec.state_graph(next(puzzlec.disassemble(puzzle))).moves[0]
    Move(start=0, end=1, pieces=(1,), direction=(1, 0), distance=1)
    """

    start: int
    end: int
    pieces: tuple[int, ...]
    direction: Point
    distance: int


@dataclass(frozen=True)
class StateGraph:
    r"""The states of an assembly and the moves between them.

    ``labels`` has the name of each piece; copies have numbers. ``positions`` has for each state how far each piece is
    from its position in the assembly, the first piece at zero. ``depths`` has the minimum number of moves to each
    state. ``separable`` says whether pieces can separate there. Each move is listed once: the opposite direction leads
    back. If a limit ended the search, ``stopped`` is this limit.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x1\npiece A { x }\npiece B { x }")
    >>> graph = puzzlec.state_graph(next(puzzlec.disassemble(puzzle)))
    >>> graph.labels, graph.depths
    (('A', 'B'), (0,))
    """

    def __repr__(self) -> str:
        return brief(self)

    labels: tuple[str, ...]
    places: tuple[tuple[Point, ...], ...]
    depths: tuple[int, ...]
    separable: tuple[bool, ...]
    moves: tuple[Move, ...]
    stopped: Stop | None = None

    def as_json(self) -> str:
        """Return the graph as JSON: `pieces`, `states` and `moves`."""
        states = [
            {"places": [list(place) for place in places], "depth": depth, "separable": separable}
            for places, depth, separable in zip(self.places, self.depths, self.separable, strict=True)
        ]
        moves = [
            {
                "from": move.start,
                "to": move.end,
                "pieces": [self.labels[piece] for piece in move.pieces],
                "direction": list(move.direction),
                "distance": move.distance,
            }
            for move in self.moves
        ]
        graph = {"pieces": list(self.labels), "states": states, "moves": moves, "stopped": self.stopped}
        return json.dumps(graph) + "\n"

    def as_graphml(self) -> str:
        """Return the graph as GraphML."""
        keys = [
            *(
                ("node", name, kind)
                for name, kind in (("depth", "int"), ("separable", "boolean"), ("places", "string"))
            ),
            *(
                ("edge", name, kind)
                for name, kind in (("pieces", "string"), ("direction", "string"), ("distance", "int"))
            ),
        ]
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
            *(f'<key id="{n}" for="{what}" attr.name="{n}" attr.type="{kind}"/>' for what, n, kind in keys),
            '<graph edgedefault="undirected">',
        ]
        for number, (places, depth, separable) in enumerate(zip(self.places, self.depths, self.separable, strict=True)):
            where = " ".join(f"{label}{written(place)}" for label, place in zip(self.labels, places, strict=True))
            data = _data(depth=depth, separable=str(separable).lower(), places=where)
            lines.append(f'<node id="s{number}">{data}</node>')
        for move in self.moves:
            pieces = " ".join(self.labels[piece] for piece in move.pieces)
            data = _data(pieces=pieces, direction=written(move.direction), distance=move.distance)
            lines.append(f'<edge source="s{move.start}" target="s{move.end}">{data}</edge>')
        return "\n".join([*lines, "</graph>", "</graphml>", ""])


def graph_of_states(lattice: Lattice, bodies: Sequence[Body], bounds: Bounds | None = None) -> StateGraph:
    """Return the graph of states of an assembly.

    Args:
        lattice: The lattice of the cells.
        bodies: The pieces in their positions.
        bounds: Limits of time and memory. If one is reached, the graph has the states and moves found before.

    >>> from puzzlec.geometry import find_lattice
    >>> frame = Body("frame", ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2)))
    >>> len(graph_of_states(find_lattice("square"), [frame, Body("dot", ((1, 1),))]).places)
    1

    """
    gaps, bounds = Gaps(lattice), bounds or Bounds()
    shapes, at = zip(*[gaps.shape_of(body.cells) for body in bodies], strict=True)
    start = tuple([place - at[0] for place in at])
    numbers, order, depths, stopped = {start: 0}, [start], [0], None
    separable, moves = list[bool](), list[Move]()
    try:
        for number, state in enumerate(order):  # the list grows during the loop
            bounds.check_time(depths[number])
            table = gap_table(gaps, shapes, state)
            separable.append(any(is_separable(needs(rows, ENDLESS_GAP)) for rows in table))
            for shift in () if separable[-1] else moves_of(table, depths[number]):
                after = after_move(state, shift, gaps.steps[shift.axis])
                end = numbers.setdefault(after, len(numbers))
                if end == len(order):
                    order.append(after)
                    depths.append(depths[number] + 1)
                if end > number or separable[end]:  # otherwise the other state had the move back
                    moves.append(Move(number, end, tuple(members(shift.pieces)), gaps.axes[shift.axis], shift.distance))
            if len(numbers) * (_STATE_BYTES + _PIECE_BYTES * len(at)) + len(moves) * _MOVE_BYTES > bounds.memory:
                raise SearchStoppedError(Stop.MEMORY, depths[number])
    except SearchStoppedError as limit:
        stopped = limit.limit
    separable += [False] * (len(numbers) - len(separable))
    places = tuple(
        tuple(unpack(place - first, lattice.dimension) for place, first in zip(state, start, strict=True))
        for state in order
    )
    labels = numbered([body.name for body in bodies])
    return StateGraph(labels, places, tuple(depths), tuple(separable), tuple(moves), stopped)


def _data(**values: object) -> str:
    return "".join(f'<data key="{name}">{escape(str(value))}</data>' for name, value in values.items())


#: The number of the body that never moves, where numbers are those of placements.
_WALL_NUMBER = -1


@dataclass(frozen=True)
class State:
    """A state of a solution: the placements on the stage, and how far each is from its position.

    A distance is a vector between points.

    ``walled``: whether the walls and immovable pieces are among the things that are still together.
    """

    there: tuple[int, ...]
    shifts: Mapping[int, Point]
    walled: bool = True


class MoveChoice(NamedTuple):
    """A move from a state: the placements that move, the vector between points, its number of steps.

    If they ``leave``, nothing is in their way at any distance, and the vector takes them past all others. If several
    pieces leave the walls together, they stay on the stage instead, and ``walled`` is false after the move.
    """

    pieces: tuple[int, ...]
    way: Point
    distance: int
    leave: bool
    walled: bool


def moves_from(solution: Solution, state: State, most: int) -> tuple[list[MoveChoice], bool]:
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
    lattice, bodies = puzzle.geometry.lattice, dict[int, Body]()
    all_bodies = Bodies(puzzle).of(solution)
    still = set(puzzle.movement.immovable)
    single = [
        number
        for number, placement in enumerate(solution.placements)
        if solution.fitting.piece_name(placement.number) not in still
    ]
    walls = len(all_bodies) - len(single)
    if walls and state.walled:
        bodies[_WALL_NUMBER] = all_bodies[0]
    for number, body in zip(single, all_bodies[walls:], strict=True):
        if number in state.there:
            shift = state.shifts.get(number)
            bodies[number] = body._replace(cells=shifted(lattice, body.cells, shift)) if shift else body
    if not bodies:
        return [], True
    gaps, numbers = _gaps(lattice), tuple(bodies)
    shapes, places = zip(*[gaps.shape_of(body.cells) for body in bodies.values()], strict=True)
    table = gap_table(gaps, shapes, tuple([place - places[0] for place in places]))
    choices, whole = list[MoveChoice](), True
    full = (1 << len(numbers)) - 1
    for axis, rows in enumerate(table):
        needed = needs(rows, ENDLESS_GAP)
        closures = [closed(piece, needed) for piece in range(len(numbers))]
        sets = closed_sets(closures, full)
        whole = whole and sets is not None
        far = _far(gaps, axis, [body.cells for body in bodies.values()])
        for pieces in sets if sets is not None else sorted({one for one in closures if one != full}):
            for movers, sign in _movers(pieces, full, numbers, separates=True):
                step = Step((), tuple([sign * value for value in gaps.axes[axis]]), far, True)
                are_all = len(movers) > 1 and numbers[0] == _WALL_NUMBER and len(movers) + 1 == len(numbers)
                choices.append(
                    MoveChoice(movers, vector_of(lattice, step), far, not are_all, state.walled and not are_all)
                )
    try:
        for shift in moves_of(table, 0):
            for movers, sign in _movers(shift.pieces, full, numbers, separates=False):
                step = Step((), tuple([sign * value for value in gaps.axes[shift.axis]]), shift.distance, False)
                choices.append(MoveChoice(movers, vector_of(lattice, step), shift.distance, False, state.walled))
    except SearchStoppedError:
        whole = False
    choices.sort(key=lambda choice: (len(choice.pieces), not choice.leave, choice.distance, choice.pieces))
    return choices[:most], whole and len(choices) <= most


#: The gaps between the pieces of the last puzzle; the next state has the same pieces.
@lru_cache(1)
def _gaps(lattice: Lattice) -> Gaps:
    return Gaps(lattice)


def _movers(pieces: int, full: int, numbers: tuple[int, ...], separates: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the placements that move for a set of bodies or for all others, with the sign of their direction."""
    parts = ((pieces, 1), (full ^ pieces, -1))
    sides = [(tuple([numbers[body] for body in members(part)]), sign) for part, sign in parts]
    sides = [side for side in sides if _WALL_NUMBER not in side[0]]
    if len(sides) == 2 and not (separates and min(len(side) for side, _ in sides) > 1):
        sides = [min(sides, key=lambda side: len(side[0]))]
    yield from sides


def _far(gaps: Gaps, axis: int, groups: list[tuple[tuple[int, ...], ...]]) -> int:
    """Return the number of steps along an axis after which any piece is past all others."""
    way = gaps.axes[axis]
    pivot = next(number for number, value in enumerate(way) if value)
    along = [cell[pivot] * (1 if way[pivot] > 0 else -1) for cells in groups for cell in cells]
    return (max(along) - min(along)) // abs(way[pivot]) + 2


__all__ = ["MoveChoice", "State", "moves_from"]
