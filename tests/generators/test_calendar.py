"""Calendars, counted on some days by plain backtracking that shares no code with puzzlec's search."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import puzzlec
from puzzlec.compiler import parse
from puzzlec.engine import Search
from puzzlec.generators import calendar, days
from puzzlec.generators.days import solutions_of_marks
from puzzlec.generators.generating import Generator, generate
from puzzlec.generators.kind import GenerationEffort, pieces_in

KNOWN = "hexominoes O06, pentominoes L N P U V Y Z"
WITH_WEEKDAYS = "pentominoes L N P T U V Z, tetrominoes I L Z"
OTHER = "pentominoes F L N P T V Y, hexominoes R06"
IMPOSSIBLE = "hexominoes I06, pentominoes F I L X T W V"
Cell = tuple[int, int]


def shapes(puzzle: puzzlec.Puzzle) -> list[set[tuple[Cell, ...]]]:
    """The rotations and reflections of each piece, with the first cell in reading order at the origin."""
    found = []
    for piece in puzzle.pieces:
        own = set()
        for cells in (piece.cells, [(-x, y) for x, y in piece.cells]):
            for _ in range(4):
                cells = [(-y, x) for x, y in cells]
                first = min((y, x) for x, y in cells)
                own.add(tuple(sorted((x - first[1], y - first[0]) for x, y in cells)))
        found.append(own)
    return found


def fillings(puzzle: puzzlec.Puzzle) -> int:
    """The ways to fill a board: try all pieces on the first free cell."""
    pieces = shapes(puzzle)

    def count(free: frozenset[Cell], left: frozenset[int]) -> int:
        if not free:
            return 1
        y, x = min((y, x) for x, y in free)
        found = 0
        for number in left:
            for shape in pieces[number]:
                cells = {(x + a, y + b) for a, b in shape}
                if cells <= free:
                    found += count(free - cells, left - {number})
        return found

    board = frozenset(
        (location.at[0], location.at[1]) for location in puzzle.locations if isinstance(location.at, tuple)
    )
    return count(board, frozenset(range(len(pieces))))


@pytest.mark.long
def test_the_known_set_solves_every_day_and_plain_backtracking_agrees() -> None:
    found = generate("calendar", pieces=KNOWN)
    assert fillings(found.puzzle) == found.solutions == 7  # 6 October
    assert "24405 on all" in found.text
    effort = GenerationEffort(0, puzzlec.Limits(), 1)
    numbers = calendar.solutions_of_days(calendar._layout(False), pieces_in(KNOWN, effort.random), effort)
    assert len(numbers) == 366
    assert numbers[1, 1] == 64  # the catalogue has this number of calendar/a-puzzle-a-day
    for month, day in ((2, 29), (12, 25)):
        assert fillings(parse(found.text, parameters={"month": month, "day": day})) == numbers[month, day]


@pytest.mark.long
def test_the_days_agree_with_a_sweep_of_the_catalogue() -> None:
    effort = GenerationEffort(0, puzzlec.Limits(), 1)
    numbers = calendar.solutions_of_days(calendar._layout(False), pieces_in(KNOWN, effort.random), effort)
    for row in puzzlec.sweep("calendar/a-puzzle-a-day", {"month": [3, 10], "day": [6, 17]}):
        assert numbers[row.parameters["month"], row.parameters["day"]] == row.solutions


@pytest.mark.long
def test_a_search_takes_the_set_with_the_most_solutions_on_its_worst_day(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = iter([IMPOSSIBLE, OTHER, KNOWN])
    monkeypatch.setattr(calendar, "SETS_COMPARED", 2)
    monkeypatch.setattr(calendar, "_random_pieces", lambda board, random: pieces_in(next(sets), random))
    found = generate("calendar")
    assert (found.attempts, found.solutions) == (3, 7)
    sets = iter([OTHER])
    search = Generator("calendar")
    with pytest.raises(StopIteration):  # as Ctrl-C, the search ends early
        search.find()
    assert search.effort.best.startswith("the best has at least 6 solutions on each date: `--pieces ")
    other = generate("calendar", pieces=OTHER)
    assert fillings(other.puzzle) == other.solutions == 6


def test_a_set_of_a_search_has_the_size_of_the_board() -> None:
    for weekday in (False, True):
        board = calendar._layout(weekday)
        assert sum(len(piece.cells) for piece in calendar._random_pieces(board, Random(5))) == board.area


def test_every_date_of_a_board_with_weekdays_leaves_three_cells_open() -> None:
    board = calendar._layout(True)
    dates = calendar.dates(board)
    assert (len(dates), board.area) == (2562, 47)
    for date in ((1, 1, 1), (12, 31, 4), (2, 29, 5), (7, 30, 7)):
        text = "\n".join([*calendar._statement(board, date), "piece X x0..1 { x }"])
        marks = {part[value - 1] for part, value in zip(board.marks, date, strict=True)}
        whole = {cell for part in board.marks for cell in part}
        assert {location.at for location in parse(text).locations} == whole - marks


def test_one_sweep_counts_each_choice_of_open_cells() -> None:
    rows = ["locations box 4x3", "piece a covers {(0,0)} {(1,0)} {(2,0)} {(3,0)}"]
    rows.append("piece b covers " + " ".join(f"{{({x},{y})}}" for y in (1, 2) for x in range(4)))
    rows += ["piece D x2 { xx }", "piece L x2 { xx/x. }"]
    encoding = puzzlec.compile(parse("\n".join(rows)))
    marks = [[(x, 0) for x in range(4)], [(x, y) for y in (1, 2) for x in range(4)]]
    found = solutions_of_marks(encoding.fitting, marks, lambda: None)
    listed = Counter(
        tuple(encoding.index[option] for option in sorted(options, key=lambda option: encoding.piece[option])[:2])
        for options in Search(encoding.cover)
    )
    assert {(a, b): int(found[a, b]) for a in range(4) for b in range(8) if found[a, b]} == listed
    assert len(listed) > 4


def test_pieces_with_too_many_states_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(days, "MAX_STEPS", 1000)
    with pytest.raises(puzzlec.PuzzleError, match="PZ012") as caught:
        generate("calendar", pieces=KNOWN)
    assert caught.value.diagnostics[0].notes == ("there are too many ways to place the pieces",)


@pytest.mark.slow
def test_the_known_set_with_weekdays_solves_all_2562_dates() -> None:
    found = generate("calendar", pieces=WITH_WEEKDAYS, weekday=True)
    assert fillings(found.puzzle) == found.solutions == 97  # 6 April, the second weekday
    assert "4864096 on all\n# 2562 dates" in found.text


def test_pieces_that_cannot_solve_every_day_are_an_error() -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ012") as caught:
        generate("calendar", pieces=IMPOSSIBLE)
    assert "of 366 dates have no solution" in caught.value.diagnostics[0].notes[0]
    with pytest.raises(puzzlec.PuzzleError, match="PZ226"):
        generate("calendar", pieces="pentominoes")
