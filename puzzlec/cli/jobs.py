"""``solve`` and ``count`` as jobs: begun in a folder, or gone on with there."""

from __future__ import annotations

from dataclasses import replace

from puzzlec.cli.arguments import time_left
from puzzlec.cli.deadline import bounded
from puzzlec.cli.job_arguments import JobOptions
from puzzlec.cli.run import Run
from puzzlec.cli.showing import Showing
from puzzlec.cli.terminal import say
from puzzlec.engine.search import selection
from puzzlec.jobs.job import Job
from puzzlec.jobs.work_unit import State
from puzzlec.solving.solutions import Solutions

#: A search of more nodes takes some seconds.
LONG = 1e7


def solve_as_job(options: JobOptions, showing: Showing, time: float | None) -> None:
    """Search for the solutions of a command ``solve`` by a job, and print them; ``time`` is its limit in seconds.

    Raises typer.Exit where the exit status is not 0, PuzzleError for what is wrong with the checkpoint or the cluster.
    """
    with bounded(time, showing.begun):
        job = _job(options, showing.solutions, "solutions")
    with job:
        showing.solutions.limits = replace(showing.solutions.limits, seconds=time_left(time, showing.begun))
        run = Run(job, showing.solutions, options.hands, options.place, options.progress)
        run.solve(showing, time, options.quiet)


def count_as_job(options: JobOptions, solutions: Solutions, time: float | None, begun: float) -> None:
    """Count the solutions of a command ``count`` by a job; ``time`` is its limit in seconds.

    ``begun`` is when the command began, on the monotonic clock.

    Raises typer.Exit where the exit status is not 0, PuzzleError for what is wrong with the checkpoint or the cluster.
    """
    with bounded(time, begun):
        job = _job(options, solutions, "count")
    with job:
        solutions.limits = replace(solutions.limits, seconds=time_left(time, begun))
        if (
            solutions.kernel == "auto"
            and solutions.limits.solutions is None
            and _is_long(job)
            and _is_narrow(solutions)
        ):
            say("this problem is narrow: the same command without a job counts it by layers, most often in moments")
        Run(job, solutions, options.hands, options.place, options.progress).count(begun)


def _job(options: JobOptions, solutions: Solutions, task: str) -> Job:
    """Return the job; ``solutions`` is told how many are wanted, where the folder knows that alone."""
    limits = solutions.limits
    which, most = solutions.symmetry, limits.solutions
    job = Job.begin_or_open(options.folder, solutions.encoding, task, which, most, options.shard, options.keep_limit)
    solutions.limits = replace(limits, solutions=job.limit)
    return job


def _is_long(job: Job) -> bool:
    """Whether there are more nodes to be searched than anybody would see go by."""
    return sum(unit.size for unit in job.store.units(State.OPEN)) > LONG


def _is_narrow(solutions: Solutions) -> bool:
    from puzzlec.engine.search.count_tasks import width
    from puzzlec.engine.search.counting import NARROW

    return selection.has_numba() and width(solutions.encoding.cover) <= NARROW
