"""The checkpoint of a job: a database in a folder, that survives whatever ends the process that writes it.

SQLite in WAL mode, every transaction on the disk before the next begins. What is saved together is there together
after a kill or a power cut, or not at all. Damage is found when a checkpoint is opened to go on with it, and whatever
is read is checked when it is read. Why so: docs/decisions/036-a-checkpoint-is-a-database.md.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from puzzlec.jobs import blocks, checking, digests, faults, mark, records, schema
from puzzlec.jobs.checking import Block
from puzzlec.jobs.founding import found, prepared
from puzzlec.jobs.header import Header
from puzzlec.jobs.locking import Lock
from puzzlec.jobs.looking import Head, look, place_of
from puzzlec.jobs.portion import Portion, State
from puzzlec.jobs.records import Totals

__all__ = ["Block", "Store", "Totals"]

#: What is read at a time, so that nobody holds the database for long: rows of portions, blocks.
_PORTIONS, _BLOCKS = 1000, 8


class Store:
    """A checkpoint that is open: to be worked on by one process, or read by any number at the same time.

    Who reads sees it as it was when it was opened. All methods may be called from any thread, and raise PuzzleError:
    PZ005 where nothing can be written (what was saved before stays, and it may be tried again), PZ622 where what is
    read is damaged.
    """

    def __init__(self, folder: Path, connection: sqlite3.Connection, head: Head, resources: ExitStack) -> None:
        self.folder = folder
        self.header: Header = head.header
        self._job, self._totals = head.job, head.totals
        self._connection, self._resources = connection, resources
        self._guard = threading.RLock()
        self._mark: mark.Mark | None = None
        self._file = (folder / faults.FILE).stat()
        self._run: tuple[int, str] | None = None

    @classmethod
    def create(cls, folder: Path, header: Header, portions: Iterable[Portion]) -> Store:
        """Make a checkpoint with the portions as they are planned, in the order of their keys, and open it.

        The folder is made where it is not there. Raises PuzzleError where it is not empty (PZ620), another process
        works on it (PZ621), or it cannot be written to (PZ005); ValueError for portions that are no plan.
        """
        with prepared(folder) as lock:
            found(folder, header, portions)
            return cls._opened_to_write(folder, lock)

    @classmethod
    def open(cls, folder: Path, write: bool = True) -> Store:
        """Open a checkpoint, to go on with it or only to read it.

        To ``write`` into it, a lock is taken, and everything in it is verified. To read it neither is needed: another
        process may go on writing, and the folder may be read-only. Raises PuzzleError where it is no checkpoint
        (PZ620), another process writes into it (PZ621), it is damaged (PZ622) or of another version (PZ623), or cannot
        be read (PZ001) or written to (PZ005).
        """
        place_of(folder)
        if not write:
            marked = mark.read_mark(folder)
            resources = ExitStack()
            with resources, faults.reading(folder):
                reading = schema.Reading(folder / faults.FILE)
                resources.callback(reading.close)
                head = look(reading.connection, folder, marked)
                return cls(folder, reading.connection, head, resources.pop_all())
        lock = Lock(folder)
        try:
            with faults.reading(folder):
                reading = schema.Reading(folder / faults.FILE)
                try:
                    head = look(reading.connection, folder, mark.read_mark(folder))
                    checking.verify(reading.connection, folder, head.job, head.plan, head.totals)
                finally:
                    reading.close()
            return cls._opened_to_write(folder, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _opened_to_write(cls, folder: Path, lock: Lock) -> Store:
        with ExitStack() as resources, faults.writing(folder):
            connection = schema.connect_to_write(folder / faults.FILE)
            resources.callback(connection.close)
            store = cls(folder, connection, look(connection, folder, 0), ExitStack())
            store._mark = mark.Mark(folder)
            resources.callback(store._mark.close)
            resources.pop_all()
        # In this order: the last to close is the lock.
        for close in (lock.release, store._mark.close, connection.close):
            store._resources.callback(close)
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the checkpoint, and let others work on it; twice is once."""
        with self._guard, faults.writing(self.folder):
            self._resources.close()

    def save(self, saved: Sequence[tuple[Portion, bytes, Sequence[Portion]]]) -> None:
        """Save what turns have brought, all of it or, where an error is raised, nothing.

        For each: the portion as it is now, the block of solutions of its last turn (b"" for none), and the portions
        that its rest was made (usually none; their keys are its own and four bytes more, numbered from 0 on). Raises
        ValueError where these do not fit to what is stored, or to each other.
        """
        with self._transaction() as totals:
            for portion, block, parts in saved:
                self._save_one(totals, portion, block, parts)

    def note_run(self, seconds: float, workers: str) -> None:
        """Add to the seconds that runs took (of a monotonic clock); ``workers`` says who worked, such as "2 threads".

        All that is noted while the store is open is one run, as long as it is the same workers.
        """
        with self._transaction() as totals:
            number, before = None, 0.0
            if self._run is not None and self._run[1] == workers:
                number = self._run[0]
                data = self._connection.execute("SELECT data FROM runs WHERE number = ?", (number,)).fetchone()
                with self._read():
                    before = checking.read_run(number, data[0] if data else None, self._job)[0]
            if number is None:
                number = self._connection.execute("SELECT coalesce(max(number), -1) + 1 FROM runs").fetchone()[0]
            data = digests.sealed(records.run_bytes(before + seconds, workers), "runs", number, job=self._job)
            self._connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (number, data))
            totals.elapsed += seconds
        self._run = (number, workers)

    def runs(self) -> list[tuple[float, str]]:
        """Return seconds and workers of each run."""
        with self._guard, self._read():
            return list(checking.read_runs(self._connection, self._job))

    def totals(self) -> Totals:
        """Return the sums over all portions and runs."""
        return replace(self._totals, states=dict(self._totals.states))

    @property
    def limit(self) -> int | None:
        """How many solutions are wanted by now; None: all."""
        return self._totals.limit

    def want(self, limit: int | None) -> None:
        """Note how many solutions are wanted from now on; None: all."""
        with self._transaction() as totals:
            totals.limit = limit

    @property
    def elapsed(self) -> float:
        """The seconds of all runs together."""
        return self._totals.elapsed

    def portions(self, state: State | None = None) -> Iterator[Portion]:
        """Give the portions, or those in one state, in the order of their keys.

        Of several that are written while this goes on, some may come as they were before. Who opened the checkpoint
        to read it gets all or, at the end, PZ622.
        """
        found = self._portions(None, state)
        if self._mark is None and state is None:
            found = checking.checked(found, self._totals)
        with self._read():
            yield from found

    def blocks(self, after: tuple[bytes, int] | None = None, before: bytes | None = None) -> Iterator[Block]:
        """Give the blocks of solutions in the order of the search.

        ``after``: only those behind this one (its key and number). ``before``: only those of portions whose keys are
        less than this one or equal. Where solutions that were kept are missing, PZ622 is raised.
        """
        with self._read():
            if self._mark is not None:  # verified when it was opened, and it changes meanwhile
                yield from self._blocks(after, before)
            else:
                yield from checking.with_all_blocks(self._expected(after, before), self._blocks(after, before))

    # What is behind these

    def _save_one(self, totals: Totals, portion: Portion, block: bytes, parts: Sequence[Portion]) -> None:
        key, execute = portion.key, self._connection.execute
        with self._read():
            old = next(self._portions(key, None, 1), None)
        if old is None or old.key != key:
            raise ValueError(f"there is no portion {portion.name}")
        solutions = blocks.count(block)
        if portion.kept != old.kept + solutions:
            raise ValueError(
                f"the portion {portion.name} kept {old.kept}, now {portion.kept}, and {solutions} are given"
            )
        new = replace(portion, children=old.children + len(parts))
        if (new.children > 0) != (new.state == State.SPLIT) or (parts and old.children):
            raise ValueError(f"the portion {portion.name} is split once, into at least one portion, or not at all")
        if solutions:
            last = "SELECT coalesce(max(number), -1) + 1 FROM blocks WHERE key = ?"
            number = execute(last, (key,)).fetchone()[0]
            seal = digests.digest(block, "blocks", key, number, solutions, job=self._job)
            execute("INSERT INTO blocks VALUES (?, ?, ?, ?, ?)", (key, number, solutions, block, seal))
            totals.blocks, totals.bytes = totals.blocks + 1, totals.bytes + len(block)
        execute("UPDATE portions SET state = ?, data = ? WHERE key = ?", (*schema.portion_row(new, self._job)[1:], key))
        totals.add(old, -1)
        totals.add(new)
        for place, part in enumerate(parts):
            if part.key != key + place.to_bytes(4, "big") or part.kept or part.state == State.SPLIT:
                raise ValueError(f"{part.name} is no portion that can be split off from {portion.name}")
            execute("INSERT INTO portions VALUES (?, ?, ?)", schema.portion_row(replace(part, children=0), self._job))
            totals.add(part)

    @contextmanager
    def _transaction(self) -> Iterator[Totals]:
        """Give the sums to be changed; they and all that is written meanwhile are committed together, or nothing is."""
        if self._mark is None:
            raise ValueError("the checkpoint was opened to read it")
        with self._guard:
            with faults.writing(self.folder):
                self._look_after_file()
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    with self._read():  # not from the memory: an exception may have come between a commit and its note
                        data = digests.opened(schema.fact(self._connection, "totals"), "facts", "totals", job=self._job)
                        totals = records.read_totals(data)
                    yield totals
                    totals.saved += 1
                    schema.put_fact(self._connection, "totals", records.totals_bytes(totals), self._job)
                    self._connection.execute("COMMIT")
                except BaseException:
                    # SQLite has rolled back already after some errors, such as a full disk.
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
            self._totals = totals
            self._mark.write(totals.saved)

    def _look_after_file(self) -> None:
        """Raise PuzzleError where the file is no longer in its folder: what is written to it would be lost."""
        try:
            there = (self.folder / faults.FILE).stat()
        except FileNotFoundError:
            raise faults.gone(self.folder) from None
        if not os.path.samestat(there, self._file):
            raise faults.gone(self.folder)

    @contextmanager
    def _read(self) -> Iterator[None]:
        try:
            with faults.reading(self.folder):
                yield
        except ValueError as error:
            raise faults.damaged(self.folder, str(error)) from None

    def _portions(self, first: bytes | None, state: State | None, most: int = _PORTIONS) -> Iterator[Portion]:
        """Give portions from a key on, so many rows at a time."""
        wanted, known = (" AND state = ?", (int(state),)) if state is not None else ("", ())
        start, key = ">=", first or b""
        while True:
            text = f"SELECT * FROM portions WHERE key {start} ?{wanted} ORDER BY key LIMIT {most}"
            with self._guard:
                table = self._connection.execute(text, (key, *known)).fetchall()
            yield from checking.read_portions(table, self._job)
            if len(table) < most:
                return
            start, key = ">", table[-1][0]

    def _blocks(self, after: tuple[bytes, int] | None, before: bytes | None) -> Iterator[Block]:
        place = after or (b"", -1)
        until, known = (" AND key <= ?", (before,)) if before is not None else ("", ())
        text = f"SELECT * FROM blocks WHERE (key, number) > (?, ?){until} ORDER BY key, number LIMIT {_BLOCKS}"
        while True:
            with self._guard:
                table = self._connection.execute(text, (*place, *known)).fetchall()
            yield from checking.read_blocks(table, self._job)
            if len(table) < _BLOCKS:
                return
            place = table[-1][:2]

    def _expected(self, after: tuple[bytes, int] | None, before: bytes | None) -> Iterator[tuple[Portion, int]]:
        """Give portions, and how many of their solutions are in the blocks behind ``after``."""
        for portion in self._portions(after[0] if after else None, None):
            if before is not None and portion.key > before:
                return
            given = 0
            if after is not None and portion.key == after[0]:
                text = "SELECT coalesce(sum(solutions), 0) FROM blocks WHERE key = ? AND number <= ?"
                with self._guard:
                    given = self._connection.execute(text, after).fetchone()[0]
            yield portion, portion.kept - given
