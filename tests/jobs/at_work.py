"""Work units of puzzles, and searches by any workers, for the tests of workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from puzzlec.jobs.plan import plan
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import SliceOutcome, Work, WorkUnit
from puzzlec.jobs.workers import Returned, Workers
from puzzlec.lower import symmetry
from puzzlec.pipeline import PuzzleOrName, compile, parse

#: Seconds that a test may wait. After that it has failed.
LONG = 60.0

#: The result of a work unit: nodes, solutions, raw ones, and the blocks of stored ones, in order.
Found = dict[bytes, tuple[int, int, int, int]]


def problem_of(what: PuzzleOrName, task: str = "solutions") -> JobProblem:
    encoding = compile(what)
    return JobProblem.of(encoding, symmetry(encoding, "all"), task, raw=False)


def work_of(unit: WorkUnit, seconds: float = 0.0, before: str = "") -> Work:
    return Work(unit.key, unit.stage, unit.paths, unit.position, seconds, 1 << 20, before)


def endless() -> tuple[JobProblem, Work]:
    """Return a search that takes minutes, in one time slice. The counts of known cubes end after seconds."""
    large = parse('puzzle "Y pentominoes"\nlocations box 15x15\npiece Y x45 {\n  x...\n  xxxx\n}\n')
    problem = problem_of(large, "count")
    unit = plan(problem, 1)[0]
    return problem, replace(work_of(unit), seconds=1000.0)


class Ledger:
    """The results and the rest of each work unit."""

    def __init__(self, units: Sequence[WorkUnit]) -> None:
        self.left = {unit.key: unit for unit in units}
        self.found: Found = {unit.key: (0, 0, 0, 0) for unit in units}

    def note(self, outcome: SliceOutcome) -> WorkUnit | None:
        """Add the result of a time slice; return the rest of the work unit, None if it is done."""
        nodes, number, raw, kept = self.found[outcome.key]
        self.found[outcome.key] = (
            nodes + outcome.nodes, number + outcome.number, raw + outcome.raw, kept + outcome.kept,
        )  # fmt: skip
        unit = self.left.pop(outcome.key)
        if not outcome.paths:
            return None
        self.left[outcome.key] = replace(unit, paths=outcome.paths, position=outcome.position)
        return self.left[outcome.key]


def alone(problem: JobProblem, units: Sequence[WorkUnit]) -> Found:
    """Return the results without any workers."""
    time_slices, ledger = TimeSlices(problem), Ledger(units)
    for unit in units:
        left: WorkUnit | None = unit
        while left is not None:
            left = ledger.note(time_slices.take(work_of(left, 10.0)))
    return ledger.found


def together(
    workers: Workers,
    units: Sequence[WorkUnit],
    seconds: float = 0.0,
    meanwhile: Callable[[int], None] | None = None,
) -> Found:
    """Return the results of workers; call ``meanwhile`` with the number of time slices after each one."""
    ledger = Ledger(units)
    waiting = [work_of(unit, seconds) for unit in units]
    running: dict[bytes, Work] = {}
    time_slices = 0
    until = time.monotonic() + LONG
    while waiting or running:
        while waiting and len(running) < workers.wanted():
            work = waiting.pop(0)
            running[work.key] = work
            workers.submit(work)
        for returned in workers.collect(0.5):
            work = running.pop(returned.key)
            if returned.fault is not None:
                raise returned.fault
            if returned.outcome is None:
                waiting.append(work)
                continue
            left = ledger.note(returned.outcome)
            if left is not None:
                waiting.insert(0, work_of(left, seconds, returned.outcome.worker))
            time_slices += 1
            if meanwhile is not None:
                meanwhile(time_slices)
        assert time.monotonic() < until, "the workers do not come to an end"
    return ledger.found


def over(workers: Workers, number: int) -> list[Returned]:
    """Return this many ended time slices; there can be no more."""
    until = time.monotonic() + LONG
    found: list[Returned] = []
    while len(found) < number:
        assert time.monotonic() < until, "the turns do not come to an end"
        found += workers.collect(0.5)
    assert len(found) == number
    return found


def next_of(workers: Workers) -> Returned:
    """Return the only ended time slice."""
    return over(workers, 1)[0]


def soon(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    until = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < until, "the condition did not become true"
        time.sleep(0.02)
