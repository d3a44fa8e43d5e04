"""Drawn texts. The format ``drawn`` has a drawing for each piece; other modules read texts with the letters of pieces.

In a drawing, a cell is one character. Spaces and ``.`` are empty cells. An empty line is between two drawings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from puzzlec.diagnostics import Report, Source, Span, counted
from puzzlec.diagnostics.error import fail
from puzzlec.diagnostics.source import lines
from puzzlec.formats.cells.pieces import look_for_gaps
from puzzlec.formats.plain import refuse_second
from puzzlec.formats.record import WEAK_RANK, Format, Sign
from puzzlec.geometry import Cell, Matrix, find_lattice
from puzzlec.geometry.lattice import turned
from puzzlec.geometry.regions import MAX_REGION_CELLS
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.language.given import Board, Given

#: A line that names the drawing after it, and lines outside of drawings.
_NAME = re.compile(r"\s*(\w[\w -]{0,40}):\s*")
_COMMENT = re.compile(r"\s*//|#+ The board is [0-9x]+\.")

#: A row in which one space follows each character, except the last.
_SPACED = re.compile(r"\S(?: \S)*")


class DrawingRow(NamedTuple):
    """A row of a drawing: its start in the text, and its characters without spaces at the end."""

    at: int
    text: str


class PieceDrawing(NamedTuple):
    """A drawing: its cells with their positions in the text, its character, its name (or None), and its position.

    The character of a drawing in colours is empty: the text at the position of a cell is its colour.
    """

    cells: dict[Cell, int]
    sign: str
    name: str | None
    span: Span


class RowBlock(NamedTuple):
    """Rows without an empty line between them, and the name of a line ``NAME:`` before them."""

    rows: list[DrawingRow]
    name: str | None


def blocks(text: str) -> list[RowBlock]:
    r"""Return the rows of each drawing of a text; comments begin with ``//``.

    >>> [(block.name, [row.text for row in block.rows]) for block in blocks("T:\nXXX\n X \n\n// a bar\nXXXX\n")]
    [('T', ['XXX', ' X']), (None, ['XXXX'])]
    """
    row_blocks: list[RowBlock] = []
    rows: list[DrawingRow] = []
    name: str | None = None
    for at, line in [*lines(text), (len(text), "")]:
        if _COMMENT.match(line):
            continue
        named = _NAME.fullmatch(line)
        if rows and (named or not line.strip()):
            row_blocks.append(RowBlock(rows, name))
            rows, name = [], None
        if named:
            name = named.group(1).strip()
        elif line.strip():
            rows.append(DrawingRow(at, line.rstrip()))
    return row_blocks


def signs_of(rows: Iterable[DrawingRow]) -> list[str]:
    """Return the characters of the cells of some rows, each once, in reading order.

    If the characters are ``0`` and ``1``, only ``1`` is a cell.
    """
    signs = dict.fromkeys(sign for row in rows for sign in row.text if sign not in " .")
    return ["1"] if set(signs) == {"0", "1"} else list(signs)


def is_spaced(rows: Iterable[DrawingRow]) -> bool:
    """Whether one space follows each character but the last in every row, so that spaces are not cells."""
    texts = [row.text.strip() for row in rows]
    return any(len(row) > 1 for row in texts) and all(_SPACED.fullmatch(row) for row in texts)


def cells_of(rows: Iterable[DrawingRow], signs: Collection[str], spaced: bool) -> Iterator[tuple[Cell, int]]:
    """Yield the cells with some characters, with their positions in the text."""
    step = 2 if spaced else 1
    for y, row in enumerate(rows):
        skip = len(row.text) - len(row.text.lstrip()) if spaced else 0
        for x in range(skip, len(row.text), step):
            if row.text[x] in signs:
                yield ((x - skip) // step, y), row.at + x


def drawings(source: Source, report: Report) -> list[PieceDrawing]:
    """Return the drawings of a text; report invalid ones (PZ224)."""
    every = blocks(source.text)
    rows = [row for block in every for row in block.rows]
    spaced = is_spaced(rows)
    binary = signs_of(rows) == ["1"]
    coloured = is_coloured(source)
    pieces = []
    for block in every:
        span = source.span(block.rows[0].at, block.rows[-1].at + len(block.rows[-1].text))
        signs = ["1"] if binary else signs_of(block.rows)
        if _has_tab(block, source, report):
            continue
        if len(signs) > 1 and not coloured:
            _report_mixed(block, signs, source, report)
            continue
        cells = dict(cells_of(block.rows, signs, spaced))
        if not cells:
            report.add("PZ224", "missing cells of this drawing", span, note="spaces and `.` are empty")
            continue
        pieces.append(PieceDrawing(cells, "" if coloured else signs[0], block.name, span))
    return pieces


def is_coloured(source: Source) -> bool:
    r"""Whether the characters in the drawings of a text are colours.

    Then a drawing has several letters or digits, and the largest drawing, the board, has as many cells of each of them
    as all others together.

    >>> is_coloured(Source("", "abba\nbaab\n\nab ba\nab ab\n")), is_coloured(Source("", "AB\nBB\n"))
    (True, False)
    """
    every = blocks(source.text)
    rows = [row for block in every for row in block.rows]
    number = Counter(sign for row in rows for sign in row.text if sign not in " .")
    if len(number) < 2 or set(number) == {"0", "1"} or not all(map(str.isalnum, number)):
        return False
    if any(cells % 2 for cells in number.values()) or all(len(signs_of(block.rows)) == 1 for block in every):
        return False
    spaced = is_spaced(rows)
    cells = [dict(cells_of(block.rows, number, spaced)) for block in every]
    board, _ = with_board([PieceDrawing(drawn, "", None, source.end) for drawn in cells], source)
    on_board = Counter(source.text[at] for at in board.cells.values()) if board else {}
    return all(2 * on_board.get(sign, 0) == cells for sign, cells in number.items())


def _has_tab(block: RowBlock, source: Source, report: Report) -> bool:
    for row in block.rows:
        if "\t" in row.text:
            place = source.span(row.at + row.text.index("\t"))
            report.add("PZ224", "unexpected tab in a drawing", place, help="write spaces")
            return True
    return False


def _report_mixed(block: RowBlock, signs: list[str], source: Source, report: Report) -> None:
    """Report a drawing with more than one character, at the first cell with another character."""
    row, x = next((row, x) for row in block.rows for x, sign in enumerate(row.text) if sign == signs[1])
    uniform = all(len(set(row.text) - set(" .")) == 1 for row in block.rows)
    report.add(
        "PZ224",
        f"unexpected `{signs[1]}` in a drawing of `{signs[0]}`",
        source.span(row.at + x),
        note="a drawing has one character for its cells; spaces and `.` are empty",
        help="write an empty line between two pieces" if uniform else "begin a comment with `//`",
    )


def board_in(source: Source) -> Board:
    """Return the locations of a board that is drawn in a separate file.

    Raises PuzzleError for a file without a drawing, or with several.
    """
    report = Report()
    boards = drawings(source, report)
    report.stop_on_errors()
    if len(boards) != 1:
        what = "missing drawing of a board" if not boards else "unexpected second drawing: a board is one drawing"
        raise fail("PZ224", what, boards[1].span if boards else source.end, help="write `.` in an empty row")
    if len(boards[0].cells) > MAX_REGION_CELLS:
        raise fail("PZ321", "the board is too large (limit 1,000,000 cells)", file=source.name)
    return tuple(Location(cell, span=source.span(at)) for cell, at in boards[0].cells.items())


def _parts(drawn: PieceDrawing, source: Source) -> list[PieceDrawing]:
    """Return the connected parts of a drawing in reading order.

    A drawing whose cells touch at least at corners is one part. Otherwise the cells of a part share sides.
    """
    if len(_connected(drawn.cells, corners=True)) == 1:
        return [drawn]
    parts = _connected(drawn.cells, corners=False)
    return [drawn._replace(cells=cells, name=None, span=source.span(min(cells.values()))) for cells in parts]


def _connected(cells: dict[Cell, int], corners: bool) -> list[dict[Cell, int]]:
    """Return the connected parts of some cells."""
    left = dict(cells)
    steps = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if corners or not dx or not dy]
    parts = []
    while left:
        reached = [next(iter(left))]
        part = {reached[0]: left.pop(reached[0])}
        for x, y in reached:  # grows
            new = [cell for cell in ((x + dx, y + dy) for dx, dy in steps) if cell in left]
            part |= {cell: left.pop(cell) for cell in new}
            reached += new
        parts.append(part)
    return parts


def divided(drawings: list[PieceDrawing], source: Source) -> tuple[PieceDrawing | None, list[PieceDrawing]]:
    """Return the largest connected part of some drawings, and the other parts; None if several parts are largest."""
    parts = [part for drawn in drawings for part in _parts(drawn, source)]
    size = max([len(part.cells) for part in parts], default=0)
    largest = [part for part in parts if len(part.cells) == size]
    return (largest[0], [part for part in parts if part is not largest[0]]) if len(largest) == 1 else (None, parts)


def with_board(drawings: list[PieceDrawing], source: Source) -> tuple[PieceDrawing | None, list[PieceDrawing]]:
    """Return the drawing of the board, and those of the pieces; (None, the same drawings) if there is no board.

    The board is the connected part that has as many cells as all other parts together, at least two of them. Then each
    part is a piece, also if several parts are side by side.
    """
    largest, others = divided(drawings, source)
    if largest is None or len(others) < 2 or len(largest.cells) != sum(len(part.cells) for part in others):
        return None, drawings
    return largest, others


def largest_in(source: Source) -> Board:
    """Return the locations of the largest drawing of a text; raise PuzzleError if several are largest."""
    report = Report()
    every = drawings(source, report)
    report.stop_on_errors()
    largest, others = divided(every, source)
    if largest is None:
        size = counted(max([len(part.cells) for part in others], default=0), "cell")
        raise fail(
            "PZ252",
            f"unknown largest drawing: several have {size}",
            file=source.name,
            help="give the board with `--board`, such as `--board 10x6`",
        )
    return _locations(largest, source)


def _locations(drawn: PieceDrawing, source: Source) -> Board:
    left, top = (min(axis) for axis in zip(*drawn.cells, strict=True))
    return tuple(
        Location((x - left, y - top), None if drawn.sign else source.text[at], span=source.span(at))
        for (x, y), at in sorted_rows(drawn.cells)
    )


def _drawn_board(drawn: PieceDrawing, given: Given, source: Source) -> Board:
    """Return the locations of the board in a text; raise PuzzleError if `--board` gives another one for its pieces."""
    if given.board:
        raise fail(
            "PZ252",
            "unexpected `--board`: the largest drawing is the board",
            drawn.span,
            note="it has as many cells as all other drawings together",
            help="leave out `--board`, or remove this drawing",
        )
    return _locations(drawn, source)


def sorted_rows(cells: dict[Cell, int]) -> list[tuple[Cell, int]]:
    """Return cells with their positions, row by row."""
    return sorted(cells.items(), key=lambda entry: entry[0][::-1])


def read_drawn(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle with the drawn pieces of a text on a separate board, or on the largest drawing.

    A line ``NAME:`` before a drawing names the piece. Otherwise its character is the name if the characters of all
    pieces are different letters, and else its number from 1. Equal pieces without a name are copies. Raises PuzzleError
    for invalid drawings (PZ224).
    """
    shapes = drawings(source, report)
    if not shapes and not report.errors:
        raise fail("PZ309", "missing drawing", source.end)
    report.stop_on_errors()
    board = given.board
    if board and board[0].span is not None and board[0].span.source is source:
        shapes = divided(shapes, source)[1]
    elif not board or 2 * len(board) == sum(len(drawn.cells) for drawn in shapes):
        whole, shapes = with_board(shapes, source)
        board = _drawn_board(whole, given, source) if whole else board
    solid = bool(given.board) and len(given.board[0].at) == 3
    lattice = find_lattice("cubic" if solid else "square")
    turns = lattice.turns(lattice.freedom)
    pieces: dict[str, Piece] = {}
    alike: dict[frozenset[Cell], str] = {}
    signs = [piece.sign for piece in shapes]
    lettered = len(shapes) > 1 and len(set(signs)) == len(signs) and all(map(str.isalpha, signs))
    for number, drawn in enumerate(shapes, 1):
        name = drawn.name or (drawn.sign if lettered else str(number))
        cells = tuple((*cell, 0) if solid else cell for cell in drawn.cells)
        colours = tuple(None if drawn.sign else source.text[at] for at in drawn.cells.values())
        unnamed = drawn.name is None and not lettered
        shape = least_image(cells, lattice.isometries, colours) if unnamed else frozenset()
        if shape in alike:
            first = pieces[alike[shape]]
            pieces[first.name] = Piece(
                first.name, first.cells, first.colours, turns, None, first.low + 1, first.high + 1, span=first.span
            )
        elif name in pieces:
            refuse_second(name, drawn.span, pieces[name].span, report)
        else:
            pieces[name] = Piece(name, cells, colours, turns, span=drawn.span)
            if shape:
                alike[shape] = name
    report.stop_on_errors()
    gaps = Report()
    look_for_gaps({piece.name: (piece.cells, piece.span) for piece in pieces.values() if piece.span}, gaps)
    for gap in gaps.diagnostics:
        help = "for several pieces, write an empty line between them, or draw the board with as many cells"
        report.append(replace(gap, helps=(help,)))
    on_board = PuzzleColours(tuple(dict.fromkeys(location.colour for location in board if location.colour)))
    return Puzzle(PurePath(source.name).stem, lattice, board, tuple(pieces.values()), on_board)


