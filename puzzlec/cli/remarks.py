"""What ``puzzlec solve`` says of each solution besides what it is: up to what it counts, and its own symmetry."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from puzzlec.cli.terminal import say
from puzzlec.diagnostics import counted
from puzzlec.ir import Solution
from puzzlec.solving.conventions import DISTINCT
from puzzlec.solving.solutions import Solutions

if TYPE_CHECKING:
    from puzzlec.solving.own_symmetry import OwnSymmetries


def say_where_symmetry_is_idle(solutions: Solutions, asked: str | None) -> None:
    """Say that solutions are not compared though somebody asked for it: there is no geometry."""
    if asked not in (None, "none") and solutions.symmetry == "none":
        how = "`--symmetry automorphisms` compares as an exact cover"
        say(f"without geometry nothing can be turned: {how}")


class Remarks:
    """Remarks on the solutions of a puzzle, for JSON and for people, and their summary.

    ``named`` says whether somebody asked for a kind of symmetry, ``own`` for the solutions' own symmetries.
    """

    def __init__(self, solutions: Solutions, named: bool, own: bool) -> None:
        self.solutions, self.own = solutions, own
        self.fields: dict[str, object] = {"convention": DISTINCT[solutions.symmetry]} if named else {}
        self.line = ""
        self.seen: Counter[str] = Counter()
        self.represented = 0
        self._finder: OwnSymmetries | None = None

    def remarks(self, solution: Solution) -> dict[str, object]:
        """Return the fields of JSON for a solution; ``line`` is then what is to be said of it to people."""
        if not self.own:
            return self.fields
        if self._finder is None:
            from puzzlec.solving.own_symmetry import OwnSymmetries

            self._finder = OwnSymmetries(self.solutions.encoding, self.solutions.group)
        found = self._finder.of(solution)
        self.line = str(found)
        self.seen[found.summary] += 1
        self.represented += len(self.solutions.group) // found.order
        return {**self.fields, "own_symmetry": list(found.words)}

    def summarise(self) -> None:
        """Say at the end how many solutions have which symmetry, and how many raw ones they stand for."""
        if not self.own or self.solutions.number < 2:
            return
        say("own symmetry")
        for what, number in sorted(self.seen.items(), key=lambda each: (-each[1], each[0])):
            say(f"{number:>8}  {what}")
        if self.solutions.stopped is None and self.solutions.convention == "distinct":
            say(f"they stand for {counted(self.represented, 'raw solution')}")
