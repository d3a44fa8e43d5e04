"""The number of covers, by search or by layers of a frontier, whichever is shorter.

Search is best if there are few covers, the frontier if there are many. The better way is not known in advance: search
is better for pentominoes in 6 x 10, but the frontier is better if any number of each pentomino may be used. Therefore
the frontier gets a turn after a short search. This turn ends early unless the frontier expects to end before the
search. Later turns come after twice as many nodes. The first task to finish gives the number. With one thread, turns
are counted in nodes and states, so the same task wins on every machine.

After the first turn the problem is taken apart. Components are counted separately, and if reductions leave
clearly fewer options, the reduced problem is counted instead. All of these are tasks of one race.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from puzzlec.engine.limits import Limits, Stop, limits_of, memory_of
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search import selection
from puzzlec.engine.search.count_tasks import Components, Layers, Reduced, Scan, width
from puzzlec.engine.search.race import Race, Schedule, Scheduled
from puzzlec.engine.search.run import Run
from puzzlec.engine.search.selection import KernelChoice, KernelName
from puzzlec.engine.search.tree_search import TreeSearch

#: Maximum number of items half done at a time in a *narrow* problem, which layers count in moments.
MAX_NARROW_ITEMS = 22

#: Nodes of the search before the problem is reduced.
REDUCTION_NODES = 1 << 21

#: Each turn begins after this factor times the nodes of the previous one.
TURN_GROWTH_FACTOR = 2

#: A search that has done this fraction of its tree, by the estimate of Knuth, continues without a reduction.
REDUCTION_END_FRACTION = 1 / 8

#: A search that has done this fraction continues without turns of the frontier.
TURN_END_FRACTION = 1 / 2

#: The turns of the frontier may use this fraction of the number of nodes that the search has visited.
TURN_NODE_FRACTION = 1 / 16

#: A turn continues as long as the frontier expects to need at most this fraction of the nodes that the search has left.
HOPE_FRACTION = 1 / 2

#: A turn with a worse forecast may take this fraction of these nodes.
TRIAL_FRACTION = 1 / 32

#: The turns of a frontier beside a search.
FRONTIER_TURNS = Schedule(
    growth=TURN_GROWTH_FACTOR, share=TURN_NODE_FRACTION, far=TURN_END_FRACTION, hope=HOPE_FRACTION, trial=TRIAL_FRACTION
)

#: The turns of a scan beside a search. Both forecast their trees in the same way, and first forecasts are poor.
SCAN_TURNS = Schedule(
    growth=TURN_GROWTH_FACTOR,
    share=TURN_NODE_FRACTION,
    far=TURN_END_FRACTION,
    hope=0.6,
    trial=1 / 128,
    early=1 << 14,
    worth=1 / 40,
)


def is_narrow(cover: ExactCover) -> bool:
    """Whether layers count a problem in moments."""
    return width(cover) <= MAX_NARROW_ITEMS


@dataclass(frozen=True)
class Counted:
    """The number of covers, and the way to it.

    ``method`` names the kernel that found the number (of the last component, if there are several). ``nodes`` of
    searches and ``states`` of frontiers were visited. ``stopped`` is the limit that ended the count, None if it is
    complete. If a limit ended it, ``number`` counts the covers found until then.
    """

    def __repr__(self) -> str:
        return f"<Counted: {self.number} covers by {self.method}, stopped: {self.stopped}>"

    number: int
    method: str
    nodes: int = 0
    states: int = 0
    seconds: float = 0.0
    stopped: Stop | None = None


def count_covers(
    cover: ExactCover,
    *,
    limits: Limits | None = None,
    limit: int | None = None,
    seconds: float | None = None,
    kernel: KernelName = "auto",
    weights: Sequence[int] | None = None,
    threads: int = 1,
) -> Counted:
    """Return the number of covers of a problem.

    A limit of solutions or nodes applies to the search. With such a limit ``auto`` only searches, and the count stops
    as :class:`Search` does.

    Args:
        cover: The exact cover.
        limits: Limits of the count.
        limit: Short for a limit of solutions.
        seconds: Short for a limit of seconds.
        kernel: The kernel; ``frontier`` counts all covers at once.
        weights: A number for each entry of an option: how often the option covers the item. [default: once] Only the
            kernel ``frontier`` supports it.
        threads: Number of threads of the search, 0 for one per processor.

    Raises:
        ValueError: If the kernel is unknown or does not support such a limit.
        MemoryError: If the kernel ``frontier`` runs out of memory.

    >>> count_covers(ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)).number
    2

    """
    limits = limits_of(limits, limit, seconds)
    counting = Counting(cover, limits, kernel=kernel, threads=threads, weights=weights)
    number = counting.count()
    return Counted(number, counting.choice.kernel, counting.nodes, counting.states, counting.seconds, counting.stopped)


class Counting(Run):
    """A count under way. ``others`` are tasks that take turns with it; the first one with an answer ends it."""

    def __init__(
        self,
        cover: ExactCover,
        limits: Limits | None = None,
        *,
        kernel: KernelName = "auto",
        threads: int = 1,
        others: Iterable[Scheduled] = (),
        weights: Sequence[int] | None = None,
    ) -> None:
        selection.need_cover("a count", cover)
        limits = limits or Limits()
        memory = memory_of(limits)
        searched = limits.solutions is not None or limits.nodes is not None
        selection.need_kernel(kernel)
        if weights is not None and kernel != "frontier":
            raise ValueError(f"the kernel {kernel!r} does not support options that cover an item several times")
        if searched and kernel == "frontier":
            raise ValueError(
                f"the kernel {kernel!r} supports no limit of solutions or nodes: it counts all covers at once"
            )
        if kernel == "frontier":
            race = Race(Layers(cover, memory, weights, KernelChoice(kernel, "it was asked for")), (), limits)
        elif kernel == "auto" and not searched and selection.has_numba():
            race = in_turns(cover, memory, threads, others, limits)
        else:
            race = Race(TreeSearch(cover, kernel, threads, limits.nodes is not None), others, limits)
        super().__init__(race, limits)


def in_turns(
    cover: ExactCover, memory: int, threads: int, others: Iterable[Scheduled] = (), limits: Limits | None = None
) -> Race:
    """Return the race that counts a problem by search, scan, layers, components or a reduction.

    The other tasks get turns if the search takes longer than a moment. The scan and the layers come first.
    """
    layers = Layers(cover, memory, None, KernelChoice("frontier", "its layers were done before the search was"))

    def racing(smaller: ExactCover) -> Race:
        return in_turns(smaller, memory, threads)

    tasks = [
        (Scan(cover, threads), SCAN_TURNS),
        (layers, FRONTIER_TURNS),
        *others,
        (Components(cover, racing), Schedule()),
        (
            Reduced(cover, racing, "looking for a smaller problem"),
            Schedule(REDUCTION_NODES, far=REDUCTION_END_FRACTION),
        ),
    ]
    return Race(TreeSearch(cover, "auto", threads, exact=False), tasks, limits)
