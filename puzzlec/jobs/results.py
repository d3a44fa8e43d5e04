"""The results of a job: those in its checkpoint, and those that wait to be saved there."""

from __future__ import annotations

from puzzlec.jobs.expectation import Tally
from puzzlec.jobs.store import Store
from puzzlec.jobs.work_unit import Outcome, WorkUnit


class Results:
    """The results of time slices: they wait until :meth:`save`. ``totals`` and ``tally`` are of the saved ones.

    ``waiting_bytes`` is the number of bytes of the solutions that wait.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.totals, self.tally = store.totals(), Tally(store.units())
        self.waiting_bytes = 0
        self._waiting: list[tuple[WorkUnit, bytes, tuple[WorkUnit, ...]]] = []
        self._kept_of: dict[bytes, int] | None = None  # solutions kept by each work unit, once asked

    @property
    def waiting(self) -> bool:
        """Whether any result waits to be saved."""
        return bool(self._waiting)

    def add(self, unit: WorkUnit, outcome: Outcome) -> None:
        """Let a result wait: a changed work unit, the solutions that were found, and the parts of a split one."""
        self._waiting.append((unit, outcome.block, outcome.parts))
        self.waiting_bytes += len(outcome.block)

    def save(self) -> None:
        """Save all results that wait, or none."""
        if not self._waiting:
            return
        self._store.save(self._waiting)
        for unit, _, parts in self._waiting:
            self.tally.put(unit)
            for part in parts:
                self.tally.put(part)
            if self._kept_of is not None:
                self._kept_of[unit.key] = unit.kept
        self.totals = self._store.totals()
        self._waiting, self.waiting_bytes = [], 0

    def recall(self) -> None:
        """Start again from the saved state: drop the results that wait."""
        self._waiting, self.waiting_bytes, self._kept_of = [], 0, None
        for unit in self._store.units():
            self.tally.put(unit)
        self.totals = self._store.totals()

    def settled(self, front: bytes | None) -> int:
        """Return how many kept solutions are from work units up to this key; None: from all."""
        if front is None:
            return self.totals.kept
        if self._kept_of is None:
            self._kept_of = {unit.key: unit.kept for unit in self._store.units() if unit.kept}
        return sum(kept for key, kept in self._kept_of.items() if key <= front)
