"""A plain search over unit steps, for comparison: every set of pieces, every direction, step by step.

The plain search shares no code with the search of puzzlec. Pieces are sets of cells; each unit step is made in small
steps, and cells overlap if their outlines have an inner point in common.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from random import Random

from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.faces import exact_outline, scale_of
from puzzlec.geometry.lattice import neighbours
from puzzlec.geometry.solids import apart, moved, solid
from puzzlec.motion.disassembly import Disassembler, Disassembly
from puzzlec.motion.gaps import axes, contacts
from puzzlec.motion.moves import Body
from puzzlec.motion.search import Bounds

#: Small steps in a unit step.
SMALL = 12

Vector = tuple[int, ...]
State = tuple[Vector, ...]
Pieces = tuple[tuple[Cell, ...], ...]

#: The directions, one of each opposite pair, from docs/disassembly.md.
DIRECTIONS: dict[str, tuple[Vector, ...]] = {
    "line": ((1,),),
    "square": ((1, 0), (0, 1)),
    "tetrakis": ((1, 0), (0, 1)),
    "triangle": ((1, 0), (0, 1), (1, 1)),
    "hex": ((1, 0), (0, 1), (1, -1)),
    "drafter": ((1, 0), (0, 1), (1, -1)),
    "cubic": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "rhombic": (
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (1, 1, 0),
        (1, -1, 0),
        (1, 0, 1),
        (1, 0, -1),
        (0, 1, 1),
        (0, 1, -1),
        (1, 1, 1),
        (1, 1, -1),
        (1, -1, 1),
        (1, -1, -1),
    ),
    "prism": ((1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1)),
    "fcc": ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, -1), (0, 1, -1), (1, 1, -1)),
    "tetoct": ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1)),
    "octants": ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1)),
    "hypercubic": ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
}


def take_apart(
    lattice: Lattice,
    bodies: Sequence[Body],
    together: Sequence[Mapping[str, int]] = (),
    seconds: float | None = None,
    memory: int | None = None,
) -> Disassembly:
    """Return the result of taking an assembly apart, with limits of seconds and bytes."""
    bounds = Bounds(None if seconds is None else time.monotonic() + seconds)
    if memory is not None:
        bounds.memory = memory
    return Disassembler(lattice, together).take_apart(bodies, bounds)


def stepped(cell: Cell, axis: Vector, distance: int) -> Cell:
    """Return a cell moved along an axis."""
    size = len(axis)
    return (*[c + distance * a for c, a in zip(cell, axis, strict=False)], *cell[size:])


@cache
def meets(lattice: Lattice, kind: int, other: int, between: Vector, direction: Vector) -> bool:
    """Whether a cell overlaps another one, some translations away, within one unit step."""
    scale = scale_of(lattice)

    def way(vector: Vector) -> Vector:
        columns = zip(*lattice.translations, strict=True)
        return tuple(sum(c * t for c, t in zip(vector, column, strict=True)) for column in columns)

    start = [b - a + w for a, b, w in zip(lattice.kinds[kind].at, lattice.kinds[other].at, way(between), strict=True)]
    if lattice.of_balls:
        size = min(sum(v * v for v in step) for step in lattice.kinds[0].neighbours) * SMALL * SMALL
        for small in range(1, SMALL + 1):
            now = [SMALL * a - small * b for a, b in zip(start, way(direction), strict=True)]
            if sum(v * v for v in now) < size:
                return True
        return False
    one, two = ([tuple(SMALL * v for v in c) for c in exact_outline(lattice, which)] for which in (kind, other))
    flat = (0,) * (lattice.dimension == 1)
    ends = [
        (min(a) - max(b), max(a) - min(b)) for a, b in zip(zip(*one, strict=True), zip(*two, strict=True), strict=True)
    ]
    for small in range(1, SMALL + 1):
        there = (*[scale * (SMALL * a - small * b) for a, b in zip(start, way(direction), strict=True)], *flat)
        boxes_overlap = all(low < value < high for value, (low, high) in zip(there, ends, strict=True))
        if boxes_overlap and not apart(solid(one), moved(solid(two), there)):
            return True
    return False


class PlainSearch:
    """Takes an assembly apart by trying everything."""

    def __init__(self, lattice: Lattice, pieces: Pieces, stops: int = 0) -> None:
        self.stops, self.lattice, self.pieces, self.size = stops, lattice, pieces, lattice.dimension
        one_way = DIRECTIONS[lattice.name]
        self.directions = (*one_way, *(tuple(-v for v in direction) for direction in one_way))
        spans = [
            max(cell[axis] for piece in pieces for cell in piece)
            - min(cell[axis] for piece in pieces for cell in piece)
            for axis in range(self.size)
        ]
        #: The extent of each piece in each coordinate.
        self.boxes = [
            [(min(values), max(values)) for values in list(zip(*piece, strict=True))[: self.size]] for piece in pieces
        ]
        #: The steps that a piece can make before it meets another one, moved so far.
        self.known: dict[tuple[int, int, Vector, Vector], int] = {}
        self.sums: dict[tuple[frozenset[int], State], int | None] = {}
        #: After this many steps in one direction, no piece is in the way.
        self.far = 3 * sum(spans) + 6

    def steps(self, state: State, moving: frozenset[int], rest: frozenset[int], direction: Vector) -> int:
        """Return the number of unit steps that some pieces can make, at most ``far``."""
        fewest = self.far
        for one in moving:
            for two in rest:
                between = tuple([q - p for p, q in zip(state[one], state[two], strict=True)])
                key = one, two, between, direction
                if key not in self.known:
                    self.known[key] = self.steps_of_pair(one, two, between, direction)
                fewest = min(fewest, self.known[key])
        return fewest

    def steps_of_pair(self, one: int, two: int, between: Vector, direction: Vector) -> int:
        """Return the number of unit steps that a piece can make before it overlaps another one, at most ``far``."""
        for made in range(self.far):
            if self.collides(one, two, between, direction):
                return made
            between = tuple([b - d for b, d in zip(between, direction, strict=True)])
        return self.far

    def collides(self, one: int, two: int, between: Vector, direction: Vector) -> bool:
        """Whether a piece overlaps another one, moved so far, within one unit step."""
        if any(
            low + m > top + 4 or high + m < bottom - 4
            for (bottom, top), (low, high), m in zip(self.boxes[one], self.boxes[two], between, strict=True)
        ):
            return False
        several = len(self.lattice.kinds) > 1
        return any(
            max(map(abs, apart_by)) <= 4
            and meets(self.lattice, a[-1] if several else 0, b[-1] if several else 0, apart_by, direction)
            for a in self.pieces[one]
            for b in self.pieces[two]
            for apart_by in [tuple([q + m - p for p, q, m in zip(a, b, between, strict=False)])]
        )

    def level(self, part: frozenset[int], start: State) -> tuple[int, tuple[int, ...]] | None:
        """Return the sum of moves and the level of a part by the rules of docs/disassembly.md; None if it is stuck."""
        if len(part) == 1:
            return 0, ()
        front, seen, moves = [self.normal(start, part)], {self.normal(start, part)}, 0
        while front:
            found = [result for state in front for result in self.best(part, state, moves + 1)]
            if found:
                return None if None in found else min(result for result in found if result is not None)
            fresh = []
            for state in front:
                for moving, direction in self.sets(part):
                    for distance in range(1, self.steps(state, moving, part - moving, direction) + 1):
                        after = self.normal(self.after(state, moving, direction, distance), part)
                        if after not in seen:
                            seen.add(after)
                            fresh.append(after)
            front, moves = fresh, moves + 1
        return None

    def best(self, part: frozenset[int], state: State, first: int) -> list[tuple[int, tuple[int, ...]] | None]:
        """Return the result after each separation in a state: None if a part is then stuck."""
        away = [
            moving
            for moving, direction in self.sets(part)
            if self.steps(state, moving, part - moving, direction) == self.far
        ]
        single = [moving for moving in away if 1 in (len(moving), len(part) - len(moving))]
        found: list[tuple[int, tuple[int, ...]] | None] = []
        for moving in dict.fromkeys(single or away):
            one_side, other_side = sorted((part - moving, moving), key=len, reverse=True)
            more, less = self.level(one_side, state), self.level(other_side, state)
            if more is None or less is None:
                return [None]
            (one, larger), (two, smaller) = more, less
            shown = [levels for levels in (larger, smaller) if any(number > 1 for number in levels)]
            if 2 * len(moving) == len(part):
                shown = min([shown, shown[::-1]], key=lambda both: [n for levels in both for n in levels])
            found.append((first + one + two, (first, *(number for levels in shown for number in levels))))
        return found

    def least(self, part: frozenset[int], start: State) -> int | None:
        """Return the least sum of moves over all plans of docs/disassembly.md; None if the part is stuck."""
        if len(part) == 1:
            return 0
        key = part, self.normal(start, part)
        if key not in self.sums:
            self.sums[key] = self.least_of_all(part, key[1])
        return self.sums[key]

    def least_of_all(self, part: frozenset[int], start: State) -> int | None:
        """Return the least sum over all states that a part can reach; n pieces need n - 1 moves or more."""
        front, seen, moves, found = [start], {start}, 0, list[int]()
        while front and not (found and moves + len(part) - 1 >= min(found)):
            fresh = []
            for state in front:
                ways = [
                    (moving, direction, self.steps(state, moving, part - moving, direction))
                    for moving, direction in self.sets(part)
                ]
                away = [moving for moving, _, steps in ways if steps == self.far]
                single = [moving for moving in away if self.stops == 0 and 1 in (len(moving), len(part) - len(moving))]
                for moving in dict.fromkeys(single or away):
                    one, two = self.least(part - moving, state), self.least(moving, state)
                    if one is not None and two is not None:
                        found.append(moves + 1 + one + two)
                for moving, direction, steps in () if single else ways:
                    for distance in range(1, (steps if steps < self.far else self.stops) + 1):
                        after = self.normal(self.after(state, moving, direction, distance), part)
                        if after not in seen:
                            seen.add(after)
                            fresh.append(after)
            front, moves = fresh, moves + 1
        return min(found, default=None)

    def sets(self, part: frozenset[int]) -> Iterator[tuple[frozenset[int], Vector]]:
        """Yield all sets of pieces except none and all, with all directions."""
        for size in range(1, len(part)):
            for moving in combinations(sorted(part), size):
                for direction in self.directions:
                    yield frozenset(moving), direction

    def after(self, state: State, moving: frozenset[int], direction: Vector, distance: int) -> State:
        """Return the state after a move."""
        return tuple(
            tuple(p + distance * d for p, d in zip(place, direction, strict=True)) if number in moving else place
            for number, place in enumerate(state)
        )

    def normal(self, state: State, part: frozenset[int]) -> State:
        """Return a state as seen from the first piece of a part; pieces of other parts are at zero."""
        origin, zero = state[min(part)], (0,) * self.size
        return tuple(
            tuple(p - o for p, o in zip(place, origin, strict=True)) if number in part else zero
            for number, place in enumerate(state)
        )


def plain_level(lattice: Lattice, pieces: Pieces) -> tuple[int, tuple[int, ...]] | None:
    """Return the sum of moves and the level of an assembly; None if it does not come apart."""
    start = tuple((0,) * lattice.dimension for _ in pieces)
    return PlainSearch(lattice, pieces).level(frozenset(range(len(pieces))), start)


def plain_least_sum(lattice: Lattice, pieces: Pieces, stops: int = 0) -> int | None:
    """Return the least sum of moves of an assembly over all plans; None if it does not come apart.

    With ``stops``, the two rules of decision 064 do not hold. Single pieces need not leave first. A set that can leave
    may also stop after up to this many steps.
    """
    start = tuple((0,) * lattice.dimension for _ in pieces)
    return PlainSearch(lattice, pieces, stops).least(frozenset(range(len(pieces))), start)


def random_assembly(lattice: Lattice, random: Random, most_cells: int, pieces: int) -> Pieces:
    """Return pieces that grow beside each other in a small region, each in one part; some cells stay empty."""
    region = _region(lattice, random, most_cells)
    hollow, winding = random.choice((0.0, 0.1, 0.3)), random.choice((0.0, 0.5, 0.9))
    free = {cell for cell in region if random.random() >= hollow} or set(region)
    seeds = random.sample(sorted(free), min(pieces, len(free)))
    grown = {cell: number for number, cell in enumerate(seeds)}
    edge = list(seeds)
    while edge:
        cell = edge[-1] if random.random() < winding else edge[random.randrange(len(edge))]
        beside = [neighbour for neighbour in neighbours(cell, lattice) if neighbour in free and neighbour not in grown]
        if not beside:
            edge.remove(cell)
            continue
        fresh = random.choice(beside)
        grown[fresh] = grown[cell]
        edge.append(fresh)
    found: list[list[Cell]] = [[] for _ in seeds]
    for cell, number in grown.items():
        found[number].append(cell)
    return tuple(tuple(sorted(piece)) for piece in found)


def interlocking_assembly(lattice: Lattice, random: Random, size: int) -> Pieces:
    """Return pieces inside a block, which has only the hollows that they need to leave it by a random walk.

    The block is one piece or two. Most of these assemblies have a level above 1.
    """
    region = dict.fromkeys(_region(lattice, random, size))
    inside = random_assembly(lattice, random, random.choice((1, 2, 3, 4, 6)), random.choice((1, 1, 2, 3)))
    hollow = {cell for piece in inside for cell in piece}
    at = [set(piece) for piece in inside]
    for number in random.sample(range(len(inside)), len(inside)):
        for turn in range(random.choice((2, 3, 4, 6, 9))):
            mover = number if turn or random.random() < 0.7 else random.randrange(len(inside))
            axis, way = random.choice(axes(lattice)), random.choice((1, -1))
            for _ in range(random.choice((1, 1, 2, 3))):
                swept = {point for cell in at[mover] for point in _swept(lattice, cell, axis, way)}
                if any(swept & other for place, other in enumerate(at) if place != mover):
                    break
                hollow |= swept
                at[mover] = {stepped(cell, axis, way) for cell in at[mover]}
        axis, way = random.choice(axes(lattice)), random.choice((1, -1))
        while not at[number].isdisjoint(region):
            hollow |= {point for cell in at[number] for point in _swept(lattice, cell, axis, way)}
            at[number] = {stepped(cell, axis, way) for cell in at[number]}
        at[number] = set()
    full = [cell for cell in region if cell not in hollow]
    if random.random() < 0.3:
        normal = [random.randint(-2, 2) for _ in range(lattice.dimension)]
        half = {cell for cell in full if sum(n * c for n, c in zip(normal, cell, strict=False)) > 0}
        block = [[cell for cell in full if (cell in half) == side] for side in (True, False)]
    else:
        block = [full]
    pieces = [*inside, *(tuple(sorted(part)) for part in block if part)]
    return tuple(random.sample(pieces, len(pieces)))


def _swept(lattice: Lattice, cell: Cell, axis: Vector, way: int) -> set[Cell]:
    """Return the cells that a cell meets on one step, and the one where it ends."""
    found, several = {stepped(cell, axis, way)}, len(lattice.kinds) > 1
    for other in range(len(lattice.kinds)):
        # Moving back along an axis meets what would meet the cell moving forward.
        kinds = (cell[-1] if several else 0, other)
        for step, free in contacts(lattice, axis, *(kinds if way > 0 else kinds[::-1])):
            off = [way * (s - free * a) for s, a in zip(step, axis, strict=True)]
            found.add((*(c + o for c, o in zip(cell, off, strict=False)), *((other,) if several else ())))
    return found


def _region(lattice: Lattice, random: Random, most: int) -> list[Cell]:
    """Return cells around the origin, nearest first, in random order among equal distances."""
    first = (0,) * lattice.coordinates
    found, fresh = {first: None}, [first]
    while len(found) < most:
        beside = list(
            dict.fromkeys(
                neighbour for cell in fresh for neighbour in neighbours(cell, lattice) if neighbour not in found
            )
        )
        random.shuffle(beside)
        found |= dict.fromkeys(beside)
        fresh = beside
    return list(found)[:most]
