"""``puzzlec view``: a puzzle and its solutions as a page for a browser."""

from __future__ import annotations

from puzzlec.cli.arguments import (
    BoardShared,
    Force,
    FromShared,
    Json,
    Named,
    Output,
    Parameters,
    ProblemShared,
    PuzzleName,
    RawHidden,
    ShowsApart,
    SymmetryHidden,
    chosen_symmetry,
)  # fmt: skip
from puzzlec.cli.picturing import (
    Limit,
    Palette,
    Patience,
    SolutionFile,
    known_palette,
    subject_of,
    wanted_file,
    write_page,
)
from puzzlec.make import outputs
from puzzlec.make.outputs import MANY_SOLUTIONS


def view(
    puzzle: PuzzleName,
    output: Output = None,
    limit: Limit = MANY_SOLUTIONS,
    solution: SolutionFile = None,
    comes_apart: ShowsApart = None,
    palette: Palette = "standard",
    time: Patience = None,
    force: Force = False,
    raw: RawHidden = False,
    symmetry: SymmetryHidden = None,
    source: FromShared = None,
    board: BoardShared = None,
    given: Parameters = None,
    problem: ProblemShared = None,
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
    known_palette(palette)
    named = Named(puzzle, source, board, given, problem)

    def page(remarks: list[str]) -> str:
        found = subject_of(named, solution, limit, time, chosen_symmetry(raw, symmetry), comes_apart)
        return outputs.view(found, limit=limit, remarks=remarks, palette=palette)

    write_page(output, force, as_json, time, page)
