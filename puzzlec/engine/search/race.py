"""One loop that decides who searches: a leading task, others that have turns beside it, and limits.

A *task* works on a problem in slices: a kernel on its tree, a frontier on its layers, random searches, the components
of a problem, a reduced problem, a proof that there is no cover. The leader works until another task is due, and the
first task with an answer ends the race. Turns are counted in nodes of the leader, never in seconds. So the same task
wins on every machine.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from puzzlec.engine.search.compiling import Stopwatch
from puzzlec.engine.search.progress import Progress
from puzzlec.engine.search.selection import Choice

#: A budget of nodes that no task uses up.
UNLIMITED = 1 << 62


class Stop(Enum):
    """Why a search ended before the tree was exhausted."""

    SOLUTIONS = "solutions"
    SECONDS = "time"
    NODES = "nodes"


@dataclass(frozen=True)
class Limits:
    """What a search may use; None is no limit. Raises ValueError for a negative one."""

    solutions: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if any(each is not None and not each >= 0 for each in (self.solutions, self.seconds, self.nodes)):
            raise ValueError("a limit cannot be negative")
        if any(each is not None and not isinstance(each, int) for each in (self.solutions, self.nodes)):
            raise ValueError("a limit of solutions or nodes is a whole number")


class Outcome(NamedTuple):
    """What a task has found out when it ends.

    ``number`` is the number of covers, None for a task that ends without an answer: then the race continues without
    it. ``complete`` means that there are no others. ``choice`` names the kernel and why it had the answer, None for
    that of the leader. ``cover`` has the options of one cover, ascending, for a task that looks for one.
    """

    number: int | None = None
    complete: bool = True
    choice: Choice | None = None
    cover: tuple[int, ...] | None = None


#: The outcome of a task that cannot help.
NO_ANSWER = Outcome()


class Task(ABC):
    """One way to the answer, which works in slices.

    ``outcome`` is None while it is unfinished. ``nodes`` of a search and ``states`` of a frontier are those visited so
    far, ``number`` the covers that are known to exist, ``before`` is the part of the tree that is done. ``watch``
    measures the time of a task that leads, without the turns of others.
    """

    outcome: Outcome | None = None
    nodes = states = number = 0
    before = 0.0

    def __init__(self) -> None:
        self.watch = Stopwatch()

    @property
    def effort(self) -> float:
        """The time of one state or node, in nodes of a search."""
        return 1.0

    @property
    def moment(self) -> int:
        """The nodes after which this task, as the leader, takes longer than a moment."""
        return 0

    @abstractmethod
    def advance(self, budget: int) -> None:
        """Work for a slice of time, on at most ``budget`` nodes or states."""

    @abstractmethod
    def progress(self) -> Progress:
        """Return how far the task is; without seconds, it has no measure of its own."""

    def close(self) -> None:  # noqa: B027  (most tasks have none)
        """End the threads, if there are any."""

    def foresee(self) -> bool:
        """Make a better forecast of the end, if that is possible; return whether there is a new one."""
        return False

    def pause(self) -> None:
        """Note that another task has its turn."""
        self.watch.pause()

    def resume(self) -> None:
        """Note that the turns of other tasks are over."""
        self.watch.resume()


class Quick(Task):
    """A task that needs one slice and visits no nodes: a proof or a decision."""

    def __init__(self, decide: Callable[[], Outcome], doing: str = "") -> None:
        super().__init__()
        self._decide, self._doing = decide, doing

    @property
    def answers(self) -> bool:
        """Whether it has ended the race."""
        return self.outcome is not None and self.outcome.number is not None

    def advance(self, budget: int) -> None:  # noqa: ARG002
        """Decide."""
        self.outcome = self._decide()

    def progress(self) -> Progress:
        """Return what is going on."""
        return Progress(doing=self._doing)


class Schedule(NamedTuple):
    """When a task has turns beside the leader, in nodes of the leader, and how long they are.

    The first turn is after ``first`` nodes, and not before the leader has taken longer than a moment. Without
    ``growth`` it lasts until the task ends. Otherwise, what the task may use in all its turns so far is the ``share``
    of the nodes of the turn: ``first``, then ``growth`` times as many and ``more``, and so on. The task has no
    turn while the leader has done more than the part ``far`` of its tree, by the estimate of Knuth.
    """

    first: int = 0
    growth: int = 0
    more: int = 0
    share: float = 1.0
    far: float = 1.0


#: A task with its schedule.
Scheduled: TypeAlias = tuple[Task, Schedule]


class _Entrant:
    """A task beside the leader: its current turn, and the nodes of the leader at which that begins."""

    def __init__(self, task: Task, schedule: Schedule, moment: int) -> None:
        self.task, self.schedule = task, schedule
        self.turn, self.due = schedule.first, max(schedule.first, moment)
        self.end: int | None = None  # of the current turn, in nodes and states of the task

    @property
    def left(self) -> int:
        """How many nodes or states are left of the current turn."""
        if not self.schedule.growth:
            return UNLIMITED
        used = self.task.nodes + self.task.states
        if self.end is None:
            self.end = max(used + 1, int(self.turn * self.schedule.share / self.task.effort))
        return self.end - used

    def plan(self, nodes: int) -> None:
        """Plan the next turn, when the leader has visited so many nodes."""
        turn = self.turn * self.schedule.growth + self.schedule.more
        self.due, self.turn, self.end = nodes + turn - self.turn, turn, None


class Race:
    """The tasks of a race, which is over when ``winner`` has the outcome or a limit has ``stopped`` it."""

    def __init__(self, leader: Task, others: Iterable[Scheduled] = (), limits: Limits | None = None) -> None:
        self.leader, self.limits = leader, limits or Limits()
        self.stopped: Stop | None = None
        self.winner: Task | None = None
        self._entrants = [_Entrant(task, schedule, leader.moment) for task, schedule in others]
        self._turn: _Entrant | None = None  # of the task beside the leader that works now
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
    def outcome(self) -> Outcome | None:
        """What the winner has found out."""
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
        """How many covers are known to exist."""
        return max(task.number for task in self.tasks)

    @property
    def seconds(self) -> float:
        """The seconds since the race began."""
        return time.monotonic() - self._begun

    def foresee(self) -> bool:
        """Make a better forecast of the end for the task that works; return whether there is a new one."""
        turn = self._turn
        return (self.leader if turn is None or turn.schedule.growth else turn.task).foresee()

    def close(self) -> None:
        """End the threads of all tasks."""
        for task in self.tasks:
            task.close()

    def begin(self) -> None:
        """Let the seconds count from now on."""
        self._begun = time.monotonic()

    def advance(self) -> bool:
        """Let the task whose turn it is work for a slice; return whether the race continues.

        This is the only place that decides who searches next.
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
        return self.winner is None and self.stopped is None

    def _due(self, leader: Task) -> _Entrant | None:
        """Return the entrant whose turn it is, None for the leader."""
        for entrant in self._entrants:
            if leader.nodes >= entrant.due:
                if entrant.end is None and leader.before > entrant.schedule.far:
                    entrant.due = max(entrant.due, int(2 * leader.nodes / leader.before))
                else:
                    return entrant
        return None

    def _room(self) -> int:
        """Return how many nodes the leader may visit before another task is due or the limit is reached."""
        nodes = self.leader.nodes
        room = min((max(1, entrant.due - nodes) for entrant in self._entrants), default=UNLIMITED)
        return room if self.limits.nodes is None else min(room, self.limits.nodes - nodes)

    def _limited(self, task: Task) -> bool:
        """Whether a limit ends the race before the task continues; note which."""
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            self.stopped = Stop.SECONDS
        elif task is self.leader and self.limits.nodes is not None and task.nodes >= self.limits.nodes:
            self.stopped = Stop.NODES
        elif self.limits.solutions == 0:
            self.stopped = Stop.SOLUTIONS
        return self.stopped is not None

    def _settle(self, task: Task) -> None:
        """Note what has come of a slice: an answer, a task that cannot help, the end of a turn."""
        turn = self._turn
        if task.outcome is not None and (task.outcome.number is not None or turn is None):
            self.winner = task
        elif turn is not None and task.outcome is not None:
            turn.due = UNLIMITED  # it has no turn any more
        elif turn is not None and turn.left <= 0:
            turn.plan(self.leader.nodes)

    def progress(self) -> Progress:
        """Return how far the race is: as its leader tells it, or the task that has taken over from it."""
        turn, now = self._turn, self.leader.progress()
        nodes = now.nodes + sum(entrant.task.nodes + entrant.task.states for entrant in self._entrants)
        if turn is None:
            return now._replace(nodes=nodes)
        other = turn.task.progress()
        if turn.schedule.growth or not other.seconds:
            return now._replace(nodes=nodes, doing=other.doing or now.doing)
        return other._replace(nodes=nodes, solutions=max(now.solutions, other.solutions))


def race(leader: Task, others: Iterable[Scheduled] = (), limits: Limits | None = None) -> Outcome:
    """Let tasks search in turns until one has the answer, and return it; without an answer, a limit ended the race."""
    running = Race(leader, others, limits)
    while running.advance():
        pass
    return running.outcome or NO_ANSWER
