"""``puzzlec sets``: the sets of pieces that solve a puzzle with ranges of copies."""

from __future__ import annotations

from typing import Annotated

from puzzlec.cli.arguments import Memory, Question, Threads
from puzzlec.cli.deadline import searched
from puzzlec.cli.options import Option
from puzzlec.cli.terminal import MODE, end, out, out_json, out_table, say
from puzzlec.diagnostics import counted
from puzzlec.engine.search.grading import Grade
from puzzlec.show.terminal.layout import aligned
from puzzlec.solving.piece_sets import PieceSet, PieceSets


def sets(
    *,
    exactly: Annotated[int | None, Option("Only sets with N distinct solutions.", "N", least=1)] = None,
    at_most: Annotated[int | None, Option("Only sets with at most N distinct solutions.", "N", least=1)] = None,
    number_only: Annotated[bool, Option("Print only the number of sets.", name="--count")] = False,
    asked: Question,
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
    found, status = searched(search, search.find, search.known, asked.bounded(grace=True))
    stopped = search.stopped.words if search.stopped else ""
    low, high = (exactly, exactly) if exactly is not None else (None, at_most)
    shown = [piece_set for piece_set in found if stopped or _is_within(piece_set, low, high)]
    few = (low, high) != (None, None) and not stopped and not number_only and not asked.comes_apart
    grades: list[Grade | None] = [search.grade(piece_set) if few else None for piece_set in shown]
    if number_only and not MODE.json:
        out(len(shown))
    elif MODE.json:
        for piece_set, grade in [] if number_only else zip(shown, grades, strict=True):
            numbers = {"pieces": piece_set.pieces, "distinct": piece_set.distinct, "raw": piece_set.raw}
            out_json({**numbers, "grade": grade and grade.as_dict()})
        single = None if stopped else sum(piece_set.distinct == 1 for piece_set in found)
        seconds = round(asked.taken, 3)
        out_json(
            {
                "sets": len(found),
                "shown": len(shown),
                "exactly_one": single,
                "complete": not stopped,
                "seconds": seconds,
            }
        )
    elif shown:
        _print(shown, grades if few else None)
    asked_for = (low, high) if high is not None else (1, 1)
    _conclude(found, search, stopped, asked.taken, asked_for, " that come apart" * asked.comes_apart)
    end(status)


def _is_within(piece_set: PieceSet, low: int | None, high: int | None) -> bool:
    assert piece_set.distinct is not None
    return (low is None or piece_set.distinct >= low) and (high is None or piece_set.distinct <= high)


def _print(shown: list[PieceSet], grades: list[Grade | None] | None) -> None:
    """Print the sets as a table. The numbers of an unfinished search are lower bounds."""
    heads = ["distinct", "raw", *["grade"] * (grades is not None), "pieces"]
    rows = [heads]
    for number, piece_set in enumerate(shown):
        known = piece_set.distinct is not None
        graded = [] if grades is None else [str(grades[number] or "unknown")]
        counts = [str(piece_set.distinct), f"{piece_set.raw}"] if known else ["unknown", f">={piece_set.raw}"]
        rows.append([*counts, *graded, str(piece_set)])
    out_table(aligned(rows, left=[len(heads) - 1]))


def _conclude(
    found: list[PieceSet],
    search: PieceSets,
    stopped: str,
    seconds: float,
    bounds: tuple[int | None, int],
    words: str,
) -> None:
    """Print the number of sets, the number of requested ones, and how the search ended."""
    if stopped:
        say(f"{stopped} after {seconds:.1f} s: at least {counted(len(found), 'set')} of pieces; there may be more")
        return
    kind = "distinct" if search.distinct else "raw"
    low, high = bounds
    asked = sum(_is_within(piece_set, low, high) for piece_set in found)
    limit = "at most" if low is None else "exactly"
    words = words.replace("come", "comes") if high == 1 else words
    solutions = counted(high, f"{kind} solution") + words
    say(f"{counted(len(found), 'set')} of pieces, {asked} with {limit} {solutions}, in {seconds:.2f} s")
