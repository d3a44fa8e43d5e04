"""How far a search has come, and how long it may still take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Progress(NamedTuple):
    """The state of a search at some moment.

    ``fraction`` is the part of the tree that is done, from 0 to 1, as far as the branches on the way to the
    current node tell; ``nodes`` and ``solutions`` are those met so far, in ``seconds``. ``rate`` is nodes per
    second, and ``left`` the expected seconds until the end, None while nothing can be said. ``left_between`` is an
    interval of seconds that holds the true end in about 9 of 10 cases, None where no such promise can be made.
    ``doing`` says what goes on where it is not the search itself, such as "by layers"; then ``nodes`` may stand still.
    ``workers`` is how many work on it now, None where nobody is asked.
    """

    fraction: float = 0.0
    nodes: int = 0
    solutions: int = 0
    seconds: float = 0.0
    rate: float = 0.0
    left: float | None = None
    left_between: tuple[float, float] | None = None
    doing: str = ""
    workers: int | None = None


#: The most that is told of a search that is not over.
ALMOST = 0.9999


class Steady:
    """Keeps what is told of one search from running back, though it may begin anew in another way."""

    def __init__(self) -> None:
        self._fraction, self._nodes, self._solutions, self._seconds = 0.0, 0, 0, 0.0

    def next(self, now: Progress) -> Progress:
        """Return a progress whose fraction, nodes, solutions and seconds are not less than any returned before.

        >>> steady = Steady()
        >>> [steady.next(each)[:2] for each in (Progress(0.5, 10), Progress(0.25, 20))]
        [(0.5, 10), (0.5, 20)]
        """
        self._fraction, self._nodes = max(self._fraction, min(now.fraction, 1.0)), max(self._nodes, now.nodes)
        self._solutions, self._seconds = max(self._solutions, now.solutions), max(self._seconds, now.seconds)
        return now._replace(
            fraction=self._fraction, nodes=self._nodes, solutions=self._solutions, seconds=self._seconds
        )

    def forget_fraction(self) -> None:
        """Let the fraction begin anew: a better way to tell it was found, before any was told."""
        self._fraction = 0.0


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
