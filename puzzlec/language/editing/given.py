"""Given values: digits that are painted on the board of a puzzle with `values`. They become `fix` statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import lark

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing import BLANK
from puzzlec.ir.rules import RuleKind
from puzzlec.language.editing.painting import EditError, painted
from puzzlec.language.editing.reading import ReadText, after, end_of, removed, start_of
from puzzlec.language.editing.syntax import signs_of
from puzzlec.language.elaborate.context import PLAIN
from puzzlec.language.elaborate.values import is_drawn
from puzzlec.language.expressions import Tree
from puzzlec.language.fixing import TextEdit
from puzzlec.language.spelling import addresses


def given_values(text: ReadText, signs: Mapping[Cell, str]) -> tuple[list[TextEdit], dict[Cell, str]]:
    """Return the edits that give values to cells, change or take them, and the characters that paint the board.

    A value beside the board paints a plain cell there. On a given value, a character that is no value takes the value
    away, and the cell stays.
    """
    made = {start_of(tree): end_of(tree) for tree in text.statements if tree.data == "values"}
    values = {
        piece.name
        for piece in text.puzzle.pieces
        if piece.span is not None and any(start <= piece.span.start < end for start, end in made.items())
    } - {location.colour for location in text.puzzle.locations}
    statements = _statements(text, values)
    board = {location.at for location in text.puzzle.locations}
    asked = {cell: sign if sign in values else BLANK for cell, sign in signs.items()
             if cell in statements or (sign in values and cell in board)}  # fmt: skip
    rest = {cell: PLAIN if sign in values else sign for cell, sign in signs.items() if cell not in asked}
    drawings = [tree for tree in text.statements if tree.data == "fix" and is_drawn(tree.children[0])]
    parts: dict[int, dict[Cell, str]] = defaultdict(dict)
    edits, lines = list[TextEdit](), list[str]()
    for cell, sign in asked.items():
        tree = statements.get(cell) or next(iter(drawings), None)
        if tree is None:
            lines.append(f"fix {sign} at cells {addresses([cell])}")
        elif tree.data != "fix":
            raise EditError("a loop gives this value: edit the text instead")
        elif any(tree is other for other in drawings):
            parts[start_of(tree)][cell] = sign
        elif sign == BLANK:
            edits.append(removed(text, tree))
        else:
            name = tree.children[0]
            edits.append(TextEdit(start_of(name), end_of(name), sign))
    for tree in drawings:
        if parts[start_of(tree)]:
            edits += _redrawn(text, tree, parts[start_of(tree)])
    if lines:
        kept = [tree for cell, tree in statements.items() if asked.get(cell) != BLANK]
        edits.append(after(text, kept[-1] if kept else None, "\n".join(lines)))
    return edits, rest


def _statements(text: ReadText, values: set[str]) -> dict[Cell, Tree]:
    """Return the `fix` statements of given values, by their cells."""
    statements: dict[Cell, Tree] = {}
    for rule in text.puzzle.rules.pieces:
        if rule.kind is not RuleKind.FIX or rule.piece not in values or rule.span is None:
            continue
        (at,) = rule.region
        tree = next(tree for tree in text.statements if start_of(tree) <= rule.span.start < end_of(tree))
        if isinstance(at, tuple):
            statements[at] = tree
    return statements


def _redrawn(text: ReadText, tree: Tree, signs: Mapping[Cell, str]) -> list[TextEdit]:
    """Return the edits that give the cells of a drawing of values new characters; an empty one is removed."""
    drawing = tree.children[0]
    assert isinstance(drawing, lark.Token)
    if set(signs.values()) == {BLANK} and len(signs_of(drawing)) == len(signs):
        return [removed(text, tree)]
    new = painted(str(drawing)[1:-1], text.lattice, signs)
    if any(new.shift):
        raise EditError("the drawing of `fix` has no place for this cell: edit the text instead")
    base = (drawing.start_pos or 0) + 1
    return [TextEdit(base + start, base + end, sign) for start, end, sign in new.edits]
