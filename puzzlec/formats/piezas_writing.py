"""Flat pieces as PIEZAS XML; the board is told in a comment."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from puzzlec.diagnostics import Report
from puzzlec.formats.plain_pieces import at_origin, box_sizes, refuse_beyond, refuse_other_turns
from puzzlec.formats.write_options import Choices
from puzzlec.ir import Piece, Puzzle

WORDS = "PIEZAS XML"


def write_piezas(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return the pieces of a puzzle as XML; the board must be a full box, whose sizes stand in a comment.

    Raises PuzzleError (PZ501) for all that the format cannot say, and for names that XML cannot hold.
    """
    report = Report()
    lattice = refuse_beyond(puzzle, report, WORDS, ("square",))
    refuse_other_turns(puzzle, lattice, report, WORDS)
    sizes = box_sizes(puzzle, report, WORDS)
    for piece in puzzle.pieces:
        if piece.name != piece.name.strip() or not piece.name.isprintable() or not piece.name:
            report.add("PZ501", f"{WORDS} cannot hold the name of piece `{piece.name}`", piece.span, file=puzzle.title)
        if piece.covers is None and max(map(max, at_origin(piece.cells))) > 999:
            report.add("PZ501", f"{WORDS} would be far too large for piece `{piece.name}`", piece.span)
    report.stop_on_errors()
    return _text(puzzle, sizes)


def _text(puzzle: Puzzle, sizes: str) -> Iterator[str]:
    yield f"<!-- The board is {sizes}. -->\n<PIEZAS>\n"
    for piece in puzzle.pieces:
        yield _piece(piece)
    yield "</PIEZAS>\n"


def _piece(piece: Piece) -> str:
    cells = at_origin(piece.cells)
    width, height = (max(axis) + 1 for axis in zip(*cells, strict=True))
    content = "".join("1" if (x, y) in cells else "0" for y in range(height) for x in range(width))
    name = quoteattr(piece.name, {'"': "&quot;"})
    return f'  <PIEZA Nombre={name} Ancho="{width}" Alto="{height}" Contenido="{content}"/>\n'
