"""The search for the first separation of a part by slides and turns.

A state has the shape of each piece in its present orientation, and its position. The first piece rests: if it is one of
those that turn, the others turn the other way instead. So states are equal if only a common motion tells them apart.

Every move counts one. Of the plans with the fewest moves to a separation, those with the fewest turns count; with
``fewest`` the number of turns comes first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from puzzlec.engine.limits import Stop
from puzzlec.motion.gaps import ENDLESS_GAP, Gaps
from puzzlec.motion.search import (
    Bounds,
    First,
    Goal,
    Reach,
    SearchStoppedError,
    Shift,
    after_move,
    continues,
    gap_table,
    is_separable,
    moves_of,
    needs,
)
from puzzlec.motion.team import Team
from puzzlec.motion.turning import Turn, Turning
from puzzlec.motion.turns import Spread, Turns

#: A search of fewer states ends before threads could help.
MIN_TEAM_STATES = 8

State = tuple[int, ...]
Cost = tuple[int, int]
Move = Shift | Turn


class TurnSearch:
    """Searches first separations by slides and turns; what hinders turns is remembered.

    Args:
        gaps: The shapes and their gaps.
        turning: How pieces turn.
        team: Threads that help with a long search if they are idle.

    Raises:
        ValueError: If pieces cannot turn on the lattice.

    """

    def __init__(
        self,
        gaps: Gaps,
        turning: Turning = Turning(),  # noqa: B008 - it cannot be changed
        team: Team | None = None,
    ) -> None:
        self.gaps, self.turning, self.turns = gaps, turning, Turns(gaps, turning.clearance)
        self._team = team

    def first_separations(
        self, shapes: Sequence[int], places: Sequence[int], bounds: Bounds, reach: Reach | None = None
    ) -> First:
        """Return where the minimum number of moves leads to the first separation of a part.

        The arguments and errors are those of :func:`puzzlec.motion.search.first_separations`.
        """
        size = len(shapes)
        states = _StateTable((*shapes, *[place - places[0] for place in places]), self.turning.fewest)
        most = bounds.states(2 * size)
        goals: list[tuple[State, list[list[int]]]] = []
        best: Cost | None = None
        for cost, state in states.in_order():
            if best is not None and (cost[0] > best[0] or (self.turning.fewest and cost > best)):
                break
            moves = cost[1] if self.turning.fewest else cost[0]
            bounds.reached = len(states.costs), moves
            bounds.check_time(moves)
            table = gap_table(self.gaps, state[:size], state[size:])
            blocked = [needs(rows, ENDLESS_GAP) for rows in table]
            if any(is_separable(others) for others in blocked):
                goals.append((state, blocked))
                if reach is None:
                    best = best or cost
            if best is not None if reach is None else not continues(blocked, moves, reach):
                continue
            states.expand(cost, state)
            for shift in moves_of(table, moves):
                after = after_move(state[size:], shift, self.gaps.steps[shift.axis])
                states.add_slide(shift, (*state[:size], *after))
            with self._spread(len(states.costs), bounds, moves) as spread:
                for turn, there in self.turns.moves(state[:size], state[size:], states.is_new_by_turn, spread):
                    states.add_turn(turn, there)
                    bounds.check_time(moves)
            if len(states.costs) > most:
                raise SearchStoppedError(Stop.MEMORY, moves)
        separations = tuple([Goal(at[size:], states.path(at), blocked, at[:size]) for at, blocked in goals])
        return First(len(separations[0].path) + 1 if separations else 0, separations)

    @contextmanager
    def _spread(self, states: int, bounds: Bounds, moves: int) -> Iterator[Spread]:
        """Engage the idle threads of the team once many states are known; the value calls functions in them."""
        team = self._team
        if team is None or states < MIN_TEAM_STATES:
            yield map
            return
        with team.helpers() as helpers:

            def spread(work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
                def limited(item: Any) -> Any:
                    bounds.check_time(moves)
                    return work(item)

                return team.spread(limited, items, helpers) if helpers else map(work, items)

            yield spread


class _StateTable:
    """The states that are known, each with its cost and the move that leads there by the least cost."""

    def __init__(self, start: State, fewest: bool) -> None:
        self.fewest = fewest
        self.costs: dict[State, Cost] = {start: (0, 0)}
        self._came: dict[State, tuple[State, Move] | None] = {start: None}
        self._queue: list[tuple[Cost, int, State]] = [((0, 0), 0, start)]
        self._state, self._slide, self._turn = start, (0, 0), (0, 0)

    def in_order(self) -> Iterator[tuple[Cost, State]]:
        """Yield the states by their cost, those of the same cost in the order in which they were added."""
        while self._queue:
            cost, _, state = heapq.heappop(self._queue)
            if cost == self.costs[state]:
                yield cost, state

    def expand(self, cost: Cost, state: State) -> None:
        """Begin to add the states after a state."""
        self._state = state
        one, other = cost
        self._slide = (one, other + 1) if self.fewest else (one + 1, other)
        self._turn = (one + 1, other + 1)

    def is_new_by_turn(self, state: State) -> bool:
        """Return whether a turn would lead to a state by less cost than is known."""
        cost = self.costs.get(state)
        return cost is None or self._turn < cost

    def add_slide(self, move: Move, state: State) -> None:
        """Add the state after a slide."""
        self._add(self._slide, move, state)

    def add_turn(self, move: Move, state: State) -> None:
        """Add the state after a turn."""
        self._add(self._turn, move, state)

    def _add(self, cost: Cost, move: Move, state: State) -> None:
        before = self.costs.get(state)
        if before is None or cost < before:
            self.costs[state] = cost
            self._came[state] = self._state, move
            heapq.heappush(self._queue, (cost, len(self._came), state))

    def path(self, state: State) -> tuple[Move, ...]:
        """Return the moves that lead to a state."""
        moves: list[Move] = []
        before = self._came[state]
        while before is not None:
            state, move = before
            moves.append(move)
            before = self._came[state]
        return tuple(moves[::-1])
