"""Board text: rows of ``x`` and ``.``, to be filled with the twelve pentominoes (S is the one called N elsewhere)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

import lark

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.formats.plain_pieces import at_origin, refuse_beyond
from puzzlec.formats.record import Choices, Format, Sign
from puzzlec.geometry import Cell, Lattice, find_library
from puzzlec.geometry.regions import LARGEST_REGION
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.language.parsing import parse
from puzzlec.language.read_options import Given
from puzzlec.lower import aspects

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


WORDS = "the board text"

#: A board whose rows and columns make more signs than this is not written.
LARGEST = 100_000_000


def write_board(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return the board of a puzzle as rows of text, where its pieces are just the twelve pentominoes, free.

    Rows and columns are counted from the upper left location: a board that lies elsewhere has the same solutions,
    moved. Raises PuzzleError (PZ501) for all that the format cannot say.
    """
    report = Report()
    lattice = refuse_beyond(puzzle, report, WORDS, ("square",))
    report.stop_on_errors()
    _refuse_others(puzzle, lattice, report)
    places = {each.at for each in puzzle.locations if isinstance(each.at, tuple)}
    if not places:
        report.add("PZ501", f"{WORDS} cannot say a board without a location", puzzle.span, file=puzzle.title)
    report.stop_on_errors()
    (left, top), (right, bottom) = ([pick(axis) for axis in zip(*places, strict=True)] for pick in (min, max))
    if (right - left + 1) * (bottom - top + 1) > LARGEST:
        report.add(
            "PZ501", f"{WORDS} would be far too large for locations so far apart", puzzle.span, file=puzzle.title
        )
    report.stop_on_errors()
    return (
        "".join("x" if (x, y) in places else "." for x in range(left, right + 1)) + "\n" for y in range(top, bottom + 1)
    )


def _refuse_others(puzzle: Puzzle, lattice: Lattice, report: Report) -> None:
    """Report pieces that are no pentominoes called by their letters and free, and pentominoes that are missing."""
    wanted = {piece.name: _forms(piece, lattice) for piece in pentominoes()}
    left = dict(wanted)
    for piece in puzzle.pieces:
        own = _forms(piece, lattice)
        if own != left.pop(LETTERS.get(piece.name, piece.name), None):
            same = [name for name, forms in wanted.items() if own == forms]
            report.add(
                "PZ501",
                f"{WORDS} is for the twelve pentominoes, free; piece `{piece.name}` is none of them",
                piece.span,
                note=f"this pentomino is called `{same[0]}` there" if same else (),
                file=puzzle.title,
            )
    if left and not report.errors:
        missing = f"{WORDS} is for all twelve pentominoes; {' '.join(left)} missing here"
        report.add("PZ501", missing, puzzle.span, file=puzzle.title)


def _forms(piece: Piece, lattice: Lattice) -> set[frozenset[Cell]]:
    """Return the aspects of a piece, each moved to the origin: they tell its shape and its freedom."""
    return {frozenset(at_origin(tuple(point for point, _ in aspect))) for aspect in aspects(piece, lattice)}


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
