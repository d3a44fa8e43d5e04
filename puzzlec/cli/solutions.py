"""``puzzlec solutions``: questions about all solutions of a puzzle, or the solutions in a checkpoint."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from puzzlec.cli.arguments import Memory, Question
from puzzlec.cli.candidates import puzzles_and_files
from puzzlec.cli.options import FILE, Argument, Option
from puzzlec.cli.properties import CHOSEN, NUMBERS, Wish, filters_of, show, tell, words_on
from puzzlec.cli.terminal import ExitStatus, end, say
from puzzlec.disassembling import check_symmetry
from puzzlec.ir import Solution
from puzzlec.language.comparisons import comparisons
from puzzlec.lower.symmetries import SymmetryKind
from puzzlec.solving.subject import counted_solutions

if TYPE_CHECKING:
    from puzzlec.engine.cover_rows import Rows
    from puzzlec.jobs.streams import StoredSolutions


_Words: TypeAlias = list[str] | None

#: Why options do not apply to the folder of a checkpoint.
_IN_FOLDER = "the folder of the checkpoint contains the puzzle"
_ITS_SOLUTIONS = "a checkpoint already has its solutions, so it needs no limit"


@dataclass(kw_only=True, eq=False, repr=False)
class Asked(Question):
    """The options of a question about the solutions of a puzzle, or those in the folder of a checkpoint."""

    puzzle: Annotated[
        str,
        Argument("File, `-`, name in the catalogue, or folder of a checkpoint.", "PUZZLE", offered=puzzles_and_files),
    ]


def solutions(
    *,
    where: Annotated[_Words, Option('Condition, such as "X on corner".', "CONDITION")] = None,
    saved: Annotated[
        str | None, FILE.saying("Read the solutions from FILE, a diagram of `puzzlec convert`.", name="--solutions")
    ] = None,
    wish: Wish = Wish(),
    asked: Asked,
    memory: Memory = None,
) -> None:
    """Answer questions about all solutions of a puzzle.

    Without options, prints the number of solutions. For a puzzle, these are raw solutions; for a checkpoint, its
    stored solutions. With --comes-apart or a condition on `level`, --symmetry counts distinct solutions of a puzzle.

    Examples:
        puzzlec solutions pentominoes/6x10 --where 'X on border' --sample 2
        puzzlec solutions soma --frequency

    """
    if os.path.isdir(asked.puzzle):  # noqa: PTH112  # pathlib raises an error for a name that is too long
        for name, value, why in (
            ("--solutions", saved, "give the folder of a checkpoint, or a file of solutions"),
            ("--frequency", wish.often, "it needs a puzzle, not the folder of a checkpoint"),
            ("--memory", memory, _ITS_SOLUTIONS),
            ("--time-limit", asked.time, _ITS_SOLUTIONS),
            ("--param", asked.given, _IN_FOLDER),
            ("--from", asked.source, _IN_FOLDER),
            ("--board", asked.board, _IN_FOLDER),
            ("--problem", asked.problem, _IN_FOLDER),
        ):
            if value:
                raise typer.BadParameter(why, param_hint=name)
        answer_from_checkpoint(asked, wish, where or [])
        return
    symmetry = asked.symmetry
    compared, rest = comparisons(where or [], NUMBERS)
    if symmetry not in (None, "none") and (compared or asked.comes_apart) and not (rest or saved or wish.often):
        from puzzlec.cli.solutions_all import answer_from_search

        answer_from_search(asked, wish, compared, memory)
        return
    if symmetry not in (None, "none"):
        fault = "distinct solutions need a checkpoint: `puzzlec solve --all --quiet --checkpoint DIR`"
        raise typer.BadParameter(f"{fault} makes one, then `puzzlec solutions DIR`", param_hint="--symmetry")
    from puzzlec.cli.solutions_all import answer_from_diagram

    answer_from_diagram(asked, wish, where or [], saved, memory)


#: Seconds for counting the solutions after the shown ones.
PATIENCE = 5.0


def answer_from_checkpoint(asked: Question, wish: Wish, where: list[str]) -> None:
    """Answer for the solutions in the folder of a checkpoint."""
    which = asked.which if asked.raw or asked.symmetry else None
    from puzzlec.engine.cover_rows import limited, sampled
    from puzzlec.jobs.streams import StoredSolutions
    from puzzlec.solving.conditions import all_understood

    with StoredSolutions.open(asked.puzzle) as stored:
        compared, where = comparisons(where, NUMBERS)
        condition = all_understood(where, stored.encoding)
        answer = _Answer(stored, which)
        fits = filters_of(stored.fitting, compared, asked.comes_apart)
        if condition is None and not fits and answer.as_kept and not wish.shows:
            answer.number = stored.number
        else:
            chosen = stored.chosen(which, condition.formula if condition else None)
            if fits:
                check_symmetry(answer.symmetry, CHOSEN)
                chosen = _accepted(stored, chosen, fits)
            counting = parts = answer.counting(chosen)
            if wish.sample is not None:
                parts = iter([sampled(parts, wish.sample, wish.seed, stored.nothing)])
            elif wish.limit is not None:
                parts = limited(parts, wish.limit)
            if wish.shows:
                answer.shown = show(stored.encoding, wish, rows=parts, about=stored.about(answer.symmetry))
            answer.count_on(counting)
        data = {"of": stored.number, "kept": stored.symmetry, "complete": stored.complete, "symmetry": answer.symmetry}
        conditions = [condition.words + answer.turned] if condition is not None else []
        text = answer.summary(condition is None and not fits and answer.as_kept)
        tell(asked, wish, (answer.shown, answer.number), text, data, [*conditions, *words_on(compared, asked)])
        if not answer.number and stored.complete:
            end(ExitStatus.NO_SOLUTION)


def _accepted(stored: StoredSolutions, parts: Iterable[Rows], fits: list[Callable[[Solution], bool]]) -> Iterator[Rows]:
    """Yield the rows of solutions that pass all filters."""
    from puzzlec.engine.cover_rows import tuples

    for rows in parts:
        kept = [
            all(fit(solution) for fit in fits)
            for solution in (stored.encoding.lift(options) for options in tuples(rows, stored.nothing))
        ]
        if any(kept):
            yield rows[kept]


class _Answer:
    """The requested solutions; ``number`` counts them."""

    def __init__(self, stored: StoredSolutions, which: SymmetryKind | None) -> None:
        self.stored, self.symmetry = stored, which or stored.symmetry
        self.as_kept = self.symmetry == stored.symmetry
        self.number = self.shown = 0
        self.all_met = True
        puzzle = stored.fitting.puzzle
        if self.symmetry not in ("none", "automorphisms") and (puzzle is None or puzzle.lattice is None):
            say("a puzzle without geometry has no rotations: `--symmetry automorphisms` compares as an exact cover")
            self.symmetry = "none"

    @property
    def turned(self) -> str:
        """Return the remark that a condition may hold for a rotation or reflection of a solution."""
        if self.symmetry == "none":
            return ""
        turned = (
            "as kept, rotated or reflected" if self.symmetry == "all" else f"as kept or by --symmetry {self.symmetry}"
        )
        return f": each solution {turned}; `--raw` tests each image separately"

    def counting(self, parts: Iterable[Rows]) -> Iterator[Rows]:
        """Yield the same rows, and count them."""
        for rows in parts:
            self.number += len(rows)
            yield rows

    def count_on(self, parts: Iterator[Rows]) -> None:
        """Count the solutions after the shown ones, for at most :data:`PATIENCE` seconds."""
        end = clock.monotonic() + PATIENCE if self.shown else float("inf")
        for _ in parts:
            if clock.monotonic() >= end:
                self.all_met = False
                return

    def summary(self, everything: bool) -> str:
        """Return the result in words: the number of solutions, the number searched, and whether there may be more."""
        stored = self.stored
        text = kept = counted_solutions(stored.number, stored.symmetry)
        if not everything:
            text = f"{counted_solutions(self.number, self.symmetry)}, of {kept}"
        if self.as_kept and not everything:
            text = f"{self.number:,} of {kept}"
        text = text if self.all_met or everything else f"at least {text}"
        if stored.complete:
            return f"{text}, as requested; there may be more," if stored.limited else text
        return f"{text} so far: the search is not complete;"
