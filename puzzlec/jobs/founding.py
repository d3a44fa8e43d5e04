"""Making a checkpoint: whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from puzzlec.jobs import digests, faults, mark, records, schema
from puzzlec.jobs.checking import Plan
from puzzlec.jobs.header import Header
from puzzlec.jobs.locking import Lock
from puzzlec.jobs.looking import LEFT, PART, not_empty
from puzzlec.jobs.portion import Portion


@contextmanager
def prepared(folder: Path) -> Iterator[Lock]:
    """Give the lock of a folder that is made and is empty; where an error comes, it is as it was before.

    Raises PuzzleError where something is in it (PZ620).
    """
    new: list[Path] = []
    try:
        with faults.writing(folder):
            if folder.exists() and not folder.is_dir():
                raise NotADirectoryError(20, "it is a file")
            new = [each for each in (folder, *folder.parents) if not each.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            _check_empty(folder)
        lock = Lock(folder)
        try:
            with faults.writing(folder):
                _check_empty(folder)  # somebody may have been faster
            yield lock
        except BaseException:
            lock.release()
            if not (folder / faults.FILE).exists():
                for name in LEFT:
                    with suppress(OSError):
                        (folder / name).unlink()
            raise
    except BaseException:
        for each in new:
            with suppress(OSError):
                each.rmdir()
        raise


def found(folder: Path, header: Header, portions: Iterable[Portion]) -> None:
    """Write a new checkpoint under another name, and give it its own at the end.

    Raises ValueError for portions that are no plan: not in the order of their keys, or not as many as the header says;
    and for those that have solutions already, which have no block yet.
    """
    part = folder / PART
    with faults.writing(folder):
        for name in (PART, f"{PART}-journal", mark.FILE):
            (folder / name).unlink(missing_ok=True)
        connection = schema.connect(part, "rwc")
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA application_id = {schema.APPLICATION}")
            connection.execute("BEGIN")
            for text in schema.TABLES.values():
                connection.execute(text)
            data = records.header_bytes(header)
            job = digests.digest(data, "job")
            schema.put_fact(connection, "header", data, b"")
            plan, totals = Plan(), records.Totals(limit=header.limit)
            passing = (schema.portion_row(each, job) for each in _planned(portions, plan, totals))
            connection.executemany("INSERT INTO portions VALUES (?, ?, ?)", passing)
            schema.put_fact(connection, "plan", plan.end(), job)
            schema.put_fact(connection, "totals", records.totals_bytes(totals), job)
            if plan.last >= header.planned or (header.shard is None and plan.top != header.planned):
                raise ValueError(f"{header.planned} portions were planned, and {plan.top} are given")
            connection.execute("COMMIT")
        finally:
            connection.close()
        part.replace(folder / faults.FILE)
        _force(folder)


def _planned(portions: Iterable[Portion], plan: Plan, totals: records.Totals) -> Iterator[Portion]:
    """Give portions as they are stored at first, and note them."""
    for portion in portions:
        if portion.kept:
            raise ValueError(f"the portion {portion.name} has solutions before any are saved")
        plan.meet(portion)
        totals.add(portion)
        yield portion


def _check_empty(folder: Path) -> None:
    if any(each.name not in LEFT or each.is_symlink() or not each.is_file() for each in folder.iterdir()):
        raise not_empty(folder)


def _force(folder: Path) -> None:
    """Have the name of a new file on the disk, where the system has a way to say so."""
    if os.name == "posix":
        with suppress(OSError):
            number = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)
