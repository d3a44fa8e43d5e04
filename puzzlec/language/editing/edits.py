"""Changes of a puzzle as edits of its text: painted cells, pieces that are added, changed or removed, and their places.

Each change rewrites the smallest part of the text. Statements and comments around it stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from puzzlec.diagnostics import Source
from puzzlec.language.editing import pieces
from puzzlec.language.editing.board import paint_board
from puzzlec.language.editing.fixing import fix
from puzzlec.language.editing.painting import EditError
from puzzlec.language.editing.reading import Edited, ReadText


def edit(text: str | Source, change: Mapping[str, Any], parameters: Mapping[str, int] | None = None) -> Edited:
    r"""Return the smallest edits of a text that make a change.

    Args:
        text: A text of the puzzle language. A source also has the place of its lattice file.
        change: ``do`` is the kind. ``paint`` has ``cells``, each a cell and its new character (``.`` removes it), and
            ``piece``, the name of a piece; without it, the board is painted. ``add`` has ``library`` (with its size)
            and ``shape``, ``draw`` nothing; ``double``, ``copies``, ``freedom``, ``rotate``, ``reflect`` and
            ``remove`` have ``piece``. ``fix`` has ``put`` and ``take``: pieces to place, and to take from their places,
            each a name and cells. With ``sure``, a box or a library may become a drawing.
        parameters: Values of parameters.

    >>> edit("locations { xx }\npiece I { xx }", {"do": "paint", "cells": [[[2, 0], "x"]]}).edits
    [TextEdit(start=14, end=14, text='x')]

    Raises QuestionError if the change needs a yes, EditError if the text cannot express it.

    """
    source = Source("puzzle.puzzle", text) if isinstance(text, str) else text
    return _CHANGES[change["do"]](ReadText.read(source, parameters or {}), change)


def _paint(text: ReadText, change: Mapping[str, Any]) -> Edited:
    signs = {tuple(cell): str(sign) for cell, sign in change["cells"]}
    lattice = text.lattice
    if any(len(cell) != lattice.coordinates for cell in signs):
        raise EditError("the cell is not on the lattice")
    sure = bool(change.get("sure"))
    if change.get("piece"):
        return pieces.paint_piece(text, str(change["piece"]), signs, sure)
    return paint_board(text, signs, sure)


_CHANGES: dict[str, Callable[[ReadText, Mapping[str, Any]], Edited]] = {
    "paint": _paint,
    "add": pieces.add,
    "draw": pieces.draw,
    "double": pieces.double,
    "copies": pieces.copies,
    "freedom": pieces.freedom,
    "rotate": pieces.turn,
    "reflect": pieces.turn,
    "remove": pieces.remove,
    "fix": fix,
}

#: The kinds of changes.
KINDS = tuple(_CHANGES)
