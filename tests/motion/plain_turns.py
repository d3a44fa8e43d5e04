"""A plain search with turns, for comparison: cells of a cubic lattice, and quarter turns that are sampled.

It shares no code with the search of puzzlec. A turn is possible if some shifts of a grid stay free at each of many
angles: each pair of a moving and a resting cell forbids an octagon of shifts, and a flood fills what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import cos, pi, sin
from random import Random

import numpy as np

from puzzlec.geometry import Cell

#: Steps of the shift in a cell, and the number of angles of a coarse and of a fine sample.
STEPS, COARSE, FINE = 32, 46, 181

#: Bits of a row of shifts, the place of the shift 0 in it, and the reach of an octagon in steps.
_ROW, _ZERO, _REACH = 256, 112, 38

#: Twice the coordinates of a moving and of a resting cell in the plane of a turn, from the pivot.
Pair = tuple[tuple[int, int], tuple[int, int]]
Pieces = tuple[tuple[Cell, ...], ...]

_DISC = sum(
    1 << (x + _ZERO) * _ROW + y + _ZERO
    for x, y in product(range(-STEPS, STEPS + 1), repeat=2)
    if x * x + y * y <= STEPS * STEPS
)
_START = 1 << _ZERO * _ROW + _ZERO


@lru_cache(maxsize=1024)
def _octagons(mover: tuple[int, int], clearance: float, angles: int) -> list[tuple[int, int, int]]:
    """Return for each angle the shifts that a cell at the pivot forbids a moving one, and where they begin."""
    half, steps = 0.5 - clearance, np.arange(-_REACH, _REACH + 1)
    octagons = []
    for angle in np.linspace(0, pi / 2, angles):
        c, s = cos(angle), sin(angle)
        x, y = -STEPS / 2 * (c * mover[0] - s * mover[1]), -STEPS / 2 * (s * mover[0] + c * mover[1])
        dx, dy = ((steps - x + round(x)) / STEPS)[:, None], ((steps - y + round(y)) / STEPS)[None, :]
        far = np.maximum(np.maximum(abs(dx), abs(dy)), np.maximum(abs(c * dx + s * dy), abs(c * dy - s * dx)))
        rows = np.zeros((len(steps), _ROW), np.uint8)
        rows[:, : len(steps)] = far <= half * (1 + c + s)
        bits = int.from_bytes(np.packbits(rows, bitorder="little").tobytes(), "little")
        octagons.append((bits, round(x) - _REACH, round(y) - _REACH))
    return octagons


@lru_cache(maxsize=1 << 16)
def is_possible(pairs: frozenset[Pair], clearance: float, angles: int) -> bool:
    """Return whether a quarter turn past some cells has a path in a sample."""
    octagons = [(_octagons(mover, clearance, angles), STEPS * x // 2, STEPS * y // 2) for mover, (x, y) in pairs]
    reached = _START
    for number in range(angles):
        taken = 0
        for those, x, y in octagons:
            bits, left, low = those[number]
            left, low = left + x, low + y
            if abs(left + _REACH) <= STEPS + _REACH and abs(low + _REACH) <= STEPS + _REACH:
                taken |= bits << (left + _ZERO) * _ROW + low + _ZERO
        free = _DISC & ~taken
        reached, before = reached & free, 0
        while reached != before:
            before = reached
            reached |= (reached << 1 | reached >> 1 | reached << _ROW | reached >> _ROW) & free
        if not reached:
            return False
    return bool(reached & _START)


def across(cell: Cell, axis: int) -> tuple[int, int]:
    """Return the two coordinates of a cell that a turn about an axis changes."""
    one, other = (value for n, value in enumerate(cell) if n != axis)
    return one, other


def near_pairs(movers: Sequence[Cell], others: Sequence[Cell], pivot: tuple[int, int], axis: int) -> frozenset[Pair]:
    """Return the pairs of cells of a layer that may meet in a turn; ``pivot`` is twice a point of the axis."""

    def from_pivot(cell: Cell) -> tuple[int, int]:
        x, y = across(cell, axis)
        return 2 * x - pivot[0], 2 * y - pivot[1]

    pairs = set()
    for mover, other in product(movers, others):
        if mover[axis] == other[axis]:
            m, s = from_pivot(mover), from_pivot(other)
            if abs((m[0] ** 2 + m[1] ** 2) ** 0.5 - (s[0] ** 2 + s[1] ** 2) ** 0.5) < 2 * (1 + 2**0.5):
                pairs.add((m, s))
    return frozenset(pairs)


def turned(cells: Sequence[Cell], pivot: tuple[int, int], axis: int, sense: int) -> tuple[Cell, ...]:
    """Return cells after a quarter turn about an axis; the coordinates of the pivot are both even or both odd."""
    one, other = (n for n in range(3) if n != axis)
    after = []
    for cell in cells:
        x, y = 2 * cell[one] - pivot[0], 2 * cell[other] - pivot[1]
        image = list(cell)
        image[one], image[other] = (pivot[0] - sense * y) // 2, (pivot[1] + sense * x) // 2
        after.append(tuple(image))
    return tuple(sorted(after))


def pivots(cells: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield twice the pivots in the box of some cells in a plane, and at most one cell outside."""
    (left, low), (right, high) = (tuple(edge(column) for column in zip(*cells, strict=True)) for edge in (min, max))
    for x in range(2 * left - 2, 2 * right + 3):
        for y in range(2 * low - 2, 2 * high + 3):
            if (x + y) % 2 == 0:
                yield x, y


