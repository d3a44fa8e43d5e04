"""Plain formats: each holds only a part of what a puzzle may have, and a writer reports the rest.

Some hold pieces without colours, copies and rules; their readers get the board separately. Others hold a fitting in
which every piece is used once and every location is needed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from math import prod
from typing import NamedTuple

from puzzlec.diagnostics import Report, Span
from puzzlec.geometry import Cell, Lattice
from puzzlec.geometry.lattice import Matrix, at_origin
from puzzlec.ir import Fitting, Piece, Placements, Puzzle
from puzzlec.ir.puzzle import cells_of
from puzzlec.lower import orientations

#: What to do about copies that a format does not support.
_COPIES = "convert to `puzzle`, which supports copies"


class Unsupported(Report):
    """The report of a writer: what a format, named ``words``, does not support (PZ501).

    ``title`` and ``span`` belong to the whole that is written.
    """

    def __init__(self, words: str, title: str, span: Span | None = None) -> None:
        super().__init__()
        self.words, self.title, self.span = words, title, span

    def whole(self, what: str, *, note: str | Iterable[str] = (), help: str | Iterable[str] = ()) -> None:
        """Add a property of the whole."""
        self.part(what, self.span, note=note, help=help, file=self.title)

    def part(
        self,
        what: str,
        span: Span | None,
        *,
        note: str | Iterable[str] = (),
        help: str | Iterable[str] = (),
        file: str | None = None,
    ) -> None:
        """Add a property of a part, such as a piece."""
        self.add("PZ501", f"{self.words} does not support {what}", span, note=note, help=help, file=file)


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
    for rule in puzzle.rules.pieces:
        report.part(f"rules such as `{rule.kind.value}`", rule.span)
    coloured = any(any(piece.colours) for piece in puzzle.pieces)
    if plain and (coloured or any(location.colour for location in puzzle.locations)):
        report.whole("colours")
    if plain and puzzle.rules.crossing and puzzle.lattice is not None and puzzle.lattice.crossings:
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


def refuse_second(name: str, span: Span | None, first: Span | None, report: Report) -> None:
    """Report the second piece with a name; ``first`` is the position of the other one."""
    others = [(first, "first defined here")]
    report.add("PZ301", f"duplicate piece `{name}`", span, "second definition", others=others)


class SinglePiece(NamedTuple):
    """A piece that is used once: its name, its placements, and the number of its piece in the fitting (-1: none).

    If it has a number, its placements begin with those of that piece, in the same order.
    """

    name: str
    placements: Sequence[tuple[int, ...]]
    piece: int = -1


def parts(fitting: Fitting, format: str, pairwise: bool = False) -> list[SinglePiece]:
    """Return a fitting as pieces that are used once each and together cover all locations.

    The solutions correspond one to one. A piece that may be left out gets a placement without locations, and each
    optional location gets a part that covers it or nothing. Raises PuzzleError, which names the ``format``, for several
    interchangeable copies, which would count as different, and for a limited number of empty locations. Unless the
    format can exclude any two placements (``pairwise``), it also raises PuzzleError for sides and crossings, and for
    placements that cover the same locations in different colours.
    """
    report = Unsupported(format, fitting.title, fitting.puzzle.span if fitting.puzzle else None)
    _refuse_in_fitting(fitting, pairwise, report)
    report.stop_on_errors()
    pieces: list[SinglePiece] = []
    for number, piece in enumerate(fitting.pieces):
        if piece.high:
            placements = piece.placements if piece.low else [*piece.placements, ()]
            pieces.append(SinglePiece(fitting.piece_name(number), placements, number))
    for location in sorted(fitting.optional):
        name = f"empty {fitting.location_name(location)}"
        pieces.append(SinglePiece(name, Placements([(), (location,)])))
    return pieces


def _refuse_in_fitting(fitting: Fitting, pairwise: bool, report: Unsupported) -> None:
    """Report everything in a fitting that a format does not support."""
    if fitting.neighbours and not pairwise:
        report.whole("coloured sides")
    if fitting.crossings and not pairwise:
        report.whole("pieces that must not cross", help="write `crossing` if pieces may cross")
    for number, piece in enumerate(fitting.pieces):
        if piece.high == 0:
            continue
        name, file = f"piece `{fitting.piece_name(number)}`", fitting.title
        if piece.is_ambiguous and not pairwise:
            note = "it covers the same locations in several ways, which would become one orientation"
            help = "convert to `puzzle` or `json`, which support colours"
            report.part(f"the colours of {name}", piece.span, note=note, help=help, file=file)
        if (piece.low, piece.high) == (0, 1):
            if not pairwise and () in piece.placements:
                note = "it already has a placement without locations, which means the same"
                report.part(f"leaving out {name}", piece.span, note=note, file=file)
        elif (piece.low, piece.high) != (1, 1):
            note = "separate pieces would count as different"
            report.part(f"copies, found several of {name}", piece.span, note=note, help=_COPIES, file=file)
    low, high = fitting.empty or (0, len(fitting.optional))
    if low > 0 or high < len(fitting.optional):
        report.whole("a limit on empty locations")
