"""Whether a checkpoint is consistent: it has each planned work unit once, with all its solutions.

Everything streams. Only a chain of work units, from the top to one of them, is in memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from puzzlec.jobs import blocks, faults, records
from puzzlec.jobs.work_unit import State, WorkUnit


class Block(NamedTuple):
    """Solutions that one time slice has found. ``number`` counts the blocks of a work unit from 0.

    ``solutions`` is their number, ``data`` is for :func:`puzzlec.jobs.blocks.unpack`.
    """

    key: bytes
    number: int
    solutions: int
    data: bytes


class Plan:
    """The work units of a checkpoint in the order of their keys: none may be missing or come twice.

    :meth:`meet` raises ValueError at the first work unit that does not follow, :meth:`end` if some are missing at the
    end.
    """

    def __init__(self) -> None:
        self.top = 0  # work units on the first level
        self.last = -1  # number of the last of them
        self._keys = sha256()
        self._before = b""
        self._above: list[list[int]] = []  # for each work unit above the next one: children expected, and met

    def meet(self, unit: WorkUnit) -> None:
        """Take the next work unit. Its children must follow it, numbered from 0."""
        key, level = unit.key, len(unit.key) // 4 - 1
        if not key or len(key) % 4 or key <= self._before or level > len(self._above):
            raise ValueError(f"the work unit {unit.name} is in the wrong place")
        self._close(level)
        if level:
            expected, met = self._above[-1]
            if key[:-4] != self._before[: len(key) - 4] or met >= expected or key[-4:] != met.to_bytes(4, "big"):
                raise ValueError(f"the work unit {unit.name} was not split off, or one before it is missing")
            self._above[-1][1] += 1
        else:
            self.top, self.last = self.top + 1, int.from_bytes(key, "big")
            self._keys.update(key)
        if (unit.children > 0) != (unit.state == State.SPLIT):
            raise ValueError(f"it is unclear whether the work unit {unit.name} was split")
        self._above.append([unit.children, 0])
        self._before = key

    def end(self) -> bytes:
        """Return the digest of the planned work units: the keys on the first level."""
        self._close(0)
        return self.top.to_bytes(8, "big") + self._keys.digest()

    def _close(self, level: int) -> None:
        """Leave the work units from this level on. All their children must have been met."""
        while len(self._above) > level:
            expected, met = self._above.pop()
            if met != expected:
                name = WorkUnit(self._before, 0, ()).name
                raise ValueError(f"a work unit that was split off from {name} is missing")


def read_units(table: Iterable[tuple[object, object, object]], job: bytes) -> Iterator[WorkUnit]:
    """Yield work units from their rows; ValueError if one is damaged."""
    for key, state, data in table:
        if type(key) is not bytes or type(state) is not int:
            raise ValueError("invalid key or state of a work unit")
        try:
            yield records.read_unit(key, state, records.opened(data, "portions", key, state, job=job))
        except ValueError as error:
            raise ValueError(f"the work unit {WorkUnit(key, 0, ()).name} cannot be read: {error}") from None


def read_blocks(table: Iterable[tuple[object, object, object, object, object]], job: bytes) -> Iterator[Block]:
    """Yield blocks from their rows; ValueError if one is damaged."""
    for key, number, solutions, data, digest in table:
        if type(key) is not bytes or type(number) is not int or type(solutions) is not int or type(data) is not bytes:
            raise ValueError("invalid key or number of a block")
        if records.digest(data, "blocks", key, number, solutions, job=job) != digest:
            raise ValueError(f"a block of solutions of the work unit {WorkUnit(key, 0, ()).name} was changed")
        yield Block(key, number, solutions, data)


def verify(connection: sqlite3.Connection, folder: Path, job: bytes, plan: bytes, totals: records.Totals) -> None:
    """Read everything; raise PuzzleError (PZ622) unless it is sound and consistent.

    ``plan`` is the result of :meth:`Plan.end` when the checkpoint was made, ``totals`` are its stored sums.
    """
    for (told,) in connection.execute("PRAGMA quick_check(1)"):
        if bytes(told) != b"ok":
            raise faults.damaged(folder, " ".join(bytes(told).decode("utf-8", "replace").replace("*", "").split()))
    try:
        _verify_rows(connection, job, plan, totals)
    except ValueError as error:
        raise faults.damaged(folder, str(error)) from None


def _verify_rows(connection: sqlite3.Connection, job: bytes, plan: bytes, totals: records.Totals) -> None:
    found, order = records.Totals(), Plan()
    stored = read_blocks(connection.execute("SELECT * FROM blocks ORDER BY key, number"), job)
    block = next(stored, None)
    for unit in read_units(connection.execute("SELECT * FROM portions ORDER BY key"), job):
        order.meet(unit)
        found.add(unit)
        kept = number = 0
        while block is not None and block.key == unit.key:
            if block.number != number or blocks.count(block.data) != block.solutions:
                raise ValueError(f"a block of solutions of the work unit {unit.name} is missing, or has a wrong number")
            kept, number = kept + block.solutions, number + 1
            found.blocks, found.bytes = found.blocks + 1, found.bytes + len(block.data)
            block = next(stored, None)
        if kept != unit.kept:
            raise ValueError(f"the work unit {unit.name} kept {unit.kept} solutions, found {kept}")
    if block is not None:
        raise ValueError("there are solutions of a missing work unit")
    if order.end() != plan:
        raise ValueError("the work units are not those that were planned")
    for name in ("number", "raw", "kept", "nodes", "states", "blocks", "bytes"):
        if getattr(found, name) != getattr(totals, name):
            raise ValueError(
                f"the sums are inconsistent ({name}: {getattr(found, name)}, stored {getattr(totals, name)})"
            )
    spent = sum(seconds for seconds, _ in read_runs(connection, job))
    if abs(spent - totals.elapsed) > 1e-6 * max(1.0, spent):
        raise ValueError("the seconds of the runs are inconsistent")


def read_runs(connection: sqlite3.Connection, job: bytes) -> Iterator[tuple[float, str]]:
    """Yield seconds and workers of each run; ValueError if one is damaged."""
    for number, data in connection.execute("SELECT number, data FROM runs ORDER BY number"):
        yield read_run(number, data, job)


def read_run(number: int, data: object, job: bytes) -> tuple[float, str]:
    """Return seconds and workers of a run from its row; ValueError if it is damaged."""
    return records.read_run(records.opened(data, "runs", number, job=job))


def checked(units: Iterable[WorkUnit], totals: records.Totals) -> Iterator[WorkUnit]:
    """Yield work units to a reader; ValueError if their sums differ from the stored sums."""
    order, found = Plan(), records.Totals()
    for unit in units:
        order.meet(unit)
        found.add(unit)
        yield unit
    order.end()
    if (found.number, found.raw, found.kept, found.nodes, found.states) != (
        totals.number, totals.raw, totals.kept, totals.nodes, totals.states,
    ):  # fmt: skip
        raise ValueError("work units are missing")


def with_all_blocks(units: Iterable[tuple[WorkUnit, int]], found: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks; ValueError if a work unit's solutions are incomplete.

    ``units`` are work units, each with the number of its solutions that must be in the blocks ``found``. Both ascend.
    """
    blocks_ = iter(found)
    block = next(blocks_, None)
    for unit, expected in units:
        while block is not None and block.key == unit.key:
            expected -= block.solutions
            yield block
            block = next(blocks_, None)
        if expected:
            raise ValueError(f"solutions of the work unit {unit.name} are missing")
    if block is not None:
        raise ValueError(f"there are solutions of the missing work unit {WorkUnit(block.key, 0, ()).name}")
