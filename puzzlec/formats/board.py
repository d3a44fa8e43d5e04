"""Board text: rows of ``x`` and ``.``, to fill with the twelve pentominoes (S is the piece that others name N)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

import lark

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.formats.plain import Unsupported, plain_report
from puzzlec.formats.record import Format, Sign, WriterChoices
from puzzlec.geometry import Cell, Lattice, find_library
from puzzlec.geometry.lattice import at_origin
from puzzlec.geometry.regions import MAX_REGION_CELLS
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.ir.puzzle import cells_of
from puzzlec.language.given import Given
from puzzlec.language.parsing import parse
from puzzlec.lower import orientations

#: Letters of pieces that other sources name differently.
LETTERS = {"N": "S"}


def read_board(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    """Return the pentomino puzzle on a board of text.

    Raises PuzzleError for characters other than ``x`` and ``.``, for rows of different lengths, and for a board
    without an ``x``.
    """
    # Spaces are allowed only at the end of a row.
    strange = re.search(r"[^x.\s]|[^\S\n](?![^\S\n]*(?:\n|$))", source.text, re.ASCII)
    if strange:
        sign = strange.group()
        cell, outside = ("write `x` for a cell",), ("write `.` for a cell outside the board",)
        raise fail(
            "PZ222",
            "unexpected space in a row" if sign.isspace() else f"unexpected character `{sign}`",
            source.span(strange.start()),
            note="a board has only `x` (a cell to fill) and `.` (outside)",
            help=cell if sign in "X#*" else outside if sign.isspace() or sign in "-_o0" else (),
        )
    if source.text.count("x") > MAX_REGION_CELLS:
        raise fail("PZ321", "the board is too large (limit 1,000,000 cells)", file=source.name)
    rows = [token for token in parse("board", source).children if isinstance(token, lark.Token) and token.type == "ROW"]
    for row in rows[1:]:
        if len(row) != len(rows[0]):
            report.add(
                "PZ221",
                f"expected {len(rows[0])} character{'s' * (len(rows[0]) != 1)} in this row, found {len(row)}",
                source.span(row.start_pos or 0, row.end_pos),
                help="write `.` for a cell outside the board",
            )
    report.stop_on_errors()
    locations = tuple(
        Location((x, y), span=source.span((row.start_pos or 0) + x))
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign == "x"
    )
    if not locations:
        is_sudoku = len(rows) == 1 and len(rows[0]) in (81, 256)
        help = "add `--from sudoku`" if is_sudoku else ()
        raise fail("PZ308", "missing `x`: the board has no cell to fill", source.end, help=help)
    whole = source.span(rows[0].start_pos or 0, rows[-1].end_pos)
    return Puzzle(PurePath(source.name).stem, find_library("pentominoes").lattice, locations, pentominoes(), span=whole)


def pentominoes() -> tuple[Piece, ...]:
    """Return the twelve pentominoes with the letters of this format."""
    shapes = find_library("pentominoes")
    turns = shapes.lattice.turns(shapes.freedom)
    return tuple(
        Piece(LETTERS.get(name, name), shape.cells, (None,) * len(shape.cells), turns)
        for name, shape in shapes.shapes.items()
    )


#: Largest board that is written: rows times columns.
MAX_BOARD_CELLS = 100_000_000


def write_board(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Return the board of a puzzle as rows of text.

    The pieces must be the twelve free pentominoes. Rows and columns count from the upper left location, so a board that
    lies elsewhere is moved and keeps its solutions. Raises PuzzleError (PZ501) for everything that the format does not
    support.
    """
    lattice, report = plain_report(puzzle, "the board text", ("square",))
    report.stop_on_errors()
    _refuse_others(puzzle, lattice, report)
    places = set(cells_of(puzzle))
    if not places:
        report.add("PZ501", f"{report.words} needs at least one location", puzzle.span, file=puzzle.title)
    report.stop_on_errors()
    (left, top), (right, bottom) = ([pick(axis) for axis in zip(*places, strict=True)] for pick in (min, max))
    if (right - left + 1) * (bottom - top + 1) > MAX_BOARD_CELLS:
        message = f"the board is too large for {report.words} (limit {MAX_BOARD_CELLS:,} cells)"
        report.add("PZ501", message, puzzle.span, file=puzzle.title)
    report.stop_on_errors()
    return (
        "".join("x" if (x, y) in places else "." for x in range(left, right + 1)) + "\n" for y in range(top, bottom + 1)
    )


def _refuse_others(puzzle: Puzzle, lattice: Lattice, report: Unsupported) -> None:
    """Report pieces that are not free pentominoes with their usual letters, and pentominoes that are missing."""
    pentomino_forms = {piece.name: _forms(piece, lattice) for piece in pentominoes()}
    left = dict(pentomino_forms)
    for piece in puzzle.pieces:
        piece_forms = _forms(piece, lattice)
        if piece_forms != left.pop(LETTERS.get(piece.name, piece.name), None):
            same = [name for name, forms in pentomino_forms.items() if piece_forms == forms]
            report.add(
                "PZ501",
                f"{report.words} supports only the twelve free pentominoes, found piece `{piece.name}`",
                piece.span,
                note=f"{report.words} names this pentomino `{same[0]}`" if same else (),
                file=puzzle.title,
            )
    if left and not report.errors:
        missing = f"missing {', '.join(f'`{name}`' for name in left)}: {report.words} needs all twelve pentominoes"
        report.add("PZ501", missing, puzzle.span, file=puzzle.title)


def _forms(piece: Piece, lattice: Lattice) -> set[frozenset[Cell]]:
    """Return the orientations of a piece, each moved to the origin: they decide its shape and its freedom."""
    return {at_origin(point for point, _ in orientation) for orientation in orientations(piece, lattice)}


FORMAT = Format(
    "board",
    (".board",),
    "a board of x and . for pentominoes",
    read=read_board,
    write=write_board,
    recognise=(Sign(70, r"(?:[x.]*+[^\S\n]*+\n)*+[x.]*+\s*+\Z"),),
    aliases=("pentominoes",),
    place=40,
    traits=("like a drawing",),
)
