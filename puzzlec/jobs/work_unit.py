"""The work units of a long search, and the results of a time slice.

A *work unit* is some consecutive subproblems of the search tree (:mod:`puzzlec.engine.search.splitting`), the results
so far, and the position to continue from. Workers have *time slices*: each gets a work unit, searches it for a few
seconds, and returns the results and the new position. A failure loses only the last seconds, and any worker can
continue.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from puzzlec.engine.search.splitting import Path
from puzzlec.engine.search.walking import Position


class UnitState(IntEnum):
    """The state of a work unit: open, searched, or its rest split into other work units."""

    OPEN = 0
    DONE = 1
    SPLIT = 2


#: The results of a time slice that add up, in a work unit and over all of them.
SUMMED = ("nodes", "number", "raw", "kept", "seconds")


@dataclass(frozen=True)
class WorkUnit:
    """Consecutive subproblems of a stage of the search, and their progress.

    - ``key``: the position in the order of the search. Keys are compared as bytes, four for each level of splitting
      (big endian). Work units that are split off from another one follow it, and their keys begin with its key.
    - ``paths``: the subproblems that are left, in the order of the search; ``position``: where to continue the
      first.
    - ``size``: the estimated nodes of the whole work unit; ``spread``: the standard error of that estimate.
    - ``nodes``, ``number`` (solutions), ``seconds`` (of time slices): the results so far; ``kept``: solutions stored.
    - ``raw``: the number of raw solutions.
    - ``children``: the number of work units split off from it; the store counts them.
    """

    key: bytes
    stage: int
    paths: tuple[Path, ...]
    position: Position = ()
    state: UnitState = UnitState.OPEN
    size: float = 0.0
    spread: float = 0.0
    nodes: int = 0
    number: int = 0
    raw: int = 0
    kept: int = 0
    seconds: float = 0.0
    children: int = 0

    @property
    def rest(self) -> float:
        """The estimated nodes that are left. A work unit that turns out larger is half done."""
        return max(self.size - self.nodes, self.nodes / 2)

    @property
    def name(self) -> str:
        """The key for people, such as ``17.3``: the third that was split off from the 17th, numbered from 0."""
        numbers = [int.from_bytes(self.key[at : at + 4], "big") for at in range(0, len(self.key), 4)]
        return ".".join(map(str, numbers))


@dataclass(frozen=True)
class Work:
    """An order for a time slice: search ``unit`` for ``seconds``, or until ``room`` integers are filled.

    ``room`` bounds the result of one time slice (options of the solutions found). ``before`` names the worker of the
    last time slice, which may still have the search in memory; "" for the first time slice. If ``divide`` is above 0,
    the rest is divided into about this many work units at the end of the time slice.
    """

    unit: WorkUnit
    seconds: float
    room: int
    before: str = ""
    divide: int = 0

    @property
    def key(self) -> bytes:
        """The key of the work unit."""
        return self.unit.key


@dataclass(frozen=True)
class SliceOutcome:
    """The result of a time slice: ``unit`` as it is afterwards, with all of its results.

    ``block`` has the solutions of this time slice that are kept (see :mod:`puzzlec.jobs.blocks`); empty for none. If
    the unit was divided, ``parts`` are the new work units with all of the rest. ``worker`` names the worker.
    """

    unit: WorkUnit
    block: bytes
    worker: str = ""
    parts: tuple[WorkUnit, ...] = ()
