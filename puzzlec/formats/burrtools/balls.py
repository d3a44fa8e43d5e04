"""How BurrTools turns pieces of balls, where that is not how rigid motions move them.

BurrTools tries 120 turns: the 24 of the packing, and what they are together with sixths of a turn about its four
diagonals. These are all rigid motions of balls that touch (docs/decisions/027); of pieces that hang together by nothing
there may be more. Such a piece gets its placements listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import add, itemgetter, sub

from puzzlec.diagnostics import Report
from puzzlec.formats.burrtools.grids import matrices
from puzzlec.geometry.congruence import congruent
from puzzlec.geometry.lattice import Lattice, Point, turned
from puzzlec.ir import Location, Piece

#: A piece turned in some way: its points as seen from the least of them, each with its colour, ascending.
Form = tuple[tuple[Point, str | None], ...]


class LostColoursError(ValueError):
    """The placements of a piece cannot be listed, since they show colours that its locations do not decide."""

    def report(self, piece: Piece, report: Report, file: str = "") -> None:
        """Report the piece (PZ354)."""
        report.add(
            "PZ354",
            f"piece `{piece.name}` has balls apart in several colours",
            piece.span,
            note="its placements have to be listed, and listed placements have no colours",
            help="give its balls one colour, or the result the colours that lie on it",
            file=file,
        )


def as_turned(
    piece: Piece, lattice: Lattice, locations: Sequence[Location], allowed: frozenset[tuple[str, str]]
) -> Piece:
    """Return a one-sided piece of balls as BurrTools turns it: itself, or with its placements listed.

    Raises LostColoursError if the placements show colours that the locations below them do not have: listed placements
    have no colours.
    """
    points = [lattice.point(cell) for cell in piece.cells]
    forms = forms_by_turns(points, piece.colours)
    motions = {_form(image, piece.colours) for image in congruent(lattice, points, proper=True)}
    if motions == set(forms):
        return piece
    board = {lattice.point(each.at): each for each in locations if isinstance(each.at, tuple)}
    covers: dict[frozenset[Point], tuple[Location, ...]] = {}
    for form in forms:
        for start in board:
            there = [(board.get(tuple(map(add, start, step))), colour) for step, colour in form]
            if all(at is not None and _suits(colour, at.colour, allowed) for at, colour in there):
                reached = tuple(at for at, _ in there if at is not None)
                if len(set(piece.colours)) > 1 and any(at.colour != colour for at, colour in there if at is not None):
                    raise LostColoursError(piece.name)
                covers.setdefault(frozenset(tuple(map(add, start, step)) for step, _ in form), reached)
    listed = tuple(tuple(at.at for at in reached) for reached in covers.values())
    return replace(piece, cells=(), colours=(), turns=(), covers=listed)


def forms_by_turns(points: Sequence[Point], colours: Sequence[str | None]) -> tuple[Form, ...]:
    """Return what the turns make of balls, where they come to places of balls; equal ones once.

    >>> len(forms_by_turns([(0, 0, 0), (1, 1, 0)], [None, None]))
    6
    """
    steps = [tuple(map(sub, point, points[0])) for point in points]
    found: dict[Form, None] = {}
    for matrix, divisor in matrices(2):
        images = [turned(matrix, step) for step in steps]
        if any(value % divisor for image in images for value in image) or any(
            sum(image) // divisor % 2 for image in images
        ):
            continue
        found[_form([tuple(value // divisor for value in image) for image in images], colours)] = None
    return tuple(found)


def _form(points: Sequence[Point], colours: Sequence[str | None]) -> Form:
    least = min(points)
    pairs = [(tuple(map(sub, point, least)), colour) for point, colour in zip(points, colours, strict=True)]
    return tuple(sorted(pairs, key=itemgetter(0)))


def _suits(colour: str | None, there: str | None, allowed: frozenset[tuple[str, str]]) -> bool:
    return colour is None or there is None or colour == there or (colour, there) in allowed
