"""The size of a search before it runs: by random probes into its tree or its parts, or exactly if it is small.

The mean of the probes is right on average, but skewed: most probes are too low, a few much too high.
So the interval is computed for the logarithm, from batches of probes. The estimate reports if it cannot be trusted. See
``puzzlec.engine.kernels.random_probes`` for the source.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from puzzlec.engine.integers import integer
from puzzlec.engine.limits import Limits, limits_of
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import SLICE_SECONDS, NodeBudget
from puzzlec.engine.search import selection

if TYPE_CHECKING:
    from puzzlec.engine.search.splitting import Path, SearchTree, TreeNode

#: Number of batches of probes. Their means show how much the estimate varies.
BATCHES = 20

#: Student's t for 95 % and 19 degrees of freedom is 2.09. A little more allows for the remaining skewness.
STUDENT_FACTOR = 2.3

#: Two signs of a heavy tail. First: a standard error above this fraction of the mean. The interval then extends by
#: about half of the mean to either side. Second: a single probe with more than this fraction of the sum.
WIDE_ERROR_FRACTION, GREAT_PROBE_FRACTION = 0.25, 0.1

#: If fewer probes than this reached a solution, the number of solutions is not estimated.
MIN_PROBES_WITH_SOLUTION = 10

#: Length of the trial that measures the speed of a search, in seconds.
TRIAL_SECONDS = 0.2

#: Maximum number of probes in plain Python.
MAX_PYTHON_PROBES = 1000


#: A function that returns the weight of a cover in a sum. Its argument is the options of the cover, ascending.
Weigh: TypeAlias = Callable[[Sequence[int]], float]


@dataclass(frozen=True)
class Estimate:
    """The size of a search, and the time that it would take.

    - ``nodes``, ``solutions``: each with an interval, see :func:`estimate`
    - ``profile``: nodes at each depth
    - ``probes``: the number of probes; 0 if the search was run and all numbers are exact
    - ``hits``: the number of probes that reached a solution; ``solutions_known`` is false if these are too few for an
      estimate
    - ``heavy_tailed``, ``solutions_heavy_tailed``: the interval of ``nodes`` or of ``solutions`` cannot be trusted: the
      true number may be much larger
    - ``rate``: measured nodes a second; it differs from run to run, and is not compared
    - ``error``: standard error of ``nodes``, as a fraction of ``nodes``
    - ``covers``: covers that the search finds; ``solutions`` is the sum of their weights

    >>> import puzzlec
    >>> puzzlec.estimate("soma/castle")
    <Estimate: 41 nodes, 5 solutions, 0 probes>
    """

    def __repr__(self) -> str:
        return f"<Estimate: {self.nodes:.4g} nodes, {self.solutions:.4g} solutions, {self.probes} probes>"

    nodes: float
    nodes_between: tuple[float, float]
    solutions: float
    solutions_between: tuple[float, float]
    profile: tuple[float, ...]
    probes: int
    hits: int
    heavy_tailed: bool
    rate: float | None = field(default=None, compare=False)
    error: float = 0.0
    solutions_heavy_tailed: bool = False
    covers: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the search was made, and nothing is estimated."""
        return self.probes == 0

    @property
    def solutions_known(self) -> bool:
        """Whether enough probes reached a solution to estimate their number."""
        return self.exact or self.hits >= MIN_PROBES_WITH_SOLUTION

    @property
    def seconds(self) -> float | None:
        """Seconds of the whole search on this machine with one thread."""
        return self.nodes / self.rate if self.rate else None


class Sampler(Protocol):
    """Random probes into a tree."""

    def make(self, number: int) -> tuple[list[float], list[float]]:
        """Make this many more probes. Return their estimates of the nodes, and of the solutions."""

    @property
    def levels(self) -> list[float]:
        """The mean number of nodes at each depth, from the root on."""


def estimate(
    cover: ExactCover,
    *,
    probes: int = 10_000,
    seed: int = 0,
    limits: Limits | None = None,
    seconds: float | None = None,
    weigh: Callable[[Sequence[int]], float] | None = None,
) -> Estimate:
    """Return the size of the search for all covers.

    If the search takes at most a few thousand nodes, it is run instead, and the numbers are exact. All results except
    the rate depend only on the problem, ``probes`` and ``seed``, unless the seconds run out.

    Args:
        cover: The exact cover.
        probes: Number of random probes (at most 1,000 without numba).
        seed: Seed of the probes.
        limits: A limit of seconds for the probes.
        seconds: Short for a limit of seconds.
        weigh: Returns the weight of a cover from its options, ascending. [default: 1] If each of n equivalent covers
            has the weight 1/n, ``solutions`` is the number of distinct solutions.

    Raises:
        ValueError: If ``probes`` is less than 1.

    >>> cover = ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)
    >>> estimate(cover).nodes, estimate(cover).solutions, estimate(cover).exact
    (5.0, 2.0, True)

    """
    probes, seconds = integer(probes, "probes", 1), limits_of(limits, None, seconds, only=("seconds",)).seconds
    exact = counted_at_once(cover, weigh)
    if exact is not None:
        return exact
    return replace(probed(cover, probes, seed, seconds, weigh), rate=rate_of(cover))


