"""The moves of a plan in the coordinates of the puzzle, and the bodies that move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, overload

from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.motion.gaps import Gaps, shift
from puzzlec.motion.rotation import Rotation, integral


class Body(NamedTuple):
    """A piece of an assembly: its name (copies have the same one), its cells, and whether it never moves.

    >>> import puzzlec
    >>> taken = next(puzzlec.disassemble("soma/castle"))
    >>> taken.disassembly.bodies[0]
    Body(name='V', cells=((3, 0, 0), (4, 0, 0), (4, 0, 1)), fixed=False)
    """

    name: str
    cells: tuple[Cell, ...]
    fixed: bool = False


class Step(NamedTuple):
    """A move: the numbers of the pieces that slide or turn, a direction, and the number of steps, maybe with a half.

    A direction is what one step adds to the coordinates of a cell. If the move ``separates``, the pieces can move on
    without end; the distance takes them past all others of their part.

    >>> import puzzlec
    >>> taken = next(puzzlec.disassemble("soma/castle"))
    >>> step = taken.disassembly.steps[0]
    >>> step.pieces, step.direction, step.separates
    ((0,), (1, 0, 0), True)
    """

    pieces: tuple[int, ...]
    direction: Point
    distance: int | Fraction
    separates: bool
    #: The turn, if the pieces turn instead of sliding; then direction and distance are 0.
    turn: Rotation | None = None


class Steps(Sequence[Step]):
    """The moves of a plan. They are carried out when one is first needed, since most assemblies are only counted.

    They equal a tuple with the same moves, and become one when they are pickled.

    Args:
        count: The number of moves.
        carry_out: Returns the moves.

    """

    def __init__(self, count: int, carry_out: Callable[[], Iterable[Step]]) -> None:
        self._count, self._carry_out = count, carry_out

    @cached_property
    def _all(self) -> tuple[Step, ...]:
        return tuple(self._carry_out())

    @overload
    def __getitem__(self, place: int) -> Step: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Step, ...]: ...

    def __getitem__(self, place: int | slice) -> Step | tuple[Step, ...]:
        return self._all[place]

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        return self._all == (other._all if isinstance(other, Steps) else other)

    def __hash__(self) -> int:
        return hash(self._all)

    def __repr__(self) -> str:
        return repr(self._all)

    def __reduce__(self) -> tuple[type, tuple[tuple[Step, ...]]]:
        return tuple, (self._all,)


def scaled_body(lattice: Lattice, body: Body, factor: int) -> Body:
    """Return a body with its positions multiplied by a factor.

    >>> from puzzlec.geometry import find_lattice
    >>> scaled_body(find_lattice("triangle"), Body("A", ((1, 2, 1),)), 2).cells
    ((2, 4, 1),)
    """
    size = lattice.dimension
    return body._replace(cells=tuple([(*[factor * at for at in cell[:size]], *cell[size:]) for cell in body.cells]))


def scaled_turn(turn: Rotation, factor: Fraction) -> Rotation:
    """Return a turn with its positions multiplied by a factor."""
    translation = tuple([integral(factor * value) for value in turn.translation])
    return turn._replace(translation=translation, pivot=tuple([factor * value for value in turn.pivot]))


def scaled_step(step: Step, factor: Fraction) -> Step:
    """Return a move with its distances and positions multiplied by a factor.

    >>> scaled_step(Step((1,), (0, 1), 3, False), Fraction(1, 2)).distance
    Fraction(3, 2)
    """
    turn = None if step.turn is None else scaled_turn(step.turn, factor)
    return step._replace(distance=integral(factor * step.distance), turn=turn)


def weight(bodies: Sequence[Body], side: frozenset[int]) -> tuple[bool, int, int]:
    """Return what decides which side of a move rests: the one that never moves, else the larger one."""
    return any(bodies[number].fixed for number in side), len(side), sum(len(bodies[number].cells) for number in side)


class Spans:
    """How far bodies reach along the axes of a lattice, in steps; remembered, since bodies are met again and again."""

    def __init__(self, gaps: Gaps) -> None:
        self.lattice, self.axes = gaps.lattice, gaps.axes
        self.ways = []
        for axis in gaps.axes:
            way = gaps.lattice.on_paper(shift(gaps.lattice, axis))
            length = sum(value * value for value in way)
            self.ways.append(tuple([value / length for value in way]))
        self._known: dict[tuple[int, int], tuple[Body, float, float]] = {}
        self._there: dict[tuple[int, Point], float] = {}
        self._papers: dict[int, tuple[Body, list[tuple[float, ...]]]] = {}

    def along(self, axis: int, point: Sequence[int]) -> float:
        """Return how far a point is along an axis."""
        return sum([a * b for a, b in zip(self.lattice.on_paper(point), self.ways[axis], strict=True)])

    def of(self, axis: int, body: Body, place: Point) -> tuple[float, float]:
        """Return where the points of a body begin and end along an axis, when it is moved by a position."""
        span = self._known.get((id(body), axis))
        if span is None or span[0] is not body:
            way = self.ways[axis]
            values = [sum([a * b for a, b in zip(point, way, strict=True)]) for point in self._on_paper(body)]
            span = self._known[id(body), axis] = body, min(values), max(values)
        there = self._there.get((axis, place))
        if there is None:
            there = self._there[axis, place] = self.along(axis, shift(self.lattice, place))
        return span[1] + there, span[2] + there

    def _on_paper(self, body: Body) -> list[tuple[float, ...]]:
        """Return the points of a body on paper: the same for all axes."""
        entry = self._papers.get(id(body))
        if entry is None or entry[0] is not body:
            points = [tuple(self.lattice.on_paper(self.lattice.point(cell))) for cell in body.cells]
            entry = self._papers[id(body)] = body, points
        return entry[1]

    def past(self, axis: int, movers: Sequence[tuple[Body, Point]], others: Sequence[tuple[Body, Point]]) -> int:
        """Return the steps along an axis after which bodies are past others."""
        ahead, behind = ([self.of(axis, *those) for those in side] for side in (movers, others))
        return steps_past(ahead, behind, self.lattice.parts)


def steps_past(movers: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]], parts: int = 1) -> int:
    """Return the steps after which bodies are past others; each has where it begins and ends along an axis.

    Bodies are past if they are ``parts`` steps farther.
    """
    return max(1, int(max([end for _, end in others]) - min([begin for begin, _ in movers])) + 1 + parts)
