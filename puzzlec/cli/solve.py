"""``puzzlec solve``: the first solution, some, or all."""

from __future__ import annotations

import importlib.util
import sys
import time as clock
from typing import Annotated

import typer

from puzzlec.cli.arguments import (
    Ascii,
    Board,
    Engine,
    From,
    Kernel,
    Nodes,
    Own,
    Parameters,
    Problem,
    PuzzleName,
    Raw,
    Seed,
    SolutionFormat,
    Stats,
    SymmetryName,
    Threads,
    Time,
    chosen_symmetry,
    time_left,
)  # fmt: skip
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.figures import percentage
from puzzlec.cli.formatting import formatted, refuse_unknown, what_is_lost
from puzzlec.cli.input import encoded
from puzzlec.cli.progress import Bar
from puzzlec.cli.remarks import Remarks, say_where_symmetry_is_idle
from puzzlec.cli.stats import report_stats
from puzzlec.cli.terminal import out, report_all, say, style
from puzzlec.diagnostics import none_of
from puzzlec.engine import Limits, Stop
from puzzlec.engine.selection import KERNELS
from puzzlec.solutions import ENGINES, Solutions


def solve(
    puzzle: PuzzleName,
    every: Annotated[bool, typer.Option("--all", help="Every solution, not the first one only.")] = False,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="At most N solutions.")] = None,
    raw: Raw = False,
    symmetry: SymmetryName = None,
    own: Own = False,
    time: Time = None,
    nodes: Nodes = None,
    threads: Threads = 1,
    seed: Seed = None,
    engine: Engine = "own",
    stats: Stats = False,
    format: SolutionFormat = "text",
    ascii: Ascii = False,
    kernel: Kernel = "auto",
    given: Parameters = None,
    source: From = None,
    board: Board = None,
    problem: Problem = None,
) -> None:
    """Solve a puzzle, and draw its first solution (or more).

    Example: puzzlec solve soma --limit 3
    """
    refuse_unknown(format)
    if kernel not in KERNELS:
        raise typer.BadParameter(none_of(kernel, KERNELS), param_hint="--kernel")
    if every and limit is not None:
        raise typer.BadParameter("give --all or --limit, not both", param_hint="--limit")
    if engine not in ENGINES:
        raise typer.BadParameter(none_of(engine, ENGINES), param_hint="--engine")
    if (seed is not None or engine != "own") and (every or limit not in (None, 1)):
        raise typer.BadParameter("a random search looks for one solution: leave --all or --limit out")
    if engine == "cpsat" and (nodes is not None or importlib.util.find_spec("ortools") is None):
        known = (
            "CP-SAT knows no limit of nodes" if nodes is not None else "pip install 'puzzlec[cpsat]' for this engine"
        )
        raise typer.BadParameter(known, param_hint="--engine")
    which = chosen_symmetry(raw, symmetry)
    if own and format not in ("text", "jsonl"):
        raise typer.BadParameter(f"there is no place for it in the format {format}", param_hint="--own-symmetry")
    if not every and limit is None:
        limit = 1
    begun = clock.monotonic()
    encoding = encoded(puzzle, source, board, given, problem)
    left = time_left(time, begun)
    limits = Limits(limit, left, nodes)
    solutions = Solutions(encoding, False, limits, kernel, True, threads, seed, engine=engine, symmetry=which)
    say_where_symmetry_is_idle(solutions, symmetry)
    if lost := what_is_lost(solutions.fitting, format):
        say(lost)
    look, told = style(ascii), Remarks(solutions, symmetry is not None, own)
    try:
        with Bar(solutions.progress, f"{solutions.convention} solution") as bar:
            for number, solution in enumerate(solutions):
                with bar.hidden():
                    if format == "text" and number:
                        out()
                    more = told.remarks(solution)
                    out(formatted(solution, number + 1, format, look, more))
                    if own and format == "text":
                        out(told.line)
                    sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stdout.flush()  # what was being printed comes before what is said
        done = solutions.progress().fraction
        part = f", about {percentage(done)} of the search done" if done > 0 else ""
        taken = clock.monotonic() - begun
        say(f"interrupted after {taken:.1f} s with {_counted(solutions)} found{part}{_elsewhere(solutions)}")
        raise typer.Exit(ExitStatus.INTERRUPTED) from None
    finally:
        if stats:
            report_stats(solutions)
    report_all(solutions.reasons)
    if solutions.reasons:
        raise typer.Exit(ExitStatus.FAULTY)
    if solutions.stopped in (Stop.SECONDS, Stop.NODES):
        what = f"{time:g} s" if solutions.stopped is Stop.SECONDS else f"{solutions.nodes} nodes"
        say(f"stopped after {what} with {_counted(solutions)} found; there may be more{_elsewhere(solutions)}")
        raise typer.Exit(ExitStatus.LIMIT)
    if not solutions.number:
        say("no solution: the search is complete")
        raise typer.Exit(ExitStatus.NO_SOLUTION)
    if limit != 1:
        complete = "; there may be more" if solutions.stopped else ", and there are no more"
        say(f"{_counted(solutions)}{complete}")
    told.summarise()


def _elsewhere(solutions: Solutions) -> str:
    """Return what else can be tried when nothing was found."""
    return "" if solutions.number or solutions.seed is not None else "; `--seed 1` would look at random"


def _counted(solutions: Solutions) -> str:
    return solutions.counted(solutions.number)
