"""Change the board: paint its locations in the statements that define them, or draw it again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import lark

from puzzlec.geometry import Cell
from puzzlec.geometry.drawing import BLANK, rule_of
from puzzlec.ir import Location
from puzzlec.language.editing import pieces
from puzzlec.language.editing.painting import EditError, Painted, painted
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
from puzzlec.language.elaborate.context import MAYBE, PLAIN
from puzzlec.language.elaborate.drawings import only_drawing
from puzzlec.language.expressions import Tree
from puzzlec.language.fixing import TextEdit
from puzzlec.language.spelling import addresses, drawing


def paint_board(text: ReadText, signs: Mapping[Cell, str], sure: bool) -> Edited:
    """Return the edits that paint locations."""
    boards = [tree for tree in text.statements if tree.data in ("locations", "optional")]
    locations = {location.at: location for location in text.puzzle.locations}
    parts: dict[int, dict[Cell, str]] = {}
    for cell, sign in signs.items():
        location = locations.get(cell)
        if location is None and sign == BLANK:
            continue
        for number, part_sign in _shares(boards, location, sign):
            parts.setdefault(number, {})[cell] = part_sign
    emptied = _emptied(text, boards, parts)
    if -1 not in parts and all(number in emptied or _is_open(boards[number], parts[number]) for number in parts):
        edits: list[TextEdit] = []
        shift: Cell = ()
        for number, cells in parts.items():
            if number in emptied:
                edits.append(removed(text, boards[number]))
                continue
            painting = _paint_statement(text, boards[number], cells)
            edits += painting.edits
            shift = painting.shift
        return Edited(edits, shift)
    if not sure:
        _refuse_loops(text, boards)
        what = "drawing" if rule_of(text.lattice) else "list of cells"
        raise QuestionError(f"The board is not a {what}. Replace it by a {what}?")
    return _converted(text, boards, signs)


def _shares(boards: Sequence[Tree], location: Location | None, sign: str) -> Iterator[tuple[int, str]]:
    """Yield the statements that paint a cell, by number (-1: none of them can), and their signs for the cell.

    All locations of an `optional` statement may stay empty, so a location that must be covered moves to another one.
    """
    number = _statement_at(boards, location) if location is not None else _first(boards, sign == MAYBE)
    if number is None:
        if location is not None:
            raise EditError("a loop makes this part of the board: edit the text instead")
        yield -1, sign
    elif boards[number].data != "optional" or sign == BLANK:
        yield number, sign
    elif sign == MAYBE:
        if location is None or location.colour is not None:
            yield number, PLAIN
    else:
        yield number, BLANK
        required = _first(boards, optional=False)
        yield -1 if required is None else required, sign


def _emptied(text: ReadText, boards: Sequence[Tree], parts: Mapping[int, Mapping[Cell, str]]) -> set[int]:
    """Return the `optional` statements that lose all their locations."""
    cells = defaultdict(set)
    for location in text.puzzle.locations:
        cells[_statement_at(boards, location)].add(location.at)
    return {
        number
        for number, signs in parts.items()
        if number >= 0 and boards[number].data == "optional"
        and set(signs.values()) == {BLANK} and signs.keys() == cells[number]
    }  # fmt: skip


def _statement_at(boards: Sequence[Tree], location: Location) -> int | None:
    at = location.span.start if location.span else -1
    return next((number for number, tree in enumerate(boards) if start_of(tree) <= at < end_of(tree)), None)


def _first(boards: Sequence[Tree], optional: bool) -> int | None:
    """Return the statement that gets new locations: the first suitable one that is a drawing or a list.

    A location that must be covered needs a statement that is not `optional`. For others, such a statement is best.
    """
    listing = [number for number, tree in enumerate(boards) if _drawn_in(tree) is not None or spots_in(tree)]
    alike = [number for number in listing if (boards[number].data == "optional") == optional]
    return next(iter(alike or (listing if optional else [])), None)


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
    painting = painted(str(token)[1:-1], lattice, inside)
    edits = [TextEdit(base + start, base + end, new) for start, end, new in painting.edits]
    if not any(painting.shift) or (place is None and not _has_coordinates(text, tree)):
        return Painted(edits, painting.shift)
    moved = tuple(a - b for a, b in zip(vector, painting.shift, strict=True))[: lattice.dimension]
    at = f" at ({','.join(map(str, moved))})" if any(moved) else ""
    start, end = (end_of(token), end_of(place)) if place is not None else (end_of(token), end_of(token))
    return Painted([*edits, TextEdit(start, end, at)], (0,) * lattice.coordinates)


#: Statements whose cells are shapes, which have no position on the board.
_SHAPES = ("drawn", "listed", *pieces.SHAPE_BODIES, "tile")


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
    drawn = {
        location.at: _sign_in(text, boards, location)
        for location in text.puzzle.locations
        if isinstance(location.at, tuple)
    }
    return redraw_board(text, boards, {cell: sign for cell, sign in (drawn | dict(signs)).items() if sign != BLANK})


def _refuse_loops(text: ReadText, boards: Sequence[Tree]) -> None:
    if not boards or any(_makes_locations(tree) for tree in text.statements if tree.data == "repeat"):
        raise EditError("a loop makes the board: edit the text instead")


def redraw_board(text: ReadText, boards: Sequence[Tree], drawn: Mapping[Cell, str]) -> Edited:
    """Return the edits that replace all statements of the board by one drawing."""
    lattice, rule = text.lattice, rule_of(text.lattice)
    _refuse_loops(text, boards)
    if not drawn:
        raise EditError("a board has at least one location")
    if rule is not None and (rule.signs or set(drawn.values()) == {"x"}):
        lines = list(drawing("locations", drawn, lattice, rule, place=True))
    elif set(drawn.values()) <= {"x", "?"}:
        lines = [
            f"{'optional ' * (sign == '?')}locations cells {addresses(those)}"
            for sign in ("x", "?")
            if (those := [cell for cell, mark in drawn.items() if mark == sign])
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
