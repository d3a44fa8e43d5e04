"""The tables of a checkpoint, and how its database is opened.

Each table is one tree sorted by its key, without a second index: the verified bytes are the bytes that are read. A
digest follows all bytes (:mod:`puzzlec.jobs.records`).

- ``facts``: ``header`` and ``totals`` (:mod:`puzzlec.jobs.records`), and ``plan``: the digest of the planned work
  units.
- ``portions`` (the work units): by key; state and all else.
- ``blocks``: by the key of the work unit and a number from 0; the number of solutions, and the solutions.
- ``runs``: seconds and workers of each run.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

from puzzlec.jobs import faults, records
from puzzlec.jobs.work_unit import WorkUnit

#: "PZjb" marks the database as a checkpoint (https://www.sqlite.org/pragma.html#pragma_application_id).
APPLICATION = int.from_bytes(b"PZjb", "big")

TABLES = {
    "facts": "CREATE TABLE facts (name BLOB PRIMARY KEY, data BLOB) WITHOUT ROWID",
    "portions": "CREATE TABLE portions (key BLOB PRIMARY KEY, state INTEGER, data BLOB) WITHOUT ROWID",
    "blocks": "CREATE TABLE blocks (key BLOB, number INTEGER, solutions INTEGER, data BLOB, digest BLOB,"
    " PRIMARY KEY (key, number)) WITHOUT ROWID",
    "runs": "CREATE TABLE runs (number INTEGER PRIMARY KEY, data BLOB)",
}

#: Seconds to wait for readers, who lock only for a moment.
_PATIENCE = 20


class Text(bytes):
    """SQLite's text values. A checkpoint has none, so they are damage, but decoding must not fail."""


def connect(path: Path, mode: str, more: str = "") -> sqlite3.Connection:
    """Open an existing database (``mode`` "ro" or "rw") or make one ("rwc"), without beginning a transaction."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}{more}",
        uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False,
    )  # fmt: skip
    connection.text_factory = Text
    return connection


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Open a database in WAL mode; committed data is on the disk."""
    connection = connect(path, "rw")
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {1 << 26}")
    except BaseException:
        connection.close()
        raise
    return connection


class Reading:
    """A snapshot of a database to read, while others may write; :meth:`close` it.

    In a read-only folder, SQLite has no place for its shared memory. If there is no journal, SQLite needs none. If a
    process was killed, there is a journal with the last save. In that case a copy is read.
    """

    def __init__(self, path: Path) -> None:
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        journal = path.with_name(path.name + "-wal")
        try:
            self.connection = _snapshot(path)
        except sqlite3.OperationalError as error:
            code = error.sqlite_errorcode & 0xFF
            if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            with path.open("rb"):  # raises an error if it cannot be read at all
                pass
            if not journal.exists() or not journal.stat().st_size:
                self.connection = _snapshot(path, "&immutable=1")
                return
            self._copy = tempfile.TemporaryDirectory(prefix="puzzlec-")
            try:
                for file in (path, journal):
                    shutil.copyfile(file, Path(self._copy.name, file.name))
                self.connection = _snapshot(Path(self._copy.name, path.name))
            except BaseException:
                self._copy.cleanup()
                raise

    def close(self) -> None:
        """Close the database, and remove the copy if there is one."""
        try:
            self.connection.close()
        finally:
            if self._copy is not None:
                self._copy.cleanup()


def unit_row(unit: WorkUnit, job: bytes) -> tuple[bytes, int, bytes]:
    """Return the row of a work unit: key, state, and all else with its digest."""
    key, state = unit.key, int(unit.state)
    return key, state, records.sealed(records.unit_bytes(unit), "portions", key, state, job=job)


def fact(connection: sqlite3.Connection, name: str) -> object:
    """Return the value that is stored under a name, with its digest, or None."""
    row = connection.execute("SELECT data FROM facts WHERE name = ?", (name.encode(),)).fetchone()
    return row[0] if row else None


def put_fact(connection: sqlite3.Connection, name: str, data: bytes, job: bytes) -> None:
    """Store some bytes under a name."""
    row = (name.encode(), records.sealed(data, "facts", name, job=job))
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", row)


def check_facts(connection: sqlite3.Connection, folder: Path) -> None:
    """Raise PuzzleError unless `facts` is the expected table, which every version reads first."""
    text = "SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE lower(CAST(name AS TEXT)) = 'facts'"
    if [bytes(sql or b"") for (sql,) in connection.execute(text)] != [TABLES["facts"].encode()]:
        raise faults.damaged(folder, "its tables are not those of a checkpoint")


def check_tables(connection: sqlite3.Connection, folder: Path) -> None:
    """Raise PuzzleError unless a database has exactly the tables of a checkpoint."""
    rows = connection.execute("SELECT type, CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema").fetchall()
    found = sorted(bytes(sql or b"") for _, _, sql in rows)
    if found != sorted(text.encode() for text in TABLES.values()):
        raise faults.damaged(folder, "its tables are not those of a checkpoint")


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Return whether a database was never a checkpoint: it has other tables, but no table or mark of one."""
    if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION:
        return False
    names = {bytes(name) for (name,) in connection.execute("SELECT CAST(name AS BLOB) FROM sqlite_schema")}
    return bool(names) and not names & {name.encode() for name in TABLES}


def _snapshot(path: Path, more: str = "") -> sqlite3.Connection:
    """Open a snapshot of a database to read, until it is closed."""
    connection = connect(path, "ro", more)
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
