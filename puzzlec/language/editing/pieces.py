"""Change pieces: paint, add, double, rotate and remove them, and set their copies, freedom and colour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import lark

from puzzlec.geometry import Cell, Freedom, Lattice
from puzzlec.geometry.drawing import BLANK, drawn_rule
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Piece
from puzzlec.ir.paints import paint_of
from puzzlec.ir.puzzle import copies_mark
from puzzlec.ir.rules import Payer
from puzzlec.language.editing.painting import EditError, painted, redrawn
from puzzlec.language.editing.reading import (
    Edited,
    QuestionError,
    ReadText,
    after,
    end_of,
    listed,
    numbers,
    removed,
    spots_in,
    start_of,
)
from puzzlec.language.editing.syntax import signs_of
from puzzlec.language.elaborate.values import is_drawn
from puzzlec.language.expressions import Tree
from puzzlec.language.fixing import TextEdit
from puzzlec.language.spelling import addresses, drawing, quoted, taken_shape

#: Bodies of pieces with the shape of another piece, and all bodies after `=`.
LIKENESS_BODIES = ("alike", "mirrored")
SHAPE_BODIES = ("taken", "reflected", *LIKENESS_BODIES)


def paint_piece(text: ReadText, name: str, signs: Mapping[Cell, str], sure: bool) -> Edited:
    """Return the edits that paint cells of a piece."""
    piece, tree = text.piece(name), text.statement_of(name)
    body = tree.children[-1] if tree is not None else None
    if isinstance(body, lark.Tree) and body.data == "drawn":
        token = body.children[0]
        base = start_of(token) + 1
        painting = painted(str(token)[1:-1], text.lattice, signs)
        return Edited(
            [TextEdit(base + start, base + end, new) for start, end, new in painting.edits], painting.shift, name
        )
    if isinstance(body, lark.Tree) and body.data == "listed" and (spots := spots_in(lark.Tree("only", [body]))):
        if any(sign not in (BLANK, "x") for sign in signs.values()):
            raise EditError("a list of cells has no colours")
        return Edited(listed(spots, signs), (0,) * text.lattice.coordinates, name)
    if isinstance(body, lark.Tree) and body.data not in SHAPE_BODIES:
        raise EditError(f"piece `{name}` is not made of drawn cells: edit the text instead")
    if not sure:
        raise QuestionError(_replacing(name, body))
    cells = {cell: colour or "x" for cell, colour in zip(piece.cells, piece.colours, strict=True)} | dict(signs)
    return redraw(text, name, {cell: sign for cell, sign in cells.items() if sign != BLANK})


def redraw(text: ReadText, name: str, signs: Mapping[Cell, str]) -> Edited:
    """Return the edits that give a piece other cells."""
    piece, tree = text.piece(name), text.statement_of(name)
    edits = _with_body(text, piece, tree, _body(text.lattice, signs))
    return Edited(edits, (0,) * text.lattice.coordinates, name)


def _replacing(name: str, body: object) -> str:
    """Return the question before the shape of a piece becomes a drawing."""
    another = isinstance(body, lark.Tree) and body.data in LIKENESS_BODIES
    return f"{'Another piece' if another else 'A library'} has the shape of piece `{name}`. Replace it by a drawing?"


def _body(lattice: Lattice, signs: Mapping[Cell, str]) -> str:
    """Return a piece's cells as a drawing, or as a list."""
    if not signs:
        raise EditError("a piece has at least one cell")
    rule = drawn_rule(lattice, signs)
    if rule is not None and (rule.signs or set(signs.values()) == {"x"}):
        return "\n".join(drawing("", signs, lattice, rule)).strip()
    if set(signs.values()) != {"x"}:
        raise EditError(f"lattice `{lattice.name}` has no drawings with colours")
    return f"cells {addresses(signs)}"


def _with_body(text: ReadText, piece: Piece, tree: Tree | None, shape: str, head: str = "") -> list[TextEdit]:
    """Return the edits that give a piece another shape. A piece of a library gets a separate statement."""
    if tree is not None:
        body = tree.children[-1]
        start = text.source.text.rindex("=", 0, start_of(body) + 1) if body.data in SHAPE_BODIES else start_of(body)  # type: ignore[union-attr]
        return [TextEdit(start, end_of(body), shape)]
    library = _library_of(text, piece)
    return [*_without(text, library, piece.name), after(text, library, f"{head or _head(text, piece)} {shape}")]


def _head(text: ReadText, piece: Piece, name: str = "") -> str:
    """Return the beginning of the statement of a piece: its name, its copies and its freedom."""
    lattice = text.lattice
    copies = copies_mark(piece.low, piece.high)
    usual = Freedom.ONE_SIDED if piece.sides else lattice.freedom
    freedom = lattice.freedom_of(piece.turns) if set(piece.turns) != set(lattice.turns(usual)) else None
    return f"piece {quoted(name or piece.name)}{copies}{f' {freedom.value}' if freedom else ''}"


