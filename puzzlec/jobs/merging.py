"""Shards that were searched separately: added up, and joined in one checkpoint."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from heapq import merge as merged_in_order
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from puzzlec.diagnostics.error import fail
from puzzlec.jobs.beginning import encoding_of, problem_of
from puzzlec.jobs.plan import digest, plan
from puzzlec.jobs.records import Header
from puzzlec.jobs.status import Status, read_status
from puzzlec.jobs.store import Store
from puzzlec.jobs.tables import paired
from puzzlec.jobs.work_unit import WorkUnit
from puzzlec.shown import brief
from puzzlec.solving.solutions import Solutions

#: The treatment of solutions by a shard.
TASK_WORDS = {"solutions": "keeps solutions", "count": "counts them only"}

#: Blocks of solutions that one transaction copies.
BATCH_BLOCKS = 64


@dataclass(frozen=True)
class Merged:
    r"""The results of shards together.

    ``header`` is that of the whole search, ``of`` the number of all its shards. ``shards`` are the given shards without
    repetitions, in the order of their numbers.

    >>> import puzzlec
    >>> import tempfile
    >>> from pathlib import Path
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shards = [Path(folder, "1"), Path(folder, "2")]
    ...     for number, shard in enumerate(shards, 1):
    ...         with puzzlec.Job.begin(shard, puzzle, shard=(number, 2)) as job:
    ...             job.run()
    ...     merged = puzzlec.merge(shards)
    >>> merged.number, merged.of
    (2, 2)
    """

    def __repr__(self) -> str:
        return brief(self)

    header: Header
    of: int
    shards: tuple[Status, ...]

    def as_data(self) -> dict[str, Any]:
        """Return the results of all shards, and the missing ones, for JSON."""
        left = [{"shard": which(one), "folder": str(one.folder), "fraction": one.fraction} for one in self.unfinished]
        return {
            "solutions": self.number,
            "raw": self.raw,
            "symmetry": self.header.symmetry,
            "complete": self.is_complete,
            "of": self.of,
            "shards": list(map(which, self.shards)),
            "missing": list(self.missing),
            "unfinished": left,
        }

    @property
    def number(self) -> int:
        """Number of solutions found, up to the symmetry of the search."""
        return sum(shard.number for shard in self.shards)

    @property
    def raw(self) -> int:
        """Number of raw solutions."""
        return sum(shard.raw for shard in self.shards)

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of the missing shards."""
        return tuple(sorted({*range(1, self.of + 1)} - set(map(which, self.shards))))

    @property
    def unfinished(self) -> tuple[Status, ...]:
        """The given shards that are not searched to their end."""
        return tuple(shard for shard in self.shards if not shard.is_complete)

    @property
    def is_complete(self) -> bool:
        """Whether all shards are given and searched to their end."""
        return not (self.missing or self.unfinished)


def merge(folders: str | Path | Iterable[str | Path], *, into: str | Path | None = None) -> Merged:
    r"""Add up the shards of one search. If there are two copies of a shard, the more complete copy counts.

    With ``into``, a checkpoint of the whole is made in this folder. Its solutions are in the order of the search. Work
    that is incomplete stays open, and `puzzlec job resume` continues it.

    Raises:
        PuzzleError: If a folder contains no checkpoint or a damaged one (PZ622, PZ623), if the shards do not belong
            together (PZ628), or if ``into`` is not empty (PZ620).
        ValueError: If no folder is given.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import puzzlec
    >>> puzzle = puzzlec.parse("locations box 2x3\npiece D x3 { xx }")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shards = [Path(folder, "1"), Path(folder, "2")]
    ...     for number, shard in enumerate(shards, 1):
    ...         with puzzlec.Job.begin(shard, puzzle, shard=(number, 2)) as job:
    ...             job.run()
    ...     puzzlec.merge(shards).number
    2

    """
    statuses: dict[int, Status] = {}
    first: Status | None = None
    folders = [folders] if isinstance(folders, str | Path) else folders
    for folder in {Path(folder).resolve(): Path(folder) for folder in folders}.values():
        shard = read_status(folder)
        first = first or shard
        _compare(first, shard)
        earlier = statuses.get(which(shard))
        if earlier is None or _rank(shard) > _rank(earlier):
            statuses[which(shard)] = shard
    if first is None or first.header.shard is None:
        raise ValueError("there are no shards to merge")
    header = replace(first.header, shard=None, limit=None)
    merged = Merged(header, first.header.shard[1], tuple(statuses[number] for number in sorted(statuses)))
    if into is not None:
        _write(merged, Path(into))
    return merged


