"""The moves of a solution as they are shown: the moving pieces, the others on the stage, and the positions of all.

The bodies are in the order in which they are taken apart. Pictures and pages show it backwards, as a builder puts the
pieces together.

Pieces that come out one by one need no search: the order of ``straight`` is enough, and it lays pieces down from above
if it can. The search is for pieces that interlock, for puzzles with walls, immovable pieces or groups, and for flat
pieces that are to slide. If an assembly does not come apart, :mod:`puzzlec.motion.obstacles` has the pieces that hold
together.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple, cast

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.limits import Stop
from puzzlec.engine.search.selection import has_numba
from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.lattice import Matrix, multiply, turned
from puzzlec.geometry.solids import plus
from puzzlec.ir import Puzzle, Solution
from puzzlec.ir.rules import MovementRules
from puzzlec.motion.bodies import WALL, Bodies, check_size, movable
from puzzlec.motion.disassembly import Disassembler, Disassembly
from puzzlec.motion.moves import Step
from puzzlec.motion.obstacles import why_not
from puzzlec.motion.rotation import Rotation, on_page
from puzzlec.motion.search import Bounds
from puzzlec.motion.straight import AssemblyOrder, assembly

#: The limits of the searches for one picture or page: seconds for all, and bytes for each.
SEARCH_SECONDS, SEARCH_BYTES = 10.0, 64 << 20


class PictureMove(NamedTuple):
    """A move of a plan, in the order of taking apart.

    ``pieces`` are the numbers of the placements that move along a vector between points, the ``way``. If they
    ``leave``, they are not needed on the stage after it. ``there`` are the placements on the stage, those that move
    included, and ``shifts`` says for each where it is before the move, relative to its position in the solution.
    ``wall``: whether the walls are one of the things that are still together.

    If the move is a ``turn``, the way is zero. A placement among ``rotations`` has turned before: the matrix and then
    its shift take the points of the solution to where they are.
    """

    pieces: tuple[int, ...]
    way: Point
    leave: bool
    there: tuple[int, ...]
    shifts: dict[int, Point]
    wall: bool
    turn: Rotation | None = None
    rotations: dict[int, Matrix] = {}  # noqa: RUF012 - it is never changed

    def cells(self, lattice: Lattice, number: int, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        """Return the cells of a placement where they are before the move."""
        return shifted(lattice, cells, self.shifts[number], self.rotations.get(number))


@dataclass(frozen=True)
class PicturePlan:
    """How the pieces of a solution are put together.

    With ``moves`` (in the order of taking apart) a search found a plan. Otherwise ``straight`` is the order of single
    pieces, and ``remark`` says why there are no moves if pieces interlock. ``hold`` are the placements that hold
    together, if the solution does not come apart, and ``walled`` says whether they need the walls.
    """

    straight: AssemblyOrder
    moves: tuple[PictureMove, ...] = ()
    remark: str = ""
    hold: tuple[int, ...] = ()
    walled: bool = False


#: The remark if there is no plan.
STUCK_REMARK = (
    "The assembly does not come apart by moves of its lattice; `puzzlec disassemble --all` names the pieces that hold "
    "together."
)
OPEN_REMARK = "No plan was found within the limits of a picture: `puzzlec disassemble` searches longer."


@dataclass
class Planner:
    """Finds the plans of solutions of one puzzle, within limits for all of them together.

    ``sliding``: whether flat pieces slide in their plane. Otherwise they are laid down from above, unless the puzzle
    has walls, immovable pieces or groups.
    """

    puzzle: Puzzle
    sliding: bool = False
    seconds: float = SEARCH_SECONDS
    _bodies: Bodies = field(init=False, repr=False)
    _search: Disassembler | None = field(init=False, default=None, repr=False)
    _bounds: Bounds = field(init=False, repr=False)
    _warm: bool = field(init=False, repr=False)
    #: Whether time ended the last search for moves, or for the pieces that hold together.
    is_late: bool = field(init=False, default=False, repr=False)

    def __post_init__(self) -> None:
        self._bodies = Bodies(self.puzzle)
        self._bounds = Bounds(time.monotonic() + self.seconds, SEARCH_BYTES)
        self._warm = not has_numba()

    def extend(self, deadline: float) -> None:
        """Allow searches until a moment of the monotonic clock."""
        self._bounds, self._warm = Bounds(deadline, SEARCH_BYTES), True

    def moves(self, solution: Solution) -> tuple[tuple[PictureMove, ...], str]:
        """Return the moves of a solution, or why there are none: ``stuck`` or ``open``.

        There are none without a reason if single pieces come out one after the other, or if nothing is to be searched:
        the page finds their order itself.
        """
        if self._is_flat and not (self.sliding or self._has_roles):
            return (), ""
        disassembly = self.taken(solution)
        if disassembly is None:
            return (), ""
        if not disassembly.apart:
            return (), "open" if disassembly.stopped else "stuck"
        if not self._has_roles and all(step.separates and len(step.pieces) == 1 for step in disassembly.steps):
            return (), ""
        return tuple(moves_of(disassembly, self.placements(solution, disassembly))), ""

    def plan(self, solution: Solution) -> PicturePlan:
        """Return the plan of a solution. Raises ValueError for a puzzle without geometry."""
        order = assembly(solution)
        disassembly = self.taken(solution) if self._needs_search(order) else None
        if disassembly is None:
            return PicturePlan(order)
        if disassembly.stopped:
            return PicturePlan(order, remark=OPEN_REMARK)
        if not disassembly.apart:
            hold, walled = self._held(solution, disassembly)
            # `straight` tries more directions than moves have: a piece that leaves in one of them is not held.
            free = not self._is_flat and not set(hold) <= set(order.together)
            return PicturePlan(order, remark=STUCK_REMARK, hold=() if free else hold, walled=walled)
        return PicturePlan(order, tuple(moves_of(disassembly, self.placements(solution, disassembly))))

    def _held(self, solution: Solution, disassembly: Disassembly) -> tuple[tuple[int, ...], bool]:
        """Return the placements of the smallest set of pieces that holds together, and whether walls are part of it."""
        hold = why_not(disassembly, self._bounds)
        # Without time, it is not the smallest set.
        self.is_late = time.monotonic() > cast(float, self._bounds.deadline)
        if hold is None:
            return (), False
        placed = self.placements(solution, disassembly)
        held = [placed[body] for body in hold.pieces]
        return tuple(sorted(piece for those in held for piece in those)), not all(held)

    def taken(self, solution: Solution) -> Disassembly | None:
        """Return the result of a search for a solution; None if its pieces cannot be moved at all."""
        self.is_late = False
        try:
            movable(solution.fitting)
            check_size(self.puzzle)
        except PuzzleError:
            return None
        if self._search is None:
            self._search = Disassembler.of(self.puzzle)
        bodies = self._bodies.of(solution)
        disassembly = self._search.take_apart(bodies, self._bounds)
        if disassembly.stopped is Stop.SECONDS and not self._warm:
            # The first search may have spent the time on compiling its kernel.
            self._bounds = Bounds(time.monotonic() + self.seconds, SEARCH_BYTES)
            disassembly = self._search.take_apart(bodies, self._bounds)
        self._warm, self.is_late = True, disassembly.stopped is Stop.SECONDS
        return disassembly

    def placements(self, solution: Solution, disassembly: Disassembly) -> list[tuple[int, ...]]:
        """Return for each body the numbers of its placements: several if they never move."""
        still = set(self.puzzle.movement.immovable)
        names = [solution.fitting.piece_name(placement.number) for placement in solution.placements]
        single = [(number,) for number, name in enumerate(names) if name not in still]
        if disassembly.bodies and disassembly.bodies[0].fixed and disassembly.bodies[0].name == WALL:
            return [tuple([number for number, name in enumerate(names) if name in still]), *single]
        return list(single)

    def _needs_search(self, order: AssemblyOrder) -> bool:
        return self._has_roles or (self.sliding if self._is_flat else bool(order.together))

    @property
    def _has_roles(self) -> bool:
        return self.puzzle.movement != MovementRules()

    @property
    def _is_flat(self) -> bool:
        return self.puzzle.lattice is not None and self.puzzle.lattice.dimension < 3


def moves_of(disassembly: Disassembly, placements: Sequence[tuple[int, ...]]) -> Iterator[PictureMove]:
    """Yield the moves of a plan as they are shown.

    The stage shows the part that a move belongs to. If there are two parts, the part that is taken apart later
    leaves the stage. Things that never move stay in place; then the other part moves on from where it is.
    """
    lattice, everything = disassembly.lattice, frozenset(range(len(disassembly.bodies)))
    fixed = {number for number in everything if disassembly.bodies[number].fixed}
    part_of = dict.fromkeys(everything, everything)
    zero = (0,) * len(lattice.translations[0])
    shifts: dict[int, Point] = dict.fromkeys(everything, zero)
    rotations: dict[int, Matrix] = {}
    for step, after in zip_longest(disassembly.steps, disassembly.steps[1:]):
        moving = frozenset(step.pieces)
        whole = part_of[min(moving)]
        stay, way = whole - moving, vector_of(lattice, step)
        goes_on = after is not None and moving.issuperset(after.pieces)
        if step.separates and goes_on and not stay & fixed:
            moving, stay, way = stay, moving, tuple([-value for value in way])
            goes_on = False
        leave = step.separates and not goes_on
        yield PictureMove(
            tuple(sorted(placement for body in moving for placement in placements[body])),
            way,
            leave,
            tuple(sorted(placement for body in whole for placement in placements[body])),
            {placement: shifts[body] for body in whole for placement in placements[body]},
            bool(whole & fixed),
            step.turn,
            {placement: rotations[body] for body in whole & rotations.keys() for placement in placements[body]},
        )
        if step.turn is not None:
            for body in moving:
                shifts[body] = plus(turned(step.turn.matrix, shifts[body]), tuple(map(int, step.turn.translation)))
                before = rotations.get(body)
                rotations[body] = step.turn.matrix if before is None else multiply(step.turn.matrix, before)
        elif not leave:
            for body in moving:
                shifts[body] = tuple([a + b for a, b in zip(shifts[body], way, strict=True)])
        if step.separates:
            part_of |= dict.fromkeys(moving, moving) | dict.fromkeys(stay, stay)


def vector_of(lattice: Lattice, step: Step) -> Point:
    """Return a move as a vector between points."""
    columns = zip(*lattice.translations, strict=True)
    return tuple(
        [step.distance * sum(d * t for d, t in zip(step.direction, column, strict=True)) for column in columns]
    )


def shifted(lattice: Lattice, cells: Sequence[Cell], shift: Point, rotation: Matrix | None = None) -> tuple[Cell, ...]:
    """Return cells moved by a vector between points, a translation of the lattice, after a rotation if there is one."""
    points = [lattice.point(cell) for cell in cells]
    if rotation is not None:
        points = [turned(rotation, point) for point in points]
    moved = [lattice.cell(plus(point, shift)) for point in points]
    return tuple([cell for cell in moved if cell is not None])


#: Maximum number of solutions for which plans are searched, and the maximum number of seconds of these searches.
MAX_PLANS, PLAN_SECONDS = 50, 5.0


class Plans:
    """The plans of the first solutions of one puzzle, each searched once, within ``seconds`` for all.

    A plan is a list of moves. A move has the bodies that move, and the vector between points along which they leave.
    Then it has whether they leave the stage (1) or not (0), the bodies on the stage, and whether the walls are there.
    A turn also has whether the walls are there after it, and the data of :func:`puzzlec.motion.rotation.on_page`.
    The bodies are in the order in which they are taken apart. If a solution does not come apart, its plan has the
    bodies that `hold` together, and whether the walls are one of them (`walled`). Without moves, the plan is a word:
    why there are none.
    """

    def __init__(self, puzzle: Puzzle, seconds: float = PLAN_SECONDS) -> None:
        self._planner = Planner(puzzle, seconds=seconds)
        self._found: dict[tuple[tuple[int, ...], ...], object] = {}
        self._late: list[Solution] = []

    def of(self, solutions: Sequence[Solution], start: int = 0) -> list[object]:
        """Return the plans of the first solutions, and of the one with the index ``start``; others have None."""
        if start < len(solutions):
            self._plan(solutions[start])  # it is shown first, so its plan is searched first
        plans = [self._plan(solution) for solution in solutions[:MAX_PLANS]]
        if len(plans) <= start < len(solutions):
            plans += [None] * (start - len(plans)) + [self._plan(solutions[start])]
        return plans

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
        return [_row(self._planner.puzzle, move) for move in moves] or why


def _row(puzzle: Puzzle, move: PictureMove) -> list[object]:
    """Return a move as the page has it."""
    row: list[object] = [move.pieces, move.way, int(move.leave), move.there, int(move.wall)]
    if move.turn is None:
        return row
    return [*row, int(move.wall), on_page(puzzle.geometry.lattice, move.turn)]
