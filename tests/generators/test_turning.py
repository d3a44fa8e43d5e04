"""Cubes that turn, solved and taken apart again from their text."""

from __future__ import annotations

from dataclasses import replace

import pytest

import puzzlec
from puzzlec.generators.generating import Generated, Generator, generate
from puzzlec.generators.turning import _sweep, _turned
from puzzlec.ir.rules import MovementRules


@pytest.fixture(scope="module")
def found() -> Generated:
    return generate("turning", seed=6)


@pytest.mark.long
def test_one_assembly_comes_apart_and_only_by_turns(found: Generated) -> None:
    puzzle = found.puzzle
    assert puzzle.movement.turns_allowed
    assert puzzlec.count(puzzle) == found.solutions
    apart = [taken for taken in puzzlec.disassemble(puzzle) if taken.disassembly.apart]
    assert len(apart) == 1
    apart[0].check()
    assert apart[0].disassembly.turns >= 1
    slid = puzzlec.disassemble(replace(puzzle, movement=MovementRules()))
    assert not any(taken.disassembly.apart for taken in slid)


def test_the_text_promises_what_is_true(found: Generated) -> None:
    promised = [line for line in found.text.splitlines() if line.startswith("expect ")]
    assert [line.split()[1] for line in promised] == [str(found.solutions), "comes-apart", "level", "turns"]
    assert f"{promised[-1].split()[-1]} of them turns" in found.text


@pytest.mark.long
def test_the_same_seed_gives_the_same_cube(found: Generated) -> None:
    assert generate("turning", seed=6).text == found.text


def test_a_turn_sweeps_its_start_and_its_end_and_stays_in_reach() -> None:
    for x in range(-6, 7):
        for y in range(-6 + x % 2, 7, 2):  # of a pivot in the middle or at a corner of cells
            swept = _sweep(x, y)
            assert swept[0] == (-y, x)
            assert {(x, y), (-y, x)} <= set(swept)
            # a square of side 2 whose middle stays at one distance from the origin
            assert all(abs((a * a + b * b) ** 0.5 - (x * x + y * y) ** 0.5) < 2 * 2**0.5 for a, b in swept)


def test_four_quarter_turns_are_none() -> None:
    cells = [(0, 0, 0), (1, 0, 0), (1, 2, 0)]
    turned: list[tuple[int, ...]] = list(cells)
    for _ in range(4):
        turned, _swept = _turned(turned, 2, (1, 1), 1)
    assert turned == cells


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 5}, "`--size` must be an integer from 3 to 4: found `5`"),
        ({"pieces": 2}, "`--pieces` must be an integer from 3 to 6: found `2`"),
        ({"level": 3}, "`turning` has no option `--level`"),
    ],
)
def test_impossible_options_are_an_error(options: dict[str, str | int], message: str) -> None:
    with pytest.raises(puzzlec.PuzzleError, match="PZ226") as caught:
        Generator("turning", options=options).find()
    assert message in str(caught.value)
