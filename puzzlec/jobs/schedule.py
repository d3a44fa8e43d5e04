"""Whose turn it is: the portions that are open, the order in which they are taken, and when one is divided."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from heapq import heappop, heappush

from puzzlec.jobs.portion import Outcome, Portion, State, Work

#: A turn may fill so many integers with solutions: the memory of a turn, and the size of what is saved of it at once.
ROOM = 1 << 20

#: A portion that turns out larger than it was estimated by this factor is divided, so that it is estimated anew.
LARGE = 4.0

#: ... and larger than this part of all that was searched by then: so dividing has an end, however wrong estimates are.
NOTABLE = 1 / 4096

#: Into so many portions one is divided that turned out large, or for so many workers that have nothing to do.
LEAST_PARTS, MOST_PARTS = 4, 64

#: Turns are cut short towards the end of a search, but not to less than so many seconds.
SHORTEST = 2.0

#: Less than this is not divided for workers that have nothing to do, before it had a whole turn.
SMALL = 1 << 20


class Schedule:
    """The portions of a job that are open: who is searched now, and who is next.

    With ``in_order`` they are taken in the order of the search, so that solutions can be told soon. Otherwise those
    that are begun come first, and the others in an order that looks random and is always the same: so those that are
    done are a fair sample of all (:mod:`puzzlec.jobs.expectation`).
    """

    def __init__(self, portions: Iterable[Portion], in_order: bool, nodes: int = 0) -> None:
        self.in_order = in_order
        self._nodes = nodes  # searched so far in all portions, those that are done included
        self._keys: list[bytes] = []  # a heap of the open ones, and of some that no longer are
        self._open: dict[bytes, Portion] = {}
        self._waiting: list[tuple[bool, bytes, bytes]] = []
        self._workers: dict[bytes, str] = {}
        self._running: set[bytes] = set()
        self._whole: set[bytes] = set()  # those that could not be divided when it was tried
        for portion in portions:
            self._add_new(portion)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def running(self) -> int:
        """How many portions have their turn now."""
        return len(self._running)

    @property
    def front(self) -> bytes | None:
        """The key of the first portion in the order of the search that is open; None where all are done."""
        while self._keys and self._keys[0] not in self._open:
            heappop(self._keys)
        return self._keys[0] if self._keys else None

    def next(self, seconds: float, wanted: int) -> Work | None:
        """Return the next turn, so that ``wanted`` may go on side by side; None where nobody waits for one."""
        if not self._waiting:
            return None
        key = heappop(self._waiting)[2]
        portion = self._open[key]
        idle = wanted - len(self._running) - 1 - len(self._waiting)
        divide = 0
        if len(self._waiting) < wanted:  # towards the end, so that the last portions are soon divided
            seconds = max(SHORTEST, seconds / 4) if seconds > SHORTEST else seconds
        if idle > 0 and key not in self._whole and (portion.seconds >= seconds or portion.size - portion.nodes > SMALL):
            divide, seconds = min(2 * idle + 2, MOST_PARTS), 0.0
        elif portion.nodes > LARGE * portion.size + max(SMALL, NOTABLE * self._nodes) and key not in self._whole:
            divide = LEAST_PARTS
        self._whole.discard(key)
        self._running.add(key)
        before = self._workers.pop(key, "")
        left = max(portion.size - portion.nodes, portion.nodes / 2)
        return Work(key, portion.stage, portion.paths, portion.position, seconds, ROOM, before, divide, left)

    def lost(self, key: bytes) -> None:
        """Note that a turn has brought nothing: the portion is as it was."""
        self._running.discard(key)
        self._wait(self._open[key])

    def met(self, outcome: Outcome, asked: Work) -> Portion:
        """Note what a turn has brought, and return the portion as it is now."""
        self._running.discard(outcome.key)
        old = self._open.pop(outcome.key)
        self._nodes += outcome.nodes
        state = State.SPLIT if outcome.parts else State.OPEN if outcome.paths else State.DONE
        portion = replace(
            old,
            paths=outcome.paths,
            position=outcome.position,
            state=state,
            nodes=old.nodes + outcome.nodes,
            number=old.number + outcome.number,
            raw=old.raw + outcome.raw,
            kept=old.kept + outcome.kept,
            seconds=old.seconds + outcome.seconds,
        )
        if state is State.OPEN:
            if asked.divide:
                self._whole.add(portion.key)
            self._workers[portion.key] = outcome.worker
            self._add(portion)
        for part in outcome.parts:
            self._add_new(part)
        return portion

    def _add_new(self, portion: Portion) -> None:
        heappush(self._keys, portion.key)
        self._add(portion)

    def _add(self, portion: Portion) -> None:
        self._open[portion.key] = portion
        self._wait(portion)

    def _wait(self, portion: Portion) -> None:
        order = portion.key if self.in_order else hashlib.blake2b(portion.key, digest_size=8).digest()
        begun = portion.seconds > 0 or bool(portion.position)
        heappush(self._waiting, (not begun and not self.in_order, order, portion.key))
