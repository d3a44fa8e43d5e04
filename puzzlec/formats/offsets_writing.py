"""Flat pieces as offset shape arrays, each orientation listed; the board is told in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics import Report
from puzzlec.formats.plain_pieces import box_sizes, refuse_beyond
from puzzlec.formats.write_options import Choices
from puzzlec.geometry import Lattice
from puzzlec.ir import Piece, Puzzle
from puzzlec.lower import aspects
from puzzlec.lower.labels import different

WORDS = "an offset shape array"

#: Words of a declaration, which are no names.
_TAKEN = {"public", "private", "protected", "static", "final", "const", "int"}


def write_offsets(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return the pieces of a puzzle as arrays; the board must be a full box, whose sizes stand in a comment.

    Names become identifiers: ``0`` is ``_0``. The origin of an orientation is its first cell, row by row. Raises
    PuzzleError (PZ501) for all that the format cannot say.
    """
    report = Report()
    lattice = refuse_beyond(puzzle, report, WORDS, ("square",))
    sizes = box_sizes(puzzle, report, WORDS)
    report.stop_on_errors()
    names = different((_identifier(piece.name) for piece in puzzle.pieces), "_")
    return _text(puzzle, sizes, list(names), lattice)


def _text(puzzle: Puzzle, sizes: str, names: list[str], lattice: Lattice) -> Iterator[str]:
    yield f"// The board is {sizes}.\n"
    for name, piece in zip(names, puzzle.pieces, strict=True):
        yield f"int[][] {name} = {{\n" + ",\n".join(_orientations(piece, lattice)) + "\n};\n"


def _identifier(name: str) -> str:
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    return word if re.match("[A-Za-z_]", word) and word not in _TAKEN else f"_{word}"


def _orientations(piece: Piece, lattice: Lattice) -> Iterator[str]:
    forms = set()
    for aspect in aspects(piece, lattice):
        cells = sorted((point for point, _ in aspect), key=lambda point: point[::-1])
        forms.add(tuple(tuple(c - o for c, o in zip(cell, cells[0], strict=True)) for cell in cells[1:]))
    for form in sorted(forms):
        yield "  {" + ",".join(str(offset) for cell in form for offset in cell) + "}"