def least_image(
    cells: tuple[Cell, ...], turns: Sequence[Matrix], colours: Sequence[str | None] = ()
) -> frozenset[Cell]:
    """Return a form that a shape shares with its images under some rotations and reflections, and with no other.

    The characters of colours are one more coordinate.
    """
    codes = [(ord(colour),) if colour else () for colour in colours or [None] * len(cells)]
    images = []
    for turn in turns:
        image = [turned(turn, cell) for cell in cells]
        low = [min(axis) for axis in zip(*image, strict=True)]
        moved = [tuple(c - m for c, m in zip(cell, low, strict=True)) for cell in image]
        images.append(sorted(cell + sign for cell, sign in zip(moved, codes, strict=True)))
    return frozenset(min(images))


#: Characters, besides letters, in which drawings are recognised.
_SIGNS = "#*@+=%&$\u2588\u25a0\u25cf"

#: The longest line of a drawing that is recognised: other formats also have long lines of one character.
_MAX_LINE_CHARACTERS = 200


def is_drawn(source: Source) -> bool:
    r"""Whether each drawing of a text has one character, a letter or a sign such as ``#``, or all are in colours.

    Rows of ``x`` and ``.`` without a space or an empty line are a board.

    >>> is_drawn(Source("", "XX\n X\n\nXXX\n")), is_drawn(Source("", "xx.\nxxx\n")), is_drawn(Source("", "AB\nBB\n"))
    (True, False, False)
    """
    if len(source.text.split("\n", 1)[0]) > _MAX_LINE_CHARACTERS:
        return False
    row_blocks = blocks(source.text)
    signs = [signs_of(block.rows) for block in row_blocks]
    board = len(row_blocks) == 1 and signs == [["x"]] and not any(" " in row.text for row in row_blocks[0].rows)
    has_signs = all(len(sign) == 1 and (sign[0].isalpha() or sign[0] in _SIGNS) for sign in signs)
    return bool(row_blocks) and not board and (has_signs or is_coloured(source))


FORMAT = Format(
    "drawn",
    (".drawn", ".poly"),
    "drawn pieces, with a board or without",
    read=read_drawn,
    recognise=(Sign(WEAK_RANK + 30, is_drawn),),
    aliases=("drawing", "drawings", "poly"),
    place=180,
    traits=("pieces only", "solid"),
)
