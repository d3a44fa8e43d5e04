"""The compact geometric format (Frans Faase's ``gen_dpfp``): coordinates, colours, and a number of rotations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail
from puzzlec.formats.plain import Unsupported, refuse_beyond, supported_lattice, with_turns
from puzzlec.formats.record import Format, WriterChoices
from puzzlec.geometry import Cell, Lattice, Matrix, find_lattice
from puzzlec.ir import Location, Piece, Puzzle
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.language.given import Given
from puzzlec.language.parsing import NumberSequence
from puzzlec.lower import orientations

#: Largest distance of a coordinate from the origin, as in the puzzle language.
MAX_COORDINATE = 2**30

#: The table of the 24 rotations of the cube, in the order of the format. Row r takes the point a to b with b[j] =
#: sign(k) a[|k| - 1], if k is the j-th entry of the row.
TABLE = """
     1 2 3    2 -1 3   -1 -2 3   -2 1 3    1 -2 -3   2 1 -3   -1 2 -3   -2 -1 -3
     2 3 1   -3 2 1    -2 -3 1    3 -2 1   2 -3 -1  -3 -2 -1  -2 3 -1    3 2 -1
     3 1 2   -1 3 2    -3 -1 2    1 -3 2   3 -1 -2  -1 -3 -2  -3 1 -2    1 3 -2
