"""Grades: expected values of a simulated person, invariance, bounds, and the difficulties that makers state."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import puzzlec
from puzzlec import resources
from puzzlec.engine import ExactCover, count
from puzzlec.engine.search import grading
from puzzlec.formats.catalogue import entries
from tests.covers import covers

STATED = Path(__file__).with_name("stated_difficulties.yaml")
DECISION = Path(__file__).parents[2] / "docs/decisions/075-a-grade-is-the-looks-of-a-careful-person.md"


# A simulated person


def person(rows: list[set[int]], items: int, chance: random.Random) -> tuple[float, int]:
    """Search as a person and return the looks and dead ends before the first cover. Shares no code with the grade.

    Looks are made one by one: a person goes through the open items in random order until one has a single option.
    """
    looks, dead_ends, choices = 0.0, 0, []
    left, open_items = list(range(len(rows))), set(range(items))
    while open_items:
        having = {item: [row for row in left if item in rows[row]] for item in sorted(open_items)}
        tried: Iterator[int] | None = None
        if not all(having.values()):
            looks, dead_ends = looks + 1, dead_ends + 1
        else:
            order = sorted(open_items)
            chance.shuffle(order)
            seen = next((place for place, item in enumerate(order) if len(having[item]) == 1), len(order) - 1)
            looks += seen + 1
            fewest = min(sorted(open_items), key=lambda item: len(having[item]))
            options = having[fewest]
            chance.shuffle(options)
            choices.append((iter(options), left, open_items))
        while choices:
            tried, left, open_items = choices[-1]
            option = next(tried, None)
            if option is not None:
                left = [row for row in left if rows[row].isdisjoint(rows[option])]
                open_items = open_items - rows[option]
                break
            choices.pop()
        else:
            return looks, dead_ends
    return looks, dead_ends


@pytest.mark.parametrize("seed", range(6))
def test_the_looks_and_dead_ends_are_those_of_a_person_on_average(seed: int) -> None:
    chance = random.Random(seed)
    rows = [set(chance.sample(range(7), chance.choice((1, 2, 3)))) for _ in range(16)]
    found = grading.grade(ExactCover.from_rows([sorted(row) for row in rows], primary=7).arrays)
    runs = [person(rows, 7, chance) for _ in range(4_000)]
    assert found.looks == pytest.approx(sum(looks for looks, _ in runs) / len(runs), rel=0.04)
    assert found.dead_ends == pytest.approx(sum(dead for _, dead in runs) / len(runs), rel=0.1, abs=0.02)


def test_a_large_tree_is_sampled_and_the_grade_stays_near(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("polycubes/slothouber-graatsma", "queens/8", "dominoes/4x4"):
        whole = puzzlec.grade(name)
        with monkeypatch.context() as patched:
            patched.setattr(grading, "MAX_WHOLE_NODES", 0)
            sampled = puzzlec.grade(name)
        assert whole is not None
        assert sampled is not None
        assert whole.solutions is not None
        assert sampled.solutions is None
        assert sampled.figure == pytest.approx(whole.figure, abs=0.2), name
        assert sampled.choices == pytest.approx(whole.choices, rel=0.1), name
        assert sampled.depth == pytest.approx(whole.depth, rel=0.15, abs=0.1), name
        assert sampled.forced == whole.forced


@given(covers())
def test_items_with_bounds_and_colours_have_as_many_solutions_as_a_count_finds(cover: ExactCover) -> None:
    found = grading.grade(cover.arrays)
    assert found.solutions == count(cover)
    assert found.looks >= 0
    assert found.dead_ends >= 0


def test_forced_moves_make_a_puzzle_without_choices() -> None:
    found = puzzlec.grade("latin/sudoku-17")
    assert found is not None
    assert (found.forced, found.choices, found.dead_ends, found.depth, found.solutions) == (81, 0, 0, 0, 1)


def test_the_depth_is_the_moves_from_the_wrong_choice_to_the_dead_end() -> None:
    # Item 0 has the options 0 and 1. Option 1 allows one more forced move, then item 3 has no option.
    rows = [[0, 1, 2, 3], [0], [1, 2], [2, 3]]
    found = grading.grade(ExactCover.from_rows(rows, primary=4).arrays)
    assert (found.dead_ends, found.depth, found.choices, found.solutions) == (0.5, 2.0, 1.0, 1)


# Borders


def test_a_puzzle_without_a_solution_is_graded_by_its_complete_search() -> None:
    found = puzzlec.grade(puzzlec.parse("locations box 3x3 - box 1x1 at (1,0)\npiece D x4 { xx }\n"))
    assert found is not None
    assert found.solutions == 0
    assert not found.least
    assert found.dead_ends > 0


def test_a_search_that_finds_nothing_gives_a_lower_bound() -> None:
    found = puzzlec.grade("polycubes/conway")
    assert found is not None
    assert found.least
    assert found.solutions is None
    assert str(found).startswith(">=")


def test_a_puzzle_without_pieces_and_locations_needs_no_look() -> None:
    assert grading.grade(ExactCover.from_rows([], primary=0).arrays).figure == 0


def test_a_puzzle_that_is_too_large_has_no_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlec.engine.search.selection.MAX_PYTHON_SET_BYTES", 100)
    assert puzzlec.grade("soma/soma") is None
    assert "none: the puzzle is too large" in puzzlec.explain("soma/soma")


# Names and order do not matter


@pytest.mark.parametrize(
    "name", ["soma/soma", "tiles/macmahon-squares", "iq/kanoodle", "polyominoes/tetrominoes-twice-4x10"]
)
def test_the_grade_does_not_depend_on_the_names_or_the_order_of_the_pieces(name: str) -> None:
    puzzle = puzzlec.load(name)
    assert isinstance(puzzle, puzzlec.Puzzle)
    pieces = list(puzzle.pieces)
    random.Random(name).shuffle(pieces)
    renamed = tuple(replace(piece, name=f"piece{number}") for number, piece in enumerate(pieces))
    assert puzzlec.grade(replace(puzzle, pieces=renamed)) == puzzlec.grade(puzzle)


def test_the_grade_does_not_depend_on_the_order_of_options() -> None:
    rows = [[0, 1, 2, 3], [0], [1, 2], [2, 3], [3]]
    grades = [puzzlec.grade(ExactCover.from_rows(order, primary=4)) for order in (rows, rows[::-1])]
    assert grades[0] == grades[1]


# The catalogue, and difficulties that makers state


@pytest.mark.long
def test_the_grades_of_the_catalogue_are_those_of_the_puzzles() -> None:
    for entry in [*entries()][::40]:
        assert entry.grade in (None, str(puzzlec.grade(str(entry.path)) or "unknown")), entry.name


@pytest.mark.slow
def test_all_grades_of_the_catalogue_are_those_of_the_puzzles() -> None:
    for entry in entries():
        assert entry.grade in (None, str(puzzlec.grade(str(entry.path)) or "unknown")), entry.name


def dominosa(digits: str) -> str:
    rows = "\n".join(digits[start : start + 8] for start in range(0, 56, 8))
    head = "colours 0 1 2 3 4 5 6\nlocations {\n"
    return f"{head}{rows}\n}}\nfor a in 0..6, b in a..6 {{\n  piece d[a,b] {{ {{a}}{{b}} }}\n}}\n"


def sudoku(digits: str) -> str:
    text = (resources.folder("puzzles") / "latin/sudoku-17.puzzle").read_text(encoding="utf-8")
    rows = "\n".join("  " + digits[start : start + 9].replace("0", ".") for start in range(0, 81, 9))
    return re.sub(r"(?s)(fix \{\n).*?(\n\})", lambda found: found[1] + rows + found[2], text)


def katamino(pieces: str) -> str:
    return f"locations box {len(pieces.split())}x5\npieces pentominoes only {', '.join(pieces.split())}\n"


TEXTS: dict[str, Callable[[str], str]] = {"dominosa": dominosa, "solo": sudoku, "sudoku": sudoku, "katamino": katamino}


@cache
def stated() -> dict[str, list[tuple[float, puzzlec.Grade]]]:
    """The puzzles of each family: the stated difficulty, and the grade."""
    found = {}
    families: dict[str, Any] = resources.yaml_document(STATED)
    for family, about in families.items():
        lines = [line.split(" ", 1) for line in about["puzzles"].splitlines()]
        graded = [(float(level), puzzlec.grade(puzzlec.parse(TEXTS[family](puzzle)))) for level, puzzle in lines]
        found[family] = [(level, grade) for level, grade in graded if grade is not None]
        assert len(found[family]) == len(lines)
    return found


def tau(pairs: list[tuple[float, float]]) -> float:
    """Kendall's tau over the pairs of puzzles with different stated difficulties; equal figures count as 0."""
    signs = [
        (figure > other_figure) - (figure < other_figure)
        for level, figure in pairs
        for other, other_figure in pairs
        if level > other
    ]
    return sum(signs) / len(signs)


@pytest.mark.long
def test_the_decision_has_the_correlations_with_stated_difficulties() -> None:
    heads, *rows = re.findall(r"(?m)^\| (.*) \|$", DECISION.read_text(encoding="utf-8"))
    parts = re.findall(r"`(\w+)`", heads)
    told = {row.split(" | ")[0].strip("`"): row.split(" | ")[1:] for row in rows if row.startswith("`")}
    assert sum(len(graded) for graded in stated().values()) >= 30
    assert set(told) == set(stated())
    for family, graded in stated().items():
        measured = [f"{tau([(level, getattr(grade, part)) for level, grade in graded]):.2f}" for part in parts]
        assert told[family] == [str(len(graded)), *(f"{value}".replace("-0.00", "0.00") for value in measured)], family


@pytest.mark.long
@pytest.mark.parametrize(("family", "least"), [("dominosa", 0.8), ("solo", 0.6), ("sudoku", 0.5), ("katamino", 0.9)])
def test_the_grade_follows_the_difficulty_that_the_maker_states(family: str, least: float) -> None:
    assert tau([(level, grade.looks) for level, grade in stated()[family]]) >= least
