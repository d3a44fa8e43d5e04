"""What a page is told of a puzzle and its solutions: plain data, as small as can be.

Solutions are many, placements few: each placement that occurs stands in a table once, and a solution is the numbers of
its placements. So a hundred thousand solutions of twelve pieces take three megabytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from puzzlec.diagnostics import PuzzleError, counted
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Lattice
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.ir.fitting import Colours
from puzzlec.ir.puzzle import ANY
from puzzlec.ir.solution import piece_signs
from puzzlec.motion.blocking import ways_out
from puzzlec.show.page.forms import axes, can_be_built, forms, is_flat
from puzzlec.show.page.marking import colour_numbers, dyes_of, marked, signs_of
from puzzlec.show.page.packing import packed, width
from puzzlec.show.palette import COLOURS
from puzzlec.show.scene import piece_pools
from puzzlec.show.terminal.grids import grid_board
from puzzlec.solving.subject import Subject

#: The data of a page is at most so many bytes; with the program it is less than 6 MB.
MOST_BYTES = 5_600_000

#: With more locations a browser would need half a gigabyte for the picture.
MOST_LOCATIONS = 50_000


def page_data(
    subject: Subject,
    limit: int | None = None,
    most_bytes: int = MOST_BYTES,
    remarks: list[str] | None = None,
) -> dict[str, object]:
    """Return what a page shows, for JSON: at most ``limit`` solutions, and no more than fit into ``most_bytes``.

    Where they do not fit the first ones are shown, and the page's remark says so; ``remarks`` get the same sentence.
    Raises PuzzleError (PZ507) for a puzzle of which not even one solution fits.
    """
    fitting = subject.fitting
    if fitting.locations > MOST_LOCATIONS:
        raise _too_large(fitting, f"a page shows {MOST_LOCATIONS} at most")
    wanted = subject.solutions if limit is None else subject.solutions[:limit]
    lattice = _lattice(fitting)
    # Placements come in the order in which solutions use them, so those of the first solutions are the first ones.
    table = _Table(fitting)
    lists = [table.numbers(solution) for solution in wanted]
    found: dict[str, object] = {
        "title": subject.title,
        "remark": subject.remark,
        "total": subject.number,
        "hues": list(COLOURS),
        "pieces": _pieces(fitting),
    }
    found |= _chart(fitting, wanted) if lattice is None else _board(fitting, lattice)
    if lattice is not None and fitting.puzzle is not None and len(fitting.pieces) <= len(COLOURS):
        found["pools"] = piece_pools(fitting.puzzle)
    if lattice is not None and fitting.puzzle is not None and not lists:
        found["shapes"] = shapes(fitting.puzzle, lattice)
    spent = _size(found)
    fitted = _fitting_in(lists, table, most_bytes - spent)
    if fitted < 0 or (fitted == 0 and lists):
        raise _too_large(fitting, f"what is to be shown would take more than {most_bytes / 1e6:g} MB")
    if fitted < len(lists):
        told = f"of {len(lists)} solutions, the first {fitted} fit on a page"
        if remarks is not None:
            remarks.append(told)
        found["remark"] = f"{subject.remark}; {told}" if subject.remark else told
        lists = lists[:fitted]
    return found | table.as_data(lists) | {"solutions": _solutions(lists)}


def _too_large(fitting: Fitting, why: str) -> PuzzleError:
    number = counted(fitting.locations, "location")
    return fail(
        "PZ507",
        "the puzzle is too large for a page",
        note=f"it has {number}; {why}",
        help="`puzzlec draw` makes a picture of it",
    )


def _size(data: object) -> int:
    return len(json.dumps(data, separators=(",", ":")))


def _lattice(fitting: Fitting) -> Lattice | None:
    """Return the lattice of a puzzle that can be shown on one; None where a chart says all that can be said."""
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or not puzzle.locations or not can_be_built(puzzle.lattice):
        return None
    return None if any(isinstance(each.at, str) for each in puzzle.locations) else puzzle.lattice


def _pieces(fitting: Fitting) -> list[dict[str, object]]:
    """Return the pieces: their names, a short sign for each, how often they are used (null: any number of times)."""
    names = [fitting.piece_name(number) for number in range(len(fitting.pieces))]
    return [
        {"name": name, "label": sign, "low": piece.low, "high": None if piece.high >= ANY else piece.high}
        for name, sign, piece in zip(names, piece_signs(names), fitting.pieces, strict=True)
    ]


def _chart(fitting: Fitting, solutions: Sequence[Solution]) -> dict[str, object]:
    names = [fitting.location_name(number) for number in range(fitting.locations)]
    found: dict[str, object] = {"shown": "chart", "locations": names, "optional": packed(sorted(fitting.optional))}
    drawn = grids(solutions)
    return found if drawn is None else {**found, "grids": drawn}


def _board(fitting: Fitting, lattice: Lattice) -> dict[str, object]:
    """Return the board: the lattice as forms of cells and steps, and the points of all locations."""
    puzzle = fitting.puzzle
    assert puzzle is not None
    points = puzzle.points
    tiles = any(piece.sides for piece in puzzle.pieces)
    found: dict[str, object] = {
        "shown": "flat" if is_flat(lattice) else "solid",
        "lattice": lattice.name,
        "axes": axes(lattice, points),
        "forms": forms(lattice, tiles),
        "ways": [] if is_flat(lattice) else ways_out(lattice),
        "points": packed([value for point in points for value in point]),
        "kinds": packed([lattice.class_of(point) for point in points]),
        "optional": packed(sorted(fitting.optional)),
    }
    if colour_numbers(puzzle):
        found |= marked(puzzle)
    if puzzle.wrapping is not None:
        found["around"] = packed(_seams(fitting, lattice))
    if tiles:
        found["signs"] = list(signs_of(puzzle))
        found["dyes"] = dyes_of(signs_of(puzzle))
    return found


def _seams(fitting: Fitting, lattice: Lattice) -> list[int]:
    """Return where a board goes around: a location, the number of a neighbour beyond the rim, the location that is."""
    puzzle = fitting.puzzle
    assert puzzle is not None
    inside = set(puzzle.points)
    found = []
    for number, point in enumerate(puzzle.points):
        for index, step in enumerate(lattice.kinds[lattice.class_of(point)].neighbours):
            beyond = tuple([a + b for a, b in zip(point, step, strict=True)])
            if beyond not in inside and (other := puzzle.location_at(beyond)) >= 0:
                found += [number, index, other]
    return found


@dataclass
class _Table:
    """The placements that occur in solutions, each once, by the number of its piece and its own."""

    fitting: Fitting
    known: dict[tuple[int, int], int] = field(default_factory=dict)
    locations: list[tuple[int, ...]] = field(default_factory=list)
    sides: list[tuple[str, ...]] = field(default_factory=list)
    colours: list[Colours] = field(default_factory=list)

    @property
    def is_painted(self) -> bool:
        """Whether pieces show colours that the locations below them do not have."""
        puzzle = self.fitting.puzzle
        if puzzle is None:
            return False
        below = [each.colour for each in puzzle.locations]
        return any(
            any(shown) and shown != tuple([below[each] for each in row])
            for shown, row in zip(self.colours, self.locations, strict=True)
        )

    def numbers(self, solution: Solution) -> list[int]:
        """Return the numbers of a solution's placements; new ones are entered."""
        found = []
        for each in solution.placements:
            key = each.piece, each.index
            number = self.known.setdefault(key, len(self.known))
            if number == len(self.locations):
                self.locations.append(each.locations)
                self.sides.append(solution.sides(each))
                self.colours.append(self.fitting.shown_colours(*key))
            found.append(number)
        return found

    def bytes_of(self, count: int) -> int:
        """Return how many bytes the first ``count`` placements take about."""
        cells = sum(map(len, self.locations[:count])) * (2 if any(map(any, self.colours)) else 1)
        sides = sum(map(len, self.sides[:count]))
        each = width(0, max(self.fitting.locations, len(self.fitting.pieces)))
        return ((cells + sides + 2 * count) * each * 4) // 3 + 400

    def as_data(self, lists: Sequence[Sequence[int]]) -> dict[str, object]:
        """Return the placements that lists use: piece, number of locations, locations, signs of sides, colours shown.

        A colour is its number from 1 on, 0 for a plain cell. There are none if the pieces show those of the locations.
        """
        count = max((max(each, default=-1) for each in lists), default=-1) + 1
        keys = list(self.known)[:count]
        found: dict[str, object] = {
            "placed": packed([piece for piece, _ in keys]),
            "sizes": packed([len(each) for each in self.locations[:count]]),
            "covered": packed([location for each in self.locations[:count] for location in each]),
        }
        if self.is_painted:
            assert self.fitting.puzzle is not None
            number = {colour: index for index, colour in enumerate(colour_numbers(self.fitting.puzzle), 1)}
            found["painted"] = packed([number[one] if one else 0 for each in self.colours[:count] for one in each])
        if any(self.sides):
            assert self.fitting.puzzle is not None
            number = {sign: index for index, sign in enumerate(signs_of(self.fitting.puzzle))}
            found["sided"] = packed([len(each) for each in self.sides[:count]])
            found["sides"] = packed([number[sign] for each in self.sides[:count] for sign in each])
        return found


