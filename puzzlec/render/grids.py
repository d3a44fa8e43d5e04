"""Solutions of puzzles without geometry whose names speak of a grid: sudoku, Latin squares, queens.

A grid is drawn only where the names leave no doubt. What each choice covers has names that are alike but for the
numbers in them, such as `cell[3,4]: row[4,7] column[3,7]`. Numbers that agree in all choices are one *variable*. Then
either two variables take each pair of values once, and a name says both of them (the cells), while a third one is in
other names (the value of the cell); or there is one choice in each row and column, and diagonals are covered, too
(queens).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from puzzlec.geometry import Cell, find_lattice
from puzzlec.ir import Solution
from puzzlec.render import boxes
from puzzlec.render.style import Board, Style, TooWideError

#: Words that begin the names of rows (or what lies like them) and of columns.
_DOWN, _RIGHT = ("row", "rank", "r", "y", "line"), ("column", "col", "file", "c", "x")

#: A grid has at least so many rows and columns, and no more than would be of use.
_FEWEST, _MOST = 3, 100

Values = tuple[int, ...]


@dataclass(frozen=True)
class _Names:
    """The variables of some choices, by the kinds of names that have them.

    ``stems`` are the names without their numbers, the piece's first, each with its variables in order; the values that
    a variable takes are in the order of the choices.
    """

    stems: tuple[tuple[str, tuple[Values, ...]], ...]

    @property
    def number_of(self) -> Counter[Values]:
        """In how many kinds of names each variable is."""
        return Counter(variable for _, variables in self.stems for variable in set(variables))


def grid(solution: Solution, style: Style) -> list[str]:
    """Return a solution as a grid of numbers, or of queens; nothing where its names do not speak of one.

    Blocks, if there are any, have borders between them. Nothing, too, where it does not fit the width.
    """
    board = grid_board(solution)
    if board is None:
        return []
    try:
        return boxes.draw(board, style)
    except TooWideError:
        return []


def grid_board(solution: Solution) -> Board | None:
    """Return a grid of numbers, or of queens (with the signs ``Q`` and ``.``); None where no names speak of one.

    The areas of the grid, such as the blocks of a sudoku, are the owners of its cells; they are -1 where it has none.
    """
    # Numbers may be written digit by digit, as in `p00`; and the names of choices may be mere numbers of options.
    for numbers, named in product((r"-?\d+", r"\d"), (True, False)):
        names = _names(solution, numbers, named)
        board = (_square(names) or _queens(names)) if names is not None else None
        if board is not None:
            return board
    return None


def _names(solution: Solution, numbers: str, named: bool) -> _Names | None:
    """Return the variables of the choices, None where their names are not alike.

    ``numbers`` is a pattern of what a number is; where ``named`` is false, the names of pieces say nothing.
    """
    fitting = solution.fitting
    if not _FEWEST <= len(solution.placements) <= _MOST**2:
        return None
    choices: list[list[tuple[str, Values]]] = []
    for placement in solution.placements:
        names = [fitting.piece_name(placement.piece) if named else "", *map(fitting.location_name, placement.locations)]
        found = [(re.sub(numbers, "#", name), tuple(map(int, re.findall(numbers, name)))) for name in names]
        choices.append([found[0], *sorted(found[1:])])
    alike = [tuple((stem, len(values)) for stem, values in choice) for choice in choices]
    if len(set(alike)) != 1 or len({stem for stem, _ in alike[0][1:]}) != len(alike[0]) - 1:
        return None
    order = {name: index for index, name in enumerate(map(fitting.location_name, range(fitting.locations)))}
    first = solution.placements[0]
    ranks = {re.sub(numbers, "#", name): order[name] for name in map(fitting.location_name, first.locations)}
    stems = []
    for index, (stem, number) in enumerate(alike[0]):
        variables = tuple(tuple(choice[index][1][k] for choice in choices) for k in range(number))
        stems.append((-1 if index == 0 else ranks[stem], stem, variables))
    return _Names(tuple((stem, variables) for _, stem, variables in sorted(stems, key=lambda each: each[0])))


def _square(names: _Names) -> Board | None:
    """Return a grid of cells with a value in each, if there is one."""
    often = names.number_of
    for stem, variables in names.stems:
        if len(variables) != 2 or not _is_product(*variables):
            continue
        values = [
            each
            for each, number in often.items()
            if number > 1
            and each not in variables
            and not _depends(each, variables[0])
            and not _depends(each, variables[1])
        ]
        others = [name for name in names.stems if name[0] != stem]
        # The value is what the other names have in common.
        shared = [each for each in values if all(each in has for _, has in others if has)]
        if len(shared) != 1:
            continue
        right, down = _turned(names, *variables)
        areas = [each for _, has in others for each in has if each not in (*variables, shared[0])]
        return _numbered(right, down, shared[0], areas[0] if areas else None)
    return None


def _numbered(right: Values, down: Values, values: Values, areas: Values | None) -> Board:
    """Return a board of numbers, whose areas are pieces."""
    cells = list(zip(right, down, strict=True))
    numbers = {area: number for number, area in enumerate(sorted(set(areas or ())))}
    owners: dict[Cell, int] = {cell: numbers[areas[k]] if areas is not None else -1 for k, cell in enumerate(cells)}
    signs: dict[Cell, str] = {cell: str(value) for cell, value in zip(cells, values, strict=True)}
    return Board(find_lattice("square"), owners, signs)


def _queens(names: _Names) -> Board | None:
    """Return a chessboard with a queen in each row, if the choices cover rows, columns and both kinds of diagonals."""
    variables = list(dict.fromkeys(each for _, has in names.stems for each in has))
    for one in variables:
        for two in variables[variables.index(one) + 1 :]:
            number = len(one)
            if not _FEWEST <= number <= _MOST or not (_is_range(one) and _is_range(two)):
                continue
            sums = [a + b for a, b in zip(one, two, strict=True)]
            differences = [a - b for a, b in zip(one, two, strict=True)]
            if all(
                any(_is_moved(each, along) for each in variables)
                for along in (sums, differences)
            ):  # fmt: skip
                right, down = _turned(names, one, two)
                taken = set(zip(right, down, strict=True))
                every = [(x, y) for y in sorted(down) for x in sorted(right)]
                signs: dict[Cell, str] = {cell: "Q" if cell in taken else "." for cell in every}
                return Board(find_lattice("square"), dict.fromkeys(every, -1), signs)
    return None


def _is_product(one: Values, two: Values) -> bool:
    """Whether two variables take each pair of values once, each some numbers in a row."""
    high, wide = len(set(one)), len(set(two))
    return (
        min(high, wide) >= _FEWEST
        and len(one) == high * wide == len(set(zip(one, two, strict=True)))
        and _is_range(tuple(set(one)))
        and _is_range(tuple(set(two)))
    )


def _is_range(values: Values) -> bool:
    """Whether numbers are different and follow each other."""
    ordered = sorted(values)
    return all(b == a + 1 for a, b in pairwise(ordered))


def _is_moved(values: Values, others: Sequence[int]) -> bool:
    """Whether numbers are others plus or minus a fixed number, perhaps with the other sign."""
    return any(len({a - sign * b for a, b in zip(values, others, strict=True)}) == 1 for sign in (1, -1))


def _depends(one: Values, two: Values) -> bool:
    """Whether the value of one variable tells that of another."""
    return len(set(zip(one, two, strict=True))) == len(set(two))


def _turned(names: _Names, one: Values, two: Values) -> tuple[Values, Values]:
    """Return which of two variables counts to the right and which downwards: as their names say, or else the first
    one counts downwards.
    """  # noqa: D205
    for stem, variables in names.stems:
        word = re.match(r"[a-z]*", stem.lower())
        assert word is not None
        for words, which in ((_DOWN, 1), (_RIGHT, 0)):
            if word.group() in words and (one in variables) != (two in variables):
                counted, other = (one, two) if one in variables else (two, one)
                return (other, counted) if which else (counted, other)
    return two, one
