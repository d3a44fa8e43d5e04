"""The checker of plans: it slides the pieces in small steps and looks whether any two overlap on the way.

It shares nothing with the search: no gaps, no contacts, no closed sets. Two cells overlap if their outlines, moved to
where they are, have an inner point in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from math import ceil
from typing import NamedTuple, Protocol

from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.faces import exact_outline, scale_of
from puzzlec.geometry.solids import apart, moved, segments_meet, solid

#: Small steps in each step of a move.
SMALL = 6


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
    def distance(self) -> int:
        """The number of steps."""

    @property
    def separates(self) -> bool:
        """Whether the pieces could move on without end."""


class ReplayError(ValueError):
    """A plan cannot be carried out; the text says at which move, and why."""


class Replayed(NamedTuple):
    """The result of a plan: the parts at its end, and the level, counted from the moves."""

    parts: tuple[tuple[int, ...], ...]
    level: tuple[int, ...]


def replay(lattice: Lattice, bodies: Sequence[BodyLike], steps: Sequence[StepLike]) -> Replayed:
    """Carry out a plan in small steps.

    Args:
        lattice: The lattice of the cells.
        bodies: The pieces in their positions.
        steps: The moves, in their order.

    Raises:
        ReplayError: If pieces overlap on the way, or a move is not one of pieces that are still together.

    """
    overlap, everything = _overlap_in(lattice), tuple(range(len(bodies)))
    places = {number: (0,) * len(lattice.translations[0]) for number in everything}
    points = [[lattice.point(cell) for cell in body.cells] for body in bodies]
    _check(overlap, points, places, [(i,) for i in everything], "at the start")
    part_of = dict.fromkeys(everything, frozenset(everything))
    for number, step in enumerate(steps, 1):
        moving = frozenset(step.pieces)
        whole = part_of.get(min(moving, default=-1), frozenset())
        if not moving < whole or step.distance < 1:
            raise ReplayError(f"move {number} is not one of some pieces that are still together with others")
        way = _sum(step.direction, lattice)
        stay = [piece for piece in whole if piece not in moving]
        for small in range(1, SMALL * step.distance + 1):
            now = {
                piece: tuple([SMALL * at + small * w for at, w in zip(places[piece], way, strict=True)])
                for piece in moving
            }
            now |= {piece: tuple([SMALL * at for at in places[piece]]) for piece in stay}
            _check(overlap, points, now, [tuple(moving), tuple(stay)], f"in move {number}", SMALL)
        for piece in moving:
            places[piece] = tuple([at + step.distance * w for at, w in zip(places[piece], way, strict=True)])
        if step.separates:
            if not _past(lattice, points, places, (moving, stay), way):
                raise ReplayError(f"move {number} does not move the pieces past the others")
            part_of |= dict.fromkeys(moving, moving) | dict.fromkeys(stay, frozenset(stay))
    parts = tuple(sorted(tuple(sorted(part)) for part in set(part_of.values())))
    level = _level(frozenset(everything), set(map(frozenset, parts)), list(steps))
    return Replayed(parts, level)


def _level(part: frozenset[int], ends: set[frozenset[int]], moves: list[StepLike]) -> tuple[int, ...]:
    """Return the level of a part, and take its moves from the front of those that are left."""
    if part in ends:
        return ()
    number, away = 0, frozenset[int]()
    while not away:
        if not moves or not part.issuperset(moves[0].pieces):
            raise ReplayError("the moves end before everything is apart")
        number += 1
        away = frozenset(moves[0].pieces) if moves[0].separates else away
        del moves[0]
    sides = [part - away, away]
    if moves and away.issuperset(moves[0].pieces):
        sides.reverse()
    levels = {side: _level(side, ends, moves) for side in sides}
    shown = [levels[side] for side in sorted(sides, key=len, reverse=True) if any(count > 1 for count in levels[side])]
    if 2 * len(away) == len(part) and len(shown) == 2:
        shown = min([shown, shown[::-1]], key=lambda both: both[0] + both[1])
    return (number, *(count for side in shown for count in side))


def _sum(direction: Point, lattice: Lattice) -> Point:
    """Return a direction as a vector between points."""
    columns = zip(*lattice.translations, strict=True)
    return tuple([sum(c * t for c, t in zip(direction, column, strict=True)) for column in columns])


def _check(
    overlap: _Overlap,
    points: Sequence[Sequence[Point]],
    places: dict[int, Point],
    sides: Sequence[tuple[int, ...]],
    when: str,
    small: int = 1,
) -> None:
    """Raise ReplayError if pieces of two sides overlap; positions are ``small`` times as far as points."""
    size = overlap.far * small
    bins: dict[tuple[int, ...], list[tuple[int, int, Point, Point]]] = {}
    around = tuple(product((-1, 0, 1), repeat=len(next(iter(places.values()), ()))))
    for number, side in enumerate(sides):
        there = [
            (number, piece, point, tuple([small * p + at for p, at in zip(point, places[piece], strict=True)]))
            for piece in side
            for point in points[piece]
        ]
        for _, piece, point, at in there:
            home = [value // size for value in at]
            for step in around:
                for _, other, seen, where in bins.get(tuple([h + s for h, s in zip(home, step, strict=True)]), ()):
                    offset = tuple([b - a for a, b in zip(at, where, strict=True)])
                    if overlap.of(point, seen, offset, small):
                        raise ReplayError(f"pieces {other} and {piece} overlap {when}")
        for cell in there:
            bins.setdefault(tuple([value // size for value in cell[3]]), []).append(cell)


class _Overlap:
    """Whether cells overlap, given their kinds and the offset of the second from the first."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice, self.scale = lattice, scale_of(lattice)
        self.far = self._reach()
        self._known: dict[tuple[int, int, Point, int], bool] = {}

    def of(self, point: Point, other: Point, offset: Point, small: int) -> bool:
        """Whether the cells of two points overlap if the second is an offset from the first, in small units."""
        if any(abs(value) >= self.far * small for value in offset):
            return False
        key = self.lattice.class_of(point), self.lattice.class_of(other), offset, small
        if key not in self._known:
            self._known[key] = self._overlaps(*key)
        return self._known[key]

    def _reach(self) -> int:
        """Return a distance in each coordinate at which no two cells overlap."""
        if self.lattice.of_balls:
            return self._diameter()
        values = [abs(value) for kind in self.lattice.kinds for corner in kind.outline for value in corner]
        return ceil(2 * max(values))

    def _diameter(self) -> int:
        return min(sum(value * value for value in step) for kind in self.lattice.kinds for step in kind.neighbours)

    def _overlaps(self, kind: int, other: int, offset: Point, small: int) -> bool:
        if self.lattice.of_balls:
            return sum(value * value for value in offset) < self._diameter() * small * small
        one, two = (
            [tuple([small * v for v in c]) for c in exact_outline(self.lattice, number)] for number in (kind, other)
        )
        step = tuple([self.scale * value for value in offset]) + (0,) * (self.lattice.dimension == 1)
        if self.lattice.of_edges:
            there = [tuple([a + b for a, b in zip(corner, step, strict=True)]) for corner in two]
            return segments_meet(one, there) == "inside" or set(one) == set(there)
        return not apart(solid(one), moved(solid(two), step))


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
    """Whether all points of the first side are farther along a vector than those of the second, by a step at least."""
    along = lattice.on_paper(way)

    def heights(side: frozenset[int] | Sequence[int]) -> Iterator[float]:
        for number in side:
            for point in points[number]:
                place = lattice.on_paper([a + b for a, b in zip(point, places[number], strict=True)])
                yield sum(a * b for a, b in zip(place, along, strict=True))

    return min(heights(sides[0])) - max(heights(sides[1])) > sum(value * value for value in along) * (1 - 1e-9)
