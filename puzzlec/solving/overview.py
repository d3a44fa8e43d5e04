"""Sums and progress of the searches for the solutions of one puzzle."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import ALMOST, Progress, Steady
from puzzlec.engine.search.selection import Choice

if TYPE_CHECKING:
    from puzzlec.diagnostics import Diagnostic
    from puzzlec.engine import Search
    from puzzlec.engine.search.counting import Counting
    from puzzlec.engine.search.forecast import Forecast
    from puzzlec.engine.search.race import Race


@dataclass
class Account:
    """The sums over the ended searches, facts about symmetries, and reasons why there can be no solution.

    ``reasons`` is None before a search looks for reasons.
    """

    nodes: int = 0
    seconds: float = 0.0
    profile: list[int] = field(default_factory=list)
    choice: Choice | None = None
    order: int | None = None
    held: str = ""
    begun: float | None = None
    ended: bool = False
    reasons: tuple[Diagnostic, ...] | None = None

    def begin(self) -> None:
        """Start the clock."""
        self.begun = time.monotonic()


class Overview:
    """The progress of several searches, one after the other.

    ``search`` runs now. Each of its covers counts as ``weight`` solutions (0: they are counted elsewhere). This search
    is the fraction ``part`` of the whole, and the fraction ``past`` is done before it. ``to_come`` are the options of
    the next search.
    """

    def __init__(self) -> None:
        self.account = Account()
        self.search: Search | Counting | Race | None = None
        self.weight = 0
        self.part, self.past = 1.0, 0.0
        self.to_come: list[int] | None = None
        self.doing = ""
        self._later: Forecast | None = None  # of the next search
        self._steady, self._foreseen = Steady(), False

    def end(self, search: Search | Counting) -> None:
        """Record an ended search."""
        account, self.search = self.account, None
        account.nodes += search.nodes
        account.seconds += search.seconds
        account.choice = search.choice
        account.profile = [sum(both) for both in zip_longest(account.profile, search.profile, fillvalue=0)]
        self.past += self.part * search.progress().fraction

    def foresee(self, cover: ExactCover) -> None:
        """Improve the progress by a forecast of the current search and the next one."""
        search = self.search
        if search is None or not search.foresee():
            return
        if self.to_come is not None and self._later is None:
            from puzzlec.engine.search.forecast import Forecast

            self._later = Forecast.of(cover.subset(self.to_come))
        if not self._foreseen:
            self._foreseen = True
            self._steady.forget_fraction()

    def progress(self, number: int, complete: bool) -> Progress:
        """Return the progress of the searches, which have found this many solutions."""
        now = self._steady.next(self._now(number))
        if complete:
            return now._replace(fraction=1.0, left=0.0, left_between=(0.0, 0.0), doing="")
        return now._replace(fraction=min(now.fraction, ALMOST))

    def _now(self, number: int) -> Progress:
        search, nodes, seconds = self.search, self.account.nodes, self.account.seconds
        if search is None:
            return Progress(self.past, nodes, number, seconds, nodes / max(seconds, 1e-3), doing=self.doing)
        now = search.progress()
        done = self.past + self.part * now.fraction
        # Later searches are assumed to be like this one: a guess without an interval.
        left, between, later = now.left, now.left_between, max(0.0, 1 - self.past - self.part)
        if self.to_come is not None and self._later is not None and between is not None and left is not None:
            rest = self._later.rest(0)
            if rest is not None and now.rate > 0:
                left, low, high = (a + b / now.rate for a, b in zip((left, *between), rest, strict=True))
                done = now.nodes / (now.nodes + max(left * now.rate, 1.0))
                between, later = (low, high), 0.0
        if left is not None and now.fraction > 0 and self.part > 0 and later > 1e-9:
            left, between = left + now.seconds / now.fraction * later / self.part, None
        found = number + self.weight * now.solutions
        return Progress(done, nodes + now.nodes, found, seconds + now.seconds, now.rate, left, between, now.doing)
