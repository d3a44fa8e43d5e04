"""A time slice on a work unit: a few seconds of search, and their results."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from puzzlec.engine.cover_rows import RowsChecker, rows_of
from puzzlec.engine.progress import NodeBudget
from puzzlec.engine.search.splitting import SearchTree
from puzzlec.engine.search.tree_search import MAX_DIVISIBLE_ENTRIES
from puzzlec.engine.search.walking import NoSuchPlaceError, TreeWalk, check_place
from puzzlec.jobs.blocks import pack
from puzzlec.jobs.plan import divided
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.work_unit import SliceOutcome, UnitState, Work, WorkUnit
from puzzlec.solving.orbits import OrbitComparison

#: Searches kept in memory for the next time slice on the same work unit; only one for a large problem.
CACHED_SEARCHES = 4

#: A search that was rebuilt continues for at least this factor times the time of rebuilding: minutes in the largest
#: problems.
MIN_REBUILD_FACTOR = 2

#: Maximum number of integers in covers that are compared and checked together.
BATCH_INTEGERS = 1 << 17


class TimeSlices:
    """The time slices that one process takes; several threads may take them at the same time.

    The result depends only on the work unit and the end of the time slice. ``name`` is the worker's.
    """

    def __init__(self, problem: JobProblem, name: str = "", at_hand: int = CACHED_SEARCHES) -> None:
        self.problem, self.name = problem, name
        self._trees: dict[int, SearchTree] = {}
        self._at_hand: OrderedDict[bytes, TreeWalk] = OrderedDict()
        self._most = at_hand if len(problem.cover.items) <= MAX_DIVISIBLE_ENTRIES else 1
        self._lock = threading.Lock()
        self.stopped = False

    def take(self, work: Work, stopped: Callable[[], bool] | None = None) -> SliceOutcome:
        """Search a work unit for the seconds of the time slice, and return the results and the new position.

        A time slice ends early if the work unit is done, or if its room is filled. It also ends after :meth:`stop`, or
        if ``stopped`` returns true, which is asked about twenty times a second. Each time slice makes at least one
        step, so there is always progress.

        Raises NoSuchPlaceError if the work unit does not belong to the problem.
        """
        begun, unit = time.monotonic(), work.unit
        if not 0 <= unit.stage < len(self.problem.stages):
            raise NoSuchPlaceError(f"there is no stage {unit.stage} of the search")
        walk = self._walk(unit)
        before = walk.nodes
        results = _SliceResults(self, unit.stage)
        pace, spent, end = NodeBudget(2048, len(self.problem.choice.cover.items)), None, begun + work.seconds
        while not walk.finished:
            so_far = walk.nodes
            results.step(walk, pace.next(spent))
            now = time.monotonic()
            if spent is None and not before and work.seconds:
                end = max(end, now + MIN_REBUILD_FACTOR * (now - begun))
            spent = walk.nodes - so_far
            if results.filled >= work.room or now >= end or self.stopped or (stopped and stopped()):
                break
        results.settle(walk)
        paths, position = walk.left()
        unit = replace(
            unit,
            paths=paths,
            position=position,
            state=UnitState.OPEN if paths else UnitState.DONE,
            nodes=unit.nodes + walk.nodes - before,
            number=unit.number + results.number,
            raw=unit.raw + results.raw,
            kept=unit.kept + len(results.kept),
        )
        parts = self._parts(unit, work.divide) if work.divide and paths else []
        if parts:
            unit = replace(unit, paths=(), position=(), state=UnitState.SPLIT)
        elif paths:
            self._keep(unit.key, walk)
        block = pack(results.kept) if results.kept else b""
        unit = replace(unit, seconds=unit.seconds + time.monotonic() - begun)
        return SliceOutcome(unit, block, self.name, tuple(parts))

    def stop(self) -> None:
        """End the time slices at once."""
        self.stopped = True

    def _walk(self, unit: WorkUnit) -> TreeWalk:
        """Return the search of a work unit, perhaps from memory."""
        with self._lock:
            walk = self._at_hand.pop(unit.key, None)
            if unit.stage not in self._trees:
                self._trees[unit.stage] = SearchTree(self.problem.searched(unit.stage))
        if walk is not None and walk.left() == (unit.paths, unit.position):
            return walk
        return TreeWalk(self._trees[unit.stage], unit.paths, unit.position, self.problem.kernel)

    def _parts(self, unit: WorkUnit, number: int) -> list[WorkUnit]:
        """Return the rest of a work unit as about this many; none if it is too small."""
        tree = self._trees[unit.stage]
        for path in unit.paths[1:]:
            check_place(tree, path)
        parts = divided(unit, tree, number)
        return parts if len(parts) > 1 else []

    def _keep(self, key: bytes, walk: TreeWalk) -> None:
        with self._lock:
            self._at_hand[key] = walk
            while len(self._at_hand) > self._most:
                self._at_hand.popitem(last=False)

    @cached_property
    def comparison(self) -> OrbitComparison:
        """The comparison of covers with their orbits."""
        return OrbitComparison(self.problem.choice)

    @cached_property
    def checker(self) -> RowsChecker:
        """The checker of covers: a wrong one is a bug of the search."""
        return RowsChecker(self.problem.cover)


class _SliceResults:
    """The results of a time slice: the number of solutions, and the kept ones."""

    def __init__(self, time_slices: TimeSlices, stage: int) -> None:
        self.time_slices, self.stage = time_slices, time_slices.problem.stages[stage]
        self.number = self.raw = self.filled = 0
        self.kept: list[tuple[int, ...]] = []
        self._waiting: list[tuple[int, ...]] = []  # to compare
        self._listed = time_slices.problem.keep or self.stage.compared

    def step(self, walk: TreeWalk, budget: int) -> None:
        """Search this many nodes."""
        if not self._listed:
            self._count(walk.count(budget))
            return
        self._add(walk.covers(budget))

    def settle(self, walk: TreeWalk) -> None:
        """Take the last covers of the search, and compare those that wait."""
        if self._listed and not walk.finished:
            self._add(walk.settle())
        self._compare()

    def _count(self, number: int) -> None:
        self.raw += number * self.stage.weight
        self.number += number * (self.stage.weight if self.time_slices.problem.raw else 1)

    def _add(self, covers: list[tuple[int, ...]]) -> None:
        options = self.stage.options
        self._waiting += [tuple([options[option] for option in cover]) for cover in covers]
        self.filled += sum(map(len, covers)) + len(covers)
        if sum(map(len, self._waiting)) >= BATCH_INTEGERS:
            self._compare()

    def _compare(self) -> None:
        covers, self._waiting = self._waiting, []
        if not covers:
            return
        if self.stage.compared:
            covers, raw = self.time_slices.comparison.least(covers)
            self.raw += raw
            self.number += raw if self.time_slices.problem.raw and not self.time_slices.problem.keep else len(covers)
        else:
            self._count(len(covers))
        if self.time_slices.problem.keep:
            self.time_slices.checker.check(rows_of(covers, len(self.time_slices.problem.cover)))
            self.kept += covers
