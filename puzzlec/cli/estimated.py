"""An estimate of a search in words: its nodes, solutions and time, and the nodes of each level as bars."""

from __future__ import annotations

import math

from puzzlec.cli.figures import rounded
from puzzlec.diagnostics import counted
from puzzlec.engine.search.estimating import Estimate
from puzzlec.solving.conventions import counted_solutions

#: The longest bar of the profile, in characters.
LONGEST = 40


def lines(result: Estimate, symmetry: str, comparing: float, ascii: bool) -> list[str]:
    """Return an estimate in words, with the nodes by level as bars.

    ``comparing`` is the time in seconds to compare all solutions with their images.
    """
    dives = "" if result.exact else f", by {counted(result.probes, 'dive')}"
    found = [f"search     {counted_solutions(0, symmetry)[2:]}{dives}"]
    if result.exact:
        found += [f"nodes      {result.nodes:.0f}, counted", f"solutions  {result.solutions:.0f}, counted"]
    else:
        found.append(f"nodes      {rounded(result.nodes)}{_range(result.nodes_between, result.heavy_tailed)}")
        if result.solutions_known:
            between = _range(result.solutions_between, result.solutions_heavy_tailed)
            found.append(f"solutions  {rounded(result.solutions)}{between}")
        else:
            found.append(f"solutions  unknown: {counted(result.hits, 'dive')} reached a solution, too few to say")
    if result.seconds is not None and result.rate is not None:
        compared = " to search and to compare" if comparing else ""
        time = duration(result.seconds + comparing)
        found.append(f"time       {time}{compared}, at {rounded(result.rate)} nodes a second")
    if result.heavy_tailed or (result.solutions_known and result.solutions_heavy_tailed):
        found.append("remark     a few dives carry most of this: the true number may be many times larger")
    most = max(result.profile, default=0.0)
    if most:
        found += ["", "level  nodes"]
    for level, nodes in enumerate(result.profile):
        part = nodes / most if math.isfinite(most) else float(math.isinf(nodes))
        bar = ("#" if ascii else "█") * round(LONGEST * part)
        found.append(f"{level + 1:>5}  {rounded(nodes):>9}  {bar}".rstrip())
    return found


def _range(between: tuple[float, float], heavy_tailed: bool) -> str:
    low, high = between
    if heavy_tailed and math.isfinite(high):
        return ", or so: the dives differ too much for an interval"
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
