"""The number of covers, by whichever way is shorter: search, or layers of a frontier.

Search is best where covers are few, the frontier where they abound. Where few items can be half done at
a time (dominoes, trominoes: the *width* of the problem), the frontier is taken at once. Else it cannot be told
from the outside (pentominoes in 6 x 10 are for search, the same pieces in any number for the frontier): the search
continues until it has had a fair chance, and then the frontier gets turns beside it, each longer than the one before
and a quarter as long as what the search has had. The first that is done has the number. Turns are counted in nodes
and states, so the outcome is the same on every machine.

Before the first of these turns the problem is taken apart: components are counted by themselves, and where
reductions leave clearly fewer options, they are counted instead. All of these are tasks of one race.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search import compiling, selection
from puzzlec.engine.search.count_tasks import Components, Layers, Memo, Narrow, Reduced
from puzzlec.engine.search.progress import Progress, Steady
from puzzlec.engine.search.race import Limits, Race, Schedule, Scheduled, Stop
from puzzlec.engine.search.selection import Choice
from puzzlec.engine.search.tree_search import TreeSearch

#: The ways to count: by both in turns, by one of the search kernels, by a frontier, by search with a memory.
METHODS = (*selection.KERNELS, "frontier", "memo")

#: The bytes that tables may fill where nothing else is said.
MEMORY = 1 << 30

#: A problem of which at most so many items can be half done at a time is for the frontier.
NARROW = 22

#: The nodes that a search may visit before the frontier gets a turn.
TURN = 1 << 21

#: How much longer each turn is than the one before.
GROWTH = 4

#: A search that has done this part of its tree, by the estimate of Knuth, continues to the end.
FAR = 1 / 8

#: The part of the nodes of the search that the turns of the frontier may take.
SHARE = 1 / 4


class TooWideError(MemoryError):
    """A frontier does not fit into the memory that it was given, and no other way to count was allowed."""


@dataclass(frozen=True)
class Counted:
    """The number of covers and how it was found.

    ``method`` names the kernel that gave the number (of the last component, where
    there are several); ``nodes`` of search and ``states`` of frontiers were looked at. ``stopped`` is the
    limit that ended the count, None where it is complete; then ``number`` counts the covers found so far.
    """

    number: int
    method: str
    nodes: int = 0
    states: int = 0
    seconds: float = 0.0
    stopped: Stop | None = None


def count_covers(
    cover: ExactCover,
    limits: Limits | None = None,
    memory: int = MEMORY,
    kernel: str = "auto",
    weights: Sequence[int] | None = None,
    threads: int = 1,
) -> Counted:
    """Return the number of covers of a problem.

    ``weights`` has a number for each entry of an option: how often the option covers the item (None: once);
    only the kernel ``frontier`` can do with it.

    ``memory`` bounds the bytes of the tables. A limit of solutions or nodes is one for the search, so that
    nothing else is tried under ``auto``, and it stops as :class:`Search` does. Raises ValueError for a kernel that
    does not exist or cannot obey such a limit, MemoryError where the kernel ``frontier`` runs out of memory.

    >>> count_covers(ExactCover.from_rows([[0], [0, 1], [1, 3], [2], [2, 3]], primary=4)).number
    2
    """
    counting = Counting(cover, limits, memory, kernel, threads, weights=weights)
    number = counting.count()
    return Counted(number, counting.choice.kernel, counting.nodes, counting.states, counting.seconds, counting.stopped)


class Counting:
    """A count under way, with the face of a :class:`Search`: what it may use, what it has used, how far it is.

    ``choice`` says which way gave the number, ``complete`` whether it is that of all covers. ``others`` are tasks that
    have turns beside the count; the first of them with an answer ends it.
    """

    def __init__(
        self,
        cover: ExactCover,
        limits: Limits | None = None,
        memory: int = MEMORY,
        kernel: str = "auto",
        threads: int = 1,
        others: Iterable[Scheduled] = (),
        weights: Sequence[int] | None = None,
    ) -> None:
        limits = limits or Limits()
        searched = limits.solutions is not None or limits.nodes is not None
        if kernel not in METHODS:
            raise ValueError(f"there is no kernel {kernel!r}")
        if weights is not None and kernel != "frontier":
            raise ValueError(f"the kernel {kernel!r} cannot cover an item several times by one option")
        if searched and kernel in ("frontier", "memo"):
            raise ValueError(
                f"the kernel {kernel!r} counts all covers at once: it knows no limit of solutions or nodes"
            )
        selection.need_kernel(kernel)
        self.limits, self.memory = limits, memory
        if kernel == "frontier":
            layers = Layers(cover, memory, weights, Choice(kernel, "it was asked for"))
            self._race = Race(layers, (), limits)
        elif kernel == "memo":
            self._race = Race(Memo(cover, memory), (), limits)
        elif kernel == "auto" and not searched and selection.has_numba():
            self._race = in_turns(cover, memory, threads, others, limits)
        else:
            self._race = Race(TreeSearch(cover, kernel, threads, limits.nodes is not None), others, limits)
        self.solutions = 0
        self.complete = False
        self.seconds = 0.0
        self.stopped: Stop | None = None
        self.choice = Choice(kernel, "it was asked for")
        self.profile: list[int] = []
        self._running, self._steady = False, Steady()
        self._foreseen = False  # whether a forecast was made

    def count(self) -> int:
        """Return the number of covers, or of those found when a limit was reached."""
        race, most = self._race, self.limits.solutions
        race.begin()
        self._running = True
        try:
            while race.advance():
                if most is not None and race.number >= most:
                    break
            self._conclude()
        finally:  # an interruption leaves what is known
            if not self.complete:
                self.solutions = max(self.solutions, race.number) if most is None else min(race.number, most)
            race.close()
            self.seconds, self._running = race.seconds, False
            if isinstance(race.leader, TreeSearch):
                self.profile = race.leader.profile
        return self.solutions

    def _conclude(self) -> None:
        """Note what has come of the race."""
        race, outcome, leader, most = self._race, self._race.outcome, self._race.leader, self.limits.solutions
        self.stopped = race.stopped
        if isinstance(leader, TreeSearch):
            self.choice = leader.choice
        if most is not None and race.number >= most:
            self.stopped = Stop.SOLUTIONS
        elif outcome is not None and outcome.number is not None:
            self.solutions, self.complete = outcome.number, outcome.complete
            self.choice = outcome.choice or self.choice
        elif isinstance(leader, Layers) and outcome is not None:
            layer, layers = leader.kernel.progress
            raise TooWideError(
                f"layer {layer + 1} of {layers} has more than {leader.kernel.widest} states: "
                f"they do not fit into {self.memory} bytes"
            )

    @property
    def nodes(self) -> int:
        """How many nodes of searches were visited."""
        return self._race.nodes

    @property
    def states(self) -> int:
        """How many states of frontiers were expanded."""
        return self._race.states

    def progress(self) -> Progress:
        """Return how far the count has come; may be asked at any time, from any thread."""
        race = self._race
        seconds = race.seconds if self._running else self.seconds
        if self._running:
            now = race.progress()._replace(seconds=seconds)
        else:
            nodes, fraction = race.nodes + race.states, 1.0 if self.complete else race.leader.before
            now = Progress(fraction, nodes, self.solutions, seconds, nodes / max(seconds, 1e-3))
        return self._steady.next(compiling.told(now))

    def foresee(self) -> bool:
        """Make :meth:`progress` better for the search under way, where that is possible; see :class:`Search`."""
        if not self._running or not self._race.foresee():
            return False
        if not self._foreseen:  # the first time nothing was told yet
            self._foreseen = True
            self._steady.forget_fraction()
        return True


def in_turns(
    cover: ExactCover, memory: int, threads: int, others: Iterable[Scheduled] = (), limits: Limits | None = None
) -> Race:
    """Return the race that counts a problem by search, layers, components or a reduction.

    The other tasks have their turns as soon as it takes longer than a moment, after the layers of a narrow problem.
    """
    layers = Layers(cover, memory, None, Choice("frontier", "its layers were done before the search was"))

    def racing(smaller: ExactCover) -> Race:
        return in_turns(smaller, memory, threads)

    tasks = [
        (Narrow(layers, NARROW), Schedule()),
        *others,
        (Components(cover, racing), Schedule()),
        (Reduced(cover, racing, "looking for a smaller problem"), Schedule(TURN, far=FAR)),
        (layers, Schedule(TURN, GROWTH, share=SHARE, far=FAR)),
    ]
    return Race(TreeSearch(cover, "auto", threads, exact=False), tasks, limits)
