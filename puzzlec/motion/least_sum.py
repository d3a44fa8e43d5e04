"""Find a plan with the least total number of moves, not only among those of the least level.

The plans differ in when and where pieces separate. Two rules define them. Single pieces that can leave leave first. A
set of pieces that can leave in a direction does not stop on its way. Decision 064 has the reasons.

The plan of the least level gives an upper bound. A part of n pieces whose first separation needs m moves needs at least
m + n - 2 moves in all. So all states up to some depth are searched, and from each separation there each part in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from puzzlec.engine.limits import Stop
from puzzlec.geometry import Lattice
from puzzlec.motion.disassembly import (
    WHOLE_STEP,
    Disassembler,
    Part,
    Plan,
    SeparationState,
    after_singles,
    after_split,
    size,
)
from puzzlec.motion.search import Bounds, Reach, SearchStoppedError, Shift, closed, closed_sets
from puzzlec.motion.team import Team
from puzzlec.motion.turning import Turning


class LeastSums(Disassembler):
    """Takes assemblies apart by the fewest moves in total, and among several such plans by the least level."""

    def __init__(
        self,
        lattice: Lattice,
        together: Sequence[Mapping[str, int]] = (),
        team: Team | None = None,
        turning: Turning | None = None,
        step: Fraction = WHOLE_STEP,
    ) -> None:
        super().__init__(lattice, together, team, turning, step)
        #: The best plan of a part, or None, and the number of moves up to which plans were searched.
        self._sums: dict[Part, tuple[Plan | None, int]] = {}

    def plan_of_all(self, part: Part, bounds: Bounds) -> tuple[Plan, Stop | None, int]:
        """Return the plan of the least sum. At a limit, return the plan of the least level instead."""
        plan = self.plan(part, bounds)
        self._sums.clear()
        try:
            best = self.least(part, len(plan.shifts), bounds)
        except SearchStoppedError as limit:
            return plan, limit.limit, limit.moves
        return best or plan, None, 0

    def least(self, part: Part, most: int, bounds: Bounds) -> Plan | None:
        """Return the best plan of a part; None if it has more than ``most`` moves."""
        best, searched = self._sums.get(part, (None, -1))
        if best is None and searched < most:
            best = self._least(part, most, bounds)
            self._sums[part] = best, most
        return best if best is not None and len(best.shifts) <= most else None

    def _least(self, part: Part, most: int, bounds: Bounds) -> Plan | None:
        by_level = self.plan(part, bounds)  # the plan of the least level
        after = 0 if self.together else len(part) - 2
        fewest = by_level.numbers[0] + after if by_level.shifts else 0
        if fewest > most:
            return None
        if fewest == len(by_level.shifts):
            return by_level
        best = by_level if len(by_level.shifts) <= most else None
        most = min(most, len(by_level.shifts))
        shapes, places = [body[0] for body in part], [body[2] for body in part]
        reach = Reach(most - 1 - after, not self.together)
        for goal in self.first_separations(shapes, places, bounds, reach).goals:
            if len(goal.path) + 1 + after > most:
                break
            bounds.check_time(len(goal.path))
            for plan in _Separations(self, part, goal, len(goal.path) + 1, bounds).plans(most):
                if best is None or plan.cost < best.cost:
                    best, most = plan, len(plan.shifts)
        return best


class _Separations(SeparationState):
    """The separations that are possible in a state, with the best plans that begin with them."""

    whole: LeastSums

    def plans(self, most: int) -> Iterator[Plan]:
        """Yield plans of at most ``most`` moves, those to this state included; one of them is the best."""
        rest, singles = self.singles(self.full)
        if singles:
            plan = self._least(rest, most - self.first + 1 - len(singles))
            if plan is not None:
                yield self._reached(after_singles(singles, self.first, plan))
            return
        for axis, blocked in enumerate(self.blocked):
            sets = closed_sets([closed(piece, blocked) for piece in range(len(self.part))], self.full)
            if sets is None:
                raise SearchStoppedError(Stop.LOOSE, self.first - 1)
            for away in sets:
                plan = self._split_off(Shift(away, axis, 0), most - self.first)
                if plan is not None:
                    yield self._reached(plan)

    def _split_off(self, move: Shift, most: int) -> Plan | None:
        """Return the best plan that begins with a separation and has at most ``most`` moves after it."""
        larger, smaller = sorted((self.full ^ move.pieces, move.pieces), key=size, reverse=True)
        one = self._least(larger, most if self.grouped else most + 1 - size(smaller))
        two = None if one is None else self._least(smaller, most - len(one.shifts))
        if one is None or two is None:
            return None
        return after_split(move, self.first, (one, two), size(larger) == size(smaller))

    def _least(self, pieces: int, most: int) -> Plan | None:
        plan = self.whole.least(self.sub(pieces), most, self.bounds)
        return None if plan is None else self.plan_here(pieces, plan)

    def _reached(self, plan: Plan) -> Plan:
        return plan._replace(shifts=self.goal.path + plan.shifts)
