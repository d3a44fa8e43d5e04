"""Drawn pieces: a drawing for each, with an empty line between two."""

from __future__ import annotations

from pathlib import PurePath

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.formats.cells import look_for_gaps
from puzzlec.formats.drawn import blocks, drawings, signs_of
from puzzlec.formats.record import WEAK, Format, Sign, refuse_second
from puzzlec.geometry import Cell, Lattice, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Piece, Puzzle
from puzzlec.language import Given


def read_drawn(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle with the drawn pieces of a text on a separate board.

    A line ``NAME:`` before a drawing names the piece. Otherwise its character is the name if the characters of all
    pieces are different letters, and else its number from 1. Equal pieces without a name are copies. Raises PuzzleError
    for invalid drawings (PZ224).
    """
    found = drawings(source, report)
    if not found and not report.errors:
        raise fail("PZ309", "missing drawing", source.end)
    solid = bool(given.board) and len(given.board[0].at) == 3
    lattice = find_lattice("cubic" if solid else "square")
    turns = lattice.turns(lattice.freedom)
    pieces: dict[str, Piece] = {}
    alike: dict[frozenset[Cell], str] = {}
    signs = [piece.sign for piece in found]
    lettered = len(found) > 1 and len(set(signs)) == len(signs) and all(map(str.isalpha, signs))
    for number, drawn in enumerate(found, 1):
        name = drawn.name or (drawn.sign if lettered else str(number))
        cells = tuple((*cell, 0) if solid else cell for cell in drawn.cells)
        shape = least_image(cells, lattice) if drawn.name is None and not lettered else frozenset()
        if shape in alike:
            first = pieces[alike[shape]]
            pieces[first.name] = Piece(
                first.name, first.cells, first.colours, turns, None, first.low + 1, first.high + 1, span=first.span
            )
        elif name in pieces:
            refuse_second(name, drawn.span, pieces[name].span, report)
        else:
            pieces[name] = Piece(name, cells, (None,) * len(cells), turns, span=drawn.span)
            if shape:
                alike[shape] = name
    report.stop_on_errors()
    look_for_gaps({piece.name: (piece.cells, piece.span) for piece in pieces.values() if piece.span}, report)
    return Puzzle(PurePath(source.name).stem, lattice, given.board, tuple(pieces.values()))


def least_image(cells: tuple[Cell, ...], lattice: Lattice) -> frozenset[Cell]:
    """Return a form that all rotations and reflections of a shape share, and no other shape has."""
    images = []
    for turn in lattice.isometries:
        image = [turned(turn, cell) for cell in cells]
        low = [min(axis) for axis in zip(*image, strict=True)]
        images.append(sorted(tuple(c - m for c, m in zip(cell, low, strict=True)) for cell in image))
    return frozenset(min(images))


#: Characters, besides letters, in which drawings are recognised.
_SIGNS = "#*@+%&$\u2588\u25a0\u25cf"

#: The longest line of a drawing that is recognised: other formats also have long lines of one character.
_LONGEST = 200


def is_drawn(source: Source) -> bool:
    r"""Whether each drawing of a text has one character, a letter or a sign such as ``#``.

    Rows of ``x`` and ``.`` without a space or an empty line are a board.

    >>> is_drawn(Source("", "XX\n X\n\nXXX\n")), is_drawn(Source("", "xx.\nxxx\n")), is_drawn(Source("", "AB\nBB\n"))
    (True, False, False)
    """
    if len(source.text.split("\n", 1)[0]) > _LONGEST:
        return False
    found = blocks(source.text)
    signs = [signs_of(block.rows) for block in found]
    board = len(found) == 1 and signs == [["x"]] and not any(" " in row.text for row in found[0].rows)
    known = all(len(sign) == 1 and (sign[0].isalpha() or sign[0] in _SIGNS) for sign in signs)
    return bool(found) and not board and known


FORMAT = Format(
    "drawn",
    (".drawn", ".poly"),
    "drawn pieces: pieces only",
    read=read_drawn,
    recognise=(Sign(WEAK + 30, is_drawn),),
    aliases=("drawing", "drawings", "poly"),
    place=180,
    traits=("pieces only", "solid"),
)
