"""``puzzlec estimate``: how large the search for all solutions is, before it is made."""

from __future__ import annotations

import math
import time as clock
from typing import Annotated, Any

import typer

from puzzlec.cli.arguments import (
    Board,
    From,
    Json,
    Parameters,
    Problem,
    PuzzleName,
    Raw,
    SymmetryName,
    chosen_symmetry,
    time_left,
)  # fmt: skip
from puzzlec.cli.candidates import words
from puzzlec.cli.deadline import bounded
from puzzlec.cli.estimated import lines
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.formatting import chosen_format
from puzzlec.cli.input import encoded
from puzzlec.cli.parsing import LIMITS
from puzzlec.cli.terminal import out, out_json, report_all, style
from puzzlec.diagnostics import Report, none_of
from puzzlec.engine.search.estimating import Estimate
from puzzlec.engine.search.estimating import estimate as estimated
from puzzlec.pipeline import check
from puzzlec.solving import representatives
from puzzlec.solving.distinct import Shares
from puzzlec.solving.solutions import Solutions

FORMATS = ("text", "json")

#: After so many seconds an estimate is made of the dives that there are; only the largest puzzles take as long.
PATIENCE = 60.0

#: After the dives, the speed of the search is measured within this many seconds.
MEASURING = 2.0


def estimate(
    puzzle: PuzzleName,
    raw: Raw = False,
    symmetry: SymmetryName = None,
    probes: Annotated[int, typer.Option(metavar="N", min=1, help="Make N random dives into the tree.")] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random choices.")] = 0,
    time: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="Dive no longer than that.", rich_help_panel=LIMITS)
    ] = PATIENCE,
    format: Annotated[
        str,
        typer.Option("--format", metavar="FORMAT", help="How to print: text or json.", autocompletion=words(FORMATS)),
    ] = "text",
    as_json: Json = False,
    given: Parameters = None,
    source: From = None,
    board: Board = None,
    problem: Problem = None,
) -> None:
    """Estimate how long the search for all solutions takes.

    How many nodes it has, and how much time it needs. Random dives into the search tree are made. Where the search is
    over at once, it is made, and the numbers are exact. The search is that of the distinct solutions, unless --raw is
    given or the puzzle has no geometry.

    Example: puzzlec estimate solid-pentominoes/3x4x5
    """
    if format not in FORMATS:
        raise typer.BadParameter(none_of(format, FORMATS), param_hint="--format")
    format = chosen_format(format, as_json, "json")
    which = chosen_symmetry(raw, symmetry)
    begun, report = clock.monotonic(), Report()
    with bounded(time, begun):
        encoding = encoded(puzzle, source, board, given, problem)
        check(encoding, report)
    if report.errors:
        report_all(report.diagnostics)
        raise typer.Exit(ExitStatus.FAULTY)
    cover, solutions, weigh = encoding.cover, Solutions(encoding, symmetry=which), None
    with bounded(time, begun):
        if solutions.convention == "distinct":
            chosen = representatives(cover, solutions.group)
            cover, weigh = chosen.searched, Shares(chosen)
    with bounded(time + MEASURING, begun, grace=True):
        result = estimated(cover, probes, seed, time_left(time, begun), weigh)
    comparing = weigh.seconds * result.covers / result.hits if weigh and result.hits else 0.0
    if format == "json":
        out_json(_as_data(result, solutions, comparing))
    else:
        for line in lines(result, solutions.symmetry, comparing, style().ascii):
            out(line)


def _as_data(result: Estimate, solutions: Solutions, comparing: float) -> dict[str, Any]:
    """Return an estimate as JSON has it; what was measured, and differs from run to run, is apart.

    ``comparing`` is the time in seconds to compare all solutions with their images.
    """
    seconds = None if result.seconds is None else result.seconds + comparing
    between_known = result.solutions_known and not result.solutions_heavy_tailed
    return {
        "search": solutions.convention,
        "symmetry": solutions.symmetry,
        "exact": result.exact,
        "nodes": _finite(result.nodes),
        "nodes_between": None if result.heavy_tailed else _ends(result.nodes_between),
        "heavy_tailed": result.heavy_tailed,
        "solutions": _finite(result.solutions) if result.solutions_known else None,
        "solutions_between": _ends(result.solutions_between) if between_known else None,
        "profile": list(map(_finite, result.profile)),
        "probes": result.probes,
        "hits": result.hits,
        "measured": {"nodes_per_second": result.rate, "seconds": _finite(seconds)},
    }


def _finite(number: float | None) -> float | None:
    """Return a number for JSON, which knows no infinity: None where it is beyond any float."""
    return None if number is None or math.isinf(number) else number


def _ends(between: tuple[float, float]) -> list[float | None]:
    """Return the ends of an interval; JSON knows no infinity."""
    return list(map(_finite, between))
