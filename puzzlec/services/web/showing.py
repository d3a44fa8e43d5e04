"""A puzzle for the page: its numbers, a picture of its board and of each piece; and its stages.

The stages are its texts, the exact cover, and the nodes of the search.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any

from puzzlec.compiler import compile, convert
from puzzlec.diagnostics import PuzzleError
from puzzlec.engine.problem import ExactCover
from puzzlec.engine.search.steps import Choice, steps
from puzzlec.formats.reading import AnyPuzzle
from puzzlec.formats.stages import write_fitting
from puzzlec.geometry import Lattice
from puzzlec.geometry.families import find_shapes
from puzzlec.ir import Fitting, Piece, Puzzle
from puzzlec.ir.puzzle import copies_text
from puzzlec.language.editing.renaming import members
from puzzlec.lower import Encoding
from puzzlec.lower.labels import Labelled
from puzzlec.show.palette import fill_of, pools
from puzzlec.show.scene import piece_scene

#: Maximum number of pieces that are drawn; the others are only counted. A larger board is not drawn during typing.
PIECES, LOCATIONS = 60, 4000


def shown(compiled: Fitting | Encoding, palette: str = "standard") -> dict[str, Any]:
    """Return the data that the page shows about a puzzle. Pictures are SVG, or text without geometry."""
    if isinstance(compiled, Encoding):
        parts = _cover(compiled.cover) if not compiled.raised else _fitting(compiled.fitting, palette)
        return {**parts, "options": len(compiled.cover)}
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
    forms = ["flat" if lattice.dimension < 3 else "solid"]
    return forms + ["edges"] * lattice.of_edges + ["balls"] * lattice.of_balls


def _piece(fitting: Fitting, number: int, palette: str) -> dict[str, Any]:
    piece = fitting.pieces[number]
    described = fitting.puzzle.pieces[number] if fitting.puzzle else None
    piece_data: dict[str, Any] = {
        "name": fitting.piece_name(number),
        "copies": "" if (piece.low, piece.high) == (1, 1) else copies_text(piece.low, piece.high),
        "placements": len(piece.placements),
        "cells": len(described.cells) if described is not None and described.covers is None else None,
        "picture": {},
    }
    if fitting.puzzle is not None and piece_data["cells"] is not None:
        piece_data["picture"] = piece_picture(fitting.puzzle, number, palette)
        if (scene := piece_scene(fitting.puzzle, number)) is not None:
            piece_data["fill"] = scene.bodies[0].fill(palette)
    return piece_data


def _board(fitting: Fitting) -> dict[str, str]:
    puzzle = fitting.puzzle
    if puzzle is None:
        return {}
    if len(puzzle.locations) > LOCATIONS:
        return {"remark": f"the board has more than {LOCATIONS} locations and is not drawn while you type"}
    return board_picture(fitting, puzzle)


def board_picture(fitting: Fitting, puzzle: Puzzle) -> dict[str, str]:
    """Return the board as ``svg``, or as ``text`` if it has no geometry or cannot be drawn; grids show given values."""
    from puzzlec.show.svg.choices import Choices
    from puzzlec.show.svg.picture import picture
    from puzzlec.show.terminal.style import Style
    from puzzlec.show.terminal.text import draw_puzzle
    from puzzlec.solving.subject import Subject

    if puzzle.lattice is not None:
        with suppress(PuzzleError):
            board = picture(Subject(fitting), Choices(show="board", legend=False))
            return {"svg": board.svg("none")}
    return {"text": draw_puzzle(puzzle, Style(width=90))}


def piece_picture(puzzle: Puzzle, number: int, palette: str) -> dict[str, str]:
    """Return a piece as ``svg``, or as ``text`` if it cannot be drawn."""
    from puzzlec.show.svg.choices import Choices
    from puzzlec.show.svg.marks import Marks
    from puzzlec.show.svg.solid import piece_figure
    from puzzlec.show.terminal.text import draw_piece

    piece, scene = puzzle.pieces[number], piece_scene(puzzle, number)
    if scene is None:
        return {"text": draw_piece(piece, puzzle.geometry.lattice)}
    with suppress(PuzzleError):
        choices = Choices(labels="none", legend=False, palette=palette)
        figure = piece_figure(scene, choices, Marks.of_puzzle(puzzle, choices))
        return {"svg": figure.svg(piece.name, f"piece {piece.name}", background="none")}
    return {"text": draw_piece(piece, puzzle.geometry.lattice)}


def shape_picture(library: str, size: int | None, name: str) -> dict[str, str]:
    """Return a shape of a library or of a family in a size as :func:`piece_picture` does."""
    shapes = find_shapes(library, size)
    cells = shapes.shapes[name].cells
    piece = Piece(name, cells, (None,) * len(cells), shapes.lattice.turns(shapes.freedom), lattice=shapes.lattice)
    return piece_picture(Puzzle("", shapes.lattice, (), (piece,)), 0, "standard")


@lru_cache
def library_picture(library: str) -> dict[str, str] | None:
    """Return the first shape of a library; None if it has too many shapes, or needs a size."""
    shapes = members(library)
    return shape_picture(library, None, shapes[0]) if shapes else None


#: Maximum number of lines of a text that is shown, and of characters in a line.
LINES, WIDTH = 400, 2000

#: Maximum numbers of options and entries of a cover that is shown. For larger covers only the texts are shown.
OPTIONS, ENTRIES = 4000, 60_000

#: Maximum number of nodes of the search, and of numbers in all nodes together.
NODES, NUMBERS = 600, 200_000


def stages(what: AnyPuzzle, choice: Choice, palette: str) -> dict[str, Any]:
    """Return the stages of a puzzle as data.

    ``texts`` are the first lines of the puzzle and the fitting, each with its number of ``lines``. ``cover`` has the
    items and options of the exact cover. If the cover is too large, ``large`` is present instead. ``nodes`` are the
    first nodes of the search. ``whole`` is true if these are all nodes.
    """
    encoding = compile(what)
    texts = {}
    if isinstance(what, Puzzle):
        texts["puzzle"] = _shortened(convert(what, "puzzle"))
    if not encoding.raised:
        texts["fitting"] = _shortened(write_fitting(encoding.fitting))
    cover, size = encoding.cover, {"items": encoding.cover.primary, "options": len(encoding.cover)}
    data: dict[str, Any] = {"texts": texts, "size": {**size, "secondary": cover.secondary}}
    if len(cover) > OPTIONS or len(cover.items) > ENTRIES:
        return {**data, "large": f"The exact cover has {len(cover):,} options: only small ones are shown."}
    return {**data, "cover": _cover_stage(encoding, palette), **_search(cover, choice)}


def _shortened(text: str) -> dict[str, Any]:
    lines = text.splitlines()
    return {"text": "\n".join(line[:WIDTH] for line in lines[:LINES]), "lines": len(lines), "shown": LINES}


def _cover_stage(encoding: Encoding, palette: str) -> dict[str, Any]:
    """Return the items and options of a cover: names, entries, and the piece and the locations of each option."""
    cover, fitting, labelled = encoding.cover, encoding.fitting, Labelled.of(encoding)
    hues = pools([piece.high for piece in fitting.pieces])
    return {
        "items": list(labelled.items),
        "primary": cover.primary,
        "bounds": {
            item: [cover.low[item], cover.high[item]]
            for item in range(cover.primary)
            if (cover.low[item], cover.high[item]) != (1, 1)
        },
        "options": [[item for item, _ in cover.entries(option)] for option in range(len(cover))],
        "colours": [
            {item: cover.colour_name(colour) for item, colour in cover.entries(option) if colour}
            for option in range(len(cover))
        ]
        if any(cover.colours)
        else [],
        "labels": list(labelled.labels()),
        "piece": list(encoding.piece),
        "places": [_places(encoding, option) for option in range(len(cover))],
        "pieces": [fitting.piece_name(piece) for piece in range(len(fitting.pieces))],
        "fills": [
            [fill_of(hue, fitting.paint(piece), palette) for hue in hues_of_piece]
            for piece, hues_of_piece in enumerate(hues)
        ],
        "locations": fitting.locations,
    }


def _places(encoding: Encoding, option: int) -> list[int]:
    """Return the locations that an option covers; none if it places no piece."""
    piece = encoding.piece[option]
    if piece < 0:
        return []
    return list(encoding.fitting.pieces[piece].placements.row(encoding.index[option]))


def _search(cover: ExactCover, choice: Choice) -> dict[str, Any]:
    """Return the first nodes of the search, up to the limit of the page."""
    nodes: list[list[object]] = []
    numbers = 0
    for step in islice(steps(cover, choice), NODES + 1):
        numbers += len(step.gone)
        if len(nodes) == NODES or (nodes and numbers > NUMBERS):
            return {"nodes": nodes, "whole": False}
        nodes.append(list(step))
    return {"nodes": nodes, "whole": True}
