"""The nodes that are left of subproblems, from those of them that are searched.

Ratio estimation: W. G. Cochran, "Sampling Techniques", 3rd edition, 1977, chapter 6. Subproblems were estimated by
random probes before they were searched, so the error of each searched one is known. The open ones are corrected by the
ratio of actual to estimated nodes. While few are done, this ratio stays near its prior. Those under way are more often
long ones. Their expected size is the mean of the part of a distribution beyond their nodes so far. If a few carry most
of the error, there is a heavy tail.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlec.engine.search.forecast import further

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

#: Weight of the prior expectation, in work units.
PRIOR_UNITS = 4.0

#: Factor between the squared errors and their estimates while nothing is known. It allows for skewed random probes.
PRIOR_ERROR_FACTOR = 2.0

#: Prior ratio of actual to estimated nodes. Plans divide work units that seem large, and leave those that were
#: estimated too low. The first is the part of the relative error on average, the second the spread between trees ...
PRIOR_BIAS_FACTOR, PRIOR_SPREAD_FACTOR = 0.4, 0.4

#: ... except for this fraction.
MIN_PRIOR_SPREAD = 0.02

#: Smallest relative error of an estimate.
MIN_RELATIVE_ERROR = 0.05

#: A work unit with more nodes than estimated is expected to have at least this fraction of the excess left.
MIN_EXCESS_FRACTION = 0.25

#: A few work units make up a sum if its square, divided by the sum of the squares, is below this.
MIN_EFFECTIVE_UNITS = 4.0

#: Neighbours in the order of the search are similar, so they count as this fraction of a sample in random order.
NEIGHBOUR_FACTOR = 4.0


class Rest(NamedTuple):
    """The rest of some work units: expected nodes, their variance, and whether few work units make it up."""

    nodes: float = 0.0
    variance: float = 0.0
    heavy: bool = False


@dataclass(frozen=True)
class Survey:
    """Work units, one in each position of the arrays (float64; nodes), and their state.

    ``size`` and ``spread`` are the estimates and their standard errors. ``nodes`` are the nodes visited so far: all
    nodes for the ``settled`` units. ``begun`` work units are being searched. ``in_order`` means that they are taken in
    the order of the search.
    """

    size: Floats
    spread: Floats
    nodes: Floats
    settled: Flags
    begun: Flags
    in_order: bool = False

    def rest(self) -> Rest:
        """Return what is left."""
        if self.settled.all():
            return Rest()
        inexact = self.spread > 0
        sample, fresh = self.settled & inexact, ~self.settled & ~self.begun
        rests = self._rests(sample)
        ratio, doubt = self._ratio(rests, sample | self.begun)
        open_ = float(self.size[fresh & inexact].sum())
        variance = self._scale(ratio, sample) * float((self.spread[fresh] ** 2).sum())
        squares = (self.nodes[sample] - ratio * self.size[sample]) ** 2
        if sample.any():  # errors that are proportional to sizes would give this
            alike = float((self.size[fresh & inexact] ** 2).sum()) / max(float((self.size[sample] ** 2).sum()), 1e-9)
            variance = max(variance, alike * float(squares.sum()))
        parts = np.concatenate((squares, self.spread[fresh] ** 2))
        few = float(parts.sum()) ** 2 < MIN_EFFECTIVE_UNITS * float((parts**2).sum())
        left = ratio * open_ + float(self.size[fresh & ~inexact].sum()) + float(rests.sum())
        return Rest(left, variance + open_**2 * doubt + float((rests**2).sum()), few)

    def _rests(self, sample: Flags) -> Floats:
        """Return what is left of the begun work units, 0 for others."""
        rests = np.zeros(len(self.size))
        scale, (ratio, _) = math.sqrt(self._scale(1.0, sample)), self._first
        for at in np.flatnonzero(self.begun).tolist():
            size = ratio * float(self.size[at])
            error = max(scale * float(self.spread[at]), MIN_RELATIVE_ERROR * size)
            nodes = float(self.nodes[at])
            rests[at] = max(further(size, error, nodes), MIN_EXCESS_FRACTION * (nodes - size))
        return rests

    def _scale(self, ratio: float, sample: Flags) -> float:
        """Return the factor of the squared errors over their estimates, from the known work units."""
        inexact = self.spread[self.spread > 0]
        if not len(inexact):
            return 1.0
        first, errors = PRIOR_UNITS * float((inexact**2).mean()), self.nodes[sample] - ratio * self.size[sample]
        return (PRIOR_ERROR_FACTOR * first + float((errors**2).sum())) / (
            first + float((self.spread[sample] ** 2).sum())
        )

    @property
    def _first(self) -> tuple[float, float]:
        """The expected ratio of actual to estimated nodes before any is known, and its variance."""
        inexact = self.spread > 0
        if not inexact.any():
            return 1.0, MIN_PRIOR_SPREAD**2
        unsure = float(self.spread[inexact].sum()) / max(float(self.size[inexact].sum()), 1e-9)
        return 1 + PRIOR_BIAS_FACTOR * unsure, (PRIOR_SPREAD_FACTOR * unsure) ** 2 + MIN_PRIOR_SPREAD**2

    def _ratio(self, rests: Floats, sample: Flags) -> tuple[float, float]:
        """Return the ratio of actual to estimated nodes, and its variance.

        The ``sample`` work units that are only begun have ``rests``. The more is left, the less they count.
        """
        first, doubt = self._first
        number = int(np.count_nonzero(sample))
        if number < 2:
            return first, doubt
        sizes, actual = self.size[sample], self.nodes[sample] + rests[sample]
        total = max(float(sizes.sum()), 1e-9)
        ratio = float(actual.sum()) / total
        squares = max(float(((actual - ratio * sizes) ** 2).sum()), float((self.spread[sample] ** 2).sum()))
        chance = (squares + float((rests[sample] ** 2).sum())) / total**2 * number / (number - 1)
        chance *= NEIGHBOUR_FACTOR if self.in_order else 1.0
        doubt = max(doubt, ((ratio - first) ** 2 - chance) / 4)  # farther off than expected
        kept = doubt / (doubt + chance)
        return first + kept * (ratio - first), kept * chance
