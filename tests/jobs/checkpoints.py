"""Checkpoints for tests: headers, work units and blocks without a real puzzle."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from pathlib import Path

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.search.splitting import TREE_VERSION
from puzzlec.jobs import blocks
from puzzlec.jobs.records import Header, JobTotals
from puzzlec.jobs.store import Store
from puzzlec.jobs.tables import SolutionBlock
from puzzlec.jobs.work_unit import UnitState, WorkUnit


def key(*numbers: int) -> bytes:
    """The key of a work unit from its name: ``key(17, 3)`` is that of 17.3."""
    return b"".join(number.to_bytes(4, "big") for number in numbers)


def header(planned: int, puzzle: str = '{"pieces": []}') -> Header:
    return Header(
        puzzle, "A puzzle", "0f" * 32, "solutions", "all", None, None, "a1" * 32, planned, TREE_VERSION, "1.0"
    )


def planned(number: int) -> list[WorkUnit]:
    """Planned work units, with two paths each."""
    return [
        WorkUnit(key(at), 0, (((0, at), (3, -1)), ((0, at), (3, 7))), size=1000.0 + at, spread=0.1)
        for at in range(number)
    ]


def covers(number: int, seed: int = 0, length: int = 9) -> list[tuple[int, ...]]:
    chance = random.Random(seed)
    return [tuple(sorted(chance.sample(range(3000), length))) for _ in range(number)]


def time_slice(unit: WorkUnit, solutions: int, done: bool = False) -> tuple[WorkUnit, bytes, list[WorkUnit]]:
    """Return the result of a time slice with this many solutions."""
    now = replace(
        unit, position=((solutions, 9),), nodes=unit.nodes + 500, number=unit.number + solutions,
        raw=unit.raw + 4 * solutions, kept=unit.kept + solutions, seconds=unit.seconds + 0.25,
    )  # fmt: skip
    if done:
        now = replace(now, paths=(), position=(), state=UnitState.DONE)
    return now, blocks.pack(covers(solutions, unit.nodes)) if solutions else b"", []


def split(unit: WorkUnit, number: int) -> tuple[WorkUnit, bytes, list[WorkUnit]]:
    """Return a work unit with its rest split into others."""
    parts = [WorkUnit(unit.key + key(part), 0, unit.paths[:1], size=9.0, nodes=1) for part in range(number)]
    return replace(unit, paths=(), position=(), state=UnitState.SPLIT), b"", parts


def fill(store: Store, number: int = 30) -> None:
    """Save time slices of all kinds on ``number`` work units: large and small blocks, done and split work units."""
    for unit in list(store.units()):
        place = unit.key[-1]
        first = time_slice(unit, (0, 3, 40, 400)[place % 4])
        store.save([first])
        if place % 5 == 0:
            again, block, parts = split(first[0], 3)
            store.save([(again, block, parts), time_slice(parts[1], 20, done=True), split(parts[2], 2)])
        elif place % 3 == 0:
            store.save([time_slice(first[0], 11, done=True)])
    store.note_run(12.5, "2 threads")


@dataclass
class Content:
    """Return all data of a checkpoint."""

    header: Header
    totals: JobTotals
    units: list[WorkUnit]
    blocks: list[SolutionBlock]
    runs: list[tuple[float, str]]


def content(store: Store) -> Content:
    return Content(store.header, store.totals(), list(store.units()), list(store.blocks()), store.runs())


def read(folder: Path, write: bool = False) -> Content:
    with Store.open(folder, write) as store:
        return content(store)


def code(error: PuzzleError) -> str:
    return error.diagnostics[0].code
