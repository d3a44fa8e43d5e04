"""What is left of a job's portions, from those that are done: survey sampling.

Every portion was estimated by dives before it was searched, and those that are done tell how good these estimates are:
the error of each is known exactly. The open ones are expected to be as large as they were estimated, corrected by the
ratio of actual to estimated nodes that the done ones show (ratio estimation: W. G. Cochran, "Sampling Techniques",
3rd edition, 1977, chapter 6). While few are done, that ratio is held to what it was on the trees that this was tried
with, each by its precision (as a mean of a normal distribution with a normal prior is).

Portions that are being searched are more often long ones, so to leave them out would make the ratio too low. What they
still have is the mean of a distribution beyond what they have had.
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

#: As many portions as this stand for what was expected before any portion was done.
PRIOR = 4.0

#: The squares of the errors are greater than estimated by this factor, as far as nothing is known: dives are skewed.
GREATER = 2.0

#: The ratio of actual to estimated nodes before any is known. Plans divide what seems large, and leave what was
#: estimated too low: by this part of the relative error on average, and trees differ by that part of it ...
LOW, UNLIKE = 0.4, 0.4

#: ... but for this.
SURE = 0.02

#: The error of an estimate is not taken for less than this part of it.
LEAST = 0.05

#: What has more nodes than it was estimated at is expected to go on at least for this part of the excess.
BEYOND = 0.25

#: Errors are few if the sum of their squares is that of fewer portions than these.
FEW = 4.0

#: Portions in the order of the search are like their neighbours: they tell as much as a part of them in any order.
NEIGHBOURS = 4.0


class Rest(NamedTuple):
    """What is left of some portions: expected nodes, the variance of that, and whether few portions make it up."""

    nodes: float = 0.0
    variance: float = 0.0
    heavy: bool = False


@dataclass(frozen=True)
class Survey:
    """Portions, one in each place of the arrays (float64; nodes), and what is known of them.

    ``size`` and ``spread`` are the estimates and their standard errors, ``nodes`` those met, of the ``settled`` ones
    all that they have. ``begun`` are those that are being searched. ``in_order``: they are taken in that of the search.
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
        known, fresh = self.settled & inexact, ~self.settled & ~self.begun
        rests = self._rests(known)
        ratio, doubt = self._ratio(rests, known | self.begun)
        open_ = float(self.size[fresh & inexact].sum())
        variance = self._scale(ratio, known) * float((self.spread[fresh] ** 2).sum())
        squares = (self.nodes[known] - ratio * self.size[known]) ** 2
        if known.any():  # the same, were errors in proportion to sizes
            alike = float((self.size[fresh & inexact] ** 2).sum()) / max(float((self.size[known] ** 2).sum()), 1e-9)
            variance = max(variance, alike * float(squares.sum()))
        parts = np.concatenate((squares, self.spread[fresh] ** 2))
        few = float(parts.sum()) ** 2 < FEW * float((parts**2).sum())
        left = ratio * open_ + float(self.size[fresh & ~inexact].sum()) + float(rests.sum())
        return Rest(left, variance + open_**2 * doubt + float((rests**2).sum()), few)

    def _rests(self, known: Flags) -> Floats:
        """Return what is left of the portions that are begun, 0 of others."""
        rests = np.zeros(len(self.size))
        scale, (ratio, _) = math.sqrt(self._scale(1.0, known)), self._first
        for at in np.flatnonzero(self.begun).tolist():
            size = ratio * float(self.size[at])
            error = max(scale * float(self.spread[at]), LEAST * size)
            nodes = float(self.nodes[at])
            rests[at] = max(further(size, error, nodes), BEYOND * (nodes - size))
        return rests

    def _scale(self, ratio: float, known: Flags) -> float:
        """Return how much larger the squared errors of estimates are than they said, as the known ones tell."""
        inexact = self.spread[self.spread > 0]
        if not len(inexact):
            return 1.0
        first, errors = PRIOR * float((inexact**2).mean()), self.nodes[known] - ratio * self.size[known]
        return (GREATER * first + float((errors**2).sum())) / (first + float((self.spread[known] ** 2).sum()))

    @property
    def _first(self) -> tuple[float, float]:
        """The ratio of actual to estimated nodes as it is expected before any is known, and its variance."""
        inexact = self.spread > 0
        if not inexact.any():
            return 1.0, SURE**2
        unsure = float(self.spread[inexact].sum()) / max(float(self.size[inexact].sum()), 1e-9)
        return 1 + LOW * unsure, (UNLIKE * unsure) ** 2 + SURE**2

    def _ratio(self, rests: Floats, known: Flags) -> tuple[float, float]:
        """Return the ratio of actual to estimated nodes, and the variance of that.

        Of the ``known`` portions those that are only begun have ``rests``; they are known the less, the more is left.
        """
        first, doubt = self._first
        number = int(np.count_nonzero(known))
        if number < 2:
            return first, doubt
        sizes, actual = self.size[known], self.nodes[known] + rests[known]
        total = max(float(sizes.sum()), 1e-9)
        ratio = float(actual.sum()) / total
        squares = max(float(((actual - ratio * sizes) ** 2).sum()), float((self.spread[known] ** 2).sum()))
        chance = (squares + float((rests[known] ** 2).sum())) / total**2 * number / (number - 1)
        chance *= NEIGHBOURS if self.in_order else 1.0
        doubt = max(doubt, ((ratio - first) ** 2 - chance) / 4)  # farther off than was to be expected
        kept = doubt / (doubt + chance)
        return first + kept * (ratio - first), kept * chance
