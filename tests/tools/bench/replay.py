"""A simulation of a job on many workers: the real schedule and the real division of work, on a measured tree.

Nothing is searched here. A unit of a measured tree (:mod:`tests.tools.bench.shapes`) represents enough seconds of
search for days of one core in all. So the simulation is about a larger puzzle of the same shape. Real parts are the
tree's branches and their sizes, the errors of the estimates, and the code that plans, hands out and divides
(:mod:`puzzlec.jobs.plan`). Simulated parts are the clock, the workers, their searches, and a coordinator. It needs some
milliseconds for each time slice, and does one thing after the other.

A unit that has begun is not divided, although a larger puzzle would also have branches there.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

from puzzlec.engine.search.estimating import SubtreeSizes
from puzzlec.engine.search.splitting import Path, Subproblem, TreeNode, split
from puzzlec.jobs.plan import DIVISION_STEPS, MAX_PLAN_STEPS, MIN_DIVIDED_NODES, UnitSchedule, gathered, suitable
from puzzlec.jobs.work_unit import SliceOutcome, UnitState, Work, WorkUnit
from tests.tools.bench.shapes import MeasuredTree

#: Nodes that a worker searches in a second: the kernels search some millions on one core.
RATE = 5e6

#: Steps of an estimate, and steps a second (see :mod:`puzzlec.engine.search.estimating`): 5 ms, as measured on 3x4x5.
STEPS, PACE = 100_000, 20e6


@dataclass(frozen=True)
class Setting:
    """The settings of a simulation; times are in seconds.

    ``days`` of one core is the whole search. Time slices take ``time_slice``, or longer if more than
    ``slices_a_second`` would end. The coordinator needs ``service`` to hand out a time slice, and the same time to take
    its result. A message takes ``latency``. Workers come at random in the first ``joining``; each is lost after
    ``lasting`` hours on average. The loss is noticed after ``noticed``, and the worker is replaced after ``replaced``.
    ``ahead`` is the number of additional time slices for each worker. ``units`` is the number of planned work units
    (None: the plan decides), ``by`` their estimates, or equal shares of the branches. ``divides``: the schedule divides
    work units; otherwise each is searched to its end, in slices of ``time_slice`` seconds for any number of workers.
    """

    workers: int
    days: float = 20.0
    time_slice: float = 2.0
    slices_a_second: float = 25.0
    service: float = 0.0025
    latency: float = 0.003
    joining: float = 60.0
    lasting: float = 10.0
    noticed: float = 5.0
    replaced: float = 60.0
    ahead: float = 0.25
    units: int | None = None
    by: str = "estimate"
    divides: bool = True
    seed: int = 0

    @property
    def slice_seconds(self) -> float:
        """The length of time slices with this many workers."""
        return max(self.time_slice, self.workers / self.slices_a_second)


@dataclass
class Replayed:
    """The results of a simulation; times are in seconds from the arrival of the first worker.

    ``work`` is the whole search on one core. ``worked`` has the intervals in which a worker searched without loss, and
    ``there`` those in which workers were present. ``planned`` is the number of planned work units, ``planning`` the
    time for that, and ``units`` their number at the end. ``time_slices`` counts time slices with a result, and ``lost``
    those without a result. ``busy`` is the time of the coordinator.
    """

    setting: Setting
    work: float
    unit: float
    planned: int = 0
    planning: float = 0.0
    units: int = 0
    time_slices: int = 0
    lost: int = 0
    busy: float = 0.0
    end: float = 0.0
    worked: list[tuple[float, float]] = field(default_factory=list)
    there: list[tuple[float, float]] = field(default_factory=list)

    @property
    def speed_up(self) -> float:
        """The speed as a multiple of one worker that only searches."""
        return self.work / self.end

    @property
    def utilisation(self) -> float:
        """The share of the workers' time in which they searched without loss."""
        return self.work / sum(end - begin for begin, end in self.there)

    @property
    def tail(self) -> float:
        """The seconds at the end in which fewer than nine of ten workers worked."""
        changes = sorted([(begin, 1) for begin, _ in self.worked] + [(end, -1) for _, end in self.worked])
        busy, last = 0, 0.0
        for moment, change in changes:
            before = busy
            busy += change
            # A worker between two time slices counts as present.
            if before >= 0.9 * self.setting.workers > busy:
                last = moment
        return self.end - last

    def curve(self, width: float) -> list[float]:
        """Return the share of the workers that worked, averaged over intervals of this many seconds."""
        filled = [0.0] * (int(self.end / width) + 1)
        for begin, end in self.worked:
            for step in range(int(begin / width), min(int(end / width), len(filled) - 1) + 1):
                filled[step] += max(0.0, min(end, (step + 1) * width) - max(begin, step * width))
        return [busy / (width * self.setting.workers) for busy in filled]


