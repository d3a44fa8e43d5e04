"""Slow and simple code that knows nothing of puzzlec's lowering, engine and symmetry: what tests compare with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from puzzlec.geometry import Cell, Lattice, Matrix
from puzzlec.ir import ExactCover, Puzzle, RuleKind

#: A solution: for each piece the multiset of its placements (sets of cells), in the order of the pieces.
Solution = tuple[frozenset[frozenset[Cell]], ...]


def apply(matrix: Matrix, cell: Cell) -> Cell:
    return tuple(sum(m * c for m, c in zip(row, cell, strict=True)) for row in matrix)


def carried(lattice: Lattice, turn: Matrix, cells: list[Cell], goal: Cell) -> list[Cell | None] | None:
    """Cells turned, and moved so that the first one comes to lie on the goal; None where no translation does that."""
    image = [apply(turn, lattice.point(cell)) for cell in cells]
    home = lattice.cell(image[0])
    if home is None or (len(lattice.kinds) > 1 and home[-1] != goal[-1]):
        return None
    vector = [a - b for a, b in zip(lattice.point(goal), image[0], strict=True)]
    return [lattice.cell(tuple(a + b for a, b in zip(point, vector, strict=True))) for point in image]


def crosses(puzzle: Puzzle, solution: Solution) -> bool:
    """Whether two pieces go straight through one point of the square grid."""
    if puzzle.crossing or puzzle.lattice is None or puzzle.lattice.name != "sticks":
        return False
    across, down = Counter[Cell](), Counter[Cell]()
    for number, taken in enumerate(solution):
        for each in taken:
            for x, y, kind in each:
                if kind == 0 and (x + 1, y, 0) in each:
                    across[x + 1, y, number, hash(each)] += 1
                if kind == 1 and (x, y + 1, 1) in each:
                    down[x, y + 1, number, hash(each)] += 1
    return any(a[:2] == b[:2] and a[2:] != b[2:] for a in across for b in down)


def placements(puzzle: Puzzle, number: int) -> set[frozenset[Cell]]:
    """Every set of cells that a piece can cover: every turn, moved to every cell."""
    piece = puzzle.pieces[number]
    colour = {location.at: location.colour for location in puzzle.locations}
    assert puzzle.lattice is not None
    found = set()
    for turn in piece.turns:
        for goal in colour:  # some cell of the piece must lie somewhere: let it be the first one
            assert isinstance(goal, tuple)
            moved = [cell or () for cell in carried(puzzle.lattice, turn, list(piece.cells), goal) or ()]
            if (
                moved
                and all(cell in colour for cell in moved)
                and all(
                    own is None or colour[cell] is None or own == colour[cell] or (own, colour[cell]) in puzzle.allowed
                    for own, cell in zip(piece.colours, moved, strict=True)
                )
            ):
                found.add(frozenset(moved))
    for rule in puzzle.rules:
        if rule.piece == piece.name:
            region = set(rule.region)
            if rule.kind is RuleKind.IN:
                found = {each for each in found if each <= region}
            elif rule.kind is RuleKind.OFF:
                found = {each for each in found if not each & region}
    return found


def solutions(puzzle: Puzzle) -> set[Solution]:
    """Every solution, by trying all sets of disjoint placements, piece by piece."""
    order = [sorted(placements(puzzle, number), key=sorted) for number in range(len(puzzle.pieces))]
    needed = {location.at for location in puzzle.locations if not location.optional}
    optional = {location.at for location in puzzle.locations if location.optional}
    found: set[Solution] = set()

    def rest(number: int, covered: frozenset[Cell], chosen: tuple[frozenset[frozenset[Cell]], ...]) -> None:
        if number == len(puzzle.pieces):
            bare = len(optional - covered)
            enough = puzzle.empty is None or puzzle.empty[0] <= bare <= puzzle.empty[1]
            if needed <= covered and enough and not crosses(puzzle, chosen):
                found.add(chosen)
            return
        piece = puzzle.pieces[number]
        for taken, now in subsets(order[number], covered, piece.high):
            if len(taken) >= piece.low:
                rest(number + 1, now, (*chosen, frozenset(taken)))

    rest(0, frozenset(), ())
    return found


def subsets(
    candidates: list[frozenset[Cell]], covered: frozenset[Cell], most: int
) -> Iterator[tuple[tuple[frozenset[Cell], ...], frozenset[Cell]]]:
    """Every set of at most ``most`` disjoint candidates that also avoid what is covered."""
    yield (), covered
    if most:
        for index, each in enumerate(candidates):
            if not each & covered:
                for taken, now in subsets(candidates[index + 1 :], covered | each, most - 1):
                    yield (each, *taken), now


def symmetries(puzzle: Puzzle) -> list[tuple[dict[Cell, Cell], list[int]]]:
    """Every symmetry: what it does to the cells, and to the pieces (equal pieces in their order)."""
    assert puzzle.lattice is not None
    cells = {location.at: (location.colour, location.optional) for location in puzzle.locations}
    sets = [frozenset(placements(puzzle, number)) for number in range(len(puzzle.pieces))]
    bounds = [(piece.low, piece.high) for piece in puzzle.pieces]
    found: dict[frozenset[tuple[Cell, Cell]], tuple[dict[Cell, Cell], list[int]]] = {}
    start = puzzle.locations[0].at
    assert isinstance(start, tuple)
    for turn in puzzle.lattice.isometries:
        for goal in cells:
            assert isinstance(goal, tuple)
            order = [start, *(cell for cell in cells if cell != start and isinstance(cell, tuple))]
            images = carried(puzzle.lattice, turn, order, goal)
            if images is None or None in images:
                continue
            move = {old: new for old, new in zip(order, images, strict=True) if new is not None}
            if any(cells.get(new) != cells[old] for old, new in move.items()):
                continue
            pieces: list[int] = []
            for number, own in enumerate(sets):
                image = frozenset(frozenset(move[cell] for cell in each) for each in own)
                same = [k for k in range(len(sets)) if (sets[k], bounds[k]) == (image, bounds[number])]
                twins = [k for k in range(number) if (sets[k], bounds[k]) == (own, bounds[number])]
                if len(same) <= len(twins):
                    break
                pieces.append(same[len(twins)])
            else:
                found[frozenset(move.items())] = (move, pieces)
    return list(found.values())


def orbits(puzzle: Puzzle) -> int:
    """The number of distinct solutions: orbits of the solutions under the symmetries."""
    group = symmetries(puzzle)
    left = solutions(puzzle)
    number = 0
    while left:
        number += 1
        solution = next(iter(left))
        left -= {image(solution, move, pieces) for move, pieces in group}
    return number


def image(solution: Solution, move: dict[Cell, Cell], pieces: list[int]) -> Solution:
    """What a symmetry makes of a solution."""
    moved: list[frozenset[frozenset[Cell]]] = [frozenset()] * len(solution)
    for number, taken in enumerate(solution):
        moved[pieces[number]] = frozenset(frozenset(move[cell] for cell in each) for each in taken)
    return tuple(moved)


def covers(cover: ExactCover) -> list[tuple[int, ...]]:
    """Every exact cover, by trying every set of options."""
    found = []
    rows = [cover.entries(option) for option in range(len(cover))]
    for chosen in product((0, 1), repeat=len(rows)):
        taken = [0] * cover.primary
        colours: dict[int, int] = {}
        fits = True
        for row in (row for row, used in zip(rows, chosen, strict=True) if used):
            for item, colour in row:
                if item < cover.primary:
                    taken[item] += 1
                elif item in colours and (colour == 0 or colours[item] != colour):
                    fits = False
                else:
                    colours[item] = colour
        if fits and all(a <= n <= b for n, a, b in zip(taken, cover.low, cover.high, strict=True)):
            found.append(tuple(option for option, used in enumerate(chosen) if used))
    return sorted(found)
