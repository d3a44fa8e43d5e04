"""An estimate of a search in words and as data, and the profile of a search as bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.columns import aligned
from puzzlec.diagnostics.figures import rounded
from puzzlec.engine.search.estimating import Estimate
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.subject import counted_solutions

#: The longest bar of a profile, in characters.
LONGEST_BAR = 40


class ForecastText(NamedTuple):
    """An estimate of a search for solutions of a kind, with the times of the commands.

    ``comparing`` is the time in seconds to compare all solutions with their images, and to take them apart if only
    those that come apart count (``comes_apart``). ``count_seconds`` is the time of a
    count, None if unknown. It is measured if the count is ``counted``, else a forecast. ``on_workers`` are numbers of
    workers with the seconds that they need together.
    """

    result: Estimate
    convention: str
    symmetry: SymmetryKind
    comparing: float
    count_seconds: float | None
    counted: bool
    comes_apart: bool = False
    on_workers: Sequence[tuple[int, float]] = ()

    @property
    def seconds(self) -> float | None:
        """The seconds of the search for all solutions, None if unknown."""
        return None if self.result.seconds is None else self.result.seconds + self.comparing

    def as_data(self) -> dict[str, Any]:
        """Return the estimate for JSON; measured values, which differ between runs, are separate."""
        result = self.result
        between_known = result.solutions_known and not result.solutions_heavy_tailed
        return {
            "search": self.convention,
            "comes_apart": self.comes_apart,
            "symmetry": self.symmetry,
            "exact": result.exact,
            "nodes": _finite(result.nodes),
            "nodes_between": None if result.heavy_tailed else list(map(_finite, result.nodes_between)),
            "heavy_tailed": result.heavy_tailed,
            "solutions": _finite(result.solutions) if result.solutions_known else None,
            "solutions_between": list(map(_finite, result.solutions_between)) if between_known else None,
            "profile": list(map(_finite, result.profile)),
            "probes": result.probes,
            "hits": result.hits,
            "measured": {
                "nodes_per_second": result.rate,
                "seconds": _finite(self.seconds),
                "seconds_on_workers": {str(workers): now for workers, now in self.on_workers},
                "count_seconds": _finite(self.count_seconds),
                "counted": self.counted,
            },
        }

    def as_row(self) -> dict[str, str]:
        """Return the estimate for a table with a row for each puzzle."""
        result = self.result
        write: Callable[[float], str] = "{:.0f}".format if result.exact else rounded
        is_known = result.exact or result.solutions_known
        solutions = write(result.solutions) if is_known else "unknown"
        times = {"solve": _duration(self.seconds), "count": _duration(self.count_seconds)}
        return {"nodes": write(result.nodes), "solutions": solutions, **times}

    def lines(self, ascii: bool) -> Iterator[str]:
        """Yield the estimate in words, with the nodes at each depth as bars."""
        result = self.result
        by_probes = "" if result.exact else f", by {counted(result.probes, 'probe')}"
        yield f"search     {counted_solutions(0, self.symmetry)[2:]}{' that come apart' * self.comes_apart}{by_probes}"
        if result.exact:
            yield f"nodes      {result.nodes:.0f}, counted"
            yield f"solutions  {result.solutions:.0f}, counted"
        else:
            yield f"nodes      {rounded(result.nodes)}{_range(result.nodes_between, result.heavy_tailed)}"
            between = _range(result.solutions_between, result.solutions_heavy_tailed)
            few = f"unknown: {counted(result.hits, 'probe')} reached a solution, too few for an estimate"
            yield f"solutions  {rounded(result.solutions) + between if result.solutions_known else few}"
        if self.seconds is not None and result.rate is not None:
            yield f"solve      {duration(self.seconds)} with `--all`, at {rounded(result.rate)} nodes a second"
            if self.on_workers:
                yield f"workers    {'; '.join(f'{workers:,}: {duration(now)}' for workers, now in self.on_workers)}"
        yield f"count      {_duration(self.count_seconds)}"
        wild = ["nodes"] * result.heavy_tailed
        wild += ["solutions"] * (result.solutions_known and result.solutions_heavy_tailed)
        if wild:
            few = f"a few probes found most of the {' and '.join(wild)}: there may be many times as many"
            yield f"remark     {few}"
        if profile := profile_lines(result.profile, "#" if ascii else "█", rounded):
            yield from ("", *profile)


def profile_lines(profile: Sequence[float], bar: str = "#", write: Callable[[float], str] = str) -> list[str]:
    """Return a profile as a table: a line for each depth, its nodes as ``write`` says, and a bar in proportion.

    >>> profile_lines([1, 2])
    ['depth  nodes', '    1      1  ####################', '    2      2  ########################################']
    """
    most = max(profile, default=0)
    if not most:
        return []
    parts = (nodes / most if math.isfinite(most) else float(math.isinf(nodes)) for nodes in profile)
    bars = (bar * math.ceil(LONGEST_BAR * part) for part in parts)
    rows = [
        (str(depth), write(nodes), drawn) for depth, (nodes, drawn) in enumerate(zip(profile, bars, strict=True), 1)
    ]
    return list(aligned([("depth", "nodes", ""), *rows], left=[2]))


def _finite(number: float | None) -> float | None:
    """Return a number for JSON, None for infinity."""
    return None if number is None or math.isinf(number) else number


def _range(between: tuple[float, float], heavy_tailed: bool) -> str:
    low, high = between
    if heavy_tailed and math.isfinite(high):
        return ", roughly: the probes differ too much for an interval"
    return f", likely {rounded(low)} to {rounded(high)}" if math.isfinite(high) else ", too few probes for an interval"


def _duration(seconds: float | None) -> str:
    return "unknown" if seconds is None else duration(seconds)


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
