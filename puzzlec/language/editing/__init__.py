"""Changes of a puzzle as edits of its text: painted cells, and pieces that are added, moved, changed or removed.

Each change rewrites the smallest part of the text. Statements and comments around it stay as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import lark

from puzzlec.diagnostics import Source
from puzzlec.geometry import Cell
from puzzlec.ir.puzzle import RuleKind
from puzzlec.language.editing import pieces
from puzzlec.language.editing.board import paint_board
from puzzlec.language.editing.painting import EditError, TextEdit, applied
from puzzlec.language.editing.reading import Edited, QuestionError, ReadText, after, end_of, removed, start_of
from puzzlec.language.expressions import Tree
from puzzlec.language.spelling import addresses, quoted

__all__ = ["KINDS", "EditError", "Edited", "QuestionError", "TextEdit", "applied", "edit"]


def edit(text: str | Source, change: Mapping[str, Any], parameters: Mapping[str, int] | None = None) -> Edited:
    r"""Return the smallest edits of a text that make a change.

    Args:
        text: A text of the puzzle language. A source also has the position of its lattice file.
        change: ``do`` is the kind. ``paint`` has ``cells``, each a cell and its new character (``.`` removes it), and
            ``piece``, the name of a piece; without it, the board is painted. ``add`` has ``library`` (with its size)
            and ``shape``, ``draw`` has nothing else; ``double``, ``copies``, ``freedom``, ``rotate``, ``reflect`` and
            ``remove`` have ``piece``. ``fix`` has ``put`` and ``take``: pieces to place, and to take from their
            positions, each a name and cells. With ``sure``, a box or a library may become a drawing.
        parameters: Values of parameters.

    >>> edit("locations { xx }\npiece I { xx }", {"do": "paint", "cells": [[[2, 0], "x"]]}).edits
    [TextEdit(start=14, end=14, text='x')]

    Raises QuestionError if the change needs the user's consent, EditError if the text cannot express it.

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


def _fix(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that place pieces (``put``), and take others from their positions (``take``).

    A piece that is in both lists moves: its statement gets other cells.
    """
    put: dict[str, list[list[Cell]]] = defaultdict(list)
    for name, cells in change["put"]:
        text.piece(name)
        put[name].append([tuple(cell) for cell in cells])
    edits, gone = list[TextEdit](), list[Tree]()
    for name, cells in change["take"]:
        tree = _statement(text, name, {tuple(cell) for cell in cells})
        if any(tree is other for other in gone):
            continue
        gone.append(tree)
        if put[name]:
            region = tree.children[-1]
            edits.append(TextEdit(start_of(region), end_of(region), f"cells {addresses(put[name].pop(0))}"))
        else:
            edits.append(removed(text, tree))
    lines = [f"fix {quoted(name)} in cells {addresses(cells)}" for name, rows in put.items() for cells in rows]
    if lines:
        # Not after a statement that is removed: the edits would overlap.
        others = [tree for tree in text.statements if tree.data == "fix" and all(tree is not other for other in gone)]
        edits.append(after(text, others[-1] if others else None, "\n".join(lines)))
    return Edited(edits)


def _statement(text: ReadText, name: str, cells: set[Cell]) -> Tree:
    """Return the statement that fixes a piece on cells; raise EditError if no single statement does."""
    for rule in text.puzzle.rules:
        if rule.kind is not RuleKind.FIX or rule.piece != name or set(rule.region) != cells or rule.span is None:
            continue
        for tree in text.statements:
            if start_of(tree) <= rule.span.start < end_of(tree):
                if tree.data != "fix":
                    raise EditError(f"a loop fixes piece `{name}`: edit the text instead")
                assert isinstance(tree.children[-1], lark.Tree)
                return tree
    raise EditError(f"the text does not fix piece `{name}` there")


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
    "fix": _fix,
}

#: The kinds of changes.
KINDS = tuple(_CHANGES)
