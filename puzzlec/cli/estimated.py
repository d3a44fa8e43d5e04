"""An estimate of a search in words: its nodes, solutions and time, and the nodes of each level as bars."""

from __future__ import annotations

import math

from puzzlec.cli.figures import rounded
from puzzlec.diagnostics import counted
from puzzlec.engine.estimating import Estimate
from puzzlec.solution.conventions import counted_solutions

#: The longest bar of the profile, in characters.
LONGEST = 40


def lines(result: Estimate, symmetry: str, ascii: bool) -> list[str]:
    """Return an estimate in words, with the nodes by level as bars."""
    found = [
        f"search     {counted_solutions(0, symmetry)[2:]}" + ("" if result.exact else f", by {result.probes} dives")
    ]
    if result.exact:
        found += [f"nodes      {result.nodes:.0f}, counted", f"solutions  {result.solutions:.0f}, counted"]
    else:
        found.append(f"nodes      {rounded(result.nodes)}{_range(result.nodes_between)}")
        if result.solutions_known:
            found.append(f"solutions  {rounded(result.solutions)}{_range(result.solutions_between)}")
        else:
            found.append(f"solutions  unknown: {counted(result.hits, 'dive')} reached one, too few to say")
    if result.seconds is not None and result.rate is not None:
        found.append(f"time       {duration(result.seconds)}, at {rounded(result.rate)} nodes a second")
    if result.heavy_tailed:
        found.append("remark     a few dives carry most of this: the true number may well be many times larger")
    most = max(result.profile, default=0.0)
    if most:
        found += ["", "level  nodes"]
    for level, nodes in enumerate(result.profile):
        part = nodes / most if math.isfinite(most) else float(math.isinf(nodes))
        bar = ("#" if ascii else "█") * round(LONGEST * part)
        found.append(f"{level + 1:>5}  {rounded(nodes):>9}  {bar}".rstrip())
    return found


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
