"""What formats of plain pieces cannot say, and the board that their readers are given apart."""

from __future__ import annotations

from math import prod

from puzzlec.diagnostics import Report
from puzzlec.formats.compact import COPIES, lattice_span
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Matrix
from puzzlec.ir import Piece, Puzzle
from puzzlec.lower import aspects


def refuse_beyond(puzzle: Puzzle, report: Report, words: str, lattices: tuple[str, ...]) -> Lattice:
    """Report what a format of plain pieces, called ``words``, cannot say (PZ501); return the lattice of the puzzle.

    It has pieces of plain cells, one copy of each, all locations must be filled, and there are no rules. Raises
    PuzzleError at once where the lattice is none of the format's.
    """
    if puzzle.lattice is None or puzzle.lattice.name not in lattices:
        name = f"the lattice `{puzzle.lattice.name}`" if puzzle.lattice else "puzzles without a lattice"
        report.add(
            "PZ501",
            f"{words} cannot say {name}",
            lattice_span(puzzle),
            note=f"its lattices are {', '.join(lattices)}" if len(lattices) > 1 else f"its lattice is {lattices[0]}",
            help="convert to `puzzle`",
            file=puzzle.title,
        )
        report.stop_on_errors()
    assert puzzle.lattice is not None
    if puzzle.wraps:
        report.add("PZ501", f"{words} cannot say that the board goes around", puzzle.span, file=puzzle.title)
    for piece in puzzle.pieces:
        if piece.covers is not None:
            report.add("PZ501", f"{words} has no listed placements, as piece `{piece.name}` has", piece.span)
        if piece.sides:
            report.add("PZ501", f"{words} has no edges, as piece `{piece.name}` has", piece.span)
        if (piece.low, piece.high) != (1, 1):
            report.add("PZ501", f"{words} has no copies, as piece `{piece.name}` has", piece.span, help=COPIES)
    if any(location.optional for location in puzzle.locations):
        report.add("PZ501", f"{words} has no optional locations", puzzle.span, file=puzzle.title)
    for rule in puzzle.rules:
        report.add("PZ501", f"{words} has no rules such as `{rule.kind.value}`", rule.span)
    coloured = [piece.name for piece in puzzle.pieces if any(piece.colours)]
    if coloured or any(location.colour for location in puzzle.locations):
        report.add("PZ501", f"{words} has no colours", puzzle.span, file=puzzle.title)
    if puzzle.crossing and puzzle.lattice.crossings:
        report.add("PZ501", f"{words} cannot say that pieces may cross", puzzle.span, file=puzzle.title)
    return puzzle.lattice


def refuse_other_turns(puzzle: Puzzle, lattice: Lattice, report: Report, words: str) -> None:
    """Report the pieces that may not be turned as is usual on the lattice (free, one-sided in space)."""
    usual = lattice.turns(lattice.freedom)
    for piece in puzzle.pieces:
        if piece.covers is None and not turns_as(piece, usual, lattice):
            report.add(
                "PZ501",
                f"{words} cannot say how piece `{piece.name}` may be turned",
                piece.span,
                note=f"all its pieces are {lattice.freedom.value}",
            )


def turns_as(piece: Piece, turns: tuple[Matrix, ...], lattice: Lattice) -> bool:
    """Whether a piece has the aspects that these turns would give it."""
    if set(piece.turns) == set(turns):
        return True
    both = tuple(turn for turn in lattice.isometries if turn in {*turns, *piece.turns})
    numbers = {len(aspects(_turned(piece, each), lattice)) for each in (piece.turns, turns, both)}
    return len(numbers) == 1


def _turned(piece: Piece, turns: tuple[Matrix, ...]) -> Piece:
    return Piece(piece.name, piece.cells, piece.colours, turns)


def box_sizes(puzzle: Puzzle, report: Report, words: str) -> str:
    """Return the board as ``--board`` takes it, such as ``10x6``; report one that is no full box (PZ501).

    Where the box lies does not matter: pieces are moved anywhere.
    """
    places = [each.at for each in puzzle.locations if isinstance(each.at, tuple)]
    sizes = [max(axis) - min(axis) + 1 for axis in zip(*places, strict=True)]
    if not places or prod(sizes) != len(places):
        report.add(
            "PZ501",
            f"{words} holds no board, and this one is no full box",
            puzzle.span,
            note="a box is given with `--board` when such a text is read",
            help="convert to `puzzle` or `compact`",
            file=puzzle.title,
        )
    return "x".join(map(str, sizes))


def at_origin(cells: tuple[Cell, ...]) -> list[Cell]:
    """Return cells moved so that the least of each coordinate is 0, row by row."""
    low = [min(axis) for axis in zip(*cells, strict=True)]
    moved = [tuple(c - m for c, m in zip(cell, low, strict=True)) for cell in cells]
    return sorted(moved, key=lambda cell: cell[::-1])


def in_quotes(name: str) -> str | None:
    """Return a name in the quotes that it does not hold, None where it holds both, or an end of line."""
    sign = next((sign for sign in ("'", '"') if sign not in name), None)
    return None if sign is None or not name.isprintable() or not name.strip() or "\\" in name else f"{sign}{name}{sign}"
