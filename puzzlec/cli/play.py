"""``puzzlec play``: a puzzle as a page to play it on."""

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
    ShowsApart,
)
from puzzlec.cli.picturing import Limit, Palette, Patience, known_palette, subject_of, wanted_file, write_page
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
    source: FromShared = None,
    board: BoardShared = None,
    given: Parameters = None,
    problem: ProblemShared = None,
    as_json: Json = False,
) -> None:
    """Write a page to play a puzzle on, with hints.

    Drag the pieces onto the board, rotate and reflect them. The page is one file and works offline, also on a phone.

    Examples:
        puzzlec play pentominoes/6x10 -o game.html
        puzzlec play soma -o soma.html

    """
    output = wanted_file(output, puzzle, "html")
    known_palette(palette)
    named = Named(puzzle, source, board, given, problem)

    def page(remarks: list[str]) -> str:
        return outputs.play(
            subject_of(named, None, limit, time, comes_apart=comes_apart, at_most=None),
            remarks=remarks,
            palette=palette,
        )

    write_page(output, force, as_json, time, page)
