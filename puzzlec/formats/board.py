"""Board text: rows of ``x`` and ``.``, to be filled with the twelve pentominoes (S is the one called N elsewhere)."""

from __future__ import annotations

import re
from pathlib import PurePath

import lark

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import find_library
from puzzlec.geometry.regions import LARGEST_REGION
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.parsing import parse
from puzzlec.language.read_options import Given

#: The letters of the pieces in this format, by their usual names.
LETTERS = {"N": "S"}


def read_board(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    """Return the pentomino puzzle on a board of text.

    Raises PuzzleError for characters other than ``x`` and ``.``, rows of different lengths, and a
    board without an ``x``.
    """
    # Blanks may stand at the end of a row only.
    strange = re.search(r"[^x.\s]|[^\S\n](?![^\S\n]*(?:\n|$))", source.text, re.ASCII)
    if strange:
        sign = strange.group()
        cell, outside = ("write `x` for a cell",), ("write `.` for what is outside",)
        raise fail(
            "PZ222",
            "unexpected space in a row" if sign.isspace() else f"unexpected character `{sign}`",
            source.span(strange.start()),
            note="a board has only `x` (a cell to fill) and `.` (outside)",
            help=cell if sign in "X#*" else outside if sign.isspace() or sign in "-_o0" else (),
        )
    if source.text.count("x") > LARGEST_REGION:
        raise fail("PZ321", "this board has more than a million cells", file=source.name)
    rows = [token for token in parse("board", source).children if isinstance(token, lark.Token) and token.type == "ROW"]
    for row in rows[1:]:
        if len(row) != len(rows[0]):
            report.add(
                "PZ221",
                f"this row has {len(row)} character{'s' * (len(row) != 1)}, the first row has {len(rows[0])}",
                source.span(row.start_pos or 0, row.end_pos),
                help="write `.` for what is outside",
            )
    report.stop_on_errors()
    locations = tuple(
        Location((x, y), span=source.span((row.start_pos or 0) + x))
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign == "x"
    )
    if not locations:
        raise fail("PZ308", "this board has no `x`", source.end)
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
