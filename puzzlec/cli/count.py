"""``puzzlec count``: the number of solutions, alone on a line."""

from __future__ import annotations

import time as clock
from typing import Annotated

import typer

from puzzlec.cli.arguments import Board, From, Kernel, Parameters, PuzzleName, Raw, Time
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.input import opened
from puzzlec.cli.terminal import out, report_all, say
from puzzlec.engine import Limits
from puzzlec.engine.selection import KERNELS
from puzzlec.pipeline import Solutions


def count(
    puzzle: PuzzleName,
    raw: Raw = False,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop at N solutions.")] = None,
    time: Time = None,
    kernel: Kernel = "auto",
    given: Parameters = None,
    source: From = None,
    board: Board = None,
) -> None:
    """Count the solutions of a puzzle.

    Counted are distinct solutions, where turned or mirrored ones count once; with --raw, and for
    puzzles without geometry, all of them.

    Example: puzzlec count pentominoes/6x10
    """
    if kernel not in KERNELS:
        raise typer.BadParameter(f"{kernel} is none of {', '.join(KERNELS)}", param_hint="--kernel")
    begun = clock.perf_counter()
    solutions = Solutions(opened(puzzle, source, board, given), raw, Limits(limit, time), kernel)
    number = solutions.count()
    report_all(solutions.reasons)
    out(number)
    taken = f"in {clock.perf_counter() - begun:.2f} s"
    what = f"{solutions.convention} solution{'s' * (number != 1)}"
    if solutions.stopped:
        say(f"at least {number} {what}: stopped at the limit of {solutions.stopped.value} after {taken[3:]}")
        raise typer.Exit(ExitStatus.LIMIT)
    say(f"{number} {what} {taken}")
    if solutions.reasons:
        raise typer.Exit(ExitStatus.FAULTY)
    if not number:
        raise typer.Exit(ExitStatus.NO_SOLUTION)
