"""Polycubes and polyominoes as lists of cells by their coordinates, in the forms of web pages and programs.

A line (or the text up to a ``;``) is a piece with or without a name or a number: ``V: 000 100 010``, ``1. 000 100``,
``(0,0,0) (1,0,0)``, ``0,0,0 1,0,0``. Nested lists of JSON, Python, C or Mathematica contain one piece each, or all
pieces: ``[[0,0,0],[1,0,0]]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from operator import add
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source, Span
from puzzlec.diagnostics.error import fail
from puzzlec.formats.cells.nested import (
    CELL,
    PIECE,
    PIECES,
    BracketGroup,
    CellLists,
    Item,
    NestedStatement,
    NestedWord,
    statements,
)
from puzzlec.formats.plain import box_sizes, by_rows, in_quotes, plain_report, refuse_other_turns, refuse_second
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.geometry import Cell, Freedom, find_lattice
from puzzlec.geometry.lattice import written
from puzzlec.ir import ANY, Location, Piece, Puzzle
from puzzlec.language.given import Given


def write_cells(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the pieces of a puzzle as ``V: 000 100 010``. The board must be a full box, and a comment gives its size.

    If a coordinate has two digits, all cells are written ``(0,0,0)``. Raises PuzzleError (PZ501) for everything that
    the format does not support.
    """
    lattice, report = plain_report(puzzle, "a list of cells", ("square", "cubic"))
    refuse_other_turns(puzzle, lattice, report)
    sizes = box_sizes(puzzle, report)
    names = []
    for piece in puzzle.pieces:
        name = piece.name if re.fullmatch(r"\w[\w.+-]*", piece.name, re.ASCII) else in_quotes(piece.name)
        if name is None:
            report.part(f"the name of piece `{piece.name}`", piece.span, file=puzzle.title)
        names.append(name)
    report.stop_on_errors()
    listed = [by_rows(piece.cells) for piece in puzzle.pieces]
    digits = all(coordinate < 10 for cells in listed for cell in cells for coordinate in cell)

    def text() -> Iterator[str]:
        yield f"# The board is {sizes}.\n"
        for name, cells in zip(names, listed, strict=True):
            yield f"{name}: {' '.join(_cell(cell, digits) for cell in cells)}\n"

    return text()


def _cell(cell: Cell, digits: bool) -> str:
    return "".join(map(str, cell)) if digits else written(cell)


#: Pieces of more cells are not examined for mistakes.
MAX_CELLS_EXAMINED = 1000

LATTICES = {2: "square", 3: "cubic"}


