"""Turns in threads of this process: kernels in numba release the interpreter's lock, so they run side by side."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from puzzlec.diagnostics.error import fail
from puzzlec.engine.search.tree_search import DIVISIBLE
from puzzlec.jobs.portion import Work
from puzzlec.jobs.problem import Problem
from puzzlec.jobs.turns import Turns
from puzzlec.jobs.workers.protocol import TURN, Returned

T = TypeVar("T")


class Threads:
    """Workers that are threads. ``count`` of them, which share what they know of the problem."""

    def __init__(self, problem: Problem, count: int) -> None:
        self.name = f"{count} thread{'s' * (count != 1)}"
        self._count = count
        # None waits where only one search can be left at hand: it would be another one at each turn.
        self._spare = int(len(problem.cover.items) <= DIVISIBLE)
        # Each may leave a search at hand, and there are some more that wait for their next turn.
        self._turns = Turns(problem, self.name, at_hand=2 * count + 2)
        self._waiting: SimpleQueue[Work | None] = SimpleQueue()
        self._over: SimpleQueue[Returned] = SimpleQueue()
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []
        try:
            for _ in range(count):
                self._threads.append(started(self._work))
        except BaseException as error:
            self.close()
            raise no_room(error) from None

    def capacity(self) -> int:
        """Return how many turns run side by side."""
        return self._count

    def at_hand(self) -> int:
        """Return how many workers there are."""
        return self._count

    def wanted(self) -> int:
        """Return how many turns should be under way or wait: one waits, so that no thread does."""
        return self._count + self._spare

    def turn_seconds(self) -> float:
        """Return how long turns should be."""
        return TURN

    def submit(self, work: Work) -> None:
        """Give out a turn."""
        self._waiting.put(work)

    def collect(self, wait: float) -> list[Returned]:
        """Return the turns that are over, waiting for the first of them at most so many seconds."""
        return drain(self._over, wait)

    def stop(self) -> None:
        """Ask the turns under way to end at once, and call off those that wait."""
        self._stopped.set()

    def close(self) -> None:
        """End the threads, as soon as their turns look up."""
        self.stop()
        for _ in self._threads:
            self._waiting.put(None)
        for each in self._threads:
            each.join()

    def _work(self) -> None:
        while (work := self._waiting.get()) is not None:
            self._over.put(self._turn(work))

    def _turn(self, work: Work) -> Returned:
        if self._stopped.is_set():
            return Returned(work.key, None)
        try:
            return Returned(work.key, self._turns.take(work, self._stopped.is_set))
        except BaseException as fault:  # whatever it is, who collects must know
            return Returned(work.key, None, fault)


def started(task: Callable[..., None], *arguments: object) -> threading.Thread:
    """Return a thread that has begun a task."""
    thread = threading.Thread(target=task, args=arguments, daemon=True)
    thread.start()
    return thread


def no_room(error: BaseException) -> BaseException:
    """Return what to raise if workers cannot begin: an error for the user if the system has no room for a thread."""
    if not isinstance(error, RuntimeError | OSError | MemoryError):
        return error
    return fail(
        "PZ638",
        "cannot begin all workers: the system has no room for more threads",
        note=" ".join(str(error).split()) or "out of memory",
        help="search with fewer, such as `--processes 2`",
    )


def drain(queue: SimpleQueue[T], wait: float) -> list[T]:
    """Return all that is in a queue, waiting for the first thing at most so many seconds."""
    found: list[T] = []
    try:
        found.append(queue.get(timeout=wait) if wait > 0 else queue.get_nowait())
        while True:
            found.append(queue.get_nowait())
    except Empty:
        return found
