"""``puzzlec view``: a puzzle and its solutions as a page for a browser."""

from __future__ import annotations

from puzzlec.cli.arguments import (
    Force,
    Output,
    Palette,
    PuzzleName,
    Reading,
    ShowsApart,
    Symmetry,
)  # fmt: skip
from puzzlec.cli.picturing import (
    Limit,
    Patience,
    SolutionFile,
    subject_of,
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
    symmetry: Symmetry = Symmetry(),
    reading: Reading = Reading(),
) -> None:
    """Explore a puzzle on a page in the browser.

    On the page you rotate, explode and assemble the puzzle, and step through its solutions. The page is one file and
    works offline. Without -o, it is a temporary file: the command prints its name, and opens it if it runs in a
    terminal.

    Examples:
        puzzlec view soma
        puzzlec view pentominoes/6x10 -o six.html --limit 20

    """
    named = reading.of(puzzle)

    def page(remarks: list[str]) -> str:
        subject = subject_of(named, solution, limit, time, symmetry.which, comes_apart)
        return outputs.view(subject, limit=limit, remarks=remarks, palette=palette)

    write_page(puzzle, output, force, time, page)
