"""The status of a job, from its checkpoint alone. Another process may run it, and the folder may be read-only."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlec.jobs import faults, locking
from puzzlec.jobs.expectation import Expected, UnitTally
from puzzlec.jobs.locking import Owner, owner_of
from puzzlec.jobs.records import Header
from puzzlec.jobs.store import Store
from puzzlec.jobs.work_unit import UnitState


@dataclass(frozen=True)
class Status:
    """The state of a job in its checkpoint at one moment.

    ``done``, ``begun`` and ``fresh`` are numbers of work units: searched to the end, in part, and not at all. Split
    ones do not count. ``limit`` is the number of solutions to find, None for all. ``number`` counts solutions up to the
    symmetry of the search, ``raw`` raw ones, ``kept`` stored ones. ``expected`` are the nodes in all. ``seconds`` is
    the time of all runs, ``worker_seconds`` that of all workers together. ``saved`` is the time of the last save
    (seconds since 1970), ``bytes`` the size of the folder. ``owner`` is the process that works on it now, if any, and
    ``workers`` is their number and kind, such as "2 threads" ("": unknown).
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
    worker_seconds: float
    saved: float
    bytes: int
    owner: Owner | None
    workers: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to search."""
        return not (self.begun or self.fresh)

    @property
    def has_enough(self) -> bool:
        """Whether the limit of solutions is reached."""
        return self.limit is not None and self.number >= self.limit and self.owner is None

    @property
    def fraction(self) -> float:
        """Estimated part of the nodes that is searched; 1 only if nothing is left."""
        return 1.0 if self.is_complete else self.expected.fraction

    @property
    def rate(self) -> float:
        """Nodes a second, over all runs; 0.0 if unknown."""
        seconds = self.seconds or self.worker_seconds
        return self.nodes / seconds if seconds > 0 else 0.0

    def left(self, nodes: float | None = None) -> float | None:
        """Return the expected seconds until this many nodes (None: all), at the same rate; None if unknown."""
        if self.is_complete:
            return 0.0
        total = self.expected.total if nodes is None else nodes
        return max(0.0, total - self.nodes) / self.rate if self.rate > 0 and self.nodes else None

    @property
    def left_between(self) -> tuple[float, float] | None:
        """An interval that contains the remaining seconds in about 9 of 10 cases; None if unknown."""
        low, high = self.expected.low, self.expected.high
        if low is None or high is None or (least := self.left(low)) is None or (most := self.left(high)) is None:
            return None
        return least, most

    def as_data(self) -> dict[str, Any]:
        """Return the state of a job, for programs: times in seconds, nothing rounded, null for unknown values."""
        header, expected, owner = self.header, self.expected, self.owner
        return {
            "title": header.title,
            "task": header.task,
            "symmetry": header.symmetry,
            "limit": self.limit,
            "shard": list(header.shard) if header.shard else None,
            "version": header.version,
            "complete": self.is_complete,
            "limit_reached": self.has_enough,
            "work_units": {"done": self.done, "begun": self.begun, "fresh": self.fresh},
            "solutions": self.number,
            "raw": self.raw,
            "kept": self.kept,
            "nodes": self.nodes,
            "expected_nodes": expected.total,
            "expected_nodes_between": None if expected.low is None else [expected.low, expected.high],
            "fraction": self.fraction,
            "nodes_per_second": self.rate,
            "left": self.left(),
            "left_between": list(self.left_between) if self.left_between else None,
            "seconds": self.seconds,
            "worker_seconds": self.worker_seconds,
            "worker": owner._asdict() if owner else None,
            "workers": self.workers or None,
            "saved": self.saved,
            "bytes": self.bytes,
        }


def read_status(folder: Path) -> Status:
    """Return the status of the job in a folder.

    Raises PuzzleError if there is no checkpoint, or if it is damaged (PZ622) or of another version (PZ623).
    """
    with Store.open(folder, write=False) as store:
        tally, states, totals = UnitTally(), Counter[str](), store.totals()
        for unit in store.units():
            tally.put(unit)
            states["begun" if unit.state is UnitState.OPEN and unit.seconds > 0 else unit.state.name] += 1
        owner = owner_of(folder)
        # The mark beside the database has the time of the last save.
        saved, size = on_disk(folder, faults.CHECKPOINT_FILE, locking.MARK_FILE)
        workers = runs[-1][1] if owner and (runs := store.runs()) else ""
        return Status(
            folder=folder,
            header=store.header,
            limit=totals.limit,
            done=states["DONE"],
            begun=states["begun"],
            fresh=states["OPEN"],
            number=totals.number,
            raw=totals.raw,
            kept=totals.kept,
            nodes=tally.nodes,
            expected=tally.expected_nodes(),
            seconds=totals.elapsed,
            worker_seconds=totals.seconds,
            saved=saved,
            bytes=size,
            owner=owner,
            workers=workers,
        )


def on_disk(folder: Path, *names: str) -> tuple[float, int]:
    """Return when files of these names were last changed, and the bytes of all files. A file may vanish meanwhile.

    Readers also make files, and the index of SQLite's log (``-shm``) has no data: it does not count.
    """
    files: dict[str, os.stat_result] = {}
    with faults.reading(folder):
        for file in folder.iterdir():
            with suppress(FileNotFoundError):
                files[file.name] = file.stat()
    times = [files[name].st_mtime for name in names if name in files]
    return max(times, default=0.0), sum(about.st_size for name, about in files.items() if not name.endswith("-shm"))
