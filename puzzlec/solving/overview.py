"""Sums and progress of the searches for the solutions of one puzzle."""

from __future__ import annotations

import time
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from puzzlec.engine.problem import ExactCover
from puzzlec.engine.progress import MAX_UNFINISHED_FRACTION, Progress, Steady
from puzzlec.engine.search.selection import KernelChoice

if TYPE_CHECKING:
    from puzzlec.diagnostics import Diagnostic
    from puzzlec.engine.search.forecast import Forecast
    from puzzlec.engine.search.run import Run


class SymmetryUse(NamedTuple):
    """The number of symmetries, if known, and the item that keeps only some of its options by symmetry."""

    order: int | None = None
    held: str = ""


class Searches:
    """The searches for the solutions of one puzzle, one after the other: their sums and their progress.

    The sums are over the ended searches. ``use`` is that of symmetries. ``reasons`` why there can be no solution are
    None before a search looks for them.

    ``search`` runs now. Each of its covers counts as ``weight`` solutions (0: they are counted elsewhere). ``span`` is
    the part of the whole before this search, and the part of this search. ``to_come`` are the options of the next one.
    """

    def __init__(self) -> None:
        self.nodes, self.seconds = 0, 0.0
        self.profile: list[int] = []
        self.choice: KernelChoice | None = None
        self.use = SymmetryUse()
        self.reasons: tuple[Diagnostic, ...] | None = None
        self.ended = False
        self.begun: float | None = None
        self.search: Run | None = None
        self.weight = 0
        self.span = (0.0, 1.0)
        self.to_come: list[int] | None = None
        self.doing = ""
        self._later: Forecast | None = None  # of the next search
        self._steady = Steady()

    def begin(self) -> None:
        """Start the clock."""
        self.begun = time.monotonic()

    def end(self, search: Run) -> None:
        """Record an ended search."""
        self.search = None
        self.nodes += search.nodes
        self.seconds += search.seconds
        self.choice = search.choice
        self.profile = [sum(both) for both in zip_longest(self.profile, search.profile, fillvalue=0)]
        before, share = self.span
        self.span = before + share * search.progress().fraction, share

    def foresee(self, cover: ExactCover) -> None:
        """Improve the progress by a forecast of the current search and the next one."""
        search = self.search
        if search is None or not search.foresee():
            return
        if self.to_come is not None and self._later is None:
            from puzzlec.engine.search.forecast import Forecast

            self._later = Forecast.of(cover.subset(self.to_come))
        self._steady.forget_fraction()

    def progress(self, number: int, complete: bool) -> Progress:
        """Return the progress of the searches, which have found this many solutions."""
        now = self._steady.next(self._now(number))
        if complete:
            return now._replace(fraction=1.0, left=0.0, left_between=(0.0, 0.0), doing="")
        return now._replace(fraction=min(now.fraction, MAX_UNFINISHED_FRACTION))

    def _now(self, number: int) -> Progress:
        search, nodes, seconds, (before, share) = self.search, self.nodes, self.seconds, self.span
        if search is None:
            return Progress(before, nodes, number, seconds, nodes / max(seconds, 1e-3), doing=self.doing)
        now = search.progress()
        done = before + share * now.fraction
        # Later searches are assumed to be like this one: a guess without an interval.
        left, between, later = now.left, now.left_between, max(0.0, 1 - before - share)
        if self.to_come is not None and self._later is not None and between is not None and left is not None:
            rest = self._later.rest(0)
            if rest is not None:  # an interval comes with a rate
                left, low, high = (a + b / now.rate for a, b in zip((left, *between), rest, strict=True))
                done = now.nodes / (now.nodes + max(left * now.rate, 1.0))
                between, later = (low, high), 0.0
        if left is not None and now.fraction > 0 and share > 0 and later > 1e-9:
            left, between = left + now.seconds / now.fraction * later / share, None
        solutions = number + self.weight * now.solutions
        return Progress(done, nodes + now.nodes, solutions, seconds + now.seconds, now.rate, left, between, now.doing)
