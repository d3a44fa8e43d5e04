"""Facts about a compiled puzzle that need no search, for words and for data, and the plan of its search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from puzzlec.diagnostics import PuzzleError, counted
from puzzlec.engine.reduction.reductions import Reduction, reduce
from puzzlec.engine.search import selection
from puzzlec.engine.search.count_tasks import width as width_of_frontier
from puzzlec.engine.search.grading import Grade
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import Encoding, Symmetry, encode, place, symmetry
from puzzlec.lower.movements import GroupTooLargeError
from puzzlec.show.terminal.layout import entry
from puzzlec.solving import representatives
from puzzlec.solving.grading import grade


@dataclass(frozen=True)
class Findings:
    """A compiled puzzle, with facts that need no search.

    ``group`` are its symmetries: the identity alone if they are not looked for or not ``listed``. ``order`` is then a
    lower bound of their number. ``bare`` is the puzzle without its rules; None if it has none, or too many placements
    to list. ``refuted``: an error already reports that no solution exists.
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

    @cached_property
    def grade(self) -> Grade | None:
        """How hard the puzzle is for a person; None for one that is too large, or was refuted."""
        return None if self.refuted or self.reduction.refuted is not None else grade(self.encoding)


def found(what: Fitting | Encoding, refuted: bool = False) -> Findings:
    """Return the facts about a puzzle, or about an exact cover that was read as one."""
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
    """Return a puzzle without its rules; None if it has none, or too many placements to list."""
    if puzzle is not None and (puzzle.rules or puzzle.region_rules):
        with suppress(PuzzleError):
            return place(replace(puzzle, rules=(), region_rules=()))
    return None


class Plan(NamedTuple):
    """The plan of the search of an exact cover.

    The first ``patience`` nodes are searched in plain Python (None: all of them, since numba is not installed). The
    compiled ``kernel`` searches the rest, for the ``reason``. Of the ``having`` options of the item ``held`` (-1:
    none), only ``movers`` options are tried: by symmetry they represent all. A count also has a frontier, with at most
    ``half_done`` items half done at a time (None: it has none, without numba).
    """

    kernel: str
    reason: str
    patience: int | None
    half_done: int | None
    held: int
    movers: int
    having: int


def plan(encoding: Encoding, group: Symmetry) -> Plan:
    """Return the plan of the search of an exact cover with these symmetries."""
    cover = encoding.cover
    choice, patience = selection.choose(cover), 0 if selection.is_slow(cover) else selection.PATIENCE
    held, numba = representatives(cover, group), selection.has_numba()
    return Plan(
        *choice,
        patience if numba else None,
        width_of_frontier(cover) if numba else None,
        held.item,
        len(held.movers),
        len(held.having),
    )


def search_plan(encoding: Encoding, group: Symmetry, width: int) -> Iterator[str]:
    """Yield the lines of the block."""
    cover = encoding.cover
    if not len(cover):
        return
    found = plan(encoding, group)
    then = f"`{found.kernel}`: {found.reason}"
    if found.patience is None:
        yield from entry("kernel", "`python`: numba is not installed", width)
    elif not found.patience:
        yield from entry("kernel", then, width)
    else:
        yield from entry("kernel", f"`python` for {counted(found.patience, 'node')}, then {then}", width)
    if found.half_done is not None:
        text = f"`count` tries it after a moment: at most {counted(found.half_done, 'item')} half done at a time"
        yield from entry("frontier", text, width)
    if found.held >= 0:
        name = f"`{cover.item_name(found.held)}`"
        text = f"{name}: the search tries {found.movers} of its {found.having} options, and symmetry covers the others"
        yield from entry("held", text, width)


def grade_lines(known: Findings, width: int) -> Iterator[str]:
    """Yield the lines of the block about the grade: how hard the puzzle is for a person."""
    grade = known.grade
    if grade is None:
        yield from entry("figure", "none: the puzzle is too large", width)
        return
    things, end = ("items", "cover") if known.encoding.raised else ("places and pieces", "solution")
    until = "until all is excluded" if grade.solutions == 0 else f"until the first {end}"
    about = f"{'more than' if grade.least else 'about'} {_rounded(grade.looks)}"
    yield from entry("figure", f"{grade}; one more means twice as many looks", width)
    yield from entry("looks", f"{about} at {things}, {until}", width)
    yield from entry("forced", f"{counted(grade.forced, 'move')} before the first choice", width)
    if grade.choices:
        yield from entry("choices", f"{grade.choices:.1f} on the way to a {end}", width)
    dead = f"{'more than' * grade.least} {_rounded(grade.dead_ends)}".strip()
    after = f", {grade.depth:.1f} moves after a wrong choice" if grade.depth else ""
    yield from entry("dead ends", f"{dead}{after}", width)
    if grade.solutions is not None:
        yield from entry(f"{end}s", f"{grade.solutions:,}{'' if known.encoding.raised else ' raw'}", width)


def _rounded(number: float) -> str:
    """Return a number with two digits, and with separators.

    >>> _rounded(5341.7), _rounded(3.14), _rounded(0)
    ('5,300', '3.1', '0')
    """
    return f"{float(f'{number:.2g}'):,.1f}".removesuffix(".0")