def counted_at_once(cover: ExactCover, weigh: Weigh | None = None) -> Estimate | None:
    """Return the exact numbers if the search takes at most a few thousand nodes, else None."""
    return None if selection.is_large(cover) and selection.has_numba() else _counted(cover, weigh)


def probed(cover: ExactCover, probes: int, seed: int, seconds: float | None, weigh: Weigh | None = None) -> Estimate:
    """Return the size of the search for all covers by probes alone, without the rate. See :func:`estimate`."""
    weighing = None if weigh is None else _Weighing(weigh)
    sampler = sampler_of(cover, seed, weighing)
    probes = probes if selection.has_numba() else min(probes, MAX_PYTHON_PROBES)
    nodes: list[float] = []
    covers: list[float] = []
    begun, pace = time.monotonic(), NodeBudget(1)
    while len(nodes) < probes and not (nodes and seconds is not None and time.monotonic() - begun >= seconds):
        more = sampler.make(min(probes - len(nodes), pace.next()))
        nodes += more[0]
        covers += more[1]
    solutions = covers if weighing is None else weighing.weighed(covers)
    mean, between, error = _interval(nodes)
    total, solutions_between, solutions_error = _interval(solutions)
    return Estimate(
        nodes=mean,
        nodes_between=between,
        solutions=total,
        solutions_between=solutions_between,
        profile=tuple(sampler.levels),
        probes=len(nodes),
        hits=sum(count > 0 for count in solutions),
        heavy_tailed=_is_heavy(nodes, mean, error),
        error=error,
        solutions_heavy_tailed=_is_heavy(solutions, total, solutions_error),
        covers=_mean(covers),
    )


class _Weighing:
    """Keeps the weights of covers, some of which may be 0. The probes themselves give each cover the weight 1."""

    def __init__(self, weigh: Weigh) -> None:
        self._weigh = weigh
        self._weights: list[float] = []

    def __call__(self, options: Sequence[int]) -> float:
        self._weights.append(self._weigh(options))
        return 1.0

    def weighed(self, covers: Sequence[float]) -> list[float]:
        """Return the estimated sum of weights for each probe, from the estimated number of covers."""
        weights = iter(self._weights)
        return [number and (weight := next(weights)) and number * weight for number in covers]


def _is_heavy(sample: Sequence[float], mean: float, error: float) -> bool:
    """Return whether a few probes make up most of a sum, so that its mean cannot be trusted."""
    return error > WIDE_ERROR_FRACTION or max(sample) > GREAT_PROBE_FRACTION * len(sample) * mean


def _counted(cover: ExactCover, weigh: Weigh | None) -> Estimate | None:
    """Return the exact numbers of a short search, or None for a longer one."""
    begun = time.monotonic()
    compiled = selection.has_numba() and selection.is_slow(cover)
    kernel = selection.make(cover, selection.choose(cover).kernel if compiled else "python")
    number, shares, most = 0, [0.0], selection.NODES_BEFORE_NUMBA
    while not kernel.finished and kernel.nodes_visited < most:
        if weigh is None:
            number += kernel.count(most - kernel.nodes_visited)
        else:
            shares += [weigh(sorted(options)) for options in kernel.covers(most - kernel.nodes_visited)]
    number = number if weigh is None else round(math.fsum(shares))
    if not kernel.finished:
        return None
    nodes, solutions = float(kernel.nodes_visited), float(number)
    rate = nodes / max(time.monotonic() - begun, 1e-6)
    profile = tuple(float(count) for count in kernel.profile)
    exact = Estimate(nodes, (nodes, nodes), solutions, (solutions, solutions), profile, 0, 0, False, rate)
    return replace(exact, covers=solutions)


def sampler_of(cover: ExactCover, seed: int = 0, weigh: Weigh | None = None) -> Sampler:
    """Return random probes into the tree of a problem, with the same numbers with and without numba."""
    kind: Callable[..., Sampler]
    if selection.has_numba():
        from puzzlec.engine.kernels.random_probes import RandomProbes

        kind = RandomProbes
    else:
        from puzzlec.engine.kernels.python import SimpleProbes

        kind = SimpleProbes
    return kind(cover.arrays, seed, weigh)


def _mean(sample: Sequence[float]) -> float:
    """Return the mean. It is infinite if the sample has a number too large for a float."""
    most = max(sample)
    return most * (math.fsum(number / most for number in sample) / len(sample)) if 0 < most < math.inf else most


