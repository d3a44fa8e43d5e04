"""Lengths on paper that the places of a lattice are multiples of: what a column and a line of characters stand for."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlec.geometry import Lattice, Point

#: Smaller than any length that matters.
NOTHING = 1e-6


def units(lattice: Lattice, points: Iterable[Point]) -> tuple[float, float]:
    """Return the greatest lengths to the right and downwards that the places of some points are multiples of.

    >>> from puzzlec.geometry import find_lattice
    >>> units(find_lattice("square"), [(4, 0), (6, 3)])
    (2, 3)
    """
    wide, high = 0.0, 0.0
    for point in points:
        x, y = lattice.on_paper(point)[:2]
        wide, high = divisor(wide, abs(x)), divisor(high, abs(y))
    return wide, high


def divisor(one: float, two: float) -> float:
    """Return the greatest length that divides two others, by Euclid's algorithm.

    >>> divisor(1.5, 1.0)
    0.5
    """
    while two > NOTHING:
        rest = one % two
        one, two = two, rest if rest < two - NOTHING else 0.0
    return one
