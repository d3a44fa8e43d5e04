"""Changes of a puzzle as edits of its text: painted cells, rules, and added, moved, changed or removed pieces.

Each change rewrites the smallest part of the text. Statements and comments around it stay as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import lark

from puzzlec.diagnostics import Source
from puzzlec.geometry import Cell
from puzzlec.ir.rules import RuleKind
from puzzlec.language.editing import pieces
from puzzlec.language.editing.board import paint_board, redraw_board
from puzzlec.language.editing.given import given_values
from puzzlec.language.editing.painting import EditError, pasted
from puzzlec.language.editing.reading import (
    Edited,
    ReadText,
    after,
    end_of,
    removed,
    start_of,
)
from puzzlec.language.editing.rules import add_rule
from puzzlec.language.expressions import Tree
from puzzlec.language.fixing import TextEdit
from puzzlec.language.spelling import addresses, quoted


def edit(text: str | Source, change: Mapping[str, Any], parameters: Mapping[str, int] | None = None) -> Edited:
    r"""Return the smallest edits of a text that make a change.

    Args:
        text: A text of the puzzle language. A source also has the position of its lattice file.
        change: ``do`` is the kind. ``paint`` has ``cells``, each a cell and its new character (``.`` removes it), and
            ``piece``, the name of a piece; without it, the board is painted. ``paste`` has a ``drawing`` that replaces
            the whole board or piece. ``add`` has ``library`` (with its size)
            and ``shape``, ``draw`` has nothing else; ``double``, ``copies``, ``freedom``, ``tint``, ``rotate``,
            ``reflect`` and ``remove`` have ``piece``. ``tint`` has ``paint``, the colour in pictures. ``fix`` has
            ``put`` and ``take``: pieces to place, and to take from their positions, each a name and cells. ``rule``
            has its kind, such as ``all-different``, a part of the board (``where``, or ``cells``), a ``value``, and
            the names ``piece`` and ``other``. With ``sure``, a box or a library may become a drawing, and values may
            replace pieces without values.
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
    edits, rest = given_values(text, signs)
    board = paint_board(text, rest, sure) if rest else Edited([], (0,) * lattice.coordinates)
    return board._replace(edits=[*board.edits, *edits])


def _paste(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that make a drawing from elsewhere the board, or a piece."""
    signs = pasted(str(change["drawing"]), text.lattice)
    if change.get("piece"):
        return pieces.redraw(text, str(change["piece"]), signs)
    return redraw_board(text, [tree for tree in text.statements if tree.data in ("locations", "optional")], signs)


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
    lines = [f"fix {quoted(name)} at cells {addresses(cells)}" for name, rows in put.items() for cells in rows]
    if lines:
        # Not after a statement that is removed: the edits would overlap.
        others = [tree for tree in text.statements if tree.data == "fix" and all(tree is not other for other in gone)]
        edits.append(after(text, others[-1] if others else None, "\n".join(lines)))
    return Edited(edits)


def _statement(text: ReadText, name: str, cells: set[Cell]) -> Tree:
    """Return the statement that fixes a piece on cells; raise EditError if no single statement does."""
    for rule in text.puzzle.rules.pieces:
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
    "paste": _paste,
    "add": pieces.add,
    "draw": pieces.draw,
    "double": pieces.double,
    "copies": pieces.copies,
    "freedom": pieces.freedom,
    "tint": pieces.tint,
    "rotate": pieces.turn,
    "reflect": pieces.turn,
    "remove": pieces.remove,
    "fix": _fix,
    "rule": add_rule,
}

#: The kinds of changes.
CHANGE_KINDS = tuple(_CHANGES)
