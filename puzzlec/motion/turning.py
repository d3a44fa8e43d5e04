"""Turns as moves of a plan, and how they are searched."""

from __future__ import annotations

from typing import NamedTuple

#: Default part of a cell by which each of its sides is moved inwards, and the largest one.
DEFAULT_CLEARANCE, MAX_CLEARANCE = 0.04, 0.25


class Turning(NamedTuple):
    """How pieces turn: the clearance in cells, and whether the number of turns counts before the number of moves."""

    clearance: float = DEFAULT_CLEARANCE
    fewest: bool = False


class Turn(NamedTuple):
    """A move: a set of pieces, the number of a plane, 1 or -1 for the sense, and the pivot.

    The pivot is relative to the first cell of the piece ``anchor``, in the plane, times its scale. A turn has no
    distance: it is never a separation.
    """

    pieces: int
    plane: int
    sense: int
    pivot: tuple[int, int]
    anchor: int

    @property
    def distance(self) -> int:
        """Less than any distance of a slide."""
        return -1
