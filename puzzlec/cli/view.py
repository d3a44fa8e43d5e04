"""``puzzlec view``: a puzzle and its solutions as a page for a browser."""

from __future__ import annotations

import sys

from puzzlec.cli.arguments import (
    Board,
    Force,
    From,
    Json,
    Named,
    Output,
    Parameters,
    Problem,
    PuzzleName,
    RawHidden,
    SymmetryHidden,
    chosen_symmetry,
)  # fmt: skip
from puzzlec.cli.output import new_file, refuse_two_results, tell_written
from puzzlec.cli.picturing import Limit, Palette, Patience, SolutionFile, known_palette, making, subject_of, wanted_file
from puzzlec.cli.terminal import say
from puzzlec.make import outputs as pictures
from puzzlec.make.outputs import MANY_SOLUTIONS


def view(
    puzzle: PuzzleName,
    output: Output = None,
    limit: Limit = MANY_SOLUTIONS,
    solution: SolutionFile = None,
    palette: Palette = "standard",
    time: Patience = None,
    force: Force = False,
    raw: RawHidden = False,
    symmetry: SymmetryHidden = None,
    source: From = None,
    board: Board = None,
    given: Parameters = None,
    problem: Problem = None,
    as_json: Json = False,
) -> None:
    """Write a page to explore a puzzle in a browser.

    On the page you rotate, explode and assemble the puzzle, and step through its solutions. The page is one file and
    works offline.

    Examples:
        puzzlec view soma -o soma.html
        puzzlec view pentominoes/6x10 -o six.html --limit 20

    """
    output = wanted_file(output, puzzle, "html")
    refuse_two_results(as_json, output)

    known_palette(palette)

    def page() -> str:
        remarks: list[str] = []
        which = chosen_symmetry(raw, symmetry)
        with making(time):
            found = subject_of(Named(puzzle, source, board, given, problem), solution, limit, time, which)
            text = pictures.view(found, limit, remarks=remarks, palette=palette)
        for remark in remarks:
            say(remark)
        return text

    if output == "-":
        sys.stdout.write(page())
        sys.stdout.flush()
        return
    with new_file(output, force) as path:
        path.write_text(page(), encoding="utf-8", newline="\n")
    if as_json:
        tell_written(output, "html")
