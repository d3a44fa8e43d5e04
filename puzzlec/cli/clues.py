"""``puzzlec clues``: the fewest clues that leave a puzzle with one solution."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

from puzzlec.cli.arguments import QuestionOptions, TargetOptions, Threads
from puzzlec.cli.deadline import searched
from puzzlec.cli.options import Option
from puzzlec.cli.output import new_file
from puzzlec.cli.terminal import MODE, end, out, out_json, say
from puzzlec.cli.texts.questions import clues_lines
from puzzlec.formats.puzzle.writing import write_puzzle
from puzzlec.formats.writing import with_lattice_from
from puzzlec.ir import Puzzle
from puzzlec.solving.clues import KINDS
from puzzlec.solving.unique import Clued, Unique


def clues(
    *,
    fix: Annotated[bool, Option("Fix pieces in place. [default]")] = False,
    hole: Annotated[bool, Option("Remove optional cells from the board.")] = False,
    colour: Annotated[bool, Option("Colour a cell of a piece and its location.")] = False,
    forbid: Annotated[bool, Option("Forbid placements.")] = False,
    target: Annotated[int, Option("Leave K solutions. [default: 1]", "K", least=1)] = 1,
    every: Annotated[bool, Option("List all smallest sets of clues, up to symmetry.", name="--all")] = False,
    asked: QuestionOptions,
    written: TargetOptions = TargetOptions(),
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
                grade = clued.grade.as_dict() if clued.grade is not None and not search.words else None
                out_json({"clues": clues, "puzzle": text, "grade": grade})
            out_json({**search.as_data(best), "seconds": round(asked.taken, 3)})
        elif every:
            for clued in best:
                out("; ".join(map(str, clued.clues)) or "no clue")
        elif texts and path is None:
            out(texts[0].rstrip("\n"))
        for line in clues_lines(search, best, asked.taken):
            say(line)
        if path is not None and not best:
            end(status)
    end(status)


def _made(clued: Clued, name: str, target: str) -> Puzzle:
    """Return a puzzle with clues; its own lattice, if it has one, is named as from the file to write."""
    made = with_lattice_from(clued.puzzle, name, target) if target != "-" else clued.puzzle
    assert isinstance(made, Puzzle)
    return made
