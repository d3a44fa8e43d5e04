"""Begin a job, or resume the same job in a folder.

A checkpoint is created completely or not at all. Its head has its identity and version.
"""

from __future__ import annotations

import json
import re
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from puzzlec.compiler import Compiled, compile, convert, parse
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.suggest import listed, near
from puzzlec.engine.diagram_file import fingerprint
from puzzlec.engine.search.splitting import EARLIER_TREE_VERSION, TREE_VERSION
from puzzlec.formats.catalogue import find, note_of_a_name
from puzzlec.jobs import faults, locking, records, tables
from puzzlec.jobs.locking import Lock
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.records import VERSION, Header, TaskName
from puzzlec.jobs.work_unit import WorkUnit
from puzzlec.lower import Encoding
from puzzlec.lower import symmetry as symmetry_group
from puzzlec.solving.solutions import Solutions


@contextmanager
def prepared(folder: Path) -> Iterator[ExitStack]:
    """Yield a stack that releases the lock of a new or empty folder; after an error, restore the previous state.

    Raises PuzzleError if the folder is not empty (PZ620).
    """
    new: list[Path] = []
    is_begun = False
    try:
        with faults.writing(folder):
            if folder.exists() and not folder.is_dir():
                raise NotADirectoryError(20, "it is a file")
            new = [place for place in (folder, *folder.parents) if not place.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            _check_empty(folder)
        with ExitStack() as ends:
            ends.callback(Lock(folder).release)
            is_begun = True
            with faults.writing(folder):
                _check_empty(folder)  # another process may have been faster
            yield ends
    except BaseException:
        is_begun = is_begun and not (folder / faults.CHECKPOINT_FILE).exists()
        remains = [folder / name for name in PART_FILES] if is_begun else []
        for remove in (*(file.unlink for file in remains), *(place.rmdir for place in new)):
            with suppress(OSError):
                remove()
        raise


def found(folder: Path, header: Header, units: Iterable[WorkUnit]) -> None:
    """Write a new checkpoint under a temporary name, and rename it at the end.

    Raises ValueError for work units that are not a plan: out of order, or with a number different from the header. It
    also raises for work units that have solutions already, since these have no block yet.
    """
    with faults.writing(folder):
        (folder / locking.MARK_FILE).unlink(missing_ok=True)
        with tables.created(
            folder / faults.CHECKPOINT_FILE, tables.APPLICATION_ID, tables.TABLES.values()
        ) as connection:
            data = records.header_bytes(header)
            job = records.digest(data, "job")
            tables.put_fact(connection, "header", data, b"")
            plan, totals = tables.PlanChecker(), records.JobTotals(limit=header.limit)
            passing = (tables.unit_row(unit, job) for unit in _planned(units, plan, totals))
            connection.executemany("INSERT INTO portions VALUES (?, ?, ?)", passing)
            tables.put_fact(connection, "plan", plan.end(), job)
            tables.put_fact(connection, "totals", records.totals_bytes(totals), job)
            if plan.last >= header.planned or (header.shard is None and plan.top != header.planned):
                raise ValueError(f"{header.planned} work units were planned, and {plan.top} are given")


def _planned(units: Iterable[WorkUnit], plan: tables.PlanChecker, totals: records.JobTotals) -> Iterator[WorkUnit]:
    """Yield work units as they are stored at first, and record them."""
    for unit in units:
        if unit.kept:
            raise ValueError(f"the work unit {unit.name} has solutions before any are saved")
        plan.meet(unit)
        totals.add(unit)
        yield unit


def _check_empty(folder: Path) -> None:
    if any(file.name not in PART_FILES or file.is_symlink() or not file.is_file() for file in folder.iterdir()):
        if (folder / faults.CHECKPOINT_FILE).exists():
            raise fail(
                "PZ620",
                f"the folder `{folder}` already contains a checkpoint",
                file=str(folder),
                help=f"`puzzlec job resume {folder}` continues it",
            )
        raise fail("PZ620", f"the folder `{folder}` is not empty", file=str(folder), help="choose a new folder")


#: Temporary name of a checkpoint until it is complete.
PART_FILE = faults.CHECKPOINT_FILE + tables.PART_SUFFIX

#: Files left by a process that was killed while it made a checkpoint.
PART_FILES = (
    PART_FILE,
    f"{PART_FILE}-journal",
    locking.MARK_FILE,
    locking.OWNER_FILE,
    locking.LOCK_FILE,
    f"{locking.LOCK_FILE}-journal",
)


def place_of(folder: Path) -> None:
    """Raise PuzzleError (PZ620) if a folder contains no checkpoint, and describe its content."""
    note: str | tuple[str, ...] = ()
    help: str | tuple[str, ...] = ()
    with faults.reading(folder):
        if (folder / faults.CHECKPOINT_FILE).is_file():
            _check_files(folder)
            return
        if folder.is_dir():
            is_free = all(file.name in PART_FILES for file in folder.iterdir())
            inside = " or ".join(f"`{folder / name}`" for name in sorted(_checkpoints(folder))[:3])
            if any(folder.glob("*/disassemblies.sqlite3")):
                what = f"the folder `{folder}` has results of `puzzlec disassemble`, and no search"
                help = "give the same `puzzlec disassemble` command again: it continues, and merges shards"
            elif is_free:
                what = f"the folder `{folder}` contains no checkpoint"
                help = f"`puzzlec solve FILE --checkpoint {folder}` begins one"
            else:
                what = f"the folder `{folder}` contains no checkpoint, but other files"
                help = f"did you mean {inside} in it?" if inside else "choose another folder"
            if (folder / PART_FILE).exists():
                note = "one was begun there and not finished"
        elif folder.exists():
            what = f"`{folder}` is a file, and a checkpoint is a folder"
            if folder.name in (faults.CHECKPOINT_FILE, f"{faults.CHECKPOINT_FILE}-wal"):
                help = f"give `{folder.parent}`, the folder it is in"
        else:
            what, name = f"there is no folder `{folder}`", folder.as_posix()
            names = near(folder.name, _checkpoints(folder.parent))
            note = note_of_a_name(name)
            if names:
                help = f"did you mean {listed([f'`{folder.with_name(each)}`' for each in names], 'or')}?"
            elif find(name):
                help = f"`puzzlec solve {name} --checkpoint DIR` begins a checkpoint in a new folder DIR"
    raise fail("PZ620", what, file=str(folder), note=note, help=help)


def _check_files(folder: Path) -> None:
    """Raise PuzzleError if a file of a checkpoint is a link or a pipe, since writing would go elsewhere."""
    for name in (*(faults.CHECKPOINT_FILE + end for end in ("", "-wal", "-shm", "-journal")), *PART_FILES):
        try:
            mode = (folder / name).lstat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode):
            what = "a link" if stat.S_ISLNK(mode) else "not a regular file"
            raise faults.damaged(folder, f"`{name}` in it is {what}")


