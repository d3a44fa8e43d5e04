"""The problem for workers: the exact covers to search, and which covers are solutions that count."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property

from puzzlec.engine.diagram_file import fingerprint
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.splitting import TREE
from puzzlec.jobs.records import VERSION
from puzzlec.lower import Encoding, Symmetry
from puzzlec.solving import Representatives, representatives

#: The task of a job: find and keep solutions, or count them.
TASKS = ("solutions", "count")


@dataclass(frozen=True)
class Stage:
    """A part of the search: the exact cover with only these ``options`` of the whole one (ascending).

    If ``compared``, covers are listed, and only the least of an orbit counts. Otherwise every cover counts as
    ``weight`` raw solutions.
    """

    options: array[int]
    compared: bool
    weight: int


@dataclass(frozen=True)
class Problem:
    """The search of a job, the same on every worker; it can be pickled.

    ``choice`` contains the exact cover and its restriction by symmetry (:mod:`puzzlec.solving.distinct`). With
    ``keep``, solutions are listed, checked and kept. With ``raw``, raw solutions are counted, as the orbits of the
    solutions that are searched. ``version`` and ``tree`` belong to the puzzlec that made it.
    """

    title: str
    choice: Representatives
    stages: tuple[Stage, ...]
    keep: bool
    raw: bool
    kernel: str = "auto"
    version: str = VERSION
    tree: int = TREE

    @classmethod
    def of(cls, encoding: Encoding, group: Symmetry, task: str, raw: bool, kernel: str = "auto") -> Problem:
        """Return the search for solutions that are distinct under a group. Counting ``raw`` ones may use the group.

        Raises ValueError for a task that is not in :data:`TASKS`.
        """
        if task not in TASKS:
            raise ValueError(f"there is no task {task!r}")
        keep = task == "solutions"
        choice = representatives(encoding.cover, group)
        title = encoding.fitting.title or "puzzle"
        return cls(title, choice, tuple(_stages(choice, keep)), keep, raw, kernel)

    @property
    def cover(self) -> ExactCover:
        """The whole exact cover."""
        return self.choice.cover

    @cached_property
    def fingerprint(self) -> str:
        """The sha256 of the exact cover."""
        return fingerprint(self.cover)

    @property
    def name(self) -> str:
        """The title, and the first digits of the fingerprint: the name on a cluster's dashboard."""
        return f"{self.title} {self.fingerprint[:8]}"

    def searched(self, stage: int) -> ExactCover:
        """Return the exact cover that a stage searches."""
        options = self.stages[stage].options
        return self.cover if len(options) == len(self.cover) else self.cover.subset(options)


def _stages(choice: Representatives, keep: bool) -> list[Stage]:
    """Return the stages. One stage lists all solutions, in the order of a plain search. A count has two stages.

    If no symmetry maps a kept option to another one, each cover with this option is the only admissible cover of its
    orbit.
    """
    everything = array("i", range(len(choice.cover)))
    if choice.order == 1:
        return [Stage(everything, compared=False, weight=1)]
    if choice.item < 0:
        return [Stage(everything, compared=True, weight=0)]
    quiet, noisy = choice.quiet, choice.noisy
    if not noisy or (quiet and not keep):
        stages = [Stage(choice.options(quiet), compared=False, weight=choice.order)]
        return [*stages, Stage(choice.options(noisy), compared=True, weight=0)] if noisy else stages
    return [Stage(choice.options(choice.movers), compared=True, weight=0)]
