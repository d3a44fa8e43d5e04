"""What a page shows instead of pieces on a board: their shapes beside it, and grids where there is no geometry."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlec.geometry import Lattice
from puzzlec.ir import Puzzle, Solution
from puzzlec.show.page.marking import colour_numbers, signs_of
from puzzlec.show.page.packing import packed
from puzzlec.show.terminal.grids import grid_board

#: Pieces beside the board have at most so many cells in all; of more, only the first ones are shown.
MOST_CELLS = 5000

#: So many solutions, and so many cells of them in all, are shown as grids; others as tables.
MOST_GRIDS, MOST_PLACES = 1000, 500_000


def shapes(puzzle: Puzzle, lattice: Lattice) -> list[dict[str, object] | None]:
    """Return the cells of each piece as it is written, with their colours and sides; None for one without a shape."""
    known, signs = colour_numbers(puzzle), signs_of(puzzle)
    found: list[dict[str, object] | None] = []
    room = MOST_CELLS
    for piece in puzzle.pieces:
        room -= len(piece.cells)
        if piece.covers is not None or not piece.cells or room < 0:
            found.append(None)
            continue
        points = [lattice.point(cell) for cell in piece.cells]
        shape: dict[str, object] = {
            "points": packed([value for point in points for value in point]),
            "kinds": packed([lattice.class_of(point) for point in points]),
        }
        if known:
            shape["coloured"] = packed([known.get(each, -1) + 1 if each else 0 for each in piece.colours])
        if piece.sides:
            shape["sides"] = [signs.index(sign) for sign in piece.sides]
        found.append(shape)
    return found


def grids(solutions: Sequence[Solution]) -> dict[str, object] | None:
    """Return solutions as grids of signs, in the order of the solutions; None where their names speak of none.

    The cells (right, down) and their areas (-1: none) are those of the first one; the signs are numbers of words.
    """
    first = grid_board(solutions[0]) if solutions else None
    if first is None:
        return None
    cells = tuple(first.owners)
    words: dict[str, int] = {}
    signs: list[int] = []
    number = 0
    for solution in solutions[: min(MOST_GRIDS, MOST_PLACES // len(cells))]:
        board = first if solution is solutions[0] else grid_board(solution)
        if board is None or board.owners != first.owners:
            break
        signs += [words.setdefault(board.signs[cell], len(words)) for cell in cells]
        number += 1
    return {
        "number": number,
        "cells": packed([value for cell in cells for value in cell[:2]]),
        "areas": packed([first.owners[cell] for cell in cells]),
        "words": list(words),
        "signs": packed(signs),
    }
