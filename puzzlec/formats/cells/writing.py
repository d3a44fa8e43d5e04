"""Flat and solid pieces as lists of cells, one piece a line; the board is told in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics import Report
from puzzlec.formats.plain_pieces import at_origin, box_sizes, in_quotes, refuse_beyond, refuse_other_turns
from puzzlec.formats.write_options import Choices
from puzzlec.geometry import Cell
from puzzlec.ir import Puzzle

WORDS = "a list of cells"


def write_cells(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return the pieces of a puzzle as ``V: 000 100 010``; the board must be a full box, told in a comment.

    Where a coordinate has two digits, all cells are written ``(0,0,0)``. Raises PuzzleError (PZ501) for all that the
    format cannot say.
    """
    report = Report()
    lattice = refuse_beyond(puzzle, report, WORDS, ("square", "cubic"))
    refuse_other_turns(puzzle, lattice, report, WORDS)
    sizes = box_sizes(puzzle, report, WORDS)
    names = []
    for piece in puzzle.pieces:
        name = piece.name if re.fullmatch(r"\w[\w.+-]*", piece.name, re.ASCII) else in_quotes(piece.name)
        if name is None:
            report.add("PZ501", f"{WORDS} cannot hold the name of piece `{piece.name}`", piece.span, file=puzzle.title)
        names.append(name)
    report.stop_on_errors()
    listed = [at_origin(piece.cells) for piece in puzzle.pieces]
    digits = all(coordinate < 10 for cells in listed for cell in cells for coordinate in cell)

    def text() -> Iterator[str]:
        yield f"# The board is {sizes}.\n"
        for name, cells in zip(names, listed, strict=True):
            yield f"{name}: {' '.join(_cell(cell, digits) for cell in cells)}\n"

    return text()


def _cell(cell: Cell, digits: bool) -> str:
    return "".join(map(str, cell)) if digits else f"({','.join(map(str, cell))})"
