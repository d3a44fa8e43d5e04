"""Cubes of which exactly one assembly comes apart, and only if pieces turn.

First comes a *key* with its way out of the cube: it may slide, then it turns, and then it slides out. All that it
sweeps in the cube is left empty, so it can leave if the rest of the cube is one piece. If slides alone cannot take it
out, the rest is cut into pieces at random. Then slides must not take all pieces apart, turns must, and no other
assembly of the pieces may come apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from math import cos, pi, sin

from puzzlec.compiler import parse
from puzzlec.engine import Limits, Stop
from puzzlec.generators.kind import MAX_NODES_OF_COUNT, GenerationEffort, GeneratorKind, Value, number_in
from puzzlec.geometry import Cell, find_lattice
from puzzlec.geometry.lattice import neighbours
from puzzlec.motion.bodies import Bodies
from puzzlec.motion.disassembly import Disassembler, Disassembly
from puzzlec.motion.moves import Body
from puzzlec.motion.replay import replay
from puzzlec.motion.search import Bounds
from puzzlec.motion.turning import DEFAULT_CLEARANCE, Turning
from puzzlec.solving.solutions import Solutions

#: The sizes of cubes, and the numbers of pieces.
SIZES, PIECES = range(3, 5), range(3, 7)

#: The largest share of cells that are empty.
EMPTY_SHARE = {3: 0.34, 4: 0.22}

#: The minimum number of cells of a piece.
MIN_CELLS = 3

#: The bytes for the states of one search.
STATE_MEMORY = 1 << 20

#: The number of tries to cut the rest of a cube.
MAX_CUT_TRIES = 20

#: A cube with this many assemblies is abandoned.
MAX_ASSEMBLIES = 200

#: The number of angles at which a turn of the key is looked at. The search for a plan decides whether it is possible.
ANGLES_OF_TURN = 32

#: The number of the piece that has each cell, or -1 for an empty one. The key has number 0.
_Owners = dict[Cell, int]


def make(options: Mapping[str, Value], effort: GenerationEffort) -> tuple[str, int]:
    """Return a cube that turns, with its number of assemblies, of which one comes apart."""
    side = number_in(options["size"], SIZES[-1], "size", SIZES[0])
    pieces = number_in(options["pieces"], PIECES[-1], "pieces", PIECES[0])
    return _Cubes(effort, side, pieces).find()


class _Cubes:
    """Cubes with a key that turns."""

    def __init__(self, effort: GenerationEffort, side: int, pieces: int) -> None:
        self.effort, self.random, self.side, self.pieces = effort, effort.random, side, pieces
        self.lattice = find_lattice("cubic")
        self.cells = list(product(range(side), repeat=3))
        inside = set(self.cells)
        self.near = {cell: [n for n in neighbours(cell, self.lattice) if n in inside] for cell in self.cells}

    def find(self) -> tuple[str, int]:
        """Return a cube of which one assembly comes apart, and only if a piece turns."""
        while True:
            key, empty = self._key()
            # What is remembered of shapes helps for cubes with the same key.
            self.sliding, self.turning = Disassembler(self.lattice), Disassembler(self.lattice, turning=Turning())
            for _ in range(MAX_CUT_TRIES):
                owners = self._cut(key, empty)
                plan = None if owners is None else self._taken(owners)
                if owners is not None and plan is not None and (number := self._assemblies(owners)):
                    return self._text(owners, plan, number), number

    def _key(self) -> tuple[list[Cell], set[Cell]]:
        """Return a key that slides alone do not take out of the cube, and the cells that are empty for its way out."""
        source, side = self.random, self.side
        while True:
            self.effort.take()
            key = self._grown([source.choice(self.cells)], source.randint(4, side**3 // 3), set())
            ways = list(product(range(3), (1, -1)))
            now, swept = key, set[Cell]()
            if source.random() < 0.7:
                now, swept = _slid(key, *source.choice(ways), source.randint(1, side - 1))
            pivot = source.randrange(-1, 2 * side), source.randrange(-1, 2 * side, 2)
            pivot = pivot[0], pivot[1] + (pivot[0] + pivot[1]) % 2
            now, more = _turned(now, source.randrange(3), pivot, source.choice((1, -1)))
            swept = (swept | more).intersection(self.cells).difference(key)
            if len(swept) > EMPTY_SHARE[side] * len(self.cells):
                continue
            out = [_slid(now, *way, 2 * side)[1].intersection(self.cells).difference(key) for way in ways]
            empty = min([swept | more for more in out], key=len)
            if len(empty) <= EMPTY_SHARE[side] * len(self.cells) and self._holds(key, empty):
                return key, empty

    def _grown(self, cells: list[Cell], size: int, occupied: set[Cell]) -> list[Cell]:
        """Return cells with neighbours at random; fewer than asked for if there is no room."""
        grown = list(cells)
        while len(grown) < size:
            free = sorted({n for cell in grown for n in self.near[cell] if n not in occupied}.difference(grown))
            if not free:
                break
            grown.append(self.random.choice(free))
        return grown

    def _holds(self, key: Iterable[Cell], empty: set[Cell]) -> bool:
        """Return whether slides do not take the key out of the rest of the cube, if that is one piece."""
        # Cells are bits of a row of planes with so much space that none wraps around.
        steps = [(3 * self.side) ** n for n in range(3)]

        def bits(cells: Iterable[Cell]) -> int:
            return sum(1 << sum([(c + self.side) * s for c, s in zip(cell, steps, strict=True)]) for cell in cells)

        piece, rest = bits(key), bits(set(self.cells).difference(key, empty))
        start: Cell = (0, 0, 0)
        seen, stack = {start}, [start]
        while stack:
            at = stack.pop()
            for axis, step in product(range(3), (1, -1)):
                there: Cell = (*at[:axis], at[axis] + step, *at[axis + 1 :])
                by = sum(a * s for a, s in zip(there, steps, strict=True))
                if there in seen or (piece << by if by > 0 else piece >> -by) & rest:
                    continue
                if abs(there[axis]) == self.side:
                    return False
                seen.add(there)
                stack.append(there)
        return True

    def _cut(self, key: list[Cell], empty: set[Cell]) -> _Owners | None:
        """Return the cube with its rest in pieces; None if a piece is too small."""
        source, pieces = self.random, self.pieces
        owners = dict.fromkeys(self.cells, -1) | dict.fromkeys(key, 0)
        rest = set(self.cells).difference(key, empty)
        seeds = source.sample(sorted(rest), pieces - 1)
        grown = [key, *([seed] for seed in seeds)]
        owners |= {seed: number for number, seed in enumerate(seeds, 1)}
        able = list(range(1, pieces))
        while able:
            number = source.choice(able)
            free = sorted({n for cell in grown[number] for n in self.near[cell] if owners[n] < 0 and n in rest})
            if free:
                cell = source.choice(free)
                owners[cell] = number
                grown[number].append(cell)
            else:
                able.remove(number)
        return owners if min(map(len, grown)) >= MIN_CELLS else None

    def _bodies(self, owners: _Owners) -> list[Body]:
        return [
            Body("ABCDEF"[number], tuple([cell for cell in self.cells if owners[cell] == number]))
            for number in range(self.pieces)
        ]

    def _taken(self, owners: _Owners) -> Disassembly | None:
        """Return how pieces come apart by turns; None if they do not, or if slides are enough."""
        bodies = self._bodies(owners)
        if not self.sliding.take_apart(bodies, Bounds(memory=STATE_MEMORY)).held:
            return None
        plan = self.turning.take_apart(bodies, Bounds(memory=STATE_MEMORY))
        return plan if plan.apart else None

    def _assemblies(self, owners: _Owners) -> int:
        """Return the number of assemblies of the pieces if only one comes apart; otherwise 0."""
        puzzle = parse(self._statements(owners))
        solutions = Solutions(puzzle, limits=Limits(MAX_ASSEMBLIES, self.effort.seconds_left, MAX_NODES_OF_COUNT))
        bodies, apart = Bodies(puzzle), 0
        for solution in solutions:
            plan = self.turning.take_apart(bodies.of(solution), Bounds(memory=STATE_MEMORY))
            apart += plan.apart
            if plan.stopped or apart > 1:
                return 0
            replay(plan.lattice, plan.bodies, plan.steps, DEFAULT_CLEARANCE)
        if solutions.stopped is Stop.SECONDS:
            raise self.effort.unfinished()
        return solutions.number if solutions.stopped is None and apart else 0

    def _statements(self, owners: _Owners) -> str:
        """Return the puzzle without its title, in the language."""
        empty = [cell for cell in self.cells if owners[cell] < 0]
        side = "x".join([str(self.side)] * 3)
        lines = [f"locations box {side} - cells {_written(empty)}" if empty else f"locations box {side}"]
        for body in self._bodies(owners):
            least = [min(values) for values in zip(*body.cells, strict=True)]
            cells = [tuple([a - b for a, b in zip(cell, least, strict=True)]) for cell in body.cells]
            lines.append(f"piece {body.name} cells {_written(cells)}")
        return "\n".join(["lattice cubic", *lines, "turns"])

    def _text(self, owners: _Owners, plan: Disassembly, number: int) -> str:
        """Return the puzzle with a remark about its plan, and what it promises."""
        some = "The only assembly comes" if number == 1 else f"One of {number} assemblies comes"
        remark = f"# {some} apart: level {plan.text}, {plan.moves} moves, {plan.turns} of them turns"
        promised = (number, "comes-apart 1", f"level {plan.text}", f"turns {plan.turns}")
        return "\n".join([remark, self._statements(owners), *(f"expect {value}" for value in promised)])


def _slid(cells: Iterable[Cell], axis: int, sense: int, steps: int) -> tuple[list[Cell], set[Cell]]:
    """Return cells after some steps along an axis, and all that they sweep."""
    swept, cells = set[Cell](), list(cells)
    for _ in range(steps):
        cells = [(*cell[:axis], cell[axis] + sense, *cell[axis + 1 :]) for cell in cells]
        swept.update(cells)
    return cells, swept


def _turned(cells: Iterable[Cell], axis: int, pivot: tuple[int, int], sense: int) -> tuple[list[Cell], set[Cell]]:
    """Return cells after a quarter turn about an axis, and all that they sweep. The pivot counts half cells."""
    images, swept = [], set[Cell]()
    for cell in cells:
        one, other = cell[:axis] + cell[axis + 1 :]
        # The turn the other way is the reflection of a turn.
        places = [
            ((x + pivot[0]) // 2, (sense * y + pivot[1]) // 2)
            for x, y in _sweep(2 * one - pivot[0], sense * (2 * other - pivot[1]))
        ]
        image, *_ = turned = [(*at[:axis], cell[axis], *at[axis:]) for at in places]
        images.append(image)
        swept.update(turned)
    return images, swept


@cache
def _sweep(x: int, y: int) -> list[tuple[int, ...]]:
    """Return the cells that a cell meets in a quarter turn about the origin, its image first, in half cells."""
    half, reach = 1 - 2 * DEFAULT_CLEARANCE, abs(x) + abs(y) + 2
    meets: dict[tuple[int, ...], None] = {(-y, x): None}
    for number in range(ANGLES_OF_TURN + 1):
        angle = number * pi / 2 / ANGLES_OF_TURN
        c, s = cos(angle), sin(angle)
        for there in product(range(x % 2 - reach - reach % 2, reach + 1, 2), repeat=2):
            dx, dy = there[0] - c * x + s * y, there[1] - s * x - c * y
            if max(abs(dx), abs(dy), abs(c * dx + s * dy), abs(c * dy - s * dx)) < half * (1 + c + s):
                meets[there] = None
    return list(meets)


def _written(cells: Iterable[Cell]) -> str:
    return " ".join(f"({','.join(map(str, cell))})" for cell in cells)


KIND = GeneratorKind(
    "turning",
    "cubes of which one assembly comes apart, and only by turns",
    {"size": 4, "pieces": 4},
    make,
    attempts=1_000_000,
)
