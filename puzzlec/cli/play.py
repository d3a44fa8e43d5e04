"""``puzzlec play``: a puzzle as a page to play it on."""

from __future__ import annotations

import sys

from puzzlec.cli.arguments import Board, Force, From, Json, Named, Output, Parameters, Problem, PuzzleName
from puzzlec.cli.output import new_file, refuse_two_results, tell_written
from puzzlec.cli.picturing import Limit, Palette, Patience, known_palette, making, subject_of, wanted_file
from puzzlec.cli.terminal import say
from puzzlec.make import outputs
from puzzlec.make.outputs import GAME_SOLUTIONS


def play(
    puzzle: PuzzleName,
    output: Output = None,
    limit: Limit = GAME_SOLUTIONS,
    palette: Palette = "standard",
    time: Patience = None,
    force: Force = False,
    source: From = None,
    board: Board = None,
    given: Parameters = None,
    problem: Problem = None,
    as_json: Json = False,
) -> None:
    """Write a page to play a puzzle on, with hints.

    Drag the pieces onto the board, rotate and reflect them. The page is one file and works offline, also on a phone.

    Examples:
        puzzlec play pentominoes/6x10 -o game.html
        puzzlec play soma -o soma.html

    """
    output = wanted_file(output, puzzle, "html")
    refuse_two_results(as_json, output)
    known_palette(palette)

    def page() -> str:
        remarks: list[str] = []
        with making(time):
            found = subject_of(Named(puzzle, source, board, given, problem), None, limit, time)
            text = outputs.play(found, remarks=remarks, palette=palette)
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
