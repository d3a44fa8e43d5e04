"""``puzzlec play``: a puzzle as a page to play it on."""

from __future__ import annotations

from puzzlec.cli.arguments import (
    Force,
    Output,
    Palette,
    PuzzleName,
    Reading,
    ShowsApart,
)
from puzzlec.cli.picturing import Limit, Patience, subject_of, write_page
from puzzlec.make import outputs
from puzzlec.make.outputs import GAME_SOLUTIONS


def play(
    puzzle: PuzzleName,
    output: Output = None,
    limit: Limit = GAME_SOLUTIONS,
    comes_apart: ShowsApart = None,
    palette: Palette = "standard",
    time: Patience = None,
    force: Force = False,
    reading: Reading = Reading(),
) -> None:
    """Play a puzzle on a page in the browser, with hints.

    Drag the pieces onto the board, rotate and reflect them. The page is one file and works offline, also on a phone.
    Without -o, it is a temporary file: the command prints its name, and opens it if it runs in a terminal.

    Examples:
        puzzlec play pentominoes/6x10
        puzzlec play soma -o soma.html

    """
    named = reading.of(puzzle)

    def page(remarks: list[str]) -> str:
        return outputs.play(
            subject_of(named, None, limit, time, comes_apart=comes_apart, at_most=None),
            remarks=remarks,
            palette=palette,
        )

    write_page(puzzle, output, force, time, page)
