"""A board of ``x`` and ``.`` for the twelve pentominoes."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlec.diagnostics import Report
from puzzlec.formats.board import LETTERS, pentominoes
from puzzlec.formats.plain_pieces import at_origin, refuse_beyond
from puzzlec.formats.write_options import Choices
from puzzlec.geometry import Cell, Lattice
from puzzlec.ir import Piece, Puzzle
from puzzlec.lower import aspects

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
