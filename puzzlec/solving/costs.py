"""Solutions by their cost: those of lowest or highest cost, and the number of solutions of each cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from puzzlec.diagnostics.error import fail
from puzzlec.engine import Limits, Stop, UnfinishedError
from puzzlec.engine.integers import integer
from puzzlec.engine.limits import limits_of
from puzzlec.engine.progress import Progress
from puzzlec.engine.search.cheapest import Cheapest
from puzzlec.engine.search.selection import KernelChoice
from puzzlec.ir import Solution
from puzzlec.language.spelling import quoted
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.tally import Tally, each_fixing

if TYPE_CHECKING:
    from puzzlec.compiler import PuzzleOrName
    from puzzlec.lower import Encoding


#: A range of costs.
_RANGE = re.compile(r"(-?[0-9]{1,40})?(?:(\.\.)(-?[0-9]{1,40})?)?", re.ASCII)


def read_range(text: str) -> tuple[int | None, int | None]:
    """Return the bounds of a range of costs, None for an open end; raise ValueError for other texts.

    >>> read_range("3..5"), read_range("-4"), read_range("..5"), read_range("all")
    ((3, 5), (-4, -4), (None, 5), (None, None))
    """
    match = _RANGE.fullmatch(text.strip())
    if text == "all":
        return None, None
    if match is None or not match.group():
        raise ValueError(f"expected a range such as 3..5, found `{text}`")
    low, dots, high = match.groups()
    least = int(low) if low else None
    most = int(high) if high else None if dots else least
    if least is not None and most is not None and least > most:
        raise ValueError(f"the range `{text}` is empty: did you mean `{most}..{least}`?")
    return least, most


def need_costs(encoding: Encoding) -> None:
    """Raise PuzzleError if a puzzle has no costs."""
    fitting = encoding.fitting
    if not encoding.cover.costs and not fitting.costs:  # a cover without options has no costs, whatever pieces cost
        puzzle = fitting.puzzle
        if puzzle is None:
            span, help = None, "in a DLX file, end an option with its cost, such as `|3`"
        else:
            span, help = puzzle.span, f"add a statement such as `cost {quoted(fitting.piece_name(0))} = 3`"
        raise fail("PZ719", "puzzle has no costs", span, help=help, file=fitting.title)


@contextmanager
def in_64_bits(encoding: Encoding) -> Iterator[None]:
    """Raise PuzzleError in the block if bounds of the costs do not fit into 64 bits."""
    try:
        yield
    except OverflowError:
        raise fail(
            "PZ717",
            "costs are too large for a search",
            note="a search compares sums of costs, also of options that do not fit together",
            help="use smaller costs",
            file=encoding.fitting.title,
        ) from None


class _CheapestSearch(NamedTuple):
    """The search for the best covers with some ``options`` of a problem."""

    best: Cheapest
    options: Sequence[int]

    def covers(self) -> Iterator[tuple[int, ...]]:
        """Yield the best covers found so far, the best first, by the options of the whole problem."""
        for cover in self.best.covers:
            yield tuple([self.options[option] for option in cover])


class BestSolutions(Solutions):
    r"""The ``number`` solutions of lowest cost; with ``max_cost``, of highest cost. Iterate them, the best first.

    Solutions that a symmetry of the puzzle and its costs takes to each other count once. Afterwards ``stopped`` is the
    limit that ended the search. If it is None, no other solution is better. Otherwise no other solution beats
    ``bound``. ``first`` are the first solutions, once you have iterated them.

    >>> from puzzlec import parse
    >>> text = "locations box 4x1\npiece D x2 { xx }\ncost per cells (0,0) = 7"
    >>> [solution.cost for solution in BestSolutions(parse(text))]
    [7]
    """

    def __init__(
        self,
        what: PuzzleOrName,
        *,
        number: int = 1,
        max_cost: bool = False,
        limits: Limits | None = None,
        seconds: float | None = None,
        symmetry: SymmetryKind = "all",
    ) -> None:
        limits = limits_of(limits, None, seconds, only=("seconds", "nodes"))
        super().__init__(what, limits=limits, symmetry=symmetry)
        self.most, self.max_cost = integer(number, "number", 1), max_cost
        need_costs(self.encoding)
        self._search_now: _CheapestSearch | None = None

    @property
    def bound(self) -> int | None:
        """A cost that no other solution can beat; None if there is no other solution, or before the search."""
        return None if self._search_now is None else self._search_now.best.bound

    def _covers(self) -> Iterator[tuple[int, ...]]:
        cover = self.encoding.cover
        options: Sequence[int] = range(len(cover))
        choice = self._representatives() if self.convention != "raw" else None
        if choice is not None and choice.item >= 0:
            options = list(choice.options(choice.movers))
            cover = cover.subset(options)

        counts = self._condition()

        def accept(cover: tuple[int, ...]) -> bool:
            cover = tuple([options[option] for option in cover])
            return (choice is None or choice.is_least(cover)) and counts(cover)

        with in_64_bits(self.encoding):
            search = Cheapest(cover, self.most, self.max_cost, self._left(), accept)
        self._search_now = now = _CheapestSearch(search, options)
        try:
            search.find()
        finally:
            self._searches.nodes, self.stopped = search.nodes, search.stopped
            self._searches.choice = KernelChoice("branch and bound", "the solutions of best cost")
        yield from now.covers()

    def _condition(self) -> Callable[[tuple[int, ...]], bool]:
        """Return the condition on the covers that count."""
        return lambda _: True

    def found(self) -> list[Solution]:
        """Return the best solutions that an interrupted search has found."""
        if self._search_now is None or self.number:
            return []
        solutions = [self.encoding.lift(options) for options in self._search_now.covers()]
        self.number = len(solutions)
        return solutions

    def progress(self) -> Progress:
        """Return how far the search is, without the fraction that is done, which is unknown."""
        now, search = super().progress(), self._search_now
        if search is None:
            return now
        return now._replace(nodes=search.best.nodes, solutions=len(search.best.covers))

    def count(self) -> int:
        """Return the number of best solutions, at most the requested number."""
        return sum(1 for _ in self)


class CostCount(NamedTuple):
    r"""The numbers of solutions with a cost. ``distinct`` is None if an unfinished search does not know it.

    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 3x1\npiece D { xx }\npiece M { x }\ncost M per cells (0,0) = 4")
    >>> puzzlec.count_by_cost(puzzle)
    [CostCount(cost=0, raw=1, distinct=1), CostCount(cost=4, raw=1, distinct=1)]
    """

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
        limits: Limits of seconds and memory.
        seconds: Short for a limit of seconds.
        threads: The number of threads that list covers.
        way: ``list``, ``diagram``, or ``auto``: list, and make a diagram if there are too many covers.

    Raises:
        PuzzleError: If the puzzle cannot be compiled, or has no costs (PZ719).

    """

    def __init__(
        self,
        what: PuzzleOrName,
        *,
        low: int | None = None,
        high: int | None = None,
        symmetry: SymmetryKind = "all",
        limits: Limits | None = None,
        seconds: float | None = None,
        threads: int = 1,
        way: str = "auto",
    ) -> None:
        self.solutions = Solutions(what, symmetry=symmetry)
        encoding = self.solutions.encoding
        need_costs(encoding)
        cover, limits = encoding.cover, limits_of(limits, None, seconds, only=("seconds", "memory"))
        self._tally = Tally(cover, cover.costs, limits, threads, way, (low, high))
        self.stopped: Stop | None = None

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
            distinct: Mapping[int, int] = raw
            if self.solutions.convention != "raw":
                distinct = self._tally.orbits(each_fixing(self._tally.cover, self.solutions.group))
        except UnfinishedError as error:
            self.stopped = error.reason
            return self.known()
        return [CostCount(cost, raw[cost], distinct[cost]) for cost in sorted(raw)]

    def known(self) -> list[CostCount]:
        """Return the numbers of raw solutions that an unfinished search has found. They are lower bounds."""
        return [CostCount(cost, number, None) for cost, number in sorted(self._tally.raw.items())]
