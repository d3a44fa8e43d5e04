"""Errors of formats that hold only plain pieces, and the board that their readers get separately."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from puzzlec.diagnostics import Report
from puzzlec.formats.compact import COPIES, lattice_span, with_turns
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Matrix, at_origin
from puzzlec.ir import Piece, Puzzle
from puzzlec.lower import orientations


def refuse_beyond(puzzle: Puzzle, report: Report, words: str, lattices: tuple[str, ...]) -> Lattice:
    """Report everything that a format of plain pieces, named ``words``, does not support (PZ501); return the lattice.

    A format of this kind has pieces of plain cells, one copy of each, no optional locations and no rules. Raises
    PuzzleError at once for a lattice that the format does not support.
    """
    if puzzle.lattice is None or puzzle.lattice.name not in lattices:
        name = f"the lattice `{puzzle.lattice.name}`" if puzzle.lattice else "puzzles without a lattice"
        report.add(
            "PZ501",
            f"{words} does not support {name}",
            lattice_span(puzzle),
            note=f"its lattices are {', '.join(lattices)}" if len(lattices) > 1 else f"its lattice is {lattices[0]}",
            help="convert to `puzzle`",
            file=puzzle.title,
        )
        report.stop_on_errors()
    assert puzzle.lattice is not None
    if puzzle.wraps:
        report.add("PZ501", f"{words} does not support wrap-around boards", puzzle.span, file=puzzle.title)
    for piece in puzzle.pieces:
        if piece.covers is not None:
            report.add("PZ501", f"{words} does not support the listed placements of piece `{piece.name}`", piece.span)
        if piece.sides:
            report.add("PZ501", f"{words} does not support the sides of piece `{piece.name}`", piece.span)
        if (piece.low, piece.high) != (1, 1):
            report.add("PZ501", f"{words} does not support the copies of piece `{piece.name}`", piece.span, help=COPIES)
    if any(location.optional for location in puzzle.locations):
        report.add("PZ501", f"{words} does not support optional locations", puzzle.span, file=puzzle.title)
    for rule in puzzle.rules:
        report.add("PZ501", f"{words} does not support rules such as `{rule.kind.value}`", rule.span)
    coloured = [piece.name for piece in puzzle.pieces if any(piece.colours)]
    if coloured or any(location.colour for location in puzzle.locations):
        report.add("PZ501", f"{words} does not support colours", puzzle.span, file=puzzle.title)
    if puzzle.crossing and puzzle.lattice.crossings:
        report.add("PZ501", f"{words} does not support crossing pieces", puzzle.span, file=puzzle.title)
    return puzzle.lattice


def refuse_other_turns(puzzle: Puzzle, lattice: Lattice, report: Report, words: str) -> None:
    """Report pieces that do not have the usual orientations of the lattice (free, one-sided in space)."""
    usual = lattice.turns(lattice.freedom)
    for piece in puzzle.pieces:
        if piece.covers is None and not turns_as(piece, usual, lattice):
            report.add(
                "PZ501",
                f"{words} does not support the orientations of piece `{piece.name}`",
                piece.span,
                note=f"all its pieces are {lattice.freedom.value}",
            )


def turns_as(piece: Piece, turns: tuple[Matrix, ...], lattice: Lattice) -> bool:
    """Whether a piece has the orientations that these rotations and reflections give."""
    if set(piece.turns) == set(turns):
        return True
    both = tuple(turn for turn in lattice.isometries if turn in {*turns, *piece.turns})
    numbers = {len(orientations(with_turns(piece, allowed), lattice)) for allowed in (piece.turns, turns, both)}
    return len(numbers) == 1


def box_sizes(puzzle: Puzzle, report: Report, words: str) -> str:
    """Return the board as ``--board`` takes it, such as ``10x6``; report a board that is not a full box (PZ501).

    The position of the box does not matter, because pieces can move anywhere.
    """
    places = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    sizes = [max(axis) - min(axis) + 1 for axis in zip(*places, strict=True)]
    if not places or prod(sizes) != len(places):
        report.add(
            "PZ501",
            f"{words} has no board, and this board is not a full box",
            puzzle.span,
            note="`--board` can only give the size of a box",
            help="convert to `puzzle` or `compact`",
            file=puzzle.title,
        )
    return "x".join(map(str, sizes))


def by_rows(cells: Iterable[Cell]) -> list[Cell]:
    """Return cells moved so that the least value of each coordinate is 0, row by row."""
    return sorted(at_origin(cells), key=lambda cell: cell[::-1])


def in_quotes(name: str) -> str | None:
    """Return a name in quotes that it does not contain; None if it contains both kinds or a line end."""
    sign = next((sign for sign in ("'", '"') if sign not in name), None)
    return None if sign is None or not name.isprintable() or not name.strip() or "\\" in name else f"{sign}{name}{sign}"
