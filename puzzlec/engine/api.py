"""One call for each question about an exact cover: all covers, the first, their number, whether there is just one.

Each call runs a :class:`Search`. Use that class if you need its nodes, its progress or why it ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.race import Limits
from puzzlec.engine.search.search import Search

#: The options of a cover in ascending order: their names, or their numbers if they have no names.
Chosen: TypeAlias = tuple[Any, ...]


def solve(cover: ExactCover, limits: Limits | None = None, kernel: str = "auto", threads: int = 1) -> Iterator[Chosen]:
    """Yield the covers as the names of their options, or as numbers if the options have no names.

    Covers are searched for on demand: if you leave the loop, the search ends. The order is always the same, with any
    number of ``threads`` (0: one for each processor).
    >>> cover = ExactCover.from_sets({"Q": "a", "R": "ab", "P": "bd", "S": "c", "T": "cd"})
    >>> list(solve(cover))
    [('Q', 'P', 'S'), ('R', 'T')]
    """
    search = Search(cover, limits, kernel, threads)  # invalid arguments raise here, not at the first cover
    return (cover.names(options) if cover.option_names else options for options in search)


def first(cover: ExactCover, kernel: str = "auto", threads: int = 1) -> Chosen | None:
    """Return the first cover of :func:`solve`, or None if there is none.

    >>> first(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    (0, 1)
    """
    return next(solve(cover, Limits(solutions=1), kernel, threads), None)


def count(cover: ExactCover, at_most: int | None = None, kernel: str = "auto", threads: int = 1) -> int:
    """Return the number of covers, by the shortest way, which need not visit each cover.

    If ``at_most`` is given, the search stops after this many covers.

    >>> count(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    2
    """
    if at_most is not None:
        return Search(cover, Limits(solutions=at_most), kernel, threads).count()
    from puzzlec.engine.search.counting import count_covers

    return count_covers(cover, kernel=kernel, threads=threads).number


def is_unique(cover: ExactCover, kernel: str = "auto", threads: int = 1) -> bool:
    """Return whether there is exactly one cover. The search stops at a second one.

    >>> is_unique(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    False
    """
    return count(cover, 2, kernel, threads) == 1
