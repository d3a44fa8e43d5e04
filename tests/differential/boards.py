"""Random boards: boxes, patches and parts on any lattice, some with wraps."""

from __future__ import annotations

from itertools import product
from random import Random

from puzzlec.geometry import Cell, Lattice, Point
from puzzlec.geometry.regions import grid
from puzzlec.geometry.wrapping import Wrap, WrapError, Wrapping

#: How often each lattice is chosen.
LATTICES = {
    "square": 24, "cubic": 9, "hex": 7, "triangle": 7, "line": 5, "sticks": 7, "tetrakis": 5, "drafter": 4, "trigs": 4,
    "twigs": 4, "fcc": 5, "prism": 4, "tetoct": 3, "octants": 3, "rhombic": 3, "hypercubic": 3,
}  # fmt: skip

#: Boxes that are small enough for brute force, by the number of dimensions.
BOXES: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((6,), (8,), (10,), (12,)),
    2: ((3, 2), (4, 2), (3, 3), (4, 3), (5, 2), (6, 2), (4, 4), (5, 3)),
    3: ((2, 2, 2), (3, 2, 2), (3, 2, 1), (3, 3, 1), (4, 2, 1)),
    4: ((2, 2, 2, 1), (2, 2, 1, 1), (3, 2, 1, 1)),
}
MOST_CELLS = 16


def beside(lattice: Lattice, point: Point) -> list[Point]:
    """Return the points of the neighbours of a cell."""
    steps = lattice.kinds[lattice.class_of(point)].neighbours
    return [tuple([a + b for a, b in zip(point, step, strict=True)]) for step in steps]


def patch(chance: Random, lattice: Lattice, size: int) -> list[Cell]:
    """Return connected cells, grown at random from a random kind of cell."""
    points = [chance.choice(lattice.kinds).at]
    while len(points) < size:
        fresh = [point for point in beside(lattice, chance.choice(points)) if point not in points]
        if fresh:
            points.append(chance.choice(fresh))
    return cells_at(lattice, points)


def cells_at(lattice: Lattice, points: list[Point]) -> list[Cell]:
    """Return the cells at points; each point must belong to a cell."""
    found = [lattice.cell(point) for point in points]
    return [cell for cell in found if cell is not None]


def box(chance: Random, lattice: Lattice) -> list[Cell]:
    """Return a small box, often without some of its cells."""
    if lattice.name == "sticks" and chance.random() < 0.7:
        cells = list(grid(*chance.choice(((1, 1), (2, 1), (2, 2), (3, 1)))))
    else:
        cells = full_box(chance, lattice)
    if chance.random() < 0.4:
        for _ in range(chance.randint(1, 3)):
            cells.remove(chance.choice(cells))
    return cells


def full_box(chance: Random, lattice: Lattice) -> list[Cell]:
    """Return all cells of a small box, or of a patch if the lattice has many kinds of cells."""
    kinds = len(lattice.kinds)
    sizes = [lengths for lengths in BOXES[lattice.dimension] if _volume(lengths) * kinds <= MOST_CELLS]
    if not sizes:
        return patch(chance, lattice, chance.randint(4, 12))
    places = product(*map(range, chance.choice(sizes)))
    return [(*at, *kind) for at in places for kind in ([(k,) for k in range(kinds)] if kinds > 1 else [()])]


def _volume(sizes: tuple[int, ...]) -> int:
    found = 1
    for size in sizes:
        found *= size
    return found


def parted(chance: Random, lattice: Lattice) -> list[Cell]:
    """Return a board of two or three parts, some of them equal."""
    first = patch(chance, lattice, chance.randint(2, 6))
    cells = list(first)
    for number in range(1, chance.choice((2, 2, 3))):
        part = first if chance.random() < 0.6 else patch(chance, lattice, chance.randint(1, 5))
        across = max(cell[0] for cell in cells) - min(cell[0] for cell in part) + chance.choice((2, 2, 3))
        along = [chance.randint(0, 2) for _ in range(lattice.dimension - 1)]
        shift = (across, *along, *[0] * (lattice.coordinates - lattice.dimension))
        cells += [tuple([a + b for a, b in zip(cell, shift, strict=True)]) for cell in part]
        if len(cells) > MOST_CELLS - 4 or number == 2:
            break
    return cells


def board(chance: Random, lattice: Lattice) -> list[Cell]:
    """Return the cells of a random board, sometimes in a random order, starting at the origin if possible."""
    kind = chance.random()
    if kind < 0.45:
        cells = box(chance, lattice)
    elif kind < 0.85:
        cells = patch(chance, lattice, chance.randint(3, 14))
    else:
        cells = parted(chance, lattice)
    low = [min(axis) for axis in zip(*cells, strict=True)][: lattice.dimension]
    low += [0] * (lattice.coordinates - lattice.dimension)
    cells = [tuple([a - b for a, b in zip(cell, low, strict=True)]) for cell in cells]
    cells = sorted(dict.fromkeys(cells), key=lambda cell: cell[::-1])
    if chance.random() < 0.1:
        chance.shuffle(cells)
    return cells


def wraps(chance: Random, lattice: Lattice, cells: list[Cell], tiles: bool = False) -> tuple[Wrap, ...]:
    """Return wraps of a board, none if it cannot have any; with ``tiles``, wraps that tiles allow."""
    extents = [max(axis) - min(axis) + 1 for axis in list(zip(*cells, strict=True))[: lattice.dimension]]
    axes = [axis for axis in range(lattice.dimension) if extents[axis] >= (3 if tiles else 1)]
    if not axes:
        return ()
    found = []
    for axis in sorted(chance.sample(axes, min(len(axes), chance.choice((1, 1, 2))))):
        vector = [chance.choice((0, 0, 0, 1)) for _ in extents]
        vector[axis] = extents[axis] + chance.choice((0, 0, 1))
        straight = lattice.name == "square" and vector[1 - axis] == 0
        found.append(Wrap(tuple(vector), straight and not tiles and chance.random() < 0.4))
    points = [lattice.point(cell) for cell in cells]
    try:
        wrapping = Wrapping(lattice, found, points)
    except WrapError:
        return ()
    return () if tiles and wrapping.against_tiles(points) else tuple(found)
