"""Checkpoints for tests: whole searches, and chosen blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from puzzlec.compiler import compile, parse
from puzzlec.ir import Puzzle
from puzzlec.jobs.blocks import pack
from puzzlec.jobs.job import Job
from puzzlec.jobs.store import Store
from puzzlec.jobs.work_unit import UnitState, WorkUnit
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind

#: A board with optional cells and copies: solutions of several lengths.
GARDEN = (
    'puzzle "Garden"\nlocations box 3x3\noptional locations {xxx} at (0,3)\n'
    "piece I x0..4 { xx }\npiece L x1..4 { xx/x. }\n"
)


def compiled(what: Puzzle | str) -> Encoding:
    return compile(parse(what) if isinstance(what, str) and "\n" in what else what)


def searched(
    folder: Path,
    what: Encoding | str,
    symmetry: SymmetryKind = "all",
    task: str = "solutions",
    limit: int | None = None,
) -> Path:
    """Return the folder with the checkpoint of a search that has ended."""
    encoding = compiled(what) if isinstance(what, str) else what
    with Job.begin(folder, encoding, task=task, symmetry=symmetry, limit=limit, wanted=7) as job:  # type: ignore[arg-type]
        job.run()
    return folder


def given(
    folder: Path, encoding: Encoding, blocks: Sequence[Sequence[tuple[int, ...]]], symmetry: SymmetryKind = "none"
) -> Path:
    """Return the folder with a checkpoint of given blocks, each in a finished work unit."""
    with Job.begin(folder.with_name(folder.name + "-other"), encoding, symmetry=symmetry) as job:
        header = replace(job.header, planned=len(blocks) + 1)
    units = [WorkUnit(number.to_bytes(4, "big"), 0, ()) for number in range(len(blocks) + 1)]
    with Store.create(folder, header, units) as store:
        store.save([save(unit, block) for unit, block in zip(units, blocks, strict=False)])
        store.save([save(units[-1], [])])
    return folder


def save(unit: WorkUnit, block: Sequence[tuple[int, ...]]) -> tuple[WorkUnit, bytes, tuple[WorkUnit, ...]]:
    number = len(block)
    done = replace(unit, state=UnitState.DONE, number=number, raw=number, kept=number)
    return done, pack(block) if block else b"", ()
