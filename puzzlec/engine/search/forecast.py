"""The number of nodes that a running search still has, from random probes into its tree.

The position of a search in its tree hardly shows its duration. On the trees tried, the part of the tree before a
position, with equal branches, was off by a factor of 2 to 3. In one of ten cases the factor was 12. The mean of the
probes was off by 7 %, in one of ten cases by 26 %. See ``docs/decisions/038-progress-by-estimates.md``.

The nodes of a tree are assumed to have a lognormal distribution with the mean and the standard error of the probes. The
forecast uses the part of that distribution beyond the nodes that are done.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from threading import Thread
from typing import NamedTuple

from puzzlec.engine.kernels import compiling
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search import selection
from puzzlec.engine.search.estimating import probed

#: Maximum number of probes, and of seconds.
MAX_PROBES, MAX_PROBE_SECONDS = 20_000, 1.5

#: Fewer probes than this are not enough for a forecast.
MIN_PROBES = 500

#: Problems with more entries have no probes during their search, because probes take memory.
MAX_PROBED_ENTRIES = 1_000_000

#: The standard error of the probes is too small by this factor, because the 20 batches are skewed (measured).
BATCH_ERROR_FACTOR = 1.27

#: Smallest and largest error of an estimate, as a fraction of the estimate.
MIN_ERROR, MAX_ERROR = 0.01, 4.0

#: Beyond this fraction of the distribution, the forecast was wrong.
END_QUANTILE = 0.97

#: At this many standard deviations, an integral is replaced by its asymptote.
MAX_DEVIATIONS = 5.0


def prepared(cover: ExactCover) -> Thread | None:
    """Return the thread that compiles the probes of a forecast, or None if there is nothing to compile."""
    if not selection.has_numba() or len(cover.items) > MAX_PROBED_ENTRIES:
        return None
    from puzzlec.engine.kernels.jit import is_compiled
    from puzzlec.engine.kernels.random_probes import probe

    return None if is_compiled(probe) else compiling.aside(lambda: probed(cover, 1, 0, None))


class Forecast(NamedTuple):
    """The number of nodes of a tree: the mean of the probes, and its standard error as part of the mean."""

    nodes: float
    error: float

    @classmethod
    def of(cls, cover: ExactCover) -> Forecast | None:
        """Return a forecast for the search of a problem, in about a second.

        Return None if no reliable forecast is possible: the probes have a heavy tail, or numba is missing.
        """
        if not selection.has_numba() or len(cover.items) > MAX_PROBED_ENTRIES:
            return None
        probed(cover, 1, 0, None)  # compiles or loads the probes outside the time limit
        estimate = probed(cover, MAX_PROBES, 0, MAX_PROBE_SECONDS)
        if estimate.heavy_tailed or estimate.probes < MIN_PROBES or not 0 < estimate.nodes < math.inf:
            return None
        return cls(estimate.nodes, estimate.error)

    def rest(self, done: int) -> tuple[float, float, float] | None:
        """Return how many nodes are left after ``done`` nodes, and an interval that is right in 9 of 10 cases.

        Return None if more nodes are done than the forecast allows.

        >>> [round(number) for number in Forecast(1000.0, 0.1).rest(400) or ()]
        [600, 405, 822]
        """
        deviation = max(self.error, MIN_ERROR) * BATCH_ERROR_FACTOR
        middle = math.log(self.nodes) - deviation**2 / 2
        standard = NormalDist()
        before = standard.cdf((math.log(max(done, 1)) - middle) / deviation)
        if before > END_QUANTILE:
            return None
        low, high = (
            math.exp(middle + deviation * standard.inv_cdf(before + (1 - before) * part)) - done
            for part in (0.05, 0.95)
        )
        return further(self.nodes, deviation * self.nodes, done), max(low, 0.0), max(high, 0.0)


def further(size: float, error: float, nodes: float) -> float:
    """Return how many nodes are expected after the first ``nodes`` of a tree, if ``size`` was estimated.

    The number of all nodes is assumed to have a lognormal distribution with this mean and standard ``error``. The
    result is the mean of the part beyond ``nodes``.

    >>> round(further(100.0, 10.0, 50.0)), round(further(100.0, 100.0, 300.0))
    (50, 144)
    """
    size = max(size, 1.0)
    width = math.log1p(min(max(error / size, MIN_ERROR), MAX_ERROR) ** 2)
    deviation = math.sqrt(width)
    at = (math.log(max(nodes, 1.0) / size) + width / 2) / deviation
    if at > MAX_DEVIATIONS:  # Mills' ratio, as both integrals vanish
        return nodes * deviation / (at - deviation) if at > deviation + 1 else nodes
    above = size * math.erfc((at - deviation) / math.sqrt(2)) / math.erfc(at / math.sqrt(2))
    return max(above - nodes, 0.0)
