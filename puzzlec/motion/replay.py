"""The checker of plans: it slides the pieces in small steps and looks whether any two overlap on the way.

It shares nothing with the search: no gaps, no contacts, no closed sets. Two cells overlap if their outlines, moved to
where they are, have an inner point in common. A step looks the same from all cells of a kind, so each two kinds have a
short list of offsets at which such cells overlap during a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, Protocol

from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.faces import exact_outline, scale_of
from puzzlec.geometry.lattice import inverse, turned
from puzzlec.geometry.solids import Solid, apart, minus, moved, plus, segments_meet, solid

if TYPE_CHECKING:
    from puzzlec.motion.replay_turn import TurnLike

#: Small steps in each step of a move.
PARTS_OF_STEP = 6


class BodyLike(Protocol):
    """The facts that the checker needs about a piece of an assembly."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the piece."""


class StepLike(Protocol):
    """The properties that a move must have."""

    @property
    def pieces(self) -> tuple[int, ...]:
        """The numbers of the pieces that slide."""

    @property
    def direction(self) -> Point:
        """The change of the coordinates of a cell in one step."""

    @property
    def distance(self) -> int | Fraction:
        """The number of steps."""

    @property
    def separates(self) -> bool:
        """Whether the pieces could move on without end."""

    @property
    def turn(self) -> TurnLike | None:
        """The turn, if the pieces do not slide."""


class ReplayError(ValueError):
    """A plan cannot be carried out; the text says at which move, and why."""


class Replayed(NamedTuple):
    """The result of a plan: the parts at its end, and the level, counted from the moves."""

    parts: tuple[tuple[int, ...], ...]
    level: tuple[int, ...]


def replay(lattice: Lattice, bodies: Sequence[BodyLike], steps: Sequence[StepLike], clearance: float = 0.0) -> Replayed:
    """Carry out a plan in small steps.

    Args:
        lattice: The lattice of the cells.
        bodies: The pieces in their positions.
        steps: The moves, in their order.
        clearance: For turns, the part of a cell by which each of its sides is moved inwards.

    Raises:
        ReplayError: If pieces overlap on the way, or a move is not one of pieces that are still together.

    """
    overlap, everything = _overlap_in(lattice), tuple(range(len(bodies)))
    still = (0,) * len(lattice.translations[0])
    places = dict.fromkeys(everything, still)
    points = [[lattice.point(cell) for cell in body.cells] for body in bodies]
    owners = _owners(points, places, everything)
    _check(overlap, owners, owners, still, 1, "at the start")
    part_of = dict.fromkeys(everything, frozenset(everything))
    for number, step in enumerate(steps, 1):
        moving = frozenset(step.pieces)
        whole = part_of.get(min(moving, default=-1), frozenset())
        if not moving < whole or (step.distance <= 0 and step.turn is None):
            raise ReplayError(f"move {number} is not one of some pieces that are still together with others")
        stay = [piece for piece in whole if piece not in moving]
        distance = int(step.distance)
        if distance != step.distance:
            raise ReplayError(f"move {number} ends between two positions")
        if step.turn is not None:
            _turn(lattice, points, places, (moving, stay), step.turn, clearance, number)
            continue
        way = _sum(step.direction, lattice)
        ours, others = (_owners(points, places, side) for side in (moving, stay))
        _check(overlap, ours, others, way, distance, f"in move {number}")
        for piece in moving:
            places[piece] = tuple([at + distance * w for at, w in zip(places[piece], way, strict=True)])
        if step.separates:
            if not _past(lattice, points, places, (moving, stay), way):
                raise ReplayError(f"move {number} does not move the pieces past the others")
            part_of |= dict.fromkeys(moving, moving) | dict.fromkeys(stay, frozenset(stay))
    parts = tuple(sorted(tuple(sorted(part)) for part in set(part_of.values())))
    level = _level(frozenset(everything), set(map(frozenset, parts)), list(steps))
    return Replayed(parts, level)


