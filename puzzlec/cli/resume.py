"""``puzzlec job resume``: continue a search from its checkpoint."""

from __future__ import annotations

from puzzlec.cli.arguments import (
    Ascii,
    Clock,
    Cluster,
    Every,
    Folder,
    MostSolutions,
    Processes,
    Quiet,
    Threads,
    pool_of,
)  # fmt: skip
from puzzlec.cli.progress import ProgressKind
from puzzlec.cli.showing import Showing, SolutionFormat, format_to_write
from puzzlec.engine import Limits
from puzzlec.solving.solutions import Solutions


def resume(
    folder: Folder,
    every: Every = False,
    limit: MostSolutions = None,
    clock: Clock = Clock(),
    threads: Threads = 1,
    quiet: Quiet = False,
    to: SolutionFormat = None,
    cluster: Cluster = None,
    progress: ProgressKind = "bar",
    processes: Processes = None,
    ascii: Ascii = False,
) -> None:
    """Resume a search from its checkpoint.

    Prints all solutions in the order of the search, beginning with the first, even if the search was stopped several
    times. With --quiet, the solutions stay in the folder.

    Examples:
        puzzlec job resume bedlam --threads 4
        puzzlec job resume bedlam --time-limit 3600 --quiet

    """
    format = format_to_write(to, None)
    who = pool_of(threads, processes, cluster)
    from puzzlec.cli.jobs import JobRun
    from puzzlec.jobs.job import Job

    with clock.bounded():
        opened = Job.open(folder)
    with opened as job:
        job.limit = None if every else limit or job.limit
        limits = Limits(job.limit, clock.left)
        solutions = Solutions(job.encoding, limits=limits, symmetry=job.header.symmetry)
        run = JobRun(job, solutions, who, folder, progress)
        if job.header.task == "count":
            run.count(clock)
        else:
            named = solutions.symmetry not in ("all", "none")
            run.solve(Showing(solutions, format, ascii, named, False, clock), quiet)
