"""A turn on a portion: some seconds of search, and what was met in them."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from puzzlec.engine.cover_rows import RowsChecker, rows_of
from puzzlec.engine.search.node_budget import NodeBudget
from puzzlec.engine.search.splitting import Path, Tree
from puzzlec.engine.search.tree_search import DIVISIBLE
from puzzlec.engine.search.walking import NoSuchPlaceError, Position, Walk, check_place
from puzzlec.jobs.blocks import pack
from puzzlec.jobs.comparing import Comparison
from puzzlec.jobs.plan import divided
from puzzlec.jobs.portion import Outcome, Portion, Work
from puzzlec.jobs.problem import Problem

#: So many searches that were left are kept at hand, for the next turn on the same portion; one of a large problem.
AT_HAND = 4

#: A search that is begun anew goes on at least so many times as long as that took: minutes in the largest problems.
WORTH = 2

#: Covers that fill so many integers are compared and checked at a time.
BATCH = 1 << 17


class Turns:
    """Those turns that one process takes on the portions of a problem; several threads may take turns at a time.

    What is found depends on the portion and on where the turn ends, and on nothing else. ``name`` is the worker's.
    """

    def __init__(self, problem: Problem, name: str = "", at_hand: int = AT_HAND) -> None:
        self.problem, self.name = problem, name
        self._trees: dict[int, Tree] = {}
        self._at_hand: OrderedDict[bytes, Walk] = OrderedDict()
        self._most = at_hand if len(problem.cover.items) <= DIVISIBLE else 1
        self._lock = threading.Lock()
        self._comparison: Comparison | None = None
        self._checker: RowsChecker | None = None

    def take(self, work: Work, stopped: Callable[[], bool] | None = None) -> Outcome:
        """Search a portion for the seconds of the turn, and return what was met and where the search stands.

        A turn ends early where the portion is done, where its room is filled, or when ``stopped`` says so: it is asked
        about twenty times a second. At least one step is made in any case, so that there is an end to all turns.

        Raises NoSuchPlaceError where the portion is none of the problem's.
        """
        begun = time.monotonic()
        if not 0 <= work.stage < len(self.problem.stages):
            raise NoSuchPlaceError(f"there is no stage {work.stage} of the search")
        walk = self._walk(work)
        before = walk.nodes
        met = _Met(self, work.stage)
        pace, spent, end = NodeBudget(2048), None, begun + work.seconds
        while not walk.finished:
            so_far = walk.nodes
            met.step(walk, pace.next(spent))
            now = time.monotonic()
            if spent is None and not before and work.seconds:
                end = max(end, now + WORTH * (now - begun))
            spent = walk.nodes - so_far
            if met.filled >= work.room or now >= end or (stopped and stopped()):
                break
        met.settle(walk)
        paths, position = walk.left()
        parts: list[Portion] = []
        if work.divide and paths:
            for path in paths[1:]:
                check_place(self._trees[work.stage], path)
            rest = Portion(work.key, work.stage, paths, position, size=work.size)
            parts = divided(rest, self._trees[work.stage], work.divide)
        if len(parts) > 1:
            paths, position = (), ()
        elif paths:
            parts = []
            self._keep(work.key, walk)
        return Outcome(
            work.key, paths, position, walk.nodes - before, met.number, met.raw, len(met.kept),
            pack(met.kept) if met.kept else b"", time.monotonic() - begun, self.name, tuple(parts),
        )  # fmt: skip

    def _walk(self, work: Work) -> Walk:
        """Return the search of a portion, which may be at hand from the turn before."""
        with self._lock:
            known = self._at_hand.pop(work.key, None)
        if known is not None and known.left() == (work.paths, work.position):
            return known
        return self._fresh(work.stage, work.paths, work.position)

    def _fresh(self, stage: int, paths: tuple[Path, ...], position: Position) -> Walk:
        with self._lock:
            if stage not in self._trees:
                self._trees[stage] = Tree(self.problem.searched(stage))
        return Walk(self._trees[stage], paths, position, self.problem.kernel)

    def _keep(self, key: bytes, walk: Walk) -> None:
        with self._lock:
            self._at_hand[key] = walk
            while len(self._at_hand) > self._most:
                self._at_hand.popitem(last=False)

    def least(self, covers: list[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], int]:
        """Return the covers that are the least of their orbits, and how many raw ones they stand for."""
        with self._lock:
            self._comparison = self._comparison or Comparison(self.problem.choice)
        return self._comparison.least(covers)

    def check(self, covers: list[tuple[int, ...]]) -> None:
        """Raise WrongCoverError where one is none: a fault of the search."""
        with self._lock:
            self._checker = self._checker or RowsChecker(self.problem.cover)
        self._checker.check(rows_of(covers, len(self.problem.cover)))


class _Met:
    """What a turn has met: the number of solutions, and those that are kept."""

    def __init__(self, turns: Turns, stage: int) -> None:
        self.turns, self.stage = turns, turns.problem.stages[stage]
        self.number = self.raw = self.filled = 0
        self.kept: list[tuple[int, ...]] = []
        self._waiting: list[tuple[int, ...]] = []  # to be compared
        self._listed = turns.problem.keep or self.stage.compared

    def step(self, walk: Walk, budget: int) -> None:
        """Search for so many nodes."""
        if not self._listed:
            self._count(walk.count(budget))
            return
        self._add(walk.covers(budget))

    def settle(self, walk: Walk) -> None:
        """Take what the search still has to give, and compare what waits."""
        if self._listed and not walk.finished:
            self._add(walk.settle())
        self._compare()

    def _count(self, number: int) -> None:
        self.raw += number * self.stage.each
        self.number += number * (self.stage.each if self.turns.problem.raw else 1)

    def _add(self, covers: list[tuple[int, ...]]) -> None:
        options = self.stage.options
        self._waiting += [tuple([options[each] for each in cover]) for cover in covers]
        self.filled += sum(map(len, covers)) + len(covers)
        if sum(map(len, self._waiting)) >= BATCH:
            self._compare()

    def _compare(self) -> None:
        covers, self._waiting = self._waiting, []
        if not covers:
            return
        if self.stage.compared:
            covers, raw = self.turns.least(covers)
            self.raw += raw
            self.number += raw if self.turns.problem.raw and not self.turns.problem.keep else len(covers)
        else:
            self._count(len(covers))
        if self.turns.problem.keep:
            self.turns.check(covers)
            self.kept += covers
