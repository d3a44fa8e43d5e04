"""``puzzlec sets``: the sets of pieces that solve a puzzle with ranges of copies."""

from __future__ import annotations

from typing import Annotated

from puzzlec.cli.arguments import Memory, QuestionOptions, Threads
from puzzlec.cli.deadline import searched
from puzzlec.cli.options import Option
from puzzlec.cli.terminal import MODE, end, out, out_json, out_table, say
from puzzlec.cli.texts.questions import sets_line, sets_table
from puzzlec.engine.search.grading import Grade
from puzzlec.solving.piece_sets import PieceSet, PieceSets


def sets(
    *,
    exactly: Annotated[int | None, Option("Only sets with N distinct solutions.", "N", least=1)] = None,
    at_most: Annotated[int | None, Option("Only sets with at most N distinct solutions.", "N", least=1)] = None,
    number_only: Annotated[bool, Option("Print only the number of sets.", name="--count")] = False,
    asked: QuestionOptions,
    threads: Threads = 1,
    memory: Memory = None,
) -> None:
    """List the sets of pieces that solve a puzzle.

    The puzzle gives pieces a range of copies, such as `pieces pentominoes x0..1`. Prints each set with its numbers of
    distinct and raw solutions; sets with the fewest solutions come first. With --exactly or --at-most, each set also
    has a grade: how hard the set is for a person.

    Examples:
        puzzlec sets tray.puzzle
        puzzlec sets tray.puzzle --exactly 1

    """
    search = asked.search(PieceSets, memory=memory, threads=threads)
    piece_sets, status = searched(search, search.find, search.known, asked.bounded(grace=True))
    stopped = search.stopped.words if search.stopped else ""
    low, high = (exactly, exactly) if exactly is not None else (None, at_most)
    selection = [piece_set for piece_set in piece_sets if stopped or _is_within(piece_set, low, high)]
    few = high is not None and not stopped and not number_only and not asked.comes_apart
    grades: list[Grade | None] = [search.grade(piece_set) if few else None for piece_set in selection]
    if number_only and not MODE.json:
        out(len(selection))
    elif MODE.json:
        for piece_set, grade in [] if number_only else zip(selection, grades, strict=True):
            numbers = {"distinct": piece_set.distinct, "raw": piece_set.raw}
            out_json({"pieces": piece_set.pieces, **numbers, "grade": grade and grade.as_dict()})
        single = None if stopped else sum(piece_set.distinct == 1 for piece_set in piece_sets)
        totals = {"sets": len(piece_sets), "shown": len(selection), "exactly_one": single}
        out_json({**totals, "complete": not stopped, "seconds": round(asked.taken, 3)})
    elif selection:
        out_table(sets_table(selection, grades if few else None))
    bounds = (low, high) if high is not None else (1, 1)
    number = 0 if stopped else sum(_is_within(piece_set, *bounds) for piece_set in piece_sets)
    line = sets_line(search, piece_sets, number, bounds, " that come apart" * asked.comes_apart)
    say(f"{stopped} after {asked.taken:.1f} s: {line}" if stopped else f"{line}, in {asked.taken:.2f} s")
    end(status)


def _is_within(piece_set: PieceSet, low: int | None, high: int | None) -> bool:
    assert piece_set.distinct is not None
    return (low is None or piece_set.distinct >= low) and (high is None or piece_set.distinct <= high)
