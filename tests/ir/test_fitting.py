from __future__ import annotations

from array import array

import pytest

from puzzlec.engine.problem import MIN_ENTRIES_OF_NUMPY
from puzzlec.ir import Fitting, Placements
from puzzlec.ir.fitting import FittingPiece


@pytest.mark.parametrize("size", [2, MIN_ENTRIES_OF_NUMPY + 2])
@pytest.mark.parametrize("wrong", [-1, 2])
def test_a_location_that_is_not_there_is_found_in_small_and_large_arrays(size: int, wrong: int) -> None:
    numbers = array("i", [0, 1] * (size // 2))
    starts = array("i", range(0, size + 1, 2))
    good = FittingPiece(Placements.from_arrays(starts, numbers), 0, 1, name="P")
    assert len(Fitting(2, (good,)).pieces[0].placements) == size // 2
    numbers = numbers[:]
    numbers[-1] = wrong
    with pytest.raises(ValueError, match="piece P: location is out of range"):
        Fitting(2, (FittingPiece(Placements.from_arrays(starts, numbers), 0, 1, name="P"),))
