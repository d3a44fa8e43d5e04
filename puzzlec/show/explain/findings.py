"""What is found out about a compiled puzzle before it is explained, in words or as data: once for both."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.reduction.reductions import Reduction, reduce
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import Encoding, Symmetry, encode, place, symmetry
from puzzlec.lower.movements import GroupTooLargeError


@dataclass(frozen=True)
class Findings:
    """A compiled puzzle, with what can be said of it without a search.

    ``group`` are its symmetries, the identity alone where they are not looked for or not ``listed``; ``order`` is how
    many there are then, at least. ``bare`` is what the puzzle would be without its rules; None where it has none, or
    too many placements to list. ``refuted``: reasons why there can be no solution are known, and told elsewhere.
    """

    encoding: Encoding
    reduction: Reduction
    group: Symmetry
    order: int
    listed: bool
    bare: Fitting | None
    refuted: bool = False

    @property
    def open(self) -> bool:
        """Whether something is left to search."""
        return len(self.reduction.cover) > 0 and self.reduction.refuted is None and not self.refuted


def found(what: Fitting | Encoding, refuted: bool = False) -> Findings:
    """Return what is found out about a puzzle, or about an exact cover that was read as such."""
    encoding = what if isinstance(what, Encoding) else encode(what)
    reduction = reduce(encoding.cover, compiled=False)
    group, order, listed = symmetry(encoding, "none"), 1, True
    if not encoding.raised:
        try:
            group = symmetry(encoding)
            order = len(group)
        except GroupTooLargeError as error:
            order, listed = error.order, False
    return Findings(encoding, reduction, group, order, listed, without_rules(encoding.fitting.puzzle), refuted)


def without_rules(puzzle: Puzzle | None) -> Fitting | None:
    """Return what a puzzle would be without its rules; None where it has none, or too many placements to list."""
    if puzzle is not None and (puzzle.rules or puzzle.region_rules):
        with suppress(PuzzleError):
            return place(replace(puzzle, rules=(), region_rules=()))
    return None