class PlainTurns:
    """Searches first separations breadth first. Cells are smaller by a clearance while they turn."""

    def __init__(self, clearance: float, angles: int, most: int) -> None:
        self.clearance, self.angles, self.most = clearance, angles, most

    def first(self, pieces: Pieces) -> int | None:
        """Return the number of moves to the first separation; 0 if there is none, None if there are too many states."""
        front, seen, moves = [pieces], {pieces}, 0
        while front:
            moves += 1
            if any(self._separates(state) for state in front):
                return moves
            fresh = []
            for state in front:
                for after in self.moves(state, seen):
                    seen.add(after)
                    fresh.append(after)
                if len(seen) > self.most:
                    return None
            front = fresh
        return 0

    def _separates(self, state: Pieces) -> bool:
        return any(True for _ in self._slides(state, separations=True))

    def moves(self, state: Pieces, seen: set[Pieces]) -> Iterator[Pieces]:
        """Yield the states after a move that are not yet seen. The first piece rests."""
        yield from (after for after in self._slides(state, separations=False) if after not in seen)
        cells = [cell for piece in state for cell in piece]
        for axis in range(3):
            for pivot in pivots([across(cell, axis) for cell in cells]):
                for moving, movers, others in self._sets(state):
                    yield from self._turns(state, moving, (movers, others), (pivot, axis), seen)

    def _turns(
        self,
        state: Pieces,
        moving: frozenset[int],
        sides: tuple[list[Cell], list[Cell]],
        about: tuple[tuple[int, int], int],
        seen: set[Pieces],
    ) -> Iterator[Pieces]:
        for sense in (1, -1):
            if not set(turned(sides[0], *about, sense)).isdisjoint(sides[1]):
                continue
            after = tuple(turned(p, *about, sense) if n in moving else p for n, p in enumerate(state))
            # To turn some pieces back is to turn the others forth.
            if after not in seen and self.is_possible(near_pairs(*(sides if sense > 0 else sides[::-1]), *about)):
                yield after

    def is_possible(self, pairs: frozenset[Pair]) -> bool:
        """Return whether a turn past some cells is possible. A coarse sample has all paths of a fine one."""
        return all(is_possible(pairs, self.clearance, angles) for angles in sorted({COARSE, self.angles}))

    def _slides(self, state: Pieces, *, separations: bool) -> Iterator[Pieces]:
        """Yield the states after a slide that is not a separation, or after one that is."""
        cells = [cell for piece in state for cell in piece]
        far = max(max(column) - min(column) for column in zip(*cells, strict=True)) + 1
        for moving, movers, others in self._sets(state):
            taken = set(others)
            for axis, way in product(range(3), (1, -1)):
                distance = 0
                while distance < far and taken.isdisjoint(_moved(movers, axis, way * (distance + 1))):
                    distance += 1
                if separations and distance == far:
                    yield state
                elif not separations and distance < far:
                    for step in range(1, distance + 1):
                        yield tuple(_moved(p, axis, way * step) if n in moving else p for n, p in enumerate(state))

    def _sets(self, state: Pieces) -> Iterator[tuple[frozenset[int], list[Cell], list[Cell]]]:
        """Yield the sets of pieces that may move, without the first one: their numbers, their cells, and the others."""
        for size in range(1, len(state)):
            for moving in combinations(range(1, len(state)), size):
                sides = [[c for n, p in enumerate(state) if (n in moving) == side for c in p] for side in (True, False)]
                yield frozenset(moving), sides[0], sides[1]


def _moved(cells: Sequence[Cell], axis: int, by: int) -> tuple[Cell, ...]:
    return tuple([(*cell[:axis], cell[axis] + by, *cell[axis + 1 :]) for cell in cells])


def random_cube(seed: int, side: int, pieces: int) -> Pieces:
    """Return pieces that wind around each other in a cube, each in one part; some cells stay empty."""
    source = Random(seed)
    free = set(product(range(side), repeat=3))
    grown = [[cell] for cell in source.sample(sorted(free), pieces)]
    free -= {cell for piece in grown for cell in piece}
    free -= set(source.sample(sorted(free), side**3 * source.randint(2, 6) // 48))
    able = list(range(pieces))
    while able:
        number = source.choice(able)
        piece = grown[number]
        ends = piece[-1:] if source.random() < 0.8 else piece
        fresh = sorted(free.intersection(*[{_moved([cell], axis, way)[0] for cell in ends
                                            for axis, way in product(range(3), (1, -1))}]))  # fmt: skip
        if fresh:
            piece.append(source.choice(fresh))
            free.discard(piece[-1])
        elif ends is piece:
            able.remove(number)
    return tuple(tuple(sorted(piece)) for piece in grown)
