"""The arrays of an exact cover, as kernels take them."""

from __future__ import annotations

from array import array
from typing import NamedTuple


class Arrays(NamedTuple):
    """The arrays of an exact cover that a kernel is made from; see :class:`puzzlec.engine.problem.ExactCover`."""

    primary: int
    low: array[int]
    high: array[int]
    secondary: int
    starts: array[int]
    items: array[int]
    colours: array[int]
