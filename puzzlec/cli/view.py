"""``puzzlec view``: a puzzle and its solutions as a page, to be turned and taken apart in a browser."""

from __future__ import annotations

import sys

from puzzlec.cli.arguments import (
    Board,
    From,
    Json,
    Parameters,
    Problem,
    PuzzleName,
    RawHidden,
    SymmetryHidden,
    chosen_symmetry,
)  # fmt: skip
from puzzlec.cli.input import Named
from puzzlec.cli.output import new_file, refuse_two_results, tell_written
from puzzlec.cli.picturing import Force, Limit, Output, Patience, SolutionFile, making, subject_of, wanted_file
from puzzlec.cli.terminal import say
from puzzlec.make import outputs as pictures
from puzzlec.make.outputs import MANY_SOLUTIONS


def view(
    puzzle: PuzzleName,
    output: Output = None,
    solution: SolutionFile = None,
    limit: Limit = MANY_SOLUTIONS,
    time: Patience = None,
    raw: RawHidden = False,
    symmetry: SymmetryHidden = None,
    source: From = None,
    board: Board = None,
    given: Parameters = None,
    problem: Problem = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a page to look at a puzzle in.

    Turn it, explode it, put it together, walk through its solutions. The page is one file, and works offline. Example:
    puzzlec view soma -o soma.html
    """
    output = wanted_file(output, puzzle, "html")
    refuse_two_results(as_json, output)

    def page() -> str:
        remarks: list[str] = []
        which = chosen_symmetry(raw, symmetry)
        with making(time):
            found = subject_of(Named(puzzle, source, board, given, problem), solution, limit, time, which)
            text = pictures.view(found, limit, remarks=remarks)
        for each in remarks:
            say(each)
        return text

    if output == "-":
        sys.stdout.write(page())
        sys.stdout.flush()
        return
    with new_file(output, force) as path:
        path.write_text(page(), encoding="utf-8", newline="\n")
    if as_json:
        tell_written(output, "html")
