"""Solutions as pieces in states: ``26`` is piece 2 in state 6, as in a CodeProject article about pentominoes.

A state is one of the eight rotations and reflections of a piece in the plane, numbered from 0 as in the table of the
compact format. The entries of a line are in the order in which a board is filled: each piece covers the first cell, in
reading order, that those before it leave. So its position needs no words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from puzzlec.formats.compact import TURNS
from puzzlec.geometry.lattice import turned
from puzzlec.ir import Fitting, Puzzle, Solution
from puzzlec.ir.puzzle import cells_of

#: The rotations and reflections of the plane, by the number of the state.
STATES = tuple(tuple(row[:2] for row in turn[:2]) for turn in TURNS[:8])


def no_states(fitting: Fitting) -> str:
    """Return the reason why solutions of a puzzle cannot be written as pieces in states; empty if they can."""
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or puzzle.lattice.name != "square":
        return "only pieces on the lattice `square` have the eight states"
    if puzzle.wraps:
        return "a board that wraps around has no first cell"
    if any(location.optional for location in puzzle.locations):
        return "a board with optional locations is not filled cell by cell"
    if any(not piece.cells or piece.sides for piece in puzzle.pieces):
        return "tiles with coloured sides and pieces without a shape have no states"
    return ""


#: The states of the last puzzle: all solutions of a puzzle need the same ones.
_LAST: list[PlacementStates] = []


def states_text(solution: Solution) -> str:
    """Return a solution as a line of pieces in states, the least state of each symmetric placement."""
    if not _LAST or _LAST[0].fitting is not solution.fitting:
        _LAST[:] = [PlacementStates(solution.fitting)]
    states = _LAST[0]
    placed = [
        (states.first_cell(placement.locations), placement.number, placement.index) for placement in solution.placements
    ]
    return " ".join(f"{piece + 1}{states.of_piece(piece)[index][0]}" for _, piece, index in sorted(placed))


class PlacementStates:
    """The states of all placements of a puzzle for which :func:`no_states` has no reason against them."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting, self.puzzle = fitting, fitting.origin
        self._of_piece: dict[int, list[tuple[int, ...]]] = {}
        self._at: dict[int, dict[tuple[int, int], int]] = {}

    @cached_property
    def order(self) -> list[int]:
        """The locations in reading order: rows from top to bottom, and each row from left to right."""
        cells = cells_of(self.puzzle)
        return sorted(range(len(cells)), key=lambda location: cells[location][::-1])

    @cached_property
    def _rank(self) -> Mapping[int, int]:
        return {location: rank for rank, location in enumerate(self.order)}

    def first_cell(self, locations: tuple[int, ...]) -> int:
        """Return the rank of the first location of a placement in reading order."""
        return min(map(self._rank.__getitem__, locations))

    def of_piece(self, piece: int) -> list[tuple[int, ...]]:
        """Return the states of each placement of a piece, ascending."""
        if piece not in self._of_piece:
            forms = _forms(self.puzzle, piece)
            cells = cells_of(self.puzzle)
            states = []
            for index, row in enumerate(self.fitting.pieces[piece].placements):
                colours = self.fitting.shown_colours(piece, index)
                form = _form({cells[location]: colour for location, colour in zip(row, colours, strict=True)})
                states.append(forms.get(form, ()))
            self._of_piece[piece] = states
        return self._of_piece[piece]

    def placement(self, piece: int, state: int, rank: int) -> int | None:
        """Return the placement of a piece in a state whose first location has this rank; None if there is none."""
        if piece not in self._at:
            rows = self.fitting.pieces[piece].placements
            self._at[piece] = {
                (one, self.first_cell(rows.row(index))): index
                for index, states in enumerate(self.of_piece(piece))
                for one in states
            }
        return self._at[piece].get((state, rank))


_Form = frozenset[tuple[tuple[int, ...], str | None]]


def _forms(puzzle: Puzzle, number: int) -> dict[_Form, tuple[int, ...]]:
    """Return the oriented shapes of a piece with their states."""
    piece = puzzle.pieces[number]
    states: dict[_Form, tuple[int, ...]] = {}
    for state, matrix in enumerate(STATES):
        cells = [turned(matrix, cell) for cell in piece.cells]
        form = _form(dict(zip(cells, piece.colours, strict=True)))
        states[form] = (*states.get(form, ()), state)
    return states


def _form(cells: Mapping[tuple[int, ...], str | None]) -> _Form:
    """Return cells with colours, moved so that their least coordinates are 0."""
    low = [min(cell[axis] for cell in cells) for axis in range(2)]
    return frozenset({((cell[0] - low[0], cell[1] - low[1]), colour) for cell, colour in cells.items()})
