"""A puzzle in the compact geometric format."""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlec.diagnostics import Report, Span
from puzzlec.formats.compact import turns_number, turns_of
from puzzlec.formats.write_options import Choices
from puzzlec.geometry import Cell, Lattice
from puzzlec.ir import Piece, Puzzle
from puzzlec.lower import aspects

#: What to do about copies that a format does not know.
COPIES = "convert to `puzzle`, which has copies"

DIMENSIONS = {"line": 1, "square": 2, "cubic": 3}


def write_compact_text(puzzle: Puzzle, choices: Choices) -> Iterator[str]:  # noqa: ARG001
    """Return the compact description of a puzzle in one chunk; see :func:`write_compact`."""
    return iter([write_compact(puzzle)])


def write_compact(puzzle: Puzzle) -> str:
    """Return the compact description of a puzzle on the lattice line, square or cubic.

    Raises PuzzleError, naming each, for what the format has no words for: boards that go around, listed placements,
    copies, optional locations, rules, a mixture of plain and coloured cells, and turns that are not the first
    rows of its table.
    """
    report = Report()
    lattice = puzzle.lattice
    assert lattice is not None
    if lattice.name not in DIMENSIONS:
        report.add(
            "PZ501",
            f"the compact format has no lattice `{lattice.name}`",
            lattice_span(puzzle),
            note=f"its lattices are {', '.join(DIMENSIONS)}",
            help="convert to `puzzle`",
            file=puzzle.title,
        )
        report.stop_on_errors()
    if not puzzle.locations or not puzzle.pieces:
        report.add("PZ501", "the compact format has no puzzle without locations or without pieces", file=puzzle.title)
    _refuse(puzzle, report)
    turns = {piece.name: _turns(piece, lattice) for piece in puzzle.pieces if piece.covers is None}
    for piece in puzzle.pieces:
        if turns.get(piece.name, 1) is None:
            report.add(
                "PZ501",
                f"the compact format cannot say how piece `{piece.name}` may be turned",
                piece.span,
                note="it turns a piece by the first rows of a table of 24 turns, and never mirrors a solid",
            )
    report.stop_on_errors()
    # All that is there is coloured, or nothing: a colour that is only declared counts for nothing.
    coloured = any(location.colour is not None for location in puzzle.locations)
    number = _colour_numbers(puzzle)

    def line(cell: Cell, colour: str | None) -> str:
        return " ".join(map(str, (*cell, number[colour]) if coloured and colour is not None else cell))

    lines = [f"{DIMENSIONS[lattice.name]} {int(coloured)}", str(len(puzzle.locations))]
    lines.extend(line(each.at, each.colour) for each in puzzle.locations if isinstance(each.at, tuple))
    lines.append(str(len(puzzle.pieces)))
    for piece in puzzle.pieces:
        lines.append(f"{len(piece.cells)} {turns[piece.name]}")
        lines.extend("    " + line(cell, colour) for cell, colour in zip(piece.cells, piece.colours, strict=True))
    return "\n".join(lines) + "\n"


def lattice_span(puzzle: Puzzle) -> Span | None:
    """Return where the text of a puzzle names its lattice, else where its locations stand, None without a text."""
    if puzzle.span is None:
        return None
    source = puzzle.span.source
    named = re.search(r'(?m)^[ \t]*lattice[ \t]+("[^"\n]*"|[^\s#]+)', source.text)
    return source.span(named.start(1), named.end(1)) if named else puzzle.span


def _refuse(puzzle: Puzzle, report: Report) -> None:
    """Report what the format cannot say at all."""
    if puzzle.wraps:
        report.add("PZ501", "the compact format cannot say that the board goes around", puzzle.span, file=puzzle.title)
    for piece in puzzle.pieces:
        if piece.covers is not None:
            report.add("PZ501", f"the compact format has no listed placements, as piece `{piece.name}` has", piece.span)
        if piece.sides:
            report.add("PZ501", f"the compact format has no edges, as piece `{piece.name}` has", piece.span)
        if (piece.low, piece.high) != (1, 1):
            report.add(
                "PZ501", f"the compact format has no copies, as piece `{piece.name}` has", piece.span, help=COPIES
            )
    if any(location.optional for location in puzzle.locations):
        report.add("PZ501", "the compact format has no optional locations", puzzle.span, file=puzzle.title)
    for rule in puzzle.rules:
        report.add("PZ501", f"the compact format has no rules such as `{rule.kind.value}`", rule.span)
    everywhere = [location.colour for location in puzzle.locations]
    everywhere += [colour for piece in puzzle.pieces for colour in piece.colours]
    if puzzle.colours and (None in everywhere or puzzle.allowed) and any(everywhere):
        report.add(
            "PZ501",
            "in the compact format every cell has a colour that must agree, or none has",
            puzzle.span,
            note="this puzzle has plain cells, or colours that other colours may lie on",
            file=puzzle.title,
        )


def _turns(piece: Piece, lattice: Lattice) -> int | None:
    """Return the number of turns that allows just the aspects of this piece."""
    exact = turns_number(lattice, piece.turns)
    if exact is not None:
        return exact
    wanted = len(aspects(piece, lattice))
    every: list[int] = [24, *range(1, 24)]
    for number in every:
        turns = turns_of(lattice, number)
        both = tuple(turn for turn in lattice.isometries if turn in {*turns, *piece.turns})
        counts = {wanted, *(len(aspects(_turned(piece, each), lattice)) for each in (turns, both))}
        if len(counts) == 1:
            return number
    return None


def _turned(piece: Piece, turns: tuple[tuple[tuple[int, ...], ...], ...]) -> Piece:
    return Piece(piece.name, piece.cells, piece.colours, turns)


def _colour_numbers(puzzle: Puzzle) -> dict[str, int]:
    """Return a number for each colour: the one it is called by where all are numbers, else its place."""
    if all(colour.isdecimal() and colour.isascii() for colour in puzzle.colours):
        return {colour: int(colour) for colour in puzzle.colours}
    return {colour: place for place, colour in enumerate(puzzle.colours)}
