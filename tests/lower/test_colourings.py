"""Colourings of a board: the tests read their descriptions, and compare them with each cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby, product
from types import CodeType
from typing import NamedTuple

import pytest

from puzzlec.geometry import Cell, find_lattice
from puzzlec.ir import Fitting, Puzzle
from puzzlec.ir.location import Location
from puzzlec.ir.puzzle import PuzzleColours
from puzzlec.lower import place
from puzzlec.lower.colourings import colourings

MORE = {None: 0, "one": 1, "two": 2, "three": 3, "four": 4}


def board(name: str, *sizes: int, first: Sequence[int] = (0, 0, 0, 0)) -> Puzzle:
    """Return a puzzle without pieces on a box of a lattice, its cells of all kinds."""
    lattice = find_lattice(name)
    ranges = [range(least, least + size) for least, size in zip(first, sizes, strict=False)]
    kinds = [range(len(lattice.kinds))] * (len(lattice.kinds) > 1)
    return Puzzle("", lattice, tuple(map(Location, product(*ranges, *kinds))), ())


def coloured(*rows: str) -> Puzzle:
    """Return a puzzle without pieces whose locations have colours; `x` means no colour."""
    cells = {(x, y): colour for y, row in enumerate(rows) for x, colour in enumerate(row)}
    locations = [Location(cell, None if colour == "x" else colour) for cell, colour in cells.items()]
    return Puzzle("", find_lattice("square"), tuple(locations), (), PuzzleColours(tuple("abcdefgr")))


BOARDS = [
    board("line", 8),
    board("square", 4, 3),
    board("square", 5, 4, first=(-3, -2)),
    board("cubic", 4, 2, 2, first=(1, -2, 5)),
    board("hex", 4, 3),
    board("triangle", 3, 2),
    board("prism", 3, 3, 2),
    board("hypercubic", 2, 2, 2, 2),
    coloured("rbx", "xbr", "xrb"),
]


class Colouring(NamedTuple):
    """A colouring with its words as texts; ``light`` is empty if there are no light cells."""

    weights: tuple[int, ...]
    where: str
    dark: str
    rule: str
    light: str
    is_shaded: bool


def in_words(fitting: Fitting) -> list[Colouring]:
    return [
        Colouring(each.weights, str(each.where), str(each.dark), str(each.rule), str(each.light or ""), each.is_shaded)
        for each in colourings(fitting)
    ]


def found_on(puzzle: Puzzle) -> list[Colouring]:
    return in_words(place(puzzle))


@cache
def conditions(text: str) -> list[tuple[CodeType, int, int]]:
    """Read conditions on coordinates, such as `x + y even` or `x one more than a multiple of 3 and y odd`.

    Each is an expression, a remainder and a modulus.
    """
    found = []
    for condition in text.split(" and "):
        parts = re.fullmatch(r"([-+ xyzw]+) (?:(even|odd)|(?:(\w+) more than )?a multiple of (\d))", condition)
        assert parts
        rest, modulus = (int(parts[2] == "odd"), 2) if parts[2] else (MORE[parts[3]], int(parts[4]))
        found.append((compile(parts[1], "<words>", "eval"), rest, modulus))
    return found


def is_so(text: str, cell: Cell) -> bool:
    values = dict(zip("xyzw", cell, strict=False))
    return all(eval(code, values.copy()) % modulus == rest for code, rest, modulus in conditions(text))


def is_dark(rule: str, cell: Cell, first: Sequence[int]) -> bool:
    """Read a rule for dark and light cells; ``first`` are the least coordinates of the board."""
    if parts := re.fullmatch(r"call every cell with (.+) (dark|light)", rule):
        return is_so(parts[1], cell) == (parts[2] == "dark")
    axes = names = "xyzw"
    if parts := re.fullmatch(r"draw stripes along (\w), (\d) cells wide, the first one dark", rule):
        axes, size = parts[1], int(parts[2])
    else:
        parts = re.fullmatch(r"colour ([x\d]+) blocks(?: along (.+))? like a checkerboard, dark at (.+)", rule)
        assert parts
        axes, size = (parts[2] or axes[: parts[1].count("x") + 1]).replace(" and ", ""), int(parts[1][0])
        assert parts[1] == "x".join([str(size)] * len(axes))
        assert parts[3] == str(tuple(first)).replace(" ", "")
    return sum((cell[names.index(axis)] - first[names.index(axis)]) // size for axis in axes) % 2 == 0


def is_meant(puzzle: Puzzle, number: int, words: str, rule: str) -> bool:
    """Read the name of some cells, such as `dark cells` or `cells with x even`, for one of the cells."""
    cells = [location.at for location in puzzle.locations if isinstance(location.at, tuple)]
    assert puzzle.lattice is not None
    first = [min(axis) for axis in zip(*cells, strict=True)]
    if words in ("dark cells", "light cells"):
        return is_dark(rule, cells[number], first) == (words == "dark cells")
    if parts := re.fullmatch(r"cells of kind `(.+)`", words):
        return puzzle.lattice.kinds[cells[number][-1]].name == parts[1]
    if parts := re.fullmatch(r"cells of colour `(.+)`", words):
        return puzzle.locations[number].colour == parts[1]
    return words == "cells" or is_so(words.removeprefix("cells with "), cells[number])


@pytest.mark.parametrize("puzzle", BOARDS)
def test_the_words_of_a_colouring_describe_its_weights(puzzle: Puzzle) -> None:
    numbers = range(len(puzzle.locations))
    for colouring in found_on(puzzle):
        dark = [is_meant(puzzle, number, colouring.dark, colouring.rule) for number in numbers]
        light = [
            bool(colouring.light) and is_meant(puzzle, number, colouring.light, colouring.rule) for number in numbers
        ]
        assert list(colouring.weights) == [a - b for a, b in zip(dark, light, strict=True)], colouring
        if not colouring.is_shaded:
            assert colouring.rule == "mark every cell" + colouring.dark.removeprefix("cells")
            assert not colouring.where


@pytest.mark.parametrize("puzzle", BOARDS)
def test_each_colouring_marks_something_and_no_two_mark_the_same(puzzle: Puzzle) -> None:
    found = found_on(puzzle)
    marks = [colouring.weights for colouring in found if not colouring.light and "colour `" not in colouring.dark]
    assert len(set(marks)) == len(marks)
    assert all(map(any, marks))
    assert all(1 in colouring.weights and -1 in colouring.weights for colouring in found if colouring.light)


def form(colouring: Colouring) -> str:
    """Return the rule of a colouring, without the marked class."""
    named = re.sub(r"(\w+ more than )?a multiple of ", "by ", colouring.dark.removeprefix("cells "))
    return colouring.where.strip(" ,") or re.sub(r"even|odd", "by 2", named.removeprefix("with "))


#: The forms on a large square board, in order, and the number of classes of each.
SQUARE = [
    ("on a checkerboard", 2), ("x by 2", 2), ("y by 2", 2),
    ("x + y by 3", 3), ("x by 3", 3), ("y by 3", 3), ("x - y by 3", 3),
    ("on a checkerboard of 2x2 blocks", 2), ("with stripes along x, 2 cells wide, alternately dark and light", 2),
    ("with stripes along y, 2 cells wide, alternately dark and light", 2), ("on a checkerboard of 3x3 blocks", 2),
    ("with stripes along x, 3 cells wide, alternately dark and light", 2),
    ("with stripes along y, 3 cells wide, alternately dark and light", 2), ("x by 2 and y by 2", 4),
    *((f"{axes} by {number}", number) for number in (4, 5) for axes in ("x + y", "x", "y", "x - y")),
]  # fmt: skip


def test_the_easiest_colourings_come_first_then_differences_of_two_classes() -> None:
    found = found_on(board("square", 8, 8))
    assert [(form(colouring), colouring.light) for colouring in found[:1]] == [("cells", "")]
    marks = [form(colouring) for colouring in found[1:] if not colouring.light]
    assert [(name, len(list(group))) for name, group in groupby(marks)] == SQUARE
    pairs = [form(colouring) for colouring in found if colouring.light]
    expected = [(name, classes * (classes - 1) // 2) for name, classes in SQUARE]
    assert [(name, len(list(group))) for name, group in groupby(pairs)] == expected
    assert [bool(colouring.light) for colouring in found] == sorted(bool(colouring.light) for colouring in found)


def test_in_space_each_two_axes_and_all_three_have_colourings() -> None:
    found = found_on(board("cubic", 6, 6, 6))
    forms = [name for name, _ in groupby(form(colouring) for colouring in found if not colouring.light)]
    assert forms[:8] == ["cells", "on a checkerboard", *(f"{axis} by 2" for axis in ("x", "y", "z", "x + y", "x + z")),
                         "y + z by 2"]  # fmt: skip
    assert [name for name in forms if " and " in name and " by " in name] == [
        *("x by 2 and y by 2", "x by 2 and z by 2", "y by 2 and z by 2", "x by 2 and y by 2 and z by 2")
    ]
    assert [name for name in forms if "3x3" in name] == [
        "on a checkerboard of 3x3x3 blocks",
        *(f"on a checkerboard of 3x3 blocks along {axes}" for axes in ("x and y", "x and z", "y and z")),
    ]
    assert [name.removesuffix(" by 5") for name in forms if name.endswith("by 5")] == [
        *("x + y + z", "x", "y", "z", "x + y", "x + z", "y + z", "x - z", "x - y", "y - z"),
        *("x + y - z", "x - y + z", "x - y - z"),
    ]


def test_a_line_has_stripes_and_no_checkerboard() -> None:
    found = found_on(board("line", 12))
    stripes = [f"with stripes along x, {number} cells wide, alternately dark and light" for number in (2, 3)]
    forms = [name for name, _ in groupby(form(colouring) for colouring in found if not colouring.light)]
    assert forms == ["cells", "x by 2", "x by 3", *stripes, "x by 4", "x by 5"]


def test_colours_of_locations_and_kinds_of_cells_are_colourings() -> None:
    found = found_on(coloured("rbxf", "exbr", "grdb", "acxx"))
    named = [colouring for colouring in found if "colour `" in colouring.dark]
    assert [colouring.dark for colouring in named] == [f"cells of colour `{colour}`" for colour in "abcdefgr"]
    assert found.index(named[0]) > max(
        found.index(colouring) for colouring in found if "by 5" in form(colouring) and not colouring.light
    )
    found = found_on(board("triangle", 3, 2))
    kinds = [f"cells of kind `triangle pointing {way}`" for way in ("up", "down")]
    assert [colouring.dark for colouring in found[1:3]] == kinds
    assert (kinds[0], kinds[1]) in [(colouring.dark, colouring.light) for colouring in found]


def test_without_a_lattice_all_locations_are_the_only_colouring() -> None:
    (only,) = in_words(Fitting(3, ()))
    assert (only.weights, only.dark, only.rule, only.light) == ((1, 1, 1), "locations", "mark every location", "")
