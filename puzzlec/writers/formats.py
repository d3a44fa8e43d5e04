"""The table of formats that can be written, and the lowering that each needs."""

from __future__ import annotations

from collections.abc import Callable

from puzzlec.diagnostics import suggestion
from puzzlec.diagnostics.diagnostic import fail
from puzzlec.ir import Fitting, Puzzle
from puzzlec.lower import place
from puzzlec.writers.compact import write_compact
from puzzlec.writers.dpf import write_dpf
from puzzlec.writers.puzzle_text import raised, write_puzzle

#: Writers by the name of the format, each with the endings of its files.
WRITERS: dict[str, tuple[tuple[str, ...], Callable[[Puzzle | Fitting], str]]] = {
    "puzzle": ((".puzzle",), lambda what: write_puzzle(what if isinstance(what, Puzzle) else raised(what))),
    "dpf": ((".dpf",), lambda what: write_dpf(what if isinstance(what, Fitting) else place(what))),
    "compact": ((".compact",), lambda what: write_compact(_geometric(what))),
}


def _geometric(what: Puzzle | Fitting) -> Puzzle:
    puzzle = what if isinstance(what, Puzzle) else what.puzzle
    if puzzle is None or puzzle.lattice is None:
        raise fail(
            "PZ502",
            "the compact format describes pieces on a lattice, this puzzle has none",
            note="a list of placements does not say what shape the pieces have",
            help="convert to `dpf` or `puzzle`",
        )
    return puzzle


def write(what: Puzzle | Fitting, to: str) -> str:
    """Return a puzzle as a text of a format.

    The same puzzle gives the same text. Raises PuzzleError for an unknown format, and for what the
    format cannot say.
    """
    if to not in WRITERS:
        raise fail(
            "PZ004",
            f"the format `{to}` cannot be written",
            note="formats are " + ", ".join(WRITERS),
            help=suggestion(to, WRITERS),
        )
    return WRITERS[to][1](what)