def _turn(
    lattice: Lattice,
    points: list[list[Point]],
    places: dict[int, Point],
    sides: tuple[frozenset[int], Sequence[int]],
    turn: TurnLike,
    clearance: float,
    number: int,
) -> None:
    """Carry out a turn: change the points of the pieces that move. Raise ReplayError if it is not possible."""
    from puzzlec.motion.replay_turn import fault_of_turn

    translation = tuple(map(int, turn.translation))
    if translation != tuple(turn.translation):
        raise ReplayError(f"move {number} ends between two positions")
    cells = [[lattice.cell(plus(point, places[piece])) for piece in side for point in points[piece]] for side in sides]
    moving, resting = ([cell for cell in those if cell is not None] for those in cells)
    fault = fault_of_turn(lattice, turn, moving, resting, clearance)
    if fault:
        raise ReplayError(f"move {number} is not a possible turn: {fault}")
    for piece in sides[0]:
        points[piece] = [plus(turned(turn.matrix, plus(point, places[piece])), translation) for point in points[piece]]
        places[piece] = (0,) * len(places[piece])


def _level(part: frozenset[int], ends: set[frozenset[int]], moves: list[StepLike]) -> tuple[int, ...]:
    """Return the level of a part, and take its moves from the front of those that are left."""
    if part in ends:
        return ()
    number, away = 0, frozenset[int]()
    while not away:
        if not part.issuperset(moves[0].pieces):
            raise ReplayError("the moves end before everything is apart")
        number += 1
        away = frozenset(moves[0].pieces) if moves[0].separates else away
        del moves[0]
    sides = [part - away, away]
    if moves and away.issuperset(moves[0].pieces):
        sides.reverse()
    levels = {side: _level(side, ends, moves) for side in sides}
    side_levels = [
        levels[side] for side in sorted(sides, key=len, reverse=True) if any(count > 1 for count in levels[side])
    ]
    if 2 * len(away) == len(part) and len(side_levels) == 2:
        side_levels = min([side_levels, side_levels[::-1]], key=lambda both: both[0] + both[1])
    return (number, *(count for side in side_levels for count in side))


def _sum(direction: Point, lattice: Lattice) -> Point:
    """Return a direction as a vector between points."""
    columns = zip(*lattice.translations, strict=True)
    return tuple([sum(c * t for c, t in zip(direction, column, strict=True)) for column in columns])


def _owners(points: Sequence[Sequence[Point]], places: dict[int, Point], pieces: Iterable[int]) -> dict[Point, int]:
    """Return the piece at each point; raise ReplayError if two pieces are at the same point."""
    owners: dict[Point, int] = {}
    for piece in pieces:
        for point in points[piece]:
            at = plus(point, places[piece])
            if owners.setdefault(at, piece) != piece:
                raise ReplayError(f"pieces {owners[at]} and {piece} overlap at the start")
    return owners


def _check(
    overlap: _Overlap, moving: dict[Point, int], resting: dict[Point, int], way: Point, distance: int, when: str
) -> None:
    """Raise ReplayError if a piece overlaps another one while the first ones make some steps along a vector."""
    if not (moving and resting):
        return
    kinds = {overlap.lattice.class_of(point) for point in resting}
    offsets = {
        kind: [offset for other in kinds for offset in overlap.during(kind, other, way)]
        for kind in map(overlap.lattice.class_of, moving)
    }
    checked = [(point, piece, offsets[overlap.lattice.class_of(point)]) for point, piece in moving.items()]
    for number in range(min(distance, overlap.steps_to_pass(moving, resting, way))):
        gone = [number * value for value in way]
        for point, piece, around in checked:
            at = plus(point, gone)
            for offset in around:
                other = resting.get(plus(at, offset), piece)
                if other != piece:
                    raise ReplayError(f"pieces {other} and {piece} overlap {when}")


