"""``puzzlec estimate``: how large the search for all solutions is, before it is made."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any

import typer

from puzzlec.cli.arguments import Board, From, Parameters, Problem, PuzzleName, Raw, SymmetryName, chosen_symmetry
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.figures import rounded
from puzzlec.cli.input import encoded
from puzzlec.cli.terminal import out, report_all, style
from puzzlec.diagnostics import Report, none_of
from puzzlec.engine.estimating import Estimate
from puzzlec.engine.estimating import estimate as estimated
from puzzlec.pipeline import check
from puzzlec.solution import representatives
from puzzlec.solution.conventions import counted_solutions
from puzzlec.solutions import Solutions

FORMATS = ("text", "json")

#: After so many seconds an estimate is made of the dives that there are; only the largest puzzles take as long.
PATIENCE = 60.0

#: The longest bar of the profile, in characters.
LONGEST = 40


def estimate(
    puzzle: PuzzleName,
    raw: Raw = False,
    symmetry: SymmetryName = None,
    probes: Annotated[int, typer.Option(metavar="N", min=1, help="Make N random dives into the tree.")] = 10_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random choices.")] = 0,
    time: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="Dive no longer than that.")] = PATIENCE,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="How to print: text or json.")] = "text",
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
    which = chosen_symmetry(raw, symmetry)
    encoding = encoded(puzzle, source, board, given, problem)
    report = Report()
    check(encoding, report)
    if report.errors:
        report_all(report.diagnostics)
        raise typer.Exit(ExitStatus.FAULTY)
    cover, solutions = encoding.cover, Solutions(encoding, symmetry=which)
    if solutions.convention == "distinct":
        cover = representatives(cover, solutions.group).searched
    result = estimated(cover, probes, seed, time)
    if format == "json":
        out(json.dumps(_as_data(result, solutions)))
    else:
        for line in _lines(result, solutions.symmetry, style().ascii):
            out(line)


def _as_data(result: Estimate, solutions: Solutions) -> dict[str, Any]:
    """Return an estimate as JSON has it; what was measured, and differs from run to run, is apart."""
    return {
        "search": solutions.convention,
        "symmetry": solutions.symmetry,
        "exact": result.exact,
        "nodes": _finite(result.nodes),
        "nodes_between": _ends(result.nodes_between),
        "heavy_tailed": result.heavy_tailed,
        "solutions": _finite(result.solutions) if result.solutions_known else None,
        "solutions_between": _ends(result.solutions_between) if result.solutions_known else None,
        "profile": list(map(_finite, result.profile)),
        "probes": result.probes,
        "hits": result.hits,
        "measured": {"nodes_per_second": result.rate, "seconds": _finite(result.seconds)},
    }


def _finite(number: float | None) -> float | None:
    """Return a number for JSON, which knows no infinity: None where it is beyond any float."""
    return None if number is None or math.isinf(number) else number


def _ends(between: tuple[float, float]) -> list[float | None]:
    """Return the ends of an interval; JSON knows no infinity."""
    return list(map(_finite, between))


def _lines(result: Estimate, symmetry: str, ascii: bool) -> list[str]:
    """Return an estimate in words, with the nodes by level as bars."""
    lines = [
        f"search     {counted_solutions(0, symmetry)[2:]}" + ("" if result.exact else f", by {result.probes} dives")
    ]
    if result.exact:
        lines += [f"nodes      {result.nodes:.0f}, counted", f"solutions  {result.solutions:.0f}, counted"]
    else:
        lines.append(f"nodes      {rounded(result.nodes)}{_range(result.nodes_between)}")
        if result.solutions_known:
            lines.append(f"solutions  {rounded(result.solutions)}{_range(result.solutions_between)}")
        else:
            lines.append(f"solutions  unknown: {result.hits} dives reached one, too few to say")
    if result.seconds is not None and result.rate is not None:
        lines.append(f"time       {duration(result.seconds)}, at {rounded(result.rate)} nodes a second")
    if result.heavy_tailed:
        lines.append("remark     a few dives carry most of this: the true number may well be many times larger")
    most = max(result.profile, default=0.0)
    if most:
        lines += ["", "level  nodes"]
    for level, nodes in enumerate(result.profile):
        part = nodes / most if math.isfinite(most) else float(math.isinf(nodes))
        bar = ("#" if ascii else "█") * round(LONGEST * part)
        lines.append(f"{level + 1:>5}  {rounded(nodes):>9}  {bar}".rstrip())
    return lines


def _range(between: tuple[float, float]) -> str:
    low, high = between
    return f", likely {rounded(low)} to {rounded(high)}" if math.isfinite(high) else ", too few dives for an interval"


def duration(seconds: float) -> str:
    """Return a length of time in one unit, in two digits.

    >>> duration(0.004), duration(75), duration(7300), duration(3e6), duration(1e12)
    ('less than 0.1 s', '75 s', '2 h', '35 days', '3.2e+04 years')
    """
    if math.isinf(seconds):
        return "more than anybody has"
    if seconds < 0.1:
        return "less than 0.1 s"
    for size, word in ((60 * 60 * 24 * 365.25, "years"), (60 * 60 * 24, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            number = seconds / size
            return f"{number:.2g} {word}" if number < 100 or number >= 1e4 else f"{number:.0f} {word}"
    return f"{seconds:.2g} s" if seconds < 100 else f"{seconds:.0f} s"
