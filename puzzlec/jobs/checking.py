"""Whether what a checkpoint holds fits together: all portions of the plan, once each, and all their solutions.

Everything streams: nothing here grows with the checkpoint, but for a chain of portions from the top to one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from puzzlec.jobs import blocks, digests, faults, records
from puzzlec.jobs.portion import Portion, State


class Block(NamedTuple):
    """Solutions that one turn on a portion has brought: ``number`` counts the blocks of the portion from 0 on.

    ``solutions`` is how many there are, ``data`` what :func:`puzzlec.jobs.blocks.unpack` reads.
    """

    key: bytes
    number: int
    solutions: int
    data: bytes


class Plan:
    """The portions of a checkpoint as they pass by in the order of their keys: none may be missing, or come twice.

    :meth:`meet` raises ValueError at the first that does not follow, :meth:`end` where some are missing at the end.
    """

    def __init__(self) -> None:
        self.top = 0  # portions on the first level
        self.last = -1  # the number of the last of them
        self._keys = sha256()
        self._before = b""
        self._above: list[list[int]] = []  # for each portion that is above the next one: children expected, and met

    def meet(self, portion: Portion) -> None:
        """Take the next portion; its children must follow it, numbered from 0 on."""
        key, level = portion.key, len(portion.key) // 4 - 1
        if not key or len(key) % 4 or key <= self._before or level > len(self._above):
            raise ValueError(f"the portion {portion.name} stands at a wrong place")
        self._close(level)
        if level:
            expected, met = self._above[-1]
            if key[:-4] != self._before[: len(key) - 4] or met >= expected or key[-4:] != met.to_bytes(4, "big"):
                raise ValueError(f"the portion {portion.name} is none that was split off, or one before it is missing")
            self._above[-1][1] += 1
        else:
            self.top, self.last = self.top + 1, int.from_bytes(key, "big")
            self._keys.update(key)
        if (portion.children > 0) != (portion.state == State.SPLIT):
            raise ValueError(f"of the portion {portion.name} it is not clear whether it was made others")
        self._above.append([portion.children, 0])
        self._before = key

    def end(self) -> bytes:
        """Return the digest of the keys on the first level: those that were planned."""
        self._close(0)
        return self.top.to_bytes(8, "big") + self._keys.digest()

    def _close(self, level: int) -> None:
        """Leave the portions from this level on, which must have met all their children."""
        while len(self._above) > level:
            expected, met = self._above.pop()
            if met != expected:
                name = Portion(self._before, 0, ()).name
                raise ValueError(f"behind the portion {name} one is missing that was split off")


def read_portions(table: Iterable[tuple[object, object, object]], job: bytes) -> Iterator[Portion]:
    """Give portions from their rows; ValueError where one is damaged."""
    for key, state, data in table:
        if type(key) is not bytes or type(state) is not int:
            raise ValueError("the key or the state of a portion is not one")
        try:
            yield records.read_portion(key, state, digests.opened(data, "portions", key, state, job=job))
        except ValueError as error:
            raise ValueError(f"the portion {Portion(key, 0, ()).name} cannot be read: {error}") from None


def read_blocks(table: Iterable[tuple[object, object, object, object, object]], job: bytes) -> Iterator[Block]:
    """Give blocks from their rows; ValueError where one is damaged."""
    for key, number, solutions, data, digest in table:
        if type(key) is not bytes or type(number) is not int or type(solutions) is not int or type(data) is not bytes:
            raise ValueError("the key or the number of a block is not one")
        if digests.digest(data, "blocks", key, number, solutions, job=job) != digest:
            raise ValueError(f"a block of solutions of the portion {Portion(key, 0, ()).name} is not as it was written")
        yield Block(key, number, solutions, data)


def verify(connection: sqlite3.Connection, folder: Path, job: bytes, plan: bytes, totals: records.Totals) -> None:
    """Read everything; raise PuzzleError (PZ622) unless it is sound and fits together.

    ``plan`` is what :meth:`Plan.end` returned when the checkpoint was made, ``totals`` the sums that it tells.
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
    for portion in read_portions(connection.execute("SELECT * FROM portions ORDER BY key"), job):
        order.meet(portion)
        found.add(portion)
        kept = number = 0
        while block is not None and block.key == portion.key:
            if block.number != number or blocks.count(block.data) != block.solutions:
                raise ValueError(
                    f"a block of solutions of the portion {portion.name} is missing, or has a wrong number"
                )
            kept, number = kept + block.solutions, number + 1
            found.blocks, found.bytes = found.blocks + 1, found.bytes + len(block.data)
            block = next(stored, None)
        if kept != portion.kept:
            raise ValueError(f"the portion {portion.name} kept {portion.kept} solutions, and {kept} are there")
    if block is not None:
        raise ValueError("there are solutions of a portion that is not there")
    if order.end() != plan:
        raise ValueError("the portions are not those that were planned")
    for name in ("number", "raw", "kept", "nodes", "states", "blocks", "bytes"):
        if getattr(found, name) != getattr(totals, name):
            raise ValueError(f"the sums do not fit ({name}: {getattr(found, name)}, told {getattr(totals, name)})")
    spent = sum(seconds for seconds, _ in read_runs(connection, job))
    if abs(spent - totals.elapsed) > 1e-6 * max(1.0, spent):
        raise ValueError("the seconds of the runs do not fit")


def read_runs(connection: sqlite3.Connection, job: bytes) -> Iterator[tuple[float, str]]:
    """Give seconds and workers of each run; ValueError where one is damaged."""
    for number, data in connection.execute("SELECT number, data FROM runs ORDER BY number"):
        yield read_run(number, data, job)


def read_run(number: int, data: object, job: bytes) -> tuple[float, str]:
    """Return seconds and workers of a run from its row; ValueError where it is damaged."""
    return records.read_run(digests.opened(data, "runs", number, job=job))


def checked(portions: Iterable[Portion], totals: records.Totals) -> Iterator[Portion]:
    """Give portions that a reader asks for, all of them; ValueError where their sums are not those that are told."""
    order, found = Plan(), records.Totals()
    for portion in portions:
        order.meet(portion)
        found.add(portion)
        yield portion
    order.end()
    if (found.number, found.raw, found.kept, found.nodes, found.states) != (
        totals.number, totals.raw, totals.kept, totals.nodes, totals.states,
    ):  # fmt: skip
        raise ValueError("portions are missing")


def with_all_blocks(portions: Iterable[tuple[Portion, int]], found: Iterable[Block]) -> Iterator[Block]:
    """Give blocks, and raise ValueError where a portion's solutions are not all there.

    ``portions`` come with the number of their solutions that must be in the blocks ``found``, both in their order.
    """
    blocks_ = iter(found)
    block = next(blocks_, None)
    for portion, expected in portions:
        while block is not None and block.key == portion.key:
            expected -= block.solutions
            yield block
            block = next(blocks_, None)
        if expected:
            raise ValueError(f"solutions of the portion {portion.name} are missing")
    if block is not None:
        raise ValueError(f"there are solutions of a portion {Portion(block.key, 0, ()).name}, which is not there")
