"""The numbers of solutions by their cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from puzzlec.engine import Limits, UnfinishedError
from puzzlec.solving.best import in_64_bits, need_costs
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.tally import Tally

if TYPE_CHECKING:
    from puzzlec.pipeline import Compiled


class CostCount(NamedTuple):
    """The numbers of solutions with a cost. ``distinct`` is None if an unfinished search does not know it."""

    cost: int
    raw: int
    distinct: int | None


class CountByCost:
    """The count of the solutions of a puzzle by their cost; ``find`` computes it.

    Args:
        what: A puzzle with costs, or the name of one.
        low: Count only solutions that cost at least this.
        high: Count only solutions that cost at most this.
        symmetry: Count distinct solutions up to this, as in :func:`solve`.
        limits: Limit of seconds.
        threads: The number of threads that list covers.
        memory: Bytes that a diagram may take. Default: 1 GiB.
        way: ``list``, ``diagram``, or ``auto``: list, and make a diagram if there are too many covers.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no costs (PZ719).

    """

    def __init__(
        self,
        what: Compiled | str,
        low: int | None = None,
        high: int | None = None,
        symmetry: str = "all",
        limits: Limits | None = None,
        threads: int = 1,
        memory: int | None = None,
        way: str = "auto",
    ) -> None:
        self.solutions = Solutions(what, symmetry=symmetry)
        encoding = self.solutions.encoding
        need_costs(encoding)
        cover = encoding.cover
        self._tally = Tally(cover, cover.costs, limits, threads, memory, way, (low, high))
        self.stopped = ""

    @property
    def nodes(self) -> int:
        """Number of nodes of the ended searches and of diagrams."""
        return self._tally.nodes

    def find(self) -> list[CostCount]:
        """Return the counts in ascending order of costs. If a limit ends the search, ``stopped`` names it."""
        try:
            with in_64_bits(self.solutions.encoding):
                self._tally.count()
            raw = self._tally.raw
            distinct = raw if self.solutions.convention == "raw" else self._tally.orbits(self.solutions.group)
        except UnfinishedError as error:
            self.stopped = error.reason
            return self.known()
        return [CostCount(cost, raw[cost], distinct[cost]) for cost in sorted(raw)]

    def known(self) -> list[CostCount]:
        """Return the numbers of raw solutions that an unfinished search has found. They are lower bounds."""
        return [CostCount(cost, number, None) for cost, number in sorted(self._tally.raw.items())]


def count_by_cost(
    what: Compiled | str,
    low: int | None = None,
    high: int | None = None,
    symmetry: str = "all",
    limits: Limits | None = None,
    threads: int = 1,
) -> list[CostCount]:
    r"""Return the numbers of solutions by their cost, in ascending order of costs.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 4x1\npiece D x0..2 { xx }\npiece M x0..4 { x }\ncost M = 1")
    >>> [(count.cost, count.raw, count.distinct) for count in puzzlec.count_by_cost(puzzle)]
    [(0, 1, 1), (2, 3, 2), (4, 1, 1)]

    Args:
        what: A puzzle with costs, or the name of one.
        low: Count only solutions that cost at least this.
        high: Count only solutions that cost at most this.
        symmetry: Count distinct solutions up to this, as in :func:`solve`.
        limits: Limit of seconds.
        threads: The number of threads that search.

    Returns:
        A row for each cost that occurs.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no costs (PZ719).
        UnfinishedError: If a limit ends the search.

    """
    search = CountByCost(what, low, high, symmetry, limits, threads)
    found = search.find()
    if search.stopped:
        raise UnfinishedError(search.stopped, f"the search stopped after {sum(row.raw for row in found)} solutions")
    return found
