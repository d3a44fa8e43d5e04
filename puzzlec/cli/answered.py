"""Reading the puzzle that an answer belongs to: `--problem` may be said of the puzzle's file, or of the answer."""

from __future__ import annotations

from puzzlec.cli.input import encoded
from puzzlec.diagnostics import PuzzleError
from puzzlec.formats.solvers.answers import guess_kind, kinds_called, lines_of
from puzzlec.lower import Encoding
from puzzlec.solving.lifting import known_names

#: Kinds of answers in whose files there are several problems.
_SEVERAL = {"burrtools", "soma"}


def lifted_puzzle(
    name: str,
    answer: str,
    kind: str | None,
    format: str | None = None,
    board: str | None = None,
    given: list[str] | None = None,
    problem: str | None = None,
) -> Encoding:
    """Return the exact cover of a puzzle given on the command line, with its meaning; print its warnings.

    That answers are left out (PZ261) is not said where they are what is asked for. Where its format holds one puzzle
    only, ``problem`` is said of the answer, if that can hold several. Raises PuzzleError for what cannot be read.
    """
    unsaid = ("PZ261",) if name == answer else ()
    try:
        return encoded(name, format, board, given, problem, unsaid)
    except PuzzleError as error:
        if problem is None or [each.code for each in error.diagnostics] != ["PZ331"]:
            raise
        if kind is not None and not _SEVERAL & set(kinds_called(kind)):
            raise
        found = encoded(name, format, board, given, None, unsaid)
        # Standard input can be read once only.
        if kind is None and answer != "-" and guess_kind(lines_of(answer), known_names(found)) not in _SEVERAL:
            raise
        return found
