"""Time slices in threads of this process. Kernels in numba release the interpreter's lock, so they run in parallel."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from puzzlec.diagnostics.error import fail
from puzzlec.engine.search.tree_search import MAX_DIVISIBLE_ENTRIES
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import Work
from puzzlec.jobs.workers.protocol import Returned, Workers


class Works:
    """Waiting works. The worker of the last time slice is preferred, as it may have the search in memory."""

    def __init__(self) -> None:
        self._waiting: deque[Work] = deque()
        self._free: set[str] = set()
        self._ended = False
        self._change = threading.Condition()

    def put(self, work: Work) -> None:
        """Let a work wait."""
        with self._change:
            self._waiting.append(work)
            self._change.notify_all()

    def end(self) -> None:
        """Give no more works to workers."""
        with self._change:
            self._ended = True
            self._change.notify_all()

    def take(self, name: str) -> Work | None:
        """Wait for a work and return it; None if there are no more."""
        with self._change:
            self._free.add(name)
            self._change.wait_for(lambda: self._ended or self._suitable(name))
            self._free.discard(name)
            if self._ended:
                return None
            work = self._suitable(name)[0]
            self._waiting.remove(work)
            self._change.notify_all()  # other slots may now take the works that waited for this process
            return work

    def _suitable(self, name: str) -> list[Work]:
        """Return the works for one slot, the best first: its previous ones, then those whose process is busy."""
        earlier = [work for work in self._waiting if work.before == name]
        return earlier or [work for work in self._waiting if work.before not in self._free]


class LocalWorkers(Workers):
    """Workers of this machine: a thread here for each of them takes the works."""

    def __init__(self, count: int, name: str) -> None:
        super().__init__(count)
        self.name = name
        self._works = Works()
        self._threads: list[threading.Thread] = []

    def _begin_threads(self, workers: Iterable[object]) -> None:
        try:
            for worker in workers:
                self._threads.append(started(self._serve, worker))
        except BaseException as error:
            self.close()
            raise no_room(error) from None

    def _serve(self, worker: Any) -> None:
        """Give works to one worker until there are no more."""
        raise NotImplementedError

    def submit(self, work: Work) -> None:
        """Submit a time slice, to the worker that had the work unit before if it is free."""
        self._works.put(work)

    def close(self) -> None:
        """End the workers after their current step."""
        self.stop()
        self._works.end()
        for thread in self._threads:
            thread.join()


class Threads(LocalWorkers):
    """Workers that are threads, ``count`` of them, with shared knowledge of the problem."""

    def __init__(self, problem: JobProblem, count: int) -> None:
        super().__init__(count, f"{count} thread{'s' * (count != 1)}")
        # If only one search can stay in memory, no time slice waits, since it would be another search.
        self._spare = int(len(problem.cover.items) <= MAX_DIVISIBLE_ENTRIES)
        # Each may keep a search in memory, and some more wait for their next time slice.
        self._time_slices = TimeSlices(problem, self.name, at_hand=2 * count + 2)
        # Works belong to no thread, since all of them share the searches in memory.
        self._begin_threads(f"thread {number}" for number in range(count))

    def wanted(self) -> int:
        """Return how many time slices should run or wait: one waits, so that no thread is idle."""
        return self._count + self._spare

    def stop(self) -> None:
        """Ask the running time slices to end at once, and cancel the waiting ones."""
        self._time_slices.stop()

    def _serve(self, worker: str) -> None:
        while (work := self._works.take(worker)) is not None:
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
