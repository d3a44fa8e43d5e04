"""The head of a checkpoint: whether it is one, whose, and whether this version can go on with it."""

from __future__ import annotations

import sqlite3
import stat
from dataclasses import dataclass
from pathlib import Path

from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.diagnostics.suggest import near
from puzzlec.engine.search.splitting import TREE
from puzzlec.jobs import digests, faults, locking, mark, records, schema
from puzzlec.jobs.header import Header

#: A checkpoint is made under this name, and gets its own when it is whole.
PART = faults.FILE + ".part"

#: What a process leaves behind that was killed while it made a checkpoint.
LEFT = (PART, f"{PART}-journal", mark.FILE, locking.OWNER, locking.FILE, f"{locking.FILE}-journal")


@dataclass(frozen=True)
class Head:
    """What stands at the head of a checkpoint: ``job`` is the key of its digests, ``plan`` that of its portions."""

    header: Header
    job: bytes
    plan: bytes
    totals: records.Totals


def place_of(folder: Path) -> None:
    """Raise PuzzleError (PZ620) where a folder holds no checkpoint, and say what is there instead."""
    with faults.reading(folder):
        if folder.is_dir():
            if (folder / faults.FILE).is_file():
                _check_files(folder)
                return
            free = not any(each.name not in LEFT for each in folder.iterdir())
            begun = "one was begun there, and its making was cut short"
            inside = " or ".join(f"`{folder / name}`" for name in sorted(_checkpoints(folder))[:3])
            raise fail(
                "PZ620",
                f"the folder `{folder}` holds no checkpoint" + ("" if free else ", but other files"),
                file=str(folder),
                note=begun if (folder / PART).exists() else (),
                help=f"`puzzlec solve FILE --checkpoint {folder}` begins one"
                if free
                else f"did you mean {inside}, which is in it?"
                if inside
                else "name another folder",
            )
        if folder.exists():
            known = folder.name in (faults.FILE, f"{faults.FILE}-wal")
            raise fail(
                "PZ620",
                f"`{folder}` is a file, and a checkpoint is a folder",
                file=str(folder),
                help=f"give `{folder.parent}`, the folder it is in" if known else (),
            )
        meant = [folder.with_name(name) for name in near(folder.name, _checkpoints(folder.parent))]
        raise fail(
            "PZ620",
            f"there is no folder `{folder}`",
            file=str(folder),
            help=f"did you mean {' or '.join(f'`{each}`' for each in meant)}?" if meant else (),
        )


def _check_files(folder: Path) -> None:
    """Raise PuzzleError where a file of a checkpoint is a link, or a pipe: who writes to it would write elsewhere."""
    for name in (faults.FILE, *(faults.FILE + end for end in ("-wal", "-shm", "-journal")), *LEFT):
        try:
            mode = (folder / name).lstat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode):
            what = "a link" if stat.S_ISLNK(mode) else "no ordinary file"
            raise faults.damaged(folder, f"`{name}` in it is {what}")


def look(connection: sqlite3.Connection, folder: Path, marked: int) -> Head:
    """Return the head of a checkpoint; raise PuzzleError where this version cannot go on with it.

    ``marked`` is how many times something was saved, as the mark beside it tells, read before the database was.
    """
    if schema.is_foreign(connection):
        raise fail(
            "PZ620",
            f"the folder `{folder}` holds no checkpoint: its `{faults.FILE}` was not made by puzzlec",
            file=str(folder / faults.FILE),
        )
    try:
        schema.check_facts(connection, folder)
        data = digests.opened(schema.fact(connection, "header"), "facts", "header")
        _check_versions(folder, *records.header_versions(data))
        schema.check_tables(connection, folder)
        job = digests.digest(data, "job")
        plan = digests.opened(schema.fact(connection, "plan"), "facts", "plan", job=job)
        totals = records.read_totals(digests.opened(schema.fact(connection, "totals"), "facts", "totals", job=job))
        head = Head(records.read_header(data), job, plan, totals)
    except ValueError as error:
        raise faults.damaged(folder, f"its head cannot be read: {error}") from None
    if marked > totals.saved:
        raise faults.damaged(
            folder,
            f"what was saved last is missing ({marked - totals.saved} of {marked} times)",
            help=f"look for a lost `{faults.FILE}-wal`; what is left is whole, but older: delete `{folder / mark.FILE}`"
            " to go on from there",
        )
    return head


def _check_versions(folder: Path, form: int, tree: int, version: str) -> None:
    """Raise PuzzleError (PZ623) unless this version reads the format, and searches in the same order."""
    if form == records.FORMAT and tree == TREE:
        return
    what = f"its format is {form}, and this puzzlec reads format {records.FORMAT}"
    if form == records.FORMAT:
        what = f"its search tree follows version {tree} of the rule, and here it is version {TREE}"
    raise fail(
        "PZ623",
        f"the checkpoint `{folder}` was made by puzzlec {version}: {what}",
        file=str(folder / faults.FILE),
        help=f"go on with puzzlec {version}, or begin again in another folder",
    )


def _checkpoints(folder: Path) -> list[str]:
    """Return the names of the checkpoints in a folder."""
    try:
        return [each.name for each in folder.iterdir() if (each / faults.FILE).exists()]
    except OSError:
        return []


def not_empty(folder: Path) -> PuzzleError:
    """Return the error for a folder in which no checkpoint can be made, since something is there."""
    if (folder / faults.FILE).exists():
        return fail(
            "PZ620",
            f"the folder `{folder}` holds a checkpoint already",
            file=str(folder),
            help=f"`puzzlec resume {folder}` goes on with it",
        )
    return fail("PZ620", f"the folder `{folder}` is not empty", file=str(folder), help="name a new one")
