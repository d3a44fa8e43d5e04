"""The cost of a job beside a plain search, and the gain of more workers.

    python -m tests.tools.bench.jobs [PUZZLE ...] [--runs N] [--cluster] [--turns N]

Each puzzle is searched for all its raw solutions: plainly with one thread and with two, and as a job in a temporary
folder. The job runs with one thread, two threads, two processes and (``--cluster``) two Dask workers. All take turns,
after one round that is not counted. The output has medians of the wall time and of the ratios of the rounds, and the
size of a million solutions in the checkpoint. Then it has the cost of a time slice beside its search, from many short
ones.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from puzzlec import Solutions
from puzzlec.compiler import compile
from puzzlec.jobs.job import Job
from puzzlec.jobs.plan import MAX_INTEGERS_IN_SLICE, plan
from puzzlec.jobs.problem import JobProblem
from puzzlec.jobs.time_slices import TimeSlices
from puzzlec.jobs.work_unit import Work, WorkUnit
from puzzlec.lower import symmetry

PUZZLES = ("solid-pentominoes/3x4x5",)

#: Seconds of time slices so short that their overhead is visible.
SHORT = 0.001


@dataclass(frozen=True)
class Run:
    """One way to search once: seconds on the clock, solutions, and the bytes that the checkpoint keeps of them."""

    seconds: float
    number: int
    stored: int = 0


def plainly(puzzle: str, threads: int) -> Run:
    """Search without a checkpoint; visit the solutions and keep none."""
    begun = time.perf_counter()
    number = sum(1 for _ in Solutions(puzzle, symmetry="none", threads=threads))
    return Run(time.perf_counter() - begun, number)


def as_job(puzzle: str, threads: int = 1, processes: int = 0, cluster: str | None = None) -> Run:
    """Search with a checkpoint; the time includes planning and the start of the workers."""
    with tempfile.TemporaryDirectory(prefix="puzzlec-bench-") as folder:
        begun = time.perf_counter()
        with Job.begin(Path(folder) / "job", puzzle, symmetry="none") as job:
            job.run(threads=threads, processes=processes, cluster=cluster)
            seconds = time.perf_counter() - begun
            return Run(seconds, job.number, job.store.totals().bytes)


def ways(cluster: bool) -> dict[str, Callable[[str], Run]]:
    """Return the ways to search by their names; the others are compared with the first."""
    found: dict[str, Callable[[str], Run]] = {
        "plain, 1 thread": lambda puzzle: plainly(puzzle, 1),
        "plain, 2 threads": lambda puzzle: plainly(puzzle, 2),
        "job, 1 thread": lambda puzzle: as_job(puzzle),
        "job, 2 threads": lambda puzzle: as_job(puzzle, threads=2),
        "job, 2 processes": lambda puzzle: as_job(puzzle, processes=2),
    }
    if cluster:
        found["job, 2 Dask workers"] = lambda puzzle: as_job(puzzle, cluster="local")
    return found


def compared(puzzle: str, runs: int, cluster: bool = False) -> list[str]:
    """Return the lines of the table of a puzzle: all ways in turn; their counts must agree."""
    tried = ways(cluster)
    rounds = [{name: way(puzzle) for name, way in tried.items()} for _ in range(runs + 1)][1:]
    numbers = {run.number for round_ in rounds for run in round_.values()}
    if len(numbers) != 1:
        raise AssertionError(f"the numbers of solutions of {puzzle} differ: {sorted(numbers)}")
    first, lines = next(iter(tried)), []
    for name in tried:
        seconds = median(round_[name].seconds for round_ in rounds)
        plain = median(round_[first].seconds / round_[name].seconds for round_ in rounds)
        single = median(round_["job, 1 thread"].seconds / round_[name].seconds for round_ in rounds)
        stored = median(round_[name].stored for round_ in rounds)
        number = rounds[0][name].number
        job = name.startswith("job")
        kept = f"{stored / max(number, 1):.1f}" if job else "-"
        lines.append(f"| {puzzle} ({number:,}) | {name} | {seconds:.2f} | {plain:.2f} | {single:.2f} | {kept} |")
    return lines


def turn_costs(puzzle: str, time_slices: int) -> tuple[float, float, float]:
    """Return the overhead of many short time slices, in milliseconds.

    These are: a time slice of the worker that had the work unit before; one of another worker; and a new work
    unit.
    """
    encoding = compile(puzzle)
    problem = JobProblem.of(encoding, symmetry(encoding, "none"), "count", True)
    units = plan(problem, 64)
    warm: list[float] = []
    cold: list[float] = []
    fresh: list[float] = []
    taker = TimeSlices(problem)
    taker.take(_work(units[0], 0.2))  # compiles the kernels, and loads them
    for unit in units:
        fresh.append(_beside(taker, _work(unit, SHORT))[0])
        if len(warm) + len(cold) >= 2 * time_slices:
            break
        work: Work | None = _work(unit, SHORT)
        for number in range(time_slices // 4):
            taker = TimeSlices(problem) if number % 2 else taker
            if number % 2:
                taker.take(_work(units[-1], 0.0))  # reads the problem, as a worker does once
            assert work is not None
            seconds, work = _beside(taker, work)
            if number:
                (cold if number % 2 else warm).append(seconds)
            if work is None:
                break
    return 1000 * median(warm or [0.0]), 1000 * median(cold or [0.0]), 1000 * median(fresh)


def _work(unit: WorkUnit, seconds: float) -> Work:
    return Work(unit, seconds, MAX_INTEGERS_IN_SLICE)


def _beside(taker: TimeSlices, work: Work) -> tuple[float, Work | None]:
    """Take a time slice; return its seconds beyond its length, and the next time slice if work is left."""
    begun = time.perf_counter()
    outcome = taker.take(work)
    beyond = max(0.0, time.perf_counter() - begun - work.seconds)
    if not outcome.unit.paths:
        return beyond, None
    return beyond, Work(outcome.unit, work.seconds, work.room)


def main(words: Sequence[str]) -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.bench.jobs")
    parser.add_argument("puzzles", nargs="*", default=list(PUZZLES))
    parser.add_argument("--runs", type=int, default=3, help="of how many rounds the median is taken")
    parser.add_argument("--cluster", action="store_true", help="two Dask workers, too (needs puzzlec[cluster])")
    parser.add_argument("--turns", type=int, default=200, help="how many short turns are measured")
    asked = parser.parse_args(words)
    print(
        "| puzzle (raw solutions) | searched by | s | speed-up over plain, 1 thread | speed-up over job, 1 thread "
        "| MB for a million solutions |"
    )
    print("|---|---|--:|--:|--:|--:|")
    for puzzle in asked.puzzles:
        print("\n".join(compared(puzzle, asked.runs, asked.cluster)), flush=True)
    print("\n| puzzle | turn at hand, ms | turn of another worker, ms | fresh portion, ms |\n|---|--:|--:|--:|")
    for puzzle in asked.puzzles:
        print(f"| {puzzle} | " + " | ".join(f"{cost:.1f}" for cost in turn_costs(puzzle, asked.turns)) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])