def _fitting_in(lists: Sequence[Sequence[int]], table: _Table, room: int) -> int:
    """Return how many solutions fit into so many bytes with their placements; -1: not even an empty board does."""
    if room < 1000:
        return -1
    each = width(0, len(table.known))

    def fits(count: int) -> bool:
        used = max((max(numbers, default=-1) for numbers in lists[:count]), default=-1) + 1
        taken = sum(map(len, lists[:count])) * each + count * 2  # the length of each, where they are not all the same
        return table.bytes_of(used) + taken * 4 // 3 + 100 <= room

    low, high = 0, len(lists)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _solutions(lists: Sequence[Sequence[int]]) -> dict[str, object]:
    """Return solutions as the numbers of their placements: all of one length, or each with its own."""
    lengths = {len(each) for each in lists}
    found: dict[str, object] = {
        "number": len(lists),
        "placements": packed([number for each in lists for number in each]),
    }
    if len(lengths) == 1:
        return found | {"length": lengths.pop()}
    return found | {"lengths": packed([len(each) for each in lists])}


#: Pieces beside the board have at most so many cells in all; of more, only the first ones are shown.
MOST_CELLS = 5000

#: So many solutions, and so many cells of them in all, are shown as grids; others as tables.
MOST_GRIDS, MOST_PLACES = 1000, 500_000


