"""Place pieces on the board and take them back: `fix` statements that are added, changed and removed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import lark

from puzzlec.geometry import Cell
from puzzlec.ir.puzzle import RuleKind
from puzzlec.language.editing.painting import EditError, TextEdit
from puzzlec.language.editing.reading import Edited, ReadText, after, end_of, removed, start_of
from puzzlec.language.expressions import Tree
from puzzlec.language.spelling import addresses, quoted


def fix(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that place pieces (``put``), and take others from their places (``take``).

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
                    raise EditError(f"a loop fixes piece `{name}`: change the text")
                assert isinstance(tree.children[-1], lark.Tree)
                return tree
    raise EditError(f"the text does not fix piece `{name}` there")
