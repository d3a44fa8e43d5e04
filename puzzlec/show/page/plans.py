"""The plans of solutions on a page: the moves that take each one apart, or why there are none.

A page in a browser gets its solutions in several messages. The plan of each solution is searched once, for a short
time. If that was not enough, the search can be finished when all solutions are there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from puzzlec.ir import Puzzle, Solution
from puzzlec.motion.shown import Planner

#: Maximum number of solutions for which plans are searched, and the maximum number of seconds of these searches.
MOST_PLANS, PLAN_SECONDS = 50, 5.0


class Plans:
    """The plans of the first solutions of one puzzle, each searched once, within ``seconds`` for all.

    A plan is a list of moves. A move has the bodies that move, and the vector between points along which they leave.
    Then it has whether they leave the stage (1) or not (0), the bodies on the stage, and whether the walls are there.
    The bodies are in the order in which they are taken apart. If a solution does not come apart, its plan has the
    bodies that `hold` together, and whether the walls are one of them (`walled`). Without moves, the plan is a word:
    why there are none.
    """

    def __init__(self, puzzle: Puzzle, seconds: float = PLAN_SECONDS) -> None:
        self._planner = Planner(puzzle, seconds=seconds)
        self._found: dict[tuple[tuple[int, ...], ...], object] = {}
        self._late: list[Solution] = []

    def of(self, solutions: Sequence[Solution]) -> list[object]:
        """Return the plans of the first solutions."""
        return [self._plan(solution) for solution in solutions[:MOST_PLANS]]

    @property
    def is_late(self) -> bool:
        """Whether time ended the search for a plan."""
        return bool(self._late)

    def finish(self, deadline: float) -> bool:
        """Search the late plans again, until a moment of the monotonic clock; return whether one has changed."""
        late, self._late = self._late, []
        before = {solution.orientations: self._found.pop(solution.orientations) for solution in late}
        self._planner.extend(deadline)
        for solution in late:
            if time.monotonic() < deadline:
                self._plan(solution)
        self._found = {**before, **self._found}
        return any(self._found[key] != plan for key, plan in before.items())

    def _plan(self, solution: Solution) -> object:
        key = solution.orientations
        if key not in self._found:
            self._found[key] = self._searched(solution)
        return self._found[key]

    def _searched(self, solution: Solution) -> object:
        moves, why = self._planner.moves(solution)
        is_late = self._planner.is_late
        stuck = self._planner.plan(solution) if why == "stuck" else None
        if is_late or self._planner.is_late:
            self._late.append(solution)
        if stuck is not None and stuck.hold:
            return {"hold": stuck.hold, "walled": stuck.walled}
        return [[move.pieces, move.way, int(move.leave), move.there, int(move.wall)] for move in moves] or why
