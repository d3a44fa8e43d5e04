"""Burrs, taken apart again from their text, with the published numbers of sticks."""

from __future__ import annotations

import re
from itertools import product

import pytest

import puzzlec
from puzzlec.generators import burr
from puzzlec.generators.burr import is_notchable
from puzzlec.generators.generating import Generated, Generator, generate
from puzzlec.geometry import find_library


@pytest.fixture(scope="module")
def found() -> Generated:
    return generate("burr", seed=3, level=3)


def test_one_assembly_comes_apart_at_the_level(found: Generated) -> None:
    taken = list(puzzlec.disassemble(found.puzzle))
    apart = [assembly for assembly in taken if assembly.disassembly.apart]
    assert len(taken) == found.solutions == puzzlec.count(found.puzzle)
    assert len(apart) == 1
    apart[0].check()
    level = apart[0].disassembly.level
    assert level is not None
    assert level[0] >= 3
    assert f"apart: level {apart[0].disassembly.text}, {apart[0].disassembly.moves} moves" in found.text


def test_the_board_is_that_of_the_catalogue(found: Generated) -> None:
    board = {(location.at, location.optional) for location in found.puzzle.locations}
    known = puzzlec.load("burrs/six-piece-1")
    assert isinstance(known, puzzlec.Puzzle)
    assert board == {(location.at, location.optional) for location in known.locations}
    boxes = [
        {tuple(a + b for a, b in zip(at, cell, strict=True)) for cell in product(*map(range, size))}
        for at, size in burr.BOXES
    ]
    assert set.union(*boxes) == {at for at, _ in board}


def test_a_level_that_is_not_reached_is_an_error_that_names_the_best(found: Generated) -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ012") as caught:
        generate("burr", seed=found.seed, level=10, attempts=found.attempts)
    best = re.fullmatch(r"the best has level (3[.0-9]*): `--level 3` prints it", caught.value.diagnostics[0].notes[0])
    assert best
    assert f"level {best[1]}, " in found.text


def test_notchable_sticks_are_the_59_published_ones() -> None:
    sticks = burr._names()
    assert (len(sticks), len(set(sticks.values()))) == (2225, 837)
    assert set(map(str, sticks.values())) == set(find_library("burr-sticks").shapes)
    assert len({least for number, least in sticks.items() if is_notchable(number)}) == 59
    found = generate("burr", seed=0, level=1, pieces="notchable")
    names = {int(piece.name) for piece in found.puzzle.pieces}
    assert names <= {least for number, least in sticks.items() if is_notchable(number)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 11}, "from 1 to 10: found `11`"),
        ({"level": 6, "pieces": "notchable"}, "from 1 to 5: found `6`"),
        ({"pieces": "pentominoes"}, "`burr-sticks` or `notchable`, found `pentominoes`"),
        ({"size": 4}, "`burr` has no option `--size`"),
    ],
)
def test_impossible_options_are_an_error(options: dict[str, str | int], message: str) -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ226") as caught:
        Generator("burr", options=options).find()
    assert message in str(caught.value)
