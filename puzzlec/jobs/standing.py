"""How a job stands, from its checkpoint alone: another process may be at work on it, the folder may be read-only."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from puzzlec.jobs import faults, locking, mark
from puzzlec.jobs.expectation import Expected, Tally
from puzzlec.jobs.header import Header
from puzzlec.jobs.portion import State
from puzzlec.jobs.store import Store


@dataclass(frozen=True)
class Owner:
    """Who works on a checkpoint, as it said itself: number of the process, machine, and since when."""

    process: int
    host: str
    begun: str

    @property
    def seconds(self) -> float:
        """The seconds since it began, by the clock on the wall, so only for people; 0.0 if nobody knows."""
        try:
            return max(0.0, datetime.now().astimezone().timestamp() - datetime.fromisoformat(self.begun).timestamp())
        except (ValueError, OverflowError):
            return 0.0


@dataclass(frozen=True)
class Standing:
    """What a checkpoint says of its job at some moment.

    ``done``, ``begun`` and ``fresh`` are numbers of portions: searched to the end, in part, and not at all; those that
    others were made of are none. ``limit``: so many solutions are wanted, None for all. ``number`` counts solutions
    up to the symmetry of the search, ``raw`` the raw ones that they stand for, ``kept`` those stored. ``expected`` are
    the nodes there will be in all. ``seconds`` is the time of all runs, ``turns`` that of all workers together.
    ``saved`` is when something was saved last (seconds since 1970), ``bytes`` what the folder fills. ``owner``: who
    works on it now, if somebody does, and ``hands`` who searches for that one, such as "2 threads" ("": unknown).
    """

    folder: Path
    header: Header
    limit: int | None
    done: int
    begun: int
    fresh: int
    number: int
    raw: int
    kept: int
    nodes: int
    expected: Expected
    seconds: float
    turns: float
    saved: float
    bytes: int
    owner: Owner | None
    hands: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to search."""
        return not (self.begun or self.fresh)

    @property
    def has_enough(self) -> bool:
        """Whether as many solutions were found as are wanted, where a limit says how many."""
        return self.limit is not None and self.number >= self.limit and self.owner is None

    @property
    def fraction(self) -> float:
        """The part of the nodes that is searched, as far as is known; 1 only where nothing is left."""
        if self.is_complete:
            return 1.0
        return min(self.expected.done / self.expected.total, 0.9999) if self.expected.total > 0 else 0.0

    @property
    def rate(self) -> float:
        """Nodes in a second, of all runs; 0.0 where nobody knows."""
        seconds = self.seconds or self.turns
        return self.nodes / seconds if seconds > 0 else 0.0

    def left(self, nodes: float | None = None) -> float | None:
        """Return the expected seconds until there are so many nodes (None: all), at the same rate; None: unknown."""
        if self.is_complete:
            return 0.0
        total = self.expected.total if nodes is None else nodes
        return max(0.0, total - self.nodes) / self.rate if self.rate > 0 and self.nodes else None

    @property
    def left_between(self) -> tuple[float, float] | None:
        """An interval that holds the seconds still to come in about 9 of 10 cases; None where nobody knows one."""
        low, high = self.expected.low, self.expected.high
        if low is None or high is None:
            return None
        both = self.left(low), self.left(high)
        return None if both[0] is None or both[1] is None else (both[0], both[1])


def standing(folder: Path) -> Standing:
    """Return how the job in a folder stands.

    Raises PuzzleError where there is no checkpoint in it, or what is there is damaged (PZ622) or of another version
    (PZ623).
    """
    with Store.open(folder, write=False) as store:
        tally, states = Tally(), Counter[str]()
        number = raw = kept = 0
        turns = 0.0
        for portion in store.portions():
            tally.put(portion)
            number, raw, kept = number + portion.number, raw + portion.raw, kept + portion.kept
            turns += portion.seconds
            states["begun" if portion.state is State.OPEN and portion.seconds > 0 else portion.state.name] += 1
        owner = owner_of(folder)
        saved, size = _on_disk(folder)
        hands = runs[-1][1] if owner and (runs := store.runs()) else ""
        return Standing(
            folder, store.header, store.limit,
            states["DONE"], states["begun"], states["OPEN"], number, raw, kept, tally.nodes,
            tally.expected_nodes(), store.elapsed, turns,
            saved, size, owner, hands,
        )  # fmt: skip


def _on_disk(folder: Path) -> tuple[float, int]:
    """Return when something was saved last, and the bytes of all that is kept; a file may go while it is looked at.

    Who only reads makes files, too, and the index of SQLite's log (``-shm``) holds nothing: it does not count. The time
    is that of the mark beside the database, or of the database itself.
    """
    found: dict[str, os.stat_result] = {}
    with faults.reading(folder):
        for each in folder.iterdir():
            with suppress(FileNotFoundError):
                found[each.name] = each.stat()
    times = [found[name].st_mtime for name in (faults.FILE, mark.FILE) if name in found]
    return max(times, default=0.0), sum(each.st_size for name, each in found.items() if not name.endswith("-shm"))


def owner_of(folder: Path) -> Owner | None:
    """Return who works on the checkpoint in a folder now; None where nobody does. Nobody is disturbed."""
    lock = folder / locking.FILE
    if not lock.exists():
        return None
    with (
        faults.reading(folder),
        closing(sqlite3.connect(f"{lock.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as it,
    ):
        try:
            it.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
        else:
            return None
    return Owner(*(locking.told_owner(folder) or (0, "", "")))
