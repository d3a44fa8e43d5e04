"""Regions: ordered sets of cells, made from boxes and lists and combined by ``+``, ``-`` and ``&``."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from puzzlec.geometry.lattice import Cell

#: Maximum number of cells of a region: a typing mistake must not fill the memory.
MAX_REGION_CELLS = 1_000_000

Region = dict[Cell, None]


class RegionTooLargeError(ValueError):
    """A region has more than :data:`MAX_REGION_CELLS` cells."""


def box(sizes: Iterable[int]) -> Region:
    """Return the cells of a box from the origin, with x running fastest.

    >>> list(box([2, 2]))
    [(0, 0), (1, 0), (0, 1), (1, 1)]
    """
    sizes = tuple(sizes)
    if 0 in sizes:
        return {}  # however large the other sizes are
    if prod(sizes) > MAX_REGION_CELLS:
        raise RegionTooLargeError
    return {tuple(reversed(cell)): None for cell in product(*(range(size) for size in reversed(sizes)))}


def kinds_of(region: Iterable[Cell], kinds: int) -> Region:
    """Return all kinds of cell at the positions of a region: the number of the kind follows the coordinates.

    >>> list(kinds_of([(0, 0)], 2))
    [(0, 0, 0), (0, 0, 1)]
    """
    return {(*place, kind): None for place in region for kind in range(kinds)}


def grid(columns: int, rows: int) -> Region:
    """Return all edges of a board of squares, row by row as drawn; kind 0 runs to the right, kind 1 down.

    >>> list(grid(1, 1))
    [(0, 0, 0), (0, 0, 1), (1, 0, 1), (0, 1, 0)]
    """
    if (2 * columns + 1) * (rows + 1) > MAX_REGION_CELLS:
        raise RegionTooLargeError
    edges: Region = {}
    for y in range(rows + 1):
        edges.update(dict.fromkeys((x, y, 0) for x in range(columns)))
        if y < rows:
            edges.update(dict.fromkeys((x, y, 1) for x in range(columns + 1)))
    return edges


def shifted(region: Iterable[Cell], vector: Cell) -> Region:
    """Return the region moved by a vector; the number of a cell's kind, if any, stays the same.

    >>> list(shifted(box([2]), (3,)))
    [(3,), (4,)]
    """
    extra = (0,) * 9
    return {tuple(c + v for c, v in zip(cell, (*vector, *extra), strict=False)): None for cell in region}


def joined(left: Region, sign: str, right: Region) -> Region:
    """Return the union (``+``), difference (``-``) or intersection (``&``), in the order of the left region."""
    if sign == "+":
        return left | right
    return {cell: None for cell in left if (cell in right) == (sign == "&")}
