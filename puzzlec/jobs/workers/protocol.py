"""What a job asks of its workers, and what it gets back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from puzzlec.diagnostics.error import fail
from puzzlec.jobs.portion import Outcome, Portion, Work

#: A portion that has ended its worker so often in a row is not tried again.
PATIENCE = 3

#: So many seconds a turn takes where no reason speaks for longer ones.
TURN = 2.0


@dataclass(frozen=True)
class Returned:
    """A turn that is over: what it has brought, or why it has brought nothing.

    With neither outcome nor fault nothing was done, since the worker was lost or asked to stop before it began; the
    portion must have its turn again.
    """

    key: bytes
    outcome: Outcome | None
    fault: BaseException | None = None


class Workers(Protocol):
    """Those who have turns. All methods are called from one thread; only ``collect``, ``stop`` and ``close`` wait.

    Each work that is submitted comes back once, whatever happens to its worker.
    """

    @property
    def name(self) -> str:
        """Who they are, such as "2 threads" or "Dask tcp://10.0.0.1:8786, 8 workers"."""

    def capacity(self) -> int:
        """Return how many turns run side by side now, at least one; it may change."""

    def at_hand(self) -> int:
        """Return how many workers (threads of theirs) there are now; a cluster may have none yet."""

    def wanted(self) -> int:
        """Return how many turns should be under way or wait, so that nobody runs dry: never less than run at once.

        More than that where a cluster is to see that more workers would have something to do.
        """

    def turn_seconds(self) -> float:
        """Return how long turns should be: longer ones for so many workers that short ones could not be handed out."""

    def submit(self, work: Work) -> None:
        """Give out a turn; there may be more than run side by side. No portion may have two turns at a time."""

    def collect(self, wait: float) -> list[Returned]:
        """Return the turns that are over, waiting for the first of them at most so many seconds."""

    def stop(self) -> None:
        """Ask the turns under way to end at once, and call off those that wait; all of them are to be collected."""

    def close(self) -> None:
        """End the workers, and whatever they do."""


class Losses:
    """How often in a row each portion has ended the worker that searched it."""

    def __init__(self) -> None:
        self._lost: Counter[bytes] = Counter()

    def met(self, key: bytes) -> None:
        """Note that a portion has had its turn."""
        self._lost.pop(key, None)

    def lost(self, key: bytes, how: str) -> Returned:
        """Note that a portion has lost its worker, and return that; the third time is a fault (PZ626).

        ``how`` says how the worker ended, as far as that is known.
        """
        self._lost[key] += 1
        if self._lost[key] < PATIENCE:
            return Returned(key, None)
        return Returned(
            key,
            None,
            fail(
                "PZ626",
                f"portion {Portion(key, 0, ()).name} has ended its worker {PATIENCE} times in a row: {how}",
                note="all that was searched before is saved",
                help="a worker that is killed has often used more memory than it may: try fewer at a time; "
                "then `puzzlec resume` goes on",
            ),
        )
