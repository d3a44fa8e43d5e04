"""``puzzlec estimate``: the size of the search for all solutions, before it starts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated

from puzzlec.cli.arguments import TIME, QuestionOptions
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import Option
from puzzlec.cli.terminal import MODE, out, out_json, style
from puzzlec.cli.texts.estimates import ForecastText
from puzzlec.compiler import check
from puzzlec.diagnostics import Report, counted
from puzzlec.engine.search.estimating import counted_at_once, probed, rate_of
from puzzlec.ir import Fitting
from puzzlec.jobs.workers.protocol import slice_seconds
from puzzlec.lower import Encoding
from puzzlec.questions import ESTIMATE_SECONDS, searched, time_of_count
from puzzlec.solving.solutions import Solutions

#: The probes leave this part of the time for measuring the speed of the search, and for a trial of a count.
PROBING_SHARE = 0.6

#: Most seconds for the trial of a count.
TRIAL_SECONDS = 3.0

#: From this many seconds on, a search is worth several workers. The time is shown for these numbers of workers.
LONG_SECONDS, NUMBERS_OF_WORKERS = 600.0, (10, 100, 1000, 10_000)


@dataclass(kw_only=True, eq=False, repr=False)
class Estimating(QuestionOptions):
    """The options of an estimate, which has a limit of time in any case."""

    time: Annotated[float, TIME] = ESTIMATE_SECONDS


def estimate(
    asked: Estimating,
    probes: Annotated[int, Option("Number of random probes.", "N", least=1, hidden=True)] = 10_000,
    seed: Annotated[int, Option("Seed of the random choices.", "N", hidden=True)] = 0,
) -> None:
    """Estimate the time of the search for all solutions.

    Random probes of the search tree estimate its nodes and the time to search it. A small search is run completely, so
    its numbers are exact. A count that needs no search for all solutions may take much less time. With --comes-apart,
    each solution that a probe finds is taken apart, and the times include that.

    Examples:
        puzzlec estimate solid-pentominoes/3x4x5
        puzzlec estimate pentominoes/6x10 --symmetry none

    """
    report = Report()
    with asked.bounded():
        encoding = asked.encoding()
    placements = sum(len(piece.placements) for piece in encoding.fitting.pieces)
    try:
        with asked.bounded():
            check(encoding, report=report)
        report.stop_on_errors()
        estimate = _estimated(encoding, asked, probes, seed)
    except OutOfTime as late:
        if MODE.json:
            out_json({"placements": placements, "stopped": late.stage or None})
        elif not MODE.sweep:
            out(f"placements {placements}{_of_pieces(encoding.fitting)}")
        raise
    if MODE.json:
        out_json({"placements": placements, **estimate.as_data()})
    elif MODE.sweep:
        MODE.sweep.print_row(**estimate.as_row())
    else:
        out(f"placements {placements}{_of_pieces(encoding.fitting)}")
        out("\n".join(estimate.lines(style().ascii)))


def _estimated(encoding: Encoding, asked: Estimating, probes: int, seed: int) -> ForecastText:
    """Return the estimate of a search; raise OutOfTime if the time is over before the first probe."""
    which, comes_apart = asked.which, asked.comes_apart
    solutions = Solutions(encoding, symmetry=which)
    with asked.bounded():
        cover, weigh = searched(solutions, comes_apart, asked.begun + asked.time)
    with asked.bounded(grace=True):
        left = asked.left or 0.0
        result = counted_at_once(cover, weigh) or probed(cover, probes, seed, PROBING_SHARE * left, weigh)
    comparing = weigh.seconds * result.covers / result.hits if weigh and result.hits else 0.0
    count, complete = None, False
    with suppress(OutOfTime), asked.bounded():
        if not result.exact:
            result = replace(result, rate=rate_of(cover))
        if not comes_apart:
            count, complete = time_of_count(encoding, which, min(TRIAL_SECONDS, asked.left or 0.0))
    if count is None and result.seconds is not None:
        count = result.seconds + comparing  # it searches for all solutions
    estimate = ForecastText(result, solutions.convention, solutions.symmetry, comparing, count, complete, comes_apart)
    return estimate._replace(on_workers=tuple(worth_sharing(estimate.seconds)))


def _of_pieces(fitting: Fitting) -> str:
    """Return which pieces and locations a fitting has, in words."""
    pieces = counted(len(fitting.pieces), "piece")
    return f", of {pieces} on {counted(fitting.locations, 'location')}"


def seconds_on(workers: int, seconds: float) -> float:
    """Return the expected seconds of a search on this many workers, if one worker needs ``seconds``.

    At the end, a worker waits for two time slices on average. A simulation with up to 10,000 workers agrees within a
    tenth for searches of an hour or more on all workers (``docs/benchmarks.md``).

    >>> round(seconds_on(100, 36_000)), round(seconds_on(10_000, 36_000))
    (368, 804)
    """
    return seconds / workers + (2 * slice_seconds(workers) if workers > 1 else 0.0)


def worth_sharing(seconds: float | None) -> Iterator[tuple[int, float]]:
    """Yield numbers of workers with their seconds for a long search, until more would not save a tenth."""
    if seconds is None or seconds < LONG_SECONDS or math.isinf(seconds):
        return
    before = seconds
    for workers in NUMBERS_OF_WORKERS:
        now = seconds_on(workers, seconds)
        if now > 0.9 * before:
            return
        yield workers, now
        before = now
