"""Shards that were searched by hand, one here, one there: added up, and put together into one checkpoint."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from heapq import merge as merged_in_order
from operator import attrgetter
from pathlib import Path

from puzzlec.diagnostics.error import PuzzleError, fail
from puzzlec.jobs.header import Header
from puzzlec.jobs.job import encoding_of, problem_of
from puzzlec.jobs.plan import digest, plan
from puzzlec.jobs.portion import Portion
from puzzlec.jobs.standing import Standing, standing
from puzzlec.jobs.store import Block, Store
from puzzlec.solving.solutions import Solutions

#: What must be the same in all shards, and what one has where it is not.
ALIKE = {
    "fingerprint": "another puzzle",
    "task": "another task",
    "symmetry": "another kind of symmetry",
    "tree": "another version of puzzlec, which searches in another order",
    "plan": "another plan",
    "planned": "another plan",
}

#: What a shard does with solutions.
TASKS = {"solutions": "keeps solutions", "count": "counts them only"}

#: So many blocks of solutions are copied in one transaction.
BATCH = 64


@dataclass(frozen=True)
class Merged:
    """What shards have found together.

    ``header`` is that of the whole search, ``of`` the number of all its shards; ``shards`` are those that are there,
    each once, in the order of their numbers.
    """

    header: Header
    of: int
    shards: tuple[Standing, ...]

    @property
    def number(self) -> int:
        """How many solutions were found, counted up to the symmetry of the search."""
        return sum(each.number for each in self.shards)

    @property
    def raw(self) -> int:
        """How many raw solutions those stand for."""
        return sum(each.raw for each in self.shards)

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of the shards that are not there."""
        there = set(map(which, self.shards))
        return tuple(number for number in range(1, self.of + 1) if number not in there)

    @property
    def unfinished(self) -> tuple[Standing, ...]:
        """The shards that are there, but not searched to their end."""
        return tuple(each for each in self.shards if not each.is_complete)

    @property
    def is_complete(self) -> bool:
        """Whether all shards are there and searched to their end."""
        return not (self.missing or self.unfinished)


def merge(folders: str | Path | Iterable[str | Path], into: str | Path | None = None) -> Merged:
    """Add up the shards of one search that are kept in these folders; of copies of a shard the furthest counts.

    With ``into`` a checkpoint of the whole is made in this folder: solutions are in the order of the search, and what
    was not searched is left open, for `puzzlec resume` to continue with.

    Raises PuzzleError where a folder holds no checkpoint or a damaged one (PZ622, PZ623), where the shards do not
    belong together (PZ628), or where ``into`` is taken (PZ620); ValueError where no folder is given.
    """
    found: dict[int, Standing] = {}
    first: Standing | None = None
    folders = [folders] if isinstance(folders, str | Path) else folders
    for folder in {Path(each).resolve(): Path(each) for each in folders}.values():
        shard = standing(folder)
        first = first or shard
        _compare(first, shard)
        known = found.get(which(shard))
        if known is None or _rank(shard) > _rank(known):
            found[which(shard)] = shard
    if first is None or first.header.shard is None:
        raise ValueError("there are no shards to be merged")
    header = replace(first.header, shard=None, limit=None)
    merged = Merged(header, first.header.shard[1], tuple(found[number] for number in sorted(found)))
    if into is not None:
        _write(merged, Path(into))
    return merged


def which(shard: Standing) -> int:
    """Return which shard it is, from 1 on."""
    assert shard.header.shard is not None
    return shard.header.shard[0]


def _rank(shard: Standing) -> tuple[bool, float, int]:
    """Of two copies of a shard the one with the greater rank is further."""
    return shard.is_complete, shard.fraction, shard.nodes


