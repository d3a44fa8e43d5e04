"""Paint the board: its drawings, its lists of cells, and boxes that become a drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import lark

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing import BLANK, rule_of
from puzzlec.ir import Location
from puzzlec.language.editing.painting import EditError, Painted, TextEdit, painted
from puzzlec.language.editing.reading import (
    Edited,
    QuestionError,
    ReadText,
    end_of,
    listed,
    numbers,
    removed,
    spots_in,
    start_of,
)
from puzzlec.language.elaborate.drawings import only_drawing
from puzzlec.language.expressions import Tree
from puzzlec.language.spelling import addresses, drawing


def paint_board(text: ReadText, signs: Mapping[Cell, str], sure: bool) -> Edited:
    """Return the edits that paint locations."""
    boards = [tree for tree in text.statements if tree.data in ("locations", "optional")]
    known = {location.at: location for location in text.puzzle.locations}
    parts: dict[int, dict[Cell, str]] = {}
    for cell, sign in signs.items():
        location = known.get(cell)
        if location is None and sign == BLANK:
            continue
        number = _statement_at(boards, location) if location else _first(boards)
        if number is None and location is not None:
            raise EditError("a loop makes this part of the board: edit the text instead")
        parts.setdefault(-1 if number is None else number, {})[cell] = sign
    if set(parts) <= set(range(len(boards))) and all(_is_open(boards[number], parts[number]) for number in parts):
        edits: list[TextEdit] = []
        shift: Cell = ()
        for number, cells in parts.items():
            found = _paint_statement(text, boards[number], cells)
            edits += found.edits
            shift = found.shift
        return Edited(edits, shift)
    if not boards or any(_makes_locations(tree) for tree in text.statements if tree.data == "repeat"):
        raise EditError("a loop makes the board: edit the text instead")
    if not sure:
        what = "drawing" if rule_of(text.lattice) else "list of cells"
        raise QuestionError(f"The board is not a {what}. Replace it by a {what}?")
    return _converted(text, boards, signs)


def _statement_at(boards: Sequence[Tree], location: Location) -> int | None:
    at = location.span.start if location.span else -1
    return next((number for number, tree in enumerate(boards) if start_of(tree) <= at < end_of(tree)), None)


def _first(boards: Sequence[Tree]) -> int | None:
    """Return the statement that gets new locations: the first one that is a drawing or a list."""
    for number, tree in enumerate(boards):
        if _drawn_in(tree) is not None or spots_in(tree):
            return number
    return None


def _drawn_in(tree: Tree) -> lark.Token | None:
    region = tree.children[0]
    return only_drawing(region) if isinstance(region, lark.Tree) else None


def _moved_by(tree: Tree) -> Tree | None:
    """Return the vector after `at` of a statement that is a drawing; None without one."""
    return next((part.children[1] for part in tree.find_data("shifted")), None)  # type: ignore[return-value]


def _is_open(tree: Tree, signs: Mapping[Cell, str]) -> bool:
    """Whether the cells of a statement can be painted as it is."""
    if _drawn_in(tree) is not None:
        vectors = list(tree.find_data("shifted"))
        return len(vectors) < 2 and all(numbers(part.children[1]) is not None for part in vectors)  # type: ignore[arg-type]
    return bool(spots_in(tree)) and all(sign in (BLANK, "x") for sign in signs.values())


def _paint_statement(text: ReadText, tree: Tree, signs: Mapping[Cell, str]) -> Painted:
    """Return the edits that paint locations of one statement."""
    token = _drawn_in(tree)
    if token is None:
        return Painted(listed(spots_in(tree), signs), ())
    place = _moved_by(tree)
    vector = (numbers(place) if place is not None else None) or ()
    lattice = text.lattice
    vector = (*vector, *(0,) * (lattice.coordinates - len(vector)))
    inside = {tuple(a - b for a, b in zip(cell, vector, strict=True)): sign for cell, sign in signs.items()}
    base = (token.start_pos or 0) + 1
    found = painted(str(token)[1:-1], lattice, inside)
    edits = [TextEdit(base + start, base + end, new) for start, end, new in found.edits]
    if not any(found.shift) or (place is None and not _has_coordinates(text, tree)):
        return Painted(edits, found.shift)
    moved = tuple(a - b for a, b in zip(vector, found.shift, strict=True))[: lattice.dimension]
    at = f" at ({','.join(map(str, moved))})" if any(moved) else ""
    start, end = (end_of(token), end_of(place)) if place is not None else (end_of(token), end_of(token))
    return Painted([*edits, TextEdit(start, end, at)], (0,) * lattice.coordinates)


#: Statements whose cells are shapes, which have no position on the board.
_SHAPES = ("drawn", "listed", "taken", "edges")


def _has_coordinates(text: ReadText, board: Tree) -> bool:
    """Whether another statement gives cells of the board by their coordinates."""
    for tree in text.statements:
        if tree is board or (tree.data == "piece" and str(tree.children[-1].data) in _SHAPES):  # type: ignore[union-attr]
            continue
        if tree.data == "repeat" or any(tree.find_pred(lambda part: part.data in ("region", "spot", "covers"))):
            return True
    return False


def _makes_locations(loop: Tree) -> bool:
    return any(loop.find_pred(lambda part: part.data in ("locations", "optional")))


def _converted(text: ReadText, boards: Sequence[Tree], signs: Mapping[Cell, str]) -> Edited:
    """Return the edits that replace all statements of the board by one drawing, with painted cells."""
    lattice, rule = text.lattice, rule_of(text.lattice)
    drawn = {
        location.at: _sign_in(text, boards, location)
        for location in text.puzzle.locations
        if isinstance(location.at, tuple)
    }
    drawn = {cell: sign for cell, sign in (drawn | dict(signs)).items() if sign != BLANK}
    if not drawn:
        raise EditError("a board has at least one location")
    if rule is not None and (rule.signs or set(drawn.values()) == {"x"}):
        lines = list(drawing("locations", drawn, lattice, rule, place=True))
    elif set(drawn.values()) <= {"x", "?"}:
        lines = [
            f"{'optional ' * (sign == '?')}locations cells {addresses(those)}"
            for sign in ("x", "?")
            if (those := [cell for cell, own in drawn.items() if own == sign])
        ]
    else:
        raise EditError(f"lattice `{lattice.name}` has no drawings with colours")
    first, *others = boards
    edits = [TextEdit(start_of(first), end_of(first), "\n".join(lines))]
    return Edited([*edits, *(removed(text, tree) for tree in others)], (0,) * lattice.coordinates)


def _sign_in(text: ReadText, boards: Sequence[Tree], location: Location) -> str:
    """Return the character of a location in a drawing of the whole board."""
    if location.optional and location.colour:
        raise EditError("a coloured location that may stay empty cannot be drawn: edit the text instead")
    if location.optional:
        return "?"
    span = location.span
    number = _statement_at(boards, location)
    tokens = (
        []
        if number is None
        else boards[number].scan_values(lambda token: isinstance(token, lark.Token) and token.type == "DRAWING")
    )
    in_drawing = span is not None and any(start_of(token) <= span.start < end_of(token) for token in tokens)
    return text.source.text[span.start] if span is not None and in_drawing else "x"
