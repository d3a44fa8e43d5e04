"""The plan of a job: its search tree cut into work units of similar size, in an order that is the same everywhere."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush, heapreplace

from puzzlec.engine.search.estimating import DEFAULT_STEPS, SubtreeSizes
from puzzlec.engine.search.splitting import SearchTree, Subproblem, remaining, split
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.work_unit import SliceOutcome, UnitState, Work, WorkUnit

#: Integers that the solutions of one time slice may fill: this bounds memory and the size of a save.
MAX_INTEGERS_IN_SLICE = 1 << 20

#: A work unit that turns out larger than estimated by this factor is divided and estimated again ...
LARGE_UNIT_FACTOR = 4.0

#: ... if it is also larger than this fraction of all nodes searched so far. Dividing therefore ends, however wrong
#: estimates are.
MIN_DIVIDED_FRACTION = 1 / 4096

#: Fewest and most parts of a large work unit, or of one that is divided for idle workers.
MIN_UNIT_PARTS, MAX_UNIT_PARTS = 4, 64

#: Shortest time slice, in seconds. Towards the end of a search, time slices get shorter.
MIN_SLICE_SECONDS = 2.0

#: A smaller work unit is not divided for idle workers before it had a whole time slice.
SMALL_UNIT_NODES = 1 << 20


class UnitSchedule:
    """The open work units of a job: those that are searched now, and the next ones.

    With ``in_order`` they are taken in the order of the search, so that solutions appear soon. Otherwise begun work
    units come first, and the others in a pseudorandom order that is always the same. The finished ones are then a fair
    sample of all (:mod:`puzzlec.jobs.expectation`).
    """

    def __init__(self, units: Iterable[WorkUnit], in_order: bool, nodes: int = 0) -> None:
        self.in_order = in_order
        self._nodes = nodes  # nodes searched so far in all work units, finished ones included
        self._open: dict[bytes, WorkUnit] = {}
        self._waiting: list[tuple[bool, bytes, bytes]] = []
        self._workers: dict[bytes, str] = {}
        self._running: set[bytes] = set()
        self._whole: set[bytes] = set()  # units that could not be divided
        for unit in units:
            self._add(unit)

    def __len__(self) -> int:
        return len(self._open)

    @property
    def running(self) -> int:
        """Number of work units that have their time slice now."""
        return len(self._running)

    @property
    def front(self) -> bytes | None:
        """The key of the first open work unit in the order of the search; None if all are done."""
        return min(self._open, default=None)

    def next(self, seconds: float, slices: int) -> Work | None:
        """Return the next time slice, so that ``slices`` may run in parallel; None if no work unit waits."""
        if not self._waiting:
            return None
        key = heappop(self._waiting)[2]
        unit = self._open[key]
        idle = slices - len(self._running) - 1 - len(self._waiting)
        divide = 0
        if len(self._waiting) < slices:  # towards the end, so that the last work units are soon divided
            seconds = max(MIN_SLICE_SECONDS, seconds / 4) if seconds > MIN_SLICE_SECONDS else seconds
        if (
            idle > 0
            and key not in self._whole
            and (unit.seconds >= seconds or unit.size - unit.nodes > SMALL_UNIT_NODES)
        ):
            divide, seconds = min(2 * idle + 2, MAX_UNIT_PARTS), 0.0
        elif (
            unit.nodes > LARGE_UNIT_FACTOR * unit.size + max(SMALL_UNIT_NODES, MIN_DIVIDED_FRACTION * self._nodes)
            and key not in self._whole
        ):
            divide = MIN_UNIT_PARTS
        self._whole.discard(key)
        self._running.add(key)
        return Work(unit, seconds, MAX_INTEGERS_IN_SLICE, self._workers.pop(key, ""), divide)

    def lost(self, key: bytes) -> None:
        """Record that a time slice has no result: the work unit is unchanged."""
        self._running.discard(key)
        self._wait(self._open[key])

    def met(self, outcome: SliceOutcome, asked: Work) -> None:
        """Record the result of a time slice."""
        unit = outcome.unit
        self._running.discard(unit.key)
        self._nodes += unit.nodes - self._open.pop(unit.key).nodes
        if unit.state is UnitState.OPEN:
            if asked.divide:
                self._whole.add(unit.key)
            self._workers[unit.key] = outcome.worker
            self._add(unit)
        for part in outcome.parts:
            self._add(part)

    def _add(self, unit: WorkUnit) -> None:
        self._open[unit.key] = unit
        self._wait(unit)

    def _wait(self, unit: WorkUnit) -> None:
        order = unit.key if self.in_order else hashlib.blake2b(unit.key, digest_size=8).digest()
        begun = unit.seconds > 0 or bool(unit.position)
        heappush(self._waiting, (not begun and not self.in_order, order, unit.key))


#: A work unit of this many nodes (a second or two of search) is small enough.
UNIT_NODES = 1 << 22

#: Fewest and most planned work units.
MIN_PLANNED_UNITS, MAX_PLANNED_UNITS = 32, 2048

#: Planned work units for each shard. Their sizes are estimates, and sums of many estimates are better. With very many
#: shards, each has at least the second number.
SHARD_UNITS, MIN_SHARD_UNITS = 16, 2

#: A plan does not divide fewer nodes than this: a time slice costs as much as about ten thousand nodes.
MIN_DIVIDED_NODES = 1 << 14

#: One step of estimating is made for this many nodes, up to the second number of steps: about ten seconds.
STEP_NODES, MAX_PLAN_STEPS = 10, 200_000_000

#: Steps of estimating to divide a work unit later: half a second.
DIVISION_STEPS = 10_000_000


def plan(problem: JobProblem, target_units: int | None = None, shards: int = 1) -> list[WorkUnit]:
    """Return the work units of a search in its order: about ``target_units`` (None: a number that suits its size).

    Random probes that depend on the problem alone estimate the sizes. ``shards`` is the number of shards among which
    the work units will be divided.
    """
    trees = [SearchTree(problem.searched(number)) for number in range(len(problem.stages))]
    sizes = [SubtreeSizes(tree) for tree in trees]
    totals = [size((), tree.root, 1) for size, tree in zip(sizes, trees, strict=True)]
    total = math.fsum(totals)
    for size in sizes:
        # Take at most half the time of a short search; more for shards, since these stay fixed.
        size.effort = min(DEFAULT_STEPS + total / STEP_NODES, MAX_PLAN_STEPS, total / 2 if shards == 1 else 5 * total)
    for_shards = max(MIN_SHARD_UNITS * shards, min(SHARD_UNITS * shards, 2 * MAX_PLANNED_UNITS))
    number = max(for_shards if shards > 1 else 0, suitable(total)) if target_units is None else target_units
    least = MIN_DIVIDED_NODES if target_units is None and shards == 1 else 0.0
    parts = _split(trees, sizes, totals, number, least)
    more = suitable(_sum(parts))
    if target_units is None and more > 2 * number:  # the parts show that the estimate of the whole was too low
        parts = _split(trees, sizes, totals, more, least)
        number = more
    large = _sum(parts) / number
    units: list[WorkUnit] = []
    for stage, of_stage in enumerate(parts):
        units += gathered(of_stage, sizes[stage], stage, large, len(units))
    return units


def _split(
    trees: Sequence[SearchTree], sizes: Sequence[SubtreeSizes], totals: Sequence[float], number: int, least: float
) -> list[list[Subproblem]]:
    """Return the subproblems of each stage: twice as many as work units, so that these can be made of similar size."""
    total = math.fsum(totals)
    shares = [nodes / total if 0 < total < math.inf else 1 / len(totals) for nodes in totals]
    return [
        split(tree, max(1, math.ceil(2 * number * share)), size, least)
        for tree, size, share in zip(trees, sizes, shares, strict=True)
    ]


def _sum(parts: Sequence[Sequence[Subproblem]]) -> float:
    return math.fsum(part.size for of_stage in parts for part in of_stage)


def suitable(nodes: float) -> int:
    """Return the number of work units for a search of this many nodes.

    >>> suitable(1000), suitable(1e9), suitable(1e15)
    (32, 239, 2048)
    """
    return int(min(max(MIN_PLANNED_UNITS, math.ceil(min(nodes, 1e18) / UNIT_NODES)), MAX_PLANNED_UNITS))


def gathered(
    parts: Sequence[Subproblem], size: SubtreeSizes, stage: int, large: float, first: int, above: bytes = b""
) -> list[WorkUnit]:
    """Return subproblems as work units: neighbours are joined up to ``large`` nodes.

    ``above`` begins the keys of all these work units; ``first`` is the number of the first one.
    """
    runs: list[list[Subproblem]] = []
    room = 0.0
    for part in parts:
        if not runs or part.size > room:
            runs.append([])
            room = large
        runs[-1].append(part)
        room -= part.size
    return [
        WorkUnit(
            above + number.to_bytes(4, "big"), stage, tuple(part.path for part in run),
            size=math.fsum(part.size for part in run),
            spread=math.hypot(*(size.known.get(part.path, (0.0, 0.0))[1] for part in run)),
            nodes=sum(part.visited for part in run),
        )
        for number, run in enumerate(runs, first)
    ]  # fmt: skip


def divided(unit: WorkUnit, tree: SearchTree, number: int) -> list[WorkUnit]:
    """Return the rest of a work unit as about ``number`` work units of similar size; fewer if it is small.

    If the result has fewer than two work units, nothing is left to divide.
    """
    size = SubtreeSizes(tree, DIVISION_STEPS, unit.rest)
    first = Subproblem(unit.paths[0], 1.0, 0)
    parts = remaining(tree, first, unit.position) if unit.position else [first]
    parts += [Subproblem(path, 1.0, 0) for path in unit.paths[1:]]
    parts = split(tree, max(2 * number, len(parts) + 1), size, MIN_DIVIDED_NODES, parts)
    large = math.fsum(part.size for part in parts) / number
    return gathered(parts, size, unit.stage, large, 0, unit.key)


def digest(units: Iterable[WorkUnit]) -> str:
    """Return the sha256 of the planned work units: 64 hexadecimal digits. Estimates do not count."""
    sha256 = hashlib.sha256()
    for unit in units:
        sha256.update(json.dumps([unit.key.hex(), unit.stage, unit.paths], separators=(",", ":")).encode())
    return sha256.hexdigest()


def shard_of(units: Sequence[WorkUnit], number: int, shards: int) -> list[WorkUnit]:
    """Return the work units of a shard (from 1): the largest are dealt first, so that all shards have similar sizes.

    Longest processing time first, each to the shard with the least (R. L. Graham, SIAM Journal on Applied Mathematics
    17, 1969).
    """
    sums = [(0.0, shard) for shard in range(shards)]  # a heap
    mine = []
    for unit in sorted(units, key=lambda unit: (-unit.size, unit.key)):
        least, shard = sums[0]
        heapreplace(sums, (least + unit.size + 1, shard))
        if shard == number - 1:
            mine.append(unit)
    return sorted(mine, key=lambda unit: unit.key)
