"""The tables of a checkpoint: how its database is opened, the rows, and whether they are consistent.

Each table is one tree sorted by its key, without a second index: the verified bytes are the bytes that are read. A
digest follows all bytes (:mod:`puzzlec.jobs.records`).

- ``facts``: ``header`` and ``totals`` (:mod:`puzzlec.jobs.records`), and ``plan``: the digest of the planned work
  units.
- ``portions`` (the work units): by key; state and all else.
- ``blocks``: by the key of the work unit and a number from 0; the number of solutions, and the solutions.
- ``runs``: seconds and workers of each run.

A consistent checkpoint has each planned work unit once, with all its solutions. The check streams: only a chain of work
units, from the top to one of them, is in memory.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from puzzlec.jobs import blocks, faults, records
from puzzlec.jobs.work_unit import UnitState, WorkUnit

#: "PZjb" marks the database as a checkpoint (https://www.sqlite.org/pragma.html#pragma_application_id).
APPLICATION_ID = int.from_bytes(b"PZjb", "big")

#: The end of the temporary name of a database until it is complete.
PART_SUFFIX = ".part"

TABLES = {
    "facts": "CREATE TABLE facts (name BLOB PRIMARY KEY, data BLOB) WITHOUT ROWID",
    "portions": "CREATE TABLE portions (key BLOB PRIMARY KEY, state INTEGER, data BLOB) WITHOUT ROWID",
    "blocks": "CREATE TABLE blocks (key BLOB, number INTEGER, solutions INTEGER, data BLOB, digest BLOB,"
    " PRIMARY KEY (key, number)) WITHOUT ROWID",
    "runs": "CREATE TABLE runs (number INTEGER PRIMARY KEY, data BLOB)",
}

#: Seconds to wait for readers, who lock only for a moment.
_READER_WAIT_SECONDS = 20


class SqliteText(bytes):
    """SQLite's text values. A checkpoint has none, so they are damage, but decoding must not fail."""


def connect(path: Path, mode: str, more: str = "") -> sqlite3.Connection:
    """Open an existing database (``mode`` "ro" or "rw") or make one ("rwc"), without beginning a transaction."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}{more}",
        uri=True, timeout=_READER_WAIT_SECONDS, isolation_level=None, check_same_thread=False,
    )  # fmt: skip
    connection.text_factory = SqliteText
    return connection


def connect_to_write(path: Path, ends: ExitStack) -> sqlite3.Connection:
    """Open a database in WAL mode; committed data is on the disk. ``ends`` closes it."""
    connection = ends.enter_context(closing(connect(path, "rw")))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA journal_size_limit = {1 << 26}")
    return connection


@contextmanager
def created(path: Path, application: int, tables: Iterable[str]) -> Iterator[sqlite3.Connection]:
    """Yield a new database to fill, under a temporary name; at the end it is written to the disk and renamed."""
    part = path.with_name(path.name + PART_SUFFIX)
    for name in (part, part.with_name(part.name + "-journal")):
        name.unlink(missing_ok=True)
    connection = connect(part, "rwc")
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute("BEGIN")
        for text in tables:
            connection.execute(text)
        yield connection
        connection.execute("COMMIT")
    finally:
        connection.close()
    part.replace(path)
    if os.name == "posix":
        with suppress(OSError):  # the name, if the system supports it
            number = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)


def snapshot(path: Path, ends: ExitStack) -> sqlite3.Connection:
    """Return a snapshot of a database to read, while others may write; ``ends`` closes it.

    In a read-only folder, SQLite has no place for its shared memory. If there is no journal, SQLite needs none. If a
    process was killed, there is a journal with the last save. In that case a copy is read.
    """
    try:
        return _begun(path, ends)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    with path.open("rb"):  # raises an error if it cannot be read at all
        pass
    journal = path.with_name(path.name + "-wal")
    if not journal.exists() or not journal.stat().st_size:
        return _begun(path, ends, "&immutable=1")
    copy = ends.enter_context(tempfile.TemporaryDirectory(prefix="puzzlec-"))
    for file in (path, journal):
        shutil.copyfile(file, Path(copy, file.name))
    return _begun(Path(copy, path.name), ends)


def _begun(path: Path, ends: ExitStack, more: str = "") -> sqlite3.Connection:
    """Return a connection in a transaction that only reads."""
    with ExitStack() as failed:
        connection = failed.enter_context(closing(connect(path, "ro", more)))
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        ends.push(failed.pop_all())
    return connection


def unit_row(unit: WorkUnit, job: bytes) -> tuple[bytes, int, bytes]:
    """Return the row of a work unit: key, state, and all else with its digest."""
    key, state = unit.key, int(unit.state)
    return key, state, records.sealed(records.unit_bytes(unit), "portions", key, state, job=job)


def fact(connection: sqlite3.Connection, name: str, job: bytes = b"") -> bytes:
    """Return the bytes that are stored under a name; ValueError if they are missing or damaged."""
    row = connection.execute("SELECT data FROM facts WHERE name = ?", (name.encode(),)).fetchone()
    return records.opened(row[0] if row else None, "facts", name, job=job)


def put_fact(connection: sqlite3.Connection, name: str, data: bytes, job: bytes) -> None:
    """Store some bytes under a name."""
    row = (name.encode(), records.sealed(data, "facts", name, job=job))
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", row)


def check_tables(connection: sqlite3.Connection, folder: Path, only: str = "") -> None:
    """Raise PuzzleError unless a database has exactly the tables of a checkpoint, or ``only`` one is as expected.

    Every version reads `facts` first.
    """
    text = "SELECT lower(CAST(name AS TEXT)), CAST(sql AS BLOB) FROM sqlite_schema"
    there = [bytes(sql or b"") for name, sql in connection.execute(text) if not only or name == only.encode()]
    if sorted(there) != sorted(text.encode() for name, text in TABLES.items() if not only or name == only):
        raise faults.damaged(folder, "its tables are not those of a checkpoint")


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Return whether a database was never a checkpoint: it has other tables, but no table or mark of one."""
    if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
        return False
    names = {bytes(name) for (name,) in connection.execute("SELECT CAST(name AS BLOB) FROM sqlite_schema")}
    return bool(names) and not names & {name.encode() for name in TABLES}


