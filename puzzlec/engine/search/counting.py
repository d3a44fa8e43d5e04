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

import logging
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from puzzlec.engine.kernels import compiling
from puzzlec.engine.limits import Limits, Stop, limits_of, memory_of
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import Progress, Steady
from puzzlec.engine.search import selection
from puzzlec.engine.search.count_tasks import Components, Layers, Reduced, width
from puzzlec.engine.search.race import Race, Schedule, Scheduled
from puzzlec.engine.search.selection import Choice, KernelName
from puzzlec.engine.search.tree_search import TreeSearch

_log = logging.getLogger(__name__)

#: Maximum number of items half done at a time in a *narrow* problem, which layers count in moments.
NARROW = 22

#: Nodes of the search before the problem is reduced.
TURN = 1 << 21

#: Each turn begins after this factor times the nodes of the previous one.
GROWTH = 2

#: A search that has done this fraction of its tree, by the estimate of Knuth, continues without a reduction.
FAR = 1 / 8

#: A search that has done this fraction continues without turns of the frontier.
HALF = 1 / 2

#: The turns of the frontier may use this fraction of the number of nodes that the search has visited.
SHARE = 1 / 16

#: A turn continues as long as the frontier expects to need at most this fraction of the nodes that the search has left.
HOPE = 1 / 2

#: A turn with a worse forecast may take this fraction of these nodes.
TRIAL = 1 / 32

#: The turns of a frontier beside a search.
TURNS = Schedule(growth=GROWTH, share=SHARE, far=HALF, hope=HOPE, trial=TRIAL)


def is_narrow(cover: ExactCover) -> bool:
    """Whether layers count a problem in moments."""
    return width(cover) <= NARROW


class TooWideError(MemoryError):
    """A frontier does not fit into its memory, and no other way to count was allowed."""


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


class Counting:
    """A count under way, with the interface of a :class:`Search`.

    ``choice`` is the way that found the number. ``complete`` says whether it is the number of all covers. ``others``
    are tasks that take turns with the count; the first one with an answer ends it.
    """

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
        self.limits, self.memory = limits, memory
        if kernel == "frontier":
            layers = Layers(cover, memory, weights, Choice(kernel, "it was asked for"))
            self._race = Race(layers, (), limits)
        elif kernel == "auto" and not searched and selection.has_numba():
            self._race = in_turns(cover, memory, threads, others, limits)
        else:
            self._race = Race(TreeSearch(cover, kernel, threads, limits.nodes is not None), others, limits)
        self.solutions = 0
        self.complete = False
        self.seconds = 0.0
        self.stopped: Stop | None = None
        self.choice = Choice(kernel, "it was asked for")
        self._running, self._steady = False, Steady()
        self._foreseen = False  # whether a forecast was made

    def count(self) -> int:
        """Return the number of covers. If a limit ends the count, return the number found until then."""
        race, most = self._race, self.limits.solutions
        race.begin()
        self._running = True
        try:
            while race.advance():
                if most is not None and race.number >= most:
                    break
            self._conclude()
        finally:  # an interruption keeps the results so far
            if not self.complete:
                self.solutions = max(self.solutions, race.number) if most is None else min(race.number, most)
                self._explain_lack()
            race.close()
            self.seconds, self._running = race.seconds, False
        return self.solutions

    def _conclude(self) -> None:
        """Note the result of the race."""
        race, outcome, leader, most = self._race, self._race.outcome, self._race.leader, self.limits.solutions
        self.stopped = race.stopped
        if isinstance(leader, TreeSearch):
            self.choice = leader.choice
        if most is not None and race.number >= most:
            self.stopped = Stop.SOLUTIONS
        elif outcome is not None and outcome.number is not None:
            self.solutions, self.complete = outcome.number, outcome.complete
            self.choice = told(outcome.choice or self.choice, race)
        elif isinstance(leader, Layers) and outcome is not None:
            raise TooWideError(leader.lack)

    def _explain_lack(self) -> None:
        """Log that a count by layers needed more memory, if the count is incomplete and this is not its error."""
        lacks = [task.lack for task in self._race.tasks[1:] if isinstance(task, Layers) and task.lack]
        if lacks and self.stopped is not Stop.SOLUTIONS:
            _log.warning("counting by layers stopped at the limit of memory: %s", lacks[0])

    @property
    def profile(self) -> list[int]:
        """Number of nodes on each level, of all threads together, when the count has ended."""
        leader = self._race.leader
        return leader.profile if isinstance(leader, TreeSearch) and not self._running else []

    @property
    def nodes(self) -> int:
        """Number of visited nodes of searches."""
        return self._race.nodes

    @property
    def states(self) -> int:
        """Number of expanded states of frontiers."""
        return self._race.states

    def progress(self) -> Progress:
        """Return how far the count is. This may be called at any time, from any thread."""
        race = self._race
        seconds = race.seconds if self._running else self.seconds
        if self._running:
            now = race.progress()._replace(seconds=seconds)
        else:
            nodes, fraction = race.nodes + race.states, 1.0 if self.complete else race.leader.before
            now = Progress(fraction, nodes, self.solutions, seconds, nodes / max(seconds, 1e-3))
        return self._steady.next(compiling.told(now))

    def foresee(self) -> bool:
        """Improve :meth:`progress` for the running search, if that is possible; see :class:`Search`."""
        if not self._running or not self._race.foresee():
            return False
        if not self._foreseen:  # no fraction was shown before
            self._foreseen = True
            self._steady.forget_fraction()
        return True


def told(choice: Choice, race: Race) -> Choice:
    """Return a choice between search and frontier, with the estimate for the other one if it is known."""
    leader, states = race.leader, race.states
    if not isinstance(leader, TreeSearch) or not states or not leader.before:
        return choice
    if choice.kernel == "frontier":
        nodes = leader.nodes / leader.before
        why = f"the search would need {about(nodes)} nodes, the frontier needed {about(states)} states"
    else:
        left = min((task.expected() for task in race.tasks), default=math.inf)
        more = "too many" if math.isinf(left) else about(states + left)
        why = f"the frontier would need {more} states"
    return Choice(choice.kernel, f"{choice.reason}; {why}")


def about(number: float) -> str:
    """Return a number in words, with two digits.

    >>> about(1234567), about(12.7)
    ('about 1,200,000', 'about 13')
    """
    return f"about {int(float(f'{number:.1e}')):,}" if number >= 100 else f"about {number:.0f}"


def in_turns(
    cover: ExactCover, memory: int, threads: int, others: Iterable[Scheduled] = (), limits: Limits | None = None
) -> Race:
    """Return the race that counts a problem by search, layers, components or a reduction.

    The other tasks get turns if the search takes longer than a moment. The layers come first.
    """
    layers = Layers(cover, memory, None, Choice("frontier", "its layers were done before the search was"))

    def racing(smaller: ExactCover) -> Race:
        return in_turns(smaller, memory, threads)

    tasks = [
        (layers, TURNS),
        *others,
        (Components(cover, racing), Schedule()),
        (Reduced(cover, racing, "looking for a smaller problem"), Schedule(TURN, far=FAR)),
    ]
    return Race(TreeSearch(cover, "auto", threads, exact=False), tasks, limits)