def _compare(first: Standing, other: Standing) -> None:
    """Raise PuzzleError where a checkpoint is no shard, or not one of the same search."""
    name, header = str(other.folder), other.header
    if header.shard is None:
        raise fail(
            "PZ628",
            f"`{name}` is the checkpoint of a whole search, not of a shard",
            help="merge what was made with `--shard`",
            file=name,
        )
    own = first.header
    differs = [words for field, words in ALIKE.items() if getattr(own, field) != getattr(header, field)]
    if own.task != header.task:
        differs[differs.index(ALIKE["task"])] += (
            f": `{first.folder}` {TASKS[own.task]}, and this one {TASKS[header.task]}"
        )
    if own.symmetry != header.symmetry:
        there, here = (f"`--symmetry {each.symmetry}`" for each in (own, header))
        differs[differs.index(ALIKE["symmetry"])] += (
            f": `{first.folder}` was searched with {there}, this one with {here}"
        )
    if own.version == header.version and own.puzzle != header.puzzle:
        differs.insert(0, ALIKE["fingerprint"])
    if own.shard is not None and own.shard[1] != header.shard[1]:
        there, here = (f"{number} of {of}" for number, of in (own.shard, header.shard))
        differs.insert(0, f"another number of shards: `{first.folder}` is shard {there}, and this one {here}")
    if differs:
        raise fail(
            "PZ628",
            f"`{name}` is no shard of the same search as `{first.folder}`",
            note=f"it has {differs[0]}",
            help="merge the shards of one command, with the same options but for `--shard`",
            file=name,
        )


def _write(merged: Merged, into: Path) -> None:
    """Make the checkpoint of the whole; it stands at its place when it is finished, and not before."""
    if os.path.lexists(into) and (not into.is_dir() or any(into.iterdir())):
        help = "name a folder that is not there yet, or an empty one"
        raise fail("PZ620", f"`{into}` exists already", help=help, file=str(into))
    missing = _planned(merged) if merged.missing else []
    part = into.with_name(f".{into.name}.{os.getpid()}.part")
    try:
        with ExitStack() as stack:
            stores = [stack.enter_context(Store.open(each.folder, write=False)) for each in merged.shards]
            portions = merged_in_order(*(each.portions() for each in stores), missing, key=attrgetter("key"))
            try:
                whole = stack.enter_context(Store.create(part, merged.header, map(_fresh, portions)))
                for store in stores:
                    _copy(store, whole)
            except ValueError as error:  # somebody may have made them up
                message = f"the shards are not the parts of one search: {error}"
                raise fail("PZ628", message, help="search the shards anew", file=str(into)) from None
        if into.is_dir():
            into.rmdir()
        part.rename(into)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _planned(merged: Merged) -> list[Portion]:
    """Return the portions of the shards that are missing, planned anew.

    Raises PuzzleError where this puzzlec plans otherwise.
    """
    header = merged.header
    solutions = Solutions(encoding_of(header, str(merged.shards[0].folder)), symmetry=header.symmetry)
    portions = plan(problem_of(solutions, header.task), None, merged.of) if header.planned else []
    if digest(portions) != header.plan:
        raise _not_planned_so(header)
    there = set()
    for each in merged.shards:
        with Store.open(each.folder, write=False) as store:
            there |= {portion.key[:4] for portion in store.portions()}
    return [portion for portion in portions if portion.key not in there]


def _not_planned_so(header: Header) -> PuzzleError:
    return fail(
        "PZ623",
        f"the shards were planned by puzzlec {header.version} in another way, so the missing ones are not known",
        help="search the missing shards with the same version, or merge them when all are there",
    )


def _fresh(portion: Portion) -> Portion:
    """Return a portion as it is before anything of it is saved; its subproblems are as they are now."""
    return replace(portion, nodes=0, number=0, raw=0, kept=0, seconds=0.0)


def _copy(store: Store, whole: Store) -> None:
    """Save what a shard has into the whole: a portion for each of its blocks, as if it had been a turn."""
    saved: list[tuple[Portion, bytes, list[Portion]]] = []
    for portion, block in _with_blocks(store):
        saved.append((portion, block, []))
        if len(saved) == BATCH:
            whole.save(saved)
            saved = []
    if saved:
        whole.save(saved)


def _with_blocks(store: Store) -> Iterator[tuple[Portion, bytes]]:
    """Give the portions of a shard, each as often as it has blocks of solutions, with these; once if it has none."""
    blocks = store.blocks()
    block: Block | None = next(blocks, None)
    for portion in store.portions():
        kept = 0
        if block is None or block.key != portion.key:
            yield portion, b""
        while block is not None and block.key == portion.key:
            kept += block.solutions
            yield replace(portion, kept=kept), block.data
            block = next(blocks, None)
