"""What can go wrong with a checkpoint, as diagnostics: faults of the system, and damage."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from puzzlec.diagnostics.error import PuzzleError, fail

#: The file of a checkpoint that has all.
FILE = "job.sqlite3"

#: SQLite's primary result codes that tell of the system, in words (https://www.sqlite.org/rescode.html).
_OF_THE_SYSTEM = {
    sqlite3.SQLITE_FULL: "no space left on the disk, or no more allowed",
    sqlite3.SQLITE_IOERR: "the disk reports an error, or no more may be written",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_CANTOPEN: "a file in it cannot be opened, or made",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_AUTH: "permission denied",
    sqlite3.SQLITE_BUSY: "another process holds it for too long",
    sqlite3.SQLITE_LOCKED: "another process holds it for too long",
    sqlite3.SQLITE_PROTOCOL: "its file system does not lock files well enough",
    sqlite3.SQLITE_NOLFS: "its file system allows no file so large",
    sqlite3.SQLITE_NOMEM: "the memory is full",
}
#: A file that ends too early is damaged; the disk is not.
_DAMAGE = (sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS)


def damaged(folder: Path, what: str, help: str = "") -> PuzzleError:
    """Return the error for a checkpoint that is not as it was written; ``what`` says where."""
    return fail(
        "PZ622",
        f"the checkpoint `{folder}` is damaged: {what}",
        file=str(folder / FILE),
        note="nothing of it is used, since a wrong number is worse than none",
        help=help or "go on from a copy of the folder, or begin again in another one",
    )


def reading(folder: Path) -> AbstractContextManager[None]:
    """Turn what goes wrong while a checkpoint is read into diagnostics."""
    return _told(folder, "PZ001", "read")


def writing(folder: Path) -> AbstractContextManager[None]:
    """Turn what goes wrong while a checkpoint is written into diagnostics."""
    return _told(folder, "PZ005", "write")


@contextmanager
def _told(folder: Path, code: str, verb: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite's own words quote what is damaged
        raise _of_sqlite(error, folder, code, verb) from None
    except OSError as error:
        raise _of_system(error, folder, code, verb) from None


def _is_of_the_system(error: Exception) -> bool:
    """Whether the system failed, and not what is in the file."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code not in _DAMAGE and code & 0xFF in _OF_THE_SYSTEM


def _of_sqlite(error: Exception, folder: Path, code: str, verb: str) -> PuzzleError:
    if not isinstance(error, sqlite3.Error):
        return damaged(folder, "its tables are not those of a checkpoint")
    if not _is_of_the_system(error):
        return damaged(folder, _in_words(error))
    if not os.path.lexists(folder):
        return gone(folder)
    number = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return fail(
        code,
        f"cannot {verb} the checkpoint `{folder}`: {_OF_THE_SYSTEM[number & 0xFF]}",
        file=str(folder),
        help=_only_read(folder, code),
    )


def _in_words(error: sqlite3.Error) -> str:
    """Return what SQLite says, without signs that no terminal should get."""
    return "".join(sign if sign.isprintable() else "?" for sign in str(error))


def _of_system(error: OSError, folder: Path, code: str, verb: str) -> PuzzleError:
    reason = (error.strerror or "error").lower()
    return fail(
        code, f"cannot {verb} the checkpoint `{folder}`: {reason}", file=str(folder), help=_only_read(folder, code)
    )


def _only_read(folder: Path, code: str) -> str | tuple[()]:
    """Return what can be done with a checkpoint in which nothing can be written."""
    if code != "PZ005" or not os.path.lexists(folder / FILE):
        return ()
    return f"`puzzlec status {folder}` and `puzzlec solutions {folder}` only read it"


def gone(folder: Path) -> PuzzleError:
    """Return the error for a folder that was removed, or replaced, while it was worked on."""
    return fail(
        "PZ005",
        f"cannot write the checkpoint `{folder}`: it was removed or replaced in the meantime",
        file=str(folder),
        note="what was saved is whole: if the folder was moved, `puzzlec resume` goes on where it is now",
    )
