"""``puzzlec solve``: the first solution, some, or all."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from puzzlec.solving.solutions import EngineName


import time as clock
from collections.abc import Iterator
from typing import Annotated

import typer

from puzzlec.cli.arguments import (
    Ascii,
    Board,
    Checkpoint,
    Cluster,
    ComesApart,
    Every,
    Force,
    From,
    Json,
    Kernel,
    MostSolutions,
    Named,
    Nodes,
    Own,
    ParametersSwept,
    Problem,
    Processes,
    PuzzleName,
    Quiet,
    Raw,
    Seed,
    Shard,
    SymmetryName,
    Threads,
    Time,
    chosen_job,
    chosen_kernel,
    chosen_symmetry,
    refuse_with_apart,
    time_left,
)  # fmt: skip
from puzzlec.cli.best import Best, MaxCost, MinCost, refuse_several, show_best, wanted
from puzzlec.cli.candidates import check_word, words
from puzzlec.cli.certificate import MOST, CertificateFile, certifying
from puzzlec.cli.command import ADVANCED
from puzzlec.cli.deadline import OutOfTime, bounded, each_bounded
from puzzlec.cli.output import ending_in_order
from puzzlec.cli.progress import ProgressKind, shown
from puzzlec.cli.showing import (
    Showing,
    SolutionFormat,
    chosen_format,
    exit_after,
    refuse_unknown,
    say_where_symmetry_is_idle,
    status_after,
)
from puzzlec.cli.sweeps import swept
from puzzlec.cli.terminal import MODE
from puzzlec.cli.verbose import report_stats
from puzzlec.diagnostics.error import needs
from puzzlec.engine import Limits, Stop
from puzzlec.engine.search.selection import KERNELS
from puzzlec.ir import Solution
from puzzlec.solving.solutions import ENGINES, SearchSettings, Solutions

Engine = Annotated[
    str,
    typer.Option(
        metavar="ENGINE",
        help="Solver: own, or cpsat of OR-Tools.",
        autocompletion=words(ENGINES),
        rich_help_panel=ADVANCED,
    ),
]


@swept
def solve(
    puzzle: PuzzleName,
    every: Every = False,
    limit: MostSolutions = None,
    min_cost: MinCost = False,
    max_cost: MaxCost = False,
    best: Best = None,
    raw: Raw = False,
    symmetry: SymmetryName = None,
    comes_apart: ComesApart = False,
    time: Time = None,
    threads: Threads = 1,
    to: SolutionFormat = "text",
    as_json: Json = False,
    checkpoint: Checkpoint = None,
    ascii: Ascii = False,
    own: Own = False,
    seed: Seed = None,
    nodes: Nodes = None,
    engine: Engine = "own",
    progress: ProgressKind = "bar",
    certificate: CertificateFile = None,
    force: Force = False,
    processes: Processes = None,
    cluster: Cluster = None,
    shard: Shard = None,
    quiet: Quiet = False,
    kernel: Kernel = "auto",
    given: ParametersSwept = None,
    source: From = None,
    board: Board = None,
    problem: Problem = None,
) -> None:
    """Solve a puzzle, and draw its solutions.

    Without --all or --limit, draws one solution. Rotations and reflections of a solution count as one, unless --raw
    or --symmetry is given. With --min-cost, --max-cost and --best, the search proves that no other solution is better.

    Examples:
        puzzlec solve soma --limit 3
        puzzlec solve pentominoes/6x10 --all --to list

    """
    refuse_unknown(to)
    format = chosen_format(to, as_json)
    _refuse_wrong(kernel, engine, every, limit, seed)
    unknown = {"--nodes": nodes, "--seed": seed, "--engine": engine if engine != "own" else None}
    unknown["--certificate"] = certificate
    if comes_apart:
        job_options = {"--checkpoint": checkpoint, "--processes": processes, "--cluster": cluster, "--shard": shard}
        others = {"--certificate": certificate, "--seed": seed, "--engine": engine, **job_options}
        refuse_with_apart(kernel, others)
    others = {
        "--all": every,
        "--limit": limit,
        "--comes-apart": comes_apart,
        "--checkpoint": checkpoint,
        "--shard": shard,
    }
    others |= {"--processes": processes, "--cluster": cluster, "--quiet": quiet, "--kernel": kernel}
    asked = wanted(min_cost, max_cost, best, {**others, **unknown, "--nodes": None, "--certificate": None})
    refuse_several(certificate, best)
    job = chosen_job(checkpoint, processes, cluster, shard, quiet, threads, progress, unknown)
    _need_engine(engine, nodes)
    which = chosen_symmetry(raw, symmetry)
    if own and format not in ("text", "jsonl"):
        raise typer.BadParameter(f"the format {format} cannot show it", param_hint="--show-symmetry")
    is_limited = limit is not None
    if job and checkpoint is not None:
        job = job._replace(keep_limit=not every and limit is None)
    elif not every and limit is None:
        limit = 1
    begun = clock.monotonic()
    with bounded(time, begun):
        encoding = Named(puzzle, source, board, given, problem).encoding()
    left = time_left(time, begun)
    limits = Limits(limit, left, nodes)
    solutions: Solutions
    if asked:
        from puzzlec.solving.costs import BestSolutions

        found_best = BestSolutions(
            encoding, number=asked[0], max_cost=asked[1], limits=Limits(None, left, nodes), symmetry=which
        )
        say_where_symmetry_is_idle(found_best, symmetry)
        showing = Showing(found_best, format, ascii, symmetry is not None, own, begun)
        with certifying(certificate, force) as certify:
            show_best(found_best, showing, progress, time, certify)
        return
    if comes_apart:
        from puzzlec import disassembling

        solutions = disassembling.ComesApart(
            encoding, limits=limits, threads=threads, symmetry=which, kernel=chosen_kernel(kernel)
        )
    else:
        solutions = Solutions(
            encoding,
            limits=limits,
            kernel=chosen_kernel(kernel),
            threads=threads,
            symmetry=which,
            settings=SearchSettings(seed=seed, engine=cast("EngineName", engine)),
        )
    say_where_symmetry_is_idle(solutions, symmetry)
    showing = Showing(solutions, format, ascii, symmetry is not None, own, begun)
    if job:
        from puzzlec.cli.jobs import solve_as_job

        solve_as_job(job, showing, time)
        return
    showing.limited = is_limited
    found: list[Solution] = []
    with certifying(certificate, force) as certify:
        try:
            with (
                ending_in_order(),
                shown(progress, solutions.progress, f"{solutions.convention} solution", solutions.foresee) as bar,
            ):
                for solution in _bounded(solutions, time, begun):
                    showing.show(solution, bar)
                    if certify and len(found) < MOST:
                        found.append(solution)
        except (KeyboardInterrupt, SystemExit) as end:
            raise showing.interrupted(solutions.progress(), status=status_after(end)) from None
        finally:
            if MODE.verbose:
                report_stats(solutions)
        ended = exit_after(lambda: showing.conclude(time))
        if certify:
            certify(solutions, found, time, begun)
    if ended:
        raise ended


def _refuse_wrong(kernel: str, engine: str, every: bool, limit: int | None, seed: int | None) -> None:
    """Raise typer.BadParameter for unknown or contradictory options of the search."""
    check_word(kernel, KERNELS, "--kernel")
    if every and limit is not None:
        raise typer.BadParameter("give --all or --limit, not both", param_hint="--limit")
    check_word(engine, ENGINES, "--engine")
    if (seed is not None or engine != "own") and (every or limit not in (None, 1)):
        raise typer.BadParameter("a random search looks for one solution: leave --all or --limit out")


def _need_engine(engine: str, nodes: int | None) -> None:
    """Raise an error if the engine is missing, or cannot do the requested search."""
    if engine == "cpsat":
        if nodes is not None:
            raise typer.BadParameter("CP-SAT has no limit of nodes", param_hint="--engine")
        needs("ortools", "cpsat", "the engine `cpsat`")


def _bounded(solutions: Solutions, time: float | None, begun: float) -> Iterator[Solution]:
    """Yield the solutions; a limit of time also includes the steps before the search."""
    try:
        yield from each_bounded(solutions, time, begun)
    except OutOfTime:
        solutions.stopped = Stop.SECONDS
