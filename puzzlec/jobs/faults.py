"""Errors of a checkpoint as diagnostics: errors of the system, and damage."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from puzzlec.diagnostics.error import PuzzleError, fail

#: The file of a checkpoint with all its data.
CHECKPOINT_FILE = "job.sqlite3"

#: SQLite's primary result codes for errors of the system, in words (https://www.sqlite.org/rescode.html).
_SYSTEM_ERRORS = {
    sqlite3.SQLITE_FULL: "no space is left on the disk, or the quota is used up",
    sqlite3.SQLITE_IOERR: "the disk reports an error, or a limit of the file size",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_CANTOPEN: "a file in it cannot be opened or created",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_AUTH: "permission denied",
    sqlite3.SQLITE_BUSY: "another process locks it for too long",
    sqlite3.SQLITE_LOCKED: "another process locks it for too long",
    sqlite3.SQLITE_PROTOCOL: "its file system does not support locks",
    sqlite3.SQLITE_NOLFS: "its file system does not allow a file of this size",
    sqlite3.SQLITE_NOMEM: "the memory is full",
}
#: A file that ends too early is damaged; the disk is not.
_DAMAGE_CODES = (sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS)


def damaged(folder: Path, what: str, help: str = "", file: str = CHECKPOINT_FILE) -> PuzzleError:
    """Return the error for a damaged checkpoint; ``what`` describes the damage."""
    return fail(
        "PZ622",
        f"the checkpoint `{folder}` is damaged: {what}",
        file=str(folder / file),
        note="puzzlec uses nothing in it, because any number in it may be wrong",
        help=help or "resume a copy of the folder, or begin again in another one",
    )


def reading(folder: Path) -> AbstractContextManager[None]:
    """Turn errors of reading a checkpoint into diagnostics."""
    return _told(folder, "PZ001", "read")


def writing(folder: Path) -> AbstractContextManager[None]:
    """Turn errors of writing a checkpoint into diagnostics."""
    return _told(folder, "PZ005", "write")


@contextmanager
def _told(folder: Path, code: str, verb: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, OSError) as error:  # SQLite's message quotes the damage
        raise _fault(error, folder, code, verb) from None


def _fault(error: Exception, folder: Path, code: str, verb: str) -> PuzzleError:
    if isinstance(error, UnicodeDecodeError):
        return damaged(folder, "its tables are not those of a checkpoint")
    if isinstance(error, OSError):
        reason = (error.strerror or "error").lower()
    else:
        number = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        reason = "" if number in _DAMAGE_CODES else _SYSTEM_ERRORS.get(number & 0xFF, "")
        if not reason:  # the content of the file is wrong
            return damaged(folder, "".join(sign if sign.isprintable() else "?" for sign in str(error)))
        if not os.path.lexists(folder):
            return gone(folder)
    help: str | tuple[()] = ()
    if code == "PZ005" and os.path.lexists(folder / CHECKPOINT_FILE):
        help = f"`puzzlec job status {folder}` and `puzzlec solutions {folder}` only read it"
    return fail(code, f"cannot {verb} the checkpoint `{folder}`: {reason}", file=str(folder), help=help)


def gone(folder: Path) -> PuzzleError:
    """Return the error for a folder that was removed or replaced during the work."""
    return fail(
        "PZ005",
        f"cannot write the checkpoint `{folder}`: it was removed or replaced",
        file=str(folder),
        note="saved work is complete: if the folder was moved, run `puzzlec job resume` on its new path",
    )
