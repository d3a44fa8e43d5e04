"""Threads that take assemblies apart together: idle ones help to search a hard assembly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


#: Each thread of a team takes about this many items from a source at a time.
ITEMS_PER_THREAD = 16


class Team:
    """A number of threads, some of which search an assembly.

    Use it as a context: at the end, its threads end.

    >>> with Team(3) as team, team.one_at_work(), team.helpers() as free:
    ...     free, team.results([lambda: 1, lambda: 2])
    (2, [1, 2])
    """

    def __init__(self, threads: int) -> None:
        self._idle, self._lock = threads, threading.Lock()
        self._pool = ThreadPoolExecutor(max(1, threads - 1))

    def __enter__(self) -> Team:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    @contextmanager
    def one_at_work(self) -> Iterator[None]:
        """Count the current thread as one that has an assembly."""
        self._change(-1)
        try:
            yield
        finally:
            self._change(1)

    @contextmanager
    def helpers(self) -> Iterator[int]:
        """Engage all threads that are idle; the value is their number."""
        with self._lock:
            number = max(0, self._idle)
            self._idle -= number
        try:
            yield number
        finally:
            self._change(number)

    def results(self, works: Sequence[Callable[[], _Result]]) -> list[_Result]:
        """Return the results of some works, in order: the first in this thread, the others in those that help."""
        others = [self._pool.submit(work) for work in works[1:]]
        try:
            first = works[0]()
        finally:
            wait(others)
        return [first, *(future.result() for future in others)]

    def spread(self, work: Callable[[_Item], _Result], items: Iterable[_Item], helpers: int) -> Iterator[_Result]:
        """Yield the results of a function for items, in order. Some helpers and this thread take the next ones in turn.

        Only this thread takes items from their source, so the source may be a generator.
        """
        source = iter(items)
        while batch := list(islice(source, ITEMS_PER_THREAD * (helpers + 1))):
            yield from self._together(work, batch, helpers)

    def _together(self, work: Callable[[_Item], _Result], batch: Sequence[_Item], helpers: int) -> list[_Result]:
        results, places = dict[int, _Result](), iter(range(len(batch)))

        def take() -> None:
            for place in places:
                results[place] = work(batch[place])

        self.results([take] * min(helpers + 1, len(batch)))
        return [results[place] for place in range(len(batch))]

    def _change(self, number: int) -> None:
        with self._lock:
            self._idle += number
