"""Time slices in threads of this process. Kernels in numba release the interpreter's lock, so they run in parallel."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from puzzlec.diagnostics.error import fail
from puzzlec.engine.search.tree_search import DIVISIBLE
from puzzlec.jobs.problem import Problem
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import Work
from puzzlec.jobs.workers.protocol import Returned, Workers


class Threads(Workers):
    """Workers that are threads, ``count`` of them, with shared knowledge of the problem."""

    def __init__(self, problem: Problem, count: int) -> None:
        super().__init__(count)
        self.name = f"{count} thread{'s' * (count != 1)}"
        # If only one search can stay in memory, no time slice waits, since it would be another search.
        self._spare = int(len(problem.cover.items) <= DIVISIBLE)
        # Each may keep a search in memory, and some more wait for their next time slice.
        self._time_slices = TimeSlices(problem, self.name, at_hand=2 * count + 2)
        self._waiting: SimpleQueue[Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        try:
            for _ in range(count):
                self._threads.append(started(self._work))
        except BaseException as error:
            self.close()
            raise no_room(error) from None

    def wanted(self) -> int:
        """Return how many time slices should run or wait: one waits, so that no thread is idle."""
        return self._count + self._spare

    def submit(self, work: Work) -> None:
        """Submit a time slice."""
        self._waiting.put(work)

    def stop(self) -> None:
        """Ask the running time slices to end at once, and cancel the waiting ones."""
        self._time_slices.stop()

    def close(self) -> None:
        """End the threads after their current step."""
        self.stop()
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (work := self._waiting.get()) is not None:
            self._over.put(self._time_slice(work))

    def _time_slice(self, work: Work) -> Returned:
        if self._time_slices.stopped:
            return Returned(work.key, None)
        try:
            return Returned(work.key, self._time_slices.take(work))
        except BaseException as fault:  # the collector must know of any error
            return Returned(work.key, None, fault)


def started(task: Callable[..., None], *arguments: object) -> threading.Thread:
    """Return a thread that has begun a task."""
    thread = threading.Thread(target=task, args=arguments, daemon=True)
    thread.start()
    return thread


def no_room(error: BaseException) -> BaseException:
    """Return the error for workers that cannot begin: a PuzzleError (PZ638) if the system has no room for them."""
    if not isinstance(error, RuntimeError | OSError | MemoryError):
        return error
    return fail(
        "PZ638",
        "cannot start all workers: the system has no room for more threads",
        note=" ".join(str(error).split()) or "out of memory",
        help="use fewer, such as `--processes 2`",
    )
