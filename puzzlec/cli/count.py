"""``puzzlec count``: the number of solutions."""

from __future__ import annotations

from typing import Annotated

from puzzlec.cli.arguments import Clock, CountKernel, Force, JobChoice, Memory, Nodes, QuestionOptions
from puzzlec.cli.best import Cost, count_costs
from puzzlec.cli.certificate import CertificateFile, certifying
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import Option
from puzzlec.cli.showing import (
    conclude_count,
    exit_after,
    interrupted_count,
    say_where_symmetry_is_idle,
    searching,
)
from puzzlec.cli.terminal import ExitStatus, end, say
from puzzlec.engine import Stop
from puzzlec.engine.search.count_tasks import FrontierTooWideError
from puzzlec.solving.solutions import Solutions


def count(
    asked: QuestionOptions,
    limit: Annotated[int | None, Option("Stop at N solutions.", "N", least=1)] = None,
    cost: Cost = None,
    memory: Memory = None,
    job: JobChoice = JobChoice(),
    certificate: CertificateFile = None,
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
    pool = job.pool()
    if cost is not None:
        from puzzlec.solving.costs import CountByCost

        by_cost = asked.search(CountByCost, None, limit, nodes, memory, low=cost[0], high=cost[1], threads=job.threads)
        say_where_symmetry_is_idle(by_cost.solutions, asked.symmetry)
        count_costs(by_cost, asked)
        return
    solutions = asked.search(Solutions, None, limit, nodes, memory, kernel=kernel, threads=job.threads)
    say_where_symmetry_is_idle(solutions, asked.symmetry)
    if pool:
        from puzzlec.cli.jobs import count_as_job

        count_as_job(job, pool, solutions, asked)
        return
    with certifying(certificate, force) as certify:
        try:
            with searching(job.progress, solutions, lambda now: interrupted_count(solutions, now, asked)):
                _count(solutions, asked)
        except FrontierTooWideError as wide:
            say(f"{Stop.MEMORY.words}: {wide}")
            end(ExitStatus.LIMIT)
        ended = exit_after(lambda: conclude_count(solutions, asked))
        if certify:
            certify(solutions, [], asked)
    if ended:
        raise ended


def _count(solutions: Solutions, clock: Clock) -> None:
    """Count; a limit of time also includes the steps before the search."""
    try:
        with clock.bounded(grace=True):
            solutions.count()
    except OutOfTime:
        solutions.stopped = Stop.SECONDS
