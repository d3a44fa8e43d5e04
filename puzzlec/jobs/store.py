"""The checkpoint of a job: a database in a folder that survives any end of the process that writes it.

SQLite is in WAL mode, and every transaction is on the disk before the next begins. After a kill or a power cut, a save
is complete or absent. Opening a checkpoint to resume it finds damage, and all data is checked when it is read.
docs/decisions/036-a-checkpoint-is-a-database.md has the reasons.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from puzzlec.jobs import blocks, faults, locking, records, tables
from puzzlec.jobs.beginning import found, look, place_of, prepared
from puzzlec.jobs.locking import Lock
from puzzlec.jobs.records import Header, JobTotals
from puzzlec.jobs.tables import SolutionBlock
from puzzlec.jobs.work_unit import UnitState, WorkUnit

#: Rows of work units and blocks that are read at a time, so that the database is not locked for long.
_PAGE_UNITS, _PAGE_BLOCKS = 1000, 8


class Store:
    """An open checkpoint: one process works on it, and any number can read it at the same time.

    A reader sees the state at opening. Any thread may call the methods. They raise PuzzleError: PZ005 if nothing can be
    written (earlier saves stay, and you can try again), PZ622 if the data is damaged.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection, marked: int = 0) -> None:
        self.folder, self._connection, self._resources = folder, connection, ExitStack()
        self.header, self._job, self._plan, self._totals = look(connection, folder, marked)
        self._guard = threading.RLock()
        self._writes = False
        self._file = (folder / faults.CHECKPOINT_FILE).stat()
        self._run: str | None = None  # the workers of the last run, if it is of this store

    @classmethod
    def create(cls, folder: Path, header: Header, units: Iterable[WorkUnit]) -> Store:
        """Make a checkpoint with the planned work units, in the order of their keys, and open it.

        The folder is made if necessary. Raises PuzzleError if it is not empty (PZ620), another process works on it
        (PZ621), or it cannot be written (PZ005); ValueError for work units that are not a plan.
        """
        with prepared(folder) as ends:
            found(folder, header, units)
            return cls._opened_to_write(folder, ends)

    @classmethod
    def open(cls, folder: Path, write: bool = True) -> Store:
        """Open a checkpoint, to resume or only to read it.

        With ``write``, a lock is taken and all data is verified. Reading needs neither: another process may write, and
        the folder may be read-only. Raises PuzzleError if it is not a checkpoint (PZ620), or if another process writes
        into it (PZ621). It is also raised if the checkpoint is damaged (PZ622) or of another version (PZ623), or cannot
        be read (PZ001) or written (PZ005).
        """
        place_of(folder)
        with ExitStack() as ends, faults.reading(folder):
            if write:
                ends.callback(Lock(folder).release)
            mark = locking.read_mark(folder)
            snapshot = ends.enter_context(ExitStack())
            reader = cls(folder, tables.snapshot(folder / faults.CHECKPOINT_FILE, snapshot), mark)
            if not write:
                reader._resources = ends.pop_all()
                return reader
            with reader._read():
                tables.verify(reader._connection, reader._job, reader._plan, reader._totals)
            snapshot.close()
            return cls._opened_to_write(folder, ends)

    @classmethod
    def _opened_to_write(cls, folder: Path, ends: ExitStack) -> Store:
        """Return the store; it takes ``ends`` over, which release the lock."""
        with faults.writing(folder):
            store = cls(folder, tables.connect_to_write(folder / faults.CHECKPOINT_FILE, ends))
        store._resources, store._writes = ends.pop_all(), True
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the checkpoint and release its lock; a second call does nothing."""
        with self._guard, faults.writing(self.folder):
            self._resources.close()

    def save(self, saved: Sequence[tuple[WorkUnit, bytes, Sequence[WorkUnit]]]) -> None:
        """Save the results of time slices: all of them or, after an error, none.

        Each result has the changed work unit, the block of solutions of its last time slice (b"" for none), and the
        work units that its rest was split into. Usually there are none. Their keys are the key of the changed work unit
        and four more bytes, numbered from 0. Raises ValueError if these do not fit the stored data or each other.
        """
        with self._transaction() as totals:
            for unit, block, parts in saved:
                self._save_one(totals, unit, block, parts)

    def note_run(self, seconds: float, workers: str) -> None:
        """Add to the seconds of runs (of a monotonic clock); ``workers`` describes the workers, such as "2 threads".

        While the store is open, one run continues until the workers change.
        """
        with self._transaction() as totals:
            runs, goes_on = self.runs(), self._run == workers
            number, before = len(runs) - goes_on, runs[-1][0] if goes_on else 0.0
            data = records.sealed(records.run_bytes(before + seconds, workers), "runs", number, job=self._job)
            self._connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (number, data))
            totals.elapsed += seconds
        self._run = workers

    def runs(self) -> list[tuple[float, str]]:
        """Return seconds and workers of each run."""
        with self._guard, self._read():
            return list(tables.read_runs(self._connection, self._job))

    def totals(self) -> JobTotals:
        """Return the sums over all work units and runs."""
        return self._totals

    def want(self, limit: int | None) -> None:
        """Record the number of solutions to find; None: all."""
        with self._transaction() as totals:
            totals.limit = limit

    def settled(self, front: bytes | None) -> int:
        """Return how many kept solutions are from work units up to this key; None: from all."""
        return self._totals.kept if front is None else self._sum_of_solutions("key <= ?", front)

    @property
    def elapsed(self) -> float:
        """The seconds of all runs together."""
        return self._totals.elapsed

    def units(self, state: UnitState | None = None) -> Iterator[WorkUnit]:
        """Yield the work units, or those in one state, in the order of their keys.

        If work units are written in the meantime, some may come in their earlier state. A reader gets all of them or,
        at the end, PZ622.
        """
        units = self._units(None, state)
        if not self._writes and state is None:
            units = tables.checked(units, self._plan, self._totals)
        with self._read():
            yield from units

    def blocks(self, after: tuple[bytes, int] | None = None, before: bytes | None = None) -> Iterator[SolutionBlock]:
        """Yield the blocks of solutions in the order of the search.

        ``after`` yields only blocks after this one (its key and number). ``before`` yields only blocks of work units up
        to this key. Raises PZ622 if kept solutions are missing.
        """
        with self._read():
            stored = self._blocks(after, before)
            if self._writes:  # it was verified at its opening, and it changes
                yield from stored
                return
            skipped = 0 if after is None else self._sum_of_solutions("key = ? AND number <= ?", *after)
            units = takewhile(lambda unit: before is None or unit.key <= before, self._units(after and after[0], None))
            for _, _, block in tables.paired(units, stored, skipped):
                if block is not None:
                    yield block

    def _sum_of_solutions(self, condition: str, *values: object) -> int:
        text = f"SELECT coalesce(sum(solutions), 0) FROM blocks WHERE {condition}"
        with self._guard, self._read():
            return int(self._connection.execute(text, values).fetchone()[0])

    def _save_one(self, totals: JobTotals, unit: WorkUnit, block: bytes, parts: Sequence[WorkUnit]) -> None:
        key, execute = unit.key, self._connection.execute
        with self._read():
            old = next(self._units(key, None, 1), None)
        if old is None or old.key != key:
            raise ValueError(f"unknown work unit {unit.name}")
        solutions = blocks.count(block)
        if unit.kept != old.kept + solutions:
            raise ValueError(f"the work unit {unit.name} kept {old.kept}, now {unit.kept}, and {solutions} are given")
        new = replace(unit, children=old.children + len(parts))
        if (new.children > 0) != (new.state == UnitState.SPLIT) or (parts and old.children):
            raise ValueError(f"the work unit {unit.name} is split once, into at least one part, or not at all")
        if solutions:
            last = "SELECT coalesce(max(number), -1) + 1 FROM blocks WHERE key = ?"
            number = execute(last, (key,)).fetchone()[0]
            seal = records.digest(block, "blocks", key, number, solutions, job=self._job)
            execute("INSERT INTO blocks VALUES (?, ?, ?, ?, ?)", (key, number, solutions, block, seal))
            totals.blocks, totals.bytes = totals.blocks + 1, totals.bytes + len(block)
        execute("UPDATE portions SET state = ?, data = ? WHERE key = ?", (*tables.unit_row(new, self._job)[1:], key))
        totals.add(old, -1)
        totals.add(new)
        for place, part in enumerate(parts):
            if part.key != key + place.to_bytes(4, "big") or part.kept or part.state == UnitState.SPLIT:
                raise ValueError(f"{part.name} cannot be split off from {unit.name}")
            execute("INSERT INTO portions VALUES (?, ?, ?)", tables.unit_row(replace(part, children=0), self._job))
            totals.add(part)

    @contextmanager
    def _transaction(self) -> Iterator[JobTotals]:
        """Yield the sums to change; they and all other changes are committed together, or none."""
        if not self._writes:
            raise ValueError("the checkpoint is open for reading only")
        with self._guard:
            with faults.writing(self.folder):
                self._look_after_file()
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    with self._read():  # not from memory: an exception may have come between a commit and its record
                        totals = records.read_totals(tables.fact(self._connection, "totals", self._job))
                    yield totals
                    totals.saved += 1
                    tables.put_fact(self._connection, "totals", records.totals_bytes(totals), self._job)
                    self._connection.execute("COMMIT")
                except BaseException:
                    # SQLite has rolled back already after some errors, such as a full disk.
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
            self._totals = totals
            locking.write_mark(self.folder, totals.saved)

    def _look_after_file(self) -> None:
        """Raise PuzzleError if the file is no longer in its folder: later writes would be lost."""
        with suppress(FileNotFoundError):
            if os.path.samestat((self.folder / faults.CHECKPOINT_FILE).stat(), self._file):
                return
        raise faults.gone(self.folder)

    @contextmanager
    def _read(self) -> Iterator[None]:
        try:
            with faults.reading(self.folder):
                yield
        except ValueError as error:
            raise faults.damaged(self.folder, str(error)) from None

    def _units(self, first: bytes | None, state: UnitState | None, most: int = _PAGE_UNITS) -> Iterator[WorkUnit]:
        """Yield work units from a key on, this many rows at a time."""
        condition, states = (" AND state = ?", (int(state),)) if state is not None else ("", ())
        start, key = ">=", first or b""
        while True:
            text = f"SELECT * FROM portions WHERE key {start} ?{condition} ORDER BY key LIMIT {most}"
            with self._guard:
                table = self._connection.execute(text, (key, *states)).fetchall()
            yield from tables.read_units(table, self._job)
            if len(table) < most:
                return
            start, key = ">", table[-1][0]

    def _blocks(self, after: tuple[bytes, int] | None, before: bytes | None) -> Iterator[SolutionBlock]:
        place = after or (b"", -1)
        until, arguments = (" AND key <= ?", (before,)) if before is not None else ("", ())
        text = f"SELECT * FROM blocks WHERE (key, number) > (?, ?){until} ORDER BY key, number LIMIT {_PAGE_BLOCKS}"
        while True:
            with self._guard:
                table = self._connection.execute(text, (*place, *arguments)).fetchall()
            yield from tables.read_blocks(table, self._job)
            if len(table) < _PAGE_BLOCKS:
                return
            place = table[-1][:2]