def _library_of(text: ReadText, piece: Piece) -> Tree:
    """Return the `pieces` statement that makes a piece."""
    at = piece.span.start if piece.span else -1
    return next(tree for tree in text.statements if start_of(tree) <= at < end_of(tree))


def _words(text: ReadText, library: Tree) -> str:
    """Return the name of a library in a `pieces` statement, with its size."""
    first, second = library.children[:2]
    last = second if isinstance(second, lark.Tree) and second.data == "sized" else first
    return " ".join(text.source.text[start_of(first) : end_of(last)].split())


def _comma(text: ReadText, names: Tree) -> str:
    """Return the comma before another name if the list has commas."""
    return "," * ("," in text.source.text[start_of(names) : end_of(names)])


def _without(text: ReadText, library: Tree, name: str) -> list[TextEdit]:
    """Return the edits that take a piece out of a `pieces` statement."""
    last = library.children[-1]
    if not (isinstance(last, lark.Tree) and last.data in ("only", "except")):
        return [TextEdit(end_of(library), end_of(library), f" except {quoted(name)}")]
    if last.data == "except":
        return [TextEdit(end_of(last), end_of(last), f"{_comma(text, last)} {quoted(name)}")]
    names = [str(child).strip('"') for child in last.children]
    number = names.index(name)
    if len(names) == 1:
        return [removed(text, library)]
    if number:
        return [TextEdit(end_of(last.children[number - 1]), end_of(last.children[number]), "")]
    return [TextEdit(start_of(last.children[0]), start_of(last.children[1]), "")]


def _last_of_pieces(text: ReadText) -> Tree | None:
    return next((tree for tree in reversed(text.statements) if tree.data in ("piece", "pieces")), None)


def _fresh_name(text: ReadText, name: str) -> str:
    """Return a name that no piece has: this one, or with a number after it."""
    names = {piece.name for piece in text.puzzle.pieces}
    if name not in names:
        return name
    stem = re.sub(r"\d+$", "", name) or name
    return next(fresh for number in range(2, len(names) + 3) if (fresh := f"{stem}{number}") not in names)


