"""Solutions as text, in the formats of a command line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from puzzlec.ir import Fitting, Solution
from puzzlec.ir.solution import signs_of_pieces
from puzzlec.show.terminal.style import Style

if TYPE_CHECKING:
    from puzzlec.solving.properties import Joints

#: The formats of :func:`formatted`.
FORMATS = ("text", "jsonl", "list", "orientations", "locations", "states", "board")

#: The facts lost by a format that gives only the name of the piece on each location.
NOT_TOLD_APART = "this notation does not distinguish copies"


def what_is_lost(fitting: Fitting, format: str) -> str:
    """Return the facts about solutions of a puzzle that a format loses; an empty text if it loses none."""
    if format == "board":
        if fitting.puzzle is None or fitting.puzzle.lattice is None:
            return ""
        letters_and_names = zip(
            signs_of_pieces(fitting), map(fitting.piece_name, range(len(fitting.pieces))), strict=True
        )
        longer = ", ".join(f"{letter} {name}" for letter, name in letters_and_names if letter != name)
        return f"letters of pieces: {longer}" if longer else ""
    if format != "locations":
        return ""
    names = Counter(fitting.piece_name(number) for number in range(len(fitting.pieces)))
    copied = any(
        (piece.high > 1 or names[fitting.piece_name(number)] > 1)
        and any(len(locations) > 1 for locations in piece.placements)
        for number, piece in enumerate(fitting.pieces)
    )
    return f"{NOT_TOLD_APART}: `--to list` does" if copied else ""


def refuse_unfit(fitting: Fitting, format: str) -> None:
    """Raise ValueError if the solutions of a puzzle cannot be printed in a format."""
    if format == "board":
        from puzzlec.formats.solutions.board_text import no_board_text

        reason = no_board_text(fitting)
        if reason and not _is_grid(fitting):
            raise ValueError(f"no board of text: {reason}")
    if format == "states":
        from puzzlec.formats.solutions.states import no_states

        if reason := no_states(fitting):
            raise ValueError(f"no pieces in states: {reason}")


def _is_grid(fitting: Fitting) -> bool:
    """Whether a puzzle is a grid of numbers, as a sudoku is."""
    from puzzlec.solving.grids import task_board

    ruled = fitting.puzzle is None or fitting.puzzle.lattice is None or bool(fitting.region_rules)
    return ruled and task_board(fitting) is not None


def _grid_text(solution: Solution) -> str:
    """Return a grid of numbers as rows of text: digits, or numbers with spaces between them."""
    from puzzlec.solving.grids import grid_board

    board = grid_board(solution)
    if board is None:
        raise ValueError("no board of text: this solution is not a grid")
    width = max(map(len, board.signs.values()))
    rows: dict[int, list[str]] = {}
    for x, y in sorted(board.signs, key=lambda cell: cell[::-1]):
        rows.setdefault(y, []).append(board.signs[x, y].rjust(width))
    return "\n".join((" " if width > 1 else "").join(row) for row in rows.values())


def formatted(
    solution: Solution, number: int, format: str, look: Style, more: Mapping[str, object] | None = None
) -> str:
    """Return a solution in one of the :data:`FORMATS`; ``number`` counts the printed solutions from 1.

    ``more`` are additional fields of a line of JSON.
    """
    if format == "jsonl":
        return json.dumps({"solution": number, **solution.as_dict(), **(more or {})}, separators=(",", ":"))
    if format == "list":
        return solution.listing() + "\n"
    if format == "orientations":
        return " ".join(",".join(map(str, orientations)) or "-" for orientations in solution.orientations)
    if format == "locations":
        return " ".join("-" if name is None else name for name in solution.names_on)
    if format == "board":
        from puzzlec.formats.solutions.board_text import board_text, no_board_text

        refuse_unfit(solution.fitting, format)
        return _grid_text(solution) if no_board_text(solution.fitting) else board_text(solution)
    if format == "states":
        from puzzlec.formats.solutions.states import states_text

        refuse_unfit(solution.fitting, format)
        return states_text(solution)
    from puzzlec.show.terminal.text import draw_solution  # a check draws nothing

    return draw_solution(solution, look)


class PropertyTable:
    """A table of the properties of solutions: rows of text, or (``is_json``) lines of JSON.

    ``styled`` returns the heads as a terminal shows them.
    """

    def __init__(self, is_json: bool, styled: Callable[[str], str]) -> None:
        self._is_json, self._styled = is_json, styled
        self._joints: Joints | None = None

    def line(self, solution: Solution, number: int) -> str:
        """Return the line of a solution, after the heads if it is the first one."""
        from puzzlec.solving.properties import PROPERTIES, Joints  # only a table needs them

        heads = ("solution", *PROPERTIES)
        self._joints = self._joints or Joints(solution.fitting)
        numbers = self._joints.of(solution)
        values = [number, *(getattr(numbers, name) for name in PROPERTIES)]
        if self._is_json:
            more = {"pairs": numbers.pairs, "colouring": numbers.colouring}
            return json.dumps({**dict(zip(heads, values, strict=True)), **more}, separators=(",", ":"))
        cells = ["-" if value is None else str(value) for value in values]
        line = "  ".join(cell.rjust(len(head)) for cell, head in zip(cells, heads, strict=True))
        return f"{self._styled('  '.join(heads))}\n{line}" if number == 1 else line
