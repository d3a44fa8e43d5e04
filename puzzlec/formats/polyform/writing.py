"""Pieces as a table for Polyform Puzzler; the board is told in a comment."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.diagnostics import Report
from puzzlec.formats.plain_pieces import box_sizes, in_quotes, refuse_beyond, turns_as
from puzzlec.formats.polyform.families import FAMILIES, Family, located
from puzzlec.formats.write_options import Choices
from puzzlec.geometry import Lattice
from puzzlec.geometry.lattice import Freedom
from puzzlec.ir import Location, Piece, Puzzle

WORDS = "a table of Polyform Puzzler"

#: How a piece may be turned, as the options of its entry.
_OPTIONS = {
    Freedom.FREE: "{}",
    Freedom.ONE_SIDED: "{'flips': None}",
    Freedom.FIXED: "{'flips': None, 'rotations': None}",
}


def write_polyform(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return the pieces of a puzzle as a class with ``piece_data``; all cells are listed, ``implied_0`` is false.

    The board must be a full box of columns and rows (and layers), which a comment tells. Raises PuzzleError (PZ501) for
    all that the format cannot say.
    """
    report = Report()
    lattice = refuse_beyond(puzzle, report, WORDS, tuple(each.lattice for each in FAMILIES))
    family = next(each for each in FAMILIES if each.lattice == lattice.name)
    sizes = _sizes(puzzle, family, report)
    entries = []
    for piece in puzzle.pieces:
        name, options = in_quotes(piece.name), _options(piece, lattice) if piece.covers is None else "{}"
        if name is None:
            report.add("PZ501", f"{WORDS} cannot hold the name of piece `{piece.name}`", piece.span, file=puzzle.title)
        if options is None:
            report.add("PZ501", f"{WORDS} cannot say how piece `{piece.name}` may be turned", piece.span)
        cells = ", ".join(f"({','.join(map(str, family.original(cell)))})" for cell in piece.cells)
        entries.append(f"        {name}: (({cells},), {options}),\n")
    report.stop_on_errors()

    def text() -> Iterator[str]:
        yield f"# The board is {sizes}.\nclass Pieces({family.base}):\n\n    implied_0 = False\n\n    piece_data = {{\n"
        yield from entries
        yield "    }\n"

    return text()


def _options(piece: Piece, lattice: Lattice) -> str | None:
    """Return the options of a piece's entry, None where they cannot say how it is turned."""
    usual = lattice.freedom
    for freedom in (usual, Freedom.ONE_SIDED, Freedom.FIXED):
        if turns_as(piece, lattice.turns(freedom), lattice):
            return "{}" if freedom is usual else _OPTIONS[freedom]
    return None


def _sizes(puzzle: Puzzle, family: Family, report: Report) -> str:
    """Return the board as ``--board`` takes it, reported where it is none."""
    if not family.moves:
        return box_sizes(puzzle, report, WORDS)
    places = [each.at for each in puzzle.locations if isinstance(each.at, tuple)]
    if places and family.lattice in ("triangle", "sticks"):
        # The rows and columns of the box that would be given, from its first place on.
        x, y = (min(axis) for axis in list(zip(*places, strict=True))[:2])
        right, bottom = (max(axis) for axis in list(zip(*places, strict=True))[:2])
        columns, rows = right - x + (family.lattice == "triangle"), bottom - y + (family.lattice == "triangle")
        if columns > 0 and rows > 0 and columns * rows <= len(places):
            given = tuple(Location((a, b)) for b in range(rows) for a in range(columns))
            _, board = located(family, given)
            moved = {(each.at[0] + x, each.at[1] + y, each.at[2]) for each in board if isinstance(each.at, tuple)}
            if moved == set(places):
                return f"{columns}x{rows}"
    report.add(
        "PZ501",
        f"{WORDS} holds no board, and this one is no full box of columns and rows",
        puzzle.span,
        help="convert to `puzzle`",
        file=puzzle.title,
    )
    return ""
