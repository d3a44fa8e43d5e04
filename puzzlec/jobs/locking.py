"""The lock of a checkpoint: only one process at a time works on it.

The lock is SQLite's lock on an empty database beside the checkpoint. It works wherever SQLite does, and the system
releases it when the process ends, for any reason. A text file names the owner, for people only.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from datetime import datetime
from pathlib import Path

from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.jobs import faults

FILE = "lock.sqlite3"
OWNER = "owner.json"

#: Seconds to wait. :func:`puzzlec.jobs.status.owner_of` holds the lock only for a moment.
_PATIENCE = 0.5


class Lock:
    """The right to write into a checkpoint, until :meth:`release`.

    Raises PuzzleError if another process has it (PZ621), or if the folder cannot be written (PZ005).
    """

    def __init__(self, folder: Path) -> None:
        self._owner = folder / OWNER
        with faults.writing(folder):
            connection = sqlite3.connect(
                folder / FILE, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
        try:
            with faults.writing(folder):
                try:
                    connection.execute("BEGIN EXCLUSIVE")
                except sqlite3.DatabaseError as error:
                    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                        raise _held(folder) from None
                    if code != sqlite3.SQLITE_NOTADB:
                        raise
                    # puzzlec never writes to it. Content in it came from elsewhere and does not harm the checkpoint.
                    raise faults.damaged(folder, f"`{FILE}` is not empty", help=f"delete `{folder / FILE}`") from None
                self._owner.write_text(json.dumps(_me()) + "\n", encoding="utf-8")
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def release(self) -> None:
        """Release the lock."""
        try:
            self._owner.unlink(missing_ok=True)
        except OSError:
            pass  # the file only informs people
        finally:
            self._connection.close()


def _me() -> dict[str, object]:
    """Return the owner of the lock: process, machine, and since when (for display only)."""
    begun = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "begun": begun}


def told_owner(folder: Path) -> tuple[int, str, str] | None:
    """Return what the owner of the lock has written: its process number, the machine, and since when; or None."""
    try:
        with (folder / OWNER).open(encoding="utf-8") as stream:
            told = json.loads(stream.read(4096))
        return int(told["pid"]), str(told["host"])[:100], str(told["begun"])[:40]
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _held(folder: Path) -> PuzzleError:
    """Return the error for a checkpoint that another process works on."""
    owner = told_owner(folder)
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
        help=f"wait until it ends, or end it; `puzzlec status {folder}` shows its progress",
    )
