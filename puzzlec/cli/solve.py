"""``puzzlec solve``: the first solution, some, or all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, cast

import typer

from puzzlec.cli.arguments import (
    Ascii,
    Clock,
    Every,
    Force,
    JobChoice,
    Kernel,
    MostSolutions,
    Nodes,
    Own,
    Palette,
    QuestionOptions,
    Seed,
)
from puzzlec.cli.best import Best, MaxCost, MinCost, show_best
from puzzlec.cli.certificate import MAX_CERTIFIED_SOLUTIONS, CertificateFile, Certify, certifying
from puzzlec.cli.command import ADVANCED
from puzzlec.cli.deadline import OutOfTime, each_bounded
from puzzlec.cli.options import Option
from puzzlec.cli.showing import (
    Showing,
    SolutionFormat,
    SolutionOutput,
    delivered,
    exit_after,
    format_to_write,
    say_where_symmetry_is_idle,
    searching,
)
from puzzlec.diagnostics.error import needs
from puzzlec.engine import Stop
from puzzlec.ir import Solution
from puzzlec.solving.solutions import ENGINES, SearchSettings, Solutions

if TYPE_CHECKING:
    from puzzlec.solving.solutions import EngineName

Engine = Annotated[str, Option("Solver: own, or cpsat of OR-Tools.", "ENGINE", words=ENGINES, panel=ADVANCED)]


def solve(
    *,
    every: Every = False,
    limit: MostSolutions = None,
    min_cost: MinCost = False,
    max_cost: MaxCost = False,
    best: Best = None,
    asked: QuestionOptions,
    output: SolutionOutput = None,
    to: SolutionFormat = None,
    ascii: Ascii = False,
    with_symmetries: Own = False,
    job: JobChoice = JobChoice(),
    seed: Seed = None,
    nodes: Nodes = None,
    engine: Engine = "own",
    certificate: CertificateFile = None,
    palette: Palette = "standard",
    force: Force = False,
    kernel: Kernel = "auto",
) -> None:
    """Solve a puzzle, and draw its solutions.

    Without --all or --limit, draws one solution. Rotations and reflections of a solution count as one, unless --raw
    or --symmetry is given. With --min-cost, --max-cost and --best, the search proves that no other solution is better.
    With -o, the extension of FILE is the format: a picture such as .svg, or .jsonl.

    Examples:
        puzzlec solve soma --limit 3
        puzzlec solve pentominoes/6x10 --all --to list

    """
    format = format_to_write(to, output)
    if engine == "cpsat":
        needs("ortools", "cpsat", "the engine `cpsat`")
    pool = job.pool()
    at_most = limit if every or limit is not None or job.checkpoint else 1
    from puzzlec.solving.costs import BestSolutions

    with delivered(output, format, force, palette) as drawn:
        solutions: Solutions
        if min_cost or max_cost or best is not None:
            solutions = asked.search(BestSolutions, nodes=nodes, number=best or 1, max_cost=max_cost)
        else:
            settings = SearchSettings(seed=seed, engine=cast("EngineName", engine))
            solutions = asked.search(
                Solutions, None, at_most, nodes, kernel=kernel, threads=job.threads, settings=settings
            )
        say_where_symmetry_is_idle(solutions, asked.symmetry)
        showing = Showing(solutions, format, ascii, asked.symmetry is not None, with_symmetries, asked)
        showing.limited, showing.drawn = limit is not None or pool is not None, drawn
        if pool:
            from puzzlec.cli.jobs import solve_as_job

            solve_as_job(job, pool, showing, keep_limit=not every and limit is None)
            return
        ended = None
        with certifying(certificate, force) as certify:
            if isinstance(solutions, BestSolutions):
                show_best(solutions, showing, job.progress, certify)
            else:
                ended = _show_each(solutions, showing, job.progress, certify)
        if ended:
            raise ended


def _show_each(solutions: Solutions, showing: Showing, progress: str, certify: Certify | None) -> typer.Exit | None:
    """Search and print the solutions, then write their certificate; return the exit, None for status 0."""
    witnesses: list[Solution] = []
    with searching(progress, solutions, showing.interrupted) as bar:
        for solution in _bounded(solutions, showing.clock):
            showing.show(solution, bar)
            if certify and len(witnesses) < MAX_CERTIFIED_SOLUTIONS:
                witnesses.append(solution)
    ended = exit_after(showing.conclude)
    if certify:
        certify(solutions, witnesses, showing.clock)
    return ended


def _bounded(solutions: Solutions, clock: Clock) -> Iterator[Solution]:
    """Yield the solutions; a limit of time also includes the steps before the search."""
    try:
        yield from each_bounded(solutions, clock.time, clock.begun)
    except OutOfTime:
        solutions.stopped = Stop.SECONDS