def look(connection: sqlite3.Connection, folder: Path, marked: int) -> tuple[Header, bytes, bytes, records.JobTotals]:
    """Return the header of a checkpoint, the key of its digests, the digest of its work units, and its sums.

    Raises PuzzleError if this version cannot resume it.
    ``marked`` is the number of saves in the mark beside it, read before the database.
    """
    if tables.is_foreign(connection):
        raise fail(
            "PZ620",
            f"the folder `{folder}` contains no checkpoint: puzzlec did not make its `{faults.CHECKPOINT_FILE}`",
            file=str(folder / faults.CHECKPOINT_FILE),
        )
    try:
        tables.check_tables(connection, folder, "facts")
        data = tables.fact(connection, "header")
        _check_versions(folder, *records.header_versions(data))
        tables.check_tables(connection, folder)
        job = records.digest(data, "job")
        totals = records.read_totals(tables.fact(connection, "totals", job))
        head = records.read_header(data), job, tables.fact(connection, "plan", job), totals
    except ValueError as error:
        raise faults.damaged(folder, f"its head cannot be read: {error}") from None
    if marked > totals.saved:
        raise faults.damaged(
            folder,
            f"the last saves are missing ({marked - totals.saved} of {marked} times)",
            help=f"restore the lost `{faults.CHECKPOINT_FILE}-wal`, or delete `{folder / locking.MARK_FILE}` "
            "to resume the older state",
        )
    return head


def _check_versions(folder: Path, form: int, tree: int, version: str) -> None:
    """Raise PuzzleError (PZ623) unless this version reads the format and searches in the same order."""
    if form == records.FORMAT and tree in (TREE_VERSION, EARLIER_TREE_VERSION):
        return
    what = f"its format is {form}, and this puzzlec reads format {records.FORMAT}"
    if form == records.FORMAT:
        what = f"its search tree has version {tree}, and this puzzlec uses version {TREE_VERSION}"
    raise fail(
        "PZ623",
        f"the checkpoint `{folder}` was made by puzzlec {version}: {what}",
        file=str(folder / faults.CHECKPOINT_FILE),
        help=f"resume it with puzzlec {version}, or begin again in another folder",
    )