class Guesses(SubtreeSizes):
    """Estimates like those of random probes: true sizes of measured parts, with measured errors of estimates."""

    def __init__(
        self, tree: MeasuredTree, nodes: float, by: str = "estimate", effort: float = math.inf, whole: float = 0.0
    ) -> None:
        super().__init__(tree, effort, whole)
        self.measured, self.nodes, self.by = tree, nodes, by

    def _estimate(self, path: Path, node: TreeNode) -> tuple[float, float]:
        self.effort -= STEPS
        begin, end = self.measured.span(path)
        number = self.measured.number(path)
        if self.by == "shares":
            above = path[-1][0] if path else 0
            share = self.measured.shares[number] if number >= 0 else self.measured.shares[above] / 1000
            return self.nodes * self.measured.units * share, 0.0
        ratios = self.measured.shape.ratios or (1.0,)
        off = ratios[random.Random(number).randrange(len(ratios))] if number > 0 else 1.0
        return self.nodes * (end - begin) * off, self.nodes * (end - begin)


class _Worker:
    """A worker with time slices: ``life`` counts its replacements, ``work`` is its time slice."""

    __slots__ = ("came", "here", "life", "lost_at", "work")

    def __init__(self) -> None:
        self.life = 0
        self.work: Work | None = None
        self.here = False
        self.came = self.lost_at = 0.0


@dataclass(frozen=True)
class _Brought:
    """The result of a time slice: the position in the work unit ``after`` it (in units), and the parts into which it
    was divided.
    """

    work: Work
    after: float
    seconds: float
    parts: tuple[WorkUnit, ...]


