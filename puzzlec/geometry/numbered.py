"""Shapes with numbers: a solid shape without some of its removable cells, as burr sticks are numbered.

Number 1 is the solid shape. The first removable cell adds 1, and each further one twice as much as the one before.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.geometry.lattice import Cell, Freedom, Lattice, turned


def numbered(
    solid: Sequence[Cell], removable: Sequence[Cell], lattice: Lattice, freedom: Freedom
) -> dict[int, tuple[int, tuple[Cell, ...]]]:
    """Return the connected shapes by number, each with the least number of the same shape and its cells.

    Args:
        solid: Cells of number 1, which have the full length along each axis.
        removable: Cells that other numbers lack, in the order of their values.
        lattice: Lattice of squares or cubes. Connected cells share sides.
        freedom: Motions that do not change the shape.

    """
    bit = {cell: 1 << at for at, cell in enumerate(removable)}
    turns = [_values(turn, bit) for turn in _turns(solid, lattice, freedom)]
    place = {cell: 1 << at for at, cell in enumerate(solid)}
    beside = [sum(place[each] for each in solid if _touch(each, cell)) for cell in solid]
    found: dict[int, tuple[int, tuple[Cell, ...]]] = {}
    least: dict[int, int] = {}
    for removed in range(1 << len(removable)):
        cells = tuple(cell for cell in solid if not bit.get(cell, 0) & removed)
        if not _is_connected(sum(map(place.__getitem__, cells)), beside):
            continue
        if removed not in least:  # numbers ascend, so this one is the least of its shape
            removes = [at for at in range(len(removable)) if removed >> at & 1]
            for values in turns:
                image = [values[at] for at in removes]
                if None not in image:
                    least[sum(each or 0 for each in image)] = removed
        found[removed + 1] = least[removed] + 1, cells
    return found


def _turns(solid: Sequence[Cell], lattice: Lattice, freedom: Freedom) -> list[dict[Cell, Cell]]:
    """Return the image of each cell under the motions that keep the solid shape; no others keep its lengths."""
    low = [min(at) for at in zip(*solid, strict=True)]
    found = []
    for turn in lattice.turns(freedom):
        image = [turned(turn, cell) for cell in solid]
        moves = [a - min(at) for a, at in zip(low, zip(*image, strict=True), strict=True)]
        placed = [tuple(map(sum, zip(cell, moves, strict=True))) for cell in image]
        if set(placed) == set(solid):
            found.append(dict(zip(solid, placed, strict=True)))
    return found


def _values(turn: dict[Cell, Cell], bit: dict[Cell, int]) -> list[int | None]:
    """Return the value of each removable cell after a motion; None if its image is not removable."""
    return [bit.get(turn[cell]) for cell in bit]


def _touch(one: Cell, other: Cell) -> bool:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 1


def _is_connected(cells: int, beside: Sequence[int]) -> bool:
    """Return whether cells, as bits, are connected; ``beside`` has the neighbours of each bit."""
    reached = frontier = cells & -cells
    while frontier:
        found = 0
        while frontier:
            last = frontier & -frontier
            found |= beside[last.bit_length() - 1]
            frontier ^= last
        frontier = found & cells & ~reached
        reached |= frontier
    return reached == cells
