"""A search for the covers of an exact cover, with limits and a complete or partial answer; a function per question.

The questions are all covers, their number, and whether there is just one. Each function runs a
:class:`Search`. Use that class if you need its nodes, its progress or why it ended.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from puzzlec.engine.integers import thread_count
from puzzlec.engine.kernels.python import PythonKernel
from puzzlec.engine.limits import Limits, Stop, UnfinishedError, deadline_of, limits_of
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search import selection
from puzzlec.engine.search.race import Race, Scheduled
from puzzlec.engine.search.run import Run
from puzzlec.engine.search.selection import KERNELS, KernelName
from puzzlec.engine.search.tree_search import TreeSearch

if TYPE_CHECKING:
    from puzzlec.engine.search.forecast import Forecast


class Search(Run):
    """A search that can be iterated (covers as tuples of option numbers, ascending) or counted, once.

    The covers come in a fixed order, with any kernel and any number of ``threads`` (0: one for each processor). The
    numbers of covers and nodes are also fixed, unless a limit of solutions or seconds ends the search. A limit of nodes
    always gives the same covers. ``others`` are tasks that take turns with the search; the first one with an answer
    ends it.

    Afterwards ``complete`` says whether the tree was exhausted, and ``stopped`` is the limit that ended the search. It
    is None if the search is complete, and if you left the loop.
    ``solutions`` and ``nodes`` count what was visited. :meth:`progress` may be called at any time, from any thread.

    >>> cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
    >>> list(Search(cover))
    [(0, 2, 3), (1, 4)]
    """

    def __init__(
        self,
        cover: ExactCover,
        *,
        limits: Limits | None = None,
        kernel: KernelName = "auto",
        threads: int = 1,
        others: Iterable[Scheduled] = (),
    ) -> None:
        selection.need_cover("a search", cover)
        if kernel == "frontier":
            raise ValueError(f"the kernel {kernel!r} only counts, without limits: use `count_covers`")
        if kernel not in KERNELS:
            raise ValueError(f"unknown kernel {kernel!r}: expected one of {', '.join(KERNELS)}")
        threads = thread_count(threads)
        selection.need_kernel(kernel)
        self.cover, self.kernel = cover, kernel
        limits = limits_of(limits)
        self._tree = TreeSearch(cover, kernel, threads, exact=limits.nodes is not None)
        super().__init__(Race(self._tree, others, limits), limits)
        self.threads = self._tree.threads

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        tree, self._tree.covers, self._listed = self._tree, [], True
        try:
            self._begin()
            going_on = True
            while going_on:
                going_on = self._race.advance()
                covers, tree.covers = tree.covers, []
                for cover in covers or ():
                    self.solutions += 1
                    yield cover
                    if self.solutions == self.limits.solutions:
                        self.stopped = Stop.SOLUTIONS
                        return
            self.complete = self._race.winner is tree
        finally:
            self._end()

    @property
    def before(self) -> float:
        """Fraction of the tree before the current node, if all branches of a node count equally."""
        return self._tree.before

    @property
    def forecast(self) -> Forecast | None:
        """The number of nodes of the tree by random probes, or None if it is not known."""
        return self._tree.probes.forecast


#: The options of a cover in ascending order: their names, or their numbers if they have no names.
Chosen: TypeAlias = tuple[Any, ...]


def solve(
    cover: ExactCover,
    *,
    limits: Limits | None = None,
    limit: int | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    threads: int = 1,
) -> Iterator[Chosen]:
    """Yield the covers as the names of their options, or as numbers if the options have no names.

    Covers are searched for on demand: if you leave the loop, the search ends. The order is always the same, with any
    number of threads.

    Args:
        cover: The exact cover.
        limits: Limits of the search.
        limit: Short for a limit of covers.
        seconds: Short for a limit of seconds.
        kernel: The kernel.
        threads: The number of threads, 0 for one per processor.

    >>> cover = ExactCover.from_sets({"Q": "a", "R": "ab", "P": "bd", "S": "c", "T": "cd"})
    >>> list(solve(cover))
    [('Q', 'P', 'S'), ('R', 'T')]

    """
    # Invalid arguments raise an error here, not at the first cover.
    search = Search(cover, limits=limits_of(limits, limit, seconds), kernel=kernel, threads=threads)
    return (cover.names(options) if cover.option_names else options for options in search)


def count(
    cover: ExactCover,
    *,
    limits: Limits | None = None,
    limit: int | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    threads: int = 1,
) -> int:
    """Return the number of covers, by the shortest way, which need not visit each cover.

    Args:
        cover: The exact cover.
        limits: If the count reaches the limit of solutions, the result is this limit. Other limits raise an error.
        limit: Short for a limit of covers.
        seconds: Short for a limit of seconds.
        kernel: The kernel.
        threads: The number of threads, 0 for one per processor.

    Raises:
        UnfinishedError: If a limit of nodes or seconds ends the count.

    >>> count(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    2

    """
    selection.need_cover("a count", cover)
    limits = limits_of(limits, limit, seconds)
    tiny = searched_tiny(cover, limits, kernel, threads)
    if tiny is not None:
        return len(tiny[: limits.solutions])
    if limits.solutions is not None:
        search = Search(cover, limits=limits, kernel=kernel, threads=threads)
        number, stopped = search.count(), search.stopped
    else:
        from puzzlec.engine.search.counting import count_covers

        counted = count_covers(cover, limits=limits, kernel=kernel, threads=threads)
        number, stopped = counted.number, counted.stopped
    if stopped not in (None, Stop.SOLUTIONS):
        raise UnfinishedError(stopped, f"stopped at the limit of {stopped}: at least {number} covers")
    return number


def searched_tiny(cover: ExactCover, limits: Limits, kernel: KernelName, threads: int) -> list[tuple[int, ...]] | None:
    """Return the covers of a tiny problem in the order of :class:`Search`, without a race; None if it is not tiny."""
    if kernel != "auto" or threads != 1 or not selection.is_tiny(cover):
        return None
    if limits.nodes is not None or limits.seconds is not None:
        return None
    tree = PythonKernel(cover.arrays)
    covers = tree.covers(selection.TINY_NODES)
    selection.note_python_nodes(tree.nodes_visited)
    return covers if tree.finished else None


def is_unique(
    cover: ExactCover, *, seconds: float | None = None, kernel: KernelName = "auto", threads: int = 1
) -> bool:
    """Return whether there is exactly one cover. The search stops at a second one.

    Raises:
        UnfinishedError: If the limit of seconds ends the search.

    >>> is_unique(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    False

    """
    return count(cover, limit=2, seconds=seconds, kernel=kernel, threads=threads) == 1


def count_each(
    covers: Iterable[ExactCover],
    *,
    limit: int | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    threads: int = 1,
) -> Iterator[int]:
    """Yield the number of covers of each problem, as :func:`count` returns it.

    Args:
        covers: The problems. They are requested one by one.
        limit: Stop each count after this many covers.
        seconds: The limit of all counts together.
        kernel: The kernel.
        threads: The number of threads, 0 for one per processor.

    Raises:
        UnfinishedError: If the limit of seconds ends a count.

    >>> problems = [ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}][:size]) for size in (1, 2, 3)]
    >>> list(count_each(problems))
    [1, 1, 2]

    """
    end = deadline_of(Limits(seconds=seconds))
    for cover in covers:
        left = None if end is None else max(0.0, end - time.monotonic())
        yield count(cover, limit=limit, seconds=left, kernel=kernel, threads=threads)
