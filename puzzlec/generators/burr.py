"""Six-piece burrs of a high level, of which exactly one assembly comes apart.

A burr grows from a random assembly. Each change puts other sticks into one or two of the six boxes, such that no two
sticks overlap. The change is kept if the first separation does not need fewer moves. If the first separation needs more
moves, all other assemblies of the same sticks are tried: none may come apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from puzzlec.compiler import parse
from puzzlec.diagnostics import none_of
from puzzlec.engine import Limits, Stop
from puzzlec.generators.kind import MAX_NODES_OF_COUNT, GenerationEffort, GeneratorKind, Value, number_in, wrong
from puzzlec.geometry import Cell, find_library
from puzzlec.geometry.lattice import turned
from puzzlec.geometry.shapes import numbered
from puzzlec.geometry.solids import plus
from puzzlec.motion.bodies import Bodies
from puzzlec.motion.disassembly import Disassembler, Disassembly
from puzzlec.motion.moves import Body
from puzzlec.motion.replay import replay
from puzzlec.solving.solutions import Solutions

#: The stocks of sticks, each with the highest level of a burr with one assembly that comes apart. They were found by
#: complete searches: by Bill Cutler (http://billcutlerpuzzles.com/docs/CA6PB/overview.html), and for notchable ones by
#: puzzlec's authors.
STOCKS = {"burr-sticks": 10, "notchable": 5}

#: The least corners of the boxes of the six sticks, and their sizes.
BOXES: tuple[tuple[Cell, Cell], ...] = (
    ((0, 1, 2), (6, 2, 2)), ((0, 3, 2), (6, 2, 2)), ((2, 0, 1), (2, 6, 2)), ((2, 0, 3), (2, 6, 2)),
    ((1, 2, 0), (2, 2, 6)), ((3, 2, 0), (2, 2, 6)),
)  # fmt: skip

#: The board in the language. Inner cells may stay empty.
BOARD = """# Three pairs of sticks cross at right angles. Inner cells may stay empty.
lattice cubic
region middle = box 2x4x2 at (2,1,2) + box 2x2x4 at (2,2,1) + box 4x2x2 at (1,2,2)
locations box 6x4x2 at (0,1,2) + box 2x6x4 at (2,0,1) + box 4x2x6 at (1,2,0) - middle
optional locations middle"""

#: A climb ends after this many changes without a higher level.
MAX_VAIN_CHANGES = 1000

#: A burr with this many assemblies is abandoned.
MAX_ASSEMBLIES_OF_BURR = 500

#: The number of the stick in each box.
_Assembly = Mapping[int, int]


class _Apart(NamedTuple):
    """The only assembly of some sticks that comes apart, and the number of all assemblies."""

    disassembly: Disassembly
    assemblies: int


def make(options: Mapping[str, Value], effort: GenerationEffort) -> tuple[str, int]:
    """Return a burr of at least a level, with its number of assemblies. One of them comes apart."""
    stock = str(options["pieces"])
    if stock not in STOCKS:
        raise wrong(none_of(stock, tuple(STOCKS)))
    level = number_in(options["level"], STOCKS[stock], "level")
    growing = _BurrGrowth(effort, stock == "notchable")
    best = 0
    while True:
        for assembly, apart in growing.climb():
            reached = apart.disassembly.level
            assert reached is not None
            if reached[0] >= level:
                return growing.text(assembly, apart), apart.assemblies
            if reached[0] > best:
                best = reached[0]
                effort.best = f"the best has level {apart.disassembly.text}: `--level {best}` prints it"


class _BurrGrowth:
    """Burrs that grow at random. A number of a stick says which inner cells it lacks."""

    def __init__(self, effort: GenerationEffort, notchable: bool) -> None:
        self.effort, self.random = effort, effort.random
        self.boxes = [[plus(corner, cell) for cell in product(*map(range, size))] for corner, size in BOXES]
        shared = Counter(cell for cells in self.boxes for cell in cells)
        place = {cell: bit for bit, cell in enumerate(sorted(cell for cell in shared if shared[cell] > 1))}
        #: For each stick the sets of inner cells that it fills, by its number.
        self.filled: list[dict[int, int]] = []
        for cells in self.boxes:
            inner = [place[cell] for cell in _inner(cells, set(place))]
            self.filled.append(
                {
                    number: sum([1 << cell_bit for bit, cell_bit in enumerate(inner) if not number - 1 >> bit & 1])
                    for number in _names()
                    if not notchable or is_notchable(number)
                }
            )
        self.place = place
        self.tallest = 0  # the highest first number of a level, of any assembly
        self.disassembler = Disassembler(find_library("burr-sticks").lattice)
        self._bodies: dict[tuple[int, int], Body] = {}

    def climb(self) -> Iterator[tuple[_Assembly, _Apart]]:
        """Yield assemblies of higher and higher levels, each the only one of its sticks that comes apart."""
        assembly, level, highest, idle = self._begin(), 0, 0, 0
        while idle < MAX_VAIN_CHANGES:
            self.effort.take()
            other = self._changed(assembly)
            idle += 1
            reached = self.disassembler.take_apart(self._placed(other)).level or (0,)
            if reached[0] < level:
                continue
            assembly, level = other, reached[0]
            if level > self.tallest and not self.effort.best.startswith("the best"):
                self.tallest = level
                self.effort.best = f"no burr with only one assembly that comes apart; one of several has level {level}"
            if level > highest and (apart := self._only(other)) is not None:
                highest, idle = level, 0
                yield other, apart

    def _begin(self) -> _Assembly:
        """Return a random assembly."""
        assembly: _Assembly | None = None
        while assembly is None:
            assembly = self._filled({}, range(len(BOXES)))
        return assembly

    def _changed(self, assembly: _Assembly) -> _Assembly:
        """Return an assembly with one or two other sticks."""
        some = {self.random.randrange(len(BOXES)) for _ in range(2)}
        kept = {stick: number for stick, number in assembly.items() if stick not in some}
        return self._filled(kept, sorted(some)) or assembly

    def _filled(self, kept: _Assembly, sticks: Sequence[int]) -> _Assembly | None:
        """Return an assembly with random sticks in some boxes; None if there is no room for one."""
        assembly = dict(kept)
        in_use = sum(self.filled[stick][number] for stick, number in kept.items())
        for stick in sticks:
            able = [number for number, cells in self.filled[stick].items() if not cells & in_use]
            if not able:
                return None
            assembly[stick] = able[self.random.randrange(len(able))]
            in_use |= self.filled[stick][assembly[stick]]
        return assembly

    def _placed(self, assembly: _Assembly) -> list[Body]:
        """Return the sticks in their positions."""
        for stick, number in assembly.items():
            if (stick, number) not in self._bodies:
                inner = self.filled[stick][number]
                cells = [cell for cell in self.boxes[stick] if cell not in self.place or inner >> self.place[cell] & 1]
                self._bodies[stick, number] = Body(str(stick), tuple(cells))
        return [self._bodies[stick, assembly[stick]] for stick in range(len(BOXES))]

    def _only(self, assembly: _Assembly) -> _Apart | None:
        """Return how the sticks come apart; None if several of their assemblies do, or if there are too many."""
        puzzle = parse(self._statements(assembly))
        solutions = Solutions(
            puzzle, limits=Limits(MAX_ASSEMBLIES_OF_BURR, self.effort.seconds_left, MAX_NODES_OF_COUNT)
        )
        bodies, apart = Bodies(puzzle), list[Disassembly]()
        for solution in solutions:
            disassembly = self.disassembler.take_apart(bodies.of(solution))
            if disassembly.apart or disassembly.stopped:
                apart.append(disassembly)
            if len(apart) > 1:
                return None
        if solutions.stopped is Stop.SECONDS:
            raise self.effort.unfinished()
        if solutions.stopped is not None or not apart[0].apart:
            return None
        replayed = replay(apart[0].lattice, apart[0].bodies, apart[0].steps)
        assert replayed.level == apart[0].level
        return _Apart(apart[0], solutions.number)

    def _statements(self, assembly: _Assembly) -> str:
        names = Counter(_names()[number] for number in assembly.values())
        lines = [
            f"piece {name}{f' x{copies}' if copies > 1 else ''} = burr-sticks.{name}"
            for name, copies in sorted(names.items())
        ]
        return "\n".join([BOARD, *lines])

    def text(self, assembly: _Assembly, apart: _Apart) -> str:
        """Return the puzzle."""
        disassembly = apart.disassembly
        some = "The only assembly comes" if apart.assemblies == 1 else f"One of {apart.assemblies} assemblies comes"
        remark = f"# {some} apart: level {disassembly.text}, {disassembly.moves} moves"
        return f"{remark}\n{self._statements(assembly)}"


@cache
def _removable() -> tuple[Cell, ...]:
    """Return the cells that a stick can lack, in the order of the bits of its number."""
    library = find_library("burr-sticks")
    whole = set(library.shape("1").cells)
    return tuple(min(whole.difference(library.shape(str(1 + (1 << bit))).cells)) for bit in range(12))


@cache
def _names() -> dict[int, int]:
    """Return the minimum number of each connected stick, by all its numbers."""
    library = find_library("burr-sticks")
    sticks = numbered(library.shape("1").cells, _removable(), library.lattice, library.freedom)
    return {number: least for number, (least, _) in sticks.items()}


def _inner(box: Sequence[Cell], inner: set[Cell]) -> list[Cell]:
    """Return the inner cells of a box in the order of the bits of a number, by a rotation of the whole stick."""
    library = find_library("burr-sticks")
    corner = min(box)
    for turn in library.lattice.turns(library.freedom):
        image = [turned(turn, cell) for cell in library.shape("1").cells]
        low = tuple([min(values) for values in zip(*image, strict=True)])
        to = tuple([b - a for a, b in zip(low, corner, strict=True)])
        cells = [plus(turned(turn, cell), to) for cell in _removable()]
        if inner.intersection(box) == set(cells) and {plus(cell, to) for cell in image} == set(box):
            return cells
    raise AssertionError("a rotation maps each stick to each box")


def is_notchable(number: int) -> bool:
    """Return whether straight saw cuts make a stick: each cell that it lacks is cut out with the one beside it.

    >>> is_notchable(1024), is_notchable(2)
    (True, False)
    """
    cells = {cell for bit, cell in enumerate(_removable()) if number - 1 >> bit & 1}
    return all((x, 1 - y, z) in cells or (x, y, 1 - z) in cells for x, y, z in cells)


KIND = GeneratorKind(
    "burr",
    "six-piece burrs of at least a level, of which one assembly comes apart",
    {"level": 5, "pieces": "burr-sticks"},
    make,
    attempts=200_000,
)
