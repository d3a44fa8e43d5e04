"""The lock of a checkpoint, so that only one process at a time works on it, and the number of its saves.

The lock is SQLite's lock on an empty database beside the checkpoint. It works wherever SQLite does, and the system
releases it when the process ends, for any reason. A text file names the owner, for people only.

The number of saves is a mark beside the database. A database in WAL mode whose ``-wal`` file was lost or damaged opens
without an error, in an earlier state. The mark shows that. It is written after each transaction, never before, and not
forced to the disk. It may therefore be older than the database (after a power cut), never newer.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.jobs import faults
from puzzlec.jobs.records import digest

LOCK_FILE = "lock.sqlite3"
OWNER_FILE = "owner.json"

#: Seconds to wait. :func:`owner_of` holds the lock only for a moment.
_LOCK_WAIT_SECONDS = 0.5


class Lock:
    """The right to write into a checkpoint, until :meth:`release`.

    Raises PuzzleError if another process has it (PZ621), or if the folder cannot be written (PZ005).
    """

    def __init__(self, folder: Path) -> None:
        self._owner = folder / OWNER_FILE
        with faults.writing(folder), ExitStack() as failed:
            connection = sqlite3.connect(
                folder / LOCK_FILE, timeout=_LOCK_WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            failed.callback(connection.close)
            try:
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.DatabaseError as error:
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                    raise _held(folder) from None
                if code != sqlite3.SQLITE_NOTADB:
                    raise
                # puzzlec never writes to it. Content in it came from elsewhere and does not harm the checkpoint.
                help = f"delete `{folder / LOCK_FILE}`"
                raise faults.damaged(folder, f"`{LOCK_FILE}` is not empty", help=help) from None
            begun = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")  # for display only
            me = {"pid": os.getpid(), "host": socket.gethostname(), "begun": begun}
            self._owner.write_text(json.dumps(me) + "\n", encoding="utf-8")
            failed.pop_all()
        self._connection = connection

    def release(self) -> None:
        """Release the lock."""
        with closing(self._connection), suppress(OSError):  # the file only informs people
            self._owner.unlink(missing_ok=True)


class Owner(NamedTuple):
    """The owner of a checkpoint, from its lock: process number, machine, and since when."""

    process: int
    host: str
    begun: str

    def __str__(self) -> str:
        return f"process {self.process} on {self.host}, since {self.begun}" if self.process else "a process"


def owner_of(folder: Path) -> Owner | None:
    """Return the process that works on the checkpoint in a folder, or None, without disturbing it."""
    lock = folder / LOCK_FILE
    if not lock.exists():
        return None
    with (
        faults.reading(folder),
        closing(sqlite3.connect(f"{lock.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as connection,
    ):
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            return None
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
    return _written_owner(folder) or Owner(0, "", "")


def _written_owner(folder: Path) -> Owner | None:
    """Return what the owner of the lock has written about itself, or None."""
    try:
        with (folder / OWNER_FILE).open(encoding="utf-8") as stream:
            data = json.loads(stream.read(4096))
        return Owner(int(data["pid"]), str(data["host"])[:100], str(data["begun"])[:40])
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _held(folder: Path) -> PuzzleError:
    """Return the error for a checkpoint that another process works on."""
    owner = _written_owner(folder)
    if owner is not None and owner[:2] == (os.getpid(), socket.gethostname()):
        return fail(
            "PZ621",
            f"this process already has the checkpoint `{folder}` open",
            file=str(folder),
            help="close the open job, or use it",
        )
    who = "process {} on `{}`, since {}".format(*owner) if owner else "it left no details"
    return fail(
        "PZ621",
        f"another process works on the checkpoint `{folder}`",
        file=str(folder),
        note=who,
        help=f"wait until it ends, or end it; `puzzlec job status {folder}` shows its progress",
    )


MARK_FILE = "saved"
_MARK_BYTES = 34  # 16 digits, a space, 16 digits of the digest, a line end


def read_mark(folder: Path) -> int:
    """Return the number in the mark, or 0 if it cannot be read."""
    try:
        with (folder / MARK_FILE).open("rb") as stream:
            text = stream.read(_MARK_BYTES + 1)
        number = int(text[:16], 16)
        return number if text == _text(number) else 0
    except (OSError, ValueError):
        return 0


def write_mark(folder: Path, number: int) -> None:
    """Overwrite the number in the mark. If that fails, the old number stays, which does no harm."""
    with suppress(OSError):
        file = os.open(folder / MARK_FILE, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            os.write(file, _text(number))
        finally:
            os.close(file)


def _text(number: int) -> bytes:
    digits = b"%016x" % number
    return digits + b" " + digest(digits, MARK_FILE).hex().encode() + b"\n"
