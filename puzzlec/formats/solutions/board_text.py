"""Solutions as boards of text: the letter of its piece on each location, ``.`` outside."""

from __future__ import annotations

import re

from puzzlec.geometry.drawing import drawn_rule
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.ir.puzzle import cells_of
from puzzlec.ir.solution import SIGNS, signs_of_pieces


def no_board_text(fitting: Fitting) -> str:
    """Return the reason why solutions of a puzzle cannot be drawn as text; empty if they can."""
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None:
        return "a puzzle without a lattice has no board"
    if puzzle.lattice.of_edges:
        return f"the lattice {puzzle.lattice.name} has sticks, but a letter is on a cell"
    cells = cells_of(puzzle)
    if cells and drawn_rule(puzzle.lattice, cells) is None:
        return f"the cells of the lattice {puzzle.lattice.name} cannot be drawn in rows of text"
    if len(fitting.pieces) > len(SIGNS):
        return f"there are {len(fitting.pieces)} pieces, but only {len(SIGNS)} letters"
    return ""


def board_text(solution: Solution) -> str:
    """Return a solution as a board of text, without the end of its last line.

    A board from text keeps all of its rows and columns. Any other board is shown in its bounding box. Layers are side
    by side with a space between, ``?`` is a location that stays empty.
    """
    puzzle, signs = solution.fitting.origin, signs_of_pieces(solution.fitting)
    on = ["?" if piece is None else signs[piece] for piece in solution.pieces_on]
    written = _as_written(puzzle, on)
    if written is not None:
        return written
    cells = {
        location.at: sign for location, sign in zip(puzzle.locations, on, strict=True) if isinstance(location.at, tuple)
    }
    rule = drawn_rule(puzzle.lattice, cells)
    return "\n".join(rule.picture(cells)) if rule is not None else ""


def _as_written(puzzle: Puzzle, on: list[str]) -> str | None:
    """Return the text of a board with other signs on its locations; None for a puzzle that was not read from text."""
    whole = puzzle.span
    if whole is None or re.fullmatch(r"[x.\s]+", whole.text) is None:
        return None
    text = list(whole.text)
    for location, sign in zip(puzzle.locations, on, strict=True):
        if location.span is None or location.span.source is not whole.source:
            return None
        text[location.span.start - whole.start] = sign
    return "".join(text)
