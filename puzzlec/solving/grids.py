"""Solutions of puzzles that are grids: of values on a board, or without geometry, with names that describe a grid.

A grid of names is drawn only if the names leave no doubt. The items of each choice have names that differ only in
their numbers, such as `cell[3,4]: row[4,7] column[3,7]`. Numbers that agree in all choices are one *variable*. There
are two kinds of grids. In the first, two variables take each pair of values once, and a name has both of them (the
cells). A third variable is in other names (the value of the cell). In the second, each row and column has one choice,
and diagonals are covered (queens). The placements of a puzzle are tested in the same way: then the result is the empty
grid with its given values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import count, pairwise, product
from typing import NamedTuple

from puzzlec.geometry import Cell
from puzzlec.ir import Condition, Fitting, RuleKind, Solution

#: Words at the start of the names of rows (or of similar lines) and of columns.
_DOWN, _RIGHT = ("row", "rank", "r", "y", "line"), ("column", "col", "file", "c", "x")

#: The minimum and maximum number of rows and columns.
_MIN_ROWS, _MAX_ROWS = 3, 100
#: Maximum number of placements whose names are tested for an empty grid.
_MOST_PLACEMENTS = 100_000
#: Patterns of numbers in names, which may be written digit by digit, as in `p00`. The second value: whether names of
#: pieces count, because names of choices may be mere option numbers.
_WAYS = tuple(product((r"-?\d+", r"\d"), (True, False)))

Values = tuple[int, ...]
Choice = tuple[int, Sequence[int]]


class Grid(NamedTuple):
    """A grid: for each cell its area, such as a block of a sudoku (-1: none), and its sign."""

    areas: dict[Cell, int]
    signs: dict[Cell, str]


class _Names(NamedTuple):
    """The variables of some choices, by the kinds of names that have them.

    ``stems`` are the names without their numbers, the piece's first, each with its variables in order. The values of a
    variable are in the order of the choices.
    """

    stems: tuple[tuple[str, tuple[Values, ...]], ...]

    @property
    def number_of(self) -> Counter[Values]:
        """Number of kinds of names with each variable."""
        return Counter(variable for _, variables in self.stems for variable in set(variables))


def grid_board(solution: Solution) -> Grid | None:
    """Return a grid of numbers, or of queens (with the signs ``Q`` and ``.``); None if the names describe none."""
    if not _MIN_ROWS <= len(solution.placements) <= _MAX_ROWS**2:
        return None
    if (valued := value_board(solution.fitting)) is not None:
        for placement in solution.placements:
            for index in placement.locations:
                valued.signs[board_cell(solution.fitting, index)] = solution.fitting.piece_name(placement.number)
        return valued
    choices = [(placement.number, placement.locations) for placement in solution.placements]
    for numbers, named in _WAYS:
        names = _names(solution.fitting, choices, numbers, named)
        board = (_square(names) or _queens(names)) if names is not None else None
        if board is not None:
            return board
    return None


def board_cell(fitting: Fitting, index: int) -> Cell:
    """Return the cell of a location of a puzzle on a lattice."""
    at = fitting.origin.locations[index].at
    assert isinstance(at, tuple)
    return at


def value_board(fitting: Fitting) -> Grid | None:
    """Return the empty grid of a puzzle on squares whose pieces are values; None for another puzzle, without rules.

    Its areas are the regions of different values that are no lines, if they divide the board.
    """
    puzzle = fitting.puzzle
    if puzzle is None or puzzle.lattice is None or puzzle.lattice.name != "square" or not puzzle.rules.regions:
        return None
    if any(len(piece.cells) != 1 or piece.colours != (piece.name,) for piece in puzzle.pieces):
        return None
    cells = [board_cell(fitting, index) for index in range(fitting.locations)]
    areas: dict[tuple[int, int], int] = {}
    for number, rule in enumerate(puzzle.rules.regions):
        region = [(at[0], at[1]) for at in rule.region if isinstance(at, tuple)]
        is_line = any(len({cell[axis] for cell in region}) == 1 for axis in (0, 1))
        if rule.kind is Condition.DIFFERENT and not is_line and areas.keys().isdisjoint(region):
            areas.update(dict.fromkeys(region, number))
    numbers = _area_numbers(areas) if len(areas) == len(cells) else {}
    area_of: dict[Cell, int] = {cell: numbers[areas[cell[0], cell[1]]] if numbers else -1 for cell in cells}
    return Grid(area_of, dict.fromkeys(cells, ""))


def is_value_grid(fitting: Fitting) -> bool:
    """Whether a puzzle is a grid of values with different ones in rows, columns and boxes: a chart shows all of it."""
    rules = fitting.puzzle.rules.regions if fitting.puzzle is not None else ()
    return (
        bool(rules)
        and all(
            rule.kind is Condition.DIFFERENT and rule.name.startswith(("row ", "column ", "box ")) for rule in rules
        )
        and value_board(fitting) is not None
    )


def task_board(fitting: Fitting) -> Grid | None:
    """Return the grid of a puzzle before it is solved, its areas as in :func:`grid_board`; None if there is none.

    A cell (for queens, a row) with one placement only is given and has its sign. Others have the sign "", or ``.`` for
    queens.
    """
    if (valued := value_board(fitting)) is not None and fitting.puzzle is not None:
        given = {cell for rule in fitting.puzzle.rules.pieces if rule.kind is RuleKind.FIX for cell in rule.region}
        for number, piece in enumerate(fitting.pieces):
            for placement in piece.placements:
                if (cell := board_cell(fitting, placement[0])) in given:
                    valued.signs[cell] = fitting.piece_name(number)
        return valued
    choices = [(number, row) for number, piece in enumerate(fitting.pieces) for row in _few(piece.placements)]
    if not _MIN_ROWS <= len(choices) <= _MOST_PLACEMENTS or any(
        (piece.low, piece.high) != (1, 1) for piece in fitting.pieces
    ):
        return None
    for numbers, named in _WAYS:
        names = _names(fitting, choices, numbers, named)
        loose = {re.sub(numbers, "#", fitting.location_name(location)) for location in fitting.optional}
        board = (_square(names, loose) or _queens(names, loose)) if names is not None else None
        if board is not None:
            return board
    return None


def _few(placements: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """Return placements, at most one more than the limit."""
    return placements[: _MOST_PLACEMENTS + 1]


def _names(fitting: Fitting, placements: Sequence[Choice], numbers: str, named: bool) -> _Names | None:
    """Return the variables of the choices (pieces with locations), None if their names are not similar.

    ``numbers`` is a pattern of numbers; if ``named`` is false, the names of pieces are ignored.
    """

    @cache
    def parted(name: str) -> tuple[str, Values]:
        return re.sub(numbers, "#", name), tuple(map(int, re.findall(numbers, name)))

    choices: list[list[tuple[str, Values]]] = []
    alike: tuple[tuple[str, int], ...] = ()
    for piece, locations in placements:
        places = sorted([parted(fitting.location_name(location)) for location in locations])
        choices.append([parted(fitting.piece_name(piece) if named else ""), *places])
        shape = tuple([(stem, len(values)) for stem, values in choices[-1]])
        if shape != (alike := alike or shape):
            return None
    if len({stem for stem, _ in alike[1:]}) != len(alike) - 1:
        return None
    order = {name: index for index, name in enumerate(map(fitting.location_name, range(fitting.locations)))}
    ranks = {parted(name)[0]: order[name] for name in map(fitting.location_name, placements[0][1])}
    stems = []
    for index, (stem, number) in enumerate(alike):
        variables = tuple(tuple(choice[index][1][k] for choice in choices) for k in range(number))
        stems.append((-1 if index == 0 else ranks[stem], stem, variables))
    return _Names(tuple((stem, variables) for _, stem, variables in sorted(stems, key=lambda stem: stem[0])))


def _square(names: _Names, loose: Collection[str] | None = None) -> Grid | None:
    """Return the grid of cells with a value in each, filled in if only one value is possible.

    ``loose`` are the names (without numbers) of locations that may stay empty, which are not cells; None: the choices
    are a solution, which has each cell once.
    """
    for stem, pair in names.stems:
        cells = list(zip(*pair, strict=True)) if len(pair) == 2 else []
        if stem in (loose or ()) or not cells or not _are_all_pairs(*pair):
            continue
        if loose is None and len(cells) > len(set(cells)):
            continue
        others = [has for name, has in names.stems if name != stem and has]
        free = dict.fromkeys(variable for has in others for variable in has if variable not in pair)
        # The value of a cell is the variable that all other names have.
        values = [
            variable
            for variable in free
            if all(variable in has for has in others)
            and (
                names.number_of[variable] > 1 and not any(_depends(variable, axis) for axis in pair)
                if loose is None
                else not _tells(cells, variable)
            )
        ]
        if len(values) != 1:
            continue
        areas = [variable for variable in free if variable != values[0] and _tells(cells, variable)]
        where = list(zip(*_turned(names, *pair), strict=True))
        numbers = _area_numbers(dict(zip(where, areas[0] if areas else (), strict=False)))
        area_of: dict[Cell, int] = {cell: numbers[areas[0][k]] if areas else -1 for k, cell in enumerate(where)}
        possible: dict[Cell, set[int]] = {}
        for cell, value in zip(where, values[0], strict=True):
            possible.setdefault(cell, set()).add(value)
        signs = {cell: str(*several) if len(several) == 1 else "" for cell, several in possible.items()}
        return Grid(area_of, signs)
    return None


def _area_numbers(areas: dict[tuple[int, int], int]) -> dict[int, int]:
    """Return a number for each area: if possible, one of two adjacent areas has an even number, the other an odd one.

    Pictures shade areas with odd numbers.
    """
    beside: dict[int, set[int]] = {area: set() for area in sorted(set(areas.values()))}
    for (x, y), area in areas.items():
        for neighbour in (areas.get((x + 1, y), area), areas.get((x, y + 1), area)):
            if neighbour != area:
                beside[area].add(neighbour)
                beside[neighbour].add(area)
    odd: dict[int, bool] = {}
    for first in beside:
        waiting = [] if first in odd else [first]
        odd.setdefault(first, False)
        for area in waiting:  # grows
            waiting += [neighbour for neighbour in beside[area] if neighbour not in odd]
            odd |= {neighbour: not odd[area] for neighbour in beside[area] if neighbour not in odd}
    if any(odd[area] == odd[neighbour] for area in beside for neighbour in beside[area]):
        return {area: number for number, area in enumerate(beside)}
    free = {False: count(0, 2), True: count(1, 2)}
    return {area: next(free[odd[area]]) for area in beside}


def _queens(names: _Names, loose: Collection[str] | None = None) -> Grid | None:
    """Return the chessboard, with a queen in each row with only one possible position; or by columns.

    ``loose`` is as in :func:`_square`.
    """
    sure = [variables[0] for stem, variables in names.stems if len(variables) == 1 and stem not in (loose or ())]
    for one, two in _with_diagonals(names):
        ranges = set(one), set(two)
        if len(ranges[0]) != len(ranges[1]) or not all(map(_is_range, ranges)):
            continue
        if len(one) > len(ranges[0]) if loose is None else not {one, two} & {*sure}:
            continue
        right, down = _turned(names, one, two)
        places = set(zip(right, down, strict=True))
        often = Counter(down if down in sure else right)
        if not _MIN_ROWS <= len(often) <= _MAX_ROWS or not {*often.values()} <= {1, len(often)}:
            continue  # some positions in a row are forbidden, and no chessboard shows that
        every = [(x, y) for y in sorted(set(down)) for x in sorted(set(right))]
        given = {cell for cell in places if often[cell[1] if down in sure else cell[0]] == 1}
        signs: dict[Cell, str] = {cell: "Q" if cell in given else "." for cell in every}
        return Grid(dict.fromkeys(every, -1), signs)
    return None


def _with_diagonals(names: _Names) -> Iterator[tuple[Values, Values]]:
    """Yield pairs of variables whose sum and difference are also variables."""
    variables = list(dict.fromkeys(variable for _, has in names.stems for variable in has))
    for index, one in enumerate(variables):
        for two in variables[index + 1 :]:
            sums = [a + b for a, b in zip(one, two, strict=True)]
            differences = [a - b for a, b in zip(one, two, strict=True)]
            if all(any(_is_moved(variable, along) for variable in variables) for along in (sums, differences)):
                yield one, two


def _are_all_pairs(one: Values, two: Values) -> bool:
    """Whether two variables take all pairs of consecutive numbers."""
    ranges = set(one), set(two)
    return (
        all(map(_is_range, ranges))
        and min(map(len, ranges)) >= _MIN_ROWS
        and max(map(len, ranges)) <= _MAX_ROWS
        and len(set(zip(one, two, strict=True))) == len(ranges[0]) * len(ranges[1])
    )


def _tells(cells: Sequence[tuple[int, int]], values: Values) -> bool:
    """Whether the cell of a choice determines the value of a variable."""
    return len(set(zip(cells, values, strict=True))) == len(set(cells))


def _is_range(values: Collection[int]) -> bool:
    """Whether numbers are different and consecutive."""
    ordered = sorted(values)
    return all(b == a + 1 for a, b in pairwise(ordered))


def _is_moved(values: Values, others: Sequence[int]) -> bool:
    """Whether numbers are the others plus or minus a constant, or their negatives are."""
    return any(len({a - sign * b for a, b in zip(values, others, strict=True)}) == 1 for sign in (1, -1))


def _depends(one: Values, two: Values) -> bool:
    """Whether the value of one variable determines the value of another."""
    return len(set(zip(one, two, strict=True))) == len(set(two))


def _turned(names: _Names, one: Values, two: Values) -> tuple[Values, Values]:
    """Return which of two variables counts to the right and which downwards: as their names say, or else the first
    one counts downwards.
    """  # noqa: D205
    for stem, variables in names.stems:
        word = re.split("[^a-z]", stem.lower(), maxsplit=1)[0]
        for words, which in ((_DOWN, 1), (_RIGHT, 0)):
            if word in words and (one in variables) != (two in variables):
                counted, other = (one, two) if one in variables else (two, one)
                return (other, counted) if which else (counted, other)
    return two, one