def shapes(puzzle: Puzzle, lattice: Lattice) -> list[dict[str, object] | None]:
    """Return the cells of each piece as it is written, with their colours and sides; None for one without a shape."""
    known, signs = colour_numbers(puzzle), signs_of(puzzle)
    found: list[dict[str, object] | None] = []
    room = MOST_CELLS
    for piece in puzzle.pieces:
        room -= len(piece.cells)
        if piece.covers is not None or not piece.cells or room < 0:
            found.append(None)
            continue
        points = [lattice.point(cell) for cell in piece.cells]
        shape: dict[str, object] = {
            "points": packed([value for point in points for value in point]),
            "kinds": packed([lattice.class_of(point) for point in points]),
        }
        if known:
            shape["coloured"] = packed([known.get(each, -1) + 1 if each else 0 for each in piece.colours])
        if piece.sides:
            shape["sides"] = [signs.index(sign) for sign in piece.sides]
        found.append(shape)
    return found


def grids(solutions: Sequence[Solution]) -> dict[str, object] | None:
    """Return solutions as grids of signs, in the order of the solutions; None where their names speak of none.

    The cells (right, down) and their areas (-1: none) are those of the first one; the signs are numbers of words.
    """
    first = grid_board(solutions[0]) if solutions else None
    if first is None:
        return None
    cells = tuple(first.owners)
    words: dict[str, int] = {}
    signs: list[int] = []
    number = 0
    for solution in solutions[: min(MOST_GRIDS, MOST_PLACES // len(cells))]:
        board = first if solution is solutions[0] else grid_board(solution)
        if board is None or board.owners != first.owners:
            break
        signs += [words.setdefault(board.signs[cell], len(words)) for cell in cells]
        number += 1
    return {
        "number": number,
        "cells": packed([value for cell in cells for value in cell[:2]]),
        "areas": packed([first.owners[cell] for cell in cells]),
        "words": list(words),
        "signs": packed(signs),
    }
