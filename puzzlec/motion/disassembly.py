"""Take one assembly apart completely, from the first separation to single pieces, by the least level.

The first number of a level is the minimum number of moves to the first separation. Several states may allow it, and
each of them several separations. The choice does not depend on the order of pieces, copies or axes:

1. In one state, single pieces that can leave at once leave first. Their order does not matter: taking pieces off never
   hinders others.
2. All states with a first separation after the minimum number of moves are compared, with all separations there. The
   one with the least sum of moves counts. Each part is taken apart by the same rules.
3. Of several with the same sum, the one with the lexicographically least level counts.

If some part does not come apart, the assembly does not: a plan for all pieces contains a plan for some of them. So no
other choice helps. In one state, take off everything that can leave at once. The remaining parts are the same in every
order, so they determine the sum for the state.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from puzzlec.engine.limits import Stop
from puzzlec.engine.search.selection import has_numba
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import in_parts
from puzzlec.ir import Puzzle
from puzzlec.motion.gaps import Gaps
from puzzlec.motion.levels import Numbers, joined, text
from puzzlec.motion.moves import Body, Spans, Step, Steps, scaled_body, scaled_step, steps_past
from puzzlec.motion.search import (
    Bounds,
    First,
    Goal,
    ImpatientError,
    Reach,
    SearchStoppedError,
    Shift,
    Tried,
    closed,
    closed_sets,
    first_separations,
    members,
)
from puzzlec.motion.team import Team
from puzzlec.motion.turning import Turn, Turning
from puzzlec.shown import brief

if TYPE_CHECKING:
    from puzzlec.motion.compiled import CompiledSearch

_log = logging.getLogger(__name__)

#: The number of states that are expanded in plain Python before the kernel is worth its loading, and this number if
#: its machine code is in the cache.
PYTHON_STATES, PYTHON_STATES_IF_READY = 250, 30

#: In one state, plain Python looks at most at about this many contacts of cells.
MAX_STATE_CONTACTS = 100_000

#: A whole step, which is the shortest move unless half steps are allowed.
WHOLE_STEP = Fraction(1)

#: With one of these modules, the kernel is loaded already, or soon is.
_KERNEL_MODULES = {"numba", "puzzlec.motion.compiled"}

#: More pieces do not fit into a set of the kernel.
MAX_KERNEL_PIECES = 62

#: The search of more pieces than that counts as long after this number of states.
QUICK_STATES = 20

#: Number of parts whose plans are remembered.
MAX_STORED_PLANS = 100_000

#: If one state has more separations, only those of the least and of the largest sets are compared.
MAX_STATE_SPLITS = 256


@dataclass(frozen=True)
class Disassembly:
    """How an assembly comes apart, or that it does not.

    ``level`` has the numbers of the level, and is None unless the assembly comes apart. ``parts`` are the sets of
    pieces at the end: single ones, and groups that may stay together. If it does not come apart, ``held`` are the
    pieces of a part that has no separation. If a limit ended the search, ``stopped`` is this limit, and
    ``searched`` is the number of moves up to which it was complete.
    """

    def __repr__(self) -> str:
        return brief(self)

    lattice: Lattice = field(repr=False)
    bodies: tuple[Body, ...] = field(repr=False)
    level: Numbers | None = None
    steps: Sequence[Step] = ()
    parts: tuple[tuple[int, ...], ...] = ()
    held: tuple[int, ...] = ()
    stopped: Stop | None = None
    searched: int = 0
    #: How pieces turn; None if they only slide.
    turning: Turning | None = None
    #: The length of the shortest move, in steps of the lattice: 1 or 1/2.
    step: Fraction = WHOLE_STEP

    @property
    def apart(self) -> bool:
        """Whether the assembly comes apart."""
        return self.level is not None

    @property
    def text(self) -> str | None:
        """The level as it is written, such as 98.2.4.2."""
        return None if self.level is None else text(self.level)

    @property
    def moves(self) -> int:
        """The sum of all moves."""
        return len(self.steps)

    @property
    def turns(self) -> int:
        """The number of moves that are turns."""
        return sum(step.turn is not None for step in self.steps)

    def in_parts(self) -> tuple[Lattice, tuple[Body, ...], Sequence[Step]]:
        """Return the lattice, the bodies and the moves in units of the shortest move, so all positions are integers."""
        parts = self.step.denominator
        if parts == 1:
            return self.lattice, self.bodies, self.steps
        bodies = tuple([scaled_body(self.lattice, body, parts) for body in self.bodies])
        return in_parts(self.lattice, parts), bodies, tuple([scaled_step(move, 1 / self.step) for move in self.steps])


class Plan(NamedTuple):
    """How a part comes apart: moves with local numbers of pieces, and the parts of several pieces that are left."""

    numbers: Numbers = ()
    shifts: tuple[Shift | Turn, ...] = ()
    left: tuple[tuple[int, bool], ...] = ()  # sets of pieces, and whether they could not be taken apart

    @property
    def turns(self) -> int:
        """The number of moves that are turns."""
        return sum(isinstance(move, Turn) for move in self.shifts)

    @property
    def cost(self) -> tuple[int, Numbers, int]:
        """The sum of moves, then the level, then the number of turns: the least is the best."""
        return len(self.shifts), self.numbers, self.turns


class StuckError(Exception):
    """Some pieces of a part have no separation, and may not stay together; ``pieces`` is the set of them."""

    def __init__(self, pieces: int) -> None:
        super().__init__("a part holds together")
        self.pieces = pieces


#: A part: for each piece the number of its shape, the number of its set of groups, and its packed position, in order.
Part = tuple[tuple[int, int, int], ...]


class _IndexedBody(NamedTuple):
    """A body that was met: the numbers of its shape and of its set of groups, its packed position, and a bit a cell."""

    body: Body
    moving: Body  # with positions in units of the shortest move
    placed: tuple[int, int, int]
    cells: int


class Disassembler:
    """Takes assemblies of one lattice apart; gaps and parts that were seen before are remembered.

    Args:
        lattice: The lattice of all cells.
        together: Groups of pieces that may stay together: for each the names of its pieces, with the number of copies
            that may be in it.
        team: Threads that help with a hard assembly if they are idle.
        turning: How pieces turn; None if they only slide.
        step: The length of the shortest move, in steps of the lattice: 1 or 1/2.

    Raises:
        ValueError: If pieces cannot turn on the lattice.

    """

    def __init__(
        self,
        lattice: Lattice,
        together: Sequence[Mapping[str, int]] = (),
        team: Team | None = None,
        turning: Turning | None = None,
        step: Fraction = WHOLE_STEP,
    ) -> None:
        self.lattice, self.step = lattice, step
        self.gaps, self._team = Gaps(in_parts(lattice, step.denominator)), team
        self._turns = None
        if turning is not None:
            from puzzlec.motion.turn_search import TurnSearch

            self._turns = TurnSearch(self.gaps, turning, team)
        self.together = tuple(together)
        self._groups: list[frozenset[int]] = [frozenset()]
        self._spans = Spans(self.gaps)
        self._bodies: dict[int, _IndexedBody] = {}
        self._cells: dict[Cell, int] = {}
        self._compiled: CompiledSearch | None = None
        self._patience = _patience() if has_numba() else None
        #: The known results of parts: the plan, or the set of pieces that hold together.
        self._plans: dict[Part, Plan | int] = {}

    @classmethod
    def of(cls, puzzle: Puzzle) -> Self:
        """Return the object for the assemblies of a puzzle, with its groups and turns."""
        groups = [dict(group) for group in puzzle.movement.together]
        return cls(puzzle.geometry.lattice, groups, turning=Turning() if puzzle.movement.turns_allowed else None)

    def take_apart(self, bodies: Sequence[Body], bounds: Bounds | None = None) -> Disassembly:
        """Return how an assembly comes apart. Several bodies that never move are given as one.

        Args:
            bodies: The pieces in their positions.
            bounds: Limits of time and memory.

        Raises:
            ValueError: If two bodies have a cell in common.

        >>> from puzzlec.geometry import find_lattice
        >>> hook, dot = Body("hook", ((0, 0), (1, 0), (1, 1))), Body("dot", ((0, 1),))
        >>> Disassembler(find_lattice("square")).take_apart([hook, dot]).text
        '1'

        """
        bounds, assembly = bounds or Bounds(), tuple(bodies)
        part, cells, moving = list[tuple[int, int, int, int]](), 0, list[Body]()
        for number, body in enumerate(assembly):
            indexed = self._bodies.get(id(body))
            if indexed is None or indexed.body is not body:
                indexed = self._meet(body)
            if cells & indexed.cells:
                raise _overlap(assembly[:number], body)
            cells |= indexed.cells
            moving.append(indexed.moving)
            part.append((*indexed.placed, number))
        part.sort()
        order, origin = [body[3] for body in part], part[0][2]
        key = tuple([(shape, label, at - origin) for shape, label, at, _ in part])
        try:
            plan, stopped, searched = self.plan_of_all(key, bounds)
        except StuckError as stuck:
            held = tuple(sorted([order[number] for number in members(stuck.pieces)]))
            return self._result(assembly, held=held)
        except SearchStoppedError as limit:
            return self._result(assembly, stopped=limit.limit, searched=limit.moves)
        stays = [tuple(sorted(order[piece] for piece in members(pieces))) for pieces, stuck in plan.left if stuck]
        if stays and not self._assignable([[assembly[number].name for number in those] for those in stays]):
            return self._result(assembly, held=max(stays, key=len))
        parts = [tuple(sorted(order[piece] for piece in members(pieces))) for pieces, _ in plan.left]
        grouped = {number for those in parts for number in those}
        parts += [(number,) for number in range(len(assembly)) if number not in grouped]
        parts.sort()
        steps: Sequence[Step] = Steps(len(plan.shifts), lambda: self._steps(moving, order, plan))
        if plan.turns:  # their paths add to what this thread knows, so no other thread may compute them
            steps = tuple(steps)
        return self._result(
            assembly, level=plan.numbers, steps=steps, parts=tuple(parts), stopped=stopped, searched=searched
        )

    def _steps(self, bodies: Sequence[Body], order: Sequence[int], plan: Plan) -> Iterable[Step]:
        """Return the moves of a plan, which has the pieces in an order, in terms of the bodies."""
        if plan.turns and self._turns is not None:
            from puzzlec.motion.turn_steps import steps_with_turns

            steps = steps_with_turns(self._turns.turns, self._spans, bodies, order, plan.shifts)
        else:
            steps = _steps(self._spans, self.gaps, bodies, order, plan)
        return steps if self.step == WHOLE_STEP else [scaled_step(step, self.step) for step in steps]

    def _result(self, bodies: tuple[Body, ...], **members: Any) -> Disassembly:
        turning = None if self._turns is None else self._turns.turning
        return Disassembly(self.lattice, bodies, turning=turning, step=self.step, **members)

    def _meet(self, body: Body) -> _IndexedBody:
        """Return what is known of a body from now on; the same body is met in many assemblies."""
        parts = self.step.denominator
        moving = body if parts == 1 else scaled_body(self.lattice, body, parts)
        shape, place = self.gaps.shape_of(moving.cells)
        numbers = {self._cells.setdefault(cell, len(self._cells)) for cell in body.cells}
        indexed = _IndexedBody(
            body, moving, (shape, self._label(body.name), place), sum(1 << number for number in numbers)
        )
        self._bodies[id(body)] = indexed
        return indexed

    def _label(self, name: str) -> int:
        """Return the number of the set of groups that a piece may be in."""
        groups = frozenset(number for number, group in enumerate(self.together) if group.get(name, 0) > 0)
        if groups not in self._groups:
            self._groups.append(groups)
        return self._groups.index(groups)

    def plan_of_all(self, part: Part, bounds: Bounds) -> tuple[Plan, Stop | None, int]:
        """Return the plan of an assembly, the limit at which its search stopped if it did, and the moves searched."""
        return self.plan(part, bounds), None, 0

    def plan(self, part: Part, bounds: Bounds) -> Plan:
        """Return the best plan of a part; raise StuckError if there is none."""
        if self.is_done(part):
            return Plan(left=(((1 << len(part)) - 1, False),) if len(part) > 1 else ())
        answer = self._plans.get(part)
        if answer is None:
            answer = self._searched(part, bounds)
            if len(self._plans) >= MAX_STORED_PLANS:
                self._plans.clear()
            self._plans[part] = answer
        if isinstance(answer, int):
            raise StuckError(answer)
        return answer

    def _searched(self, part: Part, bounds: Bounds) -> Plan | int:
        """Return the best plan of a part, or the set of pieces that hold together."""
        first = self.first_separations([body[0] for body in part], [body[2] for body in part], bounds)
        if first.goals:
            try:
                return self._best(part, first, bounds)
            except StuckError as stuck:
                return stuck.pieces
        full = (1 << len(part)) - 1
        if self.together and frozenset.intersection(*[self._groups[label] for _, label, _ in part]):
            return Plan(left=((full, True),))
        return full

    def first_separations(
        self, shapes: Sequence[int], places: Sequence[int], bounds: Bounds, reach: Reach | None = None
    ) -> First:
        """Return the first separations of a part: by the kernel, once a search in Python has taken its time."""
        if self._turns is not None:
            return self._turns.first_separations(shapes, places, bounds, reach)
        if self._patience is not None and len(shapes) > MAX_KERNEL_PIECES:
            return self._first_of_many(shapes, places, bounds, reach)
        if self._patience is None:
            return first_separations(self.gaps, shapes, places, bounds, None, reach)
        if self._compiled is None and self._patience > 0 and not self._is_large(shapes):
            tried = Tried(self._patience)
            try:
                return first_separations(self.gaps, shapes, places, bounds, tried, reach)
            except ImpatientError:
                pass
            finally:
                self._patience = tried.left
        if self._compiled is None:
            from puzzlec.motion.compiled import CompiledSearch

            self._compiled = CompiledSearch(self.gaps, self._team)
        return self._compiled.first_separations(shapes, places, bounds, reach)

    def _is_large(self, shapes: Sequence[int]) -> bool:
        """Return whether plain Python takes longer for the gaps of one state than the kernel takes to load."""
        cells = sum([len(self.gaps.shapes[shape]) for shape in shapes])
        return cells * len(self.gaps.axes) * len(self.gaps.lattice.kinds) > MAX_STATE_CONTACTS

    def _first_of_many(
        self, shapes: Sequence[int], places: Sequence[int], bounds: Bounds, reach: Reach | None
    ) -> First:
        """Return the first separations of more pieces than the kernel holds; a warning comes before a long search."""
        if not bounds.slower:
            try:
                return first_separations(self.gaps, shapes, places, bounds, Tried(QUICK_STATES), reach)
            except ImpatientError:
                bounds.slower = True
                _log.warning(
                    "searching %d pieces without the compiled kernel (limit %d)", len(shapes), MAX_KERNEL_PIECES
                )
        return first_separations(self.gaps, shapes, places, bounds, None, reach)

    def is_done(self, part: Part) -> bool:
        """Whether a part needs no search: it is a single piece, or all of its pieces have one group only, the same."""
        if len(part) == 1 or not self.together:
            return len(part) == 1
        labels = {label for _, label, _ in part}
        return len(labels) == 1 and len(self._groups[labels.pop()]) == 1

    def _best(self, part: Part, first: First, bounds: Bounds) -> Plan:
        """Return the best plan over all states in which the first separation is possible."""
        best: Plan | None = None
        looks = [SeparationState(self, part, goal, first.moves, bounds) for goal in first.goals]
        for look in sorted(looks, key=lambda look: look.least) if len(looks) > 1 else looks:
            # The number of moves is a bound only if it counts first.
            most = None if best is None or self.has_fewest_turns else len(best.shifts)
            if most is None or look.least <= most:
                plan = look.plan(most)
                if plan is not None and (best is None or self.cost(plan) < self.cost(best)):
                    best = plan
        assert best is not None
        return best

    @property
    def has_fewest_turns(self) -> bool:
        """Whether the number of turns counts before the number of moves."""
        return self._turns is not None and self._turns.turning.fewest

    def cost(self, plan: Plan) -> tuple[int, int, Numbers, int]:
        """Return the cost of a plan: the least is the best."""
        return (plan.turns if self.has_fewest_turns else 0, *plan.cost)

    def _assignable(self, stays: Sequence[Sequence[str]]) -> bool:
        """Whether each set of pieces can be given a group, no group having more copies of a piece than it may."""

        def tried(number: int, room: tuple[dict[str, int], ...]) -> bool:
            if number == len(stays):
                return True
            for group, free in enumerate(room):
                rest = dict(free)
                for name in stays[number]:
                    rest[name] = rest.get(name, 0) - 1
                if min(rest[name] for name in stays[number]) >= 0 and tried(
                    number + 1, (*room[:group], rest, *room[group + 1 :])
                ):
                    return True
            return False

        return tried(0, tuple([dict(group) for group in self.together]))


class SeparationState:
    """A state in which the first separation of a part is possible: what comes off there, and what is left then."""

    def __init__(self, whole: Disassembler, part: Part, goal: Goal, first: int, bounds: Bounds) -> None:
        self.whole, self.goal, self.first, self.bounds = whole, goal, first, bounds
        self._part, self.blocked = part, goal.blocked
        self.full = (1 << len(part)) - 1
        self.grouped = bool(whole.together)
        self.known: dict[int, Plan] = {}
        #: What is left when single pieces have come off.
        self.without_singles = self.singles(self.full)
        left = self.without_singles[0]
        #: The sets of several pieces that are left when everything has come off. With groups, which sets these are
        #: depends on what comes off first.
        self.rest = list[int]()
        if not self.grouped and left & (left - 1):
            self.rest = [block for block in self._blocks(self.full) if size(block) > 1]
        #: No plan that begins in this state has fewer moves.
        self.least = first - 2 + (0 if self.grouped else len(part) + len(self.rest))

    @cached_property
    def part(self) -> Part:
        """The part in this state, with its pieces in the same order."""
        shapes = self.goal.shapes or [body[0] for body in self._part]
        there = zip(shapes, self._part, self.goal.places, strict=True)
        return tuple([(shape, label, at) for shape, (_, label, _), at in there])

    @cached_property
    def blocking(self) -> list[list[int]]:
        """For each axis and piece the set of pieces that it ever blocks."""
        return [_reversed(blocked) for blocked in self.blocked]

    def plan(self, most: int | None) -> Plan | None:
        """Return the best plan from this state; None if it has more than ``most`` moves."""
        left = self.least
        for block in self.rest:
            left += len(self._beyond(block).shifts) - size(block)
            if most is not None and left > most:
                return None
        plan, path = self._split(self.full, self.first), self.goal.path
        return plan._replace(shifts=path + plan.shifts) if path else plan

    def sub(self, pieces: int) -> Part:
        """Return some pieces of the part as a part."""
        return _level_with_first(tuple(sorted(self.part[number] for number in members(pieces))))

    def _blocks(self, pieces: int) -> Iterator[int]:
        """Yield the sets that are left of some pieces when everything has come off that can in this state."""
        for blocked, blocking in zip(self.blocked, self.blocking, strict=True):
            sets = _components(pieces, blocked, blocking)
            if len(sets) > 1:
                for component in sets:
                    yield from self._blocks(component)
                return
        yield pieces

    def _split(self, pieces: int, first: int) -> Plan:
        """Return the best plan for pieces in this state; ``first`` is what their first separation here counts."""
        if pieces in self.known and pieces != self.full:
            return self.known[pieces]
        rest, singles = self.without_singles if pieces == self.full else self.singles(pieces)
        plan = self._split_rest(rest, 1 if singles else first)
        best = self.known[pieces] = after_singles(singles, first, plan)
        return best

    def singles(self, pieces: int) -> tuple[int, list[Shift]]:
        """Return what is left of some pieces when all single ones that can leave have left, and their moves."""
        rest, singles = pieces, list[Shift]()
        while not self.grouped and rest & (rest - 1) and (single := self._single(rest)) is not None:
            piece, move = single
            singles.append(move)
            rest ^= piece
        return rest, singles

    def _single(self, pieces: int) -> tuple[int, Shift] | None:
        """Return a set of one piece that comes off along an axis, and its move; None if none comes off."""
        numbers = members(pieces)
        for axis, blocked in enumerate(self.blocked):
            blocking = 0  # the pieces that block others
            for number in numbers:
                blocking |= blocked[number]
            for number in numbers:
                if not blocked[number] & pieces:
                    return 1 << number, Shift(1 << number, axis, 0)
                if not blocking >> number & 1:
                    return 1 << number, Shift(pieces ^ 1 << number, axis, 0)
        return None

    def _split_rest(self, pieces: int, first: int) -> Plan:
        """Return the best plan for pieces if none of them comes off alone."""
        if not pieces & (pieces - 1):
            return Plan()
        splits = [] if self.whole.is_done(self.sub(pieces)) else list(self._splits(pieces))
        best: Plan | None = None
        for axis, away in splits:
            sides = sorted((pieces ^ away, away), key=size, reverse=True)
            alike = 2 * size(away) == size(pieces)
            plan = after_split(Shift(away, axis, 0), first, [self._split(side, 1) for side in sides], alike)
            if best is None or self.whole.cost(plan) < self.whole.cost(best):
                best = plan
        return self._beyond(pieces) if best is None else best

    def _beyond(self, pieces: int) -> Plan:
        """Return the plan for pieces of which none comes off in this state. It has the numbers of the pieces here."""
        try:
            plan = self.whole.plan(self.sub(pieces), self.bounds)
        except StuckError as stuck:
            raise StuckError(self._here(pieces, stuck.pieces)) from None
        return self.plan_here(pieces, plan)

    def _here(self, pieces: int, those: int) -> int:
        """Return the numbers here of some of the pieces of a sub-part."""
        numbers = sorted(members(pieces), key=lambda number: self.part[number])
        return sum(1 << numbers[piece] for piece in members(those))

    def plan_here(self, pieces: int, plan: Plan) -> Plan:
        """Return the plan of a sub-part with the numbers of its pieces here."""
        shifts = tuple([self._move_here(pieces, move) for move in plan.shifts])
        left = tuple([(self._here(pieces, those), stuck) for those, stuck in plan.left])
        return Plan(plan.numbers, shifts, left)

    def _move_here(self, pieces: int, move: Shift | Turn) -> Shift | Turn:
        """Return a move of a sub-part with the numbers of its pieces here."""
        those = self._here(pieces, move.pieces)
        if isinstance(move, Shift):
            return move._replace(pieces=those)
        return move._replace(pieces=those, anchor=self._here(pieces, 1 << move.anchor).bit_length() - 1)

    def _splits(self, pieces: int) -> Iterator[tuple[int, int]]:
        """Yield the separations to compare: an axis, and a set of pieces that comes off along it."""
        for axis, (blocked, blocking) in enumerate(zip(self.blocked, self.blocking, strict=True)):
            within = [others & pieces for others in blocked]
            closures = [closed(piece, within) for piece in members(pieces)]
            sets = closed_sets(closures, pieces, MAX_STATE_SPLITS)
            if sets is None:
                against = [others & pieces for others in blocking]
                sets = [those for those in closures if those != pieces]
                sets += [others for piece in members(pieces) if (others := pieces ^ closed(piece, against))]
            for away in dict.fromkeys(sets):
                yield axis, away


def _patience() -> int:
    """Return the number of states for plain Python in this process."""
    if _KERNEL_MODULES & sys.modules.keys():
        return 0
    from puzzlec.engine.kernels.jit import is_ready
    from puzzlec.motion import kernel

    return PYTHON_STATES_IF_READY if is_ready(kernel.advance) else PYTHON_STATES


def after_singles(singles: Sequence[Shift], first: int, plan: Plan) -> Plan:
    """Return the plan in which single pieces leave before a plan for the rest; ``first`` is the first number."""
    if not singles:
        return plan
    later = joined(first, plan.numbers, (), False)[1:]
    numbers = (first, *[1] * (len(singles) - 1 if later else 0), *later)
    return Plan(numbers, (*singles, *plan.shifts), plan.left)


def after_split(move: Shift, first: int, sides: Sequence[Plan], alike: bool) -> Plan:
    """Return the plan of a separation and then of both sides, the larger one first."""
    larger, smaller = sides
    numbers = joined(first, larger.numbers, smaller.numbers, alike)
    return Plan(numbers, (move, *larger.shifts, *smaller.shifts), larger.left + smaller.left)


def size(pieces: int) -> int:
    """Return the number of pieces in a set."""
    return pieces.bit_count()


def _reversed(blocked: Sequence[int]) -> list[int]:
    """Return for each piece the set of pieces that it blocks."""
    blocking = [0] * len(blocked)
    for other, pieces in enumerate(blocked):
        for piece in members(pieces):
            blocking[piece] |= 1 << other
    return blocking


def _components(pieces: int, blocked: Sequence[int], blocking: Sequence[int]) -> list[int]:
    """Return the strongly connected components of some pieces under "is blocked by"."""
    within, first = [others & pieces for others in blocked], (pieces & -pieces).bit_length() - 1
    if closed(first, within) == pieces == closed(first, [others & pieces for others in blocking]):
        return [pieces]
    closures = {piece: closed(piece, within) for piece in members(pieces)}
    components: dict[int, int] = {}
    for piece, closure in closures.items():  # pieces of one component have the same closure, and no others have
        components[closure] = components.get(closure, 0) | 1 << piece
    return list(components.values())


def _overlap(others: Sequence[Body], body: Body) -> ValueError:
    """Return the error that a body has a cell of another one."""
    cells = set(body.cells)
    other, cell = next((other, cell) for other in others for cell in other.cells if cell in cells)
    at = ",".join(map(str, cell))
    return ValueError(f"pieces `{other.name}` and `{body.name}` overlap: both have cell ({at})")


def _level_with_first(part: Part) -> Part:
    """Return a part moved so that its first piece is at zero."""
    origin = part[0][2]
    return tuple([(shape, label, at - origin) for shape, label, at in part])


def _steps(spans: Spans, gaps: Gaps, bodies: Sequence[Body], order: Sequence[int], plan: Plan) -> Iterator[Step]:
    """Yield the moves of a plan in terms of the bodies: what is fixed stays, otherwise the smaller side moves."""
    parts, zero = [(1 << len(bodies)) - 1], (0,) * gaps.lattice.dimension
    here = [(bodies[number], zero) for number in order]
    fixed = sum([1 << piece for piece, (body, _) in enumerate(here) if body.fixed])
    spans_along: dict[int, list[tuple[float, float]]] = {}
    for move in plan.shifts:
        assert isinstance(move, Shift)
        away, axis, distance = move
        whole = next(filter(away.__and__, parts))
        stay = whole ^ away
        inside, outside = members(away), members(stay)
        if not distance:
            along = spans_along.get(axis)
            if along is None:
                along = spans_along[axis] = [spans.of(axis, *those) for those in here]
            distance = steps_past([along[n] for n in inside], [along[n] for n in outside], gaps.lattice.parts)
        back = (bool(away & fixed), len(inside)), (bool(stay & fixed), len(outside))
        is_back = back[0] > back[1]
        if back[0] == back[1]:
            one, two = (sum([len(here[n][0].cells) for n in side]) for side in (inside, outside))
            is_back = one > two
        moving, direction = (outside, gaps.backs[axis]) if is_back else (inside, gaps.axes[axis])
        yield Step(tuple(sorted([order[n] for n in moving])), direction, distance, move.distance == 0)
        if move.distance == 0:
            parts.remove(whole)
            parts += [side for side in (away, stay) if side & (side - 1)]
        if move.distance:  # parts that have left each other never meet again
            way = [distance * value for value in direction]
            for number in moving:
                body, place = here[number]
                here[number] = body, tuple([at + by for at, by in zip(place, way, strict=True)])
            spans_along.clear()
