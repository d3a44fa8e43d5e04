"""``puzzlec estimate``: the size of the search for all solutions, before it starts."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import Annotated, Any, NamedTuple

from puzzlec.cli.arguments import TIME, Question
from puzzlec.cli.deadline import OutOfTime
from puzzlec.cli.options import Option
from puzzlec.cli.terminal import MODE, out, out_json, style
from puzzlec.diagnostics import Report, counted
from puzzlec.engine import Limits
from puzzlec.engine.progress import Progress
from puzzlec.engine.search.estimating import Estimate, counted_at_once, probed, rate_of
from puzzlec.ir import Fitting
from puzzlec.jobs.workers.protocol import seconds_on
from puzzlec.lower import Encoding
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.pipeline import check
from puzzlec.questions import searched
from puzzlec.show.terminal.figures import rounded
from puzzlec.solving.solutions import Solutions
from puzzlec.solving.subject import counted_solutions

#: Default limit in seconds; only the largest puzzles need it.
PATIENCE = 60.0

#: The probes leave this part of the time for measuring the speed of the search, and for a trial of a count.
PROBING = 0.6

#: Most seconds for the trial of a count.
TRIAL_SECONDS = 3.0

#: The progress of the trial is read after each of these seconds.
LOOKS = 0.2


#: From this many seconds on, a search is worth several workers. The time is shown for these numbers of workers.
LONG, WORKERS = 600.0, (10, 100, 1000, 10_000)


@dataclass(kw_only=True, eq=False, repr=False)
class Estimating(Question):
    """The options of an estimate, which has a limit of time in any case."""

    time: Annotated[float, TIME] = PATIENCE


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
        out_json({"placements": placements, **_as_data(estimate)})
    elif MODE.sweep:
        MODE.sweep.print_row(**_as_row(estimate))
    else:
        out(f"placements {placements}{_of_pieces(encoding.fitting)}")
        for line in lines(estimate, style().ascii):
            out(line)


class Found(NamedTuple):
    """An estimate of a search for solutions of a kind, with the times of the commands.

    ``comparing`` is the time in seconds to compare all solutions with their images, and to take them apart if only
    those that come apart count (``comes_apart``). ``count_seconds`` is the time of a
    count, None if unknown. It is measured if the count is ``counted``, else a forecast.
    """

    result: Estimate
    convention: str
    symmetry: SymmetryKind
    comparing: float
    count_seconds: float | None
    counted: bool
    comes_apart: bool = False


def _estimated(encoding: Encoding, asked: Estimating, probes: int, seed: int) -> Found:
    """Return the estimate of a search; raise OutOfTime if the time is over before the first probe."""
    which, comes_apart = asked.which, asked.comes_apart
    solutions = Solutions(encoding, symmetry=which)
    with asked.bounded():
        cover, weigh = searched(solutions, comes_apart, asked.begun + asked.time)
    with asked.bounded(grace=True):
        left = asked.left or 0.0
        result = counted_at_once(cover, weigh) or probed(cover, probes, seed, PROBING * left, weigh)
    comparing = weigh.seconds * result.covers / result.hits if weigh and result.hits else 0.0
    count, complete = None, False
    with suppress(OutOfTime), asked.bounded():
        if not result.exact:
            result = replace(result, rate=rate_of(cover))
        if not comes_apart:
            count, complete = _time_of_count(encoding, which, min(TRIAL_SECONDS, asked.left or 0.0))
    if count is None and result.seconds is not None:
        count = result.seconds + comparing  # it searches for all solutions
    return Found(result, solutions.convention, solutions.symmetry, comparing, count, complete, comes_apart)


def _time_of_count(encoding: Encoding, which: SymmetryKind, seconds: float) -> tuple[float | None, bool]:
    """Return the time of a count, and whether it was complete in the given time; None if there is no forecast.

    The forecast is that of the count itself: its layers know how many states are left.
    """
    solutions = Solutions(encoding, limits=Limits(seconds=seconds), symmetry=which)
    over, looks = Event(), list[Progress]()

    def watch() -> None:
        while not over.wait(LOOKS):
            looks.append(solutions.progress())

    begun, watching = clock.monotonic(), Thread(target=watch, daemon=True)
    watching.start()
    try:
        solutions.count()
    finally:
        over.set()
        watching.join()
    taken = clock.monotonic() - begun
    if solutions.stopped is None:
        return taken, True
    last = next((look for look in reversed(looks) if look.doing), None)
    return (taken + last.left if last is not None and last.left is not None else None), False


def _of_pieces(fitting: Fitting) -> str:
    """Return which pieces and locations a fitting has, in words."""
    pieces = counted(len(fitting.pieces), "piece")
    return f", of {pieces} on {counted(fitting.locations, 'location')}"


def _as_data(found: Found) -> dict[str, Any]:
    """Return an estimate for JSON; measured values, which differ between runs, are separate."""
    result = found.result
    seconds = None if result.seconds is None else result.seconds + found.comparing
    between_known = result.solutions_known and not result.solutions_heavy_tailed
    return {
        "search": found.convention,
        "comes_apart": found.comes_apart,
        "symmetry": found.symmetry,
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
            "count_seconds": _finite(found.count_seconds),
            "counted": found.counted,
        },
    }


def _as_row(found: Found) -> dict[str, str]:
    """Return an estimate for the table of a sweep."""
    result = found.result
    known = result.exact or result.solutions_known
    count = f"{result.solutions:.0f}" if result.exact else rounded(result.solutions) if known else "unknown"
    solve = "unknown" if result.seconds is None else duration(result.seconds + found.comparing)
    time = "unknown" if found.count_seconds is None else duration(found.count_seconds)
    nodes = f"{result.nodes:.0f}" if result.exact else rounded(result.nodes)
    return {"nodes": nodes, "solutions": count, "solve": solve, "count": time}


def _finite(number: float | None) -> float | None:
    """Return a number for JSON, None for infinity."""
    return None if number is None or math.isinf(number) else number


def _ends(between: tuple[float, float]) -> list[float | None]:
    """Return the ends of an interval for JSON."""
    return list(map(_finite, between))


#: The longest bar of the profile, in characters.
LONGEST = 40


def lines(estimate: Found, ascii: bool) -> list[str]:
    """Return an estimate in words, with the nodes at each depth as bars."""
    result, symmetry, comparing = estimate.result, estimate.symmetry, estimate.comparing
    by_probes = "" if result.exact else f", by {counted(result.probes, 'probe')}"
    apart = " that come apart" * estimate.comes_apart
    lines = [f"search     {counted_solutions(0, symmetry)[2:]}{apart}{by_probes}"]
    if result.exact:
        lines += [f"nodes      {result.nodes:.0f}, counted", f"solutions  {result.solutions:.0f}, counted"]
    else:
        lines.append(f"nodes      {rounded(result.nodes)}{_range(result.nodes_between, result.heavy_tailed)}")
        if result.solutions_known:
            between = _range(result.solutions_between, result.solutions_heavy_tailed)
            lines.append(f"solutions  {rounded(result.solutions)}{between}")
        else:
            lines.append(
                f"solutions  unknown: {counted(result.hits, 'probe')} reached a solution, too few for an estimate"
            )
    if result.seconds is not None and result.rate is not None:
        solve = duration(result.seconds + comparing)
        lines.append(f"solve      {solve} with `--all`, at {rounded(result.rate)} nodes a second")
        shared = "; ".join(f"{workers:,}: {duration(now)}" for workers, now in _shared(result.seconds + comparing))
        lines += [f"workers    {shared}"] if shared else []
    count = "unknown" if estimate.count_seconds is None else duration(estimate.count_seconds)
    lines.append(f"count      {count}")
    wild = ["nodes"] * result.heavy_tailed + ["solutions"] * (result.solutions_known and result.solutions_heavy_tailed)
    if wild:
        lines.append(f"remark     a few probes found most of the {' and '.join(wild)}: there may be many times as many")
    most = max(result.profile, default=0.0)
    if most:
        lines += ["", "depth  nodes"]
    for depth, nodes in enumerate(result.profile):
        part = nodes / most if math.isfinite(most) else float(math.isinf(nodes))
        bar = ("#" if ascii else "█") * round(LONGEST * part)
        lines.append(f"{depth + 1:>5}  {rounded(nodes):>9}  {bar}".rstrip())
    return lines


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
