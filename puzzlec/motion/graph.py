"""The graph of states of an assembly: all states that its pieces can reach while they are still together.

Two states are joined if one move leads from one to the other, in either direction. A state in which pieces can separate
is an end: no moves from there are followed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from puzzlec.geometry import Lattice, Point
from puzzlec.geometry.lattice import written
from puzzlec.motion.bodies import numbered
from puzzlec.motion.disassembly import Body
from puzzlec.motion.gaps import NEVER, Gaps, unpack
from puzzlec.motion.search import Bounds, StoppedError, after_move, gap_table, is_separable, members, moves_of, needs

#: A state in a graph takes this many bytes and more for each piece and each move.
_STATE_BYTES, _PIECE_BYTES, _MOVE_BYTES = 300, 100, 150


class Move(NamedTuple):
    """A move between two states: their numbers, the pieces that slide, a direction, and the number of steps."""

    start: int
    end: int
    pieces: tuple[int, ...]
    direction: Point
    distance: int


@dataclass(frozen=True)
class StateGraph:
    """The states of an assembly and the moves between them.

    ``labels`` has the name of each piece; copies have numbers. ``positions`` has for each state how far each piece is
    from its position in the assembly, the first piece at zero. ``depths`` has the minimum number of moves to each
    state. ``separable`` says whether pieces can separate there. Each move is listed once: the opposite direction leads
    back. If a limit ended the search, ``stopped`` names it.
    """

    labels: tuple[str, ...]
    places: tuple[tuple[Point, ...], ...]
    depths: tuple[int, ...]
    separable: tuple[bool, ...]
    moves: tuple[Move, ...]
    stopped: str = ""

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
        found = {"pieces": list(self.labels), "states": states, "moves": moves, "stopped": self.stopped or None}
        return json.dumps(found) + "\n"

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
    known, order, depths, stopped = {start: 0}, [start], [0], ""
    separable, moves = list[bool](), list[Move]()
    try:
        for number, state in enumerate(order):  # the list grows during the loop
            bounds.check_time(depths[number])
            table = gap_table(gaps, shapes, state)
            separable.append(any(is_separable(needs(rows, NEVER)) for rows in table))
            for shift in () if separable[-1] else moves_of(table, depths[number]):
                after = after_move(state, shift, gaps.steps[shift.axis])
                end = known.setdefault(after, len(known))
                if end == len(order):
                    order.append(after)
                    depths.append(depths[number] + 1)
                if end > number or separable[end]:  # otherwise the other state had the move back
                    moves.append(Move(number, end, tuple(members(shift.pieces)), gaps.axes[shift.axis], shift.distance))
            if len(known) * (_STATE_BYTES + _PIECE_BYTES * len(at)) + len(moves) * _MOVE_BYTES > bounds.memory:
                raise StoppedError("memory", depths[number])
    except StoppedError as limit:
        stopped = limit.limit
    separable += [False] * (len(known) - len(separable))
    places = tuple(
        tuple(unpack(place - first, lattice.dimension) for place, first in zip(state, start, strict=True))
        for state in order
    )
    labels = numbered([body.name for body in bodies])
    return StateGraph(labels, places, tuple(depths), tuple(separable), tuple(moves), stopped)


def _data(**values: object) -> str:
    return "".join(f'<data key="{name}">{escape(str(value))}</data>' for name, value in values.items())