class Replay:
    """One simulation; :meth:`run` makes it."""

    def __init__(self, tree: MeasuredTree, setting: Setting) -> None:
        self.tree, self.setting = tree, setting
        work = setting.days * 86400
        self.unit = work / tree.units  # seconds
        self.told = Replayed(setting, work, self.unit)
        self._chance = random.Random(setting.seed)
        self._events: list[tuple[float, int, Callable[..., None], tuple[object, ...]]] = []
        self._number = 0
        self._free = 0.0  # when the coordinator has finished its work
        self._cursor: dict[bytes, float] = {}  # the position of the search in a work unit, in units
        self._ends: dict[bytes, float] = {}
        self._given: deque[Work] = deque()  # time slices that wait for a worker
        self._idle: deque[_Worker] = deque()
        self._workers = [_Worker() for _ in range(setting.workers)]
        self._present = 0
        self._schedule = UnitSchedule(self._planned(), in_order=False)

    def run(self) -> Replayed:
        """Simulate until the whole tree is searched."""
        for number, worker in enumerate(self._workers):
            self._later(self._chance.uniform(0, self.setting.joining) if number else 0.0, self._comes, worker)
        while len(self._schedule):
            now, _, what, values = heappop(self._events)
            what(now, *values)
        end = self.told.end
        there = [*self.told.there, *((worker.came, end) for worker in self._workers if worker.here)]
        self.told.there = [(begin, min(gone, end)) for begin, gone in there if begin < end]
        return self.told

    # Division into work units

    def _guesses(self, effort: float, whole: float = 0.0) -> Guesses:
        return Guesses(self.tree, self.unit * RATE, self.setting.by, effort, whole)

    def _planned(self) -> list[WorkUnit]:
        """Return the work units of the plan that :func:`puzzlec.jobs.plan.plan` makes for a search of one stage."""
        size = self._guesses(MAX_PLAN_STEPS)
        total = size((), self.tree.root, 1)
        wanted = self.setting.units
        number = wanted or suitable(total)
        parts = split(self.tree, 2 * number, size, MIN_DIVIDED_NODES if wanted is None else 0.0)
        units = gathered(parts, size, 0, total / number, 0)
        self._settle(units, 0.0)
        self.told.planned, self.told.planning = len(units), (MAX_PLAN_STEPS - size.effort) / PACE
        return units

    def _divided(self, work: Work, cursor: float) -> tuple[list[WorkUnit], float]:
        """Return the remaining work as work units (see :func:`puzzlec.jobs.plan.divided`), and the time for this."""
        size = self._guesses(DIVISION_STEPS, (self._ends[work.key] - cursor) * self.unit * RATE)
        ways = [left for way in work.unit.paths for left in self.tree.rest(way, int(cursor))]
        parts = [Subproblem(way, 1.0, 0) for way in ways]
        parts = split(self.tree, max(2 * work.divide, len(parts) + 1), size, MIN_DIVIDED_NODES, parts)
        large = math.fsum(part.size for part in parts) / work.divide
        return gathered(parts, size, 0, large, 0, work.key), (DIVISION_STEPS - size.effort) / PACE

    def _settle(self, units: Sequence[WorkUnit], cursor: float) -> None:
        """Note where work units begin and end."""
        for unit in units:
            begin, end = self.tree.span(unit.paths[0])[0], self.tree.span(unit.paths[-1])[1]
            # Work that was too small to measure may precede the cursor: there is nothing to do.
            begun = max(float(begin), cursor)
            self._cursor[unit.key], self._ends[unit.key] = begun, max(end, begun)
        self.told.units += len(units)

    # Events

    def _later(self, moment: float, what: Callable[..., None], *values: object) -> None:
        self._number += 1
        heappush(self._events, (moment, self._number, what, values))

    def _comes(self, now: float, worker: _Worker) -> None:
        worker.came, worker.here = now, True
        worker.lost_at = now + self._chance.expovariate(1 / (3600 * self.setting.lasting))
        self._present += 1
        self._idle.append(worker)
        self._later(worker.lost_at, self._goes, worker)
        self._hand_out(now)
        self._assign(now)

    def _goes(self, now: float, worker: _Worker) -> None:
        """A worker is lost together with its time slice, and another worker joins later."""
        self.told.there.append((worker.came, now))
        worker.here = False
        worker.life += 1
        self._present -= 1
        if worker.work is not None:
            self.told.lost += 1
            self._later(now + self.setting.noticed, self._missed, worker.work)
            worker.work = None
        else:
            self._idle.remove(worker)
        self._later(now + self.setting.replaced, self._comes, worker)

    def _assign(self, now: float) -> None:
        """Idle workers take the waiting time slices."""
        while self._given and self._idle:
            self._begin(now, self._idle.popleft(), self._given.popleft())

    def _begin(self, now: float, worker: _Worker, work: Work) -> None:
        """A worker begins a time slice: its end is known, unless the worker is lost before."""
        worker.work = work
        cursor = self._cursor[work.key]
        begun = now + self.setting.latency
        left = (self._ends[work.key] - cursor) * self.unit
        seconds = min(left, work.seconds if self.setting.divides else self.setting.time_slice)
        done = seconds >= left
        after = float(self._ends[work.key]) if done else cursor + seconds / self.unit
        divide = work.divide and self.setting.divides and not done
        parts, more = self._divided(work, after) if divide else ([], 0.0)
        brought = _Brought(work, after, seconds, tuple(parts) if len(parts) > 1 else ())
        self._later(begun + seconds + more, self._finish, worker, worker.life, begun, brought)

    def _finish(self, now: float, worker: _Worker, life: int, begun: float, brought: _Brought) -> None:
        """A time slice ends, without a result if the worker was lost."""
        if worker.life != life:
            return
        worker.work = None
        self.told.time_slices += 1
        self.told.worked.append((begun, begun + brought.seconds))
        self.told.end = now
        self._idle.append(worker)
        self._later(now + self.setting.latency, self._arrive, brought)
        self._assign(now + self.setting.latency)

    def _arrive(self, now: float, brought: _Brought) -> None:
        self._later(self._serve(now), self._take, brought)

    def _take(self, now: float, brought: _Brought) -> None:
        """The coordinator takes the result of a time slice."""
        key = brought.work.key
        self._cursor[key] = brought.after
        self._settle(brought.parts, brought.after)
        before = brought.work.unit
        done = brought.after >= self._ends[key]
        unit = replace(
            before,
            paths=() if brought.parts or done else before.paths,
            position=((1, 2),),
            state=UnitState.SPLIT if brought.parts else UnitState.DONE if done else UnitState.OPEN,
            nodes=before.nodes + int(brought.seconds * RATE),
            seconds=before.seconds + brought.seconds,
        )
        self._schedule.met(SliceOutcome(unit, b"", "", brought.parts), brought.work)
        self._hand_out(now)

    def _missed(self, now: float, work: Work) -> None:
        """The coordinator notices that a time slice is lost."""
        self._schedule.lost(work.key)
        self._hand_out(now)

    def _hand_out(self, now: float) -> None:
        """The coordinator hands out time slices, as :meth:`puzzlec.jobs.job.Job.run` does."""
        wanted = self._present + round(self._present * self.setting.ahead)
        seconds = self.setting.slice_seconds
        while self._schedule.running < wanted and (work := self._schedule.next(seconds, wanted)) is not None:
            self._later(self._serve(now) + self.setting.latency, self._give, work)

    def _give(self, now: float, work: Work) -> None:
        self._given.append(work)
        self._assign(now)

    def _serve(self, now: float) -> float:
        """Let the coordinator do one more thing after all others; return the time of its end."""
        self._free = max(self._free, now) + self.setting.service
        self.told.busy += self.setting.service
        return self._free
