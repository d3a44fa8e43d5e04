"""``puzzlec estimate``: the size of the search for all solutions, before it starts."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from puzzlec.cli.arguments import (
    BoardShared,
    FromShared,
    Json,
    Named,
    ParametersSwept,
    ProblemShared,
    PuzzleName,
    RawHidden,
    SymmetryName,
    chosen_symmetry,
    time_left,
)  # fmt: skip
from puzzlec.cli.command import LIMITS
from puzzlec.cli.deadline import bounded
from puzzlec.cli.figures import rounded
from puzzlec.cli.sweeps import swept
from puzzlec.cli.terminal import MODE, ExitStatus, out, out_json, out_row, report_all, style
from puzzlec.diagnostics import Report, counted
from puzzlec.engine.search.estimating import Estimate
from puzzlec.engine.search.estimating import estimate as estimated
from puzzlec.jobs.workers.protocol import seconds_on
from puzzlec.pipeline import check
from puzzlec.solving import representatives
from puzzlec.solving.distinct import Shares
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import counted_solutions

#: Default limit in seconds; only the largest puzzles need it.
PATIENCE = 60.0

#: Seconds for measuring the speed of the search after the probes.
MEASURING = 2.0


#: From this many seconds on, a search is worth several workers. The time is shown for these numbers of workers.
LONG, WORKERS = 600.0, (10, 100, 1000, 10_000)


@swept
def estimate(
    puzzle: PuzzleName,
    symmetry: SymmetryName = None,
    time: Annotated[
        float,
        typer.Option("--time-limit", metavar="SECONDS", min=0, help="Stop after SECONDS.", rich_help_panel=LIMITS),
    ] = PATIENCE,
    probes: Annotated[int, typer.Option(metavar="N", min=1, help="Number of random probes.", hidden=True)] = 10_000,
    as_json: Json = False,
    raw: RawHidden = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random choices.", hidden=True)] = 0,
    given: ParametersSwept = None,
    source: FromShared = None,
    board: BoardShared = None,
    problem: ProblemShared = None,
) -> None:
    """Estimate the time of the search for all solutions.

    Random probes of the search tree estimate its nodes and the time to search it. A small search is run completely, so
    its numbers are exact.

    Examples:
        puzzlec estimate solid-pentominoes/3x4x5
        puzzlec estimate pentominoes/6x10 --symmetry none

    """
    which = chosen_symmetry(raw, symmetry)
    begun, report = clock.monotonic(), Report()
    with bounded(time, begun):
        encoding = Named(puzzle, source, board, given, problem).encoding()
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
    if as_json:
        out_json(_as_data(result, solutions, comparing))
    elif MODE.sweep:
        out_row(**_as_row(result, comparing))
    else:
        for line in lines(result, solutions.symmetry, comparing, style().ascii):
            out(line)


def _as_data(result: Estimate, solutions: Solutions, comparing: float) -> dict[str, Any]:
    """Return an estimate for JSON; measured values, which differ between runs, are separate.

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
        "measured": {
            "nodes_per_second": result.rate,
            "seconds": _finite(seconds),
            "seconds_on_workers": {str(workers): now for workers, now in _shared(seconds)},
        },
    }


def _as_row(result: Estimate, comparing: float) -> dict[str, str]:
    """Return an estimate for the table of a sweep."""
    known = result.exact or result.solutions_known
    count = f"{result.solutions:.0f}" if result.exact else rounded(result.solutions) if known else "unknown"
    time = "unknown" if result.seconds is None else duration(result.seconds + comparing)
    return {"nodes": f"{result.nodes:.0f}" if result.exact else rounded(result.nodes), "solutions": count, "time": time}


def _finite(number: float | None) -> float | None:
    """Return a number for JSON, None for infinity."""
    return None if number is None or math.isinf(number) else number


def _ends(between: tuple[float, float]) -> list[float | None]:
    """Return the ends of an interval for JSON."""
    return list(map(_finite, between))


#: The longest bar of the profile, in characters.
LONGEST = 40


def lines(result: Estimate, symmetry: str, comparing: float, ascii: bool) -> list[str]:
    """Return an estimate in words, with the nodes by level as bars.

    ``comparing`` is the time in seconds to compare all solutions with their images.
    """
    by_probes = "" if result.exact else f", by {counted(result.probes, 'probe')}"
    found = [f"search     {counted_solutions(0, symmetry)[2:]}{by_probes}"]
    if result.exact:
        found += [f"nodes      {result.nodes:.0f}, counted", f"solutions  {result.solutions:.0f}, counted"]
    else:
        found.append(f"nodes      {rounded(result.nodes)}{_range(result.nodes_between, result.heavy_tailed)}")
        if result.solutions_known:
            between = _range(result.solutions_between, result.solutions_heavy_tailed)
            found.append(f"solutions  {rounded(result.solutions)}{between}")
        else:
            found.append(
                f"solutions  unknown: {counted(result.hits, 'probe')} reached a solution, too few for an estimate"
            )
    if result.seconds is not None and result.rate is not None:
        compared = " to search and to compare" if comparing else ""
        time = duration(result.seconds + comparing)
        found.append(f"time       {time}{compared}, at {rounded(result.rate)} nodes a second")
        shared = "; ".join(f"{workers:,}: {duration(now)}" for workers, now in _shared(result.seconds + comparing))
        found += [f"workers    {shared}"] if shared else []
    wild = ["nodes"] * result.heavy_tailed + ["solutions"] * (result.solutions_known and result.solutions_heavy_tailed)
    if wild:
        found.append(f"remark     a few probes found most of the {' and '.join(wild)}: there may be many times as many")
    most = max(result.profile, default=0.0)
    if most:
        found += ["", "level  nodes"]
    for level, nodes in enumerate(result.profile):
        part = nodes / most if math.isfinite(most) else float(math.isinf(nodes))
        bar = ("#" if ascii else "█") * round(LONGEST * part)
        found.append(f"{level + 1:>5}  {rounded(nodes):>9}  {bar}".rstrip())
    return found


def _shared(seconds: float | None) -> Iterator[tuple[int, float]]:
    """Yield numbers of workers with their seconds for a long search, until more would not save a tenth."""
    if seconds is None or seconds < LONG or math.isinf(seconds):
        return
    before = seconds
    for workers in WORKERS:
        now = seconds_on(workers, seconds)
        if now > 0.9 * before:
            return
        yield workers, now
        before = now


def _range(between: tuple[float, float], heavy_tailed: bool) -> str:
    low, high = between
    if heavy_tailed and math.isfinite(high):
        return ", roughly: the probes differ too much for an interval"
    return f", likely {rounded(low)} to {rounded(high)}" if math.isfinite(high) else ", too few probes for an interval"


def duration(seconds: float) -> str:
    """Return a length of time in one unit, in two digits.

    >>> duration(0.004), duration(75), duration(7300), duration(3e6), duration(1e12)
    ('less than 0.1 s', '75 s', '2 h', '35 days', '3.2e+04 years')
    """
    if math.isinf(seconds):
        return "beyond any limit"
    if seconds < 0.1:
        return "less than 0.1 s"
    for size, word in ((60 * 60 * 24 * 365.25, "years"), (60 * 60 * 24, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            number = seconds / size
            return f"{number:.2g} {word}" if number < 100 or number >= 1e4 else f"{number:.0f} {word}"
    return f"{seconds:.2g} s" if seconds < 100 else f"{seconds:.0f} s"
