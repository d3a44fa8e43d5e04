"""The loop that decides which task searches: a leading task, or others that take turns with it, within limits.

A *task* works on a problem in slices. Tasks are a kernel on its tree, a frontier on its layers, random searches, the
components of a problem, a reduced problem, and a proof that there is no cover. The leader works until another task is
due, and the first task with an answer ends the race. Turns are counted in nodes of the leader, never in seconds, so the
same task wins on every machine.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from puzzlec.engine.kernels.compiling import Stopwatch
from puzzlec.engine.limits import Limits, Stop
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import MAX_UNFINISHED_FRACTION, Progress
from puzzlec.engine.search.selection import KernelChoice

if TYPE_CHECKING:  # it imports numpy, which a small search does without
    from puzzlec.engine.search.forecast import Forecast

#: Called after each slice of a search, if it is set: a platform without threads reports progress this way.
after_slice: Callable[[], None] | None = None

#: A budget of nodes that no task exhausts.
UNLIMITED_NODES = 1 << 62

#: The share of a task with hope (see :class:`Schedule`) is a quarter as large if it would have more nodes than these.
MAX_NODES_OF_FULL_SHARE = 1 << 15

#: A task with hope may usually begin after these nodes, before the leader has taken a moment.
EARLY_NODES = 4000

#: But its set-up may usually take at most this fraction of the nodes that the leader has left.
MAX_SETUP_FRACTION = 1 / 80

#: The weight of the pace of the leader since the last estimate, which counts as at most this many times slower.
WEIGHT_OF_PACE, MAX_SLOWER = 3 / 4, 4096

#: A task is tried if its forecast is at most this factor times the number of nodes that the leader has left.
MAX_TRIAL_FACTOR = 8.0


class Foresight:
    """The forecast of a search, if there is one, and the progress that uses it."""

    def __init__(self, cover: ExactCover) -> None:
        self.forecast: Forecast | None = None
        self._cover, self._tried, self._prepared = cover, False, False

    def make(self) -> bool:
        """Make the forecast, once. Return whether there is a new one."""
        if self._tried:
            return False
        from puzzlec.engine.search.forecast import Forecast, prepared

        if not self._prepared:
            self._prepared = True
            if prepared(self._cover) is not None:
                return False
        self._tried = True
        self.forecast = Forecast.of(self._cover)
        return self.forecast is not None

    def better(self, now: Progress) -> Progress:
        """Return the progress, with the rest of the search from the forecast."""
        rest = None if self.forecast is None else self.forecast.rest(now.nodes)
        if rest is None or now.rate <= 0 or now.fraction >= 1:
            return now
        left, low, high = rest
        fraction = min(now.nodes / max(now.nodes + left, 1.0), MAX_UNFINISHED_FRACTION)
        return now._replace(fraction=fraction, left=left / now.rate, left_between=(low / now.rate, high / now.rate))


class RaceOutcome(NamedTuple):
    """The result of a task.

    ``number`` is the number of covers. It is None if a task ends without an answer: then the race continues without it.
    ``complete`` says that these are all covers. ``choice`` names the kernel and the reason for its choice. It is None
    if the leader has the answer. ``cover`` has the options of one cover, ascending, if the task looks for one.
    """

    number: int | None = None
    complete: bool = True
    choice: KernelChoice | None = None
    cover: tuple[int, ...] | None = None


#: The result of a task that cannot help.
NO_ANSWER = RaceOutcome()


class Task(ABC):
    """One way to the answer, which works in slices.

    ``outcome`` is None while it is unfinished. ``nodes`` of a search and ``states`` of a frontier are those visited so
    far. ``number`` is the number of covers known to exist, and ``before`` the part of the tree that is done. ``watch``
    measures the time of a leading task, without the turns of others. ``choice`` is the kernel and why it was chosen.
    """

    outcome: RaceOutcome | None = None
    choice = KernelChoice("other", "")
    nodes = states = number = 0
    before = 0.0

    def __init__(self) -> None:
        self.watch = Stopwatch()

    @property
    def effort(self) -> float:
        """The time of one state or node, in nodes of a search."""
        return 1.0

    @property
    def setup(self) -> int:
        """The time before the first state or node, in nodes of a search."""
        return 0

    @property
    def used(self) -> int:
        """The nodes and states so far."""
        return self.nodes + self.states

    def expected(self) -> float:
        """Return the nodes or states that are left, judging by the work so far, or infinity."""
        return math.inf

    @property
    def moment(self) -> int:
        """The nodes after which this task, as the leader, takes longer than a moment."""
        return 0

    @abstractmethod
    def advance(self, budget: int) -> None:
        """Work for a slice of time, on at most ``budget`` nodes or states."""

    @abstractmethod
    def progress(self) -> Progress:
        """Return how far the task is. A progress without seconds has no measure."""

    def close(self) -> None:  # noqa: B027  (most tasks have no threads)
        """End the threads, if there are any."""

    @property
    def foresight(self) -> Foresight | None:
        """What can make a better forecast of the end now; None if nothing can."""
        return None

    def pause(self) -> None:
        """Note that another task has its turn."""
        self.watch.pause()

    def resume(self) -> None:
        """Note that the turns of other tasks are over."""
        self.watch.resume()


class Quick(Task):
    """A task that needs one slice and visits no nodes: a proof or a decision."""

    def __init__(self, decide: Callable[[], RaceOutcome]) -> None:
        super().__init__()
        self._decide = decide

    @property
    def answers(self) -> bool:
        """Whether this task has ended the race."""
        return self.outcome is not None and self.outcome.number is not None

    def advance(self, budget: int) -> None:  # noqa: ARG002
        """Decide."""
        self.outcome = self._decide()

    def progress(self) -> Progress:
        """Return a progress without a measure."""
        return Progress()


class Schedule(NamedTuple):
    """The turns of a task beside the leader, in nodes of the leader.

    The first turn is after ``first`` nodes, and not before the leader has taken longer than a moment. Without
    ``growth`` it lasts until the task ends. Otherwise the next turn is due after ``growth`` times as many nodes, plus
    ``more``. In each turn, the task may use the part ``share`` of the length of the turn in nodes. If the leader has
    done more than the part ``far`` of its tree, by Knuth's estimate, the task has no turn.

    With ``hope``, a turn continues as long as the task expects to need at most this fraction of the nodes that the
    leader has left, by the same estimate. Its first turn is after ``early`` nodes, unless its set-up takes more
    than the part ``worth`` of the nodes that are left. An early forecast is often too high. So a forecast up to
    :data:`MAX_TRIAL_FACTOR` times as high as the nodes that are left is enough until the task has used the part
    ``trial`` of them. Such a turn has at most :data:`MAX_NODES_OF_FULL_SHARE` nodes, or a quarter of its share.
    """

    first: int = 0
    growth: int = 0
    more: int = 0
    share: float = 1.0
    far: float = 1.0
    hope: float = 0.0
    trial: float = 0.0
    early: int = EARLY_NODES
    worth: float = MAX_SETUP_FRACTION


#: A task with its schedule.
Scheduled: TypeAlias = tuple[Task, Schedule]


class _Entrant:
    """A task beside the leader: its current turn, and the nodes of the leader at its beginning."""

    def __init__(self, task: Task, schedule: Schedule, moment: int) -> None:
        self.task, self.schedule = task, schedule
        self.turn, self.due = schedule.first, max(schedule.first, moment)
        if schedule.hope:
            self.turn = self.due = min(self.due, schedule.early)
        self.whole = 0.0  # nodes of the leader by Knuth's estimate, at the beginning of the turn
        self.likely = 0.0  # the same if the estimate continues to grow
        self._last = 0, 0.0  # the nodes of the leader and the part that was done, at the last estimate
        self.end: int | None = None  # end of the current turn, in nodes and states of the task

    @property
    def left(self) -> int:
        """The nodes or states left in the current turn."""
        if not self.schedule.growth:
            return UNLIMITED_NODES
        used = self.task.used
        if self.end is None:
            most = self.turn * self.schedule.share
            if self.schedule.hope:
                most = max(min(most, MAX_NODES_OF_FULL_SHARE), most / 4, 0 if used else self.task.setup / 2)
            self.end = max(used + 1, int(min(most / self.task.effort, UNLIMITED_NODES)))
        return self.end - used

    def estimate(self, leader: Task) -> None:
        """Estimate the tree of the leader.

        An estimate that grows from turn to turn is too low. It is also too low if the first branches were dead ends and
        the pace since then is much slower: then the likely size is a weighted geometric mean of both estimates.
        """
        last, self.whole = self.whole, leader.nodes / leader.before if leader.before > 0 else math.inf
        self.likely = self.whole * (max(1.0, self.whole / last) ** 2 if 0 < last < math.inf else 1.0)
        (nodes, before), self._last = self._last, (leader.nodes, leader.before)
        if 0 < before < 1 and self.whole < math.inf:
            pace = (leader.before - before) / max(1, leader.nodes - nodes)
            slow = (1 - before) / max(pace, 1 / (MAX_SLOWER * self.whole))
            self.likely = max(self.likely, self.whole ** (1 - WEIGHT_OF_PACE) * slow**WEIGHT_OF_PACE)

    def is_too_late(self, leader: Task) -> bool:
        """Whether the leader will probably end before a turn is worth its time."""
        if leader.before > self.schedule.far:
            return True
        task = self.task
        return (
            bool(self.schedule.hope)
            and not task.used
            and task.setup > self.schedule.worth * (self.likely - leader.nodes)
        )

    def extend(self, leader: Task) -> bool:
        """Continue the turn if the task expects to end long before the leader. Return whether it continues."""
        task, schedule = self.task, self.schedule
        left = task.expected() if schedule.hope else math.inf
        if math.isinf(left):
            return False
        needed, rest = left * task.effort, self.likely - leader.nodes
        # A short rest is done at once. Otherwise the forecast is made again after half of it, or of twice the work.
        more = min(left / 2 if left > task.used / 2 else left, task.used)
        if needed > schedule.hope * (self.whole - leader.nodes):
            more = min(more, schedule.trial * rest / task.effort - task.used)
            if needed > MAX_TRIAL_FACTOR * rest or more <= 0:
                return False
        self.end = task.used + max(1, int(more))
        return True

    def plan(self, nodes: int) -> None:
        """Plan the next turn; the leader has visited this many nodes."""
        turn = self.turn * self.schedule.growth + self.schedule.more
        self.due, self.turn, self.end = nodes + turn - self.turn, turn, None


class Race:
    """The tasks of a race. It is over when ``winner`` has the outcome or a limit has ``stopped`` it."""

    def __init__(self, leader: Task, others: Iterable[Scheduled] = (), limits: Limits | None = None) -> None:
        self.leader, self.limits = leader, limits or Limits()
        self.stopped: Stop | None = None
        self.winner: Task | None = None
        moment = leader.moment
        self._entrants = [_Entrant(task, schedule, moment) for task, schedule in others]
        self._turn: _Entrant | None = None  # the entrant that works now
        self._begun = time.monotonic()

    @property
    def tasks(self) -> list[Task]:
        """All tasks, the leader first."""
        return [self.leader, *(entrant.task for entrant in self._entrants)]

    @property
    def working(self) -> Task:
        """The task whose turn it is."""
        return self.leader if self._turn is None else self._turn.task

    @property
    def outcome(self) -> RaceOutcome | None:
        """The result of the winner."""
        return None if self.winner is None else self.winner.outcome

    @property
    def nodes(self) -> int:
        """The nodes of all tasks together."""
        return sum(task.nodes for task in self.tasks)

    @property
    def states(self) -> int:
        """The states of all tasks together."""
        return sum(task.states for task in self.tasks)

    @property
    def number(self) -> int:
        """Number of covers known to exist."""
        return max(task.number for task in self.tasks)

    @property
    def seconds(self) -> float:
        """The seconds since the race began."""
        return time.monotonic() - self._begun

    @property
    def foresight(self) -> Foresight | None:
        """What can make a better forecast of the working task; None if nothing can."""
        turn = self._turn
        return (self.leader if turn is None or turn.schedule.growth else turn.task).foresight

    def close(self) -> None:
        """End the threads of all tasks."""
        for task in self.tasks:
            task.close()

    def begin(self) -> None:
        """Restart the clock of the race."""
        self._begun = time.monotonic()

    def advance(self) -> bool:
        """Let the task whose turn it is work for a slice. Return whether the race continues.

        Only this method decides who searches next.
        """
        if self.winner is not None or self.stopped is not None:
            return False
        leader = self.leader
        self._turn = None if leader.outcome is not None else self._due(leader)
        task = self.working
        if task.outcome is None and not self._limited(task):
            if self._turn is None:
                task.advance(self._room())
            else:
                leader.pause()
                task.advance(self._turn.left)
                leader.resume()
        self._settle(task)
        if after_slice is not None:
            after_slice()
        return self.winner is None and self.stopped is None

    def _due(self, leader: Task) -> _Entrant | None:
        """Return the entrant whose turn it is, or None for the leader."""
        for entrant in self._entrants:
            if leader.nodes >= entrant.due:
                if entrant.end is None:
                    entrant.estimate(leader)
                    if entrant.is_too_late(leader):
                        entrant.turn = entrant.due = 2 * leader.nodes
                        continue
                return entrant
        return None

    def _room(self) -> int:
        """Return the nodes of the leader before another task is due or the limit is reached."""
        nodes = self.leader.nodes
        room = min((max(1, entrant.due - nodes) for entrant in self._entrants), default=UNLIMITED_NODES)
        return room if self.limits.nodes is None else min(room, self.limits.nodes - nodes)

    def _limited(self, task: Task) -> bool:
        """Return whether a limit ends the race before the task continues. Note which limit."""
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            self.stopped = Stop.SECONDS
        elif task is self.leader and self.limits.nodes is not None and task.nodes >= self.limits.nodes:
            self.stopped = Stop.NODES
        elif self.limits.solutions == 0:
            self.stopped = Stop.SOLUTIONS
        return self.stopped is not None

    def _settle(self, task: Task) -> None:
        """Note the result of a slice: an answer, a task that cannot help, the end of a turn."""
        turn = self._turn
        if task.outcome is not None and (task.outcome.number is not None or turn is None):
            self.winner = task
        elif turn is not None and task.outcome is not None:
            turn.due = UNLIMITED_NODES  # it has no more turns
        elif turn is not None and turn.left <= 0 and not turn.extend(self.leader):
            turn.plan(self.leader.nodes)

    def progress(self) -> Progress:
        """Return how far the race is, by its leader or by the task that has replaced it."""
        turn, now = self._turn, self.leader.progress()
        nodes = now.nodes + sum(entrant.task.nodes + entrant.task.states for entrant in self._entrants)
        if turn is None:
            return now._replace(nodes=nodes)
        other = turn.task.progress()
        if turn.schedule.growth or not other.seconds:
            return now._replace(nodes=nodes, doing=other.doing or now.doing)
        return other._replace(nodes=nodes, solutions=max(now.solutions, other.solutions))