def read_cells(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle with the pieces of a text on a separate board: the format has no board.

    Cells of two coordinates are on the lattice square, or flat in a solid board. Cells of three coordinates are on the
    lattice cubic. A piece without a name is named by its number, from 0. A piece that is not connected gets a warning
    (PZ269). Raises PuzzleError for invalid lists.
    """
    pieces = _PiecesByName(source, report)
    for statement in statements(source):
        pieces.read(statement)
    if not pieces.shapes and not report.errors:
        raise fail("PZ309", "missing pieces", source.end)
    report.stop_on_errors()
    look_for_gaps(pieces.shapes, report)
    dimension = max(len(location.at) for location in given.board) if given.board else 2
    dimension = max(dimension, len(next(iter(pieces.shapes.values()))[0][0]))
    lattice = find_lattice(LATTICES[dimension])
    turns = lattice.turns(lattice.freedom)
    return Puzzle(
        PurePath(source.name).stem,
        lattice,
        given.board,
        tuple(
            Piece(name, tuple(_solid(cell, dimension) for cell in cells), (None,) * len(cells), turns, span=span)
            for name, (cells, span) in pieces.shapes.items()
        ),
    )


def read_universe(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    """Return the puzzle whose board is the first list of cells, and whose pieces are the others, never rotated.

    Each piece may be used any number of times. A piece that is a translation of another one is left out with a warning
    (PZ230). Raises PuzzleError for invalid lists.
    """
    lists = _PiecesByName(source, report)
    for statement in statements(source):
        lists.read(statement)
    report.stop_on_errors()
    if len(lists.shapes) < 2:
        raise fail("PZ309", "expected a board and pieces: the first line is the board", source.end)
    (board, whole), *others = lists.shapes.values()
    names = list(lists.shapes)[1:]
    lattice = find_lattice(LATTICES[len(board[0])])
    pieces: dict[frozenset[Cell], Piece] = {}
    for name, (cells, span) in zip(names, others, strict=True):
        low = [min(axis) for axis in zip(*cells, strict=True)]
        form = frozenset(tuple([a - b for a, b in zip(cell, low, strict=True)]) for cell in cells)
        if form in pieces:
            report.add("PZ230", f"ignoring `{name}`: it is a translation of `{pieces[form].name}`", span)
            continue
        turns = lattice.turns(Freedom.FIXED)
        pieces[form] = Piece(name, cells, (None,) * len(cells), turns, low=0, high=ANY, span=span)
    look_for_gaps({piece.name: (piece.cells, piece.span) for piece in pieces.values() if piece.span}, report)
    locations = tuple(Location(cell, span=whole) for cell in board)
    return Puzzle(PurePath(source.name).stem, lattice, locations, tuple(pieces.values()))


def look_for_gaps(pieces: dict[str, tuple[tuple[Cell, ...], Span]], report: Report) -> None:
    """Warn once about pieces with cells that do not even touch the others at a corner, as after a mistake."""
    short = {name: cells for name, (cells, _) in pieces.items() if len(cells) <= MAX_CELLS_EXAMINED}
    apart = {name: cell for name, cells in short.items() if (cell := _cell_apart(cells)) is not None}
    if not apart:
        return
    name, cell = next(iter(apart.items()))
    others = list(apart)[1:]
    some = ", ".join(f"`{other}`" for other in others[:8]) + (", ..." if len(others) > 8 else "")
    report.add(
        "PZ269",
        f"piece `{name}` is not connected",
        pieces[name][1],
        note=(f"its cell {','.join(map(str, cell))} and its first cell are in different parts",)
        + ((f"these pieces are not connected either: {some}",) if others else ()),
    )


def _cell_apart(cells: tuple[Cell, ...]) -> Cell | None:
    """Return the first cell without a path from the first one by steps to neighbours, corners included."""
    left = set(cells[1:])
    steps = list(product((-1, 0, 1), repeat=len(cells[0])))
    reached = [cells[0]]
    for cell in reached:
        for step in steps if left else ():
            beside = tuple(map(add, cell, step))
            if beside in left:
                left.remove(beside)
                reached.append(beside)
    return next((cell for cell in cells if cell in left), None)


def _solid(cell: Cell, dimension: int) -> Cell:
    return (*cell, *(0,) * (dimension - len(cell)))


class _PiecesByName:
    """The pieces of a text by name."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source, self.report = source, report
        self.lists = CellLists(source, report)
        self.shapes: dict[str, tuple[tuple[Cell, ...], Span]] = {}
        self.count = 0

    def read(self, statement: NestedStatement) -> None:
        items, name = statement.items, statement.name
        first, *others = items
        if others and isinstance(first, NestedWord) and not first.is_number and not self.lists.depth(first):
            inner = others[0]
            if isinstance(inner, BracketGroup) and len(others) == len(inner.items) == 1 and inner.start == first.end:
                items = inner.items  # `np.array([[0, 0, 0], [1, 0, 0]])`
            elif name is None or name.is_number:
                items, name = others, first  # `V 000 100`, as in tables: the first column is a name
        depths = {self.lists.depth(item) for item in items}
        if 0 in depths or len(depths) > 1 or max(depths) > PIECES:
            self._refuse(items)
        elif depths == {CELL}:
            self._piece(name, items)
        elif depths == {PIECE}:
            self._list(items, {0: name} if name and len(items) == 1 else {})
        else:
            for item in items:
                assert isinstance(item, BracketGroup)
                self._list(item.items, item.keys)

    def _list(self, items: list[Item], names: dict[int, NestedWord]) -> None:
        for number, item in enumerate(items):
            assert isinstance(item, BracketGroup)
            self._piece(names.get(number), item.items, item)

    def _piece(self, name: NestedWord | None, items: list[Item], whole: Item | None = None) -> None:
        called = name.text if name and name.text.strip() else str(self.count)
        self.count += 1
        if name:
            span = self.source.span(name.start, name.end)
        else:
            span = self.source.span(*(whole.start, whole.end) if whole else (items[0].start, items[-1].end))
        cells = self.lists.cells(items)
        if called in self.shapes:
            refuse_second(called, span, self.shapes[called][1], self.report)
        elif cells:
            self.shapes[called] = (cells, span)

    def _refuse(self, items: list[Item]) -> None:
        """Report a statement that is not a list of cells, at the smallest part with an error."""
        bad = next((item for item in items if not 0 < self.lists.depth(item) <= PIECES), None)
        while isinstance(bad, BracketGroup) and bad.items:
            inner = next((item for item in bad.items if self.lists.depth(item) == 0), None)
            if inner is None or all(isinstance(item, NestedWord) and item.is_number for item in bad.items):
                break
            bad = inner
        if bad is None:
            span = self.source.span(items[0].start, items[-1].end)
            self.report.add("PZ291", "cells and lists of cells are mixed", span)
            return
        span = self.source.span(bad.start, bad.end)
        if isinstance(bad, NestedWord):
            digit = bad.is_number
            self.report.add(
                "PZ292" if digit else "PZ291",
                f"invalid cell `{bad.text[:40]}`",
                span,
                note="a cell is written `000` or `(0,0,0)`",
                help=("join the digits of a cell, or write commas between its coordinates",) if digit else (),
            )
        elif isinstance(bad, BracketGroup) and not bad.items:
            self.report.add("PZ291", "missing cells in this list", span)
        else:
            self.report.add("PZ291", "expected lists of cells, pieces or lists of pieces, found another nesting", span)


#: After a first cell in brackets: another bracket, perhaps with a name before it.
_NEXT = r"(?=[\])}\s,;]*+(?:[\"']?\w[\w .-]{0,40}[\"']?\s*[:=]\s*)?[\[({])"

#: Comments, then ``V: 000 100 010`` (one of these words begins with 0), or the first cells in brackets.
_BEGINNING = (
    r"(?:\s++|#[^\n]*+\n|//[^\n]*+\n)*+"
    r"(?:(?:[\"']?\w[\w .-]{0,40}[\"']?\s*[:=]\s*)?"
    r"(?:(?=[0-9 \t]*\b0)[0-9]{3}(?:[ \t]+[0-9]{3})+[ \t]*(?:[;\n]|\Z)"
    r"|[\[({][\[({\s]*-?[0-9]+\s*,\s*-?[0-9]+\s*,\s*-?[0-9]+\s*[])}]"
    rf"{_NEXT})"
    r"|(?:[\"']?\w[\w .-]{0,40}[\"']?\s*:\s*)?"
    r"(?:(?=[0-9 \t]*\b0)[0-9]{2}(?:[ \t]+[0-9]{2}){2,}[ \t]*(?:[;\n]|\Z)"
    r"|[\[({][\[({\s]*-?[0-9]+\s*,\s*-?[0-9]+\s*[])}]"
    rf"{_NEXT}))"
)

FORMAT = Format(
    "cells",
    (".cells",),
    "lists of cells: pieces only",
    read=read_cells,
    write=write_cells,
    recognise=(Sign(120, _BEGINNING),),
    aliases=("polycubes", "coordinates", "python", "list", "lists"),
    place=120,
    traits=("pieces only", "solid"),
)
