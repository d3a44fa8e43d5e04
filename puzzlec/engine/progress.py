"""How far a search has come, and how long it may still take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Progress(NamedTuple):
    """The state of a search at some moment.

    ``fraction`` is the part of the tree that is done, from 0 to 1, as far as the branches on the way to the
    current node tell; ``nodes`` and ``solutions`` are those met so far, in ``seconds``. ``rate`` is nodes per
    second, and ``left`` the expected seconds until the end, None while nothing can be said.
    """

    fraction: float = 0.0
    nodes: int = 0
    solutions: int = 0
    seconds: float = 0.0
    rate: float = 0.0
    left: float | None = None


def expected(fraction: float, seconds: float) -> float | None:
    """Return how many seconds are left if the rest goes on like the ``fraction`` that took ``seconds``."""
    if fraction <= 0 or seconds <= 0:
        return None
    return max(0.0, seconds * (1 - fraction) / fraction)


def fraction_done(position: Iterable[tuple[int, int]]) -> float:
    """Return the part of a tree that lies before a position, given as (branches done, degree) for each level.

    Every branch of a node counts for the same part of what lies below the node, which is the progress
    report of TAOCP 7.2.2.1: the digits of a number in a mixed radix.

    >>> fraction_done([(1, 2), (3, 4)])
    0.875
    """
    fraction, part = 0.0, 1.0
    for done, degree in position:
        part /= max(degree, 1)
        fraction += done * part
    return fraction