def add(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that add a shape of a library."""
    library, shape = str(change["library"]), str(change["shape"])
    name = _fresh_name(text, shape)
    for tree in text.statements:
        last = tree.children[-1]
        if tree.data == "pieces" and isinstance(last, lark.Tree) and last.data in ("only", "except"):
            named = _words(text, tree)
            names = [str(child).strip('"') for child in last.children]
            if named != library or name != shape:
                continue
            if last.data == "only":
                return Edited([TextEdit(end_of(last), end_of(last), f"{_comma(text, last)} {quoted(shape)}")], (), name)
            if names == [shape]:
                start = text.source.text.rindex("except", 0, start_of(last) + 6)
                return Edited([TextEdit(len(text.source.text[:start].rstrip()), end_of(last), "")], (), name)
            if shape in names:
                number = names.index(shape)
                ends = last.children[number - 1 : number + 1] if number else last.children[:2]
                start, end = (end_of(ends[0]), end_of(ends[1])) if number else (start_of(ends[0]), start_of(ends[1]))
                return Edited([TextEdit(start, end, "")], (), name)
    line = f"piece {quoted(name)} = {taken_shape(library, shape)}"
    return Edited([after(text, _last_of_pieces(text), line)], (), name)


def draw(text: ReadText, change: Mapping[str, Any]) -> Edited:  # noqa: ARG001
    """Return the edits that add a piece of one cell."""
    names = {piece.name for piece in text.puzzle.pieces}
    letters = (chr(code) for code in range(ord("A"), ord("Z") + 1))
    name = next((letter for letter in letters if letter not in names), "") or _fresh_name(text, "A")
    cell = (0,) * text.lattice.coordinates
    return Edited([after(text, _last_of_pieces(text), f"piece {name} {_body(text.lattice, {cell: 'x'})}")], (), name)


def double(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that add a piece with the shape of another one."""
    piece, tree = text.piece(str(change["piece"])), text.statement_of(str(change["piece"]))
    name = _fresh_name(text, piece.name)
    if tree is None:
        library = _library_of(text, piece)
        line = f"{_head(text, piece, name)} = {taken_shape(_words(text, library), piece.name)}"
        return Edited([after(text, library, line)], (), name)
    start = end_of(_name_of(tree))
    rest = text.source.text[start : end_of(tree)]
    return Edited([after(text, tree, f"piece {quoted(name)}{rest}")], (), name)


def _name_of(tree: Tree) -> lark.Token:
    """Return the name of a `piece` statement, or the last token of its index."""
    tokens = tree.children[0]
    assert isinstance(tokens, lark.Token)
    if len(tree.children) > 3:
        raise EditError(f"piece `{tokens}` has an index: edit the text instead")
    return tokens


def _modified(text: ReadText, change: Mapping[str, Any], kind: str, word: str) -> Edited:
    """Return the edits that give a piece another modifier; an empty word removes it."""
    name = str(change["piece"])
    piece, tree = text.piece(name), text.statement_of(name)
    if tree is None:
        library = _library_of(text, piece)
        if kind == "FREEDOM" and any(token.type == kind for token in _modifiers(library)):
            raise EditError(f"`pieces` has the orientation rule of piece `{name}`: edit the text instead")
        modifiers = [str(token) for token in _modifiers(library) if token.type != kind]
        head = " ".join(filter(None, [f"piece {quoted(name)}", *modifiers, word]))
        shape = f"= {taken_shape(_words(text, library), name)}"
        return Edited(_with_body(text, piece, None, shape, head), (), name)
    token = next((token for token in _modifiers(tree) if token.type == kind), None)
    if token is not None:
        start, end = start_of(token), end_of(token)
        if not word:
            start = len(text.source.text[:start].rstrip(" "))
        return Edited([TextEdit(start, end, word)], (), name)
    at = end_of(_name_of(tree))
    return Edited([TextEdit(at, at, f" {word}")] if word else [], (), name)


def _modifiers(tree: Tree) -> Iterator[lark.Token]:
    for child in tree.children:
        if isinstance(child, lark.Tree) and child.data == "modifiers":
            yield from (token for token in child.children if isinstance(token, lark.Token))


def copies(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that set the number of copies of a piece."""
    number = str(change["copies"])
    if not re.fullmatch(r"\d{1,6}(\.\.(\d{1,6}|\*))?|\*", number):
        raise EditError("copies are a number such as `2`, or a range such as `0..3`")
    return _modified(text, change, "COPIES", "" if number == "1" else f"x{number}")


def freedom(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that set the orientation rule of a piece; an empty word is the rule of the lattice."""
    word = str(change["freedom"])
    if word and word not in {freedom.value for freedom in Freedom}:
        raise EditError("the orientation rule is `free`, `one-sided` or `fixed`")
    if word and text.piece(str(change["piece"])).covers is not None:
        raise EditError("a piece with listed placements has no orientation rule")
    return _modified(text, change, "FREEDOM", word)


def tint(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that give a piece a colour in pictures; an empty word removes the colour."""
    name, word = str(change["piece"]), str(change["paint"])
    piece = text.piece(name)
    if word and not paint_of(word):
        raise EditError("the colour is a name such as `red`, or `#` and six digits")
    paints = [tree for tree in text.statements if tree.data == "paint"]
    tree = next((tree for tree in paints if _label(text, tree) == name), None)
    if tree is None and piece.paint:
        raise EditError(f"a loop or another file paints piece `{name}`: edit the text instead")
    if tree is None:
        last = paints[-1] if paints else _last_of_pieces(text)
        return Edited([after(text, last, f"paint {quoted(name)} {quoted(word)}")] if word else [], (), name)
    if not word:
        return Edited([removed(text, tree)], (), name)
    token = tree.children[-1]
    return Edited([TextEdit(start_of(token), end_of(token), quoted(word))], (), name)


def turn(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that draw a piece rotated or reflected."""
    name, lattice = str(change["piece"]), text.lattice
    piece, tree = text.piece(name), text.statement_of(name)
    matrices = lattice.rotation_generators if change["do"] == "rotate" else lattice.reflection_generators
    axis = int(change.get("axis", 0)) % max(1, len(matrices))
    if not matrices:
        raise EditError(f"lattice `{lattice.name}` has no other orientation")

    def moved(signs: Mapping[Cell, str]) -> Mapping[Cell, str]:
        by_cell = {lattice.cell(turned(matrices[axis], lattice.point(cell))): sign for cell, sign in signs.items()}
        if None in by_cell:
            raise EditError(f"piece `{name}` cannot be drawn that way")
        return _at_origin({cell: sign for cell, sign in by_cell.items() if cell is not None}, lattice)

    body = tree.children[-1] if tree is not None else None
    if isinstance(body, lark.Tree) and body.data == "drawn":
        token = body.children[0]
        new = redrawn(str(token)[1:-1], lattice, moved)
        return Edited([TextEdit(start_of(token) + 1, end_of(token) - 1, new)], (), name)
    if isinstance(body, lark.Tree) and body.data not in ("listed", *SHAPE_BODIES):
        raise EditError(f"piece `{name}` is not made of drawn cells: edit the text instead")
    if not (isinstance(body, lark.Tree) and body.data == "listed") and not change.get("sure"):
        raise QuestionError(_replacing(name, body))
    shape = _body(lattice, moved({cell: sign or "x" for cell, sign in zip(piece.cells, piece.colours, strict=True)}))
    return Edited(_with_body(text, piece, tree, shape), (), name)


def _at_origin(signs: Mapping[Cell, str], lattice: Lattice) -> dict[Cell, str]:
    """Return cells moved by a translation so that their least coordinates are 0."""
    least = [min(cell[axis] for cell in signs) for axis in range(lattice.dimension)]
    return {
        (*(a - b for a, b in zip(cell, least, strict=False)), *cell[lattice.dimension :]): sign
        for cell, sign in sorted(signs.items())
    }


def remove(text: ReadText, change: Mapping[str, Any]) -> Edited:
    """Return the edits that remove a piece, and with the user's consent its name in other statements."""
    name = str(change["piece"])
    piece, tree = text.piece(name), text.statement_of(name)
    if len(text.puzzle.pieces) == 1:
        raise EditError("a puzzle has at least one piece")
    for other in text.statements:
        body = other.children[-1] if other.children else None
        if isinstance(body, lark.Tree) and body.data in LIKENESS_BODIES and str(body.children[0]).strip('"') == name:
            raise EditError(f"another piece has the shape of piece `{name}`: edit the text instead")
    mentions = list(_mentions(text, name))
    if mentions and not change.get("sure"):
        statements = "Another statement names" if len(mentions) == 1 else f"{len(mentions)} other statements name"
        raise QuestionError(f"{statements} piece `{name}`. Remove the piece there also?")
    edits = [removed(text, tree)] if tree is not None else _without(text, _library_of(text, piece), name)
    return Edited([*edits, *mentions])


#: Statements that list pieces, or name one.
_LISTS = ("together", "immovable", "apart", "touching", "paint")


def _mentions(text: ReadText, name: str) -> Iterator[TextEdit]:
    """Yield an edit for each statement about a piece that removes its name, or the statement if nothing is left."""
    puzzle = text.puzzle
    spans = [rule.span for rule in puzzle.rules.pieces if rule.piece == name]
    spans += [rule.span for rule in puzzle.rules.regions if rule.piece == name]
    spans += [cost.span for cost in puzzle.costs if cost.payer is Payer.PIECE and cost.name == name]
    starts = [span.start for span in spans if span is not None]
    for tree in text.statements:
        if tree.data in _LISTS:
            yield from _left_out(text, tree, name)
        elif any(start_of(tree) <= start < end_of(tree) for start in starts):
            if tree.data == "repeat":
                raise EditError(f"a loop names piece `{name}`: edit the text instead")
            yield from _erased(text, tree, name)
        elif tree.data == "repeat" and any(
            str(member.children[0]).strip('"') == name.partition("[")[0]
            for part in tree.iter_subtrees()
            if part.data in _LISTS
            for member in _members(part)
        ):
            raise EditError(f"a loop names piece `{name}`: edit the text instead")


def _erased(text: ReadText, tree: Tree, name: str) -> Iterator[TextEdit]:
    """Yield the edits that remove a statement about a piece; from a drawing of several pieces, only this one goes."""
    drawing = tree.children[0] if tree.data == "fix" else None
    signs = signs_of(drawing) if isinstance(drawing, lark.Token) and is_drawn(drawing) else []
    if all(sign == name for _, sign in signs):
        yield removed(text, tree)
    else:
        yield from (TextEdit(at, at + 1, BLANK) for at, sign in signs if sign == name)


def _members(tree: Tree) -> list[Tree]:
    """Return the parts of a statement that name a piece each."""
    parts = [tree] if tree.data == "paint" else [part for part in tree.children if isinstance(part, lark.Tree)]
    return [part for part in parts if part.children]


def _left_out(text: ReadText, tree: Tree, name: str) -> Iterator[TextEdit]:
    """Yield the edit that takes a piece out of a list; a group of a single piece without copies means nothing."""
    members = _members(tree)
    names = [_label(text, member) for member in members]
    if name not in names:
        return
    number = names.index(name)
    rest = [text.piece(other) for other in names if other != name]
    if not rest or tree.data == "touching" or (tree.data == "together" and len(rest) == 1 and rest[0].high == 1):
        yield removed(text, tree)
    elif number:
        yield TextEdit(end_of(members[number - 1]), end_of(members[number]), "")
    else:
        yield TextEdit(start_of(members[0]), start_of(members[1]), "")


def _label(text: ReadText, member: Tree) -> str:
    """Return the name of a piece in a list, with its index and without its copies."""
    name = str(member.children[0]).strip('"')
    index = next((child for child in member.children if isinstance(child, lark.Tree)), None)
    if index is None:
        return name
    values = numbers(index)
    if values is None:
        raise EditError(f"`{text.source.text[start_of(member) : end_of(member)]}` has a formula: edit the text instead")
    return f"{name}[{','.join(map(str, values))}]"
