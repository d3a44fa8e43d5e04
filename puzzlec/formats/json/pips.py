"""Pips puzzles in JSON: dominoes with numbers, and regions of a board with conditions, several boards a file."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from puzzlec.diagnostics import Report, Source
from puzzlec.diagnostics.error import fail, unless_errors
from puzzlec.formats.json.checks import Checks
from puzzlec.formats.json.places import Path, json_value, places
from puzzlec.formats.problems import chosen_problem
from puzzlec.formats.record import Format, Sign
from puzzlec.geometry import find_lattice
from puzzlec.ir import ANY, Condition, Location, Piece, Puzzle, RegionRule
from puzzlec.ir.location import address_text
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.ir.rules import PuzzleRules
from puzzlec.language.given import Given

#: The boards of a file, in the order of their numbers.
DAYS = ("easy", "medium", "hard")

_FILE_KEYS = ("printDate", "editor")
_BOARD_KEYS = ("dominoes", "regions")
_OTHER_KEYS = ("id", "backendId", "constructors", "solution")

#: Conditions of regions. Those with a number compare a sum with it.
_UNIFORM_KINDS = {"equals": Condition.EQUAL, "unequal": Condition.DIFFERENT}
_SUM_KINDS = ("sum", "less", "greater")

#: Maximum number of rows and of columns of a board.
_MAX_SIDE_CELLS = 1000

#: The characters of regions in drawings.
_LETTERS = [letter for letter in string.ascii_uppercase + string.ascii_lowercase if letter not in "xX"]


def read_pips(source: Source, report: Report, given: Given) -> Puzzle:
    """Return the puzzle of one board of a Pips file, which has an easy, a medium and a hard one, or of a single board.

    A board that is `null`, or has no dominoes, does not count. The stored solution is not read. Raises PuzzleError with
    all errors of the board, each at its value.
    """
    checks = Checks()
    value = json_value(source)
    path: Path = ()
    title = PurePath(source.name).stem
    if not isinstance(value, dict):
        checks.wrong(value, (), "an object in braces")
    elif "dominoes" not in value:
        members = checks.keys(value, (), "a Pips file", (), (*DAYS, *_FILE_KEYS))
        boards = [
            day for day in DAYS if isinstance(members.get(day), dict) and members[day].get("dominoes") is not None
        ]
        checks.tell(source, report)
        if not boards:
            raise fail("PZ309", "missing board", source.span(0), note=f"boards are named {', '.join(DAYS)}")
        _refuse_empty(source, members, boards, given.problem or "")
        spans = places(source, [((day,), True) for day in boards])
        index = chosen_problem(given.problem, boards, [spans[(day,), True] for day in boards], report, "boards")
        path, title = (boards[index],), f"{title}, {boards[index]}"
        value = members[boards[index]]
    checks.tell(source, report)
    puzzle = _PipsBoard(checks, path).puzzle(value, title)
    checks.tell(source, report)
    return unless_errors(report, puzzle)


def _refuse_empty(source: Source, members: dict[str, Any], boards: Sequence[str], problem: str) -> None:
    """Raise PuzzleError if the user wants a board that the file names but leaves empty."""
    day = problem.strip().lower()
    if day not in members or day not in DAYS or day in boards:
        return
    null = members[day] is None or (isinstance(members[day], dict) and "dominoes" in members[day])
    said = f"the board `{day}` is empty ({'null' if null else 'without dominoes'})"
    place = places(source, [((day,), True)])[(day,), True]
    raise fail("PZ299", said, place, note=f"the boards of this text are {', '.join(f'`{name}`' for name in boards)}")


class _PipsBoard:
    """Reads one board."""

    def __init__(self, checks: Checks, path: Path) -> None:
        self.checks, self.path = checks, path
        self.letters = iter(_LETTERS)
        self.seen: dict[tuple[int, int], Path] = {}

    def puzzle(self, value: dict[str, Any], title: str) -> Puzzle | None:
        """Return the puzzle of a board, or None after an error."""
        checks = self.checks
        members = checks.keys(value, self.path, "a board", _BOARD_KEYS, _OTHER_KEYS)
        pairs = checks.pairs(members.get("dominoes", []), (*self.path, "dominoes"), "numbers", self.number)
        regions = checks.several(members.get("regions", []), (*self.path, "regions"), "regions", self.region)
        for key, code in (("dominoes", "PZ309"), ("regions", "PZ308")):
            if members.get(key) == []:
                checks.add(code, f"missing {key} of this board", (*self.path, key))
        if checks.faults:
            return None
        lattice = find_lattice("square")
        copies = Counter(tuple(map(str, pair)) for pair in pairs)
        pieces = [
            Piece(f"{a}-{b}", ((0, 0), (1, 0)), (a, b), lattice.turns(lattice.freedom), None, number, number)
            for (a, b), number in _merged(copies)
        ]
        numbers = sorted({number for pair in pairs for number in pair})
        cells = sorted((cell for cells, _ in regions for cell in cells), key=lambda cell: cell[::-1])
        return Puzzle(
            title,
            lattice,
            tuple(map(Location, cells)),
            tuple(pieces),
            PuzzleColours(tuple(map(str, numbers))),
            PuzzleRules(regions=tuple(rule for _, rule in regions if rule is not None)),
        )

    def number(self, value: Any, path: Path) -> int:
        """Return a number of pips, at most that of a double-nine set, because more cannot be drawn."""
        return self.checks.whole(value, path, 0, 9)

    def region(self, value: Any, path: Path) -> tuple[list[tuple[int, int]], RegionRule[Any] | None]:
        """Return the cells of a region and its rule; None without a rule."""
        checks = self.checks
        members = checks.keys(value, path, "a region", ("indices", "type"), ("target",))
        rows = checks.pairs(
            members.get("indices", []), (*path, "indices"), "a row and a column",
            lambda number, at: checks.whole(number, at, 0, _MAX_SIDE_CELLS),
        )  # fmt: skip
        cells = [(column, row) for row, column in rows]
        for at, cell in enumerate(cells):
            here = (*path, "indices", at)
            if self.seen.setdefault(cell, here) != here:
                checks.add("PZ310", f"duplicate location {address_text(cell[::-1])}", here)
        kind = checks.choice(
            members.get("type", "empty"), (*path, "type"), ("empty", *_UNIFORM_KINDS, *_SUM_KINDS), "a kind of region"
        )
        if members.get("indices") == []:
            checks.add("PZ363", "missing locations in the region of this rule", (*path, "indices"))
        if kind == "empty" or kind is None or not cells:
            return cells, None
        name = next(self.letters, "")
        if kind in _UNIFORM_KINDS:
            return cells, RegionRule(_UNIFORM_KINDS[kind], tuple(cells), name=name)
        if "target" not in members:
            checks.add("PZ274", "missing key `target` in a region with a sum", path)
            return cells, None
        target = checks.whole(members["target"], (*path, "target"), 0, 10**6)
        if kind == "less" and target == 0:
            checks.add("PZ364", "a sum must be at least 0", (*path, "target"))
            return cells, None
        low, high = {"sum": (target, target), "less": (0, target - 1), "greater": (target + 1, ANY)}[kind]
        return cells, RegionRule(Condition.SUM, tuple(cells), low, high, name)


def _merged(copies: Counter[tuple[str, ...]]) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield each domino once, with its number of copies; `1-2` equals `2-1`."""
    left = dict(copies)
    for a, b in copies:
        number = left.pop((a, b), 0) + (left.pop((b, a), 0) if a != b else 0)
        if number:
            yield (a, b), number


#: An object whose first key is one of a Pips file or of one of its boards, and that has dominoes.
_BEGINNING = (
    r'(?=\s*\{\s*"(?:printDate|editor|easy|medium|hard|id|backendId|constructors|dominoes|regions)"\s*:)'
    r'[\s\S]*"dominoes"'
)

FORMAT = Format(
    "pips",
    (".json",),
    "Pips boards in JSON",
    read=read_pips,
    recognise=(Sign(30, _BEGINNING),),
    place=220,
    traits=("problems",),
)
