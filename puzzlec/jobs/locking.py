"""Only one process at a time works on a checkpoint.

The lock is that of SQLite on an empty database beside the checkpoint: it works wherever SQLite does, and the system
frees it when the process ends, however that comes. Who has it stands in a text file, for people to read only.
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

#: Seconds to wait: who only asks if the lock is held (:func:`puzzlec.jobs.standing.owner_of`) holds it for a moment.
_PATIENCE = 0.5


class Lock:
    """The right to write into a checkpoint, from when it is made until :meth:`release`.

    Raises PuzzleError where another process has it (PZ621), or the folder cannot be written to (PZ005).
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
                    # Nothing is ever written to it; what stands there was put there, and is no harm to the checkpoint.
                    raise faults.damaged(folder, f"`{FILE}` is not empty", help=f"delete `{folder / FILE}`") from None
                self._owner.write_text(json.dumps(_me()) + "\n", encoding="utf-8")
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def release(self) -> None:
        """Let others work on the checkpoint."""
        try:
            self._owner.unlink(missing_ok=True)
        except OSError:
            pass  # it is for people only
        finally:
            self._connection.close()


def _me() -> dict[str, object]:
    """Return who has the lock: process, machine, and since when (shown only, never computed with)."""
    begun = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "begun": begun}


def told_owner(folder: Path) -> tuple[int, str, str] | None:
    """Return what the process that has the lock says of itself: its number, the machine, and since when; or None."""
    try:
        with (folder / OWNER).open(encoding="utf-8") as stream:
            told = json.loads(stream.read(4096))
        return int(told["pid"]), str(told["host"])[:100], str(told["begun"])[:40]
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _held(folder: Path) -> PuzzleError:
    """Return the error for a checkpoint that another process has."""
    owner = told_owner(folder)
    if owner is not None and owner[:2] == (os.getpid(), socket.gethostname()):
        return fail(
            "PZ621",
            f"this process has the checkpoint `{folder}` open already",
            file=str(folder),
            help="close the job that is open, or go on with that one",
        )
    who = "process {} on `{}`, since {}".format(*owner) if owner else "it has not said which one"
    return fail(
        "PZ621",
        f"another process works on the checkpoint `{folder}`",
        file=str(folder),
        note=who,
        help=f"wait until it ends, or end it; `puzzlec status {folder}` shows how far it is",
    )
