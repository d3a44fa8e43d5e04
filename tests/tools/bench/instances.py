"""The problems of the benchmark, each with its known number of solutions.

Every problem is an `ExactCover` in which all bounds are 1, so every exact-cover program can read it. Puzzles with
geometry are also available as an `Encoding`, which knows the symmetries.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby, permutations, product

from puzzlec.compiler import compile, parse
from puzzlec.engine import ExactCover
from puzzlec.lower import Encoding

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Instance:
    """A problem: how it is built, and how many covers it has.

    ``puzzle`` is a name in the catalogue, or a text in the puzzle language, if there is one for the whole problem.
    ``held`` means that ``cover`` keeps one placement of each orbit of one piece. If there is also a ``puzzle``, the
    number counts its distinct solutions, otherwise its raw solutions. ``countable`` means that there are too many to
    list one by one. If ``slow``, a program with dancing links needs more than half a minute. An ``extra``
    problem is in another table of the page.
    """

    name: str
    title: str
    solutions: int
    build: Callable[[], ExactCover]
    puzzle: str = ""
    held: bool = False
    countable: bool = False
    slow: bool = False
    extra: bool = False

    @property
    def cover(self) -> ExactCover:
        """The exact cover; built once."""
        return _built(self)

    @property
    def encoding(self) -> Encoding | None:
        """The puzzle with its meaning, None without geometry."""
        return encoding(self.puzzle) if self.puzzle else None

    @property
    def colours(self) -> bool:
        """Whether options give colours to items."""
        return any(self.cover.colours)

    @property
    def secondary(self) -> bool:
        """Whether there are items that need not be covered."""
        return self.cover.secondary > 0


@cache
def _built(instance: Instance) -> ExactCover:
    return instance.build()


def find(name: str) -> Instance:
    """Return the instance of that name; raise ValueError if there is none."""
    for instance in INSTANCES:
        if instance.name == name:
            return instance
    raise ValueError(f"there is no instance {name!r}: {', '.join(instance.name for instance in INSTANCES)}")


@cache
def encoding(puzzle: str) -> Encoding:
    """Return the encoding of a puzzle of the catalogue, or of a text."""
    return compile(parse(puzzle) if "\n" in puzzle else puzzle)


def geometric(puzzle: str) -> Callable[[], ExactCover]:
    """Return the function that builds the exact cover of a puzzle."""
    return lambda: encoding(puzzle).cover


def copies(board: str, piece: str) -> str:
    """Return the text of a puzzle that fills a rectangle with copies of one piece."""
    return f'puzzle "copies"\nlocations box {board}\npiece P x0..100000 {piece}\n'


def isometries(cells: Iterable[Cell], mirrors: bool) -> list[dict[Cell, Cell]]:
    """Return the rotations (and reflections) of a box of cells onto itself, as maps of cells."""
    cells = list(cells)
    sizes = [max(cell[axis] for cell in cells) + 1 for axis in range(len(cells[0]))]
    axes = range(len(sizes))
    maps: list[dict[Cell, Cell]] = []
    for order in permutations(axes):
        if any(sizes[order[axis]] != sizes[axis] for axis in axes):
            continue
        odd = sum(order[a] > order[b] for a in axes for b in axes if a < b) % 2
        maps += [
            {cell: _moved(cell, sizes, order, flips) for cell in cells}
            for flips in product((False, True), repeat=len(sizes))
            if mirrors or (odd + sum(flips)) % 2 == 0
        ]
    return maps


def _moved(cell: Cell, sizes: list[int], order: tuple[int, ...], flips: tuple[bool, ...]) -> Cell:
    return tuple(
        sizes[axis] - 1 - cell[order[axis]] if flips[axis] else cell[order[axis]] for axis in range(len(sizes))
    )


def holding(puzzle: str, piece: str, mirrors: bool) -> ExactCover:
    """Return the exact cover of a puzzle in a box with one placement of each orbit of a piece.

    Every orbit must have full size, so that each class of solutions occurs once. Raises ValueError for a smaller orbit.
    """
    made = encoding(puzzle)
    assert made.fitting.puzzle is not None
    cells: list[Cell] = [tuple(location.at) for location in made.fitting.puzzle.locations]  # type: ignore[arg-type]
    number = [candidate.name for candidate in made.fitting.pieces].index(piece)
    placements = made.fitting.pieces[number].placements
    group = isometries(cells, mirrors)
    kept = set()
    for index, placement in enumerate(placements):
        orbit = {tuple(sorted(map_[cells[location]] for location in placement)) for map_ in group}
        if len(orbit) < len(group):
            raise ValueError(f"a placement of {piece} is symmetric")
        if min(orbit) == tuple(sorted(cells[location] for location in placement)):
            kept.add(index)
    cover = made.cover
    return cover.subset(
        [option for option in range(len(cover)) if made.piece[option] != number or made.index[option] in kept]
    )


def langford(n: int) -> ExactCover:
    """Return the Langford problem: two of each number k = 1 .. n, with k others between them.

    Both mirror images count.
    """
    rows = [
        (number - 1, n + first, n + first + number + 1)
        for number in range(1, n + 1)
        for first in range(2 * n - number - 1)
    ]
    return ExactCover.from_rows(rows, primary=3 * n)


def queens(n: int) -> ExactCover:
    """Return the problem of n queens: rows and columns must be covered, diagonals may be."""
    rows = [(r, n + c, 2 * n + r + c, 4 * n - 1 + (n - 1) + r - c) for r in range(n) for c in range(n)]
    return ExactCover.from_rows(rows, primary=2 * n, secondary=4 * n - 2)


def sudoku(clues: str) -> ExactCover:
    """Return a sudoku of any square order; a sign for each cell, ``.`` empty, else 1 .. 9, A, B ..."""
    side = round(len(clues) ** 0.5)
    box = round(side**0.5)
    signs = "123456789ABCDEFGHIJKLMNOP"[:side]
    rows = []
    for cell, given in enumerate(clues):
        row, column = divmod(cell, side)
        block = row // box * box + column // box
        for value, sign in enumerate(signs):
            if given in (".", sign):
                places = (cell, row * side + value, column * side + value, block * side + value)
                rows.append(tuple(kind * side * side + place for kind, place in enumerate(places)))
    return ExactCover.from_rows(rows, primary=4 * side * side)


def edge_matching(side: int, colours: int, seed: int) -> ExactCover:
    """Return an edge-matching puzzle: different square tiles of a cut square, which may be rotated, to join again.

    The border has a colour that no other edge has. Raises ValueError if two tiles are equal. Solutions come in fours,
    because the square can be rotated.
    """
    chance = random.Random(seed)
    down = [[_edge(chance, r, side, colours) for _ in range(side)] for r in range(side + 1)]
    across = [[_edge(chance, c, side, colours) for c in range(side + 1)] for _ in range(side)]
    tiles = [
        (down[r][c], across[r][c + 1], down[r + 1][c], across[r][c])  # north, east, south, west
        for r in range(side)
        for c in range(side)
    ]
    if len({min(_turned(tile)) for tile in tiles}) < len(tiles):
        raise ValueError("two tiles are alike")
    order = list(range(len(tiles)))
    chance.shuffle(order)
    count = side * side
    rows: list[list[int | tuple[int, int]]] = []
    for number, which in enumerate(order):
        for r, c in product(range(side), repeat=2):
            for north, east, south, west in sorted(set(_turned(tiles[which]))):
                border = (north, r == 0), (east, c == side - 1), (south, r == side - 1), (west, c == 0)
                if any((colour == BORDER) != outside for colour, outside in border):
                    continue
                joints = (
                    (r, north, r * side + c - side),
                    (side - 1 - r, south, r * side + c),
                    (c, west, side * (side - 1) + r * (side - 1) + c - 1),
                    (side - 1 - c, east, side * (side - 1) + r * (side - 1) + c),
                )
                coloured = [(2 * count + joint, colour) for inside, colour, joint in joints if inside]
                rows.append([number, count + r * side + c, *coloured])
    return ExactCover.from_rows(rows, primary=2 * count, secondary=2 * side * (side - 1))


#: The colour of the border of an edge-matching puzzle; those of its inner edges follow.
BORDER = 1


def _edge(chance: random.Random, line: int, side: int, colours: int) -> int:
    return BORDER if line in (0, side) else BORDER + 1 + int(chance.random() * colours)


def _turned(tile: tuple[int, int, int, int]) -> Iterator[tuple[int, int, int, int]]:
    north, east, south, west = tile
    yield from (tile, (west, north, east, south), (south, west, north, east), (east, south, west, north))


def in_quadrant() -> ExactCover:
    """Return pentominoes in 6 x 10 with the centre of the X in one quarter: each class of four solutions once."""
    return holding("pentominoes/6x10", "X", mirrors=True)


def design(points: int, block: int, together: int) -> ExactCover:
    """Return the problem of Steiner systems: blocks of points, and each few points together in one block.

    Systems whose points have other names count as different.
    """
    number = {few: at for at, few in enumerate(combinations(range(points), together))}
    rows = [[number[few] for few in combinations(own, together)] for own in combinations(range(points), block)]
    return ExactCover.from_rows(rows, primary=len(number))


def factorizations(points: int) -> ExactCover:
    """Return the problem of 1-factorizations of a complete graph: its edges in perfect matchings."""
    number = {edge: at for at, edge in enumerate(combinations(range(points), 2))}
    return ExactCover.from_rows([[number[edge] for edge in pairs] for pairs in _matchings(range(points))], len(number))


def _matchings(points: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    if not points:
        yield []
    for at in range(1, len(points)):
        for others in _matchings([*points[1:at], *points[at + 1 :]]):
            yield [(points[0], points[at]), *others]


def nonogram(side: int, black: float, seed: int) -> ExactCover:
    """Return a nonogram of a random picture. An option is a pattern of a line, with a colour for each cell."""
    chance = random.Random(seed)
    picture = [[chance.random() < black for _ in range(side)] for _ in range(side)]
    rows: list[list[int | tuple[int, int]]] = []
    for line in range(2 * side):
        cells = [(line, k) if line < side else (k, line - side) for k in range(side)]
        blocks = [len(list(run)) for full, run in groupby(picture[r][c] for r, c in cells) if full]
        free = side - sum(blocks) - max(0, len(blocks) - 1)
        for gaps in combinations(range(free + len(blocks)), len(blocks)):
            filled = {
                gap + sum(blocks[:number]) + k for number, gap in enumerate(gaps) for k in range(blocks[number])
            }  # fmt: skip
            painted = [(2 * side + r * side + c, 1 + (k in filled)) for k, (r, c) in enumerate(cells)]
            rows.append([line, *painted])
    return ExactCover.from_rows(rows, primary=2 * side, secondary=side * side)


#: One of Gordon Royle's collection of sudokus with 17 clues.
SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000".replace("0", ".")

#: A sudoku of order 16 with 110 clues of a shuffled grid, so few that it has very many solutions.
SIXTEEN = (
    "..8A.3.41F.52..DF.5.A..8.CD2.7.BC...E1.5..B..9....4....2..A85F1."
    ".9B.3...F........7............F...EG1.5A7.3..8.6.F..698B.2GE.4.3"
    "G.C...1...8..........A....4.7...6..58.37E..FC.D4.B78.D....59F..."
    "...7..E18..3....B8..74.G.A.6.E2C..6.98.32.C1GD.7......A.4D7.3..."
)

#: The instances, in the order of the table. If the number is not in the literature or in the catalogue, DLX1 or
#: DLX2, SSXCC and the kernels of this project agree on it.
INSTANCES: tuple[Instance, ...] = (
    Instance("soma", "Soma 3x3x3", 11520, geometric("soma/soma"), "soma/soma"),
    Instance("3x20", "pentominoes 3x20", 8, geometric("pentominoes/3x20"), "pentominoes/3x20"),
    Instance("8x8", "pentominoes 8x8 with hole", 520, geometric("pentominoes/8x8-hole"), "pentominoes/8x8-hole"),
    Instance("6x10", "pentominoes 6x10", 9356, geometric("pentominoes/6x10"), "pentominoes/6x10"),
    Instance("6x10-held", "6x10, X in a quadrant", 2339, in_quadrant, "pentominoes/6x10", held=True),
    Instance("langford", "Langford 11", 35584, lambda: langford(11)),
    Instance("queens", "queens 12", 14200, lambda: queens(12)),
    Instance("sudoku", "sudoku with 17 clues", 1, lambda: sudoku(SEVENTEEN)),
    Instance("sudoku-16", "sudoku 16x16, all", 446446, lambda: sudoku(SIXTEEN)),
    Instance("dominoes-8x8", "dominoes 8x8", 12988816, geometric(copies("8x8", "{ xx }")), copies("8x8", "{ xx }")),
    Instance(
        "dominoes-12x12",
        "dominoes 12x12",
        53060477521960000,
        geometric(copies("12x12", "{ xx }")),
        copies("12x12", "{ xx }"),
        countable=True,
    ),
    Instance(
        "3x4x5",
        "solid pentominoes 3x4x5",
        31520,
        geometric("solid-pentominoes/3x4x5"),
        "solid-pentominoes/3x4x5",
        slow=True,
    ),
    Instance(
        "3x4x5-held",
        "3x4x5, W held",
        7880,
        lambda: holding("solid-pentominoes/3x4x5", "W", mirrors=False),
        held=True,
        slow=True,
    ),
    Instance(
        "tetrasticks",
        "tetrasticks but H in 5x5",
        576,
        geometric("polysticks/tetrasticks-5x5"),
        "polysticks/tetrasticks-5x5",
    ),
    Instance(
        "Y-10x16",
        "Y pentominoes 10x16",
        50,
        geometric(copies("10x16", "= pentominoes.Y")),
        copies("10x16", "= pentominoes.Y"),
    ),
    Instance(
        "Y-15x15",
        "Y pentominoes 15x15",
        1696,
        geometric(copies("15x15", "= pentominoes.Y")),
        copies("15x15", "= pentominoes.Y"),
        slow=True,
    ),
    Instance(
        "macmahon",
        "MacMahon's squares 4x6",
        106624,
        geometric("tiles/macmahon-squares"),
        "tiles/macmahon-squares",
        slow=True,
    ),
    Instance("edges", "edge matching 6x6, 5 colours", 4, lambda: edge_matching(6, 5, 12)),
    Instance(
        "bedlam-held",
        "Bedlam cube, one piece held",
        19186,
        lambda: holding("polycubes/bedlam-cube", "J", mirrors=False),
        "polycubes/bedlam-cube",
        held=True,
        slow=True,
    ),
    Instance("steiner-5-6-12", "Steiner systems S(5,6,12)", 5040, lambda: design(12, 6, 5), extra=True),
    Instance("quadruples-10", "Steiner quadruples of 10", 2520, lambda: design(10, 4, 3), extra=True),
    Instance("plane-3", "projective planes of order 3", 1108800, lambda: design(13, 4, 2), extra=True),
    Instance("factors-8", "1-factorizations of K8", 6240, lambda: factorizations(8), extra=True),
    Instance("nonogram-15", "nonogram 15x15, half black", 1, lambda: nonogram(15, 0.5, 3), extra=True),
    Instance("nonogram-20", "nonogram 20x20, 65% black", 1, lambda: nonogram(20, 0.65, 5), extra=True),
    Instance("nonogram-20-60", "nonogram 20x20, 60% black", 1, lambda: nonogram(20, 0.6, 3), extra=True),
)

#: A problem without work, for the cost of starting a program; its one option has its one item.
EMPTY = Instance("empty", "empty problem", 1, lambda: ExactCover.from_rows([[0]], primary=1))