def which(shard: Status) -> int:
    """Return the number of a shard, from 1."""
    assert shard.header.shard is not None
    return shard.header.shard[0]


def _rank(shard: Status) -> tuple[bool, float, int]:
    """Return the rank of a copy of a shard: the greater, the more complete."""
    return shard.is_complete, shard.fraction, shard.nodes


def _compare(first: Status, other: Status) -> None:
    """Raise PuzzleError if a checkpoint is not a shard of the same search."""
    name, header = str(other.folder), other.header
    if header.shard is None:
        raise fail(
            "PZ628",
            f"`{name}` is the checkpoint of a whole search, not a shard",
            help="merge checkpoints made with `--shard`",
            file=name,
        )
    then = first.header
    assert then.shard is not None  # the first checkpoint was compared with itself
    there, here = (f"{number} of {of}" for number, of in (then.shard, header.shard))
    differences = {
        f"another number of shards: `{first.folder}` is shard {there}, and this one {here}": (
            then.shard[1] != header.shard[1]
        ),
        "another puzzle": (
            then.fingerprint != header.fingerprint or (then.version == header.version and then.puzzle != header.puzzle)
        ),
        f"another task: `{first.folder}` {TASK_WORDS[then.task]}, and this one {TASK_WORDS[header.task]}": (
            then.task != header.task
        ),
        f"another kind of symmetry: `{first.folder}` was searched with `--symmetry {then.symmetry}`, "
        f"this one with `--symmetry {header.symmetry}`": then.symmetry != header.symmetry,
        "another version of puzzlec, with another order of search": then.tree != header.tree,
        "another plan": (then.plan, then.planned) != (header.plan, header.planned),
    }
    for difference, differs in differences.items():
        if differs:
            raise fail(
                "PZ628",
                f"`{name}` is not a shard of the same search as `{first.folder}`",
                note=f"it has {difference}",
                help="merge the shards of one command, with the same options except `--shard`",
                file=name,
            )


def _write(merged: Merged, into: Path) -> None:
    """Make the checkpoint of the whole. It is in its position only when it is complete."""
    if os.path.lexists(into) and (not into.is_dir() or any(into.iterdir())):
        help = "name a new or an empty folder"
        raise fail("PZ620", f"`{into}` already exists", help=help, file=str(into))
    part = into.with_name(f".{into.name}.{os.getpid()}.part")
    try:
        with ExitStack() as stack:
            stores = [stack.enter_context(Store.open(shard.folder, write=False)) for shard in merged.shards]
            missing = _planned(merged, stores) if merged.missing else []
            units = merged_in_order(*(store.units() for store in stores), missing, key=attrgetter("key"))
            try:
                whole = stack.enter_context(Store.create(part, merged.header, map(_fresh, units)))
                for store in stores:
                    _copy(store, whole)
            except ValueError as error:  # they may be forged
                message = f"the shards are not the parts of one search: {error}"
                raise fail("PZ628", message, help="search the shards again", file=str(into)) from None
        if into.is_dir():
            into.rmdir()
        part.rename(into)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _planned(merged: Merged, stores: Iterable[Store]) -> list[WorkUnit]:
    """Return the work units of the missing shards, planned again.

    Raises PuzzleError if this version of puzzlec makes another plan.
    """
    header = merged.header
    solutions = Solutions(encoding_of(header, str(merged.shards[0].folder)), symmetry=header.symmetry)
    units = plan(problem_of(solutions, header.task), None, merged.of) if header.planned else []
    if digest(units) != header.plan:
        raise fail(
            "PZ623",
            f"the shards were planned by puzzlec {header.version} differently, so the missing ones are unknown",
            help="search the missing shards with the same version, or merge all shards later",
        )
    there = {unit.key[:4] for store in stores for unit in store.units()}
    return [unit for unit in units if unit.key not in there]


def _fresh(unit: WorkUnit) -> WorkUnit:
    """Return a work unit without results. Its subproblems are as they are now."""
    return replace(unit, nodes=0, number=0, raw=0, kept=0, seconds=0.0)


def _copy(store: Store, whole: Store) -> None:
    """Save the results of a shard in the whole: a work unit for each of its blocks, as if it had been a time slice."""
    results = (
        (replace(unit, kept=kept + block.solutions), block.data, ()) if block else (unit, b"", ())
        for unit, kept, block in paired(store.units(), store.blocks())
    )
    while saved := list(islice(results, BATCH_BLOCKS)):
        whole.save(saved)
