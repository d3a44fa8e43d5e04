"""``puzzlec count``: the number of solutions."""

from __future__ import annotations

import time as clock
from typing import Annotated

import typer

from puzzlec.cli.arguments import (
    ComesApart,
    CountKernel,
    Force,
    JobChoice,
    Memory,
    Nodes,
    PuzzleName,
    Reading,
    Symmetry,
    Threads,
    Time,
    chosen_kernel,
    time_left,
)
from puzzlec.cli.best import Cost, count_costs
from puzzlec.cli.certificate import CertificateFile, certifying
from puzzlec.cli.deadline import OutOfTime, bounded
from puzzlec.cli.options import Option
from puzzlec.cli.output import ending_in_order
from puzzlec.cli.progress import shown
from puzzlec.cli.showing import (
    conclude_count,
    exit_after,
    interrupted_count,
    say_where_symmetry_is_idle,
    status_after,
)
from puzzlec.cli.terminal import MODE, ExitStatus, say
from puzzlec.cli.verbose import report_stats
from puzzlec.engine import Limits, Stop
from puzzlec.engine.search.counting import TooWideError
from puzzlec.questions import search_of
from puzzlec.solving.solutions import Solutions


def count(
    puzzle: PuzzleName,
    symmetry: Symmetry = Symmetry(),
    comes_apart: ComesApart = False,
    limit: Annotated[int | None, Option("Stop at N solutions.", "N", least=1)] = None,
    cost: Cost = None,
    time: Time = None,
    threads: Threads = 1,
    memory: Memory = None,
    job: JobChoice = JobChoice(),
    certificate: CertificateFile = None,
    reading: Reading = Reading(),
    nodes: Nodes = None,
    force: Force = False,
    kernel: CountKernel = "auto",
) -> None:
    """Count the solutions of a puzzle.

    Rotations and reflections of a solution count as one, unless --raw or --symmetry is given. A puzzle without geometry
    has raw solutions only. With --cost, a puzzle with costs has a row for each cost.

    Examples:
        puzzlec count pentominoes/6x10
        puzzlec count soma --raw

    """
    chosen = job.options(threads, keep_limit=limit is None)
    which, begun = symmetry.which, clock.monotonic()
    with bounded(time, begun):
        encoding = reading.of(puzzle).encoding()
    left = time_left(time, begun)
    searched = Limits(limit, left, nodes, memory)
    if cost is not None:
        from puzzlec.solving.costs import CountByCost

        by_cost = search_of(CountByCost, comes_apart)(
            encoding, low=cost[0], high=cost[1], symmetry=which, limits=searched, threads=threads
        )
        say_where_symmetry_is_idle(by_cost.solutions, symmetry.name)
        count_costs(by_cost, time, begun)
        return
    solutions = search_of(Solutions, comes_apart)(
        encoding, limits=searched, kernel=chosen_kernel(kernel), threads=threads, symmetry=which
    )
    say_where_symmetry_is_idle(solutions, symmetry.name)
    if chosen:
        from puzzlec.cli.jobs import count_as_job

        count_as_job(chosen, solutions, time, begun)
        return
    with certifying(certificate, force) as certify:
        try:
            with (
                ending_in_order(),
                shown(job.progress, solutions.progress, f"{solutions.convention} solution", solutions.foresee),
            ):
                number = _counted(solutions, time, begun)
        except TooWideError as wide:
            say(f"stopped at the limit of memory: {wide}")
            raise typer.Exit(ExitStatus.LIMIT) from None
        except (KeyboardInterrupt, SystemExit) as end:
            now, status = solutions.progress(), status_after(end)
            raise interrupted_count(solutions, now, solutions.number, begun, status=status) from None
        finally:
            if MODE.verbose:
                report_stats(solutions)
        ended = exit_after(lambda: conclude_count(solutions, number, begun))
        if certify:
            certify(solutions, [], time, begun)
    if ended:
        raise ended


def _counted(solutions: Solutions, time: float | None, begun: float) -> int:
    """Return the count; a limit of time also includes the steps before the search."""
    try:
        with bounded(time, begun, grace=True):
            return solutions.count()
    except OutOfTime:
        solutions.stopped = Stop.SECONDS
        return solutions.number
