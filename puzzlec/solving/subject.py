"""A puzzle with solutions to show, and words for numbers of solutions."""

from __future__ import annotations

from dataclasses import dataclass

from puzzlec.diagnostics import Diagnostic
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.shown import brief

#: Words for solutions that are counted up to each kind of symmetry.
DISTINCT = {
    "none": "raw",
    "rotations": "distinct under rotations",
    "all": "distinct",
    "parts": "distinct under symmetries of each part",
    "automorphisms": "distinct under all automorphisms of the problem",
}


def counted_solutions(number: int, symmetry: str = "all") -> str:
    """Return a number of solutions in words, with their kind of symmetry.

    >>> counted_solutions(1, "all"), counted_solutions(2339, "rotations")
    ('1 distinct solution', '2,339 solutions distinct under rotations')
    """
    words = DISTINCT[symmetry]
    noun = "solution" + "s" * (number != 1)
    return f"{number:,} {noun} {words}" if " " in words else f"{number:,} {words} {noun}"


#: Maximum number of assemblies that a picture or a page compares if one of them comes apart.
MAX_COMPARED_ASSEMBLIES = 1000


@dataclass(frozen=True)
class Subject:
    """A puzzle and some of its solutions. ``remark`` describes these solutions, or gives the reason why there are none.

    ``number`` is the number of all solutions, if known. ``reasons`` explain why the puzzle can have no solution.
    ``start`` is the index of the solution that is shown first, and ``choice`` says in words why, if it was chosen.
    ``loose`` are the indices of solutions that are known to come apart, if they were compared. For ``undecided`` others
    a limit was reached first.
    """

    def __repr__(self) -> str:
        return brief(self)

    fitting: Fitting
    solutions: tuple[Solution, ...] = ()
    remark: str = ""
    number: int | None = None
    reasons: tuple[Diagnostic, ...] = ()
    start: int = 0
    choice: str = ""
    loose: tuple[int, ...] = ()
    undecided: int = 0

    @property
    def puzzle(self) -> Puzzle | None:
        """The puzzle with cells and positions, if known."""
        return self.fitting.puzzle

    @property
    def shown(self) -> Solution | None:
        """The solution that is shown first, or alone; None if there is none."""
        return self.solutions[self.start] if self.solutions else None

    @property
    def title(self) -> str:
        """The title of the puzzle."""
        return self.fitting.title
