"""``puzzlec clues``: the fewest clues that leave a puzzle with one solution."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

from puzzlec.cli.arguments import Question, Target, Threads
from puzzlec.cli.deadline import searched
from puzzlec.cli.options import Option
from puzzlec.cli.output import new_file
from puzzlec.cli.terminal import MODE, ExitStatus, end, out, out_json, say
from puzzlec.diagnostics import counted
from puzzlec.engine import Stop
from puzzlec.formats.puzzle.writing import write_puzzle
from puzzlec.formats.writing import with_lattice_from
from puzzlec.ir import Puzzle
from puzzlec.solving.clues import KINDS
from puzzlec.solving.grading import grade
from puzzlec.solving.unique import MAX_COMPARED, Clued, Unique


def clues(
    *,
    fix: Annotated[bool, Option("Fix pieces in place. [default]")] = False,
    hole: Annotated[bool, Option("Remove optional cells from the board.")] = False,
    colour: Annotated[bool, Option("Colour a cell of a piece and its location.")] = False,
    forbid: Annotated[bool, Option("Forbid placements.")] = False,
    target: Annotated[int, Option("Leave K solutions. [default: 1]", "K", least=1)] = 1,
    every: Annotated[bool, Option("List all smallest sets of clues, up to symmetry.", name="--all")] = False,
    asked: Question,
    written: Target = Target(),
    threads: Threads = 1,
) -> None:
    """Find the fewest clues that leave one solution.

    The result is the puzzle with these clues. Give one or more kinds of clues. With --comes-apart, solutions that do
    not come apart may be left.

    Examples:
        puzzlec clues pentominoes/6x10 -o hint.puzzle
        puzzlec clues soma --colour --all

    """
    kinds = [kind for kind, asked in zip(KINDS, (fix, hole, colour, forbid), strict=True) if asked] or ["fix"]
    target_file = written.output or "-"
    with nullcontext() if target_file == "-" else new_file(target_file, written.force) as path:
        with asked.bounded():
            fitting = asked.fitting()
            search = asked.search(Unique, fitting, kinds=kinds, target=target, every=every, threads=threads)
        best, status = searched(search, search.find, lambda: search.best, asked.bounded(grace=True))
        texts = [write_puzzle(_made(clued, asked.puzzle, target_file)) for clued in best]
        if texts and path is not None:
            path.write_text(texts[0], encoding="utf-8", newline="\n")
        if MODE.json:
            for clued, text in zip(best, texts, strict=True):
                clues = [clue.as_dict() for clue in clued.clues]
                known = clued.grade.as_dict() if clued.grade is not None and not search.words else None
                out_json({"clues": clues, "puzzle": text, "grade": known})
            out_json(_summary(search, best, asked.taken))
        elif every:
            for clued in best:
                out("; ".join(map(str, clued.clues)) or "no clue")
        elif texts and path is None:
            out(texts[0].rstrip("\n"))
        _conclude(search, best, status, asked.taken)
        if path is not None and not best:
            end(status)
    end(status)


def _made(clued: Clued, name: str, target: str) -> Puzzle:
    """Return a puzzle with clues; its own lattice, if it has one, is named as from the file to write."""
    made = with_lattice_from(clued.puzzle, name, target) if target != "-" else clued.puzzle
    assert isinstance(made, Puzzle)
    return made


def _summary(search: Unique, best: list[Clued], seconds: float) -> dict[str, object]:
    return {
        "clues": len(best[0].clues) if best else None,
        "at_least": search.at_least,
        "proved": not search.stopped,
        "sets": len(best),
        "target": search.target,
        "before": search.before,
        "convention": "distinct" if search.distinct else "raw",
        "seconds": round(seconds, 3),
    }


def _conclude(search: Unique, best: list[Clued], status: ExitStatus, seconds: float) -> None:
    """Print the result in words, and the facts that are proved."""
    kind = "distinct" if search.distinct else "raw"
    if status == ExitStatus.NO_SOLUTION:
        say(f"the puzzle has {search.nothing}, so no clues can help, in {seconds:.2f} s")
        return
    left = f"{search.target} {kind} solution" + "s" * (search.target > 1) + search.words
    if search.stopped:
        more = f"more than {MAX_COMPARED:,} raw solutions: not all clues were compared"
        why = more if search.stopped is Stop.SOLUTIONS else search.stopped.words
        known = f"{_clues(best)} {left}" if best else "no clues found so far"
        say(f"{why}; {known}; at least {counted(search.at_least, 'clue')} needed, in {seconds:.1f} s")
    elif not best[0].clues:
        say(f"the puzzle has exactly {left} without clues")
    else:
        for clue in best[0].clues if len(best) == 1 else ():
            say(f"clue: {clue}")
        if len(best) == 1 and not search.words and best[0].grade is not None:
            say(f"grade with clues: {best[0].grade}, without: {grade(search.puzzle) or 'unknown'}")
        sets = f"{counted(len(best), 'set')} of clues up to symmetry; " if search.every else ""
        say(f"{sets}{_clues(best)} {left} of {search.before:,}, and fewer clues do not suffice, in {seconds:.2f} s")


def _clues(best: list[Clued]) -> str:
    number = len(best[0].clues)
    return f"{counted(number, 'clue')} leave{'s' * (number == 1)}"
