"""Questions about the solutions that a checkpoint keeps, and writing them: streamed, in the order of the search."""

from __future__ import annotations

import time as clock
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import typer

from puzzlec.cli.arguments import chosen_symmetry
from puzzlec.cli.exit_status import ExitStatus
from puzzlec.cli.formatting import what_is_lost
from puzzlec.cli.output import new_file
from puzzlec.cli.stats import time_taken
from puzzlec.cli.terminal import out, say
from puzzlec.cli.wishes import Wish
from puzzlec.solution.conventions import counted_solutions

if TYPE_CHECKING:
    from puzzlec.jobs.bulk import StoredSolutions
    from puzzlec.solution.cover_rows import Rows


def answer_from_checkpoint(
    folder: str, wish: Wish, where: list[str], distinct: bool, raw: bool, symmetry: str | None
) -> None:
    """Answer for the solutions in the folder of a checkpoint."""
    if distinct and (raw or symmetry == "none"):
        raise typer.BadParameter("--distinct and --raw: give one of them", param_hint="--distinct")
    which = chosen_symmetry(raw, symmetry) if raw or symmetry else None
    from puzzlec.jobs.bulk import StoredSolutions
    from puzzlec.jobs.streams import limited, sampled
    from puzzlec.solution.conditions import all_understood

    begun = clock.monotonic()
    with StoredSolutions.open(folder) as stored:
        if distinct and which is None:
            which = "all" if stored.symmetry == "none" else stored.symmetry
        condition = all_understood(where, stored.encoding)
        asked = _Asked(stored, which)
        if condition is None and asked.as_kept and not wish.shows:
            asked.number = stored.number
        else:
            parts = asked.counting(stored.chosen(which, condition.formula if condition else None))
            if wish.sample is not None:
                parts = iter([sampled(parts, wish.sample, wish.seed, stored.nothing)])
            elif wish.limit is not None:
                parts = limited(parts, wish.limit)
            if wish.shows:
                _show(stored, parts, wish, asked.symmetry)
            else:
                for _ in parts:
                    pass
        if not wish.shows:
            out(asked.number)
        if condition is not None:
            say(f"where {condition.told}")
        everything = condition is None and asked.as_kept
        say(f"{asked.summary(wish, everything)} {time_taken(clock.monotonic() - begun)}")
        if not asked.number and stored.complete:
            raise typer.Exit(ExitStatus.NO_SOLUTION)


class _Asked:
    """The solutions that were asked for: ``number`` is how many have been met."""

    def __init__(self, stored: StoredSolutions, which: str | None) -> None:
        self.stored, self.symmetry = stored, which or stored.symmetry
        self.as_kept = self.symmetry == stored.symmetry
        self.number = 0
        puzzle = stored.fitting.puzzle
        if self.symmetry not in ("none", "automorphisms") and (puzzle is None or puzzle.lattice is None):
            say("without geometry nothing can be turned: `--symmetry automorphisms` compares as an exact cover")
            self.symmetry = "none"

    def counting(self, parts: Iterable[Rows]) -> Iterator[Rows]:
        """Give the same rows, and count them."""
        for rows in parts:
            self.number += len(rows)
            yield rows

    def summary(self, wish: Wish, everything: bool) -> str:
        """Return in words what was asked for, of how many, and whether there may be more."""
        stored = self.stored
        kept = counted_solutions(stored.number, stored.symmetry)
        if everything:
            told = kept
        elif wish.limit is not None and self.number >= wish.limit:
            told = f"the first {counted_solutions(wish.limit, self.symmetry)}, of {kept}"
        elif self.as_kept:
            told = f"{self.number} of {kept}"
        else:
            told = f"{counted_solutions(self.number, self.symmetry)}, of {kept}"
        if not stored.complete:
            return f"{told} so far: the search is not complete;"
        return f"{told}, which were asked for; there may be more," if stored.limited else told


def _show(stored: StoredSolutions, parts: Iterable[Rows], wish: Wish, symmetry: str) -> None:
    """Print solutions, or write them to a file."""
    if lost := what_is_lost(stored.fitting, wish.form.format):
        say(lost)
    if wish.output is not None:
        from puzzlec.writers.solutions.files import writer

        about = stored.about(symmetry)
        with (
            new_file(wish.output, wish.force) as path,
            writer(path, wish.form, stored.encoding, wish.drawn, about) as file,
        ):
            for rows in parts:
                file.write_options(rows)
        return
    from puzzlec.writers.solutions.lines import Lines

    lines = Lines(stored.encoding, wish.form.format, wish.drawn)
    number = 1
    for rows in parts:
        # A blank line stands between pictures; shorter forms are printed many at a time.
        if wish.form.format == "text":
            for at, text in enumerate(lines.texts(rows, number), number):
                out(text if at == 1 else "\n" + text)
        elif len(rows):
            out("\n".join(lines.texts(rows, number)))
        number += len(rows)