class SolutionBlock(NamedTuple):
    """Solutions that one time slice has found. ``number`` counts the blocks of a work unit from 0.

    ``solutions`` is their number, ``data`` is for :func:`puzzlec.jobs.blocks.unpack`.
    """

    key: bytes
    number: int
    solutions: int
    data: bytes


class PlanChecker:
    """The work units of a checkpoint in the order of their keys: none may be missing or come twice.

    :meth:`meet` raises ValueError at the first work unit that does not follow, :meth:`end` if some are missing at the
    end.
    """

    def __init__(self) -> None:
        self.top = 0  # work units on the first level
        self.last = -1  # number of the last of them
        self._keys = sha256()
        self._before = b""
        self._above: list[list[int]] = []  # for each work unit above the next one: children expected, and met

    def meet(self, unit: WorkUnit) -> None:
        """Take the next work unit. Its children must follow it, numbered from 0."""
        key, level = unit.key, len(unit.key) // 4 - 1
        if not key or len(key) % 4 or key <= self._before or level > len(self._above):
            raise ValueError(f"the work unit {unit.name} is in the wrong place")
        self._close(level)
        if level:
            expected, met = self._above[-1]
            if key[:-4] != self._before[: len(key) - 4] or met >= expected or key[-4:] != met.to_bytes(4, "big"):
                raise ValueError(f"the work unit {unit.name} was not split off, or one before it is missing")
            self._above[-1][1] += 1
        else:
            self.top, self.last = self.top + 1, int.from_bytes(key, "big")
            self._keys.update(key)
        if (unit.children > 0) != (unit.state == UnitState.SPLIT):
            raise ValueError(f"it is unclear whether the work unit {unit.name} was split")
        self._above.append([unit.children, 0])
        self._before = key

    def end(self) -> bytes:
        """Return the digest of the planned work units: the keys on the first level."""
        self._close(0)
        return self.top.to_bytes(8, "big") + self._keys.digest()

    def _close(self, level: int) -> None:
        """Leave the work units from this level on. All their children must have been met."""
        while len(self._above) > level:
            expected, met = self._above.pop()
            if met != expected:
                name = WorkUnit(self._before, 0, ()).name
                raise ValueError(f"a work unit that was split off from {name} is missing")


def read_units(table: Iterable[tuple[object, object, object]], job: bytes) -> Iterator[WorkUnit]:
    """Yield work units from their rows; ValueError if one is damaged."""
    for key, state, data in table:
        if type(key) is not bytes or type(state) is not int:
            raise ValueError("invalid key or state of a work unit")
        try:
            yield records.read_unit(key, state, records.opened(data, "portions", key, state, job=job))
        except ValueError as error:
            raise ValueError(f"the work unit {WorkUnit(key, 0, ()).name} cannot be read: {error}") from None


