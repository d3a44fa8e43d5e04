"""Add a rule: a condition on each row or on chosen cells, a place for a piece, or how two pieces meet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from puzzlec.diagnostics import Source
from puzzlec.geometry import Cell
from puzzlec.geometry.places import PLACE_WORDS
from puzzlec.ir.puzzle import cells_of
from puzzlec.language.editing.painting import EditError
from puzzlec.language.editing.reading import Edited, QuestionError, ReadText, after, end_of, removed, start_of
from puzzlec.language.fixing import TextEdit, applied
from puzzlec.language.spelling import addresses, quoted

#: Conditions on the values of a region, conditions on its number of pieces, and relations of a piece to it.
VALUES, QUANTITIES, PLACES = (
    ("all different", "all equal", "sum"),
    ("exactly", "at most", "at least"),
    ("inside", "on", "off"),
)

#: The kinds of rules. The last two are about two pieces.
RULES = (*VALUES, *QUANTITIES, *PLACES, "apart", "touching")

#: Parts of the board that a rule names with `each`.
EACH = ("row", "column", "row, column", "diagonal", "region")


def add_rule(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that add a rule.

    Raises QuestionError if its condition is about values and the pieces have none: then values become the pieces.
    """
    kind = str(change["rule"]).replace("-", " ")
    if kind not in RULES:
        raise EditError(f"unknown rule `{kind}`")
    line = _line(text, kind, change)
    edits: list[TextEdit] = []
    pieces = [tree for tree in text.statements if tree.data in ("piece", "pieces", "values")]
    if kind in VALUES and any(None in piece.colours or not piece.colours for piece in text.puzzle.pieces):
        line = f"{_values(text)}\n{line}"
        if not change.get("sure"):
            values = line.partition("\n")[0]
            raise QuestionError(f"The pieces have no values for this rule. Replace them by `{values}`?")
        first, *others = pieces
        edits = [TextEdit(start_of(first), end_of(first), line), *(removed(text, tree) for tree in others)]
    else:
        alike = [tree for tree in text.statements if tree.data == line.split()[0]]
        edits = [after(text, next(reversed(alike or pieces), None), line)]
    ReadText.read(Source(text.source.name, applied(text.source.text, edits)), {})
    return Edited(edits)


def _line(text: ReadText, kind: str, change: Mapping[str, Any]) -> str:
    """Return the statement of a rule."""
    names = [str(change[key]) for key in ("piece", "other") if change.get(key)]
    labels = [quoted(text.piece(name).name) for name in names if name != "border"]
    if kind == "apart":
        return f"apart {' '.join(labels)}" if labels else "apart copies"
    if kind == "touching":
        return f"touching {labels[0] if labels else 'all'} {labels[1] if len(labels) > 1 else 'border'}"
    where = _region(text, change)
    if kind in PLACES:
        if not labels or where.startswith("each "):
            raise EditError("choose a piece, and cells or a place of the board")
        return f"place {labels[0]} {kind} {where}"
    if kind in VALUES[:2]:
        return f"rule {where} {kind}"
    value = str(change.get("value", ""))
    if not re.fullmatch(r"\d{1,9}(\.\.\d{1,9})?" if kind == "sum" else r"\d{1,6}", value):
        raise EditError("the value is a number such as `7`" + ", or a range such as `3..5`" * (kind == "sum"))
    return f"rule {where} sum = {value}" if kind == "sum" else " ".join(["rule", where, kind, value, *labels[:1]])


def _region(text: ReadText, change: Mapping[str, Any]) -> str:
    """Return the part of the board that a rule is about, as the language writes it."""
    where = str(change.get("where", "")).replace("-", ", ")
    if where in EACH:
        return f"each {where}"
    if where in PLACE_WORDS:
        return where
    board = cells_of(text.puzzle)
    cells = board if where == "board" else [tuple(cell) for cell in change.get("cells", [])]
    if not cells:
        raise EditError("choose cells of the board first")
    if not set(cells) <= set(board):
        raise EditError("the board does not have all of these cells")
    return _written(cells, text.lattice.drawing == "rows")


def _written(cells: Sequence[Cell], has_boxes: bool) -> str:
    """Return cells as a box if they fill one, otherwise as a list."""
    low, high = tuple(map(min, zip(*cells, strict=True))), tuple(map(max, zip(*cells, strict=True)))
    if has_boxes and set(cells) == set(product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))):
        at = f" at ({','.join(map(str, low))})" if any(low) else ""
        return f"box {'x'.join(str(b - a + 1) for a, b in zip(low, high, strict=True))}{at}"
    return f"cells {addresses(sorted(cells, key=lambda cell: cell[::-1]))}"


def _values(text: ReadText) -> str:
    """Return the statement with as many values as the longest row of the board has locations."""
    if any(tree.data == "repeat" for tree in text.statements) or text.puzzle.rules.pieces or text.puzzle.rules.meetings:
        raise EditError("the pieces have no values: write `values 1..9` instead of the pieces")
    rows: dict[Iterable[int], int] = {}
    for location in text.puzzle.locations:
        if not isinstance(location.at, str):
            rows[location.at[1:]] = rows.get(location.at[1:], 0) + 1
    return f"values 1..{max(rows.values(), default=1)}"
