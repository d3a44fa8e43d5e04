"""The data of a page: a puzzle and its solutions as compact plain data.

There are many solutions and few placements. Each placement in a solution is in a table once, and a solution is a list
of numbers of placements. 100,000 solutions of twelve pieces take three megabytes.
"""

from __future__ import annotations

import json
import sys
from array import array
from base64 import b64encode
from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from puzzlec.diagnostics import PuzzleError, counted
from puzzlec.diagnostics.error import fail
from puzzlec.geometry import Lattice
from puzzlec.geometry.lattice import Point
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.ir.fitting import Colours
from puzzlec.ir.location import ANY
from puzzlec.ir.paints import PAINTS, paint_of
from puzzlec.ir.solution import signs_of_pieces
from puzzlec.motion.shown import Plans
from puzzlec.motion.straight import ways_out
from puzzlec.show.page.forms import axes, can_be_built, forms, is_flat
from puzzlec.show.palette import COLOURS, INK, PALETTES, mixed
from puzzlec.show.ruling import as_data
from puzzlec.show.scene import piece_pools
from puzzlec.show.svg.marks import PIPS, Dyes, Marks
from puzzlec.solving.grids import grid_board, is_value_grid
from puzzlec.solving.subject import Subject

#: Maximum number of bytes of data in a page; with the program the page is smaller than 6 MB.
MOST_BYTES = 5_600_000

#: With more locations a browser would need half a gigabyte for the picture.
MOST_LOCATIONS = 50_000


def page_data(
    subject: Subject,
    limit: int | None = None,
    most_bytes: int = MOST_BYTES,
    remarks: list[str] | None = None,
    plans: Plans | None = None,
) -> dict[str, object]:
    """Return the data of a page for JSON: at most ``limit`` solutions, and no more than fit into ``most_bytes``.

    If they do not fit, the page has the first ones and a remark, which is added to ``remarks``. ``plans`` has
    plans that are known from before. Raises PuzzleError (PZ507) if not even one solution fits.
    """
    fitting = subject.fitting
    if fitting.locations > MOST_LOCATIONS:
        raise too_large("page", counted(fitting.locations, "location"), f"the limit of a page is {MOST_LOCATIONS}")
    solutions = subject.solutions if limit is None else subject.solutions[:limit]
    lattice = _lattice(fitting)
    # Placements are numbered in the order of their first solution, so the first solutions use the first ones.
    table = _PlacementTable(fitting)
    lists = [table.numbers(solution) for solution in solutions]
    page: dict[str, object] = {
        "title": subject.title,
        "remark": "; ".join(filter(None, (subject.choice, subject.remark))),
        "total": subject.number,
        "palettes": {name: list(colours) for name, colours in PALETTES.items()},
        "pieces": _pieces(fitting),
    }
    page |= _chart(fitting, solutions) if lattice is None else _board(fitting, lattice)
    if lattice is not None and fitting.puzzle is not None and len(fitting.pieces) <= len(COLOURS):
        page["pools"] = piece_pools(fitting.puzzle)
    if lattice is not None and fitting.puzzle is not None and not lists:
        page["shapes"] = shapes(fitting.puzzle, lattice)
    if fitting.puzzle is not None and (fitting.puzzle.rules.regions or fitting.puzzle.rules.meetings):
        page["rules"] = as_data(fitting.puzzle)
    if page.get("shown") in ("flat", "solid") and fitting.puzzle is not None:
        page |= walls_data(fitting.puzzle)
        if any(known_plans := (plans or Plans(fitting.puzzle)).of(solutions, subject.start)):
            page["plans"] = known_plans
    spent = _size(page)
    fitted = _fitting_in(lists, table, most_bytes - spent)
    if fitted < 0 or (fitted == 0 and lists):
        why = f"its data would take more than {most_bytes / 1e6:g} MB"
        raise too_large("page", counted(fitting.locations, "location"), why)
    if fitted < len(lists):
        remark = f"of {len(lists)} solutions, the first {fitted} fit on a page"
        if remarks is not None:
            remarks.append(remark)
        page["remark"] = f"{page['remark']}; {remark}" if page["remark"] else remark
        lists = lists[:fitted]
    if 0 < subject.start < len(lists):
        page["start"] = subject.start
    return page | table.as_data(lists) | {"solutions": _solutions(lists)}


def too_large(kind: str, what: str, why: str) -> PuzzleError:
    """Return the error for a puzzle that is too large for a page or a game."""
    help = "`puzzlec draw` makes a picture of it"
    return fail("PZ507", f"the puzzle is too large for a {kind}", note=f"it has {what}; {why}", help=help)


