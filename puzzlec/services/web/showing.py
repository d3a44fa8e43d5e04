"""A puzzle for the page: its numbers, a picture of its board, a picture of each piece."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.geometry import Lattice
from puzzlec.ir import Fitting, Puzzle
from puzzlec.ir.puzzle import copies_text
from puzzlec.lower import Encoding
from puzzlec.pipeline import Compiled

#: Maximum number of pieces that are drawn; the others are only counted. A larger board is not drawn during typing.
PIECES, LOCATIONS = 60, 4000


def shown(compiled: Compiled, palette: str = "standard") -> dict[str, Any]:
    """Return the data that the page shows about a puzzle. Pictures are SVG, or text without geometry."""
    if isinstance(compiled, Encoding):
        found = _cover(compiled.cover) if not compiled.raised else _fitting(compiled.fitting, palette)
        return {**found, "options": len(compiled.cover)}
    assert isinstance(compiled, Fitting)
    return _fitting(compiled, palette)


def _cover(cover: ExactCover) -> dict[str, Any]:
    return {
        "title": cover.title,
        "lattice": None,
        "numbers": {
            "primary items": cover.primary,
            "secondary items": cover.secondary,
            "options": len(cover),
        },
        "pieces": [],
        "more": 0,
        "board": {},
    }


def _fitting(fitting: Fitting, palette: str) -> dict[str, Any]:
    puzzle = fitting.puzzle
    optional = len(fitting.optional)
    numbers = {"locations": fitting.locations - optional}
    if optional:
        numbers["optional"] = optional
    numbers["pieces"] = len(fitting.pieces)
    numbers["placements"] = sum(len(piece.placements) for piece in fitting.pieces)
    return {
        "title": fitting.title,
        "lattice": puzzle.lattice.name if puzzle and puzzle.lattice else None,
        "form": _form(puzzle.lattice) if puzzle and puzzle.lattice else None,
        "numbers": numbers,
        "pieces": [_piece(fitting, number, palette) for number in range(min(PIECES, len(fitting.pieces)))],
        "more": max(0, len(fitting.pieces) - PIECES),
        "board": _board(fitting),
    }


def _form(lattice: Lattice) -> list[str]:
    """Return the form of the pieces, which decides how they can be made: flat, solid, of edges, or of balls."""
    found = ["flat" if lattice.dimension < 3 else "solid"]
    return found + ["edges"] * lattice.of_edges + ["balls"] * lattice.of_balls


def _piece(fitting: Fitting, number: int, palette: str) -> dict[str, Any]:
    piece = fitting.pieces[number]
    described = fitting.puzzle.pieces[number] if fitting.puzzle else None
    found: dict[str, Any] = {
        "name": fitting.piece_name(number),
        "copies": "" if (piece.low, piece.high) == (1, 1) else copies_text(piece.low, piece.high),
        "placements": len(piece.placements),
        "cells": len(described.cells) if described is not None and described.covers is None else None,
        "picture": {},
    }
    if fitting.puzzle is not None and found["cells"] is not None:
        found["picture"] = piece_picture(fitting.puzzle, number, palette)
    return found


def _board(fitting: Fitting) -> dict[str, str]:
    puzzle = fitting.puzzle
    if puzzle is None:
        return {}
    if len(puzzle.locations) > LOCATIONS:
        return {"remark": f"the board has more than {LOCATIONS} locations and is not drawn while you type"}
    return board_picture(puzzle)


def board_picture(puzzle: Puzzle) -> dict[str, str]:
    """Return the empty board as ``svg``, or as ``text`` if it has no geometry or cannot be drawn."""
    from puzzlec.show.svg.choices import Choices
    from puzzlec.show.svg.picture import picture
    from puzzlec.show.terminal.style import Style
    from puzzlec.show.terminal.text import draw_puzzle
    from puzzlec.solving.subject import Subject

    if puzzle.lattice is not None:
        with suppress(PuzzleError):
            shown = picture(Subject(Fitting(0, (), puzzle=puzzle)), Choices(show="board", legend=False))
            return {"svg": shown.svg("none")}
    return {"text": draw_puzzle(puzzle, Style(width=90))}


def piece_picture(puzzle: Puzzle, number: int, palette: str) -> dict[str, str]:
    """Return a piece as ``svg``, or as ``text`` if it cannot be drawn."""
    from puzzlec.show.scene import piece_scene
    from puzzlec.show.svg.choices import Choices
    from puzzlec.show.svg.flat import flat_figure
    from puzzlec.show.svg.marks import Dyes, Marks
    from puzzlec.show.svg.solid import piece_figure
    from puzzlec.show.terminal.text import draw_piece

    assert puzzle.lattice is not None
    piece, scene = puzzle.pieces[number], piece_scene(puzzle, number)
    with suppress(PuzzleError):
        assert scene is not None
        choices, marks = Choices(labels="none", legend=False, palette=palette), Marks(puzzle.colours)
        if puzzle.lattice.dimension < 3:
            dyes = Dyes(side for piece in puzzle.pieces for side in piece.sides)
            figure = flat_figure(scene, choices, marks, dyes)
        else:
            figure = piece_figure(scene, choices, marks)
        return {"svg": figure.svg(piece.name, f"piece {piece.name}", background="none")}
    return {"text": draw_piece(piece, puzzle.lattice)}
