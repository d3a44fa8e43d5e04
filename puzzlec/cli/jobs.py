"""The jobs of ``solve``, ``count`` and ``job resume``: started or continued in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shlex import quote

from puzzlec.cli.arguments import Clock, JobChoice, Pool
from puzzlec.cli.progress import shown
from puzzlec.cli.showing import Showing, conclude_count, exit_at, interrupted_count
from puzzlec.cli.terminal import say
from puzzlec.cli.texts.progress import Bar, Lines
from puzzlec.engine import Stop
from puzzlec.engine.progress import Progress
from puzzlec.engine.search import selection
from puzzlec.engine.search.counting import is_narrow
from puzzlec.jobs.job import Job
from puzzlec.jobs.records import TaskName
from puzzlec.jobs.streams import Settled
from puzzlec.jobs.work_unit import UnitState
from puzzlec.solving.solutions import Solutions


class JobRun:
    """A run of a job for a command, within the limits of ``solutions``, which also get the result.

    ``position`` is the folder as the user names it, None for a temporary folder.
    """

    def __init__(self, job: Job, solutions: Solutions, pool: Pool, place: str | Path | None, progress: str) -> None:
        self.job, self.solutions, self.pool, self.progress = job, solutions, pool, progress
        self.place = None if place is None else quote(str(place))
        shard = job.header.shard
        self.where = f" in shard {shard[0]} of {shard[1]}" if shard else ""

    def solve(self, showing: Showing, quiet: bool) -> None:
        """Search for the solutions, and print each when its position in the order is known."""
        settled, showing.kept = Settled(self.job), quiet
        with self._searching(lambda now: showing.interrupted(now, self._saved)) as bar:

            def show() -> None:
                for solution in () if quiet else settled.more():
                    showing.show(solution, bar)

            show()
            self._search(show, in_order=not quiet)
            show()
        waiting = 0 if quiet else self.solutions.number - settled.number
        hint = f"; {waiting} not shown, as solutions before them may be missing" if waiting else ""
        showing.conclude(hint + self._goes_on, self.where)

    def count(self, clock: Clock) -> None:
        """Count the solutions."""
        with self._searching(lambda now: interrupted_count(self.solutions, now, clock, self._saved)):
            self._search(None, in_order=False)
        conclude_count(self.solutions, clock, self._goes_on, self.where)

    @contextmanager
    def _searching(self, interrupted: Callable[[Progress], None]) -> Iterator[Bar | Lines]:
        """Display the progress of a search in the block, and note its result; ``interrupted`` prints it at a signal."""
        what = f"{self.solutions.convention} solution"
        try:
            with shown(self.progress, self.job.progress, what, more=self._units) as bar:
                yield bar
        except (KeyboardInterrupt, SystemExit) as ended:
            self._note()
            interrupted(self.job.progress())
            raise exit_at(ended) from None
        self._note()
        if self.where:
            say("this is one shard of the search: `puzzlec job merge` adds up the shards")

    def _units(self) -> dict[str, int | None]:
        number, left, running = self.job.units
        return {
            "work_units": number, "work_units_left": left, "work_units_running": running, "workers": self.job.at_hand
        }  # fmt: skip

    def _search(self, show: Callable[[], None] | None, in_order: bool) -> None:
        threads, processes, cluster = self.pool
        seconds, kernel = self.solutions.limits.seconds, self.solutions.kernel
        self.job.run(threads, processes, cluster, seconds, in_order, kernel, show)

    def _note(self) -> None:
        """Copy the result of the job to ``solutions``."""
        job, most = self.job, self.solutions.limits.solutions
        self.solutions.number = job.number if most is None else min(job.number, most)
        self.solutions.stopped = job.stopped
        if job.complete and not job.number:
            self.solutions.look_for_reasons()

    @property
    def _goes_on(self) -> str:
        more = " --all" if self.solutions.stopped is Stop.SOLUTIONS else ""
        return f"; `puzzlec job resume {self.place}{more}` continues" if self.place else ""

    @property
    def _saved(self) -> str:
        return (
            f"; everything is saved in {self.place}: `puzzlec job resume {self.place}` continues" if self.place else ""
        )


#: A search of more nodes takes a few seconds.
LONG_SEARCH_NODES = 1e7


def solve_as_job(options: JobChoice, pool: Pool, showing: Showing, keep_limit: bool) -> None:
    """Search for the solutions of a command ``solve`` by a job, and print them.

    ``keep_limit``: the command gives no number of solutions, so the job finds all, or the earlier number if resumed.

    Raises typer.Exit if the exit status is not 0, PuzzleError for an error of the checkpoint or the cluster.
    """
    with showing.clock.bounded():
        job = _job(options, showing.solutions, "solutions", keep_limit)
    with job:
        showing.solutions.limits = replace(showing.solutions.limits, seconds=showing.clock.left)
        run = JobRun(job, showing.solutions, pool, options.checkpoint, options.progress)
        run.solve(showing, options.quiet and options.checkpoint is not None)


def count_as_job(options: JobChoice, pool: Pool, solutions: Solutions, clock: Clock) -> None:
    """Count the solutions of a command ``count`` by a job.

    Raises typer.Exit if the exit status is not 0, PuzzleError for an error of the checkpoint or the cluster.
    """
    with clock.bounded():
        job = _job(options, solutions, "count", solutions.limits.solutions is None)
    with job:
        solutions.limits = replace(solutions.limits, seconds=clock.left)
        if (
            solutions.kernel == "auto"
            and solutions.limits.solutions is None
            and sum(unit.size for unit in job.store.units(UnitState.OPEN)) > LONG_SEARCH_NODES
            and selection.has_numba()
            and is_narrow(solutions.encoding.cover)
        ):
            say("without --checkpoint, `count` usually finishes this narrow problem in seconds")
        JobRun(job, solutions, pool, options.checkpoint, options.progress).count(clock)


def _job(options: JobChoice, solutions: Solutions, task: TaskName, keep_limit: bool) -> Job:
    """Return the job; its limit of solutions becomes that of ``solutions``."""
    limits = solutions.limits
    which, most = solutions.symmetry, limits.solutions
    job = Job.begin_or_open(
        options.checkpoint, solutions.encoding, task=task, symmetry=which, limit=most, shard=options.shard,
        keep_limit=keep_limit and options.checkpoint is not None,
    )  # fmt: skip
    solutions.limits = replace(limits, solutions=job.limit)
    return job