def _size(data: object) -> int:
    return len(json.dumps(data, separators=(",", ":")))


def _lattice(fitting: Fitting) -> Lattice | None:
    """Return the lattice of a puzzle that can be drawn on one; None if a chart is enough."""
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or not puzzle.locations or not can_be_built(puzzle.lattice):
        return None
    if is_value_grid(fitting):
        return None
    return None if any(isinstance(location.at, str) for location in puzzle.locations) else puzzle.lattice


def _pieces(fitting: Fitting) -> list[dict[str, object]]:
    """Return the pieces: their names, a short sign for each, their number of copies (null: any number)."""
    return [
        {
            "name": fitting.piece_name(number),
            "label": sign,
            "low": piece.low,
            "high": None if piece.high >= ANY else piece.high,
            **({"paint": paint_of(paint)} if (paint := fitting.paint(number)) else {}),
        }
        for number, (sign, piece) in enumerate(zip(signs_of_pieces(fitting), fitting.pieces, strict=True))
    ]


def _chart(fitting: Fitting, solutions: Sequence[Solution]) -> dict[str, object]:
    names = [fitting.location_name(number) for number in range(fitting.locations)]
    chart: dict[str, object] = {"shown": "chart", "locations": names, "optional": packed(sorted(fitting.optional))}
    drawn = grids(solutions)
    return chart if drawn is None else {**chart, "grids": drawn}


def _board(fitting: Fitting, lattice: Lattice) -> dict[str, object]:
    """Return the board: the lattice as forms of cells and steps, and the points of all locations."""
    puzzle = fitting.origin
    points = puzzle.points
    tiles = any(piece.sides for piece in puzzle.pieces)
    board: dict[str, object] = {
        "shown": "flat" if is_flat(lattice) else "solid",
        "lattice": lattice.name,
        "axes": axes(lattice, points),
        "forms": forms(lattice, tiles),
        "ways": [] if is_flat(lattice) else ways_out(lattice),
        **points_data(lattice, points),
        "optional": packed(sorted(fitting.optional)),
    }
    if colour_numbers(puzzle):
        board |= marked(puzzle)
    if puzzle.wrapping is not None:
        board["around"] = packed(_seams(fitting, lattice))
    if tiles:
        dyes = Dyes(signs_of(puzzle)).fills
        board |= {"signs": list(dyes), "dyes": list(dyes.values())}
    return board


def walls_data(puzzle: Puzzle) -> dict[str, object]:
    """Return the walls as points and kinds of cells, if there are any."""
    if not puzzle.movement.walls or puzzle.lattice is None:
        return {}
    return {"walls": points_data(puzzle.lattice, map(puzzle.lattice.point, puzzle.movement.walls))}


def points_data(lattice: Lattice, points: Iterable[Point]) -> dict[str, Packed]:
    """Return the points of some cells, and the numbers of their kinds."""
    points = list(points)
    return {
        "points": packed([value for point in points for value in point]),
        "kinds": packed(list(map(lattice.class_of, points))),
    }


def _seams(fitting: Fitting, lattice: Lattice) -> list[int]:
    """Return the seams of a board: a location, the number of a neighbour beyond the border, and its location."""
    puzzle = fitting.origin
    inside = set(puzzle.points)
    seams = []
    for number, point in enumerate(puzzle.points):
        for index, step in enumerate(lattice.kinds[lattice.class_of(point)].neighbours):
            beyond = tuple([a + b for a, b in zip(point, step, strict=True)])
            if beyond not in inside and (other := puzzle.geometry.location_at(beyond)) >= 0:
                seams += [number, index, other]
    return seams


