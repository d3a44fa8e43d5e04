"""One call for each thing that is asked of an exact cover: all covers, the first one, how many, whether just one.

Each call is a :class:`Search` underneath; use that for what the search knows of itself (nodes, progress, why it ended).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.race import Limits
from puzzlec.engine.search.search import Search

#: The options of a cover in ascending order: by their names, or by their numbers where they have none.
Chosen: TypeAlias = tuple[Any, ...]


def solve(cover: ExactCover, limits: Limits | None = None, kernel: str = "auto", threads: int = 1) -> Iterator[Chosen]:
    """Give the covers one after the other, as the names of their options (numbers where they have none).

    They are searched for as they are asked for: leave the loop at any moment, and nothing more is searched. The
    order is always the same, with one thread or many (``threads=0``: one for each processor).

    >>> cover = ExactCover.from_sets({"Q": "a", "R": "ab", "P": "bd", "S": "c", "T": "cd"})
    >>> list(solve(cover))
    [('Q', 'P', 'S'), ('R', 'T')]
    """
    search = Search(cover, limits, kernel, threads)  # what is wrong with the arguments is said at once
    return (cover.names(options) if cover.option_names else options for options in search)


def first(cover: ExactCover, kernel: str = "auto", threads: int = 1) -> Chosen | None:
    """Return the first cover of :func:`solve`, None where there is none.

    >>> first(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    (0, 1)
    """
    return next(solve(cover, Limits(solutions=1), kernel, threads), None)


def count(cover: ExactCover, at_most: int | None = None, kernel: str = "auto", threads: int = 1) -> int:
    """Return the number of covers; with ``at_most``, the search ends when it has found as many.

    Without it, covers are counted in the shortest way there is, which need not go through them one by one.

    >>> count(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    2
    """
    if at_most is not None:
        return Search(cover, Limits(solutions=at_most), kernel, threads).count()
    from puzzlec.engine.search.counting import count_covers

    return count_covers(cover, kernel=kernel, threads=threads).number


def is_unique(cover: ExactCover, kernel: str = "auto", threads: int = 1) -> bool:
    """Return whether there is exactly one cover; the search ends at a second one.

    >>> is_unique(ExactCover.from_sets([{"a"}, {"b"}, {"a", "b"}]))
    False
    """
    return count(cover, 2, kernel, threads) == 1