def _interval(sample: Sequence[float]) -> tuple[float, tuple[float, float], float]:
    """Return the mean of a sample, an interval for the estimated number, and the relative standard error.

    Batch means are nearer to a normal distribution than single probes. Their remaining skewness makes the mean too low
    more often than too high, so the upper end of the interval is moved further out. The standard error is that of the
    batches or of the single probes, whichever is larger. ``python -m tests.tools.bench.estimates`` prints how often the
    interval contains the true number.
    """
    mean = _mean(sample)
    if math.isinf(mean):
        return mean, (0.0, math.inf), math.inf
    batches = [sample[k::BATCHES] for k in range(min(BATCHES, len(sample)))]
    if mean == 0:
        return 0.0, (0.0, 0.0), 0.0
    if len(batches) < BATCHES:
        return mean, (0.0, math.inf), math.inf
    means = [_mean(batch) / mean for batch in batches]  # divided by the mean, since squares of the sums might overflow
    centre = math.fsum(means) / BATCHES
    variance = math.fsum((batch - centre) ** 2 for batch in means) / (BATCHES - 1)
    error = math.sqrt(variance / BATCHES)
    deviations = math.fsum((number / mean - 1) ** 2 for number in sample)
    error = max(error, math.sqrt(deviations / (len(sample) - 1) / len(sample)))
    low, high = mean * math.exp(-STUDENT_FACTOR * error), mean * math.exp(STUDENT_FACTOR * error + 2 * error**2)
    return mean, (low, high), error


def rate_of(cover: ExactCover) -> float:
    """Return the nodes a second of the kernel that would search, measured in a short trial."""
    name = selection.choose(cover).kernel if selection.has_numba() else "python"
    kernel = selection.make(cover, name)
    kernel.count(1)  # compiles the kernel, or loads its machine code
    before, begun, pace = kernel.nodes_visited, time.monotonic(), NodeBudget(1024, len(cover.items))
    while not kernel.finished and time.monotonic() - begun < TRIAL_SECONDS:
        kernel.count(pace.next())
    return max(1, kernel.nodes_visited - before) / max(time.monotonic() - begun, SLICE_SECONDS / 1000)


#: Random probes of each part. Their mean is off by half on most trees, but sums of parts are better.
PART_PROBES = 128

#: Steps of an estimate, in addition to its probes and one step for each entry left. 20 million steps take a second.
ESTIMATE_STEPS = 20_000

#: A level of a probe costs this many steps, and one more step for this many items among which it chooses the next one.
LEVEL_STEPS, ITEMS_PER_STEP = 4, 50

#: Maximum size of a part of a tree. It will never be searched, and squares of sums stay finite.
MAX_NODES = 1e60

#: With this many entries, each takes twice as long, since the entries are far apart in memory.
SLOW_ENTRIES = 1_000_000

#: The default number of steps for estimates.
DEFAULT_STEPS = 20_000_000


class SubtreeSizes:
    """Estimates of the nodes below paths of a tree, by a few random probes into each (Knuth 1975).

    They depend only on the tree, and on the paths and their order. ``known`` has the mean of each path and its standard
    error. After ``effort`` steps, a part is assumed to be as large as the other parts below the same node. ``whole`` is
    the size of all together, if no part above was estimated.
    """

    def __init__(
        self, tree: SearchTree, effort: float = DEFAULT_STEPS, whole: float = 0.0, probes: int = PART_PROBES
    ) -> None:
        self.tree, self.effort, self.whole, self.probes = tree, effort, whole, probes
        self.known: dict[Path, tuple[float, float]] = {}

    def __call__(self, path: Path, node: Callable[[], TreeNode], among: int) -> float:
        """Return the estimated nodes below a path; ``node`` gives its end, ``among`` the parts of its node."""
        if path not in self.known:
            if self.effort > 0:
                self.known[path] = self._estimate(path, node())
            else:
                guess = self.known.get(path[:-1], (self.whole, 0.0))[0] / among
                self.known[path] = guess, guess
        return self.known[path][0]

    def _estimate(self, path: Path, node: TreeNode) -> tuple[float, float]:
        self.effort -= ESTIMATE_STEPS
        if not self.tree.branches(node):
            return 0.0, 0.0
        cover = self.tree.residual(path, node).cover
        self.effort -= len(cover.items) * (1 + len(cover.items) / SLOW_ENTRIES)
        sampler = sampler_of(cover)
        nodes = [min(count, MAX_NODES) for count in sampler.make(self.probes)[0]]
        self.effort -= self.probes * len(sampler.levels) * (LEVEL_STEPS + cover.primary / ITEMS_PER_STEP)
        mean = math.fsum(nodes) / len(nodes)
        if not 0 < mean < math.inf:
            return mean, mean
        # The values are scaled, because their squares might be too large for a float.
        variance = math.fsum((count / mean - 1) ** 2 for count in nodes) / max(1, len(nodes) - 1)
        return mean, mean * math.sqrt(variance / len(nodes))