@dataclass
class _PlacementTable:
    """The placements in solutions, each once, by the number of its piece and its own number."""

    fitting: Fitting
    known: dict[tuple[int, int], int] = field(default_factory=dict)
    locations: list[tuple[int, ...]] = field(default_factory=list)
    sides: list[tuple[str, ...]] = field(default_factory=list)
    colours: list[Colours] = field(default_factory=list)

    @property
    def is_painted(self) -> bool:
        """Whether pieces show colours that differ from the locations below them."""
        puzzle = self.fitting.puzzle
        if puzzle is None:
            return False
        below = [location.colour for location in puzzle.locations]
        return any(
            any(colours) and colours != tuple([below[location] for location in row])
            for colours, row in zip(self.colours, self.locations, strict=True)
        )

    def numbers(self, solution: Solution) -> list[int]:
        """Return the numbers of a solution's placements; new ones are entered."""
        placements = []
        for placement in solution.placements:
            key = placement.number, placement.index
            number = self.known.setdefault(key, len(self.known))
            if number == len(self.locations):
                self.locations.append(placement.locations)
                self.sides.append(solution.sides(placement))
                self.colours.append(self.fitting.shown_colours(*key))
            placements.append(number)
        return placements

    def bytes_of(self, count: int) -> int:
        """Return the approximate size of the first ``count`` placements in bytes."""
        cells = sum(map(len, self.locations[:count])) * (2 if any(map(any, self.colours)) else 1)
        sides = sum(map(len, self.sides[:count]))
        size = width(0, max(self.fitting.locations, len(self.fitting.pieces)))
        return ((cells + sides + 2 * count) * size * 4) // 3 + 400

    def as_data(self, lists: Sequence[Sequence[int]]) -> dict[str, object]:
        """Return the placements in lists: piece, number of locations, locations, signs of sides, colours.

        A colour is its number from 1 on, 0 for a plain cell. The list of colours is empty if the pieces show those of
        the locations.
        """
        count = max((max(row, default=-1) for row in lists), default=-1) + 1
        keys = list(self.known)[:count]
        members: dict[str, object] = {
            "placed": packed([piece for piece, _ in keys]),
            "sizes": packed([len(location) for location in self.locations[:count]]),
            "covered": packed([location for row in self.locations[:count] for location in row]),
        }
        if self.is_painted:
            number = {colour: index for index, colour in enumerate(colour_numbers(self.fitting.origin), 1)}
            members["painted"] = packed(
                [number[colour] if colour else 0 for colours in self.colours[:count] for colour in colours]
            )
        if any(self.sides):
            number = {sign: index for index, sign in enumerate(signs_of(self.fitting.origin))}
            members["sided"] = packed([len(side) for side in self.sides[:count]])
            members["sides"] = packed([number[sign] for side in self.sides[:count] for sign in side])
        return members


def _fitting_in(lists: Sequence[Sequence[int]], table: _PlacementTable, room: int) -> int:
    """Return how many solutions fit into this room with their placements; -1 if not even an empty board fits."""
    if room < 1000:
        return -1
    size = width(0, len(table.known))

    def fits(count: int) -> bool:
        used = max((max(numbers, default=-1) for numbers in lists[:count]), default=-1) + 1
        integers = sum(map(len, lists[:count])) * size + count * 2  # the length of each, if the lengths differ
        return table.bytes_of(used) + integers * 4 // 3 + 100 <= room

    return bisect(range(1, len(lists) + 1), False, key=lambda count: not fits(count))


def _solutions(lists: Sequence[Sequence[int]]) -> dict[str, object]:
    """Return solutions as the numbers of their placements: all of one length, or each with its length."""
    lengths = {len(row) for row in lists}
    data: dict[str, object] = {
        "number": len(lists),
        "placements": packed([number for row in lists for number in row]),
    }
    if len(lengths) == 1:
        return data | {"length": lengths.pop()}
    return data | {"lengths": packed([len(row) for row in lists])}


#: Maximum number of cells of pieces beside the board; if there are more, only the first pieces are shown.
MOST_CELLS = 5000

#: Maximum number of solutions, and the maximum number of cells of them in all, that are shown as grids; others are
#: tables.
MOST_GRIDS, MOST_PLACES = 1000, 500_000


def shapes(puzzle: Puzzle, lattice: Lattice) -> list[dict[str, object] | None]:
    """Return the cells of each piece as it is written, with their colours and sides; None without a shape."""
    colour_index, signs = colour_numbers(puzzle), signs_of(puzzle)
    shapes_of: list[dict[str, object] | None] = []
    room = MOST_CELLS
    for piece in puzzle.pieces:
        room -= len(piece.cells)
        if piece.covers is not None or not piece.cells or room < 0:
            shapes_of.append(None)
            continue
        shape: dict[str, object] = {**points_data(lattice, map(lattice.point, piece.cells))}
        if colour_index:
            shape["coloured"] = packed([colour_index.get(colour, -1) + 1 if colour else 0 for colour in piece.colours])
        if piece.sides:
            shape["sides"] = [signs.index(sign) for sign in piece.sides]
        shapes_of.append(shape)
    return shapes_of


