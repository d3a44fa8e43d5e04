"""Connected parts of a set of cells."""

from __future__ import annotations

from collections.abc import Collection

from puzzlec.geometry.lattice import Cell, Lattice


def number_of_parts(cells: Collection[Cell], lattice: Lattice) -> int:
    """Return the number of connected parts of some cells; neighbours are connected.

    >>> from puzzlec.geometry import find_lattice
    >>> number_of_parts([(0, 0), (1, 0), (2, 1)], find_lattice("square"))
    2
    """
    left = {lattice.point(cell) for cell in cells}
    parts = 0
    while left:
        parts += 1
        fresh = [left.pop()]
        while fresh:
            point = fresh.pop()
            for step in lattice.kinds[lattice.class_of(point)].neighbours:
                beyond = tuple([a + b for a, b in zip(point, step, strict=True)])
                if beyond in left:
                    left.remove(beyond)
                    fresh.append(beyond)
    return parts
