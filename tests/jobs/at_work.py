"""Work units of puzzles, and searches by any workers, for the tests of workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from puzzlec.compiler import PuzzleOrName, compile, parse
from puzzlec.jobs.plan import plan
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import UnitState, Work, WorkUnit
from puzzlec.jobs.workers import Returned, Workers
from puzzlec.lower import symmetry

#: Seconds that a test may wait. After that it has failed.
LONG = 60.0

#: The result of a work unit: nodes, solutions, raw ones, and the blocks of stored ones, in order.
Found = dict[bytes, tuple[int, int, int, int]]


def problem_of(what: PuzzleOrName, task: str = "solutions") -> JobProblem:
    encoding = compile(what)
    return JobProblem.of(encoding, symmetry(encoding, "all"), task, raw=False)


def work_of(unit: WorkUnit, seconds: float = 0.0, before: str = "") -> Work:
    return Work(unit, seconds, 1 << 20, before)


def named(work: Work, key: bytes) -> Work:
    """Return the same time slice on a work unit with another key."""
    return replace(work, unit=replace(work.unit, key=key))


def endless() -> tuple[JobProblem, Work]:
    """Return a search that takes minutes, in one time slice. The counts of known cubes end after seconds."""
    large = parse('puzzle "Y pentominoes"\nlocations box 15x15\npiece Y x45 {\n  x...\n  xxxx\n}\n')
    problem = problem_of(large, "count")
    unit = plan(problem, 1)[0]
    return problem, replace(work_of(unit), seconds=1000.0)


def results(unit: WorkUnit) -> tuple[int, int, int, int]:
    """Return the results of a work unit so far."""
    return unit.nodes, unit.number, unit.raw, unit.kept


def alone(problem: JobProblem, units: Sequence[WorkUnit]) -> Found:
    """Return the results without any workers."""
    time_slices, found = TimeSlices(problem), dict[bytes, tuple[int, int, int, int]]()
    for unit in units:
        left = unit
        while left.state is UnitState.OPEN:
            left = time_slices.take(work_of(left, 10.0)).unit
        found[unit.key] = results(left)
    return found


def together(
    workers: Workers,
    units: Sequence[WorkUnit],
    seconds: float = 0.0,
    meanwhile: Callable[[int], None] | None = None,
) -> Found:
    """Return the results of workers; call ``meanwhile`` with the number of time slices after each one."""
    found: Found = {}
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
            left = returned.outcome.unit
            found[left.key] = results(left)
            if left.state is UnitState.OPEN:
                waiting.insert(0, work_of(left, seconds, returned.outcome.worker))
            time_slices += 1
            if meanwhile is not None:
                meanwhile(time_slices)
        assert time.monotonic() < until, "the workers do not come to an end"
    return found


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