def grids(solutions: Sequence[Solution]) -> dict[str, object] | None:
    """Return solutions as grids of signs, in their order; None if their names describe no grid.

    The cells (right, down) and their areas (-1: none) are those of the first solution; the signs are numbers of words.
    """
    first = grid_board(solutions[0]) if solutions else None
    if first is None:
        return None
    cells = tuple(first.areas)
    words: dict[str, int] = {}
    signs: list[int] = []
    number = 0
    for solution in solutions[: min(MOST_GRIDS, MOST_PLACES // len(cells))]:
        board = first if solution is solutions[0] else grid_board(solution)
        if board is None or board.areas != first.areas:
            break
        signs += [words.setdefault(board.signs[cell], len(words)) for cell in cells]
        number += 1
    return {
        "number": number,
        "cells": packed([value for cell in cells for value in cell[:2]]),
        "areas": packed([first.areas[cell] for cell in cells]),
        "words": list(words),
        "signs": packed(signs),
    }


#: The longest readable list of numbers in JSON; longer ones are packed.
MAX_READABLE_NUMBERS = 64

#: The ways to pack: a name for the page, the type code of an array, bytes per number, smallest and largest number.
_WAYS = (
    ("u8", "B", 1, 0, 2**8 - 1),
    ("i16", "h", 2, -(2**15), 2**15 - 1),
    ("u16", "H", 2, 0, 2**16 - 1),
    ("i32", "i", 4, -(2**31), 2**31 - 1),
)

Packed = list[int] | dict[str, str]


def width(least: int, greatest: int) -> int:
    """Return the bytes per number when numbers are packed.

    >>> width(0, 255), width(-1, 255), width(0, 40000)
    (1, 2, 2)
    """
    return _way(least, greatest)[2]


def packed(numbers: Sequence[int]) -> Packed:
    """Return numbers as the page reads them; raise OverflowError for a number of more than 32 bits.

    >>> packed([1, 2, 3])
    [1, 2, 3]
    >>> packed([7] * 66)["u8"][:8]
    'BwcHBwcH'
    """
    if len(numbers) <= MAX_READABLE_NUMBERS:
        return list(numbers)
    name, code, *_ = _way(min(numbers), max(numbers))
    integers = array(code, numbers)
    if sys.byteorder == "big":
        integers.byteswap()
    return {name: b64encode(integers.tobytes()).decode("ascii")}


def _way(least: int, greatest: int) -> tuple[str, str, int, int, int]:
    for way in _WAYS:
        if way[3] <= least and greatest <= way[4]:
            return way
    raise OverflowError("a number for the page has more than 32 bits")


def colour_numbers(puzzle: Puzzle) -> dict[str, int]:
    """Return the colours of a puzzle's locations and of the cells of its pieces, numbered in order of appearance."""
    colours = dict.fromkeys([location.colour for location in puzzle.locations if location.colour])
    colours |= dict.fromkeys([colour for piece in puzzle.pieces for colour in piece.colours if colour])
    return {colour: number for number, colour in enumerate(colours)}


def marked(puzzle: Puzzle) -> dict[str, object]:
    """Return the colours of locations and cells, their marks, and which pieces have coloured cells.

    A mark is a string of pips (their positions, of nine), a colour as `#rrggbb`, or null: no mark.
    """
    colour_index = colour_numbers(puzzle)
    bare = any(None in piece.colours and len(set(piece.colours)) > 1 for piece in puzzle.pieces)
    marks = Marks(colour_index, bare=bare)
    fills = [PAINTS.get(colour.lower()) for colour in colour_index]
    if marks.way == "pips":
        fills_of_colours: list[str | None] = [PIPS[colour] for colour in colour_index]
    elif marks.way == "shade":
        fills_of_colours = [INK if marks.shades(colour) else None for colour in colour_index]
    elif None not in fills and len(set(fills)) == len(fills):
        fills_of_colours = list(fills)
    else:
        fills_of_colours = [mixed(COLOURS[number % len(COLOURS)], INK, 0.45) for number in range(len(colour_index))]
    return {
        "colours": list(colour_index),
        "marks": fills_of_colours,
        "coloured": packed(
            [colour_index[location.colour] + 1 if location.colour else 0 for location in puzzle.locations]
        ),
        "piecesColoured": [int(any(piece.colours)) for piece in puzzle.pieces],
    }


def signs_of(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the colours of the sides of tiles, in their order."""
    return tuple(sorted({sign for piece in puzzle.pieces for sign in piece.sides}))
