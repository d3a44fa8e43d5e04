"""What is to be shown: a puzzle, and the solutions of it that were found."""

from __future__ import annotations

from dataclasses import dataclass

from puzzlec.diagnostics import Diagnostic
from puzzlec.ir import Fitting, Puzzle, Solution


@dataclass(frozen=True)
class Subject:
    """A puzzle and some of its solutions; ``remark`` says why there are none, or not all.

    ``number`` is how many solutions there are in all, where that is known, ``reasons`` say why there can be none.
    """

    fitting: Fitting
    solutions: tuple[Solution, ...] = ()
    remark: str = ""
    number: int | None = None
    reasons: tuple[Diagnostic, ...] = ()

    @property
    def puzzle(self) -> Puzzle | None:
        """The puzzle, where it is known at that level: pieces with cells, locations with places."""
        return self.fitting.puzzle

    @property
    def title(self) -> str:
        """The title of the puzzle."""
        return self.fitting.title
