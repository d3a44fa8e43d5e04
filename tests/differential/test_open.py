"""Random problems on which the long run has found something that is not mended yet: each test says when it is."""

from __future__ import annotations

import pytest

from tests.differential.tally import tally

#: Seeds of problems, and what is wrong with each.
OPEN = {
    1_014_008: "a piece of three hexagons that is disconnected cannot be written as XMPuzzle: ValueError",
    1_026_786: "listed placements on a lattice are written with how they may be turned, and refused when read: PZ320",
    1_028_477: "a piece without placements is written in the compact format, which has no such piece: PZ215",
    1_044_423: "distinct solutions on a strip one wide that is twisted both ways: 2, where 1 is right",
    1_051_803: "distinct solutions on a board that is twisted both ways are counted, but not listed",
    1_051_840: "listed placements on a lattice are written with how they may be turned, and refused when read: PZ320",
    1_070_134: "listed placements on a lattice are written with how they may be turned, and refused when read: PZ320",
    1_077_970: "tiles on a hexagonal board that goes around by (3,1) and (1,3): 771, where brute force has 76",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.xfail(strict=True, reason=why)) for seed, why in OPEN.items()]
)
def test_a_problem_that_the_long_run_has_found_is_counted_the_same_in_every_way(seed: int) -> None:
    _, faults = tally(range(seed, seed + 1), False)
    assert not faults
