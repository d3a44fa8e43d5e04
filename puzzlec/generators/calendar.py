"""Calendars: on every day, the pieces cover all months, days and perhaps weekdays except those of the date.

On the whole board, each mark of the date is a piece of one cell. One sweep (:mod:`puzzlec.generators.days`) counts the
solutions of all dates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from puzzlec.compiler import compile, parse
from puzzlec.diagnostics import counted
from puzzlec.engine import UnfinishedError
from puzzlec.generators.kind import GenerationEffort, GeneratorKind, Stock, Value, pieces_in, statements, wrong

#: The days of each month, with 29 February.
DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

#: Column and row of the last three weekdays. The others follow the 31.
_LATE = ((4, 7), (5, 7), (6, 7))

#: Sets of pieces that a search compares.
SETS_COMPARED = 20

#: Days that are tried alone before all days are counted. On dates in the corners of the board, few sets have solutions.
PROBE_DATES = ((10, 6, 1), (6, 7, 4), (1, 1, 7), (12, 31, 1))

#: A date: month, day, and weekday if the board has them.
_Date = tuple[int, ...]


class _CalendarLayout(NamedTuple):
    """The cells of the months, of the days, and of the weekdays if the board has them."""

    months: tuple[tuple[int, int], ...]
    days: tuple[tuple[int, int], ...]
    weekdays: tuple[tuple[int, int], ...]

    @property
    def marks(self) -> list[tuple[tuple[int, int], ...]]:
        """The cells of each part of a date."""
        return [part for part in (self.months, self.days, self.weekdays) if part]

    @property
    def area(self) -> int:
        """The number of cells that pieces cover."""
        return sum(map(len, self.marks)) - len(self.marks)


def _layout(weekday: bool) -> _CalendarLayout:
    """Return the board: two rows of six months, then rows of seven days."""
    months = tuple((number % 6, number // 6) for number in range(12))
    days = tuple((number % 7, 2 + number // 7) for number in range(31))
    return _CalendarLayout(months, days, ((3, 6), (4, 6), (5, 6), (6, 6), *_LATE) if weekday else ())


def make(options: Mapping[str, Value], effort: GenerationEffort) -> tuple[str, int]:
    """Return a calendar that has solutions on every day.

    Given ``pieces`` are checked. Otherwise the search compares :data:`SETS_COMPARED` sets of pieces, and takes the set
    whose worst day has the most solutions. At the limit of time, the search takes the best set so far.
    """
    board = _layout(bool(options["weekday"]))
    if options["pieces"]:
        effort.take()
        return _checked(board, pieces_in(options["pieces"], effort.random), effort)
    text, most, sets = "", 0, 0
    while sets < SETS_COMPARED:
        try:
            effort.take()
            pieces = _random_pieces(board, effort.random)
            if not all(_has_solution(board, pieces, date, effort) for date in PROBE_DATES):
                continue
            numbers = solutions_of_days(board, pieces, effort)
        except UnfinishedError:
            if not text:
                raise
            break
        fewest = min(numbers.values())
        sets += fewest > 0
        if fewest > most:
            text, most = _text(board, pieces, numbers), fewest
            named = ", ".join(f"{piece.library} {piece.shape}" for piece in pieces)
            effort.best = f'the best has at least {counted(most, "solution")} on each date: `--pieces "{named}"`'
    return text, most


def _checked(board: _CalendarLayout, pieces: Sequence[Stock], effort: GenerationEffort) -> tuple[str, int]:
    """Return the calendar with these pieces; raise PuzzleError if they have the wrong size, or miss a day."""
    area = sum(len(piece.cells) * piece.copies for piece in pieces)
    if pieces[0].lattice.name != "square" or area != board.area:
        raise wrong(f"the pieces of this calendar must have {board.area} squares: found {area} cells")
    numbers = solutions_of_days(board, pieces, effort)
    missing = sum(not number for number in numbers.values())
    if missing:
        effort.best = f"{missing} of {len(numbers)} dates have no solution"
        raise effort.failed()
    return _text(board, pieces, numbers), min(numbers.values())


def solutions_of_days(board: _CalendarLayout, pieces: Sequence[Stock], effort: GenerationEffort) -> dict[_Date, int]:
    """Return the number of solutions on each date.

    Raises UnfinishedError at the limit of time, and PuzzleError (PZ012) if the pieces have too many states to count.
    """
    from puzzlec.generators.days import TooLargeError, solutions_of_marks

    marks = [
        f"piece mark{number} covers {' '.join(f'{{({x},{y})}}' for x, y in part)}"
        for number, part in enumerate(board.marks)
    ]
    encoding = compile(parse("\n".join([*_drawn(board), *marks, *statements(pieces)])))
    try:
        counts = solutions_of_marks(encoding.fitting, board.marks, effort.check_time)
    except TooLargeError as error:
        effort.best = str(error)
        raise effort.failed() from None
    return {date: int(counts[tuple([value - 1 for value in date])]) for date in dates(board)}


def dates(board: _CalendarLayout) -> list[_Date]:
    """Return the 366 days of a leap year, with each weekday if the board has them."""
    days = [(month, day) for month, number in enumerate(DAYS, 1) for day in range(1, number + 1)]
    return [(*date, weekday) for date in days for weekday in range(1, 8)] if board.weekdays else list(days)


def _has_solution(board: _CalendarLayout, pieces: Sequence[Stock], date: _Date, effort: GenerationEffort) -> bool:
    text = "\n".join([*_statement(board, date), *statements(pieces)])
    return effort.solutions(text, "none", 1) == 1


def _random_pieces(board: _CalendarLayout, random: Random) -> list[Stock]:
    """Return seven pentominoes with a hexomino; with weekdays, with three tetrominoes."""
    rest = "tetrominoes 3" if board.weekdays else "hexominoes 1"
    return pieces_in(f"pentominoes 7, {rest}", random)


def _drawn(board: _CalendarLayout) -> list[str]:
    cells = {cell for part in board for cell in part}
    rows = ["".join("x" if (x, y) in cells else "." for x in range(7)) for y in range(8 if board.weekdays else 7)]
    return ["locations {", *[f"  {row}" for row in rows], "}"]


def _statement(board: _CalendarLayout, date: _Date) -> list[str]:
    """Return the parameters of a date, and the board without it."""
    names = ("month", "day", "weekday")
    parameters = [f"param {name} = {value}" for name, value in zip(names, date[: len(board.marks)], strict=False)]
    cells = ["((month-1)%6,(month-1)//6)", "((day-1)%7,2+(day-1)//7)"]
    if board.weekdays:
        cells.append("(weekday-1+3*(1-(weekday-1)//4),6+(weekday-1)//4)")
    drawn = _drawn(board)
    return [*parameters, *drawn[:-1], f"}} - cells {' '.join(cells)}"]


def _text(board: _CalendarLayout, pieces: Sequence[Stock], numbers: Mapping[_Date, int]) -> str:
    """Return the puzzle on its worst date, which has the fewest solutions."""
    date = min(numbers, key=lambda date: (numbers[date], date))
    return "\n".join(
        [
            f"# Raw solutions: {numbers[date]} on the date below, which has the fewest, {sum(numbers.values())} on all",
            f"# {len(numbers)} dates together. For another date: puzzlec solve FILE -p month=12 -p day=25",
            *_statement(board, date),
            *statements(pieces),
        ]
    )


KIND = GeneratorKind(
    "calendar", "pieces that solve a calendar on every day of the year", {"pieces": "", "weekday": False}, make
)
