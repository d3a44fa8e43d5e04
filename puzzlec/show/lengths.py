"""Lengths on paper that the places of a lattice are multiples of: what a column and a line of characters stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from puzzlec.geometry import Lattice

#: Smaller than any length that matters.
NOTHING = 1e-6

#: The least part of the longest distance that is taken for a unit.
_LEAST = 1 / 48


def units(lattice: Lattice, points: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return the greatest lengths to the right and downwards that the places of some points are multiples of.

    Where there is none, or a tiny one only, it is a small part of the longest distance, and places are rounded.

    >>> from puzzlec.geometry import find_lattice
    >>> units(find_lattice("square"), [(4, 0), (6, 3)])
    (2, 3)
    """
    return common_lengths(lattice.on_paper(point) for point in points)


def common_lengths(places: Iterable[Sequence[float]]) -> tuple[float, float]:
    """Return what :func:`units` does, of places on paper."""
    lengths_of = [[abs(length) for length in place[:2]] for place in places]
    wide, high = (max(reduce(divisor, lengths), _LEAST * max(lengths)) for lengths in zip(*lengths_of, strict=True))
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
