"""A run of a race, within limits: what every search and every count have in common."""

from __future__ import annotations

import logging

from puzzlec.engine.kernels import compiling
from puzzlec.engine.limits import Limits, Stop
from puzzlec.engine.progress import Progress, Steady
from puzzlec.engine.search.count_tasks import FrontierTooWideError, Layers, with_estimate
from puzzlec.engine.search.race import Race
from puzzlec.engine.search.selection import KernelChoice
from puzzlec.engine.search.tree_search import TreeSearch

_log = logging.getLogger(__name__)


class Run:
    """A race under way: count its covers, limit it and observe it. :class:`Search` also lists them.

    Afterwards ``complete`` says whether ``solutions`` are all covers, and ``stopped`` is the limit that ended the run.
    Any thread may call :meth:`progress` and :meth:`foresee`.
    """

    def __init__(self, race: Race, limits: Limits) -> None:
        self.limits, self.solutions, self.seconds = limits, 0, 0.0
        self.stopped: Stop | None = None
        self.complete = self._running = False
        self._race, self._steady = race, Steady()
        self._choice: KernelChoice | None = None
        self._listed = False

    def __repr__(self) -> str:
        limit = f"stopped at the limit of {self.stopped}"
        end = "complete" if self.complete else "not complete" if self.stopped is None else limit
        return f"<{type(self).__name__}: {self.solutions} covers in {self.nodes} nodes, {end}>"

    def count(self) -> int:
        """Return the number of covers. If a limit ends the run, return the number found until then."""
        race, most = self._race, self.limits.solutions
        self._begin()
        try:
            while race.advance():
                self.solutions = race.number
                if most is not None and self.solutions >= most:
                    break
            self._conclude()
        finally:  # an interruption keeps the results so far
            if not self.complete:
                self.solutions = max(self.solutions, race.number) if most is None else min(race.number, most)
                self._explain_lack()
            self._end()
        return self.solutions

    def _begin(self) -> None:
        self._race.begin()
        self._running = True

    def _end(self) -> None:
        """Note why and when the run ended, and end the threads."""
        self._race.close()
        self.seconds, self._running = self._race.seconds, False
        self.stopped = self.stopped or self._race.stopped

    def _conclude(self) -> None:
        """Note the result of a count."""
        race, outcome, most = self._race, self._race.outcome, self.limits.solutions
        if most is not None and race.number >= most:
            self.stopped = Stop.SOLUTIONS
        elif outcome is not None and outcome.number is not None:
            self.solutions, self.complete = outcome.number, outcome.complete
            self._choice = with_estimate(outcome.choice or self.choice, race)
        elif isinstance(race.leader, Layers) and outcome is not None:
            raise FrontierTooWideError(race.leader.lack)

    def _explain_lack(self) -> None:
        """Log that a count by layers needed more memory, if the count is incomplete and this is not its error."""
        lack = next((task.lack for task in self._race.tasks[1:] if isinstance(task, Layers) and task.lack), "")
        if lack and self.stopped is not Stop.SOLUTIONS:
            _log.warning("counting by layers stopped at the limit of memory: %s", lack)

    @property
    def choice(self) -> KernelChoice:
        """The kernel that found the result or leads the race, and the reason for its choice."""
        return self._choice or self._race.leader.choice

    @property
    def profile(self) -> list[int]:
        """Number of nodes at each depth, of all threads together, when the run has ended."""
        leader = self._race.leader
        return list(leader.profile) if isinstance(leader, TreeSearch) and not self._running else []

    @property
    def nodes(self) -> int:
        """Number of visited nodes of searches."""
        return self._race.nodes

    @property
    def states(self) -> int:
        """Number of expanded states of frontiers."""
        return self._race.states

    def progress(self) -> Progress:
        """Return how far the run is."""
        race = self._race
        if self._running:
            now = race.progress()._replace(seconds=race.seconds)
            if self._listed:
                now = now._replace(solutions=self.solutions)
        else:
            nodes, fraction = race.nodes + race.states, 1.0 if self.complete else race.leader.before
            left, rate = (0.0 if self.complete else None), nodes / max(self.seconds, 1e-3)
            now = Progress(fraction, nodes, self.solutions, self.seconds, rate, left)
        return self._steady.next(compiling.told(now))

    def foresee(self) -> bool:
        """Make random probes into the tree for about a second to improve the progress, once, if that is possible.

        Call this in a thread beside the run. Return whether :meth:`progress` now uses the probes.
        """
        foresight = self._race.foresight if self._running else None
        if foresight is None or not foresight.make():
            return False
        self._steady.forget_fraction()
        return True