class _Overlap:
    """Where cells overlap."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice, self.scale = lattice, scale_of(lattice)
        self.far = self._reach()
        self._offsets: dict[tuple[int, int, Point], list[Point]] = {}
        self._solids: dict[int, Solid] = {}

    def steps_to_pass(self, moving: Iterable[Point], resting: Iterable[Point], way: Point) -> int:
        """Return the number of steps after which the cells at some points are too far from others to meet them."""
        numbers = []
        for ours, others, along in zip(zip(*moving, strict=True), zip(*resting, strict=True), way, strict=True):
            behind = [max(others) - min(ours), max(ours) - min(others)]
            if along:
                numbers.append(max(0, -((behind[along < 0] + self.far) // -abs(along))))
            elif min(behind) <= -self.far:
                return 0
        return min(numbers, default=1)

    def during(self, kind: int, other: int, way: Point) -> list[Point]:
        """Return the offsets at which a cell of another kind overlaps a cell that makes a step along a vector."""
        key = kind, other, way
        if key not in self._offsets:
            self._offsets[key] = [offset for offset in self._near(*key) if self._meets(kind, other, offset, way)]
        return self._offsets[key]

    def _near(self, kind: int, other: int, way: Point) -> Iterator[Point]:
        """Yield the offsets between cells of two kinds that are near each other during a step along a vector."""
        translations = self.lattice.translations
        first = minus(self.lattice.kinds[other].at, self.lattice.kinds[kind].at)
        across, scale = inverse(tuple(zip(*translations, strict=True)))
        bounds = [self.far + abs(value) for value in way]
        ranges = []
        for row, middle in zip(across, turned(across, first), strict=True):
            reach = sum(abs(value) * bound for value, bound in zip(row, bounds, strict=True))
            ranges.append(range(-((reach + middle) // scale), (reach - middle) // scale + 1))
        for factors in product(*ranges):
            offset = plus(first, _sum(factors, self.lattice))
            if all(abs(value) < bound for value, bound in zip(offset, bounds, strict=True)):
                yield offset

    def _meets(self, kind: int, other: int, offset: Point, way: Point) -> bool:
        """Return whether a cell overlaps another one, at an offset from it, during a step along a vector."""
        return any(
            self._overlaps(
                kind, other, tuple([PARTS_OF_STEP * a - small * w for a, w in zip(offset, way, strict=True)])
            )
            for small in range(1, PARTS_OF_STEP + 1)
        )

    def _reach(self) -> int:
        """Return a distance in each coordinate at which no two cells overlap."""
        if self.lattice.of_balls:
            return self._diameter()
        values = [abs(value) for kind in self.lattice.kinds for corner in kind.outline for value in corner]
        return ceil(2 * max(values))

    def _diameter(self) -> int:
        return min(sum(value * value for value in step) for kind in self.lattice.kinds for step in kind.neighbours)

    def _overlaps(self, kind: int, other: int, offset: Point) -> bool:
        """Return whether two cells overlap if the second is at an offset from the first, in small steps."""
        if any(abs(value) >= self.far * PARTS_OF_STEP for value in offset):
            return False
        if self.lattice.of_balls:
            return sum(value * value for value in offset) < self._diameter() * PARTS_OF_STEP * PARTS_OF_STEP
        step = tuple([self.scale * value for value in offset]) + (0,) * (self.lattice.dimension == 1)
        one, two = self._outlines[kind], [plus(corner, step) for corner in self._outlines[other]]
        if self.lattice.of_edges:
            return segments_meet(one, two) == "inside" or set(one) == set(two)
        sides = zip(zip(*one, strict=True), zip(*two, strict=True), strict=True)
        if any(max(ours) <= min(others) or max(others) <= min(ours) for ours, others in sides):
            return False
        return not apart(self._solid(kind), moved(self._solid(other), step))

    @cached_property
    def _outlines(self) -> list[list[Point]]:
        """The corners of each kind of cell from its point, in units that make small steps integers."""
        kinds = range(len(self.lattice.kinds))
        return [
            [tuple([PARTS_OF_STEP * v for v in corner]) for corner in exact_outline(self.lattice, kind)]
            for kind in kinds
        ]

    def _solid(self, kind: int) -> Solid:
        if kind not in self._solids:
            self._solids[kind] = solid(self._outlines[kind])
        return self._solids[kind]


@cache
def _overlap_in(lattice: Lattice) -> _Overlap:
    """Return the object that knows which cells of a lattice overlap, and remembers its answers for the next plan."""
    return _Overlap(lattice)


def _past(
    lattice: Lattice,
    points: Sequence[Sequence[Point]],
    places: dict[int, Point],
    sides: tuple[frozenset[int], Sequence[int]],
    way: Point,
) -> bool:
    """Whether all points of the first side are farther along a vector than those of the second, by a cell at least."""
    along = lattice.on_paper(way)

    def heights(side: frozenset[int] | Sequence[int]) -> Iterator[float]:
        for number in side:
            for point in points[number]:
                place = lattice.on_paper([a + b for a, b in zip(point, places[number], strict=True)])
                yield sum(a * b for a, b in zip(place, along, strict=True))

    cell = lattice.parts * sum(value * value for value in along)
    return min(heights(sides[0])) - max(heights(sides[1])) > cell * (1 - 1e-9)
