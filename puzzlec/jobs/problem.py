"""The problem for workers: the exact covers to search, and which covers are solutions that count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from puzzlec.engine.diagram_file import fingerprint
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.splitting import TREE_VERSION
from puzzlec.jobs.records import TASKS, VERSION
from puzzlec.lower import Encoding, Symmetry
from puzzlec.solving import Representatives, representatives
from puzzlec.solving.distinct import SearchStage


@dataclass(frozen=True)
class JobProblem:
    """The search of a job, the same on every worker; it can be pickled.

    ``choice`` contains the exact cover and its restriction by symmetry (:mod:`puzzlec.solving.distinct`). With
    ``keep``, solutions are listed, checked and kept. With ``raw``, raw solutions are counted, as the orbits of the
    solutions that are searched. ``version`` and ``tree`` belong to the puzzlec that made it.
    """

    title: str
    choice: Representatives
    stages: tuple[SearchStage, ...]
    keep: bool
    raw: bool
    kernel: str = "auto"
    version: str = VERSION
    tree: int = TREE_VERSION

    @classmethod
    def of(cls, encoding: Encoding, group: Symmetry, task: str, raw: bool, kernel: str = "auto") -> JobProblem:
        """Return the search for solutions that are distinct under a group. Counting ``raw`` ones may use the group.

        Raises ValueError for a task that is not in :data:`puzzlec.jobs.records.TASKS`.
        """
        if task not in TASKS:
            raise ValueError(f"there is no task {task!r}")
        keep = task == "solutions"
        choice = representatives(encoding.cover, group)
        title = encoding.fitting.title or "puzzle"
        return cls(title, choice, tuple(choice.stages(keep)), keep, raw, kernel)

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
        return self.choice.searched_in(self.stages[stage])
