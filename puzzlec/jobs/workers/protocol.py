"""The interface between a job and its workers."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from puzzlec.diagnostics.error import fail
from puzzlec.jobs.work_unit import SliceOutcome, Work, WorkUnit

#: A work unit that has killed its worker this many times in a row is not tried again.
MAX_KILLS = 3

#: Usual seconds of a time slice.
SLICE_SECONDS = 2.0

#: With more workers than this, time slices get longer, so that one scheduler serves them all.
MAX_WORKERS_OF_USUAL_SLICE = 50


@dataclass(frozen=True)
class Returned:
    """A finished time slice: its result, or the reason why there is none.

    Without outcome and fault, nothing was done: the worker was lost or stopped before it began. The work unit needs
    another time slice.
    """

    key: bytes
    outcome: SliceOutcome | None
    fault: BaseException | None = None


class Workers:
    """The workers of a job. One thread calls all methods; only ``collect``, ``stop`` and ``close`` wait.

    Each submitted work comes back once, whatever happens to its worker. ``name`` is a description, such as "2 threads"
    or "Dask tcp://10.0.0.1:8786, 8 workers".
    """

    name: str

    def __init__(self, count: int) -> None:
        self._count = count
        self._over: SimpleQueue[Returned] = SimpleQueue()
        self._losses = Losses()

    def capacity(self) -> int:
        """Return how many time slices run in parallel now, at least one; it may change."""
        return max(1, self.at_hand())

    def at_hand(self) -> int:
        """Return the number of workers (or their threads) now; a cluster may have none yet."""
        return self._count

    def wanted(self) -> int:
        """Return how many time slices should run or wait, so that no worker is idle: at least the number that run.

        With more of them waiting, an adaptive cluster sees that more workers would have work.
        """
        return self._count + 1

    def slice_seconds(self) -> float:
        """Return the length of time slices: longer if there are too many workers for short ones."""
        return SLICE_SECONDS

    def submit(self, work: Work) -> None:
        """Submit a time slice; more may wait than run. No work unit may have two time slices at a time."""
        raise NotImplementedError

    def collect(self, wait: float) -> list[Returned]:
        """Return the finished time slices, waiting at most this many seconds for the first."""
        returned: list[Returned] = []
        with suppress(Empty):
            returned.append(self._over.get(timeout=wait) if wait > 0 else self._over.get_nowait())
            while True:
                returned.append(self._over.get_nowait())
        return returned

    def stop(self) -> None:
        """Ask the running time slices to end at once, and cancel the waiting ones; collect all of them afterwards."""
        raise NotImplementedError

    def close(self) -> None:
        """End the workers, even in the middle of a time slice."""
        raise NotImplementedError


class Losses:
    """How many times in a row each work unit has killed its worker."""

    def __init__(self) -> None:
        self._lost: Counter[bytes] = Counter()

    def met(self, key: bytes) -> None:
        """Record that a work unit has had its time slice."""
        self._lost.pop(key, None)

    def lost(self, key: bytes, how: str) -> Returned:
        """Record and return that a work unit has lost its worker. The third loss is an error (PZ626).

        ``how`` describes how the worker ended, if known.
        """
        self._lost[key] += 1
        if self._lost[key] < MAX_KILLS:
            return Returned(key, None)
        return Returned(
            key,
            None,
            fail(
                "PZ626",
                f"work unit {WorkUnit(key, 0, ()).name} has killed its worker {MAX_KILLS} times in a row: {how}",
                note="the search before that is saved",
                help="use fewer workers at a time, in case they ran out of memory, and run `puzzlec job resume`",
            ),
        )


def slice_seconds(capacity: int) -> float:
    """Return the seconds of a time slice if this many run in parallel.

    >>> slice_seconds(8), slice_seconds(1000)
    (2.0, 40.0)
    """
    return SLICE_SECONDS * max(1.0, capacity / MAX_WORKERS_OF_USUAL_SLICE)
