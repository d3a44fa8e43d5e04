"""The fewest clues of a puzzle, and the sets of pieces that solve one, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from puzzlec.diagnostics import counted
from puzzlec.diagnostics.columns import aligned
from puzzlec.engine import Stop

if TYPE_CHECKING:  # a command imports its search only
    from puzzlec.engine.search.grading import Grade
    from puzzlec.solving.piece_sets import PieceSet, PieceSets
    from puzzlec.solving.unique import Clued, Unique


def clues_lines(search: Unique, best: Sequence[Clued], seconds: float) -> Iterator[str]:
    """Yield the result of a search for the fewest clues, and the facts that are proved.

    Args:
        search: The search, after its end.
        best: The puzzles with the fewest clues.
        seconds: The time of the search.

    """
    from puzzlec.solving.grading import grade
    from puzzlec.solving.unique import MAX_RAW_SOLUTIONS

    if not best and not search.stopped:
        yield f"the puzzle has {search.nothing}, so no clues can help, in {seconds:.2f} s"
        return
    kind = "distinct" if search.distinct else "raw"
    left = f"{search.target} {kind} solution" + "s" * (search.target > 1) + search.words
    number = len(best[0].clues) if best else 0
    leave = f"{counted(number, 'clue')} leave{'s' * (number == 1)} {left}"
    if search.stopped:
        more = f"more than {MAX_RAW_SOLUTIONS:,} raw solutions: not all clues were compared"
        why = more if search.stopped is Stop.SOLUTIONS else search.stopped.words
        least = f"at least {counted(search.at_least, 'clue')} needed"
        yield f"{why}; {leave if best else 'no clues found so far'}; {least}, in {seconds:.1f} s"
    elif not number:
        yield f"the puzzle has exactly {left} without clues"
    else:
        if len(best) == 1:
            yield from (f"clue: {clue}" for clue in best[0].clues)
            if not search.words and best[0].grade is not None:
                yield f"grade with clues: {best[0].grade}, without: {grade(search.puzzle) or 'unknown'}"
        sets = f"{counted(len(best), 'set')} of clues up to symmetry; " if search.every else ""
        yield f"{sets}{leave} of {search.before:,}, and fewer clues do not suffice, in {seconds:.2f} s"


def sets_table(sets: Sequence[PieceSet], grades: Sequence[Grade | None] | None) -> Iterator[str]:
    """Yield sets of pieces as the lines of a table. The numbers of an unfinished search are lower bounds.

    ``grades`` are those of the sets; None leaves this column out.
    """
    heads = ["distinct", "raw", *["grade"] * (grades is not None), "pieces"]
    rows = [heads]
    for index, piece_set in enumerate(sets):
        graded = [] if grades is None else [str(grades[index] or "unknown")]
        unfinished = ["unknown", f">={piece_set.raw}"]
        counts = unfinished if piece_set.distinct is None else [str(piece_set.distinct), f"{piece_set.raw}"]
        rows.append([*counts, *graded, str(piece_set)])
    return aligned(rows, left=[len(heads) - 1])


def sets_line(
    search: PieceSets, sets: Sequence[PieceSet], asked: int, bounds: tuple[int | None, int], words: str
) -> str:
    """Return the number of sets, and of those within bounds, in words.

    Args:
        search: The search, after its end.
        sets: The sets that it found.
        asked: How many of them are within the bounds.
        bounds: The least (None: 0) and the greatest number of solutions.
        words: What follows a number of solutions, such as " that come apart".

    """
    if search.stopped:
        return f"at least {counted(len(sets), 'set')} of pieces; there may be more"
    low, high = bounds
    limit = "at most" if low is None else "exactly"
    solutions = counted(high, f"{'distinct' if search.distinct else 'raw'} solution")
    words = words.replace("come", "comes") if high == 1 else words
    return f"{counted(len(sets), 'set')} of pieces, {asked} with {limit} {solutions}{words}"