def _checkpoints(folder: Path) -> list[str]:
    """Return the names of the checkpoints in a folder."""
    try:
        return [file.name for file in folder.iterdir() if (file / faults.CHECKPOINT_FILE).exists()]
    except OSError:
        return []


#: Members of a puzzle's JSON in words. Other members have their names.
MEMBER_WORDS = {
    "stage": "the stage it is described at",
    "locations": "the board (its locations)",
    "pieces": "the pieces",
    "lattice": "the lattice",
    "options": "the options",
    "items": "the items",
}


def written_stage(encoding: Encoding) -> Compiled:
    """Return the highest known stage of a puzzle, from which it can be written and read again."""
    if encoding.raised:
        return encoding.cover
    return encoding.fitting.puzzle if encoding.fitting.puzzle is not None else encoding.fitting


def is_taken(folder: Path) -> bool:
    """Return whether a folder contains a checkpoint.

    Remains of a checkpoint that was never finished do not count.

    Raises:
        PuzzleError: If the folder cannot take a checkpoint. Planning may take long, so this is checked first.

    """
    with faults.reading(folder):
        if (folder / faults.CHECKPOINT_FILE).exists():
            return True
        if folder.is_dir():
            _check_empty(folder)
    return False


def compare(
    header: Header,
    there: Encoding,
    folder: Path,
    solutions: Solutions,
    task: TaskName,
    shard: tuple[int, int] | None,
) -> None:
    """Raise PuzzleError unless the job in a folder is the requested one: this task for ``solutions``.

    ``there`` is the puzzle of that job.
    """
    encoding = solutions.encoding
    resuming = f"`puzzlec job resume {folder}` continues the job in it; or choose another folder"
    then, now = _written(there), _written(encoding)
    members = [member for member in {**then, **now} if member != "title" and then.get(member) != now.get(member)]
    differs = [MEMBER_WORDS.get(member, f"`{member}`") for member in members]
    what, note = "", ""
    if differs or header.fingerprint != fingerprint(encoding.cover):
        same = header.title == encoding.fitting.title
        whose = "an earlier text of this puzzle" if same else f'another puzzle, "{header.title}"'
        what = f"belongs to {whose}"
        note = f"what differs: {', '.join(differs)}" if differs else ""
    else:
        words = {"solutions": "solutions are searched for and kept", "count": "solutions are counted"}
        for before, asked in (
            (words[header.task], words[task]),
            (f"`--symmetry {header.symmetry}`", f"`--symmetry {solutions.symmetry}`"),
            (_shard(header.shard), _shard(shard)),
        ):
            if before != asked and not what:
                what, note = "was made with other settings", f"there: {before}; here: {asked}"
    if what:
        raise fail("PZ627", f"the checkpoint `{folder}` {what}", note=note or (), help=resuming, file=str(folder))


def _shard(shard: tuple[int, int] | None) -> str:
    return f"shard {shard[0]} of {shard[1]}" if shard else "the whole search"


def _written(encoding: Encoding) -> dict[str, Any]:
    """Return the JSON of a puzzle at its highest known stage."""
    return dict(json.loads(convert(written_stage(encoding), "json")))


def encoding_of(header: Header, name: str) -> Encoding:
    """Return the compiled puzzle of a checkpoint; ``name`` is the checkpoint's name in diagnostics.

    Raises PuzzleError if this puzzlec compiles it to another exact cover, or searches that in another order.
    """
    # Earlier versions called the stage of a puzzle its level.
    puzzle = re.sub(r'^(\s*\{\s*"puzzlec":\s*1,\s*)"level"', r'\1"stage"', header.puzzle)
    encoding = compile(parse(puzzle, format="json"))
    cover = encoding.cover
    is_other_tree = header.tree == EARLIER_TREE_VERSION and cover.low != cover.high
    if is_other_tree or fingerprint(cover) != header.fingerprint:
        how = "searched" if is_other_tree else "compiled"
        raise fail(
            "PZ623",
            f"`{name}` was made by puzzlec {header.version}, which {how} this puzzle differently",
            note=f"this is puzzlec {VERSION}: positions in its search tree are different",
            help=f"resume it with puzzlec {header.version}, or begin again in another folder",
            file=name,
        )
    return encoding


def problem_of(solutions: Solutions, task: str) -> JobProblem:
    """Return the search for solutions. Raw ones to count are found as orbits, raw ones to keep one by one."""
    raw = solutions.convention == "raw"
    group = symmetry_group(solutions.encoding, "none") if raw and task == "solutions" else solutions.group
    return JobProblem.of(solutions.encoding, group, task, raw)
