"""A text that is changed: its statements and their positions, and edits that add and remove statements and cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import lark

from puzzlec.diagnostics import PuzzleError, Report, Source
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.drawing import BLANK
from puzzlec.ir import Piece, Puzzle
from puzzlec.language.editing.painting import EditError
from puzzlec.language.elaborate.context import FileUses
from puzzlec.language.elaborate.puzzle import elaborate
from puzzlec.language.expressions import Node, Tree
from puzzlec.language.fixing import TextEdit
from puzzlec.language.puzzle_text import read_part, syntax_tree
from puzzlec.language.spelling import addresses


class QuestionError(EditError):
    """A change that replaces or removes more than the user has pointed at: it needs a yes. The message asks for it."""


class Edited(NamedTuple):
    """The edits of a change, the vector by which the cells of the painted drawing move, and the name of the piece."""

    edits: list[TextEdit]
    shift: Cell = ()
    piece: str = ""


@dataclass(frozen=True)
class ReadText:
    """A text with its tree and its meaning."""

    source: Source
    tree: Tree
    puzzle: Puzzle

    @classmethod
    def read(cls, source: Source, parameters: Mapping[str, int]) -> ReadText:
        """Return a text with its meaning; raise EditError for an unreadable one."""
        try:
            tree = syntax_tree(source)
            return cls(source, tree, elaborate(tree, source, Report(), parameters, uses=FileUses((), [], read_part)))
        except PuzzleError as error:
            raise EditError(f"the text has an error: {error.diagnostics[0].message}") from None

    @property
    def lattice(self) -> Lattice:
        """The lattice; raises EditError without one."""
        if self.puzzle.lattice is None:
            raise EditError("a puzzle with `lattice none` has no cells to paint")
        return self.puzzle.lattice

    @cached_property
    def statements(self) -> list[Tree]:
        """The statements outside of loops."""
        return [child for child in self.tree.children if isinstance(child, lark.Tree)]

    def piece(self, name: str) -> Piece:
        """Return a piece by its name."""
        piece = next((piece for piece in self.puzzle.pieces if piece.name == name), None)
        if piece is None:
            raise EditError(f"no piece `{name}` in the text")
        return piece

    def statement_of(self, name: str) -> Tree | None:
        """Return the `piece` statement of a piece; None if a library gives it. A loop cannot be edited."""
        at = self.piece(name).span
        assert at is not None
        for tree in self.statements:
            if start_of(tree) <= at.start < end_of(tree):
                if tree.data == "repeat":
                    raise EditError(f"a loop makes piece `{name}`: edit the text instead")
                if tree.data == "values":
                    raise EditError(f"`values` makes piece `{name}`: edit the text instead")
                if tree.data == "use":
                    raise EditError(f"piece `{name}` is in another file: edit that file instead")
                return tree if tree.data == "piece" else None
        raise EditError(f"cannot find piece `{name}` in the text")


def start_of(tree: Node) -> int:
    """Return the offset of the first character of a part of the text."""
    return (tree.meta.start_pos if isinstance(tree, lark.Tree) else tree.start_pos) or 0


def end_of(tree: Node) -> int:
    """Return the offset after the last character of a part of the text."""
    return (tree.meta.end_pos if isinstance(tree, lark.Tree) else tree.end_pos) or 0


def spots_in(tree: Tree) -> list[Tree]:
    """Return the cells of a statement that only lists cells by numbers; none for another statement."""
    part: Node = tree.children[0]
    while isinstance(part, lark.Tree) and part.data in ("region", "group") and len(part.children) == 1:
        part = part.children[0]
    if not isinstance(part, lark.Tree) or part.data not in ("cells", "listed"):
        return []
    spots = [child for child in part.children if isinstance(child, lark.Tree)]
    return spots if all(_literal(spot) is not None for spot in spots) else []


def _literal(spot: Tree) -> Cell | None:
    """Return the cell of a list entry whose coordinates are plain numbers."""
    cell = spot.children[0]
    if spot.data != "spot" or len(spot.children) != 1 or not isinstance(cell, lark.Tree) or cell.data != "cell":
        return None
    return numbers(cell)


def numbers(cell: Tree) -> Cell | None:
    """Return the coordinates of a cell; None if they are not plain numbers."""
    coordinates = []
    for child in cell.children:
        sign, part = 1, child
        if isinstance(part, lark.Tree) and part.data == "negative":
            sign, part = -1, part.children[-1]
        if not isinstance(part, lark.Tree) or part.data != "number":
            return None
        coordinates.append(sign * int(str(part.children[0])))
    return tuple(coordinates)


def listed(spots: Sequence[Tree], signs: Mapping[Cell, str]) -> list[TextEdit]:
    """Return the edits that add cells to a list, and remove others."""
    places = {_literal(spot): spot for spot in spots}
    gone = [cell for cell, sign in signs.items() if sign == BLANK and cell in places]
    fresh = [cell for cell, sign in signs.items() if sign != BLANK and cell not in places]
    if len(gone) == len(places) and not fresh:
        raise EditError("a list has at least one cell")
    edits = []
    if len(gone) == len(places):
        return [TextEdit(start_of(spots[0]), end_of(spots[-1]), addresses(fresh))]
    for cell in gone:
        spot = places[cell]
        number = list(spots).index(spot)
        after = number + 1 < len(spots) and _literal(spots[number + 1]) not in gone
        start, end = (
            (start_of(spot), start_of(spots[number + 1]))
            if after or number == 0
            else (end_of(spots[number - 1]), end_of(spot))
        )
        edits.append(TextEdit(start, end, ""))
    if fresh:
        edits.append(TextEdit(end_of(spots[-1]), end_of(spots[-1]), f" {addresses(fresh)}"))
    return edits


def removed(text: ReadText, tree: Tree) -> TextEdit:
    """Return the edit that removes a statement, with its line if nothing else is on it."""
    whole, start, end = text.source.text, start_of(tree), end_of(tree)
    begin = whole.rfind("\n", 0, start) + 1
    stop = whole.find("\n", end)
    stop = len(whole) if stop < 0 else stop
    if whole[begin:start].strip() or whole[end:stop].strip():
        return TextEdit(start, end, "")
    if stop < len(whole):
        return TextEdit(begin, stop + 1, "")
    return TextEdit(max(0, begin - 1), stop, "")


def after(text: ReadText, tree: Tree | None, line: str) -> TextEdit:
    """Return the edit that adds a statement after the line of another one; None: at the end."""
    whole = text.source.text
    if tree is None:
        return TextEdit(len(whole), len(whole), f"{line}\n" if whole.endswith("\n") or not whole else f"\n{line}\n")
    stop = whole.find("\n", end_of(tree))
    stop = len(whole) if stop < 0 else stop
    return TextEdit(stop, stop, f"\n{line}")
