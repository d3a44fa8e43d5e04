"""Numbers of the catalogue and the docs, counted a second time by a program that shares nothing with puzzlec."""

from __future__ import annotations

import pytest

import puzzlec
from puzzlec.ir import Measure, Puzzle
from tests.solving.by_hand_tilings import (
    PENTOMINOES,
    Tiling,
    has_no_fault,
    has_three_colours,
    tilings,
    up_to_symmetry,
)


@pytest.mark.parametrize(
    ("name", "width", "height", "drawings", "only_upright"),
    [
        ("faults/bricks-4x8", 8, 4, ("xx",), True),
        ("faults/long-bricks-6x9", 9, 6, ("xxx",), True),
        ("faults/trominoes-6x6", 6, 6, ("xxx", "xx/x."), False),
    ],
)
def test_a_second_program_confirms_the_tilings_without_faults(
    name: str, width: int, height: int, drawings: tuple[str, ...], only_upright: bool
) -> None:
    puzzle = puzzlec.load(name)
    assert isinstance(puzzle, Puzzle)
    promised = {one.measure: one.value for one in puzzle.expected}
    found = [
        tiling for tiling in tilings(width, height, drawings) if has_no_fault(tiling, width, only_upright=only_upright)
    ]
    assert len(found) == promised[Measure.RAW]
    assert up_to_symmetry(found, width) == promised[Measure.DISTINCT]


@pytest.fixture(scope="module")
def pentominoes() -> list[Tiling]:
    """The 2,339 solutions of the rectangle of pentominoes, one of each four."""
    found = list(tilings(6, 10, PENTOMINOES, once=True))
    assert len(found) == 4 * 2339
    seen: set[Tiling] = set()
    chosen = []
    for tiling in found:
        rows = [tiling[k : k + 6] for k in range(0, 60, 6)]
        images = [[row[::step] for row in rows[::other]] for step in (1, -1) for other in (1, -1)]
        least = min(_by_first_cell(tuple(owner for row in image for owner in row)) for image in images)
        if least not in seen:
            seen.add(least)
            chosen.append(tiling)
    return chosen


def _by_first_cell(tiling: Tiling) -> Tiling:
    return tuple([tiling.index(owner) for owner in tiling])


@pytest.mark.slow
def test_a_second_program_confirms_that_1022_of_the_2339_rectangles_need_three_colours(
    pentominoes: list[Tiling],
) -> None:
    assert len(pentominoes) == 2339
    assert sum(has_three_colours(tiling, 6) for tiling in pentominoes) == 1022
    assert sum(has_no_fault(tiling, 6) for tiling in pentominoes) == 2323
