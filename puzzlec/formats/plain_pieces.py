"""Errors of formats that hold only plain pieces, and the board that their readers get separately."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from math import prod

from puzzlec.diagnostics import Span
from puzzlec.formats.record import Unsupported
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Matrix, at_origin
from puzzlec.ir import Piece, Puzzle
from puzzlec.ir.puzzle import cells_of
from puzzlec.lower import orientations

#: What to do about copies that a format does not support.
_COPIES = "convert to `puzzle`, which supports copies"


def lattice_span(puzzle: Puzzle) -> Span | None:
    """Return where the text of a puzzle names its lattice, else where its locations are; None without a text."""
    if puzzle.span is None:
        return None
    source = puzzle.span.source
    named = re.search(r'(?m)^[ \t]*lattice[ \t]+("[^"\n]*"|[^\s#]+)', source.text)
    return source.span(named.start(1), named.end(1)) if named else puzzle.span


def supported_lattice(puzzle: Puzzle, report: Unsupported, lattices: Collection[str]) -> Lattice:
    """Return the lattice of a puzzle; raise PuzzleError (PZ501) if it is not one of those of the format."""
    if puzzle.lattice is None or puzzle.lattice.name not in lattices:
        name = f"the lattice `{puzzle.lattice.name}`" if puzzle.lattice else "puzzles without a lattice"
        its = "its lattices are" if len(lattices) > 1 else "its lattice is"
        report.part(
            name,
            lattice_span(puzzle),
            note=f"{its} {', '.join(lattices)}",
            help="convert to `puzzle`",
            file=puzzle.title,
        )
        raise report.error()
    return puzzle.lattice


def plain_report(puzzle: Puzzle, words: str, lattices: Collection[str]) -> tuple[Lattice, Unsupported]:
    """Return the lattice, and the report of what a format of plain pieces does not support; see `refuse_beyond`."""
    report = Unsupported(words, puzzle.title, puzzle.span)
    lattice = supported_lattice(puzzle, report, lattices)
    refuse_beyond(puzzle, report)
    return lattice, report


def refuse_listed(piece: Piece, report: Unsupported) -> None:
    """Report a piece with listed placements or with sides."""
    if piece.covers is not None:
        report.part(f"the listed placements of piece `{piece.name}`", piece.span)
    if piece.sides:
        report.part(f"the sides of piece `{piece.name}`", piece.span)


def refuse_beyond(puzzle: Puzzle, report: Unsupported, plain: bool = True) -> None:
    """Report everything that a format of pieces does not support (PZ501).

    A format of this kind has one copy of each piece, no optional locations and no rules. With ``plain``, its cells are
    plain and its pieces do not cross.
    """
    if puzzle.wraps:
        report.whole("wrap-around boards")
    for piece in puzzle.pieces:
        refuse_listed(piece, report)
        if (piece.low, piece.high) != (1, 1):
            report.part(f"the copies of piece `{piece.name}`", piece.span, help=_COPIES)
    if any(location.optional for location in puzzle.locations):
        report.whole("optional locations")
    for rule in puzzle.rules:
        report.part(f"rules such as `{rule.kind.value}`", rule.span)
    coloured = any(any(piece.colours) for piece in puzzle.pieces)
    if plain and (coloured or any(location.colour for location in puzzle.locations)):
        report.whole("colours")
    if plain and puzzle.crossing and puzzle.lattice is not None and puzzle.lattice.crossings:
        report.whole("crossing pieces")


def refuse_other_turns(puzzle: Puzzle, lattice: Lattice, report: Unsupported) -> None:
    """Report pieces that do not have the usual orientations of the lattice (free, one-sided in space)."""
    usual = lattice.turns(lattice.freedom)
    for piece in puzzle.pieces:
        if piece.covers is None and not turns_as(piece, usual, lattice):
            note = f"all its pieces are {lattice.freedom.value}"
            report.part(f"the orientations of piece `{piece.name}`", piece.span, note=note)


def with_turns(piece: Piece, turns: tuple[Matrix, ...]) -> Piece:
    """Return a piece with these rotations and reflections."""
    return Piece(piece.name, piece.cells, piece.colours, turns)


def turns_as(piece: Piece, turns: tuple[Matrix, ...], lattice: Lattice) -> bool:
    """Whether a piece has the orientations that these rotations and reflections give."""
    if set(piece.turns) == set(turns):
        return True
    both = tuple(turn for turn in lattice.isometries if turn in {*turns, *piece.turns})
    numbers = {len(orientations(with_turns(piece, allowed), lattice)) for allowed in (piece.turns, turns, both)}
    return len(numbers) == 1


def box_sizes(puzzle: Puzzle, report: Unsupported) -> str:
    """Return the board as ``--board`` takes it, such as ``10x6``; report a board that is not a full box (PZ501).

    The position of the box does not matter, because pieces can move anywhere.
    """
    places = cells_of(puzzle)
    sizes = [max(axis) - min(axis) + 1 for axis in zip(*places, strict=True)]
    if not places or prod(sizes) != len(places):
        report.add(
            "PZ501",
            f"{report.words} has no board, and this board is not a full box",
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