def read_blocks(table: Iterable[tuple[object, object, object, object, object]], job: bytes) -> Iterator[SolutionBlock]:
    """Yield blocks from their rows; ValueError if one is damaged."""
    for key, number, solutions, data, digest in table:
        if type(key) is not bytes or type(number) is not int or type(solutions) is not int or type(data) is not bytes:
            raise ValueError("invalid key or number of a block")
        if records.digest(data, "blocks", key, number, solutions, job=job) != digest:
            raise ValueError(f"a block of solutions of the work unit {WorkUnit(key, 0, ()).name} was changed")
        yield SolutionBlock(key, number, solutions, data)


def verify(connection: sqlite3.Connection, job: bytes, plan: bytes, totals: records.JobTotals) -> None:
    """Read everything; raise ValueError unless it is sound and consistent.

    ``plan`` is the result of :meth:`PlanChecker.end` when the checkpoint was made, ``totals`` are its stored sums.
    """
    for (message,) in connection.execute("PRAGMA quick_check(1)"):
        if bytes(message) != b"ok":
            raise ValueError(" ".join(bytes(message).decode("utf-8", "replace").replace("*", "").split()))
    units = read_units(connection.execute("SELECT * FROM portions ORDER BY key"), job)
    stored = read_blocks(connection.execute("SELECT * FROM blocks ORDER BY key, number"), job)
    number = size = after = 0
    for unit, kept, block in paired(checked(units, plan, totals), stored):
        if block is not None:
            after = after + 1 if kept else 0
            if block.number != after or not block.solutions or blocks.count(block.data) != block.solutions:
                raise ValueError(f"a block of solutions of the work unit {unit.name} is missing, or has a wrong number")
            number, size = number + 1, size + len(block.data)
    if (number, size) != (totals.blocks, totals.bytes):
        raise ValueError(f"the sums are inconsistent ({number} blocks, stored {totals.blocks})")
    spent = sum(seconds for seconds, _ in read_runs(connection, job))
    if abs(spent - totals.elapsed) > 1e-6 * max(1.0, spent):
        raise ValueError("the seconds of the runs are inconsistent")


def read_runs(connection: sqlite3.Connection, job: bytes) -> Iterator[tuple[float, str]]:
    """Yield seconds and workers of each run; ValueError if one is damaged."""
    for number, data in connection.execute("SELECT number, data FROM runs ORDER BY number"):
        yield records.read_run(records.opened(data, "runs", number, job=job))


def checked(units: Iterable[WorkUnit], plan: bytes, totals: records.JobTotals) -> Iterator[WorkUnit]:
    """Yield all work units; ValueError at the end if they are not those of the plan, or have other sums."""
    order, sums = PlanChecker(), records.JobTotals()
    for unit in units:
        order.meet(unit)
        sums.add(unit)
        yield unit
    if order.end() != plan:
        raise ValueError("the work units are not those that were planned")
    for name in ("number", "raw", "kept", "nodes", "states"):
        if getattr(sums, name) != getattr(totals, name):
            raise ValueError(
                f"the sums are inconsistent ({name}: {getattr(sums, name)}, stored {getattr(totals, name)})"
            )


def paired(
    units: Iterable[WorkUnit], stored: Iterable[SolutionBlock], skipped: int = 0
) -> Iterator[tuple[WorkUnit, int, SolutionBlock | None]]:
    """Yield work units with each of their blocks, or once with None; both ascend.

    The number between them counts the solutions in the blocks before; it begins with ``skipped`` for the first work
    unit. Raises ValueError if the solutions of a work unit are incomplete.
    """
    rest = iter(stored)
    block = next(rest, None)
    for unit in units:
        kept, skipped = skipped, 0
        if block is None or block.key != unit.key:
            yield unit, kept, None
        while block is not None and block.key == unit.key:
            yield unit, kept, block
            kept += block.solutions
            block = next(rest, None)
        if kept != unit.kept:
            raise ValueError(f"the work unit {unit.name} kept {unit.kept} solutions, found {kept}")
    if block is not None:
        raise ValueError(f"there are solutions of the missing work unit {WorkUnit(block.key, 0, ()).name}")