"""


def _matrix(row: tuple[int, ...]) -> Matrix:
    return tuple(tuple((1 if k > 0 else -1) * (axis == abs(k) - 1) for axis in range(3)) for k in row)


_ENTRIES = [int(entry) for entry in TABLE.split()]
TURNS: tuple[Matrix, ...] = tuple(_matrix(tuple(_ENTRIES[at : at + 3])) for at in range(0, 72, 3))


def turns_of(lattice: Lattice, number: int) -> tuple[Matrix, ...]:
    """Return the first ``number`` rotations of the table on a lattice of 1, 2 or 3 dimensions.

    On a flat lattice only rotations that keep the plane (or the line) count. A piece rotated out of the plane fits
    nowhere, unless a rotation within the plane gives the same cells. The result has the order of the lattice's own
    rotations, so equal sets are equal tuples.
    """
    dimension = lattice.dimension
    turns = set()
    for turn in TURNS[:number]:
        if all(turn[i][j] == 0 for i in range(dimension, 3) for j in range(dimension)):
            turns.add(tuple(row[:dimension] for row in turn[:dimension]))
    return tuple(turn for turn in lattice.isometries if turn in turns)


def turns_number(lattice: Lattice, turns: tuple[Matrix, ...]) -> int | None:
    """Return the least ``v`` that allows exactly these rotations on a lattice, or None if there is none."""
    return next((v for v in range(1, 25) if set(turns_of(lattice, v)) == set(turns)), None)


def read_compact(source: Source, report: Report, given: Given) -> Puzzle:  # noqa: ARG001
    """Return the puzzle of a compact description. Pieces are named by number, from 0.

    Raises PuzzleError for a text that is too short or too long, and for duplicate cells. Numbers out of range are also
    refused: the dimension is 1, 2 or 3, the colour flag 0 or 1, and the number of rotations 1 to 24.
    """
    numbers = NumberSequence(source, "compact")
    dimensions = numbers.next("the number of dimensions")
    if dimensions not in (1, 2, 3):
        raise fail("PZ211", f"the number of dimensions must be 1, 2 or 3, found {dimensions}", numbers.last)
    lattice = find_lattice(("line", "square", "cubic")[dimensions - 1])
    coloured = numbers.next("the colour flag")
    if coloured not in (0, 1):
        raise fail("PZ212", f"the colour flag must be 0 or 1, found {coloured}", numbers.last)
    reader = _Cells(numbers, report, dimensions, bool(coloured))
    count = _positive(numbers, "locations")
    start = numbers.at - 1
    places = reader.read(count, "location")
    where = source.span(numbers.span(start).start, numbers.last.end) if places else None
    pieces = []
    for piece in range(_positive(numbers, "pieces")):
        size = _positive(numbers, f"cells of piece {piece} (numbered from 0)")
        spans = numbers.last
        turns = numbers.next(f"the number of rotations of piece {piece} (numbered from 0)")
        if not 1 <= turns <= 24:
            report.add(
                "PZ213",
                f"expected 1 to 24 rotations of piece {piece} (numbered from 0), found {turns}",
                numbers.last,
                note="1: as it is, 4: rotated in the plane, 8: also turned over, 24: all rotations in space",
            )
            turns = 24
        cells = reader.read(size, f"cell of piece {piece} (numbered from 0)")
        pieces.append(Piece(str(piece), tuple(cells), tuple(cells.values()), turns_of(lattice, turns), span=spans))
    numbers.finish()
    report.stop_on_errors()
    # The colours of the puzzle include those that only pieces have, although such pieces fit nowhere.
    colours = [*places.values(), *(colour for piece in pieces for colour in piece.colours)]
    return Puzzle(
        PurePath(source.name).stem,
        lattice,
        tuple(Location(cell, colour, span=where) for cell, colour in places.items()),
        tuple(pieces),
        PuzzleColours(tuple(dict.fromkeys(colour for colour in colours if colour is not None))),
        span=where,
    )


def _positive(numbers: NumberSequence, what: str) -> int:
    number = numbers.next(f"the number of {what}")
    if number < 1:
        raise fail("PZ215", f"the number of {what} must be at least 1, found {number}", numbers.last)
    return number


class _Cells:
    """Reads lists of cells, each with its coordinates and, if colours are used, its colour."""

    def __init__(self, numbers: NumberSequence, report: Report, dimensions: int, coloured: bool) -> None:
        self.numbers, self.report, self.dimensions, self.coloured = numbers, report, dimensions, coloured

    def read(self, count: int, what: str) -> dict[Cell, str | None]:
        width = self.dimensions + self.coloured
        cells: dict[Cell, str | None] = {}
        first = self.numbers.at
        values = self.numbers.rest(count * width, f"the list of the {count} {what}s")
        for at in range(0, count * width, width):
            cell = tuple(values[at : at + self.dimensions])
            if min(cell) < -MAX_COORDINATE or max(cell) > MAX_COORDINATE:
                away = next(k for k, coordinate in enumerate(cell) if abs(coordinate) > MAX_COORDINATE)
                span = self.numbers.span(first + at + away)
                self.report.add(
                    "PZ321",
                    "coordinate is too large",
                    span,
                    note=f"coordinates are {-MAX_COORDINATE} to {MAX_COORDINATE}",
                )
            elif cell in cells:
                self.report.add(
                    "PZ214",
                    f"duplicate {what} `{' '.join(map(str, cell))}`",
                    self.numbers.span(first + at),
                )
            cells[cell] = str(values[at + self.dimensions]) if self.coloured else None
        return cells


DIMENSIONS = {"line": 1, "square": 2, "cubic": 3}


def write_compact_text(puzzle: Puzzle, choices: WriterChoices) -> Iterator[str]:  # noqa: ARG001
    """Yield the compact description of a puzzle in one chunk; see :func:`write_compact`."""
    return iter([write_compact(puzzle)])


def write_compact(puzzle: Puzzle) -> str:
    """Return the compact description of a puzzle on the lattice line, square or cubic.

    Raises PuzzleError for everything that the format does not support. This includes wrap-around boards, listed
    placements, copies, optional locations and rules. A mixture of plain and coloured cells, and rotations that are
    not the first rows of its table, are also refused.
    """
    report = Unsupported("the compact format", puzzle.title, puzzle.span)
    lattice = supported_lattice(puzzle, report, DIMENSIONS)
    if not puzzle.locations or not puzzle.pieces:
        report.add("PZ501", f"{report.words} needs at least one location and one piece", file=puzzle.title)
    refuse_beyond(puzzle, report, plain=False)
    everywhere = [location.colour for location in puzzle.locations]
    everywhere += [colour for piece in puzzle.pieces for colour in piece.colours]
    if puzzle.colours.names and (None in everywhere or puzzle.colours.allowed) and any(everywhere):
        note = "this puzzle has plain cells, or colours that match other colours"
        message = f"{report.words} needs a colour on every cell, or on none"
        report.add("PZ501", message, puzzle.span, note=note, file=puzzle.title)
    turns = {piece.name: _number_of_turns(piece, lattice) for piece in puzzle.pieces if piece.covers is None}
    for piece in puzzle.pieces:
        if turns.get(piece.name, 1) is None:
            note = "it rotates a piece by the first rows of a table of 24, and never reflects a solid"
            report.part(f"the orientations of piece `{piece.name}`", piece.span, note=note)
    report.stop_on_errors()
    # Either every cell and location is coloured or none. A colour that is only declared does not count.
    coloured = any(location.colour is not None for location in puzzle.locations)
    number = _colour_numbers(puzzle)

    def line(cell: Cell, colour: str | None) -> str:
        return " ".join(map(str, (*cell, number[colour]) if coloured and colour is not None else cell))

    lines = [f"{DIMENSIONS[lattice.name]} {int(coloured)}", str(len(puzzle.locations))]
    lines.extend(line(location.at, location.colour) for location in puzzle.locations if isinstance(location.at, tuple))
    lines.append(str(len(puzzle.pieces)))
    for piece in puzzle.pieces:
        lines.append(f"{len(piece.cells)} {turns[piece.name]}")
        lines.extend("    " + line(cell, colour) for cell, colour in zip(piece.cells, piece.colours, strict=True))
    return "\n".join(lines) + "\n"


def _number_of_turns(piece: Piece, lattice: Lattice) -> int | None:
    """Return the number of rotations that allows exactly the orientations of this piece."""
    exact = turns_number(lattice, piece.turns)
    if exact is not None:
        return exact
    count = len(orientations(piece, lattice))
    every: list[int] = [24, *range(1, 24)]
    for number in every:
        turns = turns_of(lattice, number)
        both = tuple(turn for turn in lattice.isometries if turn in {*turns, *piece.turns})
        counts = {count, *(len(orientations(with_turns(piece, allowed), lattice)) for allowed in (turns, both))}
        if len(counts) == 1:
            return number
    return None


def _colour_numbers(puzzle: Puzzle) -> dict[str, int]:
    """Return a number for each colour: its name if all names are numbers, else its position."""
    if all(colour.isdecimal() and colour.isascii() for colour in puzzle.colours.names):
        return {colour: int(colour) for colour in puzzle.colours.names}
    return {colour: place for place, colour in enumerate(puzzle.colours.names)}


FORMAT = Format(
    "compact",
    (".compact",),
    "compact geometric format",
    read=read_compact,
    write=write_compact_text,
    place=30,
    traits=("numbers",),
)
